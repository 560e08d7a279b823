//! Writes `include/iriscan.h`, or with `--check` fails if it is not current.

use std::{fs, path::Path, process::ExitCode};

const VERSION: &str = include_str!("../../../Cargo.toml");

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it should have a parent");
    let version = VERSION.split('"').nth(version_at()).expect("there should be a version");
    let mut config = cbindgen::Config::from_file(folder.join("cbindgen.toml"))
        .expect("cbindgen.toml should be valid");
    let define =
        format!("\n/** The version of this header. */\n#define IRISCAN_VERSION \"{version}\"");
    config.after_includes = Some(define);
    // File by file, in the order of the reader; with_crate would ask cargo for all dependencies.
    let files = [
        "status",
        "names",
        "options",
        "finder",
        "link",
        "list",
        "iter",
        "scanner",
        "mail",
        "rewrite",
        "buffer",
        "document",
        "reference",
    ];
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in files {
        builder = builder.with_src(folder.join(format!("src/{file}.rs")));
    }
    let header = builder.generate().expect("the sources should be readable");
    let mut text = Vec::new();
    header.write(&mut text);
    let text = plain(&String::from_utf8(text).expect("the header should be UTF-8"));
    let path = folder.join("include/iriscan.h");
    if std::env::args().any(|word| word == "--check") {
        if fs::read_to_string(&path).unwrap_or_default() != text {
            eprintln!("{} is not current; run bindings/c/check --header", path.display());
            return ExitCode::FAILURE;
        }
    } else {
        fs::write(&path, &text).expect("the header should be writable");
    }
    ExitCode::SUCCESS
}

/// Which of the pieces between quotes in Cargo.toml is the version.
fn version_at() -> usize {
    let before = VERSION.split("\nversion = ").next().unwrap_or_default();
    before.matches('"').count() + 1
}

/// Puts negative constants between parentheses, and makes comments that C89 knows.
fn plain(header: &str) -> String {
    let lines = header.lines().map(|line| match (line.split_once(" -"), line.split_once("// ")) {
        (Some((name, number)), _) if line.starts_with("#define ") => {
            format!("{name} (-{number})\n")
        }
        (_, Some((code, comment))) if line.starts_with("#endif ") || line.starts_with('}') => {
            format!("{code}/* {comment} */\n")
        }
        _ => format!("{line}\n"),
    });
    lines.collect()
}
