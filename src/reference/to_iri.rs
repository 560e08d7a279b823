//! URI to IRI (RFC 3987 section 3.2 with step 6 of 3987bis), and LEIRI to IRI.
//!
//! Invariant: the result maps back to the same URI, up to the case of hexadecimal digits and
//! escapes of unreserved characters. Only UTF-8 is decoded, because the charset of other
//! octets is not known.

use alloc::{borrow::Cow, string::String, vec::Vec};

use idna::uts46::{AsciiDenyList, Hyphens, Uts46};
use percent_encoding::{percent_decode_str, percent_encode_byte};

use super::{
    class::{is_bidi_control, is_escape, is_iprivate, is_iprivate_bis, is_ucschar, is_unreserved},
    components::{Component, Components},
    mailto,
    syntax::{Edition, Grammar, Reference, SyntaxError},
    to_uri::to_ascii,
    unicode::{
        is_compatibility_form, is_inadvisable, is_joiner_in_context, is_mark, is_nfc, is_unseen,
        joins_emoji,
    },
};
use crate::{
    charset::{
        Charset,
        legacy::{DecoderResult, Encoding},
    },
    data::{names::named, schemes},
};

/// What becomes of the `xn--` labels of a host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HostLabels {
    /// They stay.
    #[default]
    Keep,
    /// They are decoded if hosts of the scheme are DNS names (3987bis, section 4, step 6).
    /// Labels that do not map back stay.
    Unicode,
    /// They are decoded whatever the scheme is.
    UnicodeAlways,
}

named! {
    HostLabels is "a rule for the labels of a host":
    Keep = "keep",
    Unicode = "unicode",
    UnicodeAlways = "unicode-always",
}

/// What becomes of escapes of private-use characters in a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PrivateUse {
    /// They stay: RFC 3987 allows the characters and advises against them
    /// (section 6.1).
    #[default]
    Keep,
    /// They are decoded in a query, and stay elsewhere.
    Decode,
}

named!(PrivateUse is "a rule for private-use characters": Keep = "keep", Decode = "decode");

/// What becomes of escapes of characters that RFC 3987, section 6.1, advises
/// against: spaces, look-alikes of delimiters, full-width forms, invisible and
/// unassigned characters, a combining mark at the start of a component, ZWJ and
/// ZWNJ out of context, text that is not in NFC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Inadvisable {
    /// They are decoded as all others.
    #[default]
    Decode,
    /// Those of characters that cannot be seen stay: white space, invisible and format
    /// characters, unassigned code points, joiners out of context, and of text that is not in NFC, which the
    /// next program may compose. The others are decoded, as in browsers.
    Unseen,
    /// They stay.
    Keep,
    /// They all stay, and so do those of compatibility and presentation forms, ligatures and
    /// dingbats
    /// (draft-masinter-url-i18n, section 3.1 c).
    All,
}

named! {
    Inadvisable is "a rule for inadvisable characters":
    Decode = "decode",
    Unseen = "keep",
    Keep = "rfc3987",
    All = "all",
}

/// What becomes of escapes of unreserved ASCII, such as `%41`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unreserved {
    /// They are decoded (RFC 3987, section 3.2, step 2).
    #[default]
    Decode,
    /// They stay, as in draft-masinter-url-i18n, section 2.4.
    Keep,
}

named!(Unreserved is "a rule for unreserved characters": Decode = "decode", Keep = "keep");

/// How to make an IRI of a URI.
///
/// ```
/// use iriscan::reference::{HostLabels, IriOptions};
///
/// let options = IriOptions::new().host(HostLabels::Unicode);
/// assert_eq!(
///     options.to_iri("http://xn--99zt52a.example.org/D%C3%BCrst/%2F%e2%80%ae?%FC"),
///     "http://納豆.example.org/Dürst/%2F%E2%80%AE?%FC",
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IriOptions {
    host: HostLabels,
    private_use: PrivateUse,
    inadvisable: Inadvisable,
    unreserved: Unreserved,
    escapes: Option<Charset>,
}

