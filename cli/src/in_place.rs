//! `rewrite -i`: files replaced by what they become; and a report, by a new one.
//!
//! Knows files, their attributes and signals, and nothing of links. Invariants: at
//! any moment, killed or not, the name of a file leads to all of the old bytes or
//! to all of the new ones; no other file is read, replaced or removed, whoever
//! changes names meanwhile.
//!
//! ```text
//! open   once: both scans read this descriptor, and attributes come from it
//! look   scan, write nothing; the first change ends it, none: done, untouched
//! write  scan again into a temporary file in the same folder
//! keep   mode, owner and group, access list, other attributes; sync
//! check  nobody wrote to the file, and its name still leads to it; else leave it
//! backup with a suffix: a hard link, or a copy, under a name that is free
//! rename over the old one
//! ```

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs::{self, File, Metadata},
    io::{self, BufWriter, Seek, Write},
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard},
};

use crate::{
    input::{self, Outcome, Trouble},
    rewrite::To,
    walk::{Input, Origin},
};

/// Reads an open file and writes what it becomes.
pub(crate) type Rewrite<'r> = dyn FnMut(&Arc<File>, &mut To<'_>) -> Result<Outcome, Trouble> + 'r;

/// Rewrites the file of `input`. `rewrite` reads the open file that it is given: once to
/// see whether anything changes, and then, if so, to write. `backups` may keep the old
/// file.
pub(crate) fn file(
    input: &Input,
    backups: &Backups,
    rewrite: &mut Rewrite<'_>,
) -> Result<Outcome, Trouble> {
    let path = &*input.path;
    let name = input::name(path);
    if path == Path::new("-") {
        input::say("-: standard input cannot be rewritten in place; name files, or leave out -i");
        return Ok(Outcome::NOTHING);
    }
    // A file that was named twice is rewritten by one thread after the other.
    let _turn = Turn::wait(path);
    let changed = || {
        input::say(format_args!(
            "{name}: changed by somebody else while it was read; left as it is, run again"
        ));
        Ok(Outcome::NOTHING)
    };
    let old = match Seen::at(path, input.origin).and_then(|seen| seen.map(Seen::open).transpose()) {
        Ok(Some(Some(old))) => old,
        Ok(Some(None)) => return changed(),
        // It was a regular file when its folder was read: somebody has replaced it.
        Ok(None) if input.origin == Origin::Tree => return Ok(Outcome::LEFT_OUT),
        Ok(None) => {
            input::say(format_args!("{name}: not a regular file; leave out -i to read it"));
            return Ok(Outcome::NOTHING);
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound && input.origin == Origin::Tree => {
            return Ok(Outcome::LEFT_OUT);
        }
        Err(e) => {
            input::complain_of_opening(path, &e);
            return Ok(Outcome::NOTHING);
        }
    };
    let (looked, notes) = input::holding(|| rewrite(&old.file, &mut To::Probe));
    let looked = looked?;
    if looked.links == 0 || !looked.whole {
        input::put(&notes);
        return Ok(looked);
    }
    let failed = |e: &io::Error| {
        let advice = match e.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "make its folder writable"
            }
            io::ErrorKind::InvalidFilename => "give a shorter SUFFIX, or none",
            _ => "make room for a copy in its folder",
        };
        input::say(format_args!("{name}: {}; the file is as it was; {advice}", input::plain(e)));
        Ok(Outcome::NOTHING)
    };
    let refused = |why: String| {
        input::say(format_args!("{name}: {why}"));
        Ok(Outcome::NOTHING)
    };
    // Before the work of writing. Whether the name is free is asked again later.
    if let Some(why) = backups.refuse(&old) {
        return refused(why);
    }
    let new = match Temporary::create(folder(&old.target), PRIVATE) {
        Ok(new) => new,
        Err(e) => return failed(&e),
    };
    if let Err(e) = old.rewind() {
        return failed(&e);
    }
    let mut out = BufWriter::with_capacity(256 * 1024, &new.file);
    let done = match rewrite(&old.file, &mut To::Out(&mut out)) {
        Err(Trouble::Output(e)) => return failed(&e),
        done => done?,
    };
    if !done.whole {
        return Ok(done);
    }
    let written = out.flush().and_then(|()| {
        drop(out);
        old.lend_attributes(&new.file)?;
        new.file.sync_all()
    });
    if !old.is_untouched_at(path) {
        return changed();
    }
    if let Err(e) = written {
        return failed(&e);
    }
    let backup = match backups.keep(&old, |from, to| fs::hard_link(from, to)) {
        Ok(backup) => backup,
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
            return refused(backups.taken(&old));
        }
        Err(e) => return failed(&e),
    };
    // Again, because a copy may have taken long.
    if !old.is_still_at(path) {
        return changed();
    }
    // Closed, because Windows replaces no file that is open.
    drop(old.file);
    match new.replace(&old.target) {
        Ok(()) => {
            backups.made(backup);
            Ok(done)
        }
        Err(e) => failed(&e),
    }
}

