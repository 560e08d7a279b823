//! Inputs and what can go wrong with them.

use std::{
    cell::RefCell,
    fmt,
    fs::{self, File, Metadata},
    io::{self, IsTerminal, Read, Write},
    path::Path,
    sync::{
        Arc, LazyLock, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use iriscan::{Charset, Finder, Format, Sink, Summary};

use crate::{
    args::{FormatArg, ScanArgs},
    compressed::{self, Compression},
    mail, parallel,
    progress::{self, Counted, Meter},
    queue::Turn,
    stats::Sum,
    walk::{Input, Origin},
    warc,
};

/// What ends a command, or an input.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// Standard output cannot be written: nothing more can be done.
    Output(io::Error),
    /// The rules cannot be.
    Config(iriscan::ConfigError),
    /// Options that do not go together.
    Usage(String),
    /// Ctrl-C could not be caught.
    Signals(io::Error),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Output(e) => {
                let advice = if is_full(e) { ", make room and run again" } else { "" };
                write!(f, "standard output: {}; the output is incomplete{advice}", plain(e))
            }
            Trouble::Config(e) => write!(f, "{e}"),
            Trouble::Usage(e) => f.write_str(e),
            Trouble::Signals(e) => write!(f, "signals: {}; nothing was written", plain(e)),
        }
    }
}

/// Says `message` on standard error, in one piece. Nobody listening there is no
/// reason to stop, so not `eprintln!`, which panics then.
pub(crate) fn say(message: impl fmt::Display) {
    put(&format!("iriscan: {message}\n"));
}

thread_local! {
    /// What this thread says, while it may turn out that it should not have.
    static HELD: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Puts whole messages on standard error, or where [`holding`] wants them.
pub(crate) fn put(messages: &str) {
    HELD.with_borrow_mut(|held| match held {
        Some(held) => held.push_str(messages),
        None if messages.is_empty() => {}
        None => drop(progress::aside(|| io::stderr().write_all(messages.as_bytes()))),
    });
}

/// Does `work`; what it said is not said, but given back.
pub(crate) fn holding<T>(work: impl FnOnce() -> T) -> (T, String) {
    let outer = HELD.replace(Some(String::new()));
    let done = work();
    (done, HELD.replace(outer).unwrap_or_default())
}

/// What becomes of an input that breaks: files in place stay as they are.
static BROKEN_STAY: AtomicBool = AtomicBool::new(false);

/// From now on an input that breaks is left as it is.
pub(crate) fn leave_broken() {
    BROKEN_STAY.store(true, Ordering::Relaxed);
}

/// Whether somebody looks at standard output, on what obeys control characters.
pub(crate) fn to_terminal() -> bool {
    static ANSWER: LazyLock<bool> = LazyLock::new(|| io::stdout().is_terminal());
    *ANSWER
}

/// Before standard input is read that nobody named: says so, if somebody may wait for
/// what waits to be typed.
pub(crate) fn say_typed() {
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z" } else { "Ctrl-D" };
        say(format_args!("reading from this terminal; {end} ends it, and --help has examples"));
    }
}

/// What tells files apart: of the one that results go to.
static OUTPUT: OnceLock<FileId> = OnceLock::new();

type FileId = [u64; 2];

/// From now on an input that is the file that standard output goes to is refused: it
/// would grow while it is read, without end.
pub(crate) fn output_is_standard() {
    #[cfg(unix)]
    if let Some(id) = stdout().ok().and_then(|out| regular(&out.metadata().ok()?)) {
        let _ = OUTPUT.set(id);
    }
}

/// As [`output_is_standard`], of the file at `path`, if there is one.
pub(crate) fn output_is(path: &Path) {
    if let Some(id) = path.metadata().ok().and_then(|about| regular(&about)) {
        let _ = OUTPUT.set(id);
    }
}

/// Which one it is, if it is a regular file.
fn regular(about: &Metadata) -> Option<FileId> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        about.is_file().then(|| [about.dev(), about.ino()])
    }
    #[cfg(not(unix))]
    {
        let _ = about;
        None
    }
}

