//! Rewriting: of bytes, of streams, by a callback, and plain text to HTML.

use std::ffi::{c_char, c_int, c_void};

use iriscan::{Match, Replacement, Rewriter, Scanner, mail};

use crate::{
    buffer::{self, Done, iriscan_buffer},
    finder::{self, iriscan_finder},
    handle::{self, held},
    input,
    link::{Counter, iriscan_link},
    status::{
        Error, IRISCAN_ERR_NULL, IRISCAN_ERR_STATE, IRISCAN_OK, IRISCAN_STOPPED, iriscan_status,
        status, value,
    },
};

/// Copies the bytes with each link that is not ASCII replaced by its URI form, or as the options
/// `to`, `template_text` and IRISCAN_FLAG_DEFANG say. Every other byte stays as it is.
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
        Ok(buffer::give(bytes, Done::of(&done)))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { finder::run(finder, data, size, out, work) }
}

/// Copies one message with links replaced as iriscan_rewrite does, in the encoding of their parts. Line
/// limits are kept. A signed message stays as it is, unless the finder has the flag
/// IRISCAN_FLAG_EVEN_SIGNED.
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

/// The text that a callback of iriscan_replace writes in the place of a link.
pub struct iriscan_replacement {
    text: String,
    /// A string was added, so the link is replaced.
    set: bool,
}

/// Adds text to what replaces the link: UTF-8. The escapes of the format and the charset of the document
/// are not for the caller to write.
///
/// - replacement: the one that the callback got, until it returns
/// - text, size: no NUL is needed after it. An empty text removes the link.
///
/// Errors: IRISCAN_ERR_NULL, IRISCAN_ERR_UTF8, IRISCAN_ERR_RANGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_replacement_add(
    replacement: *mut iriscan_replacement,
    text: *const c_char,
    size: usize,
) -> iriscan_status {
    status(|| {
        // SAFETY: the header says what the pointers are.
        let text = unsafe { input::text("text", text, size) }?;
        // SAFETY: as above.
        let Some(replacement) = (unsafe { replacement.as_mut() }) else {
            return Err(Error::null("replacement"));
        };
        replacement.text.push_str(text);
        replacement.set = true;
        Ok(IRISCAN_OK)
    })
}

/// Copies the bytes with each link replaced by the text that `replace` gives. The options `to`,
/// `template_text` and IRISCAN_FLAG_DEFANG do not count.
///
/// - data, size: the bytes, as for iriscan_find
/// - replace: called for each link, in order. It calls iriscan_replacement_add with what it wants in the
///   place of the link; if it does not, the link stays. It must return: no longjmp, no C++ exception.
/// - user: its first argument; may be NULL
/// - out: as for iriscan_rewrite
///
/// Errors: those of iriscan_find, IRISCAN_ERR_NULL also if `replace` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_replace(
    finder: *const iriscan_finder,
    data: *const c_void,
    size: usize,
    replace: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            link: *const iriscan_link,
            replacement: *mut iriscan_replacement,
        ),
    >,
    user: *mut c_void,
    out: *mut *mut iriscan_buffer,
) -> iriscan_status {
    let work = |finder: &iriscan_finder, data: &[u8]| {
        let replace = replace.ok_or_else(|| Error::new(IRISCAN_ERR_NULL, "replace is NULL"))?;
        let mut counter = Counter::new(finder.units);
        let each = |link: &Match<'_>, out: &mut Replacement| {
            let link = iriscan_link::new(link.to_link(), counter.find(link, data));
            let mut replacement = iriscan_replacement { text: String::new(), set: false };
            // SAFETY: the caller gave the function for this.
            unsafe { replace(user, &raw const link, &raw mut replacement) };
            match replacement.set {
                true => out.push_str(&replacement.text),
                false => out.keep(),
            }
        };
        let mut bytes = Vec::with_capacity(data.len() + 1);
        let done = finder.finder.replace_stream(data, &mut bytes, each).expect(MEMORY);
        Ok(buffer::give(bytes.into(), Done::of(&done)))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { finder::run(finder, data, size, out, work) }
}

/// Rewrites one stream. One thread at a time.
///
/// How the stream is cut into chunks never changes what comes out: what iriscan_rewrite makes of all of it.
pub struct iriscan_rewriter {
    /// `None` after the end.
    scanner: Option<Scanner>,
    rewriter: Rewriter<Vec<u8>>,
}

held!(iriscan_rewriter, "rewriter", 7);

/// Takes rewritten bytes, valid until it returns. It returns 0 to go on; any other number stops the
/// stream. It must return: no longjmp, no C++ exception.
pub type iriscan_write =
    Option<unsafe extern "C" fn(user: *mut c_void, data: *const c_void, size: usize) -> c_int>;

/// Makes a rewriter for one stream.
///
/// - finder: the options; not needed after the call
/// - out: receives the rewriter, to be freed by iriscan_rewriter_free; NULL on errors: IRISCAN_ERR_NULL,
///   IRISCAN_ERR_STATE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_rewriter_new(
    finder: *const iriscan_finder,
    out: *mut *mut iriscan_rewriter,
) -> iriscan_status {
    status(|| {
        // SAFETY: the header says what the pointers are.
        unsafe { input::clear(out) }?;
        // SAFETY: as above.
        let finder = &unsafe { handle::shared(finder) }?.finder;
        let rewriter = Rewriter::new(Vec::new(), finder);
        let rewriter = iriscan_rewriter { scanner: Some(finder.scanner()), rewriter };
        // SAFETY: `out` was written to before.
        unsafe { out.write(handle::give(rewriter)) };
        Ok(IRISCAN_OK)
    })
}

