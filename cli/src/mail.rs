//! `--format mail`: messages and mboxes.
//!
//! Knows what to print of a link and what to say of a message; the library knows
//! mail. Invariant: what `rewrite` writes for a message that does not change, or is
//! longer than the limit, are its bytes.

use std::{
    collections::BTreeMap,
    io::{self, BufWriter, IntoInnerError, Read, Write},
    path::Path,
};

use iriscan::{
    Finder,
    mail::{self, MailLink, Messages, Options, Piece, Signature, Why},
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

/// Whether a file of this name holds mail, though it may have another extension: its name
/// ends in the flags that a Maildir writes, such as `:2,S`. Where a file system has no
/// colon in names, `!` or `;` is in its place.
pub(crate) fn has_flags(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let flags = [":2,", "!2,", ";2,"].iter().find_map(|mark| Some(name.rsplit_once(mark)?.1));
    flags.is_some_and(|flags| flags.bytes().all(|b| b.is_ascii_alphabetic()))
}

/// Whether a file of this name, which has no extension of another format, holds mail.
pub(crate) fn is_name(path: &Path) -> bool {
    let extension = path.extension().and_then(|name| name.to_str());
    extension.is_some_and(|name| EXTENSIONS.iter().any(|mail| name.eq_ignore_ascii_case(mail)))
        || is_in_maildir(path)
}

/// Whether it is a file in the folder `cur` or `new` of a Maildir. Many folders are called
/// `new`: another folder of a Maildir must be next to it, or the file's name must begin
/// with a time, as the names in a Maildir do.
fn is_in_maildir(path: &Path) -> bool {
    let Some(folder) = path.parent() else { return false };
    if !["cur", "new"].iter().any(|name| folder.file_name() == Some(name.as_ref())) {
        return false;
    }
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let digits = name.iter().take_while(|b| b.is_ascii_digit()).count();
    let is_timed = digits >= 9 && name.get(digits).is_some_and(|b| matches!(b, b'.' | b'_'));
    let others = ["cur", "new", "tmp"].iter().map(|name| folder.with_file_name(name));
    is_timed || others.filter(|other| *other != *folder).any(|other| other.is_dir())
}

/// An input, message by message.
struct Input<'p> {
    path: &'p Path,
    pieces: Messages<Box<dyn Read>>,
    /// What becomes of a message that is too long.
    too_long: &'static str,
    /// A read may have to wait.
    waits: bool,
    /// Where the next piece starts, in bytes and in lines from 1.
    at: u64,
    line: u64,
    /// So many there were.
    messages: u64,
    /// No error ended it.
    whole: bool,
}

impl<'p> Input<'p> {
    fn of(path: &'p Path, opened: Opened, too_long: &'static str) -> Input<'p> {
        let (reader, waits) = opened.into_reader();
        let pieces = Messages::new(reader, Options::new().get_limit());
        Input { path, pieces, too_long, waits, at: 0, line: 1, messages: 0, whole: true }
    }

    /// The next piece, its first byte and its first line. The user is told of what is
    /// too long, and of an error, which ends it.
    fn next(&mut self) -> Option<(Piece, u64, u64)> {
        let piece = match self.pieces.next()? {
            Ok(piece) => piece,
            Err(e) => {
                input::complain(self.path, &e);
                self.whole = false;
                return None;
            }
        };
        let (at, line) = (self.at, self.line);
        self.at += piece.bytes().len() as u64;
        self.line += piece.bytes().iter().filter(|b| **b == b'\n').count() as u64;
        match piece {
            Piece::TooLong { first: true, .. } => {
                let (name, what) = (input::name(self.path), self.too_long);
                let mib = Options::new().get_limit() >> 20;
                input::say(format_args!(
                    "{name}: the message at byte {at} is longer than {mib} MiB and {what}"
                ));
            }
            Piece::Message(_) => self.messages += 1,
            _ => {}
        }
        Some((piece, at, line))
    }

    /// With `-v`: how it was read.
    fn say_messages(&self, why: &str) {
        input::say(format_args!("{}: {}", input::name(self.path), how(self.messages, why)));
    }
}

