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
    path::Path,
};

use unicode_width::UnicodeWidthStr;

use super::{
    colors::{DIM, HOST, HOST_END, LINE, LINK, PATH, RESET, WARN},
    context::ShownLink,
    parts::Parts,
    warnings,
};
use crate::messages::text::{self, is_control};

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
    /// if it differs, the link inside a wrapper if that is what opens, and the warnings.
    pub(crate) fn write(
        self,
        out: &mut impl Write,
        path: &Path,
        seen: &ShownLink,
    ) -> io::Result<()> {
        let name = if self.named { text::name(path) } else { String::new() };
        let colon = if self.named { ":" } else { "" };
        let place = seen.place.as_ref().map_or(String::new(), |place| format!("({place}) "));
        let place = text::shown(&place);
        let head = format!("{name}{colon}{}: {place}", seen.line).width();
        let link = seen.link.as_match();
        let whole = Parts::of(&link);
        let parts = whole.fitted(self.width.saturating_sub(head).max(whole.host.width() + 2));
        let room = self.width.saturating_sub(head + parts.width());
        // Columns that one side does not need are for the other.
        let left = width(cells(&seen.before).rev(), room);
        let right = width(cells(&seen.after), room);
        let left = left.min((room / 2).max(room.saturating_sub(right)));
        let before = cut_front(&seen.before, left);
        let after = cut_end(&seen.after, room - left);
        let stripped = stripped(&seen.after).min(after.len());
        if self.named {
            write!(out, "{PATH}{name}{RESET}:")?;
        }
        write!(out, "{LINE}{}{RESET}: {place}", seen.line)?;
        out.write_all(isolated(&before, &seen.before, FIRST_STRONG).as_bytes())?;
        self.link(out, seen, &parts)?;
        if stripped > 0 && after.is_char_boundary(stripped) {
            write!(out, "{DIM}{}{RESET}", &after[..stripped])?;
            out.write_all(isolated(&after[stripped..], &seen.after, FIRST_STRONG).as_bytes())?;
        } else {
            out.write_all(isolated(&after, &seen.after, FIRST_STRONG).as_bytes())?;
        }
        out.write_all(b"\n")?;
        match &seen.uri {
            Ok(uri) if *uri != parts.text() => {
                writeln!(out, "    {DIM}→{RESET} {}", text::shown(uri))?;
            }
            Ok(_) => {}
            Err(why) => writeln!(out, "    {WARN}no URI form: {}{RESET}", text::shown(why))?,
        }
        if let Some(inner) = link.unwrapped().filter(|inner| seen.open.as_ref() == Some(inner)) {
            let inner = Parts::of_uri(&inner).text();
            let shown = isolated(&inner, &inner, LEFT_TO_RIGHT);
            writeln!(out, "    {DIM}opens what is inside:{RESET} {shown}")?;
        }
        for warning in &seen.warnings {
            writeln!(out, "    {WARN}{warning}: {}{RESET}", warnings::in_words(*warning))?;
        }
        Ok(())
    }

    /// Writes the link with its host in bold, as a hyperlink if it may be opened.
    fn link(self, out: &mut impl Write, seen: &ShownLink, parts: &Parts) -> io::Result<()> {
        let uri = seen.opens().filter(|uri| uri.len() <= HYPERLINK_MAX);
        let Parts { before, host, after } = parts;
        let shown = match host.is_empty() {
            true => parts.text(),
            false => format!("{before}{HOST}{host}{HOST_END}{after}"),
        };
        let shown = isolated(&shown, &shown, LEFT_TO_RIGHT);
        match uri {
            Some(uri) => write!(out, "\x1b]8;;{uri}\x1b\\{LINK}{shown}{RESET}\x1b]8;;\x1b\\"),
            None => write!(out, "{LINK}{shown}{RESET}"),
        }
    }
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
        let width = shown.width();
        (shown, width)
    })
}

/// The number of columns of these cells. Counting ends above `room`.
fn width<'t>(cells: impl Iterator<Item = (Cow<'t, str>, usize)>, room: usize) -> usize {
    let mut sum = 0;
    for (_, width) in cells {
        sum += width;
        if sum > room {
            break;
        }
    }
    sum
}

/// The first of these cells that fit into `room` columns, with `…` if some are left out.
fn cut<'t>(
    cells: impl Iterator<Item = (Cow<'t, str>, usize)> + Clone,
    room: usize,
) -> Vec<Cow<'t, str>> {
    if room == 0 {
        return Vec::new();
    }
    if width(cells.clone(), room) <= room {
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
fn cut_front(text: &str, room: usize) -> String {
    let mut kept = cut(cells(text).rev(), room);
    // A combining mark whose letter was cut off is removed.
    while kept.len() > 1 && kept[kept.len() - 2].width() == 0 {
        kept.remove(kept.len() - 2);
    }
    kept.into_iter().rev().collect()
}

/// The start of `text` that fits into `room` columns.
fn cut_end(text: &str, room: usize) -> String {
    cut(cells(text), room).into_iter().collect()
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
    text.contains(|c: char| {
        matches!(u32::from(c), 0x590..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF
            | 0x10800..=0x10FFF | 0x1E800..=0x1EFFF)
    })
}

/// `shown`, between `start` and PDI if `text` has right-to-left characters. White space at
/// its ends stays outside, because inside it would be shown at the wrong end.
fn isolated(shown: &str, text: &str, start: char) -> String {
    if !is_right_to_left(text) {
        return shown.to_owned();
    }
    let inside = shown.trim();
    let from = shown.len() - shown.trim_start().len();
    let (before, after) = (&shown[..from], &shown[from + inside.len()..]);
    format!("{before}{start}{inside}\u{2069}{after}")
}
