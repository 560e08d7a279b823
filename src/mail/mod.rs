/*!
Links of mail: of a message (RFC 5322, MIME), or of each message of an mbox.

Transfer encodings, charsets, `format=flowed`, quote marks, folded fields and
encoded words are undone to read; rewriting writes through them again, and keeps
the limits of lines.

```
use crate::mail::transfer::is_utf7;
use iriscan::{Finder, mail};

let message = b"Subject: =?utf-8?Q?neu:_http://b=C3=BCcher.example/?=\r\n\
    Content-Type: text/plain; charset=utf-8\r\n\
    Content-Transfer-Encoding: quoted-printable\r\n\r\n\
    siehe http://b=C3=BCcher.example/wie-man=\r\n-liest\r\n";

let links = mail::find(&Finder::new(), message);
assert_eq!(links[0].header(), Some("Subject"));
assert_eq!(links[1].part(), "1");
assert_eq!(links[1].iri(), "http://bücher.example/wie-man-liest");
assert_eq!(links[1].text(), "http://b=C3=BCcher.example/wie-man=\r\n-liest");

let (written, done) = mail::rewrite(&Finder::new(), message, &mail::Options::new());
assert!(written.ends_with(b"siehe http://xn--bcher-kva.example/wie-man-liest\r\n"));
assert_eq!((done.links, done.changed), (2, 1));
assert_eq!(done.left[0].why, mail::Why::EncodedWord);
```

# What is read

Every text part, attached ones too, and every field that is no trace, identifier
or parameter (`Received`, `Message-ID`, `Content-Type`, …). A part is read in the
charset that it declares. If it declares none, one that is unknown, or `us-ascii`,
which senders write without looking, in that of the finder; else it is detected. A
raw field is UTF-8 (RFC 6532) if it can be; one with encoded words is read as
Unicode.

Lines are joined only where a soft break of quoted-printable or of `format=flowed`
with `delsp=yes` stands, a reference is folded (`Content-Location`, `Archived-At`,
…), or a link is wrapped between `<` and `>`, as in any text. UTF-7 and messages
that are attached encoded are read, and never written.

# What is not

Preambles and epilogues of multiparts, parts in a transfer encoding that is not
MIME's, parts more than 100 deep, parameters beyond the first 16 KiB of a
`Content-Type`, and what is encrypted.
*/

mod edit;
mod lines;
mod mbox;
mod outline;
mod signature;
#[cfg(test)]
mod tests;
mod transfer;
mod view;
mod words;

use core::{fmt, ops::Range};
use std::{
    borrow::{Cow, ToOwned},
    format,
    io::{self, Write as _},
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};

use crate::mail::{
    edit::Edit,
    lines::line_end,
    outline::{About, Piece as Part, Transfer, What},
    transfer::{Base64, LINE},
    view::View,
    words::Value,
};
use crate::{
    api::{find::Input, finder::Finder},
    charset::{Charset, Shape},
    engine::rules::Rules,
    format::kinds::Format,
    grammar::types::Kind,
    links::matched::{Match, Span},
    reference::{
        to_uri::{QueryCharset, UriError},
        warning::Warning,
    },
};

pub use self::{
    mbox::{Messages, Piece},
    outline::sniff,
    signature::Signature,
};

/// The longest line of a message, without its end (RFC 5322, section 2.1.1).
const LINE_MAX: usize = 998;

/// How [`rewrite`] treats a message.
///
/// ```
/// use iriscan::{Finder, mail};
///
/// let signed = "DKIM-Signature: v=1; bh=…\n\nhttp://a.example/ü\n".as_bytes();
/// let keep = mail::rewrite(&Finder::new(), signed, &mail::Options::new());
/// assert_eq!(&*keep.0, signed);
/// assert_eq!(keep.1.left[0].why, mail::Why::Signed);
/// let even = mail::Options::new().even_signed(true);
/// let break_it = mail::rewrite(&Finder::new(), signed, &even);
/// assert!(break_it.0.ends_with(b"http://a.example/%C3%BC\n"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    even_signed: bool,
    limit: usize,
}

/// The default of [`Options::limit`].
const LIMIT: usize = 64 << 20;

impl Default for Options {
    fn default() -> Options {
        Options::new()
    }
}

impl Options {
    /// Signed messages are left alone, and so are messages above 64 MiB.
    #[must_use]
    pub fn new() -> Options {
        Options { even_signed: false, limit: LIMIT }
    }

    /// Rewrite signed messages too, and so break their signatures.
    #[must_use]
    pub fn even_signed(mut self, yes: bool) -> Options {
        self.even_signed = yes;
        self
    }

