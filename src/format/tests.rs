//! Drives a lexer as a scanner would, with every cut, none of which may matter.

use std::{format, string::String, vec, vec::Vec};

use crate::{
    charset::source_map::SourceMap,
    engine::{anchor_search::is_plausible, tuning::Tuning},
    format::lexing::{
        lexer::{AHEAD, Lexer, Region, Token, Unescaped, Value},
        lookahead::Lookahead,
        triggers::Triggers,
        value::may_hold_url,
    },
};

/// The tokens of a document with the places where they begin; tokens that were divided are
/// joined.
pub(super) type Tokens = Vec<(usize, Token)>;

/// The tokens of a document of which a scanner sees as much as `windows` say,
/// one after the other; the flag is that of [`Lexer::next`].
fn drive<L: Lexer>(
    mut lexer: L,
    document: &[u8],
    windows: impl IntoIterator<Item = (usize, bool)>,
) -> Tokens {
    let (mut at, mut open, mut still) = (0, false, 0);
    let mut tokens: Tokens = vec![];
    for (end, last) in windows {
        while let Some(token) = lexer.next(Lookahead::new(&document[at..end], last)) {
            let len = match token {
                Token::Whole(before, _, len) | Token::Cell(before, len) => {
                    assert!(len > 0 && !open, "{token:?} at {at}");
                    before + len
                }
                Token::Skip(len) | Token::Raw(len) | Token::Escape(len, _) => {
                    assert!(len > 0, "{token:?} at {at} should have bytes");
                    let text = !matches!(token, Token::Skip(_));
                    assert_eq!(text, open, "{token:?} at {at}");
                    len
                }
                Token::Broken(_) => {
                    assert!(open, "{token:?} at {at}");
                    0
                }
                Token::Begin(_) | Token::End | Token::Cancel | Token::Cut => {
                    assert_eq!(matches!(token, Token::Begin(_)), !open, "{token:?} at {at}");
                    open = !open;
                    0
                }
            };
            still = if len == 0 { still + 1 } else { 0 };
            // A region of references that is prose adds two tokens without bytes.
            assert!(still < 6, "no progress at {at}");
            match (tokens.last_mut(), token) {
                (Some((_, Token::Skip(sum))), Token::Skip(_)) => *sum += len,
                (Some((_, Token::Raw(sum))), Token::Raw(_)) => *sum += len,
                // Tags within a word.
                (Some((_, Token::Escape(sum, one))), Token::Escape(_, two))
                    if one.as_bytes().is_empty() && two.as_bytes().is_empty() =>
                {
                    *sum += len;
                }
                (before, Token::Whole(skipped, ..) | Token::Cell(skipped, _)) => {
                    let (region, len) = match token {
                        Token::Whole(_, value, len) => (Region::Reference(value), len),
                        _ => (Region::Field, len - skipped),
                    };
                    match before {
                        Some((_, Token::Skip(sum))) => *sum += skipped,
                        _ if skipped > 0 => tokens.push((at, Token::Skip(skipped))),
                        _ => {}
                    }
                    let from = at + skipped;
                    tokens.extend([
                        (from, Token::Begin(region)),
                        (from, Token::Raw(len)),
                        (from + len, Token::End),
                    ]);
                }
                _ => tokens.push((at, token)),
            }
            at += len;
            assert!(at <= end, "{token:?} should lie in the window");
        }
        assert!(end - at < AHEAD, "{} bytes ahead of {at}", end - at);
        assert!(!last || at == end && !open, "the document should end at {at}");
    }
    assert_eq!(at, document.len(), "the tokens should be the document");
    tokens
}

/// The tokens of `document`, whole and byte by byte.
pub(super) fn tokens<L: Lexer + Clone>(lexer: &L, document: &[u8]) -> Tokens {
    let len = document.len();
    let tokens = drive(lexer.clone(), document, [(len, true)]);
    let bytes = (0..=len).map(|end| (end, false)).chain([(len, true)]);
    assert_eq!(drive(lexer.clone(), document, bytes), tokens, "byte by byte");
    tokens
}

/// The tokens of a short `document`, cut in two everywhere too.
pub(super) fn tokens_of_all_cuts<L: Lexer + Clone>(lexer: &L, document: &[u8]) -> Tokens {
    all_cuts(lexer, document, |_| true)
}

/// As [`tokens_of_all_cuts`], of a lexer that may or may not pass over text that is not
/// `worth` a look.
pub(super) fn all_cuts<L: Lexer + Clone>(
    lexer: &L,
    document: &[u8],
    worth: impl Fn(&Text) -> bool,
) -> Tokens {
    let len = document.len();
    let drive = |windows: &mut dyn Iterator<Item = (usize, bool)>| {
        passed_over(drive(lexer.clone(), document, windows), document, &worth)
    };
    let whole = drive(&mut [(len, true)].into_iter());
    let bytes = drive(&mut (0..=len).map(|end| (end, false)).chain([(len, true)]));
    assert_eq!(bytes, whole, "byte by byte");
    for cut in 0..=len {
        let two = drive(&mut [(cut, false), (len, true)].into_iter());
        assert_eq!(two, whole, "cut at {cut}");
    }
    let mut unescaped = unescaped(lexer.clone(), document);
    unescaped.retain(worth);
    assert_eq!(unescaped, texts(document, &whole), "with runs of escapes");
    whole
}

