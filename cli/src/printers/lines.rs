//! The lines of `find`: each result on a line of its own, after the name of its input if that is
//! wanted; after a tab, the text around it.
//!
//! In go results; out come lines, or records that end with NUL. What must hold: a result has no line
//! end in it, and nothing that a terminal obeys reaches one.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use super::{
    item::{Item, Name},
    readable::folded,
};
use crate::messages::{
    terminal,
    text::{escaped, one_record},
};

/// Writes the line of a link.
pub(crate) fn link(
    item: &Item<'_>,
    name: &Name<'_>,
    end: u8,
    out: &mut impl Write,
) -> io::Result<()> {
    let around = item.around.map(|[before, after]| {
        let iri = item.link.iri();
        let link = item.link.anchor().unwrap_or(&iri);
        folded(&[before, link, after].concat()).trim().to_owned()
    });
    line(item.shown, around.as_deref(), name, end, out)
}

/// Writes `text`, and after a tab what is around it.
pub(crate) fn line(
    text: &str,
    around: Option<&str>,
    name: &Name<'_>,
    end: u8,
    out: &mut impl Write,
) -> io::Result<()> {
    // A name or a link may contain characters that a terminal obeys.
    let for_terminal = end == b'\n' && terminal::is_output();
    let safe: fn(&str) -> Cow<'_, str> = if for_terminal { escaped } else { one_record };
    if name.printed {
        match for_terminal {
            true => out.write_all(name.shown().as_bytes())?,
            false => out.write_all(&name.bytes(end))?,
        }
        out.write_all(b":")?;
    }
    out.write_all(safe(text).as_bytes())?;
    if let Some(around) = around.filter(|around| !around.is_empty()) {
        out.write_all(b"\t")?;
        out.write_all(safe(around).as_bytes())?;
    }
    out.write_all(&[end])
}
