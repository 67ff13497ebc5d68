//! A price: an amount in a currency (§2.4.7).

use super::{Currency, amount, decimal};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// `{"amount":"12.30","currency":"PLN"}`, the amount kept in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Price {
    #[serde(with = "amount::as_text")]
    amount: i64,
    currency: Currency,
}

impl Price {
    /// A number of hundredths of the currency unit.
    #[must_use]
    pub fn new(minor: i64, currency: Currency) -> Self {
        Self { amount: minor, currency }
    }

    /// The amount: `12.30`.
    #[must_use]
    pub fn amount(&self) -> Decimal {
        decimal::to_decimal(self.amount, amount::SCALE)
    }

    /// The amount in hundredths: 1230.
    #[must_use]
    pub fn minor(&self) -> i64 {
        self.amount
    }

    /// The currency.
    #[must_use]
    pub fn currency(&self) -> Currency {
        self.currency
    }

    /// The amount as it is rendered, with two decimals.
    #[must_use]
    pub fn amount_text(&self) -> String {
        self.amount().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_an_object_of_two_strings() {
        let price = Price::new(1230, Currency::parse("PLN").unwrap());
        let json = r#"{"amount":"12.30","currency":"PLN"}"#;
        assert_eq!(serde_json::to_string(&price).unwrap(), json);
        assert_eq!(serde_json::from_str::<Price>(json).unwrap(), price);
        assert_eq!(price.amount(), Decimal::new(1230, 2));
        assert_eq!(price.amount_text(), "12.30");
    }

    #[test]
    fn other_forms_are_refused() {
        for json in [
            r#"{"amount":12.3,"currency":"PLN"}"#,
            r#"{"amount":"12.345","currency":"PLN"}"#,
            r#"{"amount":"12.30","currency":"XYZ"}"#,
            r#"{"amount":"12.30"}"#,
        ] {
            assert!(serde_json::from_str::<Price>(json).is_err(), "{json}");
        }
    }
}
