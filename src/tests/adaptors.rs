//! Readers and streams that rewrite or cut what others give: the same bytes as for a slice,
//! at any chunking, and nothing is lost to an error.

use std::{
    io::{self, BufRead, Read},
    string::String,
    vec,
    vec::Vec,
};

use crate::{Charset, Config, Finder, Format, RewriteReader, Rewriter, Segment, Sink};

/// Documents, with what finds links in them.
fn documents() -> Vec<(Finder, Vec<u8>)> {
    let finder = |charset: Option<Charset>, format| {
        Config::new().charset(charset).format(format).build().unwrap()
    };
    let long = "http://a.example/é ".repeat(40);
    vec![
        (finder(None, Format::Text), "→ http://пример.рф/å, да http://a.example/".into()),
        (finder(None, Format::Text), b"".to_vec()),
        (finder(None, Format::Text), b"no link, but htt".to_vec()),
        (
            finder(None, Format::Text),
            b"\x1B$B$\"\x1B(B http://a.example/\x1B$B$\"\x1B(B x".to_vec(),
        ),
        (finder(Some(Charset::UTF_8), Format::Text), long.into_bytes()),
        (
            finder(Some(Charset::UTF_16LE), Format::Text),
            "→ http://a.example/é, 見て http://例え.jp/道。"
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect(),
        ),
        (
            finder(Some(Charset::UTF_32BE), Format::Html),
            "<p>http://a.example/é<a href='?q=ü&amp;r=1'>"
                .chars()
                .flat_map(|c| u32::from(c).to_be_bytes())
                .collect(),
        ),
        (finder(None, Format::Html), "<p>http://a.example/é<a href='?q=ü&amp;r=1'>".into()),
        (finder(None, Format::Json), r#"{"a": "http:\/\/a.example\/\u00e9"}"#.into()),
    ]
}

#[test]
fn a_rewriter_of_segments_writes_what_rewriting_writes() {
    let jis = Charset::for_label("iso-2022-jp").unwrap();
    let jis = Config::new().charset(jis).build().unwrap();
    let twice = b"\x1B$B$\"http://a.example/\x1B$B$\"\x1B(Bb \x1B(Jhttp://c.example/\x1B$B$\"!#";
    let calendar = Finder::new().format(Format::Ical);
    let event =
        "BEGIN:VEVENT\r\nURL:http://a.example/é/é/é/é/é/é/é/é/é/é/é/é/é\r\n é\r\nEND:VEVENT\r\n";
    let more = [(jis, twice.to_vec()), (calendar, event.into())];
    for (finder, bytes) in documents().into_iter().chain(more) {
        let iri = finder.config().set("to", "iri").unwrap().build().unwrap();
        let template =
            Config::set(finder.config(), "template", "{n}: {iri}").unwrap().build().unwrap();
        for finder in [finder, template, iri] {
            let (expected, done) = finder.rewrite_slice(&bytes);
            for n in [1, 5, 1000] {
                let mut rewriter = Rewriter::new(Vec::new(), &finder);
                let mut segments = finder.segments(bytes.chunks(n));
                for segment in &mut segments {
                    rewriter.segment(&segment).unwrap();
                }
                rewriter.finish(&segments.summary().unwrap()).unwrap();
                let (out, figures) = rewriter.into_inner();
                assert_eq!(
                    String::from_utf8_lossy(&out),
                    String::from_utf8_lossy(&expected),
                    "{n}"
                );
                assert_eq!(figures, Some(done));
            }
        }
    }
}

/// A reader that gives up to `n` bytes at a time, and fails in turn in these ways.
struct Failing<'b> {
    bytes: &'b [u8],
    n: usize,
    kinds: &'b [io::ErrorKind],
    turn: usize,
}

impl Failing<'_> {
    fn next(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        if !self.turn.is_multiple_of(2) && !self.kinds.is_empty() {
            return Err(self.kinds[self.turn / 2 % self.kinds.len()].into());
        }
        let n = self.n.min(buffer.len()).min(self.bytes.len());
        buffer[..n].copy_from_slice(&self.bytes[..n]);
        self.bytes = &self.bytes[n..];
        Ok(n)
    }
}

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.next(buffer)
    }
}

const KINDS: [io::ErrorKind; 3] =
    [io::ErrorKind::Interrupted, io::ErrorKind::WouldBlock, io::ErrorKind::TimedOut];

