//! The class of each character: what it is to a link.

use std::fmt::Write as _;

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{Alphabetic, GeneralCategory, GeneralCategoryGroup, Script},
};

/// Something that is true of some characters: its name, a sentence, and of which.
pub(crate) type Bit = (&'static str, &'static str, fn(char) -> bool);

/// The properties of a character, one bit each. The names and their order are those of the table
/// that is written; the lowest three bits are its Link_Term.
pub(crate) const BITS: [Bit; 14] = [
    ("NEVER", "Ends a link everywhere, delimited or not.", never_in_link),
    (
        "SENTENCE",
        "East Asian punctuation, quotation marks and borders that end a link even if text follows.",
        ends_sentence,
    ),
    (
        "UNSPACED",
        "A letter of a script that is written without spaces between words.",
        is_unspaced_letter,
    ),
    (
        "HANGUL",
        "A letter of Hangul, which has spaces between words, but none before a particle.",
        is_hangul,
    ),
    (
        "PARTICLE",
        "Kana and Hangul, whose particles follow a noun without a space.",
        is_particle_letter,
    ),
    (
        "SYMBOL",
        "A symbol outside ASCII: emoji, arrows, the marks between words of East Asian texts.",
        is_symbol,
    ),
    ("LABEL", "In a host: letters, marks, numbers and what IDNA allows among them.", is_label),
    ("HOST_SYMBOL", "In a host: symbols such as emoji.", is_host_symbol),
    ("STANDARD_HOST", "In a host by UTS #58.", is_standard_host),
    ("DOT", "UTS #46 maps it to the `.` between labels.", is_idna_dot),
    ("QUOTATION", "Opens a quotation that may be part of a query.", opens_quotation),
    (
        "JOINS",
        "Continues an emoji: a variation selector, a joiner, an enclosing mark.",
        joins_symbols,
    ),
    (
        "MARK",
        "A footnote mark or the number of a list: not part of the host or address next to it.",
        is_mark,
    ),
    ("MIDDLE", "A middle dot, which is a bullet or a letter.", is_middle_dot),
];

fn category(c: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(c)
}

fn script(c: char) -> Script {
    CodePointMapData::<Script>::new().get(c)
}

fn is_in_label(c: char) -> bool {
    let category = category(c);
    GeneralCategoryGroup::Letter.contains(category)
        || GeneralCategoryGroup::Mark.contains(category)
        || GeneralCategoryGroup::Number.contains(category)
        || matches!(
            c,
            '\u{B7}' | '\u{F0B}' | '\u{6FD}' | '\u{6FE}' | '\u{200C}' | '\u{200D}' | '\u{30FB}'
        )
}

fn is_standard_host(c: char) -> bool {
    match c {
        '.' | '-' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}' => true,
        c if c.is_ascii() => c.is_ascii_alphanumeric(),
        c => is_in_label(c),
    }
}

/// White space, controls, and what RFC 3987 section 2.2 excludes from `ucschar` and `iprivate` (bidi
/// controls by its section 4.1).
fn never_in_link(c: char) -> bool {
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

/// These scripts write no space after a full stop; double quotation marks are in no address.
fn ends_sentence(c: char) -> bool {
    matches!(
        c,
        '、' | '。' | '，' | '．' | '：' | '；' | '！' | '？' | '｡' | '､' | '｢' | '｣' | '〃'
            | '\u{FE10}'..='\u{FE19}' | '\u{FE30}'..='\u{FE6B}' | '｜' | '＂' | '＇' | '＜' | '＞'
            | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301B}' | '\u{301D}'..='\u{301F}'
            | '（' | '）' | '［' | '］' | '｛' | '｝' | '｟' | '｠'
            | '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›' | '‘' | '‚'
    ) || is_border(c)
}

/// What programs draw tables with.
fn is_border(c: char) -> bool {
    matches!(c, '\u{2500}'..='\u{257F}')
}

