//! Derives.

use proc_macro::TokenStream;

/// A resource.
#[proc_macro_derive(Resource, attributes(resource, field))]
pub fn derive_resource(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// A nested structure.
#[proc_macro_derive(Object, attributes(object, field))]
pub fn derive_object(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// A closed list of values.
#[proc_macro_derive(Enum, attributes(enumeration, value))]
pub fn derive_enum(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// A command.
#[proc_macro_derive(Command, attributes(command, field))]
pub fn derive_command(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
