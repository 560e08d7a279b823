//! The numbers that programs name: kinds, flags, fields, units.

use iriscan::Field;

/// The kind of links that have a scheme, and of relative references in markup.
pub const IRISCAN_KIND_IRI: u32 = 1;
/// The kind of hosts without a scheme: `www.example.org/x`.
pub const IRISCAN_KIND_BARE: u32 = 2;
/// The kind of mail addresses without `mailto:`.
pub const IRISCAN_KIND_EMAIL: u32 = 4;
/// The kind of IP addresses without a scheme: `192.0.2.1:80/x`.
pub const IRISCAN_KIND_IP: u32 = 8;

/// Flag: a character that is not ASCII ends a link.
pub const IRISCAN_FLAG_ASCII_ONLY: u32 = 1;
/// Flag: links have offsets in UTF-16 units (IRISCAN_UNIT_UTF16).
pub const IRISCAN_FLAG_UTF16: u32 = 2;
/// Flag: links have offsets in characters (IRISCAN_UNIT_CHARS).
pub const IRISCAN_FLAG_CHARS: u32 = 4;
/// Flag: iriscan_mail_rewrite changes signed messages too, which breaks their signatures.
pub const IRISCAN_FLAG_EVEN_SIGNED: u32 = 8;
/// Flag: identifiers of RDF and keys of PO are rewritten too.
pub const IRISCAN_FLAG_IDENTIFIERS: u32 = 16;
/// Flag: links in code of Markdown do not count.
pub const IRISCAN_FLAG_NO_CODE: u32 = 32;
/// Flag: links of HTML and XML say in which element and attribute they are, and of which element they
/// are the target.
pub const IRISCAN_FLAG_ELEMENTS: u32 = 64;
/// Flag: only links that rewriting changes.
pub const IRISCAN_FLAG_CHANGED: u32 = 128;
/// Flag: only links that a person can follow: in HTML and XML no images, scripts, style sheets, other
/// resources, and names of namespaces; nowhere parts of a message (cid:).
pub const IRISCAN_FLAG_LINKS_ONLY: u32 = 256;
/// Flag: what opens the wrapper of a mail gateway, such as Safe Links, is the link inside.
pub const IRISCAN_FLAG_UNWRAP: u32 = 512;
/// Flag: rewriting makes links harmless: hxxp[:]//host[.]example/. A template by name, in the place of
/// `template_text`.
pub const IRISCAN_FLAG_DEFANG: u32 = 1024;
/// Flag: links have a line and a column.
pub const IRISCAN_FLAG_LINES: u32 = 2048;
/// Flag: iriscan_find, iriscan_mail_find and iriscan_mail_find_in_context leave out a link that opens
/// what a link before it opens.
pub const IRISCAN_FLAG_UNIQUE: u32 = 4096;

/// All flags: the last one, and those below it.
pub(crate) const FLAGS: u32 = 2 * IRISCAN_FLAG_UNIQUE - 1;

