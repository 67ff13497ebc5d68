//! What a migration may not do, or cannot: it says where, and nothing is changed.

use crate::migrating::stores::Store;
use crate::migrating::versions::{FIRST, VERSIONS, checked, edited};
use restwell_model::changes::changes;
use restwell_model::migrations::{plan, refused};
use restwell_model::tables::create;

type Edits = &'static [(&'static str, &'static str)];

/// Rows that are in the way: the edits of the first version, a statement that puts the row there, and what is said.
const ROWS: [(Edits, &str, &str); 15] = [
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
    (
        &[(
            "unique: [[shelf, slot]]",
            "unique: [[shelf, slot]]\nrules:\n  - { check: 'count < 12', code: TooMany, message: must be fewer }",
        )],
        "UPDATE offers SET count = 13 WHERE name = 'Bicycle'",
        "Offer.rules[0]: stored rows break `TooMany`: 00000000-0000-7000-8000-000000000011",
    ),
    (
        &[(
            "unique: [[shelf, slot]]",
            "unique: [[shelf, slot]]\nrules:\n  - check: 'seller.email != null || name in [\"it''s; so\", \"?\"]'\n    \
             code: Unreachable\n    message: has a seller without an address\n",
        )],
        "UPDATE offers SET count = 4",
        "Offer.rules[0]: stored rows break `Unreachable`: 00000000-0000-7000-8000-000000000012",
    ),
    (
        &[(
            "resource: User\n",
            "resource: User\nrules:\n  - { check: 'count(Offer.seller, count > 3) == 0', code: Busy, message: has to wait }\n",
        )],
        "UPDATE offers SET count = 4",
        "User.rules[0]: stored rows break `Busy`: 00000000-0000-7000-8000-000000000001, 00000000-0000-7000-8000-000000000002",
    ),
    (
        &[(
            "unique: [[shelf, slot]]",
            "unique: [[shelf, slot]]\nrules:\n  - check: 'seller.count(Offer.seller, count > 3 && name == outer.name) < 1'\n    \
             code: Repeated\n    message: must not be there twice",
        )],
        "UPDATE offers SET count = 4",
        "Offer.rules[0]: stored rows break `Repeated`: 00000000-0000-7000-8000-000000000011",
    ),
    (
        &[("  note: { type: string }", "  note: { type: string, required: { when: count > 3 } }")],
        "UPDATE offers SET note = NULL",
        "Offer.fields.note.required.when: stored rows have no value where one is required: 00000000-0000-7000-8000-000000000011",
    ),
    (
        &[(
            "  note: { type: string }",
            "  note: { type: string }\n  size: { type: price, required: { when: slot < 3 } }",
        )],
        "UPDATE offers SET count = 4",
        "Offer.fields.size.required.when: stored rows have no value where one is required: \
         00000000-0000-7000-8000-000000000011, 00000000-0000-7000-8000-000000000012",
    ),
    // with the values that the migration gives, under the new names
    (
        &[
            (
                "  count: { type: integer, required: true }",
                "  amount: { type: decimal, scale: 3, required: true, renamedFrom: count }\n  \
                 weight: { type: integer, required: true, default: 7 }\n  rack: { type: ref, to: Rack }",
            ),
            ("resource: User\n", "resource: User\nplural: people\n"),
            (
                "unique: [[shelf, slot]]",
                "unique: [[shelf, slot]]\nrules:\n  - check: 'amount < 12.000 || weight > 7 || rack.name != null || \
                 seller.name == \"Bo\" || any(Rack.first, name == \"A\")'\n    code: TooHeavy\n    message: is too heavy",
            ),
            (
                "---\nobject: Address",
                "---\nresource: Rack\nfields:\n  name: { type: string }\n  first: { type: ref, to: Offer }\n---\n\
                 object: Address",
            ),
        ],
        "UPDATE offers SET count = 12",
        "Offer.rules[0]: stored rows break `TooHeavy`: 00000000-0000-7000-8000-000000000011",
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
