//! Turtle and its relatives (N-Triples, N-Quads, TriG; RDF 1.1 and 1.2): IRIs are
//! references, literals and comments are text.
//!
//! ```text
//!              '<'                            '>'
//!   Between ─────────▶ Opened ──▶ Iri ────────────────▶ Closed ─▶ Between
//!    ├─ '"' or '\'', one or three ─▶ Literal ─ the same ──┘
//!    └─ '#' ─▶ Comment ─ line end ─▶ Between
//! ```
//!
//! Bytes go in, tokens come out. It knows which characters `<…>` may have, the quotes, and where
//! neither counts: the `<<` of quoted triples, and after the backslash of a name. Names with a
//! prefix, keywords and numbers are not text. It does not validate.
//!
//! A region of references begins at each `<`. With a character that no IRIREF has (`"`, a space)
//! it is a malformed reference, which counts if its `>` comes before a line end and before the next
//! `<`; if not, the region is cancelled. A reference must be well-formed after `<<`, which opens a
//! quoted triple, and before `=`, because N3 has an arrow `<=`.
//! Invariant: references, and literals with single quotes, end at a line feed.

pub(in crate::format) mod row;
pub(in crate::format) mod writer;

use memchr::{memchr2, memchr3};

use crate::{
    format::lexing::{
        escape,
        lexer::{Chars, Lexer, Region, Token, Value},
        lookahead::Lookahead,
    },
    links::place::{Inside as LinkIn, Place},
};

/// Reads Turtle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turtle {
    state: State,
    /// The next byte is the second one of `<<`.
    nested: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Between,
    /// After the opening bytes.
    Opened(Inside),
    Inside(Inside),
    /// At so many closing bytes.
    Closed(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// An IRI; `strict`: it must be well-formed.
    Iri {
        strict: bool,
    },
    /// Between single quotes of this kind.
    Short(u8),
    /// Between three of this kind.
    Long(u8),
    Comment,
}

impl Turtle {
    /// A document's beginning.
    pub(crate) fn new() -> Turtle {
        Turtle::default()
    }

    fn go(&mut self, state: State, token: Token) -> Option<Token> {
        self.state = state;
        Some(token)
    }

    /// Skips to the next opening bytes and over them; the search begins at `from`.
    fn skip(&mut self, bytes: Lookahead<'_>, from: usize) -> Option<Token> {
        let mut at = from;
        loop {
            let Some(i) = bytes[at..].iter().position(|&b| SYNTAX[usize::from(b)]) else {
                at = bytes.len();
                break;
            };
            at += i;
            let (len, inside) = match bytes[at] {
                b'<' => match bytes.get(at + 1) {
                    None if bytes.is_partial() => break,
                    Some(b'<') => {
                        self.nested = true;
                        at += 1;
                        continue;
                    }
                    next => {
                        let nested = core::mem::take(&mut self.nested);
                        (1, Inside::Iri { strict: nested || next == Some(&b'=') })
                    }
                },
                b'#' => (1, Inside::Comment),
                b'\\' if at + 1 < bytes.len() || bytes.is_last() => {
                    at = bytes.len().min(at + 2);
                    continue;
                }
                b'\\' => break,
                quote => match quotes(bytes.from(at)) {
                    Some(3) => (3, Inside::Long(quote)),
                    Some(_) => (1, Inside::Short(quote)),
                    None => break,
                },
            };
            return self.go(State::Opened(inside), Token::Skip(at + len));
        }
        self.state = State::Between;
        (at > 0).then_some(Token::Skip(at))
    }

    /// The next token in `inside`, of which there are bytes.
    fn inside(&mut self, inside: Inside, bytes: Lookahead<'_>) -> Option<Token> {
        match (inside, bytes[0]) {
            (Inside::Iri { .. }, b'>') => self.go(State::Closed(1), Token::End),
            (Inside::Iri { strict }, b'\\') => match escaped(bytes, |_| None)? {
                token @ Token::Escape(..) => Some(token),
                _ if strict => self.go(State::Between, Token::Cancel),
                malformed => Some(malformed),
            },
            (Inside::Iri { strict }, b) if ends_iri(b, strict) => {
                self.go(State::Between, Token::Cancel)
            }
            (Inside::Comment, b'\n' | b'\r') | (Inside::Short(_), b'\n') => {
                self.go(State::Between, Token::End)
            }
            (Inside::Short(_) | Inside::Long(_), b'\\') => escaped(bytes, means),
            (Inside::Short(quote), b) if b == quote => self.go(State::Closed(1), Token::End),
            (Inside::Long(quote), b) if b == quote => match quotes(bytes)? {
                3 => self.go(State::Closed(3), Token::End),
                text => Some(Token::Raw(text)),
            },
            _ => {
                let special = match inside {
                    Inside::Iri { strict: true } => {
                        bytes.iter().position(|&b| NO_IRI[usize::from(b)])
                    }
                    Inside::Iri { strict: false } => {
                        let ends = |b: &u8| ends_iri(*b, false) || matches!(b, b'>' | b'\\');
                        bytes.iter().position(ends)
                    }
                    Inside::Short(quote) => memchr3(quote, b'\\', b'\n', &bytes),
                    Inside::Long(quote) => memchr2(quote, b'\\', &bytes),
                    Inside::Comment => memchr2(b'\n', b'\r', &bytes),
                };
                Some(Token::Raw(special.unwrap_or(bytes.len())))
            }
        }
    }
}

