//! Documents: a file or some bytes, opened as the command opens them.

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    io,
    mem::size_of,
    path::{Path, PathBuf},
    ptr,
};

use iriscan::{Finder, mail};
use iriscan_documents::{
    AsItIs, Content, DocumentRewriter, Input, LinkReader, Opened, Opener, Wanted,
};

use crate::{
    finder::iriscan_finder,
    found::{Current, Found, c_string, message},
    handle::{self, held},
    input,
    link::iriscan_link,
    names::*,
    options::check_size,
    rewrite::iriscan_write,
    status::{
        Error, IRISCAN_ERR_IO, IRISCAN_ERR_NULL, IRISCAN_ERR_OPTION, IRISCAN_ERR_STATE,
        IRISCAN_ERR_UNSUPPORTED, IRISCAN_OK, IRISCAN_STOPPED, iriscan_status, status, value,
    },
};

/// A file, or bytes with a name, opened as the command `iriscan` opens its inputs. One thread at a time.
///
/// The name says what it is: HTML, JSON and all other formats, mail (`.eml`, `.mbox`, a Maildir), a web archive
/// (`.warc`, `.warc.gz`); anything else is text. With IRISCAN_OPEN_DECOMPRESS, gzip, zstd, bzip2 and xz are
/// decompressed, and zip containers (docx, odt, epub) read member by member. Then either
/// iriscan_document_next gives its links one by one, or iriscan_document_rewrite writes it anew. Memory does
/// not grow with it, but by the links of one message, record or member.
pub struct iriscan_document {
    /// Before messages; empty for bytes without a name.
    name: String,
    finder: Finder,
    mail: mail::Options,
    content: CString,
    as_it_is: Option<AsItIs>,
    state: State,
    found: Found,
    /// The error to return once all links before it were given.
    error: Option<Error>,
    /// What C reads.
    current: Option<Current>,
}

held!(iriscan_document, "document", 8);

enum State {
    Opened(Box<Opened>),
    Reading(Box<LinkReader>),
    Ended,
}

/// What iriscan_document_next gives: a link with the place of its text, or a note. Everything in it is valid
/// until the next call with the document.
///
/// Set `size` before the first call: `iriscan_item item = {sizeof item};`
#[repr(C)]
#[derive(Clone, Copy)]
pub struct iriscan_item {
    /// sizeof(iriscan_item).
    pub size: usize,
    /// The link; NULL for a note. Its offsets count bytes of the document: of mail, those of the file; of a web
    /// archive, those of the archive, decompressed; of a container, those of the member.
    /// They are IRISCAN_NO_OFFSET if the bytes of the link are not there, because they were decoded. Lines
    /// of mail count in the file. Other units, lines and columns count in the text of the record or member.
    pub link: *const iriscan_link,
    /// A part that could not be read: what, where, and what to do. UTF-8, for people. NULL for a link.
    pub note: *const c_char,
    /// The member of a container that the text is, after the name of the container: "a.docx!word/document.xml".
    /// NULL elsewhere. It is no path that can be opened.
    pub member: *const c_char,
    /// The address that the text came from, in a web archive; NULL elsewhere.
    pub record: *const c_char,
    /// The byte of the archive, decompressed, that the record starts at; IRISCAN_NO_OFFSET elsewhere.
    pub record_offset: u64,
    /// The number of the message in the file, from 1; 0 for what is not mail.
    pub message: u64,
}

/// What iriscan_document_rewrite did.
///
/// Set `size` before the call: `iriscan_rewritten done = {sizeof done};`
#[repr(C)]
#[derive(Clone, Copy)]
pub struct iriscan_rewritten {
    /// sizeof(iriscan_rewritten).
    pub size: usize,
    /// The links that were found.
    pub links: u64,
    /// Those that were replaced. If it is 0, the bytes are those of the document, unless it was compressed.
    pub changed: u64,
    /// Those that should have been replaced and stay, as for iriscan_buffer_unconvertible.
    pub unconvertible: u64,
    /// The characters that are written as `?`, as for iriscan_buffer_lost.
    pub lost: u64,
    /// The links that were written before the charset was known, as for iriscan_buffer_early.
    pub early: u64,
}

