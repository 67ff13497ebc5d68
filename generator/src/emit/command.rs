//! A command as a struct of its input, and one of its output.

use super::attribute::Attribute;
use super::field;
use super::scope::Scope;
use super::view::{Kind, StructView, docs};
use restwell_model::resource::DEFAULT_TIMEOUT;
use restwell_model::{Command, Resource, names};

/// What a command's structs are called.
pub(super) struct Structs {
    pub(super) input: String,
    /// `None` where the handler has nothing to add.
    output: Option<String>,
}

/// The names of a resource's commands' structs, in the order of the model.
pub(super) fn structs(resource: &Resource, scope: &mut Scope<'_>) -> Vec<Structs> {
    for suffix in ["Draft", "Query"] {
        // the types that the resource's derive brings
        scope.claim(&format!("{}{suffix}", resource.name), suffix);
    }
    let inputs: Vec<String> =
        resource.commands.iter().map(|command| scope.claim(&names::pascal(&command.name), "Command")).collect();
    let with_outputs = resource.commands.iter().zip(inputs);
    with_outputs
        .map(|(command, input)| {
            let output = (!command.output.is_empty()).then(|| scope.claim(&format!("{input}Output"), "Output"));
            Structs { input, output }
        })
        .collect()
}

/// The structs of one command.
pub(super) fn views(command: &Command, structs: Structs, on: &str, scope: &mut Scope<'_>) -> Vec<StructView> {
    let input = StructView {
        docs: docs(command.description.as_deref()),
        kind: Kind::Command,
        attribute: attribute(command, on, structs.output.as_deref()),
        name: structs.input,
        members: field::members(&command.input, scope),
    };
    let output = structs.output.map(|name| StructView {
        docs: docs(Some(&format!("What `{}` gives.", input.name))),
        kind: Kind::Object,
        attribute: None,
        name,
        members: field::members(&command.output, scope),
    });
    std::iter::once(input).chain(output).collect()
}

fn attribute(command: &Command, on: &str, output: Option<&str>) -> Option<String> {
    let mut attribute = Attribute::default();
    attribute.value("on", Some(on));
    attribute.text("name", Some(&command.name));
    attribute.access(&command.access);
    attribute.value("output", output);
    attribute.text("timeout", Some(&command.timeout).filter(|timeout| *timeout != DEFAULT_TIMEOUT));
    attribute.value("ready", (!command.ready).then_some(false));
    attribute.deprecation(command.deprecated, command.sunset);
    attribute.allow(&command.allow);
    attribute.finish()
}
