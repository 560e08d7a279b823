//! Help, the manual page, completions and versions, all of which come from one parser.

use std::{
    collections::BTreeSet,
    process::{Command, Stdio},
};

use iriscan::{Field, TemplatePart};

use crate::common::{Done, command, iriscan};

const COMMANDS: [&str; 8] =
    ["find", "rewrite", "convert", "check", "explain", "report", "man", "completions"];

fn printed(args: &str) -> String {
    String::from_utf8(iriscan(args, "").exits(0).quiet().stdout).unwrap()
}

#[test]
fn short_help_is_one_screen() {
    let commands = COMMANDS.map(|command| format!("{command} -h"));
    for args in commands.iter().map(String::as_str).chain(["-h"]) {
        let help = printed(args);
        let lines = help.lines().count();
        assert!(lines <= 24, "{args}: {lines} lines\n{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
        // No option takes two lines.
        let options = |line: &&str| line.trim_start().starts_with('-');
        let wrapped = |line: &&str| line.starts_with("          ");
        let help: Vec<&str> = help.lines().collect();
        assert!(help.iter().any(options) && !help.iter().any(wrapped), "{help:#?}");
    }
}

#[test]
fn what_short_help_leaves_out_is_in_long_help() {
    for command in COMMANDS {
        let long = printed(&format!("{command} --help"));
        assert_eq!(printed(&format!("help {command}")), long);
        assert!(long.lines().all(|line| line.chars().count() <= 80), "{long}");
        for option in options(&printed(&format!("{command} -h"))) {
            assert!(long.contains(option), "{option} in {long}");
        }
    }
    let long = printed("find --help");
    for word in ["--stats", "--files-from", "--offsets", "--jobs", "[default: auto]", "punycode:"] {
        assert!(long.contains(word) && !printed("find -h").contains(word), "{word}");
    }
}

/// Options are under headings that say what they are for; only `--help` is under none.
#[test]
fn long_help_has_headings_by_task() {
    let shared = ["What to search:", "What counts as a link:", "Which links:", "How to run:"];
    for (command, first) in
        [("find", "What to print:"), ("rewrite", "What to write:"), ("report", "What to write:")]
    {
        let help = printed(&format!("{command} --help"));
        let is_heading = |line: &&str| line.ends_with(':') && line.starts_with(|c| c != ' ');
        let headings: Vec<&str> = help.lines().filter(is_heading).collect();
        let wanted = ["Examples:", "Options:", first].into_iter().chain(shared);
        assert!(headings.iter().copied().eq(wanted), "{headings:?}");
        let of_none = &help[help.find("Options:").unwrap()..help.find(first).unwrap()];
        assert_eq!(options(of_none), ["--help"], "{of_none}");
        let page = printed("man");
        assert!(page.contains(&format!(".SS \"{}\"", first.trim_end_matches(':').to_uppercase())));
    }
    // What most people look for is in the short help.
    for (command, wanted) in [
        ("find", &["--print", "--csv", "--count-by", "--only-host", "--unwrap"][..]),
        ("rewrite", &["--in-place", "--replace", "--set", "--only-host"]),
    ] {
        let short = printed(&format!("{command} -h"));
        assert!(wanted.iter().all(|option| short.contains(option)), "{short}");
        assert!(!short.contains("\nWhat"), "{short}");
    }
}

#[test]
fn long_help_begins_with_examples() {
    for args in
        ["", "find ", "rewrite ", "convert ", "check ", "explain ", "report ", "completions "]
    {
        let help = printed(&format!("{args}--help"));
        let place = |word| help.find(word).unwrap_or_else(|| panic!("{word} in {help}"));
        assert!(place("Examples:\n") < place("Usage:"), "{help}");
        assert_eq!(help.matches("Examples:").count(), 1, "{help}");
        // Each option is on one line.
        let examples = help[place("Examples:\n")..place("\nUsage:")].trim_end().lines().skip(1);
        assert!(examples.into_iter().all(|line| line.contains("iriscan ")), "{help}");
    }
    for rare in ["--rules", "--max-len", "--field", "--nfc", "--query", "--host", "--ascii-only"] {
        assert!(printed("find --help").contains(rare) && !printed("find -h").contains(rare));
    }
}

/// The words of `help` that are options.
fn options(help: &str) -> Vec<&str> {
    help.lines()
        .filter_map(|line| line.trim_start().strip_prefix('-').map(|_| line.trim_start()))
        .flat_map(|line| line.split([' ', ',', '=', '[']))
        .filter(|word| word.starts_with("--"))
        .collect()
}

#[test]
fn the_manual_has_every_command_and_option() {
    let page = printed("man");
    let plain = page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "");
    assert!(plain.contains(".TH iriscan 1"), "{plain}");
    for command in COMMANDS {
        let title = format!("\n.SH \"IRISCAN {}\"\n", command.to_uppercase());
        let section = plain.split(&title).nth(1).unwrap_or_else(|| panic!("{title} in {plain}"));
        let section = section.split("\n.SH ").next().unwrap();
        for option in options(&printed(&format!("{command} --help"))) {
            assert!(section.contains(option), "{option} of {command} in {section}");
        }
    }
    assert!(plain.contains("iriscan find --charset koi8-r a.txt"), "{plain}");
    assert!(plain.contains("Unicode 1"), "{plain}");
}

