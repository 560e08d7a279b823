//! A link that is ready to be written, and the place that it is at: what the results of `find` are
//! made of, in whatever form.

use std::{borrow::Cow, cell::OnceCell, ops::Range, path::Path};

use iriscan::{
    Match, Position,
    mail::{Headers, MailLink},
};
use iriscan_documents::RecordPlace;

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
    /// The path is that of a member of an archive, which others chose.
    pub(crate) is_member: bool,
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
    pub(crate) record: Option<RecordPlace>,
}

/// The name of an input, or of a member of it.
pub(crate) struct Name<'a> {
    pub(crate) path: Cow<'a, Path>,
    /// True if each result begins with it.
    pub(crate) printed: bool,
    /// It is that of a member of an archive, which others chose.
    is_member: bool,
    /// As it is shown, once a line needed it.
    shown: OnceCell<String>,
}

impl<'a> Name<'a> {
    pub(crate) fn new(path: Cow<'a, Path>, printed: bool) -> Self {
        Name { path, printed, is_member: false, shown: OnceCell::new() }
    }

    pub(crate) fn of_member(path: Cow<'a, Path>, printed: bool) -> Self {
        Name { is_member: true, ..Name::new(path, printed) }
    }

    /// For records that end in `end`. Where a line end divides records, the name of a member divides none, and has
    /// nothing that a terminal obeys.
    pub(crate) fn bytes(&self, end: u8) -> Cow<'_, [u8]> {
        name_bytes(&self.path, self.is_member && end != 0)
    }

    /// As it is shown to people.
    pub(crate) fn shown(&self) -> &str {
        self.shown.get_or_init(|| text::name(&self.path))
    }
}

/// A path, with its controls escaped if `escapes`.
pub(crate) fn name_bytes(path: &Path, escapes: bool) -> Cow<'_, [u8]> {
    match escapes {
        true => text::escaped(&path.to_string_lossy()).into_owned().into_bytes().into(),
        false => path_bytes(path),
    }
}

/// A path as the bytes that it is, where a path is bytes.
pub(crate) fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    #[cfg(unix)]
    return Cow::Borrowed(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()));
    #[cfg(not(unix))]
    return Cow::Owned(path.to_string_lossy().into_owned().into_bytes());
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
        Place {
            path: &source.name.path,
            is_member: source.name.is_member,
            span,
            line,
            column,
            n,
            message,
            around,
        }
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
