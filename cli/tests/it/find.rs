//! `iriscan find`: its output.

use serde_json::{Value, json};

use crate::common::{Order, files, iriscan, iriscan_in, wide};

#[test]
fn prints_one_uri_per_line() {
    let text = "Siehe https://пример.рф/путь, und (http://example.org/a)\r\n\
                http://ä.example/?q=ö#ü";
    iriscan("find", text).exits(0).quiet().writes(
        "https://xn--e1afmkfd.xn--p1ai/%D0%BF%D1%83%D1%82%D1%8C\n\
         http://example.org/a\n\
         http://xn--4ca.example/?q=%C3%B6#%C3%BC\n",
    );
}

#[test]
fn prints_the_iri_of_a_link_without_uri() {
    let done = iriscan("find", "http://لa.com/å");
    done.exits(0).says(&["1 link"]).writes("http://لa.com/å\n");
}

#[test]
fn no_path_and_a_dash_are_standard_input() {
    for args in ["find", "find -"] {
        iriscan(args, "http://e.org/é").exits(0).quiet().writes("http://e.org/%C3%A9\n");
    }
}

#[test]
fn one_input_is_not_named_in_front() {
    let dir = files(&[("a.txt", b"http://e.org/a")]);
    iriscan_in(dir.path(), "find a.txt", "").exits(0).writes("http://e.org/a\n");
}

#[test]
fn several_inputs_are_named_in_front_as_given() {
    let dir = files(&[("a.txt", b"http://e.org/a http://e.org/b"), ("b.txt", b"http://e.org/c")]);
    iriscan_in(dir.path(), "find ./a.txt - b.txt", "http://e.org/in").exits(0).quiet().writes(
        "./a.txt:http://e.org/a\n./a.txt:http://e.org/b\n-:http://e.org/in\nb.txt:http://e.org/c\n",
    );
}

#[test]
fn null_ends_each_result_with_nul() {
    iriscan("find -0", "http://e.org/a http://e.org/é")
        .exits(0)
        .writes("http://e.org/a\0http://e.org/%C3%A9\0");
}

#[test]
fn iri_prints_the_iri() {
    iriscan("find --iri --charset windows-1251", b"http://e.org/\xEC\xE8\xF0 http://e.org/%C3%A4")
        .exits(0)
        .writes("http://e.org/мир\nhttp://e.org/%C3%A4\n");
}

#[test]
fn unique_prints_each_link_once() {
    let dir = files(&[
        ("a", "http://e.org/é http://e.org/b http://e.org/é".as_bytes()),
        ("b", b"http://e.org/b http://e.org/c"),
    ]);
    iriscan_in(dir.path(), "find --unique a b", "")
        .exits(0)
        .writes("a:http://e.org/%C3%A9\na:http://e.org/b\nb:http://e.org/c\n");
    let records = iriscan("find --unique --json", "http://e.org/a http://e.org/a").record();
    assert_eq!(records["start"], 0);
}

#[test]
fn count_prints_only_how_many() {
    let dir = files(&[("a", b"http://e.org/a http://e.org/a"), ("none", b"nothing")]);
    iriscan_in(dir.path(), "find --count a", "").exits(0).writes("2\n");
    iriscan_in(dir.path(), "find --count a none", "").exits(0).writes("a:2\nnone:0\n");
    iriscan_in(dir.path(), "find --count none", "").exits(1).writes("0\n");
    iriscan_in(dir.path(), "find --count --unique a", "").exits(0).writes("1\n");
}

