//! Searches: kept as they were posted, forgotten some time after they have expired.
//!
//! Each client has a share of the room for searches: whoever stores more than that loses their own oldest searches,
//! and nobody else's. Clients that are only known by their address have room apart from signed-in callers, because
//! addresses can be had in any number. Where all shares of a kind together take too much, those who hold most lose
//! their oldest first.

use super::{Session, SqlFailure, row};
use crate::plan::cell::{Cell, CellRef};
use crate::store::weight::Weight;
use crate::store::{NewSearch, StoredSearch};
use restwell_model::tables::Dialect;
use std::sync::atomic::{AtomicU32, Ordering};
use twox_hash::XxHash3_128;
use uuid::Uuid;

/// Searches that are forgotten at most when a new one is kept: more than one, so that none pile up.
const FORGOTTEN: i64 = 8;

/// The room that a search takes at least, in KiB: so the room bounds the number of searches, too.
const MIN_SEARCH_KIB: usize = 4;
/// The room that a search takes at most, in KiB.
const MAX_SEARCH_KIB: i64 = 128;
/// KiB of the searches of one client, each rounded up: beyond, the client's oldest are deleted.
const MAX_CLIENT_SEARCHES_KIB: i64 = 40 * 1024;
/// KiB of the searches of all callers, and of all addresses: beyond, the oldest of those who hold most are deleted.
const MAX_SEARCHES_KIB: i64 = 400 * 1024;
/// How many new searches there are between two checks of all, which may be exceeded by as many for a while.
const LOOK_EVERY: u32 = 256;
/// KiB of searches that are deleted at most when all together take too much: more than have come since the last check.
const MAX_TRIMMED_KIB: i64 = 32 * 1024;
/// Searches that are deleted at most when a client has stored too much: more than the room of a new one has place for.
const MAX_TRIMMED: i64 = 64;

const INSERT: &str = "INSERT INTO \"_restwell_searches\" (\"id\", \"resource\", \"version\", \"created_at\", \"data\", \
                      \"creator_id\", \"share\", \"kib\", \"used_kib\") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
// ids are in the order of creation: the oldest are found without an index of their own
const FORGET: &str = "DELETE FROM \"_restwell_searches\" WHERE \"created_at\" < ?1 AND \"id\" IN \
                      (SELECT \"id\" FROM \"_restwell_searches\" ORDER BY \"id\" LIMIT ?2)";
const FIND: &str = "SELECT \"resource\", \"version\", \"created_at\", \"data\", \"creator_id\" \
                    FROM \"_restwell_searches\" WHERE \"id\" = ?1";
/// What was ever taken of a share.
const USED: &str = "SELECT \"used_kib\" FROM \"_restwell_searches\" WHERE \"share\" = ?1 \
                    ORDER BY \"used_kib\" DESC LIMIT 1";
/// Deletes the oldest searches of a share that begin before `?2` in it, and so end before `?3`.
const TRIM_SHARE: &str = "DELETE FROM \"_restwell_searches\" WHERE \"id\" IN (SELECT \"id\" \
                          FROM \"_restwell_searches\" WHERE \"share\" = ?1 AND \"used_kib\" < ?3 \
                          AND \"used_kib\" - \"kib\" < ?2 ORDER BY \"used_kib\" LIMIT ?4)";
/// What all shares between two names hold.
const HELD: &str = "SELECT CAST(coalesce(sum(\"kib\"), 0) AS bigint) FROM \"_restwell_searches\" \
                    WHERE \"share\" >= ?1 AND \"share\" < ?2";
/// Deletes so many KiB of the shares between two names: first the searches that most of the same share came after.
const TRIM_ALL: &str = "DELETE FROM \"_restwell_searches\" WHERE \"id\" IN (SELECT \"id\" FROM (\
                        SELECT \"id\", sum(\"kib\") OVER (ORDER BY \"held\" DESC, \"id\") - \"kib\" AS \"freed\" FROM (\
                        SELECT \"id\", \"kib\", \
                        max(\"used_kib\") OVER (PARTITION BY \"share\") - \"used_kib\" + \"kib\" AS \"held\" \
                        FROM \"_restwell_searches\" WHERE \"share\" >= ?1 AND \"share\" < ?2) AS \"of_shares\") AS \"in_turn\" \
                        WHERE \"freed\" < CAST(?3 AS bigint))";
