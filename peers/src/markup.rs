//! HTML and XML as other parsers read them: before and after rewriting they see the
//! same document, but for the links; and every URL attribute they see is found.

use std::cell::RefCell;

use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
    states::{RawKind, State},
};
use proptest::prelude::*;

use crate::{
    Charset, Finder, Format, Kind, Link, cases_count, documents,
    reference::{Components, HostEscapes, UriOptions},
};

/// The default of `Config::max_len`.
const MAX_LEN: u64 = 65_536;

/// What a parser sees.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Tag(String),
    Attribute {
        element: String,
        name: String,
        value: String,
    },
    Text(String),
    Comment(String),
    /// A script.
    Other(String),
}

#[derive(Default)]
struct Pieces {
    pieces: RefCell<Vec<Piece>>,
    raw: RefCell<Option<String>>,
}

impl TokenSink for Pieces {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut pieces = self.pieces.borrow_mut();
        let mut next = TokenSinkResult::Continue;
        match token {
            Token::CharacterTokens(text) => {
                let raw = self.raw.borrow().is_some();
                match pieces.last_mut() {
                    Some(Piece::Text(last)) if !raw => last.push_str(&text),
                    Some(Piece::Other(last)) if raw => last.push_str(&text),
                    _ if raw => pieces.push(Piece::Other(text.to_string())),
                    _ => pieces.push(Piece::Text(text.to_string())),
                }
            }
            Token::TagToken(tag) => {
                let element = tag.name.to_string();
                pieces.push(Piece::Tag(format!("{:?} {element}", tag.kind)));
                let attributes = tag.attrs.iter().filter(|_| tag.kind == TagKind::StartTag);
                pieces.extend(attributes.map(|attribute| Piece::Attribute {
                    element: element.clone(),
                    name: attribute.name.local.to_string(),
                    value: attribute.value.to_string(),
                }));
                *self.raw.borrow_mut() = None;
                if tag.kind == TagKind::StartTag {
                    let kind = match &*element {
                        "script" => Some(RawKind::ScriptData),
                        "iframe" | "noembed" | "noframes" | "xmp" | "style" => {
                            Some(RawKind::Rawtext)
                        }
                        "textarea" => Some(RawKind::Rcdata),
                        _ => None,
                    };
                    match &*element {
                        "title" => next = TokenSinkResult::RawData(RawKind::Rcdata),
                        "plaintext" => next = TokenSinkResult::Plaintext,
                        _ => {}
                    }
                    if let Some(kind) = kind {
                        *self.raw.borrow_mut() = Some(element);
                        next = TokenSinkResult::RawData(kind);
                    }
                }
            }
            Token::CommentToken(text) => pieces.push(Piece::Comment(text.to_string())),
            Token::NullCharacterToken => pieces.push(Piece::Other("\0".into())),
            _ => {}
        }
        next
    }
}

fn pieces(html: &str) -> Vec<Piece> {
    let options = TokenizerOpts { initial_state: Some(State::Data), ..Default::default() };
    let tokenizer = Tokenizer::new(Pieces::default(), options);
    let queue = BufferQueue::default();
    queue.push_back(html.into());
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    tokenizer.sink.pieces.into_inner()
}

/// Tags and names of attributes, as html5ever reads them, and what is neither text nor markup.
pub(super) fn skeleton(html: &str) -> Vec<String> {
    let seen = pieces(html).into_iter().filter_map(|piece| match piece {
        Piece::Attribute { name, .. } => Some(format!("@{name}")),
        Piece::Tag(tag) => Some(tag),
        Piece::Text(_) => None,
        // A parser drops it.
        Piece::Other(text) if text == "\0" => None,
        Piece::Comment(_) | Piece::Other(_) => Some("other".into()),
    });
    seen.collect()
}

