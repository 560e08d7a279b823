//! The command `iriscan`. The library does the work; the command has options, files, messages
//! and exit codes (0 done or found, 1 none or would change, 2 trouble).
//!
//! Each part imports only those before it, which a test checks (cli/tests/it/layers.rs):
//!
//! ```text
//! files, messages ─▶ args ─▶ output ─▶ inputs ─▶ ordered ─▶ printers ─▶ commands ─▶ main
//! ```

mod args;
mod commands;
mod files;
mod inputs;
mod messages;
mod ordered;
mod output;
mod printers;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::error::{ContextKind, ContextValue};

use crate::{
    args::{Command, hints},
    commands::{check, completions, convert, explain, find, manual, pick, report, rewrite},
    messages::{progress, say, trouble::Trouble},
    printers::colors,
};

fn main() -> ExitCode {
    let outcome = match args::parse(std::env::args_os()) {
        Ok(cli) => match &cli.command {
            Command::Find(args) => find::run(args),
            Command::Rewrite(args) => rewrite::run(args),
            Command::Convert(args) => convert::run(args),
            Command::Check(args) => check::run(args),
            Command::Explain(args) => explain::run(args),
            Command::Report(args) => report::run(args),
            Command::Pick(args) => pick::run(args),
            Command::Man => manual::run(),
            Command::Completions(args) => completions::run(args.shell),
        },
        Err(e) => usage(&e),
    };
    progress::clear();
    match outcome {
        Ok(code) => code,
        // The reader of our output has seen enough.
        Err(Trouble::Output(e)) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(trouble) => {
            say(trouble);
            ExitCode::from(2)
        }
    }
}

/// Writes help or the version to standard output, or the message about a wrong command line to
/// standard error.
fn usage(e: &clap::Error) -> Result<ExitCode, Trouble> {
    if !e.use_stderr() {
        let text = e.render();
        let text =
            if colors::help_is_colored() { text.ansi().to_string() } else { text.to_string() };
        let mut out = io::stdout();
        let written = out.write_all(args::shown(&text).as_bytes()).and_then(|()| out.flush());
        return written.map(|()| ExitCode::SUCCESS).map_err(Trouble::Output);
    }
    let message = e.render().to_string();
    let message = message.strip_prefix("error: ").unwrap_or(&message).trim_end();
    let text = |kind| match e.get(kind) {
        Some(ContextValue::String(text)) => Some(&**text),
        _ => None,
    };
    let word = text(ContextKind::InvalidSubcommand);
    match (word.and_then(hints::no_command), text(ContextKind::InvalidArg)) {
        (Some(tip), _) => say(tip),
        // As sed has it.
        (_, Some("-.")) => say("the SUFFIX of -i comes after `=`: write -i=.bak"),
        _ => say(message),
    }
    Ok(ExitCode::from(2))
}
