//! `==`, `<` in SQL, where null is a value like others.

use super::{SQL_EQUAL, SQL_ORDER, SqlWriter};
use crate::condition::arithmetic::{BEYOND_INTEGERS, exact_double};
use crate::condition::expr::Operator;
use crate::condition::typed::{Node, Nulls, PricePart, StaticType, Typed};
use crate::value::Value;

impl SqlWriter<'_> {
    pub(super) fn compare(
        &mut self,
        operator: Operator,
        (one, other): (&Typed, &Typed),
        nulls: Nulls,
        is_exact: bool,
    ) -> Option<()> {
        match operator {
            Operator::Equal => self.equality((one, other), nulls, is_exact),
            Operator::NotEqual => self.inequality((one, other), nulls),
            _ => self.maybe_null(is_exact, |writer| writer.operands(operator.symbol(), one, other)),
        }
    }

    fn inequality(&mut self, (one, other): (&Typed, &Typed), nulls: Nulls) -> Option<()> {
        let is_value = |typed: &Typed| typed.value().is_some_and(|value| !value.is_null());
        if nulls == Nulls::Equal && one.ty != StaticType::Price {
            match (one.value(), other.value()) {
                (Some(Value::Null), _) => return self.null_test(other, false),
                (_, Some(Value::Null)) => return self.null_test(one, false),
                _ => {}
            }
        }
        let is_safe = nulls == Nulls::Equal || is_value(one) || is_value(other);
        if is_safe && one.ty != StaticType::Price && other.ty != StaticType::Price {
            return self.operands(if self.is_sqlite() { "IS NOT" } else { "IS DISTINCT FROM" }, one, other);
        }
        self.push("(NOT ");
        self.equality((one, other), nulls, true)?;
        self.push(")");
        Some(())
    }

    /// `==`. Where it need not be exact, it may be null instead of false.
    pub(super) fn equality(&mut self, (one, other): (&Typed, &Typed), nulls: Nulls, is_exact: bool) -> Option<()> {
        let is_null = |typed: &Typed| typed.value() == Some(&Value::Null);
        if is_null(one) || is_null(other) {
            return match nulls {
                Nulls::Equal => self.null_test(if is_null(one) { other } else { one }, true),
                Nulls::Unequal => {
                    self.flag(false);
                    Some(())
                }
            };
        }
        // a value that is not null equals no null: an index serves that
        let has_value = one.value().is_some() || other.value().is_some();
        let is_safe = nulls == Nulls::Equal && !has_value;
        if one.ty == StaticType::Price && other.ty == StaticType::Price {
            return self.equal_prices((one, other), nulls, is_exact);
        }
        match (is_safe, self.is_sqlite()) {
            (true, true) => self.operands("IS", one, other),
            (true, false) => self.operands("IS NOT DISTINCT FROM", one, other),
            (false, _) => self.maybe_null(is_exact, |writer| writer.operands("=", one, other)),
        }
    }

    /// Whether a value is null, or whether it is not.
    fn null_test(&mut self, tested: &Typed, is_null: bool) -> Option<()> {
        match &tested.node {
            Node::Constant(value) => {
                self.flag(value.is_null() == is_null);
                return Some(());
            }
            Node::Choose(condition, yes, no) => {
                return self.choice(condition, [yes, no], |writer, part| writer.null_test(part, is_null));
            }
            _ => self.push("("),
        }
        match tested.ty {
            StaticType::Price if self.is_price_text(tested) => self.price_text(tested)?,
            StaticType::Price => self.price(PricePart::Amount, tested)?,
            _ => self.scalar(tested)?,
        }
        self.push(if is_null { " IS NULL)" } else { " IS NOT NULL)" });
        Some(())
    }

    fn equal_prices(&mut self, (one, other): (&Typed, &Typed), nulls: Nulls, is_exact: bool) -> Option<()> {
        if self.is_price_text(one) || self.is_price_text(other) {
            let operator = match (nulls, self.is_sqlite()) {
                (Nulls::Unequal, _) => "=",
                (Nulls::Equal, true) => "IS",
                (Nulls::Equal, false) => "IS NOT DISTINCT FROM",
            };
            return self.maybe_null(is_exact && nulls == Nulls::Unequal, |writer| {
                writer.push("(");
                writer.price_text(one)?;
                writer.push(&format!(" {operator} "));
                writer.price_text(other)?;
                writer.push(")");
                Some(())
            });
        }
        let part = |part, price: &Typed| {
            let ty = if part == PricePart::Amount { StaticType::Integer } else { StaticType::Text };
            Typed::new(ty, Node::Part(part, price.clone().into()))
        };
        self.push("(");
        self.equality((&part(PricePart::Amount, one), &part(PricePart::Amount, other)), nulls, is_exact)?;
        self.push(" AND ");
        self.equality((&part(PricePart::Currency, one), &part(PricePart::Currency, other)), nulls, is_exact)?;
        self.push(")");
        Some(())
    }

    /// Two values that can be compared as they are, in the same scale and type.
    fn operands(&mut self, operator: &str, one: &Typed, other: &Typed) -> Option<()> {
        let (one, other) = (&aligned(one, other), &aligned(other, one));
        let is_number = [&one.ty, &other.ty].contains(&&StaticType::Number);
        self.push("(");
        match (&one.ty, &other.ty) {
            (a, b) if a.is_exact() && b.is_exact() && a.scale() != b.scale() => self.scales(operator, one, other)?,
            (a, b) if is_number && a != b && !self.is_sqlite() => {
                self.among_integers(one)?;
                self.push(&format!(" {operator} "));
                self.among_integers(other)?;
            }
            (StaticType::Text | StaticType::Enum(_) | StaticType::Duration, _)
                if !self.is_sqlite() && operator.starts_with(['<', '>']) =>
            {
                self.write(&format!("({{}} COLLATE \"C\") {operator} {{}}"), &[one, other])?;
            }
            _ => self.write(&format!("{{}} {operator} {{}}"), &[one, other])?,
        }
        self.push(")");
        Some(())
    }

    /// Exact numbers of different scales.
    fn scales(&mut self, operator: &str, one: &Typed, other: &Typed) -> Option<()> {
        let scales = (one.ty.scale(), other.ty.scale());
        if self.is_sqlite() {
            let (function, test) = match operator {
                "IS" => (SQL_EQUAL, String::new()),
                "IS NOT" => (SQL_EQUAL, " = 0".to_owned()),
                _ => (SQL_ORDER, format!(" {operator} 0")),
            };
            return self.write(&format!("\"{function}\"({{}}, {}, {{}}, {}){test}", scales.0, scales.1), &[one, other]);
        }
        let finer = scales.0.max(scales.1) as usize;
        let numeric = |scale: u32| match finer - scale as usize {
            0 => "CAST({} AS numeric)".to_owned(),
            digits => format!("CAST({{}} AS numeric) * 1{}", "0".repeat(digits)),
        };
        self.write(&format!("{} {operator} {}", numeric(scales.0), numeric(scales.1)), &[one, other])
    }

    /// A number on PostgreSQL, where it stands among whole numbers of 64 bits: its doubles and `numeric` do not convert
    /// exactly. One that lies between two whole numbers becomes the middle between them.
    fn among_integers(&mut self, number: &Typed) -> Option<()> {
        match (number.value(), &number.ty) {
            (Some(Value::Float(double)), StaticType::Number) => {
                let place = match double {
                    _ if *double >= BEYOND_INTEGERS => "9223372036854775809".to_owned(),
                    _ if *double < -BEYOND_INTEGERS => "-9223372036854775809".to_owned(),
                    _ if double.fract() == 0.0 => (*double as i64).to_string(),
                    _ => format!("{}::numeric + 0.5", double.floor() as i64),
                };
                self.push(&format!("({place})"));
                Some(())
            }
            (_, StaticType::Number) => {
                let alias = self.alias("n");
                let what = format!(
                    "CASE WHEN {alias}.f >= 9223372036854775808 THEN 9223372036854775809 \
                     WHEN {alias}.f < -9223372036854775808 THEN -9223372036854775809 \
                     ELSE CAST(CAST(floor({alias}.f) AS bigint) AS numeric) \
                     + CASE WHEN floor({alias}.f) < {alias}.f THEN 0.5 ELSE 0 END END"
                );
                self.fenced(&what, &[("f", "CAST({} AS double precision)", number)], &alias)
            }
            _ => self.write("CAST({} AS numeric)", &[number]),
        }
    }
}

/// A constant in the scale of what it is compared with, where it has one there.
pub(super) fn aligned(typed: &Typed, with: &Typed) -> Typed {
    let (scale, wanted) = (typed.ty.scale(), with.ty.scale());
    match typed.value() {
        Some(Value::Int(units)) if typed.ty.is_exact() && with.ty.is_exact() && scale < wanted => {
            match 10_i64.checked_pow(wanted - scale).and_then(|by| units.checked_mul(by)) {
                Some(units) => Typed::constant(with.ty.clone(), Value::Int(units)),
                None => typed.clone(),
            }
        }
        // one that is a double, beside doubles: an index of their column serves it
        Some(Value::Int(number)) if typed.ty == StaticType::Integer && with.ty == StaticType::Number => {
            exact_double(*number)
                .map_or_else(|| typed.clone(), |double| Typed::constant(StaticType::Number, Value::Float(double)))
        }
        _ => typed.clone(),
    }
}