/// `find -I tree | sort | uniq -c` counts links, not links of a file.
#[test]
fn names_of_inputs_are_left_out_or_added_as_asked() {
    let dir = files(&[("a", b"http://e.org/a"), ("b", b"http://e.org/a")]);
    let (a, b, named) =
        ("http://e.org/a\n", "http://e.org/a\nhttp://e.org/a\n", "a:http://e.org/a\n");
    for (args, expected) in [
        ("-I a b", b),
        ("--no-filename a b", b),
        ("-I .", b),
        ("-H a", named),
        ("--with-filename a", named),
        ("-H", "-:http://e.org/in\n"),
        // The last of the options counts.
        ("-H -I a b", b),
        ("-IH a", named),
        ("-HIHI a", a),
        ("-I -I --iri a b", b),
        ("-0 -I a b", "http://e.org/a\0http://e.org/a\0"),
        ("-0H a", "a:http://e.org/a\0"),
        ("-I --unique a b", a),
        ("-H --unique a", named),
        ("-I --count a b", "1\n1\n"),
        ("-H --count a", "a:1\n"),
        ("-H --count -j2 .", "./a:1\n./b:1\n"),
    ] {
        let done = iriscan_in(dir.path(), &format!("find {args}"), "http://e.org/in");
        done.exits(0).quiet().writes(expected);
    }
    // A record always names its input.
    for args in ["-I", "-H"] {
        let args = format!("find {args} --json --offsets lines a");
        let record = iriscan_in(dir.path(), &args, "").record();
        assert_eq!(record["path"], "a");
    }
}

// ---- Records ----

#[test]
fn a_record_holds_every_field() {
    let done = iriscan("find --json", "Там: HTTPS://Пример.рф/å?q=ö!");
    let expected = json!({
        "path": "-",
        "start": 8,
        "end": 41,
        "text": "HTTPS://Пример.рф/å?q=ö",
        "iri": "HTTPS://Пример.рф/å?q=ö",
        "uri": "HTTPS://xn--e1afmkfd.xn--p1ai/%C3%A5?q=%C3%B6",
        "open": "HTTPS://xn--e1afmkfd.xn--p1ai/%C3%A5?q=%C3%B6",
        "kind": "iri",
        "scheme": "https",
        "host": "Пример.рф",
        "display": "HTTPS://пример.рф/å?q=ö",
        "charset": "UTF-8",
        "warnings": [],
    });
    assert_eq!(done.exits(0).quiet().record(), expected);
}

#[test]
fn a_record_without_uri_says_why() {
    let record = iriscan("find --json", "http://لa.com/å").exits(0).record();
    assert_eq!((&record["uri"], &record["open"]), (&Value::Null, &Value::Null));
    assert!(record["error"].as_str().unwrap().contains("لa.com"), "{record}");
    assert_eq!(record["host"], "لa.com");
}

#[test]
fn a_relative_reference_opens_nothing() {
    let html =
        "<a href='b.html'>x</a> <a href='//a.example/b'>y</a> <a href='http://a.example/'>z</a>";
    let records = iriscan("find --json --format html", html).exits(0).records();
    let open: Vec<_> = records.iter().map(|record| &record["open"]).collect();
    assert_eq!(open, [&Value::Null, &Value::Null, &Value::from("http://a.example/")]);
    assert_eq!(records[0]["uri"], "b.html");
}

#[test]
fn records_are_json_lines_in_order_of_start() {
    let done = iriscan("find --json", "<http://e.org/é> http://e.org/b\nhttp://e.org/c");
    assert_eq!(done.stdout.iter().filter(|&&b| b == b'\n').count(), 3);
    let starts: Vec<u64> = done.records().iter().map(|r| r["start"].as_u64().unwrap()).collect();
    assert_eq!(starts, [1, 18, 33]);
}

#[test]
fn records_name_their_input_as_given() {
    let dir = files(&[("a.txt", b"http://e.org/a")]);
    let records = iriscan_in(dir.path(), "find --json ./a.txt -", "http://e.org/b").records();
    assert_eq!((&records[0]["path"], &records[1]["path"]), (&json!("./a.txt"), &json!("-")));
}

// Other systems refuse such file names.
#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_not_utf_8_is_given_as_bytes() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt, process::Command};

    use crate::common::{Done, command};

    let dir = files(&[("b", b"http://e.org/b")]);
    let name = OsStr::from_bytes(b"\xFF.txt");
    std::fs::write(dir.path().join(name), "http://e.org/a").unwrap();
    let find = |args: &[&OsStr]| {
        let mut command: Command = command(args);
        command.current_dir(dir.path());
        Done::of(command, b"").exits(0).quiet()
    };
    let record = find(&["find".as_ref(), "--json".as_ref(), name]).record();
    assert_eq!((record.get("path"), &record["path_bytes"]), (None, &json!("/y50eHQ=")));
    find(&["find".as_ref(), name, "b".as_ref()])
        .writes(b"\xFF.txt:http://e.org/a\nb:http://e.org/b\n");
}

