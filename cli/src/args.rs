//! The command line: what was typed, checked and named.

use std::{
    ffi::{OsStr, OsString},
    marker::PhantomData,
    path::{Path, PathBuf},
    thread,
};

use clap::{
    Arg, Args, Command as ClapCommand, CommandFactory, FromArgMatches, Parser, Subcommand,
    ValueEnum,
    builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser},
    error::ErrorKind,
};
use iriscan::{
    Charset, Config, ConfigError, Finder, HostForm, Kind, Nfc, QueryCharset, RuleSet, Schemes,
    Warning,
    reference::{Grammar, Inadvisable, Level},
};

use crate::{hints, manual, progress, queue::Pace};

/// Help of a command: examples before all else, where it has them.
const TEMPLATE: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n\
                        {all-args}{after-help}";

/// Find the IRIs of documents in any charset, and rewrite them to URIs in place
///
/// Links are found in running text as Unicode Technical Standard #58 and RFC
/// 3987 describe them, in every charset of the web; byte offsets are of the
/// original bytes.
#[derive(Parser, Debug)]
#[command(
    name = "iriscan",
    version,
    long_version = manual::long_version(),
    max_term_width = 80,
    arg_required_else_help = true,
    before_long_help = EXAMPLES,
    after_help = "Examples and all options: iriscan find --help, iriscan rewrite --help, …",
    help_template = TEMPLATE
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Unless there are options in it that do not go together.
    fn agreeing(self) -> Result<Cli, clap::Error> {
        let scan = match &self.command {
            Command::Find(FindArgs { scan, .. })
            | Command::Rewrite(RewriteArgs { scan, .. })
            | Command::Report(ReportArgs { scan, .. }) => scan,
            _ => return Ok(self),
        };
        if scan.field.is_empty() || scan.format.may_be_json() {
            return Ok(self);
        }
        let value = scan.format.to_possible_value();
        let format = value.as_ref().map_or("", PossibleValue::get_name);
        let what = format!("'--field' is of JSON, and not of --format {format}; leave one out");
        Err(clap::Error::raw(ErrorKind::ArgumentConflict, what))
    }
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// List the links of the inputs
    ///
    /// One URI per line (the IRI where a link has no URI form), with `PATH:` in
    /// front when there is more than one input (-I: never, -H: always).
    #[command(
        help_template = TEMPLATE,
        before_long_help = FIND_EXAMPLES,
        after_help = "Exit status: 0 found, 1 none, 2 trouble with any input. More: --help.",
        after_long_help = find_help()
    )]
    Find(FindArgs),
    /// Copy inputs to standard output, links replaced by their URI form
    ///
    /// Only links that hold a character outside ASCII change. Every byte
    /// outside them comes out as it went in.
    #[command(
        help_template = TEMPLATE,
        before_long_help = REWRITE_EXAMPLES,
        after_help = "Exit status: 0; 1 if --check finds a change; 2 trouble. \
                      More options: --help.",
        after_long_help = rewrite_help()
    )]
    Rewrite(RewriteArgs),
    /// Convert whole references, one per line: IRI to URI and back
    ///
    /// Also LEIRI to IRI, to normal forms, to what stands in text, and relative to
    /// absolute. One line comes out per line that goes in. A reference that cannot be
    /// converted gives an empty line, and a message on standard error.
    #[command(
        help_template = TEMPLATE,
        before_long_help = CONVERT_EXAMPLES,
        after_help = "Exit status: 0, 2 if a reference could not be converted. \
                      More options: --help.",
        after_long_help = CONVERT_HELP
    )]
    Convert(ConvertArgs),
    /// Validate and explain whole references, one per line
    ///
    /// `valid` is the grammar alone; what else a reader should know are warnings.
    #[command(
        help_template = TEMPLATE,
        before_long_help = CHECK_EXAMPLES,
        after_help = "Exit status: 0 all valid, 1 one is not, 2 trouble with the input.",
        after_long_help = check_help()
    )]
    Check(CheckArgs),
    /// Write one page of HTML with all links in their context
    ///
    /// Each with its URI and what to know about it; hosts, schemes and warnings are
    /// counted, and a click on one shows only its links. The page fetches nothing. Its
    /// script shows 200 links at a time, filters and sorts; without it all links are
    /// shown. FILE#l123 is the 123rd link. The page is written beside FILE and put in its
    /// place when it is complete. Memory grows with the links shown.
    #[command(
        help_template = TEMPLATE,
        before_long_help = REPORT_EXAMPLES,
        after_help = "Exit status: 0, 2 trouble with any input or with FILE. More options: --help.",
        after_long_help = "Exit status: 0, 2 trouble with any input or with FILE."
    )]
    Report(ReportArgs),
    /// Write the manual page, in roff, to standard output
    #[command(after_help = "Read it: iriscan man | man -l -")]
    Man,
    /// Write what completes commands in a shell, to standard output
    #[command(help_template = TEMPLATE, before_long_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArgs),
}

