//! Two models side by side ("Migrations"): every difference in the tables is reported as a change, each place exists,
//! and the way back undoes the way there.

use super::config;
use proptest::prelude::*;
use restwell_model::changes::{Change, ChangeKind, changes};
use restwell_model::check::Key;
use restwell_model::compatibility::{Judgement, judge};
use restwell_model::scalar::Date;
use restwell_model::tables::{Dialect, create};
use restwell_model::{Checked, Field, ModelPath, Service};
use restwell_testkit::any_model::{any_service, repaired};
use std::collections::BTreeSet;

fn checked(service: Service) -> Checked {
    Checked::new(repaired(service)).unwrap()
}

fn all_fields(service: &mut Service) -> impl Iterator<Item = &mut Vec<Field>> {
    let objects = service.objects.iter_mut().map(|object| &mut object.fields);
    objects.chain(service.resources.iter_mut().map(|resource| &mut resource.fields))
}

/// Nothing was ever called otherwise: the way back knows no renames.
fn never_renamed(mut service: Service) -> Service {
    for resource in &mut service.resources {
        (resource.renamed_from, resource.formerly) = (None, None);
        resource.views.iter_mut().for_each(|view| view.formerly = None);
        resource.commands.iter_mut().for_each(|command| command.formerly = None);
    }
    all_fields(&mut service).flatten().for_each(|field| (field.renamed_from, field.formerly) = (None, None));
    service
}

/// The first field of a definition that has one is as another model has its own.
fn with_one_field_of(mut service: Service, mut other: Service, at: usize) -> Service {
    let field = all_fields(&mut other).flatten().nth(at).cloned();
    if let (Some(field), Some(old)) = (field, all_fields(&mut service).flatten().next()) {
        *old = Field { name: old.name.clone(), ..field };
    }
    service
}

/// The tables, with columns and indexes in any order.
fn tables(service: &Checked) -> BTreeSet<Vec<String>> {
    let lines = |statement: &String| {
        let mut lines: Vec<_> = statement.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    Dialect::ALL.into_iter().flat_map(|dialect| create(service, dialect)).map(|statement| lines(&statement)).collect()
}

fn places(changes: &[Change], what: ChangeKind) -> BTreeSet<String> {
    changes.iter().filter(|change| change.kind == what).map(|change| change.at.to_string()).collect()
}

fn has(service: &Checked, change: &Change) -> bool {
    let Some(name) = &change.at.definition else { return true };
    service.resource(name).is_some() || service.object(name).is_some() || service.enumeration(name).is_some()
}

fn judged(old: &Checked, new: &Checked) -> Vec<Judgement> {
    judge(old, new, Date::parse("2027-01-01").unwrap())
}

/// The part of a model that a place belongs to: a field, a command, a key of a resource.
fn part(place: &ModelPath) -> (Option<String>, Vec<Key>) {
    (place.definition.clone(), place.keys.iter().take(2).cloned().collect())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn each_change_is_judged_and_rows_are_as_the_effect_says(old in any_service(), new in any_service()) {
        let (old, new) = (checked(old), checked(new));
        let judged: Vec<_> = judged(&old, &new).into_iter().map(|it| (it.place, it.kind)).collect();
        let found: Vec<_> = changes(&old, &new).into_iter().map(|change| (change.at, change.kind)).collect();
        prop_assert_eq!(judged, found);
    }

    /// What the second step leaves alone is judged as after the first one.
    #[test]
    fn two_steps_are_no_milder_than_each(start in any_service(), other in any_service(), at in 0..12_usize) {
        let a = repaired(start);
        let b = repaired(with_one_field_of(a.clone(), other.clone(), at));
        let mut c = b.clone();
        for (resource, other) in c.resources.iter_mut().zip(other.resources) {
            (resource.search, resource.count, resource.unique) = (other.search, other.count, other.unique);
        }
        let (a, b, c) = (checked(a), checked(b), checked(c));
        let (first, second, both) = (judged(&a, &b), judged(&b, &c), judged(&a, &c));
        let untouched = |one: &&Judgement| second.iter().all(|other| part(&other.place) != part(&one.place));
        for one in first.iter().filter(untouched) {
            // one place may have two of a kind: another former name instead of one
            let same = both.iter().filter(|other| (&other.place, other.kind) == (&one.place, one.kind));
            let strictest = same.map(|other| other.procedure).max();
            prop_assert!(strictest >= Some(one.procedure), "{one:?} became {strictest:?}");
        }
    }

    #[test]
    fn a_model_is_no_other_than_itself(service in any_service()) {
        let service = checked(service);
        prop_assert_eq!(changes(&service, &service), []);
        prop_assert_eq!(judged(&service, &service), []);
    }

    #[test]
    fn different_tables_are_reported(old in any_service(), other in any_service(), at in 0..12_usize) {
        let new = checked(with_one_field_of(repaired(old.clone()), other, at));
        let old = checked(old);
        let changes = changes(&old, &new);
        prop_assert!(!changes.is_empty() || tables(&old) == tables(&new), "{:#?}", tables(&new));
        for change in &changes {
            prop_assert!(has(if change.removed { &old } else { &new }, change), "{change:?}");
        }
    }

    #[test]
    fn the_way_back_drops_what_was_added(old in any_service(), new in any_service()) {
        let (old, new) = (checked(never_renamed(old)), checked(never_renamed(new)));
        let (there, back) = (changes(&old, &new), changes(&new, &old));
        for (added, dropped) in [
            (ChangeKind::FieldAdded, ChangeKind::FieldDropped),
            (ChangeKind::ResourceAdded, ChangeKind::ResourceDropped),
            (ChangeKind::ValueAdded, ChangeKind::ValueDropped),
        ] {
            prop_assert_eq!(places(&there, added), places(&back, dropped));
            prop_assert_eq!(places(&back, added), places(&there, dropped));
        }
    }
}