impl IriOptions {
    /// The defaults.
    #[must_use]
    pub fn new() -> IriOptions {
        IriOptions::default()
    }

    /// What becomes of the `xn--` labels of a host.
    #[must_use]
    pub fn host(self, host: HostLabels) -> IriOptions {
        IriOptions { host, ..self }
    }

    /// [`IriOptions::host`].
    pub(crate) fn get_host(self) -> HostLabels {
        self.host
    }

    /// What becomes of private-use characters in a query.
    #[must_use]
    pub fn private_use(self, private_use: PrivateUse) -> IriOptions {
        IriOptions { private_use, ..self }
    }

    /// What becomes of characters that are advised against.
    #[must_use]
    pub fn inadvisable(self, inadvisable: Inadvisable) -> IriOptions {
        IriOptions { inadvisable, ..self }
    }

    /// What becomes of escapes of unreserved ASCII.
    #[must_use]
    pub fn unreserved(self, unreserved: Unreserved) -> IriOptions {
        IriOptions { unreserved, ..self }
    }

    /// The charset of escapes that are not UTF-8, for references that were built on the octets
    /// of that charset (RFC 3987, section 7.7). Without one, and for a charset that is Unicode,
    /// they stay.
    ///
    /// Escapes and the characters between them, up to the next delimiter such as `/` or `&`, are
    /// decoded together: as UTF-8 if they are valid, else in this charset. If they are
    /// malformed in it they stay. Hosts are never decoded in it. The URI form of the result is
    /// another URI than `uri`.
    ///
    /// ```
    /// use iriscan::{Charset, reference::IriOptions};
    ///
    /// let options = IriOptions::new().escapes(Charset::for_label("shift_jis").ok());
    /// assert_eq!(options.to_iri("http://h/%83e%83X%83g?%C3%A9"), "http://h/テスト?é");
    /// ```
    #[must_use]
    pub fn escapes(self, escapes: Option<Charset>) -> IriOptions {
        IriOptions { escapes, ..self }
    }

