//! HTML, as the tokenizer of the HTML standard (section 13.2.5) divides it.
//!
//! Knows elements and attributes; builds no tree, so that what a parser does with
//! tags that do not belong does not matter. Malformed markup is what the standard
//! makes of it.

use alloc::vec::Vec;
use core::{hint::select_unpredictable, ops::Range};

use super::{
    css::{Css, Step},
    entities::{Reference, Where, reference, referenced},
    layout::{Block, Layout},
    lexer::{Lexer, Region, Spelt, Token, Value, begins, until},
    names::{ENDS_DATA, SPECIAL, SPECIAL_ENDS},
    tag::{Inside, Name, Part, Tag, ends_name},
    value::{is_space, may_hold_url},
};
use crate::{
    engine::{candidates::is_plausible, rules::Anchors, tuning::Tuning},
    simd::{
        sets::NEAR,
        sort::ending,
        types::{BLOCK, Level, Work},
    },
};

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
    /// In a style sheet: the place in it.
    css: Css,
    told: Told,
    level: Level,
    /// As [`Tuning::skip_tags`].
    skip_tags: bool,
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

impl Told {
    pub(super) fn by(anchors: Anchors) -> Told {
        match anchors {
            Anchors { ideographic: true, .. } => Told::Any,
            Anchors { dot: true, .. } => Told::ColonAtDot,
            Anchors { at: true, .. } => Told::ColonAt,
            _ => Told::Colon,
        }
    }

    pub(super) fn has(self, b: u8) -> bool {
        match b {
            b':' => true,
            b'@' => self != Told::Colon,
            b'.' => !matches!(self, Told::Colon | Told::ColonAt),
            _ => self == Told::Any,
        }
    }

    /// The bytes of `block` with which a link may begin in text, and the references.
    #[inline(always)]
    fn marks(self, block: &Block) -> u64 {
        match self {
            Told::Any => !0,
            Told::Colon => block.references | block.colons,
            Told::ColonAt => block.references | block.colons | block.ats,
            Told::ColonAtDot => block.references | block.colons | block.ats | block.dots,
        }
    }