const EXAMPLES: &str = "Examples:\n  \
     iriscan find page.txt                      the links of a file\n  \
     iriscan rewrite < old.txt > new.txt        each link replaced by its URI form\n  \
     iriscan rewrite -i --glob '*.md' docs      files in place\n  \
     iriscan convert 'http://bücher.example/ü'  one reference\n\n";

const CONVERT_EXAMPLES: &str = "Examples:\n  \
     iriscan convert 'http://bücher.example/ü'\n  \
     iriscan convert --from uri --to iri --host unicode < uris.txt\n  \
     iriscan convert --base https://a.example/b/ --to iri ../c\n  \
     iriscan convert --to normal --level scheme HTTP://A.example:80\n  \
     iriscan convert --to text https://a.example/%E6%97%A5%E6%9C%AC.\n  \
     iriscan convert --charset shift_jis < links.txt      as browsers send them\n\n";

const CHECK_EXAMPLES: &str = "Examples:\n  \
     iriscan check 'http://example.org/a b'       where it is wrong, and why\n  \
     iriscan check --kind uri --json < links.txt  components and warnings\n\n";

const FIND_EXAMPLES: &str = "Examples:\n  \
     iriscan find mail.txt                      the links of a file\n  \
     curl … | iriscan find --json               records: span, text, URI, …\n  \
     iriscan find --charset koi8-r a.txt b.txt  files in a known charset\n  \
     iriscan find --json --offsets utf16,lines page.txt\n  \
     iriscan find --glob '*.md' docs            a folder\n  \
     iriscan find -I docs | sort | uniq -c      how often each link is there\n  \
     git ls-files -z | iriscan find --files-from - --null-paths\n\n";

const REWRITE_EXAMPLES: &str = "Examples:\n  \
     iriscan rewrite old.txt > new.txt\n  \
     tail -f access.log | iriscan rewrite       passes on what is settled at once\n  \
     iriscan rewrite --charset shift_jis --query utf-8 page.txt\n  \
     iriscan rewrite --diff old.txt             see what would change\n  \
     iriscan rewrite --check *.txt              exit 1 if anything would change\n  \
     iriscan rewrite --in-place=.bak *.txt      the files; the old ones are kept\n  \
     iriscan rewrite -i docs                    all files of a folder\n\n";

const REPORT_EXAMPLES: &str = "Examples:\n  \
     iriscan report -o links.html *.txt box.mbox\n  \
     iriscan report --kinds iri,bare,email -o - page.html > links.html\n\n";

const COMPLETIONS_EXAMPLES: &str = "Examples:\n  \
     iriscan completions bash > ~/.local/share/bash-completion/completions/iriscan\n  \
     iriscan completions zsh > ~/.zfunc/_iriscan          a folder of $fpath\n  \
     iriscan completions fish > ~/.config/fish/completions/iriscan.fish\n  \
     iriscan completions powershell >> $PROFILE\n\n";

const CONVERT_HELP: &str = "Lines end in LF or CRLF; an empty line is the empty reference. \
     White space and bidi formatting characters at either end are removed, unless --exact or \
     --from leiri is given. Output is UTF-8. What stands on the command line is text; --charset is what lines are \
     read in, and the document's charset of both.\n\n\
     Exit status: 0, 2 if a reference could not be converted.";

fn check_help() -> String {
    format!(
        "Exit status: 0 all valid, 1 one is not, 2 trouble with the input.\n\nWarnings: {}.",
        Warning::ALL.iter().map(|w| w.as_str()).collect::<Vec<_>>().join(", "),
    )
}

fn find_help() -> String {
    format!(
        "Exit status: 0 found, 1 none, 2 trouble with any input.\n\n{}\n\n\
         Warnings in records: {}.",
        schemes_help(),
        Warning::ALL.iter().map(|w| w.as_str()).collect::<Vec<_>>().join(", "),
    )
}

fn rewrite_help() -> String {
    format!(
        "Exit status: 0; 1 with --check if anything would change; 2 trouble with any \
         input. A link whose host has no ASCII form stays as it is: one line on standard \
         error counts them, -v names each.\n\n{}",
        schemes_help(),
    )
}

fn schemes_help() -> String {
    format!(
        "Schemes that are common: {}. \
         Those used without // count only in their shape: mailto: and an address or ?header; \
         tel: sms: callto: and three digits; urn:NID:NSS; news: snews: sip: sips: and a dotted \
         name or an address; xmpp: acct: cid: mid: and name@host; tag:name,date; magnet:?x; \
         geo:number,number; matrix:u/name; bitcoin: and 25 letters. javascript: and data: \
         never count.",
        Schemes::Common.to_string().replace(' ', ", "),
    )
}

