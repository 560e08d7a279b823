//! The way from a `:` to its link for what most texts are: UTF-8, in which only schemes are looked for, by the rules
//! for prose. Most links there begin with `http://` or `https://`, and their end is found at once.
//!
//! Nothing here asks for the charset, the width of a unit or the rules, as [`Machine::seek`] does at each step. What is
//! not known at once goes the way of all others, [`Machine::seek_at`]. What must hold: the links are the same.

use super::state::{AT_ONCE_MAX, Machine, Outcome, State};
use crate::{
    charset::{Shape, window::Window},
    grammar::{
        reading::{
            Reading,
            whole::{AtOnce, Source},
        },
        start::{self, Head},
        types::{Anchor, End, Found, Terms},
    },
};

/// What is known of a candidate after its first reading.
enum Web {
    /// It is a link, which was written to the place of the caller.
    Link,
    /// None starts here.
    NoHead,
    /// It is to be read further.
    Read(Head, AtOnce),
    /// It is not a plain `http` or `https`, or what is before it has to be read one by one.
    Other,
}

impl Machine {
    /// As [`Machine::next_in_text`], where no candidate is open.
    #[inline(never)]
    pub(super) fn next_plain(&mut self, w: Window<'_>, found: &mut Found) -> bool {
        let mut from = w.index(self.scan);
        while let Some(at) = self.anchors.next_colon(w.bytes, from) {
            from = at + 1;
            let outcome = match self.web(w, at, found) {
                Web::Link => Outcome::Link,
                Web::NoHead => continue,
                Web::Read(head, read) => self.read_web(w, at, (head, read), found),
                Web::Other => self.seek_other(w, at, found),
            };
            match outcome {
                Outcome::Link => {
                    (self.floor, self.settled, self.scan) = (found.end, found.end, found.end);
                    return true;
                }
                Outcome::NoLink if matches!(self.state, State::Seek) => {
                    from = from.max(w.index(self.scan));
                }
                Outcome::NoLink | Outcome::NeedMore => return self.next_in_text(w, found),
            }
        }
        self.settle_rest(w);
        false
    }

    /// Reads the link with the `:` at `at`, if it is one of most.
    #[inline(always)]
    fn web(&self, w: Window<'_>, at: usize, found: &mut Found) -> Web {
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
        let terms: Terms = self.terms_of_any_length(start);
        match Reading::at_once(source, (terms.opener(&opener), listed)) {
            AtOnce::Link { end, non_ascii } if self.roomy => {
                let from = w.base + at as u64 + 1;
                let non_ascii = non_ascii.map(|at| from + at as u64);
                *found = Head::http(start, None).found(End { at: from + end as u64 }, non_ascii);
                Web::Link
            }
            read => Web::Read(Head { listed, ..Head::http(start, opener) }, read),
        }
    }

    /// Reads a candidate further that was not known at once.
    #[inline(never)]
    fn read_web(
        &mut self,
        w: Window<'_>,
        at: usize,
        (head, read): (Head, AtOnce),
        found: &mut Found,
    ) -> Outcome {
        let read = self.roomy.then_some(read);
        self.read_head(w, w.base + at as u64, (head, read), found)
    }

    /// As [`Machine::seek`], of the candidate with this anchor.
    #[inline(never)]
    fn seek_other(&mut self, w: Window<'_>, at: usize, found: &mut Found) -> Outcome {
        let mut head = Head::http(0, None);
        let at = w.base + at as u64;
        match self.head(w, at, Anchor::Colon, &mut head) {
            true => self.read_head(w, at, (head, None), found),
            false => Outcome::NoLink,
        }
    }
}
