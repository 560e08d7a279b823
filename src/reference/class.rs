//! The character classes of RFC 3986 and RFC 3987.
//!
//! Each table is next to its line of the grammar. Components are not known here.

/// A set of ASCII characters, as one bit of [`URI`], [`IRI_BIS`] and [`LEIRI`].
pub(crate) type Set = u8;

/// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`, from the second character on.
pub(crate) const SCHEME: Set = 1 << 0;
/// `reg-name = *( unreserved / pct-encoded / sub-delims )`
pub(crate) const REG_NAME: Set = 1 << 1;
/// `userinfo = *( unreserved / pct-encoded / sub-delims / ":" )`
pub(crate) const USERINFO: Set = 1 << 2;
/// `segment-nz-nc = 1*( unreserved / pct-encoded / sub-delims / "@" )`
pub(crate) const SEGMENT_NC: Set = 1 << 3;
/// `pchar = unreserved / pct-encoded / sub-delims / ":" / "@"`, or `/`.
pub(crate) const PATH: Set = 1 << 4;
/// `query = fragment = *( pchar / "/" / "?" )`
pub(crate) const QUERY: Set = 1 << 5;
/// `unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"`
pub(crate) const UNRESERVED: Set = 1 << 6;
/// Characters that no URI holds and that conversion may encode: controls, space and
/// ``< > " { } | \ ^ ` `` (RFC 3987, section 3.1); never `# % [ ]`.
pub(crate) const DISALLOWED: Set = 1 << 7;

const ALPHA: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const DIGIT: &[u8] = b"0123456789";
/// `sub-delims = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="`
const SUB_DELIMS: &[u8] = b"!$&'()*+,;=";
/// `leiri-ucschar = " " / "<" / ">" / '"' / "{" / "}" / "|" / "\" / "^" / "`"
/// / %x0-1F / %x7F-D7FF / ...`: its printable ASCII (3987bis, section 6.1).
const LEIRI_PRINTABLE: &[u8] = b" <>\"{}|\\^`";

const fn with(mut table: [Set; 256], characters: &[u8], sets: Set) -> [Set; 256] {
    let mut i = 0;
    while i < characters.len() {
        table[characters[i] as usize] |= sets;
        i += 1;
    }
    table
}

const fn with_controls(mut table: [Set; 256], sets: Set) -> [Set; 256] {
    let mut i = 0;
    while i < 0x20 {
        table[i] |= sets;
        i += 1;
    }
    table[0x7F] |= sets;
    table
}

const ALL: Set = REG_NAME | USERINFO | SEGMENT_NC | PATH | QUERY;

/// The ASCII of a URI and of an IRI.
pub(crate) const URI: [Set; 256] = {
    let table = with([0; 256], ALPHA, SCHEME | UNRESERVED | ALL);
    let table = with(table, DIGIT, SCHEME | UNRESERVED | ALL);
    let table = with(table, b"+-.", SCHEME);
    let table = with(table, b"-._~", UNRESERVED | ALL);
    let table = with(table, SUB_DELIMS, ALL);
    let table = with(table, b":", USERINFO | PATH | QUERY);
    let table = with(table, b"@", SEGMENT_NC | PATH | QUERY);
    let table = with(table, b"/", PATH | QUERY);
    let table = with(table, b"?", QUERY);
    let table = with(table, LEIRI_PRINTABLE, DISALLOWED);
    with_controls(table, DISALLOWED)
};

/// The ASCII of a LEIRI.
pub(crate) const LEIRI: [Set; 256] = with_controls(with(URI, LEIRI_PRINTABLE, ALL), ALL);

/// Whether `b` is in one of `sets` of a URI.
pub(crate) const fn is_in(b: u8, sets: Set) -> bool {
    URI[b as usize] & sets != 0
}

/// Whether conversion to a URI encodes `b`: [`DISALLOWED`] or not ASCII. All comparisons are
/// done without branches, so that the compiler can vectorise a loop over it.
pub(crate) const fn is_encoded(b: u8) -> bool {
    (b <= b' ')
        | (b == b'"')
        | (b == b'<')
        | (b == b'>')
        | (b == b'\\')
        | (b == b'^')
        | (b == b'`')
        | (b >= b'{') & (b != b'~')
}

/// Whether [`Disallowed::Keep`](super::Disallowed::Keep) leaves `b`, which [`is_encoded`] has.
pub(crate) const fn is_kept(b: u8) -> bool {
    is_encoded(b) & b.is_ascii_graphic()
}

/// Whether conversion encodes `b`, or `b` is `%`.
pub(crate) const fn is_encoded_or_escape(b: u8) -> bool {
    is_encoded(b) | (b == b'%')
}

/// Whether `is` is true for any of `bytes`.
///
/// Tests sixteen bytes at a time without an exit between them, so that the compiler can use
/// vectors. The last sixteen may overlap the ones before.
#[inline(always)]
pub(crate) fn any(bytes: &[u8], is: impl Fn(u8) -> bool) -> bool {
    let block = |block: &[u8; 16]| block.iter().fold(false, |any, &b| any | is(b));
    if let Some(last) = bytes.last_chunk() {
        return bytes.as_chunks().0.iter().any(block) || block(last);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        let mut both = [0; 16];
        both[..8].copy_from_slice(first);
        both[8..].copy_from_slice(last);
        return block(&both);
    }
    bytes.iter().any(|&b| is(b))
}

