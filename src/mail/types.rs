//! What the header of an entity says about its body: the type, the transfer encoding, the
//! parameters of a text.
//!
//! This file knows MIME types and names of files, and not where parts are. A type that
//! contradicts RFC 2045 counts as `text/plain`, as its section 5.2 wants.

use std::{
    borrow::ToOwned,
    string::{String, ToString},
};

use mail_parser::{ContentType, parsers::MessageStream};

use super::{fields::sniff, signature::Signature};
use crate::{data::names::named, format::kinds::Format, reference::base::BaseUri};

/// What the fields of a part say about its text.
#[derive(Debug)]
pub(super) struct About {
    pub(super) transfer: Transfer,
    pub(super) charset: Option<String>,
    pub(super) format: Format,
    pub(super) flow: Flow,
    /// What references in it are relative to.
    pub(super) base: Option<BaseUri>,
}

/// How the lines of a text make paragraphs (RFC 3676).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// Each line is one.
    Fixed,
    /// `format=flowed`: a line that ends in a space goes on in the next one.
    Flowed,
    /// `format=flowed; delsp=yes`: so it does, without the space.
    WithoutSpaces,
}

/// The transfer encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transfer {
    /// 7bit, 8bit, binary.
    Identity,
    Quoted,
    Base64,
    /// One that MIME does not define.
    Unknown,
}

impl Transfer {
    /// The transfer encoding that the value of `Content-Transfer-Encoding` names: its first word.
    /// Comments and what follows the word do not count (`base64; charset=utf-8`).
    pub(super) fn of(value: &str) -> Transfer {
        let word = first_word(value).to_ascii_lowercase();
        match &*word {
            "quoted-printable" => Transfer::Quoted,
            "base64" => Transfer::Base64,
            name if name.contains("uu") || name.starts_with("x-") => Transfer::Unknown,
            // People write `8-bit` and `utf-8` too.
            _ => Transfer::Identity,
        }
    }
}

/// The first word of a value of tokens (RFC 2045, section 5.1), without comments before it and
/// without quotes.
fn first_word(value: &str) -> &str {
    let mut rest = value.trim_start();
    while rest.starts_with('(') {
        rest = after_comment(rest).trim_start();
    }
    let rest = rest.trim_start_matches('"');
    let ends = |c: char| c.is_whitespace() || matches!(c, ';' | ',' | '(' | '"');
    &rest[..rest.find(ends).unwrap_or(rest.len())]
}

/// The text after the comment that `text` begins with; comments may hold others.
fn after_comment(text: &str) -> &str {
    let (mut depth, mut quoted) = (0_usize, false);
    for (at, b) in text.bytes().enumerate() {
        match b {
            _ if quoted => quoted = false,
            b'\\' => quoted = true,
            b'(' => depth += 1,
            b')' if depth == 1 => return &text[at + 1..],
            b')' => depth -= 1,
            _ => {}
        }
    }
    ""
}

/// Why a part is not searched: nobody but its reader can read it.
///
/// ```
/// assert_eq!(iriscan::mail::UnsearchedReason::Tnef.as_str(), "TNEF");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnsearchedReason {
    /// A container of Outlook (`winmail.dat`).
    Tnef,
    /// In S/MIME: encrypted, or signed in a form that holds the text.
    Smime,
    /// Encrypted, as `multipart/encrypted` says.
    Encrypted,
    /// Nested too deep: more than 100 messages and multiparts, or more than three messages in base64 or
    /// quoted-printable, one in the other.
    TooDeep,
}

named! {
    UnsearchedReason is "a reason why a part of a message is not searched":
    Tnef = "TNEF",
    Smime = "S/MIME",
    Encrypted = "encrypted",
    TooDeep = "too-deep",
}

/// How the body of an entity is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Multipart,
    /// A message, or only the header of one.
    Message,
    Text,
    /// Nothing that has links, if its name and its first bytes do not say otherwise.
    Data,
    Closed(UnsearchedReason),
}

/// What the header of an entity says about its body.
pub(super) struct Header {
    pub(super) content: Option<ContentType<'static>>,
    /// The value of `Content-Disposition`, if the type is one whose name matters.
    pub(super) file_name: Option<String>,
    pub(super) transfer: Transfer,
    /// The base that the entity has or that is around it (RFC 2557, section 5; RFC 2110, section 4.2).
    pub(super) base: Option<BaseUri>,
    /// The start of the body.
    pub(super) body: usize,
}

impl Header {
    /// Whether the type is `name`.
    pub(super) fn is(&self, name: &str) -> bool {
        self.content.as_ref().is_some_and(|c| c.ctype().eq_ignore_ascii_case(name))
    }

    /// The subtype in lower case, perhaps empty.
    pub(super) fn subtype(&self) -> String {
        let sub = self.content.as_ref().and_then(|c| c.subtype());
        sub.unwrap_or_default().to_ascii_lowercase()
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.content.as_ref().and_then(|c| c.attribute(name))
    }

