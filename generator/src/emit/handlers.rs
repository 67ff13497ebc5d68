//! A resource's commands as a trait, a method each, and what people begin with: an impl of methods to be written.

use super::command::Structs;
use super::documents::Document;
use super::names::{Module, ident};
use super::view::{MethodView, TraitView, docs};
use super::{NotRust, layout};
use crate::project::Starter;
use askama::Template;
use restwell_model::{Checked, Command, Resource};

/// Where people write what commands do, below the crate.
pub const FOLDER: &str = "src/commands";

/// The trait of a resource's commands, those left out that the model only announces; `None` where no other are.
pub(super) fn view(resource: &Resource, structs: &[Structs], name: &str) -> Option<TraitView> {
    let methods: Vec<_> = ready(resource, structs).map(|(command, structs)| method(command, structs)).collect();
    (!methods.is_empty()).then(|| TraitView { resource: resource.name.clone(), name: name.to_owned(), methods })
}

/// The commands that somebody has to write.
pub(super) fn ready<'a>(
    resource: &'a Resource,
    structs: &'a [Structs],
) -> impl Iterator<Item = (&'a Command, &'a Structs)> {
    resource.commands.iter().zip(structs).filter(|(command, _)| command.ready)
}

fn method(command: &Command, structs: &Structs) -> MethodView {
    MethodView {
        docs: docs(command.description.as_deref()),
        name: ident(&command.name),
        input: structs.input.clone(),
        output: structs.output.clone().unwrap_or_else(|| "()".to_owned()),
    }
}

/// The files that people begin with, one for each resource with commands, and what holds them together.
///
/// # Errors
///
/// What was emitted is no Rust.
pub(super) fn starters(service: &Checked, documents: &[Document<'_>]) -> Result<Vec<Starter>, NotRust> {
    let mut starters = Vec::new();
    let mut modules = Vec::new();
    for document in documents {
        let Some(handlers) = document.handlers() else { continue };
        let module = &document.module;
        let mut types: Vec<String> = handlers
            .methods
            .iter()
            .flat_map(|method| [method.input.clone(), method.output.clone()])
            .filter(|name| name != "()")
            .chain([handlers.name.clone()])
            .collect();
        types.sort_unstable();
        let path = format!("{FOLDER}/{}.rs", module.file());
        let text = HandlersRs { module: module.ident(), types, handlers }.render();
        starters.push(Starter { text: layout::source(&path, text)?.trim_start().to_owned(), path });
        modules.push(Module::ident(module));
    }
    if !modules.is_empty() {
        let title = service.title.as_deref().unwrap_or(&service.name);
        let (path, text) = (format!("{FOLDER}/mod.rs"), CommandsRs { title, modules }.render());
        starters.push(Starter { text: layout::source(&path, text)?.trim_start().to_owned(), path });
    }
    Ok(starters)
}

#[derive(Template)]
#[template(path = "project/handlers.rs.txt")]
struct HandlersRs {
    module: String,
    types: Vec<String>,
    handlers: TraitView,
}

#[derive(Template)]
#[template(path = "project/commands.rs.txt")]
struct CommandsRs<'a> {
    title: &'a str,
    modules: Vec<String>,
}