fn is_unspaced_letter(c: char) -> bool {
    if c < '\u{E00}' {
        return false;
    }
    // Nobody sees these, so that they divide nothing.
    if matches!(c, '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{3164}' | '\u{FFA0}') {
        return false;
    }
    // Marks that Hiragana and Katakana share have the script Common.
    if matches!(c, '々' | '〆' | '〇' | 'ー' | 'ｰ' | 'ﾞ' | 'ﾟ' | '゛' | '゜') {
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
    .contains(&script(c))
}

fn is_hangul(c: char) -> bool {
    is_unspaced_letter(c) && script(c) == Script::Hangul
}

fn is_particle_letter(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}') || is_hangul(c)
}

fn is_symbol(c: char) -> bool {
    let category = category(c);
    let symbol = matches!(
        category,
        GeneralCategory::OtherSymbol
            | GeneralCategory::MathSymbol
            | GeneralCategory::ModifierSymbol
    );
    !c.is_ascii()
        && !is_unspaced_letter(c)
        && !is_border(c)
        && (matches!(c, '・' | '※' | '〜') || symbol)
}

fn joins_symbols(c: char) -> bool {
    matches!(c, '\u{FE0E}' | '\u{FE0F}' | '\u{200D}' | '\u{20E3}')
}

fn is_label(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    // Letters in circles and squares too.
    is_in_label(c)
        || category(c) == GeneralCategory::OtherSymbol
            && CodePointSetData::new::<Alphabetic>().contains(c)
}

fn is_host_symbol(c: char) -> bool {
    let category = category(c);
    // Those of full width are signs of ASCII to UTS #46, which no host has.
    let wide = matches!(c, '\u{FE50}'..='\u{FE6F}' | '\u{FF01}'..='\u{FF5E}');
    !c.is_ascii()
        && GeneralCategoryGroup::Symbol.contains(category)
        && !wide
        && !is_label(c)
        && !is_border(c)
}

fn is_idna_dot(c: char) -> bool {
    matches!(c, '。' | '．' | '｡')
}

/// Numbers in circles, superscripts and the like, which UTS #46 maps to letters and digits, or which are
/// numbers of no script's digits. A reader takes them for the mark of a note or the number of a list.
fn is_mark(c: char) -> bool {
    let mapped = || {
        let text = c.encode_utf8(&mut [0; 4]).to_owned();
        let mapped = ComposingNormalizerBorrowed::new_nfkc().normalize(&text).into_owned();
        // Without characters that are only written in another way.
        mapped != ComposingNormalizerBorrowed::new_nfc().normalize(&text)
    };
    // The forms of half and of full width read as the letters that they stand for.
    let wide = matches!(c, '\u{FF00}'..='\u{FFEF}');
    match category(c) {
        GeneralCategory::OtherNumber => true,
        GeneralCategory::LetterNumber | GeneralCategory::ModifierLetter => mapped() && !wide,
        _ if is_host_symbol(c) => mapped() && !wide,
        GeneralCategory::OtherSymbol => mapped(),
        // The ordinals, and the letter in a blue square.
        _ => matches!(c, 'ª' | 'º' | 'ℹ'),
    }
}

/// `·` (and the Greek one, which is the same), the ones of Katakana, and the one between syllables of Tibetan.
fn is_middle_dot(c: char) -> bool {
    matches!(c, '\u{B7}' | '\u{387}' | '\u{30FB}' | '\u{FF65}' | '\u{F0B}')
}

fn opens_quotation(c: char) -> bool {
    matches!(c, '“' | '„' | '‘' | '‚' | '«' | '»' | '‹' | '›')
}

/// The characters of a leaf, and the leaves of a block. (Larger ones make larger tables.)
const LEAF: usize = 16;
const BLOCK: usize = 8;
/// Characters from here on are found by their range.
const LIMIT: u32 = 0x2_0000;

