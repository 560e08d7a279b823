//! `--color`: what is found, for eyes on a terminal.
//!
//! Knows colours, widths and hyperlinks. Invariant: of what a document holds, no
//! control character and no bidi control reaches the terminal; those are escaped,
//! as `\u{202e}`. Right-to-left text stands between FSI and PDI, so that it cannot
//! move the text beside it.

use std::{
    borrow::Cow,
    env,
    io::{self, IsTerminal, Write},
    path::Path,
};

use iriscan::Warning;
use unicode_width::UnicodeWidthStr;

use crate::{args::ColorArg, context::Seen, input};

const RESET: &str = "\x1b[0m";
// Colours of the table of 256, whose values no theme changes; the first eight differ from
// terminal to terminal. Each has a contrast of at least 3:1 (WCAG) to a black and to a white
// background, and to those that come with the usual terminals.
const PATH: &str = "\x1b[38;5;133m";
const LINE: &str = "\x1b[38;5;64m";
const LINK: &str = "\x1b[38;5;31;4m";
const WARN: &str = "\x1b[38;5;166m";
const OLD: &str = "\x1b[38;5;167m";
const NEW: &str = "\x1b[38;5;64m";
const HUNK: &str = "\x1b[38;5;31m";
// These have the colour of the text.
const HOST: &str = "\x1b[1m";
const HOST_END: &str = "\x1b[22m";
const DIM: &str = "\x1b[2m";
const BOLD: &str = "\x1b[1m";

/// The longest URI that terminals take in a hyperlink.
const HYPERLINK_MAX: usize = 2000;

/// How much of what stands directly behind a link is looked at.
const STRIPPED_MAX: usize = 8;

/// Whether standard output is to be in colour: `auto` is yes on a terminal, unless
/// `NO_COLOR` holds anything or `TERM` is `dumb` or not there.
pub(crate) fn in_color(color: ColorArg) -> bool {
    let says_no = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    match color {
        ColorArg::Always => true,
        ColorArg::Never => false,
        ColorArg::Auto => io::stdout().is_terminal() && !says_no("NO_COLOR") && !is_dumb(),
    }
}

/// Whether the terminal knows nothing but text: `TERM` says so, or nothing. A Windows
/// console is told to obey escape sequences; true if it cannot.
pub(crate) fn is_dumb() -> bool {
    #[cfg(windows)]
    if anstyle_query::windows::enable_ansi_colors() != Some(true) {
        return true;
    }
    env::var_os("TERM").map_or(cfg!(unix), |term| term == "dumb")
}

/// Shows links, each with its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Painter {
    /// Columns of the terminal.
    width: usize,
    /// Each line begins with the name of its input.
    named: bool,
}

impl Painter {
    /// For standard output: as wide as `COLUMNS` says, or the terminal, or 80.
    pub(crate) fn new(named: bool) -> Painter {
        let told = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let width = told.or_else(|| terminal_size::terminal_size().map(|size| size.0.0.into()));
        Painter { width: width.unwrap_or(80).clamp(20, 1000), named }
    }

    /// Writes `PATH:LINE: ` (`LINE: ` if inputs are not named) and the line, cut to the
    /// width of the terminal; below it the URI if it differs, and the warnings in words.
    pub(crate) fn write(self, out: &mut impl Write, path: &Path, seen: &Seen) -> io::Result<()> {
        let name = if self.named { input::name(path) } else { String::new() };
        let colon = if self.named { ":" } else { "" };
        let place = seen.place.as_ref().map_or(String::new(), |place| format!("({place}) "));
        let place = input::shown(&place);
        let head = format!("{name}{colon}{}: {place}", seen.line).width();
        let link = width(cells(&seen.text), self.width);
        let room = self.width.saturating_sub(head + link);
        // What one side does not need is the other's.
        let left = width(cells(&seen.before).rev(), room);
        let right = width(cells(&seen.behind), room);
        let left = left.min((room / 2).max(room.saturating_sub(right)));
        let before = cut_front(&seen.before, left);
        let behind = cut_end(&seen.behind, room - left);
        let stripped = stripped(&seen.behind).min(behind.len());
        if self.named {
            write!(out, "{PATH}{name}{RESET}:")?;
        }
        write!(out, "{LINE}{}{RESET}: {place}", seen.line)?;
        out.write_all(isolated(&before, &seen.before, FIRST_STRONG).as_bytes())?;
        self.link(out, seen)?;
        if stripped > 0 && behind.is_char_boundary(stripped) {
            write!(out, "{DIM}{}{RESET}", &behind[..stripped])?;
            out.write_all(isolated(&behind[stripped..], &seen.behind, FIRST_STRONG).as_bytes())?;
        } else {
            out.write_all(isolated(&behind, &seen.behind, FIRST_STRONG).as_bytes())?;
        }
        out.write_all(b"\n")?;
        match &seen.uri {
            Ok(uri) if *uri != seen.text => {
                writeln!(out, "    {DIM}→{RESET} {}", input::shown(uri))?;
            }
            Ok(_) => {}
            Err(why) => writeln!(out, "    {WARN}no URI form: {}{RESET}", input::shown(why))?,
        }
        for warning in &seen.warnings {
            writeln!(out, "    {WARN}{warning}: {}{RESET}", words(*warning))?;
        }
        Ok(())
    }

