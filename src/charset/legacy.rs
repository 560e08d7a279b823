//! Charsets that are not Unicode: their characters and tables, by encoding_rs, and their detection,
//! by chardetng. The feature `legacy-charsets` adds this file; without it `no_legacy.rs` has the
//! same names.

use alloc::{boxed::Box, vec::Vec};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
pub(crate) use encoding_rs::{DecoderResult, EncoderResult, Encoding};

use super::{
    lookahead::Lookahead,
    unicode::{Unit, short},
};

/// True: this build has them.
pub(super) const PRESENT: bool = true;

/// ISO-2022-JP.
pub(super) const ISO_2022_JP: Option<&'static Encoding> = Some(encoding_rs::ISO_2022_JP);

/// EUC-JP.
pub(super) const EUC_JP: Option<&'static Encoding> = Some(encoding_rs::EUC_JP);

/// What the WHATWG Encoding Standard says about a label.
pub(super) enum Labelled {
    /// One of the three encodings that are Unicode.
    Unicode(&'static str),
    Legacy(&'static Encoding),
    /// `replacement`, which hides the text.
    Hidden,
    Unknown,
}

/// Looks `label` up in the WHATWG Encoding Standard.
pub(super) fn labelled(label: &str) -> Labelled {
    match Encoding::for_label(label.as_bytes()) {
        Some(encoding) if encoding == encoding_rs::REPLACEMENT => Labelled::Hidden,
        Some(encoding) if is_unicode(encoding) => Labelled::Unicode(encoding.name()),
        Some(encoding) => Labelled::Legacy(encoding),
        None => Labelled::Unknown,
    }
}

fn is_unicode(encoding: &'static Encoding) -> bool {
    [encoding_rs::UTF_8, encoding_rs::UTF_16LE, encoding_rs::UTF_16BE].contains(&encoding)
}

/// Guesses the charset of text that is neither Unicode nor ISO-2022-JP.
pub(super) struct Detector(EncodingDetector);

impl Detector {
    pub(super) fn new() -> Detector {
        Detector(EncodingDetector::new(Iso2022JpDetection::Deny))
    }

    pub(super) fn feed(&mut self, bytes: Lookahead<'_>) {
        self.0.feed(&bytes, bytes.is_last());
    }

    /// The guess; `None` if it is `replacement`.
    pub(super) fn guess(&self) -> Option<&'static Encoding> {
        let guess = self.0.guess(None, Utf8Detection::Deny);
        (guess != encoding_rs::REPLACEMENT).then_some(guess)
    }
}

/// The upper half of a single-byte charset.
#[cold]
pub(super) fn upper(encoding: &'static Encoding) -> Box<[char; 128]> {
    let bytes: [u8; 128] = core::array::from_fn(|i| i as u8 + 128);
    let (text, _) = encoding.decode_without_bom_handling(&bytes);
    let mut chars = text.chars();
    // In these charsets a byte is a character, so the text has 128.
    Box::new(core::array::from_fn(|_| chars.next().unwrap_or('\u{FFFD}')))
}

/// How many bytes are decoded at once.
pub(super) const MANY: usize = 256;

/// Decodes characters at the start of `bytes` and appends them to `text` as UTF-8, by one decoder.
/// Returns how many bytes were decoded. `each` gets how many characters in a row have the same
/// length in `text` and here; two characters of one sequence count as one.
pub(super) fn decoded(
    encoding: &'static Encoding,
    bytes: &[u8],
    text: &mut Vec<u8>,
    mut each: impl FnMut(usize, (u8, u8)),
) -> usize {
    let bytes = &bytes[..bytes.len().min(MANY)];
    let mut decoder = encoding.new_decoder_without_bom_handling();
    // No charset has characters that need more than three times their bytes in UTF-8.
    let mut utf8 = [0; 3 * MANY + 16];
    let (_, _, written) = decoder.decode_to_utf8_without_replacement(bytes, &mut utf8, false);
    let lengths = Lengths::of(encoding);
    let (mut inside, mut outside) = (0, 0);
    let (mut run, mut alike) = (0, (0, 0));
    while inside < written {
        let char = match utf8[inside] {
            ..0x80 => 1,
            0x80..0xE0 => 2,
            0xE0..0xF0 => 3,
            0xF0.. => 4,
        };
        let rest = &bytes[outside..];
        let Some(here) = lengths.first(rest) else { break };
        let there = if lengths.is_pair(rest) { 4 } else { char };
        if (there, here) != alike {
            each(run, alike);
            (run, alike) = (0, (there, here));
        }
        run += 1;
        (inside, outside) = (inside + usize::from(there), outside + usize::from(here));
    }
    each(run, alike);
    text.extend_from_slice(&utf8[..inside]);
    outside
}

/// The lengths of the characters of a charset of one or several bytes: two, with exceptions.
struct Lengths {
    /// These bytes are characters of one byte.
    alone: core::ops::Range<u16>,
    euro: bool,
    /// Characters of three bytes begin with 8F.
    three: bool,
    /// Big5: four sequences are two characters each, which have two bytes each in UTF-8.
    pairs: bool,
}

impl Lengths {
    fn of(encoding: &'static Encoding) -> Lengths {
        let is = |other| encoding == other;
        Lengths {
            alone: match encoding {
                _ if encoding.is_single_byte() => 0x80..0x100,
                _ if is(encoding_rs::SHIFT_JIS) => 0xA1..0xE0,
                _ => 0..0,
            },
            euro: [encoding_rs::SHIFT_JIS, encoding_rs::GBK, encoding_rs::GB18030]
                .map(is)
                .contains(&true),
            three: is(encoding_rs::EUC_JP),
            pairs: is(encoding_rs::BIG5),
        }
    }

