//! Default values of columns: rows that the old version writes on the new tables, and defaults that change.

use crate::migrating::chain::{fresh, make};
use crate::migrating::stores::Store;
use crate::migrating::versions::{checked, edited};
use restwell_model::Checked;
use restwell_model::changes::{Change, changes};
use restwell_model::migrations::{Script, plan, refused, title};
use restwell_model::tables::Dialect;

const OLD: &str = r#"service: shop
---
resource: Offer
fields:
  name: { type: string, required: true }
  size: { type: integer, required: true, default: 1 }
  place: { type: Address, required: true }
  other: { type: Address }
---
object: Address
fields:
  city: { type: string, required: true }
"#;

const NEW: [(&str, &str); 2] = [
    (
        "  place: { type: Address, required: true }\n",
        "  place: { type: Address, required: true }\n  weight: { type: integer, required: true, default: 7 }\n  \
         fee: { type: price, required: true, default: { amount: \"5.00\", currency: PLN } }\n  \
         isNew: { type: boolean, default: true }\n  note: { type: string }\n  \
         links: { type: array, items: { type: string } }\n  \
         home: { type: Address, required: true, default: { city: \"a;\\nb\", tags: [x], code: null } }\n  \
         away: { type: Address, default: { city: far } }\n  contact: { type: Address }\n",
    ),
    (
        "  city: { type: string, required: true }\n",
        "  city: { type: string, required: true }\n  zip: { type: string, required: true, default: \"00-000\" }\n  \
         code: { type: decimal, default: \"1.5\" }\n  tags: { type: array, items: { type: string } }\n",
    ),
];

/// What each row is, but for the id and the times.
const ROW: &str = "SELECT name, weight, fee_amount, fee_currency, is_new IS TRUE, note, links, \
    place_city, place_zip, place_code, place_tags, CASE WHEN other THEN other_city || other_zip || other_tags END, \
    home_city, home_zip, home_code, home_tags, away IS TRUE, away_city, away_zip, away_code, away_tags, contact \
    FROM offers ORDER BY id";

/// What a creation by the new version makes of the same, as by the rules of requests.
fn created(name: &str, is_true: &str, other: &str) -> String {
    format!(
        "{name}|7|500|PLN|{is_true}||[]|here|00-000|150|[]|{other}|a;\nb|00-000||[\"x\"]|{is_true}|far|00-000|150|[]|"
    )
}

fn insert(store: &dyn Store, number: u8, name: &str, other: &str) {
    store.run(&format!(
        "INSERT INTO offers (id, created_at, updated_at, name, size, place_city, other, other_city) \
         VALUES ({}, 1, 1, '{name}', 2, 'here', {other})",
        store.id(number)
    ));
}

fn migrate(store: &mut dyn Store, old: &Checked, new: &Checked) -> Script {
    let script = plan(old, new, store.dialect());
    store.migrate(&script).unwrap_or_else(|error| panic!("{error}\n{script}"));
    script
}

/// Rows that are stored get what they lack; those that the old version goes on to write, too.
pub(crate) fn rows_of_the_old_version(store: &mut dyn Store) {
    let (old, new) = (checked(OLD), checked(&edited(OLD, &NEW)));
    let expected = fresh(store, &new);
    make(store, &old);
    insert(store, 1, "before", "true, 'there'");
    insert(store, 2, "without", "NULL, NULL");
    migrate(store, &old, &new);
    assert_eq!(store.catalogue(), expected);
    let is_true = match store.dialect() {
        Dialect::Sqlite => "1",
        Dialect::Postgres => "t",
    };
    let there = "there00-000[]";
    let mut rows = vec![created("before", is_true, there), created("without", is_true, "")];
    assert_eq!(store.rows(ROW), rows);
    // SQLite's old version has ended
    if store.dialect() == Dialect::Postgres {
        insert(store, 3, "between", "true, 'there'");
        insert(store, 4, "without", "NULL, NULL");
        rows.extend([created("between", is_true, there), created("without", is_true, "")]);
        assert_eq!(store.rows(ROW), rows);
    }
}

/// A default comes, changes, is written otherwise, and goes: rows stay as they are. The field, and what is stored.
const DEFAULTS: [(&str, &str, &str); 9] = [
    ("size", "type: integer, required: true, default: 1", "2"),
    ("size", "type: integer, required: true, default: 3", "2"),
    ("size", "type: integer, required: true", "2"),
    ("size", "type: integer, required: true, default: -4", "2"),
    ("size", "type: integer, default: -4", "2"),
    ("size", "type: decimal, default: \"-4\"", "200"),
    ("size", "type: decimal, scale: 3, default: \"-4\"", "2000"),
    ("amount", "type: decimal, scale: 3, default: \"5\", renamedFrom: size", "2000"),
    ("amount", "type: string, default: \"it's\"", "it's"),
];

