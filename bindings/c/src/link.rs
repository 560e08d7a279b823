//! A link as C sees it, and how it is made.

use std::{
    ffi::{c_char, c_void},
    ptr,
};

use iriscan::{
    Basis, Charset, Kind, Link, Match, Position, Positions,
    mail::{Headers, MailLink},
};

use crate::{
    options::{IRISCAN_BARE, IRISCAN_EMAIL, IRISCAN_IRI},
    strings::{Place, Strings},
};

/// The offset that is not there: of a link in mail whose bytes are not in the message, and in units
/// that no flag asked for.
pub const IRISCAN_NONE: u64 = u64::MAX;

/// A link that was found.
///
/// Strings are UTF-8 with a NUL after them. They are valid as long as the link is, and it belongs to
/// what gave it: the list until iriscan_links_free, the iterator until its next call, the scanner
/// until the callback returns. A string that does not exist is NULL, and its size is 0.
///
/// Sizes save a strlen. They differ from it only where a link has U+0000: in attributes of markup,
/// also of HTML in mail, and in RDF; never in plain text, JSON and logs. Such a link has the warning
/// "not-rfc3986".
/// `source` is no string: it has NULs in UTF-16 and UTF-32.
///
/// The library makes all links; programs only read them. Later versions may add members at the end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct iriscan_link {
    /// Where the link starts: a byte of the input, of a stream counted from its start, whatever the
    /// charset and format. In mail IRISCAN_NONE, if the bytes are not in the message (base64).
    pub start: u64,
    /// The byte after the link.
    pub end: u64,
    /// The same in UTF-16 units of the decoded text, with the flag IRISCAN_UTF16; otherwise
    /// IRISCAN_NONE, and always in mail. A byte order mark does not count.
    pub utf16_start: u64,
    /// The UTF-16 unit after the link.
    pub utf16_end: u64,
    /// The same in characters (Unicode scalar values), with the flag IRISCAN_CHARS; a
    /// malformed sequence counts as one. So count GtkTextBuffer and Python.
    pub chars_start: u64,
    /// The character after the link.
    pub chars_end: u64,
    /// In mail the line of the message on which the link, or the part that has it, starts, from 1.
    /// 0 elsewhere.
    pub line: u64,
    /// IRISCAN_IRI, IRISCAN_BARE or IRISCAN_EMAIL; iriscan_kind_name has the words.
    pub kind: u32,
    /// How many warnings there are.
    pub warnings_count: u32,
    /// The characters of the link as in the input, decoded, nothing else undone.
    pub text: *const c_char,
    /// Bytes of `text`.
    pub text_size: usize,
    /// The reference: `text` with the escapes of the format and line breaks undone. `display` is
    /// for people.
    pub iri: *const c_char,
    /// Bytes of `iri`.
    pub iri_size: usize,
    /// The URI form, without an added scheme; NULL if it has none; then `error` says why.
    pub uri: *const c_char,
    /// Bytes of `uri`.
    pub uri_size: usize,
    /// What to give to a browser or mailer: the URI, with "https://" before a host without a scheme
    /// and "mailto:" before an address. NULL for a relative reference without a base and where `uri` is
    /// NULL.
    pub open: *const c_char,
    /// Bytes of `open`.
    pub open_size: usize,
    /// The scheme in lower case; NULL for a link without one.
    pub scheme: *const c_char,
    /// Bytes of `scheme`.
    pub scheme_size: usize,
    /// The host as it is written, an IPv6 address with its brackets; NULL for a link without one.
    pub host: *const c_char,
    /// Bytes of `host`.
    pub host_size: usize,
    /// The names of the warnings, for example "mixed-script", and after them a NULL. Never NULL
    /// itself. `iriscan find --help` explains the names.
    pub warnings: *const *const c_char,
    /// Why `uri` is NULL; NULL if it is not.
    pub error: *const c_char,
    /// The bytes of the link as in the input; in mail as in the message, or if they are not there,
    /// as in the decoded part.
    pub source: *const c_void,
    /// Bytes of `source`.
    pub source_size: usize,
    /// The charset that the link was read in, for example "UTF-8" or "Shift_JIS".
    pub charset: *const c_char,
    /// In mail the part of the message, numbered as in IMAP: "1.2"; "0" for the header of the
    /// message. NULL elsewhere.
    pub part: *const c_char,
    /// In mail the name of the header field; NULL in a body, and elsewhere.
    pub field: *const c_char,
    /// With the flag IRISCAN_ELEMENTS in HTML and XML: the element that the link is in. NULL in
    /// running text, and elsewhere.
    pub element: *const c_char,
    /// The attribute that the link is in; NULL in the text of an element.
    pub attribute: *const c_char,
    /// The text of the element a or area that the link is the href of, white space folded, at most
    /// 200 characters; NULL for other links.
    pub anchor: *const c_char,
    /// Bytes of `anchor`.
    pub anchor_size: usize,
    /// What to show to a person: the readable IRI, its host in Unicode only where that cannot
    /// deceive. Put it between U+2066 and U+2069 if it is in other text.
    pub display: *const c_char,
    /// Bytes of `display`.
    pub display_size: usize,
    /// The URI of the link inside, if the link is the wrapper of a mail gateway; NULL if it is not.
    pub unwrapped: *const c_char,
    /// Bytes of `unwrapped`.
    pub unwrapped_size: usize,
    /// In mail the identifier of the message, without the "<" and ">" around it; NULL if it has none,
    /// and elsewhere. This and the next three are of the header of the message, decoded.
    pub message_id: *const c_char,
    /// What the message is about.
    pub subject: *const c_char,
    /// Who wrote the message, as its field From has it: names and addresses.
    pub from: *const c_char,
    /// When the message was written, as its field Date has it.
    pub date: *const c_char,
    /// The text before the link in its part or field, of iriscan_mail_find_in_context; NULL elsewhere.
    pub before: *const c_char,
    /// Bytes of `before`.
    pub before_size: usize,
    /// The text after the link.
    pub after: *const c_char,
    /// Bytes of `after`.
    pub after_size: usize,
    /// The URI form as an absolute URI: a relative reference is resolved against the option "base", or a
    /// nearer base that the document says before the link. NULL for a relative reference without a base and
    /// where `uri` is NULL.
    pub absolute: *const c_char,
    /// Bytes of `absolute`.
    pub absolute_size: usize,
}

