//! The charset that the start of a document declares.

use memchr::memmem;

use crate::{
    charset::{Charset, Shape},
    format::lexing::lexer::is_space,
};

/// How many bytes of a document are read for it (HTML standard, section 13.2.3.2).
pub(in crate::format) const HEAD: usize = 1024;

/// HTML standard, "prescan a byte stream to determine its encoding". Returns the charset, and where
/// the attributes end that declare it.
pub(in crate::format) fn html(head: &[u8]) -> Option<(Charset, usize)> {
    let mut at = 0;
    while at < head.len() {
        let rest = &head[at..];
        if rest.starts_with(b"<!--") {
            // `<!-->` is one.
            at += 2 + memmem::find(&rest[2..], b"-->")? + 3;
        } else if rest.len() > 5
            && rest[..5].eq_ignore_ascii_case(b"<meta")
            && (is_space(rest[5]) || rest[5] == b'/')
        {
            let (found, len) = meta(&rest[6..]);
            at += 6 + len;
            if let Some(charset) = found {
                return Some((charset, at));
            }
        } else if let [b'<', b'/', b, ..] | [b'<', b, ..] = rest
            && b.is_ascii_alphabetic()
        {
            let name = rest[1..].iter().position(|b| is_space(*b) || *b == b'>')?;
            let mut attributes = &rest[1 + name..];
            while let Some((_, _, after)) = attribute(attributes) {
                attributes = after;
            }
            at = head.len() - attributes.len();
        } else if let [b'<', b'!' | b'/' | b'?', ..] = rest {
            at += memchr::memchr(b'>', rest)? + 1;
        } else {
            at += 1 + memchr::memchr(b'<', &rest[1..])?;
        }
    }
    None
}

/// Returns the charset that a `<meta` with these attributes declares, and their length.
fn meta(bytes: &[u8]) -> (Option<Charset>, usize) {
    let (mut pragma, mut by_content, mut by_charset) = (false, None, None);
    let mut rest = bytes;
    while let Some((name, value, after)) = attribute(rest) {
        rest = after;
        if name.eq_ignore_ascii_case(b"http-equiv") {
            pragma = value.eq_ignore_ascii_case(b"content-type");
        } else if name.eq_ignore_ascii_case(b"content") {
            by_content = by_content.or_else(|| content(value));
        } else if name.eq_ignore_ascii_case(b"charset") {
            by_charset = by_charset.or_else(|| label(value));
        }
    }
    let found = by_charset.or(by_content.filter(|_| pragma));
    (found, bytes.len() - rest.len())
}

/// HTML standard, "get an attribute": name, value, and the bytes after it.
fn attribute(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let start = bytes.iter().position(|b| !is_space(*b) && *b != b'/')?;
    let bytes = &bytes[start..];
    if bytes[0] == b'>' {
        return None;
    }
    let ends = |b: &u8| is_space(*b) || matches!(b, b'/' | b'>');
    let len = 1 + bytes[1..].iter().position(|b| ends(b) || *b == b'=')?;
    let (name, rest) = bytes.split_at(len);
    let equals = rest.iter().position(|b| !is_space(*b))?;
    if rest[equals] != b'=' {
        return Some((name, b"", &rest[equals..]));
    }
    let rest = &rest[equals + 1..];
    let rest = &rest[rest.iter().position(|b| !is_space(*b))?..];
    match rest[0] {
        quote @ (b'"' | b'\'') => {
            let end = memchr::memchr(quote, &rest[1..])? + 1;
            Some((name, &rest[1..end], &rest[end + 1..]))
        }
        _ => {
            let end = rest.iter().position(|b| is_space(*b) || *b == b'>')?;
            Some((name, &rest[..end], &rest[end..]))
        }
    }
}

/// HTML standard, "extracting a character encoding from a meta element".
fn content(value: &[u8]) -> Option<Charset> {
    let lower = value.to_ascii_lowercase();
    let mut at = 0;
    loop {
        at += memmem::find(&lower[at..], b"charset")? + 7;
        let equals = at + lower[at..].iter().position(|b| !is_space(*b))?;
        if lower[equals] == b'=' {
            at = equals + 1;
            break;
        }
    }
    let rest = &value[at..];
    let rest = &rest[rest.iter().position(|b| !is_space(*b))?..];
    match rest[0] {
        quote @ (b'"' | b'\'') => label(&rest[1..1 + memchr::memchr(quote, &rest[1..])?]),
        _ => {
            let end = rest.iter().position(|b| is_space(*b) || *b == b';').unwrap_or(rest.len());
            label(&rest[..end])
        }
    }
}