/// Values and text, as html5ever reads them.
pub(super) fn strings(html: &str) -> Result<Vec<String>, String> {
    let text = |piece| match piece {
        Piece::Attribute { value, .. } => value,
        Piece::Tag(text) | Piece::Text(text) | Piece::Comment(text) | Piece::Other(text) => text,
    };
    Ok(pieces(html).into_iter().map(text).collect())
}

/// The references in attributes of HTML, without those that are empty.
pub(super) fn references(html: &str) -> Vec<String> {
    let reference = |piece| match piece {
        Piece::Attribute { element, name, value } if is_url(&element, &name) => Some(value),
        _ => None,
    };
    let all = pieces(html).into_iter().filter_map(reference);
    all.map(|value| value.trim().to_string()).filter(|value| !value.is_empty()).collect()
}

/// Attributes that are one URL (HTML standard, "attributes", and what was in use).
fn is_url(element: &str, name: &str) -> bool {
    match name {
        "href" | "src" | "xlink:href" | "cite" | "poster" | "formaction" | "background"
        | "longdesc" | "lowsrc" | "dynsrc" | "codebase" => true,
        "action" => element == "form",
        "data" => element == "object",
        "manifest" => element == "html",
        _ => false,
    }
}

/// What the URL Standard strips from both ends: C0 controls and space.
fn is_stripped(c: char) -> bool {
    c <= ' '
}

/// The URL that a value is; `None`: it opens nothing, or holds what is no character.
fn url(value: &str) -> Option<String> {
    let trimmed = value.trim_matches(is_stripped);
    let url = trimmed.replace(['\t', '\n', '\r'], "").replace(' ', "%20").replace('\u{C}', "%0C");
    let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let never = url.contains(':') && ["javascript", "data", "vbscript"].contains(&&*scheme);
    let fits = value.len() as u64 <= MAX_LEN;
    (fits && !url.is_empty() && !never && !url.contains('\u{FFFD}')).then_some(url)
}

/// What a value must be once the document is rewritten.
fn rewritten(value: &str, charset: Charset) -> String {
    let Some(url) = url(value).filter(|url| !url.is_ascii()) else { return value.to_owned() };
    // A page has a web address, so a relative reference is converted as a part of one.
    let base = match Components::split(&url).scheme() {
        Some(_) => "",
        None if url.starts_with("//") => "https:",
        None if url.starts_with('/') => "https://h",
        None => "https://h/",
    };
    let options = UriOptions::new().host_escapes(HostEscapes::Keep).charset(charset);
    let whole = [base, &url].concat();
    let Ok(uri) = options.to_uri(&whole) else { return value.to_owned() };
    let uri = uri.strip_prefix(base).expect("the base should be a URI").to_owned();
    value.replacen(value.trim_matches(is_stripped), &uri, 1)
}

/// Holds what html5ever sees in a document against what it sees in the rewritten one.
/// How many URL attributes there are.
fn compare(before: &str, after: &str, charset: Charset) -> Result<Vec<String>, String> {
    let (old, new) = (pieces(before), pieces(after));
    if old.len() != new.len() {
        return Err(format!("{} pieces, then {}", old.len(), new.len()));
    }
    let mut urls = vec![];
    for (at, (piece, new)) in old.iter().zip(&new).enumerate() {
        let want = match piece {
            Piece::Attribute { element, name, value } if is_url(element, name) => {
                urls.extend(url(value));
                let value = rewritten(value, charset);
                Piece::Attribute { element: element.clone(), name: name.clone(), value }
            }
            Piece::Attribute { name, .. }
                if ["srcset", "imagesrcset", "style", "ping", "profile", "content"]
                    .contains(&&**name) =>
            {
                // Several in one value: testdata/html.toml has them.
                continue;
            }
            Piece::Attribute { element, name, value } => {
                let value = field(value, charset);
                Piece::Attribute { element: element.clone(), name: name.clone(), value }
            }
            Piece::Text(_) => {
                let texts = texts(&old, at, charset);
                // Directly after a `<` what is written could begin a tag, and the link stays.
                let stays =
                    |new: &String| new.contains("<http") && *piece == Piece::Text(new.clone());
                let is_one = |new: &String| texts.contains(new) || stays(new);
                match new {
                    Piece::Text(new) if is_one(new) => continue,
                    _ => return Err(format!("{piece:?} becomes {new:?}, none of {texts:?}")),
                }
            }
            // Style sheets have their own references.
            Piece::Comment(text) | Piece::Other(text)
                if text.contains("url(") || text.contains("@import") =>
            {
                continue;
            }
            other => other.clone(),
        };
        if *new != want {
            return Err(format!("{piece:?} becomes {new:?}, not {want:?}"));
        }
    }
    Ok(urls)
}

