//! A run: the characters of a host without a scheme, or after an `@`.
//!
//! Characters go in one by one; the name and its end come out. Whether the name is a host or a
//! domain is decided in `bare`, `address` and `uts58`.

use alloc::string::String;

use super::{
    bare,
    classes::{self, HostClass},
    types::{Before, End, Item, RUN_MAX, RuleSet},
};
use crate::data::top_level;

/// A run that is being read, or is complete.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    rules: RuleSet,
    /// At most [`RUN_MAX`] characters and one more.
    text: String,
    chars: usize,
    /// Where the last character ends that can end the name.
    name_end: Option<End>,
    /// The length of `text` up to there, in bytes.
    name_len: usize,
}

impl Run {
    pub(crate) fn new(rules: RuleSet) -> Run {
        Run { rules, text: String::new(), chars: 0, name_end: None, name_len: 0 }
    }

    /// Reads `item`. True if it belongs to the run.
    pub(crate) fn feed(&mut self, item: Item) -> bool {
        let last = self.text.chars().next_back();
        if !is_part(self.rules, item.c, last) {
            return false;
        }
        self.chars += 1;
        if self.chars <= RUN_MAX + 1 {
            self.text.push(item.c);
        }
        let here = End { at: item.next };
        // In prose a hyphen at the end belongs to the text. By the standard it makes the name
        // invalid.
        let hyphen = self.rules == RuleSet::Prose && item.c == '-';
        if !is_dot(self.rules, item.c) && !hyphen {
            self.name_end = Some(here);
            self.name_len = self.text.len();
        }
        true
    }

    /// Reads the ASCII letters and digits `text`, which end at `here`.
    pub(crate) fn pass(&mut self, text: &[u8], here: End) {
        self.chars += text.len();
        if self.chars <= RUN_MAX + 1 {
            self.text.extend(text.iter().map(|&b| char::from(b)));
        }
        (self.name_end, self.name_len) = (Some(here), self.text.len());
    }

    pub(crate) fn is_too_long(&self) -> bool {
        self.chars > RUN_MAX
    }

    /// How many ASCII letters and digits surely belong to the run.
    pub(crate) fn room(&self) -> u32 {
        (RUN_MAX + 1).saturating_sub(self.chars) as u32
    }

    /// True if the run ends with dots in a row. Read backwards they end a run too, so that each of
    /// its dots sees the same run (case bare-before-dots).
    pub(crate) fn is_after_ellipsis(&self) -> bool {
        self.text.ends_with("..")
    }

    /// Where the name ends.
    pub(crate) fn name_end(&self) -> Option<End> {
        self.name_end
    }

    /// The name, without the dots (and in prose hyphens) at its end.
    pub(crate) fn name(&self) -> &str {
        &self.text[..self.name_len]
    }

    /// The dots (and in prose hyphens) after the name.
    pub(crate) fn rest(&self) -> &str {
        &self.text[self.name_len..]
    }

    /// How many dots (and in prose hyphens) follow the name.
    pub(crate) fn dots(&self) -> usize {
        self.rest().chars().count()
    }
}

/// True if `c` goes on with a run after `last`.
pub(crate) fn is_part(rules: RuleSet, c: char, last: Option<char>) -> bool {
    match rules {
        RuleSet::Uts58 => classes::is_standard_host(c),
        // After ASCII a letter of an unspaced script ends the run (case bare-glued-after).
        RuleSet::Prose => match c {
            '.' | '-' | '_' => true,
            c => {
                classes::host_class(c) == HostClass::Label
                    && !(classes::is_unspaced_letter(c)
                        && last.is_some_and(|last| last.is_ascii_alphanumeric()))
            }
        },
    }
}

/// The characters before a dot in prose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BeforeDot {
    /// No label.
    NoLabel,
    /// `www` or `www2`: the label after the dot may be any.
    Www,
    /// A label that a host may have.
    Label,
    /// A label with a `_`, or a name that is part of something else. A host that begins before it
    /// does not have its last dot here; one that goes on is found from a later dot.
    NoHost,
}

/// How many characters before a dot [`before_dot`] reads.
const LABELS_MAX: usize = 63;

/// Reads the characters before a dot, nearest first. Those before `floor` do not count.
pub(crate) fn before_dot(chars: &mut dyn Iterator<Item = Before>, floor: u64) -> BeforeDot {
    let (mut len, mut dots, mut rows, mut last) = (0, false, false, '.');
    let (mut www, mut digits) = (0, true);
    for before in chars {
        let label = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
        let Some(c) = before.c.filter(label) else {
            return match before.c {
                _ if len == 0 => match before.c {
                    Some(c) if c.is_ascii() => BeforeDot::NoLabel,
                    _ => BeforeDot::Label,
                },
                Some('_') if !dots && before.start >= floor => BeforeDot::NoHost,
                Some(c) if before.start >= floor && !rows && c != '\\' && bare::is_joined_to(c) => {
                    BeforeDot::NoHost
                }
                _ if www == 3 => BeforeDot::Www,
                _ => BeforeDot::Label,
            };
        };
        if len == 0 && matches!(c, '-' | '.') {
            return BeforeDot::NoLabel;
        }
        digits &= c.is_ascii_digit();
        match c {
            'w' | 'W' if www < 3 => www += 1,
            _ if digits => {}
            _ if www < 3 => www = u8::MAX,
            _ => {}
        }
        (dots, rows) = (dots || c == '.', rows || c == '.' && last == '.');
        (len, last) = (len + 1, c);
        if len > LABELS_MAX {
            break;
        }
    }
    match (len, www) {
        (0, _) => BeforeDot::NoLabel,
        (_, 3) => BeforeDot::Www,
        _ => BeforeDot::Label,
    }
}

/// True if `c` separates labels.
pub(crate) fn is_dot(rules: RuleSet, c: char) -> bool {
    c == '.' || rules == RuleSet::Uts58 && c == '\u{3002}'
}

/// True if `name` is a domain name by UTS #58: at least two labels, none empty or with a hyphen at
/// an end, the last one a top-level domain.
pub(crate) fn is_standard_domain(name: &str) -> bool {
    let labels = || name.split(['.', '\u{3002}']);
    let last = labels().next_back().unwrap_or_default();
    labels().count() >= 2
        && labels().all(|l| !l.is_empty() && !l.starts_with('-') && !l.ends_with('-'))
        && top_level::is_tld(last)
}
