//! A good neighbour in a pipe: huge inputs, slow ones, broken ones.

use std::{
    io::{Read, Write},
    process::Stdio,
};

use crate::common::{Done, Live, Order, command, files, iriscan, iriscan_in, wide};

// ---- Closed and full ----

#[test]
fn a_reader_that_has_seen_enough_is_success() {
    let text = "GET http://e.org/é 200\n".repeat(100_000);
    for args in ["find", "find --json", "find --unique --json", "rewrite"] {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let mut command = command(args.split_whitespace());
        command.stdin(Stdio::piped()).stdout(writer);
        command.stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(command);
        let mut stdin = child.stdin.take().unwrap();
        let done: Done = std::thread::scope(|scope| {
            let text = &text;
            scope.spawn(move || drop(stdin.write_all(text.as_bytes())));
            reader.read_exact(&mut [0; 16]).unwrap();
            drop(reader);
            child.wait_with_output().unwrap().into()
        });
        done.exits(0).quiet();
    }
}

#[test]
fn a_closed_pipe_is_quiet_success_for_help_too() {
    for args in ["--help", "--version", "find --help"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = command(args.split_whitespace());
        command.stdout(writer);
        Done::from(command.output().unwrap()).exits(0).quiet();
    }
}

#[test]
fn nobody_listening_to_messages_changes_nothing() {
    for (args, code) in [
        ("rewrite -v -", 0),
        ("rewrite", 0),
        ("find -v", 0),
        ("find missing -", 2),
        ("find --nonsense", 2),
    ] {
        let text = "http://e.org/é http://لa.com/";
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut all = command(args.split_whitespace());
        let mut child = all.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(writer).spawn();
        let child = child.as_mut().unwrap();
        let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
        let out = std::io::read_to_string(child.stdout.take().unwrap()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code), "{args}");
        assert_eq!(out.contains("http://e.org/%C3%A9"), !args.contains("nonsense"), "{args}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_trouble() {
    let dir = files(&[("a", "http://e.org/é\n".repeat(100_000).as_bytes())]);
    for args in ["find a", "find --json a", "find --count a", "rewrite a", "rewrite a a"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = command(args.split_whitespace());
        command.current_dir(dir.path()).stdout(full);
        Done::from(command.output().unwrap()).exits(2).says(&["output", "No space left", "; "]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_trouble_for_help_too() {
    for args in ["--help", "--version", "find --help"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command(args.split_whitespace()).stdout(full).output().unwrap();
        Done::from(output).exits(2).says(&["output", "No space left", "; "]);
    }
}

// ---- Broken halfway ----

/// A standard input that gives `text` and then an error.
#[cfg(target_os = "linux")]
fn broken(text: impl AsRef<[u8]>) -> std::os::fd::OwnedFd {
    let (mut ours, mut theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    // If a socket is closed with bytes unread, the other end gets an error.
    theirs.write_all(b"?").unwrap();
    ours.write_all(text.as_ref()).unwrap();
    theirs.into()
}

/// Runs `args` on [`broken`].
#[cfg(target_os = "linux")]
fn on_broken(args: &str, text: impl AsRef<[u8]>) -> Done {
    command(args.split_whitespace()).stdin(broken(text)).output().unwrap().into()
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_error_halfway_loses_nothing_that_was_read() {
    on_broken("rewrite --charset utf-8", "a é\nhttp://e.org/é")
        .exits(2)
        .says(&["iriscan: -: Connection reset", "; "])
        .writes("a é\nhttp://e.org/%C3%A9");
    on_broken("find", "http://e.org/a\nhttp://e.org/b")
        .exits(2)
        .says(&["iriscan: -: Connection reset", "; "])
        .writes("http://e.org/a\nhttp://e.org/b\n");
    let explained = on_broken("explain --json", "http://e.org/a ")
        .exits(2)
        .says(&["iriscan: -: Connection reset", "what could be read was used"]);
    assert!(String::from_utf8_lossy(&explained.stdout).contains(r#""text":"http://e.org/a""#));
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_error_halfway_does_not_stop_the_others() {
    let dir = files(&[("b", "http://e.org/é".as_bytes())]);
    let path = dir.path().join("b");
    on_broken(&format!("rewrite - {}", path.display()), "a\n")
        .exits(2)
        .says(&["iriscan: -: "])
        .writes("a\nhttp://e.org/%C3%A9");
}

#[cfg(target_os = "linux")]
#[test]
fn a_guessed_charset_is_told_after_a_read_error_too() {
    let done = on_broken("rewrite", crate::charset::RUSSIAN).exits(2);
    let lines: Vec<&str> = done.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("windows-1251")), "{lines:?}");
    assert!(done.stdout != crate::charset::RUSSIAN, "the link should be rewritten");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_not_blamed_on_an_input_that_breaks() {
    // The link is held back until the input breaks, because it could be longer.
    let text = broken("http://e.org/é");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command(["rewrite"]).stdin(text).stdout(full).output().unwrap();
    let done = Done::from(output).exits(2).mentions(&["standard output: No space left"]);
    assert!(!done.stderr.contains("-: No space"), "{}", done.stderr);
}

// ---- Slow ----

#[test]
fn what_is_settled_comes_out_before_the_input_pauses() {
    let mut live = Live::start("rewrite --charset utf-8");
    for n in 0..3 {
        live.send(format!("{n}: see http://é.example/ü now\n"));
        live.gives(format!("{n}: see http://xn--9ca.example/%C3%BC now\n"));
    }
    live.end().exits(0).quiet().writes("");

    let mut live = Live::start("find --charset utf-8");
    live.send("see http://é.example/ü now\n");
    live.gives("http://xn--9ca.example/%C3%BC\n");
    live.end().exits(0).writes("");

    let mut live = Live::start("find -0 --unique --charset utf-8");
    live.send("see http://é.example/ü now\n");
    live.gives("http://xn--9ca.example/%C3%BC\0");
    live.end().exits(0).writes("");

    let mut live = Live::start("find --json --charset utf-8");
    live.send("see http://é.example/ü now\n");
    live.takes_until(b"}\n");
    live.end().exits(0).writes("");
}

#[test]
fn half_a_line_is_settled_as_far_as_it_can_be() {
    let mut live = Live::start("rewrite --charset utf-8");
    live.send("1 é http://e.org/é");
    live.gives("1 é ");
    live.send("à");
    live.send(" 2 ");
    live.gives("http://e.org/%C3%A9%C3%A0 2 ");
    live.end().exits(0).writes("");
}

#[test]
fn ascii_passes_before_the_charset_is_known() {
    let mut live = Live::start("rewrite");
    live.send("GET http://e.org/a 200\n");
    live.gives("GET http://e.org/a 200\n");
    // From here on, at most 64 KiB are held back.
    live.send("GET http://e.org/é 200\n");
    let rest = "x".repeat(65_536);
    live.send(format!("{rest}\n"));
    live.gives(format!("GET http://e.org/%C3%A9 200\n{rest}\n"));
    live.send("http://e.org/ü\n");
    live.gives("http://e.org/%C3%BC\n");
    live.end().exits(0).quiet();

    let mut live = Live::start("find");
    live.send("GET http://e.org/a 200\n");
    live.gives("http://e.org/a\n");
    live.end().exits(0);
}

#[test]
fn wide_text_passes_line_by_line() {
    let mut live = Live::start("rewrite");
    live.send(b"\xFF\xFE");
    for _ in 0..2 {
        live.send(wide("see http://e.org/é\r\n", 2, Order::Little));
        live.takes_until(&wide("see http://e.org/%C3%A9\r\n", 2, Order::Little));
    }
    live.end().exits(0).quiet().writes("");
}

#[test]
fn a_live_input_gives_a_link_when_its_context_is_complete() {
    let mut live = Live::start("find --context 4");
    live.send("see http://a.example/ now");
    live.gives("http://a.example/\tsee http://a.example/ now\n");
    live.send(" and http://b.example/");
    live.end().exits(0);
}

#[test]
fn a_pipe_gets_readable_links_as_they_are_settled() {
    let mut live = Live::start("rewrite --to iri");
    live.send("see http://a.example/%C3%A9 now\n");
    live.takes_until("see http://a.example/é now\n".as_bytes());
    live.end().exits(0).quiet().writes("");
}

// ---- Huge ----

/// The length of the stream that shows how much memory is needed: 64 MiB, less without
/// optimisation.
#[cfg(target_os = "linux")]
fn huge() -> usize {
    match std::env::var("IRISCAN_TESTS").as_deref() {
        Ok("long") => 512 << 20,
        _ if cfg!(debug_assertions) => 16 << 20,
        _ => 64 << 20,
    }
}

/// Runs `args` on `block`, repeated `times` times, and `end`, which has no link. Returns the
/// most resident memory in KiB. With debug assertions the pages of the program do not count, because
/// nobody installs that program; `.ci/run` runs these tests optimised too.
///
/// The output must be at least as long as the input.
#[cfg(target_os = "linux")]
#[track_caller]
fn peak(args: &str, block: &[u8], times: usize, end: &[u8]) -> u64 {
    let mut live = Live::start(args);
    let mut stdin = live.stdin();
    let (len, stdin) = std::thread::scope(|scope| {
        let writer = scope.spawn(move || {
            for _ in 0..times {
                stdin.write_all(block).unwrap();
            }
            stdin.write_all(end).unwrap();
            stdin
        });
        (live.takes_until(end), writer.join().unwrap())
    });
    assert!(len >= block.len() * times + end.len(), "nothing should be lost");
    // The program is still running, and waits for more input.
    let program = if cfg!(debug_assertions) { live.memory_of_files() } else { 0 };
    let peak = live.peak() - program;
    drop(stdin);
    live.end().exits(0);
    peak
}

/// The promised limit in KiB: 8 MiB with the program. Without its pages at most 668 KiB were seen.
#[cfg(target_os = "linux")]
const BOUND: u64 = if cfg!(debug_assertions) { 1024 } else { 8 << 10 };

#[cfg(target_os = "linux")]
#[test]
fn memory_stays_below_8_mib_however_long_the_stream() {
    let line = format!("{} http://é.example/ü {}\n", "text ".repeat(300), "é".repeat(100));
    let end = "\nthe end\n";
    let times = huge() / line.len();
    for (args, times) in [
        ("rewrite", times),
        ("rewrite --charset utf-8", times / 4),
        ("rewrite --charset shift_jis", times / 8),
        ("rewrite --charset iso-2022-jp", times / 8),
    ] {
        let kib = peak(args, line.as_bytes(), times, end.as_bytes());
        assert!(kib < BOUND, "{args}: {kib} KiB");
    }
    let [line, end] = [&*line, end].map(|text| wide(text, 2, Order::Little));
    let kib = peak("rewrite", &line, times / 8, &end);
    assert!(kib < BOUND, "UTF-16: {kib} KiB");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_stays_below_8_mib_however_long_the_line() {
    for block in ["x", "é", "http:", "\0"] {
        let block = block.repeat(1 << 10);
        let kib = peak("rewrite", block.as_bytes(), (8 << 20) / block.len(), b"\nthe end\n");
        assert!(kib < BOUND, "{block:.8}: {kib} KiB");
    }
}

#[test]
fn a_link_of_10_mb_is_text_and_passes() {
    let text = format!("see http://e.org/{} http://e.org/ü\n", "ä".repeat(5_000_000));
    let told = ["-: 1 link is longer than 65536 bytes and stays text"];
    let done = iriscan("rewrite", &text).exits(0).says(&told);
    assert!(done.stdout == text.replace('ü', "%C3%BC").as_bytes());
    iriscan("find", &text).exits(0).says(&told).writes("http://e.org/%C3%BC\n");
}

#[test]
fn eight_mb_without_a_line_end_pass() {
    let text = format!("{}http://e.org/é", "日本 x".repeat(1_000_000));
    let done = iriscan("rewrite", &text).exits(0).quiet();
    assert!(done.stdout == text.replace('é', "%C3%A9").as_bytes());
    iriscan("find", &text).exits(0).quiet().writes("http://e.org/%C3%A9\n");
}

// ---- Lines that come slowly ----

/// A line in a charset that is not told, in each format that has lines. In others the next line says what this one is,
/// and they hold at least its end.
const LINES: [(&str, &str, &str); 13] = [
    ("text", "x http://a.example/é y\n", "x http://a.example/%C3%A9 y\n"),
    ("log", "\"GET http://a.example/é\" 200\n", "\"GET http://a.example/%C3%A9\" 200\n"),
    ("json", "{\"u\": \"http://a.example/é\"}\n", "{\"u\": \"http://a.example/%C3%A9\"}\n"),
    ("csv", "1,http://a.example/é,2\n", "1,http://a.example/%C3%A9,2\n"),
    ("tsv", "1\thttp://a.example/é\t2\n", "1\thttp://a.example/%C3%A9\t2\n"),
    ("turtle", "# http://a.example/é .\n", "# http://a.example/%C3%A9 .\n"),
    ("source", "# http://a.example/é .\n", "# http://a.example/%C3%A9 .\n"),
    ("c", "f(\"http://a.example/é\");\n", "f(\"http://a.example/%C3%A9\");\n"),
    ("python", "f(\"http://a.example/é\")\n", "f(\"http://a.example/%C3%A9\")\n"),
    ("java", "f(\"http://a.example/é\");\n", "f(\"http://a.example/%C3%A9\");\n"),
    ("defanged", "x http://a.example/é y\n", "x http://a.example/%C3%A9 y\n"),
    ("bbcode", "x [url]http://a.example/é[/url] y\n", "x [url]http://a.example/%C3%A9[/url] y\n"),
    ("po", "# http://a.example/é y\n", "# http://a.example/%C3%A9 y\n"),
];

#[test]
fn each_line_is_written_when_it_ends() {
    for (format, line, written) in LINES {
        let mut live = Live::start(&format!("rewrite --line-buffered --format {format}"));
        for _ in 0..3 {
            live.send(line);
            live.gives(written);
        }
        live.end().exits(0).writes("");
    }
    let mut live = Live::start("find --line-buffered");
    live.send("x http://a.example/é y\n");
    live.gives("http://a.example/%C3%A9\n");
    live.end().exits(0).writes("");
}

/// C3 A9 is a letter of UTF-8, and two of windows-1252: the first line that has it decides, whatever comes with it.
#[test]
fn what_a_line_decides_does_not_depend_on_when_it_comes() {
    let bytes = b"a\nhttp://a.example/\xC3\xA9\nb \xE9 http://b.example/\xE9\n";
    let at_once = iriscan("rewrite --line-buffered", bytes).exits(0).stdout;
    let mut live = Live::start("rewrite --line-buffered");
    for byte in bytes {
        live.send([*byte]);
    }
    live.gives(&at_once);
    live.end().exits(0).writes("");
    let dir = files(&[("a", bytes)]);
    iriscan_in(dir.path(), "rewrite --line-buffered a", "").exits(0).writes(&at_once);
}

#[test]
fn who_waits_is_told_why_after_a_second() {
    let mut live = Live::start("rewrite");
    live.send("x http://a.example/é y\n");
    std::thread::sleep(std::time::Duration::from_millis(2500));
    live.end().exits(0).says(&["--line-buffered", "--charset utf-8"]);
}
