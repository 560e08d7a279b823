//! The region that the lexer is in, and the bytes of it that were read.
//!
//! The bytes and escapes of a region go in; its links go out as soon as they are known. This file knows no
//! format, and no markup between regions.
//!
//! A region passes through up to three states, because most hold no link:
//!
//! ```text
//!            prose                 a candidate, or the window ends
//!   None ─────────────▶ Idle ─────────────────────────────────────▶ Prose (a scanner runs)
//!     └── references ──▶ Plain ──────────────────────────────────▶ Value (its text is copied)
//!                                  an escape, or the window ends     └─ too long ─▶ Dropped
//! ```

use alloc::vec::Vec;

use super::{
    out::Out,
    prose::{Prose, Spare},
    view::{View, append_text},
};
use crate::{
    charset::{
        Charset, Shape,
        cursor::Cursor,
        lookahead::Lookahead,
        source_map::{Make, SAME, SourceMap},
    },
    engine::{anchor_search::AnchorSearch, rules::Rules},
    format::{
        any_lexer::AnyLexer,
        lexing::{
            lexer::{Chars, Lexer, Region, Token, Value},
            value,
        },
    },
    grammar::{
        reading::Reading,
        start,
        types::{Found, Kind, RuleSet},
    },
    links::{place::Surroundings, sink::Halt},
};

/// So many escapes are kept of prose that is idle; with more it is scanned.
const IDLE_ESCAPES_MAX: usize = 8;

/// Reads the regions of a document, one after the other.
#[derive(Clone, Debug)]
pub(in crate::format) struct OpenRegion {
    /// Decodes the view.
    cursor: Cursor,
    /// Finds candidates in the view.
    anchors: AnchorSearch,
    /// Up to where the lexer has read the view.
    pub(in crate::format) lexed: u64,
    state: Open,
    memory: Memory,
}

/// What regions leave for the next one, so that it need not be allocated anew.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// The escapes of prose that is idle: where, how long, and for what.
    escapes: Vec<(u64, usize, Chars)>,
    /// For prose that is scanned.
    spare: Option<Spare>,
    /// For references whose text is not that of the view.
    gathered: (Vec<u8>, SourceMap),
}

/// The region that the lexer is in.
#[derive(Clone, Debug)]
enum Open {
    None,
    /// Prose that holds no candidate so far, from `from` on.
    Idle {
        from: u64,
        /// It ends in a byte that may be part of a candidate if more follows.
        border: bool,
        field: bool,
    },
    /// Prose that is scanned.
    Prose(Prose),
    /// References; the view from `from` on is their text.
    Plain {
        value: Value,
        from: u64,
    },
    /// References, and their text up to `decoded`.
    Value {
        value: Value,
        from: u64,
        text: Vec<u8>,
        map: SourceMap,
        decoded: u64,
    },
    /// References that are too long, or not asked for.
    Dropped,
}

impl OpenRegion {
    /// No region is open, and the lexer is at `start`.
    pub(in crate::format) fn new(charset: Charset, rules: &Rules, start: u64) -> OpenRegion {
        OpenRegion {
            cursor: Cursor::new(charset),
            anchors: AnchorSearch::new(charset.shape(), rules.anchors),
            lexed: start,
            state: Open::None,
            memory: Memory::default(),
        }
    }

    /// The rest of the view is in `charset`.
    pub(in crate::format) fn read_in(&mut self, charset: Charset, rules: &Rules) {
        self.cursor = Cursor::new(charset);
        self.anchors = AnchorSearch::new(charset.shape(), rules.anchors);
    }

    /// Whether no region is open.
    pub(in crate::format) fn is_none(&self) -> bool {
        matches!(self.state, Open::None)
    }

    /// The region ends, and its bytes were no text.
    pub(in crate::format) fn cancel(&mut self) {
        self.state = Open::None;
    }

    /// Reads the text of prose that is scanned, and then the next token.
    #[inline]
    pub(in crate::format) fn next(
        &mut self,
        lexer: &mut AnyLexer,
        view: View<'_>,
        out: &mut Out<'_>,
    ) -> Result<Option<Token>, Halt> {
        match &mut self.state {
            Open::Prose(prose) => prose.lex(lexer, &mut self.cursor, view, &mut self.lexed, out),
            _ => Ok(lexer.next(view.ahead(self.lexed))),
        }
    }

