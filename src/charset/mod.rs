//! Charsets: from a label to an encoding, and the structure of its bytes.
//!
//! What must hold: a [`Charset`] can always be decoded, because the `replacement` encoding is
//! refused when its label is read.

use alloc::{
    borrow::{Cow, ToOwned},
    string::String,
};
use core::fmt;

use aliases::Known;
use legacy::{Encoding, Labelled};
use unicode::{utf16, utf32};

mod aliases;
pub(crate) mod cursor;
pub(crate) mod decider;
pub(crate) mod detect;
#[cfg_attr(not(feature = "legacy-charsets"), path = "no_legacy.rs")]
pub(crate) mod legacy;
pub(crate) mod lookahead;
pub(crate) mod source_map;
pub(crate) mod transcoder;
pub(crate) mod unicode;
pub(crate) mod window;

/// The charset of a document: one of the 39 WHATWG encodings that can be
/// decoded, or UTF-32 in either byte order. Without the feature `legacy-charsets`: UTF-8, UTF-16 and
/// UTF-32.
///
/// ```
/// use iriscan::Charset;
///
/// assert_eq!(Charset::for_label("latin1")?.name(), "windows-1252");
/// assert_eq!(Charset::for_label("sjis")?.name(), "Shift_JIS");
/// assert!(Charset::for_label("utf-9").unwrap_err().to_string().contains("utf-8"));
/// # Ok::<(), iriscan::LabelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Charset(Repr);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Repr {
    Utf8,
    Utf16Le,
    Utf16Be,
    Utf32Le,
    Utf32Be,
    /// None that is Unicode, and not `replacement`.
    Legacy(&'static Encoding),
}

/// The structure of the bytes of a charset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// UTF-8: every byte that is not a continuation byte starts a character.
    Utf8,
    /// One byte, one character.
    Single,
    /// A superset of ASCII in which the last byte of a character may be ASCII. 00–2F and 3A–3F are
    /// always characters of their own.
    Multi,
    /// ISO-2022-JP: escape sequences change the meaning of all bytes.
    Stateful,
    /// Two or four bytes a unit, in this order.
    Wide { width: usize, big: bool },
}

impl Charset {
    /// UTF-8.
    pub const UTF_8: Charset = Charset(Repr::Utf8);
    /// UTF-16, least significant byte first.
    pub const UTF_16LE: Charset = Charset(Repr::Utf16Le);
    /// UTF-16, most significant byte first.
    pub const UTF_16BE: Charset = Charset(Repr::Utf16Be);
    /// UTF-32, least significant byte first.
    pub const UTF_32LE: Charset = Charset(Repr::Utf32Le);
    /// UTF-32, most significant byte first.
    pub const UTF_32BE: Charset = Charset(Repr::Utf32Be);
    /// ISO-2022-JP.
    #[cfg(feature = "legacy-charsets")]
    pub const ISO_2022_JP: Charset = Charset(Repr::Legacy(encoding_rs::ISO_2022_JP));

    /// The charset that `label` names: a label of the WHATWG Encoding Standard
    /// (any case, surrounding white space ignored), `utf-32le` or `utf-32be`, or a name that
    /// Python, iconv, Java, databases or mail programs use for one of these charsets (`cp932`,
    /// `latin-1`, `utf_8`).
    ///
    /// # Errors
    ///
    /// The label is unknown, or names a charset that the standard lacks, or the standard maps
    /// it to its `replacement` encoding, which hides the text. The error names the nearest label
    /// that works. Without the feature `legacy-charsets` only Unicode has labels.
    ///
    /// ```
    /// use iriscan::Charset;
    ///
    /// # if cfg!(feature = "legacy-charsets") {
    /// assert_eq!(Charset::for_label("cp932")?.name(), "Shift_JIS");
    /// # }
    /// let lacking = Charset::for_label("cp850").unwrap_err().to_string();
    /// assert!(lacking.contains("the Encoding Standard lacks it"));
    /// # Ok::<(), iriscan::LabelError>(())
    /// ```
    pub fn for_label(label: &str) -> Result<Charset, LabelError> {
        let unknown = match Charset::for_label_of_page(label) {
            Err(error) if error.why == Unusable::Unknown => error,
            known => return known,
        };
        let Some(plain) = aliases::plain(&unknown.label) else { return Err(unknown) };
        if let Ok(charset) = Charset::for_label_of_page(&plain) {
            return Ok(charset);
        }
        match aliases::known(&plain) {
            Some(Known::Label(known)) => Charset::for_label_of_page(known).map_err(|_| unknown),
            Some(Known::Lacking) => Err(LabelError { why: Unusable::Lacking, ..unknown }),
            None => Err(unknown),
        }
    }

