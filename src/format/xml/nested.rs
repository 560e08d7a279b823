//! HTML in the text of XML: escaped (`&lt;a href=&quot;…`), or in a CDATA section.
//!
//! Bytes of the XML go in, and are decoded piece by piece; the HTML lexer reads the decoded text;
//! its tokens come out with the lengths that they have in the XML. This continues to the end of
//! the text.

use alloc::vec::Vec;

use crate::{
    charset::source_map::{Make, SAME, SourceMap},
    engine::tuning::Tuning,
    format::{
        html::Html,
        lexing::{
            lexer::{AHEAD, Chars, Lexer, Region, Token, Value},
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

/// How much decoded text is enough to go on.
const ENOUGH: usize = 2 * AHEAD;

/// Reads the rest of one text.
#[derive(Clone, Debug)]
pub(in crate::format) struct Nested {
    html: Html,
    cdata: bool,
    /// How much of the text is decoded at once.
    piece: usize,
    /// The decoded text; it has tokens up to `at`.
    text: Vec<u8>,
    at: usize,
    source: Source,
    /// So many bytes of the text are raw text of the HTML and have no token yet.
    raw: usize,
    whole: Whole,
    /// The last value that the HTML lexer returned as one token has quotes.
    quoted: bool,
    /// A region of references that begins here, and its length in the text.
    waits: Option<(Value, usize)>,
    /// All of the text was decoded.
    over: bool,
    done: bool,
}

/// From the text to the source, both counted from the start of the text; and how far both have tokens.
#[derive(Clone, Debug, Default)]
struct Source {
    map: SourceMap,
    inside: u64,
    outside: u64,
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
            piece: tuning.nested,
            text: Vec::new(),
            at: 0,
            source: Source::default(),
            raw: 0,
            whole: Whole::No,
            quoted: false,
            waits: None,
            over: false,
            done: false,
        }
    }

    pub(in crate::format) fn named(self, named: bool) -> Nested {
        Nested { html: self.html.named(named), ..self }
    }

    /// As [`Html::of_element`], in the text that this is in.
    pub(in crate::format) fn of_element(&self, element: Name, attribute: Name) -> Nested {
        let nested = Nested::new(self.cdata, Triggers::Any, &Tuning::DEFAULT);
        Nested { html: Html::of_element(element, attribute), piece: self.piece, ..nested }
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

    /// How much decoded text has no token yet.
    fn left(&self) -> usize {
        self.text.len() - self.at
    }

    /// Decodes more of the text, up to a piece.
    fn fill(&mut self, bytes: Lookahead<'_>) {
        self.text.drain(..core::mem::take(&mut self.at));
        while self.text.len() < self.piece && !self.over {
            let rest = bytes.from((self.source.map.outside() - self.source.outside) as usize);
            let piece = &rest[..rest.len().min(self.piece)];
            let special = match self.cdata {
                true => memchr::memchr(b']', piece),
                false => memchr::memchr2(b'<', b'&', piece),
            };
            match (special, rest.as_slice()) {
                (_, []) => {
                    self.over = bytes.is_last();
                    return;
                }
                (None, _) => self.put(piece, piece.len()),
                (Some(0), [b'<', ..] | [b']', b']', b'>', ..]) => self.over = true,
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
        #[cfg(test)]
        crate::charset::cursor::STEPS.set(crate::charset::cursor::STEPS.get() + outside as u64);
        self.text.extend_from_slice(text);
        let make = if text.len() == outside { SAME } else { Make::Escape };
        self.source.map.push(text.len(), outside, make);
    }

    /// Passes `n` bytes of the text, and returns their length in the source.
    fn take(&mut self, n: usize) -> usize {
        self.at += n;
        self.source.inside += n as u64;
        self.source.map.forget(self.source.inside);
        let from =
            core::mem::replace(&mut self.source.outside, self.source.map.start(self.source.inside));
        (self.source.outside - from) as usize
    }

    /// The next token of the raw text: a run without escapes, or one escape.
    fn raw(&mut self) -> Token {
        let (run, same) = self.source.map.run(self.source.inside);
        let n = self.raw.min(run as usize);
        self.raw -= n;
        if same {
            return Token::Raw(self.take(n));
        }
        let chars = Chars::bytes(&self.text[self.at..][..n]);
        Token::Escape(self.take(n), chars)
    }

    pub(in crate::format) fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if self.done {
            return None;
        }
        if let Some((value, n)) = self.waits.take() {
            (self.raw, self.whole) = (n, Whole::Open);
            return Some(Token::Begin(Region::Reference(value)));
        }
        if self.raw == 0 && self.whole == Whole::Open {
            self.whole = Whole::Ended;
            return Some(Token::End);
        }
        if self.whole == Whole::Ended {
            self.whole = Whole::No;
        }
        if self.raw > 0 {
            return Some(self.raw());
        }
        if self.left() < ENOUGH {
            self.fill(bytes);
        }
        loop {
            return match self.html.next(Lookahead::new(&self.text[self.at..], self.over)) {
                None => {
                    let before = self.left();
                    self.fill(bytes);
                    if self.left() > before {
                        continue;
                    }
                    self.done = self.over;
                    None
                }
                Some(Token::Skip(n)) => Some(Token::Skip(self.take(n))),
                Some(Token::Escape(n, chars)) => Some(Token::Escape(self.take(n), chars)),
                Some(Token::Raw(n)) => {
                    self.raw = n;
                    Some(self.raw())
                }
                Some(Token::Whole(before, value, n)) => {
                    // The byte that ends it was read.
                    let end = self.text.get(self.at + before + n);
                    self.quoted = matches!(end, Some(b'"' | b'\''));
                    let before = self.take(before);
                    if matches!(self.source.map.run(self.source.inside), (run, true) if run >= n as u64)
                    {
                        return Some(Token::Whole(before, value, self.take(n)));
                    }
                    self.waits = Some((value, n));
                    Some(Token::Skip(before))
                }
                token => token,
            };
        }
    }
}
