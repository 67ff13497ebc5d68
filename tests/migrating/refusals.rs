//! What a migration may not do, or cannot: it says where, and nothing is changed.

use crate::stores::Store;
use crate::versions::{FIRST, VERSIONS, checked, edited};
use restwell_model::changes::changes;
use restwell_model::migrations::{plan, refused};
use restwell_model::tables::create;

type Edits = &'static [(&'static str, &'static str)];

/// Rows that are in the way: the edits of the first version, a statement that puts the row there, and what is said.
const ROWS: [(Edits, &str, &str); 8] = [
    (
        &[("  note: { type: string }", "  note: { type: string, unique: true }")],
        "UPDATE offers SET note = 'twice'",
        "Offer.fields.note.unique: several stored rows have the same value: twice",
    ),
    (
        &[("  note: { type: string }", "  note: { type: string, unique: ignoreCase }")],
        "UPDATE offers SET note = CASE name WHEN 'Kite' THEN 'STRASSE' ELSE 'Straße' END",
        "Offer.fields.note.unique: several stored rows have the same value but for its case: STRASSE|Straße",
    ),
    (
        &[("  city: { type: string, required: true }", "  city: { type: string, required: true, unique: ignoreCase }")],
        "UPDATE offers SET place = true, place_city = CASE name WHEN 'Kite' THEN 'TORUŃ' ELSE 'Toruń' END",
        "Address.fields.city.unique: several stored rows have the same value but for its case: TORUŃ|Toruń",
    ),
    (
        &[("unique: [[shelf, slot]]", "unique: [[shelf, slot], [shelf, count]]")],
        "UPDATE offers SET count = 4",
        "Offer.unique[1]: several stored rows have the same value: A|4",
    ),
    (
        &[("  token: { type: uuid }", "  token: { type: ref, to: User }")],
        "UPDATE offers SET token = #77 WHERE name = 'Kite'",
        "Offer.fields.token: stored ids refer to rows that do not exist: ",
    ),
    (
        &[("category: { type: ref, to: Category, onDelete: \"null\" }", "category: { type: ref, to: User }")],
        "UPDATE offers SET category_id = #3",
        "Offer.fields.category: stored ids refer to rows that do not exist: 00000000-0000-7000-8000-000000000003",
    ),
    (
        &[(
            "tags: { type: array, items: { type: ref, to: Category } }",
            "tags: { type: array, items: { type: ref, to: User } }",
        )],
        "UPDATE offers SET count = 4",
        "Offer.fields.tags: stored ids refer to rows that do not exist: 00000000-0000-7000-8000-000000000004",
    ),
    (
        &[("  count: { type: integer, required: true }", "  count: { type: decimal, scale: 3, required: true }")],
        "UPDATE offers SET count = 1000000000000000 WHERE name = 'Kite'",
        "Offer.fields.count: stored numbers do not fit into the new type: 1000000000000000",
    ),
];

pub(crate) fn rows_in_the_way(store: &mut dyn Store) {
    let old = checked(FIRST);
    for (edits, sql, expected) in ROWS {
        store.renew();
        create(&old, store.dialect()).iter().for_each(|statement| store.run(statement));
        VERSIONS[0].write(store);
        let sql = sql.replace("#77", &store.id(77)).replace("#3", &store.id(3));
        store.run(&sql);
        let state = |store: &dyn Store| (store.catalogue(), store.rows("SELECT * FROM offers ORDER BY id"));
        let before = state(store);
        let new = checked(&edited(FIRST, edits));
        assert!(refused(&changes(&old, &new), false).is_empty(), "{expected}: it is for the rows to say");
        let script = plan(&old, &new, store.dialect());
        let said = store.migrate(&script).expect_err(expected);
        assert!(said.starts_with(expected), "{said}");
        assert_eq!(state(store), before, "{expected}");
        // the same where nothing is in the way
        for table in ["offers__tags", "offers"] {
            store.run(&format!("DELETE FROM {table}"));
        }
        store.migrate(&script).unwrap_or_else(|error| panic!("{error}\n{script}"));
    }
}

/// Steps that have to be meant, or that need a default: the edits of the first version, and the places.
pub(crate) fn wrong_steps() {
    let cases: [(Edits, &[&str], &[&str]); 7] = [
        (&[("  note: { type: string }\n", "")], &["Offer.fields.note"], &[]),
        (&[("  note: { type: string }", "  note: { type: integer }")], &["Offer.fields.note.type"], &[]),
        (
            &[("  note: { type: string }", "  note: { type: string, maxLength: 3 }")],
            &["Offer.fields.note.maxLength"],
            &[],
        ),
        (
            &[("  note: { type: string }", "  note: { type: string }\n  size: { type: integer, required: true }")],
            &["Offer.fields.size"],
            &["Offer.fields.size"],
        ),
        (
            &[("  note: { type: string }", "  note: { type: string, required: true }")],
            &["Offer.fields.note.required"],
            &["Offer.fields.note.required"],
        ),
        (
            &[
                ("---\nresource: Category\nfields:\n  name: { type: string, required: true }\n", ""),
                ("  category: { type: ref, to: Category, onDelete: \"null\" }\n", ""),
                ("  tags: { type: array, items: { type: ref, to: Category } }\n", ""),
            ],
            &["Category", "Offer.fields.category", "Offer.fields.tags"],
            &[],
        ),
        (&[("  note: { type: string }", "  remark: { type: string }")], &["Offer.fields.note"], &[]),
    ];
    let old = checked(FIRST);
    for (edits, unasked, meant) in cases {
        let changes = changes(&old, &checked(&edited(FIRST, edits)));
        let places = |consent: bool| -> Vec<String> {
            refused(&changes, consent).iter().map(|change| change.at.to_string()).collect()
        };
        assert_eq!(places(false), unasked, "{edits:?}");
        assert_eq!(places(true), meant, "{edits:?}");
    }
}
