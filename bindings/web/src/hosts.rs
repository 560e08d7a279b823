//! The ASCII form of hosts, which the module for strings asks of JavaScript, because its host has the data for it.

#[link(wasm_import_module = "iriscan")]
unsafe extern "C" {
    /// Writes the ASCII form of the `len` bytes at `name`, which are UTF-8, to the `room` bytes at `out`, if
    /// there is room for it. Returns its length, and 0 if the name has no such form.
    safe fn host_to_ascii(name: *const u8, len: usize, out: *mut u8, room: usize) -> usize;
}

/// The ASCII form of a name by UTS #46; `None` if it has none.
pub(crate) fn to_ascii(name: &str) -> Option<String> {
    let mut ascii = vec![0; 2 * name.len() + 64];
    loop {
        let len = host_to_ascii(name.as_ptr(), name.len(), ascii.as_mut_ptr(), ascii.len());
        let fits = len <= ascii.len();
        ascii.resize(len, 0);
        if fits {
            return String::from_utf8(ascii).ok().filter(|ascii| !ascii.is_empty());
        }
    }
}
