//! IRI to URI, component by component (3987bis section 3, RFC 3987 section 3.1).
//!
//! Invariants: a URI is returned as it is, borrowed, unless its host is a percent-encoded name
//! that IDNA maps. The result is ASCII unless hosts are kept. Converting the result again
//! changes nothing.

use alloc::{
    borrow::{Cow, ToOwned},
    format,
    string::String,
};
use core::ops::Range;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use percent_encoding::percent_decode;

use super::{
    class::{any, is_encoded, is_encoded_or_escape, is_kept},
    components::{Component, Components, Ends},
    host_cache::HostCache,
    mailto,
    octets::Octets,
    syntax::{Grammar, Reference},
    unicode::{compose, is_simple},
    uri_error::Why,
};
pub use super::{
    uri_error::{UriError, UriErrorKind},
    uri_options::{
        Backslash, Disallowed, HostEscapes, HostForm, Nfc, QueryCharset, Unmappable, UriOptions,
    },
};
use crate::{
    charset::{
        legacy::{EncoderResult, Encoding},
        unicode,
    },
    data::schemes,
};

impl UriOptions {
    /// The URI form of `reference` (3987bis section 3, RFC 3987 section 3.1),
    /// relative or not. A URI is returned borrowed, unless its host is a percent-encoded name
    /// that [`HostForm::Punycode`] maps.
    ///
    /// # Errors
    ///
    /// The host has no ASCII form under UTS #46; or what [`Disallowed::Fail`]
    /// and [`Unmappable::Fail`] refuse.
    pub fn to_uri<'a>(&self, reference: &'a str) -> Result<Cow<'a, str>, UriError> {
        self.uri_with(reference, None)
    }

    /// As [`UriOptions::to_uri`]. A host that `hosts` has is not mapped again.
    pub(crate) fn uri_with<'a>(
        &self,
        reference: &'a str,
        hosts: Option<&mut HostCache>,
    ) -> Result<Cow<'a, str>, UriError> {
        let mut uri = Octets::with_room(reference.len());
        Ok(match self.write_uri(reference.as_bytes(), hosts, &mut uri)? {
            true => Cow::Owned(uri.into_string()),
            false => Cow::Borrowed(reference),
        })
    }

    /// Appends the URI form of `reference`, which is UTF-8, if it differs: see
    /// [`UriOptions::to_uri`]. Returns false if it does not. A host that `hosts` has is not mapped
    /// again.
    pub(crate) fn write_uri(
        &self,
        reference: &[u8],
        hosts: Option<&mut HostCache>,
        uri: &mut Octets,
    ) -> Result<bool, UriError> {
        if !cfg!(iriscan_strings) && self.disallowed == Disallowed::Fail {
            Reference::parse(&String::from_utf8_lossy(reference), Grammar::IriReference)
                .map_err(|e| UriError(Why::Syntax(e)))?;
        }
        // Most references end here.
        if !any(reference, is_encoded_or_escape) {
            return Ok(false);
        }
        if !cfg!(iriscan_strings)
            && self.backslash == Backslash::Slash
            && let Some(slashed) = slashed(&String::from_utf8_lossy(reference))
        {
            if !self.convert(slashed.as_bytes(), hosts, uri)? {
                uri.push(slashed.as_bytes());
            }
            return Ok(true);
        }
        self.convert(reference, hosts, uri)
    }

    /// Whether [`UriOptions::to_uri`] of `reference` is certain to succeed, decided without UTS
    /// #46: most hosts that are not ASCII have no character that its rules could refuse. Only
    /// the authority of `reference`, which is UTF-8, is decoded, because nothing else can
    /// fail.
    pub(crate) fn surely_converts(&self, reference: &[u8]) -> bool {
        let lenient = self.disallowed == Disallowed::Encode && self.unmappable != Unmappable::Fail;
        let authority = || {
            let scheme = reference.iter().position(|b| !b.is_ascii_alphanumeric())?;
            reference[scheme..].strip_prefix(b"://")
        };
        lenient
            && (self.backslash == Backslash::Encode || !reference.contains(&b'\\'))
            && authority().is_some_and(is_unrefused)
    }

    /// True if the URI form of `reference` and the IRI form of that differ from `reference` in the
    /// host alone, which is written in [`HostForm::Punycode`]. False says nothing.
    pub(crate) fn keeps_all_but_host(&self, reference: &str) -> bool {
        let web = ["http://", "https://"].iter().any(|web| reference.starts_with(web));
        let same = |b: u8| !b.is_ascii() | !is_encoded_or_escape(b);
        self.host == HostForm::Punycode
            && self.disallowed == Disallowed::Encode
            && self.charset.is_unicode()
            && web
            && !any(reference.as_bytes(), |b| !same(b))
            && is_simple(reference)
    }

    /// Appends `segment`, which is the first one of a path with a `:` after it, if NFC could make a scheme of it: that
    /// turns U+212A into `K`. Returns how much was appended.
    fn keep_segment(&self, segment: &[u8], uri: &mut Octets) -> usize {
        if segment.is_empty() || !utf8(segment).contains('\u{212A}') {
            return 0;
        }
        self.encode(segment, uri);
        segment.len()
    }

    /// Appends `host` with the characters that are not ASCII as they are.
    fn keep_host(&self, host: &[u8], uri: &mut Octets) {
        for run in host.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
            match run.is_ascii() {
                true => self.encode(run, uri),
                false => uri.push(run),
            }
        }
    }

    /// Appends the URI form of `reference` if all its components are written alike; `None` if they are not. Returns
    /// whether it differs.
    fn convert_alike(&self, reference: &[u8], uri: &mut Octets) -> Option<bool> {
        if self.host != HostForm::Percent || !self.charset.is_unicode() || self.nfc == Nfc::Always {
            return None;
        }
        let changes = self.changes(reference);
        if changes {
            self.text(reference, uri);
        }
        Some(changes)
    }

    /// Appends the URI form of `text`, which is UTF-8, if it differs; false if it does not.
    ///
    /// A delimiter is never encoded and never composes with the next character. So the text
    /// before the host, between host and query, and after the query is encoded in one step
    /// each.
    fn convert(
        &self,
        text: &[u8],
        hosts: Option<&mut HostCache>,
        uri: &mut Octets,
    ) -> Result<bool, UriError> {
        if let Some(changed) = self.convert_alike(text, uri) {
            return Ok(changed);
        }
        if self.host == HostForm::Punycode
            && mailto::may_be(text)
            && let Some(mapped) = self.with_ascii_domains(utf8(text))
        {
            if !self.convert(mapped.as_bytes(), hosts, uri)? {
                uri.push(mapped.as_bytes());
            }
            return Ok(true);
        }
        let parts = Ends::of(text);
        let part = |component| parts.range(component, text.len());
        let web = if self.web_base { "https" } else { "" };
        let scheme = part(Component::Scheme).map_or(web.as_bytes(), |range| &text[range]);
        let host = part(Component::Host).map_or(&text[..0], |range| &text[range]);
        let name = self.name(scheme, host);
        if name.is_none() && !self.changes(text) {
            return Ok(false);
        }
        let mut done = self.keep_segment(&text[..parts.before_colon(text)], uri);
        if let Some(Range { start, end }) = part(Component::Host) {
            if let Some(name) = name {
                match part(Component::Userinfo) {
                    Some(_) => self.text(&text[..start], uri),
                    // A scheme and slashes.
                    None => uri.push(&text[..start]),
                }
                let ascii = ascii_form(&name, hosts);
                let ascii = ascii.ok_or_else(|| UriError(Why::Host(utf8(host).to_owned())))?;
                uri.push(ascii.as_bytes());
                done = end;
            } else if self.host == HostForm::Keep && !host.is_ascii() {
                self.text(&text[..start], uri);
                self.keep_host(host, uri);
                done = end;
            }
        }
        if let Some(encoding) = self.query_encoding(scheme)
            && let Some(range) = part(Component::Query)
        {
            self.text(&text[done..range.start], uri);
            self.legacy_query(encoding, utf8(&text[range.clone()]), uri)?;
            done = range.end;
        }
        self.text(&text[done..], uri);
        Ok(true)
    }

    /// A `mailto:` with the ASCII form of each domain that is not ASCII and has one; `None` if no domain is like
    /// that.
    #[cold]
    fn with_ascii_domains(&self, text: &str) -> Option<String> {
        let escapes = self.host_escapes == HostEscapes::Map;
        mailto::with_domains(text, |domain| to_ascii(&mailto::foreign(domain, escapes)?))
    }

    /// The name that UTS #46 is to map for `host`; `None` if it does not apply. Escapes are
    /// decoded if they are UTF-8 and a character is not ASCII (3987bis, section 3.4.2).
    fn name<'h>(&self, scheme: &[u8], host: &'h [u8]) -> Option<Cow<'h, [u8]>> {
        // The cheap tests come first: few hosts pass the first one.
        let escapes = self.host_escapes == HostEscapes::Map && host.contains(&b'%');
        if self.host != HostForm::Punycode
            || host.is_ascii() && !escapes
            || host.starts_with(b"[")
            || !(matches!(scheme, b"http" | b"https") || is_dns(utf8(scheme)))
        {
            return None;
        }
        if !host.contains(&b'%') {
            return Some(Cow::Borrowed(host));
        }
        let name = percent_decode(host).decode_utf8().ok().filter(|name| !name.is_ascii())?;
        Some(Cow::Owned(name.into_owned().into_bytes()))
    }

    /// The charset other than Unicode in which a query of `scheme` is written.
    fn query_encoding(&self, scheme: &[u8]) -> Option<&'static Encoding> {
        let http = [&b"http"[..], b"https"].iter().any(|http| http.eq_ignore_ascii_case(scheme));
        let legacy = self.query == QueryCharset::Document;
        if http && legacy { self.charset.encoding() } else { None }
    }

    /// Appends `text`, normalised as the options say and encoded.
    fn text(&self, text: &[u8], uri: &mut Octets) {
        let normal = match self.nfc {
            Nfc::Auto => !self.charset.is_unicode(),
            Nfc::Always => true,
            Nfc::Never => false,
        };
        if cfg!(iriscan_strings) || !normal || text.is_ascii() {
            return self.encode(text, uri);
        }
        self.encode(compose(utf8(text)).as_bytes(), uri);
    }

    /// True if encoding changes `text`.
    pub(super) fn changes(&self, text: &[u8]) -> bool {
        match self.disallowed {
            Disallowed::Keep => any(text, |b| is_encoded(b) & !is_kept(b)),
            Disallowed::Encode | Disallowed::Fail => any(text, is_encoded),
        }
    }

    /// Appends `text` encoded.
    fn encode(&self, text: &[u8], uri: &mut Octets) {
        if self.disallowed != Disallowed::Keep {
            return uri.push_encoded(text);
        }
        for run in text.chunk_by(|a, b| is_kept(*a) == is_kept(*b)) {
            match is_kept(run[0]) {
                true => uri.push(run),
                false => uri.push_encoded(run),
            }
        }
    }

    /// Appends a query, encoded in a charset that is not Unicode.
    fn legacy_query(
        &self,
        encoding: &'static Encoding,
        query: &str,
        uri: &mut Octets,
    ) -> Result<(), UriError> {
        let before = uri.len();
        let mut rest = query;
        while !rest.is_empty() {
            let ascii = rest.bytes().position(|b| !b.is_ascii()).unwrap_or(rest.len());
            self.encode(&rest.as_bytes()[..ascii], uri);
            rest = &rest[ascii..];
            let run = rest.bytes().position(|b| b.is_ascii()).unwrap_or(rest.len());
            match (encode_run(encoding, &rest[..run], uri), self.unmappable) {
                (None, _) | (Some(_), Unmappable::CharacterReference) => {}
                (Some(c), Unmappable::Fail) => {
                    return Err(UriError(Why::Unmappable(c, self.charset)));
                }
                (Some(_), Unmappable::Utf8) => {
                    uri.truncate(before);
                    self.text(query.as_bytes(), uri);
                    return Ok(());
                }
            }
            rest = &rest[run..];
        }
        Ok(())
    }
}

