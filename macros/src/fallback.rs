//! The output of a derive that fails: its errors, and stub impls, so that code which registers the type still compiles
//! and one mistake gives one error. The stubs never run, because the crate does not compile.

use crate::expand::{output, serde};
use crate::query::{self, Definitions};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error};

/// Which derive failed.
#[derive(Clone, Copy)]
pub(crate) enum Derive {
    Resource,
    Object,
    Enum,
    Command,
}

/// The errors with the stubs.
pub(crate) fn stubs(derive: Derive, input: &DeriveInput, error: &Error) -> TokenStream {
    let errors = error.to_compile_error();
    if !input.generics.params.is_empty() {
        // a generic type cannot be registered, so it needs no stubs
        return errors;
    }
    let ident = &input.ident;
    let attribute = match derive {
        Derive::Resource => "resource",
        Derive::Object => "object",
        Derive::Enum => "enumeration",
        Derive::Command => "command",
    };
    let serde = serde(input, attribute);
    let (shape, markers) = match derive {
        Derive::Resource => (quote!(Resource), quote!(impl __restwell::Resource for #ident {})),
        Derive::Object => (
            quote!(Object),
            quote! {
                impl __restwell::Nested for #ident {}
                impl __restwell::Object for #ident {}
            },
        ),
        Derive::Enum => (
            quote!(Enum),
            quote! {
                impl __restwell::Nested for #ident {}
                impl __restwell::Enum for #ident {}
            },
        ),
        Derive::Command => (
            quote!(Command),
            quote! {
                impl __restwell::Command for #ident {
                    type On = __restwell::Stub;
                    type Output = ();
                }
            },
        ),
    };
    // other code may use the query of a resource
    let mut all = match derive {
        Derive::Resource => query::resource(input, &[]),
        Derive::Object | Derive::Enum | Derive::Command => Definitions::default(),
    };
    all.impls.extend(quote! {
        impl __restwell::Describe for #ident {
            const DESCRIPTION: __restwell::TypeDescription =
                __restwell::TypeDescription::new(__restwell::Shape::#shape, "", "", &[]);
        }
        impl __restwell::Typed for #ident {
            fn from_value(value: __restwell::Value) -> __restwell::Conversion<Self> {
                ::core::result::Result::Err(__restwell::Mismatch::expected("", &value))
            }

            fn to_value(&self) -> __restwell::Value {
                __restwell::Value::Null
            }
        }
        #serde
        #markers
    });
    let stubs = output(&all);
    quote!(#errors #stubs)
}
