//! Skips the regular markup of HTML, 64 bytes at a time.
//!
//! Bytes from a text or from inside a tag go in; out come the tokens of references, and the place
//! from which [`Tag`] and the lexer go on. Two readers, both of which give up on any doubt:
//!
//! 1. [`Skipper::seek`] reads blocks by their [`Layout`]. It accepts the part of the grammar of
//!    [`tag`](crate::format::markup::tag) that `layout.rs` names, with these limits:
//!    - Text and the prose of values are passed over only if they have no trigger
//!      ([`Triggers`]) that may be the anchor of a link. At the first one, it stops before that
//!      text or value.
//!    - If hosts without a scheme are looked for, text that a tag divides within a word is not passed
//!      over: the tag may be within a host.
//!    - `<` must begin a tag. Comments, declarations, and opening tags after which there is no
//!      data (`<script`), are left to the lexer.
//!    - A value with references must be complete, without `&`, in a tag that is not closing.
//! 2. [`Skipper::finish_tag`] reads the rest of one tag whose layout is irregular, attribute by
//!    attribute. It accepts the whole grammar of attributes, but gives up on closing tags, on
//!    values that may hold a link in prose or have an `&` among references, and where the bytes
//!    end. Without it, pages take as many instructions, but `seek` would begin again after each
//!    attribute before the irregular one: quadratic time in a tag with many attributes.
//!
//! Giving up is cheap: the place is before the first byte that was not understood. With
//! [`Tuning::skip_tags`](crate::engine::tuning::Tuning) off, the lexer reads everything by
//! [`Tag`], and must find the same regions; a test in `html` compares them.

use core::ops::Range;

use super::{
    attributes,
    course::{Course, Last, Stop},
    entities::Where,
    layout::{Block, Layout},
    names::{ENDS_DATA, SPECIAL, SPECIAL_ENDS},
    queue::Queue,
    tag::{Inside, Meaning, Name, Part, Tag, ends_name},
    words::is_within_words,
};
use crate::{
    format::lexing::{
        lexer::{Region, Token, Value, is_space},
        lookahead::Lookahead,
        triggers::Triggers,
        value::may_hold_url,
    },
    simd::{
        sets::NEAR,
        sort::ending,
        types::{BLOCK, Level, Work},
    },
};

/// Whether `bytes`, which begin with a `<`, begin with a tag, a comment or a declaration.
/// `None`: more bytes are needed.
pub(in crate::format) fn is_markup(bytes: Lookahead<'_>) -> Option<bool> {
    match bytes.get(1) {
        None => bytes.is_last().then_some(false),
        Some(b'!' | b'?') => Some(true),
        Some(b'/') => match bytes.get(2) {
            None => bytes.is_last().then_some(false),
            Some(_) => Some(true),
        },
        Some(b) => Some(b.is_ascii_alphabetic()),
    }
}

/// Whether `bytes`, which begin with markup, begin with a tag after which there is data.
fn is_plain_tag(bytes: &[u8]) -> bool {
    let opening = bytes.get(1).is_some_and(u8::is_ascii_alphabetic);
    let end = bytes.iter().skip(1).take(32).position(|b| ends_name(*b));
    match end {
        Some(end) if opening => !ENDS_DATA.hold(&bytes[1..=end]),
        _ => bytes.starts_with(b"</") && bytes.get(2).is_some_and(u8::is_ascii_alphabetic),
    }
}

/// Whether the markup at `at` comes after a letter, a digit or a hyphen, and may be within a word.
fn divides_name(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| bytes[before]);
    before.is_some_and(|b| b.is_ascii_alphanumeric() || b == b'-')
        && is_within_words(Lookahead::part(&bytes[at..])).unwrap_or(true)
}

/// The attribute with this name holds:
enum Holds {
    References(Value),
    Prose,
    /// The bytes that decide are not there yet.
    Unknown,
}

/// Returns those of `equals`, in the block at `at`, whose attribute may hold more than prose.
#[inline(always)]
fn special(level: Level, bytes: &[u8], at: usize, equals: u64) -> u64 {
    let near = at.checked_sub(NEAR - BLOCK).and_then(|from| bytes[from..].first_chunk());
    equals & near.map_or(!0, |near| ending(level, near, &SPECIAL_ENDS))
}

