//! Escapes for a text that is written in the place of a link.
//!
//! The text goes in, and comes out as the document must hold it there: it reads as the text, and
//! nothing after it reads differently. Characters that the charset lacks get the escape that is
//! there for them, or a `?`.

mod before;
mod markdown;

use alloc::{borrow::Cow, format, string::String};

use self::before::Before;
pub(super) use self::before::Recent;
use crate::{
    charset::{Charset, Shape},
    format::kinds::Format,
    links::{
        matched::Match,
        place::{Around, Inside, Place, ValuePart},
    },
    reference::syntax::{Grammar, Reference},
};

/// ASCII that no format gives a meaning in any place, and that every charset has.
const PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        let c = b as u8;
        table[b] = c.is_ascii_alphanumeric()
            || matches!(c, b'-' | b'_' | b'.' | b'/' | b':' | b'?' | b'#' | b'%');
        b += 1;
    }
    table
};

/// Escapes text for the place of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Escaper {
    format: Format,
    charset: Charset,
    place: Place,
    /// Which part the link is of a value without quotes.
    part: ValuePart,
    /// The delimiter of that value, if it is a field of CSV.
    delimiter: Option<u8>,
    /// Only ASCII can be written: the charset is not decided, or the text is said to be ASCII.
    ascii: bool,
    before: Before,
    /// The link has marks that belong to something that goes beyond it.
    marked: bool,
}

impl Escaper {
    /// For the place of `link` in a document in `charset`. `recent`: the text before the link.
    pub(super) fn new(
        format: Format,
        charset: Charset,
        ascii: bool,
        link: &Match<'_>,
        recent: Recent,
    ) -> Escaper {
        let found = link.found();
        let before = recent.before(format, &found);
        let (place, delimiter) = (found.context().place(), found.delimiter());
        let part = match found.part() {
            // The rest of a field that began with quotes.
            ValuePart::Whole if before == Before::ClosingQuote => ValuePart::Start,
            part => part,
        };
        let marked = match format {
            Format::Markdown => markdown::has_marks(&link.text(), place, before),
            _ if before == Before::HiddenLessThan => link.text().starts_with(['/', '!', '?']),
            _ => false,
        };
        Escaper { format, charset, place, part, delimiter, ascii, before, marked }
    }

