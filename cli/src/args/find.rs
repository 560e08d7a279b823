//! The options of `iriscan find`, and its help.

use clap::{Args, ValueEnum};
use iriscan::{Field, Template, Warning};

use super::{
    scan::{ScanArgs, schemes_help},
    values::ColorArg,
};

pub(super) const EXAMPLES: &str = "Examples:\n  \
     iriscan find mail.txt                      the links of a file\n  \
     curl … | iriscan find --json               records: span, text, URI, …\n  \
     iriscan find --charset koi8-r a.txt b.txt  files in a known charset\n  \
     iriscan find --json --offsets utf16,lines page.txt\n  \
     iriscan find --glob '*.md' docs            a folder\n  \
     iriscan find -I docs | sort | uniq -c      how often each link is there\n  \
     iriscan find --only-host '*.example.org' --not-match '[.]png$' page.txt\n  \
     iriscan find --hosts-from blocklist.txt access.log\n  \
     iriscan find --count-by host access.log    the most frequent hosts first\n  \
     iriscan find --print '{file}:{line}\\t{uri}' docs\n  \
     iriscan find --csv docs > links.csv        a table\n  \
     git ls-files -z | iriscan find --files-from - --null-paths\n\n";

pub(super) fn help() -> String {
    format!(
        "Exit status: 0 found, 1 none, 2 trouble with any input.\n\n{}\n\n\
         Warnings in records: {}.",
        schemes_help(),
        Warning::ALL.iter().map(|w| w.as_str()).collect::<Vec<_>>().join(", "),
    )
}

#[derive(Args, Debug)]
#[command(next_help_heading = "What to print")]
pub(crate) struct FindArgs {
    /// One JSON object per link and line
    #[arg(long, conflicts_with_all = ["null", "iri", "count"])]
    pub(crate) json: bool,
    /// One line per link, with fields: '{host} {uri}'
    ///
    /// The fields are {uri} {iri} {open} {absolute} {text} {host} {domain} {scheme} {kind} {path}
    /// {query} {fragment} {userinfo} {port} {n} {file} {start} {end} {line} {column} {charset} {warnings} {display},
    /// {element} {attribute} {anchor} of markup, {message_id} {subject} {from} {date} of mail, and {before}
    /// {after}, the text around (--context, by default 80 characters); {{ and }} are braces, and
    /// \t \n \0 \\ a tab, a line feed, a NUL and a backslash. Of a link that does not have it, a field is empty.
    /// {n} counts from 1 in each input. A value may contain line ends; -0 ends each record with
    /// NUL.
    #[arg(
        long,
        value_name = "TEMPLATE",
        value_parser = template,
        conflicts_with_all = ["json", "csv", "tsv", "iri", "count", "count_by"]
    )]
    pub(crate) print: Option<Template>,
    /// A table with a header, separated by commas
    ///
    /// The columns are file, start, end, line, column, kind, scheme, host, uri, iri, open, charset,
    /// warnings, with quotes where RFC 4180 wants them. Values are exact, so a spreadsheet may take
    /// a cell for a formula; see --csv-safe.
    #[arg(
        long,
        conflicts_with_all = ["json", "tsv", "iri", "count", "count_by", "null"]
    )]
    pub(crate) csv: bool,
    /// The same table, separated by tabs
    #[arg(
        long,
        conflicts_with_all = ["json", "iri", "count", "count_by", "null"],
        hide_short_help = true
    )]
    pub(crate) tsv: bool,
    /// A table whose cells no spreadsheet takes for formulas: with ' before = + - @
    ///
    /// Whoever writes a page chooses its links, and may choose `=cmd|'/C calc'!A0`. An apostrophe comes
    /// before each cell that begins with = + - @ (or their wide forms), a tab, or a line end; a
    /// spreadsheet takes such a cell for text. Programs that read the table have to take it off. This is --csv unless --tsv
    /// is given.
    #[arg(
        long,
        conflicts_with_all = ["json", "iri", "count", "count_by", "null", "print"],
        hide_short_help = true
    )]
    pub(crate) csv_safe: bool,
    /// NUL instead of a line end after each result
    #[arg(short = '0', long, hide_short_help = true)]
    pub(crate) null: bool,
    /// Print the IRI, not the URI
    #[arg(long, hide_short_help = true)]
    pub(crate) iri: bool,
    /// Print each link once
    ///
    /// Memory grows with the number of different links.
    #[arg(long)]
    pub(crate) unique: bool,
    /// Print only how many links there are, per input
    #[arg(long)]
    pub(crate) count: bool,
    /// Print how many links have each host, scheme, …
    ///
    /// One line for each value: the number, a tab, and the value, or `-` for links without one. All
    /// inputs are counted together. The most frequent value comes first, equal ones by name. Hosts are counted in their ASCII
    /// form, in lower case. A link with two warnings is counted twice. With --unique, each
    /// different link counts once. Memory grows with the number of different values.
    #[arg(
        long,
        value_name = "FIELD",
        conflicts_with_all = ["json", "iri", "count"]
    )]
    pub(crate) count_by: Option<CountByArg>,
    /// Print no PATH: before results, even of several inputs
    ///
    /// With it, `find -I tree | sort | uniq -c` counts links. The last one of -I and -H counts.
    /// Records of --json always name their input.
    #[arg(short = 'I', long, overrides_with_all = ["with_filename", "no_filename"], hide_short_help = true)]
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
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_short_help = true)]
    pub(crate) color: ColorArg,
    /// Also the text before and after each link, at most CHARS characters each
    ///
    /// Records have it in `before` and `after`; other results have it after a tab, with the link in
    /// it, in one line, for menus such as fzf. It is decoded, and goes over line ends. Of HTML and XML it is
    /// without tags, and the text of the element itself is in `anchor`. At a terminal, the lines
    /// of --color are so short. A link waits for the text after it.
    #[arg(
        long,
        value_name = "CHARS",
        value_parser = characters,
        conflicts_with_all = ["csv", "tsv", "csv_safe", "count", "count_by"],
        hide_short_help = true
    )]
    context: Option<u32>,
    /// Take the wrappers of mail gateways off
    ///
    /// Safe Links, urldefense and others. Instead of a wrapper, the list has the link inside. Records have it in `unwrapped` and
    /// `open`, and the wrapper in `uri`. Nothing is fetched; wrappers that hold only a number
    /// stay.
    #[arg(long)]
    pub(crate) unwrap: bool,
    /// Also the links in the queries of links: ?u=http%3A%2F%2Fb.example%2F
    ///
    /// Each comes after the link that it is in, with its place in that, and its text is decoded. One that leads to
    /// another host has the warning nested-in-another-host. The filters choose among all of them. With --unwrap,
    /// known wrappers are only taken off.
    #[arg(long, hide_short_help = true)]
    pub(crate) nested: bool,
    /// With --json: also give offsets in these units, counted in the decoded text
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "LIST",
        requires = "json",
        hide_short_help = true
    )]
    pub(crate) offsets: Vec<OffsetsArg>,
    #[command(flatten)]
    pub(crate) scan: ScanArgs,
}

