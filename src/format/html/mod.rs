//! HTML, as the tokenizer of the HTML standard (section 13.2.5) divides it.
//!
//! Bytes of a document go in, [`Token`]s come out. It knows elements and attributes and builds no
//! tree, so it does not matter to it what a parser does with tags in the wrong place. Malformed
//! markup is read as the standard says.
//!
//! [`Skipper`] goes first, over regular markup; where it gives up, [`Html::step`] reads on by the
//! states of the tokenizer and the grammar of [`Tag`], token by token.

mod comment;
pub(in crate::format) mod row;
mod script;

use alloc::boxed::Box;

use self::{
    comment::{Conditional, is_comment_with_text},
    script::{Holds, Script},
};
use super::{
    css::{Css, Step},
    markup::MarkupLexer,
};
use crate::{
    charset::{Charset, Shape, cursor::Cursor},
    engine::tuning::Tuning,
    format::{
        lexing::{
            lexer::{AHEAD, Chars, Lexer, Region, Token, Unescaped, Value, is_space, until},
            lookahead::{Here, Lookahead},
            mask::mask,
            triggers::Triggers,
        },
        markup::{
            attributes,
            elements::Elements,
            entities::{Where, referenced},
            names::ENDS_DATA,
            queue::Queue,
            skip::{Skipped, Skipper, is_markup},
            tag::{Inside, Meaning, Name, Part, Tag, ends_name},
            words::{Word, begins_link, is_within_words, within_word},
        },
    },
    links::place::{Around, Inside as LinkIn, Place},
    simd::types::Level,
};

/// Reads HTML.
#[derive(Clone, Debug)]
pub(crate) struct Html {
    state: State,
    /// A region is open that is not in a tag.
    open: bool,
    /// The current tag, or the last one.
    tag: Tag,
    /// The tag is a `<meta http-equiv=refresh>`.
    refresh: bool,
    raw: RawText,
    triggers: Triggers,
    level: Level,
    /// As [`Tuning::skip_tags`].
    skip_tags: bool,
    /// Tokens that come next.
    queue: Queue,
    naming: Naming,
    flow: Flow,
    /// The text of comments counts.
    comments: bool,
    /// In a conditional comment: its HTML.
    conditional: Option<Box<Conditional>>,
    /// Scripts that hold JSON count.
    scripts: bool,
}

/// Where the lexer is in an element whose text is no HTML.
#[derive(Clone, Debug)]
struct RawText {
    /// In a script: in a comment (1), in a script in that comment (2).
    escaped: u8,
    /// In a style sheet: the place in it.
    css: Css,
    /// If a character may have two bytes, of which the second one is ASCII: reads such characters.
    double: Option<Box<Cursor>>,
    /// What the script holds, as far as its type was read, and whether that is JSON.
    holds: Option<Here<Holds>>,
    /// In a script that holds JSON: the place in it.
    script: Option<Box<Script>>,
}

/// What is wanted of elements.
#[derive(Clone, Debug, Default)]
struct Naming {
    /// The names of the elements and attributes of links.
    named: bool,
    /// So many tags were read one by one.
    tags: u64,
    /// If the text of an element is wanted: what is open in it.
    elements: Option<Elements>,
}

/// Where the lexer is in a word of the open text that markup may divide.
#[derive(Clone, Copy, Debug)]
struct Flow {
    /// The text since its last white space.
    word: Word,
    /// So many elements began within that word and have not ended; `<wbr>` has no end.
    depth: u8,
    /// Markup is read that is within the word.
    within: bool,
    /// Such markup has just ended.
    joined: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Data,
    /// Text without tags: character references count.
    Rcdata,
    /// Text to the end of the document.
    Plaintext,
    /// No text, up to the end tag of the element.
    Opaque,
    Style,
    /// JSON, up to the end tag of the script.
    Json,
    Comment,
    /// Up to `>`.
    Bogus,
    Tag,
}

impl Html {
    pub(in crate::format) fn new(triggers: Triggers, tuning: &Tuning) -> Html {
        Html {
            triggers,
            level: Level::best(),
            skip_tags: tuning.skip_tags,
            queue: Queue::default(),
            naming: Naming::default(),
            flow: Flow { word: Word::Other, depth: 0, within: false, joined: false },
            state: State::Data,
            open: false,
            tag: Tag::new(false),
            refresh: false,
            raw: RawText { escaped: 0, css: Css::new(), double: None, holds: None, script: None },
            comments: false,
            conditional: None,
            scripts: false,
        }
    }

    /// Reads the text of comments too, if it is wanted.
    pub(super) fn comments(self, comments: bool) -> Html {
        Html { comments, ..self }
    }

