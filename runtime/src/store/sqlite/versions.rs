//! Which state a table is in: a number for each resource, which changes with each commit that changes rows of it.
//!
//! Only this process writes rows of resources, so the numbers are in memory. (`commands retry` and `cancel` write from
//! another process, but only to the table of commands.) A number is odd while a commit may become visible: a reader
//! that finds the same even number before its snapshot and after it knows that no commit came between, and that the
//! snapshot is of the state with this number.

use crate::plan::{Plans, ResourceIndex};
use rusqlite::Connection;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The state of a resource's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TableVersion(u64);

/// The states of all resources' rows.
#[derive(Debug)]
pub(super) struct TableVersions(Vec<ResourceVersion>);

#[derive(Debug, Default)]
struct ResourceVersion {
    number: AtomicU64,
    /// The open transaction has changed rows.
    is_changed: AtomicBool,
}

impl TableVersions {
    /// Of a database, whose writing connection notes from now on what it changes.
    pub(super) fn watch(connection: &mut Connection, plans: &Plans) -> rusqlite::Result<Arc<Self>> {
        let versions = Arc::new(Self(plans.resources.iter().map(|_| ResourceVersion::default()).collect()));
        let mut tables = HashMap::new();
        for (position, plan) in plans.resources.iter().enumerate() {
            let links = plan.table.links.iter().map(|link| link.table.clone());
            tables.extend(links.chain([plan.table.name.clone()]).map(|table| (table, position)));
        }
        let watching = Arc::clone(&versions);
        connection.update_hook(Some(move |_, _: &str, table: &str, _| {
            if let Some(version) = tables.get(table).and_then(|position| watching.0.get(*position)) {
                version.is_changed.store(true, Ordering::Relaxed);
            }
        }))?;
        Ok(versions)
    }

    /// The state of a resource's rows; `None` while a commit changes it.
    pub(super) fn of(&self, resource: ResourceIndex) -> Option<TableVersion> {
        let number = self.0.get(resource.position())?.number.load(Ordering::SeqCst);
        number.is_multiple_of(2).then_some(TableVersion(number))
    }

    /// Before a commit: reads of the changed rows may see either state.
    pub(super) fn begin_commit(&self) {
        self.changed(|version| version.number.fetch_or(1, Ordering::SeqCst));
    }

    /// After a commit, or where there was none.
    pub(super) fn end_commit(&self) {
        self.changed(|version| {
            version.is_changed.store(false, Ordering::Relaxed);
            let number = version.number.load(Ordering::SeqCst) | 1;
            version.number.store(number + 1, Ordering::SeqCst);
            number
        });
    }

    fn changed(&self, change: impl Fn(&ResourceVersion) -> u64) {
        for version in self.0.iter().filter(|version| version.is_changed.load(Ordering::Relaxed)) {
            change(version);
        }
    }
}
