//! `in` in SQL.

use super::comparison::aligned;
use super::{Item, SqlWriter};
use crate::condition::typed::{FieldBase, FieldPath, Node, Nulls, StaticType, Typed};
use crate::value::Value;

impl SqlWriter<'_> {
    pub(super) fn is_in(&mut self, one: &Typed, list: &Typed, nulls: Nulls, is_exact: bool) -> Option<()> {
        let values: Vec<Typed> = match (&list.node, &list.ty) {
            (Node::List(items), _) => items.clone(),
            (Node::Constant(Value::List(items)), StaticType::List(ty)) => {
                items.iter().map(|item| Typed::constant((**ty).clone(), item.clone())).collect()
            }
            (Node::Field(..) | Node::Follow(..), StaticType::List(ty)) => return self.is_item_of(one, list, ty, nulls),
            _ => return None,
        };
        let is_null = |value: &Typed| value.value().is_some_and(Value::is_null);
        let (null, values): (Vec<_>, Vec<_>) = values.into_iter().partition(is_null);
        let has_null = !null.is_empty() && nulls == Nulls::Equal;
        let values: Vec<_> = values.iter().map(|value| aligned(value, one)).collect();
        if one.ty != StaticType::Price && values.iter().all(|value| value.value().is_some() && is_alike(value, one)) {
            return self.is_constant(one, &values, has_null, is_exact);
        }
        let values: Vec<_> = null.into_iter().take(usize::from(has_null)).chain(values).collect();
        if matches!(&one.node, Node::Field(..) | Node::Constant(_)) {
            return self.is_one_of(one, &values, nulls, is_exact);
        }
        let alias = self.alias("n");
        let distinct = if self.is_sqlite() { "DISTINCT " } else { "" };
        self.push("(SELECT ");
        // no value has a variable of its own: those around it keep their numbers
        self.items.push(Item::Column(format!("{alias}.x")));
        let column = Node::Field(FieldBase::Item(self.items.len() - 1), FieldPath::default());
        self.is_one_of(&Typed::new(one.ty.clone(), column), &values, nulls, is_exact)?;
        self.items.pop();
        self.push(&format!(" FROM (SELECT {distinct}"));
        match one.ty {
            StaticType::Price => self.price_text(one)?,
            _ => self.scalar(one)?,
        }
        self.push(&format!(" AS x{}) {alias})", self.fence()));
        Some(())
    }

    /// Whether it is an item of an array.
    fn is_item_of(&mut self, one: &Typed, list: &Typed, ty: &StaticType, nulls: Nulls) -> Option<()> {
        self.push("EXISTS (SELECT 1 FROM ");
        let alias = self.items(list)?;
        self.items.push(Item::Json(alias));
        let item = Node::Field(FieldBase::Item(self.items.len() - 1), FieldPath::default());
        self.push(" WHERE ");
        self.equality((one, &Typed::new(ty.clone(), item)), nulls, false)?;
        self.items.pop();
        self.push(")");
        Some(())
    }

    /// Whether it is one of some values that are known, or null.
    fn is_constant(&mut self, one: &Typed, values: &[Typed], or_null: bool, is_exact: bool) -> Option<()> {
        if values.is_empty() {
            return match or_null {
                true => self.equality((one, &Typed::null(one.ty.clone())), Nulls::Equal, is_exact),
                false => {
                    self.flag(false);
                    Some(())
                }
            };
        }
        self.push(if or_null || is_exact { "COALESCE((" } else { "((" });
        self.scalar(one)?;
        self.push(" IN (");
        for (index, value) in values.iter().enumerate() {
            self.push(if index > 0 { ", " } else { "" });
            self.scalar(value)?;
        }
        self.push("))");
        if or_null || is_exact {
            self.push(", ");
            self.flag(or_null);
        }
        self.push(")");
        Some(())
    }

    /// Whether it equals one of some values.
    fn is_one_of(&mut self, one: &Typed, values: &[Typed], nulls: Nulls, is_exact: bool) -> Option<()> {
        self.push("(");
        for (index, value) in values.iter().enumerate() {
            self.push(if index > 0 { " OR " } else { "" });
            self.equality((one, value), nulls, is_exact)?;
        }
        self.push(")");
        Some(())
    }
}

/// Whether a value is stored as those that it is compared with: of the same scale, and both doubles or neither.
fn is_alike(value: &Typed, one: &Typed) -> bool {
    let is_number = |typed: &Typed| typed.ty == StaticType::Number;
    value.ty.scale() == one.ty.scale() && is_number(value) == is_number(one)
}
