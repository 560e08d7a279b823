//! Files and folders: opening without following links, and telling one file from another.

use std::{
    fs::{self, File, Metadata},
    io,
    path::Path,
};

/// Opens a file that was a regular one a moment ago. `None`: it is gone, or the name belongs
/// to something else now. A symbolic link is not followed, because somebody may have put it
/// there to have another file read; a pipe is not waited for.
pub(crate) fn open_regular(path: &Path) -> io::Result<Option<File>> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    match options.open(path) {
        Ok(file) => Ok(file.metadata()?.is_file().then_some(file)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(_) if fs::symlink_metadata(path).is_ok_and(|about| !about.is_file()) => Ok(None),
        Err(e) => Err(e),
    }
}

/// The folder that a file is in.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// A value that differs from file to file: the numbers of its device and of the file on it.
/// Where the system has no such numbers, the time at which the file was made.
pub(crate) fn identity(about: &Metadata) -> impl PartialEq + use<> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        [about.dev(), about.ino()]
    }
    #[cfg(not(unix))]
    about.created().ok()
}

/// The time at which bytes, attributes or names of the file changed last. Nobody can set
/// it, unlike the time at which the bytes changed.
pub(crate) fn status_time(about: &Metadata) -> impl PartialEq + use<> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        [about.ctime(), about.ctime_nsec()]
    }
    #[cfg(not(unix))]
    about.modified().ok()
}