impl FindArgs {
    /// What separates the columns of a table, if one is wanted.
    pub(crate) fn delimiter(&self) -> Option<u8> {
        match (self.csv || self.csv_safe, self.tsv) {
            (_, true) => Some(b'\t'),
            (true, _) => Some(b','),
            _ => None,
        }
    }

    /// What ends each result.
    pub(crate) fn end(&self) -> u8 {
        if self.null { 0 } else { b'\n' }
    }

    /// So many characters of the text around links are wanted.
    pub(crate) fn context(&self) -> Option<usize> {
        let named = self.prints(Field::Before) || self.prints(Field::After);
        let chars = self.context.or(named.then_some(80));
        chars.map(|chars| usize::try_from(chars).unwrap_or(usize::MAX))
    }

    /// True if `--print` names this field.
    pub(crate) fn prints(&self, field: Field) -> bool {
        self.print.as_ref().is_some_and(|template| template.fields().any(|named| named == field))
    }

    /// True if results need places that are counted in all text before a link.
    pub(crate) fn counts_positions(&self) -> bool {
        self.delimiter().is_some()
            || self.prints(Field::Line)
            || self.prints(Field::Column)
            || self.offsets.iter().any(|unit| *unit != OffsetsArg::Bytes)
    }

    /// True if the output says where in markup a link stands, or has warnings that need that.
    pub(crate) fn shows_elements(&self) -> bool {
        let of_elements = [Field::Element, Field::Attribute, Field::Anchor, Field::Warnings];
        let counts = matches!(self.count_by, Some(CountByArg::Warning));
        let shows = self.json || self.delimiter().is_some() || counts || self.context().is_some();
        shows || of_elements.into_iter().any(|field| self.prints(field))
    }

    /// True if the output is for programs, and so without colours.
    pub(crate) fn is_plain(&self) -> bool {
        let formed = self.json || self.print.is_some() || self.delimiter().is_some();
        formed || self.null || self.iri || self.count || self.count_by.is_some()
    }

    /// True if each result begins with the name of its input.
    pub(crate) fn names_inputs(&self) -> bool {
        !self.has_columns()
            && (self.with_filename || self.scan.inputs.is_many() && !self.no_filename)
    }

    /// True if each result in a zip container begins with its name and that of the member.
    pub(crate) fn names_members(&self) -> bool {
        !self.has_columns() && !self.no_filename
    }

    /// True if results are columns, which have the name only where it is wanted.
    fn has_columns(&self) -> bool {
        self.print.is_some() || self.delimiter().is_some()
    }
}

/// The template of `--print`.
fn template(text: &str) -> Result<Template, String> {
    Template::for_lists(text).map_err(|e| e.to_string())
}

/// The most characters on each side of a link that `--context` gives.
const CONTEXT_MAX: u32 = 10_000;

/// The value of `--context`.
fn characters(text: &str) -> Result<u32, String> {
    let characters = text.parse().ok().filter(|characters| *characters <= CONTEXT_MAX);
    characters
        .ok_or_else(|| format!("give a number of characters, at most {CONTEXT_MAX}, such as 40"))
}

/// What `--count-by` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CountByArg {
    /// Hosts, in their ASCII form
    Host,
    /// Registrable domains, by the Public Suffix List
    Domain,
    /// Schemes
    Scheme,
    /// Kinds of link
    Kind,
    /// Charsets that links are read in
    Charset,
    /// Warnings
    Warning,
    /// URIs
    Uri,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OffsetsArg {
    /// `start` and `end`, which are always there
    Bytes,
    /// `utf16: [start, end]`
    Utf16,
    /// `chars: [start, end]`
    Chars,
    /// `line` and `column` of the start, from 1
    Lines,
}
