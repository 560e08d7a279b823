//! `iriscan convert`: its output, line by line.

use std::{
    io::{Read, Write},
    process::Stdio,
    time::{Duration, Instant},
};

use crate::common::{Done, Live, Order, command, iriscan, wide};

/// Runs `iriscan convert` with the words of `args` on one line.
fn convert(args: &str, line: &str) -> Done {
    iriscan(&format!("convert {args}"), format!("{line}\n"))
}

/// Asserts the result of each line with `args`.
#[track_caller]
fn gives<'t>(args: &str, cases: impl IntoIterator<Item = (&'t str, &'t str)>) {
    let (mut input, mut expected) = (String::new(), String::new());
    for (line, want) in cases {
        input += &format!("{line}\n");
        expected += &format!("{want}\n");
    }
    iriscan(&format!("convert {args}"), input).quiet().exits(0).writes(expected);
}

// ---- Lines ----

#[test]
fn one_line_comes_out_per_line_that_goes_in() {
    for (input, output) in [
        ("", ""),
        ("\n", "\n"),
        ("\n\n", "\n\n"),
        ("\r\n", "\n"),
        ("é", "%C3%A9\n"),
        ("é\n", "%C3%A9\n"),
        ("é\r\nb\r\n", "%C3%A9\nb\n"),
        ("a\n\né", "a\n\n%C3%A9\n"),
        ("a\r", "a\n"),
        ("a\r\r\n", "a\n"),
        ("a\rb\n", "a%0Db\n"),
        ("\n\nx", "\n\nx\n"),
    ] {
        iriscan("convert", input).exits(0).quiet().writes(output);
    }
}

#[test]
fn what_stands_around_a_reference_is_not_part_of_it() {
    // A reference between bidi marks that show it from left to right.
    let mut command = command(["convert", "\u{202A}http://a.example/א\u{202C}", " a b\t"]);
    command.args(["\u{2066}\u{A0}\u{2069}", " \u{200F}"]);
    let done = Done::of(command, b"").exits(0).quiet();
    done.writes("http://a.example/%D7%90\na%20b\n%C2%A0\n\n");
    for args in ["", "--from uri", "--from uri --to iri", "--to iri", "--to text", "--to normal"] {
        for around in [" ", "\t \x0C", "\r", "\u{61C}", "\u{200E} \u{2068}", "\u{202E}\u{2069}"] {
            let line = format!("{around}http://h/a{around}");
            gives(args, [(&*line, "http://h/a"), (around, "")]);
        }
    }
    gives("--base http://h/b", [(" c ", "http://h/c")]);
    let based = |exact: &[&str]| {
        let args = ["convert", "--base", "\u{202A} http://h/b/\u{202C}\n", "c"];
        let mut command = crate::common::command(args);
        command.args(exact);
        Done::of(command, b"")
    };
    based(&[]).exits(0).quiet().writes("http://h/b/c\n");
    based(&["--exact"]).exits(2).says(&["--base", "bidi formatting character", "at the start"]);
    gives("--exact", [(" a\t", "%20a%09"), ("\u{202A}a", "%E2%80%AAa")]);
    gives("--from leiri", [(" a\t", "%20a%09"), ("\u{202A}a", "%E2%80%AAa")]);
}

#[test]
fn references_on_the_command_line_are_taken_instead_of_lines() {
    let done = Done::of(command(["convert", "http://é.de/", "", "a b"]), b"not\nread\n");
    done.exits(0).quiet().writes("http://xn--9ca.de/\n\na%20b\n");
    let done = Done::of(command(["convert", "--to", "iri", "--", "-é"]), b"");
    done.exits(0).quiet().writes("-é\n");
}

#[test]
fn what_stands_on_the_command_line_is_text_whatever_the_charset() {
    let mut command = command(["convert", "--charset", "koi8-r"]);
    command.args(["http://h/мир?мир", "http://h/e\u{301}"]);
    let done = Done::of(command, b"").exits(0).quiet();
    done.writes("http://h/%D0%BC%D0%B8%D1%80?%CD%C9%D2\nhttp://h/%C3%A9\n");
}