/// Flag of iriscan_document_open and iriscan_document_open_bytes: decompress gzip, zstd, bzip2 and xz, and
/// read zip containers member by member. All of these are known by their first bytes. Web archives are
/// decompressed without it.
pub const IRISCAN_OPEN_DECOMPRESS: u32 = 1;

/// Opens a file.
///
/// - finder: the options; not needed after the call. If `format` is among them, the document is read in that
///   format, whatever its name is.
/// - path: the file, which stays open until the document is freed. It may be a pipe.
/// - flags: 0, or IRISCAN_OPEN_DECOMPRESS
/// - out: receives the document, to be freed by iriscan_document_free; NULL on errors
///
/// Errors: IRISCAN_ERR_IO if the file cannot be opened or read; IRISCAN_ERR_UNSUPPORTED for a container in a
/// pipe, for what would need too much memory, and for a codec that this build of the library does not have;
/// IRISCAN_ERR_OPTION for another flag; IRISCAN_ERR_NULL, IRISCAN_ERR_STATE. iriscan_last_error begins with the
/// path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_document_open(
    finder: *const iriscan_finder,
    path: *const c_char,
    flags: u32,
    out: *mut *mut iriscan_document,
) -> iriscan_status {
    // SAFETY: the header says what the pointers are.
    unsafe {
        opened(finder, path, flags, out, |opener, path| {
            let path = path.ok_or_else(|| Error::null("path"))?;
            let opened = opener.open(path);
            let mut opened = opened.map_err(|e| failed(&path.to_string_lossy(), &e))?;
            // A pipe may have nothing yet.
            let is_file = opened.plain_file().is_some();
            let as_it_is = if is_file { opener.as_it_is(&mut opened) } else { None };
            Ok((opened, as_it_is))
        })
    }
}

/// Opens some bytes as if they were a file.
///
/// - finder, flags, out: as for iriscan_document_open
/// - data, size: the bytes. They stay the caller's, and must neither move nor change until
///   iriscan_document_free. NULL is allowed if `size` is 0.
/// - name: the name of the file, which says what it is and is put before messages; it is not opened. NULL: the
///   first bytes say what it is.
///
/// Errors: those of iriscan_document_open, and IRISCAN_ERR_RANGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_document_open_bytes(
    finder: *const iriscan_finder,
    data: *const c_void,
    size: usize,
    name: *const c_char,
    flags: u32,
    out: *mut *mut iriscan_document,
) -> iriscan_status {
    // SAFETY: the header says what the pointers are.
    unsafe {
        opened(finder, name, flags, out, |opener, name| {
            // The caller keeps the bytes until the document is freed.
            let data: &'static [u8] = input::bytes("data", data, size)?;
            let whole = io::Cursor::new(data);
            let input = Input::new(data).seekable(whole, data.len() as u64);
            let input = match name {
                Some(name) => input.name(name),
                None => input,
            };
            let name = name.map(Path::to_string_lossy).unwrap_or_default();
            let mut opened = opener.open_input(input).map_err(|e| failed(&name, &e))?;
            let as_it_is = opener.as_it_is(&mut opened);
            Ok((opened, as_it_is))
        })
    }
}

