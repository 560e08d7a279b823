//! The lexer of a format, chosen at run time.

use super::{html, markup::MarkupLexer};
use crate::{
    charset::Charset,
    format::{
        document::bases::Scope,
        lexing::{
            lexer::{Lexer, Region, Token, Unescaped, Value},
            lookahead::Lookahead,
            marked::Marked,
        },
        markup::tag::Name,
    },
    links::place::Place,
};

/// Makes of the list of lexers the enum, and the macro `lexer!`, which calls the lexer whichever it is. In that one
/// a `$` of its own is written `$d`.
macro_rules! any_lexer {
    ($($name:ident($lexer:ty);)+) => {
        any_lexer!(($) $($name($lexer);)+);
    };
    (($d:tt) $($name:ident($lexer:ty);)+) => {
        /// The lexer of a format.
        #[derive(Clone, Debug)]
        pub(super) enum AnyLexer {
            $($name($lexer)),+
        }

        macro_rules! lexer {
            ($d any:expr, $d lexer:ident => $d call:expr) => {
                match $d any {
                    $(AnyLexer::$name($d lexer) => $d call),+
                }
            };
        }
    };
}

lexers!(any_lexer);

impl AnyLexer {
    /// Keeps the names of the elements and attributes of links.
    pub(super) fn named(self) -> AnyLexer {
        match self {
            AnyLexer::Html(lexer) => AnyLexer::Html(lexer.named(true)),
            AnyLexer::Xml(lexer) => AnyLexer::Xml(lexer.named(true)),
            other => other,
        }
    }

    /// A lexer for the text of an element; its first byte is after the value of an attribute in
    /// the tag of the element.
    pub(super) fn of_element(&self, (element, attribute): (Name, Name)) -> Option<AnyLexer> {
        match self {
            AnyLexer::Html(_) => Some(AnyLexer::Html(html::Html::of_element(element, attribute))),
            AnyLexer::Xml(lexer) => Some(AnyLexer::Xml(lexer.of_element(element, attribute))),
            _ => None,
        }
    }

    /// What only markup has.
    pub(super) fn markup(&self) -> Option<&dyn MarkupLexer> {
        match self {
            AnyLexer::Html(lexer) => Some(lexer),
            AnyLexer::Xml(lexer) => Some(lexer),
            _ => None,
        }
    }

    /// As [`Xml::bases`](super::xml::Xml::bases); in no other format have elements a base.
    #[inline]
    pub(super) fn bases(&self) -> (usize, Option<Scope>) {
        match self {
            AnyLexer::Xml(lexer) => lexer.bases(),
            _ => (0, None),
        }
    }

    /// Whether links are in HTML.
    pub(super) fn is_in_html(&self) -> bool {
        self.markup().is_some_and(MarkupLexer::is_in_html)
    }

    /// Returns the syntax around the links in a value of an attribute that was read at once. `next`:
    /// the byte after the value.
    #[inline]
    pub(super) fn place_of_value(&self, value: Value, next: Option<u8>) -> Place {
        // If it is not certain, the value counts as one without quotes, in which more is escaped.
        let quoted = match self {
            AnyLexer::Xml(lexer) if let Some(nested) = lexer.nested() => nested.is_quoted(),
            _ => matches!(next, Some(b'"' | b'\'')),
        };
        let inside = value.inside(quoted);
        match self {
            AnyLexer::Xml(lexer) => Place::new(inside, lexer.around()),
            AnyLexer::Html(lexer) => Place::new(inside, lexer.around()),
            _ => inside.into(),
        }
    }
}

impl Lexer for AnyLexer {
    #[inline]
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        #[cfg(test)]
        crate::charset::cursor::STEPS.set(crate::charset::cursor::STEPS.get() + 1);
        lexer!(self, lexer => lexer.next(bytes))
    }

    #[inline]
    fn unescape_run(&mut self, bytes: Lookahead<'_>, unescaped: &mut Unescaped<'_>) -> usize {
        lexer!(self, lexer => lexer.unescape_run(bytes, unescaped))
    }

    #[inline]
    fn place(&self, region: Region) -> Place {
        lexer!(self, lexer => lexer.place(region))
    }

    fn is_between(&self) -> bool {
        lexer!(self, lexer => lexer.is_between())
    }

    fn is_sync(&self) -> bool {
        lexer!(self, lexer => lexer.is_sync())
    }

    fn read_in(&mut self, charset: Charset) {
        lexer!(self, lexer => lexer.read_in(charset));
    }

    #[inline]
    fn delimiter(&self) -> Option<u8> {
        lexer!(self, lexer => lexer.delimiter())
    }

    #[inline]
    fn is_further(&self) -> bool {
        lexer!(self, lexer => lexer.is_further())
    }

    #[inline]
    fn goes_on(&self) -> bool {
        lexer!(self, lexer => lexer.goes_on())
    }
}