impl Lexer for Turtle {
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match (self.state, bytes.as_slice()) {
            (State::Opened(Inside::Iri { .. }), []) => None,
            (State::Opened(Inside::Iri { strict }), &[b, ..])
                if matches!(b, 0..=b' ' | b'"') || ends_iri(b, strict) && b != b'\\' =>
            {
                self.skip(bytes, 0)
            }
            (State::Opened(inside), _) => {
                let region = match inside {
                    Inside::Iri { .. } => Region::Reference(Value::Name),
                    Inside::Comment => Region::Prose,
                    _ => Region::Field,
                };
                self.go(State::Inside(inside), Token::Begin(region))
            }
            (State::Inside(Inside::Iri { .. }), []) if bytes.is_last() => {
                self.go(State::Between, Token::Cancel)
            }
            (State::Inside(_), []) if bytes.is_last() => self.go(State::Between, Token::End),
            (_, []) => None,
            (State::Inside(inside), _) => self.inside(inside, bytes),
            (State::Closed(len), _) => self.skip(bytes, len.min(bytes.len())),
            (State::Between, _) => self.skip(bytes, 0),
        }
    }

    fn place(&self, region: Region) -> Place {
        match region {
            Region::Reference(Value::Name) => LinkIn::Name.into(),
            _ => Place::default(),
        }
    }
}

/// Returns how many quotes `bytes` begin with, at most three.
fn quotes(bytes: Lookahead<'_>) -> Option<usize> {
    let found = bytes.iter().take(3).take_while(|&&b| b == bytes[0]).count();
    (found < bytes.len() || found == 3 || bytes.is_last()).then_some(found)
}

/// Reads the escape that `bytes` begin with (Turtle, section 6.4).
/// Surrogates are no code points there, but some writers have pairs of them.
fn escaped(bytes: Lookahead<'_>, means: fn(u8) -> Option<u8>) -> Option<Token> {
    match bytes.get(1) {
        None if bytes.is_partial() => None,
        Some(b'u') => escape::utf16(bytes),
        Some(b'U') => escape::code_point(bytes),
        letter => Some(match letter.and_then(|&b| means(b)) {
            Some(byte) => Token::Escape(2, Chars::byte(byte)),
            None => escape::BACKSLASH,
        }),
    }
}

/// ECHAR.
fn means(letter: u8) -> Option<u8> {
    Some(match letter {
        b't' => b'\t',
        b'b' => b'\x08',
        b'n' => b'\n',
        b'r' => b'\r',
        b'f' => b'\x0C',
        b'"' | b'\'' | b'\\' => letter,
        _ => return None,
    })
}

/// Whether `<…>` that has `b`, which is not `>`, is no reference. `strict`: it must be well-formed.
fn ends_iri(b: u8, strict: bool) -> bool {
    match strict {
        true => is_no_iri(b) && b != b'>',
        false => matches!(b, b'<' | b'\n' | b'\r'),
    }
}

/// The bytes that `<…>` cannot have without an escape (Turtle, section 6.5, IRIREF).
const fn is_no_iri(b: u8) -> bool {
    matches!(b, 0..=b' ' | b'<' | b'>' | b'"' | b'{' | b'}' | b'|' | b'^' | b'`' | b'\\')
}

const NO_IRI: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = is_no_iri(b as u8);
        b += 1;
    }
    table
};

/// What opens something between regions, or keeps the next byte from it.
const OPENERS: &[u8] = b"<#\"'\\";

