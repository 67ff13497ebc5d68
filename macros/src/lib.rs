//! The derives that turn hand-written structs into resources, objects, enums and commands of a Restwell service.
//!
//! Each is a pipeline of three steps: read (tokens to the model, every part remembering its place), check (the rules of
//! `restwell-model`, the same that YAML meets, their faults shown at those places), expand. What is emitted is small: the
//! model's fragment as a text, and a line per field that converts it.

mod attribute;
mod common;
mod constraints;
mod docs;
mod places;
mod reading;
mod types;
mod words;

mod command;
mod enumeration;
mod field;
mod object;
mod operations;
mod resource;

mod expand;
mod fallback;

use fallback::Derive;
use proc_macro::TokenStream;
use syn::{DeriveInput, Result, parse_macro_input};

/// A resource.
#[proc_macro_derive(Resource, attributes(resource, field))]
pub fn derive_resource(input: TokenStream) -> TokenStream {
    derive(input, Derive::Resource, |input| {
        let (resource, members) = resource::read(input)?;
        expand::resource(&input.ident, &resource, &members)
    })
}

/// A nested structure.
#[proc_macro_derive(Object, attributes(object, field))]
pub fn derive_object(input: TokenStream) -> TokenStream {
    derive(input, Derive::Object, |input| {
        let (object, members) = object::read(input)?;
        expand::object(&input.ident, &object, &members)
    })
}

/// A closed list of values.
#[proc_macro_derive(Enum, attributes(enumeration, value))]
pub fn derive_enum(input: TokenStream) -> TokenStream {
    derive(input, Derive::Enum, |input| {
        let (enumeration, cases) = enumeration::read(input)?;
        expand::enumeration(&input.ident, &enumeration, &cases)
    })
}

/// A command.
#[proc_macro_derive(Command, attributes(command, field))]
pub fn derive_command(input: TokenStream) -> TokenStream {
    derive(input, Derive::Command, |input| expand::command(&input.ident, &command::read(input)?))
}

fn derive(
    input: TokenStream,
    derive: Derive,
    expand: impl FnOnce(&DeriveInput) -> Result<proc_macro2::TokenStream>,
) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(|error| fallback::stubs(derive, &input, &error)).into()
}
