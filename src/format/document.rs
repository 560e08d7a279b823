//! A document in some format: its lexer says where text is, and what stands in it
//! for something else; the scanner for plain text finds the links in it.
//!
//! It owns the carry and the order, and knows no format. Three kinds of offset: of
//! the *source*; of the *view*, which is what the lexer reads, and differs from the
//! source only where that had to be transcoded; of the *text* of one region.
//! Invariant: `delivered` is where the next byte to go out stands, and every byte
//! of the source from there on is in the carry or in the chunk at hand.

use alloc::{sync::Arc, vec::Vec};

use super::{
    kinds::Format,
    lexer::{Chars, Region, Token, Value},
    map::{Make, Map, SAME},
    out::Out,
    prose::{Prose, Spare},
    reader::Reader,
    transcoder::{Transcoder, append_text},
    value,
};
use crate::{
    charset::{
        Charset, Shape,
        cursor::Cursor,
        decider::Decider,
        detect::{Basis, EARLY},
        window::{Ahead, Window},
    },
    engine::{
        candidates::Candidates,
        rules::{Rules, anchors},
    },
    grammar::types::{Found, Kind, Ruleset},
    links::sink::{AnySink, Failed, Summary},
};

/// Scans one document.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    rules: Arc<Rules>,
    format: Format,
    /// Finds the links in the text of a region, which is UTF-8.
    within: Arc<Rules>,
    reader: Reader,
    decider: Decider,
    /// The start of the document, until it is known whether that declares a charset.
    head: Option<Vec<u8>>,
    /// In place of the source, where that cannot be read.
    transcoder: Option<Transcoder>,
    /// Text of the view.
    cursor: Cursor,
    candidates: Candidates,
    /// Up to where the lexer has read the view.
    lexed: u64,
    region: Open,
    /// In prose that is idle.
    escapes: Vec<(u64, usize, Chars)>,
    /// For the next region that is scanned.
    spare: Option<Spare>,
    /// For the next references whose text is not that of the view.
    gathered: (Vec<u8>, Map),
    carry: Vec<u8>,
    carry_at: u64,
    /// Where in the stream it began.
    start: u64,
    pushed: u64,
    delivered: u64,
    links: u64,
    overlong: u64,
    announced: bool,
    failed: bool,
}

/// The region that the lexer is in.
#[derive(Clone, Debug)]
enum Open {
    None,
    /// Prose that holds no candidate so far, from `from` on.
    Idle {
        from: u64,
        /// It ends in what may be a candidate if more follows.
        border: bool,
        field: bool,
    },
    /// Prose that is scanned.
    Prose(Prose),
    /// References; the view from `from` on is the text.
    Plain {
        value: Value,
        from: u64,
    },
    /// References, and their text.
    Value {
        value: Value,
        from: u64,
        text: Vec<u8>,
        map: Map,
        decoded: u64,
    },
    /// References that are too long, or were none.
    Dropped,
}

impl Document {
    pub(crate) fn new(rules: &Arc<Rules>, format: Format, charset: Option<Charset>) -> Document {
        // The text may be longer than its source; that is looked at afterwards.
        let max_len = rules.max_len.saturating_mul(3);
        let within = Rules { max_len, ..Rules::clone(rules) };
        let head = format.declares().then(Vec::new);
        let decider = Decider::new(charset);
        Document::of(rules.clone(), format, Arc::new(within), decider, head, 0)
    }

    /// For the rest of the stream, from `offset` on.
    pub(crate) fn rest(&self, offset: u64) -> Document {
        let decider = self.decider.rest(offset);
        Document::of(self.rules.clone(), self.format, self.within.clone(), decider, None, offset)
    }

    fn of(
        rules: Arc<Rules>,
        format: Format,
        within: Arc<Rules>,
        decider: Decider,
        head: Option<Vec<u8>>,
        start: u64,
    ) -> Document {
        let charset = decider.charset().0;
        let mut document = Document {
            format,
            within,
            reader: Reader::new(format, &rules),
            decider,
            head,
            transcoder: None,
            cursor: Cursor::new(charset),
            candidates: Candidates::new(charset.shape(), anchors(&rules)),
            rules,
            lexed: start,
            region: Open::None,
            escapes: Vec::new(),
            spare: None,
            gathered: Default::default(),
            carry: Vec::new(),
            carry_at: start,
            start,
            pushed: start,
            delivered: start,
            links: 0,
            overlong: 0,
            announced: false,
            failed: false,
        };
        document.read_in(charset);
        document
    }

