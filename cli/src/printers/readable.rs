//! The text around a link as people read it: without the tags of markup, in one line.
//!
//! In go the text before and after a link, as they are written and perhaps cut; out come both
//! without tags, with character references resolved. What must hold: nothing but the text of
//! elements comes out, as far as the cut text says so. Scripts and style sheets are left out.

use std::borrow::Cow;

use iriscan::{Format, Match};

/// Elements that are in a line of text, so that nothing separates their text from that around.
const INLINE: [u64; 24] = [
    key(b"a"),
    key(b"abbr"),
    key(b"b"),
    key(b"bdi"),
    key(b"bdo"),
    key(b"big"),
    key(b"cite"),
    key(b"code"),
    key(b"em"),
    key(b"font"),
    key(b"i"),
    key(b"kbd"),
    key(b"mark"),
    key(b"q"),
    key(b"s"),
    key(b"small"),
    key(b"span"),
    key(b"strong"),
    key(b"sub"),
    key(b"sup"),
    key(b"time"),
    key(b"tt"),
    key(b"u"),
    key(b"wbr"),
];

/// Elements whose text nobody sees in the page.
const HIDDEN: [&str; 3] = ["script", "style", "title"];

/// A short name as a number, which is compared at once, without regard to case. Longer names have one in common.
const fn key(name: &[u8]) -> u64 {
    let (mut key, mut i) = (0, 0);
    while i < name.len() && i < 8 {
        key = key << 8 | name[i].to_ascii_lowercase() as u64;
        i += 1;
    }
    if name.len() > 8 { u64::MAX } else { key }
}

/// True for formats with tags.
pub(crate) fn is_markup(format: Format) -> bool {
    matches!(format, Format::Html | Format::Xml)
}

/// So many characters at a cut may be part of a character reference.
const REFERENCE: usize = 40;

/// The text before and after `link` of a document of markup, or more than the nearest `chars` characters of it.
/// The text of the element that the link is the target of is left out, because [`Match::anchor`] has it.
pub(crate) fn around(
    link: &Match<'_>,
    before: &str,
    after: &str,
    chars: usize,
) -> (String, String) {
    let in_tag = link.attribute().is_some();
    let before = match before.rfind('<').filter(|_| in_tag) {
        Some(tag) => &before[..tag],
        None => before,
    };
    let after = match after.find('>').filter(|_| in_tag) {
        Some(end) => &after[end + 1..],
        None if in_tag => "",
        None => after,
    };
    let anchor = link.anchor().unwrap_or_default();
    let (before, after) =
        (before_of(before, chars), after_of(after, chars.saturating_add(anchor.len() + 1)));
    let after = match after.trim_start().strip_prefix(anchor) {
        Some(rest) if !anchor.is_empty() => rest.to_owned(),
        _ => after,
    };
    (before, after)
}

/// The text of a cut piece of markup, or more than its last `chars` characters.
fn before_of(markup: &str, chars: usize) -> String {
    let text = untagged(markup, usize::MAX);
    for near in rooms(chars) {
        if text.len() > near {
            let start = (text.len() - near..).find(|at| text.is_char_boundary(*at));
            let end = resolved(&text[start.unwrap_or(text.len())..]);
            if end.chars().count() > chars.saturating_add(REFERENCE) {
                return end;
            }
        }
    }
    resolved(&text)
}

/// The text of a cut piece of markup, or more than its first `chars` characters.
fn after_of(markup: &str, chars: usize) -> String {
    for near in rooms(chars) {
        let text = untagged(markup, near);
        let start = resolved(&text);
        if text.len() <= near || start.chars().count() > chars.saturating_add(REFERENCE) {
            return first(&start, chars.saturating_add(1)).to_owned();
        }
    }
    resolved(&untagged(markup, usize::MAX))
}

/// How many bytes hold so many characters: in ASCII, and in any script, if few of them are character references.
fn rooms(chars: usize) -> [usize; 2] {
    let ascii = chars.saturating_add(2 * REFERENCE);
    [ascii, ascii.saturating_mul(4)]
}

/// `text` with character references resolved and white space folded.
fn resolved(text: &str) -> String {
    match memchr::memchr(b'&', text.as_bytes()) {
        None => folded(text),
        Some(_) => folded(&html_escape::decode_html_entities(text)),
    }
}

/// The text of a cut piece of markup, with its character references. No more is read once it is longer than
/// `enough` bytes.
fn untagged(markup: &str, enough: usize) -> String {
    let mut out = String::with_capacity(markup.len());
    // A tag that begins before the cut ends at the first `>`.
    let mut rest = match (markup.find('>'), markup.find('<')) {
        (Some(end), Some(start)) if end < start => &markup[end + 1..],
        (Some(end), None) => &markup[end + 1..],
        _ => markup,
    };
    while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
        if out.len() > enough {
            return out;
        }
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        let bytes = tag.as_bytes();
        let begin = 1 + bytes[1..].iter().take_while(|b| **b == b'/').count();
        if !matches!(bytes.get(begin), Some(b'a'..=b'z' | b'A'..=b'Z' | b'!' | b'?')) {
            out.push('<');
            rest = &tag[1..];
            continue;
        }
        let len = bytes[begin..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        let name = &tag[begin..begin + len];
        let is_hidden = |hidden: &&str| name.eq_ignore_ascii_case(hidden);
        let end = match HIDDEN.into_iter().find(is_hidden) {
            _ if tag.starts_with("<!--") => tag.find("-->").map(|end| end + 3),
            Some(hidden) if begin == 1 => end_of(tag, hidden),
            _ => memchr::memchr(b'>', bytes).map(|end| end + 1),
        };
        if !INLINE.contains(&key(name.as_bytes())) {
            out.push(' ');
        }
        rest = end.map_or("", |end| &tag[end..]);
    }
    out.push_str(rest);
    out
}

