//! Where the URLs of a style sheet are: the parts of CSS Syntax Level 3 that decide it.
//!
//! Bytes of a sheet go in, piece by piece; out come the URLs of `url(…)` and the strings of
//! `@import`, and for a document that is a sheet its comments and other strings, which are text.
//! `<style>`, the attribute `style` and files are read by this one parser.
//!
//! It knows comments; strings, which end at their quote or, broken, at a line end; names,
//! so that `xurl(` is not `url(`; `@import`; and the URL without quotes, which ends at `)` or at
//! white space with a `)` after it. A quote, a `(` or a control character makes that a bad URL,
//! which goes on to the next `)`. All other bytes are ordinary in it, `}` and `;` too. A sheet
//! that ends in a URL or string ends that as well.
//!
//! Escapes (`\29 `, `\)`) are undone in URLs and text, not in names.
//!
//! Invariant: how the bytes are divided changes nothing but where [`Step::Skip`] and
//! [`Step::Raw`] are divided.

pub(in crate::format) mod row;
pub(in crate::format) mod style_sheet;
pub(in crate::format) mod writer;

use crate::format::lexing::{
    lexer::{Chars, is_space},
    lookahead::Lookahead,
};

/// What the next bytes of a sheet are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// So many bytes outside of URLs.
    Skip(usize),
    /// A URL or a text begins here.
    Begin(What),
    /// So many bytes of it.
    Raw(usize),
    /// So many bytes of it, which mean these characters.
    Escape(usize, Chars),
    /// It ends here.
    End,
    /// It was not a URL.
    Cancel,
}

/// What is found in a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Url,
    Comment,
    /// A string that is not a URL.
    String,
}

/// The place in a sheet where the next byte is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Css {
    state: State,
    /// Comments and strings are found too.
    texts: bool,
    /// The name that ends here, if any.
    word: Word,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Sheet,
    /// `import`: a string may follow it. `open`: its text has begun.
    Comment {
        import: bool,
        open: bool,
    },
    /// After `@` and so many letters of `import`.
    At(u8),
    Import,
    /// After `url(`.
    UrlStart,
    /// In a URL without quotes; `over`: white space came, so only `)` may follow.
    Url {
        over: bool,
    },
    BadUrl,
    /// `url`: it may be a URL.
    Quoted {
        quote: u8,
        part: Part,
        url: bool,
    },
    /// At the closing quote.
    Close,
}

/// What a string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// What has not begun.
    Start,
    Url,
    /// Not a URL, or no longer.
    Other,
    /// Text that is found.
    Text,
}

/// How much of the name `url` was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// No name ends here.
    None,
    Url(u8),
    Other,
}

impl Word {
    fn push(self, b: u8) -> Word {
        match (self, b | 0x20) {
            _ if !is_name(b) => Word::None,
            (Word::None, b'u') => Word::Url(1),
            (Word::Url(1), b'r') => Word::Url(2),
            (Word::Url(2), b'l') => Word::Url(3),
            _ => Word::Other,
        }
    }

    /// After these bytes; the last four are enough.
    fn after(self, run: &[u8]) -> Word {
        let tail = &run[run.len().saturating_sub(4)..];
        let before = if tail.len() < run.len() { Word::Other } else { self };
        tail.iter().fold(before, |word, b| word.push(*b))
    }
}

/// Whether a byte can be in a name, or begin a hash (`#url`).
fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || !b.is_ascii() || matches!(b, b'_' | b'-' | b'#')
}

fn is_line_end(b: u8) -> bool {
    matches!(b, b'\n' | b'\r' | 0x0C)
}

/// The bytes at which a run in a sheet ends.
static STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let all = b"(\"'\\/@<";
    let mut i = 0;
    while i < all.len() {
        stops[all[i] as usize] = true;
        i += 1;
    }
    stops
};

