//! Opens one input: the file or standard input, decompressed, its content decided.
//!
//! In goes a path; out comes an [`Opened`], or an [`Outcome`] if there is nothing to read. What
//! must hold: the user was told of every input that cannot be read.

use std::{
    fs::{File, Metadata},
    io::{self, Read},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
};

use iriscan::{Finder, Format};

use super::{
    Outcome,
    compressed::{self, Compression, Named, Packed},
    content::{self, Content},
    list::{Input, Origin},
    members::Seams,
};
use crate::{
    args::{scan::ScanArgs, values::FormatArg},
    files::open_regular,
    messages::{
        progress::{Counted, Meter},
        say,
        text::name,
        trouble::{Unfinished, complain, complain_of_opening},
    },
    output,
};

/// An input that was opened.
pub(crate) struct Opened {
    pub(super) source: Source,
    /// True if a read may have to wait for bytes, as from a pipe.
    pub(super) waits: bool,
    /// The file that `source` reads.
    file: Option<Arc<File>>,
    /// The length of a regular file that is not compressed.
    len: Option<u64>,
    compression: Option<Compression>,
    content: Content,
    why: &'static str,
    meter: Meter,
    seams: Seams,
    pub(super) unfinished: Unfinished,
    cores: Cores,
}

/// What a command does with inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// It finds their links.
    Find,
    /// It writes them anew. Archives cannot be rewritten; those in folders are left out.
    Rewrite,
    /// It puts the new ones in their places.
    RewriteInPlace,
}

impl Purpose {
    fn takes_archives(self) -> bool {
        self == Purpose::Find
    }

    fn unfinished(self) -> Unfinished {
        match self {
            Purpose::RewriteInPlace => Unfinished::LeftAsItIs,
            Purpose::Find | Purpose::Rewrite => Unfinished::Used,
        }
    }
}

/// Opens the inputs of a run.
#[derive(Debug)]
pub(crate) struct InputOpener<'a> {
    args: &'a ScanArgs,
    purpose: Purpose,
    /// What the inputs so far were: bits such as [`JSON`].
    read: AtomicU8,
    cores: Cores,
}

impl<'a> InputOpener<'a> {
    pub(crate) fn new(args: &'a ScanArgs, purpose: Purpose) -> InputOpener<'a> {
        InputOpener { args, purpose, read: AtomicU8::new(0), cores: Cores::default() }
    }

    /// The options.
    pub(crate) fn args(&self) -> &'a ScanArgs {
        self.args
    }

    /// Opens an input. `file` is the file of the input if it is open already; the path is not
    /// opened again then. `Err`: there is nothing to read.
    pub(crate) fn open(
        &self,
        finder: &Finder,
        input: &Input,
        file: Option<&Arc<File>>,
    ) -> Result<Opened, Outcome> {
        let opened = self.open_any(input, file)?;
        let opened = self.admit(finder, input, opened)?;
        self.read.fetch_or(read_of(opened.content), Ordering::Relaxed);
        Ok(opened)
    }

    /// Leaves out, or refuses, what the command does not read.
    fn admit(&self, finder: &Finder, input: &Input, mut opened: Opened) -> Result<Opened, Outcome> {
        let (path, in_tree) = (&input.path, input.origin == Origin::Tree);
        let leave_out = |what: &str| {
            if self.args.run.verbose {
                say(format_args!("{}: {what}", name(path)));
            }
            Err(Outcome::LEFT_OUT)
        };
        let (content, is_file) = (opened.content, opened.plain_file().is_some());
        let mut is_binary = || content::is_binary(opened.source.peek(), finder);
        match content {
            Content::Container if in_tree => {
                leave_out("a zip container, left out; name it to have it")
            }
            Content::Container if !is_file => {
                let name = name(path);
                say(format_args!(
                    "{name}: a zip container, whose directory is at its end; save it and name the file"
                ));
                Err(Outcome::NOTHING)
            }
            Content::Archive if in_tree && !self.purpose.takes_archives() => {
                leave_out("a web archive, left out; `find` lists its links")
            }
            Content::Document(_) | Content::Mail if in_tree && is_binary() => {
                leave_out("binary, left out; name it to have it")
            }
            _ => Ok(opened),
        }
    }

    /// After all inputs: says which options had no effect, because no input was of their format.
    pub(crate) fn say_unused(&self) {
        let (args, read) = (&self.args.rules, self.read.load(Ordering::Relaxed));
        for (given, of, what) in [
            (
                args.has_fields(),
                JSON,
                "JSON, and --field chose nothing; if they are, add --format json",
            ),
            (
                args.targets,
                LOG,
                "a log, and --targets found nothing; if they are, add --format log",
            ),
            (args.refang, TEXT, "text or mail, and --refang did nothing; add --format text"),
        ] {
            if given && read != 0 && read & of == 0 {
                say(format_args!("no input was {what}"));
            }
        }
    }

