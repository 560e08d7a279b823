//! One document: chunks in, text and links out.
//!
//! The lexer of the format decides which bytes are text and which of them mean other
//! characters; the scanner for plain text finds the links in that text; [`Out`] gives them their
//! places in the source. This file knows no format.
//!
//! Three kinds of offset: those of the *source*; those of the *view*, which the lexer reads, and
//! which differs from the source only where that was transcoded; those of the *text* of one
//! region.
//!
//! Invariant: every byte from [`Progress::delivered`] on is in the carry or in the chunk that is
//! being read.

pub(in crate::format) mod bases;
pub(in crate::format) mod declared;
mod element_text;
mod naming;
mod open_region;
mod out;
mod prose;
pub(crate) mod regions;
mod view;

use alloc::{sync::Arc, vec::Vec};

use self::{
    bases::{Bases, Scope},
    declared::HEAD,
    naming::{Naming, Reached},
    open_region::OpenRegion,
    out::{Bare, Out, Standing},
    view::View,
};
use super::{any_lexer::AnyLexer, kinds::Format, row::Start};
use crate::{
    charset::{
        Charset, Shape, Shift,
        decider::Decider,
        detect::{Basis, EARLY},
        transcoder::Transcoder,
        window::{Ahead, Window},
    },
    engine::{carry::Carry, progress::Progress, rules::Rules},
    format::{
        csv::delimiter,
        lexing::lexer::{Lexer, Region, Token, Value},
    },
    grammar::types::Kind,
    links::sink::{AnySink, Halt, Summary},
};

/// Scans one document.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    options: Options,
    decider: Decider,
    /// The start of the document, until it is known what that says of the rest: the charset of
    /// markup, or the delimiter of fields.
    head: Option<Vec<u8>>,
    body: Body,
    carry: Carry,
    progress: Progress,
}

/// What does not change while a document is read.
#[derive(Clone, Debug)]
struct Options {
    rules: Arc<Rules>,
    /// For the text of a region, which is UTF-8.
    within: Arc<Rules>,
    format: Format,
    /// The delimiter of fields; `None`: the first records show it.
    delimiter: Option<u8>,
}

/// Reads the bytes of a document in the charset that was decided on.
#[derive(Clone, Debug)]
struct Body {
    lexer: AnyLexer,
    /// The charset of the source.
    charset: Charset,
    /// Makes the view, if the lexer cannot read the source.
    transcoder: Option<Transcoder>,
    region: OpenRegion,
    /// Where the links of the region stand.
    standing: Standing,
    /// Notes the elements of links.
    naming: Naming,
    /// Links that were too long.
    overlong: u64,
}

impl Document {
    pub(crate) fn new(rules: &Arc<Rules>, format: Format, charset: Option<Charset>) -> Document {
        // The text may be longer than its source; `Out::fits` measures the source.
        let max_len = rules.options.max_len.saturating_mul(3);
        // `Out::give` applies the filter, because only there a link is complete.
        let mut within = Rules::clone(rules);
        (within.options.max_len, within.options.filter) = (max_len, None);
        within.nested = None;
        let delimiter = format.delimiter().or(rules.delimiter());
        let options = Options { rules: rules.clone(), within: Arc::new(within), format, delimiter };
        let head = format.row().declared.is_some() || format.has_fields() && delimiter.is_none();
        let head = head.then(Vec::new);
        let decider = Decider::new(charset).folded(format.row().is_folded);
        Document::of(options, decider, head, 0)
    }

    /// For the rest of the stream, from `offset` on.
    pub(crate) fn rest(&self, offset: u64) -> Document {
        Document::of(self.options.clone(), self.decider.rest(offset), None, offset)
    }

    fn of(options: Options, decider: Decider, head: Option<Vec<u8>>, start: u64) -> Document {
        Document {
            body: Body::new(&options, decider.charset().0, start),
            options,
            decider,
            head,
            carry: Carry::at(start),
            progress: Progress::at(start),
        }
    }

