//! XML 1.0, also where it is not well-formed, as many feeds are.
//!
//! Bytes of a document go in, tokens come out. It knows tags and attributes and builds no tree;
//! document types are skipped. Tags are read by the grammar of [`tag`](crate::format::markup::tag). HTML in the
//! text is read by [`Nested`].

mod attributes;
mod escaped_html;
mod nested;
mod relationships;
pub(in crate::format) mod row;
pub(crate) mod runs;

use alloc::boxed::Box;

use self::{
    attributes::{STYLESHEET, idle, is_base, local, meaning, region_of},
    escaped_html::is_html,
    nested::Nested,
    runs::Run,
};
use super::markup::MarkupLexer;
use crate::{
    engine::tuning::Tuning,
    format::{
        document::bases::{self, Scope},
        lexing::{
            lexer::{Chars, Lexer, Region, Token, Unescaped, Value, is_space, until},
            lookahead::{Here, Lookahead},
            triggers::Triggers,
            value::is_absolute,
        },
        markup::{
            elements::Elements,
            entities::{Where, referenced},
            tag::{Meaning, Name, Part, Tag},
            words::{begins_link, within_word},
        },
    },
    links::place::{Around, Inside as LinkIn, Place},
};

/// The start of a CDATA section, in capitals.
const CDATA: &[u8] = b"<![CDATA[";

/// Reads XML.
#[derive(Clone, Debug)]
pub(crate) struct Xml {
    state: State,
    /// A region is open that is not in a tag.
    open: bool,
    /// Reads the rest of the text as HTML.
    nested: Option<Box<Nested>>,
    triggers: Triggers,
    tuning: Tuning,
    /// The token that comes next.
    then: Option<Token>,
    /// The current tag, or the last one.
    tag: Tag,
    /// As in [`Html`](super::html::Html).
    named: bool,
    tags: u64,
    elements: Option<Elements>,
    word: OpenWord,
    /// The open elements that have a base.
    bases: bases::Elements,
    /// The text of comments counts.
    comments: bool,
}

/// Where the lexer is in a word of the open text that tags may divide.
#[derive(Clone, Copy, Debug, Default)]
struct OpenWord {
    /// The run that the text is in.
    run: Run,
    /// A tag is read that is within the word.
    within: bool,
    /// Such a tag has just ended.
    joined: bool,
    /// The properties of a run are open.
    in_properties: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Text,
    Cdata,
    /// Up to the end tag of a script.
    Script,
    Comment,
    /// A comment in a document type.
    Remark {
        depth: u8,
    },
    Instruction,
    /// A declaration: how many `[` are open, and which quotation mark.
    Declaration {
        depth: u8,
        quote: u8,
    },
    Tag,
}

impl Xml {
    pub(super) fn new(triggers: Triggers, tuning: &Tuning) -> Xml {
        let tag = Tag::new(false);
        Xml {
            state: State::Text,
            open: false,
            nested: None,
            triggers,
            tuning: *tuning,
            then: None,
            tag,
            named: false,
            tags: 0,
            elements: None,
            word: OpenWord::default(),
            bases: bases::Elements::default(),
            comments: false,
        }
    }

    /// Reads the text of comments too, if it is wanted.
    pub(super) fn comments(self, comments: bool) -> Xml {
        Xml { comments, ..self }
    }

    /// Keeps the names of the elements and attributes of links, if they are wanted.
    pub(super) fn named(self, named: bool) -> Xml {
        Xml { named, ..self }
    }

    /// Reads the text of an element; the first byte is after the value of an attribute in its tag.
    pub(super) fn of_element(&self, element: Name, attribute: Name) -> Xml {
        let xml = Xml::new(Triggers::Any, &self.tuning);
        match &self.nested {
            Some(nested) => Xml {
                state: self.state,
                nested: Some(Box::new(nested.of_element(element, attribute))),
                ..xml
            },
            None => Xml {
                state: State::Tag,
                tag: Tag::after(element, attribute),
                elements: Some(Elements::new(true)),
                ..xml
            },
        }
    }

    /// What reads the HTML in the text.
    pub(super) fn nested(&self) -> Option<&Nested> {
        self.nested.as_deref()
    }