/// Opens a document by `open`, which gets the name.
///
/// # Safety
///
/// The pointers are as the header says.
unsafe fn opened(
    finder: *const iriscan_finder,
    name: *const c_char,
    flags: u32,
    out: *mut *mut iriscan_document,
    open: impl FnOnce(&Opener, Option<&Path>) -> Result<(Opened, Option<AsItIs>), Error>,
) -> iriscan_status {
    status(|| {
        // SAFETY: the caller's promise.
        unsafe { input::clear(out) }?;
        // SAFETY: as above.
        let (finder, path) = unsafe { (handle::shared(finder)?, path(name)?) };
        if flags & !IRISCAN_OPEN_DECOMPRESS != 0 {
            let message = format_args!("flags: {flags:#x} is not 0 or IRISCAN_OPEN_DECOMPRESS");
            return Err(Error::new(IRISCAN_ERR_OPTION, message));
        }
        let wanted = match (finder.format, &path) {
            (Some(format), _) => Wanted::Told(Content::Document(format)),
            (None, Some(_)) => Wanted::ByName,
            (None, None) => Wanted::ByContent,
        };
        let decompress = flags & IRISCAN_OPEN_DECOMPRESS != 0;
        let opener = Opener::new().wanted(wanted).decompress(decompress);
        let (opened, as_it_is) = open(&opener, path.as_deref())?;
        let name = path.unwrap_or_default().to_string_lossy().into_owned();
        if let Some(why) = opened.why_not_read() {
            return Err(Error::new(IRISCAN_ERR_UNSUPPORTED, message(&name, why)));
        }
        let document = iriscan_document::new(finder, opened, as_it_is, name);
        // SAFETY: `out` was written to before.
        unsafe { out.write(handle::give(document)) };
        Ok(IRISCAN_OK)
    })
}

/// The path that a string is.
///
/// # Safety
///
/// `path` is NULL or ends in a NUL.
unsafe fn path(path: *const c_char) -> Result<Option<PathBuf>, Error> {
    if path.is_null() {
        return Ok(None);
    }
    #[cfg(unix)]
    {
        // SAFETY: the caller's promise.
        let bytes = unsafe { CStr::from_ptr(path) }.to_bytes();
        Ok(Some(PathBuf::from(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(
            bytes,
        ))))
    }
    #[cfg(not(unix))]
    {
        // SAFETY: the caller's promise.
        Ok(unsafe { input::word("path", path) }?.map(PathBuf::from))
    }
}

/// Returns what a document is: the name of its format, such as "html", or "mail", "warc" for a web archive and
/// "zip" for a container. "" if `document` is NULL, in use or was freed.
///
/// The string is valid until the document is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_document_content(
    document: *mut iriscan_document,
) -> *const c_char {
    // SAFETY: the header says what the pointers are.
    let content = value(|| Ok(unsafe { handle::exclusive(document) }?.content.as_ptr()));
    content.unwrap_or(c"".as_ptr())
}

/// Goes to the next link, or to the next note about a part that could not be read.
///
/// - item: receives the link or the note, and where it is. All but its size is 0 at the end and on errors.
///
/// Returns 1 for a link or a note; 0 at the end, as often as it is called there; or a negative status:
/// IRISCAN_ERR_IO if the document cannot be read further, after all links before the damage;
/// IRISCAN_ERR_NULL, IRISCAN_ERR_SIZE, IRISCAN_ERR_STATE. After IRISCAN_ERR_IO the next calls give what else
/// there is to say, and then 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_document_next(
    document: *mut iriscan_document,
    item: *mut iriscan_item,
) -> c_int {
    status(|| {
        if item.is_null() {
            return Err(Error::null("item"));
        }
        let first = size_of::<iriscan_item>();
        // SAFETY: the header says what the pointers are.
        let size = unsafe { check_size("iriscan_item", item.cast_const(), first) }?;
        let none = iriscan_item {
            size,
            link: ptr::null(),
            note: ptr::null(),
            member: ptr::null(),
            record: ptr::null(),
            record_offset: IRISCAN_NO_OFFSET,
            message: 0,
        };
        // SAFETY: it has at least the size of the struct.
        unsafe { item.write_unaligned(none) };
        // SAFETY: as above.
        let mut document = unsafe { handle::exclusive(document) }?;
        let Some(current) = document.next()? else { return Ok(0) };
        // SAFETY: as above.
        unsafe { item.write_unaligned(item_of(current, none)) };
        Ok(1)
    })
}

