//! HTML, as the tokenizer of the HTML standard (section 13.2.5) divides it.
//!
//! Knows elements and attributes; builds no tree, so that what a parser does with
//! tags that do not belong does not matter. Malformed markup is what the standard
//! makes of it.

use alloc::vec::Vec;
use core::ops::Range;

use super::{
    entities::{Reference, Where, reference, referenced},
    lexer::{Lexer, Region, Token, Value, begins, until},
    marks::Marks,
    tag::{Inside, Name, Part, Tag, ends_name},
    value::{is_space, may_hold_url},
};
use crate::prefilter::{Anchors, classes::Set, is_plausible, vector::Level};

/// Reads HTML.
#[derive(Clone, Debug)]
pub(crate) struct Html {
    state: State,
    /// A region is open, not of an attribute.
    open: bool,
    /// The one at hand, or the last.
    tag: Tag,
    /// The tag is a `<meta http-equiv=refresh>`.
    refresh: bool,
    /// In a script: in a comment (1), in a script in that one (2).
    escaped: u8,
    told: Told,
    level: Level,
    /// Said next.
    queue: Queue,
}

/// The bytes without which text cannot hold a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Told {
    /// Every text may.
    #[default]
    Any,
    Colon,
    ColonAt,
    ColonAtDot,
}

/// The elements behind whose tag there is no data.
static ENDS_DATA: Lengths = Lengths::of(&[
    b"script",
    b"iframe",
    b"noembed",
    b"noframes",
    b"textarea",
    b"xmp",
    b"style",
    b"title",
    b"plaintext",
]);

/// The attributes whose value is more than prose, of some elements at least.
static SPECIAL: Lengths = Lengths::of(&[
    b"href",
    b"src",
    b"xlink:href",
    b"poster",
    b"formaction",
    b"cite",
    b"background",
    b"longdesc",
    b"lowsrc",
    b"dynsrc",
    b"codebase",
    b"action",
    b"data",
    b"manifest",
    b"profile",
    b"ping",
    b"srcset",
    b"imagesrcset",
    b"style",
    b"http-equiv",
    b"content",
]);

/// How long names are that begin with a letter, in either case: of each letter, by its last
/// five bits, a bit for each length.
struct Lengths([u32; 32]);

impl Lengths {
    const fn of(names: &[&[u8]]) -> Lengths {
        let (mut lengths, mut i) = ([0; 32], 0);
        while i < names.len() {
            assert!(names[i].len() < 32, "a bit for each length");
            lengths[(names[i][0] & 31) as usize] |= 1 << names[i].len();
            i += 1;
        }
        Lengths(lengths)
    }

    /// Whether `name` may be one of them, by its length and its first letter.
    #[inline(always)]
    fn may_hold(&self, name: &[u8]) -> bool {
        let of = |first: &u8| self.0[usize::from(first & 31)];
        name.first().is_some_and(|first| name.len() < 32 && of(first) >> name.len() & 1 == 1)
    }
}

/// Tokens that are known before they are asked for.
#[derive(Clone, Debug, Default)]
struct Queue {
    tokens: Vec<Token>,
    next: usize,
}

impl Queue {
    /// How many are known at once, about.
    const ROOM: usize = 64;

    #[inline]
    fn pop(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.next).copied();
        match token {
            Some(_) => self.next += 1,
            None => {
                self.tokens.clear();
                self.next = 0;
            }
        }
        token
    }

    #[inline]
    fn push(&mut self, token: Token) {
        if token != Token::Skip(0) {
            self.tokens.push(token);
        }
    }

    fn is_full(&self) -> bool {
        self.tokens.len() >= Queue::ROOM
    }
}

/// Which of [`Told::stops`] is which: where text without a link ends, the name of a tag
/// or an attribute, the value of one.
const TEXT: usize = 0;
const NAME: usize = 1;
const DOUBLE: usize = 2;
const SINGLE: usize = 3;

/// Where what is passed over at once ends, one way or the other.
type Stops = [Set; 4];

