//! A resource: its operations, views, search and commands.

mod access;
mod command;
mod conditions;
mod lifecycle;
mod named_access;
mod operation;
mod rule;
mod version;
mod view;

pub use access::Access;
pub use command::{Command, DEFAULT_TIMEOUT};
pub use lifecycle::{Lifecycle, Transition};
pub(crate) use named_access::note as note_named_access;
pub use operation::{Operation, OperationKind};
pub use rule::Rule;
pub use version::Version;
pub use view::{Through, View};

use crate::announcement::{Announcement, ResourceNotices};
use crate::condition::Condition;
use crate::field::{Allow, Deprecation, Field, is_false};
use crate::formerly::{self, Formerly};
use crate::names;
use crate::scalar::Date;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Something the service serves at `/<plural>` (§2.1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// PascalCase, singular.
    pub name: String,
    /// For the docs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The path's word: plural, lower case, dashed.
    pub plural: String,
    /// Served now, in the order of writing.
    pub versions: Vec<Version>,
    /// Old versions: requests for them get 410.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retired: Vec<Version>,
    /// Announced as going away.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deprecated: bool,
    /// The day of its removal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sunset: Option<Date>,
    /// Parts of it that go away, by their paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deprecations: Vec<Announcement>,
    /// What `deprecations` say of it: noted by [`Checked`](crate::Checked).
    #[serde(skip)]
    pub notices: ResourceNotices,
    /// The reference field that names the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Reference fields that make scoped collections.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub under: Vec<String>,
    /// Combinations of fields that no two entities share.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unique: Vec<Vec<String>>,
    /// Fields that lists filter by, and last the one that they sort by: each combination has an index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub index: Vec<Vec<String>>,
    /// Names for conditions on an entity and the caller, which the conditions and access lists of the resource know.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub conditions: BTreeMap<String, Condition>,
    /// Who sees an entity at all; nothing: every caller. What a caller must not see does not exist for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub visible: Vec<Access>,
    /// Whether callers who must not see an entity get 403 for its id, not 404.
    #[serde(default, skip_serializing_if = "is_false")]
    pub disclose: bool,
    /// In the order of [`OperationKind`].
    pub operations: Vec<Operation>,
    /// The same entities under other URLs, in the order of writing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub views: Vec<View>,
    /// Whether collections have a `count`.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub count: bool,
    /// What `/<resource>-searches` covers.
    #[serde(default, skip_serializing_if = "Search::is_none")]
    pub search: Search,
    /// In the order of writing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<Command>,
    /// What every write has to keep, in the order of writing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// The states of an entity, and the ways between them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifecycle: Option<Lifecycle>,
    /// In the order of writing, without the common ones.
    pub fields: Vec<Field>,
    /// The name it had, so that a migration renames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// The name that it had, which is served too until a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formerly: Option<Formerly>,
    /// Rules switched off here, with the reason.
    #[serde(default, skip_serializing_if = "Allow::is_empty")]
    pub allow: Allow,
}

impl Resource {
    /// The owner of an entity that is a user.
    pub const OWNS_ITSELF: &str = "id";