/// What both commands take.
#[derive(Args, Debug)]
pub(crate) struct ScanArgs {
    /// Inputs; none, or `-`, is standard input; of a folder, all its files
    ///
    /// Left out are, as by ripgrep, hidden files, what .gitignore and .ignore rules name, and
    /// binary files (a NUL in the first 8 KiB, and not UTF-16 or UTF-32). A file that is
    /// named itself is never left out. Symbolic links in a folder are not followed. Results
    /// come in the order of names.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only matching files of folders; `!` leaves out
    ///
    /// With `!` in front, only files that do not match. May be given again; the last one
    /// that matches decides. If nothing is left, a line on standard error says so.
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,
    /// Of folders, hidden files too (but never .git)
    #[arg(long, hide_short_help = true)]
    pub(crate) hidden: bool,
    /// Of folders, what .gitignore and .ignore rules leave out too
    #[arg(long, hide_short_help = true)]
    pub(crate) no_ignore: bool,
    /// Also the inputs that FILE names, one a line
    ///
    /// `-` is standard input. They come behind those that are named here.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) files_from: Option<PathBuf>,
    /// In the list of --files-from a NUL ends each name, as find -print0 writes it
    #[arg(long, requires = "files_from", hide_short_help = true)]
    pub(crate) null_paths: bool,
    /// Decompress gzip, zstd, bzip2 and xz
    ///
    /// They are told by their first bytes; anything else is read as it is.
    /// Offsets are of what is decompressed; a name such as page.html.gz tells the format of
    /// what is in it; `rewrite` compresses again, in one piece. Without -z a compressed file
    /// that is named is read as it is, which a line on standard error says; -i leaves it.
    #[arg(short = 'z', long)]
    pub(crate) decompress: bool,
    /// Charset, such as koi8-r; found out unless told
    ///
    /// `auto`, a label of the Encoding Standard, utf-32le, utf-32be.
    #[arg(long, value_name = "LABEL", default_value = "auto", value_parser = charset)]
    charset: CharsetArg,
    /// Syntax: text, html, xml, json, log, mail, sniff, …
    ///
    /// It wraps the text; spans and what is written are those of the source.
    #[arg(long, value_parser = one_of::<FormatArg>(), default_value = "auto")]
    pub(crate) format: FormatArg,
    /// Rules for where a link starts and ends
    #[arg(long, value_parser = one_of::<Rules>(), default_value = "prose", hide_short_help = true)]
    rules: Rules,
    /// Kinds of link: a list of iri, bare (hosts), email
    ///
    /// Commas divide it.
    #[arg(long, value_parser = one_of::<KindArg>(), value_delimiter = ',', default_value = "iri")]
    kinds: Vec<KindArg>,
    /// Schemes that count: common (default), any, a list
    ///
    /// Commas divide a list. `any` is all that are common and every scheme://. Attributes of markup that hold a
    /// whole URL, and references of RDF, are all links by default. With this option they
    /// must have one of these schemes too; relative references are left out then.
    #[arg(long, value_name = "LIST")]
    schemes: Option<String>,
    /// A character that is not ASCII ends a link
    #[arg(long, hide_short_help = true)]
    ascii_only: bool,
    /// Form of a host that is not ASCII
    #[arg(
        long,
        value_parser = one_of::<Host>(),
        default_value = "punycode",
        hide_short_help = true
    )]
    host: Host,
    /// Charset of a non-ASCII http or https query in a legacy document
    ///
    /// The default is document. In mail it is utf-8 for all but HTML parts, because a mail program hands
    /// characters to the browser, not bytes.
    #[arg(long, value_parser = one_of::<Query>(), hide_short_help = true)]
    query: Option<Query>,
    /// Normalise text to NFC before encoding; `auto`: after decoding a legacy charset
    #[arg(long, value_parser = one_of::<NfcArg>(), default_value = "auto", hide_short_help = true)]
    nfc: NfcArg,
    /// Of JSON, only the strings in fields of this name; may be given again
    ///
    /// Any other input is searched whole; if none was JSON, a line on standard error says so.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    field: Vec<String>,
    /// Longest link, in bytes of the source; a longer one is text, and a line says so
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = 65_536,
        value_parser = bytes,
        hide_short_help = true
    )]
    pub(crate) max_len: u64,
    /// Threads for large or many files; 0: one per core
    ///
    /// They share a large file, or take one file each; 64 at most. Results, and their order,
    /// are those of one thread.
    #[arg(
        short,
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = jobs,
        hide_short_help = true
    )]
    jobs: usize,
    /// Show no progress; it is shown on standard error after a second, if that is a terminal
    /// and standard output is none
    #[arg(long, hide_short_help = true)]
    pub(crate) no_progress: bool,
    /// At the end, say on standard error what was seen
    ///
    /// Files, bytes, links by kind and scheme, what was rewritten and what has no URI form,
    /// charsets and why, formats, warnings, time, versions of the data; `json`: as one object
    /// on one line.
    #[arg(
        long,
        value_parser = one_of::<StatsFormat>(),
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "text",
        hide_short_help = true
    )]
    pub(crate) stats: Option<StatsFormat>,
    /// Say which charset, and why, and what stays
    ///
    /// On standard error; each link that stays as it is, because it has no URI form, is named.
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

