//! What Unicode says of the characters of a reference.
//!
//! Knows properties; knows neither components nor grammars.

use alloc::{borrow::Cow, string::String};

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{
        BidiClass, CanonicalCombiningClass, DefaultIgnorableCodePoint, ExtendedPictographic,
        GeneralCategory, GeneralCategoryGroup, JoiningType, VariationSelector, WhiteSpace,
    },
};

use super::class::is_escape;

/// Whether `text` is in Normalization Form C.
pub(super) fn is_nfc(text: &str) -> bool {
    is_simple(text) || ComposingNormalizerBorrowed::new_nfc().is_normalized(text)
}

/// True if all characters are letters, digits or signs of scripts in which they are just written
/// one after the other, from left to right. So `text` is in NFC, and has neither marks nor
/// characters that are invisible or control the order. False says nothing.
pub(super) fn is_simple(text: &str) -> bool {
    let mut rest = text;
    // Most bytes of most references are ASCII, and those are passed over without being decoded.
    while let Some(at) = rest.bytes().position(|b| !b.is_ascii()) {
        rest = &rest[at..];
        let Some(c) = rest.chars().next() else { break };
        if !is_simple_letter(c) {
            return false;
        }
        rest = &rest[c.len_utf8()..];
    }
    true
}

/// See [`is_simple`]; for characters that are not ASCII.
fn is_simple_letter(c: char) -> bool {
    matches!(
        c,
        '\u{A0}'..='\u{AC}' | '\u{AE}'..='\u{2FF}'
            | '\u{388}'..='\u{3FF}' | '\u{400}'..='\u{482}' | '\u{48A}'..='\u{52F}'
            | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FF}'
            | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}'
    )
}

/// True if `text` has letters of one script only, or of several of East Asia with those of Latin:
/// they are written together (UTS #39, section 5.1). Digits and ASCII belong to any script but that
/// ASCII letters are Latin. False says nothing.
pub(super) fn is_of_one_script(text: &str) -> bool {
    const LATIN: u8 = 1;
    const CYRILLIC: u8 = 2;
    const KANA: u8 = 4;
    const HAN: u8 = 8;
    const HANGUL: u8 = 16;
    const OTHER: u8 = 32;
    let script = |c| match c {
        'A'..='Z' | 'a'..='z' | 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='\u{24F}' => LATIN,
        '\0'..='\x7F' => 0,
        '\u{400}'..='\u{481}' | '\u{48A}'..='\u{52F}' => CYRILLIC,
        '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}' => KANA,
        '\u{4E00}'..='\u{9FFF}' => HAN,
        '\u{AC00}'..='\u{D7A3}' => HANGUL,
        _ => OTHER,
    };
    let scripts = text.chars().fold(0, |all, c| all | script(c));
    let are_among = |scripts_written_together: u8| scripts & !scripts_written_together == 0;
    are_among(CYRILLIC) || are_among(LATIN | HAN | KANA) || are_among(LATIN | HAN | HANGUL)
}

/// `text` in NFC, except where that would change the structure of a reference: a mark does not
/// compose with the last digit of an escape or with a delimiter before it, and two characters
/// do not become delimiters.
pub(super) fn compose(text: &str) -> Cow<'_, str> {
    // Most text is in NFC, and then so is every part of it.
    if is_nfc(text) {
        return Cow::Borrowed(text);
    }
    let nfc = ComposingNormalizerBorrowed::new_nfc();
    let (mut out, mut from, mut at) = (String::with_capacity(text.len()), 0, 0);
    while let Some(c) = text[at..].chars().next() {
        let len = match c {
            '%' if is_escape(text.as_bytes(), at) => 3,
            '\u{37E}' | '\u{1FEF}' => c.len_utf8(),
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => 1,
            _ => {
                at += c.len_utf8();
                continue;
            }
        };
        out.push_str(&nfc.normalize(&text[from..at]));
        out.push_str(&text[at..at + len]);
        at += len;
        from = at;
    }
    out.push_str(&nfc.normalize(&text[from..]));
    Cow::Owned(out)
}

/// General_Category Mark.
pub(crate) fn is_mark(c: char) -> bool {
    GeneralCategoryGroup::Mark.contains(category(c))
}

pub(super) fn category(c: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(c)
}

/// The direction of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Left,
    Right,
    /// Not strong: digits, marks, punctuation.
    Weak,
}

pub(super) fn direction(c: char) -> Direction {
    match CodePointMapData::<BidiClass>::new().get(c) {
        BidiClass::LeftToRight => Direction::Left,
        BidiClass::RightToLeft | BidiClass::ArabicLetter => Direction::Right,
        _ => Direction::Weak,
    }
}

/// Whether a ZWJ or ZWNJ is allowed between `before` and `after` (RFC 5892, appendices A.1 and
/// A.2): after a virama; a ZWNJ also where letters of a cursive script would join.
pub(super) fn is_joiner_in_context(before: &str, joiner: char, after: &str) -> bool {
    let class = CodePointMapData::<CanonicalCombiningClass>::new();
    if before.chars().next_back().map(|c| class.get(c)) == Some(CanonicalCombiningClass::Virama) {
        return true;
    }
    let joining = CodePointMapData::<JoiningType>::new();
    let seen = |c: Option<char>| c.map(|c| joining.get(c));
    let transparent = |c: &char| joining.get(*c) == JoiningType::Transparent;
    joiner == '\u{200C}'
        && matches!(
            seen(before.chars().rev().find(|c| !transparent(c))),
            Some(JoiningType::LeftJoining | JoiningType::DualJoining)
        )
        && matches!(
            seen(after.chars().find(|c| !transparent(c))),
            Some(JoiningType::RightJoining | JoiningType::DualJoining)
        )
}