    /// Returns the syntax around the text of the current element.
    pub(super) fn around(&self) -> Around {
        self.nested.as_ref().map_or(Around::Nothing, |nested| nested.around())
    }

    /// How many open elements have a base, and which base the value is that begins here, if it is one of an
    /// element.
    #[inline]
    pub(super) fn bases(&self) -> (usize, Option<Scope>) {
        let within = self.bases.len();
        let in_tag = self.nested.is_none() && self.state == State::Tag;
        let sets = in_tag && self.bases.begins_base() && is_base(&self.tag);
        (within, sets.then_some(Scope::Element(within)))
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

    fn skip(&mut self, n: usize, state: State) -> Option<Token> {
        self.state = state;
        Some(Token::Skip(n))
    }

    /// Begins a text: a style sheet, a reference, or prose.
    fn prose(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let element = if self.tag.closing { b"" } else { local(self.tag.element.get()) };
        self.begin(match element {
            b"style" => Region::Reference(Value::Css),
            b"link" | b"guid" | b"loc" | b"url" | b"uri" | b"id" | b"icon" | b"logo" | b"docs"
            | b"comments" | b"href"
                if is_absolute(bytes)? =>
            {
                Region::Reference(Value::One)
            }
            _ => Region::Prose,
        })
    }

    fn text(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let Some(&first) = bytes.first() else {
            return if self.open && bytes.is_last() { self.end(self.state) } else { None };
        };
        let cdata = self.state == State::Cdata;
        if cdata {
            match bytes.begins(b"]]>")? {
                true if self.open => return self.end(State::Cdata),
                true => return self.skip(3, State::Text),
                false => {}
            }
        } else if first == b'<' {
            match is_markup(&bytes) {
                None if bytes.is_partial() => return None,
                Some(true) if self.open && self.is_within_word(bytes)? => {
                    let token = self.markup(bytes)?;
                    self.word.within = true;
                    return self.pass(token);
                }
                Some(true) if self.open => return self.end(State::Text),
                Some(true) => return self.markup(bytes),
                _ => {}
            }
        }
        if is_html(cdata, bytes)? {
            if self.open {
                return self.end(self.state);
            }
            let nested = Nested::new(cdata, self.triggers, &self.tuning).named(self.named);
            self.nested = Some(Box::new(nested));
            return Some(Token::Skip(0));
        }
        if !self.open {
            self.begin_run(cdata);
            // A word may begin in a text without a trigger, and go on in another run.
            let read = cdata || self.word.run != Run::No;
            let idle = if read { None } else { idle(self.triggers, &bytes, b'<') };
            return match idle.filter(|len| is_markup(&bytes[*len..]) == Some(true)) {
                Some(len) => Some(Token::Skip(len)),
                None => self.prose(bytes),
            };
        }
        if self.word.joined {
            if let Here::Is(token) = self.after_tags(bytes)? {
                return Some(token);
            }
            self.word.joined = false;
        }
        if first == b'&' && !cdata {
            return referenced(bytes, Where::Xml);
        }
        let end = match cdata {
            true => memchr::memchr2(b']', b'<', &bytes[1..]),
            false => memchr::memchr2(b'<', b'&', &bytes[1..]),
        };
        Some(Token::Raw(end.map_or(bytes.len(), |end| end + 1)))
    }

    /// Notes the run of a text that begins here.
    #[inline]
    fn begin_run(&mut self, cdata: bool) {
        self.word.run = if cdata { Run::No } else { Run::after(&self.tag) };
        (self.word.joined, self.word.in_properties) = (false, false);
    }

    /// Whether the tag that `bytes` begin with is within a word of the open text. `None`: more bytes are
    /// needed.
    #[inline]
    fn is_within_word(&self, bytes: Lookahead<'_>) -> Option<bool> {
        match self.word.run {
            Run::No => Some(false),
            _ => runs::is_within_word(bytes, self.word.in_properties),
        }
    }

    /// After tags within a word: the token of white space that is no text, or the end of the text if this
    /// is not a part of the word. `None`: more bytes are needed; `Here::Nothing`: the word goes on.
    fn after_tags(&mut self, bytes: Lookahead<'_>) -> Option<Here<Token>> {
        if self.word.run == Run::Office && Run::after(&self.tag) == Run::No {
            // Between runs.
            return Some(match bytes.iter().take_while(|b| is_space(**b)).count() {
                0 => self.end(State::Text).into(),
                n => Here::Is(Token::Escape(n, Chars::bytes(b""))),
            });
        }
        Some(if begins_link(bytes)? { self.end(State::Text).into() } else { Here::Nothing })
    }

    /// The next token in a tag within a word.
    #[cold]
    #[inline(never)]
    fn tag_within_word(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if bytes.is_empty() && bytes.is_last() {
            self.word.within = false;
            return self.end(State::Text);
        }
        let triggers = self.triggers;
        let token = self.tag.next(bytes, Where::Xml, |tag| match region_of(tag) {
            None => Meaning::NoText,
            Some(region) => within_word(triggers, region, tag, bytes),
        })?;
        self.note_base(&token);
        if self.tag.part == Part::Over {
            self.tag_over();
            if runs::is_properties(&self.tag.element) {
                self.word.in_properties = !self.tag.closing;
            }
            (self.word.within, self.word.joined) = (false, true);
        }
        match token {
            Token::Skip(0) => self.tag_within_word(bytes),
            token => self.pass(token),
        }
    }

    /// A token of a tag within a word: its bytes mean nothing in the text. If it has a text of its own,
    /// that divides the word.
    fn pass(&mut self, token: Token) -> Option<Token> {
        match token {
            Token::Skip(n) => Some(Token::Escape(n, Chars::bytes(b""))),
            token => {
                (self.word.within, self.open) = (false, false);
                self.then = Some(token);
                Some(Token::End)
            }
        }
    }

    /// At a `<` that begins markup.
    fn markup(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match bytes[1] {
            b'?' if bytes.from(2).begins(STYLESHEET)?
                && bytes.get(2 + STYLESHEET.len()).is_none_or(|b| is_space(*b)) =>
            {
                if bytes.len() == 2 + STYLESHEET.len() && bytes.is_partial() {
                    return None;
                }
                // Its attributes are read as those of an end tag, which has no text after it.
                self.tag = Tag { cased: self.named, ..Tag::new(false) };
                self.tags += 1;
                self.skip(2, State::Tag)
            }
            b'?' => self.skip(2, State::Instruction),
            b'!' if bytes.begins(b"<!--")? => self.skip(4, State::Comment),
            b'!' if bytes.begins(CDATA)? && bytes.starts_with(CDATA) => {
                self.skip(CDATA.len(), State::Cdata)
            }
            b'!' => self.skip(2, State::Declaration { depth: 0, quote: 0 }),
            b => {
                self.tag = Tag { cased: self.named, ..Tag::new(b == b'/') };
                self.tags += 1;
                self.skip(1 + usize::from(self.tag.closing), State::Tag)
            }
        }
    }

    /// The text of a comment, and its end.
    fn comment_text(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if bytes.is_empty() {
            return if self.open && bytes.is_last() { self.end(State::Comment) } else { None };
        }
        match bytes.begins(b"-->")? {
            true if self.open => return self.end(State::Comment),
            true => return self.skip(3, State::Text),
            false => {}
        }
        if !self.open {
            return self.begin(Region::Prose);
        }
        let next = memchr::memchr(b'-', &bytes[1..]);
        Some(Token::Raw(next.map_or(bytes.len(), |at| at + 1)))
    }

    fn declaration(&mut self, bytes: Lookahead<'_>, depth: u8, quote: u8) -> Option<Token> {
        let of = |depth, quote| State::Declaration { depth, quote };
        if quote != 0 {
            return until(&mut self.state, bytes, &[quote], of(depth, 0));
        }
        match *bytes.first()? {
            b'<' if bytes.begins(b"<!--")? => self.skip(4, State::Remark { depth }),
            b'[' => self.skip(1, of(depth.saturating_add(1), 0)),
            b']' => self.skip(1, of(depth.saturating_sub(1), 0)),
            b'>' if depth == 0 => self.skip(1, State::Text),
            quote @ (b'"' | b'\'') => self.skip(1, of(depth, quote)),
            _ => {
                let ends = |b: &u8| matches!(b, b'<' | b'[' | b']' | b'>' | b'"' | b'\'');
                let len = bytes[1..].iter().position(ends).map_or(bytes.len(), |at| at + 1);
                Some(Token::Skip(len))
            }
        }
    }

    /// Notes that the value which `token` begins is the base of its element, if it is.
    #[inline]
    fn note_base(&mut self, token: &Token) {
        if matches!(token, Token::Begin(_)) && is_base(&self.tag) {
            self.bases.begin_base();
        }
    }

    /// Sets the state after a tag.
    #[inline]
    fn tag_over(&mut self) {
        if let Some(elements) = &mut self.elements {
            elements.tag(&self.tag);
        }
        let element = self.tag.element.get() != STYLESHEET;
        let opens = element && !self.tag.closing && !self.tag.slash;
        self.bases.end_tag(opens, element && self.tag.closing);
        // An empty element has no text, and neither has an instruction.
        self.tag.closing |= self.tag.slash || !element;
        let script = !self.tag.closing && local(self.tag.element.get()) == b"script";
        self.state = if script { State::Script } else { State::Text };
    }

    /// A script, up to its end tag.
    fn script(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        match memchr::memchr(b'<', &bytes) {
            None if bytes.is_empty() => None,
            None => Some(Token::Skip(bytes.len())),
            Some(0) if self.tag.is_ended(bytes)? => self.markup(bytes),
            Some(at) => Some(Token::Skip(at.max(1))),
        }
    }
}

/// Whether `bytes`, which begin with a `<`, begin with markup. `None`: more bytes are needed.
fn is_markup(bytes: &[u8]) -> Option<bool> {
    let b = bytes.get(1)?;
    Some(b"!?/_:".contains(b) || b.is_ascii_alphabetic() || !b.is_ascii())
}

impl Xml {
    fn step(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        if let Some(nested) = &mut self.nested {
            let token = nested.next(bytes);
            if nested.is_done() && token.is_none() {
                self.nested = None;
            } else {
                return token;
            }
        }
        match self.state {
            State::Text | State::Cdata => self.text(bytes),
            State::Script => self.script(bytes),
            State::Comment if self.comments => self.comment_text(bytes),
            State::Comment => until(&mut self.state, bytes, b"-->", State::Text),
            State::Remark { depth } => {
                until(&mut self.state, bytes, b"-->", State::Declaration { depth, quote: 0 })
            }
            State::Instruction => until(&mut self.state, bytes, b"?>", State::Text),
            State::Declaration { depth, quote } => self.declaration(bytes, depth, quote),
            State::Tag if self.word.within => self.tag_within_word(bytes),
            State::Tag => {
                relationships::note(&mut self.tag, bytes)?;
                let meaning = |tag: &Tag| meaning(tag, self.triggers, &bytes);
                let token = self.tag.next(bytes, Where::Xml, meaning);
                let token = token.map(|token| relationships::end(&self.tag, token));
                if let Some(token) = &token {
                    self.note_base(token);
                }
                if self.tag.part == Part::Over {
                    self.tag_over();
                }
                token
            }
        }
    }
}

impl Lexer for Xml {
    fn next(&mut self, bytes: Lookahead<'_>) -> Option<Token> {
        let mut skipped = 0;
        let token = match self.then.take() {
            None => loop {
                match self.step(bytes.from(skipped)) {
                    Some(Token::Skip(n)) => skipped += n,
                    token => break token,
                }
            },
            token => token,
        };
        if skipped == 0 {
            return token;
        }
        self.then = token;
        Some(Token::Skip(skipped))
    }

