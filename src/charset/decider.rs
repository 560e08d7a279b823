//! The charset of a stream: given by the caller, or decided by its bytes.
//!
//! What must hold: the decision depends on the bytes alone, not on how they are cut into chunks.

use alloc::vec::Vec;
use core::ops::Range;

use super::{
    Charset,
    detect::{self, Basis, Bom},
    lookahead::Lookahead,
    window::{Ahead, Window},
};

/// Decides on a charset while a stream is read.
#[derive(Clone, Debug)]
pub(crate) struct Decider {
    phase: Phase,
    /// `None` until decided.
    basis: Option<Basis>,
    charset: Charset,
    /// Before this place no byte differs between charsets; 0 if the charset was given or is that of
    /// a byte order mark, and the greatest number until a byte that differs comes.
    ascii: u64,
    /// The charset that the document declares, and where the declaration ends.
    declared: Option<(Charset, u64)>,
    /// Lines may be folded within a character.
    folded: bool,
    /// The bytes that have come decide, however few they are.
    hurries: bool,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// A byte order mark may come.
    Start {
        auto: bool,
    },
    /// All bytes before `searched` read alike in every charset of the ASCII family. `trigger`: the
    /// first byte that needs a decision. `nuls`: UTF-16 and UTF-32 are still possible.
    Waiting {
        searched: u64,
        trigger: Option<u64>,
        nuls: bool,
    },
    Fixed,
}

impl Decider {
    /// `given`: the charset, if the caller knows it.
    pub(crate) fn new(given: Option<Charset>) -> Decider {
        Decider {
            phase: Phase::Start { auto: given.is_none() },
            basis: given.map(|_| Basis::Given),
            charset: given.unwrap_or(Charset::UTF_8),
            ascii: if given.is_none() { u64::MAX } else { 0 },
            declared: None,
            folded: false,
            hurries: false,
        }
    }

    /// For a document in which a line end with a space or tab after it may be within a character.
    pub(crate) fn folded(self, folded: bool) -> Decider {
        Decider { folded, ..self }
    }

    /// For the middle of a stream of `charset`.
    pub(crate) fn within(charset: Charset) -> Decider {
        Decider { phase: Phase::Fixed, ..Decider::new(Some(charset)) }
    }

    /// For the rest of the stream, from `offset` on. If this one has not decided, everything before
    /// is ASCII.
    pub(crate) fn rest(&self, offset: u64) -> Decider {
        let phase = match self.phase {
            // There is no byte order mark here.
            Phase::Start { auto: false } | Phase::Fixed => Phase::Fixed,
            Phase::Start { auto: true } | Phase::Waiting { .. } => {
                Phase::Waiting { searched: offset, trigger: None, nuls: true }
            }
        };
        let ascii = if let Phase::Waiting { .. } = phase { u64::MAX } else { self.ascii };
        Decider { phase, ascii, ..self.clone() }
    }

    /// The charset, and why. Until it is decided: UTF-8, because all bytes read so far are ASCII.
    pub(crate) fn charset(&self) -> (Charset, Basis) {
        (self.charset, self.basis.unwrap_or(Basis::Ascii))
    }

    /// The charset of a link that ends at `end`. If it ends before the first byte that decides, that
    /// is the charset that the document has declared before it, because an escape may stand for
    /// characters of it, or else UTF-8; whatever follows.
    #[inline]
    pub(crate) fn charset_before(&self, end: u64) -> Charset {
        if cfg!(iriscan_strings) {
            return Charset::UTF_8;
        }
        if end > self.ascii { self.charset } else { self.declared_before(end) }
    }

    #[cold]
    fn declared_before(&self, end: u64) -> Charset {
        match self.declared {
            Some((declared, from)) if end > from => declared,
            _ => Charset::UTF_8,
        }
    }

    /// Before this place no byte differs between charsets; 0 if that is not known.
    pub(crate) fn ascii(&self) -> u64 {
        self.ascii
    }

    /// True if the charset is not decided where a link ends at `end`, however much of the stream
    /// has come since.
    #[inline]
    pub(crate) fn is_undecided(&self, end: u64) -> bool {
        !cfg!(iriscan_strings) && end <= self.ascii
    }

    /// True if the first byte that decides lies in `range`. The part before it was read as ASCII.
    pub(crate) fn is_told_within(&self, range: &Range<u64>) -> bool {
        range.start < self.ascii && self.ascii < range.end
    }

    /// True if [`Decider::charset`] is final.
    pub(crate) fn is_decided(&self) -> bool {
        matches!(self.phase, Phase::Fixed)
    }

    /// True if everything before `end` reads as in [`Decider::charset`].
    #[inline]
    pub(crate) fn has_read(&self, end: u64) -> bool {
        match self.phase {
            Phase::Fixed => true,
            Phase::Waiting { searched, trigger: None, .. } => searched == end,
            _ => false,
        }
    }

    /// True if more bytes are needed to decide.
    pub(crate) fn awaits(&self) -> bool {
        !matches!(self.phase, Phase::Fixed | Phase::Waiting { trigger: None, .. })
    }

    /// Lets the bytes that have come decide, however few they are; or lets them wait for more again.
    pub(crate) fn hurry(&mut self, now: bool) {
        self.hurries = now;
    }