/// Default_Ignorable_Code_Point without variation selectors and joiners, which change the look
/// of their neighbours.
pub(super) fn is_hidden(c: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
        && !CodePointSetData::new::<VariationSelector>().contains(c)
        && !matches!(c, '\u{200C}' | '\u{200D}')
}

/// White space, invisible and format characters, unassigned code points. Not variation
/// selectors and joiners, which change the look of their neighbours.
pub(super) fn is_unseen(c: char) -> bool {
    let joiner = matches!(c, '\u{200C}' | '\u{200D}');
    let category = category(c);
    is_hidden(c)
        || CodePointSetData::new::<WhiteSpace>().contains(c)
        || category == GeneralCategory::Unassigned
        || category == GeneralCategory::Format && !joiner
        // BRAILLE PATTERN BLANK.
        || c == '\u{2800}'
}

/// Compatibility characters: full-width and presentation forms, ligatures, superscripts and
/// others that NFKC changes; and dingbats (draft-masinter-url-i18n, section 3.1 c).
pub(super) fn is_compatibility_form(c: char) -> bool {
    matches!(c, '\u{2700}'..='\u{27BF}')
        || !ComposingNormalizerBorrowed::new_nfkc().is_normalized(c.encode_utf8(&mut [0; 4]))
}

/// Whether a ZWJ between `before` and `after` joins two emoji into one (UTS #51).
pub(super) fn joins_emoji(before: &str, joiner: char, after: &str) -> bool {
    let pictures = CodePointSetData::new::<ExtendedPictographic>();
    // There may be a variation selector or a skin tone in between.
    let mut last = before.chars().rev();
    let last = last.find(|c| !matches!(c, '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}'));
    joiner == '\u{200D}'
        && [last, after.chars().next()].into_iter().all(|c| c.is_some_and(|c| pictures.contains(c)))
}

/// Characters that RFC 3987, section 6.1, advises not to show: invisible ones, look-alikes of
/// delimiters, full-width and small forms.
pub(super) fn is_inadvisable(c: char) -> bool {
    is_unseen(c)
        || matches!(c,
            // Look like "/", ".", ":", "?", "#", "%", "@", "[", "]", "\".
            '\u{01C3}' | '\u{0338}' | '\u{0337}' | '\u{0589}' | '\u{05C3}' | '\u{06D4}'
            | '\u{066A}' | '\u{2024}' | '\u{2026}' | '\u{2039}' | '\u{203A}' | '\u{2044}'
            | '\u{2052}' | '\u{2215}' | '\u{2216}' | '\u{2236}' | '\u{2571}' | '\u{27CB}'
            | '\u{29F5}' | '\u{29F8}' | '\u{A789}' | '\u{3002}' | '\u{3014}' | '\u{3015}'
            // Small, full-width and half-width forms.
            | '\u{FE50}'..='\u{FE6F}' | '\u{FF01}'..='\u{FFEF}')
}

#[cfg(test)]
mod tests {
    use std::{string::ToString, vec::Vec};

    use proptest::prelude::*;
    use unicode_security::mixed_script::AugmentedScriptSet;

    use super::*;
    use crate::reference::class::{is_bidi_control, is_ucschar};

    fn simple() -> Vec<char> {
        (char::MIN..=char::MAX).filter(|c| is_simple(c.encode_utf8(&mut [0; 4]))).collect()
    }

    #[test]
    fn simple_characters_are_letters_that_stand_alone() {
        let nfc = ComposingNormalizerBorrowed::new_nfc();
        let classes = CodePointMapData::<CanonicalCombiningClass>::new();
        let simple = simple();
        assert!(simple.len() > 39_000, "{}", simple.len());
        for c in simple {
            assert_eq!(classes.get(c), CanonicalCombiningClass::NotReordered, "{c:?}");
            assert!(nfc.is_normalized(&c.to_string()), "{c:?}");
            assert!(!is_mark(c) && !is_hidden(c) && !is_bidi_control(c), "{c:?}");
            assert!(c.is_ascii() || is_ucschar(u32::from(c)), "{c:?}");
            assert!(direction(c) != Direction::Right, "{c:?}");
        }
    }

    /// As for the rule, letter by letter: the scripts of each are those of the first of its row.
    #[test]
    fn letters_of_one_script_are_written_together() {
        let scripts = AugmentedScriptSet::for_char;
        let firsts = ['a', '\u{400}', '\u{3041}', '\u{30A1}', '\u{30FC}', '\u{4E00}', '\u{AC00}'];
        let is_one = |text: &str| is_of_one_script(text);
        for c in (char::MIN..=char::MAX).filter(|c| is_one(c.encode_utf8(&mut [0; 4]))) {
            let everywhere = scripts(c) == AugmentedScriptSet::default();
            let known = firsts.iter().any(|first| scripts(c) == scripts(*first));
            assert!(known || everywhere && c.is_ascii(), "{c:?}");
        }
        for (text, one) in [
            ("straße1", true),
            ("путь-2", true),
            ("aпуть", false),
            ("例えカナa", true),
            ("한漢a", true),
            ("한え", false),
            ("путь漢", false),
            ("αβ", false),
        ] {
            assert_eq!(is_of_one_script(text), one, "{text}");
        }
    }

    proptest! {
        #[test]
        fn simple_text_is_in_nfc(
            text in prop::collection::vec(prop::sample::select(simple()), 0..20),
        ) {
            let text: String = text.into_iter().collect();
            prop_assert!(ComposingNormalizerBorrowed::new_nfc().is_normalized(&text));
        }
    }
}
