//! Holds the memory that a message takes to `mail::MEMORY_FACTOR`, for hostile messages too.

#![cfg(feature = "mail")]
#![allow(unsafe_code, reason = "an allocator that counts has no other way")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    io,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use iriscan::{Charset, Config, mail};

/// The system's allocator, with a count of what it has given out. A vector that grows counts
/// twice while it is moved, as if it always moved.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        // SAFETY: the caller keeps the promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The most memory that `work` takes at once, beyond what was taken before.
fn peak(work: impl FnOnce()) -> usize {
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    work();
    PEAK.load(Relaxed) - before
}

/// The size of a message.
const SIZE: usize = 256 << 10;

/// Bytes that are allowed besides, for a message of any length.
const BESIDE: usize = 256 << 10;

fn fill(piece: &str) -> String {
    piece.repeat(SIZE / piece.len())
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    let digits = base64::engine::general_purpose::STANDARD.encode(bytes);
    digits
        .as_bytes()
        .chunks(76)
        .map(|line| str::from_utf8(line).unwrap().to_owned() + "\n")
        .collect()
}

fn in_base64(header: &str, text: &[u8]) -> Vec<u8> {
    format!("{header}Content-Transfer-Encoding: base64\n\n{}", base64(text)).into()
}

/// A text that in base64 makes a message of [`SIZE`].
fn text(piece: &str) -> String {
    piece.repeat(SIZE / 4 * 3 / piece.len())
}

fn encode(text: &str, label: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
    encoding.encode(text).0.into_owned()
}

/// The names of hostile messages, and the messages.
fn shapes() -> Vec<(String, Vec<u8>)> {
    let mut shapes = Vec::new();
    let mut add = |name: &str, message: Vec<u8>| shapes.push((name.to_owned(), message));
    let plain = |label: &str| format!("Content-Type: text/plain; charset={label}\n");
    let html = |label: &str| format!("Content-Type: text/html; charset={label}\n");
    let quoted = "Content-Transfer-Encoding: quoted-printable\n\n";
    let flowed = "Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n";
    for piece in ["a", "_", "=41", "=C3=BC", "a=C3", "http://a.b/=C3=BC_"] {
        let word = format!("=?utf-8?Q?{}?= ", piece.repeat(60 / piece.len()));
        add(&format!("words of {piece}"), ["Subject: ", &fill(&word)].concat().into());
        let word = format!("Subject: =?utf-8?Q?{}?=", fill(piece));
        add(&format!("one word of {piece}"), word.into());
    }
    for label in ["windows-874", "koi8-r", "iso-2022-jp", "gb18030", "utf-16le", "utf-7", "x"] {
        let word = [b"Subject: =?", label.as_bytes(), b"?Q?"].concat();
        add(&format!("a word of {label}"), [&word, &b"\xE4".repeat(SIZE)[..], b"?="].concat());
        let word = format!("Subject: =?{label}?B?{}?=", fill("aGk+"));
        add(&format!("a word of {label} in base64"), word.into());
    }
    add("short words", ["Subject: ", &fill("=?utf-8?Q?a?= ")].concat().into());
    add("short words in base64", ["Subject: ", &fill("=?x-x?B?YQ==?=")].concat().into());
    add("fields", fill("a:\n").into());
    add("fields with links", fill("a:http://ü.b/ü\n").into());
    add("parameters", ["Content-Type: text/plain", &fill("; a=b"), "\n\nhi\n"].concat().into());
    add("parameters of RFC 2231", {
        let parameters: String = (0..SIZE / 12).map(|i| format!("; a*{i}*=%41")).collect();
        ["Content-Type: text/plain", &parameters, "\n\nhi\n"].concat().into()
    });
    add("types", fill("Content-Type:x/y;a=b\n").into());
    let multipart = "Content-Type: multipart/mixed; boundary=b\n\n";
    add("parts", [multipart, &fill("--b\n")].concat().into());
    add("parts with a line", [multipart, &fill("\n--b\n\nx")].concat().into());
    add("parts in parts", fill(&format!("{multipart}--b\n")).into());
    add("deep parts with parameters", {
        let parameters = "; a=b".repeat(4000);
        let level = format!("Content-Type: multipart/mixed; boundary=b{parameters}\n\n--b\n");
        fill(&level).into()
    });
    add("messages in messages", fill("Content-Type: message/rfc822\n\n").into());
    add("encoded messages", {
        let mut message = text("http://ü.b/ü ").into_bytes();
        message.truncate(SIZE / 3);
        message.insert(0, b'\n');
        for _ in 0..4 {
            message = in_base64("Content-Type: message/rfc822\n", &message);
        }
        message
    });
    add("quoted messages", {
        let head = format!("Content-Type: message/rfc822\n{quoted}");
        [&*head.repeat(4), &fill("http://a.b/=C3=BC ")].concat().into()
    });
    for (label, link) in [("utf-8", "http://ü.b/ü"), ("utf-8", "http://a.b/例"), ("koi8-r", "a:я")]
    {
        for between in ["\n", " "] {
            let link = link.replace("a:", "http://a.b/");
            let links = encode(&fill(&[&link, between].concat()), label);
            let name = format!("{link:?} {between:?} {label}");
            add(&name, [plain(label).as_bytes(), b"\n", &links].concat());
            add(&format!("{name} in base64"), in_base64(&plain(label), &links[..SIZE / 4 * 3]));
        }
    }
    let links = encode(&fill("http://a.b/例 http://例.b\n"), "iso-2022-jp");
    add("iso-2022-jp", [plain("iso-2022-jp").as_bytes(), b"\n", &links].concat());
    let line = encode(&[&fill("例"), " http://例.b"].concat(), "iso-2022-jp");
    add("iso-2022-jp, one line", [plain("iso-2022-jp").as_bytes(), b"\n", &line].concat());
    let wide: Vec<u8> =
        text("http://a.b/例例例 ").encode_utf16().flat_map(u16::to_le_bytes).collect();
    add("utf-16", in_base64(&plain("utf-16le"), &wide));
    add("utf-16 html", in_base64(&html("utf-16le"), &wide));
    for piece in ["a=3D", "=3Da", "=C3=BC", "http://a.b/=C3=BC ", "=\n", "a=\n", "=3D=\n", "= \n"] {
        let name = format!("quoted-printable {piece:?}");
        add(&name, [&*plain("utf-8"), quoted, &fill(piece)].concat().into());
        add(&[&name, " flowed"].concat(), [flowed, quoted, &fill(piece), " \n"].concat().into());
        add(&[&name, " html"].concat(), [&*html("utf-8"), quoted, &fill(piece)].concat().into());
        add(&[&name, " utf-7"].concat(), [&*plain("utf-7"), quoted, &fill(piece)].concat().into());
    }
    for piece in ["a \n", " \n", "> \n", "http://a.b/ü \n", "a\n"] {
        add(&format!("flowed {piece:?}"), [flowed, "\n", &fill(piece)].concat().into());
    }
    for piece in ["+A", "+AA", "+AAA", "+AOQ-", "+A ", "+-", "http://+AOQ-.b/+AOQ- ", "a"] {
        add(&format!("utf-7 {piece:?}"), [&*plain("utf-7"), "\n", &fill(piece)].concat().into());
        let name = format!("utf-7 {piece:?} in base64");
        add(&name, in_base64(&plain("utf-7"), text(piece).as_bytes()));
    }
    add("utf-7, one run", [&*plain("utf-7"), "\n+", &fill("Ten")].concat().into());
    for piece in ["<a href=ü>", "<a href=' ü&amp;'>", "<p>http://ü.b/&uuml;", "&uuml;", "ü"] {
        add(&format!("html {piece:?}"), [&*html("utf-8"), "\n", &fill(piece)].concat().into());
        let text = text(piece);
        add(&format!("html {piece:?} in base64"), in_base64(&html("utf-8"), text.as_bytes()));
        let text = encode(&text, "koi8-r");
        add(&format!("html {piece:?} koi8-r"), in_base64(&html("koi8-r"), &text));
    }
    add("a line", fill("\n").into());
    add("text", ["\n", &fill("a line of text as there are many\n")].concat().into());
    shapes
}