#[test]
fn start_and_end_are_bytes_of_the_source() {
    let (place, link) = ("Näheres 𝒳: ", "http://ä.example/ö");
    let cases = [
        (b"N\xE4heres X: http://\xE4.example/\xF6".to_vec(), "windows-1252", 11, 18),
        // 表 ends in a byte that is a backslash in ASCII.
        (b"\x95\\\x95\\ http://ja.example/\x95\\ ".to_vec(), "shift_jis", 5, 20),
        (wide(&format!("{place}{link}, "), 2, Order::Little), "utf-16le", 24, 36),
        (wide(&format!("{place}{link}, "), 2, Order::Big), "utf-16be", 24, 36),
        (wide(&format!("{place}{link}, "), 4, Order::Little), "utf-32le", 44, 72),
        (wide(&format!("{place}{link}, "), 4, Order::Big), "utf-32be", 44, 72),
    ];
    for (bytes, charset, start, len) in cases {
        let record = iriscan(&format!("find --json --charset {charset}"), bytes).exits(0).record();
        assert_eq!((&record["start"], &record["end"]), (&json!(start), &json!(start + len)));
        assert_eq!(record["charset"].as_str().unwrap().to_lowercase(), charset);
    }
}

#[test]
fn text_is_decoded_by_the_charset() {
    let cases: [(&[u8], &str, &str); 5] = [
        (b"http://e.org/\x95\\", "shift_jis", "http://e.org/表"),
        (b"http://e.org/\xEC\xE8\xF0", "windows-1251", "http://e.org/мир"),
        (b"http://e.org/\xCD\xC9\xD2", "koi8-r", "http://e.org/мир"),
        (b"http://e.org/\x90\x30\x81\x30", "gb18030", "http://e.org/\u{10000}"),
        (b"http://e.org/\x1B$BF|K\\\x1B(B", "iso-2022-jp", "http://e.org/日本"),
    ];
    for (bytes, charset, text) in cases {
        let record = iriscan(&format!("find --json --charset {charset}"), bytes).exits(0).record();
        assert_eq!((&record["text"], &record["iri"]), (&json!(text), &json!(text)));
    }
}

#[test]
fn charset_in_records_is_the_whatwg_name() {
    for (label, name) in [
        ("latin1", "windows-1252"),
        ("SJIS", "Shift_JIS"),
        ("utf-16", "UTF-16LE"),
        ("gb2312", "GBK"),
    ] {
        let text = if name == "UTF-16LE" {
            wide("http://a.b", 2, Order::Little)
        } else {
            b"http://a.b".to_vec()
        };
        let record = iriscan(&format!("find --json --charset {label}"), text).record();
        assert_eq!(record["charset"], name);
    }
}

#[test]
fn host_and_scheme_are_of_the_iri() {
    for (text, scheme, host) in [
        ("http://u:p@Ä.example:8080/ä", "http", json!("Ä.example")),
        ("HtTp://[2001:DB8::1]:8080/ä", "http", json!("[2001:DB8::1]")),
        ("file:///tmp/ä", "file", json!("")),
        ("MAILTO:ä@example.org", "mailto", Value::Null),
        ("urn:example:ä", "urn", Value::Null),
    ] {
        let record = iriscan("find --json", text).exits(0).record();
        assert_eq!((&record["scheme"], &record["host"]), (&json!(scheme), &host), "{text}");
    }
}

