//! Bounds on hostile markup: of time, and of memory.

use std::{convert::Infallible, format, ops::ControlFlow, string::String, vec::Vec};

use super::cases;
use crate::{
    api::{config::Config, finder::Finder, scanner::Scanner},
    charset::Charset,
    format::kinds::Format,
    links::{matched::Match, sink::Sink},
    reference::base::BaseUri,
};

/// Takes everything.
#[derive(Default)]
struct Count(usize);

impl Sink for Count {
    type Error = Infallible;
    fn text(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.0 += bytes.len();
        Ok(())
    }
    fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Infallible> {
        self.0 += link.source().len();
        Ok(ControlFlow::Continue(()))
    }
}

/// A start, and a piece that is repeated after it.
const HOSTILE: &[(&str, &str)] = &[
    ("", "<"),
    ("", "<a"),
    ("", "<a "),
    ("", "<a href="),
    ("", "<a href='"),
    ("<a b=\"&amp;\" c=\"", ":"),
    ("<a b=&amp; c=", ":"),
    ("<a ", "b='x:'"),
    ("<a ", "b=mailto:\n"),
    ("", "mailto:\n<meta content=://"),
    ("", "<a href='é'>"),
    ("<a href='", "é"),
    ("<a href='", "&amp;"),
    ("<a href='", "&a"),
    ("<a href=", "a&amp;"),
    ("<a href=\"", "\n"),
    ("<p title='http://", "&amp;"),
    ("", "<b/ "),
    ("", "<!--"),
    ("<!--", "-"),
    ("<!--", "--!"),
    ("<!--", "<!--"),
    ("", "<!"),
    ("", "<?"),
    ("", "</"),
    ("", "</a"),
    ("", "&"),
    ("", "&#"),
    ("", "&#x"),
    ("", "&#0"),
    ("&#", "0"),
    ("&#x", "a"),
    ("", "&a"),
    ("", "&notin"),
    ("", "&lt;"),
    ("", "&lt;a "),
    ("", "&lt;a"),
    ("", "&lt;a b="),
    ("", "&lt;a href=&quot;"),
    ("&lt;a href=&quot;", "&amp;amp;"),
    ("&lt;p&gt;", "&amp;lt;"),
    ("&lt;p&gt;", "&amp;"),
    ("&lt;p&gt;", "&lt;!--"),
    ("&lt;style&gt;", ")url(a"),
    ("", "]]>"),
    ("", "]]"),
    ("<![CDATA[", "]"),
    ("<![CDATA[", "<a b "),
    ("<![CDATA[<p>", "]]"),
    ("<![CDATA[<p>", "http://a"),
    ("", "<![CDATA["),
    ("", "<![CDATA[]]>"),
    ("", "\\"),
    ("", "\\u"),
    ("", "\\ud83c"),
    ("", "\\u00e9"),
    ("", "http:\\/\\/"),
    ("http:\\/\\/a\\/", "\\u00e9"),
    ("", "\""),
    ("", "\"\\"),
    ("", "\"\n"),
    ("", "\"u\":\""),
    ("\"u\":[", "\"a\","),
    ("", "{"),
    ("", "["),
    ("", "link:"),
    ("", "http://["),
    ("", "http://a "),
    ("link:", "{"),
    ("link:++", "+"),
    ("image::", " "),
    ("http://", "a"),
    ("", "{\"u\":["),
    ("", "{\"u\":\"a\"}"),
    ("\"", "a"),
    ("", "\\x"),
    ("", "\\xC3"),
    ("http://a/", "\\xC3\\xA9"),
    ("", "\x1b"),
    ("", "\x1b["),
    ("", "\x1b]"),
    ("", "\x1b]8;"),
    ("\x1b]8;;", "a"),
    ("", "\x1b]8;;a\x07"),
    ("\x1b[", "1;"),
    ("", "\x1b[m"),
    ("", "<style>url("),
    ("", "<style></style>"),
    ("<style>", "url("),
    ("<style>", ")url(a"),
    ("<style>", ")url('"),
    ("<style>", "u"),
    ("<style>", "xu"),
    ("<style>", "@import"),
    ("<style>", "@import '"),
    ("<style>", "/*"),
    ("<style>", "/"),
    ("<style>", "<"),
    ("<style>", "</styl"),
    ("<p style='", "url("),
    ("<p style='", "url(a)"),
    ("<p style=\"", "url('"),
    ("<p style='", "@import"),
    ("<p style='", "/*"),
    ("<img srcset='", ","),
    ("<img srcset='", "a,"),
    ("<img srcset='", "a ("),
    ("<a ping='", "a "),
    ("<a ", "b/"),
    ("<a ", "b c='d' "),
    ("<a ", "b=c "),
    ("<a ", "b=\"c\" d='"),
    ("<a b=\"c\" ", "d/e "),
    ("<script ", "b/"),
    ("", "</a "),
    ("", "</a b/"),
    ("", "<a b='c>"),
    ("", "<a b=\">\">"),
    ("", "<a b=\"c:"),
    ("", "<!"),
    ("", "<st "),
    ("<script>", "</scrip"),
    ("<script>", "<"),
    ("<script type=application/ld+json>", "\"\\/"),
    ("<script type=application/ld+json>", "\"<"),
    ("<script type=importmap>", "{\"a\":"),
    ("<script type=importmap>", "[\"http://a\","),
    ("<!--[if a]>", "-"),
    ("<!--[if a]>", "<a b='-"),
    ("", "<!--[if a]>-->"),
    ("<title>", "</titl"),
    ("<textarea>", "</"),
    ("<plaintext>", "http://"),
    ("<!DOCTYPE a ", "["),
    ("<!DOCTYPE a [", "<!--"),
    ("<!DOCTYPE a [", "'"),
    ("", "http://a&amp;"),
    ("", "http://a/&eacute;"),
    ("", "<b>http://a</b>"),
    ("", "<b>x"),
    ("", "x<b> "),
    ("", "x<b></p>"),
    ("", "x<!--"),
    ("<w:t>", "x</w:t><w:t>"),
    ("<w:t>http://x", "</w:t><w:t>"),
    ("<w:t>x</w:t>", " "),
    ("<w:t>x", "<w:rPr>"),
    ("<w:t>x", "<w:r b='"),
    ("", "<w:t>x</w:t> "),
    ("<text:p>", "x<text:span>"),
    ("", "<<"),
    ("", "<>"),
    ("", "<a>"),
    ("<", "a"),
    ("<", "\\u00e9"),
    ("<", "\\U000000e9"),
    ("", "'"),
    ("\"\"\"", "\"\" "),
    ("", "\"\"\"a"),
    ("#", "http://"),
    ("", "#\n"),
    ("", "{|"),
    ("", "a:\\'"),
    ("\"", "\"\""),
    ("", "["),
    ("[a](", "("),
    ("", "[a](<"),
    ("", "[a]:\n"),
    ("", "`"),
    ("`", "``"),
    ("", "`a\n"),
    ("```\n", "``` \n"),
    ("", "> "),
    ("", "- "),
    ("", "\n    a"),
    ("", "<a b"),
    ("<a", " b"),
    ("[a](", "\\"),
    ("", "[a](b "),
    ("", "\\_"),
    ("http://", "\\_"),
    ("\"", ","),
    ("", "\","),
    ("", "\"\n"),
    ("", ",http://a"),
    ("\"", "http://a/\"\""),
    ("", "x:"),
];

