//! Tokens that the skipper of HTML finds before the lexer is asked for them.
//!
//! They go in as they are found and come out in the same order, the references among them with the names of
//! their elements and attributes, if those are wanted. What must hold: then each [`Token::Whole`] has one pair
//! of names.

use alloc::vec::Vec;

use super::tag::Name;
use crate::format::lexing::lexer::Token;

/// Tokens that are known before they are asked for.
#[derive(Clone, Debug, Default)]
pub(in crate::format) struct Queue {
    tokens: Vec<Token>,
    next: usize,
    /// If they are wanted: the element and the attribute of each [`Token::Whole`]; those of
    /// the last one that was returned are at `named - 1`.
    pub(in crate::format) names: Vec<(Name, Name)>,
    named: usize,
}

impl Queue {
    /// Skipping stops at about so many tokens.
    const ROOM: usize = 64;

    #[inline]
    pub(in crate::format) fn pop(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.next).copied();
        match token {
            Some(token) => {
                self.next += 1;
                if !self.names.is_empty() && matches!(token, Token::Whole(..)) {
                    self.named += 1;
                }
            }
            None => {
                self.tokens.clear();
                self.names.clear();
                (self.next, self.named) = (0, 0);
            }
        }
        token
    }

    /// Returns the element and the attribute of the last [`Token::Whole`], if they are wanted.
    pub(in crate::format) fn names(&self) -> Option<&(Name, Name)> {
        self.names.get(self.named.checked_sub(1)?)
    }

    #[inline]
    pub(in crate::format) fn push(&mut self, token: Token) {
        if token != Token::Skip(0) {
            self.tokens.push(token);
        }
    }

    pub(in crate::format) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    pub(in crate::format) fn is_full(&self) -> bool {
        self.tokens.len() >= Queue::ROOM
    }
}
