//! `iriscan check`: validates references and explains them, one line for each; or says whether two are the same.

use std::{
    borrow::Cow,
    io::{Write, stdout},
    process::ExitCode,
};

use iriscan::{
    Charset, Warning,
    reference::{Component, Components, Level, Reference, equivalent},
};
use serde_json::{Map, Value};

use crate::{
    args::check::{CheckArgs, LADDER},
    inputs::references,
    messages::{text::shown, trouble::Trouble},
    printers::json,
};

pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode, Trouble> {
    if let Some(level) = args.same {
        return same(args, level);
    }
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

/// The name of the warning that only `--inadvisable` gives.
const INADVISABLE: &str = "inadvisable";

fn code_point(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

/// Says whether two references are the same at `level`, and from which level on they are.
fn same(args: &CheckArgs, level: Level) -> Result<ExitCode, Trouble> {
    let [a, b] = args.references.as_slice() else {
        let count = args.references.len();
        return Err(Trouble::Usage(format!(
            "--same compares two references, and here are {count}; give both as arguments"
        )));
    };
    let (a, b) = (a.to_string_lossy(), b.to_string_lossy());
    let parsed = |text| {
        Reference::parse(text, args.kind.into()).map_err(|e| {
            Trouble::Usage(format!("{}: byte {}: {}", shown(text), e.offset(), e.reason()))
        })
    };
    let (a, b) = (parsed(&a)?, parsed(&b)?);
    let is_same = equivalent(&a, &b, level);
    let most = level.max(Level::Idn);
    let first = LADDER.into_iter().find(|it| *it <= most && equivalent(&a, &b, *it));
    let mut out = stdout().lock();
    let written = match first {
        _ if args.json => {
            let first = first.map(Level::as_str);
            let record =
                serde_json::json!({ "same": is_same, "level": level.as_str(), "from": first });
            json::write_line(&mut out, &record)
        }
        Some(first) if is_same => writeln!(out, "same: from level {first} on"),
        Some(first) => writeln!(out, "different: at level {level}; same from level {first} on"),
        None => writeln!(out, "different: at each level up to {}", most),
    };
    written.and_then(|()| out.flush()).map_err(Trouble::Output)?;
    Ok(ExitCode::from(u8::from(!is_same)))
}

/// The result for one reference.
struct Verdict<'b> {
    bytes: &'b [u8],
    /// `None` if it is not UTF-8.
    text: Option<&'b str>,
    /// The byte where it is wrong, and why.
    error: Option<(usize, String)>,
    warnings: Vec<Warning>,
    /// With their offsets; `None` if nobody asked.
    inadvisable: Option<Vec<(usize, char)>>,
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
                    inadvisable: args.inadvisable.then(|| Components::split(text).inadvisable()),
                }
            }
            Err(e) => {
                let reason =
                    "not UTF-8; `iriscan convert --charset LABEL --to iri` makes it so".into();
                let error = Some((e.valid_up_to(), reason));
                Verdict { bytes, text: None, error, warnings: Vec::new(), inadvisable: None }
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
        let mut warnings = json::names(&self.warnings);
        if let (Some(found), Value::Array(names)) = (&self.inadvisable, &mut warnings) {
            names.extend((!found.is_empty()).then(|| INADVISABLE.into()));
        }
        record.insert("warnings".into(), warnings);
        if let Some(found) = &self.inadvisable {
            let one = |(offset, c): &(usize, char)| serde_json::json!({ "offset": offset, "character": c, "code_point": code_point(*c) });
            record.insert(INADVISABLE.into(), found.iter().map(one).collect());
        }
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
        let mut names: Vec<Cow<'_, str>> =
            self.warnings.iter().map(|w| w.as_str().into()).collect();
        let found = self.inadvisable.iter().flatten();
        let found: Vec<_> =
            found.map(|(offset, c)| format!("byte {offset}: {}", code_point(*c))).collect();
        if !found.is_empty() {
            names.push(format!("{INADVISABLE} ({})", found.join(", ")).into());
        }
        if !names.is_empty() {
            line.push_str(&format!("; warnings: {}", names.join(", ")));
        }
        line
    }
}