    /// As [`Charset::for_label`], with the names alone that browsers know in a page.
    pub(crate) fn for_label_of_page(label: &str) -> Result<Charset, LabelError> {
        let trimmed = label.trim_matches(['\t', '\n', '\x0C', '\r', ' ']);
        if trimmed.eq_ignore_ascii_case("utf-32le") {
            return Ok(Self::UTF_32LE);
        }
        if trimmed.eq_ignore_ascii_case("utf-32be") {
            return Ok(Self::UTF_32BE);
        }
        match legacy::labelled(trimmed) {
            Labelled::Unicode("UTF-8") => Ok(Self::UTF_8),
            Labelled::Unicode("UTF-16LE") => Ok(Self::UTF_16LE),
            Labelled::Unicode(_) => Ok(Self::UTF_16BE),
            Labelled::Legacy(encoding) => Ok(Charset(Repr::Legacy(encoding))),
            Labelled::Hidden => Err(LabelError::new(trimmed, Unusable::Hidden)),
            Labelled::Unknown => Err(LabelError::new(trimmed, Unusable::Unknown)),
        }
    }

    /// The name of the charset as the WHATWG Encoding Standard spells it, or
    /// `UTF-32LE`, `UTF-32BE`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Repr::Utf8 => "UTF-8",
            Repr::Utf16Le => "UTF-16LE",
            Repr::Utf16Be => "UTF-16BE",
            Repr::Legacy(encoding) => encoding.name(),
            Repr::Utf32Le => "UTF-32LE",
            Repr::Utf32Be => "UTF-32BE",
        }
    }

    /// True if the charset encodes Unicode itself (UTF-8, UTF-16, UTF-32).
    ///
    /// RFC 3987 section 3.1 normalises only what was decoded from the others.
    /// gb18030 counts as one of those: it is not a Unicode encoding form.
    #[must_use]
    pub fn is_unicode(self) -> bool {
        matches!(self.shape(), Shape::Utf8 | Shape::Wide { .. })
    }

    /// The charset of an encoding that is neither Unicode nor `replacement`.
    fn from_encoding(encoding: &'static Encoding) -> Charset {
        Charset(Repr::Legacy(encoding))
    }

    /// ISO-2022-JP, if this build has it.
    pub(crate) fn iso_2022_jp() -> Option<Charset> {
        legacy::ISO_2022_JP.map(Charset::from_encoding)
    }

    /// Whether `text` reads as itself when it is written in this charset. The encoders of the
    /// Encoding Standard write some characters as others: U+00A5 as the backslash of Shift_JIS.
    pub(crate) fn holds(self, text: &str) -> bool {
        let Some(encoding) = self.encoding() else { return true };
        let (bytes, _, lacks) = encoding.encode(text);
        !lacks && encoding.decode_without_bom_handling(&bytes).0 == text
    }

    /// `None` for Unicode.
    pub(crate) fn encoding(self) -> Option<&'static Encoding> {
        match self.0 {
            Repr::Legacy(encoding) => Some(encoding),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn shape(self) -> Shape {
        if cfg!(iriscan_strings) {
            return Shape::Utf8;
        }
        match self.0 {
            Repr::Utf8 => Shape::Utf8,
            Repr::Utf16Le => Shape::Wide { width: 2, big: false },
            Repr::Utf16Be => Shape::Wide { width: 2, big: true },
            Repr::Utf32Le => Shape::Wide { width: 4, big: false },
            Repr::Utf32Be => Shape::Wide { width: 4, big: true },
            Repr::Legacy(encoding) if Some(encoding) == legacy::ISO_2022_JP => Shape::Stateful,
            Repr::Legacy(encoding) if encoding.is_single_byte() => Shape::Single,
            Repr::Legacy(_) => Shape::Multi,
        }
    }

    /// The byte order mark of the charset; empty if it has none.
    #[must_use]
    pub fn byte_order_mark(self) -> &'static [u8] {
        match self.shape() {
            Shape::Utf8 => b"\xEF\xBB\xBF",
            Shape::Wide { width: 2, big: false } => b"\xFF\xFE",
            Shape::Wide { width: 2, big: true } => b"\xFE\xFF",
            Shape::Wide { big: false, .. } => b"\xFF\xFE\0\0",
            Shape::Wide { big: true, .. } => b"\0\0\xFE\xFF",
            Shape::Single | Shape::Multi | Shape::Stateful => b"",
        }
    }

    /// The text of `bytes`. A malformed sequence becomes U+FFFD, and a byte order mark is left out.
    ///
    /// ```
    /// use iriscan::Charset;
    ///
    /// assert_eq!(Charset::for_label("koi8-r")?.decode(b"\xCD\xC9\xD2"), "мир");
    /// # Ok::<(), iriscan::LabelError>(())
    /// ```
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.decode_shifted(
            bytes.strip_prefix(self.byte_order_mark()).unwrap_or(bytes),
            Shift::Ascii,
        )
    }

    /// The text of `bytes`, if no sequence is malformed. A byte order mark is decoded as U+FEFF,
    /// because bytes from the middle of a stream have none.
    ///
    /// ```
    /// use iriscan::Charset;
    ///
    /// assert_eq!(Charset::UTF_8.try_decode(b"M\xC3\xA4rz").as_deref(), Some("März"));
    /// assert_eq!(Charset::UTF_8.try_decode(b"M\xE4rz"), None);
    /// ```
    #[must_use]
    pub fn try_decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        match (self.0, self.shape()) {
            (Repr::Legacy(encoding), _) => {
                encoding.decode_without_bom_handling_and_without_replacement(bytes)
            }
            (_, Shape::Wide { width, big }) => wide_text(bytes, width, big, None).map(Cow::Owned),
            _ => core::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        }
    }

    /// The bytes of a line feed, U+000A: one code unit.
    #[must_use]
    pub fn line_feed(self) -> &'static [u8] {
        match self.shape() {
            Shape::Wide { width: 2, big: false } => b"\n\0",
            Shape::Wide { width: 2, big: true } => b"\0\n",
            Shape::Wide { big: false, .. } => b"\n\0\0\0",
            Shape::Wide { big: true, .. } => b"\0\0\0\n",
            Shape::Utf8 | Shape::Single | Shape::Multi | Shape::Stateful => b"\n",
        }
    }

    /// The text of `bytes`, which start on a character. `shift` is the ISO-2022-JP state there. A
    /// byte order mark is decoded as a character.
    pub(crate) fn decode_shifted(self, bytes: &[u8], shift: Shift) -> Cow<'_, str> {
        match (self.0, self.shape()) {
            (_, Shape::Utf8) => utf8_text(bytes),
            (Repr::Legacy(encoding), _) if shift == Shift::Ascii => {
                encoding.decode_without_bom_handling(bytes).0
            }
            (Repr::Legacy(encoding), _) => {
                let mut shifted = shift.escape().to_vec();
                shifted.extend_from_slice(bytes);
                Cow::Owned(encoding.decode_without_bom_handling(&shifted).0.into_owned())
            }
            (_, Shape::Wide { width, big }) => {
                Cow::Owned(wide_text(bytes, width, big, Some('\u{FFFD}')).unwrap_or_default())
            }
            _ => utf8_text(bytes),
        }
    }
}

