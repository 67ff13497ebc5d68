//! The output of a derive: the description of the type, and the conversions from and to neutral values.

use crate::command::DeclaredCommand;
use crate::common;
use crate::enumeration::EnumVariant;
use crate::field::Member;
use crate::query::{self, Definitions};
use crate::resource::DeclaredResource;
use crate::types::ReferencedType;
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
    let commands =
        commands.iter().map(|command| quote_spanned!(command.span()=> __restwell::Use::command::<#ident, #command>()));
    let uses = used(members).into_iter().chain(commands);
    let mut all = query::resource(input, members);
    all.add(draft::of(input, "resource", members));
    all.impls.extend(describe(ident, &quote!(Resource), &resource.name, &fragment(ident, resource)?, uses));
    all.impls.extend(typed(ident, members));
    all.impls.extend(serde(input, "resource"));
    all.impls.extend(quote!(impl __restwell::Resource for #ident {}));
    Ok(output(&all))
}

/// The impls of an object.
pub(crate) fn object(input: &DeriveInput, object: &Object, members: &[Member]) -> Result<TokenStream> {
    let ident = &input.ident;
    let mut all = query::object(input, members);
    all.add(draft::of(input, symbol::OBJECT, members));
    all.impls.extend(describe(ident, &quote!(Object), &object.name, &fragment(ident, object)?, used(members)));
    all.impls.extend(typed(ident, members));
    all.impls.extend(serde(input, "object"));
    all.impls.extend(quote! {
        impl __restwell::Nested for #ident {}
        impl __restwell::Object for #ident {}
    });
    Ok(output(&all))
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
        impl __restwell::Nested for #ident {}
        impl __restwell::Enum for #ident {}
    }))
}

/// The impls of a command.
pub(crate) fn command(input: &DeriveInput, declared: &DeclaredCommand) -> Result<TokenStream> {
    let ident = &input.ident;
    let DeclaredCommand { command, members, on, output: result } = declared;
    let mut all = draft::of(input, "command", members);
    all.impls.extend(describe(ident, &quote!(Command), &command.name, &fragment(ident, command)?, used(members)));
    all.impls.extend(typed(ident, members));
    all.impls.extend(serde(input, "command"));
    let result = result.as_ref().map_or_else(|| quote!(()), ToTokens::to_token_stream);
    all.impls.extend(quote! {
        impl __restwell::Command for #ident {
            type On = #on;
            type Output = #result;
        }
    });
    Ok(output(&all))
}

/// The types, and the impls in their block.
pub(crate) fn output(Definitions { types, impls }: &Definitions) -> TokenStream {
    let impls = wrapped(impls);
    quote!(#types #impls)
}

/// Wraps impls in an unnamed constant, so that their names cannot conflict with names outside. There the library has a
/// name of one segment: the compiler keeps each segment of each path.
pub(crate) fn wrapped(impls: &TokenStream) -> TokenStream {
    quote! {
        #[automatically_derived]
        const _: () = {
            use ::restwell::__private as __restwell;
            #impls
        };
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
        impl __restwell::Describe for #ident {
            const DESCRIPTION: __restwell::TypeDescription =
                __restwell::TypeDescription::new(__restwell::Shape::#shape, #name, #fragment, &[#(#used),*]);
        }
    }
}

fn typed(ident: &Ident, members: &[Member]) -> TokenStream {
    let count = members.len();
    let fields = if members.is_empty() { quote!(_) } else { quote!(mut fields) };
    let take = members.iter().map(take);
    let give = members.iter().map(give);
    quote! {
        impl __restwell::Typed for #ident {
            fn from_value(value: __restwell::Value) -> __restwell::Conversion<Self> {
                let #fields = __restwell::Fields::open(value, #count)?;
                ::core::result::Result::Ok(Self { #(#take),* })
            }

            fn to_value(&self) -> __restwell::Value {
                __restwell::Fields::close([#(#give),*])
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
        impl __restwell::Serialize for #ident {
            fn serialize<S: __restwell::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                __restwell::serialize(self, serializer)
            }
        }

        impl<'de> __restwell::Deserialize<'de> for #ident {
            fn deserialize<D: __restwell::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                __restwell::deserialize(deserializer)
            }
        }
    }
}

/// The type is that of the field. It is written out where it may not be `Typed`, so that the error is shown at it.
fn take(member: &Member) -> TokenStream {
    let Member { ident, ty, field, used, .. } = member;
    let name = &field.name;
    let taken = match (member.scale(), used) {
        (Some(scale), _) => quote!(fields.take_units(#name, #scale)?),
        (None, Some(ReferencedType::Nested(_))) => quote_spanned!(ty.span()=> fields.take::<#ty>(#name)?),
        (None, _) => quote!(fields.take(#name)?),
    };
    quote!(#ident: #taken)
}

fn give(member: &Member) -> TokenStream {
    let Member { ident, ty, used, .. } = member;
    match (member.scale(), used) {
        (Some(scale), _) => quote!(__restwell::Decimals::to_units(&self.#ident, #scale)),
        (None, Some(ReferencedType::Nested(_))) => {
            quote_spanned!(ty.span()=> <#ty as __restwell::Typed>::to_value(&self.#ident))
        }
        (None, _) => quote!(__restwell::Typed::to_value(&self.#ident)),
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
    let otherwise = unknown
        .unwrap_or_else(|| quote!(return ::core::result::Result::Err(__restwell::Mismatch::no_variant(#name, &text))));
    let write = cases.iter().map(|case| match case {
        EnumVariant::Value(variant, value) => quote!(Self::#variant => #value,),
        EnumVariant::Unknown(variant) => quote!(Self::#variant(text) => text.as_str(),),
    });
    quote! {
        impl __restwell::Typed for #ident {
            fn from_value(value: __restwell::Value) -> __restwell::Conversion<Self> {
                let text = __restwell::text(value)?;
                ::core::result::Result::Ok(match text.as_str() {
                    #(#read)*
                    _ => #otherwise,
                })
            }

            fn to_value(&self) -> __restwell::Value {
                __restwell::Value::Text(::std::string::String::from(match self { #(#write)* }))
            }
        }
    }
}
