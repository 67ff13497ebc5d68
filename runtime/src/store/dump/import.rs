//! Filling an empty database.

use super::export::walk;
use super::layout::{Layout, TableLayout};
use super::line::{self, Checksum};
use super::{Summary, failed};
use crate::plan::cell::Cell;
use crate::store::sql::{Session, SqlFailure};
use futures_util::future::try_join_all;
use std::collections::BTreeMap;
use std::io::{BufRead, Read};
use twox_hash::XxHash3_128;
use uuid::Uuid;

/// What is done with a row whose values the model refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefusedRows {
    /// Nothing is imported.
    Report,
    /// It is imported: migrations that were consented to have left such rows.
    Keep,
}

/// Bytes of a line at most: a row is smaller than what was made of a request's body.
const MAX_LINE: u64 = 64 * 1024 * 1024;
/// Rows that are written together.
const BATCH: usize = 100;
/// Bytes of lines past which they are.
const BATCH_BYTES: usize = 1024 * 1024;

/// Writes all rows of a file into a session's database, which must be empty, and looks whether they are there. What is
/// written counts only if this says that all is well.
///
/// # Errors
///
/// A sentence for people: what is wrong with the file, or with the database.
pub(in crate::store) async fn import(
    session: &impl Session,
    layout: &Layout,
    (from, refused): (&mut impl BufRead, RefusedRows),
) -> Result<Summary, String> {
    for table in &layout.tables {
        if !table.is_empty(session).await.map_err(failed)? {
            return Err(format!("it is not empty: `{}` has rows. Name an empty one with --database", table.name));
        }
    }
    let mut lines = Lines { from, number: 0 };
    let header = lines.next()?.ok_or("the file is empty")?;
    let layout = line::check_header(&header, layout).map_err(|reason| format!("the file does not fit: {reason}"))?;
    let layout = &layout;
    let said = fill(session, layout, refused, &mut lines).await?;
    let found = walk(session, layout, |_| Ok(())).await?;
    compare(&said, &found, "the database has, after all was written,")?;
    Ok(found)
}

/// Writes the rows; what the last line says.
async fn fill(
    session: &impl Session,
    layout: &Layout,
    refused: RefusedRows,
    lines: &mut Lines<'_, impl BufRead>,
) -> Result<Summary, String> {
    let mut sums: BTreeMap<&str, Checksum> =
        layout.tables.iter().map(|table| (table.name.as_str(), Checksum::default())).collect();
    let (mut batch, mut links) = (ImportBatch::default(), LinkSums::default());
    loop {
        let Some(text) = lines.next()? else {
            return Err(format!("the file is cut off: it has no last line that counts, after {} lines", lines.number));
        };
        if let Some(said) = line::read_end(&text) {
            batch.write(session).await?;
            if refused == RefusedRows::Report {
                links.compare()?;
            }
            let read = sums.into_iter().map(|(name, checksum)| (name.to_owned(), checksum.sum()));
            compare(&said, &Summary(read.collect()), "the file has")?;
            return match lines.next()? {
                None => Ok(said),
                Some(_) => Err(format!("line {} comes after the end", lines.number)),
            };
        }
        let (table, row) = line::read_row(&text, layout).map_err(|reason| format!("line {} {reason}", lines.number))?;
        if refused == RefusedRows::Report {
            table.check(&row).map_err(|reason| format!("line {} {reason}", lines.number))?;
        }
        links.add(table, &row);
        if let Some(checksum) = sums.get_mut(table.name.as_str()) {
            checksum.add(&text);
        }
        batch.rows.push((table, row, lines.number));
        batch.bytes += text.len();
        if batch.rows.len() == BATCH || batch.bytes > BATCH_BYTES {
            batch.write(session).await?;
        }
    }
}

/// The pairs of ids in tables of links: how many, and the sum of their hashes, so that their order does not matter.
#[derive(Default)]
struct LinkSums {
    /// That are beside the rows of resources, by table.
    wanted: BTreeMap<String, (u64, u128)>,
    found: BTreeMap<String, (u64, u128)>,
}

impl LinkSums {
    fn add(&mut self, table: &TableLayout, row: &[Cell]) {
        for (link, entity, target) in table.links(row) {
            add_pair(&mut self.wanted, link, entity, target);
        }
        // a table of links has nothing else, and no resource has so few columns
        if let [Cell::Uuid(entity), Cell::Uuid(target)] = row {
            add_pair(&mut self.found, &table.name, *entity, *target);
        }
    }

    /// Whether the references in arrays are those that the database guards.
    fn compare(&self) -> Result<(), String> {
        let names = self.wanted.keys().chain(self.found.keys());
        match names.into_iter().find(|name| self.wanted.get(*name) != self.found.get(*name)) {
            None => Ok(()),
            Some(name) => Err(format!("the rows of `{name}` are not the references in the arrays that they are of")),
        }
    }
}

