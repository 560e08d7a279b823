//! What a character is to a link in running text.
//!
//! Knows Unicode properties and RFC 3986/3987 character classes; knows neither
//! charsets nor positions.

use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup, Script},
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

/// Link_Email of `c` (UTS #58).
pub(crate) fn is_link_email(c: char) -> bool {
    let value = u32::from(c);
    if value < 128 {
        let sign =
            !matches!(c, '"' | '(' | ')' | ',' | ':' | ';' | '<' | '>' | '@' | '[' | '\\' | ']');
        return c.is_ascii_graphic() && sign;
    }
    let after = LINK_EMAIL.partition_point(|&(first, _)| first <= value);
    LINK_EMAIL[..after].last().is_some_and(|&(_, last)| value <= last)
}

/// Whether `label` is a top-level domain, in any case.
pub(crate) fn is_tld(label: &str) -> bool {
    if label.is_ascii() {
        return is_ascii_tld(label.as_bytes());
    }
    TOP_LEVEL.find(label.to_lowercase().as_bytes()).is_some()
}

/// [`is_tld`] of ASCII.
pub(crate) fn is_ascii_tld(label: &[u8]) -> bool {
    // Most are in lower case, as all of the table are.
    let same = |(a, b): (&u8, &u8)| a == b || a.is_ascii_lowercase() && a ^ b == 0x20;
    let is = |tld: &[u8]| tld.len() == label.len() && tld.iter().zip(label).all(same);
    let mut place = tld_place(label);
    loop {
        match TLD_PLACES[place] {
            0 => return false,
            i if is(TOP_LEVEL.get(usize::from(i) - 1)) => return true,
            _ => place = (place + 1) % PLACES,
        }
    }
}

/// The top-level domains.
static TOP_LEVEL: Words<{ TLDS.len() + 1 }, { len(&TLDS) }> = Words::of(&TLDS);

/// More than twice as many as there are top-level domains.
const PLACES: usize = 4096;

/// Where each of [`TLDS`] is found, counted from 1: at its [`tld_place`], or behind,
/// if others have it. Names are told from words at every dot.
static TLD_PLACES: [u16; PLACES] = {
    let (mut places, mut i) = ([0; PLACES], 0);
    while i < TLDS.len() {
        let mut place = tld_place(TLDS[i].as_bytes());
        while places[place] != 0 {
            place = (place + 1) % PLACES;
        }
        i += 1;
        places[place] = i as u16;
    }
    places
};

/// The same for capitals and small letters. The first letters and the last tell
/// most of them apart.
const fn tld_place(label: &[u8]) -> usize {
    let (mut place, mut i) = (label.len(), 0);
    while i < label.len() && i < 3 {
        place = place * 31 + (label[i] | 0x20) as usize;
        i += 1;
    }
    if label.len() > 3 {
        place = place * 31 + (label[label.len() - 1] | 0x20) as usize;
    }
    (place ^ place >> 12) % PLACES
}

/// The characters of a host by UTS #58: dots, `-`, letters, marks, numbers, and
/// what IDNA allows among them.
pub(crate) fn is_standard_host(c: char) -> bool {
    match c {
        '.' | '-' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}' => true,
        c if c.is_ascii() => c.is_ascii_alphanumeric(),
        '\u{B7}' | '\u{F0B}' | '\u{6FD}' | '\u{6FE}' | '\u{200C}' | '\u{200D}' | '\u{30FB}' => true,
        c => {
            let category = CodePointMapData::<GeneralCategory>::new().get(c);
            GeneralCategoryGroup::Letter.contains(category)
                || GeneralCategoryGroup::Mark.contains(category)
                || GeneralCategoryGroup::Number.contains(category)
        }
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
    if c.is_alphanumeric()
        || matches!(
            c,
            '\u{B7}' | '\u{F0B}' | '\u{6FD}' | '\u{6FE}' | '\u{200C}' | '\u{200D}' | '\u{30FB}'
        )
    {
        return HostClass::Label;
    }
    match CodePointMapData::<GeneralCategory>::new().get(c) {
        GeneralCategory::NonspacingMark
        | GeneralCategory::SpacingMark
        | GeneralCategory::EnclosingMark => HostClass::Label,
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
