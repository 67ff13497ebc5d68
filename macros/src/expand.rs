//! The output of a derive: the description of the type, and the conversions from and to neutral values.

use crate::command::DeclaredCommand;
use crate::common;
use crate::enumeration::EnumVariant;
use crate::field::Member;
use crate::query;
use crate::resource::DeclaredResource;
use crate::{draft, symbol};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use restwell_model::{Enum, Object};
use serde::Serialize;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{DeriveInput, Error, Result};

/// The impls of a resource.
pub(crate) fn resource(input: &DeriveInput, declared: &DeclaredResource) -> Result<TokenStream> {
    let ident = &input.ident;
    let DeclaredResource { resource, members, commands } = declared;
    let commands = commands
        .iter()
        .map(|command| quote_spanned!(command.span()=> ::restwell::__private::Use::command::<#ident, #command>()));
    let uses = used(members).into_iter().chain(commands);
    let describe = describe(ident, &quote!(Resource), &resource.name, &fragment(ident, resource)?, uses);
    let typed = typed(ident, members);
    let serde = serde(input, "resource");
    let impls = wrapped(&quote! {
        #describe
        #typed
        #serde
        impl ::restwell::__private::Resource for #ident {}
    });
    let query = query::resource(ident, &input.vis, members);
    let draft = draft::of(input, "resource", members);
    Ok(quote!(#impls #query #draft))
}

/// The impls of an object.
pub(crate) fn object(input: &DeriveInput, object: &Object, members: &[Member]) -> Result<TokenStream> {
    let ident = &input.ident;
    let describe = describe(ident, &quote!(Object), &object.name, &fragment(ident, object)?, used(members));
    let typed = typed(ident, members);
    let serde = serde(input, "object");
    let impls = wrapped(&quote! {
        #describe
        #typed
        #serde
        impl ::restwell::__private::Nested for #ident {}
        impl ::restwell::__private::Object for #ident {}
    });
    let query = query::object(ident, &input.vis, members);
    let draft = draft::of(input, symbol::OBJECT, members);
    Ok(quote!(#impls #query #draft))
}

/// The impls of an enum.
pub(crate) fn enumeration(input: &DeriveInput, enumeration: &Enum, cases: &[EnumVariant]) -> Result<TokenStream> {
    let ident = &input.ident;
    let describe = describe(ident, &quote!(Enum), &enumeration.name, &fragment(ident, enumeration)?, []);
    let typed = typed_enum(ident, cases);
    let serde = serde(input, "enumeration");
    Ok(wrapped(&quote! {
        #describe
        #typed
        #serde
        impl ::restwell::__private::Nested for #ident {}
        impl ::restwell::__private::Enum for #ident {}
    }))
}

/// The impls of a command.
pub(crate) fn command(input: &DeriveInput, declared: &DeclaredCommand) -> Result<TokenStream> {
    let ident = &input.ident;
    let DeclaredCommand { command, members, on, output } = declared;
    let describe = describe(ident, &quote!(Command), &command.name, &fragment(ident, command)?, used(members));
    let typed = typed(ident, members);
    let output = output.as_ref().map_or_else(|| quote!(()), ToTokens::to_token_stream);
    let serde = serde(input, "command");
    let impls = wrapped(&quote! {
        #describe
        #typed
        #serde
        impl ::restwell::__private::Command for #ident {
            type On = #on;
            type Output = #output;
        }
    });
    let draft = draft::of(input, "command", members);
    Ok(quote!(#impls #draft))
}

/// Wraps the output in an unnamed constant, so that its names cannot conflict with names outside.
pub(crate) fn wrapped(items: &TokenStream) -> TokenStream {
    quote! {
        #[automatically_derived]
        const _: () = { #items };
    }
}

fn fragment(ident: &Ident, model: &impl Serialize) -> Result<String> {
    serde_json::to_string(model).map_err(|error| Error::new_spanned(ident, format!("cannot be described: {error}")))
}

/// The other types that members name.
fn used(members: &[Member]) -> Vec<TokenStream> {
    let mut used: Vec<_> = members.iter().filter_map(|member| member.used.as_ref()).collect();
    used.sort_by_key(|used| used.written());
    used.dedup_by_key(|used| used.written());
    used.into_iter().map(ToTokens::to_token_stream).collect()
}

fn describe(
    ident: &Ident,
    shape: &TokenStream,
    name: &str,
    fragment: &str,
    used: impl IntoIterator<Item = TokenStream>,
) -> TokenStream {
    let used = used.into_iter();
    quote! {
        impl ::restwell::__private::Describe for #ident {
            const SHAPE: ::restwell::__private::Shape = ::restwell::__private::Shape::#shape;
            const NAME: &'static str = #name;
            const MODEL: &'static str = #fragment;
            const USES: &'static [::restwell::__private::Use] = &[#(#used),*];
        }
    }
}

fn typed(ident: &Ident, members: &[Member]) -> TokenStream {
    let count = members.len();
    let fields = if members.is_empty() { quote!(_) } else { quote!(mut fields) };
    let take = members.iter().map(take);
    let give = members.iter().map(give);
    quote! {
        impl ::restwell::__private::Typed for #ident {
            fn from_value(
                value: ::restwell::__private::Value,
            ) -> ::core::result::Result<Self, ::restwell::__private::Mismatch> {
                let #fields = ::restwell::__private::Fields::open(value, #count)?;
                ::core::result::Result::Ok(Self { #(#take),* })
            }

            fn to_value(&self) -> ::restwell::__private::Value {
                ::restwell::__private::Fields::close([#(#give),*])
            }
        }
    }
}

/// Serde by the conversions, unless the attribute of this name says `serde = off`.
pub(crate) fn serde(input: &DeriveInput, attribute: &str) -> TokenStream {
    if common::has(input, attribute, symbol::SERDE) {
        return TokenStream::new();
    }
    let ident = &input.ident;
    quote! {
        impl ::restwell::__private::Serialize for #ident {
            fn serialize<S: ::restwell::__private::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                ::restwell::__private::serialize(self, serializer)
            }
        }

        impl<'de> ::restwell::__private::Deserialize<'de> for #ident {
            fn deserialize<D: ::restwell::__private::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                ::restwell::__private::deserialize(deserializer)
            }
        }
    }
}

fn take(member: &Member) -> TokenStream {
    let Member { ident, ty, field, .. } = member;
    let name = &field.name;
    let taken = match member.scale() {
        Some(scale) => quote!(fields.take(#name, |value| ::restwell::__private::Decimals::from_units(value, #scale))?),
        None => quote_spanned!(ty.span()=> fields.take(#name, <#ty as ::restwell::__private::Typed>::from_value)?),
    };
    quote!(#ident: #taken)
}

fn give(member: &Member) -> TokenStream {
    let Member { ident, ty, .. } = member;
    match member.scale() {
        Some(scale) => quote!(::restwell::__private::Decimals::to_units(&self.#ident, #scale)),
        None => quote_spanned!(ty.span()=> <#ty as ::restwell::__private::Typed>::to_value(&self.#ident)),
    }
}

fn typed_enum(ident: &Ident, cases: &[EnumVariant]) -> TokenStream {
    let name = ident.unraw().to_string();
    let read = cases.iter().filter_map(|case| match case {
        EnumVariant::Value(variant, value) => Some(quote!(#value => Self::#variant,)),
        EnumVariant::Unknown(_) => None,
    });
    let unknown = cases.iter().find_map(|case| match case {
        EnumVariant::Unknown(variant) => Some(quote!(Self::#variant(text))),
        EnumVariant::Value(..) => None,
    });
    let otherwise = unknown.unwrap_or_else(
        || quote!(return ::core::result::Result::Err(::restwell::__private::Mismatch::no_variant(#name, &text))),
    );
    let write = cases.iter().map(|case| match case {
        EnumVariant::Value(variant, value) => quote!(Self::#variant => #value,),
        EnumVariant::Unknown(variant) => quote!(Self::#variant(text) => text.as_str(),),
    });
    quote! {
        impl ::restwell::__private::Typed for #ident {
            fn from_value(
                value: ::restwell::__private::Value,
            ) -> ::core::result::Result<Self, ::restwell::__private::Mismatch> {
                let text = ::restwell::__private::text(value)?;
                ::core::result::Result::Ok(match text.as_str() {
                    #(#read)*
                    _ => #otherwise,
                })
            }

            fn to_value(&self) -> ::restwell::__private::Value {
                ::restwell::__private::Value::Text(::std::string::String::from(match self { #(#write)* }))
            }
        }
    }
}
