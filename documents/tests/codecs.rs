//! What each codec does, and what an input says that needs one which was not compiled. Run it with any set of features:
//!
//! ```sh
//! cargo test -p iriscan-documents --no-default-features --features gzip --test codecs
//! ```

use std::io::{self, Cursor, Read, Write};

use iriscan::Finder;
use iriscan_documents::{
    Compressor, Content, Input, Next, NoteKind, Opened, Opener, Place, Wanted,
};

const TEXT: &[u8] = b"http://a.example/\n";

/// [`TEXT`] as each codec packs it: its feature, whether that is on, a name, and the bytes.
#[rustfmt::skip]
const PACKED: [(&str, bool, &str, &[u8]); 5] = [
    ("gzip", cfg!(feature = "gzip"), "a.txt.gz",
        b"\x1F\x8B\x08\x00\x00\x00\x00\x00\x02\x03\xCB())\xB0\xD2\xD7O\xD4K\xADH\xCC-\xC8I\xD5\xE7\x02\x00\xB5>\xAF\x0E\
        \x12\x00\x00\x00"),
    ("bzip2", cfg!(feature = "bzip2"), "a.txt.bz2",
        b"BZh91AY&SY\xC55\xB3\xEE\x00\x00\x05Y\x80\x00\x10\x00\x01\x80\x10\x22FD@ \x001\x03@\xD0)\xA6\x9E\xA6\xD2~\xA7:\
        \x94\xDC\x16\xDAa\x01\x82\xEEH\xA7\x0A\x12\x18\xA6\xB6}\xC0"),
    ("xz", cfg!(feature = "xz"), "a.txt.xz",
        b"\xFD7zXZ\x00\x00\x01i\x22\xDE6\x02\x00!\x01\x16\x00\x00\x00t/\xE5\xA3\x01\x00\x11http://a.example/\x0A\x00\
        \x00\x00\xB5>\xAF\x0E\x00\x01&\x12GG\xE1\x10\x90B\x99\x0D\x01\x00\x00\x00\x00\x01YZ"),
    ("zstd", cfg!(feature = "zstd"), "a.txt.zst", b"(\xB5/\xFD \x12\x91\x00\x00http://a.example/\x0A"),
    ("zip", cfg!(feature = "zip"), "a.docx",
        b"PK\x03\x04\x14\x00\x00\x00\x00\x00\x00\x00!\x00\xB5>\xAF\x0E\x12\x00\x00\x00\x12\x00\x00\x00\x05\x00\x00\x00\
        a.txthttp://a.example/\x0APK\x01\x02\x14\x03\x14\x00\x00\x00\x00\x00\x00\x00!\x00\xB5>\xAF\x0E\x12\x00\x00\x00\
        \x12\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x01\x00\x00\x00\x00a.txtPK\x05\x06\x00\x00\
        \x00\x00\x01\x00\x01\x003\x00\x00\x005\x00\x00\x00\x00\x00"),
];

fn open(opener: Opener, name: &str, bytes: &'static [u8]) -> io::Result<Opened> {
    let input = Input::new(bytes).name(name).seekable(Cursor::new(bytes), bytes.len() as u64);
    opener.open_input(input)
}

