//! Runs of office documents: the elements that do not divide a word of the text.
//!
//! The names of elements go in. A word processor begins a run where the look, the spelling or the author
//! of the text changes, often within a word:
//!
//! ```text
//! <w:r><w:t>http://exam</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>ple.com/</w:t></w:r>
//! <text:p>http://exam<text:span text:style-name="T1">ple.com/</text:span></text:p>
//! ```
//!
//! The elements are known by their usual prefixes: `w` of WordprocessingML and `a` of DrawingML (ISO/IEC
//! 29500-1), `text` of OpenDocument.

use crate::format::{
    lexing::lookahead::Lookahead,
    markup::{
        tag::{Name, Tag, ends_name},
        words::name_of,
    },
};

/// Where a text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::format) enum Run {
    /// In no run.
    #[default]
    No,
    /// In `<w:t>` or `<a:t>`, outside of which there is no text.
    Office,
    /// In an element of OpenDocument.
    OpenDocument,
}

impl Run {
    /// The run of a text after `tag`.
    #[inline]
    pub(in crate::format) fn after(tag: &Tag) -> Run {
        match tag.element.get() {
            [b'w' | b'a', b':', b't'] if !tag.closing => Run::Office,
            [b't', b'e', b'x', b't', b':', ..] => Run::OpenDocument,
            _ => Run::No,
        }
    }
}

/// The elements whose tags do not divide a word, in small letters and in order. Elements inside those of
/// [`is_properties`] do not divide it either.
const WITHIN_WORDS: [&[u8]; 18] = [
    b"a:r",
    b"a:rpr",
    b"a:t",
    b"text:bookmark",
    b"text:bookmark-end",
    b"text:bookmark-start",
    b"text:change",
    b"text:change-end",
    b"text:change-start",
    b"text:soft-page-break",
    b"text:span",
    b"w:bookmarkend",
    b"w:bookmarkstart",
    b"w:lastrenderedpagebreak",
    b"w:prooferr",
    b"w:r",
    b"w:rpr",
    b"w:t",
];

/// How many bytes of a name are read. No name in the list is longer.
const NEAR: usize = 26;

/// Whether the tag that `bytes` begin with does not divide a word; `in_properties`: it is in an element of
/// [`is_properties`]. `None`: more bytes are needed.
pub(in crate::format) fn is_within_word(bytes: Lookahead<'_>, in_properties: bool) -> Option<bool> {
    let name = name_of(bytes, NEAR)?;
    let begins_text = matches!(name.get(), [b'w' | b'a', b':', b't' | b'r' | b'p']);
    let is_property = in_properties && !begins_text && is_office(name.get());
    Some(is_property || WITHIN_WORDS.binary_search(&name.get()).is_ok())
}

/// Whether an element holds the properties of a run.
pub(in crate::format) fn is_properties(element: &Name) -> bool {
    matches!(element.get(), b"w:rpr" | b"a:rpr")
}

/// Whether the prefix of a name is one of those of runs, or of an extension of them (`w14`).
fn is_office(name: &[u8]) -> bool {
    matches!(name, [b'w' | b'a', b':', ..] | [b'w' | b'a', b'1', ..])
}

/// Whether the tag that `bytes` begin with may be within a word, whatever comes before it.
pub(crate) fn may_be_within_word(bytes: &[u8]) -> bool {
    let name = bytes.strip_prefix(b"</").or(bytes.strip_prefix(b"<")).unwrap_or_default();
    let name = name.split(|b| ends_name(*b)).next().unwrap_or_default();
    let divides = matches!(name, b"w:p" | b"a:p" | b"text:p" | b"text:h");
    (is_office(name) || name.starts_with(b"text:")) && !divides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_near() {
        assert!(WITHIN_WORDS.is_sorted());
        assert!(WITHIN_WORDS.iter().all(|name| name.len() < NEAR));
    }

    #[test]
    fn paragraphs_tabs_and_links_divide() {
        for (tag, in_properties, want) in [
            ("</w:t>", false, true),
            ("<w:r w:rsidR='00A'>", false, true),
            ("<w:rPr>", false, true),
            ("<w:b/>", true, true),
            ("<w14:ligatures/>", true, true),
            ("<w:b/>", false, false),
            ("<w:t>", true, true),
            ("<w:p>", true, false),
            ("<w:tab/>", false, false),
            ("<w:br/>", false, false),
            ("</w:p>", false, false),
            ("<w:hyperlink>", false, false),
            ("<text:span>", false, true),
            ("<text:a>", false, false),
            ("</text:p>", false, false),
            ("<a:t>", false, true),
            ("<a:br/>", false, false),
        ] {
            let within = is_within_word(Lookahead::part(tag.as_bytes()), in_properties);
            assert_eq!(within, Some(want), "{tag}");
            assert!(!want || may_be_within_word(tag.as_bytes()), "{tag}");
        }
        assert_eq!(is_within_word(Lookahead::part(b"<w:"), false), None);
        assert_eq!(is_within_word(Lookahead::whole(b"<w:"), false), Some(false));
        assert!(!may_be_within_word(b"<w:p>") && !may_be_within_word(b"<a href>"));
    }
}