/// Names and addresses have their own in `limits.rs`: the text of a region is
/// scanned as they are there.
fn finders() -> Vec<Finder> {
    let charsets = [Charset::UTF_8, Charset::UTF_16LE, Charset::ISO_2022_JP];
    let config = |charset| Config::new().charset(charset).max_len(256);
    let fields = |charset| config(charset).fields(["u"]).build().expect("should be valid");
    let finder = |charset| config(charset).build().expect("should be valid");
    let formats = |charset| Format::ALL[1..].iter().map(move |f| finder(charset).format(*f));
    let all = charsets.into_iter().flat_map(formats);
    all.chain([fields(Charset::UTF_8).format(Format::Json)]).collect()
}

/// How many steps are taken, and how much is held at most.
fn cost(finder: &Finder, bytes: &[u8], chunk: usize) -> (u64, usize) {
    let before = crate::charset::cursor::STEPS.get();
    let (mut scanner, mut count, mut most): (Scanner, _, _) =
        (finder.scanner(), Count::default(), 0);
    for chunk in bytes.chunks(chunk) {
        let Ok(()) = scanner.push(chunk, &mut count);
        most = most.max(scanner.held());
    }
    let Ok(_) = scanner.finish(&mut count);
    assert_eq!(count.0, bytes.len());
    (crate::charset::cursor::STEPS.get() - before, most)
}