    /// The text as the document must hold it, and how many characters became a `?`. `None`: no escape
    /// keeps the text in the place of the link.
    pub(super) fn escaped<'t>(&self, text: &'t str) -> Option<(Cow<'t, str>, u64)> {
        let unicode = self.charset.is_unicode() && !self.ascii;
        let plain = |b: u8| PLAIN[usize::from(b)] || unicode && !b.is_ascii();
        let divides = self.delimiter.is_some_and(|delimiter| PLAIN[usize::from(delimiter)]);
        // There `_` and `%` may have a meaning, or `/` after a `*`.
        let strict = match self.format {
            Format::Markdown | Format::Css => true,
            Format::Ical => self.place.inside() == Inside::Plain,
            _ => self.place.inside() == Inside::Name,
        };
        let usual = self.before == Before::Nothing && !divides && !strict;
        if usual && !text.is_empty() && text.bytes().all(plain) {
            return Some((Cow::Borrowed(text), 0));
        }
        if self.format == Format::Text {
            let has = |c| !matches!(c, '\u{E}' | '\u{F}' | '\u{1B}') && (c.is_ascii() || unicode);
            if text.chars().all(has) {
                return Some((Cow::Borrowed(text), 0));
            }
        }
        let mut lost = 0;
        let escaped = match self.format {
            Format::Html | Format::Xml => {
                match self.before {
                    _ if self.marked => return None,
                    Before::HiddenLessThan if begins_hidden_tag(text) => return None,
                    Before::HiddenTag if !has_scheme(text) => return None,
                    _ => {}
                }
                self.in_markup(text, &mut lost)
            }
            Format::AsciiDoc => self.in_asciidoc(text, &mut lost),
            Format::Markdown => self.in_markdown(text, &mut lost)?,
            Format::Csv | Format::Tsv => self.in_field(text, &mut lost),
            Format::Turtle if self.place.inside() == Inside::Name => {
                let name = iri_reference(text)?;
                self.each(&name, &mut lost, |_| false, |c, out| self.escape(c, out))
            }
            Format::Css => self.in_sheet(text, &mut lost),
            // A line that is no property must not become one, or a part of the line before.
            Format::Ical if self.place.inside() == Inside::Plain && !is_no_property(text) => {
                return None;
            }
            Format::Ical => self.in_ical(text, &mut lost),
            Format::Json | Format::Log | Format::Turtle | Format::Text => {
                self.each(text, &mut lost, |c| self.is_special(c), |c, out| self.escape(c, out))
            }
        };
        Some((Cow::Owned(escaped), lost))
    }

    /// True if an empty text here needs a look at what follows: a quote there would open the value.
    pub(super) fn opens_value(&self) -> bool {
        self.part == ValuePart::Start
            && matches!(
                self.place.inside(),
                Inside::Attribute { quoted: false } | Inside::StyleAttribute { quoted: false }
            )
    }

    /// True if the link fills a value without quotes.
    pub(super) fn fills_value(&self) -> bool {
        self.part == ValuePart::Whole
    }

    /// The charset of the document.
    pub(super) fn charset(&self) -> Charset {
        self.charset
    }

    /// True if the text around is escaped once more, as HTML in the text of XML is.
    pub(super) fn is_nested(&self) -> bool {
        self.place.around() == Around::Escaped
    }

    /// Whether a link here can have `c`, which is not ASCII.
    pub(super) fn holds(&self, c: char) -> bool {
        // Style sheets end a URL without quotes at other places.
        let style = matches!(self.place.inside(), Inside::Style | Inside::StyleAttribute { .. });
        // Logs and comments of Turtle are read without escapes.
        !style && (self.has(c) || self.format.has_escapes() && self.escape_of(c).is_some())
    }

    /// A link with the escapes of the format, in which characters that the charset lacks get escapes
    /// too. `None`: a character has no escape here.
    pub(super) fn spelled(&self, link: &str) -> Option<String> {
        let mut out = String::with_capacity(link.len());
        for c in link.chars() {
            match c.is_ascii() || self.has(c) {
                true => out.push(c),
                false => out.push_str(&self.escape_of(c)?),
            }
        }
        Some(out)
    }

    /// The escape of a character that the charset lacks.
    fn escape_of(&self, c: char) -> Option<String> {
        if self.format == Format::AsciiDoc && self.place.inside() != Inside::Text {
            // Targets have no escapes.
            return None;
        }
        let (before, part, marked) = (Before::Nothing, ValuePart::Within, false);
        let escaper = Escaper { before, part, marked, ..*self };
        let mut buffer = [0; 4];
        let (text, lost) = escaper.escaped(c.encode_utf8(&mut buffer))?;
        (lost == 0).then(|| text.into_owned())
    }

    /// Writes each character that is special, or that the charset lacks, by `escape`, which
    /// returns false if there is no escape.
    fn each(
        &self,
        text: &str,
        lost: &mut u64,
        special: impl Fn(char) -> bool,
        escape: impl Fn(char, &mut String) -> bool,
    ) -> String {
        let mut out = String::with_capacity(text.len() + text.len() / 4);
        let mut rest = text;
        loop {
            // Most characters are written as they are.
            let plain = rest.bytes().position(|b| !PLAIN[usize::from(b)]).unwrap_or(rest.len());
            out.push_str(&rest[..plain]);
            let Some(c) = rest[plain..].chars().next() else { return out };
            rest = &rest[plain + c.len_utf8()..];
            match special(c) || !self.has(c) {
                true if escape(c, &mut out) => {}
                true => {
                    *lost += 1;
                    out.push('?');
                }
                false => out.push(c),
            }
        }
    }

    /// Whether the charset has `c`.
    fn has(&self, c: char) -> bool {
        let stateful = self.ascii || self.charset.shape() == Shape::Stateful;
        if stateful && matches!(c, '\u{E}' | '\u{F}' | '\u{1B}') {
            return false;
        }
        if self.ascii || self.charset.is_unicode() || c.is_ascii() {
            return c.is_ascii() || !self.ascii;
        }
        self.charset.holds(c.encode_utf8(&mut [0; 4]))
    }

    /// Whether a format that is no markup gives `c` a meaning in the place of a link.
    fn is_special(&self, c: char) -> bool {
        match self.format {
            Format::Json => matches!(c, '"' | '\\') || c < ' ',
            Format::Log => matches!(c, '"' | '\\') || c < ' ' || c == '\u{7F}',
            Format::Turtle => matches!(c, '<' | '>' | '"' | '\'' | '\\') || c < ' ',
            _ => false,
        }
    }

    /// Writes the escape of `c` in JSON, logs or Turtle. Returns false if the format has none for
    /// it.
    fn escape(&self, c: char, out: &mut String) -> bool {
        match (self.format, c) {
            (Format::Json | Format::Log, '"' | '\\') => {
                out.push('\\');
                out.push(c);
            }
            (Format::Log, _) if c.is_ascii() => *out += &format!("\\x{:02X}", c as u32),
            (Format::Turtle, _) if u32::from(c) > 0xFFFF => *out += &format!("\\U{:08X}", c as u32),
            (Format::Json | Format::Log | Format::Turtle, _) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    *out += &format!("\\u{unit:04x}");
                }
            }
            _ => return false,
        }
        true
    }

    /// AsciiDoc. In a target, what would end it is percent-encoded, and so are characters that the
    /// charset lacks. In text, these and line ends are written as character references.
    fn in_asciidoc(&self, text: &str, lost: &mut u64) -> String {
        let target = matches!(self.place.inside(), Inside::Attribute { .. });
        let ends = |c: char| match target {
            true => {
                c <= ' ' || matches!(c, '\u{7F}' | '[' | ']' | '<' | '>' | '"' | '`' | '{' | '+')
            }
            false => matches!(c, '\r' | '\n'),
        };
        self.each(text, lost, ends, |c, out| match target {
            true => percent_encode(c, out),
            false => reference(c, out),
        })
    }

    /// A field of CSV. In quotes, a quote is doubled. A field that the link fills gets quotes if it
    /// needs them; in a part of a field, what would end it, or open it with a quote, is
    /// percent-encoded.
    fn in_field(&self, text: &str, lost: &mut u64) -> String {
        let none = |_: char| false;
        let bare = matches!(self.place.inside(), Inside::Attribute { quoted: false });
        let Some(delimiter) = self.delimiter.filter(|_| bare) else {
            return self.each(&text.replace('"', "\"\""), lost, none, |_, _| false);
        };
        let ends = |c: char| c == char::from(delimiter) || matches!(c, '\r' | '\n');
        if self.part == ValuePart::Whole && text.contains(|c| ends(c) || c == '"') {
            let quoted = ["\"", &text.replace('"', "\"\""), "\""].concat();
            return self.each(&quoted, lost, none, |_, _| false);
        }
        let mut out = String::with_capacity(text.len());
        for (at, c) in text.char_indices() {
            let opens = c == '"' && at == 0 && self.part != ValuePart::Within;
            match opens || ends(c) {
                true => _ = percent_encode(c, &mut out),
                false => out.push(c),
            }
        }
        self.each(&out, lost, none, |_, _| false)
    }

    /// A style sheet. In a comment, what could end it together with what is around is percent-encoded.
    fn in_sheet(&self, text: &str, lost: &mut u64) -> String {
        match self.place.inside() {
            Inside::Plain => {
                let text = text.replace('*', "%2A");
                match text.strip_prefix('/') {
                    Some(rest) => self.each(&["%2F", rest].concat(), lost, |_| false, |_, _| false),
                    None => self.each(&text, lost, |_| false, |_, _| false),
                }
            }
            _ => self.each(text, lost, is_special_in_css, escape_css),
        }
    }

    /// Calendars and contacts. In a text, punctuation gets a backslash and a line end is `\n`; in a
    /// URI and in a parameter, which have no escapes that all programs know, what would end them
    /// or be read as an escape is percent-encoded.
    fn in_ical(&self, text: &str, lost: &mut u64) -> String {
        let is_text = self.place.inside() == Inside::Text;
        let special = |c: char| match self.place.inside() {
            Inside::Text => c.is_ascii_control() && c != '\t' || matches!(c, '\\' | ',' | ';'),
            Inside::Attribute { quoted: true } => c.is_ascii_control() || matches!(c, '"' | '^'),
            _ => c.is_ascii_control() || c == '\\',
        };
        self.each(&text.replace("\r\n", "\n"), lost, special, |c, out| {
            if !special(c) {
                return false;
            }
            match c {
                '\\' | ',' | ';' if is_text => {
                    out.push('\\');
                    out.push(c);
                }
                '\n' | '\r' if is_text => out.push_str("\\n"),
                _ => return percent_encode(c, out),
            }
            true
        })
    }

    /// Markup: the escapes of what the link is in, then those of what is around that.
    fn in_markup(&self, text: &str, lost: &mut u64) -> String {
        let inside = match self.place.inside() {
            Inside::Plain if self.is_nested() => {
                // Characters that the charset lacks are left to the escapes around.
                String::from(text)
            }
            Inside::Plain => self.each(text, lost, |_| false, |_, _| false),
            Inside::Style => self.each(text, lost, is_special_in_css, escape_css),
            Inside::StyleAttribute { quoted } => {
                let sheet = self.each(text, lost, is_special_in_css, escape_css);
                self.references(&sheet, quoted, lost)
            }
            Inside::Attribute { quoted } => self.references(text, quoted, lost),
            Inside::Text | Inside::Name => self.references(text, true, lost),
        };
        match self.place.around() {
            Around::Nothing | Around::Tag => inside,
            Around::Escaped => {
                self.each(&inside, lost, |c| matches!(c, '&' | '<' | '>' | '"' | '\''), reference)
            }
            Around::Cdata => in_cdata(&inside),
        }
    }

    /// Writes character references.
    fn references(&self, text: &str, quoted: bool, lost: &mut u64) -> String {
        if text.is_empty() && !quoted && self.part == ValuePart::Whole {
            // Otherwise the next attribute would become the value.
            return "\"\"".into();
        }
        let special = |c: char| {
            matches!(c, '&' | '<' | '>' | '"' | '\'')
                || !quoted && (c.is_ascii_whitespace() || matches!(c, '=' | '`'))
        };
        let html = self.format != Format::Xml || self.place.around() != Around::Nothing;
        let escape = |c: char, out: &mut String| {
            // HTML reads the numbers of these controls as other characters; XML around it does not.
            match html && matches!(c, '\u{80}'..='\u{9F}') {
                true if self.is_nested() => out.push(c),
                true => return false,
                false => _ = reference(c, out),
            }
            true
        };
        let mut rest = text.chars();
        let first = rest.next().filter(|c| match self.before {
            Before::LessThan => c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'),
            Before::Ampersand => c.is_ascii_alphanumeric() || matches!(c, '#' | ';'),
            _ => false,
        });
        let Some(first) = first else { return self.each(text, lost, special, escape) };
        let mut out = String::new();
        reference(first, &mut out);
        out + &self.each(rest.as_str(), lost, special, escape)
    }
}

