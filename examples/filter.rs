//! A filter from standard input to standard output. It replaces each IRI by its URI
//! and leaves every other byte as it is. Memory does not grow with the input, and
//! everything that is settled is written before the next read waits.
//!
//! ```sh
//! echo 'siehe http://bücher.example/größe' | cargo run --example filter
//! cargo run --example filter -- shift_jis < old.html > new.html
//! ```

use std::{
    env,
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

use iriscan::{Charset, Config, Finder, LabelError};

fn main() -> ExitCode {
    let finder = match finder(env::args().nth(1)) {
        Ok(finder) => finder,
        Err(why) => return trouble(&why),
    };
    match finder.rewrite(io::stdin().lock(), io::stdout().lock()) {
        Ok(done) => {
            let stream = done.summary;
            note(&format!(
                "{} bytes of {} ({}), {} links, {} rewritten, {} without a URI",
                stream.bytes,
                stream.charset,
                stream.basis.reason(),
                stream.links,
                done.changed,
                done.unconvertible,
            ));
            ExitCode::SUCCESS
        }
        // The reader has closed the pipe: `filter < book | head`.
        Err(e) if e.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(e) => trouble(&e),
    }
}

/// Makes a finder for the named charset, or for one to be detected.
fn finder(label: Option<String>) -> Result<Finder, LabelError> {
    let Some(label) = label else { return Ok(Finder::new()) };
    let config = Config::new().charset(Charset::for_label(&label)?);
    Ok(config.build().expect("a charset alone should make a valid configuration"))
}

fn trouble(why: &dyn std::error::Error) -> ExitCode {
    note(&why.to_string());
    ExitCode::from(2)
}

/// Writes a line to standard error. Unlike `eprintln!` it does not panic if that is closed.
fn note(line: &str) {
    let _ = writeln!(io::stderr(), "filter: {line}");
}
