//! The progress line on standard error, on a terminal.
#![cfg(target_os = "linux")]

use std::{
    fs::OpenOptions,
    io::{Read, Write},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use crate::common::{PATIENCE, iriscan};

/// Runs `iriscan ARGS < pipe` with standard error on a terminal, and its standard
/// output in the file `out`, or on the terminal; `None` without util-linux.
fn start(dir: &tempfile::TempDir, args: &str, out: &str) -> Option<Child> {
    let made = Command::new("mkfifo").arg(dir.path().join("pipe")).status().ok()?;
    assert!(made.success());
    let mut script = Command::new("script");
    let line = format!("{} {args} < pipe {out}", env!("CARGO_BIN_EXE_iriscan"));
    script.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(dir.path());
    script.env("TERM", "xterm").env("NO_COLOR", "1").stdin(Stdio::null()).stdout(Stdio::piped());
    script.spawn().ok()
}

#[test]
fn long_work_shows_a_line_and_takes_it_away() {
    let dir = tempfile::tempdir().unwrap();
    let Some(mut child) = start(&dir, "rewrite -v", "> out") else { return };
    let mut pipe = OpenOptions::new().write(true).open(dir.path().join("pipe")).unwrap();
    pipe.write_all("http://e.org/é and more\n".as_bytes()).unwrap();
    let mut terminal = child.stdout.take().unwrap();
    let mut seen = Vec::new();
    let begun = std::time::Instant::now();
    while !String::from_utf8_lossy(&seen).contains("25 B, ") {
        let mut byte = [0];
        assert!(begun.elapsed() < PATIENCE && terminal.read(&mut byte).unwrap() == 1, "{seen:?}");
        seen.push(byte[0]);
    }
    pipe.write_all(b"the end").unwrap();
    drop(pipe);
    let mut rest = String::new();
    terminal.read_to_string(&mut rest).unwrap();
    assert!(child.wait().unwrap().success());
    // The line is removed before a message is written, and does not come back.
    assert!(rest.contains("\r\x1b[Kiriscan: -: "), "{rest:?}");
    assert!(rest.contains("iriscan: -: charset UTF-8"), "{rest:?}");
    assert!(rest.ends_with("by its name\r\n") || rest.ends_with("extension\r\n"), "{rest:?}");
    let out = std::fs::read_to_string(dir.path().join("out")).unwrap();
    assert_eq!(out, "http://e.org/%C3%A9 and more\nthe end");
}

/// Pieces of a file overlap, or are scanned again where it cannot be cut; a file in place is
/// read twice. The work waits for the rest of a list meanwhile.
#[test]
fn each_byte_and_each_file_counts_once() {
    let solid = "http://a.example/x,".repeat(200_000);
    let lines = "see http://a.example/x and more\n".repeat(100_000);
    for (args, text, read) in [
        ("find -j4", &solid, "3.6 MiB, "),
        ("find -j4", &lines, "3.1 MiB, "),
        ("rewrite -i -j1", &format!("{lines}http://e.org/é"), "3.1 MiB, "),
        ("rewrite -i -j2", &format!("{lines}http://e.org/é"), "3.1 MiB, "),
    ] {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a"), text).unwrap();
        let args = format!("{args} --files-from -");
        let Some(mut child) = start(&dir, &args, "> out") else { return };
        let mut pipe = OpenOptions::new().write(true).open(dir.path().join("pipe")).unwrap();
        pipe.write_all(b"a\n").unwrap();
        let mut terminal = child.stdout.take().unwrap();
        let (mut seen, mut last) = (Vec::new(), String::new());
        let begun = std::time::Instant::now();
        // Two equal lines: nothing more is being read.
        loop {
            let mut byte = [0];
            assert!(begun.elapsed() < PATIENCE && terminal.read(&mut byte).unwrap() == 1);
            seen.push(byte[0]);
            if seen.ends_with(b"\x1b[K") {
                let line = String::from_utf8(std::mem::take(&mut seen)).unwrap();
                let now = line.trim_matches('\r').split(", ").next().unwrap().to_owned() + ", ";
                assert!(!line.contains("files"), "{line}");
                if now == last {
                    break;
                }
                last = now;
            }
        }
        assert_eq!(last, read, "{args}");
        drop(pipe);
        terminal.read_to_end(&mut seen).unwrap();
        child.wait().unwrap();
    }
}

/// The files of folders and of a list are counted while they are read; what is left out does not count.
#[test]
fn the_line_has_the_total_of_folders_and_lists() {
    // Of the binary file 8 KiB are read.
    for (args, all) in
        [("find d", " KiB of 711 KiB, "), ("find --files-from list", " KiB of 703 KiB, ")]
    {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("d")).unwrap();
        for name in ["d/a", "d/b"] {
            std::fs::write(dir.path().join(name), "http://a.example/\n".repeat(20_000)).unwrap();
        }
        std::fs::write(dir.path().join("d/0"), [0; 90_000]).unwrap();
        std::fs::write(dir.path().join("list"), "d/a\nd/b\n").unwrap();
        let mut script = Command::new("script");
        // The results wait until somebody reads them.
        let line = format!("{} {args} -j1 | (sleep 4; cat > out)", env!("CARGO_BIN_EXE_iriscan"));
        script.args(["-q", "-c", &line, "/dev/null"]).current_dir(dir.path());
        script.env("TERM", "xterm").env("NO_COLOR", "1").stdin(Stdio::null());
        let Ok(output) = script.output() else { return };
        let seen = String::from_utf8_lossy(&output.stdout);
        assert!(seen.contains(all) && seen.contains(", file "), "{args}: {seen:?}");
    }
}

