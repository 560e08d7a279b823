//! `rewrite -i`: replaces files by their rewritten form.
//!
//! What must hold: at any moment, even if the program is killed, the name of a file leads to all
//! of the old bytes or to all of the new ones; and no other file is read, replaced or removed,
//! even if somebody changes names at the same time.
//!
//! ```text
//! open    once: both scans read this descriptor, and the attributes come from it
//! probe   scan and write nothing; the first change ends it. No change: done, untouched
//! write   scan again, into a temporary file in the same folder; a short file is scanned once, in memory
//! copy    mode, owner and group, access list, other attributes
//! check   nobody wrote to the file, and its name still leads to it; else leave it
//!
//! and for a batch of files together, because each wait for the disk takes as long as hundreds of short files:
//!
//! sync    the new files
//! check   again
//! backup  with a suffix: a hard link, or a copy, under a name that is free
//! rename  over the old files
//! sync    their folders, each once
//! ```

use std::{
    collections::BTreeSet,
    fmt,
    fs::{self, File},
    io::{self, BufWriter, Write},
    mem,
    path::{Path, PathBuf},
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::{
    files::folder,
    inputs::{
        Outcome,
        list::{Input, Origin},
    },
    messages::{
        self, say,
        text::{name, reason},
        trouble::{Trouble, complain_of_opening},
    },
    output::{
        Destination,
        backups::Backups,
        old_file::{Links, Lookup, OldFile},
        temporary::{PRIVATE, Temporary, sync_folder},
    },
};

/// Scans an open file and writes its rewritten form.
pub(super) type Scan<'r> =
    dyn FnMut(&Arc<File>, &mut Destination<'_>) -> Result<Outcome, Trouble> + 'r;

/// Rewrites the file of `input`. `scan` is called once to see whether anything changes and, if
/// so, once more to write; of a short file, once for both. The new file is in `batch` then, and gets its name with others.
pub(super) fn rewrite(
    input: &Input,
    batch: &Batch<'_>,
    scan: &mut Scan<'_>,
) -> Result<Outcome, Trouble> {
    let path = &*input.path;
    if path == Path::new("-") {
        say("-: standard input cannot be rewritten in place; name files, or leave out -i");
        return Ok(Outcome::NOTHING);
    }
    // If a file was named twice, one thread waits for the other.
    let turn = batch.wait(path);
    let old = match open(input) {
        Ok(old) => old,
        Err(outcome) => return Ok(outcome),
    };
    let mut text = Vec::new();
    let first = match old.len() <= SHORT {
        true => &mut Destination::All(&mut text),
        false => &mut Destination::Probe,
    };
    let is_probe = matches!(first, Destination::Probe);
    let (probed, notes) = messages::holding(|| scan(old.file(), first));
    let probed = probed?;
    let is_over = probed.links == 0 || !probed.whole;
    if is_over || !is_probe {
        messages::put(&notes);
    }
    if is_over {
        return Ok(probed);
    }
    // Before the work of writing. Whether the name is free is checked again later.
    if let Some(why) = batch.backups.refuse(&old) {
        return Ok(left(path, why));
    }
    let written = match is_probe {
        true => write(path, &old, &mut |out| scan(old.file(), &mut Destination::All(out)))?,
        false => write(path, &old, &mut |out| {
            out.write_all(&text).map(|()| probed).map_err(Trouble::Output)
        })?,
    };
    let (new, done) = match written {
        Written::Complete(new, done) => (new, done),
        Written::Not(outcome) => return Ok(outcome),
    };
    batch.put(Ready { path: path.to_owned(), old, new, place: turn.keep() });
    Ok(done)
}

/// The longest file that is scanned once, in memory.
const SHORT: u64 = 256 << 10;

/// Opens the file of `input`. `Err`: there is nothing to rewrite.
fn open(input: &Input) -> Result<OldFile, Outcome> {
    let path = &*input.path;
    let links = match input.origin {
        Origin::Named => Links::Followed,
        Origin::Tree => Links::Refused,
    };
    match OldFile::at(path, links) {
        Ok(Lookup::Open(old)) => Ok(*old),
        Ok(Lookup::Replaced) => Err(changed(path)),
        // It was a regular file when its folder was read: somebody has replaced it.
        Ok(Lookup::NotRegular) if input.origin == Origin::Tree => Err(Outcome::LEFT_OUT),
        Ok(Lookup::NotRegular) => Err(left(path, "not a regular file; leave out -i to read it")),
        Err(e) if e.kind() == io::ErrorKind::NotFound && input.origin == Origin::Tree => {
            Err(Outcome::LEFT_OUT)
        }
        Err(e) => {
            complain_of_opening(path, &e);
            Err(Outcome::NOTHING)
        }
    }
}

/// What [`write()`] did.
enum Written {
    /// The new file is complete, with the attributes of the old one.
    Complete(Temporary, Outcome),
    /// There is no new file, and the user was told why.
    Not(Outcome),
}

/// Writes the rewritten form of `old`, by `scan`, to a temporary file beside it.
fn write(
    path: &Path,
    old: &OldFile,
    scan: &mut dyn FnMut(&mut dyn Write) -> Result<Outcome, Trouble>,
) -> Result<Written, Trouble> {
    let new = match Temporary::create(folder(old.target()), PRIVATE) {
        Ok(new) => new,
        Err(e) => return Ok(Written::Not(failed(path, &e))),
    };
    if let Err(e) = old.rewind() {
        return Ok(Written::Not(failed(path, &e)));
    }
    let mut out = BufWriter::with_capacity(old.len().clamp(1, SHORT) as usize, new.file());
    let done = match scan(&mut out) {
        Err(Trouble::Output(e)) => return Ok(Written::Not(failed(path, &e))),
        done => done?,
    };
    if !done.whole {
        return Ok(Written::Not(done));
    }
    let written = out.flush().and_then(|()| {
        drop(out);
        old.lend_attributes(new.file())
    });
    Ok(if !old.is_untouched_at(path) {
        Written::Not(changed(path))
    } else if let Err(e) = written {
        Written::Not(failed(path, &e))
    } else {
        Written::Complete(new, done)
    })
}

/// Makes the backup, and gives the name of the old file to the new one. Returns false if
/// that was not possible; the user was told.
fn replace(ready: Ready, backups: &Backups) -> bool {
    let Ready { path, old, new, .. } = ready;
    // Renaming another name of the file changes its status too.
    let same =
        if old.has_other_names() { old.is_still_at(&path) } else { old.is_untouched_at(&path) };
    if !same {
        return changed(&path).whole;
    }
    let backup = match backups.keep(&old, |from, to| fs::hard_link(from, to)) {
        Ok(backup) => backup,
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
            return left(&path, backups.taken(&old)).whole;
        }
        Err(e) => return failed(&path, &e).whole,
    };
    // Checked again, because making a copy may have taken long.
    if !old.is_still_at(&path) {
        return changed(&path).whole;
    }
    let target = old.target().to_owned();
    // Closed, because Windows replaces no file that is open.
    drop(old);
    match new.rename(&target) {
        Ok(()) => {
            backups.made(backup);
            true
        }
        Err(e) => failed(&path, &e).whole,
    }
}

/// Says why the file was left as it is.
fn left(path: &Path, why: impl fmt::Display) -> Outcome {
    say(format_args!("{}: {why}", name(path)));
    Outcome::NOTHING
}

/// Says that somebody else has changed the file.
fn changed(path: &Path) -> Outcome {
    left(path, "changed by somebody else while it was read; left as it is, run again")
}

/// Says that the new file could not be written.
fn failed(path: &Path, e: &io::Error) -> Outcome {
    let advice = match e.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "make its folder writable"
        }
        io::ErrorKind::InvalidFilename => "give a shorter SUFFIX, or none",
        _ => "make room for a copy in its folder",
    };
    left(path, format_args!("{}; the file is as it was; {advice}", reason(e)))
}

