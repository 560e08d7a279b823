//! References as `convert` and `check` take them: arguments, or the lines of
//! standard input. One at a time, in bounded memory but for the longest line.

use std::{
    borrow::Cow,
    ffi::OsString,
    fmt,
    io::{self, BufRead, BufReader, BufWriter, StdoutLock, Write},
    path::Path,
};

use iriscan::Charset;

use crate::input::{self, Trouble};

/// Where a reference stood, for messages.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    kind: &'static str,
    number: u64,
}

impl Place {
    /// It is text that the command line gave.
    pub(crate) fn is_argument(self) -> bool {
        self.kind == "argument"
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.number)
    }
}

/// Standard output, as `each` writes to it.
pub(crate) type Out<'o> = BufWriter<StdoutLock<'o>>;

/// Says that an argument is taken as a reference though it is the name of a file: the user
/// may have meant the lines of that file. `done` is what is done with it: "converted".
/// Says it of the first one only, because a list of names may be long.
pub(crate) fn say_if_file(arguments: &[OsString], command: &str, done: &str) {
    let is_file = |name: &&OsString| Path::new(name).is_file();
    if let Some(name) = arguments.iter().find(is_file) {
        let name = input::name(Path::new(name));
        input::say(format_args!(
            "{name}: {done} as a reference, though a file has this name; for the lines of the \
             file: iriscan {command} < {}",
            quoted(&name)
        ));
    }
}

/// The name as a shell takes it.
fn quoted(name: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_alphanumeric() || "-_./+,:@%".contains(c);
    if name.chars().all(plain) {
        return name.into();
    }
    format!("'{}'", name.replace('\'', "'\\''")).into()
}

/// Calls `each` with the bytes of every reference, without its line end, and
/// the charset that they are in. Whether standard input could be read to its
/// end, of which the user was told.
pub(crate) fn each(
    arguments: &[OsString],
    charset: Charset,
    mut each: impl FnMut(Place, &[u8], Charset, &mut Out<'_>) -> io::Result<()>,
) -> Result<bool, Trouble> {
    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    if !arguments.is_empty() {
        for (number, argument) in (1..).zip(arguments) {
            let place = Place { kind: "argument", number };
            each(place, argument.as_encoded_bytes(), Charset::UTF_8, &mut out)
                .map_err(Trouble::Output)?;
        }
        out.flush().map_err(Trouble::Output)?;
        return Ok(true);
    }
    input::say_typed();
    // A reader of our own says whether the next line will have to be waited for.
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
        let place = Place { kind: "line", number };
        // The first line begins behind a byte order mark.
        let mark = if number == 1 { charset.byte_order_mark() } else { b"" };
        let line = line.strip_prefix(mark).unwrap_or(&line);
        each(place, line, charset, &mut out).map_err(Trouble::Output)?;
    }
    out.flush().map_err(Trouble::Output)?;
    Ok(true)
}

enum Read {
    Line,
    End,
    Trouble,
}

/// Reads up to a line feed into `line`, and leaves it out, with a carriage
/// return before it. What was written is on its way before more is waited for.
fn read_line(
    stdin: &mut BufReader<impl io::Read>,
    line_feed: &[u8],
    line: &mut Vec<u8>,
    out: &mut Out<'_>,
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
                input::complain(Path::new("-"), &e);
                return Ok(Read::Trouble);
            }
        };
        if buffer.is_empty() {
            return Ok(if line.is_empty() { Read::End } else { Read::Line });
        }
        // A line feed may end in any byte of a unit: look at the last of it.
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
