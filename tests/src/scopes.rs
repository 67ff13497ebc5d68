//! The scopes of a model, for callers that have one of them each.

use restwell_model::{Access, Checked, Resource};
use std::collections::BTreeSet;

/// Every scope that the model speaks of.
pub fn scopes(model: &Checked) -> Vec<String> {
    let of_resource = |resource: &Resource| {
        let views = resource.views.iter().flat_map(|view| &view.operations);
        let operations = resource.operations.iter().chain(views).flat_map(|operation| operation.access.clone());
        let commands = resource.commands.iter().flat_map(|command| command.access.clone());
        operations.chain(commands).collect::<Vec<_>>()
    };
    let access = model.resources.iter().flat_map(of_resource);
    let scopes = access.filter_map(|access| if let Access::Scope(scope) = access { Some(scope) } else { None });
    scopes.collect::<BTreeSet<_>>().into_iter().collect()
}