/// Returns the word of the command line for the kind of a link: "iri", "bare" or "email"; "" for
/// other numbers.
///
/// The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn iriscan_kind_name(kind: u32) -> *const c_char {
    match kind {
        IRISCAN_IRI => c"iri",
        IRISCAN_BARE => c"bare",
        IRISCAN_EMAIL => c"email",
        _ => c"",
    }
    .as_ptr()
}

/// Where a link is.
pub(crate) struct Spot {
    range: [u64; 2],
    utf16: [u64; 2],
    chars: [u64; 2],
    mail: Option<Box<MailSpot>>,
}

struct MailSpot {
    part: String,
    field: Option<String>,
    line: u64,
    around: Option<(String, String)>,
}

/// No offset.
const NOWHERE: [u64; 2] = [IRISCAN_NONE; 2];

impl Spot {
    /// Where a link of a message is.
    pub(crate) fn in_mail(link: &MailLink) -> Spot {
        let mail = MailSpot {
            part: link.part().to_owned(),
            field: link.header().map(ToOwned::to_owned),
            line: link.line(),
            around: link
                .before()
                .zip(link.after())
                .map(|(before, after)| (before.to_owned(), after.to_owned())),
        };
        let range = link.span().map_or(NOWHERE, |span| [span.start, span.end]);
        Spot { range, utf16: NOWHERE, chars: NOWHERE, mail: Some(Box::new(mail)) }
    }
}

/// The units in which a finder counts besides bytes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Units {
    pub(crate) utf16: bool,
    pub(crate) chars: bool,
}

/// Counts the units of one input, whose bytes come in order.
pub(crate) struct Counter {
    units: Units,
    /// `None` if no units were asked for, or all were counted.
    positions: Option<Positions>,
    decided: bool,
    at: u64,
}

impl Counter {
    pub(crate) fn new(units: Units) -> Counter {
        let positions = (units.utf16 || units.chars).then(Positions::undecided);
        Counter { units, positions, decided: false, at: 0 }
    }

    /// The charset is decided, before the first byte that depends on it is counted.
    pub(crate) fn decide(&mut self, charset: Charset) {
        if let Some(positions) = self.positions.as_mut().filter(|_| !self.decided) {
            positions.decide(charset);
        }
        self.decided = true;
    }

    /// The charset as an iterator knows it. It is not decided as long as all bytes were ASCII.
    pub(crate) fn learn(&mut self, (charset, basis): (Charset, Basis)) {
        if !self.decided && basis != Basis::Ascii {
            self.decide(charset);
        }
    }

    /// Bytes that follow those counted before.
    pub(crate) fn advance(&mut self, bytes: &[u8]) {
        self.at += bytes.len() as u64;
        if let Some(positions) = &mut self.positions {
            positions.advance(bytes);
        }
    }

    /// Where a link of `input`, which has all bytes from the first one on, is.
    pub(crate) fn find(&mut self, link: &Match<'_>, input: &[u8]) -> Spot {
        if self.positions.is_some() {
            let before = self.at as usize..link.range().start;
            self.advance(input.get(before).unwrap_or_default());
        }
        self.next(link)
    }

