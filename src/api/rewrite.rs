//! Writing a document with links replaced.
//!
//! Text and links come in, bytes go out. Invariants: bytes outside of a replaced link go out
//! as they came in, except escape sequences of ISO-2022-JP directly beside it. The output
//! decodes, in the same charset, to the text with the links replaced.

use alloc::{borrow::Cow, boxed::Box, string::String, vec::Vec};
use core::mem;

use super::{
    find::{FindIter, Input},
    finder::Finder,
    fold::Folds,
    readable::{Readable, Readables},
    rewritten::{Counts, Rewritten},
    shifts::Shifts,
};
use crate::{
    charset::{Charset, Shape},
    format::{
        kinds::Format,
        slot::{self, Emptied, Emptying, Guard, Recent, Slot},
    },
    grammar::types::Trait,
    links::{
        edit::LinkEdit,
        matched::{Match, Rewriting},
        place::Inside,
        sink::Summary,
        template::Template,
    },
    reference::{host_cache::HostCache, octets::Octets},
};

/// A template, and the memory for its texts.
#[derive(Clone, Debug)]
struct Filling {
    template: Template,
    /// The text of a template without fields, escaped for the last link, and how many of its characters are
    /// lost.
    constant: Option<(Slot, String, u64)>,
    /// The text for the last link.
    filled: String,
}

/// The part of rewriting that does not depend on a writer.
#[derive(Clone, Debug)]
pub(super) struct Splice {
    pub(super) counts: Counts,
    pub(super) format: Format,
    /// What replaces each link; `None`: its URI form.
    filling: Option<Box<Filling>>,
    /// Parts of links change.
    edit: Option<Box<LinkEdit>>,
    /// Links become IRIs.
    readables: Option<Readables>,
    /// The number of the last link.
    pub(super) n: u64,
    /// Replacements have ASCII characters only.
    pub(super) ascii: bool,
    /// Links are replaced by other text than their URI forms, in a format in which what is before them
    /// counts.
    sees: bool,
    /// The end of the text before the next link.
    pub(super) recent: Recent,
    /// The last link was replaced by nothing, and what follows decides whether that can be.
    emptied: Option<Emptied>,
    /// The text is in ISO-2022-JP, or its charset is not decided yet. That delays three bytes in other charsets too.
    pub(super) may_shift: bool,
    /// The shift states of ISO-2022-JP.
    pub(super) shifts: Shifts,
    pub(super) memory: Memory,
    /// Folds lines, in a format that wants it.
    folds: Option<Box<Folds>>,
}

/// What links leave for the next one, so that it need not be made anew.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    scratch: Vec<u8>,
    /// The hosts that were converted last.
    pub(super) hosts: HostCache,
    /// The URI of the last link.
    uri: Octets,
}

impl Splice {
    pub(super) fn new(finder: &Finder) -> Splice {
        let filling =
            finder.rules.template().cloned().map(|template| {
                Box::new(Filling { template, constant: None, filled: String::new() })
            });
        let edit = finder.rules.edit().cloned().map(Box::new);
        Splice {
            counts: Counts::default(),
            format: finder.format,
            sees: slot::looks_back(finder.format) && (filling.is_some() || edit.is_some()),
            filling,
            edit,
            readables: Readables::of(finder),
            n: 0,
            ascii: false,
            recent: Recent::default(),
            emptied: None,
            may_shift: finder.charset.is_none_or(|charset| charset.shape() == Shape::Stateful),
            shifts: Shifts::default(),
            memory: Memory::default(),
            folds: finder.format.row().is_folded.then(|| Box::new(Folds::new())),
        }
    }

    /// For links that are replaced by [`Splice::replace`].
    pub(super) fn replacing(finder: &Finder) -> Splice {
        Splice { sees: slot::looks_back(finder.format), ..Splice::new(finder) }
    }

    /// Learns the end of the text before the next link, if that is not given to
    /// [`Splice::text`].
    #[inline]
    pub(super) fn see(&mut self, text: &[u8]) {
        if self.sees {
            self.recent.push(text);
        }
    }