#[test]
fn a_line_that_cannot_be_converted_is_empty_and_the_rest_goes_on() {
    let done = iriscan("convert", "http://é.de/\nhttp://لa.com/å\né\nhttp://\u{AD}/\n\n").exits(2);
    let done = done.writes("http://xn--9ca.de/\n\n%C3%A9\n\n\n");
    let lines: Vec<&str> = done.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[0].starts_with("iriscan: line 2: host \"لa.com\" has no ASCII form"),
        "{lines:?}"
    );
    assert!(lines[1].starts_with("iriscan: line 4: host "), "{lines:?}");

    let mut command = command(["convert", "--disallowed", "fail", "a b", "ü", "%"]);
    command.arg("é");
    let done = Done::of(command, b"").exits(2).writes("\n%C3%BC\n\n%C3%A9\n");
    let lines: Vec<&str> = done.stderr.lines().collect();
    assert!(lines[0].starts_with("iriscan: argument 1: byte 1: "), "{lines:?}");
    assert!(lines[1].starts_with("iriscan: argument 3: byte 0: "), "{lines:?}");
}

#[test]
fn a_host_that_the_dns_cannot_hold_is_converted_and_told() {
    let long = "é".repeat(64);
    for (host, ascii) in [("é..example", "xn--9ca..example"), ("a..b", "a..b"), (&*long, "xn--")] {
        let done = convert("", &format!("http://{host}/")).exits(0);
        assert!(done.stdout.starts_with(format!("http://{ascii}").as_bytes()), "{done:?}");
        done.says(&["iriscan: line 1: dns-length: ", "63", "; check the host"]);
    }
    gives("", [("http://é.example./", "http://xn--9ca.example./"), ("a:é..b", "a:%C3%A9..b")]);
    gives("--to iri", [("http://é..example/", "http://é..example/")]);
}

