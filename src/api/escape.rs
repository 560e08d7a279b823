//! Escapes for a text that is written in the place of a link.
//!
//! The text goes in, and comes out as the document must hold it there: it reads as the text, and
//! nothing after it reads differently. Characters that the charset lacks get the escape that is
//! there for them, or a `?`.

use alloc::{borrow::Cow, format, string::String};

use crate::{
    charset::{Charset, Shape},
    format::{delimiter, kinds::Format},
    grammar::types::{Around, Cell, CellPart, Inside, Place},
    links::matched::Match,
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
    /// The field without quotes that the link is in.
    cell: Option<Cell>,
    /// Only ASCII can be written: the charset is not decided, or the text is said to be ASCII.
    ascii: bool,
    /// The text directly before the link, which could change the meaning of its first character.
    before: Before,
}

/// The text directly before a link in markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Nothing,
    /// A `<` that is text: a letter would begin a tag.
    LessThan,
    /// A `&`, perhaps with `#` or `#x`, that is text: more could make a character reference of it.
    Ampersand,
}

/// The end of the text before a link, as far as it counts for [`Before`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Recent([u8; 3]);

impl Recent {
    /// Takes the next text.
    #[inline]
    pub(super) fn push(&mut self, text: &[u8]) {
        // In UTF-16 and UTF-32 there are NULs between the characters.
        let last = text.iter().rev().copied().filter(|b| *b != 0).take(3);
        let mut new = [0; 3];
        let mut len = 0;
        for b in last {
            len += 1;
            new[3 - len] = b;
        }
        let old = self.0;
        new[..3 - len].copy_from_slice(&old[len..]);
        self.0 = new;
    }

