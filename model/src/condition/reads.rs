//! What a condition reads.

use super::typed::{FieldBase, Node, Typed};
use std::collections::BTreeSet;

/// What a condition reads: what its result depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reads {
    /// Fields of the entity, with dots. Its id is not among them: it never changes, and every caller knows it.
    pub fields: BTreeSet<String>,
    /// Fields of the entity before the change.
    pub old_fields: BTreeSet<String>,
    /// Resources whose entities it reads, by references or from the other side.
    pub resources: BTreeSet<String>,
    /// Fields of entities that references lead to: the resource, and the field with dots. Inside `any` and `count` only
    /// those of what `outer` refers to.
    pub followed: BTreeSet<(String, String)>,
    /// The entity before the change.
    pub old: bool,
    /// The time.
    pub now: bool,
    /// The caller, the caller's token, or the caller's user.
    pub caller: bool,
}

impl Typed {
    /// What it reads.
    #[must_use]
    pub fn reads(&self) -> Reads {
        let mut reads = Reads::default();
        self.visit(0, &mut |part, around| part.add_to(&mut reads, around));
        reads
    }

    /// Adds what a part reads besides its own parts, where so many `any` and `count` are around it.
    fn add_to(&self, reads: &mut Reads, around: usize) {
        if let Some(path) = self.field_of_entity(around).filter(|path| !path.is_id()) {
            reads.fields.insert(path.dotted());
        }
        match &self.node {
            Node::Field(FieldBase::Old, path) => {
                reads.old = true;
                reads.old_fields.insert(path.dotted());
            }
            Node::Follow(reference, resource, path) => {
                reads.resources.insert(resource.clone());
                if around == 0 || reference.begins_at_entity(around) {
                    reads.followed.insert((resource.clone(), path.dotted()));
                }
            }
            Node::Referring { resource, .. } => {
                reads.resources.insert(resource.clone());
            }
            Node::Caller | Node::Scopes | Node::Claim(_) => reads.caller = true,
            Node::Now | Node::Today(_) => reads.now = true,
            _ => {}
        }
    }

    /// Whether a path of references begins at the entity that the whole condition is on.
    fn begins_at_entity(&self, around: usize) -> bool {
        match &self.node {
            Node::Follow(reference, ..) => reference.begins_at_entity(around),
            _ => self.field_of_entity(around).is_some(),
        }
    }
}
