//! What a reader should know about a whole reference.
//!
//! Characters are judged by their component. Nothing is changed or forbidden.

use alloc::{borrow::Cow, string::String, vec::Vec};

use icu_properties::{CodePointMapData, props::Script};
use idna::uts46::{AsciiDenyList, Hyphens, Uts46, verify_dns_length};
use percent_encoding::percent_decode_str;
use unicode_security::mixed_script::AugmentedScriptSet;

use super::{
    bidi::{BidiFault, COMPONENTS, order, pieces},
    class::{any, is_bidi_control, is_encoded_or_escape},
    components::{Component, Components},
    host_cache::HostCache,
    idna2008, lookalike,
    syntax::{Grammar, Reference},
    to_iri::{is_punycode, to_unicode},
    to_uri::{HostForm, UriOptions, is_dns, to_ascii},
    unicode::{is_joiner_in_context, is_mark, is_nfc, is_of_one_script, is_simple},
    warning::{Warning, Warnings},
};
use crate::data::top_level::is_tld;

impl Components<'_> {
    /// What a reader should know about the reference, each warning at most once, in the order
    /// of [`Warning::ALL`]. This does not check whether the reference is valid.
    ///
    /// ```
    /// use iriscan::{Warning, reference::Components};
    ///
    /// let parts = Components::split("http://www.example.com@раypal.example/x%FF");
    /// assert_eq!(parts.warnings(), [
    ///     Warning::MixedScript,
    ///     Warning::Userinfo,
    ///     Warning::UserinfoLikeHost,
    ///     Warning::PercentNotUtf8,
    ///     Warning::ConfusableHost,
    /// ]);
    /// ```
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        judge(self.as_str(), None).to_vec()
    }

    /// False if the host is that of a scheme with DNS names, or of no scheme, and the DNS
    /// cannot hold its name, or the domain of an address of a `mailto:`: see
    /// [`Warning::DnsLength`]. Browsers convert such a host all the same, and so does
    /// [`UriOptions::to_uri`].
    ///
    /// ```
    /// use iriscan::reference::Components;
    ///
    /// assert!(Components::split("http://é.example/").fits_dns());
    /// assert!(!Components::split("http://é..example/").fits_dns());
    /// ```
    #[must_use]
    pub fn fits_dns(&self) -> bool {
        self.addresses_fit_dns()
            && (!self.has_dns_host() || name_fits_dns(self.host().unwrap_or_default()))
    }

    /// False if the DNS cannot hold the domain of an address of a `mailto:`.
    fn addresses_fit_dns(&self) -> bool {
        let mut addresses = self.path().split(',').filter_map(|a| a.rsplit_once('@'));
        !self.is_mailto() || addresses.all(|(_, domain)| name_fits_dns(domain))
    }

    fn is_mailto(&self) -> bool {
        self.scheme().is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto"))
    }

    /// True if a host would be a DNS name.
    fn has_dns_host(&self) -> bool {
        !self.is_mailto() && self.scheme().is_none_or(is_dns)
    }
}

