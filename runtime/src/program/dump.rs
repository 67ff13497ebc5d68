//! `export` and `import`: all that a database holds, to a file and from one.

use super::config::{ExportOptions, ImportOptions};
use super::partial_file::PartialFile;
use super::print_to_stderr;
use crate::service::{self, Builder};
use crate::store::RefusedRows;
use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::path::Path;

/// Standard input or output.
const STANDARD: &str = "-";
/// Bytes that are read and written at a time.
const BUFFER: usize = 256 * 1024;

/// Writes all that the database holds.
pub(crate) fn export(builder: Builder, options: &ExportOptions) -> Result<(), String> {
    let service = service::check(builder)?;
    let goal = service.goal();
    let database = options.database.of(&service)?;
    if options.out == STANDARD {
        let mut out = BufWriter::with_capacity(BUFFER, io::stdout().lock());
        let summary = database.export(&goal, &mut out)?;
        return print_to_stderr(&format!("{summary} were exported"));
    }
    let draft = PartialFile::new(Path::new(&options.out), false)?;
    // it is flushed at the end of an export
    let summary = database.export(&goal, &mut BufWriter::with_capacity(BUFFER, draft.file()))?;
    draft.keep()?;
    print_to_stderr(&format!("{summary} were exported to {}", options.out))
}

/// Fills an empty database.
pub(crate) fn import(builder: Builder, options: &ImportOptions) -> Result<(), String> {
    let service = service::check(builder)?;
    let goal = service.goal();
    let database = options.database.of(&service)?;
    let refused = if options.keep_refused { RefusedRows::Keep } else { RefusedRows::Report };
    let (summary, from) = if options.from == STANDARD {
        (database.import(&goal, (&mut io::stdin().lock(), refused)), "standard input")
    } else {
        let file = File::open(&options.from).map_err(|error| format!("cannot open {}: {error}", options.from))?;
        let mut file = BufReader::with_capacity(BUFFER, file);
        (database.import(&goal, (&mut file, refused)), options.from.as_str())
    };
    let summary = summary.map_err(|reason| format!("nothing was imported: {reason}"))?;
    print_to_stderr(&format!("{summary} were imported from {from}, and compared"))
}
