//! The links of mail.

use std::{ffi::c_void, sync::Arc};

use iriscan::mail::{self, MailLink};

use crate::{
    finder::{self, iriscan_finder},
    link::iriscan_link,
    list::{self, iriscan_links},
    status::iriscan_status,
};

/// Finds all links of one message: in header fields and in text parts, through transfer encodings,
/// charsets, flowed text, HTML and encoded words. A program that reads an mbox passes one message
/// after the other.
///
/// The links have IRISCAN_FIELD_PART, IRISCAN_FIELD_HEADER and a line, and IRISCAN_FIELD_SUBJECT and
/// others of the message. Their offsets are bytes of the message, or IRISCAN_NO_OFFSET if the link's
/// bytes are not there, as in base64. The finder's charset and format
/// do not count, because the message says its own.
///
/// The arguments and errors are those of iriscan_find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_mail_find(
    finder: *const iriscan_finder,
    data: *const c_void,
    size: usize,
    out: *mut *mut iriscan_links,
) -> iriscan_status {
    let work = |finder: &iriscan_finder, data: &[u8]| Ok(find(finder, data, None));
    // SAFETY: the header says what the pointers are.
    unsafe { finder::run(finder, data, size, out, work) }
}

/// As iriscan_mail_find; the links have IRISCAN_FIELD_BEFORE and IRISCAN_FIELD_AFTER, the text around
/// them.
///
/// - chars: so many characters before and after each link. Transfer encodings are undone, and the
///   charset is decoded; markup and line ends are as they are written.
///
/// The other arguments and errors are those of iriscan_find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_mail_find_in_context(
    finder: *const iriscan_finder,
    data: *const c_void,
    size: usize,
    chars: usize,
    out: *mut *mut iriscan_links,
) -> iriscan_status {
    let work = |finder: &iriscan_finder, data: &[u8]| Ok(find(finder, data, Some(chars)));
    // SAFETY: the header says what the pointers are.
    unsafe { finder::run(finder, data, size, out, work) }
}

/// The links of a message, with so many characters around them.
fn find(finder: &iriscan_finder, data: &[u8], chars: Option<usize>) -> *mut iriscan_links {
    let mut found = Vec::new();
    let each = |link: MailLink| found.push(iriscan_link::in_mail(link, (0, 1)));
    match chars {
        Some(chars) => mail::find_in_context(&finder.finder, data, chars, each),
        None => mail::find_each(&finder.finder, data, each),
    }
    if !found.is_empty() {
        let message = Arc::new(mail::headers(data));
        found.iter_mut().for_each(|link| link.set_message(&message));
    }
    list::give(found, finder)
}
