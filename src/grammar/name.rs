//! A run: the characters of a host without a scheme, or after an `@`.
//!
//! Characters go in one by one; the name and its end come out. Whether the name is a host or a
//! domain is decided in `bare`, `address` and `uts58`.

use alloc::string::String;

use super::{
    bare,
    classes::{self, HostClass, is_edge, is_unseen},
    marks::{self, Side},
    types::{Before, End, Item, RUN_MAX, RuleSet},
};
use crate::data::{host_words, top_level};

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
    /// The `_` before the name: where they end, and their length.
    marks: Option<(u64, usize)>,
    /// The same as `name_end` and `name_len`, before two hyphens in a row.
    dash: Option<(End, usize)>,
}

impl Run {
    pub(crate) fn new(rules: RuleSet) -> Run {
        Run {
            rules,
            text: String::new(),
            chars: 0,
            name_end: None,
            name_len: 0,
            marks: None,
            dash: None,
        }
    }

    /// Reads `item`. True if it belongs to the run.
    pub(crate) fn feed(&mut self, item: Item) -> bool {
        let last = self.text.chars().next_back();
        if !is_part(self.rules, item.c, last) || !self.joins(item.c, last) {
            return false;
        }
        self.chars += 1;
        if self.chars <= RUN_MAX + 1 {
            self.text.push(item.c);
        }
        let here = End { at: item.next };
        // In prose a hyphen at the end belongs to the text, and so does emphasis. By the standard
        // they make the name invalid.
        let mark = self.rules == RuleSet::Prose
            && (matches!(item.c, '-' | '_') || is_edge(item.c) || classes::is_middle_dot(item.c));
        if !is_dot(self.rules, item.c) && !mark {
            self.name_end = Some(here);
            self.name_len = self.text.len();
        }
        if mark {
            self.mark(item, last);
        }
        true
    }

    /// True unless `c` or the character before it is a middle dot that is no letter of the name (case
    /// middle-dots-of-names).
    #[inline]
    fn joins(&self, c: char, last: Option<char>) -> bool {
        let prose = self.rules == RuleSet::Prose;
        let dot = |c: char| !c.is_ascii() && classes::is_middle_dot(c);
        !(prose && (dot(c) || last.is_some_and(dot))) || self.is_letter(c)
    }

    #[cold]
    fn is_letter(&self, c: char) -> bool {
        let mut before = self.text.chars().rev();
        let mut side = || before.next().map_or(Side::None, Side::of);
        if classes::is_middle_dot(c) {
            // One after a complete host is a bullet.
            let labels = self.name().rsplit_once('.');
            let host = self.name_len == self.text.len()
                && labels.is_some_and(|(_, last)| last.is_ascii() && top_level::is_tld(last));
            let side = side();
            let after = [Side::L, Side::East, Side::Other];
            return !host && after.into_iter().any(|after| marks::joins_name(c, side, after));
        }
        let dot = self.text.chars().next_back().unwrap_or_default();
        let _ = side();
        marks::joins_name(dot, side(), Side::of(c))
    }

    /// Reads a mark that may come before the name or after it.
    #[cold]
    fn mark(&mut self, item: Item, last: Option<char>) {
        let before = self.marks.map_or(0, |(_, len)| len);
        if item.c == '_' && before + 1 == self.text.len() {
            self.marks = Some((item.next, self.text.len()));
        }
        let label = self.dash.is_none_or(|(_, len)| self.text[len..].contains('.'));
        if item.c == '-' && last == Some('-') && label {
            let two = self.text.len() == self.name_len + 2;
            self.dash = self.name_end.filter(|_| two).map(|end| (end, self.name_len));
        }
    }

    /// Where the name ends, and its length.
    #[inline]
    fn end(&self) -> (Option<End>, usize) {
        let end = (self.name_end, self.name_len);
        self.dash.map_or(end, |(dash, len)| if self.is_dash(len) { (Some(dash), len) } else { end })
    }