#[derive(Args, Debug)]
pub(crate) struct FindArgs {
    /// One JSON object per link and line
    #[arg(long, conflicts_with_all = ["null", "iri", "count"])]
    pub(crate) json: bool,
    /// NUL instead of a line end behind each result
    #[arg(short = '0', long, hide_short_help = true)]
    pub(crate) null: bool,
    /// Print the IRI, not the URI
    #[arg(long)]
    pub(crate) iri: bool,
    /// Print each link once
    ///
    /// Memory grows with the number of different links.
    #[arg(long)]
    pub(crate) unique: bool,
    /// Print only how many links there are, per input
    #[arg(long)]
    pub(crate) count: bool,
    /// Print no PATH: before results, even of several inputs
    ///
    /// So that `find -I tree | sort | uniq -c` counts links. The last one of -I and -H counts.
    /// Records of --json name their input in any case.
    #[arg(short = 'I', long, overrides_with_all = ["with_filename", "no_filename"])]
    pub(crate) no_filename: bool,
    /// Print PATH: before each result, even of a single input; `-` is standard input
    #[arg(
        short = 'H',
        long,
        overrides_with_all = ["with_filename", "no_filename"],
        hide_short_help = true
    )]
    pub(crate) with_filename: bool,
    /// Show links in their lines: auto, always, never
    ///
    /// Each with its URI if that differs, and warnings in words. `auto`: on a terminal, unless
    /// NO_COLOR is set or TERM is dumb. Not with --json, -0, --iri or --count. The lines are
    /// as wide as COLUMNS says, or the terminal.
    #[arg(long, value_parser = one_of::<ColorArg>(), value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArg,
    /// With --json: also give offsets in these units, counted in the decoded text
    #[arg(
        long,
        value_parser = one_of::<Offsets>(),
        value_delimiter = ',',
        value_name = "LIST",
        requires = "json",
        hide_short_help = true
    )]
    pub(crate) offsets: Vec<Offsets>,
    #[command(flatten)]
    pub(crate) scan: ScanArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RewriteArgs {
    /// Rewrite the files themselves; SUFFIX keeps old ones
    ///
    /// A file is replaced by a new one, made beside it, in one step: killed at any moment,
    /// it is old or new. The new one has its mode, and its owner and group where that is
    /// permitted; on Linux, its access list and extended attributes of users too; its time
    /// of change is now; other hard links keep the old one. Of a symbolic link, the file
    /// that it leads to is rewritten. Files that do not change are not touched. A file that
    /// cannot be read to its end, or that somebody else changes meanwhile, stays as it is.
    ///
    /// With SUFFIX, the old file is kept under its name and the suffix. A backup replaces
    /// no file: if an input or another file has that name, the file stays as it is, and
    /// the exit status is 2. Files of folders whose names end in SUFFIX are left out (-v
    /// names them). All inputs must be known, so a list of --files-from is read to its end
    /// first. A file that is changed twice in one run has the backup from before the run.
    #[arg(
        short,
        long,
        value_name = "SUFFIX",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        value_parser = suffix,
        conflicts_with_all = ["check", "diff"],
    )]
    pub(crate) in_place: Option<String>,
    /// Rewrite identifiers of RDF too
    ///
    /// References of Turtle, N-Triples, N-Quads and TriG, and of the attributes of RDF/XML,
    /// name things, and stay unless told: rewritten, they would name others (RFC 3987,
    /// section 5.3.1). Those that would change are counted on standard error.
    #[arg(long, hide_short_help = true)]
    pub(crate) identifiers: bool,
    /// Write nothing; exit 1 if anything would change
    ///
    /// Of several inputs, or with -v, those where it would are named on standard
    /// error.
    #[arg(long)]
    pub(crate) check: bool,
    /// Show what would change, as a unified diff
    ///
    /// Decoded to UTF-8. Each input is held in memory.
    #[arg(long)]
    pub(crate) diff: bool,
    /// Colour the diff: auto, always, never
    ///
    /// Control characters in it are escaped.
    /// `auto`: on a terminal, unless NO_COLOR is set or TERM is dumb.
    #[arg(long, value_parser = one_of::<ColorArg>(), value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArg,
    /// Rewrite signed mail too, and so break its signatures
    #[arg(long, hide_short_help = true)]
    pub(crate) even_signed: bool,
    #[command(flatten)]
    pub(crate) scan: ScanArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// The page; `-` is standard output
    #[arg(short, long, value_name = "FILE", value_parser = OsStringValueParser::new().try_map(page))]
    pub(crate) output: PathBuf,
    /// Links that are shown; all are counted
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100_000,
        value_parser = links
    )]
    pub(crate) limit: u64,
    #[command(flatten)]
    pub(crate) scan: ScanArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// References; none: one per line of standard input
    #[arg(value_name = "REFERENCE")]
    pub(crate) references: Vec<OsString>,
    /// What the references are: iri, uri, leiri
    #[arg(long, value_parser = one_of::<From>(), default_value = "iri")]
    pub(crate) from: From,
    /// What they become: uri, iri, normal, text
    #[arg(long, value_parser = one_of::<To>(), default_value = "uri")]
    pub(crate) to: To,
    /// Resolve against this one first (RFC 3986, section 5)
    #[arg(long)]
    pub(crate) base: Option<String>,
    /// Keep white space and bidi characters at both ends
    ///
    /// Otherwise spaces, tabs, line ends, form feeds and bidi formatting characters at either end
    /// are removed, because they are not part of a reference. --from leiri keeps them too.
    #[arg(long)]
    pub(crate) exact: bool,
    /// Form of a host that is not ASCII
    ///
    /// With --to uri: punycode (the default), percent or keep; with --to iri: keep (the default) or
    /// unicode.
    #[arg(long, value_parser = one_of::<ConvertHost>())]
    pub(crate) host: Option<ConvertHost>,
    /// Normalise text to NFC before encoding; `auto`: after decoding a legacy charset
    #[arg(long, value_parser = one_of::<NfcArg>(), default_value = "auto", hide_short_help = true)]
    nfc: NfcArg,
    /// What no URI holds, such as spaces: encode, or fail
    ///
    /// Percent-encode it, or fail unless the reference is valid.
    #[arg(
        long,
        value_parser = one_of::<DisallowedArg>(),
        value_name = "WHAT",
        default_value = "encode"
    )]
    pub(crate) disallowed: DisallowedArg,
    /// Private-use characters in a query, with --to iri
    #[arg(long, value_parser = one_of::<Private>(), default_value = "keep", hide_short_help = true)]
    pub(crate) private: Private,
    /// Characters better left percent-encoded, with --to iri: keep, all, decode
    ///
    /// keep: white space, invisible, format and unassigned characters stay percent-encoded; all:
    /// look-alikes of delimiters, compatibility forms, ligatures and dingbats too; decode: none.
    #[arg(
        long,
        value_parser = one_of::<InadvisableArg>(),
        value_name = "WHAT",
        default_value = "keep",
        hide_short_help = true
    )]
    pub(crate) inadvisable: InadvisableArg,
    /// Charset of percent-encoded octets that are not UTF-8, with --from uri --to iri
    ///
    /// For references that were built on the octets of that charset; otherwise such octets stay
    /// percent-encoded. The URI form of the result is another URI.
    #[arg(
        long,
        value_name = "LABEL",
        value_parser = one_charset,
        hide_short_help = true
    )]
    pub(crate) escapes: Option<Charset>,
    /// How far --to normal goes, up to syntax, scheme or idn
    ///
    /// One step, all three of the syntax, what the scheme says too, or the names of hosts too.
    #[arg(long, value_parser = one_of::<LevelArg>(), default_value = "syntax")]
    pub(crate) level: LevelArg,
    /// Charset of the lines
    #[arg(long, value_name = "LABEL", default_value = "utf-8", value_parser = one_charset)]
    pub(crate) charset: Charset,
    /// Charset of a non-ASCII http or https query, when that of the lines is not Unicode
    #[arg(
        long,
        value_parser = one_of::<Query>(),
        default_value = "document",
        hide_short_help = true
    )]
    query: Query,
}

