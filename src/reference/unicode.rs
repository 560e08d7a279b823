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
    text.is_ascii() || ComposingNormalizerBorrowed::new_nfc().is_normalized(text)
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
