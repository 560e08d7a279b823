//! Logs: lines of prose with quoted fields, escapes and colours.
//!
//! ```text
//!                text                  ESC
//!   Between ──────────────▶ Inside ───────────▶ Between
//!    ├─ ESC [ ─▶ Sequence ── final byte ──▶ Between
//!    ├─ ESC ] ─▶ Command ─── a control ──▶ Between
//!    ├─ ESC ] 8 ; ─▶ Params ── ';' ──▶ Target ──▶ Link ── a control ──▶ Command
//!    └─ "GET ─▶ Request ──▶ Path ── `"`, or ` HTTP/` ──▶ Between
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
//! The target of a request (`/dir/%D0%94` in `"GET /dir/%D0%94 HTTP/1.1"`, RFC 9112, 3.2.1) is a
//! reference if the options say so. One that begins with two slashes is text: as a reference, its first
//! segment would be a host.
//!
//! Invariants: a sequence ends at a control; `%HH` is raw text; the target of a request is in one line.

pub(in crate::format) mod row;
pub(in crate::format) mod writer;

use memchr::{memchr2, memchr3};

use crate::{
    format::lexing::{
        escape,
        lexer::{Chars, Lexer, Region, Token, Unescaped, Value},
        lookahead::Lookahead,
        nested::Nested,
    },
    links::place::{Inside, Place},
};

const ESC: u8 = 0x1B;
const BEL: u8 = 0x07;

/// The start of a hyperlink of a terminal; parameters, `;` and its URI follow.
const HYPERLINK: &[u8] = b"\x1b]8;";

/// The start of the protocol, after the target of a request.
const PROTOCOL: &[u8] = b" HTTP/";

/// The longest name of a method; `UPDATEREDIRECTREF` is the longest one that is registered.
const METHOD: usize = 20;

/// Reads a log.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    state: State,
    /// Quotes are between the regions, because the rules do not end a link at them.
    divided: bool,
    /// The targets of requests are references.
    targets: bool,
    nested: Nested,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Between,
    /// Before the target of a request.
    Request,
    /// In it.
    Path,
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
        Log { state: State::Between, divided, targets: false, nested: Nested::NONE }
    }

    /// Whether the targets of requests are references.
    pub(crate) fn targets(self, targets: bool) -> Log {
        Log { targets, ..self }
    }

    /// Whether a quote may end a region.
    fn stops_at_quotes(&self) -> bool {
        self.divided || self.targets
    }

    /// How long the start of a request is that begins at the quote: `"GET ` before a target; 0: none does.
    fn request(&self, bytes: Lookahead<'_>) -> Option<usize> {
        if !self.targets {
            return Some(0);
        }
        let letters =
            bytes[1..].iter().take(METHOD + 1).take_while(|b| b.is_ascii_uppercase()).count();
        let len = letters + 2;
        let after = bytes.get(len - 1..).unwrap_or_default();
        if letters > METHOD || letters < 3 && !after.is_empty() {
            return Some(0);
        }
        let second = match after {
            [b' ', b'/', b'\\', ..] => match escaped(bytes.from(len + 1))? {
                Token::Escape(_, chars) => chars.as_bytes().first().copied(),
                _ => Some(b'\\'),
            },
            [b' ', b'/', second, ..] => Some(*second),
            [] | [b' '] | [b' ', b'/'] if bytes.is_partial() => return None,
            [b' ', b'/'] => None,
            _ => return Some(0),
        };
        Some(if matches!(second, Some(b'/' | b'\\')) { 0 } else { len })
    }

    /// Reads a quote in text or between two.
    fn quote(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let request = self.request(bytes)?;
        match self.state {
            State::Inside if self.divided || request > 0 => self.go(State::Between, Token::End),
            State::Inside => {
                self.nested.pass(b"\"");
                Some(Token::Raw(1))
            }
            _ if request > 0 => self.go(State::Request, Token::Skip(request)),
            _ if self.divided => Some(Token::Skip(1)),
            _ => self.go(State::Inside, Token::Begin(Region::Prose)),
        }
    }

    /// Reads the target of a request.
    fn path(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let Some(first) = bytes.first() else {
            return if bytes.is_last() {
                self.go(State::Inside, Token::Broken(b' '))
            } else {
                None
            };
        };
        match first {
            b'"' => self.go(State::Between, Token::End),
            b' ' => match bytes.begins(PROTOCOL)? {
                true => self.go(State::Between, Token::End),
                false => Some(Token::Raw(1)),
            },
            b'\\' => escaped(bytes),
            b if *b < b' ' => self.go(State::Inside, Token::Broken(b' ')),
            _ => {
                let end = bytes.iter().position(|&b| matches!(b, b'"' | b'\\') || b <= b' ');
                Some(Token::Raw(end.unwrap_or(bytes.len())))
            }
        }
    }

    fn go(&mut self, state: State, token: Token) -> Option<Token> {
        self.state = state;
        Some(token)
    }

    /// Skips to the first byte that `ends`. If that `belongs`, skips it too, and goes to `then`.
    fn skip(
        &mut self,
        bytes: Lookahead<'_>,
        ends: fn(u8) -> bool,
        belongs: fn(u8) -> bool,
        then: State,
    ) -> Option<Token> {
        match bytes.iter().position(|&b| ends(b)) {
            Some(at) if belongs(bytes[at]) => self.go(then, Token::Skip(at + 1)),
            Some(0) => {
                self.state = State::Between;
                self.next(bytes)
            }
            Some(at) => self.go(State::Between, Token::Skip(at)),
            None => Some(Token::Skip(bytes.len())),
        }
    }

    /// Reads the start of a sequence, at its ESC.
    fn sequence(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if bytes.starts_with(HYPERLINK) {
            return self.go(State::Params, Token::Skip(HYPERLINK.len()));
        }
        if HYPERLINK.starts_with(&bytes) && bytes.is_partial() {
            return None;
        }
        match bytes[1..] {
            [b'[', ..] => self.go(State::Sequence, Token::Skip(2)),
            // OSC, DCS, SOS, PM, APC.
            [b']' | b'P' | b'X' | b'^' | b'_', ..] => self.go(State::Command, Token::Skip(2)),
            // A character set, `ESC ( B`.
            [b' '..=b'/'] if bytes.is_partial() => None,
            [b' '..=b'/', b'0'..=b'~', ..] => Some(Token::Skip(3)),
            [b' '..=b'~', ..] => Some(Token::Skip(2)),
            _ => Some(Token::Skip(1)),
        }
    }
}

