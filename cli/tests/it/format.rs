//! `--format`: the format of an input, by option, by extension and by content.

use serde_json::json;

use crate::common::{files, iriscan, iriscan_in};

const PAGE: &str = "<!doctype html><a href='/é?a&amp;b'>x</a>http://a.org/&eacute;";
const FEED: &str = "<?xml version='1.0'?><a href='é'>http://a.org/&#xE9;</a>";
const JSON: &str = r#"{"a": "http:\/\/a.org\/\u00e9", "b": "http://a.org/b"}"#;
const LOG: &str = "\x1b[1mGET http://a.org/\\xC3\\xA9 200\n";
const CSV: &str = "a,b\nhttp://a.org/é,\"http://b.org/x,y\"\n";
const TSV: &str = "a\tb\nhttp://a.org/é\thttp://b.org/x,y\n";
const MARKDOWN: &str = "[a](/é) http://a.org/x\\_é `b`\n";
const ASCIIDOC: &str = "= A\n:toc:\n\nhttp://a.org/é[b] link:c[d]\n";
const ORG: &str = "#+TITLE: a\n\n[[http://a.org/é][b]] =http://b.org/=\n";
const LATEX: &str = "\\documentclass{a}\n\\href{é}{b} http://a.org/\\_é\n";
const RST: &str = "a\n\n.. _b: http://a.org/é\n\n`c <d\\_>`_\n";
const PO: &str = "msgid \"\"\n\"http://a.o\"\n\"rg/é\\n\"\n";
const WIKITEXT: &str = "{{Infobox a|url=http://a.org/é|b=c}}\n[http://b.org/?a&amp;b c]\n";
const BBCODE: &str = "[b]http://b.org/[/b] [url=http://a.org/é]c[/url]\n";
const ICAL: &str =
    "BEGIN:VCARD\r\nURL:http://a.o\r\n rg/é\r\nNOTE:a\\, http://b.org/\\;\r\nEND:VCARD\r\n";
const CSS: &str = "/* http://a.org/é */ a{b:url(é\\)x) 'http://b.org/'}\n";
const TURTLE: &str = "@prefix a: <http://a.org/\\u00E9> .\n<é> a:b \"x\" .\n";

#[test]
fn each_by_its_name_and_by_its_extension() {
    let all = [
        ("html", PAGE, "/%C3%A9?a&b\nhttp://a.org/%C3%A9\n"),
        ("xml", FEED, "%C3%A9\nhttp://a.org/%C3%A9\n"),
        ("json", JSON, "http://a.org/%C3%A9\nhttp://a.org/b\n"),
        ("log", LOG, "http://a.org/%C3%A9\n"),
        ("turtle", TURTLE, "http://a.org/%C3%A9\n%C3%A9\n"),
        ("csv", CSV, "http://a.org/%C3%A9\nhttp://b.org/x,y\n"),
        ("markdown", MARKDOWN, "/%C3%A9\nhttp://a.org/x_%C3%A9\n"),
        ("asciidoc", ASCIIDOC, "http://a.org/%C3%A9\nc\n"),
        ("org", ORG, "http://a.org/%C3%A9\nhttp://b.org/\n"),
        ("latex", LATEX, "%C3%A9\nhttp://a.org/_%C3%A9\n"),
        ("rst", RST, "http://a.org/%C3%A9\nd_\n"),
        ("po", PO, "http://a.org/%C3%A9\n"),
        ("wikitext", WIKITEXT, "http://a.org/%C3%A9\nhttp://b.org/?a&b\n"),
        ("tsv", TSV, "http://a.org/%C3%A9\nhttp://b.org/x,y\n"),
        ("ical", ICAL, "http://a.org/%C3%A9\nhttp://b.org/\n"),
        ("css", CSS, "http://a.org/%C3%A9\n%C3%A9)x\nhttp://b.org/\n"),
    ];
    for (format, text, links) in all {
        iriscan(&format!("find --format {format}"), text).exits(0).quiet().writes(links);
        let name = format!("x.{}", if format == "turtle" { "TTL" } else { format });
        let dir = files(&[(&name, text.as_bytes())]);
        iriscan_in(dir.path(), &format!("find {name}"), "").exits(0).quiet().writes(links);
        iriscan_in(dir.path(), &format!("find -v {name}"), "")
            .mentions(&[&name, &format!("format {format} by its name")]);
    }
}