#[test]
fn warnings_come_from_the_documented_list() {
    let help = String::from_utf8(iriscan("find --help", "").exits(0).quiet().stdout).unwrap();
    let long = format!("http://{}.example/", "a".repeat(64));
    let cases: [(&[u8], &[&str]); 7] = [
        (b"http://e.org/", &[]),
        (b"http://u:p@e.org/", &["userinfo"]),
        (b"http://e.org/%zz http://e.org/a[b]", &["not-rfc3986"]),
        ("http://straße.example/".as_bytes(), &["idna-deviation"]),
        ("http://e.org/e\u{301}".as_bytes(), &["not-nfc"]),
        (long.as_bytes(), &["dns-length"]),
        (b"http://e.org/\xC3\xA9\xFF", &["malformed-bytes-adjacent"]),
    ];
    for (text, warnings) in cases {
        for record in iriscan("find --json --charset utf-8", text).exits(0).records() {
            assert_eq!(record["warnings"], json!(warnings), "{}", text.escape_ascii());
        }
        assert!(warnings.iter().all(|warning| help.contains(warning)), "{warnings:?}");
    }
}

// ---- Offsets ----

/// The record of the only link of `text`, with all offsets.
fn offsets(charset: &str, text: &[u8]) -> Value {
    let args = format!("find --json --offsets bytes,utf16,chars,lines --charset {charset}");
    iriscan(&args, text).exits(0).quiet().record()
}

#[test]
fn offsets_count_the_decoded_text() {
    // A byte order mark, an astral character, CR LF: 3 + 4 + 2 + 2 + 3 bytes.
    let record = offsets("auto", "\u{FEFF}𝒳é\r\nab http://e.org/日𝒳 x".as_bytes());
    assert_eq!((&record["start"], &record["end"]), (&json!(14), &json!(34)));
    assert_eq!(record["utf16"], json!([8, 24]));
    assert_eq!(record["chars"], json!([7, 22]));
    assert_eq!((&record["line"], &record["column"]), (&json!(2), &json!(4)));
}

#[test]
fn offsets_in_other_units_come_only_when_asked_for() {
    let record = iriscan("find --json --offsets lines", "\n\nhttp://e.org/").record();
    assert_eq!((&record["line"], &record["column"]), (&json!(3), &json!(1)));
    assert_eq!((record.get("utf16"), record.get("chars")), (None, None));
    let bytes = iriscan("find --json --offsets bytes", "a http://e.org/").record();
    assert_eq!(bytes, iriscan("find --json", "a http://e.org/").record());
}

#[test]
fn a_malformed_sequence_is_one_character() {
    // Two single bytes; a cut sequence; a surrogate, which is three characters.
    let record = offsets("utf-8", b"\xFF\xFF \xE6\x97 \xED\xA0\x80 http://e.org/");
    assert_eq!((&record["chars"], &record["utf16"]), (&json!([9, 22]), &json!([9, 22])));
    assert_eq!(record["column"], 10);
    // A wrong trail byte: it is ASCII, and a character of its own.
    let record = offsets("euc-jp", b"\xA4! http://e.org/");
    assert_eq!(record["chars"], json!([3, 16]));
}

#[test]
fn offsets_are_alike_in_every_charset() {
    let text = "Ünï 𝒳\r\n\r\nsee http://e.org/ä𝒳\n";
    let expected = offsets("utf-8", text.as_bytes());
    assert_eq!((&expected["chars"], &expected["utf16"]), (&json!([13, 28]), &json!([14, 30])));
    let marked = format!("\u{FEFF}{text}");
    for (charset, width, order) in [
        ("utf-16le", 2, Order::Little),
        ("utf-16be", 2, Order::Big),
        ("utf-32le", 4, Order::Little),
        ("utf-32be", 4, Order::Big),
    ] {
        for (charset, text) in
            [(charset, text), (charset, &marked), ("auto", text), ("auto", &marked)]
        {
            let record = offsets(charset, &wide(text, width, order));
            for field in ["utf16", "chars", "line", "column"] {
                assert_eq!(
                    record[field], expected[field],
                    "{field} in {charset}, {width} {order:?}"
                );
            }
        }
    }
    let record = offsets("iso-2022-jp", b"\x1B$BF|K\\\x1B(B\n\x1B$BF|\x1B(B http://e.org/\n");
    assert_eq!(record["chars"], json!([5, 18]));
    assert_eq!((&record["line"], &record["column"]), (&json!(2), &json!(3)));
}

