//! Finds and converts without the standard library.

#![no_std]

extern crate alloc;

use core::{
    alloc::{GlobalAlloc, Layout},
    panic::PanicInfo,
    ptr,
};

struct Nowhere;

// SAFETY: it never gives any memory.
unsafe impl GlobalAlloc for Nowhere {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: Nowhere = Nowhere;

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}

/// Makes the linker keep the library.
#[unsafe(no_mangle)]
pub extern "C" fn links(text: *const u8, len: usize) -> usize {
    // SAFETY: nobody calls this function.
    let text = unsafe { core::slice::from_raw_parts(text, len) };
    let uris = iriscan::Finder::new().find_iter(text).filter(|link| link.uri().is_ok()).count();
    let checked = core::str::from_utf8(text).ok().and_then(|text| {
        iriscan::reference::Reference::parse(text, iriscan::reference::Grammar::Iri).ok()
    });
    uris + usize::from(checked.is_some())
}
