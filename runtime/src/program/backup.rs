//! `backup`: a copy of an SQLite database, also of one that is being served.

use super::config::BackupOptions;
use super::partial_file::PartialFile;
use super::print;
use crate::service::{self, Builder};

/// Copies the database, and prints how many rows it has.
pub(super) fn run(builder: Builder, options: &BackupOptions) -> Result<(), String> {
    let service = service::check(builder)?;
    let database = options.database.of(&service)?;
    let draft = PartialFile::new(&options.to, options.overwrite)?;
    let summary = database.backup(draft.path(), &options.to)?;
    draft.keep()?;
    print(&format!("{summary} were copied to {}, and checked", options.to.display()))
}
