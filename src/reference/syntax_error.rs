//! Why a text is not a reference: the place of the fault, its kind, and a sentence with the remedy.
//!
//! The parser gives the place where no rule can continue; white space and bidi controls around a reference are
//! told apart from faults in it, because the remedy is another one.

use core::fmt;

use super::{
    class::is_bidi_control,
    components::Component,
    field::{is_trimmed, trim},
    grammar::Grammar,
};

/// Why a text is not a reference.
///
/// `Display` names the byte, the fault there, and the remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    offset: usize,
    fault: SyntaxErrorKind,
    found: Option<char>,
    grammar: Grammar,
    /// The fault is a character around the reference.
    around: Option<Around>,
}

/// White space or a bidi formatting character around a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    /// At the start.
    Before(char),
    /// At the end.
    After(char),
}

impl Around {
    fn of(text: &str, fault: Fault) -> Option<Around> {
        let first = text.chars().next().filter(|&c| is_trimmed(c));
        match fault.kind {
            // A scheme cannot begin with such a character: `\u{202A}http:`.
            SyntaxErrorKind::NoScheme | SyntaxErrorKind::Colon => first.map(Around::Before),
            SyntaxErrorKind::Character(_)
            | SyntaxErrorKind::Port
            | SyntaxErrorKind::AfterLiteral => {
                let (before, rest) = text.split_at_checked(fault.at)?;
                let c = rest.chars().next()?;
                if trim(rest).is_empty() {
                    return Some(Around::After(c));
                }
                (is_trimmed(c) && trim(before).is_empty()).then_some(Around::Before(c))
            }
            SyntaxErrorKind::Fragment | SyntaxErrorKind::Percent | SyntaxErrorKind::Literal => None,
        }
    }

    /// Writes the fault and the remedy.
    fn explain(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (c, place) = match self {
            Around::Before(c) => (c, "start"),
            Around::After(c) => (c, "end"),
        };
        match is_bidi_control(c) {
            true => write!(f, "bidi formatting character {c:?}")?,
            false => f.write_str("white space")?,
        }
        write!(f, " at the {place}, which is not part of a reference; remove it")
    }
}

impl SyntaxError {
    #[cold]
    pub(super) fn of(text: &str, fault: Fault, grammar: Grammar) -> SyntaxError {
        let found = text.get(fault.at..).and_then(|rest| rest.chars().next());
        let around = Around::of(text, fault);
        SyntaxError { offset: fault.at, fault: fault.kind, found, grammar, around }
    }

    /// The place of the fault, in bytes of UTF-8 from the start of the text.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The fault, for programs; [`SyntaxError::reason`] explains it to people.
    ///
    /// ```
    /// use iriscan::reference::{Grammar, Reference, SyntaxErrorKind};
    ///
    /// let error = Reference::parse("http://a.example/%zz", Grammar::Uri).unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (SyntaxErrorKind::Percent, 17));
    /// ```
    #[must_use]
    pub fn kind(&self) -> SyntaxErrorKind {
        self.fault
    }

    /// The fault and the remedy: `Display` without the place.
    #[must_use]
    pub fn reason(&self) -> impl fmt::Display {
        Reason(self)
    }

    /// The character at the fault; `None` at the end.
    #[must_use]
    pub fn found(&self) -> Option<char> {
        self.found
    }
}

impl core::error::Error for SyntaxError {}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.reason())
    }
}

/// The fault and the remedy, without the place.
struct Reason<'e>(&'e SyntaxError);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.0;
        let name = error.grammar.name();
        if let Some(around) = error.around {
            return around.explain(f);
        }
        let component = match error.fault {
            SyntaxErrorKind::NoScheme => {
                return write!(f, "{name} begins with a scheme and a colon, such as \"https:\"")
                    .and_then(|()| f.write_str("; add it, or resolve against a base"));
            }
            SyntaxErrorKind::Fragment => {
                return write!(f, "{name} has no fragment; remove it");
            }
            SyntaxErrorKind::Percent => {
                return f.write_str(
                    "two hexadecimal digits must follow '%'; a percent sign itself is %25",
                );
            }
            SyntaxErrorKind::Colon => {
                return f.write_str(
                    "no scheme ends here, and the first segment of a relative path cannot hold \
                     ':'; put \"./\" before it",
                );
            }
            SyntaxErrorKind::Port => {
                return f.write_str(
                    "expected a digit of the port, '/', '?', '#' or the end; an IPv6 address \
                     stands in brackets",
                );
            }
            SyntaxErrorKind::Literal => {
                return f.write_str(
                    "expected an IPv6 address or \"v\", hexadecimal digits and \".\", and \"]\"",
                );
            }
            SyntaxErrorKind::AfterLiteral => {
                return f.write_str("expected ':', '/', '?', '#' or the end behind \"]\"");
            }
            SyntaxErrorKind::Character(component) => component,
        };
        // A fault in a character is never at the end.
        let found = error.found.unwrap_or(char::REPLACEMENT_CHARACTER);
        explain_character(component.as_str(), found, f)
    }
}

/// Writes that a `component` cannot hold the character `found`, and how to write it.
fn explain_character(component: &str, found: char, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "a {component} cannot hold {found:?}")?;
    match found {
        '@' if component == "host" => f.write_str("; one '@' stands before it, others are %40"),
        '[' | ']' if component == "path" => {
            f.write_str("; in a host it stands round an IP address, elsewhere it is ")?;
            percent(f, found)
        }
        // Hosts of 3987bis have no escapes.
        '%' => f.write_str("; write the character itself"),
        found => {
            f.write_str("; percent-encode it as ")?;
            percent(f, found)
        }
    }
}

fn percent(f: &mut fmt::Formatter<'_>, c: char) -> fmt::Result {
    c.encode_utf8(&mut [0; 4]).bytes().try_for_each(|b| write!(f, "%{b:02X}"))
}

/// The place where no rule can continue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) kind: SyntaxErrorKind,
}

/// The fault of a text that is not a reference; see [`SyntaxError::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SyntaxErrorKind {
    /// The grammar needs a scheme, and the text has none.
    NoScheme,
    /// The text has a fragment, and the grammar has none.
    Fragment,
    /// A `%` without two hexadecimal digits after it.
    Percent,
    /// A `:` in the first segment of a relative path.
    Colon,
    /// A port that is not all digits.
    Port,
    /// An IP literal that is malformed between its brackets.
    Literal,
    /// A character directly after the `]` of an IP literal that cannot be there.
    AfterLiteral,
    /// A character that this component cannot hold.
    Character(Component),
}
