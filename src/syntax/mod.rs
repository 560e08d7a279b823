//! What is a link in running text. Pure: characters and positions in, a
//! verdict out; no charset, no bytes, no IO.
//!
//! ```text
//! head   where it starts   scheme before `:`, the opener before that
//! link   one candidate     two walks over the same characters:
//! walk     undelimited       host, then the tail of UTS #58, prose rules
//!          delimited         host, then everything up to the partner
//! ```

pub(crate) mod bare;
pub(crate) mod class;
pub(crate) mod glue;
pub(crate) mod head;
pub(crate) mod link;
pub(crate) mod mail;
pub(crate) mod run;
pub(crate) mod scheme;
mod shape;
mod standard;
pub(crate) mod tables;
pub(crate) mod tlds;
pub(crate) mod walk;
