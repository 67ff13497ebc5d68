//! Views through another resource (§2.1).

use super::{Session, SqlFailure, row};
use crate::plan::Plans;
use crate::plan::cell::{Cell, CellRef};
use crate::plan::viewer::Viewer;
use crate::store::RepresentationId;
use uuid::Uuid;

/// Whether a view through another resource has an entity for a caller.
pub(in crate::store) async fn shows(
    session: &impl Session,
    plans: &Plans,
    at: RepresentationId,
    id: Uuid,
    (caller, viewer): (Uuid, &Viewer),
) -> Result<bool, SqlFailure> {
    let Some(through) = &plans.resources[at.resource].view(at.view).through else { return Ok(false) };
    let (ids, values) = through.ids(viewer, caller);
    let values: Vec<_> = std::iter::once(CellRef::Uuid(id)).chain(values.iter().map(Cell::borrow)).collect();
    let shown = row(session, &format!("SELECT ? IN ({ids})"), &values).await?;
    // among nulls, what is not found is null
    Ok(shown.and_then(|row| row.first()?.borrow().int()) == Some(1))
}
