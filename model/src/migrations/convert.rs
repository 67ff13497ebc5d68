//! Converts stored values to the new type of their column.

use crate::check::Kind;
use crate::field::Type;
use crate::scalar::{MILLIS_A_DAY, decimal};
use crate::tables::Dialect;

/// How stored values become those of the new type.
pub(super) enum Conversion {
    /// The values stay the same.
    Same,
    /// Each value is computed from a column.
    Computed {
        /// The new value.
        sql: String,
        /// A condition that no row may satisfy, and the error if a row does.
        wrong: Option<(String, &'static str)>,
    },
    /// The values are dropped.
    Dropped,
}

/// The conversion of the values in a column (its quoted name) to another type. A type change that
/// [`changes`](crate::changes) reports as replaced drops the values.
pub(super) fn conversion(old: Kind<'_>, new: Kind<'_>, column: &str, dialect: Dialect) -> Conversion {
    use Type::{Date, Decimal, Integer, Ref, String, Timestamp, Uuid};
    let (old, new) = match (old, new) {
        (Kind::Scalar(old), Kind::Scalar(new)) => (old, new),
        (Kind::Enum(_), Kind::Enum(_) | Kind::Scalar(String { .. })) | (Kind::Scalar(String { .. }), Kind::Enum(_)) => {
            return Conversion::Same;
        }
        _ => return Conversion::Dropped,
    };
    let computed = |sql, wrong| Conversion::Computed { sql, wrong };
    match (old, new) {
        (Ref { .. }, Uuid) | (Uuid, Ref { .. }) => Conversion::Same,
        (text, String { .. }) | (String { .. }, text) if text.is_checked_text() => Conversion::Same,
        (Uuid, String { .. }) => computed(uuid_as_text(column, dialect), None),
        (Integer { .. }, Decimal { scale, .. }) => finer(column, *scale),
        (Decimal { scale: before, .. }, Decimal { scale, .. }) if scale > before => finer(column, scale - before),
        (Decimal { scale: before, .. }, Decimal { scale, .. }) if scale < before => {
            computed(format!("{column} / {}", power(before - scale)), None)
        }
        (Date { .. }, Timestamp { .. }) => computed(format!("{column} * {MILLIS_A_DAY}"), None),
        (old, new) if std::mem::discriminant(old) == std::mem::discriminant(new) => Conversion::Same,
        _ => Conversion::Dropped,
    }
}

/// More digits after the point, of which there may not be too many in all.
fn finer(column: &str, digits: u32) -> Conversion {
    let limit = power(decimal::MAX_DIGITS.saturating_sub(digits));
    let wrong = format!("{column} <= -{limit} OR {column} >= {limit}");
    let sql = format!("{column} * {}", power(digits));
    Conversion::Computed { sql, wrong: Some((wrong, "stored numbers do not fit into the new type")) }
}

fn power(digits: u32) -> i64 {
    10_i64.saturating_pow(digits)
}

/// The id of a row as text, in the form that a `uuid` is rendered in.
fn uuid_as_text(column: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Postgres => format!("{column}::text"),
        Dialect::Sqlite => {
            let part = |from: usize, length: usize| format!("substr(hex({column}), {from}, {length})");
            let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map(|(from, length)| part(from, length));
            // of nothing, `hex` makes an empty text
            format!("CASE WHEN {column} IS NOT NULL THEN lower({}) END", parts.join(" || '-' || "))
        }
    }
}
