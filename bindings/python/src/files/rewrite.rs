//! Rewrites a file.

use std::{
    io::{self, Read, Write as _},
    path::Path,
};

use iriscan::{
    Charset, Finder, Format, Rewrite, Scanner,
    mail::{self, KeptReason, Piece},
};
use iriscan_documents::{
    AsItIs, Compressor, Content, Input, Mailbox, Member, NextMember, Note, NoteKind, Opened,
    Opener, Repacker, Wanted,
};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};

use super::open::{About, Alone, CHUNK, Document, Source, read, too_long};
use crate::stream::Counting;

/// What compresses again what was compressed.
type Packer = Option<Compressor<Vec<u8>>>;

/// Rewrites a file, a step at a time.
#[pyclass(module = "iriscan._iriscan")]
pub(crate) struct FileRewriter {
    about: About,
    finder: Finder,
    /// `None` at the end.
    state: Alone<(Rewriting, Packer)>,
    warnings: Vec<String>,
    counts: Counts,
}

enum Rewriting {
    Text(Box<dyn Read + Send>, Box<Scanner>, Box<Counting>),
    Mail(Mailbox),
    /// `None` once all members were read and the container was written.
    Container(Option<Box<Repacker>>),
}

/// The numbers of links.
#[derive(Default)]
struct Counts {
    links: u64,
    changed: u64,
    unconvertible: u64,
    lost: u64,
    early: u64,
    charset: Option<Charset>,
}

/// Why a container is not rewritten without `z=True`.
const CONTAINER: &str = "a zip container, left as it is; z=True rewrites the texts in it";

/// Why a signed container is copied as it is.
const SIGNED: &str = "signed, and stays as it is; rewriting it would break the signature";

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

impl FileRewriter {
    /// `in_place`: the result replaces the file.
    pub(crate) fn open(
        py: Python<'_>,
        finder: &Finder,
        source: Source,
        in_place: bool,
    ) -> PyResult<FileRewriter> {
        let document = Document::open(py, source)?;
        let about = &document.about;
        let refused = match document.as_it_is {
            Some(AsItIs::Container) => Some(CONTAINER),
            Some(_) if in_place => Some("compressed, left as it is; z=True decompresses it"),
            _ => document.opened.content().why_not_rewritten(),
        };
        if let Some(why) = refused {
            return Err(PyValueError::new_err(about.message(why)));
        }
        let mut warnings = document.warnings();
        let Document { mut opened, about, .. } = document;
        let packer = opened.compression().map(|how| Compressor::new(how, Vec::new()));
        let packer = packer.transpose().map_err(|e| about.exception(py, &e))?;
        let (mut finder, mut counts) = (finder.clone(), Counts::default());
        let state = match opened.content() {
            Content::Document(format) => {
                finder = py.detach(|| fit(&finder, format, &mut opened));
                let (scanner, sink) = (finder.scanner(), Counting::new(&finder));
                counts.charset = Some(scanner.charset().0);
                Rewriting::Text(opened.into_reader(), Box::new(scanner), Box::new(sink))
            }
            Content::Container => {
                let repacker = py.detach(|| opened.into_repacker());
                let repacker = repacker.map_err(|e| about.exception(py, &e))?;
                if repacker.is_signed() {
                    warnings.push(about.message(SIGNED));
                }
                Rewriting::Container(Some(Box::new(repacker)))
            }
            _ => Rewriting::Mail(opened.into_mailbox()),
        };
        Ok(FileRewriter { about, finder, state: Alone::new((state, packer)), warnings, counts })
    }
}

#[pymethods]
impl FileRewriter {
    /// The next bytes; None at the end.
    fn step<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Some((mut state, mut packer)) = self.state.take() else { return Ok(None) };
        let FileRewriter { finder, counts, warnings, about, .. } = self;
        let (state, written) = py.detach(|| {
            let written = state.step(finder, counts, &mut |member, what| {
                warnings.push(about.message_of(member, what));
            });
            let packed = written.and_then(|(bytes, ended)| pack(&mut packer, bytes, ended));
            ((state, packer), packed)
        });
        if let Some(e) = self.about.raised() {
            return Err(e);
        }
        let (written, ended) = written.map_err(|e| self.about.exception(py, &e))?;
        if !ended {
            self.state = Alone::new(state);
        }
        Ok(Some(PyBytes::new(py, &written)))
    }

    /// The links, those that changed, those that stay, the charset, and the numbers of lost characters
    /// and of links written too early.
    fn counts(&self) -> (u64, u64, u64, &'static str, u64, u64) {
        let Counts { links, changed, unconvertible, lost, early, charset } = self.counts;
        (links, changed, unconvertible, charset.map_or("", |charset| charset.name()), lost, early)
    }

    /// What could not be read or rewritten since the last call.
    fn warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}