/// A charset that a page can declare in its own bytes.
fn label(name: &[u8]) -> Option<Charset> {
    let name = core::str::from_utf8(name).ok()?;
    if name.trim_matches(|c: char| c.is_ascii_whitespace()).eq_ignore_ascii_case("x-user-defined") {
        return Charset::for_label("windows-1252").ok();
    }
    Charset::for_label_of_page(name).ok().map(in_ascii)
}

/// The declaration was read as ASCII, so the charset is not UTF-16.
fn in_ascii(charset: Charset) -> Charset {
    if let Shape::Wide { .. } = charset.shape() { Charset::UTF_8 } else { charset }
}

/// XML 1.0, section 4.3.3: the encoding declaration, and where it ends.
pub(in crate::format) fn xml(head: &[u8]) -> Option<(Charset, usize)> {
    let rest = head.strip_prefix(b"<?xml")?;
    let len = memmem::find(rest, b"?>")?;
    let declaration = &rest[..len];
    let at = memmem::find(declaration, b"encoding")? + 8;
    let rest = declaration[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (&quote, rest) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let name = &rest[..memchr::memchr(quote, rest)?];
    let other = || Charset::for_label(core::str::from_utf8(name).ok()?).ok();
    let charset = label(name).or_else(|| other().map(in_ascii))?;
    Some((charset, b"<?xml".len() + len))
}

/// CSS Syntax Level 3, section 3.2: `@charset "…";` at the very start, and where it ends.
pub(in crate::format) fn css(head: &[u8]) -> Option<(Charset, usize)> {
    let start = b"@charset \"";
    let rest = head.strip_prefix(start)?;
    let name = &rest[..memchr::memchr(b'"', rest)?];
    let charset = label(name).filter(|_| rest.get(name.len() + 1) == Some(&b';'))?;
    Some((charset, start.len() + name.len() + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `None` for a legacy charset, in a build without them.
    fn known(name: &'static str) -> Option<&'static str> {
        Some(name).filter(|name| cfg!(feature = "legacy-charsets") || name.starts_with("UTF-"))
    }

    #[test]
    fn declarations() {
        for (head, want) in [
            ("<meta charset=koi8-r>", Some("KOI8-R")),
            (
                "<!doctype html><html lang=ru><head><META CHARSET=\"Windows-1251\">",
                Some("windows-1251"),
            ),
            (
                "<meta http-equiv=Content-Type content='text/html; charset = \"sjis\"'>",
                Some("Shift_JIS"),
            ),
            ("<meta content='text/html; charset=big5' http-equiv='content-type'/>", Some("Big5")),
            ("<meta content='text/html; charset=big5'>", None),
            ("<!-- <meta charset=koi8-r> --><meta charset=utf-16>", Some("UTF-8")),
            ("<title x='<meta charset=koi8-r>'>", None),
            ("<meta charset=none><p><meta/charset=euc-kr>", Some("EUC-KR")),
            ("<metacharset=koi8-r>", None),
            ("<meta charset=cp932>", None),
            ("", None),
            ("<meta charset=koi8-r", None),
        ] {
            assert_eq!(
                html(head.as_bytes()).map(|(c, _)| c.name()),
                want.and_then(known),
                "{head}"
            );
        }
        for (head, want) in [
            ("<?xml version='1.0' encoding='windows-1251'?>", Some("windows-1251")),
            ("<?xml version=\"1.0\" encoding = \"EUC-JP\" standalone='yes'?>", Some("EUC-JP")),
            ("<?xml version='1.0' encoding='cp932'?>", Some("Shift_JIS")),
            ("<?xml version='1.0'?><a encoding='koi8-r'?>", None),
            (" <?xml encoding='koi8-r'?>", None),
        ] {
            assert_eq!(xml(head.as_bytes()).map(|(c, _)| c.name()), want.and_then(known), "{head}");
        }
        for (head, want) in [
            ("@charset \"koi8-r\";a", Some("KOI8-R")),
            ("@charset 'koi8-r';", None),
            ("@charset \"koi8-r\" ;", None),
            (" @charset \"koi8-r\";", None),
        ] {
            assert_eq!(css(head.as_bytes()).map(|(c, _)| c.name()), want.and_then(known), "{head}");
        }
    }
}
