//! The output of a derive that fails: its errors, and stub impls, so that code which registers the type still compiles
//! and one mistake gives one error. The stubs never run, because the crate does not compile.

use crate::expand::{serde, wrapped};
use crate::query;
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
        Derive::Resource => (quote!(Resource), quote!(impl ::restwell::__private::Resource for #ident {})),
        Derive::Object => (
            quote!(Object),
            quote! {
                impl ::restwell::__private::Nested for #ident {}
                impl ::restwell::__private::Object for #ident {}
            },
        ),
        Derive::Enum => (
            quote!(Enum),
            quote! {
                impl ::restwell::__private::Nested for #ident {}
                impl ::restwell::__private::Enum for #ident {}
            },
        ),
        Derive::Command => (
            quote!(Command),
            quote! {
                impl ::restwell::__private::Command for #ident {
                    type On = ::restwell::__private::Stub;
                    type Output = ();
                }
            },
        ),
    };
    let stubs = wrapped(&quote! {
        impl ::restwell::__private::Describe for #ident {
            const SHAPE: ::restwell::__private::Shape = ::restwell::__private::Shape::#shape;
            const NAME: &'static str = "";
            const MODEL: &'static str = "";
            const USES: &'static [::restwell::__private::Use] = &[];
        }
        impl ::restwell::__private::Typed for #ident {
            fn from_value(
                value: ::restwell::__private::Value,
            ) -> ::core::result::Result<Self, ::restwell::__private::Mismatch> {
                ::core::result::Result::Err(::restwell::__private::Mismatch::expected("", &value))
            }

            fn to_value(&self) -> ::restwell::__private::Value {
                ::restwell::__private::Value::Null
            }
        }
        #serde
        #markers
    });
    // other code may use the query of a resource
    let query = matches!(derive, Derive::Resource).then(|| query::resource(ident, &input.vis, &[]));
    quote!(#errors #stubs #query)
}