/// Whether the input of this kind is the output.
fn is_output(about: Option<&Metadata>) -> bool {
    OUTPUT.get().is_some_and(|output| about.and_then(regular).as_ref() == Some(output))
}

/// Whether the input at `path` is the output.
pub(crate) fn leads_to_output(path: &Path) -> bool {
    OUTPUT.get().is_some() && is_output(path.metadata().ok().as_ref())
}

#[cfg(unix)]
fn about_stdin() -> Option<Metadata> {
    use std::os::fd::AsFd;
    let stdin = io::stdin().as_fd().try_clone_to_owned().ok()?;
    File::from(stdin).metadata().ok()
}

#[cfg(not(unix))]
fn about_stdin() -> Option<Metadata> {
    None
}

/// The name of an input in messages: on one line, whatever it holds.
pub(crate) fn name(path: &Path) -> String {
    shown(&path.to_string_lossy())
}

/// Text as it can be shown: controls and bidi controls are escaped.
pub(crate) fn shown(text: &str) -> String {
    let show = |c: char| if is_control(c) { c.escape_unicode().to_string() } else { c.to_string() };
    text.chars().map(show).collect()
}

/// Whether it is a control or a bidi control.
pub(crate) fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}')
        || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// An error of the system in its own words, without a path or Rust's `(os error 2)`.
pub(crate) fn plain(e: &io::Error) -> String {
    let mut inner = e.get_ref().map(|e| e as &(dyn std::error::Error + 'static));
    while let Some(cause) = inner {
        if let Some(e) = cause.downcast_ref::<io::Error>().filter(|e| e.raw_os_error().is_some()) {
            return plain(e);
        }
        inner = cause.source();
    }
    let text = e.to_string();
    // Those of Windows are sentences.
    text.split(" (os error").next().unwrap_or(&text).trim_end_matches('.').to_owned()
}

/// What became of an input.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    /// Links that were listed, or changed.
    pub(crate) links: u64,
    /// It was read to its end.
    pub(crate) whole: bool,
}

impl Outcome {
    /// There was trouble, of which the user was told.
    pub(crate) const NOTHING: Outcome = Outcome { links: 0, whole: false };

    /// It does not count, and that is as it should be.
    pub(crate) const LEFT_OUT: Outcome = Outcome { links: 0, whole: true };
}

/// How an input was read.
#[derive(Debug)]
pub(crate) enum Reading {
    /// To its end.
    Whole(Summary),
    /// Up to an error, of which the user was told.
    Partly(Summary),
    /// Not at all, of which the user was told.
    Nothing,
}

impl Reading {
    /// What the bytes that could be read were.
    pub(crate) fn summary(&self) -> Option<&Summary> {
        match self {
            Reading::Whole(summary) | Reading::Partly(summary) => Some(summary),
            Reading::Nothing => None,
        }
    }

    /// How many links in them were too long.
    pub(crate) fn overlong(&self) -> u64 {
        self.summary().map_or(0, |summary| summary.overlong)
    }

    /// Whether the input could be read to its end.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self, Reading::Whole(_))
    }
}

/// Standard output, which several threads write to: without the buffer of lines that
/// [`io::stdout`] has, where there is a way.
#[cfg(unix)]
pub(crate) type Stdout = File;
/// Standard output, which several threads write to. Only [`io::stdout`] translates text
/// for a Windows console.
#[cfg(not(unix))]
pub(crate) type Stdout = io::Stdout;

/// Standard output, to be buffered by the caller.
#[cfg(unix)]
pub(crate) fn stdout() -> io::Result<Stdout> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(not(unix))]
pub(crate) fn stdout() -> io::Result<Stdout> {
    Ok(io::stdout())
}

/// An input that could be opened.
pub(crate) struct Opened {
    source: Source,
    /// The file that `source` reads.
    file: Option<Arc<File>>,
    /// A read may have to wait.
    waits: bool,
    /// Of a regular file that is not compressed.
    len: Option<u64>,
    compression: Option<Compression>,
    content: Content,
    why: &'static str,
    meter: Meter,
}

/// What an input is, and so which way it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// A text in this format.
    Document(Format),
    /// A message or more of them (mail.rs).
    Mail,
    /// A web archive (warc.rs).
    Archive,
}

