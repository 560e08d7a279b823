//! A document rewritten, a step at a time.
//!
//! In goes an input that was opened; out come its bytes with other links, packed as it was packed. What must hold: what
//! cannot be rewritten keeps its bytes, and damage is an error, because the rest would be missing.

use std::{
    collections::VecDeque,
    fmt,
    io::{self, Read, Write as _},
    ops::ControlFlow,
};

use iriscan::{
    Basis, Charset, Finder, Format, Match, Rewrite, Rewriter, Scanner, Sink, Summary,
    mail::{self, KeptReason, Piece},
};

#[cfg(feature = "zip")]
use crate::repack::{Member, NextMember, Repacker};
use crate::{
    compressed::Compressor,
    content::Content,
    links::read,
    mail::Mailbox,
    note::{Note, NoteKind},
    open::Opened,
};

/// So many bytes of a document are read at once.
const CHUNK: usize = 256 << 10;

/// What compresses again what was compressed.
type Packer = Option<Compressor<Vec<u8>>>;

/// Rewrites an input, a step at a time: [`Opened::into_rewriter`] makes it.
///
/// ```
/// use iriscan::{Finder, mail};
/// use iriscan_documents::{Input, Opener};
///
/// let input = Input::new("<a href='http://a.example/é'>".as_bytes()).name("x.html");
/// let opened = Opener::new().open_input(input)?;
/// let mut rewriter = opened.into_rewriter(&Finder::new(), &mail::Options::new())?;
/// let mut written = Vec::new();
/// while let Some(bytes) = rewriter.step()? {
///     written.extend(bytes);
/// }
/// assert_eq!(written, b"<a href='http://a.example/%C3%A9'>");
/// assert_eq!(rewriter.done().changed, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct DocumentRewriter {
    finder: Finder,
    options: mail::Options,
    what: What,
    packer: Packer,
    notes: VecDeque<Note>,
    done: DocumentRewritten,
}

/// What a [`DocumentRewriter`] has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentRewritten {
    /// The links that were found.
    pub links: u64,
    /// Those that were replaced.
    pub changed: u64,
    /// Those that should have been replaced and stay. Links of signed messages and identifiers do not count.
    pub unconvertible: u64,
    /// Characters of new text that are written as `?`, because neither the charset nor the format has a way to write
    /// them.
    pub lost: u64,
    /// Links that were written as IRIs in UTF-8 before the charset was known.
    pub early: u64,
    /// The charset of a document; `None` for others.
    pub charset: Option<Charset>,
}

enum What {
    Document(Box<dyn Read + Send>, Box<Scanner>, Box<Counting>),
    Mail(Mailbox),
    #[cfg(feature = "zip")]
    Container(Box<Repacker>),
    Ended,
}

impl Opened {
    /// Rewrites the input with the links that the finder makes. A compressed input is compressed again.
    ///
    /// # Errors
    ///
    /// It is a web archive, which cannot be rewritten. The codec cannot be made. Or those of
    /// `Opened::into_repacker`.
    pub fn into_rewriter(
        mut self,
        finder: &Finder,
        options: &mail::Options,
    ) -> io::Result<DocumentRewriter> {
        let packer = self.compression().map(|how| Compressor::new(how, Vec::new())).transpose()?;
        let (mut finder, mut done) = (finder.clone(), DocumentRewritten::default());
        let what = match self.content() {
            Content::Document(format) => {
                finder = fit(&finder, format, &mut self);
                let scanner = Box::new(finder.scanner());
                done.charset = Some(scanner.charset().0);
                let sink = Counting { rewriter: Rewriter::new(Vec::new(), &finder), links: 0 };
                What::Document(self.into_reader(), scanner, Box::new(sink))
            }
            Content::Mail => What::Mail(self.into_mailbox()),
            #[cfg(feature = "zip")]
            Content::Container => {
                let repacker = self.into_repacker()?;
                What::Container(Box::new(repacker))
            }
            other => {
                let why = other.why_not_rewritten().unwrap_or_default();
                return Err(io::Error::new(io::ErrorKind::Unsupported, why));
            }
        };
        let mut notes = VecDeque::new();
        notes.extend(what.is_signed(options).then(|| Note::new(NoteKind::Signed)));
        Ok(DocumentRewriter { finder, options: *options, what, packer, notes, done })
    }
}

impl What {
    /// True if it is a container that stays as it is, because it is signed.
    fn is_signed(&self, options: &mail::Options) -> bool {
        let is_signed = match self {
            #[cfg(feature = "zip")]
            What::Container(repacker) => repacker.is_signed(),
            _ => false,
        };
        is_signed && !options.get_even_signed()
    }
}

/// The finder for a document in this format.
fn fit(finder: &Finder, format: Format, opened: &mut Opened) -> Finder {
    let finder = finder.clone().format(format);
    // Links before the first byte that is not ASCII are written in the charset that it shows.
    let config = finder.config();
    if config.get_charset().is_none()
        && matches!(config.get_rewrite(), Rewrite::Iri(_))
        && let Some((charset, _)) = opened.charset(&finder)
    {
        return finder.charset(charset);
    }
    finder
}