/// What a reader should know about the reference `text`. A host that `hosts` has is not judged
/// again.
pub(crate) fn judge(text: &str, hosts: Option<&mut HostCache>) -> Warnings {
    let mut found = Warnings::default();
    let ascii = text.is_ascii();
    // The URI form of an IRI is a URI.
    let grammar = if ascii { Grammar::UriReference } else { Grammar::IriReference };
    let parts = match Reference::parse(text, grammar) {
        Ok(reference) => reference.components(),
        Err(_) => {
            let is = |grammar| Reference::parse(text, grammar).is_ok();
            found.add(Warning::NotRfc3986, ascii || !has_uri_form(text));
            found.add(Warning::LeiriOnly, !is(Grammar::IriReference) && is(Grammar::Leiri));
            Components::split(text)
        }
    };
    let host = parts.host().unwrap_or_default();
    if !is_plain_name(host) {
        let mut of_host = match hosts {
            Some(hosts) => {
                *hosts.of(host.as_bytes()).warnings.get_or_insert_with(|| judge_host(host))
            }
            None => judge_host(host),
        };
        if !parts.has_dns_host() {
            of_host.remove(Warning::DnsLength);
        }
        found.join(of_host);
    }
    found.add(Warning::DnsLength, !parts.addresses_fit_dns());
    if let Some(user) = parts.userinfo() {
        found.add(Warning::Userinfo, true);
        found.add(Warning::UserinfoLikeHost, looks_like_host(user));
    }
    found.add(Warning::PortTooLarge, parts.port().is_some_and(is_too_large));
    found.add(Warning::PercentNotUtf8, has_foreign_escapes(text));
    if !ascii {
        let simple = is_simple(text);
        found.add(Warning::NotNfc, !simple && !is_nfc(text));
        for component in COMPONENTS.into_iter().filter(|part| *part != Component::Host) {
            let part = parts.range(component).map_or("", |range| &text[range]);
            found.add(Warning::MixedScript, has_mixed_words(part));
            if !simple {
                found.join(judge_pieces(part, component));
            }
        }
    }
    found
}

/// What a reader should know about a host, whatever is before and after it.
/// [`Warning::DnsLength`] is only for DNS names.
fn judge_host(host: &str) -> Warnings {
    let mut found = Warnings::default();
    found.add(Warning::DnsLength, !name_fits_dns(host));
    let named = percent_decode_str(host).decode_utf8_lossy();
    // As people may see it.
    let unicode = to_unicode(&named);
    found.join(judge_pieces(host, Component::Host));
    found.add(Warning::MixedScript, unicode.split('.').any(mixes));
    // Punycode is not mapped again.
    let deviates = named.contains(['ß', 'ẞ', 'ς', '\u{200C}', '\u{200D}']);
    found.add(Warning::IdnaDeviation, deviates);
    found.add(Warning::Idna2008Disallowed, !is_idna2008(&unicode));
    // Those that map back are decoded.
    found.add(Warning::BadALabel, unicode.split('.').any(is_punycode));
    let looks_like_ascii = !unicode.is_ascii() && lookalike::looks_like_ascii(&unicode);
    found.add(Warning::ConfusableHost, looks_like_ascii);
    found
}

/// True if it is seen at once that [`judge`] finds nothing in a reference to the web, in UTF-8, whose host,
/// made of lower-case letters, digits, hyphens and dots, is `host`: after it is only what RFC 3986 allows
/// there, without escapes, and letters of one script. False says nothing.
pub(crate) fn has_plain_parts(reference: &[u8], host: &str) -> bool {
    let authority = reference.iter().position(|b| *b == b'/').map_or(0, |at| at + 2);
    let after = reference.get(authority + host.len()..).unwrap_or_default();
    let fragments = memchr::memchr_iter(b'#', after).take(2).count();
    let disallowed = |b: u8| is_encoded_or_escape(b) & b.is_ascii() | (b == b'[') | (b == b']');
    let is_plain = |text: &str| is_simple(text) && is_of_one_script(text);
    is_plain_name(host)
        && fragments <= 1
        && !any(after, disallowed)
        && (after.is_ascii() || core::str::from_utf8(after).is_ok_and(is_plain))
}

/// True if a host is short ASCII without escapes, without two dots or hyphens in a row, and
/// without a dot at its start. So it is no punycode, the DNS can hold it, and no rule about
/// characters of Unicode applies to it: there is nothing to know about it. False says nothing.
fn is_plain_name(host: &str) -> bool {
    let bytes = host.as_bytes();
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    // No early end, so that the compiler can compare many bytes at once.
    bytes.len() < 64
        && bytes.first() != Some(&b'.')
        && bytes.iter().fold(true, |all, b| all & (b.is_ascii() & (*b != b'%')))
        && pairs.fold(true, |all, (a, b)| all & ((a != b) | ((*a != b'.') & (*a != b'-'))))
}

