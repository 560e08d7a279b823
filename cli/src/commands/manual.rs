//! `iriscan man`: writes the manual page.
//!
//! What must hold: the descriptions of commands and options are those of the command-line parser.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap_mangen::Man;

use super::put;
use crate::{
    args::{command, shown, version::long_version},
    messages::trouble::Trouble,
};

/// Writes one page for all commands, so that one search finds everything.
pub(crate) fn run() -> Result<ExitCode, Trouble> {
    let mut page = Vec::new();
    render(&mut page).map_err(Trouble::Output)?;
    put(shown(&String::from_utf8_lossy(&page)).as_bytes()).map(|()| ExitCode::SUCCESS)
}

fn render(out: &mut Vec<u8>) -> io::Result<()> {
    let mut whole = command();
    whole.build();
    let man = Man::new(whole.clone()).manual("User Commands");
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    let mut list = Vec::new();
    man.render_subcommands_section(&mut list)?;
    // The commands have no pages of their own, as `iriscan-find(1)` would be.
    let list = String::from_utf8_lossy(&list).replace("iriscan\\-", "iriscan ").replace("(1)", "");
    out.extend_from_slice(list.as_bytes());
    for command in whole.get_subcommands().filter(|command| command.get_name() != "help") {
        writeln!(out, ".SH \"IRISCAN {}\"", command.get_name().to_uppercase())?;
        let mut section = Vec::new();
        let man = Man::new(command.clone());
        man.render_description_section(&mut section)?;
        man.render_synopsis_section(&mut section)?;
        if let Some(examples) = command.get_before_long_help() {
            let examples = examples.to_string();
            let lines = examples.strip_prefix("Examples:\n").unwrap_or(&examples).trim_end();
            writeln!(section, ".SH EXAMPLES\n.nf\n{}\n.fi", escaped(lines))?;
        }
        man.render_options_section(&mut section)?;
        if let Some(notes) = command.get_after_long_help().or(command.get_after_help()) {
            // Without hyphenation, because of the names of warnings and schemes.
            writeln!(section, ".SH NOTES\n.nh\n.ad l")?;
            for paragraph in notes.to_string().split("\n\n") {
                writeln!(section, ".PP\n{}", escaped(paragraph))?;
            }
            writeln!(section, ".hy\n.ad b")?;
        }
        // The sections of a command become subsections.
        let section = String::from_utf8_lossy(&section).replace("\n.SH ", "\n.SS ");
        let (preamble, section) = section.split_once(".SS DESCRIPTION\n").unwrap_or(("", &section));
        out.extend_from_slice([preamble, section].concat().as_bytes());
    }
    for (title, rows) in [("EXIT STATUS", STATUS), ("ENVIRONMENT", ENVIRONMENT)] {
        writeln!(out, ".SH \"{title}\"")?;
        for (name, text) in rows {
            writeln!(out, ".TP\n\\fB{}\\fR\n{}", escaped(name), escaped(text))?;
        }
    }
    writeln!(out, ".SH VERSION\n.nf\n{}\n.fi", escaped(long_version()))
}

const STATUS: &[(&str, &str)] = &[
    (
        "0",
        "find: there are links. check: all references are valid. rewrite --check: nothing would \
         change. Other commands: done.",
    ),
    (
        "1",
        "find: there are no links. check: a reference is not valid. rewrite --check: something \
         would change.",
    ),
    (
        "2",
        "Trouble with an input, the output or the command line, whatever else was found; a \
         message on standard error says what to do. convert: a reference could not be converted.",
    ),
];

const ENVIRONMENT: &[(&str, &str)] = &[
    ("NO_COLOR", "If it is set and not empty, `--color auto` and help are without colours."),
    (
        "TERM",
        "If it is dumb or not set, `--color auto` and help are without colours, and no progress \
         is shown.",
    ),
    (
        "CLICOLOR, CLICOLOR_FORCE",
        "Of help alone: if the first is 0, it is plain; if the second is set, it is in bold and \
         underlined even if it is not shown on a terminal.",
    ),
    (
        "COLUMNS",
        "The width of the lines that `--color` shows, in columns; without it, that of the \
         terminal, or 80.",
    ),
    (
        "HOME, XDG_CONFIG_HOME",
        "Where the configuration of git is: what its core.excludesFile names is left out of \
         folders that are in a repository of git; --no-ignore takes it.",
    ),
];

/// The text, escaped so that roff shows it unchanged.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        // Such a line would be a request to roff.
        if line.starts_with(['.', '\'']) {
            out.push_str("\\&");
        }
        for c in line.chars() {
            match c {
                '\\' => out.push_str("\\e"),
                '-' => out.push_str("\\-"),
                '\'' => out.push_str("\\(aq"),
                '`' => out.push_str("\\(ga"),
                '^' => out.push_str("\\(ha"),
                '~' => out.push_str("\\(ti"),
                c if c.is_ascii() => out.push(c),
                c => out.push_str(&format!("\\[u{:04X}]", u32::from(c))),
            }
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out
}
