//! What a character is to a link in running text.
//!
//! Knows Unicode properties and RFC 3986/3987 character classes; knows neither
//! charsets nor positions.

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{Alphabetic, GeneralCategory, GeneralCategoryGroup, Script},
};

use super::{
    tables::{LINK_BRACKET, LINK_EMAIL, LINK_TERM},
    tlds::TLDS,
};
use crate::words::{Words, len};

/// The property Link_Term of UTS #58.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LinkTerm {
    Include,
    Hard,
    Soft,
    Close,
    Open,
}

/// Link_Term of ASCII, from the same table.
const ASCII: [LinkTerm; 128] = {
    let mut table = [LinkTerm::Hard; 128];
    let mut i = 0;
    while i < LINK_TERM.len() && LINK_TERM[i].0 < 128 {
        let (first, last, value) = LINK_TERM[i];
        let mut c = first;
        while c <= last && c < 128 {
            table[c as usize] = value;
            c += 1;
        }
        i += 1;
    }
    table
};

/// Link_Term of `c` (UTS #58).
pub(crate) fn link_term(c: char) -> LinkTerm {
    let value = u32::from(c);
    if value < 128 {
        return ASCII[value as usize];
    }
    let after = LINK_TERM.partition_point(|&(first, _, _)| first <= value);
    match LINK_TERM[..after].last() {
        Some(&(_, last, term)) if value <= last => term,
        _ => LinkTerm::Hard,
    }
}

/// The closing bracket of `open` (Link_Bracket of UTS #58).
pub(crate) fn closing_bracket(open: char) -> Option<char> {
    let i = LINK_BRACKET.binary_search_by_key(&open, |&(o, _)| o).ok()?;
    Some(LINK_BRACKET[i].1)
}

/// Link_Email of ASCII, a bit for each character: what is graphic, less these.
const EMAIL: u128 = {
    let (mut bits, mut c) = (0, b'!');
    while c <= b'~' {
        let sign = matches!(
            c,
            b'"' | b'(' | b')' | b',' | b':' | b';' | b'<' | b'>' | b'@' | b'[' | b'\\' | b']'
        );
        bits |= (!sign as u128) << c;
        c += 1;
    }
    bits
};

/// Link_Email of `c` (UTS #58).
#[inline]
pub(crate) fn is_link_email(c: char) -> bool {
    let value = u32::from(c);
    if value < 128 {
        return EMAIL >> value & 1 == 1;
    }
    let after = LINK_EMAIL.partition_point(|&(first, _)| first <= value);
    LINK_EMAIL[..after].last().is_some_and(|&(_, last)| value <= last)
}

/// Whether `label` is a top-level domain, in any case.
pub(crate) fn is_tld(label: &str) -> bool {
    tld(label).is_some()
}

/// The one of [`TLDS`] at `i`.
pub(crate) fn top_level(i: usize) -> &'static [u8] {
    TOP_LEVEL.get(i)
}

/// Which of [`TLDS`] `label` is, in any case.
pub(crate) fn tld(label: &str) -> Option<usize> {
    if label.is_ascii() {
        return ascii_tld(label.as_bytes(), label.len());
    }
    TOP_LEVEL.find(label.to_lowercase().as_bytes())
}

/// [`tld`] of the first `len` bytes of `text`, which are ASCII. At every dot this tells
/// names from words: what follows is read over rather than copied.
#[inline]
pub(crate) const fn ascii_tld(text: &[u8], len: usize) -> Option<usize> {
    match text.first_chunk() {
        Some(start) if len < KEY => tld_by(tld_key(*start, len), b""),
        _ => long_tld(text.split_at(len).0),
    }
}

/// The same of one that is longer than a key, or with nothing behind it.
#[cold]
const fn long_tld(label: &[u8]) -> Option<usize> {
    tld_by(tld_key(start(label), label.len()), label)
}

/// As much of `label` as a key has, and zeros behind.
const fn start(label: &[u8]) -> [u8; KEY] {
    let (mut start, mut i) = ([0; KEY], 0);
    while i < label.len() && i < KEY {
        start[i] = label[i];
        i += 1;
    }
    start
}

/// The top-level domain that has `key`, and is `label`, if it is longer.
#[inline(always)]
const fn tld_by(key: u64, label: &[u8]) -> Option<usize> {
    let mut place = tld_place(key);
    while TLD_PLACES[place] != 0 {
        let i = TLD_PLACES[place] as usize - 1;
        let whole = label.len() < KEY || TOP_LEVEL.get(i).eq_ignore_ascii_case(label);
        if TLD_KEYS[i] == key && whole {
            return Some(i);
        }
        place = (place + 1) % PLACES;
    }
    None
}

/// How many characters of a label a key has.
const KEY: usize = 8;

/// The start of a label of `len` bytes, in small letters. What is shorter than a key is
/// all there: of top-level domains these are letters alone, for which one bit tells
/// capitals.
const fn tld_key(start: [u8; KEY], len: usize) -> u64 {
    let all = if len < KEY { !(!0 << (8 * len)) } else { !0 };
    (u64::from_le_bytes(start) | 0x2020_2020_2020_2020) & all
}

/// The top-level domains.
static TOP_LEVEL: Words<{ TLDS.len() + 1 }, { len(&TLDS) }> = Words::of(&TLDS);

/// More than twice as many as there are top-level domains.
const PLACES: usize = 4096;

/// Where one is looked for: the highest bits of a product tell most of them apart.
const fn tld_place(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - PLACES.ilog2())) as usize
}

/// The keys of [`TLDS`].
static TLD_KEYS: [u64; TLDS.len()] = {
    let (mut keys, mut i) = ([0; TLDS.len()], 0);
    while i < TLDS.len() {
        keys[i] = tld_key(start(TLDS[i].as_bytes()), TLDS[i].len());
        i += 1;
    }
    keys
};

