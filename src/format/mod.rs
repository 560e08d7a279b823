//! What wraps the text: formats as regions and escapes over the one scanner.

#[allow(dead_code)]
mod escape;
#[allow(dead_code)]
pub(crate) mod json;
#[allow(dead_code)]
pub(crate) mod lexer;
#[allow(dead_code)]
pub(crate) mod log;

#[cfg(test)]
mod tests;
