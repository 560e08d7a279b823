//! IRI to URI, component by component (3987bis section 3, RFC 3987 section 3.1).
//!
//! Invariants: a URI comes out as it went in, borrowed, unless its host is a
//! percent-encoded name that IDNA maps; what comes out is ASCII unless hosts
//! are kept; converting twice changes nothing.

use alloc::{
    borrow::{Cow, ToOwned},
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use encoding_rs::{EncoderResult, Encoding};
use icu_normalizer::ComposingNormalizerBorrowed;
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::{
    Components, Grammar, Reference, SyntaxError,
    class::{DISALLOWED, is_in},
};
use crate::{charset::Charset, syntax::scheme};

/// How a host that is not ASCII is written in a URI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HostForm {
    /// UTS #46, non-transitional, for schemes whose host is a DNS name;
    /// percent-encoding for the others.
    #[default]
    Punycode,
    /// UTF-8, percent-encoded (RFC 3987, section 3.1).
    Percent,
    /// As it stands: the result is no URI.
    Keep,
}

/// The charset of a non-ASCII http or https query, when the document's charset
/// is not Unicode (3987bis, section 3.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QueryCharset {
    /// The document's, as browsers do.
    #[default]
    Document,
    /// UTF-8 (RFC 3987).
    Utf8,
}

/// When text is brought into Normalization Form C before it is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Nfc {
    /// After decoding a charset that is not Unicode (RFC 3987, section 3.1,
    /// step 1). Never on query bytes written in the document's charset.
    #[default]
    Auto,
    /// Whatever the charset is.
    Always,
    /// Never.
    Never,
}

/// What becomes of characters that no URI holds and that are not ucschar or
/// iprivate either: controls, space and ``< > " { } | \ ^ ` ``, C1 controls,
/// noncharacters, U+FFF0–FFFD (RFC 3987, section 3.1; 3987bis, section 3.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Disallowed {
    /// They are percent-encoded. `# % [ ]` never are: where they stand wrongly
    /// they stay.
    #[default]
    Encode,
    /// The conversion fails, as it does for everything else that is no
    /// IRI-reference of RFC 3987.
    Fail,
}

/// What becomes of a character that the query's charset lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unmappable {
    /// It is written `%26%23N%3B`, which is `&#N;`, as browsers do (URL
    /// Standard, "percent-encode after encoding").
    #[default]
    CharacterReference,
    /// The whole query is written in UTF-8.
    Utf8,
    /// The conversion fails.
    Fail,
}

/// What the escapes of a host that is all ASCII are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HostEscapes {
    /// They take part in [`HostForm::Punycode`] if they are UTF-8 and bring in a
    /// character that is not ASCII (3987bis, section 3.4.2).
    #[default]
    Map,
    /// They stay, as every escape of a link does whose document is rewritten.
    Keep,
}

/// What a `\` before the query is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backslash {
    /// A disallowed character like others, `%5C`.
    #[default]
    Encode,
    /// `/` where the scheme is http, https, ws, wss, ftp or file (URL Standard).
    Slash,
}

/// How to make a URI of an IRI.
///
/// The defaults are those of RFC 3987 with hosts as DNS wants them.
///
/// ```
/// use iriscan::{Charset, HostForm, reference::UriOptions};
///
/// let options = UriOptions::new();
/// let uri = options.to_uri("http://résumé.example.org/résumé?q=é")?;
/// assert_eq!(uri, "http://xn--rsum-bpad.example.org/r%C3%A9sum%C3%A9?q=%C3%A9");
///
/// let options = options.host(HostForm::Percent).charset(Charset::for_label("koi8-r").unwrap());
/// assert_eq!(options.to_uri("http://пример.рф/?мир")?, "http://\
///     %D0%BF%D1%80%D0%B8%D0%BC%D0%B5%D1%80.%D1%80%D1%84/?%CD%C9%D2");
/// # Ok::<(), iriscan::UriError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UriOptions {
    host: HostForm,
    host_escapes: HostEscapes,
    query: QueryCharset,
    nfc: Nfc,
    disallowed: Disallowed,
    unmappable: Unmappable,
    backslash: Backslash,
    charset: Charset,
}

