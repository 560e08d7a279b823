//! XML 1.0, and what stands for it in the world: feeds that are not well-formed
//! lose nothing.
//!
//! Knows tags and attributes, and builds no tree; document types are passed over.

use super::{
    entities::Where,
    html::{Name, referenced},
    lexer::{AHEAD, Lexer, Region, Token, Value},
    nested::Nested,
    value::is_space,
};

/// Reads XML.
#[derive(Clone, Debug)]
pub(crate) struct Xml {
    state: State,
    /// A region is open.
    open: bool,
    /// HTML that stands escaped in the text at hand.
    nested: Option<alloc::boxed::Box<Nested>>,
    element: Name,
    closing: bool,
    /// The tag ends in `/`.
    empty: bool,
    attribute: Name,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Text,
    Cdata,
    /// Up to the end tag of a script.
    Script,
    Comment,
    /// A comment in a document type.
    Remark {
        depth: u8,
    },
    Instruction,
    /// A declaration: how many `[` are open, and which quotation mark.
    Declaration {
        depth: u8,
        quote: u8,
    },
    TagName,
    BeforeAttribute,
    AttributeName,
    AfterAttribute,
    BeforeValue,
    /// 0: up to white space or `>`.
    Value {
        quote: u8,
        opaque: bool,
    },
}

impl Xml {
    pub(crate) fn new() -> Xml {
        Xml {
            state: State::Text,
            open: false,
            nested: None,
            element: Name::default(),
            closing: false,
            empty: false,
            attribute: Name::default(),
        }
    }

    fn begin(&mut self, region: Region) -> Option<Token> {
        self.open = true;
        Some(Token::Begin(region))
    }

    fn end(&mut self, state: State) -> Option<Token> {
        self.open = false;
        self.state = state;
        Some(Token::End)
    }

    /// The document ends within a value: there is no such tag, but what it holds is not
    /// lost.
    fn unclosed(&mut self) -> Option<Token> {
        self.open = false;
        self.state = State::BeforeAttribute;
        Some(if self.region() == Region::Field { Token::End } else { Token::Cut })
    }

    fn skip(&mut self, n: usize, state: State) -> Option<Token> {
        self.state = state;
        Some(Token::Skip(n))
    }

    /// A text begins: of a style sheet, of an element that is a reference, or prose.
    fn prose(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        let element = if self.closing { b"" } else { local(self.element.get()) };
        self.begin(match element {
            b"style" => Region::Reference(Value::Css),
            b"link" | b"guid" | b"loc" | b"url" | b"uri" | b"id" | b"icon" | b"logo" | b"docs"
            | b"comments"
                if is_absolute(bytes, last)? =>
            {
                Region::Reference(Value::One)
            }
            _ => Region::Prose,
        })
    }

    fn text(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        let Some(&first) = bytes.first() else {
            return if self.open && last { self.end(self.state) } else { None };
        };
        let cdata = self.state == State::Cdata;
        if cdata {
            match bytes {
                [b']', b']', b'>', ..] if self.open => return self.end(State::Cdata),
                [b']', b']', b'>', ..] => return self.skip(3, State::Text),
                [b']'] | [b']', b']'] if !last => return None,
                _ => {}
            }
        } else if first == b'<' {
            match bytes.get(1) {
                None if !last => return None,
                Some(b) if b"!?/_:".contains(b) || b.is_ascii_alphabetic() || !b.is_ascii() => {
                    if self.open {
                        return self.end(State::Text);
                    }
                    return self.markup(bytes, last);
                }
                _ => {}
            }
        }
        if self.is_html(bytes, last)? {
            if self.open {
                return self.end(self.state);
            }
            self.nested = Some(alloc::boxed::Box::new(Nested::new(cdata)));
            return self.next(bytes, last);
        }
        if !self.open {
            return self.prose(bytes, last);
        }
        if first == b'&' && !cdata {
            return referenced(bytes, last, Where::Xml);
        }
        let end = match cdata {
            true => memchr::memchr2(b']', b'<', &bytes[1..]),
            false => memchr::memchr2(b'<', b'&', &bytes[1..]),
        };
        Some(Token::Raw(end.map_or(bytes.len(), |end| end + 1)))
    }

