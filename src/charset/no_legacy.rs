//! What `legacy.rs` has, for a build without charsets that are not Unicode. No value of [`Encoding`]
//! exists here, so the compiler removes what would be done with one.

use alloc::{borrow::Cow, boxed::Box, vec::Vec};

use super::{lookahead::Lookahead, unicode::Unit};

/// False: this build has none of them.
pub(super) const PRESENT: bool = false;

pub(super) const ISO_2022_JP: Option<&'static Encoding> = None;
pub(super) const EUC_JP: Option<&'static Encoding> = None;

/// A charset that is not Unicode. No value exists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Encoding(Never);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Never {}

impl Encoding {
    pub(crate) fn name(&self) -> &'static str {
        match self.0 {}
    }

    pub(crate) fn is_single_byte(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn encode<'a>(&self, _: &'a str) -> (Cow<'a, [u8]>, &'static Encoding, bool) {
        match self.0 {}
    }

    pub(crate) fn decode_without_bom_handling<'a>(&self, _: &'a [u8]) -> (Cow<'a, str>, bool) {
        match self.0 {}
    }

    pub(crate) fn decode_without_bom_handling_and_without_replacement<'a>(
        &self,
        _: &'a [u8],
    ) -> Option<Cow<'a, str>> {
        match self.0 {}
    }

    pub(crate) fn new_decoder_without_bom_handling(&self) -> Coder {
        match self.0 {}
    }

    pub(crate) fn new_encoder(&self) -> Coder {
        match self.0 {}
    }
}

/// Decodes or encodes a stream: there is none.
pub(crate) struct Coder(Never);

impl Coder {
    pub(crate) fn decode_to_utf8_without_replacement(
        &mut self,
        _: &[u8],
        _: &mut [u8],
        _: bool,
    ) -> (DecoderResult, usize, usize) {
        match self.0 {}
    }

    pub(crate) fn encode_from_utf8_without_replacement(
        &mut self,
        _: &str,
        _: &mut [u8],
        _: bool,
    ) -> (EncoderResult, usize, usize) {
        match self.0 {}
    }
}

/// The part of encoding_rs's result that callers ask for.
#[expect(dead_code, reason = "nothing is decoded")]
pub(crate) enum DecoderResult {
    Malformed(u8, u8),
}

/// The part of encoding_rs's result that callers ask for.
#[expect(dead_code, reason = "nothing is encoded")]
pub(crate) enum EncoderResult {
    Unmappable(char),
    Done,
}

/// What the WHATWG Encoding Standard says about a label.
pub(super) enum Labelled {
    Unicode(&'static str),
    #[expect(dead_code, reason = "there is none")]
    Legacy(&'static Encoding),
    #[expect(dead_code, reason = "the labels of `replacement` are not known here")]
    Hidden,
    Unknown,
}

/// The labels of the Encoding Standard for the encodings that are Unicode.
const LABELS: [(&str, &[&str]); 3] = [
    (
        "UTF-8",
        &[
            "unicode-1-1-utf-8",
            "unicode11utf8",
            "unicode20utf8",
            "utf-8",
            "utf8",
            "x-unicode20utf8",
        ],
    ),
    ("UTF-16BE", &["unicodefffe", "utf-16be"]),
    (
        "UTF-16LE",
        &["csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff", "utf-16", "utf-16le"],
    ),
];

pub(super) fn labelled(label: &str) -> Labelled {
    let is = |known: &&str| known.eq_ignore_ascii_case(label);
    let found = LABELS.iter().find(|(_, labels)| labels.iter().any(is));
    found.map_or(Labelled::Unknown, |(name, _)| Labelled::Unicode(name))
}

/// Guesses nothing.
pub(super) struct Detector;

impl Detector {
    pub(super) fn new() -> Detector {
        Detector
    }

    pub(super) fn feed(&mut self, _: Lookahead<'_>) {}

    pub(super) fn guess(&self) -> Option<&'static Encoding> {
        None
    }
}

/// How many bytes are decoded at once.
pub(super) const MANY: usize = 256;

pub(super) fn upper(encoding: &'static Encoding) -> Box<[char; 128]> {
    match encoding.0 {}
}

pub(super) fn each_char(encoding: &'static Encoding, _: &[u8], _: impl FnMut(char, usize) -> bool) {
    match encoding.0 {}
}

pub(super) fn multi(encoding: &'static Encoding, _: Lookahead<'_>) -> Option<(Unit, usize)> {
    match encoding.0 {}
}

pub(super) fn last(encoding: &'static Encoding, _: &[u8]) -> Option<char> {
    match encoding.0 {}
}

pub(super) fn decoded(
    encoding: &'static Encoding,
    _: &[u8],
    _: &mut Vec<u8>,
    _: impl FnMut(usize, (u8, u8)),
) -> usize {
    match encoding.0 {}
}

/// The number of ASCII bytes at the start.
pub(super) fn ascii_up_to(bytes: &[u8]) -> usize {
    bytes.iter().position(|b| !b.is_ascii()).unwrap_or(bytes.len())
}

/// The number of bytes at the start that are well-formed UTF-8.
pub(super) fn utf8_up_to(bytes: &[u8]) -> usize {
    core::str::from_utf8(bytes).map_or_else(|e| e.valid_up_to(), str::len)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use crate::charset::{Charset, detect::Basis};
    use crate::{Finder, Input};

    #[test]
    fn labels_are_those_of_encoding_rs() {
        for (name, labels) in super::LABELS {
            for label in labels {
                let encoding = encoding_rs::Encoding::for_label(label.as_bytes());
                assert_eq!(encoding.map(encoding_rs::Encoding::name), Some(name), "{label}");
                assert_eq!(Charset::for_label(&label.to_uppercase()).map(Charset::name), Ok(name));
            }
        }
        let error = Charset::for_label("koi8-r").unwrap_err();
        assert!(error.to_string().contains("which reads Unicode only"), "{error}");
        assert!(Charset::for_label(error.nearest()).is_ok());
    }

    #[test]
    fn other_text_is_read_as_utf_8() {
        let finder = Finder::new();
        let mut links = finder.find_iter(Input::new(b"Stra\xDFe http://a.example/x\xDFy"));
        assert_eq!(links.next().map(|link| link.range()), Some(7..25));
        assert_eq!(links.charset(), (Charset::UTF_8, Basis::Fallback));
        let jis = b"\x1B$B8+$h\x1B(B http://a.example/";
        assert_eq!(finder.find_iter(Input::new(jis)).count(), 1);
    }
}