/// Where each of [`TLDS`] is found, counted from 1: at its [`tld_place`], or behind,
/// if others have it.
static TLD_PLACES: [u16; PLACES] = {
    let (mut places, mut i) = ([0; PLACES], 0);
    while i < TLDS.len() {
        let mut place = tld_place(TLD_KEYS[i]);
        while places[place] != 0 {
            place = (place + 1) % PLACES;
        }
        i += 1;
        places[place] = i as u16;
    }
    places
};

/// Letters, marks and numbers outside of ASCII, and what IDNA allows among them; `category`:
/// that of `c`.
fn is_in_label(c: char, category: GeneralCategory) -> bool {
    GeneralCategoryGroup::Letter.contains(category)
        || GeneralCategoryGroup::Mark.contains(category)
        || GeneralCategoryGroup::Number.contains(category)
        || matches!(
            c,
            '\u{B7}' | '\u{F0B}' | '\u{6FD}' | '\u{6FE}' | '\u{200C}' | '\u{200D}' | '\u{30FB}'
        )
}

/// The characters of a host by UTS #58: dots, `-`, letters, marks, numbers, and
/// what IDNA allows among them.
pub(crate) fn is_standard_host(c: char) -> bool {
    match c {
        '.' | '-' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}' => true,
        c if c.is_ascii() => c.is_ascii_alphanumeric(),
        c => is_in_label(c, CodePointMapData::<GeneralCategory>::new().get(c)),
    }
}

/// Characters that end a link in every place, delimited or not: white space,
/// controls, and what RFC 3987 section 2.2 keeps out of `ucschar` and
/// `iprivate` (bidi controls by its section 4.1).
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

/// Punctuation of East Asian width that ends an undelimited link even when
/// text follows directly: in these scripts no space follows a full stop.
pub(crate) fn ends_sentence_unspaced(c: char) -> bool {
    matches!(
        c,
        '、' | '。' | '，' | '．' | '：' | '；' | '！' | '？' | '｡' | '､' | '｢' | '｣' | '〃'
            | '\u{FE10}'..='\u{FE19}' | '\u{FE30}'..='\u{FE6B}' | '｜' | '＂' | '＇' | '＜' | '＞'
            | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301B}' | '\u{301D}'..='\u{301F}' | '（' | '）' | '［' | '］' | '｛' | '｝'
            | '｟' | '｠'
            // Double quotation marks, which no address is written with.
            | '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›' | '‘' | '‚'
    )
}

/// The labels of a host are separated by `.`, and by these where UTS #46 maps
/// them to it.
pub(crate) fn is_idna_dot(c: char) -> bool {
    matches!(c, '。' | '．' | '｡')
}

/// A letter of a script that is written without spaces between words.
pub(crate) fn is_unspaced_letter(c: char) -> bool {
    if c < '\u{E00}' {
        return false;
    }
    // Marks shared by Hiragana and Katakana have the script Common.
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

/// Kana and Hangul, whose particles are glued to what stands before them.
pub(crate) fn is_particle_letter(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}')
        || CodePointMapData::<Script>::new().get(c) == Script::Hangul
}

/// A symbol outside ASCII: emoji, arrows, dingbats, and the marks of East Asian
/// texts that stand between words.
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

/// What goes on with an emoji: a variation selector, a joiner, an enclosing mark.
pub(crate) fn joins_symbols(c: char) -> bool {
    matches!(c, '\u{FE0E}' | '\u{FE0F}' | '\u{200D}' | '\u{20E3}')
}

/// What a character outside ASCII is in a host name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HostClass {
    /// Letters, marks, numbers and the joiners that UTS #46 knows.
    Label,
    /// Symbols such as emoji: part of a label, but not glued to ASCII.
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

/// How many characters `c` is in a URI, percent-encoded if need be. What is
/// limited is limited in these, so that a converted link still fits.
pub(crate) fn encoded_len(c: char) -> u32 {
    if c.is_ascii() { 1 } else { 3 * c.len_utf8() as u32 }
}

/// `unreserved` of RFC 3986: `ALPHA / DIGIT / "-" / "." / "_" / "~"`.
pub(crate) fn is_unreserved(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z' | '0'..='9' | '-' | '.' | '_' | '~')
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    /// The standard library's tables are of another version of Unicode.
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

    /// What a query of RFC 3987 cannot hold, and white space.
    #[test]
    fn never_in_a_link_is_what_no_iri_holds() {
        use crate::reference::{Grammar, Reference};
        for c in '\0'..=char::MAX {
            let iri = format!("?{c}");
            let holds = Reference::parse(&iri, Grammar::IriReference)
                .is_ok_and(|iri| iri.bidi_findings().is_empty());
            let holds = holds && !c.is_whitespace() || c.is_ascii_graphic();
            assert_eq!(never_in_link(c), !holds, "U+{:04X}", u32::from(c));
        }
    }

    #[test]
    fn top_level_domains_are_found_and_nothing_else() {
        for (i, name) in TLDS.iter().enumerate() {
            assert_eq!(tld(name), Some(i));
            assert_eq!(tld(&name.to_uppercase()), Some(i));
            assert_eq!(tld(&format!("{name}x")), TLDS.binary_search(&&*format!("{name}x")).ok());
            // One bit tells a digit or a hyphen from a control character.
            let letters = name.bytes().all(|b| b.is_ascii_lowercase());
            assert!(!name.is_ascii() || letters || name.len() >= KEY, "{name}");
        }
        assert_eq!(tld(""), None);
        assert_eq!(tld("xn-\rp1ai"), None);
    }
}
