//! The characters of a link that is written with escapes, and how to write its URI in the same
//! escapes.
//!
//! The text of a link and its escapes go in; later the URI goes in, and comes out as it must be
//! written in the place of the link. Invariant: punctuation that was escaped is escaped again.

use alloc::{borrow::Cow, collections::BTreeMap, string::String, vec::Vec};

use crate::charset::{Charset, Shift};

/// A link that is written with escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Logical {
    /// Its characters, with escapes resolved.
    pub(crate) iri: String,
    /// The punctuation that is escaped; empty for a link that is its own URI, because that is not
    /// rewritten.
    spellings: Vec<Spelling>,
    /// The escapes of characters that are not ASCII, if a host may keep them.
    kept: BTreeMap<char, String>,
    /// Whether the format is markup, which escapes `&` and `'`.
    markup: bool,
}

/// An escape for a character of ASCII punctuation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Spelling {
    character: u8,
    /// How many of the same character come before it.
    nth: usize,
    /// How many of the same character the link has.
    count: usize,
    escape: String,
}

impl Logical {
    /// A reference that is written without escapes of a format.
    #[cfg(feature = "mail")]
    pub(crate) fn unescaped(iri: String) -> Logical {
        Logical { iri, spellings: Vec::new(), kept: BTreeMap::new(), markup: false }
    }

    /// The same escapes for another reference.
    #[cfg(feature = "mail")]
    pub(crate) fn saying(&self, iri: String) -> Logical {
        Logical { iri, ..self.clone() }
    }

    /// `text`: the characters of the link in UTF-8. `escapes`: offsets in `text` of characters
    /// that are escaped, and the bytes of the escapes, in order; none if the link is its own
    /// URI. `keep`: the host may be kept.
    pub(crate) fn new<'s>(
        iri: String,
        text: &[u8],
        escapes: impl Iterator<Item = (u64, &'s [u8])>,
        keep: bool,
        charset: Charset,
        markup: bool,
    ) -> Logical {
        let mut kept = BTreeMap::new();
        let mut escapes = escapes.peekable();
        if escapes.peek().is_none() {
            return Logical { iri, spellings: Vec::new(), kept, markup };
        }
        let (mut counts, mut spellings) = ([0; 128], Vec::new());
        let mut counted = 0;
        let mut count_to = |to: usize, counts: &mut [usize; 128]| {
            let ascii = text[counted..to].iter().filter(|b| b.is_ascii());
            ascii.for_each(|b| counts[usize::from(*b)] += 1);
            counted = to;
        };
        for (at, written) in escapes {
            let at = at as usize;
            if let Some(&character) = text.get(at).filter(|b| b.is_ascii_punctuation()) {
                count_to(at, &mut counts);
                let nth = counts[usize::from(character)];
                let escape = charset.decode_shifted(written, Shift::Ascii).into_owned();
                spellings.push(Spelling { character, nth, count: 0, escape });
            } else if keep && let Some(c) = character_at(text, at).filter(|c| !c.is_ascii()) {
                let escape = || charset.decode_shifted(written, Shift::Ascii).into_owned();
                kept.entry(c).or_insert_with(escape);
            }
        }
        count_to(text.len(), &mut counts);
        for spelling in &mut spellings {
            spelling.count = counts[usize::from(spelling.character)];
        }
        Logical { iri, spellings, kept, markup }
    }

    /// Returns `uri`, the URI of the link, as it must be written in its place: with the escapes
    /// that the link had.
    pub(crate) fn written<'u>(&self, uri: &'u str) -> Cow<'u, str> {
        if self.spellings.is_empty() && (self.kept.is_empty() || uri.is_ascii()) {
            return Cow::Borrowed(uri);
        }
        let mut counts = [0; 128];
        uri.bytes().filter(u8::is_ascii).for_each(|b| counts[usize::from(b)] += 1);
        // The next spelling of each character.
        let mut next = [usize::MAX; 128];
        for (at, spelling) in self.spellings.iter().enumerate().rev() {
            next[usize::from(spelling.character)] = at;
        }
        let (mut out, mut seen) = (String::with_capacity(uri.len() * 2), [0; 128]);
        for c in uri.chars() {
            let Some(i) = c.is_ascii().then_some(c as usize) else {
                match self.kept.get(&c) {
                    Some(escape) => out.push_str(escape),
                    None => out.push(c),
                }
                continue;
            };
            match self.spellings.get(next[i]) {
                // The numbers differ, so it is unknown which one was escaped.
                Some(spelling) if spelling.count != counts[i] => match c {
                    '&' if self.markup => out.push_str("&amp;"),
                    '\'' if self.markup => out.push_str("&#39;"),
                    _ => out.push(c),
                },
                Some(spelling) if spelling.nth == seen[i] => {
                    out.push_str(&spelling.escape);
                    let mut further = next[i] + 1..self.spellings.len();
                    next[i] = further
                        .find(|at| self.spellings[*at].character == spelling.character)
                        .unwrap_or(usize::MAX);
                }
                _ => out.push(c),
            }
            seen[i] += 1;
        }
        Cow::Owned(out)
    }
}

/// Returns the character at `at` in `text`, which is UTF-8.
fn character_at(text: &[u8], at: usize) -> Option<char> {
    let head = &text[at..text.len().min(at + 4)];
    let valid = match core::str::from_utf8(head) {
        Ok(head) => head,
        Err(e) => core::str::from_utf8(&head[..e.valid_up_to()]).ok()?,
    };
    valid.chars().next()
}
