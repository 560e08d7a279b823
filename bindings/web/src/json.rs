//! Writes JSON.

/// Writes one object; its end is written by [`Object::end`].
pub(crate) struct Object<'o> {
    out: &'o mut Vec<u8>,
    empty: bool,
}

impl<'o> Object<'o> {
    pub(crate) fn new(out: &'o mut Vec<u8>) -> Object<'o> {
        out.push(b'{');
        Object { out, empty: true }
    }

    fn key(&mut self, key: &str) {
        if !self.empty {
            self.out.push(b',');
        }
        self.empty = false;
        string(self.out, key);
        self.out.push(b':');
    }

    pub(crate) fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        string(self.out, text);
    }

    /// A text, or null.
    pub(crate) fn option(&mut self, key: &str, text: Option<&str>) {
        match text {
            Some(text) => self.text(key, text),
            None => self.raw(key, "null"),
        }
    }

    /// A text; `None` writes nothing.
    pub(crate) fn some(&mut self, key: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(key, text);
        }
    }

    /// A value that is JSON already.
    pub(crate) fn raw(&mut self, key: &str, json: &str) {
        self.key(key);
        self.out.extend_from_slice(json.as_bytes());
    }

    #[cfg(not(iriscan_strings))]
    pub(crate) fn list<'s>(&mut self, key: &str, texts: impl Iterator<Item = &'s str>) {
        self.key(key);
        self.out.push(b'[');
        for (i, text) in texts.enumerate() {
            if i > 0 {
                self.out.push(b',');
            }
            string(self.out, text);
        }
        self.out.push(b']');
    }

    pub(crate) fn end(self) {
        self.out.push(b'}');
    }
}

fn string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    for &b in text.as_bytes() {
        match b {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', b]),
            0..0x20 => {
                const DIGITS: &[u8; 16] = b"0123456789abcdef";
                out.extend_from_slice(b"\\u00");
                out.extend([DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]]);
            }
            _ => out.push(b),
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped() {
        let mut out = Vec::new();
        let mut object = Object::new(&mut out);
        object.text("a\"", "\\\u{1}\n\u{2028}é");
        object.option("b", None);
        object.some("c", None);
        object.list("d", ["x", "y"].into_iter());
        object.end();
        let json = r#"{"a\"":"\\\u0001\u000aé","b":null,"d":["x","y"]}"#;
        assert_eq!(str::from_utf8(&out).unwrap(), json.replace("\\u000aé", "\\u000a\u{2028}é"));
    }
}