    /// The longest message that is rewritten, in bytes; a longer one stays as it
    /// is. It bounds the memory that one message takes ([`MEMORY_FACTOR`]).
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Options {
        self.limit = bytes;
        self
    }

    /// The limit, for [`Messages::new`].
    ///
    /// ```
    /// assert_eq!(iriscan::mail::Options::new().message_limit(), 64 << 20);
    /// ```
    #[must_use]
    pub fn message_limit(&self) -> usize {
        self.limit
    }
}

/// Why a link that is not ASCII stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// It has no URI form.
    NoUri(UriError),
    /// Its URI form cannot be written in the charset, or not beside what is
    /// malformed.
    Unwritable,
    /// The message is signed.
    Signed,
    /// The message is longer than the limit.
    MessageTooLong,
    /// Its line would be longer than the 998 bytes that a line may have.
    LineTooLong,
    /// It lies in an encoded word of a field.
    EncodedWord,
    /// It is, or stands beside, an address of a field, and the field must stay one
    /// of addresses.
    Address,
    /// Its part is in UTF-7.
    Utf7,
    /// Its base64 holds what is none, or ends in the middle.
    DamagedBase64,
    /// It is in a message that is attached encoded.
    EncodedMessage,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::NoUri(e) => e.fmt(f),
            Why::Unwritable => f.write_str("its URI form cannot be written where it stands"),
            Why::Signed => f.write_str("the message is signed"),
            Why::MessageTooLong => f.write_str("the message is longer than the limit"),
            Why::LineTooLong => f.write_str("its line would be longer than 998 bytes"),
            Why::EncodedWord => f.write_str("it is in an encoded word"),
            Why::Address => f.write_str("it is in a field of addresses"),
            Why::Utf7 => f.write_str("its part is in UTF-7"),
            Why::DamagedBase64 => f.write_str("its part is not whole base64"),
            Why::EncodedMessage => f.write_str("it is in a message that is attached encoded"),
        }
    }
}

/// A link of a message.
///
/// ```
/// use iriscan::{Finder, mail};
///
/// let message = b"MIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\
///                 Content-Type: text/plain; charset=koi8-r\n\n\
///                 aHR0cDovL2EuZXhhbXBsZS/NydI=\n";
/// let link = &mail::find(&Finder::new(), message)[0];
/// assert_eq!(link.iri(), "http://a.example/мир");
/// assert_eq!((link.span(), link.part(), link.line()), (None, "1", 5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    span: Option<Span>,
    part: String,
    header: Option<String>,
    line: u64,
    kind: Kind,
    text: String,
    iri: String,
    uri: Result<String, UriError>,
    open: Result<String, UriError>,
    scheme: Option<String>,
    host: Option<String>,
    charset: Charset,
    warnings: Vec<Warning>,
    ascii: bool,
}

impl Link {
    /// Where the link is, in bytes of the message; `None` where its bytes are not
    /// in it: in base64, or where it begins or ends within a run of UTF-7.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.span.clone()
    }

    /// The part, as IMAP counts them: `1`, or `2.1` for the first of the second.
    /// The message in part 3 has parts `3.1` and so on. Fields of the message are in
    /// `0`, those of the message in part 3 in `3.0`, those of another part in that
    /// part.
    #[must_use]
    pub fn part(&self) -> &str {
        &self.part
    }

    /// The name of the field that it stands in, as written there; `None` in a body.
    #[must_use]
    pub fn header(&self) -> Option<&str> {
        self.header.as_deref()
    }

    /// The line of the message on which it starts, from 1. Where its bytes are not
    /// in the source, that on which the body or the field starts.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The kind of link.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The characters of [`Link::span`], decoded by the charset, nothing else undone;
    /// without a span, those of the link as its part has them.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The reference, after undoing transfer encoding and line breaks.
    #[must_use]
    pub fn iri(&self) -> &str {
        &self.iri
    }

    /// The URI form of the link; see [`Match::uri`].
    ///
    /// # Errors
    ///
    /// The host has no ASCII form under UTS #46.
    pub fn uri(&self) -> Result<&str, &UriError> {
        self.uri.as_deref()
    }

    /// What to hand to a browser or mailer; see [`Match::open`].
    ///
    /// # Errors
    ///
    /// See [`Link::uri`].
    pub fn open(&self) -> Result<&str, &UriError> {
        self.open.as_deref()
    }

    /// The scheme, in lower case; `None` for what stands without one.
    #[must_use]
    pub fn scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }

    /// The host as it stands in the link; `None` where there is no authority.
    #[must_use]
    pub fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// The charset that the link is read in: UTF-8 for encoded words and UTF-7.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// What a reader should know about the link, each at most once.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Whether every character of the link is ASCII, so that it is its own URI.
    #[must_use]
    pub fn is_ascii(&self) -> bool {
        self.ascii
    }
}