/// The text of UTF-8.
fn utf8_text(bytes: &[u8]) -> Cow<'_, str> {
    // Most of it is well formed, which is known faster.
    core::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The text of UTF-16 (`width` 2) or UTF-32. A malformed sequence becomes `malformed`; if that is
/// `None`, the text is, too.
fn wide_text(bytes: &[u8], width: usize, big: bool, malformed: Option<char>) -> Option<String> {
    match width {
        2 => unicode::text_of(bytes, |rest| utf16(rest, big), malformed),
        _ => unicode::text_of(bytes, |rest| utf32(rest, big), malformed),
    }
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Charset({})", self.name())
    }
}

impl core::str::FromStr for Charset {
    type Err = LabelError;

    /// As [`Charset::for_label`].
    fn from_str(label: &str) -> Result<Charset, LabelError> {
        Charset::for_label(label)
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The four states of ISO-2022-JP. Other charsets are always in `Ascii`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Shift {
    #[default]
    Ascii,
    Roman,
    Katakana,
    /// JIS X 0208, two bytes a character.
    Kanji,
}

impl Shift {
    /// True if bytes are ASCII characters, but for two in `Roman`.
    pub(crate) fn is_latin(self) -> bool {
        matches!(self, Shift::Ascii | Shift::Roman)
    }

    /// The escape sequence that starts this state.
    pub(crate) fn escape(self) -> &'static [u8; 3] {
        match self {
            Shift::Ascii => b"\x1B(B",
            Shift::Roman => b"\x1B(J",
            Shift::Katakana => b"\x1B(I",
            Shift::Kanji => b"\x1B$B",
        }
    }

    /// The state that the escape sequence at the start of `bytes` starts.
    pub(crate) fn from_escape(bytes: &[u8]) -> Option<Shift> {
        match bytes.get(..3)? {
            b"\x1B(B" => Some(Shift::Ascii),
            b"\x1B(J" => Some(Shift::Roman),
            b"\x1B(I" => Some(Shift::Katakana),
            b"\x1B$@" | b"\x1B$B" => Some(Shift::Kanji),
            _ => None,
        }
    }
}

/// A charset label that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelError {
    label: String,
    why: Unusable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unusable {
    Unknown,
    /// The standard maps the label to `replacement`.
    Hidden,
    /// The label names a charset that the standard lacks.
    Lacking,
}

impl LabelError {
    fn new(label: &str, why: Unusable) -> LabelError {
        LabelError { label: label.to_owned(), why }
    }