/// Writes `bytes` to the file at `path`: in one step, if it is a regular file, or is to
/// be one; a device or a pipe just gets them.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = match fs::metadata(path) {
        Ok(_) => match Seen::at(path, Origin::Named)? {
            None => return fs::write(path, bytes),
            Some(seen) => match seen.open()? {
                None => return Err(io::Error::other("changed by somebody else")),
                old => old,
            },
        },
        // A symbolic link to nothing: the file that it names is made, as by a shell.
        Err(e) if e.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            return fs::write(path, bytes);
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => None,
        Err(e) => return Err(e),
    };
    let target = old.as_ref().map_or(path, |old| &old.target);
    let new = Temporary::create(folder(target), if old.is_some() { PRIVATE } else { ORDINARY })?;
    (&new.file).write_all(bytes)?;
    if let Some(old) = &old {
        old.lend_attributes(&new.file)?;
    }
    new.file.sync_all()?;
    let target = target.to_owned();
    // Closed, because Windows replaces no file that is open.
    drop(old);
    new.replace(&target)
}

/// With `--in-place=SUFFIX`: the names that the old files are kept under.
///
/// No backup replaces a file. A file stays as it is, and the user is told, if the name
/// of its backup is taken: by an input, or by a file that this run did not put there. So
/// the backup of a file that this run changes twice has the bytes from before the run.
pub(crate) struct Backups {
    suffix: String,
    /// The names that the user gave and that end in the suffix, folders resolved.
    inputs: BTreeSet<PathBuf>,
    /// The names of backups that this run made, folders resolved.
    made: Mutex<BTreeSet<PathBuf>>,
}

impl Backups {
    /// Old files are not kept.
    pub(crate) fn none() -> Backups {
        Backups { suffix: String::new(), inputs: BTreeSet::new(), made: Mutex::default() }
    }

    /// `inputs` are all names that the user gave.
    pub(crate) fn new<'p>(suffix: &str, inputs: impl Iterator<Item = &'p Path>) -> Backups {
        let mut backups = Backups { suffix: suffix.into(), ..Backups::none() };
        backups.inputs = inputs.filter(|path| backups.has_name_of(path)).map(resolved).collect();
        backups
    }

    /// True if the file has the name of a backup.
    pub(crate) fn has_name_of(&self, path: &Path) -> bool {
        let suffix = self.suffix.as_bytes();
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        !suffix.is_empty() && name.ends_with(suffix)
    }

    /// The name of the backup of `old`.
    fn name(&self, old: &Old) -> PathBuf {
        let mut name = OsString::from(&old.target);
        name.push(&self.suffix);
        name.into()
    }

    /// Why `old` can have no backup, if that is so, and what to do.
    fn refuse(&self, old: &Old) -> Option<String> {
        if self.suffix.is_empty() {
            return None;
        }
        let name = self.name(old);
        let place = resolved(&name);
        if self.inputs.contains(&place) {
            let (name, what) = (input::name(&name), "is an input too; left as it is");
            return Some(format!("its backup {name} {what}, name one of them at a time"));
        }
        let made = self.lock().contains(&place);
        (!made && name.symlink_metadata().is_ok() && !old.is_at(&name)).then(|| self.taken(old))
    }

    /// That there is a file with the name of the backup of `old`, and what to do.
    fn taken(&self, old: &Old) -> String {
        let name = input::name(&self.name(old));
        format!("its backup {name} exists already; left as it is, move that or give another SUFFIX")
    }

    /// Gives the file its backup, if it is to have one: by `link`, a hard link, or where
    /// there are none by a copy. [`io::ErrorKind::AlreadyExists`]: the name is taken.
    fn keep(
        &self,
        old: &Old,
        link: impl Fn(&Path, &Path) -> io::Result<()>,
    ) -> io::Result<Option<Backup>> {
        if self.suffix.is_empty() {
            return Ok(None);
        }
        let name = self.name(old);
        let place = resolved(&name);
        if self.lock().contains(&place) {
            return Ok(None);
        }
        match link(&old.target, &name) {
            Ok(()) => {}
            // A run was killed after it had made the backup.
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && old.is_at(&name) => {
                return Ok(Some(Backup { name: None, place }));
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => return Err(e),
            Err(_) => old.copy_to(&name)?,
        }
        Ok(Some(Backup { name: Some(name), place }))
    }

    /// The old file has been replaced: its backup stays.
    fn made(&self, backup: Option<Backup>) {
        if let Some(mut backup) = backup {
            backup.name = None;
            self.lock().insert(std::mem::take(&mut backup.place));
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        self.made.lock().expect(POISONED)
    }
}

/// A backup of a file that has not been replaced yet: it is gone with this value.
struct Backup {
    /// `None`: it stays.
    name: Option<PathBuf>,
    place: PathBuf,
}

impl Drop for Backup {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            let _ = fs::remove_file(name);
        }
    }
}