/// The text of a piece, which is empty for others than texts.
fn part(piece: &Piece) -> &str {
    match piece {
        Piece::Text(text) => text,
        _ => "",
    }
}

/// What the text at `at` may become. A comment such as `<!---->` and a tag such as `<b>` do not end a text: what is
/// before and after them is read as one, and a link with one of them inside stays. Others end it, such as `<!x>`
/// and `<p>`; testdata/html.toml says which, and here either is right.
fn texts(pieces: &[Piece], at: usize, charset: Charset) -> Vec<String> {
    let joined = |piece: &&Piece| !matches!(piece, Piece::Other(_));
    let first = at - pieces[..at].iter().rev().take_while(joined).count();
    let end = at + pieces[at..].iter().take_while(joined).count();
    let parts: Vec<&str> = pieces[first..end].iter().map(part).collect();
    let at = at - first;
    let runs = (0..=at).flat_map(|from| (at + 1..=parts.len()).map(move |to| (from, to)));
    runs.map(|(from, to)| prose_in(&parts[from..to], charset).swap_remove(at - from)).collect()
}

/// As [`prose`], of an attribute: as if its quotation marks stood there.
fn field(value: &str, charset: Charset) -> String {
    let quoted = prose(&format!("=\"{value}\""), charset);
    quoted[2..quoted.len() - 1].to_owned()
}

/// Text with its links rewritten as in plain text.
fn prose(text: &str, charset: Charset) -> String {
    prose_in(&[text], charset).concat()
}

/// Text in parts, each with its links rewritten as in plain text. A link that lies in several parts stays.
fn prose_in(parts: &[&str], charset: Charset) -> Vec<String> {
    let text = parts.concat();
    let links: Vec<_> = Finder::new().find_iter(&*text).map(|link| link.to_link()).collect();
    let mut start = 0;
    let rewrite = |part: &&str| {
        let end = start + part.len();
        let (mut out, mut at) = (String::new(), start);
        let is_within = |link: &&Link| start <= link.range().start && link.range().end <= end;
        for link in links.iter().filter(is_within) {
            out += &text[at..link.range().start];
            let options = UriOptions::new().host_escapes(HostEscapes::Keep);
            let uri = options.charset(charset).to_uri(&link.iri()).map(|uri| uri.into_owned());
            let uri = uri.ok().filter(|_| !link.is_ascii());
            out += &uri.unwrap_or_else(|| link.text().into_owned());
            at = link.range().end;
        }
        out += &text[at..end];
        start = end;
        out
    };
    parts.iter().map(rewrite).collect()
}

/// The URLs, in order, are among the links that are found.
fn all_found(urls: &[String], bytes: &[u8], finder: &Finder) -> Result<(), String> {
    let mut links = finder.find_iter(bytes).filter(|link| link.kind() == Kind::Iri);
    for url in urls {
        if !links.any(|link| link.iri() == **url) {
            return Err(format!("{url:?} is not found, or not in order"));
        }
    }
    Ok(())
}

fn check(bytes: &[u8]) -> Result<Vec<String>, String> {
    let finder = Finder::new().format(Format::Html);
    let (after, done) = finder.rewrite_slice(bytes);
    let charset = done.summary.charset;
    let urls = compare(&charset.decode(bytes), &charset.decode(&after), charset)?;
    // A byte that is no character is U+FFFD to the other parser, and nothing to us.
    if !charset.decode(bytes).contains('\u{FFFD}') {
        all_found(&urls, bytes, &finder)?;
    }
    Ok(urls)
}

