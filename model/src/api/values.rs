//! Values in bodies and parameters: their types, and the properties of objects (§2.3, §2.4).

use super::schemas::SchemaKey;
use crate::check::{Checked, Kind};
use crate::field::{Deprecation, Field, Match, Type};
use crate::input::{Bound, Reading};
use crate::language::DEFAULT_MAP_ENTRIES;
use crate::pattern::Pattern;
use crate::resource::{Resource, Version, View};
use crate::service::Enum;
use std::borrow::Cow;

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueType<'a> {
    /// One value of a scalar type, with its constraints: never a price, reference, array or named type.
    Scalar(&'a Type),
    /// One of an enum's values (§2.4.8).
    Enum(&'a Enum),
    /// One of these words, the same in every service: the status of a command.
    Words(Vec<&'static str>),
    /// The amount of a price: a decimal in a string, two digits after the point in responses, at most two in requests.
    Amount,
    /// `{amount, currency}` (§2.4.7), with the constraints of this [`Type::Price`].
    Price(&'a Type),
    /// A reference (§2.4.9). A request needs only its `id`, and what stands beside it is ignored.
    Reference {
        /// The resource that it refers to.
        to: &'a str,
        /// What a response has: `id`, and the other entity's properties that are shown. A request: `id`.
        properties: Vec<Property<'a>>,
    },
    /// An object.
    Object {
        /// The object's name in the model; `None` for what every service has.
        name: Option<&'a str>,
        /// In the order in which they are rendered.
        properties: Vec<Property<'a>>,
    },
    /// A list; in responses never null (§2.4.2).
    Array {
        /// What each item is; an item is never null.
        items: Box<ValueType<'a>>,
        /// How many there may be.
        bounds: ArrayBounds,
    },
    /// Values under names that clients choose; in responses never null.
    Map {
        /// What each value is; a value is never null.
        values: Box<ValueType<'a>>,
        /// Which names there may be.
        bounds: MapBounds<'a>,
    },
    /// A criterion of a search (§4.5): a value, a non-empty array of values of which any may match, or an object of
    /// bounds.
    Criterion {
        /// The type of the values. Its constraints do not apply.
        value: Box<ValueType<'a>>,
        /// The keys of the object beside `isNull`; empty for types without order.
        bounds: &'static [Bound],
        /// More keys of the object: comparisons that the field opts in to. One that is repeatable takes an array too.
        matches: &'a [Match],
        /// Whether the object of bounds is possible, and with it `isNull` (true, false).
        takes_bounds: bool,
    },
    /// Another schema of the interface.
    Schema(SchemaKey),
    /// Any JSON.
    Any,
}

/// How many items an array may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ArrayBounds {
    /// Items at least, in an array that is required or not empty.
    pub min_items: Option<u32>,
    /// Items at most.
    pub max_items: Option<u32>,
    /// No two items are equal.
    pub unique_items: bool,
}

impl ArrayBounds {
    /// Those of an array in the model; of another type none.
    fn of(ty: &Type) -> Self {
        let Type::Array { min_items, max_items, unique_items, .. } = ty else { return Self::default() };
        Self { min_items: *min_items, max_items: *max_items, unique_items: *unique_items }
    }
}

/// Which names a map may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapBounds<'a> {
    /// Names at least, in a map that is required or not empty.
    pub min_items: Option<u32>,
    /// Names at most.
    pub max_items: u32,
    /// What each name has to match.
    pub pattern: Option<&'a Pattern>,
}

impl<'a> MapBounds<'a> {
    /// Those of a map in the model.
    fn of(ty: &'a Type) -> Self {
        let none = Self { min_items: None, max_items: DEFAULT_MAP_ENTRIES, pattern: None };
        let Type::Map { min_items, max_items, pattern, .. } = ty else { return none };
        Self { min_items: *min_items, max_items: max_items.unwrap_or(DEFAULT_MAP_ENTRIES), pattern: pattern.as_ref() }
    }
}

/// A property of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Property<'a> {
    /// As in JSON.
    pub name: Cow<'a, str>,
    /// What it holds.
    pub value: ValueType<'a>,
    /// The field of the model, with its description, example and default; `None` for what every service has.
    pub field: Option<&'a Field>,
    /// In a request: it must be there. In a response: it is always there.
    pub is_required: bool,
    /// In a request: the former name of the field will do instead.
    pub or_former: bool,
    /// Whether it may be null.
    pub is_nullable: bool,
    /// In a request: the property is known, and ignored (decisions, "Requests").
    pub is_ignored: bool,
    /// What sets it where a creation omits it.
    pub filled_by: Option<FilledBy>,
    /// The announcement that it goes away.
    pub deprecation: Option<Deprecation>,
}