    /// The window ends, so the bytes of the region must be copied.
    pub(in crate::format) fn keep(
        &mut self,
        view: View<'_>,
        out: &mut Out<'_>,
    ) -> Result<(), Halt> {
        match self.state {
            Open::Idle { .. } => self.activate(view, out)?,
            Open::Plain { .. } => self.copy(view, out),
            Open::Value { .. } => self.gather(view),
            _ => {}
        }
        match &mut self.state {
            Open::Prose(prose) => prose.flush(&mut self.cursor, view, self.lexed, out),
            _ => Ok(()),
        }
    }

    /// The document ends at `at`, in the region.
    pub(in crate::format) fn cut(
        &mut self,
        view: View<'_>,
        at: u64,
        out: &mut Out<'_>,
    ) -> Result<(), Halt> {
        self.gather(view);
        let torn = match &self.state {
            Open::Plain { from, .. } => value::is_torn(view.slice(*from..at)),
            Open::Value { text, .. } => value::is_torn(text),
            _ => true,
        };
        if torn {
            self.state = Open::None;
        }
        self.end(view, out)
    }

    /// Up to where the view is settled: it cannot become part of a link.
    pub(in crate::format) fn settled(&self) -> u64 {
        match &self.state {
            Open::None | Open::Dropped => self.lexed,
            Open::Idle { from, .. } | Open::Plain { from, .. } | Open::Value { from, .. } => *from,
            Open::Prose(prose) => prose.settled(),
        }
    }

    /// Bytes held.
    pub(in crate::format) fn held(&self) -> usize {
        match &self.state {
            Open::Prose(prose) => prose.held(),
            Open::Value { text, .. } => text.len(),
            _ => 0,
        }
    }

    /// Reads a field of `n` bytes at `from`. Many are one link, which needs no scanner.
    pub(in crate::format) fn whole_cell(
        &mut self,
        view: View<'_>,
        from: u64,
        n: usize,
        out: &mut Out<'_>,
    ) -> Result<(), Halt> {
        let to = from + n as u64;
        let (rules, bytes) = (out.rules, view.from(from));
        // If links are all ASCII, delimiters do not count.
        let fast = rules.tuning.fast_path
            && !rules.options.ascii_only
            && view.above.is_none()
            && rules.options.set == RuleSet::Prose
            && rules.options.kinds.has(Kind::Iri)
            && rules.web.has_both()
            && self.is_link(&bytes[..n], rules);
        if fast {
            self.lexed = to;
            // As if the field were scanned.
            out.standing.surroundings = out.rules.to_iri.map(|_| Surroundings {
                before: Some('"'),
                after: "\"".into(),
                is_cut: false,
            });
            return match out.fits(n as u64) {
                true => out.give(Found::ascii(from, to, Kind::Iri), None),
                false => Ok(()),
            };
        }
        self.begin(Region::Field, out);
        self.lexed = to;
        self.raw(view, from, out)?;
        self.end(view, out)
    }

    /// Whether a field is one link of ASCII with `http` or `https`, and nothing else.
    fn is_link(&self, field: &[u8], rules: &Rules) -> bool {
        let Some(colon) = field[..field.len().min(6)].iter().position(|b| *b == b':') else {
            return false;
        };
        let Some((b"", name)) = start::ends_with_http(&field[..colon]) else { return false };
        let scheme = rules.schemes().get(name);
        scheme.is_some_and(|it| Reading::fills(it, self.anchors.level(), &field[colon + 1..]))
    }

    /// A region begins where the lexer is.
    pub(in crate::format) fn begin(&mut self, region: Region, out: &Out<'_>) {
        let from = self.lexed;
        self.memory.escapes.clear();
        self.state = match region {
            Region::Prose | Region::Field => {
                // By UTS #58 a label may have any character.
                let border = out.rules.options.set == RuleSet::Uts58;
                let field = region == Region::Field;
                Open::Idle { from, border, field }
            }
            Region::Reference(_) if !out.rules.options.kinds.has(Kind::Iri) => Open::Dropped,
            Region::Reference(value) => Open::Plain { value, from },
        };
    }

