//! Opens one input: decompressed, its content decided.
//!
//! In goes a file, or a reader with a name; out comes an [`Opened`]. What must hold: if a stream is
//! damaged, all bytes before the damage come out.

use std::{
    fmt,
    fs::File,
    io::{self, Read, Seek},
    path::{Path, PathBuf},
    sync::Arc,
};

use iriscan::{Basis, Charset, Finder, Format};

#[cfg(not(feature = "zip"))]
use crate::codecs;
use crate::{
    archive::Records,
    charset,
    compressed::{self, Compression, Named, Packed},
    content::{Content, Wanted, is_binary, read_as},
    mail::Mailbox,
    random::Random,
    seams::Seams,
    texts::Texts,
};
#[cfg(feature = "zip")]
use crate::{container::Container, repack::Repacker};

/// Opens inputs in one way.
///
/// ```
/// use iriscan::Format;
/// use iriscan_documents::{Content, Input, Opener};
///
/// let page = Input::new(&b"<a href='/&#252;'>"[..]).name("page.html");
/// let opened = Opener::new().open_input(page)?;
/// assert_eq!(opened.content(), Content::Document(Format::Html));
/// assert_eq!(opened.why(), "by its name");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Opener {
    wanted: Wanted,
    decompress: bool,
}

/// An input: a reader, with what is known of it.
pub struct Input {
    name: PathBuf,
    reader: Box<dyn Read + Send>,
    whole: Option<Whole>,
}

/// All bytes of an input, and how many they are.
enum Whole {
    File(Arc<File>, u64),
    #[cfg_attr(not(feature = "zip"), allow(dead_code, reason = "only containers need it"))]
    Other(Box<dyn Random>, u64),
}

/// An input that was opened.
pub struct Opened {
    name: PathBuf,
    text: TextReader,
    whole: Option<Whole>,
    /// True if the bytes of `whole` are those of `text`.
    is_plain: bool,
    compression: Option<Compression>,
    content: Content,
    why: &'static str,
    seams: Seams,
}

/// How an input is packed that is read as it is, because nobody asked for decompression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AsItIs {
    /// It is compressed, by its name and its first bytes.
    Compressed,
    /// It is a zip container, by its first bytes.
    Container,
}

impl Opener {
    /// Decides by names, and decompresses web archives only.
    #[must_use]
    pub fn new() -> Opener {
        Opener::default()
    }

    /// How the content of an input is decided.
    #[must_use]
    pub fn wanted(self, wanted: Wanted) -> Opener {
        Opener { wanted, ..self }
    }

    /// Decompress gzip, zstd, bzip2 and xz, and read zip containers member by member. All of these are
    /// known by their first bytes. Web archives are decompressed in any case, because each of their
    /// records is compressed alone.
    #[must_use]
    pub fn decompress(self, decompress: bool) -> Opener {
        Opener { decompress, ..self }
    }

    /// Opens the file at `path`.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, and those of [`Opener::open_input`].
    pub fn open(&self, path: &Path) -> io::Result<Opened> {
        let file = Arc::new(File::open(path)?);
        let about = file.metadata()?;
        let input = Input::new(Arc::clone(&file)).name(path);
        self.open_input(if about.is_file() { input.file(file, about.len()) } else { input })
    }

    /// Opens an input.
    ///
    /// # Errors
    ///
    /// The first bytes cannot be read, or they show a stream that would take too much memory, or one
    /// whose codec was not compiled: its feature is off.
    pub fn open_input(&self, input: Input) -> io::Result<Opened> {
        let Input { name, mut reader, whole } = input;
        let is_archive = compressed::is_archive(self.wanted, &name);
        let (mut packed, seams) = (Packed::No, Seams::default());
        if self.decompress || is_archive {
            let named = match self.wanted {
                _ if is_archive => Named::Archive,
                Wanted::ByContent => Named::Unknown,
                _ => Named::Other,
            };
            (reader, packed) = compressed::reader(reader, named, &seams)?;
        }
        let is_container = matches!(packed, Packed::Container);
        let (inner, compression) = match packed {
            Packed::Stream(compression) => (compressed::inner_name(&name), Some(compression)),
            // The first bytes may be damaged.
            Packed::No if is_archive => (compressed::inner_name(&name), None),
            Packed::No | Packed::Container => (&*name, None),
        };
        let mut text = TextReader { head: io::Cursor::default(), reader, error: None };
        let (content, why) = match is_container && self.decompress {
            true => (Content::Container, "by its first bytes"),
            false => Content::decide(self.wanted, inner, || text.peek()),
        };
        #[cfg(not(feature = "zip"))]
        if content == Content::Container {
            return Err(codecs::without("a zip container", "zip", "unpack"));
        }
        let is_plain = compression.is_none();
        Ok(Opened { name, text, whole, is_plain, compression, content, why, seams })
    }

