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
use core::fmt;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use percent_encoding::percent_decode;

use super::{
    class::{any, is_encoded, is_encoded_or_escape},
    components::{Component, Components, Ends},
    host_cache::HostCache,
    octets::Octets,
    syntax::{Grammar, Reference, SyntaxError},
    unicode::{compose, is_simple},
};
use crate::{
    charset::{
        Charset,
        legacy::{EncoderResult, Encoding},
        unicode,
    },
    data::{names::named, schemes},
};

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
    /// Unchanged, except that ASCII which no host may hold is encoded. The result is not a URI.
    Keep,
}

named!(HostForm is "a form of a host": Punycode = "punycode", Percent = "percent", Keep = "keep");

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

named!(QueryCharset is "a charset for queries": Document = "document", Utf8 = "utf-8");

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

named!(Nfc is "a rule for normalization": Auto = "auto", Always = "always", Never = "never");

/// What becomes of characters that no URI holds and that are not ucschar or
/// iprivate either: controls, space and ``< > " { } | \ ^ ` ``, C1 controls,
/// noncharacters, U+FFF0–FFFD (RFC 3987, section 3.1; 3987bis, section 3.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Disallowed {
    /// They are percent-encoded. `# % [ ]` never are: where they are not allowed they stay.
    #[default]
    Encode,
    /// The conversion fails, and so it does for any other text that is not an IRI-reference of
    /// RFC 3987.
    Fail,
}

named!(Disallowed is "a rule for disallowed characters": Encode = "encode", Fail = "fail");

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

named! {
    Unmappable is "a rule for unmappable characters":
    CharacterReference = "character-reference",
    Utf8 = "utf-8",
    Fail = "fail",
}

/// How the escapes of a host that is all ASCII are treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HostEscapes {
    /// [`HostForm::Punycode`] decodes them if they are UTF-8 and one of the characters is not
    /// ASCII (3987bis, section 3.4.2).
    #[default]
    Map,
    /// They stay, as all escapes do when a document is rewritten.
    Keep,
}

named!(HostEscapes is "a rule for the escapes of a host": Map = "map", Keep = "keep");

/// How a `\` before the query is treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backslash {
    /// As any other disallowed character: `%5C`.
    #[default]
    Encode,
    /// As `/`, if the scheme is http, https, ws, wss, ftp or file (URL Standard).
    Slash,
}

