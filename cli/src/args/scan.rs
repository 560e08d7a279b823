//! The options that `find`, `rewrite` and `report` share: the inputs, the rules for links,
//! and how the run goes.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
    thread,
};

use clap::{Args, ValueEnum, builder::PossibleValue, error::ErrorKind};
use iriscan::{
    Charset, Config, Format, HostForm, Kind, Nfc, QueryCharset, RuleSet, Schemes,
    reference::{BaseUri, Disallowed, HostLabels},
};

use super::{
    choosing::ChoosingArgs,
    convert::DisallowedArg,
    values::{FormatArg, NfcArg, QueryArg, StatsArg, named},
};

/// The options of a command that scans inputs.
#[derive(Args, Debug)]
pub(crate) struct ScanArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    #[command(flatten)]
    pub(crate) choosing: ChoosingArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Which inputs are read.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What to search")]
pub(crate) struct InputArgs {
    /// Files, and folders with all files; none, or `-`: standard input
    ///
    /// As in ripgrep, hidden files of a folder are left out, and those that .gitignore and
    /// .ignore rules name, and binary files (a NUL in the first 8 KiB, and not UTF-16 or
    /// UTF-32). A file that is named itself is never left out. Symbolic links in a folder are
    /// not followed. Results come in the order of names.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only matching files of folders; `!` leaves out
    ///
    /// With `!` in front, only files that do not match. May be given again; the last one
    /// that matches decides. If nothing is left, a line on standard error says so.
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,
    /// Also hidden files of folders (but never .git)
    #[arg(long, hide_short_help = true)]
    pub(crate) hidden: bool,
    /// Also files of folders that .gitignore and .ignore rules leave out
    #[arg(long, hide_short_help = true)]
    pub(crate) no_ignore: bool,
    /// Also the inputs that FILE names, one a line
    ///
    /// `-` is standard input. These inputs come after those of the command line.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) files_from: Option<PathBuf>,
    /// In the list of --files-from, a NUL ends each name, as find -print0 writes it
    #[arg(long, requires = "files_from", hide_short_help = true)]
    pub(crate) null_paths: bool,
    /// Decompress gzip, zstd, bzip2, xz, zip
    ///
    /// Compressed files are recognised by their first bytes; other files are read as they are.
    /// Offsets count decompressed bytes. page.html.gz is HTML by its name. `rewrite` compresses
    /// again, in one piece. Without -z, a compressed file that is named is read as it is, and a
    /// line on standard error says so; -i leaves it.
    ///
    /// Of a zip container that is named (docx, xlsx, pptx, odt, epub, zip), `find` and `report` read
    /// the members by their own names, and leave binary ones out. A member is an input of its own,
    /// such as a.docx!word/document.xml, and offsets are those of its bytes. `rewrite` writes the members anew
    /// that change, and copies all others byte for byte; a signed container stays. Standard input cannot be one.
    #[arg(short = 'z', long)]
    pub(crate) decompress: bool,
}

