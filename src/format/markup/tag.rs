//! A tag: its name and its attributes, by the rules that HTML and XML share.
//!
//! This is the grammar of tags. White space is that of HTML, and `/` counts as white space
//! between attributes (section 13.2.5 of the HTML standard, "tag name state" up to "after
//! attribute value (quoted) state"):
//!
//! ```text
//!   tag        =  ( "<" / "</" ) name *between *attribute ">"
//!   name       =  *( any byte but white space, "/", ">" )
//!   between    =  white space / "/"
//!   attribute  =  key [ *space "=" *space value ] *between
//!   key        =  any byte but white space, "/", ">"  *( any byte but those and "=" )
//!   value      =  DQUOTE *( any byte but DQUOTE ) DQUOTE
//!              /  SQUOTE *( any byte but SQUOTE ) SQUOTE
//!              /  any byte but white space, ">", quotes  *( any byte but white space, ">" )
//! ```
//!
//! An `=` directly before `>` has no value. Bytes of a tag go in, tokens come out. [`Tag`] finds
//! where a value is; the format says what the value means, and what follows the tag. Of a name it
//! keeps the first bytes, in lower case.
//!
//! Two faster readers of HTML accept a part of this grammar and give up on all else, at a place
//! where [`Tag`] can go on: see [`layout`](crate::format::markup::layout) and [`skip`](crate::format::markup::skip). A test in
//! `html` requires the same regions with and without them.

use alloc::vec::Vec;

use super::entities::{Where, referenced};
use crate::{
    format::lexing::{
        lexer::{Region, Token, Unescaped, Value, is_space},
        lookahead::Lookahead,
    },
    links::place::Inside as LinkIn,
};

/// The longest name of an element or attribute that is kept.
const NAME_MAX: usize = 32;

/// A tag that is being read, from after its `<` or `</` on.
#[derive(Clone, Debug)]
pub(in crate::format) struct Tag {
    pub(in crate::format) part: Part,
    pub(in crate::format) element: Name,
    pub(in crate::format) closing: bool,
    /// The last byte was a `/`.
    pub(in crate::format) slash: bool,
    pub(in crate::format) attribute: Name,
    /// Names keep the case of their letters.
    pub(in crate::format) cased: bool,
    /// It is a relationship of an office document to something outside of the document.
    pub(in crate::format) external: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Part {
    Name,
    BeforeAttribute,
    AttributeName,
    AfterAttribute,
    BeforeValue,
    /// 0: up to white space or `>`.
    Value {
        quote: u8,
        inside: Inside,
    },
    /// After a value, before its quote if it has one.
    AfterValue,
    /// After the `>`.
    Over,
}

/// How much of a value was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Inside {
    Unread,
    /// Its region is open.
    Region,
    /// It has no text, or its region has ended.
    Opaque,
}

/// What a value of an attribute is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Meaning {
    /// More bytes are needed.
    More,
    /// No text.
    NoText,
    Text(Region),
}

/// The start of a name, in lower case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::format) struct Name {
    bytes: [u8; NAME_MAX],
    len: usize,
    /// A bit for each letter that is a capital one in the document, if that is wanted.
    capitals: u32,
}

impl Name {
    #[inline]
    pub(in crate::format) fn push(&mut self, bytes: &[u8]) {
        let room = &mut self.bytes[self.len.min(NAME_MAX)..];
        let n = bytes.len().min(room.len());
        room[..n].copy_from_slice(&bytes[..n]);
        room[..n].make_ascii_lowercase();
        self.len += bytes.len();
    }

    /// As [`Name::push`], with the case of letters.
    fn push_cased(&mut self, bytes: &[u8]) {
        for (i, b) in bytes.iter().enumerate().take(NAME_MAX.saturating_sub(self.len)) {
            self.capitals |= u32::from(b.is_ascii_uppercase()) << (self.len + i);
        }
        self.push(bytes);
    }

