//! `--format mail`: messages and mboxes.
//!
//! Knows what to print of a link and what to say of a message; the library knows
//! mail. Invariant: what `rewrite` writes for a message that does not change, or is
//! longer than the limit, are its bytes.

use std::{
    collections::{BTreeMap, HashSet},
    io::{self, Read, Write},
    path::Path,
};

use iriscan::{
    Finder,
    mail::{self, Link, Messages, Options, Piece, Signature, Why},
};
use serde_json::{Map, Value};

use crate::{
    args::{FindArgs, Offsets, RewriteArgs},
    context::Seen,
    find::{path_bytes, write_path},
    input::{self, Opened, Outcome, Trouble},
    rewrite::To,
    show::Painter,
    stats::Stats,
};

/// The extensions of files that are mail.
const EXTENSIONS: [&str; 3] = ["eml", "mbox", "mbx"];

/// Whether a file of this name holds mail.
pub(crate) fn is_name(path: &Path) -> bool {
    let extension = path.extension().and_then(|name| name.to_str());
    extension.is_some_and(|name| EXTENSIONS.iter().any(|mail| name.eq_ignore_ascii_case(mail)))
}

/// An input, message by message.
struct Input {
    messages: Messages<Box<dyn Read>>,
    /// Where the next piece starts, in bytes and in lines from 1.
    at: u64,
    line: u64,
    waits: bool,
}

impl Input {
    fn of(opened: Opened) -> Input {
        let (reader, waits) = opened.into_reader();
        let messages = Messages::new(reader, Options::new().message_limit());
        Input { messages, at: 0, line: 1, waits }
    }

    /// The next piece, its first byte and its first line; `Err`: no more can be
    /// read, of which the user was told.
    fn next(&mut self, path: &Path) -> Option<Result<(Piece, u64, u64), ()>> {
        match self.messages.next()? {
            Ok(piece) => {
                let at = (self.at, self.line);
                self.at += piece.bytes().len() as u64;
                self.line += feeds(piece.bytes());
                Some(Ok((piece, at.0, at.1)))
            }
            Err(e) => {
                input::complain(path, &e);
                Some(Err(()))
            }
        }
    }
}

fn feeds(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|b| **b == b'\n').count() as u64
}

fn say_too_long(path: &Path, at: u64, what: &str) {
    let mib = Options::new().message_limit() >> 20;
    let name = input::name(path);
    input::say(format_args!(
        "{name}: the message at byte {at} is longer than {mib} MiB and {what}"
    ));
}

/// Where the results of `find` go.
pub(crate) struct Listing<'a, W> {
    pub(crate) args: &'a FindArgs,
    pub(crate) out: &'a mut W,
    /// With --unique: what was listed.
    pub(crate) seen: &'a mut HashSet<String>,
    /// More than one input: results name theirs.
    pub(crate) named: bool,
    /// With --stats.
    pub(crate) stats: Option<&'a mut Stats>,
    /// Links are shown for eyes.
    pub(crate) painter: Option<Painter>,
}

/// Lists the links of the input at `path`.
pub(crate) fn find<W: Write>(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    mut listing: Listing<'_, W>,
) -> Result<Outcome, Trouble> {
    if listing.args.offsets.iter().any(|offset| *offset != Offsets::Bytes) {
        let what = "--offsets other than bytes are of a decoded text, and mail has many; leave \
                    them out, or say --format text";
        return Err(Trouble::Usage(what.into()));
    }
    let why = opened.format().1;
    let mut input = Input::of(opened);
    let mut read = Outcome { links: 0, whole: true };
    let (mut unconvertible, mut messages) = (0, 0);
    loop {
        if input.waits {
            listing.out.flush().map_err(Trouble::Output)?;
        }
        let Some(next) = input.next(path) else { break };
        let Ok((piece, at, line)) = next else {
            read.whole = false;
            break;
        };
        let message = match piece {
            Piece::Message(message) => message,
            Piece::TooLong { first: true, .. } => {
                say_too_long(path, at, "is not searched; split it");
                continue;
            }
            _ => continue,
        };
        messages += 1;
        let mut written = Ok(());
        mail::find_each(finder, &message, |link| {
            if written.is_err() {
                return;
            }
            if let Some(stats) = &mut listing.stats {
                stats.mail_link(&link);
            }
            if let Err(why) = link.uri() {
                unconvertible += 1;
                if listing.args.scan.verbose {
                    say_left(path, at, &link, &why.to_string());
                }
            }
            match listing.link(path, &link, at, line) {
                Ok(listed) => read.links += u64::from(listed),
                Err(e) => written = Err(Trouble::Output(e)),
            }
        });
        written?;
    }
    if let Some(stats) = &mut listing.stats {
        stats.mail(input.at, messages);
    }
    if listing.args.count && read.whole {
        listing.line(path, &read.links.to_string()).map_err(Trouble::Output)?;
    }
    if listing.args.scan.verbose {
        say_messages(path, messages, why);
    }
    input::report_unconvertible(path, unconvertible, listing.args.scan.verbose);
    Ok(read)
}

