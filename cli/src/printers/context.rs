//! Links with the text before and after them, for the terminal and the page.
//!
//! In go the bytes of a document and its links; out come links with the decoded text of their
//! line. What must hold: memory does not grow with the length of a line, because only the text
//! near a link is kept.

use std::{borrow::Cow, collections::VecDeque, io, mem, ops::Range, sync::Arc};

use iriscan::{
    Charset, Format, Kind, Link, Match, Uri, UriError,
    mail::{Headers, MailLink},
    reference::{Components, unwrap_link},
};

use super::readable::{is_markup, needed, within};
use crate::messages::text::are_all;

/// The bytes of a line that are kept before and after a link, in UTF-8.
const NEAR: usize = 1000;

/// The bytes that may come before UTF-16 or UTF-32 without a byte order mark is detected.
const EARLY: usize = 16;

/// How much of the text before and after a link is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Near {
    /// The line that it is in.
    Line,
    /// So many characters, over line ends too.
    Chars(usize),
}

impl Near {
    /// So many characters on each side are needed of the text of a message in this format.
    pub(crate) fn in_mail(self, format: Format) -> usize {
        let chars = match self {
            Near::Line => NEAR / 4,
            Near::Chars(chars) => chars,
        };
        // One more shows that a text before a link is cut.
        needed(chars, is_markup(format)).saturating_add(1)
    }

    /// The text before and after a link in mail.
    pub(crate) fn of_mail(self, found: &MailLink) -> (String, String) {
        let (before, after) =
            (found.before().unwrap_or_default(), found.after().unwrap_or_default());
        let (link, markup) = (found.link().as_match(), is_markup(found.format()));
        let (lines, chars) = match self {
            Near::Line => (!markup, NEAR / 4),
            Near::Chars(chars) => (false, chars),
        };
        let line = ['\n', '\r'];
        let before = before.rsplit(line).next().filter(|_| lines).unwrap_or(before);
        let after = after.split(line).next().filter(|_| lines).unwrap_or(after);
        // A space follows the name of a field.
        let begins_field = found.header().is_some() && before.chars().nth(chars).is_none();
        let before = if begins_field { before.trim_start() } else { before };
        within(&link, markup, before, after, chars)
    }
}

/// A link with the text around it.
#[derive(Clone, Debug)]
pub(crate) struct ShownLink<'s> {
    /// The line of the input, from 1.
    pub(crate) line: u64,
    /// In mail: the part, or the field of the head.
    pub(crate) place: Option<Cow<'s, str>>,
    /// The line before the link, or the end of that.
    pub(crate) before: Cow<'s, str>,
    /// The link as it is written.
    pub(crate) text: Cow<'s, str>,
    /// The line after the link, or the start of that.
    pub(crate) after: Cow<'s, str>,
    /// All of it, without the text around.
    pub(crate) link: Match<'s>,
    /// Its bytes of the source; `None` if it was decoded from other bytes.
    pub(crate) span: Option<Range<u64>>,
    /// The message that it is in.
    pub(crate) message: Option<&'s Arc<Headers>>,
}

impl<'s> ShownLink<'s> {
    /// A link of the message that starts at byte `at` and in line `line`.
    pub(crate) fn of_mail(
        found: &'s MailLink,
        near: Near,
        at: u64,
        line: u64,
        message: Option<&'s Arc<Headers>>,
    ) -> ShownLink<'s> {
        let link = found.link();
        let (before, after) = near.of_mail(found);
        let place = match found.header() {
            Some(header) => header.into(),
            None => format!("part {}", found.part()).into(),
        };
        ShownLink {
            line: line + found.line() - 1,
            place: Some(place),
            before: before.into(),
            text: link.iri(),
            after: after.into(),
            link: link.as_match(),
            span: found.span().map(|span| at + span.start..at + span.end),
            message,
        }
    }
}

/// [`Match::open`] of `link`, whose URI form is `uri`; `None` for an error. Most links open by that URI,
/// which is not made twice.
pub(crate) fn opened<'u>(
    link: &Match<'_>,
    uri: &'u Result<Uri<'_>, UriError>,
) -> Option<Cow<'u, str>> {
    let opens_as_it_is = |uri: &str| {
        let is_whole = link.kind() == Kind::Iri && Components::split(uri).scheme().is_some();
        is_whole && unwrap_link(uri).is_none()
    };
    let open = match uri {
        Ok(uri) if opens_as_it_is(uri.as_str()) => Some(uri.as_str().into()),
        _ => link.open().ok().map(Into::into),
    };
    debug_assert_eq!(open.as_deref(), link.open().ok().as_deref());
    open
}

