//! PATCH (§4.2): the operations of RFC 6902 are done to a copy of what GET shows, and the result is taken as a PUT's body.
//!
//! The copy is read before the transaction, and the write holds only where the entity is still what was read; else all is
//! done anew. So nobody's change is lost, and a patch means what it would mean alone.

use super::Admitted;
use super::changes::Wish;
use super::etag::{self, Tags};
use super::failure::Failure;
use super::notices::Notices;
use super::operations::Answer;
use crate::chance;
use crate::store::{ChangeKind, Refusal};
use json_patch::jsonptr::{Pointer, PointerBuf};
use json_patch::{AddOperation, PatchErrorKind, PatchOperation, patch_unsafe};
use restwell_model::input::{Body, MAX_PROBLEMS, Reading, Shape, well_formed};
use restwell_model::{Deprecation, ErrorCode, OperationKind, Problem};
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use std::time::Duration;
use uuid::Uuid;

/// Operations of a patch at most.
const MAX_OPERATIONS: usize = 1000;
/// Bytes that the copies of a patch may have together at most.
const MAX_COPIED: usize = 1024 * 1024;
/// How often a patch is done anew because others changed the entity meanwhile.
const TRIES: u32 = 50;
/// The longest pause before the second try; each may be as much longer, so that those who get in each other's way part.
const PAUSE: Duration = Duration::from_millis(2);

impl Admitted<'_> {
    /// PATCH on an entity.
    pub(super) async fn patch(self, id: Uuid, body: &[u8], notices: &mut Notices) -> Answer {
        well_formed(body)?;
        let operations = operations(body);
        let mut known: Option<Tags> = None;
        for tries in 1..=TRIES {
            let entity = self.find_in(self.body_at, id).await?;
            let shown = &self.plan.representations(self.body_at.view)[self.body_at.version];
            let tags = Tags::These(vec![etag::tag(&shown.media_type, &entity.body)]);
            // it is still what it was: so it was the client who expected something else
            if known.as_ref() == Some(&tags) {
                return Err(Failure::new(ErrorCode::PreconditionFailed));
            }
            let permit = self.permission.permit()?;
            let (value, problems) = match operations.clone().and_then(|all| patched(&shown.shape, &entity.body, all)) {
                Ok(patched) => {
                    notices.uses(patched.deprecation(&shown.shape)?);
                    let Body { value, problems, .. } =
                        shown.shape.read(patched.json.to_string().as_bytes(), Reading::Update, &[])?;
                    (value, problems)
                }
                Err(problems) => return Err(self.refused(problems)),
            };
            let wish = Wish { operation: OperationKind::Patch, id, permit, unchanged: Some(tags.clone()) };
            match self.change(wish, ChangeKind::Update(value), problems).await {
                Err(failure) if failure.is(ErrorCode::PreconditionFailed) => {
                    known = Some(tags);
                    tokio::time::sleep(chance::up_to(PAUSE * tries)).await;
                }
                outcome => return self.updated(outcome?),
            }
        }
        Err(Refusal::Conflict.into())
    }
}

/// What a patch makes of an entity.
struct Patched {
    json: Json,
    /// The names of the properties that its operations touch.
    touched: Vec<String>,
}

impl Patched {
    /// Whether anything that was touched, and is not null now, is going away.
    fn deprecation(&self, shape: &Shape) -> Result<Option<Deprecation>, Failure> {
        let member = |name: &String| Some((name.clone(), self.json.get(name)?.clone()));
        let touched: Map<_, _> = self.touched.iter().filter_map(member).collect();
        Ok(shape.read(Json::Object(touched).to_string().as_bytes(), Reading::Update, &[])?.deprecation)
    }
}

/// The operations of a patch, or all that is wrong with them.
fn operations(body: &[u8]) -> Result<Vec<PatchOperation>, Vec<Problem>> {
    let Ok(all) = serde_json::from_slice::<Vec<Box<RawValue>>>(body) else {
        return Err(vec![Problem::new(ErrorCode::WrongType).with("expected", "array")]);
    };
    if all.len() > MAX_OPERATIONS {
        return Err(vec![Problem::new(ErrorCode::TooManyItems).with("maxItems", MAX_OPERATIONS)]);
    }
    let mut problems = Vec::new();
    let mut operations = Vec::with_capacity(all.len());
    for (index, text) in all.iter().enumerate() {
        match serde_json::from_str(text.get()) {
            Ok(operation) => operations.push(operation),
            Err(_) => problems.push(unreadable(index, text.get())),
        }
    }
    problems.truncate(MAX_PROBLEMS);
    if problems.is_empty() { Ok(operations) } else { Err(problems) }
}

