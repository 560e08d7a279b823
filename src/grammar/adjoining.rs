//! Text that follows a link without a space: is it text, or does the link go on?
//!
//! In `index.phpを開く` the link ends before the kana, in `C言語_(曖昧)` it goes on. An arrow or an emoji
//! ends a link, unless the name goes on after it. Letters with ASCII between them belong to the link if a `/`
//! or an extension ends it. `/を参照` is a particle, `/君の名は` a title. A quotation
//! after `?q=` is part of the link if it ends before a space. Characters go in one by one until one of
//! them decides; how many may wait is bounded.

use super::classes;
use crate::data::rules::Rule;

/// The most characters that wait for a decision. It keeps a run of them, which each link before it
/// reads again, linear.
const HELD_MAX: u8 = 64;

/// The same for a quotation: fragments that quote a text are longer than words.
const QUOTATION_MAX: u8 = 250;

/// The characters after a link, as far as they have been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Adjoining {
    held: Waiting,
    /// How many characters have been read in this state.
    count: u8,
    /// The link is all ASCII.
    ascii: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Waiting {
    /// Letters of an unspaced script after ASCII.
    Letters,
    /// Symbols after ASCII.
    Symbols,
    /// `_`, `-` and the like, after letters or symbols.
    Joint,
    /// ASCII letters and digits, after letters.
    Ascii,
    /// Letters after those.
    Again,
    /// A `/` after those.
    Slash,
    /// A dot after those, and so many ASCII letters and digits.
    Extension(u8),
    /// `&` and a name, after letters: a `=` makes it a field of the query.
    Field,
    /// Kana or Hangul after a `/`.
    Particle([char; PARTICLE_MAX]),
    /// Inside a quotation. It ends with `close`.
    Quotation { open: char, close: char },
}

/// What one more character shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shows {
    /// Nothing yet.
    More,
    /// The characters that waited are text.
    Text,
    /// The characters that waited belong to the link.
    Link,
}

/// The length of the longest of [`PARTICLES`], in characters.
pub(super) const PARTICLE_MAX: usize = 4;

/// Words between a noun and the rest of a sentence: particles and copulas that do not begin a title
/// (case particle-after-slash).
pub(crate) const PARTICLES: [&str; 51] = [
    "および",
    "から",
    "からの",
    "が",
    "で",
    "です",
    "での",
    "では",
    "と",
    "という",
    "として",
    "との",
    "とは",
    "など",
    "などの",
    "に",
    "にある",
    "において",
    "における",
    "について",
    "にて",
    "には",
    "にも",
    "による",
    "によると",
    "の",
    "は",
    "へ",
    "への",
    "または",
    "まで",
    "も",
    "や",
    "より",
    "까지",
    "는",
    "로",
    "를",
    "부터",
    "에",
    "에게",
    "에는",
    "에서",
    "에서는",
    "에서의",
    "으로",
    "은",
    "을",
    "의",
    "이며",
    "입니다",
];

/// True if a word may be a noun with a particle, or what follows a noun: it begins or ends with a
/// particle. `first` and `last` are its first and last characters, as many as a particle may have.
pub(super) fn has_particle(first: &[char], last: &[char]) -> bool {
    let begins = |p: &str| p.chars().zip(first).all(|(a, b)| a == *b);
    let ends = |p: &str| p.chars().rev().zip(last.iter().rev()).all(|(a, b)| a == *b);
    let fits = |p: &&&str| p.chars().count() <= first.len();
    PARTICLES.iter().filter(fits).any(|p| begins(p) || ends(p))
}

/// True if `word` is a particle.
pub(super) fn is_particle(word: &[char]) -> bool {
    PARTICLES.iter().any(|p| p.chars().eq(word.iter().copied()))
}

impl Adjoining {
    /// The rule by which the characters that waited are text.
    pub(super) fn rule(&self) -> Rule {
        match self.held {
            Waiting::Particle(_) => Rule::ParticleAfterSlash,
            Waiting::Symbols => Rule::AdjoiningSymbol,
            Waiting::Quotation { .. } => Rule::TypographicQuote,
            _ => Rule::AdjoiningLetter,
        }
    }

    /// The state after `c`, if `c` may be text. `closed`: an ASCII letter, a digit or closing
    /// punctuation comes before it; `slash`: a `/` does; `ascii`: the link is all ASCII.
    pub(crate) fn begin(c: char, closed: bool, slash: bool, ascii: bool) -> Option<Adjoining> {
        let held = if c.is_ascii() {
            return None;
        } else if closed && classes::is_unspaced_letter(c) {
            Waiting::Letters
        } else if closed && classes::is_symbol(c) {
            Waiting::Symbols
        } else if slash && ascii && classes::is_particle_letter(c) {
            Waiting::Particle([c, '\0', '\0', '\0'])
        } else {
            return None;
        };
        Some(Adjoining { held, count: 1, ascii })
    }

