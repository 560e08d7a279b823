//! Running text of a document: copied together where escapes divide it, and scanned.
//!
//! Raw bytes and escapes of a region go in, links go out to [`Out`]. It does not know formats.
//! Invariant: `taken` is how far the view was read; all text of the region up to there has been
//! scanned or passed over, but for the bytes in `text`.

use alloc::sync::Arc;
use alloc::{boxed::Box, vec::Vec};
use core::ops::Range;

use super::{
    out::Out,
    view::{View, append_text},
};
use crate::{
    charset::{
        Shape,
        cursor::Cursor,
        lookahead::Lookahead,
        source_map::{Make, SAME, SourceMap},
        window::Ahead,
    },
    engine::{
        anchor_search::AnchorSearch, boundaries::Dividing, rules::Rules, stream::TextScanner,
    },
    format::{
        any_lexer::AnyLexer,
        lexing::lexer::{Chars, Lexer, Token, Unescaped},
    },
    grammar::types::Found,
    links::{
        matched::Match,
        place::Surroundings,
        sink::{Halt, Receiver},
    },
};

/// How much longer than its text the source of an open link may be, because escapes may mean
/// nothing: so many times the greatest length of a link.
const SWELL: u64 = 16;

/// How many bytes of copied text are scanned at once.
const PIECE: usize = 16 * 1024;

/// For the next region: a scanner at the start of a text, and memory.
pub(in crate::format) type Spare = (Box<TextScanner>, Vec<u8>, SourceMap);

/// A region of prose that is scanned.
#[derive(Clone, Debug)]
pub(in crate::format) struct Prose {
    scanner: Box<TextScanner>,
    /// Finds candidates in the view.
    anchors: AnchorSearch,
    map: SourceMap,
    /// Up to where the view was read.
    taken: u64,
    /// Text that was not scanned yet, and where it begins in the view.
    text: Vec<u8>,
    scanned: u64,
    /// It fills a field: quotation marks are added around it.
    field: bool,
    /// A `<` in it may begin a tag.
    tags: bool,
    delivered: Delivered,
}

/// How much of a text the sink has, and whether that ends in a `<`, or in `<!`, that is not an escape.
#[derive(Clone, Copy, Debug, Default)]
struct Delivered {
    len: u64,
    less_than: bool,
    declaration: bool,
}

/// A scanner for the text of a region.
fn fresh(finder: &Arc<Rules>) -> Box<TextScanner> {
    Box::new(TextScanner::within(finder))
}

impl Prose {
    /// A region that begins at `from` in the view.
    pub(in crate::format) fn new(
        spare: Option<Spare>,
        anchors: AnchorSearch,
        from: u64,
        field: bool,
        out: &Out<'_>,
    ) -> Prose {
        let none = || (fresh(out.within), Vec::with_capacity(2 * PIECE), SourceMap::roomy());
        let (scanner, mut text, mut map) = spare.unwrap_or_else(none);
        map.restart(from);
        if field {
            text.extend_from_slice(b"=\"");
            map.push(2, 0, Make::Escape);
        }
        let (tags, delivered) = (!field && out.has_tags(), Delivered::default());
        Prose { scanner, anchors, map, taken: from, text, scanned: from, field, tags, delivered }
    }

    /// The region was read as references before: their text and map, up to `taken` in the view.
    pub(in crate::format) fn with_value(
        self,
        (text, map, taken): (Vec<u8>, SourceMap, u64),
    ) -> Prose {
        Prose { text, map, taken, ..self }
    }

    /// The byte `before` comes before the region, and may open something in it.
    pub(in crate::format) fn follow(&mut self, before: u8) {
        self.text.insert(0, before);
        self.map.follow();
    }

    /// Up to where the view is settled: it cannot become part of a link.
    pub(in crate::format) fn settled(&self) -> u64 {
        self.map.start(self.scanner.delivered())
    }

    /// Bytes held.
    pub(in crate::format) fn held(&self) -> usize {
        self.scanner.held() + self.text.len()
    }

    /// Reads text and escapes from `lexed` on. Returns the first other token; `None` if more
    /// bytes are needed.
    pub(in crate::format) fn lex(
        &mut self,
        lexer: &mut AnyLexer,
        cursor: &mut Cursor,
        view: View<'_>,
        lexed: &mut u64,
        out: &mut Out<'_>,
    ) -> Result<Option<Token>, Halt> {
        loop {
            let at = *lexed;
            match lexer.next(view.ahead(at)) {
                Some(Token::Raw(n)) => {
                    *lexed += n as u64;
                    self.raw(cursor, view, *lexed, out)?;
                }
                Some(Token::Escape(n, chars)) => {
                    *lexed += n as u64;
                    self.escape(cursor, view, at..*lexed, chars, out)?;
                    // Escapes often come close together.
                    self.unescape_run(lexer, cursor, view, lexed, out)?;
                }
                token => return Ok(token),
            }
        }
    }

