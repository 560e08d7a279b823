//! HTML, as the tokenizer of the HTML standard (section 13.2.5) divides it.
//!
//! Knows elements and attributes; builds no tree, so that what a parser does with
//! tags that do not belong does not matter. Malformed markup is what the standard
//! makes of it.

use core::ops::Range;

use super::{
    entities::{Reference, Where, reference, referenced},
    lexer::{Lexer, Region, Token, Value, begins, until},
    marks::Marks,
    tag::{Inside, Name, Part, Tag, ends_name},
    value::is_space,
};
use crate::prefilter::{Anchors, classes::Set, vector::Level};

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
    queued: Option<Token>,
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

/// What the names of the elements begin with behind which there is no data.
const ENDS_DATA: &[u8] = b"sintxpSINTXP";

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
    /// no reference; at any other than its end, it may hold one.
    #[inline(always)]
    fn end(self, marks: &mut Marks<'_, 4>, set: usize, from: usize) -> Option<usize> {
        let at = marks.next(set, from)?;
        if marks.bytes()[at] == b'&' { self.end_behind(marks, set, at) } else { Some(at) }
    }

    /// The same, at a reference.
    #[inline(never)]
    fn end_behind(self, marks: &mut Marks<'_, 4>, set: usize, mut at: usize) -> Option<usize> {
        let place = if set == TEXT { Where::Text } else { Where::Attribute };
        let is_told = |b: &u8| self.stops()[TEXT].has(*b) && !b"<&".contains(b);
        while marks.bytes()[at] == b'&' {
            let len = match reference(&marks.bytes()[at..], false, place) {
                Reference::Is(len, chars) if !chars.as_bytes().iter().any(is_told) => len,
                Reference::None => 1,
                _ => break,
            };
            at = marks.next(set, at + len)?;
        }
        Some(at)
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
            queued: None,
            state: State::Data,
            open: false,
            tag: Tag::new(false),
            refresh: false,
            escaped: 0,
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
            _ if self.tag.closing => State::Data,
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

/// Whether the value of an attribute counts for more than its prose; or might, for the
/// name is not in lower case.
fn is_special(name: &[u8]) -> bool {
    match name {
        b"href" | b"src" | b"srcset" | b"style" | b"xlink:href" | b"poster" | b"formaction"
        | b"cite" | b"background" | b"longdesc" | b"lowsrc" | b"dynsrc" | b"codebase"
        | b"action" | b"data" | b"manifest" | b"profile" | b"ping" | b"imagesrcset"
        | b"http-equiv" | b"content" => true,
        _ => name.iter().any(u8::is_ascii_uppercase),
    }
}

impl Html {
    /// Passes over what can be told at once to hold nothing: whole tags, and text
    /// before them. How many bytes that is; the state is that behind them.
    fn glide(&mut self, bytes: &[u8]) -> usize {
        let mut at = match (self.state, self.tag.part) {
            (State::Data, _) | (State::Tag, Part::BeforeAttribute) => 0,
            (State::Tag, Part::Value { quote, inside: Inside::Opaque })
                if bytes.first() == Some(&quote) =>
            {
                self.tag.part = Part::BeforeAttribute;
                1
            }
            _ => return 0,
        };
        let mut marks = Marks::new(self.level, bytes, self.told.stops());
        let mut in_tag = self.state == State::Tag;
        // The name of the tag, if it is not that of `self.tag` yet.
        let mut tag = 0..0;
        let value = 'found: loop {
            if !in_tag {
                let text = at;
                let Some(open) = self.told.end(&mut marks, TEXT, text) else { break None };
                if bytes[open] != b'<' || open > text && self.told == Told::Any {
                    break None;
                }
                let (name, closing) = match bytes[open + 1..] {
                    [b'/', b, ..] if b.is_ascii_alphabetic() => (open + 2, true),
                    [b, ..] if b.is_ascii_alphabetic() => (open + 1, false),
                    _ => break None,
                };
                match marks.next(NAME, name) {
                    Some(end) if bytes[end] != b'=' && (!closing || bytes[end] == b'>') => at = end,
                    _ => break None,
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
            let mut name = at;
            let (name, stop) = loop {
                let Some(stop) = marks.next(NAME, name) else { break 'found None };
                match bytes[stop] {
                    b'>' | b'=' => break (name..stop, stop),
                    // White space, `/`; an attribute without a value before it.
                    _ => name = stop + 1,
                }
            };
            if bytes[stop] == b'>' {
                at = stop + 1;
                in_tag = false;
                if bytes.get(tag.start).is_some_and(|b| ENDS_DATA.contains(b)) || tag.is_empty() {
                    self.name_tag(bytes, tag.clone());
                    tag = 0..0;
                    self.tag_end();
                    if self.state != State::Data {
                        return at;
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
            let close = match is_special(&bytes[name.clone()]) {
                true => None,
                false if quote == b'"' => self.told.end(&mut marks, DOUBLE, value),
                false => self.told.end(&mut marks, SINGLE, value),
            };
            match close {
                Some(end) if bytes[end] == quote && (end == value || self.told != Told::Any) => {
                    at = end + 1;
                }
                _ => break Some((name, quote, value)),
            }
        };
        if in_tag {
            self.name_tag(bytes, tag);
        }
        self.state = if in_tag { State::Tag } else { State::Data };
        self.tag.part = Part::BeforeAttribute;
        let Some((name, quote, value)) = value else { return at };
        self.tag.attribute = Name::from(&bytes[name]);
        self.tag.part = Part::Value { quote, inside: Inside::Unread };
        value
    }

    fn name_tag(&mut self, bytes: &[u8], tag: Range<usize>) {
        if !tag.is_empty() {
            self.tag.element = Name::from(&bytes[tag]);
        }
    }

    /// References that are all there, and nothing in them is escaped.
    fn whole(&mut self, bytes: &[u8]) -> Option<Token> {
        let Part::Value { quote: quote @ (b'"' | b'\''), inside: Inside::Unread } = self.tag.part
        else {
            return None;
        };
        let len = memchr::memchr2(quote, b'&', bytes).filter(|at| bytes[*at] == quote)?;
        match region(&self.tag, &mut self.refresh, bytes, false)? {
            Region::Reference(value) if len > 0 => {
                self.tag.part = Part::Value { quote, inside: Inside::Opaque };
                Some(Token::Whole(value, len))
            }
            _ => None,
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

impl Lexer for Html {
    fn next(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        if let Some(token) = self.queued.take() {
            return Some(token);
        }
        if self.open || self.tag.is_open() {
            return self.step(bytes, last);
        }
        let mut done = 0;
        loop {
            done += self.glide(&bytes[done..]);
            let token = self.whole(&bytes[done..]);
            match token.or_else(|| self.step(&bytes[done..], last)) {
                Some(Token::Skip(n)) => done += n,
                token if done == 0 => return token,
                token => {
                    self.queued = token;
                    return Some(Token::Skip(done));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::tests::{all_cuts, hostile};

    proptest! {
        /// Cuts change nothing, the tokens are the document, and nothing is looked at
        /// from afar; with what may be passed over at once and without.
        #[test]
        fn any_bytes(document in hostile(&[
            "<", "<a ", "</a>", ">", "href=", "'", "\"", "&", "&amp;", "&#58;", ";", "http://a",
            "<!--", "-->", "--!>", "<!", "<?", "<script>", "</script", "<style>", "</style>", "url(",
            ")", "@import ", "/*", "*/", "<title>", "<meta content=", "5;url=", " ", "/", "é",
            "<plaintext>", "<textarea>", "=", "x:y", "\\",
        ])) {
            for told in [Told::Any, Told::Colon, Told::ColonAtDot] {
                all_cuts(&Html::new(told), &document, |text| match text.region {
                    Region::Reference(_) => !text.bytes.is_empty(),
                    Region::Prose | Region::Field => match told {
                        Told::Any => !text.bytes.is_empty(),
                        _ => text.bytes.iter().any(|b| told.stops()[TEXT].has(*b) && !b"<&".contains(b)),
                    },
                });
            }
        }
    }
}
