//! Bytes made of other bytes, and where each came from.
//!
//! Knows runs of bytes and nothing of mail. Invariant: runs are in order, and the
//! first starts at 0 unless there is no byte. A run takes one to three bytes for most
//! texts, so that the runs of a message of nothing but escapes are no longer than it.

use core::{iter, ops::Range};
use std::{borrow::Cow, vec::Vec};

/// Text as the finder reads it, over a base: the message, or what base64 stood for.
#[derive(Clone, Debug)]
pub(super) struct View<'b> {
    bytes: Cow<'b, [u8]>,
    runs: Runs,
}

/// A run of bytes of one form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// Where it starts in the view.
    at: usize,
    /// How many bytes of the view it has.
    len: usize,
    /// Where it starts in the base.
    from: usize,
    form: Form,
}

/// How many bytes of the base correspond to a byte of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    One,
    /// `=C3`.
    Three,
    /// The run corresponds to so many bytes of the base as a whole, and not byte by byte.
    Whole(usize),
    /// Bytes that are not in the base.
    Nowhere,
}

impl Form {
    /// How many bytes of the base correspond to `len` bytes of the view.
    fn base_len(self, len: usize) -> usize {
        match self {
            Form::One => len,
            Form::Three => 3 * len,
            Form::Whole(base_len) => base_len,
            Form::Nowhere => 0,
        }
    }
}

impl Run {
    fn end(&self) -> usize {
        self.at + self.len
    }
}

#[derive(Clone, Debug)]
enum Runs {
    /// The view is a range of the base, which starts here.
    Same(usize),
    Blocks(Vec<Block>),
}

/// How many bytes of written runs a block has before the next one starts.
const BLOCK: usize = 256;

/// Some runs, written one after the other: a number that holds the form, whether a gap
/// follows, and the length of the run; the gap in the base since the run before; for
/// [`Form::Whole`], the length in the base.
#[derive(Clone, Debug)]
struct Block {
    /// Where the first run starts in the view.
    at: usize,
    /// Where a first run without a gap would start in the base.
    from: usize,
    written: Vec<u8>,
}

/// Appends a number, seven bits a byte, the lowest first.
fn write(mut number: usize, out: &mut Vec<u8>) {
    while number > 127 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number from the start of `bytes`.
fn read(bytes: &mut &[u8]) -> Option<usize> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(byte & 127) << shift;
        if *byte < 128 {
            return Some(number);
        }
        shift += 7;
    }
}

impl Block {
    /// `from`: where the run before ends in the base.
    fn push(&mut self, run: &Run, from: usize) {
        let form = match run.form {
            Form::One => 0,
            Form::Three => 1,
            Form::Whole(_) => 2,
            Form::Nowhere => 3,
        };
        let gap = run.from.wrapping_sub(from);
        write(run.len << 3 | usize::from(gap != 0) << 2 | form, &mut self.written);
        if gap != 0 {
            write(gap, &mut self.written);
        }
        if let Form::Whole(len) = run.form {
            write(len, &mut self.written);
        }
    }

    fn runs(&self) -> impl Iterator<Item = Run> {
        let (mut at, mut from, mut written) = (self.at, self.from, &*self.written);
        iter::from_fn(move || {
            let head = read(&mut written)?;
            if head & 4 != 0 {
                from = from.wrapping_add(read(&mut written)?);
            }
            let form = match head & 3 {
                0 => Form::One,
                1 => Form::Three,
                2 => Form::Whole(read(&mut written)?),
                _ => Form::Nowhere,
            };
            let run = Run { at, len: head >> 3, from, form };
            (at, from) = (run.end(), from.wrapping_add(form.base_len(run.len)));
            Some(run)
        })
    }
}