/// A link that rewriting left as it is, though it is not ASCII.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Left {
    /// The link.
    pub link: Link,
    /// Why it stays.
    pub why: Why,
}

/// What [`rewrite`] did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Done {
    /// Links found.
    pub links: u64,
    /// Links replaced. One whose host is kept ([`HostForm::Keep`](crate::reference::to_uri::HostForm::Keep))
    /// and that is written already is not replaced again.
    pub changed: u64,
    /// Links that are not ASCII and could not be replaced.
    pub left: Vec<Left>,
    /// How the message is signed, if it is.
    pub signed: Option<Signature>,
}

/// The links of a message, in the order of its fields and parts.
///
/// Any bytes are a message. Time is linear in their length, for parts within
/// parts up to a depth of 100. A line `From …` before the message is no part of it.
///
/// ```
/// use iriscan::{Finder, mail};
///
/// let message = "List-Archive: <http://lists.example/\r\n archiv/ü>\r\n\r\nhi\r\n";
/// let links = mail::find(&Finder::new(), message.as_bytes());
/// assert_eq!((links[0].part(), links[0].header()), ("0", Some("List-Archive")));
/// assert_eq!(links[0].iri(), "http://lists.example/archiv/ü");
/// assert_eq!(links[0].span(), Some(15..48));
/// ```
#[must_use]
pub fn find(finder: &Finder, message: &[u8]) -> Vec<Link> {
    let mut links = Vec::new();
    find_each(finder, message, |link| links.push(link));
    links
}

/// As [`find`], link by link, so that not all of them are held.
///
/// ```
/// use iriscan::{Finder, mail};
///
/// let mut longest = String::new();
/// mail::find_each(&Finder::new(), b"\nhttp://a.example/ http://b.example/c", |link| {
///     if link.iri().len() > longest.len() {
///         longest = link.iri().to_owned();
///     }
/// });
/// assert_eq!(longest, "http://b.example/c");
/// ```
pub fn find_each(finder: &Finder, message: &[u8], mut each: impl FnMut(Link)) {
    find_within(&Finders::of(finder), message, 0, &mut each);
}

/// How deep messages may be encoded in one another.
const ENCODED_MAX: usize = 3;

/// What finds links in the texts of a message, by their format.
#[derive(Clone, Debug)]
struct Finders {
    html: Finder,
    others: Finder,
}

impl Finders {
    /// A mail program hands the characters of a text to the browser, which writes a
    /// query in UTF-8; an HTML part it hands over as a document. So the default of
    /// [`Config::query`](crate::api::config::Config::query) is UTF-8 for all but HTML.
    fn of(finder: &Finder) -> Finders {
        let mut others = finder.clone();
        if !finder.rules.query_given {
            let uri = finder.rules.uri.query(QueryCharset::Utf8);
            others.rules = Arc::new(Rules { uri, ..Rules::clone(&finder.rules) });
        }
        Finders { html: finder.clone(), others }
    }

    fn get(&self, format: Format) -> Finder {
        let finder = if format == Format::Html { &self.html } else { &self.others };
        finder.clone().format(format)
    }
}

fn find_within(finders: &Finders, message: &[u8], depth: usize, each: &mut dyn FnMut(Link)) {
    let mut lines = Lines::of(message);
    outline::walk(message, &mut |piece| {
        let base = lines.at(piece.range.start);
        if let Some(inner) = encoded(message, piece) {
            if depth < ENCODED_MAX {
                find_within(finders, &inner, depth + 1, &mut |mut link| {
                    link.span = None;
                    link.line = base;
                    link.part = format!("{}.{}", piece.part, link.part);
                    each(link);
                });
            }
        } else if let Some(region) = Region::of(message, piece) {
            let finder = finders.get(region.format);
            for found in finder.find_iter(region.input()) {
                each(region.link(&found, message, base, &mut lines));
            }
        }
    });
}

/// The message that is attached encoded, if `piece` is one.
fn encoded(message: &[u8], piece: &Part<'_>) -> Option<Vec<u8>> {
    let range = piece.range.clone();
    match piece.what {
        What::Message(Transfer::Base64) => Some(transfer::base64(&message[range]).bytes),
        What::Message(Transfer::Quoted) => Some(transfer::quoted(message, range).into_bytes()),
        _ => None,
    }
}