impl Lexer for Log {
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let is_control = |b: u8| b < b' ';
        match (self.state, bytes.as_slice()) {
            (State::Inside, []) if bytes.is_last() => self.go(State::Between, Token::End),
            (State::Link, []) if bytes.is_last() => self.go(State::Between, Token::Cancel),
            (State::Path, _) => self.path(bytes),
            (_, []) => None,

            (State::Between, [ESC, ..]) => self.sequence(bytes),
            (State::Between | State::Inside, [b'"', ..]) if self.stops_at_quotes() => {
                self.quote(bytes)
            }
            (State::Between, _) => self.go(State::Inside, Token::Begin(Region::Prose)),

            (State::Inside, [ESC, ..]) => self.go(State::Between, Token::End),
            (State::Inside, [b'\\', ..]) => self.nested.escape(bytes, escaped),
            (State::Inside, _) => {
                let end = match self.stops_at_quotes() {
                    true => memchr3(b'\\', ESC, b'"', &bytes),
                    false => memchr2(b'\\', ESC, &bytes),
                };
                let end = end.unwrap_or(bytes.len());
                self.nested.pass(&bytes[..end]);
                Some(Token::Raw(end))
            }

            (State::Request, _) => {
                self.go(State::Path, Token::Begin(Region::Reference(Value::Exact)))
            }

            (State::Sequence, _) => {
                let ends = |b: u8| !matches!(b, b' '..=b'?');
                self.skip(bytes, ends, |b| matches!(b, b'@'..=b'~'), State::Between)
            }
            (State::Command, _) => self.skip(bytes, is_control, |b| b == BEL, State::Between),
            (State::Params, _) => {
                let ends = |b: u8| b == b';' || b < b' ';
                self.skip(bytes, ends, |b| b == b';', State::Target)
            }

            // None: the text of a hyperlink ends.
            (State::Target, [b, ..]) if is_control(*b) => {
                self.state = State::Command;
                self.next(bytes)
            }
            (State::Target, _) => {
                self.go(State::Link, Token::Begin(Region::Reference(Value::Exact)))
            }
            (State::Link, [BEL, ..] | [ESC, b'\\', ..]) => self.go(State::Command, Token::End),
            (State::Link, [ESC]) if bytes.is_partial() => None,
            (State::Link, [b, ..]) if is_control(*b) => self.go(State::Command, Token::Cancel),
            (State::Link, _) => {
                let control = bytes.iter().position(|&b| is_control(b));
                Some(Token::Raw(control.unwrap_or(bytes.len())))
            }
        }
    }

    fn unescape_run(&mut self, bytes: Lookahead<'_>, unescaped: &mut Unescaped<'_>) -> usize {
        match self.state {
            State::Inside => {
                let ends: &[u8] = if self.stops_at_quotes() { &[ESC, b'"'] } else { &[ESC] };
                self.nested.take(bytes, ends, unescaped, escaped)
            }
            _ => 0,
        }
    }

    fn place(&self, region: Region) -> Place {
        match (region, self.state) {
            (Region::Reference(_), State::Path) => Inside::Attribute { quoted: true }.into(),
            _ => Place::default(),
        }
    }

    fn is_between(&self) -> bool {
        matches!(self.state, State::Between | State::Inside) && self.nested.is_outermost()
    }
}

