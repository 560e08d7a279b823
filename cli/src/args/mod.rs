//! The command line: what was typed, checked and named. A file for each command; scan.rs
//! has the options that several of them share.
//!
//! In go the words of the command line; out comes a [`Cli`], or the message for the user.
//! What must hold: this part knows nothing of the code that runs the commands.

pub(crate) mod check;
pub(crate) mod choosing;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod explain;
pub(crate) mod find;
pub(crate) mod hints;
pub(crate) mod pick;
pub(crate) mod report;
pub(crate) mod rewrite;
pub(crate) mod scan;
pub(crate) mod values;
pub(crate) mod version;

use std::ffi::OsString;

use clap::{
    Command as ClapCommand, CommandFactory, FromArgMatches, Parser, Subcommand, error::ErrorKind,
};

use self::{
    check::CheckArgs, completions::CompletionsArgs, convert::ConvertArgs, explain::ExplainArgs,
    find::FindArgs, pick::PickArgs, report::ReportArgs, rewrite::RewriteArgs, values::FormatArg,
};

/// The order of a help text: examples come first, in commands that have some.
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
    long_version = version::long_version(),
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
    /// Refuses options that contradict each other.
    fn agreeing(mut self) -> Result<Cli, clap::Error> {
        // A mail program pipes messages to the list.
        if let Command::Pick(PickArgs { scan, .. }) = &mut self.command
            && scan.rules.format == FormatArg::Auto
            && scan.inputs.reads_stdin()
        {
            scan.rules.format = FormatArg::Sniff;
        }
        let scan = match &self.command {
            Command::Find(FindArgs { scan, .. })
            | Command::Rewrite(RewriteArgs { scan, .. })
            | Command::Report(ReportArgs { scan, .. })
            | Command::Pick(PickArgs { scan, .. }) => scan,
            Command::Explain(args) => return args.rules.agree().map(|()| self),
            _ => return Ok(self),
        };
        scan.rules.agree().map(|()| self)
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
        before_long_help = find::EXAMPLES,
        after_help = "Exit status: 0 found, 1 none, 2 trouble with any input. More: --help.",
        after_long_help = find::help()
    )]
    Find(FindArgs),
    /// Copy inputs to standard output, links replaced by their URI form
    ///
    /// Only links that hold a character outside ASCII change, unless --replace or --defang writes
    /// another text for each link. Every byte outside them comes out as it went in.
    #[command(
        help_template = TEMPLATE,
        before_long_help = rewrite::EXAMPLES,
        after_help = "Exit status: 0; 1 if --check finds a change; 2 trouble. \
                      More options: --help.",
        after_long_help = rewrite::help()
    )]
    Rewrite(RewriteArgs),
    /// Convert whole references, one per line: IRI to URI and back
    ///
    /// Also LEIRI to IRI, to normal forms, to the form for running text, and relative to
    /// absolute. One line comes out for each line that goes in. A reference that cannot be
    /// converted gives an empty line, and a message on standard error.
    #[command(
        help_template = TEMPLATE,
        before_long_help = convert::EXAMPLES,
        after_help = "Exit status: 0, 2 if a reference could not be converted. \
                      More options: --help.",
        after_long_help = convert::HELP
    )]
    Convert(ConvertArgs),
    /// Validate and explain whole references, one per line
    ///
    /// `valid` is the grammar alone; what else a reader should know are warnings.
    #[command(
        help_template = TEMPLATE,
        before_long_help = check::EXAMPLES,
        after_help = "Exit status: 0 all valid, 1 one is not, 2 trouble with the input.",
        after_long_help = check::help()
    )]
    Check(CheckArgs),
    /// Say why a link ends where it ends, and why a text is no link
    ///
    /// For each link of the text the rule that ended it, and what the link would be without; for each text
    /// that only looks like a link the rule that refused it, and what would make it one.
    #[command(
        help_template = TEMPLATE,
        before_long_help = explain::EXAMPLES,
        after_help = "Exit status: 0 a link, 1 none, 2 trouble. More options: --help.",
        after_long_help = explain::HELP
    )]
    Explain(ExplainArgs),
    /// Write one page of HTML with all links in their context
    ///
    /// Each with its URI and what to know about it; hosts, schemes and warnings are
    /// counted, and a click on one shows only its links. The page fetches nothing. Its
    /// script shows 200 links at a time, filters and sorts; without it all links are
    /// shown. FILE#l123 is the 123rd link. The page is written beside FILE and put in its
    /// place when it is complete. Memory grows with the links shown.
    #[command(
        help_template = TEMPLATE,
        before_long_help = report::EXAMPLES,
        after_help = "Exit status: 0, 2 trouble with any input or with FILE. More options: --help.",
        after_long_help = "Exit status: 0, 2 trouble with any input or with FILE."
    )]
    Report(ReportArgs),
    /// Choose links from a list in the terminal, and open them
    ///
    /// Each in its context, with the readable address large, its host bold, and warnings in words.
    /// The text comes from files or standard input, and keys from the terminal. Nothing opens
    /// that you do not choose, and only http, https and mailto unless --any-scheme is given.
    #[command(
        help_template = TEMPLATE,
        before_long_help = pick::EXAMPLES,
        after_help = "Exit status: 0, 1 no link or nothing chosen, 2 trouble. Keys and more options: --help.",
        after_long_help = pick::HELP
    )]
    Pick(PickArgs),
    /// Write the manual page, in roff, to standard output
    #[command(after_help = "Read it: iriscan man | man -l -")]
    Man,
    /// Write what completes commands in a shell, to standard output
    #[command(help_template = TEMPLATE, before_long_help = completions::EXAMPLES)]
    Completions(CompletionsArgs),
}

