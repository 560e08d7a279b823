//! `find --color`: links in their lines, for people at a terminal.
//!
//! In goes a link with its context; out come lines with colours and hyperlinks. What must hold:
//! no control character and no bidi control of a document reaches the terminal; they are
//! escaped, as `\u{202e}`. Right-to-left text is put between FSI and PDI, so that it cannot
//! move the text beside it. The host of a link is never cut, and is in Unicode only where that
//! cannot deceive.

use std::{
    borrow::Cow,
    env,
    io::{self, Write},
};

use iriscan::{Match, Uri, UriError, Viewer, reference::unwrap_link};
use unicode_width::UnicodeWidthStr;

use super::{
    colors::{DIM, HOST, HOST_END, LINE, LINK, PATH, RESET, WARN},
    context::{ShownLink, may_open, opened},
    parts::{Parts, width as columns},
    warnings,
};
use crate::messages::text::{self, are_all, escaped, is_control, is_one_column_each};

/// The longest URI that terminals accept in a hyperlink.
const HYPERLINK_MAX: usize = 2000;

/// The most characters after a link that may be dimmed as left out of it.
const STRIPPED_MAX: usize = 8;

/// Writes links, each in its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Painter {
    /// The columns of the terminal.
    width: usize,
    /// True if each line begins with the name of its input.
    named: bool,
}

impl Painter {
    /// A painter for standard output, with the width that `COLUMNS` says, or that of the
    /// terminal, or 80.
    pub(crate) fn new(named: bool) -> Painter {
        let wanted = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let width = wanted.or_else(|| terminal_size::terminal_size().map(|size| size.0.0.into()));
        Painter { width: width.unwrap_or(80).clamp(20, 1000), named }
    }

    /// Writes `PATH:LINE: ` (`LINE: ` if inputs are not named) and the line, cut to the
    /// width of the terminal, in which the link is as people read it. On the next lines are the URI
    /// if it differs, the link inside a wrapper if that is what opens, and the warnings. What
    /// `hosts` has of a host is not made again. Returns why the link has no URI form, if it has none.
    pub(crate) fn write(
        self,
        out: &mut impl Write,
        name: &str,
        seen: &ShownLink<'_>,
        viewer: &mut Viewer,
    ) -> io::Result<Option<UriError>> {
        let mut lines = String::with_capacity(512);
        let name = if self.named { name } else { "" };
        let place = seen.place.as_ref().map_or(String::new(), |place| format!("({place}) "));
        let (place, line) = (escaped(&place), seen.line.to_string());
        let colons = if self.named { 2 } else { 1 };
        let head = columns(name) + line.len() + colons + 1 + columns(&place);
        let link = &seen.link;
        let (display, uri) = (viewer.display(link), viewer.uri(link));
        let open = opened(link, &uri);
        let whole = Parts::split(&display, link.kind());
        let (room, needed) = (self.width.saturating_sub(head), whole.width());
        let (parts, needed) = match needed <= room {
            true => (whole, needed),
            false => {
                let parts = whole.fitted(room.max(columns(&whole.host) + 2)).into_owned();
                let needed = parts.width();
                (parts, needed)
            }
        };
        let room = room.saturating_sub(needed);
        // Columns that one side does not need are for the other.
        let left = width_from_end(&seen.before, room);
        let right = width(&seen.after, room);
        let left = left.min((room / 2).max(room.saturating_sub(right)));
        let before = cut_front(&seen.before, left);
        let after = cut_end(&seen.after, room - left);
        let stripped = stripped(&seen.after).min(after.len());
        if self.named {
            push(&mut lines, &[PATH, name, RESET, ":"]);
        }
        push(&mut lines, &[LINE, &line, RESET, ": ", &place]);
        lines.push_str(&isolated(&before, &seen.before, FIRST_STRONG));
        add_link(&mut lines, open.as_deref(), &parts);
        if stripped > 0 && after.is_char_boundary(stripped) {
            push(&mut lines, &[DIM, &after[..stripped], RESET]);
            lines.push_str(&isolated(&after[stripped..], &seen.after, FIRST_STRONG));
        } else {
            lines.push_str(&isolated(&after, &seen.after, FIRST_STRONG));
        }
        lines.push('\n');
        add_uri(&mut lines, &uri, &parts);
        add_wrapped(&mut lines, link, &uri, open.as_deref());
        for warning in viewer.warnings(link) {
            let (name, words) = (warning.as_str(), warnings::in_words(warning));
            push(&mut lines, &["    ", WARN, name, ": ", words, RESET, "\n"]);
        }
        out.write_all(lines.as_bytes())?;
        Ok(uri.err())
    }
}