/// Keeps other instances from adding to a share until the transaction ends.
const LOCK_SHARE: &str = "SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(?1, 0))";

/// Searches that this process has kept.
static KEPT: AtomicU32 = AtomicU32::new(0);

/// What a share is locked by within this process.
pub(in crate::store) fn share_key(share: &str) -> Uuid {
    Uuid::from_u128(XxHash3_128::oneshot(share.as_bytes()))
}

/// Keeps a search, and forgets some of those that are too old, or more than its client's share.
pub(in crate::store) async fn insert<S: Session>(session: &S, new: &NewSearch) -> Result<(), SqlFailure> {
    let NewSearch { search, share, forgotten } = new;
    let of_share = CellRef::Text(share.as_bytes());
    if S::DIALECT == Dialect::Postgres {
        session.rows(LOCK_SHARE, &[of_share]).await?;
    }
    session.execute(FORGET, &[CellRef::Int(*forgotten), CellRef::Int(FORGOTTEN)]).await?;
    if KEPT.fetch_add(1, Ordering::Relaxed).is_multiple_of(LOOK_EVERY) {
        trim_all(session, share, MAX_SEARCHES_KIB).await?;
    }
    let kib = room(search);
    let used = number(session, USED, &[of_share]).await?.saturating_add(kib);
    let StoredSearch { id, resource, version, created_at, creator, data } = search;
    let values = [
        CellRef::Uuid(*id),
        CellRef::Text(resource.as_bytes()),
        CellRef::Text(version.as_bytes()),
        CellRef::Int(*created_at),
        CellRef::Text(data.as_bytes()),
        creator.map_or(CellRef::Null, CellRef::Uuid),
        of_share,
        CellRef::Int(kib),
        CellRef::Int(used),
    ];
    session.execute(INSERT, &values).await?;
    trim_share(session, share, used - MAX_CLIENT_SEARCHES_KIB).await
}

/// The KiB that a search counts as.
fn room(search: &StoredSearch) -> i64 {
    (search.bytes().div_ceil(1024).max(MIN_SEARCH_KIB) as i64).min(MAX_SEARCH_KIB)
}

/// Deletes what was taken of a share before this.
async fn trim_share(session: &impl Session, share: &str, before: i64) -> Result<(), SqlFailure> {
    if before > 0 {
        let end = before + MAX_SEARCH_KIB;
        let values =
            [CellRef::Text(share.as_bytes()), CellRef::Int(before), CellRef::Int(end), CellRef::Int(MAX_TRIMMED)];
        session.execute(TRIM_SHARE, &values).await?;
    }
    Ok(())
}

/// Deletes some of the shares of a share's kind, where all of them hold more than `kept` KiB.
async fn trim_all(session: &impl Session, share: &str, kept: i64) -> Result<(), SqlFailure> {
    let kind = share.split_once(':').map_or(share, |(kind, _)| kind);
    // all names between these begin with the kind
    let [first, end] = [":", ";"].map(|mark| format!("{kind}{mark}"));
    let [first, end] = [&first, &end].map(|name| CellRef::Text(name.as_bytes()));
    let excess = number(session, HELD, &[first, end]).await? - kept;
    if excess > 0 {
        session.execute(TRIM_ALL, &[first, end, CellRef::Int(excess.min(MAX_TRIMMED_KIB))]).await?;
    }
    Ok(())
}

