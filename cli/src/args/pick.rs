//! The options of `iriscan pick`, and its help.

use clap::Args;
use iriscan::Template;

use super::scan::ScanArgs;

/// The keys, a line for each.
macro_rules! keys {
    () => {
        "  Up, Down, PgUp, PgDn, Home, End   move (also j, k, g, G, and the wheel)\n  \
         letters                           filter by address, text and host; / begins with any letter\n  \
         Ctrl-W, Ctrl-U                    take a word off the filter, or all of it\n  \
         Enter                             open the link, or all that are marked; with --print write them\n  \
         digits                            go to the link with that number\n  \
         a click                           go to the link; on the current one, as Enter\n  \
         Tab                               mark\n  \
         y                                 copy the URI, or all that are marked (OSC 52)\n  \
         u                                 show URIs instead of IRIs, and back\n  \
         d                                 show all that is known of the link\n  \
         ?                                 show the keys\n  \
         Esc                               clear the filter; without one, end\n  \
         Ctrl-Z                            stop, until the shell's fg\n  \
         q, Ctrl-C                         end\n\n  \
         While the filter is typed, y and d are Ctrl-Y and Ctrl-D."
    };
}

pub(super) const EXAMPLES: &str = "Examples:\n  \
     iriscan pick page.html                        choose a link, and open it\n  \
     git log | iriscan pick --print                the choice to standard output\n  \
     iriscan pick --unwrap --links-only < message  from mutt: macro index,pager \\cb\n  \
     iriscan pick --print='{iri}' notes.txt | wl-copy\n\n";

pub(super) const HELP: &str = concat!(
    "Keys:\n",
    keys!(),
    "\n\nLinks of an input that open the same are shown once, with their number.\n\n\
     Exit status: 0 opened or written, 1 no link or nothing chosen, 2 trouble: an input that was\n\
     not read, a link that did not open."
);

/// The keys, a line for each.
pub(crate) const KEYS: &str = keys!();

#[derive(Args, Debug)]
#[command(next_help_heading = "What to do with the choice")]
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
    /// The program that opens a link; default: $BROWSER, or that of the desktop
    ///
    /// Words are its arguments; the URI comes in the place of %s, or after them. No shell reads it.
    /// The desktop's is `xdg-open` on Linux, `open` on macOS. Browsers of the terminal, such as w3m
    /// and lynx, get the terminal until they end.
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