#[test]
fn a_line_that_is_not_of_its_charset_is_told() {
    iriscan("convert", b"a\nM\xE4rz\nb\n")
        .exits(2)
        .writes("a\n\nb\n")
        .says(&["line 2: byte 1: not UTF-8", "--charset"]);
    iriscan("convert --charset shift_jis", b"\x95\n\x95\\\n")
        .exits(2)
        .writes("\n%E8%A1%A8\n")
        .says(&["line 1: ", "malformed in Shift_JIS"]);
    iriscan("convert --charset utf-16le", b"a\0\n\0\x00\xD8\n\0b\0\n\0c")
        .exits(2)
        .writes("a\n\nb\n\n")
        .mentions(&["line 2: ", "line 4: ", "malformed in UTF-16LE"]);
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_utf_8_is_told() {
    use std::os::unix::ffi::OsStrExt;
    let mut command = command(["convert", "é"]);
    command.arg(std::ffi::OsStr::from_bytes(b"M\xE4rz"));
    let done = Done::of(command, b"").exits(2).writes("%C3%A9\n\n");
    done.says(&["argument 2: byte 1: not UTF-8"]);
}

// ---- From and to ----

#[test]
fn an_iri_becomes_a_uri_by_its_components() {
    gives(
        "",
        [
            (
                "http://résumé.example.org/é?é#é",
                "http://xn--rsum-bpad.example.org/%C3%A9?%C3%A9#%C3%A9",
            ),
            ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
            ("foo://é/", "foo://%C3%A9/"),
            ("HTTP://H:80/%7e%c3?a[b]", "HTTP://H:80/%7e%c3?a[b]"),
            ("http://h/%zz %", "http://h/%zz%20%"),
            ("a<>\"{}|\\^`", "a%3C%3E%22%7B%7D%7C%5C%5E%60"),
            ("", ""),
        ],
    );
    gives("--from uri --to uri", [("http://h/%c3", "http://h/%c3")]);
}

#[test]
fn host_chooses_the_form_of_a_host() {
    let iri = "http://bücher.example/é";
    gives("--host punycode", [(iri, "http://xn--bcher-kva.example/%C3%A9")]);
    gives("--host percent", [(iri, "http://b%C3%BCcher.example/%C3%A9")]);
    gives("--host keep", [(iri, "http://bücher.example/%C3%A9")]);
    let uri = "http://xn--bcher-kva.example/%C3%A9";
    gives("--from uri --to iri", [(uri, "http://xn--bcher-kva.example/é")]);
    gives("--from uri --to iri --host keep", [(uri, "http://xn--bcher-kva.example/é")]);
    gives("--from uri --to iri --host unicode", [(uri, "http://bücher.example/é")]);
}

#[test]
fn a_form_of_host_that_does_not_fit_is_answered_with_what_does() {
    for (args, advice) in [
        ("--host unicode", "--to iri"),
        ("--host unicode --to normal", "--to iri"),
        ("--host unicode --to text", "--to iri"),
        ("--host punycode --to iri", "--to uri"),
        ("--host percent --to normal", "--to uri"),
    ] {
        convert(args, "http://h/").exits(2).writes("").says(&["--host", advice]);
    }
}

#[test]
fn disallowed_characters_are_encoded_or_refused() {
    gives("--disallowed encode", [("a b|", "a%20b%7C"), ("%zz[", "%zz[")]);
    for line in
        ["a b", "a<", "a>", "a\"", "a{", "a}", "a|", "a\\", "a^", "a`", "%zz", "[", "a\u{85}"]
    {
        let done = convert("--disallowed fail", line).exits(2).writes("\n");
        done.says(&["iriscan: line 1: byte ", "; "]);
    }
    gives("--disallowed fail", [("é%41?\u{E000}", "%C3%A9%41?%EE%80%80")]);
}

#[test]
fn a_uri_becomes_an_iri() {
    gives(
        "--from uri --to iri",
        [
            ("http://h/%C3%A9%E3%81%82?%c3%a9#%41", "http://h/éあ?é#A"),
            ("http://h/%2F%20%25%FF%e2%80%ae", "http://h/%2F%20%25%FF%E2%80%AE"),
            ("http://h/?%EE%80%80", "http://h/?%EE%80%80"),
            // Decoded, the start of this path would be a scheme.
            ("%6Aavascript:alert(1)", "%6Aavascript:alert(1)"),
            ("", ""),
        ],
    );
    gives("--from uri --to iri --private keep", [("?%EE%80%80", "?%EE%80%80")]);
    gives(
        "--from uri --to iri --private decode",
        [("?%EE%80%80", "?\u{E000}"), ("%EE%80%80", "%EE%80%80")],
    );
}

#[test]
fn what_cannot_be_seen_stays_encoded_unless_told() {
    let unseen = "http://h/%C2%A0%E2%80%8B%E2%80%A8?%E3%80%80#%CD%B8";
    let forms = "http://h/%EF%AC%81%EF%BC%A1%E2%9C%82";
    let emoji = ("http://h/%F0%9F%98%80", "http://h/😀");
    for args in ["", "--inadvisable keep"] {
        let decoded = (forms, "http://h/ﬁＡ✂");
        gives(&format!("--from uri --to iri {args}"), [(unseen, unseen), decoded, emoji]);
    }
    gives("--from uri --to iri --inadvisable all", [(unseen, unseen), (forms, forms), emoji]);
    let decoded = "http://h/\u{A0}\u{200B}\u{2028}?\u{3000}#\u{378}";
    gives("--from uri --to iri --inadvisable decode", [(unseen, decoded), emoji]);
}

#[test]
fn escapes_of_a_legacy_charset_are_decoded_if_it_is_named() {
    let uri = "http://h/%83e%83X%83g?%95%5C&%C3%A9";
    gives("--from uri --to iri", [(uri, "http://h/%83e%83X%83g?%95%5C&é")]);
    gives("--from uri --to iri --escapes shift_jis", [(uri, "http://h/テスト?表&é")]);
    gives("--from uri --to iri --escapes latin1", [("%E9/%e9", "é/é"), ("%E9%2F", "é%2F")]);
}

#[test]
fn a_leiri_becomes_an_iri_or_a_uri() {
    gives(
        "--from leiri --to iri",
        [("http://h/a b|é\u{E000}?\u{E000}", "http://h/a%20b%7Cé%EE%80%80?\u{E000}")],
    );
    gives("--from leiri", [("http://h/a b|é", "http://h/a%20b%7C%C3%A9")]);
    gives("--from leiri --to normal", [("HTTP://h/%7e b", "http://h/~%20b")]);
    gives("--from leiri --to text", [("http://h/%C3%A9 b.", "http://h/é%20b%2E")]);
    convert("--from leiri --to iri", "[").exits(2).writes("\n").says(&["line 1: byte 0: "]);
}

#[test]
fn an_iri_to_an_iri_is_as_it_is() {
    let same = ["http://É/%7e?é", "a b", "%zz", ""];
    gives("--from iri --to iri", same.map(|line| (line, line)));
}

#[test]
fn the_normal_form_goes_as_far_as_the_level() {
    let uri = "HTTP://H:80/%7e%c3/a/..";
    gives("--to normal --level case", [(uri, "http://h:80/%7E%C3/a/..")]);
    gives("--to normal --level percent", [(uri, "HTTP://H:80/~%c3/a/..")]);
    gives("--to normal --level path", [(uri, "HTTP://H:80/%7e%c3/")]);
    gives("--to normal --level syntax", [(uri, "http://h:80/~%C3/")]);
    gives("--to normal", [(uri, "http://h:80/~%C3/")]);
    gives("--to normal --level scheme", [(uri, "http://h/~%C3/"), ("http://h", "http://h/")]);
    gives(
        "--to normal --level idn",
        [
            ("http://BÜCHER.example:80", "http://bücher.example/"),
            ("http://XN--BCHER-KVA.example/é", "http://bücher.example/é"),
            ("http://XN--BCHER-KVA.example", "http://xn--bcher-kva.example/"),
            ("file://localhost/a", "file:///a"),
        ],
    );
    // The result is of the kind of the input: a URI for a URI.
    gives(
        "--to normal",
        [("http://h/%C3%A9", "http://h/%C3%A9"), ("http://h/%C3%A9é", "http://h/éé")],
    );
    gives("--from uri --to normal", [("HTTP://h/%c3%a9", "http://h/%C3%A9")]);
    convert("--from uri --to normal", "é").exits(2).writes("\n").says(&["line 1: byte 0: "]);
    convert("--to normal", "a b").exits(2).writes("\n").says(&["line 1: byte 1: ", "%20"]);
}

#[test]
fn text_is_what_can_stand_in_a_sentence() {
    gives(
        "--to text",
        [
            ("https://a.example/%E6%97%A5%E6%9C%AC.", "https://a.example/日本%2E"),
            ("https://a.example/a)", "https://a.example/a%29"),
            ("https://a.example/(a)?%2F%20", "https://a.example/(a)?%2F%20"),
        ],
    );
}

#[test]
fn a_base_comes_first_whatever_is_asked_for() {
    let base = "--base http://例え.jp/b/c/d;p?q";
    gives(
        &format!("{base} --to iri"),
        [
            ("", "http://例え.jp/b/c/d;p?q"),
            ("é", "http://例え.jp/b/c/é"),
            ("../é#s", "http://例え.jp/b/é#s"),
            ("?y", "http://例え.jp/b/c/d;p?y"),
            ("//g", "http://g"),
            ("http:g", "http:g"),
            ("g:h", "g:h"),
        ],
    );
    gives(base, [("é b", "http://xn--r8jz45g.jp/b/c/%C3%A9%20b")]);
    gives(&format!("{base} --host percent"), [("x", "http://%E4%BE%8B%E3%81%88.jp/b/c/x")]);
    gives(&format!("{base} --to normal"), [("%7e/./x", "http://例え.jp/b/c/~/x")]);
    gives(&format!("{base} --to text"), [("%C3%A9.", "http://例え.jp/b/c/é%2E")]);
    gives("--base http://h/b/ --from uri --to iri", [("%C3%A9", "http://h/b/é")]);
    gives("--base http://h/b/ --from leiri --to iri", [("a b", "http://h/b/a%20b")]);
    gives("--base http://h/a/../b", [("", "http://h/a/../b"), ("..", "http://h/")]);
    gives("--base foo:b/c", [("..//a", "foo:/.//a")]);
    convert("--base http://h/ --to iri", "a b").exits(2).writes("\n").says(&["line 1: byte 1: "]);
    convert("--base http://h/ --disallowed fail", "a b").exits(2).says(&["line 1: byte 1: "]);
}

#[test]
fn a_base_that_cannot_be_ends_it_before_any_line() {
    for base in ["b", "", "//h/", "http://h/%zz", "http://[/", "#f"] {
        let done = Done::of(command(["convert", "--base", base]), b"a\nb\n").exits(2).writes("");
        let done = done.says(&["--base", &format!("{base:?}"), "byte "]);
        // The advice is not about the reference, because the base is wrong.
        assert!(!done.stderr.contains("resolve against"), "{}", done.stderr);
    }
}

// ---- Charsets ----

#[test]
fn lines_of_a_legacy_charset_have_their_queries_in_it() {
    for (label, text, bytes) in [
        ("shift_jis", "表", &b"\x95\x5C"[..]),
        ("koi8-r", "мир", &b"\xCD\xC9\xD2"[..]),
        ("windows-1252", "é€", &b"\xE9\x80"[..]),
        ("gb18030", "你𠀀", &b"\xC4\xE3\x95\x32\x82\x36"[..]),
        ("euc-kr", "한", &b"\xC7\xD1"[..]),
        ("big5", "表", &b"\xAA\xED"[..]),
        ("iso-2022-jp", "日", &b"\x1B\x24\x42\x46\x7C\x1B\x28\x42"[..]),
    ] {
        let escaped = |bytes: &[u8]| bytes.iter().map(|b| format!("%{b:02X}")).collect::<String>();
        let (utf8, query) = (escaped(text.as_bytes()), escaped(bytes));
        let line = |scheme: &[u8], end: &[u8]| {
            [scheme, b"://h/", bytes, b"?", bytes, b"#", bytes, end].concat()
        };
        let input = [line(b"http", b"\r\n"), line(b"ftp", b"\n")].concat();
        iriscan(&format!("convert --charset {label}"), &input)
            .exits(0)
            .quiet()
            .writes(format!("http://h/{utf8}?{query}#{utf8}\nftp://h/{utf8}?{utf8}#{utf8}\n"));
        let args = format!("convert --charset {label} --query utf-8");
        let done = iriscan(&args, &input).exits(0).quiet();
        let utf8 = format!("h/{utf8}?{utf8}#{utf8}\n");
        done.writes(format!("http://{utf8}ftp://{utf8}"));
        // The output is UTF-8 for every charset of the input.
        let args = format!("convert --charset {label} --to iri");
        let same = format!("http://h/{text}?{text}#{text}\nftp://h/{text}?{text}#{text}\n");
        iriscan(&args, &input).exits(0).quiet().writes(same);
    }
}

#[test]
fn a_character_that_the_charset_of_the_query_lacks_is_a_reference() {
    let mut command = command(["convert", "--charset", "koi8-r", "http://h/é?é"]);
    command.arg("https://h/?日");
    let done = Done::of(command, b"").exits(0).quiet();
    done.writes("http://h/%C3%A9?%26%23233%3B\nhttps://h/?%26%2326085%3B\n");
}

#[test]
fn wide_lines_end_in_wide_line_ends() {
    let text = "http://h/é\r\n\r\n\u{0A0D}\u{0D0A}\nhttp://例え.jp/\n";
    let want = "http://h/%C3%A9\n\n%E0%A8%8D%E0%B4%8A\nhttp://xn--r8jz45g.jp/\n";
    for (label, width, order) in [
        ("utf-16le", 2, Order::Little),
        ("utf-16", 2, Order::Little),
        ("utf-16be", 2, Order::Big),
        ("utf-32le", 4, Order::Little),
        ("utf-32be", 4, Order::Big),
    ] {
        let args = format!("convert --charset {label}");
        for mark in ["", "\u{FEFF}"] {
            let input = wide(&format!("{mark}{text}"), width, order);
            iriscan(&args, &input).exits(0).quiet().writes(want);
            // The last line has no line end.
            let end = input.len() - width;
            iriscan(&args, &input[..end]).exits(0).quiet().writes(want);
        }
    }
}

#[test]
fn a_byte_order_mark_before_the_first_line_is_none_of_it() {
    gives("", [("\u{FEFF}http://h/é", "http://h/%C3%A9")]);
}

#[test]
fn a_byte_order_mark_elsewhere_is_a_character() {
    gives("--to iri", [("a", "a"), ("\u{FEFF}b", "\u{FEFF}b")]);
}

#[test]
fn nfc_is_for_legacy_charsets_unless_told() {
    let decomposed = "http://h/e\u{301}";
    for (args, want) in [
        ("", "http://h/e%CC%81"),
        ("--nfc auto", "http://h/e%CC%81"),
        ("--nfc always", "http://h/%C3%A9"),
        ("--nfc never", "http://h/e%CC%81"),
    ] {
        gives(args, [(decomposed, want)]);
    }
    // windows-1258 has the dot below as a character of its own.
    let line = b"http://h/a\xF2?a\xF2\n";
    for (args, want) in [
        ("", "http://h/%E1%BA%A1?a%F2\n"),
        ("--nfc never", "http://h/a%CC%A3?a%F2\n"),
        ("--nfc always", "http://h/%E1%BA%A1?a%F2\n"),
        ("--query utf-8", "http://h/%E1%BA%A1?%E1%BA%A1\n"),
        ("--query utf-8 --nfc never", "http://h/a%CC%A3?a%CC%A3\n"),
    ] {
        iriscan(&format!("convert --charset windows-1258 {args}"), line)
            .exits(0)
            .quiet()
            .writes(want);
    }
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
fn a_hostile_line_of_10_mb_takes_linear_time() {
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
        let line = piece.repeat(10_000_000 / piece.len());
        let began = Instant::now();
        let done = iriscan(args, &line).exits(0).quiet();
        assert!(done.stdout.ends_with(b"\n"), "{args}");
        assert!(began.elapsed() < Duration::from_secs(20), "{args}: {:?}", began.elapsed());
    }
}

#[test]
fn a_host_of_10_mb_takes_linear_time() {
    for (head, piece) in [("http://", "é"), ("http://", "é."), ("http://xn--", "a9"), ("//", "a@")]
    {
        let line = [head, &*piece.repeat(10_000_000 / piece.len())].concat();
        let began = Instant::now();
        for args in ["convert", "convert --from uri --to iri --host unicode"] {
            // The host may have no ASCII form; only the time matters here.
            iriscan(args, &line);
        }
        assert!(began.elapsed() < Duration::from_secs(40), "{head}{piece}: {:?}", began.elapsed());
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

#[test]
fn the_examples_of_the_help_are_true() {
    gives("", [("http://bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC")]);
    gives("--base https://a.example/b/ --to iri", [("../c", "https://a.example/c")]);
    gives("--to normal --level scheme", [("HTTP://A.example:80", "http://a.example/")]);
    gives("--to text", [("https://a.example/%E6%97%A5%E6%9C%AC.", "https://a.example/日本%2E")]);
}

#[test]
fn a_wrong_word_names_the_nearest_known() {
    for (args, wrong, known) in [
        ("convrt", "convrt", "convert"),
        ("convert --frm iri", "--frm", "--from"),
        ("convert --from leri", "leri", "leiri"),
        ("convert --from url", "url", "uri"),
        ("convert --to normall", "normall", "normal"),
        ("convert --to txt", "txt", "text"),
        ("convert --host puny", "puny", "punycode"),
        ("convert --disallowed encde", "encde", "encode"),
        ("convert --private decoded", "decoded", "decode"),
        ("convert --inadvisable kep", "kep", "keep"),
        ("convert --level schema", "schema", "scheme"),
        ("convert --query utf8", "utf8", "utf-8"),
        ("convert --nfc alway", "alway", "always"),
        ("convert --charset koi9-r", "koi9-r", "koi8-r"),
    ] {
        iriscan(args, "http://e.org/")
            .exits(2)
            .writes("")
            .mentions(&[&format!("'{wrong}'"), known]);
    }
    // `auto` is for documents: a line is too short to detect its charset.
    iriscan("convert --charset auto", "").exits(2).writes("").mentions(&["auto"]);
}
