//! Names in a package that come from several places: types of the model beside those of the client, functions of
//! resources beside those of the core.

use crate::client::{ClientPlan, CollectionPlan, VersionPlan};
use restwell_model::names::client::free;
use restwell_model::names::typescript::{collection_function, is_client_member};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The types that a collection has beside its bodies.
const HELPERS: [&str; 3] = ["Filters", "Sort", "Methods"];

/// The names of the types of a version.
#[derive(Debug)]
pub(super) struct VersionNames {
    /// All of them.
    pub(super) types: Rc<BTreeSet<String>>,
    /// By the name of a collection: those of [`HELPERS`].
    helpers: BTreeMap<(String, &'static str), String>,
}

impl VersionNames {
    pub(super) fn of(plan: &ClientPlan<'_>, version: &VersionPlan<'_>) -> Self {
        let mut types = version.type_names(plan.service());
        let mut helpers = BTreeMap::new();
        for collection in version.resources.iter().flat_map(|resource| &resource.collections) {
            for ending in HELPERS {
                let name = free(&format!("{}{ending}", collection.type_prefix), &mut types);
                helpers.insert((collection.name.clone(), ending), name);
            }
        }
        Self { types: Rc::new(types), helpers }
    }

    /// The conditions of a collection's list.
    pub(super) fn filters(&self, collection: &CollectionPlan<'_>) -> &str {
        self.helper(collection, "Filters")
    }

    /// What a collection's list can be ordered by.
    pub(super) fn sort(&self, collection: &CollectionPlan<'_>) -> &str {
        self.helper(collection, "Sort")
    }

    /// The methods of a collection.
    pub(super) fn methods(&self, collection: &CollectionPlan<'_>) -> &str {
        self.helper(collection, "Methods")
    }

    fn helper(&self, collection: &CollectionPlan<'_>, ending: &'static str) -> &str {
        self.helpers.get(&(collection.name.clone(), ending)).map_or("unknown", String::as_str)
    }
}

/// The function that makes a collection.
pub(super) fn function_of(collection: &CollectionPlan<'_>) -> String {
    collection_function(&collection.name)
}

/// The member of the value with all collections that a collection of a resource itself is.
pub(super) fn member_of(collection: &CollectionPlan<'_>) -> String {
    let name = &collection.name;
    if is_client_member(name) { format!("{name}Collection") } else { name.clone() }
}

/// What a module imports under its own name, or with `_` where the module has the name for something else.
#[derive(Debug)]
pub(super) struct Imports {
    taken: BTreeSet<String>,
}

impl Imports {
    /// Imports of a module that has these names.
    pub(super) fn beside(taken: impl IntoIterator<Item = String>) -> Self {
        Self { taken: taken.into_iter().collect() }
    }

    /// The name in the module.
    pub(super) fn local(&self, name: &str) -> String {
        if self.taken.contains(name) { format!("{name}_") } else { name.to_owned() }
    }

    /// What stands between the braces of the import.
    pub(super) fn import(&self, name: &str) -> String {
        let local = self.local(name);
        if local == name { local } else { format!("{name} as {local}") }
    }
}
