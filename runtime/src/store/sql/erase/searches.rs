//! Stored searches of a person, and for a person.

use super::PAGE;
use super::person::Person;
use crate::plan::cell::CellRef;
use crate::store::erasure::Erasure;
use crate::store::sql::{Columns, Session, SqlFailure};
use uuid::Uuid;

const TABLE: &str = "_restwell_searches";
const PAGE_OF: &str = "SELECT \"id\", \"creator_id\", \"data\" FROM \"_restwell_searches\" WHERE \"id\" > ?1 \
                       ORDER BY \"id\" LIMIT ?2";
const DELETE: &str = "DELETE FROM \"_restwell_searches\" WHERE \"id\" = ?1";

/// Deletes the searches that the person made, and those whose criteria name what is theirs.
pub(super) async fn erase(session: &impl Session, person: &Person, erasure: &mut Erasure) -> Result<(), SqlFailure> {
    let mut after = Uuid::nil();
    loop {
        let rows = session.rows(PAGE_OF, &[CellRef::Uuid(after), CellRef::Int(PAGE)]).await?;
        let Some(last) = rows.last().and_then(|row| row.first()?.uuid()) else { return Ok(()) };
        after = last;
        for row in rows {
            let mut columns = Columns(row.into_iter());
            let (Some(id), creator, criteria) = (columns.uuid(), columns.uuid(), columns.text()) else { continue };
            if creator == Some(person.id) || criteria.is_some_and(|criteria| person.is_sought(&criteria)) {
                session.execute(DELETE, &[CellRef::Uuid(id)]).await?;
                erasure.deleted(TABLE, 1);
            }
        }
    }
}
