//! What the text directly after a host says about it: the name may go on with characters that no host has.
//!
//! `https://evil\.example\.com`, `https://s3-<region>.example.com` and `https://www。example。com` are not links to
//! `evil`, `s3-` and `www`. So a host that is not complete waits for up to [`MOST`] characters after it. The
//! characters go in, one by one; out comes one of [`Shows`]. No charsets here, and no stages.

use alloc::{string::String, vec::Vec};

use super::{
    classes::{self, HostClass},
    marks::{self, Side},
    types::{End, Item},
};
use crate::data::top_level;

/// The most characters after a host that decide about it.
pub(super) const MOST: usize = 64;

/// The longest top-level domain in ASCII has 24 characters.
const LABEL_MAX: usize = 24;

/// The meaning of the text after a host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shows {
    /// Other text: the host is over.
    Over,
    /// More of a name that no host has: there is no link.
    Lost,
    /// A dot of UTS #46, or a middle dot that is a letter, and the next label.
    Dot,
}

/// The end of a name, in which a last label is that may be a top-level domain.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Label {
    /// The last characters. Escapes, and characters outside of ASCII, are [`Label::OTHER`].
    text: [u8; Label::SIZE],
    len: u8,
}

impl Label {
    /// A label, the dots on both sides, and more.
    const SIZE: usize = LABEL_MAX + 8;
    const OTHER: u8 = 0x80;

    /// Reads a run of labels and single dots.
    #[inline]
    pub(super) fn read(&mut self, run: &[u8]) {
        if self.len == 0 && run.len() <= Label::SIZE {
            self.text[..run.len()].copy_from_slice(run);
            self.len = run.len() as u8;
        } else if let Some(last) = run.last_chunk() {
            (self.text, self.len) = (*last, Label::SIZE as u8);
        } else {
            run.iter().for_each(|b| self.append(*b));
        }
    }

    fn append(&mut self, byte: u8) {
        if usize::from(self.len) == Label::SIZE {
            self.text.rotate_left(1);
            self.len -= 1;
        }
        self.text[usize::from(self.len)] = byte;
        self.len += 1;
    }

    /// Reads one more character.
    pub(super) fn push(&mut self, c: char) {
        if c != '.' || self.len == 0 || self.text[usize::from(self.len) - 1] != b'.' {
            self.append(if c.is_ascii() && c != '%' { c as u8 } else { Label::OTHER });
        }
    }

    /// One that ends a name.
    pub(super) fn unknown() -> Label {
        let mut label = Label::default();
        label.forget();
        label
    }

    /// Notes letters outside of ASCII.
    pub(super) fn forget(&mut self) {
        self.append(Label::OTHER);
    }

    /// The label as written. `None` if it is longer than [`LABEL_MAX`], or not ASCII.
    fn whole(&self) -> Option<&[u8]> {
        let name = &self.text[..usize::from(self.len)];
        let name = name.strip_suffix(b".").unwrap_or(name);
        let label = name.iter().rposition(|b| *b == b'.').map_or(name, |at| &name[at + 1..]);
        (label.len() <= LABEL_MAX && label.is_ascii()).then_some(label)
    }

    /// The same without hyphens and underscores at its end.
    fn text(&self) -> Option<&[u8]> {
        let mut text = self.whole()?;
        while let [rest @ .., b'-' | b'_'] = text {
            text = rest;
        }
        Some(text)
    }

    /// True if it is not ASCII, or stands for such a label in Punycode: rewriting a host must not change where it
    /// ends.
    fn is_foreign(&self) -> bool {
        self.text()
            .is_none_or(|text| text.get(..4).is_some_and(|it| it.eq_ignore_ascii_case(b"xn--")))
    }

    /// True if the name that ends with the label is as long as names are; `dots`: how many it has.
    fn completes(&self, dots: u32) -> bool {
        let text = self.text().unwrap_or_default();
        match dots {
            0 => text.eq_ignore_ascii_case(b"localhost"),
            _ if self.is_number() => dots == 3,
            _ => top_level::is_known_ascii(text, text.len()),
        }
    }

