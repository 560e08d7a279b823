//! The options of the conversion to a URI, and their values by name.
//!
//! A caller says how hosts, queries and characters that no URI has are written; [`to_uri`](super::to_uri)
//! converts by that. What must hold: the defaults are those of RFC 3987, with hosts as DNS wants them.

use super::class::is_kept;
use crate::{charset::Charset, data::names::named};

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
    /// Those of ASCII that are printed stay, as in URI templates (`/{id}`); the result is no URI then, and a
    /// [warning](crate::Warning::NotRfc3986) says so. A space, controls and all that is not ASCII are encoded.
    Keep,
    /// The conversion fails, and so it does for any other text that is not an IRI-reference of
    /// RFC 3987.
    Fail,
}

named!(Disallowed is "a rule for disallowed characters": Encode = "encode", Keep = "keep", Fail = "fail");

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
    pub(super) host: HostForm,
    pub(super) host_escapes: HostEscapes,
    pub(super) query: QueryCharset,
    pub(super) nfc: Nfc,
    pub(super) disallowed: Disallowed,
    pub(super) unmappable: Unmappable,
    pub(super) backslash: Backslash,
    pub(super) charset: Charset,
    pub(super) web_base: bool,
    pub(super) unwraps: bool,
    pub(super) rewrites_ascii: bool,
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
            rewrites_ascii: false,
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

    /// Where links are rewritten, those of ASCII become their URI form too.
    pub(crate) fn rewrites_ascii(self, rewrites_ascii: bool) -> UriOptions {
        UriOptions { rewrites_ascii, ..self }
    }

    pub(crate) fn get_rewrites_ascii(self) -> bool {
        self.rewrites_ascii
    }

    /// Whether a reference of ASCII may not be its own URI form, as far as its characters say.
    pub(crate) fn changes_ascii(self, reference: &[u8]) -> bool {
        self.disallowed == Disallowed::Fail || self.changes(reference)
    }

    /// Whether the URI form of `reference` keeps characters that no URI has.
    pub(crate) fn keeps_disallowed(self, reference: &[u8]) -> bool {
        self.disallowed == Disallowed::Keep && reference.iter().any(|b| is_kept(*b))
    }

    /// Treats a relative reference as one to the web, because pages with markup have `http` or
    /// `https` addresses.
    pub(crate) fn web_base(self, web_base: bool) -> UriOptions {
        UriOptions { web_base, ..self }
    }
}
