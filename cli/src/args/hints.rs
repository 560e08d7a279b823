//! Tips for users who type an option, a command or a format by the name that another
//! program has for it.
//!
//! In goes an error of the command-line parser; out comes the same error, with a better tip if
//! there is one. What must hold: a tip changes the message, never what is accepted.

use std::{ffi::OsString, path::Path};

use clap::{
    builder::StyledStr,
    error::{ContextKind, ContextValue, ErrorKind},
};
use iriscan::{
    Format,
    reference::{Component, Components},
};
use iriscan_documents::Content;

use crate::messages::text;

/// Options of other programs, and what to use here instead.
type Tips = &'static [(&'static [&'static str], &'static str)];

const FIND: Tips = &[
    (&["-o", "--only-matching"], "`find` prints only the links already; leave it out"),
    (&["-c"], "'--count' prints how many links each input has"),
    (
        &["-n", "--line-number"],
        "'--print \"{file}:{line}:{uri}\"' has the number of the line; '--color always' shows the line",
    ),
    (
        &["-q", "--quiet", "--silent"],
        "the exit status says whether there are links: add > /dev/null",
    ),
    (&["-u"], "'--unique' prints each link once"),
    (
        &["-l", "--files-with-matches", "-L", "--files-without-match"],
        "'--count' prints how many links each input has",
    ),
    (&["-a", "--text"], "a file that is named is searched even if it is binary"),
    (
        &["-A", "-B", "-C"],
        "'--color always' shows each link in its line, '--context 40' so many characters around it",
    ),
    (&["-m", "--max-count"], "the first N results: add | head -n N"),
    (&["-Z", "--print0", "--null-data"], "'-0' ends each result with NUL"),
    (
        &["-e", "--regexp", "-F", "-P", "-i", "--ignore-case", "-w", "-x"],
        "'--match REGEX' takes links whose IRI matches; `(?i)` in it ignores case",
    ),
    (&["-O", "--output"], "results go to standard output: add > FILE"),
    (&["--sort"], "results come in the order of the names of files"),
];

const REWRITE: Tips = &[
    (&["-n", "--dry-run"], "'--check' and '--diff' write nothing"),
    (&["-w", "--write", "--inplace"], "'-i' rewrites the files themselves"),
    (&["-b", "--backup"], "'--in-place=.bak' rewrites files and keeps the old ones"),
    (&["-r", "-R", "--recursive"], "with '-i', '--diff' or '--check', folders are walked"),
    (
        &["-q", "--quiet", "--silent"],
        "'--check' writes nothing; its exit status says whether anything would change",
    ),
    (
        &["-c", "--count"],
        "'--check' says whether anything would change; `iriscan find --count` counts links",
    ),
    (&["-u"], "'--diff' shows the changes as a unified diff"),
    (
        &["--nested"],
        "a link in the query of another cannot be rewritten alone; `iriscan find --nested` lists such links",
    ),
    (
        &["-e", "--expression", "-E", "-s", "--regexp"],
        "'--replace TEMPLATE' writes a text in place of each link, such as '<URL>'",
    ),
];

const REPORT: Tips = &[
    (&["-c", "--count"], "the report counts hosts, schemes and warnings; `iriscan find --count`"),
    (&["-u", "--unique"], "a report shows each place; `iriscan find --unique` prints links once"),
    (&["-q", "--quiet", "--silent"], "nothing is printed but messages about trouble"),
    (&["-n", "--line-number"], "lines are always shown"),
    (&["--html", "--page"], "a report is always HTML: '-o FILE.html' says where"),
];

const PICK: Tips = &[
    (
        &["-b", "--browser", "--program", "--with"],
        "'--open-with PROGRAM' names the program that opens a link",
    ),
    (&["-p", "-n", "--dry-run"], "'--print' writes the choice instead of opening it"),
    (
        &["--nested"],
        "`iriscan find --nested` lists the links in queries, and `iriscan report --nested` shows them",
    ),
    (&["-1", "--select-1", "--first"], "'--open-single' opens a link that is alone"),
];