/// Writes a document anew, with each link replaced as iriscan_rewrite and iriscan_mail_rewrite do. What was
/// compressed is compressed again; members of a container that do not change keep their bytes, times and
/// order. Nothing is written to the file of the document: to replace it, write another one, and rename that
/// after IRISCAN_OK.
///
/// Afterwards iriscan_document_next gives notes only: what stays as it is, and why. A signed message or container
/// stays as it is, unless the finder has the flag IRISCAN_FLAG_EVEN_SIGNED.
///
/// - document: as it was opened, before the first call of iriscan_document_next
/// - write: takes the bytes, one part after the other; a container comes as one
/// - user: its first argument; may be NULL
/// - done: receives what was done, also if the call fails; may be NULL
///
/// Returns IRISCAN_OK; IRISCAN_STOPPED if `write` returned a number that is not zero; or an error:
/// IRISCAN_ERR_UNSUPPORTED for what cannot be rewritten: a web archive, and without IRISCAN_OPEN_DECOMPRESS what is
/// compressed or a container; IRISCAN_ERR_IO if the document, or a member of a container, cannot be read to its end,
/// so that what was written is not whole; IRISCAN_ERR_NULL, IRISCAN_ERR_SIZE, IRISCAN_ERR_STATE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_document_rewrite(
    document: *mut iriscan_document,
    write: iriscan_write,
    user: *mut c_void,
    done: *mut iriscan_rewritten,
) -> iriscan_status {
    status(|| {
        let write = write.ok_or_else(|| Error::new(IRISCAN_ERR_NULL, "write is NULL"))?;
        let report = |rewriter: Option<&DocumentRewriter>| {
            if done.is_null() {
                return Ok(());
            }
            // SAFETY: the header says what the pointers are.
            let size = unsafe {
                let first = size_of::<iriscan_rewritten>();
                check_size("iriscan_rewritten", done.cast_const(), first)
            }?;
            let did = rewriter.map(DocumentRewriter::done).unwrap_or_default();
            let (links, changed, unconvertible) = (did.links, did.changed, did.unconvertible);
            let (lost, early) = (did.lost, did.early);
            let did = iriscan_rewritten { size, links, changed, unconvertible, lost, early };
            // SAFETY: it has at least the size of the struct.
            unsafe { done.write_unaligned(did) };
            Ok(())
        };
        report(None)?;
        // SAFETY: as above.
        let mut document = unsafe { handle::exclusive(document) }?;
        let mut rewriter = document.rewriter()?;
        let answer = loop {
            let step = rewriter.step();
            while let Some(note) = rewriter.next_note() {
                document.found.say(&note);
            }
            match step {
                Ok(None) => break Ok(IRISCAN_OK),
                Ok(Some(bytes)) if bytes.is_empty() => {}
                // SAFETY: the caller gave the function for this.
                Ok(Some(bytes)) => match unsafe { write(user, bytes.as_ptr().cast(), bytes.len()) }
                {
                    0 => {}
                    _ => break Ok(IRISCAN_STOPPED),
                },
                Err(e) => break Err(failed(&document.name, &e)),
            }
        };
        report(Some(&rewriter))?;
        answer
    })
}

/// Closes a document, and frees what its last item points to. NULL is allowed. A document that was freed already
/// stays so, and iriscan_last_error says it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_document_free(document: *mut iriscan_document) {
    // SAFETY: the header says what the pointers are.
    let _ = value(|| unsafe { handle::free(document) });
}

/// The error for one of reading.
#[cold]
fn failed(name: &str, e: &io::Error) -> Error {
    let status = match e.kind() {
        io::ErrorKind::Unsupported | io::ErrorKind::NotSeekable => IRISCAN_ERR_UNSUPPORTED,
        _ => IRISCAN_ERR_IO,
    };
    Error::new(status, message(name, e))
}

