//! One way to open a document for [iriscan](https://docs.rs/iriscan): its content by name and by first
//! bytes, compression, zip containers, web archives and mail. The command `iriscan`, the Python
//! package and the C library open their files with it.
//!
//! An [`Opener`] says how inputs are opened: how the content is decided ([`Wanted`]), and whether
//! what is compressed is decompressed. It opens a file, or an [`Input`]: any reader, with the name
//! and the file if there are some. Out comes an [`Opened`], whose [`Content`] says how to go on:
//!
//! | content | go on with | which gives |
//! |---|---|---|
//! | [`Content::Document`] | [`Opened::into_reader`], [`Opened::into_text`] | the bytes, for a finder in this format |
//! | [`Content::Mail`] | [`Opened::into_mailbox`] | messages, for the functions of `iriscan::mail` |
//! | [`Content::Archive`], [`Content::Container`] | [`Opened::into_texts`] | a [`Text`] for each record or member, with its finder |
//!
//! Or let [`Opened::into_links`] do all of this: a [`LinkReader`] gives links, their places and notes to a [`Visitor`], whatever
//! the input is. [`Opened::into_rewriter`] rewrites it.
//!
//! Errors of reading are [`std::io::Error`]. What is wrong with a part of an archive or a container
//! hides no other part: it comes as a [`Note`], which says what, where and what to do. An input may
//! be hostile: one message, one record of at most 64 MiB, or one member with its window is held at a
//! time, and a container inflates to a bounded number of bytes.
//!
//! # Features
//!
//! What an input may be packed with. All are on by default; without any of them, no codec is compiled, and no C:
//!
//! ```toml
//! iriscan-documents = { version = "0.1", default-features = false, features = ["gzip"] }
//! ```
//!
//! | feature | reads and writes | also in web archives |
//! |---|---|---|
//! | `gzip` | `.gz` | `.warc.gz`, pages that the server compressed with gzip or deflate |
//! | `zstd` | `.zst`; compiles C | `.warc.zst`, pages that the server compressed with zstd |
//! | `bzip2` | `.bz2` | `.warc.bz2` |
//! | `xz` | `.xz` | `.warc.xz` |
//! | `zip` | docx, odt, epub and other zip containers; `Repacker` writes them anew | |
//!
//! Everything else is always there: what an input is, mail, and web archives that are not compressed. An input that needs a
//! feature which is off is recognised all the same: opening it is an error of the kind
//! [`Unsupported`](std::io::ErrorKind::Unsupported) that names the feature, and such a page in a web archive gives a [`Note`]
//! and is counted. Most web archives are `.warc.gz`: a program that reads them needs `gzip`.
//!
//! ```
//! use std::io::Read as _;
//!
//! use iriscan::{Config, Finder, mail};
//! use iriscan_documents::{Content, Input, Next, Opened, Opener};
//!
//! /// The links of an input, whatever it is.
//! fn links(finder: &Finder, opened: Opened) -> std::io::Result<Vec<String>> {
//!     let mut links = Vec::new();
//!     match opened.content() {
//!         Content::Document(format) => {
//!             let mut text = Vec::new();
//!             opened.into_reader().read_to_end(&mut text)?;
//!             let finder = finder.clone().format(format);
//!             links.extend(finder.find_iter(&text).map(|link| link.iri().into_owned()));
//!         }
//!         Content::Mail => {
//!             for piece in opened.into_mailbox() {
//!                 let piece = piece?.piece;
//!                 mail::find_each(finder, piece.bytes(), |link| {
//!                     links.push(link.link().iri().into_owned());
//!                 });
//!             }
//!         }
//!         _ => {
//!             let mut texts = opened.into_texts(finder)?;
//!             while let Some(next) = texts.next()? {
//!                 match next {
//!                     Next::Text(mut text) => {
//!                         let mut bytes = Vec::new();
//!                         text.read_to_end(&mut bytes)?;
//!                         let found = text.finder.find_iter(&bytes);
//!                         links.extend(found.map(|link| link.iri().into_owned()));
//!                     }
//!                     Next::Note(note) => eprintln!("{note}"),
//!                 }
//!             }
//!         }
//!     }
//!     Ok(links)
//! }
//!
//! let finder = Config::new().build()?;
//! let message = b"Content-Transfer-Encoding: quoted-printable\n\nhttp://a.exam=\nple/";
//! let input = Input::new(&message[..]).name("x.eml");
//! let opened = Opener::new().open_input(input)?;
//! assert_eq!(links(&finder, opened)?, ["http://a.example/"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Its files, from the bottom; each imports only those before it:
//!
//! ```text
//! seams       where the records of a web archive begin
//! codecs      the codecs that were compiled, one file each
//! members     the gzip members of a web archive, also of a damaged one
//! archive     a web archive, record by record
//! content     what an input is, by its name or its first bytes
//! compressed  streams that are decompressed, and compressed again
//! random      what can be read from any place
//! container   a zip container, member by member
//! mail        a file of messages, message by message
//! note        what could not be read, in words
//! repack      a zip container with other content in some members
//! texts       the texts of an archive or a container
//! charset     the charset of a document, before it is read
//! open        one input: decompressed, its content decided
//! links       the links of an input, a step at a time
//! rewriter    an input rewritten, a step at a time
//! ```

mod archive;
mod charset;
mod codecs;
mod compressed;
#[cfg(feature = "zip")]
mod container;
mod content;
mod links;
mod mail;
#[cfg(feature = "gzip")]
mod members;
mod note;
mod open;
mod random;
#[cfg(feature = "zip")]
mod repack;
mod rewriter;
mod seams;
mod texts;

#[cfg(feature = "zip")]
pub use crate::repack::{Member, NextMember, Repacker};
pub use crate::{
    compressed::{Compression, Compressor, inner_name},
    content::{Content, Wanted, read_as},
    links::{LinkReader, Visitor},
    mail::{MailPiece, Mailbox},
    note::{Note, NoteKind},
    open::{AsItIs, Input, Opened, Opener, TextReader},
    rewriter::{DocumentRewriter, DocumentRewritten},
    texts::{Next, Place, RecordPlace, Text, Texts},
};
