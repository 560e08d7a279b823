//! Memory between two pages that cannot be read.

use std::{io, ptr, slice};

/// Some pages of memory; the page before them and the page after them cannot be read.
pub struct Guarded {
    start: *mut u8,
    page: usize,
    pages: usize,
}

impl Guarded {
    /// Room for at least `len` bytes.
    ///
    /// # Panics
    ///
    /// If the system gives no memory.
    #[must_use]
    pub fn new(len: usize) -> Guarded {
        // SAFETY: the call only returns a number.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) })
            .expect("pages should have a size");
        let pages = len.div_ceil(page).max(1);
        // SAFETY: this maps new memory, at an address that the system chooses.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                (pages + 2) * page,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert!(start != libc::MAP_FAILED, "{}", io::Error::last_os_error());
        let start = start.cast::<u8>();
        // SAFETY: these pages lie within what was just mapped.
        let open = unsafe {
            libc::mprotect(start.add(page).cast(), pages * page, libc::PROT_READ | libc::PROT_WRITE)
        };
        assert!(open == 0, "{}", io::Error::last_os_error());
        Guarded { start, page, pages }
    }

    fn room(&mut self) -> &mut [u8] {
        // SAFETY: these pages can be read and written, hold zeros or bytes, and are
        // borrowed with `self`.
        unsafe { slice::from_raw_parts_mut(self.start.add(self.page), self.pages * self.page) }
    }

    /// `bytes` directly after the first page that cannot be read.
    pub fn at_start(&mut self, bytes: &[u8]) -> &[u8] {
        let room = &mut self.room()[..bytes.len()];
        room.copy_from_slice(bytes);
        room
    }

    /// `bytes` directly before the second page that cannot be read.
    pub fn at_end(&mut self, bytes: &[u8]) -> &[u8] {
        let room = self.room();
        let from = room.len() - bytes.len();
        room[from..].copy_from_slice(bytes);
        &room[from..]
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: all of it was mapped by `new`, and nothing borrows it any more.
        unsafe { libc::munmap(self.start.cast(), (self.pages + 2) * self.page) };
    }
}
