//! What a reader should know about a whole reference.
//!
//! Characters are judged by their component. Nothing is changed or forbidden.

use alloc::{borrow::Cow, string::String, vec::Vec};

use icu_properties::{CodePointMapData, props::Script};
use idna::uts46::{AsciiDenyList, Hyphens, Uts46, verify_dns_length};
use percent_encoding::percent_decode_str;
use unicode_security::mixed_script::AugmentedScriptSet;

use super::{
    bidi::BidiFault,
    class::{any, is_encoded_or_escape},
    components::{Component, Components},
    idna2008, lookalike,
    syntax::{Grammar, Reference},
    to_iri::to_unicode,
    to_uri::{HostForm, UriOptions, is_dns, to_ascii},
    unicode::{is_joiner_in_context, is_mark, is_nfc},
    warning::Warning,
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
        match self.is_plain() {
            true => self.plain_warnings(),
            false => self.all_warnings(),
        }
    }

    /// True if the reference is a URI without escapes and its host is neither punycode nor an
    /// address. Most are.
    fn is_plain(&self) -> bool {
        let (text, host) = (self.as_str(), self.host().unwrap_or_default());
        !any(text.as_bytes(), is_encoded_or_escape)
            && !host.starts_with('[')
            && !host
                .as_bytes()
                .windows(4)
                .any(|part| matches!(part[0], b'x' | b'X') && part.eq_ignore_ascii_case(b"xn--"))
            && self.is_rfc3986()
    }

    /// The warnings that a plain reference can have ([`Components::is_plain`]).
    fn plain_warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if !self.fits_dns() {
            warnings.push(Warning::DnsLength);
        }
        if let Some(user) = self.userinfo() {
            warnings.push(Warning::Userinfo);
            if looks_like_host(user) {
                warnings.push(Warning::UserinfoLikeHost);
            }
        }
        warnings
    }

    fn all_warnings(&self) -> Vec<Warning> {
        let text = self.as_str();
        let ascii = text.is_ascii();
        let host = self.shown_host();
        let bidi = self.bidi_findings();
        let bidi = |fault| bidi.iter().any(|finding| finding.fault == fault);
        let holds = |warning: &Warning| match warning {
            Warning::NotRfc3986 => !self.is_rfc3986(),
            Warning::BidiControl => bidi(BidiFault::Control),
            Warning::BidiMixed => bidi(BidiFault::Mixed),
            Warning::BidiEdge => bidi(BidiFault::Edge),
            Warning::MixedScript => !(ascii && host.is_ascii()) && self.mixes_scripts(&host),
            // Punycode is not mapped again.
            Warning::IdnaDeviation => {
                self.named_host().contains(['ß', 'ẞ', 'ς', '\u{200C}', '\u{200D}'])
            }
            Warning::Idna2008Disallowed => !is_idna2008(&host),
            Warning::DnsLength => !self.fits_dns(),
            Warning::Userinfo => self.userinfo().is_some(),
            Warning::UserinfoLikeHost => self.userinfo().is_some_and(looks_like_host),
            Warning::NotNfc => !is_nfc(text),
            Warning::LeadingCombining => {
                !ascii && self.pieces().any(|piece| piece.starts_with(is_mark))
            }
            Warning::JoinerContext => !ascii && self.pieces().any(has_stray_joiner),
            Warning::PercentNotUtf8 => has_foreign_escapes(text),
            Warning::LeiriOnly => {
                Reference::parse(text, Grammar::IriReference).is_err()
                    && Reference::parse(text, Grammar::Leiri).is_ok()
            }
            Warning::ConfusableHost => !host.is_ascii() && lookalike::looks_like_ascii(&host),
            Warning::MalformedBytesAdjacent | Warning::TextNamesAnotherHost => false,
        };
        Warning::ALL.iter().copied().filter(holds).collect()
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
        match self.scheme() {
            Some(scheme) if scheme.eq_ignore_ascii_case("mailto") => {
                let mut addresses = self.path().split(',').filter_map(|a| a.rsplit_once('@'));
                addresses.all(|(_, domain)| name_fits_dns(domain))
            }
            Some(scheme) if !is_dns(scheme) => true,
            _ => name_fits_dns(self.host().unwrap_or_default()),
        }
    }

    /// The host with its escapes decoded.
    fn named_host(&self) -> Cow<'_, str> {
        percent_decode_str(self.host().unwrap_or_default()).decode_utf8_lossy()
    }

    /// The host as people may see it: punycode decoded as well.
    fn shown_host(&self) -> Cow<'_, str> {
        Cow::Owned(to_unicode(&self.named_host()).into_owned())
    }

    /// Whether the URI form is a URI reference by RFC 3986. An ASCII reference is its own URI
    /// form. In any other, the characters that conversion encodes are allowed.
    fn is_rfc3986(&self) -> bool {
        let text = self.as_str();
        let options = UriOptions::new().host(HostForm::Percent);
        let uri = if text.is_ascii() { Ok(Cow::Borrowed(text)) } else { options.to_uri(text) };
        uri.is_ok_and(|uri| Reference::parse(&uri, Grammar::UriReference).is_ok())
    }

    /// The parts that have words of people, split at delimiters.
    fn pieces(&self) -> impl Iterator<Item = &str> {
        crate::reference::bidi::COMPONENTS
            .into_iter()
            .filter_map(|component| Some((component, self.range(component)?)))
            .flat_map(|(component, range)| {
                crate::reference::bidi::pieces(self.as_str(), component, range)
            })
            .map(|range| &self.as_str()[range])
    }

    fn mixes_scripts(&self, host: &str) -> bool {
        let elsewhere =
            [Component::Userinfo, Component::Path, Component::Query, Component::Fragment];
        // The digits of escapes are no letters; a divider ends a word.
        let words = |text: &str| {
            text.split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric())
                .any(|word| !word.is_ascii() && mixes(word))
        };
        host.split('.').any(mixes)
            || elsewhere.into_iter().filter_map(|component| self.range(component)).any(|range| {
                let text = &self.as_str()[range];
                words(&without_escapes(text))
            })
    }
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
    if text.is_ascii() || !scripts(&mut text.chars()).is_empty() {
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
    text.contains('%') && percent_decode_str(text).decode_utf8().is_err()
}

#[cfg(test)]
mod tests {
    use std::{format, vec};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn plain_references_have_no_other_warnings(
            scheme in prop::sample::select(vec!["", "http:", "HTTPS:", "mailto:", "x-y:", "//"]),
            rest in "[a-cA-C0-9./?#@:,_~!-]{0,80}|//[a-c0-9@.:-]{0,80}(/[a-z&=]{0,9})?|//[xXn-]{3,9}a",
        ) {
            let text = format!("{scheme}{rest}");
            let parts = Components::split(&text);
            if parts.is_plain() {
                prop_assert_eq!(parts.plain_warnings(), parts.all_warnings(), "{}", text);
            }
        }
    }
}
