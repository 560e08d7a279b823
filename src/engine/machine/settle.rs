//! What of a window is settled, and which bytes before it the next window has to bring again.

use super::state::Machine;
use crate::{
    charset::{Shape, lookahead::Lookahead, window::Window},
    engine::rules::Others,
    grammar::{
        ip, name_start,
        start::{self, LOOKBACK, LOOKBACK_MAX},
    },
};

impl Machine {
    /// Settles the rest of a window without further candidates. Text that may begin one in the next
    /// window is held back.
    #[inline(never)]
    pub(super) fn settle_rest(&mut self, w: Window<'_>) {
        let waits = core::mem::take(&mut self.waits);
        if w.last() {
            let end = w.end().max(self.settled);
            (self.scan, self.settled, self.keep) = (end, end, end);
            return;
        }
        let end = self.complete(w);
        let begins = if w.last() { None } else { self.may_begin(w, end) };
        if !waits {
            self.scan = end;
        }
        let held = begins.unwrap_or(end).max(self.floor).max(self.settled);
        self.settle(w, held);
    }

    /// Where the earliest candidate may start that text after `end` would complete.
    pub(super) fn may_begin(&self, w: Window<'_>, end: u64) -> Option<u64> {
        let (rules, floor) = (&*self.rules, self.floor);
        self.with_lookback(w, end, self.rules.lookback, |before| {
            // The characters that the scheme has read are read again for a name.
            let (mut seen, mut count) = ([const { None }; LOOKBACK], 0);
            let noted = before.inspect(|b| {
                seen[count] = Some(*b);
                count += 1;
            });
            let scheme = match rules.anchors.colon {
                true => start::may_begin(noted, rules.schemes()),
                false => None,
            };
            if self.rules.lookback == LOOKBACK {
                return scheme;
            }
            let ip = match rules.anchors.others {
                Others::Ip => ip::may_begin(&mut seen.iter().flatten().copied()),
                _ => None,
            };
            let mut before = seen.into_iter().flatten().chain(before);
            let name = name_start::name_may_begin(&mut before, rules.options.set, end, floor);
            [scheme, ip].into_iter().flatten().chain([name]).min()
        })
    }

    /// Where the last complete unit of the window ends; the end of the window, if the text ends there.
    pub(super) fn complete(&self, w: Window<'_>) -> u64 {
        if w.last() {
            return w.end();
        }
        match self.cursor.shape() {
            Shape::Single | Shape::Stateful => w.end(),
            Shape::Wide { width, .. } => {
                let mut end = w.end() - w.end() % width as u64;
                // A high surrogate waits for the low one.
                if width == 2 && end >= w.base + 2 {
                    let unit = self.cursor.plain(Lookahead::part(w.from(end - 2)));
                    end -= if unit.is_none() { 2 } else { 0 };
                }
                end.max(self.settled)
            }
            Shape::Utf8 => {
                let from = w.end().saturating_sub(3).max(self.settled).max(w.base);
                let tail = w.from(from);
                // The last lead byte, if its sequence is cut off.
                let cut = tail
                    .iter()
                    .rposition(|b| *b >= 0xC0)
                    .filter(|&i| self.cursor.plain(Lookahead::part(&tail[i..])).is_none());
                cut.map_or(w.end(), |i| from + i as u64)
            }
            Shape::Multi => {
                // From where the last window ended, so that single bytes do not read everything again.
                let mut at = self.border_before(w, w.end()).max(self.scan.min(w.end()));
                while let Some((_, len)) = self.cursor.plain(Lookahead::part(w.from(at))) {
                    at += len as u64;
                }
                at
            }
        }
    }

    /// The first border between units at or after `at`, read from the border `from` on. In
    /// ISO-2022-JP the end of the window, because the state at `from` is not known any more.
    pub(crate) fn border_after(&self, w: Window<'_>, from: u64, at: u64) -> u64 {
        let cursor = self.transcoder().map_or(&self.cursor, |it| &it.cursor);
        let mut border = from;
        while border < at {
            match cursor.plain(Lookahead::whole(w.from(border))) {
                Some((_, len)) => border += len as u64,
                None => return w.end(),
            }
        }
        border
    }

    /// Settles everything before `held`, and keeps the bytes that a look-behind from there needs.
    pub(super) fn settle(&mut self, w: Window<'_>, held: u64) {
        debug_assert!(held >= self.settled, "`settled` should only grow");
        self.settled = held;
        let back = |bytes: usize| held.saturating_sub(bytes as u64).max(w.base);
        // Of a scheme: 33 characters of one byte; before it six of up to four bytes, which `start`
        // reads, and two more, because malformed bytes and a character that the window cuts off
        // must not count. In a name all characters may have four bytes.
        let narrow = self.rules.lookback == LOOKBACK;
        let bytes = if narrow { LOOKBACK - 6 + 8 * 4 } else { (LOOKBACK_MAX + 2) * 4 };
        self.keep = match self.cursor.shape() {
            Shape::Single => back(self.rules.lookback),
            Shape::Utf8 | Shape::Stateful => back(bytes),
            Shape::Wide { width, .. } => {
                let at = back(if narrow { (LOOKBACK - 6) * width + 8 * 4 } else { bytes });
                at - (at % width as u64).min(at - w.base)
            }
            Shape::Multi => {
                let target = back(bytes);
                let mut at = self.border_before(w, target);
                while let Some((_, len)) = self.cursor.plain(w.lookahead(at)) {
                    if at + len as u64 > target {
                        break;
                    }
                    at += len as u64;
                }
                at
            }
        };
    }
}