/// `path` without links and `..` in the names of its folders. Its own name stays,
/// because it may be a link, or the name of nothing.
fn resolved(path: &Path) -> PathBuf {
    match (fs::canonicalize(folder(path)), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// The files that are being rewritten.
static BUSY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
static DONE: Condvar = Condvar::new();

/// No other thread rewrites the same file.
struct Turn(PathBuf);

impl Turn {
    /// Waits for the one that does.
    fn wait(path: &Path) -> Turn {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let busy = BUSY.lock().expect(POISONED);
        let mut busy = DONE.wait_while(busy, |busy| busy.contains(&path)).expect(POISONED);
        busy.insert(path.clone());
        Turn(path)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        BUSY.lock().expect(POISONED).remove(&self.0);
        DONE.notify_all();
    }
}

/// A thread panicked, which the program does not survive.
const POISONED: &str = "no thread should have panicked";

/// The folder that a file is in.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// A regular file that was looked at by its name, and is to be opened.
struct Seen {
    /// Its name, after symbolic links.
    target: PathBuf,
    about: Metadata,
}

impl Seen {
    /// `None`: `path` leads to something other than a regular file. In a tree, a
    /// symbolic link is such a thing.
    fn at(path: &Path, origin: Origin) -> io::Result<Option<Seen>> {
        let itself = fs::symlink_metadata(path)?;
        let is_link = itself.is_symlink() && origin == Origin::Named;
        let about = if is_link { fs::metadata(path)? } else { itself };
        if !about.is_file() {
            // Which must have no name: /dev/stdout may lead to a pipe.
            return Ok(None);
        }
        let target = if is_link { fs::canonicalize(path)? } else { path.to_owned() };
        Ok(Some(Seen { target, about }))
    }

    /// `None`: by now the name leads to another file.
    fn open(self) -> io::Result<Option<Old>> {
        let Some(file) = input::open_regular(&self.target)? else { return Ok(None) };
        let about = file.metadata()?;
        let same = identity(&about) == identity(&self.about);
        Ok(same.then(|| Old { target: self.target, file: Arc::new(file), about }))
    }
}

/// A file to be replaced. It is open, so that its bytes and attributes are its own,
/// whatever its name leads to by then.
struct Old {
    /// Its name, after symbolic links.
    target: PathBuf,
    file: Arc<File>,
    about: Metadata,
}

impl Old {
    /// Reads on from its beginning.
    fn rewind(&self) -> io::Result<()> {
        (&*self.file).rewind()
    }

    /// True if `path` leads to the file, and nobody changed its bytes, its attributes or
    /// its names since it was opened. A change that leaves length and time of change as
    /// they were, as by `touch -r`, shows in the time of the last change of status.
    fn is_untouched_at(&self, path: &Path) -> bool {
        let now = self.file.metadata();
        now.is_ok_and(|now| status(&now) == status(&self.about)) && self.is_still_at(path)
    }

    /// True if `path` and the file's own name lead to it, and nobody wrote to it. A
    /// backup that is a hard link does not matter.
    fn is_still_at(&self, path: &Path) -> bool {
        let same = |now: io::Result<Metadata>| {
            let print = |about: &Metadata| (identity(about), about.len(), about.modified().ok());
            now.is_ok_and(|now| print(&now) == print(&self.about))
        };
        same(self.file.metadata())
            && same(fs::metadata(path))
            && same(fs::symlink_metadata(&self.target))
    }

    /// True if `path` is a name of the file.
    fn is_at(&self, path: &Path) -> bool {
        // Elsewhere, two files cannot be told apart.
        cfg!(unix)
            && fs::symlink_metadata(path).is_ok_and(|at| identity(&at) == identity(&self.about))
    }

    /// Makes a copy at `path`, which must be the name of nothing. The new file is
    /// written by its descriptor, so that nobody can lead the bytes elsewhere.
    fn copy_to(&self, path: &Path) -> io::Result<()> {
        let copy = Temporary::claim(path)?;
        self.rewind()?;
        io::copy(&mut &*self.file, &mut &copy.file)?;
        self.lend_attributes(&copy.file)?;
        if let Ok(time) = self.about.modified() {
            copy.file.set_modified(time)?;
        }
        copy.file.sync_all()?;
        copy.stay();
        Ok(())
    }

    /// Gives its mode and its extended attributes to `new`, and its owner and group where
    /// that is permitted.
    fn lend_attributes(&self, new: &File) -> io::Result<()> {
        let mut permissions = self.about.permissions();
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
            let now = new.metadata()?;
            let (owner, group) = (self.about.uid(), self.about.gid());
            let kept = (owner, group) == (now.uid(), now.gid())
                || fchown(new, Some(owner), Some(group)).is_ok();
            if !kept {
                // Of a stranger's file the group at least; but nobody gets a
                // program that runs as somebody else.
                let _ = fchown(new, None, Some(group));
                permissions.set_mode(permissions.mode() & 0o1777);
            }
        }
        // Windows lets nobody rename over a file that is read-only.
        #[cfg(not(unix))]
        #[allow(clippy::permissions_set_readonly_false)]
        permissions.set_readonly(false);
        #[cfg(not(target_os = "linux"))]
        return new.set_permissions(permissions);
        #[cfg(target_os = "linux")]
        {
            // What the folder gives to new files would be added to the mode.
            extended::drop_list(new);
            new.set_permissions(permissions)?;
            extended::lend(&self.file, new)
        }
    }
}

/// Extended attributes, of which an access list is one.
#[cfg(target_os = "linux")]
mod extended {
    use std::{fs::File, io};

    use rustix::{
        fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr},
        io::Errno,
    };

    /// The most bytes that a value, or all names, may have.
    const MAX: usize = 64 << 10;

    const ACCESS_LIST: &[u8] = b"system.posix_acl_access";
    const LABEL: &[u8] = b"security.selinux";

    /// Takes the access list away, if there is one.
    pub(super) fn drop_list(new: &File) {
        let _ = fremovexattr(new, ACCESS_LIST);
    }

    /// Gives those of `old` to `new`: what users put there and the access list, without
    /// which some could read it who could not before; the label where that is permitted.
    /// Others tell what the bytes were, or are the system's own.
    pub(super) fn lend(old: &File, new: &File) -> io::Result<()> {
        let mut names = vec![0; MAX];
        let len = match flistxattr(old, &mut names[..]) {
            Ok(len) => len,
            Err(Errno::NOTSUP) => 0,
            Err(e) => return Err(e.into()),
        };
        let mut value = vec![0; if len > 0 { MAX } else { 0 }];
        for name in names[..len].split(|b| *b == 0) {
            let must = name.starts_with(b"user.") || name == ACCESS_LIST;
            if !must && name != LABEL {
                continue;
            }
            let lent = fgetxattr(old, name, &mut value[..])
                .and_then(|len| fsetxattr(new, name, &value[..len], XattrFlags::empty()));
            if must {
                lent?;
            }
        }
        Ok(())
    }
}

