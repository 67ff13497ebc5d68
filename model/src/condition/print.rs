//! The canonical text of an expression: what [`parse`](super::parse) reads back as the same expression.

use super::expr::{Expr, ExprKind};
use crate::scalar::decimal;
use std::fmt::{self, Write};

/// Levels beside those of operators: of `c ? x : y`, of a prefix, and of a receiver.
const CHOICE: u8 = 0;
const PREFIX: u8 = 6;
const RECEIVER: u8 = 7;

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(self, CHOICE, f)
    }
}

/// Prints a part that stands where parts of at least this level can.
fn print(expr: &Expr, least: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if level(&expr.kind) < least {
        f.write_char('(')?;
        bare(expr, f)?;
        return f.write_char(')');
    }
    bare(expr, f)
}

fn level(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Choose(..) => CHOICE,
        ExprKind::Binary(operator, ..) => operator.level(),
        ExprKind::Not(_) | ExprKind::Negate(_) => PREFIX,
        ExprKind::Integer(number) if *number < 0 => PREFIX,
        ExprKind::Decimal { units, .. } if *units < 0 => PREFIX,
        _ => RECEIVER,
    }
}

fn bare(expr: &Expr, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match &expr.kind {
        ExprKind::Null => f.write_str("null"),
        ExprKind::Boolean(flag) => write!(f, "{flag}"),
        ExprKind::Integer(number) => write!(f, "{number}"),
        ExprKind::Decimal { units, scale } => {
            let mut text = Vec::new();
            decimal::write(*units, *scale, &mut text);
            f.write_str(&String::from_utf8_lossy(&text))
        }
        ExprKind::Text(text) => quote(text, f),
        ExprKind::List(items) => {
            f.write_char('[')?;
            list(items, f)?;
            f.write_char(']')
        }
        ExprKind::Name(name) => f.write_str(name),
        ExprKind::Member(receiver, name) => {
            print(receiver, RECEIVER, f)?;
            write!(f, ".{name}")
        }
        ExprKind::Call { receiver, function, arguments, .. } => {
            if let Some(receiver) = receiver {
                print(receiver, RECEIVER, f)?;
                f.write_char('.')?;
            }
            write!(f, "{function}(")?;
            list(arguments, f)?;
            f.write_char(')')
        }
        ExprKind::Not(inner) => {
            f.write_char('!')?;
            print(inner, PREFIX, f)
        }
        ExprKind::Negate(inner) => {
            f.write_char('-')?;
            // a minus before a number is part of the number
            let is_number = matches!(inner.kind, ExprKind::Integer(0..) | ExprKind::Decimal { units: 0.., .. });
            print(inner, if is_number { RECEIVER + 1 } else { PREFIX }, f)
        }
        ExprKind::Binary(operator, left, right) => {
            print(left, operator.level(), f)?;
            write!(f, " {} ", operator.symbol())?;
            print(right, operator.level() + 1, f)
        }
        ExprKind::Choose(condition, yes, no) => {
            print(condition, CHOICE + 1, f)?;
            f.write_str(" ? ")?;
            print(yes, CHOICE, f)?;
            f.write_str(" : ")?;
            print(no, CHOICE, f)
        }
    }
}

fn list(items: &[Expr], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        print(item, CHOICE, f)?;
    }
    Ok(())
}

fn quote(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            c if c.is_control() => write!(f, "\\u{:04x}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}