    fn unescape_run(&mut self, bytes: Lookahead<'_>, unescaped: &mut Unescaped<'_>) -> usize {
        match self.state {
            State::Text if self.open && !self.word.joined => {
                unescaped.take(&bytes, b'&', b"<", &|rest| match rest {
                    // A tag of HTML may begin here.
                    [_, b'l', ..] => None,
                    _ => referenced(bytes.with(rest), Where::Xml),
                })
            }
            State::Tag => self.tag.unescape_run(bytes, Where::Xml, unescaped),
            _ => 0,
        }
    }

    fn is_between(&self) -> bool {
        self.state == State::Text && self.nested.is_none()
    }

    fn place(&self, region: Region) -> Place {
        if let Some(nested) = &self.nested {
            return nested.place(region);
        }
        if self.state == State::Comment {
            return Place::new(LinkIn::Plain, Around::Remark);
        }
        let cdata = self.state == State::Cdata;
        let inside = match region {
            _ if self.state == State::Tag => self.tag.place(region),
            // The text of `<style>`.
            Region::Reference(Value::Css) if cdata => LinkIn::Style,
            Region::Reference(Value::Css) => LinkIn::StyleAttribute { quoted: true },
            _ if cdata => LinkIn::Plain,
            _ => LinkIn::Text,
        };
        Place::new(inside, if cdata { Around::Cdata } else { Around::Nothing })
    }

