//! Conditions in the document: who has access, which entities a view shows, rules and lifecycles. Each is printed in
//! its canonical form, so that what means the same is written the same.

use super::Emitter;
use super::wording::callers;
use crate::api::{HttpOperation, OperationRole, PathItem, PathSubject};
use crate::condition::{Condition, parse};
use crate::contracts::json_tree::{JsonTree, object};
use crate::resource::OperationKind::{Create, Patch, Update};
use crate::resource::{Access, Resource, Rule, Transition};
use crate::routes::{Action, Target};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A condition in its canonical form.
pub(in crate::contracts) fn printed(condition: &Condition) -> String {
    parse(condition.as_str()).map_or_else(|_| condition.to_string(), |expr| expr.to_string())
}

impl Emitter<'_, '_> {
    /// An operation with what its words of access do not say: roles and conditions, any of which grants access, and
    /// the condition of its view.
    pub(super) fn with_conditions(
        &self,
        tree: JsonTree,
        path: &PathItem<'_>,
        operation: &HttpOperation<'_>,
    ) -> JsonTree {
        let any_of = &operation.access.any_of;
        let is_more = any_of.iter().any(|access| matches!(access, Access::Role(_)) || access.condition().is_some());
        let access = if is_more { any_of.as_slice() } else { &[] };
        let tree = tree.with_filled("x-access", access_list(access));
        tree.with_some("x-where", self.shown(path).map(printed))
    }

    /// What conditions say of an operation besides access: which entities a view has, which rules a write has to keep,
    /// between which states a command leads.
    pub(super) fn conditions_in_words(&self, path: &PathItem<'_>, operation: &HttpOperation<'_>) -> Vec<String> {
        let PathSubject::Resource { resource, .. } = path.subject else { return Vec::new() };
        let resource = &self.api.service.resources[resource];
        let shown = self.shown(path).map(|condition| format!("Has the entities that meet `{}`.", printed(condition)));
        let mut sentences: Vec<String> = shown.into_iter().collect();
        match operation.role {
            OperationRole::Action(Action::Operation(Create | Update | Patch)) => {
                let rule = |rule: &Rule| format!("`{}` {} (`{}`)", rule.code, rule.text(), printed(&rule.check));
                let rules: Vec<_> = resource.rules.iter().map(rule).collect();
                if !rules.is_empty() {
                    sentences.push(format!("422 unless the entity keeps its rules: {}.", rules.join("; ")));
                }
            }
            OperationRole::Action(Action::PutCommand(command)) => {
                let name = &resource.commands[command].name;
                let transition = resource.lifecycle.as_ref().and_then(|lifecycle| lifecycle.transition(name));
                sentences.extend(transition.map(transition_in_words));
            }
            OperationRole::Action(_) | OperationRole::System(_) => {}
        }
        sentences
    }

    /// The condition of the view that a path is of.
    fn shown(&self, path: &PathItem<'_>) -> Option<&Condition> {
        let PathSubject::Resource { resource, target } = path.subject else { return None };
        let (Target::Collection { view: Some(view) } | Target::Entity { view: Some(view) }) = target else {
            return None;
        };
        self.api.service.resources[resource].views[view].filter.as_ref()
    }
}

/// Who sees the entities of a resource, where not every caller does.
pub(super) fn visible_in_words(resource: &Resource) -> Option<String> {
    if !resource.is_restricted() {
        return None;
    }
    let hidden = if resource.disclose { "others get 403" } else { "for others it does not exist" };
    Some(format!("An entity is visible to {}; {hidden}.", callers(&resource.visible, true)))
}

fn transition_in_words(transition: &Transition) -> String {
    let from: Vec<_> = transition.from.iter().map(|state| format!("`{state}`")).collect();
    let when = transition.when.as_ref().map(|when| format!(" and meets `{}`", printed(when))).unwrap_or_default();
    format!(
        "Leads to the state `{}`: 422 `WrongState` unless the entity is in {}{when}.",
        transition.to,
        from.join(" or ")
    )
}

/// The words and conditions of an access list.
pub(in crate::contracts) fn access_list(any_of: &[Access]) -> JsonTree {
    let shown = any_of.iter().map(|access| match access {
        Access::When(condition) => object([("when", JsonTree::Text(printed(condition)))]),
        word => JsonTree::Text(word.to_string()),
    });
    JsonTree::List(shown.collect())
}

/// Roles, or named conditions, by their names.
pub(super) fn named(conditions: &BTreeMap<String, Condition>) -> JsonTree {
    let one = |(name, condition): (&String, &Condition)| (name.clone(), JsonTree::Text(printed(condition)));
    JsonTree::Object(conditions.iter().map(one).collect())
}

/// The rules of a resource.
pub(super) fn rules(resource: &Resource) -> Option<Value> {
    let rules = resource.rules.iter().map(|rule| {
        let mut shown = serde_json::to_value(rule).unwrap_or_default();
        shown["check"] = printed(&rule.check).into();
        shown
    });
    (!resource.rules.is_empty()).then(|| rules.collect())
}

/// The lifecycle of a resource.
pub(super) fn states(resource: &Resource) -> Option<Value> {
    let lifecycle = resource.lifecycle.as_ref()?;
    let mut shown = serde_json::to_value(lifecycle).unwrap_or_default();
    for (transition, shown) in lifecycle.transitions.iter().zip(shown["transitions"].as_array_mut()?) {
        if let Some(when) = &transition.when {
            shown["when"] = printed(when).into();
        }
        for (field, value) in &transition.set {
            shown["set"][field] = json!(printed(value));
        }
    }
    Some(shown)
}