    /// Opens an input, whatever its content is.
    fn open_any(&self, input: &Input, file: Option<&Arc<File>>) -> Result<Opened, Outcome> {
        let (args, unfinished) = (self.args, self.purpose.unfinished());
        let path = &input.path;
        let is_stdin = path == Path::new("-");
        let file = match file {
            Some(file) => Some(Arc::clone(file)),
            None if is_stdin => None,
            None => Some(Arc::new(open_file(input)?)),
        };
        let (mut reader, about): (Box<dyn Read>, _) = match &file {
            None => (Box::new(Counted::new(io::stdin().lock(), &input.meter)), stdin_metadata()),
            Some(file) => {
                let counted = Counted::new(Arc::clone(file), &input.meter);
                (Box::new(counted), file.metadata().ok())
            }
        };
        refuse_output(input, about.as_ref())?;
        let mut len = about.filter(|about| !is_stdin && about.is_file()).map(|about| about.len());
        input.meter.begin();
        let (waits, mut packed) = (len.is_none(), Packed::No);
        let wanted = args.rules.format;
        let is_archive = compressed::is_archive(wanted, path);
        let seams = Seams::default();
        if args.inputs.decompress || is_archive {
            let named = match wanted {
                _ if is_archive => Named::Archive,
                FormatArg::Sniff => Named::Unknown,
                _ => Named::Other,
            };
            (reader, packed) = compressed::reader(reader, named, &seams).map_err(|e| {
                complain(path, &e, unfinished);
                Outcome::NOTHING
            })?;
        }
        let is_container = matches!(packed, Packed::Container);
        let (inner, compression) = match packed {
            Packed::Stream(compression) => {
                len = None;
                (compressed::inner_name(path), Some(compression))
            }
            // The first bytes may be damaged.
            Packed::No if is_archive => (compressed::inner_name(path), None),
            Packed::No | Packed::Container => (&**path, None),
        };
        let mut source = Source { head: io::Cursor::default(), reader, trouble: None };
        if !args.inputs.decompress && !is_archive && len.is_some() && input.origin == Origin::Named
        {
            warn_of_compressed(path, &mut source, self.purpose)?;
        }
        let (content, why) = match is_container && args.inputs.decompress {
            true => (Content::Container, "by its first bytes"),
            false => Content::decide(wanted, inner, || source.peek()),
        };
        let content = match content {
            Content::Document(format) => Content::Document(args.rules.read_as(format)),
            other => other,
        };
        let meter = input.meter.clone();
        let cores = self.cores.clone();
        Ok(Opened {
            source,
            waits,
            file,
            len,
            compression,
            content,
            why,
            meter,
            seams,
            unfinished,
            cores,
        })
    }
}

const JSON: u8 = 1;
const LOG: u8 = 2;
/// Text or mail.
const TEXT: u8 = 4;
const OTHER: u8 = 8;

/// What is read in an input of this content.
fn read_of(content: Content) -> u8 {
    match content {
        // Their members and payloads may be any of them.
        Content::Archive | Content::Container => JSON | LOG | TEXT,
        Content::Mail | Content::Document(Format::Text | Format::Defanged) => TEXT,
        Content::Document(Format::Json) => JSON,
        Content::Document(Format::Log) => LOG,
        Content::Document(_) => OTHER,
    }
}

/// Opens the file of an input. A file of a folder that has gone meanwhile is left out.
fn open_file(input: &Input) -> Result<File, Outcome> {
    let path = &input.path;
    let file = match input.origin {
        Origin::Named => File::open(path),
        Origin::Tree => match open_regular(path) {
            // Somebody has removed or replaced it since its folder was read.
            Ok(None) => return Err(Outcome::LEFT_OUT),
            Ok(Some(file)) => Ok(file),
            Err(e) => Err(e),
        },
    };
    file.map_err(|e| {
        complain_of_opening(path, &e);
        Outcome::NOTHING
    })
}

/// Refuses an input that is the output too: it would grow while it is read.
fn refuse_output(input: &Input, about: Option<&Metadata>) -> Result<(), Outcome> {
    if !output::is_output(about) {
        return Ok(());
    }
    if input.origin == Origin::Tree {
        return Err(Outcome::LEFT_OUT);
    }
    let name = name(&input.path);
    say(format_args!("{name}: it is the output too; write to another file"));
    Err(Outcome::NOTHING)
}

