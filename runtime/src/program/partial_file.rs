//! A file that gets its name once it is complete: `export` and `backup` write beside it and rename.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A file that is being written under another name. Unless it is kept, it is removed.
pub(super) struct PartialFile {
    file: File,
    path: PathBuf,
    name: PathBuf,
    is_kept: bool,
}

impl PartialFile {
    /// Begins a file that may not be there yet, unless it is to be replaced.
    pub(super) fn new(name: &Path, replace: bool) -> Result<Self, String> {
        match fs::symlink_metadata(name) {
            Ok(_) if !replace => return Err(format!("{} is there already", name.display())),
            Ok(there) if !there.is_file() => {
                return Err(format!("{} is not a regular file, and is not replaced", name.display()));
            }
            _ => {}
        }
        let mut path = name.as_os_str().to_owned();
        path.push(".part");
        let path = PathBuf::from(path);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        // it holds all that the service knows
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        Ok(Self { file, path, name: name.to_owned(), is_kept: false })
    }

    /// The file to write to.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Where it is until it is kept.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes it durable, and gives it its name.
    pub(super) fn keep(mut self) -> Result<(), String> {
        let kept = self.file.sync_all().and_then(|()| fs::rename(&self.path, &self.name));
        kept.and_then(|()| sync_folder(&self.name))
            .map_err(|error| format!("cannot write {}: {error}", self.name.display()))?;
        self.is_kept = true;
        Ok(())
    }
}

/// Makes a new name in a folder durable.
#[cfg(unix)]
fn sync_folder(name: &Path) -> io::Result<()> {
    let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// Only Unix opens folders as files.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.is_kept {
            // if it cannot be removed, its name shows that it is incomplete
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_a_regular_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link, dangling, device] =
            ["file", "link", "dangling", "device"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        symlink(&file, &link).unwrap();
        symlink("/nothing/here", &dangling).unwrap();
        symlink("/dev/null", &device).unwrap();
        for name in [&link, &dangling, &device, &folder.path().to_owned()] {
            assert!(PartialFile::new(name, true).is_err_and(|reason| reason.contains("regular")), "{}", name.display());
            assert!(
                PartialFile::new(name, false).is_err_and(|reason| reason.contains("already")),
                "{}",
                name.display()
            );
        }
        PartialFile::new(&file, true).unwrap().keep().unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
}
