//! Generated names and addresses, and what is around them: words of each list that decides whether a
//! name is a host, in the places where they decide.

use std::{string::String, vec, vec::Vec};

use proptest::{prelude::*, sample::select};

use crate::data::{host_words, tlds::TLDS};

/// Labels that some rule is for, or is not for.
#[rustfmt::skip]
const LABELS: &[&str] = &[
    "a", "t", "x", "ab", "abc", "abcd", "www", "WWW", "www2", "wwww", "awww", "x-y", "-a", "a-", "_a", "a_b", "1", "12",
    "1234", "3a", "a3", "163", "005930", "foo", "fooBar", "FooBar", "Foo", "FOO", "iPhone", "com", "org", "net", "io", "edu",
    "gov", "java", "javax", "operator", "prototype", "self", "this", "auth", "authpriv", "cron", "daemon", "kern", "mail",
    "syslog", "forum", "Makefile", "Dockerfile", "Procfile", "profile", "file", "xfile", "xn--a", "ü", "é", "aä", "aÄ",
    "Äa", "żal", "日", "日本", "k工", "工k", "한", "한글", "พรบ", "พรบพ", "я", "Я", "Яя", "İ", "ß", "ſ", "", "",
];

/// Last labels of addresses, beside top-level domains.
#[rustfmt::skip]
const ENDS: &[&str] = &[
    "x", "X", "zzz", "Zzz", "ZZZ", "http", "news", "mailto", "service", "png", "2x", "3", "อยาก", "คอม", "日", "中国",
    "рф", "РФ", "x1", "xn--x", "xn--p1ai", "a_b", "c-", "zip", "txt",
];

#[rustfmt::skip]
const BEFORE: &[&str] = &[
    " ", " ", " ", " ", "\n", "", "", "(", "<", "\"", "'", "/", "@", ".", "..", "...", "a", "1", "日", "a日", "é", "→", "…",
    "http://", "foo://", "#", "$", "%", "~", "+", "-", "_", "=", ":", ",", "\\", "\\n", "\\t", "。", "「", "a.com", "é.com/日",
];

#[rustfmt::skip]
const AFTER: &[&str] = &[
    " ", " ", " ", " ", "\n", "", "", ")", ">", "\"", "/", "/x", "/x/", "/を", "/日", "/x日", "/x日_a", "?", "?a", "?.", "?“", "?“a”",
    "#", "#a", "#.", ":", ": ", ":80", ":80/", ":80x", ":0", ":65535", ":65536", ":99999/x", ":x", "::", ":%d", ":{", ":/x", "=",
    "=a", "(", "()", "[.]", "[.x", "[", "{", "@", "@a", "$", "%", "+", "~", "\\", "\\n", ".", "..", "...", "...a.com", "-", "--", ".-", "_",
    "._", "_a", "日", "を", "é", "→", "🍄", "🍄.ga", "，", "。", "…", ",", ",a.com", ";", ",http://", "|", "&", "&lt;", "&amp;",
];

/// Texts before a local part.
#[rustfmt::skip]
const SENDERS: &[&str] = &[
    "", "", "", "joe:", "Joe:", "joe.x:", "a/b:", "mail:", "e-mail:", "to:", "x-to:", "reply-to:", "xto:", "news:", "x:", "(joe:",
    "\"joe:", "=joe:", "/joe:", "é:", "foo://", "foo://u:", "foo://u/", "<foo://u:", "mailto://", "mailto:", "MAILTO://", "://", "//",
    "a@", "<", "<a=", "<a..=", "<é{", "b=", "{", "|", "*", "\\n", "\\fI", "\\fX", "\\u003c", "\\u003", "\\x3c", "\\x3", "=3C", "=3c",
    "=20", "=5B", "=A", "$", "a$", "1$", "é$", "$$", "-", "+", ".", "..", "'", "#", "&", "日", "a日", "a.b=c.org", "a=日.中国", "a.com",
];

#[rustfmt::skip]
const LOCALS: &[&str] = &[
    "a", "john.doe", "a..b", "a.", ".a", "-", "--", "+", "_", "'", "%", "1", "é", "日", "日a", "a日", "o'neil", "a+b", "a-b",
    "list-a=b.org", "list-a=b", "=b.org", "nI", "fIa", "u003ca", "x3ca", "n", "r1", "t.a", "20a", "", "",
];

