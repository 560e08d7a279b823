use std::{format, string::ToString, vec::Vec};

use super::*;
use crate::{
    api::{config::Config, finder::Finder},
    format::kinds::Format,
    grammar::types::Kind,
};

fn chosen(builder: FilterBuilder, text: &str) -> Vec<String> {
    let filter = builder.build().expect("the patterns should be valid");
    let kinds = [Kind::Iri, Kind::Bare, Kind::Email];
    let finder = Config::new().kinds(kinds).filter(filter).build().unwrap();
    finder.find_iter(text).map(|link| link.text().into_owned()).collect()
}

const TEXT: &str = "http://a.example/x www.b.example u@c.example mailto:u@d.example \
                    http://例え.jp/道 https://A.EXAMPLE:80/y ftp://xn--r8jz45g.jp/ tel:+4912345";

#[test]
fn all_conditions_must_hold() {
    let filter = Filter::builder().only_host("*.example").matching("^http");
    assert_eq!(chosen(filter.clone(), TEXT), ["http://a.example/x", "https://A.EXAMPLE:80/y"]);
    assert_eq!(chosen(filter.not_matching("x$"), TEXT), ["https://A.EXAMPLE:80/y"]);
}

#[test]
fn one_value_of_a_condition_is_enough() {
    let filter = Filter::builder().only_host("例え.jp").only_host("www.*");
    assert_eq!(
        chosen(filter, TEXT),
        ["www.b.example", "http://例え.jp/道", "ftp://xn--r8jz45g.jp/"]
    );
    let filter = Filter::builder().not_host("*.example").not_host("*.jp");
    assert_eq!(chosen(filter, TEXT), ["tel:+4912345"]);
    let filter = Filter::builder().matching("道").matching("(?i)TEL");
    assert_eq!(chosen(filter, TEXT), ["http://例え.jp/道", "tel:+4912345"]);
    let filter = Filter::builder().contains(["e/x", "/y"]).contains(["+49"]);
    assert_eq!(
        chosen(filter, TEXT),
        ["http://a.example/x", "https://A.EXAMPLE:80/y", "tel:+4912345"]
    );
}

#[test]
fn hosts_of_all_kinds_of_link_are_looked_up() {
    let list: HostList = ["c.example", "b.example", "例え.jp"].iter().collect();
    assert_eq!(
        chosen(Filter::builder().hosts_from(list), TEXT),
        ["www.b.example", "u@c.example", "http://例え.jp/道", "ftp://xn--r8jz45g.jp/"]
    );
    assert_eq!(chosen(Filter::builder().hosts_from(HostList::new()), TEXT), [""; 0]);
}

#[test]
fn nothing_is_chosen_of_nothing() {
    assert_eq!(chosen(Filter::builder().contains([""; 0]), TEXT), [""; 0]);
    assert_eq!(chosen(Filter::builder(), TEXT).len(), 8);
}

#[test]
fn changed_is_what_rewriting_changes() {
    let filter = Filter::builder().changed(true);
    assert_eq!(chosen(filter.clone(), TEXT), ["http://例え.jp/道"]);
    // No URI form, a host that is kept, an identifier.
    let changed = |config: Config, text: &str| {
        let finder = config.filter(filter.clone().build().unwrap()).build().unwrap();
        let links = finder.find_iter(text).count() as u64;
        assert_eq!(links, finder.rewrite_slice(text).1.changed, "{text}");
        links
    };
    assert_eq!(changed(Config::new(), "http://\u{AD}.example/é http://a.example/é"), 1);
    let keep = Config::new().host(crate::HostForm::Keep);
    assert_eq!(changed(keep, "http://例え.jp/ http://例え.jp/é"), 1);
    let turtle = "<http://a.example/é> <b> \"http://a.example/é\" .";
    assert_eq!(changed(Config::new().format(Format::Turtle), turtle), 1);
}

#[test]
fn the_iri_of_a_format_is_what_is_matched() {
    let filter = Filter::builder().matching(r"^/x\?a&b$").build().unwrap();
    let finder = Config::new().format(Format::Html).filter(filter).build().unwrap();
    let html = "<a href='/x?a&amp;b'>http://a.example/</a><a href='/x?a&b'><a href=/x>";
    assert_eq!(finder.find_iter(html).count(), 2);
    assert_eq!(finder.find_at(html, 10).map(|link| link.range()), Some(9..19));
    assert!(finder.find_at(html, 25).is_none());
}

#[cfg(feature = "legacy-charsets")]
#[test]
fn charsets_are_decoded() {
    let filter = Filter::builder().matching("/表$").build().unwrap();
    let finder = Config::new().filter(filter).build().unwrap();
    let finder = finder.charset(crate::Charset::for_label("shift_jis").unwrap());
    let text = b"http://a.example/\x95\\ http://a.example/\x95x http://a.example/";
    let ranges: Vec<_> = finder.find_iter(text).map(|link| link.range()).collect();
    assert_eq!((ranges.len(), &ranges[0]), (1, &(0..19)));
}