    /// Reads raw text, from `at` to where the lexer is.
    pub(in crate::format) fn raw(
        &mut self,
        view: View<'_>,
        at: u64,
        out: &mut Out<'_>,
    ) -> Result<(), Halt> {
        let to = self.lexed;
        match &mut self.state {
            Open::None | Open::Dropped | Open::Plain { .. } | Open::Prose(_) => {}
            Open::Idle { from, border, .. } => {
                let bytes = view.slice(*from..to);
                let Some(first) = bytes.get((at - *from) as usize) else { return Ok(()) };
                // The bytes before a candidate decide about it.
                let new = (at.saturating_sub(2).max(*from) - *from) as usize;
                let escaped = self
                    .memory
                    .escapes
                    .last()
                    .is_some_and(|(escape, len, _)| escape + *len as u64 == at);
                *border = bytes.last().is_some_and(is_anchor);
                if escaped && is_anchor(first) || self.anchors.is_worth(bytes, *from, new) {
                    self.activate(view, out)?;
                }
            }
            Open::Value { .. } => self.bound(view, out),
        }
        Ok(())
    }

    pub(in crate::format) fn escape(
        &mut self,
        view: View<'_>,
        at: u64,
        len: usize,
        chars: Chars,
        out: &mut Out<'_>,
    ) -> Result<(), Halt> {
        if let Open::Idle { border, .. } = &mut self.state {
            // Only a letter, a digit or a byte of an anchor can make a candidate together with
            // the bytes next to the escape.
            let part = |b: &u8| b.is_ascii_alphanumeric() || is_anchor(b);
            self.memory.escapes.push((at, len, chars));
            if *border
                || self.memory.escapes.len() > IDLE_ESCAPES_MAX
                || chars.as_bytes().iter().any(part)
            {
                return self.activate(view, out);
            }
            return Ok(());
        }
        if let Open::Plain { .. } = self.state {
            // Up to before this escape.
            let to = core::mem::replace(&mut self.lexed, at);
            self.copy(view, out);
            self.lexed = to;
        }
        if let Open::Value { text, map, decoded, .. } = &mut self.state {
            let bytes = Lookahead::whole(view.slice(*decoded..at));
            append_text(&mut self.cursor, bytes, text, map);
            chars.append_to(text);
            map.push(chars.as_bytes().len(), len, Make::Escape);
            *decoded = self.lexed;
            self.bound(view, out);
        }
        Ok(())
    }

    pub(in crate::format) fn end(&mut self, view: View<'_>, out: &mut Out<'_>) -> Result<(), Halt> {
        match core::mem::replace(&mut self.state, Open::None) {
            Open::None | Open::Dropped | Open::Idle { .. } => Ok(()),
            Open::Prose(prose) => {
                let spare = prose.end(&mut self.cursor, view, self.lexed, out)?;
                self.memory.spare = Some(spare);
                Ok(())
            }
            Open::Plain { value, from } => self.plain(view, value, from, out),
            Open::Value { value, from, mut text, mut map, decoded } => {
                let bytes = Lookahead::whole(view.slice(decoded..self.lexed));
                append_text(&mut self.cursor, bytes, &mut text, &mut map);
                if self.lexed - from > value::room(out.rules.options.max_len) {
                    *out.overlong += u64::from(value.is_overlong(&text, out.rules));
                    return Ok(());
                }
                let result = out.references(value, &text, &mut map, view.above);
                self.memory.gathered = (text, map);
                result
            }
        }
    }

    /// The references of a region are prose after all: reads them from their start. `before`: as in
    /// [`Token::Broken`].
    pub(in crate::format) fn broken(
        &mut self,
        before: u8,
        view: View<'_>,
        out: &mut Out<'_>,
    ) -> Result<(), Halt> {
        let region = core::mem::replace(&mut self.state, Open::None);
        let (value, from, text) = match region {
            Open::Plain { value, from } => (value, from, None),
            Open::Value { value, from, text, map, decoded } => {
                (value, from, Some((text, map, decoded)))
            }
            // It was too long, or is not asked for.
            _ => (Value::One, self.lexed, None),
        };
        let spare = self.memory.spare.take();
        let mut prose = if self.lexed - from > value::room(out.rules.options.max_len) {
            let text =
                text.as_ref().map_or_else(|| view.slice(from..self.lexed), |(text, ..)| text);
            *out.overlong += u64::from(value.is_overlong(text, out.rules));
            Prose::new(spare, self.anchors, self.lexed, false, out)
        } else {
            let prose = Prose::new(spare, self.anchors, from, false, out);
            text.into_iter().fold(prose, Prose::with_value)
        };
        if before.is_ascii_graphic() {
            prose.follow(before);
        }
        let read = prose.raw(&mut self.cursor, view, self.lexed, out);
        self.state = Open::Prose(prose);
        read
    }

