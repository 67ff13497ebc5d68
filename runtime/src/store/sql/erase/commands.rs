//! What commands hold of a person: what was done to their entities, and what they sent to those of others.

use super::PAGE;
use super::person::Person;
use crate::plan::cell::{Cell, CellRef};
use crate::store::commands::{ERASED, status};
use crate::store::erasure::Erasure;
use crate::store::sql::{Columns, Session, SqlFailure};
use restwell_model::events::CommandStatus;
use serde_json::{Map, Value as Json};
use uuid::Uuid;

const TABLE: &str = "_restwell_commands";
const PAGE_OF: &str = "SELECT \"id\", \"entity_id\", \"owner_id\", \"caller\", \"input\", \"status\", \"output\", \"errors\" \
                       FROM \"_restwell_commands\" WHERE \"id\" > ?1 ORDER BY \"id\" LIMIT ?2";
const DELETE: &str = "DELETE FROM \"_restwell_commands\" WHERE \"id\" = ?1";
const CLEAR: &str = "UPDATE \"_restwell_commands\" SET \"owner_id\" = ?2, \"caller\" = ?3, \"input\" = ?4, \
                     \"output\" = ?5, \"errors\" = ?6 WHERE \"id\" = ?1";

/// The parts of a command that may hold personal data.
#[derive(Debug, Clone, PartialEq)]
struct CommandTexts {
    id: Uuid,
    entity: Uuid,
    owner: Option<Uuid>,
    caller: Option<String>,
    input: String,
    status: CommandStatus,
    output: Option<String>,
    errors: Option<String>,
}

/// Erases the person's data in commands; what forbids it.
pub(super) async fn erase(
    session: &impl Session,
    person: &Person,
    erasure: &mut Erasure,
) -> Result<Option<String>, SqlFailure> {
    let (mut after, mut running) = (Uuid::nil(), 0);
    loop {
        let rows = session.rows(PAGE_OF, &[CellRef::Uuid(after), CellRef::Int(PAGE)]).await?;
        let Some(last) = rows.last().and_then(|row| row.first()?.uuid()) else { break };
        after = last;
        for command in rows.into_iter().filter_map(read) {
            if person.owns(command.entity) {
                session.execute(DELETE, &[CellRef::Uuid(command.id)]).await?;
                erasure.deleted(TABLE, 1);
                continue;
            }
            let cleared = cleared(person, &command);
            if cleared == command {
                continue;
            }
            if command.status == CommandStatus::Running {
                running += 1;
                continue;
            }
            write(session, &cleared).await?;
            erasure.cleared(TABLE, 1);
        }
    }
    Ok((running > 0).then(|| {
        format!("{running} commands that they sent, or that name them, are RUNNING: let them end, and try again")
    }))
}

/// A command of an entity that is kept, without the person's data. Its id is kept, so that a repeated PUT does not
/// execute it again.
fn cleared(person: &Person, command: &CommandTexts) -> CommandTexts {
    let mut cleared = command.clone();
    if command.owner == Some(person.id) {
        cleared.owner = None;
    }
    if command.caller.as_deref().is_some_and(|caller| person.is_caller(caller)) {
        (cleared.caller, cleared.input, cleared.output) = (None, erased(Map::new()), None);
        cleared.errors = command.errors.as_deref().map(without_details);
        return cleared;
    }
    if person.is_in(&cleared.input) {
        let rest = serde_json::from_str(&person.taken_out_of(&cleared.input));
        cleared.input = erased(rest.unwrap_or_default());
    }
    let shown = [cleared.output.as_mut(), cleared.errors.as_mut()];
    for text in shown.into_iter().flatten().filter(|text| person.is_in(text)) {
        *text = person.taken_out_of(text);
    }
    cleared
}

/// The rest of an erased input, with a mark. It is no longer what the client sent, so it must not be executed again.
fn erased(mut rest: Map<String, Json>) -> String {
    rest.insert(ERASED.to_owned(), true.into());
    Json::from(rest).to_string()
}

/// The codes of errors, and where they are.
fn without_details(errors: &str) -> String {
    let mut errors: Vec<Json> = serde_json::from_str(errors).unwrap_or_default();
    for error in errors.iter_mut().filter_map(Json::as_object_mut) {
        error.retain(|name, _| ["code", "path"].contains(&name.as_str()));
    }
    Json::from(errors).to_string()
}

fn read(row: Vec<Cell>) -> Option<CommandTexts> {
    let mut columns = Columns(row.into_iter());
    Some(CommandTexts {
        id: columns.uuid()?,
        entity: columns.uuid()?,
        owner: columns.uuid(),
        caller: columns.text(),
        input: columns.text()?,
        status: status(columns.int()?),
        output: columns.text(),
        errors: columns.text(),
    })
}

async fn write(session: &impl Session, command: &CommandTexts) -> Result<(), SqlFailure> {
    let text = |text: &'_ Option<String>| match text {
        Some(text) => Cell::Text(text.clone()),
        None => Cell::Null,
    };
    let (caller, output, errors) = (text(&command.caller), text(&command.output), text(&command.errors));
    let values = [
        CellRef::Uuid(command.id),
        command.owner.map_or(CellRef::Null, CellRef::Uuid),
        caller.borrow(),
        CellRef::Text(command.input.as_bytes()),
        output.borrow(),
        errors.borrow(),
    ];
    session.execute(CLEAR, &values).await.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_an_input_is_marked() {
        assert_eq!(erased(Map::new()), r#"{"$erased":true}"#);
        let rest = serde_json::from_str(r#"{"justification":"the fastest","winner":null}"#).unwrap();
        assert!(erased(rest).contains(r#""$erased":true"#));
    }

    #[test]
    fn of_errors_the_codes_stay() {
        let errors = r#"[{"code":"TooLong","path":"name","details":{"maxLength":75}},{"code":"Own","text":"of Ann"}]"#;
        assert_eq!(without_details(errors), r#"[{"code":"TooLong","path":"name"},{"code":"Own"}]"#);
    }
}
