//! The host of a link in running text, read character by character, with the port after it.
//!
//! Characters go in; out comes where the host ends, or that it waits for the text after it, or that there is
//! no link. What must hold: a host is not cut within its first label, and each state takes every character.

use alloc::{boxed::Box, vec};

use super::{
    adjoining::{self, PARTICLE_MAX},
    ahead::{self, Ahead, Before, Label, Lost, Shows},
    classes::{self, HostClass},
    marks::Side,
    types::{End, Item},
};
use crate::reference::ip_literal::is_ip_literal_with_zone;

#[derive(Clone, Debug)]
pub(super) enum Host {
    Name(Name),
    /// After `[`, before the `]`.
    Literal {
        text: [u8; 64],
        len: u8,
    },
    /// After the `]`: only a port or the tail may follow.
    Closed(End),
    /// After the `:`. `end`: where the link ends with the digits so far.
    Port {
        digits: u32,
        value: u32,
        end: End,
        after: After,
        /// The host has no dot.
        single: bool,
        /// The host may be the first group of an IPv6 address without brackets.
        group: bool,
        host: Before,
    },
    /// After a name without a scheme, or one between delimiters, and `[`: `foo.org[.]example` is
    /// written so that nobody opens it; `foo.org` is not meant either.
    Defused {
        dot: bool,
        end: Option<End>,
    },
    /// After a name or its colon, while the text after it decides whether the name goes on.
    Ahead(Box<Waiting>),
    /// The name goes on with what is in no host: there is no link, and none in the rest of it.
    Lost(Lost),
    /// The host is complete. Only an `@` can still overturn it.
    Settled(Option<End>),
}

/// What the text around a host is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// Running text.
    Text,
    /// Brackets and the like, which may hold a sentence.
    Phrase,
    /// Straight quotes: what they hold is data (RFC 3986, appendix C).
    Quotes,
    /// The whole delimited field is one reference.
    Field,
}

/// The kinds of text that may follow the `:` after a host.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum After {
    /// A port: any number of digits.
    #[default]
    Port,
    /// A port, or a path as `scp` writes it: `ssh://git@a.org:b/c.git`.
    PortOrPath,
    /// A port with at least one digit, because there is no scheme.
    RealPort,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Name {
    /// Where the last letter or digit ends.
    pub(super) end: Option<End>,
    /// Dots directly before the next character.
    pub(super) dots: u32,
    pub(super) dotted: bool,
    /// The name is no host unless a dot follows. Outside of a field it begins with a hyphen, as in
    /// `https://-x` (case hyphen-before-a-host), or it may be a sentence: it begins with a letter
    /// of an unspaced script, or in text such a letter follows ASCII in its first label.
    pub(super) foreign: bool,
    /// It has more than hexadecimal digits.
    pub(super) word: bool,
    /// Characters in the name so far.
    pub(super) length: u32,
    /// The scheme is unknown: any `reg-name`, within reason.
    pub(super) generic: bool,
    pub(super) after: After,
    /// The last character was a symbol directly after ASCII. It belongs to the name if a dot and a
    /// label follow (case emoji-host).
    pub(super) symbol: bool,
    /// The name is one label of Hangul so far (case hangul-in-the-only-label).
    pub(super) hangul: Option<Box<Hangul>>,
    /// Hexadecimal digits that a `%` still needs. Without them it begins a placeholder.
    pub(super) escape: u8,
    /// The last label.
    pub(super) last: Label,
    /// A dot is before it.
    pub(super) inner: bool,
    /// How many dots came so far, as long as it may be an IPv4 address.
    pub(super) count: u32,
    /// A letter or digit belongs to the name only if a dot and another one follow (cases
    /// symbols-in-a-host, invisible-in-a-host).
    pub(super) pending: bool,
    /// A dot of UTS #46 was one of the dots; whether the label after it is a top-level domain.
    pub(super) wide: Option<bool>,
    /// The last character is invisible; whether ASCII was directly before it.
    pub(super) unseen: Option<bool>,
    /// What the last character is to a middle dot after it, if it is not ASCII.
    pub(super) side: Side,
}

/// A label of Hangul, which is a host if it is not a word of the sentence. Korean has spaces between
/// words, so a delimiter shows where the word ends; but a particle may be a part of it.
#[derive(Clone, Debug)]
pub(super) struct Hangul {
    /// Its first and its last letters. All of Hangul has 16 bits.
    first: [u16; PARTICLE_MAX],
    last: [u16; PARTICLE_MAX],
    /// Its length, up to 255.
    length: u8,
}

