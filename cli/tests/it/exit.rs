//! Exit codes, and messages about errors.

use crate::common::{Done, command, files, iriscan, iriscan_in};

#[test]
fn find_exits_0_found_1_none_2_trouble() {
    let dir = files(&[("some", b"http://e.org/"), ("none", b"nothing")]);
    for (args, code) in [
        ("some", 0),
        ("none", 1),
        ("some none", 0),
        ("none some", 0),
        ("none none", 1),
        ("missing", 2),
        ("some missing", 2),
        ("none missing", 2),
    ] {
        for form in ["find", "find --json", "find --count", "find --unique"] {
            iriscan_in(dir.path(), &format!("{form} {args}"), "").exits(code);
        }
    }
}

#[test]
fn rewrite_exits_0_or_2() {
    let dir = files(&[("change", "http://e.org/é".as_bytes()), ("none", b"nothing")]);
    for (args, code) in [
        ("change", 0),
        ("none", 0),
        ("change missing", 2),
        ("--check none", 0),
        ("--check change", 1),
        ("--check change missing", 2),
        ("--check none missing", 2),
    ] {
        iriscan_in(dir.path(), &format!("rewrite {args}"), "").exits(code);
    }
}

#[test]
fn a_link_that_cannot_be_converted_is_no_trouble() {
    let text = "http://لa.com/å";
    iriscan("find", text).exits(0);
    iriscan("rewrite", text).exits(0);
    iriscan("rewrite --check", text).exits(0);
}

#[test]
fn trouble_with_one_input_does_not_stop_the_others() {
    let dir = files(&[("a", b"http://e.org/a "), ("b", "http://e.org/é".as_bytes())]);
    std::fs::create_dir(dir.path().join("folder")).unwrap();
    let done = iriscan_in(dir.path(), "find a missing folder b", "").exits(2);
    let done = done.writes("a:http://e.org/a\nb:http://e.org/%C3%A9\n");
    let lines: Vec<&str> = done.stderr.lines().collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with("iriscan: missing: "), "{lines:?}");
    iriscan_in(dir.path(), "rewrite a missing folder b", "")
        .exits(2)
        .writes("http://e.org/a http://e.org/%C3%A9");
    iriscan_in(dir.path(), "find --count missing a", "").exits(2).writes("a:1\n");
}

// Other systems have other words for the error.
#[cfg(unix)]
#[test]
fn messages_name_the_input_say_what_and_what_to_do() {
    let dir = files(&[]);
    std::fs::create_dir(dir.path().join("folder")).unwrap();
    for command in ["find", "rewrite", "rewrite --check"] {
        iriscan_in(dir.path(), &format!("{command} missing"), "")
            .exits(2)
            .says(&["iriscan: missing: No such file", "; "])
            .writes("");
    }
    // Copying all files of a folder one after the other is not useful.
    iriscan_in(dir.path(), "rewrite folder", "")
        .exits(2)
        .says(&["iriscan: folder: ", "directory", "; "])
        .writes("");
    let done = iriscan_in(dir.path(), "find missing", "");
    assert!(!done.stderr.contains("os error"), "{}", done.stderr);
}

#[test]
fn a_wrong_charset_label_names_the_nearest() {
    for (label, nearest) in [
        ("utf-9", "utf-8"),
        ("utf_8x", "utf-8"),
        ("window-1251", "windows-1251"),
        ("koi9-r", "koi8-r"),
        ("shift_jiss", "shift_jis"),
        // Labels of the Encoding Standard that mean no text at all.
        ("iso-2022-kr", "euc-kr"),
        ("hz-gb-2312", "gb"),
        ("replacement", "utf-8"),
    ] {
        for command in ["find", "rewrite"] {
            iriscan(&format!("{command} --charset {label}"), "http://e.org/")
                .exits(2)
                .mentions(&[label, &format!("\"{nearest}")])
                .writes("");
        }
    }
}

