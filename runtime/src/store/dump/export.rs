//! Writing all that a database holds.

use super::layout::Layout;
use super::line::{self, Checksum};
use super::{Summary, failed};
use crate::store::sql::Session;
use std::io::Write;

/// Writes all rows of a session's database, which must stand still meanwhile.
///
/// # Errors
///
/// A sentence for people: the database fails, or what is written to does.
pub(in crate::store) async fn export(
    session: &impl Session,
    layout: &Layout,
    out: &mut impl Write,
) -> Result<Summary, String> {
    let unwritable = |error: std::io::Error| format!("the file cannot be written: {error}");
    out.write_all(&line::header(layout)?).map_err(unwritable)?;
    let summary = walk(session, layout, |line| out.write_all(line).map_err(unwritable)).await?;
    out.write_all(&line::end(&summary)?).map_err(unwritable)?;
    out.flush().map_err(unwritable)?;
    Ok(summary)
}

/// Hands over the line of each row.
pub(super) async fn walk(
    session: &impl Session,
    layout: &Layout,
    mut take: impl FnMut(&[u8]) -> Result<(), String>,
) -> Result<Summary, String> {
    let mut summary = Summary::default();
    for table in &layout.tables {
        let mut checksum = Checksum::default();
        let mut last = None;
        for source in table.sources_of(session) {
            loop {
                let rows = table.page(session, &source, last.as_deref()).await.map_err(failed)?;
                for row in &rows {
                    let line = line::of_row(table, row)?;
                    checksum.add(&line);
                    take(&line)?;
                }
                let Some(row) = rows.last() else { break };
                last = Some(table.key(row).to_vec());
            }
        }
        summary.0.insert(table.name.clone(), checksum.sum());
    }
    Ok(summary)
}
