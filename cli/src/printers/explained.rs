//! What `explain` shows to people: the text with a mark under each link, what ended it, and why.
//!
//! What must hold: no control character of a text reaches the terminal.

use std::io::{self, Write};

use iriscan::{Explanation, Remedy};
use unicode_width::UnicodeWidthStr;

use super::colors::{BOLD, DIM, LINK, RESET, WARN};
use crate::messages::text::escaped;

/// Writes what was decided about a text.
pub(crate) fn write(out: &mut impl Write, all: &[Explanation], colored: bool) -> io::Result<()> {
    if all.is_empty() {
        return writeln!(out, "nothing here looks like a link");
    }
    for it in all {
        one(out, it, colored)?;
    }
    Ok(())
}

fn one(out: &mut impl Write, it: &Explanation, colored: bool) -> io::Result<()> {
    let [link, dim, warn, bold, reset] =
        if colored { [LINK, DIM, WARN, BOLD, RESET] } else { [""; 5] };
    let [mut before, text, mut after] = [it.before(), it.text(), it.after()].map(escaped);
    // The line has more.
    if it.is_cut_before() {
        before.to_mut().insert(0, '…');
    }
    if it.is_cut_after() {
        after.to_mut().push('…');
    }
    let color = if it.is_link() { link } else { warn };
    writeln!(out, "{dim}{before}{reset}{color}{text}{reset}{dim}{after}{reset}")?;
    let mark = if it.is_link() { "~" } else { "-" };
    let indent = " ".repeat(before.width());
    let under = mark.repeat(text.width().max(1));
    let caret = if it.is_link() && it.character().is_some() { "^" } else { "" };
    writeln!(out, "{indent}{color}{under}{reset}{bold}{caret}{reset}")?;
    let (kind, rule) = (it.kind(), it.rule());
    if it.is_link() && it.began() == rule {
        writeln!(out, "  a link ({kind}), by {bold}{}{reset}", rule.as_str())?;
    } else if it.is_link() {
        let began = it.began();
        writeln!(out, "  a link ({kind}): begins by {}", began.as_str())?;
        writeln!(out, "    {}", began.what())?;
        match it.character() {
            Some(c) => {
                writeln!(out, "  ends before {}, by {bold}{}{reset}", named(c), rule.as_str())?;
            }
            None => writeln!(out, "  ends by {bold}{}{reset}", rule.as_str())?,
        }
    } else {
        writeln!(out, "  no link ({kind}), by {bold}{}{reset}", rule.as_str())?;
    }
    writeln!(out, "    {}", rule.what())?;
    if let Some(without) = it.without() {
        writeln!(out, "    without that: {}", escaped(without))?;
    }
    for remedy in it.remedies() {
        match remedy {
            Remedy::Option(option) => writeln!(out, "    a link with {option}")?,
            Remedy::Text(text) => writeln!(out, "    a link if written {}", escaped(text))?,
            _ => {}
        }
    }
    writeln!(out)
}

/// The character and its code point.
fn named(c: char) -> String {
    let code = u32::from(c);
    match c.is_whitespace() || c.is_control() {
        true => format!("U+{code:04X}"),
        false => format!("{} (U+{code:04X})", escaped(&c.to_string())),
    }
}
