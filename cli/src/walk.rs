//! Which inputs there are: paths as they were named, lists of paths, and the files
//! of trees.
//!
//! Knows names and kinds of files, and reads none but lists. Invariant: a tree's
//! files come in the order of their names, folder by folder, and no symbolic link in
//! it is followed.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader},
    iter,
    path::{Path, PathBuf},
    vec,
};

use ignore::{
    Walk, WalkBuilder,
    overrides::{Override, OverrideBuilder},
};

use crate::{
    args::ScanArgs,
    input::{self, Trouble},
    progress::Meter,
};

/// An input.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    pub(crate) origin: Origin,
    /// For progress.
    pub(crate) meter: Meter,
}

impl Input {
    pub(crate) fn new(path: PathBuf, origin: Origin) -> Input {
        Input { path, origin, meter: Meter::default() }
    }
}

/// How an input came to be one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// The user gave its name.
    Named,
    /// It is a regular file in a folder that was named.
    Tree,
}

/// Whether a command takes folders.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Folders {
    Walked,
    /// It does not, and what to do.
    Refused(&'static str),
}

/// All inputs, one by one: none is looked for before it is wanted. `Err`: what is
/// wrong with one.
pub(crate) struct Inputs {
    named: vec::IntoIter<Result<PathBuf, String>>,
    list: Option<List>,
    tree: Option<Walk>,
    folders: Folders,
    rules: Rules,
    /// Whether a folder was walked, and whether there was an input.
    walked: bool,
    any: bool,
}

/// What of a tree counts.
struct Rules {
    globs: Override,
    hidden: bool,
    ignored: bool,
}

impl Inputs {
    pub(crate) fn new(args: &ScanArgs, folders: Folders) -> Result<Inputs, Trouble> {
        let wrong = |e: ignore::Error| Trouble::Usage(format!("--glob: {e}; see `man gitignore`"));
        let mut globs = OverrideBuilder::new(".");
        for glob in &args.glob {
            globs.add(glob).map_err(wrong)?;
        }
        let globs = globs.build().map_err(wrong)?;
        let list = match &args.files_from {
            None => None,
            Some(path) => Some(List::open(path, args.null_paths).map_err(|e| {
                let why = input::plain(&e);
                Trouble::Usage(format!("{}: {why}; check the path", input::name(path)))
            })?),
        };
        if list.is_none() && args.paths.is_empty() {
            input::say_typed();
        }
        let named = if list.is_some() { args.paths.clone() } else { args.inputs() };
        let rules = Rules { globs, hidden: args.hidden, ignored: args.no_ignore };
        let named = named.into_iter().map(Ok).collect::<Vec<_>>().into_iter();
        Ok(Inputs { named, list, tree: None, folders, rules, walked: false, any: false })
    }

    /// Behind all of them: of the folders there was no file that --glob lets through.
    pub(crate) fn say_unmatched(&self) {
        if self.walked && !self.any && !self.rules.globs.is_empty() {
            input::say("no files were searched: none matches --glob; change it, or leave it out");
        }
    }

    /// All paths that are named or in the list, which is read to its end for that.
    pub(crate) fn all_named(&mut self) -> impl Iterator<Item = &Path> {
        let all: Vec<_> = iter::from_fn(|| self.named()).collect();
        self.named = all.into_iter();
        self.named.as_slice().iter().flatten().map(PathBuf::as_path)
    }

    /// A path that was named, or is in the list.
    fn named(&mut self) -> Option<Result<PathBuf, String>> {
        match (self.named.next(), &mut self.list) {
            (Some(path), _) => Some(path),
            (None, Some(list)) => match list.next()? {
                // A list names files, and this is one.
                Ok(path) if path == Path::new("-") => Some(Ok("./-".into())),
                // No file has such a name.
                Ok(path) if path.as_os_str().as_encoded_bytes().contains(&0) => {
                    let what = "a line holds NUL; add --null-paths if that ends names";
                    Some(Err(format!("--files-from: {what}")))
                }
                Ok(path) => Some(Ok(path)),
                Err(e) => {
                    let why = input::plain(&e);
                    self.list = None;
                    Some(Err(format!("--files-from: {why}; what could be read was used")))
                }
            },
            (None, None) => None,
        }
    }

