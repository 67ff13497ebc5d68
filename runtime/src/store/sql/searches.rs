//! Searches: kept as they were posted, forgotten some time after they have expired.

use super::{Failure, Session, row};
use crate::plan::cell::{Cell, CellRef};
use crate::store::StoredSearch;
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
pub(in crate::store) async fn insert(
    session: &impl Session,
    search: &StoredSearch,
    forgotten: i64,
) -> Result<(), Failure> {
    session.execute(FORGET, &[CellRef::Int(forgotten), CellRef::Int(FORGOTTEN)]).await?;
    let StoredSearch { id, resource, version, created_at, data } = search;
    let values = [
        CellRef::Uuid(*id),
        CellRef::Text(resource.as_bytes()),
        CellRef::Text(version.as_bytes()),
        CellRef::Int(*created_at),
        CellRef::Text(data.as_bytes()),
    ];
    session.execute(INSERT, &values).await?;
    Ok(())
}

/// The search with this id, where it is one of this resource.
pub(in crate::store) async fn find(
    session: &impl Session,
    resource: &str,
    id: Uuid,
) -> Result<Option<StoredSearch>, Failure> {
    let found = row(session, FIND, &[CellRef::Uuid(id), CellRef::Text(resource.as_bytes())]).await?;
    Ok(match found.as_deref() {
        Some([Cell::Text(version), Cell::Int(created_at), Cell::Text(data)]) => Some(StoredSearch {
            id,
            resource: resource.to_owned(),
            version: version.clone(),
            created_at: *created_at,
            data: data.clone(),
        }),
        _ => None,
    })
}