#[test]
fn a_reader_rewrites_as_a_slice_and_errors_lose_nothing() {
    for (finder, bytes) in documents() {
        let (expected, done) = finder.rewrite_slice(&bytes);
        for (n, room, kinds) in
            [(1, 1, &KINDS[..]), (2, 7, &[]), (5, 64, &KINDS), (1000, 3, &KINDS)]
        {
            let inner = Failing { bytes: &bytes, n, kinds, turn: 0 };
            let mut reader = RewriteReader::new(inner, &finder);
            let (mut out, mut errors, mut buffer) = (Vec::new(), 0, vec![0; room]);
            loop {
                match reader.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(len) => out.extend_from_slice(&buffer[..len]),
                    Err(e) => {
                        assert_ne!(e.kind(), io::ErrorKind::Interrupted, "it is tried again");
                        assert!(reader.done().is_none());
                        errors += 1;
                    }
                }
            }
            assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&expected));
            assert_eq!(reader.done(), Some(done));
            assert!(errors > 0 || kinds.is_empty() || n >= bytes.len());
            // The end is the end, and the inner reader is not asked again.
            let turn = reader.get_ref().turn;
            assert_eq!(reader.read(&mut buffer).unwrap(), 0);
            assert_eq!(reader.get_ref().turn, turn);
        }
    }
}

#[test]
fn what_is_settled_comes_before_the_next_read() {
    // The second read would block: all but the open link is there.
    let mut reader = RewriteReader::new(
        Failing {
            bytes: "http://a.example/é text http://b".as_bytes(),
            n: 99,
            kinds: &[],
            turn: 0,
        },
        &Finder::new().charset(Charset::UTF_8),
    );
    assert_eq!(reader.fill_buf().unwrap(), b"http://a.example/%C3%A9 text ");
    let len = reader.fill_buf().unwrap().len();
    reader.consume(len);
    reader.get_mut().kinds = &[io::ErrorKind::ConnectionReset];
    reader.get_mut().turn = 0;
    assert_eq!(reader.fill_buf().unwrap_err().kind(), io::ErrorKind::ConnectionReset);
    // The connection will not come back: the rest is not lost.
    reader.end();
    let mut rest = Vec::new();
    reader.read_to_end(&mut rest).unwrap();
    assert_eq!(rest, b"http://b");
    assert_eq!(reader.done().unwrap().changed, 1);
}

#[test]
fn an_empty_buffer_reads_nothing() {
    let inner = Failing { bytes: b"text", n: 9, kinds: &[], turn: 0 };
    let mut reader = RewriteReader::new(inner, &Finder::new());
    assert_eq!(reader.read(&mut []).unwrap(), 0);
    assert_eq!(reader.get_ref().turn, 0);
}

/// The segments of chunks of `n` bytes: all bytes, and the links.
fn joined<P: AsRef<[u8]>>(segments: impl Iterator<Item = Segment<P>>) -> (Vec<u8>, Vec<String>) {
    let (mut all, mut links) = (Vec::new(), Vec::new());
    for segment in segments {
        all.extend_from_slice(segment.source());
        if let Segment::Link(link) = segment {
            links.push(link.iri().into_owned());
        }
    }
    (all, links)
}

#[test]
fn chunks_of_any_type_give_the_same_segments() {
    for (finder, bytes) in documents() {
        let links: Vec<_> = finder.find_iter(&bytes).map(|l| l.iri().into_owned()).collect();
        let expected = (bytes.clone(), links);
        for n in [1, 2, 3, 7, 1000] {
            assert_eq!(joined(finder.segments(bytes.chunks(n))), expected);
            assert_eq!(joined(finder.segments(bytes.chunks(n).map(<[u8]>::to_vec))), expected);
        }
    }
    // Text within a slice is borrowed.
    let mut segments = Finder::new().segments([&b"plain "[..], b"text"]);
    for segment in segments.by_ref() {
        assert!(matches!(segment, Segment::Text(std::borrow::Cow::Borrowed(_))), "{segment:?}");
    }
    assert_eq!(segments.summary().unwrap().bytes, 10);
}

#[cfg(feature = "futures")]
mod asynchronous {
    use core::{
        pin::{Pin, pin},
        task::{Context, Poll, Waker},
    };

    use bytes::Bytes;
    use futures_core::Stream;
    use futures_io::AsyncRead;

    use super::*;
    use crate::{RewriteStream, SegmentStream};

