//! A condition after its names and types are resolved: what is evaluated and what becomes SQL.

use super::expr::Operator;
use crate::scalar::Timezone;
use crate::value::Value;
use std::fmt;

/// A part of a condition, with the type of its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Typed {
    /// The type.
    pub ty: StaticType,
    /// What it is.
    pub node: Node,
}

/// The type of a part of a condition. Every one has null among its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StaticType {
    /// Only null.
    Null,
    /// `boolean`.
    Boolean,
    /// `integer`.
    Integer,
    /// A decimal with this number of digits after the point.
    Decimal(u32),
    /// `number`.
    Number,
    /// `string`, and the types of texts of one form.
    Text,
    /// One of an enum's values.
    Enum(String),
    /// `uuid`.
    Uuid,
    /// A reference to this resource.
    Reference(String),
    /// `timestamp`, in milliseconds.
    Timestamp,
    /// `date`, in days.
    Date,
    /// `time`, in milliseconds.
    Time,
    /// `duration`, a text.
    Duration,
    /// The time between two dates or timestamps, in milliseconds; it can be negative.
    Length(LengthForm),
    /// `price`.
    Price,
    /// A list of these.
    List(Box<StaticType>),
    /// An object of this name.
    Object(String),
    /// A map, or JSON of any form: it is null, or it is not.
    Free,
    /// A claim of a token, whose type its use decides.
    Claim,
}

/// How a length of time is written as a duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LengthForm {
    /// `P3D`: between dates.
    Days,
    /// `PT259200S`, `PT0.5S`: between timestamps.
    Seconds,
}

/// What a part of a condition is.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// A value.
    Constant(Value),
    /// A field.
    Field(FieldBase, FieldPath),
    /// A field of the entity that a reference points at, which is of this resource.
    Follow(Box<Typed>, String, FieldPath),
    /// The id of the caller.
    Caller,
    /// The scopes of the caller's token.
    Scopes,
    /// The claim at this path.
    Claim(String),
    /// The time.
    Now,
    /// The date in a time zone.
    Today(Timezone),
    /// `[a, b]`.
    List(Vec<Typed>),
    /// `!x`.
    Not(Box<Typed>),
    /// `x && y`.
    And(Box<Typed>, Box<Typed>),
    /// `x || y`.
    Or(Box<Typed>, Box<Typed>),
    /// `==`, `!=`, `<`, `<=`, `>`, `>=`.
    Compare(Operator, Box<Typed>, Box<Typed>, Nulls),
    /// `x in y`.
    In(Box<Typed>, Box<Typed>, Nulls),
    /// `+`, `-`, `*`.
    Arithmetic(Operator, Box<Typed>, Box<Typed>),
    /// `c ? x : y`.
    Choose(Box<Typed>, Box<Typed>, Box<Typed>),
    /// `size(x)`.
    Size(Box<Typed>),
    /// `lower(x)`.
    Lower(Box<Typed>),
    /// A duration as its length, or a length as a duration: the types say which.
    Converted(Box<Typed>),
    /// `x.contains(y)`.
    Text(TextTest, Box<Typed>, Box<Typed>),
    /// The amount or currency of a price.
    Part(PricePart, Box<Typed>),
    /// `list.exists(o, …)`, `list.all(o, …)`.
    Quantifier {
        /// Whether it is `all`.
        is_all: bool,
        /// The list.
        list: Box<Typed>,
        /// The number of its variable: how many variables are around it.
        variable: usize,
        /// The condition on an item.
        body: Box<Typed>,
    },
    /// `any(Watch.offer, …)`, `caller.count(Membership.user, …)`.
    Referring {
        /// The reference to the entity that is referred to; in `any(…)` and `count(…)` that is the entity itself. Where
        /// it is null, nothing refers to it.
        to: Box<Typed>,
        /// The resource whose entities refer to that one.
        resource: String,
        /// The field that refers.
        field: FieldPath,
        /// The condition on such an entity.
        condition: Option<Box<Typed>>,
        /// Whether they are counted.
        counts: bool,
        /// How far: a greater number says no more. None: as far as they go.
        limit: Option<u64>,
    },
}

