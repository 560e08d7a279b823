//! Calendars and contacts: iCalendar (RFC 5545) and vCard (RFC 6350; version 3.0: RFC 2426).
//!
//! ```text
//!          name            ; parameters            :                line end
//!   Line ────────▶ Head ──────────────────▶ Start ────▶ Value ──────────────▶ Line
//!    │              ├─ " ─▶ Opened ─▶ Quoted ─ " ─▶ Closed ─▶ Head
//!    └─ a line that is none of the format ────────────▶ Value
//! ```
//!
//! Bytes go in, tokens come out. Each value is a region, and so is each parameter in quotes.
//!
//! - A line end that is followed by a space or a tab is a *fold*: both are no part of the text,
//!   wherever they are, in the middle of a character of UTF-8 too. Programs fold after 75 octets, so
//!   nearly every long link has one.
//! - The parts of an address or a name, and the items of a list, are regions of their own.
//! - In a value `\,` `\;` `\\` `\n` are undone (RFC 5545, section 3.3.11), also in values that are
//!   URIs, because programs escape those as well (`URL:http\://…`). A fold may divide an escape.
//! - In a parameter in quotes, `^n` `^'` `^^` are undone (RFC 6868).
//! - A line that does not begin as one of the format is text as a whole: programs forget to fold.
//!
//! Invariant: all bytes with a meaning are ASCII, and a document in whose charset `\` may be the
//! second byte of a character is transcoded.

pub(in crate::format) mod row;
pub(in crate::format) mod writer;

use crate::{
    format::lexing::{
        lexer::{Chars, Lexer, Region, Token},
        lookahead::Lookahead,
    },
    links::place::{Inside, Place},
};

/// The longest name of a property that is read; a line that begins with more is text.
const NAME_MAX: usize = 56;

/// Reads iCalendar and vCard.
#[derive(Clone, Debug)]
pub(crate) struct Ical {
    state: State,
    /// The value of the property is a URI, in which no character has an escape.
    uri: bool,
    /// What divides the value of the property into texts of their own, if it has no escape.
    divided: &'static [u8],
    /// The line is no property.
    broken: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// At the start of a line.
    Line,
    /// After the name of a property, in its parameters.
    Head,
    /// After the quote that opens a parameter.
    Opened,
    /// In a parameter.
    Quoted,
    /// At the quote that closes a parameter.
    Closed,
    /// After the colon.
    Start,
    Value,
    /// At a sign that divides a value.
    Divided,
}

/// What a CR or LF is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEnd {
    /// The line goes on after so many bytes.
    Fold(usize),
    /// The line ends, by so many bytes.
    Line(usize),
    /// A CR without LF.
    Text,
}

/// What the CR or LF is that `bytes` begin with. `None`: more bytes are needed.
fn line_end(bytes: Lookahead<'_>) -> Option<LineEnd> {
    let len = match bytes.as_slice() {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        [b'\r'] if bytes.is_partial() => return None,
        _ => return Some(LineEnd::Text),
    };
    match bytes.get(len) {
        None if bytes.is_partial() => None,
        Some(b' ' | b'\t') => Some(LineEnd::Fold(len + 1)),
        _ => Some(LineEnd::Line(len)),
    }
}

/// Whether the value of the property is a URI, if no parameter says something else. `X-…URL` is
/// text by the letter, but programs write a URI.
fn is_uri(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 22] = [
        b"url",
        b"tzurl",
        b"attach",
        b"conference",
        b"source",
        b"image",
        b"organizer",
        b"attendee",
        b"fburl",
        b"caluri",
        b"caladruri",
        b"impp",
        b"member",
        b"related",
        b"key",
        b"photo",
        b"logo",
        b"sound",
        b"contact-uri",
        b"org-directory",
        b"structured-data",
        b"link",
    ];
    let group = memchr::memrchr(b'.', name).map_or(0, |dot| dot + 1);
    let name = &name[group..];
    let ends = |end: &[u8]| {
        name.len().checked_sub(end.len()).is_some_and(|at| name[at..].eq_ignore_ascii_case(end))
    };
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
        || name.first().is_some_and(|b| b.eq_ignore_ascii_case(&b'x'))
            && (ends(b"url") || ends(b"uri"))
}

