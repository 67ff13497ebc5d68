//! Names that no client could tell apart: two members of one JSON object, and names of operations and parameters, which
//! clients in other languages write in their own case.

use super::paths;
use crate::api::{SEARCH_ID, filter_fields, operation_names};
use crate::check::FaultCode::{ClientNameClash, FormerNameClash, MemberClash};
use crate::check::place::Place;
use crate::check::{Checked, Fault};
use crate::input::{Bound, Criteria};
use crate::names;
use crate::resource::{OperationKind, Resource, Search, Version, View};
use std::collections::HashMap;

/// Operations that share a name, and commands that are called like an operation.
pub(super) fn operations(candidate: &Checked, faults: &mut Vec<Fault>) {
    let resources = &candidate.resources;
    for resource in resources {
        let definition = Place::Definition(&resource.name);
        let at = definition.key("commands");
        for command in &resource.commands {
            if let Some(kind) = OperationKind::ALL.into_iter().find(|kind| kind.word() == command.name) {
                let message = format!("the command `{}` has the name of an operation", kind.word());
                let fault = at.key(&command.name).name_fault(ClientNameClash, message);
                faults.push(fault.help("rename the command"));
            }
        }
    }
    let mut known = HashMap::new();
    for (name, endpoint, _) in operation_names(candidate) {
        let folded = names::snake(&name);
        let Some(other) = known.insert(folded, endpoint.clone()) else { continue };
        let (here, there) = (paths::place(&endpoint, resources), paths::place(&other, resources));
        // a command that is called like an operation was reported, and so was a former name that is taken
        let is_such = |fault: &Fault| matches!(fault.code, ClientNameClash | FormerNameClash);
        if faults.iter().any(|fault| is_such(fault) && (fault.at == here || fault.at == there)) {
            continue;
        }
        let message = format!("two operations would be called `{name}` by clients");
        faults.push(
            Fault::new(ClientNameClash, here, message).also(there, "the other one is here").help("rename one of them"),
        );
    }
}

/// What every collection has beside the array of its entities (§4.4).
const COLLECTION_MEMBERS: [&str; 1] = ["count"];

/// What every search has beside its criteria (§4.5).
const SEARCH_MEMBERS: [&str; 2] = ["limit", "offset"];

/// Members of a response or a request that are called like one that is always there.
pub(super) fn members(candidate: &Checked, faults: &mut Vec<Fault>) {
    for resource in &candidate.resources {
        let definition = Place::Definition(&resource.name);
        for is_former in [false, true].into_iter().take(1 + usize::from(resource.formerly.is_some())) {
            let name = resource.collection_of(is_former);
            if COLLECTION_MEMBERS.contains(&name.as_str()) {
                let at = if is_former { definition.key("formerly").path() } else { definition.key("plural").path() };
                let message = format!("every collection already has a member `{name}`: how many entities match");
                faults.push(Fault::new(MemberClash, at, message).help("choose another plural"));
            }
        }
        for fault in resource.versions.iter().flat_map(|version| search_members(candidate, resource, *version)) {
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
    }
}

fn search_members(candidate: &Checked, resource: &Resource, version: Version) -> Vec<Fault> {
    let criteria = Criteria::of_searches(candidate, resource, version);
    let criteria = criteria.iter().flat_map(Criteria::iter);
    let taken = criteria.filter_map(|criterion| {
        let name = criterion.names().find(|name| SEARCH_MEMBERS.contains(name))?;
        let definition = Place::Definition(&resource.name);
        let message = format!("every search already has a member `{name}`: which part of the entities it shows");
        let fields = definition.key("fields");
        let field = fields.key(criterion.name());
        let fault = match name == criterion.name() {
            true => field.name_fault(MemberClash, message),
            false => field.key("formerly").key("name").fault(MemberClash, message),
        };
        Some(fault.help("choose another name, or leave it out of `search`"))
    });
    taken.collect()
}

/// Parameters of one list that share a name.
pub(super) fn parameters(candidate: &Checked, faults: &mut Vec<Fault>) {
    for resource in &candidate.resources {
        let views = std::iter::once(None).chain(resource.views.iter().map(Some));
        for view in views {
            if let Some(fault) = clash_of_parameters(candidate, resource, view)
                && !faults.contains(&fault)
            {
                faults.push(fault);
            }
        }
    }
}

fn clash_of_parameters(candidate: &Checked, resource: &Resource, view: Option<&View>) -> Option<Fault> {
    let search = (resource.search != Search::None).then(|| SEARCH_ID.to_owned());
    let mut known: HashMap<String, String> = HashMap::new();
    known.extend(search.map(|name| (folded(&name), name)));
    for version in &resource.versions {
        for field in filter_fields(candidate, resource, *version, view).iter().filter(|field| field.is_filter) {
            let bounds = Bound::ALL.iter().filter(|_| field.has_bounds);
            let bounds = bounds.map(|bound| format!("{}.{}", field.name, bound.word()));
            let matches = field.matches.iter().map(|it| format!("{}.{}", field.name, it.word()));
            for name in bounds.chain(matches).chain([field.name.clone()]) {
                let Some(other) = known.insert(folded(&name), name.clone()).filter(|other| *other != name) else {
                    continue;
                };
                let message = format!("the parameters `{other}` and `{name}` would have one name in clients");
                let definition = Place::Definition(&resource.name);
                let fields = definition.key("fields");
                // a parameter that every list has is not in the description
                let named = [&name, &other].into_iter().filter_map(|name| name.split('.').next());
                let at = named.into_iter().find(|name| resource.field(name).is_some())?;
                return Some(fields.key(at).name_fault(ClientNameClash, message).help("rename the field"));
            }
        }
    }
    None
}

/// `buyNow.amount.gte` and `buyNowAmountGte` are `buy_now_amount_gte`.
fn folded(name: &str) -> String {
    names::snake(&name.replace('.', "-"))
}
