//! Text of LaTeX in which nothing is an escape: `\verb|…|`, environments such as verbatim, and listings.

use super::command;
use crate::{
    format::lexing::{
        lookahead::{Here, Lookahead},
        marked::NEAR,
    },
    links::place::{Around, Inside, Place},
};

/// Environments.
pub(super) const BLOCKS: [&[u8]; 12] = [
    b"verbatim",
    b"verbatim*",
    b"Verbatim",
    b"BVerbatim",
    b"LVerbatim",
    b"SaveVerbatim",
    b"alltt",
    b"comment",
    b"filecontents",
    b"filecontents*",
    b"lstlisting",
    b"minted",
];

/// Commands whose argument is between two equal signs.
const COMMANDS: [&[u8]; 3] = [b"verb", b"Verb", b"lstinline"];

/// The usual signs. No URL that is made of a link has one of them, so a text with one stays out.
pub(super) const DELIMITERS: &[u8] = b"|!+\"'`^*;";

/// Other ones. A URL may have them, and so may the text that replaces a link.
const RARE: &[u8] = b"=~@#$&%,";

/// Text in which nothing is an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verbatim {
    /// An environment, by its number in [`BLOCKS`].
    Block(u8),
    /// The argument of a command, which this sign closes.
    Inline(u8),
}

/// Whether `bytes` begin with `with`. `None`: more bytes are needed.
fn begins(bytes: Lookahead<'_>, with: &[u8]) -> Option<bool> {
    Some(bytes.begins(with)? && bytes.starts_with(with))
}

impl Verbatim {
    /// What begins with the command that `bytes` begin with, and how long that is. `None`: more bytes are needed.
    pub(super) fn begins(bytes: Lookahead<'_>) -> Option<Here<(usize, Verbatim)>> {
        let name = command(bytes)?;
        let near = bytes.near(NEAR);
        if name == b"begin" {
            for (nth, block) in BLOCKS.iter().enumerate() {
                let mut len = b"\\begin{".len();
                if begins(near, b"\\begin{")? && begins(near.from(len), block)? {
                    len += block.len();
                    if begins(near.from(len), b"}")? {
                        return Some(Here::Is((len + 1, Verbatim::Block(nth as u8))));
                    }
                }
            }
            return Some(Here::Nothing);
        }
        if !COMMANDS.contains(&name) {
            return Some(Here::Nothing);
        }
        let mut at = 1 + name.len();
        if name == b"lstinline" && begins(near.from(at), b"[")? {
            match memchr::memchr(b']', &near[at..]) {
                None if near.is_partial() => return None,
                None => return Some(Here::Nothing),
                Some(len) => at += len + 1,
            }
        }
        at += usize::from(begins(near.from(at), b"*")?);
        Some(match near.get(at) {
            None if near.is_partial() => return None,
            Some(sign) if DELIMITERS.contains(sign) || RARE.contains(sign) => {
                Here::Is((at + 1, Verbatim::Inline(*sign)))
            }
            _ => Here::Nothing,
        })
    }

    /// How many of `bytes` end it; 0: they do not. `None`: more bytes are needed.
    pub(super) fn end(self, bytes: Lookahead<'_>) -> Option<usize> {
        let nth = match self {
            Verbatim::Inline(sign) => return Some(usize::from(bytes[0] == sign)),
            Verbatim::Block(nth) => nth,
        };
        let block = BLOCKS[usize::from(nth)];
        let (begin, len) = (b"\\end{", b"\\end{".len());
        let is = begins(bytes, begin)?
            && begins(bytes.from(len), block)?
            && begins(bytes.from(len + block.len()), b"}")?;
        Some(if is { len + block.len() + 1 } else { 0 })
    }

    /// Where its links are.
    pub(super) fn place(self) -> Place {
        let around = match self {
            Verbatim::Block(_) => Around::Nothing,
            Verbatim::Inline(sign) if DELIMITERS.contains(&sign) => Around::Tag,
            Verbatim::Inline(_) => Around::Fixed,
        };
        Place::new(Inside::Plain, around)
    }
}