/// One text of a message: how it reads, and how it is written.
struct Region<'m> {
    part: &'m str,
    header: Option<&'m str>,
    range: Range<usize>,
    /// The base of the text: what base64 stood for, or the message.
    base: Cow<'m, [u8]>,
    /// Where `base` starts: its place in the message, or 0.
    from: usize,
    /// What is read; `None`: all of `base`, as it is.
    view: Option<View<'static>>,
    charset: Option<Charset>,
    format: Format,
    transfer: Transfer,
    /// Nothing of it is rewritten.
    never: Option<Why>,
}

impl<'m> Region<'m> {
    /// `None`: nothing is searched there.
    fn of(message: &'m [u8], piece: &'m Part<'_>) -> Option<Region<'m>> {
        let range = piece.range.clone();
        match &piece.what {
            What::Field(name) => {
                let value = Value::of(name);
                if value == Value::Machine {
                    return None;
                }
                let (view, charset) = words::text(message, range.clone(), value);
                Some(Region {
                    part: piece.part,
                    header: Some(name),
                    base: Cow::Borrowed(&message[range.clone()]),
                    from: range.start,
                    range,
                    view,
                    charset,
                    format: Format::Text,
                    transfer: Transfer::Identity,
                    never: (value == Value::Addresses).then_some(Why::Address),
                })
            }
            What::Text(about) => Some(Region::of_text(message, piece.part, range, about)),
            What::Message(_) => None,
        }
    }

    fn of_text(message: &'m [u8], part: &'m str, range: Range<usize>, about: &About) -> Region<'m> {
        let label = about.charset.as_deref().unwrap_or_default().trim();
        // Senders that know nothing of charsets write us-ascii.
        let ascii = ["us-ascii", "ascii", "ansi_x3.4-1968"];
        let says_nothing = ascii.iter().any(|name| label.eq_ignore_ascii_case(name));
        let charset = Charset::for_label(label).ok().filter(|_| !says_nothing);
        let mut region = Region {
            part,
            header: None,
            base: Cow::Borrowed(&message[range.clone()]),
            from: range.start,
            range: range.clone(),
            view: None,
            charset,
            format: about.format,
            transfer: about.transfer,
            never: None,
        };
        match about.transfer {
            Transfer::Quoted => region.view = Some(transfer::quoted(message, range)),
            Transfer::Base64 => {
                let decoded = transfer::base64(&message[range]);
                region.never = (!decoded.clean).then_some(Why::DamagedBase64);
                (region.base, region.from) = (Cow::Owned(decoded.bytes), 0);
            }
            Transfer::Identity | Transfer::Unknown => {}
        }
        if transfer::is_utf7(label) {
            region.view = Some(region.with_view(transfer::utf7));
            region.charset = Some(Charset::UTF_8);
            region.never = Some(Why::Utf7);
        }
        let wide = |c: Charset| matches!(c.shape(), Shape::Wide { .. });
        if about.flowed
            && !region.charset.is_some_and(wide)
            && let Some(view) = region.with_view(transfer::flowed)
        {
            region.view = Some(view);
        }
        region
    }

    fn with_view<T>(&self, read: impl FnOnce(&View<'_>) -> T) -> T {
        match &self.view {
            Some(view) => read(view),
            None => read(&View::plain(&self.base, self.from)),
        }
    }

    /// What is read.
    fn bytes(&self) -> &[u8] {
        self.view.as_ref().map_or(&*self.base, View::bytes)
    }

    /// The range of the base that a range of what is read stands for.
    fn in_base(&self, range: Range<usize>) -> Option<Range<usize>> {
        self.with_view(|view| view.source(range))
    }

    /// Whether the base is not the message.
    fn is_decoded(&self) -> bool {
        matches!(self.base, Cow::Owned(_))
    }

    fn input(&self) -> Input<'_> {
        let input = Input::new(self.bytes());
        self.charset.map_or(input, |charset| input.charset(charset))
    }

    /// Signed text within the text. One that is quoted in an answer is signed no more.
    fn is_signed(&self) -> bool {
        const MARK: &[u8] = b"-----BEGIN PGP SIG";
        let bytes = self.bytes();
        let starts_line = |at: usize| at == 0 || bytes[at - 1] == b'\n';
        self.header.is_none() && memchr::memmem::find_iter(bytes, MARK).any(starts_line)
    }

