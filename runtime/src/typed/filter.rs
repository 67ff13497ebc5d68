//! What a method of a derived query takes: a value, which the field then has, or one of the filters made here.
//!
//! ```
//! use restwell::Resource;
//! use restwell::filter::{contains, gte, lt, null};
//!
//! #[derive(Debug, Clone, Resource)]
//! pub struct Offer {
//!     #[field(filter(contains))]
//!     pub name: String,
//!     #[field(filter)]
//!     pub stock: Option<i64>,
//! }
//!
//! let few = OfferQuery::new().name(contains("lamp")).stock(gte(1)).stock(lt(5));
//! let none = OfferQuery::new().stock(0).stock(null()); // one of both
//! # let _ = (few, none);
//! ```
//!
//! A field has one method, whatever it allows: what it does not is an error of types. So a derive makes one function
//! for each field, and the compiler keeps no more.

use super::{Ref, Typed};
use restwell_model::Value;
use restwell_model::api::FilterOperator;
use restwell_model::field::Match;
use restwell_model::input::Bound;
use rust_decimal::Decimal;
use std::marker::PhantomData;

/// A filter of a field with values of the kind `K`, which allows `A` beside equality.
///
/// The kinds: [`Text`], [`Id`] of a referenced resource, [`Decimal`], also for the amount of a price, and any other
/// type of a field itself.
#[diagnostic::on_unimplemented(
    message = "this field of `{K}` cannot be filtered by `{Self}`",
    label = "no filter of this field",
    note = "a filter is a value of the field, a range if its type has an order, or `null()` if it is an `Option`",
    note = "`not` and parts of texts are for fields that opt in: `#[field(filter(not, starts_with))]`"
)]
pub trait FieldFilter<K, A = ()> {
    /// What it asks for.
    #[doc(hidden)]
    fn condition(self) -> Condition;
}

/// What a field's value must be.
#[derive(Debug, Clone)]
pub struct Condition {
    pub(crate) operator: FilterOperator,
    /// A decimal is a text here: its units depend on the scale, which the plans know.
    pub(crate) value: Value,
}

impl Condition {
    fn equal(value: Value) -> Self {
        Self { operator: FilterOperator::Equal, value }
    }

    /// Of a part of a text.
    fn part(matched: Match, text: String) -> Self {
        Self { operator: FilterOperator::Match(matched), value: Value::Text(text) }
    }
}

/// Greater than this value.
pub fn gt<V>(value: V) -> Compared<V> {
    Compared { bound: Bound::Gt, value }
}

/// This value or greater.
pub fn gte<V>(value: V) -> Compared<V> {
    Compared { bound: Bound::Gte, value }
}

/// Less than this value.
pub fn lt<V>(value: V) -> Compared<V> {
    Compared { bound: Bound::Lt, value }
}

/// This value or less.
pub fn lte<V>(value: V) -> Compared<V> {
    Compared { bound: Bound::Lte, value }
}

/// Null. Beside values it is one of those that match.
pub fn null() -> Null {
    Null
}

/// Not this value, or null; several match none of their values.
pub fn not<V>(value: V) -> Not<V> {
    Not { value }
}

/// Begins with this text, in exact case.
pub fn starts_with(text: impl Into<String>) -> StartsWith {
    StartsWith { text: text.into() }
}

/// Has this text in it, in exact case.
pub fn contains(text: impl Into<String>) -> Contains {
    Contains { text: text.into() }
}

/// Begins with this text, in any case: as for `unique = ignore_case`.
pub fn starts_with_ignore_case(text: impl Into<String>) -> StartsWithIgnoreCase {
    StartsWithIgnoreCase { text: text.into() }
}

/// Has this text in it, in any case: as for `unique = ignore_case`.
pub fn contains_ignore_case(text: impl Into<String>) -> ContainsIgnoreCase {
    ContainsIgnoreCase { text: text.into() }
}

/// A side of a range, of [`gt`], [`gte`], [`lt`] or [`lte`].
#[derive(Debug, Clone)]
#[must_use]
pub struct Compared<V = ()> {
    bound: Bound,
    value: V,
}

/// Of [`null`].
#[derive(Debug, Clone)]
#[must_use]
pub struct Null;

/// Of [`not`].
#[derive(Debug, Clone)]
#[must_use]
pub struct Not<V = ()> {
    value: V,
}

/// Of [`starts_with`].
#[derive(Debug, Clone)]
#[must_use]
pub struct StartsWith {
    text: String,
}

