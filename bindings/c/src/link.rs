//! A link as C sees it: its texts are made when they are asked for.

use std::{
    collections::HashSet,
    ffi::{c_char, c_int, c_void},
    ptr,
    sync::Arc,
};

use iriscan::{
    Basis, Charset, Kind, Link, Match, Position, Positions,
    mail::{Headers, MailLink},
};

use crate::{
    input::word,
    names::*,
    status::{Error, IRISCAN_ERR_OPTION, status, value},
    strings::{Strings, has_warning},
};

/// A link that was found. Its functions say what is known of it.
///
/// A link belongs to what gave it: it is valid in a list until iriscan_links_free, from an iterator
/// or a document until its next call, from a scanner until the callback returns. The strings of a link are valid as
/// long as it is. Any number of threads may read one.
pub struct iriscan_link {
    link: Link,
    spot: Spot,
    /// The header of the message that it is in.
    message: Option<Arc<Headers>>,
    strings: Strings,
}

impl iriscan_link {
    pub(crate) fn new(link: Link, spot: Spot) -> iriscan_link {
        iriscan_link { link, spot, message: None, strings: Strings::default() }
    }

    /// A link of a message, of which the header is not known yet.
    /// `at`: the byte and the line, from 1, that the message begins with.
    pub(crate) fn in_mail(link: MailLink, at: (u64, u64)) -> iriscan_link {
        let mut spot = Spot::in_mail(&link);
        spot.begin_at(Some(at.0));
        spot.line += at.1 - 1;
        iriscan_link::new(link.into_link(), spot)
    }

    pub(crate) fn set_message(&mut self, message: &Arc<Headers>) {
        self.message = Some(message.clone());
    }

    /// The text of a field.
    fn text(&self, field: u32) -> Option<String> {
        let link = self.link.as_match();
        let (mail, message) = (self.spot.mail.as_deref(), self.message.as_deref());
        let around = mail.and_then(|mail| mail.around.as_ref());
        let own = |text: Option<&str>| text.map(ToOwned::to_owned);
        match field {
            IRISCAN_FIELD_ERROR => link.uri().err().map(|e| e.to_string()),
            IRISCAN_FIELD_UNWRAPPED => link.unwrapped(),
            IRISCAN_FIELD_PART => mail.map(|mail| mail.part.clone()),
            IRISCAN_FIELD_HEADER => mail.and_then(|mail| mail.field.clone()),
            IRISCAN_FIELD_BEFORE => around.map(|(before, _)| before.clone()),
            IRISCAN_FIELD_AFTER => around.map(|(_, after)| after.clone()),
            IRISCAN_FIELD_MESSAGE_ID => own(message?.message_id()),
            IRISCAN_FIELD_SUBJECT => own(message?.subject()),
            IRISCAN_FIELD_FROM => own(message?.from()),
            IRISCAN_FIELD_DATE => own(message?.date()),
            _ => link.get(field_of(field)?).map(|text| text.into_owned()),
        }
    }

    /// Where it starts and ends in a unit.
    fn offsets(&self, unit: u32) -> [u64; 2] {
        match unit {
            IRISCAN_UNIT_BYTES => self.spot.range,
            IRISCAN_UNIT_UTF16 => self.spot.utf16,
            IRISCAN_UNIT_CHARS => self.spot.chars,
            _ => NOWHERE,
        }
    }
}

/// The links without those that open what one before them opens.
pub(crate) fn unique(links: &mut Vec<iriscan_link>) {
    let mut seen = HashSet::new();
    links.retain(|link| {
        let link = link.link.as_match();
        seen.insert(link.open().unwrap_or_else(|_| link.iri().into_owned()))
    });
}

/// The link that a pointer is; `None` for NULL.
///
/// # Safety
///
/// `link` is NULL or a link that is valid.
unsafe fn read<'l>(link: *const iriscan_link) -> Result<&'l iriscan_link, Error> {
    // SAFETY: the caller's promise.
    unsafe { link.as_ref() }.ok_or_else(|| Error::null("link"))
}