    /// Delivers the references from `from` to where the lexer is, which have no escapes.
    pub(in crate::format) fn plain(
        &mut self,
        view: View<'_>,
        value: Value,
        from: u64,
        out: &mut Out<'_>,
    ) -> Result<(), Halt> {
        let bytes = view.slice(from..self.lexed);
        if bytes.len() as u64 > value::room(out.rules.options.max_len) {
            *out.overlong += u64::from(value.is_overlong(bytes, out.rules));
            return Ok(());
        }
        if matches!(value, Value::One | Value::Url) && view.above.is_none() {
            if out.rules.options.schemes.is_none() && value::is_plain(bytes) {
                return match out.fits(bytes.len() as u64) {
                    true => out.give(out.whole(from..self.lexed), None),
                    false => Ok(()),
                };
            }
            if bytes.is_ascii() {
                return out.plain(bytes, from);
            }
        }
        let mut map = core::mem::take(&mut self.memory.gathered.1);
        map.restart(from);
        if self.cursor.shape() == Shape::Utf8 || bytes.is_ascii() {
            map.push(bytes.len(), bytes.len(), SAME);
            let result = out.references(value, bytes, &mut map, view.above);
            self.memory.gathered.1 = map;
            return result;
        }
        let mut text = core::mem::take(&mut self.memory.gathered.0);
        text.clear();
        append_text(&mut self.cursor, Lookahead::whole(bytes), &mut text, &mut map);
        let result = out.references(value, &text, &mut map, view.above);
        self.memory.gathered = (text, map);
        result
    }

    /// Drops references that are too long.
    fn bound(&mut self, view: View<'_>, out: &mut Out<'_>) {
        if let Open::Value { from, .. } = self.state
            && self.lexed - from > value::room(out.rules.options.max_len)
        {
            self.gather(view);
            if let Open::Value { value, ref text, .. } = self.state {
                *out.overlong += u64::from(value.is_overlong(text, out.rules));
            }
            self.state = Open::Dropped;
        }
    }

    /// Appends the text of references up to where the lexer is.
    fn gather(&mut self, view: View<'_>) {
        if let Open::Value { text, map, decoded, .. } = &mut self.state {
            let bytes = Lookahead::part(view.slice(*decoded..self.lexed));
            *decoded += append_text(&mut self.cursor, bytes, text, map) as u64;
        }
    }

    /// Scans prose that was idle, from its start.
    fn activate(&mut self, view: View<'_>, out: &mut Out<'_>) -> Result<(), Halt> {
        let Open::Idle { from, field, .. } = core::mem::replace(&mut self.state, Open::None) else {
            return Ok(());
        };
        let mut prose = Prose::new(self.memory.spare.take(), self.anchors, from, field, out);
        for &(at, len, chars) in &self.memory.escapes {
            let range = at..at + len as u64;
            prose.escape(&mut self.cursor, view, range, chars, out)?;
        }
        let result = prose.raw(&mut self.cursor, view, self.lexed, out);
        self.state = Open::Prose(prose);
        result
    }

    /// Copies the text of references up to where the lexer is, because the window ends, or an
    /// escape comes.
    fn copy(&mut self, view: View<'_>, out: &mut Out<'_>) {
        let Open::Plain { value, from } = self.state else { return };
        let (mut text, mut map) = core::mem::take(&mut self.memory.gathered);
        text.clear();
        map.restart(from);
        self.state = Open::Value { value, from, text, map, decoded: from };
        self.gather(view);
        self.bound(view, out);
    }
}

/// Whether it is an anchor, or part of `://`.
fn is_anchor(b: &u8) -> bool {
    matches!(b, b':' | b'/' | b'@' | b'.')
}
