//! Where Python joins literals that adjoin: within brackets. For that, strings and comments must be known.
//!
//! Bytes of Python go in, and come out divided at strings, comments, brackets and backslashes. Invariant: a string
//! between single quotes and a comment end with their line, so an error goes no further.

use memchr::{memchr2, memchr3};

use crate::format::lexing::lookahead::Lookahead;

/// How many brackets are open, and what the next byte is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) struct Brackets {
    depth: u32,
    within: Within,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    Code,
    Comment,
    /// A string between two of these quotes.
    String(u8),
    /// A string between two times three of them.
    Long(u8),
}

/// What the bytes begin with.
pub(super) enum Seen {
    /// So many bytes that are their own text.
    Text(usize),
    /// A backslash.
    Escape,
    /// The quote that ends a string. `joins`: the next string joins it.
    Closing { joins: bool },
}

impl Brackets {
    /// At the start of a document.
    pub(super) const NONE: Brackets = Brackets { depth: 0, within: Within::Code };

    /// Reads the start of `bytes`, which are not empty. `None`: more bytes are needed.
    pub(super) fn next(&mut self, bytes: Lookahead<'_>) -> Option<Seen> {
        let first = bytes[0];
        let len = match self.within {
            Within::Code if first == b'\\' => return Some(Seen::Escape),
            Within::Code => self.code(bytes)?,
            Within::Comment => match first {
                b'\\' => {
                    match bytes.get(1) {
                        None if bytes.is_partial() => return None,
                        Some(b'\n' | b'\r') => self.within = Within::Code,
                        _ => {}
                    }
                    return Some(Seen::Escape);
                }
                b'\n' => {
                    self.within = Within::Code;
                    1
                }
                _ => memchr2(b'\n', b'\\', &bytes).unwrap_or(bytes.len()),
            },
            Within::String(quote) => match first {
                b'\\' => return Some(Seen::Escape),
                b'\n' => {
                    self.within = Within::Code;
                    1
                }
                first if first == quote => return Some(Seen::Closing { joins: self.depth > 0 }),
                _ => memchr3(b'\n', b'\\', quote, &bytes).unwrap_or(bytes.len()),
            },
            Within::Long(quote) => match first {
                b'\\' => return Some(Seen::Escape),
                first if first == quote => match quotes(bytes)? {
                    3 => {
                        self.within = Within::Code;
                        3
                    }
                    quotes => quotes,
                },
                _ => memchr2(b'\\', quote, &bytes).unwrap_or(bytes.len()),
            },
        };
        Some(Seen::Text(len))
    }

    /// Reads code that does not begin with a backslash, and returns its length. `None`: more bytes are needed.
    fn code(&mut self, bytes: Lookahead<'_>) -> Option<usize> {
        let first = bytes[0];
        if matches!(first, b'"' | b'\'') {
            let quotes = quotes(bytes)?;
            match quotes {
                1 => self.within = Within::String(first),
                2 => {}
                _ => self.within = Within::Long(first),
            }
            return Some(quotes);
        }
        match first {
            b'#' => self.within = Within::Comment,
            b'(' | b'[' | b'{' => self.depth += 1,
            b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        let is_sign = |b: &u8| b"\"'#()[]{}\\".contains(b);
        Some(1 + bytes[1..].iter().position(is_sign).unwrap_or(bytes.len() - 1))
    }

    /// The string ended, and none joins it.
    pub(super) fn close(&mut self) {
        self.within = Within::Code;
    }
}

/// How many times, at most three, the quote stands at the start that `bytes` begin with. `None`: more bytes are
/// needed.
fn quotes(bytes: Lookahead<'_>) -> Option<usize> {
    let near = bytes.near(3);
    let n = near.iter().take_while(|b| **b == near[0]).count();
    (n < near.len() || near.is_last()).then_some(n)
}
