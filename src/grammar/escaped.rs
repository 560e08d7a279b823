//! Character references of markup in running text: `&quot;` ends a link, `&copy;` at its end is
//! not part of it.

use super::types::LinkEnd;

/// Character references that end a link in text: `"`, `'`, `<`, `>`, a space,
/// quotation marks, primes and the ellipsis, and some of them escaped twice. `&amp;` alone
/// does not. In order.
const REFERENCES: [&[u8]; 59] = [
    b"#039;",
    b"#160;",
    b"#171;",
    b"#187;",
    b"#34;",
    b"#39;",
    b"#60;",
    b"#62;",
    b"#8216;",
    b"#8217;",
    b"#8218;",
    b"#8220;",
    b"#8221;",
    b"#8222;",
    b"#8230;",
    b"#8242;",
    b"#8243;",
    b"#x2018;",
    b"#x2019;",
    b"#x201a;",
    b"#x201c;",
    b"#x201d;",
    b"#x201e;",
    b"#x2026;",
    b"#x2032;",
    b"#x2033;",
    b"#x22;",
    b"#x27;",
    b"#x3c;",
    b"#x3e;",
    b"#xa0;",
    b"#xab;",
    b"#xbb;",
    b"amp;#34;",
    b"amp;#39;",
    b"amp;gt;",
    b"amp;hellip;",
    b"amp;ldquo;",
    b"amp;lsquo;",
    b"amp;lt;",
    b"amp;nbsp;",
    b"amp;quot;",
    b"amp;rdquo;",
    b"amp;rsquo;",
    b"apos;",
    b"bdquo;",
    b"gt;",
    b"hellip;",
    b"laquo;",
    b"ldquo;",
    b"lsquo;",
    b"lt;",
    b"nbsp;",
    b"prime;",
    b"quot;",
    b"raquo;",
    b"rdquo;",
    b"rsquo;",
    b"sbquo;",
];

/// A reference that may be one of [`REFERENCES`], as far as it has been read.
#[derive(Clone, Copy, Debug)]
struct Delimiter {
    /// The link before the `&`.
    before: LinkEnd,
    /// Those that begin so.
    from: u8,
    to: u8,
    /// How many characters have been read.
    len: u8,
}

impl Delimiter {
    /// Reads `c`. True if one is complete.
    fn feed(&mut self, c: char) -> bool {
        let (c, len) = (c.to_ascii_lowercase(), usize::from(self.len));
        let is = |at: u8| REFERENCES[usize::from(at)].get(len).is_some_and(|b| char::from(*b) == c);
        while self.from < self.to && !is(self.from) {
            self.from += 1;
        }
        while self.from < self.to && !is(self.to - 1) {
            self.to -= 1;
        }
        self.len += 1;
        self.from < self.to && REFERENCES[usize::from(self.from)].len() == len + 1
    }
}

/// The references of a tail.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Escaped {
    delimiter: Option<Delimiter>,
    /// The link before an `&` that only letters and digits have followed.
    entity: Option<LinkEnd>,
}

impl Escaped {
    /// True while a delimiter may be being read.
    pub(super) fn is_open(&self) -> bool {
        self.delimiter.is_some()
    }

    /// Reads `text`, in which no reference begins or ends, while no delimiter may be being read.
    #[inline]
    pub(super) fn pass(&mut self, text: &[u8]) {
        if self.entity.is_some() && !text.iter().all(u8::is_ascii_alphanumeric) {
            self.entity = None;
        }
    }

    /// Reads `c`, where the link up to it is `now`. Returns the link before the reference if `c`
    /// completes an escaped delimiter.
    pub(super) fn delimiter(&mut self, c: char, now: LinkEnd) -> Option<LinkEnd> {
        if let Some(delimiter) = &mut self.delimiter {
            if delimiter.feed(c) {
                return Some(delimiter.before);
            }
            if delimiter.from < delimiter.to {
                return None;
            }
            self.delimiter = None;
        }
        if c == '&' {
            let to = REFERENCES.len() as u8;
            self.delimiter = Some(Delimiter { before: now, from: 0, to, len: 0 });
        }
        None
    }

    /// Reads `c`, where the link up to it is `now`. Returns the link up to `c`: without
    /// `&name;` if `c` completes one (case entity-at-the-end).
    pub(super) fn entity(&mut self, c: char, now: LinkEnd) -> LinkEnd {
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