#[test]
fn each_input_is_counted_from_its_start() {
    let dir = files(&[("a", "é\nhttp://لa.com/".as_bytes()), ("b", "http://لb.com/".as_bytes())]);
    let done = iriscan_in(dir.path(), "find --json --offsets chars,lines a b", "").exits(0);
    let records = done.records();
    assert_eq!((&records[0]["chars"], &records[0]["line"]), (&json!([2, 16]), &json!(2)));
    assert_eq!((&records[1]["chars"], &records[1]["line"]), (&json!([0, 14]), &json!(1)));
    let lines: Vec<&str> = done.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("iriscan: a: 1 link "), "{lines:?}");
    assert!(lines[1].starts_with("iriscan: b: 1 link "), "{lines:?}");
}

// ---- Rules, and forms of the URI ----

#[test]
fn schemes_any_adds_every_scheme_with_slashes() {
    let text = "foo+bar://x.example/a http://e.org/ foo:bar mailto:a@e.org";
    iriscan("find", text).exits(0).writes("http://e.org/\nmailto:a@e.org\n");
    iriscan("find --schemes any", text)
        .exits(0)
        .writes("foo+bar://x.example/a\nhttp://e.org/\nmailto:a@e.org\n");
}

#[test]
fn a_list_of_schemes_finds_only_those() {
    let text = "foo://x.example/a http://e.org/ ftp://e.org/ bar://e.org/";
    iriscan("find --schemes foo,ftp", text).exits(0).writes("foo://x.example/a\nftp://e.org/\n");
}

#[test]
fn ascii_only_ends_a_link_before_other_characters() {
    iriscan("find --ascii-only", "http://e.org/aé http://e.org/b")
        .exits(0)
        .writes("http://e.org/a\nhttp://e.org/b\n");
    iriscan("rewrite --ascii-only", "http://e.org/aé").exits(0).writes("http://e.org/aé");
}

#[test]
fn host_chooses_the_form_of_a_host() {
    let text = "http://é.example/é";
    for (form, uri) in [
        ("punycode", "http://xn--9ca.example/%C3%A9"),
        ("percent", "http://%C3%A9.example/%C3%A9"),
        ("keep", "http://é.example/%C3%A9"),
    ] {
        let done = iriscan(&format!("find --host {form}"), text).exits(0);
        done.writes(format!("{uri}\n"));
        iriscan(&format!("rewrite --host {form}"), text).exits(0).writes(uri);
    }
    // The host of this scheme is no DNS name.
    iriscan("find --schemes any", "foo://é.example/").writes("foo://%C3%A9.example/\n");
    // A host that is kept stays in the charset of the document.
    iriscan("rewrite --host keep --charset latin1", b"http://\xE9.example/\xE9")
        .exits(0)
        .writes(b"http://\xE9.example/%C3%A9");
}

#[test]
fn a_query_is_written_in_the_charset_of_the_document_unless_told() {
    let text = b"http://e.org/\xEC?q=\xEC#\xEC ftp://e.org/?q=\xEC";
    iriscan("find --charset windows-1251", text)
        .writes("http://e.org/%D0%BC?q=%EC#%D0%BC\nftp://e.org/?q=%D0%BC\n");
    iriscan("find --charset windows-1251 --query utf-8", text)
        .writes("http://e.org/%D0%BC?q=%D0%BC#%D0%BC\nftp://e.org/?q=%D0%BC\n");
    let utf_16 = wide("http://e.org/?q=м", 2, Order::Big);
    iriscan("find --charset utf-16be", utf_16).writes("http://e.org/?q=%D0%BC\n");
    // A character of the Hong Kong supplement, which is decoded and never encoded.
    iriscan("find --charset big5", b"http://e.org/?q=\x87\x40")
        .writes("http://e.org/?q=%26%2317392%3B\n");
}

