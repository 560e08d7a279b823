//! The shortest text that must follow a scheme without `//`: one small machine for each.
//!
//! Characters go in one by one. What must hold: a shape is decided within [`SHAPE_MAX`] characters,
//! so that a failed one costs the same however long the text is.

use super::classes;
use crate::data::schemes::OpaqueShape;

/// The most characters that a shape reads, percent-encoded. It keeps `news:aaaa…` from holding back
/// a stream.
const SHAPE_MAX: u16 = 255;

/// What a shape says after one more character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shaped {
    More,
    /// The characters so far are enough.
    Yes,
    No,
}

/// A shape that is being read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shaper {
    shape: OpaqueShape,
    /// Characters read.
    seen: u16,
    /// What the shape counts: digits, or letters of its first word.
    count: u8,
    /// How much of the shape has been read.
    step: u8,
    previous: char,
}

impl Shaper {
    pub(crate) fn new(shape: OpaqueShape) -> Shaper {
        Shaper { shape, seen: 0, count: 0, step: 0, previous: ':' }
    }

    pub(crate) fn feed(&mut self, c: char) -> Shaped {
        self.seen += classes::encoded_len(c) as u16;
        if self.seen > SHAPE_MAX {
            return Shaped::No;
        }
        let shaped = match self.shape {
            OpaqueShape::Mail => self.mail(c),
            OpaqueShape::Phone => self.phone(c),
            OpaqueShape::Urn => self.urn(c),
            OpaqueShape::Dotted => self.joined(c, true, ""),
            OpaqueShape::Sip => self.joined(c, true, ":;,?/"),
            OpaqueShape::Jid => self.joined(c, false, ";,()"),
            OpaqueShape::At => self.joined(c, false, ""),
            OpaqueShape::Tag => self.tag(c),
            OpaqueShape::Query => self.query(c),
            OpaqueShape::Geo => self.geo(c),
            OpaqueShape::Matrix => self.matrix(c),
            OpaqueShape::Coin => self.coin(c),
            OpaqueShape::Any if is_word(c) || "-_~@$+=".contains(c) => Shaped::Yes,
            OpaqueShape::Any => Shaped::No,
        };
        self.previous = c;
        shaped
    }

    /// Of a `mailto:`: whether the domain of an address has begun.
    pub(super) fn domain(&self) -> Option<bool> {
        (self.shape == OpaqueShape::Mail).then_some(self.step == 1)
    }

    fn mail(&mut self, c: char) -> Shaped {
        match (self.previous, c) {
            // Such a local part shows itself by its domain (RFC 6068, 2): `~a/b@c.example`.
            (':', '-' | '_' | '+' | '~' | '!' | '$' | '*' | '\'') => {
                self.step = 1;
                Shaped::More
            }
            ('@', c) if self.step == 1 => {
                if is_word(c) {
                    Shaped::Yes
                } else {
                    Shaped::No
                }
            }
            (_, c) if self.step == 1 => {
                let part = is_word(c) || "-_+~!$*'.=&/@".contains(c);
                if part { Shaped::More } else { Shaped::No }
            }
            (':', '?') => Shaped::More,
            (':' | '?', c) if is_word(c) || c == '%' => Shaped::Yes,
            _ => Shaped::No,
        }
    }

    fn phone(&mut self, c: char) -> Shaped {
        match c {
            '0'..='9' => {
                self.count += 1;
                if self.count >= 3 { Shaped::Yes } else { Shaped::More }
            }
            '+' if self.seen == 1 => Shaped::More,
            '-' | '.' | '(' | ')' if self.seen > 1 || c == '(' => Shaped::More,
            _ => Shaped::No,
        }
    }

    fn urn(&mut self, c: char) -> Shaped {
        match (self.step, c) {
            (0, ':') if self.count >= 2 && self.previous != '-' => {
                self.step = 1;
                Shaped::More
            }
            (0, c) if c.is_ascii_alphanumeric() || (c == '-' && self.count > 0) => {
                self.count += 1;
                if self.count > 32 { Shaped::No } else { Shaped::More }
            }
            (1, c) if is_word(c) || "%+-_=@$(*!'".contains(c) => Shaped::Yes,
            _ => Shaped::No,
        }
    }

