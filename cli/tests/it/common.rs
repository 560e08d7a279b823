//! Runs the program and checks its output, its messages and its exit status.

use std::{
    ffi::OsStr,
    io::{self, Read, Write},
    path::Path,
    process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio},
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use serde_json::Value;

/// A time that is enough on any machine, unless the program hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The signals that end the program, by name, with its exit status. Signals that the tests
/// were started to ignore, as under nohup or in the background of a script, are left out,
/// because the program ignores them too.
#[cfg(unix)]
pub(crate) fn ending_signals() -> impl Iterator<Item = (&'static str, i32)> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0);
    [("HUP", 1), ("INT", 2), ("TERM", 15)]
        .into_iter()
        .filter(move |(_, number)| ignored >> (number - 1) & 1 == 0)
        .map(|(name, number)| (name, 128 + number))
}

/// Does `work` with each item, on all cores, and returns what it gives in the order of the items. A thread takes
/// the next item when it is done with one.
pub(crate) fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let some = || {
        let numbers = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let items = numbers.map_while(|n| items.get(n).map(|item| (n, item)));
        items.map(|(n, item)| (n, work(item))).collect::<Vec<_>>()
    };
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let count = thread::available_parallelism().map_or(1, Into::into);
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(some)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("it should not panic")).collect()
    });
    done.sort_by_key(|(n, _)| *n);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The program with these arguments.
pub(crate) fn command(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(crate::program());
    command.args(args);
    command
}

/// Runs `iriscan` with the words of `args` on `input`.
pub(crate) fn iriscan(args: &str, input: impl AsRef<[u8]>) -> Done {
    Done::of(command(args.split_whitespace()), input.as_ref())
}

/// Like [`iriscan`], in the folder `dir`, so that paths are short.
pub(crate) fn iriscan_in(dir: &Path, args: &str, input: impl AsRef<[u8]>) -> Done {
    let mut command = command(args.split_whitespace());
    command.current_dir(dir);
    Done::of(command, input.as_ref())
}

/// A directory with these files.
pub(crate) fn files(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(dir.path().join(name), bytes).unwrap();
    }
    dir
}

/// The output, the messages and the exit status of the program.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    pub(crate) status: ExitStatus,
}

impl Done {
    /// Runs `command` to its end; `input` is its standard input.
    pub(crate) fn of(mut command: Command, input: &[u8]) -> Done {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        thread::scope(|scope| {
            // The program may end before it has read everything.
            scope.spawn(move || drop(stdin.write_all(input)));
            child.wait_with_output().unwrap().into()
        })
    }

    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Done {
        assert_eq!(self.status.code(), Some(code), "{self:?}");
        self
    }

    /// Asserts that there are no messages on standard error.
    #[track_caller]
    pub(crate) fn quiet(self) -> Done {
        assert_eq!(self.stderr, "");
        self
    }

    /// Asserts that standard error has one line, which begins with the program's
    /// name and contains all of `words`.
    #[track_caller]
    pub(crate) fn says(self, words: &[&str]) -> Done {
        assert_eq!(self.stderr.lines().count(), 1, "{}", self.stderr);
        self.mentions(words)
    }

    /// Asserts that standard error begins with the program's name and contains
    /// all of `words`.
    #[track_caller]
    pub(crate) fn mentions(self, words: &[&str]) -> Done {
        assert!(self.stderr.starts_with("iriscan: "), "{:?}", self.stderr);
        for word in words {
            assert!(self.stderr.contains(word), "{word:?} should be in {:?}", self.stderr);
        }
        self
    }

    /// Asserts standard output, byte for byte.
    #[track_caller]
    pub(crate) fn writes(self, expected: impl AsRef<[u8]>) -> Done {
        let (got, expected) = (&self.stdout[..], expected.as_ref());
        assert!(
            got == expected,
            "\n     got: {}\nexpected: {}\n",
            got.escape_ascii(),
            expected.escape_ascii()
        );
        self
    }

