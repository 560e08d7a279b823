//! CSV and TSV: records in lines, with fields that may be in quotes (RFC 4180).
//!
//! ```text
//!            a field that may hold a link, without quotes     delimiter, line end
//!   Between ─────────────────────────────────────▶ Plain ────────────────────────▶ Between
//!    └─ with quotes ──▶ Quoted ── a quote ──▶ Closed ─▶ Between (after a field)
//! ```
//!
//! Bytes go in, tokens come out; each field that may hold a link is a region. A quote opens a
//! field only at its start; in it, two quotes are one, and delimiters and line ends are text. In a
//! field that begins otherwise, quotes are text. The text after the closing quote up to the
//! delimiter is a region of its own. LF and CR each end a line. Fields without the bytes that a
//! link needs are passed over, 64 bytes at a time.
//!
//! All bytes with a meaning are ASCII. A document in which `|`, which may separate two links, could be the second
//! byte of a character is transcoded, so that it is seen where it is one.

pub(crate) mod delimiter;
pub(in crate::format) mod row;
mod separator;
pub(in crate::format) mod writer;

use self::separator::{Separator, begins_link, may_be_list, separator};
use crate::{
    format::{
        lexing::{
            lexer::{AHEAD, Chars, Lexer, Region, Token, Unescaped},
            lookahead::Lookahead,
            triggers::Triggers,
        },
        markup::entities::Where,
    },
    links::place::{Inside, Place},
    simd::{
        sort::sorted,
        types::{BLOCK, Level, Work},
    },
};

/// A byte order mark in UTF-8, and in GB18030. A quote after it opens the first field.
const MARKS: [&[u8]; 2] = [b"\xEF\xBB\xBF", b"\x84\x31\x95\x33"];

/// Reads CSV or TSV.
#[derive(Clone, Debug)]
pub(crate) struct Csv {
    state: State,
    delimiter: u8,
    triggers: Triggers,
    level: Level,
    items: Items,
}

/// Whether the field that is a region is a list of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Items {
    /// Its first bytes decide.
    Unknown,
    /// It begins with a link, so that another one may follow after a separator. `first`: none did yet.
    Links { first: bool },
    /// It does not.
    Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// At the start of the document.
    First,
    /// At the start of a field, at a delimiter, or, `after` a closing quote, in the rest of a field.
    Between { after: bool },
    /// At a field that is a region.
    Opened { quoted: bool },
    /// In a region without quotes.
    Plain,
    /// In a region with quotes.
    Quoted,
    /// At so many bytes between two links in one field.
    Separator { quoted: bool, len: usize },
    /// At the next link in the same field.
    Item { quoted: bool },
    /// At the quote that closes a field.
    Closed,
}

/// What the bytes of a field are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Plain,
    Quoted,
    /// Text after a closing quote.
    After,
}

/// How long the fields are that hold no link, and how the next one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Passed {
    len: usize,
    field: Field,
    /// The next field may hold a link. If not, the bytes end in it.
    worth: bool,
}

impl Csv {
    /// `first`: the document begins here, and not a later part of it.
    pub(super) fn new(delimiter: u8, first: bool, triggers: Triggers) -> Csv {
        let state = if first { State::First } else { State::Between { after: false } };
        let items = Items::Unknown;
        Csv { state, delimiter, triggers, level: Level::best(), items }
    }

    fn go(&mut self, state: State, token: Token) -> Option<Token> {
        self.state = state;
        Some(token)
    }

    fn ends(&self, b: u8) -> bool {
        b == self.delimiter || matches!(b, b'\n' | b'\r')
    }

    /// Skips to the next field that may hold a link.
    fn between(&mut self, bytes: Lookahead<'_>, after: bool) -> Option<Token> {
        let pass = Pass { csv: self, bytes, after };
        let Passed { len, field, worth } = self.level.run(pass);
        let quoted = field == Field::Quoted;
        if worth && let Some(whole) = self.whole(&bytes, len + usize::from(quoted), quoted) {
            let state = if quoted { State::Closed } else { State::Between { after: false } };
            return self.go(state, Token::Cell(len + usize::from(quoted), whole));
        }
        self.state = match worth {
            true => State::Opened { quoted },
            false => State::Between { after: field == Field::After },
        };
        match (worth, len) {
            (true, _) if quoted => Some(Token::Skip(len + 1)),
            (true, 0) => self.open(false),
            (false, 0) => None,
            _ => Some(Token::Skip(len)),
        }
    }

