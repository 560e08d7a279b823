//! The links of a document, a step at a time.
//!
//! In goes an input that was opened; out come, in each step, text and links of a part of it, so that the caller can show
//! progress, and stop. What must hold: links before damage come before the error, and an error of one part hides no other.

use std::{
    fmt,
    io::{self, Read},
};

use iriscan::{Finder, Scanner, Sink, mail::Piece};

use crate::{
    content::Content,
    mail::{MailPiece, Mailbox},
    note::{Note, NoteKind},
    open::Opened,
    texts::{Next, Place, Text, Texts},
};

/// So many bytes of a document are read at once.
const CHUNK: usize = 256 << 10;

/// So many, of a small file.
const CHUNK_MIN: usize = 8192;

/// Takes what a [`LinkReader`] reads. As a [`Sink`] it takes text and links of all that is not mail.
pub trait Visitor: Sink<Error = io::Error> {
    /// A text of an archive or a container begins: what the sink takes next is in it.
    ///
    /// # Errors
    ///
    /// Those of the visitor.
    fn begin(&mut self, place: &Place) -> io::Result<()>;

    /// That text has ended.
    ///
    /// # Errors
    ///
    /// Those of the visitor.
    fn end(&mut self) -> io::Result<()>;

    /// Takes a message, whose links `iriscan::mail::find_each` finds.
    ///
    /// # Errors
    ///
    /// Those of the visitor.
    fn message(&mut self, message: &[u8], place: &MailPiece) -> io::Result<()>;

    /// Takes what could not be read.
    ///
    /// # Errors
    ///
    /// Those of the visitor.
    fn note(&mut self, note: Note) -> io::Result<()>;