/// True if `text` begins a tag after a `<`, to a reader that takes both for HTML.
fn begins_hidden_tag(text: &str) -> bool {
    let begins = |c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?');
    text.starts_with(begins) && !has_scheme(text)
}

/// True if `text` begins with a scheme and a colon. After a `<` that makes an element which no reader
/// of HTML knows, as the link did.
fn has_scheme(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "+.-".contains(c));
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.starts_with(':')
}

/// `text` as an IRI reference: what no IRI may hold is percent-encoded. `None` if it is none even so.
fn iri_reference(text: &str) -> Option<Cow<'_, str>> {
    let is_valid = |text: &str| Reference::parse(text, Grammar::IriReference).is_ok();
    if is_valid(text) {
        return Some(Cow::Borrowed(text));
    }
    // In the second try no brackets and no colon count: they are no part of an IP literal or a scheme.
    [false, true].into_iter().find_map(|strict| {
        let mut out = String::with_capacity(text.len() * 2);
        for (at, c) in text.char_indices() {
            let special = match c {
                '%' => {
                    let digits = text.as_bytes().get(at + 1..at + 3).unwrap_or_default();
                    digits.len() < 2 || !digits.iter().all(u8::is_ascii_hexdigit)
                }
                '<' | '>' | '"' | '{' | '}' | '|' | '\\' | '^' | '`' => true,
                '[' | ']' | ':' | '@' | '#' => strict,
                c => {
                    c <= ' '
                        || c == '\u{7F}'
                        || !is_valid(c.encode_utf8(&mut [0; 4])) && !c.is_ascii()
                }
            };
            match special {
                true => _ = percent_encode(c, &mut out),
                false => out.push(c),
            }
        }
        is_valid(&out).then_some(Cow::Owned(out))
    })
}

