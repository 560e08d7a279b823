//! The characters of a link that is written with escapes, and how to write its URI in the same
//! escapes.
//!
//! The text of a link and its escapes go in; later the URI goes in, and comes out as it must be
//! written in the place of the link. Invariant: punctuation that was escaped is escaped again.

use alloc::{borrow::Cow, boxed::Box, collections::BTreeMap, string::String, vec::Vec};

use core::ops::Range;

use super::defang::defanged;
use crate::{
    charset::{Charset, Shift},
    grammar::types::Kind,
    reference::{class::is_obeyed, components::Components},
};

/// A link that is written with escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Logical {
    /// Its characters, with escapes resolved.
    pub(crate) iri: String,
    /// The punctuation and the controls that are escaped; empty for a link that is its own URI, because that is
    /// not rewritten.
    spellings: Vec<Spelling>,
    /// The escapes of characters that are not ASCII: of all if a host may keep them, else of those that a
    /// terminal or a reader obeys.
    kept: BTreeMap<char, String>,
    references: References,
    /// It is a link in the query of another: its text is the reference too.
    pub(crate) is_decoded: bool,
    /// Where its characters are, if parts of it may change.
    pub(crate) places: Option<Box<Written>>,
}

/// The characters of a link with escapes resolved, and which of them are escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// With white space that is no part of the reference.
    pub(crate) text: String,
    pub(crate) escapes: Vec<Escape>,
}

/// An escape in a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Escape {
    /// Where its characters are in [`Written::text`].
    pub(crate) at: usize,
    /// How many bytes these are; 0 for a fold, which means nothing.
    pub(crate) len: usize,
    /// How many bytes of UTF-8 the document has for them.
    pub(crate) source_len: usize,
}

/// How a format writes a `&`, a `'` and a `%` that must not be read as anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum References {
    /// They have no meaning.
    None,
    /// With a character reference.
    Single,
    /// The same, escaped once more: HTML in the text of XML.
    Double,
    /// With a backslash, as LaTeX does. A `%` would begin a comment there, and has one always.
    Backslash,
    /// The same for `%` and `#`, in a target of LaTeX in the argument of another command.
    Argument,
    /// They have no meaning, and the link was made harmless: it is written so again.
    Harmless,
}

impl References {
    fn ampersand(self) -> &'static str {
        match self {
            References::None | References::Argument | References::Harmless => "&",
            References::Single => "&amp;",
            References::Double => "&amp;amp;",
            References::Backslash => "\\&",
        }
    }

    /// Ampersands of `text` that would make a character reference with what was escaped after them.
    fn guarded(self, text: &[u8], escapes: &[(usize, &[u8])]) -> Vec<usize> {
        let mut guarded: Vec<usize> = match self {
            References::None | References::Backslash | References::Argument => Vec::new(),
            _ => escapes.iter().filter_map(|(at, _)| ampersand_before(text, *at)).collect(),
        };
        guarded.dedup();
        guarded
    }

    fn apostrophe(self) -> &'static str {
        match self {
            References::Single => "&#39;",
            References::Double => "&amp;#39;",
            _ => "'",
        }
    }
}

/// An escape for a character of ASCII that is no letter, digit or space.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Spelling {
    character: u8,
    /// How many of the same character come before it.
    nth: usize,
    /// How many of the same character the link has.
    count: usize,
    escape: String,
}

/// The escapes of a link, in order.
struct Spellings<'t> {
    /// The characters of the link in UTF-8.
    text: &'t [u8],
    found: Vec<Spelling>,
    /// How often each character of ASCII comes in the first bytes of the text, and how many bytes these are.
    counts: [usize; 128],
    counted: usize,
}