/// The program says that it reads what is typed: otherwise the user and the program would wait
/// for each other.
#[test]
fn that_a_terminal_is_read_is_said() {
    let hint = "iriscan: reading from this terminal; Ctrl-D ends it";
    for (args, said) in [
        ("find", true),
        ("find --field a", true),
        ("rewrite --check", true),
        ("convert", true),
        ("check", true),
        ("find -", false),
        ("convert http://e.org/", false),
        ("find --files-from /dev/null", false),
        ("find 2> said", false),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let mut script = Command::new("script");
        let line = format!("{} {args}", env!("CARGO_BIN_EXE_iriscan"));
        script.args(["-q", "-c", &line, "/dev/null"]).current_dir(dir.path());
        // The input of `script` ends, and so the typed input ends.
        script.stdin(Stdio::null());
        let Ok(output) = script.output() else { return };
        let terminal = String::from_utf8_lossy(&output.stdout);
        assert_eq!(terminal.contains(hint), said, "{args}: {terminal}");
        let said = std::fs::read_to_string(dir.path().join("said")).unwrap_or_default();
        assert_eq!(said, "");
    }
    // No message if standard input is a pipe.
    iriscan("convert", "a").exits(0).quiet();
}

#[test]
fn nothing_is_shown_where_it_is_not_wanted_or_would_be_in_the_way() {
    // The line would disturb output on the same terminal.
    for (args, out) in [("rewrite --no-progress", "> out"), ("rewrite", "")] {
        let dir = tempfile::tempdir().unwrap();
        let Some(child) = start(&dir, args, out) else { return };
        let pipe = OpenOptions::new().write(true).open(dir.path().join("pipe")).unwrap();
        // Waits twice as long as the line would take to appear.
        thread::sleep(Duration::from_secs(2));
        drop(pipe);
        let output = child.wait_with_output().unwrap();
        assert!(output.stdout.is_empty(), "{output:?}");
    }
    // Without a terminal there is no line, in any test.
    iriscan("find --no-progress", "http://e.org/").exits(0).quiet().writes("http://e.org/\n");
}
