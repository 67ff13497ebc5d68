//! Twelve versions, one after the other, and every leap between two of them.

use crate::migrating::stores::Store;
use crate::migrating::versions::{VERSIONS, checked, texts};
use restwell_model::Checked;
use restwell_model::changes::changes;
use restwell_model::migrations::{Script, plan, refused};
use restwell_model::tables::{Dialect, create};

pub(crate) fn make(store: &mut dyn Store, service: &Checked) {
    store.renew();
    create(service, store.dialect()).iter().for_each(|statement| store.run(statement));
}

/// What a new database of this version looks like.
pub(crate) fn fresh(store: &mut dyn Store, service: &Checked) -> Vec<String> {
    make(store, service);
    store.catalogue()
}

fn services() -> Vec<Checked> {
    texts().iter().map(|text| checked(text)).collect()
}

pub(crate) fn step_by_step(store: &mut dyn Store) {
    let services = services();
    let expected: Vec<_> = services.iter().map(|service| fresh(store, service)).collect();
    make(store, &services[0]);
    for (number, version) in VERSIONS.iter().enumerate() {
        let name = version.name;
        if number > 0 {
            let (old, new) = (&services[number - 1], &services[number]);
            let changes = changes(old, new);
            assert_eq!(!refused(&changes, false).is_empty(), version.needs_consent, "{name}: {changes:#?}");
            assert!(refused(&changes, true).is_empty(), "{name}: {changes:#?}");
            let script = plan(old, new, store.dialect());
            store.migrate(&script).unwrap_or_else(|error| panic!("{name}: {error}\n{script}"));
            assert_eq!(store.catalogue(), expected[number], "{name}:\n{script}");
        }
        version.write(store);
        for (query, rows) in version.expected {
            assert_eq!(store.rows(query), *rows, "{name}: {query}");
        }
        let nothing = plan(&services[number], &services[number], store.dialect());
        assert_eq!(nothing, Script::default(), "{name}");
    }
}

/// Skipping versions works as well, and going back: what was not renamed is dropped and added.
pub(crate) fn in_leaps(store: &mut dyn Store) {
    let services = services();
    let expected: Vec<_> = services.iter().map(|service| fresh(store, service)).collect();
    for (from, old) in services.iter().enumerate() {
        for to in [0, 6, 11] {
            let new = &services[to];
            make(store, old);
            let script = plan(old, new, store.dialect());
            store.migrate(&script).unwrap_or_else(|error| panic!("{from} to {to}: {error}\n{script}"));
            assert_eq!(store.catalogue(), expected[to], "{from} to {to}:\n{script}");
        }
    }
}

pub(crate) fn as_text(store: &mut dyn Store) {
    let services = services();
    for pair in services.windows(2) {
        let script = plan(&pair[0], &pair[1], store.dialect());
        assert!(!script.steps.is_empty());
        assert_eq!(Script::parse(&script.to_string()).as_ref(), Ok(&script));
    }
    if store.dialect() == Dialect::Postgres {
        let script = plan(&services[8], &services[9], Dialect::Postgres).to_string();
        assert!(script.contains("-- alone\nCREATE INDEX CONCURRENTLY \"listings.note.id.idx\""), "{script}");
    }
}
