//! Any evolution: random edits of a small model, version by version, on SQLite and on PostgreSQL, with rows written in
//! between. Each version is refused for want of a default, or stopped by rows that are in the way, or leads to the
//! tables of a fresh database, with the rows kept, whole, and the same in both.
//!
//! A failure names the seed that `RESTWELL_SEED` takes, and is reduced to the fewest edits that still fail.

mod edits;
mod rows;

use crate::migrating::on_postgres::Postgres;
use crate::migrating::on_sqlite::Sqlite;
use crate::migrating::stores::Store;
use edits::{Edit, edit, edited, first};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseError, TestRunner};
use restwell_model::case_folding::postgres_function;
use restwell_model::changes::{Effect, changes};
use restwell_model::migrations::{Mode, Script, plan, refused};
use restwell_model::tables::{Dialect, Table, create};
use restwell_model::{Checked, Kind, Resource, Type};
use restwell_testkit::effort::{at_night, repeated, seed_or_clock};
use restwell_testkit::postgres::Server;
use std::cell::RefCell;

/// Evolutions that are tried, and those of a night.
const EVOLUTIONS: (u32, u32) = (4, 200);
/// Milliseconds that a failure is reduced for, at most.
const REDUCING: u32 = 60_000;

/// A database that is migrated, and one that is created.
struct Place {
    store: Box<dyn Store>,
    fresh: Box<dyn Store>,
}

pub(crate) fn lead_to_fresh_databases(server: &Server) {
    let seed = seed_or_clock();
    let evolutions = at_night(EVOLUTIONS);
    let config = ProptestConfig {
        failure_persistence: None,
        max_shrink_time: REDUCING,
        rng_seed: RngSeed::Fixed(seed),
        ..ProptestConfig::with_cases(evolutions)
    };
    let postgres = || Box::new(Postgres::new(server.clone()));
    let places = RefCell::new([
        Place { store: Box::new(Sqlite::new()), fresh: Box::new(Sqlite::new()) },
        Place { store: postgres(), fresh: postgres() },
    ]);
    let versions = vec((vec(edit(), 1..5), any::<u32>()), 1..9);
    let done = TestRunner::new(config).run(&versions, |versions| evolve(&mut *places.borrow_mut(), &versions));
    if let Err(error) = done {
        panic!("{}\n{error}", repeated(seed));
    }
}

fn evolve(places: &mut [Place], versions: &[(Vec<Edit>, u32)]) -> Result<(), TestCaseError> {
    let mut model = first();
    places.iter_mut().for_each(|place| make(&mut *place.store, &model));
    let mut written = 1;
    for (edits, dice) in versions {
        places.iter().for_each(|place| rows::write(&*place.store, &model, written, *dice));
        written += 10;
        let next = edited(&model, edits);
        let changes = changes(&model, &next);
        if !refused(&changes, true).is_empty() {
            continue;
        }
        let is_safe = changes.iter().all(|change| change.effect == Effect::Safe);
        let mut stopped = Vec::new();
        for place in &mut *places {
            stopped.push(step(place, (&model, &next), is_safe)?);
        }
        prop_assert!(stopped.iter().all(|one| *one == stopped[0]), "stopped by rows: {:?}", stopped);
        for resource in &next.resources {
            let table = Table::of(&next, resource);
            let stored: Vec<_> = places.iter().map(|place| rows::all(&*place.store, &table)).collect();
            prop_assert!(stored.iter().all(|one| *one == stored[0]), "{}: {:#?}", table.name, stored);
        }
        model = next;
    }
    Ok(())
}

/// Brings one database from one version to the next; whether rows were in the way.
fn step(place: &mut Place, (old, new): (&Checked, &Checked), is_safe: bool) -> Result<bool, TestCaseError> {
    let dialect = place.store.dialect();
    let script = plan(old, new, dialect);
    prop_assert_eq!(Script::parse(&script.to_string()), Ok(script.clone()));
    prop_assert_eq!(plan(new, new, dialect), Script::default());
    make(&mut *place.fresh, new);
    let (store, before) = (&*place.store, place.store.catalogue());
    let kept: Vec<_> = kept(old, new).into_iter().map(|kept| (kept.before(store), kept)).collect();
    let stopped = match store.migrate(&script) {
        Ok(()) => false,
        Err(reason) => {
            let is_check = |mode: &Mode| matches!(mode, Mode::Check(wrong) if reason.starts_with(wrong.as_str()));
            let is_by_rows = script.steps.iter().any(|step| is_check(&step.mode));
            prop_assert!(is_by_rows && !is_safe, "{:?}: {}\n{}", dialect, reason, script);
            prop_assert_eq!(store.catalogue(), before, "{:?}: {}\n{}", dialect, reason, script);
            empty(store, old);
            let done = store.migrate(&script);
            prop_assert!(done.is_ok(), "{:?}, without rows: {:?}\n{}", dialect, done, script);
            true
        }
    };
    let (found, expected) = (store.catalogue(), place.fresh.catalogue());
    prop_assert_eq!(found, expected, "{:?}\n{}", dialect, script);
    for (before, kept) in kept.iter().filter(|_| !stopped) {
        let after = rows::column(store, &kept.new.0, kept.new.1);
        let is_lost = |row: &&String| !after.contains(row);
        let lost: Vec<_> = before.iter().filter(is_lost).collect();
        prop_assert!(lost.is_empty(), "{:?}: {:?} of {}\n{}", dialect, lost, kept.new.0.name, script);
    }
    for resource in &new.resources {
        let torn = rows::torn(store, new, resource);
        prop_assert!(torn.is_empty(), "{:?}: {}: {:?}\n{}", dialect, resource.name, torn, script);
    }
    Ok(stopped)
}

