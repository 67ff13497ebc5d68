//! How methods, modules and types of a client are called, before a language spells them.

use super::CollectionKind;
use restwell_model::api::{PathItem, PathSubject};
use restwell_model::routes::{FormerWords, Target};
use restwell_model::{Checked, OperationKind, Resource, Type, names};

/// The methods that a collection may have beside its commands. A command of such a name ends in `Command`.
const METHODS: [&str; 12] =
    ["list", "pages", "count", "create", "get", "update", "patch", "edit", "delete", "search", "searches", "under"];

/// The method of an operation.
#[must_use]
pub const fn method_name(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::List => "list",
        OperationKind::Create => "create",
        OperationKind::Get => "get",
        OperationKind::Update => "update",
        OperationKind::Patch => "patch",
        OperationKind::Delete => "delete",
    }
}

/// `mark-as-paid` → `markAsPaid`.
pub(super) fn command_method(command: &str) -> String {
    let name = names::camel(command);
    if METHODS.contains(&name.as_str()) { name + "Command" } else { name }
}

/// `offers`, `saleOffers`, `userOffers`.
pub(super) fn collection(resource: &Resource, kind: CollectionKind<'_>, former: FormerWords) -> String {
    names::camel(&format!("{}{}", prefix(kind, former), names::pascal(&resource.plural_of(former.resource))))
}

/// `Offer`, `SaleOffer`, `UserOffer`.
pub(super) fn type_prefix(resource: &Resource, kind: CollectionKind<'_>, former: FormerWords) -> String {
    format!("{}{}", prefix(kind, former), resource.label_of(former.resource))
}

fn prefix(kind: CollectionKind<'_>, former: FormerWords) -> String {
    match kind {
        CollectionKind::Root => String::new(),
        CollectionKind::View(view) => names::pascal(&view.label_of(former.view)),
        CollectionKind::Scoped { parent, .. } => parent.label_of(former.parent),
    }
}

/// The path of the collection that a path is, or that it names an entity of.
pub(super) fn collection_path(path: &PathItem<'_>) -> String {
    match path.subject {
        PathSubject::Resource { target: Target::Entity { .. }, .. } => {
            path.path.rsplit_once('/').map_or(path.path.as_str(), |(before, _)| before).to_owned()
        }
        _ => path.path.clone(),
    }
}

/// The resource that a reference field leads to.
pub(super) fn parent<'a>(service: &'a Checked, resource: &Resource, field: usize) -> Option<&'a Resource> {
    match &resource.fields.get(field)?.ty {
        Type::Ref { to, .. } => service.resource(to),
        _ => None,
    }
}
