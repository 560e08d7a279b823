//! IDNA2008 as a judgement on names (RFC 5890 to 5893).
//!
//! Conversion follows UTS #46, which allows more names than IDNA2008; this file finds those.
//! `idna` has the mapping, punycode and the rules for directions and joiners. The derived
//! property and the other contexts are here.

use icu_normalizer::uts46::Uts46MapperBorrowed;
use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{
        DefaultIgnorableCodePoint, GeneralCategory as Gc, HangulSyllableType, JoinControl,
        NoncharacterCodePoint, Script, WhiteSpace,
    },
};
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use super::{
    to_iri::to_unicode,
    unicode::{category, is_nfc},
};

/// The derived property of RFC 5892, section 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Derived {
    Valid,
    /// Valid in a context (appendix A): CONTEXTJ and CONTEXTO.
    Context,
    Disallowed,
}

/// RFC 5892, section 3, rule by rule.
fn derived(c: char) -> Derived {
    match c {
        // Exceptions (section 2.6).
        'ß' | 'ς' | '\u{06FD}' | '\u{06FE}' | '\u{0F0B}' | '\u{3007}' => return Derived::Valid,
        '·' | '\u{0375}' | '\u{05F3}' | '\u{05F4}' | '\u{30FB}' => return Derived::Context,
        '\u{0660}'..='\u{0669}' | '\u{06F0}'..='\u{06F9}' => return Derived::Context,
        '\u{0640}'
        | '\u{07FA}'
        | '\u{302E}'
        | '\u{302F}'
        | '\u{3031}'..='\u{3035}'
        | '\u{303B}' => return Derived::Disallowed,
        // LDH (section 2.4).
        'a'..='z' | '0'..='9' | '-' => return Derived::Valid,
        _ => {}
    }
    if CodePointSetData::new::<JoinControl>().contains(c) {
        return Derived::Context;
    }
    let mapper = Uts46MapperBorrowed::new();
    let stable = mapper.map_normalize(core::iter::once(c)).eq(core::iter::once(c));
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
        || CodePointSetData::new::<WhiteSpace>().contains(c)
        || CodePointSetData::new::<NoncharacterCodePoint>().contains(c)
        // IgnorableBlocks (section 2.5).
        || matches!(c, '\u{20D0}'..='\u{20FF}' | '\u{1D100}'..='\u{1D1FF}' | '\u{1D200}'..='\u{1D24F}');
    let old_jamo = matches!(
        CodePointMapData::<HangulSyllableType>::new().get(c),
        HangulSyllableType::LeadingJamo
            | HangulSyllableType::VowelJamo
            | HangulSyllableType::TrailingJamo
    );
    let letter_digit = matches!(
        category(c),
        Gc::LowercaseLetter
            | Gc::UppercaseLetter
            | Gc::OtherLetter
            | Gc::DecimalNumber
            | Gc::ModifierLetter
            | Gc::NonspacingMark
            | Gc::SpacingMark
    );
    if stable && !ignorable && !old_jamo && letter_digit {
        Derived::Valid
    } else {
        Derived::Disallowed
    }
}

/// Whether every character of a label is one of IDNA2008, in its context
/// (RFC 5892, appendix A.3 to A.9; the joiners of A.1 and A.2 are `idna`'s).
pub(super) fn is_label(label: &str) -> bool {
    let script = |c: char| CodePointMapData::<Script>::new().get(c);
    label.char_indices().all(|(i, c)| {
        let before = label[..i].chars().next_back();
        let after = label[i + c.len_utf8()..].chars().next();
        match derived(c) {
            Derived::Valid => true,
            Derived::Disallowed => false,
            Derived::Context => match c {
                '·' => before == Some('l') && after == Some('l'),
                '\u{0375}' => after.map(script) == Some(Script::Greek),
                '\u{05F3}' | '\u{05F4}' => before.map(script) == Some(Script::Hebrew),
                '\u{30FB}' => label.chars().any(|c| {
                    matches!(script(c), Script::Hiragana | Script::Katakana | Script::Han)
                }),
                '\u{0660}'..='\u{0669}' => {
                    !label.contains(|c| matches!(c, '\u{06F0}'..='\u{06F9}'))
                }
                '\u{06F0}'..='\u{06F9}' => {
                    !label.contains(|c| matches!(c, '\u{0660}'..='\u{0669}'))
                }
                _ => true,
            },
        }
    })
}

/// Whether `name` is a host name of IDNA2008: labels that are A-labels,
/// U-labels, or letters, digits and hyphens of ASCII (RFC 5891, section 4.2,
/// with the lengths of DNS). Full stops of East Asia separate labels as well;
/// no final one. Nothing is mapped.
///
/// ```
/// use iriscan::reference::is_idna2008_name;
///
/// assert!(is_idna2008_name("실례.테스트"));
/// assert!(!is_idna2008_name("☃.example"));
/// assert!(!is_idna2008_name("a·l.example"));
/// ```
#[must_use]
pub fn is_idna2008_name(name: &str) -> bool {
    let strict = Uts46::new().to_ascii(
        name.as_bytes(),
        AsciiDenyList::STD3,
        Hyphens::Check,
        DnsLength::Verify,
    );
    strict.is_ok()
        && name.split(['.', '\u{3002}', '\u{FF0E}', '\u{FF61}']).all(|label| {
            let unicode = to_unicode(label);
            if unicode.is_ascii() {
                // Letters of ASCII are of either case; what `idna` accepts.
                return !label.get(..4).is_some_and(|xn| xn.eq_ignore_ascii_case("xn--"));
            }
            is_nfc(&unicode) && is_label(&unicode)
        })
}