const SYNTAX: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < OPENERS.len() {
        table[OPENERS[i] as usize] = true;
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use std::{env, fs, string::String, vec};

    use proptest::prelude::*;

    use super::*;
    use crate::format::tests::*;
    use crate::tests::documents;

    #[test]
    fn iris_are_references_and_literals_text() {
        for (document, regions) in [
            ("", ""),
            ("@prefix é: <http://x.example/é#> .\nBASE <>", "<http://x.example/é#><>"),
            (
                "<a> é:b \"c\"@en, \"1\"^^<d>, 'e', <f\\u00e9\\U0001F344> ; a 1.5 . # g <h>\r\n",
                "<a>{c}{1}<d>{e}<fé🍄>{ g <h>}",
            ),
            ("\"\" '' \"\"\"\"\"\" ''''''", "{}{}{}{}"),
            ("\"\"\"a\"b\"\"c\nd'''\\\"\"\"\"e", "{a\"b\"\"c\nd'''\"}"),
            ("'''a'b''c\"\"\"''''d'", "{a'b''c\"\"\"}{d}"),
            (r#""\t\b\n\r\f\"\'\\\uD83C\uDF44\uDF44\U0011FFFF""#, "{\t\x08\n\r\x0C\"'\\🍄��}"),
            (r#""\q\u12\U0001F34\x41""#, r"{\q\u12\U0001F34\x41}"),
            // Names: these quotes and signs open nothing.
            (r"a:b\'c\#d 'e'", "{e}"),
            // RDF 1.2, N3.
            ("<< <a> <b> <c> >> <<( <d> >> {| <e> |} ~<f> .", "<a><b><c><d><e><f>"),
            ("?a < 1, <=b <= <c>", "<c>"),
            // Malformed references.
            ("<a b> <c\"d\" e> <f\\n> <i\\u00e> \"x\"", "<a b><c\"d\" e><f\\n><i\\u00e>{x}"),
            ("<http://a/b{c}|d^e`f> <g>", "<http://a/b{c}|d^e`f><g>"),
            ("<a \u{1}\t'''>'b'", "<a \u{1}\t'''>{b}"),
            ("<{a}> <|b> <\\q>", "<{a}><|b><\\q>"),
            // No references.
            ("<c\"d\" <e\n<f{g} <h", ""),
            ("< b> <\"c\">", "{c}"),
            ("<a b\nc> <a b\rc> <a<b>", "<b>"),
            ("<<a \"b\">> <=a b> <<:s :p :o>> <<<a b>>", "{b}"),
            ("<<a> <<<b>", "<a><b>"),
            ("<a\\", ""),
            // No literals any more.
            ("\"a\n<b> 'c\n\"d\"", "{a}<b>{c}{d}"),
            ("<a> \"\"\"b\"\"", "<a>{b\"\"}"),
            ("#", "{}"),
            ("'", "{}"),
            ("\"\\", "{\\}"),
        ] {
            assert_eq!(render(&Turtle::new(), document.as_bytes()), regions, "{document}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes(document in hostile(&[
            "<", ">", "\"", "'", "\"\"\"", "'''", "\\", "#", "\n", "\r", " ", "{", "\\u",
            "\\U0001F344", "\\uD83C", "\\uDF44", "00e9", "é", "<a>", "\"b\"",
        ])) {
            tokens_of_all_cuts(&Turtle::new(), &document);
        }
    }

    /// The lexer reads the RDF documents of the W3C byte by byte as it reads them whole. With
    /// `IRISCAN_REGIONS`, what it reads is written to that file, a line of JSON for each document:
    /// peers/src/turtle.rs compares it with what oxttl reads.
    #[test]
    fn regions_of_documents() {
        let mut lines = String::new();
        for path in documents::all() {
            let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
            if !["nt", "nq", "ttl", "trig"].contains(&extension) {
                continue;
            }
            let document = fs::read(&path).expect("the file should be readable");
            let (mut iris, mut literals) = (vec![], vec![]);
            for text in texts(&document, &tokens(&Turtle::new(), &document)) {
                let before = document[..text.at - 1].trim_ascii_end().to_ascii_lowercase();
                match text.region {
                    Region::Reference(_) => iris.push(text.lossy()),
                    Region::Prose => {}
                    // The string of `VERSION` is no literal.
                    Region::Field if before.ends_with(b"version") => {}
                    Region::Field => literals.push(text.lossy()),
                }
            }
            let read = serde_json::json!({ "path": path, "iris": iris, "literals": literals });
            lines += &std::format!("{read}\n");
        }
        if let Some(file) = env::var_os("IRISCAN_REGIONS") {
            fs::write(file, lines).expect("the file should be writable");
        }
    }
}
