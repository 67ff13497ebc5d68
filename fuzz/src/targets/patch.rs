//! A patch: its operations, and what they make of an entity, held to what the crate of RFC 6902 makes of it.

use crate::judge::judge_problems;
use crate::world::service;
use json_patch::{PatchOperation, patch};
use restwell_model::ErrorCode;
use restwell_model::input::{Reading, well_formed};
use serde_json::Value as Json;

/// What GET shows: a value of every kind.
const ENTITY: &str = include_str!("entity.json");
/// Bytes of an entity after a patch, at most.
const MAX_PATCHED_BYTES: usize = 2 * 1024 * 1024;

pub(crate) fn judge(data: &[u8]) {
    // what is not JSON is refused before any operation is read
    if well_formed(data).is_err() {
        return;
    }
    let (patched, problems) = match service().patch(ENTITY.as_bytes(), data) {
        Ok(patched) => patched,
        Err(problems) => {
            assert!(!problems.is_empty(), "refused without a reason");
            return judge_problems(&problems);
        }
    };
    judge_problems(&problems);
    assert!(patched.len() <= MAX_PATCHED_BYTES, "{} bytes", patched.len());
    let read = service().shape().read(&patched, Reading::Update, &[]).expect("a patch makes a body that can be read");
    assert_eq!(read.problems, problems, "the body is judged as a PUT's is");
    assert!(problems.iter().all(|problem| problem.code != ErrorCode::MalformedJson));
    // of a property that there is not only the name is kept
    if problems.iter().all(|problem| problem.code != ErrorCode::UnknownProperty) {
        judge_outcome(data, &patched);
    }
}

/// The result is the crate's. To replace what is not shown is no mistake here: it may be there all the same.
fn judge_outcome(data: &[u8], patched: &[u8]) {
    let operations: Vec<PatchOperation> = serde_json::from_slice(data).expect("operations, for they were applied");
    let mut expected: Json = serde_json::from_str(ENTITY).expect("the entity is JSON");
    match patch(&mut expected, &operations) {
        Ok(()) => assert_eq!(serde_json::from_slice::<Json>(patched).ok(), Some(expected)),
        Err(error) => {
            let has_replacement = operations.iter().any(|it| matches!(it, PatchOperation::Replace(_)));
            assert!(has_replacement, "taken, though {error}");
        }
    }
}
