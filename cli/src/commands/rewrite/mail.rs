//! `iriscan rewrite` of mail: rewrites each message.
//!
//! What must hold: a message without a change, and one that is too long, comes out with its
//! bytes unchanged.

use std::{
    collections::BTreeMap,
    io::{self, BufWriter, IntoInnerError, Write},
    path::Path,
};

use iriscan::{
    Finder,
    mail::{self, Kept, KeptReason, Options, Piece, Signature},
};
use iriscan_documents::MailPiece;

use crate::{
    args::rewrite::RewriteArgs,
    inputs::{Outcome, mail::Mailbox, open::Opened},
    messages::{notes, say, text::name, trouble::Trouble},
    output::Destination,
    printers::{
        diff::{Diff, LinePairing},
        stats::Stats,
    },
};

/// Rewrites the input at `path`.
pub(super) fn rewrite(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    args: &RewriteArgs,
    to: &mut Destination<'_>,
    mut stats: Option<&mut Stats>,
) -> Result<Outcome, Trouble> {
    let (why, verbose) = (opened.why(), args.scan.run.verbose);
    let mut mailbox = Mailbox::new(path, opened, "stays as written; split it", verbose);
    let options = Options::new().even_signed(args.even_signed);
    let (mut changed, mut links, mut lost) = (0, 0, 0);
    let mut left = Staying::default();
    let mut diff = Diff::new(name(path));
    loop {
        if mailbox.waits {
            to.flush().map_err(Trouble::Output)?;
        }
        let Some(MailPiece { piece, at, line, .. }) = mailbox.next() else { break };
        let Piece::Message(message) = &piece else {
            if let Destination::All(out) = to {
                out.write_all(piece.bytes()).map_err(Trouble::Output)?;
            }
            continue;
        };
        let options = options.first(links + 1);
        let mut signed = 0;
        let mut stays = |link: Kept| {
            signed += u64::from(link.reason == KeptReason::Signed);
            left.link(path, at, &link, verbose);
        };
        let diff = (&mut diff, line);
        let done = rewrite_message(finder, message, &options, to, diff, &mut stays);
        let done = done.map_err(Trouble::Output)?;
        mailbox.count_closed(&done.unsearched, at, line);
        changed += done.changed;
        links += done.links;
        lost += done.lost;
        if let Some(stats) = &mut stats {
            // Rewriting gives only the links that stay, so all links are found once more.
            mail::find_each(finder, message, |link| stats.mail_link(&link));
        }
        if let Some(how) = done.signed.filter(|_| signed > 0) {
            left.signed(how, signed);
        }
        if matches!(to, Destination::Probe) && changed > 0 {
            break;
        }
    }
    if let Some(stats) = stats {
        stats.mail(mailbox.bytes(), mailbox.messages());
        stats.rewritten(changed);
    }
    mailbox.say_end(why);
    left.say(path, verbose);
    notes::report_lost(path, lost);
    Ok(Outcome { links: changed, whole: mailbox.is_whole() })
}

/// Rewrites one message. `diff`: what writes the changes if `to` wants them, and the line of the message.
fn rewrite_message(
    finder: &Finder,
    message: &[u8],
    options: &Options,
    to: &mut Destination<'_>,
    (diff, line): (&mut Diff, u64),
    stays: &mut dyn FnMut(Kept),
) -> io::Result<mail::Rewritten> {
    match to {
        Destination::Diff(out) => {
            let (written, done) = mail::rewrite_each(finder, message, options, stays);
            if done.changed > 0 {
                diff.write(out, line, message, &written, LinePairing::Moved)?;
            }
            Ok(done)
        }
        Destination::All(out) => write_message(finder, message, options, out, stays),
        Destination::Probe | Destination::Nowhere => {
            mail::rewrite_to(finder, message, options, io::sink(), stays)
        }
    }
}

/// Writes the rewritten form of a message.
fn write_message(
    finder: &Finder,
    message: &[u8],
    options: &Options,
    out: &mut dyn Write,
    stays: &mut dyn FnMut(Kept),
) -> io::Result<mail::Rewritten> {
    let mut out = BufWriter::with_capacity(64 << 10, out);
    let done = mail::rewrite_to(finder, message, options, &mut out, stays);
    let flushed = out.into_inner().map_err(IntoInnerError::into_error);
    done.and_then(|done| flushed.map(|_| done))
}

/// The links of an input that stay as they are, and why.
#[derive(Default)]
struct Staying {
    unconvertible: u64,
    identifiers: u64,
    signed: Option<Signed>,
    /// The others, by the reason in words.
    others: BTreeMap<String, u64>,
}

/// Links in signed messages.
struct Signed {
    /// The kind of signature of the first message.
    how: Signature,
    messages: u64,
    links: u64,
}

impl Staying {
    /// Counts a link that stays, and with `-v` names it.
    fn link(&mut self, path: &Path, at: u64, left: &Kept, verbose: bool) {
        if verbose {
            notes::report_staying(path, at, &left.link, &left.reason.to_string());
        }
        match left.reason {
            KeptReason::NoUri(_) => self.unconvertible += 1,
            KeptReason::Identifier => self.identifiers += 1,
            KeptReason::Signed => {}
            _ => *self.others.entry(left.reason.to_string()).or_default() += 1,
        }
    }

    /// Counts a signed message, with the number of links that stay in it.
    fn signed(&mut self, how: Signature, links: u64) {
        let signed = self.signed.get_or_insert(Signed { how, messages: 0, links: 0 });
        signed.messages += 1;
        signed.links += links;
    }

    /// Writes one line for each reason.
    fn say(&self, path: &Path, verbose: bool) {
        let name = name(path);
        notes::report_unconvertible(path, self.unconvertible, verbose);
        notes::report_identifiers(path, self.identifiers);
        let links = |count: u64| match count {
            1 => "1 link stays".to_owned(),
            _ => format!("{count} links stay"),
        };
        if let Some(signed) = &self.signed {
            let (messages, are) = match signed.messages {
                1 => ("a message that".to_owned(), "is"),
                n => (format!("{n} messages that"), "are"),
            };
            let (how, links) = (signed.how.as_str(), links(signed.links));
            say(format_args!(
                "{name}: {links} as written in {messages} {are} signed ({how}); --even-signed \
                 rewrites them and breaks the signature"
            ));
        }
        let advice = if verbose { "see above" } else { "-v names each" };
        for (why, count) in &self.others {
            say(format_args!("{name}: {} as written: {why}; {advice}", links(*count)));
        }
    }
}