    /// True if `bytes` begin with a sequence that is two characters.
    #[inline]
    fn is_pair(&self, bytes: &[u8]) -> bool {
        self.pairs && matches!(bytes, [0x88, 0x62 | 0x64 | 0xA3 | 0xA5, ..])
    }

    /// The length of the first sequence of `bytes`; `None` if it is cut off.
    #[inline]
    fn first(&self, bytes: &[u8]) -> Option<u8> {
        let len = match *bytes.first()? {
            ..0x80 => 1,
            0x80 if self.euro => 1,
            0x8F if self.three => 3,
            lead if self.alone.contains(&lead.into()) => 1,
            // Only gb18030 has digits after a lead byte.
            _ if bytes.get(1)?.is_ascii_digit() => 4,
            _ => 2,
        };
        (usize::from(len) <= bytes.len()).then_some(len)
    }
}

/// How many bytes of characters that are looked at are decoded at once: most runs of letters in a link are short.
const SOME: usize = 8;

/// Gives the characters of a multi-byte charset at the start of `bytes` that are not ASCII, with their lengths, until
/// `take` returns false. It ends before what is malformed, incomplete, or two characters in one sequence. One decoder
/// reads several characters, because to make one takes longer than to decode ten.
pub(super) fn each_char(
    encoding: &'static Encoding,
    bytes: &[u8],
    mut take: impl FnMut(char, usize) -> bool,
) {
    let lengths = Lengths::of(encoding);
    let mut rest = bytes;
    loop {
        let piece = &rest[..rest.len().min(SOME)];
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let mut utf8 = [0; 3 * SOME + 16];
        let (_, _, written) = decoder.decode_to_utf8_without_replacement(piece, &mut utf8, false);
        let (mut text, before) = (&utf8[..written], rest.len());
        while let Some((c, inside)) = first_char(text) {
            text = &text[inside..];
            let Some(len) = lengths.first(rest).map(usize::from) else { return };
            if rest[0].is_ascii() || lengths.is_pair(rest) || !take(c, len) {
                return;
            }
            rest = &rest[len..];
        }
        if rest.len() == before {
            return;
        }
    }
}

/// The first character of `text`, which is UTF-8, and its length.
#[inline(always)]
fn first_char(text: &[u8]) -> Option<(char, usize)> {
    match *text {
        [b @ ..0x80, ..] => Some((char::from(b), 1)),
        [..0xF0, ..] => short(text),
        [] => None,
        _ => {
            let head = core::str::from_utf8(text.get(..4)?).ok()?;
            head.chars().next().map(|c| (c, 4))
        }
    }
}

/// One unit of a multi-byte charset, by a decoder of its own. So the units are exactly those of encoding_rs.
pub(super) fn multi(encoding: &'static Encoding, bytes: Lookahead<'_>) -> Option<(Unit, usize)> {
    // Most have two bytes, and these at once take half of the time.
    match Lengths::of(encoding).first(&bytes) {
        Some(2) => two(encoding, [bytes[0], bytes[1]]).or_else(|| fed(encoding, bytes)),
        _ => fed(encoding, bytes),
    }
}

/// The unit of two bytes. `None` if they are malformed.
fn two(encoding: &'static Encoding, bytes: [u8; 2]) -> Option<(Unit, usize)> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = [0; 16];
    let (result, _, written) = decoder.decode_to_utf8_without_replacement(&bytes, &mut text, false);
    if result != DecoderResult::InputEmpty {
        return None;
    }
    let (first, len) = first_char(&text[..written])?;
    match first_char(&text[len..written]) {
        None => Some((Unit::Char(first), 2)),
        Some((second, _)) => Some((Unit::Pair(first, second), 2)),
    }
}

/// As [`multi`], fed to the decoder byte by byte.
fn fed(encoding: &'static Encoding, bytes: Lookahead<'_>) -> Option<(Unit, usize)> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = [0u8; 16];
    // The longest sequences are those of gb18030, with four bytes.
    let fed = bytes.len().min(4);
    for i in 0..fed {
        let (result, _, written) =
            decoder.decode_to_utf8_without_replacement(&bytes[i..=i], &mut text, false);
        if let DecoderResult::Malformed(len, _) = result {
            return Some((Unit::Malformed, usize::from(len)));
        }
        if written > 0 {
            let mut chars = core::str::from_utf8(&text[..written]).unwrap_or_default().chars();
            let unit = match (chars.next()?, chars.next()) {
                (c, None) => Unit::Char(c),
                (a, Some(b)) => Unit::Pair(a, b),
            };
            return Some((unit, i + 1));
        }
    }
    if bytes.is_partial() {
        return None;
    }
    match decoder.decode_to_utf8_without_replacement(b"", &mut text, true).0 {
        DecoderResult::Malformed(len, _) => Some((Unit::Malformed, usize::from(len))),
        _ => Some((Unit::Malformed, fed)),
    }
}

