//! What needs no database. The scripts run in `tests/evolution`.

use super::convert::{Conversion, conversion};
use super::{Mode, Script, Step, plan, title};
use crate::changes::{ChangeKind, changes};
use crate::check::Checked;
use crate::field::{Field, Type};
use crate::resource::Resource;
use crate::service::{Enum, Service};
use crate::tables::Dialect;

fn service(field: Option<Field>) -> Checked {
    let mut service = Service::new("shop");
    let values = vec!["RED".to_owned(), "WHITE".to_owned()];
    service.enums = vec![Enum::new("Colour", values)];
    let mut thing = Resource::new("Thing");
    thing.fields = vec![Field::new("name", Type::string())];
    thing.fields.extend(field);
    service.resources = vec![thing];
    Checked::new(service).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn types() -> Vec<Type> {
    let words = [
        "string",
        "integer",
        "number",
        "decimal",
        "boolean",
        "uuid",
        "timestamp",
        "date",
        "time",
        "duration",
        "country",
        "language",
        "currency",
        "timezone",
        "phone",
        "price",
    ];
    let plain = words.iter().map(|word| serde_json::from_value(serde_json::json!({ "type": word })));
    let mut types: Vec<Type> = plain.map(|ty| ty.expect("a type")).collect();
    types.push(Type::Decimal { minimum: None, maximum: None, scale: 5 });
    types.push(Type::reference("Thing"));
    types.push(Type::Named { name: "Colour".to_owned() });
    types
}

/// Two walks over the same models: what one calls replaced the other drops, and nothing else.
#[test]
fn values_are_dropped_where_the_changes_say_so() {
    for old in types() {
        for new in types() {
            let of = |ty: &Type| service(Some(Field::new("what", ty.clone())));
            let (before, now) = (of(&old), of(&new));
            let is_replaced = changes(&before, &now).iter().any(|change| change.kind == ChangeKind::TypeReplaced);
            for dialect in Dialect::ALL {
                let found = conversion(before.kind(&old), now.kind(&new), "\"what\"", dialect);
                assert_eq!(matches!(found, Conversion::Dropped), is_replaced, "{old:?} to {new:?}");
            }
        }
    }
}

#[test]
fn defaults_are_quoted() {
    let field = Field { default: Some("it's; \"so\"".into()), required: true, ..Field::new("what", Type::string()) };
    let script = plan(&service(None), &service(Some(field)), Dialect::Postgres);
    assert!(script.to_string().contains("DEFAULT 'it''s; \"so\"'"), "{script}");
    assert_eq!(Script::parse(&script.to_string()), Ok(script));
}

#[test]
fn a_script_that_people_edited_is_read() {
    let text = "-- what this is for\n\n-- check: Thing.fields.name: too long\nSELECT 1 WHERE ';' = '''';\n\
                /* one; two */ UPDATE t SET a = $x$;$x$, b = ';' -- the last; one\n;\r\n-- alone\r\nVACUUM\n;\n;;SELECT '$'";
    let step = |mode, sql: &str| Step { mode, sql: sql.to_owned() };
    let expected = vec![
        step(Mode::Check("Thing.fields.name: too long".to_owned()), "SELECT 1 WHERE ';' = ''''"),
        step(Mode::Together, "UPDATE t SET a = $x$;$x$, b = ';' -- the last; one"),
        step(Mode::Alone, "VACUUM"),
        step(Mode::Together, "SELECT '$'"),
    ];
    assert_eq!(Script::parse(text), Ok(Script { steps: expected }));
    assert_eq!(Script::parse("SELECT 1;\nSELECT 'a"), Err("line 2: `'` is not closed".to_owned()));
    assert_eq!(Script::parse("-- nothing\n"), Ok(Script::default()));
}

#[test]
fn a_title_names_what_changed_first() {
    let named = |name: &str, from: Option<&str>| {
        service(Some(Field { renamed_from: from.map(str::to_owned), ..Field::new(name, Type::string()) }))
    };
    let title_of = |old: &Checked, new: &Checked| title(&changes(old, new));
    assert_eq!(title_of(&service(None), &named("shortName", None)).as_deref(), Some("add-thing-short-name"));
    assert_eq!(title_of(&named("note", None), &named("remark", Some("note"))).as_deref(), Some("rename-thing-remark"));
    assert_eq!(title_of(&named("note", None), &named("remark", None)).as_deref(), Some("drop-thing-note-and-more"));
    assert_eq!(title_of(&named("note", None), &named("note", None)), None);
}

/// What `restwell dev` runs for a saved field costs the same whatever else there is.
#[test]
fn the_steps_of_a_field_do_not_grow_with_the_service() {
    let grown = |resources: usize, field: Option<Field>| {
        let mut service = (*service(field)).clone();
        for number in 0..resources {
            let digits = format!("{number:03}").into_bytes();
            let letters: String = digits.iter().map(|digit| char::from(digit - b'0' + b'a')).collect();
            let mut other = Resource::new(&format!("Box{letters}"));
            other.fields = vec![Field::new("name", Type::string())];
            service.resources.push(other);
        }
        service.sort();
        Checked::new(service).unwrap_or_else(|faults| panic!("{faults:?}"))
    };
    for dialect in Dialect::ALL {
        let steps = |resources| {
            let field = Field {
                required: true,
                default: Some(7.into()),
                ..Field::new("size", Type::Integer { minimum: None, maximum: None })
            };
            plan(&grown(resources, None), &grown(resources, Some(field)), dialect)
        };
        let few = steps(2);
        assert!(!few.steps.is_empty());
        assert_eq!(few, steps(300), "{dialect:?}");
    }
}