/// The words of a help text or of the manual that look like fields of a template.
fn fields(text: &str) -> BTreeSet<String> {
    let ends = text.match_indices('{').filter_map(|(at, _)| {
        let name = &text[at + 1..at + 1 + text[at + 1..].find('}')?];
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        is_name.then(|| name.to_owned())
    });
    ends.collect()
}

/// The part of a help text that is about an option.
fn about<'h>(help: &'h str, option: &str) -> &'h str {
    let start = help.find(&format!("--{option} <")).unwrap_or_else(|| panic!("{option}: {help}"));
    let rest = &help[start..];
    &rest[..rest.find("\n      --").unwrap_or(rest.len())]
}

/// Help names all fields that a template takes and no other, and all escapes.
#[test]
fn help_of_templates_names_the_fields_and_escapes() {
    let names = |all: &[Field]| all.iter().map(|field| field.as_str().to_owned()).collect();
    let every: BTreeSet<String> = names(Field::ALL);
    let taken = |field: &&Field| iriscan::Template::new(&format!("{{{}}}", field.as_str())).is_ok();
    let of_links: Vec<Field> = Field::ALL.iter().filter(taken).copied().collect();
    assert!(of_links.len() < every.len() && of_links.contains(&Field::N));
    let of_links: BTreeSet<String> = names(&of_links);
    for columns in ["80", "60", "40", "73"] {
        let help = |args: &str| {
            let mut command = command(args.split(' '));
            command.env("COLUMNS", columns);
            String::from_utf8(Done::of(command, b"").exits(0).quiet().stdout).unwrap()
        };
        let find = help("find --help");
        assert_eq!(fields(about(&find, "print")), every, "{find}");
        assert_eq!(fields(about(&help("rewrite --help"), "replace")), of_links);
        assert!(about(&find, "print").contains("{n} counts") || columns != "80", "{find}");
        for name in
            ["find", "rewrite", "convert", "check", "explain", "report", "pick", "completions"]
        {
            let text = help(&format!("{name} --help"));
            assert!(!text.contains(r"\\t") && !text.contains(['\u{E000}', '\u{E001}']), "{text}");
        }
    }
    let print = printed("find --help");
    let print = about(&print, "print");
    for (escape, value) in [(r"\t", "\t"), (r"\n", "\n"), (r"\0", "\0"), (r"\\", "\\")] {
        assert!(print.contains(&format!("{escape} ")) || print.contains(&format!("{escape}\n")));
        let template = iriscan::Template::for_lists(escape).unwrap();
        assert_eq!(template.parts().next(), Some(TemplatePart::Text(value)));
    }
    // No other letter is an escape.
    for byte in (b' '..=b'~').filter(|byte| !b"tn0\\".contains(byte)) {
        let escape = format!("\\{}", char::from(byte));
        let template = iriscan::Template::for_lists(&escape);
        let stays =
            template.is_ok_and(|t| t.parts().all(|part| part == TemplatePart::Text(&escape)));
        assert!(stays || iriscan::Template::for_lists(&escape).is_err(), "{escape}");
    }
    let page = printed("man").replace("\\-", "-").replace("\\fB", "").replace("\\fR", "");
    assert!(page.contains("{n} counts from 1") && fields(&page).is_superset(&every), "{page}");
    assert!(!page.contains(['\u{E000}', '\u{E001}']));
}

