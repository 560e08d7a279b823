//! Characters of several bytes, for lexers that read single bytes.
//!
//! In some charsets the second byte of a character may look like a sign of a format: 表 in Shift_JIS ends in a `\`.

use super::lookahead::Lookahead;
use crate::charset::{cursor::Cursor, unicode::Unit};

/// Copies whole characters from the start of `bytes`, each byte of a character of several bytes as one that no format
/// gives a meaning. Returns the copy: empty, if more bytes are needed for the first character.
pub(in crate::format) fn mask<'m>(
    cursor: &Cursor,
    bytes: Lookahead<'_>,
    to: &'m mut [u8],
) -> Lookahead<'m> {
    let mut at = 0;
    while let Some((unit, len)) = cursor.plain(bytes.from(at)) {
        let Some(copy) = to.get_mut(at..at + len) else { break };
        match (unit, len) {
            (Unit::Char(_) | Unit::Pair(..), 2..) => copy.fill(0x80),
            _ => copy.copy_from_slice(&bytes[at..at + len]),
        }
        at += len;
    }
    Lookahead::new(&to[..at], bytes.is_last() && at == bytes.len())
}