#[test]
fn errors_have_the_place() {
    let cases = [
        (Filter::builder().matching("a").matching("é(b"), Some(2), "match: \"é(b\""),
        (Filter::builder().not_matching("[z-a]"), Some(1), "not_match: \"[z-a]\""),
        (Filter::builder().matching(r"\p{Nope}"), Some(0), "match: "),
        (Filter::builder().not_host("a/b"), Some(1), "not_host: \"a/b\""),
        (Filter::builder().matching("((a{1000}){1000}){1000}"), None, "match: "),
    ];
    for (builder, offset, start) in cases {
        let error = builder.build().unwrap_err();
        assert_eq!(error.offset(), offset, "{error}");
        assert!(error.to_string().starts_with(start), "{error}");
    }
    let error = Filter::builder().matching("é(b").build().unwrap_err().to_string();
    assert!(error.contains("unclosed group, character 2;"), "{error}");
}

/// A pattern that takes exponential time in other engines.
#[test]
fn a_hostile_pattern_takes_linear_time() {
    let filter = Filter::builder().matching("(x+x+)+y$").build().unwrap();
    let finder = Config::new().filter(filter).build().unwrap();
    let text = "http://a.example/".to_string() + &"x".repeat(60_000);
    assert_eq!(finder.find_iter(&text).count(), 0);
}

#[test]
fn filters_are_equal_by_their_conditions() {
    let filter = || Filter::builder().only_host("a").matching("b").contains(["c"]).changed(true);
    let list = |line: &str| -> HostList { [line].iter().collect() };
    let build = |builder: FilterBuilder| builder.build().unwrap();
    assert_eq!(build(filter()), build(filter()));
    assert_ne!(build(filter()), build(filter().not_host("x")));
    assert_ne!(build(filter()), build(filter().matching("x")));
    assert_eq!(build(filter().hosts_from(list("x"))), build(filter().hosts_from(list("X"))));
    assert_ne!(build(filter().hosts_from(list("x"))), build(filter().hosts_from(list("y"))));
    let finder = Config::new().filter(build(filter())).build().unwrap();
    assert_eq!(finder.config().get_filter(), Some(&build(filter())));
    assert_eq!(Finder::new().config().get_filter(), None);
}

/// The short way to the host of a link gives what splitting gives.
#[test]
fn hosts_are_those_of_the_components() {
    use crate::reference::components::Components;

    let html = "<a href='?a://b/c'><a href='a/b://c'><a href='//h.example/x'><a href='http://H.example'>\
        <a href='http://u@h.example:80/'><a href='http://[::1]/'><a href='x'><a href='http:///x'>\
        <a href='mailto:u@h.example'><a href='foo+bar://h.example?q'><a href='1a://h/'>\
        <a href='http://h\\x/'><a href='http://h:1:2/'><a href='http://é.example/'><a href='http:x'><a href='ftp://i.example/'><a href='http://J.example.?q'>";
    let finder = Finder::new().format(Format::Html);
    let mut hosts = 0;
    for link in finder.find_iter(html) {
        let iri = link.iri();
        if link.warnings().contains(&crate::Warning::BrowserHost) {
            assert_eq!(link.plain_host(), None, "{iri}");
            continue;
        }
        let address = iri.strip_prefix("mailto:").and_then(|it| it.split_once('@'));
        let want = Components::split(&iri).host().or(address.map(|(_, domain)| domain));
        assert_eq!(link.host().as_deref(), want, "{iri}");
        let plain = link.plain_host().map(|host| str::from_utf8(host).unwrap());
        assert!(plain.is_none() || plain == want.map(comparable).as_deref(), "{iri}");
        hosts += usize::from(want.is_some());
    }
    assert!(hosts >= 8, "{hosts}");
}

#[test]
fn literals_have_a_limit_together() {
    let given = |lens: &[usize]| lens.iter().map(|len| "x".repeat(*len)).collect::<Vec<_>>();
    for lens in [&[9][..], &[10], &[4, 6], &[0, 10], &[]] {
        assert!(super::literals(given(lens), 10).is_ok(), "{lens:?}");
    }
    for lens in [&[11][..], &[5, 6], &[10, 1], &[20]] {
        let error = super::literals(given(lens), 10).err().unwrap();
        assert_eq!(error.kind(), FilterErrorKind::Contains);
        let len: usize = lens.iter().sum();
        assert_eq!(
            error.to_string(),
            format!(
                "contains_from: the strings have {len} bytes together, and 10 are the most; give \
                 fewer or shorter ones"
            )
        );
    }
}