    /// The link of `found`; `base` is the line on which the region starts.
    fn link(&self, found: &Match<'_>, message: &[u8], base: u64, lines: &mut Lines<'_>) -> Link {
        let source = match self.is_decoded() {
            true => None,
            false => self.in_base(found.range()),
        };
        let line = source.as_ref().map_or(base, |source| lines.at(source.start));
        let text = match &source {
            Some(source) if message[source.clone()] != *found.source() => {
                found.charset().decode(&message[source.clone()]).into_owned()
            }
            _ => found.text().into_owned(),
        };
        Link {
            span: source.map(|source| source.start as u64..source.end as u64),
            part: self.part.to_owned(),
            header: self.header.map(str::to_owned),
            line,
            kind: found.kind(),
            text,
            iri: found.iri().into_owned(),
            uri: found.uri().map(|uri| uri.to_string()),
            open: found.open(),
            scheme: found.scheme(),
            host: found.host(),
            charset: found.charset(),
            warnings: found.warnings(),
            ascii: found.is_ascii(),
        }
    }
}

/// Numbers of lines, mostly asked for in order.
struct Lines<'m> {
    message: &'m [u8],
    at: usize,
    line: u64,
}

impl<'m> Lines<'m> {
    fn of(message: &'m [u8]) -> Lines<'m> {
        Lines { message, at: 0, line: 1 }
    }

    fn at(&mut self, at: usize) -> u64 {
        let feeds =
            |range: Range<usize>| memchr::memchr_iter(b'\n', &self.message[range]).count() as u64;
        self.line = if at >= self.at {
            self.line + feeds(self.at..at)
        } else {
            self.line - feeds(at..self.at)
        };
        self.at = at;
        self.line
    }
}

/// The message with each link replaced by its URI form; borrowed if nothing
/// changes.
///
/// A link whose every character is ASCII is never changed, and every byte outside a
/// changed link stays, but for the transfer encoding round it: quoted-printable gets
/// soft breaks where a line would be longer than 76, and base64 in which a link
/// changes is written anew, in lines as long as they were. A link that would make
/// another line longer than 998 bytes stays, and so do all links of a signed message
/// ([`Options::even_signed`]). Idempotent where charsets are declared.
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
pub fn rewrite<'m>(finder: &Finder, message: &'m [u8], options: &Options) -> (Cow<'m, [u8]>, Done) {
    let mut left = Vec::new();
    let (written, done) = rewrite_each(finder, message, options, |link| left.push(link));
    (written, Done { left, ..done })
}

/// As [`rewrite`], with each link that stays handed to `left` instead of held, in
/// order: a message may be nothing but such links.
///
/// ```
/// use iriscan::{Finder, mail};
///
/// let message = "To: \"http://a.example/ü\" <a@a.example>\n\n".as_bytes();
/// let options = mail::Options::new();
/// let mut whys = Vec::new();
/// let (_, done) = mail::rewrite_each(&Finder::new(), message, &options, |left| {
///     whys.push(left.why);
/// });
/// assert_eq!((whys, done.left.len()), (vec![mail::Why::Address], 0));
/// ```
pub fn rewrite_each<'m>(
    finder: &Finder,
    message: &'m [u8],
    options: &Options,
    mut left: impl FnMut(Left),
) -> (Cow<'m, [u8]>, Done) {
    let mut written = Written { bytes: Vec::new(), like: message.len() };
    let mut out = Out { message, at: 0, to: &mut written };
    let done = rewrite_in(finder, message, options, &mut out, &mut left)
        .expect("a vector should take all");
    let at = out.at;
    if done.changed == 0 {
        return (Cow::Borrowed(message), done);
    }
    written.write_all(&message[at..]).expect("a vector should take all");
    (Cow::Owned(written.bytes), done)
}

/// A message that is rewritten. Its vector does not double, since most are about as long as
/// they were.
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

/// As [`rewrite_each`], written to `out` as it is made: what comes out may be nine times
/// as long as the message. `out` gets many short pieces, so it should be buffered.
///
/// # Memory
///
/// At most [`MEMORY_FACTOR`] times the length of the message, itself included, and 1 MiB.
/// That holds for [`find_each`] too.
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
    mut left: impl FnMut(Left),
) -> io::Result<Done> {
    let mut to = Out { message, at: 0, to: &mut out };
    let done = rewrite_in(finder, message, options, &mut to, &mut left)?;
    to.text(message.len())?;
    Ok(done)
}

