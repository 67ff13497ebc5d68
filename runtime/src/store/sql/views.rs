//! Views through another resource (§2.1).

use super::{Session, SqlFailure, row};
use crate::plan::Plans;
use crate::plan::cell::CellRef;
use crate::store::RepresentationId;
use uuid::Uuid;

/// Whether a view through another resource has an entity for a caller.
pub(in crate::store) async fn shows(
    session: &impl Session,
    plans: &Plans,
    at: RepresentationId,
    id: Uuid,
    caller: Uuid,
) -> Result<bool, SqlFailure> {
    let Some(ids) = &plans.resources[at.resource].view(at.view).through else { return Ok(false) };
    let shown = row(session, &format!("SELECT ? IN ({ids})"), &[CellRef::Uuid(id), CellRef::Uuid(caller)]).await?;
    // among nulls, what is not found is null
    Ok(shown.and_then(|row| row.first()?.borrow().int()) == Some(1))
}