/// The last character of `bytes`, which start between characters; one decoder reads all of them.
/// `None` if they are malformed at the end, or end within a character.
pub(super) fn last(encoding: &'static Encoding, bytes: &[u8]) -> Option<char> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (mut text, mut rest, mut nearest) = ([0; 256], bytes, None);
    loop {
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(rest, &mut text, true);
        let text = core::str::from_utf8(&text[..written]).ok()?;
        nearest = text.chars().next_back().or(nearest);
        rest = &rest[read..];
        match result {
            DecoderResult::Malformed(..) => return None,
            DecoderResult::InputEmpty => return nearest,
            DecoderResult::OutputFull => {}
        }
    }
}

/// The number of ASCII bytes at the start.
pub(super) fn ascii_up_to(bytes: &[u8]) -> usize {
    Encoding::ascii_valid_up_to(bytes)
}

/// The number of bytes at the start that are well-formed UTF-8.
pub(super) fn utf8_up_to(bytes: &[u8]) -> usize {
    Encoding::utf8_valid_up_to(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Those of characters of several bytes, without state.
    const MULTI: [&Encoding; 6] = [
        encoding_rs::SHIFT_JIS,
        encoding_rs::EUC_JP,
        encoding_rs::GBK,
        encoding_rs::GB18030,
        encoding_rs::BIG5,
        encoding_rs::EUC_KR,
    ];

    #[test]
    fn two_bytes_at_once_are_what_they_are_one_by_one() {
        for encoding in MULTI {
            for (lead, trail) in (0..=0xFF).flat_map(|lead| (0..=0xFF).map(move |it| (lead, it))) {
                for bytes in [&[lead, trail][..], &[lead, trail, 0x81, 0x30], &[lead, trail, 0xA4]]
                {
                    for bytes in [Lookahead::part(bytes), Lookahead::whole(bytes)] {
                        let (ours, theirs) = (multi(encoding, bytes), fed(encoding, bytes));
                        assert_eq!(ours, theirs, "{}: {bytes:x?}", encoding.name());
                    }
                }
            }
        }
    }

    #[test]
    fn some_characters_at_once_are_what_they_are_one_by_one() {
        for encoding in MULTI {
            for lead in 0x80..=0xFF {
                let bytes =
                    |trail| [lead, trail, 0x81, 0x41, lead, 0x81, 0x30, 0x81, 0x30, lead, trail];
                for bytes in (0x20..=0xFF).map(bytes) {
                    for to in 0..=bytes.len() {
                        let (bytes, mut ours, mut theirs) = (&bytes[..to], Vec::new(), Vec::new());
                        each_char(encoding, bytes, |c, len| {
                            ours.push((c, len));
                            true
                        });
                        let mut rest = bytes;
                        while rest.first().is_some_and(|b| !b.is_ascii())
                            && let Some((Unit::Char(c), len)) =
                                multi(encoding, Lookahead::part(rest))
                        {
                            theirs.push((c, len));
                            rest = &rest[len..];
                        }
                        assert_eq!(ours, theirs, "{}: {bytes:x?}", encoding.name());
                    }
                }
            }
        }
    }
}
