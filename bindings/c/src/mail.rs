//! Rewriting, and mail.

use std::ffi::c_void;

use iriscan::mail::{self, MailLink};

use crate::{
    buffer::{self, Done, iriscan_buffer},
    finder::{self, iriscan_finder},
    link::Spot,
    list::{self, iriscan_links},
    status::iriscan_status,
};

/// Copies the bytes with each link that is not ASCII replaced by its URI form, or as the options
/// `to`, `template_text` and IRISCAN_DEFANG say. Every other byte stays as it is.
///
/// - data, size: the bytes, as for iriscan_find
/// - out: receives the bytes, to be freed by iriscan_buffer_free; NULL on errors. iriscan_buffer_changed
///   says how many links were replaced, iriscan_buffer_unconvertible how many stay.
///
/// Errors: those of iriscan_find. A link that cannot be replaced stays as it is and is no error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_rewrite(
    finder: *const iriscan_finder,
    data: *const c_void,
    size: usize,
    out: *mut *mut iriscan_buffer,
) -> iriscan_status {
    let work = |finder: &iriscan_finder, data: &[u8]| {
        let (bytes, done) = finder.finder.rewrite_slice(data);
        let (unconvertible, lost, early) = (done.unconvertible, done.lost, done.before_charset);
        Ok(buffer::give(bytes, Done { changed: done.changed, unconvertible, lost, early }))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { finder::run(finder, data, size, out, work) }
}

/// Finds all links of one message: in header fields and in text parts, through transfer encodings,
/// charsets, flowed text, HTML and encoded words. A program that reads an mbox passes one message
/// after the other.
///
/// The links have `part`, `field` and `line`, and `message_id`, `subject`, `from` and `date` of the
/// message. `start` and `end` are bytes of the message, or
/// IRISCAN_NONE if the link's bytes are not there, as in base64. The finder's charset and format
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

/// As iriscan_mail_find; the links have `before` and `after`, the text around them.
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
    let each = |link: MailLink| {
        let spot = Spot::in_mail(&link);
        found.push((link.into_link(), spot));
    };
    match chars {
        Some(chars) => mail::find_in_context(&finder.finder, data, chars, each),
        None => mail::find_each(&finder.finder, data, each),
    }
    list::give_of(found, || Some(mail::headers(data)))
}

/// Copies one message with links replaced as iriscan_rewrite does, in the encoding of their parts. Line limits are kept. A signed message stays as it is, unless the finder has the flag
/// IRISCAN_EVEN_SIGNED.
///
/// The arguments and errors are those of iriscan_rewrite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_mail_rewrite(
    finder: *const iriscan_finder,
    data: *const c_void,
    size: usize,
    out: *mut *mut iriscan_buffer,
) -> iriscan_status {
    let work = |finder: &iriscan_finder, data: &[u8]| {
        let mut unconvertible = 0;
        let count = |_| unconvertible += 1;
        let (bytes, done) = mail::rewrite_each(&finder.finder, data, &finder.mail, count);
        let (changed, lost) = (done.changed, done.lost);
        Ok(buffer::give(bytes, Done { changed, unconvertible, lost, early: 0 }))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { finder::run(finder, data, size, out, work) }
}
