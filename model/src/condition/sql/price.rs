//! Prices that are computed: as a text of amount and currency (`1250 PLN`), so that one part of the SQL is both.

use super::place::Wanted;
use super::{SQL_PRICE, SqlWriter, is_item};
use crate::condition::expr::Operator;
use crate::condition::typed::{Node, PricePart, StaticType, Typed};
use crate::value::Value;

/// What an amount does not exceed.
const MAX_UNITS: &str = "1000000000000000000";

impl SqlWriter<'_> {
    /// The amount or currency of a price.
    pub(super) fn price(&mut self, part: PricePart, price: &Typed) -> Option<()> {
        match &price.node {
            _ if self.is_price_text(price) => {
                let pattern = match (part, self.is_sqlite()) {
                    (PricePart::Amount, true) => "CAST({} AS INTEGER)",
                    (PricePart::Amount, false) => "CAST(split_part({}, ' ', 1) AS bigint)",
                    (PricePart::Currency, true) => "substr({}, -3)",
                    (PricePart::Currency, false) => "right({}, 3)",
                };
                let (before, after) = pattern.split_once("{}")?;
                self.push(before);
                self.price_text(price)?;
                self.push(after);
                Some(())
            }
            Node::Field(..) | Node::Follow(..) => self.stored(price, Wanted::Part(part)),
            Node::Constant(value) => {
                let parts = match value {
                    Value::Price(units, currency) => (Value::Int(*units), Value::Text(currency.as_str().to_owned())),
                    _ => (Value::Null, Value::Null),
                };
                match part {
                    PricePart::Amount => self.constant(&StaticType::Integer, &parts.0),
                    PricePart::Currency => self.constant(&StaticType::Text, &parts.1),
                }
            }
            _ => None,
        }
    }

    /// Whether a price is computed, and so has no columns for its parts.
    pub(super) fn is_price_text(&self, price: &Typed) -> bool {
        let is_column = |variable: usize| matches!(self.items.get(variable), Some(super::Item::Column(_)));
        match &price.node {
            Node::Arithmetic(..) | Node::Choose(..) => true,
            _ => is_item(price).is_some_and(|(variable, _)| is_column(variable)),
        }
    }

    /// A price as one text; null if it is null.
    pub(super) fn price_text(&mut self, price: &Typed) -> Option<()> {
        match &price.node {
            Node::Choose(condition, yes, no) => self.choice(condition, [yes, no], Self::price_text),
            Node::Arithmetic(operator, one, other) => self.price_arithmetic(*operator, one, other),
            _ if self.is_price_text(price) => self.stored(price, Wanted::Value),
            _ => {
                self.push("(CAST(");
                self.price(PricePart::Amount, price)?;
                self.push(" AS TEXT) || ' ' || ");
                self.price(PricePart::Currency, price)?;
                self.push(")");
                Some(())
            }
        }
    }

    fn price_arithmetic(&mut self, operator: Operator, one: &Typed, other: &Typed) -> Option<()> {
        let (price, with) = if one.ty == StaticType::Price { (one, other) } else { (other, one) };
        let symbol = operator.symbol();
        if self.is_sqlite() {
            self.push(&format!("\"{SQL_PRICE}\"('{symbol}', "));
            self.price_text(price)?;
            self.push(", ");
            self.price_operand(with)?;
            self.push(&format!(", {})", with.ty.scale()));
            return Some(());
        }
        let alias = self.alias("n");
        let units = |column: &str| format!("CAST(split_part({alias}.{column}, ' ', 1) AS numeric)");
        let currency = format!("right({alias}.a, 3)");
        let (second, condition) = match with.ty {
            StaticType::Price => (units("b"), format!("{currency} = right({alias}.b, 3)")),
            StaticType::Number => (numeric(&format!("{alias}.b")), "true".to_owned()),
            _ => {
                let one = format!("0.{}1", "0".repeat((with.ty.scale() as usize).saturating_sub(1)));
                let by = if with.ty.scale() > 0 { format!(" * {one}") } else { String::new() };
                (format!("(CAST({alias}.b AS numeric){by})"), "true".to_owned())
            }
        };
        let result = format!("{} {symbol} {second}", units("a"));
        // half up, as `amount::times` rounds
        let sum = match with.ty {
            StaticType::Number | StaticType::Decimal(_) => format!("floor({result} + 0.5)"),
            _ => result,
        };
        let bounded = super::arithmetic::bounded(&sum, &format!("-{MAX_UNITS}"), MAX_UNITS);
        self.push(&format!(
            "(SELECT CASE WHEN {condition} THEN CAST({bounded} AS text) || ' ' || {currency} END FROM (SELECT "
        ));
        self.price_text(price)?;
        self.push(" AS a, ");
        self.price_operand(with)?;
        self.push(&format!(" AS b{}) {alias})", self.fence()));
        Some(())
    }

    /// What a price is added to, or multiplied by.
    fn price_operand(&mut self, operand: &Typed) -> Option<()> {
        match operand.ty {
            StaticType::Price => self.price_text(operand),
            _ => self.scalar(operand),
        }
    }
}

/// A double as the number that its shortest text says, on PostgreSQL. Whole ones are converted exactly, and beyond 64
/// bits the next whole number says enough.
fn numeric(double: &str) -> String {
    format!(
        "(CASE WHEN {double} >= 9223372036854775808 THEN 9223372036854775808 \
         WHEN {double} < -9223372036854775808 THEN -9223372036854775808 \
         WHEN floor({double}) = {double} THEN CAST(CAST({double} AS bigint) AS numeric) \
         ELSE CAST(CAST({double} AS text) AS numeric) END)"
    )
}
