//! Searches: kept as they were posted, forgotten some time after they have expired.

use super::{Session, SqlFailure, row};
use crate::plan::cell::{Cell, CellRef};
use crate::store::StoredSearch;
use std::sync::atomic::{AtomicU32, Ordering};
use uuid::Uuid;

/// Searches that are forgotten at most when a new one is kept: more than one, so that none pile up.
const FORGOTTEN: i64 = 8;

/// Searches that are kept in all: beyond, the oldest are forgotten, even where they have not expired.
const MAX_SEARCHES: i64 = 100_000;
/// How many new searches there are between two checks of their number, which may be exceeded by as many for a while.
const LOOK_EVERY: u32 = 256;
/// Searches that are forgotten at most when there are too many: more than have come since it was last looked.
const MAX_TRIMMED: i64 = 1024;

const INSERT: &str = "INSERT INTO \"_restwell_searches\" (\"id\", \"resource\", \"version\", \"created_at\", \"data\", \
                      \"creator_id\") VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
// ids are in the order of creation: the oldest are found without an index of their own
const FORGET: &str = "DELETE FROM \"_restwell_searches\" WHERE \"created_at\" < ?1 AND \"id\" IN \
                      (SELECT \"id\" FROM \"_restwell_searches\" ORDER BY \"id\" LIMIT ?2)";
const TRIM: &str = "DELETE FROM \"_restwell_searches\" WHERE \"id\" IN \
                    (SELECT \"id\" FROM \"_restwell_searches\" ORDER BY \"id\" LIMIT ?1) AND \"id\" <= \
                    (SELECT \"id\" FROM \"_restwell_searches\" ORDER BY \"id\" DESC LIMIT 1 OFFSET ?2)";
const FIND: &str = "SELECT \"resource\", \"version\", \"created_at\", \"data\", \"creator_id\" \
                    FROM \"_restwell_searches\" WHERE \"id\" = ?1";

/// Searches that this process has kept.
static KEPT: AtomicU32 = AtomicU32::new(0);

/// Keeps a search, and forgets some of those made before `forgotten`, or of the oldest where there are too many.
pub(in crate::store) async fn insert(
    session: &impl Session,
    search: &StoredSearch,
    forgotten: i64,
) -> Result<(), SqlFailure> {
    session.execute(FORGET, &[CellRef::Int(forgotten), CellRef::Int(FORGOTTEN)]).await?;
    if KEPT.fetch_add(1, Ordering::Relaxed).is_multiple_of(LOOK_EVERY) {
        session.execute(TRIM, &[CellRef::Int(MAX_TRIMMED), CellRef::Int(MAX_SEARCHES)]).await?;
    }
    let StoredSearch { id, resource, version, created_at, creator, data } = search;
    let values = [
        CellRef::Uuid(*id),
        CellRef::Text(resource.as_bytes()),
        CellRef::Text(version.as_bytes()),
        CellRef::Int(*created_at),
        CellRef::Text(data.as_bytes()),
        creator.map_or(CellRef::Null, CellRef::Uuid),
    ];
    session.execute(INSERT, &values).await?;
    Ok(())
}

/// The search with this id.
pub(in crate::store) async fn find(session: &impl Session, id: Uuid) -> Result<Option<StoredSearch>, SqlFailure> {
    let found = row(session, FIND, &[CellRef::Uuid(id)]).await?;
    Ok(match found.as_deref() {
        Some([Cell::Text(resource), Cell::Text(version), Cell::Int(created_at), Cell::Text(data), creator]) => {
            Some(StoredSearch {
                id,
                resource: resource.clone(),
                version: version.clone(),
                created_at: *created_at,
                creator: creator.uuid(),
                data: data.clone(),
            })
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::{Connection, params};

    #[test]
    fn the_oldest_are_forgotten_where_there_are_too_many() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE \"_restwell_searches\" (\"id\" BLOB PRIMARY KEY)").unwrap();
        let ids: Vec<_> = (0..20).map(|_| Uuid::now_v7().into_bytes()).collect();
        for id in &ids {
            connection.execute("INSERT INTO \"_restwell_searches\" VALUES (?1)", [id]).unwrap();
        }
        let trim = |at_most: i64, kept: i64| connection.execute(TRIM, params![at_most, kept]).unwrap();
        assert_eq!((trim(100, 20), trim(100, 50)), (0, 0), "there are not too many");
        assert_eq!(trim(4, 12), 4, "not all at a time");
        assert_eq!((trim(100, 12), trim(100, 12)), (4, 0));
        let mut rest = connection.prepare("SELECT \"id\" FROM \"_restwell_searches\" ORDER BY \"id\"").unwrap();
        let rest: Vec<[u8; 16]> = rest.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        assert_eq!(rest, ids[8..]);
    }
}
