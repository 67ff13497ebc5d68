//! `==`, `<`, `in` in SQL, where null is a value like others.

use super::{SQL_ORDER, SqlWriter};
use crate::condition::expr::Operator;
use crate::condition::typed::{FieldBase, FieldPath, Node, PricePart, StaticType, Typed};
use crate::value::Value;

impl SqlWriter<'_> {
    pub(super) fn compare(&mut self, operator: Operator, one: &Typed, other: &Typed, is_exact: bool) -> Option<()> {
        let is_equality = matches!(operator, Operator::Equal | Operator::NotEqual);
        if is_equality {
            return self.equality(operator == Operator::Equal, one, other, is_exact);
        }
        self.maybe_null(is_exact, |writer| writer.operands(operator.symbol(), one, other))
    }

    fn equality(&mut self, is_equal: bool, one: &Typed, other: &Typed, is_exact: bool) -> Option<()> {
        let is_null = |typed: &Typed| typed.value() == Some(&Value::Null);
        if is_null(one) || is_null(other) {
            let tested = if is_null(one) { other } else { one };
            if let Node::Constant(value) = &tested.node {
                self.flag(value.is_null() == is_equal);
                return Some(());
            }
            self.push("(");
            match tested.ty {
                StaticType::Price => self.price(PricePart::Amount, tested)?,
                _ => self.scalar(tested)?,
            }
            self.push(if is_equal { " IS NULL)" } else { " IS NOT NULL)" });
            return Some(());
        }
        if one.ty == StaticType::Price && other.ty == StaticType::Price {
            let part = |part, price: &Typed| {
                let ty = if part == PricePart::Amount { StaticType::Integer } else { StaticType::Text };
                Typed::new(ty, Node::Part(part, price.clone().into()))
            };
            self.push(if is_equal { "((" } else { "(NOT (" });
            self.equality(true, &part(PricePart::Amount, one), &part(PricePart::Amount, other), true)?;
            self.push(" AND ");
            self.equality(true, &part(PricePart::Currency, one), &part(PricePart::Currency, other), true)?;
            self.push("))");
            return Some(());
        }
        // a value that is not null equals no null: an index serves that
        let has_value = [one, other].into_iter().any(|typed| matches!(&typed.node, Node::Constant(_)));
        let operator = match (is_equal, self.is_sqlite()) {
            (true, _) if has_value && !is_exact => "=",
            (true, true) => "IS",
            (false, true) => "IS NOT",
            (true, false) => "IS NOT DISTINCT FROM",
            (false, false) => "IS DISTINCT FROM",
        };
        self.operands(operator, one, other)
    }

    /// Two values that can be compared as they are, in the same scale and type.
    fn operands(&mut self, operator: &str, one: &Typed, other: &Typed) -> Option<()> {
        let (one, other) = (aligned(one, other), aligned(other, one));
        self.push("(");
        let scales = (one.ty.scale(), other.ty.scale());
        match (&one.ty, &other.ty) {
            (a, b) if a.is_exact() && b.is_exact() && scales.0 != scales.1 => match self.is_sqlite() {
                true => {
                    let pattern = format!("\"{SQL_ORDER}\"({{}}, {}, {{}}, {})", scales.0, scales.1);
                    self.write(&pattern, &[&one, &other])?;
                    // null where one of them is: two nulls are equal
                    match operator {
                        "IS" | "IS NOT" => {
                            let (nulls, zero) = if operator == "IS" { ("IS", "IS 0") } else { ("IS NOT", "IS NOT 0") };
                            self.push(&format!(" {zero}"));
                            self.both_null(nulls, &one, &other)?;
                        }
                        _ => self.push(&format!(" {operator} 0")),
                    }
                }
                false => {
                    let finer = scales.0.max(scales.1) as usize;
                    let factor = |scale: u32| format!("1{}", "0".repeat(finer - scale as usize));
                    let numeric = |scale| format!("CAST({{}} AS numeric) * {}", factor(scale));
                    let pattern = format!("{} {operator} {}", numeric(scales.0), numeric(scales.1));
                    self.write(&pattern, &[&one, &other])?;
                }
            },
            (StaticType::Number, b) | (b, StaticType::Number) if *b == StaticType::Integer => {
                let real = if self.is_sqlite() { "CAST({} AS REAL)" } else { "CAST({} AS double precision)" };
                self.write(&format!("{real} {operator} {real}"), &[&one, &other])?;
            }
            (StaticType::Text | StaticType::Enum(_) | StaticType::Duration, _)
                if !self.is_sqlite() && operator.starts_with(['<', '>']) =>
            {
                self.write(&format!("({{}} COLLATE \"C\") {operator} {{}}"), &[&one, &other])?;
            }
            _ => self.write(&format!("{{}} {operator} {{}}"), &[&one, &other])?,
        }
        self.push(")");
        Some(())
    }

    /// Beside a comparison whose result is null where a value is.
    fn both_null(&mut self, operator: &str, one: &Typed, other: &Typed) -> Option<()> {
        match operator {
            "IS" => self.write(" OR ({} IS NULL AND {} IS NULL)", &[one, other]),
            _ => self.write(" AND NOT ({} IS NULL AND {} IS NULL)", &[one, other]),
        }
    }

    pub(super) fn is_in(&mut self, one: &Typed, list: &Typed, is_exact: bool) -> Option<()> {
        let values: Vec<Typed> = match (&list.node, &list.ty) {
            (Node::List(items), _) => items.clone(),
            (Node::Constant(Value::List(items)), StaticType::List(ty)) => {
                items.iter().map(|item| Typed::constant((**ty).clone(), item.clone())).collect()
            }
            (Node::Field(..) | Node::Follow(..), StaticType::List(ty)) => {
                self.push("EXISTS (SELECT 1 FROM ");
                let alias = self.items(list)?;
                self.items.push(alias);
                let item = Node::Field(FieldBase::Item(self.items.len() - 1), FieldPath::default());
                let item = Typed::new((**ty).clone(), item);
                self.push(" WHERE ");
                self.equality(true, one, &item, false)?;
                self.items.pop();
                self.push(")");
                return Some(());
            }
            _ => return None,
        };
        if values.is_empty() {
            self.flag(false);
            return Some(());
        }
        let is_plain = |value: &Typed| {
            value.value().is_some_and(|found| !found.is_null()) && aligned(value, one).ty.scale() == one.ty.scale()
        };
        if one.ty != StaticType::Price && one.ty != StaticType::Number && values.iter().all(is_plain) {
            return self.maybe_null(is_exact, |writer| {
                writer.push("(");
                writer.scalar(one)?;
                writer.push(" IN (");
                for (index, value) in values.iter().enumerate() {
                    writer.push(if index > 0 { ", " } else { "" });
                    writer.scalar(&aligned(value, one))?;
                }
                writer.push("))");
                Some(())
            });
        }
        self.push("(");
        for (index, value) in values.iter().enumerate() {
            self.push(if index > 0 { " OR " } else { "" });
            self.equality(true, one, value, is_exact)?;
        }
        self.push(")");
        Some(())
    }
}

/// A constant in the scale of what it is compared with, where it has one there.
fn aligned(typed: &Typed, with: &Typed) -> Typed {
    let (scale, wanted) = (typed.ty.scale(), with.ty.scale());
    match typed.value() {
        Some(Value::Int(units)) if typed.ty.is_exact() && with.ty.is_exact() && scale < wanted => {
            match 10_i64.checked_pow(wanted - scale).and_then(|by| units.checked_mul(by)) {
                Some(units) => Typed::constant(with.ty.clone(), Value::Int(units)),
                None => typed.clone(),
            }
        }
        _ => typed.clone(),
    }
}