/// The end of the element whose start tag begins `markup`.
fn end_of(markup: &str, name: &str) -> Option<usize> {
    let at = markup.match_indices("</").find(|(at, _)| {
        markup.get(at + 2..at + 2 + name.len()).is_some_and(|end| end.eq_ignore_ascii_case(name))
    })?;
    markup[at.0..].find('>').map(|end| at.0 + end + 1)
}

/// `text` with each run of white space as one space.
pub(crate) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end_matches(char::is_whitespace);
        if !bare.is_empty() {
            out.push_str(bare);
        }
        if bare.len() < word.len() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out
}

/// The last characters of `text`.
pub(crate) fn last(text: &str, chars: usize) -> &str {
    let (mut start, mut more) = (text.len(), chars);
    // As many bytes as characters are missing hold no more characters, and these are counted in blocks.
    while more > 0 && start > 0 {
        let mut from = start.saturating_sub(more);
        while !text.is_char_boundary(from) {
            from -= 1;
        }
        more -= text[from..start].chars().count();
        start = from;
    }
    &text[start..]
}

/// The first characters of `text`.
pub(crate) fn first(text: &str, chars: usize) -> &str {
    let (mut end, mut more) = (0, chars);
    while more > 0 && end < text.len() {
        let mut to = end.saturating_add(more).min(text.len());
        while !text.is_char_boundary(to) {
            to += 1;
        }
        more -= text[end..to].chars().count();
        end = to;
    }
    &text[..end]
}

/// The text before and after `link`, at most so many characters of each: of markup as people read
/// it, else as it is.
pub(crate) fn within(
    link: &Match<'_>,
    markup: bool,
    before: &str,
    after: &str,
    chars: usize,
) -> (String, String) {
    let needed = needed(chars, markup);
    let (before, after) = (last(before, needed), first(after, needed));
    let (before, after): (Cow<'_, str>, Cow<'_, str>) = match markup {
        true => {
            let (before, after) = around(link, before, after, chars);
            (before.into(), after.into())
        }
        false => (before.into(), after.into()),
    };
    (last(&before, chars).to_owned(), first(&after, chars).to_owned())
}

/// So many characters of the source are needed for `chars` characters of text: in markup more,
/// because of its tags.
pub(crate) fn needed(chars: usize, markup: bool) -> usize {
    if markup { chars.saturating_mul(8).saturating_add(2000) } else { chars }
}

#[cfg(test)]
mod tests {
    use iriscan::{Config, Format};

    use super::*;

    /// The text before and after the first link of a page.
    fn around_first(html: &str) -> (String, String) {
        let finder = Config::new().format(Format::Html).elements(true).build().unwrap();
        let link = finder.find_iter(html).next().unwrap();
        around(&link, &html[..link.range().start], &html[link.range().end..], 1000)
    }

    #[test]
    fn tags_are_left_out() {
        for (html, before, after) in [
            (
                "<p>Go <b>to</b> <a class=x href='http://a.example/'>the <i>shop</i></a>, now.<p>Bye",
                " Go to ",
                ", now. Bye",
            ),
            (
                "<title>t</title><style>p > a {}</style><p>1 &lt; 2 &amp; <a href=http://a.example/>x</a>",
                " 1 < 2 & ",
                "",
            ),
            ("a <!-- <b> x --> b http://a.example/ c<br>d", "a  b ", " c d"),
            ("<a href=http://a.example/ title='1'><img alt=x></a> y", "", " y"),
            ("x<script>if (a<b) c()</script>y <a href=http://a.example/>z</a> w<i", "x y ", " w"),
            ("1 < 2 <a href=http://a.example/>z</a>", "1 < 2 ", ""),
        ] {
            let (ours, theirs) = around_first(html);
            assert_eq!((&*ours, &*theirs), (&*folded(before), after), "{html}");
        }
    }

    #[test]
    fn a_cut_tag_is_left_out() {
        let text = |markup| resolved(&untagged(markup, usize::MAX));
        assert_eq!(text("ass='x'>words <b>more</b"), "words more");
        assert_eq!(text("words <a hre"), "words ");
        assert_eq!(text("</"), "</");
        assert_eq!(text("<script>x"), " ");
    }

    /// Only the text near a link is read, and it is the same as when all of it is.
    #[test]
    fn near_text_is_the_same() {
        let piece = "<p>a &amp; <b>\u{e9}&eacute;</b>  \n&lt;&nbsp;&CounterClockwiseContourIntegral; <!-- > -->b</p>";
        for text in [piece.repeat(30), "&nbsp;".repeat(3000), "<b>".repeat(2000), "x".into()] {
            let all = resolved(&untagged(&text, usize::MAX));
            for chars in [0, 1, 7, 40, 99, 1000, usize::MAX] {
                assert_eq!(last(&before_of(&text, chars), chars), last(&all, chars), "{chars}");
                assert_eq!(first(&after_of(&text, chars), chars), first(&all, chars), "{chars}");
            }
        }
    }

    #[test]
    fn characters_are_counted() {
        assert_eq!((last("äöü", 2), first("äöü", 2)), ("öü", "äö"));
        assert_eq!((last("äöü", 0), first("äöü", 0)), ("", ""));
        assert_eq!((last("äöü", 9), first("äöü", 9)), ("äöü", "äöü"));
    }
}
