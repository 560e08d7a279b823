//! Text that stands directly behind a link, or goes on with it: what follows
//! decides.
//!
//! `index.phpを開く` ends before the kana, `C言語_(曖昧)` goes on; an arrow or an
//! emoji ends a link, unless the name goes on behind it; `/を参照` is a particle,
//! `/君の名は` a title. Reads forwards a bounded number of characters and knows
//! nothing of where the link started.

use super::classes;

/// The most characters that wait for what follows them. Stops a run of them from
/// being read again from each link before it.
const HELD_MAX: u8 = 64;

/// What stands behind the link, read so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Adjoining {
    held: Waiting,
    /// How many characters in this state.
    count: u8,
    /// All of the link is ASCII.
    ascii: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Waiting {
    /// Letters of an unspaced script behind ASCII.
    Letters,
    /// Symbols behind ASCII.
    Symbols,
    /// `_`, `-` and the like behind either.
    Joint,
    /// `&` and a name, behind letters: a `=` makes it a field of the query.
    Field,
    /// Kana or Hangul behind a `/`.
    Particle([char; PARTICLE_MAX]),
}

/// What one more character shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shows {
    /// Nothing yet.
    More,
    /// What was held is text.
    Text,
    /// What was held belongs to the link.
    Link,
}

/// The characters of the longest of [`PARTICLES`].
const PARTICLE_MAX: usize = 4;

/// What stands between a noun and the sentence that goes on: particles and
/// copulas that are no beginning of a title (case particle-behind-slash).
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

impl Adjoining {
    /// Whether `c` may be text; `closed`: an ASCII letter, a digit or closing
    /// punctuation stands before it; `slash`: a `/` does; `ascii`: all of the
    /// link is ASCII.
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

    pub(crate) fn feed(&mut self, c: char) -> Shows {
        let word = c.is_ascii_alphanumeric();
        let next = match self.held {
            Waiting::Letters if classes::is_unspaced_letter(c) => Waiting::Letters,
            Waiting::Letters if c == '&' => Waiting::Field,
            Waiting::Letters if matches!(c, '_' | '%' | '=') => Waiting::Joint,
            Waiting::Letters if !self.ascii && matches!(c, '-' | '/' | '.') => Waiting::Joint,
            Waiting::Symbols if classes::is_symbol(c) || classes::joins_symbols(c) => {
                Waiting::Symbols
            }
            // Not a letter: a host behind them would become one when it is converted.
            Waiting::Symbols if matches!(c, '_' | '=' | '-' | '/') => Waiting::Joint,
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
        self.count = if next == self.held { self.count + 1 } else { 1 };
        self.held = next;
        if self.count <= HELD_MAX { Shows::More } else { Shows::Text }
    }

    /// Another letter that a particle may have.
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

    /// Whether what was held is text, if nothing follows.
    pub(crate) fn is_text(self) -> bool {
        match self.held {
            Waiting::Letters | Waiting::Symbols | Waiting::Joint | Waiting::Field => true,
            Waiting::Particle(letters) => {
                let letters = || letters.into_iter().filter(|c| *c != '\0');
                letters().eq(['を']) || PARTICLES.iter().any(|p| p.chars().eq(letters()))
            }
        }
    }
}
