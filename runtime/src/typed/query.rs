//! What a derived query (`OfferQuery`) gathers: filters and an order by the names that requests use, so that both run
//! over the same plans (§4.4, §4.6).

use super::{Decimals, Resource};
use restwell_model::Value;
use rust_decimal::Decimal;
use std::any::Any;
use std::borrow::Cow;
use std::fmt;
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

    /// What it asks for.
    fn spec(self) -> QuerySpec;

    /// A query that asks for this.
    #[doc(hidden)]
    fn of_request(spec: QuerySpec) -> Self;
}

/// The filters on an object's fields: `AddressQuery` of `Address`. Derived with it.
pub trait QueryOf<T> {
    /// What it asks for.
    fn spec(self) -> QuerySpec;
}

/// A field of an object to sort by: `AddressSort` of `Address`. Derived with it.
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

impl QuerySpec {
    /// One more value that a field may have.
    pub fn equal(&mut self, name: &'static str, value: Value) {
        self.filters.push((Cow::Borrowed(name), Condition::Equal(value)));
    }

    /// One more value that a field must not have.
    pub fn not(&mut self, name: &'static str, value: Value) {
        self.filters.push((Cow::Borrowed(name), Condition::Not(value)));
    }

    /// What a field begins with.
    pub fn starts_with(&mut self, name: &'static str, text: String) {
        self.filters.push((Cow::Borrowed(name), Condition::StartsWith(text)));
    }

    /// What a field has in it.
    pub fn contains(&mut self, name: &'static str, text: String) {
        self.filters.push((Cow::Borrowed(name), Condition::Contains(text)));
    }

    /// A bound of a field.
    pub fn compare(&mut self, name: &'static str, comparison: Comparison, value: Value) {
        self.filters.push((Cow::Borrowed(name), Condition::Compare(comparison, value)));
    }

    /// The filters of an object's fields.
    pub fn within(&mut self, name: &str, asked: Self) {
        self.filters.extend(asked.filters.into_iter().map(|(inner, wish)| (nested(name, &inner), wish)));
    }

    /// One more field to sort by: later ones order ties of earlier ones.
    pub fn sort(&mut self, path: Cow<'static, str>, descending: bool) {
        self.sort.push((path, descending));
    }

    /// Where the page begins.
    pub fn offset(&mut self, offset: u32) {
        self.offset = offset;
    }

    /// How many entities it has at most.
    pub fn limit(&mut self, limit: u32) {
        self.limit = Some(limit);
    }
}

/// The path of a field inside another.
#[must_use]
pub fn nested(outer: &str, inner: &str) -> Cow<'static, str> {
    Cow::Owned(format!("{outer}.{inner}"))
}

/// The value of an amount. One with more digits than an amount has, or out of its range, equals none.
#[must_use]
pub fn amount(amount: Decimal) -> Value {
    Decimals::to_units(&amount, AMOUNT_SCALE)
}
