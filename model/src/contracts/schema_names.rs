//! The names of schemas: `Offer`, `OfferCreate`, `OfferSaleUpdateBetaV2`. Generated clients make types of them.

use crate::api::{Representation, SchemaKey};
use crate::check::Checked;
use crate::names;
use crate::resource::Version;

/// The name of a body. Unique unless the description has definitions of such names itself.
pub(super) fn name_of(service: &Checked, key: SchemaKey) -> String {
    let resource = |index: usize| &service.resources[index];
    let command = |index: usize, command: usize| {
        format!("{}{}", resource(index).name, names::pascal(&resource(index).commands[command].name))
    };
    let represented = |it: Representation, kind: &str| {
        let view = it.view.and_then(|view| resource(it.resource).views.get(view));
        let view = view.map(|view| names::pascal(&view.name)).unwrap_or_default();
        format!("{}{view}{kind}{}", resource(it.resource).name, version_name(it.version))
    };
    match key {
        SchemaKey::Errors => "Problems".to_owned(),
        SchemaKey::Problem => "Problem".to_owned(),
        SchemaKey::Patch => "JsonPatch".to_owned(),
        SchemaKey::Readiness => "Readiness".to_owned(),
        SchemaKey::DeletedEntity => "DeletedEntity".to_owned(),
        SchemaKey::CommandChange => "CommandChange".to_owned(),
        SchemaKey::Entity(it) => represented(it, ""),
        SchemaKey::Collection(it) => represented(it, "Collection"),
        SchemaKey::FormerCollection(it) => represented(it, "FormerCollection"),
        SchemaKey::Creation { representation, scope: None } => represented(representation, "Create"),
        SchemaKey::Creation { representation, scope: Some(field) } => {
            let field = &resource(representation.resource).fields[field].name;
            represented(representation, &format!("CreateUnder{}", names::pascal(field)))
        }
        SchemaKey::Replacement(it) => represented(it, "Update"),
        SchemaKey::Criteria { resource: it, version } => {
            format!("{}SearchCreate{}", resource(it).name, version_name(version))
        }
        SchemaKey::Search { resource: it, version } => format!("{}Search{}", resource(it).name, version_name(version)),
        SchemaKey::CommandInput { resource, command: it } => format!("{}Input", command(resource, it)),
        SchemaKey::Command { resource, command: it } => format!("{}Command", command(resource, it)),
        SchemaKey::CommandCollection { resource, command: it } => {
            format!("{}CommandCollection", command(resource, it))
        }
        SchemaKey::FormerCommandCollection { resource, command: it } => {
            format!("{}FormerCommandCollection", command(resource, it))
        }
    }
}

/// `BetaV2`; nothing for the public version.
pub(super) fn version_name(version: Version) -> String {
    match version {
        Version::Public => String::new(),
        Version::Beta(number) => format!("BetaV{number}"),
    }
}

/// Whether a body is sent by clients.
pub(super) fn is_request(key: SchemaKey) -> bool {
    match key {
        SchemaKey::Creation { .. }
        | SchemaKey::Replacement(_)
        | SchemaKey::Criteria { .. }
        | SchemaKey::CommandInput { .. }
        | SchemaKey::Patch => true,
        SchemaKey::Errors
        | SchemaKey::Problem
        | SchemaKey::Readiness
        | SchemaKey::DeletedEntity
        | SchemaKey::CommandChange
        | SchemaKey::Entity(_)
        | SchemaKey::Collection(_)
        | SchemaKey::FormerCollection(_)
        | SchemaKey::Search { .. }
        | SchemaKey::Command { .. }
        | SchemaKey::CommandCollection { .. }
        | SchemaKey::FormerCommandCollection { .. } => false,
    }
}