    /// Words with an `@` between two of them, or if `dots` with a `.`. `more`: what else may be before
    /// the `@`, which must come then.
    fn joined(&mut self, c: char, dots: bool, more: &str) -> Shaped {
        let dots = dots && self.step == 0;
        let joint = |p: char| p == '@' || (dots && p == '.');
        match c {
            c if more.contains(c) && self.count > 0 && !joint(self.previous) => {
                self.step = 1;
                Shaped::More
            }
            c if is_word(c) => {
                if self.count > 0 && joint(self.previous) {
                    return Shaped::Yes;
                }
                self.count = 1;
                Shaped::More
            }
            '.' | '@' if is_word(self.previous) => Shaped::More,
            '-' | '_' | '+' | '%' | '!' | '~' | '=' | '&' | '*' | '$' | '\'' | '.'
                if !joint(self.previous) =>
            {
                Shaped::More
            }
            _ => Shaped::No,
        }
    }

    /// `tag:authority,2004…`, RFC 4151.
    fn tag(&mut self, c: char) -> Shaped {
        match (self.step, c) {
            (0 | 1, ',') if self.step == 1 && is_word(self.previous) => {
                self.step = 2;
                Shaped::More
            }
            (0 | 1, '.' | '@') if is_word(self.previous) => {
                self.step = 1;
                Shaped::More
            }
            (0 | 1, c) if is_word(c) || matches!(c, '-' | '_') => Shaped::More,
            (2.., '0'..='9') => {
                self.step += 1;
                if self.step == 6 { Shaped::Yes } else { Shaped::More }
            }
            _ => Shaped::No,
        }
    }

    fn query(&mut self, c: char) -> Shaped {
        match (self.seen, c) {
            (1, '?') => Shaped::More,
            (2, c) if c.is_ascii_alphabetic() => Shaped::Yes,
            _ => Shaped::No,
        }
    }

    /// `geo:48.2,16.3`, RFC 5870.
    fn geo(&mut self, c: char) -> Shaped {
        match (self.previous, c) {
            (':' | ',', '-') | ('0'..='9', '.') => Shaped::More,
            ('0'..='9', ',') if self.step == 0 => {
                self.step = 1;
                Shaped::More
            }
            (':' | ',' | '-' | '.' | '0'..='9', '0'..='9') => {
                if self.step == 1 {
                    Shaped::Yes
                } else {
                    Shaped::More
                }
            }
            _ => Shaped::No,
        }
    }

    /// `matrix:u/name:host`, MSC 2312.
    fn matrix(&mut self, c: char) -> Shaped {
        const KINDS: [&[u8]; 4] = [b"u", b"r", b"e", b"roomid"];
        match c {
            '/' if self.step == 0 && KINDS.iter().any(|k| k.len() == usize::from(self.count)) => {
                self.step = 1;
                Shaped::More
            }
            c if self.step == 1 => {
                if is_word(c) {
                    Shaped::Yes
                } else {
                    Shaped::No
                }
            }
            c => {
                let at = usize::from(self.count);
                self.count += 1;
                let fits = KINDS.iter().any(|k| k.get(at).is_some_and(|b| char::from(*b) == c));
                if fits && (at == 0 || (self.previous != 'u' && self.previous != 'e')) {
                    Shaped::More
                } else {
                    Shaped::No
                }
            }
        }
    }

    fn coin(&mut self, c: char) -> Shaped {
        if !c.is_ascii_alphanumeric() {
            return Shaped::No;
        }
        self.count += 1;
        if self.count >= 25 { Shaped::Yes } else { Shaped::More }
    }
}

/// True for a letter, mark or digit of any script, and for the `%` of an escape.
fn is_word(c: char) -> bool {
    let label = || classes::host_class(c) == classes::HostClass::Label;
    c.is_ascii_alphanumeric() || c == '%' || label()
}
