//! Limits: of the length of links, of memory, of time.

use std::{
    convert::Infallible,
    format,
    ops::ControlFlow,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use super::ways;
use crate::{
    api::{config::Config, finder::Finder, scanner::Scanner},
    charset::Charset,
    format::kinds::Format,
    grammar::types::{Kind, RuleSet},
    links::{matched::Match, sink::Sink},
    reference::warning::Warning,
};

/// A sink that accepts everything, and counts links and bytes.
#[derive(Default)]
struct Count {
    text: usize,
    links: usize,
}

impl Sink for Count {
    type Error = Infallible;
    fn text(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.text += bytes.len();
        Ok(())
    }
    fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Infallible> {
        self.links += 1;
        self.text += link.source().len();
        Ok(ControlFlow::Continue(()))
    }
}

fn utf8() -> Finder {
    Config::new().charset(Charset::UTF_8).build().expect("should be valid")
}

/// Returns the most bytes that a scanner holds while it reads `chunks`.
fn most_held<'b>(finder: &Finder, chunks: impl IntoIterator<Item = &'b [u8]>) -> usize {
    let (mut scanner, mut count, mut most): (Scanner, _, _) =
        (finder.scanner(), Count::default(), 0);
    for chunk in chunks {
        let Ok(()) = scanner.push(chunk, &mut count);
        most = most.max(scanner.held());
    }
    most
}

#[test]
fn plain_lines_are_never_held_back() {
    let mut scanner = utf8().scanner();
    let mut count = Count::default();
    for line in ["plain text\n", "日本語。\n", "x: y, http: z\n", "see http://a.org/b \n"] {
        let Ok(()) = scanner.push(line.as_bytes(), &mut count);
        assert_eq!(scanner.delivered(), scanner.pushed(), "{line:?} should be delivered at once");
    }
}

#[test]
fn only_text_that_may_change_is_held_back() {
    fn held(text: &str) -> (&str, &str) {
        let mut scanner = utf8().scanner();
        let Ok(()) = scanner.push(text.as_bytes(), &mut Count::default());
        (text, &text[scanner.delivered() as usize..])
    }
    let texts = [
        "see htt",
        "them",
        "mail",
        "git+ss",
        "abc",
        "x http://a.org/b.",
        "http://a ",
        "(http://a/é。b",
    ];
    assert_eq!(
        texts.map(held),
        [
            ("see htt", "htt"),
            ("them", ""),
            ("mail", "mail"),
            ("git+ss", "git+ss"),
            ("abc", ""),
            ("x http://a.org/b.", "http://a.org/b."),
            ("http://a ", ""),
            ("(http://a/é。b", "http://a/é。b"),
        ]
    );
}

#[test]
fn an_incomplete_character_is_held() {
    let text = "日本".as_bytes();
    let mut scanner = utf8().scanner();
    let Ok(()) = scanner.push(&text[..5], &mut Count::default());
    assert_eq!(scanner.delivered(), 3);
}

#[test]
fn a_link_as_long_as_the_limit_is_found_and_one_byte_more_is_text() {
    for (extra, found) in [(-1i64, 1), (0, 1), (1, 0)] {
        for max in [20u64, 1000, 65_536] {
            let finder = Config::new().charset(Charset::UTF_8).max_len(max).build().unwrap();
            let n = (max as i64 + extra) as usize - "http://a/".len();
            for after in ["", " ", ".", ". ", "\n", "…"] {
                let text = format!(" http://a/{}{after}", "x".repeat(n));
                let links = ways::slice(&finder, text.as_bytes()).links.len();
                assert_eq!(links, found, "max {max}, {extra} more, {after:?}");
                assert_eq!(ways::push(&finder, text.as_bytes().chunks(7)).links.len(), found);
            }
        }
    }
}

#[test]
fn text_after_a_link_over_the_limit_is_scanned() {
    for rules in [RuleSet::Prose, RuleSet::Uts58] {
        let config = Config::new().charset(Charset::UTF_8).rules(rules).max_len(12);
        let finder = config.kinds([Kind::Iri, Kind::Bare, Kind::Email]).build().unwrap();
        for long in ["abcdefghi.com", "http://abc.com", "a@abcdefgh.com"] {
            for between in [" ", "\n", "<", "\"", " x "] {
                let text = format!("{long}{between}www.b.jp");
                for sizes in [1, 5, 64] {
                    let links = ways::push(&finder, text.as_bytes().chunks(sizes)).links;
                    let end = text.len() as u64;
                    assert_eq!(links, [(end - 8, end)], "{rules:?} {text:?} {sizes}");
                }
            }
        }
    }
}

