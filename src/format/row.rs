//! What a format is, in one row. The folder of each format has its own (`row.rs`), and [`table`](super::table)
//! lists them: names of files, media types, the lexer, the writer, and what else the rest of the library asks of
//! a format.

use super::{any_lexer::AnyLexer, kinds::Format, lexing::triggers::Triggers, slot::writer::Writer};
use crate::{
    charset::Charset,
    engine::rules::Rules,
    grammar::types::RuleSet,
    links::{logical::References, place::Place},
};

/// What a lexer is made with.
#[derive(Clone, Copy)]
pub(in crate::format) struct Start<'r> {
    /// The delimiter of fields.
    pub(in crate::format) delimiter: u8,
    /// The document begins here, and not a later part of it.
    pub(in crate::format) first: bool,
    pub(in crate::format) rules: &'r Rules,
}

impl Start<'_> {
    /// The bytes without which a text cannot hold a link.
    pub(in crate::format) fn triggers(self) -> Triggers {
        Triggers::by(self.rules.anchors)
    }

    /// True if quotes and backticks do not end a link, as by UTS #58.
    pub(in crate::format) fn divided(self) -> bool {
        self.rules.options.set == RuleSet::Uts58
    }
}

/// The fields of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fields {
    /// The format has no fields.
    None,
    /// Their delimiter is given, or sought in the first records.
    Sought,
    /// Their delimiter is the same in every document.
    By(u8),
}

/// Where a document may be divided, so that two threads read its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// Nowhere.
    Never,
    /// As text.
    Text,
    /// As text, where no escape is near.
    Unescaped,
    /// As text, between string literals.
    Apart,
    /// Before a tag that divides words.
    Tags,
    /// After a line end; the scanner says whether that is in a field with quotes.
    Lines,
}

/// Returns the charset that the start of a document declares, and where the declaration ends.
pub(in crate::format) type Declared = fn(&[u8]) -> Option<(Charset, usize)>;

/// What in the first bytes of a document shows its format, from the surest clue to the weakest. The bytes are without
/// NULs, so that UTF-16 looks as ASCII does, and without a byte order mark and white space before them.
pub(in crate::format) enum Clue {
    /// The document begins in a way that no other format has.
    Start(fn(&[u8]) -> bool),
    /// A line begins with one of these words; case and white space before them do not count. Of two such lines the
    /// first one decides.
    Lines(&'static [&'static str]),
    /// The first lines are those of a heading.
    Heading(fn(&[u8]) -> bool),
    /// Something is somewhere that other formats hardly ever have.
    Somewhere(fn(&[u8]) -> bool),
    /// The lines are divided into as many columns each.
    Columns(fn(&[u8]) -> bool),
}

/// True if `bytes` begin with `start`, in any case.
pub(in crate::format) fn begins(bytes: &[u8], start: &str) -> bool {
    bytes.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start.as_bytes()))
}

/// A format.
pub(crate) struct Row {
    pub(crate) format: Format,
    /// The format in a few words: the help of the command shows them.
    pub(crate) description: &'static str,
    /// Names that people write for it, beside its own and the ends of file names.
    pub(crate) names: &'static [&'static str],
    /// Ends of file names, without the dot, in lower case.
    pub(crate) extensions: &'static [&'static str],
    /// True for the end of a file name that files of other formats have too: it counts if the first bytes show this one.
    pub(in crate::format) may_have_extension: fn(&str) -> bool,
    /// Media types, in lower case.
    pub(crate) media_types: &'static [&'static str],
    /// True for a media type in lower case that no row lists; the last row that says so has it.
    pub(crate) has_media_type: fn(&str) -> bool,
    /// What shows that a document is in it, besides its name and media type.
    pub(in crate::format) clues: &'static [Clue],
    /// Makes its lexer.
    pub(in crate::format) lexer: fn(Start<'_>) -> AnyLexer,
    /// How a text is written in it.
    pub(in crate::format) writer: &'static (dyn Writer + Sync),
    /// How its start declares a charset, if it does.
    pub(in crate::format) declared: Option<Declared>,
    pub(crate) fields: Fields,
    pub(crate) division: Division,
    /// Every character has an escape.
    pub(crate) has_escapes: bool,
    /// A `<` may begin a tag.
    pub(in crate::format) has_tags: bool,
    /// Its links have elements and attributes.
    pub(crate) is_markup: bool,
    /// A link of running text that goes over markup, or over the ends of strings, stays as it is: what is written in
    /// its place would take them away.
    pub(crate) stays_divided: bool,
    /// It has strings of JSON, and links in them are in [`Inside::Name`](crate::links::place::Inside::Name). A quote ends
    /// such a string, also if a link between `<` and `>` goes on after it: the link stays, as with [`Row::stays_divided`].
    pub(in crate::format) ends_at_quotes: bool,
    /// How `&` is escaped around links in this place.
    pub(in crate::format) references: fn(Place) -> References,
    /// An escape may be one byte of a character.
    pub(in crate::format) has_escaped_bytes: bool,
    /// Long lines are folded.
    pub(crate) is_folded: bool,
    /// Divides the cells of tables in running text.
    pub(crate) cell: Option<char>,
    /// What no URI may hold means something in a link: `{id}` and `%s` are placeholders, `\d` and `a|b` patterns.
    pub(crate) has_placeholders: bool,
    /// Its links were made harmless.
    pub(crate) is_harmless: bool,
    /// HTML in its text is no document of its own: a base there counts for nothing.
    pub(in crate::format) wraps_html: bool,
}

impl Row {
    /// A row without names, in which nothing is escaped but by the writer; it is read in one piece.
    pub(in crate::format) const fn new(
        format: Format,
        description: &'static str,
        lexer: fn(Start<'_>) -> AnyLexer,
        writer: &'static (dyn Writer + Sync),
    ) -> Row {
        Row {
            format,
            description,
            names: &[],
            extensions: &[],
            may_have_extension: |_| false,
            media_types: &[],
            has_media_type: |_| false,
            clues: &[],
            lexer,
            writer,
            declared: None,
            fields: Fields::None,
            division: Division::Never,
            has_escapes: false,
            has_tags: false,
            is_markup: false,
            stays_divided: false,
            ends_at_quotes: false,
            references: |_| References::None,
            has_escaped_bytes: false,
            is_folded: false,
            cell: None,
            has_placeholders: false,
            is_harmless: false,
            wraps_html: false,
        }
    }
}
