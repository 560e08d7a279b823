//! Running text of a document: gathered where it is in pieces, and scanned.
//!
//! Knows the view and the text, and nothing of formats. Invariant: the text is what
//! the view says up to `taken`, but for what was passed over, and all of it before
//! `text` has been scanned.

use alloc::sync::Arc;
use alloc::{boxed::Box, vec::Vec};
use core::ops::Range;

use super::{
    lexer::{Chars, Spelt, Token},
    map::{Make, Map, SAME},
    out::Out,
    reader::Reader,
    transcoder::append_text,
};
use crate::{
    charset::{Shape, cursor::Cursor, window::Window},
    engine::{boundaries::Dividing, candidates::Candidates, rules::Rules, stream::TextScanner},
    links::{
        matched::Match,
        sink::{Failed, Sink},
    },
};

/// How far the source of an open link may grow by escapes that stand for nothing or
/// little, in links of the greatest length.
const SWELL: u64 = 16;

/// How much text is scanned at once where it is in pieces.
const PIECE: usize = 16 * 1024;

/// What is used again: a scanner that is at the start of a text, and memory.
pub(super) type Spare = (Box<TextScanner>, Vec<u8>, Map);

/// A region of prose that is scanned.
#[derive(Clone, Debug)]
pub(super) struct Prose {
    scanner: Box<TextScanner>,
    /// Of the view.
    candidates: Candidates,
    map: Map,
    /// Up to where the view is text.
    taken: u64,
    /// Text that is still to be scanned, and where it begins in the view.
    text: Vec<u8>,
    scanned: u64,
    /// It stands between quotation marks that the text lacks.
    field: bool,
    /// A `<` may begin a tag in it.
    tags: bool,
    told: Told,
}

/// How much of a text has been told to the sink, and whether that ends in a `<` which is
/// not an escape.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    len: u64,
    less_than: bool,
}

/// A scanner for the text of a region.
fn fresh(finder: &Arc<Rules>) -> Box<TextScanner> {
    Box::new(TextScanner::within(finder))
}

impl Prose {
    /// That begins at `from` in the view.
    pub(super) fn new(
        spare: Option<Spare>,
        candidates: Candidates,
        from: u64,
        field: bool,
        out: &Out<'_>,
    ) -> Prose {
        let none = || (fresh(out.within), Vec::with_capacity(2 * PIECE), Map::roomy());
        let (scanner, mut text, mut map) = spare.unwrap_or_else(none);
        map.restart(from);
        if field {
            text.extend_from_slice(b"=\"");
            map.push(2, 0, Make::Escape);
        }
        let (tags, told) = (!field && out.is_markup(), Told::default());
        Prose { scanner, candidates, map, taken: from, text, scanned: from, field, tags, told }
    }

    /// Up to where the view cannot become part of a link.
    pub(super) fn settled(&self) -> u64 {
        self.map.start(self.scanner.delivered())
    }

    /// Bytes held.
    pub(super) fn held(&self) -> usize {
        self.scanner.held() + self.text.len()
    }

    /// Takes the text that the reader gives, from `lexed` on; what it says next that is
    /// none.
    #[expect(clippy::too_many_arguments, reason = "what a document lends its region")]
    pub(super) fn lex(
        &mut self,
        reader: &mut Reader,
        cursor: &mut Cursor,
        view: Window<'_>,
        above: Option<&Map>,
        lexed: &mut u64,
        last: bool,
        out: &mut Out<'_>,
    ) -> Result<Option<Token>, Failed> {
        loop {
            let at = *lexed;
            match reader.next(&view.bytes[view.index(at)..], last) {
                Some(Token::Raw(n)) => {
                    *lexed += n as u64;
                    self.raw(cursor, view, above, *lexed, out)?;
                }
                Some(Token::Escape(n, chars)) => {
                    *lexed += n as u64;
                    self.escape(cursor, view, above, at..*lexed, chars, out)?;
                    // More may be near.
                    self.spell(reader, cursor, view, above, lexed, last, out)?;
                }
                token => return Ok(token),
            }
        }
    }

