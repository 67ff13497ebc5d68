//! The fields that a collection can be filtered and sorted by, in one version and view (§4.4, §4.6).

use super::schemas::statuses;
use super::values::{Property, Selection, UUID, ValueType, common, price_members, single};
use crate::check::{Checked, Kind};
use crate::field::{Deprecation, Field, Filter, Match, Type};
use crate::resource::{Resource, Version, View};

/// The property of a command that lists of commands are filtered by.
pub const STATUS: &str = "status";

/// A field that a collection can be filtered or sorted by.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterField<'a> {
    /// As in a query string: `name`, `address.city`, `seller.id`, `buyNow.amount`.
    pub name: String,
    /// The same, with the field's present name where this is the former one.
    pub present: String,
    /// The type of its values. The constraints of a field do not apply to its filters.
    pub value: ValueType<'a>,
    /// Whether it is a parameter.
    pub is_filter: bool,
    /// Whether it is a parameter with the bounds `.gt`, `.gte`, `.lt`, `.lte` too.
    pub has_bounds: bool,
    /// The suffixes that the field opts in to.
    pub matches: &'a [Match],
    /// Whether `sort` takes it.
    pub is_sort: bool,
    /// The announcement that its parameters go away.
    pub deprecation: Option<Deprecation>,
    /// The announcement that `sort` will not take it.
    pub sort_deprecation: Option<Deprecation>,
}

/// The fields that collections of a resource can be filtered or sorted by, in a version and a view (`None`: the
/// resource itself): first those that every entity has, then the model's, in its order.
#[must_use]
pub fn filter_fields<'a>(
    service: &'a Checked,
    resource: &'a Resource,
    version: Version,
    view: Option<&'a View>,
) -> Vec<FilterField<'a>> {
    let versions = &resource.versions;
    let at = versions.iter().position(|known| *known == version);
    let one = at.map_or(&versions[..0], |at| &versions[at..=at]);
    fields(Selection { service, within: Some((one, view)) }, resource)
}

/// The same for the service's own code, which sees the fields of all versions and views.
#[must_use]
pub fn all_filter_fields<'a>(service: &'a Checked, resource: &'a Resource) -> Vec<FilterField<'a>> {
    fields(Selection::all(service), resource)
}

/// The fields that the commands of one type can be filtered and sorted by: those that every entity has, and their
/// status. They do not depend on the version.
#[must_use]
pub fn command_filter_fields() -> Vec<FilterField<'static>> {
    let status = FilterField {
        name: STATUS.to_owned(),
        present: STATUS.to_owned(),
        value: statuses(),
        is_filter: true,
        has_bounds: false,
        matches: &[],
        is_sort: true,
        deprecation: None,
        sort_deprecation: None,
    };
    common().into_iter().map(of_every_entity).chain([status]).collect()
}

/// The same for any of several versions.
pub(super) fn fields<'a>(selection: Selection<'a>, resource: &'a Resource) -> Vec<FilterField<'a>> {
    let mut walk = Walk { selection, found: common().into_iter().map(of_every_entity).collect() };
    walk.fields(&resource.fields, "", None);
    walk.found
}

/// A field that every entity has: always a filter and a sort key, with bounds. The order of ids is that of creation.
fn of_every_entity(property: Property<'_>) -> FilterField<'_> {
    FilterField {
        present: property.name.to_string(),
        name: property.name.into_owned(),
        has_bounds: true,
        matches: &[],
        value: property.value,
        is_filter: true,
        is_sort: true,
        deprecation: None,
        sort_deprecation: None,
    }
}

/// Goes over the fields, those of objects included.
struct Walk<'a> {
    selection: Selection<'a>,
    found: Vec<FilterField<'a>>,
}

impl<'a> Walk<'a> {
    fn fields(&mut self, fields: &'a [Field], prefix: &str, outer: Option<Deprecation>) {
        let selection = self.selection;
        for field in fields.iter().filter(|field| !field.write_only && selection.has(field)) {
            let deprecation = Deprecation::together(outer, field.deprecation());
            let first = self.found.len();
            self.field(field, format!("{prefix}{}", field.name), deprecation);
            // the service's own code knows the present names alone
            if let Some((former, notice)) = field.former().filter(|_| selection.within.is_some()) {
                self.former(first, (field.name.len(), former), prefix, notice);
            }
        }
    }

    /// The same fields once more, with the former name in the place of the present one.
    fn former(&mut self, first: usize, (length, former): (usize, &str), prefix: &str, notice: Deprecation) {
        let renamed = |field: &FilterField<'a>| {
            let rest = &field.name[prefix.len() + length..];
            let with = |known| Deprecation::together(known, Some(notice));
            FilterField {
                name: format!("{prefix}{former}{rest}"),
                deprecation: with(field.deprecation),
                sort_deprecation: with(field.sort_deprecation),
                ..field.clone()
            }
        };
        let formers: Vec<_> = self.found[first..].iter().map(renamed).collect();
        self.found.extend(formers);
    }

    fn field(&mut self, field: &'a Field, name: String, outer: Option<Deprecation>) {
        let deprecation = [field.notices.filter, field.notices.sort].map(|own| Deprecation::together(outer, own));
        let (filter, sort) = (Some(&field.filter).filter(|filter| filter.is_on()), field.sort);
        match (self.selection.service.kind(&field.ty), &field.ty) {
            (Kind::Object(object), _) => self.fields(&object.fields, &format!("{name}."), outer),
            // arrays are searched, not filtered; maps are neither
            (Kind::Array(_) | Kind::Map(_), _) => {}
            (_, Type::Price { .. }) => {
                for member in price_members() {
                    self.add(format!("{name}.{}", member.name), member.value, (filter, false), deprecation);
                }
                // `sort=buyNow` is by amount
                self.add(name, ValueType::Price(&field.ty), (None, sort), deprecation);
            }
            (_, Type::Ref { .. }) => {
                self.add(format!("{name}.id"), ValueType::Scalar(&UUID), (filter, false), deprecation);
            }
            (Kind::Scalar(_) | Kind::Enum(_), ty) => {
                self.add(name, single(self.selection.service, ty), (filter, sort), deprecation);
            }
        }
    }

    fn add(
        &mut self,
        name: String,
        value: ValueType<'a>,
        (filter, is_sort): (Option<&'a Filter>, bool),
        [deprecation, sort_deprecation]: [Option<Deprecation>; 2],
    ) {
        let (is_filter, matches) = (filter.is_some(), filter.map_or(&[][..], Filter::matches));
        if is_filter || is_sort {
            let has_bounds = is_filter && is_ordered(&value);
            self.found.push(FilterField {
                present: name.clone(),
                name,
                value,
                is_filter,
                has_bounds,
                matches,
                is_sort,
                deprecation,
                sort_deprecation,
            });
        }
    }
}

/// Whether bounds on values of this type make sense.
fn is_ordered(value: &ValueType<'_>) -> bool {
    match value {
        ValueType::Scalar(ty) => ty.is_ordered(),
        ValueType::Amount => true,
        ValueType::Enum(_)
        | ValueType::Words(_)
        | ValueType::Price(_)
        | ValueType::Reference { .. }
        | ValueType::Object { .. }
        | ValueType::Array { .. }
        | ValueType::Map { .. }
        | ValueType::Criterion { .. }
        | ValueType::Schema(_)
        | ValueType::Any => false,
    }
}
