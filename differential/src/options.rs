//! The options of a search.

use crate::random::Random;

/// The charsets of generated texts and of documents that are converted.
pub(crate) const CHARSETS: [&str; 8] = [
    "utf-8",
    "utf-16le",
    "utf-16be",
    "shift_jis",
    "euc-jp",
    "gb18030",
    "windows-1251",
    "iso-2022-jp",
];

/// Formats of some of the generated texts, beside running text.
const FORMATS: [&str; 6] = ["html", "xml", "json", "markdown", "asciidoc", "csv"];

#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// IRIs, bare hosts and addresses; or only IRIs.
    pub(crate) all_kinds: bool,
    /// The rules of UTS #58.
    pub(crate) standard: bool,
    pub(crate) any_scheme: bool,
    pub(crate) ascii_only: bool,
    pub(crate) max_len: Option<u64>,
    pub(crate) format: &'static str,
    /// `None`: the charset is detected.
    pub(crate) charset: Option<&'static str>,
}

impl Options {
    /// Kinds, rules, schemes and characters, in all combinations: `bits` chooses one of 16.
    pub(crate) fn of(bits: u64, charset: Option<&'static str>) -> Options {
        let bit = |n: u64| bits >> n & 1 == 1;
        Options {
            all_kinds: bit(0),
            standard: bit(1),
            any_scheme: bit(2),
            ascii_only: bit(3),
            max_len: None,
            format: "text",
            charset,
        }
    }

    /// Any options. The default rules and all characters are more frequent than the others.
    pub(crate) fn any(random: &mut Random, charset: Option<&'static str>) -> Options {
        let mut options = Options::of(random.next(), charset);
        options.standard &= random.one_in(2);
        options.ascii_only &= random.one_in(3);
        if random.one_in(8) {
            options.max_len = Some(8 + random.below(60) as u64);
        }
        if random.one_in(8) {
            options.format = random.choose(&FORMATS);
        }
        options
    }
}
