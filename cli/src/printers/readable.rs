//! The text around a link as people read it: without the tags of markup, in one line.
//!
//! In go the text before and after a link, as they are written and perhaps cut; out come both
//! without tags, with character references resolved. What must hold: nothing but the text of
//! elements comes out, as far as the cut text says so. Scripts and style sheets are left out.

use std::borrow::Cow;

use iriscan::{Format, Match};

/// Elements that are in a line of text, so that nothing separates their text from that around.
const INLINE: [&str; 24] = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "em", "font", "i", "kbd", "mark", "q",
    "s", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "wbr",
];

/// True for formats with tags.
pub(crate) fn is_markup(format: Format) -> bool {
    matches!(format, Format::Html | Format::Xml)
}

/// The text before and after `link` of a document of markup. The text of the element that the link
/// is the target of is left out, because [`Match::anchor`] has it.
pub(crate) fn around(link: &Match<'_>, before: &str, after: &str) -> (String, String) {
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
    let (before, after) = (text(before), text(after));
    let anchor = link.anchor().unwrap_or_default();
    let after = match after.trim_start().strip_prefix(anchor) {
        Some(rest) if !anchor.is_empty() => rest.to_owned(),
        _ => after,
    };
    (before, after)
}

/// The text of a cut piece of markup.
fn text(markup: &str) -> String {
    let mut out = String::with_capacity(markup.len());
    // A tag that begins before the cut ends at the first `>`.
    let mut rest = match (markup.find('>'), markup.find('<')) {
        (Some(end), Some(start)) if end < start => &markup[end + 1..],
        (Some(end), None) => &markup[end + 1..],
        _ => markup,
    };
    while let Some(at) = rest.find('<') {
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
        if !INLINE.iter().any(|inline| name.eq_ignore_ascii_case(inline)) {
            out.push(' ');
        }
        rest = end.map_or("", |end| &tag[end..]);
    }
    out.push_str(rest);
    folded(&html_escape::decode_html_entities(&out))
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
    for c in text.chars() {
        match c.is_whitespace() {
            true if out.ends_with(' ') => {}
            true => out.push(' '),
            false => out.push(c),
        }
    }
    out
}

/// The last characters of `text`.
pub(crate) fn last(text: &str, chars: usize) -> &str {
    match chars {
        0 => "",
        n => text.char_indices().rev().nth(n - 1).map_or(text, |(start, _)| &text[start..]),
    }
}

/// The first characters of `text`.
pub(crate) fn first(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(end, _)| &text[..end])
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
            let (before, after) = around(link, before, after);
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
        around(&link, &html[..link.range().start], &html[link.range().end..])
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
        assert_eq!(text("ass='x'>words <b>more</b"), "words more");
        assert_eq!(text("words <a hre"), "words ");
        assert_eq!(text("</"), "</");
        assert_eq!(text("<script>x"), " ");
    }

    #[test]
    fn characters_are_counted() {
        assert_eq!((last("äöü", 2), first("äöü", 2)), ("öü", "äö"));
        assert_eq!((last("äöü", 0), first("äöü", 0)), ("", ""));
        assert_eq!((last("äöü", 9), first("äöü", 9)), ("äöü", "äöü"));
    }
}