/// The length of the first byte of `bytes`, which `stops` may or may not hold, and all bytes up
/// to the next one that it does.
fn run(bytes: &[u8], stops: impl Fn(u8) -> bool) -> usize {
    let end = bytes[1..].iter().position(|b| stops(*b));
    end.map_or(bytes.len(), |n| n + 1)
}

/// The length of the escape that `bytes` begin with: `None`, if more bytes are needed.
fn escape(bytes: Lookahead<'_>) -> Option<usize> {
    match bytes.as_slice() {
        [_] => bytes.is_last().then_some(1),
        [_, b'\r'] if bytes.is_partial() => None,
        [_, b'\r', b'\n', ..] => Some(3),
        // With `<` HTML may end the sheet.
        [_, b'<', ..] => Some(1),
        _ => Some(2),
    }
}

/// The escape that `bytes` begin with, as a step (CSS Syntax Level 3, section 4.3.7). `None`: more bytes
/// are needed.
fn escaped(bytes: Lookahead<'_>) -> Option<Step> {
    let nothing = Chars::bytes(b"");
    let digits = bytes[1..].iter().take(6).take_while(|b| b.is_ascii_hexdigit()).count();
    if digits == 0 {
        return Some(match bytes.get(1) {
            None if bytes.is_partial() => return None,
            Some(b) if is_line_end(*b) => Step::Escape(escape(bytes)?, nothing),
            // With `<` HTML may end the sheet.
            Some(b) if b.is_ascii() && *b != b'<' => Step::Escape(2, Chars::byte(*b)),
            _ => Step::Escape(1, nothing),
        });
    }
    let after = 1 + digits;
    let space = match bytes.get(after..).unwrap_or_default() {
        [] | [b'\r'] if bytes.is_partial() => return None,
        [b'\r', b'\n', ..] => 2,
        [b, ..] if is_space(*b) => 1,
        _ => 0,
    };
    let value = bytes[1..after]
        .iter()
        .fold(0, |value, b| value << 4 | char::from(*b).to_digit(16).unwrap_or_default());
    let c = char::from_u32(value).filter(|c| *c != '\0').unwrap_or('\u{FFFD}');
    Some(Step::Escape(after + space, c.into()))
}

/// What one transition of the state gives.
enum Turn {
    Step(Step),
    /// Only the state changed.
    Again,
    /// More bytes are needed.
    More,
}

impl Turn {
    /// Skips the escape that `bytes` begin with.
    fn escape(bytes: Lookahead<'_>) -> Turn {
        escape(bytes).map_or(Turn::More, |n| Turn::Step(Step::Skip(n)))
    }
}

impl Css {
    /// At the start of a sheet.
    pub(super) fn new() -> Css {
        Css { state: State::Sheet, texts: false, word: Word::None }
    }

    /// The same, with comments and strings.
    pub(super) fn with_texts(self) -> Css {
        Css { texts: true, ..self }
    }

    /// What the first bytes of `bytes` are, which are not empty; a run ends before each `<`, with
    /// which HTML may end the sheet. `None`: more bytes are needed.
    pub(super) fn next(&mut self, bytes: Lookahead<'_>) -> Option<Step> {
        loop {
            match self.turn(bytes) {
                Turn::Step(step) => return Some(step),
                Turn::Again => {}
                Turn::More => return None,
            }
        }
    }