    fn is_reference(self) -> bool {
        matches!(self.0, [.., b'&'] | [_, b'&', b'#'] | [b'&', b'#', b'x' | b'X'])
    }
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
        let before = match format.is_markup() {
            true if found.context().is_after_less_than() => Before::LessThan,
            true if recent.is_reference() => Before::Ampersand,
            _ => Before::Nothing,
        };
        let (place, cell) = (found.context().place(), found.context().cell());
        Escaper { format, charset, place, cell, ascii, before }
    }

    /// The text as the document must hold it, and how many characters became a `?`.
    pub(super) fn escaped<'t>(&self, text: &'t str) -> (Cow<'t, str>, u64) {
        let unicode = self.charset.is_unicode() && !self.ascii;
        let plain = |b: u8| PLAIN[usize::from(b)] || unicode && !b.is_ascii();
        let divides = self.cell.is_some_and(|cell| cell.delimiter.is_none());
        if self.before == Before::Nothing && !divides && !text.is_empty() && text.bytes().all(plain)
        {
            return (Cow::Borrowed(text), 0);
        }
        if self.format == Format::Text {
            let has = |c| !matches!(c, '\u{E}' | '\u{F}' | '\u{1B}') && (c.is_ascii() || unicode);
            if text.chars().all(has) {
                return (Cow::Borrowed(text), 0);
            }
        }
        let mut lost = 0;
        let escaped = match self.format {
            Format::Html | Format::Xml => self.in_markup(text, &mut lost),
            Format::AsciiDoc => self.in_asciidoc(text, &mut lost),
            Format::Markdown => self.in_markdown(text, &mut lost),
            Format::Csv | Format::Tsv => self.in_field(text, &mut lost),
            Format::Json | Format::Log | Format::Turtle | Format::Text => {
                self.each(text, &mut lost, |c| self.is_special(c), |c, out| self.escape(c, out))
            }
        };
        (Cow::Owned(escaped), lost)
    }

    /// Whether a link here can have `c`, which is not ASCII.
    pub(super) fn holds(&self, c: char) -> bool {
        // Style sheets end a URL without quotes at other places.
        let style = matches!(self.place.inside(), Inside::Style | Inside::StyleAttribute { .. });
        // Logs and comments of Turtle are read without escapes.
        !style && (self.has(c) || self.format.has_escapes() && self.escape_of(c).is_some())
    }

    /// A link with the escapes of the format, in which characters that the charset lacks get escapes
    /// too.
    pub(super) fn spelled(&self, link: &str) -> String {
        let mut out = String::with_capacity(link.len());
        for c in link.chars() {
            match c.is_ascii() || self.has(c) {
                true => out.push(c),
                false => out.push_str(&self.escape_of(c).unwrap_or_default()),
            }
        }
        out
    }

    /// The escape of a character that the charset lacks.
    fn escape_of(&self, c: char) -> Option<String> {
        let escaper = Escaper { before: Before::Nothing, ..*self };
        let mut buffer = [0; 4];
        let (text, lost) = escaper.escaped(c.encode_utf8(&mut buffer));
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
            Format::Turtle => {
                let name = self.place.inside() == Inside::Name;
                matches!(c, '<' | '>' | '"' | '\'' | '\\')
                    || c < ' '
                    || name && matches!(c, ' ' | '{' | '}' | '|' | '^' | '`')
            }
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

    /// Markdown. In text, what would begin an escape, code, a tag or a link becomes a character
    /// reference, because that is undone in autolinks too; in targets it gets a backslash, and what
    /// would end them is percent-encoded. Code has no escapes.
    fn in_markdown(&self, text: &str, lost: &mut u64) -> String {
        let target = match (self.place.inside(), self.place.around()) {
            (_, Around::Tag) => return self.in_markup(text, lost),
            (Inside::Plain, _) => return self.each(text, lost, |_| false, |_, _| false),
            (Inside::Attribute { quoted }, _) => Some(quoted),
            _ => None,
        };
        if target == Some(false) && text.is_empty() {
            return "<>".into();
        }
        let ends = |c: char| match target {
            None => false,
            Some(true) => matches!(c, '\r' | '\n'),
            Some(false) => c.is_ascii_control() || c == ' ',
        };
        let special = |c: char| {
            ends(c)
                || matches!(c, '\\' | '<' | '>')
                || target.is_none() && matches!(c, '`' | '[' | ']' | '*')
                || target == Some(false) && matches!(c, '(' | ')')
        };
        let escape = |c: char, out: &mut String| {
            if ends(c) {
                *out += &format!("%{:02X}", c as u32);
            } else if c.is_ascii() && target.is_some() {
                out.push('\\');
                out.push(c);
            } else {
                return reference(c, out);
            }
            true
        };
        let mut out = String::with_capacity(text.len() + text.len() / 4);
        let (mut pieces, mut between) = (text.split('&').peekable(), "");
        while let Some(piece) = pieces.next() {
            if !between.is_empty() && makes_reference(piece, pieces.peek().is_none()) {
                between = "&amp;";
            }
            out.push_str(between);
            out += &self.each(piece, lost, special, escape);
            between = "&";
        }
        out
    }

    /// AsciiDoc. In a target, what would end it is percent-encoded; in text, only characters that the
    /// charset lacks are written as character references.
    fn in_asciidoc(&self, text: &str, lost: &mut u64) -> String {
        let target = matches!(self.place.inside(), Inside::Attribute { .. });
        let ends = |c: char| {
            target
                && (c <= ' '
                    || matches!(c, '\u{7F}' | '[' | ']' | '<' | '>' | '"' | '`' | '{' | '+'))
        };
        self.each(text, lost, ends, |c, out| {
            if !ends(c) {
                return reference(c, out);
            }
            *out += &format!("%{:02X}", c as u32);
            true
        })
    }

    /// A field of CSV. In quotes, a quote is doubled. A field that the link fills gets quotes if it
    /// needs them; in a part of a field, what would end it, or open it with a quote, is
    /// percent-encoded.
    fn in_field(&self, text: &str, lost: &mut u64) -> String {
        let none = |_: char| false;
        let Some(cell) = self.cell else {
            return self.each(&text.replace('"', "\"\""), lost, none, |_, _| false);
        };
        let delimits = |c: char| match cell.delimiter {
            Some(delimiter) => c == char::from(delimiter),
            // Every character that can.
            None => u8::try_from(c).is_ok_and(delimiter::may_be),
        };
        let ends = |c: char| delimits(c) || matches!(c, '\r' | '\n');
        if cell.part == CellPart::Whole && text.contains(|c| ends(c) || c == '"') {
            let quoted = ["\"", &text.replace('"', "\"\""), "\""].concat();
            return self.each(&quoted, lost, none, |_, _| false);
        }
        let opens = cell.part != CellPart::Within && text.starts_with('"');
        let (quote, rest) = text.split_at(usize::from(opens));
        let quote = if quote.is_empty() { "" } else { "%22" };
        let rest = self.each(rest, lost, ends, |c, out| {
            let escapes = ends(c);
            if escapes {
                *out += &format!("%{:02X}", c as u32);
            }
            escapes
        });
        [quote, &rest].concat()
    }

    /// Markup: the escapes of what the link is in, then those of what is around that.
    fn in_markup(&self, text: &str, lost: &mut u64) -> String {
        let inside = match self.place.inside() {
            Inside::Plain if self.place.around() == Around::Escaped => {
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
        if text.is_empty() && !quoted {
            // Otherwise the next attribute would become the value.
            return "\"\"".into();
        }
        let special = |c: char| {
            matches!(c, '&' | '<' | '>' | '"' | '\'')
                || !quoted && (c.is_ascii_whitespace() || matches!(c, '=' | '`'))
        };
        let mut rest = text.chars();
        let first = rest.next().filter(|c| match self.before {
            Before::Nothing => false,
            Before::LessThan => c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'),
            Before::Ampersand => c.is_ascii_alphanumeric() || matches!(c, '#' | ';'),
        });
        let Some(first) = first else { return self.each(text, lost, special, reference) };
        let mut out = String::new();
        reference(first, &mut out);
        out + &self.each(rest.as_str(), lost, special, reference)
    }
}

/// Whether an `&` before `text` makes a character reference of it. `last`: what follows is unknown.
fn makes_reference(text: &str, last: bool) -> bool {
    let name = text.trim_start_matches('#');
    let rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    rest.is_empty() && last || rest.starts_with(';')
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
