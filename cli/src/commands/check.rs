//! `iriscan check`: validates references and explains them, one line for each.

use std::{borrow::Cow, io::Write, process::ExitCode};

use iriscan::{
    Charset, Warning,
    reference::{Component, Components, Reference},
};
use serde_json::{Map, Value};

use crate::{
    args::check::CheckArgs,
    inputs::references,
    messages::{text::shown, trouble::Trouble},
    printers::json,
};

pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode, Trouble> {
    let mut invalid = false;
    references::say_if_file(&args.references, "check", "checked as a reference");
    let whole = references::each(&args.references, Charset::UTF_8, |_, bytes, _, out| {
        let verdict = Verdict::of(bytes, args);
        invalid |= verdict.error.is_some();
        if args.json {
            json::write_line(out, &verdict.record())
        } else {
            writeln!(out, "{}", verdict.line())
        }
    })?;
    Ok(ExitCode::from(match (whole, invalid) {
        (false, _) => 2,
        (true, invalid) => u8::from(invalid),
    }))
}

/// The result for one reference.
struct Verdict<'b> {
    bytes: &'b [u8],
    /// `None` if it is not UTF-8.
    text: Option<&'b str>,
    /// The byte where it is wrong, and why.
    error: Option<(usize, String)>,
    warnings: Vec<Warning>,
}

impl<'b> Verdict<'b> {
    fn of(bytes: &'b [u8], args: &CheckArgs) -> Verdict<'b> {
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let error = Reference::parse(text, args.kind.into()).err();
                Verdict {
                    bytes,
                    text: Some(text),
                    error: error.map(|e| (e.offset(), e.reason().to_string())),
                    warnings: Components::split(text).warnings(),
                }
            }
            Err(e) => {
                let reason =
                    "not UTF-8; `iriscan convert --charset LABEL --to iri` makes it so".into();
                let error = Some((e.valid_up_to(), reason));
                Verdict { bytes, text: None, error, warnings: Vec::new() }
            }
        }
    }

    fn record(&self) -> Value {
        let mut record = Map::new();
        match self.text {
            Some(text) => record.insert("input".into(), text.into()),
            None => record.insert("input_bytes".into(), json::bytes(self.bytes).into()),
        };
        record.insert("valid".into(), self.error.is_none().into());
        let error = self.error.as_ref();
        let error = error
            .map(|(offset, message)| serde_json::json!({ "offset": offset, "message": message }));
        record.insert("error".into(), error.into());
        let parts = Components::split(self.text.unwrap_or_default());
        let component = |component| parts.range(component).map(|range| &parts.as_str()[range]);
        let components: Map<String, Value> = Component::ALL
            .iter()
            .filter(|&&which| which != Component::Authority)
            .map(|&which| (which.as_str().to_owned(), component(which).into()))
            .collect();
        record.insert("components".into(), components.into());
        record.insert("warnings".into(), json::names(&self.warnings));
        record.into()
    }

    /// One line for people: the reference, the verdict, the warnings.
    fn line(&self) -> String {
        let text: Cow<'_, str> = match self.text {
            Some(text) => text.into(),
            None => String::from_utf8_lossy(self.bytes),
        };
        let mut line = shown(&text);
        match &self.error {
            None => line.push_str(": valid"),
            Some((offset, reason)) => line.push_str(&format!(": invalid: byte {offset}: {reason}")),
        }
        if !self.warnings.is_empty() {
            let names: Vec<_> = self.warnings.iter().map(|w| w.as_str()).collect();
            line.push_str(&format!("; warnings: {}", names.join(", ")));
        }
        line
    }
}
