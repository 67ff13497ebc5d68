//! A field. Its type is one of [`language`](crate::language).

pub use crate::language::{DEFAULT_SCALE, Type};

use crate::announcement::FieldNotices;
use crate::condition::Condition;
use crate::formerly::Formerly;
use crate::resource::{Access, Version, View};
use crate::scalar::Date;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Rules switched off at one place: the rule's code in kebab-case, and the reason.
pub type Allow = BTreeMap<String, String>;

/// One property of a resource, an object, or a command's input or output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Field {
    /// camelCase, as in JSON.
    pub name: String,
    /// The type, with its constraints.
    #[serde(flatten)]
    pub ty: Type,
    /// Never null; a request without it gets 422 unless it has a default.
    #[serde(default, skip_serializing_if = "is_false")]
    pub required: bool,
    /// Null is refused where this holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_when: Option<Condition>,
    /// Used when a request omits it: JSON in the type's own form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<serde_json::Value>,
    /// The value of a new entity whose request omits it, computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_is: Option<Condition>,
    /// The expression that gives its value whenever an entity is read: it is neither stored nor written.
    #[serde(rename = "is", default, skip_serializing_if = "Option::is_none")]
    pub computed: Option<Condition>,
    /// Taken at creation only.
    #[serde(default, skip_serializing_if = "is_false")]
    pub immutable: bool,
    /// Set by the service only.
    #[serde(default, skip_serializing_if = "is_false")]
    pub read_only: bool,
    /// Accepted, never rendered.
    #[serde(default, skip_serializing_if = "is_false")]
    pub write_only: bool,
    /// How a `writeOnly` value is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Secret>,
    /// Who sees it: callers, as in `access`. Empty: every caller who sees the entity.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub visible: Vec<Access>,
    /// Who may change it. Empty: every caller who may change the entity.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writable: Vec<Access>,
    /// May be a query parameter, and how it is compared.
    #[serde(default, skip_serializing_if = "Filter::is_off")]
    pub filter: Filter,
    /// May stand in `sort`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub sort: bool,
    /// No two entities share it.
    #[serde(default, skip_serializing_if = "Uniqueness::is_off")]
    pub unique: Uniqueness,
    /// The views that have it; `None`: the resource itself and all its views.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub views: Option<Vec<String>>,
    /// The versions that have it; `None`: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions: Option<Vec<Version>>,
    /// What to type, by an example: for forms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// Announced as going away.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deprecated: bool,
    /// The day of its removal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sunset: Option<Date>,
    /// For the docs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// For the docs: JSON in the type's own form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<serde_json::Value>,
    /// The name it had, so that a migration renames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// The name that is served beside the present one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formerly: Option<Formerly>,
    /// What `deprecations` say of it: noted by [`Checked`](crate::Checked).
    #[serde(skip)]
    pub notices: FieldNotices,
    /// Rules switched off here, with the reason.
    #[serde(default, skip_serializing_if = "Allow::is_empty")]
    pub allow: Allow,
}

impl Field {
    /// A field of this name and type with every key at its default.
    #[must_use]
    pub fn new(name: &str, ty: Type) -> Self {
        Self {
            name: name.to_owned(),
            ty,
            required: false,
            required_when: None,
            default: None,
            default_is: None,
            computed: None,
            immutable: false,
            read_only: false,
            write_only: false,
            secret: None,
            visible: Vec::new(),
            writable: Vec::new(),
            filter: Filter::Off,
            sort: false,
            unique: Uniqueness::Off,
            views: None,
            versions: None,
            placeholder: None,
            deprecated: false,
            sunset: None,
            description: None,
            example: None,
            renamed_from: None,
            formerly: None,
            notices: FieldNotices::default(),
            allow: Allow::new(),
        }
    }

    /// Whether a version and a view (`None`: the resource itself) have it (decisions, "Versions").
    #[must_use]
    pub fn is_in(&self, version: Version, view: Option<&View>) -> bool {
        let in_version = self.versions.as_ref().is_none_or(|versions| versions.contains(&version));
        let in_view = match (&self.views, view) {
            (None, _) => true,
            (Some(views), Some(view)) => views.contains(&view.name),
            (Some(_), None) => false,
        };
        in_version && in_view
    }

    /// Whether requests cannot set it: only the service does, or it is computed.
    #[must_use]
    pub fn is_ignored_in_requests(&self) -> bool {
        self.read_only || self.computed.is_some()
    }

    /// Whether it is an array or a map that cannot be empty.
    #[must_use]
    pub fn is_never_empty(&self) -> bool {
        self.required && self.ty.min_items().is_some_and(|least| least > 0)
    }

