//! The formats that wrap text, by name.

use crate::data::names::listed;

/// Makes [`Format`] of the list of formats.
macro_rules! kinds {
    ($($(#[$about:meta])* $variant:ident = $name:literal, $row:path;)+) => {
        /// The syntax that wraps the text of a document.
        ///
        /// It decides where text is, and which escapes it has; the links are
        /// those of the text, spans are in the bytes of the source, and rewriting changes
        /// the links and nothing else, with the format's own escapes.
        ///
        /// ```
        /// use iriscan::{Finder, Format};
        ///
        /// let page = "<p title='é'>http://a.example/&eacute;<a href='?q=ü&amp;r=1'>";
        /// let finder = Finder::new().format(Format::Html);
        /// let links: Vec<_> = finder.find_iter(page).map(|link| link.iri().into_owned()).collect();
        /// assert_eq!(links, ["http://a.example/é", "?q=ü&r=1"]);
        /// let (rewritten, _) = finder.rewrite_slice(page);
        /// assert_eq!(
        ///     str::from_utf8(&rewritten).unwrap(),
        ///     "<p title='é'>http://a.example/%C3%A9<a href='?q=%C3%BC&amp;r=1'>",
        /// );
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Format {
            $($(#[$about])* $variant),+
        }

        listed!(Format: $($variant = $name),+);
    };
}

formats!(kinds);