    /// As [`Scanner::push`](crate::api::scanner::Scanner::push).
    pub(crate) fn push(&mut self, chunk: &[u8], sink: &mut AnySink<'_>) -> Result<(), Halt> {
        if self.progress.halted || chunk.is_empty() {
            return Ok(());
        }
        let chunk_at = self.progress.pushed;
        self.progress.pushed += chunk.len() as u64;
        if let Some(head) = &mut self.head {
            head.extend_from_slice(&chunk[..chunk.len().min(delimiter::HEAD)]);
            if let Some(end) = self.options.head_end(head) {
                head.truncate(end);
            }
        }
        // So it stays if the sink panics.
        self.progress.halted = true;
        let (mut carry, bridge) =
            (core::mem::take(&mut self.carry), self.options.rules.tuning.bridge);
        let result = carry.feed(chunk, chunk_at, bridge, |w| {
            self.run(w, sink)?;
            Ok(self.progress.delivered)
        });
        self.carry = carry;
        self.progress.scanned(result)
    }

    /// As [`Scanner::flush`](crate::api::scanner::Scanner::flush).
    pub(crate) fn flush(&mut self, sink: &mut AnySink<'_>) -> Result<(), Halt> {
        // What declares a charset does so further on.
        let declares = self.head.is_some() && self.options.format.row().declared.is_some();
        if self.progress.halted || declares || !self.awaits_charset() {
            return Ok(());
        }
        self.learn();
        self.progress.halted = true;
        self.decider.hurry(true);
        let mut carry = core::mem::take(&mut self.carry);
        let result = carry.again(|w| {
            self.run(w, sink)?;
            Ok(self.progress.delivered)
        });
        self.carry = carry;
        self.decider.hurry(false);
        self.progress.scanned(result)
    }

    /// As [`Scanner::finish`](crate::api::scanner::Scanner::finish).
    pub(crate) fn finish(mut self, sink: &mut AnySink<'_>) -> Result<Summary, Halt> {
        if !self.progress.halted {
            let carry = core::mem::take(&mut self.carry);
            let result = self.run(carry.last(), sink);
            if self.progress.scanned(result) == Err(Halt::Failed) {
                return Err(Halt::Failed);
            }
        }
        let summary = self.progress.summary(self.body.overlong, self.decider.charset());
        if self.progress.ends() {
            sink.finish(&summary)?;
        }
        Ok(summary)
    }

    pub(crate) fn delivered(&self) -> u64 {
        self.progress.delivered
    }

    pub(crate) fn pushed(&self) -> u64 {
        self.progress.pushed
    }

    pub(crate) fn charset(&self) -> (Charset, Basis) {
        self.decider.charset()
    }

    pub(crate) fn awaits_charset(&self) -> bool {
        self.decider.awaits() || self.head.is_some()
    }

    /// Whether the bytes that follow can be read without those before: they begin with a tag, or
    /// continue the text after a place that divides it.
    pub(crate) fn is_at_boundary(&self) -> bool {
        !self.awaits_charset()
            && self.body.transcoder.is_none()
            && self.body.region.lexed == self.progress.pushed
            && self.body.lexer.is_between()
            // What follows is relative to it.
            && !self.body.standing.bases.has_own()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.progress.is_stopped()
    }

    pub(crate) fn held(&self) -> usize {
        self.carry.len() + self.body.held()
    }

    /// Reads `w` as far as it goes, and delivers all that is settled.
    fn run(&mut self, w: Window<'_>, sink: &mut AnySink<'_>) -> Result<(), Halt> {
        if let Some(head) = &self.head {
            if self.options.head_end(head).is_none() && !w.last() {
                return Ok(());
            }
            self.learn();
        }
        let Document { options, decider, body, progress, .. } = self;
        let failed = decider.drive(w, |decider, readable| {
            body.change_charset(decider.charset().0, options);
            let announces = !progress.announced && decider.is_decided();
            let announced = if announces { announce(decider, progress, sink) } else { Ok(()) };
            let last = w.last() && readable == w.end();
            // UTF-16 and UTF-32 show in the first bytes, but not in the very first.
            let reads = decider.is_decided() || readable >= EARLY || last;
            let mut read = || body.read(w, readable, decider, options, progress, sink);
            announced.and_then(|()| if reads { read() } else { Ok(()) }).err()
        });
        match failed {
            Some(failed) => Err(failed),
            None if w.last() && !progress.announced => announce(decider, progress, sink),
            None => Ok(()),
        }
    }
}