impl Content {
    /// What a file of this name holds, and how that is known.
    fn of_name(path: &Path) -> (Content, &'static str) {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let content = match extension.and_then(Format::from_extension) {
            _ if mail::has_flags(path) => Content::Mail,
            Some(format) => Content::Document(format),
            None if mail::is_name(path) => Content::Mail,
            None if warc::is_name(path) => Content::Archive,
            None => return (Content::Document(Format::Text), "for want of a known extension"),
        };
        (content, "by its name")
    }

    /// What begins with these bytes.
    fn sniff(head: &[u8]) -> Content {
        match Format::sniff(head) {
            Format::Text if iriscan::mail::sniff(head) => Content::Mail,
            _ if warc::sniff(head) => Content::Archive,
            format => Content::Document(format),
        }
    }
}

/// Opens a file that was a regular one a moment ago. `None`: it is gone, or something
/// else has its name by now. A symbolic link is not followed, because somebody may have
/// put it there to have another file read; a pipe is not waited for.
pub(crate) fn open_regular(path: &Path) -> io::Result<Option<File>> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    match options.open(path) {
        Ok(file) => Ok(file.metadata()?.is_file().then_some(file)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(_) if fs::symlink_metadata(path).is_ok_and(|about| !about.is_file()) => Ok(None),
        Err(e) => Err(e),
    }
}

/// Opens an input, in the format that was asked for, or reads `file`, which was opened
/// before. `Err`: it cannot be read, of which the user was told, or it is left out.
fn open(input: &Input, file: Option<&Arc<File>>, args: &ScanArgs) -> Result<Opened, Outcome> {
    let wanted = args.format;
    let path = &input.path;
    let file = match (file, input.origin) {
        (Some(file), _) => Ok(Some(Arc::clone(file))),
        (None, _) if path == Path::new("-") => Ok(None),
        (None, Origin::Named) => File::open(path).map(|file| Some(Arc::new(file))),
        (None, Origin::Tree) => match open_regular(path) {
            // It was in its folder a moment ago: somebody has removed or replaced it.
            Ok(None) => return Err(Outcome::LEFT_OUT),
            opened => opened.map(|file| file.map(Arc::new)),
        },
    };
    let file = file.map_err(|e| {
        complain_of_opening(path, &e);
        Outcome::NOTHING
    })?;
    let (mut reader, about): (Box<dyn io::Read>, _) = match &file {
        None => (Box::new(Counted::new(io::stdin().lock(), &input.meter)), about_stdin()),
        Some(file) => {
            let counted = Counted::new(Arc::clone(file), &input.meter);
            (Box::new(counted), file.metadata().ok())
        }
    };
    if is_output(about.as_ref()) {
        if input.origin == Origin::Tree {
            return Err(Outcome::LEFT_OUT);
        }
        say(format_args!("{}: it is the output too; write to another file", name(path)));
        return Err(Outcome::NOTHING);
    }
    let mut len = match path == Path::new("-") {
        true => None,
        false => about.filter(Metadata::is_file).map(|about| about.len()),
    };
    input.meter.begin();
    let (waits, mut compression) = (len.is_none(), None);
    // Archives are compressed by record, and nobody thinks of them as compressed.
    let is_archive = wanted == FormatArg::Warc
        || wanted == FormatArg::Auto && warc::is_name(compressed::inner_name(path));
    if args.decompress || is_archive {
        (reader, compression) = compressed::reader(reader).map_err(|e| {
            complain(path, &e);
            Outcome::NOTHING
        })?;
        len = len.filter(|_| compression.is_none());
    }
    let inner = match &compression {
        Some(_) => compressed::inner_name(path),
        None => path,
    };
    let mut source = Source { head: io::Cursor::default(), reader, trouble: None };
    let forgot = !args.decompress && !is_archive && len.is_some() && input.origin == Origin::Named;
    if forgot && compressed::is_named(path) && compressed::is_packed(source.peek()) {
        // A link that shows in it may be rewritten to no good.
        let stays = BROKEN_STAY.load(Ordering::Relaxed);
        let what = if stays { "left" } else { "read" };
        say(format_args!("{}: compressed, {what} as it is; add -z to decompress it", name(path)));
        if stays {
            return Err(Outcome::NOTHING);
        }
    }
    let told = |content| (content, "as told");
    let (content, why) = match wanted {
        FormatArg::Text => told(Content::Document(Format::Text)),
        FormatArg::Html => told(Content::Document(Format::Html)),
        FormatArg::Xml => told(Content::Document(Format::Xml)),
        FormatArg::Json => told(Content::Document(Format::Json)),
        FormatArg::Log => told(Content::Document(Format::Log)),
        FormatArg::Turtle => told(Content::Document(Format::Turtle)),
        FormatArg::Mail => told(Content::Mail),
        FormatArg::Warc => told(Content::Archive),
        FormatArg::Auto => Content::of_name(inner),
        FormatArg::Sniff => (Content::sniff(source.peek()), "by its first bytes"),
    };
    let meter = input.meter.clone();
    Ok(Opened { source, file, waits, len, compression, content, why, meter })
}