/// What [`survey`] read.
#[derive(Debug)]
pub(crate) struct Survey {
    pub(crate) messages: u64,
    pub(crate) bytes: u64,
    /// To its end.
    pub(crate) whole: bool,
}

/// Hands each link of the input at `path` to `each`.
pub(crate) fn survey(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    each: &mut dyn FnMut(&Link, Seen),
) -> Survey {
    let mut input = Input::of(opened);
    let mut read = Survey { messages: 0, bytes: 0, whole: true };
    while let Some(next) = input.next(path) {
        let Ok((piece, at, line)) = next else {
            read.whole = false;
            break;
        };
        match piece {
            Piece::Message(message) => {
                read.messages += 1;
                mail::find_each(finder, &message, |link| {
                    each(&link, Seen::of_mail(&link, line));
                });
            }
            Piece::TooLong { first: true, .. } => {
                say_too_long(path, at, "is not searched; split it");
            }
            _ => {}
        }
    }
    read.bytes = input.at;
    read
}

fn say_messages(path: &Path, messages: u64, why: &str) {
    let plural = if messages == 1 { "" } else { "s" };
    input::say(format_args!(
        "{}: {messages} message{plural}; format mail {why}",
        input::name(path)
    ));
}

/// With `-v`: a link that stays as it is.
fn say_left(path: &Path, at: u64, link: &Link, why: &str) {
    let place = match link.span() {
        Some(span) => format!("byte {}", at + span.start),
        None => format!("message at byte {at}, part {}", link.part()),
    };
    let name = input::name(path);
    input::say(format_args!("{name}: {place}: {:?} stays as written: {why}", link.text()));
}

impl<W: Write> Listing<'_, W> {
    /// Whether the link was listed.
    fn link(&mut self, path: &Path, link: &Link, at: u64, line: u64) -> io::Result<bool> {
        if self.args.count && !self.args.unique {
            return Ok(true);
        }
        let shown = if self.args.iri { link.iri() } else { link.uri().unwrap_or(link.iri()) };
        if self.args.unique && !self.seen.insert(shown.to_owned()) {
            return Ok(false);
        }
        if let Some(painter) = self.painter {
            painter.write(self.out, path, &Seen::of_mail(link, line))?;
            return Ok(true);
        }
        match (self.args.count, self.args.json) {
            (true, _) => {}
            (_, true) => self.record(path, link, at, line)?,
            _ => self.line(path, shown)?,
        }
        Ok(true)
    }

    fn line(&mut self, path: &Path, text: &str) -> io::Result<()> {
        if self.named {
            write_path(self.out, path)?;
        }
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(if self.args.null { b"\0" } else { b"\n" })
    }

    fn record(&mut self, path: &Path, link: &Link, at: u64, line: u64) -> io::Result<()> {
        let mut record = Map::new();
        match path.to_str() {
            Some(path) => record.insert("path".into(), path.into()),
            None => record.insert("path_bytes".into(), path_bytes(path).into()),
        };
        let span = link.span();
        record.insert("start".into(), span.as_ref().map(|span| at + span.start).into());
        record.insert("end".into(), span.map(|span| at + span.end).into());
        record.insert("text".into(), link.text().into());
        record.insert("iri".into(), link.iri().into());
        record.insert("uri".into(), link.uri().ok().into());
        record.insert("open".into(), link.open().ok().into());
        if let Err(e) = link.uri() {
            record.insert("error".into(), e.to_string().into());
        }
        record.insert("kind".into(), link.kind().as_str().into());
        record.insert("scheme".into(), link.scheme().into());
        record.insert("host".into(), link.host().into());
        record.insert("charset".into(), link.charset().name().into());
        let warnings: Vec<Value> = link.warnings().iter().map(|w| w.as_str().into()).collect();
        record.insert("warnings".into(), warnings.into());
        record.insert("part".into(), link.part().into());
        if let Some(header) = link.header() {
            record.insert("header".into(), header.into());
        }
        record.insert("line".into(), (line + link.line() - 1).into());
        serde_json::to_writer(&mut *self.out, &record)?;
        self.out.write_all(b"\n")
    }
}

