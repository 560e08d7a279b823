//! The machine with its charset: decides on one, then lets [`Machine`] run.
//!
//! Invariant: the decision depends on the bytes alone, not on how they came.

use alloc::sync::Arc;

use super::machine::{Ahead, Machine, Window};
use crate::{
    charset::{
        Charset,
        detect::{self, Basis, Bom},
    },
    finder::Rules,
    syntax::link::Found,
};

/// Finds links in windows over one stream.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    machine: Machine,
    phase: Phase,
    /// `None` until decided.
    basis: Option<Basis>,
    charset: Charset,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// A byte order mark may come.
    Start {
        auto: bool,
    },
    /// All bytes before `searched` read alike in every charset of the ASCII
    /// family; `trigger` asks for a decision. `nuls`: UTF-16/32 still possible.
    Waiting {
        searched: u64,
        trigger: Option<u64>,
        nuls: bool,
    },
    Fixed,
}

impl Engine {
    /// `given`: the charset, if the caller knows it.
    pub(crate) fn new(rules: Arc<Rules>, given: Option<Charset>) -> Engine {
        let charset = given.unwrap_or(Charset::UTF_8);
        Engine {
            machine: Machine::new(rules, charset),
            phase: Phase::Start { auto: given.is_none() },
            basis: given.map(|_| Basis::Given),
            charset,
        }
    }

    /// An engine in the middle of a stream of `charset`.
    pub(crate) fn within(rules: Arc<Rules>, charset: Charset) -> Engine {
        Engine { phase: Phase::Fixed, ..Engine::new(rules, Some(charset)) }
    }

    /// An engine for the rest of a stream, from `offset` on; `None`: all before it
    /// was ASCII.
    pub(crate) fn from(rules: Arc<Rules>, offset: u64, charset: Option<Charset>) -> Engine {
        let mut engine = match charset {
            Some(charset) => Engine::within(rules, charset),
            None => {
                let waiting = Phase::Waiting { searched: offset, trigger: None, nuls: true };
                Engine { phase: waiting, ..Engine::new(rules, None) }
            }
        };
        engine.machine.skip_to(offset);
        engine
    }

    /// The charset of a whole slice, and where the bytes end that are read before
    /// it is decided; nothing is searched for.
    pub(crate) fn charset_of(&mut self, w: Window<'_>) -> (Charset, u64) {
        let mut ascii = 0;
        loop {
            match self.phase {
                Phase::Fixed => return (self.charset, ascii),
                Phase::Waiting { searched, trigger: None, nuls } => {
                    let (trigger, _) = detect::trigger(w.bytes, w.index(searched), nuls, true);
                    ascii = trigger.map_or(w.end(), |i| i as u64);
                    let trigger = trigger.map(|i| i as u64);
                    self.phase = match trigger {
                        None => Phase::Fixed,
                        Some(_) => Phase::Waiting { searched: ascii, trigger, nuls },
                    };
                }
                _ => self.step(w),
            }
        }
    }

    /// The charset, and why; until it is decided, UTF-8 because all is ASCII.
    pub(crate) fn charset(&self) -> (Charset, Basis) {
        (self.charset, self.basis.unwrap_or(Basis::Ascii))
    }

    /// Whether [`Engine::charset`] is final.
    pub(crate) fn is_decided(&self) -> bool {
        matches!(self.phase, Phase::Fixed)
    }

    /// Whether more bytes are needed to decide.
    pub(crate) fn awaits(&self) -> bool {
        !matches!(self.phase, Phase::Fixed | Phase::Waiting { trigger: None, .. })
    }

    pub(crate) fn settled(&self) -> u64 {
        self.machine.settled
    }

    pub(crate) fn keep(&self) -> u64 {
        self.machine.keep
    }

    /// The first border between characters at or after `at`, seen from the
    /// border `from`.
    pub(crate) fn boundary(&self, w: Window<'_>, from: u64, at: u64) -> u64 {
        self.machine.boundary_after(w, from, at)
    }