    /// How `opened`, which this opener opened, is packed although it is read as it is.
    pub fn as_it_is(&self, opened: &mut Opened) -> Option<AsItIs> {
        if self.decompress || compressed::is_archive(self.wanted, &opened.name) {
            return None;
        }
        let head = opened.text.peek();
        if compressed::is_zip(head) {
            return Some(AsItIs::Container);
        }
        let is_packed = compressed::is_packed(head) && compressed::is_named(&opened.name);
        is_packed.then_some(AsItIs::Compressed)
    }
}

impl Input {
    /// An input without a name.
    pub fn new(reader: impl Read + Send + 'static) -> Input {
        Input { name: PathBuf::new(), reader: Box::new(reader), whole: None }
    }

    /// The name, which may show the content.
    #[must_use]
    pub fn name(self, name: impl Into<PathBuf>) -> Input {
        Input { name: name.into(), ..self }
    }

    /// The bytes that are read are those of this regular file, which has so many.
    #[must_use]
    pub fn file(self, file: Arc<File>, len: u64) -> Input {
        Input { whole: Some(Whole::File(file, len)), ..self }
    }

    /// The bytes that are read are those of `whole`, which has so many, and can be read from any
    /// place. A container needs this or a file.
    #[must_use]
    pub fn seekable(self, whole: impl Read + Seek + Send + 'static, len: u64) -> Input {
        Input { whole: Some(Whole::Other(Box::new(whole), len)), ..self }
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input").field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Opened { name, content, why, .. } = self;
        let mut out = f.debug_struct("Opened");
        out.field("name", name).field("content", content).field("why", why).finish_non_exhaustive()
    }
}

impl Opened {
    /// The content of the input.
    #[must_use]
    pub fn content(&self) -> Content {
        self.content
    }

