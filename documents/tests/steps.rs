//! Links and rewriting, a step at a time: what comes before damage, what errors of the visitor do, and what stays as it is.
#![cfg(all(feature = "gzip", feature = "zip"))]

use std::{
    io::{self, Cursor, Write},
    ops::ControlFlow,
};

use flate2::{Compression, write::GzEncoder};
use iriscan::{Finder, Match, Sink, mail};
use iriscan_documents::{Input, MailPiece, Note, Opened, Opener, Place, Visitor};
use zip::{ZipWriter, write::SimpleFileOptions};

/// Writes down what it gets. Every call counts, and call `fails` is an error.
#[derive(Default)]
struct Log {
    lines: Vec<String>,
    fails: Option<usize>,
}

impl Log {
    fn add(&mut self, line: String) -> io::Result<()> {
        self.lines.push(line);
        match self.fails == Some(self.lines.len()) {
            true => Err(io::Error::other("enough")),
            false => Ok(()),
        }
    }
}

impl Sink for Log {
    type Error = io::Error;

    fn text(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<ControlFlow<()>> {
        self.add(link.iri().into_owned()).map(ControlFlow::Continue)
    }
}

impl Visitor for Log {
    fn begin(&mut self, place: &Place) -> io::Result<()> {
        match place {
            Place::Member(path) => self.add(format!("begin {}", path.display())),
            Place::Record(place) => self.add(format!("begin {} {}", place.target, place.offset)),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        self.add("end".to_owned())
    }

    fn message(&mut self, message: &[u8], place: &MailPiece) -> io::Result<()> {
        self.add(format!("message {} at {}: {} bytes", place.number, place.at, message.len()))
    }

    fn note(&mut self, note: Note) -> io::Result<()> {
        self.add(format!("note {note}"))
    }
}

fn open(name: &str, bytes: Vec<u8>) -> Opened {
    let len = bytes.len() as u64;
    let input = Input::new(Cursor::new(bytes.clone())).name(name).seekable(Cursor::new(bytes), len);
    Opener::new().decompress(true).open_input(input).expect("it should open")
}

/// What a visitor gets of a document, and the errors of the steps.
fn log(name: &str, bytes: Vec<u8>, fails: Option<usize>) -> (Vec<String>, Vec<String>) {
    let (mut log, mut errors) = (Log { fails, ..Log::default() }, Vec::new());
    let mut links = open(name, bytes).into_links(&Finder::new()).expect("it should have links");
    loop {
        match links.step(&mut log) {
            Ok(true) => {}
            Ok(false) => break,
            Err(e) => errors.push(e.to_string()),
        }
    }
    assert!(matches!(links.step(&mut log), Ok(false)), "the end stays the end");
    (log.lines, errors)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("a vector takes all");
    encoder.finish().expect("a vector takes all")
}

fn container(members: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        writer.start_file(*name, SimpleFileOptions::default()).expect("it should be written");
        writer.write_all(text.as_bytes()).expect("it should be written");
    }
    writer.finish().expect("it should be written").into_inner()
}

#[test]
fn links_come_before_the_damage_and_the_error_once() {
    let mut bytes = gzip(b"http://a.example/ http://b.example/ ");
    let last = bytes.len() - 8;
    bytes[last] ^= 1;
    let (lines, errors) = log("a.txt.gz", bytes, None);
    assert_eq!(lines, ["http://a.example/", "http://b.example/"]);
    assert_eq!(errors.len(), 1);
    assert!(errors[0].starts_with("cut short or damaged"), "{errors:?}");
}

#[test]
fn members_have_a_beginning_and_an_end() {
    let members = [("a.txt", "http://a.example/"), ("b.eml", "x"), ("c.html", "<a href='/c'>")];
    let (lines, errors) = log("x.docx", container(&members), None);
    let expected = [
        "begin x.docx!a.txt",
        "http://a.example/",
        "end",
        "note not searched, mail or a web archive; unpack the file",
        "begin x.docx!c.html",
        "/c",
        "end",
    ];
    assert_eq!((&lines[..], errors.len()), (&expected.map(str::to_owned)[..], 0));
}

#[test]
fn an_error_of_the_visitor_ends_a_text_and_no_other_one() {
    let members =
        [("a.txt", "http://a.example/ http://b.example/"), ("c.txt", "http://c.example/")];
    let (lines, errors) = log("x.docx", container(&members), Some(2));
    assert_eq!(errors, ["enough"]);
    assert_eq!(lines[..2], ["begin x.docx!a.txt", "http://a.example/"].map(str::to_owned));
    assert_eq!(lines[2..], ["begin x.docx!c.txt", "http://c.example/", "end"].map(str::to_owned));
}

#[test]
fn messages_say_where_they_are() {
    let mbox = b"From a Sat Jan  3 01:05:34 1996\nA: b\n\nx\n\nFrom b Sat Jan  3 01:05:35 1996\nA: b\n\ny\n";
    let (lines, errors) = log("x.mbox", mbox.to_vec(), None);
    assert_eq!(lines, ["message 1 at 0: 41 bytes", "message 2 at 41: 40 bytes"]);
    assert!(errors.is_empty());
}

/// The bytes of a document rewritten, or the error; the notes; and the links that changed.
fn rewritten(
    name: &str,
    bytes: &[u8],
    options: mail::Options,
) -> (io::Result<Vec<u8>>, Vec<String>, u64) {
    let opened = open(name, bytes.to_vec());
    let mut rewriter = match opened.into_rewriter(&Finder::new(), &options) {
        Ok(rewriter) => rewriter,
        Err(e) => return (Err(e), Vec::new(), 0),
    };
    let (mut written, mut notes) = (Vec::new(), Vec::new());
    let done = loop {
        let step = rewriter.step();
        notes.extend(std::iter::from_fn(|| rewriter.next_note()).map(|note| note.to_string()));
        match step {
            Ok(Some(bytes)) => written.extend(bytes),
            Ok(None) => break Ok(written),
            Err(e) => break Err(e),
        }
    };
    assert!(matches!(rewriter.step(), Ok(None)), "the end stays the end");
    (done, notes, rewriter.done().changed)
}

#[test]
fn a_container_that_is_signed_stays_unless_the_caller_says_so() {
    let signed = container(&[
        ("word/document.xml", "<a>http://a.example/é</a>"),
        ("_xmlsignatures/origin.sigs", ""),
    ]);
    let (written, notes, changed) = rewritten("x.docx", &signed, mail::Options::new());
    assert_eq!((written.expect("it should be copied"), changed), (signed.clone(), 0));
    assert_eq!(notes, ["signed, and stays as it is; rewriting it would break the signature"]);
    let even = mail::Options::new().even_signed(true);
    let (written, notes, changed) = rewritten("x.docx", &signed, even);
    assert_eq!((notes.len(), changed), (0, 1));
    let (lines, _) = log("x.docx", written.expect("it should be rewritten"), None);
    assert_eq!(lines[1], "http://a.example/%C3%A9");
}

#[test]
fn what_is_closed_stays_as_written_and_damage_is_an_error() {
    let closed =
        container(&[("a.eml", "A: b\n\nhttp://a.example/é"), ("b.txt", "http://b.example/é")]);
    let (written, notes, changed) = rewritten("x.docx", &closed, mail::Options::new());
    assert!(written.is_ok());
    assert_eq!(changed, 1);
    assert_eq!(notes, ["stays as written, mail or a web archive; unpack the file"]);
    let mut damaged = container(&[("a.txt", "http://a.example/é")]);
    // The sum in the directory.
    let at = damaged.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").expect("a directory");
    damaged[at + 16] ^= 1;
    let error = rewritten("x.docx", &damaged, mail::Options::new()).0.expect_err("it is damaged");
    assert!(error.to_string().starts_with("a.txt: cut short or damaged"), "{error}");
}

#[test]
fn what_was_compressed_is_compressed_and_damage_is_an_error() {
    let packed = gzip("http://a.example/é\n".as_bytes());
    let (written, _, changed) = rewritten("a.txt.gz", &packed, mail::Options::new());
    assert_eq!(changed, 1);
    let (lines, _) = log("a.txt.gz", written.expect("it should be rewritten"), None);
    assert_eq!(lines, ["http://a.example/%C3%A9"]);
    let cut = &packed[..packed.len() - 9];
    assert!(rewritten("a.txt.gz", cut, mail::Options::new()).0.is_err());
    let refused = rewritten("a.warc", b"WARC/1.0\r\n", mail::Options::new()).0;
    assert_eq!(refused.expect_err("it is an archive").kind(), io::ErrorKind::Unsupported);
}