    /// Returns the name; empty if it is longer than all known ones.
    pub(in crate::format) fn get(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// Returns the name without a prefix; empty if it is too long.
    pub(in crate::format) fn local(&self) -> &[u8] {
        let name = self.get();
        name.iter().rposition(|b| *b == b':').map_or(name, |colon| &name[colon + 1..])
    }

    /// Returns what is kept of the name, with the case that it has in the document if that is wanted.
    pub(in crate::format) fn as_written(&self) -> Vec<u8> {
        let cased = |(i, b): (usize, &u8)| match self.capitals >> i & 1 {
            1 => b.to_ascii_uppercase(),
            _ => *b,
        };
        self.bytes[..self.len.min(NAME_MAX)].iter().enumerate().map(cased).collect()
    }
}

impl From<&[u8]> for Name {
    fn from(bytes: &[u8]) -> Name {
        let mut name = Name::default();
        name.push(bytes);
        name
    }
}

/// Whether an attribute of this name is a property of a style sheet that may hold a URL (SVG 2,
/// section 6.7).
fn is_style(name: &[u8]) -> bool {
    matches!(
        name,
        b"fill"
            | b"stroke"
            | b"filter"
            | b"mask"
            | b"cursor"
            | b"clip-path"
            | b"marker-start"
            | b"marker-mid"
            | b"marker-end"
    )
}

impl Tag {
    pub(in crate::format) fn new(closing: bool) -> Tag {
        Tag {
            part: Part::Name,
            element: Name::default(),
            closing,
            slash: false,
            attribute: Name::default(),
            cased: false,
            external: false,
        }
    }

    /// After the value of `attribute`.
    pub(in crate::format) fn after(element: Name, attribute: Name) -> Tag {
        Tag { part: Part::AfterValue, element, attribute, ..Tag::new(false) }
    }

    /// Whether the current value is text that is shown in the place of the element.
    pub(in crate::format) fn is_shown(&self) -> bool {
        self.attribute.get() == b"alt" && matches!(self.element.local(), b"img" | b"area")
    }

    /// What a link is in, in the region that begins in this tag.
    pub(in crate::format) fn place(&self, region: Region) -> LinkIn {
        let quoted = matches!(self.part, Part::Value { quote: 1.., .. });
        match region {
            Region::Reference(Value::Css) => LinkIn::StyleAttribute { quoted },
            // Its text is searched as prose, because most URLs in it are names in the same document.
            Region::Field if is_style(self.attribute.get()) => LinkIn::StyleAttribute { quoted },
            _ => LinkIn::Attribute { quoted },
        }
    }

    /// Whether the region of a value is open.
    pub(in crate::format) fn is_open(&self) -> bool {
        matches!(self.part, Part::Value { inside: Inside::Region, .. })
    }

    /// Whether `bytes` begin with `</` and the name of the element. `None`: more bytes are
    /// needed.
    pub(in crate::format) fn is_ended(&self, bytes: Lookahead<'_>) -> Option<bool> {
        Some(bytes.begins(b"</")? && bytes.from(2).begins(self.element.get())?)
    }

    fn go(&mut self, part: Part, token: Token) -> Option<Token> {
        self.part = part;
        Some(token)
    }

    /// As [`Lexer::next`](crate::format::lexing::lexer::Lexer::next), in a tag. Character references in
    /// values are read as in `place`. `region` returns what the value at the start of `bytes` is:
    /// [`Meaning::More`] if more bytes are needed, [`Meaning::NoText`] if it has no text.
    #[inline]
    pub(in crate::format) fn next(
        &mut self,
        bytes: Lookahead<'_>,
        place: Where,
        region: impl FnOnce(&Tag) -> Meaning,
    ) -> Option<Token> {
        let Part::Value { quote, inside } = self.part else { return self.markup(&bytes) };
        let of = |inside| Part::Value { quote, inside };
        let ends = |b: u8| if quote == 0 { is_space(b) || b == b'>' } else { b == quote };
        match (inside, bytes.first()) {
            // A tag without an end is no tag, but links in its value are not lost.
            (Inside::Region, None) if bytes.is_last() => match region(self) {
                Meaning::More => None,
                Meaning::Text(Region::Reference(_)) => self.go(Part::BeforeAttribute, Token::Cut),
                _ => self.go(Part::BeforeAttribute, Token::End),
            },
            (_, None) => None,
            (Inside::Region, Some(b)) if ends(*b) => self.go(of(Inside::Opaque), Token::End),
            (_, Some(b)) if ends(*b) => {
                self.go(Part::BeforeAttribute, Token::Skip(usize::from(quote != 0)))
            }
            (Inside::Unread, _) => match region(self) {
                Meaning::More => None,
                Meaning::Text(region) => self.go(of(Inside::Region), Token::Begin(region)),
                Meaning::NoText => self.go(of(Inside::Opaque), Token::Skip(0)),
            },
            (Inside::Region, Some(b'&')) => referenced(bytes, place),
            (Inside::Region | Inside::Opaque, _) => {
                let end = match quote {
                    0 => bytes.iter().position(|b| ends(*b) || *b == b'&'),
                    _ if inside == Inside::Opaque => memchr::memchr(quote, &bytes),
                    _ => memchr::memchr2(quote, b'&', &bytes),
                };
                let len = end.unwrap_or(bytes.len()).max(1);
                Some(if inside == Inside::Region { Token::Raw(len) } else { Token::Skip(len) })
            }
        }
    }

