//! A candidate read by UTS #58 to the letter.
//!
//! ```text
//!          run of host characters        ":" digits        "/" "?" "#"
//! Name ───────────────────────────▶ Host ──────────▶ Port ─────────────▶ Tail ──▶ end
//!   └─ "@" ─▶ Mailbox: an address, unless what follows is no domain
//!
//! Domain: the run after an "@"
//! ```
//!
//! Sections D, T and E of Unicode Technical Standard #58; where its sources differ,
//! docs/decisions.md says what was chosen. As in `tail`, `end` is where the link would end if the
//! text ended here.

use alloc::vec::Vec;

use super::{
    name::{Run, is_standard_domain},
    types::{End, Item, RuleSet, Step},
};
use crate::data::{link_term::LinkTerm, properties};

/// The most brackets that can be open at once (section 3.5.1).
const BRACKETS_MAX: usize = 125;

/// A candidate that is being read.
#[derive(Clone, Debug)]
pub(crate) struct Standard {
    stage: Stage,
    end: Option<End>,
    /// An `@` comes before the name: it is the domain of an address, or nothing.
    behind_at: bool,
}

#[derive(Clone, Debug)]
enum Stage {
    Name(Run),
    /// After a name that an `@` follows.
    Mailbox(Run),
    Domain(Run),
    Port {
        digits: u32,
        value: u32,
    },
    Tail(Tail),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Path,
    Query,
    Fragment,
    /// After `:~:`.
    Directive,
}

#[derive(Clone, Debug)]
struct Tail {
    part: Part,
    /// The closing brackets of the brackets that are open.
    open: Vec<char>,
    /// How much of `:~:` has been read.
    directive: u8,
}

impl Standard {
    /// From the first character of a name on.
    pub(crate) fn name(before: Option<char>) -> Standard {
        let stage = Stage::Name(Run::new(RuleSet::Uts58));
        Standard { stage, end: None, behind_at: before == Some('@') }
    }

    /// After an `@`.
    pub(crate) fn domain() -> Standard {
        let stage = Stage::Domain(Run::new(RuleSet::Uts58));
        Standard { stage, end: None, behind_at: false }
    }

    pub(crate) fn end(&self) -> Option<End> {
        self.end
    }

    pub(crate) fn feed(&mut self, item: Item) -> Step {
        let here = End { at: item.next };
        match &mut self.stage {
            Stage::Name(run) => {
                if run.feed(item) {
                    return if run.is_too_long() { Step::Done(None) } else { Step::More };
                }
                let rooted = run.dots() > 0;
                self.end = self.host();
                if self.end.is_none() {
                    return Step::Done(None);
                }
                match item.c {
                    '@' if !rooted => {
                        self.stage = Stage::Mailbox(Run::new(RuleSet::Uts58));
                        Step::More
                    }
                    ':' => {
                        self.stage = Stage::Port { digits: 0, value: 0 };
                        Step::More
                    }
                    c => self.tail(c, here),
                }
            }
            Stage::Mailbox(run) | Stage::Domain(run) => {
                if run.feed(item) && !run.is_too_long() {
                    return Step::More;
                }
                self.stop()
            }
            Stage::Port { digits, value } => match item.c {
                '0'..='9' => {
                    *digits += 1;
                    *value = value.saturating_mul(10).saturating_add(u32::from(item.c) - 48);
                    // More than five digits, or more than 65,535: no link.
                    if *digits > 5 || *value > 65_535 {
                        return Step::Done(None);
                    }
                    self.end = Some(here);
                    Step::More
                }
                // A ":" without digits is text.
                _ if *digits == 0 => Step::Done(self.end),
                c => self.tail(c, here),
            },
            Stage::Tail(tail) => match tail.feed(item.c) {
                Term::Stop => Step::Done(self.end),
                Term::Pending => Step::More,
                Term::Taken => {
                    self.end = Some(here);
                    Step::More
                }
            },
        }
    }

    /// Ends the candidate: the text ends here.
    pub(crate) fn stop(&self) -> Step {
        match &self.stage {
            Stage::Name(_) => Step::Done(self.host()),
            // Without an address the name before the "@" is a link.
            Stage::Mailbox(run) => Step::Done(if is_domain(run) { None } else { self.end }),
            Stage::Domain(run) => Step::Done(run.name_end().filter(|_| is_domain(run))),
            Stage::Port { .. } | Stage::Tail(_) => Step::Done(self.end),
        }
    }

    /// Where the host ends, without the dot of its root, if the run is one.
    fn host(&self) -> Option<End> {
        let Stage::Name(run) = &self.stage else { return None };
        if self.behind_at || !is_domain(run) { None } else { run.name_end() }
    }

    /// Reads path, query and fragment, or ends the link.
    fn tail(&mut self, c: char, here: End) -> Step {
        let part = match c {
            '/' => Part::Path,
            '?' => Part::Query,
            '#' => Part::Fragment,
            _ => return Step::Done(self.end),
        };
        // The initiator belongs to the link even if nothing follows.
        self.end = Some(here);
        self.stage = Stage::Tail(Tail { part, open: Vec::new(), directive: 0 });
        Step::More
    }
}

/// True if the run is a domain name. One dot at its end is that of the root.
fn is_domain(run: &Run) -> bool {
    !run.is_too_long() && run.dots() <= 1 && is_standard_domain(run.name())
}

/// What a character does to the end of the link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Term {
    Stop,
    /// It belongs to the link if something follows.
    Pending,
    Taken,
}

impl Tail {
    /// Section 3.5.1.
    fn feed(&mut self, c: char) -> Term {
        let next = match (self.part, c) {
            (Part::Path, '?') => Some(Part::Query),
            (Part::Path | Part::Query, '#') => Some(Part::Fragment),
            _ => None,
        };
        if let Some(next) = next {
            self.part = next;
            self.open.clear();
            return Term::Taken;
        }
        match (self.part, c) {
            (Part::Path, '/') | (Part::Query | Part::Directive, '=' | '&') => self.open.clear(),
            (Part::Directive, ',') => self.open.clear(),
            _ => {}
        }
        if matches!(self.part, Part::Fragment | Part::Directive) {
            self.directive = match (self.directive, c) {
                (0, ':') => 1,
                (1, '~') => 2,
                (2, ':') => {
                    self.part = Part::Directive;
                    self.open.clear();
                    // The last ":" may be the first of the next.
                    1
                }
                (_, ':') => 1,
                _ => 0,
            };
        }
        match properties::link_term(c) {
            LinkTerm::Include => Term::Taken,
            LinkTerm::Hard => Term::Stop,
            LinkTerm::Soft => Term::Pending,
            LinkTerm::Open => {
                if self.open.len() == BRACKETS_MAX {
                    return Term::Stop;
                }
                self.open.push(properties::closing_bracket(c).unwrap_or(c));
                Term::Taken
            }
            LinkTerm::Close if self.open.pop() == Some(c) => Term::Taken,
            LinkTerm::Close => Term::Stop,
        }
    }
}