/// The input, if there is one; else the user is told, and it counts as one that failed.
pub(crate) fn there(input: Result<Input, String>, all: &Sum) -> Option<Input> {
    input
        .map_err(|why| {
            say(why);
            all.failed();
        })
        .ok()
}

/// Waits for its turn if the input is no file: what comes out of a pipe may depend on
/// what came before.
pub(crate) fn wait(input: &Input, turn: &mut Turn<'_>) -> Result<(), Trouble> {
    let waits = input.origin == Origin::Named && !input.path.is_file();
    if waits { turn.wait().map_err(Trouble::Output) } else { Ok(()) }
}

/// Whether a command takes web archives; if not, those of a tree are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Archives {
    Taken,
    Refused,
}

/// Opens an input as `args` want it. `Err`: there is nothing to do.
pub(crate) fn begin(
    finder: &Finder,
    input: &Input,
    args: &ScanArgs,
    archives: Archives,
) -> Result<Opened, Outcome> {
    begin_with(finder, input, None, args, archives)
}

/// As [`begin`], of an input whose `file` is open already: its name is not opened.
pub(crate) fn begin_with(
    finder: &Finder,
    input: &Input,
    file: Option<&Arc<File>>,
    args: &ScanArgs,
    archives: Archives,
) -> Result<Opened, Outcome> {
    let path = &input.path;
    let mut opened = open(input, file, args)?;
    let text = opened.content != Content::Archive;
    if input.origin == Origin::Tree && !text && archives == Archives::Refused {
        if args.verbose {
            say(format_args!("{}: a web archive, left out; `find` lists its links", name(path)));
        }
        return Err(Outcome::LEFT_OUT);
    }
    if input.origin == Origin::Tree && text && opened.is_binary(finder) {
        if args.verbose {
            say(format_args!("{}: binary, left out; name it to have it", name(path)));
        }
        return Err(Outcome::LEFT_OUT);
    }
    match opened.content {
        // Which may hold some.
        Content::Document(Format::Json) | Content::Archive => &JSON,
        _ => &OTHERS,
    }
    .store(true, Ordering::Relaxed);
    Ok(opened)
}

/// Whether inputs were read that are JSON, and that are not.
static JSON: AtomicBool = AtomicBool::new(false);
static OTHERS: AtomicBool = AtomicBool::new(false);

/// Behind all inputs: --field had nothing to choose from.
pub(crate) fn say_unused_fields(args: &ScanArgs) {
    let [json, others] = [&JSON, &OTHERS].map(|seen| seen.load(Ordering::Relaxed));
    if args.has_fields() && others && !json {
        say("no input was JSON, and --field chose nothing; if they are, add --format json");
    }
}

/// Scans an input into `sink`, which writes to standard output; `before_wait` is
/// called before each read that may have to wait.
pub(crate) fn scan<S: Sink<Error = io::Error>>(
    finder: &Finder,
    path: &Path,
    opened: Opened,
    sink: &mut S,
    mut before_wait: impl FnMut(&mut S) -> io::Result<()>,
) -> Result<Reading, Trouble> {
    let Opened { mut source, waits, .. } = opened;
    let before_read = |sink: &mut S| if waits { before_wait(sink) } else { Ok(()) };
    let summary = finder.scan(&mut source, sink, before_read).map_err(Trouble::Output)?;
    let Some(e) = source.trouble else { return Ok(Reading::Whole(summary)) };
    complain(path, &e);
    Ok(if summary.bytes > 0 { Reading::Partly(summary) } else { Reading::Nothing })
}