/// What sets a property that a creation omits (decisions, "Views and owners").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilledBy {
    /// The id in the path; another one in the body is 422 `PathMismatch`.
    Path,
    /// The caller's id. Only a request without credentials must have the property.
    Token,
}

/// `id`, and other UUIDs that every service has.
pub(super) static UUID: Type = Type::Uuid;
/// `createdAt` and `updatedAt`.
pub(super) static TIMESTAMP: Type = Type::Timestamp { minimum: None, maximum: None };
/// Texts that every service has.
pub(super) static TEXT: Type = Type::string();
/// Counts.
pub(super) static COUNT: Type = Type::Integer { minimum: Some(0), maximum: None };
/// The currency of a price.
pub(super) static CURRENCY: Type = Type::Currency;

impl<'a> Property<'a> {
    /// A property that every service has, and that is always there.
    pub(super) fn built_in(name: &'static str, value: ValueType<'a>) -> Self {
        Self {
            name: Cow::Borrowed(name),
            value,
            field: None,
            is_required: true,
            or_former: false,
            is_nullable: false,
            is_ignored: false,
            filled_by: None,
            deprecation: None,
        }
    }

    /// The property, but it may be null.
    pub(super) fn nullable(self) -> Self {
        Self { is_nullable: true, ..self }
    }

    /// The property, but it may be omitted.
    pub(super) fn optional(self) -> Self {
        Self { is_required: false, ..self }
    }
}

/// What every entity has, set by the service (§2.3).
pub(super) fn common<'a>() -> Vec<Property<'a>> {
    vec![
        Property::built_in("id", ValueType::Scalar(&UUID)),
        Property::built_in("createdAt", ValueType::Scalar(&TIMESTAMP)),
        Property::built_in("updatedAt", ValueType::Scalar(&TIMESTAMP)),
    ]
}

/// The members of a price.
pub(super) fn price_members<'a>() -> Vec<Property<'a>> {
    vec![Property::built_in("amount", ValueType::Amount), Property::built_in("currency", ValueType::Scalar(&CURRENCY))]
}

/// The type of a single value: of a scalar or an enum.
pub(super) fn single<'a>(service: &'a Checked, ty: &'a Type) -> ValueType<'a> {
    match service.kind(ty) {
        Kind::Enum(values) => ValueType::Enum(values),
        Kind::Scalar(_) | Kind::Object(_) | Kind::Array(_) | Kind::Map(_) => ValueType::Scalar(ty),
    }
}

/// An array of these items.
pub(super) fn array(items: ValueType<'_>, bounds: ArrayBounds) -> ValueType<'_> {
    ValueType::Array { items: Box::new(items), bounds }
}

/// Whether a body is read or written, which decides what an omitted property means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// A request.
    Request(Reading),
    /// A response; `shows`: its references show properties of other entities.
    Response {
        /// References that another reference shows have only their `id`.
        shows: bool,
    },
}

impl Direction {
    fn is_response(self) -> bool {
        match self {
            Self::Request(_) => false,
            Self::Response { .. } => true,
        }
    }

    fn of_items(self) -> Self {
        if self.is_response() { self } else { Self::Request(Reading::Create) }
    }
}

/// Selects the fields of the model that a body has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Selection<'a> {
    pub(super) service: &'a Checked,
    /// The versions, any of which may have a field, and the view. `None`: all fields.
    pub(super) within: Option<(&'a [Version], Option<&'a View>)>,
}

impl<'a> Selection<'a> {
    /// Selects all fields: commands have neither versions nor views.
    pub(super) fn all(service: &'a Checked) -> Self {
        Self { service, within: None }
    }

    pub(super) fn has(&self, field: &Field) -> bool {
        self.within.is_none_or(|(versions, view)| versions.iter().any(|version| field.is_in(*version, view)))
    }