    /// True if two hyphens after the first `len` bytes are a dash: these end with a top-level domain,
    /// and no other label follows (case bare-typewriter-dash).
    #[cold]
    fn is_dash(&self, len: usize) -> bool {
        let name = self.text[..len].rsplit_once('.');
        len < self.name_len
            && !self.text[len..self.name_len].contains('.')
            && name.is_some_and(|(_, tld)| top_level::is_known(tld))
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

    /// True after a middle dot, which the next character makes a letter or a bullet.
    pub(crate) fn is_after_dot(&self) -> bool {
        let ascii = self.text.as_bytes().last().is_none_or(u8::is_ascii);
        !ascii && self.text.ends_with(classes::is_middle_dot)
    }

    /// Where the name ends.
    pub(crate) fn name_end(&self) -> Option<End> {
        self.end().0
    }

    /// The name, without the dots (and in prose other marks) at its end.
    pub(crate) fn name(&self) -> &str {
        &self.text[..self.end().1]
    }

    /// The same without emphasis before it. A `_` of a service belongs to it (case
    /// bare-service-labels).
    pub(crate) fn host(&self) -> &str {
        self.name().get(self.emphasis()..).unwrap_or_default()
    }

    /// How many `_` before the name are emphasis.
    #[inline]
    pub(crate) fn emphasis(&self) -> usize {
        self.marks.map_or(0, |(_, len)| self.emphasis_of(len))
    }

    #[cold]
    fn emphasis_of(&self, len: usize) -> usize {
        let label = self.text[len..].split('.').next().unwrap_or_default();
        let service = len == 1 && host_words::is_service(label);
        if service || len > MARKS_MAX { 0 } else { len }
    }

    /// Where the name begins, if emphasis is before it.
    pub(crate) fn begin(&self) -> Option<u64> {
        self.marks.filter(|_| self.emphasis() > 0).map(|(at, _)| at)
    }

    /// The dots (and in prose other marks) after the name.
    pub(crate) fn rest(&self) -> &str {
        &self.text[self.end().1..]
    }

    /// True if marks after the name may be emphasis, or if there are none.
    pub(crate) fn is_well_closed(&self) -> bool {
        let all = self.rest();
        let rest = || all.trim_start_matches('_');
        all.is_empty() || !rest().contains('_') && all.len() - rest().len() <= MARKS_MAX
    }

    /// How many dots (and in prose other marks) follow the name.
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
            c if c.is_ascii() => c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'),
            c => {
                (classes::host_class(c) == HostClass::Label && !classes::is_mark(c)
                    || classes::is_middle_dot(c))
                    && !is_emoji_mark(c)
                    && !(classes::is_unspaced_letter(c)
                        && last.is_some_and(|last| last.is_ascii_alphanumeric()))
            }
        },
    }
}

/// True for what shows a character before it as an emoji. No name has it (case bare-after-emoji).
pub(crate) fn is_emoji_mark(c: char) -> bool {
    matches!(c, '\u{FE0E}' | '\u{FE0F}' | '\u{20E3}')
}

/// True if a name that `c` is directly before is only the end of a longer one, which that character
/// does not divide. `further`: the character before `c`.
pub(crate) fn is_cut(c: char, further: Option<char>) -> bool {
    further.is_some_and(|before| match is_emoji_mark(c) {
        true => before.is_alphabetic(),
        false => {
            let label = || {
                classes::host_class(before) == HostClass::Label
                    && !classes::is_unspaced_letter(before)
                    && !classes::is_mark_or_middle_dot(before)
                    && !is_edge(before)
                    && !is_emoji_mark(before)
            };
            is_unseen(c) && (before.is_ascii_alphanumeric() || label())
        }
    })
}

/// The most `_` in a row that are emphasis.
pub(crate) const MARKS_MAX: usize = 3;

/// True for a `~` after another one: together they strike text out (case bare-emphasis-marks).
pub(crate) fn strikes(c: char, further: Option<char>) -> bool {
    c == '~' && further == Some('~')
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
    while let Some(before) = chars.next() {
        let label = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
        let Some(c) = before.c.filter(label) else {
            let mut further = chars.take_while(|b| b.start >= floor).map(|b| b.c).peekable();
            let strikes = before.c == Some('~') && further.peek() == Some(&Some('~'));
            return match before.c {
                _ if len == 0 => match before.c {
                    Some(c) if c.is_ascii() => BeforeDot::NoLabel,
                    _ => BeforeDot::Label,
                },
                Some('_') if !dots && before.start >= floor && !is_emphasis(&mut further) => {
                    BeforeDot::NoHost
                }
                Some(c)
                    if before.start >= floor
                        && !rows
                        && !strikes
                        && c != '\\'
                        && bare::is_joined_to(c) =>
                {
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

/// True if a `_` with these characters before it, nearest first, is emphasis before a name.
fn is_emphasis(further: &mut dyn Iterator<Item = Option<char>>) -> bool {
    let label = |c| matches!(c, '.' | '-') || classes::host_class(c) == HostClass::Label;
    let mut marks = 1;
    for c in further {
        match c {
            Some('_') if marks == MARKS_MAX => return false,
            Some('_') => marks += 1,
            c => return !c.is_some_and(|c| label(c) && !is_edge(c)),
        }
    }
    true
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