impl ConvertArgs {
    pub(crate) fn query(&self) -> QueryCharset {
        self.query.into()
    }

    pub(crate) fn nfc(&self) -> Nfc {
        self.nfc.into()
    }
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// References; none: one per line of standard input
    #[arg(value_name = "REFERENCE")]
    pub(crate) references: Vec<OsString>,
    /// The grammar that they should follow
    #[arg(long, value_parser = one_of::<CheckKind>(), default_value = "iri-reference")]
    pub(crate) kind: CheckKind,
    /// One JSON object per reference and line
    #[arg(long)]
    pub(crate) json: bool,
}

fn suffix(text: &str) -> Result<String, String> {
    let folder = text.contains(std::path::is_separator);
    let what = "the old file stays in its folder: give the end of a name, such as .bak";
    if folder { Err(what.into()) } else { Ok(text.into()) }
}

/// One of the names of an `E`. As clap has it for `value_enum`, but for the code, which
/// is there once and not for each `E`.
struct OneOf<E>(PhantomData<E>);

fn one_of<E>() -> OneOf<E> {
    OneOf(PhantomData)
}

// Whether or not `E` is.
impl<E> Clone for OneOf<E> {
    fn clone(&self) -> OneOf<E> {
        one_of()
    }
}

impl<E: ValueEnum + Clone + Send + Sync + 'static> TypedValueParser for OneOf<E> {
    type Value = E;

    // clap calls it from two places for each `E`.
    #[inline(never)]
    fn parse_ref(
        &self,
        command: &ClapCommand,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<E, clap::Error> {
        let all = E::value_variants();
        let names = all.iter().filter_map(ValueEnum::to_possible_value);
        place_among(&mut { names }, command, arg, value).map(|i| all[i].clone())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(E::value_variants().iter().filter_map(ValueEnum::to_possible_value)))
    }
}

