//! `iriscan find` of mail: lists the links of each message.

use std::{cell::OnceCell, io::Write, path::Path};

use iriscan::{
    Finder,
    mail::{self, MailLink, Piece},
};

use crate::{
    args::find::{FindArgs, OffsetsArg},
    inputs::{
        mail::{MailPiece, Mailbox, NOT_SEARCHED},
        open::Opened,
    },
    messages::trouble::Trouble,
    printers::list::Lister,
};

/// Lists the links. Returns true if the file was read to its end.
pub(super) fn find<W: Write>(
    finder: &Finder,
    args: &FindArgs,
    lister: &mut Lister<'_, W>,
    path: &Path,
    opened: Opened,
) -> Result<bool, Trouble> {
    if args.offsets.iter().any(|unit| *unit != OffsetsArg::Bytes) {
        let what = "--offsets other than bytes are of a decoded text, and mail has many; leave \
                    them out, or say --format text";
        return Err(Trouble::Usage(what.into()));
    }
    let why = opened.why();
    let near = lister.near();
    let mut mailbox = Mailbox::new(path, opened, NOT_SEARCHED, args.scan.run.verbose);
    loop {
        if mailbox.waits {
            lister.out().flush().map_err(Trouble::Output)?;
        }
        let Some(MailPiece { piece, at, line }) = mailbox.next() else { break };
        let Piece::Message(message) = piece else { continue };
        let mut written = Ok(());
        // Only a message with links needs them.
        let headers = OnceCell::new();
        let each = |link: MailLink| {
            if written.is_ok() {
                let headers = headers.get_or_init(|| mail::headers(&message));
                written = lister.mail_link(&link, at, line, headers);
            }
        };
        match near {
            Some(near) => mail::find_in_context(finder, &message, near.in_mail(), each),
            None => mail::find_each(finder, &message, each),
        }
        written.map_err(Trouble::Output)?;
    }
    if let Some(stats) = lister.stats() {
        stats.mail(mailbox.bytes(), mailbox.messages());
    }
    mailbox.say_closed();
    if args.scan.run.verbose {
        mailbox.say_messages(why);
    }
    Ok(mailbox.is_whole())
}
