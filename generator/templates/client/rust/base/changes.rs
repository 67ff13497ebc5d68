//! Changes of an entity: whole, in part, and by a function on the state that was read.

use super::client::Call;
use super::endpoint::{Endpoint, stored};
use super::error::Error;
use super::stored::Stored;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

/// How often `edit` reads the entity at most.
const EDITS: usize = 3;

/// What must hold for a change to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition<'a> {
    /// Nobody has changed the entity since it had this tag; otherwise the call is
    /// [`Error::PreconditionFailed`].
    Unchanged(&'a str),
    /// Nothing: changes that others have made are overwritten.
    Anyway,
}

impl<'a> Condition<'a> {
    pub(crate) const fn etag(self) -> Option<&'a str> {
        match self {
            Self::Unchanged(etag) => Some(etag),
            Self::Anyway => None,
        }
    }
}

impl Endpoint<'_> {
    /// Replaces an entity.
    pub(crate) async fn update<T: DeserializeOwned>(
        &self,
        id: Uuid,
        body: &impl Serialize,
        etag: Option<&str>,
    ) -> Result<Stored<T>, Error> {
        stored(&self.client.send(&self.update_call(id, body, etag)?).await?)
    }

    /// Replaces an entity by an asynchronous operation.
    pub(crate) async fn begin_update(&self, id: Uuid, body: &impl Serialize, etag: Option<&str>) -> Result<(), Error> {
        self.client.send(&self.update_call(id, body, etag)?).await.map(drop)
    }

    /// Changes parts of an entity by the operations of RFC 6902.
    pub(crate) async fn patch<T: DeserializeOwned>(
        &self,
        id: Uuid,
        operations: &[Json],
        etag: Option<&str>,
    ) -> Result<Stored<T>, Error> {
        let call = self.call("PATCH", &self.of(id)).with(self.names, operations)?;
        stored(&self.client.send(&call.if_match(etag)).await?)
    }

    /// The same by an asynchronous operation.
    pub(crate) async fn begin_patch(&self, id: Uuid, operations: &[Json], etag: Option<&str>) -> Result<(), Error> {
        let call = self.call("PATCH", &self.of(id)).with(self.names, operations)?;
        self.client.send(&call.if_match(etag)).await.map(drop)
    }

    /// Reads an entity, changes it and replaces it; if somebody else has changed it meanwhile, all once more.
    pub(crate) async fn edit<T, U>(&self, id: Uuid, mut change: impl FnMut(&mut U)) -> Result<Stored<T>, Error>
    where
        T: DeserializeOwned + Clone,
        U: From<T> + Serialize,
    {
        let mut sent: Option<(Json, Error)> = None;
        for _ in 0..EDITS {
            let read: Stored<T> = self.get(id).await?;
            let mut update = U::from(read.value.clone());
            let before = json_of(&update)?;
            if sent.as_ref().is_some_and(|(wanted, error)| *wanted == before && error.may_have_happened()) {
                // the response got lost, and the change did not
                return Ok(read);
            }
            change(&mut update);
            let wanted = json_of(&update)?;
            match self.update(id, &update, Some(tag_of(&read)?)).await {
                Err(error @ Error::PreconditionFailed(_)) => sent = Some((wanted, error)),
                done => return done,
            }
        }
        Err(sent.map_or(Error::Timeout(super::Uncertain::No), |(_, error)| error))
    }

    /// Reads an entity, changes it, and sends what is different, provided that it still is what was read there.
    pub(crate) async fn edit_parts<T, U>(&self, id: Uuid, mut change: impl FnMut(&mut U)) -> Result<Stored<T>, Error>
    where
        T: DeserializeOwned + Clone,
        U: From<T> + Serialize,
    {
        let mut refused = None;
        for _ in 0..EDITS {
            let read: Stored<T> = self.get(id).await?;
            let mut update = U::from(read.value.clone());
            let before = json_of(&update)?;
            change(&mut update);
            let mut patch = Patch::default();
            patch.difference(&before, &json_of(&update)?, "");
            if patch.operations.is_empty() {
                return Ok(read);
            }
            let etag = if patch.needs_etag { Some(tag_of(&read)?) } else { None };
            match self.patch(id, &patch.operations, etag).await {
                Err(error @ Error::PreconditionFailed(_)) => refused = Some(error),
                Err(error) if error.problems().iter().any(|problem| problem.code == "TestFailed") => {
                    refused = Some(error);
                }
                done => return done,
            }
        }
        Err(refused.unwrap_or(Error::Timeout(super::Uncertain::No)))
    }

    fn update_call(&self, id: Uuid, body: &impl Serialize, etag: Option<&str>) -> Result<Call, Error> {
        Ok(self.call("PUT", &self.of(id)).with(self.names, body)?.if_match(etag))
    }
}

/// The tag without which a change would overwrite those of others.
fn tag_of<T>(read: &Stored<T>) -> Result<&str, Error> {
    read.etag.as_deref().ok_or_else(|| Error::Request("the entity was read without an `ETag`".to_owned()))
}

fn json_of(value: &impl Serialize) -> Result<Json, Error> {
    serde_json::to_value(value).map_err(|error| Error::Request(error.to_string()))
}

/// The difference between two states.
#[derive(Default)]
struct Patch {
    operations: Vec<Json>,
    /// A list may hold what responses show beside references, so that it cannot be tested.
    needs_etag: bool,
}

impl Patch {
    fn difference(&mut self, before: &Json, after: &Json, path: &str) {
        match (before, after) {
            (before, after) if before == after => {}
            (Json::Object(before), Json::Object(after)) => self.members(before, after, path),
            (Json::Array(_), _) | (_, Json::Array(_)) => {
                self.needs_etag = true;
                self.operations.push(json!({"op": "replace", "path": path, "value": after}));
            }
            (before, after) => {
                // an object from a response may show more
                if before.is_object() {
                    self.needs_etag = true;
                } else {
                    self.operations.push(json!({"op": "test", "path": path, "value": before}));
                }
                self.operations.push(json!({"op": "replace", "path": path, "value": after}));
            }
        }
    }

    fn members(&mut self, before: &Map<String, Json>, after: &Map<String, Json>, path: &str) {
        for (name, after) in after {
            let path = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
            match before.get(name) {
                Some(before) => self.difference(before, after, &path),
                None => self.operations.push(json!({"op": "add", "path": path, "value": after})),
            }
        }
    }
}
