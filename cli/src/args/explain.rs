//! The options of `iriscan explain`, and its help.

use std::ffi::OsString;

use clap::Args;

use super::{choosing::ChoosingArgs, scan::RuleArgs, values::ColorArg};

pub(super) const EXAMPLES: &str = "Examples:\n  \
     iriscan explain 'http://a.example/b。次'      by which rule it ends there\n  \
     iriscan explain --kinds iri,bare example.zip  why it is no link\n  \
     iriscan explain --json < page.txt             one object for each\n  \
     iriscan explain --format html < page.html     of a page\n  \
     iriscan explain --rules-list                  all rules\n\n";

pub(super) const HELP: &str = "A text of the command line is UTF-8. Standard input is read to its end before anything is \
     written. A text is running text, unless --format names another syntax; then its text and references are \
     explained, not its markup. docs/departures.md has the evidence for each rule.\n\n\
     Exit status: 0 there is a link, 1 there is none, 2 trouble with the input.";

#[derive(Args, Debug)]
#[command(next_help_heading = "What to explain")]
pub(crate) struct ExplainArgs {
    /// Texts; none: standard input
    #[arg(value_name = "TEXT")]
    pub(crate) texts: Vec<OsString>,
    /// One JSON object per link, or text like one, and line
    #[arg(long)]
    pub(crate) json: bool,
    /// List all rules, and stop
    #[arg(long, conflicts_with = "texts")]
    pub(crate) rules_list: bool,
    /// Colours: auto, always, never
    #[arg(long, default_value = "auto")]
    pub(crate) color: ColorArg,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    #[command(flatten)]
    pub(crate) choosing: ChoosingArgs,
}
