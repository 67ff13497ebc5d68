//! Who is erased, and how that person is found in texts.

use crate::auth::caller::Caller;
use crate::plan::cell::{Cell, CellRef};
use crate::plan::{IndexedBy, Plans, ResourcePlan};
use crate::store::StoreError;
use crate::store::sql::delete::MAX_ERASED;
use crate::store::sql::explain::exists;
use crate::store::sql::{Session, SqlFailure};
use restwell_model::case_folding::fold_case;
use restwell_model::scalar::uuid_text;
use restwell_model::tables::Dialect;
use serde_json::Value as Json;
use std::collections::HashSet;
use uuid::Uuid;

/// The person.
pub(super) struct Person {
    pub(super) id: Uuid,
    /// The subject of their tokens, as the users' field holds it.
    subject: Option<String>,
    /// Values that no other user has, as JSON.
    names: Vec<String>,
    /// Those that no other user has in another case either, folded.
    folded: Vec<String>,
    /// The person and what is theirs: entities that go, and those that were deleted before.
    ids: HashSet<Uuid>,
}

impl Person {
    /// By the row of the user, if it is still there.
    pub(super) fn of(plans: &Plans, id: Uuid, user: Option<(&ResourcePlan, &[Cell])>) -> Self {
        let mut person = Self { id, subject: None, names: Vec::new(), folded: Vec::new(), ids: HashSet::from([id]) };
        let Some((plan, cells)) = user else { return person };
        let text = |column: usize| match cells.get(column) {
            Some(Cell::Text(text)) => Some(text.clone()),
            _ => None,
        };
        let subjects = plans.service.user_subjects.as_ref();
        let slot = subjects.and_then(|subjects| plan.table.slot(&subjects.subject));
        person.subject = slot.and_then(|slot| text(slot.columns.start));
        for unique in plan.table.uniques.iter().filter(|unique| unique.columns.len() == 1) {
            match text(unique.columns[0]).map(|text| Json::from(text).to_string()) {
                Some(name) if unique.ignores_case => person.folded.push(fold_case(&name)),
                name => person.names.extend(name),
            }
        }
        person
    }

    /// An entity that goes with them.
    pub(super) fn has(&mut self, id: Uuid) {
        self.ids.insert(id);
    }

    /// Whether an entity is theirs.
    pub(super) fn owns(&self, id: Uuid) -> bool {
        self.ids.contains(&id)
    }

    /// Entities of theirs that were deleted before: events and commands still name them, with their owner.
    pub(super) async fn remember_former<S: Session>(&mut self, session: &S, plans: &Plans) -> Result<(), SqlFailure> {
        // drafts become events, so they are looked at first
        let drafts = (S::DIALECT == Dialect::Postgres).then_some("_restwell_drafts");
        for table in drafts.into_iter().chain(["_restwell_events", "_restwell_commands"]) {
            let sql = format!(
                "SELECT DISTINCT \"resource\", \"entity_id\" FROM \"{table}\" WHERE \"owner_id\" = ?1 LIMIT ?2"
            );
            let most = i64::try_from(2 * MAX_ERASED).unwrap_or(i64::MAX);
            let rows = session.rows(&sql, &[CellRef::Uuid(self.id), CellRef::Int(most)]).await?;
            if rows.len() == 2 * MAX_ERASED {
                let narrow =
                    format!("`{table}` names more than {MAX_ERASED} entities of theirs that were deleted before");
                return Err(StoreError::TooCostly(narrow).into());
            }
            for row in rows {
                let [Cell::Text(resource), Cell::Uuid(id)] = row.as_slice() else { continue };
                // events have the word for one, commands the name
                let is_it = |plan: &ResourcePlan| plan.events.have_word(resource) || plan.name == *resource;
                let known = plans.resources.indexed().find(|(_, plan)| is_it(plan));
                let is_there = match known {
                    Some((_, plan)) => exists(session, &plan.table.name, *id).await?,
                    None => false,
                };
                if !is_there {
                    self.has(*id);
                }
            }
        }
        Ok(())
    }

    /// Whether a text has an id of theirs.
    pub(super) fn is_in(&self, text: &str) -> bool {
        text.split('"').filter_map(uuid_text::parse).any(|id| self.owns(id))
    }