/// Markup, well-formed and not, from pieces.
fn markup() -> impl Strategy<Value = String> {
    let pieces = [
        "<a href='",
        "<a href=\"",
        "<a href=",
        "<img src=",
        "'",
        "\"",
        ">",
        "<",
        "/>",
        " ",
        "\n",
        "é",
        "&eacute;",
        "&eacute",
        "&amp;",
        "&#233;",
        "&#xe9",
        "&#58;",
        "&",
        ";",
        "http://a.org/",
        "http://",
        "/",
        "b",
        "=",
        "<p title='",
        "<!--",
        "-->",
        "--!>",
        "-",
        "!",
        "<!",
        "<?",
        "</",
        "</a>",
        "<script>",
        "</script>",
        "<style>",
        "</style>",
        "<title>",
        "</title>",
        "<textarea>",
        "</textarea>",
        "<b>",
        "日",
        "%",
        "?q=",
        "#",
        "url(",
        ")",
        "<A HREF =",
        "&notin;",
        "&notit;",
        "&copy=",
        "javascript:",
        "\t",
        "<br",
        "&lt;",
        "&#",
        "&#x",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..24)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases_count()))]

    /// html5ever sees the same document, with its links rewritten.
    #[test]
    fn another_parser_sees_only_links_change(html in markup()) {
        // That parser has no token for it, and joins the text on both sides.
        let html = html.replace("</>", "< />");
        let finder = Finder::new().format(Format::Html);
        let (after, _) = finder.rewrite_slice(&*html);
        let after = str::from_utf8(&after).expect("UTF-8 should stay UTF-8");
        let urls = compare(&html, after, Charset::UTF_8);
        prop_assert!(urls.is_ok(), "{}", urls.unwrap_err());
    }
}

/// What quick-xml sees; `None`: the document is not well-formed.
fn xml_pieces(xml: &str) -> Option<Vec<Piece>> {
    use quick_xml::{Reader, escape::unescape, events::Event};

    let (mut reader, mut pieces) = (Reader::from_str(xml), vec![]);
    let mut text = String::new();
    loop {
        let event = reader.read_event().ok()?;
        match &event {
            Event::Text(raw) => {
                text += raw;
                continue;
            }
            Event::GeneralRef(name) => {
                text += &format!("&{};", &**name);
                continue;
            }
            _ if text.is_empty() => {}
            _ => pieces.push(Piece::Text(unescape(&text).ok()?.into_owned())),
        }
        text.clear();
        match event {
            Event::Eof => return Some(pieces),
            Event::Start(tag) | Event::Empty(tag) => {
                let element: String = tag.name().as_ref().to_owned();
                pieces.push(Piece::Tag(element.clone()));
                for attribute in tag.attributes() {
                    let attribute = attribute.ok()?;
                    let name: String = attribute.key.as_ref().to_owned();
                    let value = attribute.value.replace(['\t', '\n', '\r'], " ");
                    let value = unescape(&value).ok()?.into_owned();
                    pieces.push(Piece::Attribute { element: element.clone(), name, value });
                }
            }
            Event::CData(raw) => pieces.push(Piece::Text((*raw).to_owned())),
            other => pieces.push(Piece::Other(format!("{other:?}"))),
        }
    }
}

/// Names of elements, values and texts, as quick-xml reads them; `None`: the document is not well-formed.
pub(super) fn xml_strings(xml: &str) -> Option<Vec<String>> {
    let (mut out, mut in_text) = (vec![], false);
    for piece in xml_pieces(xml)? {
        let is_text = matches!(piece, Piece::Text(_));
        match piece {
            Piece::Attribute { name, value, .. } => out.extend([name, value]),
            // Sections of CDATA that follow each other are one text.
            Piece::Text(text) if in_text => {
                let last = out.pop().unwrap_or_default();
                out.push(last + &text);
            }
            Piece::Tag(text) | Piece::Text(text) | Piece::Comment(text) | Piece::Other(text) => {
                out.push(text);
            }
        }
        in_text = is_text;
    }
    Some(out)
}

