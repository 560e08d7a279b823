//! The options of `iriscan pick`, and its help.

use clap::Args;
use iriscan::Template;

use super::scan::ScanArgs;

pub(super) const EXAMPLES: &str = "Examples:\n  \
     iriscan pick page.html                        choose a link, and open it\n  \
     git log | iriscan pick --print                the choice to standard output\n  \
     iriscan pick --unwrap --links-only < message  from mutt: macro index,pager \\cb\n  \
     iriscan pick --print='{iri}' notes.txt | wl-copy\n\n";

pub(super) const HELP: &str = "Keys:\n  \
     Up, Down, PgUp, PgDn, Home, End   move (also j, k, g, G)\n  \
     letters                           filter by address, text and host; / begins with any letter\n  \
     Enter                             open the link, or all that are marked; with --print write them\n  \
     Tab                               mark\n  \
     y                                 copy the URI, or all that are marked (OSC 52)\n  \
     u                                 show URIs instead of IRIs, and back\n  \
     d                                 show all that is known of the link\n  \
     Esc                               clear the filter; without one, end\n  \
     q, Ctrl-C                         end\n\n\
     While the filter is typed, y, u and d are Ctrl-Y, Ctrl-U and Ctrl-D.\n\n\
     Exit status: 0 opened or written, 1 no link or nothing chosen, 2 trouble.";

#[derive(Args, Debug)]
pub(crate) struct PickArgs {
    /// Write the choice to standard output instead of opening it, by a template
    ///
    /// Its fields are those of `find --print`. A line for each link.
    #[arg(
        long,
        value_name = "TEMPLATE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "{open}",
        value_parser = template
    )]
    pub(crate) print: Option<Template>,
    /// If there is one link alone, open it (or write it) without a question
    #[arg(long)]
    pub(crate) open_single: bool,
    /// The program that opens a link; default: that of the desktop
    ///
    /// It is run with the URI as its argument: `xdg-open` on Linux, `open` on macOS. No shell reads
    /// it.
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) open_with: Option<String>,
    /// Open links of every scheme, not only of http, https and mailto
    #[arg(long)]
    pub(crate) any_scheme: bool,
    /// Open the links in the wrappers of mail gateways (Safe Links, urldefense and others)
    #[arg(long)]
    pub(crate) unwrap: bool,
    #[command(flatten)]
    pub(crate) scan: ScanArgs,
}

/// The template of `--print`.
fn template(text: &str) -> Result<Template, String> {
    Template::for_lists(text).map_err(|e| e.to_string())
}