    /// What its last character is to a middle dot after it. `other`: the same, if that is not ASCII.
    pub(super) fn side(&self, other: Side) -> Side {
        match self.text[..usize::from(self.len)].last() {
            Some(&Label::OTHER) => other,
            Some(byte) => Side::of(char::from(*byte)),
            None => Side::None,
        }
    }

    /// True if it is surely the end of a host: a top-level domain, the end of an IPv4 address, `localhost`, or a
    /// label that is not ASCII.
    fn is_registered(&self, dots: u32) -> bool {
        let text = self.text().and_then(|text| core::str::from_utf8(text).ok());
        let special = dots == 0 || self.is_number();
        dots > 0 && self.is_foreign()
            || special && self.completes(dots)
            || !special && text.is_some_and(top_level::is_tld)
    }

    /// True if it has digits and nothing else.
    fn is_number(&self) -> bool {
        let text = self.text().unwrap_or_default();
        !text.is_empty() && text.iter().all(u8::is_ascii_digit)
    }
}

/// A host that waits for the text after it.
#[derive(Clone, Debug)]
pub(super) struct Ahead {
    /// The text so far.
    pub(super) items: Vec<Item>,
    /// Where the link ends if the text is other text.
    pub(super) end: Option<End>,
    pub(super) host: Before,
}

/// The host before the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    /// The text follows the colon of a port.
    pub(super) port: bool,
    /// The last label, and how many dots are before it and after it: the exact number only in what may be an
    /// IPv4 address, otherwise none or `u32::MAX`.
    pub(super) last: Label,
    pub(super) dots: u32,
    pub(super) trailing: u32,
    /// A dot of UTS #46 was one of them; whether the label after it is a top-level domain.
    pub(super) wide: Option<bool>,
    /// It may be a sentence.
    pub(super) foreign: bool,
    /// What the last character is to a middle dot.
    pub(super) side: Side,
}

impl Before {
    /// An address in brackets.
    pub(super) fn literal() -> Before {
        Before {
            port: true,
            last: Label::unknown(),
            dots: 1,
            trailing: 0,
            wide: None,
            foreign: false,
            side: Side::None,
        }
    }

    /// True if the host is complete, so that text may follow. A label that is not ASCII may be the last.
    pub(super) fn is_complete(&self) -> bool {
        self.dots > 0 && self.last.is_foreign() || self.last.completes(self.dots)
    }

    /// True if no host is there.
    fn is_empty(&self) -> bool {
        self.dots == 0 && self.last.len == 0
    }

    /// True if it is a part of an IPv4 address.
    fn is_part_of_address(&self) -> bool {
        self.last.is_number() && !self.last.completes(self.dots)
    }

    /// True if it begins an IPv4 address.
    fn is_half_address(&self) -> bool {
        self.trailing == 1 && self.dots < 3 && self.last.is_number()
    }
}

/// True if the character after a host may go on with its name. `complete`: the host is complete.
pub(super) fn may_go_on(c: char, complete: impl FnOnce() -> bool) -> bool {
    match c {
        '\\' | '[' | '\u{2024}' => true,
        c if classes::is_idna_dot(c) => true,
        c if !c.is_ascii() => !complete(),
        '{' | '$' | '<' | '(' | '*' | '+' | '=' | '~' | '!' | '^' | ',' | ';' | '&' => !complete(),
        _ => false,
    }
}

/// True if the character after the colon of a port may begin a placeholder.
pub(super) fn may_be_port(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '*' | '<' | '[' | '(' | '\\' | '"' | '\'')
}

impl Ahead {
    fn nth(&self, at: usize) -> Option<char> {
        self.items.get(at).map(|item| item.c)
    }

    fn first(&self) -> char {
        self.nth(0).unwrap_or_default()
    }