/// Reads the escape that `bytes` begin with.
fn escaped(bytes: Lookahead<'_>) -> Option<Token> {
    let means = match bytes.get(1) {
        None if bytes.is_partial() => return None,
        Some(b'x') => return escape::byte(bytes),
        Some(b'u') => return escape::utf16(bytes),
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

    use super::*;
    use crate::format::tests::*;

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
            (r#""{\"u\":\"\\u00e9\"}""#, r#"{"{"u":"é"}"}"#),
            (r"a\nb\tc\r\n", "{a\nb\tc\r\n}"),
            // Paths.
            (r"C:\new\Dir\user\x.txt", "{C:\new\\Dir\\user\\x.txt}"),
            (r"\\host\a\xZ\u12\", r"{\host\a\xZ\u12\}"),
        ] {
            assert_eq!(render(&Log::new(false), document.as_bytes()), regions, "{document}");
        }
    }

    #[test]
    fn targets_of_requests_are_references() {
        for (document, regions) in [
            (
                "[x] \"GET /%D0%94?a=b HTTP/1.1\" 200 \"http://x.example/\"\n\"PUT / HTTP/2.0\"",
                "{[x] }</%D0%94?a=b>{ HTTP/1.1\" 200 \"http://x.example/\"\n}</>{ HTTP/2.0\"}",
            ),
            // HTTP/0.9, and what clients send that read no standard.
            ("\"GET /a\" 200", "</a>{\" 200}"),
            ("\"GET /a b HTTP/1.1\"", "</a b>{ HTTP/1.1\"}"),
            (r#""GET /caf\xc3\xa9\x22 HTTP/1.1""#, "</café\">{ HTTP/1.1\"}"),
            // No targets.
            ("\"get /a HTTP/1.1\"", "{\"get /a HTTP/1.1\"}"),
            ("\"GET  /a\"", "{\"GET  /a\"}"),
            ("\"GET //a.example/ HTTP/1.1\"", "{\"GET //a.example/ HTTP/1.1\"}"),
            ("\"GET http://a.example/ HTTP/1.1\"", "{\"GET http://a.example/ HTTP/1.1\"}"),
            ("GET /a HTTP/1.1", "{GET /a HTTP/1.1}"),
            (r#""GET /\xe4\xb8\x80" "GET /\u00e9""#, "</一>{\" }</é>{\"}"),
            (
                r#""GET /\x2Fa.example/" "GET /\a" "GET /\\a""#,
                r#"{"GET //a.example/" "GET /\a" "GET /\a"}"#,
            ),
            ("\"A /a\" \"\" \"GET\" \"GET ", "{\"A /a\" \"\" \"GET\" \"GET }"),
            // Never ended: text.
            ("\"GET /a\nb\"", "{/a\nb\"}"),
            ("\"GET /a http://b.example/", "{/a http://b.example/}"),
            ("\"GET /a\x1b[0m", "{/a}"),
        ] {
            let log = Log::new(false).targets(true);
            assert_eq!(render(&log, document.as_bytes()), regions, "{document}");
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
            "{", "\\\"", "\\\\/", "\\\\\\\"", "\\\\u00e9", "\\\\\\\\/", ":",
            "\"", "\\", "\n", "\x1b", "\x1b[", "\x1b]", "\x1b]8;", ";", "\x1b\\", "\x07", "m", "\\x",
            "\\u", "\\uD83C", "\\uDF44", "e9", "00", "(", "B", "\"GET /", "GET", " ", "/", " HTTP/", "HTTP",
        ])) {
            tokens_of_all_cuts(&Log::new(false), &document);
            tokens_of_all_cuts(&Log::new(false).targets(true), &document);
            tokens_of_all_cuts(&Log::new(true).targets(true), &document);
        }
    }
}
