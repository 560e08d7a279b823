//! Mail: the links of each message.

use std::{cell::OnceCell, path::Path, sync::Arc};

use iriscan::{
    Finder,
    mail::{self, MailLink, Piece},
};
use iriscan_documents::MailPiece;

use super::visitor::{End, Visitor};
use crate::{
    args::scan::ScanArgs,
    inputs::{
        mail::{Mailbox, NOT_SEARCHED},
        open::Opened,
    },
    messages::{notes, trouble::Trouble},
};

/// Gives the links of every message to the visitor.
pub(super) fn walk(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    args: &ScanArgs,
    visitor: &mut dyn Visitor,
) -> Result<End, Trouble> {
    let why = opened.why();
    let near = visitor.near();
    let chars = |format| near.map(|near| near.in_mail(format));
    let mut mailbox = Mailbox::new(path, opened, NOT_SEARCHED, args.run.verbose);
    loop {
        if mailbox.waits {
            visitor.flush().map_err(Trouble::Output)?;
        }
        let Some(MailPiece { piece, at, line, .. }) = mailbox.next() else { break };
        let Piece::Message(message) = piece else { continue };
        let mut taken = Ok(());
        // Only a message with links needs them.
        let headers = OnceCell::new();
        let each = |link: MailLink| {
            if taken.is_ok() {
                let headers = headers.get_or_init(|| Arc::new(mail::headers(&message)));
                taken = visitor.mail_link(&link, at, line, headers);
            }
        };
        let mut closed = Vec::new();
        mail::find_noting(finder, &message, chars, each, |part| closed.push(part));
        mailbox.count_closed(&closed, at, line);
        taken.map_err(Trouble::Output)?;
    }
    if let Some(stats) = visitor.stats() {
        stats.mail(mailbox.bytes(), mailbox.messages());
    }
    mailbox.say_end(why);
    let note = notes::how_mail(mailbox.messages(), why);
    Ok(End { note, whole: mailbox.is_whole() })
}