/// How many times the length of a message [`find_each`] and [`rewrite_to`] take at most, in
/// memory, whatever the message is; the message itself is one of them.
pub const MEMORY_FACTOR: usize = 8;

fn rewrite_in(
    finder: &Finder,
    message: &[u8],
    options: &Options,
    out: &mut Out<'_>,
    left: &mut dyn FnMut(Left),
) -> io::Result<Done> {
    let mut done = Done::default();
    let mut pgp = false;
    done.signed = outline::walk(message, &mut |piece| {
        // Most of a message is looked at twice, since a signature may be its end.
        if let What::Text(_) = piece.what {
            pgp |= Region::of(message, piece).is_some_and(|region| region.is_signed());
        }
    });
    if pgp {
        done.signed.get_or_insert(Signature::Pgp);
    }
    let never = match done.signed {
        _ if message.len() > options.limit => Some(Why::MessageTooLong),
        Some(_) if !options.even_signed => Some(Why::Signed),
        _ => None,
    };
    let line_feed: &[u8] = match memchr::memchr(b'\n', message) {
        Some(at) if at == 0 || message[at - 1] != b'\r' => b"\n",
        _ => b"\r\n",
    };
    let finders = &Finders::of(finder);
    let mut lines = Lines::of(message);
    let mut written = Ok(());
    outline::walk(message, &mut |piece| {
        if written.is_err() {
            return;
        }
        if let Some(inner) = encoded(message, piece) {
            let line = lines.at(piece.range.start);
            in_encoded(finders, &inner, piece.part, line, &mut done.links, left);
        } else if let Some(region) = Region::of(message, piece) {
            let mut writing = Writing {
                message,
                line_feed,
                never: never.as_ref(),
                done: &mut done,
                left: &mut *left,
                out: &mut *out,
            };
            written = writing.region(&finders.get(region.format), &region, &mut lines);
        }
    });
    written.map(|()| done)
}

/// Where the message goes as it is rewritten.
struct Out<'o> {
    message: &'o [u8],
    /// How much of the message is written, or replaced.
    at: usize,
    to: &'o mut dyn io::Write,
}

impl Out<'_> {
    /// Writes the message up to `to` as it is.
    fn text(&mut self, to: usize) -> io::Result<()> {
        self.to.write_all(&self.message[self.at..to])?;
        self.at = to;
        Ok(())
    }

    fn edit(&mut self, edit: &Edit) -> io::Result<()> {
        self.text(edit.range.start)?;
        self.at = edit.range.end;
        self.to.write_all(&edit.with)
    }
}

/// Counts the links of a message that is attached encoded: none is rewritten.
fn in_encoded(
    finders: &Finders,
    inner: &[u8],
    part: &str,
    line: u64,
    links: &mut u64,
    left: &mut dyn FnMut(Left),
) {
    find_within(finders, inner, 1, &mut |mut link| {
        *links += 1;
        if !link.is_ascii() {
            link.span = None;
            link.line = line;
            link.part = format!("{part}.{}", link.part);
            left(Left { link, why: Why::EncodedMessage });
        }
    });
}

/// What the regions of a message share while they are rewritten.
struct Writing<'a, 'o> {
    message: &'a [u8],
    line_feed: &'a [u8],
    never: Option<&'a Why>,
    done: &'a mut Done,
    left: &'a mut dyn FnMut(Left),
    out: &'a mut Out<'o>,
}

/// The links of a region that are not ASCII: held if they are few, else found again each
/// time they are asked for.
struct Others<'a> {
    finder: &'a Finder,
    region: &'a Region<'a>,
    held: Option<Vec<Match<'a>>>,
}

impl<'a> Others<'a> {
    const HELD: usize = if cfg!(test) { 2 } else { 256 };

    /// `each` is shown every link, also those that are ASCII.
    fn of(finder: &'a Finder, region: &'a Region<'a>, mut each: impl FnMut()) -> Others<'a> {
        let mut held = Some(Vec::new());
        for link in finder.find_iter(region.input()) {
            each();
            if !link.is_ascii() {
                if held.as_ref().is_some_and(|held| held.len() == Others::HELD) {
                    held = None;
                }
                held.iter_mut().for_each(|held| held.push(link.clone()));
            }
        }
        Others { finder, region, held }
    }

    fn is_empty(&self) -> bool {
        self.held.as_ref().is_some_and(Vec::is_empty)
    }

    fn iter(&self) -> impl Iterator<Item = Match<'a>> {
        let again = match self.held {
            Some(_) => None,
            None => Some(self.finder.find_iter(self.region.input())),
        };
        let held = self.held.iter().flatten().cloned();
        held.chain(again.into_iter().flatten().filter(|link| !link.is_ascii()))
    }
}

