//! `#[derive(Command)]`: reads a struct as the input of a command.

use crate::attribute;
use crate::context::Context;
use crate::field::{self, Member};
use crate::{common, constraints, docs, symbol};
use restwell_model::{Command, ModelPath, check, names};
use serde_json::Map;
use syn::ext::IdentExt;
use syn::{DeriveInput, Error, Path, Result};

/// A command with its resource and its output.
pub(crate) struct DeclaredCommand {
    pub(crate) command: Command,
    pub(crate) members: Vec<Member>,
    /// The resource.
    pub(crate) on: Path,
    /// The object whose fields become the command's output.
    pub(crate) output: Option<Path>,
}

/// Reads and checks a command.
pub(crate) fn read(input: &DeriveInput) -> Result<DeclaredCommand> {
    Context::read(&input.ident, |context| read_in(context, input))
}

fn read_in(context: &mut Context, input: &DeriveInput) -> Result<DeclaredCommand> {
    let mut command = Command::new(&names::kebab(&input.ident.unraw().to_string()));
    command.description = docs::description(&input.attrs);
    let (mut on, mut output, mut keys) = (None, None, Map::new());

    // its paths begin at the command: its resource is known only when the service is assembled
    let at = ModelPath::definition(&command.name);
    if let Some(arguments) = context.note(attribute::arguments(&input.attrs, "command")) {
        context.each(&at, &arguments, &[], |context, argument| {
            match argument.name.text().as_str() {
                symbol::ON => on = Some(argument.path()?),
                symbol::SERDE | symbol::DEFAULT => common::off(argument)?,
                symbol::OUTPUT => output = Some(argument.path()?),
                symbol::NAME => {
                    command.name = argument.text()?;
                    context.places.definition(argument.place());
                }
                _ => constraints::collect(&mut keys, symbol::IN_COMMAND.key(argument)?, argument)?,
            }
            Ok(())
        });
    }
    let members = field::members(input, &at.key("input"), context);
    let open_by_default = !keys.contains_key(symbol::ACCESS);
    let command = Command { open_by_default, input: field::fields(&members), ..command.with_keys(keys) };

    if context.is_clean() {
        field::options(&members, &at.key("input"), |field| !field.required, context);
        context.faults(check::command(&command));
    } else {
        let alone = Command { input: field::sound_fields(&members), ..Command::new(&command.name) };
        context.faults_at(&at.key("input"), check::command(&alone));
    }
    let declared = on.map(|on| DeclaredCommand { command, members, on, output });
    declared
        .ok_or_else(|| Error::new_spanned(&input.ident, "name the resource of the command: `#[command(on = Offer)]`"))
}
