//! `iriscan completions`: writes the script that completes command lines in a shell.
//!
//! What must hold: all names in the script are those of the command-line parser.

use std::{collections::BTreeMap, process::ExitCode};

use clap::{
    CommandFactory, ValueHint,
    builder::{PossibleValuesParser, Resettable},
};
use iriscan::Schemes;

use super::put;
use crate::{
    args::{Cli, completions::ShellArg},
    messages::trouble::Trouble,
};

/// The names of charsets that `--charset` takes.
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

/// The options whose value is a list with commas.
const LISTS: [&str; 3] = ["kinds", "offsets", "schemes"];

/// The parser with every value that completions offer, and the names for each list.
fn completed() -> (clap::Command, BTreeMap<String, Vec<String>>) {
    // The parser wants words that live as long as the program, which ends soon.
    let common: &str = Schemes::Common.to_string().leak();
    let schemes: Vec<&str> = ["common", "any"].into_iter().chain(common.split(' ')).collect();
    let mut lists = BTreeMap::new();
    let whole = Cli::command().mut_subcommands(|command| {
        // `convert` has no `auto`, because the charset of lines is not detected.
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
            // Without help texts, the scripts have a list in a simple form, which is replaced
            // below.
            let values = arg.get_possible_values();
            let names = values.iter().map(|value| value.get_name().to_owned()).collect();
            lists.insert(name, names);
            let bare = values.into_iter().map(|value| value.help(Resettable::Reset));
            arg.value_parser(PossibleValuesParser::new(bare))
        })
    });
    (whole, lists)
}

/// For bash: completes names in a list, and values after `=`. Offers options after a hyphen,
/// and names of files before one.
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

/// Writes the script for `shell`.
pub(crate) fn run(shell: ShellArg) -> Result<ExitCode, Trouble> {
    let generator = match shell {
        ShellArg::Bash => clap_complete::Shell::Bash,
        ShellArg::Zsh => clap_complete::Shell::Zsh,
        ShellArg::Fish => clap_complete::Shell::Fish,
        ShellArg::Pwsh => clap_complete::Shell::PowerShell,
    };
    let (mut whole, lists) = completed();
    let mut script = Vec::new();
    clap_complete::generate(generator, &mut whole, "iriscan", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    // clap_complete completes one value for each option, not a list.
    for (option, names) in &lists {
        let words = names.join(" ");
        let (from, to) = match shell {
            ShellArg::Bash => (
                format!("COMPREPLY=($(compgen -W \"{words}\" -- \"${{cur}}\"))"),
                format!(
                    "compopt -o nospace 2>/dev/null\n                    \
                     COMPREPLY=($(_iriscan_list \"{words}\" \"${{cur}}\"))"
                ),
            ),
            ShellArg::Zsh => (format!(":({words})'"), format!(":_values -s , {option} {words}'")),
            ShellArg::Fish => (
                format!("-a \"{}\\t''\"", names.join("\\t''\n")),
                format!("-a \"(__fish_append , {words})\""),
            ),
            ShellArg::Pwsh => continue,
        };
        script = script.replace(&from, &to);
    }
    if let ShellArg::Bash = shell {
        let at = script.find("\nif [[").map_or(script.len(), |at| at + 1);
        let rest = script.split_off(at);
        script += BASH.trim_start();
        script += &rest.replace(" -F _iriscan ", " -F _iriscan_words ");
    }
    put(script.as_bytes()).map(|()| ExitCode::SUCCESS)
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
