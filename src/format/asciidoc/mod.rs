//! AsciiDoc: running text, in which the targets of link, image and mail macros are references.
//!
//! Bytes go in, tokens come out. What Asciidoctor does decides:
//!
//! - `https://x/p[text]` and `mailto:a@b[text]`: the target ends before the `[`, whatever comes
//!   before that. Without a `[` it is running text.
//! - `link:target[text]`, `link:++target++[text]`, `image:target[]`, `image::target[]`, and the same
//!   for video and audio: a target, relative or not. Those of `xref:` and `include::` are references
//!   only if they are URLs.
//! - `link:`, `mailto:` and `image:` begin a macro wherever they are: `hyperlink:a[b]` has one too. A URL
//!   begins one only after a space or a sign.
//! - A target with an attribute reference (`{name}`) is no link, because it is another one once that
//!   is replaced.
//!
//! ```text
//!   Text ── a scheme, or the name of a macro ──▶ Target ── `[`, `++[` or what no target has ──▶ Text
//! ```
//!
//! A target between marks (`++`, `+++`, `$$`, `pass:[` and `]`) may have spaces and brackets. In others a
//! backslash is an escape before a sign that would format what follows (`\_a_`). There are no other
//! escapes: a backslash before a macro keeps Asciidoctor from making a link of it, but the address is
//! there all the same.

pub(in crate::format) mod row;
pub(in crate::format) mod writer;

use crate::{
    format::lexing::{
        lexer::{Chars, Lexer, Region, Token, Value, byte_order_mark},
        lookahead::{Here, Lookahead},
        marked::has_ace_prefix,
    },
    links::place::{Inside, Place},
};

/// How many bytes decide about a byte of syntax, at most.
const NEAR: usize = 60;

/// The longest word before a colon that means something.
const WORD: usize = 6;

/// Reads AsciiDoc.
#[derive(Clone, Debug)]
pub(crate) struct AsciiDoc {
    state: State,
    /// A region is open.
    open: bool,
    /// The last two bytes of text.
    before: [u8; 2],
    target: Target,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// At the start of the document.
    First,
    Text,
    /// The region ends, and a target begins.
    Leaving,
    Target,
}

/// What a target belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    /// It begins with its scheme.
    #[default]
    Url,
    Link,
    /// Between marks in which nothing has a meaning, after `link:` or `image:`.
    Passed(Marks),
    /// It may have spaces.
    Image,
}

/// The marks around a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marks {
    /// `++` or `+++`.
    Plus(u8),
    /// `$$`
    Dollars,
    /// `pass:[` and `]`, with the names of substitutions before the `[`.
    Macro,
}

impl Marks {
    /// The closing one.
    fn closing(self) -> &'static [u8] {
        match self {
            Marks::Plus(2) => b"++",
            Marks::Plus(_) => b"+++",
            Marks::Dollars => b"$$",
            Marks::Macro => b"]",
        }
    }

    /// Those that `bytes` begin with, and the length of the opening one; `Here::Nothing`: there are none.
    /// `None`: more bytes are needed.
    fn at(bytes: Lookahead<'_>) -> Option<Here<(usize, Marks)>> {
        let begins = |with: &[u8]| bytes.begins(with);
        if begins(b"+++")? {
            return Some(Here::Is((3, Marks::Plus(3))));
        }
        if begins(b"++")? {
            return Some(Here::Is((2, Marks::Plus(2))));
        }
        if begins(b"$$")? {
            return Some(Here::Is((2, Marks::Dollars)));
        }
        if !begins(b"pass:")? {
            return Some(Here::Nothing);
        }
        let near = bytes.near(NEAR - 10).from(5);
        let names = near.iter().take_while(|b| b.is_ascii_lowercase() || **b == b',').count();
        match near.get(names) {
            None if near.is_partial() => None,
            next => Some((next == Some(&b'[')).then_some((names + 6, Marks::Macro)).into()),
        }
    }
}

/// A target that is being read.
#[derive(Clone, Copy, Debug, Default)]
struct Target {
    kind: Kind,
    /// So many bytes of it were read.
    len: usize,
    /// Before the host, if there is one, come so many bytes.
    host: usize,
    /// The byte before it.
    before: u8,
    /// The last byte that was read of it.
    latest: u8,
}

impl AsciiDoc {
    pub(super) fn new() -> AsciiDoc {
        AsciiDoc { state: State::First, open: false, before: [b'\n'; 2], target: Target::default() }
    }