    /// Reads scripts that hold JSON.
    pub(super) fn with_scripts(self) -> Html {
        Html { scripts: true, ..self }
    }

    /// Keeps the names of the elements and attributes of links, if they are wanted.
    pub(super) fn named(self, named: bool) -> Html {
        Html { naming: Naming { named, ..self.naming }, ..self }
    }

    /// Reads the text of an element; the first byte is after the value of an attribute in its tag.
    pub(super) fn of_element(element: Name, attribute: Name) -> Html {
        let tuning = Tuning { skip_tags: false, ..Tuning::DEFAULT };
        Html {
            state: State::Tag,
            tag: Tag::after(element, attribute),
            naming: Naming { elements: Some(Elements::new(false)), ..Naming::default() },
            ..Html::new(Triggers::Any, &tuning)
        }
    }

    /// What a link is in, in the region that begins here.
    pub(super) fn inside(&self, region: Region) -> LinkIn {
        match self.state {
            State::Tag => self.tag.place(region),
            State::Style => LinkIn::Style,
            State::Plaintext => LinkIn::Plain,
            State::Json => LinkIn::Name,
            State::Comment => {
                self.conditional.as_ref().map_or(LinkIn::Plain, |it| it.inside(region))
            }
            _ => LinkIn::Text,
        }
    }

    /// The syntax around the links.
    #[inline]
    pub(in crate::format) fn around(&self) -> Around {
        match self.state {
            State::Comment => Around::Comment,
            State::Json => self.raw.script.as_ref().map_or(Around::Key, |script| script.around()),
            _ => Around::Nothing,
        }
    }

    fn begin(&mut self, region: Region) -> Option<Token> {
        self.open = true;
        Some(Token::Begin(region))
    }

    fn end(&mut self, state: State) -> Option<Token> {
        self.open = false;
        self.state = state;
        Some(Token::End)
    }

    /// Skips `n` bytes of markup; `state` comes after them.
    fn skip(&mut self, n: usize, state: State) -> Option<Token> {
        self.state = state;
        Some(Token::Skip(n))
    }

    fn text(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let Some(&first) = bytes.first() else {
            return if self.open && bytes.is_last() { self.end(self.state) } else { None };
        };
        let ends = match (first, self.state) {
            (b'<', State::Data) => is_markup(bytes)?,
            (b'<', State::Rcdata) => self.is_end_tag(bytes)?,
            _ => false,
        };
        match ends {
            true if self.open && self.is_within_word(bytes)? => {
                let token = self.markup(bytes)?;
                self.flow.depth = match bytes.as_slice() {
                    [_, b'!', ..] | [_, b'w' | b'W', ..] => self.flow.depth,
                    [_, b'/', ..] => self.flow.depth.saturating_sub(1),
                    _ => self.flow.depth.saturating_add(1),
                };
                self.flow.within = true;
                return self.pass(token);
            }
            true if self.open => return self.end(self.state),
            true => return self.markup(bytes),
            false => {}
        }
        if !self.open {
            (self.flow.word, self.flow.depth, self.flow.joined) = (Word::Other, 0, false);
            return self.begin(Region::Prose);
        }
        if self.flow.joined && begins_link(bytes)? {
            return self.end(self.state);
        }
        self.flow.joined = false;
        if first == b'&' && self.state != State::Plaintext {
            let token = referenced(bytes, Where::Text)?;
            if let Token::Escape(n, _) | Token::Raw(n) = token {
                self.note(&bytes[..n]);
            }
            return Some(token);
        }
        let end = match self.state {
            State::Plaintext => None,
            _ => memchr::memchr2(b'<', b'&', &bytes[1..]),
        };
        let len = end.map_or(bytes.len(), |end| end + 1);
        self.note(&bytes[..len]);
        Some(Token::Raw(len))
    }

    /// Whether the markup that `bytes` begin with is within a word of the text. `None`: more bytes are
    /// needed. An element that began before the word ends a link with a path, but not in its host,
    /// because half of a host is another one.
    fn is_within_word(&self, bytes: Lookahead<'_>) -> Option<bool> {
        let may_be_link = match self.flow.word {
            Word::Link | Word::Path => true,
            Word::Letter | Word::Hyphen => self.triggers.has(b'.'),
            _ => false,
        };
        if self.state != State::Data || !may_be_link || !is_within_words(bytes)? {
            return Some(false);
        }
        if self.comments && bytes.starts_with(b"<!--") && is_comment_with_text(bytes)? {
            return Some(false);
        }
        let closing = bytes.get(1) == Some(&b'/');
        Some(!(closing && self.flow.depth == 0 && self.flow.word == Word::Path))
    }

