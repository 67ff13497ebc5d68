//! The typed query of a list, and what it can be sorted by.

use super::spelling::{FileScope, deprecation_docs, ident, type_ident};
use super::values::value;
use super::version::{CollectionNames, VersionTypes};
use crate::client::{CollectionPlan, Direction};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use restwell_model::api::{FilterOperator, HttpOperation, ParameterKind, Property, ValueType, VersionedName};
use restwell_model::field::Match;
use restwell_model::input::Bound;
use restwell_model::names::client::free;
use restwell_model::{OperationKind, Type, Version, names};
use std::collections::BTreeSet;

/// Methods that every query has.
const TAKEN: [&str; 9] =
    ["new", "sort", "sort_desc", "offset", "limit", "search", "into_parameters", "default", "clone"];

/// What the types of a query have.
pub(super) struct QueryParts {
    filters: TokenStream,
    keys: TokenStream,
}

impl QueryParts {
    fn is_like(&self, other: &Self) -> bool {
        let same = |one: &TokenStream, other: &TokenStream| one.to_string() == other.to_string();
        same(&self.filters, &other.filters) && same(&self.keys, &other.keys)
    }
}

/// The query, and the names of its types.
pub(super) struct QueryPlan<'p, 'a> {
    pub(super) name: String,
    pub(super) sort: String,
    operation: &'p HttpOperation<'a>,
    version: Version,
}

impl<'p, 'a> QueryPlan<'p, 'a> {
    /// The query of a collection; `None` if it cannot be listed.
    pub(super) fn of(collection: &'p CollectionPlan<'a>, types: &VersionTypes<'_, '_>) -> Option<Self> {
        let operation = collection.operation(OperationKind::List)?.operation;
        let CollectionNames { query, sort, .. } = types.collection(collection).clone();
        Some(Self { name: query, sort, operation, version: types.plan.version })
    }

    /// What its types have.
    pub(super) fn parts(
        &self,
        types: &VersionTypes<'_, '_>,
        scope: &FileScope<'_>,
        entity: &[Property<'_>],
    ) -> QueryParts {
        let mut taken: BTreeSet<String> = TAKEN.iter().map(|name| (*name).to_owned()).collect();
        let (mut filters, mut keys) = (TokenStream::new(), TokenStream::new());
        for parameter in &self.operation.query {
            if !parameter.versions.is_empty() && !parameter.versions.contains(&self.version) {
                continue;
            }
            match &parameter.kind {
                ParameterKind::Filter { field, operator, value } => {
                    let going = deprecation_docs(parameter.deprecation);
                    let of = Filter { name: &parameter.name, field, operator: *operator, value, going };
                    filters.extend(of.methods(types, scope, entity, &mut taken));
                }
                ParameterKind::Sort(names) => {
                    let mut taken = BTreeSet::new();
                    keys.extend(names.iter().filter(|it| self.has(&it.versions)).map(|it| key(it, &mut taken)));
                }
                ParameterKind::SearchId => filters.extend(quote! {
                    /// Only entities that a stored search finds. It takes no other filter beside it.
                    #[must_use]
                    pub fn search(mut self, id: uuid::Uuid) -> Self {
                        self.0.filter("search.id", id);
                        self
                    }
                }),
                _ => {}
            }
        }
        QueryParts { filters, keys }
    }

    /// The types and their functions; other names for the types of an earlier query that is alike.
    pub(super) fn items(&self, parts: &QueryParts, earlier: &[(Self, QueryParts)]) -> TokenStream {
        match earlier.iter().find(|(_, other)| parts.is_like(other)) {
            Some((other, _)) => self.aliases(other),
            None => self.types(parts),
        }
    }

    fn aliases(&self, other: &Self) -> TokenStream {
        let alias = |name: &str, other: &str| {
            let (docs, name, other) = (format!(" The same as [`{other}`]."), type_ident(name), type_ident(other));
            quote!(#[doc = #docs] pub type #name = #other;)
        };
        let (query, sort) = (alias(&self.name, &other.name), alias(&self.sort, &other.sort));
        quote!(#query #sort)
    }

    fn types(&self, QueryParts { filters, keys }: &QueryParts) -> TokenStream {
        let (query, sort) = (type_ident(&self.name), type_ident(&self.sort));
        quote! {
            /// Filters, an order, and a page.
            #[derive(Debug, Clone, Default, PartialEq, Eq)]
            pub struct #query(base::Parameters);

            impl #query {
                /// Everything.
                #[must_use]
                pub fn new() -> Self {
                    Self::default()
                }
                #filters
                /// Sorted by this, ascending; later calls order the ties of earlier ones.
                #[must_use]
                pub fn sort(mut self, by: #sort) -> Self {
                    self.0.sort(by.0, false);
                    self
                }
                /// Sorted by this, descending.
                #[must_use]
                pub fn sort_desc(mut self, by: #sort) -> Self {
                    self.0.sort(by.0, true);
                    self
                }
                /// How many entities are before the page.
                #[must_use]
                pub fn offset(mut self, offset: u32) -> Self {
                    self.0.offset(offset);
                    self
                }
                /// How many entities the page has at most.
                #[must_use]
                pub fn limit(mut self, limit: u32) -> Self {
                    self.0.limit(limit);
                    self
                }
            }

            impl base::ListQuery for #query {
                fn into_parameters(self) -> base::Parameters {
                    self.0
                }
            }

            /// What a list can be sorted by.
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub struct #sort(&'static str);

            impl #sort { #keys }
        }
    }

    fn has(&self, versions: &[Version]) -> bool {
        versions.is_empty() || versions.contains(&self.version)
    }
}

fn key(VersionedName { name, deprecation, .. }: &VersionedName, taken: &mut BTreeSet<String>) -> TokenStream {
    let constant = claim(&snake(name).to_uppercase(), taken);
    let (docs, going) = (format!(" By `{name}`."), deprecation_docs(*deprecation));
    quote! {
        #[doc = #docs]
        #going
        pub const #constant: Self = Self(#name);
    }
}

/// `buyNow.amount` → `buy_now_amount`.
fn snake(dotted: &str) -> String {
    dotted.split('.').map(names::snake).collect::<Vec<_>>().join("_")
}

/// A filter.
struct Filter<'p> {
    name: &'p str,
    field: &'p str,
    operator: FilterOperator,
    value: &'p ValueType<'p>,
    /// The documentation of one that goes away.
    going: Option<TokenStream>,
}

