//! Generated texts: pieces that matter to some rule, side by side.

use std::borrow::Cow;

use crate::{encode::Piece, random::Random};

#[rustfmt::skip]
const SCHEMES: &[&str] = &[
    "http://", "https://", "http://", "HTTP://", "hTTps://", "ftp://", "file:///", "file://h/",
    "mailto:", "tel:", "tel:+1", "urn:ex:", "news:", "xmpp:", "tag:", "geo:1,2", "foo://",
    "1abc://", "gs://", "git+ssh://", "ssh://u@", "magnet:?xt=", "javascript:", "data:", "data:,",
    "foo:", "x-y.z:", "matrix:u/", "bitcoin:", "http:", "http:/", "htp://", "://", "//", "http:///",
    ".http://", "-https://", "sms:", "doi:", "ws://", "about:", "chrome://", "view-source:http://",
    "http%3A%2F%2F", "mailto://", "MAILTO:",
];

#[rustfmt::skip]
const HOSTS: &[&str] = &[
    "example.com", "a.b", "a", "localhost", "www.example.org", "user@h.org", "u:p@h.org",
    "127.0.0.1", "[::1]", "[fe80::1%25eth0]", "[v1.x]", "[::1", "::1", "a_b.example.com",
    "xn--bcher-kva.example", "-a.com", "a-.com", "a..b", "example.com.", "example.com:80",
    "a.com:99999", "a:", "a:x", "a:%d", "%s", "a%41.com", "a%", "{{y}}", "x.{{y}}",
    "bücher.example", "例え.jp", "例え。jp", "k工房.jp", "工房k.jp", "пример.рф", "παράδειγμα.ελ",
    "한국", "한국.kr", "한국을", "로", "www.kไทย.jp", "ไทย.com", "موقع.شبكة", "דוגמה.קום",
    "उदाहरण.भारत", "🍄.ga", "で始まる", "localhostで", "日本", "日本.", "ſ.com", "Ａ.com", "ß.de",
    "é.a", "💩", "a★.com", "a→b.c", "a[.]b", "😀.com", "ᄒ", "𠀀.jp", "ㄅ", "ー.jp", "々.jp",
];

#[rustfmt::skip]
const NAMES: &[&str] = &[
    "a.com", "b.org/", "x.de", "main.rs", "README.md", "setup.py", "t.co/a", "it.The", "www.",
    "www2.x.y", "WWW.A.COM", "lemmy.world", "esm.sh/run", "message.to", "config.ru", "Terminal.app",
    "x.txt.info", "co.uk", "foo.bar()", "a.com=1", "com.example.app", "self.io", "3.14", "10.0.0.1",
    "1.2.am", "foo.rs:12", "Socket.IO", "ASP.NET", "x.museum", "y.museum:80", "a.b.museum:80",
    "doc.link?a", "com", ".com", ".рф", ".jp", ".de/", "john.doe", "a@b.org", "a@b", "@", "@a.com",
    "@b.org.", "u_x", "e$@a.com", "$@", "git@a.com:b/c", "joe:pw@a.com", "mail:", "o'neil@",
    "a..b@c.org", "a.@c.org", "-a@c.org", "icon@2x.png", "a@1.2.3", "list-a=b.org@c.org",
    "<a=b@c.org>", "日@b.org", "ä@ü.de", "用户@例子.中国", "a@b@c.org", "a@b.org@https://",
    "foo://u@h.org", "\\na@b.org", "=3Ca@b.org", "\\nwww.a.com", "%3Aa.com", "mailto:a@b.org",
    "Mr.Smith", "e.g.", "U.S.", "_a.com",
];

#[rustfmt::skip]
const TAILS: &[&str] = &[
    "/", "/a", "/a/b", "?", "?q", "?q=1&r=2", "#", "#f", "#:~:text=", "/a_(b)", "/x表示", "/路径",
    "/путь.", "/x、y", "/%E3%81%82い", "/C言語_(曖昧)", "/を", "/に", "/には", "/のび", "/から",
    "/より", "/まで", "/에서", "/에", "/은", "/을", "/[a]", "/[a[b", "/{a}", "/a|b", "/a,b", "/a;b",
    "/;p=1", "/a&amp;b", "/a&b;c", "/a'b'", "/~u", "/@u", "/!", "/a!", "/*", "/a*", "/..", "/.",
    "/a...", "/a…", "?q=“a”", "?q=«", "#‘a’", "?q=a,http://b", "/a\\b", "//", "///", "/a://b",
    "/$1", "/%", "/%4", "/%41", "/%e6%97", "/%zz", "/=", "/-", "/_", "/a_b_", "/a-", "/工/a",
    "/http://b.c/", "/e\u{301}", "/\u{200D}", "/한글", "/ไทย", "/ｶﾅ", "/🍄", "/a🍄", "/a→", "/★a",
    "/a☆/b", "/%E8%A1",
];

