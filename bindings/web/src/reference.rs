//! Whole references: conversion, normalization, resolution, validation.

use iriscan::reference::{self, Components, Grammar, IriOptions, Level, Reference, UriOptions};

use crate::{
    json::Object,
    options::{charset, strings, value},
};

/// A function of its arguments and of options, which are names and values.
type Function = fn(&[&str], &[(&str, &str)]) -> Result<String, String>;

/// Runs the function with this number on the strings of `input`: its arguments, and then names and
/// values of options by turns. `Err` is a message; that of an option starts with its name and a
/// colon.
pub(crate) fn run(function: u32, input: &[u8]) -> Result<String, String> {
    let strings = strings(input);
    let (count, work): (_, Function) = match function {
        0 => (1, to_uri),
        1 => (1, to_iri),
        2 => (1, normalize),
        3 => (2, resolve),
        4 => (1, |given, _| Ok(iriscan::reference::to_text(given[0]))),
        5 => (1, check),
        6 => (2, equivalent),
        _ => return Err(format!("there is no function {function}")),
    };
    let Some((given, options)) = strings.split_at_checked(count) else {
        return Err("an argument is missing".into());
    };
    let options: Vec<_> = options.chunks_exact(2).map(|two| (two[0], two[1])).collect();
    work(given, &options)
}

/// A message about a reference; it has no name of an option before it.
fn bad(e: impl std::fmt::Display) -> String {
    format!("\u{0}{e}")
}

fn to_uri(given: &[&str], options: &[(&str, &str)]) -> Result<String, String> {
    let mut made = UriOptions::new();
    for &(name, word) in options {
        made = match name {
            "host" => made.host(value(name, word)?),
            "nfc" => made.nfc(value(name, word)?),
            "disallowed" => made.disallowed(value(name, word)?),
            "charset" => made.charset(charset(name, word)?),
            "query" => made.query(value(name, word)?),
            _ => made,
        };
    }
    Ok(made.to_uri(given[0]).map_err(bad)?.into_owned())
}

fn to_iri(given: &[&str], options: &[(&str, &str)]) -> Result<String, String> {
    let mut made = IriOptions::new();
    for &(name, word) in options {
        made = match name {
            "host" => made.host(value(name, word)?),
            "private" => made.private_use(value(name, word)?),
            "inadvisable" => made.inadvisable(value(name, word)?),
            "escapes" => made.escapes(Some(charset(name, word)?)),
            _ => made,
        };
    }
    Ok(made.to_iri(given[0]).into_owned())
}

/// The level that the options name.
fn level(options: &[(&str, &str)]) -> Result<Level, String> {
    let level = options.iter().rfind(|(name, _)| *name == "level").map_or("syntax", |two| two.1);
    value("level", level)
}

fn normalize(given: &[&str], options: &[(&str, &str)]) -> Result<String, String> {
    let level = level(options)?;
    let reference = Reference::parse(given[0], Grammar::IriReference).map_err(bad)?;
    Ok(reference.normalize(level).into_owned())
}

/// Writes `true` or `false`.
fn equivalent(given: &[&str], options: &[(&str, &str)]) -> Result<String, String> {
    let level = level(options)?;
    let a = Reference::parse(given[0], Grammar::IriReference).map_err(bad)?;
    let b = Reference::parse(given[1], Grammar::IriReference).map_err(bad)?;
    Ok(reference::equivalent(&a, &b, level).to_string())
}

fn resolve(given: &[&str], _: &[(&str, &str)]) -> Result<String, String> {
    let base = Reference::parse(given[0], Grammar::IriReference)
        .map_err(|e| bad(format_args!("base: {e}")))?;
    let reference = Reference::parse(given[1], Grammar::IriReference).map_err(bad)?;
    reference.resolve(&base).map_err(bad)
}

fn check(given: &[&str], options: &[(&str, &str)]) -> Result<String, String> {
    let kind =
        options.iter().rfind(|(name, _)| *name == "kind").map_or("iri-reference", |two| two.1);
    let grammar: Grammar = value("kind", kind)?;
    let text = given[0];
    let error = Reference::parse(text, grammar).err();
    let parts = Components::split(text);
    let mut out = Vec::new();
    let mut object = Object::new(&mut out);
    let before = |e: &iriscan::reference::SyntaxError| &text[..e.offset()];
    let offset = error.as_ref().map(|e| before(e).encode_utf16().count().to_string());
    object.raw("valid", if error.is_none() { "true" } else { "false" });
    object.raw("offset", offset.as_deref().unwrap_or("null"));
    object.option("message", error.map(|e| e.reason().to_string()).as_deref());
    object.option("scheme", parts.scheme());
    object.option("userinfo", parts.userinfo());
    object.option("host", parts.host());
    object.option("port", parts.port());
    object.text("path", parts.path());
    object.option("query", parts.query());
    object.option("fragment", parts.fragment());
    let warnings: Vec<String> = parts.warnings().iter().map(ToString::to_string).collect();
    object.list("warnings", warnings.iter().map(String::as_str));
    // Each is a space or not ASCII, so nothing in it needs an escape.
    let (mut counted, mut offset) = (0, 0);
    let record = |(at, c): (usize, char)| {
        offset += text[counted..at].encode_utf16().count();
        counted = at;
        format!("{{\"offset\":{offset},\"character\":\"{c}\"}}")
    };
    let inadvisable: Vec<String> = parts.inadvisable().into_iter().map(record).collect();
    object.raw("inadvisable", &["[", &inadvisable.join(","), "]"].concat());
    object.end();
    String::from_utf8(out).map_err(bad)
}
