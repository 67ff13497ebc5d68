//! Twelve versions of a shop: the first, and what each later one changes in the text before it.

use crate::migrating::stores::Store;
use restwell_generator::{Compiled, File, compile};
use restwell_model::Checked;

/// A version.
pub(crate) struct Version {
    pub(crate) name: &'static str,
    /// What is replaced in the schemas, each found once.
    pub(crate) edits: &'static [(&'static str, &'static str)],
    /// Whether something is lost that has to be meant.
    pub(crate) needs_consent: bool,
    /// Written by users of the version: statements in which `#1` is an id.
    pub(crate) written: &'static [&'static str],
    /// What the rows are then: queries and their rows.
    pub(crate) expected: &'static [(&'static str, &'static [&'static str])],
}

pub(crate) const FIRST: &str = r#"service: shop
users: User
---
resource: User
fields:
  name: { type: string, required: true }
  email: { type: string, format: email, filter: true }
---
resource: Category
fields:
  name: { type: string, required: true }
---
resource: Offer
owner: seller
unique: [[shelf, slot]]
fields:
  name: { type: string, required: true, filter: true }
  seller: { type: ref, to: User, required: true, filter: true }
  category: { type: ref, to: Category, onDelete: "null" }
  shelf: { type: string, required: true }
  slot: { type: integer, required: true }
  count: { type: integer, required: true }
  origin: { type: country }
  token: { type: uuid }
  addedOn: { type: date, sort: true }
  note: { type: string }
  place: { type: Address }
  tags: { type: array, items: { type: ref, to: Category } }
  price: { type: price }
---
object: Address
fields:
  city: { type: string, required: true }
"#;

const OFFER: &str = "INSERT INTO offers (id, created_at, updated_at, name, seller_id, category_id, shelf, slot, count, \
    origin, token, added_on, note, place, place_city, tags, price_amount, price_currency) VALUES ";