#[test]
fn find_at_reads_only_text_near_the_offset() {
    let paragraphs = [
        "voir http://例え.jp/x_(y) et (a.example.org/b) ou anna@example.org, puis\n",
        "日本語、http://例え.jp/路。次の行\r\n\r\nhttp://例え.jp/路。次\n\n",
    ];
    let names = ["UTF-8", "Shift_JIS", "gb18030", "UTF-16LE", "UTF-16BE", "UTF-32LE"];
    for (charset, text) in names.iter().flat_map(|name| paragraphs.map(|text| (*name, text))) {
        let charset = Charset::for_label(charset).expect("the charset should be known");
        let finder = Config::new().kinds([Kind::Iri, Kind::Bare, Kind::Email]).build().unwrap();
        let one =
            crate::tests::cases::encode(text, charset).expect("the charset should hold the text");
        let all = one.repeat((1 << 20) / one.len());
        let middle = (all.len() / 2 / one.len()) * one.len();
        let mut found = 0;
        let before = crate::charset::cursor::STEPS.get();
        for offset in (middle..middle + one.len()).step_by(4) {
            let input = crate::api::find::Input::new(&all[..]).charset(charset);
            found += usize::from(finder.find_at(input, offset).is_some());
        }
        let steps = (crate::charset::cursor::STEPS.get() - before) as usize;
        // Each call takes a few steps for each byte of the paragraph, and none for the million
        // bytes around it.
        let calls = one.len() / 4;
        assert!(found > calls / 4, "{charset} {text:?}: {found} of {calls}");
        assert!(steps < 8 * calls * one.len(), "{charset} {text:?}: {steps} steps, {calls} calls");
    }
}

#[test]
fn memory_is_bounded_for_any_input() {
    let finder = utf8();
    let bound = 2 * 65_536 + 4096;
    let unit = |unit: &str| unit.repeat((1 << 20) / unit.len());
    let inputs = [
        format!("http://a/{}", unit("x")),
        format!("http://a/{}", unit(".")),
        format!("http://{}", unit("a")),
        format!("http://{}", unit("a:")),
        format!("mailto:{}", unit("a")),
        format!("news:{}", unit("a")),
        format!("(http://a。{}", unit("日")),
        format!("\"http://a/{}", unit("(")),
        unit("“http://a。"),
        unit("a"),
        unit("日"),
        unit("http://"),
    ];
    for input in &inputs {
        let most = most_held(&finder, input.as_bytes().chunks(4096));
        assert!(most <= bound, "{most} bytes are held of {:?}…", &input[..20]);
    }
}

#[test]
fn the_decision_on_a_charset_holds_back_a_window_at_most() {
    let finder = Finder::new();
    let input = [b"http://a/ ".repeat(10), b"\xE9 text ".repeat(100_000)].concat();
    let most = most_held(&finder, input.chunks(4096));
    assert!((60_000..80_000).contains(&most), "{most}");
    // Plain ASCII is never held.
    let most = most_held(&finder, b"plain text \x1B[0m\n".repeat(10_000).chunks(4096));
    assert!(most < 200, "{most}");
}

#[test]
fn small_and_odd_inputs() {
    let finder = Finder::new();
    for input in [
        &b""[..],
        b"h",
        b":",
        b"\xEF\xBB\xBF",
        b"\xFF\xFE",
        b"\xFF",
        b"\0",
        b"\0\0\0\0",
        b"\xFF\xFE\0\0",
        b"\xEF\xBB",
        b"http",
        b"http://",
        b"http://a",
        b"\x1B$B",
        b"\xE3\x81",
        b"\r\n",
        b"http://a\xE3",
    ] {
        let outcome = ways::push(&finder, [input]);
        assert_eq!(outcome.all, input);
        assert_eq!(ways::push(&finder, input.chunks(1)), outcome);
        assert_eq!(&*finder.rewrite_slice(input).0, input);
    }
}

#[test]
fn long_links_and_lines() {
    let finder = Finder::new();
    let link = format!("http://a.org/{}", "x".repeat(10 << 20));
    let text = format!("é {link} <http://b.org/é>");
    let outcome = ways::push(&finder, text.as_bytes().chunks(1 << 16));
    assert_eq!(outcome.uris, [Some(String::from("http://b.org/%C3%A9"))]);
    assert_eq!(outcome.all, text.as_bytes());
}

#[test]
fn a_scanner_says_how_far_it_came_when_its_sink_fails() {
    struct Full(Vec<u8>);
    impl Sink for Full {
        type Error = &'static str;
        fn text(&mut self, bytes: &[u8]) -> Result<(), &'static str> {
            self.0.extend_from_slice(bytes);
            Ok(())
        }
        fn matched(&mut self, _: &Match<'_>) -> Result<ControlFlow<()>, &'static str> {
            Err("full")
        }
    }
    let mut sink = Full(vec![]);
    let mut scanner = utf8().scanner();
    assert_eq!(scanner.push(b"see http://a.org/ and", &mut sink), Err("full"));
    assert_eq!((scanner.delivered(), &sink.0[..]), (4, &b"see "[..]));
    assert_eq!(scanner.push(b"more", &mut sink), Ok(()));
    assert_eq!(scanner.delivered(), 4);
    assert!(scanner.finish(&mut sink).is_ok());
}

