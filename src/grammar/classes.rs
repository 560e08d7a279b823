//! What a character is to a link in running text, by the table that `tables/src/classes.rs` writes from
//! Unicode properties and from RFC 3986 and 3987. No charsets, no positions.

use crate::data::properties::{
    self, DOT, HANGUL, HOST_SYMBOL, JOINS, LABEL, MARK, MIDDLE, NEVER, PARTICLE, QUOTATION,
    SENTENCE, STANDARD_HOST, SYMBOL, UNSPACED,
};
pub(crate) use crate::data::properties::{Letter, letter};

/// True for the characters of a host by UTS #58: dots, `-`, letters, marks, numbers, and what IDNA
/// allows among them.
pub(crate) fn is_standard_host(c: char) -> bool {
    properties::has(c, STANDARD_HOST)
}

/// True for characters that end a link everywhere, delimited or not: white space, controls, and
/// what RFC 3987 section 2.2 excludes from `ucschar` and `iprivate` (bidi controls by its section
/// 4.1).
#[inline]
pub(crate) fn never_in_link(c: char) -> bool {
    properties::has(c, NEVER)
}

/// True for East Asian punctuation that ends a link even if text follows directly: these scripts
/// write no space after a full stop. And for double quotation marks, which are in no address, and for
/// the borders that programs draw around the cells of tables.
#[inline]
pub(crate) fn ends_sentence_unspaced(c: char) -> bool {
    properties::has(c, SENTENCE)
}

/// The closing mark of a quotation that `c` opens, if it is a typographic one. A quotation in a query
/// or a fragment is part of the link (case quotation-in-a-query).
pub(crate) fn quotation(c: char) -> Option<char> {
    if !properties::has(c, QUOTATION) {
        return None;
    }
    Some(match c {
        '“' => '”',
        '„' => '“',
        '‘' => '’',
        '‚' => '‘',
        '«' => '»',
        '»' => '«',
        '‹' => '›',
        '›' => '‹',
        _ => return None,
    })
}

/// True for the characters that UTS #46 maps to the `.` between labels.
pub(crate) fn is_idna_dot(c: char) -> bool {
    properties::has(c, DOT)
}

/// True for the mark of a note or the number of a list: `¹`, `②`, `Ⓐ`, `™`. UTS #46 would map most of them
/// to letters and digits of the host next to them.
pub(crate) fn is_mark(c: char) -> bool {
    properties::has(c, MARK)
}

/// True for a dot in the middle of the line: a bullet, or a letter between some others.
pub(crate) fn is_middle_dot(c: char) -> bool {
    properties::has(c, MIDDLE)
}

/// True for both.
pub(crate) fn is_mark_or_middle_dot(c: char) -> bool {
    properties::has(c, MARK | MIDDLE)
}

/// True for characters without a shape that UTS #46 leaves out of a host.
pub(crate) fn is_left_out(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{180E}' | '\u{200B}' | '\u{2060}' | '\u{FEFF}')
}

/// True for a letter of a script that is written without spaces between words.
#[inline]
pub(crate) fn is_unspaced_letter(c: char) -> bool {
    properties::has(c, UNSPACED)
}

/// True for a letter of Hangul, which has spaces between words, but none before a particle.
pub(crate) fn is_hangul(c: char) -> bool {
    properties::has(c, HANGUL)
}

/// True for Kana and Hangul, whose particles follow a noun without a space.
#[inline]
pub(crate) fn is_particle_letter(c: char) -> bool {
    properties::has(c, PARTICLE)
}

/// True for a symbol outside ASCII: emoji, arrows, dingbats, and the marks between words of East
/// Asian texts.
#[inline]
pub(crate) fn is_symbol(c: char) -> bool {
    properties::has(c, SYMBOL)
}

/// True for a character that continues an emoji: a variation selector, a joiner, an enclosing mark.
pub(crate) fn joins_symbols(c: char) -> bool {
    properties::has(c, JOINS)
}

/// True for a character that nobody sees at the end of a link, where it came by copying. `before`: the
/// character before it, which a variation selector may select.
#[inline]
pub(crate) fn is_invisible(c: char, before: char) -> bool {
    !c.is_ascii() && is_invisible_mark(c, before)
}