    /// The announcement that it goes away: its own, or one in `deprecations`.
    #[must_use]
    pub fn deprecation(&self) -> Option<Deprecation> {
        Deprecation::together(Deprecation::of(self.deprecated, self.sunset), self.notices.whole)
    }

    /// The same for requests that set it: it may become `readOnly`.
    #[must_use]
    pub fn writing_deprecation(&self) -> Option<Deprecation> {
        Deprecation::together(self.deprecation(), self.notices.writing)
    }

    /// The name that it had, so that its rows are kept: `formerly`, or `renamedFrom`.
    #[must_use]
    pub fn old_name(&self) -> Option<&str> {
        self.formerly.as_ref().map(|former| former.name.as_str()).or(self.renamed_from.as_deref())
    }

    /// The former name under which it is served too, with the announcement that this name goes away.
    #[must_use]
    pub fn former(&self) -> Option<(&str, Deprecation)> {
        let former = self.formerly.as_ref()?;
        let own = former.deprecation();
        Some((&former.name, Deprecation::together(Some(own), self.deprecation()).unwrap_or(own)))
    }

    /// Each name under which it is served.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.formerly.as_ref().map(|former| former.name.as_str()))
    }

    /// Whether some callers who see the entity do not see it.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        Access::excludes_some(&self.visible)
    }

    /// Whether some callers who may change the entity may not change it.
    #[must_use]
    pub fn is_guarded(&self) -> bool {
        self.is_hidden() || Access::excludes_some(&self.writable)
    }

    /// Whether a struct cannot be made without it: it is never null, and has no default. Of a field of a resource:
    /// [`Resource::has_to_be_given`](crate::Resource::has_to_be_given).
    #[must_use]
    pub fn has_to_be_given(&self) -> bool {
        self.required && self.default.is_none() && !self.may_be_null()
    }

    /// Whether an entity may have no value: of what only the service sets, until it does. Of a field of a resource:
    /// [`Resource::may_be_null`](crate::Resource::may_be_null).
    #[must_use]
    pub fn may_be_null(&self) -> bool {
        !self.ty.is_never_null() && (!self.required || (self.read_only && self.default.is_none()))
    }
}

/// How a struct of fields is made in Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Construction {
    /// By `Default`: no field has to be given.
    FromNothing,
    /// From those that have to be given.
    FromDraft,
    /// With all of its fields, since all have to be given.
    Whole,
}

impl Construction {
    /// That of a struct: of each of its fields, whether it has to be given.
    pub fn of(fields: impl IntoIterator<Item = bool>) -> Self {
        let (mut some, mut all) = (false, true);
        for has_to_be_given in fields {
            some |= has_to_be_given;
            all &= has_to_be_given;
        }
        match (some, all) {
            (_, true) => Self::Whole,
            (true, false) => Self::FromDraft,
            (false, false) => Self::FromNothing,
        }
    }
}

/// What was used is going away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Deprecation {
    /// When, where that is known.
    pub sunset: Option<Date>,
}

impl Deprecation {
    /// Of what is deprecated.
    #[must_use]
    pub fn of(deprecated: bool, sunset: Option<Date>) -> Option<Self> {
        deprecated.then_some(Self { sunset })
    }

    /// Of two parts used together, either of which may be deprecated: the earlier date counts.
    #[must_use]
    pub fn together(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        let both = one.into_iter().chain(other);
        both.reduce(|one, other| Self { sunset: one.sunset.into_iter().chain(other.sunset).min() })
    }
}

/// Whether a field is a query parameter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "FilterForm", into = "FilterForm")]
pub enum Filter {
    /// It is not.
    #[default]
    Off,
    /// Compared by equality, and by ranges where its type has an order.
    On,
    /// In these ways too.
    With(Vec<Match>),
}

/// A comparison that a field opts in to: a suffix of its parameter, and a key of its criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Match {
    /// None of these values; null is none of them.
    Not,
    /// Begins with this text, in exact case.
    StartsWith,
    /// Has this text in it, in exact case.
    Contains,
    /// Begins with this text, in any case.
    StartsWithIgnoreCase,
    /// Has this text in it, in any case.
    ContainsIgnoreCase,
}

/// As it is written: `true`, or a list of words.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum FilterForm {
    Flag(bool),
    Words(Vec<Match>),
}

impl Filter {
    /// Whether the field is a parameter.
    #[must_use]
    pub fn is_on(&self) -> bool {
        *self != Self::Off
    }

    fn is_off(&self) -> bool {
        *self == Self::Off
    }

    /// The comparisons beside equality and ranges.
    #[must_use]
    pub fn matches(&self) -> &[Match] {
        match self {
            Self::Off | Self::On => &[],
            Self::With(matches) => matches,
        }
    }

    /// Whether it compares texts without their case, with an index or without.
    #[must_use]
    pub fn ignores_case(&self) -> bool {
        self.matches().iter().any(|it| it.ignores_case())
    }