    /// The text from here on is in `charset`.
    #[inline]
    pub(super) fn read_as(&mut self, charset: Charset) {
        self.may_shift = charset.shape() == Shape::Stateful;
    }

    /// Writes text. If it may have shift states, an escape sequence at its end is held back, and so may be the rest of a
    /// line in a format in which lines are folded.
    pub(super) fn text<E>(
        &mut self,
        bytes: &[u8],
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(mut folds) = self.folds.take() else { return self.unfolded(bytes, write) };
        let written = folds.text(bytes, |piece| self.unfolded(piece, &mut write));
        self.folds = Some(folds);
        written
    }

    /// The part of [`Splice::text`] that knows no lines.
    fn unfolded<E>(
        &mut self,
        bytes: &[u8],
        write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.may_shift {
            true => self.shifted(bytes, write),
            false => self.plain(bytes, write),
        }
    }

    /// Writes text without shift states.
    fn plain<E>(
        &mut self,
        bytes: &[u8],
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.settle(bytes, &mut write)?;
        self.see(bytes);
        write(bytes)
    }

    /// Writes text that may have shift states.
    fn shifted<E>(
        &mut self,
        bytes: &[u8],
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.settle(bytes, &mut write)?;
        self.see(bytes);
        let bytes = self.shifts.text(bytes, &mut write)?;
        if bytes.is_empty() { Ok(()) } else { write(bytes) }
    }

    /// Writes a link: the text of the template, or its URI, in the charset of the document, or its
    /// own bytes.
    pub(super) fn link<E>(
        &mut self,
        link: &Match<'_>,
        write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.n += 1;
        if let Some(mut filling) = self.filling.take() {
            let written = self.fill(&mut filling, link, write);
            self.filling = Some(filling);
            return written;
        }
        if let Some(edit) = self.edit.take() {
            let written = self.edit(&edit, link, write);
            self.edit = Some(edit);
            return written;
        }
        if let Some(readables) = self.readables.take() {
            let written = self.readable(&readables, link, write);
            self.readables = Some(readables);
            return written;
        }
        if link.stays_ascii() {
            return self.text(link.source(), write);
        }
        let mut uri = mem::take(&mut self.memory.uri);
        let written = match link.rewriting(Some(&mut self.memory.hosts), &mut uri) {
            // It is its own URI form, for example because its host is kept.
            Rewriting::Same => self.text(link.source(), write),
            Rewriting::Changed if link.found().has(Trait::Identifier) => {
                self.counts.identifiers += 1;
                self.text(link.source(), write)
            }
            Rewriting::Changed if link.can_be(uri.as_slice()) && !self.joins_cells(link) => {
                self.put(uri.as_slice(), link.charset(), link, write)
            }
            Rewriting::Changed | Rewriting::NoUri(_) => {
                self.counts.unconvertible += 1;
                self.text(link.source(), write)
            }
        };
        self.memory.uri = uri;
        written
    }

    /// True if `link` may be in two cells of a table of Markdown, which its URI would join.
    fn joins_cells(&self, link: &Match<'_>) -> bool {
        let text = link.found().context().place() == Inside::Text.into();
        self.format.row().cell.is_some_and(|cell| text && link.text().contains(cell))
    }

    /// What becomes of a link if links become IRIs.
    pub(super) fn to_readable(&self, readables: &Readables, link: &Match<'_>) -> Readable {
        let undecided = link.found().context().is_undecided();
        // Plain text has no escapes, so it counts as UTF-8 until more is known.
        let stateful = link.charset().shape() == Shape::Stateful;
        let ascii = self.ascii
            || undecided && self.format.row().has_escapes
            || stateful && self.format != Format::Text;
        let slot = Slot::new(self.format, link.charset(), ascii, link, self.recent);
        match readables.rewriting(link, &slot) {
            Readable::Changed(_) if link.is_opened() || link.found().has(Trait::Fixed) => {
                Readable::Stays
            }
            Readable::Changed(text) if !keeps_comment(link, &text) => Readable::Stays,
            readable => readable,
        }
    }