/// The regions that count, with as much of their text as possible from the fast path.
fn unescaped<L: Lexer>(mut lexer: L, document: &[u8]) -> Vec<Text> {
    let (mut texts, mut open, mut at): (Vec<Text>, Option<Text>, _) = (vec![], None, 0);
    loop {
        if let Some(Text { region: Region::Prose | Region::Field, bytes: text, .. }) = &mut open {
            let mut map = SourceMap::at(at as u64);
            let room = text.len() + 20;
            at += lexer.unescape_run(
                Lookahead::whole(&document[at..]),
                &mut Unescaped { text, map: &mut map, room, far: Tuning::SMALL.unescape },
            );
            assert_eq!(map.outside(), at as u64, "what was unescaped should be where it is");
        }
        let Some(token) = lexer.next(Lookahead::whole(&document[at..])) else { return texts };
        match (token, &mut open) {
            (Token::Skip(len), _) => at += len,
            (Token::Begin(region), _) => open = Some(Text { at, region, bytes: vec![] }),
            (Token::Raw(len), Some(text)) => {
                text.bytes.extend(&document[at..at + len]);
                at += len;
            }
            (Token::Escape(len, chars), Some(text)) => {
                text.bytes.extend(chars.as_bytes());
                at += len;
            }
            (Token::Whole(before, ..) | Token::Cell(before, _), _) => {
                let (region, len) = match token {
                    Token::Whole(_, value, len) => (Region::Reference(value), len),
                    Token::Cell(_, len) => (Region::Field, len),
                    _ => continue,
                };
                let from = at + before;
                at = from + len;
                texts.push(Text { at: from, region, bytes: document[from..at].to_vec() });
            }
            (Token::End, _) => texts.extend(open.take()),
            (Token::Broken(_), Some(text)) => text.region = Region::Prose,
            (Token::Cancel | Token::Cut, _) => open = None,
            (_, None) => panic!("{token:?} at {at} should be in a region"),
        }
    }
}

/// The tokens without the text that is not `worth` a look.
fn passed_over(tokens: Tokens, document: &[u8], worth: impl Fn(&Text) -> bool) -> Tokens {
    let mut kept: Tokens = vec![];
    for (at, token) in tokens {
        match (kept.last_mut(), token) {
            (Some((_, Token::Skip(sum))), Token::Skip(len)) => *sum += len,
            _ => kept.push((at, token)),
        }
        if token != Token::End {
            continue;
        }
        let begins = |(_, token): &(usize, Token)| matches!(token, Token::Begin(_));
        let begin = kept.iter().rposition(begins).expect("a region should begin");
        let text = texts(document, &kept[begin..]).remove(0);
        if !worth(&text) {
            let from = kept[begin].0;
            kept.truncate(begin);
            match kept.last_mut() {
                _ if at == from => {}
                Some((_, Token::Skip(sum))) => *sum += at - from,
                _ => kept.push((from, Token::Skip(at - from))),
            }
        }
    }
    kept
}

/// A region with the place where it begins and its text, escapes resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) at: usize,
    pub(super) region: Region,
    pub(super) bytes: Vec<u8>,
}

impl Text {
    pub(super) fn lossy(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// Whether a lexer must say `text`, which may pass over what holds no link by `triggers`.
pub(super) fn may_hold(triggers: Triggers, text: &Text) -> bool {
    let may_hold_link = || {
        // A value without quotes may end at white space: `mailto:` at the end is not a link.
        let bytes = [&text.bytes[..], b" "].concat();
        (0..bytes.len()).any(|at| match bytes[at] {
            b':' => is_plausible(&bytes, at),
            b => triggers != Triggers::Any && triggers.has(b),
        })
    };
    match text.region {
        Region::Reference(Value::Css) => may_hold_url(&text.bytes),
        Region::Prose | Region::Field if triggers != Triggers::Any => may_hold_link(),
        _ => !text.bytes.is_empty(),
    }
}

/// The regions that count.
pub(super) fn texts(document: &[u8], tokens: &[(usize, Token)]) -> Vec<Text> {
    let (mut texts, mut open) = (vec![], None);
    for &(at, token) in tokens {
        match (&mut open, token) {
            (None, Token::Begin(region)) => open = Some(Text { at, region, bytes: vec![] }),
            (Some(text), Token::Raw(len)) => text.bytes.extend(&document[at..at + len]),
            (Some(text), Token::Escape(_, chars)) => text.bytes.extend(chars.as_bytes()),
            (Some(_), Token::End) => texts.extend(open.take()),
            (Some(text), Token::Broken(_)) => text.region = Region::Prose,
            (Some(_), Token::Cancel | Token::Cut) => open = None,
            _ => {}
        }
    }
    texts
}

/// `{prose}` and `<reference>`, one after the other.
pub(super) fn render<L: Lexer + Clone>(lexer: &L, document: &[u8]) -> String {
    texts(document, &tokens_of_all_cuts(lexer, document))
        .iter()
        .map(|text| match text.region {
            Region::Prose | Region::Field => format!("{{{}}}", text.lossy()),
            Region::Reference(_) => format!("<{}>", text.lossy()),
        })
        .collect()
}

/// Bytes that make and break a format: pieces of its syntax, and any bytes.
pub(super) fn hostile(
    pieces: &'static [&'static str],
) -> impl proptest::strategy::Strategy<Value = Vec<u8>> {
    use proptest::prelude::*;
    let piece = prop_oneof![
        8 => prop::sample::select(pieces).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        1 => "[a-z:/]{1,80}".prop_map(String::into_bytes),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}