    /// One transition of the state.
    fn turn(&mut self, bytes: Lookahead<'_>) -> Turn {
        let (first, here) = (bytes[0], self.state);
        let mut to = |state, step| {
            self.state = state;
            Turn::Step(step)
        };
        match here {
            State::Sheet => self.sheet(bytes).map_or(Turn::More, Turn::Step),
            State::Comment { import, open } => match bytes.as_slice() {
                [b'*'] if bytes.is_partial() => Turn::More,
                [b'*', b'/', ..] if open => to(State::Comment { import, open: false }, Step::End),
                [b'*', b'/', ..] => {
                    to(if import { State::Import } else { State::Sheet }, Step::Skip(2))
                }
                _ if self.texts && !open => {
                    to(State::Comment { import, open: true }, Step::Begin(What::Comment))
                }
                _ => {
                    let n = run(&bytes, |b| matches!(b, b'*' | b'<'));
                    Turn::Step(if open { Step::Raw(n) } else { Step::Skip(n) })
                }
            },
            State::At(n) => self.at(first, n),
            State::Import => match first {
                b if is_space(b) => Turn::Step(Step::Skip(1)),
                quote @ (b'"' | b'\'') => {
                    to(State::Quoted { quote, part: Part::Start, url: true }, Step::Skip(1))
                }
                b'/' if bytes.len() == 1 && bytes.is_partial() => Turn::More,
                b'/' if bytes.get(1) == Some(&b'*') => {
                    to(State::Comment { import: true, open: false }, Step::Skip(2))
                }
                _ => self.go(State::Sheet),
            },
            State::UrlStart => match first {
                b if is_space(b) => Turn::Step(Step::Skip(1)),
                quote @ (b'"' | b'\'') => {
                    to(State::Quoted { quote, part: Part::Start, url: true }, Step::Skip(1))
                }
                b')' => to(State::Sheet, Step::Skip(1)),
                _ => to(State::Url { over: false }, Step::Begin(What::Url)),
            },
            State::Url { over } => self.url(bytes, over).map_or(Turn::More, Turn::Step),
            State::BadUrl => match first {
                b')' => to(State::Sheet, Step::Skip(1)),
                b'\\' => Turn::escape(bytes),
                _ => Turn::Step(Step::Skip(run(&bytes, |b| matches!(b, b')' | b'\\' | b'<')))),
            },
            State::Quoted { quote, part, url } => self.quoted(bytes, quote, part, url),
            State::Close => to(State::Sheet, Step::Skip(1)),
        }
    }

    fn go(&mut self, state: State) -> Turn {
        self.state = state;
        Turn::Again
    }

    /// Outside of all that has a state of its own.
    fn sheet(&mut self, bytes: Lookahead<'_>) -> Option<Step> {
        let word = core::mem::replace(&mut self.word, Word::None);
        let len = match bytes[0] {
            b'(' => {
                if word == Word::Url(3) {
                    self.state = State::UrlStart;
                }
                1
            }
            quote @ (b'"' | b'\'') => {
                let part = if self.texts { Part::Start } else { Part::Other };
                self.state = State::Quoted { quote, part, url: false };
                1
            }
            b'\\' => {
                // It is a character of a name, and so is the space after hexadecimal digits.
                let len = match bytes.get(1) {
                    Some(b) if b.is_ascii_hexdigit() => match escaped(bytes)? {
                        Step::Escape(len, _) => len,
                        _ => 1,
                    },
                    _ => escape(bytes)?,
                };
                self.word = Word::Other;
                len
            }
            b'@' => {
                self.state = State::At(0);
                1
            }
            b'/' => match bytes.get(1) {
                None if bytes.is_partial() => return None,
                Some(b'*') => {
                    self.state = State::Comment { import: false, open: false };
                    2
                }
                _ => 1,
            },
            _ => {
                let len = run(&bytes, |b| STOPS[usize::from(b)]);
                self.word = word.after(&bytes[..len]);
                len
            }
        };
        Some(Step::Skip(len))
    }

    /// In a name after `@`, of which `n` letters were those of `import`.
    fn at(&mut self, first: u8, n: u8) -> Turn {
        match b"import".get(usize::from(n)) {
            Some(b) if first.eq_ignore_ascii_case(b) => {
                self.state = State::At(n + 1);
                Turn::Step(Step::Skip(1))
            }
            None if !is_name(first) && first != b'\\' => self.go(State::Import),
            _ => {
                self.word = Word::Other;
                self.go(State::Sheet)
            }
        }
    }