    /// Takes the text that is full of escapes, from `lexed` on.
    #[expect(clippy::too_many_arguments, reason = "what a document lends its region")]
    fn spell(
        &mut self,
        reader: &mut Reader,
        cursor: &Cursor,
        view: Window<'_>,
        above: Option<&Map>,
        lexed: &mut u64,
        last: bool,
        out: &mut Out<'_>,
    ) -> Result<(), Failed> {
        while cursor.shape() == Shape::Utf8 && self.taken == *lexed {
            let (text, map) = (&mut self.text, &mut self.map);
            let spelt = &mut Spelt { text, map, room: PIECE, far: out.rules.tuning.unescape };
            let n = reader.spell(&view.bytes[view.index(*lexed)..], last, spelt);
            if n == 0 {
                break;
            }
            *lexed += n as u64;
            self.taken = *lexed;
            if self.text.len() >= PIECE {
                self.scan(above, out)?;
            }
        }
        Ok(())
    }

    /// Text as it stands, up to `to`: a long run is scanned where it is, a short one
    /// is taken together with the escape behind it.
    #[inline]
    pub(super) fn raw(
        &mut self,
        cursor: &mut Cursor,
        view: Window<'_>,
        above: Option<&Map>,
        to: u64,
        out: &mut Out<'_>,
    ) -> Result<(), Failed> {
        let len = (to - self.taken) as usize;
        if self.text.is_empty() && len >= out.rules.tuning.run && cursor.shape() == Shape::Utf8 {
            let bytes = &view.bytes[view.index(self.taken)..view.index(to)];
            self.map.push(len, len, SAME);
            (self.taken, self.scanned) = (to, to);
            let mut adapter =
                Adapter { map: &mut self.map, above, out, tags: self.tags, told: &mut self.told };
            return self.scanner.push(bytes, &mut adapter);
        }
        match self.text.len() + len < PIECE {
            true => Ok(()),
            false => self.flush(cursor, view, above, to, out),
        }
    }

    /// What stands for `chars`.
    #[inline]
    pub(super) fn escape(
        &mut self,
        cursor: &mut Cursor,
        view: Window<'_>,
        above: Option<&Map>,
        range: Range<u64>,
        chars: Chars,
        out: &mut Out<'_>,
    ) -> Result<(), Failed> {
        self.take(cursor, view, above, range.start, true, out)?;
        chars.append_to(&mut self.text);
        let len = (range.end - range.start) as usize;
        self.map.push(chars.as_bytes().len(), len, Make::Escape);
        self.taken = range.end;
        // Where escapes stand for nothing the text does not grow.
        match self.text.len() >= PIECE || self.taken - self.scanned > 2 * PIECE as u64 {
            true => self.scan(above, out),
            false => Ok(()),
        }
    }

    /// Scans all up to `to`: the view is going to be gone.
    pub(super) fn flush(
        &mut self,
        cursor: &mut Cursor,
        view: Window<'_>,
        above: Option<&Map>,
        to: u64,
        out: &mut Out<'_>,
    ) -> Result<(), Failed> {
        self.take(cursor, view, above, to, false, out)?;
        self.scan(above, out)
    }

    /// The text ends at `to`.
    pub(super) fn end(
        mut self,
        cursor: &mut Cursor,
        view: Window<'_>,
        above: Option<&Map>,
        to: u64,
        out: &mut Out<'_>,
    ) -> Result<Spare, Failed> {
        self.take(cursor, view, above, to, true, out)?;
        if self.field {
            self.text.push(b'"');
            self.map.push(1, 0, Make::Escape);
        }
        self.end_text(above, out)?;
        Ok((self.scanner, self.text, self.map))
    }

    /// Scans the text, which ends.
    fn end_text(&mut self, above: Option<&Map>, out: &mut Out<'_>) -> Result<(), Failed> {
        let adapter =
            &mut Adapter { map: &mut self.map, above, out, tags: self.tags, told: &mut self.told };
        let overlong = self.scanner.end_text(&self.text, adapter)?;
        self.text.clear();
        self.told = Told::default();
        *out.overlong += overlong;
        Ok(())
    }