    /// Notes whether the word at the end of the text may be a link.
    fn note(&mut self, text: &[u8]) {
        let start = match text.iter().rposition(|b| is_space(*b)) {
            Some(space) => {
                (self.flow.word, self.flow.depth) = (Word::Other, 0);
                space + 1
            }
            None => 0,
        };
        let tail = &text[start..];
        let begun = !matches!(self.flow.word, Word::Other | Word::Letter | Word::Hyphen);
        if !begun && self.triggers != Triggers::Any && !tail.iter().any(|b| self.triggers.has(*b)) {
            // Most words have nothing of a link, so only the last byte counts.
            self.flow.word = tail.last().map_or(self.flow.word, |b| Word::after(*b));
            return;
        }
        for b in tail {
            if self.flow.word == Word::Path {
                break;
            }
            self.flow.word = self.flow.word.push(*b, self.triggers);
        }
    }

    /// A token of markup within a word: its bytes mean nothing in the text. If it has a text of its own,
    /// that divides the word.
    fn pass(&mut self, token: Token) -> Option<Token> {
        if self.state == State::Data {
            (self.flow.within, self.flow.joined) = (false, true);
        }
        match token {
            Token::Skip(n) => Some(Token::Escape(n, Chars::bytes(b""))),
            token => {
                (self.flow.within, self.open) = (false, false);
                self.queue.push(token);
                Some(Token::End)
            }
        }
    }

    /// At a `<` that begins markup.
    fn markup(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let closing = bytes[1] == b'/';
        let name = 1 + usize::from(closing);
        if bytes.get(name).is_some_and(u8::is_ascii_alphabetic) {
            self.tag = Tag::new(closing);
            self.naming.tags += 1;
            self.refresh = false;
            self.raw.holds = None;
            return self.skip(name, State::Tag);
        }
        if bytes.starts_with(b"<!--") {
            return match &bytes[4..] {
                [b'>', ..] => self.skip(5, State::Data),
                [b'-', b'>', ..] => self.skip(6, State::Data),
                [] | [b'-'] if bytes.is_partial() => None,
                _ => self.skip(4, State::Comment),
            };
        }
        if b"<!--".starts_with(&bytes) && bytes.is_partial() {
            return None;
        }
        // `</>` is a comment that is broken, as all the rest is.
        self.skip(2, State::Bogus)
    }

    /// Whether `bytes` begin with the end tag of the element. `None`: more bytes are needed.
    fn is_end_tag(&self, bytes: Lookahead<'_>) -> Option<bool> {
        if !self.tag.is_ended(bytes)? {
            return Some(false);
        }
        match bytes.get(2 + self.tag.element.get().len()) {
            None => bytes.is_last().then_some(false),
            Some(b) => Some(ends_name(*b)),
        }
    }

    /// Skips to the end tag of the element.
    fn opaque(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match self.raw_text(bytes)? {
            Here::Is(n) => Some(Token::Skip(n)),
            Here::Nothing => self.markup(bytes),
        }
    }

    /// Returns how many bytes at the start of `bytes` are in the element, or `Here::Nothing` if its end tag begins there.
    /// `None`: more bytes are needed. In a comment in a script, the end tag of a script that began there does not
    /// count ("script data double escaped state").
    fn raw_text(&mut self, bytes: Lookahead<'_>) -> Option<Here<usize>> {
        let script = self.tag.element.get() == b"script";
        let dashes = script && self.raw.escaped > 0;
        let next =
            if dashes { memchr::memchr2(b'<', b'-', &bytes) } else { memchr::memchr(b'<', &bytes) };
        match next {
            None if bytes.is_empty() => return None,
            None => return Some(Here::Is(bytes.len())),
            Some(0) => {}
            Some(at) => return Some(Here::Is(at)),
        }
        if dashes && bytes.begins(b"-->")? {
            self.raw.escaped = 0;
            return Some(Here::Is(3));
        }
        if script && self.raw.escaped == 0 && bytes.begins(b"<!--")? {
            // The dashes may belong to `-->` too.
            self.raw.escaped = 1;
            return Some(Here::Is(2));
        }
        if script && self.raw.escaped == 1 && bytes.begins(b"<script")? {
            match bytes.get(7) {
                None if bytes.is_partial() => return None,
                Some(b) if ends_name(*b) => self.raw.escaped = 2,
                _ => {}
            }
            return Some(Here::Is(1));
        }
        match self.is_end_tag(bytes)? {
            true if self.raw.escaped == 2 => {
                self.raw.escaped = 1;
                Some(Here::Is(1))
            }
            true => Some(Here::Nothing),
            false => Some(Here::Is(1)),
        }
    }

