//! A price: an amount in a currency (§2.4.7).

use super::text_form::parse_as_text;
use super::{Currency, amount, decimal};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::error::Error;
use std::fmt;
use std::ops::{Add, Mul, Sub};

/// The largest amount that can be written, in minor units: 16 digits before the point, two after it.
const MAX_MINOR: i64 = 999_999_999_999_999_999;

/// A percent is a hundredth.
const PERCENT_SCALE: u32 = 2;

/// `{"amount":"12.30","currency":"PLN"}`, the amount kept in minor units; `12.30 PLN` as text.
///
/// Arithmetic has a price or an error as its result: `(price * 3)? + shipping`. Sums, differences and products with
/// whole numbers are exact. A product with a [`Decimal`] or an `f64` is rounded half up to a hundredth, as in
/// conditions; an `f64` counts as the number that its digits say, so that 0.15 is 15/100.
///
/// ```
/// use rust_decimal::Decimal;
/// # use restwell_model::scalar::{Price, PriceError};
/// let net: Price = "10.50 PLN".parse()?;
/// assert_eq!((net * 3)?.to_string(), "31.50 PLN");
/// assert_eq!((net * Decimal::new(125, 3))?.to_string(), "1.31 PLN"); // 1.3125
/// assert_eq!((net * 0.15)?.to_string(), "1.58 PLN"); // 1.575
/// let tax = net.percent(Decimal::from(23))?; // 2.415
/// assert_eq!((net + tax)?.to_string(), "12.92 PLN");
/// assert!(matches!(net + "1.00 EUR".parse()?, Err(PriceError::Currencies(..))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

    /// An exact amount of a currency.
    ///
    /// # Errors
    ///
    /// It has more than two digits after the point, or is outside the range of amounts.
    pub fn of(amount: Decimal, currency: Currency) -> Result<Self, PriceError> {
        if amount.normalize().scale() > amount::SCALE {
            return Err(PriceError::TooManyDigits(amount));
        }
        Self::checked(decimal::from_decimal(amount, amount::SCALE), currency)
    }

    /// The sum of prices; `None` if there are none.
    ///
    /// # Errors
    ///
    /// They have different currencies, or the sum is outside the range of amounts.
    pub fn total(prices: impl IntoIterator<Item = Self>) -> Result<Option<Self>, PriceError> {
        prices.into_iter().try_fold(None, |sum: Option<Self>, price| match sum {
            Some(sum) => (sum + price).map(Some),
            None => Ok(Some(price)),
        })
    }

    /// How it compares with a price of the same currency. There is no `<`: prices of two currencies have no order.
    ///
    /// # Errors
    ///
    /// The currencies differ.
    pub fn compare(&self, other: &Self) -> Result<Ordering, PriceError> {
        self.same_currency(other).map(|_| self.amount.cmp(&other.amount))
    }

    /// A percentage of it, rounded half up to a hundredth: 23 percent of 10.50 is 2.42.
    ///
    /// # Errors
    ///
    /// The result is outside the range of amounts.
    pub fn percent(self, percent: Decimal) -> Result<Self, PriceError> {
        self.times((percent.mantissa(), percent.scale() + PERCENT_SCALE))
    }

    fn times(self, factor: (i128, u32)) -> Result<Self, PriceError> {
        Self::checked(amount::times(self.amount, factor), self.currency)
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

    fn same_currency(&self, other: &Self) -> Result<Currency, PriceError> {
        if self.currency == other.currency {
            Ok(self.currency)
        } else {
            Err(PriceError::Currencies(self.currency, other.currency))
        }
    }

    fn checked(minor: Option<i64>, currency: Currency) -> Result<Self, PriceError> {
        let amount = minor.filter(|minor| (0..=MAX_MINOR).contains(minor)).ok_or(PriceError::OutOfRange)?;
        Ok(Self { amount, currency })
    }

    fn parse(text: &str) -> Option<Self> {
        let (amount, currency) = text.split_once(' ')?;
        Some(Self { amount: amount::parse(amount)?, currency: Currency::parse(currency)? })
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} {}", self.amount(), self.currency))
    }
}

parse_as_text!(Price, "a price like 12.30 PLN", Price::parse);

impl Add for Price {
    type Output = Result<Self, PriceError>;

    fn add(self, other: Self) -> Self::Output {
        let currency = self.same_currency(&other)?;
        Self::checked(self.amount.checked_add(other.amount), currency)
    }
}

impl Sub for Price {
    type Output = Result<Self, PriceError>;

    fn sub(self, other: Self) -> Self::Output {
        let currency = self.same_currency(&other)?;
        Self::checked(self.amount.checked_sub(other.amount), currency)
    }
}

impl Mul<i64> for Price {
    type Output = Result<Self, PriceError>;