    /// Writes the IRI in the place of a link.
    fn readable<E>(
        &mut self,
        readables: &Readables,
        link: &Match<'_>,
        write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.to_readable(readables, link) {
            Readable::Changed(_) if link.found().has(Trait::Identifier) => {
                self.counts.identifiers += 1
            }
            Readable::Changed(text) => {
                let early = link.found().context().is_undecided() && !text.is_ascii();
                self.counts.early += u64::from(early);
                return self.put(text.as_bytes(), link.charset(), link, write);
            }
            Readable::Stays => self.counts.unconvertible += 1,
            Readable::Same => {}
        }
        self.text(link.source(), write)
    }

    /// Writes the text of a template in the place of a link.
    fn fill<E>(
        &mut self,
        filling: &mut Filling,
        link: &Match<'_>,
        write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let (charset, undecided) = (link.charset(), link.found().context().is_undecided());
        if let Some(text) = filling.template.constant() {
            let ascii = undecided || self.ascii;
            let slot = Slot::new(self.format, charset, ascii, link, self.recent);
            let known = filling.constant.take().filter(|(known, ..)| *known == slot);
            let known = known.or_else(|| {
                let (text, lost) = slot.write(text)?;
                Some((slot, text.into_owned(), lost))
            });
            let Some((_, text, lost)) = known else { return self.keep(link, write) };
            let written = self.replace_escaped(&text, lost, slot, link, write);
            filling.constant = Some((slot, text, lost));
            return written;
        }
        if filling.template.is_refang() {
            return self.refang(link, write);
        }
        filling.filled.clear();
        match filling.template.write(link, self.n, &mut filling.filled) {
            Ok(true) => self.replace(&filling.filled, charset, undecided, link, write),
            Ok(false) | Err(_) => self.keep(link, write),
        }
    }

    /// Writes what a link was before it was made harmless. It needs no slot, because what is written is
    /// plain text.
    fn refang<E>(
        &mut self,
        link: &Match<'_>,
        write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let iri = link.iri();
        match self.format.row().is_harmless && iri != link.text() {
            true => self.put(iri.as_bytes(), link.charset(), link, write),
            false => self.text(link.source(), write),
        }
    }

    /// Writes `text` in the place of a link, with the escapes of the format. The document is in
    /// `charset`, which may be `undecided`.
    pub(super) fn replace<E>(
        &mut self,
        text: &str,
        charset: Charset,
        undecided: bool,
        link: &Match<'_>,
        write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let ascii = undecided || self.ascii;
        let slot = Slot::new(self.format, charset, ascii, link, self.recent);
        match slot.write(text) {
            Some((text, lost)) => self.replace_escaped(&text, lost, slot, link, write),
            None => self.keep(link, write),
        }
    }

    /// Writes a link as it is, because its replacement cannot be in its place.
    fn keep<E>(
        &mut self,
        link: &Match<'_>,
        write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.counts.unconvertible += 1;
        self.text(link.source(), write)
    }

    /// As [`Splice::settle_emptied`], if the last link was replaced by nothing.
    #[inline]
    pub(super) fn settle<E>(
        &mut self,
        after: &[u8],
        write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.emptied {
            None => Ok(()),
            Some(_) => self.settle_emptied(after, write),
        }
    }

    /// Writes what has to be between a link that was replaced by nothing and `after`.
    #[cold]
    fn settle_emptied<E>(
        &mut self,
        after: &[u8],
        write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.emptied.take_if(|_| !after.is_empty()) {
            Some(emptied) => self.guard(emptied.before(after), write),
            None => Ok(()),
        }
    }