/// A part of a reference, which is UTF-8 as a whole.
fn utf8(part: &[u8]) -> &str {
    core::str::from_utf8(part).expect("a reference should be UTF-8")
}

/// Whether UTS #46 applies to hosts of `scheme`, of any case.
pub(super) fn is_dns(scheme: &str) -> bool {
    if scheme.bytes().any(|b| b.is_ascii_uppercase()) {
        schemes::is_dns(&scheme.to_ascii_lowercase())
    } else {
        schemes::is_dns(scheme)
    }
}

/// The reference with `/` for each `\` before the query, if browsers do so for its scheme.
fn slashed(reference: &str) -> Option<String> {
    let end = reference.find(['?', '#']).unwrap_or(reference.len());
    let (before, rest) = reference.split_at(end);
    let scheme = Components::split(before).scheme()?.to_ascii_lowercase();
    let special = matches!(&*scheme, "http" | "https" | "ws" | "wss" | "ftp" | "file");
    (special && before.contains('\\')).then(|| before.replace('\\', "/") + rest)
}

/// ASCII that UTS #46 must not produce in a host: everything but letters, digits, `-`, `_` and
/// `.` (UseSTD3ASCIIRules of RFC 3987, section 3.1, with `_`, which names in use have).
/// `AsciiDenyList::URL` would allow `{`, `"` and the backtick.
const DENIED: AsciiDenyList = AsciiDenyList::new(true, "!\"#$%&'()*+,/:;<=>?@[\\]^`{|}~");

