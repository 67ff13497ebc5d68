//! Whether the values of a row are those that the model accepts: of their types, and within their constraints.
//!
//! A database refuses what breaks its keys, and nulls where none may be. All else is checked where requests are read,
//! which a file does not pass. So its rows are read as bodies are, one field after the other. Hashes of secrets are
//! left alone: the constraints are those of the secrets.

use crate::plan::bind;
use crate::plan::cell::Cell;
use crate::plan::form::Form;
use crate::plan::stored;
use restwell_model::input::{Read, Shape};
use restwell_model::scalar::Timestamp;
use restwell_model::tables::{CREATED_AT, Content, ID, Link, Slot, Table, UPDATED_AT};
use restwell_model::{Checked, ErrorCode, Field, Resource, Value};
use std::collections::BTreeSet;
use std::ops::Range;
use uuid::Uuid;

/// The checks of a resource's rows.
#[derive(Debug)]
pub(super) struct RowCheck {
    values: Vec<ValueCheck>,
    links: Option<LinkedRows>,
}

/// The check of a value that is not an object.
#[derive(Debug)]
struct ValueCheck {
    /// The path of its field.
    path: String,
    columns: Range<usize>,
    content: Content,
    form: Form,
    read: Read,
}

impl RowCheck {
    /// That of a resource with this table.
    pub(super) fn of(service: &Checked, resource: &Resource, table: &Table) -> Self {
        let mut checks = Vec::new();
        gather(service, (&resource.fields, &table.slots), "", &mut checks);
        let links = (!table.links.is_empty()).then(|| LinkedRows::of(service, resource, table));
        Self { values: checks, links }
    }

    /// The pairs of ids that the tables of links have beside a row, each once, with the names of the tables.
    pub(super) fn links(&self, row: &[Cell]) -> BTreeSet<(&str, Uuid, Uuid)> {
        self.links.as_ref().map_or_else(BTreeSet::new, |links| links.of_row(row))
    }

    /// What is wrong with a row.
    pub(super) fn check(&self, row: &[Cell]) -> Result<(), String> {
        for (name, column) in [("createdAt", CREATED_AT), ("updatedAt", UPDATED_AT)] {
            let time = row.get(column).and_then(|cell| cell.borrow().int());
            time.and_then(Timestamp::from_millis).ok_or_else(|| format!("has a `{name}` that is not a time"))?;
        }
        let wrong = |check: &ValueCheck, reason: String| match row.get(ID).and_then(Cell::uuid) {
            Some(id) => format!("has a value of `{}` that the model refuses, in {id}: {reason}", check.path),
            None => "has no id".to_owned(),
        };
        self.values.iter().try_for_each(|check| check.check(row).map_err(|reason| wrong(check, reason)))
    }
}

/// What finds the references inside of a row's arrays.
#[derive(Debug)]
struct LinkedRows {
    slots: Vec<Slot>,
    forms: Vec<Form>,
    shape: Shape,
    links: Vec<Link>,
}

impl LinkedRows {
    fn of(service: &Checked, resource: &Resource, table: &Table) -> Self {
        Self {
            slots: table.slots.clone(),
            forms: resource.fields.iter().map(|field| Form::of(service, &field.ty)).collect(),
            shape: Shape::compile(service, &resource.fields, &[], &|_| true),
            links: table.links.clone(),
        }
    }

    fn of_row(&self, row: &[Cell]) -> BTreeSet<(&str, Uuid, Uuid)> {
        let Some(entity) = row.get(ID).and_then(Cell::uuid) else { return BTreeSet::new() };
        let values = stored::values(&self.slots, &self.forms, row);
        let of_link = |link: &'_ Link| bind::linked_ids(self.shape.members(), &values, &link.path);
        let pairs = self
            .links
            .iter()
            .flat_map(|link| of_link(link).into_iter().map(move |(_, target)| (link.table.as_str(), entity, target)));
        pairs.collect()
    }
}