impl Document {
    /// Takes from the head what it says of the rest.
    fn learn(&mut self) {
        let Some(head) = self.head.take() else { return };
        let declared = self.options.format.row().declared;
        if let Some((charset, end)) = declared.and_then(|declared| declared(&head)) {
            self.decider.declare((charset, end as u64));
        }
        if self.options.format.has_fields() {
            let whole = Window { bytes: &head, base: 0, ahead: Ahead::Nothing };
            let charset = self.decider.clone().charset_of(whole);
            let text = charset.decode_shifted(&head, Shift::Ascii);
            self.options.delimiter = Some(delimiter::of(&text));
            self.body = Body::new(&self.options, self.decider.charset().0, 0);
        }
    }
}

impl Options {
    /// Where the head of a document ends that begins with `bytes`; `None`: after them.
    fn head_end(&self, bytes: &[u8]) -> Option<usize> {
        match self.format.row().declared.is_some() {
            true => (bytes.len() >= HEAD).then_some(HEAD),
            false => delimiter::head(bytes),
        }
    }
}

/// Gives the sink the charset.
fn announce(
    decider: &Decider,
    progress: &mut Progress,
    sink: &mut AnySink<'_>,
) -> Result<(), Halt> {
    progress.announced = true;
    let (charset, basis) = decider.charset();
    sink.charset(charset, basis)
}

impl Body {
    fn new(options: &Options, charset: Charset, start: u64) -> Body {
        let delimiter = options.delimiter.unwrap_or(delimiter::USUAL);
        let first = start == 0;
        let lexer = Start { delimiter, first, rules: &options.rules }.lexer(options.format);
        let mut body = Body {
            lexer: match options.rules.names {
                true => lexer.named(),
                false => lexer,
            },
            charset,
            transcoder: None,
            region: OpenRegion::new(charset, &options.rules, start),
            standing: Standing {
                bases: Bases::new(options.rules.options.base.clone()),
                ..Standing::default()
            },
            naming: Naming::new(&options.rules),
            overlong: 0,
        };
        body.read_in(charset, options);
        body
    }

    /// The rest of the document is in `charset`.
    fn change_charset(&mut self, charset: Charset, options: &Options) {
        if charset != self.charset {
            self.charset = charset;
            self.read_in(charset, options);
        }
    }

    /// Chooses the view for the rest of the document; all before was ASCII.
    fn read_in(&mut self, charset: Charset, options: &Options) {
        // A byte order mark may show another charset than the one that was told.
        self.transcoder = None;
        let read = match charset.shape() {
            Shape::Utf8 | Shape::Single => charset,
            Shape::Multi if self.lexer.is_sync() => charset,
            Shape::Multi | Shape::Wide { .. } | Shape::Stateful => {
                self.transcoder = Some(Transcoder::new(charset, self.region.lexed));
                Charset::UTF_8
            }
        };
        self.lexer.read_in(read);
        self.region.read_in(read, &options.rules);
    }

    /// Bytes held.
    fn held(&self) -> usize {
        self.transcoder.as_ref().map_or(0, |t| t.text.len()) + self.region.held()
    }

    /// Reads the source up to `readable`, and delivers all that is settled.
    fn read(
        &mut self,
        source: Window<'_>,
        readable: u64,
        decider: &Decider,
        options: &Options,
        progress: &mut Progress,
        sink: &mut AnySink<'_>,
    ) -> Result<(), Halt> {
        let last = source.last() && readable == source.end();
        let window = if last { source } else { source.until(readable) };
        let mut overlong = 0;
        let mut out = Out {
            sink,
            source,
            decider,
            rules: &options.rules,
            within: &options.within,
            format: options.format,
            standing: core::mem::take(&mut self.standing),
            progress,
            overlong: &mut overlong,
        };
        let result = match self.transcoder.take() {
            None => {
                let result = self.lex(View { window, above: None }, &mut out);
                result.and_then(|()| out.text(self.region.settled()))
            }
            Some(mut transcoder) => {
                transcoder.push(window.lookahead(transcoder.map.outside()));
                let (bytes, base) = (&transcoder.text[..], transcoder.text_at);
                let window = Window { bytes, base, ahead: window.ahead };
                let view = View { window, above: Some(&transcoder.map) };
                let result = self.lex(view, &mut out);
                let settled = self.region.settled();
                let result = result.and_then(|()| out.text(transcoder.map.start(settled)));
                transcoder.forget(settled);
                self.transcoder = Some(transcoder);
                result
            }
        };
        self.standing = out.standing;
        self.overlong += overlong;
        result
    }

