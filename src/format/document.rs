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
//! A region passes through up to three states, because most hold no link:
//!
//! ```text
//!            prose                 a candidate, or the window ends
//!   None ─────────────▶ Idle ─────────────────────────────────────▶ Prose (a scanner runs)
//!     └── references ──▶ Plain ──────────────────────────────────▶ Value (its text is copied)
//!                                  an escape, or the window ends     └─ too long ─▶ Dropped
//! ```
//!
//! Invariant: every byte from [`Progress::delivered`] on is in the carry or in the chunk that is
//! being read.

use alloc::{boxed::Box, string::String, sync::Arc, vec::Vec};

use super::{
    declared::HEAD,
    delimiter,
    element_text::ElementText,
    kinds::Format,
    lexer::{Chars, Lexer, Region, Token, Value},
    markup::MarkupLexer,
    out::{Bare, Out},
    prose::{Prose, Spare},
    reader::Reader,
    tag::Name,
    value,
    view::{View, append_text},
};
use crate::{
    charset::{
        Charset, Shape, Shift,
        cursor::Cursor,
        decider::Decider,
        detect::{Basis, EARLY},
        source_map::{Make, SAME, SourceMap},
        transcoder::Transcoder,
        window::{Ahead, Window},
    },
    engine::{
        anchor_search::AnchorSearch, carry::Carry, progress::Progress, rules::Rules, search::Search,
    },
    grammar::{
        reading::Reading,
        start,
        types::{Found, Kind, RuleSet},
    },
    links::{
        markup::Markup,
        matched::Match,
        place::{Place, Surroundings},
        sink::{AnySink, Failed, Summary},
    },
};

/// So many escapes are kept of prose that is idle; with more it is scanned.
const IDLE_ESCAPES_MAX: usize = 8;

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
    reader: Reader,
    /// The charset of the source.
    charset: Charset,
    /// Makes the view, if the lexer cannot read the source.
    transcoder: Option<Transcoder>,
    /// Decodes the view.
    cursor: Cursor,
    /// Finds candidates in the view.
    anchors: AnchorSearch,
    /// Up to where the lexer has read the view.
    lexed: u64,
    region: Open,
    /// The syntax around the links of the region.
    place: Place,
    /// The value without quotes that it is.
    bare: Option<Bare>,
    /// The element that links are in, if it is wanted.
    markup: Option<Arc<Markup>>,
    /// As [`Out::base`].
    base: Option<Box<str>>,
    /// The text of the element is being read, and this token waits for it.
    element: Option<(ElementText, Token)>,
    /// To find the host in the text of an element.
    named: Option<Arc<Rules>>,
    /// The text of the `<area>` with this number, which came before its reference.
    alt: Option<(u64, String)>,
    /// Links that were too long.
    overlong: u64,
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

