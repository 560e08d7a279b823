//! Opens one input: the file or standard input, as the options say.
//!
//! In goes a path; out comes an [`Opened`], or an [`Outcome`] if there is nothing to read. What
//! must hold: the user was told of every input that cannot be read. The crate `iriscan-documents`
//! decompresses and decides on the content; here are the options, the messages and the progress.

use std::{
    fs::{File, Metadata},
    io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
};

use iriscan::{Basis, Charset, Finder, Format};
use iriscan_documents::{self as documents, AsItIs, Compression, Content, Opener, Wanted};

use super::{
    Outcome,
    list::{Input, Origin},
};
use crate::{
    args::scan::ScanArgs,
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
    document: documents::Opened,
    /// True if a read may have to wait for bytes, as from a pipe.
    waits: bool,
    content: Content,
    meter: Meter,
    unfinished: Unfinished,
    cores: Cores,
    /// Of a member of a container: how its format is known.
    member: Option<&'static str>,
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
        let mut opened = self.open_any(input, file)?;
        if let Content::Document(format) = &mut opened.content {
            *format = documents::read_as(&finder.config(), *format);
        }
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
        let (content, why_not_read) = (opened.content, opened.document.why_not_read());
        let mut is_binary = || opened.document.is_binary(finder);
        match content {
            Content::Container if in_tree => {
                leave_out("a zip container, left out; name it to have it")
            }
            Content::Container if why_not_read.is_some() => {
                say(format_args!("{}: {}", name(path), why_not_read.unwrap_or_default()));
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
        let about = match &file {
            None => stdin_metadata(),
            Some(file) => file.metadata().ok(),
        };
        refuse_output(input, about.as_ref())?;
        let mut source = match &file {
            None => documents::Input::new(Counted::new(io::stdin(), &input.meter)),
            Some(file) => documents::Input::new(Counted::new(Arc::clone(file), &input.meter)),
        };
        let mut waits = true;
        let about = about.filter(Metadata::is_file);
        input.meter.begin(about.as_ref().map(Metadata::len));
        if let (Some(file), Some(about)) = (file, about) {
            (source, waits) = (source.file(file, about.len()), false);
        }
        let opener =
            Opener::new().wanted(args.rules.format.wanted()).decompress(args.inputs.decompress);
        let mut document = opener.open_input(source.name(path)).map_err(|e| {
            complain(path, &e, unfinished);
            Outcome::NOTHING
        })?;
        if !waits && input.origin == Origin::Named {
            warn_of_compressed(path, opener.as_it_is(&mut document), self.purpose)?;
        }
        let content = document.content();
        let (meter, cores) = (input.meter.clone(), self.cores.clone());
        Ok(Opened { document, waits, content, meter, unfinished, cores, member: None })
    }

    /// Opens a member of a container that was read.
    pub(crate) fn open_member(
        &self,
        path: &Path,
        format: Format,
        why: &'static str,
        bytes: Vec<u8>,
    ) -> io::Result<Opened> {
        let (content, cores) = (Content::Document(format), self.cores.clone());
        let source = documents::Input::new(io::Cursor::new(bytes)).name(path);
        let document = Opener::new().wanted(Wanted::Told(content)).open_input(source)?;
        let (waits, unfinished) = (false, self.purpose.unfinished());
        let meter = Meter::default();
        Ok(Opened { document, waits, content, meter, unfinished, cores, member: Some(why) })
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
        Content::Document(Format::Json | Format::JsonLd) => JSON,
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

/// Says that a file is compressed that is read as it is, because `-z` was not given. In place it is
/// left as it is: rewriting bytes that happen to look like a link would damage it. So it would a zip
/// container, whose bytes have offsets.
fn warn_of_compressed(
    path: &Path,
    as_it_is: Option<AsItIs>,
    purpose: Purpose,
) -> Result<(), Outcome> {
    let Some(as_it_is) = as_it_is else { return Ok(()) };
    let name = || name(path);
    if as_it_is == AsItIs::Container {
        if !purpose.takes_archives() {
            let what = "a zip container, which is not rewritten; add -z to rewrite the texts in it";
            say(format_args!("{}: {what}", name()));
            return Err(Outcome::NOTHING);
        }
        let what = "a zip container, read as it is; add -z to read the texts in it";
        say(format_args!("{}: {what}", name()));
        return Ok(());
    }
    let stays = purpose == Purpose::RewriteInPlace;
    let what = if stays { "left" } else { "read" };
    say(format_args!("{}: compressed, {what} as it is; add -z to decompress it", name()));
    if stays { Err(Outcome::NOTHING) } else { Ok(()) }
}

/// Says that an input cannot be rewritten, if that is so. Returns true then.
pub(crate) fn refuse(path: &Path, content: Content) -> bool {
    let why = content.why_not_rewritten();
    if let Some(why) = why {
        say(format_args!("{}: {why}", name(path)));
    }
    why.is_some()
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

    /// True if it is a member of a container.
    pub(crate) fn is_member(&self) -> bool {
        self.member.is_some()
    }

    /// How the content is known, in words.
    pub(crate) fn why(&self) -> &'static str {
        self.member.unwrap_or_else(|| self.document.why())
    }

    /// The compression of the input.
    pub(crate) fn compression(&self) -> Option<Compression> {
        self.document.compression()
    }

    /// The file and its length, if the bytes of the input are those of a regular file.
    pub(crate) fn plain_file(&self) -> Option<(&Arc<File>, u64)> {
        self.document.plain_file()
    }

    /// The charset of a document, and how it is known, before it is read.
    pub(crate) fn charset(&mut self, finder: &Finder) -> Option<(Charset, Basis)> {
        self.document.charset(finder)
    }

    /// True if a read may have to wait for bytes, as from a pipe.
    pub(crate) fn waits(&self) -> bool {
        self.waits
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

    /// What is in the input.
    pub(crate) fn into_document(self) -> documents::Opened {
        self.document
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