/// A sink that stops a scan has the links and the bytes up to there, whatever the format and the size
/// of the chunks.
#[test]
fn a_sink_stops_a_scan() {
    struct Few {
        links: Vec<String>,
        bytes: Vec<u8>,
        wanted: usize,
        ends: Vec<crate::links::sink::Summary>,
    }
    impl Sink for Few {
        type Error = Infallible;
        fn text(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
            self.bytes.extend_from_slice(bytes);
            Ok(())
        }
        fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Infallible> {
            self.bytes.extend_from_slice(link.source());
            self.links.push(link.text().into_owned());
            match self.links.len() < self.wanted {
                true => Ok(ControlFlow::Continue(())),
                false => Ok(ControlFlow::Break(())),
            }
        }
        fn finish(&mut self, summary: &crate::links::sink::Summary) -> Result<(), Infallible> {
            self.ends.push(*summary);
            Ok(())
        }
    }
    let document = "日 <a href='http://a.org/日'>x</a> \"http://b.org/\" http://c.org/日 z";
    for format in Format::ALL {
        let finder = Finder::new().format(*format).charset(Charset::UTF_8);
        let all: Vec<_> = finder.find_iter(document).collect();
        for (wanted, size) in (1..=all.len() + 1).flat_map(|n| [1, 7, 200].map(|size| (n, size))) {
            let mut sink = Few { links: vec![], bytes: vec![], wanted, ends: vec![] };
            let mut scanner = finder.scanner();
            for chunk in document.as_bytes().chunks(size) {
                let Ok(()) = scanner.push(chunk, &mut sink);
            }
            let Ok(summary) = scanner.finish(&mut sink);
            let end = all.get(wanted - 1).map_or(document.len(), |link| link.range().end);
            assert_eq!(sink.bytes, document.as_bytes()[..end], "{format} {wanted} {size}");
            assert_eq!(sink.links.len(), wanted.min(all.len()));
            assert_eq!(summary.links, sink.links.len() as u64);
            assert_eq!((summary.stopped, summary.bytes), (wanted <= all.len(), end as u64));
            assert_eq!(sink.ends, [summary]);
        }
    }
}

