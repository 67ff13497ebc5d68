//! The functions of SQL that every connection has: SQLite does not keep them.

use restwell_model::case_folding::{FOLD_CASE, fold_case};
use restwell_model::condition::sql::{
    SQL_DURATION, SQL_EQUAL, SQL_EXACT, SQL_LENGTH, SQL_NUMBER, SQL_ORDER, SQL_PRICE, SQL_SHIFT, SQL_TEXT, SQL_UNITS,
};
use restwell_model::condition::{
    PriceOperand, add, decimal_order, duration_of_days, duration_of_seconds, item_units, length, multiply,
    number_result, price_result, shift_date, shift_date_by, shift_timestamp, shift_timestamp_by, subtract,
};
use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use std::cmp::Ordering;

/// Defines what indexes are on, migrations compute with, and conditions call.
///
/// # Errors
///
/// A statement is running.
pub fn define_functions(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function(FOLD_CASE, 1, flags, |arguments| {
        Ok(arguments.get_raw(0).as_str_or_null()?.map(fold_case))
    })?;
    connection.create_scalar_function(SQL_EXACT, 6, flags, |arguments| {
        let (Some(one), Some(other)) = (integer(arguments, 1)?, integer(arguments, 3)?) else { return Ok(None) };
        let (one, other) = ((one, arguments.get(2)?), (other, arguments.get(4)?));
        let is_decimal = arguments.get(5)?;
        Ok(match arguments.get_raw(0).as_str()? {
            "+" => add(one, other, is_decimal),
            "-" => subtract(one, other, is_decimal),
            _ => multiply(one.0, other.0, is_decimal),
        })
    })?;
    connection.create_scalar_function(SQL_ORDER, 4, flags, |arguments| {
        let (Some(one), Some(other)) = (integer(arguments, 0)?, integer(arguments, 2)?) else { return Ok(None) };
        Ok(decimal_order((one, arguments.get(1)?), (other, arguments.get(3)?)).map(|order| order as i64))
    })?;
    connection.create_scalar_function(SQL_EQUAL, 4, flags, |arguments| {
        Ok(match (integer(arguments, 0)?, integer(arguments, 2)?) {
            (Some(one), Some(other)) => {
                decimal_order((one, arguments.get(1)?), (other, arguments.get(3)?)) == Some(Ordering::Equal)
            }
            (one, other) => one == other,
        })
    })?;
    connection.create_scalar_function(SQL_PRICE, 4, flags, |arguments| {
        let Some(price) = arguments.get_raw(1).as_str_or_null()? else { return Ok(None) };
        let symbol = arguments.get_raw(0).as_str()?;
        Ok(match arguments.get_raw(2) {
            ValueRef::Null => None,
            ValueRef::Integer(units) => price_result(symbol, price, PriceOperand::Exact(units, arguments.get(3)?)),
            ValueRef::Real(factor) => price_result(symbol, price, PriceOperand::Double(factor)),
            other => price_result(symbol, price, PriceOperand::Price(other.as_str()?)),
        })
    })?;
    connection.create_scalar_function(SQL_NUMBER, 3, flags, |arguments| {
        let (one, other): (Option<f64>, Option<f64>) = (arguments.get(1)?, arguments.get(2)?);
        let (Some(one), Some(other)) = (one, other) else { return Ok(None) };
        Ok(number_result(arguments.get_raw(0).as_str()?, one, other))
    })?;
    connection.create_scalar_function(SQL_SHIFT, 4, flags, |arguments| {
        let (is_date, is_earlier) = (arguments.get_raw(0).as_str()? == "date", arguments.get(3)?);
        let Some(start) = integer(arguments, 1)? else { return Ok(None) };
        Ok(match (arguments.get_raw(2), is_date) {
            (ValueRef::Null, _) => None,
            (ValueRef::Integer(length), true) => shift_date_by(start, length, is_earlier),
            (ValueRef::Integer(length), false) => shift_timestamp_by(start, length, is_earlier),
            (duration, true) => shift_date(start, duration.as_str()?, is_earlier),
            (duration, false) => shift_timestamp(start, duration.as_str()?, is_earlier),
        })
    })?;
    connection.create_scalar_function(SQL_LENGTH, 1, flags, |arguments| {
        Ok(arguments.get_raw(0).as_str_or_null()?.and_then(length))
    })?;
    connection.create_scalar_function(SQL_DURATION, 2, flags, |arguments| {
        let of_length = if arguments.get(1)? { duration_of_days } else { duration_of_seconds };
        Ok(integer(arguments, 0)?.and_then(of_length))
    })?;
    connection.create_scalar_function(SQL_UNITS, 2, flags, |arguments| {
        let text = arguments.get_raw(0).as_str_or_null()?;
        Ok(text.zip(arguments.get_raw(1).as_str_or_null()?).and_then(|(text, form)| item_units(text, form)))
    })?;
    connection.create_scalar_function(SQL_TEXT, 3, flags, |arguments| {
        let (one, other) = (arguments.get_raw(1).as_str_or_null()?, arguments.get_raw(2).as_str_or_null()?);
        let (Some(text), Some(part)) = (one, other) else { return Ok(None) };
        Ok(Some(match arguments.get_raw(0).as_str()? {
            "starts" => text.starts_with(part),
            "ends" => text.ends_with(part),
            _ => text.contains(part),
        }))
    })
}

fn integer(arguments: &Context<'_>, index: usize) -> rusqlite::Result<Option<i64>> {
    arguments.get(index)
}