    /// As [`Lexer::unescape_run`](crate::format::lexing::lexer::Lexer::unescape_run), in a value.
    pub(in crate::format) fn unescape_run(
        &self,
        bytes: Lookahead<'_>,
        place: Where,
        unescaped: &mut Unescaped<'_>,
    ) -> usize {
        match self.part {
            Part::Value { quote: quote @ 1.., inside: Inside::Region } => {
                unescaped.take(&bytes, b'&', &[quote], &|rest| referenced(bytes.with(rest), place))
            }
            _ => 0,
        }
    }

    /// The next token outside of values.
    fn markup(&mut self, bytes: &[u8]) -> Option<Token> {
        let b = *bytes.first()?;
        match self.part {
            Part::Name | Part::AttributeName => self.name(bytes, 0),
            Part::AfterAttribute | Part::BeforeValue if is_space(b) => Some(Token::Skip(1)),
            Part::AfterValue => {
                let quote = matches!(b, b'"' | b'\'');
                self.go(Part::BeforeAttribute, Token::Skip(usize::from(quote)))
            }
            Part::AfterAttribute if b == b'=' => self.go(Part::BeforeValue, Token::Skip(1)),
            _ if b == b'>' => self.go(Part::Over, Token::Skip(1)),
            Part::BeforeValue => {
                let inside = if self.closing { Inside::Opaque } else { Inside::Unread };
                let quote = if matches!(b, b'"' | b'\'') { b } else { 0 };
                self.go(Part::Value { quote, inside }, Token::Skip(usize::from(quote != 0)))
            }
            _ if is_space(b) || b == b'/' => {
                let over = |b: &u8| is_space(*b) || *b == b'/';
                let n = bytes.iter().position(|b| !over(b)).unwrap_or(bytes.len());
                self.slash = bytes[n - 1] == b'/';
                self.go(Part::BeforeAttribute, Token::Skip(n))
            }
            _ => {
                self.part = Part::AttributeName;
                self.attribute = Name::default();
                self.slash = false;
                self.name(bytes, 1)
            }
        }
    }

    /// The rest of a name; its first `first` bytes may be any.
    fn name(&mut self, bytes: &[u8], first: usize) -> Option<Token> {
        let (name, then) = match self.part {
            Part::Name => (&mut self.element, Part::BeforeAttribute),
            _ => (&mut self.attribute, Part::AfterAttribute),
        };
        let ends = |b: &u8| ends_name(*b) || *b == b'=' && then == Part::AfterAttribute;
        let end = bytes[first..].iter().position(ends).map(|end| first + end);
        let part = &bytes[..end.unwrap_or(bytes.len())];
        if self.cased {
            name.push_cased(part);
        } else {
            name.push(part);
        }
        match end {
            Some(end) => self.go(then, Token::Skip(end)),
            None => Some(Token::Skip(bytes.len())),
        }
    }
}

/// Whether a byte ends the name of an element.
pub(in crate::format) fn ends_name(b: u8) -> bool {
    is_space(b) || matches!(b, b'/' | b'>')
}