    /// The state after `open`, if it opens a quotation.
    pub(crate) fn quotation(open: char) -> Option<Adjoining> {
        let close = classes::quotation(open)?;
        Some(Adjoining { held: Waiting::Quotation { open, close }, count: 1, ascii: false })
    }

    /// True inside a quotation.
    pub(crate) fn is_quotation(&self) -> bool {
        matches!(self.held, Waiting::Quotation { .. })
    }

    pub(crate) fn feed(&mut self, c: char) -> Shows {
        let word = c.is_ascii_alphanumeric();
        let next = match self.held {
            Waiting::Quotation { close, .. } if c == close => return Shows::Link,
            Waiting::Quotation { open, .. } if c == open => return Shows::Text,
            quotation @ Waiting::Quotation { .. } => quotation,
            Waiting::Letters if classes::is_unspaced_letter(c) => Waiting::Letters,
            Waiting::Letters if c == '&' => Waiting::Field,
            Waiting::Letters if matches!(c, '_' | '%' | '=') => Waiting::Joint,
            Waiting::Letters if !self.ascii && matches!(c, '-' | '/' | '.') => Waiting::Joint,
            Waiting::Symbols if classes::is_symbol(c) || classes::joins_symbols(c) => {
                Waiting::Symbols
            }
            // Not a letter: conversion of the link would make a letter after the symbol part of a
            // host.
            Waiting::Symbols if matches!(c, '_' | '=' | '-' | '/') => Waiting::Joint,
            // `Rest服务器PATCH请求/` (case letters-that-go-on-in-ascii).
            Waiting::Letters | Waiting::Ascii | Waiting::Again if word => Waiting::Ascii,
            Waiting::Ascii | Waiting::Again if classes::is_unspaced_letter(c) => Waiting::Again,
            Waiting::Again if c == '/' => Waiting::Slash,
            Waiting::Again if c == '.' => Waiting::Extension(0),
            Waiting::Extension(n @ 1..5) if word => Waiting::Extension(n + 1),
            Waiting::Extension(0) if c.is_ascii_alphabetic() => Waiting::Extension(1),
            Waiting::Slash | Waiting::Extension(2..)
                if matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '\'' | '#') =>
            {
                return Shows::Link;
            }
            Waiting::Ascii | Waiting::Again | Waiting::Slash | Waiting::Extension(_) => {
                return Shows::Text;
            }
            Waiting::Letters | Waiting::Symbols => return Shows::Text,
            Waiting::Joint if word || c == '(' => return Shows::Link,
            Waiting::Joint if c.is_alphabetic() || classes::is_unspaced_letter(c) => {
                return Shows::Link;
            }
            Waiting::Joint => return Shows::Text,
            Waiting::Field if word || matches!(c, '_' | '-') => Waiting::Field,
            Waiting::Field if c == '=' => return Shows::Link,
            Waiting::Field => return Shows::Text,
            Waiting::Particle(_) if classes::is_particle_letter(c) => return self.particle(c),
            Waiting::Particle(_) if matches!(c, '/' | '_' | '-' | '=' | '%' | '?' | '#') => {
                return Shows::Link;
            }
            Waiting::Particle(_) if self.is_text() => return Shows::Text,
            Waiting::Particle(_) => return Shows::Link,
        };
        let same = next == self.held || matches!(next, Waiting::Ascii | Waiting::Again);
        self.count = if same { self.count.saturating_add(1) } else { 1 };
        self.held = next;
        let most = if self.is_quotation() { QUOTATION_MAX } else { HELD_MAX };
        if self.count <= most { Shows::More } else { Shows::Text }
    }

    /// True if `c` is another letter of a particle.
    fn particle(&mut self, c: char) -> Shows {
        let Waiting::Particle(letters) = &mut self.held else { return Shows::Link };
        // No word begins with it.
        if letters[0] == 'を' {
            return Shows::Text;
        }
        match letters.iter_mut().find(|letter| **letter == '\0') {
            Some(letter) => {
                *letter = c;
                Shows::More
            }
            None => Shows::Link,
        }
    }

    /// True if the characters that wait are text in case the document ends here.
    pub(crate) fn is_text(self) -> bool {
        match self.held {
            Waiting::Letters | Waiting::Symbols | Waiting::Joint | Waiting::Field => true,
            Waiting::Ascii | Waiting::Again | Waiting::Quotation { .. } => true,
            Waiting::Slash => false,
            Waiting::Extension(len) => len < 2,
            Waiting::Particle(letters) => {
                let letters = || letters.into_iter().filter(|c| *c != '\0');
                letters().eq(['を']) || PARTICLES.iter().any(|p| p.chars().eq(letters()))
            }
        }
    }
}