impl<'t> Spellings<'t> {
    fn of(text: &'t [u8]) -> Spellings<'t> {
        Spellings { text, found: Vec::new(), counts: [0; 128], counted: 0 }
    }

    /// Counts the characters before `at`.
    fn count_up_to(&mut self, at: usize) {
        let ascii = self.text[self.counted..at].iter().filter(|b| b.is_ascii());
        ascii.for_each(|b| self.counts[usize::from(*b)] += 1);
        self.counted = at;
    }

    /// Adds the escape of the `character` at `at`.
    fn push(&mut self, at: usize, character: u8, escape: String) {
        self.count_up_to(at);
        let nth = self.counts[usize::from(character)];
        self.found.push(Spelling { character, nth, count: 0, escape });
    }

    /// All of them, each with how often its character comes in the link.
    fn counted(mut self) -> Vec<Spelling> {
        if !self.found.is_empty() {
            self.count_up_to(self.text.len());
        }
        for spelling in &mut self.found {
            spelling.count = self.counts[usize::from(spelling.character)];
        }
        self.found
    }
}

impl Logical {
    /// A reference that is written without escapes of a format.
    #[cfg(feature = "mail")]
    pub(crate) fn unescaped(iri: String) -> Logical {
        Logical::plain(iri, References::None)
    }

    /// A reference in which no character has an escape of its own.
    fn plain(iri: String, references: References) -> Logical {
        let (spellings, kept) = (Vec::new(), BTreeMap::new());
        Logical { iri, spellings, kept, references, is_decoded: false, places: None }
    }

    /// A link in the query of another, of which the escapes are resolved.
    pub(crate) fn decoded(iri: String) -> Logical {
        Logical { is_decoded: true, ..Logical::plain(iri, References::None) }
    }

    /// The same escapes for another reference.
    #[cfg(feature = "mail")]
    pub(crate) fn saying(&self, iri: String) -> Logical {
        Logical { iri, places: None, ..self.clone() }
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
        references: References,
    ) -> Logical {
        let mut kept = BTreeMap::new();
        let escapes: Vec<_> = escapes.map(|(at, written)| (at as usize, written)).collect();
        match references {
            // The whole link is written harmless, or nothing of it.
            References::Harmless if escapes.is_empty() => {
                return Logical::plain(iri, References::None);
            }
            References::Harmless => return Logical::plain(iri, references),
            _ if escapes.is_empty() => return Logical::plain(iri, references),
            _ => {}
        }
        let mut guarded = references.guarded(text, &escapes).into_iter().peekable();
        let mut spellings = Spellings::of(text);
        let mut escapes = escapes.into_iter().peekable();
        while let Some((at, written)) = escapes.next() {
            while let Some(at) = guarded.next_if(|guarded| *guarded < at) {
                spellings.push(at, b'&', references.ampersand().into());
            }
            let is_guarded = guarded.next_if_eq(&at).is_some();
            let is_special = |b: &&u8| b.is_ascii_punctuation() || b.is_ascii_control();
            if let Some(&character) = text.get(at).filter(is_special) {
                let escape = charset.decode_shifted(written, Shift::Ascii);
                let mut escape = open_hex(&escape).unwrap_or_else(|| escape.into_owned());
                // Of two levels, only the outer one is escaped.
                let outer = escape.find(';') == escape.len().checked_sub(1);
                if is_guarded && references == References::Double && outer {
                    escape = references.ampersand().into();
                } else if escape.starts_with('\\')
                    && escape.contains('\n')
                    && !escape.ends_with('\n')
                {
                    // A line was folded in it.
                    escape.retain(|c| !c.is_ascii_whitespace());
                }
                spellings.push(at, character, escape);
            } else if let Some(c) = character_at(text, at).filter(|c| !c.is_ascii())
                && (keep || is_obeyed(c))
            {
                // In a log each of its bytes may have an escape.
                let mut escape = charset.decode_shifted(written, Shift::Ascii).into_owned();
                while let Some((_, more)) = escapes.next_if(|(next, _)| *next < at + c.len_utf8()) {
                    escape.push_str(&charset.decode_shifted(more, Shift::Ascii));
                }
                kept.entry(c).or_insert(escape);
            }
        }
        let spellings = spellings.counted();
        Logical { iri, spellings, kept, references, is_decoded: false, places: None }
    }