    /// Whether a link may begin with the mark at `at`, if what stands before it is no
    /// reference.
    #[inline(always)]
    fn may_begin(self, bytes: &[u8], at: usize, place: Where) -> bool {
        match &bytes[at..] {
            _ if self == Told::Any => true,
            // What stands behind a scheme may be references too.
            [b':', b'&', ..] | [b':', b'/', b'&', ..] => true,
            [b':', ..] => is_plausible(bytes, at),
            // Not `&colon;`, `&commat;`, `&period;`, nor their numbers: 58, 64, 46.
            [b'&', b'a'..=b'b' | b'd'..=b'o' | b'q'..=b'z', ..]
            | [b'&', b'#', b'1'..=b'3' | b'7'..=b'9', ..] => false,
            rest @ [b'&', ..] => match reference(rest, false, place) {
                Reference::Is(_, chars) => chars.as_bytes().iter().any(|b| self.has(*b)),
                Reference::None => false,
                _ => true,
            },
            _ => true,
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

/// Whether `bytes`, which begin with markup, do with a tag behind which there is data.
fn is_plain_tag(bytes: &[u8]) -> bool {
    let opening = bytes.get(1).is_some_and(u8::is_ascii_alphabetic);
    let end = bytes.iter().skip(1).take(32).position(|b| ends_name(*b));
    match end {
        Some(end) if opening => !ENDS_DATA.hold(&bytes[1..=end]),
        _ => bytes.starts_with(b"</") && bytes.get(2).is_some_and(u8::is_ascii_alphabetic),
    }
}

impl Html {
    pub(super) fn new(told: Told, tuning: &Tuning) -> Html {
        Html {
            told,
            level: Level::best(),
            skip_tags: tuning.skip_tags,
            queue: Queue::default(),
            state: State::Data,
            open: false,
            tag: Tag::new(false),
            refresh: false,
            escaped: 0,
            css: Css::new(),
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

    /// A style sheet, up to the end tag of the element.
    fn style(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        match bytes.first() {
            None if self.open && last => {
                self.open = false;
                return Some(Token::Cut);
            }
            None => return None,
            Some(b'<') if self.is_end_tag(bytes, last)? => {
                return if self.open { self.end(State::Style) } else { self.markup(bytes, last) };
            }
            _ => {}
        }
        match self.css.next(bytes, last)? {
            Step::Skip(n) => Some(Token::Skip(n)),
            Step::Begin => self.begin(Region::Reference(Value::Url)),
            Step::Raw(n) => Some(Token::Raw(n)),
            Step::End => self.end(State::Style),
            Step::Cancel => {
                self.open = false;
                Some(Token::Cancel)
            }
        }
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
            b"style" => {
                self.css = Css::new();
                State::Style
            }
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

/// Where [`Html::glide`] stops, in bytes.
enum Stop {
    /// At text, or at markup.
    Data(usize),
    /// In a tag, where an attribute may begin.
    Tag(usize),
    /// At the value of the attribute with this name, behind this quote, if any (0).
    Value(Range<usize>, u8, usize),
}

/// The last block with any of some bits, and where it begins.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    bits: u64,
    at: usize,
}

impl Last {
    #[inline(always)]
    fn pass(&mut self, bits: u64, at: usize) {
        // A branch would often be mispredicted.
        self.at = select_unpredictable(bits == 0, self.at, at);
        self.bits = select_unpredictable(bits == 0, self.bits, bits);
    }

    /// At `at` is the last one.
    fn set(&mut self, at: usize) {
        *self = Last { bits: 1, at };
    }

    /// Where the last of them is.
    #[inline(always)]
    fn get(self) -> Option<usize> {
        self.bits.checked_ilog2().map(|i| self.at + i as usize)
    }
}

/// What [`Html::glide`] has come by, in bytes.
struct Course<'a> {
    bytes: &'a [u8],
    /// Where it began.
    from: usize,
    /// The `<` of tags; none, if the tag at hand began before.
    tags: Last,
    /// The `<` of the tag whose name was taken.
    named: Option<usize>,
    /// The ends of tags.
    ends: Last,
    /// Behind the last value that was said, or tag that was gone over.
    past: usize,
    /// The last reference to a character.
    reference: Option<usize>,
    /// All before has been said.
    said: usize,
    /// What had not been said before the first byte.
    before: usize,
}

impl Course<'_> {
    /// Comes by what stands in `block`, which begins at `at`, in the bits of `by`.
    #[inline(always)]
    fn pass(&mut self, block: &Block, at: usize, by: u64) {
        self.tags.pass(block.starts & by, at);
        self.ends.pass(block.ends & by, at);
    }

    /// The last tag, if it closes an element.
    fn closing(&self) -> Option<usize> {
        self.tags.get().filter(|tag| self.bytes[tag + 1] == b'/')
    }

    /// In the last tag, behind what was said of it.
    fn in_tag(&self) -> Stop {
        let begun = self.tags.get().filter(|tag| self.past <= *tag);
        begun.map_or(Stop::Tag(self.past), Stop::Data)
    }

    /// Behind the last tag.
    fn text(&self) -> usize {
        self.ends.get().map_or(self.from, |at| at + 1)
    }

    /// Where the value begins that is at hand at `at`, in these quotes, if any (0).
    fn value(&self, at: usize, quote: u8) -> usize {
        if quote == 0 {
            // Behind the first `=` of what stands there without a space.
            let least = self.tags.get().map_or(self.past, |tag| tag.max(self.past));
            let before = &self.bytes[least..at];
            let word = before.iter().rposition(|b| is_never_bare(*b)).map_or(0, |i| i + 1);
            let equals = before[word..].iter().position(|b| *b == b'=');
            return equals.map_or(at, |i| least + word + i + 1);
        }
        let open = self.bytes[self.from..at].iter().rposition(|b| *b == quote);
        open.map_or(self.from, |i| self.from + i + 1)
    }

    /// Whether the value in these quotes that is at hand at `at` holds what stands at `before`,
    /// in a value or in text.
    fn are_in_one_value(&self, before: usize, at: usize, quote: u8) -> bool {
        #[cfg(test)]
        crate::charset::cursor::STEPS
            .set(crate::charset::cursor::STEPS.get() + (at - before) as u64);
        let begun = self.tags.get().is_some_and(|tag| before < tag);
        let apart = |b: &u8| if quote == 0 { is_never_bare(*b) } else { *b == quote };
        !begun && !self.bytes[before..at].iter().any(apart)
    }

    /// At that value.
    fn at_value(&self, at: usize, quote: u8) -> Stop {
        let value = self.value(at, quote);
        let equals = value - 1 - usize::from(quote != 0);
        let stop = || Stop::Value(self.name(equals), quote, value);
        self.closing().map_or_else(stop, Stop::Data)
    }

    /// The name before the `=` at `at`.
    fn name(&self, at: usize) -> Range<usize> {
        let before = &self.bytes[self.from..at];
        let start = before.iter().rposition(|b| is_apart(*b));
        start.map_or(self.from, |i| self.from + i + 1)..at
    }

    /// Whether that name is this one.
    fn is_name(&self, at: usize, name: &[u8]) -> bool {
        let rest = self.bytes[self.from..at].strip_suffix(name);
        rest.is_some_and(|rest| rest.last().is_none_or(|b| is_apart(*b)))
    }
}

/// Whether it stands between attributes.
fn is_apart(b: u8) -> bool {
    is_never_bare(b) || b == b'/'
}

/// Whether no value without quotes holds it that is regular.
fn is_never_bare(b: u8) -> bool {
    is_space(b) || matches!(b, b'"' | b'\'')
}

/// Those of the attributes with `equals` in the block at `at` whose value may be more than
/// prose.
#[inline(always)]
fn special(level: Level, bytes: &[u8], at: usize, equals: u64) -> u64 {
    let near = at.checked_sub(NEAR - BLOCK).and_then(|from| bytes[from..].first_chunk());
    equals & near.map_or(!0, |near| ending(level, near, &SPECIAL_ENDS))
}

/// The last block of some bytes; behind them, something that is not regular.
#[cold]
fn padded(bytes: &[u8]) -> [u8; BLOCK] {
    let mut block = [b'='; BLOCK];
    block[..bytes.len()].copy_from_slice(bytes);
    block
}

/// The bits from `from` on, which may be none of a block.
#[inline(always)]
fn from(from: usize) -> u64 {
    if from < BLOCK { !0 << from } else { 0 }
}

/// [`Html::seek`], compiled for the machine at hand.
struct Seek<'s, 'a> {
    html: &'s mut Html,
    course: &'s mut Course<'a>,
}

impl Work for Seek<'_, '_> {
    type Out = Stop;

    #[inline(always)]
    fn run(self, level: Level) -> Stop {
        self.html.seek(level, self.course)
    }
}

impl Html {
    /// Goes over what can be told at once: regular tags, and text that holds nothing before
    /// them; says the references that are all there with nothing in them escaped. How far
    /// it came, where the state is what it is, and how many bytes up to there are still to
    /// be said to be no text; so many before `bytes` were, `skipped`.
    fn glide(&mut self, bytes: &[u8], skipped: usize) -> (usize, usize) {
        let from = match (self.state, self.tag.part) {
            _ if !self.skip_tags => return (0, skipped),
            (State::Data, _) => 0,
            (State::Tag, Part::BeforeAttribute) if !self.tag.closing => 0,
            (State::Tag, Part::Value { quote, inside: Inside::Opaque })
                if bytes.first() == Some(&quote) && !self.tag.closing =>
            {
                1
            }
            _ => return (0, skipped),
        };
        let mut course = Course {
            bytes,
            from,
            tags: Last::default(),
            named: None,
            ends: Last::default(),
            past: from,
            reference: None,
            said: 0,
            before: skipped,
        };
        let stop = self.level.run(Seek { html: self, course: &mut course });
        if let Stop::Tag(_) | Stop::Value(..) = stop {
            self.name_tag(&mut course);
        }
        self.tag.part = Part::BeforeAttribute;
        let at = match stop {
            Stop::Data(at) => {
                self.state = State::Data;
                at
            }
            Stop::Tag(at) => {
                self.state = State::Tag;
                at
            }
            Stop::Value(name, quote, at) => {
                self.state = State::Tag;
                self.tag.attribute = Name::from(&bytes[name]);
                self.tag.part = Part::Value { quote, inside: Inside::Unread };
                at
            }
        };
        (at, course.before + at - course.said)
    }

    /// Where [`Html::glide`] stops.
    #[inline(always)]
    fn seek(&mut self, level: Level, course: &mut Course<'_>) -> Stop {
        let bytes = course.bytes;
        let in_tag = self.state == State::Tag;
        let mut layout = Layout::new(in_tag);
        // Behind the first tag there may be something else than data.
        let ends_data = in_tag && ENDS_DATA.hold(self.tag.element.get());
        let mut at = course.from;
        'blocks: while at < bytes.len() {
            let last;
            let block = match bytes[at..].first_chunk() {
                Some(block) => block,
                None => {
                    last = padded(&bytes[at..]);
                    &last
                }
            };
            let block = layout.next(level, block);
            let mut irregular = block.irregular;
            if ends_data {
                irregular |= block.ends;
            }
            let special = special(level, bytes, at, block.equals) & !(irregular >> 1);
            let text = !block.tags | block.values & !block.quotes;
            let mut marks = self.told.marks(&block) & text | block.odd | special;
            marks = marks & from(course.past.saturating_sub(at)) | irregular;
            while marks != 0 {
                let i = marks.trailing_zeros();
                marks &= marks - 1;
                let (bit, here) = (1 << i, at + i as usize);
                if here >= bytes.len() {
                    break;
                }
                if special & !irregular & bit != 0 {
                    if let Some(stop) = self.value(course, &block, at, here) {
                        return stop;
                    }
                    marks &= from(course.past.saturating_sub(at)) | irregular;
                    continue;
                }
                if irregular & bit != 0 {
                    course.pass(&block, at, bit - 1);
                    match self.go_over(course, ends_data) {
                        Ok(end) => at = end,
                        Err(stop) => return stop,
                    }
                    layout = Layout::new(false);
                    continue 'blocks;
                }
                if block.odd & bit != 0 {
                    course.pass(&block, at, bit - 1);
                    match is_markup(&bytes[here..], false) {
                        Some(true) if is_plain_tag(&bytes[here..]) => continue,
                        Some(true) => return Stop::Data(here),
                        _ => return Stop::Data(course.text()),
                    }
                }
                let text = block.tags & bit == 0;
                let place = if text { Where::Text } else { Where::Attribute };
                let quote = if block.bare & bit == 0 { layout.quote() } else { 0 };
                let mut may_begin = self.told.may_begin(bytes, here, place);
                if let (Some(reference), b':') = (course.reference, bytes[here]) {
                    // The letters of a scheme may be references too.
                    course.pass(&block, at, bit - 1);
                    let near = match text {
                        true => reference >= course.text(),
                        false => course.are_in_one_value(reference, here, quote),
                    };
                    may_begin |= near;
                    // Else all that follows is in another one.
                    course.reference = course.reference.filter(|_| near);
                }
                if may_begin {
                    course.pass(&block, at, bit - 1);
                    return if text {
                        Stop::Data(course.text())
                    } else {
                        course.at_value(here, quote)
                    };
                }
                if bytes[here] == b'&' {
                    course.reference = Some(here);
                }
            }
            course.pass(&block, at, !0);
            at += BLOCK;
        }
        match layout.is_in_tag() {
            true => self.go_over(course, ends_data).map_or_else(|stop| stop, Stop::Data),
            false => Stop::Data(course.text()),
        }
    }

    /// The value of the attribute with the `=` at `here`, if it holds references: says them.
    /// Else does nothing. `Some`, if not all can be told.
    #[inline(always)]
    fn value(
        &mut self,
        course: &mut Course<'_>,
        block: &Block,
        at: usize,
        here: usize,
    ) -> Option<Stop> {
        let bytes = course.bytes;
        let (quote, value) = match *bytes.get(here + 1)? {
            quote @ (b'"' | b'\'') => (quote, here + 2),
            b if is_space(b) || b == b'>' => return None,
            _ => (0, here + 1),
        };
        course.pass(block, at, !from(here - at));
        if let Some(tag) = course.closing() {
            return Some(Stop::Data(tag));
        }
        let kind = if course.is_name(here, b"href") || course.is_name(here, b"src") {
            Value::One
        } else {
            let name = course.name(here);
            match self.kind(course, &bytes[name.clone()], value) {
                Some(Some(kind)) => kind,
                Some(None) => return None,
                None => return Some(Stop::Value(name, quote, value)),
            }
        };
        let end = match quote {
            0 => {
                let end =
                    bytes[value..].iter().position(|b| is_space(*b) || matches!(b, b'>' | b'&'));
                end.map(|end| value + end).filter(|end| bytes[*end] != b'&')
            }
            quote => {
                let end = match (block.quotes | block.references) & from(value - at) {
                    0 => memchr::memchr2(quote, b'&', &bytes[value..]).map(|end| value + end),
                    ends => Some(at + ends.trailing_zeros() as usize),
                };
                end.filter(|end| bytes[*end] == quote)
            }
        };
        let end = end.filter(|_| !self.queue.is_full());
        let Some(end) = end else { return Some(Stop::Value(course.name(here), quote, value)) };
        self.say(course, kind, value..end);
        course.past = end + usize::from(quote != 0);
        None
    }

    /// What references the value at `value` of the attribute `name` holds, if any: `None`,
    /// if what follows tells.
    fn kind(
        &mut self,
        course: &mut Course<'_>,
        name: &[u8],
        value: usize,
    ) -> Option<Option<Value>> {
        Some(match name {
            b"href" | b"src" => Some(Value::One),
            b"style" => Some(Value::Css),
            name if SPECIAL.may_hold(name) => {
                self.name_tag(course);
                self.tag.attribute = Name::from(name);
                let rest = &course.bytes[value..];
                match region(&self.tag, &mut self.refresh, rest, false)? {
                    Region::Reference(value) => Some(value),
                    _ => None,
                }
            }
            _ => None,
        })
    }

    /// Says the references in `value`.
    #[inline(always)]
    fn say(&mut self, course: &mut Course<'_>, kind: Value, value: Range<usize>) {
        let may_hold = kind != Value::Css || may_hold_url(&course.bytes[value.clone()]);
        if !value.is_empty() && may_hold {
            let skipped = course.before + value.start - course.said;
            self.queue.push(Token::Whole(skipped, kind, value.len()));
            (course.before, course.said) = (0, value.end);
        }
    }

    /// Goes over the rest of the last tag, which is not regular: where it ends. `ends_data`:
    /// behind the tag at hand there may be something else than data.
    #[inline(never)]
    fn go_over(&mut self, course: &mut Course<'_>, ends_data: bool) -> Result<usize, Stop> {
        let bytes = course.bytes;
        let over = |from: usize, is: fn(u8) -> bool| {
            bytes[from..].iter().position(|b| !is(*b)).map(|n| from + n)
        };
        let is_name = |b: u8| !ends_name(b) && b != b'=';
        let stop = course.in_tag();
        let mut at = match stop {
            Stop::Tag(at) => at,
            Stop::Data(tag) if course.closing().is_none() => {
                over(tag + 1, |b| !ends_name(b)).ok_or(stop)?
            }
            _ => return Err(stop),
        };
        loop {
            let begin = over(at, |b| is_space(b) || b == b'/').ok_or(Stop::Tag(at))?;
            #[cfg(test)]
            crate::charset::cursor::STEPS.set(crate::charset::cursor::STEPS.get() + 1);
            if bytes[begin] == b'>' {
                if ends_data {
                    return Err(Stop::Tag(begin));
                }
                course.ends.set(begin);
                course.past = begin + 1;
                return Ok(begin + 1);
            }
            // An `=` that begins a name belongs to it.
            let stop = || Stop::Tag(begin);
            let end_of_name = over(begin + 1, is_name).ok_or_else(stop)?;
            let equals = over(end_of_name, is_space).ok_or_else(stop)?;
            if bytes[equals] != b'=' {
                at = end_of_name;
                continue;
            }
            let value = over(equals + 1, is_space).ok_or_else(stop)?;
            let (quote, value, end) = match bytes[value] {
                b'>' => {
                    at = value;
                    continue;
                }
                quote @ (b'"' | b'\'') => {
                    let value = value + 1;
                    (quote, value, memchr::memchr(quote, &bytes[value..]).map(|n| value + n))
                }
                _ => (0, value, over(value, |b| !is_space(b) && b != b'>')),
            };
            let (name, end) = (begin..end_of_name, end.ok_or_else(stop)?);
            let all_told = match self.kind(course, &bytes[name.clone()], value) {
                Some(Some(kind)) if !self.queue.is_full() && !bytes[value..end].contains(&b'&') => {
                    self.say(course, kind, value..end);
                    true
                }
                Some(None) => !self.may_hold_link(bytes, value..end),
                _ => false,
            };
            if !all_told {
                return Err(Stop::Value(name, quote, value));
            }
            at = end + usize::from(quote != 0);
            course.past = at;
        }
    }

    /// Whether there may be a link in the prose of a value.
    fn may_hold_link(&self, bytes: &[u8], value: Range<usize>) -> bool {
        // With what stands behind it, as it is looked at in blocks.
        let (mut references, inside) = (false, &bytes[..bytes.len().min(value.end + 1)]);
        value.into_iter().any(|at| {
            let b = bytes[at];
            references |= b == b'&';
            (b == b'&' || self.told.has(b))
                && (references && b == b':' || self.told.may_begin(inside, at, Where::Attribute))
        })
    }

    /// Takes the name of the tag at hand.
    fn name_tag(&mut self, course: &mut Course<'_>) {
        if let Some(tag) = course.tags.get()
            && course.named != Some(tag)
        {
            let name = &course.bytes[tag + 1..];
            let end = name.iter().position(|b| ends_name(*b)).unwrap_or(name.len());
            self.tag.element = Name::from(&name[..end]);
            (self.tag.closing, self.refresh) = (false, false);
            course.named = Some(tag);
        }
    }

    fn step(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        match self.state {
            State::Data | State::Rcdata | State::Plaintext => self.text(bytes, last),
            State::Opaque => self.opaque(bytes, last),
            State::Style => self.style(bytes, last),
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

    fn spell(&mut self, bytes: &[u8], last: bool, spelt: &mut Spelt<'_>) -> usize {
        match self.state {
            State::Data | State::Rcdata if self.open => {
                spelt.take(bytes, b'&', b"<", &|rest| referenced(rest, last, Where::Text))
            }
            State::Tag => self.tag.spell(bytes, last, Where::Attribute, spelt),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::tests::{all_cuts, hostile, may_hold};

    proptest! {
        /// Cuts change nothing, the tokens are the document, and nothing is looked at
        /// from afar; with what may be passed over at once and without.
        #[test]
        fn any_bytes(document in hostile(&[
            "<", "<a ", "</a>", ">", "href=", "'", "\"", "&", "&amp;", "&#58;", ";", "http://a",
            "style=\"", "title=\"", "mailto:", "<!--", "-->", "--!>", "<!", "<?", "<script>",
            "</script", "<style>", "</style>", "url(",
            ")", "@import ", "/*", "*/", "<title>", "<meta content=", "5;url=", " ", "/", "é",
            "<plaintext>", "<textarea>", "=", "x:y", "\\", "b=", "b=&amp;",
        ])) {
            for told in [Told::Any, Told::Colon, Told::ColonAtDot] {
                let read = |tuning: &Tuning| {
                    all_cuts(&Html::new(told, tuning), &document, |text| may_hold(told, text))
                };
                let walked = Tuning { skip_tags: false, ..Tuning::DEFAULT };
                prop_assert_eq!(read(&Tuning::DEFAULT), read(&walked));
            }
        }
    }
}
