//! Where a field's value is: in columns of the entity's row, in the row that a reference points at, in an item of an
//! array.

use super::{Item, SQL_UNITS, SqlWriter, is_item, postgres_type};
use crate::condition::typed::{FieldBase, FieldPath, Node, PricePart, StaticType, Typed};
use crate::names::COMMON_FIELDS;
use crate::tables::{Content, Slot, Table};
use crate::value::Value;

/// What is wanted of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Its value; of an object, whether it is there.
    Value,
    /// A part of a price.
    Part(PricePart),
}

impl SqlWriter<'_> {
    /// A stored value: of a list, its JSON.
    pub(super) fn stored(&mut self, typed: &Typed, wanted: Wanted) -> Option<()> {
        if let Some((variable, path)) = is_item(typed) {
            return self.item(&typed.ty, variable, path, wanted);
        }
        let is_json = matches!(typed.ty, StaticType::List(_)) && !self.is_sqlite();
        if is_json {
            self.push("CAST(");
        }
        let joined = self.of_joined(typed, wanted);
        match &typed.node {
            _ if joined.is_some() => self.push(&joined?),
            Node::Field(base @ (FieldBase::This | FieldBase::Outer), path) => {
                let outside = usize::from(*base == FieldBase::Outer);
                let (table, alias) = self.entities.iter().rev().nth(outside)?.clone();
                let column = column(table, &alias, path, wanted)?;
                self.push(&column);
            }
            Node::Follow(reference, resource, path) => {
                let table = self.target.tables.get(resource)?;
                let alias = self.alias("f");
                let column = column(table, &alias, path, wanted)?;
                self.push(&format!("(SELECT {column} FROM \"{}\" {alias} WHERE {alias}.\"id\" = ", table.name));
                self.scalar(reference)?;
                self.push(")");
            }
            _ => return None,
        }
        if is_json {
            self.push(" AS jsonb)");
        }
        Some(())
    }

    /// A value inside an item of an array, in the form that a column would have.
    fn item(&mut self, ty: &StaticType, variable: usize, path: &FieldPath, wanted: Wanted) -> Option<()> {
        let alias = match self.items.get(variable)? {
            Item::Json(alias) => alias.clone(),
            Item::Column(column) => {
                let column = column.clone();
                self.push(&column);
                return Some(());
            }
        };
        let mut names: Vec<&str> = path.names.iter().map(String::as_str).collect();
        match (ty, wanted) {
            (StaticType::Reference(_), _) => names.push("id"),
            (_, Wanted::Part(PricePart::Currency)) => names.push("currency"),
            (StaticType::Price, _) | (_, Wanted::Part(PricePart::Amount)) => names.push("amount"),
            _ => {}
        }
        let is_sqlite = self.is_sqlite();
        // names are letters and digits
        let arrow = if matches!(ty, StaticType::List(_) | StaticType::Object(_)) { "->" } else { "->>" };
        let value = match (is_sqlite, names.is_empty()) {
            (true, true) => format!("{alias}.value"),
            (true, false) => format!("({alias}.value {arrow} '$.{}')", names.join(".")),
            (false, _) => {
                let arrow = if arrow == "->" { "#>" } else { "#>>" };
                format!("({alias}.value {arrow} '{{{}}}')", names.join(","))
            }
        };
        let is_amount =
            wanted == Wanted::Part(PricePart::Amount) || (*ty == StaticType::Price && wanted == Wanted::Value);
        let scale = match ty {
            _ if is_amount => Some(2),
            StaticType::Decimal(scale) => Some(*scale),
            _ => None,
        };
        let text = match (is_sqlite, ty) {
            _ if wanted == Wanted::Part(PricePart::Currency) => value,
            (true, _) if scale.is_some() => format!("\"{SQL_UNITS}\"({value}, '{}')", scale.unwrap_or_default()),
            (false, _) if scale.is_some() => {
                let factor = format!("1{}", "0".repeat(scale.unwrap_or_default() as usize));
                format!("CAST(CAST({value} AS numeric) * {factor} AS bigint)")
            }
            (true, StaticType::Timestamp) => format!("\"{SQL_UNITS}\"({value}, 'timestamp')"),
            (true, StaticType::Date) => format!("\"{SQL_UNITS}\"({value}, 'date')"),
            (true, StaticType::Time) => format!("\"{SQL_UNITS}\"({value}, 'time')"),
            (true, StaticType::Number) => format!("CAST({value} AS REAL)"),
            (true, StaticType::Uuid | StaticType::Reference(_)) => format!("unhex(replace({value}, '-', ''))"),
            (true, StaticType::Object(_)) => format!("nullif({value}, 'null')"),
            (true, _) => value,
            (false, StaticType::Timestamp) => {
                format!("CAST(extract(epoch FROM CAST(replace({value}, 'Z', '') AS timestamp)) * 1000 AS bigint)")
            }
            (false, StaticType::Date) => format!("CAST(CAST({value} AS date) - DATE '1970-01-01' AS bigint)"),
            (false, StaticType::Time) => format!("CAST(extract(epoch FROM CAST({value} AS time)) * 1000 AS bigint)"),
            (false, StaticType::Object(_)) => format!("nullif({value}, 'null')"),
            (false, StaticType::List(_)) => value,
            (false, ty) => format!("CAST({value} AS {})", postgres_type(ty)),
        };
        self.push(&text);
        Some(())
    }
}

/// A column of a field, written with its alias.
pub(super) fn column(table: &Table, alias: &str, path: &FieldPath, wanted: Wanted) -> Option<String> {
    let at = |column: usize| format!("{alias}.\"{}\"", table.columns[column].name);
    if path.indexes.is_empty() {
        return COMMON_FIELDS.iter().position(|name| path.names == [*name]).map(at);
    }
    let (mut slots, mut guards): (&[Slot], Vec<usize>) = (&table.slots, Vec::new());
    for (depth, name) in path.names.iter().enumerate() {
        let slot = slots.iter().find(|slot| slot.name == *name)?;
        let start = slot.columns.start;
        if depth + 1 < path.names.len() {
            let Content::Object { optional, slots: nested } = &slot.content else { return None };
            if *optional {
                guards.push(start);
            }
            slots = nested;
            continue;
        }
        let found = match (&slot.content, wanted) {
            (Content::Object { optional: false, .. }, _) => return Some("1".to_owned()),
            (Content::Price, Wanted::Part(PricePart::Currency)) => start + 1,
            _ => start,
        };
        // the columns of an absent object may hold the defaults of its fields
        let holds_default = table.columns[found].default != Value::Null;
        return Some(
            guards
                .iter()
                .filter(|_| holds_default)
                .fold(at(found), |value, guard| format!("CASE WHEN {} THEN {value} END", at(*guard))),
        );
    }
    None
}