impl Default for UriOptions {
    fn default() -> UriOptions {
        UriOptions::new()
    }
}

impl UriOptions {
    /// The defaults, for text that was Unicode from the start.
    #[must_use]
    pub const fn new() -> UriOptions {
        UriOptions {
            host: HostForm::Punycode,
            host_escapes: HostEscapes::Map,
            query: QueryCharset::Document,
            nfc: Nfc::Auto,
            disallowed: Disallowed::Encode,
            unmappable: Unmappable::CharacterReference,
            backslash: Backslash::Encode,
            charset: Charset::UTF_8,
        }
    }

    /// How a host that is not ASCII is written.
    #[must_use]
    pub fn host(self, host: HostForm) -> UriOptions {
        UriOptions { host, ..self }
    }

    /// What the escapes of a host that is all ASCII are.
    #[must_use]
    pub fn host_escapes(self, host_escapes: HostEscapes) -> UriOptions {
        UriOptions { host_escapes, ..self }
    }

    /// The charset of http and https queries in legacy documents.
    #[must_use]
    pub fn query(self, query: QueryCharset) -> UriOptions {
        UriOptions { query, ..self }
    }

    /// When text is normalised.
    #[must_use]
    pub fn nfc(self, nfc: Nfc) -> UriOptions {
        UriOptions { nfc, ..self }
    }

    /// What becomes of characters that no URI holds.
    #[must_use]
    pub fn disallowed(self, disallowed: Disallowed) -> UriOptions {
        UriOptions { disallowed, ..self }
    }

    /// What becomes of characters that the query's charset lacks.
    #[must_use]
    pub fn unmappable(self, unmappable: Unmappable) -> UriOptions {
        UriOptions { unmappable, ..self }
    }

    /// What a backslash before the query is.
    #[must_use]
    pub fn backslash(self, backslash: Backslash) -> UriOptions {
        UriOptions { backslash, ..self }
    }

    /// The charset of the document in which the reference stood.
    #[must_use]
    pub fn charset(self, charset: Charset) -> UriOptions {
        UriOptions { charset, ..self }
    }

    /// The URI form of `reference` (3987bis section 3, RFC 3987 section 3.1),
    /// relative or not. A URI comes back borrowed, unless its host is a
    /// percent-encoded name that [`HostForm::Punycode`] maps.
    ///
    /// # Errors
    ///
    /// The host has no ASCII form under UTS #46; or what [`Disallowed::Fail`]
    /// and [`Unmappable::Fail`] refuse.
    pub fn to_uri<'a>(&self, reference: &'a str) -> Result<Cow<'a, str>, UriError> {
        if self.disallowed == Disallowed::Fail {
            Reference::parse(reference, Grammar::IriReference)
                .map_err(|e| UriError(Why::Syntax(e)))?;
        }
        if reference.bytes().all(|b| b < 0x80 && b != b'%' && !is_in(b, DISALLOWED)) {
            return Ok(Cow::Borrowed(reference));
        }
        if self.backslash == Backslash::Slash
            && let Some(slashed) = slashed(reference)
        {
            return self.convert(&Components::split(&slashed)).map(|uri| match uri {
                Some(uri) => Cow::Owned(uri),
                None => Cow::Owned(slashed.clone()),
            });
        }
        let uri = self.convert(&Components::split(reference))?;
        Ok(uri.map_or(Cow::Borrowed(reference), Cow::Owned))
    }

    /// The URI form, if it differs.
    fn convert(&self, parts: &Components<'_>) -> Result<Option<String>, UriError> {
        let text = parts.as_str();
        let scheme = parts.scheme().unwrap_or_default().to_ascii_lowercase();
        let writer = Writer { options: self, scheme: &scheme };
        let changed = text.bytes().any(|b| b >= 0x80 || is_in(b, DISALLOWED));
        if !changed && !parts.host().is_some_and(|host| writer.maps(host)) {
            return Ok(None);
        }
        let mut uri = String::with_capacity(text.len() * 3);
        if let Some(scheme) = parts.scheme() {
            uri.push_str(scheme);
            uri.push(':');
        }
        if let Some(host) = parts.host() {
            uri.push_str("//");
            if let Some(userinfo) = parts.userinfo() {
                writer.text(userinfo, &mut uri);
                uri.push('@');
            }
            writer.host(host, &mut uri)?;
            if let Some(port) = parts.port() {
                uri.push(':');
                writer.text(port, &mut uri);
            }
        }
        writer.text(parts.path(), &mut uri);
        if let Some(query) = parts.query() {
            uri.push('?');
            writer.query(query, &mut uri)?;
        }
        if let Some(fragment) = parts.fragment() {
            uri.push('#');
            writer.text(fragment, &mut uri);
        }
        Ok(Some(uri))
    }
}

