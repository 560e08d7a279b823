//! What can be read from any place, as a container must be.

use std::io::{Read, Seek};

/// A file, or what is like one.
pub(crate) trait Random: Read + Seek + Send {}

impl<R: Read + Seek + Send> Random for R {}
