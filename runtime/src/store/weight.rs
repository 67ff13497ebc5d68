//! How many bytes a write holds while it waits, and brings into a transaction: an estimate that is cheap to make.

use crate::store::{Batch, Change, ChangeKind, NewCommand, Record, Step, StoredSearch};
use restwell_model::Value;

/// What a write has besides its values.
const FIXED: usize = 256;

/// The bytes of something that is written.
pub(in crate::store) trait Weight {
    fn bytes(&self) -> usize;
}

impl Weight for Value {
    fn bytes(&self) -> usize {
        match self {
            Self::Text(text) | Self::Json(text) => text.len(),
            Self::Map(entries) => {
                entries.iter().map(|(name, value)| name.len() + value.bytes()).sum::<usize>() + size_of::<Self>()
            }
            Self::List(values) | Self::Object(values) => {
                values.iter().map(Self::bytes).sum::<usize>() + size_of::<Self>()
            }
            _ => size_of::<Self>(),
        }
    }
}

impl Weight for Change {
    fn bytes(&self) -> usize {
        FIXED
            + match &self.kind {
                ChangeKind::Create(value) | ChangeKind::Update(value) | ChangeKind::Put(value) => value.bytes(),
                ChangeKind::Delete => 0,
            }
    }
}

impl Weight for Step {
    fn bytes(&self) -> usize {
        match self {
            Self::Verify { .. } | Self::Lock(..) => FIXED,
            Self::Write(change) => change.bytes(),
        }
    }
}

/// The bytes of a step.
pub(crate) fn bytes_of(step: &Step) -> usize {
    step.bytes()
}

impl Weight for Batch {
    fn bytes(&self) -> usize {
        let conclusion = self.conclusion.as_ref().map_or(0, |conclusion| {
            let texts = [&conclusion.output, &conclusion.errors].into_iter().flatten();
            conclusion.record.bytes() + texts.map(String::len).sum::<usize>()
        });
        self.steps.iter().map(Step::bytes).sum::<usize>() + conclusion
    }
}

impl Weight for Record {
    fn bytes(&self) -> usize {
        FIXED + self.input.len()
    }
}

impl Weight for NewCommand {
    fn bytes(&self) -> usize {
        self.record.bytes()
    }
}

impl Weight for StoredSearch {
    fn bytes(&self) -> usize {
        FIXED + self.data.len()
    }
}

/// What brings next to nothing.
impl Weight for () {
    fn bytes(&self) -> usize {
        FIXED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_weighs_its_texts() {
        let texts = Value::List(vec![Value::Text("x".repeat(1000)), Value::Text("x".repeat(500))]);
        let value = Value::Object(vec![Value::Int(7), texts]);
        assert!((1500..1700).contains(&value.bytes()), "{}", value.bytes());
    }
}