/// Where among `names` the value is.
#[inline(never)]
fn place_among(
    names: &mut dyn Iterator<Item = PossibleValue>,
    command: &ClapCommand,
    arg: Option<&Arg>,
    value: &OsStr,
) -> Result<usize, clap::Error> {
    let (names, value) = (names.collect::<Vec<_>>(), value.to_string_lossy());
    match names.iter().position(|name| name.matches(&value, false)) {
        Some(place) => Ok(place),
        // Which says so, and what there is.
        None => PossibleValuesParser::new(names)
            .parse_ref(command, arg, OsStr::new(&*value))
            .map(|_| unreachable!("no name is the value")),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorArg {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsFormat {
    /// For eyes
    Text,
    /// One JSON object
    Json,
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_parser = one_of::<Shell>())]
    pub(crate) shell: Shell,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
    #[value(name = "powershell")]
    Pwsh,
}

/// Who forgot the name does not want a file that is called as the next option.
fn page(name: OsString) -> Result<PathBuf, String> {
    let option = name.as_encoded_bytes().starts_with(b"-") && name != "-";
    if option {
        Err("give a file; ./ before a name that begins with `-`".into())
    } else {
        Ok(name.into())
    }
}

fn jobs(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "give a number of threads, or 0 for one per core".into())
}

fn bytes(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "give a number of bytes, such as 65536".into())
}

fn links(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "give a number of links, such as 1000".into())
}