    /// A style sheet, up to the end tag of the element.
    fn style(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match bytes.first() {
            None if self.open && bytes.is_last() => {
                self.open = false;
                return Some(Token::Cut);
            }
            None => return None,
            Some(b'<') if self.is_end_tag(bytes)? => {
                return if self.open { self.end(State::Style) } else { self.markup(bytes) };
            }
            _ => {}
        }
        let step = match self.raw.double.as_deref() {
            None => self.raw.css.next(bytes),
            Some(cursor) => {
                // Enough for an escape, and short, because all of it is read again for the next token.
                let mut masked = [0; AHEAD];
                match mask(cursor, bytes, &mut masked) {
                    masked if masked.is_empty() => None,
                    masked => self.raw.css.next(masked),
                }
            }
        };
        match step? {
            Step::Skip(n) => Some(Token::Skip(n)),
            Step::Begin(_) => self.begin(Region::Reference(Value::Url)),
            Step::Raw(n) => Some(Token::Raw(n)),
            Step::Escape(n, chars) => Some(Token::Escape(n, chars)),
            Step::End => self.end(State::Style),
            Step::Cancel => {
                self.open = false;
                Some(Token::Cancel)
            }
        }
    }

    fn comment(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        // Within a word, the text of the word is open.
        if self.comments && !self.flow.within {
            return self.comment_text(bytes);
        }
        match bytes.begins(b"--!>")? {
            true => self.skip(4, State::Data),
            false => until(&mut self.state, bytes, b"-->", State::Data),
        }
    }

    /// Sets the state after a tag.
    fn tag_end(&mut self) {
        self.state = match self.tag.element.get() {
            name if self.tag.closing || !ENDS_DATA.may_hold(name) => State::Data,
            b"script" | b"iframe" | b"noembed" | b"noframes" | b"textarea" | b"xmp" => {
                self.raw.escaped = 0;
                match self.tag.element.get() == b"script" && self.script_begins() {
                    true => State::Json,
                    false => State::Opaque,
                }
            }
            b"style" => {
                self.raw.css = Css::new();
                State::Style
            }
            b"title" => State::Rcdata,
            b"plaintext" => State::Plaintext,
            _ => State::Data,
        };
    }
}

impl Html {
    /// Skips regular markup, as far as it can. `unsaid` bytes before `bytes` have no token yet.
    /// Returns where to go on, and how many bytes up to there have no token.
    fn skip_regular(&mut self, bytes: &[u8], unsaid: usize) -> (usize, usize) {
        let from = match (self.state, self.tag.part) {
            _ if !self.skip_tags => return (0, unsaid),
            // Its text may be before its reference.
            (State::Tag, _) if self.naming.named && self.tag.element.get() == b"area" => {
                return (0, unsaid);
            }
            // Its type counts.
            (State::Tag, _) if self.scripts && self.tag.element.get() == b"script" => {
                return (0, unsaid);
            }
            (State::Data, _) => 0,
            (State::Tag, Part::BeforeAttribute) if !self.tag.closing => 0,
            (State::Tag, Part::Value { quote, inside: Inside::Opaque })
                if bytes.first() == Some(&quote) && !self.tag.closing =>
            {
                1
            }
            _ => return (0, unsaid),
        };
        let skipper = Skipper {
            tag: &mut self.tag,
            refresh: &mut self.refresh,
            triggers: self.triggers,
            queue: &mut self.queue,
            in_tag: self.state == State::Tag,
            names: self.naming.named,
        };
        let Skipped { at, unsaid, in_tag } = skipper.skip(self.level, bytes, from, unsaid);
        self.state = if in_tag { State::Tag } else { State::Data };
        (at, unsaid)
    }

    #[inline]
    fn step(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match self.flow.within {
            true => self.step_within_word(bytes),
            false => self.step_of_state(bytes),
        }
    }

    /// The same in markup within a word.
    fn step_within_word(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if bytes.is_empty() && bytes.is_last() {
            self.flow.within = false;
            return self.end(self.state);
        }
        match self.step_of_state(bytes)? {
            Token::Skip(0) => self.step(bytes),
            token => self.pass(token),
        }
    }

    /// The next token in a tag that is within a word.
    #[cold]
    #[inline(never)]
    fn tag_within_word(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let (refresh, triggers) = (&mut self.refresh, self.triggers);
        self.tag.next(bytes, Where::Attribute, |tag| {
            match attributes::meaning(tag, refresh, bytes) {
                Meaning::Text(region) => within_word(triggers, region, tag, bytes),
                meaning => meaning,
            }
        })
    }