/// An operation that is none, at its target where it has one.
fn unreadable(index: usize, text: &str) -> Problem {
    let json: Json = serde_json::from_str(text).unwrap_or_default();
    let pointer = json.get("path").and_then(Json::as_str).and_then(|path| PointerBuf::parse(path).ok());
    let reason = "must be an operation of RFC 6902: op, path, and value or from where it takes one";
    let problem = invalid(index, reason);
    Problem { path: pointer.map(|pointer| dotted(&pointer)), ..problem }
}

/// The entity with the operations done, one after the other; the first that cannot be ends it.
fn patched(shape: &Shape, body: &[u8], operations: Vec<PatchOperation>) -> Result<Patched, Vec<Problem>> {
    let mut json: Json = serde_json::from_slice(body).unwrap_or_default();
    let (mut touched, mut copied) = (Vec::new(), 0);
    for (index, operation) in operations.into_iter().enumerate() {
        let operation = with_hidden(shape, &json, operation);
        if let PatchOperation::Copy(copy) = &operation {
            copied += copy.from.resolve(&json).map_or(0, |value| value.to_string().len());
        }
        let at = dotted(operation.path());
        if copied > MAX_COPIED {
            let reason = format!("the copies of a patch may have at most {MAX_COPIED} bytes together");
            return Err(vec![Problem { path: Some(at), ..invalid(index, &reason) }]);
        }
        touched.extend(first(operation.path()));
        if let Err(error) = patch_unsafe(&mut json, std::slice::from_ref(&operation)) {
            return Err(vec![match error.kind {
                PatchErrorKind::TestFailed => Problem::at(ErrorCode::TestFailed, at).with("operation", index),
                kind => Problem { path: Some(at), ..invalid(index, &kind.to_string()) },
            }]);
        }
    }
    Ok(Patched { json, touched })
}

/// What is never shown has a value all the same: to replace it is to add it to what GET shows. So is to replace what is no
/// property here, which is told as such.
fn with_hidden(shape: &Shape, json: &Json, operation: PatchOperation) -> PatchOperation {
    let is_addition = |path: &Pointer| path.count() == 1 || shape.has(&dotted(path));
    match operation {
        PatchOperation::Replace(replace) if replace.path.resolve(json).is_err() && is_addition(&replace.path) => {
            PatchOperation::Add(AddOperation { path: replace.path, value: replace.value })
        }
        operation => operation,
    }
}

fn invalid(index: usize, reason: &str) -> Problem {
    Problem::new(ErrorCode::InvalidPatch).with("operation", index).with("reason", reason)
}

/// `/images/2` → `images.2`.
fn dotted(pointer: &Pointer) -> String {
    pointer.tokens().map(|token| token.decoded().into_owned()).collect::<Vec<_>>().join(".")
}

fn first(pointer: &Pointer) -> Option<String> {
    pointer.tokens().next().map(|token| token.decoded().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn problem(body: &Json) -> Problem {
        operations(body.to_string().as_bytes()).unwrap_err().remove(0)
    }

    #[test]
    fn what_is_no_patch_is_told() {
        assert_eq!(problem(&json!({})).code, ErrorCode::WrongType);
        let bad = problem(&json!([{ "op": "add", "path": "/images/2" }]));
        assert_eq!((bad.code, bad.path.as_deref()), (ErrorCode::InvalidPatch, Some("images.2")));
        assert_eq!(problem(&json!([{ "op": "grow", "path": "name" }])).path, None);
        assert_eq!(problem(&json!([7])).details["operation"], 0);
        let many = vec![json!({ "op": "remove", "path": "/name" }); MAX_OPERATIONS + 1];
        assert_eq!(problem(&json!(many)).code, ErrorCode::TooManyItems);
    }

    #[test]
    fn pointers_are_dotted() {
        assert_eq!(dotted(Pointer::from_static("/a~1b/0/c~0d")), "a/b.0.c~d");
    }
}
