//! JSON and JSON Lines: strings are text.
//!
//! ```text
//!   Start ─▶ Running, to the end
//!
//!              at '"'            begin            '"'             '"'
//!   Between ───────────▶ Opened ───────▶ Quoted ───────▶ Inside ───────▶ Closed
//!    ▲ │                                                   │               │
//!    │ │                            line feed: end         │          end  │
//!    ├─┼───────────────────────────────────────────────────┘               │
//!    ├─┼───────────────────────────────────────────────────────────────────┘
//!    │ └── '"' of a string that is not asked for ──▶ Unwanted ──┐
//!    └──────────────────────────────────────────────────────────┘
//! ```
//!
//! Bytes go in, tokens come out. It knows escapes and, if only some fields are asked for, strings
//! and the key of each. It does not validate: broken JSON passes through. The quotes of
//! a string belong to its text, as they do where all is one text (`Running`): the
//! rules of prose know by them where a link ends.
//!
//! By UTS #58 a quote does not end a link. So under these rules the quotes are between the regions, also
//! where all is text: each text between two quotes is a region.
//!
//! Invariant: a string ends at a line feed, which it must not have (RFC 8259, section 7). So
//! broken JSON is broken up to the end of its line only.

pub(in crate::format) mod row;
pub(in crate::format) mod writer;

use alloc::{string::String, sync::Arc, vec::Vec};

use memchr::{memchr, memchr2, memchr3};

use crate::{
    format::lexing::{
        escape,
        lexer::{Chars, Lexer, Region, Token, Unescaped},
        lookahead::Lookahead,
        nested::Nested,
    },
    links::place::{Around, Inside, Place},
};

/// How many arrays and objects are known that are open together. Stops `[[[[…`
/// from taking memory: a bit each. Deeper, no array belongs to a key.
const DEPTH_MAX: usize = 4096;

/// Reads JSON, one document or many.
#[derive(Clone, Debug)]
pub(crate) struct Json {
    state: State,
    /// `None`: all is text.
    filter: Option<Filter>,
    /// Quotes are between the regions.
    divided: bool,
    /// Its links are identifiers.
    identifies: bool,
    nested: Nested,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Between,
    /// At the quote before a text.
    Opened,
    /// At that quote, in the text.
    Quoted,
    Inside,
    /// After the quote that ends a text.
    Closed,
    /// At that quote, after the text.
    Closing,
    /// In a key, or in a string that is not asked for.
    Unwanted,
    /// All is text; it has not begun.
    Start,
    /// All is text, also quotes.
    Running,
}

impl Json {
    /// Strings that are the value of one of `fields`, or in an array that is.
    ///
    /// Without fields the whole document is one text, with quotes and brackets, in which only
    /// escapes are resolved. That is ten times as fast as regions, and more if strings are short.
    pub(crate) fn new(fields: Arc<[String]>) -> Json {
        let (state, filter) = match fields.is_empty() {
            true => (State::Start, None),
            false => (State::Between, Some(Filter::new(fields))),
        };
        Json { state, filter, divided: false, identifies: false, nested: Nested::NONE }
    }

    /// JSON-LD: the same, and its links are identifiers.
    pub(in crate::format) fn linked(fields: Arc<[String]>) -> Json {
        Json { identifies: true, ..Json::new(fields) }
    }

    /// An import map: each string is a text, and its links are identifiers. Those in keys stay, whatever is rewritten.
    pub(in crate::format) fn import_map() -> Json {
        let filter = Filter { all: true, wanted: true, ..Filter::new(Arc::default()) };
        Json { state: State::Between, filter: Some(filter), ..Json::linked(Arc::default()) }
    }

    /// What the links of the region that begins here are.
    pub(in crate::format) fn around(&self) -> Around {
        match &self.filter {
            Some(filter) if filter.all && !filter.wanted => Around::Fixed,
            _ if self.identifies => Around::Key,
            _ => Around::Nothing,
        }
    }

    /// The same with quotes between the regions if `divided`.
    pub(crate) fn divided(self, divided: bool) -> Json {
        Json { divided, ..self }
    }

    /// Skips to the next text.
    fn skip(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let at = match &mut self.filter {
            Some(filter) => filter.skip(&mut self.state, bytes),
            None => bytes.len(),
        };
        match self.state {
            State::Opened if at == 0 => self.opened(),
            _ => (at > 0).then_some(Token::Skip(at)),
        }
    }