/// What null is equal to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    /// To null.
    Equal,
    /// To nothing: one of the operands depends on the caller or on a claim. Nobody, and what nobody said, equals
    /// nothing.
    Unequal,
}

/// What a field is a field of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FieldBase {
    /// The entity; inside `any` and `count`, the one that refers.
    This,
    /// `outer`: the entity outside of the `any` or `count` that is next around the part.
    Outer,
    /// The entity before the change.
    Old,
    /// The item of a list that this variable names.
    Item(usize),
}

/// The way to a field, through objects.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FieldPath {
    /// The names, as in JSON.
    pub names: Vec<String>,
    /// The positions of these fields, in the model's order; none for `id`, `createdAt` and `updatedAt`.
    pub indexes: Vec<usize>,
}

/// A test of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextTest {
    /// `startsWith`
    StartsWith,
    /// `endsWith`
    EndsWith,
    /// `contains`
    Contains,
}

/// A part of a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PricePart {
    /// A decimal with two digits after the point.
    Amount,
    /// Its code.
    Currency,
}

impl Typed {
    pub(super) fn new(ty: StaticType, node: Node) -> Self {
        Self { ty, node }
    }

    /// A constant.
    pub(super) fn constant(ty: StaticType, value: Value) -> Self {
        Self { ty, node: Node::Constant(value) }
    }

    /// `true` or `false`.
    pub(crate) fn flag(flag: bool) -> Self {
        Self::constant(StaticType::Boolean, Value::Bool(flag))
    }

    /// Null.
    pub(super) fn null(ty: StaticType) -> Self {
        Self::constant(ty, Value::Null)
    }

    /// A claim that has no value of the type that is wanted: equal to nothing, and not null.
    pub(super) fn of_another_type(ty: StaticType) -> Self {
        Self::constant(ty, Value::Object(Vec::new()))
    }

    /// A claim, or a choice of claims, as values of another type.
    pub(super) fn claim_as(self, ty: &StaticType) -> Self {
        match self.node {
            Node::Choose(condition, yes, no) => {
                let node = Node::Choose(condition, yes.claim_as(ty).into(), no.claim_as(ty).into());
                Self::new(ty.clone(), node)
            }
            node => Self::new(ty.clone(), node),
        }
    }

    /// What a function makes of a part; of a claim that a condition chooses, the choice of what it makes of each.
    pub(super) fn by_choice(self, make: &mut dyn FnMut(Self) -> Self) -> Self {
        match (self.ty, self.node) {
            (StaticType::Claim, Node::Choose(condition, yes, no)) => {
                let (yes, no) = (yes.by_choice(make), no.by_choice(make));
                Self::new(yes.ty.clone(), Node::Choose(condition, yes.into(), no.into()))
            }
            (ty, node) => make(Self::new(ty, node)),
        }
    }

    /// Whether it depends on the caller, or on a claim of the caller's token, and so may be what nobody said.
    #[must_use]
    pub(crate) fn may_be_unsaid(&self) -> bool {
        matches!(self.node, Node::Caller | Node::Claim(_)) || self.children().into_iter().any(Self::may_be_unsaid)
    }