    /// Whether a tag of HTML stands here, escaped or in a section of characters.
    fn is_html(&self, bytes: &[u8], last: bool) -> Option<bool> {
        let cdata = self.state == State::Cdata;
        let tag = match bytes {
            [b'<', rest @ ..] if cdata => rest,
            [b'&', b'l', b't', b';', rest @ ..] if !cdata => rest,
            _ => return Some(false),
        };
        let name = tag.strip_prefix(b"/").unwrap_or(tag);
        let len = name.iter().take(12).take_while(|b| b.is_ascii_alphanumeric()).count();
        let mut element = Name::default();
        element.push(&name[..len]);
        let behind = &name[len..];
        let known = ELEMENTS.binary_search(&element.get()).is_ok();
        if !known && (last || !behind.is_empty()) {
            return Some(false);
        }
        // An attribute, or the end: `a < b and` is none.
        let behind = &behind[..behind.len().min(AHEAD - 20)];
        let mut rest = behind.trim_ascii_start();
        if rest.len() < behind.len() {
            let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || b"-_:".contains(b));
            rest = rest[word.count()..].trim_ascii_start();
        }
        match rest.first() {
            None if behind.len() < AHEAD - 20 && !last => None,
            Some(b'>' | b'/' | b'=') => Some(true),
            Some(b'&') if rest.len() < 4 && b"&gt;".starts_with(rest) && !last => None,
            _ => Some(rest.starts_with(b"&gt;")),
        }
    }

    /// At a `<` that begins markup.
    fn markup(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        let whole = |with: &[u8]| match bytes.starts_with(with) {
            false if with.starts_with(bytes) && !last => None,
            is => Some(is),
        };
        match bytes[1] {
            b'?' => self.skip(2, State::Instruction),
            b'!' if whole(b"<!--")? => self.skip(4, State::Comment),
            b'!' if whole(b"<![CDATA[")? => self.skip(9, State::Cdata),
            b'!' => self.skip(2, State::Declaration { depth: 0, quote: 0 }),
            b => {
                self.element = Name::default();
                self.closing = b == b'/';
                self.empty = false;
                self.skip(1 + usize::from(self.closing), State::TagName)
            }
        }
    }

    fn until(&mut self, bytes: &[u8], end: &[u8], last: bool, state: State) -> Option<Token> {
        match memchr::memchr(end[0], bytes) {
            None if bytes.is_empty() => None,
            None => Some(Token::Skip(bytes.len())),
            Some(0) if bytes.starts_with(end) => self.skip(end.len(), state),
            Some(0) if end.starts_with(bytes) && !last => None,
            Some(0) => Some(Token::Skip(1)),
            Some(at) => Some(Token::Skip(at)),
        }
    }

    fn declaration(&mut self, bytes: &[u8], last: bool, depth: u8, quote: u8) -> Option<Token> {
        let of = |depth, quote| State::Declaration { depth, quote };
        if quote != 0 {
            return self.until(bytes, &[quote], last, of(depth, 0));
        }
        match *bytes.first()? {
            b'<' if bytes.starts_with(b"<!--") => self.skip(4, State::Remark { depth }),
            b'<' if b"<!--".starts_with(bytes) && !last => None,
            b'[' => self.skip(1, of(depth.saturating_add(1), 0)),
            b']' => self.skip(1, of(depth.saturating_sub(1), 0)),
            b'>' if depth == 0 => self.skip(1, State::Text),
            quote @ (b'"' | b'\'') => self.skip(1, of(depth, quote)),
            _ => {
                let ends = |b: &u8| matches!(b, b'<' | b'[' | b']' | b'>' | b'"' | b'\'');
                let len = bytes[1..].iter().position(ends).map_or(bytes.len(), |at| at + 1);
                Some(Token::Skip(len))
            }
        }
    }

    fn name(&mut self, bytes: &[u8]) -> Option<Token> {
        let of_tag = self.state == State::TagName;
        let ends = |b: u8| is_space(b) || matches!(b, b'/' | b'>') || !of_tag && b == b'=';
        let len = bytes.iter().position(|b| ends(*b)).unwrap_or(bytes.len());
        let name = if of_tag { &mut self.element } else { &mut self.attribute };
        name.push(&bytes[..len]);
        if len < bytes.len() {
            self.state = if of_tag { State::BeforeAttribute } else { State::AfterAttribute };
        } else if bytes.is_empty() {
            return None;
        }
        Some(Token::Skip(len))
    }

    fn attributes(&mut self, bytes: &[u8]) -> Option<Token> {
        match bytes.first()? {
            b'>' => {
                if self.empty {
                    // Nothing stands in it.
                    self.closing = true;
                }
                let script = !self.closing && local(self.element.get()) == b"script";
                self.skip(1, if script { State::Script } else { State::Text })
            }
            b if is_space(*b) || *b == b'/' => {
                self.empty = *b == b'/';
                self.skip(1, State::BeforeAttribute)
            }
            b'=' if self.state == State::AfterAttribute => self.skip(1, State::BeforeValue),
            b => {
                self.attribute = Name::default();
                self.attribute.push(&[*b]);
                self.empty = false;
                self.skip(1, State::AttributeName)
            }
        }
    }

    fn before_value(&mut self, bytes: &[u8]) -> Option<Token> {
        let opaque = self.closing || is_name(self.attribute.get());
        match bytes.first()? {
            b if is_space(*b) => Some(Token::Skip(1)),
            quote @ (b'"' | b'\'') => self.skip(1, State::Value { quote: *quote, opaque }),
            b'>' => self.skip(0, State::BeforeAttribute),
            _ => self.skip(0, State::Value { quote: 0, opaque }),
        }
    }

    /// What the value of the attribute at hand is.
    fn region(&self) -> Region {
        let element = local(self.element.get());
        Region::Reference(match self.attribute.get() {
            b"href" | b"src" | b"xlink:href" | b"rdf:about" | b"rdf:resource" | b"rdf:datatype"
            | b"url" | b"xml:base" | b"poster" | b"cite" | b"formaction" | b"background"
            | b"longdesc" => Value::One,
            b"action" if element == b"form" => Value::One,
            b"data" if element == b"object" => Value::One,
            b"srcset" | b"imagesrcset" => Value::Srcset,
            b"style" => Value::Css,
            _ => return Region::Field,
        })
    }

    fn value(&mut self, bytes: &[u8], quote: u8, opaque: bool, last: bool) -> Option<Token> {
        let Some(&first) = bytes.first() else {
            return if self.open && last { self.unclosed() } else { None };
        };
        let is_end = if quote == 0 { is_space(first) || first == b'>' } else { first == quote };
        if is_end {
            if self.open {
                return self.end(State::Value { quote, opaque: true });
            }
            return self.skip(usize::from(quote != 0), State::BeforeAttribute);
        }
        let ends = |b: u8| is_space(b) || matches!(b, b'>' | b'&');
        let len = match quote {
            0 => bytes.iter().position(|b| ends(*b)),
            _ if opaque => memchr::memchr(quote, bytes),
            _ => memchr::memchr2(quote, b'&', bytes),
        };
        if opaque {
            return Some(Token::Skip(len.unwrap_or(bytes.len()).max(1)));
        }
        if !self.open {
            let region = self.region();
            return self.begin(region);
        }
        match len {
            Some(0) => referenced(bytes, last, Where::Xml),
            Some(len) => Some(Token::Raw(len)),
            None => Some(Token::Raw(bytes.len())),
        }
    }

    /// A script, up to its end tag.
    fn script(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        match memchr::memchr(b'<', bytes) {
            None if bytes.is_empty() => None,
            None => Some(Token::Skip(bytes.len())),
            Some(0) => {
                let mut end = [0; 32];
                let name = self.element.get();
                end[..2].copy_from_slice(b"</");
                end[2..2 + name.len()].copy_from_slice(name);
                let end = &end[..2 + name.len()];
                let seen = &bytes[..bytes.len().min(end.len())];
                if !seen.eq_ignore_ascii_case(&end[..seen.len()]) {
                    return Some(Token::Skip(1));
                }
                match seen.len() == end.len() {
                    true => self.markup(bytes, last),
                    false if last => Some(Token::Skip(1)),
                    false => None,
                }
            }
            Some(at) => Some(Token::Skip(at)),
        }
    }
}

