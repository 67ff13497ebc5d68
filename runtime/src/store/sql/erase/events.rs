//! What events hold of a person.
//!
//! No event is removed, because a resumed stream looks for the last event that it had, and positions have no gaps. An
//! event of a deleted entity becomes `deleted`, whose data is the id alone; so every event still conforms to its
//! contract.

use super::PAGE;
use super::person::Person;
use crate::plan::cell::{Cell, CellRef};
use crate::plan::viewer::Viewer;
use crate::plan::{IndexedBy, Plans};
use crate::store::RepresentationId;
use crate::store::erasure::{EraseRefusal, Erasure};
use crate::store::sql::{Columns, Session, SqlFailure};
use restwell_model::events::EventKind;
use uuid::Uuid;

const TABLE: &str = "_restwell_events";
const PAGE_OF: &str = "SELECT \"sequence\", \"resource\", \"kind\", \"entity_id\", \"owner_id\", \"actor_id\", \"data\" \
                       FROM \"_restwell_events\" WHERE \"sequence\" > ?1 ORDER BY \"sequence\" LIMIT ?2";
const CLEAR: &str = "UPDATE \"_restwell_events\" SET \"kind\" = ?2, \"owner_id\" = ?3, \"actor_id\" = ?4, \
                     \"data\" = ?5 WHERE \"sequence\" = ?1";

/// The parts of an event that may hold personal data.
#[derive(Debug, Clone, PartialEq)]
struct EventTexts {
    position: i64,
    resource: String,
    kind: String,
    entity: Uuid,
    owner: Option<Uuid>,
    actor: Option<Uuid>,
    data: String,
}

/// Erases what events after a position hold; the last position.
pub(super) async fn erase(
    session: &impl Session,
    plans: &Plans,
    person: &Person,
    mut after: i64,
    erasure: &mut Erasure,
) -> Result<i64, EraseRefusal> {
    loop {
        let rows = session.rows(PAGE_OF, &[CellRef::Int(after), CellRef::Int(PAGE)]).await?;
        let Some(last) = rows.last().and_then(|row| row.first()?.borrow().int()) else { return Ok(after) };
        after = last;
        for event in rows.into_iter().filter_map(read) {
            let cleared = cleared(session, plans, person, &event).await?;
            if cleared != event {
                write(session, &cleared).await?;
                erasure.cleared(TABLE, 1);
            }
        }
    }
}

/// The event without the person's data.
async fn cleared(
    session: &impl Session,
    plans: &Plans,
    person: &Person,
    event: &EventTexts,
) -> Result<EventTexts, SqlFailure> {
    let other = |id: Option<Uuid>| id.filter(|id| *id != person.id);
    let mut cleared = EventTexts { owner: other(event.owner), actor: other(event.actor), ..event.clone() };
    // those of commands have the command's id and status only
    let is_state = [EventKind::Created, EventKind::Updated].iter().any(|kind| kind.to_string() == event.kind);
    if !is_state || !(person.owns(event.entity) || person.is_in(&event.data)) {
        return Ok(cleared);
    }
    let present = match plans.resources.indexed().find(|(_, plan)| plan.events.have_word(&event.resource)) {
        Some((resource, _)) => {
            let at = RepresentationId::canonical(resource);
            session.entity(plans, at, event.entity, &Viewer::nobody()).await?
        }
        None => None,
    };
    match present {
        Some(entity) => cleared.data = String::from_utf8_lossy(&entity.body).into_owned(),
        None => {
            cleared.kind = EventKind::Deleted.to_string();
            cleared.data = format!("{{\"id\":\"{}\"}}", event.entity);
        }
    }
    Ok(cleared)
}

fn read(row: Vec<Cell>) -> Option<EventTexts> {
    let mut columns = Columns(row.into_iter());
    Some(EventTexts {
        position: columns.int()?,
        resource: columns.text()?,
        kind: columns.text()?,
        entity: columns.uuid()?,
        owner: columns.uuid(),
        actor: columns.uuid(),
        data: columns.text()?,
    })
}

async fn write(session: &impl Session, event: &EventTexts) -> Result<(), SqlFailure> {
    let id = |id: Option<Uuid>| id.map_or(CellRef::Null, CellRef::Uuid);
    let values = [
        CellRef::Int(event.position),
        CellRef::Text(event.kind.as_bytes()),
        id(event.owner),
        id(event.actor),
        CellRef::Text(event.data.as_bytes()),
    ];
    session.execute(CLEAR, &values).await.map(|_| ())
}
