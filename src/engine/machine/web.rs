//! The way from an anchor to its link for what most texts are: UTF-8, by the rules for prose. Most links there begin
//! with `http://` or `https://`, and their end is found at once.
//!
//! Nothing here asks for the charset, the width of a unit or the rules, as [`Machine::seek`] does at each step. An
//! anchor that is not decided at once goes the way of all others, [`Machine::seek_at`]. Invariant: the links are the same.

use super::{
    open::Known,
    state::{Machine, Outcome, State},
};
use crate::{
    charset::{Shape, window::Window},
    engine::rules::AT_ONCE_MAX,
    grammar::{
        reading::{Reading, whole::Source},
        start::{self, Head},
        types::{Anchor, Found},
    },
};

/// The result of the first reading of a candidate.
enum Web {
    /// It is a link, which was written to the place of the caller.
    Link,
    /// None starts here.
    NoHead,
    /// It is to be read further.
    Read(Head, Known),
    /// It is not a plain `http` or `https`, or what is before it has to be read one by one.
    Other,
}

impl Machine {
    /// As [`Machine::next_in_text`], where no candidate is open.
    #[inline(never)]
    pub(super) fn next_plain(&mut self, w: Window<'_>, found: &mut Found) -> bool {
        let mut from = w.index(self.scan);
        loop {
            let next = match core::mem::take(&mut self.at_colon) {
                true => Some((from, Anchor::Colon)),
                false => self.anchors.next_of_bytes(w.bytes, from),
            };
            let Some((at, anchor)) = next else { break };
            from = at + 1;
            let web = if anchor == Anchor::Colon { self.web(w, at, found) } else { Web::Other };
            let at = w.base + at as u64;
            let outcome = match web {
                Web::Link => {
                    (self.floor, self.settled, self.scan) = (found.end, found.end, found.end);
                    return true;
                }
                Web::NoHead => None,
                Web::Read(head, known) => {
                    self.scan = at + 1;
                    Some(self.read_on(w, at, (head, at + 1, known), found))
                }
                Web::Other if anchor == Anchor::Colon => self.seek_scheme(w, at, found),
                Web::Other => self.seek_at::<1>(w, (at, anchor), &mut [], found),
            };
            match outcome {
                None => {}
                Some(Outcome::Link) => {
                    self.seek_from(found.end);
                    // Links of other kinds are only passed.
                    if self.rules.options.kinds.has(found.kind()) {
                        return true;
                    }
                    from = w.index(found.end);
                }
                Some(_) if !matches!(self.state, State::Seek) => {
                    return self.next_in_text(w, found);
                }
                Some(Outcome::NoLink) => from = w.index(self.scan),
                Some(Outcome::NeedMore) => break,
            }
        }
        self.settle_rest(w);
        false
    }

    /// Reads the link with the `:` at `at`, if it is one of most.
    #[inline(always)]
    fn web(&mut self, w: Window<'_>, at: usize, found: &mut Found) -> Web {
        let Some((rest, name)) = start::ends_with_http(&w.bytes[..at]) else { return Web::Other };
        let Some(opener) = self.opener_of_http(rest, Shape::Utf8) else { return Web::Other };
        let start = w.base + rest.len() as u64;
        if start < self.floor || !self.rules.web.has(name) {
            return Web::NoHead;
        }
        let listed = rest.last() == Some(&b',');
        let bytes = &w.bytes[at + 1..];
        let text = &bytes[..bytes.len().min(AT_ONCE_MAX)];
        let ends = w.last() && text.len() == bytes.len();
        let source = Source { level: self.anchors.level(), cursor: Some(&self.cursor), text, ends };
        let (terms, mut known) = (self.terms_of_any_length(start), Known::default());
        let place = |unit: usize| w.base + (at + 1 + unit) as u64;
        let read = known.read(terms.opener(&opener), place, |opener| {
            Reading::at_once(source, (opener, listed))
        });
        let Some((end, non_ascii)) = read else {
            return Web::Read(Head { listed, ..Head::http(start, opener) }, known);
        };
        *found = Head::http(start, None).found(end, non_ascii);
        self.has_read(&known, start, end);
        Web::Link
    }

    /// As [`Machine::seek_at`], for a `:` that [`Machine::web`] does not know.
    #[inline(never)]
    fn seek_scheme(&mut self, w: Window<'_>, at: u64, found: &mut Found) -> Option<Outcome> {
        if let Some(head) = self.mailto(w, at) {
            return Some(self.read_head(w, at, &head, found));
        }
        let mut head = Head::http(0, None);
        let is_head = self.any_head(w, at, Anchor::Colon, &mut head);
        is_head.then(|| self.read_head(w, at, &head, found))
    }

    /// The head of a `mailto:` with its `:` at `at`, if what is before it opens a link as before `http:`. Addresses are
    /// what most links without `//` are.
    #[inline(always)]
    fn mailto(&self, w: Window<'_>, at: u64) -> Option<Head> {
        let before = start::ends_with_mailto(&w.bytes[..w.index(at)])?;
        let scheme = self.rules.mailto.filter(|_| !self.rules.any_domain)?;
        let opener = self.opener_of_http(before, Shape::Utf8)?;
        let start = w.base + before.len() as u64;
        (start >= self.floor).then(|| Head::after_ascii(scheme, start, opener))
    }
}
