//! `find --context`: the text before and after links.

use crate::common::{Live, files, iriscan, iriscan_in};

const TEXT: &str = "one\nsiehe unter http://a.example/\u{e9} und http://b.example/ ende\n";

#[test]
fn records_have_the_text_around_if_it_is_wanted() {
    let records = iriscan("find --json --context 6", TEXT).exits(0).quiet().records();
    let around = |i: usize| (records[i]["before"].as_str(), records[i]["after"].as_str());
    assert_eq!(around(0), (Some("unter "), Some(" und h")));
    assert_eq!(around(1), (Some("\u{e9} und "), Some(" ende\n")));
    let plain = iriscan("find --json", TEXT).records();
    for (mut with, without) in records.into_iter().zip(plain) {
        with.as_object_mut().unwrap().retain(|key, _| key != "before" && key != "after");
        assert_eq!(with, without);
    }
    // Over line ends, with nothing, and with all.
    let one = |chars: &str| iriscan(&format!("find --json --context {chars}"), TEXT).records();
    assert_eq!(one("16")[0]["before"], "one\nsiehe unter ");
    assert_eq!((&one("0")[0]["before"], &one("0")[1]["after"]), (&"".into(), &"".into()));
    assert_eq!(one("10000")[1]["after"], " ende\n");
    iriscan("find --context 10001", TEXT).exits(2);
    iriscan("find --context 6 --csv", TEXT).exits(2);
}

#[test]
fn offsets_and_numbers_are_those_of_the_link() {
    let done = iriscan("find --json --context 3 --offsets lines,utf16", TEXT).exits(0);
    let without = iriscan("find --json --offsets lines,utf16", TEXT).records();
    for (record, plain) in done.records().iter().zip(&without) {
        for key in ["line", "column", "utf16", "start", "end"] {
            assert_eq!(record[key], plain[key]);
        }
    }
    iriscan(r"find --context 5 --print {n}:{line}:{column}[{before}|{host}|{after}]", TEXT)
        .exits(0)
        .writes("1:2:13[nter |a.example| und ]\n2:2:36[ und |b.example| ende]\n");
    // The fields mean 80 characters.
    iriscan("find --print {before}", "x".repeat(100) + " http://a.example/")
        .exits(0)
        .writes("x".repeat(79) + " \n");
}

#[test]
fn a_menu_has_the_link_in_its_text_after_a_tab() {
    iriscan("find --context 8 -0", TEXT).exits(0).writes(
        "http://a.example/%C3%A9\te unter http://a.example/\u{e9} und htt\0\
         http://b.example/\te/\u{e9} und http://b.example/ ende\0",
    );
    iriscan("find --context 12 --iri", "a\n\n b\t http://a.example/\u{e9}")
        .exits(0)
        .writes("http://a.example/\u{e9}\ta b http://a.example/\u{e9}\n");
    iriscan("find --context 3 --unique", "a http://a.example/ b http://a.example/ c")
        .exits(0)
        .writes("http://a.example/\ta http://a.example/ b\n");
    let dir = files(&[("a.txt", TEXT.as_bytes()), ("b.txt", b"x http://c.example/")]);
    iriscan_in(dir.path(), "find --context 2 a.txt b.txt", "").exits(0).writes(
        "a.txt:http://a.example/%C3%A9\tr http://a.example/\u{e9} u\n\
         a.txt:http://b.example/\td http://b.example/ e\n\
         b.txt:http://c.example/\tx http://c.example/\n",
    );
}

#[test]
fn markup_is_read_as_people_read_it() {
    let page = "<title>T</title><p>Go <b>to</b> the\n<a class=x href='http://a.example/'>the shop</a>,\
                <i>now</i>.<p>Or http://b.example/ &amp; so on";
    let records = iriscan("find --format html --json --context 40", page).exits(0).records();
    assert_eq!(records[0]["before"], " Go to the ");
    assert_eq!(records[0]["after"], ",now. Or http://b.example/ & so on");
    assert_eq!(records[1]["before"], " Go to the the shop,now. Or ");
    assert_eq!(records[1]["after"], " & so on");
    let menu = iriscan("find --format html --context 9", page).exits(0);
    menu.writes(
        "http://a.example/\to to the the shop,now. Or\nhttp://b.example/\t,now. Or http://b.example/ & so on\n",
    );
}

#[test]
fn every_charset_has_a_context() {
    for label in ["shift_jis", "iso-2022-jp", "gb18030", "utf-16le", "euc-jp"] {
        let text = "これは http://a.example/道 です。";
        let bytes: Vec<u8> = match label {
            "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            _ => encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into(),
        };
        let args = format!("find --charset {label} --context 3 --print {{before}}|{{after}}");
        iriscan(&args, bytes).exits(0).writes("れは | です\n");
    }
}

#[test]
fn mail_has_a_context_in_each_part() {
    let message = "Subject: =?utf-8?Q?siehe_sch=C3=B6n_http://s.example/_hier?=\n\
        MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n\
        --b\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n\
        Z3LDvMOfZSBodHRwOi8vYS5leGFtcGxlLyB1bmQgbWVocg==\n\
        --b\nContent-Type: text/html; charset=iso-8859-1\n\
        Content-Transfer-Encoding: quoted-printable\n\n\
        <p>gr=FC=DFe <a href=3D\"http://h.exa=\nmple/\"><b>hier</b></a> und &eacute;</p>\n--b--\n";
    let records =
        iriscan("find --format mail --json --context 8", message).exits(0).quiet().records();
    let around: Vec<_> = records
        .iter()
        .map(|record| (record["before"].as_str().unwrap(), record["after"].as_str().unwrap()))
        .collect();
    assert_eq!(around[0], ("e schön ", " hier"));
    assert_eq!(around[1], ("grüße ", " und meh"));
    assert_eq!(around[2], (" grüße ", " und é "));
    iriscan("find --format mail -0 --context 3", message).exits(0).writes(
        "http://s.example/\tön http://s.example/ hi\0http://a.example/\tße http://a.example/ un\0\
             http://h.example/\tße hier un\0",
    );
    iriscan(r"find --format mail --print {subject}|{before}", message)
        .exits(0)
        .writes(
            "siehe schön http://s.example/ hier|siehe schön \nsiehe schön http://s.example/ hier|grüße \n\
             siehe schön http://s.example/ hier| grüße \n",
        );
    // In colour, each link is in its line.
    let painted = iriscan("find --format mail --color always", message).exits(0);
    let painted = String::from_utf8(painted.stdout).unwrap();
    for words in ["grüße", "und mehr", "siehe schön"] {
        assert!(painted.contains(words), "{words}: {painted}");
    }
}

#[test]
fn a_live_input_gives_a_link_when_its_context_is_complete() {
    let mut live = Live::start("find --context 4");
    live.send("see http://a.example/ now");
    live.gives("http://a.example/\tsee http://a.example/ now\n");
    live.send(" and http://b.example/");
    live.end().exits(0);
}