/// The characters of the link as in the input, decoded, nothing else undone. Never NULL.
pub const IRISCAN_FIELD_TEXT: u32 = 1;
/// The reference: the text with the escapes of the format and line breaks undone. Never NULL.
/// IRISCAN_FIELD_DISPLAY is for people.
pub const IRISCAN_FIELD_IRI: u32 = 2;
/// The URI form, without an added scheme; NULL if it has none; then IRISCAN_FIELD_ERROR says why.
pub const IRISCAN_FIELD_URI: u32 = 3;
/// What to give to a browser or mailer: the URI, with "https://" before a host without a scheme and
/// "mailto:" before an address. NULL for a relative reference without a base, and where
/// IRISCAN_FIELD_URI is NULL.
pub const IRISCAN_FIELD_OPEN: u32 = 4;
/// The URI form as an absolute URI: a relative reference is resolved against the option "base", or a
/// nearer base that the document says before the link. NULL for a relative reference without a base,
/// and where IRISCAN_FIELD_URI is NULL.
pub const IRISCAN_FIELD_ABSOLUTE: u32 = 5;
/// What to show to a person: the readable IRI, its host in Unicode only where that cannot deceive. Put
/// it between U+2066 and U+2069 if it is in other text. Never NULL.
pub const IRISCAN_FIELD_DISPLAY: u32 = 6;
/// The scheme in lower case; NULL for a link without one.
pub const IRISCAN_FIELD_SCHEME: u32 = 7;
/// The host as it is written, an IPv6 address with its brackets; NULL for a link without one.
pub const IRISCAN_FIELD_HOST: u32 = 8;
/// The path; NULL for an address of mail.
pub const IRISCAN_FIELD_PATH: u32 = 9;
/// The query without its "?", or NULL.
pub const IRISCAN_FIELD_QUERY: u32 = 10;
/// The fragment without its "#", or NULL.
pub const IRISCAN_FIELD_FRAGMENT: u32 = 11;
/// The user information without its "@", or NULL.
pub const IRISCAN_FIELD_USERINFO: u32 = 12;
/// The port without its ":", or NULL.
pub const IRISCAN_FIELD_PORT: u32 = 13;
/// The names of the warnings with a space between them, for example "mixed-script"; "" if there are
/// none. `iriscan find --help` explains the names. iriscan_link_has_warning asks for one.
pub const IRISCAN_FIELD_WARNINGS: u32 = 14;
/// Of a link why it has no URI form, of a reference why it is not valid; NULL if there is nothing to
/// say.
pub const IRISCAN_FIELD_ERROR: u32 = 15;
/// The charset that the link was read in, for example "UTF-8" or "Shift_JIS".
pub const IRISCAN_FIELD_CHARSET: u32 = 16;
/// The URI of the link inside, if the link is the wrapper of a mail gateway; NULL if it is not.
pub const IRISCAN_FIELD_UNWRAPPED: u32 = 17;
/// With IRISCAN_FLAG_ELEMENTS, in HTML and XML: the element that the link is in. NULL in running text,
/// and elsewhere.
pub const IRISCAN_FIELD_ELEMENT: u32 = 18;
/// The attribute that the link is in; NULL in the text of an element.
pub const IRISCAN_FIELD_ATTRIBUTE: u32 = 19;
/// The text of the element a or area that the link is the href of, white space folded, at most 200
/// characters; NULL for other links.
pub const IRISCAN_FIELD_ANCHOR: u32 = 20;
/// In mail the part of the message, numbered as in IMAP: "1.2"; "0" for the header of the message.
/// NULL elsewhere.
pub const IRISCAN_FIELD_PART: u32 = 21;
/// In mail the name of the header field; NULL in a body, and elsewhere.
pub const IRISCAN_FIELD_HEADER: u32 = 22;
/// In mail the identifier of the message, without the "<" and ">" around it; NULL if it has none, and
/// elsewhere. This and the next three are of the header of the message, decoded.
pub const IRISCAN_FIELD_MESSAGE_ID: u32 = 23;
/// What the message is about.
pub const IRISCAN_FIELD_SUBJECT: u32 = 24;
/// Who wrote the message, as its field From has it: names and addresses.
pub const IRISCAN_FIELD_FROM: u32 = 25;
/// When the message was written, as its field Date has it.
pub const IRISCAN_FIELD_DATE: u32 = 26;
/// The text before the link in its part or field, of iriscan_mail_find_in_context; NULL elsewhere.
pub const IRISCAN_FIELD_BEFORE: u32 = 27;
/// The text after the link.
pub const IRISCAN_FIELD_AFTER: u32 = 28;
/// The registrable domain of the host, by the Public Suffix List, in ASCII: "example.co.uk" of
/// www.example.co.uk; NULL for an address, a public suffix and a name of one label.
pub const IRISCAN_FIELD_DOMAIN: u32 = 29;

/// One more than the number of the last field.
pub(crate) const FIELDS: usize = IRISCAN_FIELD_DOMAIN as usize + 1;

/// The field of the library with this number.
pub(crate) fn field_of(number: u32) -> Option<Field> {
    Some(match number {
        IRISCAN_FIELD_TEXT => Field::Text,
        IRISCAN_FIELD_IRI => Field::Iri,
        IRISCAN_FIELD_URI => Field::Uri,
        IRISCAN_FIELD_OPEN => Field::Open,
        IRISCAN_FIELD_ABSOLUTE => Field::Absolute,
        IRISCAN_FIELD_DISPLAY => Field::Display,
        IRISCAN_FIELD_SCHEME => Field::Scheme,
        IRISCAN_FIELD_HOST => Field::Host,
        IRISCAN_FIELD_DOMAIN => Field::Domain,
        IRISCAN_FIELD_PATH => Field::Path,
        IRISCAN_FIELD_QUERY => Field::Query,
        IRISCAN_FIELD_FRAGMENT => Field::Fragment,
        IRISCAN_FIELD_USERINFO => Field::Userinfo,
        IRISCAN_FIELD_PORT => Field::Port,
        IRISCAN_FIELD_WARNINGS => Field::Warnings,
        IRISCAN_FIELD_CHARSET => Field::Charset,
        IRISCAN_FIELD_ELEMENT => Field::Element,
        IRISCAN_FIELD_ATTRIBUTE => Field::Attribute,
        IRISCAN_FIELD_ANCHOR => Field::Anchor,
        _ => return None,
    })
}

/// Bytes of the input, of a stream counted from its start, whatever the charset and format. In mail
/// the bytes of the message, or of the file if a document gave the link.
pub const IRISCAN_UNIT_BYTES: u32 = 0;
/// UTF-16 units of the decoded text, with IRISCAN_FLAG_UTF16, not in mail. A byte order mark does not
/// count.
pub const IRISCAN_UNIT_UTF16: u32 = 1;
/// Characters (Unicode scalar values) of the decoded text, with IRISCAN_FLAG_CHARS, not in mail; a
/// malformed sequence counts as one. So count GtkTextBuffer and Python.
pub const IRISCAN_UNIT_CHARS: u32 = 2;

/// The offset that is not there: of a link in mail whose bytes are not in the message (base64), of a link in
/// a web archive whose text was decoded, and in units that no flag asked for.
pub const IRISCAN_NO_OFFSET: u64 = u64::MAX;

/// The units in which a finder counts besides bytes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Units {
    pub(crate) utf16: bool,
    pub(crate) chars: bool,
    pub(crate) lines: bool,
}
