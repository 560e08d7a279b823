//! The promises as properties, for IP addresses: a third kind of text in which numbers, dots and colons are
//! nearly all there is.

use std::{string::String, vec::Vec};

use proptest::prelude::*;

use super::{cases, laws, naive, ways};
use crate::{
    api::config::Config,
    charset::Charset,
    engine::tuning::Tuning,
    grammar::types::{Kind, RuleSet},
};

/// Numbers, what may be next to them, and links of the other kinds.
const PIECES: &[&str] = &[
    "1",
    "10",
    "255",
    "256",
    "01",
    "192.0.2.1",
    "1.2.3.4",
    "10.0.0.0/8",
    ".",
    "..",
    ":",
    "::",
    ":80",
    ":99999",
    "2001",
    "db8",
    "ff",
    "::1",
    "2001:db8::1",
    "::ffff:192.0.2.1",
    "1:2:3:4:5:6:7:8",
    "00:11:22:33:44:55",
    "[",
    "]",
    "[::1]",
    "[::]",
    "(",
    ")",
    "\"",
    "<",
    ">",
    " ",
    "\n",
    "/",
    "//",
    "/a",
    "?",
    "#",
    "-",
    "_",
    "%",
    "@",
    "\\",
    "=",
    ",",
    "+",
    "~",
    "v",
    "ver.",
    "IPv6:",
    "ip6:",
    "version ",
    "release:",
    "Версия ",
    "版本",
    "a",
    "é",
    "日",
    "¹",
    "。",
    "com",
    ".com",
    "a.com",
    "http://",
    "abc://",
    "tel:",
    "mailto:",
    "x@y.com",
    "|",
    "*",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..12).prop_map(|pieces| pieces.concat())
}

fn charset() -> impl Strategy<Value = Charset> {
    let names = ["utf-8", "utf-16le", "utf-16be", "gb18030", "iso-2022-jp"];
    prop::sample::select(names.into_iter().filter_map(cases::known).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4 * laws::cases_count()))]

    /// The machine finds what the naive twin finds, at once, byte by byte, and without masks.
    #[test]
    fn ip_addresses_are_what_the_twin_finds(
        text in text(),
        charset in charset(),
        others in any::<bool>(),
        ascii_only in prop::bool::weighted(0.1),
    ) {
        let Some(bytes) = cases::encode(&text, charset) else { return Ok(()) };
        let kinds = if others { Kind::ALL } else { &[Kind::Ip] };
        let config = Config::new().charset(charset).kinds(kinds.iter().copied()).ascii_only(ascii_only);
        let finder = config.build().expect("the options should be valid");
        let got: Vec<_> = finder
            .find_iter(&bytes[..])
            .map(|link| (link.span().start, link.span().end, link.kind()))
            .collect();
        prop_assert_eq!(&got, &naive::links(&bytes, charset, &finder.rules), "{} {:?}", charset, text);
        let whole = ways::slice(&finder, &bytes);
        prop_assert_eq!(&ways::push(&finder, bytes.chunks(1)), &whole, "{} {:?}", charset, text);
        let slow = ways::tuned(&finder, Tuning { fast_path: false, ..Tuning::DEFAULT });
        prop_assert_eq!(&ways::slice(&slow, &bytes), &whole, "{} {:?}", charset, text);
    }

    /// By UTS #58 to the letter there is no link without a scheme that is an address.
    #[test]
    fn no_ip_address_is_a_link_by_uts58(text in text()) {
        let config = Config::new().kinds(Kind::ALL.iter().copied()).rules(RuleSet::Uts58);
        let finder = config.build().expect("the options should be valid");
        prop_assert!(finder.find_iter(&*text).all(|link| link.kind() != Kind::Ip), "{:?}", text);
    }

    /// The host of an address is one that the standard library reads, and nothing opens the address.
    #[test]
    fn ip_addresses_are_addresses(text in text()) {
        let finder = Config::new().kinds([Kind::Ip]).build().expect("the options should be valid");
        for link in finder.find_iter(&*text) {
            let host = link.host().expect("an address should have a host");
            let address = host.trim_start_matches('[').trim_end_matches(']');
            prop_assert!(address.parse::<core::net::IpAddr>().is_ok(), "{:?} {:?}", text, host);
            prop_assert!(link.text().starts_with(&host) && link.open().is_err(), "{:?}", link);
        }
    }
}
