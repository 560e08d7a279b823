//! What wraps the text: formats as regions and escapes over the one scanner.
//!
//! A [`Lexer`] knows one syntax and no links; [`document`] runs the scanner for
//! plain text over what the lexer says is text, and takes what is found back to the
//! bytes of the source.

mod asciidoc;
mod bbcode;
mod css;
pub(crate) mod csv;
mod defanged;
pub(crate) mod document;
pub(crate) mod html;
mod ical;
mod json;
pub(crate) mod kinds;
mod latex;
pub(crate) mod lexing;
mod log;
mod man;
mod markdown;
pub(crate) mod markup;
mod org;
mod po;
mod reader;
pub(crate) mod row;
mod rst;
pub(crate) mod slot;
mod sniff;
pub(crate) mod source;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod turtle;
mod wikitext;
pub(crate) mod xml;