impl Hangul {
    fn new(c: char) -> Hangul {
        let mut hangul = Hangul { first: [0; PARTICLE_MAX], last: [0; PARTICLE_MAX], length: 0 };
        hangul.push(c);
        hangul
    }

    #[cold]
    fn push(&mut self, c: char) {
        if let Some(place) = self.first.get_mut(usize::from(self.length)) {
            *place = u32::from(c) as u16;
        }
        self.last.rotate_left(1);
        self.last[PARTICLE_MAX - 1] = u32::from(c) as u16;
        self.length = self.length.saturating_add(1);
    }

    /// True if the label is a host. `led`: a path or the closing delimiter follows, so that no
    /// particle is a part of it.
    #[cold]
    fn is_host(&self, led: bool) -> bool {
        let letter = |code: u16| char::from_u32(u32::from(code)).unwrap_or_default();
        let (first, last) = (self.first.map(letter), self.last.map(letter));
        let seen = usize::from(self.length).min(PARTICLE_MAX);
        let (first, last) = (&first[..seen], &last[PARTICLE_MAX - seen..]);
        match led {
            true => usize::from(self.length) > PARTICLE_MAX || !adjoining::is_particle(first),
            false => !adjoining::has_particle(first, last),
        }
    }
}

/// A host, or the colon after it, and the text that decides about it.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) text: Ahead,
    /// The name as it was before the text.
    name: Name,
}

impl Waiting {
    /// The host if the text begins with a dot.
    #[cold]
    pub(super) fn again(&self) -> Host {
        let mut name = self.name.clone();
        if self.text.is_after_middle_dot() {
            name.join();
        } else {
            (name.dots, name.dotted, name.wide) = (1, true, Some(self.text.is_registered()));
            name.count += 1;
            name.last.push('.');
        }
        let mut host = Host::Name(name);
        for item in &self.text.items[1..] {
            // No letter of the text is glued to another one.
            host.feed(*item, Holds::Text, false);
        }
        host
    }

    /// Where the rest of the name ends, if there is no link.
    #[cold]
    fn lost(&self) -> Option<End> {
        match self.text.shows() {
            Shows::Lost => Some(self.text.lost().end()),
            Shows::Dot => self.again().lost(),
            Shows::Over => None,
        }
    }
}

impl Host {
    /// Where the link ends if the text ends here, as [`Authority::settled`](super::authority::Authority::settled).
    pub(super) fn settled(&self, led: bool) -> Option<End> {
        match self {
            // Half an escape: `http://%d`.
            Host::Name(name) => name.end(led).filter(|_| name.escape != 1),
            Host::Literal { .. } => None,
            Host::Closed(end) => Some(*end),
            Host::Port { end, .. } => Some(*end),
            Host::Settled(end) | Host::Defused { end, .. } => *end,
            Host::Ahead(waiting) => match waiting.text.shows() {
                Shows::Over => waiting.text.end,
                Shows::Dot => waiting.again().settled(led),
                Shows::Lost => None,
            },
            Host::Lost(_) => None,
        }
    }

    /// Where the rest of a name ends that goes on with what is in no host.
    pub(super) fn lost(&self) -> Option<End> {
        match self {
            Host::Lost(lost) => Some(lost.end()),
            Host::Ahead(waiting) => waiting.lost(),
            _ => None,
        }
    }

    /// Reads one more character of a port, or the one after it.
    fn feed_port(&mut self, item: Item, holds: Holds) {
        let Host::Port { digits, value, end, after, single, group, host } = self else { return };
        let here = End { at: item.next };
        match item.c {
            '0'..='9' => {
                *digits += 1;
                *value = value.saturating_mul(10).saturating_add(u32::from(item.c) - 48);
                *end = here;
                // A number too large for a port shows that this is no host.
                if *after == After::RealPort && *value > 65_535 {
                    *self = Host::Settled(None);
                }
            }
            // A placeholder for a port, or half of an IPv6 address (cases port-to-be-filled-in,
            // axis-14-unbracketed-ipv6): no link, rather than a link to another place.
            _ if *after == After::RealPort => {
                let none = match item.c {
                    '%' | '$' | '{' => *digits == 0,
                    ':' if *digits == 0 && *single => true,
                    ':' | 'a'..='f' | 'A'..='F' => *group,
                    _ => false,
                };
                *self = Host::Settled(Some(*end).filter(|_| !none));
            }
            // A second `@`, or one after a dot of UTS #46: a browser takes what is before it for a userinfo.
            '@' => *self = Host::Settled(None),
            '%' | '$' | '{' if *digits == 0 => *self = Host::Lost(Lost::after(item)),
            ':' if *digits == 0 && *single => *self = Host::Lost(Lost::after(item)),
            ':' | 'a'..='f' | 'A'..='F' if *group => *self = Host::Lost(Lost::after(item)),
            c if *digits == 0 && holds == Holds::Text && ahead::may_be_port(c) => {
                let text = Ahead { end: Some(*end), host: *host, items: vec![item] };
                *self = Host::Ahead(Box::new(Waiting { text, name: Name::default() }));
            }
            _ => *self = Host::Settled(Some(*end)),
        }
    }