/// Rewrites the input at `path` as `args` want.
pub(crate) fn rewrite(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    args: &RewriteArgs,
    to: &mut To<'_>,
    mut stats: Option<&mut Stats>,
) -> Result<Outcome, Trouble> {
    let why = opened.format().1;
    let mut input = Input::of(opened);
    let options = Options::new().even_signed(args.even_signed);
    let mut read = Outcome { links: 0, whole: true };
    let mut left = Staying::default();
    let mut diff = Diff { name: input::name(path), begun: false, added: 0 };
    let mut messages = 0;
    loop {
        if input.waits {
            to.flush().map_err(Trouble::Output)?;
        }
        let Some(next) = input.next(path) else { break };
        let Ok((piece, at, line)) = next else {
            read.whole = false;
            break;
        };
        if let Piece::TooLong { first: true, .. } = piece {
            say_too_long(path, at, "stays as written; split it");
        }
        let written = match &piece {
            Piece::Message(message) => {
                messages += 1;
                let mut signed = 0;
                let (written, done) = mail::rewrite_each(finder, message, &options, |link| {
                    signed += u64::from(link.why == Why::Signed);
                    left.link(path, at, &link, args.scan.verbose);
                });
                read.links += done.changed;
                if let Some(stats) = &mut stats {
                    // Rewriting shows only the links that stay: they are found again.
                    mail::find_each(finder, message, |link| stats.mail_link(&link));
                }
                if let Some(how) = done.signed.filter(|_| signed > 0) {
                    left.signed(how, signed);
                }
                written
            }
            _ => piece.bytes().into(),
        };
        match to {
            To::Diff(_) if *written == *piece.bytes() => Ok(()),
            To::Diff(out) => diff.write(out, line, piece.bytes(), &written),
            To::Out(out) => out.write_all(&written),
            To::Probe if read.links > 0 => break,
            To::Probe | To::Nowhere => Ok(()),
        }
        .map_err(Trouble::Output)?;
    }
    if let Some(stats) = stats {
        stats.mail(input.at, messages);
        stats.rewritten(read.links);
    }
    if args.scan.verbose {
        say_messages(path, messages, why);
    }
    left.say(path, args.scan.verbose);
    Ok(read)
}

/// Links of an input that stay as they are, and why.
#[derive(Default)]
struct Staying {
    unconvertible: u64,
    /// Signed messages, how the first one is, and links in them.
    signed: Option<(u64, Signature, u64)>,
    /// By the reason in words.
    others: BTreeMap<String, u64>,
}

impl Staying {
    fn link(&mut self, path: &Path, at: u64, left: &mail::Left, verbose: bool) {
        if verbose {
            say_left(path, at, &left.link, &left.why.to_string());
        }
        match left.why {
            Why::NoUri(_) => self.unconvertible += 1,
            Why::Signed => {}
            _ => *self.others.entry(left.why.to_string()).or_default() += 1,
        }
    }

    /// A message that is signed, and so many links in it.
    fn signed(&mut self, how: Signature, links: u64) {
        let (messages, _, all) = self.signed.get_or_insert((0, how, 0));
        *messages += 1;
        *all += links;
    }

    /// One line for each reason.
    fn say(&self, path: &Path, verbose: bool) {
        let name = input::name(path);
        input::report_unconvertible(path, self.unconvertible, verbose);
        let links = |count: u64| match count {
            1 => "1 link stays".to_owned(),
            _ => format!("{count} links stay"),
        };
        if let Some((messages, how, count)) = self.signed {
            let (messages, are) = match messages {
                1 => ("a message that".to_owned(), "is"),
                _ => (format!("{messages} messages that"), "are"),
            };
            let (how, links) = (how.as_str(), links(count));
            input::say(format_args!(
                "{name}: {links} as written in {messages} {are} signed ({how}); --even-signed \
                 rewrites them and breaks the signature"
            ));
        }
        let advice = if verbose { "see above" } else { "-v names each" };
        for (why, count) in &self.others {
            input::say(format_args!("{name}: {} as written: {why}; {advice}", links(*count)));
        }
    }
}