/// Lines that would be too long.
#[derive(Default)]
struct Long {
    /// In order.
    lines: Vec<Range<usize>>,
    /// Every line counts as too long.
    all: bool,
}

impl Long {
    fn holds(&self, at: usize) -> bool {
        let after = self.lines.partition_point(|line| line.end <= at);
        self.all || self.lines.get(after).is_some_and(|line| line.start <= at)
    }

    fn add(&mut self, lines: Vec<Range<usize>>) {
        self.lines.extend(lines);
        self.lines.sort_unstable_by_key(|line| line.start);
    }
}

impl Writing<'_, '_> {
    /// Rewrites a region.
    fn region(
        &mut self,
        finder: &Finder,
        region: &Region<'_>,
        lines: &mut Lines<'_>,
    ) -> io::Result<()> {
        let others = Others::of(finder, region, || self.done.links += 1);
        if others.is_empty() {
            return Ok(());
        }
        let base = lines.at(region.range.start);
        let is_quoted = region.transfer == Transfer::Quoted && region.header.is_none();
        let mut long = Long::default();
        if !region.is_decoded() && !is_quoted {
            // A link that stays may ask for another escape sequence of ISO-2022-JP on the
            // next line. That is not tried again and again.
            for tries in 1.. {
                let lines = self.too_long(&others, &long);
                if lines.is_empty() {
                    break;
                }
                long.add(lines);
                long.all = tries > 4;
            }
        }
        let mut body = match () {
            () if region.is_decoded() => {
                let like = &self.message[region.range.clone()];
                Body::Base64(None, Base64::like(like, self.line_feed))
            }
            () if is_quoted => Body::Quoted(Quoted::of(self.message, self.line_feed, region)),
            () => Body::Plain,
        };
        let mut writer = edit::Writer::new(finder, region.bytes());
        for link in others.iter() {
            match self.fate(finder, region, &link, &long) {
                Fate::Same => {}
                Fate::Changes => {
                    if let Some((link, edit)) = writer.link(&link) {
                        self.edit(region, &link, edit, &mut body)?;
                    }
                }
                Fate::Stays(why) => {
                    let link = region.link(&link, self.message, base, lines);
                    (self.left)(Left { link, why });
                }
            }
        }
        if let Some((link, edit)) = writer.end() {
            self.edit(region, &link, edit, &mut body)?;
        }
        match body {
            Body::Base64(Some(at), mut base64) => {
                base64.push(&region.base[at..], self.out.to)?;
                base64.end(self.out.to)
            }
            Body::Quoted(quoted) => quoted.end(self.out),
            _ => Ok(()),
        }
    }

    /// What becomes of a link that is not ASCII.
    fn fate(&self, finder: &Finder, region: &Region<'_>, link: &Match<'_>, long: &Long) -> Fate {
        match link.rewritten() {
            Err(e) => return Fate::Stays(Why::NoUri(e)),
            Ok(None) => return Fate::Same,
            Ok(Some(_)) => {}
        }
        if let Some(why) = self.never.or(region.never.as_ref()) {
            return Fate::Stays(why.clone());
        }
        if !region.with_view(|view| view.is_writable(link.range())) {
            return Fate::Stays(Why::EncodedWord);
        }
        if !edit::changes(finder, link) {
            return Fate::Stays(Why::Unwritable);
        }
        match region.in_base(link.range()) {
            Some(source) if !long.holds(source.start) => Fate::Changes,
            _ => Fate::Stays(Why::LineTooLong),
        }
    }

    /// The lines that would be too long with all edits, but for those that are `long`
    /// already, in order.
    fn too_long(&self, others: &Others<'_>, long: &Long) -> Vec<Range<usize>> {
        let (finder, region) = (others.finder, others.region);
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut line = Line::default();
        let mut writer = edit::Writer::new(finder, region.bytes());
        let mut next = |done: Option<(Match<'_>, Edit)>| {
            let Some((link, edit)) = done else { return };
            let Some(range) = region.in_base(edit.range) else {
                found.extend(region.in_base(link.range()));
                return;
            };
            if range.start >= line.range.end {
                found.extend(line.too_long());
                line = Line::at(self.message, range.start);
            }
            if range.end > line.range.end {
                line.range.end = line_end(self.message, range.end).0.max(range.end);
            }
            line.old += range.len();
            line.new += edit.with.len();
        };
        for link in others.iter() {
            if let Fate::Changes = self.fate(finder, region, &link, long) {
                next(writer.link(&link));
            }
        }
        next(writer.end());
        found.extend(line.too_long());
        found
    }