    /// Reads one more character, but not `/ ? #`. `glued`: the character before it was an ASCII
    /// letter, a digit or closing punctuation.
    pub(super) fn feed(&mut self, item: Item, holds: Holds, glued: bool) {
        let here = End { at: item.next };
        match self {
            Host::Settled(_) => {}
            Host::Defused { dot, end } => {
                *self = match (*dot, item.c) {
                    (false, '.') => Host::Defused { dot: true, end: *end },
                    (true, ']') => Host::Settled(None),
                    _ => Host::Settled(*end),
                }
            }
            Host::Ahead(waiting) => waiting.text.items.push(item),
            Host::Lost(lost) => lost.feed(item),
            Host::Port { .. } => self.feed_port(item, holds),
            Host::Closed(end) => {
                *self = match item.c {
                    ':' => Host::Port {
                        digits: 0,
                        value: 0,
                        end: *end,
                        after: After::Port,
                        single: false,
                        group: false,
                        host: Before::literal(),
                    },
                    _ => Host::Settled(Some(*end)),
                }
            }
            Host::Literal { text, len } => match item.c {
                ']' if is_ip_literal_with_zone(&text[..usize::from(*len)]) => {
                    *self = Host::Closed(here)
                }
                c if c.is_ascii() && c != ']' && usize::from(*len) < text.len() => {
                    text[usize::from(*len)] = c as u8;
                    *len += 1;
                }
                _ => *self = Host::Settled(None),
            },
            Host::Name(name) => {
                if let Some(host) = name.feed(item, holds, glued) {
                    *self = host;
                }
            }
        }
    }
}

/// True if `c`, directly after ASCII, is a letter of an unspaced script that may be text. After a host with a dot it is;
/// elsewhere it belongs to the label (case letters-in-the-first-label).
#[inline]
fn adjoins(c: char, holds: Holds) -> bool {
    matches!(holds, Holds::Text | Holds::Phrase) && classes::is_unspaced_letter(c)
}

/// True if `c` may follow a symbol of a name: another one that is no mark, or a part of an emoji.
#[inline]
fn joins_symbol(c: char, class: HostClass) -> bool {
    class == HostClass::Symbol && !classes::is_mark(c) || matches!(c, '\u{FE0F}' | '\u{200D}')
}

impl Name {
    /// Reads one more character. Returns the next state of the host if the name is over.
    pub(super) fn feed(&mut self, item: Item, holds: Holds, glued: bool) -> Option<Host> {
        let field = holds == Holds::Field;
        let first = self.length == 0;
        self.length += 1;
        if item.c == '[' && first {
            return Some(Host::Literal { text: [0; 64], len: 0 });
        }
        if self.escape > 0 && !item.c.is_ascii_hexdigit() {
            return Some(self.after_percent(item));
        }
        self.escape = self.escape.saturating_sub(1);
        if !first && self.passes_over(item.c) {
            self.unseen = self.unseen.or(Some(glued));
            self.pending |= self.is_complete();
            return None;
        }
        let glued = self.unseen.take().unwrap_or(glued);
        let class = classes::host_class(item.c);
        let symbol = class == HostClass::Symbol;
        if self.symbol && item.c != '.' {
            return (!joins_symbol(item.c, class)).then(|| Host::Settled(self.end(false)));
        }
        if !item.c.is_ascii()
            && classes::is_mark_or_middle_dot(item.c)
            && let Some(host) = self.at_mark(item, holds)
        {
            return Some(host);
        }
        self.symbol = symbol && glued && !field && !first;
        if self.symbol && self.dots == 0 && !self.is_complete() {
            return self.feed_symbol();
        }
        if symbol && self.dots > 0 && !field && self.is_complete() {
            // After the full stop of a sentence.
            return Some(self.over(item, holds));
        }
        if self.symbol {
            return None;
        } else if item.c == '.' || (field && classes::is_idna_dot(item.c)) {
            self.push_dot();
            return first.then_some(Host::Settled(None));
        }
        let letter = glued && adjoins(item.c, holds);
        if item.c == '%' {
            self.escape = 2;
        }
        let text = letter && self.dotted || class == HostClass::Symbol && glued && !field;
        let Some(label) = self.is_label(item.c, class).filter(|_| !text) else {
            return Some(self.over(item, holds));
        };
        // An empty label: `example..com` is no host, and its first half is not meant. Three dots
        // are an ellipsis (case ellipsis-after-host).
        if self.dots > 1 {
            return Some(self.after_dots(item));
        }
        let odd_start = first && !field && (item.c == '-' || classes::is_unspaced_letter(item.c));
        self.feed_label(item, label, letter || odd_start);
        None
    }

