//! The command `iriscan`. The library does the work; here are options, files,
//! messages and exit codes (CONTRACT: 0 done or found, 1 none or would change,
//! 2 trouble).

mod args;
mod find;
mod input;
mod rewrite;

use std::{io, process::ExitCode};

use args::Command;
use input::Trouble;

fn main() -> ExitCode {
    let cli = match args::parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(e) => return usage(&e),
    };
    let outcome = match &cli.command {
        Command::Find(args) => find::run(args),
        Command::Rewrite(args) => rewrite::run(args),
    };
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
fn usage(e: &clap::Error) -> ExitCode {
    if !e.use_stderr() {
        // A closed pipe is no reason to complain.
        let _ = e.print();
        return ExitCode::SUCCESS;
    }
    let message = e.render().to_string();
    input::say(message.strip_prefix("error: ").unwrap_or(&message).trim_end());
    ExitCode::from(2)
}
