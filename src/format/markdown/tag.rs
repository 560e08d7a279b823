//! Tags of HTML in Markdown, by the strict grammar of CommonMark (section 6.6).
//!
//! Bytes of a tag go in, tokens come out: the values of attributes are regions as in HTML. Where the
//! bytes are no tag after all, text goes on; only names and values that were read are lost to it.

use super::NEAR;
use crate::{
    format::{
        lexing::{
            lexer::{Region, Token, Value, is_space},
            lookahead::Lookahead,
        },
        markup::{
            attributes,
            entities::{Where, referenced},
            tag::{Meaning, Name, Tag},
        },
    },
    links::place::Inside,
};

/// What begins at a `<`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Less {
    /// `<scheme:…`
    Autolink,
    Tag,
    Text,
}

/// The next part of a tag.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Token(Token),
    /// Text follows.
    Over,
}

/// A tag that is being read.
#[derive(Clone, Debug)]
pub(super) struct Tags {
    tag: Tag,
    refresh: bool,
    part: Part,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// At the `<`.
    Start,
    /// Before an attribute or the end.
    Between,
    /// In a value, up to the quote; 0: up to white space.
    Value(u8, Read),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Read {
    Unread,
    Region(Region),
    Opaque,
}

impl Part {
    /// After the tag.
    const OVER: Part = Part::Value(b'>', Read::Opaque);
}

fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'-'
}

fn is_attribute(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'.' | b'-')
}

