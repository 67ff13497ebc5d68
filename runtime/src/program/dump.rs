//! `export` and `import`: all that a database holds, to a file and from one.

use super::config::{ExportOptions, ImportOptions};
use super::database;
use crate::service;

use crate::service::Builder;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Standard input or output.
const STANDARD: &str = "-";
/// Bytes that are read and written at a time.
const BUFFER: usize = 256 * 1024;

/// Writes all that the database holds.
pub(crate) fn export(builder: Builder, options: &ExportOptions) -> Result<(), String> {
    let service = service::check(builder)?;
    let goal = service.goal();
    let (database, _) = database(&service, options.database.as_deref(), 1)?;
    if options.out == STANDARD {
        let mut out = BufWriter::with_capacity(BUFFER, io::stdout().lock());
        let summary = database.export(&goal, &mut out)?;
        return say(&format!("{summary} were exported"));
    }
    let mut draft = PartialFile::new(Path::new(&options.out))?;
    let summary = database.export(&goal, &mut draft.file)?;
    draft.keep()?;
    say(&format!("{summary} were exported to {}", options.out))
}

/// Fills an empty database.
pub(crate) fn import(builder: Builder, options: &ImportOptions) -> Result<(), String> {
    let service = service::check(builder)?;
    let goal = service.goal();
    let (database, _) = database(&service, options.database.as_deref(), 1)?;
    let (summary, from) = if options.from == STANDARD {
        (database.import(&goal, &mut io::stdin().lock()), "standard input")
    } else {
        let file = File::open(&options.from).map_err(|error| format!("cannot open {}: {error}", options.from))?;
        let mut file = BufReader::with_capacity(BUFFER, file);
        (database.import(&goal, &mut file), options.from.as_str())
    };
    let summary = summary.map_err(|reason| format!("nothing was imported: {reason}"))?;
    say(&format!("{summary} were imported from {from}, and compared"))
}

/// Not to where the rows may go.
fn say(text: &str) -> Result<(), String> {
    writeln!(io::stderr(), "{text}").map_err(|error| error.to_string())
}

/// A file that has its name once it is whole; else it goes.
struct PartialFile {
    file: BufWriter<File>,
    path: PathBuf,
    name: PathBuf,
    is_kept: bool,
}

impl PartialFile {
    fn new(name: &Path) -> Result<Self, String> {
        if name.exists() {
            return Err(format!("{} is there already", name.display()));
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
        Ok(Self { file: BufWriter::with_capacity(BUFFER, file), path, name: name.to_owned(), is_kept: false })
    }

    /// Makes it durable, and gives it its name.
    fn keep(mut self) -> Result<(), String> {
        let kept = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        kept.and_then(|()| fs::rename(&self.path, &self.name))
            .map_err(|error| format!("cannot write {}: {error}", self.name.display()))?;
        self.is_kept = true;
        Ok(())
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.is_kept {
            // if it cannot be removed it stays, under a name that shows that it is incomplete
            let _ = fs::remove_file(&self.path);
        }
    }
}