    /// Reads `item`, which belongs to a label and may end it if `label`. `foreign`: the name is no host
    /// then unless a dot follows.
    fn feed_label(&mut self, item: Item, label: bool, foreign: bool) {
        let begins = self.dots > 0;
        self.pending &= !begins;
        self.inner |= begins;
        self.last.push(item.c);
        self.dots = 0;
        self.word |= !item.c.is_ascii_hexdigit();
        if !item.c.is_ascii() {
            self.side = Side::of(item.c);
        }
        if self.foreign {
            self.feed_hangul(item.c, label);
        }
        if foreign {
            self.begin_foreign(item.c, self.length == 1);
        }
        if label {
            self.label(End { at: item.next });
        }
    }

    /// The state of the host at a mark or a middle dot; `None` if it is a letter.
    #[cold]
    fn at_mark(&self, item: Item, holds: Holds) -> Option<Host> {
        let side = self.last.side(self.side);
        // Between syllables of Tibetan.
        if item.c == '\u{F0B}' && side == Side::Other {
            return None;
        }
        let first = self.length == 1;
        if holds != Holds::Text || self.after == After::RealPort {
            // What follows decides, as in running text.
            return Some(Host::Settled(None));
        }
        Some(match first {
            true => Host::Lost(Lost::at_mark(item)),
            false => {
                let (end, host) = (self.end(false), self.before(false));
                let text = Ahead { end, host, items: vec![item] };
                Host::Ahead(Box::new(Waiting { text, name: self.clone() }))
            }
        })
    }

    /// Reads a middle dot that is a letter.
    fn join(&mut self) {
        self.last.forget();
        (self.word, self.side) = (true, Side::None);
        self.length += 1;
        if !self.dotted {
            self.forget_hangul();
        }
    }

    /// Whether `c` may end a label, if it is part of one.
    fn is_label(&self, c: char, class: HostClass) -> Option<bool> {
        match c {
            '%' | '-' | '_' => Some(false),
            '+' | '&' | '$' | '\'' | '=' | '!' | '~' if self.generic => Some(false),
            _ => (class != HostClass::No).then_some(true),
        }
    }

    /// The host if `item` follows several dots. It is not cut inside its first label.
    #[cold]
    fn after_dots(&self, item: Item) -> Host {
        let whole = self.inner || self.is_complete();
        match self.dots > 2 && whole {
            true => Host::Settled(self.end(false)),
            false => Host::Lost(Lost::after(item)),
        }
    }

    /// Notes that the name is no host unless a dot follows, because of `c`.
    fn begin_foreign(&mut self, c: char, first: bool) {
        (self.foreign, self.end) = (true, None);
        self.hangul = (first && classes::is_hangul(c)).then(|| Box::new(Hangul::new(c)));
    }

    /// True if `c`, which is not the first character, cannot be seen and is no part of a label.
    #[inline]
    fn passes_over(&self, c: char) -> bool {
        classes::is_left_out(c) && !self.symbol && self.after != After::RealPort
    }

    /// Reads a dot.
    #[inline]
    fn push_dot(&mut self) {
        self.last.push('.');
        (self.dots, self.dotted) = (self.dots + 1, true);
        (self.count, self.wide) = (self.count.saturating_add(1), self.wide.map(|_| true));
    }