/// Whether a line of a calendar that begins with `text` is no property, and does not go on with the
/// line before, whatever follows.
fn is_no_property(text: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    match text.find(|c| !is_name(c)).map(|at| (at, &text[at..])) {
        None => false,
        Some((0, rest)) => !rest.starts_with([' ', '\t']),
        Some((_, rest)) => !rest.starts_with([':', ';']) || rest.starts_with("://"),
    }
}

/// Writes the bytes of `c` in UTF-8 as `%HH`.
fn percent_encode(c: char, out: &mut String) -> bool {
    for b in c.encode_utf8(&mut [0; 4]).bytes() {
        *out += &format!("%{b:02X}");
    }
    true
}

/// Writes a character reference of HTML, which XML has too.
fn reference(c: char, out: &mut String) -> bool {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        c => *out += &format!("&#{};", c as u32),
    }
    true
}

/// Whether a character has a meaning in a URL of a style sheet, or could end the sheet.
fn is_special_in_css(c: char) -> bool {
    c.is_ascii_whitespace()
        || c.is_ascii_control()
        || matches!(c, '(' | ')' | '\\' | '"' | '\'' | '<' | '>' | '&')
}

fn escape_css(c: char, out: &mut String) -> bool {
    *out += &format!("\\{:x} ", c as u32);
    true
}

/// Keeps `]]>` out of a CDATA section, also together with what may be before and after.
fn in_cdata(text: &str) -> String {
    const BREAK: &str = "]]><![CDATA[";
    let mut out = String::with_capacity(text.len());
    let mut before = ']';
    for c in text.chars() {
        if c == '>' && before == ']' {
            out.push_str(BREAK);
        }
        out.push(c);
        before = c;
    }
    if text.ends_with(']') {
        out.push_str(BREAK);
    }
    out
}
