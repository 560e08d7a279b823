//! `iriscan man`, `iriscan completions`, `iriscan --version`.
//!
//! Knows the parser (args.rs), and says nothing that does not stand there.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    process::ExitCode,
    sync::LazyLock,
};

use clap::{
    CommandFactory, ValueHint,
    builder::{PossibleValuesParser, Resettable},
};
use clap_mangen::Man;
use iriscan::{Schemes, data};

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

/// The names of charsets, as `--charset` takes them.
const CHARSETS: [&str; 41] = [
    "utf-8",
    "utf-16le",
    "utf-16be",
    "utf-32le",
    "utf-32be",
    "big5",
    "euc-jp",
    "euc-kr",
    "gb18030",
    "gbk",
    "ibm866",
    "iso-2022-jp",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "shift_jis",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "x-user-defined",
];

/// Options whose value is a list with commas.
const LISTS: [&str; 3] = ["kinds", "offsets", "schemes"];

/// The parser, with every value that completions offer, and the names of each list.
fn completed() -> (clap::Command, BTreeMap<String, Vec<String>>) {
    // The parser takes words that last as long as the program, which ends with this.
    let common: &str = Schemes::Common.to_string().leak();
    let schemes: Vec<&str> = ["common", "any"].into_iter().chain(common.split(' ')).collect();
    let mut lists = BTreeMap::new();
    let whole = Cli::command().mut_subcommands(|command| {
        // Lines have no charset that could be found out.
        let skipped = usize::from(command.get_name() == "convert");
        command.mut_args(|arg| {
            let charsets = ["auto"].iter().chain(&CHARSETS).skip(skipped);
            let arg = match arg.get_id().as_str() {
                "charset" => arg.value_parser(PossibleValuesParser::new(charsets)),
                "schemes" => arg.value_parser(PossibleValuesParser::new(schemes.iter().copied())),
                "files_from" | "output" => arg.value_hint(ValueHint::FilePath),
                _ => arg,
            };
            let name = arg.get_id().to_string();
            if !LISTS.contains(&&*name) {
                return arg;
            }
            // Without help, what each shell writes of a list is the same but for its names.
            let values = arg.get_possible_values();
            let names = values.iter().map(|value| value.get_name().to_owned()).collect();
            lists.insert(name, names);
            let bare = values.into_iter().map(|value| value.help(Resettable::Reset));
            arg.value_parser(PossibleValuesParser::new(bare))
        })
    });
    (whole, lists)
}

/// Completes names in a list, and values after `=`; offers options once a hyphen is typed,
/// and names of files before.
const BASH: &str = r#"
# The names that can follow in a list with commas: those that it has are left out.
_iriscan_list() {
    local head="" name
    if [[ "$2" == *,* ]]; then
        head="${2%,*},"
    fi
    for name in $1; do
        if [[ ",${head}" != *",${name},"* && "${name}" == "${2##*,}"* ]]; then
            echo "${head}${name}"
        fi
    done
}

_iriscan_words() {
    local word words=()
    # The `=` of --option=value is a word of its own.
    if [[ "$3" == "=" ]]; then
        _iriscan "$1" "$2" "${COMP_WORDS[COMP_CWORD-2]}"
    else
        _iriscan "$@"
    fi
    # Before a hyphen is typed, no options are offered.
    if [[ -z "$2" ]]; then
        for word in "${COMPREPLY[@]}"; do
            if [[ "${word}" != -* ]]; then
                words+=("${word}")
            fi
        done
        COMPREPLY=("${words[@]}")
    fi
}

"#;

/// Writes what completes command lines in `shell`.
pub(crate) fn completions(shell: Shell) -> Result<ExitCode, Trouble> {
    let generator = match shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
        Shell::Pwsh => clap_complete::Shell::PowerShell,
    };
    let (mut whole, lists) = completed();
    let mut script = Vec::new();
    clap_complete::generate(generator, &mut whole, "iriscan", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    // clap_complete has one value for each option.
    for (option, names) in &lists {
        let words = names.join(" ");
        let (from, to) = match shell {
            Shell::Bash => (
                format!("COMPREPLY=($(compgen -W \"{words}\" -- \"${{cur}}\"))"),
                format!(
                    "compopt -o nospace 2>/dev/null\n                    \
                     COMPREPLY=($(_iriscan_list \"{words}\" \"${{cur}}\"))"
                ),
            ),
            Shell::Zsh => (format!(":({words})'"), format!(":_values -s , {option} {words}'")),
            Shell::Fish => (
                format!("-a \"{}\\t''\"", names.join("\\t''\n")),
                format!("-a \"(__fish_append , {words})\""),
            ),
            Shell::Pwsh => continue,
        };
        script = script.replace(&from, &to);
    }
    if let Shell::Bash = shell {
        let at = script.find("\nif [[").map_or(script.len(), |at| at + 1);
        let rest = script.split_off(at);
        script += BASH.trim_start();
        script += &rest.replace(" -F _iriscan ", " -F _iriscan_words ");
    }
    put(script.as_bytes())
}

fn put(bytes: &[u8]) -> Result<ExitCode, Trouble> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(Trouble::Output)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use iriscan::Charset;

    use super::*;

    #[test]
    fn charsets_are_offered_by_their_own_names() {
        let names = CHARSETS.map(|name| {
            let charset = Charset::for_label(name).expect("a label");
            assert!(charset.name().eq_ignore_ascii_case(name), "{name}");
            charset.name()
        });
        assert_eq!(BTreeSet::from(names).len(), CHARSETS.len());
    }
}
