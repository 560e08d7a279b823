//! The options of `iriscan find`, and its help.

use clap::{Args, ValueEnum};
use iriscan::Warning;

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
pub(crate) struct FindArgs {
    /// One JSON object per link and line
    #[arg(long, conflicts_with_all = ["null", "iri", "count"])]
    pub(crate) json: bool,
    /// NUL instead of a line end after each result
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
    /// With it, `find -I tree | sort | uniq -c` counts links. The last one of -I and -H counts.
    /// Records of --json always name their input.
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
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArg,
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
    /// True if each result begins with the name of its input.
    pub(crate) fn names_inputs(&self) -> bool {
        self.with_filename || self.scan.inputs.is_many() && !self.no_filename
    }
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
