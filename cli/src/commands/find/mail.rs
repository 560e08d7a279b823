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
        let (chars, mut closed) = (near.map(|near| near.in_mail()), Vec::new());
        mail::find_noting(finder, &message, chars, each, |part| closed.push(part));
        mailbox.count_closed(&closed, at, line);
        written.map_err(Trouble::Output)?;
    }
    if let Some(stats) = lister.stats() {
        stats.mail(mailbox.bytes(), mailbox.messages());
    }
    mailbox.say_end(why);
    Ok(mailbox.is_whole())
}