named!(Backslash is "a rule for backslashes": Encode = "encode", Slash = "slash");

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
    web_base: bool,
    unwraps: bool,
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
            web_base: false,
            unwraps: false,
        }
    }

    /// How a host that is not ASCII is written.
    #[must_use]
    pub fn host(self, host: HostForm) -> UriOptions {
        UriOptions { host, ..self }
    }

    /// How the escapes of a host that is all ASCII are treated.
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

    /// How a backslash before the query is treated.
    #[must_use]
    pub fn backslash(self, backslash: Backslash) -> UriOptions {
        UriOptions { backslash, ..self }
    }

    /// The charset of the document that the reference comes from.
    #[must_use]
    pub fn charset(self, charset: Charset) -> UriOptions {
        UriOptions { charset, ..self }
    }

    /// The form of hosts; see [`UriOptions::host`].
    #[must_use]
    pub const fn get_host(&self) -> HostForm {
        self.host
    }

    /// How the escapes of a host are treated; see [`UriOptions::host_escapes`].
    #[must_use]
    pub const fn get_host_escapes(&self) -> HostEscapes {
        self.host_escapes
    }

    /// The charset of queries; see [`UriOptions::query`].
    #[must_use]
    pub const fn get_query(&self) -> QueryCharset {
        self.query
    }

    /// When text is normalized; see [`UriOptions::nfc`].
    #[must_use]
    pub const fn get_nfc(&self) -> Nfc {
        self.nfc
    }

    /// What becomes of characters that no URI holds; see [`UriOptions::disallowed`].
    #[must_use]
    pub const fn get_disallowed(&self) -> Disallowed {
        self.disallowed
    }

    /// What becomes of characters that the charset lacks; see [`UriOptions::unmappable`].
    #[must_use]
    pub const fn get_unmappable(&self) -> Unmappable {
        self.unmappable
    }

    /// How a backslash is treated; see [`UriOptions::backslash`].
    #[must_use]
    pub const fn get_backslash(&self) -> Backslash {
        self.backslash
    }

    /// The charset of the document; see [`UriOptions::charset`].
    #[must_use]
    pub const fn get_charset(&self) -> Charset {
        self.charset
    }

    /// Whether a host that is not ASCII stays as it is.
    pub(crate) fn keeps_hosts(&self) -> bool {
        self.host == HostForm::Keep
    }

    /// What opens a link is the link in the wrapper of a mail gateway.
    pub(crate) fn unwraps(self, unwraps: bool) -> UriOptions {
        UriOptions { unwraps, ..self }
    }

    pub(crate) fn get_unwraps(self) -> bool {
        self.unwraps
    }

    /// Treats a relative reference as one to the web, because pages with markup have `http` or
    /// `https` addresses.
    pub(crate) fn web_base(self, web_base: bool) -> UriOptions {
        UriOptions { web_base, ..self }
    }

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
        if self.disallowed == Disallowed::Fail {
            Reference::parse(&String::from_utf8_lossy(reference), Grammar::IriReference)
                .map_err(|e| UriError(Why::Syntax(e)))?;
        }
        // Most references end here.
        if !any(reference, is_encoded_or_escape) {
            return Ok(false);
        }
        if self.backslash == Backslash::Slash
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
        if self.host == HostForm::Percent && self.charset.is_unicode() && self.nfc != Nfc::Always {
            // All components are alike.
            let changed = any(text, is_encoded);
            if changed {
                self.text(text, uri);
            }
            return Ok(changed);
        }
        let parts = Ends::of(text);
        let part = |component| parts.range(component, text.len());
        let web = if self.web_base { "https" } else { "" };
        let scheme = part(Component::Scheme).map_or(web.as_bytes(), |range| &text[range]);
        let host = part(Component::Host).map_or(&text[..0], |range| &text[range]);
        let name = self.name(scheme, host);
        if name.is_none() && !any(text, is_encoded) {
            return Ok(false);
        }
        let mut done = 0;
        // NFC turns U+212A into `K`, which could turn a segment with a `:` into a scheme.
        let segment = &text[..parts.before_colon(text)];
        if !segment.is_empty() && utf8(segment).contains('\u{212A}') {
            uri.push_encoded(segment);
            done = segment.len();
        }
        if let Some(range) = part(Component::Host) {
            let keep = self.host == HostForm::Keep;
            if let Some(name) = name {
                match part(Component::Userinfo) {
                    Some(_) => self.text(&text[..range.start], uri),
                    // A scheme and slashes.
                    None => uri.push(&text[..range.start]),
                }
                let ascii = ascii_form(&name, hosts);
                let ascii = ascii.ok_or_else(|| UriError(Why::Host(utf8(host).to_owned())))?;
                uri.push(ascii.as_bytes());
                done = range.end;
            } else if keep && !host.is_ascii() {
                self.text(&text[..range.start], uri);
                for run in host.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
                    match run.is_ascii() {
                        true => uri.push_encoded(run),
                        false => uri.push(run),
                    }
                }
                done = range.end;
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
        if !normal || text.is_ascii() {
            return uri.push_encoded(text);
        }
        uri.push_encoded(compose(utf8(text)).as_bytes());
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
            uri.push_encoded(&rest.as_bytes()[..ascii]);
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

/// Why a reference has no URI form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UriError(Why);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Why {
    Host(String),
    Syntax(SyntaxError),
    Unmappable(char, Charset),
    Relative,
    BrowserHost,
}

/// What kept a reference from a URI form; see [`UriError::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UriErrorKind {
    /// The host has no ASCII form under UTS #46.
    Host,
    /// The text is not a reference, and [`Disallowed::Fail`] was asked for.
    Syntax,
    /// The charset of the query lacks a character, and [`Unmappable::Fail`] was asked for.
    Unmappable,
    /// A relative reference cannot be opened without the address of its document
    /// ([`Match::open`](crate::Match::open)).
    Relative,
    /// A browser reads the host in another way than RFC 3986
    /// ([`Warning::BrowserHost`](crate::Warning::BrowserHost)), so the URI form would open another place.
    BrowserHost,
}

impl UriError {
    /// The reference is relative, and an address was asked for.
    pub(crate) const RELATIVE: UriError = UriError(Why::Relative);
    /// A browser opens another host.
    pub(crate) const BROWSER_HOST: UriError = UriError(Why::BrowserHost);

    /// The cause.
    ///
    /// ```
    /// use iriscan::reference::{UriErrorKind, UriOptions};
    ///
    /// let error = UriOptions::new().to_uri("http://é\u{2490}.example/").unwrap_err();
    /// assert_eq!(error.kind(), UriErrorKind::Host);
    /// ```
    #[must_use]
    pub fn kind(&self) -> UriErrorKind {
        match self.0 {
            Why::Host(_) => UriErrorKind::Host,
            Why::Syntax(_) => UriErrorKind::Syntax,
            Why::Unmappable(..) => UriErrorKind::Unmappable,
            Why::Relative => UriErrorKind::Relative,
            Why::BrowserHost => UriErrorKind::BrowserHost,
        }
    }
}

impl fmt::Display for UriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Why::Host(host) => write!(f, "host {host:?} has no ASCII form under UTS #46"),
            Why::Syntax(e) => e.fmt(f),
            Why::Unmappable(c, charset) => {
                write!(f, "{charset} has no {c:?} for the query; write the query in UTF-8")
            }
            Why::BrowserHost => {
                f.write_str("a browser opens another host than the reference has by RFC 3986")
            }
            Why::Relative => {
                f.write_str("a relative reference; resolve it against the address of its document")
            }
        }
    }
}

impl core::error::Error for UriError {}

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
