//! What wraps the text: formats as regions and escapes over the one scanner.
//!
//! A [`Lexer`] knows one syntax and no links; [`document`] runs the scanner for
//! plain text over what the lexer says is text, and takes what is found back to the
//! bytes of the source.

mod asciidoc;
mod attributes;
mod bases;
mod bbcode;
mod course;
mod css;
mod csv;
mod declared;
mod defanged;
pub(crate) mod delimiter;
pub(crate) mod document;
mod element_text;
mod elements;
mod entities;
pub(crate) mod escape;
mod escaped_html;
pub(crate) mod html;
mod ical;
mod json;
pub(crate) mod kinds;
mod latex;
mod layout;
pub(crate) mod lexer;
mod log;
mod markdown;
mod marked;
mod markup;
mod names;
mod naming;
mod nested;
mod open_region;
mod org;
mod out;
mod po;
mod prose;
mod queue;
mod reader;
pub(crate) mod regions;
mod relationships;
mod rst;
pub(crate) mod runs;
mod separator;
mod skip;
pub(crate) mod slot;
mod sniff;
pub(crate) mod source;
mod style_sheet;
mod tag;
#[cfg(test)]
mod tests;
mod triggers;
mod turtle;
mod value;
mod view;
mod wikitext;
pub(crate) mod words;
mod xml;
mod xml_attributes;
