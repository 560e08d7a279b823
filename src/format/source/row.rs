//! What this format is: its row in the table of formats.

use super::{Joins, Source, brackets::Brackets, writer};
use crate::format::{
    any_lexer::AnyLexer,
    kinds::Format,
    row::{Clue, Division, Row, Start, begins},
};

/// What the rows have in common.
const fn row(format: Format, description: &'static str, reader: fn(Start<'_>) -> AnyLexer) -> Row {
    Row {
        division: Division::Apart,
        stays_divided: true,
        has_placeholders: true,
        ..Row::new(format, description, reader, &writer::Source)
    }
}

pub(in crate::format) static SOURCE: Row = Row {
    names: &["code", "source code", "rust", "shell"],
    extensions: &[
        "rs",
        "sh",
        "bash",
        "sql",
        "yaml",
        "yml",
        "toml",
        "ini",
        "conf",
        "cfg",
        "env",
        "properties",
        "zsh",
        "fish",
        "ps1",
        "bat",
        "cmake",
        "mk",
        "nix",
        "tf",
        "proto",
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
    ],
    media_types: &["text/yaml"],
    clues: &[Clue::Start(|head| has_interpreter(head) && !has_python(head))],
    has_media_type: |name| is_language(name, &["rust", "shellscript", "sh", "sql", "yaml"]),
    ..row(Format::Source, "Source code and configuration: text with the escapes of strings", |_| {
        AnyLexer::Source(Source::new(Joins::Never))
    })
};

pub(in crate::format) static C: Row = Row {
    names: &["c++", "objective-c"],
    extensions: &["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "m", "mm"],
    has_media_type: |name| is_language(name, &["c", "chdr", "c++", "c++hdr"]),
    ..row(Format::C, "C, C++, Objective-C: as source, with adjoining literals joined", |_| {
        AnyLexer::Source(Source::new(Joins::Adjoining))
    })
};

pub(in crate::format) static PYTHON: Row = Row {
    extensions: &["py", "pyi"],
    clues: &[Clue::Start(|head| has_interpreter(head) && has_python(head))],
    has_media_type: |name| is_language(name, &["python"]),
    // Brackets are counted from the start.
    division: Division::Never,
    ..row(Format::Python, "Python: as source, with literals joined that adjoin in brackets", |_| {
        AnyLexer::Source(Source::new(Joins::Bracketed(Brackets::NONE)))
    })
};

pub(in crate::format) static JAVA: Row = Row {
    names: &["javascript", "typescript", "php", "perl", "ruby", "kotlin", "csharp", "c#"],
    extensions: &[
        "java", "js", "ts", "go", "kt", "cs", "swift", "php", "rb", "pl", "lua", "dart", "scala",
        "kts", "groovy", "gradle", "fs", "mjs", "cjs", "jsx", "mts", "cts", "tsx", "pm",
    ],
    media_types: &["text/javascript"],
    clues: &[Clue::Start(|head| begins(head, "<?php"))],
    has_media_type: |name| {
        is_language(name, &["csharp", "go", "java", "java-source", "lua", "perl", "php", "ruby"])
    },
    ..row(
        Format::Java,
        "Java, JavaScript, PHP and others: as source, with literals joined by a sign",
        |_| AnyLexer::Source(Source::new(Joins::Signs)),
    )
};

/// True for the media type of one of these languages: `text/x-` and its name.
fn is_language(name: &str, known: &[&str]) -> bool {
    let Some(name) = name.strip_prefix("text/x-") else { return false };
    let name = name.strip_prefix("script.").unwrap_or(name);
    known.contains(&name) || known.contains(&name.trim_end_matches("src"))
}

/// True if the first line names the program that runs the file.
fn has_interpreter(head: &[u8]) -> bool {
    begins(head, "#!/") || begins(head, "#! /")
}

/// True if Python is in the first line.
fn has_python(head: &[u8]) -> bool {
    let line = head.split(|b| *b == b'\n').next().unwrap_or_default();
    memchr::memmem::find(line, b"python").is_some()
}