/// How an input is read, and what counts as a link.
#[derive(Args, Debug)]
#[command(next_help_heading = "What counts as a link")]
pub(crate) struct RuleArgs {
    /// Charset, such as koi8-r; detected by default
    ///
    /// `auto`, a label of the Encoding Standard, a name that other programs use for the same
    /// charset (cp932, latin-1), utf-32le, utf-32be. In mail it is the charset of parts that
    /// declare none; --force-charset makes it that of all.
    #[arg(long, value_name = "LABEL", default_value = "auto", value_parser = charset)]
    charset: CharsetArg,
    /// In mail, --charset also for parts that declare another charset
    ///
    /// Without it, --charset is the charset of the parts that declare none.
    #[arg(long, hide_short_help = true)]
    force_charset: bool,
    /// Syntax: text, html, xml, json, log, mail, sniff, …
    ///
    /// Links are read through this syntax; spans and rewritten links are those of the source. A format
    /// may also be named by the end of its files (md, htm, tex) or by a media type, in any case.
    #[arg(
        long,
        default_value = "auto",
        ignore_case = true,
        value_parser = named::<FormatArg, Format>()
    )]
    pub(crate) format: FormatArg,
    /// Rules for where a link starts and ends
    #[arg(
        long,
        default_value = "prose",
        value_parser = named::<RulesArg, RuleSet>(),
        hide_short_help = true
    )]
    rules: RulesArg,
    /// Kinds: a list of iri, bare (hosts), email, ip
    ///
    /// The list is separated by commas.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "iri",
        value_parser = named::<KindArg, Kind>()
    )]
    kinds: Vec<KindArg>,
    /// Schemes that count: common (default), any, a list
    ///
    /// A list is separated by commas. `any` means the common ones and every scheme://.
    /// Attributes of markup whose value is a URL, and references of RDF, are all links by
    /// default. With this option they must have one of these schemes too, and relative
    /// references are left out.
    #[arg(long, value_name = "LIST", hide_short_help = true)]
    schemes: Option<String>,
    /// A character that is not ASCII ends a link
    #[arg(long, hide_short_help = true)]
    ascii_only: bool,
    /// Form of a host that is not ASCII: punycode if not given
    #[arg(
        long,
        ignore_case = true,
        value_parser = named::<HostArg, HostForm>(),
        hide_short_help = true
    )]
    host: Option<HostArg>,
    /// Charset of a non-ASCII http or https query in a legacy document
    ///
    /// The default is document. In mail it is utf-8 in all parts but HTML, because a mail program
    /// gives characters to the browser, not bytes.
    #[arg(long, value_parser = named::<QueryArg, QueryCharset>(), hide_short_help = true)]
    query: Option<QueryArg>,
    /// ASCII that no URI has, such as ^ and {: encode, keep or fail
    ///
    /// If it is not given, it is encoded where a URI is printed, and `rewrite` leaves links that are
    /// all ASCII as they are: `/{id}` is a template in many documents. With encode these change too. With
    /// keep it stays in every link, and with fail such a link has no URI.
    #[arg(
        long,
        value_name = "WHAT",
        value_parser = named::<DisallowedArg, Disallowed>(),
        hide_short_help = true
    )]
    disallowed: Option<DisallowedArg>,
    /// Normalise text to NFC before encoding; `auto`: after decoding a legacy charset
    #[arg(
        long,
        default_value = "auto",
        value_parser = named::<NfcArg, Nfc>(),
        hide_short_help = true
    )]
    nfc: NfcArg,
    /// Where the inputs come from: relative links are resolved against it
    ///
    /// An absolute URI (RFC 3986, section 5). The field `absolute` and what opens a link are then resolved.
    /// A base that an input says itself is resolved against it, and counts from where it stands: <base href>
    /// in HTML, xml:base in XML, Content-Base and Content-Location in mail, the target of a record in a web
    /// archive.
    #[arg(long, value_name = "URI", value_parser = BaseUri::new, hide_short_help = true)]
    base: Option<BaseUri>,
    /// In JSON, only the strings in fields of this name; may be given again
    ///
    /// Other inputs are searched whole; if none was JSON, a line on standard error says so.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    field: Vec<String>,
    /// In CSV, the character between fields; found in the first records by default
    ///
    /// One character of ASCII, or \t for a tab. By default the first line `sep=;` says it, or the
    /// records show whether it is a comma, a semicolon, a tab or `|`.
    #[arg(long, value_name = "CHAR", value_parser = delimiter, hide_short_help = true)]
    delimiter: Option<char>,
    /// In Markdown, not the links in code
    ///
    /// Code spans, and blocks that are fenced or indented. Without this option they are searched, as
    /// text without escapes.
    #[arg(long, hide_short_help = true)]
    no_code: bool,
    /// In HTML and XML, links in comments too
    ///
    /// They are read as running text, and conditional comments (<!--[if mso]> … <![endif]-->) as the HTML that Outlook
    /// takes them for. `rewrite` leaves a link if its new form would end the comment, or would have
    /// two hyphens in XML. Comments of other formats, such as source code and style sheets, are always searched.
    #[arg(long, hide_short_help = true)]
    pub(crate) comments: bool,
    /// In logs, the targets of requests too: /dir/ in "GET /dir/ HTTP/1.1"
    ///
    /// They are links relative to the server, which --base names. `rewrite --to iri --targets` makes a
    /// log readable, and `rewrite --targets` makes of it what it was.
    #[arg(long, hide_short_help = true)]
    pub(crate) targets: bool,
    /// Read links that were made harmless: `hxxps[:]//a[.]example/`, `(dot)`, `\.`
    ///
    /// In plain text, and in what is plain text in mail, archives and containers; other formats are read as
    /// without this option. With `rewrite` the links become what they were, so that it undoes --defang.
    #[arg(long, hide_short_help = true)]
    pub(crate) refang: bool,
    /// Longest link, in bytes of the source; a longer one is text, and a line says so
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = 65_536,
        value_parser = bytes,
        hide_short_help = true
    )]
    pub(crate) max_len: u64,
}

