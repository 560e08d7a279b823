//! Strings that C asks for: made once, each with a NUL after it.

use std::{
    ffi::{c_char, c_int},
    ptr,
    sync::{Mutex, PoisonError},
};

use iriscan::Warning;

use crate::status::{Error, IRISCAN_ERR_OPTION};

/// The strings of an object by the numbers of their fields. They stay where they are as long as the
/// object, and any number of threads may ask for them.
#[derive(Default)]
pub(crate) struct Strings(Mutex<Vec<(u32, Text)>>);

/// A string with a NUL after it; `None` if there is none.
type Text = Option<Box<[u8]>>;

impl Strings {
    /// The address of the string of a field, which `make` makes when it is asked for first, and its
    /// size; NULL and 0 if there is none.
    pub(crate) fn get(
        &self,
        field: u32,
        make: impl FnOnce() -> Option<String>,
    ) -> (*const c_char, usize) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = known.iter().position(|(number, _)| *number == field).unwrap_or_else(|| {
            let made = make().map(|text| {
                let mut bytes = text.into_bytes();
                bytes.push(0);
                bytes.into_boxed_slice()
            });
            known.push((field, made));
            known.len() - 1
        });
        match &known[at].1 {
            Some(bytes) => (bytes.as_ptr().cast(), bytes.len() - 1),
            None => (ptr::null(), 0),
        }
    }
}

/// Whether the warnings have one with this name, or any.
pub(crate) fn has_warning(warnings: &[Warning], name: Option<&str>) -> Result<c_int, Error> {
    let has = match name {
        None => !warnings.is_empty(),
        Some(name) => {
            let wanted = name.parse().map_err(|e| Error::new(IRISCAN_ERR_OPTION, e))?;
            warnings.contains(&wanted)
        }
    };
    Ok(has.into())
}