    /// The rest of the document is in `charset`; all before was ASCII.
    fn read_in(&mut self, charset: Charset) {
        let shape = charset.shape();
        let read = match shape {
            Shape::Utf8 | Shape::Single => charset,
            Shape::Multi if self.format.is_sync() => charset,
            Shape::Multi | Shape::Wide { .. } | Shape::Stateful => {
                self.transcoder = Some(Transcoder::new(charset, self.lexed));
                Charset::UTF_8
            }
        };
        self.cursor = Cursor::new(read);
        self.candidates = Candidates::new(read.shape(), anchors(&self.rules));
    }

    /// As [`Scanner::push`](crate::api::scanner::Scanner::push).
    pub(crate) fn push(&mut self, chunk: &[u8], sink: &mut AnySink<'_>) -> Result<(), Failed> {
        if self.failed || chunk.is_empty() {
            return Ok(());
        }
        let chunk_at = self.pushed;
        self.pushed += chunk.len() as u64;
        if let Some(head) = &mut self.head {
            let wanted =
                crate::format::declared::HEAD - head.len().min(crate::format::declared::HEAD);
            head.extend_from_slice(&chunk[..chunk.len().min(wanted)]);
        }
        // A sink that panics leaves it so.
        self.failed = true;
        let result = self.scan(chunk, chunk_at, sink);
        self.failed = result.is_err();
        result
    }

    /// As [`Scanner::finish`](crate::api::scanner::Scanner::finish).
    pub(crate) fn finish(mut self, sink: &mut AnySink<'_>) -> Result<Summary, Failed> {
        if !self.failed {
            let carry = core::mem::take(&mut self.carry);
            let w = Window { bytes: &carry, base: self.carry_at, ahead: Ahead::Nothing };
            self.run(w, sink)?;
            debug_assert!(self.announced, "the end of a stream should decide on its charset");
        }
        let (charset, basis) = self.decider.charset();
        let summary = Summary {
            bytes: self.pushed - self.start,
            links: self.links,
            overlong: self.overlong,
            charset,
            basis,
        };
        if !self.failed {
            sink.finish(&summary)?;
        }
        Ok(summary)
    }

    pub(crate) fn delivered(&self) -> u64 {
        self.delivered
    }

    pub(crate) fn pushed(&self) -> u64 {
        self.pushed
    }

    pub(crate) fn charset(&self) -> (Charset, Basis) {
        self.decider.charset()
    }

    pub(crate) fn awaits_charset(&self) -> bool {
        self.decider.awaits() || self.head.is_some()
    }

    /// Whether what follows can be read without what came before: by a tag, or as the same
    /// text behind a place that divides it.
    pub(crate) fn is_at_boundary(&self) -> bool {
        !self.awaits_charset()
            && self.transcoder.is_none()
            && self.lexed == self.pushed
            && self.reader.is_between()
    }

    pub(crate) fn held(&self) -> usize {
        let text = match &self.region {
            Open::Prose(prose) => prose.held(),
            Open::Value { text, .. } => text.len(),
            _ => 0,
        };
        self.carry.len() + self.transcoder.as_ref().map_or(0, |t| t.text.len()) + text
    }

    fn scan(&mut self, chunk: &[u8], chunk_at: u64, sink: &mut AnySink<'_>) -> Result<(), Failed> {
        let (mut copied, mut piece) = (0, self.rules.tuning.bridge);
        while !self.carry.is_empty() && copied < chunk.len() {
            let to = (copied + piece).min(chunk.len());
            self.carry.extend_from_slice(&chunk[copied..to]);
            (copied, piece) = (to, piece * 2);
            let carry = core::mem::take(&mut self.carry);
            let w = Window { bytes: &carry, base: self.carry_at, ahead: Ahead::More };
            let result = self.run(w, sink);
            self.carry = carry;
            result?;
            self.drop_before(self.delivered, chunk_at);
        }
        if self.carry.is_empty() {
            let from = self.delivered.max(chunk_at);
            let rest = &chunk[(from - chunk_at) as usize..];
            let w = Window { bytes: rest, base: from, ahead: Ahead::More };
            self.run(w, sink)?;
            self.carry.extend_from_slice(&rest[(self.delivered - from) as usize..]);
            self.carry_at = self.delivered;
        }
        Ok(())
    }