/// How many new files wait to get their names, at most. Each has two open files.
const FILES: usize = 64;

/// How many bytes they have, at most, but for the last one.
const BYTES: u64 = 64 << 20;

/// A new file that is complete, but perhaps not on the disk.
struct Ready {
    path: PathBuf,
    old: OldFile,
    new: Temporary,
    /// The resolved path.
    place: PathBuf,
}

/// The files that are being rewritten, and those that are to get their names together.
pub(super) struct Batch<'b> {
    backups: &'b Backups,
    state: Mutex<State>,
    done: Condvar,
    failed: AtomicU64,
}

#[derive(Default)]
struct State {
    /// The resolved paths of all of them.
    files: BTreeSet<PathBuf>,
    ready: Vec<Ready>,
}

/// A thread panicked, which the program does not survive.
const POISONED: &str = "no thread should have panicked";

/// While this value exists, no other thread rewrites the same file.
struct Turn<'b> {
    batch: &'b Batch<'b>,
    place: PathBuf,
}

impl<'b> Batch<'b> {
    pub(super) fn new(backups: &'b Backups) -> Batch<'b> {
        let (state, done, failed) = (Mutex::default(), Condvar::new(), AtomicU64::new(0));
        Batch { backups, state, done, failed }
    }

    /// Waits until no other thread rewrites the file. If its new form waits for its name, it gets that now.
    fn wait(&self, path: &Path) -> Turn<'_> {
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut state = self.state.lock().expect(POISONED);
        while state.files.contains(&place) {
            if state.ready.iter().any(|ready| ready.place == place) {
                let ready = mem::take(&mut state.ready);
                drop(state);
                self.commit(ready);
                state = self.state.lock().expect(POISONED);
            } else {
                state = self.done.wait(state).expect(POISONED);
            }
        }
        state.files.insert(place.clone());
        Turn { batch: self, place }
    }