/// A column that both versions have, with the same values.
struct Kept {
    old: (Table, usize),
    new: (Table, usize),
}

impl Kept {
    fn before(&self, store: &dyn Store) -> Vec<String> {
        rows::column(store, &self.old.0, self.old.1)
    }
}

/// The ids of every resource that stays, and its fields of one column and the same type.
fn kept(old: &Checked, new: &Checked) -> Vec<Kept> {
    let mut found = Vec::new();
    let renamed = renames(&resource_names(new), &resource_names(old));
    for now in &new.resources {
        let Some(before) = earlier(&now.name, &renamed, |name| old.resource(name)) else { continue };
        let tables = (Table::of(old, before), Table::of(new, now));
        let columns = std::iter::once((0, 0)).chain(same_fields((old, before, &tables.0), (new, now, &tables.1)));
        found.extend(columns.map(|(from, to)| Kept { old: (tables.0.clone(), from), new: (tables.1.clone(), to) }));
    }
    found
}

fn same_fields(
    (_, before, old_table): (&Checked, &Resource, &Table),
    (new, now, new_table): (&Checked, &Resource, &Table),
) -> Vec<(usize, usize)> {
    let of_before = |name: &str| before.fields.iter().find(|field| field.name == name);
    let renamed = renames(&field_names(now), &field_names(before));
    let same = now.fields.iter().filter_map(|field| {
        let old = earlier(&field.name, &renamed, of_before)?;
        let is_scalar = matches!(new.kind(&field.ty), Kind::Scalar(ty) if !matches!(ty, Type::Price { .. }));
        let is_same = old.ty == field.ty && is_scalar;
        is_same.then_some((old_table.slot(&old.name)?.columns.start, new_table.slot(&field.name)?.columns.start))
    });
    same.collect()
}

/// What something was in the version before. `renamed`: the renames of the new version, each with the new name before
/// the old one.
fn earlier<'a, T>(name: &str, renamed: &[(String, String)], find: impl Fn(&str) -> Option<&'a T>) -> Option<&'a T> {
    match renamed.iter().find(|(new, _)| new == name) {
        Some((_, old)) => find(old),
        // what another one has got is gone
        None => find(name).filter(|_| renamed.iter().all(|(_, old)| old != name)),
    }
}

/// The renames that are carried out, of names with what they were renamed from. `before`: the same of the version before.
fn renames(new: &[Names<'_>], before: &[Names<'_>]) -> Vec<(String, String)> {
    let was_there = |name: &str| before.iter().any(|(old, _)| *old == name);
    let is_new = |names: &Names<'_>| !before.contains(names);
    let said = new.iter().filter(|names| is_new(names)).filter_map(|(name, from)| Some((*name, (*from)?)));
    let mut renames: Vec<_> = said.filter(|(_, from)| was_there(from)).collect();
    loop {
        // what keeps its name gives it to nothing else
        let goes =
            |from: &str| new.iter().all(|(name, _)| *name != from) || renames.iter().any(|(new, _)| *new == from);
        let left: Vec<_> = renames.iter().copied().filter(|(_, from)| goes(from)).collect();
        if left.len() == renames.len() {
            return left.into_iter().map(|(new, old)| (new.to_owned(), old.to_owned())).collect();
        }
        renames = left;
    }
}

/// A name, and what it was renamed from.
type Names<'n> = (&'n str, Option<&'n str>);

fn resource_names(service: &Checked) -> Vec<Names<'_>> {
    service.resources.iter().map(|it| (it.name.as_str(), it.renamed_from.as_deref())).collect()
}

fn field_names(resource: &Resource) -> Vec<Names<'_>> {
    resource.fields.iter().map(|field| (field.name.as_str(), field.renamed_from.as_deref())).collect()
}

/// The tables of a version, in a database that has no others.
fn make(store: &mut dyn Store, service: &Checked) {
    match store.dialect() {
        Dialect::Sqlite => store.renew(),
        Dialect::Postgres => {
            // faster than another database
            store.run("SET synchronous_commit = off; DROP SCHEMA public CASCADE; CREATE SCHEMA public");
            store.run(postgres_function());
        }
    }
    store.run("BEGIN");
    create(service, store.dialect()).iter().for_each(|statement| store.run(statement));
    store.run("COMMIT");
}

fn empty(store: &dyn Store, service: &Checked) {
    let tables = service.resources.iter().map(|resource| Table::of(service, resource));
    let names: Vec<_> = tables.map(|table| format!("\"{}\"", table.name)).collect();
    match store.dialect() {
        Dialect::Sqlite => {
            store.run("PRAGMA foreign_keys = OFF");
            names.iter().for_each(|name| store.run(&format!("DELETE FROM {name}")));
            store.run("PRAGMA foreign_keys = ON");
        }
        Dialect::Postgres => store.run(&format!("TRUNCATE {} CASCADE", names.join(", "))),
    }
}