    /// The IRI form of `uri` (RFC 3987, section 3.2), relative or not; borrowed if nothing
    /// changes. Characters that no URI has stay as they are.
    ///
    /// These `%HH` stay: reserved characters and `%`, ASCII that no URI holds, octets that are
    /// not legal UTF-8, characters that no IRI holds in this component, the twelve
    /// Bidi_Control characters, and those before a `:` in the first segment of a relative
    /// reference, which could become a scheme. New digits are upper case.
    #[must_use]
    pub fn to_iri<'a>(&self, uri: &'a str) -> Cow<'a, str> {
        self.decode_where(uri, &|_| true, &|_| true)
    }

    /// As [`IriOptions::to_iri`], but only in the components for which `wanted` is true, and only
    /// for characters for which `holds` is true.
    pub(crate) fn decode_where<'a>(
        &self,
        uri: &'a str,
        wanted: &dyn Fn(Component) -> bool,
        holds: &dyn Fn(char) -> bool,
    ) -> Cow<'a, str> {
        let parts = Components::split(uri);
        let labels = match self.host {
            HostLabels::Keep => None,
            HostLabels::UnicodeAlways => parts.host(),
            HostLabels::Unicode => parts.host().filter(|_| {
                schemes::is_dns(&parts.scheme().unwrap_or_default().to_ascii_lowercase())
            }),
        };
        // The domains of a `mailto:` are hosts too.
        let unicode = |domain: &str| {
            let unicode = to_unicode(domain);
            let held = unicode.chars().all(|c| c.is_ascii() || holds(c));
            (held && unicode != domain).then(|| unicode.into_owned())
        };
        let readable = match self.host {
            HostLabels::Keep => None,
            _ if !wanted(Component::Host) || !mailto::may_be(uri.as_bytes()) => None,
            _ => mailto::with_domains(uri, unicode),
        };
        if let Some(readable) = readable {
            return Cow::Owned(self.decode_where(&readable, wanted, holds).into_owned());
        }
        if !uri.contains('%') && labels.is_none() {
            return Cow::Borrowed(uri);
        }
        let iri = crate::reference::components::map_components(&parts, |component, text, out| {
            let kept = match component {
                Component::Path => parts.before_colon(),
                _ => 0,
            };
            out.push_str(&text[..kept]);
            let decoded = match wanted(component) {
                true => self.decode(&text[kept..], component, holds),
                false => Cow::Borrowed(&text[kept..]),
            };
            match labels {
                Some(_) if component == Component::Host => {
                    let unicode = to_unicode(&decoded);
                    let held = unicode.chars().all(|c| c.is_ascii() || holds(c));
                    out.push_str(if held { &unicode } else { &decoded });
                }
                _ => out.push_str(&decoded),
            }
        });
        if iri == uri { Cow::Borrowed(uri) } else { Cow::Owned(iri) }
    }

    fn decode<'t>(
        &self,
        text: &'t str,
        component: Component,
        holds: &dyn Fn(char) -> bool,
    ) -> Cow<'t, str> {
        if !text.contains('%') {
            return Cow::Borrowed(text);
        }
        let private = component == Component::Query && self.private_use == PrivateUse::Decode;
        let advised = |c, before: &str, after: &str| match self.inadvisable {
            Inadvisable::Decode => true,
            Inadvisable::Unseen => {
                let lone = stray(c, before, after) && !joins_emoji(before, c, after);
                !(is_unseen(c) || lone)
            }
            Inadvisable::Keep => !is_advised_against(c, before, after),
            Inadvisable::All => !is_advised_against(c, before, after) && !is_compatibility_form(c),
        };
        let nfc = self.inadvisable != Inadvisable::Decode;
        let ascii = self.unreserved == Unreserved::Decode;
        let allowed = |c: char, before: &str, after: &str| {
            if c.is_ascii() {
                return ascii && is_unreserved(c as u8);
            }
            let c32 = u32::from(c);
            (is_ucschar(c32) || private && is_iprivate(c32))
                && !is_bidi_control(c)
                && holds(c)
                && advised(c, before, after)
        };
        let legacy = self.escapes.filter(|_| component != Component::Host);
        if let Some(encoding) = legacy.and_then(Charset::encoding) {
            return Cow::Owned(decode_legacy(text, encoding, allowed));
        }
        let decoded = decode_escapes(text, Digits::Upper, allowed);
        if nfc && !is_nfc(&decoded) {
            // Text that is not in NFC would hide its spelling, so no mark is decoded.
            return Cow::Owned(decode_escapes(text, Digits::Upper, |c, before, after| {
                allowed(c, before, after) && !is_mark(c) && stays_nfc(before, c)
            }));
        }
        Cow::Owned(decoded)
    }
}

/// True for a ZWJ or ZWNJ that no letters beside it need.
fn stray(c: char, before: &str, after: &str) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}') && !is_joiner_in_context(before, c, after)
}

/// Whether RFC 3987, section 6.1, advises against `c` between `before` and `after`.
fn is_advised_against(c: char, before: &str, after: &str) -> bool {
    // Beside an escape that stays a mark would be drawn onto its digit.
    let bare = || begins_part(before) || ends_in_escape(before);
    is_inadvisable(c) || is_mark(c) && bare() || stray(c, before, after)
}

impl Components<'_> {
    /// The characters that are better not in a reference, written or percent-encoded, outside of its host: spaces
    /// and other characters that nobody sees, look-alikes of delimiters, full-width, compatibility and presentation
    /// forms, ligatures, dingbats, a combining mark at the start of a part or in text that is not in NFC (RFC 3987,
    /// section 6.1; draft-masinter-url-i18n, section 3.1 c). They are those whose escapes [`Inadvisable::All`] leaves. Each
    /// comes with its offset in bytes, in order.
    ///
    /// ```
    /// use iriscan::reference::Components;
    ///
    /// let parts = Components::split("http://a.example/Ａ/a%20b/c");
    /// assert_eq!(parts.inadvisable(), [(17, 'Ａ'), (22, ' ')]);
    /// ```
    #[must_use]
    pub fn inadvisable(&self) -> Vec<(usize, char)> {
        let others = [Component::Userinfo, Component::Path, Component::Query, Component::Fragment];
        let ranges = others.into_iter().filter_map(|component| self.range(component));
        let mut found = Vec::new();
        for range in ranges {
            let chars = read(&self.as_str()[range.clone()]);
            let text: String = chars.iter().map(|(_, c)| *c).collect();
            let (mut stay, decoded) = left_encoded(&text, false);
            if !is_nfc(&decoded) {
                stay = left_encoded(&text, true).0;
            }
            let stays = chars.iter().zip(stay).filter(|(_, stays)| *stays);
            found.extend(stays.map(|((at, c), _)| (range.start + at, *c)));
        }
        found
    }
}