/// An input that could not be read to its end.
pub(crate) fn complain(path: &Path, e: &io::Error) {
    let advice = match BROKEN_STAY.load(Ordering::Relaxed) {
        true => "left as it is",
        false => "what could be read was used",
    };
    complain_and(path, e, advice);
}

/// An input that could not be opened.
pub(crate) fn complain_of_opening(path: &Path, e: &io::Error) {
    if e.kind() == io::ErrorKind::NotFound && path.to_str().is_some_and(|p| p.contains("://")) {
        let advice = "a file is wanted; `iriscan convert` and `check` take references";
        return say(format_args!("{}: {}; {advice}", name(path), plain(e)));
    }
    complain_and(path, e, "left out, name another file");
}

fn complain_and(path: &Path, e: &io::Error, else_advice: &str) {
    let advice = match e.kind() {
        io::ErrorKind::NotFound => "check the path",
        io::ErrorKind::PermissionDenied => "make it readable",
        io::ErrorKind::IsADirectory => "name the files in it",
        _ => else_advice,
    };
    say(format_args!("{}: {}; {advice}", name(path), plain(e)));
}

/// A file that could not be written.
pub(crate) fn complain_of_output(path: &Path, e: &io::Error) {
    let advice = match e.kind() {
        io::ErrorKind::NotFound => "make its folder, or name another one",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "make its folder writable, or name another one"
        }
        _ if is_full(e) => "make room, or name another folder",
        _ => "name another file",
    };
    say(format_args!("{}: {}; nothing was written, {advice}", name(path), plain(e)));
}

/// There is no more room for bytes.
fn is_full(e: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(e.kind(), FileTooLarge | QuotaExceeded | StorageFull)
}

/// An input that ends where it breaks, so that what came before is treated as
/// ever, and every error of a scan is one of the output.
struct Source {
    /// What was read ahead.
    head: io::Cursor<Vec<u8>>,
    reader: Box<dyn io::Read>,
    trouble: Option<io::Error>,
}

/// How much tells the format, and whether a file is binary.
const PEEK: u64 = 8192;

impl Opened {
    /// What it is.
    pub(crate) fn content(&self) -> Content {
        self.content
    }

    /// How that is known.
    pub(crate) fn why(&self) -> &'static str {
        self.why
    }

    /// Whether it looks like no text at all: a NUL in the first bytes, and not by its
    /// charset.
    pub(crate) fn is_binary(&mut self, finder: &Finder) -> bool {
        let head = self.source.peek();
        let wide = || {
            let mut links = finder.find_iter(head);
            links.by_ref().for_each(drop);
            [Charset::UTF_16LE, Charset::UTF_16BE, Charset::UTF_32LE, Charset::UTF_32BE]
                .contains(&links.charset().0)
        };
        head.contains(&0) && !wide()
    }

    /// How it was compressed.
    pub(crate) fn compression(&self) -> Option<Compression> {
        self.compression.clone()
    }

    /// All bytes of it, with the errors of reading, and whether a read may have to
    /// wait.
    pub(crate) fn into_reader(self) -> (Box<dyn io::Read>, bool) {
        let Source { head, reader, trouble } = self.source;
        match trouble {
            Some(e) => (Box::new(head.chain(Broken(Some(e)))), self.waits),
            None => (Box::new(head.chain(reader)), self.waits),
        }
    }
}

/// What is behind an error.
struct Broken(Option<io::Error>);

impl io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
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