impl Filter<'_> {
    fn methods(
        &self,
        types: &VersionTypes<'_, '_>,
        scope: &FileScope<'_>,
        entity: &[Property<'_>],
        taken: &mut BTreeSet<String>,
    ) -> TokenStream {
        let suffix = self.operator.suffix().map(|suffix| format!("_{}", names::snake(suffix)));
        let method = claim(&format!("{}{}", snake(self.field), suffix.unwrap_or_default()), taken);
        let docs = format!(" Only entities whose `{}` {}.", self.field, meaning(self.operator));
        let (parameter, name, going) = (self.parameter(types, scope), self.name, &self.going);
        let is_null = (self.operator == FilterOperator::Equal && is_nullable(entity, self.field)).then(|| {
            let outer = self.field.strip_suffix(".amount").or_else(|| self.field.strip_suffix(".id"));
            let docs = format!(" Only entities whose `{}` is null.", self.field);
            let method = claim(&format!("{}_is_null", snake(outer.unwrap_or(self.field))), taken);
            quote! {
                #[doc = #docs]
                #going
                #[must_use]
                pub fn #method(mut self) -> Self {
                    self.0.filter(#name, "");
                    self
                }
            }
        });
        quote! {
            #[doc = #docs]
            #going
            #[must_use]
            pub fn #method(mut self, value: #parameter) -> Self {
                self.0.filter(#name, value);
                self
            }
            #is_null
        }
    }

    fn parameter(&self, types: &VersionTypes<'_, '_>, scope: &FileScope<'_>) -> TokenStream {
        let is_text = matches!(self.operator, FilterOperator::Match(it) if it.is_of_texts());
        match self.value {
            _ if is_text => quote!(&str),
            ValueType::Scalar(Type::String { .. }) => quote!(&str),
            of => value(types, scope, of, Direction::Response, ""),
        }
    }
}

fn claim(name: &str, taken: &mut BTreeSet<String>) -> Ident {
    ident(&free(name, taken))
}

fn meaning(operator: FilterOperator) -> &'static str {
    match operator {
        FilterOperator::Equal => "is this value; several calls match any of their values",
        FilterOperator::Bound(Bound::Gt) => "is greater",
        FilterOperator::Bound(Bound::Gte) => "is greater or equal",
        FilterOperator::Bound(Bound::Lt) => "is less",
        FilterOperator::Bound(Bound::Lte) => "is less or equal",
        FilterOperator::Match(Match::Not) => "is not this value; several calls match none of their values",
        FilterOperator::Match(Match::StartsWith) => "begins with this text, in exact case",
        FilterOperator::Match(Match::Contains) => "has this text in it, in exact case",
        FilterOperator::Match(Match::StartsWithIgnoreCase) => "begins with this text, in any case",
        FilterOperator::Match(Match::ContainsIgnoreCase) => "has this text in it, in any case",
    }
}

/// Whether a property on the way to a field may be null.
fn is_nullable(entity: &[Property<'_>], field: &str) -> bool {
    let (first, rest) = field.split_once('.').map_or((field, None), |(first, rest)| (first, Some(rest)));
    let Some(property) = entity.iter().find(|property| property.name == first) else { return false };
    let inside = match (&property.value, rest) {
        (ValueType::Object { properties, .. }, Some(rest)) => is_nullable(properties, rest),
        _ => false,
    };
    property.is_nullable || inside
}
