//! Text of LaTeX in which nothing is an escape: `\verb|…|`, environments such as verbatim, and listings.

use super::command;
use crate::{
    format::lexing::{lexer, marked::NEAR},
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
fn begins(bytes: &[u8], with: &[u8], last: bool) -> Option<bool> {
    Some(lexer::begins(bytes, with, last)? && bytes.starts_with(with))
}

impl Verbatim {
    /// What begins with the command that `bytes` begin with, and how long that is. `None`: more bytes are needed.
    pub(super) fn begins(bytes: &[u8], last: bool) -> Option<Option<(usize, Verbatim)>> {
        let name = command(bytes, last)?;
        let near = &bytes[..bytes.len().min(NEAR)];
        let last = last || near.len() == NEAR;
        if name == b"begin" {
            for (nth, block) in BLOCKS.iter().enumerate() {
                let mut len = b"\\begin{".len();
                if begins(near, b"\\begin{", last)? && begins(&near[len..], block, last)? {
                    len += block.len();
                    if begins(&near[len..], b"}", last)? {
                        return Some(Some((len + 1, Verbatim::Block(nth as u8))));
                    }
                }
            }
            return Some(None);
        }
        if !COMMANDS.contains(&name) {
            return Some(None);
        }
        let mut at = 1 + name.len();
        if name == b"lstinline" && begins(&near[at..], b"[", last)? {
            match memchr::memchr(b']', &near[at..]) {
                None if !last => return None,
                None => return Some(None),
                Some(len) => at += len + 1,
            }
        }
        at += usize::from(begins(&near[at..], b"*", last)?);
        Some(match near.get(at) {
            None if !last => return None,
            Some(sign) if DELIMITERS.contains(sign) || RARE.contains(sign) => {
                Some((at + 1, Verbatim::Inline(*sign)))
            }
            _ => None,
        })
    }

    /// How many of `bytes` end it; 0: they do not. `None`: more bytes are needed.
    pub(super) fn end(self, bytes: &[u8], last: bool) -> Option<usize> {
        let nth = match self {
            Verbatim::Inline(sign) => return Some(usize::from(bytes[0] == sign)),
            Verbatim::Block(nth) => nth,
        };
        let block = BLOCKS[usize::from(nth)];
        let (begin, len) = (b"\\end{", b"\\end{".len());
        let is = begins(bytes, begin, last)?
            && begins(&bytes[len..], block, last)?
            && begins(&bytes[len + block.len()..], b"}", last)?;
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
