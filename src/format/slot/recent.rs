//! The text before a link, as far as it decides how a text in its place is written.

/// How many bytes before a link are known: as many as `&#x26;#x` has.
pub(in crate::format) const NEAR: usize = 8;

/// The text directly before a link, which could change the meaning of its first characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Before {
    Nothing,
    /// A `<` that is text: a letter would begin a tag.
    LessThan,
    /// The text of XML holds a `<`, and what follows is a tag to a reader that takes the text for HTML.
    /// No escape keeps it from that.
    HiddenLessThan,
    /// The same with a second character of a tag or a declaration after it.
    HiddenTag,
    /// In Markdown, a `<!`: a letter makes a declaration, and anything else does not.
    Declaration,
    /// A `&`, perhaps with `#` or `#x`, that is text: more could make a character reference of it.
    Ampersand,
    /// In Markdown, a `\`: a sign of ASCII would be escaped by it.
    Backslash,
    /// In Markdown, a `]`: a `(` or `:` would begin a target.
    Bracket,
    /// In Markdown, nothing but marks of the line: what begins a block would begin one.
    LineStart,
    /// In reStructuredText, a `(`: a number or a letter before a `)` would begin an item of a list.
    Parenthesis,
    /// In source code, a `*`: a `/` would end a comment.
    Star,
    /// The quote that closes a field of CSV.
    ClosingQuote,
}

/// The end of the text before a link, as far as it counts for [`Before`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recent {
    /// The last bytes, without the NULs of UTF-16 and UTF-32; NULs where there is no text.
    pub(in crate::format) last: [u8; NEAR],
    /// The line has no text so far, only bytes that may be marks of a block.
    marks: bool,
    /// The last `"` has a backslash before it.
    escaped_quote: bool,
}

impl Default for Recent {
    /// At the start of a document.
    fn default() -> Recent {
        Recent { last: [0; NEAR], marks: true, escaped_quote: false }
    }
}

impl Recent {
    /// Directly after a link.
    pub(crate) fn after_link(self) -> Recent {
        Recent { last: [b'x'; NEAR], marks: false, ..self }
    }

    /// True if the last `"` is escaped: what follows may be in a string within a string.
    pub(in crate::format) fn is_after_escaped_quote(self) -> bool {
        self.escaped_quote
    }

    /// Takes the next text.
    #[inline]
    pub(crate) fn push(&mut self, text: &[u8]) {
        // In UTF-16 and UTF-32 there are NULs between the characters.
        let last = text.iter().rev().copied().filter(|b| *b != 0).take(NEAR);
        let (mut new, mut len) = ([0; NEAR], 0);
        for b in last {
            len += 1;
            new[NEAR - len] = b;
        }
        let old = self.last;
        if let Some(at) = memchr::memrchr(b'"', text) {
            let before = text[..at].iter().rev().copied().find(|b| *b != 0);
            self.escaped_quote = before.unwrap_or(old[NEAR - 1]) == b'\\';
        }
        new[..NEAR - len].copy_from_slice(&old[len..]);
        self.last = new;
        let line = memchr::memrchr2(b'\n', b'\r', text);
        let (text, marks) = line.map_or((text, self.marks), |at| (&text[at + 1..], true));
        self.marks = marks && text.iter().all(|b| is_mark(*b));
    }

    /// True at the start of a line, also of the first one.
    pub(crate) fn is_line_start(self) -> bool {
        matches!(self.last, [.., 0 | b'\n' | b'\r']) || self.last == *b"\0\0\0\0\0\xEF\xBB\xBF"
    }

    /// True if the line has no text so far.
    pub(crate) fn has_only_marks(self) -> bool {
        self.marks
    }

    /// True directly after a byte that may mean something in Markdown together with the next one.
    pub(crate) fn is_after_mark(self) -> bool {
        matches!(self.last, [.., last] if b"\\`]<&!*_~".contains(&last))
    }

    pub(in crate::format) fn ends_with(self, text: &str) -> bool {
        self.last.ends_with(text.as_bytes())
    }

    pub(in crate::format) fn ends_with_any(self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.ends_with(text))
    }
}

/// True if a byte may be a part of what a line of Markdown has before its text.
fn is_mark(b: u8) -> bool {
    // Also the bytes of byte order marks, and the NULs of UTF-16.
    matches!(b, 0..=b' ' | b'0'..=b'9' | 0xBB | 0xBF | 0xEF | 0xFE | 0xFF)
        || b"#>-+*.)[]xX|:_~=`".contains(&b)
}
