//! A link of a message, with its place there.

use std::{boxed::Box, string::String, sync::Arc};

use crate::{
    format::kinds::Format,
    links::{link::Link, matched::Span},
};

/// A link of a message: the [`Link`], and where it is in the message.
///
/// ```
/// use iriscan::{Finder, mail};
///
/// let message = b"MIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\
///                 Content-Type: text/plain; charset=koi8-r\n\n\
///                 aHR0cDovL2EuZXhhbXBsZS/NydI=\n";
/// let found = &mail::find(&Finder::new(), message)[0];
/// assert_eq!(found.link().iri(), "http://a.example/мир");
/// assert_eq!((found.span(), found.part(), found.line()), (None, "1", 5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailLink {
    pub(super) link: Link,
    pub(super) span: Option<Span>,
    pub(super) names: Names,
    pub(super) line: u64,
    pub(super) format: Format,
    /// The text before and after it.
    pub(super) around: Option<Box<(String, String)>>,
}

/// The names of a text of a message, which all links in it share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) part: Arc<str>,
    pub(super) header: Option<Arc<str>>,
}

impl MailLink {
    /// The link.
    ///
    /// Its [`text`](Link::text) has the characters of [`MailLink::span`], its
    /// [`iri`](Link::iri) has the transfer encoding and line breaks undone as well. Without
    /// a span, its text and its own span are those in the decoded text of the part. Encoded
    /// words and UTF-7 are read as UTF-8.
    #[must_use]
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// The link without its place.
    #[must_use]
    pub fn into_link(self) -> Link {
        self.link
    }

    /// Where the link is, in bytes of the message; `None` if its bytes are not in the
    /// message: in base64, or if it starts or ends within a run of UTF-7.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.span.clone()
    }

    /// The part, numbered as in IMAP: `1`, or `2.1` for the first part of part 2. The message
    /// in part 3 has parts `3.1` and so on. Fields of the message are in `0`, those of the
    /// message in part 3 in `3.0`, those of another part in that part.
    #[must_use]
    pub fn part(&self) -> &str {
        &self.names.part
    }

    /// The name of the field that the link is in, as written there; `None` in a body.
    #[must_use]
    pub fn header(&self) -> Option<&str> {
        self.names.header.as_deref()
    }

    /// The line of the message on which the link starts, from 1. If its bytes are not in
    /// the message, the line on which the body or the field starts.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The format of the text that the link is in: that of the part, or plain text for a field.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The text before the link in its part or field, with
    /// [`find_in_context`](super::find_in_context); else `None`. Transfer encodings are undone, and the
    /// charset is decoded; markup and line ends are as they are written.
    #[must_use]
    pub fn before(&self) -> Option<&str> {
        self.around.as_ref().map(|around| &*around.0)
    }

    /// The text after the link; see [`MailLink::before`].
    #[must_use]
    pub fn after(&self) -> Option<&str> {
        self.around.as_ref().map(|around| &*around.1)
    }
}
