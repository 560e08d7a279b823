//! Text in which links were made harmless: `hxxps[:]//a[.]example/`.
//!
//! People who report abuse write links so that no program opens them;
//! [`Template::defang`](crate::Template::defang) does it. All of a document is one region of prose, in which
//! what is written for a character of a link is an escape:
//!
//! | written, in any case | means |
//! |---|---|
//! | `[.]` `[dot]` `\.`, and `[。]` `[．]` `[｡]` | the full stop |
//! | `[:]` `[://]` | `:` `://` |
//! | `[@]` `[at]` | `@` |
//! | `hxxp` and `fxp` in a scheme, before its colon | `http` `ftp` |
//!
//! The brackets may be round or curly too. Nothing says where such a link begins, so the same holds in
//! prose around it, and changes nothing there.
//!
//! Invariant: text that was defanged and had none of these before is read as what it was.

pub(in crate::format) mod row;
pub(in crate::format) mod writer;

use crate::format::lexing::{
    lexer::{Chars, Lexer, Region, Token},
    lookahead::{Here, Lookahead},
};

/// Texts in brackets with their meanings.
const BRACKETED: [(&str, &str); 9] = [
    (".", "."),
    ("dot", "."),
    ("\u{3002}", "\u{3002}"),
    ("\u{FF0E}", "\u{FF0E}"),
    ("\u{FF61}", "\u{FF61}"),
    (":", ":"),
    ("://", "://"),
    ("@", "@"),
    ("at", "@"),
];

/// The most letters of a scheme after `hxxp`.
const SCHEME: usize = 16;

/// Reads text in which links were made harmless.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Defanged {
    is_inside: bool,
    /// The letters of a scheme that come next and mean a `t`, and how they are written.
    letters: u8,
    upper: bool,
}

impl Lexer for Defanged {
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if bytes.is_empty() {
            return (bytes.is_last() && self.is_inside).then(|| {
                self.is_inside = false;
                Token::End
            });
        }
        if !self.is_inside {
            self.is_inside = true;
            return Some(Token::Begin(Region::Prose));
        }
        if self.letters > 0 {
            self.letters -= 1;
            return Some(Token::Escape(1, Chars::byte(if self.upper { b'T' } else { b't' })));
        }
        let mut at = 0;
        while at < bytes.len() {
            let Some(far) = bytes[at..].iter().position(|&b| may_begin(b)) else { break };
            at += far;
            match escaped(bytes.from(at)) {
                Some(Here::Is(Found::Sign(token))) if at == 0 => return Some(token),
                Some(Here::Is(Found::Scheme { letters, upper })) if at == 0 => {
                    (self.letters, self.upper) = (letters, upper);
                    return Some(Token::Raw(1));
                }
                // Before it is text; the rest is read again.
                Some(Here::Is(_)) => return Some(Token::Raw(at)),
                Some(Here::Nothing) => at += 1,
                None if at == 0 => return None,
                None => return Some(Token::Raw(at)),
            }
        }
        Some(Token::Raw(bytes.len()))
    }

    fn is_between(&self) -> bool {
        true
    }
}

/// Whether an escape may begin with `b`.
fn may_begin(b: u8) -> bool {
    matches!(b, b'[' | b'(' | b'{' | b'\\' | b'h' | b'H' | b'f' | b'F')
}

/// An escape.
#[derive(Clone, Copy)]
enum Found {
    /// One of a sign.
    Sign(Token),
    /// A scheme, in which so many letters after the first one mean a `t`; `upper`: all are capital.
    Scheme { letters: u8, upper: bool },
}

/// What `bytes` begin with, or `Here::Nothing`. `None`: more bytes are needed.
fn escaped(bytes: Lookahead<'_>) -> Option<Here<Found>> {
    match bytes[0] {
        b'[' => bracketed(bytes, b']'),
        b'(' => bracketed(bytes, b')'),
        b'{' => bracketed(bytes, b'}'),
        b'\\' => match bytes.get(1) {
            None if bytes.is_partial() => None,
            Some(b'.') => Some(Here::Is(Found::Sign(Token::Escape(2, Chars::byte(b'.'))))),
            _ => Some(Here::Nothing),
        },
        _ => scheme(bytes),
    }
}

