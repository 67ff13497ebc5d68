//! The data of searches (§2.5, §4.5): paging, and the criteria that [`Criteria`] compiles, with their types.

use super::values::{ArrayBounds, Property, UUID, ValueType, array, common, price_members, single};
use crate::check::{Checked, Kind};
use crate::field::{Deprecation, Field, Match, Type};
use crate::input::{Bound, Criteria, Criterion, MAX_LIMIT, MAX_OBJECTS, MAX_OFFSET, Sought};
use crate::resource::{Resource, Version};
use std::borrow::Cow;

/// The bounds of a search's own `limit`.
static LIMIT: Type = Type::Integer { minimum: Some(0), maximum: Some(MAX_LIMIT as i64) };
/// The bounds of a search's own `offset`.
static OFFSET: Type = Type::Integer { minimum: Some(0), maximum: Some(MAX_OFFSET as i64) };

/// What may be posted: nothing is required, and null, blank text and `[]` are not criteria. A search's own `id`,
/// `createdAt` and `updatedAt` are ignored, so that a response can be posted again.
pub(super) fn posted<'a>(service: &'a Checked, resource: &'a Resource, version: Version) -> Vec<Property<'a>> {
    SearchData { service, is_posted: true }.of(resource, version)
}

/// A search as it is rendered: every criterion of the version. One that was not given is null, or `[]`
/// for an array.
pub(super) fn stored<'a>(service: &'a Checked, resource: &'a Resource, version: Version) -> Vec<Property<'a>> {
    SearchData { service, is_posted: false }.of(resource, version)
}

/// Finds the types of criteria in the model.
#[derive(Clone, Copy)]
struct SearchData<'a> {
    service: &'a Checked,
    /// A request; otherwise a response.
    is_posted: bool,
}

impl<'a> SearchData<'a> {
    fn of(self, resource: &'a Resource, version: Version) -> Vec<Property<'a>> {
        let mut all = common();
        for property in &mut all {
            property.is_ignored = self.is_posted;
        }
        for (name, ty) in [("limit", &LIMIT), ("offset", &OFFSET)] {
            all.push(Property::built_in(name, ValueType::Scalar(ty)).nullable());
        }
        if let Some(criteria) = Criteria::of_searches(self.service, resource, version) {
            all.extend(self.properties(&criteria, &resource.fields));
        }
        all.into_iter().map(|property| self.finished(property)).collect()
    }

    /// A response has every property; a request may omit each of them.
    fn finished(self, property: Property<'a>) -> Property<'a> {
        if self.is_posted { property.nullable().optional() } else { property }
    }

    fn properties(self, criteria: &Criteria, fields: &'a [Field]) -> Vec<Property<'a>> {
        let property = |criterion: &Criterion| {
            let field = fields.iter().find(|field| field.name == criterion.name());
            let Some(field) = field else { return Vec::new() };
            let value = self.value(criterion.sought(), field);
            let property = self.finished(Property {
                name: Cow::Borrowed(&field.name),
                field: Some(field),
                is_nullable: matches!(
                    value,
                    ValueType::Criterion { takes_bounds: true, .. } | ValueType::Object { .. }
                ),
                deprecation: Deprecation::together(field.deprecation(), field.notices.filter),
                ..Property::built_in("", value)
            });
            let former = field.former().map(|(name, deprecation)| Property {
                name: Cow::Borrowed(name),
                deprecation: Some(deprecation),
                ..property.clone()
            });
            std::iter::once(property).chain(former).collect()
        };
        criteria.iter().flat_map(property).collect()
    }

    fn value(self, sought: &Sought, field: &'a Field) -> ValueType<'a> {
        let (ty, matches) = (&field.ty, field.filter.matches());
        match sought {
            Sought::Scalar(scalar, known) => {
                let bounds = if scalar.is_ordered() { &Bound::ALL[..] } else { &[] };
                // inside arrays there are none
                self.criterion(single(self.service, ty), bounds, if known.is_empty() { &[] } else { matches })
            }
            Sought::Object(inner) => self.object(inner, ty, matches),
            Sought::Objects(inner) | Sought::References(inner) => {
                let bounds = ArrayBounds { max_items: Some(MAX_OBJECTS as u32), ..ArrayBounds::default() };
                array(self.object(inner, ty.element(), &[]), bounds)
            }
            Sought::Values(_) => ValueType::Criterion {
                value: Box::new(single(self.service, ty.element())),
                bounds: &[],
                matches: &[],
                takes_bounds: false,
            },
        }
    }

    fn criterion(self, value: ValueType<'a>, bounds: &'static [Bound], matches: &'a [Match]) -> ValueType<'a> {
        ValueType::Criterion { value: Box::new(value), bounds, matches, takes_bounds: true }
    }

    /// The criteria inside an object, a price or a reference.
    fn object(self, inner: &Criteria, ty: &'a Type, matches: &'a [Match]) -> ValueType<'a> {
        let properties = match self.service.kind(ty) {
            Kind::Object(object) => self.properties(inner, &object.fields),
            Kind::Scalar(Type::Price { .. }) => {
                price_members().into_iter().map(|member| self.member(member, matches)).collect()
            }
            // a reference: no other type has criteria inside
            Kind::Scalar(_) | Kind::Enum(_) | Kind::Array(_) | Kind::Map(_) => {
                vec![self.member(Property::built_in("id", ValueType::Scalar(&UUID)), matches)]
            }
        };
        ValueType::Object { name: None, properties }
    }

    /// A member of a price or a reference: only amounts have an order.
    fn member(self, member: Property<'a>, matches: &'a [Match]) -> Property<'a> {
        let bounds: &'static [Bound] = if member.value == ValueType::Amount { &Bound::ALL } else { &[] };
        let value = self.criterion(member.value, bounds, matches);
        self.finished(Property { value, is_nullable: true, ..member })
    }
}