/// Whether UTS #46 cannot refuse the host at the start of `authority`: it is short and made of
/// letters, digits, `.` and `-` of left-to-right scripts that map to characters of the same
/// set and do not compose, and no label is punycode.
fn is_unrefused(authority: &[u8]) -> bool {
    let other = |c: char| {
        matches!(
            c,
            'à'..='ö' | 'ø'..='ÿ' | 'А'..='я'
                | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}'
                | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FEF}' | '\u{AC00}'..='\u{D7A3}'
        )
    };
    let mut at = 0;
    loop {
        at += match &authority[at..] {
            [] | [b'/' | b'?' | b'#', ..] => return at <= 255,
            [b'-', b'-', ..] => return false,
            [b, ..] if b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-') => 1,
            rest => match unicode::short(rest) {
                Some((c, len)) if other(c) => len,
                _ => return false,
            },
        };
    }
}

/// The ASCII form of a registered name under UTS #46, non-transitional; `None`
/// if it has none.
pub(crate) fn to_ascii(name: &str) -> Option<String> {
    bytes_to_ascii(name.as_bytes())
}

/// The same of a name in UTF-8.
#[cfg(iriscan_strings)]
fn bytes_to_ascii(name: &[u8]) -> Option<String> {
    super::host_map::to_ascii(utf8(name))
}