impl iriscan_document {
    fn new(
        finder: &iriscan_finder,
        opened: Opened,
        as_it_is: Option<AsItIs>,
        name: String,
    ) -> iriscan_document {
        let content = match opened.content() {
            Content::Document(format) => format.to_string(),
            Content::Mail => "mail".to_owned(),
            Content::Archive => "warc".to_owned(),
            Content::Container => "zip".to_owned(),
        };
        let mut found = Found::new(finder, &name);
        let read = match as_it_is {
            None => None,
            Some(AsItIs::Container) => Some(
                "a zip container, read as it is; IRISCAN_OPEN_DECOMPRESS reads the texts in it",
            ),
            Some(_) => Some("compressed, read as it is; IRISCAN_OPEN_DECOMPRESS decompresses it"),
        };
        found.queue.extend(read.map(|what| Current::Note(c_string(message(&name, what)))));
        iriscan_document {
            name,
            finder: finder.finder.clone(),
            mail: finder.mail,
            content: c_string(content),
            as_it_is,
            state: State::Opened(Box::new(opened)),
            found,
            error: None,
            current: None,
        }
    }

    /// The next link or note.
    fn next(&mut self) -> Result<Option<&Current>, Error> {
        self.current = None;
        loop {
            if let Some(current) = self.found.queue.pop_front() {
                return Ok(Some(self.current.insert(current)));
            }
            if let Some(e) = self.error.take() {
                return Err(e);
            }
            let done = match std::mem::replace(&mut self.state, State::Ended) {
                State::Opened(opened) => opened.into_links(&self.finder).map(|reader| {
                    self.state = State::Reading(Box::new(reader));
                }),
                State::Reading(mut reader) => {
                    let step = reader.step(&mut self.found);
                    // After an error there may be more to say.
                    if !matches!(step, Ok(false)) {
                        self.state = State::Reading(reader);
                    }
                    step.map(drop)
                }
                State::Ended => return Ok(None),
            };
            self.error = done.err().map(|e| failed(&self.name, &e));
        }
    }

    /// What rewrites the document.
    fn rewriter(&mut self) -> Result<DocumentRewriter, Error> {
        let State::Opened(opened) = std::mem::replace(&mut self.state, State::Ended) else {
            let what = "document was read or rewritten already; open it again";
            return Err(Error::new(IRISCAN_ERR_STATE, what));
        };
        // The notes of opening are about reading, and this is rewriting.
        self.found.queue.clear();
        let refused = self.as_it_is.map(|as_it_is| match as_it_is {
            AsItIs::Container => {
                "a zip container, which is not rewritten; IRISCAN_OPEN_DECOMPRESS rewrites the texts in it"
            }
            _ => "compressed, and is not rewritten; IRISCAN_OPEN_DECOMPRESS decompresses it",
        });
        if let Some(why) = refused {
            return Err(Error::new(IRISCAN_ERR_UNSUPPORTED, message(&self.name, why)));
        }
        let rewriter = opened.into_rewriter(&self.finder, &self.mail);
        rewriter.map_err(|e| failed(&self.name, &e))
    }
}

/// What C gets of it; `none` is an item without anything.
fn item_of(current: &Current, none: iriscan_item) -> iriscan_item {
    match current {
        Current::Note(note) => iriscan_item { note: note.as_ptr(), ..none },
        Current::Link { link, within, message } => {
            let (link, message) = (ptr::from_ref(&**link), *message);
            let Some(within) = within else { return iriscan_item { link, message, ..none } };
            let text = |text: &Option<CString>| text.as_deref().map_or(ptr::null(), CStr::as_ptr);
            let (member, record) = (text(&within.member), text(&within.record));
            let record_offset = within.record_offset;
            iriscan_item { link, message, member, record, record_offset, ..none }
        }
    }
}