    /// The nearest label that works.
    #[must_use]
    pub fn nearest(&self) -> &'static str {
        let lower = self.label.to_ascii_lowercase();
        let works = |label: &&str| legacy::PRESENT || Charset::for_label(label).is_ok();
        let relative = RELATIVES.iter().find(|(name, label)| *name == lower && works(label));
        if let Some((_, label)) = relative {
            return label;
        }
        LABELS
            .iter()
            .filter(|label| works(label))
            .min_by_key(|known| distance(lower.as_bytes(), known.as_bytes()))
            .expect("LABELS should not be empty")
    }
}

impl fmt::Display for LabelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.why {
            Unusable::Lacking => {
                return write!(
                    f,
                    "charset {:?} is not decoded, because the Encoding Standard lacks it; convert \
                     the text to UTF-8 first",
                    self.label,
                );
            }
            Unusable::Hidden => "is not decoded, because the Encoding Standard hides its text",
            Unusable::Unknown if legacy::PRESENT => "is unknown",
            Unusable::Unknown => "is not known to this build, which reads Unicode only",
        };
        write!(
            f,
            "charset {:?} {what}; the nearest known label is {:?}",
            self.label,
            self.nearest()
        )
    }
}

impl core::error::Error for LabelError {}

/// Labels that are not in the standard, or mapped to `replacement`, with the label to suggest where
/// another one has a nearer spelling.
const RELATIVES: [(&str, &str); 10] = [
    ("iso-2022-kr", "euc-kr"),
    ("csiso2022kr", "euc-kr"),
    ("iso-2022-cn", "gb18030"),
    ("iso-2022-cn-ext", "gb18030"),
    ("hz-gb-2312", "gbk"),
    ("hz", "gbk"),
    ("replacement", "utf-8"),
    ("johab", "euc-kr"),
    ("utf-7", "utf-8"),
    ("iso-2022-jp-2", "iso-2022-jp"),
];

/// Labels to suggest: the name of every encoding, and common spellings.
const LABELS: [&str; 64] = [
    "utf-8",
    "utf8",
    "utf-16le",
    "utf-16be",
    "utf-16",
    "utf-32le",
    "utf-32be",
    "us-ascii",
    "ascii",
    "latin1",
    "iso-8859-1",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-9",
    "iso-8859-10",
    "iso-8859-11",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "windows-874",
    "cp1250",
    "cp1251",
    "cp1252",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
    "cp1258",
    "cp866",
    "ibm866",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "x-mac-cyrillic",
    "x-user-defined",
    "shift_jis",
    "sjis",
    "euc-jp",
    "iso-2022-jp",
    "gbk",
    "gb2312",
    "gb18030",
    "big5",
    "big5-hkscs",
    "euc-kr",
    "ks_c_5601-1987",
    "tis-620",
];

/// The edit distance of the first 32 bytes of each.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let (a, b) = (&a[..a.len().min(32)], &b[..b.len().min(32)]);
    let mut row = [0usize; 33];
    for (j, cell) in row.iter_mut().enumerate() {
        *cell = j;
    }
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = if x == y { diagonal } else { diagonal + 1 };
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}