    fn mul(self, quantity: i64) -> Self::Output {
        Self::checked(self.amount.checked_mul(quantity), self.currency)
    }
}

/// Rounded half up to a hundredth.
impl Mul<Decimal> for Price {
    type Output = Result<Self, PriceError>;

    fn mul(self, factor: Decimal) -> Self::Output {
        self.times((factor.mantissa(), factor.scale()))
    }
}

/// Rounded half up to a hundredth.
impl Mul<f64> for Price {
    type Output = Result<Self, PriceError>;

    fn mul(self, factor: f64) -> Self::Output {
        amount::factor(factor).ok_or(PriceError::OutOfRange).and_then(|factor| self.times(factor))
    }
}

/// Prices that have no result, or an amount that is not that of a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PriceError {
    /// Two currencies.
    Currencies(Currency, Currency),
    /// Below zero, or more than 16 digits before the point.
    OutOfRange,
    /// More than two digits after the point.
    TooManyDigits(Decimal),
}

impl fmt::Display for PriceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Currencies(one, other) => write!(f, "prices of two currencies, {one} and {other}"),
            Self::OutOfRange => f.write_str("an amount below 0.00 or above 9999999999999999.99"),
            Self::TooManyDigits(amount) => write!(f, "{amount} has more than two digits after the decimal point"),
        }
    }
}

impl Error for PriceError {}

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

    fn price(text: &str) -> Price {
        text.parse().unwrap()
    }

    #[test]
    fn arithmetic_is_exact_and_of_one_currency() {
        assert_eq!(price("0.10 PLN") + price("0.20 PLN"), Ok(price("0.30 PLN")));
        assert_eq!(price("12.30 PLN") - price("12.30 PLN"), Ok(price("0.00 PLN")));
        assert_eq!(price("19.99 EUR") * 3, Ok(price("59.97 EUR")));
        assert_eq!(
            Price::total(["1.00", "2.50"].map(|amount| price(&format!("{amount} EUR")))),
            Ok(Some(price("3.50 EUR")))
        );
        assert_eq!(Price::total([]), Ok(None));
        assert_eq!(price("1.00 EUR").compare(&price("1 EUR")), Ok(Ordering::Equal));
        let mixed = (price("1.00 EUR") + price("1.00 PLN")).unwrap_err();
        assert_eq!(mixed.to_string(), "prices of two currencies, EUR and PLN");
        assert_eq!(price("1.00 EUR").compare(&price("1.00 PLN")), Err(mixed));
    }

    #[test]
    fn products_are_rounded_half_up() {
        let third = Decimal::ONE / Decimal::from(3);
        assert_eq!(price("100.00 PLN") * third, Ok(price("33.33 PLN")));
        assert_eq!(price("0.05 PLN") * Decimal::new(1, 1), Ok(price("0.01 PLN")));
        assert_eq!(price("0.05 PLN") * Decimal::new(99, 3), Ok(price("0.00 PLN")));
        // as a double it is a little less than 1.005
        assert_eq!(price("1.00 PLN") * 1.005, Ok(price("1.01 PLN")));
        assert_eq!(price("1.00 PLN") * 1e-320, Ok(price("0.00 PLN")));
        assert_eq!(price("9999999999999999.99 PLN").percent(Decimal::from(50)), Ok(price("5000000000000000.00 PLN")));
        assert_eq!(price("0.10 PLN").percent(Decimal::new(5, 0)), Ok(price("0.01 PLN")));
        for factor in [f64::NAN, f64::INFINITY, 1e300, -1.0] {
            assert_eq!(price("0.01 PLN") * factor, Err(PriceError::OutOfRange), "{factor}");
        }
        assert_eq!(price("0.02 PLN") * Decimal::MAX, Err(PriceError::OutOfRange));
    }

    #[test]
    fn a_result_that_is_not_a_price_is_an_error() {
        let most = Price::new(MAX_MINOR, Currency::parse("PLN").unwrap());
        assert_eq!(most + price("0.01 PLN"), Err(PriceError::OutOfRange));
        assert_eq!(most * i64::MAX, Err(PriceError::OutOfRange));
        assert_eq!(price("0.01 PLN") - price("0.02 PLN"), Err(PriceError::OutOfRange));
        assert_eq!(Price::of(Decimal::new(1230, 3), most.currency()), Ok(price("1.23 PLN")));
        assert_eq!(
            Price::of(Decimal::new(1235, 3), most.currency()).unwrap_err().to_string(),
            "1.235 has more than two digits after the decimal point"
        );
        assert_eq!(Price::of(Decimal::MAX, most.currency()), Err(PriceError::OutOfRange));
        assert_eq!(price(&most.to_string()), most);
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