/// True if a click may open the URI `open`. Only four schemes are allowed, because any program may
/// have registered others, and the document may be hostile.
pub(crate) fn may_open(open: &str) -> bool {
    let begins = |scheme: &&str| {
        open.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    ["http:", "https:", "ftp:", "mailto:"].iter().any(begins)
        && are_all(open.as_bytes(), |b| (b'!'..=b'~').contains(&b))
}

/// A link that needs more text after it.
#[derive(Debug)]
struct Pending {
    /// Its place in the buffer.
    range: Range<usize>,
    line: u64,
    link: Link,
}

/// Takes links whose context is complete.
pub(crate) type Each<'e> = dyn FnMut(ShownLink<'_>) -> io::Result<()> + 'e;

/// Collects the text before and after links.
#[derive(Debug)]
pub(crate) struct Context {
    near: Near,
    /// True if the text has tags, which are left out of [`Near::Chars`].
    markup: bool,
    charset: Charset,
    /// The first bytes, which are decoded again if the charset turns out to be UTF-16 or
    /// UTF-32.
    early: Vec<u8>,
    /// The last escape sequence of ISO-2022-JP.
    escape: Vec<u8>,
    line: u64,
    after_cr: bool,
    /// The line so far, or the end of that.
    buffer: String,
    pending: VecDeque<Pending>,
}

impl Context {
    /// The start of a stream whose links are shown in their lines.
    pub(crate) fn new() -> Context {
        Context::of(Near::Line)
    }

    /// The start of a stream, of which so much is wanted around a link.
    pub(crate) fn of(near: Near) -> Context {
        Context {
            near,
            markup: false,
            charset: Charset::UTF_8,
            early: Vec::new(),
            escape: Vec::new(),
            line: 1,
            after_cr: false,
            buffer: String::new(),
            pending: VecDeque::new(),
        }
    }

    /// The start of another stream, which is markup or not.
    pub(crate) fn restarted(&self, markup: bool) -> Context {
        Context { markup, ..Context::of(self.near) }
    }

    /// How much of the text is wanted.
    pub(crate) fn near(&self) -> Near {
        self.near
    }

    /// As [`Sink::charset`](iriscan::Sink::charset).
    pub(crate) fn charset(&mut self, charset: Charset) {
        self.charset = charset;
        let wide = charset.name().starts_with("UTF-16") || charset.name().starts_with("UTF-32");
        if wide && self.pending.is_empty() && self.early.len() <= EARLY {
            let early = mem::take(&mut self.early);
            *self = Context { charset, ..self.restarted(self.markup) };
            self.push(&charset.decode(&early));
        }
    }

    /// Takes text between links.
    pub(crate) fn text(&mut self, bytes: &[u8], each: &mut Each<'_>) -> io::Result<()> {
        if self.early.len() <= EARLY {
            self.early.extend_from_slice(&bytes[..bytes.len().min(EARLY + 1)]);
        }
        let charset = self.charset;
        // Two escape sequences in a row are malformed.
        let text = if self.escape.is_empty() || bytes.first() == Some(&0x1B) {
            charset.decode(bytes)
        } else {
            charset.decode(&[&self.escape, bytes].concat()).into_owned().into()
        };
        self.shift(bytes);
        let mut rest = &*text;
        while let Some(at) = line_end(rest) {
            self.push(&rest[..at]);
            if self.near == Near::Line {
                self.settle_all(each)?;
                self.buffer.clear();
            } else {
                self.buffer.push_str(&rest[at..=at]);
            }
            self.end_line(rest.as_bytes()[at]);
            rest = &rest[at + 1..];
        }
        self.push(rest);
        self.settle(each)
    }

    /// Takes a link. `around`: the link that it is in, which was the last link or text.
    pub(crate) fn link(
        &mut self,
        link: &Match<'_>,
        around: Option<&Match<'_>>,
        each: &mut Each<'_>,
    ) -> io::Result<()> {
        if let Some(around) = around {
            return self.nested(link, around, each);
        }
        self.early.resize(EARLY + 1, 0);
        let line = self.line;
        self.shift(link.source());
        self.after_cr = false;
        let start = self.buffer.len();
        let text = link.text();
        self.buffer.push_str(&text);
        // A wrapped link contains line ends.
        let ends = memchr::memchr2_iter(b'\n', b'\r', text.as_bytes());
        ends.for_each(|at| self.end_line(text.as_bytes()[at]));
        let range = start..self.buffer.len();
        self.pending.push_back(Pending { range, line, link: link.to_link() });
        self.settle(each)
    }