    /// Reads text that is full of escapes by the fast path, from `lexed` on.
    fn unescape_run(
        &mut self,
        lexer: &mut AnyLexer,
        cursor: &Cursor,
        view: View<'_>,
        lexed: &mut u64,
        out: &mut Out<'_>,
    ) -> Result<(), Halt> {
        while cursor.shape() == Shape::Utf8 && self.taken == *lexed {
            let (text, map) = (&mut self.text, &mut self.map);
            let unescaped =
                &mut Unescaped { text, map, room: PIECE, far: out.rules.tuning.unescape };
            let n = lexer.unescape_run(view.ahead(*lexed), unescaped);
            if n == 0 {
                break;
            }
            *lexed += n as u64;
            self.taken = *lexed;
            if self.text.len() >= PIECE {
                self.scan(view.above, out)?;
            }
        }
        Ok(())
    }

    /// Reads raw text up to `to`: a long run is scanned in place, a short one is copied together
    /// with the escape after it.
    #[inline]
    pub(in crate::format) fn raw(
        &mut self,
        cursor: &mut Cursor,
        view: View<'_>,
        to: u64,
        out: &mut Out<'_>,
    ) -> Result<(), Halt> {
        let len = (to - self.taken) as usize;
        if self.text.is_empty() && len >= out.rules.tuning.run && cursor.shape() == Shape::Utf8 {
            let bytes = view.slice(self.taken..to);
            self.map.push(len, len, SAME);
            (self.taken, self.scanned) = (to, to);
            let above = view.above;
            let mut adapter = Adapter {
                map: &mut self.map,
                above,
                out,
                tags: self.tags,
                delivered: &mut self.delivered,
            };
            return self.scanner.push(bytes, &mut adapter);
        }
        match self.text.len() + len < PIECE {
            true => Ok(()),
            false => self.flush(cursor, view, to, out),
        }
    }

    /// Reads the escape at `range`, which means `chars`.
    #[inline]
    pub(in crate::format) fn escape(
        &mut self,
        cursor: &mut Cursor,
        view: View<'_>,
        range: Range<u64>,
        chars: Chars,
        out: &mut Out<'_>,
    ) -> Result<(), Halt> {
        self.take(cursor, view, range.start, Ahead::Nothing, out)?;
        chars.append_to(&mut self.text);
        let len = (range.end - range.start) as usize;
        self.map.push(chars.as_bytes().len(), len, Make::Escape);
        self.taken = range.end;
        // Escapes that mean nothing do not make the text longer.
        match self.text.len() >= PIECE || self.taken - self.scanned > 2 * PIECE as u64 {
            true => self.scan(view.above, out),
            false => Ok(()),
        }
    }

    /// Scans all up to `to`, because the window ends.
    pub(in crate::format) fn flush(
        &mut self,
        cursor: &mut Cursor,
        view: View<'_>,
        to: u64,
        out: &mut Out<'_>,
    ) -> Result<(), Halt> {
        self.take(cursor, view, to, Ahead::More, out)?;
        self.scan(view.above, out)
    }

    /// The region ends at `to`.
    pub(in crate::format) fn end(
        mut self,
        cursor: &mut Cursor,
        view: View<'_>,
        to: u64,
        out: &mut Out<'_>,
    ) -> Result<Spare, Halt> {
        self.take(cursor, view, to, Ahead::Nothing, out)?;
        if self.field {
            self.text.push(b'"');
            self.map.push(1, 0, Make::Escape);
        }
        self.end_text(view.above, out)?;
        Ok((self.scanner, self.text, self.map))
    }

    /// Scans the text as the last of the region.
    fn end_text(&mut self, above: Option<&SourceMap>, out: &mut Out<'_>) -> Result<(), Halt> {
        let adapter = &mut Adapter {
            map: &mut self.map,
            above,
            out,
            tags: self.tags,
            delivered: &mut self.delivered,
        };
        let overlong = self.scanner.end_text(&self.text, adapter)?;
        self.text.clear();
        self.delivered = Delivered::default();
        *out.overlong += overlong;
        Ok(())
    }

    /// Reads the view up to `to` as text; if nothing is ahead, also an incomplete character there.
    fn take(
        &mut self,
        cursor: &mut Cursor,
        view: View<'_>,
        to: u64,
        ahead: Ahead,
        out: &mut Out<'_>,
    ) -> Result<(), Halt> {
        // Escapes come in rows.
        if self.taken < to {
            self.pass_over(cursor, view, to, out)?;
            self.decode(cursor, view, to, ahead);
        }
        Ok(())
    }