/// Returns what a link says in a field: UTF-8, with a NUL after it; NULL if it says nothing there.
///
/// - link: NULL is allowed, and gives NULL
/// - field: IRISCAN_FIELD_URI, IRISCAN_FIELD_OPEN, … For another number the result is NULL, and
///   iriscan_last_error says it.
/// - size: receives the bytes of the string, without the NUL; 0 for NULL. May be NULL. It differs from
///   strlen only where a link has U+0000: in attributes of markup, also of HTML in mail, and in RDF;
///   never in plain text, JSON and logs. Such a link has the warning "not-rfc3986".
///
/// The string is made when it is asked for first, and valid as long as the link is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_link_get(
    link: *const iriscan_link,
    field: u32,
    size: *mut usize,
) -> *const c_char {
    let text = value(|| {
        // SAFETY: the header says what the pointers are.
        let link = unsafe { read(link) }?;
        if !(1..FIELDS as u32).contains(&field) {
            let message = format_args!("{field} is no field; see IRISCAN_FIELD_ in iriscan.h");
            return Err(Error::new(IRISCAN_ERR_OPTION, message));
        }
        Ok(link.strings.get(field, || link.text(field)))
    });
    let (text, len) = text.unwrap_or((ptr::null(), 0));
    if !size.is_null() {
        // SAFETY: as above.
        unsafe { size.write(len) };
    }
    text
}

/// Returns where a link starts, in IRISCAN_UNIT_BYTES, IRISCAN_UNIT_UTF16 or IRISCAN_UNIT_CHARS;
/// IRISCAN_NO_OFFSET if that is not known, and for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_link_start(link: *const iriscan_link, unit: u32) -> u64 {
    // SAFETY: the header says what the pointers are.
    value(|| Ok(unsafe { read(link) }?.offsets(unit)[0])).unwrap_or(IRISCAN_NO_OFFSET)
}

/// Returns where what follows a link starts, in the same units as iriscan_link_start.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_link_end(link: *const iriscan_link, unit: u32) -> u64 {
    // SAFETY: the header says what the pointers are.
    value(|| Ok(unsafe { read(link) }?.offsets(unit)[1])).unwrap_or(IRISCAN_NO_OFFSET)
}

/// Returns the line on which a link starts, from 1: with IRISCAN_FLAG_LINES, and always in mail, where it
/// is the line of the message on which the link, or the part that has it, starts. 0 if it is not known,
/// and for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_link_line(link: *const iriscan_link) -> u64 {
    // SAFETY: the header says what the pointers are.
    value(|| Ok(unsafe { read(link) }?.spot.line)).unwrap_or(0)
}

/// Returns the column in which a link starts, in characters from 1, with IRISCAN_FLAG_LINES; 0 if it is
/// not known, and for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_link_column(link: *const iriscan_link) -> u64 {
    // SAFETY: the header says what the pointers are.
    value(|| Ok(unsafe { read(link) }?.spot.column)).unwrap_or(0)
}

/// Returns the kind of a link: IRISCAN_KIND_IRI, IRISCAN_KIND_BARE, IRISCAN_KIND_EMAIL or
/// IRISCAN_KIND_IP; 0 for NULL. iriscan_kind_name has the words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_link_kind(link: *const iriscan_link) -> u32 {
    let kind = value(|| {
        // SAFETY: the header says what the pointers are.
        Ok(match unsafe { read(link) }?.link.kind() {
            Kind::Bare => IRISCAN_KIND_BARE,
            Kind::Email => IRISCAN_KIND_EMAIL,
            Kind::Ip => IRISCAN_KIND_IP,
            _ => IRISCAN_KIND_IRI,
        })
    });
    kind.unwrap_or(0)
}

/// Returns 1 if a link has a warning, 0 if not, or a negative status.
///
/// - warning: its name, such as "mixed-script". NULL: any warning.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_link_has_warning(
    link: *const iriscan_link,
    warning: *const c_char,
) -> c_int {
    status(|| {
        // SAFETY: the header says what the pointers are.
        let (link, name) = unsafe { (read(link)?, word("warning", warning)?) };
        has_warning(&link.link.as_match().warnings(), name)
    })
}

/// Returns the bytes of a link as in the input; in mail as in the message, or if they are not there, as
/// in the decoded part. NULL for NULL.
///
/// - size: receives how many they are; may be NULL. No NUL is after them, and in UTF-16 and UTF-32 there
///   are some within.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_link_source(
    link: *const iriscan_link,
    size: *mut usize,
) -> *const c_void {
    // SAFETY: the header says what the pointers are.
    let source = value(|| Ok(unsafe { read(link) }?.link.source()));
    let (bytes, len) = source.map_or((ptr::null(), 0), |source| (source.as_ptr(), source.len()));
    if !size.is_null() {
        // SAFETY: as above.
        unsafe { size.write(len) };
    }
    bytes.cast()
}

