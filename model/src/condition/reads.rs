//! What a condition reads.

use super::typed::{FieldBase, FieldPath, Node, Typed};
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

    /// Calls `each` with every part, and with how many `any` and `count` have it in their conditions.
    fn visit<'t>(&'t self, around: usize, each: &mut dyn FnMut(&'t Self, usize)) {
        each(self, around);
        match &self.node {
            Node::Referring { to, condition, .. } => {
                to.visit(around, each);
                condition.iter().for_each(|condition| condition.visit(around + 1, each));
            }
            _ => self.children().into_iter().for_each(|child| child.visit(around, each)),
        }
    }

    /// The path, if this part reads a field of the entity that the whole condition is on. `around`: how many `any` and
    /// `count` enclose the part.
    fn field_of_entity(&self, around: usize) -> Option<&FieldPath> {
        match &self.node {
            Node::Field(FieldBase::This, path) if around == 0 => Some(path),
            Node::Field(FieldBase::Outer, path) if around == 1 => Some(path),
            _ => None,
        }
    }

    /// Whether its value depends on the entity that it is on.
    #[must_use]
    pub fn reads_entity(&self) -> bool {
        self.depends_on_fields(0)
    }

    /// Whether the condition of an `any` or `count` depends on the entity outside.
    #[must_use]
    pub(super) fn reads_outer(&self) -> bool {
        self.depends_on_fields(1)
    }

    fn depends_on_fields(&self, around: usize) -> bool {
        let mut depends = false;
        self.visit(around, &mut |part, around| depends |= part.field_of_entity(around).is_some());
        depends
    }

    /// Whether it asks, of another entity, which entities of this resource refer to it. Others may be written at the
    /// same time.
    #[must_use]
    pub fn counts_beside(&self, resource: &str) -> bool {
        let mut counts = false;
        self.visit(0, &mut |part, _| {
            counts |=
                matches!(&part.node, Node::Referring { to, resource: of, .. } if of == resource && !to.is_itself());
        });
        counts
    }

    /// Whether it is the entity itself, as a reference.
    #[must_use]
    pub fn is_itself(&self) -> bool {
        matches!(&self.node, Node::Field(FieldBase::This, path) if path.is_id())
    }

    /// Adds what a part reads, without its own parts. `around`: how many `any` and `count` enclose it.
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
