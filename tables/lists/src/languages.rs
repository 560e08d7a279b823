//! The tables of docs/languages.md: what an option and a field of a link are called in each language.
//!
//! The rows are those of `Config::options` and `Field::ALL`. Whether a language has a name is read from the files
//! that define it there, so that a binding that lacks one is shown so.

use iriscan::{Config, Field};

use super::{List, options::camel};

/// What a table says where a language lacks something.
const NONE: &str = "–";

/// Options that the command calls otherwise, and those that only some of its commands have.
const COMMAND: &[(&str, &str)] = &[
    ("fields", "`--field`"),
    ("code", "`--no-code`"),
    ("to", "`rewrite --to`"),
    ("template", "`rewrite --replace`"),
    ("defang", "`rewrite --defang`"),
    ("identifiers", "`rewrite --identifiers`"),
    ("set", "`rewrite --set`"),
    ("path_prefix", "`rewrite --path-prefix`"),
    ("drop_query", "`rewrite --drop-query`"),
    ("unwrap", "`find --unwrap`"),
    ("nested", "`find --nested`"),
    ("elements", "always"),
];

/// The members of C's `iriscan_options` that have names of their own.
const MEMBERS: &[(&str, &str)] = &[("template", "template_text"), ("match", "r#match")];

/// The files that say what a language has.
pub(crate) struct Sources<'s> {
    pub(crate) c_options: &'s str,
    pub(crate) c_names: &'s str,
    pub(crate) stub: &'s str,
    pub(crate) types: &'s str,
}

/// Both tables.
pub(crate) fn lists(sources: &Sources<'_>) -> Vec<List> {
    let file = "docs/languages.md";
    let options = Config::options().iter().map(|option| {
        let name = option.name();
        let command = match find(COMMAND, name) {
            Some(flag) => flag.to_owned(),
            None => format!("`--{}`", name.replace('_', "-")),
        };
        row(&[code(name), command, code(name), code(&camel(name)), c_option(sources, name)])
    });
    let fields = Field::ALL.iter().map(|field| {
        let name = field.as_str();
        row(&[
            code(name),
            format!("`{{{name}}}`"),
            python_field(sources, name),
            script_field(sources, name),
            c_field(sources, name),
        ])
    });
    let head = ["Rust", "command", "Python, Spark", "JavaScript", "C"].map(str::to_owned);
    let head = vec![row(&head), row(&["---"; 5].map(str::to_owned))];
    let table = |rows: Vec<String>| {
        let blank = || [String::new()];
        blank().into_iter().chain(head.clone()).chain(rows).chain(blank()).collect()
    };
    vec![(file, "options", table(options.collect())), (file, "fields", table(fields.collect()))]
}

fn row(cells: &[String]) -> String {
    format!("| {} |", cells.join(" | "))
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

fn find<'n>(names: &[(&str, &'n str)], name: &str) -> Option<&'n str> {
    names.iter().find(|(known, _)| *known == name).map(|(_, other)| *other)
}

/// A member of `iriscan_options`, a flag of it, or the list of options by name.
fn c_option(sources: &Sources<'_>, name: &str) -> String {
    let member = find(MEMBERS, name).unwrap_or(name);
    if sources.c_options.contains(&format!("    pub {member}: ")) {
        return code(member.trim_start_matches("r#"));
    }
    let flag = sources.c_options.lines().find_map(|line| {
        let (flag, rest) = line.trim().strip_prefix('(')?.split_once(", ")?;
        rest.starts_with(&format!("\"{name}\", ")).then(|| code(flag))
    });
    flag.unwrap_or_else(|| "`more`".to_owned())
}

fn python_field(sources: &Sources<'_>, name: &str) -> String {
    let property = if name == "from" { "from_" } else { name };
    let start = sources.stub.find("\nclass Link:").expect("the stub should have links");
    let end = sources.stub[start..].find("\n@final").map_or(sources.stub.len(), |len| start + len);
    match sources.stub[start..end].contains(&format!("    def {property}(self) ->")) {
        true => code(property),
        false => NONE.to_owned(),
    }
}

fn script_field(sources: &Sources<'_>, name: &str) -> String {
    let property = camel(name);
    let interfaces = sources.types.split("export interface ").filter(|part| {
        let name = part.split([' ', '{']).next().unwrap_or_default();
        matches!(name, "Link" | "DetailedLink" | "MailLink")
    });
    let mut interfaces = interfaces.map(|part| part.split("\n}").next().unwrap_or_default());
    match interfaces.any(|part| part.contains(&format!("\n  {property}: "))) {
        true => code(&property),
        false => NONE.to_owned(),
    }
}

/// A number of a field, or a function.
fn c_field(sources: &Sources<'_>, name: &str) -> String {
    let number = format!("IRISCAN_FIELD_{}", name.to_uppercase());
    if sources.c_names.contains(&format!("pub const {number}: ")) {
        return code(&number);
    }
    match name {
        "kind" | "start" | "end" | "line" | "column" => format!("`iriscan_link_{name}`"),
        _ => NONE.to_owned(),
    }
}