/// A scanner whose sink panicked does nothing more, whatever the format, the place of the panic and
/// the size of the chunks.
#[test]
fn a_panicking_sink_poisons_its_scanner() {
    struct Bomb {
        fuse: u32,
        calls: u32,
    }
    impl Bomb {
        fn call(&mut self) -> Result<(), Infallible> {
            self.calls += 1;
            assert!(self.calls != self.fuse, "the sink panics here");
            Ok(())
        }
    }
    impl Sink for Bomb {
        type Error = Infallible;
        fn charset(
            &mut self,
            _: Charset,
            _: crate::charset::detect::Basis,
        ) -> Result<(), Infallible> {
            self.call()
        }
        fn text(&mut self, _: &[u8]) -> Result<(), Infallible> {
            self.call()
        }
        fn matched(&mut self, _: &Match<'_>) -> Result<ControlFlow<()>, Infallible> {
            self.call().map(ControlFlow::Continue)
        }
        fn finish(&mut self, _: &crate::links::sink::Summary) -> Result<(), Infallible> {
            self.call()
        }
    }
    let document =
        "日 <a href='http://a.org/日'>x</a> \"http://b.org/&amp;日\" http://c.org/ <b> z";
    let mut failures = vec![];
    for (format, charset) in Format::ALL.iter().flat_map(|f| [(*f, "utf-8"), (*f, "iso-2022-jp")]) {
        let charset = Charset::for_label(charset).unwrap();
        let bytes = crate::tests::cases::encode(document, charset).unwrap();
        let finder = Finder::new().format(format);
        for (size, fuse) in [1, 3, 17, 200].iter().flat_map(|size| (1..16).map(|f| (*size, f))) {
            let mut scanner = finder.scanner();
            let mut sink = Bomb { fuse, calls: 0 };
            let mut chunks = bytes.chunks(size);
            let exploded = chunks.by_ref().any(|chunk| {
                let push = std::panic::AssertUnwindSafe(|| scanner.push(chunk, &mut sink));
                std::panic::catch_unwind(push).is_err()
            });
            let rest = std::panic::AssertUnwindSafe(|| {
                chunks.for_each(|chunk| scanner.push(chunk, &mut sink).unwrap());
                let _ = (scanner.charset(), scanner.held(), scanner.awaits_charset());
                let _ = (scanner.is_at_boundary(), scanner.delivered(), scanner.pushed());
                scanner.finish(&mut sink).unwrap();
            });
            if exploded && (std::panic::catch_unwind(rest).is_err() || sink.calls != fuse) {
                failures.push(format!("{format:?} {charset} {size} {fuse}: {} calls", sink.calls));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Numbers larger than those of any document are accepted too.
#[test]
fn very_large_limits_and_offsets_are_accepted() {
    let text = "a http://例え.jp/道 b".repeat(3);
    for format in Format::ALL {
        let finder = Config::new().max_len(u64::MAX).build().unwrap().format(*format);
        let whole = ways::slice(&finder, text.as_bytes());
        assert_eq!(ways::push(&finder, text.as_bytes().chunks(5)), whole);
        for offset in [u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1, u64::from(u32::MAX)] {
            let mut scanner = finder.scanner().rest(offset);
            for chunk in text.as_bytes().chunks(7) {
                let Ok(()) = scanner.push(chunk, &mut Count::default());
            }
            assert_eq!(scanner.pushed(), offset.min(1 << 63) + text.len() as u64);
            let Ok(summary) = scanner.finish(&mut Count::default());
            assert_eq!(summary.bytes, text.len() as u64);
            assert_eq!(summary.links, whole.links.len() as u64);
        }
        for charset in crate::tests::cases::charsets() {
            for at in [usize::MAX, usize::MAX - 1, usize::MAX / 2, text.len(), text.len() - 1] {
                let _ = finder.boundary(text.as_bytes(), charset, at);
                let _ = finder.find_at(text.as_bytes(), at);
            }
        }
    }
}

#[test]
fn warnings() {
    let found = |text: &str| utf8().find_iter(text).next().expect("a link").warnings();
    assert_eq!(found("http://a.org/ä"), []);
    assert_eq!(found("http://u@a.org/"), [Warning::Userinfo]);
    assert_eq!(found("http://a.org/%ä"), [Warning::NotRfc3986]);
    assert_eq!(found("http://a.org/[1]"), [Warning::NotRfc3986]);
    assert_eq!(found("http://[fe80::1%25eth0]/"), [Warning::NotRfc3986]);
    assert_eq!(found("http://[::1]/"), []);
    assert_eq!(found("http://straße.de/"), [Warning::IdnaDeviation]);
    assert_eq!(found("http://a.org/e\u{301}"), [Warning::NotNfc]);
    let bytes = b"\xFFhttp://a.org/ http://b.org/\xFF";
    let finder = utf8();
    let all: Vec<_> = finder.find_iter(&bytes[..]).map(|l| l.warnings()).collect();
    assert_eq!(all, [[Warning::MalformedBytesAdjacent], [Warning::MalformedBytesAdjacent]]);
}

#[test]
fn auto_decides_as_documented() {
    use crate::charset::detect::Basis;
    let utf16 =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let mut log = "день http://a.org/é x\n".repeat(20).into_bytes();
    log.push(0xFF);
    let nul_list: Vec<Vec<u8>> = (13..33)
        .map(|n| format!("http://e.org/{}\0", "x".repeat(n - 13)).repeat(9).into_bytes())
        .collect();
    for list in &nul_list {
        let outcome = ways::slice(&Finder::new(), list);
        assert_eq!((outcome.links.len(), outcome.charset), (9, Some(Charset::UTF_8)));
    }
    let label = |l: &str| Charset::for_label(l).expect("a label");
    for (bytes, charset, basis) in [
        (&b"plain"[..], Charset::UTF_8, Basis::Ascii),
        (b"\xEF\xBB\xBFx", Charset::UTF_8, Basis::Bom),
        (b"\xFF\xFEx\0", Charset::UTF_16LE, Basis::Bom),
        (b"\xFE\xFF\0x", Charset::UTF_16BE, Basis::Bom),
        (b"\xFF\xFE\0\0x\0\0\0", Charset::UTF_32LE, Basis::Bom),
        (b"\0\0\xFE\xFF\0\0\0x", Charset::UTF_32BE, Basis::Bom),
        (&utf16("see http://a.org/ now"), Charset::UTF_16LE, Basis::Nuls),
        (&utf16("Смотри, вот ссылка: http://a.org/"), Charset::UTF_16LE, Basis::Nuls),
        (&utf16("你好，世界。 http://a.org/路"), Charset::UTF_16LE, Basis::Nuls),
        (b"x\0\0\0y\0\0\0", Charset::UTF_32LE, Basis::Nuls),
        (b"a\0b http://e.org/ x\n", Charset::UTF_8, Basis::Ascii),
        (b"<http://e.org/s> \"\x01\0 literal\" .\n", Charset::UTF_8, Basis::Ascii),
        (&utf16("ひらがなだけのとてもながいぶんしょう。\r\n"), Charset::UTF_16LE, Basis::Nuls),
        (b"http://e.org/caf\xE9", Charset::UTF_8, Basis::Utf8),
        (b"http://e.org/caf\xE9 au lait", label("windows-1252"), Basis::Detector),
        (b"\x1B$B8+$h\x1B(B http://a/", Charset::ISO_2022_JP, Basis::Escapes),
        (b"\x1B[31mred\x1B(B\x1B[m \xC3\xA9", Charset::UTF_8, Basis::Utf8),
        (&log, Charset::UTF_8, Basis::Utf8),
        ("日本語".as_bytes(), Charset::UTF_8, Basis::Utf8),
        (
            b"\xD1\xEC\xEE\xF2\xF0\xE8, \xE2\xEE\xF2 \xF1\xF1\xFB\xEB\xEA\xE0 http://a.org/",
            label("windows-1251"),
            Basis::Detector,
        ),
    ] {
        let mut links = Finder::new().find_iter(bytes);
        let _ = links.by_ref().count();
        assert_eq!(links.charset(), (charset, basis), "{:?}", String::from_utf8_lossy(bytes));
        let mut scanner = Finder::new().scanner();
        for byte in bytes.chunks(1) {
            let Ok(()) = scanner.push(byte, &mut Count::default());
        }
        let Ok(summary) = scanner.finish(&mut Count::default());
        assert_eq!((summary.charset, summary.basis), (charset, basis));
    }
}

#[test]
fn text_before_the_first_byte_outside_ascii_is_utf_8() {
    struct Charsets(Vec<Charset>);
    impl Sink for Charsets {
        type Error = Infallible;
        fn text(&mut self, _: &[u8]) -> Result<(), Infallible> {
            Ok(())
        }
        fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Infallible> {
            self.0.push(link.charset());
            Ok(ControlFlow::Continue(()))
        }
    }
    let windows = Charset::for_label("windows-1252").expect("a label");
    let before = "http://a.b/c ".repeat(3) + "http://d.e/" + &";".repeat(100) + "http://";
    let bytes = [before.as_bytes(), b"caf\xE9.f/ au lait: http://g.h/i\n"].concat();
    let mut want = vec![Charset::UTF_8; 4];
    want.extend([windows; 2]);
    for format in Format::ALL {
        let finder = Finder::new().format(*format);
        let links: Vec<_> = finder.find_iter(&*bytes).collect();
        let seen: Vec<_> = links.iter().map(Match::charset).collect();
        if matches!(format, Format::Text | Format::Log) {
            assert_eq!(seen, want, "{format:?}");
        }
        for link in &links {
            let at = finder.find_at(&*bytes, link.range().start).map(|link| link.charset());
            assert_eq!(at, Some(link.charset()), "{link:?}");
        }
        for size in 1..bytes.len() {
            let (mut scanner, mut sink) = (finder.scanner(), Charsets(vec![]));
            for chunk in bytes.chunks(size) {
                let Ok(()) = scanner.push(chunk, &mut sink);
            }
            let Ok(_) = scanner.finish(&mut sink);
            assert_eq!(sink.0, seen, "{format:?} in chunks of {size}");
        }
    }
}

#[test]
fn positions_before_a_link_count_a_cut_sequence() {
    let text = b"\xE4http://a.b/";
    let mut positions = crate::api::positions::Positions::new(Charset::UTF_8);
    positions.advance(&text[..1]);
    assert_eq!(positions.position().chars, 1);
    positions.advance(&text[1..]);
    assert_eq!(positions.position().chars, 12);
}

#[test]
fn positions_are_the_same_if_the_charset_is_decided_late() {
    struct Late(crate::api::positions::Positions, Vec<crate::api::positions::Position>);
    impl Sink for Late {
        type Error = Infallible;
        fn charset(
            &mut self,
            charset: Charset,
            _: crate::charset::detect::Basis,
        ) -> Result<(), Infallible> {
            self.0.decide(charset);
            Ok(())
        }
        fn text(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
            self.0.advance(bytes);
            Ok(())
        }
        fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Infallible> {
            self.1.push(self.0.position());
            self.0.advance(link.source());
            Ok(ControlFlow::Continue(()))
        }
    }
    let utf16: Vec<u8> =
        "x\r\nsiehe http://a/é".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [
        &b"x\x1b(By \x1b$BF;\x1b(B http://a/"[..],
        b"\x1b(B\x1b$BF;\x1b(B http://a/",
        b"plain \xC3\xA9 http://a/",
        b"caf\xE9 au lait http://a/ noir",
        &utf16,
    ] {
        let mut links = Finder::new().find_iter(bytes);
        let start = links.next().expect("a link").range().start;
        let mut known = crate::api::positions::Positions::new(links.charset().0);
        known.advance(&bytes[..start]);
        for size in [1, 3, 100] {
            let (mut late, mut scanner) = (
                Late(crate::api::positions::Positions::undecided(), vec![]),
                Finder::new().scanner(),
            );
            for chunk in bytes.chunks(size) {
                let Ok(()) = scanner.push(chunk, &mut late);
            }
            let Ok(_) = scanner.finish(&mut late);
            assert_eq!(late.1, [known.position()], "{:?}", String::from_utf8_lossy(bytes));
        }
    }
    // A sequence of two bytes that is cut off directly before a link.
    let mut cut =
        crate::api::positions::Positions::new(Charset::for_label("gb18030").expect("a label"));
    cut.advance(b"\x810");
    assert_eq!(cut.position().chars, 2);
}

#[test]
fn labels() {
    for (label, nearest) in [
        ("utf-9", "utf-8"),
        ("iso-2022-kr", "euc-kr"),
        ("hz-gb-2312", "gbk"),
        ("window-1251", "windows-1251"),
        ("shift_jiss", "shift_jis"),
        ("johab", "euc-kr"),
        ("koi9-r", "koi8-r"),
    ] {
        let e = Charset::for_label(label).expect_err(label);
        assert_eq!(e.nearest(), nearest, "{label}");
    }
    assert_eq!(Charset::for_label(" UTF-32LE "), Ok(Charset::UTF_32LE));
    assert!(Config::new().max_len(0).build().is_err());
    let list = |name: &str| {
        Config::new().schemes(crate::data::schemes::Schemes::List(vec![name.into()])).build()
    };
    assert!(list("foo").is_ok());
    for name in ["", "Foo", "1a", "a:", "foo-", "foo bar"] {
        assert!(list(name).is_err(), "{name:?}");
    }
}

/// Returns the number of units read on this thread so far, forwards and backwards.
fn read() -> u64 {
    crate::charset::cursor::STEPS.get() + crate::charset::cursor::LOOKS.get()
}

/// Twice the bytes take at most 2.3 times the steps, and no byte takes many steps. A step is a unit
/// that is read: this count does not vary with the load of the machine. Byte by byte, the limit of a
/// link decides what is read again, so the texts are half of it, and all of it.
#[test]
fn hostile_inputs_take_linear_time() {
    let units = [
        "a:",
        ".",
        "(",
        "@",
        "http://",
        "a",
        "://",
        "a://",
        "a.",
        "mailto:",
        "www.",
        "a@",
        "a+",
        "http://a/%",
        "http://a/(",
        "http://a/\"",
        "http://a,",
        "http://é.",
        "/",
        "a-",
        "a.a~",
        "a.a@",
        "http://[",
        "<http://a ",
        "http://a/?a=&amp;",
        "\x1b$B",
        "http://a/b....",
        "<http://a\n",
        "\"http://a ",
        "&quot;http://a&amp;",
        "\\u0068\\/",
        "http://例え.jp/路，",
        "“http://a。",
        "(http://a。",
        "「http://a。",
        "(http://a/",
        "<http://a。",
        "'http://a。(",
        "http://a:",
        "http://a:b@",
        "urn:",
        "urn:a:",
        "tel:",
        "tel:1",
        "news:a",
        "xmpp:a",
        "http://a&quot",
        "日",
        "日:",
        "é",
        "http://日",
        "\x1b$B!V\x1b(Bhttp://a",
        "\x1b(J:",
        "file://",
        "http://a..",
        "[http://a[",
        "*_http://a/*",
        "=\"http://a/é。b",
        "](http://a（",
        "mailto:a[",
        "[mailto:é",
        "tel:123[",
    ];
    let (size, limit) = if super::are_long() { (1 << 19, 1 << 16) } else { (1 << 16, 1 << 12) };
    let config = || Config::new().max_len(limit);
    let build = |config: Config| config.build().expect("the options should be valid");
    let finders = [
        build(config()),
        build(config().schemes(crate::data::schemes::Schemes::Any)),
        build(config().charset(Charset::for_label("gb18030").expect("a label"))),
        build(config().charset(Charset::ISO_2022_JP)),
        build(config().charset(Charset::UTF_16LE)),
        build(Config::new().charset(Charset::UTF_8).max_len(1 << 40)),
    ];
    let steps = |finder: &Finder, bytes: &[u8], chunk: usize| {
        let before = read();
        let (mut scanner, mut count) = (finder.scanner(), Count::default());
        for chunk in bytes.chunks(chunk) {
            let Ok(()) = scanner.push(chunk, &mut count);
        }
        let Ok(_) = scanner.finish(&mut count);
        assert_eq!(count.text, bytes.len());
        read() - before
    };
    for unit in units {
        for (i, finder) in finders.iter().enumerate() {
            let mut whole = unit.repeat(size / unit.len()).into_bytes();
            if i == 4 {
                whole = unit.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
                whole = whole.repeat(size / whole.len());
            }
            let half = &whole[..whole.len() / 2];
            for (chunk, most) in [(1, 250), (4096, 60)] {
                let limit = limit as usize;
                let (half, whole) = match chunk {
                    1 => (&half[..limit / 2], &whole[..limit]),
                    _ => (half, &whole[..]),
                };
                let (once, twice) = (steps(finder, half, chunk), steps(finder, whole, chunk));
                // One step for each byte is linear whatever the shorter text took: skipping a
                // candidate that is too long takes more steps than reading the letters of a link.
                let floor = once + half.len() as u64 * 11 / 10;
                assert!(
                    chunk == 1 || twice <= (once * 23 / 10).max(floor),
                    "{unit:?} by finder {i}: {once} steps, then {twice}"
                );
                let per_byte = twice / whole.len() as u64;
                assert!(per_byte <= most, "{unit:?} by finder {i}: {per_byte} steps for each byte");
            }
        }
    }
}

/// Every rule set with every kind, in charsets of every shape.
fn finders_of_names(max_len: u64) -> Vec<(Finder, Charset)> {
    let label = |l: &str| Charset::for_label(l).expect("a label");
    let charsets =
        [Charset::UTF_8, Charset::UTF_16LE, label("shift_jis"), label("gbk"), Charset::ISO_2022_JP];
    let all = [
        crate::grammar::types::Kind::Iri,
        crate::grammar::types::Kind::Bare,
        crate::grammar::types::Kind::Email,
    ];
    let rules = [RuleSet::Prose, RuleSet::Uts58];
    let finder = |charset, rules| {
        let config = Config::new().charset(charset).rules(rules).kinds(all).max_len(max_len);
        (config.build().expect("valid"), charset)
    };
    rules.into_iter().flat_map(|r| charsets.map(|c| finder(c, r))).collect()
}

/// Short texts that are hostile to names and addresses.
fn units_of_names() -> Vec<String> {
    let short = [
        "a.",
        "a@",
        "a.b@",
        ".",
        "@",
        "~",
        "a-",
        "www.",
        "例.",
        "日",
        "http://a.b@",
        "a.com/(",
        "a.com:",
        "a.com:9",
        "mailto:",
        "mailto:a@",
        "a@b.com",
        "a.com@",
        "a@a.com ",
        "a.com",
        "a.com.",
        "a_",
        "。",
        "例。",
        "a.com?",
        "a.com#:~:",
        "~@",
        "/a@",
        "//@",
        "日a.",
        "a日.",
        "a.b ",
        "@a.",
        "-.",
        "news:a.b@",
        "(a.com",
        "a.com/“",
        "א.",
        "a.\u{200D}",
        "אwww.",
        "の.jp",
        "}www.例",
        "0^a@b.example",
        "org.href=@",
    ];
    let mut units: Vec<String> = short.map(String::from).to_vec();
    for n in [255, 256] {
        units.push(format!("{} ", "a.".repeat(n)[..n].to_string() + "b"));
        units.push(format!("{}@", "~".repeat(n)));
        units.push(format!("{}@a.com ", "~".repeat(n)));
        units.push(format!("{}.com ", "a".repeat(n - 4)));
        units.push(format!("{}.", "a".repeat(n)));
    }
    units
}

/// As [`hostile_inputs_take_linear_time`], for names and addresses.
#[test]
fn hostile_names_take_linear_time() {
    let steps = |finder: &Finder, bytes: &[u8], chunk: usize| {
        let before = read();
        let (mut scanner, mut count, mut most) = (finder.scanner(), Count::default(), 0);
        for chunk in bytes.chunks(chunk) {
            let Ok(()) = scanner.push(chunk, &mut count);
            most = most.max(scanner.held());
        }
        let Ok(_) = scanner.finish(&mut count);
        assert_eq!(count.text, bytes.len());
        (read() - before, most)
    };
    let size = if super::are_long() { 1 << 16 } else { 1 << 14 };
    for unit in units_of_names() {
        for (finder, charset) in finders_of_names(4096) {
            let Some(once) = crate::tests::cases::encode(&unit, charset) else { continue };
            let whole = once.repeat(size / once.len());
            let common = charset == Charset::UTF_8 && finder.rules.options.set == RuleSet::Prose;
            for (chunk, most) in [(1, 2500), (4096, if common { 4 } else { 60 })] {
                let whole = if chunk == 1 { &whole[..whole.len() / 8] } else { &whole[..] };
                let half = &whole[..once.len() * (whole.len() / once.len() / 2)];
                let ((once, _), (twice, held)) =
                    (steps(&finder, half, chunk), steps(&finder, whole, chunk));
                let what =
                    format!("{unit:?} in {charset}, {:?}, {chunk}", finder.rules.options.set);
                // The first chunk takes fewer steps than the others, because no text comes before
                // it.
                let floor = once + half.len() as u64 * 4;
                // Byte by byte, the first 256 characters take few steps.
                let linear = chunk == 1 || twice <= (once * 23 / 10).max(floor);
                assert!(linear, "{what}: {once}, then {twice}");
                let per_byte = twice / whole.len() as u64;
                assert!(per_byte <= most, "{what}: {per_byte} steps for each byte");
                // The limit of a link, the bytes above it, and a name before it; both twice because
                // of the carry; and a chunk. In ISO-2022-JP, a character with its escapes has eight
                // bytes, and is searched as one of three.
                let longer = if charset == Charset::ISO_2022_JP { 2 } else { 1 };
                let most = longer * (2 * (4096 + 256 + 4 * 300) + 4096);
                assert!(held <= most, "{what}: {held} bytes held");
            }
        }
    }
}

/// A name or local part of 255 characters counts, and one of 256 does not.
#[test]
fn a_name_of_the_longest_length_counts_and_a_longer_one_does_not() {
    for (finder, charset) in finders_of_names(65_536) {
        for (n, found) in [(254, 1), (255, 1), (256, 0)] {
            let label = "a".repeat(50) + ".";
            let name = label.repeat(6)[..n - 4].to_string() + ".com";
            let name = name.replace("..", "a.");
            let texts = [format!(" {name} "), format!(" {}@a.com ", "b".repeat(n))];
            for (i, text) in texts.iter().enumerate() {
                let bytes = crate::tests::cases::encode(text, charset)
                    .expect("the charset should hold ASCII");
                let whole = ways::slice(&finder, &bytes);
                // By neither rule set does the domain of a too long address count alone.
                assert_eq!(
                    whole.links.len(),
                    found,
                    "{i} {n} {charset} {:?}",
                    finder.rules.options.set
                );
                for chunk in [1, 7, 255, 256, 257] {
                    assert_eq!(ways::push(&finder, bytes.chunks(chunk)), whole);
                }
            }
        }
    }
}

#[test]
fn pieces_of_text_end_between_characters() {
    struct Whole;
    impl Sink for Whole {
        type Error = Infallible;
        fn text(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
            assert!(core::str::from_utf8(bytes).is_ok(), "{bytes:?} should be whole characters");
            Ok(())
        }
        fn matched(&mut self, _: &Match<'_>) -> Result<ControlFlow<()>, Infallible> {
            Ok(ControlFlow::Continue(()))
        }
    }
    let text = "参照：日本語の文書 http://例え.jp/道、と𠀀です。htt 한국어 éü".repeat(20);
    for size in 1..40 {
        let mut scanner = utf8().scanner();
        for chunk in text.as_bytes().chunks(size) {
            let Ok(()) = scanner.push(chunk, &mut Whole);
        }
        let Ok(_) = scanner.finish(&mut Whole);
    }
}

#[cfg(feature = "bytes")]
#[test]
fn text_of_one_chunk_is_handed_on_without_a_copy() {
    use crate::api::segments::{Segment, Segments};

    let mut segments = Segments::new(&utf8());
    let chunks = ["plain text, ", "and <http://a.org/é>, and more ht", "tp is text; ", "日本語。"];
    let mut copied = vec![];
    for chunk in chunks {
        let chunk = bytes::Bytes::copy_from_slice(chunk.as_bytes());
        let memory = chunk.as_ptr_range();
        segments.feed(chunk.clone());
        while let Some(segment) = segments.next_segment() {
            let piece = segment.source().as_ptr_range();
            if piece.start < memory.start || memory.end < piece.end {
                copied.push(String::from_utf8_lossy(segment.source()).into_owned());
            }
            assert!(matches!(segment, Segment::Text(_) | Segment::Link(_)));
        }
    }
    segments.end();
    assert!(segments.next_segment().is_none());
    // Only the bytes that were held back for the next chunk.
    assert_eq!(copied, ["ht"]);
}

/// Texts, found by fuzzing, that changed again when they were rewritten a second time.
#[test]
fn rewriting_a_second_time_changes_nothing() {
    let accents = "é".repeat(200);
    for text in [
        format!("gs://{accents}/?u='http://a/”'"),
        format!("http://{accents}@b/='http://a/”'"),
        "news:é.é='http://a/”'".into(),
        "matrix:u/é='http://a/”'".into(),
        "sip:é@é='http://a/”'".into(),
        "{http://a/{é\\½}".into(),
        "{http://a/{é、x}".into(),
    ] {
        let finder = utf8();
        let once = finder.rewrite_slice(&*text).0.into_owned();
        assert_eq!(*finder.rewrite_slice(&once[..]).0, once, "{text}");
    }
}

#[test]
fn a_link_stays_if_its_charset_cannot_write_the_kept_host() {
    let big5 = Charset::for_label("big5").expect("a label");
    let config = Config::new().charset(big5).host(crate::reference::to_uri::HostForm::Keep);
    let text = &b"http://\x88\x62.tw/\xA4\xA4"[..];
    let finder = config.build().expect("valid");
    let (out, done) = finder.rewrite_slice(text);
    assert_eq!((&*out, done.unconvertible), (text, 1));
}

#[test]
fn a_kept_host_leaves_no_two_escapes_in_a_row() {
    let config =
        Config::new().charset(Charset::ISO_2022_JP).host(crate::reference::to_uri::HostForm::Keep);
    let finder = config.build().expect("valid");
    for text in [
        &b"http://\x1b$B$G$9\x1b(B"[..],
        b"http://\x1b$B$G$9\x1b(B/ x",
        b"http://\x1b$B$G$9",
        b"\x1b$B!X\x1b(Bhttp://\x1b$B$G$9!W\x1b(B",
    ] {
        let once = finder.rewrite_slice(text).0.into_owned();
        assert_eq!(*finder.rewrite_slice(&once[..]).0, once, "{:?}", String::from_utf8_lossy(text));
        assert_eq!(ways::rewrite_chunks(&finder, text.chunks(1)), once);
        let decoded = |b: &[u8]| Charset::ISO_2022_JP.decode(b).into_owned();
        assert_eq!(decoded(&once), decoded(text));
    }
}

/// Punctuation after a long host may cross the limit of an authority, and that is counted encoded.
#[test]
fn a_host_at_its_limit_is_found_by_every_interface() {
    use crate::engine::tuning::Tuning;
    let finder = Finder::new();
    let slow = ways::tuned(&finder, Tuning { fast_path: false, ..Tuning::DEFAULT });
    let spans = |finder: &Finder, charset, bytes: &[u8]| -> Vec<_> {
        let input = crate::api::find::Input::new(bytes).charset(charset);
        finder.find_iter(input).map(|link| link.range()).collect()
    };
    for label in ["utf-8", "windows-1252", "shift_jis"] {
        let charset = Charset::for_label(label).expect("a label");
        for (letter, width) in [("\u{e9}", 6), ("\u{ff71}", 9)] {
            for letters in 1020 / width - 3..1032 / width {
                let text = format!("http://A{}w2.)", letter.repeat(letters));
                let encoded = charset.encoding().map(|encoding| encoding.encode(&text).0);
                let bytes = encoded.as_deref().unwrap_or(text.as_bytes());
                let want = spans(&slow, charset, bytes);
                assert_eq!(spans(&finder, charset, bytes), want, "{charset} {letters}");
            }
        }
    }
}
