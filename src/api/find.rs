//! Searching a slice: all its links, the link at an offset, a place to cut.

use alloc::{boxed::Box, collections::VecDeque, string::String, sync::Arc, vec::Vec};

use super::{finder::Finder, paged::Paged};
use crate::{
    charset::{
        Charset, Shape,
        decider::Decider,
        detect::{self, Basis, Bom},
        lookahead::Lookahead,
        window::{Ahead, Window},
    },
    engine::{
        boundaries::{Dividing, neighbourhood},
        nested,
        rules::Rules,
        search::{First, Search},
    },
    format::{
        kinds::Format, lexing::escape, markup::words::is_within_words, row::Division, source,
        xml::runs,
    },
    grammar::types::Found,
    links::matched::Match,
};

/// Bytes to search, and their charset if it is known.
///
/// Strings, slices, arrays and vectors turn into an input; a string is UTF-8.
///
/// ```
/// use iriscan::{Charset, Finder, Input};
///
/// let bytes = b"h\0t\0t\0p\0:\0/\0/\0\xE9\0.\0f\0r\0";
/// let input = Input::new(bytes).charset(Charset::UTF_16LE);
/// let link = Finder::new().find_iter(input).next().unwrap();
/// assert_eq!(link.text(), "http://é.fr");
/// assert_eq!(link.range(), 0..22); // bytes of the source
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Input<'h> {
    bytes: &'h [u8],
    charset: Option<Charset>,
}

impl<'h> Input<'h> {
    /// Bytes in the charset of the finder; if it has none, the charset is detected.
    #[must_use]
    pub fn new(bytes: &'h [u8]) -> Input<'h> {
        Input { bytes, charset: None }
    }

    pub(crate) fn bytes(&self) -> &'h [u8] {
        self.bytes
    }

    /// The charset of the bytes, instead of the one of the finder.
    #[must_use]
    pub fn charset(mut self, charset: Charset) -> Input<'h> {
        self.charset = Some(charset);
        self
    }
}

impl<'h> From<&'h [u8]> for Input<'h> {
    fn from(bytes: &'h [u8]) -> Input<'h> {
        Input::new(bytes)
    }
}

impl<'h> From<&'h str> for Input<'h> {
    fn from(text: &'h str) -> Input<'h> {
        Input::new(text.as_bytes()).charset(Charset::UTF_8)
    }
}

impl<'h, const N: usize> From<&'h [u8; N]> for Input<'h> {
    fn from(bytes: &'h [u8; N]) -> Input<'h> {
        Input::new(bytes)
    }
}

impl<'h> From<&'h Vec<u8>> for Input<'h> {
    fn from(bytes: &'h Vec<u8>) -> Input<'h> {
        Input::new(bytes)
    }
}

impl<'h> From<&'h String> for Input<'h> {
    fn from(text: &'h String) -> Input<'h> {
        Input::from(text.as_str())
    }
}

#[cfg(feature = "bytes")]
impl<'h> From<&'h bytes::Bytes> for Input<'h> {
    fn from(bytes: &'h bytes::Bytes) -> Input<'h> {
        Input::new(bytes)
    }
}

/// The links of a slice, in order of their start.
#[derive(Clone, Debug)]
pub struct FindIter<'h> {
    bytes: &'h [u8],
    inner: Inner<'h>,
}

/// Whether the end of a text is seen before the machine comes to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EndOf {
    /// It is a short text: after each link the rest is looked over for another anchor.
    ShortText,
    /// There is no other link.
    Reached,
    /// It is not sought.
    Other,
}

// A search has no memory of its own, because most texts are short: to get and free it took as long as to
// search ten words.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
enum Inner<'h> {
    /// A short text without the bytes that every link has, in the charset that was given.
    NoLinks(Option<Charset>),
    Text(Search, EndOf),
    Document(Box<Paged<'h>>),
    /// A text of whose links the queries are searched too.
    Nested(Box<Nested<'h>>),
}

/// The links of a text, each with those in its query.
#[derive(Clone, Debug)]
struct Nested<'h> {
    /// All of the text, if there is a filter or not.
    all: FindIter<'h>,
    rules: Arc<Rules>,
    links: VecDeque<Match<'h>>,
}

/// Texts of at most so many bytes are first looked over for anchors, because that takes less time
/// than a search takes to begin. Longer ones would be read twice for little.
const SHORT: usize = 2048;