    /// The link, its host bold, as a hyperlink if it can be one.
    fn link(self, out: &mut impl Write, seen: &Seen) -> io::Result<()> {
        let uri = seen.opens().filter(|uri| uri.len() <= HYPERLINK_MAX);
        let text = |part: &str| cells(part).map(|cell| cell.0).collect::<String>();
        let shown = match seen.host_range() {
            Some(host) => format!(
                "{}{HOST}{}{HOST_END}{}",
                text(&seen.text[..host.start]),
                text(&seen.text[host.clone()]),
                text(&seen.text[host.end..])
            ),
            None => text(&seen.text),
        };
        let shown = isolated(&shown, &seen.text, LEFT_TO_RIGHT);
        match uri {
            Some(uri) => write!(out, "\x1b]8;;{uri}\x1b\\{LINK}{shown}{RESET}\x1b]8;;\x1b\\"),
            None => write!(out, "{LINK}{shown}{RESET}"),
        }
    }
}

/// Each character as it is shown, and its columns.
fn cells(text: &str) -> impl DoubleEndedIterator<Item = (Cow<'_, str>, usize)> + Clone {
    text.char_indices().map(|(at, c)| {
        let shown = match c {
            '\t' => " ".into(),
            '\n' | '\r' => "⏎".into(),
            c if input::is_control(c) => c.escape_unicode().to_string().into(),
            c => Cow::Borrowed(&text[at..at + c.len_utf8()]),
        };
        let width = shown.width();
        (shown, width)
    })
}

/// The columns of these cells; of many more than `room`, some number above it.
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

/// As many of these cells as fit `room` columns, with `…` if there are more.
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

/// The end of `text` that fits `room` columns.
fn cut_front(text: &str, room: usize) -> String {
    let mut kept = cut(cells(text).rev(), room);
    // A mark whose letter is cut off.
    while kept.len() > 1 && kept[kept.len() - 2].width() == 0 {
        kept.remove(kept.len() - 2);
    }
    kept.into_iter().rev().collect()
}

/// The start of `text` that fits `room` columns.
fn cut_end(text: &str, room: usize) -> String {
    cut(cells(text), room).into_iter().collect()
}

/// How many bytes of punctuation stand directly behind a link: what was left out
/// of it.
fn stripped(behind: &str) -> usize {
    behind
        .chars()
        .take(STRIPPED_MAX)
        .take_while(|c| !c.is_alphanumeric() && !c.is_whitespace() && !input::is_control(*c))
        .map(char::len_utf8)
        .sum()
}

/// Starts text whose direction is that of its first strong character.
const FIRST_STRONG: char = '\u{2068}';

/// Starts text that runs from left to right, as references do whatever they begin with (RFC
/// 3987, section 4.1).
const LEFT_TO_RIGHT: char = '\u{2066}';

/// Whether `text` has characters that are written from right to left.
pub(crate) fn is_right_to_left(text: &str) -> bool {
    text.contains(|c: char| {
        matches!(u32::from(c), 0x590..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF
            | 0x10800..=0x10FFF | 0x1E800..=0x1EFFF)
    })
}

/// `shown`, between `start` and PDI if `text` has right-to-left characters. White space at
/// its ends stays outside, so that it is next to what comes after, not at the far end.
fn isolated(shown: &str, text: &str, start: char) -> String {
    if !is_right_to_left(text) {
        return shown.to_owned();
    }
    let inside = shown.trim();
    let from = shown.len() - shown.trim_start().len();
    let (before, after) = (&shown[..from], &shown[from + inside.len()..]);
    format!("{before}{start}{inside}\u{2069}{after}")
}

