//! Reads folders and writes files atomically.

use super::Failure;
use crate::messages;
use crate::output::ExistingFiles;
use crate::source::{File, OUTSIDE};
use crate::yaml::MAX_BYTES;
use restwell_model::regular_file;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of the messages.
const MESSAGES: &str = "messages";
/// The greatest depth of folders; deeper ones are ignored. Symbolic links may form a cycle.
const MAX_FOLDERS: usize = 32;
/// Files and folders that are listed of a folder, at any depth: several links to a folder above make them double with
/// each level.
const MAX_ENTRIES: usize = 100_000;
/// Bytes of a file of a project: its own code, generated files, models.
const MAX_PROJECT_FILE: usize = 64 * 1024 * 1024;

/// The schemas of a folder, and the messages beside them, sorted by path.
pub(super) fn read_schemas(dir: &Path) -> Result<Vec<File>, Failure> {
    require(dir)?;
    let folder = fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned());
    let folder = folder.file_name().map_or_else(|| "schemas".into(), |name| name.to_string_lossy());
    let paths = list(dir).map_err(|error| problem("read", dir, &error))?;
    let schemas = paths.into_iter().filter(|(below, _)| is_schema(below));
    let schemas = schemas.map(|(below, path)| {
        let bytes = regular_file::read(&path, MAX_BYTES).map_err(|error| problem("read", &path, &error))?;
        Ok(File { path: path.to_string_lossy().into_owned(), origin: format!("{folder}/{below}"), bytes })
    });
    schemas.chain(messages_beside(dir).into_iter().map(Ok)).collect()
}

/// Refuses a folder of schemas that is not there.
pub(super) fn require(dir: &Path) -> Result<(), Failure> {
    if dir.is_dir() {
        return Ok(());
    }
    Err(Failure::Other(format!(
        "the folder `{}` does not exist: name another one, or begin a project with `restwell new NAME`",
        dir.display()
    )))
}

/// Whether a file in the folder of the schemas is a schema or has messages.
pub(super) fn is_schema(path: &str) -> bool {
    [".yaml", ".yml", messages::ENDING].iter().any(|ending| path.ends_with(ending))
}

/// The message files of a folder `messages` beside that of the schemas, where people put them by mistake. Nobody needs
/// them: what cannot be read is left out.
fn messages_beside(dir: &Path) -> Vec<File> {
    let Some(beside) = dir.file_name().and(dir.parent()).map(|parent| parent.join(MESSAGES)) else { return Vec::new() };
    if dir.ends_with(MESSAGES) {
        return Vec::new();
    }
    let mut names: Vec<_> =
        fs::read_dir(&beside).into_iter().flatten().flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    let names = names.iter().map(|name| name.to_string_lossy()).filter(|name| name.ends_with(messages::ENDING));
    let file = |name: Cow<'_, str>| File {
        path: beside.join(&*name).to_string_lossy().into_owned(),
        origin: format!("{OUTSIDE}{MESSAGES}/{name}"),
        bytes: regular_file::read(&beside.join(&*name), MAX_BYTES).unwrap_or_default(),
    };
    names.map(file).collect()
}

/// The files in a folder, which need not exist.
pub(super) fn read_present(dir: &Path) -> Result<ExistingFiles, Failure> {
    if !dir.exists() {
        return Ok(ExistingFiles::new());
    }
    let paths = list(dir).map_err(|error| problem("read", dir, &error))?;
    let present = |(below, path): (String, PathBuf)| Ok((below, read(&path)?));
    paths.into_iter().map(present).collect()
}

/// When each schema of a folder was changed last, and its length.
#[cfg(feature = "serve")]
pub(super) type Fingerprint = Vec<(PathBuf, Option<std::time::SystemTime>, u64)>;

/// What changes when a schema does.
#[cfg(feature = "serve")]
pub(super) fn fingerprint(dir: &Path) -> Result<Fingerprint, Failure> {
    let files = list(dir).map_err(|error| problem("read", dir, &error))?;
    let state = |path: PathBuf| {
        let found = fs::metadata(&path);
        let changed = found.as_ref().ok().and_then(|found| found.modified().ok());
        (path, changed, found.map_or(0, |found| found.len()))
    };
    Ok(files.into_values().map(state).collect())
}

/// The files of a folder at any depth, by their relative paths with `/`. Hidden files are skipped: they belong to
/// editors and tools.
fn list(dir: &Path) -> io::Result<BTreeMap<String, PathBuf>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![(String::new(), dir.to_owned(), 0)];
    let mut entries = 0_usize;
    while let Some((prefix, folder, depth)) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            entries += 1;
            if entries > MAX_ENTRIES {
                return Err(io::Error::other(format!("it contains more than {MAX_ENTRIES} files and folders")));
            }
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if name.starts_with('.') {
                continue;
            }
            // most systems tell the kind with the name; only a link has to be followed
            let kind = entry.file_type()?;
            if !(kind.is_dir() || kind.is_symlink() && path.is_dir()) {
                files.insert(format!("{prefix}{name}"), path);
            } else if depth < MAX_FOLDERS {
                folders.push((format!("{prefix}{name}/"), path, depth + 1));
            }
        }
    }
    Ok(files)
}

/// A file of a project that is no schema.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    regular_file::read(path, MAX_PROJECT_FILE).map_err(|error| problem("read", path, &error))
}

/// The same, where it is a text.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    regular_file::read_text(path, MAX_PROJECT_FILE).map_err(|error| problem("read", path, &error))
}

/// Writes files below a folder: first all of them under temporary names, then each is renamed to its own name. So no
/// file is ever half written, and a full disk leaves everything unchanged.
pub(super) fn write_all<'f>(dir: &Path, files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Result<(), Failure> {
    let mut staged = Vec::new();
    for (below, text) in files {
        let path = dir.join(below);
        let temporary = path.with_file_name(format!(
            ".{}.restwell",
            path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default()
        ));
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| problem("create", folder, &error))?;
        }
        let written = fs::write(&temporary, text).map_err(|error| problem("write", &path, &error));
        staged.push((temporary, path));
        if let Err(failure) = written {
            // an error while removing the temporary files must not hide the first error
            staged.iter().for_each(|(temporary, _)| drop(fs::remove_file(temporary)));
            return Err(failure);
        }
    }
    staged
        .iter()
        .try_for_each(|(temporary, path)| fs::rename(temporary, path).map_err(|error| problem("write", path, &error)))
}

/// Deletes a file.
pub(super) fn delete(path: &Path) -> Result<(), Failure> {
    fs::remove_file(path).map_err(|error| problem("delete", path, &error))
}

/// Deletes a folder with the files in it.
pub(super) fn delete_folder(path: &Path) -> Result<(), Failure> {
    fs::remove_dir_all(path).map_err(|error| problem("delete", path, &error))
}

/// The error "cannot read `schemas/offer.yaml`: …".
pub(super) fn problem(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::Other(format!("cannot {what} `{}`: {error}", path.display()))
}