#[rustfmt::skip]
const PARTICLES: &[&str] = &[
    "を", "に", "は", "が", "の", "で", "と", "も", "から", "まで", "より", "です", "へ", "や",
    "を参照", "には", "의", "을", "를", "이", "가", "은", "는", "에", "에서", "로", "으로", "와",
    "과", "도", "입니다", "查看", "的", "和", "นะคะ", "และ", "หรือ", "ໄດ້", "និង", "တွင်",
];

#[rustfmt::skip]
const OPENERS: &[&str] = &[
    "(", "[", "{", "<", "\"", "'", "`", "=\"", "='", "](", "[[", "url(", "URL(", "curl(", "<URL:",
    "<url:", "\\<", "\\\"", "「", "『", "（", "【", "《", "〈", "［", "｛", "“", "‘", "„", "‚", "«",
    "»", "‹", "›", "&lt;", "&quot;", "&#39;", "&amp;lt;", "**", "*", "_", "~", "~~", "|", "||",
    "<a href=", "<a href=\"", "](<", "<!--", "\u{1b}[4m", "[m", "\\(", "\\u003c", "&laquo;", "’",
    "”",
];

#[rustfmt::skip]
const CLOSERS: &[&str] = &[
    ")", "]", "}", ">", "\"", "'", "`", "\">", "'>", "))", "]]", "\\>", "\\\"", "」", "』", "）",
    "】", "》", "〉", "］", "｝", "”", "’", "“", "»", "«", "›", "‹", "&gt;", "&quot;", "&#39;",
    "&#x27;", "&raquo;", "&nbsp;", "**", "*", "_", "~", "|", "||", "</a>", "</", "-->", "\\n",
    "\\r\\n", "\\t", "\\u0026", "\\)", "\\",
];

#[rustfmt::skip]
const PUNCTUATION: &[&str] = &[
    ".", ",", ";", ":", "!", "?", "...", "…", "⋯", "..", "-", "–", "—", "―", "/", "\\", "&", "#",
    "%", "$", "+", "=", "@", "^", "¦", "·", "•", "。", "、", "，", "．", "：", "；", "！", "？",
    "｡", "､", "・", "〜", "～", "‧", "․", "՝", "؟", "،", "۔", "।", "॥", "។", "၊", "།", "¿", "¡",
    "†", "§", "′", "″", "‐", "\u{2011}", "⁄", "∕", "\u{AD}",
];

#[rustfmt::skip]
const JOINED: &[&str] = &[
    ",http://b.c", ";https://d/", ",http://", "|http://b", "|a=", "|title=b", "||http://b",
    "&u=http://b", ",a@b.org", ";b.org", ",b.com/x", "|b.com", "/http://b", " http://b.c/",
    "+http://b", "=http://b", "?u=http://b", "http://b.c", "&amp;http://b", "\\nhttp://b",
    "、http://b.c", "，https://b/", "ahttp://b",
];

#[rustfmt::skip]
const SPACES: &[&str] = &[
    " ", " ", " ", "\n", "\r\n", "\r", "\t", "  ", "\n\n", "\r\n ", " \n", "\n> ", "\n >", ">\n",
    "\u{A0}", "　", "\u{2028}", "\u{85}", "\u{200B}", "\u{202F}", "\u{0B}", "\u{0C}",
];

#[rustfmt::skip]
const CHARACTERS: &[&str] = &[
    "a", "b", "A", "Z", "x1", "1", "80", "é", "ü", "ß", "ς", "я", "Ж", "日", "本", "語", "の", "カ",
    "ｶ", "ｶﾞ", "한", "ไ", "م", "א", "अ", "ა", "Ա", "ก", "ລ", "ក", "က", "😀", "🍄", "👨\u{200D}👩",
    "❤\u{FE0F}", "♥", "★", "→", "©", "™", "℃", "½", "²", "①", "𠀀", "e\u{301}", "が", "か\u{3099}",
    "Ａ", "ℂ", "℀", "ﬁ", "ı", "İ", "K", "\0", "\u{1}", "\u{7F}", "\u{9F}", "\u{200D}", "\u{200E}",
    "\u{202E}", "\u{2066}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "\u{E000}", "\u{E0041}", "\u{FFF9}",
    "\u{34F}", "表", "ソ", "能", "\u{1b}$B", "\u{1b}(B", "\u{1b}(J", "\u{1b}(I", "¥", "‾",
];