impl<'h> FindIter<'h> {
    #[inline]
    pub(crate) fn new(finder: &Finder, input: Input<'h>) -> FindIter<'h> {
        match finder.format != Format::Text || finder.rules.nested.is_some() {
            true => FindIter::apart(finder, input),
            false => FindIter::in_text(finder, input),
        }
    }

    /// As [`FindIter::new`], of a document in a format, or of a text of whose links the queries are searched too.
    #[inline(never)]
    fn apart(finder: &Finder, input: Input<'h>) -> FindIter<'h> {
        let (rules, bytes) = (&finder.rules, input.bytes);
        if finder.format != Format::Text {
            let charset = input.charset.or(finder.charset);
            let paged = Paged::new(rules, finder.format, charset);
            return FindIter { bytes, inner: Inner::Document(Box::new(paged)) };
        }
        let all = FindIter::in_text(finder, input);
        let nested = Nested { all, rules: rules.clone(), links: VecDeque::new() };
        FindIter { bytes, inner: Inner::Nested(Box::new(nested)) }
    }

    /// As [`FindIter::new`], of plain text: all links that the search gives.
    // Each arm makes the whole iterator, so that it is not moved.
    #[inline]
    fn in_text(finder: &Finder, input: Input<'h>) -> FindIter<'h> {
        let (rules, bytes) = (&finder.rules, input.bytes);
        let charset = input.charset.or(finder.charset);
        if bytes.len() <= SHORT {
            match Search::first_anchor(rules, charset, bytes) {
                First::None => return FindIter { bytes, inner: Inner::NoLinks(charset) },
                First::At(at, charset, colon) => {
                    let search = Search::from_anchor(rules.clone(), charset, (at, colon));
                    return FindIter { bytes, inner: Inner::Text(search, EndOf::ShortText) };
                }
                First::Unknown => {}
            }
        }
        FindIter::of_search(finder, input)
    }

    /// As [`FindIter::in_text`], where the search is told nothing.
    #[inline(never)]
    fn of_search(finder: &Finder, input: Input<'h>) -> FindIter<'h> {
        let search = Search::new(finder.rules.clone(), input.charset.or(finder.charset));
        FindIter { bytes: input.bytes, inner: Inner::Text(search, EndOf::Other) }
    }

    /// The charset that the bytes are read in, and why. It is final at the end of the
    /// iterator, because detection reads only as far as the next link needs.
    #[must_use]
    pub fn charset(&self) -> (Charset, Basis) {
        match &self.inner {
            // Without a byte order mark the charset is the one that was given.
            Inner::NoLinks(Some(given))
                if matches!(detect::bom(Lookahead::whole(self.bytes)), Bom::Absent) =>
            {
                (*given, Basis::Given)
            }
            Inner::NoLinks(given) => {
                let mut decider = Decider::new(*given);
                decider.charset_of(Window { bytes: self.bytes, base: 0, ahead: Ahead::Nothing });
                decider.charset()
            }
            Inner::Text(search, _) => search.charset(),
            Inner::Document(paged) => paged.charset(),
            Inner::Nested(nested) => nested.all.charset(),
        }
    }

    /// How many candidates were too long to be links
    /// ([`Config::max_len`](crate::api::config::Config::max_len)). It is final at the end of
    /// the iterator; in formats other than text it is 0 before that.
    ///
    /// ```
    /// use iriscan::Config;
    ///
    /// let finder = Config::new().max_len(20).build().unwrap();
    /// let mut links = finder.find_iter("http://a.example/ http://a.example/long");
    /// assert_eq!(links.by_ref().count(), 1);
    /// assert_eq!(links.overlong(), 1);
    /// ```
    #[must_use]
    pub fn overlong(&self) -> u64 {
        match &self.inner {
            Inner::NoLinks(_) => 0,
            Inner::Text(search, _) => search.overlong(),
            Inner::Document(paged) => paged.overlong(),
            Inner::Nested(nested) => nested.all.overlong(),
        }
    }
}

impl<'h> Nested<'h> {
    #[inline(never)]
    fn next(&mut self) -> Option<Match<'h>> {
        while self.links.is_empty() {
            let link = self.all.next()?;
            let mut inner = VecDeque::new();
            let taken = nested::each(&self.rules, &link, |link| {
                inner.push_back(link);
                Ok(())
            });
            taken.expect(TAKES_ALL);
            self.links.extend(self.rules.choose(&link).then_some(link));
            self.links.append(&mut inner);
        }
        self.links.pop_front()
    }
}

const TAKES_ALL: &str = "a queue should take all links";

/// A link with what is around it.
#[cold]
#[inline(never)]
fn surrounded<'h>(search: &mut Search, mut link: Match<'h>) -> Match<'h> {
    search.surround(&mut link);
    link
}

impl<'h> FindIter<'h> {
    /// As [`FindIter::next`], of an input that is no text, or whose links are searched too.
    // A call of its own, so that a text is not reached by a table of jumps.
    #[inline(never)]
    fn next_apart(&mut self) -> Option<Match<'h>> {
        match &mut self.inner {
            Inner::NoLinks(_) | Inner::Text(..) => None,
            Inner::Document(paged) => paged.next(self.bytes),
            // There is none of strings alone.
            Inner::Nested(_) if cfg!(iriscan_strings) => None,
            Inner::Nested(nested) => nested.next(),
        }
    }
}