    /// Called now and then in a long text of an archive or a container, which is one step.
    ///
    /// # Errors
    ///
    /// Those of the visitor, which end the text.
    fn pause(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads the links of an input, a step at a time: [`Opened::into_links`] makes it.
///
/// ```
/// use std::{io, ops::ControlFlow};
///
/// use iriscan::{Finder, Match, Sink};
/// use iriscan_documents::{Input, MailPiece, Note, Opener, Place, Visitor};
///
/// struct Print(String);
///
/// impl Sink for Print {
///     type Error = io::Error;
///     fn text(&mut self, _: &[u8]) -> io::Result<()> {
///         Ok(())
///     }
///     fn matched(&mut self, link: &Match<'_>) -> io::Result<ControlFlow<()>> {
///         self.0 += &link.iri();
///         Ok(ControlFlow::Continue(()))
///     }
/// }
///
/// impl Visitor for Print {
///     fn begin(&mut self, place: &Place) -> io::Result<()> {
///         self.0 += &format!("{place:?} ");
///         Ok(())
///     }
///     fn end(&mut self) -> io::Result<()> {
///         Ok(())
///     }
///     fn message(&mut self, message: &[u8], place: &MailPiece) -> io::Result<()> {
///         self.0 += &format!("message {} has {} bytes", place.number, message.len());
///         Ok(())
///     }
///     fn note(&mut self, note: Note) -> io::Result<()> {
///         self.0 += &note.to_string();
///         Ok(())
///     }
/// }
///
/// let input = Input::new(&b"<a href='http://a.example/'>"[..]).name("x.html");
/// let mut links = Opener::new().open_input(input)?.into_links(&Finder::new())?;
/// let mut print = Print(String::new());
/// while links.step(&mut print)? {}
/// assert_eq!(print.0, "http://a.example/");
/// # Ok::<(), io::Error>(())
/// ```
pub struct LinkReader {
    finder: Finder,
    /// Takes what is read next of a document.
    chunk: Vec<u8>,
    /// True if bytes may have to be waited for: each read is a step then.
    waits: bool,
    what: What,
}

enum What {
    /// The scanner is `None` after the end.
    Document(Box<dyn Read + Send>, Option<Box<Scanner>>),
    Mail(Mailbox),
    Texts(Texts),
    Ended,
}

impl Opened {
    /// The links of the input.
    ///
    /// # Errors
    ///
    /// Those of [`Opened::into_texts`].
    pub fn into_links(self, finder: &Finder) -> io::Result<LinkReader> {
        // The length of a file of the system may be given as 0.
        let len = self.plain_file().map_or(CHUNK, |(_, len)| len.saturating_add(1) as usize);
        let (mut finder, waits) = (finder.clone(), self.waits());
        let mut chunk = Vec::new();
        let what = match self.content() {
            Content::Document(format) => {
                finder = finder.format(format);
                let scanner = Some(Box::new(finder.scanner()));
                chunk = vec![0; len.clamp(CHUNK_MIN, CHUNK)];
                What::Document(self.into_reader(), scanner)
            }
            Content::Mail => What::Mail(self.into_mailbox()),
            Content::Archive | Content::Container => What::Texts(self.into_texts(&finder)?),
        };
        Ok(LinkReader { finder, chunk, waits, what })
    }
}

impl LinkReader {
    /// The finder that reads the document; of mail, archives and containers, the caller's.
    #[must_use]
    pub fn finder(&self) -> &Finder {
        &self.finder
    }

    /// Reads the next part: some bytes of a document, a message, or a text of an archive or a container. Returns false at
    /// the end.
    ///
    /// # Errors
    ///
    /// The input cannot be read further; what came before is whole, and the next calls give what else there is. Or those of the
    /// visitor.
    pub fn step(&mut self, visitor: &mut impl Visitor) -> io::Result<bool> {
        match &mut self.what {
            What::Document(reader, scanner) => {
                let Some(running) = scanner else { return Ok(false) };
                let (n, error) = match self.waits {
                    true => {
                        read(reader, &mut self.chunk).map_or_else(|e| (0, Some(e)), |n| (n, None))
                    }
                    false => fill(reader, &mut self.chunk),
                };
                running.push(&self.chunk[..n], visitor)?;
                if (n == 0 || error.is_some())
                    && let Some(scanner) = scanner.take()
                {
                    scanner.finish(visitor)?;
                }
                error.map_or(Ok(n > 0), Err)
            }
            What::Mail(mailbox) => {
                let Some(next) = mailbox.next() else {
                    self.what = What::Ended;
                    return Ok(false);
                };
                let piece = next.inspect_err(|_| self.what = What::Ended)?;
                match &piece.piece {
                    Piece::Message(message) => visitor.message(message, &piece)?,
                    Piece::TooLong { first: true, .. } => {
                        visitor.note(Note::new(NoteKind::LongMessage(piece.at)))?;
                    }
                    _ => {}
                }
                Ok(true)
            }
            What::Texts(texts) => {
                match texts.next()? {
                    Some(Next::Text(text)) => scan(text, &mut self.chunk, visitor)?,
                    Some(Next::Note(note)) => visitor.note(note)?,
                    None => return Ok(false),
                }
                Ok(true)
            }
            What::Ended => Ok(false),
        }
    }
}

impl fmt::Debug for LinkReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkReader").field("finder", &self.finder).finish_non_exhaustive()
    }
}

/// Gives the links of a text of an archive or a container.
fn scan(mut text: Text<'_>, chunk: &mut Vec<u8>, visitor: &mut impl Visitor) -> io::Result<()> {
    chunk.resize(CHUNK, 0);
    visitor.begin(&text.place)?;
    let mut scanner = text.finder.scanner();
    loop {
        // A text never fails.
        let n = read(&mut text, chunk).unwrap_or_default();
        if n == 0 {
            break;
        }
        scanner.push(&chunk[..n], visitor)?;
        visitor.pause()?;
    }
    scanner.finish(visitor)?;
    visitor.end()
}

/// Reads until `chunk` is full, or the input ends. Returns the number of bytes, and the error that came
/// after them.
fn fill(reader: &mut impl Read, chunk: &mut [u8]) -> (usize, Option<io::Error>) {
    let mut len = 0;
    while len < chunk.len() {
        match read(reader, &mut chunk[len..]) {
            Ok(0) => break,
            Ok(n) => len += n,
            Err(e) => return (len, Some(e)),
        }
    }
    (len, None)
}

/// Reads once.
pub(crate) fn read(reader: &mut impl Read, chunk: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(chunk) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}