/// Writes the table. `terms`: the ranges of Link_Term, sorted, without those of `Hard`; `emails`: those
/// of Link_Email.
pub(crate) fn generate(terms: &[(u32, u32, String)], emails: &[(u32, u32)], dates: &str) -> String {
    let mut term = vec![0u32; 0x11_0000];
    for (first, last, value) in terms {
        let value = ["Hard", "Include", "Soft", "Open", "Close"].iter().position(|n| n == value);
        let value = value.expect("the value should be a Link_Term") as u32;
        term[*first as usize..=*last as usize].fill(value);
    }
    let mut email = vec![false; 0x11_0000];
    for (first, last) in emails {
        email[*first as usize..=*last as usize].fill(true);
    }
    let set = |code: u32| {
        // Surrogates are no characters.
        let c = char::from_u32(code).unwrap_or('\0');
        let mut set = term[code as usize];
        for (i, (_, _, is)) in BITS.iter().enumerate() {
            set |= u32::from(is(c)) << (3 + i);
        }
        set | u32::from(email[code as usize]) << (3 + BITS.len())
    };
    let sets: Vec<u32> = (0..0x11_0000).map(set).collect();
    // Letters outside of ASCII come first, so that one comparison knows them.
    let mut order: Vec<(u8, u32)> =
        (0..).zip(&sets).map(|(c, set)| (rank(c, *set), *set)).collect();
    order.sort_unstable();
    order.dedup();
    let class = |(c, set): (u32, &u32)| {
        order.binary_search(&(rank(c, *set), *set)).expect("each class is listed") as u8
    };
    let classes: Vec<u8> = (0..).zip(&sets).map(class).collect();
    let end = |rank| order.partition_point(|(of, _)| *of <= rank);
    let letters = (end(0), end(1));
    let sets: Vec<u32> = order.iter().map(|(_, set)| *set).collect();
    let (leaves, leaf_of) = distinct(&classes[..LIMIT as usize], LEAF);
    let (blocks, block_of) = distinct(&leaf_of, BLOCK);
    let mut high: Vec<(u32, u8)> = Vec::new();
    for (code, class) in (LIMIT..).zip(&classes[LIMIT as usize..]) {
        match high.last_mut() {
            Some((last, same)) if same == class => *last = code,
            _ => high.push((code, *class)),
        }
    }
    let is_letter = |class: &u8| usize::from(*class) < letters.1;
    let mut words: Vec<u64> = classes[..0x1_0000]
        .chunks(64)
        .map(|chars| chars.iter().rev().fold(0, |word, c| word << 1 | u64::from(is_letter(c))))
        .collect();
    let short = words[..0x800 / 64].to_vec();
    // What is encoded in three bytes and has two is malformed.
    words[..0x800 / 64].fill(0);
    let (mut words, word_of) = distinct(&words, 1);
    assert!(words.len() <= 256 && blocks.len() <= 256 * BLOCK, "indexes should have one byte");
    // So many that no index is out of bounds.
    words.resize(256, 0);
    write((&sets, letters), (&short, &words, &word_of), (&block_of, &blocks, &leaves), &high, dates)
}

/// 0: a letter of a script without spaces between words that is nothing else. 1: such a letter, mark or
/// number of another script, outside of ASCII. 2: other characters.
fn rank(code: u32, set: u32) -> u8 {
    let bit = |name: &str| {
        let at = BITS.iter().position(|(bit, ..)| *bit == name).expect("the bit should be there");
        1 << (3 + at)
    };
    let (label, unspaced) = (bit("LABEL"), bit("UNSPACED"));
    let others: u32 =
        ["NEVER", "SENTENCE", "SYMBOL", "DOT", "QUOTATION", "MARK", "MIDDLE"].map(bit).iter().sum();
    const INCLUDE: u32 = 1;
    // Invisible at the end of a link: they decide something.
    if matches!(code, 0x34F | 0x200C | 0x200D | 0xFE00..=0xFE0F) {
        return 2;
    }
    match set & (7 | others | label | unspaced) {
        set if set == INCLUDE | label | unspaced => 0,
        set if set == INCLUDE | label && code >= 0x80 => 1,
        _ => 2,
    }
}

