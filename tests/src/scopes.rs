//! The model of the marketplace, and the scopes of a model.

use restwell_model::{Access, Checked, Resource};
use std::collections::BTreeSet;

/// The model of the marketplace.
pub fn marketplace_model() -> Checked {
    Checked::new(marketplace::service().model().expect("of one piece")).expect("no mistake")
}

/// Every scope that the model has.
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
