//! What a derived query (`OfferQuery`) gathers: filters and an order by the names that requests use, so that both run
//! over the same plans (§4.4, §4.6).

use super::Resource;
use super::filter::{Condition, FieldFilter};
use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::mem;
use std::sync::Arc;

/// A query for entities of a resource. Derived with it: `OfferQuery` of `Offer`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a query",
    label = "not a query",
    note = "deriving `restwell::Resource` for `Offer` makes `OfferQuery`"
)]
pub trait Query: Default {
    /// The type of the entities that it finds.
    type Of: Resource;

    /// What it asks for so far.
    #[doc(hidden)]
    fn spec_mut(&mut self) -> &mut QuerySpec;

    /// What it asks for.
    fn spec(mut self) -> QuerySpec {
        mem::take(self.spec_mut())
    }

    /// A query that asks for this.
    #[doc(hidden)]
    fn of_request(spec: QuerySpec) -> Self {
        let mut query = Self::default();
        *query.spec_mut() = spec;
        query
    }
}

/// The filters on an object's fields: `AddressQuery` of `Address`. Derived with it.
pub trait QueryOf<T> {
    /// What it asks for.
    fn spec(self) -> QuerySpec;
}

/// A field of a resource or an object to sort by: `AddressSort` of `Address`. Derived with it.
pub trait SortOf<T> {
    /// Its name, dotted.
    fn path(self) -> Cow<'static, str>;
}

/// Filters, an order, and which page of what matches.
#[derive(Debug, Clone, Default)]
pub struct QuerySpec {
    pub(crate) filters: Vec<(Cow<'static, str>, Condition)>,
    pub(crate) sort: Vec<(Cow<'static, str>, bool)>,
    pub(crate) offset: u32,
    pub(crate) limit: Option<u32>,
    /// What a request asks for. It holds as well: nothing that is added widens it.
    pub(crate) request: Option<RequestFilters>,
}

/// What the plans have read of a request's query string; only they know what it is.
#[derive(Clone)]
pub(crate) struct RequestFilters(pub(crate) Arc<dyn Any + Send + Sync>);

impl fmt::Debug for RequestFilters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestFilters")
    }
}

/// Each method takes the query and gives it back: a derived method is one call, and its code has nothing to drop.
impl QuerySpec {
    /// One more filter on a field.
    #[must_use]
    pub fn filter<K, A>(mut self, name: &'static str, filter: impl FieldFilter<K, A>) -> Self {
        self.filters.push((Cow::Borrowed(name), filter.condition()));
        self
    }

    /// The filters of an object's fields.
    #[must_use]
    pub fn within<T>(mut self, name: &str, query: impl QueryOf<T>) -> Self {
        let inner = query.spec().filters;
        self.filters.extend(inner.into_iter().map(|(inner, condition)| (nested(name, &inner), condition)));
        self
    }

    /// One more field to sort by: later ones order ties of earlier ones.
    #[must_use]
    pub fn sort<T>(mut self, key: impl SortOf<T>, descending: bool) -> Self {
        self.sort.push((key.path(), descending));
        self
    }

    /// Where the page begins.
    #[must_use]
    pub fn offset(mut self, offset: u32) -> Self {
        self.offset = offset;
        self
    }

    /// How many entities it has at most.
    #[must_use]
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }
}

/// The path of a key inside an object's field.
#[must_use]
pub fn within<T>(outer: &str, key: impl SortOf<T>) -> Cow<'static, str> {
    nested(outer, &key.path())
}

/// The path of a field inside another.
fn nested(outer: &str, inner: &str) -> Cow<'static, str> {
    Cow::Owned(format!("{outer}.{inner}"))
}