/// The next link of a text.
#[inline(always)]
fn next_in_text<'h>(bytes: &'h [u8], search: &mut Search, end: &mut EndOf) -> Option<Match<'h>> {
    if *end == EndOf::Reached {
        return None;
    }
    let w = Window { bytes, base: 0, ahead: Ahead::Nothing };
    let mut found = Found::NONE;
    search.next(w, &mut found).then_some(())?;
    let rest = &bytes[w.index(found.end)..];
    if *end == EndOf::ShortText && !search.may_go_on(rest) {
        *end = EndOf::Reached;
    }
    let context = found.context().undecided(search.is_undecided(found.end));
    let source = &bytes[w.index(found.start)..w.index(found.end)];
    let charset = search.charset_before(found.end);
    let link = Match::of(source, found.in_context(context), charset, search.uri_options());
    match search.has_surroundings() {
        true => Some(surrounded(search, link)),
        false => Some(link),
    }
}

impl<'h> Iterator for FindIter<'h> {
    type Item = Match<'h>;

    #[inline]
    fn next(&mut self) -> Option<Match<'h>> {
        match &mut self.inner {
            Inner::NoLinks(_) => None,
            Inner::Text(search, end) => next_in_text(self.bytes, search, end),
            _ => self.next_apart(),
        }
    }
}

impl core::iter::FusedIterator for FindIter<'_> {}

impl Finder {
    /// The links of `input`, in order of their start.
    ///
    /// `input` is a string, or bytes in the charset of the finder (if it has none, the charset
    /// is detected), or an [`Input`]. Time is linear in its length.
    pub fn find_iter<'h>(&self, input: impl Into<Input<'h>>) -> FindIter<'h> {
        FindIter::new(self, input.into())
    }

    /// Whether `input` has a link. It stops at the first one.
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// assert!(Finder::new().has_link("see http://a.example/ and more"));
    /// assert!(!Finder::new().has_link(b"see a.example"));
    /// ```
    #[must_use]
    pub fn has_link<'h>(&self, input: impl Into<Input<'h>>) -> bool {
        self.find_iter(input).next().is_some()
    }

    /// The link around the byte at `offset`, the same as [`Finder::find_iter`] finds there: for
    /// editors, terminals and mail views.
    ///
    /// If the charset is given ([`Input::charset`]; a string is UTF-8), only the text up to
    /// the nearest spaces between words, or empty lines, on either side is read. Otherwise
    /// detection reads from the start to the first byte that decides. In ISO-2022-JP, in
    /// UTF-16 and UTF-32 that were detected, and in every format but text, all of `input` up
    /// to the link is read. Of links in each other ([`Config::nested`](crate::Config::nested)) it is the outermost one.
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let text = "siehe https://de.example/Straße, danke";
    /// let finder = Finder::new();
    /// assert_eq!(finder.find_at(text, 20).unwrap().text(), "https://de.example/Straße");
    /// assert!(finder.find_at(text, 35).is_none());
    /// ```
    #[must_use]
    pub fn find_at<'h>(&self, input: impl Into<Input<'h>>, offset: usize) -> Option<Match<'h>> {
        let input = input.into();
        if self.rules.nested.is_some() {
            return self.clone().nested(false).find_at(input, offset);
        }
        let bytes = input.bytes;
        if offset >= bytes.len() {
            return None;
        }
        let whole = Window { bytes, base: 0, ahead: Ahead::Nothing };
        let given = input.charset.or(self.charset);
        let mut decider = Decider::new(given);
        let charset = decider.charset_of(whole);
        let formatted = self.format != Format::Text;
        if formatted
            || given.is_none() && matches!(charset.shape(), Shape::Wide { .. } | Shape::Stateful)
        {
            // `find_iter` reads the first characters before the charset is decided.
            let reaches = |link: &Match<'_>| link.range().start <= offset;
            let mut links = self.find_iter(input).take_while(reaches);
            return links.find(|link| link.range().contains(&offset));
        }
        let near = neighbourhood(bytes, offset, charset);
        let w = Window { bytes: &bytes[near.clone()], base: 0, ahead: Ahead::Nothing };
        let mut search = Search::within(self.rules.clone(), charset);
        let base = near.start as u64;
        let mut found = Found::NONE;
        core::iter::from_fn(|| search.next(w, &mut found).then(|| found.moved(base)))
            .take_while(|found| found.start <= offset as u64)
            .find(|found| (offset as u64) < found.end)
            .map(|found| {
                let source = &bytes[whole.index(found.start)..whole.index(found.end)];
                Match::of(source, found, decider.charset_before(found.end), self.rules.uri)
            })
    }
}