/// Adds a link with its host in bold, as a hyperlink to `open` if that may be opened.
fn add_link(lines: &mut String, open: Option<&str>, parts: &Parts<'_>) {
    let uri = open.filter(|uri| uri.len() <= HYPERLINK_MAX && may_open(uri));
    if let Some(uri) = uri {
        push(lines, &["\x1b]8;;", uri, "\x1b\\"]);
    }
    lines.push_str(LINK);
    let Parts { before, host, after } = parts;
    let bold = if host.is_empty() { ["", ""] } else { [HOST, HOST_END] };
    let shown = [&**before, bold[0], &**host, bold[1], &**after];
    match [before, host, after].iter().any(|part| is_right_to_left(part)) {
        true => {
            let shown = shown.concat();
            lines.push_str(&isolated(&shown, &shown, LEFT_TO_RIGHT));
        }
        false => push(lines, &shown),
    }
    lines.push_str(RESET);
    if uri.is_some() {
        lines.push_str("\x1b]8;;\x1b\\");
    }
}

/// Adds a line with the URI of a link, if it is not what the line above shows of the link: its `parts`. Or why there is
/// none.
fn add_uri(lines: &mut String, uri: &Result<Uri<'_>, UriError>, parts: &Parts<'_>) {
    match uri {
        Ok(uri) if !parts.are(uri.as_str()) => {
            push(lines, &["    ", DIM, "→", RESET, " ", &escaped(uri.as_str()), "\n"]);
        }
        Ok(_) => {}
        Err(why) => {
            let why = text::shown(&why.to_string());
            push(lines, &["    ", WARN, "no URI form: ", &why, RESET, "\n"]);
        }
    }
}

/// Adds a line with the link inside a wrapper, if that is what opens.
fn add_wrapped(
    lines: &mut String,
    link: &Match<'_>,
    uri: &Result<Uri<'_>, UriError>,
    open: Option<&str>,
) {
    if uri.as_ref().is_ok_and(|uri| unwrap_link(uri.as_str()).is_some())
        && let Some(inner) = link.unwrapped()
        && open == Some(&*inner)
    {
        let inner = Parts::of_uri(&inner).text();
        let shown = isolated(&inner, &inner, LEFT_TO_RIGHT);
        push(lines, &["    ", DIM, "opens what is inside:", RESET, " ", &shown, "\n"]);
    }
}

/// Adds all `parts` to `text`.
fn push(text: &mut String, parts: &[&str]) {
    parts.iter().for_each(|part| text.push_str(part));
}

/// Each character as it is shown, with its number of columns.
fn cells(text: &str) -> impl DoubleEndedIterator<Item = (Cow<'_, str>, usize)> + Clone {
    text.char_indices().map(|(at, c)| {
        let shown = match c {
            '\t' => " ".into(),
            '\n' | '\r' => "⏎".into(),
            c if is_control(c) => c.escape_unicode().to_string().into(),
            c => Cow::Borrowed(&text[at..at + c.len_utf8()]),
        };
        let width = if matches!(c, ' '..='~') { 1 } else { shown.width() };
        (shown, width)
    })
}

/// The number of columns of these cells. Counting ends above `room`.
fn sum<'t>(cells: impl Iterator<Item = (Cow<'t, str>, usize)>, room: usize) -> usize {
    let mut columns = 0;
    for (_, width) in cells {
        columns += width;
        if columns > room {
            break;
        }
    }
    columns
}

/// The first `len` bytes of `text`, or all of it.
fn first_bytes(text: &str, len: usize) -> &str {
    text.get(..len).unwrap_or(text)
}