pub(crate) fn changed_defaults(store: &mut dyn Store) {
    let before = "size: { type: integer, required: true, default: 1 }";
    let versions = DEFAULTS.map(|(name, rest, _)| checked(&edited(OLD, &[(before, &format!("{name}: {{ {rest} }}"))])));
    let expected: Vec<_> = versions.iter().map(|version| fresh(store, version)).collect();
    make(store, &versions[0]);
    insert(store, 1, "stored", "NULL, NULL");
    for (number, pair) in versions.windows(2).enumerate() {
        let script = migrate(store, &pair[0], &pair[1]);
        assert_eq!(store.catalogue(), expected[number + 1], "{number}:\n{script}");
        let (name, _, stored) = DEFAULTS[number + 1];
        assert_eq!(store.rows(&format!("SELECT {name} FROM offers")), [stored], "{number}:\n{script}");
    }
    let (old, new) = (&versions[0], &versions[1]);
    assert_eq!(title(&changes(old, new)).as_deref(), Some("alter-offer-size"));
    let expected = match store.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => "ALTER TABLE \"offers\" ALTER COLUMN \"size\" SET DEFAULT 3;\n",
    };
    assert_eq!(plan(old, new, store.dialect()).to_string(), expected);
}

const ARRAYS: &str = r#"service: shop
---
resource: Offer
fields:
  name: { type: string }
  tags: { type: array, items: { type: string }, minItems: 1 }
  box: { type: Carton }
  line: { type: Carton, required: true }
---
object: Carton
fields:
  size: { type: integer }
  marks: { type: array, items: { type: string }, minItems: 1 }
"#;

/// Arrays that cannot be empty get their default where they were empty, or not there.
pub(crate) fn filled_arrays(store: &mut dyn Store) {
    let array = |name: &str| format!("  {name}: {{ type: array, items: {{ type: string }}, minItems: 1");
    let filled = |name: &str| format!("{}, required: true, default: [none] }}\n", array(name));
    let [tags, marks] = ["tags", "marks"].map(|name| format!("{} }}\n", array(name)));
    let (labels, signs) = (filled("labels"), filled("signs"));
    let (now_tags, now_marks) = (filled("tags") + &labels, filled("marks") + &signs);
    let (old, new) = (checked(ARRAYS), checked(&edited(ARRAYS, &[(&tags, &now_tags), (&marks, &now_marks)])));
    let expected = fresh(store, &new);
    make(store, &old);
    for (number, [tags, there, marks, line]) in
        [["'[]'", "true", "'[]'", "'[]'"], ["'[\"a\"]'", "NULL", "NULL", "'[\"b\"]'"]].into_iter().enumerate()
    {
        store.run(&format!(
            "INSERT INTO offers (id, created_at, updated_at, tags, box, box_marks, line_marks) \
             VALUES ({}, 1, 1, {tags}, {there}, {marks}, {line})",
            store.id(number as u8)
        ));
    }
    assert_eq!(refused(&changes(&old, &new), false), Vec::<&Change>::new());
    let script = migrate(store, &old, &new);
    assert_eq!(store.catalogue(), expected, "{script}");
    let rows = store.rows("SELECT tags, labels, box_marks, box_signs, line_marks, line_signs FROM offers ORDER BY id");
    let none = "[\"none\"]";
    let (first, second) = ([none; 6].join("|"), format!("[\"a\"]|{none}|||[\"b\"]|{none}"));
    assert_eq!(rows, [first, second], "{script}");
}

const REFERENCES: &str = r#"service: shop
---
resource: City
fields:
  name: { type: string }
---
resource: Offer
fields:
  name: { type: string }
  city: { type: ref, to: City }
"#;

/// A reference that becomes an id with a default: the default is no id of the entities that it referred to.
pub(crate) fn references_that_become_ids(store: &mut dyn Store) {
    let id = "00000000-0000-7000-8000-000000000077";
    let city = "  city: { type: ref, to: City }\n";
    let now = format!("  city: {{ type: uuid, required: true, default: \"{id}\" }}\n");
    let (old, new) = (checked(REFERENCES), checked(&edited(REFERENCES, &[(city, &now)])));
    let expected = fresh(store, &new);
    make(store, &old);
    store.run(&format!("INSERT INTO cities (id, created_at, updated_at) VALUES ({}, 1, 1)", store.id(9)));
    for (number, city) in [(1, "NULL".to_owned()), (2, store.id(9))] {
        store.run(&format!(
            "INSERT INTO offers (id, created_at, updated_at, city_id) VALUES ({}, 1, 1, {city})",
            store.id(number)
        ));
    }
    let script = migrate(store, &old, &new);
    assert_eq!(store.catalogue(), expected, "{script}");
    let filled = |id: &str| store.rows(&format!("SELECT count(*) FROM offers WHERE city = {id}"));
    assert_eq!((filled(&store.id(77)), filled(&store.id(9))), (vec!["1".to_owned()], vec!["1".to_owned()]), "{script}");
}