#[inline(never)]
fn is_invisible_mark(c: char, before: char) -> bool {
    match c {
        '\u{AD}' | '\u{34F}' | '\u{180E}' | '\u{200B}'..='\u{200D}' | '\u{FEFF}' => true,
        '\u{2060}'..='\u{2064}' => true,
        // Symbols and letters of unspaced scripts have variations. Digits have them in front of a mark
        // that is visible; otherwise the last digit of an escape would have one.
        '\u{FE00}'..='\u{FE0F}' => {
            before.is_ascii() || letter(before) == Letter::Spaced || is_invisible(before, ' ')
        }
        _ => false,
    }
}

/// True for hyphens of other kinds: a reader sees one name where they join two words (case
/// hyphens-of-other-kinds).
pub(crate) fn is_hyphen(c: char) -> bool {
    matches!(c, '\u{2010}' | '\u{2011}' | '\u{FE63}' | '\u{FF0D}')
}

/// True for characters that cannot be seen. No name begins or ends with one (case
/// bare-invisible-characters).
pub(crate) fn is_edge(c: char) -> bool {
    !c.is_ascii()
        && matches!(c, '\u{AD}' | '\u{34F}' | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200D}'
            | '\u{2060}'..='\u{2064}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}')
}

/// True for these, and for characters that end names but cannot be seen either.
pub(crate) fn is_unseen(c: char) -> bool {
    is_edge(c)
        || !c.is_ascii()
            && matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{1BCA0}'..='\u{1BCA3}'
                | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// What a character is in a host name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HostClass {
    /// Letters, marks, numbers and the joiners that UTS #46 knows.
    Label,
    /// Symbols such as emoji: part of a label, but not directly after ASCII.
    Symbol,
    No,
}

#[inline]
pub(crate) fn host_class(c: char) -> HostClass {
    match properties::bits(c) & (LABEL | HOST_SYMBOL) {
        LABEL => HostClass::Label,
        0 => HostClass::No,
        _ => HostClass::Symbol,
    }
}

/// The number of characters of `c` in a URI, after percent-encoding. Limits are counted in these,
/// so that a converted link is still within them.
pub(crate) fn encoded_len(c: char) -> u32 {
    if c.is_ascii() { 1 } else { 3 * c.len_utf8() as u32 }
}

/// `unreserved` of RFC 3986: `ALPHA / DIGIT / "-" / "." / "_" / "~"`.
pub(crate) fn is_unreserved(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z' | '0'..='9' | '-' | '.' | '_' | '~')
}

#[cfg(test)]
mod tests {
    use icu_properties::{CodePointMapData, props::GeneralCategory};

    use super::*;

    /// Checks only assigned characters, because the standard library has the tables of another
    /// version of Unicode.
    #[test]
    fn letters_and_numbers_belong_to_labels() {
        let assigned = |c: &char| {
            CodePointMapData::<GeneralCategory>::new().get(*c) != GeneralCategory::Unassigned
        };
        let mut labels = 0;
        for c in ('\u{80}'..=char::MAX).filter(assigned).filter(|c| c.is_alphanumeric()) {
            assert_eq!(host_class(c), HostClass::Label, "{:X}", u32::from(c));
            labels += 1;
        }
        assert!(labels > 140_000, "{labels}");
        for (c, class) in [('Ⓐ', HostClass::Label), ('☃', HostClass::Symbol), ('。', HostClass::No)]
        {
            assert_eq!(host_class(c), class, "{c}");
        }
    }

    /// These are the characters that a query of RFC 3987 cannot hold, and white space.
    #[test]
    fn characters_never_in_a_link_are_those_no_iri_holds() {
        use crate::reference::{Grammar, Reference};
        for c in '\0'..=char::MAX {
            let iri = alloc::format!("?{c}");
            let holds = Reference::parse(&iri, Grammar::IriReference)
                .is_ok_and(|iri| iri.components().bidi_findings().is_empty());
            let holds = holds && !c.is_whitespace() || c.is_ascii_graphic();
            assert_eq!(never_in_link(c), !holds, "U+{:04X}", u32::from(c));
        }
    }
}