/// `\` as `/` before the query, if the scheme is one for which browsers do so.
fn slashed(reference: &str) -> Option<String> {
    let end = reference.find(['?', '#']).unwrap_or(reference.len());
    let (before, behind) = reference.split_at(end);
    let scheme = Components::split(before).scheme()?.to_ascii_lowercase();
    let special = matches!(&*scheme, "http" | "https" | "ws" | "wss" | "ftp" | "file");
    (special && before.contains('\\')).then(|| before.replace('\\', "/") + behind)
}

/// Why a reference has no URI form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UriError(Why);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Why {
    Host(String),
    Syntax(SyntaxError),
    Unmappable(char, Charset),
}

impl fmt::Display for UriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Why::Host(host) => write!(f, "host {host:?} has no ASCII form under UTS #46"),
            Why::Syntax(e) => e.fmt(f),
            Why::Unmappable(c, charset) => {
                write!(f, "{charset} has no {c:?} for the query; write the query in UTF-8")
            }
        }
    }
}

impl core::error::Error for UriError {}

/// The same as [`DISALLOWED`], for the encoder.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'<')
    .add(b'>')
    .add(b'"')
    .add(b'{')
    .add(b'}')
    .add(b'|')
    .add(b'\\')
    .add(b'^')
    .add(b'`');

/// What UTS #46 must not bring into a host: all that is not a letter, digit,
/// `-`, `_` or `.` (UseSTD3ASCIIRules of RFC 3987, section 3.1, with `_`, which
/// names in use have). `AsciiDenyList::URL` lets `{`, `"` and the backtick
/// through.
const DENIED: AsciiDenyList = AsciiDenyList::new(true, "!\"#$%&'()*+,/:;<=>?@[\\]^`{|}~");

/// The ASCII form of a registered name under UTS #46, non-transitional; `None`
/// if it has none.
pub(super) fn to_ascii(name: &str) -> Option<String> {
    Uts46::new()
        .to_ascii(name.as_bytes(), DENIED, Hyphens::Allow, DnsLength::Ignore)
        .ok()
        .filter(|ascii| ascii.bytes().any(|b| b != b'.'))
        .map(Cow::into_owned)
}

struct Writer<'s> {
    options: &'s UriOptions,
    scheme: &'s str,
}