    fn is_sync(&self) -> bool {
        true
    }
}

impl MarkupLexer for Xml {
    fn is_element_over(&self) -> bool {
        match (&self.elements, &self.nested) {
            (Some(elements), _) => elements.are_over(),
            (None, Some(nested)) => nested.html().is_element_over(),
            // The text ended before the element.
            (None, None) => true,
        }
    }

    fn is_shown(&self, region: Region) -> bool {
        match &self.nested {
            Some(nested) => nested.html().is_shown(region),
            None if self.state == State::Tag => self.tag.is_shown(),
            None => self.state != State::Comment && region != Region::Reference(Value::Css),
        }
    }

    fn names(&self, region: Region) -> Option<(Name, Option<Name>)> {
        match (&self.nested, region) {
            (Some(nested), _) => nested.names(region),
            _ if self.state == State::Tag => Some((self.tag.element, Some(self.tag.attribute))),
            (None, Region::Reference(_)) => Some((self.tag.element, None)),
            _ => None,
        }
    }

    fn names_of_whole(&self) -> Option<(Name, Option<Name>)> {
        self.nested.as_ref()?.html().names_of_whole()
    }

    fn tag_number(&self) -> u64 {
        match &self.nested {
            // Even and odd numbers, so that no two are the same.
            Some(nested) => nested.html().tag_number() << 1,
            None => self.tags << 1 | 1,
        }
    }

