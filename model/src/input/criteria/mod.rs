//! The criteria of searches (§2.5), and the conditions of one search.
//!
//! [`Criteria`] are compiled once from the model, along the fields that one version or view has; [`Criteria::read`]
//! goes over the data of a search and collects every problem, as [`Shape`](super::Shape) does with an entity's.

mod read;
#[cfg(test)]
mod tests;

use super::scalar::{Bounds, Scalar};
use super::{MAX_LIMIT, MAX_OFFSET};
use crate::check::{Checked, Kind};
use crate::error::Problem;
use crate::field::{Deprecation, Field, Match, Type};
use crate::resource::{self, Resource, Version};
use crate::value::Value;

/// Values that a search may have in all.
pub const MAX_VALUES: usize = 500;
/// Objects that the arrays of a search may have in all.
pub const MAX_OBJECTS: usize = 100;

/// What an object, or the entity itself, can be searched by: criteria in the model's order.
#[derive(Debug, Clone)]
pub struct Criteria {
    criteria: Vec<Criterion>,
}

/// One thing that can be searched by.
#[derive(Debug, Clone)]
pub struct Criterion {
    name: String,
    /// The former name of the field, with the announcement that it goes away.
    former: Option<(String, Deprecation)>,
    sought: Sought,
    deprecation: Option<Deprecation>,
}

/// What a criterion is about.
#[derive(Debug, Clone)]
pub enum Sought {
    /// One value, and how it can be compared beside equality and ranges.
    Scalar(Scalar, Vec<Match>),
    /// An object's fields, a price's two, a reference's id.
    Object(Criteria),
    /// An array of objects.
    Objects(Criteria),
    /// An array of references: the criteria of one.
    References(Criteria),
    /// An array of single values.
    Values(Scalar),
}

/// The condition on a value; the type of the criterion decides which of these are possible.
#[derive(Debug, Clone, PartialEq)]
pub enum CriterionTest {
    /// Any value: the search has no condition.
    Anything,
    /// One of these.
    OneOf {
        /// At least one.
        values: Vec<Value>,
        /// Whether they were given as an array.
        is_listed: bool,
    },
    /// Compared, or asked for being null.
    Range {
        /// All of them hold.
        bounds: Vec<(Bound, Value)>,
        /// Compared in the ways that the field opts in to; all of them hold.
        matches: Vec<(Match, Vec<Value>)>,
        /// Whether it is null.
        is_null: Option<bool>,
    },
    /// Its fields', in the order of the criteria.
    Object(Vec<CriterionTest>),
    /// For each of these objects there is an element that meets it. Of references, it is one object.
    Objects(Vec<CriterionTest>),
}

/// A side of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Greater than.
    Gt,
    /// Greater or equal.
    Gte,
    /// Less than.
    Lt,
    /// Less or equal.
    Lte,
}

/// The data of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// Entities on a page, where the list does not say.
    pub limit: Option<u32>,
    /// Where the page begins, where the list does not say.
    pub offset: Option<u32>,
    /// In the order of the criteria.
    pub conditions: Vec<CriterionTest>,
    /// All that is wrong with it.
    pub problems: Vec<Problem>,
    /// Whether it uses what is going away.
    pub deprecation: Option<Deprecation>,
}

impl Criteria {
    /// The criteria of a resource, as far as `has` lets its fields through; `None` where it cannot be searched.
    #[must_use]
    pub fn compile(service: &Checked, resource: &Resource, has: &dyn Fn(&Field) -> bool) -> Option<Self> {
        let covers = |field: &&Field| match &resource.search {
            resource::Search::None => false,
            resource::Search::All => true,
            resource::Search::Fields(names) => names.contains(&field.name),
        };
        let compiler = Compiler { service, has, is_listed: false };
        let criteria = resource.fields.iter().filter(covers).filter_map(|field| compiler.criterion(field)).collect();
        (resource.search != resource::Search::None).then_some(Self { criteria })
    }

    /// The criteria of a resource's searches in a version. Views use them too, so what any view has can be searched
    /// for.
    #[must_use]
    pub fn of_searches(service: &Checked, resource: &Resource, version: Version) -> Option<Self> {
        let has = |field: &Field| {
            field.is_in(version, None) || resource.views.iter().any(|view| field.is_in(version, Some(view)))
        };
        Self::compile(service, resource, &has)
    }

    /// In the model's order.
    pub fn iter(&self) -> std::slice::Iter<'_, Criterion> {
        self.criteria.iter()
    }

    /// Whether a dotted path names paging, a criterion, or something inside one.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        PAGING.iter().any(|(name, _)| *name == path) || self.has_criterion(path)
    }

    fn has_criterion(&self, path: &str) -> bool {
        let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
        let criterion = self.criteria.iter().find(|criterion| criterion.names().any(|known| known == name));
        match (criterion.map(|criterion| &criterion.sought), rest) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(Sought::Object(inner) | Sought::Objects(inner) | Sought::References(inner)), Some(rest)) => {
                inner.has_criterion(rest)
            }
            (Some(_), Some(_)) => false,
        }
    }
}