/// Returns the last block of some bytes, filled up with bytes that are irregular.
#[cold]
fn padded(bytes: &[u8]) -> [u8; BLOCK] {
    let mut block = [b'='; BLOCK];
    block[..bytes.len()].copy_from_slice(bytes);
    block
}

/// Returns the bits from `from` on, which may be after the block.
#[inline(always)]
fn from(from: usize) -> u64 {
    if from < BLOCK { !0 << from } else { 0 }
}

/// What the lexer lends to skip.
pub(in crate::format) struct Skipper<'h> {
    pub(in crate::format) tag: &'h mut Tag,
    /// The tag is a `<meta http-equiv=refresh>`.
    pub(in crate::format) refresh: &'h mut bool,
    pub(in crate::format) triggers: Triggers,
    /// For the references that are found.
    pub(in crate::format) queue: &'h mut Queue,
    /// The first byte is in `tag`, where an attribute may begin.
    pub(in crate::format) in_tag: bool,
    /// The names of the elements and attributes of references are wanted.
    pub(in crate::format) names: bool,
}

/// How far skipping came.
pub(in crate::format) struct Skipped {
    /// The lexer goes on here.
    pub(in crate::format) at: usize,
    /// So many bytes before that have no token yet.
    pub(in crate::format) unsaid: usize,
    /// `at` is in [`Skipper::tag`].
    pub(in crate::format) in_tag: bool,
}

/// [`Skipper::seek`], compiled for each level of vector instructions.
struct Seek<'s, 'h, 'a> {
    skipper: &'s mut Skipper<'h>,
    course: &'s mut Course<'a>,
}

impl Work for Seek<'_, '_, '_> {
    type Out = Stop;

    #[inline(always)]
    fn run(self, level: Level) -> Stop {
        self.skipper.seek(level, self.course)
    }
}

/// The result of one mark in a block.
enum Mark {
    /// Nothing: the next mark.
    Pass,
    /// A value was read: marks in it do not count.
    Value,
    /// A tag was read; blocks go on at its end.
    Tag(usize),
    Stop(Stop),
}

/// A block with what it is needed to judge its marks.
struct Marked {
    block: Block,
    /// Where it begins.
    at: usize,
    special: u64,
    irregular: u64,
    /// The quote of its values.
    quote: u8,
}

