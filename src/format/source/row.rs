//! What this format is: its row in the table of formats.

use super::{Joins, Source, brackets::Brackets, writer};
use crate::format::{
    kinds::Format,
    reader::Reader,
    row::{Division, Row, Start},
};

/// What the rows have in common.
const fn row(format: Format, description: &'static str, reader: fn(Start<'_>) -> Reader) -> Row {
    Row {
        division: Division::Apart,
        stays_divided: true,
        ..Row::new(format, description, reader, &writer::Source)
    }
}

pub(in crate::format) static SOURCE: Row = Row {
    names: &["code", "source code", "rust", "shell"],
    extensions: &[
        "rs",
        "zig",
        "d",
        "r",
        "jl",
        "hs",
        "ml",
        "ex",
        "exs",
        "erl",
        "clj",
        "el",
        "lisp",
        "nix",
        "sh",
        "bash",
        "zsh",
        "fish",
        "ps1",
        "bat",
        "sql",
        "cmake",
        "mk",
        "proto",
        "tf",
        "yaml",
        "yml",
        "toml",
        "ini",
        "cfg",
        "conf",
        "properties",
        "env",
    ],
    media_types: &["text/yaml"],
    has_media_type: |name| is_language(name, &["rust", "shellscript", "sh", "sql", "yaml"]),
    ..row(Format::Source, "Source code and configuration: text with the escapes of strings", |_| {
        Reader::Source(Source::new(Joins::Never))
    })
};

pub(in crate::format) static C: Row = Row {
    names: &["c++", "objective-c"],
    extensions: &["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "m", "mm"],
    has_media_type: |name| is_language(name, &["c", "chdr", "c++", "c++hdr"]),
    ..row(Format::C, "C, C++, Objective-C: as source, with adjoining literals joined", |_| {
        Reader::Source(Source::new(Joins::Adjoining))
    })
};

pub(in crate::format) static PYTHON: Row = Row {
    extensions: &["py", "pyi"],
    has_media_type: |name| is_language(name, &["python"]),
    // Brackets are counted from the start.
    division: Division::Never,
    ..row(Format::Python, "Python: as source, with literals joined that adjoin in brackets", |_| {
        Reader::Source(Source::new(Joins::Bracketed(Brackets::NONE)))
    })
};

pub(in crate::format) static JAVA: Row = Row {
    names: &["javascript", "typescript", "php", "perl", "ruby", "kotlin", "csharp", "c#"],
    extensions: &[
        "java", "kt", "kts", "scala", "groovy", "gradle", "cs", "fs", "swift", "dart", "go", "js",
        "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "rb", "php", "pl", "pm", "lua",
    ],
    media_types: &["text/javascript"],
    has_media_type: |name| {
        is_language(name, &["csharp", "go", "java", "java-source", "lua", "perl", "php", "ruby"])
    },
    ..row(
        Format::Java,
        "Java, JavaScript, PHP and others: as source, with literals joined by a sign",
        |_| Reader::Source(Source::new(Joins::Signs)),
    )
};

/// True for the media type of one of these languages: `text/x-` and its name.
fn is_language(name: &str, known: &[&str]) -> bool {
    let Some(name) = name.strip_prefix("text/x-") else { return false };
    let name = name.strip_prefix("script.").unwrap_or(name);
    known.contains(&name) || known.contains(&name.trim_end_matches("src"))
}