/// The checks of fields, and of those of their objects.
fn gather(service: &Checked, (fields, slots): (&[Field], &[Slot]), within: &str, checks: &mut Vec<ValueCheck>) {
    for (field, slot) in fields.iter().zip(slots) {
        let path = format!("{within}{}", field.name);
        match &slot.content {
            Content::Computed | Content::Reference => {}
            Content::Object { slots, .. } => {
                if let restwell_model::Kind::Object(object) = service.kind(&field.ty) {
                    gather(service, (&object.fields, slots), &format!("{path}."), checks);
                }
            }
            Content::Scalar if field.secret.is_some() => {}
            Content::Scalar | Content::Price | Content::Array | Content::Map => {
                let Some(read) = Read::compile(service, &field.ty) else { continue };
                let form = Form::of(service, &field.ty);
                checks.push(ValueCheck {
                    path,
                    columns: slot.columns.clone(),
                    content: slot.content.clone(),
                    form,
                    read,
                });
            }
        }
    }
}

impl ValueCheck {
    fn check(&self, row: &[Cell]) -> Result<(), String> {
        let Some(cells) = row.get(self.columns.clone()) else { return Ok(()) };
        match (&self.content, cells) {
            (_, cells) if cells.iter().all(|cell| *cell == Cell::Null) => Ok(()),
            (Content::Array | Content::Map, [Cell::Text(json)]) => self.read(json),
            // a stored value of any form is the text of its JSON
            _ if matches!(self.read, Read::Json(_)) => match cells {
                [Cell::Text(json)] if json != "null" => self.read(json),
                _ => Err("it is not JSON".to_owned()),
            },
            (_, cells) => {
                let value = match cells {
                    [cell] => stored::scalar(&self.form, cell.borrow()),
                    [amount, currency] => stored::price(amount.borrow().int(), text(currency)),
                    _ => Value::Null,
                };
                let mut json = Vec::new();
                self.form.write(&value, &mut json);
                match String::from_utf8(json) {
                    Ok(json) if json != "null" => self.read(&json),
                    _ => Err("it is not of its type".to_owned()),
                }
            }
        }
    }

    /// Reads a value as that of a body.
    fn read(&self, json: &str) -> Result<(), String> {
        // what fields of items the model had, and has, is a matter of migrations
        let is_wrong = |code: ErrorCode| !matches!(code, ErrorCode::Required | ErrorCode::UnknownProperty);
        match self.read.read_alone(json, false).into_iter().find(|problem| is_wrong(problem.code)) {
            None => Ok(()),
            Some(problem) => Err(match &problem.path {
                Some(path) => format!("{path}: {}", problem.message()),
                None => problem.message(),
            }),
        }
    }
}