impl Finder {
    /// The first place at or after `at` where a stream in `charset` may be cut, so that both
    /// parts together have the links of the whole: for threads that share the work.
    ///
    /// `None` if there is no such place in `bytes`, or if only all bytes before it could show
    /// one: in charsets with state (ISO-2022-JP), in Turtle, in JSON with
    /// [`Config::fields`](crate::api::config::Config::fields), and in formats that are
    /// transcoded to be read.
    ///
    /// In formats other than text the place is a candidate. Push all bytes before it, and ask
    /// [`Scanner::is_at_boundary`](crate::api::scanner::Scanner::is_at_boundary).
    ///
    /// `bytes` are a piece of the stream. It starts at a multiple of 4 bytes, and at least 16
    /// bytes before `at` unless the stream starts there. Scan the bytes after the cut with
    /// [`Scanner::rest`](crate::api::scanner::Scanner::rest).
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use iriscan::{Charset, Finder, Match, Sink};
    ///
    /// struct Count;
    ///
    /// impl Sink for Count {
    ///     type Error = std::convert::Infallible;
    ///     fn text(&mut self, _: &[u8]) -> Result<(), Self::Error> {
    ///         Ok(())
    ///     }
    ///     fn matched(&mut self, _: &Match<'_>) -> Result<ControlFlow<()>, Self::Error> {
    ///         Ok(ControlFlow::Continue(()))
    ///     }
    /// }
    ///
    /// let text = "one http://a.example and http://b.example too";
    /// let finder = Finder::new();
    /// let cut = finder.boundary(text.as_bytes(), Charset::UTF_8, 16).unwrap();
    /// assert_eq!(&text[cut..], " and http://b.example too");
    /// let mut first = finder.scanner();
    /// first.push(&text.as_bytes()[..cut], &mut Count)?;
    /// assert!(first.is_at_boundary());
    /// let mut second = first.rest(cut as u64);
    /// second.push(&text.as_bytes()[cut..], &mut Count)?;
    /// assert_eq!(first.finish(&mut Count)?.links, 1);
    /// assert_eq!(second.finish(&mut Count)?.links, 1);
    /// # Ok::<(), std::convert::Infallible>(())
    /// ```
    #[must_use]
    pub fn boundary(&self, bytes: &[u8], charset: Charset, at: usize) -> Option<usize> {
        let text = Dividing::of(bytes, charset)?;
        // An escape near the place may be one for a space.
        let near = |at: usize| &bytes[at.saturating_sub(escape::LONGEST)..bytes.len().min(at + 2)];
        match (self.format.row().division, charset.shape()) {
            (Division::Text, _) => text.next(at, |_| true),
            (Division::Tags, Shape::Utf8 | Shape::Single | Shape::Multi) => {
                let mut opens = memchr::memchr_iter(b'<', bytes.get(at..)?).map(|open| at + open);
                opens.find(|open| is_tag(bytes, *open))
            }
            (Division::Unescaped, Shape::Utf8 | Shape::Single)
                if self.rules.options.fields.is_empty() =>
            {
                text.next(at, |place| !near(place).contains(&b'\\'))
            }
            (Division::Apart, Shape::Utf8 | Shape::Single) => {
                text.next(at, |place| source::is_apart(bytes, place))
            }
            (Division::Lines, Shape::Utf8 | Shape::Single | Shape::Multi) => {
                let from = at.max(1) - 1;
                let end = memchr::memchr(b'\n', bytes.get(from..)?).map(|end| from + end + 1);
                end.filter(|end| *end < bytes.len())
            }
            _ => None,
        }
    }
}

/// Whether a tag of HTML or XML begins at `at`, after a space, or after another tag if it divides words.
fn is_tag(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|at| bytes[at]);
    let divides = match before {
        Some(b' ' | b'\t' | b'\r' | b'\n') => true,
        Some(b'>') => !is_within_words(Lookahead::part(&bytes[at..])).unwrap_or(true),
        _ => false,
    };
    divides
        && !runs::may_be_within_word(&bytes[at..])
        && match bytes[at..] {
            [b'<', b'/', b, ..] | [b'<', b, ..] => b.is_ascii_alphabetic(),
            _ => false,
        }
}