    /// `n` bytes of text, before the state `then`. First its region begins.
    fn raw(&mut self, bytes: &[u8], n: usize, then: State) -> Option<Token> {
        if !core::mem::replace(&mut self.open, true) {
            return Some(Token::Begin(Region::Prose));
        }
        self.before = self.before(&bytes[..n]);
        self.state = then;
        Some(Token::Raw(n))
    }

    /// The two bytes before the end of `bytes`, which come next.
    fn before(&self, bytes: &[u8]) -> [u8; 2] {
        let [further, nearest] = self.before;
        let last = match *bytes {
            [] => return self.before,
            [byte] => [further, nearest, byte],
            [a, b] => [nearest, a, b],
            [.., a, b, c] => [a, b, c],
        };
        [last[1], last[2]]
    }

    fn text(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if bytes.is_empty() {
            let ends = bytes.is_last() && core::mem::take(&mut self.open);
            return ends.then_some(Token::End);
        }
        let mut at = 0;
        while let Some(n) = memchr::memchr(b':', &bytes[at..]) {
            let colon = at + n;
            let word = word(&bytes[..colon]);
            let start = colon - word.len();
            let before = self.before(&bytes[..start]);
            match target(word, before, bytes.from(colon)) {
                // Nothing of the word is text yet.
                None if start == 0 => return None,
                None => return self.raw(&bytes, start, State::Text),
                Some(Here::Nothing) => at = colon + 1,
                Some(Here::Is((skip, kind))) => {
                    let from = if kind == Kind::Url { start } else { colon + skip };
                    let host = word.len() + "://".len();
                    let (before, latest) = (before[1], b' ');
                    self.target = Target { kind, len: 0, host, before, latest };
                    if from > 0 {
                        return self.raw(&bytes, from, State::Leaving);
                    }
                    self.state = State::Leaving;
                    return self.next(bytes);
                }
            }
        }
        // The word at the end may be that of a macro.
        let held = if bytes.is_last() { 0 } else { word(&bytes[at..]).len() };
        match bytes.len() - held {
            0 => None,
            n => self.raw(&bytes, n, State::Text),
        }
    }
}

/// The letters at the end of `bytes`, if they are few enough for a word that means something; else
/// some of them.
fn word(bytes: &[u8]) -> &[u8] {
    let letters = bytes.iter().rev().take(WORD).take_while(|b| b.is_ascii_alphabetic()).count();
    &bytes[bytes.len() - letters..]
}

/// True if a URL may begin after the two bytes `before` it.
fn leads_to_url([further, nearest]: [u8; 2]) -> bool {
    match nearest {
        b'-' | b'+' | b'.' | 0x80.. => false,
        // A link may end with one of these, and then its conversion ends with a digit.
        b'\\' | b'|' | b'^' | b'`' | b'{' | b'}' | b'>' | b'%' => further <= b' ',
        nearest => !nearest.is_ascii_alphanumeric(),
    }
}

/// What begins with `word` and the colon that `rest` begins with, and how many bytes come before its
/// target from the colon on. `before`: the two bytes before `word`. `Here::Nothing`: nothing. `None`: more
/// bytes are needed.
fn target(word: &[u8], before: [u8; 2], rest: Lookahead<'_>) -> Option<Here<(usize, Kind)>> {
    let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
    let ends = |name: &str| {
        let last = word.len().checked_sub(name.len()).map(|at| &word[at..]);
        last.is_some_and(|last| last.eq_ignore_ascii_case(name.as_bytes()))
    };
    let Some(after) = rest.get(1) else {
        return if rest.is_last() { Some(Here::Nothing) } else { None };
    };
    if ["http", "https", "ftp", "irc", "file"].iter().any(|name| is(name)) {
        if !leads_to_url(before) {
            return Some(Here::Nothing);
        }
        return match rest.as_slice() {
            [_, b'/'] if rest.is_partial() => None,
            [_, b'/', b'/', ..] => Some(Here::Is((0, Kind::Url))),
            _ => Some(Here::Nothing),
        };
    }
    if is("mailto") {
        return Some((*after > b' ').then_some((0, Kind::Url)).into());
    }
    let names = |b: u8| !matches!(b, 0..=b' ' | b':' | b'[' | b'{');
    let kind = match () {
        () if ends("link") => Kind::Link,
        () if ends("image") => Kind::Image,
        () if (is("video") || is("audio")) && leads_to_url(before) => Kind::Image,
        () => return Some(Here::Nothing),
    };
    let skip = 1 + usize::from(*after == b':' && kind == Kind::Image);
    let next = match rest.get(skip) {
        None if rest.is_partial() => return None,
        next => next.copied(),
    };
    if let Here::Is((len, marks)) = Marks::at(rest.from(skip))? {
        return Some(Here::Is((skip + len, Kind::Passed(marks))));
    }
    Some(next.is_some_and(names).then_some((skip, kind)).into())
}

