//! Responses read as the types that the generator writes, and written again: the same bytes.

use crate::check;
use crate::world::{World, write};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use restwell::{Resource, Stored};
use restwell_tests::generated::{Keeper, Notebook, Photo, Specimen, StockEntry, Tag};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

#[test]
fn an_entity_that_is_read_as_its_type_is_written_as_it_was() {
    check(&vec(write(), 4..40), |writes| {
        let mut world = World::new();
        writes.iter().for_each(|write| world.write(write));
        for place in world.places() {
            let reply = world.ask(&place, "limit=1000");
            let page: BTreeMap<String, &RawValue> = serde_json::from_str(&reply.body).expect("a page");
            let entities: Vec<&RawValue> = serde_json::from_str(page[place.collection].get()).expect("an array");
            let same: fn(&str) -> Result<(), TestCaseError> = match place.collection {
                "specimens" => same::<Specimen>,
                "keepers" => same::<Keeper>,
                "tags" => same::<Tag>,
                "notebooks" => same::<Notebook>,
                "photos" => same::<Photo>,
                "stockEntries" => same::<StockEntry>,
                other => panic!("{other} have a type"),
            };
            entities.iter().try_for_each(|entity| same(entity.get()))?;
        }
        Ok(())
    });
}

fn same<R: Resource>(json: &str) -> Result<(), TestCaseError> {
    let entity: Stored<R> =
        serde_json::from_str(json).map_err(|error| TestCaseError::fail(format!("{error}\n{json}")))?;
    let written = serde_json::to_string(&entity).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(written, json);
    Ok(())
}