    /// A resource of this name with every key at its default.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            description: None,
            plural: names::plural_path(name),
            versions: vec![Version::PUBLIC],
            retired: Vec::new(),
            deprecated: false,
            sunset: None,
            deprecations: Vec::new(),
            notices: ResourceNotices::default(),
            owner: None,
            under: Vec::new(),
            unique: Vec::new(),
            index: Vec::new(),
            conditions: BTreeMap::new(),
            visible: Vec::new(),
            disclose: false,
            operations: OperationKind::DEFAULT.into_iter().map(Operation::with_default_access).collect(),
            views: Vec::new(),
            count: true,
            search: Search::None,
            commands: Vec::new(),
            rules: Vec::new(),
            lifecycle: None,
            fields: Vec::new(),
            renamed_from: None,
            formerly: None,
            allow: Allow::new(),
        }
    }

    /// The name of the array in a collection response (§2.4.13): the plural in camelCase.
    #[must_use]
    pub fn collection(&self) -> String {
        self.collection_of(false)
    }

    /// The same under the present name, or the former one.
    #[must_use]
    pub fn collection_of(&self, is_former: bool) -> String {
        names::camel(&self.plural_of(is_former))
    }

    /// The path's word of one entity, as in `/<resource>-searches`: the name, dashed.
    #[must_use]
    pub fn singular(&self) -> String {
        self.singular_of(false)
    }

    /// The same under the present name, or the former one.
    #[must_use]
    pub fn singular_of(&self, is_former: bool) -> String {
        names::kebab(self.name_of(is_former))
    }

    /// The present name, or the former one.
    #[must_use]
    pub fn name_of(&self, is_former: bool) -> &str {
        formerly::name_of(&self.name, self.formerly.as_ref(), is_former)
    }

    /// The present name, or one of the former, which is never the same: for the names of operations.
    #[must_use]
    pub fn label_of(&self, is_former: bool) -> String {
        formerly::label_of(&self.name, self.formerly.as_ref(), is_former, "Former")
    }

    /// The present plural, or the former one.
    #[must_use]
    pub fn plural_of(&self, is_former: bool) -> String {
        match self.formerly.as_ref().filter(|_| is_former) {
            Some(former) => former.plural.clone().unwrap_or_else(|| names::plural_path(&former.name)),
            None => self.plural.clone(),
        }
    }

    /// Each plural under which it is served: the present one first.
    pub fn plurals(&self) -> impl Iterator<Item = String> {
        let former = self.formerly.iter().map(|_| self.plural_of(true)).filter(|plural| *plural != self.plural);
        std::iter::once(self.plural.clone()).chain(former)
    }

    /// The name that it had, so that its rows are kept: `formerly`, or `renamedFrom`.
    #[must_use]
    pub fn old_name(&self) -> Option<&str> {
        self.formerly.as_ref().map(|former| former.name.as_str()).or(self.renamed_from.as_deref())
    }

    /// The path of the collection: `/offers`.
    #[must_use]
    pub fn path(&self) -> String {
        self.path_of(false)
    }

    /// The same under the present name, or the former one.
    #[must_use]
    pub fn path_of(&self, is_former: bool) -> String {
        format!("/{}", self.plural_of(is_former))
    }

    /// The path where searches are created (§4.5): `/offer-searches`.
    #[must_use]
    pub fn search_path(&self) -> String {
        self.search_path_of(false)
    }

    /// The same under the present name, or the former one.
    #[must_use]
    pub fn search_path_of(&self, is_former: bool) -> String {
        format!("/{}-searches", self.singular_of(is_former))
    }

    /// The field of this name, the common ones left out.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|f| f.name == name)
    }

    /// The reference to the owner; `None` if there is none, and for users, who own themselves (`owner: id`).
    #[must_use]
    pub fn owner_field(&self) -> Option<&str> {
        self.owner.as_deref().filter(|owner| *owner != Self::OWNS_ITSELF)
    }

    /// Whether some callers do not see all of its entities.
    #[must_use]
    pub fn is_restricted(&self) -> bool {
        Access::excludes_some(&self.visible)
    }

    /// Where entities are created: at the resource itself (`None`) or in a view.
    pub fn creations(&self) -> impl Iterator<Item = (Option<&str>, &Operation)> {
        let own = self.operations.iter().map(|operation| (None, operation));
        let views = self.views.iter().flat_map(|view| {
            let name = Some(view.name.as_str());
            view.operations.iter().map(move |operation| (name, operation))
        });
        own.chain(views).filter(|(_, operation)| operation.kind == OperationKind::Create)
    }

    /// Whether each creation takes the value of a field from the token: that of the owner, where no
    /// `default: { is: … }` gives it.
    #[must_use]
    pub fn is_taken_from_token(&self, field: &Field) -> bool {
        self.owner.as_deref() == Some(field.name.as_str())
            && field.default_is.is_none()
            && self.creations().all(|(_, operation)| !operation.access.contains(&Access::Anyone))
    }

    /// Whether a creation without a caller would leave a field without the value that each entity has: the owner, where
    /// nobody but the token can give it.
    #[must_use]
    pub fn needs_caller(&self, field: &Field) -> bool {
        let has_default = field.default.is_some() || field.default_is.is_some();
        field.required && !has_default && self.is_taken_from_token(field)
    }

    /// Whether the service itself gives a field a value in each creation.
    #[must_use]
    pub fn fills(&self, field: &Field) -> bool {
        let is_state = self.lifecycle.as_ref().is_some_and(|lifecycle| lifecycle.field == field.name);
        is_state || field.default_is.is_some() || self.is_taken_from_token(field)
    }

    /// Whether a field may be null in an entity: it is optional, or nothing has set it yet.
    #[must_use]
    pub fn may_be_null(&self, field: &Field) -> bool {
        field.may_be_null() && !(field.required && self.fills(field))
    }

    /// Whether the struct of an entity cannot be made without a field.
    #[must_use]
    pub fn has_to_be_given(&self, field: &Field) -> bool {
        field.required && field.default.is_none() && !self.may_be_null(field)
    }

    /// The announcement that it goes away.
    #[must_use]
    pub fn deprecation(&self) -> Option<Deprecation> {
        Deprecation::of(self.deprecated, self.sunset)
    }

    /// The view of this name.
    #[must_use]
    pub fn view(&self, name: &str) -> Option<&View> {
        self.views.iter().find(|v| v.name == name)
    }

    /// The versions that are served, the preferred first: public before the newest beta (decisions, "Accept").
    #[must_use]
    pub fn versions_by_preference(&self) -> Vec<Version> {
        let mut versions = self.versions.clone();
        versions.sort_unstable_by(|a, b| b.cmp(a));
        versions
    }

    /// Who may search: callers who may list, here or in a view (decisions, "Searches").
    #[must_use]
    pub fn search_access(&self) -> Vec<Access> {
        let own = self.operations.iter().map(|operation| (operation, false));
        let of_views = self.views.iter().flat_map(|view| {
            let requires_credentials = view.requires_credentials();
            view.operations.iter().map(move |operation| (operation, requires_credentials))
        });
        let mut found = Vec::new();
        for (operation, requires_credentials) in own.chain(of_views) {
            if operation.kind != OperationKind::List {
                continue;
            }
            for access in &operation.access {
                let is_opened = requires_credentials && *access == Access::Anyone;
                let access = if is_opened { Access::User } else { access.clone() };
                if !found.contains(&access) {
                    found.push(access);
                }
            }
        }
        found
    }

    /// The operation of this kind on the resource itself.
    #[must_use]
    pub fn operation(&self, kind: OperationKind) -> Option<&Operation> {
        self.operations.iter().find(|o| o.kind == kind)
    }
}

/// What can be searched for (§2.5).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Search {
    /// No search resource.
    #[default]
    None,
    /// All filterable fields and arrays of objects.
    All,
    /// These fields.
    Fields(Vec<String>),
}

impl Search {
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

fn yes() -> bool {
    true
}

fn is_true(value: &bool) -> bool {
    *value
}