/// When what was read is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// When nothing that follows can change it.
    Settled,
    /// At the end of each line. The first lines decide on the charset.
    Lines,
}

/// Threads, and what the run says about itself.
#[derive(Args, Debug)]
#[command(next_help_heading = "How to run")]
pub(crate) struct RunArgs {
    /// Threads for large or many files; 0: one per core
    ///
    /// Threads share a large file, or work on one file each; there are at most 64. Results, and their order,
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
    /// Write each line when it ends, as grep does; for a log that grows
    ///
    /// Without this, with `--charset auto`, what follows the first character that is not ASCII waits for up to 64 KiB
    /// that decide on the charset. With it, the lines decide until the first one that holds such a character, and the
    /// same bytes give the same result, however slowly they come. A charset that one line shows is less certain. HTML
    /// and XML may declare one in their first 1024 bytes, and wait for these.
    #[arg(long, hide_short_help = true)]
    line_buffered: bool,
    /// Show no progress; it is shown on standard error after a second, if that is a terminal
    /// and standard output is not
    #[arg(long, hide_short_help = true)]
    pub(crate) no_progress: bool,
    /// Print statistics on standard error at the end
    ///
    /// Files, bytes, links by kind and scheme, the ten most frequent hosts, links that were rewritten and that have no URI
    /// form, charsets and why, formats, warnings, time, versions of the data; `json`: as one
    /// object on one line. Memory grows with the number of different hosts.
    #[arg(
        long,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "text",
        hide_short_help = true
    )]
    pub(crate) stats: Option<StatsArg>,
    /// Say which charset and why, and which links stay
    ///
    /// On standard error. Each link that stays as it is, because it has no URI form, is named.
    #[arg(short, long, hide_short_help = true)]
    pub(crate) verbose: bool,
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
enum RulesArg {
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
    /// An IP address without a scheme
    Ip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HostArg {
    /// UTS #46 for schemes whose host is a DNS name, percent-encoding for others
    Punycode,
    /// UTF-8, percent-encoded
    Percent,
    /// Unchanged
    Keep,
    /// With `rewrite --to iri`: labels in Punycode are decoded
    Unicode,
}

/// The word of the command line for `value`, which is that of the library.
fn word(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

impl InputArgs {
    /// The paths that were named; standard input if there were none.
    pub(crate) fn named(&self) -> Vec<PathBuf> {
        if self.paths.is_empty() { vec![PathBuf::from("-")] } else { self.paths.clone() }
    }

    /// True if neither a path nor a list of paths was given.
    pub(crate) fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.files_from.is_none()
    }

    /// True if there may be more than one input.
    pub(crate) fn is_many(&self) -> bool {
        self.paths.len() > 1
            || self.files_from.is_some()
            || self.paths.iter().any(|path| path != Path::new("-") && path.is_dir())
    }

    /// True if an input, or the list of paths, is standard input.
    pub(crate) fn reads_stdin(&self) -> bool {
        self.is_live() || self.is_empty() || self.paths.iter().any(|path| path == Path::new("-"))
    }

    /// True if the list of paths is standard input: a program may still be writing it.
    pub(crate) fn is_live(&self) -> bool {
        self.files_from.as_deref() == Some(Path::new("-"))
    }
}

impl RuleArgs {
    /// The configuration that the options ask for, without a filter.
    pub(crate) fn config(&self) -> Config {
        let mut options: Vec<(&str, String)> = vec![
            ("rules", word(&self.rules)),
            ("nfc", word(&self.nfc)),
            ("ascii_only", self.ascii_only.to_string()),
            ("max_len", self.max_len.to_string()),
            ("force_charset", self.force_charset.to_string()),
            ("code", (!self.no_code).to_string()),
            ("targets", self.targets.to_string()),
            ("comments", self.comments.to_string()),
        ];
        options.extend(self.kinds.iter().map(|kind| ("kinds", word(kind))));
        options.extend(self.field.iter().map(|name| ("fields", name.clone())));
        options.extend(self.schemes.iter().map(|list| ("schemes", list.to_ascii_lowercase())));
        options.extend(self.query.iter().map(|query| ("query", word(query))));
        options.extend(self.disallowed.iter().map(|it| ("disallowed", word(it))));
        options.extend(self.delimiter.map(|c| ("delimiter", c.to_string())));
        options.extend(self.base.iter().map(|base| ("base", base.to_string())));
        // The labels of IRIs are for `labels`.
        let host = self.host.filter(|host| *host != HostArg::Unicode);
        options.extend(host.map(|host| ("host", word(&host))));
        if self.refang {
            // That of mail; documents get theirs.
            options.push(("format", "defanged".to_owned()));
        }
        if let CharsetArg::Label(charset) = self.charset {
            options.push(("charset", charset.name().to_owned()));
        }
        let words = options.iter().map(|(name, value)| (*name, &**value));
        Config::new().set_all(words).expect("the words should have been checked")
    }