/// The last `len` bytes of `text`, or all of it.
fn last_bytes(text: &str, len: usize) -> &str {
    text.len().checked_sub(len).and_then(|from| text.get(from..)).unwrap_or(text)
}

/// The number of columns of `text`. Counting ends above `room`.
fn width(text: &str, room: usize) -> usize {
    let near = first_bytes(text, room + 1);
    if is_one_column_each(near) { near.len() } else { sum(cells(text), room) }
}

/// As [`width`], counted from the end.
fn width_from_end(text: &str, room: usize) -> usize {
    let near = last_bytes(text, room + 1);
    if is_one_column_each(near) { near.len() } else { sum(cells(text).rev(), room) }
}

/// The first of these cells that fit into `room` columns, with `…` if some are left out.
fn cut<'t>(
    cells: impl Iterator<Item = (Cow<'t, str>, usize)> + Clone,
    room: usize,
) -> Vec<Cow<'t, str>> {
    if room == 0 {
        return Vec::new();
    }
    if sum(cells.clone(), room) <= room {
        return cells.map(|cell| cell.0).collect();
    }
    let mut used = 1;
    let fits = |cell: &(Cow<'_, str>, usize)| {
        used += cell.1;
        used <= room
    };
    let mut kept: Vec<Cow<'t, str>> = cells.take_while(fits).map(|cell| cell.0).collect();
    kept.push("…".into());
    kept
}

/// The end of `text` that fits into `room` columns.
fn cut_front(text: &str, room: usize) -> Cow<'_, str> {
    if is_one_column_each(last_bytes(text, room + 1)) {
        return match text.len() {
            len if len <= room => text.into(),
            _ if room == 0 => "".into(),
            len => ["…", &text[len - (room - 1)..]].concat().into(),
        };
    }
    let mut kept = cut(cells(text).rev(), room);
    // A combining mark whose letter was cut off is removed.
    while kept.len() > 1 && kept[kept.len() - 2].width() == 0 {
        kept.remove(kept.len() - 2);
    }
    kept.into_iter().rev().collect::<String>().into()
}

/// The start of `text` that fits into `room` columns.
fn cut_end(text: &str, room: usize) -> Cow<'_, str> {
    if is_one_column_each(first_bytes(text, room + 1)) {
        return match text.len() {
            len if len <= room => text.into(),
            _ if room == 0 => "".into(),
            _ => [&text[..room - 1], "…"].concat().into(),
        };
    }
    cut(cells(text), room).into_iter().collect::<String>().into()
}

/// The bytes of punctuation directly after a link. They look like a part of it and are not,
/// so they are dimmed.
fn stripped(after: &str) -> usize {
    after
        .chars()
        .take(STRIPPED_MAX)
        .take_while(|c| !c.is_alphanumeric() && !c.is_whitespace() && !is_control(*c))
        .map(char::len_utf8)
        .sum()
}

/// FSI: the text after it has the direction of its first strong character.
const FIRST_STRONG: char = '\u{2068}';

/// LRI: the text after it runs from left to right. So do references, whatever character they
/// begin with (RFC 3987, section 4.1).
const LEFT_TO_RIGHT: char = '\u{2066}';

/// True if `text` has characters that are written from right to left.
pub(crate) fn is_right_to_left(text: &str) -> bool {
    // Most scripts are ruled out by the first bytes of their characters.
    let may_be = |b: u8| (0xD6..=0xE0).contains(&b) | (b == 0xEF) | (b == 0xF0);
    !are_all(text.as_bytes(), |b| !may_be(b))
        && text.contains(|c: char| {
            matches!(u32::from(c), 0x590..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF
                | 0x10800..=0x10FFF | 0x1E800..=0x1EFFF)
        })
}

/// `shown`, between `start` and PDI if `text` has right-to-left characters. White space at
/// its ends stays outside, because inside it would be shown at the wrong end.
fn isolated<'s>(shown: &'s str, text: &str, start: char) -> Cow<'s, str> {
    if !is_right_to_left(text) {
        return shown.into();
    }
    let inside = shown.trim();
    let from = shown.len() - shown.trim_start().len();
    let (before, after) = (&shown[..from], &shown[from + inside.len()..]);
    format!("{before}{start}{inside}\u{2069}{after}").into()
}