    /// Lets go of the carry before `keep`; of all of it, if the chunk holds the
    /// rest.
    fn drop_before(&mut self, keep: u64, chunk_at: u64) {
        if keep >= chunk_at {
            self.carry.clear();
            self.carry_at = keep;
            return;
        }
        let dead = (keep - self.carry_at) as usize;
        if dead * 2 >= self.carry.len() {
            self.carry.drain(..dead);
            self.carry_at = keep;
        }
    }

    /// Reads `w` as far as it goes, and delivers all that is settled.
    fn run(&mut self, w: Window<'_>, sink: &mut AnySink<'_>) -> Result<(), Failed> {
        let nothing = w.ahead == Ahead::Nothing;
        if let Some(head) = &self.head {
            if head.len() < crate::format::declared::HEAD && !nothing {
                return Ok(());
            }
            if let Some(charset) = self.format.declared(head) {
                self.decider.declare(charset);
            }
            self.head = None;
        }
        loop {
            let before = self.decider.charset().0;
            let Some(readable) = self.decider.readable(w) else { return Ok(()) };
            let (charset, basis) = self.decider.charset();
            if charset != before {
                self.read_in(charset);
            }
            if !self.announced && self.decider.is_decided() {
                self.announced = true;
                sink.charset(charset, basis)?;
            }
            let last = nothing && readable == w.end();
            // UTF-16 and UTF-32 show early, and not at their first byte.
            if self.decider.is_decided() || readable >= EARLY || last {
                self.read(w, readable, last, sink)?;
            }
            let more = self.decider.advance(w);
            if self.decider.charset().0 != charset {
                self.read_in(self.decider.charset().0);
            }
            if !more {
                break;
            }
        }
        if nothing && !self.announced {
            self.announced = true;
            let (charset, basis) = self.decider.charset();
            sink.charset(charset, basis)?;
        }
        Ok(())
    }

    /// Reads the source up to `readable`.
    fn read(
        &mut self,
        w: Window<'_>,
        readable: u64,
        last: bool,
        sink: &mut AnySink<'_>,
    ) -> Result<(), Failed> {
        let (decider, rules, within) =
            (self.decider.clone(), self.rules.clone(), self.within.clone());
        let (mut delivered, mut links) = (self.delivered, self.links);
        let mut overlong = 0;
        let mut out = Out {
            sink,
            source: w,
            decider: &decider,
            rules: &rules,
            within: &within,
            format: self.format,
            delivered: &mut delivered,
            links: &mut links,
            overlong: &mut overlong,
        };
        let result = match self.transcoder.take() {
            None => {
                let result = self.lex(w.until(readable), None, last, &mut out);
                result.and_then(|()| out.text(self.settled()))
            }
            Some(mut transcoder) => {
                let from = w.index(transcoder.map.outside());
                transcoder.push(&w.bytes[from..w.index(readable)], last);
                let view = Window {
                    bytes: &transcoder.text,
                    base: transcoder.text_at,
                    ahead: Ahead::More,
                };
                let result = self.lex(view, Some(&transcoder.map), last, &mut out);
                let settled = self.settled();
                let result = result.and_then(|()| out.text(transcoder.map.start(settled)));
                transcoder.forget(settled);
                self.transcoder = Some(transcoder);
                result
            }
        };
        (self.delivered, self.links) = (delivered, links);
        self.overlong += overlong;
        result
    }

    /// Up to where the view is text that cannot become part of a link.
    fn settled(&self) -> u64 {
        match &self.region {
            Open::None | Open::Dropped => self.lexed,
            Open::Idle { from, .. } | Open::Plain { from, .. } | Open::Value { from, .. } => *from,
            Open::Prose(prose) => prose.settled(),
        }
    }

