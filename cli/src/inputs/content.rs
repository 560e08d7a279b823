//! The content of an input, by its name or by its first bytes.
//!
//! In go the option `--format`, the name, and the first bytes if they are needed; out comes a
//! [`Content`]. What must hold: an option counts more than the name.

use std::path::Path;

use iriscan::{Charset, Finder, Format};

use super::archive;
use crate::args::values::FormatArg;

/// The kind of an input, which decides how it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// One text in this format.
    Document(Format),
    /// One or more messages.
    Mail,
    /// A web archive.
    Archive,
    /// A zip container.
    Container,
}

impl Content {
    /// The content that the user named, or that the name or the first bytes of the file show.
    /// With it, how that is known. `inner` is the name of the file without the extension of
    /// its compression; `head` is asked for its first bytes only if they are needed.
    pub(crate) fn decide<'h>(
        wanted: FormatArg,
        inner: &Path,
        head: impl FnOnce() -> &'h [u8],
    ) -> (Content, &'static str) {
        match wanted {
            FormatArg::Auto => Content::of_name(inner),
            FormatArg::Sniff => (Content::sniff(head()), "by its first bytes"),
            _ => (Content::of_format(wanted), "as told"),
        }
    }

    /// The content that a file of this name should have, and how that is known.
    fn of_name(path: &Path) -> (Content, &'static str) {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let content = match extension.and_then(FormatArg::of_extension) {
            _ if has_flags(path) => Content::Mail,
            Some(FormatArg::Warc) if is_in_maildir(path) => Content::Mail,
            Some(format) => Content::of_format(format),
            None if is_in_maildir(path) => Content::Mail,
            None => return (Content::Document(Format::Text), "for want of a known extension"),
        };
        (content, "by its name")
    }

    pub(super) fn of_format(format: FormatArg) -> Content {
        match format {
            FormatArg::Mail => Content::Mail,
            FormatArg::Warc => Content::Archive,
            FormatArg::Document(format) => Content::Document(format),
            FormatArg::Auto | FormatArg::Sniff => Content::Document(Format::Text),
        }
    }

    /// The content of an input that begins with these bytes.
    fn sniff(head: &[u8]) -> Content {
        match Format::sniff(head) {
            Format::Text if iriscan::mail::sniff(head) => Content::Mail,
            _ if archive::sniff(head) => Content::Archive,
            format => Content::Document(format),
        }
    }
}

/// True if an input that begins with `head` does not look like text: there is a NUL in it, and its charset is
/// not UTF-16 or UTF-32.
pub(super) fn is_binary(head: &[u8], finder: &Finder) -> bool {
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
