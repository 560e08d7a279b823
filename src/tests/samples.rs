//! The samples of each format: the `[[format]]` of `testdata/*.toml` (what is in one: `testdata/README.md`).
//!
//! All tests that go over the formats read them here; `peers` includes this file.

use std::{fs, path::Path, string::String, sync::OnceLock, vec::Vec};

use crate::Format;

/// A way to write a character in a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Escape {
    Raw,
    Percent,
    Decimal,
    Hexadecimal,
    Name,
    /// `\uXXXX`: one unit of UTF-16.
    Unit,
    /// `\UXXXXXXXX`.
    CodePoint,
    /// `\xHH`: one byte of UTF-8.
    Byte,
}

/// The samples of a format.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Samples {
    name: String,
    /// The format that has the pieces, escapes and written texts that this one has not.
    like: Option<String>,
    /// Documents that the first bytes show to be in it.
    #[serde(default)]
    pub(crate) begins: Vec<String>,
    /// Places of links: `%` is the link, `~` the text around it.
    #[serde(default)]
    pub(super) places: Vec<String>,
    /// The same, where delimiters alone say where the link ends.
    #[serde(default)]
    pub(super) delimited: Vec<String>,
    /// The escapes that a character may have.
    escapes: Option<Vec<Escape>>,
    /// How `&` is written.
    pub(super) ampersand: Option<String>,
    /// True if queries of the links between delimiters are UTF-8 in every charset.
    #[serde(default)]
    pub(super) utf8_queries: bool,
    /// What `<é日🍄>` is where it is written.
    written: Option<Vec<Written>>,
    /// What the laws make documents of.
    pieces: Option<Vec<String>>,
}

/// How [`Written::TEXT`] is written in the place of a link.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    /// A document; `%` is the link.
    pub(super) place: String,
    /// The text as it is written if the charset has all of its characters.
    #[serde(default = "Written::text")]
    pub(super) text: String,
    /// What is written instead of each of [`Written::LETTERS`] if the charset lacks it.
    #[serde(default = "Written::lost")]
    pub(super) escaped: [String; 3],
}

impl Written {
    pub(super) const TEXT: &str = "<é日🍄>";
    pub(super) const LETTERS: [char; 3] = ['é', '日', '🍄'];

    fn text() -> String {
        Written::TEXT.into()
    }

    fn lost() -> [String; 3] {
        ["?"; 3].map(Into::into)
    }
}

impl Samples {
    pub(crate) fn format(&self) -> Format {
        self.name.parse().unwrap_or_else(|e| panic!("testdata: {e}"))
    }

    /// What this format has, or else the one that it is like.
    fn own<T>(&self, get: fn(&Samples) -> Option<&T>) -> Option<&T> {
        get(self).or_else(|| get(of(self.like.as_ref()?.parse().ok()?)))
    }

    pub(super) fn escapes(&self) -> &[Escape] {
        self.own(|it| it.escapes.as_ref()).map_or(&[], Vec::as_slice)
    }

    pub(super) fn written(&self) -> &[Written] {
        self.own(|it| it.written.as_ref()).map_or(&[], Vec::as_slice)
    }

    pub(super) fn pieces(&self) -> &[String] {
        self.own(|it| it.pieces.as_ref()).map_or(&[], Vec::as_slice)
    }
}

/// The samples of all formats.
pub(crate) fn all() -> &'static [Samples] {
    #[derive(serde::Deserialize)]
    struct File {
        #[serde(default)]
        format: Vec<Samples>,
    }
    static ALL: OnceLock<Vec<Samples>> = OnceLock::new();
    ALL.get_or_init(|| {
        // `peers` is a folder of the repository.
        let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        let folder = folders.find_map(|it| fs::read_dir(it.join("testdata")).ok());
        let files = folder.expect("testdata should be there").filter_map(|entry| {
            let path = entry.expect("testdata should be readable").path();
            let text = path.extension().is_some_and(|it| it == "toml");
            text.then(|| (fs::read_to_string(&path).expect("a file should be UTF-8"), path))
        });
        let read = |(text, path): (String, std::path::PathBuf)| -> Vec<Samples> {
            let file: File = toml::from_str(&text).unwrap_or_else(|e| panic!("{path:?}: {e}"));
            file.format
        };
        let mut all: Vec<Samples> = files.flat_map(read).collect();
        all.sort_by_key(|samples| samples.format() as usize);
        all
    })
}

/// The samples of `format`.
pub(super) fn of(format: Format) -> &'static Samples {
    let samples = all().iter().find(|samples| samples.format() == format);
    samples.unwrap_or_else(|| panic!("testdata should have a [[format]] named {format}"))
}

#[test]
fn each_format_has_its_samples() {
    for format in Format::ALL {
        let samples = of(*format);
        assert!(
            !samples.pieces().is_empty() && !samples.written().is_empty(),
            "the [[format]] named {format} in testdata should have `pieces` and `written`"
        );
        assert!(
            !samples.places.is_empty() || !samples.delimited.is_empty(),
            "the [[format]] named {format} in testdata should have `places`"
        );
    }
    assert_eq!(all().len(), Format::ALL.len(), "a format should have one [[format]]");
}