    /// In a URL without quotes.
    fn url(&mut self, bytes: Lookahead<'_>, over: bool) -> Option<Step> {
        let is_control = |b: u8| matches!(b, 0..=8 | 0x0B | 0x0E..=0x1F | 0x7F);
        let stops =
            |b: u8| b <= b' ' || matches!(b, b'"' | b'\'' | b'(' | b')' | b'\\' | b'<' | 0x7F);
        let escape = bytes[0] == b'\\';
        Some(match bytes[0] {
            b')' => {
                self.state = State::Sheet;
                Step::End
            }
            b if is_space(b) => {
                self.state = State::Url { over: true };
                Step::Raw(1)
            }
            _ if escape && !over && bytes.len() == 1 && bytes.is_partial() => return None,
            _ if escape && !over && !bytes.get(1).is_some_and(|b| is_line_end(*b)) => {
                escaped(bytes)?
            }
            b if over || is_control(b) || matches!(b, b'"' | b'\'' | b'(') || escape => {
                self.state = State::BadUrl;
                Step::Cancel
            }
            _ => Step::Raw(run(&bytes, stops)),
        })
    }

    fn quoted(&mut self, bytes: Lookahead<'_>, quote: u8, part: Part, url: bool) -> Turn {
        let first = bytes[0];
        let is_escape = first == b'\\';
        let step = match part {
            Part::Start if first == quote => return self.go(State::Close),
            Part::Start => {
                let (part, what) =
                    if url { (Part::Url, What::Url) } else { (Part::Text, What::String) };
                self.state = State::Quoted { quote, part, url };
                Step::Begin(what)
            }
            Part::Url | Part::Text if first == quote => {
                self.state = State::Close;
                Step::End
            }
            Part::Url if is_line_end(first) => {
                self.state = State::Quoted { quote, part: Part::Other, url };
                Step::Cancel
            }
            Part::Text if is_line_end(first) => {
                self.state = State::Sheet;
                Step::End
            }
            Part::Other if first == quote => return self.go(State::Close),
            Part::Other if is_line_end(first) => return self.go(State::Sheet),
            Part::Other if is_escape => return Turn::escape(bytes),
            _ if is_escape => return escaped(bytes).map_or(Turn::More, Turn::Step),
            Part::Url | Part::Text | Part::Other => {
                let stops = |b| b == quote || b == b'\\' || b == b'<' || is_line_end(b);
                let len = run(&bytes, stops);
                if part == Part::Other { Step::Skip(len) } else { Step::Raw(len) }
            }
        };
        Turn::Step(step)
    }
}

#[cfg(test)]
mod tests {
    use alloc::{
        string::{String, ToString},
        vec::Vec,
    };

    use proptest::prelude::*;

    use super::*;
    use crate::format::{css::style_sheet::Sheet, tests::tokens_of_all_cuts};

    /// The URLs of a sheet that comes in pieces of these lengths, and then whole.
    fn urls(sheet: &[u8], mut pieces: impl Iterator<Item = usize>) -> Vec<Vec<u8>> {
        let (mut css, mut at, mut end) = (Css::new(), 0, 0);
        let (mut urls, mut open): (Vec<Vec<u8>>, Option<Vec<u8>>) = (Vec::new(), None);
        while at < sheet.len() {
            let last = end == sheet.len();
            let step =
                if at < end { css.next(Lookahead::new(&sheet[at..end], last)) } else { None };
            match step {
                None => {
                    assert!(!last, "the end decides");
                    end = (end + pieces.next().unwrap_or(sheet.len())).min(sheet.len());
                }
                Some(Step::Skip(n)) => {
                    assert!(n > 0 && open.is_none());
                    at += n;
                }
                Some(Step::Raw(n)) => {
                    assert!(n > 0);
                    open.as_mut().unwrap().extend(&sheet[at..at + n]);
                    at += n;
                }
                Some(Step::Escape(n, chars)) => {
                    assert!(n > 0);
                    open.as_mut().unwrap().extend(chars.as_bytes());
                    at += n;
                }
                Some(Step::Begin(what)) => {
                    assert_eq!(what, What::Url);
                    open = Some(Vec::new());
                }
                Some(Step::End) => urls.push(open.take().unwrap()),
                Some(Step::Cancel) => assert!(open.take().is_some()),
            }
        }
        urls.extend(open);
        urls
    }

