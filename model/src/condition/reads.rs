//! What a condition reads.

use super::typed::{FieldBase, Node, Typed};
use std::collections::BTreeSet;

/// What a condition reads: what its result depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reads {
    /// Fields of the entity, with dots.
    pub fields: BTreeSet<String>,
    /// Fields of the entity before the change.
    pub old_fields: BTreeSet<String>,
    /// Resources whose entities it reads, by references or from the other side.
    pub resources: BTreeSet<String>,
    /// Fields of entities that references lead to: the resource, and the field with dots. Those inside `any` and
    /// `count` are not among them.
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
        self.collect_reads(&mut reads, true);
        reads
    }

    fn collect_reads(&self, reads: &mut Reads, is_outside: bool) {
        match &self.node {
            Node::Field(FieldBase::This, path) if is_outside => {
                reads.fields.insert(path.dotted());
            }
            Node::Field(FieldBase::Old, path) => {
                reads.old = true;
                reads.old_fields.insert(path.dotted());
            }
            Node::Follow(_, resource, path) => {
                reads.resources.insert(resource.clone());
                if is_outside {
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
        let is_outside = is_outside && !matches!(self.node, Node::Referring { .. });
        for child in self.children() {
            child.collect_reads(reads, is_outside);
        }
    }
}
