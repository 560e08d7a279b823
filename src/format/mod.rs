//! What wraps the text: formats as regions and escapes over the one scanner.

#[allow(dead_code)]
pub(crate) mod lexer;