    /// The length of the field that begins at `from`, if it ends in `bytes` and has no escapes.
    fn whole(&self, bytes: &[u8], from: usize, quoted: bool) -> Option<usize> {
        let rest = &bytes[from..];
        let end = match quoted {
            false => memchr::memchr3(self.delimiter, b'\n', b'\r', rest),
            true => memchr::memchr(b'"', rest)
                .filter(|end| rest.get(end + 1).is_some_and(|after| *after != b'"')),
        };
        end.filter(|end| !may_be_list(&rest[..*end]))
    }

    fn open(&mut self, quoted: bool) -> Option<Token> {
        self.items = Items::Unknown;
        self.item(quoted)
    }

    fn item(&mut self, quoted: bool) -> Option<Token> {
        let state = if quoted { State::Quoted } else { State::Plain };
        self.go(state, Token::Begin(Region::Field))
    }

    /// The next part of a field, which goes on with `text`.
    fn raw(&mut self, text: Lookahead<'_>, quoted: bool) -> Option<Token> {
        if self.items == Items::Unknown {
            self.items = match begins_link(text)? {
                true => Items::Links { first: true },
                false => Items::Text,
            };
        }
        if self.items == Items::Text {
            return Some(Token::Raw(text.len()));
        }
        let n = match separator(text) {
            Separator::At(0, len) => {
                self.items = Items::Links { first: false };
                return self.go(State::Separator { quoted, len }, Token::End);
            }
            Separator::Open(0) => return None,
            Separator::At(n, _) | Separator::Open(n) => n,
            Separator::None => text.len(),
        };
        Some(Token::Raw(n))
    }
}
impl Lexer for Csv {
    #[inline]
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match self.state {
            State::First => {
                if let Some(mark) = MARKS.iter().find(|mark| bytes.starts_with(mark)) {
                    return self.go(State::Between { after: false }, Token::Skip(mark.len()));
                }
                if MARKS.iter().any(|mark| mark.starts_with(&bytes)) && bytes.is_partial() {
                    return None;
                }
                self.state = State::Between { after: false };
                self.next(bytes)
            }
            State::Between { after } => self.between(bytes, after),
            State::Opened { quoted } => self.open(quoted),
            State::Plain => match bytes.first() {
                None if bytes.is_partial() => None,
                Some(b) if !self.ends(*b) => {
                    let end = memchr::memchr3(self.delimiter, b'\n', b'\r', &bytes);
                    self.raw(end.map_or(bytes, |end| bytes.near(end)), false)
                }
                _ => self.go(State::Between { after: false }, Token::End),
            },
            State::Quoted => match bytes.as_slice() {
                [] if bytes.is_last() => self.go(State::Between { after: false }, Token::End),
                [] => None,
                [b'"', ..] => match doubled(bytes)? {
                    Token::Escape(n, chars) => {
                        if self.items == Items::Unknown {
                            self.items = Items::Text;
                        }
                        Some(Token::Escape(n, chars))
                    }
                    _ => self.go(State::Closed, Token::End),
                },
                _ => {
                    let end = memchr::memchr(b'"', &bytes);
                    self.raw(end.map_or(bytes, |end| bytes.near(end)), true)
                }
            },
            State::Separator { quoted, len } => self.go(State::Item { quoted }, Token::Skip(len)),
            State::Item { quoted } => self.item(quoted),
            State::Closed => self.go(State::Between { after: true }, Token::Skip(1)),
        }
    }

    fn unescape_run(&mut self, bytes: Lookahead<'_>, unescaped: &mut Unescaped<'_>) -> usize {
        match self.state {
            State::Quoted if self.items == Items::Text => {
                unescaped.take(&bytes, b'"', b"", &|rest| doubled(bytes.with(rest)))
            }
            _ => 0,
        }
    }

    fn is_further(&self) -> bool {
        matches!(self.state, State::Plain | State::Quoted)
            && self.items == (Items::Links { first: false })
    }

    fn goes_on(&self) -> bool {
        matches!(self.state, State::Separator { .. })
    }

    fn delimiter(&self) -> Option<u8> {
        Some(self.delimiter)
    }

    fn is_between(&self) -> bool {
        matches!(self.state, State::Between { after: false })
    }

    fn place(&self, _: Region) -> Place {
        let quoted = matches!(self.state, State::Quoted | State::Closed);
        Inside::Attribute { quoted }.into()
    }
}

/// Reads the quote that `bytes` begin with, in a field with quotes: two of them are an escape.
fn doubled(bytes: Lookahead<'_>) -> Option<Token> {
    match bytes.get(1) {
        None if bytes.is_partial() => None,
        Some(b'"') => Some(Token::Escape(2, Chars::byte(b'"'))),
        _ => Some(Token::Raw(1)),
    }
}