    /// Lets the lexer read all of the view.
    fn lex(&mut self, view: View<'_>, out: &mut Out<'_>) -> Result<(), Halt> {
        loop {
            let token = match self.naming.is_waiting() {
                true => None,
                false => self.region.next(&mut self.lexer, view, out)?,
            };
            let token = match (token, out.rules.names) {
                (token, false) => token,
                (token, true) => {
                    let lexed = self.region.lexed;
                    let charset = if view.above.is_some() { Charset::UTF_8 } else { self.charset };
                    let reached = Reached { lexer: &self.lexer, lexed, view, charset };
                    self.naming.name(token, reached, out)
                }
            };
            match token {
                Some(token) => self.take(token, view, out)?,
                None => return self.region.keep(view, out),
            }
        }
    }

    /// Takes the next token.
    #[inline]
    fn take(&mut self, token: Token, view: View<'_>, out: &mut Out<'_>) -> Result<(), Halt> {
        let at = self.region.lexed;
        let region = &mut self.region;
        match token {
            Token::Skip(n) => {
                debug_assert!(region.is_none(), "markup lies between regions");
                region.lexed += n as u64;
                Ok(())
            }
            Token::Begin(kind) => {
                self.locate(kind, view, out);
                self.region.begin(kind, out);
                Ok(())
            }
            Token::Cell(before, n) => {
                let from = at + before as u64;
                region.lexed = from;
                self.locate(Region::Field, view, out);
                if let Some(bare) = &mut out.standing.bare {
                    bare.end = Some(view.source(from + n as u64));
                }
                self.region.whole_cell(view, from, n, out)
            }
            Token::Raw(n) => {
                region.lexed += n as u64;
                region.raw(view, at, out)
            }
            Token::Escape(n, chars) => {
                region.lexed += n as u64;
                region.escape(view, at, n, chars, out)
            }
            Token::End => {
                if let Some(bare) = &mut out.standing.bare
                    && !self.lexer.goes_on()
                {
                    bare.end = Some(view.source(at));
                }
                region.end(view, out)
            }
            Token::Whole(before, value, n) => self.whole(view, at + before as u64, value, n, out),
            Token::Cancel => {
                region.cancel();
                Ok(())
            }
            Token::Broken(before) => {
                out.standing.place = self.lexer.place(Region::Prose);
                out.standing.bare = None;
                region.broken(before, view, out)
            }
            Token::Cut => region.cut(view, at, out),
        }
    }

    /// Reads a value of `n` bytes at `from`, in which nothing is escaped.
    #[inline]
    fn whole(
        &mut self,
        view: View<'_>,
        from: u64,
        value: Value,
        n: usize,
        out: &mut Out<'_>,
    ) -> Result<(), Halt> {
        let to = from + n as u64;
        self.region.lexed = to;
        if !out.rules.options.kinds.has(Kind::Iri) {
            return Ok(());
        }
        // The byte that ends the value is in the view.
        let next = view.from(to).first().copied();
        let place = self.lexer.place_of_value(value, next);
        out.standing.place = place;
        out.standing.bare = place.is_bare().then(|| Bare {
            delimiter: None,
            start: view.source(from),
            end: Some(view.source(to)),
        });
        out.standing.html = self.lexer.is_in_html();
        self.relate(value == Value::Base, out);
        self.region.plain(view, value, from, out)
    }

    /// Notes what the links of a region that begins here are relative to. `sets`: its value is a base.
    #[inline]
    fn relate(&self, sets: bool, out: &mut Out<'_>) {
        let (within, element) = self.lexer.bases();
        if !sets && element.is_none() && !out.standing.bases.has_any() {
            return;
        }
        // HTML within a feed is no document of its own.
        let sets = sets && !(out.format.row().wraps_html && out.standing.html);
        out.standing.bases.begin(within, element.or(sets.then_some(Scope::Document)));
        out.standing.rebase();
    }

    /// Notes what is around the links of a region that begins where the lexer is.
    fn locate(&mut self, region: Region, view: View<'_>, out: &mut Out<'_>) {
        let (standing, place) = (&mut out.standing, self.lexer.place(region));
        standing.place = place;
        standing.html = self.lexer.is_in_html();
        let further = standing.bare.take().filter(|_| self.lexer.is_further());
        standing.bare = place.is_bare().then(|| {
            let start = further.map_or_else(|| view.source(self.region.lexed), |bare| bare.start);
            Bare { delimiter: self.lexer.delimiter(), start, end: None }
        });
        self.relate(region == Region::Reference(Value::Base), out);
    }
}