const fn stops(text: &[u8], double: &[u8], single: &[u8]) -> Stops {
    [Set::chars(text), Set::chars(b" \t\n\r\x0C/>="), Set::chars(double), Set::chars(single)]
}

static COLON: Stops = stops(b"<&:", b"\"&:", b"'&:");
static COLON_AT: Stops = stops(b"<&:@", b"\"&:@", b"'&:@");
static COLON_AT_DOT: Stops = stops(b"<&:@.", b"\"&:@.", b"'&:@.");

impl Told {
    pub(super) fn by(anchors: Anchors) -> Told {
        match anchors {
            Anchors { ideographic: true, .. } => Told::Any,
            Anchors { dot: true, .. } => Told::ColonAtDot,
            Anchors { at: true, .. } => Told::ColonAt,
            _ => Told::Colon,
        }
    }

    /// Where text from `from` on ends that holds no link: at a byte of the set that is
    /// no reference; at any other than its end, it may hold one. The end of the bytes, if
    /// they do not tell.
    #[inline(always)]
    fn end(self, marks: &mut Marks<'_, 4>, set: usize, from: usize) -> usize {
        let at = marks.next(set, from);
        let over = if set == TEXT { b'<' } else { b'"' };
        match marks.bytes().get(at) {
            Some(b) if *b == over => at,
            _ => self.end_behind(marks, set, at),
        }
    }

    /// The same, at a reference or a colon.
    #[inline(never)]
    fn end_behind(self, marks: &mut Marks<'_, 4>, set: usize, mut at: usize) -> usize {
        let place = if set == TEXT { Where::Text } else { Where::Attribute };
        let is_told = |b: &u8| self.stops()[TEXT].has(*b) && !b"<&".contains(b);
        let bytes = marks.bytes();
        // The letters of a scheme, and what stands behind it, may be references too.
        let mut as_it_stands = true;
        loop {
            let len = match &bytes[at..] {
                // Not `&colon;`, `&commat;`, `&period;`, nor their numbers: 58, 64, 46.
                [b'&', b'a'..=b'b' | b'd'..=b'o' | b'q'..=b'z', ..]
                | [b'&', b'#', b'1'..=b'3' | b'7'..=b'9', ..] => 1,
                rest @ [b'&', ..] => match reference(rest, false, place) {
                    Reference::Is(len, chars) if !chars.as_bytes().iter().any(is_told) => len,
                    Reference::None => 1,
                    _ => return at,
                },
                [b':', b'&', ..] | [b':', b'/', b'&', ..] => return at,
                [b':', ..] if as_it_stands && !is_plausible(bytes, at) => 1,
                _ => return at,
            };
            as_it_stands &= bytes[at] != b'&';
            at = marks.next(set, at + len);
        }
    }

    fn stops(self) -> &'static Stops {
        match self {
            Told::Colon => &COLON,
            Told::ColonAt => &COLON_AT,
            Told::Any | Told::ColonAtDot => &COLON_AT_DOT,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Data,
    /// Text without tags: character references count.
    Rcdata,
    /// Text to the end of the document.
    Plaintext,
    /// Up to the end tag of `element`, not text.
    Opaque,
    Style,
    /// Behind `url(`, or where `@import` wants a string.
    Url {
        import: bool,
    },
    /// In a reference of a style sheet; 0: up to `)`.
    UrlValue {
        quote: u8,
    },
    CssComment,
    Comment,
    /// Up to `>`.
    Bogus,
    Tag,
}

/// Whether `bytes` begin with a tag, or what is one to a tokenizer: `None`, if the
/// next byte tells.
fn is_markup(bytes: &[u8], last: bool) -> Option<bool> {
    match bytes.get(1) {
        None => last.then_some(false),
        Some(b'!' | b'?') => Some(true),
        Some(b'/') => match bytes.get(2) {
            None => last.then_some(false),
            Some(_) => Some(true),
        },
        Some(b) => Some(b.is_ascii_alphabetic()),
    }
}

impl Html {
    pub(super) fn new(told: Told) -> Html {
        Html {
            told,
            level: Level::best(),
            queue: Queue::default(),
            state: State::Data,
            open: false,
            tag: Tag::new(false),
            refresh: false,
            escaped: 0,
        }
    }