#[rustfmt::skip]
const RECEIVERS: &[&str] = &[
    ":b/c", ":b/c@", ":b@c.de", ":B", ":B@c.de", ":22", ":~", ":_", "::m", ": ", ":", ":/a", ":日@", "@foo://", "@f://", "@x1y2://",
    "@foo:/", "@", "@b.de", ".@b.de", ":http://a", ".http://a", ".", "..", "-", "--", "._", ".b_c", "-b", "日", "/x", "?a", "=",
];

/// A word of one of the lists.
fn listed() -> impl Strategy<Value = String> {
    let bytes = |list: &[&[u8]]| -> Vec<String> {
        list.iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect()
    };
    let all = [
        bytes(&host_words::IDENTIFIERS),
        bytes(&host_words::STEMS),
        bytes(&host_words::SCRIPTS),
        bytes(&host_words::FORMATS),
        bytes(&host_words::REGISTRY),
    ];
    select(all.to_vec()).prop_flat_map(select)
}

/// The text with another case now and then.
fn in_any_case(text: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (text, 0..10u8).prop_map(|(text, how)| match how {
        0 => text.to_uppercase(),
        1 => {
            let mut chars = text.chars();
            let first = chars.next().into_iter().flat_map(char::to_uppercase);
            first.chain(chars).collect()
        }
        2 => {
            let last = text.chars().next_back();
            text.chars().chain(last.into_iter().flat_map(char::to_uppercase)).collect()
        }
        _ => text,
    })
}

fn label() -> impl Strategy<Value = String> {
    let word = prop_oneof![2 => select(LABELS).prop_map(String::from), 1 => listed()];
    let long = prop_oneof![Just(62usize), Just(63), Just(64)].prop_map(|n| "a".repeat(n));
    prop_oneof![40 => in_any_case(word), 1 => long]
}

/// A top-level domain: of each list as often as of all.
fn top_level() -> impl Strategy<Value = String> {
    let lists: Vec<Vec<&str>> = vec![
        TLDS.to_vec(),
        host_words::PLAIN.to_vec(),
        host_words::FILES.to_vec(),
        host_words::WORDS.to_vec(),
        host_words::ALWAYS_FILES.to_vec(),
        host_words::EXCHANGES.to_vec(),
        host_words::OF_NUMBERS.to_vec(),
        host_words::SOFT.to_vec(),
        host_words::MEMBERS.to_vec(),
        vec![
            "pl",
            "sh",
            "is",
            "app",
            "com",
            "Com",
            "info",
            "co",
            "me",
            "cn",
            "dev",
            "int",
            "คอม",
            "рф",
        ],
    ];
    in_any_case(select(lists).prop_flat_map(select).prop_map(String::from))
}

fn name() -> impl Strategy<Value = String> {
    let end = prop_oneof![8 => top_level(), 1 => select(ENDS).prop_map(String::from)];
    let labels = prop_oneof![6 => 1..3usize, 2 => Just(3), 1 => 0..6usize];
    let labels = labels.prop_flat_map(|n| prop::collection::vec(label(), n));
    (labels, end).prop_map(|(labels, end)| [&labels[..], &[end]].concat().join("."))
}

fn address() -> impl Strategy<Value = String> {
    let long = prop_oneof![Just(254usize), Just(255), Just(256)].prop_map(|n| "a".repeat(n));
    let local = prop_oneof![30 => select(LOCALS).prop_map(String::from), 1 => long];
    let end = prop_oneof![1 => top_level(), 2 => select(ENDS).prop_map(String::from)];
    let domain = prop_oneof![
        2 => (label(), end).prop_map(|(label, end)| [label, end].join(".")),
        1 => name(),
    ];
    let after = prop_oneof![select(RECEIVERS), select(AFTER)];
    let parts = (select(SENDERS), local, domain, after);
    parts.prop_map(|(sender, local, domain, after)| [sender, &local, "@", &domain, after].concat())
}

/// Text with names and addresses.
pub(super) fn text() -> impl Strategy<Value = String> {
    let host = (select(BEFORE), name(), select(AFTER));
    let host = host.prop_map(|(before, name, after)| [before, &name, after].concat());
    let mail = (select(BEFORE), address()).prop_map(|(before, mail)| [before, &mail].concat());
    let piece = prop_oneof![3 => host, 2 => mail];
    prop::collection::vec(piece, 1..6).prop_map(|pieces| pieces.concat())
}
