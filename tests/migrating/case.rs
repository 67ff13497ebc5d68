//! `unique: ignoreCase`, and filters in any case, come to a filled table, change, and go: by the program, with what others
//! write meanwhile.

use crate::migrating::stores::Store;
use crate::migrating::versions::checked;
use restwell::testing::bring_along;
use restwell_model::case_folding::FOLD_CASE;
use restwell_model::changes::changes;
use restwell_model::migrations::{plan, refused};
use restwell_model::tables::Dialect;

/// What is said of the code in each version, and whether another row may have it in another case, and in its own.
const VERSIONS: [(&str, bool, bool); 10] = [
    ("code: { type: string }", true, true),
    ("code: { type: string, unique: true }", true, false),
    ("code: { type: string, unique: ignoreCase }", false, false),
    ("code: { type: string, unique: ignoreCase, filter: true }", false, false),
    ("sku: { type: string, unique: ignoreCase, filter: true, renamedFrom: code }", false, false),
    ("sku: { type: string }", true, true),
    ("sku: { type: string, required: true, default: NONE }", true, true),
    ("sku: { type: string, required: true, unique: ignoreCase }", false, false),
    ("sku: { type: string, required: true, unique: true, sort: true }", true, false),
    ("sku: { type: string, required: true }", true, true),
];

fn text(field: &str, plural: &str) -> String {
    format!("service: shop\n---\nresource: Offer\nplural: {plural}\nfields:\n  name: {{ type: string }}\n  {field}\n")
}

/// Makes a new database without the function, which the program makes where it is needed.
fn renew(store: &mut dyn Store) {
    store.renew();
    if store.dialect() == Dialect::Postgres {
        store.run(&format!("DROP FUNCTION \"{FOLD_CASE}\""));
    }
}

fn bring(store: &dyn Store, text: &str) -> Result<(), String> {
    bring_along(checked(text).into_inner(), &store.url())
}

/// Writes a row where it may be, and takes it away again.
fn may_be(store: &dyn Store, column: &str, code: &str) -> bool {
    store.run(&format!(
        "INSERT INTO offers (id, created_at, updated_at, {column}) VALUES ({}, 1, 1, '{code}') ON CONFLICT DO NOTHING",
        store.id(90)
    ));
    let found = store.rows(&format!("SELECT id FROM offers WHERE id = {}", store.id(90)));
    store.run(&format!("DELETE FROM offers WHERE id = {}", store.id(90)));
    !found.is_empty()
}

pub(crate) fn comes_and_goes(store: &mut dyn Store) {
    let texts = VERSIONS.map(|(field, ..)| text(field, "offers"));
    let fresh = |text: &String| {
        renew(store);
        bring(store, text).unwrap_or_else(|reason| panic!("{reason}"));
        store.catalogue()
    };
    let expected: Vec<_> = texts.iter().map(fresh).collect();
    renew(store);
    bring(store, &texts[0]).unwrap_or_else(|reason| panic!("{reason}"));
    for (number, code) in ["'Straße'", "'ΟΔΥΣΣΕΥΣ'", "'plain'", "NULL", "NULL"].into_iter().enumerate() {
        let id = store.id(number as u8);
        store.run(&format!("INSERT INTO offers (id, created_at, updated_at, code) VALUES ({id}, 1, 1, {code})"));
    }
    for (number, (field, in_another, in_its_own)) in VERSIONS.into_iter().enumerate() {
        if number == 7 {
            // what got the default is not unique, and says so
            let reason = bring(store, &texts[number]).expect_err("two rows have the default");
            let said =
                "Offer.fields.sku.unique: several stored rows have the same value but for its case, as NONE NONE";
            assert!(reason.contains(said) && reason.contains("nothing was changed"), "{reason}");
            store.run(&format!("DELETE FROM offers WHERE id = {}", store.id(4)));
        }
        bring(store, &texts[number]).unwrap_or_else(|reason| panic!("{field}: {reason}"));
        assert_eq!(store.catalogue(), expected[number], "{field}");
        let column = field.split(':').next().expect("a name");
        for (code, may) in [("STRASSE", in_another), ("οδυσσευς", in_another), ("Straße", in_its_own), ("new", true)]
        {
            assert_eq!(may_be(store, column, code), may, "{field}: {code}");
        }
        let rows = store.rows(&format!("SELECT {column} FROM offers WHERE {column} <> 'NONE' ORDER BY id"));
        assert_eq!(rows, ["Straße", "ΟΔΥΣΣΕΥΣ", "plain"], "{field}");
    }
}

