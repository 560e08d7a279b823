//! The lists of those fields of a link that are a text or nothing, and need no word of their own in a binding.

use iriscan::Field;

use super::{List, documentation, wrapped};

/// The fields that every link has or whose values are made of others: the bindings write them by hand.
const BY_HAND: &[Field] = &[
    Field::Uri,
    Field::Iri,
    Field::Open,
    Field::Absolute,
    Field::Text,
    Field::Display,
    Field::Host,
    Field::Domain,
    Field::Scheme,
    Field::Kind,
    Field::Path,
    Field::Query,
    Field::Fragment,
    Field::Userinfo,
    Field::Port,
    Field::Charset,
    Field::Warnings,
];

/// The fields that say where a link is: its place in an input, its message, the text around.
const OF_PLACES: &[Field] = &[
    Field::N,
    Field::File,
    Field::Start,
    Field::End,
    Field::Line,
    Field::Column,
    Field::MessageId,
    Field::Subject,
    Field::From,
    Field::Date,
    Field::Before,
    Field::After,
];

/// The fields of a column of links in Python if the caller names none.
const USUAL: &[&str] = &["start", "end", "kind", "iri", "uri", "host", "scheme", "warnings"];

/// Those that are on request, and written by hand in `arrow/fields.rs`.
const ON_REQUEST: &[&str] =
    &["text", "open", "absolute", "display", "host_key", "domain", "charset"];

/// All lists of fields. `source` is the code of [`Field`], which has a sentence for each.
pub(crate) fn lists(source: &str) -> Vec<List> {
    let fields = Field::ALL.iter().copied();
    let fields = fields.filter(|field| !BY_HAND.contains(field) && !OF_PLACES.contains(field));
    let names = fields.clone().map(Field::as_str);
    let about = |field: Field| sentence(source, &format!("{field:?}"));
    let on_request = ON_REQUEST.iter().copied().chain(names.clone());
    let texts = USUAL.iter().filter(|name| !matches!(**name, "start" | "end" | "warnings"));
    let literal = |name: &str, words: Vec<&str>| {
        let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        format!("{name}: TypeAlias = Literal[{}]", words.join(", "))
    };
    let aliases = vec![
        literal("_TextField", texts.copied().chain(on_request.clone()).collect()),
        literal("_Field", USUAL.iter().copied().chain(on_request.clone()).collect()),
        literal("_Extra", on_request.clone().collect()),
    ];
    let named =
        format!("`extra` names more fields: {}.", on_request.collect::<Vec<_>>().join(", "));
    let named = wrapped(named.split(' ').map(str::to_owned), " ");
    let getters = fields.clone().flat_map(|field| {
        let doc = about(field).into_iter().map(|line| format!("/// {line}"));
        let doc = [String::new()].into_iter().chain(doc);
        let name = field.as_str();
        doc.chain([
            "#[getter]".to_owned(),
            format!("fn {name}<'py>(&self, py: Python<'py>) -> Value<'py> {{"),
            format!("    self.get(py, {name:?}, |link| link.as_match().get(Field::{field:?}))"),
            "}".to_owned(),
        ])
    });
    let stubs = names
        .clone()
        .flat_map(|name| ["@property".to_owned(), format!("def {name}(self) -> str | None: ...")]);
    let types = fields.clone().flat_map(|field| {
        [format!("/** {} */", about(field).join(" ")), format!("{field}: string | null;")]
    });
    let written = fields
        .clone()
        .map(|field| format!("object.some(\"{field}\", link.get(Field::{field:?}).as_deref());"));
    let link = "bindings/python/src/link.rs";
    let stub = "bindings/python/python/iriscan/_iriscan.pyi";
    vec![
        (link, "names", names.clone().map(|name| format!("{name:?},")).collect()),
        (link, "getters", getters.skip(1).collect()),
        (
            "bindings/python/src/arrow/fields.rs",
            "fields",
            fields.clone().map(|field| format!("Known({field:?}),")).collect(),
        ),
        (
            "bindings/python/src/finder.rs",
            "fields",
            named.into_iter().map(|line| format!("/// {line}")).collect(),
        ),
        (stub, "fields", aliases),
        (stub, "link", stubs.collect()),
        ("bindings/web/src/details.rs", "fields", written.collect()),
        ("bindings/web/js/core.js", "fields", names.map(|name| format!("{name}: null,")).collect()),
        ("bindings/web/js/index.d.ts", "fields", types.collect()),
    ]
}

/// The comment of a variant of [`Field`], without links to other parts of the documentation.
fn sentence(source: &str, variant: &str) -> Vec<String> {
    let text = documentation(source, &format!("{variant},"));
    let text = match text.split_once(" ([`") {
        Some((before, after)) => {
            format!("{before}{}", after.split_once(')').map_or("", |(_, rest)| rest))
        }
        None => text,
    };
    wrapped(text.split(' ').map(str::to_owned), " ")
}
