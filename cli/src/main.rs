//! The command `iriscan`. The library does the work; here are options, files,
//! messages and exit codes (CONTRACT: 0 done or found, 1 none or would change,
//! 2 trouble).

mod args;
mod check;
mod compressed;
mod context;
mod convert;
mod diff;
mod find;
mod hints;
mod in_place;
mod input;
mod lines;
mod mail;
mod manual;
mod parallel;
mod progress;
mod queue;
mod record;
mod report;
mod rewrite;
mod show;
mod stats;
mod walk;
mod warc;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use args::Command;
use clap::error::{ContextKind, ContextValue};
use input::Trouble;

fn main() -> ExitCode {
    let outcome = match args::parse(std::env::args_os()) {
        Ok(cli) => match &cli.command {
            Command::Find(args) => find::run(args),
            Command::Rewrite(args) => rewrite::run(args),
            Command::Convert(args) => convert::run(args),
            Command::Check(args) => check::run(args),
            Command::Report(args) => report::run(args),
            Command::Man => manual::page(),
            Command::Completions(args) => manual::completions(args.shell),
        },
        Err(e) => usage(&e),
    };
    progress::clear();
    match outcome {
        Ok(code) => code,
        // The reader of our output has seen enough.
        Err(Trouble::Output(e)) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(trouble) => {
            input::say(trouble);
            ExitCode::from(2)
        }
    }
}

/// Help and version go to standard output; all else is a wrong command line.
fn usage(e: &clap::Error) -> Result<ExitCode, Trouble> {
    if !e.use_stderr() {
        e.print().and_then(|()| io::stdout().flush()).map_err(Trouble::Output)?;
        return Ok(ExitCode::SUCCESS);
    }
    let message = e.render().to_string();
    let message = message.strip_prefix("error: ").unwrap_or(&message).trim_end();
    let text = |kind| match e.get(kind) {
        Some(ContextValue::String(text)) => Some(&**text),
        _ => None,
    };
    let word = text(ContextKind::InvalidSubcommand);
    match (word.and_then(hints::no_command), text(ContextKind::InvalidArg)) {
        (Some(tip), _) => input::say(tip),
        // As sed has it.
        (_, Some("-.")) => input::say("a SUFFIX of -i stands behind `=`: write -i=.bak"),
        _ => input::say(message),
    }
    Ok(ExitCode::from(2))
}
