//! `-j`: the output for a large file is the same on any number of threads.

use std::path::Path;

use crate::common::{Done, Order, files, iriscan, iriscan_in, wide};

/// Different words and links in UTF-8, of `len` bytes in all.
fn text(len: usize, word: &str) -> String {
    let mut text = String::new();
    for i in 0.. {
        if text.len() > len {
            break;
        }
        text += &format!(
            "{word} {i}, <http://h{i}.example/{word}?q={i}>; a{i}@example.org (www.h{i}.example) "
        );
        // Some lines wrap links, some are empty.
        text += match i % 7 {
            0 => "\n",
            1 => "\r\n\r\n",
            2 => "<http://wrapped.example/a\n  /b> ",
            3 => "http://ü.example/日本。 ",
            _ => "",
        };
    }
    text
}

/// The output of all commands for the file `name` with `jobs` threads.
fn all(dir: &Path, name: &str, jobs: usize, charset: &str) -> Vec<(Vec<u8>, String)> {
    let ways = ["find --kinds iri,bare,email", "find --json", "rewrite"].into_iter();
    let run = |way| {
        let args = format!("{way} -v -j{jobs} --charset {charset} {name}");
        let Done { stdout, stderr, .. } = iriscan_in(dir, &args, "");
        (stdout, stderr)
    };
    ways.map(run).collect()
}

fn same(name: &str, bytes: &[u8], charset: &str) {
    let dir = files(&[(name, bytes)]);
    let one = all(dir.path(), name, 1, charset);
    assert!(one[0].0.len() > 1000, "{name}: there should be links");
    for jobs in [0, 3] {
        for (got, want) in all(dir.path(), name, jobs, charset).iter().zip(&one) {
            assert!(got.0 == want.0, "{name}: -j{jobs} writes something else");
            assert_eq!(got.1, want.1, "{name}: -j{jobs}");
        }
    }
}

#[test]
fn several_threads_give_what_one_gives() {
    same("utf-8", text(5 << 18, "日本").as_bytes(), "auto");
    let sjis = encoding_rs::SHIFT_JIS.encode(&text(5 << 18, "表")).0.into_owned();
    same("shift_jis", &sjis, "shift_jis");
    same("utf-16", &wide(&text(5 << 17, "и"), 2, Order::Little), "utf-16le");
    // This charset has a state, so one thread scans the file.
    let jis = encoding_rs::ISO_2022_JP.encode(&text(5 << 18, "日本")).0.into_owned();
    same("iso-2022-jp", &jis, "auto");
}

/// The charset may show late in a file, and then holds for all bytes after it.
#[test]
fn the_charset_may_show_in_any_piece() {
    let ascii = text(5 << 18, "x").replace(['ü', '日', '本', '。'], "");
    let late = encoding_rs::WINDOWS_1251.encode("плата за вход http://ж.example/ё \n").0;
    let bytes = [ascii.as_bytes(), &late.repeat(8_000), ascii.as_bytes()].concat();
    same("late", &bytes, "auto");
    same("ascii", ascii.as_bytes(), "auto");
}

/// The same in every format that can be cut: markup and escapes may be at any place where the
/// file would be cut.
#[test]
fn formats_are_shared_too() {
    let words = text(5 << 18, "é");
    let markup = |script: &str, cdata: &str| {
        let mut page = String::from("<html><meta charset=windows-1252>\n");
        for (i, line) in words.split_inclusive('>').enumerate() {
            let line = line.replace('<', " <a title='> <b' href='").replace('>', "'> </a>\n");
            page += &match i % 900 {
                0..100 => format!("<{script}> {line} <b> </{script}>\n"),
                100..200 => format!("<!-- {line} <i> -->\n"),
                200..300 => format!("{cdata} <b>\n"),
                _ => line,
            };
        }
        encoding_rs::WINDOWS_1252.encode(&page).0.into_owned()
    };
    same("a.html", &markup("script", "<title> <b>&eacute; http://t.example/</title>"), "auto");
    same("a.xml", &markup("script", "<![CDATA[ <b> http://t.example/é ]]>"), "windows-1252");
    let ascii: Vec<u8> = markup("script", "").into_iter().filter(u8::is_ascii).collect();
    let late = [&*ascii, &b"<a href='http://\xE9.example/'> ".repeat(9_000)].concat();
    same("late.html", &late, "auto");
    let escaped =
        words.replace('日', r"\u65e5").replace("\r\n", r" \x20 \n ").replace(';', "\x1b[0m ");
    same("a.log", escaped.as_bytes(), "auto");
    same("a.json", escaped.replace('<', r#"", "a": "\u003c"#).as_bytes(), "auto");
    // This format is not cut.
    same("a.ttl", words.replace('"', "").as_bytes(), "utf-8");
}

/// If no boundary is near, one thread goes on alone.
#[test]
fn a_line_without_a_space_is_one_piece() {
    let text = text(5 << 18, "x");
    let solid = text.replace([' ', '\r', '\n'], "");
    let bytes = [&text, &solid, &solid, &solid, &text].map(|part| part.as_bytes()).concat();
    same("solid", &bytes, "utf-8");
}

#[test]
fn a_wrong_number_of_threads_is_told_what_would_be_right() {
    for jobs in ["x", "-1", "1.5"] {
        let done = iriscan(&format!("find --jobs={jobs}"), "");
        done.exits(2).mentions(&["--jobs", "give a number of threads, or 0 for one per core"]);
    }
}

#[test]
fn threads_know_the_base() {
    let mut page = String::from("<base href='http://a.example/d/'>\n");
    for i in 0..60_000 {
        page += &format!("<p><a href='{i}'>{i}</a></p>\n");
    }
    let dir = files(&[("page.html", page.as_bytes())]);
    let one = iriscan_in(dir.path(), "find -j1 --print={absolute} page.html", "").exits(0);
    let many = iriscan_in(dir.path(), "find -j2 --print={absolute} page.html", "").exits(0);
    assert!(one.stdout.ends_with(b"http://a.example/d/59999\n"));
    assert!(one.stdout == many.stdout);
}

#[test]
fn values_are_counted_over_all_inputs_and_threads() {
    let big = "see http://b.example/é and http://a.example/\n".repeat(60_000);
    let dir = files(&[
        ("a.txt", big.as_bytes()),
        ("b.eml", b"Subject: http://a.example/\n\nhttp://a.example/\n"),
    ]);
    for jobs in [1, 2] {
        let done = iriscan_in(dir.path(), &format!("find --count-by host -j{jobs} ."), "");
        done.exits(0).quiet().writes("60002\ta.example\n60000\tb.example\n");
        let args = format!("find --print {{n}}|{{line}}|{{iri}} -j{jobs} a.txt");
        let done = iriscan_in(dir.path(), &args, "").exits(0).quiet();
        let lines = String::from_utf8(done.stdout).unwrap();
        assert_eq!(lines.lines().last(), Some("120000|60000|http://a.example/"));
    }
}