/// What divides the value of the property: addresses and names have parts, and some properties are lists
/// (RFC 6350, section 6; RFC 5545, section 3.8.1).
fn divided(name: &[u8]) -> &'static [u8] {
    const PARTS: [&[u8]; 6] = [b"n", b"adr", b"org", b"gender", b"clientpidmap", b"request-status"];
    const LISTS: [&[u8]; 3] = [b"categories", b"nickname", b"resources"];
    let name = &name[memchr::memrchr(b'.', name).map_or(0, |dot| dot + 1)..];
    let is_in = |names: &[&[u8]]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    match () {
        () if is_in(&PARTS) => b";,",
        () if is_in(&LISTS) => b",",
        () => b"",
    }
}

/// Reads the `\` that `bytes` begin with, in a value.
fn backslash(bytes: Lookahead<'_>) -> Option<Token> {
    let mut at = 1;
    if let Some(b'\r' | b'\n') = bytes.get(1)
        && let LineEnd::Fold(len) = line_end(bytes.from(1))?
    {
        at += len;
    }
    let means = match bytes.get(at) {
        None if bytes.is_partial() => return None,
        Some(b @ (b',' | b';' | b':' | b'\\' | b'"')) => *b,
        Some(b'n' | b'N') => b'\n',
        _ => return Some(Token::Raw(1)),
    };
    Some(Token::Escape(at + 1, Chars::byte(means)))
}

/// Reads the `^` that `bytes` begin with, in a parameter.
fn caret(bytes: Lookahead<'_>) -> Option<Token> {
    let means = match bytes.get(1) {
        None if bytes.is_partial() => return None,
        Some(b'n') => b'\n',
        Some(b'\'') => b'"',
        Some(b'^') => b'^',
        _ => return Some(Token::Raw(1)),
    };
    Some(Token::Escape(2, Chars::byte(means)))
}

/// The start of `bytes` without a byte that `stops`.
fn run(bytes: &[u8], stops: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|b| stops(*b)).unwrap_or(bytes.len())
}

impl Ical {
    pub(super) fn new() -> Ical {
        Ical { state: State::Line, uri: false, divided: b"", broken: false }
    }

    fn go(&mut self, state: State, token: Token) -> Option<Token> {
        self.state = state;
        Some(token)
    }

    /// Begins the text of a value.
    fn value(&mut self) -> Option<Token> {
        let region = if self.uri { Region::Field } else { Region::Prose };
        self.go(State::Value, Token::Begin(region))
    }

    /// At the start of a line.
    fn line(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        (self.uri, self.divided, self.broken) = (false, b"", false);
        if let [b'\r' | b'\n', ..] = bytes.as_slice() {
            return Some(Token::Skip(match line_end(bytes)? {
                LineEnd::Fold(len) | LineEnd::Line(len) => len,
                LineEnd::Text => 1,
            }));
        }
        let is_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
        let len = run(&bytes[..bytes.len().min(NAME_MAX)], |b| !is_name(b));
        let rest = bytes.from(len);
        match rest.first() {
            None if len < NAME_MAX && bytes.is_partial() => None,
            // `http://…` is no property.
            Some(b':') if len > 0 && rest.begins(b"://")? => {
                self.broken = true;
                self.value()
            }
            Some(b':' | b';') if len > 0 => {
                (self.uri, self.divided) = (is_uri(&bytes[..len]), divided(&bytes[..len]));
                self.go(State::Head, Token::Skip(len))
            }
            Some(b'\r' | b'\n') if matches!(line_end(rest)?, LineEnd::Fold(_)) && len > 0 => {
                self.go(State::Head, Token::Skip(len))
            }
            _ => {
                self.broken = true;
                self.value()
            }
        }
    }

