//! Conditions of access that hold for a stranger because they negate a comparison with the caller: nobody equals
//! nothing, so that `!=` and `!` hold for nobody.

use super::access_conditions::condition_place;
use super::stranger::Stranger;
use crate::check::FaultCode::NegatedCaller;
use crate::check::place::Place;
use crate::check::{Checked, Fault};
use crate::condition::{Condition, Node, Nulls, Operator, Scope, Typed, reduce};
use crate::resource::{Access, Operation, Resource};

/// All lists of callers of a service.
pub(super) fn service(service: &Checked, faults: &mut Vec<Fault>) {
    for resource in &service.resources {
        let lists = AccessLists { service, resource };
        let definition = Place::Definition(&resource.name);
        lists.access(&resource.visible, &definition.key("visible"), faults);
        let fields = definition.key("fields");
        for field in &resource.fields {
            let at = fields.key(&field.name);
            lists.access(&field.visible, &at.key("visible"), faults);
            lists.access(&field.writable, &at.key("writable"), faults);
        }
        lists.operations(&resource.operations, &definition.key("operations"), faults);
        let views = definition.key("views");
        for view in &resource.views {
            let at = views.key(&view.name);
            lists.operations(&view.operations, &at.key("operations"), faults);
        }
        let commands = definition.key("commands");
        for command in &resource.commands {
            let at = commands.key(&command.name);
            lists.access(&command.access, &at.key("access"), faults);
        }
    }
}

struct AccessLists<'a> {
    service: &'a Checked,
    resource: &'a Resource,
}

impl AccessLists<'_> {
    fn operations(&self, operations: &[Operation], at: &Place<'_>, faults: &mut Vec<Fault>) {
        for operation in operations {
            let at = at.key(operation.kind.word());
            self.access(&operation.access, &at.key("access"), faults);
        }
    }

    fn access(&self, access: &[Access], at: &Place<'_>, faults: &mut Vec<Fault>) {
        if access.contains(&Access::Anyone) {
            return;
        }
        for (position, access) in access.iter().enumerate() {
            if let Some(condition) = access.condition()
                && self.holds_for_nobody(condition)
            {
                let message = "this holds for callers without credentials: nobody equals nothing";
                let fault = condition_place(access, &at.index(position)).fault(NegatedCaller, message);
                faults.push(fault.help("add `caller != null &&`, or `claims.… != null &&` for a claim"));
            }
        }
    }

    /// Whether a negated comparison with the caller or a claim lets a stranger meet the condition.
    fn holds_for_nobody(&self, condition: &Condition) -> bool {
        let scope = Scope { service: self.service, entity: Some(self.resource), old: false };
        let Ok(typed) = condition.typed(&scope) else { return false };
        let met = reduce(&typed, &Stranger);
        !met.is_never() && met != reduce(&without_negations(&typed), &Stranger)
    }
}

/// The condition, with negations of what depends on the caller as false.
fn without_negations(typed: &Typed) -> Typed {
    let node = match &typed.node {
        Node::Compare(Operator::NotEqual, .., Nulls::Unequal) => return Typed::flag(false),
        Node::Not(inner) if inner.may_be_unsaid() => return Typed::flag(false),
        Node::And(one, other) => Node::And(without_negations(one).into(), without_negations(other).into()),
        Node::Or(one, other) => Node::Or(without_negations(one).into(), without_negations(other).into()),
        Node::Choose(condition, yes, no) => {
            let (yes, no) = (without_negations(yes), without_negations(no));
            Node::Choose(condition.clone(), yes.into(), no.into())
        }
        other => other.clone(),
    };
    Typed { ty: typed.ty.clone(), node }
}