/// The number that a statement gives, or zero.
async fn number(session: &impl Session, sql: &str, values: &[CellRef<'_>]) -> Result<i64, SqlFailure> {
    let found = row(session, sql, values).await?;
    Ok(found.and_then(|row| row.first()?.borrow().int()).unwrap_or_default())
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
    use crate::store::sqlite::WriterSession;
    use futures_util::FutureExt;
    use restwell_model::tables::added_columns;
    use rusqlite::Connection;

    const TABLE: &str = "CREATE TABLE \"_restwell_searches\" (\"id\" BLOB PRIMARY KEY, \"resource\" TEXT, \
                         \"version\" TEXT, \"created_at\" INTEGER, \"data\" TEXT)";

    fn database() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(TABLE).unwrap();
        let of_searches = |table: &str| table == "_restwell_searches";
        for column in added_columns(Dialect::Sqlite).iter().filter(|column| of_searches(column.table)) {
            connection.execute_batch(&column.sql).unwrap();
        }
        connection
    }

    fn now<T>(work: impl Future<Output = Result<T, SqlFailure>>) -> T {
        work.now_or_never().expect("SQLite answers at once").unwrap()
    }

    /// Stores a search with this number of KiB; its id.
    fn store(connection: &Connection, share: &str, kib: usize) -> Uuid {
        let id = Uuid::now_v7();
        let search = StoredSearch {
            id,
            resource: "Offer".to_owned(),
            version: "public.v1".to_owned(),
            created_at: 1,
            creator: None,
            data: "x".repeat(kib * 1024 - 512),
        };
        now(insert(&WriterSession(connection), &NewSearch { search, share: share.to_owned(), forgotten: 0 }));
        id
    }

    fn ids(connection: &Connection, share: &str) -> Vec<Uuid> {
        let mut found = connection
            .prepare("SELECT \"id\" FROM \"_restwell_searches\" WHERE \"share\" = ?1 ORDER BY \"id\"")
            .unwrap();
        let ids = found.query_map([share], |row| row.get::<_, [u8; 16]>(0)).unwrap();
        ids.map(|id| Uuid::from_bytes(id.unwrap())).collect()
    }

    #[test]
    fn who_stores_too_much_loses_their_own_oldest() {
        let connection = database();
        let ann: Vec<_> = (0..3).map(|_| store(&connection, "caller:ann", 1)).collect();
        let bob: Vec<_> = (0..645).map(|_| store(&connection, "address:bob", 64)).collect();
        assert_eq!(ids(&connection, "caller:ann"), ann);
        let kept = MAX_CLIENT_SEARCHES_KIB as usize / 64;
        assert_eq!(ids(&connection, "address:bob"), bob[bob.len() - kept..]);
        let small: Vec<_> = (0..20).map(|_| store(&connection, "address:bob", 1)).collect();
        assert!(ids(&connection, "address:bob").ends_with(&small));
        let held: i64 = connection
            .query_row("SELECT sum(\"kib\") FROM \"_restwell_searches\" WHERE \"share\" = 'address:bob'", [], |row| {
                row.get(0)
            })
            .unwrap();
        assert!(held <= MAX_CLIENT_SEARCHES_KIB, "{held}");
    }

    #[test]
    fn where_all_take_too_much_those_who_hold_most_lose_theirs() {
        let connection = database();
        let session = WriterSession(&connection);
        let ann: Vec<_> = (0..3).map(|_| store(&connection, "address:ann", 4)).collect();
        let eve: Vec<_> = (0..5).map(|_| store(&connection, "address:eve", 64)).collect();
        let joe: Vec<_> = (0..4).map(|_| store(&connection, "address:joe", 64)).collect();
        let caller: Vec<_> = (0..9).map(|_| store(&connection, "caller:bob", 64)).collect();
        now(trim_all(&session, "address:joe", 1000));
        assert_eq!(ids(&connection, "address:eve"), eve, "together they take no more than that");
        now(trim_all(&session, "address:joe", 12 + 6 * 64));
        assert_eq!(ids(&connection, "address:eve"), eve[2..]);
        assert_eq!(ids(&connection, "address:joe"), joe[1..]);
        assert_eq!(ids(&connection, "address:ann"), ann);
        assert_eq!(ids(&connection, "caller:bob"), caller, "callers have room of their own");
    }

    #[test]
    fn a_share_is_trimmed_by_its_index() {
        let connection = database();
        connection
            .execute_batch(
                "CREATE INDEX \"share\" ON \"_restwell_searches\" (\"share\", \"used_kib\", \"kib\", \"id\")",
            )
            .unwrap();
        for sql in [USED, TRIM_SHARE, HELD, TRIM_ALL] {
            let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let values = vec![rusqlite::types::Value::Null; plan.parameter_count()];
            let steps = plan.query_map(rusqlite::params_from_iter(values), |row| row.get::<_, String>(3)).unwrap();
            let steps: Vec<_> = steps.map(Result::unwrap).collect();
            assert!(steps.iter().any(|step| step.contains("COVERING INDEX share")), "{sql}: {steps:?}");
            assert!(!steps.iter().any(|step| step.contains("SCAN _restwell_searches")), "{sql}: {steps:?}");
        }
    }
}