/// How mail was read: so many messages, and why as mail.
pub(crate) fn how(messages: u64, why: &str) -> String {
    format!("{}; format mail {why}", input::plural(messages, "message"))
}

/// For who only looks at messages.
const NOT_SEARCHED: &str = "is not searched; split it";

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
    let mut input = Input::of(path, opened, NOT_SEARCHED);
    loop {
        if input.waits {
            lister.flush().map_err(Trouble::Output)?;
        }
        let Some((piece, at, line)) = input.next() else { break };
        let Piece::Message(message) = piece else { continue };
        let mut written = Ok(());
        mail::find_each(finder, &message, |link| {
            if written.is_ok() {
                written = lister.mailed(&link, at, line);
            }
        });
        written.map_err(Trouble::Output)?;
    }
    if let Some(stats) = &mut lister.stats {
        stats.mail(input.at, input.messages);
    }
    if input.whole {
        lister.count()?;
    }
    if args.scan.verbose {
        input.say_messages(why);
    }
    lister.report_left();
    Ok(Outcome { links: lister.listed, whole: input.whole })
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
    each: &mut dyn FnMut(&MailLink, Seen),
) -> Survey {
    let mut input = Input::of(path, opened, NOT_SEARCHED);
    while let Some((piece, _, line)) = input.next() {
        if let Piece::Message(message) = piece {
            mail::find_each(finder, &message, |link| each(&link, Seen::of_mail(&link, line)));
        }
    }
    Survey { messages: input.messages, bytes: input.at, whole: input.whole }
}

/// With `-v`: a link that stays as it is.
pub(crate) fn say_left(path: &Path, at: u64, link: &MailLink, why: &str) {
    let place = match link.span() {
        Some(span) => format!("byte {}", at + span.start),
        None => format!("message at byte {at}, part {}", link.part()),
    };
    let name = input::name(path);
    input::say(format_args!("{name}: {place}: {:?} stays as written: {why}", link.link().text()));
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
    let mut input = Input::of(path, opened, "stays as written; split it");
    let options = Options::new().even_signed(args.even_signed);
    let mut changed = 0;
    let mut left = Staying::default();
    let mut diff = Diff::new(input::name(path));
    loop {
        if input.waits {
            to.flush().map_err(Trouble::Output)?;
        }
        let Some((piece, at, line)) = input.next() else { break };
        let Piece::Message(message) = &piece else {
            if let To::Out(out) = to {
                out.write_all(piece.bytes()).map_err(Trouble::Output)?;
            }
            continue;
        };
        let mut signed = 0;
        let mut stays = |link: mail::Left| {
            signed += u64::from(link.why == Why::Signed);
            left.link(path, at, &link, args.scan.verbose);
        };
        let done = match to {
            To::Diff(out) => {
                let (written, done) = mail::rewrite_each(finder, message, &options, &mut stays);
                if done.changed > 0 {
                    diff.write(out, line, message, &written, Lines::Moved)
                        .map_err(Trouble::Output)?;
                }
                Ok(done)
            }
            To::Out(out) => {
                let mut out = BufWriter::with_capacity(64 << 10, out);
                let done = mail::rewrite_to(finder, message, &options, &mut out, &mut stays);
                let flushed = out.into_inner().map_err(IntoInnerError::into_error);
                done.and_then(|done| flushed.map(|_| done))
            }
            To::Probe | To::Nowhere => {
                mail::rewrite_to(finder, message, &options, io::sink(), &mut stays)
            }
        };
        let done = done.map_err(Trouble::Output)?;
        changed += done.changed;
        if let Some(stats) = &mut stats {
            // Rewriting shows only the links that stay: they are found again.
            mail::find_each(finder, message, |link| stats.mail_link(&link));
        }
        if let Some(how) = done.signed.filter(|_| signed > 0) {
            left.signed(how, signed);
        }
        if matches!(to, To::Probe) && changed > 0 {
            break;
        }
    }
    if let Some(stats) = stats {
        stats.mail(input.at, input.messages);
        stats.rewritten(changed);
    }
    if args.scan.verbose {
        input.say_messages(why);
    }
    left.say(path, args.scan.verbose);
    Ok(Outcome { links: changed, whole: input.whole })
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