/// `ALPHA / DIGIT / "-" / "." / "_" / "~"`
pub(crate) const fn is_unreserved(b: u8) -> bool {
    is_in(b, UNRESERVED)
}

/// `reserved = gen-delims / sub-delims`;
/// `gen-delims = ":" / "/" / "?" / "#" / "[" / "]" / "@"`
pub(crate) fn is_reserved(c: char) -> bool {
    matches!(c, ':' | '/' | '?' | '#' | '[' | ']' | '@')
        || u8::try_from(c).is_ok_and(|b| SUB_DELIMS.contains(&b))
}

/// `ucschar = %xA0-D7FF / %xF900-FDCF / %xFDF0-FFEF / %x10000-1FFFD / ... /
/// %xD0000-DFFFD / %xE1000-EFFFD`
pub(crate) const fn is_ucschar(c: u32) -> bool {
    match c {
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF => true,
        0x1_0000..=0xD_FFFF | 0xE_1000..=0xE_FFFF => c & 0xFFFF <= 0xFFFD,
        _ => false,
    }
}

/// `iprivate = %xE000-F8FF / %xF0000-FFFFD / %x100000-10FFFD`
pub(crate) const fn is_iprivate(c: u32) -> bool {
    matches!(c, 0xE000..=0xF8FF | 0xF_0000..=0xF_FFFD | 0x10_0000..=0x10_FFFD)
}

/// `iprivate` of 3987bis, which also has `%xE0000-E0FFF`, the block of tags.
pub(crate) const fn is_iprivate_bis(c: u32) -> bool {
    is_iprivate(c) || matches!(c, 0xE_0000..=0xE_0FFF)
}

/// `leiri-ucschar` above ASCII: `%x7F-D7FF / %xE000-FFFD / %x10000-10FFFF`.
pub(crate) const fn is_leiri_ucschar(c: u32) -> bool {
    !matches!(c, 0xFFFE | 0xFFFF)
}

/// The characters that RFC 3987, section 4.1, forbids, and the five that have
/// become Bidi_Control since: U+061C and the isolates.
pub(crate) const fn is_bidi_control(c: char) -> bool {
    is_rfc3987_bidi_control(c) || matches!(c, '\u{061C}' | '\u{2066}'..='\u{2069}')
}

/// What a terminal or a reader obeys: controls, line separators and bidi controls.
pub(crate) fn is_obeyed(c: char) -> bool {
    c.is_control() || is_bidi_control(c) || matches!(c, '\u{2028}' | '\u{2029}')
}

/// LRM, RLM, LRE, RLE, PDF, LRO, RLO (RFC 3987, section 4.1).
pub(crate) const fn is_rfc3987_bidi_control(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}')
}

/// The value of a hexadecimal digit.
pub(crate) fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// Whether two hexadecimal digits follow the `%` at `at`.
pub(crate) fn is_escape(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at + 1..at + 3), Some([a, b])
        if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_the_table() {
        for b in 0..=0xFF {
            assert_eq!(is_encoded(b), b >= 0x80 || is_in(b, DISALLOWED), "{b:X}");
        }
    }

    #[test]
    fn any_looks_at_every_byte() {
        for len in 0..70 {
            let mut bytes = [b'a'; 70];
            assert!(!any(&bytes[..len], is_encoded), "{len}");
            for at in 0..len {
                bytes[at] = b' ';
                assert!(any(&bytes[..len], is_encoded), "{at} of {len}");
                assert!(!any(&bytes[..at], is_encoded), "{at}");
                bytes[at] = b'a';
            }
        }
    }

    #[test]
    fn ranges_are_exact() {
        let edges = [
            (0x9F, false),
            (0xA0, true),
            (0xD7FF, true),
            (0xE000, false),
            (0xF8FF, false),
            (0xF900, true),
            (0xFDCF, true),
            (0xFDD0, false),
            (0xFDEF, false),
            (0xFDF0, true),
            (0xFFEF, true),
            (0xFFF0, false),
            (0xFFFF, false),
            (0x1_0000, true),
            (0xD_FFFD, true),
            (0xD_FFFE, false),
            (0xE_0000, false),
            (0xE_0FFF, false),
            (0xE_1000, true),
            (0xE_FFFD, true),
            (0xE_FFFE, false),
            (0xF_0000, false),
            (0x10_FFFF, false),
        ];
        for (c, yes) in edges {
            assert_eq!(is_ucschar(c), yes, "{c:X}");
        }
        for plane in 1..=16 {
            let is = |c| is_ucschar(c) || is_iprivate(c);
            assert!(is((plane << 16) | 0xFFFD) && !is((plane << 16) | 0xFFFE));
        }
        assert!(!is_iprivate(0xF_FFFE) && is_iprivate(0xE000) && !is_iprivate(0xE_0000));
    }
}