/// Whether a text begins with a scheme and `//`, and so is a reference where one may
/// stand. What else stands in such elements is a name (`<guid>`), or prose.
fn is_absolute(bytes: &[u8], last: bool) -> Option<bool> {
    let head = &bytes[..bytes.len().min(AHEAD)];
    let start = head.iter().take_while(|b| is_space(**b)).count();
    let scheme = head[start..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let behind = &head[start + scheme..];
    let seen = &behind[..behind.len().min(3)];
    if !b"://".starts_with(seen) {
        return Some(false);
    }
    match seen.len() {
        3 => Some(scheme > 0),
        _ if head.len() < AHEAD && !last => None,
        _ => Some(false),
    }
}

/// A name without its prefix.
fn local(name: &[u8]) -> &[u8] {
    memchr::memrchr(b':', name).map_or(name, |colon| &name[colon + 1..])
}

/// Whether an attribute holds names of namespaces, which are compared, not opened.
fn is_name(attribute: &[u8]) -> bool {
    attribute.starts_with(b"xmlns")
        || matches!(local(attribute), b"schemalocation" | b"nonamespaceschemalocation")
        || matches!(attribute, b"targetnamespace" | b"namespace")
}

/// Elements of HTML that are looked for in the text of feeds, in order.
const ELEMENTS: [&[u8]; 64] = [
    b"a",
    b"abbr",
    b"address",
    b"article",
    b"aside",
    b"audio",
    b"b",
    b"big",
    b"blockquote",
    b"body",
    b"br",
    b"center",
    b"cite",
    b"code",
    b"dd",
    b"del",
    b"div",
    b"dl",
    b"dt",
    b"em",
    b"embed",
    b"figcaption",
    b"figure",
    b"font",
    b"footer",
    b"form",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"head",
    b"header",
    b"hr",
    b"html",
    b"i",
    b"iframe",
    b"img",
    b"ins",
    b"li",
    b"object",
    b"ol",
    b"p",
    b"picture",
    b"pre",
    b"q",
    b"s",
    b"script",
    b"section",
    b"small",
    b"source",
    b"span",
    b"strike",
    b"strong",
    b"style",
    b"sub",
    b"sup",
    b"table",
    b"td",
    b"tr",
    b"u",
    b"ul",
    b"video",
];

impl Lexer for Xml {
    fn next(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        if let Some(nested) = &mut self.nested {
            let token = nested.next(bytes, last);
            if nested.is_done() && token.is_none() {
                self.nested = None;
            } else {
                return token;
            }
        }
        let token = match self.state {
            State::Text | State::Cdata => self.text(bytes, last),
            State::Script => self.script(bytes, last),
            State::Comment => self.until(bytes, b"-->", last, State::Text),
            State::Remark { depth } => {
                self.until(bytes, b"-->", last, State::Declaration { depth, quote: 0 })
            }
            State::Instruction => self.until(bytes, b"?>", last, State::Text),
            State::Declaration { depth, quote } => self.declaration(bytes, last, depth, quote),
            State::TagName | State::AttributeName => self.name(bytes),
            State::BeforeAttribute => self.attributes(bytes),
            State::AfterAttribute => match bytes.first()? {
                b if is_space(*b) => Some(Token::Skip(1)),
                _ => self.attributes(bytes),
            },
            State::BeforeValue => self.before_value(bytes),
            State::Value { quote, opaque } => self.value(bytes, quote, opaque, last),
        };
        match token {
            // Only the state changed.
            Some(Token::Skip(0)) => self.next(bytes, last),
            token => token,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::tests::{all_cuts, hostile};

    proptest! {
        /// Cuts change nothing, the tokens are the document, and nothing is looked at
        /// from afar.
        #[test]
        fn any_bytes(document in hostile(&[
            "<", "<a ", "</a>", "/>", ">", "href=", "'", "\"", "&", "&amp;", "&#58;", ";", "http://a",
            "<!--", "-->", "<!DOCTYPE ", "[", "]", "<?", "?>", "<script>", "</script", "<style>",
            "url(", ")", "<![CDATA[", "]]>", "<link>", " ", "/", "é", "xmlns=", "=", "&lt;", "&lt;p",
            "&gt;", "&lt;a href=", "&quot;", "&amp;eacute;", "<p>",
        ])) {
            all_cuts(&Xml::new(), &document, |text| !text.bytes.is_empty());
        }
    }
}