/// The different rows of `values`, `size` values each, one after the other; and which of them each row
/// is.
fn distinct<T: Copy + PartialEq>(values: &[T], size: usize) -> (Vec<T>, Vec<usize>) {
    let mut rows: Vec<&[T]> = Vec::new();
    let number = |row| {
        rows.iter().position(|seen| *seen == row).unwrap_or_else(|| {
            rows.push(row);
            rows.len() - 1
        })
    };
    let numbers = values.chunks(size).map(number).collect();
    (rows.concat(), numbers)
}

fn write(
    (sets, letters): (&[u32], (usize, usize)),
    (short, words, word_of): (&[u64], &[u64], &[usize]),
    (block_of, blocks, leaves): (&[usize], &[usize], &[u8]),
    high: &[(u32, u8)],
    dates: &str,
) -> String {
    let mut out = format!(
        "// @generated by `cargo run -p iriscan-tables`. Do not edit.\n\
         // From {dates}\n\
         // and from General_Category, Script and Alphabetic of Unicode.\n\
         // \u{a9} 2026 Unicode, Inc. Licensed under the Unicode License V3; see LICENSE-UNICODE.\n\n\
         //! What each character is to a link: a class, and the bits of each class. Generated.\n\n"
    );
    let _ = writeln!(out, "/// Link_Term: `Hard` (0), `Include`, `Soft`, `Open` or `Close`.");
    out.push_str("pub(crate) const TERM: u32 = 7;\n");
    let email = ("EMAIL", "Link_Email.");
    let names = BITS.iter().map(|(name, what, _)| (*name, *what)).chain([email]);
    for (i, (name, what)) in names.enumerate() {
        let _ = writeln!(out, "/// {what}\npub(crate) const {name}: u32 = 1 << {};", 3 + i);
    }
    let _ = write!(
        out,
        "\n/// Characters from here on are in [`HIGH`].\npub(crate) const LIMIT: u32 = 0x{LIMIT:X};\n\
         \n/// The characters of a leaf, and the leaves of a block.\n\
         pub(crate) const LEAF: usize = {LEAF};\npub(crate) const BLOCK: usize = {BLOCK};\n"
    );
    let _ = write!(
        out,
        "\n/// The classes before this one are letters of scripts without spaces between words.\n\
         pub(crate) const UNSPACED_LETTERS: u8 = {};\n\
         \n/// The classes from there to this one are letters of other scripts, outside of ASCII.\n\
         pub(crate) const LETTERS: u8 = {};\n",
        letters.0, letters.1
    );
    array(&mut out, "The bits of each class.", "SETS", "u32", sets);
    let hex = |words: &[u64]| words.iter().map(|word| format!("0x{word:X}")).collect::<Vec<_>>();
    let what = "One bit for each letter among 64 characters that have two bytes in UTF-8.";
    array(&mut out, what, "SHORT_LETTERS", "u64", &hex(short));
    let what = "The word of each 64 characters that have three bytes in UTF-8.";
    array(&mut out, what, "LETTER_WORD_OF", "u8", word_of);
    let what = "One bit for each letter among 64 of these.";
    array(&mut out, what, "LETTER_WORDS", "u64", &hex(words));
    array(&mut out, "The block of so many characters.", "BLOCKS", "u8", block_of);
    array(&mut out, "The leaves of each block.", "LEAVES", "u16", blocks);
    array(&mut out, "The class of each character of a leaf.", "CLASSES", "u8", leaves);
    let _ = write!(
        out,
        "\n/// The last character of a range and its class, sorted.\n\
         #[rustfmt::skip]\npub(crate) static HIGH: [(u32, u8); {}] = [\n",
        high.len()
    );
    for (last, class) in high {
        let _ = writeln!(out, "    (0x{last:X}, {class}),");
    }
    out.push_str("];\n");
    out
}

fn array<T: ToString>(out: &mut String, what: &str, name: &str, kind: &str, values: &[T]) {
    let _ = write!(
        out,
        "\n/// {what}\n#[rustfmt::skip]\npub(crate) static {name}: [{kind}; {}] = [\n",
        values.len()
    );
    for row in values.chunks(24) {
        let row: Vec<String> = row.iter().map(T::to_string).collect();
        let _ = writeln!(out, "    {},", row.join(","));
    }
    out.push_str("];\n");
}