/// A sign in brackets.
fn bracketed(bytes: Lookahead<'_>, close: u8) -> Option<Here<Found>> {
    for (written, means) in BRACKETED {
        if !bytes.from(1).begins(written.as_bytes())? {
            continue;
        }
        match bytes.get(1 + written.len()) {
            None if bytes.is_partial() => return None,
            Some(b) if *b == close => {
                let means = Chars::text(means)?;
                return Some(Here::Is(Found::Sign(Token::Escape(written.len() + 2, means))));
            }
            _ => {}
        }
    }
    Some(Here::Nothing)
}

/// `hxxp` or `fxp` at the start of a scheme.
fn scheme(bytes: Lookahead<'_>) -> Option<Here<Found>> {
    let name: &[u8] = if bytes[0].eq_ignore_ascii_case(&b'h') { b"hxxp" } else { b"fxp" };
    if !bytes.begins(name)? {
        return Some(Here::Nothing);
    }
    let of_scheme = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let more = bytes[name.len()..].iter().take(SCHEME).take_while(of_scheme).count();
    let colon = match bytes.get(name.len() + more..).unwrap_or_default() {
        [] | [b'[' | b'(' | b'{'] if bytes.is_partial() => return None,
        [b':', ..] | [b'[' | b'(' | b'{', b':', ..] => true,
        _ => false,
    };
    let letters = name.len() as u8 - 2;
    let upper = bytes[..name.len()].iter().all(u8::is_ascii_uppercase);
    Some(colon.then_some(Found::Scheme { letters, upper }).into())
}

/// Whether `text` is read as it is written, whatever comes after it.
pub(super) fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    (0..bytes.len()).filter(|at| may_begin(bytes[*at])).all(|at| {
        match escaped(Lookahead::part(&bytes[at..])) {
            Some(token) => token.found().is_none(),
            // Letters go on to no scheme: a link would have gone on too.
            None => bytes[at].is_ascii_alphabetic(),
        }
    })
}

/// Whether `text` may end an escape that began before it.
pub(super) fn may_end(text: &str) -> bool {
    let text = text.as_bytes();
    let ends = |tail: &[u8]| {
        let both = text.len().min(tail.len());
        let closes = |rest: &[u8]| matches!(rest, [] | [b']' | b')' | b'}', ..]);
        text[..both].eq_ignore_ascii_case(&tail[..both]) && closes(&text[both..])
    };
    let written = BRACKETED.map(|(written, _)| written.as_bytes());
    text.starts_with(b".")
        || written.into_iter().any(|all| (0..=all.len()).any(|from| ends(&all[from..])))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::tests::*;

    #[test]
    fn what_is_written_for_a_sign_is_the_sign() {
        for (document, regions) in [
            ("", ""),
            ("hxxps[:]//a[.]example/b(.)c", "{https://a.example/b.c}"),
            (
                "hXXp://a{.}b HXXP[://]a[dot]b Hxxp(:)//a(DOT)b",
                "{http://a.b HTTP://a.b Http://a.b}",
            ),
            (r"fxp://a\.b FXPS://a[。]b a[at]b(@)c", "{ftp://a.b FTPS://a。b a@b@c}"),
            ("hxxp+unix[:]//a", "{http+unix://a}"),
            // No escapes.
            (
                "hxxp fxp hxx [. [.) [..] [dots] (::) [a] \\",
                "{hxxp fxp hxx [. [.) [..] [dots] (::) [a] \\}",
            ),
            ("[:", "{[:}"),
            ("hxxp", "{hxxp}"),
            ("[[.]]", "{[.]}"),
        ] {
            assert_eq!(render(&Defanged::default(), document.as_bytes()), regions, "{document}");
        }
    }

    #[test]
    fn what_is_plain_is_read_as_it_is() {
        for text in ["http://a.example/x_(b)", "http://[::1]/", "fish", "a.b", ""] {
            assert!(is_plain(text), "{text}");
        }
        for text in ["a[.]b", "hxxp://a", "a[", "a\\", "x(d", "x\\."] {
            assert!(!is_plain(text), "{text}");
        }
        for text in [".]", "dot)", "ot]", "]", ":]", "t}", "//", ""] {
            assert!(may_end(text), "{text}");
        }
        for text in ["http://a", "a.b", "x]"] {
            assert!(!may_end(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes(document in hostile(&[
            "[", "]", "(", ")", "{", "}", ".", "dot", "DOT", ":", "//", "@", "at", "\\", "hxxp", "hXX", "p", "fxp", "s",
            "h", "f", "。", "\u{FF61}",
        ])) {
            tokens_of_all_cuts(&Defanged::default(), &document);
        }
    }
}