/// Which characters of `text` [`Inadvisable::All`] leaves encoded, as far as RFC 3987, section 6.1, advises against
/// them, and the text with an escape for each. `composes`: the others are not in NFC together.
fn left_encoded(text: &str, composes: bool) -> (Vec<bool>, String) {
    let mut out = String::with_capacity(text.len());
    let stays = |(i, c): (usize, char)| {
        let after = &text[i + c.len_utf8()..];
        let is_inadvisable = c == ' '
            || !c.is_ascii()
                && (is_compatibility_form(c)
                    || is_advised_against(c, &out, after)
                    || composes && (is_mark(c) || !stays_nfc(&out, c)));
        let is_text = c.is_ascii() || is_ucschar(u32::from(c)) && !is_bidi_control(c);
        match is_text && !is_inadvisable {
            true => out.push(c),
            false => out.push_str("%00"),
        }
        is_inadvisable
    };
    let stay = text.char_indices().map(stays).collect();
    (stay, out)
}

/// The characters of `text` with their offsets; escapes of UTF-8 are the characters that they stand for.
fn read(text: &str) -> Vec<(usize, char)> {
    let octets: Vec<(usize, u8)> = {
        let (bytes, mut at) = (text.as_bytes(), 0);
        core::iter::from_fn(|| {
            let from = at;
            let byte = *bytes.get(from)?;
            let escape = byte == b'%' && is_escape(bytes, from);
            at += if escape { 3 } else { 1 };
            let octet =
                if escape { hex(bytes[from + 1]) << 4 | hex(bytes[from + 2]) } else { byte };
            Some((from, octet))
        })
        .collect()
    };
    let bytes: Vec<u8> = octets.iter().map(|(_, octet)| *octet).collect();
    let mut chars = Vec::new();
    let mut from = 0;
    for chunk in bytes.utf8_chunks() {
        chars.extend(chunk.valid().char_indices().map(|(i, c)| (octets[from + i].0, c)));
        from += chunk.valid().len() + chunk.invalid().len();
    }
    chars
}

/// The digits of an escape that stays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Digits {
    AsWritten,
    /// Upper case, because the octet was decoded and encoded again (RFC 3987, section 3.2,
    /// steps 3 and 4). The digits of ASCII stay as they are.
    Upper,
}