impl Rewriting {
    /// The next bytes, and whether they are the last ones.
    fn step(
        &mut self,
        finder: &Finder,
        counts: &mut Counts,
        warn: &mut dyn FnMut(Option<&Path>, String),
    ) -> io::Result<(Vec<u8>, bool)> {
        match self {
            Rewriting::Text(reader, scanner, sink) => {
                let mut chunk = vec![0; CHUNK];
                let n = read(reader, &mut chunk)?;
                if n > 0 {
                    scanner.push(&chunk[..n], &mut **sink)?;
                    counts.charset = Some(scanner.charset().0);
                } else {
                    let scanner = std::mem::replace(&mut **scanner, finder.scanner());
                    counts.charset = Some(scanner.finish(&mut **sink)?.charset);
                }
                let written = std::mem::take(sink.rewriter.get_mut());
                (counts.links, counts.changed) = (sink.links, sink.rewriter.changed());
                counts.unconvertible = sink.rewriter.unconvertible();
                (counts.lost, counts.early) =
                    (sink.rewriter.lost(), sink.rewriter.before_charset());
                Ok((written, n == 0))
            }
            Rewriting::Container(state) => {
                let Some(mut repacker) = state.take() else { return Ok((Vec::new(), true)) };
                let next = if repacker.is_signed() { None } else { repacker.next(finder) };
                match next {
                    Some(NextMember::Member(member)) => {
                        rewrite_member(finder, member, &mut repacker, counts)?;
                    }
                    // What cannot be read at all is copied; damage is an error, as the end of the file is.
                    Some(NextMember::Note(note)) => match note.kind() {
                        NoteKind::Closed(why) => {
                            warn(
                                note.member().map(|member| &**member),
                                format!("stays as written, {why}"),
                            );
                        }
                        _ => return Err(damage(&note)),
                    },
                    None => {
                        let mut written = Vec::new();
                        repacker.finish(&mut written)?;
                        return Ok((written, false));
                    }
                }
                *state = Some(repacker);
                Ok((Vec::new(), false))
            }
            Rewriting::Mail(mailbox) => {
                let Some(piece) = mailbox.next().transpose()? else {
                    return Ok((Vec::new(), true));
                };
                let Piece::Message(message) = &piece.piece else {
                    if matches!(piece.piece, Piece::TooLong { first: true, .. }) {
                        warn(None, too_long(piece.at, "stays as written; split it"));
                    }
                    return Ok((piece.piece.bytes().to_vec(), false));
                };
                let options = mail::Options::new().first(counts.links + 1);
                let mut stay = 0;
                let (written, done) = mail::rewrite_each(finder, message, &options, |kept| {
                    let counts =
                        !matches!(kept.reason, KeptReason::Signed | KeptReason::Identifier);
                    stay += u64::from(counts);
                });
                counts.links += done.links;
                counts.changed += done.changed;
                counts.unconvertible += stay;
                counts.lost += done.lost;
                Ok((written.into(), false))
            }
        }
    }
}

/// The error for a container with a member that cannot be read to its end.
fn damage(note: &Note) -> io::Error {
    let member = note.member().map(|path| path.to_string_lossy());
    let name = member.as_deref().and_then(|path| path.rsplit_once('!')).map(|(_, name)| name);
    let name = name.map_or(String::new(), |name| format!("{name}: "));
    match note.kind() {
        NoteKind::Unreadable(e) => io::Error::new(e.kind(), format!("{name}{e}")),
        _ => io::Error::other(format!("{name}{note}")),
    }
}

/// Rewrites a member, as the command does.
fn rewrite_member(
    finder: &Finder,
    member: Member,
    repacker: &mut Repacker,
    counts: &mut Counts,
) -> io::Result<()> {
    let Member { path, format, bytes, .. } = member;
    let wanted = Wanted::Told(Content::Document(format));
    let input = Input::new(io::Cursor::new(bytes.clone())).name(&path);
    let mut opened = Opener::new().wanted(wanted).open_input(input)?;
    let (written, done) = fit(finder, format, &mut opened).rewrite_slice(&bytes);
    counts.links += done.summary.links;
    counts.changed += done.changed;
    counts.unconvertible += done.unconvertible;
    counts.lost += done.lost;
    counts.early += done.before_charset;
    match done.changed {
        0 => Ok(()),
        _ => repacker.put(&written),
    }
}

/// Compresses the bytes as the file was compressed.
fn pack(packer: &mut Packer, bytes: Vec<u8>, ended: bool) -> io::Result<(Vec<u8>, bool)> {
    let Some(mut compressor) = packer.take() else { return Ok((bytes, ended)) };
    compressor.write_all(&bytes)?;
    if ended {
        return compressor.finish().map(|packed| (packed, true));
    }
    let packed = std::mem::take(compressor.get_mut());
    *packer = Some(compressor);
    Ok((packed, false))
}
