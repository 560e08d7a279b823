//! `iriscan report`: the page has what it should, and nothing else.

use std::{
    cell::RefCell,
    fs,
    process::{Command, Stdio},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use html5ever::{
    tendril::StrTendril,
    tokenizer::{
        BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
        states::{RawKind, State},
    },
};
use sha2::{Digest, Sha256};

use crate::common::{files, iriscan, iriscan_in};

/// A page as browsers read it.
#[derive(Default)]
struct Page {
    tags: RefCell<Vec<Tag>>,
    text: RefCell<String>,
    /// The text of the style and of the script.
    raw: RefCell<Vec<String>>,
    in_raw: RefCell<bool>,
    errors: RefCell<Vec<String>>,
}

impl TokenSink for Page {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => {
                let start = tag.kind == TagKind::StartTag;
                let raw = match &*tag.name {
                    "script" => Some(RawKind::ScriptData),
                    "style" => Some(RawKind::Rawtext),
                    "title" => Some(RawKind::Rcdata),
                    _ => None,
                };
                let of_page = ["script", "style"].contains(&&*tag.name);
                *self.in_raw.borrow_mut() = start && of_page;
                if start {
                    if of_page {
                        self.raw.borrow_mut().push(String::new());
                    }
                    self.tags.borrow_mut().push(tag);
                    if let Some(raw) = raw {
                        return TokenSinkResult::RawData(raw);
                    }
                }
            }
            Token::CharacterTokens(text) if *self.in_raw.borrow() => {
                self.raw.borrow_mut().last_mut().unwrap().push_str(&text);
            }
            Token::CharacterTokens(text) => self.text.borrow_mut().push_str(&text),
            Token::ParseError(e) => self.errors.borrow_mut().push(e.into_owned()),
            Token::NullCharacterToken => self.errors.borrow_mut().push("NUL".into()),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

impl Page {
    fn of(html: &[u8]) -> Page {
        let input = BufferQueue::default();
        input.push_back(StrTendril::from(std::str::from_utf8(html).unwrap()));
        let options = TokenizerOpts { initial_state: Some(State::Data), ..Default::default() };
        let tokenizer = Tokenizer::new(Page::default(), options);
        let _ = tokenizer.feed(&input);
        tokenizer.end();
        tokenizer.sink
    }

    fn texts(&self) -> String {
        self.text.borrow().clone()
    }

    /// The values of an attribute of all tags of this name.
    fn values(&self, tag: &str, name: &str) -> Vec<String> {
        let tags = self.tags.borrow();
        let of_name = tags.iter().filter(|t| &*t.name == tag);
        of_name
            .flat_map(|t| t.attrs.iter().filter(|a| &*a.name.local == name))
            .map(|a| a.value.to_string())
            .collect()
    }
}

/// The tags that a page has. Any other would be from a hostile document.
const TAGS: [&str; 37] = [
    "html", "meta", "title", "style", "body", "header", "h1", "h2", "p", "div", "section", "table",
    "thead", "tbody", "tr", "th", "td", "bdi", "b", "svg", "rect", "label", "input", "main", "ol",
    "li", "span", "a", "script", "noscript", "i", "em", "small", "select", "option", "button",
    "output",
];

const HOSTILE: &str = "<script>alert(1)</script> http://e.org/'onclick='x <a href=http://e.org/x>\
    </bdi></li></ol></main><script src=//e.org> http://e.org/\"><img src=x onerror=alert(1)> \
    javascript:alert(1) javascript://e.org/%0aalert(1) data://e.org/x file://e.org/x \
    HTTP://e.org/&quot;&#39;<b> http://\u{202E}e.org/\u{2066} vbscript://e.org/ \
    ms-msdt://e.org/ \0\x1b[31m\u{7f}\u{9b} http://<script>.org/ <!-- http://e.org/--><title> \
    </style></title></script> ]]> http://e.org/é\u{FFFE}  //e.org/ http://e.org:80%22/";

fn report(args: &str, input: impl AsRef<[u8]>) -> Page {
    let done = iriscan(&format!("report -o - {args}"), input).exits(0);
    let page = Page::of(&done.stdout);
    assert_eq!(*page.errors.borrow(), [""; 0], "{}", String::from_utf8_lossy(&done.stdout));
    page
}

#[test]
fn a_page_shows_links_in_their_lines_with_their_uris() {
    let page = report("", "one\nsiehe „https://例え.jp/道“, http://u@e.org/ ende");
    let text = page.texts();
    for words in [
        "2 links in 1 document",
        "charset UTF-8 because its text is UTF-8; format text",
        "2 siehe „https://例え.jp/道“, http://u@e.org/ ende",
        "https://xn--r8jz45g.jp/%E9%81%93",
        "userinfo a user name stands before the host",
        "例え.jp",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert_eq!(page.values("a", "href"), ["https://xn--r8jz45g.jp/%E9%81%93", "http://u@e.org/"]);
    // These apply to all links.
    let metas = page.values("meta", "content");
    assert!(metas.contains(&"no-referrer".into()) && metas.contains(&"noindex, nofollow".into()));
    assert!(page.values("a", "target").is_empty());
    let none = report("", "nothing").texts();
    assert!(none.contains("0 links in 1 document"), "{none}");
}

#[test]
fn a_hostile_document_adds_no_markup() {
    for format in ["text", "html", "xml", "json", "log", "mail", "turtle"] {
        let args =
            format!("--format {format} --schemes any --kinds iri,bare,email --charset utf-8");
        let hostile = match format {
            "mail" => format!("Subject: {HOSTILE}\n\n{HOSTILE}"),
            "html" => format!(
                "<a href=\"javascript:alert(1)\"><a href=' jav&#x61;script:x'><img \
                               src='data:x'><a href='//e.org/\"><script>'>{HOSTILE}"
            ),
            _ => HOSTILE.to_owned(),
        };
        let page = report(&args, hostile);
        let tags = page.tags.borrow();
        let scripts: Vec<_> = tags.iter().filter(|tag| &*tag.name == "script").collect();
        assert!(scripts.len() == 1 && scripts[0].attrs.is_empty(), "{scripts:?}");
        for tag in tags.iter() {
            assert!(TAGS.contains(&&*tag.name), "{tag:?}");
            for attr in &tag.attrs {
                let name = &*attr.name.local;
                let known = match &*tag.name {
                    "meta" => ["charset", "http-equiv", "content", "name"].contains(&name),
                    "a" => ["href", "dir"].contains(&name),
                    "bdi" => name == "dir",
                    "li" => ["id", "data-s"].contains(&name),
                    "tr" => name == "data-key",
                    "input" | "select" | "option" | "button" | "output" => {
                        ["id", "type", "autocomplete", "value", "hidden"].contains(&name)
                    }
                    "svg" | "rect" => !name.starts_with("on") && name != "style" && name != "href",
                    "div" => {
                        ["id", "class", "hidden", "role", "tabindex", "aria-label"].contains(&name)
                    }
                    "th" => name == "scope",
                    "span" | "p" => ["class", "hidden", "role", "aria-label"].contains(&name),
                    _ => ["class", "hidden", "lang"].contains(&name),
                };
                assert!(known, "{tag:?}");
            }
        }
        for href in page.values("a", "href") {
            let safe = ["http:", "https:", "ftp:", "mailto:"];
            let lower = href.to_lowercase();
            assert!(safe.iter().any(|scheme| lower.starts_with(scheme)), "{format}: {href}");
            assert!(href.bytes().all(|b| matches!(b, 33..=126)), "{href}");
        }
        let text = page.texts();
        let bad = |c: char| {
            c.is_control() && c != '\n'
                || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
        };
        assert!(!text.contains(bad), "{text:?}");
        assert!(format != "text" || text.contains("<script src=//e.org>"), "{text}");
    }
}

#[test]
fn the_name_of_a_file_is_hostile_too() {
    let name = "<img src=x onerror=alert(1)>\u{202E}.txt";
    let dir = tempfile::tempdir().unwrap();
    // Other systems refuse such file names.
    if fs::write(dir.path().join(name), "http://e.org/").is_err() {
        return;
    }
    let mut command = crate::common::command(["report", "-o", "-", name]);
    command.current_dir(dir.path());
    let page = Page::of(&crate::common::Done::of(command, b"").exits(0).stdout);
    assert!(page.texts().contains("<img src=x onerror=alert(1)>\\u{202e}.txt"));
    assert!(page.values("img", "src").is_empty());
}

#[test]
fn the_policy_allows_the_style_and_the_script_and_nothing_else() {
    let done = iriscan("report -o -", "http://e.org/").exits(0).quiet();
    let page = Page::of(&done.stdout);
    let policy = &page.values("meta", "content")[0];
    let raw = page.raw.borrow();
    let [style, script] = &raw[..] else { panic!("{raw:?}") };
    let digest = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    assert_eq!(
        *policy,
        format!(
            "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
            digest(style),
            digest(script)
        )
    );
    assert!(!style.contains("url(") && !style.contains("@import"));
    assert!(style.contains("prefers-color-scheme: dark"));
    // Without the script, its tools are not shown.
    assert_eq!(page.values("div", "hidden").len(), 1);
    assert_eq!(page.values("p", "hidden").len(), 1);
}

#[test]
fn charts_explain_warnings_and_name_links_without_uri() {
    let text = "http://u@e.org/ file:///x http://لa.com/";
    let page = report("--schemes any --charset utf-8", text);
    let texts = page.texts();
    for words in [
        "userinfo a user name stands before the host1",
        "no URI form no browser or mail program can be given it1",
        "(none)1",
        "http2",
    ] {
        assert!(texts.contains(words), "{words} in {texts}");
    }
}

/// The page as a browser shows it at this address, after its script has run. `None` without
/// Chromium.
fn in_browser(page: &[u8], address: &str) -> Option<String> {
    let dir = files(&[("page.html", page)]);
    let mut chromium = Command::new("chromium");
    chromium.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]);
    chromium.args(["--disable-background-networking", "--disable-component-update", "--dump-dom"]);
    chromium.arg(format!("--user-data-dir={}", dir.path().join("profile").display()));
    chromium.arg(format!("file://{}{address}", dir.path().join("page.html").display()));
    chromium.stderr(Stdio::null());
    let dom = String::from_utf8(chromium.output().ok()?.stdout).unwrap();
    Some(dom.split("<div id=\"list\">").nth(1)?.to_owned())
}

#[test]
fn a_browser_shows_some_hundred_links_and_the_one_that_is_asked_for() {
    let links: String = (1..=450).map(|i| format!("http://e.org/{i}é\n")).collect();
    let page = iriscan("report -o -", links).exits(0).stdout;
    let Some(first) = in_browser(&page, "") else { return };
    assert_eq!(first.matches("<li id=").count(), 200, "{first}");
    assert!(first.contains("page 1 of 3"));
    let third = in_browser(&page, "#l444").unwrap();
    assert_eq!(third.matches("<li id=").count(), 50, "{third}");
    assert!(third.contains("<li id=\"l444\" class=\"here\">"), "{third}");
    // A hostile document adds nothing to the page.
    let page = iriscan("report -o - --schemes any", HOSTILE.repeat(20)).exits(0).stdout;
    let hostile = in_browser(&page, "").unwrap();
    let body = hostile.split("<script>").next().unwrap();
    assert!(!body.contains("<img") && !body.contains("<title"), "{body}");
}

#[test]
fn every_input_has_its_section() {
    let dir = files(&[
        ("a.txt", b"http://e.org/a" as &[u8]),
        ("b.sjis", b"\x81uhttp://ja.example.org/\x95\\\x81v\x82\xA0\x82\xA2"),
        ("c.eml", "Subject: http://e.org/s\n\nhttp://e.org/é\n".as_bytes()),
        ("d.html", b"<a href='/x'>"),
    ]);
    let args = "report -o out.html a.txt b.sjis c.eml d.html missing";
    let done = iriscan_in(dir.path(), args, "").exits(2).says(&["missing"]);
    done.writes("");
    let page = Page::of(&fs::read(dir.path().join("out.html")).unwrap());
    let text = page.texts();
    for words in [
        "5 links in 5 documents",
        "1 message; format mail by its name; 2 links",
        "http://ja.example.org/表」",
        "3 (part 1) http://e.org/é",
        "1 (Subject) http://e.org/s",
        "format html by its name; 1 link",
        "missing",
        "could not be read; 0 links",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(!page.values("a", "href").contains(&"/x".to_owned()));
}

#[test]
fn links_beyond_the_limit_are_counted_and_a_note_says_so() {
    let text = "http://e.org/a http://e.org/b http://e.org/c";
    for (limit, shown, note) in [(2, 2, true), (3, 3, false), (4, 3, false), (0, 0, true)] {
        let page = report(&format!("--limit {limit}"), text);
        assert_eq!(page.values("a", "href").len(), shown);
        let texts = page.texts();
        assert!(texts.contains("3 links in 1 document"));
        assert_eq!(texts.contains("all are counted"), note, "{limit}");
    }
}

#[test]
fn kinds_are_those_of_the_option() {
    let page = report("--kinds email", "a@e.org http://e.org/");
    assert_eq!(page.values("a", "href"), ["mailto:a@e.org"]);
}