/// `text` with the escapes decoded that are legal UTF-8 of a character for which `allowed` is
/// true. `allowed` gets the text written so far and the decoded text after the character in its
/// run of escapes.
pub(super) fn decode_escapes(
    text: &str,
    digits: Digits,
    allowed: impl Fn(char, &str, &str) -> bool,
) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut octets = Vec::new();
    let mut at = 0;
    while let Some(i) = memchr::memchr(b'%', &bytes[at..]) {
        out.push_str(&text[at..at + i]);
        at += i;
        let run = at;
        octets.clear();
        while bytes.get(at) == Some(&b'%') && is_escape(bytes, at) {
            octets.push(hex(bytes[at + 1]) << 4 | hex(bytes[at + 2]));
            at += 3;
        }
        if at == run {
            out.push('%');
            at += 1;
            continue;
        }
        // Octet `i` of the run is at `run + 3 * i`.
        let mut from = run;
        for chunk in octets.utf8_chunks() {
            let valid = chunk.valid();
            for (i, c) in valid.char_indices() {
                let after = from + 3 * c.len_utf8();
                // After a stray `%` a digit would complete an escape.
                if !(c.is_ascii_hexdigit() && begins_escape(&out))
                    && allowed(c, &out, &valid[i + c.len_utf8()..])
                {
                    out.push(c);
                } else if c.is_ascii() || digits == Digits::AsWritten {
                    out.push_str(&text[from..after]);
                } else {
                    push_escaped(&mut out, c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                from = after;
            }
            let after = from + 3 * chunk.invalid().len();
            match digits {
                Digits::Upper => push_escaped(&mut out, chunk.invalid()),
                Digits::AsWritten => out.push_str(&text[from..after]),
            }
            from = after;
        }
    }
    out.push_str(&text[at..]);
    out
}

/// `text` with its escapes decoded as by [`decode_escapes`], those that are not UTF-8 in
/// `encoding`.
fn decode_legacy(
    text: &str,
    encoding: &'static Encoding,
    allowed: impl Fn(char, &str, &str) -> bool,
) -> String {
    let mut out = String::with_capacity(text.len());
    // No multi-byte charset has these as a second byte.
    let delimits = |c: char| !c.is_ascii() || "!$&'()*+,;=:/?#".contains(c);
    for part in text.split_inclusive(delimits) {
        let end = part.trim_end_matches(delimits).len();
        let (part, delimiter) = part.split_at(end);
        let decoded = match percent_decode_str(part).decode_utf8() {
            Ok(_) => None,
            Err(_) => decode_part(part, encoding, &allowed),
        };
        out.push_str(&decoded.unwrap_or_else(|| decode_escapes(part, Digits::Upper, &allowed)));
        out.push_str(delimiter);
    }
    out
}

/// `part` with its octets decoded in `encoding`; `None` if they are malformed in it. Characters
/// that are not `allowed` stay as they are written.
fn decode_part(
    part: &str,
    encoding: &'static Encoding,
    allowed: impl Fn(char, &str, &str) -> bool,
) -> Option<String> {
    let bytes = part.as_bytes();
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut out = String::with_capacity(part.len());
    // The start of the octets of the next character.
    let (mut from, mut at) = (0, 0);
    let mut text = [0; 16];
    while at < bytes.len() {
        let octet = match is_escape(bytes, at) && bytes[at] == b'%' {
            true => hex(bytes[at + 1]) << 4 | hex(bytes[at + 2]),
            false => bytes[at],
        };
        at += if is_escape(bytes, at) && bytes[at] == b'%' { 3 } else { 1 };
        let last = at == bytes.len();
        let (result, _, written) =
            decoder.decode_to_utf8_without_replacement(&[octet], &mut text, last);
        if matches!(result, DecoderResult::Malformed(..)) {
            return None;
        }
        if written == 0 {
            continue;
        }
        let source = &part[from..at];
        from = at;
        let characters = core::str::from_utf8(&text[..written]).ok()?;
        let stays = |c: char| !allowed(c, &out, "") || c.is_ascii_hexdigit() && begins_escape(&out);
        if source.contains('%') && characters.chars().any(stays) {
            out.push_str(source);
        } else {
            out.push_str(characters);
        }
    }
    Some(out)
}

/// Whether the text ends in a `%`, perhaps with one digit, that two digits would complete to an
/// escape.
fn begins_escape(text: &str) -> bool {
    match text.as_bytes() {
        [.., b'%'] => true,
        [.., b'%', digit] => digit.is_ascii_hexdigit(),
        _ => false,
    }
}

fn push_escaped(out: &mut String, octets: &[u8]) {
    octets.iter().for_each(|&octet| out.push_str(percent_encode_byte(octet)));
}

/// Whether `text` ends in an escape.
fn ends_in_escape(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 3 && bytes[bytes.len() - 3] == b'%' && is_escape(bytes, bytes.len() - 3)
}

/// Whether a part begins after `before`: a component, a segment, a value.
fn begins_part(before: &str) -> bool {
    before.chars().next_back().is_none_or(|c| c.is_ascii() && !c.is_ascii_alphanumeric())
}

/// Whether `c` neither changes in NFC nor composes with a character before it.
fn stays_nfc(before: &str, c: char) -> bool {
    let pair: String = before.chars().next_back().into_iter().chain([c]).collect();
    is_nfc(&pair)
}

/// The value of a hexadecimal digit.
pub(super) fn hex(digit: u8) -> u8 {
    char::from(digit).to_digit(16).map_or(0, |value| value as u8)
}

/// True for a label that begins as A-labels do (RFC 5890, section 2.3.2.1).
pub(crate) fn is_punycode(label: &str) -> bool {
    label.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case("xn--"))
}

