//! The typed query of a resource or an object: one method for each filter, with the name of its parameter
//! (`buy_now_amount_gte`), and the keys that it can be sorted by.
//!
//! Methods are `#[inline]`: so the compiler makes code of those that are called, not of all.

use crate::field::Member;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use restwell_model::field::Match;
use restwell_model::{Field, Type, names};
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::{GenericArgument, PathArguments, Visibility};

/// The methods that every query has. A filter with such a name gets an underscore.
const TAKEN: [&str; 5] = ["new", "sort", "sort_desc", "offset", "limit"];
const RANGES: [(&str, &str, &str); 4] = [
    ("gt", "Gt", "greater than this value"),
    ("lt", "Lt", "less than this value"),
    ("gte", "Gte", "this value or greater"),
    ("lte", "Lte", "this value or less"),
];

/// `OfferQuery` and `OfferSort`.
pub(crate) fn resource(ident: &Ident, visibility: &Visibility, members: &[Member]) -> TokenStream {
    let (query, sort) = (of(ident, names::QUERY), of(ident, names::SORT));
    let methods = filters(members, true);
    let keys = sort_keys(&sort, visibility, members, true);
    let docs = format!("A query for [`{ident}`] entities: filters, which all apply, an order, and a page.");
    let head = head(&docs, visibility, &query, &methods);
    let (sort_docs, unused) = (format!("The keys by which [`{ident}`] entities can be sorted."), unused());
    quote! {
        #head

        #unused
        impl #query {
            /// Sorts by this key, ascending. Keys that were added earlier take precedence.
            #[inline]
            pub fn sort(mut self, by: #sort) -> Self {
                self.0.sort(by.0, false);
                self
            }
            /// Sorts by this key, descending. Keys that were added earlier take precedence.
            #[inline]
            pub fn sort_desc(mut self, by: #sort) -> Self {
                self.0.sort(by.0, true);
                self
            }
            /// Skips this number of entities.
            #[inline]
            pub fn offset(mut self, offset: u32) -> Self {
                self.0.offset(offset);
                self
            }
            /// Returns at most this number of entities.
            #[inline]
            pub fn limit(mut self, limit: u32) -> Self {
                self.0.limit(limit);
                self
            }
        }

        #[automatically_derived]
        impl ::restwell::__private::Query for #query {
            type Of = #ident;

            fn spec(self) -> ::restwell::__private::QuerySpec {
                self.0
            }

            fn of_request(spec: ::restwell::__private::QuerySpec) -> Self {
                Self(spec)
            }
        }

        #[doc = #sort_docs]
        #keys
    }
}

/// `AddressQuery` and `AddressSort`, each where there is anything to filter or sort by.
pub(crate) fn object(ident: &Ident, visibility: &Visibility, members: &[Member]) -> TokenStream {
    let (query, sort) = (of(ident, names::QUERY), of(ident, names::SORT));
    let methods = filters(members, false);
    let filters = members.iter().any(|member| member.field.filter.is_on()).then(|| {
        let docs = format!("Filters on the fields of an [`{ident}`], all of which hold.");
        let head = head(&docs, visibility, &query, &methods);
        quote! {
            #head

            #[automatically_derived]
            impl ::restwell::__private::QueryOf<#ident> for #query {
                fn spec(self) -> ::restwell::__private::QuerySpec {
                    self.0
                }
            }
        }
    });
    let keys = members.iter().any(|member| member.field.sort).then(|| {
        let docs = format!("The keys by which entities can be sorted within an [`{ident}`].");
        let keys = sort_keys(&sort, visibility, members, false);
        quote! {
            #[doc = #docs]
            #keys

            #[automatically_derived]
            impl ::restwell::__private::SortOf<#ident> for #sort {
                fn path(self) -> ::std::borrow::Cow<'static, str> {
                    self.0
                }
            }
        }
    });
    quote!(#filters #keys)
}

/// Not every service asks for everything.
fn unused() -> TokenStream {
    quote!(#[allow(dead_code, reason = "not every service uses every filter")])
}

/// A query with its filters.
fn head(docs: &str, visibility: &Visibility, query: &Ident, filters: &[TokenStream]) -> TokenStream {
    let unused = unused();
    quote! {
        #[doc = #docs]
        #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::default::Default)]
        #unused
        #[must_use]
        #visibility struct #query(::restwell::__private::QuerySpec);

        #unused
        impl #query {
            /// One that finds all.
            #[inline]
            pub fn new() -> Self {
                <Self as ::core::default::Default>::default()
            }
            #(#filters)*
        }
    }
}

fn of(ident: &Ident, ending: &str) -> Ident {
    format_ident!("{}{ending}", ident.unraw())
}

