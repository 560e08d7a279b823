//! `--color`: links in their lines, in colour.

#[cfg(target_os = "linux")]
use std::{path::Path, process::Command};

use unicode_width::UnicodeWidthStr;

use crate::common::{Done, Order, command, files, iriscan, iriscan_in, wide};

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
fn a_link_is_shown_in_its_line_with_its_uri() {
    let text = "eins\nsiehe „https://例え.jp/道“, und mehr\n";
    assert_eq!(
        shown(80, "", text.as_bytes()),
        "\x1b[38;5;133m-\x1b[0m:\x1b[38;5;64m2\x1b[0m: siehe „\
         \x1b]8;;https://xn--r8jz45g.jp/%E9%81%93\x1b\\\
         \x1b[38;5;31;4mhttps://\x1b[1m例え.jp\x1b[22m/道\x1b[0m\x1b]8;;\x1b\\\
         \x1b[2m“,\x1b[0m und mehr\n    \
         \x1b[2m→\x1b[0m https://xn--r8jz45g.jp/%E9%81%93\n"
    );
}

#[test]
fn an_ascii_link_has_no_second_line_and_warnings_have_words() {
    let text = bare(&shown(80, "", b"a http://e.org/b. c"));
    assert_eq!(text, "-:1: a http://e.org/b. c\n");
    let text = bare(&shown(80, "", b"http://u@e.org/"));
    assert_eq!(text, "-:1: http://u@e.org/\n    userinfo: a user name stands before the host\n");
    let text = bare(&shown(80, "--charset utf-8", "http://لa.com/".as_bytes()));
    assert!(text.contains("\n    no URI form: host"), "{text}");
    // There is nothing that a browser could open, so there is no hyperlink.
    assert!(!shown(80, "--charset utf-8", "http://لa.com/".as_bytes()).contains("\x1b]8"));
}

#[test]
fn inputs_and_lines_are_named_in_any_charset() {
    let dir = files(&[
        ("a", b"one\r\ntwo\rthree http://e.org/a\n\nhttp://e.org/b" as &[u8]),
        ("b", &wide("x\n日本 http://e.org/道 語", 2, Order::Little)),
        (
            "c",
            b"\x1B$BF|K\\\x1B(B\n\x1B$BF|K\\\x1B(B http://e.org/\x1B$BF|\x1B(B \x1B$BK\\\x1B(B\n",
        ),
        ("d.html", "<p>\n<a href='/é'>".as_bytes()),
    ]);
    let done = iriscan_in(dir.path(), "find --color=always a b c d.html missing", "").exits(2);
    let text = bare(&String::from_utf8(done.stdout).unwrap());
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(
        lines,
        [
            "a:3: three http://e.org/a",
            "a:5: http://e.org/b",
            "b:2: 日本 http://e.org/道 語",
            "c:2: 日本 http://e.org/日 本",
            "d.html:2: <a href='/é'>",
        ]
    );
}

#[test]
fn lines_have_no_name_of_their_input_where_none_is_wanted() {
    let dir = files(&[("a", b"x\nsee http://e.org/a" as &[u8]), ("b", b"http://e.org/b")]);
    let done = iriscan_in(dir.path(), "find --color=always -I a b", "").exits(0);
    let text = String::from_utf8(done.stdout).unwrap();
    assert_eq!(bare(&text), "2: see http://e.org/a\n1: http://e.org/b\n");
    assert!(!text.contains(":\x1b[3"), "{text:?}");
    let done = iriscan_in(dir.path(), "find --color=always -IH a", "").exits(0);
    assert_eq!(bare(&String::from_utf8(done.stdout).unwrap()), "a:2: see http://e.org/a\n");
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

/// A link is shown in its readable form, with its host in ASCII where it would deceive.
#[test]
fn a_link_is_shown_as_people_read_it() {
    for (input, link, uri) in [
        // (input, the link as it is shown, the URI in the next line)
        (
            "http://xn--bcher-kva.example/%C3%BC",
            "http://bücher.example/ü",
            "http://xn--bcher-kva.example/%C3%BC",
        ),
        ("http://раураl.com/é", "http://xn--l-7sba6dbr.com/é", "http://xn--l-7sba6dbr.com/%C3%A9"),
        ("http://аррӏе.com/", "http://xn--80ak6aa92e.com/", ""),
        ("http://paypаl.com/", "http://xn--paypl-7ve.com/", ""),
        ("http://оса.рф/", "http://оса.рф/", "http://xn--80a1aj.xn--p1ai/"),
        ("http://例え.jp/%E9%81%93", "http://例え.jp/道", "http://xn--r8jz45g.jp/%E9%81%93"),
        ("<http://e.org/a\n b>", "http://e.org/ab", ""),
    ] {
        let text = bare(&shown(80, "", format!("see {input}.").as_bytes()));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("-:1: see ") && lines[0].contains(link), "{text}");
        let named = lines.iter().find_map(|line| line.strip_prefix("    → "));
        assert_eq!(named.unwrap_or_default(), uri, "{text}");
    }
    // Escapes of the format are undone.
    let html = "<a href='http&#58;//e.org/&eacute;'>x</a>";
    let text = bare(&shown(80, "--format html", html.as_bytes()));
    assert_eq!(text, "-:1: <a href='http://e.org/é'>x</a>\n    → http://e.org/%C3%A9\n");
}