    /// Writes what an emptied slot needs after it.
    fn guard<E>(
        &mut self,
        guard: Guard,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        match guard {
            Guard::Nothing => Ok(()),
            Guard::Link(source) => {
                self.counts.changed -= 1;
                self.counts.unconvertible += 1;
                write(&source)
            }
            Guard::Text(text, charset) => match charset.shape() {
                Shape::Wide { width, big } => {
                    self.memory.scratch.clear();
                    wide(text, width, big, &mut self.memory.scratch);
                    write(&self.memory.scratch)
                }
                _ => write(text.as_bytes()),
            },
        }
    }

    /// Writes `text`, in which `lost` characters are a `?`, in the place of a link.
    fn replace_escaped<E>(
        &mut self,
        text: &str,
        lost: u64,
        slot: Slot,
        link: &Match<'_>,
        write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let charset = slot.charset();
        // Malformed bytes before the link would take the new first byte for the rest of a character.
        let swallows = charset.shape() == Shape::Multi
            && link.is_malformed_adjacent()
            && text.bytes().next() != link.source().first().copied();
        let stays = link.found().has(Trait::Fixed) || !keeps_comment(link, text);
        if swallows || stays {
            return self.keep(link, write);
        }
        if text.is_empty() && self.emptied.is_none() {
            let emptied = match slot.empty(self.recent, link) {
                Emptying::Refused => return self.keep(link, write),
                Emptying::Done => None,
                Emptying::Depends(emptied) => Some(emptied),
            };
            let recent = self.recent;
            let put = self.put(&[], charset, link, write);
            (self.emptied, self.recent) = (emptied, recent);
            return put;
        }
        let is_same = match charset.shape() {
            Shape::Utf8 | Shape::Single | Shape::Multi if link.is_ascii() => {
                text.as_bytes() == link.source()
            }
            _ => text == link.text(),
        };
        if is_same {
            return self.text(link.source(), write);
        }
        self.counts.lost += lost;
        self.put(text.as_bytes(), charset, link, write)
    }

    /// `text`, which is UTF-8, in place of a link of a document in `charset`, which has all its
    /// characters.
    pub(super) fn put<E>(
        &mut self,
        text: &[u8],
        charset: Charset,
        link: &Match<'_>,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.settle(text, &mut write)?;
        self.counts.changed += 1;
        self.recent = self.recent.after_link();
        let shape = charset.shape();
        let folded = match self.folds.take() {
            Some(mut folds) => {
                folds.flush(|held| match shape {
                    Shape::Stateful => self.shifted(held, &mut write),
                    _ => self.plain(held, &mut write),
                })?;
                // A fold after the link would be in the state of the text there.
                let (unit, goes_on) = match shape {
                    Shape::Wide { width, .. } => (width, false),
                    shape => (1, shape != Shape::Stateful),
                };
                let folded = folds.link(utf8(text), unit, goes_on);
                self.folds = Some(folds);
                Some(folded)
            }
            None => None,
        };
        let text = folded.as_ref().map_or(text, String::as_bytes);
        if shape != Shape::Stateful
            && let Some(escape) = self.shifts.escape.take()
        {
            write(&escape)?;
        }
        match shape {
            Shape::Utf8 => write(text),
            // ASCII reads alike in these.
            Shape::Single | Shape::Multi if text.is_ascii() => write(text),
            Shape::Single | Shape::Multi => match charset.encoding() {
                Some(encoding) => write(&encoding.encode(utf8(text)).0),
                None => write(link.source()),
            },
            Shape::Wide { width, big } => {
                self.memory.scratch.clear();
                wide(utf8(text), width, big, &mut self.memory.scratch);
                write(&self.memory.scratch)
            }
            Shape::Stateful => self.shifts.link(utf8(text), charset, link, write),
        }
    }

    /// Ends the document.
    pub(super) fn end<E>(
        &mut self,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(emptied) = self.emptied.take() {
            self.guard(emptied.last(), &mut write)?;
        }
        if let Some(mut folds) = self.folds.take() {
            folds.flush(|held| self.plain(held, &mut write))?;
        }
        self.shifts.end(write)
    }
}

/// Whether `text` in the place of `link` leaves a comment around it as long as it is.
pub(super) fn keeps_comment(link: &Match<'_>, text: &str) -> bool {
    link.found().context().place().keeps_comment(text.as_bytes())
}

