//! Real documents, if they are there: every file in `../shared/corpora`.
//!
//! `IRISCAN_DOCUMENTS` names another folder. The folder is not part of the project; without it a
//! test prints that it was skipped. An unoptimised build takes every sixteenth file.

use std::{
    format, fs,
    path::{Path, PathBuf},
    println,
    string::String,
    sync::atomic::{AtomicUsize, Ordering},
    thread, vec,
    vec::Vec,
};

use super::REPOSITORY;

pub(super) const STEP: usize = if cfg!(debug_assertions) { 16 } else { 1 };

/// Every file.
pub(crate) fn all() -> Vec<PathBuf> {
    fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
        let mut entries: Vec<_> =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() { walk(&path, out) } else { out.push(path) }
        }
    }
    let mut out = vec![];
    let elsewhere = std::env::var_os("IRISCAN_DOCUMENTS").map(PathBuf::from);
    let here = || Path::new(REPOSITORY).join("../shared/corpora");
    walk(&elsewhere.unwrap_or_else(here), &mut out);
    if out.is_empty() {
        println!("skipped: there is no folder ../shared/corpora");
    }
    out
}

/// The files of this build.
pub(super) fn files() -> Vec<PathBuf> {
    all().into_iter().step_by(STEP).collect()
}

/// Runs `check` on every file, on two threads. Panics with the failures.
pub(super) fn on_every_file(
    check: impl Fn(usize, &Path, &[u8]) -> Result<usize, String> + Sync,
) -> Option<usize> {
    let files = files();
    if files.is_empty() {
        return None;
    }
    let (next, sum) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let failures = std::sync::Mutex::new(vec![]);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = files.get(i) else { return };
                    let bytes = fs::read(path).expect("the file should be readable");
                    match check(i, path, &bytes) {
                        Ok(n) => drop(sum.fetch_add(n, Ordering::Relaxed)),
                        Err(e) => failures
                            .lock()
                            .expect("no check should panic")
                            .push(format!("{}: {e}", path.display())),
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no check should panic");
    let shown = failures.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} files fail:\n{shown}", failures.len());
    println!("{} files", files.len());
    Some(sum.into_inner())
}
