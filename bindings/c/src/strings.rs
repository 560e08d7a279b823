//! Strings that C asks for: made once, each with a NUL after it.

use std::{
    ffi::{c_char, c_int},
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
};

use iriscan::Warning;

use crate::{
    names::FIELDS,
    status::{Error, IRISCAN_ERR_OPTION},
};

/// A string with a NUL after it; `None` if the object says nothing in the field.
type Text = Option<Box<[u8]>>;

/// The strings of an object by the numbers of their fields. They stay where they are as long as the
/// object, and any number of threads may ask for them: the first one that has made a string puts it
/// there, without a lock.
pub(crate) struct Strings([AtomicPtr<Text>; FIELDS]);

impl Default for Strings {
    fn default() -> Strings {
        Strings([const { AtomicPtr::new(ptr::null_mut()) }; FIELDS])
    }
}

impl Drop for Strings {
    fn drop(&mut self) {
        for made in &mut self.0 {
            let made = *made.get_mut();
            if !made.is_null() {
                // SAFETY: `get` made it with a box, and nobody has the strings any more.
                drop(unsafe { Box::from_raw(made) });
            }
        }
    }
}

impl Strings {
    /// The address of the string of a field, which `make` makes when it is asked for first, and its
    /// size; NULL and 0 for `None`.
    pub(crate) fn get(
        &self,
        field: u32,
        make: impl FnOnce() -> Option<String>,
    ) -> (*const c_char, usize) {
        let Some(slot) = self.0.get(field as usize) else { return (ptr::null(), 0) };
        let mut made = slot.load(Ordering::Acquire);
        if made.is_null() {
            let text = make().map(|text| {
                let mut bytes = text.into_bytes();
                bytes.push(0);
                bytes.into_boxed_slice()
            });
            let mine = Box::into_raw(Box::new(text));
            let put = slot.compare_exchange(made, mine, Ordering::AcqRel, Ordering::Acquire);
            made = match put {
                Ok(_) => mine,
                Err(other) => {
                    // SAFETY: nobody else has seen it.
                    drop(unsafe { Box::from_raw(mine) });
                    other
                }
            };
        }
        // SAFETY: it is a text that stays until the strings are dropped.
        match unsafe { &*made } {
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
