//! HTML in the text of XML: escaped (`&lt;a href=&quot;…`), or in a CDATA section.
//!
//! Bytes of the XML go in, and are decoded piece by piece; the HTML lexer reads the decoded text;
//! its tokens come out with the lengths that they have in the XML. This continues to the end of
//! the text.

use crate::{
    charset::source_map::{Make, SAME},
    engine::tuning::Tuning,
    format::{
        html::Html,
        lexing::{
            decoded::Decoded,
            lexer::{Lexer, Region, Token, Value},
            lookahead::Lookahead,
            triggers::Triggers,
        },
        markup::{
            MarkupLexer,
            entities::{Reference, Where, reference},
            tag::Name,
        },
    },
    links::place::{Around, Place},
};

/// Reads the rest of one text.
#[derive(Clone, Debug)]
pub(in crate::format) struct Nested {
    html: Html,
    cdata: bool,
    text: Decoded,
    whole: Whole,
    /// The last value that the HTML lexer returned as one token has quotes.
    quoted: bool,
    /// A region of references that begins here, and its length in the text.
    waits: Option<(Value, usize)>,
    done: bool,
}

/// A region that the HTML lexer returned as one token, but that has escapes in the XML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whole {
    /// There is none here.
    No,
    /// It is open.
    Open,
    /// It has just ended.
    Ended,
}

impl Nested {
    pub(in crate::format) fn new(cdata: bool, triggers: Triggers, tuning: &Tuning) -> Nested {
        Nested {
            html: Html::new(triggers, tuning),
            cdata,
            text: Decoded::new(tuning.nested),
            whole: Whole::No,
            quoted: false,
            waits: None,
            done: false,
        }
    }

    pub(in crate::format) fn named(self, named: bool) -> Nested {
        Nested { html: self.html.named(named), ..self }
    }

    /// As [`Html::of_element`], in the text that this is in.
    pub(in crate::format) fn of_element(&self, element: Name, attribute: Name) -> Nested {
        let nested = Nested::new(self.cdata, Triggers::Any, &Tuning::DEFAULT);
        Nested { html: Html::of_element(element, attribute), text: self.text.again(), ..nested }
    }

    pub(in crate::format) fn html(&self) -> &Html {
        &self.html
    }

    /// The element and the attribute of a link in the region that begins here.
    pub(in crate::format) fn names(&self, region: Region) -> Option<(Name, Option<Name>)> {
        match self.whole {
            Whole::No => self.html.names(region),
            Whole::Open | Whole::Ended => self.html.names_of_whole(),
        }
    }

    /// Returns the syntax around the links of the region that begins here.
    pub(in crate::format) fn place(&self, region: Region) -> Place {
        let inside = match region {
            Region::Reference(value) if self.whole == Whole::Open => value.inside(self.quoted),
            _ => self.html.inside(region),
        };
        Place::new(inside, self.around())
    }

    /// Whether the value that was the last token has quotes.
    pub(in crate::format) fn is_quoted(&self) -> bool {
        self.quoted
    }

    /// Returns the syntax around the HTML.
    pub(in crate::format) fn around(&self) -> Around {
        if self.cdata { Around::Cdata } else { Around::Escaped }
    }

    /// The text is over: XML follows.
    pub(in crate::format) fn is_done(&self) -> bool {
        self.done
    }

    /// Decodes more of the text, up to a piece.
    fn fill(&mut self, bytes: Lookahead<'_>) {
        self.text.forget();
        while let Some((rest, most)) = self.text.next(bytes) {
            let piece = &rest[..most];
            let special = match self.cdata {
                true => memchr::memchr(b']', piece),
                false => memchr::memchr2(b'<', b'&', piece),
            };
            match (special, rest.as_slice()) {
                (_, []) => {
                    self.text.over = bytes.is_last();
                    return;
                }
                (None, _) => self.put(piece, piece.len()),
                (Some(0), [b'<', ..] | [b']', b']', b'>', ..]) => self.text.over = true,
                (Some(0), [b']'] | [b']', b']']) if bytes.is_partial() => return,
                (Some(0), [b'&', ..]) => match reference(rest, Where::Xml) {
                    Reference::More => return,
                    Reference::None => self.put(b"&", 1),
                    Reference::Is(len, chars) => self.put(chars.as_bytes(), len),
                },
                (Some(0), _) => self.put(&rest[..1], 1),
                (Some(n), _) => self.put(&rest[..n], n),
            }
        }
    }

    /// Appends bytes of the text, made of `outside` bytes of the source.
    fn put(&mut self, text: &[u8], outside: usize) {
        let make = if text.len() == outside { SAME } else { Make::Escape };
        self.text.put(text, outside, make);
    }

    pub(in crate::format) fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if self.done {
            return None;
        }
        if let Some((value, n)) = self.waits.take() {
            self.text.begin_raw(n);
            self.whole = Whole::Open;
            return Some(Token::Begin(Region::Reference(value)));
        }
        if !self.text.is_raw() && self.whole == Whole::Open {
            self.whole = Whole::Ended;
            return Some(Token::End);
        }
        if self.whole == Whole::Ended {
            self.whole = Whole::No;
        }
        if self.text.is_raw() {
            return Some(self.text.raw());
        }
        if self.text.is_short() {
            self.fill(bytes);
        }
        loop {
            return match self.html.next(self.text.ahead()) {
                None => {
                    let before = self.text.left();
                    self.fill(bytes);
                    if self.text.left() > before {
                        continue;
                    }
                    self.done = self.text.over;
                    None
                }
                Some(Token::Skip(n)) => Some(Token::Skip(self.text.take(n))),
                Some(Token::Escape(n, chars)) => Some(Token::Escape(self.text.take(n), chars)),
                Some(Token::Raw(n)) => {
                    self.text.begin_raw(n);
                    Some(self.text.raw())
                }
                Some(Token::Whole(before, value, n)) => {
                    // The byte that ends it was read.
                    self.quoted = self.text.is_quoted(before + n);
                    let before = self.text.take(before);
                    if self.text.is_same(n) {
                        return Some(Token::Whole(before, value, self.text.take(n)));
                    }
                    self.waits = Some((value, n));
                    Some(Token::Skip(before))
                }
                token => token,
            };
        }
    }
}
