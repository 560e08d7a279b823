//! The lists of options: their types, defaults and sentences in the words of each language.

use iriscan::{Config, ConfigOption, Kind, OptionKind};

use super::{List, wrapped};

/// All lists of options.
pub(crate) fn lists() -> Vec<List> {
    let all = Config::options().iter();
    let stub = "bindings/python/python/iriscan/_iriscan.pyi";
    let functions = "bindings/python/python/iriscan/_functions.py";
    let finder = "bindings/python/src/finder.rs";
    let stub_options = all
        .clone()
        .map(|it| format!("{}: {} = {},", it.name(), python_type(it), python_default(it, '"')));
    let kinds: Vec<_> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
    let kind_types = vec![
        format!("_Kind: TypeAlias = {}", literal(&kinds)),
        format!("_Kinds: TypeAlias = {} | Iterable[_Kind]", literal(&joined(&kinds))),
    ];
    let properties = all.clone().flat_map(|it| {
        ["@property".to_owned(), format!("def {}(self) -> {}: ...", it.name(), python_value(it))]
    });
    let signature = all.clone().map(|it| format!("{}={}", it.name(), python_default(it, '\'')));
    let signature = signature.collect::<Vec<_>>().join(", ");
    vec![
        (stub, "kinds", kind_types),
        (stub, "options", stub_options.collect()),
        (stub, "properties", properties.collect()),
        (
            functions,
            "options",
            all.clone().map(|it| format!("{}: {}", it.name(), python_type(it))).collect(),
        ),
        (finder, "options", all.clone().flat_map(python_doc).collect()),
        (finder, "signature", vec![format!("text_signature = \"(*, {signature})\"")]),
        ("bindings/web/js/core.js", "options", all.clone().map(script).collect()),
        ("bindings/web/js/index.d.ts", "options", all.flat_map(typescript).collect()),
    ]
}

/// The default; `None` if there is none.
fn default(option: &ConfigOption) -> Option<Vec<String>> {
    option.values(&Config::new()).filter(|values| values != &["auto"] || is_word(option))
}

fn is_word(option: &ConfigOption) -> bool {
    matches!(option.kind(), OptionKind::Word(_))
}

fn quoted(word: &str, quote: char) -> String {
    format!("{quote}{word}{quote}")
}

/// The type in Python whose values are these words.
fn literal(words: &[impl AsRef<str>]) -> String {
    let words: Vec<_> = words.iter().map(|word| quoted(word.as_ref(), '"')).collect();
    format!("Literal[{}]", words.join(", "))
}

/// Every list of some of the words, in their order and with commas between them.
fn joined(words: &[&str]) -> Vec<String> {
    let lists = (1..1_u32 << words.len()).map(|chosen| {
        let words = words.iter().enumerate().filter(|(i, _)| chosen & (1 << i) != 0);
        words.map(|(_, word)| *word).collect::<Vec<_>>().join(",")
    });
    lists.collect()
}

/// The type of an argument in Python.
fn python_type(option: &ConfigOption) -> String {
    let none = if default(option).is_none() { " | None" } else { "" };
    match option.kind() {
        OptionKind::Flag => "bool".to_owned(),
        OptionKind::Word(words) => format!("{}{none}", literal(words)),
        OptionKind::Words if option.name() == "kinds" => "_Kinds | None".to_owned(),
        OptionKind::Words | OptionKind::Texts => "_Words | None".to_owned(),
        OptionKind::Number => "int | None".to_owned(),
        OptionKind::Lines => "_Lines | None".to_owned(),
        _ => "str | None".to_owned(),
    }
}

/// The type of the property of a finder in Python.
fn python_value(option: &ConfigOption) -> String {
    let none = if default(option).is_none() { " | None" } else { "" };
    let value = match option.kind() {
        OptionKind::Word(words) => return format!("{}{none}", literal(words)),
        OptionKind::Flag => "bool",
        OptionKind::Number => "int",
        OptionKind::Words if option.name() == "kinds" => "tuple[_Kind, ...]",
        OptionKind::Words if none.is_empty() => "tuple[str, ...]",
        OptionKind::Words => "str | tuple[str, ...]",
        OptionKind::Texts | OptionKind::Lines => "tuple[str, ...]",
        _ => "str",
    };
    format!("{value}{none}")
}

/// The default in Python.
fn python_default(option: &ConfigOption, quote: char) -> String {
    let Some(values) = default(option) else { return "None".to_owned() };
    match option.kind() {
        OptionKind::Flag => if values == ["true"] { "True" } else { "False" }.to_owned(),
        OptionKind::Number => values.concat(),
        OptionKind::Texts => "()".to_owned(),
        _ => quoted(&values.join(","), quote),
    }
}

/// The sentence of an option, as it goes on after a colon.
fn sentence(option: &ConfigOption) -> String {
    let about = option.about();
    let (first, rest) = about.split_at(1);
    format!("{}{rest}", first.to_lowercase())
}

/// The line of an option in the documentation of Python's `Finder`.
fn python_doc(option: &ConfigOption) -> Vec<String> {
    let words = match option.kind() {
        OptionKind::Word(words) => {
            let words: Vec<_> = words.iter().map(|word| quoted(word, '\'')).collect();
            format!(" ({})", words.join(", "))
        }
        _ => String::new(),
    };
    let text = format!("- {}{words}: {}", option.name(), sentence(option));
    let lines = wrapped(text.split(' ').map(str::to_owned), " ").into_iter().enumerate();
    lines.map(|(i, line)| format!("/// {}{line}", if i > 0 { "  " } else { "" })).collect()
}

/// The name in JavaScript, with a capital letter after each `_`.
pub(crate) fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |camel, word| camel + &word[..1].to_uppercase() + &word[1..])
}

/// The kind of an option in JavaScript.
fn script(option: &ConfigOption) -> String {
    let kind = match option.kind() {
        OptionKind::Flag => "FLAG",
        OptionKind::Number => "NUMBER",
        OptionKind::Words => "WORDS",
        OptionKind::Texts | OptionKind::Lines => "LINES",
        _ => "WORD",
    };
    format!("{}: {kind},", camel(option.name()))
}

/// The documentation and the type of an option in TypeScript.
fn typescript(option: &ConfigOption) -> Vec<String> {
    let union = |words: &mut dyn Iterator<Item = &'static str>| {
        words.map(|word| quoted(word, '"')).collect::<Vec<_>>().join(" | ")
    };
    let value = match option.kind() {
        OptionKind::Flag => "boolean".to_owned(),
        OptionKind::Number => "number".to_owned(),
        OptionKind::Word(words) => union(&mut words.iter().copied()),
        OptionKind::Words if option.name() == "kinds" => {
            format!("Words<{}>", union(&mut Kind::ALL.iter().map(|kind| kind.as_str())))
        }
        OptionKind::Words => "Words<string>".to_owned(),
        OptionKind::Texts | OptionKind::Lines => "Strings".to_owned(),
        _ => "string".to_owned(),
    };
    let default = match (option.kind(), default(option)) {
        (OptionKind::Flag, Some(values)) if values == ["false"] => String::new(),
        (OptionKind::Flag | OptionKind::Number, Some(values)) => {
            format!(" Default: {}.", values.concat())
        }
        (OptionKind::Word(_) | OptionKind::Words, Some(values)) => {
            format!(" Default: {}.", quoted(&values.join(","), '"'))
        }
        _ => String::new(),
    };
    vec![
        format!("/** {}.{default} */", option.about()),
        format!("{}?: {value};", camel(option.name())),
    ]
}