/// Twice the bytes take at most 2.3 times the steps, and no byte takes many: steps of
/// the scanner over characters, calls of the lexer, and what HTML in XML decodes
/// ahead. No lexer looks further than [`AHEAD`](crate::format::lexing::lexer::AHEAD) without
/// a token, which its own tests see to.
#[test]
fn hostile_markup_takes_linear_time() {
    let (mut ran, mut worst) = (0, (0, String::new()));
    let sizes = match super::are_long() {
        true => [(1, 1 << 12), (4096, 1 << 15), (usize::MAX, 1 << 15)],
        false => [(1, 1 << 10), (1024, 1 << 13), (usize::MAX, 1 << 13)],
    };
    for (start, unit) in HOSTILE {
        for finder in &finders() {
            let charset = finder.charset.expect("it should be told");
            let encode = |text: &str| cases::encode(text, charset);
            let (Some(head), Some(once)) = (encode(start), encode(unit)) else { continue };
            for (chunk, size) in sizes {
                let count = size / 2 / once.len();
                let half = [&head[..], &once.repeat(count)].concat();
                let whole = [&head[..], &once.repeat(2 * count)].concat();
                let ((once, _), (twice, _)) =
                    (cost(finder, &half, chunk), cost(finder, &whole, chunk));
                ran += 1;
                let what = format!("{:?} {start:?} {unit:?} in {charset}, {chunk}", finder.format);
                let per_byte = twice / whole.len() as u64;
                if per_byte > worst.0 {
                    worst = (per_byte, what.clone());
                }
                // A step a byte is linear whatever came before.
                let floor = once + half.len() as u64 * 11 / 10;
                let linear = twice <= (once * 23 / 10).max(floor);
                assert!(chunk == 1 || linear, "{what}: {once}, then {twice}");
                assert!(per_byte <= if chunk == 1 { 250 } else { 60 }, "{what}: {per_byte} a byte");
            }
        }
    }
    std::println!("{ran} ran; the most steps a byte: {worst:?}");
}

/// The longest value that may hold links, as the carry keeps it, in UTF-16 and twice;
/// the view of it, twice; its text; and what is scanned at once.
const BOUND: usize = (2 * 2 + 2 + 1) * (256 + 64 * 1024) + 64 * 1024;

/// Bases of elements are counted up to 64, as docs/formats.md says; those within count for nothing, and change
/// none of the others.
#[test]
fn bases_of_elements_are_nested_64_deep() {
    let mut xml = String::new();
    for i in 0..70 {
        xml += &format!("<e xml:base='{i}/'><a href='x'/>");
    }
    xml += &"</e>".repeat(7);
    xml += "<a href='y'/>";
    let base = BaseUri::new("http://a.example/").expect("it should be absolute");
    let finder = Finder::new().format(Format::Xml).base(base);
    let links: Vec<_> = finder.find_iter(&xml).map(|link| link.absolute().unwrap()).collect();
    let path = |n: usize| (0..n).map(|i| format!("{i}/")).collect::<String>();
    assert_eq!(links[2 * 63 + 1], format!("http://a.example/{}x", path(64)));
    assert_eq!(links[2 * 69 + 1], links[2 * 63 + 1]);
    assert_eq!(links[140], format!("http://a.example/{}y", path(63)));
}

