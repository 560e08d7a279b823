//! Logs: lines of prose with quoted fields, escapes and colours.
//!
//! ```text
//!                text                  ESC
//!   Between ──────────────▶ Inside ───────────▶ Between
//!    ├─ ESC [ ─▶ Sequence ── final byte ──▶ Between
//!    ├─ ESC ] ─▶ Command ─── a control ──▶ Between
//!    └─ ESC ] 8 ; ─▶ Params ── ';' ──▶ Target ──▶ Link ── a control ──▶ Command
//! ```
//!
//! Bytes go in, tokens come out. It knows the escapes that servers and loggers write (`\xHH` of Apache and nginx,
//! those of JSON), and the sequences of terminals (ECMA-48). Quotes are text: the
//! rules of prose know them, and so a quoted link is found whole
//! (`"http://example.org/wiki日本"`), and a field that never closes takes nothing
//! with it. A line end is white space in the text.
//!
//! `\n`, `\r` and `\t` are read as controls in `C:\new\table` too, because the two cannot be
//! distinguished, and text without a link is never changed. The price: a host or an address
//! directly after such a backslash lacks its first letter (`ew.example.org` in
//! `C:\new.example.org`).
//!
//! Invariants: a sequence ends at a control; `%HH` is raw text.

use memchr::{memchr2, memchr3};

use super::{
    escape,
    lexer::{Chars, Lexer, Region, Token, Unescaped, Value},
};

const ESC: u8 = 0x1B;
const BEL: u8 = 0x07;

/// The start of a hyperlink of a terminal; parameters, `;` and its URI follow.
const HYPERLINK: &[u8] = b"\x1b]8;";

/// Reads a log.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    state: State,
    /// Quotes are between the regions, because the rules do not end a link at them.
    divided: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Between,
    Inside,
    /// After `ESC [`.
    Sequence,
    /// After `ESC ]`, or another sequence with a string.
    Command,
    /// In the parameters of a hyperlink.
    Params,
    /// After the parameters.
    Target,
    Link,
}

impl Log {
    /// A log's beginning.
    pub(crate) fn new(divided: bool) -> Log {
        Log { state: State::Between, divided }
    }

    fn go(&mut self, state: State, token: Token) -> Option<Token> {
        self.state = state;
        Some(token)
    }

    /// Skips to the first byte that `ends`. If that `belongs`, skips it too, and goes to `then`.
    fn skip(
        &mut self,
        bytes: &[u8],
        last: bool,
        ends: fn(u8) -> bool,
        belongs: fn(u8) -> bool,
        then: State,
    ) -> Option<Token> {
        match bytes.iter().position(|&b| ends(b)) {
            Some(at) if belongs(bytes[at]) => self.go(then, Token::Skip(at + 1)),
            Some(0) => {
                self.state = State::Between;
                self.next(bytes, last)
            }
            Some(at) => self.go(State::Between, Token::Skip(at)),
            None => Some(Token::Skip(bytes.len())),
        }
    }

    /// Reads the start of a sequence, at its ESC.
    fn sequence(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        if bytes.starts_with(HYPERLINK) {
            return self.go(State::Params, Token::Skip(HYPERLINK.len()));
        }
        if HYPERLINK.starts_with(bytes) && !last {
            return None;
        }
        match bytes[1..] {
            [b'[', ..] => self.go(State::Sequence, Token::Skip(2)),
            // OSC, DCS, SOS, PM, APC.
            [b']' | b'P' | b'X' | b'^' | b'_', ..] => self.go(State::Command, Token::Skip(2)),
            // A character set, `ESC ( B`.
            [b' '..=b'/'] if !last => None,
            [b' '..=b'/', b'0'..=b'~', ..] => Some(Token::Skip(3)),
            [b' '..=b'~', ..] => Some(Token::Skip(2)),
            _ => Some(Token::Skip(1)),
        }
    }
}

impl Lexer for Log {
    fn next(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        let is_control = |b: u8| b < b' ';
        match (self.state, bytes) {
            (State::Inside, []) if last => self.go(State::Between, Token::End),
            (State::Link, []) if last => self.go(State::Between, Token::Cancel),
            (_, []) => None,

            (State::Between, [ESC, ..]) => self.sequence(bytes, last),
            (State::Between, [b'"', ..]) if self.divided => Some(Token::Skip(1)),
            (State::Between, _) => self.go(State::Inside, Token::Begin(Region::Prose)),

            (State::Inside, [ESC, ..]) => self.go(State::Between, Token::End),
            (State::Inside, [b'"', ..]) if self.divided => self.go(State::Between, Token::End),
            (State::Inside, [b'\\', ..]) => escaped(bytes, last),
            (State::Inside, _) => {
                let end = match self.divided {
                    true => memchr3(b'\\', ESC, b'"', bytes),
                    false => memchr2(b'\\', ESC, bytes),
                };
                Some(Token::Raw(end.unwrap_or(bytes.len())))
            }

            (State::Sequence, _) => {
                let ends = |b: u8| !matches!(b, b' '..=b'?');
                self.skip(bytes, last, ends, |b| matches!(b, b'@'..=b'~'), State::Between)
            }
            (State::Command, _) => self.skip(bytes, last, is_control, |b| b == BEL, State::Between),
            (State::Params, _) => {
                let ends = |b: u8| b == b';' || b < b' ';
                self.skip(bytes, last, ends, |b| b == b';', State::Target)
            }

            // None: the text of a hyperlink ends.
            (State::Target, [b, ..]) if is_control(*b) => {
                self.state = State::Command;
                self.next(bytes, last)
            }
            (State::Target, _) => {
                self.go(State::Link, Token::Begin(Region::Reference(Value::Exact)))
            }
            (State::Link, [BEL, ..] | [ESC, b'\\', ..]) => self.go(State::Command, Token::End),
            (State::Link, [ESC]) if !last => None,
            (State::Link, [b, ..]) if is_control(*b) => self.go(State::Command, Token::Cancel),
            (State::Link, _) => {
                let control = bytes.iter().position(|&b| is_control(b));
                Some(Token::Raw(control.unwrap_or(bytes.len())))
            }
        }
    }