    /// Whether a tag may follow that does not depend on what came before it.
    pub(super) fn is_between(&self) -> bool {
        self.state == State::Data
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

    /// `n` bytes of markup, then `state`.
    fn skip(&mut self, n: usize, state: State) -> Option<Token> {
        self.state = state;
        Some(Token::Skip(n))
    }

    fn text(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        let Some(&first) = bytes.first() else {
            return if self.open && last { self.end(self.state) } else { None };
        };
        let ends = match (first, self.state) {
            (b'<', State::Data) => is_markup(bytes, last)?,
            (b'<', State::Rcdata) => self.is_end_tag(bytes, last)?,
            _ => false,
        };
        match ends {
            true if self.open => return self.end(self.state),
            true => return self.markup(bytes, last),
            false => {}
        }
        if !self.open {
            return self.begin(Region::Prose);
        }
        if first == b'&' && self.state != State::Plaintext {
            return referenced(bytes, last, Where::Text);
        }
        let end = match self.state {
            State::Plaintext => None,
            _ => memchr::memchr2(b'<', b'&', &bytes[1..]),
        };
        Some(Token::Raw(end.map_or(bytes.len(), |end| end + 1)))
    }

    /// At a `<` that begins markup.
    fn markup(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        let closing = bytes[1] == b'/';
        let name = 1 + usize::from(closing);
        if bytes.get(name).is_some_and(u8::is_ascii_alphabetic) {
            self.tag = Tag::new(closing);
            self.refresh = false;
            return self.skip(name, State::Tag);
        }
        if bytes.starts_with(b"<!--") {
            return match &bytes[4..] {
                [b'>', ..] => self.skip(5, State::Data),
                [b'-', b'>', ..] => self.skip(6, State::Data),
                [] | [b'-'] if !last => None,
                _ => self.skip(4, State::Comment),
            };
        }
        if b"<!--".starts_with(bytes) && !last {
            return None;
        }
        // `</>` is nothing, and so is the rest.
        self.skip(2, State::Bogus)
    }

    /// Whether `bytes` begin with the end tag of the element: `None`, if the next
    /// bytes tell.
    fn is_end_tag(&self, bytes: &[u8], last: bool) -> Option<bool> {
        if !self.tag.is_ended(bytes, last)? {
            return Some(false);
        }
        match bytes.get(2 + self.tag.element.get().len()) {
            None => last.then_some(false),
            Some(b) => Some(ends_name(*b)),
        }
    }

    /// What is no text, up to the end tag of the element. In a script that begins a
    /// comment, a script in that one ends first ("script data double escaped state").
    fn opaque(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        let script = self.tag.element.get() == b"script";
        let dashes = script && self.escaped > 0;
        let next =
            if dashes { memchr::memchr2(b'<', b'-', bytes) } else { memchr::memchr(b'<', bytes) };
        match next {
            None if bytes.is_empty() => return None,
            None => return Some(Token::Skip(bytes.len())),
            Some(0) => {}
            Some(at) => return Some(Token::Skip(at)),
        }
        if dashes && begins(bytes, b"-->", last)? {
            self.escaped = 0;
            return Some(Token::Skip(3));
        }
        if script && self.escaped == 0 && begins(bytes, b"<!--", last)? {
            // The dashes may be those of `-->` too.
            self.escaped = 1;
            return Some(Token::Skip(2));
        }
        if script && self.escaped == 1 && begins(bytes, b"<script", last)? {
            match bytes.get(7) {
                None if !last => return None,
                Some(b) if ends_name(*b) => self.escaped = 2,
                _ => {}
            }
            return Some(Token::Skip(1));
        }
        match self.is_end_tag(bytes, last)? {
            true if self.escaped == 2 => {
                self.escaped = 1;
                Some(Token::Skip(1))
            }
            true => self.markup(bytes, last),
            false => Some(Token::Skip(1)),
        }
    }

    /// A style sheet: what is no reference in it.
    fn style(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        let &first = bytes.first()?;
        let begun: Option<(&[u8], State)> = match first {
            b'<' => match self.is_end_tag(bytes, last)? {
                true => return self.markup(bytes, last),
                false => return Some(Token::Skip(1)),
            },
            b'/' => Some((b"/*", State::CssComment)),
            b'@' => Some((b"@import", State::Url { import: true })),
            b'u' | b'U' => Some((b"url(", State::Url { import: false })),
            _ => None,
        };
        if let Some((with, state)) = begun {
            return match begins(bytes, with, last)? {
                true => self.skip(with.len(), state),
                false => Some(Token::Skip(1)),
            };
        }
        // Up to what may begin something, and no further: a run is read once.
        let stops = |b: &u8| matches!(b, b'<' | b'/' | b'@' | b'(');
        let stop = bytes.iter().position(stops).unwrap_or(bytes.len());
        let next = if bytes.get(stop) == Some(&b'(') {
            let url = stop >= 3 && bytes[stop - 3..stop].eq_ignore_ascii_case(b"url");
            return Some(Token::Skip(if url { stop - 3 } else { stop + 1 }));
        } else {
            stop
        };
        // It may end in the start of `url(`.
        let tail = if next < bytes.len() { 0 } else { 3.min(next) };
        let cut = (next - tail..next).find(|at| {
            let rest = &bytes[*at..next];
            rest.eq_ignore_ascii_case(&b"url"[..rest.len()])
        });
        match cut.filter(|_| next == bytes.len() && !last) {
            Some(0) => None,
            Some(at) => Some(Token::Skip(at)),
            None => Some(Token::Skip(next)),
        }
    }

    fn url(&mut self, bytes: &[u8], import: bool) -> Option<Token> {
        match bytes.first()? {
            b if is_space(*b) => Some(Token::Skip(1)),
            quote @ (b'"' | b'\'') => self.skip(1, State::UrlValue { quote: *quote }),
            _ => {
                self.state = if import { State::Style } else { State::UrlValue { quote: 0 } };
                Some(Token::Skip(0))
            }
        }
    }

    fn url_value(&mut self, bytes: &[u8], quote: u8, last: bool) -> Option<Token> {
        if !self.open {
            return self.begin(Region::Reference(Value::One));
        }
        let Some(&first) = bytes.first() else {
            return if last { self.cancelled(State::Style) } else { None };
        };
        let ends = |b: u8| match quote {
            0 => matches!(b, b')' | b'(' | b'"' | b'\'' | b'<' | b'\\' | b';' | b'}'),
            _ => b == quote || matches!(b, b'\n' | b'\\') || b == b'<',
        };
        if first == b'<' && self.is_end_tag(bytes, last)? {
            return self.cancelled(State::Style);
        }
        match bytes.iter().position(|b| ends(*b)) {
            None => Some(Token::Raw(bytes.len())),
            Some(0) if first == b')' && quote == 0 || first == quote => self.end(State::Style),
            Some(0) if first == b'<' && quote != 0 => Some(Token::Raw(1)),
            // An escape, or no reference at all.
            Some(0) => self.cancelled(State::Style),
            Some(at) => Some(Token::Raw(at)),
        }
    }

    /// Says first that the region was none, then that it ends.
    fn cancelled(&mut self, state: State) -> Option<Token> {
        self.open = false;
        self.state = state;
        Some(Token::Cancel)
    }

    fn comment(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        match begins(bytes, b"--!>", last)? {
            true => self.skip(4, State::Data),
            false => until(&mut self.state, bytes, b"-->", last, State::Data),
        }
    }

    /// Behind a tag.
    fn tag_end(&mut self) {
        self.state = match self.tag.element.get() {
            name if self.tag.closing || !ENDS_DATA.may_hold(name) => State::Data,
            b"script" | b"iframe" | b"noembed" | b"noframes" | b"textarea" | b"xmp" => {
                self.escaped = 0;
                State::Opaque
            }
            b"style" => State::Style,
            b"title" => State::Rcdata,
            b"plaintext" => State::Plaintext,
            _ => State::Data,
        };
    }
}

/// What the value of the attribute at hand is.
fn region(tag: &Tag, refresh: &mut bool, bytes: &[u8], last: bool) -> Option<Region> {
    let element = tag.element.get();
    let value = match tag.attribute.get() {
        name if !SPECIAL.may_hold(name) => return Some(Region::Field),
        b"href" | b"src" | b"xlink:href" | b"poster" | b"formaction" | b"cite" | b"background"
        | b"longdesc" | b"lowsrc" | b"dynsrc" | b"codebase" => Value::One,
        b"action" if element == b"form" => Value::One,
        b"data" if element == b"object" => Value::One,
        b"manifest" if element == b"html" => Value::One,
        b"profile" if element == b"head" => Value::List,
        b"ping" if matches!(element, b"a" | b"area") => Value::List,
        b"srcset" | b"imagesrcset" => Value::Srcset,
        b"style" => Value::Css,
        b"http-equiv" if element == b"meta" => {
            let head = bytes.get(..7).unwrap_or(bytes);
            if head.len() < 7 && b"refresh"[..head.len()].eq_ignore_ascii_case(head) && !last {
                return None;
            }
            *refresh = head.eq_ignore_ascii_case(b"refresh");
            return Some(Region::Field);
        }
        b"content" if element == b"meta" => {
            // The other attribute may come behind it.
            return Some(match *refresh || is_refresh(bytes, last)? {
                true => Region::Reference(Value::Refresh),
                false => Region::Field,
            });
        }
        _ => return Some(Region::Field),
    };
    Some(Region::Reference(value))
}
/// Whether a value begins as that of a refresh: `5; url=`.
fn is_refresh(bytes: &[u8], last: bool) -> Option<bool> {
    let head = &bytes[..bytes.len().min(32)];
    let skip = |from: usize, over: fn(&u8) -> bool| {
        from + head[from..].iter().take_while(|b| over(b)).count()
    };
    let digits = skip(0, |b| is_space(*b));
    let behind = skip(digits, |b| b.is_ascii_digit() || *b == b'.');
    let mark = skip(behind, |b| is_space(*b));
    let word = skip(mark, |b| is_space(*b) || matches!(b, b';' | b','));
    let url = &head[word..head.len().min(word + 3)];
    let so_far = (behind > digits || behind == head.len())
        && (word > mark || word == head.len())
        && url.eq_ignore_ascii_case(&b"url"[..url.len()]);
    match so_far {
        true if url.len() == 3 => Some(true),
        true if head.len() < 32 && !last => None,
        _ => Some(false),
    }
}

impl Html {
    /// Goes over what can be told at once: whole tags, and text that holds nothing before
    /// them; says the references that are all there with nothing in them escaped. How far
    /// it came, where the state is what it is, and how many bytes up to there are still to
    /// be said to be no text; so many before `bytes` were, `skipped`.
    fn glide(&mut self, bytes: &[u8], skipped: usize) -> (usize, usize) {
        let mut at = match (self.state, self.tag.part) {
            (State::Data, _) | (State::Tag, Part::BeforeAttribute) => 0,
            (State::Tag, Part::Value { quote, inside: Inside::Opaque })
                if bytes.first() == Some(&quote) =>
            {
                self.tag.part = Part::BeforeAttribute;
                1
            }
            _ => return (0, skipped),
        };
        // Up to where all has been said, and what has not been before `bytes`.
        let (mut said, mut before) = (0, skipped);
        let mut marks = Marks::new(self.level, bytes, self.told.stops());
        let mut in_tag = self.state == State::Tag;
        // The name of the tag, if it is not that of `self.tag` yet.
        let mut tag = 0..0;
        let value = 'found: loop {
            if !in_tag {
                let text = at;
                let open = self.told.end(&mut marks, TEXT, text);
                if bytes.get(open) != Some(&b'<') || open > text && self.told == Told::Any {
                    break None;
                }
                let (name, closing) = match bytes[open + 1..] {
                    [b'/', b, ..] if b.is_ascii_alphabetic() => (open + 2, true),
                    [b, ..] if b.is_ascii_alphabetic() => (open + 1, false),
                    _ => break None,
                };
                let end = marks.next(NAME, name);
                match bytes.get(end) {
                    None | Some(b'=') => break None,
                    Some(b) if closing && *b != b'>' => break None,
                    Some(_) => at = end,
                }
                if closing {
                    at += 1;
                    continue;
                }
                tag = name..at;
                self.tag.closing = false;
                self.refresh = false;
                in_tag = true;
            }
            // A space mostly; it ends no name.
            let mut name = at + usize::from(bytes.get(at) == Some(&b' '));
            let (name, stop) = loop {
                let stop = marks.next(NAME, name);
                match bytes.get(stop) {
                    None => break 'found None,
                    Some(b'>' | b'=') => break (name..stop, stop),
                    // White space, `/`; an attribute without a value before it.
                    Some(_) => name = stop + 1,
                }
            };
            if bytes[stop] == b'>' {
                at = stop + 1;
                in_tag = false;
                if tag.is_empty() || ENDS_DATA.may_hold(&bytes[tag.clone()]) {
                    self.name_tag(bytes, tag.clone());
                    tag = 0..0;
                    self.tag_end();
                    if self.state != State::Data {
                        return (at, before + at - said);
                    }
                }
                continue;
            }
            let Some(quote @ (b'"' | b'\'')) = bytes.get(stop + 1).copied() else { break None };
            // Spaces may stand before an `=`, and one that begins a name belongs to it.
            if name.is_empty() || self.tag.closing {
                break None;
            }
            let value = stop + 2;
            let word = &bytes[name.clone()];
            let special = match word {
                b"href" | b"src" => Some(Value::One),
                b"style" => Some(Value::Css),
                word if SPECIAL.may_hold(word) => {
                    self.name_tag(bytes, tag.clone());
                    tag = 0..0;
                    self.tag.attribute = Name::from(word);
                    match region(&self.tag, &mut self.refresh, &bytes[value..], false) {
                        Some(Region::Reference(value)) => Some(value),
                        Some(_) => None,
                        None => break Some((name, quote, value)),
                    }
                }
                _ => None,
            };
            let end = match special {
                None if quote == b'"' => self.told.end(&mut marks, DOUBLE, value),
                None => self.told.end(&mut marks, SINGLE, value),
                Some(_) if quote == b'"' => {
                    let mut end = marks.next(DOUBLE, value);
                    while let Some(b':' | b'@' | b'.') = bytes.get(end) {
                        end = marks.next(DOUBLE, end + 1);
                    }
                    end
                }
                Some(_) => memchr::memchr2(quote, b'&', &bytes[value..])
                    .map_or(bytes.len(), |end| value + end),
            };
            if bytes.get(end) != Some(&quote) {
                break Some((name, quote, value));
            }
            at = end + 1;
            match special {
                _ if end == value => {}
                None if self.told == Told::Any => break Some((name, quote, value)),
                None => {}
                Some(Value::Css) if !may_hold_url(&bytes[value..end]) => {}
                Some(_) if self.queue.is_full() => break Some((name, quote, value)),
                Some(kind) => {
                    self.queue.push(Token::Skip(before + value - said));
                    self.queue.push(Token::Whole(kind, end - value));
                    (before, said) = (0, end);
                }
            }
        };
        if in_tag {
            self.name_tag(bytes, tag);
        }
        self.state = if in_tag { State::Tag } else { State::Data };
        self.tag.part = Part::BeforeAttribute;
        if let Some((name, quote, value)) = value {
            self.tag.attribute = Name::from(&bytes[name]);
            self.tag.part = Part::Value { quote, inside: Inside::Unread };
            at = value;
        }
        (at, before + at - said)
    }

