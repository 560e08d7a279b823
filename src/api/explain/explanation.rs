//! What is said about one place of a text.

use alloc::{format, string::String, vec::Vec};
use core::ops::Range;

use crate::{data::rules::Rule, grammar::types::Kind};

/// The decision about one place of a text where a link could be.
///
/// [`Finder::explain`](crate::Finder::explain) makes these. All offsets are bytes of the source.
///
/// ```
/// use iriscan::Finder;
///
/// let text = "見てhttp://a.example/b。次";
/// let why = Finder::new().explain(text);
/// assert!(why[0].is_link());
/// assert_eq!(why[0].text(), "http://a.example/b");
/// assert_eq!(why[0].rule().as_str(), "east-asian-punctuation");
/// assert_eq!(why[0].character(), Some('。'));
/// assert_eq!(why[0].without(), Some("http://a.example/b。次"));
/// ```
#[derive(Clone, Debug)]
pub struct Explanation {
    pub(super) range: Range<u64>,
    pub(super) text: String,
    pub(super) kind: Kind,
    pub(super) link: bool,
    pub(super) began: Rule,
    pub(super) rule: Rule,
    pub(super) at: u64,
    pub(super) character: Option<char>,
    pub(super) without: Option<String>,
    pub(super) remedies: Vec<Remedy>,
    pub(super) before: Near,
    pub(super) after: Near,
}

/// Text beside a link, in its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Near {
    pub(super) text: String,
    /// The line has more.
    pub(super) is_cut: bool,
}

/// A change that would make a link of a text that is no link.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// An option of the command, with its value: `--schemes any`.
    Option(&'static str),
    /// Another text: `https://example.zip`.
    Text(String),
}

impl Explanation {
    /// True if the text is a link.
    #[must_use]
    pub fn is_link(&self) -> bool {
        self.link
    }

    /// The place of the link, or of the text that only looks like a link.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// The text there.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What kind of link it is or looks like.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Why it begins where it begins.
    #[must_use]
    pub fn began(&self) -> Rule {
        self.began
    }

    /// The rule that ended the link; if there is no link, the rule that refused it.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Where the character is that decided. For a link that is its end.
    #[must_use]
    pub fn at(&self) -> u64 {
        self.at
    }

    /// The character there; `None` at the end of the text and where bytes are malformed.
    #[must_use]
    pub fn character(&self) -> Option<char> {
        self.character
    }

    /// The link that there would be if that character were a letter. `None` if it would be the same, and
    /// at white space.
    #[must_use]
    pub fn without(&self) -> Option<&str> {
        self.without.as_deref()
    }

    /// The text before it in its line, at most 24 characters.
    #[must_use]
    pub fn before(&self) -> &str {
        &self.before.text
    }

    /// Whether its line has more text before [`Explanation::before`].
    #[must_use]
    pub fn is_cut_before(&self) -> bool {
        self.before.is_cut
    }

    /// The text after it in its line, at most 16 characters.
    #[must_use]
    pub fn after(&self) -> &str {
        &self.after.text
    }

    /// Whether its line has more text after [`Explanation::after`].
    #[must_use]
    pub fn is_cut_after(&self) -> bool {
        self.after.is_cut
    }

    /// What would make a link of it; empty if it is one.
    #[must_use]
    pub fn remedies(&self) -> &[Remedy] {
        &self.remedies
    }
}

impl Explanation {
    /// The explanation as an object of JSON, on one line.
    ///
    /// `link` says whether it is one; then come `start`, `end` (bytes of the source), `text`, `kind`; `began` and
    /// `ended` of a link, `refused` of any other text, each with `rule` and `what`. `ended` and `refused` have the
    /// deciding character too (`at`, `character`), `ended` the link `without` it, and `refused` what would make a
    /// link of it (`options`, `texts`). A value that does not exist is `null`.
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let why = &Finder::new().explain("http://a.example/。")[0];
    /// assert!(why.to_json().starts_with(r#"{"link":true,"start":0,"end":17,"text":"http://a.example/","#));
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        self.to_json_with(|offset| offset)
    }

    /// As [`Explanation::to_json`], with the offsets that `offset` makes of those in bytes: for languages that
    /// count otherwise.
    #[must_use]
    pub fn to_json_with(&self, mut offset: impl FnMut(u64) -> u64) -> String {
        let [start, end, at] = [self.range.start, self.range.end, self.at].map(&mut offset);
        let rule = |rule: Rule| {
            format!("\"rule\":{},\"what\":{}", quoted(rule.as_str()), quoted(rule.what()))
        };
        let or_null = |text: Option<&str>| text.map_or("null".into(), quoted);
        let character = self.character.map(String::from);
        let decided = format!("\"at\":{at},\"character\":{}", or_null(character.as_deref()));
        let head = format!(
            "{{\"link\":{},\"start\":{start},\"end\":{end},\"text\":{},\"kind\":\"{}\"",
            self.link,
            quoted(&self.text),
            self.kind,
        );
        if self.link {
            let (began, ended) = (rule(self.began), rule(self.rule));
            let without = or_null(self.without());
            return format!(
                "{head},\"began\":{{{began}}},\"ended\":{{{ended},{decided},\"without\":{without}}}}}"
            );
        }
        let (mut options, mut texts) = (Vec::new(), Vec::new());
        for remedy in &self.remedies {
            match remedy {
                Remedy::Option(option) => options.push(quoted(option)),
                Remedy::Text(text) => texts.push(quoted(text)),
            }
        }
        let [options, texts] = [options, texts].map(|list| list.join(","));
        let refused = rule(self.rule);
        format!(
            "{head},\"refused\":{{{refused},{decided},\"options\":[{options}],\"texts\":[{texts}]}}}}"
        )
    }
}

/// `text` as a string of JSON.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out += &format!("\\u{:04x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
