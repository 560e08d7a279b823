//! What a call from C costs, beside the same work called from Rust.
//!
//! ```sh
//! make -C bindings/c shared
//! cargo bench --manifest-path bindings/Cargo.toml -p iriscan-c --bench calls [-- LIBRARY]
//! ```
//!
//! The C functions are those of the shared library, found by `dlopen` as a program in another
//! language finds them. Both sides take turns in one process; the figures are medians.

use std::{
    env,
    ffi::{CStr, CString, c_char, c_int, c_void},
    hint::black_box,
    path::{Path, PathBuf},
    ptr,
    time::Instant,
};

use iriscan::{Charset, Config, Finder, Link};

unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
}

/// The fields that are read of each link: IRISCAN_FIELD_TEXT to IRISCAN_FIELD_HOST, and the warnings.
const FIELDS: [u32; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 14];

const RTLD_NOW: c_int = 2;

/// The start of the options: all that is set here.
#[repr(C)]
struct Options {
    size: usize,
    kinds: u32,
    charset: *const c_char,
    rest: [usize; 16],
}

/// The function at an address.
///
/// # Safety
///
/// `F` is the type of the function that is there.
unsafe fn function<F: Copy>(address: *mut c_void) -> F {
    // SAFETY: the caller's promise; function pointers are pointers.
    unsafe { std::mem::transmute_copy(&address) }
}

/// The functions of the shared library.
struct Library {
    finder_new: unsafe extern "C" fn(*const Options, *mut *mut c_void) -> i32,
    find: unsafe extern "C" fn(*const c_void, *const u8, usize, *mut *mut c_void) -> i32,
    count: unsafe extern "C" fn(*const c_void) -> usize,
    get: unsafe extern "C" fn(*const c_void, usize) -> *const c_void,
    text: unsafe extern "C" fn(*const c_void, u32, *mut usize) -> *const c_char,
    free: unsafe extern "C" fn(*mut c_void),
}

impl Library {
    fn open(path: &Path) -> Library {
        let name = CString::new(path.to_str().expect("the path should be UTF-8")).unwrap();
        // SAFETY: the name ends in a NUL; the library runs no code when it is opened.
        let library = unsafe { dlopen(name.as_ptr(), RTLD_NOW) };
        // SAFETY: the message is valid until the next call.
        assert!(!library.is_null(), "{:?}; run make first", unsafe { CStr::from_ptr(dlerror()) });
        let symbol = |name: &CStr| {
            // SAFETY: the library is open.
            let symbol = unsafe { dlsym(library, name.as_ptr()) };
            assert!(!symbol.is_null(), "{name:?} is missing");
            symbol
        };
        // SAFETY: the types are those of include/iriscan.h.
        unsafe {
            Library {
                finder_new: function(symbol(c"iriscan_finder_new")),
                find: function(symbol(c"iriscan_find")),
                count: function(symbol(c"iriscan_links_count")),
                get: function(symbol(c"iriscan_links_get")),
                text: function(symbol(c"iriscan_link_get")),
                free: function(symbol(c"iriscan_links_free")),
            }
        }
    }

    fn finder(&self) -> *mut c_void {
        let (charset, mut finder) = (c"utf-8".as_ptr(), ptr::null_mut());
        let size = std::mem::size_of::<Options>();
        let options = Options { size, kinds: 1, charset, rest: [0; 16] };
        // SAFETY: the pointers are valid.
        assert_eq!(unsafe { (self.finder_new)(&raw const options, &raw mut finder) }, 0);
        finder
    }

    /// Finds the links, and frees the list.
    fn links(&self, finder: *const c_void, line: &str) {
        let mut links = ptr::null_mut();
        // SAFETY: the pointers are valid.
        unsafe {
            (self.find)(finder, line.as_ptr(), line.len(), &raw mut links);
            (self.free)(black_box(links));
        }
    }

    /// Finds the links and asks for each. Returns how many there are.
    fn strings(&self, finder: *const c_void, line: &str) -> usize {
        let mut links = ptr::null_mut();
        // SAFETY: the pointers are valid.
        unsafe {
            (self.find)(finder, line.as_ptr(), line.len(), &raw mut links);
            let count = (self.count)(links);
            for i in 0..count {
                let link = (self.get)(links, i);
                for field in FIELDS {
                    black_box((self.text)(link, field, ptr::null_mut()));
                }
            }
            (self.free)(links);
            count
        }
    }
}

/// Finds the links in Rust.
fn links(finder: &Finder, line: &str) -> usize {
    let links: Vec<Link> = finder.find_iter(line).map(|link| link.to_link()).collect();
    black_box(links).len()
}

/// Finds the links in Rust and asks for all that a link of C has.
fn strings(finder: &Finder, line: &str) -> usize {
    let all: Vec<_> = finder
        .find_iter(line)
        .map(|link| {
            let facts = (
                link.source().to_vec(),
                link.text().into_owned(),
                link.iri().into_owned(),
                link.uri().map(|uri| uri.as_str().to_owned()),
                link.open(),
                link.scheme(),
            );
            (facts, link.range(), link.kind(), link.host(), link.warnings())
        })
        .collect();
    black_box(all).len()
}

/// Calls of a batch, and batches of each side.
const CALLS: u32 = 2000;
const BATCHES: usize = 201;

/// The median time of a call of each side, in nanoseconds. The sides take turns.
fn medians(mut a: impl FnMut(), mut b: impl FnMut()) -> [f64; 2] {
    let mut times = [Vec::new(), Vec::new()];
    let batch = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        for _ in 0..CALLS {
            work();
        }
        start.elapsed().as_nanos() as f64 / f64::from(CALLS)
    };
    for _ in 0..BATCHES {
        times[0].push(batch(&mut a));
        times[1].push(batch(&mut b));
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

fn main() {
    let default = || {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let target = env::var_os("CARGO_TARGET_DIR");
        target.map_or_else(|| folder.join("../target"), PathBuf::from).join("c/libiriscan.so")
    };
    let path = env::args().skip(1).find(|word| !word.starts_with('-')).map(PathBuf::from);
    let library = Library::open(&path.unwrap_or_else(default));
    let here = Config::new().charset(Charset::UTF_8).build().expect("the options should be valid");
    let there = library.finder();
    let lines = [
        (
            "no link",
            "ok, dann bis morgen um neun am Bahnhof, ich bringe die Unterlagen mit und rufe vorher noch an",
        ),
        (
            "a full stop, no link",
            "ok. dann bis morgen um neun am Bahnhof: ich bringe die Unterlagen mit. rufe vorher noch an",
        ),
        (
            "a link",
            "schau mal hier: https://www.example.org/wiki/Seite?action=view#oben und sag mir, was du davon h",
        ),
        (
            "a link, not ASCII",
            "schau mal hier: https://bücher.example/straße/überblick?q=ß und sag mir dann, was du davon hält",
        ),
    ];
    println!("{:<24}{:<14}{:>9}{:>9}{:>8}", "", "", "Rust, ns", "C, ns", "ratio");
    for (name, line) in lines {
        assert_eq!(library.strings(there, line), links(&here, line));
        let [rust, c] = medians(
            || _ = black_box(links(&here, black_box(line))),
            || library.links(there, black_box(line)),
        );
        println!("{name:<24}{:<14}{rust:>9.1}{c:>9.1}{:>8.2}", "find", c / rust);
        let [rust, c] = medians(
            || _ = black_box(strings(&here, black_box(line))),
            || _ = black_box(library.strings(there, black_box(line))),
        );
        println!("{name:<24}{:<14}{rust:>9.1}{c:>9.1}{:>8.2}", "with strings", c / rust);
    }
}
