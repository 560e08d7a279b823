//! Opens a link in a browser or a mail program.

use std::{
    io,
    process::{Command, Stdio},
};

use super::choice::Entry;
use crate::args::pick::PickArgs;

/// The schemes that open unless the user allows all. Any program may have registered others, and
/// the document may be hostile.
const SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// Opens a link; returns why it does not.
pub(super) fn open(entry: &Entry, args: &PickArgs) -> Result<(), String> {
    let uri = entry.open.as_deref().ok_or("it has no URI that opens")?;
    let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
    let known = SCHEMES.iter().any(|name| scheme.eq_ignore_ascii_case(name));
    // An option of the program cannot begin so, and no shell reads it.
    if !uri.bytes().all(|b| matches!(b, 33..=126)) || scheme.is_empty() {
        return Err("its URI is not one that a program takes".into());
    }
    if !known && !args.any_scheme {
        return Err(format!("{scheme}: links open only with --any-scheme"));
    }
    let (program, before) = match &args.open_with {
        Some(program) => (&**program, &[][..]),
        None => default(),
    };
    let started = Command::new(program)
        .args(before)
        .arg(uri)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match started {
        Ok(mut child) => {
            // The program may run as long as the browser does; somebody must wait for it.
            std::thread::spawn(move || child.wait());
            Ok(())
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            Err(format!("{program} is not installed; name a program with --open-with"))
        }
        Err(e) => Err(format!("{program}: {e}")),
    }
}

/// The program of the desktop, and its first arguments.
fn default() -> (&'static str, &'static [&'static str]) {
    match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    }
}
