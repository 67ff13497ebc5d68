//! Names that others had: fields and resources that swap theirs, get that of something removed, or follow each other.

use crate::migrating::stores::Store;
use crate::migrating::versions::checked;
use restwell::testing::bring_along;

/// Before, with what is in `{…}` of the fields; `{more}` is nothing.
const SHOP: &str = "service: shop
---
resource: User
fields:
  name: { type: string, required: true }
---
resource: Tag
fields:
  name: { type: string, required: true }
---
resource: Offer
unique: [[first, seller]]
fields:
  first: { type: string, unique: true, filter: true{first} }
  second: { type: string, sort: true{second} }
  price: { type: price, required: true{price} }
  cost: { type: price{cost} }
  home: { type: Address{home} }
  work: { type: Address, required: true{work} }
  seller: { type: ref, to: User, required: true, filter: true{seller} }
  buyer: { type: ref, to: User{buyer} }
  tags: { type: array, items: { type: ref, to: Tag }{tags} }
  labels: { type: array, items: { type: ref, to: Tag }{labels} }
  lines: { type: array, items: { type: Line } }
{counts}{more}---
object: Address
fields:
  city: { type: string }
---
object: Line
fields:
  size: { type: integer{size} }
  weight: { type: integer{weight} }
{sums}";

/// The fields of which each gets the name of the other.
const SWAPPED: [(&str, &str); 6] = [
    ("first", "second"),
    ("price", "cost"),
    ("home", "work"),
    ("seller", "buyer"),
    ("tags", "labels"),
    ("size", "weight"),
];

/// The text with the names as they were: `amount`, and `total`, which is given up for it.
fn before() -> String {
    let counts = "  amount: { type: integer, filter: true }\n  total: { type: integer, unique: true }\n";
    let sums = "  part: { type: integer }\n  sum: { type: integer }\n";
    filled(counts, sums, "", |_, _| String::new())
}

/// The text with the names exchanged.
fn after(more: &str) -> String {
    let counts = "  total: { type: integer, filter: true, renamedFrom: amount }\n";
    let sums = "  sum: { type: integer, renamedFrom: part }\n";
    let text = filled(counts, sums, more, |_, other| format!(", renamedFrom: {other}"));
    // what was said of a field is said of it under its new name
    let exchanged = SWAPPED.iter().fold(text, |text, (one, other)| {
        let lines = text.lines().map(|line| match line.trim_start().split(':').next() {
            Some(name) if name == *one => named(line, one, other),
            Some(name) if name == *other => named(line, other, one),
            _ => line.to_owned(),
        });
        lines.collect::<Vec<_>>().join("\n") + "\n"
    });
    exchanged.replace("[[first, seller]]", "[[second, buyer]]")
}

fn named(line: &str, old: &str, new: &str) -> String {
    line.replacen(&format!("{old}:"), &format!("{new}:"), 1)
        .replace(&format!("renamedFrom: {new}"), &format!("renamedFrom: {old}"))
}

fn filled(counts: &str, sums: &str, more: &str, keys: impl Fn(&str, &str) -> String) -> String {
    let text = SHOP.replace("{counts}", counts).replace("{sums}", sums).replace("{more}", more);
    SWAPPED.iter().fold(text, |text, (one, other)| {
        text.replace(&format!("{{{one}}}"), &keys(one, other)).replace(&format!("{{{other}}}"), &keys(other, one))
    })
}

fn fill(store: &dyn Store) {
    let id = |number| store.id(number);
    store.run(&format!(
        "INSERT INTO users (id, created_at, updated_at, name) VALUES ({}, 1, 1, 'Ann'), ({}, 1, 1, 'Bo')",
        id(1),
        id(2)
    ));
    store.run(&format!(
        "INSERT INTO tags (id, created_at, updated_at, name) VALUES ({}, 1, 1, 'old'), ({}, 1, 1, 'new')",
        id(3),
        id(4)
    ));
    store.run(&format!(
        "INSERT INTO offers (id, created_at, updated_at, \"first\", \"second\", price_amount, price_currency, cost_amount, \
         cost_currency, home, home_city, work_city, seller_id, buyer_id, tags, labels, lines, amount, total) VALUES \
         ({}, 1, 1, 'f', 's', 100, 'PLN', 200, 'EUR', true, 'Home', 'Work', {}, {}, '[{{\"id\":\"3\"}}]', '[]', \
         '[{{\"size\":1,\"weight\":2,\"part\":3,\"sum\":4}},{{\"sum\":5}}]', 6, 7)",
        id(11),
        id(1),
        id(2)
    ));
    store.run(&format!("INSERT INTO offers__tags VALUES ({}, {})", id(11), id(3)));
    store.run(&format!("INSERT INTO offers__labels VALUES ({}, {})", id(11), id(4)));
    event(store, 1, "offer", "{\"first\":\"f\",\"second\":\"s\",\"amount\":6,\"total\":7}");
    event(store, 2, "user", "{\"name\":\"Ann\"}");
}