/// What begins at the `<` that `bytes` begin with. `None`: more bytes are needed.
pub(super) fn at(bytes: Lookahead<'_>) -> Option<Less> {
    let near = bytes.near(NEAR);
    let from = 1 + usize::from(near.get(1) == Some(&b'/'));
    let Some(first) = near.get(from) else { return near.is_last().then_some(Less::Text) };
    if !first.is_ascii_alphabetic() {
        return Some(Less::Text);
    }
    let name = near[from..].iter().take_while(|b| is_name(**b) || b"+.".contains(b)).count();
    let tag = || near[from..from + name].iter().all(|b| is_name(*b));
    match near.get(from + name) {
        None if near.is_partial() => None,
        Some(b':') if from == 1 && (2..=32).contains(&name) => Some(Less::Autolink),
        Some(b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\r') if tag() => Some(Less::Tag),
        _ => Some(Less::Text),
    }
}

impl Tags {
    pub(super) fn new() -> Tags {
        Tags { tag: Tag::new(false), refresh: false, part: Part::Start }
    }

    /// What a link is in, in the value that begins here.
    pub(super) fn place(&self) -> Inside {
        let quoted = matches!(self.part, Part::Value(1.., _));
        match self.part {
            Part::Value(_, Read::Region(Region::Reference(Value::Css))) => {
                Inside::StyleAttribute { quoted }
            }
            _ => Inside::Attribute { quoted },
        }
    }

    fn go(&mut self, part: Part, token: Token) -> Option<Step> {
        self.part = part;
        Some(Step::Token(token))
    }

    /// The tag is over, or is none.
    fn over(&mut self) -> Option<Step> {
        self.part = Part::Start;
        Some(Step::Over)
    }

    /// The next token. `None`: more bytes are needed.
    pub(super) fn next(&mut self, bytes: Lookahead<'_>) -> Option<Step> {
        match self.part {
            Part::Start => {
                let closing = bytes.get(1) == Some(&b'/');
                let from = 1 + usize::from(closing);
                let rest = bytes.get(from..).unwrap_or_default();
                let name = rest.iter().take_while(|b| is_name(**b)).count();
                self.tag = Tag::new(closing);
                self.tag.element = Name::from(&rest[..name]);
                self.refresh = false;
                self.go(Part::Between, Token::Skip(from + name))
            }
            Part::Between => self.between(bytes),
            Part::Value(quote, read) => self.value(quote, read, bytes),
        }
    }

    /// Reads the end of the tag, or an attribute up to its value.
    fn between(&mut self, bytes: Lookahead<'_>) -> Option<Step> {
        let near = bytes.near(NEAR);
        let cut = near.is_partial();
        let skip = |from: usize, over: fn(u8) -> bool| {
            from + near[from..].iter().take_while(|b| over(**b)).count()
        };
        let name = skip(0, is_space);
        let blank = near[..name].iter().filter(|b| **b == b'\n').count() > 1;
        match near.get(name) {
            None if cut => return None,
            Some(b'>') if !blank => {
                return self.finish(name + 1);
            }
            Some(b'/') if !blank => match near.get(name + 1) {
                None if cut => return None,
                Some(b'>') => return self.finish(name + 2),
                _ => return self.over(),
            },
            Some(b) if name > 0 && !blank && is_attribute(*b) && !self.tag.closing => {}
            _ => return self.over(),
        }
        let end = skip(name, is_attribute);
        let equals = skip(end, is_space);
        let value = skip((equals + 1).min(near.len()), is_space);
        if (end == near.len() || equals == near.len() || value >= near.len()) && cut {
            return None;
        }
        self.tag.attribute = Name::from(&near[name..end]);
        match (near.get(equals), near.get(value)) {
            (Some(b'='), Some(&quote @ (b'"' | b'\''))) => {
                self.go(Part::Value(quote, Read::Unread), Token::Skip(value + 1))
            }
            (Some(b'='), Some(b)) if !b"=<>`".contains(b) => {
                self.go(Part::Value(0, Read::Unread), Token::Skip(value))
            }
            (Some(b'>'), _) => self.go(Part::Between, Token::Skip(end)),
            (Some(b'/'), _) => match near.get(equals + 1) {
                None if cut => None,
                Some(b'>') => self.go(Part::Between, Token::Skip(end)),
                _ => self.over(),
            },
            (Some(_), _) if equals > end && end < near.len() => {
                self.go(Part::Between, Token::Skip(end))
            }
            _ => self.over(),
        }
    }

    /// Skips the last `n` bytes of the tag.
    fn finish(&mut self, n: usize) -> Option<Step> {
        self.go(Part::OVER, Token::Skip(n))
    }

    /// At the end of a value in `region`, before its quote if it has one.
    fn ended(&mut self, quote: u8, region: Region, bytes: Lookahead<'_>) -> Option<Step> {
        let over = usize::from(quote != 0);
        match bytes.get(over) {
            None if bytes.is_partial() => None,
            Some(b) if over > 0 && !is_space(*b) && !matches!(b, b'/' | b'>') => {
                // No tag has this after a value.
                let reference = matches!(region, Region::Reference(_));
                self.go(Part::OVER, if reference { Token::Broken(0) } else { Token::End })
            }
            _ => self.go(Part::Value(quote, Read::Opaque), Token::End),
        }
    }

    fn value(&mut self, quote: u8, read: Read, bytes: Lookahead<'_>) -> Option<Step> {
        if self.part == Part::OVER {
            return self.over();
        }
        let ends = |b: u8| if quote == 0 { is_space(b) || b == b'>' } else { b == quote };
        let over = usize::from(quote != 0);
        let Some(first) = bytes.first() else {
            return match (bytes.is_last(), read) {
                (true, Read::Region(Region::Reference(_))) => self.go(Part::OVER, Token::Broken(0)),
                (true, Read::Region(_)) => self.go(Part::OVER, Token::End),
                (true, _) => self.over(),
                _ => None,
            };
        };
        let of = |read| Part::Value(quote, read);
        match read {
            Read::Region(region) if ends(*first) => self.ended(quote, region, bytes),
            _ if ends(*first) && over == 0 => {
                self.part = Part::Between;
                self.next(bytes)
            }
            _ if ends(*first) => self.go(Part::Between, Token::Skip(over)),
            Read::Unread => match attributes::meaning(&self.tag, &mut self.refresh, bytes) {
                Meaning::More => None,
                Meaning::Text(region) => self.go(of(Read::Region(region)), Token::Begin(region)),
                Meaning::NoText => {
                    self.part = of(Read::Opaque);
                    self.next(bytes)
                }
            },
            Read::Region(_) if *first == b'&' => {
                referenced(bytes, Where::Attribute).map(Step::Token)
            }
            Read::Region(region) => {
                if let [b'\n', rest @ ..] = bytes.as_slice() {
                    // A blank line ends the paragraph, and so the tag.
                    let n = rest.iter().take(NEAR).take_while(|b| b" \t\r".contains(b)).count();
                    match rest.get(n) {
                        None if n < NEAR - 1 && bytes.is_partial() => return None,
                        Some(b'\n') => {
                            let token = match region {
                                Region::Reference(_) => Token::Broken(0),
                                _ => Token::End,
                            };
                            return self.go(Part::OVER, token);
                        }
                        _ => return Some(Step::Token(Token::Raw(1))),
                    }
                }
                let stops = |b: &u8| ends(*b) || matches!(b, b'&' | b'\n');
                let n = bytes.iter().position(stops).unwrap_or(bytes.len());
                Some(Step::Token(Token::Raw(n)))
            }
            Read::Opaque => {
                let n = bytes.iter().position(|b| ends(*b)).unwrap_or(bytes.len());
                Some(Step::Token(Token::Skip(n)))
            }
        }
    }
}
