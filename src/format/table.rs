//! The table of formats. Whoever asks something of a format finds it in the row of the format.

use super::{
    any_lexer::AnyLexer,
    kinds::Format,
    row::{Fields, Row, Start},
};
use crate::data::names::{NameError, is_same_name};

/// Makes the table of the list of formats.
macro_rules! rows {
    ($($(#[$about:meta])* $variant:ident = $name:literal, $row:path;)+) => {
        /// One row for each format, in the order of [`Format::ALL`].
        pub(super) static ROWS: [&Row; Format::ALL.len()] = [$(&$row),+];
    };
}

formats!(rows);

impl Format {
    /// The format of files whose name ends in a dot and `extension`, in any case.
    ///
    /// ```
    /// use iriscan::Format;
    ///
    /// assert_eq!(Format::from_extension("HTM"), Some(Format::Html));
    /// assert_eq!(Format::from_extension("rss"), Some(Format::Xml));
    /// assert_eq!(Format::from_extension("tab"), Some(Format::Tsv));
    /// assert_eq!(Format::from_extension("ics"), Some(Format::Ical));
    /// assert_eq!(Format::from_extension("py"), Some(Format::Python));
    /// assert_eq!(Format::from_extension("png"), None);
    /// ```
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Format> {
        let is = |known: &&str| extension.eq_ignore_ascii_case(known);
        ROWS.iter().find(|row| row.extensions.iter().any(is)).map(|row| row.format)
    }

    /// The format of a document with this media type, in any case, such as the Content-Type of an
    /// HTTP response; parameters after `;` are ignored. `None` if it is not a type of text.
    ///
    /// ```
    /// use iriscan::Format;
    ///
    /// assert_eq!(Format::from_media_type("Text/HTML; charset=utf-8"), Some(Format::Html));
    /// assert_eq!(Format::from_media_type("application/atom+xml"), Some(Format::Xml));
    /// assert_eq!(Format::from_media_type("text/plain"), Some(Format::Text));
    /// assert_eq!(Format::from_media_type("text/x-c++src"), Some(Format::C));
    /// assert_eq!(Format::from_media_type("text/x-script.python"), Some(Format::Python));
    /// assert_eq!(Format::from_media_type("image/png"), None);
    /// ```
    #[must_use]
    pub fn from_media_type(media_type: &str) -> Option<Format> {
        let name = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let listed = ROWS.iter().find(|row| row.media_types.contains(&&*name));
        // Plain text, the first row, has what begins with `text/` and belongs to no other.
        let row = listed.or_else(|| ROWS.iter().rev().find(|row| (row.has_media_type)(&name)))?;
        Some(row.format)
    }

    /// What the format is, in a few words.
    ///
    /// ```
    /// assert_eq!(iriscan::Format::Json.description(), "JSON and JSON Lines");
    /// ```
    #[must_use]
    pub fn description(self) -> &'static str {
        self.row().description
    }

    /// The ends of the names of its files, without the dot, in lower case; the usual one is the first.
    ///
    /// ```
    /// assert_eq!(iriscan::Format::Markdown.extensions(), ["md", "markdown"]);
    /// ```
    #[must_use]
    pub fn extensions(self) -> &'static [&'static str] {
        self.row().extensions
    }

    /// All that is known of the format.
    #[inline]
    pub(crate) fn row(self) -> &'static Row {
        ROWS[self as usize]
    }

    /// The delimiter of fields, if it is the same in every document.
    pub(in crate::format) fn delimiter(self) -> Option<u8> {
        match self.row().fields {
            Fields::By(delimiter) => Some(delimiter),
            Fields::None | Fields::Sought => None,
        }
    }

    /// Whether documents are divided into records of fields.
    pub(crate) fn has_fields(self) -> bool {
        self.row().fields != Fields::None
    }
}

impl core::str::FromStr for Format {
    type Err = NameError;

    /// The format that has this name, in any case. A name is that of [`Format::as_str`], one that people write for
    /// the format, the end of a file name without its dot, or a media type.
    fn from_str(name: &str) -> Result<Format, NameError> {
        let is = |known: &str| is_same_name(known, name);
        let named = ROWS.iter().find(|row| is(row.format.as_str()));
        let trimmed = name.trim();
        named
            .or_else(|| ROWS.iter().find(|row| row.names.iter().any(|known| is(known))))
            .map(|row| row.format)
            .or_else(|| Format::from_extension(trimmed))
            .or_else(|| {
                let is = |known: &&str| trimmed.eq_ignore_ascii_case(known);
                ROWS.iter().find(|row| row.media_types.iter().any(is)).map(|row| row.format)
            })
            .ok_or_else(|| NameError::new(name, "a format of documents", Format::NAMES))
    }
}

impl Start<'_> {
    /// The lexer of a document in `format`.
    pub(in crate::format) fn lexer(self, format: Format) -> AnyLexer {
        (format.row().lexer)(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_its_row_and_names_of_its_own() {
        let mut extensions = alloc::vec::Vec::new();
        for (row, format) in ROWS.iter().zip(Format::ALL) {
            assert_eq!(row.format, *format, "the table should have the order of the formats");
            assert!(!row.description.is_empty());
            extensions.extend(row.extensions);
        }
        let count = extensions.len();
        extensions.sort_unstable();
        extensions.dedup();
        assert_eq!(extensions.len(), count, "an extension should belong to one format");
        assert!(extensions.iter().all(|it: &&str| *it == it.to_ascii_lowercase()));
    }
}