#[test]
fn a_message_takes_a_small_multiple_of_its_length() {
    let options = mail::Options::new().even_signed(true);
    let finder = Config::new().charset(Charset::UTF_8).build().unwrap();
    let mut worst = (0.0, String::new());
    let mut above = Vec::new();
    for (name, message) in shapes() {
        let found = peak(|| mail::find_each(&finder, &message, |_| {}));
        let written = peak(|| {
            mail::rewrite_to(&finder, &message, &options, io::sink(), |_| {}).unwrap();
        });
        let mut result = 0;
        let whole = peak(|| {
            let (written, _) = mail::rewrite_each(&finder, &message, &options, |_| {});
            result = written.len();
        });
        let limit = (mail::MEMORY_FACTOR - 1) * message.len() + 5 * result / 2 + BESIDE;
        assert!(whole < limit, "{name}: {whole} for {result}");
        // The message itself counts too.
        let factor = |taken: usize| 1.0 + taken as f64 / message.len() as f64;
        let (found, written) = (factor(found), factor(written));
        println!("{found:5.2} {written:5.2} {name}");
        let taken = found.max(written);
        if taken > worst.0 {
            worst = (taken, name.clone());
        }
        if taken > mail::MEMORY_FACTOR as f64 + BESIDE as f64 / message.len() as f64 {
            above.push((taken, name.clone()));
        }
    }
    // A stream of one message holds it, and a copy while the buffer grows.
    let message = fill("a line of text as there are many\n").into_bytes();
    let streamed = peak(|| {
        mail::Messages::new(&*message, usize::MAX).for_each(|piece| drop(piece.unwrap()));
    });
    assert!(streamed < message.len() * 5 / 2 + BESIDE, "{streamed}");
    println!("worst: {worst:?}");
    assert!(above.is_empty(), "{above:#?}");
}