/// Says that a file is compressed, if its name and its first bytes say so and `-z` was not
/// given. In place it is left as it is: rewriting bytes that happen to look like a link would
/// damage it. So it would a zip container, whose bytes have offsets.
fn warn_of_compressed(path: &Path, source: &mut Source, purpose: Purpose) -> Result<(), Outcome> {
    if compressed::is_zip(source.peek()) {
        if !purpose.takes_archives() {
            refuse_container(path);
            return Err(Outcome::NOTHING);
        }
        let name = name(path);
        say(format_args!("{name}: a zip container, read as it is; add -z to read the texts in it"));
        return Ok(());
    }
    if !compressed::is_named(path) || !compressed::is_packed(source.peek()) {
        return Ok(());
    }
    let stays = purpose == Purpose::RewriteInPlace;
    let what = if stays { "left" } else { "read" };
    say(format_args!("{}: compressed, {what} as it is; add -z to decompress it", name(path)));
    if stays { Err(Outcome::NOTHING) } else { Ok(()) }
}

/// Says that a zip container cannot be rewritten.
pub(crate) fn refuse_container(path: &Path) {
    let name = name(path);
    say(format_args!(
        "{name}: a zip container, which is not rewritten; unpack it, or list its links with `find -z`"
    ));
}

#[cfg(unix)]
fn stdin_metadata() -> Option<Metadata> {
    use std::os::fd::AsFd;
    let stdin = io::stdin().as_fd().try_clone_to_owned().ok()?;
    File::from(stdin).metadata().ok()
}

#[cfg(not(unix))]
fn stdin_metadata() -> Option<Metadata> {
    None
}

impl Opened {
    /// The content of the input.
    pub(crate) fn content(&self) -> Content {
        self.content
    }

    /// How the content is known, in words.
    pub(crate) fn why(&self) -> &'static str {
        self.why
    }

    /// The compression of the input.
    pub(crate) fn compression(&self) -> Option<Compression> {
        self.compression.clone()
    }

    /// The file and its length, if the bytes of the input are those of a regular file.
    pub(crate) fn plain_file(&self) -> Option<(&Arc<File>, u64)> {
        Some((self.file.as_ref()?, self.len?))
    }

    /// Where the members of a web archive meet.
    pub(crate) fn seams(&self) -> Seams {
        self.seams.clone()
    }

    /// The meter that counts the bytes that are read.
    pub(crate) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// What becomes of the input if it cannot be read to its end.
    pub(crate) fn unfinished(&self) -> Unfinished {
        self.unfinished
    }

    /// All cores, for this input; `None` while another one has them.
    pub(crate) fn take_cores(&self) -> Option<AllCores> {
        self.cores.take()
    }

    /// A reader of all bytes, which gives errors where they happened; and whether a read may
    /// have to wait.
    pub(crate) fn into_reader(self) -> (Box<dyn Read>, bool) {
        let Source { head, reader, trouble } = self.source;
        match trouble {
            Some(e) => (Box::new(head.chain(Broken(Some(e)))), self.waits),
            None => (Box::new(head.chain(reader)), self.waits),
        }
    }
}

/// The cores of the machine, which the inputs of a run share: one input at a time may have them all,
/// because the other cores are for other inputs.
#[derive(Clone, Debug, Default)]
struct Cores(Arc<AtomicBool>);

impl Cores {
    fn take(&self) -> Option<AllCores> {
        let free = !self.0.swap(true, Ordering::Acquire);
        free.then(|| AllCores(self.clone()))
    }
}

/// While this value exists, an input is scanned by several threads.
#[derive(Debug)]
pub(crate) struct AllCores(Cores);

impl Drop for AllCores {
    fn drop(&mut self) {
        self.0.0.store(false, Ordering::Release);
    }
}

/// The bytes that are read to see what an input is, and whether it is binary.
const PEEK: u64 = 8192;

/// The bytes of an input. A read error ends them and is kept: the bytes before it are treated
/// like any others, and each error of a scan is an error of the output.
pub(super) struct Source {
    /// The bytes that were read ahead.
    head: io::Cursor<Vec<u8>>,
    reader: Box<dyn Read>,
    pub(super) trouble: Option<io::Error>,
}

impl Source {
    /// The first bytes.
    fn peek(&mut self) -> &[u8] {
        if self.head.get_ref().is_empty() {
            let mut head = Vec::new();
            if let Err(e) = (&mut self.reader).take(PEEK).read_to_end(&mut head) {
                self.trouble = Some(e);
            }
            self.head = io::Cursor::new(head);
        }
        self.head.get_ref()
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.head.read(buffer)?;
        if n > 0 || self.trouble.is_some() {
            return Ok(n);
        }
        match self.reader.read(buffer) {
            Err(e) if e.kind() != io::ErrorKind::Interrupted => {
                self.trouble = Some(e);
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
