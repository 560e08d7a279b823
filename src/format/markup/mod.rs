//! What HTML and XML have beyond other formats: elements, attributes, and HTML inside.

pub(in crate::format) mod attributes;
pub(in crate::format) mod course;
pub(in crate::format) mod elements;
pub(in crate::format) mod entities;
pub(in crate::format) mod layout;
pub(in crate::format) mod names;
pub(in crate::format) mod queue;
mod script;
pub(in crate::format) mod skip;
pub(in crate::format) mod tag;
pub(crate) mod words;
pub(in crate::format) mod writer;

use self::tag::Name;
use crate::format::lexing::lexer::Region;

/// A lexer of elements.
pub(super) trait MarkupLexer {
    /// Whether links are in HTML.
    fn is_in_html(&self) -> bool;

    /// The element and the attribute of a link in the region that begins here.
    fn names(&self, region: Region) -> Option<(Name, Option<Name>)>;

    /// The element and the attribute of the last [`Token::Whole`](crate::format::lexing::lexer::Token::Whole), if they are
    /// wanted.
    fn names_of_whole(&self) -> Option<(Name, Option<Name>)>;

    /// A number that the current tag has alone, among those that were read one by one.
    fn tag_number(&self) -> u64;

    /// Whether the element whose text is read is over.
    fn is_element_over(&self) -> bool;

    /// Whether the characters of the region that begins here are text of the element.
    fn is_shown(&self, region: Region) -> bool;
}