#[cfg(not(iriscan_strings))]
fn bytes_to_ascii(name: &[u8]) -> Option<String> {
    Uts46::new()
        .to_ascii(name, DENIED, Hyphens::Allow, DnsLength::Ignore)
        .ok()
        .filter(|ascii| ascii.bytes().any(|b| b != b'.'))
        .map(Cow::into_owned)
}

/// [`to_ascii`] of a name, which is UTF-8. One that `hosts` has is not mapped again.
pub(crate) fn ascii_form<'k>(
    name: &[u8],
    hosts: Option<&'k mut HostCache>,
) -> Option<Cow<'k, str>> {
    match hosts {
        Some(hosts) => {
            let known = hosts.of(name).ascii.get_or_insert_with(|| bytes_to_ascii(name));
            known.as_deref().map(Cow::Borrowed)
        }
        None => bytes_to_ascii(name).map(Cow::Owned),
    }
}

/// Appends every octet that the encoder writes for `run` as `%HH`, and a character that the
/// charset lacks as `%26%23N%3B`, which is `&#N;` (URL Standard, "percent-encode after
/// encoding"). Returns the first such character.
fn encode_run(encoding: &'static Encoding, run: &str, uri: &mut Octets) -> Option<char> {
    let mut encoder = encoding.new_encoder();
    // The buffer has room for some characters, and the loop does the rest. A buffer for the
    // whole rest after each lacking character would take quadratic time.
    let mut octets = [0; 256];
    let mut rest = run;
    let mut lacking = None;
    while !rest.is_empty() {
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(rest, &mut octets, true);
        uri.push_escapes(&octets[..written]);
        rest = &rest[read..];
        if let EncoderResult::Unmappable(c) = result {
            uri.push(format!("%26%23{}%3B", u32::from(c)).as_bytes());
            lacking = lacking.or(Some(c));
        }
    }
    lacking
}

