//! What a character is to a link in running text: classes of characters from Unicode properties and
//! from RFC 3986 and 3987. No charsets, no positions.

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{Alphabetic, GeneralCategory, GeneralCategoryGroup, Script},
};

/// True for letters, marks and numbers outside of ASCII, and for what IDNA allows among them.
/// `category` is that of `c`.
fn is_in_label(c: char, category: GeneralCategory) -> bool {
    GeneralCategoryGroup::Letter.contains(category)
        || GeneralCategoryGroup::Mark.contains(category)
        || GeneralCategoryGroup::Number.contains(category)
        || matches!(
            c,
            '\u{B7}' | '\u{F0B}' | '\u{6FD}' | '\u{6FE}' | '\u{200C}' | '\u{200D}' | '\u{30FB}'
        )
}

/// True for the characters of a host by UTS #58: dots, `-`, letters, marks, numbers, and what IDNA
/// allows among them.
pub(crate) fn is_standard_host(c: char) -> bool {
    match c {
        '.' | '-' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}' => true,
        c if c.is_ascii() => c.is_ascii_alphanumeric(),
        c => is_in_label(c, CodePointMapData::<GeneralCategory>::new().get(c)),
    }
}

/// True for characters that end a link everywhere, delimited or not: white space, controls, and
/// what RFC 3987 section 2.2 excludes from `ucschar` and `iprivate` (bidi controls by its section
/// 4.1).
pub(crate) fn never_in_link(c: char) -> bool {
    match c {
        '\u{21}'..='\u{7E}' => false,
        '\0'..='\u{20}' | '\u{7F}'..='\u{A0}' => true,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            true
        }
        '\u{FDD0}'..='\u{FDEF}' | '\u{FFF0}'..='\u{FFFF}' | '\u{E0000}'..='\u{E0FFF}' => true,
        _ => c.is_whitespace() || u32::from(c) & 0xFFFE == 0xFFFE,
    }
}

/// True for East Asian punctuation that ends a link even if text follows directly: these scripts
/// write no space after a full stop.
pub(crate) fn ends_sentence_unspaced(c: char) -> bool {
    matches!(
        c,
        '、' | '。' | '，' | '．' | '：' | '；' | '！' | '？' | '｡' | '､' | '｢' | '｣' | '〃'
            | '\u{FE10}'..='\u{FE19}' | '\u{FE30}'..='\u{FE6B}' | '｜' | '＂' | '＇' | '＜' | '＞'
            | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301B}' | '\u{301D}'..='\u{301F}' | '（' | '）' | '［' | '］' | '｛' | '｝'
            | '｟' | '｠'
            // Double quotation marks, which are in no address.
            | '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›' | '‘' | '‚'
    )
}

/// The closing mark of a quotation that `c` opens, if it is a typographic one. A quotation in a query
/// or a fragment is part of the link (case quotation-in-a-query).
pub(crate) fn quotation(c: char) -> Option<char> {
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
    matches!(c, '。' | '．' | '｡')
}

/// True for a letter of a script that is written without spaces between words.
pub(crate) fn is_unspaced_letter(c: char) -> bool {
    if c < '\u{E00}' {
        return false;
    }
    // Marks that Hiragana and Katakana share have the script Common.
    if matches!(c, '々' | '〆' | '〇' | 'ー' | 'ｰ' | '゛' | '゜') {
        return true;
    }
    [
        Script::Han,
        Script::Hiragana,
        Script::Katakana,
        Script::Hangul,
        Script::Thai,
        Script::Lao,
        Script::Khmer,
        Script::Myanmar,
        Script::Bopomofo,
    ]
    .contains(&CodePointMapData::<Script>::new().get(c))
}

/// True for a letter of Hangul, which has spaces between words, but none before a particle.
pub(crate) fn is_hangul(c: char) -> bool {
    c >= '\u{1100}' && CodePointMapData::<Script>::new().get(c) == Script::Hangul
}

/// True for Kana and Hangul, whose particles follow a noun without a space.
pub(crate) fn is_particle_letter(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}') || is_hangul(c)
}

/// True for a symbol outside ASCII: emoji, arrows, dingbats, and the marks between words of East
/// Asian texts.
pub(crate) fn is_symbol(c: char) -> bool {
    if c.is_ascii() || is_unspaced_letter(c) {
        return false;
    }
    matches!(c, '・' | '※' | '〜')
        || matches!(
            CodePointMapData::<GeneralCategory>::new().get(c),
            GeneralCategory::OtherSymbol
                | GeneralCategory::MathSymbol
                | GeneralCategory::ModifierSymbol
        )
}

/// True for a character that continues an emoji: a variation selector, a joiner, an enclosing mark.
pub(crate) fn joins_symbols(c: char) -> bool {
    matches!(c, '\u{FE0E}' | '\u{FE0F}' | '\u{200D}' | '\u{20E3}')
}

/// What a character outside ASCII is in a host name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HostClass {
    /// Letters, marks, numbers and the joiners that UTS #46 knows.
    Label,
    /// Symbols such as emoji: part of a label, but not directly after ASCII.
    Symbol,
    No,
}

pub(crate) fn host_class(c: char) -> HostClass {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() { HostClass::Label } else { HostClass::No };
    }
    match CodePointMapData::<GeneralCategory>::new().get(c) {
        category if is_in_label(c, category) => HostClass::Label,
        // Letters in circles and squares.
        GeneralCategory::OtherSymbol if CodePointSetData::new::<Alphabetic>().contains(c) => {
            HostClass::Label
        }
        GeneralCategory::OtherSymbol | GeneralCategory::ModifierSymbol => HostClass::Symbol,
        _ => HostClass::No,
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
                .is_ok_and(|iri| iri.bidi_findings().is_empty());
            let holds = holds && !c.is_whitespace() || c.is_ascii_graphic();
            assert_eq!(never_in_link(c), !holds, "U+{:04X}", u32::from(c));
        }
    }
}