/// An event that is kept for clients that come back.
fn event(store: &dyn Store, sequence: u8, resource: &str, data: &str) {
    store.run(&format!(
        "INSERT INTO _restwell_events (sequence, id, resource, kind, entity_id, time, data, trace_id) \
         VALUES ({sequence}, {0}, '{resource}', 'created', {0}, 1, '{data}', {0})",
        store.id(sequence)
    ));
}

fn bring(store: &dyn Store, text: &str) {
    bring_along(checked(text).into_inner(), &store.url()).unwrap_or_else(|reason| panic!("{reason}\n{text}"));
}

fn fresh(store: &mut dyn Store, text: &str) -> Vec<String> {
    store.renew();
    bring(store, text);
    store.catalogue()
}

/// Each value is under the name that its field has now, once.
fn is_exchanged(store: &dyn Store) {
    let found = store.rows(
        "SELECT \"first\", \"second\", price_amount, price_currency, cost_amount, cost_currency, home_city, \
         CASE WHEN work THEN 'there' END, work_city, tags, labels, lines, total FROM offers",
    );
    let lines = "[{\"weight\":1,\"size\":2,\"sum\":3},{}]";
    assert_eq!(found, [format!("s|f|200|EUR|100|PLN|Work|there|Home|[]|[{{\"id\":\"3\"}}]|{lines}|6")]);
    let people =
        "SELECT s.name, b.name FROM offers o JOIN users s ON s.id = o.seller_id JOIN users b ON b.id = o.buyer_id";
    assert_eq!(store.rows(people), ["Bo|Ann"]);
    let events = store.rows("SELECT resource, data FROM _restwell_events ORDER BY sequence");
    let data = "{\"second\":\"f\",\"first\":\"s\",\"total\":6}";
    assert_eq!(events, [format!("offer|{data}"), "user|{\"name\":\"Ann\"}".to_owned()]);
    let tags = "SELECT t.name FROM offers__tags l JOIN tags t ON t.id = l.target_id";
    assert_eq!(store.rows(tags), ["new"]);
}

/// A rename that is written where something else has the name is carried out, and only once.
pub(crate) fn fields_exchange_names(store: &mut dyn Store) {
    let (first, second) = (before(), after(""));
    let third = after("  extra: { type: integer }\n");
    let expected = [&second, &third].map(|text| fresh(store, text));
    store.renew();
    bring(store, &first);
    fill(store);
    for (text, expected) in [(&second, &expected[0]), (&second, &expected[0]), (&third, &expected[1])] {
        bring(store, text);
        assert_eq!(store.catalogue(), *expected);
        is_exchanged(store);
    }
    // a database that is two versions behind
    store.renew();
    bring(store, &first);
    fill(store);
    bring(store, &third);
    assert_eq!(store.catalogue(), expected[1]);
    is_exchanged(store);
}

const COLOURS: &str = "service: paint
---
resource: {Red}
fields:
  name: { type: string, required: true, unique: true, filter: [startsWith] }
  shade: { type: string, filter: true }
---
resource: {Blue}
fields:
  name: { type: string, required: true, unique: true, filter: [startsWith] }
  others: { type: array, items: { type: ref, to: {Red} } }
---
resource: Wall
fields:
  red: { type: ref, to: {Red}, filter: true }
  blue: { type: ref, to: {Blue}, filter: true }
";

/// The colours with names, and what is said of the former ones.
fn colours(red: (&str, &str), blue: (&str, &str)) -> String {
    let said = |(name, from): (&str, &str)| match from {
        "" => format!("resource: {name}\n"),
        from => format!("resource: {name}\nrenamedFrom: {from}\n"),
    };
    COLOURS
        .replace("resource: {Red}\n", &said(red))
        .replace("resource: {Blue}\n", &said(blue))
        .replace("{Red}", red.0)
        .replace("{Blue}", blue.0)
}