    /// At the quote before a text.
    fn opened(&mut self) -> Option<Token> {
        self.nested = Nested::NONE;
        self.state = State::Quoted;
        if self.divided { Some(Token::Skip(1)) } else { Some(Token::Begin(Region::Prose)) }
    }

    /// After that quote.
    fn begin(&mut self) -> Option<Token> {
        self.state = State::Inside;
        Some(Token::Begin(Region::Prose))
    }

    /// Returns the text that `bytes` begin with; the first `known` bytes are text.
    fn inside(&mut self, bytes: &[u8], known: usize) -> Option<Token> {
        let special = memchr3(b'"', b'\\', b'\n', &bytes[known..]).map(|at| known + at);
        self.state = State::Inside;
        let len = match special {
            Some(at) if bytes[at] == b'"' && !self.divided => {
                self.state = State::Closed;
                at + 1
            }
            _ => special.unwrap_or(bytes.len()),
        };
        self.nested.pass(&bytes[..len]);
        Some(Token::Raw(len))
    }

    /// The next token of the one text.
    fn run(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let (state, token) = match bytes.first() {
            None if bytes.is_last() && self.state == State::Running => (State::Start, Token::End),
            None => return None,
            Some(b'"') if self.divided => {
                self.nested.pass(b"\"");
                match self.state {
                    State::Running => (State::Start, Token::End),
                    _ => (State::Start, Token::Skip(1)),
                }
            }
            Some(_) if self.state == State::Start => (State::Running, Token::Begin(Region::Prose)),
            // Text that is not ASCII may be escapes only.
            Some(b'\\') => return self.nested.escape(bytes, escaped),
            Some(_) => {
                let end = match self.divided {
                    true => memchr2(b'\\', b'"', &bytes),
                    false => memchr(b'\\', &bytes),
                };
                let end = end.unwrap_or(bytes.len());
                self.nested.pass(&bytes[..end]);
                return Some(Token::Raw(end));
            }
        };
        self.state = state;
        Some(token)
    }

    /// A text ends; `broken`: its line ends too.
    fn end(&mut self, broken: bool) -> Option<Token> {
        self.state = State::Between;
        if let Some(filter) = &mut self.filter {
            match broken {
                true => filter.restart(),
                false => filter.wanted = false,
            }
        }
        Some(Token::End)
    }
}

impl Lexer for Json {
    #[inline]
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match self.state {
            State::Between | State::Unwanted => self.skip(bytes),
            State::Opened => self.opened(),
            State::Quoted if bytes.is_empty() => None,
            State::Quoted if self.divided => self.begin(),
            State::Quoted => self.inside(&bytes, 1),
            State::Inside => match bytes.first() {
                Some(b'\\') => self.nested.escape(bytes, escaped),
                Some(b'"') if self.divided => {
                    self.state = State::Closing;
                    Some(Token::End)
                }
                Some(b'\n') => self.end(true),
                Some(_) => self.inside(&bytes, 0),
                None if bytes.is_last() => self.end(true),
                None => None,
            },
            State::Closed => self.end(false),
            State::Closing => {
                self.end(false);
                Some(Token::Skip(1))
            }
            State::Start | State::Running => self.run(bytes),
        }
    }

    fn unescape_run(&mut self, bytes: Lookahead<'_>, unescaped: &mut Unescaped<'_>) -> usize {
        let ends: &[u8] = match self.state {
            State::Running if self.divided => b"\"",
            State::Running => b"",
            State::Inside => b"\"\n",
            _ => return 0,
        };
        self.nested.take(bytes, ends, unescaped, escaped)
    }

    fn place(&self, _: Region) -> Place {
        Place::new(Inside::Name, self.around())
    }

    fn is_between(&self) -> bool {
        matches!(self.state, State::Start | State::Running) && self.nested.is_outermost()
    }
}

/// Returns where a string ends, or an escape in it begins. Keys are short, so the first bytes
/// are compared without a call.
fn special(bytes: &[u8]) -> Option<usize> {
    const SHORT: usize = 16;
    let is_special = |&b: &u8| matches!(b, b'"' | b'\\' | b'\n');
    let (near, far) = bytes.split_at(bytes.len().min(SHORT));
    let near = near.iter().position(is_special);
    near.or_else(|| memchr3(b'"', b'\\', b'\n', far).map(|at| at + SHORT))
}