    fn unescape_run(&mut self, bytes: &[u8], last: bool, unescaped: &mut Unescaped<'_>) -> usize {
        match self.state {
            State::Inside => {
                let ends: &[u8] = if self.divided { &[ESC, b'"'] } else { &[ESC] };
                unescaped.take(bytes, b'\\', ends, &|rest| escaped(rest, last))
            }
            _ => 0,
        }
    }

    fn is_between(&self) -> bool {
        matches!(self.state, State::Between | State::Inside)
    }
}

/// Reads the escape that `bytes` begin with.
fn escaped(bytes: &[u8], last: bool) -> Option<Token> {
    let means = match bytes.get(1) {
        None if !last => return None,
        Some(b'x') => return escape::byte(bytes, last),
        Some(b'u') => return escape::utf16(bytes, last),
        Some(&b @ (b'"' | b'\\' | b'/')) => b,
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        _ => return Some(escape::BACKSLASH),
    };
    Some(Token::Escape(2, Chars::byte(means)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::tests::*, *};

    #[test]
    fn lines_are_prose() {
        for (document, regions) in [
            ("", ""),
            ("a\nb\r\n", "{a\nb\r\n}"),
            (
                "1.2.3.4 - \"GET http://x.example/ä b HTTP/1.1\" 200 \"-\" \"\"\n",
                "{1.2.3.4 - \"GET http://x.example/ä b HTTP/1.1\" 200 \"-\" \"\"\n}",
            ),
            ("say \"a\nb http://x.example/", "{say \"a\nb http://x.example/}"),
            // Apache, nginx; JSON in a field, and in JSON.
            (r"/caf\xc3\xa9?q=%E9\xE9", "{/café?q=%E9�}"),
            (
                r#"m={"u":"http:\/\/x.example\/\u00e9\ud83c\udf44"}"#,
                r#"{m={"u":"http://x.example/é🍄"}}"#,
            ),
            (r#""{\"u\":\"\\u00e9\"}""#, r#"{"{"u":"\u00e9"}"}"#),
            (r"a\nb\tc\r\n", "{a\nb\tc\r\n}"),
            // Paths.
            (r"C:\new\Dir\user\x.txt", "{C:\new\\Dir\\user\\x.txt}"),
            (r"\\host\a\xZ\u12\", r"{\host\a\xZ\u12\}"),
        ] {
            assert_eq!(render(&Log::new(false), document.as_bytes()), regions, "{document}");
        }
    }

    #[test]
    fn sequences_are_boundaries() {
        for (document, regions) in [
            ("\x1b[31mred\x1b[0m a\x1b[1;38:5:1mb", "{red}{ a}{b}"),
            ("\x1b[?25la\x1b[ qb\x1b[", "{a}{b}"),
            // Broken off: what follows is text.
            ("\x1b[3\na\x1b[1é\x1b", "{\na}{é}"),
            ("\x1b]0;title\x07a\x1b]2;b\x1b\\c\x1b]title\nd", "{a}{c}{\nd}"),
            ("\x1bPq#0\x1b\\a\x1b(Bb\x1b(0c\x1b(\x1b7d\x1b\x1bMe\x1bé", "{a}{b}{c}{d}{e}{é}"),
            (
                "\x1b]8;;http://x.example/ä\x1b\\text\x1b]8;;\x1b\\.",
                "<http://x.example/ä>{text}{.}",
            ),
            ("\x1b]8;id=a:b=c;file:///a b;c\x07d\x1b]8;;\x07", "<file:///a b;c>{d}"),
            // Never ended.
            ("\x1b]8;;http://a\nb\x1b]8;;http://c\x1b[0md\x1b]8;;http://e", "{\nb}{d}"),
            ("\x1b]8;;http://a\x1b", ""),
            ("\x1b]8;a\nb\x1b]8\nc\x1b]8;", "{\nb}{\nc}"),
        ] {
            assert_eq!(render(&Log::new(false), document.as_bytes()), regions, "{document:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes(document in hostile(&[
            "\"", "\\", "\n", "\x1b", "\x1b[", "\x1b]", "\x1b]8;", ";", "\x1b\\", "\x07", "m", "\\x",
            "\\u", "\\uD83C", "\\uDF44", "e9", "00", "(", "B",
        ])) {
            tokens_of_all_cuts(&Log::new(false), &document);
        }
    }
}