    /// True if `c` comes next and is needed.
    pub(super) fn takes(&self, c: char) -> bool {
        let last = self.items.last().map_or('\0', |item| item.c);
        let text = classes::is_unspaced_letter(c) && last.is_ascii_alphanumeric();
        if self.items.len() >= MOST || text || c.is_whitespace() {
            return false;
        }
        let first = self.first();
        if self.host.port {
            return self.takes_port(first, c);
        }
        if classes::is_mark_or_middle_dot(first) {
            return if classes::is_mark(first) { self.takes_mark(c) } else { self.takes_dot(c) };
        }
        if classes::is_idna_dot(first) {
            let is_dot = |c| c == '.' || classes::is_idna_dot(c);
            let second = self.items.iter().skip(1).any(|item| is_dot(item.c));
            return is_label(c) || is_dot(c) && !second && is_label(last);
        }
        match c {
            ':' | '@' if first == '[' && self.items.len() == 1 => true,
            '/' | '?' | '#' | '"' | '\'' | '`' | ':' | '@' => false,
            '<' => false,
            '>' => first == '<',
            '\\' => first == '\\' && last == '\\',
            c => !classes::ends_sentence_unspaced(c) && !classes::never_in_link(c),
        }
    }

    /// True after a mark.
    pub(super) fn is_marked(&self) -> bool {
        classes::is_mark(self.first())
    }

    /// How many marks come first.
    fn marks(&self) -> usize {
        self.items.iter().take_while(|item| marks::is_beside(item.c)).count()
    }

    /// As [`Ahead::takes`], after a mark.
    fn takes_mark(&self, c: char) -> bool {
        let marks = self.marks();
        match self.items.get(marks).map(|item| item.c) {
            None if marks::is_beside(c) => true,
            None if matches!(c, '/' | '?' | '#' | ':') => !self.host.is_complete(),
            None => c == '.' || is_part(c),
            // The next one decides.
            Some('.') if self.items.len() == marks + 1 => is_part(c),
            Some(':') if self.items.len() == marks + 1 => c.is_ascii_digit(),
            Some(_) => false,
        }
    }

    /// As [`Ahead::takes`], after a middle dot.
    fn takes_dot(&self, c: char) -> bool {
        let host = &self.host;
        let part = c == '.' || is_part(c) || marks::is_beside(c);
        !host.last.completes(host.dots) && !self.is_after_middle_dot() && part
    }

    /// True if a middle dot is a letter between the host and the character after it.
    pub(super) fn is_after_middle_dot(&self) -> bool {
        let (first, host) = (self.first(), &self.host);
        let side = if host.trailing > 0 { Side::None } else { host.side };
        let after = self.nth(1).map_or(Side::None, Side::of);
        classes::is_middle_dot(first)
            && !host.last.completes(host.dots)
            && marks::joins(first, side, after)
    }

    /// True if the name goes on after marks, which are within it then.
    fn is_marked_within(&self) -> bool {
        let (host, marks) = (&self.host, self.marks());
        let complete = host.is_complete();
        match (self.nth(marks), self.nth(marks + 1)) {
            _ if complete && host.trailing > 0 => false,
            _ if host.is_part_of_address() => true,
            (Some('.'), next) => next.is_some(),
            (Some('/' | '?' | '#'), _) | (Some(':'), Some(_)) => true,
            (None | Some(':'), _) => false,
            (Some(c), _) if complete && classes::is_unspaced_letter(c) => false,
            (Some(_), _) => !host.last.is_registered(host.dots),
        }
    }

    fn takes_port(&self, first: char, c: char) -> bool {
        let close = match first {
            '<' => '>',
            '[' => ']',
            '(' => ')',
            '*' | '\\' => return self.items.len() == 1 && c.is_ascii_graphic() && c != '/',
            '"' | '\'' => return self.items.len() == 1 && c == '+',
            _ => return c.is_ascii_alphanumeric() || c == '_',
        };
        let closed = self.items.iter().any(|item| item.c == close);
        !closed && (c == close || c.is_ascii_alphanumeric() || "_-\\".contains(c))
    }

