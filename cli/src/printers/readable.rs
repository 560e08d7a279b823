//! The text around a link as people read it: without the tags of markup, in one line.
//!
//! In go the text before and after a link, as they are written and perhaps cut; out come both
//! without tags, with character references resolved. What must hold: nothing but the text of
//! elements comes out, as far as the cut text says so. Scripts and style sheets are left out.

use std::borrow::Cow;

use iriscan::{Format, Match};

/// True for elements that are in a line of text, so that nothing separates their text from that around.
fn is_inline(name: &str) -> bool {
    let mut lower = [0; 6];
    let Some(lower) = lower.get_mut(..name.len()) else { return false };
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    matches!(
        &*lower,
        b"a" | b"abbr"
            | b"b"
            | b"bdi"
            | b"bdo"
            | b"big"
            | b"cite"
            | b"code"
            | b"em"
            | b"font"
            | b"i"
            | b"kbd"
            | b"mark"
            | b"q"
            | b"s"
            | b"small"
            | b"span"
            | b"strong"
            | b"sub"
            | b"sup"
            | b"time"
            | b"tt"
            | b"u"
            | b"wbr"
    )
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
    let near = room(chars);
    if text.len() > near {
        let start = (text.len() - near..).find(|at| text.is_char_boundary(*at));
        let end = resolved(&text[start.unwrap_or(text.len())..]);
        if end.chars().count() > chars.saturating_add(REFERENCE) {
            return end;
        }
    }
    resolved(&text)
}

/// The text of a cut piece of markup, or more than its first `chars` characters.
fn after_of(markup: &str, chars: usize) -> String {
    let near = room(chars);
    let text = untagged(markup, near);
    let start = resolved(&text);
    if text.len() <= near || start.chars().count() > chars.saturating_add(REFERENCE) {
        return first(&start, chars.saturating_add(1)).to_owned();
    }
    resolved(&untagged(markup, usize::MAX))
}

/// So many bytes hold so many characters, if few of them are character references.
fn room(chars: usize) -> usize {
    chars.saturating_add(REFERENCE).saturating_mul(4)
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
        let name = tag[1..].trim_start_matches('/');
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!' || c == '?') {
            out.push('<');
            rest = &tag[1..];
            continue;
        }
        let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let hidden =
            ["script", "style", "title"].into_iter().find(|h| name.eq_ignore_ascii_case(h));
        let end = match hidden {
            _ if tag.starts_with("<!--") => tag.find("-->").map(|end| end + 3),
            Some(hidden) if !tag.starts_with("</") => end_of(tag, hidden),
            _ => tag.find('>').map(|end| end + 1),
        };
        if !is_inline(name) {
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
    // No character has more bytes than four.
    let far = text.len().saturating_sub(chars.saturating_mul(4));
    let start = (far..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    let near = &text[start..];
    let more = near.chars().count().saturating_sub(chars);
    &near[first(near, more).len()..]
}

/// The first characters of `text`.
pub(crate) fn first(text: &str, chars: usize) -> &str {
    let mut rest = text.chars();
    // Faster than the places of characters.
    match chars.checked_sub(1) {
        None => "",
        Some(before) => {
            rest.nth(before);
            &text[..text.len() - rest.as_str().len()]
        }
    }
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