/// A name of a charset that the Encoding Standard lacks is no typing error.
#[test]
fn a_charset_that_the_standard_lacks_is_refused_with_the_reason() {
    for label in ["cp850", "IBM437", "mac-turkish"] {
        iriscan(&format!("find --charset {label}"), "http://e.org/")
            .exits(2)
            .mentions(&[label, "the Encoding Standard lacks it; convert the text to UTF-8"])
            .writes("");
    }
}

#[test]
fn every_documented_charset_label_is_known_in_any_case() {
    for label in [
        "auto",
        "AUTO",
        "UTF-8",
        "l1",
        "Shift-JIS",
        "utf-32LE",
        "utf-32be",
        "ISO-8859-8-I",
        // Names of other programs.
        "windows1251",
        "koi-8r",
        "cp932",
        "latin-1",
        "utf_8",
    ] {
        iriscan(&format!("find --charset {label}"), "").exits(1).quiet();
    }
}

#[test]
fn a_wrong_word_names_the_nearest_known() {
    for (args, wrong, known) in [
        ("finde", "finde", "find"),
        ("rewrit", "rewrit", "rewrite"),
        ("find --jsn", "--jsn", "--json"),
        ("find --shemes any", "--shemes", "--schemes"),
        ("rewrite --chek", "--chek", "--check"),
        ("find --host punnycode", "punnycode", "punycode"),
        ("find --query utf8", "utf8", "utf-8"),
        ("find --nfc alway", "alway", "always"),
        ("find --json --offsets utf16,char", "char", "chars"),
        ("find --format txt", "txt", "text"),
        ("find --rules proze", "proze", "prose"),
        ("find --kinds iris", "iris", "iri"),
    ] {
        let done = iriscan(args, "http://e.org/").exits(2).writes("");
        done.mentions(&[&format!("'{wrong}'"), known]);
    }
}

