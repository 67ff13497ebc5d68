//! The marketplace with access lists of words alone, and without states: what roles, conditions and lifecycles add is
//! asked of `tests/conditions`, and of every endpoint by the matrix of `process`.

use restwell::{Builder, Interpreted};
use restwell_model::{Access, Checked, Resource};
use restwell_tests::scopes::marketplace_model;
use std::sync::OnceLock;

/// The service. Commands succeed with outputs that are made from the model.
pub(crate) fn service() -> Builder {
    static SERVICE: OnceLock<Interpreted> = OnceLock::new();
    Builder::interpreted(SERVICE.get_or_init(interpret).clone())
}

fn interpret() -> Interpreted {
    let mut service = marketplace_model().into_inner();
    service.roles.clear();
    service.resources.iter_mut().for_each(leave_words);
    let model = Checked::new(service).unwrap_or_else(|faults| panic!("{faults:?}"));
    Interpreted { mock_commands: true, ..Interpreted::of(model) }
}

fn leave_words(resource: &mut Resource) {
    resource.lifecycle = None;
    resource.rules.clear();
    resource.visible.clear();
    resource.views.retain(|view| view.filter.is_none());
    resource.fields.iter_mut().for_each(|field| field.required_when = None);
    let of_views = resource.views.iter_mut().flat_map(|view| &mut view.operations);
    let of_operations = resource.operations.iter_mut().chain(of_views).map(|operation| &mut operation.access);
    for access in of_operations.chain(resource.commands.iter_mut().map(|command| &mut command.access)) {
        access.retain(|access| !matches!(access, Access::Role(_)) && access.condition().is_none());
        if access.is_empty() {
            access.push(Access::Owner);
        }
    }
}
