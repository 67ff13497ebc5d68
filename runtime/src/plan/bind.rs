//! Validated values → cells of a row, and the merge with the stored row (decisions, "Requests").

use super::cell::Cell;
use super::form::Form;
use restwell_model::input::{Member, Read};
use restwell_model::tables::{Content, Slot};
use restwell_model::{ErrorCode, Problem, Value};
use uuid::Uuid;

/// The cells of a new row's fields, after the common ones.
pub(crate) fn create(slots: &[Slot], members: &[Member], forms: &[Form], value: Value, cells: &mut Vec<Cell>) {
    let mut merge = Merge { current: None, path: String::new(), problems: Vec::new() };
    merge.fields(slots, members, forms, value, cells);
}

/// The cells of a stored row's fields once the request's values replace them; `current` is the whole row. Answers the
/// immutable fields that would change.
pub(crate) fn update(
    slots: &[Slot],
    members: &[Member],
    forms: &[Form],
    value: Value,
    current: &[Cell],
    cells: &mut Vec<Cell>,
) -> Vec<Problem> {
    let mut merge = Merge { current: Some(current), path: String::new(), problems: Vec::new() };
    merge.fields(slots, members, forms, value, cells);
    merge.problems
}

struct Merge<'a> {
    /// The stored row; `None` where there is none, or no object at this place of it.
    current: Option<&'a [Cell]>,
    path: String,
    problems: Vec<Problem>,
}

impl Merge<'_> {
    fn fields(&mut self, slots: &[Slot], members: &[Member], forms: &[Form], value: Value, cells: &mut Vec<Cell>) {
        let mut values = match value {
            Value::Object(values) => values,
            _ => Vec::new(),
        }
        .into_iter();
        for ((slot, member), form) in slots.iter().zip(members).zip(forms) {
            let length = self.path.len();
            if length > 0 {
                self.path.push('.');
            }
            self.path.push_str(&slot.name);
            self.field(slot, member, form, values.next().unwrap_or_default(), cells);
            self.path.truncate(length);
        }
    }

    fn field(&mut self, slot: &Slot, member: &Member, form: &Form, value: Value, cells: &mut Vec<Cell>) {
        match (value, self.current) {
            (Value::Absent, Some(current)) => cells.extend_from_slice(&current[slot.columns.clone()]),
            (Value::Absent, None) => self.value(slot, member, form, member.default_value().clone(), cells),
            (value, _) => self.value(slot, member, form, value, cells),
        }
        if let Some(current) = self.current.filter(|_| member.is_immutable())
            && cells[cells.len() - slot.columns.len()..] != current[slot.columns.clone()]
        {
            let end = if slot.content == Content::Reference { ".id" } else { "" };
            self.problems.push(Problem::at(ErrorCode::Immutable, format!("{}{end}", self.path)));
        }
    }

    fn value(&mut self, slot: &Slot, member: &Member, form: &Form, value: Value, cells: &mut Vec<Cell>) {
        match (&slot.content, value, member.value(), form) {
            (
                Content::Object { optional, slots },
                value @ Value::Object(_),
                Read::Object(shape),
                Form::Object(fields),
            ) => {
                let there = self.current.filter(|current| !optional || current[slot.columns.start] == Cell::Int(1));
                let outer = std::mem::replace(&mut self.current, there);
                if *optional {
                    cells.push(Cell::Int(1));
                }
                self.fields(slots, shape.members(), &fields.forms, value, cells);
                self.current = outer;
            }
            (Content::Price, Value::Price(minor, currency), ..) => {
                cells.extend([Cell::Int(minor), Cell::Text(currency.as_str().to_owned())]);
            }
            (Content::Array | Content::Map, value, _, form) => cells.push(Cell::Text(json(form, &value))),
            (_, value, ..) if slot.columns.len() == 1 => cells.push(scalar(value)),
            // an object that is not there, a price that is null
            _ => cells.extend(std::iter::repeat_n(Cell::Null, slot.columns.len())),
        }
    }
}

/// The cell of a value in one column.
pub(crate) fn scalar(value: Value) -> Cell {
    match value {
        Value::Bool(value) => Cell::Int(i64::from(value)),
        Value::Int(number) => Cell::Int(number),
        Value::Float(number) => Cell::Real(number),
        Value::Text(text) | Value::Json(text) => Cell::Text(text),
        Value::Uuid(id) => Cell::Uuid(id),
        _ => Cell::Null,
    }
}

fn json(form: &Form, value: &Value) -> String {
    let mut out = Vec::new();
    form.write(value, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Whether some part of a value is to stay as it is stored.
pub(crate) fn keeps_some(value: &Value) -> bool {
    match value {
        Value::Absent => true,
        Value::Object(values) => values.iter().any(keeps_some),
        _ => false,
    }
}

/// The ids inside an array that stand at a path, with the index of each item on the way: `tags.2`, `groups.0.keeper`.
pub(crate) fn linked_ids(members: &[Member], value: &Value, path: &[String]) -> Vec<(String, Uuid)> {
    let mut found = Vec::new();
    find_linked(members, value, path, "", &mut found);
    found
}

fn find_linked(members: &[Member], value: &Value, path: &[String], prefix: &str, found: &mut Vec<(String, Uuid)>) {
    let (Some((name, rest)), Value::Object(values)) = (path.split_first(), value) else { return };
    let Some((member, value)) = members.iter().zip(values).find(|(member, _)| member.name() == name) else { return };
    let at = format!("{prefix}{name}");
    match (value, member.value()) {
        (Value::List(items), Read::Array(array)) => {
            for (index, item) in items.iter().enumerate() {
                find_item(array.items(), item, rest, &format!("{at}.{index}"), found);
            }
        }
        (value, read) => find_item(read, value, rest, &at, found),
    }
}

fn find_item(read: &Read, value: &Value, rest: &[String], at: &str, found: &mut Vec<(String, Uuid)>) {
    match (read, value) {
        (Read::Object(shape), value) => find_linked(shape.members(), value, rest, &format!("{at}."), found),
        (Read::Reference, Value::Uuid(id)) => found.push((at.to_owned(), *id)),
        _ => {}
    }
}
