//! Escapes in hexadecimal (`\uXXXX`, `\u{X…}`, `\UXXXXXXXX`, `\xHH`), and those of C.
//!
//! The format decides which of them it has. Bytes that begin with the backslash and the letter go
//! in; a token comes out, or `None` if more bytes are needed. Invariant: a broken escape is a
//! backslash as raw text, and the bytes after it are read anew.

use super::{
    lexer::{Chars, Token},
    lookahead::Lookahead,
};

/// The length of the longest escape of one character in a log or in JSON.
pub(crate) const LONGEST: usize = 6;

/// A `\` that begins no escape.
pub(in crate::format) const BACKSLASH: Token = Token::Raw(1);

enum Digits {
    Number(u32),
    /// Digits so far, but too few.
    Short,
    Broken,
}

/// The value of each digit; of other bytes, 0xFF.
const VALUE: [u8; 256] = {
    let mut table = [0xFF; 256];
    let mut i = 0;
    while i < 16 {
        table[b"0123456789abcdef"[i] as usize] = i as u8;
        table[b"0123456789ABCDEF"[i] as usize] = i as u8;
        i += 1;
    }
    table
};

/// `COUNT` is a constant, so the loop is unrolled.
#[inline]
fn digits<const COUNT: usize>(bytes: &[u8]) -> Digits {
    let value = |b: &u8| VALUE[usize::from(*b)];
    let Some(all) = bytes.first_chunk::<COUNT>() else {
        let broken = bytes.iter().any(|b| value(b) == 0xFF);
        return if broken { Digits::Broken } else { Digits::Short };
    };
    let (number, values) = all.iter().fold((0, 0), |(number, values), b| {
        (number << 4 | u32::from(value(b) & 0xF), values | value(b))
    });
    if values > 0xF { Digits::Broken } else { Digits::Number(number) }
}

/// `\`, a letter and `COUNT` digits, if that is what `bytes` begin with.
#[inline]
fn number<const COUNT: usize>(bytes: Lookahead<'_>) -> Option<Result<u32, Token>> {
    match digits::<COUNT>(bytes.get(2..).unwrap_or_default()) {
        Digits::Number(number) => Some(Ok(number)),
        Digits::Short if bytes.is_partial() => None,
        Digits::Short | Digits::Broken => Some(Err(BACKSLASH)),
    }
}

/// `\uXXXX`: a unit of UTF-16, two units if they are a pair.
pub(in crate::format) fn utf16(bytes: Lookahead<'_>) -> Option<Token> {
    const LOW: core::ops::RangeInclusive<u32> = 0xDC00..=0xDFFF;
    let malformed = Some(Token::Escape(6, Chars::MALFORMED));
    let high = match number::<4>(bytes)? {
        Ok(unit) => unit,
        Err(token) => return Some(token),
    };
    if let Some(c) = char::from_u32(high) {
        return Some(Token::Escape(6, c.into()));
    }
    let low = match &bytes[6..] {
        _ if LOW.contains(&high) => return malformed,
        [] | [b'\\'] if bytes.is_partial() => return None,
        [b'\\', b'u', behind @ ..] => digits::<4>(behind),
        _ => return malformed,
    };
    match low {
        Digits::Short if bytes.is_partial() => None,
        Digits::Number(low) if LOW.contains(&low) => {
            let c = 0x1_0000 + ((high - 0xD800) << 10) + (low - LOW.start());
            Some(Token::Escape(12, char::from_u32(c).map_or(Chars::MALFORMED, Chars::from)))
        }
        _ => malformed,
    }
}

/// `\UXXXXXXXX`: a code point.
pub(in crate::format) fn code_point(bytes: Lookahead<'_>) -> Option<Token> {
    Some(match number::<8>(bytes)? {
        Ok(n) => Token::Escape(10, char::from_u32(n).map_or(Chars::MALFORMED, Chars::from)),
        Err(token) => token,
    })
}

/// `\u{X…}`, of Rust, JavaScript, Swift, PHP and Ruby.
pub(in crate::format) fn braced(bytes: Lookahead<'_>) -> Option<Token> {
    let digits = bytes[3..].iter().take(8).take_while(|b| b.is_ascii_hexdigit()).count();
    match bytes.get(3 + digits) {
        None if bytes.is_partial() => None,
        Some(b'}') if digits > 0 => {
            let number = bytes[3..3 + digits]
                .iter()
                .fold(0, |number, b| number << 4 | (*b as char).to_digit(16).unwrap_or_default());
            let means = char::from_u32(number).map_or(Chars::MALFORMED, Chars::from);
            Some(Token::Escape(4 + digits, means))
        }
        _ => Some(BACKSLASH),
    }
}

/// `\xHH`: a byte.
pub(in crate::format) fn byte(bytes: Lookahead<'_>) -> Option<Token> {
    Some(match number::<2>(bytes)? {
        Ok(n) => Token::Escape(4, Chars::byte(n as u8)),
        Err(token) => token,
    })
}

/// The escape of C that `bytes` begin with: a letter, one to three octal digits, or `\xHH`. A backslash
/// before another byte is text.
pub(in crate::format) fn c(bytes: Lookahead<'_>) -> Option<Token> {
    let means = match bytes.get(1) {
        None if bytes.is_partial() => return None,
        Some(b'x') => return byte(bytes),
        Some(b'0'..=b'7') => return octal(bytes),
        Some(b'n') => b'\n',
        Some(b't') => b'\t',
        Some(b'r') => b'\r',
        Some(b'a') => 7,
        Some(b'b') => 8,
        Some(b'v') => 11,
        Some(b'f') => 12,
        Some(b @ (b'"' | b'\'' | b'\\' | b'?')) => *b,
        _ => return Some(BACKSLASH),
    };
    Some(Token::Escape(2, Chars::byte(means)))
}

/// `\ooo`: a byte.
fn octal(bytes: Lookahead<'_>) -> Option<Token> {
    let digits = bytes[1..].iter().take(3).take_while(|b| matches!(b, b'0'..=b'7'));
    let digits: &[u8] = &bytes[1..=digits.count()];
    if digits.len() < 3 && digits.len() + 1 == bytes.len() && bytes.is_partial() {
        return None;
    }
    let value = digits.iter().fold(0, |value, b| value << 3 | u16::from(b - b'0'));
    Some(Token::Escape(1 + digits.len(), Chars::byte(value as u8)))
}