/// `host` with its `xn--` labels decoded, as far as they map back.
pub(crate) fn to_unicode(host: &str) -> Cow<'_, str> {
    if !host.split('.').any(is_punycode) {
        return Cow::Borrowed(host);
    }
    let mut out = String::with_capacity(host.len());
    for (i, label) in host.split('.').enumerate() {
        if i > 0 {
            out.push('.');
        }
        let (unicode, result) =
            Uts46::new().to_unicode(label.as_bytes(), AsciiDenyList::URL, Hyphens::Allow);
        let faithful = is_punycode(label)
            && result.is_ok()
            && to_ascii(&unicode).is_some_and(|ascii| ascii.eq_ignore_ascii_case(label));
        out.push_str(if faithful { &unicode } else { label });
    }
    // The rule for directions applies to all labels together (RFC 5893).
    let faithful = to_ascii(&out).is_some_and(|ascii| {
        to_ascii(host).map_or_else(|| ascii.eq_ignore_ascii_case(host), |whole| whole == ascii)
    });
    if faithful { Cow::Owned(out) } else { Cow::Borrowed(host) }
}

/// The IRI reference of a Legacy Extended IRI reference (3987bis, section 6.2); borrowed if
/// nothing changes. Characters that no IRI holds in their component are percent-encoded, and
/// so are the bidi controls, which section 4.1 of RFC 3987 forbids.
///
/// In the draft that defines LEIRI a query may hold private-use characters and tags
/// (U+E0000–E0FFF). With [`Edition::Rfc3987`] the tags are encoded. (A host of 3987bis has no
/// `%HH` at all, so the draft contradicts itself if a character of the host must be encoded.
/// Then the result is an IRI of RFC 3987 only.)
///
/// # Errors
///
/// `leiri` is not a LEIRI: it has `[` or `%` where they are not allowed, or U+FFFE or U+FFFF.
///
/// ```
/// use iriscan::reference::{Edition, leiri_to_iri};
///
/// assert_eq!(leiri_to_iri("http://example.org/Dürst ü", Edition::Bis)?,
///     "http://example.org/Dürst%20ü");
/// # Ok::<(), iriscan::reference::SyntaxError>(())
/// ```
pub fn leiri_to_iri(leiri: &str, edition: Edition) -> Result<Cow<'_, str>, SyntaxError> {
    let parts = Reference::parse(leiri, Grammar::Leiri)?;
    let encode = |c: char, query: bool| {
        let c32 = u32::from(c);
        let private = match edition {
            Edition::Rfc3987 => is_iprivate(c32),
            Edition::Bis => is_iprivate_bis(c32),
        };
        if c.is_ascii() {
            crate::reference::class::is_in(c as u8, crate::reference::class::DISALLOWED)
        } else {
            is_bidi_control(c) || !(is_ucschar(c32) || query && private)
        }
    };
    let query = parts
        .components()
        .range(crate::reference::components::Component::Query)
        .unwrap_or_default();
    if !leiri.char_indices().any(|(i, c)| encode(c, query.contains(&i))) {
        return Ok(Cow::Borrowed(leiri));
    }
    let mut iri = String::with_capacity(leiri.len() * 2);
    for (i, c) in leiri.char_indices() {
        if encode(c, query.contains(&i)) {
            push_escaped(&mut iri, c.encode_utf8(&mut [0; 4]).as_bytes());
        } else {
            iri.push(c);
        }
    }
    Ok(Cow::Owned(iri))
}