    /// How the body is read. `message`: an entity without a type is a message here.
    pub(super) fn kind(&self, message: bool) -> Kind {
        let sub = self.subtype();
        if self.content.is_none() {
            return if message { Kind::Message } else { Kind::Text };
        }
        match (self.is("multipart"), self.is("message"), self.is("text"), &*sub) {
            (true, ..) => Kind::Multipart,
            // `html` alone is no type.
            (.., "") => Kind::Text,
            (_, true, _, "rfc822" | "global" | "news" | "global-headers") => Kind::Message,
            (_, _, true, "rfc822-headers") => Kind::Message,
            // Reports about delivery, and others for people.
            (_, true, ..) | (_, _, true, _) => Kind::Text,
            _ if !self.is("application") => Kind::Data,
            (.., "ms-tnef" | "vnd.ms-tnef" | "x-ms-tnef") => Kind::Closed(UnsearchedReason::Tnef),
            (.., "pkcs7-mime" | "x-pkcs7-mime") => Kind::Closed(UnsearchedReason::Smime),
            _ if self.name().eq_ignore_ascii_case("winmail.dat") => {
                Kind::Closed(UnsearchedReason::Tnef)
            }
            _ => Kind::Data,
        }
    }

    /// The name of the file that the part is.
    fn name(&self) -> &str {
        let name = self.file_name.as_deref().or_else(|| self.attribute("name"));
        name.unwrap_or_default().trim()
    }

    /// How a part of data is read, by its name and its first bytes. `head` has these without their
    /// transfer encoding: HTML, calendars and messages are sent as `application/octet-stream`.
    pub(super) fn kind_of_data(&self, head: &[u8]) -> Option<(Kind, Format)> {
        let extension = self.name().rsplit_once('.').map_or("", |(_, extension)| extension);
        if extension.eq_ignore_ascii_case("eml") {
            return Some((Kind::Message, Format::Text));
        }
        let counts = |format: &Format| matches!(format, Format::Html | Format::Ical);
        let is_xhtml = |format: &Format| {
            *format == Format::Xml && extension.to_ascii_lowercase().starts_with("xht")
        };
        let by_name = Format::from_extension(extension).filter(|f| counts(f) || is_xhtml(f));
        let by_type = (self.subtype() == "xhtml+xml").then_some(Format::Xml);
        let by_content = || Some(Format::sniff(head)).filter(counts);
        if let Some(format) = by_name.or(by_type).or_else(by_content) {
            return Some((Kind::Text, format));
        }
        sniff(head).then_some((Kind::Message, Format::Text))
    }

    /// The body as a text, with the parameters of `content`.
    pub(super) fn about(&self, content: Option<&ContentType<'_>>) -> About {
        let sub = self.subtype();
        let of = |name| content.and_then(|c| c.attribute(name));
        let says = |name, value| of(name).is_some_and(|v| v.eq_ignore_ascii_case(value));
        let format = if self.is("text") { format_of(&sub) } else { Format::Text };
        About {
            transfer: self.transfer,
            charset: of("charset").map(str::to_string),
            format,
            flow: match sub == "plain" && says("format", "flowed") {
                true if says("delsp", "yes") => Flow::WithoutSpaces,
                true => Flow::Flowed,
                false => Flow::Fixed,
            },
            base: self.base.clone(),
        }
    }
}

/// The format of a text of this subtype.
fn format_of(sub: &str) -> Format {
    match sub {
        "xml" => Format::Xml,
        "json" => Format::Json,
        "turtle" => Format::Turtle,
        "csv" => Format::Csv,
        "markdown" => Format::Markdown,
        "org" | "x-org" => Format::Org,
        "x-tex" | "x-latex" | "x-bibtex" => Format::Latex,
        "x-rst" => Format::Rst,
        "x-po" | "x-gettext-translation" => Format::Po,
        "x-wiki" | "mediawiki" => Format::Wikitext,
        "asciidoc" => Format::AsciiDoc,
        "css" => Format::Css,
        "tab-separated-values" => Format::Tsv,
        "calendar" | "vcard" | "x-vcard" | "x-vcalendar" | "directory" => Format::Ical,
        // `x-amp-html` and `watch-html` are others.
        name if name.ends_with("html") => Format::Html,
        _ => Format::Text,
    }
}

/// The parameter `filename` of a `Content-Disposition`, which ends as a header does.
pub(super) fn file_name(value: &[u8]) -> Option<String> {
    let value = MessageStream::new(value).parse_content_type().into_content_type()?;
    value.attribute("filename").map(ToOwned::to_owned)
}

/// The signature with this type.
pub(super) fn signature_of(multipart: bool, sub: &str) -> Option<Signature> {
    match sub {
        "signed" if multipart => Some(Signature::Multipart),
        "pkcs7-mime" | "x-pkcs7-mime" | "pkcs7-signature" | "x-pkcs7-signature" => {
            Some(Signature::Smime)
        }
        "pgp-signature" | "pgp" => Some(Signature::Pgp),
        _ => None,
    }
}