pub(crate) const VERSIONS: [Version; 12] = [
    Version {
        name: "first",
        edits: &[],
        needs_consent: false,
        written: &[
            "INSERT INTO users (id, created_at, updated_at, name, email) VALUES (#1, 1, 1, 'Ann', 'ann@example.com'), \
             (#2, 2, 2, 'Bo', NULL)",
            "INSERT INTO categories (id, created_at, updated_at, name) VALUES (#3, 1, 1, 'bikes'), (#4, 1, 1, 'toys')",
            "@(#11, 11, 11, 'Bicycle', #1, #3, 'A', 1, 12, 'PL', #90, 20000, 'it''s red', true, 'Toruń', '[]', 1999, 'PLN')",
            "@(#12, 12, 12, 'Kite', #2, NULL, 'A', 2, 0, NULL, NULL, NULL, NULL, NULL, NULL, '[{\"id\":\"4\"}]', NULL, NULL)",
            "INSERT INTO offers__tags VALUES (#12, #4)",
            "INSERT INTO _restwell_searches (id, resource, version, created_at, data) VALUES (#80, 'Offer', 'public.v1', 1, '{}'), \
             (#81, 'Category', 'public.v1', 1, '{}')",
        ],
        expected: &[("SELECT name FROM offers ORDER BY id", &["Bicycle", "Kite"])],
    },
    Version {
        name: "add fields",
        edits: &[
            (
                "  note: { type: string }\n",
                "  note: { type: string }\n  weight: { type: integer, required: true, default: 7, filter: true }\n  \
             isNew: { type: boolean, default: true }\n  contact: { type: Address }\n  \
             ratio: { type: number, required: true, default: 0.5 }\n  links: { type: array, items: { type: string } }\n",
            ),
            (
                "  city: { type: string, required: true }\n",
                "  city: { type: string, required: true }\n  zip: { type: string, required: true, default: \"00-000\" }\n",
            ),
        ],
        needs_consent: false,
        written: &[],
        expected: &[(
            "SELECT name, weight, CASE WHEN is_new THEN 'new' END, contact_city, ratio, links, place_zip FROM offers ORDER BY id",
            &["Bicycle|7|new||0.5|[]|00-000", "Kite|7|new||0.5|[]|"],
        )],
    },
    Version {
        name: "rename a field, and one in an object",
        edits: &[
            (
                "  name: { type: string, required: true, filter: true }\n  seller",
                "  title: { type: string, required: true, filter: true, renamedFrom: name }\n  seller",
            ),
            ("unique: [[shelf, slot]]", "unique: [[rack, slot]]"),
            (
                "  shelf: { type: string, required: true }",
                "  rack: { type: string, required: true, renamedFrom: shelf }",
            ),
            ("  city: { type: string, required: true }", "  town: { type: string, required: true, renamedFrom: city }"),
            (
                "  tags: { type: array, items: { type: ref, to: Category } }",
                "  labels: { type: array, items: { type: ref, to: Category }, renamedFrom: tags }",
            ),
        ],
        needs_consent: false,
        written: &[],
        expected: &[
            ("SELECT title, rack, place_town FROM offers ORDER BY id", &["Bicycle|A|Toruń", "Kite|A|"]),
            (
                "SELECT * FROM offers__labels",
                &["00000000-0000-7000-8000-000000000012|00000000-0000-7000-8000-000000000004"],
            ),
        ],
    },
    Version {
        name: "rename resources",
        edits: &[
            ("resource: Offer\n", "resource: Listing\nrenamedFrom: Offer\n"),
            ("resource: Category\n", "resource: Group\nrenamedFrom: Category\n"),
            (
                "category: { type: ref, to: Category, onDelete: \"null\" }",
                "category: { type: ref, to: Group, onDelete: \"null\" }",
            ),
            ("items: { type: ref, to: Category }", "items: { type: ref, to: Group }"),
        ],
        needs_consent: false,
        written: &[],
        expected: &[
            ("SELECT l.title, g.name FROM listings l JOIN \"groups\" g ON g.id = l.category_id", &["Bicycle|bikes"]),
            (
                "SELECT id, resource FROM _restwell_searches ORDER BY id",
                &["00000000-0000-7000-8000-000000000080|Listing", "00000000-0000-7000-8000-000000000081|Group"],
            ),
        ],
    },
    Version {
        name: "retype what the new types hold",
        edits: &[
            ("  count: { type: integer, required: true }", "  count: { type: decimal, required: true, sort: true }"),
            ("  origin: { type: country }", "  origin: { type: string }"),
            ("  token: { type: uuid }", "  token: { type: string }"),
            ("  addedOn: { type: date, sort: true }", "  addedOn: { type: timestamp, sort: true }"),
        ],
        needs_consent: false,
        written: &["UPDATE listings SET count = 1205 WHERE title = 'Kite'"],
        expected: &[(
            "SELECT title, count, origin, token, added_on FROM listings ORDER BY id",
            &["Bicycle|1200|PL|00000000-0000-7000-8000-000000000090|1728000000000", "Kite|1205|||"],
        )],
    },
    Version {
        name: "retype what they do not",
        edits: &[
            ("  note: { type: string }\n", "  note: { type: integer }\n"),
            (
                "  count: { type: decimal, required: true, sort: true }",
                "  count: { type: decimal, scale: 1, required: true, sort: true }",
            ),
            ("  price: { type: price }", "  price: { type: string, required: true, default: \"ask\" }"),
        ],
        needs_consent: true,
        written: &[],
        expected: &[(
            "SELECT title, note, count, price FROM listings ORDER BY id",
            &["Bicycle||120|ask", "Kite||120|ask"],
        )],
    },
    Version {
        name: "drop fields, and a resource that others refer to",
        edits: &[
            ("---\nresource: Group\nrenamedFrom: Category\nfields:\n  name: { type: string, required: true }\n", ""),
            ("  category: { type: ref, to: Group, onDelete: \"null\" }\n", ""),
            ("  labels: { type: array, items: { type: ref, to: Group }, renamedFrom: tags }\n", ""),
            ("  token: { type: string }\n", ""),
            ("  contact: { type: Address }\n", ""),
        ],
        needs_consent: true,
        written: &["UPDATE listings SET count = 15 WHERE title = 'Kite'"],
        expected: &[
            (
                "SELECT title, seller_id, count FROM listings ORDER BY id",
                &["Bicycle|00000000-0000-7000-8000-000000000001|120", "Kite|00000000-0000-7000-8000-000000000002|15"],
            ),
            ("SELECT resource FROM _restwell_searches", &["Listing"]),
        ],
    },
    Version {
        name: "split a unique",
        edits: &[
            ("unique: [[rack, slot]]", "unique: [[rack, title]]"),
            ("  slot: { type: integer, required: true }", "  slot: { type: integer, required: true, unique: true }"),
        ],
        needs_consent: false,
        written: &[],
        expected: &[("SELECT rack, slot FROM listings ORDER BY id", &["A|1", "A|2"])],
    },
    Version {
        name: "new resources, with references there and back",
        edits: &[
            (
                "---\nobject: Address\n",
                "---\nresource: Rack\nowner: keeper\nfields:\n  name: { type: string, required: true, unique: true }\n  \
             keeper: { type: ref, to: User, required: true }\n  best: { type: ref, to: Listing }\n  \
             listings: { type: array, items: { type: ref, to: Listing } }\n---\nobject: Address\n",
            ),
            (
                "  slot: { type: integer,",
                "  place2: { type: ref, to: Rack, onDelete: cascade }\n  slot: { type: integer,",
            ),
        ],
        needs_consent: false,
        written: &[
            "INSERT INTO racks (id, created_at, updated_at, name, keeper_id, best_id, listings) VALUES (#20, 1, 1, 'A', #1, #11, '[]')",
            "UPDATE listings SET place2_id = #20 WHERE title = 'Kite'",
        ],
        expected: &[("SELECT r.name, l.title FROM listings l JOIN racks r ON l.place2_id = r.id", &["A|Kite"])],
    },
    Version {
        name: "indexes come and go",
        edits: &[
            (
                "  email: { type: string, format: email, filter: true }",
                "  email: { type: string, format: email, unique: true }",
            ),
            (
                "  name: { type: string, required: true }\n  email",
                "  name: { type: string, required: true, sort: true }\n  email",
            ),
            ("filter: true, renamedFrom: name }", "renamedFrom: name }"),
            ("  note: { type: integer }", "  note: { type: integer, filter: true }"),
        ],
        needs_consent: false,
        written: &[],
        expected: &[("SELECT name, email FROM users ORDER BY id", &["Ann|ann@example.com", "Bo|"])],
    },
    Version {
        name: "required and optional change places",
        edits: &[
            ("  email: { type: string, format: email, unique: true }", "  email: { type: string, format: email }"),
            (
                "  origin: { type: string }",
                "  origin: { type: string, required: true, default: \"nowhere\", filter: true }",
            ),
            ("  rack: { type: string, required: true, ", "  rack: { type: string, "),
            ("  place: { type: Address }", "  place: { type: Address, required: true }"),
            ("  ratio: { type: number, required: true, default: 0.5 }", "  ratio: { type: number }"),
            (
                "  town: { type: string, required: true, renamedFrom: city }",
                "  town: { type: string, required: true, default: \"-\" }",
            ),
        ],
        needs_consent: false,
        written: &[],
        expected: &[(
            "SELECT title, origin, rack, place_town, place_zip FROM listings ORDER BY id",
            &["Bicycle|PL|A|Toruń|00-000", "Kite|nowhere|A|-|00-000"],
        )],
    },
    Version {
        name: "references change, and an object may be missing",
        edits: &[
            ("  place2: { type: ref, to: Rack, onDelete: cascade }", "  place2: { type: uuid }"),
            ("  best: { type: ref, to: Listing }", "  best: { type: ref, to: Listing, onDelete: \"null\" }"),
            ("  place: { type: Address, required: true }", "  place: { type: Address }"),
            ("resource: User\n", "resource: User\nplural: people\n"),
        ],
        needs_consent: false,
        written: &[],
        expected: &[
            (
                "SELECT title, place2, CASE WHEN place THEN 'there' END FROM listings ORDER BY id",
                &["Bicycle||there", "Kite|00000000-0000-7000-8000-000000000020|there"],
            ),
            ("SELECT name FROM people ORDER BY id", &["Ann", "Bo"]),
        ],
    },
];