/// A warning for somebody who does not know its name.
pub(crate) fn words(warning: Warning) -> &'static str {
    match warning {
        Warning::NotRfc3986 => "its URI form holds what RFC 3986 forbids",
        Warning::BidiControl => "an invisible control reorders its characters",
        Warning::BidiMixed => "a part of it runs both right to left and left to right",
        Warning::BidiEdge => "a right-to-left part begins or ends with something else",
        Warning::MixedScript => "look-alikes: it mixes scripts that are not written together",
        Warning::IdnaDeviation => "older software takes its host for another one",
        Warning::Idna2008Disallowed => "its host holds a character that registries refuse",
        Warning::DnsLength => "its host has an empty label, or is too long for the DNS",
        Warning::Userinfo => "a user name stands before the host",
        Warning::UserinfoLikeHost => "its user name looks like a host, and is none",
        Warning::NotNfc => "its characters are written in an unusual way (not NFC)",
        Warning::LeadingCombining => "a part begins with a mark that is drawn onto what precedes",
        Warning::JoinerContext => "an invisible joiner stands where none belongs",
        Warning::PercentNotUtf8 => "what its percent-encoded bytes mean is unknown",
        Warning::LeiriOnly => "it holds characters that an IRI does not",
        Warning::MalformedBytesAdjacent => "damaged bytes stand beside it",
        _ => "see the documentation",
    }
}

/// Writes a unified diff in colour, line by line, controls escaped.
pub(crate) struct PaintedDiff<W: Write> {
    out: W,
    paint: bool,
    line: Vec<u8>,
    /// Lines of a hunk that are to come: old and new.
    left: [u64; 2],
}

impl<W: Write> PaintedDiff<W> {
    /// Unless `paint`, what is written goes on as it is.
    pub(crate) fn new(out: W, paint: bool) -> PaintedDiff<W> {
        PaintedDiff { out, paint, line: Vec::new(), left: [0; 2] }
    }

    fn put(&mut self) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.line).into_owned();
        self.line.clear();
        let (text, end) = match text.strip_suffix("\r\n") {
            Some(text) => (text, "\r\n"),
            None => (text.strip_suffix('\n').unwrap_or(&text), "\n"),
        };
        let color = match (self.left, text.as_bytes().first()) {
            ([0, 0], Some(b'@')) => {
                let numbers = text.split(['-', '+', ' ', '@']).filter_map(|range| {
                    range.split_once(',').and_then(|(_, lines)| lines.parse().ok())
                });
                self.left.iter_mut().zip(numbers).for_each(|(left, lines)| *left = lines);
                HUNK
            }
            ([0, 0], Some(b'-' | b'+')) => BOLD,
            (_, Some(b'-')) => {
                self.left[0] = self.left[0].saturating_sub(1);
                OLD
            }
            (_, Some(b'+')) => {
                self.left[1] = self.left[1].saturating_sub(1);
                NEW
            }
            (_, Some(b' ')) => {
                self.left = self.left.map(|left| left.saturating_sub(1));
                ""
            }
            _ => "",
        };
        // A tab is layout.
        let shown: Vec<String> = text.split('\t').map(input::shown).collect();
        let shown = shown.join("\t");
        if color.is_empty() {
            write!(self.out, "{shown}{end}")
        } else {
            write!(self.out, "{color}{shown}{RESET}{end}")
        }
    }
}

impl<W: Write> Write for PaintedDiff<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.paint {
            return self.out.write(bytes);
        }
        for line in bytes.split_inclusive(|b| *b == b'\n') {
            self.line.extend_from_slice(line);
            if line.ends_with(b"\n") {
                self.put()?;
            }
        }
        Ok(bytes.len())
    }

    /// What there is of a line waits for its end.
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Red, green and blue of a colour of the table, from 16 on.
    fn rgb(n: u8) -> [u8; 3] {
        let level = |n: u8| [0, 95, 135, 175, 215, 255][usize::from(n % 6)];
        match n {
            ..232 => [level((n - 16) / 36), level((n - 16) / 6), level(n - 16)],
            _ => [8 + 10 * (n - 232); 3],
        }
    }

    /// As WCAG 2 has it, plus 0.05.
    fn luminance(color: [u8; 3]) -> f64 {
        let linear = color.map(|value| match f64::from(value) / 255.0 {
            value if value <= 0.04045 => value / 12.92,
            value => ((value + 0.055) / 1.055).powf(2.4),
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05
    }

    #[test]
    fn colours_can_be_read_on_dark_and_light_terminals() {
        let backgrounds = [
            ("black", [0; 3]),
            ("white", [255; 3]),
            ("Windows Terminal", [0x0c; 3]),
            ("VS Code", [0x1e; 3]),
            ("GNOME", [0x1d; 3]),
            ("Ubuntu", [0x30, 0x0a, 0x24]),
            ("Solarized dark", [0x00, 0x2b, 0x36]),
            ("Solarized light", [0xfd, 0xf6, 0xe3]),
        ];
        for sequence in [PATH, LINE, LINK, WARN, OLD, NEW, HUNK] {
            let number = sequence.split([';', 'm']).nth(2).and_then(|n| n.parse().ok());
            let ours = luminance(rgb(number.expect("a colour of the table")));
            for (name, background) in backgrounds {
                let its = luminance(background);
                let contrast = ours.max(its) / ours.min(its);
                assert!(contrast >= 3.0, "{sequence:?} on {name}: {contrast:.2}");
            }
        }
    }
}