impl<'b> View<'b> {
    /// `bytes` of the base, which start there at `from`.
    pub(super) fn plain(bytes: &'b [u8], from: usize) -> View<'b> {
        View { bytes: Cow::Borrowed(bytes), runs: Runs::Same(from) }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes.into_owned()
    }

    /// The runs from the one that holds the byte at `at` on.
    fn runs_at(&self, at: usize) -> impl Iterator<Item = Run> {
        let (same, blocks) = match &self.runs {
            Runs::Same(from) => {
                let run = Run { at: 0, len: self.bytes.len(), from: *from, form: Form::One };
                (Some(run), &[][..])
            }
            Runs::Blocks(blocks) => (None, &**blocks),
        };
        let first = blocks.partition_point(|block| block.at <= at).saturating_sub(1);
        let runs = same.into_iter().chain(blocks[first..].iter().flat_map(Block::runs));
        runs.skip_while(move |run| run.end() <= at)
    }

    /// The range of the base that corresponds to `range`; `None` if its ends are not in the
    /// base.
    pub(super) fn source(&self, range: Range<usize>) -> Option<Range<usize>> {
        if range.is_empty() {
            return None;
        }
        let run = self.runs_at(range.start).next()?;
        let start = match run.form {
            Form::One | Form::Three => run.from + run.form.base_len(range.start - run.at),
            Form::Whole(_) if range.start == run.at => run.from,
            Form::Whole(_) | Form::Nowhere => return None,
        };
        let last = if range.end <= run.end() { run } else { self.runs_at(range.end - 1).next()? };
        let end = match last.form {
            Form::One | Form::Three => last.from + last.form.base_len(range.end - last.at),
            Form::Whole(len) if range.end == last.end() => last.from + len,
            Form::Whole(_) | Form::Nowhere => return None,
        };
        (start <= end).then_some(start..end)
    }

    /// Whether every byte of `range` is one of the base, or an escape for one.
    pub(super) fn is_writable(&self, range: Range<usize>) -> bool {
        self.runs_at(range.start)
            .take_while(|run| run.at < range.end)
            .all(|run| matches!(run.form, Form::One | Form::Three))
    }
}

/// Makes a view, from its start to its end.
#[derive(Debug, Default)]
pub(super) struct Maker {
    bytes: Vec<u8>,
    blocks: Vec<Block>,
    /// The run at the end of `bytes`, which may become longer.
    last: Option<Run>,
    /// Where the run before it ends in the base.
    from: usize,
}

impl Maker {
    /// For a view of at most so many bytes.
    pub(super) fn with_capacity(bytes: usize) -> Maker {
        Maker { bytes: Vec::with_capacity(bytes), ..Maker::default() }
    }

    fn push(&mut self, bytes: &[u8], from: usize, form: Form) {
        let (at, len) = (self.bytes.len(), bytes.len());
        self.bytes.extend_from_slice(bytes);
        if let Some(last) = &mut self.last
            && last.form == form
            && match form {
                Form::One | Form::Three => last.from + form.base_len(last.len) == from,
                Form::Whole(_) => false,
                Form::Nowhere => true,
            }
        {
            last.len += len;
            return;
        }
        self.settle();
        // A run that is nowhere has no place of its own.
        let from = if form == Form::Nowhere { self.from } else { from };
        self.last = Some(Run { at, len, from, form });
    }

    /// Writes the last run.
    fn settle(&mut self) {
        let Some(run) = self.last.take() else { return };
        let from = self.from;
        self.from = run.from + run.form.base_len(run.len);
        match self.blocks.last_mut().filter(|block| block.written.len() < BLOCK) {
            Some(block) => block.push(&run, from),
            None => {
                let mut block = Block { at: run.at, from, written: Vec::new() };
                block.push(&run, from);
                self.blocks.push(block);
            }
        }
    }

    /// Appends `bytes`, which start in the base at `from`.
    pub(super) fn plain(&mut self, bytes: &[u8], from: usize) {
        if !bytes.is_empty() {
            self.push(bytes, from, Form::One);
        }
    }

    /// Appends a byte for the escape of three bytes in the base at `from`.
    pub(super) fn escape(&mut self, byte: u8, from: usize) {
        self.push(&[byte], from, Form::Three);
    }

    /// Appends `bytes` that correspond to a range of the base as a whole, or to none of it.
    pub(super) fn whole(&mut self, bytes: &[u8], source: Option<Range<usize>>) {
        match source {
            _ if bytes.is_empty() => {}
            Some(source) => self.push(bytes, source.start, Form::Whole(source.len())),
            None => self.push(bytes, 0, Form::Nowhere),
        }
    }

    /// Appends a range of another view of the same base.
    pub(super) fn take(&mut self, view: &View<'_>, range: Range<usize>) {
        for run in view.runs_at(range.start).take_while(|run| run.at < range.end) {
            let part = run.at.max(range.start)..run.end().min(range.end);
            let bytes = &view.bytes[part.clone()];
            match run.form {
                _ if bytes.is_empty() => {}
                Form::One | Form::Three => {
                    self.push(bytes, run.from + run.form.base_len(part.start - run.at), run.form);
                }
                Form::Whole(_) | Form::Nowhere => self.whole(bytes, view.source(part)),
            }
        }
    }

    pub(super) fn view(mut self) -> View<'static> {
        self.settle();
        View { bytes: Cow::Owned(self.bytes), runs: Runs::Blocks(self.blocks) }
    }
}