impl Version {
    /// Writes what users of this version write.
    pub(crate) fn write(&self, store: &dyn Store) {
        for statement in self.written {
            let mut statement = statement.replacen('@', OFFER, usize::from(statement.starts_with('@')));
            for number in (0..100).rev() {
                statement = statement.replace(&format!("#{number}"), &store.id(number));
            }
            store.run(&statement);
        }
    }
}

/// The schemas of each version.
pub(crate) fn texts() -> Vec<String> {
    let mut text = FIRST.to_owned();
    let edited = VERSIONS.iter().map(|version| {
        text = edited(&text, version.edits);
        text.clone()
    });
    edited.collect()
}

/// The text with each edit done once.
pub(crate) fn edited(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert_eq!(text.matches(from).count(), 1, "{from} in\n{text}");
        text.replace(from, to)
    })
}

pub(crate) fn compiled(text: &str) -> Compiled {
    let files: Vec<_> =
        text.split("---\n").enumerate().map(|(at, text)| File::new(&format!("{at}.yaml"), text)).collect();
    compile(&files)
}

#[track_caller]
pub(crate) fn checked(text: &str) -> Checked {
    let compiled = compiled(text);
    compiled.service.unwrap_or_else(|| panic!("{:#?}\n{text}", compiled.diagnostics)).0
}