    fn is_in_html(&self) -> bool {
        self.nested.is_some()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::tests::{all_cuts, hostile, may_hold};

    proptest! {
        /// Cuts change nothing, the tokens are the document, and nothing is looked at
        /// from afar.
        #[test]
        fn any_bytes(document in hostile(&[
            "<", "<a ", "</a>", "/>", ">", "href=", "'", "\"", "&", "&amp;", "&#58;", ";", "http://a",
            "<!--", "-->", "<!DOCTYPE ", "[", "]", "<?", "?>", "<script>", "</script", "<style>",
            "url(", ")", "<![CDATA[", "]]>", "<link>", " ", "/", "é", "xmlns=", "=", "&lt;", "&lt;p",
            "&gt;", "&lt;a href=", "&quot;", "&amp;eacute;", "<p>", "<w:t>", "</w:t>", "<w:r>", "</w:r>",
            "<w:rPr>", "</w:rPr>", "<w:b/>", "<w:p>", "<text:span>", "</text:span>", "<text:p>",
            "<w:b w:a='", "<w:t ", "x.a", "ab", "\n",
        ])) {
            for (triggers, comments) in [
                (Triggers::Any, true), (Triggers::Colon, false), (Triggers::ColonAtDot, true),
            ] {
                let read = |tuning: &Tuning| {
                    let xml = Xml::new(triggers, tuning).comments(comments);
                    all_cuts(&xml, &document, |text| may_hold(triggers, text))
                };
                let walked = Tuning { skip_tags: false, ..Tuning::SMALL };
                prop_assert_eq!(read(&Tuning::SMALL), read(&walked));
            }
        }
    }
}
