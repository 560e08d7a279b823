//! Sources that are decoded to UTF-8 before links are looked for in them: ISO-2022-JP, where the
//! meaning of a byte depends on all bytes before it, and multi-byte charsets by UTS #58.
//!
//! Windows over the source go in. Their bytes are decoded piece by piece; the machine reads the text
//! and holds what it needs of it. Offsets of the text become offsets of the source here. What must
//! hold: everything before the end of the source map has been decoded, so that `keep` is at or before
//! it.

use super::state::{Machine, State};
use crate::{
    charset::{
        lookahead::Lookahead,
        window::{Ahead, Window},
    },
    grammar::types::Found,
};

/// How many bytes of the source are decoded at once.
const PIECE: usize = 4096;

impl Machine {
    /// Writes the next link that this window settles to `found`. `false` if it settles no more: the next
    /// window has to start at [`Machine::keep`] or before.
    #[inline(always)]
    pub(crate) fn next(&mut self, w: Window<'_>, found: &mut Found) -> bool {
        // Of strings alone there is one charset, and one way.
        if !cfg!(iriscan_strings) && self.plain && matches!(self.state, State::Seek) {
            return self.next_plain(w, found);
        }
        match self.transcoder() {
            None => self.next_in_text(w, found),
            Some(_) => self.next_transcoded(w, found),
        }
    }

    #[inline(never)]
    fn next_transcoded(&mut self, w: Window<'_>, found: &mut Found) -> bool {
        loop {
            let Some(it) = &mut self.transcoder else { return false };
            let from = it.map.outside();
            let ahead = if from == w.end() { w.ahead } else { Ahead::More };
            // The machine looks at the map while it reads the text.
            let (text, base) = (core::mem::take(&mut it.text), it.text_at);
            let is_link = self.next_in_text(Window { bytes: &text, base, ahead }, found);
            let Some(it) = &mut self.transcoder else { return false };
            it.text = text;
            if is_link {
                let shifts = (it.map.shift(found.start), it.map.shift(found.end - 1));
                let source = it.map.start(found.start)..it.map.end(found.end);
                *found = found.at(source).shifted(shifts.0, shifts.1);
                return true;
            }
            it.forget(self.keep);
            let rest = w.from(from);
            let piece = &rest[..rest.len().min(PIECE)];
            it.push(Lookahead::new(piece, w.last() && piece.len() == rest.len()));
            // Nothing is left, or an incomplete character.
            if it.map.outside() == from {
                return false;
            }
        }
    }

    /// How long a link may be that starts at `start`. Its source is measured: if that is too short so
    /// far to be too long, this is the greatest number.
    #[inline]
    pub(super) fn max_len(&self, start: u64) -> u64 {
        let max_len = self.rules.options.max_len;
        self.transcoder().map_or(max_len, |it| it.map.room(start, max_len))
    }

    /// All bytes before are text, or belong to a link that was reported.
    #[inline]
    pub(crate) fn settled(&self) -> u64 {
        self.source(self.settled)
    }

    /// The next window starts here or before.
    #[inline]
    pub(crate) fn keep(&self) -> u64 {
        self.source(self.keep)
    }

    #[inline]
    fn source(&self, at: u64) -> u64 {
        self.transcoder().map_or(at, |it| it.map.start(at))
    }

    /// How many bytes of text are held.
    pub(crate) fn held(&self) -> usize {
        self.transcoder().map_or(0, |it| it.text.len())
    }
}
