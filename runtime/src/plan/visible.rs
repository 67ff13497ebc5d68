//! Who sees the entities of a resource (`visible`), and which resources that are not seen whole a request may come
//! across.

use super::field_access::CallersPlan;
use super::{ResourceIndex, ResourcePlan};
use restwell_model::events::{EventKind, visible_to};
use restwell_model::tables::Table;
use restwell_model::{Checked, Field, Kind, Resource, Type};
use std::collections::BTreeSet;

/// Who sees the entities of a resource that not every caller sees.
#[derive(Debug)]
pub(crate) struct VisiblePlan {
    /// Callers who do.
    pub(crate) callers: CallersPlan,
    /// Whether others get 403 for an id, not 404.
    pub(crate) discloses: bool,
}

impl VisiblePlan {
    /// Of a resource; `None` where every caller sees all.
    pub(super) fn compile(service: &Checked, resource: &Resource) -> Option<Self> {
        resource.is_restricted().then(|| Self {
            callers: CallersPlan::compile(service, resource, &resource.visible),
            discloses: resource.disclose,
        })
    }
}

/// Who may read the entities of a resource, and each of its commands.
#[derive(Debug)]
pub(crate) struct ReadersPlan {
    of_entities: CallersPlan,
    /// By the name of the command.
    of_commands: Vec<(String, CallersPlan)>,
}

impl ReadersPlan {
    /// Of a resource.
    pub(super) fn compile(service: &Checked, resource: &Resource) -> Self {
        let of = |kind| CallersPlan::compile(service, resource, visible_to(resource, kind));
        let commands = resource.commands.iter();
        let commands = commands.map(|it| (it.name.clone(), CallersPlan::compile(service, resource, &it.access)));
        Self { of_entities: of(EventKind::Updated), of_commands: commands.collect() }
    }

    /// Who may read the commands of a name, or without one the entities.
    pub(crate) fn of_name(&self, command: Option<&str>) -> &CallersPlan {
        let of_command = self.of_commands.iter().find(|(known, _)| Some(known.as_str()) == command);
        of_command.map_or(&self.of_entities, |(_, readers)| readers)
    }
}

impl ResourcePlan {
    /// Whether callers learn of an entity that they must not see.
    pub(crate) fn discloses(&self) -> bool {
        self.visible.as_ref().is_some_and(|visible| visible.discloses)
    }
}

/// The position of a resource that not every caller sees all of.
pub(super) fn restricted(service: &Checked, name: &str) -> Option<ResourceIndex> {
    ResourceIndex::of(service, name).filter(|index| service.resources[index.position()].is_restricted())
}

/// The position of a resource of whose entities not every caller sees all, or not all fields.
fn limited(service: &Checked, name: &str) -> Option<ResourceIndex> {
    let resource = |index: &ResourceIndex| &service.resources[index.position()];
    let is_limited = |it: &Resource| it.is_restricted() || it.fields.iter().any(Field::is_guarded);
    ResourceIndex::of(service, name).filter(|index| is_limited(resource(index)))
}

/// The resources that requests for one may come across and that not every caller sees all of: itself, those that its
/// entities and its commands refer to, those that its views lead through.
pub(super) fn touched(service: &Checked, resource: &Resource, table: &Table) -> Vec<ResourceIndex> {
    let columns = table.columns.iter().filter_map(|column| column.references.as_ref());
    let links = table.links.iter().map(|link| &link.references);
    let mut names: BTreeSet<&str> = columns.chain(links).map(|foreign| foreign.resource.as_str()).collect();
    names.insert(&resource.name);
    names.extend(resource.views.iter().filter_map(|view| view.through.as_ref()).map(|it| it.resource.as_str()));
    for command in &resource.commands {
        referred(service, &command.input, &mut names);
        referred(service, &command.output, &mut names);
    }
    names.into_iter().filter_map(|name| limited(service, name)).collect()
}

/// The resources that these fields refer to and that not every caller sees all of.
pub(super) fn referred_by(service: &Checked, fields: &[Field]) -> Vec<ResourceIndex> {
    let mut names = BTreeSet::new();
    referred(service, fields, &mut names);
    names.into_iter().filter_map(|name| limited(service, name)).collect()
}

fn referred<'a>(service: &'a Checked, fields: &'a [Field], names: &mut BTreeSet<&'a str>) {
    for field in fields {
        match service.kind(field.ty.element()) {
            Kind::Scalar(Type::Ref { to, .. }) => _ = names.insert(to),
            // the depth of objects in objects is bounded: `check` refuses rings
            Kind::Object(object) => referred(service, &object.fields, names),
            _ => {}
        }
    }
}