/// Rewrites the next bytes of the stream, and gives what is settled to `write`, at most once.
///
/// - data, size: the next bytes; not needed after the call. NULL is allowed if `size` is 0.
/// - write: takes the bytes
/// - user: its first argument; may be NULL
///
/// Returns IRISCAN_OK; IRISCAN_STOPPED if `write` stopped the stream, after which the rewriter can only be
/// freed; or an error: IRISCAN_ERR_NULL, IRISCAN_ERR_RANGE, and IRISCAN_ERR_STATE for a rewriter that was
/// stopped, has finished or was freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_rewriter_push(
    rewriter: *mut iriscan_rewriter,
    data: *const c_void,
    size: usize,
    write: iriscan_write,
    user: *mut c_void,
) -> iriscan_status {
    status(|| {
        // SAFETY: the header says what the pointers are.
        let (mut this, data) =
            unsafe { (handle::exclusive(rewriter)?, input::bytes("data", data, size)?) };
        let this = &mut *this;
        let Some(scanner) = &mut this.scanner else { return Err(over()) };
        scanner.push(data, &mut this.rewriter).expect(MEMORY);
        pour(this, write, user)
    })
}

/// Ends the stream, and gives the rest of it to `write`.
///
/// Returns what iriscan_rewriter_push returns. After it the rewriter can only be asked and freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_rewriter_finish(
    rewriter: *mut iriscan_rewriter,
    write: iriscan_write,
    user: *mut c_void,
) -> iriscan_status {
    status(|| {
        // SAFETY: the header says what the pointers are.
        let mut this = unsafe { handle::exclusive(rewriter) }?;
        let this = &mut *this;
        let scanner = this.scanner.take().ok_or_else(over)?;
        scanner.finish(&mut this.rewriter).expect(MEMORY);
        pour(this, write, user)
    })
}

/// Returns how many links a rewriter has replaced so far; 0 if `rewriter` is NULL, in use or was freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_rewriter_changed(rewriter: *mut iriscan_rewriter) -> u64 {
    // SAFETY: the header says what the pointers are.
    value(|| Ok(unsafe { handle::exclusive(rewriter) }?.rewriter.changed())).unwrap_or(0)
}

/// Frees a rewriter. NULL is allowed. A rewriter that was freed already stays so, and iriscan_last_error
/// says it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_rewriter_free(rewriter: *mut iriscan_rewriter) {
    // SAFETY: the header says what the pointers are.
    let _ = value(|| unsafe { handle::free(rewriter) });
}

const MEMORY: &str = "a vector should take all";

/// Gives what was rewritten to the caller.
fn pour(
    this: &mut iriscan_rewriter,
    write: iriscan_write,
    user: *mut c_void,
) -> Result<iriscan_status, Error> {
    let write = write.ok_or_else(|| Error::new(IRISCAN_ERR_NULL, "write is NULL"))?;
    let out = this.rewriter.get_mut();
    if out.is_empty() {
        return Ok(IRISCAN_OK);
    }
    // SAFETY: the caller gave the function for this.
    let answer = unsafe { write(user, out.as_ptr().cast(), out.len()) };
    out.clear();
    if answer != 0 {
        this.scanner = None;
        return Ok(IRISCAN_STOPPED);
    }
    Ok(IRISCAN_OK)
}

#[cold]
fn over() -> Error {
    Error::new(IRISCAN_ERR_STATE, "rewriter was stopped or has finished; make another one")
}

/// Makes HTML of plain text: what means something there is escaped, and each link becomes an element a. Its
/// href is what opens it (IRISCAN_FIELD_OPEN); a link that has nothing to open, or another scheme than
/// http, https, ftp and mailto, is only text.
///
/// - finder: the options. The format should be "text".
/// - data, size: the text, as for iriscan_find
/// - out: receives the HTML in UTF-8, to be freed by iriscan_buffer_free; NULL on errors. It has no line
///   breaks of its own: put it into an element with `white-space: pre-wrap`. iriscan_buffer_changed says
///   how many links it has.
///
/// Errors: those of iriscan_find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_linkify(
    finder: *const iriscan_finder,
    data: *const c_void,
    size: usize,
    out: *mut *mut iriscan_buffer,
) -> iriscan_status {
    let work = |finder: &iriscan_finder, data: &[u8]| {
        let (mut html, mut at, mut changed) = (String::new(), 0, 0);
        let mut links = finder.finder.clone().nested(false).find_iter(data);
        let found: Vec<Match<'_>> = links.by_ref().collect();
        let charset = links.charset().0;
        for link in &found {
            let range = link.range();
            escape(&charset.decode(&data[at..range.start]), &mut html);
            at = range.end;
            let text = link.text();
            match link.open().ok().filter(|open| is_safe(open)) {
                Some(open) => {
                    changed += 1;
                    html.push_str("<a href=\"");
                    escape(&open, &mut html);
                    html.push_str("\">");
                    escape(&text, &mut html);
                    html.push_str("</a>");
                }
                None => escape(&text, &mut html),
            }
        }
        escape(&charset.decode(&data[at..]), &mut html);
        let done = Done { changed, ..Done::default() };
        Ok(buffer::give(html.into_bytes().into(), done))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { finder::run(finder, data, size, out, work) }
}

/// Whether a browser or a mailer opens it, and runs nothing.
fn is_safe(open: &str) -> bool {
    let scheme = open.split(':').next().unwrap_or_default();
    ["http", "https", "ftp", "mailto"].iter().any(|safe| scheme.eq_ignore_ascii_case(safe))
}

/// Adds text with the characters escaped that mean something in HTML.
fn escape(text: &str, html: &mut String) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            // HTML makes that of it.
            '\0' => html.push('\u{FFFD}'),
            c => html.push(c),
        }
    }
}