    /// A note about a name of `--schemes` that iriscan does not know, if it is almost one that it knows.
    pub(crate) fn unknown_scheme(&self) -> Option<String> {
        let common = Schemes::Common.to_string();
        let known = || common.split(' ');
        let names =
            self.schemes.as_deref()?.split(',').map(|name| name.trim().to_ascii_lowercase());
        let unknown = names.filter(|name| !known().any(|other| other == name) && name.len() > 2);
        // Others are errors.
        let scheme = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        let unknown = unknown.filter(|name| name.chars().all(scheme));
        let mut near = unknown.filter_map(|name| {
            let mut known = ["https"].into_iter().chain(known());
            let other = known.find(|other| other.len() > 2 && is_near(&name, other))?;
            Some(format!(
                "--schemes: {name} is looked for as it stands; {other} is the scheme next to it"
            ))
        });
        near.next()
    }

    /// What `--host` says about the labels of hosts, which is for `rewrite --to iri` only.
    ///
    /// # Errors
    ///
    /// The value is for the other direction.
    pub(crate) fn labels(&self, to_iri: bool) -> Result<HostLabels, String> {
        match (self.host, to_iri) {
            (Some(HostArg::Unicode), true) => Ok(HostLabels::Unicode),
            (Some(HostArg::Unicode), false) => {
                Err("--host unicode is for rewrite --to iri; use punycode, percent or keep".into())
            }
            (Some(HostArg::Punycode | HostArg::Percent), true) => {
                Err("--to iri takes --host keep or --host unicode".into())
            }
            _ => Ok(HostLabels::Keep),
        }
    }

    /// What inputs are relative to, if the user says it.
    pub(crate) fn base(&self) -> Option<&BaseUri> {
        self.base.as_ref()
    }

    /// True if the user named fields of JSON.
    pub(crate) fn has_fields(&self) -> bool {
        !self.field.is_empty()
    }

