//! Conditions in the document: who has access, which entities a view shows, rules and lifecycles. Each is printed in
//! its canonical form, so that what means the same is written the same.

use super::Emitter;
use crate::api::{HttpOperation, PathItem, PathSubject};
use crate::condition::{Condition, parse};
use crate::contracts::json_tree::{JsonTree, object};
use crate::resource::{Access, Resource};
use crate::routes::Target;
use crate::service::Service;
use serde_json::{Value, json};

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
        let is_more = any_of.iter().any(|access| matches!(access, Access::Role(_) | Access::When(_)));
        let access = any_of.iter().filter(|_| is_more).map(|access| match access {
            Access::When(condition) => object([("when", JsonTree::Text(printed(condition)))]),
            word => JsonTree::Text(word.to_string()),
        });
        let tree = tree.with_filled("x-access", JsonTree::List(access.collect()));
        tree.with_some("x-where", self.shown(path).map(printed))
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

/// The roles of a service, by their names.
pub(super) fn roles(service: &Service) -> JsonTree {
    let role = |(name, condition): (&String, &Condition)| (name.clone(), JsonTree::Text(printed(condition)));
    JsonTree::Object(service.roles.iter().map(role).collect())
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