    /// The same with the places of its characters. `text`: the characters of the link in UTF-8. `escapes`: where
    /// those of each escape are in `text`, and the bytes of the escape, in order.
    pub(crate) fn placed<'s>(
        self,
        text: &[u8],
        escapes: impl Iterator<Item = (Range<usize>, &'s [u8])>,
        charset: Charset,
    ) -> Logical {
        let escapes = escapes.map(|(inside, written)| {
            let source_len = charset.decode_shifted(written, Shift::Ascii).len();
            Escape { at: inside.start, len: inside.len(), source_len }
        });
        let text = String::from_utf8_lossy(text).into_owned();
        let places = Some(Box::new(Written { text, escapes: escapes.collect() }));
        Logical { places, ..self }
    }

    /// Whether the link was made harmless, and is written so again.
    pub(crate) fn is_harmless(&self) -> bool {
        self.references == References::Harmless
    }

    /// The kind of the link by its form: a link without a scheme is a host or an address.
    fn kind(&self) -> Kind {
        match Components::split(&self.iri).scheme() {
            Some(_) => Kind::Iri,
            None => Kind::Bare,
        }
    }

    /// Returns `uri`, the URI of the link, as it must be written in its place: with the escapes
    /// that the link had.
    pub(crate) fn written<'u>(&self, uri: &'u str) -> Cow<'u, str> {
        if self.references == References::Harmless {
            return Cow::Owned(defanged(uri, self.kind()));
        }
        // The signs of ASCII that have a backslash always.
        let signs: &[char] = match self.references {
            References::Backslash => &['%'],
            References::Argument => &['%', '#'],
            _ => &[],
        };
        if !uri.contains(signs)
            && self.spellings.is_empty()
            && (self.kept.is_empty() || uri.is_ascii())
        {
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
                    '&' => out.push_str(self.references.ampersand()),
                    '\'' => out.push_str(self.references.apostrophe()),
                    // An author who writes one `\%` means all of them.
                    '%' if spelling.escape == "\\%" => out.push_str("\\%"),
                    _ => Logical::push(c, signs, &mut out),
                },
                Some(spelling) if spelling.nth == seen[i] => {
                    out.push_str(&spelling.escape);
                    let mut further = next[i] + 1..self.spellings.len();
                    next[i] = further
                        .find(|at| self.spellings[*at].character == spelling.character)
                        .unwrap_or(usize::MAX);
                }
                _ => Logical::push(c, signs, &mut out),
            }
            seen[i] += 1;
        }
        Cow::Owned(out)
    }

    /// Appends a character without an escape of its own, which has a backslash if it is one of `signs`.
    fn push(c: char, signs: &[char], out: &mut String) {
        if signs.contains(&c) {
            out.push('\\');
        }
        out.push(c);
    }
}

/// Where the ampersand is that makes a character reference with the character at `at`, perhaps with
/// others between them.
fn ampersand_before(text: &[u8], at: usize) -> Option<usize> {
    /// No reference is longer.
    const LONGEST: usize = 48;
    let is_part = |b: u8| b.is_ascii_alphanumeric() || b == b'#';
    let near = text[..at].iter().rev().take(LONGEST);
    let len = near.take_while(|b| is_part(**b)).count();
    let before = (at - len).checked_sub(1)?;
    let is = is_part(text[at]) || text[at] == b';';
    (is && text[before] == b'&').then_some(before)
}

/// An escape of CSS that goes on with a hexadecimal digit after it (`\29`), in six digits, so that it does
/// not; `None` for any other escape.
fn open_hex(escape: &str) -> Option<String> {
    let digits = escape.strip_prefix('\\')?;
    let is_open = (1..6).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    is_open.then(|| alloc::format!("\\{digits:0>6}"))
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
