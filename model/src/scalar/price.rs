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
    /// So many hundredths of a currency's unit.
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
