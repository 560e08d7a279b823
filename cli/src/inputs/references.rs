//! The references for `convert` and `check`: the arguments, or the lines of standard input.
//!
//! What must hold: one reference is held at a time, so memory grows with the longest line only;
//! and the results of all lines that were read are written before more lines are waited for.

use std::{
    borrow::Cow,
    ffi::OsString,
    fmt,
    io::{self, BufRead, BufReader, BufWriter, StdoutLock, Write},
    path::Path,
};

use iriscan::Charset;

use crate::messages::{
    say, say_typed,
    text::name,
    trouble::{Trouble, Unfinished, complain},
};

/// The argument or the line that a reference came from, for messages.
#[derive(Clone, Copy)]
pub(crate) struct ReferencePlace {
    kind: &'static str,
    number: u64,
}

impl ReferencePlace {
    /// True if the reference came from the command line.
    pub(crate) fn is_argument(self) -> bool {
        self.kind == "argument"
    }
}

impl fmt::Display for ReferencePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.number)
    }
}

/// Standard output for the results.
pub(crate) type Results<'o> = BufWriter<StdoutLock<'o>>;

/// Warns of an argument that is also the name of a file, because the user may have meant the
/// lines of that file. Warns of the first such argument only, because there may be many.
/// `done` is what was done with it, such as "converted as a reference".
pub(crate) fn say_if_file(arguments: &[OsString], command: &str, done: &str) {
    let is_file = |name: &&OsString| Path::new(name).is_file();
    if let Some(file) = arguments.iter().find(is_file) {
        let name = name(Path::new(file));
        say(format_args!(
            "{name}: {done}, though a file has this name; for the lines of the file: \
             iriscan {command} < {}",
            quoted(&name)
        ));
    }
}

/// The name, quoted for a shell if it must be.
fn quoted(name: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_alphanumeric() || "-_./+,:@%".contains(c);
    if name.chars().all(plain) {
        return name.into();
    }
    format!("'{}'", name.replace('\'', "'\\''")).into()
}

/// Calls `each` with the bytes of every reference, without its line end, and with their
/// charset. Returns false if standard input could not be read to its end; the user was told.
pub(crate) fn each(
    arguments: &[OsString],
    charset: Charset,
    mut each: impl FnMut(ReferencePlace, &[u8], Charset, &mut Results<'_>) -> io::Result<()>,
) -> Result<bool, Trouble> {
    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    if !arguments.is_empty() {
        for (number, argument) in (1..).zip(arguments) {
            let place = ReferencePlace { kind: "argument", number };
            each(place, argument.as_encoded_bytes(), Charset::UTF_8, &mut out)
                .map_err(Trouble::Output)?;
        }
        out.flush().map_err(Trouble::Output)?;
        return Ok(true);
    }
    say_typed();
    // Our own buffer shows whether the next line is there already.
    let mut stdin = BufReader::with_capacity(64 * 1024, io::stdin().lock());
    let mut line = Vec::new();
    for number in 1.. {
        match read_line(&mut stdin, charset.line_feed(), &mut line, &mut out)? {
            Read::Line => {}
            Read::End => break,
            Read::Trouble => {
                out.flush().map_err(Trouble::Output)?;
                return Ok(false);
            }
        }
        let place = ReferencePlace { kind: "line", number };
        // A byte order mark is not part of the first line.
        let mark = if number == 1 { charset.byte_order_mark() } else { b"" };
        let line = line.strip_prefix(mark).unwrap_or(&line);
        each(place, line, charset, &mut out).map_err(Trouble::Output)?;
    }
    out.flush().map_err(Trouble::Output)?;
    Ok(true)
}

/// What [`read_line`] found.
enum Read {
    Line,
    End,
    /// An error, of which the user was told.
    Trouble,
}

/// Reads a line into `line`, without LF or CRLF at its end. Writes out the results so far
/// before it waits for more bytes.
fn read_line(
    stdin: &mut BufReader<impl io::Read>,
    line_feed: &[u8],
    line: &mut Vec<u8>,
    out: &mut Results<'_>,
) -> Result<Read, Trouble> {
    line.clear();
    let width = line_feed.len();
    loop {
        if stdin.buffer().is_empty() {
            out.flush().map_err(Trouble::Output)?;
        }
        let buffer = match stdin.fill_buf() {
            Ok(buffer) => buffer,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => {
                complain(Path::new("-"), &e, Unfinished::Used);
                return Ok(Read::Trouble);
            }
        };
        if buffer.is_empty() {
            return Ok(if line.is_empty() { Read::End } else { Read::Line });
        }
        // In UTF-16 and UTF-32, look for the last byte of a line feed, then at all of it.
        let last = line_feed[width - 1];
        let mut taken = 0;
        let ends = loop {
            let Some(i) = buffer[taken..].iter().position(|&b| b == last) else {
                line.extend_from_slice(&buffer[taken..]);
                taken = buffer.len();
                break false;
            };
            line.extend_from_slice(&buffer[taken..=taken + i]);
            taken += i + 1;
            if line.len().is_multiple_of(width) && line.ends_with(line_feed) {
                break true;
            }
        };
        stdin.consume(taken);
        if ends {
            line.truncate(line.len() - width);
            strip_carriage_return(line, line_feed);
            return Ok(Read::Line);
        }
    }
}

fn strip_carriage_return(line: &mut Vec<u8>, line_feed: &[u8]) {
    let carriage_return: Vec<u8> =
        line_feed.iter().map(|&b| if b == b'\n' { b'\r' } else { b }).collect();
    if line.ends_with(&carriage_return) {
        line.truncate(line.len() - line_feed.len());
    }
}