/// A text that was made from texts.
fn utf8(text: &[u8]) -> &str {
    core::str::from_utf8(text).expect("what replaces a link should be UTF-8")
}

/// Writes `text` in units of `width` bytes: UTF-16 or UTF-32.
fn wide(text: &str, width: usize, big: bool, out: &mut Vec<u8>) {
    let mut put = |bytes: &mut [u8]| {
        if !big {
            bytes.reverse();
        }
        out.extend_from_slice(bytes);
    };
    for c in text.chars() {
        if width == 4 {
            put(&mut u32::from(c).to_be_bytes());
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                put(&mut unit.to_be_bytes());
            }
        }
    }
}

impl Finder {
    /// `input` with each link replaced by its URI form; borrowed if nothing changes.
    ///
    /// A link of ASCII characters is never changed, and a link without a URI form stays.
    /// For a fixed charset, rewriting the output again changes nothing. With
    /// [`Config::rewrite`](crate::api::config::Config::rewrite), each link is replaced by the text
    /// of the template instead.
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let (text, done) = Finder::new().rewrite_slice("→ http://пример.рф/å, да");
    /// assert_eq!(&*text, "→ http://xn--e1afmkfd.xn--p1ai/%C3%A5, да".as_bytes());
    /// assert_eq!(done.changed, 1);
    /// ```
    pub fn rewrite_slice<'h>(&self, input: impl Into<Input<'h>>) -> (Cow<'h, [u8]>, Rewritten) {
        let input = input.into();
        if self.rules.nested.is_some() {
            return self.clone().nested(false).rewrite_slice(input);
        }
        let bytes = input.bytes();
        let (mut links, mut count) = (self.find_iter(input), 0);
        let (counts, out) = match self.next_changing(&mut links, &mut count) {
            Some(first) => self.spliced(bytes, first, &mut links, &mut count),
            None => (Counts::default(), Vec::new()),
        };
        let (charset, basis) = links.charset();
        let done = counts.of(Summary {
            bytes: bytes.len() as u64,
            links: count,
            overlong: links.overlong(),
            charset,
            basis,
            stopped: false,
        });
        (if done.changed > 0 { Cow::Owned(out) } else { Cow::Borrowed(bytes) }, done)
    }

    /// The next link that rewriting may change. Adds the number of all links up to it to `count`.
    #[inline]
    fn next_changing<'h>(&self, links: &mut FindIter<'h>, count: &mut u64) -> Option<Match<'h>> {
        let all = self.rules.changes_ascii();
        links.inspect(|_| *count += 1).find(|link| all || !link.is_ascii())
    }

    /// `bytes` with the link `first` and those of `links` after it replaced. Not inlined, because most
    /// short texts have no link that changes.
    #[inline(never)]
    fn spliced<'h>(
        &self,
        bytes: &'h [u8],
        first: Match<'h>,
        links: &mut FindIter<'h>,
        count: &mut u64,
    ) -> (Counts, Vec<u8>) {
        let (mut splice, mut out, mut at) = (Splice::new(self), Vec::new(), 0);
        let mut push = |piece: &[u8]| -> Result<(), core::convert::Infallible> {
            out.extend_from_slice(piece);
            Ok(())
        };
        let mut next = Some(first);
        while let Some(link) = next {
            splice.read_as(link.charset());
            let text = &bytes[at..link.range().start];
            let Ok(()) = if text.is_empty() { Ok(()) } else { splice.text(text, &mut push) };
            let Ok(()) = splice.link(&link, &mut push);
            at = link.range().end;
            next = self.next_changing(links, count);
        }
        if splice.counts.changed > 0 {
            splice.read_as(links.charset().0);
            let text = &bytes[at..];
            let Ok(()) = if text.is_empty() { Ok(()) } else { splice.text(text, &mut push) };
            let Ok(()) = splice.end(&mut push);
        }
        (splice.counts, out)
    }
}
