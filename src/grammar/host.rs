//! The authority of a link in running text, read character by character: userinfo, host, port.
//!
//! While an `@` may still come, what was read can be a userinfo: the host read so far is a
//! hypothesis. [`Authority::settled`] is where the link would end if the text ended here.

use super::{
    classes::{self, HostClass},
    types::{End, Item},
};
use crate::reference::ip_literal::is_ip_literal;

/// The most characters an authority may have, percent-encoded. Stops `http://aaaa…` and
/// `http://a:a:a:…` from being held back, and read twice, without bound.
pub(super) const AUTHORITY_MAX: u32 = 1024;

#[derive(Clone, Debug)]
pub(super) struct Authority {
    pub(super) empty_ok: bool,
    /// Characters read, for the limit.
    pub(super) length: u32,
    pub(super) host: Host,
    /// Userinfo is still possible: all so far could stand before an `@`.
    pub(super) user: bool,
    /// It holds what no userinfo does. If an `@` follows, this is no link: the
    /// first half of a password is no port, and its user no host.
    pub(super) odd: bool,
    pub(super) after: After,
}

#[derive(Clone, Debug)]
pub(super) enum Host {
    Name(Name),
    /// `[`, then up to the `]`.
    Literal {
        text: [u8; 64],
        len: u8,
    },
    /// Behind the `]`: only a port or the tail may follow.
    Closed(End),
    /// Behind the `:`; `end`: with the digits so far.
    Port {
        digits: u32,
        value: u32,
        end: End,
        after: After,
        /// The host has no dot.
        single: bool,
        /// It may be the first group of an IPv6 address.
        group: bool,
    },
    /// Behind a name and `[`: `http://foo[.]example` is written so that nobody
    /// opens it, and then `http://foo` is not meant either.
    Defused {
        dot: bool,
        end: Option<End>,
    },
    /// The host hypothesis is settled; only an `@` could overturn it.
    Settled(Option<End>),
}

/// What holds a host together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// Nothing, or brackets, which may hold a sentence.
    Text,
    /// Straight quotes: what they hold is data (RFC 3986, appendix C).
    Quotes,
    /// The whole delimited field is one reference.
    Field,
}

/// What may stand behind a host and its `:`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum After {
    /// A port: digits, as many as there are, or none.
    #[default]
    Port,
    /// A port, or a path as `scp` has it: `ssh://git@a.org:b/c.git`.
    PortOrPath,
    /// Without a scheme: a port that there is.
    RealPort,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Name {
    /// Behind the last letter or digit.
    pub(super) end: Option<End>,
    /// Dots directly before the next character.
    pub(super) dots: u32,
    pub(super) dotted: bool,
    /// It may be a sentence unless a dot follows: it begins with a letter of an unspaced
    /// script, outside of a field, or such a letter is glued to its first label in text.
    pub(super) foreign: bool,
    /// It holds more than hexadecimal digits.
    pub(super) word: bool,
    /// Characters in the name so far.
    pub(super) length: u32,
    /// Of a scheme that nobody described: any `reg-name`, within reason.
    pub(super) generic: bool,
    pub(super) after: After,
    /// A symbol glued to ASCII was the last: part of the name if a dot and a label
    /// follow (case emoji-host).
    pub(super) symbol: bool,
}

impl Authority {
    /// The host hypothesis, if the text ended here.
    pub(super) fn settled(&self) -> Option<End> {
        match &self.host {
            Host::Name(name) => name.end,
            Host::Literal { .. } => None,
            Host::Closed(end) => Some(*end),
            Host::Port { end, .. } => Some(*end),
            Host::Settled(end) | Host::Defused { end, .. } => *end,
        }
    }

    /// The authority is complete here, nothing of it left over.
    pub(super) fn is_whole(&self) -> bool {
        match &self.host {
            Host::Name(name) => name.end.is_some() && name.dots <= 1 && !name.symbol,
            Host::Literal { .. } | Host::Settled(_) | Host::Defused { .. } => false,
            Host::Closed(_) => true,
            Host::Port { digits, after, .. } => *digits > 0 || *after != After::RealPort,
        }
    }

    /// A path, query or fragment may follow.
    pub(super) fn leads_to_tail(&self, c: char) -> bool {
        match &self.host {
            Host::Name(name) if name.length == 0 => self.empty_ok && c == '/',
            _ => self.is_whole(),
        }
    }
}