    /// The value, where it is a constant.
    #[must_use]
    pub fn value(&self) -> Option<&Value> {
        match &self.node {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is `true` whatever the facts.
    #[must_use]
    pub fn is_true(&self) -> bool {
        self.value() == Some(&Value::Bool(true))
    }

    /// Whether it can never hold.
    #[must_use]
    pub fn is_never(&self) -> bool {
        self.value().is_some_and(|value| *value != Value::Bool(true))
    }

    /// Whether it is true or false, never null.
    #[must_use]
    pub(super) fn is_two_valued(&self) -> bool {
        match &self.node {
            Node::Constant(value) => matches!(value, Value::Bool(_)),
            Node::Not(_)
            | Node::And(..)
            | Node::Or(..)
            | Node::Compare(..)
            | Node::In(..)
            | Node::Text(..)
            | Node::Quantifier { .. } => true,
            Node::Referring { counts, .. } => !counts,
            _ => false,
        }
    }

    /// The parts that it is made of.
    pub fn children(&self) -> Vec<&Self> {
        match &self.node {
            Node::Constant(_)
            | Node::Field(..)
            | Node::Caller
            | Node::Scopes
            | Node::Claim(_)
            | Node::Now
            | Node::Today(_) => Vec::new(),
            Node::List(items) => items.iter().collect(),
            Node::Follow(one, ..)
            | Node::Not(one)
            | Node::Size(one)
            | Node::Lower(one)
            | Node::Converted(one)
            | Node::Part(_, one) => vec![one],
            Node::And(one, other)
            | Node::Or(one, other)
            | Node::Compare(_, one, other, _)
            | Node::In(one, other, _)
            | Node::Arithmetic(_, one, other)
            | Node::Text(_, one, other) => vec![one, other],
            Node::Choose(condition, yes, no) => vec![condition, yes, no],
            Node::Quantifier { list, body, .. } => vec![list, body],
            Node::Referring { to, condition, .. } => std::iter::once(to).chain(condition).map(|part| &**part).collect(),
        }
    }

    /// The conditions of which all have to hold.
    #[must_use]
    pub fn conjuncts(&self) -> Vec<&Self> {
        match &self.node {
            Node::And(one, other) => [one.conjuncts(), other.conjuncts()].concat(),
            _ => vec![self],
        }
    }
}

impl StaticType {
    /// Whether its values are whole numbers or decimals.
    #[must_use]
    pub(super) fn is_exact(&self) -> bool {
        matches!(self, Self::Integer | Self::Decimal(_))
    }

    /// The digits after the point.
    #[must_use]
    pub(super) fn scale(&self) -> u32 {
        match self {
            Self::Decimal(scale) => *scale,
            _ => 0,
        }
    }
}

impl fmt::Display for StaticType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Boolean => f.write_str("a boolean"),
            Self::Integer => f.write_str("an integer"),
            Self::Decimal(1) => f.write_str("a decimal with 1 digit after the point"),
            Self::Decimal(scale) => write!(f, "a decimal with {scale} digits after the point"),
            Self::Number => f.write_str("a number"),
            Self::Text => f.write_str("a text"),
            Self::Enum(name) => write!(f, "a value of `{name}`"),
            Self::Uuid => f.write_str("an id"),
            Self::Reference(resource) => write!(f, "a reference to `{resource}`"),
            Self::Timestamp => f.write_str("a timestamp"),
            Self::Date => f.write_str("a date"),
            Self::Time => f.write_str("a time of day"),
            Self::Duration | Self::Length(_) => f.write_str("a duration"),
            Self::Price => f.write_str("a price"),
            Self::List(_) => f.write_str("a list"),
            Self::Object(_) => f.write_str("an object"),
            Self::Free => f.write_str("a value of any form"),
            Self::Claim => f.write_str("a claim"),
        }
    }
}

impl FieldPath {
    /// The way to `id`, `createdAt` or `updatedAt`.
    pub(super) fn common(name: &str) -> Self {
        Self { names: vec![name.to_owned()], indexes: Vec::new() }
    }

    /// Whether it is the way to `id`.
    #[must_use]
    pub fn is_id(&self) -> bool {
        self.indexes.is_empty() && self.names == ["id"]
    }

    /// The name with dots.
    #[must_use]
    pub fn dotted(&self) -> String {
        self.names.join(".")
    }

    /// The value at this path of an entity's or object's fields, which are in the model's order; a field of an object
    /// that is absent is null. None for the common fields.
    #[must_use]
    pub fn within(&self, fields: &Value) -> Option<Value> {
        if self.indexes.len() < self.names.len() {
            return None;
        }
        let mut value = fields;
        for index in &self.indexes {
            let Value::Object(members) = value else { return Some(Value::Null) };
            value = members.get(*index)?;
        }
        Some(value.clone())
    }
}