/// Of [`contains`].
#[derive(Debug, Clone)]
#[must_use]
pub struct Contains {
    text: String,
}

/// Of [`starts_with_ignore_case`].
#[derive(Debug, Clone)]
#[must_use]
pub struct StartsWithIgnoreCase {
    text: String,
}

/// Of [`contains_ignore_case`].
#[derive(Debug, Clone)]
#[must_use]
pub struct ContainsIgnoreCase {
    text: String,
}

/// The kind of texts.
#[derive(Debug)]
pub struct Text;

/// The kind of references to a `T`: an entity of it will do.
#[derive(Debug)]
pub struct Id<T>(PhantomData<fn() -> T>);

impl<T: Typed, A> FieldFilter<T, A> for T {
    fn condition(self) -> Condition {
        Condition::equal(self.to_value())
    }
}

impl<V: Into<String>, A> FieldFilter<Text, A> for V {
    fn condition(self) -> Condition {
        Condition::equal(Value::Text(self.into()))
    }
}

impl<T, V: Into<Ref<T>>, A> FieldFilter<Id<T>, A> for V {
    fn condition(self) -> Condition {
        Condition::equal(Value::Uuid(self.into().id))
    }
}

impl<V: Into<Decimal>, A> FieldFilter<Decimal, A> for V {
    fn condition(self) -> Condition {
        Condition::equal(Value::Text(self.into().to_string()))
    }
}

// A filter is made of a value, never of another filter: `FieldFilter<K>` allows none.

impl<K, V: FieldFilter<K>, A: Allow<Compared>> FieldFilter<K, A> for Compared<V> {
    fn condition(self) -> Condition {
        Condition { operator: FilterOperator::Bound(self.bound), ..self.value.condition() }
    }
}

impl<K, A: Allow<Null>> FieldFilter<K, A> for Null {
    fn condition(self) -> Condition {
        Condition::equal(Value::Null)
    }
}

impl<K, V: FieldFilter<K>, A: Allow<Not>> FieldFilter<K, A> for Not<V> {
    fn condition(self) -> Condition {
        Condition { operator: FilterOperator::Match(Match::Not), ..self.value.condition() }
    }
}

impl<K, A: Allow<StartsWith>> FieldFilter<K, A> for StartsWith {
    fn condition(self) -> Condition {
        Condition::part(Match::StartsWith, self.text)
    }
}

impl<K, A: Allow<Contains>> FieldFilter<K, A> for Contains {
    fn condition(self) -> Condition {
        Condition::part(Match::Contains, self.text)
    }
}

impl<K, A: Allow<StartsWithIgnoreCase>> FieldFilter<K, A> for StartsWithIgnoreCase {
    fn condition(self) -> Condition {
        Condition::part(Match::StartsWithIgnoreCase, self.text)
    }
}

impl<K, A: Allow<ContainsIgnoreCase>> FieldFilter<K, A> for ContainsIgnoreCase {
    fn condition(self) -> Condition {
        Condition::part(Match::ContainsIgnoreCase, self.text)
    }
}

/// What a field allows beside equality: types of filters, each in its place, and `()` in that of what it does not.
#[derive(Debug)]
pub struct Allows<A = (), B = (), C = (), D = (), E = (), F = (), G = ()>(PhantomData<(A, B, C, D, E, F, G)>);

/// What allows filters of this type.
#[diagnostic::on_unimplemented(
    message = "this field cannot be filtered by `{F}`",
    label = "no filter of this field",
    note = "a range is for a type with an order, `null()` for an `Option`",
    note = "`not` and parts of texts are for fields that opt in: `#[field(filter(not, starts_with))]`"
)]
pub trait Allow<F> {}

impl<B, C, D, E, F, G> Allow<Compared> for Allows<Compared, B, C, D, E, F, G> {}
impl<A, C, D, E, F, G> Allow<Null> for Allows<A, Null, C, D, E, F, G> {}
impl<A, B, D, E, F, G> Allow<Not> for Allows<A, B, Not, D, E, F, G> {}
impl<A, B, C, E, F, G> Allow<StartsWith> for Allows<A, B, C, StartsWith, E, F, G> {}
impl<A, B, C, D, F, G> Allow<Contains> for Allows<A, B, C, D, Contains, F, G> {}
impl<A, B, C, D, E, G> Allow<StartsWithIgnoreCase> for Allows<A, B, C, D, E, StartsWithIgnoreCase, G> {}
impl<A, B, C, D, E, F> Allow<ContainsIgnoreCase> for Allows<A, B, C, D, E, F, ContainsIgnoreCase> {}
