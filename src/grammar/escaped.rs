//! Character references of markup in running text: `&quot;` ends a link, `&copy;` at its end is
//! not part of it.

use super::types::Held;

/// Character references that end a link in text: `"`, `'`, `<`, `>`, a space,
/// quotation marks and the ellipsis, and some of them escaped twice. `&amp;` alone
/// does not.
const REFERENCES: [&[u8]; 54] = [
    b"quot;",
    b"#34;",
    b"#x22;",
    b"#039;",
    b"#39;",
    b"#x27;",
    b"apos;",
    b"lt;",
    b"#60;",
    b"#x3c;",
    b"gt;",
    b"#62;",
    b"#x3e;",
    b"nbsp;",
    b"#160;",
    b"#xa0;",
    b"laquo;",
    b"#171;",
    b"#xab;",
    b"raquo;",
    b"#187;",
    b"#xbb;",
    b"lsquo;",
    b"#8216;",
    b"#x2018;",
    b"rsquo;",
    b"#8217;",
    b"#x2019;",
    b"sbquo;",
    b"#8218;",
    b"#x201a;",
    b"ldquo;",
    b"#8220;",
    b"#x201c;",
    b"rdquo;",
    b"#8221;",
    b"#x201d;",
    b"bdquo;",
    b"#8222;",
    b"#x201e;",
    b"hellip;",
    b"#8230;",
    b"#x2026;",
    b"amp;quot;",
    b"amp;lt;",
    b"amp;gt;",
    b"amp;#39;",
    b"amp;#34;",
    b"amp;nbsp;",
    b"amp;ldquo;",
    b"amp;rdquo;",
    b"amp;lsquo;",
    b"amp;rsquo;",
    b"amp;hellip;",
];

/// The longest of [`REFERENCES`], in bytes.
const LONGEST: usize = 11;

/// A reference that may be one of [`REFERENCES`], as far as it has been read.
#[derive(Clone, Copy, Debug)]
struct Delimiter {
    /// The link before the `&`.
    before: Held,
    text: [u8; LONGEST],
    len: u8,
}

/// The references of a tail.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Escaped {
    delimiter: Option<Delimiter>,
    /// The link before an `&` that only letters and digits have followed.
    entity: Option<Held>,
}

impl Escaped {
    /// True while a delimiter may be being read.
    pub(super) fn is_open(&self) -> bool {
        self.delimiter.is_some()
    }

    /// Reads `c`, where the link up to it is `now`. Returns the link before the reference if `c`
    /// completes an escaped delimiter.
    pub(super) fn delimiter(&mut self, c: char, now: Held) -> Option<Held> {
        if let Some(Delimiter { before, text, len }) = &mut self.delimiter {
            if usize::from(*len) < LONGEST && c.is_ascii() {
                text[usize::from(*len)] = c.to_ascii_lowercase() as u8;
                *len += 1;
                let text = &text[..usize::from(*len)];
                if REFERENCES.contains(&text) {
                    return Some(*before);
                }
                if REFERENCES.iter().any(|r| r.starts_with(text)) {
                    return None;
                }
            }
            self.delimiter = None;
        }
        if c == '&' {
            self.delimiter = Some(Delimiter { before: now, text: [0; LONGEST], len: 0 });
        }
        None
    }

    /// Reads `c`, where the link up to it is `now`. Returns the link up to `c`: without
    /// `&name;` if `c` completes one (case entity-at-the-end).
    pub(super) fn entity(&mut self, c: char, now: Held) -> Held {
        match (c, self.entity) {
            ('&', _) => self.entity = Some(now),
            (';', Some(before)) => {
                self.entity = None;
                return before;
            }
            (c, Some(_)) if c.is_ascii_alphanumeric() => {}
            _ => self.entity = None,
        }
        now
    }
}