/// Returns the word of the command line for the kind of a link: "iri", "bare", "email" or "ip"; ""
/// for other numbers.
///
/// The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn iriscan_kind_name(kind: u32) -> *const c_char {
    match kind {
        IRISCAN_KIND_IRI => c"iri",
        IRISCAN_KIND_BARE => c"bare",
        IRISCAN_KIND_EMAIL => c"email",
        IRISCAN_KIND_IP => c"ip",
        _ => c"",
    }
    .as_ptr()
}

/// Where a link is.
pub(crate) struct Spot {
    range: [u64; 2],
    utf16: [u64; 2],
    chars: [u64; 2],
    line: u64,
    column: u64,
    mail: Option<Box<MailSpot>>,
}

struct MailSpot {
    part: String,
    field: Option<String>,
    around: Option<(String, String)>,
}

/// No offset.
const NOWHERE: [u64; 2] = [IRISCAN_NO_OFFSET; 2];

impl Spot {
    /// Where a link of a message is.
    fn in_mail(link: &MailLink) -> Spot {
        let mail = MailSpot {
            part: link.part().to_owned(),
            field: link.header().map(ToOwned::to_owned),
            around: link
                .before()
                .zip(link.after())
                .map(|(before, after)| (before.to_owned(), after.to_owned())),
        };
        let range = link.span().map_or(NOWHERE, |span| [span.start, span.end]);
        let (line, mail) = (link.line(), Some(Box::new(mail)));
        Spot { range, utf16: NOWHERE, chars: NOWHERE, line, column: 0, mail }
    }
}

impl Spot {
    /// The text that it is in begins at this byte of the document; `None`: its bytes are not there.
    pub(crate) fn begin_at(&mut self, start: Option<u64>) {
        let of = |offset: u64| match (offset, start) {
            (IRISCAN_NO_OFFSET, _) | (_, None) => IRISCAN_NO_OFFSET,
            (offset, Some(start)) => start + offset,
        };
        self.range = self.range.map(of);
    }
}

/// Counts the units of one input, whose bytes come in order.
pub(crate) struct Counter {
    units: Units,
    /// `None` if no units were asked for, or all were counted.
    positions: Option<Positions>,
    decided: bool,
    at: u64,
    /// What was counted before the last link that is in no other, for those in its query.
    before: Option<(u64, Positions)>,
}

impl Counter {
    pub(crate) fn new(units: Units) -> Counter {
        let counts = units.utf16 || units.chars || units.lines;
        let positions = counts.then(Positions::undecided);
        Counter { units, positions, decided: false, at: 0, before: None }
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
        let Some(positions) = &self.positions else { return self.next(link) };
        if link.span().start < self.at
            && let Some((at, positions)) = &self.before
        {
            let (at, positions) = (*at, Some(positions.clone()));
            let mut within = Counter { positions, at, before: None, ..*self };
            return within.find(link, input);
        }
        let counted = positions.clone();
        let before = self.at as usize..link.range().start;
        self.before = Some((self.at, counted));
        self.advance(input.get(before).unwrap_or_default());
        self.next(link)
    }

    /// What is counted next may have links in it.
    pub(crate) fn mark(&mut self) {
        self.before = self.positions.clone().map(|positions| (self.at, positions));
    }

    /// Where a link in the query of `around` is; that one was counted since the mark.
    pub(crate) fn nested(&self, link: &Match<'_>, around: &Match<'_>) -> Spot {
        let (at, positions) = self.before.clone().unzip();
        let mut within = Counter { positions, at: at.unwrap_or(0), before: None, ..*self };
        let before = (link.span().start - around.span().start) as usize;
        within.advance(around.source().get(..before).unwrap_or_default());
        within.next(link)
    }

    /// Where a link that follows the bytes counted before is.
    pub(crate) fn next(&mut self, link: &Match<'_>) -> Spot {
        let (span, none) = (link.span(), NOWHERE);
        let range = [span.start, span.end];
        let mut spot = Spot { range, utf16: none, chars: none, line: 0, column: 0, mail: None };
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
            if self.units.lines {
                (spot.line, spot.column) = (start.line, start.column);
            }
        }
        spot
    }
}
