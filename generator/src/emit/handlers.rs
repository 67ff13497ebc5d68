//! The trait with the command handlers of a resource, and the starter file with an impl for people to complete.

use super::command::Structs;
use super::documents::Document;
use super::names::Module;
use super::view::{MethodView, TraitView, docs};
use super::{NotRust, layout};
use crate::project::Starter;
use askama::Template;
use restwell_model::names::rust::ident;
use restwell_model::{Checked, Command, Resource};

/// The folder of the hand-written command handlers, relative to the crate.
pub const COMMANDS_FOLDER: &str = "src/commands";
/// The module that contains the handlers.
pub const COMMANDS_ROOT: &str = "src/commands/mod.rs";

/// The trait of a resource's commands, without the commands that are only announced.
pub(super) fn view(resource: &Resource, structs: &[Structs], name: String, result: String) -> TraitView {
    let methods = ready(resource, structs).map(|(command, structs)| method(command, structs)).collect();
    TraitView { resource: resource.name.clone(), name, result, methods }
}

/// The commands that need a handler.
pub(super) fn ready<'a>(
    resource: &'a Resource,
    structs: &'a [Structs],
) -> impl Iterator<Item = (&'a Command, &'a Structs)> {
    resource.commands.iter().zip(structs).filter(|(command, _)| command.ready && !resource.needs_no_code(command))
}

fn method(command: &Command, structs: &Structs) -> MethodView {
    MethodView {
        docs: docs(command.description.as_deref()),
        name: ident(&command.name),
        input: structs.input.clone(),
        output: structs.output.clone().unwrap_or_else(|| "()".to_owned()),
    }
}

/// The starter files: one for each resource with commands, if it is wanted, and the module that contains them.
///
/// # Errors
///
/// The emitted text is not valid Rust.
pub(super) fn starters(
    service: &Checked,
    documents: &[Document<'_>],
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Vec<Starter>, NotRust> {
    let mut starters = Vec::new();
    let mut modules = Vec::new();
    for document in documents {
        let Some(handlers) = document.starter() else { continue };
        let module = &document.module;
        modules.push(Module::ident(module));
        let path = format!("{COMMANDS_FOLDER}/{}.rs", module.file());
        if !is_wanted(&path) {
            continue;
        }
        let mut types: Vec<String> = handlers
            .methods
            .iter()
            .flat_map(|method| [method.input.clone(), method.output.clone()])
            .filter(|name| name != "()")
            .chain([handlers.name.clone()])
            .collect();
        types.sort_unstable();
        let text = HandlersRs {
            module: module.ident(),
            call: OuterName::of("restwell", "Call", &types),
            rejection: OuterName::of("restwell", "Rejection", &types),
            commands: OuterName::of("super", "Commands", &types),
            types,
            handlers,
        };
        let text = text.render();
        starters.push(Starter { text: layout::source(&path, text)?.trim_start().to_owned(), path });
    }
    if !modules.is_empty() {
        let title = service.title.as_deref().unwrap_or(&service.name);
        starters.push(Starter { text: commands_root(title, &modules)?, path: COMMANDS_ROOT.to_owned() });
    }
    Ok(starters)
}

/// The text of the module that contains the handlers.
///
/// # Errors
///
/// The emitted text is not valid Rust.
pub fn commands_root(title: &str, modules: &[String]) -> Result<String, NotRust> {
    let text = layout::source(COMMANDS_ROOT, CommandsRs { title, modules }.render())?;
    Ok(text.trim_start().to_owned())
}

#[derive(Template)]
#[template(path = "project/handlers.rs.txt")]
struct HandlersRs {
    module: String,
    /// What is imported from that module.
    types: Vec<String>,
    call: OuterName,
    rejection: OuterName,
    /// The type that has the handlers.
    commands: OuterName,
    handlers: TraitView,
}

#[derive(Template)]
#[template(path = "project/commands.rs.txt")]
struct CommandsRs<'a> {
    title: &'a str,
    modules: &'a [String],
}

/// A name from outside of the generated code: imported, or written with its path where a type of a command has it.
struct OuterName {
    written: String,
    is_imported: bool,
}

impl OuterName {
    fn of(path: &str, name: &str, types: &[String]) -> Self {
        let is_imported = !types.iter().any(|it| it == name);
        Self { written: if is_imported { name.to_owned() } else { format!("{path}::{name}") }, is_imported }
    }
}
