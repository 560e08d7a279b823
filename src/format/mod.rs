//! What wraps the text: formats as regions and escapes over the one scanner.

#[allow(dead_code)]
mod escape;
#[allow(dead_code)]
pub(crate) mod json;
#[allow(dead_code)]
pub(crate) mod lexer;
#[allow(dead_code)]
pub(crate) mod log;
#[allow(dead_code)]
pub(crate) mod turtle;

#[cfg(test)]
mod tests;