    /// The records of `find --json`.
    #[track_caller]
    pub(crate) fn records(&self) -> Vec<Value> {
        let text = std::str::from_utf8(&self.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The only record.
    #[track_caller]
    pub(crate) fn record(&self) -> Value {
        let mut records = self.records();
        assert_eq!(records.len(), 1, "{records:?}\n{}", self.stderr);
        records.remove(0)
    }
}

impl From<Output> for Done {
    fn from(output: Output) -> Done {
        Done {
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
            status: output.status,
        }
    }
}

/// A program that is running, with its standard input open.
pub(crate) struct Live {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Receiver<Vec<u8>>,
    stderr: Option<JoinHandle<io::Result<String>>>,
}

impl Live {
    /// Starts `iriscan` with the words of `args` and with pipes for all streams.
    pub(crate) fn start(args: &str) -> Live {
        let mut command = command(args.split_whitespace());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let stderr = child.stderr.take().unwrap();
        let (send, receive) = channel();
        thread::spawn(move || {
            let mut block = vec![0; 64 * 1024];
            while let Ok(n @ 1..) = stdout.read(&mut block) {
                if send.send(block[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        let stderr = thread::spawn(move || io::read_to_string(stderr));
        Live { stdin: child.stdin.take(), child, stdout: receive, stderr: Some(stderr) }
    }

    /// Its standard input, for another thread to write to.
    #[cfg(target_os = "linux")]
    pub(crate) fn stdin(&mut self) -> ChildStdin {
        self.stdin.take().unwrap()
    }

    /// Writes to its standard input, which stays open.
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stdin.as_mut().unwrap().write_all(bytes.as_ref()).unwrap();
    }

    /// Asserts that exactly `expected` comes out while the input is open.
    #[track_caller]
    pub(crate) fn gives(&mut self, expected: impl AsRef<[u8]>) {
        let (expected, mut got) = (expected.as_ref(), Vec::new());
        while got.len() < expected.len() {
            got.extend(self.stdout.recv_timeout(PATIENCE).expect("more output should come"));
        }
        assert_eq!(got.escape_ascii().to_string(), expected.escape_ascii().to_string());
    }

    /// Reads output until it ends with `end`, and returns its length.
    #[track_caller]
    pub(crate) fn takes_until(&mut self, end: &[u8]) -> usize {
        let (mut tail, mut len) = (Vec::new(), 0);
        while !tail.ends_with(end) {
            let more = self.stdout.recv_timeout(PATIENCE).expect("more output should come");
            len += more.len();
            tail.extend(more);
            tail.drain(..tail.len().saturating_sub(end.len()));
        }
        len
    }

    /// The most resident memory that the program has had so far, in KiB.
    #[cfg(target_os = "linux")]
    pub(crate) fn peak(&self) -> u64 {
        self.memory("VmHWM:")
    }

    /// How much of the resident memory is files, above all the program itself, in KiB. The pages
    /// of the program that hold addresses are among them, though the loader has written in them.
    #[cfg(target_os = "linux")]
    pub(crate) fn memory_of_files(&self) -> u64 {
        let path = format!("/proc/{}/smaps", self.child.id());
        let (mut file, mut sum) = (false, 0);
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let words: Vec<_> = line.split_ascii_whitespace().collect();
            match words[..] {
                ["Rss:", kib, "kB"] if file => sum += kib.parse::<u64>().unwrap(),
                [first, ..] if first.ends_with(':') => {}
                _ => file = words.get(5).is_some_and(|path| path.starts_with('/')),
            }
        }
        sum
    }

    /// A line of the status of the process, in KiB.
    #[cfg(target_os = "linux")]
    fn memory(&self, what: &str) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(what)).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
    }

    /// Closes the input and waits for the end. The output is the part that was not read before.
    pub(crate) fn end(mut self) -> Done {
        drop(self.stdin.take());
        let mut stdout = Vec::new();
        while let Ok(more) = self.stdout.recv_timeout(PATIENCE) {
            stdout.extend(more);
        }
        let stderr = self.stderr.take().unwrap().join().unwrap().unwrap();
        Done { stdout, stderr, status: self.child.wait().unwrap() }
    }
}

impl Drop for Live {
    /// Ends the process if the test has failed.
    fn drop(&mut self) {
        // This has no effect on a process that has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `text` in code units of `width` bytes: UTF-16 or UTF-32, without a byte order mark.
pub(crate) fn wide(text: &str, width: usize, order: Order) -> Vec<u8> {
    let units: Vec<u32> = match width {
        2 => text.encode_utf16().map(u32::from).collect(),
        _ => text.chars().map(u32::from).collect(),
    };
    let bytes = units.iter().flat_map(|unit| match order {
        Order::Little => unit.to_le_bytes()[..width].to_vec(),
        Order::Big => unit.to_be_bytes()[4 - width..].to_vec(),
    });
    bytes.collect()
}

/// The order of the bytes of a code unit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    Little,
    Big,
}