impl io::Read for Source {
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

/// With `-v`, or when a guess is going to change bytes: the charset, and why.
pub(crate) fn report_charset(path: &Path, summary: &Summary, format: Format, why: &str) {
    say(format_args!("{}: {}", name(path), how(summary, format, why)));
}

/// How a document was read: its charset and its format, and why.
pub(crate) fn how(summary: &Summary, format: Format, why: &str) -> String {
    let (charset, basis) = (summary.charset, summary.basis.reason());
    format!("charset {charset} {basis}; format {} {why}", format.as_str())
}

/// So many of `what`.
pub(crate) fn plural(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// One line for the links of an input that have no URI form.
pub(crate) fn report_unconvertible(path: &Path, count: u64, verbose: bool) {
    if count > 0 {
        let (links, stay) = match count {
            1 => ("1 link has", "stays"),
            _ => (&*format!("{count} links have"), "stay"),
        };
        let advice = if verbose { "see above" } else { "-v names each" };
        say(format_args!("{}: {links} no URI form and {stay} as written; {advice}", name(path)));
    }
}

/// One line for the identifiers of an input that were not rewritten.
pub(crate) fn report_identifiers(path: &Path, count: u64) {
    if count > 0 {
        let (are, stay) = match count {
            1 => ("is an identifier", "stays"),
            _ => ("are identifiers", "stay"),
        };
        let (name, links) = (name(path), plural(count, "link"));
        say(format_args!(
            "{name}: {links} {are} of RDF and {stay} as written; --identifiers rewrites them"
        ));
    }
}

/// One line for the links of an input that are none for their length.
pub(crate) fn report_overlong(path: &Path, count: u64, max_len: u64) {
    if count > 0 {
        let (are, stay) = if count == 1 { ("is", "stays") } else { ("are", "stay") };
        let links = plural(count, "link");
        say(format_args!(
            "{}: {links} {are} longer than {} and {stay} text; --max-len takes more",
            name(path),
            plural(max_len, "byte"),
        ));
    }
}

/// What is said, at once or in its turn.
#[derive(Debug)]
pub(crate) enum Notes {
    Said,
    /// Of a piece of a file: one a line.
    Kept(String),
}

impl Notes {
    /// With `-v`: a link that stays as it is.
    pub(crate) fn link(&mut self, path: &Path, link: &iriscan::Match<'_>, why: &dyn fmt::Display) {
        let at = link.span().start;
        let note = format!("{}: byte {at}: {:?} stays as written: {why}", name(path), link.text());
        match self {
            Notes::Said => say(note),
            Notes::Kept(notes) => *notes += &format!("iriscan: {note}\n"),
        }
    }

    /// Says what was kept.
    pub(crate) fn say(&mut self) {
        if let Notes::Kept(notes) = self
            && !notes.is_empty()
        {
            put(notes);
            notes.clear();
        }
    }
}

/// A file that is being scanned by several threads.
pub(crate) struct Shared {
    file: Arc<File>,
    jobs: usize,
    meter: Meter,
}

/// Whether there is one: there are only so many cores, and the others are left to
/// other files.
static SHARED: AtomicBool = AtomicBool::new(false);

impl Drop for Shared {
    fn drop(&mut self) {
        SHARED.store(false, Ordering::Release);
    }
}

/// The input, if more than one thread is to scan it.
pub(crate) fn divisible(opened: &Opened, jobs: usize) -> Option<Shared> {
    let long = opened.len.is_some_and(|len| len >= parallel::LEAST);
    let document = matches!(opened.content, Content::Document(_));
    let file = opened.file.as_ref().filter(|_| jobs > 1 && long && document)?;
    let taken = SHARED.swap(true, Ordering::Acquire);
    (!taken).then(|| Shared { file: Arc::clone(file), jobs, meter: opened.meter.clone() })
}

/// As [`scan`], of a file from [`divisible`], by pieces.
pub(crate) fn scan_pieces<P: Sink<Error = io::Error> + Send>(
    finder: &Finder,
    path: &Path,
    shared: Shared,
    make: &(dyn Fn() -> P + Sync),
    pour: &mut parallel::Pour<'_, P>,
) -> Result<Reading, Trouble> {
    let (summary, trouble) =
        parallel::scan(finder, &shared.file, &shared.meter, shared.jobs, make, pour)
            .map_err(Trouble::Output)?;
    let Some(e) = trouble else { return Ok(Reading::Whole(summary)) };
    complain(path, &e);
    Ok(if summary.bytes > 0 { Reading::Partly(summary) } else { Reading::Nothing })
}