    fn name_tag(&mut self, bytes: &[u8], tag: Range<usize>) {
        if !tag.is_empty() {
            self.tag.element = Name::from(&bytes[tag]);
        }
    }

    fn step(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        match self.state {
            State::Data | State::Rcdata | State::Plaintext => self.text(bytes, last),
            State::Opaque => self.opaque(bytes, last),
            State::Style => self.style(bytes, last),
            State::Url { import } => self.url(bytes, import),
            State::UrlValue { quote } => self.url_value(bytes, quote, last),
            State::CssComment => match bytes.first() {
                Some(b'<') if self.is_end_tag(bytes, last)? => self.markup(bytes, last),
                Some(b'<') => Some(Token::Skip(1)),
                _ => {
                    let end = memchr::memchr(b'<', bytes).unwrap_or(bytes.len());
                    let last = last || end < bytes.len();
                    until(&mut self.state, &bytes[..end], b"*/", last, State::Style)
                }
            },
            State::Comment => self.comment(bytes, last),
            State::Bogus => until(&mut self.state, bytes, b">", last, State::Data),
            State::Tag => {
                let refresh = &mut self.refresh;
                let region = |tag: &Tag| region(tag, refresh, bytes, last).map(Some);
                let token = self.tag.next(bytes, last, Where::Attribute, region);
                if self.tag.part == Part::Over {
                    self.tag_end();
                }
                token
            }
        }
    }
}

impl Html {
    /// More tokens, if any more are known; no region is open.
    #[inline(never)]
    fn refill(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        let (mut done, mut skipped) = (0, 0);
        loop {
            let glided;
            (glided, skipped) = self.glide(&bytes[done..], skipped);
            done += glided;
            match self.step(&bytes[done..], last) {
                Some(Token::Skip(n)) => {
                    done += n;
                    skipped += n;
                }
                token => {
                    self.queue.push(Token::Skip(skipped));
                    self.queue.tokens.extend(token);
                    return self.queue.pop();
                }
            }
        }
    }
}

impl Lexer for Html {
    #[inline]
    fn next(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        match self.queue.pop() {
            None if self.open || self.tag.is_open() => self.step(bytes, last),
            None => self.refill(bytes, last),
            token => token,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::tests::{all_cuts, hostile};

    fn may_hold_link(told: Told, text: &[u8]) -> bool {
        // What stands behind it is no part of a scheme.
        let text = [text, b"<"].concat();
        (0..text.len()).any(|at| match text[at] {
            b':' => is_plausible(&text, at),
            b => told.stops()[TEXT].has(b) && !b"<&".contains(&b),
        })
    }

    proptest! {
        /// Cuts change nothing, the tokens are the document, and nothing is looked at
        /// from afar; with what may be passed over at once and without.
        #[test]
        fn any_bytes(document in hostile(&[
            "<", "<a ", "</a>", ">", "href=", "'", "\"", "&", "&amp;", "&#58;", ";", "http://a",
            "style=\"", "title=\"", "mailto:", "<!--", "-->", "--!>", "<!", "<?", "<script>",
            "</script", "<style>", "</style>", "url(",
            ")", "@import ", "/*", "*/", "<title>", "<meta content=", "5;url=", " ", "/", "é",
            "<plaintext>", "<textarea>", "=", "x:y", "\\",
        ])) {
            for told in [Told::Any, Told::Colon, Told::ColonAtDot] {
                all_cuts(&Html::new(told), &document, |text| match text.region {
                    Region::Reference(Value::Css) => may_hold_url(&text.bytes),
                    Region::Reference(_) => !text.bytes.is_empty(),
                    Region::Prose | Region::Field if told == Told::Any => !text.bytes.is_empty(),
                    Region::Prose | Region::Field => may_hold_link(told, &text.bytes),
                });
            }
        }
    }
}