/// Passes over fields in blocks.
struct Pass<'c> {
    csv: &'c Csv,
    bytes: Lookahead<'c>,
    after: bool,
}

/// The field that is being read.
#[derive(Clone, Copy)]
struct Current {
    /// Where it begins; in the middle of it after a closing quote.
    start: usize,
    field: Field,
    /// The quote that opened the last field in quotes.
    open: usize,
}

/// The bits below `n`.
fn below(n: usize) -> u64 {
    if n < BLOCK { (1 << n) - 1 } else { !0 }
}

impl Current {
    /// Passes the `ends` of fields in the block at `at`, of those before `to`.
    #[inline(always)]
    fn pass(&mut self, ends: u64, at: usize, to: usize) {
        let ends = ends & below(to) & !below(self.start.saturating_sub(at));
        if ends != 0 {
            self.start = at + BLOCK - ends.leading_zeros() as usize;
            self.field = Field::Plain;
        }
    }

    /// Up to before the field.
    fn passed(&self, worth: bool) -> Passed {
        let len = if self.field == Field::Quoted { self.open } else { self.start };
        Passed { len, field: self.field, worth }
    }
}

impl Work for Pass<'_> {
    type Out = Passed;

    #[inline(always)]
    fn run(self, level: Level) -> Passed {
        let Pass { csv, bytes, after } = self;
        let field = if after { Field::After } else { Field::Plain };
        let mut current = Current { start: 0, field, open: 0 };
        let mut at = 0;
        while at < bytes.len() {
            let found = match bytes[at..].first_chunk() {
                Some(block) => csv.block(level, &bytes, at, block, &mut current),
                None => {
                    let mut block = [0; BLOCK];
                    block[..bytes.len() - at].copy_from_slice(&bytes[at..]);
                    csv.block(level, &bytes, at, &block, &mut current)
                }
            };
            if let Some(found) = found {
                return found;
            }
            at += BLOCK;
        }
        if bytes.is_last() {
            return Passed { len: bytes.len(), field: Field::Plain, worth: false };
        }
        // The next quote may show that the last one was the first of two.
        if current.field == Field::After && current.start == bytes.len() && !bytes.is_empty() {
            current.field = Field::Quoted;
        }
        let passed = current.passed(false);
        // More than this is not asked for again.
        Passed { worth: bytes.len() - passed.len >= AHEAD, ..passed }
    }
}

/// The bits of the triggers among these.
#[inline(always)]
fn wanted(triggers: Triggers, colons: u64, ats: u64, dots: u64) -> u64 {
    match triggers {
        Triggers::Any => !0,
        Triggers::Colon => colons,
        Triggers::ColonAt => colons | ats,
        Triggers::ColonAtDot => colons | ats | dots,
    }
}

