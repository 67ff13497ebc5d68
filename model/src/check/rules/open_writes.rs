//! Writes that anyone may do although the description does not say so.

use crate::check::Fault;
use crate::check::FaultCode::OpenWrites;
use crate::check::place::Place;
use crate::resource::{Operation, Resource};

/// One fault for a resource, which names all its writes that are open by default.
pub(super) fn open_writes(resource: &Resource, faults: &mut Vec<Fault>) {
    let is_open = |operation: &&Operation| operation.open_by_default;
    let own = resource.operations.iter().filter(is_open).map(|operation| format!("`{}`", operation.kind.word()));
    let of_views = resource.views.iter().filter(|view| !view.requires_credentials()).flat_map(|view| {
        let open = view.operations.iter().filter(is_open);
        open.map(|operation| format!("`{}` of the view `{}`", operation.kind.word(), view.name))
    });
    let commands = resource.commands.iter().filter(|command| command.open_by_default && command.ready);
    let commands = commands.map(|command| format!("the command `{}`", command.name));
    let open: Vec<_> = own.chain(of_views).chain(commands).collect();
    let Some((last, others)) = open.split_last() else { return };
    let open = if others.is_empty() { last.clone() } else { format!("{} and {last}", others.join(", ")) };
    let definition = Place::Definition(&resource.name);
    let fault = definition.name_fault(OpenWrites, format!("anyone can call {open}, without a token"));
    faults
        .push(fault.help("say who has access, as in `create: { access: user }`, or `access: anyone` if that is meant"));
}