/// Tells one file from another, where the system has numbers for files; elsewhere by
/// the time at which it was made.
fn identity(about: &Metadata) -> impl PartialEq + use<> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        [about.dev(), about.ino()]
    }
    #[cfg(not(unix))]
    about.created().ok()
}

/// The time at which bytes, attributes or names of the file changed last. Nobody can set
/// it, unlike that of the bytes.
fn status(about: &Metadata) -> impl PartialEq + use<> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        [about.ctime(), about.ctime_nsec()]
    }
    #[cfg(not(unix))]
    about.modified().ok()
}

/// The names of all temporary files there are. Who makes, renames or removes one
/// holds the lock, and so does who is ended by a signal, for good.
static NAMES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn names() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    NAMES.lock().expect(POISONED)
}

/// Modes: of a copy of who knows what, and of any file that is made.
const PRIVATE: u32 = 0o600;
const ORDINARY: u32 = 0o666;

/// A file that is gone with the value, or with the program.
struct Temporary {
    file: File,
    path: PathBuf,
}

impl Temporary {
    /// With this mode, less what the user leaves of one.
    fn create(folder: &Path, mode: u32) -> io::Result<Temporary> {
        let mut names = names();
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        #[cfg(not(unix))]
        let _ = mode;
        let file = builder.prefix(".iriscan-").suffix(".tmp").tempfile_in(folder);
        let (file, path) = file?.keep()?;
        names.insert(path.clone());
        Ok(Temporary { file, path })
    }

