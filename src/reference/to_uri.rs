//! IRI to URI, component by component (3987bis section 3, RFC 3987 section 3.1).
//!
//! Invariants: an ASCII reference comes out as it went in; what comes out is
//! ASCII unless hosts are kept; converting twice changes nothing.

use alloc::{
    borrow::{Cow, ToOwned},
    string::String,
    vec::Vec,
};
use core::fmt;

use encoding_rs::{EncoderResult, Encoding};
use icu_normalizer::ComposingNormalizerBorrowed;
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::{Authority, Parts};
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

/// How to make a URI of an IRI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct UriOptions {
    pub(crate) host: HostForm,
    pub(crate) query: QueryCharset,
    pub(crate) nfc: Nfc,
}

/// Why a link has no URI form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UriError {
    host: String,
}

impl fmt::Display for UriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "host {:?} has no ASCII form under UTS #46", self.host)
    }
}

impl core::error::Error for UriError {}

/// What no URI holds raw: controls, space and the rest of RFC 3987's list.
/// `%` `#` `[` `]` are never touched.
const DISALLOWED: &AsciiSet = &CONTROLS
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

/// What UTS #46 must not bring into a host: all that `reg-name` cannot hold or
/// that would end the host. `AsciiDenyList::URL` lets `{`, `"` and the backtick
/// through.
const DENIED: AsciiDenyList = AsciiDenyList::new(true, "!\"#$%&'()*+,/:;<=>?@[\\]^`{|}~");

/// The URI form of `iri`, which stood in a document of `charset`.
pub(crate) fn to_uri<'a>(
    iri: &'a str,
    options: UriOptions,
    charset: Charset,
) -> Result<Cow<'a, str>, UriError> {
    if iri.is_ascii() {
        return Ok(Cow::Borrowed(iri));
    }
    let parts = Parts::of(iri);
    let scheme = parts.scheme.unwrap_or_default().to_ascii_lowercase();
    let writer = Writer { options, charset, scheme: &scheme };
    let mut uri = String::with_capacity(iri.len() * 3);
    if let Some(scheme) = parts.scheme {
        uri.push_str(scheme);
        uri.push(':');
    }
    if let Some(authority) = parts.authority {
        uri.push_str("//");
        writer.authority(Authority::of(authority), &mut uri)?;
    }
    writer.text(parts.path, &mut uri);
    if let Some(query) = parts.query {
        uri.push('?');
        writer.query(query, &mut uri);
    }
    if let Some(fragment) = parts.fragment {
        uri.push('#');
        writer.text(fragment, &mut uri);
    }
    Ok(Cow::Owned(uri))
}

struct Writer<'s> {
    options: UriOptions,
    charset: Charset,
    scheme: &'s str,
}

impl Writer<'_> {
    fn normal<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let wanted = match self.options.nfc {
            Nfc::Auto => !self.charset.is_unicode(),
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
            uri.extend(utf8_percent_encode(&self.normal(before), DISALLOWED));
            uri.push_str(escape);
            text = behind;
        }
        uri.extend(utf8_percent_encode(&self.normal(text), DISALLOWED));
    }

    fn authority(&self, authority: Authority<'_>, uri: &mut String) -> Result<(), UriError> {
        if let Some(userinfo) = authority.userinfo {
            self.text(userinfo, uri);
            uri.push('@');
        }
        self.host(authority.host, uri)?;
        if let Some(port) = authority.port {
            uri.push(':');
            uri.push_str(port);
        }
        Ok(())
    }

    fn host(&self, host: &str, uri: &mut String) -> Result<(), UriError> {
        if host.is_ascii() || self.options.host == HostForm::Keep {
            uri.push_str(host);
            return Ok(());
        }
        // 3987bis section 3.4.2: `%HH` takes part in the mapping, unless it is
        // not UTF-8.
        let decoded = percent_decode_str(host).decode_utf8();
        let dns = self.options.host == HostForm::Punycode && scheme::is_dns(self.scheme);
        let (true, Ok(name)) = (dns, decoded) else {
            self.text(host, uri);
            return Ok(());
        };
        let ascii = Uts46::new()
            .to_ascii(name.as_bytes(), DENIED, Hyphens::Allow, DnsLength::Ignore)
            .ok()
            .filter(|ascii| ascii.bytes().any(|b| b != b'.'))
            .ok_or_else(|| UriError { host: host.to_owned() })?;
        uri.push_str(&ascii);
        Ok(())
    }

    fn query(&self, query: &str, uri: &mut String) {
        let http = matches!(self.scheme, "http" | "https");
        let documents = self.options.query == QueryCharset::Document;
        let legacy = self.charset.encoding().filter(|_| !self.charset.is_unicode());
        let (true, true, Some(encoding)) = (http, documents, legacy) else {
            return self.text(query, uri);
        };
        let mut rest = query;
        while !rest.is_empty() {
            let ascii = rest.find(|c: char| !c.is_ascii()).unwrap_or(rest.len());
            uri.extend(utf8_percent_encode(&rest[..ascii], DISALLOWED));
            rest = &rest[ascii..];
            let run = rest.find(|c: char| c.is_ascii()).unwrap_or(rest.len());
            encode_run(encoding, &rest[..run], uri);
            rest = &rest[run..];
        }
    }
}

/// The text before the first `%HH`, it, and the text behind it.
fn split_at_escape(text: &str) -> Option<(&str, &str, &str)> {
    let bytes = text.as_bytes();
    let at = memchr::memchr_iter(b'%', bytes).find(|&at| {
        bytes.get(at + 1..at + 3).is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit))
    })?;
    Some((&text[..at], &text[at..at + 3], &text[at + 3..]))
}

/// Every octet that the encoder writes for `run` as `%HH`; a character that the
/// charset lacks as `%26%23N%3B`, which is `&#N;` (URL Standard,
/// "percent-encode after encoding").
fn encode_run(encoding: &'static Encoding, run: &str, uri: &mut String) {
    let mut encoder = encoding.new_encoder();
    let mut octets = Vec::new();
    let mut rest = run;
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
            uri.push_str(&alloc::string::ToString::to_string(&u32::from(c)));
            uri.push_str("%3B");
        }
    }
}