    /// The part of [`Prose::take`] that passes over text without anchors, because that need
    /// not be decoded.
    fn pass_over(
        &mut self,
        cursor: &mut Cursor,
        view: View<'_>,
        to: u64,
        out: &mut Out<'_>,
    ) -> Result<(), Halt> {
        let decodes = matches!(cursor.shape(), Shape::Single | Shape::Multi);
        let gap = out.rules.tuning.gap;
        if !decodes || to - self.taken <= gap as u64 || self.anchors.is_standard() {
            return Ok(());
        }
        let from = self.taken;
        let bytes = view.slice(from..to);
        let Some(text) = Dividing::of(bytes, out.decider.charset().0) else { return Ok(()) };
        let mut at = 0;
        while let Some(start) = text.next(at + 1, |_| true) {
            let next = self.anchors.next(bytes, from, start);
            let candidate = next.map_or(bytes.len(), |(candidate, _)| candidate);
            let idle = (candidate - start > gap).then(|| text.last(start..candidate)).flatten();
            if let Some(end) = idle.filter(|end| end - start > gap) {
                self.decode(cursor, view, from + start as u64, Ahead::Nothing);
                self.end_text(view.above, out)?;
                self.taken = from + end as u64;
                self.scanned = self.taken;
                self.map.restart(self.taken);
            }
            at = candidate;
        }
        Ok(())
    }

    /// The part of [`Prose::take`] that decodes.
    fn decode(&mut self, cursor: &mut Cursor, view: View<'_>, to: u64, ahead: Ahead) {
        let bytes = Lookahead::new(view.slice(self.taken..to), ahead == Ahead::Nothing);
        self.taken += append_text(cursor, bytes, &mut self.text, &mut self.map) as u64;
    }

    /// Scans the text.
    fn scan(&mut self, above: Option<&SourceMap>, out: &mut Out<'_>) -> Result<(), Halt> {
        let adapter = &mut Adapter {
            map: &mut self.map,
            above,
            out,
            tags: self.tags,
            delivered: &mut self.delivered,
        };
        self.scanner.push(&self.text, adapter)?;
        self.text.clear();
        self.scanned = self.taken;
        self.map.forget(self.scanner.delivered());
        let open = self.taken - self.map.start(self.scanner.delivered());
        if open > out.rules.options.max_len.saturating_mul(SWELL).saturating_add(4 * PIECE as u64) {
            // It is too long, whatever may follow.
            *out.overlong += 1 + self.scanner.overlong();
            self.scanner = fresh(out.within);
            self.map = SourceMap::at(self.taken);
            self.delivered = Delivered::default();
        }
        Ok(())
    }
}

/// Gives the links in the text of a region their places in the source.
struct Adapter<'a, 'o> {
    map: &'a mut SourceMap,
    above: Option<&'a SourceMap>,
    out: &'a mut Out<'o>,
    tags: bool,
    delivered: &'a mut Delivered,
}

impl Adapter<'_, '_> {
    /// Gives a link, with what is around it.
    #[cold]
    #[inline(never)]
    fn surrounded(
        &mut self,
        found: Found,
        link: &Match<'_>,
        surroundings: &Surroundings,
    ) -> Result<(), Halt> {
        self.out.standing.surroundings = Some(surroundings.clone());
        let given = self.out.link(found, link.source(), self.map, self.above);
        self.out.standing.surroundings = None;
        given
    }
}

impl Receiver for Adapter<'_, '_> {
    fn text(&mut self, bytes: &[u8]) -> Result<(), Halt> {
        if self.tags {
            let len = self.delivered.len + bytes.len() as u64;
            let is = |b: &u8, back: u64, sign: u8| *b == sign && !self.map.is_escape(len - back);
            let (less_than, declaration) = match bytes {
                [] => (self.delivered.less_than, self.delivered.declaration),
                [last] => (is(last, 1, b'<'), self.delivered.less_than && is(last, 1, b'!')),
                [.., first, last] => (is(last, 1, b'<'), is(last, 1, b'!') && is(first, 2, b'<')),
            };
            *self.delivered = Delivered { len, less_than, declaration };
        }
        Ok(())
    }

    // Inlined, because links are in registers then.
    #[inline]
    fn matched(&mut self, link: &Match<'_>) -> Result<(), Halt> {
        let mut found = link.found();
        if self.tags {
            let begins = match self.out.is_markup() {
                true => self.delivered.less_than || self.delivered.declaration,
                false => self.delivered.declaration,
            };
            found = found.in_context(found.context().after_less_than(begins));
            *self.delivered = Delivered { len: found.end, ..Delivered::default() };
        }
        match link.surroundings() {
            None => self.out.link(found, link.source(), self.map, self.above),
            Some(surroundings) => self.surrounded(found, link, surroundings),
        }
    }
}