    /// Lets the lexer read all of the view that is there. `above`: from the view to
    /// the source.
    fn lex(
        &mut self,
        view: Window<'_>,
        above: Option<&Map>,
        last: bool,
        out: &mut Out<'_>,
    ) -> Result<(), Failed> {
        loop {
            let Document { reader, cursor, lexed, region, .. } = self;
            let token = match region {
                // Takes its text itself.
                Open::Prose(prose) => prose.lex(reader, cursor, view, above, lexed, last, out)?,
                _ => reader.next(&view.bytes[view.index(*lexed)..], last),
            };
            let Some(token) = token else { break };
            let at = self.lexed;
            match token {
                Token::Skip(n) => {
                    debug_assert!(matches!(self.region, Open::None), "markup lies between regions");
                    self.lexed += n as u64;
                }
                Token::Begin(region) => self.region = self.begin(region),
                Token::Raw(n) => {
                    self.lexed += n as u64;
                    self.raw(view, above, at, out)?;
                }
                Token::Escape(n, chars) => {
                    self.lexed += n as u64;
                    self.escape(view, above, at, n, chars, out)?;
                }
                Token::End => self.end(view, above, out)?,
                Token::Whole(before, value, n) => {
                    let from = at + before as u64;
                    self.lexed = from + n as u64;
                    if self.rules.kinds.iri {
                        self.plain(view, above, value, from, out)?;
                    }
                }
                Token::Cancel => self.region = Open::None,
                Token::Cut => {
                    self.gather(view);
                    let torn = match &self.region {
                        Open::Plain { from, .. } => {
                            value::is_torn(&view.bytes[view.index(*from)..view.index(at)])
                        }
                        Open::Value { text, .. } => value::is_torn(text),
                        _ => true,
                    };
                    if torn {
                        self.region = Open::None;
                    }
                    self.end(view, above, out)?;
                }
            }
        }
        // The window is going to be gone.
        match self.region {
            Open::Idle { .. } => self.activate(view, above, out)?,
            Open::Plain { .. } => self.spell_out(view),
            Open::Value { .. } => self.gather(view),
            _ => {}
        }
        match &mut self.region {
            Open::Prose(prose) => prose.flush(&mut self.cursor, view, above, self.lexed, out),
            _ => Ok(()),
        }
    }

    fn begin(&mut self, region: Region) -> Open {
        let from = self.lexed;
        self.escapes.clear();
        match region {
            Region::Prose | Region::Field => {
                // By UTS #58 any character may be a label.
                let border = self.rules.set == Ruleset::Standard;
                let field = region == Region::Field;
                Open::Idle { from, border, field }
            }
            Region::Reference(_) if !self.rules.kinds.iri => Open::Dropped,
            Region::Reference(value) => Open::Plain { value, from },
        }
    }

    /// Text as it stands, from `at` to where the lexer is.
    fn raw(
        &mut self,
        view: Window<'_>,
        above: Option<&Map>,
        at: u64,
        out: &mut Out<'_>,
    ) -> Result<(), Failed> {
        let to = self.lexed;
        match &mut self.region {
            Open::None | Open::Dropped | Open::Plain { .. } | Open::Prose(_) => {}
            Open::Idle { from, border, .. } => {
                let bytes = &view.bytes[view.index(*from)..view.index(to)];
                let first = bytes[(at - *from) as usize];
                // A candidate is told by what stands round it.
                let new = (at.saturating_sub(2).max(*from) - *from) as usize;
                let escaped =
                    self.escapes.last().is_some_and(|(escape, len, _)| escape + *len as u64 == at);
                *border = bytes.last().is_some_and(is_anchor);
                if escaped && is_anchor(&first) || self.candidates.is_worth(bytes, *from, new) {
                    self.activate(view, above, out)?;
                }
            }
            Open::Value { .. } => self.bound(view),
        }
        Ok(())
    }

    fn escape(
        &mut self,
        view: Window<'_>,
        above: Option<&Map>,
        at: u64,
        len: usize,
        chars: Chars,
        out: &mut Out<'_>,
    ) -> Result<(), Failed> {
        if let Open::Idle { border, .. } = &mut self.region {
            // Nothing but a letter, a digit and what anchors are made of can begin a
            // candidate together with the bytes round it.
            let part = |b: &u8| b.is_ascii_alphanumeric() || is_anchor(b);
            self.escapes.push((at, len, chars));
            if *border || self.escapes.len() > 8 || chars.as_bytes().iter().any(part) {
                return self.activate(view, above, out);
            }
            return Ok(());
        }
        if let Open::Plain { .. } = self.region {
            // As it was before this escape.
            let to = core::mem::replace(&mut self.lexed, at);
            self.spell_out(view);
            self.lexed = to;
        }
        if let Open::Value { text, map, decoded, .. } = &mut self.region {
            append_text(&mut self.cursor, view, decoded, at, true, text, map);
            chars.append_to(text);
            map.push(chars.as_bytes().len(), len, Make::Escape);
            *decoded = self.lexed;
            self.bound(view);
        }
        Ok(())
    }

