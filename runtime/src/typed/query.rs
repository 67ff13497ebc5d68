//! What a derived query (`OfferQuery`) gathers: filters and an order by the names that requests use, so that both run
//! over the same plans (§4.4, §4.6).

use super::{Decimals, Resource, Typed};
use restwell_model::Value;
use rust_decimal::Decimal;
use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::mem;
use std::sync::Arc;

/// Digits after the point of a price's amount (§2.4.7).
const AMOUNT_SCALE: u32 = 2;

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

/// What a field's value must be.
#[derive(Debug, Clone)]
pub(crate) enum Condition {
    /// This one; wishes of one field together are any of them. Null is none.
    Equal(Value),
    /// Not this one; wishes of one field together are none of them.
    Not(Value),
    /// Begins with this text.
    StartsWith(String),
    /// Has this text in it.
    Contains(String),
    /// Compared with a bound.
    Compare(Comparison, Value),
}

/// How a value stands to a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// Greater.
    Gt,
    /// Less.
    Lt,
    /// Greater or equal.
    Gte,
    /// Less or equal.
    Lte,
}

/// Each method takes the query and gives it back: a derived method is one call, and its code has nothing to drop.
impl QuerySpec {
    fn with(mut self, name: &'static str, condition: Condition) -> Self {
        self.filters.push((Cow::Borrowed(name), condition));
        self
    }

    /// One more value that a field may have.
    #[must_use]
    pub fn equal(self, name: &'static str, value: impl FilterValue) -> Self {
        self.with(name, Condition::Equal(value.into_value()))
    }

    /// One more value that a field may have: null.
    #[must_use]
    pub fn null(self, name: &'static str) -> Self {
        self.with(name, Condition::Equal(Value::Null))
    }

    /// One more value that a field must not have.
    #[must_use]
    pub fn not(self, name: &'static str, value: impl FilterValue) -> Self {
        self.with(name, Condition::Not(value.into_value()))
    }

    /// What a field begins with.
    #[must_use]
    pub fn starts_with(self, name: &'static str, text: impl Into<String>) -> Self {
        self.with(name, Condition::StartsWith(text.into()))
    }

    /// What a field has in it.
    #[must_use]
    pub fn contains(self, name: &'static str, text: impl Into<String>) -> Self {
        self.with(name, Condition::Contains(text.into()))
    }

    /// A bound that a field is above.
    #[must_use]
    pub fn gt(self, name: &'static str, bound: impl FilterValue) -> Self {
        self.with(name, Condition::Compare(Comparison::Gt, bound.into_value()))
    }

    /// A bound that a field is below.
    #[must_use]
    pub fn lt(self, name: &'static str, bound: impl FilterValue) -> Self {
        self.with(name, Condition::Compare(Comparison::Lt, bound.into_value()))
    }

    /// The least value of a field.
    #[must_use]
    pub fn gte(self, name: &'static str, bound: impl FilterValue) -> Self {
        self.with(name, Condition::Compare(Comparison::Gte, bound.into_value()))
    }

    /// The greatest value of a field.
    #[must_use]
    pub fn lte(self, name: &'static str, bound: impl FilterValue) -> Self {
        self.with(name, Condition::Compare(Comparison::Lte, bound.into_value()))
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

/// The argument of a filter.
pub trait FilterValue {
    /// The value that a field is compared with.
    fn into_value(self) -> Value;
}

impl<T: Typed> FilterValue for T {
    fn into_value(self) -> Value {
        self.to_value()
    }
}

/// The argument of a filter on a text.
#[derive(Debug)]
pub struct FilterText<T>(pub T);

impl<T: Into<String>> FilterValue for FilterText<T> {
    fn into_value(self) -> Value {
        Value::Text(self.0.into())
    }
}

/// The argument of a filter on decimals of this scale.
#[derive(Debug)]
pub struct FilterUnits<T>(pub T, pub u32);

impl<T: Decimals> FilterValue for FilterUnits<T> {
    fn into_value(self) -> Value {
        self.0.to_units(self.1)
    }
}

/// The argument of a filter on an amount. One with more digits than an amount has, or out of its range, equals none.
#[derive(Debug)]
pub struct FilterAmount(pub Decimal);

impl FilterValue for FilterAmount {
    fn into_value(self) -> Value {
        self.0.to_units(AMOUNT_SCALE)
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
