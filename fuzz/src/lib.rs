//! Shared by the fuzz targets: a case made from the fuzzer's bytes, the words it
//! may be built of, and a sink that keeps everything.

#![forbid(unsafe_code)]

use core::{fmt, ops::ControlFlow};

use arbitrary::{Arbitrary, Unstructured};
use iriscan::{Basis, Charset, Config, Finder, Match, Scanner, Segment, Segments, Sink, Summary};

mod words;

/// Every charset: the 39 of the Encoding Standard that are decoded, and UTF-32.
pub const CHARSETS: [&str; 41] = [
    "UTF-8",
    "UTF-16LE",
    "UTF-16BE",
    "UTF-32LE",
    "UTF-32BE",
    "ISO-2022-JP",
    "Shift_JIS",
    "EUC-JP",
    "EUC-KR",
    "Big5",
    "GBK",
    "gb18030",
    "IBM866",
    "ISO-8859-2",
    "ISO-8859-3",
    "ISO-8859-4",
    "ISO-8859-5",
    "ISO-8859-6",
    "ISO-8859-7",
    "ISO-8859-8",
    "ISO-8859-8-I",
    "ISO-8859-10",
    "ISO-8859-13",
    "ISO-8859-14",
    "ISO-8859-15",
    "ISO-8859-16",
    "KOI8-R",
    "KOI8-U",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "x-user-defined",
];

/// Limits on the length of a link, the default first.
const MAX_LENS: [u64; 9] = [65_536, 1, 2, 5, 8, 13, 20, 40, u64::MAX];

/// A document and how it is to be scanned.
///
/// The fuzzer's bytes are seven bytes of settings, in an order that is easy to write
/// by hand, and then the body:
///
/// | byte | meaning |
/// |---|---|
/// | 0 | charset, index in [`CHARSETS`] |
/// | 1 | the body is (modulo 3) `0` the bytes themselves, `1` UTF-8, to be encoded in the charset, `2` one word of the table per byte |
/// | 2 | the limit of a link: `0` the default, `1`–`7` tiny ones, `8` none |
/// | 3–6 | sizes of the chunks, repeated: `0` empty, `1` one byte … |
#[derive(Clone)]
pub struct Case {
    /// The charset of the document.
    pub charset: Charset,
    /// The limit on the length of a link.
    pub max_len: u64,
    /// Sizes of the chunks, repeated.
    pub sizes: [usize; 4],
    /// The document.
    pub bytes: Vec<u8>,
}

/// The form that `cargo fuzz fmt` shows, with the document as a byte string.
impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case")
            .field("charset", &self.charset)
            .field("max_len", &self.max_len)
            .field("sizes", &format_args!("{:?}", self.sizes))
            .field("bytes", &format_args!("b\"{}\"", self.bytes.escape_ascii()))
            .finish()
    }
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Case> {
        let body = u.len().saturating_sub(7);
        let head: [u8; 7] = u.arbitrary()?;
        Ok(Case::new(head, u.bytes(body)?))
    }

    fn arbitrary_take_rest(mut u: Unstructured<'a>) -> arbitrary::Result<Case> {
        let head: [u8; 7] = u.arbitrary()?;
        Ok(Case::new(head, u.take_rest()))
    }
}

impl Case {
    fn new(head: [u8; 7], body: &[u8]) -> Case {
        // Settings are counted from the digit `0`, so that seeds are text.
        let head = head.map(|b| usize::from(b.wrapping_sub(b'0')));
        let charset = charset(CHARSETS[head[0] % CHARSETS.len()]);
        Case {
            charset,
            max_len: MAX_LENS[head[2] % MAX_LENS.len()],
            // 255 makes a chunk longer than what the scanner copies after its carry.
            sizes: [head[3], head[4], head[5], head[6]].map(|n| if n == 255 { 999 } else { n }),
            bytes: match head[1] % 3 {
                0 => body.to_vec(),
                1 => words::encode(&String::from_utf8_lossy(body), charset),
                _ => words::document(body, charset),
            },
        }
    }

    /// The document in its chunks.
    pub fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = &self.bytes[..];
        let mut sizes = self.sizes.iter().cycle();
        let whole = self.sizes.iter().all(|n| *n == 0);
        core::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let size = if whole { rest.len() } else { *sizes.next()? };
            let (chunk, after) = rest.split_at(size.min(rest.len()));
            rest = after;
            Some(chunk)
        })
    }

    /// A finder with the limit, for the charset of the case or to detect one.
    pub fn finder(&self, by: By) -> Finder {
        let config = Config::new().max_len(self.max_len);
        let config = match by {
            By::Label => config.charset(self.charset),
            By::Detection => config,
        };
        config.build().expect("a charset and a limit should be valid")
    }
}