    /// Takes a link in the query of the link `around`.
    fn nested(
        &mut self,
        link: &Match<'_>,
        around: &Match<'_>,
        each: &mut Each<'_>,
    ) -> io::Result<()> {
        let at = (link.span().start - around.span().start) as usize;
        let decoded = |bytes: &[u8]| around.charset().decode(bytes).len();
        let start =
            self.buffer.len().saturating_sub(around.text().len()) + decoded(&around.source()[..at]);
        let start = boundary(&self.buffer, start);
        let end = boundary(&self.buffer, start + decoded(link.source())).max(start);
        let line = self.line;
        self.pending.push_back(Pending { range: start..end, line, link: link.to_link() });
        self.settle(each)
    }

    /// Ends the document. Another one may follow.
    pub(crate) fn finish(&mut self, each: &mut Each<'_>) -> io::Result<()> {
        self.settle_all(each)?;
        *self = self.restarted(self.markup);
        Ok(())
    }

    fn push(&mut self, text: &str) {
        self.after_cr &= text.is_empty();
        self.buffer.push_str(text);
    }

    fn end_line(&mut self, end: u8) {
        if !(end == b'\n' && self.after_cr) {
            self.line += 1;
        }
        self.after_cr = end == b'\r';
    }

    /// Remembers the last escape sequence of ISO-2022-JP.
    fn shift(&mut self, bytes: &[u8]) {
        if self.charset == Charset::ISO_2022_JP
            && let Some(at) = bytes.iter().rposition(|b| *b == 0x1B)
            && let Some(escape) = bytes.get(at..at + 3)
        {
            self.escape = escape.to_vec();
        }
    }

    /// Hands on a link with the text around it.
    fn hand_on(&self, pending: Pending, each: &mut Each<'_>) -> io::Result<()> {
        let Pending { range, line, link } = pending;
        let (before, after) = (&self.buffer[..range.start], &self.buffer[range.end..]);
        let link = link.as_match();
        let (before, after): (Cow<'_, str>, Cow<'_, str>) = match self.near {
            Near::Line => {
                let (before, after) = line_around(before, after);
                (before.into(), after.into())
            }
            Near::Chars(chars) => {
                let (before, after) = within(&link, self.markup, before, after, chars);
                (before.into(), after.into())
            }
        };
        let (text, span) = (self.buffer[range].into(), Some(link.span()));
        each(ShownLink { line, place: None, before, text, after, link, span, message: None })
    }

    /// Hands on all links, because the text is at its end.
    fn settle_all(&mut self, each: &mut Each<'_>) -> io::Result<()> {
        while let Some(pending) = self.pending.pop_front() {
            self.hand_on(pending, each)?;
        }
        self.settle(each)
    }

    /// Hands on the links that have enough text after them, and removes text that is far from the other links.
    fn settle(&mut self, each: &mut Each<'_>) -> io::Result<()> {
        while let Some(pending) = self.pending.front()
            && self.is_enough(&self.buffer[pending.range.end..])
            && let Some(pending) = self.pending.pop_front()
        {
            self.hand_on(pending, each)?;
        }
        let first = self.pending.front().map_or(self.buffer.len(), |first| first.range.start);
        let kept = match self.near {
            Near::Line => NEAR,
            Near::Chars(chars) => 4 * needed(chars, self.markup),
        };
        // Not each time, so that each byte is moved a few times at most.
        if first > 8 * kept.max(NEAR) {
            let far = boundary(&self.buffer, first - kept);
            self.buffer.drain(..far);
            for Pending { range, .. } in &mut self.pending {
                *range = range.start - far..range.end - far;
            }
        }
        Ok(())
    }

    /// True if more text after a link changes nothing.
    fn is_enough(&self, after: &str) -> bool {
        match self.near {
            Near::Line => after.len() >= NEAR,
            Near::Chars(0) => true,
            Near::Chars(chars) => {
                let needed = needed(chars, self.markup);
                let counted = || after.chars().count() >= needed;
                after.len() >= needed && (after.len() >= 4 * needed || counted())
            }
        }
    }
}

/// The line around a link, as far as it is near.
fn line_around<'t>(before: &'t str, after: &'t str) -> (&'t str, &'t str) {
    let before = &before[boundary(before, before.len().saturating_sub(NEAR))..];
    let after = &after[..boundary(after, NEAR)];
    let line = memchr::memrchr2(b'\n', b'\r', before.as_bytes()).map_or(0, |at| at + 1);
    let to = line_end(after).unwrap_or(after.len());
    (&before[line..], &after[..to])
}

/// The place of the first line end in `text`.
fn line_end(text: &str) -> Option<usize> {
    memchr::memchr2(b'\n', b'\r', text.as_bytes())
}

/// The last place up to `at` where a character starts or the text ends.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
