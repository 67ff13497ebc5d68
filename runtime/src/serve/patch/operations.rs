//! The operations of a patch as they are read: checked one by one, their values still text.

use super::measure::Measure;
use crate::plan::exact_json;
use json_patch::jsonptr::{Pointer, PointerBuf};
use restwell_model::input::{MAX_PATCH_OPERATIONS, MAX_PROBLEMS, excerpt};
use restwell_model::{ErrorCode, Problem};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// An operation of RFC 6902.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) path: PointerBuf,
    pub(super) action: Action,
}

/// What an operation does at its path.
#[derive(Debug)]
pub(super) enum Action {
    Add(Operand),
    Replace(Operand),
    Test(Operand),
    Remove,
    /// From there.
    Move(PointerBuf),
    /// From there.
    Copy(PointerBuf),
}

/// The value of an operation, its numbers marked where they need it ([`exact_json`]). It is parsed when its turn comes,
/// so that a patch holds one such value at a time.
#[derive(Debug)]
pub(super) struct Operand {
    pub(super) text: Box<RawValue>,
    pub(super) measure: Measure,
    /// Whether its text has marks.
    pub(super) is_marked: bool,
}

/// The operations of a patch, or all that is wrong with them.
pub(super) fn read(body: &[u8]) -> Result<Vec<Operation>, Vec<Problem>> {
    let Ok(all) = serde_json::from_slice::<Vec<&RawValue>>(body) else {
        return Err(vec![Problem::new(ErrorCode::WrongType).with("expected", "array")]);
    };
    if all.len() > MAX_PATCH_OPERATIONS {
        return Err(vec![Problem::new(ErrorCode::TooManyItems).with("maxItems", MAX_PATCH_OPERATIONS)]);
    }
    let mut problems = Vec::new();
    let mut operations = Vec::with_capacity(all.len());
    for (index, text) in all.iter().enumerate() {
        match Operation::parse(text.get()) {
            Some(operation) => operations.push(operation),
            None => problems.push(unreadable(index, text.get())),
        }
    }
    problems.truncate(MAX_PROBLEMS);
    if problems.is_empty() { Ok(operations) } else { Err(problems) }
}

/// The members of an operation; others are ignored (RFC 6902 §4).
#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow)]
    op: Cow<'a, str>,
    path: PointerBuf,
    // these are looked at only by the operations that have them
    #[serde(borrow, default)]
    from: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "given")]
    value: Option<&'a RawValue>,
}

/// A value of null is a value.
fn given<'a, D: serde::Deserializer<'a>>(deserializer: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl Operation {
    fn parse(text: &str) -> Option<Self> {
        let Members { op, path, from, value } = serde_json::from_str(text).ok()?;
        let from = || serde_json::from_str(from?.get()).ok();
        let value = || Operand::measured(value?);
        let action = match &*op {
            "add" => Action::Add(value()?),
            "replace" => Action::Replace(value()?),
            "test" => Action::Test(value()?),
            "remove" => Action::Remove,
            "move" => Action::Move(from()?),
            "copy" => Action::Copy(from()?),
            _ => return None,
        };
        Some(Self { path, action })
    }
}

impl Operand {
    fn measured(text: &RawValue) -> Option<Self> {
        let (text, is_marked) = match exact_json::marked(text.get()) {
            Cow::Borrowed(_) => (text.to_owned(), false),
            Cow::Owned(marked) => (RawValue::from_string(marked).ok()?, true),
        };
        let measure = serde_json::from_str(text.get()).ok()?;
        Some(Self { text, measure, is_marked })
    }
}

/// An operation that is none, at its target where it has one.
fn unreadable(index: usize, text: &str) -> Problem {
    #[derive(Deserialize)]
    struct Target {
        path: PointerBuf,
    }
    let target = serde_json::from_str::<Target>(text).ok();
    let reason = "must be an operation of RFC 6902: op, path, and value or from where it takes one";
    let path = target.map(|target| excerpt(&dotted(&target.path)).to_owned());
    Problem { path, ..invalid(index, reason) }
}

/// A patch that cannot be done, because of the operation at this index.
pub(super) fn invalid(index: usize, reason: &str) -> Problem {
    Problem::new(ErrorCode::InvalidPatch).with("operation", index).with("reason", reason)
}

/// `/images/2` → `images.2`.
pub(super) fn dotted(pointer: &Pointer) -> String {
    let mut dotted = String::with_capacity(pointer.len());
    for (index, token) in pointer.tokens().enumerate() {
        if index > 0 {
            dotted.push('.');
        }
        dotted.push_str(&token.decoded());
    }
    dotted
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn problem(body: &Value) -> Problem {
        read(body.to_string().as_bytes()).unwrap_err().remove(0)
    }

    #[test]
    fn an_invalid_patch_is_reported() {
        assert_eq!(problem(&json!({})).code, ErrorCode::WrongType);
        let bad = problem(&json!([{ "op": "add", "path": "/images/2" }]));
        assert_eq!((bad.code, bad.path.as_deref()), (ErrorCode::InvalidPatch, Some("images.2")));
        assert_eq!(problem(&json!([{ "op": "grow", "path": "name" }])).path, None);
        assert_eq!(problem(&json!([7])).details["operation"], 0);
        let many = vec![json!({ "op": "remove", "path": "/name" }); MAX_PATCH_OPERATIONS + 1];
        assert_eq!(problem(&json!(many)).code, ErrorCode::TooManyItems);
    }

    #[test]
    fn null_is_a_value_and_what_an_operation_has_not_is_ignored() {
        let patch = json!([
            { "op": "add", "path": "/name", "value": null, "from": 7 },
            { "op": "remove", "path": "/name", "value": 1, "why": "so" },
        ]);
        assert_eq!(read(patch.to_string().as_bytes()).unwrap().len(), 2);
        assert_eq!(problem(&json!([{ "op": "move", "path": "/name", "from": null }])).path.as_deref(), Some("name"));
    }

    #[test]
    fn pointers_are_dotted() {
        assert_eq!(dotted(Pointer::from_static("/a~1b/0/c~0d")), "a/b.0.c~d");
    }
}