fn one_charset(label: &str) -> Result<Charset, String> {
    Charset::for_label(label).map_err(|e| e.to_string())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum From {
    /// An IRI, or a URI
    Iri,
    /// A URI
    Uri,
    /// A Legacy Extended IRI
    Leiri,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum To {
    /// A URI (RFC 3987, section 3.1)
    Uri,
    /// An IRI (RFC 3987, section 3.2)
    Iri,
    /// The normal form; a URI stays a URI, an IRI an IRI
    Normal,
    /// The minimally escaped form for running text (UTS #58)
    Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConvertHost {
    /// UTS #46 for schemes whose host is a DNS name, percent-encoding for others
    Punycode,
    /// UTF-8, percent-encoded
    Percent,
    /// As it stands
    Keep,
    /// xn-- labels decoded
    Unicode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DisallowedArg {
    /// Percent-encode them; never `# % [ ]`
    Encode,
    /// Fail
    Fail,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Private {
    /// They stay percent-encoded
    Keep,
    /// They are decoded
    Decode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InadvisableArg {
    /// White space, invisible, format and unassigned characters stay percent-encoded
    Keep,
    /// Look-alikes of delimiters, compatibility forms, ligatures and dingbats too
    All,
    /// They are decoded
    Decode,
}

impl std::convert::From<InadvisableArg> for Inadvisable {
    fn from(inadvisable: InadvisableArg) -> Inadvisable {
        match inadvisable {
            InadvisableArg::Keep => Inadvisable::Unseen,
            InadvisableArg::All => Inadvisable::All,
            InadvisableArg::Decode => Inadvisable::Decode,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LevelArg {
    /// Scheme, host and hexadecimal digits of one case
    Case,
    /// Unreserved characters decoded
    Percent,
    /// Dot segments removed
    Path,
    /// All three
    Syntax,
    /// Also default ports, hosts and empty paths, by the scheme
    Scheme,
    /// Also names of hosts, checked and mapped by UTS #46; those of an IRI in Unicode
    Idn,
}

impl std::convert::From<LevelArg> for Level {
    fn from(level: LevelArg) -> Level {
        match level {
            LevelArg::Case => Level::Case,
            LevelArg::Percent => Level::Percent,
            LevelArg::Path => Level::Path,
            LevelArg::Syntax => Level::Syntax,
            LevelArg::Scheme => Level::Scheme,
            LevelArg::Idn => Level::Idn,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckKind {
    /// An IRI or a relative reference (RFC 3987)
    IriReference,
    /// With a scheme
    Iri,
    /// With a scheme and without a fragment
    AbsoluteIri,
    /// A URI or a relative reference (RFC 3986)
    UriReference,
    /// A URI
    Uri,
    /// A Legacy Extended IRI reference (3987bis, section 6)
    Leiri,
}

impl std::convert::From<CheckKind> for Grammar {
    fn from(kind: CheckKind) -> Grammar {
        match kind {
            CheckKind::IriReference => Grammar::IriReference,
            CheckKind::Iri => Grammar::Iri,
            CheckKind::AbsoluteIri => Grammar::AbsoluteIri,
            CheckKind::UriReference => Grammar::UriReference,
            CheckKind::Uri => Grammar::Uri,
            CheckKind::Leiri => Grammar::Leiri,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum CharsetArg {
    Auto,
    Label(Charset),
}

fn charset(label: &str) -> Result<CharsetArg, String> {
    if label.eq_ignore_ascii_case("auto") {
        return Ok(CharsetArg::Auto);
    }
    Charset::for_label(label).map(CharsetArg::Label).map_err(|e| e.to_string())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    /// By the extension of the file's name, else text; standard input is text
    Auto,
    /// Plain text
    Text,
    /// HTML
    Html,
    /// XML: feeds, RDF, SVG, XHTML
    Xml,
    /// JSON and JSON Lines
    Json,
    /// Logs: text with \xHH, \uXXXX and terminal sequences
    Log,
    /// A message, or an mbox: through transfer encodings, charsets and line wrapping
    Mail,
    /// Turtle, TriG, N-Triples, N-Quads
    Turtle,
    /// A web archive: HTML and text in its records; for `find` only
    Warc,
    /// By the first bytes
    Sniff,
}

impl FormatArg {
    /// Whether what is read in this format may be JSON, or hold it.
    fn may_be_json(self) -> bool {
        matches!(self, FormatArg::Auto | FormatArg::Json | FormatArg::Warc | FormatArg::Sniff)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rules {
    /// The properties of UTS #58, with what real text needs
    Prose,
    /// UTS #58 to the letter: http, https and mailto only
    Uts58,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KindArg {
    /// With a scheme
    Iri,
    /// A host without a scheme
    Bare,
    /// An address without mailto:
    Email,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Host {
    /// UTS #46 for schemes whose host is a DNS name, percent-encoding for others
    Punycode,
    /// UTF-8, percent-encoded
    Percent,
    /// As it stands
    Keep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Query {
    /// The document's charset, as browsers do
    Document,
    /// UTF-8
    #[value(name = "utf-8")]
    Utf8,
}

/// What `--schemes` lists. `common` and `any` may stand in a list too.
fn schemes(list: &str) -> Schemes {
    let names: Vec<String> = list.split(',').map(|name| name.trim().to_ascii_lowercase()).collect();
    let has = |word: &str| names.iter().any(|name| name == word);
    if has("any") {
        Schemes::Any
    } else if has("common") && names.len() > 1 {
        let common = Schemes::Common.to_string();
        let others = names.into_iter().filter(|name| name != "common");
        Schemes::List(common.split(' ').map(str::to_owned).chain(others).collect())
    } else if has("common") {
        Schemes::Common
    } else {
        Schemes::List(names)
    }
}

impl std::convert::From<Query> for QueryCharset {
    fn from(query: Query) -> QueryCharset {
        match query {
            Query::Document => QueryCharset::Document,
            Query::Utf8 => QueryCharset::Utf8,
        }
    }
}

impl std::convert::From<NfcArg> for Nfc {
    fn from(nfc: NfcArg) -> Nfc {
        match nfc {
            NfcArg::Auto => Nfc::Auto,
            NfcArg::Always => Nfc::Always,
            NfcArg::Never => Nfc::Never,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NfcArg {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Offsets {
    /// `start` and `end`, which are always there
    Bytes,
    /// `utf16: [start, end]`
    Utf16,
    /// `chars: [start, end]`
    Chars,
    /// `line` and `column` of the start, from 1
    Lines,
}

impl FindArgs {
    /// Whether each result begins with the name of its input.
    pub(crate) fn names_inputs(&self) -> bool {
        self.with_filename || self.scan.is_many() && !self.no_filename
    }
}

impl ScanArgs {
    /// The rules that were asked for.
    pub(crate) fn finder(&self) -> Result<Finder, ConfigError> {
        self.finder_in(None)
    }

    /// Whether some fields of JSON were asked for.
    pub(crate) fn has_fields(&self) -> bool {
        !self.field.is_empty()
    }

    /// Whether the user said what the charset is.
    pub(crate) fn has_charset(&self) -> bool {
        matches!(self.charset, CharsetArg::Label(_))
    }

    /// As [`ScanArgs::finder`], in a charset that is declared outside of the text, unless
    /// the user said one.
    pub(crate) fn finder_in(&self, declared: Option<Charset>) -> Result<Finder, ConfigError> {
        self.config_in(declared).build()
    }

    /// The configuration that was asked for; see [`ScanArgs::finder_in`].
    pub(crate) fn config_in(&self, declared: Option<Charset>) -> Config {
        let mut config = Config::new();
        if let Some(list) = &self.schemes {
            config = config.schemes(schemes(list));
        }
        if let Some(query) = self.query {
            config = config.query(query.into());
        }
        config = config
            .rules(match self.rules {
                Rules::Prose => RuleSet::Prose,
                Rules::Uts58 => RuleSet::Uts58,
            })
            .kinds(self.kinds.iter().map(|kind| match kind {
                KindArg::Iri => Kind::Iri,
                KindArg::Bare => Kind::Bare,
                KindArg::Email => Kind::Email,
            }))
            .ascii_only(self.ascii_only)
            .max_len(self.max_len)
            .fields(self.field.iter().cloned())
            .host(match self.host {
                Host::Punycode => HostForm::Punycode,
                Host::Percent => HostForm::Percent,
                Host::Keep => HostForm::Keep,
            })
            .nfc(self.nfc.into());
        match (self.charset, declared) {
            (CharsetArg::Label(charset), _) | (CharsetArg::Auto, Some(charset)) => {
                config.charset(charset)
            }
            (CharsetArg::Auto, None) => config,
        }
    }

    /// Whether there may be more than one input.
    pub(crate) fn is_many(&self) -> bool {
        self.paths.len() > 1
            || self.files_from.is_some()
            || self.paths.iter().any(|path| path != Path::new("-") && path.is_dir())
    }

    /// Threads for many inputs.
    pub(crate) fn workers(&self) -> usize {
        if self.is_many() { self.threads() } else { 1 }
    }

    /// Threads for one input.
    pub(crate) fn threads(&self) -> usize {
        match self.jobs {
            0 => thread::available_parallelism().map_or(1, usize::from),
            n => n,
        }
    }

    /// A list that is written while it is read may be long in coming.
    pub(crate) fn pace(&self) -> Pace {
        match &self.files_from {
            Some(list) if list == Path::new("-") => Pace::Live,
            _ => Pace::Filling,
        }
    }

    /// Begins to show progress, unless told not to.
    pub(crate) fn show_progress(&self) {
        // Nobody knows how long a list is.
        let list = self.files_from.is_some().then_some(Path::new("-"));
        let inputs = self.inputs();
        progress::start(!self.no_progress, inputs.iter().map(PathBuf::as_path).chain(list));
    }

    /// The inputs; standard input if none was named.
    pub(crate) fn inputs(&self) -> Vec<PathBuf> {
        if self.paths.is_empty() { vec![PathBuf::from("-")] } else { self.paths.clone() }
    }
}

/// Reads the command line; on a wrong one, the message for the user.
pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let args: Vec<OsString> = args.into_iter().collect();
    let matches = taking_hyphens(Cli::command()).try_get_matches_from(&args);
    let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches)?.agreeing());
    cli.map_err(|e| {
        let short = e.kind() == ErrorKind::DisplayHelp && !e.to_string().contains("Examples:");
        let e = if short { brief().try_get_matches_from(&args).err().unwrap_or(e) } else { e };
        hints::add(e, &args)
    })
}

/// What stands behind an option that wants a value is one, as it is for getopt: the
/// answer to a wrong one is what the option takes, and not how to name a file so.
fn taking_hyphens(command: ClapCommand) -> ClapCommand {
    command.mut_subcommands(|command| {
        command.mut_args(|arg| {
            let takes = arg.get_action().takes_values() && !arg.is_positional();
            let hyphens = takes && !arg.is_require_equals_set();
            arg.allow_hyphen_values(hyphens)
        })
    })
}

/// The parser whose short help is one screen: values and defaults are for --help.
/// clap hides them in both or in none.
fn brief() -> ClapCommand {
    Cli::command().mut_subcommands(|command| {
        command.mut_args(|arg| {
            let hide = arg.get_action().takes_values();
            arg.hide_possible_values(hide).hide_default_value(hide)
        })
    })
}