/// True if the digits of a port are a number that no port has.
fn is_too_large(port: &str) -> bool {
    let number = port.trim_start_matches('0');
    !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit())
        && number.parse::<u16>().is_err()
}

/// What a reader should know about the words of people in a component, which are between its
/// delimiters: their order, and their first and invisible characters.
fn judge_pieces(text: &str, component: Component) -> Warnings {
    let mut found = Warnings::default();
    if is_simple(text) {
        return found;
    }
    for range in pieces(text, component, 0..text.len()) {
        let piece = &text[range];
        let order = order(piece);
        found.add(Warning::BidiControl, piece.contains(is_bidi_control));
        found.add(Warning::BidiMixed, order == Some(BidiFault::Mixed));
        found.add(Warning::BidiEdge, order == Some(BidiFault::Edge));
        found.add(Warning::LeadingCombining, piece.starts_with(is_mark));
        found.add(Warning::JoinerContext, has_stray_joiner(piece));
    }
    found
}

/// True if a word of a component that is no host mixes scripts.
fn has_mixed_words(text: &str) -> bool {
    // The digits of escapes are no letters; a divider ends a word.
    !text.is_ascii()
        && without_escapes(text)
            .split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric())
            .any(mixes)
}

/// True if the URI form of `text`, which is not ASCII, is a URI reference by RFC 3986. The
/// characters that conversion encodes are allowed.
fn has_uri_form(text: &str) -> bool {
    let uri = UriOptions::new().host(HostForm::Percent).to_uri(text);
    uri.is_ok_and(|uri| Reference::parse(&uri, Grammar::UriReference).is_ok())
}

/// False if `host` is a name that the DNS cannot hold. An empty host, an IP literal, and a name
/// without an ASCII form are not judged.
fn name_fits_dns(host: &str) -> bool {
    if host.is_empty() || host.starts_with('[') {
        return true;
    }
    let name = match host.contains('%') {
        true => percent_decode_str(host).decode_utf8_lossy(),
        false => Cow::Borrowed(host),
    };
    let ascii = if name.is_ascii() { Some(name) } else { to_ascii(&name).map(Cow::Owned) };
    ascii.is_none_or(|ascii| verify_dns_length(&ascii, true))
}

/// `text` with a space for every escape.
fn without_escapes(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split('%');
    let mut out = String::from(parts.next().unwrap_or_default());
    for part in parts {
        out.push(' ');
        let digits = part.as_bytes().get(..2).is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit));
        out.push_str(if digits { &part[2..] } else { part });
    }
    Cow::Owned(out)
}

/// Whether the scripts of `text` are not written together: UTS #39, section
/// 5.1, and Latin beside Chinese, Japanese or Korean as its Highly Restrictive
/// level has it.
fn mixes(text: &str) -> bool {
    let scripts = |text: &mut dyn Iterator<Item = char>| {
        text.fold(AugmentedScriptSet::default(), |mut set, c| {
            set.intersect_with(AugmentedScriptSet::for_char(c));
            set
        })
    };
    if is_of_one_script(text) || !scripts(&mut text.chars()).is_empty() {
        return false;
    }
    let latin = |c: &char| CodePointMapData::<Script>::new().get(*c) == Script::Latin;
    let others = scripts(&mut text.chars().filter(|c| !latin(c)));
    !(others.hanb || others.jpan || others.kore)
}

/// Whether IDNA2008 has all characters of `host` as UTS #46 maps it.
fn is_idna2008(host: &str) -> bool {
    if host.is_ascii() || host.starts_with('[') {
        return true;
    }
    let (mapped, _) =
        Uts46::new().to_unicode(host.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow);
    // ASCII that no name holds, such as "_", is not judged here.
    mapped.split('.').filter(|label| !label.is_ascii()).all(idna2008::is_label)
}