#[test]
fn a_value_that_cannot_be_says_what_can() {
    for (args, words) in [
        ("find --max-len 0", &["max_len", "1"][..]),
        ("find --max-len many", &["many", "--max-len"]),
        ("find --max-len -1", &["'-1'", "--max-len", "number of bytes"]),
        ("find --max-len 1k", &["'1k'", "--max-len", "number of bytes, such as 65536"]),
        ("find --context x", &["'x'", "--context", "number of characters, at most 10000"]),
        ("find --context 10001", &["'10001'", "--context", "number of characters, at most 10000"]),
        ("find -j -1", &["'-1'", "--jobs", "0 for one per core"]),
        ("report -o - --limit -1", &["'-1'", "--limit", "number of links"]),
        ("find --schemes http:", &["\"http:\"", "without the colon"]),
        ("find --schemes http,,ftp", &["scheme"]),
        ("find --schemes 1up", &["\"1up\"", "letter"]),
        ("find --offsets chars", &["--json"]),
        ("find --json --count", &["--json", "--count"]),
        ("find --charset", &["--charset", "value"]),
        // A value that looks like an option must not lead to advice about file names.
        ("find --charset -1", &["'-1'", "--charset", "known label"]),
        ("find --charset --json", &["'--json'", "--charset"]),
        ("find --format -x", &["'-x'", "--format", "html"]),
        ("find --kinds -1", &["'-1'", "--kinds", "bare"]),
        ("find --schemes -1", &["\"-1\"", "letter"]),
        ("rewrite --host -v", &["'-v'", "--host", "punycode"]),
        ("find --json --offsets -1", &["'-1'", "--offsets", "utf16"]),
        ("find --files-from -1", &["-1: ", "; "]),
        ("convert --to -1", &["'-1'", "--to", "normal"]),
        ("convert --base -1 x", &["--base \"-1\""]),
        ("check --kind -1", &["'-1'", "--kind", "leiri"]),
        ("report -o -v", &["'-v'", "--output", "./"]),
    ] {
        let done = iriscan(args, "http://e.org/").exits(2).mentions(words).writes("");
        assert!(!done.stderr.contains("use '--"), "{}", done.stderr);
    }
    // The name of a JSON field may begin with a hyphen.
    iriscan("find --format json --field -x", r#"{"-x":"http://e.org/"}"#).exits(0);
}

#[test]
fn no_command_shows_the_commands_and_is_trouble() {
    iriscan("", "").exits(2).writes("").mentions(&["find", "rewrite", "--help"]);
}

#[test]
fn help_and_version_are_success() {
    for args in ["--help", "-h", "help", "find --help", "rewrite -h", "help rewrite"] {
        let done = iriscan(args, "").exits(0).quiet();
        assert!(String::from_utf8(done.stdout).unwrap().contains("iriscan"), "{args}");
    }
    let version = format!("iriscan {}\n", env!("CARGO_PKG_VERSION"));
    iriscan("-V", "").exits(0).quiet().writes(version);
}

#[test]
fn help_calls_an_input_path() {
    for command in ["find", "rewrite"] {
        let help = String::from_utf8(iriscan(&format!("{command} --help"), "").stdout).unwrap();
        assert!(help.contains(&format!("iriscan {command} [OPTIONS] [PATH]...\n")), "{help}");
    }
}

#[test]
fn help_documents_the_common_schemes() {
    for command in ["find", "rewrite"] {
        let help = String::from_utf8(iriscan(&format!("{command} --help"), "").stdout).unwrap();
        for scheme in ["http", "https", "mailto", "urn", "xmpp", "javascript"] {
            assert!(help.contains(scheme), "{scheme} in {command}");
        }
    }
}

#[test]
fn a_file_in_place_of_a_command_is_answered() {
    let dir = files(&[("page.txt", b"http://e.org/")]);
    let done = iriscan_in(dir.path(), "page.txt", "").exits(2).writes("");
    done.says(&["page.txt: no command; `iriscan find page.txt`"]);
    // The same with an option after it.
    let done = iriscan_in(dir.path(), "page.txt --json", "").exits(2).writes("");
    done.says(&["page.txt: no command; `iriscan find page.txt`"]);
    let done = iriscan_in(dir.path(), "find http://e.org/", "").exits(2).writes("");
    done.says(&["http://e.org/: No such file", "`iriscan convert` and `check` take references"]);
    iriscan_in(dir.path(), "paje.txt", "").exits(2).mentions(&["unrecognized", "--help"]);
}

/// Options of other programs: the message names the option to use here.
#[test]
fn a_word_in_place_of_a_command_is_answered_with_the_command() {
    for (word, tip) in [
        ("http://e.org/ü", "`iriscan convert 'http://e.org/ü'`"),
        ("mailto:a@e.org", "`iriscan convert 'mailto:a@e.org'`"),
        ("urn:isbn:1", "`iriscan find` lists the links of files"),
        ("version", "`iriscan --version`"),
        ("grep", "`iriscan find`"),
        ("-", "`iriscan find`"),
        ("sed", "`iriscan rewrite`"),
        ("decode", "`iriscan convert`"),
        ("validate", "`iriscan check`"),
    ] {
        iriscan(word, "").exits(2).writes("").says(&[&format!("{word}: no command; "), tip]);
    }
    // The message has one line, even if a name contains line ends.
    let done = Done::of(command(["http://e.org/\u{1b}[31m\n"]), b"").exits(2).writes("");
    done.says(&["http://e.org/\\u{1b}[31m\\u{a}: no command"]);
}

#[test]
fn a_format_by_another_name_is_answered_with_its_own() {
    for (value, tip) in [
        ("eml", "'mail'"),
        ("EML", "'mail'"),
        (".mbox", "'mail'"),
        ("email", "'mail'"),
        ("message/rfc822", "'mail'"),
        ("htm", "'html'"),
        ("text/html", "'html'"),
        ("text/html;charset=utf-8", "'html'"),
        ("xhtml", "'xml'"),
        ("rss", "'xml'"),
        ("atom", "'xml'"),
        ("application/rss+xml", "'xml'"),
        ("image/svg+xml", "'xml'"),
        ("ttl", "'turtle'"),
        ("nt", "'turtle'"),
        ("n-triples", "'turtle'"),
        ("text/csv", "'csv'"),
        ("tab", "'tsv'"),
        ("text/tab-separated-values", "'tsv'"),
        ("jsonl", "'json'"),
        ("ndjson", "'json'"),
        ("application/json", "'json'"),
        ("txt", "'text'"),
        ("plain", "'text'"),
        ("text/plain", "'text'"),
        ("md", "'markdown'"),
        ("adoc", "'asciidoc'"),
        ("ics", "'ical'"),
        ("vcard", "'ical'"),
        ("text/markdown", "'markdown'"),
        ("yaml", "'text' finds the links of such files"),
        ("syslog", "'log'"),
        ("magic", "'sniff'"),
        ("gz", "'-z' decompresses"),
        ("pdf", "pdftotext FILE - | iriscan find"),
    ] {
        for command in ["find", "rewrite", "report -o -"] {
            let done = iriscan(&format!("{command} --format {value}"), "").exits(2).writes("");
            let done = done.mentions(&[&format!("'{value}'"), "[possible values: auto, text, "]);
            let tips: Vec<&str> =
                done.stderr.lines().filter(|line| line.contains("  tip: ")).collect();
            assert!(tips.len() == 1 && tips[0].contains(tip), "{}", done.stderr);
        }
    }
}

#[test]
fn an_option_of_another_program_is_answered_with_what_does_it_here() {
    for (args, tip) in [
        ("find -o a", "only the links already"),
        ("find --only-matching a", "only the links already"),
        ("find -c a", "'--count'"),
        ("find -r .", "folders are walked"),
        ("find -rn .", "folders are walked"),
        ("find -n a", "'--json --offsets lines'"),
        ("find -q a", "> /dev/null"),
        ("find -u a", "'--unique'"),
        ("find -l a", "'--count'"),
        ("find -i a", "'--match REGEX'"),
        ("rewrite -o out a", "> FILE"),
        ("rewrite -c a", "'--check'"),
        ("rewrite -r .", "folders are walked"),
        ("rewrite -n a", "'--check' and '--diff' write nothing"),
        ("rewrite -q a", "'--check'"),
        ("rewrite -u a", "'--diff'"),
        ("report -o - -r .", "folders are walked"),
        ("report -o - -n a", "lines are always shown"),
        ("report -o - -q a", "nothing is printed"),
        ("report -o - -u a", "`iriscan find --unique`"),
        ("report -o - -c a", "`iriscan find --count`"),
        ("convert -f uri", "'--from'"),
        ("convert -d a", "'--from uri --to iri'"),
        ("check -q a", "> /dev/null"),
        ("--json find a", "options come after the command"),
    ] {
        let done = iriscan(args, "").exits(2).writes("");
        let tips: Vec<&str> = done.stderr.lines().filter(|line| line.contains("  tip: ")).collect();
        assert!(tips.len() == 1 && tips[0].contains(tip), "{args}: {}", done.stderr);
    }
    // Options that no table has get the tip of the parser.
    iriscan("find --jsn a", "").exits(2).mentions(&["'--json'"]);
}

/// A user who gives the name of a file may want its lines.
#[test]
fn a_reference_that_is_the_name_of_a_file_is_remarked() {
    let dir = files(&[("a.txt", b"http://e.org/"), ("b c.txt", b"http://e.org/")]);
    let said = "as a reference, though a file has this name; ";
    let convert = iriscan_in(dir.path(), "convert a.txt", "").exits(0).writes("a.txt\n");
    convert.says(&["a.txt: converted", said, "iriscan convert < a.txt"]);
    let check = iriscan_in(dir.path(), "check a.txt", "").exits(0).writes("a.txt: valid\n");
    check.says(&["a.txt: checked", said, "iriscan check < a.txt"]);
    let mut spaced = command(["convert", "http://e.org/", "b c.txt", "a.txt"]);
    spaced.current_dir(dir.path());
    let done = Done::of(spaced, b"").exits(0).writes("http://e.org/\nb%20c.txt\na.txt\n");
    done.says(&["b c.txt: converted", "iriscan convert < 'b c.txt'"]);
    // No message for a name without a file, for a folder, and with --base.
    for args in ["convert b.txt", "convert .", "convert --base http://e.org/ a.txt", "check ."] {
        iriscan_in(dir.path(), args, "").exits(0).quiet();
    }
}