    /// Whether a search is about them.
    pub(super) fn is_sought(&self, criteria: &str) -> bool {
        let is_named = || self.names.iter().any(|name| criteria.contains(name));
        self.is_in(criteria) || is_named() || self.is_named_in_another_case(criteria)
    }

    fn is_named_in_another_case(&self, criteria: &str) -> bool {
        if self.folded.is_empty() {
            return false;
        }
        let criteria = fold_case(criteria);
        self.folded.iter().any(|name| criteria.contains(name))
    }

    /// Whether they are the caller that was stored with a command.
    pub(super) fn is_caller(&self, stored: &str) -> bool {
        let Ok(caller) = serde_json::from_str::<Caller>(stored) else { return false };
        let subject = caller.subject.map(|subject| subject.key());
        caller.id == self.id || (subject.is_some() && subject == self.subject)
    }

    /// JSON without references to what is theirs.
    pub(super) fn taken_out_of(&self, text: &str) -> String {
        let Ok(mut json) = serde_json::from_str(text) else { return "null".to_owned() };
        self.take_out(&mut json);
        json.to_string()
    }

    fn take_out(&self, json: &mut Json) {
        match json {
            Json::Array(items) => {
                items.retain(|item| !self.is(item));
                items.iter_mut().for_each(|item| self.take_out(item));
            }
            Json::Object(members) => {
                for member in members.values_mut() {
                    if self.is(member) {
                        *member = Json::Null;
                    }
                    self.take_out(member);
                }
            }
            _ => {}
        }
    }

    /// Whether a value is an id of theirs, or a reference to one.
    fn is(&self, value: &Json) -> bool {
        let id = value.as_str().or_else(|| value.get("id")?.as_str());
        id.and_then(uuid_text::parse).is_some_and(|id| self.owns(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn person() -> Person {
        let mut person = Person {
            id: Uuid::from_u128(1),
            subject: Some("auth0|1".to_owned()),
            names: vec!["\"ann@example.com\"".to_owned()],
            folded: vec!["\"strassner\"".to_owned()],
            ids: HashSet::from([Uuid::from_u128(1)]),
        };
        person.has(Uuid::from_u128(2));
        person
    }

    #[test]
    fn references_are_taken_out_wherever_they_are() {
        let (mine, other) = (Uuid::from_u128(2), Uuid::from_u128(3));
        let json = json!({
            "winner": { "id": mine, "name": "Ann" }, "judge": { "id": other, "name": "Bob" }, "key": mine,
            "jury": [{ "id": other }, { "id": mine }], "rounds": [{ "first": { "id": mine } }], "note": "text",
        });
        let rest = json!({
            "winner": null, "judge": { "id": other, "name": "Bob" }, "key": null,
            "jury": [{ "id": other }], "rounds": [{ "first": null }], "note": "text",
        });
        assert!(person().is_in(&json.to_string()) && !person().is_in(&rest.to_string()));
        assert_eq!(person().taken_out_of(&json.to_string()), rest.to_string());
    }

    #[test]
    fn a_caller_is_known_by_id_and_by_subject() {
        let subject = |name: &str| json!({ "issuer": "i", "name": name, "knows_users": true });
        let caller = |id: u128, name: &str| {
            json!({ "id": Uuid::from_u128(id), "scopes": [], "subject": subject(name) }).to_string()
        };
        assert!(person().is_caller(&caller(1, "x")) && person().is_caller(&caller(9, "auth0|1")));
        assert!(!person().is_caller(&caller(9, "auth0|2")) && !person().is_caller("{}"));
    }

    #[test]
    fn a_search_for_a_value_of_theirs_is_about_them() {
        assert!(person().is_sought(r#"{"email":["ann@example.com"]}"#));
        assert!(!person().is_sought(r#"{"email":["joann@example.com"]}"#));
        assert!(!person().is_sought(r#"{"email":["Ann@example.com"]}"#));
        assert!(person().is_sought(r#"{"handle":["Straßner"]}"#));
        assert!(!person().is_sought(r#"{"handle":["Straßner1"]}"#));
    }
}