impl Csv {
    /// Reads the block at `at`, which may be padded. Returns the first field in it that may hold a
    /// link.
    #[inline(always)]
    fn block(
        &self,
        level: Level,
        bytes: &[u8],
        at: usize,
        block: &[u8; BLOCK],
        current: &mut Current,
    ) -> Option<Passed> {
        #[cfg(test)]
        crate::charset::cursor::STEPS.set(crate::charset::cursor::STEPS.get() + 1);
        let chars = [b'"', self.delimiter, b'\n', b'\r', b':', b'@', b'.'];
        let ([quotes, delimiters, lf, cr, colons, ats, dots], []) =
            sorted(level, block, &chars, &[]);
        let ends = delimiters | lf | cr;
        let inside = below(bytes.len() - at);
        let mut marks = (quotes | wanted(self.triggers, colons, ats, dots)) & inside;
        while marks != 0 {
            let bit = marks.trailing_zeros() as usize;
            let place = at + bit;
            marks &= marks - 1;
            if current.field != Field::Quoted {
                current.pass(ends & inside, at, bit);
            }
            let quote = quotes >> bit & 1 == 1;
            match current.field {
                Field::Quoted if quote => {
                    current.field = Field::After;
                    current.start = place + 1;
                    continue;
                }
                Field::Plain if quote && place == current.start => {
                    current.field = Field::Quoted;
                    current.open = place;
                    continue;
                }
                // Two quotes.
                Field::After if quote && place == current.start && place > current.open => {
                    current.field = Field::Quoted;
                    continue;
                }
                _ => {}
            }
            // A delimiter may be a trigger too.
            let is_text = current.field == Field::Quoted || ends >> bit & 1 == 0;
            let worth = match self.triggers {
                Triggers::Any => true,
                triggers => {
                    triggers.has(bytes[place]) && triggers.may_begin(bytes, place, Where::Attribute)
                }
            };
            if is_text && worth {
                return Some(current.passed(true));
            }
        }
        if current.field != Field::Quoted {
            current.pass(ends & inside, at, BLOCK);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::{string::String, vec::Vec};

    use proptest::prelude::*;

    use super::*;
    use crate::format::tests::*;

    fn csv(triggers: Triggers) -> Csv {
        Csv::new(b',', true, triggers)
    }

    #[test]
    fn fields_are_regions() {
        for (document, regions) in [
            ("", ""),
            ("a,b\n", "{a}{b}"),
            ("a,,\"b\"\r\n,c", "{a}{b}{c}"),
            ("\"a,b\nc\",d", "{a,b\nc}{d}"),
            ("\"a\"\"b\",\"\"\"c\"\"\"", "{a\"b}{\"c\"}"),
            ("a\"b,\"c\"d\"e,f", "{a\"b}{c}{d\"e}{f}"),
            ("\"a", "{a}"),
            ("\"\",\"a\"", "{a}"),
            ("\u{FEFF}\"a,b\"", "{a,b}"),
            ("a\u{FEFF}", "{a\u{FEFF}}"),
            ("a;b\tc", "{a;b\tc}"),
            // Lists of links.
            ("http://a;http://b;;x://c|mailto:d", "{http://a}{http://b}{x://c}{mailto:d}"),
            (
                "\"http://a, http://b\",\"http://c | http://d\"\"|http://e\"",
                "{http://a}{http://b}{http://c }{http://d\"}{http://e}",
            ),
            (" http://a;http://b,c;http://d", "{ http://a}{http://b}{c;http://d}"),
            // None.
            ("http://a;jsessionid=1?b|c;d:e", "{http://a;jsessionid=1?b|c;d:e}"),
            ("a http://b;http://c,mailto:d;e", "{a http://b;http://c}{mailto:d;e}"),
            ("\"\"\"http://a;http://b\"", "{\"http://a;http://b}"),
        ] {
            assert_eq!(render(&csv(Triggers::Any), document.as_bytes()), regions, "{document:?}");
        }
    }

    /// A reader that goes byte by byte: the fields, without those that are empty.
    fn fields(document: &[u8]) -> Vec<String> {
        let mark = MARKS.iter().find(|mark| document.starts_with(mark));
        let document = &document[mark.map_or(0, |mark| mark.len())..];
        let (mut all, mut field, mut at) = (Vec::new(), Vec::new(), 0);
        let end = |field: &mut Vec<u8>, all: &mut Vec<String>| {
            if !field.is_empty() {
                all.push(String::from_utf8_lossy(field).into_owned());
            }
            field.clear();
        };
        while at < document.len() {
            // At the start of a field.
            if document[at] == b'"' {
                at += 1;
                while at < document.len() {
                    match document[at..] {
                        [b'"', b'"', ..] => {
                            field.push(b'"');
                            at += 2;
                        }
                        [b'"', ..] => break,
                        [b, ..] => {
                            field.push(b);
                            at += 1;
                        }
                        [] => {}
                    }
                }
                end(&mut field, &mut all);
                at += 1;
            }
            while at < document.len() && !b",\r\n".contains(&document[at]) {
                field.push(document[at]);
                at += 1;
            }
            end(&mut field, &mut all);
            at += 1;
        }
        all
    }

    proptest! {
        /// Fields in blocks are those that are read byte by byte, and cuts change nothing.
        #[test]
        fn any_bytes(document in hostile(&[
            "\"", "\"\"", ",", "\n", "\r\n", ",\"", "\",\"", "\"\n", "a", "http://a", ":", "@", ".",
            "\u{FEFF}", "mailto:x", " ", "x:y", ";", "|", ";http://b", "| x://",
        ])) {
            let all = texts(&document, &tokens(&csv(Triggers::Any), &document));
            // Quotes alone are passed over.
            let kept = |text: &String| text.bytes().any(|b| b != b'"');
            // The links of a list are read one by one.
            let without = |texts: Vec<String>| {
                texts.concat().replace([';', '|', ',', ' '], "")
            };
            let read: Vec<_> = all.iter().map(Text::lossy).filter(kept).collect();
            let want: Vec<_> = fields(&document).into_iter().filter(kept).collect();
            if read.len() == want.len() {
                prop_assert_eq!(read, want);
            } else {
                prop_assert_eq!(without(read), without(want));
            }
            for triggers in [Triggers::Any, Triggers::Colon, Triggers::ColonAtDot] {
                all_cuts(&csv(triggers), &document, |text| may_hold(triggers, text));
            }
        }
    }
}