/// Whether a field may be an object with filters. This derive does not see the type of the object.
fn may_be_object(field: &Field) -> bool {
    matches!(field.ty, Type::Named { .. }) && !field.filter.is_on() && !field.sort && !field.write_only
}

fn filters(members: &[Member], with_common: bool) -> Vec<TokenStream> {
    let mut methods = Methods { taken: TAKEN.iter().map(|name| (*name).to_owned()).collect(), emitted: Vec::new() };
    if with_common {
        let time = quote!(::restwell::Timestamp);
        methods.equal("id", "id", &quote!(::restwell::Uuid), &typed(&quote!(::restwell::Uuid)));
        for (name, parameter) in [("created_at", "createdAt"), ("updated_at", "updatedAt")] {
            methods.equal(name, parameter, &time, &typed(&time));
            methods.ranges(name, parameter, &time, &typed(&time));
        }
    }
    for member in members {
        if member.field.filter.is_on() {
            methods.field(member);
        } else if may_be_object(&member.field) {
            methods.within(member);
        }
    }
    methods.emitted
}

struct Methods {
    taken: HashSet<String>,
    emitted: Vec<TokenStream>,
}

impl Methods {
    fn field(&mut self, member: &Member) {
        let (name, parameter) = (member.ident.unraw().to_string(), member.field.name.as_str());
        let ty = value_type(&member.ty);
        let null_of = match &member.field.ty {
            Type::Price { .. } => {
                let (amount, currency) = (quote!(::restwell::Decimal), quote!(::restwell::Currency));
                let (of_amount, named) = (format!("{name}_amount"), format!("{parameter}.amount"));
                let convert = quote!(::restwell::__private::query::amount(value));
                self.equal(&of_amount, &named, &amount, &convert);
                self.ranges(&of_amount, &named, &amount, &convert);
                self.matches(member, &of_amount, &named, &amount, &convert);
                let (of_currency, code) = (format!("{name}_currency"), format!("{parameter}.currency"));
                self.equal(&of_currency, &code, &currency, &typed(&currency));
                self.matches(member, &of_currency, &code, &currency, &typed(&currency));
                named
            }
            Type::Ref { .. } => {
                let named = format!("{parameter}.id");
                let convert = quote! {
                    ::restwell::__private::Typed::to_value(&<_ as ::core::convert::Into<#ty>>::into(value))
                };
                let (of_id, id) = (format!("{name}_id"), quote!(impl ::core::convert::Into<#ty>));
                self.equal(&of_id, &named, &id, &convert);
                self.matches(member, &of_id, &named, &id, &convert);
                named
            }
            Type::Decimal { scale, .. } => {
                let convert = quote!(::restwell::__private::Decimals::to_units(&value, #scale));
                self.equal(&name, parameter, &quote!(#ty), &convert);
                self.ranges(&name, parameter, &quote!(#ty), &convert);
                self.matches(member, &name, parameter, &quote!(#ty), &convert);
                parameter.to_owned()
            }
            Type::String { .. } => {
                let into = into_text();
                let convert = quote!(::restwell::__private::Typed::to_value(&#into));
                self.equal(&name, parameter, &text(), &convert);
                self.matches(member, &name, parameter, &text(), &convert);
                parameter.to_owned()
            }
            ordered => {
                self.equal(&name, parameter, &quote!(#ty), &typed(&quote!(#ty)));
                if ordered.is_ordered() {
                    self.ranges(&name, parameter, &quote!(#ty), &typed(&quote!(#ty)));
                }
                self.matches(member, &name, parameter, &quote!(#ty), &typed(&quote!(#ty)));
                parameter.to_owned()
            }
        };
        if !member.field.required {
            self.null(&name, &null_of);
        }
    }

    fn equal(&mut self, name: &str, parameter: &str, ty: &TokenStream, convert: &TokenStream) {
        let method = self.claim(name);
        let docs = format!("Only entities whose `{parameter}` is this value; several calls match any of their values.");
        self.emitted.push(quote! {
            #[doc = #docs]
            #[inline]
            pub fn #method(mut self, value: #ty) -> Self {
                self.0.equal(#parameter, #convert);
                self
            }
        });
    }

    fn ranges(&mut self, name: &str, parameter: &str, ty: &TokenStream, convert: &TokenStream) {
        for (suffix, variant, words) in RANGES {
            let (method, variant) = (self.claim(&format!("{name}_{suffix}")), Ident::new(variant, Span::call_site()));
            let docs = format!("Only entities whose `{parameter}` is {words}.");
            self.emitted.push(quote! {
                #[doc = #docs]
                #[inline]
                pub fn #method(mut self, value: #ty) -> Self {
                    self.0.compare(#parameter, ::restwell::__private::Comparison::#variant, #convert);
                    self
                }
            });
        }
    }

    /// What the field opts in to: `name_not`, `name_starts_with`, `name_contains`.
    fn matches(&mut self, member: &Member, name: &str, parameter: &str, ty: &TokenStream, convert: &TokenStream) {
        for it in member.field.filter.matches() {
            let of = Ident::new(&names::snake(it.word()), Span::call_site());
            let method = self.claim(&format!("{name}_{of}"));
            let (words, ty, value) = match it {
                Match::Not => {
                    let words = "is not this value, or is null; several calls match none of their values";
                    (words, ty.clone(), convert.clone())
                }
                Match::StartsWith => ("begins with this text, in exact case", text(), into_text()),
                Match::Contains => ("has this text in it, in exact case", text(), into_text()),
            };
            let docs = format!("Only entities whose `{parameter}` {words}.");
            self.emitted.push(quote! {
                #[doc = #docs]
                #[inline]
                pub fn #method(mut self, value: #ty) -> Self {
                    self.0.#of(#parameter, #value);
                    self
                }
            });
        }
    }

    fn null(&mut self, name: &str, parameter: &str) {
        let method = self.claim(&format!("{name}_is_null"));
        let docs = format!("Only entities whose `{parameter}` is null.");
        self.emitted.push(quote! {
            #[doc = #docs]
            #[inline]
            pub fn #method(mut self) -> Self {
                self.0.equal(#parameter, ::restwell::__private::Value::Null);
                self
            }
        });
    }

    fn within(&mut self, member: &Member) {
        let (parameter, ty) = (&member.field.name, value_type(&member.ty));
        let method = self.claim(&member.ident.unraw().to_string());
        let docs = format!("Only entities whose `{parameter}` matches this query.");
        self.emitted.push(quote! {
            #[doc = #docs]
            #[inline]
            pub fn #method<Q: ::restwell::__private::QueryOf<#ty>>(mut self, within: Q) -> Self {
                self.0.within(#parameter, ::restwell::__private::QueryOf::spec(within));
                self
            }
        });
    }

    fn claim(&mut self, name: &str) -> Ident {
        let mut name = name.to_owned();
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        // keywords can be names of fields
        syn::parse_str(&name).unwrap_or_else(|_| Ident::new_raw(&name, Span::call_site()))
    }
}

fn sort_keys(sort: &Ident, visibility: &Visibility, members: &[Member], with_common: bool) -> TokenStream {
    let common = [("id", "ID"), ("createdAt", "CREATED_AT"), ("updatedAt", "UPDATED_AT")];
    let own = members.iter().filter(|member| member.field.sort).map(|member| {
        let constant = names::snake(&member.ident.unraw().to_string()).to_uppercase();
        (member.field.name.as_str(), constant)
    });
    let common = common.into_iter().filter(|_| with_common).map(|(name, constant)| (name, constant.to_owned()));
    let constants = common.chain(own).map(|(name, constant)| {
        let (docs, constant) = (format!("Sorts by `{name}`."), Ident::new(&constant, Span::call_site()));
        quote! {
            #[doc = #docs]
            pub const #constant: Self = Self(::std::borrow::Cow::Borrowed(#name));
        }
    });
    let nested = members.iter().filter(|member| may_be_object(&member.field)).map(|member| {
        let (name, ty, method) = (&member.field.name, value_type(&member.ty), &member.ident);
        let docs = format!("Sorts by a field of `{name}`.");
        quote! {
            #[doc = #docs]
            #[inline]
            pub fn #method<S: ::restwell::__private::SortOf<#ty>>(within: S) -> Self {
                Self(::restwell::__private::query::nested(#name, &::restwell::__private::SortOf::path(within)))
            }
        }
    });
    let unused = unused();
    quote! {
        #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq, ::core::cmp::Eq)]
        #unused
        #[must_use]
        #visibility struct #sort(::std::borrow::Cow<'static, str>);

        #unused
        impl #sort {
            #(#constants)*
            #(#nested)*
        }
    }
}

/// Whatever becomes a text.
fn text() -> TokenStream {
    quote!(impl ::core::convert::Into<::std::string::String>)
}

fn into_text() -> TokenStream {
    quote!(<_ as ::core::convert::Into<::std::string::String>>::into(value))
}

fn typed(ty: &TokenStream) -> TokenStream {
    quote!(<#ty as ::restwell::__private::Typed>::to_value(&value))
}

/// `T` of `Option<T>`, or the type itself.
fn value_type(ty: &syn::Type) -> &syn::Type {
    if let syn::Type::Path(path) = ty
        && let Some(segment) = path.path.segments.last()
        && segment.ident == "Option"
        && let PathArguments::AngleBracketed(arguments) = &segment.arguments
        && let Some(GenericArgument::Type(inner)) = arguments.args.first()
    {
        return inner;
    }
    ty
}