/// True if a program of this name is installed.
fn is_there(program: &str) -> bool {
    let quiet = |program: &str| {
        let mut command = Command::new(program);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status()
    };
    quiet(program).is_ok()
}

#[test]
fn the_manual_is_roff_without_faults() {
    if !is_there("groff") {
        return;
    }
    let page = iriscan("man", "").stdout;
    let mut groff = Command::new("groff");
    groff.args(["-man", "-Kutf8", "-Tutf8", "-ww", "-wbreak"]);
    let done = Done::of(groff, &page).exits(0);
    assert!(!done.stderr.contains("macro"), "{}", done.stderr);
    assert!(String::from_utf8_lossy(&done.stdout).contains("http://bücher.example/ü"));
}

#[test]
fn completions_know_commands_options_and_values() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = printed(&format!("completions {shell}"));
        for word in COMMANDS {
            assert!(script.contains(word), "{word} for {shell}");
        }
        for word in ["offsets", "charset", "even-signed"] {
            assert!(script.contains(word), "{word} for {shell}");
        }
        // clap_complete has no values for PowerShell.
        for word in ["punycode", "utf16", "iri-reference"].iter().filter(|_| shell != "powershell")
        {
            assert!(script.contains(word), "{word} for {shell}");
        }
        if ["bash", "zsh", "fish"].contains(&shell) && is_there(shell) {
            let mut check = Command::new(shell);
            check.arg("-n");
            Done::of(check, script.as_bytes()).exits(0).quiet();
        }
    }
}

/// Command lines, and the words that complete their last word. `…` means that there may be
/// more.
const COMPLETED: [(&str, &str); 14] = [
    ("find --kin", "--kinds"),
    ("find --kinds ", "iri bare email ip"),
    ("find --kinds iri,", "iri,bare iri,email iri,ip"),
    ("find --kinds iri,bare,e", "iri,bare,email"),
    ("rewrite --kinds b", "bare"),
    ("find --offsets bytes,ch", "bytes,chars"),
    ("find --charset koi8-", "koi8-r koi8-u"),
    ("find --charset a", "auto"),
    ("report --charset shift", "shift_jis"),
    ("convert --charset a", ""),
    ("convert --charset utf-32", "utf-32le utf-32be"),
    ("find --schemes a", "any …"),
    ("find --schemes http,goph", "http,gopher http,gophers"),
    ("find --color al", "always"),
];

#[test]
fn bash_completes_by_the_script() {
    if !is_there("bash") {
        return;
    }
    let script = printed("completions bash");
    assert!(script.contains("complete -F _iriscan_words "), "{script}");
    let complete = |words: &str, last: &str| {
        let count = words.split_whitespace().count();
        let previous = words.split_whitespace().last().unwrap();
        // In an empty folder, because file names are offered if there is nothing else.
        let ask = format!(
            "\nCOMP_WORDS=(iriscan {words} {last}); COMP_CWORD={}\n\
             _iriscan_words iriscan '{last}' '{previous}'; echo \"${{COMPREPLY[@]}}\"\n",
            count + 1
        );
        let done = Done::of(Command::new("bash"), [&script, &*ask].concat().as_bytes());
        String::from_utf8(done.exits(0).quiet().stdout).unwrap()
    };
    for (line, expected) in COMPLETED {
        let (words, last) = line.rsplit_once(' ').unwrap();
        let completed = complete(words, last);
        match expected.strip_suffix(" …") {
            Some(some) => assert!(completed.starts_with(some), "{line}: {completed}"),
            None => assert_eq!(completed.trim_end(), expected, "{line}"),
        }
    }
    // For bash, `=` is a word of its own.
    assert_eq!(complete("find --kinds =", "iri,e"), "iri,email\n");
    // File names come from bash; options are offered after a hyphen.
    assert_eq!(complete("find", ""), "\n");
    assert!(complete("find", "-").starts_with("-0 "));
    assert_eq!(complete("completions", ""), "bash zsh fish powershell\n");
}

