//! The lists of formats: their names, ends of file names, and what is searched in each.

use iriscan::Format;

use super::{List, documentation, wrapped};

/// So many ends of file names are listed of one format.
const EXTENSIONS: usize = 12;

/// All lists of formats. `source` is the code of the list of formats, which has the documentation of each.
pub(crate) fn lists(source: &str) -> Vec<List> {
    let names = || Format::ALL.iter().map(|format| format.as_str());
    let quoted = || names().map(|name| format!("\"{name}\""));
    let array = wrapped(quoted(), ", ");
    let in_code = names().map(|name| format!("`{name}`"));
    vec![
        ("README.md", "formats", vec![joined(in_code, "and").join(" ")]),
        ("docs/formats.md", "formats", table(source)),
        ("bindings/c/src/options.rs", "formats", c_doc(quoted())),
        ("bindings/python/tests/test_laws.py", "formats", array.clone()),
        ("bindings/web/playground/page.js", "formats", array),
    ]
}

/// `a, b and c.`
fn joined(words: impl Iterator<Item = String>, word: &str) -> Vec<String> {
    let mut words: Vec<_> = words.collect();
    let last = words.pop().unwrap_or_default();
    let before = words.pop().unwrap_or_default();
    words.push(format!("{before} {word} {last}."));
    wrapped(words, ", ")
}

/// The table of docs/formats.md.
fn table(source: &str) -> Vec<String> {
    let mut lines =
        vec!["| format | extensions | what is searched |".to_owned(), "|---|---|---|".to_owned()];
    lines.extend(Format::ALL.iter().map(|format| {
        let all = format.extensions();
        let shown = all.iter().take(EXTENSIONS).map(|it| format!("`{it}`"));
        let mut shown = shown.collect::<Vec<_>>().join(", ");
        if all.len() > EXTENSIONS {
            shown += " and others";
        }
        let searched = searched(source, *format).replace('|', "\\|");
        format!("| `{format}` | {shown} | {searched} |").replace("|  |", "| |")
    }));
    lines
}

/// What the first sentence of the documentation of a format says after its colon, with the names that users know.
fn searched(source: &str, format: Format) -> String {
    let about = documentation(source, &format!("{format:?} = "));
    let sentence = about.split_inclusive(". ").next().unwrap_or_default();
    let sentence = sentence.trim_end().trim_end_matches('.').trim_end_matches(':');
    let mut text = without_links(sentence);
    for other in Format::ALL {
        text = text.replace(&format!("`Format::{other:?}`"), &format!("`{other}`"));
    }
    text.split_once(": ").map_or(text.clone(), |(_, after)| after.to_owned())
}

/// The text with ``[`A`](b)`` and ``[`A`]`` of the documentation as `` `A` ``.
fn without_links(text: &str) -> String {
    let mut pieces = text.split("[`");
    let mut done = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let link = piece.split_once("`]").filter(|_| piece.starts_with(char::is_uppercase));
        match link {
            Some((name, after)) => {
                let after = match after.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
                    Some((_, after)) => after,
                    None => after,
                };
                done += &format!("`{name}`{after}");
            }
            None => done += &format!("[`{piece}"),
        }
    }
    done
}

/// The documentation of the member `format` of C's options.
fn c_doc(words: impl Iterator<Item = String>) -> Vec<String> {
    let words = words.map(|word| if word == "\"text\"" { word + " (the default)" } else { word });
    let sentence = joined(words, "or").join(" ");
    let text = format!("The syntax around the text: {sentence} For mail use iriscan_mail_find.");
    let lines = wrapped(text.split(' ').map(str::to_owned), " ");
    lines.iter().map(|line| format!("/// {line}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_says_what_is_searched() {
        let source = "/// C, the language: as [`Format::Source`], but\n/// ([`A`](b::c)) `[`. More.\nC = \"c\",";
        assert_eq!(searched(source, Format::C), "as `source`, but (`A`) `[`");
        assert_eq!(joined(["a", "b", "c"].map(str::to_owned).into_iter(), "and"), ["a, b and c."]);
    }
}