    /// Where a link that follows the bytes counted before is.
    pub(crate) fn next(&mut self, link: &Match<'_>) -> Spot {
        let span = link.span();
        let mut spot =
            Spot { range: [span.start, span.end], utf16: NOWHERE, chars: NOWHERE, mail: None };
        if let Some(positions) = &self.positions {
            let start = positions.position();
            self.advance(link.source());
            let end = self.positions.as_ref().map_or(start, Positions::position);
            let both = |wanted, unit: fn(Position) -> u64| match wanted {
                true => [unit(start), unit(end)],
                false => NOWHERE,
            };
            spot.utf16 = both(self.units.utf16, |position| position.utf16);
            spot.chars = both(self.units.chars, |position| position.chars);
        }
        spot
    }
}

/// A link whose strings have no addresses yet.
struct Draft {
    link: iriscan_link,
    source: Place,
    text: Place,
    iri: Place,
    uri: Option<Place>,
    open: Option<Place>,
    scheme: Option<Place>,
    host: Option<Place>,
    error: Option<Place>,
    charset: Place,
    part: Option<Place>,
    field: Option<Place>,
    element: Option<Place>,
    attribute: Option<Place>,
    anchor: Option<Place>,
    display: Place,
    unwrapped: Option<Place>,
    before: Option<Place>,
    after: Option<Place>,
    absolute: Option<Place>,
    message: Message,
    warnings: usize,
}

/// Strings of the header of a message, which all of its links share.
#[derive(Clone, Copy, Default)]
struct Message {
    id: Option<Place>,
    subject: Option<Place>,
    from: Option<Place>,
    date: Option<Place>,
}

/// Makes links for C.
#[derive(Default)]
pub(crate) struct Maker {
    strings: Strings,
    drafts: Vec<Draft>,
    /// The names of the warnings of all links, after those of each link a `None`.
    names: Vec<Option<Place>>,
    /// Their addresses, with NULL for `None`.
    warnings: Vec<*const c_char>,
    links: Vec<iriscan_link>,
}

// SAFETY: the pointers are into the vectors, which move with it.
unsafe impl Send for Maker {}
// SAFETY: nothing changes through a shared reference.
unsafe impl Sync for Maker {}

impl Maker {
    /// The links that were made.
    pub(crate) fn links(&self) -> &[iriscan_link] {
        &self.links
    }

    /// Makes one link, in the memory of the last one.
    pub(crate) fn one(&mut self, link: &Match<'_>, spot: &Spot) -> &iriscan_link {
        self.strings.clear();
        self.drafts.clear();
        self.names.clear();
        self.warnings.clear();
        self.links.clear();
        self.add(link, spot, Message::default());
        self.finish();
        &self.links[0]
    }

    /// Makes the links of a list, which may be those of a message.
    pub(crate) fn all(found: &[(Link, Spot)], message: Option<&Headers>) -> Maker {
        let mut maker = Maker::default();
        maker.drafts.reserve_exact(found.len());
        maker.names.reserve(found.len());
        // The source, its URI, and the small strings.
        let sources: usize = found.iter().map(|(link, _)| link.source().len()).sum();
        maker.strings.reserve(3 * sources + 64 * found.len());
        let message = message.map(|headers| maker.message(headers)).unwrap_or_default();
        for (link, spot) in found {
            maker.add(&link.as_match(), spot, message);
        }
        maker.finish();
        (maker.drafts, maker.names) = (Vec::new(), Vec::new());
        maker
    }

    fn message(&mut self, headers: &Headers) -> Message {
        let mut add = |field: Option<&str>| field.map(|text| self.strings.push(text.as_bytes()));
        Message {
            id: add(headers.message_id()),
            subject: add(headers.subject()),
            from: add(headers.from()),
            date: add(headers.date()),
        }
    }

