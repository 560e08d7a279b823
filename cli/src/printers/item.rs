//! A link that is ready to be written, and the place that it is at: what the results of `find` are
//! made of, in whatever form.

use std::{borrow::Cow, cell::OnceCell, ops::Range, path::Path};

use iriscan::{
    Match, Position,
    mail::{Headers, MailLink},
};

use crate::messages::text;

/// A link that is ready to be written.
pub(crate) struct Item<'i> {
    pub(crate) link: &'i Match<'i>,
    /// The result, as one text.
    pub(crate) shown: &'i str,
    /// With `--unwrap`: the link inside, if it is a wrapper.
    pub(crate) inner: Option<&'i str>,
    /// Its number in the input, from 1.
    pub(crate) n: u64,
    /// Its start and end in the units of `--offsets`.
    pub(crate) at: Option<[Position; 2]>,
    pub(crate) mail: Option<InMail<'i>>,
    /// The text before and after it, if that is wanted.
    pub(crate) around: Option<[&'i str; 2]>,
}

/// The place of a link in mail.
pub(crate) struct InMail<'i> {
    pub(crate) found: &'i MailLink,
    /// The byte and the line that its message starts at.
    pub(crate) at: u64,
    pub(crate) line: u64,
    pub(crate) message: &'i Headers,
}

/// The place of a link.
pub(crate) struct Place<'p> {
    pub(crate) path: &'p Path,
    /// The bytes of the source; `None` if the link was decoded from other bytes.
    pub(crate) span: Option<Range<u64>>,
    pub(crate) line: Option<u64>,
    pub(crate) column: Option<u64>,
    /// The number of the link in its input, from 1.
    pub(crate) n: u64,
    /// The message that it is in.
    pub(crate) message: Option<&'p Headers>,
    /// The text before and after it, if that is wanted.
    pub(crate) around: Option<[&'p str; 2]>,
}

/// What the links that come next are in.
pub(crate) struct Source<'a> {
    pub(crate) name: Name<'a>,
    /// The record of a web archive that they are in.
    pub(crate) record: Option<ArchivePlace>,
}

/// The name of an input, or of a member of it.
pub(crate) struct Name<'a> {
    pub(crate) path: Cow<'a, Path>,
    /// True if each result begins with it.
    pub(crate) printed: bool,
    /// As it is shown, once a line needed it.
    shown: OnceCell<String>,
}

/// The place of a text in a web archive.
pub(crate) struct ArchivePlace {
    /// The address that the text came from.
    pub(crate) target: String,
    /// The byte that its record starts at.
    pub(crate) offset: u64,
    /// The byte that the text starts at; `None` if the text was decoded.
    pub(crate) start: Option<u64>,
}

impl<'a> Name<'a> {
    pub(crate) fn new(path: Cow<'a, Path>, printed: bool) -> Self {
        Name { path, printed, shown: OnceCell::new() }
    }

    /// As it is shown to people.
    pub(crate) fn shown(&self) -> &str {
        self.shown.get_or_init(|| text::name(&self.path))
    }
}

/// A path as the bytes that it is, where a path is bytes.
pub(crate) fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    #[cfg(unix)]
    return Cow::Borrowed(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()));
    #[cfg(not(unix))]
    return Cow::Owned(path.to_string_lossy().into_owned().into_bytes());
}

/// A name for records that end in `end`. Members of archives have names that others gave them: where a line end
/// divides records, no name divides one, and none has what a terminal obeys.
pub(crate) fn name_bytes(path: &Path, end: u8) -> Cow<'_, [u8]> {
    let bytes = path_bytes(path);
    if end == 0 {
        return bytes;
    }
    match str::from_utf8(&bytes) {
        Ok(name) => match text::escaped(name) {
            Cow::Borrowed(_) => bytes,
            Cow::Owned(name) => name.into_bytes().into(),
        },
        Err(_) if !bytes.iter().any(u8::is_ascii_control) => bytes,
        Err(_) => {
            let show = |b: &u8| match b.is_ascii_control() {
                true => char::from(*b).escape_unicode().to_string().into_bytes(),
                false => vec![*b],
            };
            bytes.iter().flat_map(show).collect::<Vec<_>>().into()
        }
    }
}

impl Item<'_> {
    /// The place of this link, which is in `source`.
    pub(crate) fn place<'p>(&'p self, source: &'p Source<'_>) -> Place<'p> {
        let (span, line, column) = match &self.mail {
            Some(mail) => (mail.span(), Some(mail.line()), None),
            None => {
                let start = self.at.map(|[start, _]| start);
                let (line, column) = (start.map(|at| at.line), start.map(|at| at.column));
                (source.span(self.link), line, column)
            }
        };
        let message = self.mail.as_ref().map(|mail| mail.message);
        let Item { n, around, .. } = *self;
        Place { path: &source.name.path, span, line, column, n, message, around }
    }
}

impl InMail<'_> {
    /// The bytes of the link in the input; `None` if it was decoded from other bytes.
    fn span(&self) -> Option<Range<u64>> {
        self.found.span().map(|span| self.at + span.start..self.at + span.end)
    }

    /// The line of the input, from 1.
    fn line(&self) -> u64 {
        self.line + self.found.line() - 1
    }
}

impl Source<'_> {
    /// The bytes of a link in the input; `None` if it was decoded from other bytes.
    fn span(&self, link: &Match<'_>) -> Option<Range<u64>> {
        let start = self.record.as_ref().map_or(Some(0), |record| record.start)?;
        let at = link.span();
        Some(start + at.start..start + at.end)
    }
}