impl Host {
    /// One more character that is none of `/ ? #`. `glued`: the character
    /// before it was an ASCII letter, digit or closing punctuation.
    pub(super) fn feed(&mut self, item: Item, holds: Holds, glued: bool) {
        let here = End { at: item.next, shift: item.shift };
        match self {
            Host::Settled(_) => {}
            Host::Defused { dot, end } => {
                *self = match (*dot, item.c) {
                    (false, '.') => Host::Defused { dot: true, end: *end },
                    (true, ']') => Host::Settled(None),
                    _ => Host::Settled(*end),
                }
            }
            Host::Port { digits, value, end, after, single, group } => match item.c {
                '0'..='9' => {
                    *digits += 1;
                    *value = value.saturating_mul(10).saturating_add(u32::from(item.c) - 48);
                    *end = here;
                    // What no port can be shows that this is no host.
                    if *after == After::RealPort && *value > 65_535 {
                        *self = Host::Settled(None);
                    }
                }
                // A place for a port, or half of an address (cases
                // port-to-be-filled-in, axis-14-unbracketed-ipv6): no link, rather
                // than a link to another place.
                '%' | '$' | '{' if *digits == 0 => *self = Host::Settled(None),
                ':' if *digits == 0 && *single => *self = Host::Settled(None),
                ':' | 'a'..='f' | 'A'..='F' if *group => *self = Host::Settled(None),
                _ => *self = Host::Settled(Some(*end)),
            },
            Host::Closed(end) => {
                *self = match item.c {
                    ':' => Host::Port {
                        digits: 0,
                        value: 0,
                        end: *end,
                        after: After::Port,
                        single: false,
                        group: false,
                    },
                    _ => Host::Settled(Some(*end)),
                }
            }
            Host::Literal { text, len } => match item.c {
                ']' if is_ip_literal(&text[..usize::from(*len)]) => *self = Host::Closed(here),
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

impl Name {
    /// The host that this name turns into at `item`, if it is over.
    pub(super) fn feed(&mut self, item: Item, holds: Holds, glued: bool) -> Option<Host> {
        let field = holds == Holds::Field;
        let first = self.length == 0;
        self.length += 1;
        if item.c == '[' && first {
            return Some(Host::Literal { text: [0; 64], len: 0 });
        }
        let class = classes::host_class(item.c);
        let symbol = class == HostClass::Symbol;
        if self.symbol && item.c != '.' {
            let goes_on = symbol || matches!(item.c, '\u{FE0F}' | '\u{200D}');
            return if goes_on { None } else { Some(Host::Settled(self.end)) };
        }
        self.symbol = symbol && glued && !field && !first;
        if self.symbol {
            return None;
        }
        if item.c == '.' || (field && classes::is_idna_dot(item.c)) {
            self.dots += 1;
            self.dotted = true;
            return (first).then_some(Host::Settled(None));
        }
        // A letter of an unspaced script: text glued to a host that has a dot, and part of
        // the label elsewhere (case letters-in-the-first-label).
        let letter = glued && holds == Holds::Text && classes::is_unspaced_letter(item.c);
        let label = match item.c {
            '-' | '_' | '%' => false,
            '+' | '&' | '$' | '\'' | '=' | '!' | '~' if self.generic => false,
            // A symbol (emoji) glued to ASCII is text (case emoji-after-host).
            c => match class {
                HostClass::Label if !letter || !self.dotted => true,
                HostClass::Symbol if !glued || field => true,
                _ => {
                    let end = self.end;
                    return Some(match (c, end) {
                        ('[', Some(_)) if self.dots == 0 => Host::Defused { dot: false, end },
                        (':', Some(end)) if self.dots <= 1 => Host::Port {
                            digits: 0,
                            value: 0,
                            end,
                            after: self.after,
                            single: !self.dotted,
                            group: !self.dotted && !self.word && self.length <= 5,
                        },
                        // A second `@`: whose host it is, nobody knows.
                        ('@', _) => Host::Settled(None),
                        _ => Host::Settled(end),
                    });
                }
            },
        };
        // An empty label: `example..com` is no host, and its first half is not
        // what was meant. Three dots are an ellipsis (case ellipsis-behind-host).
        if self.dots > 1 {
            return Some(Host::Settled(self.end.filter(|_| self.dots > 2)));
        }
        self.dots = 0;
        self.word |= !item.c.is_ascii_hexdigit();
        if letter || first && !field && classes::is_unspaced_letter(item.c) {
            self.foreign = true;
            self.end = None;
        }
        if label {
            self.label(End { at: item.next, shift: item.shift });
        }
        None
    }

    /// A letter or digit ends at `here`.
    pub(super) fn label(&mut self, here: End) {
        // A sentence about addresses: `http://で始まる` (case scheme-in-a-sentence).
        if !self.foreign || self.dotted {
            self.end = Some(here);
        }
    }
}

/// `iuserinfo` less `,` `;` `(` `)`, which in text stand between a host and an
/// address more often than inside a password.
pub(super) fn is_userinfo(c: char) -> bool {
    classes::is_unreserved(c)
        || matches!(c, ':' | '%' | '!' | '$' | '&' | '\'' | '*' | '+' | '=')
        || !c.is_ascii()
}