    /// Whether it needs an index of the texts without their case.
    #[must_use]
    pub fn is_indexed_folded(&self) -> bool {
        self.matches().contains(&Match::StartsWithIgnoreCase)
    }
}

impl From<FilterForm> for Filter {
    fn from(form: FilterForm) -> Self {
        match form {
            FilterForm::Flag(false) => Self::Off,
            FilterForm::Flag(true) => Self::On,
            FilterForm::Words(words) => Self::With(words),
        }
    }
}

impl From<Filter> for FilterForm {
    fn from(filter: Filter) -> Self {
        match filter {
            Filter::Off => Self::Flag(false),
            Filter::On => Self::Flag(true),
            Filter::With(words) => Self::Words(words),
        }
    }
}

impl From<bool> for Filter {
    fn from(is_on: bool) -> Self {
        if is_on { Self::On } else { Self::Off }
    }
}

impl Match {
    /// The word in the schema language, in a criterion, and behind a parameter's last dot.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Not => "not",
            Self::StartsWith => "startsWith",
            Self::Contains => "contains",
            Self::StartsWithIgnoreCase => "startsWithIgnoreCase",
            Self::ContainsIgnoreCase => "containsIgnoreCase",
        }
    }

    /// Whether it takes several values.
    #[must_use]
    pub fn is_repeatable(self) -> bool {
        self == Self::Not
    }

    /// Whether it compares parts of texts.
    #[must_use]
    pub fn is_of_texts(self) -> bool {
        match self {
            Self::Not => false,
            Self::StartsWith | Self::Contains | Self::StartsWithIgnoreCase | Self::ContainsIgnoreCase => true,
        }
    }

    /// Whether texts that differ in case alone are the same to it.
    #[must_use]
    pub fn ignores_case(self) -> bool {
        match self {
            Self::Not | Self::StartsWith | Self::Contains => false,
            Self::StartsWithIgnoreCase | Self::ContainsIgnoreCase => true,
        }
    }

    /// The comparison with an index that a search for a part of a text can use instead of this one, which has none.
    #[must_use]
    pub fn indexed_instead(self) -> Option<Self> {
        match self {
            Self::Contains => Some(Self::StartsWith),
            Self::ContainsIgnoreCase => Some(Self::StartsWithIgnoreCase),
            Self::Not | Self::StartsWith | Self::StartsWithIgnoreCase => None,
        }
    }
}

/// Whether two entities may have the same value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "UniquenessForm", into = "UniquenessForm")]
pub enum Uniqueness {
    /// They may.
    #[default]
    Off,
    /// They may not.
    Exact,
    /// They may not, not even in another case.
    IgnoreCase,
}

/// As it is written: `true`, or a word.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum UniquenessForm {
    Flag(bool),
    Word(UniquenessWord),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum UniquenessWord {
    IgnoreCase,
}

impl Uniqueness {
    /// Whether no two entities share a value.
    #[must_use]
    pub fn is_on(self) -> bool {
        self != Self::Off
    }

    /// Whether values that differ in case alone are the same.
    #[must_use]
    pub fn ignores_case(self) -> bool {
        self == Self::IgnoreCase
    }

    fn is_off(&self) -> bool {
        *self == Self::Off
    }
}

impl From<UniquenessForm> for Uniqueness {
    fn from(form: UniquenessForm) -> Self {
        match form {
            UniquenessForm::Flag(is_on) => is_on.into(),
            UniquenessForm::Word(UniquenessWord::IgnoreCase) => Self::IgnoreCase,
        }
    }
}

impl From<Uniqueness> for UniquenessForm {
    fn from(unique: Uniqueness) -> Self {
        match unique {
            Uniqueness::Off => Self::Flag(false),
            Uniqueness::Exact => Self::Flag(true),
            Uniqueness::IgnoreCase => Self::Word(UniquenessWord::IgnoreCase),
        }
    }
}

impl From<bool> for Uniqueness {
    fn from(is_on: bool) -> Self {
        if is_on { Self::Exact } else { Self::Off }
    }
}

/// How a secret is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Secret {
    /// Only its Argon2 hash.
    Argon2,
}

/// The form of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// An e-mail address.
    Email,
    /// An absolute URI, RFC 3986.
    Uri,
}

/// What deleting an entity does to those that refer to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OnDelete {
    /// Refuses the deletion.
    #[default]
    Restrict,
    /// Deletes them too.
    Cascade,
    /// Sets their reference to null.
    Null,
}

impl OnDelete {
    pub(crate) fn is_restrict(&self) -> bool {
        *self == Self::Restrict
    }
}

pub(crate) fn is_false(value: &bool) -> bool {
    !*value
}