    /// Under this very name, which must be free; only the user may read it.
    fn claim(path: &Path) -> io::Result<Temporary> {
        let mut names = names();
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, PRIVATE);
        let file = options.open(path)?;
        names.insert(path.to_owned());
        Ok(Temporary { file, path: path.to_owned() })
    }

    /// Gives it the name `path`, which it takes from any other file.
    fn replace(self, path: &Path) -> io::Result<()> {
        let mut names = names();
        fs::rename(&self.path, path)?;
        names.remove(&self.path);
        // So that the name lasts too. Not every system has it.
        #[cfg(unix)]
        let _ = File::open(folder(path)).and_then(|folder| folder.sync_all());
        Ok(())
    }

    /// It is not temporary any more.
    fn stay(self) {
        names().remove(&self.path);
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut names = names();
        if names.remove(&self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// From now on a signal that ends the program ends the temporary files too, and a
/// limit on the size of files is an error like a full disk.
#[cfg(unix)]
pub(crate) fn catch_signals() -> io::Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ},
        iterator::Signals,
    };
    let ignored = ignored();
    let ends = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|n| ignored >> (n - 1) & 1 == 0);
    let mut signals = Signals::new(ends.chain([SIGXFSZ]))?;
    std::thread::spawn(move || {
        for signal in &mut signals {
            if signal != SIGXFSZ {
                let names = names();
                for path in &*names {
                    let _ = fs::remove_file(path);
                }
                crate::progress::clear();
                std::process::exit(128 + signal);
            }
        }
    });
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn catch_signals() -> io::Result<()> {
    Ok(())
}