/// Whether the backslash that `bytes` begin with, after the byte `before`, keeps the next sign from
/// formatting what follows it. Within a word, only two signs do so. `None`: more bytes are needed.
fn is_escape(before: u8, bytes: Lookahead<'_>) -> Option<bool> {
    let within = before.is_ascii_alphanumeric() || !before.is_ascii();
    match *bytes.as_slice() {
        [_] if bytes.is_partial() => None,
        [_, b'^' | b'~', ..] => Some(true),
        [_, b'_' | b'*' | b'#' | b'`', ..] if !within => Some(true),
        [_, b'_' | b'*' | b'#' | b'`'] if bytes.is_partial() => None,
        [_, a @ (b'_' | b'*' | b'#' | b'`'), b, ..] => Some(a == b),
        _ => Some(false),
    }
}

impl Target {
    /// As [`Lexer::next`], in the region.
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let special = |b: &u8| {
            let signs = b"[]<>\"`{+$\\\x7F";
            *b <= b' ' || signs.contains(b)
        };
        let at = bytes.iter().position(special).unwrap_or(bytes.len());
        if at > 0 {
            self.latest = bytes[at - 1];
            return Some(self.raw(at));
        }
        let before = core::mem::replace(&mut self.latest, *bytes.first()?);
        let token = self.special(before, bytes);
        if token.is_none() {
            self.latest = before;
        }
        token
    }

    /// The same, of bytes that begin with one that may have a meaning, after the byte `before`.
    fn special(&mut self, before: u8, bytes: Lookahead<'_>) -> Option<Token> {
        let near = bytes.near(NEAR);
        let cut = near.is_partial();
        match (self.kind, near.first()?) {
            (Kind::Passed(marks), b) => match near.begins(marks.closing())? {
                true => match near.get(marks.closing().len()) {
                    None if near.is_partial() => None,
                    Some(b'[') => Some(Token::End),
                    _ => Some(self.raw(1)),
                },
                false if marks == Marks::Macro && near.begins(b"\\]")? => {
                    self.len += 2;
                    Some(Token::Escape(2, Chars::byte(b']')))
                }
                false if *b == b' ' || *b > b' ' && *b != 0x7F => Some(self.raw(1)),
                false => Some(Token::Broken(self.before)),
            },
            (_, b'\\') => Some(match is_escape(before, bytes)? {
                true => {
                    (self.len, self.latest) = (self.len + 2, bytes[1]);
                    Token::Escape(2, Chars::byte(bytes[1]))
                }
                false => self.raw(1),
            }),
            (_, b'+' | b'$') => Some(self.raw(1)),
            // The literal of an IPv6 address.
            (Kind::Url, b'[') if self.len == self.host => {
                // Rewriting makes none of its characters longer, so that it is found again, and no text between
                // brackets becomes one: `[v1.ü.de]` does not.
                let is = |b: &u8| b.is_ascii_alphanumeric() || b":.%-_~".contains(b);
                match near[1..].iter().position(|b| !is(b)).map(|n| 1 + n) {
                    Some(end) if near[end] == b']' && !has_ace_prefix(&near[1..end]) => {
                        Some(self.raw(end + 1))
                    }
                    None if cut => None,
                    _ => Some(Token::Broken(self.before)),
                }
            }
            (_, b'[') => Some(Token::End),
            (_, b'{') => {
                let name = |b: &u8| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
                match near[1..].iter().position(name) {
                    None if cut => None,
                    Some(n) if n > 0 && near[1 + n] == b'}' => Some(Token::Cancel),
                    _ => Some(self.raw(1)),
                }
            }
            (Kind::Image, b' ') => Some(self.raw(1)),
            (Kind::Link | Kind::Image, b']' | b'<' | b'>' | b'"' | b'`') => Some(self.raw(1)),
            _ => Some(Token::Broken(self.before)),
        }
    }

    fn raw(&mut self, n: usize) -> Token {
        self.len += n;
        Token::Raw(n)
    }
}

