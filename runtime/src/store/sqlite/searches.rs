//! Searches: kept as they were posted, forgotten some time after they have expired.

use crate::store::StoredSearch;
use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

/// Searches that are forgotten at most when a new one is kept: more than one, so that none pile up.
const FORGOTTEN: i64 = 8;

const INSERT: &str = "INSERT INTO \"_restwell_searches\" (\"id\", \"resource\", \"version\", \"created_at\", \"data\") \
                      VALUES (?1, ?2, ?3, ?4, ?5)";
// ids are in the order of creation: the oldest are found without an index of their own
const FORGET: &str = "DELETE FROM \"_restwell_searches\" WHERE \"created_at\" < ?1 AND \"id\" IN \
                      (SELECT \"id\" FROM \"_restwell_searches\" ORDER BY \"id\" LIMIT ?2)";
const FIND: &str = "SELECT \"version\", \"created_at\", \"data\" FROM \"_restwell_searches\" \
                    WHERE \"id\" = ?1 AND \"resource\" = ?2";

/// Keeps a search, and forgets some of those made before `forgotten`.
pub(super) fn insert(connection: &Connection, search: &StoredSearch, forgotten: i64) -> rusqlite::Result<()> {
    connection.prepare_cached(FORGET)?.execute(params![forgotten, FORGOTTEN])?;
    let StoredSearch { id, resource, version, created_at, data } = search;
    connection.prepare_cached(INSERT)?.execute(params![
        id.as_bytes().as_slice(),
        resource,
        version,
        created_at,
        data
    ])?;
    Ok(())
}

/// The search with this id, where it is one of this resource.
pub(super) fn find(connection: &Connection, resource: &str, id: Uuid) -> rusqlite::Result<Option<StoredSearch>> {
    let mut statement = connection.prepare_cached(FIND)?;
    let found = statement.query_row(params![id.as_bytes().as_slice(), resource], |row| {
        Ok(StoredSearch {
            id,
            resource: resource.to_owned(),
            version: row.get(0)?,
            created_at: row.get(1)?,
            data: row.get(2)?,
        })
    });
    found.optional()
}