    /// As [`Machine::next`].
    pub(crate) fn next(&mut self, w: Window<'_>) -> Option<Found> {
        loop {
            match self.phase {
                Phase::Fixed => return self.machine.next(w),
                Phase::Start { .. } => {
                    debug_assert_eq!(w.base, 0, "nothing should be dropped before the decision");
                    self.step(w);
                    if let Phase::Start { .. } = self.phase {
                        return None;
                    }
                }
                Phase::Waiting { searched, trigger: None, nuls } => {
                    let last = w.ahead == Ahead::Nothing;
                    let from = w.index(searched);
                    let (trigger, clear) = detect::trigger(w.bytes, from, nuls, last);
                    let at = |i: usize| w.base + i as u64;
                    self.phase =
                        Phase::Waiting { searched: at(clear), trigger: trigger.map(at), nuls };
                    if trigger.is_none() {
                        // An escape that may yet turn out to be one is held back.
                        let seen = if last { w } else { w.until(at(clear)) };
                        let found = self.machine.next(seen);
                        if found.is_none() && last {
                            self.phase = Phase::Fixed;
                        }
                        return found;
                    }
                }
                Phase::Waiting { trigger: Some(trigger), .. } => {
                    if let Some(found) = self.machine.next(w.until(trigger)) {
                        return Some(found);
                    }
                    let whole = w.bytes.len() - w.index(trigger) >= detect::WINDOW;
                    if !whole && w.ahead == Ahead::More {
                        return None;
                    }
                    self.step(w);
                }
            }
        }
    }

    /// Decides, if the window has what it takes: about a byte order mark, or by
    /// the bytes behind a trigger.
    fn step(&mut self, w: Window<'_>) {
        match self.phase {
            Phase::Start { auto } => match detect::bom(w.bytes, w.ahead == Ahead::Nothing) {
                Bom::Open => {}
                Bom::Found(charset) => self.by_bom(charset, w, auto),
                Bom::Absent if auto => {
                    self.phase = Phase::Waiting { searched: 0, trigger: None, nuls: true };
                }
                Bom::Absent => self.phase = Phase::Fixed,
            },
            Phase::Waiting { trigger: Some(trigger), .. } => {
                let telling = &w.bytes[w.index(trigger)..];
                let whole = telling.len() >= detect::WINDOW;
                let telling = &telling[..telling.len().min(detect::WINDOW)];
                match detect::decide(telling, trigger, !whole) {
                    Some((charset, basis)) => self.fix(charset, basis),
                    // All of it is ASCII: wait for the next trigger behind it.
                    // UTF-16 and UTF-32 are ruled out.
                    None => {
                        self.phase = Phase::Waiting {
                            searched: trigger + telling.len() as u64,
                            trigger: None,
                            nuls: false,
                        };
                    }
                }
            }
            Phase::Waiting { trigger: None, .. } | Phase::Fixed => {}
        }
    }

    /// A byte order mark wins over what was told, as in the Encoding Standard;
    /// but UTF-32 must be asked for, or found by `auto`.
    fn by_bom(&mut self, found: Charset, w: Window<'_>, auto: bool) {
        self.phase = Phase::Fixed;
        if auto {
            return self.fix(found, Basis::Bom);
        }
        let own = self.charset.byte_order_mark();
        if !own.is_empty() && w.bytes.starts_with(own) {
            return;
        }
        let found = match found {
            Charset::UTF_32LE => Charset::UTF_16LE,
            Charset::UTF_32BE => return,
            other => other,
        };
        self.fix(found, Basis::Bom);
    }

    fn fix(&mut self, charset: Charset, basis: Basis) {
        self.phase = Phase::Fixed;
        self.charset = charset;
        self.basis = Some(basis);
        self.machine.change_charset(charset);
    }
}