/// For find, rewrite, report and pick.
const SCANS: Tips = &[
    (&["-r", "-R", "--recursive"], "folders are walked: name one, such as ."),
    (&["-f", "--file"], "'--files-from FILE' reads the names of inputs from FILE"),
    (&["-E", "--encoding"], "'--charset LABEL' says the charset of the inputs"),
    (&["-t", "--type"], "'--format html' says what inputs are, '--glob \"*.html\"' which files"),
    (
        &["--include", "--exclude"],
        "'--glob \"*.md\"' takes files, '--glob \"!*.md\"' leaves them out",
    ),
    (&["--follow"], "symbolic links in folders are not followed; name what they lead to"),
    (&["--no-color", "--no-colour"], "'--color never'"),
    (&["--threads"], "'--jobs N'"),
];

const CONVERT: Tips = &[
    (&["-f"], "'--from'"),
    (&["-t"], "'--to'"),
    (&["-d", "--decode"], "'--from uri --to iri' decodes"),
    (&["-e", "--encode"], "`convert` encodes unless told otherwise; leave it out"),
    (&["-n", "--normalize", "--normalise"], "'--to normal' gives the normal form"),
    (&["-r", "--resolve"], "'--base BASE' resolves references"),
    (&["-i", "--input", "--file"], "references of a file, one per line: iriscan convert < FILE"),
    (&["-o", "--output"], "the result goes to standard output: add > FILE"),
    (&["-c", "--encoding"], "'--charset LABEL' says the charset of the lines"),
];

const CHECK: Tips = &[
    (&["-q", "--quiet", "--silent"], "the exit status says whether all are valid: add > /dev/null"),
    (
        &["-i", "-f", "--input", "--file"],
        "references of a file, one per line: iriscan check < FILE",
    ),
    (&["-o", "--output"], "the result goes to standard output: add > FILE"),
    (&["-c", "--count"], "the invalid ones: add | grep -c ': invalid:'"),
];

/// Words that users type for a command, and the command to use.
const WORDS: &[(&[&str], &str)] = &[
    (&["version"], "`iriscan --version` prints it"),
    (&["usage"], "`iriscan --help` prints it"),
    (&["-"], "`iriscan find` lists the links of standard input, `iriscan rewrite` rewrites them"),
    (
        &["list", "ls", "grep", "search", "extract", "scan", "links", "urls", "get"],
        "`iriscan find` lists links",
    ),
    (
        &["replace", "sed", "substitute", "sub", "fix", "defang", "refang"],
        "`iriscan rewrite` replaces each link by its URI form, or by --replace, --set, --defang or --refang",
    ),
    (
        &["encode", "decode", "normalize", "normalise", "resolve", "join", "punycode", "idn"],
        "`iriscan convert` converts references",
    ),
    (
        &["validate", "verify", "lint", "parse", "explain"],
        "`iriscan check` validates and explains references",
    ),
    (&["html", "page"], "`iriscan report -o FILE.html` writes a page with all links"),
];

/// The message for a word that is not a command, if there is a good one.
pub(crate) fn no_command(word: &str) -> Option<String> {
    let shown = text::name(Path::new(word));
    if word != "-" && Path::new(word).exists() {
        return Some(format!("{shown}: no command; `iriscan find {shown}` lists its links"));
    }
    if let Some((_, tip)) = WORDS.iter().find(|(words, _)| words.contains(&word)) {
        return Some(format!("{shown}: no command; {tip}"));
    }
    Components::split(word).range(Component::Scheme).map(|_| {
        format!(
            "{shown}: no command; `iriscan convert '{shown}'` gives its URI form, `iriscan \
             check` explains it, and `iriscan find` lists the links of files"
        )
    })
}

/// The error, with our tip in place of the parser's if we have one.
pub(crate) fn add(mut error: clap::Error, args: &[OsString]) -> clap::Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    match (error.kind(), text(ContextKind::InvalidArg), text(ContextKind::InvalidValue)) {
        (ErrorKind::UnknownArgument, Some(option), _) => {
            let command = args.get(1).and_then(|word| word.to_str()).unwrap_or_default();
            let tip = option_tip(command, &option);
            if let Some(tip) = tip {
                say(&mut error, tip);
                error.remove(ContextKind::SuggestedArg);
            }
        }
        (ErrorKind::InvalidValue, Some(option), Some(value)) if option.starts_with("--format ") => {
            if let Some(tip) = value_tip(&value) {
                error.remove(ContextKind::SuggestedValue);
                say(&mut error, tip);
            } else if let Some(format) = format_called(&value) {
                let format = ContextValue::String(format.into());
                error.insert(ContextKind::SuggestedValue, format);
            }
        }
        _ => {}
    }
    error
}

/// Replaces the tips of the error by `tip`.
fn say(error: &mut clap::Error, tip: &'static str) {
    let tips = vec![StyledStr::from(tip)];
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
}