/// Reads the escape that `bytes` begin with (RFC 8259, section 7; `\xHH`, which no JSON has, as nginx
/// writes it in its logs).
pub(in crate::format) fn escaped(bytes: Lookahead<'_>) -> Option<Token> {
    let means = match bytes.get(1) {
        None if bytes.is_partial() => return None,
        Some(b'u') => return escape::utf16(bytes),
        Some(b'x') => return escape::byte(bytes),
        Some(&b @ (b'"' | b'\\' | b'/')) => b,
        Some(b'b') => b'\x08',
        Some(b'f') => b'\x0C',
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        _ => return Some(escape::BACKSLASH),
    };
    Some(Token::Escape(2, Chars::byte(means)))
}

/// Which strings are asked for.
///
/// A string with a `:` after it is a key, wherever it is, so errors before it do no harm.
/// Invariant: `key` has at most one byte more than the longest field.
#[derive(Clone, Debug)]
struct Filter {
    fields: Arc<[String]>,
    /// All strings are asked for; then `wanted` says that it is no key.
    all: bool,
    longest: usize,
    /// The start of the last string that was not asked for, long enough to compare with a field.
    key: Vec<u8>,
    /// A string that begins here is asked for.
    wanted: bool,
    /// Arrays and objects that are open; of each up to `DEPTH_MAX` a bit:
    /// it is an array and belongs to a field.
    depth: usize,
    arrays: Vec<u64>,
}

impl Filter {
    fn new(fields: Arc<[String]>) -> Filter {
        let longest = fields.iter().map(String::len).max().unwrap_or(0);
        let (key, arrays) = (Vec::with_capacity(longest + 1), Vec::new());
        Filter { fields, all: false, longest, key, wanted: false, depth: 0, arrays }
    }

    /// Returns how many bytes come before the next text, or before a place that needs more bytes.
    fn skip(&mut self, state: &mut State, bytes: Lookahead<'_>) -> usize {
        let mut at = 0;
        while at < bytes.len() {
            if *state == State::Unwanted {
                let Some(len) = self.unwanted(state, bytes.from(at)) else { break };
                at += len;
                continue;
            }
            match bytes[at] {
                b'"' if self.wanted || self.all => {
                    *state = State::Opened;
                    return at;
                }
                b'"' => {
                    *state = State::Unwanted;
                    self.key.clear();
                }
                b':' => {
                    self.wanted = self.all || self.fields.iter().any(|f| f.as_bytes() == self.key);
                    self.key.clear();
                }
                b',' => self.wanted = self.in_array(),
                b'[' => self.open(self.wanted || self.all),
                b'{' => self.open(false),
                b']' | b'}' => self.close(),
                _ => {}
            }
            at += 1;
        }
        at
    }

    /// A piece of a string that is not asked for.
    fn unwanted(&mut self, state: &mut State, bytes: Lookahead<'_>) -> Option<usize> {
        let len = match special(&bytes) {
            Some(0) if bytes[0] == b'\\' => match escaped(bytes)? {
                Token::Escape(len, chars) => {
                    self.remember(chars.as_bytes());
                    return Some(len);
                }
                _ => 1,
            },
            Some(0) => {
                *state = State::Between;
                if bytes[0] == b'\n' {
                    self.restart();
                }
                return Some(1);
            }
            found => found.unwrap_or(bytes.len()),
        };
        self.remember(&bytes[..len]);
        Some(len)
    }

    fn remember(&mut self, bytes: &[u8]) {
        let room = self.longest + 1 - self.key.len();
        self.key.extend_from_slice(&bytes[..bytes.len().min(room)]);
        debug_assert!(self.key.len() <= self.longest + 1, "a key should be short");
    }

    fn open(&mut self, array_of_field: bool) {
        self.wanted = array_of_field && self.depth < DEPTH_MAX;
        if self.depth < DEPTH_MAX {
            let (word, bit) = (self.depth / 64, self.depth % 64);
            if word == self.arrays.len() {
                self.arrays.push(0);
            }
            self.arrays[word] &= !(1 << bit);
            self.arrays[word] |= u64::from(self.wanted) << bit;
        }
        self.depth = self.depth.saturating_add(1);
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.wanted = false;
    }

