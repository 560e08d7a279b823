//! Opens a link in a browser or a mail program.

use std::{
    env, io,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use super::choice::Entry;
use crate::args::pick::PickArgs;

/// The schemes that open unless the user allows all. Any program may have registered others, and
/// the document may be hostile.
const SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// Browsers that need the terminal for themselves.
const IN_TERMINAL: [&str; 10] = [
    "w3m",
    "lynx",
    "links",
    "links2",
    "elinks",
    "browsh",
    "chawan",
    "cha",
    "carbonyl",
    "www-browser",
];

/// The name of the terminal that the program runs in.
pub(super) const TTY: &str = if cfg!(windows) { "CONOUT$" } else { "/dev/tty" };

/// How long a program that opens a link is waited for at the end: it fails soon, or works.
const PATIENCE: Duration = Duration::from_secs(1);

/// Opens links, and learns which of the programs failed.
pub(super) struct Opener {
    words: Vec<String>,
    any_scheme: bool,
    failed: mpsc::Receiver<String>,
    report: mpsc::Sender<String>,
    running: Arc<AtomicUsize>,
}

/// What has to run before a link is open.
pub(super) enum Opening {
    /// A program that runs on its own.
    Apart(Child),
    /// A program that wants the terminal.
    InTerminal(Command),
    /// A program that could not be started, and why.
    Failed(String),
}

impl Opener {
    pub(super) fn new(args: &PickArgs) -> Opener {
        let (report, failed) = mpsc::channel();
        let running = Arc::default();
        Opener { words: words(args), any_scheme: args.any_scheme, failed, report, running }
    }

    /// Why a program failed that was started before.
    pub(super) fn failure(&self) -> Option<String> {
        self.failed.try_recv().ok()
    }

    /// Starts what opens a link; returns why no program may.
    pub(super) fn open(&self, entry: &Entry) -> Result<Opening, String> {
        let uri = entry.open.as_deref().ok_or("it has no URI that opens")?;
        let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
        let known = SCHEMES.iter().any(|name| scheme.eq_ignore_ascii_case(name));
        // An option of the program cannot begin so, and no shell reads it.
        if !uri.bytes().all(|b| matches!(b, 33..=126)) || scheme.is_empty() {
            return Err("its URI is not one that a program takes".into());
        }
        if !known && !self.any_scheme {
            return Err(format!("{scheme}: links open only with --any-scheme"));
        }
        let (program, before) = self.words.split_first().ok_or("--open-with names no program")?;
        let mut command = Command::new(program);
        let mut placed = false;
        for word in before {
            placed |= word.contains("%s");
            command.arg(word.replace("%s", uri));
        }
        if !placed {
            command.arg(uri);
        }
        let name = Path::new(program).file_stem().unwrap_or_default();
        if IN_TERMINAL.iter().any(|browser| name == *browser) {
            return Ok(Opening::InTerminal(command));
        }
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(match quiet.spawn() {
            Ok(child) => Opening::Apart(child),
            Err(e) => Opening::Failed(self.not_started(&e)),
        })
    }

    /// Waits for a program in the terminal, which it gets even if the inputs or the output of this one
    /// are other files.
    pub(super) fn run(&self, mut command: Command) -> Result<(), String> {
        #[cfg(unix)]
        if let Ok(terminal) = std::fs::File::options().read(true).write(true).open(TTY)
            && let (Ok(input), Ok(output)) = (terminal.try_clone(), terminal.try_clone())
        {
            command.stdin(input).stdout(output).stderr(terminal);
        }
        self.ended(command.status().map_err(|e| self.not_started(&e))?)
    }

    /// Lets a program run, and learns later whether it failed.
    pub(super) fn let_run(&self, mut child: Child) {
        let (report, program) = (self.report.clone(), self.words[0].clone());
        let running = Arc::clone(&self.running);
        running.fetch_add(1, Ordering::AcqRel);
        // It may run as long as the browser does; somebody must wait for it.
        thread::spawn(move || {
            if let Some(why) = child.wait().ok().and_then(|status| failure(&program, status)) {
                let _ = report.send(why);
            }
            running.fetch_sub(1, Ordering::AcqRel);
        });
    }

    /// Waits until the programs that were started have ended, or have had the time to fail.
    pub(super) fn settle(&self) -> Result<(), String> {
        let begun = Instant::now();
        loop {
            let all_ended = self.running.load(Ordering::Acquire) == 0;
            match self.failure() {
                Some(why) => return Err(why),
                None if all_ended || begun.elapsed() > PATIENCE => return Ok(()),
                None => thread::sleep(Duration::from_millis(10)),
            }
        }
    }

    fn not_started(&self, e: &io::Error) -> String {
        let program = &self.words[0];
        match e.kind() {
            io::ErrorKind::NotFound => {
                format!("{program} is not installed; name a program with --open-with")
            }
            _ => format!("{program}: {e}"),
        }
    }

    fn ended(&self, status: ExitStatus) -> Result<(), String> {
        failure(&self.words[0], status).map_or(Ok(()), Err)
    }
}

fn failure(program: &str, status: ExitStatus) -> Option<String> {
    (!status.success()).then(|| format!("{program} failed ({status})"))
}

/// The program, and its arguments: `--open-with`, the first of `$BROWSER`, or that of the desktop.
fn words(args: &PickArgs) -> Vec<String> {
    let own = |text: &str| -> Vec<String> {
        // A program in a folder whose name has a space.
        match Path::new(text).is_file() {
            true => vec![text.to_owned()],
            false => text.split_whitespace().map(str::to_owned).collect(),
        }
    };
    if let Some(text) = &args.open_with {
        return own(text);
    }
    let browser = env::var("BROWSER").ok().filter(|_| !cfg!(windows));
    let first =
        browser.as_deref().and_then(|all| all.split(':').find(|one| !one.trim().is_empty()));
    if let Some(text) = first {
        return own(text);
    }
    let words: &[&str] = match env::consts::OS {
        "macos" => &["open"],
        "windows" => &["rundll32", "url.dll,FileProtocolHandler"],
        _ => &["xdg-open"],
    };
    words.iter().map(|word| (*word).to_owned()).collect()
}
