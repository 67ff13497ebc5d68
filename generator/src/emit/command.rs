//! A command as a struct of its input, and one of its output.

use super::attribute::Attribute;
use super::field;
use super::scope::Scope;
use super::shared::{Draft, draft};
use super::view::{DeriveKind, StructView, docs};
use restwell_model::check::{self, Severity};
use restwell_model::names::rust;
use restwell_model::resource::DEFAULT_TIMEOUT;
use restwell_model::{Command, Field, Object, Resource, names};
use std::collections::BTreeSet;

/// The names of the structs of a command.
pub(super) struct Structs {
    pub(super) input: String,
    /// `None` if the command has no output.
    pub(super) output: Option<String>,
}

impl Structs {
    /// All of them.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.input).chain(&self.output)
    }
}

/// The names of a resource's commands' structs, in the order of the model: none that Rust, the library or one of `all`
/// definitions has, and none that the derives of the document's definitions bring.
pub(super) fn structs(resource: &Resource, document: &BTreeSet<&str>, all: &BTreeSet<&str>) -> Vec<Structs> {
    let suffixes = [names::QUERY, names::SORT, names::COMMANDS, names::DRAFT];
    let brought = document.iter().flat_map(|name| suffixes.map(|suffix| format!("{name}{suffix}")));
    let mut claimed: BTreeSet<String> = brought.collect();
    let mut claim = |wish: String, suffix: &str| {
        let is_free = |name: &str| !rust::is_left_to_others(name) && !all.contains(name);
        rust::claim(wish, suffix, |name| !is_free(name) || !claimed.insert(name.to_owned()))
    };
    let commands = &resource.commands;
    let inputs: Vec<String> = commands.iter().map(|it| claim(names::pascal(&it.name), "Command")).collect();
    let with_inputs = commands.iter().zip(inputs);
    with_inputs
        .map(|(command, input)| {
            let output = (!command.output.is_empty()).then(|| claim(format!("{input}Output"), "Output"));
            Structs { input, output }
        })
        .collect()
}

/// The structs of one command.
pub(super) fn views(
    command: &Command,
    structs: &Structs,
    (on, taken_drafts): (&str, &BTreeSet<String>),
    scope: &mut Scope<'_>,
) -> Vec<StructView> {
    let mut attribute = attribute(command, on, structs.output.as_deref());
    attribute.without_draft(draft(&structs.input, &command.input, taken_drafts) == Draft::Taken);
    let input = StructView {
        docs: docs(command.description.as_deref()),
        kind: DeriveKind::Command,
        derive: scope.library(DeriveKind::Command.derive()),
        attribute: attribute.finish(),
        name: structs.input.clone(),
        members: field::members(&command.input, Field::may_be_null, scope),
    };
    let output = structs.output.as_ref().map(|name| StructView {
        docs: docs(Some(&format!("The output of `{}`.", structs.input))),
        kind: DeriveKind::Object,
        derive: scope.library(DeriveKind::Object.derive()),
        attribute: breaks_rules_of_objects(name, &command.output).then(|| "output".to_owned()),
        name: name.clone(),
        members: field::members(&command.output, Field::may_be_null, scope),
    });
    std::iter::once(input).chain(output).collect()
}

/// Whether the rules of objects refuse fields that those of outputs let pass.
fn breaks_rules_of_objects(name: &str, output: &[Field]) -> bool {
    let faults = check::object(&Object::new(name, output.to_vec()));
    faults.iter().any(|fault| fault.severity == Severity::Error)
}

fn attribute(command: &Command, on: &str, output: Option<&str>) -> Attribute {
    let mut attribute = Attribute::default();
    attribute.value("on", Some(on));
    attribute.text("name", Some(&command.name));
    attribute.access(&command.access, command.open_by_default);
    attribute.value("output", output);
    attribute.text("timeout", Some(&command.timeout).filter(|timeout| *timeout != DEFAULT_TIMEOUT));
    attribute.value("ready", (!command.ready).then_some(false));
    attribute.deprecation(command.deprecated, command.sunset);
    attribute.formerly(command.formerly.as_ref());
    attribute.allow(&command.allow);
    attribute
}
