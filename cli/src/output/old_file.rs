//! A file that is going to be replaced: it is looked at, opened, and compared with what its
//! name leads to later.
//!
//! What must hold: the bytes and attributes that are used are those of the file that was
//! opened, even if somebody gives its name to another file meanwhile.

use std::{
    fs::{self, File, Metadata},
    io::{self, Seek},
    path::{Path, PathBuf},
    sync::Arc,
};

use super::temporary::Temporary;
use crate::files::{self, identity, status_time};

/// Whether a symbolic link is followed, or is something other than a regular file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Links {
    Followed,
    Refused,
}

/// A regular file that was looked at by its name, and can be opened next.
pub(crate) struct FileAt {
    /// The name of the file, with symbolic links resolved.
    target: PathBuf,
    about: Metadata,
}

impl FileAt {
    /// The file that `path` leads to; `None` if that is no regular file.
    pub(crate) fn look(path: &Path, links: Links) -> io::Result<Option<FileAt>> {
        let itself = fs::symlink_metadata(path)?;
        let is_link = itself.is_symlink() && links == Links::Followed;
        let about = if is_link { fs::metadata(path)? } else { itself };
        if !about.is_file() {
            // Its name is not resolved, because /dev/stdout may lead to a pipe, which has none.
            return Ok(None);
        }
        let target = if is_link { fs::canonicalize(path)? } else { path.to_owned() };
        Ok(Some(FileAt { target, about }))
    }

    /// Opens the file; `None` if its name leads to another file by now.
    pub(crate) fn open(self) -> io::Result<Option<OldFile>> {
        let Some(file) = files::open_regular(&self.target)? else { return Ok(None) };
        let about = file.metadata()?;
        let same = identity(&about) == identity(&self.about);
        Ok(same.then(|| OldFile { target: self.target, file: Arc::new(file), about }))
    }
}

/// A file to be replaced. It is open, so that its bytes and attributes are its own, even if
/// its name leads to another file later.
pub(crate) struct OldFile {
    /// The name of the file, with symbolic links resolved.
    target: PathBuf,
    file: Arc<File>,
    about: Metadata,
}

/// What [`OldFile::at`] finds.
pub(crate) enum Lookup {
    Open(Box<OldFile>),
    /// The name leads to something other than a regular file.
    NotRegular,
    /// Somebody gave the name to another file in this moment.
    Replaced,
}

impl OldFile {
    /// Looks at the file that `path` leads to, and opens it.
    pub(crate) fn at(path: &Path, links: Links) -> io::Result<Lookup> {
        Ok(match FileAt::look(path, links)? {
            None => Lookup::NotRegular,
            Some(file) => match file.open()? {
                Some(old) => Lookup::Open(Box::new(old)),
                None => Lookup::Replaced,
            },
        })
    }

    /// The name of the file, with symbolic links resolved.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// The open file.
    pub(crate) fn file(&self) -> &Arc<File> {
        &self.file
    }

    /// The length of the file.
    pub(crate) fn len(&self) -> u64 {
        self.about.len()
    }

    /// True if the file has other names too. When one of them is given to another file, its status changes.
    pub(crate) fn has_other_names(&self) -> bool {
        #[cfg(unix)]
        return std::os::unix::fs::MetadataExt::nlink(&self.about) > 1;
        #[cfg(not(unix))]
        false
    }

    /// Goes back to the start of the file.
    pub(crate) fn rewind(&self) -> io::Result<()> {
        (&*self.file).rewind()
    }

    /// True if `path` leads to the file, and nobody changed its bytes, its attributes or
    /// its names since it was opened. A change that leaves length and time of change as
    /// they were, as by `touch -r`, shows in the time of the last change of status.
    pub(crate) fn is_untouched_at(&self, path: &Path) -> bool {
        let now = self.file.metadata();
        now.is_ok_and(|now| status_time(&now) == status_time(&self.about)) && self.is_still_at(path)
    }

    /// True if `path` and the file's own name lead to it, and nobody wrote to it. A
    /// backup that is a hard link does not matter.
    pub(crate) fn is_still_at(&self, path: &Path) -> bool {
        let same = |now: io::Result<Metadata>| {
            let print = |about: &Metadata| (identity(about), about.len(), about.modified().ok());
            now.is_ok_and(|now| print(&now) == print(&self.about))
        };
        same(self.file.metadata())
            && same(fs::metadata(path))
            && same(fs::symlink_metadata(&self.target))
    }

    /// True if `path` is a name of the file.
    pub(super) fn is_at(&self, path: &Path) -> bool {
        // Elsewhere, two files cannot be told apart.
        cfg!(unix)
            && fs::symlink_metadata(path).is_ok_and(|at| identity(&at) == identity(&self.about))
    }

    /// Makes a copy at `path`, which must be the name of nothing. The new file is
    /// written by its descriptor, so that nobody can lead the bytes elsewhere.
    pub(super) fn copy_to(&self, path: &Path) -> io::Result<()> {
        let copy = Temporary::claim(path)?;
        self.rewind()?;
        io::copy(&mut &*self.file, &mut copy.file())?;
        self.lend_attributes(copy.file())?;
        if let Ok(time) = self.about.modified() {
            copy.file().set_modified(time)?;
        }
        copy.file().sync_all()?;
        copy.stay();
        Ok(())
    }

    /// Gives its mode and its extended attributes to `new`, and its owner and group where
    /// that is permitted.
    pub(crate) fn lend_attributes(&self, new: &File) -> io::Result<()> {
        let mut permissions = self.about.permissions();
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
            let now = new.metadata()?;
            let (owner, group) = (self.about.uid(), self.about.gid());
            let kept = (owner, group) == (now.uid(), now.gid())
                || fchown(new, Some(owner), Some(group)).is_ok();
            if !kept {
                // We may not give a file to its owner: we give it the group at least, and
                // remove the bits that make a program run as its owner or group.
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
            // The default access list of the folder would be added to the mode.
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

    /// Removes the access list, if there is one.
    pub(super) fn drop_list(new: &File) {
        let _ = fremovexattr(new, ACCESS_LIST);
    }

    /// Gives `new` the attributes of users and the access list of `old`; without the list,
    /// people could read the file who could not before. Also the SELinux label, where that is
    /// permitted. Other attributes describe the old bytes, or belong to the system.
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