/// The signals, a bit each, that whoever started the program wants it to ignore, as
/// nohup does. Linux says; elsewhere none.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        os::unix::fs::{MetadataExt, PermissionsExt, symlink},
        thread,
        time::Duration,
    };

    use super::*;
    use crate::{args, rewrite::rewrite};

    const OLD: &str = "see http://e.org/é\n";
    const NEW: &str = "see http://e.org/%C3%A9\n";
    /// As long as `OLD`.
    const SECRET: &str = "key http://e.org/ß\n";

    /// A folder `shown` with the file `a`, and `private` with another file of that name.
    fn folders() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (folder, text, mode) in [("shown", OLD, 0o644), ("private", SECRET, 0o600)] {
            fs::create_dir(dir.path().join(folder)).unwrap();
            let path = dir.path().join(folder).join("a");
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        dir
    }

    fn read(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    /// `iriscan rewrite -i` of `path`, with `before` and `after` called around each of
    /// the two scans; what it said.
    fn run(
        path: &Path,
        origin: Origin,
        backups: &Backups,
        before: &dyn Fn(&To<'_>),
        after: &dyn Fn(),
    ) -> (Outcome, String) {
        let cli = args::parse(["iriscan", "rewrite", "-i", "a"].map(Into::into)).unwrap();
        let args::Command::Rewrite(args) = &cli.command else { panic!("it should be rewrite") };
        let finder = args.scan.finder().unwrap();
        let input = Input::new(path.to_owned(), origin);
        let (done, said) = input::holding(|| {
            file(&input, backups, &mut |open, to| {
                before(to);
                let done = rewrite(&finder, &input, Some(open), args, to, None);
                after();
                done
            })
        });
        (done.unwrap(), said)
    }

    /// Somebody has the folder's name lead to a private folder while the file is read,
    /// and back before anybody looks.
    #[test]
    fn what_is_read_is_the_file_that_was_opened() {
        for origin in [Origin::Named, Origin::Tree] {
            for at_probe in [true, false] {
                let dir = folders();
                let [shown, away] = ["shown", "away"].map(|name| dir.path().join(name));
                let swap = |to: &To<'_>| {
                    if matches!(to, To::Probe) == at_probe {
                        fs::rename(&shown, &away).unwrap();
                        symlink("private", &shown).unwrap();
                    }
                };
                let swap_back = || {
                    if away.exists() {
                        fs::remove_file(&shown).unwrap();
                        fs::rename(&away, &shown).unwrap();
                    }
                };
                let (done, said) =
                    run(&shown.join("a"), origin, &Backups::none(), &swap, &swap_back);
                assert_eq!((done.links, &*said), (1, ""));
                assert_eq!(read(&shown.join("a")), NEW);
                assert_eq!(read(&dir.path().join("private/a")), SECRET);
            }
        }
    }

    /// The name of the file itself leads elsewhere when it is looked at again.
    #[test]
    fn a_name_that_leads_to_another_file_is_left() {
        let dir = folders();
        let [path, aside] = ["shown/a", "shown/aside"].map(|name| dir.path().join(name));
        let swap = |to: &To<'_>| {
            if matches!(to, To::Out(_)) {
                fs::rename(&path, &aside).unwrap();
                symlink("../private/a", &path).unwrap();
            }
        };
        let (done, said) = run(&path, Origin::Named, &Backups::none(), &swap, &|| ());
        assert!(!done.whole && said.contains("changed by somebody else"), "{said}");
        assert!(path.is_symlink());
        assert_eq!([read(&path), read(&aside)], [SECRET, OLD]);
    }

    /// As before, by the name of its folder: the file itself shows nothing of it.
    #[test]
    fn a_folder_that_leads_elsewhere_is_left() {
        let dir = folders();
        let [shown, away] = ["shown", "away"].map(|name| dir.path().join(name));
        let swap = |to: &To<'_>| {
            if matches!(to, To::Out(_)) {
                fs::rename(&shown, &away).unwrap();
                symlink("private", &shown).unwrap();
            }
        };
        let (done, said) = run(&shown.join("a"), Origin::Named, &Backups::none(), &swap, &|| ());
        assert!(!done.whole && said.contains("changed by somebody else"), "{said}");
        assert_eq!([read(&shown.join("a")), read(&away.join("a"))], [SECRET, OLD]);
    }

    #[test]
    fn a_name_that_is_swapped_before_it_is_opened_is_not_followed() {
        type Swap = fn(&Path, &Path);
        let swaps: [Swap; 4] = [
            |path, private| symlink(private, path).unwrap(),
            |path, private| fs::rename(private, path).unwrap(),
            |path, _| fs::create_dir(path).unwrap(),
            |_, _| (),
        ];
        for swap in swaps {
            let dir = folders();
            let [path, private] = ["shown/a", "private/a"].map(|name| dir.path().join(name));
            for origin in [Origin::Named, Origin::Tree] {
                let seen = Seen::at(&path, origin).unwrap().unwrap();
                fs::rename(&path, dir.path().join("aside")).unwrap();
                swap(&path, &private);
                assert!(seen.open().unwrap().is_none());
                if path.is_symlink() {
                    // In a tree, this is how it begins.
                    assert!(Seen::at(&path, Origin::Tree).unwrap().is_none());
                    assert!(input::open_regular(&path).unwrap().is_none());
                }
                let _ = fs::remove_dir(&path).or_else(|_| fs::remove_file(&path));
                fs::rename(dir.path().join("aside"), &path).unwrap();
                let _ = fs::write(&private, SECRET);
            }
        }
    }

    #[test]
    fn attributes_are_those_of_the_open_file() {
        let dir = folders();
        let path = dir.path().join("private/a");
        let old = Seen::at(&path, Origin::Named).unwrap().unwrap().open().unwrap().unwrap();
        fs::rename(&path, dir.path().join("aside")).unwrap();
        fs::rename(dir.path().join("shown/a"), &path).unwrap();
        #[cfg(target_os = "linux")]
        let has_attributes = {
            use rustix::fs::{XattrFlags, setxattr};
            setxattr(&path, "user.note", b"x", XattrFlags::empty()).is_ok()
        };
        let new = File::create_new(dir.path().join("new")).unwrap();
        new.set_permissions(fs::Permissions::from_mode(0o640)).unwrap();
        old.lend_attributes(&new).unwrap();
        assert_eq!(new.metadata().unwrap().mode() & 0o7777, 0o600);
        #[cfg(target_os = "linux")]
        if has_attributes {
            let found = rustix::fs::fgetxattr(&new, "user.note", &mut [0; 8][..]);
            assert!(found.is_err());
        }
    }

    /// An edit of the same length that also restores the time of change, as by
    /// `cp -p` or `rsync -t` of another version.
    #[test]
    fn an_edit_of_the_same_length_and_time_is_seen() {
        let dir = folders();
        let path = dir.path().join("shown/a");
        let edit = |to: &To<'_>| {
            if matches!(to, To::Out(_)) {
                // The clock of a file system may move 100 times a second.
                thread::sleep(Duration::from_millis(50));
                let time = fs::metadata(&path).unwrap().modified().unwrap();
                let file = File::options().write(true).open(&path).unwrap();
                (&file).write_all(SECRET.as_bytes()).unwrap();
                file.set_modified(time).unwrap();
            }
        };
        let (done, said) = run(&path, Origin::Named, &Backups::none(), &edit, &|| ());
        assert!(!done.whole && said.contains("changed by somebody else"), "{said}");
        assert_eq!(read(&path), SECRET);
    }

    fn bak() -> Backups {
        Backups::new(".bak", std::iter::empty())
    }

    fn no_links(_: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    #[test]
    fn where_there_are_no_hard_links_a_backup_is_a_copy() {
        let dir = folders();
        let [path, kept] = ["private/a", "private/a.bak"].map(|name| dir.path().join(name));
        let open = || Seen::at(&path, Origin::Named).unwrap().unwrap().open().unwrap().unwrap();
        let time = std::time::SystemTime::now() - Duration::from_secs(100_000);
        File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        let (old, backups) = (open(), bak());
        // Both scans have read the file.
        io::copy(&mut &*old.file, &mut io::sink()).unwrap();
        let backup = backups.keep(&old, no_links).unwrap();
        assert_eq!(read(&kept), SECRET);
        let about = fs::metadata(&kept).unwrap();
        assert_eq!((about.mode() & 0o7777, about.modified().unwrap()), (0o600, time));
        assert_ne!(about.ino(), old.about.ino());
        assert!(old.is_untouched_at(&path) && !names().contains(&kept));
        // Unless the file is replaced, it is gone.
        drop(backup);
        assert!(!kept.exists());
        let backup = backups.keep(&old, no_links).unwrap();
        backups.made(backup);
        assert!(kept.exists());
        // Once there is a backup of this run, it stays.
        fs::write(&path, OLD).unwrap();
        assert!(backups.refuse(&open()).is_none());
        backups.made(backups.keep(&open(), no_links).unwrap());
        assert_eq!(read(&kept), SECRET);
        // Another run keeps it.
        assert!(bak().refuse(&open()).unwrap().contains("a.bak exists already; "));
        let again = bak().keep(&open(), no_links).map(drop);
        assert_eq!(again.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(read(&kept), SECRET);
    }

    /// Somebody puts a link under the name of the backup, in the moment before it is made.
    #[test]
    fn no_backup_is_written_through_a_link() {
        for target in ["../private/a", "../private/new"] {
            let dir = folders();
            let path = dir.path().join("shown/a");
            let old = Seen::at(&path, Origin::Named).unwrap().unwrap().open().unwrap().unwrap();
            for denied in [io::ErrorKind::Unsupported, io::ErrorKind::AlreadyExists] {
                let link = |_: &Path, to: &Path| {
                    let _ = symlink(target, to);
                    Err(denied.into())
                };
                let kept = bak().keep(&old, link).map(drop);
                assert_eq!(kept.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
            }
            assert_eq!(read(&dir.path().join("private/a")), SECRET);
            assert!(!dir.path().join("private/new").exists());
        }
    }

    /// A file that is changed twice in a run has the backup from before the run.
    #[test]
    fn the_first_backup_of_a_run_stays() {
        let dir = folders();
        let path = dir.path().join("shown/a");
        let backups = bak();
        for text in [OLD, SECRET] {
            fs::write(&path, text).unwrap();
            let (done, said) = run(&path, Origin::Named, &backups, &|_| (), &|| ());
            assert_eq!((done.links, &*said), (1, ""));
        }
        assert_eq!(read(&path), SECRET.replace('ß', "%C3%9F"));
        assert_eq!(read(&dir.path().join("shown/a.bak")), OLD);
    }
}