    fn end(
        &mut self,
        view: Window<'_>,
        above: Option<&Map>,
        out: &mut Out<'_>,
    ) -> Result<(), Failed> {
        match core::mem::replace(&mut self.region, Open::None) {
            Open::None | Open::Dropped | Open::Idle { .. } => Ok(()),
            Open::Prose(prose) => {
                let spare = prose.end(&mut self.cursor, view, above, self.lexed, out)?;
                self.spare = Some(spare);
                Ok(())
            }
            Open::Plain { value, from } => self.plain(view, above, value, from, out),
            Open::Value { value, from, mut text, mut map, mut decoded } => {
                append_text(
                    &mut self.cursor,
                    view,
                    &mut decoded,
                    self.lexed,
                    true,
                    &mut text,
                    &mut map,
                );
                if self.lexed - from > value::room(self.rules.max_len) {
                    *out.overlong += u64::from(value.is_overlong(&text, &self.rules));
                    return Ok(());
                }
                let result = out.references(value, &text, &mut map, above);
                self.gathered = (text, map);
                result
            }
        }
    }

    /// References, from `from` to where the lexer is, as they stand in the view.
    fn plain(
        &mut self,
        view: Window<'_>,
        above: Option<&Map>,
        value: Value,
        from: u64,
        out: &mut Out<'_>,
    ) -> Result<(), Failed> {
        let bytes = &view.bytes[view.index(from)..view.index(self.lexed)];
        if bytes.len() as u64 > value::room(self.rules.max_len) {
            *out.overlong += u64::from(value.is_overlong(bytes, &self.rules));
            return Ok(());
        }
        if matches!(value, Value::One | Value::Url) && above.is_none() {
            if !self.rules.schemes_given && value::is_plain(bytes) {
                return match out.fits(bytes.len() as u64) {
                    true => out.give(Found::ascii(from, self.lexed, Kind::Iri), None),
                    false => Ok(()),
                };
            }
            if bytes.is_ascii() {
                return out.plain(bytes, from);
            }
        }
        let mut map = core::mem::take(&mut self.gathered.1);
        map.restart(from);
        if self.cursor.shape() == Shape::Utf8 || bytes.is_ascii() {
            map.push(bytes.len(), bytes.len(), SAME);
            let result = out.references(value, bytes, &mut map, above);
            self.gathered.1 = map;
            return result;
        }
        let (mut text, mut decoded) = (core::mem::take(&mut self.gathered.0), from);
        text.clear();
        append_text(&mut self.cursor, view, &mut decoded, self.lexed, true, &mut text, &mut map);
        let result = out.references(value, &text, &mut map, above);
        self.gathered = (text, map);
        result
    }

    /// References that are too long are none.
    fn bound(&mut self, view: Window<'_>) {
        if let Open::Value { from, .. } = self.region
            && self.lexed - from > value::room(self.rules.max_len)
        {
            self.gather(view);
            if let Open::Value { value, ref text, .. } = self.region {
                self.overlong += u64::from(value.is_overlong(text, &self.rules));
            }
            self.region = Open::Dropped;
        }
    }

    /// The text of references up to where the lexer is.
    fn gather(&mut self, view: Window<'_>) {
        if let Open::Value { text, map, decoded, .. } = &mut self.region {
            append_text(&mut self.cursor, view, decoded, self.lexed, false, text, map);
        }
    }

    /// Prose that was idle is scanned, from its start.
    fn activate(
        &mut self,
        view: Window<'_>,
        above: Option<&Map>,
        out: &mut Out<'_>,
    ) -> Result<(), Failed> {
        let Open::Idle { from, field, .. } = core::mem::replace(&mut self.region, Open::None)
        else {
            return Ok(());
        };
        let mut prose = Prose::new(self.spare.take(), self.candidates, from, field, out);
        for &(at, len, chars) in &self.escapes {
            let range = at..at + len as u64;
            prose.escape(&mut self.cursor, view, above, range, chars, out)?;
        }
        let result = prose.raw(&mut self.cursor, view, above, self.lexed, out);
        self.region = Open::Prose(prose);
        result
    }

    /// The text of references up to where the lexer is, because the view is going to
    /// be gone, or no longer is the text.
    fn spell_out(&mut self, view: Window<'_>) {
        let Open::Plain { value, from } = self.region else { return };
        let (mut text, mut map) = core::mem::take(&mut self.gathered);
        text.clear();
        map.restart(from);
        self.region = Open::Value { value, from, text, map, decoded: from };
        self.gather(view);
        self.bound(view);
    }
}

/// Whether it is an anchor, or part of `://`.
fn is_anchor(b: &u8) -> bool {
    matches!(b, b':' | b'/' | b'@' | b'.')
}
