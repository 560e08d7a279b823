//! A document that is a style sheet (`text/css`), by the parser of [`css`](crate::format::css).
//!
//! Bytes go in, tokens come out: URLs are references, comments are prose, and other strings are fields. No
//! state is kept here but the parser and the region that is open.

use super::{Css, Step, What};
use crate::{
    format::lexing::{
        lexer::{Lexer, Region, Token, Value},
        lookahead::Lookahead,
    },
    links::place::{Inside, Place},
};

/// Reads a document that is a style sheet: URLs are references, comments and strings are text.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    css: Css,
    /// The region that is open.
    open: Option<What>,
}

impl Sheet {
    pub(in crate::format) fn new() -> Sheet {
        Sheet { css: Css::new().with_texts(), open: None }
    }
}

impl Lexer for Sheet {
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if bytes.is_empty() {
            let open = if bytes.is_last() { self.open.take() } else { None };
            return open.map(|what| if what == What::Url { Token::Cut } else { Token::End });
        }
        match self.css.next(bytes)? {
            Step::Skip(n) => Some(Token::Skip(n)),
            Step::Raw(n) => Some(Token::Raw(n)),
            Step::Escape(n, chars) => Some(Token::Escape(n, chars)),
            Step::Begin(what) => {
                self.open = Some(what);
                Some(Token::Begin(match what {
                    What::Url => Region::Reference(Value::Url),
                    What::Comment => Region::Prose,
                    What::String => Region::Field,
                }))
            }
            Step::End => {
                self.open = None;
                Some(Token::End)
            }
            Step::Cancel => {
                self.open = None;
                Some(Token::Cancel)
            }
        }
    }

    fn place(&self, region: Region) -> Place {
        // A comment has no escapes.
        let inside = if region == Region::Prose { Inside::Plain } else { Inside::Style };
        inside.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::tests::render;

    #[test]
    fn sheets_have_text_too() {
        for (sheet, regions) in [
            ("/* a */ b{c:'d\\'e\\\nf' \"g\n}", "{ a }{d'ef}{g}"),
            ("@import 'a' /*b*/ 'c'; /**/ '' url(d) /*e", "<a>{b}{c}<d>{e}"),
            ("url('a\n' 'b", "{ }"),
            ("url(a\\)b) 'c", "<a)b>{c}"),
        ] {
            assert_eq!(render(&Sheet::new(), sheet.as_bytes()), regions, "{sheet:?}");
        }
    }
}
