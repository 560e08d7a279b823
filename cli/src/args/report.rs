//! The options of `iriscan report`, and its help.

use std::{ffi::OsString, path::PathBuf};

use clap::{
    Args,
    builder::{OsStringValueParser, TypedValueParser},
};

use super::scan::ScanArgs;

pub(super) const EXAMPLES: &str = "Examples:\n  \
     iriscan report -o links.html *.txt box.mbox\n  \
     iriscan report --kinds iri,bare,email -o - page.html > links.html\n  \
     iriscan report --changed -o links.html *.txt   what rewriting would change\n\n";

#[derive(Args, Debug)]
#[command(next_help_heading = "What to write")]
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
    /// Also the links in the queries of links: ?u=http%3A%2F%2Fb.example%2F
    ///
    /// Each comes after the link that it is in.
    #[arg(long, hide_short_help = true)]
    pub(crate) nested: bool,
    #[command(flatten)]
    pub(crate) scan: ScanArgs,
}

/// The name of the page. A word such as `--limit` is refused: the user forgot the name, and
/// does not want a file that is called like an option.
fn page(name: OsString) -> Result<PathBuf, String> {
    let option = name.as_encoded_bytes().starts_with(b"-") && name != "-";
    if option {
        Err("give a file; ./ before a name that begins with `-`".into())
    } else {
        Ok(name.into())
    }
}

fn links(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "give a number of links, such as 1000".into())
}