#[test]
fn nfc_is_for_legacy_charsets_unless_told() {
    // e and U+0301, which is the byte EC in windows-1258.
    let (legacy, utf_8) = (b"http://e.org/e\xEC?e\xEC", "http://e.org/e\u{301}");
    let (composed, apart) = ("%C3%A9", "e%CC%81");
    for (nfc, from_legacy, from_utf_8) in
        [("auto", composed, apart), ("always", composed, composed), ("never", apart, apart)]
    {
        let done = iriscan(&format!("find --nfc {nfc} --charset windows-1258"), legacy);
        let uri = String::from_utf8(done.exits(0).stdout).unwrap();
        assert_eq!(uri.split('?').next().unwrap(), format!("http://e.org/{from_legacy}"));
        let done = iriscan(&format!("find --nfc {nfc}"), utf_8);
        done.exits(0).writes(format!("http://e.org/{from_utf_8}\n"));
    }
    // Query bytes in the charset of the document are not normalised.
    let done = iriscan("find --charset windows-1258", legacy);
    done.writes("http://e.org/%C3%A9?e%EC\n");
}

#[test]
fn max_len_is_the_longest_link_in_bytes_of_the_source() {
    let (link, longer) = ("http://e.org/1234567", "http://e.org/12345678");
    iriscan("find --max-len 20", link).exits(0).writes(format!("{link}\n"));
    let told = ["-: 1 link is longer than 20 bytes and stays text; --max-len takes more"];
    iriscan("find --max-len 20", longer).exits(1).mentions(&told);
    let page = format!("<a href='{longer}'>{longer} </a><img src='data:,{longer}'>");
    let told = ["2 links are longer than 20 bytes and stay text"];
    iriscan("rewrite --max-len 20 --format html", &page).exits(0).mentions(&told).writes(&page);
    iriscan("find --max-len 21", longer).exits(0);
    let wide_link = wide("http://é.org/", 2, Order::Little);
    iriscan("find --charset utf-16le --max-len 26", &wide_link).exits(0);
    iriscan("find --charset utf-16le --max-len 25", &wide_link).exits(1);
    // The default.
    let fits = format!("http://e.org/{}", "x".repeat(65_536 - 13));
    iriscan("find --count", &fits).exits(0).writes("1\n");
    iriscan("find --count", format!("{fits}x")).exits(1).writes("0\n");
}

#[test]
fn behind_a_link_that_is_too_long_scanning_resumes_at_the_next_delimiter() {
    for delimiter in [" ", "\n", "<", ">", "\"", "\u{3000}"] {
        let long = format!("http://e.org/{}(http://e.org/in", "x".repeat(40));
        iriscan("find --max-len 20", format!("{long}{delimiter}http://e.org/b"))
            .exits(0)
            .writes("http://e.org/b\n");
    }
}

// ---- Verbose ----

#[test]
fn verbose_says_which_charset_and_format_and_why() {
    let reason = |args: &str, text: &[u8], words: &[&str]| {
        iriscan(&format!("{args} -v"), text).says(words);
    };
    for command in ["find", "rewrite"] {
        reason(command, b"http://e.org/", &["-: ", "UTF-8", "ASCII", "format text"]);
        reason(command, "http://e.org/é".as_bytes(), &["-: ", "UTF-8", "format text"]);
        reason(command, b"\xEF\xBB\xBFhttp://e.org/", &["UTF-8", "byte order mark"]);
        let told = format!("{command} --charset latin1");
        reason(&told, b"http://e.org/", &["windows-1252", "told"]);
    }
}

#[test]
fn verbose_names_each_link_that_could_not_be_converted() {
    let text = "ab http://لa.com/å http://e.org/å http://لb.com/";
    for command in ["find", "rewrite"] {
        let done = iriscan(&format!("{command} -v --charset utf-8"), text).exits(0);
        for link in ["http://لa.com/å", "http://لb.com/"] {
            let line = done.stderr.lines().find(|line| line.contains(link)).unwrap();
            assert!(line.starts_with("iriscan: -: "), "{line}");
        }
        assert!(!done.stderr.contains("http://e.org"), "{}", done.stderr);
        let brief = iriscan(command, text).exits(0).says(&["2 links"]);
        assert!(!brief.stderr.contains("http://"), "{}", brief.stderr);
    }
}