const EXAMPLES: &str = "Examples:\n  \
     iriscan find page.txt                      the links of a file\n  \
     iriscan rewrite < old.txt > new.txt        each link replaced by its URI form\n  \
     iriscan rewrite -i --glob '*.md' docs      files in place\n  \
     iriscan convert 'http://bücher.example/ü'  one reference\n\n";

/// The parser.
pub(crate) fn command() -> ClapCommand {
    Cli::command().mut_subcommands(|command| {
        let explains = command.get_name() == "explain";
        command.mut_args(|arg| {
            // They say how links are written, or are for mail.
            let idle = ["force_charset", "host", "query", "nfc"].contains(&arg.get_id().as_str());
            let arg = arg.hide(explains && idle);
            let texts = [arg.get_help(), arg.get_long_help()].map(|text| {
                let text = text.map(ToString::to_string)?;
                text.contains(NUMBER).then(|| text.replace(NUMBER, HIDDEN))
            });
            let [help, long] = texts;
            let arg = if let Some(help) = help { arg.help(help) } else { arg };
            if let Some(long) = long { arg.long_help(long) } else { arg }
        })
    })
}

/// The field that is the number of a link. clap takes it for a line end, wherever it is in a help
/// text.
const NUMBER: &str = "{n}";

/// What is in the place of the field until the text has its lines. Each character is as wide as one
/// of the field.
const HIDDEN: &str = "\u{E000}n\u{E001}";

/// The help text as it has to be shown.
pub(crate) fn shown(help: &str) -> String {
    help.replace(HIDDEN, NUMBER)
}

/// Reads the command line, or returns the message for the user.
pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let args: Vec<OsString> = args.into_iter().collect();
    let matches = taking_hyphens(command()).try_get_matches_from(&args);
    let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches)?.agreeing());
    cli.map_err(|e| {
        let short = e.kind() == ErrorKind::DisplayHelp && !e.to_string().contains("Examples:");
        let e = if short { brief().try_get_matches_from(&args).err().unwrap_or(e) } else { e };
        hints::add(e, &args)
    })
}

/// The word after an option that wants a value is its value, even if it starts with `-`, as
/// in getopt. So a message about a wrong value says which values the option takes.
fn taking_hyphens(command: ClapCommand) -> ClapCommand {
    command.mut_subcommands(|command| {
        command.mut_args(|arg| {
            let takes = arg.get_action().takes_values() && !arg.is_positional();
            let hyphens = takes && !arg.is_require_equals_set();
            arg.allow_hyphen_values(hyphens)
        })
    })
}

/// The parser for the short help, which fits one screen because it has no values,
/// defaults and headings. clap can only hide them in the short and the long help at once.
fn brief() -> ClapCommand {
    command().mut_subcommands(|command| {
        command.mut_args(|arg| {
            let hide = arg.get_action().takes_values();
            let arg = arg.hide_possible_values(hide).hide_default_value(hide);
            // Headings would take more lines than a screen has.
            arg.help_heading(None::<&str>)
        })
    })
}