impl Writer<'_> {
    fn normal<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let wanted = match self.options.nfc {
            Nfc::Auto => !self.options.charset.is_unicode(),
            Nfc::Always => true,
            Nfc::Never => false,
        };
        if wanted && !text.is_ascii() {
            ComposingNormalizerBorrowed::new_nfc().normalize(text)
        } else {
            Cow::Borrowed(text)
        }
    }

    fn text(&self, mut text: &str, uri: &mut String) {
        // An escape takes no part in the normalisation: its last digit may be a
        // letter that a mark behind it would compose with.
        while let Some((before, escape, behind)) = split_at_escape(text) {
            uri.extend(utf8_percent_encode(&self.normal(before), ENCODED));
            uri.push_str(escape);
            text = behind;
        }
        uri.extend(utf8_percent_encode(&self.normal(text), ENCODED));
    }

    /// Whether IDNA has a say on this host: `%HH` take part where they bring in
    /// a character that is not ASCII, unless they are not UTF-8 (3987bis,
    /// section 3.4.2).
    fn maps(&self, host: &str) -> bool {
        self.options.host == HostForm::Punycode
            && scheme::is_dns(self.scheme)
            && !host.starts_with('[')
            && (self.options.host_escapes == HostEscapes::Map || !host.is_ascii())
            && percent_decode_str(host).decode_utf8().is_ok_and(|name| !name.is_ascii())
    }

    fn host(&self, host: &str, uri: &mut String) -> Result<(), UriError> {
        if self.options.host == HostForm::Keep && !host.is_ascii() {
            uri.push_str(host);
            return Ok(());
        }
        if !self.maps(host) {
            self.text(host, uri);
            return Ok(());
        }
        let name = percent_decode_str(host).decode_utf8_lossy();
        uri.push_str(&to_ascii(&name).ok_or_else(|| UriError(Why::Host(host.to_owned())))?);
        Ok(())
    }

    fn query(&self, query: &str, uri: &mut String) -> Result<(), UriError> {
        let UriOptions { charset, unmappable, .. } = *self.options;
        let http = matches!(self.scheme, "http" | "https");
        let documents = self.options.query == QueryCharset::Document;
        let legacy = charset.encoding().filter(|_| !charset.is_unicode());
        let (true, true, Some(encoding)) = (http, documents, legacy) else {
            self.text(query, uri);
            return Ok(());
        };
        let before = uri.len();
        let mut rest = query;
        while !rest.is_empty() {
            let ascii = rest.find(|c: char| !c.is_ascii()).unwrap_or(rest.len());
            uri.extend(utf8_percent_encode(&rest[..ascii], ENCODED));
            rest = &rest[ascii..];
            let run = rest.find(|c: char| c.is_ascii()).unwrap_or(rest.len());
            match (encode_run(encoding, &rest[..run], uri), unmappable) {
                (None, _) | (Some(_), Unmappable::CharacterReference) => {}
                (Some(c), Unmappable::Fail) => return Err(UriError(Why::Unmappable(c, charset))),
                (Some(_), Unmappable::Utf8) => {
                    uri.truncate(before);
                    self.text(query, uri);
                    return Ok(());
                }
            }
            rest = &rest[run..];
        }
        Ok(())
    }
}

/// The text before the first `%HH`, it, and the text behind it.
fn split_at_escape(text: &str) -> Option<(&str, &str, &str)> {
    let bytes = text.as_bytes();
    let at = memchr::memchr_iter(b'%', bytes).find(|&at| super::syntax::is_escape(bytes, at))?;
    Some((&text[..at], &text[at..at + 3], &text[at + 3..]))
}

/// Every octet that the encoder writes for `run` as `%HH`; a character that the
/// charset lacks as `%26%23N%3B`, which is `&#N;` (URL Standard,
/// "percent-encode after encoding"). The first such character.
fn encode_run(encoding: &'static Encoding, run: &str, uri: &mut String) -> Option<char> {
    let mut encoder = encoding.new_encoder();
    let mut octets = Vec::new();
    let mut rest = run;
    let mut lacking = None;
    while !rest.is_empty() {
        octets.clear();
        // Room for the longest sequence of each character and for escapes.
        octets.resize(rest.len() * 4 + 16, 0);
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(rest, &mut octets, true);
        for octet in &octets[..written] {
            uri.push_str(percent_encoding::percent_encode_byte(*octet));
        }
        rest = &rest[read..];
        if let EncoderResult::Unmappable(c) = result {
            uri.push_str("%26%23");
            uri.push_str(&u32::from(c).to_string());
            uri.push_str("%3B");
            lacking = lacking.or(Some(c));
        }
    }
    lacking
}