#[test]
fn rewriting_keeps_the_escapes_of_the_format() {
    for (format, text, want) in [
        ("html", PAGE, "<!doctype html><a href='/%C3%A9?a&amp;b'>x</a>http://a.org/%C3%A9"),
        ("xml", FEED, "<?xml version='1.0'?><a href='%C3%A9'>http://a.org/%C3%A9</a>"),
        ("json", JSON, r#"{"a": "http:\/\/a.org\/%C3%A9", "b": "http://a.org/b"}"#),
        ("log", LOG, "\x1b[1mGET http://a.org/%C3%A9 200\n"),
        ("asciidoc", ASCIIDOC, "= A\n:toc:\n\nhttp://a.org/%C3%A9[b] link:c[d]\n"),
        ("org", ORG, "#+TITLE: a\n\n[[http://a.org/%C3%A9][b]] =http://b.org/=\n"),
        ("latex", LATEX, "\\documentclass{a}\n\\href{%C3%A9}{b} http://a.org/\\_\\%C3\\%A9\n"),
        ("rst", RST, "a\n\n.. _b: http://a.org/%C3%A9\n\n`c <d\\_>`_\n"),
        ("po", PO, "msgid \"\"\n\"http://a.org/%C3%A9\\n\"\n"),
        (
            "wikitext",
            WIKITEXT,
            "{{Infobox a|url=http://a.org/%C3%A9|b=c}}\n[http://b.org/?a&amp;b c]\n",
        ),
        ("bbcode", BBCODE, "[b]http://b.org/[/b] [url=http://a.org/%C3%A9]c[/url]\n"),
        ("markdown", MARKDOWN, "[a](/%C3%A9) http://a.org/x\\_%C3%A9 `b`\n"),
        ("csv", CSV, "a,b\nhttp://a.org/%C3%A9,\"http://b.org/x,y\"\n"),
        ("tsv", TSV, "a\tb\nhttp://a.org/%C3%A9\thttp://b.org/x,y\n"),
        ("css", CSS, "/* http://a.org/%C3%A9 */ a{b:url(%C3%A9\\)x) 'http://b.org/'}\n"),
        (
            "ical",
            ICAL,
            "BEGIN:VCARD\r\nURL:http://a.org/%C3%A9\r\nNOTE:a\\, http://b.org/\\;\r\nEND:VCARD\r\n",
        ),
        (
            "turtle --identifiers",
            TURTLE,
            "@prefix a: <http://a.org/%C3%A9> .\n<%C3%A9> a:b \"x\" .\n",
        ),
    ] {
        iriscan(&format!("rewrite --format {format}"), text).exits(0).quiet().writes(want);
        iriscan(&format!("rewrite --check --format {format}"), text).exits(1).quiet().writes("");
        iriscan(&format!("rewrite --check --format {format}"), want).exits(0).quiet().writes("");
    }
}

#[test]
fn identifiers_stay_unless_told() {
    iriscan("rewrite --format turtle", TURTLE)
        .exits(0)
        .writes(TURTLE)
        .mentions(&["-: 2 links are identifiers of RDF and stay as written", "--identifiers"]);
    iriscan("rewrite --check --format turtle", TURTLE).exits(0);
    let literal = "<http://a.org/é> <b> \"http://a.org/é\" .\n";
    iriscan("rewrite --format turtle", literal)
        .exits(0)
        .writes("<http://a.org/é> <b> \"http://a.org/%C3%A9\" .\n")
        .mentions(&["1 link is an identifier of RDF and stays"]);
}

#[test]
fn standard_input_is_text_unless_told() {
    iriscan("find", "<a href=/é>").exits(1).writes("");
    iriscan("find -v", "http://a.org/").mentions(&["-: charset", "format text"]);
    iriscan("find --format sniff", PAGE).exits(0).writes("/%C3%A9?a&b\nhttp://a.org/%C3%A9\n");
    for (text, format) in [
        (PAGE, "html"),
        ("\u{FEFF} <!-- x --><HTML lang=de>", "html"),
        (FEED, "xml"),
        (JSON, "json"),
        ("[{\"a\": 1}]", "json"),
        (TURTLE, "turtle"),
        ("<http://a.org/> <http://b.org/> <http://c.org/> .\n", "turtle"),
        ("# A\n\nSee [b](http://a.org/).\n", "markdown"),
        (ASCIIDOC, "asciidoc"),
        (ORG, "org"),
        (LATEX, "latex"),
        ("@book{a,\n  url = {http://a.org/}\n}\n", "latex"),
        (RST, "rst"),
        (WIKITEXT, "wikitext"),
        (PO, "po"),
        (ICAL, "ical"),
        ("\u{FEFF}begin:vcalendar\n", "ical"),
        ("sep=;\na;b\n", "csv"),
        ("a,b,c\n1,2,3\n4,5,6\n", "csv"),
        ("a\tb\n1\t2\n3\t4\n", "tsv"),
        ("One, two, three.\nFour, five.\n", "text"),
        ("<http://a.org/> and more", "text"),
        ("{a: b}", "text"),
        ("", "text"),
    ] {
        let said = format!("format {format} by its first bytes");
        iriscan("find -v --format sniff", text).mentions(&[&said]);
    }
}

#[test]
fn a_name_tells_nothing_where_the_format_is_told() {
    let dir = files(&[("a.html", b"<a href='/x'> http://a.org/"), ("b", PAGE.as_bytes())]);
    iriscan_in(dir.path(), "find --format text a.html", "").writes("http://a.org/\n");
    iriscan_in(dir.path(), "find --format html b", "").writes("/%C3%A9?a&b\nhttp://a.org/%C3%A9\n");
    iriscan_in(dir.path(), "find a.html b", "")
        .writes("a.html:/x\na.html:http://a.org/\nb:http://a.org/\n");
}

#[test]
fn records_say_what_stands_and_what_it_means() {
    let found = iriscan("find --json --format html", PAGE).exits(0).quiet();
    let [link, prose] = &found.records()[..] else { panic!("{found:?}") };
    assert_eq!(link["text"], "/é?a&amp;b");
    assert_eq!(link["iri"], "/é?a&b");
    assert_eq!(link["uri"], "/%C3%A9?a&b");
    assert_eq!((&link["start"], &link["end"]), (&json!(24), &json!(35)));
    assert_eq!(
        (&link["kind"], &link["scheme"], &link["host"]),
        (&json!("iri"), &json!(null), &json!(null))
    );
    assert_eq!(prose["text"], "http://a.org/&eacute;");
    assert_eq!((&prose["scheme"], &prose["host"]), (&json!("http"), &json!("a.org")));
}

#[test]
fn fields_of_json() {
    let json = r#"{"a": "http://a.org/", "b": ["http://b.org/"], "c": {"a": "http://c.org/"}}"#;
    iriscan("find --format json --field a", json).writes("http://a.org/\nhttp://c.org/\n");
    iriscan("find --format json --field a --field b", json)
        .writes("http://a.org/\nhttp://b.org/\nhttp://c.org/\n");
    iriscan("find --format json --field x", json).exits(1).writes("");
}

#[test]
fn fields_of_what_is_no_json_are_answered() {
    let json = br#"{"a": "http://a.org/", "b": "http://b.org/"}"#;
    let dir = files(&[("x.json", json), ("x.txt", b"http://t.org/ "), ("x", json)]);
    let run = |args: &str| iriscan_in(dir.path(), args, json);
    for command in ["find", "rewrite", "rewrite -i", "report -o -"] {
        for format in
            ["text", "html", "xml", "log", "mail", "turtle", "csv", "markdown", "asciidoc"]
        {
            let args = format!("{command} --field a --format {format} x.json");
            run(&args).exits(2).writes("").says(&["'--field'", "JSON", format, "; "]);
        }
    }
    let unused = ["no input was JSON", "--field", "--format json"];
    // Standard input has no extension, so it is read as text.
    run("find --field a").exits(0).says(&unused).writes("http://a.org/\nhttp://b.org/\n");
    run("find --field a x x.txt x").exits(0).says(&unused);
    run("find -j1 --field a --json x.txt").exits(0).says(&unused);
    run("rewrite --field a x.txt").exits(0).says(&unused).writes("http://t.org/ ");
    run("rewrite --check --field a x.txt").exits(0).says(&unused);
    run("report -o r.html --field a x.txt").exits(0).says(&unused);
    // Some inputs were JSON.
    run("find --field a x.txt x.json").exits(0).quiet();
    run("find --field a --format json").exits(0).quiet().writes("http://a.org/\n");
    run("find --field a --format sniff x").exits(0).quiet().writes("http://a.org/\n");
    run("find --field x --format json").exits(1).quiet();
    run("find --field a missing").exits(2).says(&["missing: "]);
    let unused = ["no input was a log", "--targets", "--format log"];
    run("find --targets x.txt").exits(0).says(&unused);
    run("find --targets --format log x.txt").exits(0).quiet();
}

#[test]
fn the_charset_may_be_declared() {
    let page = b"<meta charset=windows-1251><a href=/\xEC\xE8\xF0?\xEC>";
    let done = iriscan("rewrite -v --format html", page);
    done.writes(&b"<meta charset=windows-1251><a href=/%D0%BC%D0%B8%D1%80?%EC>"[..])
        .says(&["charset windows-1251 as the document declares"]);
    let feed = b"<?xml version='1.0' encoding='koi8-r'?><a href='\xCD\xC9\xD2'/>";
    iriscan("find --format xml", feed).writes("%D0%BC%D0%B8%D1%80\n");
    iriscan("find --format xml --charset windows-1252", feed).writes("%C3%8D%C3%89%C3%92\n");
}

#[test]
fn an_unknown_format_is_answered_with_the_known_ones() {
    iriscan("find --format htm", "").exits(2).writes("").mentions(&["'htm'", "html", "turtle"]);
}

#[test]
fn the_delimiter_is_told_or_found() {
    let table = "http://a.org/x;y,1\nhttp://a.org/z;2,3\n";
    iriscan("find --format csv", table).exits(0).writes("http://a.org/x;y\nhttp://a.org/z;2\n");
    iriscan("find --format csv --delimiter ;", table)
        .exits(0)
        .writes("http://a.org/x\nhttp://a.org/z\n");
    iriscan("find --format csv --delimiter \\t", "a, http://a.org/x,y\tb\n")
        .exits(0)
        .writes("http://a.org/x,y\n");
    let dir =
        files(&[("x.csv", b"sep=;\nhttp://a.org/x,y;b\n"), ("y.tab", b"a\thttp://a.org/b,c\td")]);
    iriscan_in(dir.path(), "find x.csv y.tab", "")
        .exits(0)
        .writes("x.csv:http://a.org/x,y\ny.tab:http://a.org/b,c\n");
    iriscan_in(dir.path(), "rewrite --replace <{n},> x.csv", "").writes("sep=;\n<1,>;b\n");
    for wrong in ["a", "%", "\"", "ab", "é"] {
        iriscan(&format!("find --format csv --delimiter {wrong}"), "").exits(2).writes("");
    }
    iriscan("find --format csv --delimiter 5", "").mentions(&["cannot delimit fields of CSV"]);
    iriscan("find --format html --delimiter ;", "")
        .exits(2)
        .mentions(&["'--delimiter' is of CSV, and not of --format html"]);
}

#[test]
fn code_of_markdown_is_left_out_on_request() {
    let text = "`http://a.org/` http://b.org/\n\n```\nhttp://c.org/\n```\n";
    iriscan("find --format markdown", text)
        .exits(0)
        .writes("http://a.org/\nhttp://b.org/\nhttp://c.org/\n");
    iriscan("find --format markdown --no-code", text).exits(0).writes("http://b.org/\n");
    iriscan("find --format html --no-code", "")
        .exits(2)
        .mentions(&["'--no-code' is of Markdown, and not of --format html"]);
}