    /// The properties that these fields make.
    pub(super) fn properties(&self, fields: &'a [Field], direction: Direction) -> Vec<Property<'a>> {
        let is_there = |field: &&Field| self.has(field) && !(field.write_only && direction.is_response());
        fields.iter().filter(is_there).flat_map(|field| self.named(field, direction)).collect()
    }

    /// The property of a field, and that of its former name.
    fn named(&self, field: &'a Field, direction: Direction) -> Vec<Property<'a>> {
        let property = self.property(field, direction);
        let Some((name, deprecation)) = field.former() else { return vec![property] };
        // in a request, either name will do
        let is_required = property.is_required && direction.is_response();
        let former =
            Property { name: Cow::Borrowed(name), deprecation: Some(deprecation), is_required, ..property.clone() };
        vec![Property { or_former: !direction.is_response(), ..property }, former]
    }

    fn property(&self, field: &'a Field, direction: Direction) -> Property<'a> {
        let (is_required, is_nullable) = match direction {
            Direction::Request(reading) => {
                // a caller who does not see it sends back the null of the response
                let is_kept = field.is_hidden() && reading == Reading::Update;
                (must_be_given(field, reading), !field.required || is_kept)
            }
            Direction::Response { .. } => {
                let is_hidden = field.is_hidden() && !field.ty.is_never_null();
                (true, field.may_be_null() || is_hidden)
            }
        };
        Property {
            name: Cow::Borrowed(&field.name),
            value: announced(self.value(&field.ty, direction), field),
            field: Some(field),
            is_required,
            or_former: false,
            is_nullable,
            is_ignored: field.is_ignored_in_requests() && !direction.is_response(),
            filled_by: None,
            deprecation: match direction {
                Direction::Request(_) => field.writing_deprecation(),
                Direction::Response { .. } => field.deprecation(),
            },
        }
    }

    fn value(&self, ty: &'a Type, direction: Direction) -> ValueType<'a> {
        match self.service.kind(ty) {
            Kind::Enum(values) => ValueType::Enum(values),
            Kind::Object(object) => {
                ValueType::Object { name: Some(&object.name), properties: self.properties(&object.fields, direction) }
            }
            // an item has no stored one that it could keep something of
            Kind::Array(items) => array(self.value(items, direction.of_items()), ArrayBounds::of(ty)),
            Kind::Map(values) => {
                ValueType::Map { values: Box::new(self.value(values, direction.of_items())), bounds: MapBounds::of(ty) }
            }
            Kind::Scalar(Type::Ref { to, show, .. }) => {
                ValueType::Reference { to, properties: self.reference(to, show, direction) }
            }
            Kind::Scalar(Type::Price { .. }) => ValueType::Price(ty),
            Kind::Scalar(scalar) => ValueType::Scalar(scalar),
        }
    }

    fn reference(&self, to: &str, show: &'a [String], direction: Direction) -> Vec<Property<'a>> {
        let id = Property::built_in("id", ValueType::Scalar(&UUID));
        let resource = match direction {
            Direction::Response { shows: true } => self.service.resource(to),
            Direction::Response { shows: false } | Direction::Request(_) => None,
        };
        let shown = |resource: &'a Resource, name: &'a String| match (resource.field(name), name.as_str()) {
            (None, "createdAt") => vec![Property::built_in("createdAt", ValueType::Scalar(&TIMESTAMP))],
            (None, "updatedAt") => vec![Property::built_in("updatedAt", ValueType::Scalar(&TIMESTAMP))],
            (field, _) => {
                let field = field.filter(|field| self.has(field) && !field.write_only);
                field.map(|field| self.named(field, Direction::Response { shows: false })).unwrap_or_default()
            }
        };
        // nothing keeps from deletion what a command or a route refers to
        let may_be_gone = self.within.is_none();
        // of an entity that the caller must not see only the id is shown
        let shown = |resource: &'a Resource, name: &'a String| {
            let mut properties = shown(resource, name);
            for property in &mut properties {
                let is_never_null = matches!(property.value, ValueType::Array { .. } | ValueType::Map { .. });
                property.is_nullable |= (resource.is_restricted() || may_be_gone) && !is_never_null;
            }
            properties
        };
        let details = resource.into_iter().flat_map(|resource| show.iter().flat_map(move |name| shown(resource, name)));
        std::iter::once(id).chain(details).collect()
    }
}

/// A reference whose field announces that it will show less.
fn announced<'a>(mut value: ValueType<'a>, field: &Field) -> ValueType<'a> {
    let reference = match &mut value {
        ValueType::Array { items, .. } => &mut **items,
        value => value,
    };
    if let ValueType::Reference { properties, .. } = reference {
        for property in properties {
            let notice = field.notices.show.get(&*property.name).copied();
            property.deprecation = Deprecation::together(property.deprecation, notice);
        }
    }
    value
}

/// Whether a request without the property is 422 `Required` (decisions, "Requests").
pub(super) fn must_be_given(field: &Field, reading: Reading) -> bool {
    let is_kept = reading == Reading::Update && (field.immutable || field.write_only || field.is_hidden());
    let has_default = field.default.is_some() || field.default_is.is_some();
    field.required && !has_default && !field.read_only && !is_kept
}

/// The error object of §7.1: all five members, always.
pub(super) fn problem<'a>() -> ValueType<'a> {
    let text = || ValueType::Scalar(&TEXT);
    let properties = vec![
        Property::built_in("message", text()),
        Property::built_in("code", text()),
        Property::built_in("details", ValueType::Any).nullable(),
        Property::built_in("path", text()).nullable(),
        Property::built_in("userMessage", text()),
    ];
    ValueType::Object { name: None, properties }
}
