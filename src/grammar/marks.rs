//! Marks next to hosts and addresses: those of notes and the numbers of lists (`¹`, `②`, `Ⓐ`), and middle dots
//! (`・`, `·`).
//!
//! UTS #46 maps `¹` to `1` and takes `・` for a letter, so with them in its host a link would lead where nobody
//! wrote. In text they are beside a name, not in it:
//!
//! ```text
//! after a name:   a mark ends it, if it is a complete host and does not go on after the marks
//!                 a middle dot ends it, unless it is a letter between its neighbours
//! before a name:  the same, seen from the other side
//! within a label: a mark makes no link, neither of the text before it nor of the text after it
//! ```
//!
//! Characters go in; out comes whether the name is over. No charsets here, and no stages.

use alloc::string::String;

use super::{
    classes::{self, HostClass, is_edge},
    types::Before,
};
use crate::data::top_level;

/// The most marks in a row. It keeps `a.com¹¹¹…` linear.
const MARKS_MAX: u8 = 16;

/// How many characters before a mark show whether a host ends there: a top-level domain of 24 characters, the
/// dot before it, and the end of another label; or an IPv4 address.
const HOST_END: usize = 26;

/// The most characters that [`is_within`] reads.
pub(super) const BEFORE_MAX: usize = MARKS_MAX as usize + HOST_END;

/// The character next to a middle dot, as far as it matters to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Side {
    /// No letter and no digit.
    #[default]
    None,
    /// The letter `l`.
    L,
    /// Another letter or digit of ASCII.
    Ascii,
    /// A letter of Hiragana, Katakana or Han.
    East,
    /// Another letter, mark or digit.
    Other,
}

impl Side {
    pub(super) fn of(c: char) -> Side {
        match c {
            'l' | 'L' => Side::L,
            c if c.is_ascii_alphanumeric() => Side::Ascii,
            c if c.is_ascii() || classes::is_mark_or_middle_dot(c) => Side::None,
            c if is_east(c) => Side::East,
            c if classes::host_class(c) == HostClass::Label => Side::Other,
            _ => Side::None,
        }
    }

    fn is_ascii(self) -> bool {
        matches!(self, Side::L | Side::Ascii)
    }
}

/// True for a letter of Hiragana, Katakana or Han.
fn is_east(c: char) -> bool {
    let bopomofo = matches!(c, '\u{3100}'..='\u{312F}' | '\u{31A0}'..='\u{31BF}');
    c >= '\u{2E80}' && classes::is_unspaced_letter(c) && !classes::is_hangul(c) && !bopomofo
}

/// True if the middle dot `dot` is a letter between these: where IDNA 2008 allows it (RFC 5892, A.3 and A.7),
/// and `་` between letters that are not ASCII.
pub(super) fn joins(dot: char, before: Side, after: Side) -> bool {
    let sides = [before, after];
    match dot {
        '\u{B7}' | '\u{387}' => sides == [Side::L; 2],
        '\u{F0B}' => !sides.iter().any(|side| side.is_ascii() || *side == Side::None),
        _ => !sides.contains(&Side::None) && sides.contains(&Side::East),
    }
}

/// The same in a name without a scheme or a local part, which is cut where ASCII and East Asian letters meet.
pub(super) fn joins_name(dot: char, before: Side, after: Side) -> bool {
    let katakana = matches!(dot, '\u{30FB}' | '\u{FF65}');
    joins(dot, before, after) && !(katakana && (before.is_ascii() || after.is_ascii()))
}

/// True if there is a character before the middle dot `dot` with which it would be a letter of a name.
pub(super) fn may_join_name(dot: char, after: Side) -> bool {
    [Side::L, Side::East].into_iter().any(|before| joins_name(dot, before, after))
}

/// The text after a name and a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// Other text.
    Text,
    /// A letter or a digit of a script with spaces between words, or a hyphen: more of a label, or the next
    /// word.
    Label,
    /// A dot and a label: the mark was within a name.
    Dot,
}

/// The characters after a name and a mark, which show whether the mark ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Marked {
    marks: u8,
    dot: bool,
}

impl Marked {
    /// After the first mark.
    pub(super) fn new() -> Marked {
        Marked { marks: 1, dot: false }
    }

    /// Reads `c`. `None`: the next one decides.
    pub(super) fn feed(&mut self, c: char) -> Option<Next> {
        if self.dot {
            return Some(if is_label(c) { Next::Dot } else { Next::Text });
        }
        match c {
            c if is_beside(c) && self.marks < MARKS_MAX => self.marks += 1,
            '.' => self.dot = true,
            c if is_label(c) && !classes::is_unspaced_letter(c) => return Some(Next::Label),
            _ => return Some(Next::Text),
        }
        None
    }
}

/// True for marks, middle dots, and characters that nobody sees.
pub(super) fn is_beside(c: char) -> bool {
    classes::is_mark_or_middle_dot(c) || is_edge(c)
}

/// True for characters of a label other than middle dots.
fn is_label(c: char) -> bool {
    let label = classes::host_class(c) == HostClass::Label && !classes::is_middle_dot(c);
    matches!(c, '-' | '_') || label
}

/// True if a mark with these characters before it, nearest first, is within a label: a label comes before it
/// that does not end a host. `first`: the character after the mark. Nothing before `floor` counts, because a
/// link ends there.
pub(super) fn is_within(before: &mut dyn Iterator<Item = Before>, floor: u64, first: char) -> bool {
    let mut marks = 1;
    let mut chars = before.take_while(|b| b.start >= floor).map_while(|b| b.c);
    let nearest = loop {
        match chars.next() {
            Some(c) if is_beside(c) && marks < MARKS_MAX => {
                marks += 1;
            }
            nearest => break nearest,
        }
    };
    match nearest {
        None => false,
        Some('.') => chars.next().is_some_and(|c| is_label(c) && !classes::is_unspaced_letter(c)),
        Some(c) if c.is_ascii_alphanumeric() => {
            let part = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
            let name: String = chars.take_while(part).take(HOST_END - 1).collect();
            let name: String = [c].into_iter().chain(name.chars()).collect();
            !is_host_end(&name.chars().rev().collect::<String>())
        }
        // Names are cut where letters of both kinds meet.
        Some(c) if classes::is_unspaced_letter(c) => !first.is_ascii(),
        Some(c) => is_label(c),
    }
}

/// True if a name that ends with `text` is a complete host by its end.
fn is_host_end(text: &str) -> bool {
    let (rest, last) = text.rsplit_once('.').unwrap_or(("", text));
    match rest.chars().next_back() {
        None => last.eq_ignore_ascii_case("localhost"),
        Some(c) if !c.is_ascii_alphanumeric() => false,
        Some(_) if last.bytes().all(|b| b.is_ascii_digit()) => {
            let numbers = || text.rsplit('.').take(4);
            numbers().count() == 4
                && numbers().all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        }
        Some(_) => top_level::is_tld(last),
    }
}
