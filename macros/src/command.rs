//! `#[derive(Command)]`: a struct, read as the input of a command.

use crate::attribute;
use crate::field::{self, Member};
use crate::reading::Reading;
use crate::{common, docs, words};
use restwell_model::{Command, ModelPath, check, names};
use syn::ext::IdentExt;
use syn::{DeriveInput, Error, Path, Result};

/// A command with the types it stands between.
pub(crate) struct Declared {
    pub(crate) command: Command,
    pub(crate) members: Vec<Member>,
    /// The resource.
    pub(crate) on: Path,
    /// The object whose fields become the command's output.
    pub(crate) output: Option<Path>,
}

/// Reads and checks a command.
pub(crate) fn read(input: &DeriveInput) -> Result<Declared> {
    let mut reading = Reading::of(&input.ident);
    let mut command = Command::new(&names::kebab(&input.ident.unraw().to_string()));
    command.description = docs::description(&input.attrs);
    let (mut on, mut output) = (None, None);

    // its places are those of a definition: which resource it belongs to is known when the service is assembled
    let at = ModelPath::definition(&command.name);
    if let Some(arguments) = reading.note(attribute::arguments(&input.attrs, "command")) {
        reading.each(&at, &arguments, &[], |reading, argument| {
            match argument.name.text().as_str() {
                words::ON => on = Some(argument.path()?),
                words::OUTPUT => output = Some(argument.path()?),
                words::NAME => {
                    command.name = argument.text()?;
                    reading.places.definition(argument.place());
                }
                words::ACCESS => command.access = common::access(argument)?,
                words::TIMEOUT => command.timeout = argument.text()?,
                words::READY => command.ready = argument.truth()?,
                words::DEPRECATED => command.deprecated = argument.flag()?,
                words::SUNSET => command.sunset = Some(common::date(argument)?),
                words::ALLOW => command.allow = common::allow(argument)?,
                _ => return Err(words::IN_COMMAND.unknown(argument)),
            }
            Ok(())
        });
    }
    let members = field::members(input, &at.key("input"), &mut reading);
    command.input = field::fields(&members);

    if reading.is_clean() {
        reading.faults(check::command(&command));
    }
    let declared = on.map(|on| Declared { command, members, on, output });
    reading.finish(
        declared.ok_or_else(|| Error::new_spanned(&input.ident, "say whose command it is: `#[command(on = Offer)]`")),
    )
}