    /// What the text shows if it ends here.
    pub(super) fn shows(&self) -> Shows {
        let (first, host) = (self.first(), &self.host);
        let lost = |lost| if lost { Shows::Lost } else { Shows::Over };
        if host.port {
            return lost(self.is_port(first));
        }
        if classes::is_idna_dot(first) {
            let text = host.is_complete() || host.foreign || host.is_empty();
            return match self.is_dot() {
                true => Shows::Dot,
                false => lost(!text && self.is_half()),
            };
        }
        if classes::is_mark(first) {
            return lost(self.is_marked_within());
        }
        if self.is_after_middle_dot() {
            return Shows::Dot;
        }
        let complete = host.is_complete();
        let goes_on = || self.goes_on();
        let half = host.is_half_address() && "*{<[(\\".contains(first);
        let next = self.nth(1).unwrap_or(' ');
        lost(
            half || match first {
                '\\' => self.is_pattern(complete),
                '\u{2024}' => is_label(next),
                '&' => self.is_unseen(),
                '[' if next == '.' && self.nth(2) == Some(']') => true,
                // `user[@host]`, `host[:port]` of a synopsis.
                '[' if next == ':' || next == '@' && !complete => true,
                '[' if complete => false,
                '{' | '…' if host.dots == 0 => true,
                '$' if host.dots == 0 && (next.is_alphabetic() || "{(_".contains(next)) => true,
                // `www.a<br>.b` is no text that anybody writes.
                '<' => {
                    let close = self.items.iter().position(|item| item.c == '>');
                    let after = close.and_then(|at| self.nth(at + 1));
                    let joined = |c| matches!(c, '.' | '-' | '_') || host.is_empty() && is_label(c);
                    after.is_some_and(joined) && goes_on()
                }
                c if classes::is_middle_dot(c) => {
                    let address = host.is_part_of_address() && is_label(next);
                    !host.last.completes(host.dots) && (address || goes_on())
                }
                c if !c.is_ascii() => self.is_half(),
                _ => goes_on(),
            },
        )
    }

    /// True if a dot and a label come in this text.
    fn goes_on(&self) -> bool {
        self.items.windows(2).any(|two| two[0].c == '.' && is_label(two[1].c))
    }

    /// True if the name goes on after a character outside of ASCII that is in no name, so that the host before it
    /// is half of one.
    fn is_half(&self) -> bool {
        let next = self.nth(1).unwrap_or(' ');
        let address = self.host.is_part_of_address() && is_label(next);
        address
            || match self.first() {
                c if classes::ends_sentence_unspaced(c) => {
                    next.is_ascii_alphanumeric() && self.goes_on()
                }
                // A hyphen, or a form of punctuation of ASCII.
                '\u{2010}' | '\u{2011}' | '\u{FF01}'..='\u{FF5E}' if is_spaced(next) => true,
                _ => self.goes_on(),
            }
    }

    /// True if a dot of UTS #46 joins the host and the label after it (case dots-of-uts46-in-text).
    fn is_dot(&self) -> bool {
        let host = &self.host;
        let label = self.label();
        if label.is_empty() || host.trailing > 0 || host.is_empty() {
            return false;
        }
        let after = self.items.len() - 1 - label.chars().count();
        let another = after >= 2 && is_label(self.items[self.items.len() - 1].c);
        let (registered, wide) = (top_level::is_tld(&label), host.wide.is_some());
        let unknown = host.last.is_foreign() && host.dots > 0;
        let complete = match host.wide {
            Some(registered) if unknown => registered,
            _ => host.is_complete(),
        };
        match (host.dots, complete) {
            (0, true) => false,
            (0, false) => registered || another && !host.foreign,
            (_, complete) => {
                registered && label.is_ascii() && (wide || !complete) || wide && !complete
            }
        }
    }

    /// The label after the first dot.
    fn label(&self) -> String {
        let chars = self.items.iter().skip(1).map(|item| item.c);
        chars.take_while(|c| is_label(*c)).collect()
    }

    /// True if the label after the first dot is a top-level domain.
    pub(super) fn is_registered(&self) -> bool {
        top_level::is_tld(&self.label())
    }

    /// True for an invisible character, written as a reference, inside a name.
    fn is_unseen(&self) -> bool {
        let text: String = self.items.iter().map(|item| item.c).collect();
        let mut names = ["&shy;", "&zwj;", "&zwnj;", "&NoBreak;", "&ZeroWidthSpace;"].into_iter();
        names.any(|name| text.strip_prefix(name).is_some_and(|rest| rest.starts_with(is_label)))
    }