impl Skipper<'_> {
    /// Skips from `from` on in `bytes`; `unsaid` bytes before `bytes` have no token yet.
    pub(in crate::format) fn skip(
        mut self,
        level: Level,
        bytes: &[u8],
        from: usize,
        unsaid: usize,
    ) -> Skipped {
        let mut course = Course {
            bytes,
            from,
            tags: Last::default(),
            named: None,
            ends: Last::default(),
            past: from,
            reference: None,
            said: 0,
            before: unsaid,
        };
        let stop = level.run(Seek { skipper: &mut self, course: &mut course });
        if let Stop::Tag(_) | Stop::Value(..) = stop {
            self.name_tag(&mut course);
        }
        self.tag.part = Part::BeforeAttribute;
        let (at, in_tag) = match stop {
            Stop::Data(at) => (at, false),
            Stop::Tag(at) => (at, true),
            Stop::Value(name, quote, at) => {
                self.tag.attribute = Name::from(&bytes[name]);
                self.tag.part = Part::Value { quote, inside: Inside::Unread };
                (at, true)
            }
        };
        Skipped { at, unsaid: course.before + at - course.said, in_tag }
    }

    /// Reads blocks; returns where it gives up.
    #[inline(always)]
    fn seek(&mut self, level: Level, course: &mut Course<'_>) -> Stop {
        let bytes = course.bytes;
        let mut layout = Layout::new(self.in_tag);
        // After the first tag there may be something else than data.
        let ends_data = self.in_tag && ENDS_DATA.hold(self.tag.element.get());
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
            let mut marks = self.triggers.marks(&block) & text | block.odd | special;
            if self.triggers == Triggers::ColonAtDot {
                marks |= block.starts;
            }
            marks = marks & from(course.past.saturating_sub(at)) | irregular;
            let marked = Marked { block, at, special, irregular, quote: layout.quote() };
            while marks != 0 {
                let i = marks.trailing_zeros();
                marks &= marks - 1;
                if at + i as usize >= bytes.len() {
                    break;
                }
                match self.mark(course, &marked, i, ends_data) {
                    Mark::Pass => {}
                    Mark::Value => marks &= from(course.past.saturating_sub(at)) | irregular,
                    Mark::Tag(end) => {
                        at = end;
                        layout = Layout::new(false);
                        continue 'blocks;
                    }
                    Mark::Stop(stop) => return stop,
                }
            }
            course.pass(&marked.block, at, !0);
            at += BLOCK;
        }
        match layout.is_in_tag() {
            true => self.finish_tag(course, ends_data).map_or_else(|stop| stop, Stop::Data),
            false => Stop::Data(course.text()),
        }
    }

    /// Judges the mark at bit `i` of a block.
    #[inline(always)]
    fn mark(&mut self, course: &mut Course<'_>, marked: &Marked, i: u32, ends_data: bool) -> Mark {
        let Marked { block, at, .. } = marked;
        let (bytes, bit, here) = (course.bytes, 1 << i, at + i as usize);
        if marked.special & !marked.irregular & bit != 0 {
            return match self.value(course, block, *at, here) {
                Some(stop) => Mark::Stop(stop),
                None => Mark::Value,
            };
        }
        if marked.irregular & bit != 0 {
            course.pass(block, *at, bit - 1);
            return match self.finish_tag(course, ends_data) {
                Ok(end) => Mark::Tag(end),
                Err(stop) => Mark::Stop(stop),
            };
        }
        if self.triggers == Triggers::ColonAtDot
            && block.starts & bit != 0
            && divides_name(bytes, here)
        {
            course.pass(block, *at, bit - 1);
            return Mark::Stop(Stop::Data(course.text()));
        }
        if block.odd & bit != 0 {
            course.pass(block, *at, bit - 1);
            return match is_markup(Lookahead::part(&bytes[here..])) {
                Some(true) if is_plain_tag(&bytes[here..]) => Mark::Pass,
                Some(true) => Mark::Stop(Stop::Data(here)),
                _ => Mark::Stop(Stop::Data(course.text())),
            };
        }
        if block.starts & bit != 0 {
            return Mark::Pass;
        }
        let text = block.tags & bit == 0;
        let place = if text { Where::Text } else { Where::Attribute };
        let quote = if block.bare & bit == 0 { marked.quote } else { 0 };
        let mut may_begin = self.triggers.may_begin(bytes, here, place);
        if let (Some(reference), b':') = (course.reference, bytes[here]) {
            // The letters of a scheme may be character references too.
            course.pass(block, *at, bit - 1);
            let near = match text {
                true => reference >= course.text(),
                false => course.are_in_one_value(reference, here, quote),
            };
            may_begin |= near;
            // If not, all that follows is in another value or text too.
            course.reference = course.reference.filter(|_| near);
        }
        if may_begin {
            course.pass(block, *at, bit - 1);
            let stop = if text { Stop::Data(course.text()) } else { course.at_value(here, quote) };
            return Mark::Stop(stop);
        }
        if bytes[here] == b'&' {
            course.reference = Some(here);
        }
        Mark::Pass
    }

    /// Reads the value after the `=` at `here`, if the attribute holds references: gives them a
    /// token. Does nothing if it holds prose. Returns a stop if it gives up.
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
        if let Some(tag) = self.area(course) {
            return Some(Stop::Data(tag));
        }
        let kind = if course.is_name(here, b"href") {
            if self.is_base(course) { Value::Base } else { Value::One }
        } else if course.is_name(here, b"src") {
            Value::One
        } else {
            let name = course.name(here);
            match self.holds(course, &bytes[name.clone()], value) {
                Holds::References(kind) => kind,
                Holds::Prose => return None,
                Holds::Unknown => return Some(Stop::Value(name, quote, value)),
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
        self.say(course, kind, course.name(here), value..end);
        course.past = end + usize::from(quote != 0);
        None
    }

    /// Returns where the last tag begins, if it is an `<area>` whose text is wanted: that may be
    /// before its reference.
    #[inline(always)]
    fn area(&self, course: &Course<'_>) -> Option<usize> {
        let tag = course.tags.get().filter(|_| self.names)?;
        let name = course.bytes[tag + 1..].split(|b| ends_name(*b)).next()?;
        name.eq_ignore_ascii_case(b"area").then_some(tag)
    }

    /// Whether the last tag is that of a `<base>`.
    #[inline(always)]
    fn is_base(&self, course: &Course<'_>) -> bool {
        let name = match course.tags.get() {
            Some(tag) => &course.bytes[tag + 1..],
            None => return self.tag.element.get() == b"base",
        };
        name.first().is_some_and(|b| b | 0x20 == b'b')
            && name.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"base"))
            && name.get(4).is_some_and(|b| ends_name(*b))
    }

    /// Returns what the attribute `name`, whose value is at `value`, holds.
    fn holds(&mut self, course: &mut Course<'_>, name: &[u8], value: usize) -> Holds {
        match name {
            b"href" if self.is_base(course) => Holds::References(Value::Base),
            b"href" | b"src" => Holds::References(Value::One),
            b"style" => Holds::References(Value::Css),
            name if SPECIAL.may_hold(name) => {
                self.name_tag(course);
                self.tag.attribute = Name::from(name);
                match attributes::meaning(
                    self.tag,
                    self.refresh,
                    Lookahead::part(&course.bytes[value..]),
                ) {
                    Meaning::More => Holds::Unknown,
                    Meaning::Text(Region::Reference(value)) => Holds::References(value),
                    _ => Holds::Prose,
                }
            }
            _ => Holds::Prose,
        }
    }

    /// Adds a token for the references in `value`.
    #[inline(always)]
    fn say(
        &mut self,
        course: &mut Course<'_>,
        kind: Value,
        name: Range<usize>,
        value: Range<usize>,
    ) {
        let may_hold = kind != Value::Css || may_hold_url(&course.bytes[value.clone()]);
        if !value.is_empty() && may_hold {
            let skipped = course.before + value.start - course.said;
            self.queue.push(Token::Whole(skipped, kind, value.len()));
            if self.names {
                self.name_tag(course);
                let attribute = Name::from(&course.bytes[name]);
                self.queue.names.push((self.tag.element, attribute));
            }
            (course.before, course.said) = (0, value.end);
        }
    }

    /// Reads the rest of the last tag, whose layout is irregular. Returns its end, or where it
    /// gives up. `ends_data`: after this tag there may be something else than data.
    #[inline(never)]
    fn finish_tag(&mut self, course: &mut Course<'_>, ends_data: bool) -> Result<usize, Stop> {
        let bytes = course.bytes;
        let over = |from: usize, is: fn(u8) -> bool| over(bytes, from, is);
        let is_name = |b: u8| !ends_name(b) && b != b'=';
        if let Some(tag) = self.area(course) {
            return Err(Stop::Data(tag));
        }
        let mut at = unread(course)?;
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
            // An `=` at the start of a name belongs to it.
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
            let is_read = match self.holds(course, &bytes[name.clone()], value) {
                Holds::References(kind)
                    if !self.queue.is_full() && !bytes[value..end].contains(&b'&') =>
                {
                    self.say(course, kind, name.clone(), value..end);
                    true
                }
                Holds::Prose => !self.triggers.may_be_in(bytes, value..end),
                _ => false,
            };
            if !is_read {
                return Err(Stop::Value(name, quote, value));
            }
            at = end + usize::from(quote != 0);
            course.past = at;
        }
    }

    /// Takes the name of the last tag, if that was not done.
    fn name_tag(&mut self, course: &mut Course<'_>) {
        if let Some(tag) = course.tags.get()
            && course.named != Some(tag)
        {
            let name = &course.bytes[tag + 1..];
            let end = name.iter().position(|b| ends_name(*b)).unwrap_or(name.len());
            self.tag.element = Name::from(&name[..end]);
            (self.tag.closing, *self.refresh) = (false, false);
            course.named = Some(tag);
        }
    }
}

/// The place of the first byte from `from` on that is none of these.
#[inline]
fn over(bytes: &[u8], from: usize, is: fn(u8) -> bool) -> Option<usize> {
    bytes[from..].iter().position(|b| !is(*b)).map(|n| from + n)
}

/// Where the attributes of the last tag begin that are not read yet, or where the skipper gives up.
#[inline]
fn unread(course: &Course<'_>) -> Result<usize, Stop> {
    let stop = course.in_tag();
    match stop {
        Stop::Tag(at) => Ok(at),
        Stop::Data(tag) if course.closing().is_none() => {
            over(course.bytes, tag + 1, |b| !ends_name(b)).ok_or(stop)
        }
        _ => Err(stop),
    }
}