#[test]
fn fish_completes_by_the_script() {
    if !is_there("fish") {
        return;
    }
    let script = printed("completions fish");
    for (line, expected) in COMPLETED {
        let ask = format!("\ncomplete -C 'iriscan {line}'\n");
        let mut fish = Command::new("fish");
        fish.arg("--no-config").env("HOME", "/nonexistent");
        let done = Done::of(fish, [&script, &*ask].concat().as_bytes()).exits(0);
        let completed = String::from_utf8(done.stdout).unwrap();
        let words: Vec<&str> = completed.lines().filter_map(|l| l.split('\t').next()).collect();
        for word in expected.split(' ').filter(|word| !word.is_empty() && *word != "…") {
            assert!(words.contains(&word), "{line}: {completed}");
        }
    }
}

/// zsh completes only on a terminal, so its script is read here.
#[test]
fn zsh_is_told_of_lists_and_charsets() {
    let script = printed("completions zsh");
    for words in [":_values -s , kinds iri bare email ip'", ":_values -s , schemes common any "] {
        assert!(script.contains(words), "{words} in {script}");
    }
    assert!(
        script.contains(":LABEL:(auto utf-8 ") && script.contains(":LABEL:(utf-8 "),
        "{script}"
    );
    // No option with a list is completed as if it had one value.
    assert!(!script.contains(":KINDS:("), "{script}");
}

#[test]
fn the_manual_has_exit_status_and_environment() {
    let page = printed("man").replace("\\-", "-");
    for words in [
        "\n.SH \"EXIT STATUS\"\n.TP\n\\fB0\\fR\n",
        "\n.SH \"ENVIRONMENT\"\n",
        "\\fBNO_COLOR\\fR",
        "\\fBTERM\\fR",
        "\\fBCOLUMNS\\fR",
        "\\fBCLICOLOR, CLICOLOR_FORCE\\fR",
        "\\fBHOME, XDG_CONFIG_HOME\\fR",
    ] {
        assert!(page.contains(words), "{words} in {page}");
    }
}

/// As the manual says, git's own list of ignored files counts in its repositories.
#[test]
fn the_configuration_of_git_is_honoured() {
    let dir = tempfile::tempdir().unwrap();
    for folder in ["git", "tree/.git"] {
        std::fs::create_dir_all(dir.path().join(folder)).unwrap();
    }
    std::fs::write(dir.path().join("git/ignore"), "b\n").unwrap();
    for name in ["a", "b"] {
        std::fs::write(dir.path().join("tree").join(name), "http://e.org/").unwrap();
    }
    for (args, links) in [
        ("find tree", "tree/a:http://e.org/\n"),
        ("find -I --no-ignore tree", "http://e.org/\nhttp://e.org/\n"),
    ] {
        let mut find = command(args.split(' '));
        find.current_dir(dir.path()).env("HOME", dir.path()).env("XDG_CONFIG_HOME", dir.path());
        Done::of(find, b"").exits(0).quiet().writes(links);
    }
}

#[test]
fn the_long_version_names_the_data() {
    let version = printed("--version");
    let lines: Vec<&str> = version.lines().collect();
    let [first, unicode, link, tlds] = lines[..] else { panic!("{version}") };
    assert_eq!(first, format!("iriscan {}", env!("CARGO_PKG_VERSION")));
    assert!(unicode.starts_with("Unicode 1"), "{version}");
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../data");
    let list = std::fs::read_to_string(format!("{root}/tlds-alpha-by-domain.txt")).unwrap();
    let number = tlds.strip_prefix("top-level domains ").unwrap();
    assert!(list.starts_with(&format!("# Version {number},")), "{version}");
    let day = link.strip_prefix("link properties of UTS #58 of ").unwrap();
    let newest = std::fs::read_to_string(format!("{root}/uts58/LinkEmail.txt")).unwrap();
    assert!(newest.contains(&format!("# Date: {day}")), "{version}");
}