fn add_pair(sums: &mut BTreeMap<String, (u64, u128)>, table: &str, entity: Uuid, target: Uuid) {
    let hash = XxHash3_128::oneshot(&[entity.into_bytes(), target.into_bytes()].concat());
    if !sums.contains_key(table) {
        sums.insert(table.to_owned(), (0, 0));
    }
    if let Some((count, sum)) = sums.get_mut(table) {
        (*count, *sum) = (*count + 1, sum.wrapping_add(hash));
    }
}

/// Rows that are to be written.
#[derive(Default)]
struct ImportBatch<'l> {
    rows: Vec<(&'l TableLayout, Vec<Cell>, u64)>,
    bytes: usize,
}

impl ImportBatch<'_> {
    /// Sends all of them before the first is answered.
    async fn write(&mut self, session: &impl Session) -> Result<(), String> {
        let rows = std::mem::take(self).rows;
        try_join_all(rows.iter().map(|(table, row, number)| async move {
            let values: Vec<_> = row.iter().map(Cell::borrow).collect();
            session.execute(&table.insert(session), &values).await.map(|_| ()).map_err(|failure| match failure {
                SqlFailure::Constraint(reason) => format!("line {number} does not go with those before it: {reason}"),
                failure => failed(failure),
            })
        }))
        .await
        .map(|_| ())
    }
}

/// Whether there is what was said.
fn compare(said: &Summary, found: &Summary, subject: &str) -> Result<(), String> {
    for (name, said) in &said.0 {
        match found.0.get(name) {
            Some(found) if found == said => {}
            Some(found) if found.rows != said.rows => {
                return Err(format!("{subject} {} rows of `{name}`, and its last line says {}", found.rows, said.rows));
            }
            _ => {
                return Err(format!("{subject} other rows of `{name}` than its last line says: something was altered"));
            }
        }
    }
    match found.0.keys().find(|name| !said.0.contains_key(*name)) {
        Some(name) => Err(format!("the last line says nothing of `{name}`")),
        None => Ok(()),
    }
}

/// The lines of a file, counted.
struct Lines<'f, F> {
    from: &'f mut F,
    number: u64,
}

impl<F: BufRead> Lines<'_, F> {
    /// The next line, with its end; `None` after the last.
    fn next(&mut self) -> Result<Option<Vec<u8>>, String> {
        let mut line = Vec::new();
        self.number += 1;
        let read = self.from.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
        read.map_err(|error| format!("the file cannot be read: {error}"))?;
        match line.last() {
            None => {
                self.number -= 1;
                Ok(None)
            }
            Some(b'\n') => Ok(Some(line)),
            Some(_) if line.len() as u64 == MAX_LINE => Err(format!("line {} is too long", self.number)),
            Some(_) => Err(format!("the file is cut off within line {}", self.number)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use restwell_model::{Checked, Field, Resource, Service, Type};

    #[test]
    fn links_are_the_references_in_arrays() {
        let items = Box::new(Type::reference("Thing"));
        let mut thing = Resource::new("Thing");
        let things = Type::Array { items, min_items: None, max_items: None, unique_items: false };
        thing.fields = vec![Field::new("others", things)];
        let service = Service { resources: vec![thing], ..Service::new("shop") };
        let layout = Layout::of(&Checked::new(service).unwrap());
        let of_links =
            layout.tables.iter().find(|table| table.columns.len() == 2 && table.name.contains("__")).unwrap();
        let things = layout.table("things").unwrap();
        let ids = [1, 2, 3].map(Uuid::from_u128);
        let row = |others: String| [Cell::Uuid(ids[0]), Cell::Int(0), Cell::Int(0), Cell::Text(others)];
        let others = row(format!(r#"[{{"id":"{}"}},{{"id":"{}"}},{{"id":"{}"}}]"#, ids[1], ids[2], ids[1]));
        let links = [1, 2].map(|other| [Cell::Uuid(ids[0]), Cell::Uuid(ids[other])]);
        let compared = |of_things: &[Cell], links: &[[Cell; 2]]| {
            let mut sums = LinkSums::default();
            links.iter().for_each(|link| sums.add(of_links, link));
            sums.add(things, of_things);
            sums.compare()
        };
        assert_eq!(compared(&others, &links), Ok(()));
        assert_eq!(compared(&row("[]".to_owned()), &[]), Ok(()));
        assert!(compared(&others, &links[..1]).is_err_and(|reason| reason.contains(&of_links.name)));
        assert!(compared(&row("[]".to_owned()), &links).is_err());
    }
}