fn text(cell: &Cell) -> Option<&str> {
    match cell {
        Cell::Text(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use restwell_model::{Enum, Object, Secret, Service, Type};

    fn field(name: &str, ty: Type) -> Field {
        Field { required: true, ..Field::new(name, ty) }
    }

    fn short() -> Type {
        Type::String { min_length: Some(2), max_length: Some(5), pattern: Some("^[a-z]+$".into()), format: None }
    }

    fn service() -> Checked {
        let mut thing = Resource::new("Thing");
        let array = |items: Type| Type::Array {
            items: Box::new(items),
            min_items: None,
            max_items: Some(2),
            unique_items: true,
        };
        thing.fields = vec![
            field("name", short()),
            field("colour", Type::Named { name: "Colour".to_owned() }),
            field("size", Type::Integer { minimum: Some(1), maximum: Some(9) }),
            field("price", Type::Price { minimum: None, maximum: Some(100.into()), currencies: Vec::new() }),
            Field { required: false, ..field("place", Type::Named { name: "Place".to_owned() }) },
            field("tags", array(short())),
            field("parts", array(Type::Named { name: "Place".to_owned() })),
            Field { secret: Some(Secret::Argon2), write_only: true, ..field("password", short()) },
        ];
        let place = Object::new("Place", vec![field("city", short())]);
        let colour = Enum::new("Colour", vec!["RED".to_owned(), "BLUE".to_owned()]);
        let service =
            Service { resources: vec![thing], objects: vec![place], enums: vec![colour], ..Service::new("shop") };
        Checked::new(service).expect("it keeps the rules")
    }

    /// What is wrong with a good row in which some columns have other values.
    fn checked(others: &[(&str, Cell)]) -> Result<(), String> {
        let service = service();
        let resource = &service.resources[0];
        let table = Table::of(&service, resource);
        let text = |text: &str| Cell::Text(text.to_owned());
        let good = |column: &str| match column {
            "id" => Cell::Uuid(Uuid::nil()),
            "created_at" | "updated_at" => Cell::Int(1_700_000_000_000),
            "colour" => text("RED"),
            "size" => Cell::Int(5),
            "price_amount" => Cell::Int(1999),
            "price_currency" => text("EUR"),
            "place" => Cell::Int(1),
            "tags" => text(r#"["ab","cd"]"#),
            "parts" => text(r#"[{"city":"lyon"},{"city":"porto","former":1}]"#),
            "password" => text("$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$aGFzaA"),
            _ => text("abc"),
        };
        for (column, _) in others {
            assert!(table.columns.iter().any(|it| it.name == *column), "{column}");
        }
        let other = |name: &str| others.iter().find(|(column, _)| *column == name).map(|(_, cell)| cell.clone());
        let row: Vec<_> = table.columns.iter().map(|it| other(&it.name).unwrap_or_else(|| good(&it.name))).collect();
        RowCheck::of(&service, resource, &table).check(&row)
    }

    #[test]
    fn a_row_of_the_service_is_right() {
        assert_eq!(checked(&[]), Ok(()));
        assert_eq!(checked(&[("place", Cell::Int(0)), ("place_city", Cell::Null)]), Ok(()));
        assert_eq!(checked(&[("price_amount", Cell::Null), ("price_currency", Cell::Null)]), Ok(()));
    }

    #[test]
    fn a_row_says_which_links_are_beside_it() {
        let mut thing = Resource::new("Thing");
        let items = Type::Named { name: "Part".to_owned() };
        thing.fields = vec![Field::new(
            "parts",
            Type::Array { items: Box::new(items), min_items: None, max_items: None, unique_items: false },
        )];
        let part = Object::new("Part", vec![Field::new("of", Type::reference("Thing"))]);
        let service = Service { resources: vec![thing], objects: vec![part], ..Service::new("shop") };
        let service = Checked::new(service).expect("it keeps the rules");
        let table = Table::of(&service, &service.resources[0]);
        let check = RowCheck::of(&service, &service.resources[0], &table);
        let [entity, one, other] = [1, 2, 3].map(Uuid::from_u128);
        let parts =
            format!(r#"[{{"of":{{"id":"{one}"}}}},{{"of":{{"id":"{other}"}}}},{{"of":{{"id":"{one}"}}}},{{}}]"#);
        let row = [Cell::Uuid(entity), Cell::Int(0), Cell::Int(0), Cell::Text(parts)];
        let name = table.links[0].table.as_str();
        assert_eq!(check.links(&row), BTreeSet::from([(name, entity, one), (name, entity, other)]));
    }

    #[test]
    fn a_value_that_no_request_could_set_is_found() {
        let text = |text: &str| Cell::Text(text.to_owned());
        let wrong = [
            ("name", "name", text("a")),
            ("name", "name", text("abcdefgh")),
            ("name", "name", text("ABC")),
            ("colour", "colour", text("GREEN")),
            ("size", "size", Cell::Int(10)),
            ("price", "price_amount", Cell::Int(10_001)),
            ("price", "price_amount", Cell::Null),
            ("price", "price_currency", text("EURO")),
            ("place.city", "place_city", text("A")),
            ("tags", "tags", text("[\"ab\"")),
            ("tags", "tags", text("{}")),
            ("tags", "tags", text(r#"["ab","ab"]"#)),
            ("tags", "tags", text(r#"["ab","cd","ef"]"#)),
            ("parts", "parts", text(r#"[{"city":"LYON"}]"#)),
            ("parts", "parts", text(r#"[7]"#)),
        ];
        for (path, column, cell) in wrong {
            let reason = checked(&[(column, cell.clone())]).expect_err(path);
            assert!(reason.contains(&format!("`{path}`")), "{column} {cell:?}: {reason}");
        }
        assert!(checked(&[("created_at", Cell::Int(i64::MAX))]).is_err_and(|reason| reason.contains("createdAt")));
    }
}