/// What to use for an option that `command` does not have.
fn option_tip(command: &str, option: &str) -> Option<&'static str> {
    let tables: &[Tips] = match command {
        "find" => &[FIND, SCANS],
        "rewrite" => &[REWRITE, SCANS],
        "report" => &[REPORT, SCANS],
        "pick" => &[PICK, SCANS],
        "convert" => &[CONVERT],
        "check" => &[CHECK],
        _ if command.starts_with('-') => {
            return Some("options come after the command, as in: iriscan find --json FILE");
        }
        _ => &[],
    };
    let mut rows = tables.iter().copied().flatten();
    rows.find(|(options, _)| options.contains(&option)).map(|(_, tip)| *tip)
}

/// What to do with files of a kind that is not a format here.
fn value_tip(value: &str) -> Option<&'static str> {
    Some(match &*value.trim_start_matches('.').to_ascii_lowercase() {
        "gz" | "gzip" | "zst" | "zstd" | "bz2" | "bzip2" | "xz" => {
            "'-z' decompresses; the format is that of what is inside"
        }
        "pdf" | "application/pdf" => {
            "take out its text first, as in: pdftotext FILE - | iriscan find"
        }
        "zip" | "docx" | "odt" | "epub" | "xlsx" | "pptx" => {
            "'-z' reads the texts in it, each in its own format"
        }
        _ => return None,
    })
}

/// The format that a user means by an extension, a media type or another word, such as
/// `xhtml`, `application/ld+json` or `syslog`.
fn format_called(value: &str) -> Option<&'static str> {
    let value = value.to_ascii_lowercase();
    let media = value.split(';').next().unwrap_or(&value);
    media.split(['/', '+']).rev().find_map(|word| of_word(word.trim_matches(['.', ' '])))
}

fn of_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "plain" | "plaintext" | "prose" | "string" | "none" => "text",
        "code" | "rust" | "shell" | "bash" | "toml" | "yaml" | "ini" | "sql" => "source",
        "c++" | "cpp" | "objective-c" => "c",
        "python3" => "python",
        "manpage" | "manual" | "nroff" | "groff" | "mandoc" => "man",
        "javascript" | "typescript" | "kotlin" | "csharp" | "php" | "perl" | "ruby" | "lua"
        | "golang" => "java",
        "html5" | "web" | "page" => "html",
        "feed" | "sitemap" | "sgml" | "xhtml+xml" => "xml",
        "json5" | "jsonc" | "jsonlines" | "json-lines" | "json-seq" | "jsonp" => "json",
        "logs" | "syslog" | "access" | "accesslog" | "apache" | "nginx" | "journal" => "log",
        "email" | "e-mail" | "mails" | "message" | "messages" | "msg" | "rfc822" | "rfc5322"
        | "mime" | "maildir" | "imf" => "mail",
        "rdf-turtle" | "ntriples" | "n-triples" | "nquads" | "n-quads" | "n3" => "turtle",
        "commonmark" | "gfm" | "mdown" | "mkd" => "markdown",
        "emacs" | "org-mode" | "orgmode" => "org",
        "bibtex" | "biblatex" | "xelatex" | "lualatex" => "latex",
        "restructuredtext" | "docutils" | "sphinx" => "rst",
        "gettext" | "translation" | "translations" => "po",
        "mediawiki-text" | "dokuwiki" | "creole" | "wikipedia" => "wikitext",
        "forum" | "phpbb" | "vbulletin" | "bb" => "bbcode",
        "asciidoctor" | "asc" => "asciidoc",
        "stylesheet" | "style" | "scss" | "less" => "css",
        "icalendar" | "calendar" | "vcalendar" | "vcard" | "contacts" => "ical",
        "tabbed" | "tab-separated-values" => "tsv",
        "excel" | "comma" | "semicolon" => "csv",
        "webarchive" | "web-archive" | "wacz" | "warc.gz" => "warc",
        "guess" | "detect" | "magic" | "content" => "sniff",
        "default" | "any" | "extension" => "auto",
        _ => {
            let last = word.rsplit('.').next().unwrap_or(word);
            match (Format::from_extension(word), Content::from_extension(last)) {
                (Some(format), _) => format.as_str(),
                (None, Some(Content::Mail)) => "mail",
                (None, Some(Content::Archive)) => "warc",
                _ => return None,
            }
        }
    })
}