    /// The view up to `to` is text. `last`: so is an incomplete character there.
    fn take(
        &mut self,
        cursor: &mut Cursor,
        view: Window<'_>,
        above: Option<&Map>,
        to: u64,
        last: bool,
        out: &mut Out<'_>,
    ) -> Result<(), Failed> {
        // Escapes come in rows.
        if self.taken < to {
            self.pass_over(cursor, view, above, to, out)?;
            self.decode(cursor, view, to, last);
        }
        Ok(())
    }

    /// As [`Prose::take`], as far as something is passed over: what no link can be part of
    /// need not be decoded.
    fn pass_over(
        &mut self,
        cursor: &mut Cursor,
        view: Window<'_>,
        above: Option<&Map>,
        to: u64,
        out: &mut Out<'_>,
    ) -> Result<(), Failed> {
        let decodes = matches!(cursor.shape(), Shape::Single | Shape::Multi);
        let gap = out.rules.tuning.gap;
        if !decodes || to - self.taken <= gap as u64 || self.candidates.is_standard() {
            return Ok(());
        }
        let from = self.taken;
        let bytes = &view.bytes[view.index(from)..view.index(to)];
        let Some(text) = Dividing::of(bytes, out.decider.charset().0) else { return Ok(()) };
        let mut at = 0;
        while let Some(start) = text.next(at + 1, |_| true) {
            let next = self.candidates.next(bytes, from, start);
            let candidate = next.map_or(bytes.len(), |(candidate, _)| candidate);
            let idle = (candidate - start > gap).then(|| text.last(start..candidate)).flatten();
            if let Some(end) = idle.filter(|end| end - start > gap) {
                self.decode(cursor, view, from + start as u64, true);
                self.end_text(above, out)?;
                self.taken = from + end as u64;
                self.scanned = self.taken;
                self.map.restart(self.taken);
            }
            at = candidate;
        }
        Ok(())
    }

    /// As [`Prose::take`], all of it.
    fn decode(&mut self, cursor: &mut Cursor, view: Window<'_>, to: u64, last: bool) {
        append_text(cursor, view, &mut self.taken, to, last, &mut self.text, &mut self.map);
    }

    /// Scans the text.
    fn scan(&mut self, above: Option<&Map>, out: &mut Out<'_>) -> Result<(), Failed> {
        let adapter =
            &mut Adapter { map: &mut self.map, above, out, tags: self.tags, told: &mut self.told };
        self.scanner.push(&self.text, adapter)?;
        self.text.clear();
        self.scanned = self.taken;
        self.map.forget(self.scanner.delivered());
        let open = self.taken - self.map.start(self.scanner.delivered());
        if open > out.rules.max_len.saturating_mul(SWELL).saturating_add(4 * PIECE as u64) {
            // It is none, whatever may follow.
            *out.overlong += 1 + self.scanner.overlong();
            self.scanner = fresh(out.within);
            self.map = Map::at(self.taken);
            self.told = Told::default();
        }
        Ok(())
    }
}

/// Takes what is found in the text of a region to where it stands in the source.
struct Adapter<'a, 'o> {
    map: &'a mut Map,
    above: Option<&'a Map>,
    out: &'a mut Out<'o>,
    tags: bool,
    told: &'a mut Told,
}

impl Sink for Adapter<'_, '_> {
    type Error = Failed;

    fn text(&mut self, bytes: &[u8]) -> Result<(), Failed> {
        if self.tags {
            self.told.len += bytes.len() as u64;
            self.told.less_than =
                bytes.last() == Some(&b'<') && !self.map.is_escape(self.told.len - 1);
        }
        Ok(())
    }

    fn matched(&mut self, link: &Match<'_>) -> Result<(), Failed> {
        let mut found = link.found();
        if self.tags {
            found.after_less_than = self.told.less_than;
            *self.told = Told { len: found.end, less_than: false };
        }
        self.out.link(found, link.source(), self.map, self.above)
    }
}
