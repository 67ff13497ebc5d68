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
const RANGES: [(&str, &str); 4] = [
    ("gt", "greater than this value"),
    ("lt", "less than this value"),
    ("gte", "this value or greater"),
    ("lte", "this value or less"),
];

/// What a derive adds beside the impls of the type itself.
#[derive(Default)]
pub(crate) struct Definitions {
    /// Types, which other code names.
    pub(crate) types: TokenStream,
    /// What stands in the derive's block, where the library is called `__restwell`.
    pub(crate) impls: TokenStream,
}

impl Definitions {
    /// Adds others.
    pub(crate) fn add(&mut self, other: Self) {
        self.types.extend(other.types);
        self.impls.extend(other.impls);
    }
}

/// The definitions of `OfferQuery` and `OfferSort`, and their impls.
pub(crate) fn resource(ident: &Ident, visibility: &Visibility, members: &[Member]) -> Definitions {
    let (query, sort) = (of(ident, names::QUERY), of(ident, names::SORT));
    let docs = format!("A query for [`{ident}`] entities: filters, which all apply, an order, and a page.");
    let mut all = queries(&docs, visibility, &query, &filters(members, true));
    let unused = unused();
    all.impls.extend(quote! {
        #unused
        impl #query {
            /// Sorts by this key, ascending. Keys that were added earlier take precedence.
            #[inline]
            pub fn sort(self, by: #sort) -> Self {
                Self(self.0.sort(by, false))
            }
            /// Sorts by this key, descending. Keys that were added earlier take precedence.
            #[inline]
            pub fn sort_desc(self, by: #sort) -> Self {
                Self(self.0.sort(by, true))
            }
            /// Skips this number of entities.
            #[inline]
            pub fn offset(self, offset: u32) -> Self {
                Self(self.0.offset(offset))
            }
            /// Returns at most this number of entities.
            #[inline]
            pub fn limit(self, limit: u32) -> Self {
                Self(self.0.limit(limit))
            }
        }

        impl __restwell::Query for #query {
            type Of = #ident;

            fn spec_mut(&mut self) -> &mut __restwell::QuerySpec {
                &mut self.0
            }
        }
    });
    let docs = format!("The keys by which [`{ident}`] entities can be sorted.");
    all.add(sort_keys(&docs, ident, &sort, visibility, members, true));
    all
}

/// `AddressQuery` and `AddressSort`, each where there is anything to filter or sort by.
pub(crate) fn object(ident: &Ident, visibility: &Visibility, members: &[Member]) -> Definitions {
    let (query, sort) = (of(ident, names::QUERY), of(ident, names::SORT));
    let mut all = Definitions::default();
    if members.iter().any(|member| member.field.filter.is_on()) {
        let docs = format!("Filters on the fields of an [`{ident}`], all of which hold.");
        all.add(queries(&docs, visibility, &query, &filters(members, false)));
        all.impls.extend(quote! {
            impl __restwell::QueryOf<#ident> for #query {
                fn spec(self) -> __restwell::QuerySpec {
                    self.0
                }
            }
        });
    }
    if members.iter().any(|member| member.field.sort) {
        let docs = format!("The keys by which entities can be sorted within an [`{ident}`].");
        all.add(sort_keys(&docs, ident, &sort, visibility, members, false));
    }
    all
}

/// Not every service asks for everything.
fn unused() -> TokenStream {
    quote!(#[allow(dead_code, reason = "not every service uses every filter")])
}

/// A query with its filters.
fn queries(docs: &str, visibility: &Visibility, query: &Ident, filters: &[TokenStream]) -> Definitions {
    let unused = unused();
    let types = quote! {
        #[doc = #docs]
        #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::default::Default)]
        #unused
        #[must_use]
        #visibility struct #query(::restwell::__private::QuerySpec);
    };
    let impls = quote! {
        #unused
        impl #query {
            /// One that finds all.
            #[inline]
            pub fn new() -> Self {
                <Self as ::core::default::Default>::default()
            }
            #(#filters)*
        }
    };
    Definitions { types, impls }
}

fn of(ident: &Ident, ending: &str) -> Ident {
    format_ident!("{}{ending}", ident.unraw())
}

/// Whether a field may be an object with filters. This derive does not see the type of the object.
fn may_be_object(field: &Field) -> bool {
    matches!(field.ty, Type::Named { .. }) && !field.filter.is_on() && !field.sort && !field.write_only
}