    fn find_next(&mut self) -> Option<Result<Input, String>> {
        loop {
            while let Some(tree) = &mut self.tree {
                match tree.next() {
                    None => self.tree = None,
                    Some(Ok(entry)) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                        return Some(Ok(Input::new(entry.into_path(), Origin::Tree)));
                    }
                    // Folders, whose files come next, and what is no file.
                    Some(Ok(_)) => {}
                    Some(Err(e)) => return Some(Err(unwalkable(&e))),
                }
            }
            let path = match self.named()? {
                Ok(path) => path,
                Err(why) => return Some(Err(why)),
            };
            if path == Path::new("-") || !path.is_dir() {
                return Some(Ok(Input::new(path, Origin::Named)));
            }
            match self.folders {
                Folders::Walked => {
                    self.tree = Some(self.rules.walk(&path));
                    self.walked = true;
                }
                Folders::Refused(advice) => {
                    return Some(Err(format!("{}: is a directory; {advice}", input::name(&path))));
                }
            }
        }
    }
}

impl Iterator for Inputs {
    type Item = Result<Input, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.find_next();
        self.any |= next.is_some();
        next
    }
}

impl Rules {
    fn walk(&self, folder: &Path) -> Walk {
        WalkBuilder::new(folder)
            .standard_filters(!self.ignored)
            .hidden(!self.hidden)
            .overrides(self.globs.clone())
            .filter_entry(|entry| {
                entry.depth() == 0 || !is_private(&entry.file_name().to_string_lossy())
            })
            .sort_by_file_name(Ord::cmp)
            .build()
    }
}

/// Whether a file of this name is nobody's document, even if hidden ones count: what
/// git keeps, and what `rewrite -i` left when it was killed.
fn is_private(name: &str) -> bool {
    name == ".git" || name.starts_with(".iriscan-") && name.ends_with(".tmp")
}

/// A folder that cannot be read, or a rule in it.
fn unwalkable(e: &ignore::Error) -> String {
    let (mut inner, mut path) = (e, None);
    loop {
        match inner {
            ignore::Error::WithPath { path: at, err } => (inner, path) = (err, Some(at)),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
                inner = err;
            }
            _ => break,
        }
    }
    let why = match inner.io_error() {
        // Without the path, which stands in front.
        Some(e) => input::plain(e),
        None => inner.to_string(),
    };
    match path {
        Some(path) => format!("{}: {why}; its files were left out", input::name(path)),
        None => format!("{}; its files were left out", input::shown(&e.to_string())),
    }
}

/// A list of paths.
struct List {
    reader: Box<dyn BufRead + Send>,
    /// What ends a path.
    end: u8,
}

impl List {
    fn open(path: &Path, nulls: bool) -> io::Result<List> {
        let reader: Box<dyn BufRead + Send> = match path == Path::new("-") {
            true => Box::new(BufReader::new(io::stdin())),
            false if fs::metadata(path)?.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            false => Box::new(BufReader::new(File::open(path)?)),
        };
        Ok(List { reader, end: if nulls { 0 } else { b'\n' } })
    }

    /// The next path; an empty one does not count.
    fn next(&mut self) -> Option<io::Result<PathBuf>> {
        loop {
            let mut bytes = Vec::new();
            match self.reader.read_until(self.end, &mut bytes) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(e) => return Some(Err(e)),
            }
            if bytes.ends_with(&[self.end]) {
                bytes.pop();
            }
            if !bytes.is_empty() {
                return Some(Ok(to_path(bytes)));
            }
        }
    }
}

#[cfg(unix)]
fn to_path(bytes: Vec<u8>) -> PathBuf {
    let name: std::ffi::OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes);
    name.into()
}

#[cfg(not(unix))]
fn to_path(mut bytes: Vec<u8>) -> PathBuf {
    // Lists end their lines in CRLF there, and no name ends in CR.
    if bytes.ends_with(b"\r") {
        bytes.pop();
    }
    String::from_utf8_lossy(&bytes).into_owned().into()
}