    /// Reads a symbol after ASCII. In the first label it belongs to the name, which is a host then only
    /// if a dot follows; in another label it does if a dot and one more label follow.
    #[cold]
    fn feed_symbol(&mut self) -> Option<Host> {
        self.last.forget();
        (self.symbol, self.side) = (false, Side::None);
        match self.dotted {
            true => self.pending = true,
            false => (self.foreign, self.end, self.hangul) = (true, None, None),
        }
        None
    }

    /// What decides whether the name goes on.
    fn before(&self, port: bool) -> Before {
        Before {
            port,
            last: self.last,
            dots: match (self.inner, self.word) {
                (false, _) => 0,
                (true, true) => u32::MAX,
                (true, false) => self.count - self.dots,
            },
            trailing: self.dots,
            wide: self.wide,
            foreign: self.foreign,
            side: self.last.side(self.side),
        }
    }

    /// True if the name ends with a top-level domain or the like, so that text may follow.
    pub(super) fn is_complete(&self) -> bool {
        self.before(false).is_complete()
    }

    /// The state of the host after `item`, which is in no name.
    fn over(&self, item: Item, holds: Holds) -> Host {
        let end = self.end(false);
        let asks = holds == Holds::Text && self.after != After::RealPort;
        match (item.c, end) {
            ('[', Some(_)) if self.dots == 0 && !asks => Host::Defused { dot: false, end },
            (':', Some(end)) if self.dots <= 1 => Host::Port {
                digits: 0,
                value: 0,
                end,
                after: self.after,
                single: !self.dotted,
                group: !self.dotted && !self.word && self.length <= 5,
                host: self.before(true),
            },
            // A placeholder after a dot: `http://www.{{domain}}` is no link, and neither is
            // `http://www` (case host-to-be-filled-in).
            ('{' | '$', _) if self.dots > 0 => Host::Lost(Lost::after(item)),
            // A second `@`: it is unknown which of the two hosts is meant.
            ('@', _) => Host::Settled(None),
            // The sentence may go on after a scheme: `http://，…`.
            (c, _) if self.length == 1 && classes::ends_sentence_unspaced(c) => Host::Settled(None),
            (c, _) if asks && ahead::may_go_on(c, || self.is_complete()) => {
                let text = Ahead { end, host: self.before(false), items: vec![item] };
                Host::Ahead(Box::new(Waiting { text, name: self.clone() }))
            }
            _ => Host::Settled(end),
        }
    }

    /// True if letters, digits, hyphens and single dots would decide nothing.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.hangul.is_none()
            && !self.symbol
            && !self.pending
            && self.unseen.is_none()
            && self.dots <= 1
            && self.escape == 0
    }

    /// Where the host ends, if the name is one. `led`: as for [`Hangul::is_host`].
    pub(super) fn end(&self, led: bool) -> Option<End> {
        self.end.filter(|_| self.hangul.as_ref().is_none_or(|hangul| hangul.is_host(led)))
    }

    /// The host if `c` follows a `%` where a hexadecimal digit should: none, because a program puts
    /// a name there (case host-to-be-filled-in). A percent sign at the end belongs to the text.
    #[cold]
    fn after_percent(&self, item: Item) -> Host {
        let ends = matches!(item.c, ',' | ';' | ')' | ']' | '}' | '\'' | '!' | '|');
        match ends && self.escape == 2 {
            true => Host::Settled(self.end(false)),
            false => Host::Lost(Lost::after(item)),
        }
    }

    /// Reads `c`, which is a letter or digit if `label`, if the name is one label of Hangul so far.
    #[cold]
    fn feed_hangul(&mut self, c: char, label: bool) {
        match &mut self.hangul {
            Some(hangul) if !self.dotted && classes::is_hangul(c) => hangul.push(c),
            Some(_) if c == '%' || self.dotted && !label => {}
            _ => self.forget_hangul(),
        }
    }

    /// Forgets the label of Hangul, because it has other letters, or another label follows.
    fn forget_hangul(&mut self) {
        if self.hangul.is_some() {
            (self.hangul, self.end) = (None, None);
        }
    }

    /// Reads a letter or digit that ends at `here`.
    fn label(&mut self, here: End) {
        // A sentence about addresses: `http://で始まる` (case scheme-in-a-sentence).
        if !self.pending && (!self.foreign || self.dotted || self.hangul.is_some()) {
            self.end = Some(here);
        }
    }
}
