//! Options that several commands have: each does the same in every command.

use std::{fs, path::Path};

use crate::common::{files, iriscan_in};

const COMMANDS: [&str; 3] = ["find", "rewrite", "report --output -"];

/// The output and the messages of a command in `dir`, without the time that it took.
fn run(dir: &Path, args: &str, input: &[u8]) -> (Vec<u8>, String) {
    let done = iriscan_in(dir, args, input);
    (done.stdout, done.stderr)
}

#[test]
fn long_and_short_names_are_one() {
    let text = "http://e.org/é http://لa.com/å";
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    std::io::Write::write_all(&mut packed, text.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let dir = files(&[("a.txt", text.as_bytes()), ("b.gz", &packed), ("c.md", b"http://c.org/")]);
    for command in COMMANDS {
        for (input, short, long) in [("a.txt", "-v", "--verbose"), ("b.gz", "-z", "--decompress")] {
            let [plain, short, long] = ["", short, long]
                .map(|name| run(dir.path(), &format!("{command} {name} {input}"), b""));
            assert_eq!(short, long, "{command}");
            assert!(short != plain, "{command}: {short:?}");
        }
        let jobs =
            ["-j 2", "--jobs 2"].map(|name| run(dir.path(), &format!("{command} {name} ."), b""));
        assert_eq!(jobs[0], jobs[1], "{command}");
    }
    for (command, short, long) in [
        ("find a.txt", "-0", "--null"),
        ("find .", "-g *.md", "--glob *.md"),
        ("rewrite --check .", "-g *.md", "--glob *.md"),
        ("report -o - .", "-g *.md", "--glob *.md"),
        ("report a.txt", "-o -", "--output -"),
    ] {
        let [plain, short, long] =
            ["", short, long].map(|name| run(dir.path(), &format!("{command} {name}"), b""));
        assert!(short == long && short != plain, "{command}");
    }
    for name in ["-i=.1", "--in-place=.2"] {
        run(dir.path(), &format!("rewrite {name} a.txt"), b"");
        fs::write(dir.path().join("a.txt"), text).unwrap();
    }
    for kept in ["a.txt.1", "a.txt.2"] {
        assert_eq!(fs::read_to_string(dir.path().join(kept)).unwrap(), text);
    }
}

#[test]
fn the_table_of_languages_names_options_of_the_command() {
    let page = include_str!("../../../docs/languages.md");
    let table = page.split("generated: options -->").nth(1).unwrap();
    let rows = table.lines().take_while(|line| !line.ends_with("end of options -->"));
    let cells = rows.filter_map(|row| row.split(" | ").nth(1)).skip(2);
    let [find, rewrite] = ["find", "rewrite"].map(|command| {
        let dir = files(&[]);
        String::from_utf8(iriscan_in(dir.path(), &format!("{command} --help"), "").stdout).unwrap()
    });
    let has = |help: &str, flag: &str| help.split([' ', '\n', ',', '[']).any(|word| word == flag);
    let mut count = 0;
    for cell in cells.filter(|cell| cell.starts_with('`')) {
        let words: Vec<&str> = cell.trim_matches('`').split(' ').collect();
        let (flag, commands) = words.split_last().unwrap();
        let in_find = has(&find, flag) && commands != ["rewrite"];
        let in_rewrite = has(&rewrite, flag) && commands != ["find"];
        let both = commands.is_empty();
        assert!(if both { in_find && in_rewrite } else { in_find || in_rewrite }, "{cell}");
        count += 1;
    }
    assert!(count > 25, "only {count} options");
}

/// The effect of an option in each command: the URI that `find` lists, `rewrite` writes and
/// `report` links.
#[test]
fn links_and_their_forms_are_the_same_in_each_command() {
    let dir = files(&[]);
    let legacy = b"http://h.org/\xFF?\xFF";
    for (args, input, uri) in [
        ("--charset windows-1251 --query utf-8", &legacy[..], "http://h.org/%D1%8F?%D1%8F"),
        ("--charset windows-1251 --query document", legacy, "http://h.org/%D1%8F?%FF"),
        ("--nfc always", "http://h.org/a\u{323}é".as_bytes(), "http://h.org/%E1%BA%A1%C3%A9"),
        ("--nfc never", "http://h.org/a\u{323}é".as_bytes(), "http://h.org/a%CC%A3%C3%A9"),
        ("--nfc auto", "http://h.org/a\u{323}é".as_bytes(), "http://h.org/a%CC%A3%C3%A9"),
        ("--host percent", "http://ü.org/".as_bytes(), "http://%C3%BC.org/"),
        ("--host punycode", "http://ü.org/".as_bytes(), "http://xn--tda.org/"),
        ("--rules prose", "http://a.org/é。".as_bytes(), "http://a.org/%C3%A9"),
        ("--rules uts58", "ftp://a.org/é http://b.org/é".as_bytes(), "http://b.org/%C3%A9"),
        ("--schemes ftp", "ftp://a.org/é http://b.org/é".as_bytes(), "ftp://a.org/%C3%A9"),
        ("--kinds bare", "http://a.org/é b.org/é".as_bytes(), "b.org/%C3%A9"),
        (
            "--max-len 20",
            "http://a.org/éé http://a.org/éééééé".as_bytes(),
            "http://a.org/%C3%A9%C3%A9",
        ),
        ("--format auto", "http://a.org/é".as_bytes(), "http://a.org/%C3%A9"),
        ("--format html", "<a href='http://a.org/&eacute;'>".as_bytes(), "http://a.org/%C3%A9"),
        ("--format sniff", r#"{"a":"http:\/\/a.org\/\u00e9"}"#.as_bytes(), "http://a.org/%C3%A9"),
        (
            "--format json --field a",
            r#"{"a":"http://a.org/é","b":"http://b.org/é"}"#.as_bytes(),
            "http://a.org/%C3%A9",
        ),
    ] {
        let run = |command: &str| {
            let done = iriscan_in(dir.path(), &format!("{command} {args}"), input).exits(0);
            let done = match args.starts_with("--max-len") {
                true => done.says(&["-: 1 link is longer than 20 bytes and stays text"]),
                false => done.quiet(),
            };
            String::from_utf8_lossy(&done.stdout).into_owned()
        };
        assert_eq!(run("find"), format!("{uri}\n"), "{args}");
        // JSON may write `/` as `\/`.
        let written = run("rewrite").replace("\\/", "/");
        assert!(written.contains(uri), "{args}: {written}");
        let page = run("report --output -");
        let open = if uri.starts_with('b') { format!("https://{uri}") } else { uri.to_owned() };
        assert!(page.contains(&format!(" href=\"{open}\">")), "{args}: {page}");
        assert_eq!(page.matches(" href=\"").count(), 1, "{args}: {page}");
    }
    // With these options, nothing is rewritten in these texts.
    for (args, input) in [("--host keep", "http://ü.org/"), ("--ascii-only", "http://a.org/aé")] {
        let run = |command: &str| iriscan_in(dir.path(), &format!("{command} {args}"), input);
        run("rewrite").exits(0).quiet().writes(input);
    }
    let keep =
        |command: &str| iriscan_in(dir.path(), &format!("{command} --host keep"), "http://ü.org/é");
    keep("find").exits(0).quiet().writes("http://ü.org/%C3%A9\n");
    keep("rewrite").exits(0).quiet().writes("http://ü.org/%C3%A9");
    let page = keep("report -o -").exits(0).quiet().stdout;
    let page = String::from_utf8(page).unwrap();
    assert!(page.contains(">http://ü.org/%C3%A9</div>"), "{page}");
    let ascii = iriscan_in(dir.path(), "report -o - --ascii-only", "http://a.org/aé").stdout;
    let ascii = String::from_utf8(ascii).unwrap();
    assert!(ascii.contains(" href=\"http://a.org/a\">"), "{ascii}");
}

/// Each command reads the same files.
#[test]
fn inputs_are_the_same_in_each_command() {
    let text = "http://e.org/é";
    let dir =
        files(&[("a", b"x"), (".gitignore", b"o\n"), (".ignore", b"o\n"), ("list", b"d\na\n")]);
    fs::create_dir(dir.path().join("d")).unwrap();
    for name in ["d/.h", "d/o", "d/z"] {
        fs::write(dir.path().join(name), text).unwrap();
    }
    fs::write(dir.path().join("d/.ignore"), "o\n").unwrap();
    for (args, names) in [
        ("d", &["d/z"][..]),
        ("--hidden --glob !.ignore d", &["d/.h", "d/z"]),
        ("--no-ignore d", &["d/o", "d/z"]),
        ("--glob [oh]* --no-ignore d", &["d/o"]),
        ("--files-from list", &["d/z"]),
        ("--files-from - --null-paths", &["d/o", "d/.h"]),
    ] {
        let run = |command: &str, code: i32| {
            let done =
                iriscan_in(dir.path(), &format!("{command} --no-progress {args}"), "d/o\0d/.h");
            let done = done.exits(code);
            (String::from_utf8(done.stdout).unwrap(), done.stderr)
        };
        let listed: String =
            names.iter().map(|name| format!("{name}:http://e.org/%C3%A9\n")).collect();
        assert_eq!(run("find", 0), (listed, String::new()), "{args}");
        let named: String =
            names.iter().map(|name| format!("iriscan: {name}: 1 link would change\n")).collect();
        assert_eq!(run("rewrite --check", 1), (String::new(), named), "{args}");
        let (page, _) = run("report -o -", 0);
        let shown: Vec<&str> = page
            .split("<section class=file>\n<h2><bdi>")
            .skip(1)
            .filter(|section| section.contains("\n<li id=l"))
            .filter_map(|section| section.split("</bdi>").next())
            .collect();
        assert_eq!(shown, names, "{args}");
    }
}

/// Giving the default value of an option changes nothing.
#[test]
fn defaults_are_what_they_say() {
    let text = "http://e.org/é";
    let dir = files(&[("a", text.as_bytes())]);
    let legacy = b"http://h.org/\xFF?\xFF\n";
    for (args, option, value, others) in [
        ("rewrite --diff a", "--color", "auto", &["always"][..]),
        ("rewrite --diff a", "--color", "never", &["always"]),
        ("find a", "--color", "never", &["always"]),
        ("find", "--format", "text", &["mail"]),
        ("convert --charset windows-1251", "--query", "document", &["utf-8"]),
        ("convert --charset windows-1251", "--nfc", "auto", &[]),
        ("convert --charset windows-1251", "--disallowed", "encode", &[]),
    ] {
        let run = |more: &str| run(dir.path(), &format!("{args} {more}"), legacy);
        let plain = run("");
        assert_eq!(run(&format!("{option} {value}")), plain, "{args} {option} {value}");
        for other in others {
            assert!(run(&format!("{option} {other}")) != plain, "{args} {option} {other}");
        }
    }
    // Archives are not rewritten.
    let done = iriscan_in(dir.path(), "rewrite --format warc", "WARC/1.0\r\n").exits(2);
    done.says(&["a web archive", "`find` lists its links"]);
}