impl DocumentRewriter {
    /// The next bytes, which may be an empty vector; `None` at the end. A container comes in one step, after all of its
    /// members were read.
    ///
    /// # Errors
    ///
    /// The input cannot be read further, or a member of a container cannot be read to its end: what was written is not
    /// whole. After an error there is nothing more.
    pub fn step(&mut self) -> io::Result<Option<Vec<u8>>> {
        let bytes = match self.plain() {
            Ok(bytes) => bytes,
            Err(e) => {
                (self.what, self.packer) = (What::Ended, None);
                return Err(e);
            }
        };
        let Some(mut packer) = self.packer.take() else { return Ok(bytes) };
        let Some(bytes) = bytes else { return packer.finish().map(Some) };
        packer.write_all(&bytes)?;
        let packed = std::mem::take(packer.get_mut());
        self.packer = Some(packer);
        Ok(Some(packed))
    }

    /// The next note: what stays as it is, and why.
    pub fn next_note(&mut self) -> Option<Note> {
        self.notes.pop_front()
    }

    /// The numbers of links so far.
    #[must_use]
    pub fn done(&self) -> DocumentRewritten {
        self.done
    }

    /// The next bytes before they are compressed.
    fn plain(&mut self) -> io::Result<Option<Vec<u8>>> {
        #[cfg(feature = "zip")]
        let stays = self.what.is_signed(&self.options);
        let DocumentRewriter { finder, options, what, notes, done, .. } = self;
        match what {
            What::Document(reader, scanner, sink) => {
                let mut chunk = vec![0; CHUNK];
                let n = read(reader, &mut chunk)?;
                if n > 0 {
                    scanner.push(&chunk[..n], &mut **sink)?;
                    done.charset = Some(scanner.charset().0);
                } else {
                    let scanner = std::mem::replace(&mut **scanner, finder.scanner());
                    done.charset = Some(scanner.finish(&mut **sink)?.charset);
                }
                done.links = sink.links;
                let rewriter = &mut sink.rewriter;
                (done.changed, done.unconvertible) = (rewriter.changed(), rewriter.unconvertible());
                (done.lost, done.early) = (rewriter.lost(), rewriter.before_charset());
                let written = std::mem::take(rewriter.get_mut());
                if n == 0 {
                    *what = What::Ended;
                }
                Ok(Some(written))
            }
            What::Mail(mailbox) => {
                let Some(piece) = mailbox.next().transpose()? else {
                    *what = What::Ended;
                    return Ok(None);
                };
                let Piece::Message(message) = &piece.piece else {
                    if matches!(piece.piece, Piece::TooLong { first: true, .. }) {
                        notes.push_back(Note::new(NoteKind::LongMessage(piece.at)).kept());
                    }
                    return Ok(Some(piece.piece.bytes().to_vec()));
                };
                let options = options.first(done.links + 1);
                let mut stay = 0;
                let (written, new) = mail::rewrite_each(finder, message, &options, |kept| {
                    let is_meant =
                        matches!(kept.reason, KeptReason::Signed | KeptReason::Identifier);
                    stay += u64::from(!is_meant);
                });
                done.links += new.links;
                done.changed += new.changed;
                done.unconvertible += stay;
                done.lost += new.lost;
                Ok(Some(written.into()))
            }
            #[cfg(feature = "zip")]
            What::Container(repacker) => {
                let next = if stays { None } else { repacker.next(finder) };
                match next {
                    Some(NextMember::Member(member)) => {
                        rewrite_member(finder, &member, repacker, done)?;
                    }
                    // What cannot be read at all is copied; damage is an error, as the end of the file is.
                    Some(NextMember::Note(note)) => match note.kind() {
                        NoteKind::Closed(_) => notes.push_back(note.kept()),
                        _ => return Err(damage(&note)),
                    },
                    None => {
                        let mut written = Vec::new();
                        if let What::Container(repacker) = std::mem::replace(what, What::Ended) {
                            repacker.finish(&mut written)?;
                        }
                        return Ok(Some(written));
                    }
                }
                Ok(Some(Vec::new()))
            }
            What::Ended => Ok(None),
        }
    }
}

impl fmt::Debug for DocumentRewriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DocumentRewriter").field("done", &self.done).finish_non_exhaustive()
    }
}

/// The error for a container with a member that cannot be read to its end.
#[cfg(feature = "zip")]
fn damage(note: &Note) -> io::Error {
    let member = note.member().map(|path| path.to_string_lossy());
    let name = member.as_deref().and_then(|path| path.rsplit_once('!')).map(|(_, name)| name);
    let name = name.map_or(String::new(), |name| format!("{name}: "));
    match note.kind() {
        NoteKind::Unreadable(e) => io::Error::new(e.kind(), format!("{name}{e}")),
        _ => io::Error::other(format!("{name}{note}")),
    }
}

#[cfg(feature = "zip")]
fn rewrite_member(
    finder: &Finder,
    member: &Member,
    repacker: &mut Repacker,
    done: &mut DocumentRewritten,
) -> io::Result<()> {
    let finder = finder.clone().format(member.format);
    let (written, new) = finder.rewrite_slice(&member.bytes);
    done.links += new.summary.links;
    done.changed += new.changed;
    done.unconvertible += new.unconvertible;
    done.lost += new.lost;
    done.early += new.before_charset;
    match new.changed {
        0 => Ok(()),
        _ => repacker.put(&written),
    }
}

/// Rewrites a document, and counts its links.
struct Counting {
    rewriter: Rewriter<Vec<u8>>,
    links: u64,
}

impl Sink for Counting {
    type Error = io::Error;

    fn charset(&mut self, charset: Charset, basis: Basis) -> io::Result<()> {
        self.rewriter.charset(charset, basis)
    }

    fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.rewriter.text(bytes)
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<ControlFlow<()>> {
        self.links += 1;
        self.rewriter.matched(link)
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        self.rewriter.finish(summary)
    }
}
