//! Rewriting a message: the functions for callers, and the walk over the regions.

use std::{
    borrow::Cow,
    io::{self, Write as _},
    vec::Vec,
};

use super::{
    find::{Finders, enclosed, encoded, find_within},
    lines::Lines,
    link::MailLink,
    options::Options,
    others::may_change,
    out::Out,
    outcome::{Kept, KeptReason, Rewritten},
    outline::{self, What},
    region::Region,
    signature::Signature,
    unsearched::Unsearched,
    write::Writing,
};
use crate::api::finder::Finder;

/// The message with each link replaced by its URI form; borrowed if nothing changes.
///
/// A link of ASCII characters is never changed, and every byte outside of a changed link stays,
/// except for the transfer encoding around it: quoted-printable gets a soft break where a line
/// would be longer than 76 bytes, and base64 in which a link changes is encoded again, in
/// lines of the same length. A link that would make any other line longer than 998 bytes
/// stays, and so do all links of a signed message ([`Options::even_signed`]). If charsets are
/// declared, rewriting the output again changes nothing.
///
/// ```
/// use iriscan::{Finder, mail};
///
/// let message = "Comments: http://müller.example/\n\nhttp://müller.example/ä\n";
/// let options = mail::Options::new();
/// let (written, done) = mail::rewrite(&Finder::new(), message.as_bytes(), &options);
/// assert_eq!(
///     &*written,
///     b"Comments: http://xn--mller-kva.example/\n\nhttp://xn--mller-kva.example/%C3%A4\n",
/// );
/// assert_eq!(done.changed, 2);
/// ```
#[must_use]
pub fn rewrite<'m>(
    finder: &Finder,
    message: &'m [u8],
    options: &Options,
) -> (Cow<'m, [u8]>, Rewritten) {
    let mut left = Vec::new();
    let (written, done) = rewrite_each(finder, message, options, |link| left.push(link));
    (written, Rewritten { kept: left, ..done })
}

/// As [`rewrite`], but calls `left` with each link that stays, in order, instead of collecting
/// them: a message may be nothing but such links.
///
/// ```
/// use iriscan::{Finder, mail};
///
/// let message = "To: \"http://a.example/ü\" <a@a.example>\n\n".as_bytes();
/// let options = mail::Options::new();
/// let mut whys = Vec::new();
/// let (_, done) = mail::rewrite_each(&Finder::new(), message, &options, |left| {
///     whys.push(left.reason);
/// });
/// assert_eq!((whys, done.kept.len()), (vec![mail::KeptReason::Address], 0));
/// ```
pub fn rewrite_each<'m>(
    finder: &Finder,
    message: &'m [u8],
    options: &Options,
    mut left: impl FnMut(Kept),
) -> (Cow<'m, [u8]>, Rewritten) {
    let mut written = Written { bytes: Vec::new(), like: message.len() };
    let mut out = Out::new(message, &mut written);
    let done = rewrite_in(finder, message, options, &mut out, &mut left)
        .expect("a vector should take all");
    let at = out.at;
    if done.changed == 0 {
        return (Cow::Borrowed(message), done);
    }
    written.write_all(&message[at..]).expect("a vector should take all");
    (Cow::Owned(written.bytes), done)
}