    fn step_of_state(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match self.state {
            State::Data | State::Rcdata | State::Plaintext => self.text(bytes),
            State::Opaque => self.opaque(bytes),
            State::Style => self.style(bytes),
            State::Json => self.json(bytes),
            State::Comment => self.comment(bytes),
            State::Bogus => until(&mut self.state, bytes, b">", State::Data),
            State::Tag => {
                let (refresh, holds) = (&mut self.refresh, &mut self.raw.holds);
                let meaning = |tag: &Tag| match Html::note_type(tag, holds, bytes) {
                    Some(()) => attributes::meaning(tag, refresh, bytes),
                    None => Meaning::More,
                };
                let token = match self.flow.within {
                    true => self.tag_within_word(bytes),
                    false => self.tag.next(bytes, Where::Attribute, meaning),
                };
                if self.tag.part == Part::Over {
                    if let Some(elements) = &mut self.naming.elements {
                        elements.tag(&self.tag);
                    }
                    self.tag_end();
                }
                token
            }
        }
    }
}

impl Html {
    /// Fills the queue and returns its first token; no region is open.
    #[inline(never)]
    fn refill(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let (mut done, mut skipped) = (0, 0);
        loop {
            let regular;
            (regular, skipped) = self.skip_regular(&bytes[done..], skipped);
            done += regular;
            if self.state == State::Comment && !self.queue.is_empty() {
                // What comes before a comment is not in it.
                self.queue.push(Token::Skip(skipped));
                return self.queue.pop();
            }
            match self.step(bytes.from(done)) {
                Some(Token::Skip(n)) => {
                    done += n;
                    skipped += n;
                }
                token => {
                    self.queue.push(Token::Skip(skipped));
                    if let Some(token) = token {
                        self.queue.push(token);
                    }
                    return self.queue.pop();
                }
            }
        }
    }
}

impl Lexer for Html {
    #[inline]
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match self.queue.pop() {
            None if self.open || self.tag.is_open() => self.step(bytes),
            None => self.refill(bytes),
            token => token,
        }
    }

    fn unescape_run(&mut self, bytes: Lookahead<'_>, unescaped: &mut Unescaped<'_>) -> usize {
        match self.state {
            State::Data | State::Rcdata if self.open && !self.flow.joined => {
                let n = unescaped
                    .take(&bytes, b'&', b"<", &|rest| referenced(bytes.with(rest), Where::Text));
                self.note(&bytes[..n]);
                n
            }
            State::Tag => self.tag.unescape_run(bytes, Where::Attribute, unescaped),
            State::Json if self.raw.double.is_none() => match &mut self.raw.script {
                Some(script) if self.open => script.unescape_run(&bytes, unescaped),
                _ => 0,
            },
            State::Comment => match &mut self.conditional {
                Some(it) if self.open => it.unescape_run(&bytes, unescaped),
                _ => 0,
            },
            _ => 0,
        }
    }

    fn read_in(&mut self, charset: Charset) {
        let double = charset.shape() == Shape::Multi;
        self.raw.double = double.then(|| Box::new(Cursor::new(charset)));
        if let Some(it) = &mut self.conditional {
            it.read_in(charset);
        }
    }

    fn is_between(&self) -> bool {
        self.state == State::Data
    }

    fn place(&self, region: Region) -> Place {
        Place::new(self.inside(region), self.around())
    }

    fn is_sync(&self) -> bool {
        true
    }
}

impl MarkupLexer for Html {
    fn is_in_html(&self) -> bool {
        true
    }

    fn is_element_over(&self) -> bool {
        self.naming.elements.as_ref().is_some_and(Elements::are_over)
    }

    fn names_of_whole(&self) -> Option<(Name, Option<Name>)> {
        if let Some(it) = &self.conditional {
            return it.html().names_of_whole();
        }
        self.queue.names().map(|(element, attribute)| (*element, Some(*attribute)))
    }

    fn tag_number(&self) -> u64 {
        self.naming.tags + self.conditional.as_ref().map_or(0, |it| it.html().tag_number())
    }

    fn is_shown(&self, _: Region) -> bool {
        match self.state {
            State::Tag => self.tag.is_shown(),
            state => !matches!(state, State::Style | State::Json | State::Comment),
        }
    }

    fn names(&self, _: Region) -> Option<(Name, Option<Name>)> {
        // In a conditional comment, those of its HTML.
        let html = self.conditional.as_ref().map_or(self, |it| it.html());
        match html.state {
            State::Tag => Some((html.tag.element, Some(html.tag.attribute))),
            State::Style | State::Json => Some((html.tag.element, None)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