fn filters(members: &[Member], with_common: bool) -> Vec<TokenStream> {
    let raw = members.iter().filter_map(|member| member.ident.to_string().strip_prefix("r#").map(str::to_owned));
    let taken = TAKEN.iter().map(|name| (*name).to_owned());
    let mut methods = Methods { taken: taken.collect(), raw: raw.collect(), emitted: Vec::new() };
    if with_common {
        let (id, time) = (quote!(::restwell::Uuid), quote!(::restwell::Timestamp));
        methods.equal("id", &Filter::plain("id", id));
        for (name, parameter) in [("created_at", "createdAt"), ("updated_at", "updatedAt")] {
            let filter = Filter::plain(parameter, time.clone());
            methods.equal(name, &filter);
            methods.ranges(name, &filter);
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

/// A parameter, and what the methods for it take.
struct Filter<'a> {
    parameter: &'a str,
    /// The type of the argument `value`.
    ty: TokenStream,
    /// The value that the library gets.
    value: TokenStream,
}

impl<'a> Filter<'a> {
    /// One whose argument is a value of a field.
    fn plain(parameter: &'a str, ty: TokenStream) -> Self {
        Self { parameter, ty, value: quote!(value) }
    }
}

struct Methods {
    taken: HashSet<String>,
    /// The names of fields that are keywords, or are written like one.
    raw: HashSet<String>,
    emitted: Vec<TokenStream>,
}

impl Methods {
    fn field(&mut self, member: &Member) {
        let (name, parameter) = (member.ident.unraw().to_string(), member.field.name.as_str());
        let ty = value_type(&member.ty);
        let null_of = match &member.field.ty {
            Type::Price { .. } => {
                let amount = format!("{parameter}.amount");
                let (ty, value) = (quote!(::restwell::Decimal), quote!(__restwell::FilterAmount(value)));
                let filter = Filter { parameter: &amount, ty, value };
                let of_amount = format!("{name}_amount");
                self.equal(&of_amount, &filter);
                self.ranges(&of_amount, &filter);
                self.matches(member, &of_amount, &filter);
                let (of_currency, code) = (format!("{name}_currency"), format!("{parameter}.currency"));
                let filter = Filter::plain(&code, quote!(::restwell::Currency));
                self.equal(&of_currency, &filter);
                self.matches(member, &of_currency, &filter);
                amount
            }
            Type::Ref { .. } => {
                let (of_id, id) = (format!("{name}_id"), format!("{parameter}.id"));
                let value = quote!(<_ as ::core::convert::Into<#ty>>::into(value));
                let filter = Filter { parameter: &id, ty: quote!(impl ::core::convert::Into<#ty>), value };
                self.equal(&of_id, &filter);
                self.matches(member, &of_id, &filter);
                id
            }
            Type::Decimal { scale, .. } => {
                let value = quote!(__restwell::FilterUnits(value, #scale));
                let filter = Filter { parameter, ty: quote!(#ty), value };
                self.equal(&name, &filter);
                self.ranges(&name, &filter);
                self.matches(member, &name, &filter);
                parameter.to_owned()
            }
            Type::String { .. } => {
                let filter = Filter { parameter, ty: text(), value: quote!(__restwell::FilterText(value)) };
                self.equal(&name, &filter);
                self.matches(member, &name, &filter);
                parameter.to_owned()
            }
            ordered => {
                let filter = Filter::plain(parameter, quote!(#ty));
                self.equal(&name, &filter);
                if ordered.is_ordered() {
                    self.ranges(&name, &filter);
                }
                self.matches(member, &name, &filter);
                parameter.to_owned()
            }
        };
        if !member.field.required {
            let docs = format!("Only entities whose `{null_of}` is null.");
            self.method(&format!("{name}_is_null"), &docs, &TokenStream::new(), &quote!(null(#null_of)));
        }
    }

    fn equal(&mut self, name: &str, Filter { parameter, ty, value }: &Filter<'_>) {
        let docs = format!("Only entities whose `{parameter}` is this value; several calls match any of their values.");
        self.method(name, &docs, &quote!(value: #ty), &quote!(equal(#parameter, #value)));
    }

    fn ranges(&mut self, name: &str, Filter { parameter, ty, value }: &Filter<'_>) {
        for (comparison, words) in RANGES {
            let docs = format!("Only entities whose `{parameter}` is {words}.");
            let name = format!("{name}_{comparison}");
            let comparison = Ident::new(comparison, Span::call_site());
            self.method(&name, &docs, &quote!(value: #ty), &quote!(#comparison(#parameter, #value)));
        }
    }

    /// What the field opts in to: `name_not`, `name_starts_with`, `name_contains`.
    fn matches(&mut self, member: &Member, name: &str, Filter { parameter, ty, value }: &Filter<'_>) {
        for it in member.field.filter.matches() {
            let of = Ident::new(&names::snake(it.word()), Span::call_site());
            let (words, ty, value) = match it {
                Match::Not => {
                    let words = "is not this value, or is null; several calls match none of their values";
                    (words, ty.clone(), value.clone())
                }
                Match::StartsWith => ("begins with this text, in exact case", text(), quote!(value)),
                Match::Contains => ("has this text in it, in exact case", text(), quote!(value)),
            };
            let docs = format!("Only entities whose `{parameter}` {words}.");
            self.method(&format!("{name}_{of}"), &docs, &quote!(value: #ty), &quote!(#of(#parameter, #value)));
        }
    }

    fn within(&mut self, member: &Member) {
        let (parameter, ty) = (&member.field.name, value_type(&member.ty));
        let method = self.claim(&member.ident.unraw().to_string());
        let docs = format!("Only entities whose `{parameter}` matches this query.");
        self.emitted.push(quote! {
            #[doc = #docs]
            #[inline]
            pub fn #method<Q: __restwell::QueryOf<#ty>>(self, within: Q) -> Self {
                Self(self.0.within(#parameter, within))
            }
        });
    }

    /// One method: a call of the library's method for it.
    fn method(&mut self, name: &str, docs: &str, argument: &TokenStream, call: &TokenStream) {
        let method = self.claim(name);
        self.emitted.push(quote! {
            #[doc = #docs]
            #[inline]
            pub fn #method(self, #argument) -> Self {
                Self(self.0.#call)
            }
        });
    }

    fn claim(&mut self, name: &str) -> Ident {
        let mut name = name.to_owned();
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        match self.raw.contains(&name) {
            true => Ident::new_raw(&name, Span::call_site()),
            false => Ident::new(&name, Span::call_site()),
        }
    }
}

/// The keys to sort by, as variants that are named like constants, and the functions for the keys of objects.
fn sort_keys(
    docs: &str,
    ident: &Ident,
    sort: &Ident,
    visibility: &Visibility,
    members: &[Member],
    with_common: bool,
) -> Definitions {
    let common = [("id", "ID"), ("createdAt", "CREATED_AT"), ("updatedAt", "UPDATED_AT")];
    let own = members.iter().filter(|member| member.field.sort).map(|member| {
        let constant = names::snake(&member.ident.unraw().to_string()).to_uppercase();
        (member.field.name.as_str(), constant)
    });
    let common = common.into_iter().filter(|_| with_common).map(|(name, constant)| (name, constant.to_owned()));
    let (keys, paths): (Vec<_>, Vec<_>) = common
        .chain(own)
        .map(|(name, constant)| {
            let (docs, constant) = (format!("Sorts by `{name}`."), Ident::new(&constant, Span::call_site()));
            (quote!(#[doc = #docs] #constant), quote!(Self::#constant => #name))
        })
        .unzip();
    let nested = members.iter().filter(|member| may_be_object(&member.field)).map(|member| {
        let (name, ty, method) = (&member.field.name, value_type(&member.ty), &member.ident);
        let docs = format!("Sorts by a field of `{name}`.");
        quote! {
            #[doc = #docs]
            #[inline]
            pub fn #method<S: __restwell::SortOf<#ty>>(within: S) -> Self {
                Self::Within(__restwell::query::within(#name, within))
            }
        }
    });
    let unused = unused();
    let types = quote! {
        #[doc = #docs]
        #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq, ::core::cmp::Eq)]
        #unused
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "keys are written like constants")]
        #[must_use]
        #[non_exhaustive]
        #visibility enum #sort {
            #(#keys,)*
            #[doc(hidden)]
            Within(::std::borrow::Cow<'static, str>),
        }
    };
    let impls = quote! {
        #unused
        impl #sort {
            #(#nested)*
        }

        impl __restwell::SortOf<#ident> for #sort {
            fn path(self) -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(match self {
                    #(#paths,)*
                    Self::Within(path) => return path,
                })
            }
        }
    };
    Definitions { types, impls }
}

/// Whatever becomes a text.
fn text() -> TokenStream {
    quote!(impl ::core::convert::Into<::std::string::String>)
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