/// Lines shown before and behind a change.
const CONTEXT: usize = 3;

/// How far lines that are the same again are looked for.
const NEAR: usize = 100;

/// A unified diff of an input, message by message. Soft breaks and base64 make
/// lines more or fewer.
struct Diff {
    name: String,
    begun: bool,
    /// How many lines the messages before have more than they had.
    added: i64,
}

impl Diff {
    fn write(&mut self, out: &mut impl Write, line: u64, old: &[u8], new: &[u8]) -> io::Result<()> {
        let old: Vec<&[u8]> = old.split_inclusive(|b| *b == b'\n').collect();
        let new: Vec<&[u8]> = new.split_inclusive(|b| *b == b'\n').collect();
        if !self.begun {
            self.begun = true;
            write!(out, "--- {0}\n+++ {0}\n", self.name)?;
        }
        let changes = changes(&old, &new);
        let mut i = 0;
        while i < changes.len() {
            // Changes whose contexts touch share a hunk.
            let mut last = i;
            while changes.get(last + 1).is_some_and(|c| c.0[0] - changes[last].0[1] <= 2 * CONTEXT)
            {
                last += 1;
            }
            let hunk = &changes[i..=last];
            let lead = hunk[0].0[0].min(CONTEXT);
            let trail = (old.len() - hunk[hunk.len() - 1].0[1]).min(CONTEXT);
            let (from, to) = (hunk[0].0[0] - lead, hunk[hunk.len() - 1].0[1] + trail);
            let (new_from, new_to) = (hunk[0].1[0] - lead, hunk[hunk.len() - 1].1[1] + trail);
            let new_line = (line as i64 + self.added) + new_from as i64;
            writeln!(
                out,
                "@@ -{},{} +{new_line},{} @@",
                line + from as u64,
                to - from,
                new_to - new_from
            )?;
            let mut at = from;
            for (olds, news) in hunk {
                old[at..olds[0]].iter().try_for_each(|line| write_line(out, ' ', line))?;
                old[olds[0]..olds[1]].iter().try_for_each(|line| write_line(out, '-', line))?;
                new[news[0]..news[1]].iter().try_for_each(|line| write_line(out, '+', line))?;
                at = olds[1];
            }
            old[at..to].iter().try_for_each(|line| write_line(out, ' ', line))?;
            i = last + 1;
        }
        self.added += new.len() as i64 - old.len() as i64;
        Ok(())
    }
}

/// Ranges of lines that differ: where in `old`, and where in `new`.
fn changes(old: &[&[u8]], new: &[&[u8]]) -> Vec<([usize; 2], [usize; 2])> {
    let mut changes = Vec::new();
    let (mut a, mut b) = (0, 0);
    while a < old.len() || b < new.len() {
        if a < old.len() && b < new.len() && old[a] == new[b] {
            (a, b) = (a + 1, b + 1);
            continue;
        }
        let same = |i: usize, j: usize| {
            let lines = |n: usize| old.get(a + i + n) == new.get(b + j + n);
            // One short line alone is the same by chance.
            let tells = old.get(a + i).is_some_and(|line| line.len() > 8);
            (a + i < old.len()) == (b + j < new.len()) && lines(0) && (tells || lines(1))
        };
        let near = (1..NEAR).find_map(|sum| {
            (0..=sum)
                .map(|i| (i, sum - i))
                .find(|&(i, j)| a + i <= old.len() && b + j <= new.len() && same(i, j))
        });
        let (i, j) = near.unwrap_or_else(|| {
            // From the end: all that is the same there.
            let tail = old[a..].iter().rev().zip(new[b..].iter().rev());
            let same = tail.take_while(|(old, new)| old == new).count();
            (old.len() - a - same, new.len() - b - same)
        });
        changes.push(([a, a + i], [b, b + j]));
        (a, b) = (a + i, b + j);
    }
    changes
}

fn write_line(out: &mut impl Write, sign: char, line: &[u8]) -> io::Result<()> {
    write!(out, "{sign}{}", String::from_utf8_lossy(line))?;
    if line.ends_with(b"\n") { Ok(()) } else { out.write_all(b"\n\\ No newline at end of file\n") }
}