/// Whether a user name could be taken for the host: it is an address, or it has dots and ends in
/// a top-level domain (RFC 3986, section 7.6).
fn looks_like_host(userinfo: &str) -> bool {
    let userinfo = percent_decode_str(userinfo).decode_utf8_lossy();
    let end = userinfo
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-')))
        .unwrap_or(userinfo.len());
    let name = userinfo[..end].trim_end_matches('.');
    let Some((before, last)) = name.rsplit_once('.') else { return false };
    name.parse::<core::net::Ipv4Addr>().is_ok() || !before.is_empty() && is_tld(last)
}

fn has_stray_joiner(piece: &str) -> bool {
    piece.match_indices(['\u{200C}', '\u{200D}']).any(|(i, joiner)| {
        let after = &piece[i + joiner.len()..];
        !joiner.chars().all(|c| is_joiner_in_context(&piece[..i], c, after))
    })
}

/// Whether a run of escapes is not UTF-8.
fn has_foreign_escapes(text: &str) -> bool {
    memchr::memchr(b'%', text.as_bytes()).is_some()
        && percent_decode_str(text).decode_utf8().is_err()
}

#[cfg(test)]
mod tests {
    use std::format;

    use proptest::prelude::*;

    use super::*;
    use crate::reference::host_name::plain_host;

    #[test]
    fn most_links_are_plain_references() {
        let plain = |text: &str, host| has_plain_parts(text.as_bytes(), host);
        assert!(plain("https://en.example.org/wiki/A?b=c:d#e", "en.example.org"));
        assert!(plain("http://a.example", "a.example"));
        assert!(plain("http://a.example/東京?q=タワー", "a.example"));
        for rest in ["/%20", "/#a#", "/[", "/ ", "/e\u{301}", "/аb", "/\u{200D}"] {
            assert!(!plain(&format!("http://a.example{rest}"), "a.example"), "{rest}");
        }
    }

    proptest! {
        #[test]
        fn an_iri_has_a_uri_form(
            parts in prop::collection::vec("[a-z]{0,2}[:/?#@\\[\\]%.]{0,2}|\\PC|//|%[0-9A-Fa-f]{2}", 0..9),
        ) {
            let text = parts.concat();
            if Reference::parse(&text, Grammar::IriReference).is_ok() {
                prop_assert!(has_uri_form(&text), "{}", text);
            }
        }

        #[test]
        fn hosts_that_are_known_give_the_same_warnings(
            hosts in prop::collection::vec(
                "[a-cбß例\u{5D0}\u{200D}\u{301}.]{0,4}|xn--[a-z0-9]{3,6}|%[a-f0-9]{2}|раураl|\\PC{1,3}",
                1..9,
            ),
            schemes in prop::collection::vec("https?:|mailto:|x:|", 2),
        ) {
            let mut known = HostCache::new();
            for (scheme, host) in schemes.iter().flat_map(|s| hosts.iter().map(move |h| (s, h))) {
                let text = format!("{scheme}//u@{host}/ü");
                prop_assert_eq!(judge(&text, Some(&mut known)), judge(&text, None), "{}", text);
            }
        }

        /// Plain names have no warnings, so that the short way may skip the rules.
        #[test]
        fn no_rule_applies_to_plain_names(host in "[a-cA-CxXn0-9.@:\\[_-]{0,70}|[a-z.%-]{0,9}") {
            prop_assert!(!is_plain_name(&host) || judge_host(&host) == Warnings::default());
        }

        /// Nor to plain references.
        #[test]
        fn nothing_is_to_know_about_plain_references(
            host in "[a-c0-9.-]{1,9}|[a-c.-]{60,66}|xn--a|1.2.3.4",
            after in "([/?#]([a-c:@!$&'()*+,;=/?#%\\[\\]|é -]{0,6}|[a-c/éбв東タ가]{1,4}|[/a\\PC]{1,3}))?",
        ) {
            let text = format!("http://{host}{after}");
            if plain_host(text.as_bytes()) == Some(host.as_bytes())
                && has_plain_parts(text.as_bytes(), &host)
            {
                prop_assert_eq!(judge(&text, None), Warnings::default(), "{}", text);
            }
        }
    }
}