fn paint(store: &dyn Store) {
    let id = |number| store.id(number);
    store.run(&format!(
        "INSERT INTO reds (id, created_at, updated_at, name, shade) VALUES ({}, 1, 1, 'crimson', 'dark')",
        id(1)
    ));
    store.run(&format!(
        "INSERT INTO blues (id, created_at, updated_at, name, others) VALUES ({}, 1, 1, 'azure', '[]')",
        id(2)
    ));
    store.run(&format!("INSERT INTO blues__others VALUES ({}, {})", id(2), id(1)));
    store.run(&format!(
        "INSERT INTO walls (id, created_at, updated_at, red_id, blue_id) VALUES ({}, 1, 1, {}, {})",
        id(3),
        id(1),
        id(2)
    ));
    store.run(&format!(
        "INSERT INTO _restwell_searches (id, resource, version, created_at, data) VALUES ({}, 'Red', 'public.v1', 1, \
         '{{\"shade\":\"dark\"}}'), ({}, 'Blue', 'public.v1', 2, '{{}}')",
        id(81),
        id(82)
    ));
    event(store, 1, "red", "{\"shade\":\"dark\"}");
    event(store, 2, "blue", "{\"shade\":null}");
}

pub(crate) fn resources_exchange_names(store: &mut dyn Store) {
    let first = colours(("Red", ""), ("Blue", ""));
    let second = colours(("Blue", "Red"), ("Red", "Blue"));
    let third = second.clone() + "  height: { type: integer }\n";
    let expected = [&second, &third].map(|text| fresh(store, text));
    store.renew();
    bring(store, &first);
    paint(store);
    for (text, expected) in [(&second, &expected[0]), (&second, &expected[0]), (&third, &expected[1])] {
        bring(store, text);
        assert_eq!(store.catalogue(), *expected);
        assert_eq!(store.rows("SELECT name, shade FROM blues"), ["crimson|dark"]);
        assert_eq!(store.rows("SELECT name, others FROM reds"), ["azure|[]"]);
        let linked = "SELECT b.name FROM reds__others l JOIN blues b ON b.id = l.target_id";
        assert_eq!(store.rows(linked), ["crimson"]);
        let walls =
            "SELECT b.name, r.name FROM walls w JOIN blues b ON b.id = w.red_id JOIN reds r ON r.id = w.blue_id";
        assert_eq!(store.rows(walls), ["crimson|azure"]);
        let searches = "SELECT resource FROM _restwell_searches ORDER BY created_at";
        assert_eq!(store.rows(searches), ["Blue", "Red"]);
        assert_eq!(store.rows("SELECT resource FROM _restwell_events ORDER BY sequence"), ["blue", "red"]);
    }
}

/// What had the name before goes with its rows, its searches and its references.
pub(crate) fn a_resource_gets_the_name_of_a_removed_one(store: &mut dyn Store) {
    let first = colours(("Red", ""), ("Blue", ""));
    let second = "service: paint\n---\nresource: Blue\nrenamedFrom: Red\nfields:\n  \
                  name: { type: string, required: true, unique: true, filter: [startsWith] }\n  \
                  shade: { type: string, filter: true }\n---\nresource: Wall\nfields:\n  \
                  red: { type: ref, to: Blue, filter: true }\n";
    let expected = fresh(store, second);
    store.renew();
    bring(store, &first);
    paint(store);
    for _ in 0..2 {
        bring(store, second);
        assert_eq!(store.catalogue(), expected);
        assert_eq!(store.rows("SELECT name, shade FROM blues"), ["crimson|dark"]);
        assert_eq!(store.rows("SELECT b.name FROM walls w JOIN blues b ON b.id = w.red_id"), ["crimson"]);
        assert_eq!(store.rows("SELECT resource, data FROM _restwell_searches"), ["Blue|{\"shade\":\"dark\"}"]);
        let events = "SELECT resource FROM _restwell_events ORDER BY sequence";
        assert_eq!(store.rows(events), ["red", "blue-removed"]);
    }
}

/// The text of a rule is the same, and what it checks is not.
pub(crate) fn a_rule_is_verified_where_its_names_stand_for_other_fields(store: &mut dyn Store) {
    let text = |least: &str, most: &str| {
        format!(
            "service: shop\n---\nresource: Range\nrules:\n  - {{ check: 'least < most', code: Empty, message: is empty }}\n\
             fields:\n  least: {{ type: integer, required: true{least} }}\n  most: {{ type: integer, required: true{most} }}\n"
        )
    };
    store.renew();
    bring(store, &text("", ""));
    let id = store.id(1);
    store.run(&format!("INSERT INTO ranges (id, created_at, updated_at, least, most) VALUES ({id}, 1, 1, 1, 2)"));
    let swapped = text(", renamedFrom: most", ", renamedFrom: least");
    let reason = bring_along(checked(&swapped).into_inner(), &store.url()).expect_err("the row breaks the rule");
    assert!(reason.contains("Range.rules[0]: stored rows break `Empty`"), "{reason}");
    assert_eq!(store.rows("SELECT least, most FROM ranges"), ["1|2"]);
}
