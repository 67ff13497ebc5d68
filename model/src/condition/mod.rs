//! Conditions: a small expression language over an entity and its caller, a total subset of the Common Expression
//! Language. Who sees what, and what may happen, is said in it.
//!
//! A condition is written as a text ([`Condition`]), parsed with the place of every part ([`parse`]), resolved against
//! the model ([`check`]), and then evaluated in three ways that agree: here on values in memory ([`evaluate`],
//! [`reduce`]), and as SQL of both databases ([`sql`]).

mod arithmetic;
mod claims;
mod comparing;
mod count_bound;
mod evaluate;
mod expr;
mod lexer;
mod literals;
mod mistake;
mod parser;
mod print;
mod reads;
mod resolve;
pub mod sql;
mod typed;
mod written_out;

#[cfg(test)]
mod tests;

pub use arithmetic::{
    PriceOperand, add, decimal_order, duration_of_days, duration_of_seconds, item_units, length, multiply,
    number_result, price_result, shift_date, shift_date_by, shift_timestamp, shift_timestamp_by, subtract,
};
pub use count_bound::{Counted, MAX_COUNTED};
pub use evaluate::{Facts, Subject, evaluate, holds, reduce};
pub use expr::{Expr, ExprKind, Operator};
pub use mistake::{Mistake, MistakeCode};
pub use parser::parse;
pub use reads::Reads;
pub(crate) use resolve::is_word;
pub use resolve::{Scope, check, check_value, static_type};
pub use typed::{FieldBase, FieldPath, LengthForm, Node, Nulls, PricePart, StaticType, TextTest, Typed};
pub(crate) use written_out::{without_names, written_out};

use serde::{Deserialize, Serialize};
use std::fmt;

/// Bytes of a condition's text.
pub const MAX_CONDITION_BYTES: usize = 2_000;
/// Levels of nesting in a condition.
pub const MAX_CONDITION_DEPTH: usize = 24;
/// Parts of a condition: names, values, operators.
pub const MAX_CONDITION_NODES: usize = 300;
/// Values of a list in a condition.
pub const MAX_CONDITION_LIST: usize = 100;
/// Parts of a condition once its names are resolved, computed fields among them.
pub const MAX_RESOLVED_NODES: usize = 4 * MAX_CONDITION_NODES;
/// References that a name can pass through: `seller.employer.name` passes through two.
pub const MAX_REFERENCE_STEPS: usize = 4;

/// The function that ignores the case of a text.
pub(crate) const LOWER: &str = "lower";

/// A condition as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Condition(String);

impl Condition {
    /// A condition of this text, which may have mistakes: [`check`] finds them.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Parses it and resolves it against the model.
    ///
    /// # Errors
    ///
    /// Its mistakes, with their places in the text.
    pub fn typed(&self, scope: &Scope<'_>) -> Result<Typed, Vec<Mistake>> {
        let expr = parse(&self.0).map_err(|mistake| vec![mistake])?;
        check(&expr, scope)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