    /// Takes a new file. If there are enough of them, all get their names.
    fn put(&self, ready: Ready) {
        let mut state = self.state.lock().expect(POISONED);
        state.ready.push(ready);
        let bytes: u64 = state.ready.iter().map(|ready| ready.old.len()).sum();
        let all = match state.ready.len() >= FILES || bytes >= BYTES {
            true => mem::take(&mut state.ready),
            false => Vec::new(),
        };
        drop(state);
        self.done.notify_all();
        self.commit(all);
    }

    /// Gives the new files that are left their names. Returns how many files of all could not be replaced.
    pub(super) fn finish(self) -> u64 {
        let ready = mem::take(&mut self.state.lock().expect(POISONED).ready);
        self.commit(ready);
        self.failed.into_inner()
    }

    /// Gives new files their names. No file gets its name before its bytes are on the disk.
    fn commit(&self, all: Vec<Ready>) {
        if all.is_empty() {
            return;
        }
        let places: Vec<PathBuf> = all.iter().map(|ready| ready.place.clone()).collect();
        let synced: Vec<_> = all
            .into_iter()
            .map(|ready| match ready.new.file().sync_all() {
                Ok(()) => Some(ready),
                Err(e) => {
                    failed(&ready.path, &e);
                    None
                }
            })
            .collect();
        let mut folders = BTreeSet::new();
        for ready in synced {
            let replaced = ready.is_some_and(|ready| {
                folders.insert(folder(ready.old.target()).to_owned());
                replace(ready, self.backups)
            });
            self.failed.fetch_add(u64::from(!replaced), Ordering::Relaxed);
        }
        folders.iter().for_each(|folder| sync_folder(folder));
        let mut state = self.state.lock().expect(POISONED);
        places.iter().for_each(|place| _ = state.files.remove(place));
        drop(state);
        self.done.notify_all();
    }
}

impl Turn<'_> {
    /// The file stays that of this thread.
    fn keep(mut self) -> PathBuf {
        mem::take(&mut self.place)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if !self.place.as_os_str().is_empty() {
            self.batch.state.lock().expect(POISONED).files.remove(&self.place);
            self.batch.done.notify_all();
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        os::unix::fs::{MetadataExt, PermissionsExt, symlink},
        thread,
        time::Duration,
    };

    use super::*;
    use crate::{
        args,
        commands::rewrite::input::InputRewriter,
        files::open_regular,
        inputs::open::{InputOpener, Purpose},
        output::{old_file::FileAt, temporary::names},
    };

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
        before: &dyn Fn(&Destination<'_>),
        after: &dyn Fn(),
    ) -> (Outcome, String) {
        let cli = args::parse(["iriscan", "rewrite", "-i", "a"].map(Into::into)).unwrap();
        let args::Command::Rewrite(args) = &cli.command else { panic!("it should be rewrite") };
        let finder = args.scan.rules.config().build().unwrap();
        let input = Input::new(path.to_owned(), origin);
        let opener = InputOpener::new(&args.scan, Purpose::RewriteInPlace);
        let read = AtomicU64::new(0);
        let rewriter = InputRewriter { finder: &finder, args, opener: &opener, read };
        let batch = Batch::new(backups);
        let (done, said) = messages::holding(|| {
            let done = rewrite(&input, &batch, &mut |open, to| {
                before(to);
                let done = rewriter.rewrite(&input, Some(open), to, None, &mut false);
                after();
                done
            });
            batch.finish();
            done
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
                let swap = |to: &Destination<'_>| {
                    if matches!(to, Destination::Probe) == at_probe {
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
        let swap = |to: &Destination<'_>| {
            if matches!(to, Destination::All(_)) {
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
        let swap = |to: &Destination<'_>| {
            if matches!(to, Destination::All(_)) {
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
            for links in [Links::Followed, Links::Refused] {
                let seen = FileAt::look(&path, links).unwrap().unwrap();
                fs::rename(&path, dir.path().join("aside")).unwrap();
                swap(&path, &private);
                assert!(seen.open().unwrap().is_none());
                if path.is_symlink() {
                    // In a tree, this is how it begins.
                    assert!(FileAt::look(&path, Links::Refused).unwrap().is_none());
                    assert!(open_regular(&path).unwrap().is_none());
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
        let old = FileAt::look(&path, Links::Followed).unwrap().unwrap().open().unwrap().unwrap();
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
        let edit = |to: &Destination<'_>| {
            if matches!(to, Destination::All(_)) {
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
        let open =
            || FileAt::look(&path, Links::Followed).unwrap().unwrap().open().unwrap().unwrap();
        let time = std::time::SystemTime::now() - Duration::from_secs(100_000);
        File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        let (old, backups) = (open(), bak());
        // Both scans have read the file.
        io::copy(&mut &**old.file(), &mut io::sink()).unwrap();
        let backup = backups.keep(&old, no_links).unwrap();
        assert_eq!(read(&kept), SECRET);
        let about = fs::metadata(&kept).unwrap();
        assert_eq!((about.mode() & 0o7777, about.modified().unwrap()), (0o600, time));
        assert_ne!(about.ino(), old.file().metadata().unwrap().ino());
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
            let old =
                FileAt::look(&path, Links::Followed).unwrap().unwrap().open().unwrap().unwrap();
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