#[rustfmt::skip]
const ENTITIES: &[&str] = &[
    "&amp;", "&lt", "&lt;", "&gt;", "&quot;", "&apos;", "&#39;", "&#039;", "&#x22;", "&#34;",
    "&copy;", "&nbsp;", "&hellip;", "&ldquo;", "&rsquo;", "&amp;lt;", "&amp;quot;", "&amp;#39;",
    "&amp;amp;", "&#12354;", "&x=", "&a;", "%20", "%2F", "%3A", "%E3%81%82", "%82%a0", "%c3", "%%",
    "%2", "%u3042", "\\u3042", "\\x41", "\\/", "=3D", "=\r\n",
];

#[rustfmt::skip]
const BYTES: &[&[u8]] = &[
    b"\xFF", b"\x80", b"\xC3", b"\xE3\x81", b"\xF0\x9F", b"\xED\xA0\x80", b"\xC0\xAF", b"\x81",
    b"\x95", b"\x95\x5C", b"\x8F\xA1", b"\xA0", b"\xFD", b"\x1B$B", b"\x1B(B", b"\x1B", b"\x1B$",
    b"\x00", b"\x00\xD8", b"\xD8", b"\xDC\x00", b"\x0E", b"\x0F", b"\x81\x30", b"\x81\x30\x81",
    b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF",
];

/// Groups of pieces, with how often each is used.
const GROUPS: [(usize, &[&str]); 12] = [
    (10, SCHEMES),
    (8, HOSTS),
    (8, NAMES),
    (10, TAILS),
    (4, PARTICLES),
    (6, OPENERS),
    (6, CLOSERS),
    (6, PUNCTUATION),
    (3, JOINED),
    (8, SPACES),
    (8, CHARACTERS),
    (3, ENTITIES),
];

/// The length of names, labels, local parts and authorities at which some rule ends.
const LONG: &[&str] =
    &["a.", "a", "~", "-", "例.", "日", ".", "b@", "é", "_a", "%41", "[", "(", "u:", "a,"];
#[rustfmt::skip]
const COUNTS: &[usize] = &[
    8, 30, 31, 32, 33, 62, 63, 64, 65, 124, 125, 126, 250, 253, 254, 255, 256, 260, 511, 512, 520,
    1024,
];

/// Makes texts. `cases`: texts of testdata.
pub(crate) struct Generator<'c> {
    pub(crate) cases: &'c [String],
}

impl Generator<'_> {
    /// Returns the pieces of a text.
    pub(crate) fn text(&self, random: &mut Random) -> Vec<Piece> {
        let mut out = vec![];
        let most = if random.one_in(4) { 40 } else { 14 };
        let count = 1 + random.below(most);
        while out.len() < count {
            match random.below(40) {
                0..12 => link(random, &mut out),
                12 => self.case(random, &mut out),
                13 if random.one_in(4) => {
                    let long = random.choose(LONG).repeat(random.choose(COUNTS));
                    out.push(Piece::Text(long.into()));
                }
                14 if random.one_in(2) => {
                    out.push(Piece::Bytes(Cow::Borrowed(random.choose(BYTES))));
                }
                _ => out.push(any(random)),
            }
        }
        out
    }

    /// Adds a part of a case, with other pieces in it.
    fn case(&self, random: &mut Random, out: &mut Vec<Piece>) {
        if self.cases.is_empty() {
            return;
        }
        let text: Vec<char> = self.cases[random.below(self.cases.len())].chars().collect();
        let from = random.below(text.len() + 1);
        let to = (from + random.below(60)).min(text.len());
        let middle = from + random.below(to - from + 1);
        for (part, more) in [(&text[from..middle], true), (&text[middle..to], false)] {
            out.extend(part.iter().map(|c| Piece::Text(c.to_string().into())));
            if more && random.one_in(2) {
                out.push(any(random));
            }
        }
    }
}

/// A piece of any group.
fn any(random: &mut Random) -> Piece {
    let mut n = random.below(GROUPS.iter().map(|(weight, _)| weight).sum());
    for (weight, group) in GROUPS {
        match n.checked_sub(weight) {
            Some(rest) => n = rest,
            None => return Piece::Text(random.choose(group).into()),
        }
    }
    unreachable!("the number should be below the sum");
}

/// Adds a link with what may be around it. Each part may be missing.
fn link(random: &mut Random, out: &mut Vec<Piece>) {
    let parts = [
        (2, SPACES),
        (3, OPENERS),
        (1, SCHEMES),
        (1, HOSTS),
        (2, TAILS),
        (3, TAILS),
        (4, PARTICLES),
        (3, CLOSERS),
        (3, PUNCTUATION),
        (5, JOINED),
    ];
    for (rare, group) in parts {
        // Scheme and host are left out now and then too.
        let use_it = if rare == 1 { !random.one_in(8) } else { random.one_in(rare) };
        if use_it {
            out.push(Piece::Text(random.choose(group).into()));
        }
    }
}