impl Document {
    pub(crate) fn new(rules: &Arc<Rules>, format: Format, charset: Option<Charset>) -> Document {
        // The text may be longer than its source; `Out::fits` measures the source.
        let max_len = rules.max_len.saturating_mul(3);
        // `Out::give` applies the filter, because only there a link is complete.
        let within = Rules { max_len, filter: None, ..Rules::clone(rules) };
        let delimiter = format.delimiter().or(rules.delimiter);
        let options = Options { rules: rules.clone(), within: Arc::new(within), format, delimiter };
        let head = format.declares() || format.has_fields() && delimiter.is_none();
        let head = head.then(Vec::new);
        let decider = Decider::new(charset).folded(format == Format::Ical);
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
    pub(crate) fn push(&mut self, chunk: &[u8], sink: &mut AnySink<'_>) -> Result<(), Failed> {
        if self.progress.failed || chunk.is_empty() {
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
        self.progress.failed = true;
        let (mut carry, bridge) =
            (core::mem::take(&mut self.carry), self.options.rules.tuning.bridge);
        let result = carry.feed(chunk, chunk_at, bridge, |w| {
            self.run(w, sink)?;
            Ok(self.progress.delivered)
        });
        self.carry = carry;
        self.progress.failed = result.is_err();
        result
    }

    /// As [`Scanner::finish`](crate::api::scanner::Scanner::finish).
    pub(crate) fn finish(mut self, sink: &mut AnySink<'_>) -> Result<Summary, Failed> {
        if !self.progress.failed {
            let carry = core::mem::take(&mut self.carry);
            self.run(carry.last(), sink)?;
        }
        let summary = self.progress.summary(self.body.overlong, self.decider.charset());
        if !self.progress.failed {
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
            && self.body.lexed == self.progress.pushed
            && self.body.reader.is_between()
    }

    pub(crate) fn held(&self) -> usize {
        self.carry.len() + self.body.held()
    }

    /// Reads `w` as far as it goes, and delivers all that is settled.
    fn run(&mut self, w: Window<'_>, sink: &mut AnySink<'_>) -> Result<(), Failed> {
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
        if let Some((charset, end)) = self.options.format.declared(&head) {
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
        match self.format.declares() {
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
) -> Result<(), Failed> {
    progress.announced = true;
    let (charset, basis) = decider.charset();
    sink.charset(charset, basis)
}

impl Body {
    fn new(options: &Options, charset: Charset, start: u64) -> Body {
        let delimiter = options.delimiter.unwrap_or(delimiter::USUAL);
        let reader = Reader::new(options.format, delimiter, start == 0, &options.rules);
        let mut body = Body {
            reader: match options.rules.names {
                true => reader.named(),
                false => reader,
            },
            charset,
            transcoder: None,
            cursor: Cursor::new(charset),
            anchors: AnchorSearch::new(charset.shape(), options.rules.anchors),
            lexed: start,
            region: Open::None,
            place: Place::default(),
            bare: None,
            markup: None,
            base: None,
            element: None,
            named: options.rules.element_texts.then(|| Arc::new(options.rules.of_names())),
            alt: None,
            overlong: 0,
            memory: Memory::default(),
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
            Shape::Multi if self.reader.is_sync() => charset,
            Shape::Multi | Shape::Wide { .. } | Shape::Stateful => {
                self.transcoder = Some(Transcoder::new(charset, self.lexed));
                Charset::UTF_8
            }
        };
        self.reader.set_double(read.shape() == Shape::Multi);
        self.cursor = Cursor::new(read);
        self.anchors = AnchorSearch::new(read.shape(), options.rules.anchors);
    }

    /// Bytes held.
    fn held(&self) -> usize {
        let text = match &self.region {
            Open::Prose(prose) => prose.held(),
            Open::Value { text, .. } => text.len(),
            _ => 0,
        };
        self.transcoder.as_ref().map_or(0, |t| t.text.len()) + text
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
    ) -> Result<(), Failed> {
        let last = source.last() && readable == source.end();
        let mut overlong = 0;
        let mut out = Out {
            sink,
            source,
            decider,
            rules: &options.rules,
            within: &options.within,
            format: options.format,
            html: self.reader.is_in_html(),
            place: self.place,
            bare: self.bare,
            markup: self.markup.clone(),
            surroundings: None,
            base: self.base.take(),
            delivered: &mut progress.delivered,
            links: &mut progress.links,
            overlong: &mut overlong,
        };
        let result = match self.transcoder.take() {
            None => {
                let view = View { window: source.until(readable), above: None };
                let result = self.lex(view, last, &mut out);
                result.and_then(|()| out.text(self.settled()))
            }
            Some(mut transcoder) => {
                let from = source.index(transcoder.map.outside());
                transcoder.push(&source.bytes[from..source.index(readable)], last);
                let (bytes, base) = (&transcoder.text[..], transcoder.text_at);
                let window = Window { bytes, base, ahead: Ahead::More };
                let view = View { window, above: Some(&transcoder.map) };
                let result = self.lex(view, last, &mut out);
                let settled = self.settled();
                let result = result.and_then(|()| out.text(transcoder.map.start(settled)));
                transcoder.forget(settled);
                self.transcoder = Some(transcoder);
                result
            }
        };
        self.base = out.base.take();
        self.overlong += overlong;
        result
    }

    /// Up to where the view is settled: it cannot become part of a link.
    fn settled(&self) -> u64 {
        match &self.region {
            Open::None | Open::Dropped => self.lexed,
            Open::Idle { from, .. } | Open::Plain { from, .. } | Open::Value { from, .. } => *from,
            Open::Prose(prose) => prose.settled(),
        }
    }

    /// Lets the lexer read all of the view.
    fn lex(&mut self, view: View<'_>, last: bool, out: &mut Out<'_>) -> Result<(), Failed> {
        loop {
            let Body { reader, cursor, lexed, region, .. } = self;
            let token = match region {
                // Reads its text itself.
                Open::Prose(prose) => prose.lex(reader, cursor, view, lexed, last, out)?,
                _ if self.element.is_some() => None,
                _ => reader.next(view.from(*lexed), last),
            };
            let token = match (token, out.rules.names) {
                (token, false) => token,
                (token, true) => self.with_element(token, view, last, out),
            };
            let Some(token) = token else { break };
            let at = self.lexed;
            match token {
                Token::Skip(n) => {
                    debug_assert!(matches!(self.region, Open::None), "markup lies between regions");
                    self.lexed += n as u64;
                }
                Token::Begin(region) => {
                    self.locate(region, view, out);
                    self.region = self.begin(region, out);
                }
                Token::Cell(before, n) => self.whole_cell(view, at + before as u64, n, out)?,
                Token::Raw(n) => {
                    self.lexed += n as u64;
                    self.raw(view, at, out)?;
                }
                Token::Escape(n, chars) => {
                    self.lexed += n as u64;
                    self.escape(view, at, n, chars, out)?;
                }
                Token::End => {
                    if let Some(bare) = &mut out.bare
                        && !self.reader.goes_on()
                    {
                        bare.end = Some(view.source(self.lexed));
                    }
                    self.end(view, out)?;
                }
                Token::Whole(before, value, n) => {
                    let from = at + before as u64;
                    self.lexed = from + n as u64;
                    if out.rules.kinds.has(Kind::Iri) {
                        // The byte that ends the value is in the view.
                        let next = view.from(self.lexed).first().copied();
                        out.place = self.reader.place_of_value(value, next);
                        out.bare = out.place.is_bare().then(|| Bare {
                            delimiter: None,
                            start: view.source(from),
                            end: Some(view.source(self.lexed)),
                        });
                        out.html = self.reader.is_in_html();
                        self.plain(view, value, from, out)?;
                    }
                }
                Token::Cancel => self.region = Open::None,
                Token::Broken(before) => self.broken(before, view, out)?,
                Token::Cut => {
                    self.gather(view);
                    let torn = match &self.region {
                        Open::Plain { from, .. } => value::is_torn(view.slice(*from..at)),
                        Open::Value { text, .. } => value::is_torn(text),
                        _ => true,
                    };
                    if torn {
                        self.region = Open::None;
                    }
                    self.end(view, out)?;
                }
            }
        }
        // The window ends, so its bytes must be copied.
        match self.region {
            Open::Idle { .. } => self.activate(view, out)?,
            Open::Plain { .. } => self.copy(view, out),
            Open::Value { .. } => self.gather(view),
            _ => {}
        }
        match &mut self.region {
            Open::Prose(prose) => prose.flush(&mut self.cursor, view, self.lexed, out),
            _ => Ok(()),
        }
    }

    /// Notes the element and the attribute that `token` is in, and reads the text of the element if
    /// that is wanted. Returns the token, or `None` if the text is not complete: then the next
    /// call returns it.
    fn with_element(
        &mut self,
        token: Option<Token>,
        view: View<'_>,
        last: bool,
        out: &mut Out<'_>,
    ) -> Option<Token> {
        let (token, mut reading) = match (self.element.take(), token) {
            (Some((reading, token)), _) => (token, reading),
            (None, token) => {
                let token = token?;
                let names = match token {
                    Token::Begin(region) => {
                        let names = self.reader.markup().and_then(|it| it.names(region));
                        self.stand(names, view, out);
                        names
                    }
                    Token::Whole(..) => {
                        let names = self.reader.markup().and_then(MarkupLexer::names_of_whole);
                        self.stand(names, view, out);
                        names
                    }
                    Token::End => self.reader.markup().and_then(|it| it.names(Region::Field)),
                    _ => return Some(token),
                };
                let Some(names) = names else { return Some(token) };
                match self.element_text(token, names, out) {
                    Some(reading) => (token, reading),
                    None => return Some(token),
                }
            }
        };
        let charset = self.charset_of(view);
        if !reading.read(view, charset, last) {
            self.element = Some((reading, token));
            return None;
        }
        match token {
            Token::Begin(_) => {
                self.alt =
                    Some((self.reader.markup().map_or(0, MarkupLexer::tag_number), reading.text()))
            }
            _ => self.show(reading.text(), out),
        }
        Some(token)
    }

    /// Returns what reads the text of the element with these names, if that is wanted and known
    /// only from what follows.
    fn element_text(
        &mut self,
        token: Token,
        names: (Name, Option<Name>),
        out: &mut Out<'_>,
    ) -> Option<ElementText> {
        let (element, attribute) = (names.0, names.1?);
        let area = element.local() == b"area";
        if !out.rules.element_texts || !(area || element.local() == b"a") {
            return None;
        }
        match (token, attribute.get()) {
            (Token::Begin(_), b"alt") if area => {
                Some(ElementText::of_value(self.reader.clone(), self.lexed))
            }
            (Token::Whole(before, _, n), b"href" | b"xlink:href") => {
                let at = self.lexed + (before + n) as u64;
                Some(ElementText::of_element(self.reader.of_element((element, attribute))?, at))
            }
            (Token::End, b"href" | b"xlink:href") => {
                if area
                    && let Some((number, alt)) = self.alt.take()
                    && number == self.reader.markup().map_or(0, MarkupLexer::tag_number)
                {
                    self.show(alt, out);
                    return None;
                }
                let reader = self.reader.of_element((element, attribute))?;
                Some(ElementText::of_element(reader, self.lexed))
            }
            _ => None,
        }
    }

    /// The next links are in an element with these names.
    fn stand(&mut self, names: Option<(Name, Option<Name>)>, view: View<'_>, out: &mut Out<'_>) {
        let html = self.reader.is_in_html();
        let charset = self.charset_of(view);
        let text = |name: &Name| charset.decode_shifted(&name.as_written(), Shift::Ascii).into();
        self.markup = names.map(|(element, attribute)| {
            Arc::new(Markup {
                html,
                element: Some(text(&element)),
                attribute: attribute.as_ref().map(text),
                ..Markup::default()
            })
        });
        out.markup.clone_from(&self.markup);
    }

    /// `anchor` is the text of the element that the next links stand in.
    fn show(&mut self, anchor: String, out: &mut Out<'_>) {
        let Some(markup) = &self.markup else { return };
        let named = self.named.as_ref().and_then(|rules| named_host(rules, &anchor));
        let base = out.base.clone().filter(|base| named.is_some() && !base.is_empty());
        let shown = Markup { anchor: Some(anchor), named, base, ..Markup::clone(markup) };
        self.markup = Some(Arc::new(shown));
        out.markup.clone_from(&self.markup);
    }

    fn charset_of(&self, view: View<'_>) -> Charset {
        if view.above.is_some() { Charset::UTF_8 } else { self.charset }
    }

    /// Notes what is around the links of a region that begins where the lexer is.
    fn locate(&mut self, region: Region, view: View<'_>, out: &mut Out<'_>) {
        self.place = self.reader.place(region);
        out.place = self.place;
        out.html = self.reader.is_in_html();
        if self.place.is_bare() {
            let further = self.bare.filter(|_| self.reader.is_further());
            let start = further.map_or_else(|| view.source(self.lexed), |bare| bare.start);
            self.bare = Some(Bare { delimiter: self.reader.delimiter(), start, end: None });
            out.bare = self.bare;
        } else {
            (self.bare, out.bare) = (None, None);
        }
    }

    /// Reads a field of `n` bytes at `from`. Many are one link, which needs no scanner.
    fn whole_cell(
        &mut self,
        view: View<'_>,
        from: u64,
        n: usize,
        out: &mut Out<'_>,
    ) -> Result<(), Failed> {
        self.lexed = from;
        self.locate(Region::Field, view, out);
        let to = from + n as u64;
        if let Some(bare) = &mut out.bare {
            bare.end = Some(view.source(to));
        }
        let (rules, bytes) = (out.rules, view.from(from));
        // If links are all ASCII, delimiters do not count.
        let fast = rules.tuning.fast_path
            && !rules.ascii_only
            && view.above.is_none()
            && rules.set == RuleSet::Prose
            && rules.kinds.has(Kind::Iri)
            && rules.web.has_both()
            && self.is_link(&bytes[..n], rules);
        if fast {
            self.lexed = to;
            // As if the field were scanned.
            out.surroundings = out.rules.to_iri.map(|_| Surroundings {
                before: Some('"'),
                after: "\"".into(),
                is_cut: false,
            });
            return match out.fits(n as u64) {
                true => out.give(Found::ascii(from, to, Kind::Iri), None),
                false => Ok(()),
            };
        }
        self.region = self.begin(Region::Field, out);
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
        let scheme = rules.schemes.get(name);
        scheme.is_some_and(|it| Reading::fills(it, self.anchors.level(), &field[colon + 1..]))
    }

    fn begin(&mut self, region: Region, out: &Out<'_>) -> Open {
        let from = self.lexed;
        self.memory.escapes.clear();
        match region {
            Region::Prose | Region::Field => {
                // By UTS #58 a label may have any character.
                let border = out.rules.set == RuleSet::Uts58;
                let field = region == Region::Field;
                Open::Idle { from, border, field }
            }
            Region::Reference(_) if !out.rules.kinds.has(Kind::Iri) => Open::Dropped,
            Region::Reference(value) => Open::Plain { value, from },
        }
    }

    /// Reads raw text, from `at` to where the lexer is.
    fn raw(&mut self, view: View<'_>, at: u64, out: &mut Out<'_>) -> Result<(), Failed> {
        let to = self.lexed;
        match &mut self.region {
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

    fn escape(
        &mut self,
        view: View<'_>,
        at: u64,
        len: usize,
        chars: Chars,
        out: &mut Out<'_>,
    ) -> Result<(), Failed> {
        if let Open::Idle { border, .. } = &mut self.region {
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
        if let Open::Plain { .. } = self.region {
            // Up to before this escape.
            let to = core::mem::replace(&mut self.lexed, at);
            self.copy(view, out);
            self.lexed = to;
        }
        if let Open::Value { text, map, decoded, .. } = &mut self.region {
            append_text(&mut self.cursor, view, decoded, at, true, text, map);
            chars.append_to(text);
            map.push(chars.as_bytes().len(), len, Make::Escape);
            *decoded = self.lexed;
            self.bound(view, out);
        }
        Ok(())
    }

    fn end(&mut self, view: View<'_>, out: &mut Out<'_>) -> Result<(), Failed> {
        match core::mem::replace(&mut self.region, Open::None) {
            Open::None | Open::Dropped | Open::Idle { .. } => Ok(()),
            Open::Prose(prose) => {
                let spare = prose.end(&mut self.cursor, view, self.lexed, out)?;
                self.memory.spare = Some(spare);
                Ok(())
            }
            Open::Plain { value, from } => self.plain(view, value, from, out),
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
                if self.lexed - from > value::room(out.rules.max_len) {
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
    fn broken(&mut self, before: u8, view: View<'_>, out: &mut Out<'_>) -> Result<(), Failed> {
        let region = core::mem::replace(&mut self.region, Open::None);
        let (value, from, text) = match region {
            Open::Plain { value, from } => (value, from, None),
            Open::Value { value, from, text, map, decoded } => {
                (value, from, Some((text, map, decoded)))
            }
            // It was too long, or is not asked for.
            _ => (Value::One, self.lexed, None),
        };
        let spare = self.memory.spare.take();
        let mut prose = if self.lexed - from > value::room(out.rules.max_len) {
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
        self.place = self.reader.place(Region::Prose);
        out.place = self.place;
        (self.bare, out.bare) = (None, None);
        let read = prose.raw(&mut self.cursor, view, self.lexed, out);
        self.region = Open::Prose(prose);
        read
    }

    /// Delivers the references from `from` to where the lexer is, which have no escapes.
    fn plain(
        &mut self,
        view: View<'_>,
        value: Value,
        from: u64,
        out: &mut Out<'_>,
    ) -> Result<(), Failed> {
        let bytes = view.slice(from..self.lexed);
        if bytes.len() as u64 > value::room(out.rules.max_len) {
            *out.overlong += u64::from(value.is_overlong(bytes, out.rules));
            return Ok(());
        }
        if matches!(value, Value::One | Value::Url) && view.above.is_none() {
            if !out.rules.schemes_given && value::is_plain(bytes) {
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
        let (mut text, mut decoded) = (core::mem::take(&mut self.memory.gathered.0), from);
        text.clear();
        append_text(&mut self.cursor, view, &mut decoded, self.lexed, true, &mut text, &mut map);
        let result = out.references(value, &text, &mut map, view.above);
        self.memory.gathered = (text, map);
        result
    }

    /// Drops references that are too long.
    fn bound(&mut self, view: View<'_>, out: &mut Out<'_>) {
        if let Open::Value { from, .. } = self.region
            && self.lexed - from > value::room(out.rules.max_len)
        {
            self.gather(view);
            if let Open::Value { value, ref text, .. } = self.region {
                *out.overlong += u64::from(value.is_overlong(text, out.rules));
            }
            self.region = Open::Dropped;
        }
    }

    /// Appends the text of references up to where the lexer is.
    fn gather(&mut self, view: View<'_>) {
        if let Open::Value { text, map, decoded, .. } = &mut self.region {
            append_text(&mut self.cursor, view, decoded, self.lexed, false, text, map);
        }
    }

    /// Scans prose that was idle, from its start.
    fn activate(&mut self, view: View<'_>, out: &mut Out<'_>) -> Result<(), Failed> {
        let Open::Idle { from, field, .. } = core::mem::replace(&mut self.region, Open::None)
        else {
            return Ok(());
        };
        let mut prose = Prose::new(self.memory.spare.take(), self.anchors, from, field, out);
        for &(at, len, chars) in &self.memory.escapes {
            let range = at..at + len as u64;
            prose.escape(&mut self.cursor, view, range, chars, out)?;
        }
        let result = prose.raw(&mut self.cursor, view, self.lexed, out);
        self.region = Open::Prose(prose);
        result
    }

    /// Copies the text of references up to where the lexer is, because the window ends, or an
    /// escape comes.
    fn copy(&mut self, view: View<'_>, out: &mut Out<'_>) {
        let Open::Plain { value, from } = self.region else { return };
        let (mut text, mut map) = core::mem::take(&mut self.memory.gathered);
        text.clear();
        map.restart(from);
        self.region = Open::Value { value, from, text, map, decoded: from };
        self.gather(view);
        self.bound(view, out);
    }
}

/// The host that `text` is or begins with, in the form in which hosts are compared: of a URL, or a
/// bare one whose last label is not all in capitals (`ASP.NET`).
fn named_host(rules: &Arc<Rules>, text: &str) -> Option<Box<str>> {
    let mut search = Search::new(rules.clone(), Some(Charset::UTF_8));
    let window = Window { bytes: text.as_bytes(), base: 0, ahead: Ahead::Nothing };
    let mut found = Found::NONE;
    search.next(window, &mut found).then_some(())?;
    let before = &text[..usize::try_from(found.start).ok()?];
    let bytes = &text.as_bytes()[window.index(found.start)..window.index(found.end)];
    let link = Match::of(bytes, found, Charset::UTF_8, rules.uri);
    let host = link.host()?;
    let last = host.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
    let in_capitals = link.kind() == Kind::Bare && last.bytes().all(|b| b.is_ascii_uppercase());
    let begins = !before.contains(char::is_alphanumeric) && !in_capitals;
    begins.then(|| link.host_key()).flatten().map(|host| host.into_owned().into())
}

/// Whether it is an anchor, or part of `://`.
fn is_anchor(b: &u8) -> bool {
    matches!(b, b':' | b'/' | b'@' | b'.')
}