    fn add(&mut self, found: &Match<'_>, spot: &Spot, message: Message) {
        let strings = &mut self.strings;
        let (written, reference) = (found.text(), found.iri());
        let source = strings.push(found.source());
        let text = strings.push_or(&written, source);
        let iri = strings.push_or(&reference, text);
        let scheme = found.scheme();
        let (mut uri, mut open, mut absolute, mut error) = (None, None, None, None);
        let relative = found.kind() == Kind::Iri && scheme.is_none() && found.base().is_none();
        match found.uri() {
            Ok(form) => {
                let form = strings.push_or(form.as_str(), iri);
                uri = Some(form);
                if !relative {
                    // Mostly the URI itself.
                    let mut push = |text: String| strings.push_or(&text, form);
                    open = found.open().ok().map(&mut push);
                    absolute = found.absolute().ok().map(&mut push);
                }
            }
            Err(why) => error = Some(strings.push(why.to_string().as_bytes())),
        }
        let display = strings.push_or(&found.display(), iri);
        let mut optional = |string: Option<&str>| string.map(|s| strings.push(s.as_bytes()));
        let mail = spot.mail.as_deref();
        let around = mail.and_then(|mail| mail.around.as_ref());
        let draft = Draft {
            scheme: optional(scheme.as_deref()),
            host: optional(found.host().as_deref()),
            part: optional(mail.map(|mail| &*mail.part)),
            field: optional(mail.and_then(|mail| mail.field.as_deref())),
            element: optional(found.element()),
            attribute: optional(found.attribute()),
            anchor: optional(found.anchor()),
            unwrapped: optional(found.unwrapped().as_deref()),
            before: optional(around.map(|(before, _)| &**before)),
            after: optional(around.map(|(_, after)| &**after)),
            message,
            charset: strings.push(found.charset().name().as_bytes()),
            display,
            link: outline(spot, found.kind()),
            warnings: self.names.len(),
            source,
            text,
            iri,
            uri,
            open,
            absolute,
            error,
        };
        let warnings = found.warnings();
        self.names.extend(warnings.iter().map(|name| Some(strings.push(name.as_str().as_bytes()))));
        self.names.push(None);
        self.drafts.push(draft);
    }

    /// Fills in the addresses.
    fn finish(&mut self) {
        let Maker { strings, drafts, names, warnings, links } = self;
        links.reserve_exact(drafts.len());
        warnings.reserve_exact(names.len());
        warnings.extend(names.iter().map(|name| strings.get(*name).0));
        for (i, draft) in drafts.iter().enumerate() {
            let mut link = draft.link;
            let end = drafts.get(i + 1).map_or(warnings.len(), |next| next.warnings);
            link.warnings = warnings[draft.warnings..].as_ptr();
            link.warnings_count = (end - draft.warnings - 1) as u32;
            (link.text, link.text_size) = strings.get(Some(draft.text));
            (link.iri, link.iri_size) = strings.get(Some(draft.iri));
            (link.uri, link.uri_size) = strings.get(draft.uri);
            (link.open, link.open_size) = strings.get(draft.open);
            (link.scheme, link.scheme_size) = strings.get(draft.scheme);
            (link.host, link.host_size) = strings.get(draft.host);
            (link.error, _) = strings.get(draft.error);
            (link.charset, _) = strings.get(Some(draft.charset));
            (link.part, _) = strings.get(draft.part);
            (link.field, _) = strings.get(draft.field);
            (link.element, _) = strings.get(draft.element);
            (link.attribute, _) = strings.get(draft.attribute);
            (link.anchor, link.anchor_size) = strings.get(draft.anchor);
            (link.unwrapped, link.unwrapped_size) = strings.get(draft.unwrapped);
            (link.before, link.before_size) = strings.get(draft.before);
            (link.after, link.after_size) = strings.get(draft.after);
            (link.absolute, link.absolute_size) = strings.get(draft.absolute);
            (link.message_id, _) = strings.get(draft.message.id);
            (link.subject, _) = strings.get(draft.message.subject);
            (link.from, _) = strings.get(draft.message.from);
            (link.date, _) = strings.get(draft.message.date);
            (link.display, link.display_size) = strings.get(Some(draft.display));
            let (source, size) = strings.get(Some(draft.source));
            (link.source, link.source_size) = (source.cast(), size);
            links.push(link);
        }
    }
}

/// A link without strings.
fn outline(spot: &Spot, kind: Kind) -> iriscan_link {
    let (none, absent) = (ptr::null(), ptr::null());
    iriscan_link {
        start: spot.range[0],
        end: spot.range[1],
        utf16_start: spot.utf16[0],
        utf16_end: spot.utf16[1],
        chars_start: spot.chars[0],
        chars_end: spot.chars[1],
        line: spot.mail.as_ref().map_or(0, |mail| mail.line),
        kind: match kind {
            Kind::Bare => IRISCAN_BARE,
            Kind::Email => IRISCAN_EMAIL,
            _ => IRISCAN_IRI,
        },
        warnings_count: 0,
        text: none,
        text_size: 0,
        iri: none,
        iri_size: 0,
        uri: none,
        uri_size: 0,
        open: none,
        open_size: 0,
        scheme: none,
        scheme_size: 0,
        host: none,
        host_size: 0,
        warnings: ptr::null(),
        error: none,
        source: absent,
        source_size: 0,
        charset: none,
        part: none,
        field: none,
        element: none,
        attribute: none,
        anchor: none,
        anchor_size: 0,
        display: none,
        display_size: 0,
        unwrapped: none,
        unwrapped_size: 0,
        message_id: none,
        subject: none,
        from: none,
        date: none,
        before: none,
        before_size: 0,
        after: none,
        after_size: 0,
        absolute: none,
        absolute_size: 0,
    }
}