impl<'a> Reference<'a> {
    /// The URI form of the reference; see [`UriOptions::to_uri`]. This is faster, because it is
    /// known already whether the reference is a URI.
    ///
    /// # Errors
    ///
    /// See [`UriOptions::to_uri`].
    ///
    /// ```
    /// use iriscan::reference::{Grammar, Reference, UriOptions};
    ///
    /// let iri = Reference::parse("/wiki/日本", Grammar::IriReference)?;
    /// assert_eq!(iri.to_uri(&UriOptions::new())?, "/wiki/%E6%97%A5%E6%9C%AC");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn to_uri(&self, options: &UriOptions) -> Result<Cow<'a, str>, UriError> {
        if self.plain {
            return Ok(Cow::Borrowed(self.components.as_str()));
        }
        options.to_uri(self.components.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::{format, string::String, vec::Vec};

    use proptest::prelude::*;

    use super::*;

    fn unrefused() -> Vec<char> {
        // A delimiter here means that the host is empty.
        let chars = ('\0'..=char::MAX).filter(|c| !matches!(c, '/' | '?' | '#'));
        chars.filter(|c| is_unrefused(c.encode_utf8(&mut [0; 4]).as_bytes())).collect()
    }

    #[test]
    fn every_letter_that_is_not_refused_has_an_ascii_form() {
        let letters: Vec<char> = unrefused().into_iter().filter(|c| !c.is_ascii()).collect();
        assert!(letters.len() > 30_000, "{}", letters.len());
        for c in letters {
            for host in
                [format!("{c}"), format!("a.{c}{c}"), format!("{c}1-{c}.-{c}"), format!(".{c}")]
            {
                assert!(is_unrefused(host.as_bytes()) && to_ascii(&host).is_some(), "{host}");
            }
        }
    }

    /// STD3 of RFC 3987, section 3.1, but for `_`; also where a full-width form becomes it.
    #[test]
    fn names_have_letters_digits_hyphens_and_underscores_of_ascii() {
        for b in 0..0x80_u8 {
            let allowed = b.is_ascii_alphanumeric() || b"-_.".contains(&b);
            let wide = char::from_u32(0xFEE0 + u32::from(b)).filter(|_| b.is_ascii_graphic());
            for c in [Some(char::from(b)), wide].into_iter().flatten() {
                assert_eq!(to_ascii(&format!("é{c}é")).is_some(), allowed, "{c:?}");
            }
        }
    }

    #[test]
    fn what_may_be_refused_is_asked_for() {
        for refused in ["xn--a.例", "例.xn--0", "\u{5D0}a", "a\u{200D}b", "例!", "%00例"] {
            assert!(to_ascii(refused).is_none(), "{refused}");
            assert!(
                !UriOptions::new().surely_converts(format!("http://{refused}/").as_bytes()),
                "{refused}"
            );
        }
        assert!(!UriOptions::new().surely_converts("//xn--a.例/http://例/".as_bytes()));
        let fail = UriOptions::new().disallowed(Disallowed::Fail);
        assert!(!fail.surely_converts("http://例/{".as_bytes()));
        let lacking = UriOptions::new().unmappable(Unmappable::Fail);
        assert!(!lacking.surely_converts("http://例/?例".as_bytes()));
        let slashed = UriOptions::new().backslash(Backslash::Slash);
        assert!(!slashed.surely_converts("http:\\\\\u{5D0}a/".as_bytes()));
    }

    proptest! {
        #[test]
        fn hosts_are_mapped_as_without_memory(
            names in prop::collection::vec("[éa例ß.%\u{5D0}-]{0,4}|é{250,300}", 1..200),
        ) {
            let (mut hosts, options) = (HostCache::default(), UriOptions::new());
            for name in names.iter().chain(&names) {
                let reference = format!("http://{name}/ü");
                let uri = options.to_uri(&reference);
                prop_assert_eq!(options.uri_with(&reference, Some(&mut hosts)), uri);
            }
        }

        #[test]
        fn what_is_not_refused_has_an_ascii_form(
            chars in prop::collection::vec(prop::sample::select(unrefused()), 1..90),
            ascii in prop::collection::vec((0..90_usize, prop::sample::select(b"xn-.1a".to_vec())), 0..40),
        ) {
            let mut chars = chars;
            for (at, byte) in ascii {
                chars.insert(at.min(chars.len()), char::from(byte));
            }
            let host: String = chars.into_iter().collect();
            let reference = format!("http://{host}/ü?ü#ü");
            let options = UriOptions::new();
            if options.surely_converts(reference.as_bytes()) {
                prop_assert!(options.to_uri(&reference).is_ok());
            }
        }
    }
}
