//! `--format mail`: messages and mboxes.
//!
//! Knows what to print of a link and what to say of a message; the library knows
//! mail. Invariant: what `rewrite` writes for a message that does not change, or is
//! longer than the limit, are its bytes.

use std::{
    collections::BTreeMap,
    io::{self, Read, Write},
    path::Path,
};

use iriscan::{
    Finder,
    mail::{self, Link, Messages, Options, Piece, Signature, Why},
};

use crate::{
    args::{Offsets, RewriteArgs},
    context::Seen,
    diff::{Diff, Lines},
    find::Lister,
    input::{self, Opened, Outcome, Trouble},
    rewrite::To,
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

/// Takes the input at `path` step by step, and says which messages are too long.
/// Whether all of it could be read.
fn each_message(
    input: &mut Input,
    path: &Path,
    each: &mut dyn FnMut(Step<'_>) -> io::Result<()>,
) -> Result<bool, Trouble> {
    loop {
        if input.waits {
            each(Step::Waits).map_err(Trouble::Output)?;
        }
        let Some(next) = input.next(path) else { return Ok(true) };
        let Ok((piece, at, line)) = next else { return Ok(false) };
        match piece {
            Piece::Message(message) => {
                each(Step::Message(&message, at, line)).map_err(Trouble::Output)?;
            }
            Piece::TooLong { first: true, .. } => {
                say_too_long(path, at, "is not searched; split it");
            }
            _ => {}
        }
    }
}

/// What comes next of an input.
enum Step<'m> {
    /// Maybe nothing for a while.
    Waits,
    /// A message, its first byte and its first line.
    Message(&'m [u8], u64, u64),
}

/// Lists the links of the input that `lister` is for.
pub(crate) fn find<W: Write>(
    finder: &Finder,
    opened: Opened,
    lister: &mut Lister<'_, W>,
) -> Result<Outcome, Trouble> {
    let (path, args) = (lister.path, lister.args);
    if args.offsets.iter().any(|offset| *offset != Offsets::Bytes) {
        let what = "--offsets other than bytes are of a decoded text, and mail has many; leave \
                    them out, or say --format text";
        return Err(Trouble::Usage(what.into()));
    }
    let why = opened.why();
    let mut input = Input::of(opened);
    let mut messages = 0;
    let whole = each_message(&mut input, path, &mut |step| {
        let Step::Message(message, at, line) = step else { return lister.flush() };
        messages += 1;
        let mut written = Ok(());
        mail::find_each(finder, message, |link| {
            if written.is_ok() {
                written = lister.mailed(&link, at, line);
            }
        });
        written
    })?;
    if let Some(stats) = &mut lister.stats {
        stats.mail(input.at, messages);
    }
    if whole {
        lister.count()?;
    }
    if args.scan.verbose {
        say_messages(path, messages, why);
    }
    lister.report_unconvertible();
    Ok(Outcome { links: lister.listed, whole })
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
) -> Result<Survey, Trouble> {
    let mut input = Input::of(opened);
    let mut messages = 0;
    let whole = each_message(&mut input, path, &mut |step| {
        if let Step::Message(message, _, line) = step {
            messages += 1;
            mail::find_each(finder, message, |link| each(&link, Seen::of_mail(&link, line)));
        }
        Ok(())
    })?;
    Ok(Survey { messages, bytes: input.at, whole })
}

fn say_messages(path: &Path, messages: u64, why: &str) {
    let messages = input::plural(messages, "message");
    input::say(format_args!("{}: {messages}; format mail {why}", input::name(path)));
}

/// With `-v`: a link that stays as it is.
pub(crate) fn say_left(path: &Path, at: u64, link: &Link, why: &str) {
    let place = match link.span() {
        Some(span) => format!("byte {}", at + span.start),
        None => format!("message at byte {at}, part {}", link.part()),
    };
    let name = input::name(path);
    input::say(format_args!("{name}: {place}: {:?} stays as written: {why}", link.text()));
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
    let why = opened.why();
    let mut input = Input::of(opened);
    let options = Options::new().even_signed(args.even_signed);
    let mut read = Outcome { links: 0, whole: true };
    let mut left = Staying::default();
    let mut diff = Diff::new(input::name(path));
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
            To::Diff(out) => diff.write(out, line, piece.bytes(), &written, Lines::Moved),
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