/// A message that is rewritten. Its vector does not double when it grows, because most messages
/// keep their length.
struct Written {
    bytes: Vec<u8>,
    /// The length of the message.
    like: usize,
}

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.bytes.len();
        if self.bytes.capacity() - len < bytes.len() {
            self.bytes.reserve_exact(bytes.len().max((len / 4).max(self.like / 8)));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// As [`rewrite_each`], but writes to `out` step by step: the output may be nine times as long
/// as the message. `out` gets many short pieces, so it should be buffered.
///
/// # Memory
///
/// At most [`MEMORY_FACTOR`] times the length of the message, itself included, and 1 MiB.
/// That holds for [`find_each`](crate::mail::find::find_each) too.
///
/// ```
/// use iriscan::{Finder, mail};
///
/// let mut out = Vec::new();
/// let options = mail::Options::new();
/// let done =
///     mail::rewrite_to(&Finder::new(), "\nhttp://ü.example/".as_bytes(), &options, &mut out, |_| {})?;
/// assert_eq!((out, done.changed), (b"\nhttp://xn--tda.example/".to_vec(), 1));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Those of `out`.
pub fn rewrite_to(
    finder: &Finder,
    message: &[u8],
    options: &Options,
    mut out: impl io::Write,
    mut left: impl FnMut(Kept),
) -> io::Result<Rewritten> {
    let mut to = Out::new(message, &mut out);
    let done = rewrite_in(finder, message, options, &mut to, &mut left)?;
    to.text(message.len())?;
    Ok(done)
}

/// The memory that [`find_each`](crate::mail::find::find_each) and [`rewrite_to`] need at most,
/// as a multiple of the length of the message, which is included.
pub const MEMORY_FACTOR: usize = 8;

fn rewrite_in(
    finder: &Finder,
    message: &[u8],
    options: &Options,
    out: &mut Out<'_>,
    left: &mut dyn FnMut(Kept),
) -> io::Result<Rewritten> {
    let finders = &Finders::of(&finder.clone().nested(false));
    let mut done = Rewritten { signed: signature(message, finders.any()), ..Rewritten::default() };
    let never = match done.signed {
        _ if message.len() > options.get_limit() => Some(KeptReason::MessageTooLong),
        Some(_) if !options.get_even_signed() => Some(KeptReason::Signed),
        _ => None,
    };
    let mut lines = Lines::of(message);
    let mut written = Ok(());
    outline::walk(message, &mut |piece| {
        if written.is_err() {
            return;
        }
        if let Some(inner) = encoded(message, piece) {
            let line = lines.at(piece.range.start);
            in_encoded(finders, &inner, piece.part, line, &mut done, left);
        } else if let What::Closed(why) = piece.what {
            let line = lines.at(piece.range.start);
            done.unsearched.push(Unsearched::new(piece.part, why, line));
        } else if let Some(region) = Region::of(message, piece, finders.any()) {
            let mut writing = Writing {
                message,
                line_feed: line_feed(message),
                never: never.as_ref(),
                first: options.get_first(),
                done: &mut done,
                left: &mut *left,
                out: &mut *out,
            };
            written = writing.region(&finders.get(&region), &region, &mut lines);
        }
    });
    written.map(|()| done)
}

/// How the message is signed, if it is.
fn signature(message: &[u8], finder: &Finder) -> Option<Signature> {
    let mut pgp = false;
    let signed = outline::walk(message, &mut |piece| {
        // Most of a message is read twice, because a signature may be at its end.
        if let What::Text(_) = piece.what {
            pgp |= Region::of(message, piece, finder).is_some_and(|region| region.is_signed());
        }
    });
    signed.or(pgp.then_some(Signature::Pgp))
}

/// The line end that the message uses.
fn line_feed(message: &[u8]) -> &'static [u8] {
    match memchr::memchr(b'\n', message) {
        Some(at) if at == 0 || message[at - 1] != b'\r' => b"\n",
        _ => b"\r\n",
    }
}

/// Counts the links of a message that is attached encoded, none of which is rewritten, and notes what is not
/// searched in it.
fn in_encoded(
    finders: &Finders,
    inner: &[u8],
    part: &str,
    line: u64,
    done: &mut Rewritten,
    left: &mut dyn FnMut(Kept),
) {
    let (links, parts) = (&mut done.links, &mut done.unsearched);
    let each = &mut |found: MailLink| {
        *links += 1;
        if may_change(finders.any(), &found.link().as_match()) {
            let link = enclosed(found, part, line);
            left(Kept { link, reason: KeptReason::EncodedMessage });
        }
    };
    let unsearched = &mut |closed: Unsearched| parts.push(closed.within(part, line));
    find_within(finders, inner, 1, &|_| None, each, unsearched);
}