/// All bytes of the texts in an archive or a container, their places, and the notes.
fn texts(opened: Opened) -> (Vec<u8>, Vec<Place>, Vec<NoteKind>) {
    let (mut bytes, mut places, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let mut texts = opened.into_texts(&Finder::new()).expect("it should have texts");
    while let Some(next) = texts.next().expect("it should be readable") {
        match next {
            Next::Text(mut text) => {
                text.read_to_end(&mut bytes).expect("a text never fails");
                places.push(text.place);
            }
            Next::Note(note) => notes.push(match note.kind() {
                NoteKind::Coding(at, coding) => NoteKind::Coding(*at, coding.clone()),
                NoteKind::Codings(count, coding) => NoteKind::Codings(*count, coding.clone()),
                other => panic!("{other:?}"),
            }),
        }
    }
    (bytes, places, notes)
}

#[test]
fn each_codec_reads_or_says_which_feature_is_missing() {
    for (feature, is_on, name, bytes) in PACKED {
        let opened = open(Opener::new().decompress(true), name, bytes);
        if !is_on {
            let error = opened.expect_err("a codec that was not compiled reads nothing");
            assert_eq!(error.kind(), io::ErrorKind::Unsupported, "{feature}");
            let said = error.to_string();
            assert!(said.contains(&format!("the feature `{feature}` of")), "{said}");
            continue;
        }
        let opened = opened.expect("it should open");
        let read = match opened.content() {
            Content::Container => texts(opened).0,
            _ => {
                let mut read = Vec::new();
                opened.into_reader().read_to_end(&mut read).expect("it should be readable");
                read
            }
        };
        assert_eq!(read, TEXT, "{feature}");
    }
}

#[test]
fn what_is_not_decompressed_needs_no_codec() {
    for (feature, _, name, bytes) in PACKED {
        let mut opened = open(Opener::new(), name, bytes).expect("it should open");
        assert!(Opener::new().as_it_is(&mut opened).is_some(), "{feature}");
        let mut read = Vec::new();
        opened.into_reader().read_to_end(&mut read).expect("it should be readable");
        assert_eq!(read, bytes, "{feature}");
    }
}

#[test]
fn what_was_compressed_is_compressed_again() {
    let opener = Opener::new().decompress(true);
    for (feature, _, name, bytes) in PACKED {
        let Ok(opened) = open(opener, name, bytes) else { continue };
        let Some(compression) = opened.compression() else { continue };
        let mut compressor = Compressor::new(compression, Vec::new()).expect(feature);
        compressor.write_all(TEXT).expect("a vector takes all");
        let again = compressor.finish().expect("a vector takes all");
        let mut read = Vec::new();
        let opened = opener.open_input(Input::new(Cursor::new(again))).expect("it should open");
        assert!(opened.compression().is_some(), "{feature}");
        opened.into_reader().read_to_end(&mut read).expect("it should be readable");
        assert_eq!(read, TEXT, "{feature}");
    }
}

/// An archive with a page as it is, and one that its server compressed with gzip.
fn archive() -> Vec<u8> {
    let (_, _, _, body) = PACKED[0];
    let record = |kind: &str, target: &str, content: &str, block: &[u8]| {
        let len = block.len();
        let head = format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {target}\r\nContent-Type: {content}\r\n\
             Content-Length: {len}\r\n\r\n"
        );
        [head.as_bytes(), block, b"\r\n\r\n"].concat()
    };
    let http = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\n\r\n";
    let response = [&http[..], body].concat();
    let plain = record("resource", "http://t.example/", "text/plain", TEXT);
    [plain, record("response", "http://u.example/", "application/http", &response)].concat()
}

#[test]
fn an_archive_needs_gzip_only_for_what_is_compressed() {
    let input = Input::new(Cursor::new(archive())).name("a.warc");
    let opened = Opener::new().open_input(input).expect("it should open");
    let (bytes, places, notes) = texts(opened);
    let targets = places.iter().map(|place| match place {
        Place::Record(record) => &*record.target,
        Place::Member(_) => panic!("an archive has no members"),
    });
    let targets: Vec<&str> = targets.collect();
    if cfg!(feature = "gzip") {
        assert_eq!(bytes, TEXT.repeat(2));
        assert_eq!(targets, ["http://t.example/", "http://u.example/"]);
        assert!(notes.is_empty());
    } else {
        assert_eq!(bytes, TEXT);
        assert_eq!(targets, ["http://t.example/"]);
        assert!(matches!(&notes[..], [NoteKind::Coding(..), NoteKind::Codings(1, _)]), "{notes:?}");
    }
}

/// What is in the file does not matter: it is refused before that is read.
#[test]
fn an_archive_that_is_compressed_says_that_gzip_is_missing() {
    let (_, is_on, _, bytes) = PACKED[0];
    let told = Opener::new().wanted(Wanted::Told(Content::Archive));
    for opened in [open(Opener::new(), "a.warc.gz", bytes), open(told, "a", bytes)] {
        match opened {
            Ok(opened) => assert!(is_on && opened.content() == Content::Archive),
            Err(e) => assert!(!is_on && e.to_string().contains("`gzip`"), "{e}"),
        }
    }
}
