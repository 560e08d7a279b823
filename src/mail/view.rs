//! Bytes made of other bytes, and where each came from.
//!
//! Knows runs of bytes and nothing of mail. Invariant: runs are in order, and the
//! first starts at 0 unless there is no byte.

use core::ops::Range;
use std::{borrow::Cow, vec::Vec};

/// Text as the finder reads it, over a base: the message, or what base64 stood for.
#[derive(Clone, Debug)]
pub(super) struct View<'b> {
    bytes: Cow<'b, [u8]>,
    runs: Vec<Run>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// Where it starts in the view.
    at: usize,
    /// Where it starts in the base.
    from: usize,
    form: Form,
}

/// How many bytes of the base a byte of the view stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    One,
    /// `=C3`.
    Three,
    /// The whole run stands for so many bytes, and none of them for one of it.
    Whole(usize),
    /// They are not in the base.
    Nowhere,
}

impl<'b> View<'b> {
    /// A range of the base itself.
    pub(super) fn plain(base: &'b [u8], range: Range<usize>) -> View<'b> {
        let runs = Vec::from([Run { at: 0, from: range.start, form: Form::One }]);
        View { bytes: Cow::Borrowed(&base[range]), runs }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn run_at(&self, at: usize) -> Option<usize> {
        self.runs.partition_point(|run| run.at <= at).checked_sub(1)
    }

    fn run_end(&self, index: usize) -> usize {
        self.runs.get(index + 1).map_or(self.bytes.len(), |run| run.at)
    }

    /// The range of the base that `range` stands for; `None` if its ends are not in
    /// the base.
    pub(super) fn source(&self, range: Range<usize>) -> Option<Range<usize>> {
        if range.is_empty() {
            return None;
        }
        let run = self.runs[self.run_at(range.start)?];
        let start = match run.form {
            Form::One => run.from + (range.start - run.at),
            Form::Three => run.from + 3 * (range.start - run.at),
            Form::Whole(_) if range.start == run.at => run.from,
            Form::Whole(_) | Form::Nowhere => return None,
        };
        let index = self.run_at(range.end - 1)?;
        let run = self.runs[index];
        let end = match run.form {
            Form::One => run.from + (range.end - run.at),
            Form::Three => run.from + 3 * (range.end - run.at),
            Form::Whole(len) if range.end == self.run_end(index) => run.from + len,
            Form::Whole(_) | Form::Nowhere => return None,
        };
        (start <= end).then_some(start..end)
    }

    /// Whether every byte of `range` is one of the base, or an escape for one.
    pub(super) fn is_writable(&self, range: Range<usize>) -> bool {
        let Some(first) = self.run_at(range.start) else { return false };
        self.runs[first..]
            .iter()
            .take_while(|run| run.at < range.end)
            .all(|run| matches!(run.form, Form::One | Form::Three))
    }
}

/// Makes a view, from its start to its end.
#[derive(Debug, Default)]
pub(super) struct Maker {
    bytes: Vec<u8>,
    runs: Vec<Run>,
}

impl Maker {
    fn run(&mut self, from: usize, form: Form) {
        let at = self.bytes.len();
        let goes_on = self.runs.last().is_some_and(|last| {
            let width = match form {
                Form::One => 1,
                Form::Three => 3,
                Form::Nowhere => 0,
                Form::Whole(_) => return false,
            };
            last.form == form && last.from + width * (at - last.at) == from
        });
        if !goes_on {
            self.runs.push(Run { at, from, form });
        }
    }

    /// `bytes`, which stand in the base at `from`.
    pub(super) fn plain(&mut self, bytes: &[u8], from: usize) {
        if !bytes.is_empty() {
            self.run(from, Form::One);
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// A byte for the three of the base at `from`.
    pub(super) fn escape(&mut self, byte: u8, from: usize) {
        self.run(from, Form::Three);
        self.bytes.push(byte);
    }

    /// `bytes` that stand for a range of the base as a whole, or for none.
    pub(super) fn whole(&mut self, bytes: &[u8], source: Option<Range<usize>>) {
        if bytes.is_empty() {
            return;
        }
        match source {
            Some(source) => self.run(source.start, Form::Whole(source.len())),
            None => self.run(0, Form::Nowhere),
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// A range of another view over the same base.
    pub(super) fn take(&mut self, view: &View<'_>, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            let Some(index) = view.run_at(at) else { return };
            let run = view.runs[index];
            let end = view.run_end(index).min(range.end);
            let bytes = &view.bytes[at..end];
            match run.form {
                Form::One => self.plain(bytes, run.from + (at - run.at)),
                Form::Three => {
                    self.run(run.from + 3 * (at - run.at), Form::Three);
                    self.bytes.extend_from_slice(bytes);
                }
                Form::Whole(_) | Form::Nowhere => self.whole(bytes, view.source(at..end)),
            }
            at = end;
        }
    }

    pub(super) fn view(self) -> View<'static> {
        View { bytes: Cow::Owned(self.bytes), runs: self.runs }
    }
}