    /// True if the user gave the charset.
    fn has_charset(&self) -> bool {
        matches!(self.charset, CharsetArg::Label(_))
    }

    /// Refuses options that contradict each other.
    pub(super) fn agree(&self) -> Result<(), clap::Error> {
        let value = self.format.to_possible_value();
        let format = value.as_ref().map_or("", PossibleValue::get_name);
        let refuse = |option: &str, what: &str| {
            let what =
                format!("'{option}' is of {what}, and not of --format {format}; leave one out");
            Err(clap::Error::raw(ErrorKind::ArgumentConflict, what))
        };
        if self.force_charset && !self.has_charset() {
            let what =
                "'--force-charset' needs '--charset LABEL'; say which charset, or leave it out";
            return Err(clap::Error::raw(ErrorKind::MissingRequiredArgument, what));
        }
        if self.force_charset && !self.format.may_be_mail() {
            return refuse("--force-charset", "mail");
        }
        if !self.field.is_empty() && !self.format.may_be_json() {
            return refuse("--field", "JSON");
        }
        if self.delimiter.is_some() && !self.format.may_be_csv() {
            return refuse("--delimiter", "CSV");
        }
        if self.no_code && !self.format.may_be_markdown() {
            return refuse("--no-code", "Markdown");
        }
        if self.refang && !self.format.may_be_defanged() {
            return refuse("--refang", "text and mail");
        }
        if self.targets && !self.format.may_be_log() {
            return refuse("--targets", "logs");
        }
        Ok(())
    }
}

impl ScanArgs {
    /// The number of threads for the inputs: more than one only if there are many inputs.
    pub(crate) fn workers(&self) -> usize {
        if self.inputs.is_many() { self.run.threads() } else { 1 }
    }
}

/// The number of cores. To ask for it takes as long as to read a short file.
static CORES: OnceLock<usize> = OnceLock::new();

impl RunArgs {
    /// When what was read is written.
    pub(crate) fn pace(&self) -> Pace {
        if self.line_buffered { Pace::Lines } else { Pace::Settled }
    }

    /// The number of threads that may share one input.
    pub(crate) fn threads_of_one(&self) -> usize {
        match self.pace() {
            Pace::Lines => 1,
            Pace::Settled => self.threads(),
        }
    }

    /// The number of threads that may work on one input.
    pub(crate) fn threads(&self) -> usize {
        match self.jobs {
            0 => *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from)),
            n => n,
        }
    }
}

/// True if the names differ by one letter that is added, left out or replaced.
fn is_near(a: &str, b: &str) -> bool {
    let same = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a.as_bytes()[same..], &b.as_bytes()[same..]);
    let after = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    a.len() - after <= 1 && b.len() - after <= 1
}

/// The part of the help that explains schemes.
pub(super) fn schemes_help() -> String {
    format!(
        "Schemes that are common: {}. \
         Those used without // count only in their shape: mailto: and an address or ?header; \
         tel: sms: callto: and three digits; urn:NID:NSS; news: snews: sip: sips: and a dotted \
         name or an address; xmpp: acct: cid: mid: and name@host; tag:name,date; magnet:?x; \
         geo:number,number; matrix:u/name; bitcoin: and 25 letters; any other that --schemes names: \
         and a letter or digit. javascript: and data: never count.",
        Schemes::Common.to_string().replace(' ', ", "),
    )
}

fn jobs(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "give a number of threads, or 0 for one per core".into())
}

/// The value of `--delimiter`; whether it can be one is decided by the library.
fn delimiter(text: &str) -> Result<char, String> {
    let mut chars = text.chars();
    match (text, chars.next(), chars.next()) {
        ("\\t", ..) => Ok('\t'),
        (_, Some(c), None) => Ok(c),
        _ => Err("give one character, such as ';', or \\t for a tab".into()),
    }
}

fn bytes(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "give a number of bytes, such as 65536".into())
}