    /// True if a pattern or a program goes on after the `\`.
    fn is_pattern(&self, complete: bool) -> bool {
        let escapes = self.items.iter().take_while(|item| item.c == '\\').count();
        let [Some(c), next] = [self.nth(escapes), self.nth(escapes + 1)] else { return false };
        match c {
            '.' | '-' => next.is_some_and(is_label),
            'd' | 'w' | 'S' | 'D' | 'W' | '(' | '[' | '{' | '$' | '*' | '+' => !complete,
            _ => false,
        }
    }

    /// True if what follows the colon is the name of a port, or will be replaced by it.
    fn is_port(&self, first: char) -> bool {
        let text: String = self.items.iter().map(|item| item.c).collect();
        let next = self.nth(1);
        match first {
            // A program adds the port.
            '"' | '\'' => next == Some('+'),
            '*' => next != Some('*'),
            '\\' if self.host.dots == 0
                && self.host.last.whole().is_some_and(|label| label.len() == 1) =>
            {
                true
            }
            '\\' => next.is_some_and(|c| "dw([{$".contains(c)),
            '<' | '[' | '(' => {
                let inner = text[1..].strip_suffix(['>', ']', ')']);
                inner.is_some_and(|inner| {
                    let digits = |c: char| c.is_ascii_digit() || "-\\d".contains(c);
                    is_port_name(inner)
                        || inner.to_ascii_lowercase().contains("port")
                        || first == '[' && inner.contains('-') && inner.chars().all(digits)
                })
            }
            _ => is_port_name(&text),
        }
    }

    /// The place after the text, from which names may be looked for again.
    pub(super) fn lost(&self) -> Lost {
        let marked = self.is_marked();
        self.items.iter().fold(Lost { marked, ..Lost::default() }, |lost, item| lost.and(*item))
    }
}

/// True for a placeholder of a port: `PORT`, `port`, `my_port`, `XXXX`.
fn is_port_name(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let capitals = word.len() > 1 && !word.bytes().any(|b| b.is_ascii_lowercase());
    let same = lower.len() > 1 && ["x", "n"].iter().any(|one| lower.replace(one, "").is_empty());
    let named = lower.split(['_', '-']).any(|part| part == "port") || word.ends_with("Port");
    capitals && word.starts_with(|c: char| c.is_ascii_alphabetic()) || same || named
}

/// True for characters of a label and for `_`, but not for middle dots.
fn is_part(c: char) -> bool {
    c == '_' || is_label(c) && !classes::is_middle_dot(c)
}

/// True for characters of a label of a script with spaces between words.
fn is_spaced(c: char) -> bool {
    is_label(c) && !classes::is_unspaced_letter(c)
}

fn is_label(c: char) -> bool {
    c == '-' || classes::host_class(c) == HostClass::Label
}

/// The rest of a name that goes on with characters of no host. No link begins in it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lost {
    /// Where the last character ends, and where the letters and digits of ASCII begin that end there.
    end: u64,
    word: Option<u64>,
    over: bool,
    /// A mark within the name shows that it is no host.
    pub(super) marked: bool,
}

impl Lost {
    /// With `item` as its first character.
    pub(super) fn after(item: Item) -> Lost {
        Lost::default().and(item)
    }

    /// With the mark `item` as its first character.
    pub(super) fn at_mark(item: Item) -> Lost {
        Lost { marked: true, ..Lost::after(item) }
    }

    fn and(self, item: Item) -> Lost {
        let word = item.c.is_ascii_alphanumeric().then(|| self.word.unwrap_or(item.at));
        Lost { end: item.next, word, over: false, ..self }
    }

    /// Reads one more character, which may be the first one after it.
    pub(super) fn feed(&mut self, item: Item) {
        let marks = ".-_\\{}$%*+&()[]=~!^";
        if self.over {
            // The characters from here on are other text.
        } else if marks.contains(item.c) || is_label(item.c) {
            *self = self.and(item);
        } else {
            self.over = true;
            // Before a colon a scheme may be.
            self.end = self.word.filter(|_| item.c == ':').unwrap_or(self.end);
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// From where on links may begin again.
    pub(super) fn end(&self) -> End {
        End { at: self.end }
    }
}