    /// An edit of what is read, done in the message.
    fn edit(
        &mut self,
        region: &Region<'_>,
        link: &Match<'_>,
        edit: Edit,
        body: &mut Body<'_>,
    ) -> io::Result<()> {
        if region.bytes()[edit.range.clone()] == *edit.with {
            // A host that is kept, in a link that was rewritten before.
            return Ok(());
        }
        // What is writable has its ends in the base, and so does an escape sequence before.
        let Some(range) = region.in_base(edit.range) else {
            debug_assert!(false, "{link:?} should have a place");
            return Ok(());
        };
        let edit = Edit { range, with: edit.with };
        self.done.changed += 1;
        match body {
            Body::Plain => self.out.edit(&edit),
            Body::Quoted(quoted) => quoted.edit(edit, self.out),
            Body::Base64(at, base64) => {
                let from = match *at {
                    Some(from) => from,
                    None => {
                        self.out.text(region.range.start)?;
                        self.out.at = region.range.end;
                        base64.start(self.out.to)?;
                        0
                    }
                };
                *at = Some(edit.range.end);
                base64.push(&region.base[from..edit.range.start], self.out.to)?;
                base64.push(&edit.with, self.out.to)
            }
        }
    }
}

/// What becomes of a link that is not ASCII.
enum Fate {
    Changes,
    /// It is written as rewriting would write it: its host is kept.
    Same,
    Stays(Why),
}

/// How the edits of a region get into the message.
enum Body<'a> {
    Plain,
    Quoted(Quoted<'a>),
    /// How much of what it stood for is written; `None`: nothing, since nothing has
    /// changed yet.
    Base64(Option<usize>, Base64<'a>),
}

/// A line with its edits.
#[derive(Default)]
struct Line {
    range: Range<usize>,
    /// So many bytes of it are replaced.
    old: usize,
    /// By so many.
    new: usize,
}

impl Line {
    fn at(message: &[u8], at: usize) -> Line {
        let start = memchr::memrchr(b'\n', &message[..at]).map_or(0, |feed| feed + 1);
        let end = line_end(message, at).0.max(at);
        Line { range: start..end, old: 0, new: 0 }
    }

    /// Where it is, if it would be too long.
    fn too_long(&self) -> Option<Range<usize>> {
        (self.range.len() - self.old + self.new > LINE_MAX).then(|| self.range.clone())
    }
}

/// Writes edits in quoted-printable.
struct Quoted<'a> {
    /// The message up to the end of the part.
    body: &'a [u8],
    line_feed: &'a [u8],
    /// Where the last edit that was written ended, and at which column.
    after: (usize, usize),
    /// Where the line ends that was looked at last.
    end: usize,
    /// Waits until it is known what follows on its line.
    last: Option<Edit>,
}

impl<'a> Quoted<'a> {
    fn of(message: &'a [u8], line_feed: &'a [u8], region: &Region<'_>) -> Quoted<'a> {
        let body = &message[..region.range.end];
        Quoted { body, line_feed, after: (region.range.start, 0), end: 0, last: None }
    }

    fn edit(&mut self, edit: Edit, out: &mut Out<'_>) -> io::Result<()> {
        let next = edit.range.start;
        match self.last.replace(edit) {
            Some(last) => self.write(last, Some(next), out),
            None => Ok(()),
        }
    }

    fn end(mut self, out: &mut Out<'_>) -> io::Result<()> {
        match self.last.take() {
            Some(last) => self.write(last, None, out),
            None => Ok(()),
        }
    }

    /// `next`: where the next edit starts.
    fn write(&mut self, edit: Edit, next: Option<usize>, out: &mut Out<'_>) -> io::Result<()> {
        let Edit { range, with: text } = edit;
        let (from, column) = self.after;
        let column = match memchr::memrchr(b'\n', &self.body[from..range.start]) {
            Some(feed) => range.start - (from + feed + 1),
            None => column + (range.start - from),
        };
        if self.end < range.end {
            self.end = line_end(self.body, range.end).0.max(range.end);
        }
        let (rest, room) = match next {
            Some(next) if next < self.end => (next - range.end, LINE - 1),
            _ => (self.end - range.end, LINE),
        };
        let mut with = Vec::new();
        let column = transfer::write_quoted(&text, column, rest, room, self.line_feed, &mut with);
        self.after = (range.end, column);
        out.edit(&Edit { range, with })
    }
}