/// Elements that are a URL.
const IS_URL: [&str; 10] =
    ["link", "guid", "loc", "url", "uri", "id", "icon", "logo", "docs", "comments"];

/// As [`compare`], for what quick-xml sees; escaped HTML by html5ever.
fn compare_xml(before: &str, after: &str, charset: Charset) -> Result<Vec<String>, String> {
    let Some(old) = xml_pieces(before) else { return Ok(vec![]) };
    let new = xml_pieces(after).ok_or("well-formed, then not")?;
    if old.len() != new.len() {
        return Err(format!("{} pieces, then {}", old.len(), new.len()));
    }
    let (mut urls, mut element) = (vec![], "");
    for (old, new) in old.iter().zip(&new) {
        if let Piece::Tag(name) = old {
            element = name.split(':').next_back().unwrap_or_default();
        }
        let want = match (old, new) {
            (Piece::Text(text), _)
                if IS_URL.contains(&element) && text.trim().split("//").count() > 1 =>
            {
                // It may have several texts: testdata/xml.toml has cases.
                if text.is_ascii() && new != old {
                    return Err(format!("{old:?} becomes {new:?}"));
                }
                continue;
            }
            (Piece::Attribute { element, name, value }, _) => {
                let special = ["href", "src", "xlink:href", "url", "xml:base"];
                let rdf = ["rdf:about", "rdf:resource", "rdf:datatype"];
                let value = match &**name {
                    name if special.contains(&name) || rdf.contains(&name) => {
                        urls.extend(url(value));
                        rewritten(value, charset)
                    }
                    name if name.starts_with("xmlns") || name.ends_with("chemaLocation") => {
                        value.clone()
                    }
                    "style" => continue,
                    _ => field(value, charset),
                };
                Piece::Attribute { element: element.clone(), name: name.clone(), value }
            }
            (Piece::Text(text), Piece::Text(new)) if text.contains("</") || text.contains("/>") => {
                urls.extend(compare(text, new, charset)?);
                continue;
            }
            (Piece::Text(text), _) => Piece::Text(prose(text, charset)),
            (other, _) => other.clone(),
        };
        if *new != want {
            return Err(format!("{old:?} becomes {new:?}, not {want:?}"));
        }
    }
    Ok(urls)
}

#[test]
fn attributes_of_real_feeds_are_those_of_quick_xml() {
    let finder = Finder::new().format(Format::Xml);
    let sum = documents::on_every_file(|_, path, bytes| {
        let name = path.to_string_lossy();
        if !([".xml", ".rdf", ".atom", ".rss", ".svg"].iter().any(|e| name.ends_with(e))) {
            return Ok(0);
        }
        let (after, done) = finder.rewrite_slice(bytes);
        let charset = done.summary.charset;
        let text = charset.decode(bytes);
        let urls = compare_xml(&text, &charset.decode(&after), charset)?;
        if !text.contains('\u{FFFD}') {
            all_found(&urls, bytes, &finder)?;
        }
        Ok(urls.len())
    });
    if let Some(sum) = sum {
        println!("{sum} URL attributes of feeds and RDF, all found");
    }
}

#[test]
fn attributes_of_real_pages_are_those_of_html5ever() {
    let sum = documents::on_every_file(|_, path, bytes| {
        let name = path.to_string_lossy();
        if !(name.ends_with(".html") || name.ends_with(".htm")) {
            return Ok(0);
        }
        check(bytes).map(|urls| urls.len())
    });
    if let Some(sum) = sum {
        println!("{sum} URL attributes of pages, all found");
    }
}
