//! Rules that are added to a filled database: by the program, which names the rows that break them.

use crate::migrating::stores::Store;
use crate::migrating::versions::checked;
use restwell::testing::{self, bring_along};
use restwell_model::changes::{Effect, changes};
use restwell_model::migrations::plan;

const FIELDS: &str = "  note: { type: string }\n  count: { type: integer }\n";

fn text(rules: &str, fields: &str) -> String {
    let rules = if rules.is_empty() { String::new() } else { format!("rules:\n{rules}") };
    format!("service: shop\n---\nresource: Offer\n{rules}fields:\n{fields}")
}

fn rule(check: &str) -> String {
    format!("  - {{ check: '{check}', code: TooMany, message: must be fewer }}\n")
}

fn bring(store: &dyn Store, text: &str) -> Result<(), String> {
    bring_along(checked(text).into_inner(), &store.url())
}

#[track_caller]
fn brought(store: &dyn Store, text: &str) {
    bring(store, text).unwrap_or_else(|reason| panic!("{reason}\n{text}"));
}

fn fill(store: &dyn Store) {
    for (number, count) in [(1, "1"), (2, "20"), (3, "NULL"), (4, "30"), (5, "40"), (6, "50")] {
        let id = store.id(number);
        store.run(&format!("INSERT INTO offers (id, created_at, updated_at, count) VALUES ({id}, 1, 1, {count})"));
    }
}

/// The first rows that break a rule are named, and nothing is changed until they keep it. A rule is verified once.
pub(crate) fn verified(store: &mut dyn Store) {
    store.renew();
    brought(store, &text("", FIELDS));
    fill(store);
    let ruled = text(&rule("count == null || count < 20"), FIELDS);
    let before = store.catalogue();
    let reason = bring(store, &ruled).expect_err("rows break the rule");
    let said = "verify-offer-rules cannot run in the database";
    assert!(reason.contains(said) && reason.contains("nothing was changed"), "{reason}");
    let rows = "Offer.rules[0]: stored rows break `TooMany`, as 00000000-0000-7000-8000-000000000002, \
                00000000-0000-7000-8000-000000000004, 00000000-0000-7000-8000-000000000005";
    assert!(reason.contains(rows) && !reason.contains("000000000006"), "{reason}");
    assert_eq!(store.catalogue(), before);
    store.run("UPDATE offers SET count = 19 WHERE count >= 20");
    brought(store, &ruled);
    // what is in the database already is not verified again
    store.run("UPDATE offers SET count = 99");
    brought(store, &ruled);
    let with_field = text(&rule("count == null || count < 20"), &format!("{FIELDS}  more: {{ type: string }}\n"));
    brought(store, &with_field);
    let changed = text(&rule("count == null || count < 90"), &format!("{FIELDS}  more: {{ type: string }}\n"));
    let reason = bring(store, &changed).expect_err("rows break what the rule says now");
    assert!(reason.contains("Offer.rules[0]: stored rows break `TooMany`, as 00000000"), "{reason}");
}

/// `required: { when: … }`.
pub(crate) fn required(store: &mut dyn Store) {
    store.renew();
    brought(store, &text("", FIELDS));
    fill(store);
    let ruled = text("", "  note: { type: string, required: { when: count > 30 } }\n  count: { type: integer }\n");
    let reason = bring(store, &ruled).expect_err("rows have no note");
    let rows = "Offer.fields.note.required.when: stored rows have no value where one is required, as \
                00000000-0000-7000-8000-000000000005, 00000000-0000-7000-8000-000000000006";
    assert!(reason.contains("verify-offer-note cannot run") && reason.contains(rows), "{reason}");
    store.run("UPDATE offers SET note = 'many' WHERE count > 30");
    brought(store, &ruled);
}

/// `import` restores rows as they were, and names those that break what the model demands of stored rows.
pub(crate) fn imported(store: &mut dyn Store) {
    store.renew();
    let before = text("", FIELDS);
    brought(store, &before);
    fill(store);
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let file = |name: &str| format!("sqlite://{}", folder.path().join(name).display());
    let copy = |from: (&str, &str), to: (&str, &str)| {
        testing::copy((checked(from.0).into_inner(), from.1), (checked(to.0).into_inner(), to.1))
    };
    // out of this store into a file, and back into an empty one
    copy((&before, &store.url()), (&before, &file("all.db"))).expect("a copy");
    store.renew();
    let required = "  note: { type: string, required: { when: count > 40 } }\n  count: { type: integer }\n";
    let ruled = text(&(rule("count == null || count < 20 || note == \"why?\"") + &rule("now > createdAt")), required);
    let reason = copy((&before, &file("all.db")), (&ruled, &store.url())).expect_err("rows break the rule");
    let broken = "Offer.rules[0]: stored rows break `TooMany`, as 00000000-0000-7000-8000-000000000002, \
                  00000000-0000-7000-8000-000000000004, 00000000-0000-7000-8000-000000000005; \
                  Offer.fields.note.required.when: stored rows have no value where one is required, as \
                  00000000-0000-7000-8000-000000000006";
    assert_eq!(reason, broken);
    let kept = text(&rule("count == null || count < 60"), FIELDS);
    // nothing was kept: it is still empty
    store.renew();
    copy((&before, &file("all.db")), (&kept, &store.url())).expect("a copy");
    assert_eq!(store.rows("SELECT count(*) FROM offers"), ["6"]);
}

/// What depends on more than the row is about writes: rows are not held to it.
pub(crate) fn of_writes_alone() {
    let before = checked(&text("", FIELDS));
    for check in ["old == null || old.count == count", "now > createdAt", "caller != null", "count < 20"] {
        let after = checked(&text(&rule(check), FIELDS));
        let effects: Vec<_> = changes(&before, &after).into_iter().map(|change| change.effect).collect();
        let is_of_rows = check == "count < 20";
        assert_eq!(effects, [if is_of_rows { Effect::Verified } else { Effect::Safe }], "{check}");
        for dialect in restwell_model::tables::Dialect::ALL {
            assert_eq!(plan(&before, &after, dialect).steps.len(), usize::from(is_of_rows), "{check}");
        }
    }
}