/// Rows in the way are named as they are written, and nothing is changed.
pub(crate) fn is_refused_for_rows(store: &mut dyn Store) {
    let (old, new) = (
        text("code: { type: string, unique: true }", "offers"),
        text("code: { type: string, unique: ignoreCase }", "offers"),
    );
    renew(store);
    bring(store, &old).unwrap_or_else(|reason| panic!("{reason}"));
    for (number, code) in ["Ann", "Bob", "bob", "ANN", "ann", "Carl"].into_iter().enumerate() {
        let id = store.id(number as u8);
        store.run(&format!("INSERT INTO offers (id, created_at, updated_at, code) VALUES ({id}, 1, 1, '{code}')"));
    }
    let before = store.catalogue();
    let reason = bring(store, &new).expect_err("rows are in the way");
    let said = "Offer.fields.code.unique: several stored rows have the same value but for its case, as ";
    assert!(reason.contains(said) && reason.contains("nothing was changed"), "{reason}");
    assert!(reason.contains("ANN ann") && reason.contains("Bob bob") && !reason.contains("Carl"), "{reason}");
    assert_eq!(store.catalogue(), before);
    store.run("DELETE FROM offers WHERE code IN ('ann', 'ANN', 'bob')");
    bring(store, &new).unwrap_or_else(|reason| panic!("{reason}"));
    assert!(!may_be(store, "code", "BOB") && may_be(store, "code", "Dora"));
}

/// The index follows its table and its column, and is not looked at again: what is unique stays so.
pub(crate) fn follows_names(store: &mut dyn Store) {
    let old = text("code: { type: string, unique: ignoreCase }", "offers");
    let new = text("sku: { type: string, unique: ignoreCase, renamedFrom: code }", "listings");
    let (old, new) = (checked(&old), checked(&new));
    assert!(refused(&changes(&old, &new), false).is_empty());
    let script = plan(&old, &new, store.dialect()).to_string();
    assert!(!script.contains("-- check"), "{script}");
    renew(store);
    for service in [&old, &new] {
        bring_along(service.clone().into_inner(), &store.url()).unwrap_or_else(|reason| panic!("{reason}"));
    }
    let found = store.catalogue();
    renew(store);
    bring_along(new.into_inner(), &store.url()).unwrap_or_else(|reason| panic!("{reason}"));
    assert_eq!(found, store.catalogue());
}

/// A field that is no longer unique gets a default for the rows without a value, in one migration.
pub(crate) fn gives_way_to_a_default(store: &mut dyn Store) {
    let new = text("code: { type: string, required: true, default: NONE }", "offers");
    for unique in ["true", "ignoreCase"] {
        renew(store);
        bring(store, &new).unwrap_or_else(|reason| panic!("{reason}"));
        let expected = store.catalogue();
        renew(store);
        let old = text(&format!("code: {{ type: string, unique: {unique} }}"), "offers");
        bring(store, &old).unwrap_or_else(|reason| panic!("{reason}"));
        for (number, code) in ["'A'", "NULL", "NULL"].into_iter().enumerate() {
            let id = store.id(number as u8);
            store.run(&format!("INSERT INTO offers (id, created_at, updated_at, code) VALUES ({id}, 1, 1, {code})"));
        }
        bring(store, &new).unwrap_or_else(|reason| panic!("unique: {unique}: {reason}"));
        assert_eq!(store.rows("SELECT code FROM offers ORDER BY id"), ["A", "NONE", "NONE"]);
        assert_eq!(store.catalogue(), expected);
    }
}

/// What is said of the code in each version, and whether an index has its texts folded, beside that of what is unique.
const FILTERS: [(&str, bool); 8] = [
    ("code: { type: string }", false),
    ("code: { type: string, filter: [startsWithIgnoreCase] }", true),
    ("code: { type: string, filter: [startsWith] }", false),
    ("code: { type: string, filter: [containsIgnoreCase], allow: { slow-contains: few } }", false),
    ("sku: { type: string, filter: [startsWithIgnoreCase], renamedFrom: code }", true),
    ("sku: { type: string, filter: [startsWithIgnoreCase], unique: ignoreCase }", false),
    ("sku: { type: string, filter: [startsWithIgnoreCase], unique: true }", true),
    ("sku: { type: string }", false),
];

/// The rows that were there are found at once, and each version has the indexes of a fresh database.
pub(crate) fn filter_comes_and_goes(store: &mut dyn Store) {
    let texts = FILTERS.map(|(field, _)| text(field, "offers"));
    let fresh = |text: &String| {
        renew(store);
        bring(store, text).unwrap_or_else(|reason| panic!("{reason}"));
        store.catalogue()
    };
    let expected: Vec<_> = texts.iter().map(fresh).collect();
    renew(store);
    for (number, (field, has_index)) in FILTERS.into_iter().enumerate() {
        bring(store, &texts[number]).unwrap_or_else(|reason| panic!("{field}: {reason}"));
        assert_eq!(store.catalogue(), expected[number], "{field}");
        let folded = store.catalogue().iter().filter(|line| line.contains(".folded.idx")).count();
        assert_eq!(folded, usize::from(has_index), "{field}");
        if number == 0 {
            for (number, code) in ["'Straße 1'", "'ΟΔΥΣΣΕΥΣ'", "'plain'", "NULL"].into_iter().enumerate() {
                let id = store.id(number as u8);
                store
                    .run(&format!("INSERT INTO offers (id, created_at, updated_at, code) VALUES ({id}, 1, 1, {code})"));
            }
        } else {
            let column = field.split(':').next().expect("a name");
            let found = store.rows(&format!(
                "SELECT {column} FROM offers WHERE \"{FOLD_CASE}\"({column}) >= 'strasse' \
                 AND \"{FOLD_CASE}\"({column}) < 'strassf'"
            ));
            assert_eq!(found, ["Straße 1"], "{field}");
        }
    }
}
