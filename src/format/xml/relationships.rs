//! Relationships of office documents: the parts of a package, and what is outside of it (Open Packaging
//! Conventions, ECMA-376, part 2).
//!
//! ```text
//! <Relationship Id="rId1" Type="…/hyperlink" Target="http://a.example/" TargetMode="External"/>
//! <Relationship Id="rId2" Type="…/styles" Target="styles.xml"/>
//! ```
//!
//! The target of the first one is a link, that of the second one the name of a part. The mode may come before
//! the target or after it, so a target begins as a reference, and is taken back at its end if no mode is there.
//! One with a scheme and `//` is always a link, because no name of a part looks so.

use crate::format::{
    lexing::{
        lexer::{AHEAD, Token, is_space},
        lookahead::Lookahead,
        value::is_absolute,
    },
    markup::tag::{Inside, Part, Tag},
};

/// The mode of links, in any case.
const EXTERNAL: &[u8] = b"external";

/// Whether `tag` is at the target of a relationship.
fn is_target(tag: &Tag) -> bool {
    tag.attribute.get() == b"target" && tag.element.local() == b"relationship"
}

/// Notes in `tag` that its target is a link, if the bytes of the value that come next say so. `None`: more
/// bytes are needed.
#[inline]
pub(in crate::format) fn note(tag: &mut Tag, bytes: Lookahead<'_>) -> Option<()> {
    let Part::Value { quote, inside } = tag.part else { return Some(()) };
    if tag.attribute.get() == b"targetmode" && inside == Inside::Unread {
        tag.external |= bytes.begins(EXTERNAL)?;
    }
    if !tag.external && is_target(tag) {
        tag.external = match inside {
            Inside::Unread => is_absolute(bytes)?,
            Inside::Region if quote != 0 && bytes.first() == Some(&quote) => {
                is_external(bytes.from(1))?
            }
            _ => false,
        };
    }
    Some(())
}

/// The token that ends a value of `tag`: [`Token::Cancel`] if it is the name of a part.
#[inline]
pub(in crate::format) fn end(tag: &Tag, token: Token) -> Token {
    if token == Token::End && !tag.external && is_target(tag) { Token::Cancel } else { token }
}

/// Whether the attributes that `bytes` begin with have the mode of a link, among their first [`AHEAD`] bytes.
/// `None`: more bytes are needed.
fn is_external(bytes: Lookahead<'_>) -> Option<bool> {
    let near = bytes.near(AHEAD - 1);
    let mut quote = 0;
    for (at, &b) in near.iter().enumerate() {
        match b {
            b'>' if quote == 0 => return Some(false),
            b'"' | b'\'' if quote == 0 => {
                let name = near[..at].trim_ascii_end().strip_suffix(b"=").unwrap_or_default();
                let name = name.trim_ascii_end();
                let is_mode = name.len() > 10
                    && is_space(name[name.len() - 11])
                    && name[name.len() - 10..].eq_ignore_ascii_case(b"targetmode");
                if is_mode && near.len() < at + 1 + EXTERNAL.len() {
                    return if near.is_last() { Some(false) } else { None };
                }
                if is_mode {
                    return Lookahead::whole(&near[at + 1..]).begins(EXTERNAL);
                }
                quote = b;
            }
            _ if b == quote => quote = 0,
            _ => {}
        }
    }
    (near.is_last()).then_some(false)
}
