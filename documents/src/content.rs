//! The content of an input, by its name or by its first bytes.
//!
//! In go what the caller wants, the name, and the first bytes if they are needed; out comes a
//! [`Content`]. What must hold: what the caller wants counts more than the name.

use std::path::Path;

use iriscan::{Charset, Config, Finder, Format};

use crate::seams::is_record;

/// What an input is, which decides how it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// One text in this format.
    Document(Format),
    /// A message, or an mbox of several.
    Mail,
    /// A web archive (WARC).
    Archive,
    /// A zip container, such as an office document or an electronic book.
    Container,
}

/// How the content of an input is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wanted {
    /// By the name: its extension, or that it is in a Maildir. Any other input is text.
    #[default]
    ByName,
    /// By the first bytes.
    ByContent,
    /// The caller says it.
    Told(Content),
}

impl Content {
    /// The content of files whose names end in `.extension`, if it is known. The only list of
    /// extensions that are no format of the library.
    ///
    /// ```
    /// use iriscan::Format;
    /// use iriscan_documents::Content;
    ///
    /// assert_eq!(Content::from_extension("HTML"), Some(Content::Document(Format::Html)));
    /// assert_eq!(Content::from_extension("mbox"), Some(Content::Mail));
    /// assert_eq!(Content::from_extension("jpeg"), None);
    /// ```
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Content> {
        if let Some(format) = Format::from_extension(extension) {
            return Some(Content::Document(format));
        }
        let is = |known: &&str| extension.eq_ignore_ascii_case(known);
        if ["eml", "mbox", "mbx"].iter().any(is) {
            return Some(Content::Mail);
        }
        is(&"warc").then_some(Content::Archive)
    }

    /// The content that the caller wants, or that the name or the first bytes show. With it, how that
    /// is known, in words. `name` is that of the file without the extension of its compression; `head`
    /// is asked for the first bytes only if they are needed.
    pub fn decide<'h>(
        wanted: Wanted,
        name: &Path,
        head: impl FnOnce() -> &'h [u8],
    ) -> (Content, &'static str) {
        match wanted {
            Wanted::ByName => {
                let extension = name.extension().and_then(|it| it.to_str()).unwrap_or_default();
                match Format::from_doubtful_extension(extension, head) {
                    Some(format) => (Content::Document(format), "by its name and first bytes"),
                    None => Content::of_name(name),
                }
            }
            Wanted::ByContent => (Content::sniff(head()), "by its first bytes"),
            Wanted::Told(content) => (content, "as told"),
        }
    }

    /// The content that a file of this name should have, and how that is known.
    fn of_name(path: &Path) -> (Content, &'static str) {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let content = match extension.and_then(Content::from_extension) {
            _ if has_flags(path) => Content::Mail,
            Some(Content::Archive) if is_in_maildir(path) => Content::Mail,
            Some(content) => content,
            None if is_in_maildir(path) => Content::Mail,
            None => return (Content::Document(Format::Text), "for want of a known extension"),
        };
        (content, "by its name")
    }

    /// The content of an input that begins with these bytes.
    fn sniff(head: &[u8]) -> Content {
        match Format::sniff(head) {
            Format::Text if iriscan::mail::sniff(head) => Content::Mail,
            _ if is_record(head) => Content::Archive,
            format => Content::Document(format),
        }
    }

    /// Why such an input cannot be rewritten, and what can be done; `None` if it can.
    #[must_use]
    pub fn why_not_rewritten(self) -> Option<&'static str> {
        match self {
            Content::Document(_) | Content::Mail | Content::Container => None,
            Content::Archive => Some(
                "a web archive, whose lengths and digests would be wrong; `find` lists its links",
            ),
        }
    }
}

/// The format that documents of `format` are read in by a finder with this configuration: links
/// that were made harmless are read in plain text if the finder's own format is
/// [`Format::Defanged`].
#[must_use]
pub fn read_as(config: &Config, format: Format) -> Format {
    match (format, config.get_format()) {
        (Format::Text, Format::Defanged) => Format::Defanged,
        _ => format,
    }
}

/// True if an input that begins with `head` does not look like text: there is a NUL in it, and its charset is
/// not UTF-16 or UTF-32.
pub(crate) fn is_binary(head: &[u8], finder: &Finder) -> bool {
    let wide = || {
        let mut links = finder.find_iter(head);
        links.by_ref().for_each(drop);
        [Charset::UTF_16LE, Charset::UTF_16BE, Charset::UTF_32LE, Charset::UTF_32BE]
            .contains(&links.charset().0)
    };
    head.contains(&0) && !wide()
}

/// True if the name ends in the flags of a Maildir, such as `:2,S`: the file is mail then,
/// whatever its extension is. Where file names can have no colon, `!` or `;` is used.
fn has_flags(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let flags = [":2,", "!2,", ";2,"].iter().find_map(|mark| Some(name.rsplit_once(mark)?.1));
    flags.is_some_and(|flags| flags.bytes().all(|b| b.is_ascii_alphabetic()))
}

/// True if the file is in the folder `cur` or `new` of a Maildir. Many folders are called
/// `new`: another folder of a Maildir must be next to it, or the file's name must begin
/// with a time, as the names in a Maildir do.
fn is_in_maildir(path: &Path) -> bool {
    let Some(folder) = path.parent() else { return false };
    if !["cur", "new"].iter().any(|name| folder.file_name() == Some(name.as_ref())) {
        return false;
    }
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let digits = name.iter().take_while(|b| b.is_ascii_digit()).count();
    let is_timed = digits >= 9 && name.get(digits).is_some_and(|b| matches!(b, b'.' | b'_'));
    let others = ["cur", "new", "tmp"].iter().map(|name| folder.with_file_name(name));
    is_timed || others.filter(|other| *other != *folder).any(|other| other.is_dir())
}