    /// Whether the innermost value is an array that belongs to a field.
    fn in_array(&self) -> bool {
        let Some(top) = self.depth.checked_sub(1) else { return false };
        top < DEPTH_MAX && self.arrays[top / 64] >> (top % 64) & 1 == 1
    }

    /// Closes all arrays and objects, because the line was broken.
    fn restart(&mut self) {
        self.depth = 0;
        self.wanted = false;
        self.key.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::{format, string::String, vec, vec::Vec};

    use proptest::prelude::*;
    use serde_json::{Map, Value, ser::Formatter};

    use super::*;
    use crate::format::tests::*;

    fn json(fields: &[&str]) -> Json {
        Json::new(fields.iter().map(|&field| field.into()).collect())
    }

    #[test]
    fn all_is_one_text() {
        for (document, text) in [
            ("", ""),
            (" 1, null", "{ 1, null}"),
            (
                r#"{"a\"": "http:\/\/b.example/\u00e9\ud83c\udf44"}"#,
                r#"{{"a"": "http://b.example/é🍄"}}"#,
            ),
            (r#"["\"\\\/","\b\f","\t\r\n"]"#, "{[\"\"\\/\",\"\x08\x0C\",\"\t\r\n\"]}"),
            (r#""\u00e9\u65E5","\ud83c\uDf44.""#, r#"{"é日","🍄."}"#),
            // Halves of pairs.
            (r#""\uDf44\ud83c","\ud83c\ud83c\udf44\ud83c\u0041""#, r#"{"��","�🍄�A"}"#),
            (r#""\ud83c\n","\ud83c\u12","\ud83c""#, "{\"�\n\",\"�\\u12\",\"�\"}"),
            // No escapes.
            (r#""\q\u12\uD83","\x4\U""#, r#"{"\q\u12\uD83","\x4\U"}"#),
            // nginx.
            (r#""\x41\xC3\xA9\x22""#, r#"{"Aé""}"#),
            ("\"a\\\nb", "{\"a\\\nb}"),
            ("[\"a\\", "{[\"a\\}"),
            ("[\"a\\u00e", "{[\"a\\u00e}"),
        ] {
            assert_eq!(render(&json(&[]), document.as_bytes()), text, "{document}");
        }
    }

    #[test]
    fn only_fields_that_are_asked_for() {
        for (document, regions) in [
            (r#""url""#, ""),
            (r#"{"url": "a", "uri": "b", "x": "url", "y": ":", "u": "c"}"#, r#"{"a"}{"b"}"#),
            (r#"{"\u0075r\u006c": "a", "ur": "b", "urls": "c", "": "d"}"#, r#"{"a"}"#),
            (r#"{"url": "", "uri": "\"\u00e9\/"}"#, r#"{""}{""é/"}"#),
            // A string ends where it ends, whatever the string of JSON in it may be.
            (r#"{"url": "[\"\\", "x": "a", "uri": "[\"\\\\\"\\"}"#, r#"{"["\"}{"["\"\"}"#),
            // Arrays belong to the key, objects start anew.
            (
                r#"{"url": ["a", ["b", "c"], {"d": "e", "url": "f"}, "g"], "h": "i"}"#,
                r#"{"a"}{"b"}{"c"}{"f"}{"g"}"#,
            ),
            (r#"[["a"], {"x": ["b", {"url": {"y": "c"}}, "d"]}, "e"]"#, ""),
            // Neither an escaped quote nor a bracket in a string is one.
            (r#"{"x\"": "[\"", "url": "]\"[", "y": ["z"]}"#, r#"{"]"["}"#),
            // Broken JSON.
            ("{\"x\": [\"y\n{\"url\": \"a\"}\n[\"b\"", "{\"a\"}"),
            ("{\"url\": [\"a\nb\", \"c\"", "{\"a}"),
            ("{\"url\": \"a\n{\"url\": \"b\"}\n", "{\"a}{\"b\"}"),
            ("{\"url\": \"a\\\nb\"", "{\"a\\}"),
            ("{\"url\": \"", "{\"}"),
            ("{\"url\": \"a", "{\"a}"),
            ("]]}{\"url\": \"a\" \"b\": \"c\"", "{\"a\"}"),
            ("{\"url\": \"a\", b: \"c\"", "{\"a\"}"),
        ] {
            let lexer = json(&["url", "uri"]);
            assert_eq!(render(&lexer, document.as_bytes()), regions, "{document}");
        }
    }

    #[test]
    fn arrays_deeper_than_the_cap_are_of_no_field() {
        for (depth, found) in [(DEPTH_MAX - 1, 1), (DEPTH_MAX, 1), (DEPTH_MAX + 1, 0)] {
            // The object is one of them.
            let open = format!("{{\"url\":{}", "[".repeat(depth - 1));
            let document = format!("{open}\"a\"{},\"url\":\"b\"", "]".repeat(depth - 1));
            let texts = texts(document.as_bytes(), &tokens(&json(&["url"]), document.as_bytes()));
            assert_eq!(texts.len(), found + 1, "{depth}");
        }
    }

    /// Whether a string looks as if JSON were in it, of which escapes are undone too.
    fn is_nested(text: &str) -> bool {
        let opens = |at: usize| text[..at].trim_ascii_end().ends_with(['{', '[', ':', ',']);
        text.match_indices('"').any(|(at, _)| opens(at) && text[at..].contains('\\'))
    }

    /// Any characters, with and without escapes.
    fn document() -> impl Strategy<Value = Value> {
        let chars = "[u\"\\\\/\n\t\u{1}{}:,é日🍄\\[\\]]{0,6}";
        let plain = move || chars.prop_filter("it has JSON within", |text| !is_nested(text));
        let text = move || prop_oneof!["[uv]".boxed(), plain().boxed()];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<i32>().prop_map(Value::from),
            text().prop_map(Value::from),
        ];
        leaf.prop_recursive(6, 64, 6, move |inner| {
            let pairs = prop::collection::vec((text(), inner.clone()), 0..6);
            prop_oneof![
                prop::collection::vec(inner, 0..6).prop_map(Value::from),
                pairs.prop_map(|pairs| Map::from_iter(pairs).into()),
            ]
        })
    }

    /// Everything that is not ASCII as escapes.
    struct Ascii;

    impl Formatter for Ascii {
        fn write_string_fragment<W: ?Sized + std::io::Write>(
            &mut self,
            writer: &mut W,
            fragment: &str,
        ) -> std::io::Result<()> {
            for c in fragment.chars() {
                if c.is_ascii() {
                    write!(writer, "{c}")?;
                    continue;
                }
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            }
            Ok(())
        }
    }

    /// The strings in `value` that `fields` name, with their quotes.
    fn strings(value: &Value, fields: &[&str], wanted: bool, out: &mut Vec<String>) {
        match value {
            Value::String(s) if wanted => out.push(format!("\"{s}\"")),
            Value::Array(items) => {
                items.iter().for_each(|item| strings(item, fields, wanted, out));
            }
            Value::Object(pairs) => pairs.iter().for_each(|(key, value)| {
                strings(value, fields, fields.contains(&key.as_str()), out);
            }),
            _ => {}
        }
    }

    proptest! {
        #[test]
        fn what_serde_json_reads(value in document()) {
            let mut ascii = vec![];
            let mut serializer = serde_json::Serializer::with_formatter(&mut ascii, Ascii);
            serde::Serialize::serialize(&value, &mut serializer).expect("it should be JSON");
            let pretty = serde_json::to_vec_pretty(&value).expect("it should be JSON");
            let compact = serde_json::to_vec(&value).expect("it should be JSON");
            for fields in [&["u"][..], &["v", "u\""]] {
                let mut expected = vec![];
                strings(&value, fields, false, &mut expected);
                for document in [&ascii, &pretty, &compact] {
                    let texts = texts(document, &tokens(&json(fields), document));
                    let found: Vec<_> = texts.iter().map(Text::lossy).collect();
                    prop_assert_eq!(&found, &expected);
                }
            }
        }

        #[test]
        fn any_bytes(document in hostile(&[
            "{", "\\\"", "\\\\/", "\\\\\\\"", "\\\\u00e9", "\\\\\\\\/", ":",
            "\"", "\\", "\n", "[", "]", "{", "}", ":", ",", "\"url\":", "\\u", "\\uD83C", "\\uDF44",
            "\\\"", "00e9", "é",
        ])) {
            tokens_of_all_cuts(&json(&[]), &document);
            tokens_of_all_cuts(&json(&["url"]), &document);
        }
    }
}