/// Who names the charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The caller names the one of the case.
    Label,
    /// The finder detects it.
    Detection,
}

/// Both.
pub const WAYS: [By; 2] = [By::Label, By::Detection];

/// The charset of a name in [`CHARSETS`].
pub fn charset(name: &str) -> Charset {
    Charset::for_label(name).expect("CHARSETS should hold labels")
}

/// Everything that a match gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its place in the source.
    pub span: iriscan::Span,
    /// Its bytes.
    pub source: Vec<u8>,
    /// Its characters.
    pub text: String,
    /// Its URI, or why it has none.
    pub uri: Result<String, String>,
    /// Whether it is all ASCII.
    pub ascii: bool,
    /// The charset it is read in.
    pub charset: Charset,
    /// Its warnings.
    pub warnings: Vec<iriscan::Warning>,
}

impl From<&Match<'_>> for Link {
    fn from(link: &Match<'_>) -> Link {
        Link {
            span: link.span(),
            source: link.source().to_vec(),
            text: link.text().into_owned(),
            uri: link.uri().map(|uri| uri.as_str().to_owned()).map_err(|e| e.to_string()),
            ascii: link.is_ascii(),
            charset: link.charset(),
            warnings: link.warnings(),
        }
    }
}

/// A sink that records everything it gets.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The bytes of text and links, concatenated.
    pub copy: Vec<u8>,
    /// The ends of the pieces of text.
    pub ends: Vec<usize>,
    /// The links.
    pub links: Vec<Link>,
    /// The charset that was announced.
    pub charset: Option<(Charset, Basis)>,
    /// The summary at the end.
    pub summary: Option<Summary>,
}

impl Sink for Seen {
    type Error = core::convert::Infallible;

    fn charset(&mut self, charset: Charset, basis: Basis) -> Result<(), Self::Error> {
        assert_eq!(self.charset, None, "the charset should be announced once");
        self.charset = Some((charset, basis));
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        assert!(!bytes.is_empty(), "text should not be empty");
        self.copy.extend_from_slice(bytes);
        self.ends.push(self.copy.len());
        Ok(())
    }

    fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Self::Error> {
        let at = self.copy.len() as u64;
        assert_eq!(link.span().start, at, "a link should follow the text before it");
        assert_eq!(link.span().end - at, link.source().len() as u64);
        assert!(!link.source().is_empty(), "a link should not be empty");
        self.copy.extend_from_slice(link.source());
        self.links.push(link.into());
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), Self::Error> {
        assert_eq!(self.summary, None, "a stream should end once");
        self.summary = Some(*summary);
        Ok(())
    }
}

impl Seen {
    /// What `finder` pushes for a document in these chunks.
    pub fn of<'c>(finder: &Finder, chunks: impl IntoIterator<Item = &'c [u8]>) -> Seen {
        Seen::watched(finder, chunks, |_| {})
    }

    /// [`Seen::of`], and calls `watch` after every chunk.
    pub fn watched<'c>(
        finder: &Finder,
        chunks: impl IntoIterator<Item = &'c [u8]>,
        mut watch: impl FnMut(&Scanner),
    ) -> Seen {
        let (mut seen, mut scanner) = (Seen::default(), finder.scanner());
        for chunk in chunks {
            let Ok(()) = scanner.push(chunk, &mut seen);
            assert_eq!(scanner.delivered(), seen.copy.len() as u64);
            watch(&scanner);
        }
        let Ok(summary) = scanner.finish(&mut seen);
        assert_eq!(seen.summary, Some(summary));
        assert_eq!(seen.charset, Some((summary.charset, summary.basis)));
        assert_eq!(seen.links.len() as u64, summary.links);
        seen
    }

    /// What [`Segments`] gives for these chunks.
    pub fn pulled<'c>(finder: &Finder, chunks: impl IntoIterator<Item = &'c [u8]>) -> Seen {
        let (mut seen, mut segments) = (Seen::default(), Segments::new(finder));
        let mut take = |segments: &mut Segments<bytes::Bytes>| {
            while let Some(segment) = segments.next_segment() {
                if let Segment::Link(link) = &segment {
                    seen.links.push((&link.as_match()).into());
                }
                seen.copy.extend_from_slice(segment.source());
            }
        };
        for chunk in chunks {
            segments.feed(bytes::Bytes::copy_from_slice(chunk));
            take(&mut segments);
        }
        segments.end();
        take(&mut segments);
        seen.summary = segments.summary();
        seen
    }
}