impl Lexer for AsciiDoc {
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match self.state {
            State::First => {
                let mark = byte_order_mark(bytes)?;
                self.state = State::Text;
                if mark > 0 { Some(Token::Skip(mark)) } else { self.next(bytes) }
            }
            State::Text => self.text(bytes),
            State::Leaving => {
                self.state = State::Target;
                match core::mem::take(&mut self.open) {
                    true => Some(Token::End),
                    false => self.next(bytes),
                }
            }
            State::Target if !self.open => {
                self.open = true;
                Some(Token::Begin(Region::Reference(Value::One)))
            }
            State::Target => {
                let token = match bytes.is_empty() && bytes.is_last() {
                    true => Token::Broken(self.target.before),
                    false => self.target.next(bytes)?,
                };
                match token {
                    Token::End | Token::Cancel => (self.state, self.open) = (State::Text, false),
                    Token::Broken(_) => self.state = State::Text,
                    _ => {}
                }
                self.before = [b'['; 2];
                Some(token)
            }
        }
    }

    fn place(&self, region: Region) -> Place {
        match region {
            Region::Reference(_) => Inside::Attribute { quoted: false }.into(),
            _ => Place::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::tests::*;

    #[test]
    fn targets_are_references() {
        for (document, regions) in [
            ("", ""),
            ("a b:c", "{a b:c}"),
            ("a https://x/p[b] c", "{a }<https://x/p>{[b] c}"),
            ("https://x/.[b]", "<https://x/.>{[b]}"),
            ("a https://x/p b", "{a }{https://x/p b}"),
            ("(https://x/p) mailto:a@b[c]", "{(}{https://x/p) }<mailto:a@b>{[c]}"),
            ("https://[::1]/a[b] http://[x y", "<https://[::1]/a>{[b] }{http://[x y}"),
            ("http://[a+b]/c[d]", "{http://[a+b]/c[d]}"),
            ("link:a/b[c] link:++d[e]++[f]", "{link:}<a/b>{[c] link:++}<d[e]>{++[f]}"),
            ("link:a b", "{link:}{a b}"),
            ("image::a b.png[] image:c[]", "{image::}<a b.png>{[] image:}<c>{[]}"),
            ("xref:a[b] xref:http://c[d]", "{xref:a[b] xref:}<http://c>{[d]}"),
            ("http://a/{b}/c[d]", "{{b}/c[d]}"),
            ("link:{a}[b]", "{link:{a}[b]}"),
            ("http://a/{b c[d]", "{http://a/{b c[d]}"),
            ("\\https://x[y]", "{\\}<https://x>{[y]}"),
            ("\u{FEFF}\\https://x[y]", "{\\}<https://x>{[y]}"),
            ("xhttp://a[b] hyperlink:c[d]", "{xhttp://a[b] hyperlink:}<c>{[d]}"),
            ("éhttp://a[b] élink:c[d]", "{éhttp://a[b] élink:}<c>{[d]}"),
            ("a/\\http://a[b] |http://c[d]", "{a/\\http://a[b] |}<http://c>{[d]}"),
            ("https://x", "{https://x}"),
            ("link:++a b[c]++[d] link:++++[]", "{link:++}<a b[c]>{++[d] link:+++}{+[]}"),
            ("link:+++a++b+++[c]", "{link:+++}<a++b>{+++[c]}"),
            ("link:$$a $b$$$[c]", "{link:$$}<a $b$>{$$[c]}"),
            (
                "link:pass:[a b\\]c][d] link:pass:a,q[e][f]",
                "{link:pass:[}<a b]c>{][d] link:pass:a,q[}<e>{][f]}",
            ),
            (
                "image:++a b.png++[c] image::$$d$$[]",
                "{image:++}<a b.png>{++[c] image::$$}<d>{$$[]}",
            ),
            ("link:++a\nb++[c] link:pass:x y", "{link:++}{a\nb++[c] link:}{pass:x y}"),
            ("link:a,\\_b_c[] link:\\*d*[]", "{link:}<a,_b_c>{[] link:}<*d*>{[]}"),
            ("http://a/,\\_b._1_.c[d]", "<http://a/,_b._1_.c>{[d]}"),
            (
                "link:a\\_b[] link:a\\__b[] link:a\\b[]",
                "{link:}<a\\_b>{[] link:}<a__b>{[] link:}<a\\b>{[]}",
            ),
            ("http://a\\_b c", "{http://a\\_b c}"),
        ] {
            assert_eq!(render(&AsciiDoc::new(), document.as_bytes()), regions, "{document:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes(document in hostile(&[
            "link:", "image:", "image::", "mailto:", "http://", "https:", "//", ":", "[", "]", "++", "{a}", "{",
            "}", " ", "\n", "<", ">", "a", "http", "é", "+++", "$$", "$", "pass:", "pass:[", "][", "\\", "\\]", "\\_",
            "_", "*", "link:++",
        ])) {
            tokens_of_all_cuts(&AsciiDoc::new(), &document);
        }
    }
}