/// Each document is twice as long as what may be held of it. One of eight pairs of a document and a finder is
/// tried; all of them if the tests are long.
#[test]
fn hostile_markup_takes_bounded_memory() {
    let (mut worst, finders) = ((0, String::new()), finders());
    let hostile = HOSTILE.iter().filter(|(start, _)| !start.is_empty());
    for (i, (start, unit)) in hostile.enumerate() {
        let one_of_eight = |j: &usize| super::are_long() || (i + j).is_multiple_of(8);
        for finder in (0..finders.len()).filter(one_of_eight).map(|j| &finders[j]) {
            let charset = finder.charset.expect("it should be told");
            let encode = |text: &str| cases::encode(text, charset);
            let (Some(head), Some(once)) = (encode(start), encode(unit)) else { continue };
            let whole = [&head[..], &once.repeat(2 * BOUND / once.len())].concat();
            let (_, held) = cost(finder, &whole, 4096);
            let what = format!("{:?} {start:?} {unit:?} in {charset}", finder.format);
            assert!(held <= BOUND, "{what}: {held} held");
            if held > worst.0 {
                worst = (held, what);
            }
        }
    }
    std::println!("the most that is held, of {BOUND}: {worst:?}");
}

/// Where tags never close, each link would have its element read as far as that may be. All of it together is a few
/// times the document, and the same however the document comes.
#[test]
fn texts_of_elements_that_never_close_take_linear_time() {
    use crate::{charset::cursor::STEPS, links::link::Link};

    /// Keeps the texts of elements.
    #[derive(Default)]
    struct Anchors(Vec<Option<String>>);

    impl Sink for Anchors {
        type Error = Infallible;
        fn text(&mut self, _: &[u8]) -> Result<(), Infallible> {
            Ok(())
        }
        fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Infallible> {
            self.0.push(link.anchor().map(String::from));
            Ok(ControlFlow::Continue(()))
        }
    }

    for (format, unit) in [
        (Format::Html, "<a href='"),
        (Format::Html, "<a href='b'"),
        (Format::Html, "<a href='b' "),
        (Format::Xml, "<a href='b'>"),
        (Format::Xml, "<a href='b'>c "),
        (Format::Xml, "<a href='b'/><a href='b'>é"),
        (Format::Xml, "<a href='b'><i>x</i>"),
    ] {
        let text = unit.repeat(4 * 16_384 / unit.len() * 2);
        let finder = |elements| {
            let config = Config::new().elements(elements).format(format).charset(Charset::UTF_8);
            config.build().expect("the options should be valid")
        };
        let steps = |elements| {
            let before = STEPS.get();
            let links: Vec<Link> = finder(elements).find_iter(&text).map(|l| l.to_link()).collect();
            assert!(!links.is_empty(), "{unit}");
            STEPS.get() - before
        };
        let (without, with) = (steps(false), steps(true));
        assert!(
            with < 16 * (without + text.len() as u64),
            "{unit:?}: {with} steps, {without} without"
        );
        let anchors = |chunk: usize| {
            let (mut scanner, mut sink) = (finder(true).scanner(), Anchors::default());
            for piece in text.as_bytes().chunks(chunk) {
                let Ok(()) = scanner.push(piece, &mut sink);
            }
            let Ok(_) = scanner.finish(&mut sink);
            sink.0
        };
        let whole = anchors(text.len());
        assert!(whole.iter().any(Option::is_some), "{unit:?}");
        for chunk in [1, 97, 4096] {
            assert!(anchors(chunk) == whole, "{unit:?} in chunks of {chunk}");
        }
    }
}