    #[test]
    fn urls_of_sheets() {
        let cases: &[(&str, &[&str])] = &[
            ("a{b:url(x}y)}", &["x}y"]),
            ("url(a;b)", &["a;b"]),
            ("url( a )", &["a "]),
            ("url(a b) url(c)", &["c"]),
            ("url(a\"b) url(c)", &["c"]),
            ("url(a(b) url(c)", &["c"]),
            ("url(a\\)b\\(c\\'d\\ e\\f g) url(h)", &["a)b(c'd e\u{F}g", "h"]),
            (
                "url(a\\29 b\\000029c\\20\r\nd\\0 \\d800 \\110000) url(\\E9)",
                &["a)b)c d\u{FFFD}\u{FFFD}\u{FFFD}", "é"],
            ),
            ("url(é\\)\\é) url(a\\\nb) url(c)", &["é)é", "c"]),
            ("url(a \\b) url(c\\", &["c"]),
            ("url(a\u{1}b) url(c)", &["c"]),
            ("url(a", &["a"]),
            ("url(", &[]),
            ("url()url('')url(a)", &["a"]),
            ("url(/*a*/)", &["/*a*/"]),
            ("url('a)b') url(\"c'd\"", &["a)b", "c'd"]),
            ("url('a\n) url(b)", &["b"]),
            ("url('a\\'b\\\nc') url(\"\\22 \\\r\n\\\\\")", &["a'bc", "\"\\"]),
            ("url('a", &["a"]),
            ("URL(a) Url(b) xurl(c) -url(d) #url(e) 1url(f) +url(g) \\url(h)", &["a", "b", "g"]),
            ("éurl(a) u rl(b) url (c)", &[]),
            ("'url(a)' \"url(b)\" url(c)", &["c"]),
            ("'a\nurl(b)'", &["b"]),
            ("'\\\nurl(b)' url(c)", &["c"]),
            ("/* url(a) ' */ url(b) /url(c) /*", &["b", "c"]),
            ("@import 'a'; @IMPORT\"b\"; @import/*c*/ 'd'; @import url(e)", &["a", "b", "d", "e"]),
            ("@imports 'a'; @import-x 'b'; @impor 'c'; @@import 'd'; @import;'e'", &["d"]),
            ("@url(a) @media url(b)", &["b"]),
            ("<!-- url(a) --> url(b)", &["a", "b"]),
        ];
        for (sheet, want) in cases {
            let found = urls(sheet.as_bytes(), core::iter::empty());
            let found: Vec<String> =
                found.iter().map(|url| String::from_utf8_lossy(url).to_string()).collect();
            assert_eq!(found, *want, "{sheet:?}");
        }
    }

    proptest! {
        #[test]
        fn pieces_change_nothing(
            sheet in crate::format::tests::hostile(&[
                "\\29", "\\a ", "\\<", "</style>", "http://a/", "*/ ", "\\\n", "url(", "u", "r", "l", "(", ")", "'", "\"", "\\", "\n", "\r\n", " ", "@", "@import",
                "import", "/", "*", "/*", "*/", "<", "é", "-", "#", ";", "}", "\u{1}",
            ]),
            pieces in prop::collection::vec(1..9usize, 0..40),
        ) {
            let whole = urls(&sheet, core::iter::empty());
            prop_assert_eq!(urls(&sheet, core::iter::repeat(1)), &whole[..]);
            prop_assert_eq!(urls(&sheet, pieces.into_iter()), whole);
            tokens_of_all_cuts(&Sheet::new(), &sheet);
        }
    }
}