    /// In the parameters of a property.
    fn head(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match bytes.as_slice() {
            [b':', ..] => self.go(State::Start, Token::Skip(1)),
            [b'"', ..] => self.go(State::Opened, Token::Skip(1)),
            [b';', ..] => {
                if bytes.begins(b";value=uri")? {
                    self.uri = true;
                } else if bytes.begins(b";value=text")? {
                    self.uri = false;
                }
                Some(Token::Skip(1))
            }
            [b'\r' | b'\n', ..] => match line_end(bytes)? {
                LineEnd::Fold(len) => Some(Token::Skip(len)),
                LineEnd::Line(len) => self.go(State::Line, Token::Skip(len)),
                LineEnd::Text => Some(Token::Skip(1)),
            },
            _ => {
                Some(Token::Skip(run(&bytes, |b| matches!(b, b':' | b'"' | b';' | b'\r' | b'\n'))))
            }
        }
    }
}

impl Lexer for Ical {
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let Some(&first) = bytes.first() else {
            return match self.state {
                State::Quoted | State::Value if bytes.is_last() => self.go(State::Line, Token::End),
                _ => None,
            };
        };
        let feeds = matches!(first, b'\r' | b'\n');
        match self.state {
            State::Line => self.line(bytes),
            State::Head => self.head(bytes),
            State::Opened if first == b'"' => self.go(State::Head, Token::Skip(1)),
            State::Opened => self.go(State::Quoted, Token::Begin(Region::Field)),
            State::Closed => self.go(State::Head, Token::Skip(1)),
            State::Start if feeds => match line_end(bytes)? {
                LineEnd::Line(len) => self.go(State::Line, Token::Skip(len)),
                LineEnd::Fold(_) | LineEnd::Text => self.value(),
            },
            State::Start => self.value(),
            State::Quoted | State::Value if feeds => match line_end(bytes)? {
                LineEnd::Fold(len) => Some(Token::Escape(len, Chars::bytes(b""))),
                // A parameter without an end ends with its line.
                LineEnd::Line(_) => self.go(State::Line, Token::End),
                LineEnd::Text => Some(Token::Raw(1)),
            },
            State::Quoted => match first {
                b'"' => self.go(State::Closed, Token::End),
                b'^' => caret(bytes),
                _ => Some(Token::Raw(run(&bytes, |b| matches!(b, b'"' | b'^' | b'\r' | b'\n')))),
            },
            State::Value if first == b'\\' => backslash(bytes),
            State::Value if self.divided.contains(&first) => self.go(State::Divided, Token::End),
            State::Value => {
                let ends = memchr::memchr3(b'\\', b'\r', b'\n', &bytes).unwrap_or(bytes.len());
                Some(Token::Raw(run(&bytes[..ends], |b| self.divided.contains(&b))))
            }
            State::Divided => self.go(State::Start, Token::Skip(1)),
        }
    }

    fn place(&self, _: Region) -> Place {
        let inside = match self.state {
            State::Quoted => Inside::Attribute { quoted: true },
            _ if self.uri => Inside::Attribute { quoted: false },
            _ if self.broken => Inside::Plain,
            _ => Inside::Text,
        };
        inside.into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::tests::*;

    #[test]
    fn values_are_regions() {
        for (document, regions) in [
            ("", ""),
            ("URL:http://a\r\n", "{http://a}"),
            ("URL:http://a/b\r\n c\n\td\r\nSUMMARY:e\r\n", "{http://a/bcd}{e}"),
            ("URL:\r\n http://a\r\n", "{http://a}"),
            ("URL:\r\nURL:\n\nURL:", ""),
            ("DESCRIPTION:a\\, b\\; c\\\\d\\ne\\N\\x\\", "{a, b; c\\d\ne\n\\x\\}"),
            ("DESCRIPTION:a\\\r\n nb\\\n ,c", "{a\nb,c}"),
            ("X;ALTREP=\"http://a/b\r\n c\";L=\"\":d\r\n", "{http://a/bc}{d}"),
            ("ADR:a;b\\;c,\r\n d\r\nCATEGORIES:a,b;c", "{a}{b;c}{d}{a}{b;c}"),
            ("item1.ORG:;a\r\nN:\r\n ;;", "{}{a}{}{}"),
            ("X;A=\"b^nc^'^^^d\":e:f", "{b\nc\"^^d}{e:f}"),
            ("X;A=\"b\r\nURL:c", "{b}{c}"),
            ("X;A=b\r\nURL:c", "{c}"),
            ("LONG-NA\r\n ME;A=b\r\n c:d", "{d}"),
            ("item1.URL:http\\://a", "{http://a}"),
            ("http://a/b\r\nsee http://c\r\n", "{http://a/b}{see http://c}"),
            ("word\r\nword", "{word}{word}"),
            ("A:b\rc\r\r\n d\r", "{b\rc\rd\r}"),
            (" a\r\n b", "{ ab}"),
            ("\r\n x\r\nA:b", "{x}{b}"),
            ("\u{FEFF}BEGIN:VCARD\r\nURL:a", "{\u{FEFF}BEGIN:VCARD}{a}"),
        ] {
            assert_eq!(render(&Ical::new(), document.as_bytes()), regions, "{document:?}");
        }
    }

    #[test]
    fn a_fold_may_be_within_a_character() {
        let document = b"URL:http://a/\xE6\r\n \x97\xA5\n";
        assert_eq!(render(&Ical::new(), document), "{http://a/日}");
    }

    #[test]
    fn what_is_a_uri() {
        for (line, uri) in [
            ("URL:", true),
            ("item2.url;TYPE=pref:", true),
            ("X-MICROSOFT-SKYPETEAMSMEETINGURL:", true),
            ("DESCRIPTION:", false),
            ("LOCATION;VALUE=URI;X=y:", true),
            ("URL;VALUE=TEXT:", false),
            ("X-NOTE:", false),
        ] {
            let (mut ical, mut at) = (Ical::new(), 0);
            while let Some(Token::Skip(len)) = ical.next(Lookahead::whole(&line.as_bytes()[at..])) {
                at += len;
            }
            assert_eq!((at, ical.uri), (line.len(), uri), "{line}");
        }
    }

    /// The texts of a document, as RFC 5545 has it: first unfolded, then line by line.
    fn unfolded(document: &[u8]) -> std::vec::Vec<u8> {
        let mut out = std::vec::Vec::new();
        let mut at = 0;
        while at < document.len() {
            match document[at..] {
                [b'\r', b'\n', b' ' | b'\t', ..] => at += 3,
                [b'\n', b' ' | b'\t', ..] => at += 2,
                _ => {
                    out.push(document[at]);
                    at += 1;
                }
            }
        }
        out
    }

    proptest! {
        /// Folds change nothing but where a line is too long to be a property.
        #[test]
        fn folds_change_nothing(
            document in hostile(&[
                "URL:", "X", ";", "A=", "\"", ":", "\\", "\\,", "\\n", "^", "^n", "^'", "\r\n", "\n",
                "\r", " ", "\t", "é", "http://", "VALUE=URI",
            ]),
        ) {
            let whole = texts(&document, &tokens_of_all_cuts(&Ical::new(), &document));
            let plain = unfolded(&document);
            // After a line end that is folded away, another one may be followed by white space.
            prop_assume!(unfolded(&plain) == plain);
            let other = texts(&plain, &tokens_of_all_cuts(&Ical::new(), &plain));
            let bytes = |all: &[Text]| -> std::vec::Vec<_> {
                all.iter().map(|text| text.bytes.clone()).filter(|b| !b.is_empty()).collect()
            };
            let names_are_short = !plain.split(|b| *b == b'\n').any(|line| {
                line.iter().take_while(|b| b.is_ascii_alphanumeric()).count() >= NAME_MAX
            });
            // A fold within a name, or before `://`, hides what the line is.
            let folded_late = document.split(|b| *b == b'\n').all(|line| {
                line.first().is_none_or(|b| !matches!(b, b' ' | b'\t'))
            });
            if names_are_short && folded_late {
                prop_assert_eq!(bytes(&whole), bytes(&other));
            }
        }
    }
}
