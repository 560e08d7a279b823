//! The list of inputs: the paths that were named, those of `--files-from`, and the files of
//! folders.
//!
//! In go the options; out come paths, one by one. What must hold: the files of a folder come in
//! the order of their names, folder by folder, and no symbolic link in a folder is followed.

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
    args::scan::InputArgs,
    messages::{
        self,
        progress::{self, Meter, Total},
        say,
        text::{name, reason, shown},
        trouble::Trouble,
    },
};

/// The path of an input.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    pub(crate) origin: Origin,
    /// Counts the bytes that are read, for the progress line.
    pub(crate) meter: Meter,
}

impl Input {
    pub(crate) fn new(path: PathBuf, origin: Origin) -> Input {
        Input { path, origin, meter: Meter::default() }
    }
}

/// Why a path is an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// The user gave its name.
    Named,
    /// It is a regular file in a folder that the user named.
    Tree,
}

/// Whether a command reads the files of folders.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Folders {
    Walked,
    /// It does not; the text says what the user can do.
    Refused(&'static str),
}

/// Gives the inputs one by one, and looks for the next one only when it is asked. `Err` is the
/// message about an input that cannot be one.
pub(crate) struct Inputs {
    named: vec::IntoIter<Result<PathBuf, String>>,
    list: Option<List>,
    tree: Option<Walk>,
    folders: Folders,
    rules: TreeRules,
    /// True once a folder was walked.
    walked: bool,
    /// True once there was an input.
    any: bool,
}

/// Which files of a folder are inputs.
struct TreeRules {
    globs: Override,
    hidden: bool,
    ignored: bool,
}

impl Inputs {
    pub(crate) fn new(args: &InputArgs, folders: Folders) -> Result<Inputs, Trouble> {
        let wrong = |e: ignore::Error| Trouble::Usage(format!("--glob: {e}; see `man gitignore`"));
        let mut globs = OverrideBuilder::new(".");
        for glob in &args.glob {
            globs.add(glob).map_err(wrong)?;
        }
        let globs = globs.build().map_err(wrong)?;
        let list = match &args.files_from {
            None => None,
            Some(path) => Some(List::open(path, args.null_paths).map_err(|e| {
                let why = reason(&e);
                Trouble::Usage(format!("{}: {why}; check the path", name(path)))
            })?),
        };
        if list.is_none() && args.paths.is_empty() {
            messages::say_typed();
        }
        let named = if list.is_some() { args.paths.clone() } else { args.named() };
        let rules = TreeRules { globs, hidden: args.hidden, ignored: args.no_ignore };
        let named = named.into_iter().map(Ok).collect::<Vec<_>>().into_iter();
        Ok(Inputs { named, list, tree: None, folders, rules, walked: false, any: false })
    }

    /// After all inputs: says so if `--glob` has left nothing of the folders.
    pub(crate) fn say_unmatched(&self) {
        if self.walked && !self.any && !self.rules.globs.is_empty() {
            say("no files were searched: none matches --glob; change it, or leave it out");
        }
    }

    /// True if a folder or a list gave inputs.
    pub(crate) fn are_many(&self) -> bool {
        self.walked || self.list.is_some()
    }

    /// Starts the progress line for these inputs, if it is `wanted`.
    pub(crate) fn show_progress(args: &InputArgs, wanted: bool) {
        let args = args.clone();
        progress::start(wanted, move || Inputs::count(&args));
    }

    /// The sum of the sizes of all inputs, and their number; `None` if a pipe or standard input is one of them or
    /// names them.
    fn count(args: &InputArgs) -> Option<Total> {
        let is_pipe = |path: &Path| path.metadata().is_ok_and(|it| !it.is_file() && !it.is_dir());
        let is_known = |path: &Path| path != Path::new("-") && !is_pipe(path);
        let mut named = args.files_from.iter().chain(&args.paths);
        if args.files_from.is_none() && args.paths.is_empty() || !named.all(|path| is_known(path)) {
            return None;
        }
        let mut all = (0, 0);
        for input in Inputs::new(args, Folders::Walked).ok()?.flatten() {
            if is_pipe(&input.path) {
                return None;
            }
            if let Ok(about) = input.path.metadata() {
                all = (all.0 + about.len(), all.1 + 1);
            }
        }
        Some(all)
    }

    /// All paths that were named or are in the list. Reads the list to its end.
    pub(crate) fn all_named(&mut self) -> impl Iterator<Item = &Path> {
        let all: Vec<_> = iter::from_fn(|| self.named()).collect();
        self.named = all.into_iter();
        self.named.as_slice().iter().flatten().map(PathBuf::as_path)
    }

    /// The next path that was named or is in the list.
    fn named(&mut self) -> Option<Result<PathBuf, String>> {
        match (self.named.next(), &mut self.list) {
            (Some(path), _) => Some(path),
            (None, Some(list)) => match list.next()? {
                // In a list, `-` is the name of a file.
                Ok(path) if path == Path::new("-") => Some(Ok("./-".into())),
                // No file name has a NUL.
                Ok(path) if path.as_os_str().as_encoded_bytes().contains(&0) => {
                    let what = "a line holds NUL; add --null-paths if that ends names";
                    Some(Err(format!("--files-from: {what}")))
                }
                Ok(path) => Some(Ok(path)),
                Err(e) => {
                    let why = reason(&e);
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
                    // A folder, whose files come next, or something that is no file.
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
                    return Some(Err(format!("{}: is a directory; {advice}", name(&path))));
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

impl TreeRules {
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

/// True for names that are never documents, even with `--hidden`: the folder of git, and the
/// temporary files that `rewrite -i` leaves when it is killed.
fn is_private(name: &str) -> bool {
    name == ".git" || name.starts_with(".iriscan-") && name.ends_with(".tmp")
}

/// The message about a folder that cannot be read, or about a wrong rule in it.
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
        // Without the path, because the message begins with it.
        Some(e) => reason(e),
        None => inner.to_string(),
    };
    match path {
        Some(path) => format!("{}: {why}; its files were left out", name(path)),
        None => format!("{}; its files were left out", shown(&e.to_string())),
    }
}

/// A list of paths.
struct List {
    reader: Box<dyn BufRead + Send>,
    /// The byte after each path.
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

    /// The next path. Empty ones are skipped.
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
    // On Windows, lines end in CRLF and no name ends in CR.
    if bytes.ends_with(b"\r") {
        bytes.pop();
    }
    String::from_utf8_lossy(&bytes).into_owned().into()
}