/// What a search has beside its criteria, with the greatest value.
const PAGING: [(&str, u32); 2] = [("limit", MAX_LIMIT), ("offset", MAX_OFFSET)];

fn whole(max: u32) -> Scalar {
    Scalar::Integer(Bounds { minimum: Some(0), maximum: Some(max.into()) })
}

impl Criterion {
    /// The field's name, as in JSON.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The field's names, the present one first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.former.as_ref().map(|(name, _)| name.as_str()))
    }

    /// What it is about.
    #[must_use]
    pub fn sought(&self) -> &Sought {
        &self.sought
    }
}

impl CriterionTest {
    /// What is asked of an array of objects; of none, nothing.
    fn of_objects(objects: Vec<Self>) -> Self {
        if objects.is_empty() { Self::Anything } else { Self::Objects(objects) }
    }

    /// Whether it asks for anything.
    #[must_use]
    pub fn is_given(&self) -> bool {
        match self {
            Self::Anything => false,
            Self::OneOf { .. } | Self::Range { .. } => true,
            Self::Object(conditions) => conditions.iter().any(Self::is_given),
            Self::Objects(objects) => !objects.is_empty(),
        }
    }

    /// What is asked of the fields of an object; nothing of each where nothing was said.
    #[must_use]
    pub fn fields(&self) -> &[Self] {
        match self {
            Self::Object(conditions) => conditions,
            _ => &[],
        }
    }
}

impl Bound {
    /// Each of them, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Gt, Self::Gte, Self::Lt, Self::Lte];

    /// The word in JSON, and behind a parameter's last dot (§4.4).
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Gt => "gt",
            Self::Gte => "gte",
            Self::Lt => "lt",
            Self::Lte => "lte",
        }
    }

    /// SQL's sign for it.
    #[must_use]
    pub const fn operator(self) -> &'static str {
        match self {
            Self::Gt => ">",
            Self::Gte => ">=",
            Self::Lt => "<",
            Self::Lte => "<=",
        }
    }
}

/// Goes over the fields, those of objects included.
struct Compiler<'a> {
    service: &'a Checked,
    has: &'a dyn Fn(&Field) -> bool,
    /// Inside an array of objects, where no field needs `filter`.
    is_listed: bool,
}

impl Compiler<'_> {
    fn criterion(&self, field: &Field) -> Option<Criterion> {
        if field.write_only || !(self.has)(field) {
            return None;
        }
        let deprecation = Deprecation::together(field.deprecation(), field.notices.filter);
        let former = field.former().map(|(name, notice)| (name.to_owned(), notice));
        Some(Criterion { name: field.name.clone(), former, sought: self.sought(field)?, deprecation })
    }

    fn sought(&self, field: &Field) -> Option<Sought> {
        let listed = Compiler { is_listed: true, ..*self };
        Some(match self.service.kind(&field.ty) {
            Kind::Object(object) => Sought::Object(self.fields(&object.fields)?),
            Kind::Array(items) => match (self.service.kind(items), self.structured(items, &[])) {
                (Kind::Object(object), _) => Sought::Objects(listed.fields(&object.fields)?),
                (_, Some(criteria)) if matches!(items, Type::Ref { .. }) => Sought::References(criteria),
                (_, Some(criteria)) => Sought::Objects(criteria),
                (_, None) => Sought::Values(self.scalar(items)?),
            },
            _ if !field.filter.is_on() && !self.is_listed => return None,
            _ => match self.structured(&field.ty, self.matches(field)) {
                Some(criteria) => Sought::Object(criteria),
                None => Sought::Scalar(self.scalar(&field.ty)?, self.matches(field).to_vec()),
            },
        })
    }

    fn fields(&self, fields: &[Field]) -> Option<Criteria> {
        let criteria: Vec<_> = fields.iter().filter_map(|field| self.criterion(field)).collect();
        (!criteria.is_empty()).then_some(Criteria { criteria })
    }

    /// The scalars of what is an object in JSON, and a type here: a price's two, a reference's id.
    fn structured(&self, ty: &Type, matches: &[Match]) -> Option<Criteria> {
        let criterion = |name: &str, scalar| Criterion {
            name: name.to_owned(),
            former: None,
            sought: Sought::Scalar(scalar, matches.to_vec()),
            deprecation: None,
        };
        let criteria = match ty {
            Type::Price { .. } => {
                let [amount, currency] = Scalar::of_price(None, None, &[]);
                vec![criterion("amount", amount), criterion("currency", currency)]
            }
            Type::Ref { .. } => vec![criterion("id", Scalar::Uuid)],
            _ => return None,
        };
        Some(Criteria { criteria })
    }

    /// What a field opts in to; inside arrays, nothing.
    fn matches<'f>(&self, field: &'f Field) -> &'f [Match] {
        if self.is_listed { &[] } else { field.filter.matches() }
    }

    fn scalar(&self, ty: &Type) -> Option<Scalar> {
        match self.service.kind(ty) {
            Kind::Enum(values) => Scalar::compile(ty, Some(values)),
            _ => Scalar::compile(ty, None),
        }
    }
}