    impl AsyncRead for Failing<'_> {
        fn poll_read(
            mut self: Pin<&mut Self>,
            cx: &mut Context<'_>,
            buffer: &mut [u8],
        ) -> Poll<io::Result<usize>> {
            match self.next(buffer) {
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                    cx.waker().wake_by_ref();
                    Poll::Pending
                }
                other => Poll::Ready(other),
            }
        }
    }

    #[test]
    fn a_reader_rewrites_as_a_slice_while_it_waits_and_fails() {
        let cx = &mut Context::from_waker(Waker::noop());
        for (finder, bytes) in documents() {
            let (expected, done) = finder.rewrite_slice(&bytes);
            for (n, room) in [(1, 1), (5, 64), (1000, 3)] {
                let inner = Failing { bytes: &bytes, n, kinds: &KINDS, turn: 0 };
                let mut reader = RewriteReader::new(inner, &finder);
                let (mut out, mut waited, mut buffer) = (Vec::new(), 0, vec![0; room]);
                loop {
                    match Pin::new(&mut reader).poll_read(cx, &mut buffer) {
                        Poll::Ready(Ok(0)) => break,
                        Poll::Ready(Ok(len)) => out.extend_from_slice(&buffer[..len]),
                        Poll::Ready(Err(e)) => assert_eq!(e.kind(), io::ErrorKind::TimedOut),
                        Poll::Pending => waited += 1,
                    }
                }
                assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&expected));
                assert_eq!(reader.done(), Some(done));
                assert!(waited > 0 || n >= bytes.len());
            }
        }
    }

    /// Chunks, with a wait and an error before each.
    struct Chunks<'b>(core::slice::Chunks<'b, u8>, usize);

    impl Stream for Chunks<'_> {
        type Item = io::Result<Bytes>;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            self.1 += 1;
            match self.1 % 3 {
                1 => Poll::Pending,
                2 => Poll::Ready(Some(Err(io::ErrorKind::TimedOut.into()))),
                _ => Poll::Ready(self.0.next().map(|chunk| Ok(Bytes::copy_from_slice(chunk)))),
            }
        }
    }

    #[test]
    fn a_stream_gives_the_segments_of_a_slice() {
        let cx = &mut Context::from_waker(Waker::noop());
        for (finder, bytes) in documents() {
            let links: Vec<_> = finder.find_iter(&bytes).map(|l| l.iri().into_owned()).collect();
            for n in [1, 3, 1000] {
                let mut stream = pin!(SegmentStream::new(Chunks(bytes.chunks(n), 0), &finder));
                let mut segments = Vec::new();
                loop {
                    match stream.as_mut().poll_next(cx) {
                        Poll::Ready(None) => break,
                        Poll::Ready(Some(Ok(segment))) => segments.push(segment),
                        Poll::Ready(Some(Err(e))) => assert_eq!(e.kind(), io::ErrorKind::TimedOut),
                        Poll::Pending => {}
                    }
                }
                assert_eq!(joined(segments.into_iter()), (bytes.clone(), links.clone()));
                assert_eq!(stream.summary().unwrap().bytes, bytes.len() as u64);
                assert!(matches!(stream.as_mut().poll_next(cx), Poll::Ready(None)));
            }
        }
    }

    #[test]
    fn a_stream_rewrites_as_a_slice_while_it_waits_and_fails() {
        let cx = &mut Context::from_waker(Waker::noop());
        for (finder, bytes) in documents() {
            let (expected, done) = finder.rewrite_slice(&bytes);
            for n in [1, 3, 1000] {
                let mut stream = pin!(RewriteStream::new(Chunks(bytes.chunks(n), 0), &finder));
                let (mut out, mut waited) = (Vec::new(), 0);
                loop {
                    match stream.as_mut().poll_next(cx) {
                        Poll::Ready(None) => break,
                        Poll::Ready(Some(Ok(chunk))) => {
                            assert!(!chunk.is_empty());
                            out.extend_from_slice(&chunk);
                        }
                        Poll::Ready(Some(Err(e))) => assert_eq!(e.kind(), io::ErrorKind::TimedOut),
                        Poll::Pending => waited += 1,
                    }
                }
                assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&expected));
                assert_eq!((stream.done(), waited > 0), (Some(done), true));
                assert!(matches!(stream.as_mut().poll_next(cx), Poll::Ready(None)));
            }
        }
        // What is held back comes if the inner stream has failed for good.
        let mut stream =
            RewriteStream::new(Chunks(b"http://a.example/\xE9".chunks(9), 2), &Finder::new());
        let first = Pin::new(&mut stream).poll_next(cx);
        assert!(first.is_pending() || matches!(first, Poll::Ready(Some(Ok(_)))));
        stream.end();
        let rest = Pin::new(&mut stream).poll_next(cx);
        assert!(matches!(rest, Poll::Ready(Some(Ok(bytes))) if bytes == "http://a."));
        assert!(matches!(Pin::new(&mut stream).poll_next(cx), Poll::Ready(None)));
    }

    #[test]
    fn a_stream_that_failed_for_good_can_be_ended() {
        let cx = &mut Context::from_waker(Waker::noop());
        let mut stream = SegmentStream::new(Chunks(b"htt".chunks(9), 0), &Finder::new());
        let mut poll = |stream: &mut SegmentStream<_>| Pin::new(stream).poll_next(cx);
        assert!(poll(&mut stream).is_pending());
        assert!(matches!(poll(&mut stream), Poll::Ready(Some(Err(_)))));
        assert!(poll(&mut stream).is_pending());
        assert!(matches!(poll(&mut stream), Poll::Ready(Some(Err(_)))));
        stream.end();
        assert!(
            matches!(poll(&mut stream), Poll::Ready(Some(Ok(Segment::Text(text)))) if text == "htt")
        );
        assert!(matches!(poll(&mut stream), Poll::Ready(None)));
    }
}