    /// Notes that the document declares a charset, and where the declaration ends. Byte order marks,
    /// and the patterns of UTF-16, UTF-32 and ISO-2022-JP, win over it.
    pub(crate) fn declare(&mut self, declared: (Charset, u64)) {
        if let Phase::Start { auto: true } | Phase::Waiting { .. } = self.phase {
            self.declared = Some(declared);
        }
    }

    /// The charset of a whole slice.
    pub(crate) fn charset_of(&mut self, w: Window<'_>) -> Charset {
        if cfg!(iriscan_strings) {
            return Charset::UTF_8;
        }
        self.drive(w, |decider, _| decider.is_decided().then_some(()));
        self.charset
    }

    /// Decides on the charset of `w` as far as it can, and lets `read` read what is decided. It
    /// is given this decider, whose charset may be another one each time, and where the part of
    /// the window ends that can be read in it. Returns early with what `read` returns, if that
    /// is not `None`; the next call then goes on.
    #[inline]
    pub(crate) fn drive<T>(
        &mut self,
        w: Window<'_>,
        mut read: impl FnMut(&Decider, u64) -> Option<T>,
    ) -> Option<T> {
        loop {
            let readable = self.readable(w)?;
            let stopped = read(self, readable);
            if stopped.is_some() || !self.advance(w) {
                return stopped;
            }
        }
    }

    /// The place up to which the window can be read in the current charset. `None` if a byte order
    /// mark may still come.
    fn readable(&mut self, w: Window<'_>) -> Option<u64> {
        if let Phase::Start { auto } = self.phase {
            debug_assert_eq!(w.base, 0, "nothing should be dropped before the decision");
            match detect::bom(w.lookahead(w.base)) {
                Bom::Open => return None,
                Bom::Found(charset) => self.by_bom(charset, w, auto),
                Bom::Absent if auto => {
                    self.phase = Phase::Waiting { searched: 0, trigger: None, nuls: true };
                }
                Bom::Absent => self.phase = Phase::Fixed,
            }
        }
        if let Phase::Waiting { searched, trigger: None, nuls } = self.phase {
            let (trigger, clear) = detect::trigger(w.lookahead(w.base), w.index(searched), nuls);
            let at = |i: usize| w.base + i as u64;
            self.phase = Phase::Waiting { searched: at(clear), trigger: trigger.map(at), nuls };
        }
        Some(match self.phase {
            Phase::Waiting { trigger: Some(trigger), .. } => trigger,
            // A cut escape sequence is held back.
            Phase::Waiting { searched, .. } if w.ahead == Ahead::More => searched,
            _ => w.end(),
        })
    }

    /// Decides, if the window has enough bytes. To be called once the window has been read up to
    /// [`Decider::readable`]. True if more of it can be read now.
    pub(crate) fn advance(&mut self, w: Window<'_>) -> bool {
        match self.phase {
            Phase::Waiting { trigger: None, .. } if w.ahead == Ahead::Nothing => {
                self.ascii = w.end();
                match self.declared {
                    Some((charset, _)) => self.fix(charset, Basis::Declared),
                    None => self.phase = Phase::Fixed,
                }
                false
            }
            Phase::Waiting { trigger: Some(trigger), .. } => {
                self.ascii = trigger;
                let telling = &w.bytes[w.index(trigger)..];
                if let Some((declared, _)) = self.declared
                    && telling.first().is_some_and(|b| !b.is_ascii())
                {
                    self.fix(declared, Basis::Declared);
                    return true;
                }
                let telling = match telling.get(..detect::WINDOW) {
                    Some(enough) => Lookahead::part(enough),
                    None if w.ahead == Ahead::More && !self.hurries => return false,
                    None => Lookahead::whole(telling),
                };
                self.decide(telling, trigger);
                true
            }
            _ => false,
        }
    }

    /// Decides by the bytes from a trigger on.
    fn decide(&mut self, telling: Lookahead<'_>, trigger: u64) {
        let decided = match self.folded {
            true => detect::decide(telling.with(&unfolded(&telling)), trigger),
            false => detect::decide(telling, trigger),
        };
        match (decided, self.declared) {
            (Some((_, Basis::Utf8 | Basis::Detector)), Some((declared, _))) => {
                self.fix(declared, Basis::Declared);
            }
            (Some((charset, basis)), _) => self.fix(charset, basis),
            // All of it is ASCII: the next trigger comes after it. UTF-16 and UTF-32 are excluded.
            (None, _) => {
                let searched = trigger + telling.len() as u64;
                self.ascii = u64::MAX;
                self.phase = Phase::Waiting { searched, trigger: None, nuls: false };
            }
        }
    }

    /// A byte order mark wins over the charset that was given, as in the Encoding Standard. But
    /// UTF-32 must be asked for, or be found by `auto`.
    fn by_bom(&mut self, found: Charset, w: Window<'_>, auto: bool) {
        self.phase = Phase::Fixed;
        self.ascii = 0;
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
    }
}

/// The bytes without line ends that a space or a tab follows, and without that.
fn unfolded(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for feed in memchr::memchr_iter(b'\n', bytes) {
        if matches!(bytes.get(feed + 1), Some(b' ' | b'\t')) {
            let line = &bytes[at.min(feed)..feed];
            out.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
            at = feed + 2;
        }
    }
    out.extend_from_slice(&bytes[at.min(bytes.len())..]);
    out
}
