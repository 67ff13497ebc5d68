//! What a derive emits when it fails: its errors, and impls that keep the type usable where it is registered, so that
//! one mistake is one error. They are never run, since nothing that holds them compiles.

use crate::expand::wrapped;
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
    let ident = &input.ident;
    let (generics, parameters, bounds) = input.generics.split_for_impl();
    let marker = |name: TokenStream, items: TokenStream| quote!(impl #generics ::restwell::__private::#name for #ident #parameters #bounds { #items });
    let none = TokenStream::new;
    let (shape, markers) = match derive {
        Derive::Resource => (quote!(Resource), vec![marker(quote!(Resource), none())]),
        Derive::Object => (quote!(Object), vec![marker(quote!(Nested), none()), marker(quote!(Object), none())]),
        Derive::Enum => (quote!(Enum), vec![marker(quote!(Nested), none()), marker(quote!(Enum), none())]),
        Derive::Command => (quote!(Command), Vec::new()),
    };
    let stubs = wrapped(quote! {
        impl #generics ::restwell::__private::Describe for #ident #parameters #bounds {
            const SHAPE: ::restwell::__private::Shape = ::restwell::__private::Shape::#shape;
            const NAME: &'static str = "";
            const MODEL: &'static str = "";
            const USES: &'static [::restwell::__private::Use] = &[];
        }
        impl #generics ::restwell::__private::Typed for #ident #parameters #bounds {
            fn from_value(
                value: ::restwell::__private::Value,
            ) -> ::core::result::Result<Self, ::restwell::__private::Mismatch> {
                ::core::result::Result::Err(::restwell::__private::Mismatch::expected("", &value))
            }

            fn into_value(self) -> ::restwell::__private::Value {
                ::restwell::__private::Value::Null
            }
        }
        #(#markers)*
    });
    quote!(#errors #stubs)
}