/// The end of a host says who owns it.
#[test]
fn the_host_is_never_cut() {
    let long = format!("http://{}.evil.example/x", "bank.example.".repeat(8).trim_end_matches('.'));
    for width in [20, 40, 80] {
        let text = shown(width, "", long.as_bytes());
        let host = text.split("\x1b[1m").nth(1).unwrap().split("\x1b[22m").next().unwrap();
        assert_eq!(host, &long[7..long.len() - 2]);
    }
    let user = format!(
        "http://{}@evil.example/{}",
        "bank.example/".replace('/', "").repeat(9),
        "x".repeat(90)
    );
    for width in [20, 30, 80] {
        let text = bare(&shown(width, "", user.as_bytes()));
        let line = text.lines().next().unwrap();
        assert!(line.width() <= width && line.contains("evil.example"), "{text}");
    }
}

#[test]
fn what_is_inside_a_wrapper_is_named() {
    let wrapper =
        "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fxn--80ak6aa92e.com%2Fx";
    let text = shown(80, "--unwrap", wrapper.as_bytes());
    assert!(text.contains("\x1b]8;;https://xn--80ak6aa92e.com/x\x1b\\"), "{text:?}");
    let text = bare(&text);
    assert!(text.contains("\n    opens what is inside: https://xn--80ak6aa92e.com/x\n"), "{text}");
    assert!(!bare(&shown(80, "", wrapper.as_bytes())).contains("inside"));
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
fn hyperlinks_are_ascii_short_and_of_schemes_that_are_safe_to_open() {
    let long = format!("http://e.org/{}", "x".repeat(2000));
    for (text, is_link) in [
        ("http://e.org/é", true),
        ("ftp://e.org/", true),
        ("mailto:a@e.org", true),
        ("ms-msdt://e.org/", false),
        ("file://e.org/x", false),
        (&*long, false),
    ] {
        let text = shown(80, "--schemes any,mailto", text.as_bytes());
        assert_eq!(text.contains("\x1b]8;;"), is_link, "{text:?}");
        for uri in text.split("\x1b]8;;").skip(1) {
            let uri = uri.split("\x1b\\").next().unwrap();
            assert!(uri.bytes().all(|b| matches!(b, 33..=126)), "{uri}");
        }
    }
    let keep = shown(80, "--host keep", "http://é.example/".as_bytes());
    assert!(!keep.contains("\x1b]8"), "{keep:?}");
}

#[test]
fn right_to_left_text_is_isolated() {
    let text = bare(&shown(120, "", "שלום http://דוגמה.example/ה. abc".as_bytes()));
    assert!(
        text.contains("1: \u{2068}שלום\u{2069} \u{2066}http://דוגמה.example/ה\u{2069}."),
        "{text}"
    );
    // A link that begins with a right-to-left letter is laid out as all links are.
    let text = bare(&shown(120, "--kinds bare", "see דוגמה.example.com/a".as_bytes()));
    assert!(text.contains("see \u{2066}דוגמה.example.com/a\u{2069}"), "{text}");
    let text = bare(&shown(80, "", "ä http://e.org/".as_bytes()));
    assert!(!text.contains(['\u{2066}', '\u{2068}']), "{text}");
}

#[test]
fn unique_shows_the_first_of_each_and_mail_its_part() {
    let text = bare(&shown(80, "--unique", b"http://e.org/ a http://e.org/ b\nhttp://e.org/"));
    assert_eq!(text, "-:1: http://e.org/ a http://e.org/ b\n");
    let mail = "Subject: http://e.org/s\n\nhttp://e.org/é\n";
    let text = bare(&shown(80, "--format mail", mail.as_bytes()));
    assert_eq!(
        text,
        "-:1: (Subject) http://e.org/s\n-:3: (part 1) http://e.org/é\n    → http://e.org/%C3%A9\n"
    );
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

#[test]
fn a_diff_is_painted_and_escaped() {
    let text = "a\x1b[31m\n-- http://e.org/é\r\nb\n";
    let dir = files(&[("x", text.as_bytes())]);
    iriscan_in(dir.path(), "rewrite --diff --color always x", "").exits(0).writes(
        "\x1b[1m--- x\x1b[0m\n\x1b[1m+++ x\x1b[0m\n\x1b[38;5;31m@@ -1,3 +1,3 @@\x1b[0m\n \
         a\\u{1b}[31m\n\x1b[38;5;167m--- http://e.org/é\x1b[0m\r\n\
         \x1b[38;5;64m+-- http://e.org/%C3%A9\x1b[0m\r\n b\n",
    );
    let mail = "\nhttp://e.org/é\n";
    let done = iriscan("rewrite --diff --color always --format mail", mail).exits(0);
    let painted = String::from_utf8(done.stdout).unwrap();
    assert!(painted.contains("\x1b[38;5;64m+http://e.org/%C3%A9\x1b[0m\n"), "{painted:?}");
    assert_eq!(bare(&painted).as_bytes(), iriscan("rewrite --diff --format mail", mail).stdout);
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

#[test]
fn an_unknown_time_is_answered_with_the_known_ones() {
    for command in ["find", "rewrite"] {
        let done = iriscan(&format!("{command} --color allways"), "").exits(2).writes("");
        done.mentions(&["'allways'", "always"]);
    }
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
