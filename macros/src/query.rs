//! The typed query of a resource or an object: one method for each value that can be filtered by, with the name of its
//! parameter (`buy_now_amount`), and the keys that it can be sorted by.
//!
//! A method takes a filter, and its type says which (`restwell::filter`). Methods are generic or `#[inline]`: so the
//! compiler makes code of those that are called, not of all.

use crate::field::Member;
use crate::types::ReferencedType;
use crate::{common, symbol};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use restwell_model::field::Match;
use restwell_model::{Field, Type, names};
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::{DeriveInput, GenericArgument, PathArguments, Visibility};

/// The methods that every query has. A filter with such a name gets an underscore.
const TAKEN: [&str; 5] = ["new", "sort", "sort_desc", "offset", "limit"];

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
pub(crate) fn resource(input: &DeriveInput, members: &[Member]) -> Definitions {
    let (ident, visibility) = (&input.ident, &input.vis);
    let (query, sort) = names(input, "resource");
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
pub(crate) fn object(input: &DeriveInput, members: &[Member]) -> Definitions {
    let (ident, visibility) = (&input.ident, &input.vis);
    let (query, sort) = names(input, symbol::OBJECT);
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

/// The names of the query and of the sort keys: those that the attribute gives, or else those that follow from the
/// struct.
fn names(input: &DeriveInput, attribute: &str) -> (Ident, Ident) {
    let of = |argument: &str, ending: &str| {
        let given = common::named(input, attribute, argument);
        given.unwrap_or_else(|| format_ident!("{}{ending}", input.ident.unraw()))
    };
    (of(symbol::QUERY, names::QUERY), of(symbol::SORT, names::SORT))
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
        methods.filter("id", "id", &id, Allowed::default());
        for (name, parameter) in [("created_at", "createdAt"), ("updated_at", "updatedAt")] {
            methods.filter(name, parameter, &time, Allowed { ranges: true, ..Allowed::default() });
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

/// What a field allows beside equality.
#[derive(Clone, Copy, Default)]
struct Allowed<'a> {
    ranges: bool,
    null: bool,
    /// What it opts in to.
    matches: &'a [Match],
}

impl Allowed<'_> {
    /// The argument of the trait of filters, which has these places; none where nothing is allowed.
    fn argument(self) -> TokenStream {
        let mut places = [const { None }; 7];
        places[0] = self.ranges.then(|| quote!(Compared));
        places[1] = self.null.then(|| quote!(Null));
        for matched in self.matches {
            let (place, name) = match matched {
                Match::Not => (2, quote!(Not)),
                Match::StartsWith => (3, quote!(StartsWith)),
                Match::Contains => (4, quote!(Contains)),
                Match::StartsWithIgnoreCase => (5, quote!(StartsWithIgnoreCase)),
                Match::ContainsIgnoreCase => (6, quote!(ContainsIgnoreCase)),
            };
            places[place] = Some(name);
        }
        let Some(last) = places.iter().rposition(Option::is_some) else { return TokenStream::new() };
        let places = places[..=last].iter().map(|place| match place {
            Some(name) => quote!(__restwell::#name),
            None => quote!(()),
        });
        quote!(, __restwell::Allows<#(#places),*>)
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
        let (field, ty) = (&member.field, value_type(&member.ty));
        let (name, parameter) = (member.ident.unraw().to_string(), field.name.as_str());
        // the underscore of `self_` separates already
        let start = name.trim_end_matches('_');
        let allowed = Allowed { ranges: false, null: !field.required, matches: field.filter.matches() };
        match &field.ty {
            Type::Price { .. } => {
                let (amount, currency) = (format!("{parameter}.amount"), format!("{parameter}.currency"));
                let of_amount = Allowed { ranges: true, ..allowed };
                self.filter(&format!("{start}_amount"), &amount, &quote!(::restwell::Decimal), of_amount);
                // that a price is null is asked of its amount
                let of_currency = Allowed { null: false, ..allowed };
                self.filter(&format!("{start}_currency"), &currency, &quote!(::restwell::Currency), of_currency);
            }
            Type::Ref { .. } => {
                let Some(ReferencedType::Resource(to)) = &member.used else { return };
                let (of_id, id) = (format!("{start}_id"), format!("{parameter}.id"));
                self.filter(&of_id, &id, &quote!(__restwell::Id<#to>), allowed);
            }
            Type::String { .. } => self.filter(&name, parameter, &quote!(__restwell::Text), allowed),
            other => self.filter(&name, parameter, &quote!(#ty), Allowed { ranges: other.is_ordered(), ..allowed }),
        }
    }

    /// One method: a call of the library's method for all of them. `kind` is that of the filter's values.
    fn filter(&mut self, name: &str, parameter: &str, kind: &TokenStream, allowed: Allowed<'_>) {
        let (method, allowed) = (self.claim(name), allowed.argument());
        let docs =
            format!("Only entities whose `{parameter}` is this value or passes this filter; several values match any.");
        self.emitted.push(quote! {
            #[doc = #docs]
            pub fn #method(self, filter: impl __restwell::FieldFilter<#kind #allowed>) -> Self {
                Self(self.0.filter(#parameter, filter))
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
            pub fn #method(self, within: impl __restwell::QueryOf<#ty>) -> Self {
                Self(self.0.within(#parameter, within))
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
            pub fn #method(within: impl __restwell::SortOf<#ty>) -> Self {
                Self::Within(__restwell::query::within(#name, within))
            }
        }
    });
    let unused = unused();
    let types = quote! {
        #[doc = #docs]
        #[derive(::core::fmt::Debug, ::core::clone::Clone)]
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