    /// How the content is known, in words.
    #[must_use]
    pub fn why(&self) -> &'static str {
        self.why
    }

    /// How the input is compressed.
    #[must_use]
    pub fn compression(&self) -> Option<Compression> {
        self.compression
    }

    /// The file and its length, if the bytes of the input are those of a regular file.
    #[must_use]
    pub fn plain_file(&self) -> Option<(&Arc<File>, u64)> {
        match &self.whole {
            Some(Whole::File(file, len)) if self.is_plain => Some((file, *len)),
            _ => None,
        }
    }

    /// True if bytes may have to be waited for, as from a pipe.
    pub(crate) fn waits(&self) -> bool {
        !matches!(self.whole, Some(Whole::File(..)))
    }

    /// Why such an input cannot be read at all, and what can be done; `None` if it can.
    #[must_use]
    pub fn why_not_read(&self) -> Option<&'static str> {
        let is_seekable = self.is_plain && self.whole.is_some();
        (self.content == Content::Container && !is_seekable)
            .then_some("a zip container, whose directory is at its end; save it and name the file")
    }

    /// The charset of a document in a regular file, and how it is known, before it is read. Whoever
    /// writes links of another charset needs it: those before the first byte that is not ASCII would
    /// be written in UTF-8. `None` for other inputs, if nothing shows the charset for sure, and if the
    /// file cannot be read, which will show when it is.
    pub fn charset(&mut self, finder: &Finder) -> Option<(Charset, Basis)> {
        let (Content::Document(format), Some((file, _))) = (self.content, self.plain_file()) else {
            return None;
        };
        // HTML that declares no charset is not read as UTF-8.
        let is_sure =
            |basis| format != Format::Html || matches!(basis, Basis::Declared | Basis::Bom);
        let finder = finder.clone().format(read_as(&finder.config(), format));
        charset::of(&finder, file).filter(|(_, basis)| is_sure(*basis))
    }

    /// True if the first bytes do not look like text in any charset.
    pub fn is_binary(&mut self, finder: &Finder) -> bool {
        is_binary(self.text.peek(), finder)
    }

    /// All bytes, decompressed. Errors come where they happened.
    #[must_use]
    pub fn into_reader(self) -> Box<dyn Read + Send> {
        let TextReader { head, reader, error } = self.text;
        match error {
            Some(e) => Box::new(head.chain(Broken(Some(e)))),
            None => Box::new(head.chain(reader)),
        }
    }

    /// The bytes of a document, decompressed. An error ends them and is kept.
    #[must_use]
    pub fn into_text(self) -> TextReader {
        self.text
    }

    /// The messages of a file of mail.
    #[must_use]
    pub fn into_mailbox(self) -> Mailbox {
        Mailbox::new(self.into_reader())
    }

    /// The container, to be written anew with other content in some members.
    ///
    /// # Errors
    ///
    /// It is no container, its directory cannot be read, or it is built in a way that is not written.
    #[cfg(feature = "zip")]
    pub fn into_repacker(self) -> io::Result<Repacker> {
        match (self.content, self.whole) {
            (Content::Container, Some(Whole::File(file, len))) => {
                Repacker::open(self.name, Box::new(file), len)
            }
            (Content::Container, Some(Whole::Other(file, len))) => {
                Repacker::open(self.name, file, len)
            }
            _ => Err(io::ErrorKind::NotSeekable.into()),
        }
    }

    /// The texts of a web archive or a container, each with `finder` made fit for it.
    ///
    /// # Errors
    ///
    /// The directory of the container cannot be read, or the input cannot be read from any place.
    pub fn into_texts(self, finder: &Finder) -> io::Result<Texts> {
        #[cfg(feature = "zip")]
        if self.content == Content::Container {
            return self.into_members(finder);
        }
        let seams = self.seams.clone();
        Ok(Texts::of_archive(Records::new(self.into_reader(), seams), finder))
    }

    /// The texts of a container.
    #[cfg(feature = "zip")]
    fn into_members(self, finder: &Finder) -> io::Result<Texts> {
        let (file, len): (Box<dyn Random>, _) = match self.whole {
            Some(Whole::File(file, len)) => (Box::new(file), len),
            Some(Whole::Other(file, len)) => (file, len),
            None => return Err(io::ErrorKind::NotSeekable.into()),
        };
        Ok(Texts::of_container(Container::open(file, len)?, &self.name, finder))
    }
}

/// The bytes that are read to see what an input is, and whether it is binary.
const PEEK: u64 = 8192;

/// The bytes of an input. A read error ends them and is kept: the bytes before it are treated
/// like any others, and each error of a scan is an error of the output.
pub struct TextReader {
    /// The bytes that were read ahead.
    head: io::Cursor<Vec<u8>>,
    reader: Box<dyn Read + Send>,
    error: Option<io::Error>,
}

impl TextReader {
    /// The error that ended the bytes.
    pub fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// The first bytes.
    fn peek(&mut self) -> &[u8] {
        if self.head.get_ref().is_empty() {
            // With room, because it would be read in small pieces.
            let mut head = Vec::with_capacity(PEEK as usize);
            if let Err(e) = (&mut self.reader).take(PEEK).read_to_end(&mut head) {
                self.error = Some(e);
            }
            self.head = io::Cursor::new(head);
        }
        self.head.get_ref()
    }
}

impl fmt::Debug for TextReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextReader").field("error", &self.error).finish_non_exhaustive()
    }
}

impl Read for TextReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.head.read(buffer)?;
        if n > 0 || self.error.is_some() {
            return Ok(n);
        }
        match self.reader.read(buffer) {
            Err(e) if e.kind() != io::ErrorKind::Interrupted => {
                self.error = Some(e);
                Ok(0)
            }
            result => result,
        }
    }
}

/// Gives its error once, and then the end.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
