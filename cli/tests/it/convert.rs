//! `iriscan convert` and `check`: pipes, a full disk, hostile lines, and the help.

use std::{
    io::{Read, Write},
    process::Stdio,
    time::{Duration, Instant},
};

use crate::common::{Done, Live, command, iriscan};

// ---- Lines ----

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_utf_8_is_told() {
    use std::os::unix::ffi::OsStrExt;
    let mut command = command(["convert", "é"]);
    command.arg(std::ffi::OsStr::from_bytes(b"M\xE4rz"));
    let done = Done::of(command, b"").exits(2).writes("%C3%A9\n\n");
    done.says(&["argument 2: byte 1: not UTF-8"]);
}

// ---- A good neighbour ----

#[test]
fn a_reader_that_has_seen_enough_is_success() {
    let text = "http://e.org/é\n".repeat(100_000);
    for args in ["convert", "convert --to normal", "check", "check --json"] {
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

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_trouble() {
    for args in ["convert", "check"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = command([args, "é"]);
        command.stdout(full).stderr(Stdio::piped());
        let done = Done::from(command.output().unwrap()).exits(2);
        done.says(&["standard output", "incomplete"]);
    }
}

#[test]
fn a_line_comes_out_before_the_next_one_goes_in() {
    for (args, line, want) in [
        ("convert", "é\n", "%C3%A9\n"),
        ("convert --to text", "%C3%A9.\r\n", "é%2E\n"),
        ("check", "a\n", "a: valid\n"),
    ] {
        let mut live = Live::start(args);
        for _ in 0..3 {
            live.send(line);
            live.gives(want);
        }
        live.end().exits(0).quiet().writes("");
    }
}

#[test]
fn a_line_comes_out_when_half_of_the_next_one_is_in() {
    let mut live = Live::start("convert");
    live.send("é\nh");
    live.gives("%C3%A9\n");
    live.send("\n\nx");
    live.gives("h\n\n");
    live.end().exits(0).quiet().writes("x\n");
}

#[test]
fn a_hostile_line_of_2_mb_takes_linear_time() {
    for (args, piece) in [
        ("convert", "é"),
        ("convert --nfc always", "e\u{301}"),
        ("convert --host percent", "http://é."),
        ("convert --from uri --to iri", "%C3%A9"),
        ("convert --from uri --to iri --host unicode", "%"),
        ("convert --from leiri --to iri", " "),
        ("convert --to normal --level scheme", "a/../"),
        ("convert --to text", "("),
        ("convert --base http://h/", "../"),
    ] {
        let line = piece.repeat(2_000_000 / piece.len());
        let began = Instant::now();
        let done = iriscan(args, &line).exits(0).quiet();
        assert!(done.stdout.ends_with(b"\n"), "{args}");
        assert!(began.elapsed() < Duration::from_secs(10), "{args}: {:?}", began.elapsed());
    }
}

#[test]
fn a_host_of_2_mb_takes_linear_time() {
    for (head, piece) in [("http://", "é"), ("http://", "é."), ("http://xn--", "a9"), ("//", "a@")]
    {
        let line = [head, &*piece.repeat(2_000_000 / piece.len())].concat();
        let began = Instant::now();
        for args in ["convert", "convert --from uri --to iri --host unicode"] {
            // The host may have no ASCII form; only the time matters here.
            iriscan(args, &line);
        }
        assert!(began.elapsed() < Duration::from_secs(15), "{head}{piece}: {:?}", began.elapsed());
    }
}

// ---- Options ----

#[test]
fn help_names_every_option_and_what_goes_in_and_out() {
    let help = String::from_utf8(iriscan("convert --help", "").exits(0).quiet().stdout).unwrap();
    for word in [
        "iriscan convert [OPTIONS] [REFERENCE]...\n",
        "--from",
        "--to",
        "--host",
        "--nfc",
        "--disallowed",
        "--private",
        "--inadvisable",
        "--escapes",
        "--level",
        "--base",
        "--exact",
        "--charset",
        "--query",
        "empty line",
        "Exit status: 0, 2",
        "CRLF",
    ] {
        assert!(help.contains(word), "{word:?} should be in\n{help}");
    }
    let short = String::from_utf8(iriscan("convert -h", "").exits(0).quiet().stdout).unwrap();
    assert!(short.len() < help.len() && short.contains("Exit status"));
}
