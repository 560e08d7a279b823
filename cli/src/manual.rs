//! `iriscan man`, `iriscan completions`, `iriscan --version`.
//!
//! Knows the parser (args.rs), and says nothing that does not stand there.

use std::{
    io::{self, Write},
    process::ExitCode,
    sync::LazyLock,
};

use clap::CommandFactory;
use clap_mangen::Man;
use iriscan::data;

use crate::{
    args::{Cli, Shell},
    input::Trouble,
};

/// The version, and those of the data compiled in.
pub(crate) fn long_version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        format!(
            "{}\nUnicode {} (hosts by UTS #46, NFC, scripts)\nlink properties of UTS #58 of \
             {}\ntop-level domains {}",
            env!("CARGO_PKG_VERSION"),
            data::UNICODE,
            data::LINK,
            data::TLDS,
        )
    });
    &TEXT
}

/// Writes the manual page: one for all commands, so that one search finds all.
pub(crate) fn page() -> Result<ExitCode, Trouble> {
    let mut page = Vec::new();
    render(&mut page).map_err(Trouble::Output)?;
    put(&page)
}

fn render(out: &mut Vec<u8>) -> io::Result<()> {
    let mut whole = Cli::command();
    whole.build();
    let man = Man::new(whole.clone()).manual("User Commands");
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    let mut list = Vec::new();
    man.render_subcommands_section(&mut list)?;
    // One page has them all.
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
            // Names of warnings and schemes are not to be hyphenated.
            writeln!(section, ".SH NOTES\n.nh\n.ad l")?;
            for paragraph in notes.to_string().split("\n\n") {
                writeln!(section, ".PP\n{}", escaped(paragraph))?;
            }
            writeln!(section, ".hy\n.ad b")?;
        }
        // Sections of a command are parts of its section.
        let section = String::from_utf8_lossy(&section).replace("\n.SH ", "\n.SS ");
        let (preamble, section) = section.split_once(".SS DESCRIPTION\n").unwrap_or(("", &section));
        out.extend_from_slice([preamble, section].concat().as_bytes());
    }
    writeln!(out, ".SH VERSION\n.nf\n{}\n.fi", escaped(long_version()))
}

/// Text that roff shows as it is.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        // What would be a request.
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

/// Writes what completes command lines in `shell`.
pub(crate) fn completions(shell: Shell) -> Result<ExitCode, Trouble> {
    let shell = match shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
        Shell::Pwsh => clap_complete::Shell::PowerShell,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "iriscan", &mut script);
    put(&script)
}

fn put(bytes: &[u8]) -> Result<ExitCode, Trouble> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(Trouble::Output)?;
    Ok(ExitCode::SUCCESS)
}
