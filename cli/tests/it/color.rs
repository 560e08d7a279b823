//! `--color`: terminals, widths, and what is never painted.

#[cfg(target_os = "linux")]
use std::{path::Path, process::Command};

use unicode_width::UnicodeWidthStr;

use crate::common::{Done, command, files, iriscan};

/// Runs `iriscan` with these arguments, on a screen of this width.
fn on_screen(width: usize, args: &str, input: &[u8]) -> Done {
    let mut command = command(args.split_whitespace());
    command.env("COLUMNS", width.to_string());
    Done::of(command, input)
}

#[track_caller]
fn shown(width: usize, args: &str, input: &[u8]) -> String {
    let done = on_screen(width, &format!("find --color always {args}"), input).exits(0);
    String::from_utf8(done.stdout).unwrap()
}

/// The text without colours and hyperlinks.
fn bare(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\x1b') {
        out += before;
        let end = if behind.starts_with(']') { "\x1b\\" } else { "m" };
        rest = behind.split_once(end).unwrap().1;
    }
    out + rest
}

#[test]
fn lines_are_cut_to_the_screen_also_in_east_asian_text() {
    let (wide, link) = ("日本語の文".repeat(30), "http://e.org/a");
    for text in [
        format!("{wide} {link} {wide}"),
        format!("{link} {wide}"),
        format!("{wide} {link}"),
        format!("{} {link} {}", "e\u{301}a".repeat(200), "abc ".repeat(2000)),
    ] {
        for width in [20, 41, 80, 81, 200] {
            let line = bare(&shown(width, "", text.as_bytes()));
            let line = line.strip_suffix('\n').unwrap();
            let columns = line.width();
            assert!(line.contains(link) && columns <= width && columns + 3 >= width, "{line}");
        }
    }
    // What is cut of a link is in the line of its URI.
    let long = format!("http://e.org/{}", "x".repeat(100));
    let cut = format!("-:1: http://e.org/{}…", "x".repeat(21));
    assert_eq!(bare(&shown(40, "", long.as_bytes())), format!("{cut}\n    → {long}\n"));
}

#[test]
fn what_could_command_a_terminal_is_escaped() {
    let hostile = "a\x1b]0;owned\x07 \u{202E}b\u{9B}31m\thttp://e.org/x\u{2066}\r\
                   \x1b[2Jhttp://u@e.org/\u{7f} http://e.org/%1b]8;;\n";
    let text = shown(500, "--charset utf-8", hostile.as_bytes());
    let bare = bare(&text);
    let dangerous = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202A}'..='\u{202E}');
    assert!(!bare.contains(dangerous), "{bare:?}");
    assert!(bare.contains("a\\u{1b}]0;owned\\u{7} \\u{202e}b\\u{9b}31m http://e.org/x"), "{bare}");
    // The same for the name of an input.
    let dir = files(&[("a", b"http://e.org/")]);
    let name = "x\x1b[31m";
    if std::fs::rename(dir.path().join("a"), dir.path().join(name)).is_ok() {
        let mut find = command(["find", "--color=always", name]);
        find.current_dir(dir.path());
        let done = Done::of(find, b"").exits(0);
        assert!(String::from_utf8(done.stdout).unwrap().contains("x\\u{1b}[31m"));
    }
}

#[test]
fn what_programs_read_is_never_dressed_up() {
    let text = "a http://e.org/é http://e.org/b";
    for args in ["--json", "-0", "--iri", "--count", "--count --unique"] {
        let plain = iriscan(&format!("find {args}"), text).exits(0).stdout;
        iriscan(&format!("find --color always {args}"), text).exits(0).writes(plain);
    }
    let plain = iriscan("find", text).exits(0).stdout;
    for when in ["auto", "never"] {
        iriscan(&format!("find --color {when}"), text).exits(0).writes(&plain);
    }
}

#[test]
fn memory_does_not_grow_with_a_line() {
    let line = format!("{}http://e.org/{}", "日本 ".repeat(1 << 20), " x".repeat(1 << 20));
    let text = bare(&shown(60, "", line.as_bytes()));
    assert!(text.trim_end().width() <= 60 && text.contains(" http://e.org/ x"), "{text}");
    let links = "http://e.org/ ".repeat(20_000);
    assert_eq!(shown(60, "", links.as_bytes()).lines().count(), 20_000);
}

/// The output of `iriscan` with `args` on a terminal.
#[cfg(target_os = "linux")]
fn on_terminal(dir: &Path, args: &str, env: &[(&str, &str)]) -> Option<String> {
    let mut script = Command::new("script");
    let line = format!("{} {args}", env!("CARGO_BIN_EXE_iriscan"));
    script.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(dir);
    script.env_remove("NO_COLOR").env("TERM", "xterm").env("COLUMNS", "80");
    script.envs(env.iter().copied());
    script.stdin(std::process::Stdio::null());
    let output = script.output().ok()?;
    Some(String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n"))
}

#[cfg(target_os = "linux")]
#[test]
fn auto_is_colour_on_a_terminal_that_has_it() {
    let dir = files(&[("a", "see http://e.org/é\n".as_bytes())]);
    let run = |args, env: &[_]| on_terminal(dir.path(), args, env);
    // util-linux may not be installed.
    let Some(text) = run("find a", &[]) else { return };
    assert!(text.contains("\x1b[38;5;31;4m"), "{text:?}");
    assert_eq!(bare(&text), "a:1: see http://e.org/é\n    → http://e.org/%C3%A9\n");
    let plain = Some("http://e.org/%C3%A9\n".to_owned());
    assert_eq!(run("find a", &[("NO_COLOR", "1")]), plain);
    assert_eq!(run("find a", &[("TERM", "dumb")]), plain);
    assert_eq!(run("find --color never a", &[]), plain);
    assert_eq!(run("find --iri a", &[]).unwrap(), "http://e.org/é\n");
    assert!(run("find a", &[("NO_COLOR", "")]).unwrap().contains("\x1b[38;5;31;4m"));
    assert!(run("rewrite --diff a", &[]).unwrap().contains("\x1b[38;5;167m-see"));
    assert!(!run("rewrite --diff a", &[("NO_COLOR", "1")]).unwrap().contains('\x1b'));
    assert_eq!(run("rewrite a", &[]).unwrap(), "see http://e.org/%C3%A9\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_no_control_characters_of_names() {
    let dir = files(&[("a\x1b[31m", b"http://e.org/"), ("b\u{202e}", b"http://e.org/")]);
    let Some(text) = on_terminal(dir.path(), "find --count .", &[]) else { return };
    assert_eq!(text, "./a\\u{1b}[31m:1\n./b\\u{202e}:1\n");
    let text = on_terminal(dir.path(), "find --color never .", &[]).unwrap();
    assert!(text.starts_with("./a\\u{1b}[31m:http://e.org/\n"), "{text:?}");
    let text = on_terminal(dir.path(), "find -0 .", &[]).unwrap();
    assert!(text.starts_with("./a\x1b[31m:http://e.org/\0"), "{text:?}");
}
