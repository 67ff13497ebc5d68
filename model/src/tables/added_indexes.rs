//! Indexes that an earlier version of Restwell did not make, and those that only make lists cheaper.

use super::ddl::Dialect;
use super::identifier::identifier;
use super::internal_tables::{COMMANDS, InternalTable, SEARCHES};
use super::{ID, Table, visible_columns};
use crate::check::Checked;
use std::collections::BTreeSet;

/// What the names of the indexes on the states of entities begin with: one that is not wanted any more is dropped.
pub const STATE_INDEX: &str = "_restwell.state.";

/// An index that is made if it is missing. As with [`AddedColumn`](super::AddedColumn), what a database records of its
/// tables does not name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedIndex {
    /// The index.
    pub name: String,
    table: String,
    columns: Vec<String>,
    condition: Option<&'static str>,
}

impl AddedIndex {
    /// What makes it, with words before its name: `CONCURRENTLY IF NOT EXISTS`.
    #[must_use]
    pub fn create(&self, words: &str) -> String {
        let columns = self.columns.iter().map(|column| format!("\"{column}\"")).collect::<Vec<_>>().join(", ");
        let condition = self.condition.map(|condition| format!(" WHERE {condition}")).unwrap_or_default();
        format!("CREATE INDEX {words} \"{}\" ON \"{}\" ({columns}){condition}", self.name, self.table)
    }

    fn of_internal(table: &InternalTable, name: &str, columns: &[&str], condition: Option<&'static str>) -> Self {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Self { name: format!("{}.{name}", table.name), table: table.name.to_owned(), columns, condition }
    }

    /// The entities of one value of two columns, of which one is a state, in the order of their ids.
    fn of_state(table: &Table, first: usize, second: usize) -> Self {
        let columns = [first, second, ID].map(|column| table.columns[column].name.clone()).to_vec();
        let name = identifier(format!("{STATE_INDEX}{}.{}.{}", table.name, columns[0], columns[1]));
        Self { name, table: table.name.clone(), columns, condition: None }
    }
}

/// The indexes that are added to the tables of a service and to the internal ones.
///
/// The clock asks several times a second which entities of a state have reached their time: an index on both tells,
/// however many entities are in that state, and however many were in it once.
///
/// Where a state decides who sees an entity, all that a filter on an enum or the like finds would be read to count what
/// is seen. On PostgreSQL an index on both counts it. Statements of SQLite that list entities name their index, which
/// is that of one column; there, counts are kept until something is changed.
#[must_use]
pub fn added_indexes(service: &Checked, dialect: Dialect) -> Vec<AddedIndex> {
    let mut indexes = vec![
        // lists of an entity's commands, in the order of their ids; status and time of the end, so that they are
        // counted without reading rows
        AddedIndex::of_internal(&COMMANDS, "entity", &["entity_id", "command", "id", "status", "updated_at"], None),
        // finished commands that are to be pruned, and pruned ones that are to be deleted
        AddedIndex::of_internal(&COMMANDS, "finished", &["status", "updated_at"], Some("\"status\" > 0")),
        // the searches of a share, from the oldest, and the room of all of them, without reading rows
        AddedIndex::of_internal(&SEARCHES, "share", &["share", "used_kib", "kib", "id"], None),
    ];
    for resource in &service.resources {
        let Some(lifecycle) = &resource.lifecycle else { continue };
        let table = Table::in_database(service, resource, dialect);
        let column = |name: &str| table.slot(name).map(|slot| slot.columns.start);
        let times = lifecycle.by_clock().filter_map(|(_, time)| column(time)).collect::<BTreeSet<_>>();
        if let Some(state) = column(&lifecycle.field) {
            indexes.extend(times.into_iter().map(|time| AddedIndex::of_state(&table, state, time)));
        }
    }
    if dialect == Dialect::Postgres {
        for resource in service.resources.iter().filter(|resource| resource.is_restricted()) {
            let table = Table::in_database(service, resource, dialect);
            let states = visible_columns::states(service, resource, &table);
            let filters = visible_columns::few_valued_filters(service, resource, &table);
            for &state in &states {
                let others = filters.iter().filter(|filter| **filter != state);
                indexes.extend(others.map(|&filter| AddedIndex::of_state(&table, filter, state)));
            }
        }
    }
    indexes
}
