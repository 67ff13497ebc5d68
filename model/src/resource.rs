//! A resource: its operations, views, search and commands.

use crate::field::{Allow, Field, is_false};
use crate::names;
use crate::routes::COMMANDS;
use crate::scalar::Date;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

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
    /// The reference field that names the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Reference fields that make scoped collections.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub under: Vec<String>,
    /// Combinations of fields that no two entities share.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unique: Vec<Vec<String>>,
    /// In the order of [`OperationKind`].
    pub operations: Vec<Operation>,
    /// The same entities under other URLs, in the order of writing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub views: Vec<View>,
    /// Whether collections tell how many entities match.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub count: bool,
    /// What `/<resource>-searches` covers.
    #[serde(default, skip_serializing_if = "Search::is_none")]
    pub search: Search,
    /// In the order of writing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<Command>,
    /// In the order of writing, without the common ones.
    pub fields: Vec<Field>,
    /// The name it had, so that a migration renames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// Rules switched off here, with the reason.
    #[serde(default, skip_serializing_if = "Allow::is_empty")]
    pub allow: Allow,
}

impl Resource {
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
            owner: None,
            under: Vec::new(),
            unique: Vec::new(),
            operations: OperationKind::DEFAULT.into_iter().map(Operation::open).collect(),
            views: Vec::new(),
            count: true,
            search: Search::None,
            commands: Vec::new(),
            fields: Vec::new(),
            renamed_from: None,
            allow: Allow::new(),
        }
    }

    /// The name of the array in a collection response (§2.4.13): the plural in camelCase.
    #[must_use]
    pub fn collection(&self) -> String {
        names::camel(&self.plural)
    }

    /// The path's word of one entity, as in `/<resource>-searches`: the name, dashed.
    #[must_use]
    pub fn singular(&self) -> String {
        names::kebab(&self.name)
    }

    /// The path of the collection: `/offers`.
    #[must_use]
    pub fn path(&self) -> String {
        format!("/{}", self.plural)
    }

    /// The path where searches are created (§4.5): `/offer-searches`.
    #[must_use]
    pub fn search_path(&self) -> String {
        format!("/{}-searches", self.singular())
    }

    /// The field of this name, the common ones left out.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|f| f.name == name)
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

/// What may be done with a collection or an entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// Which one.
    pub kind: OperationKind,
    /// Who has access: callers that match any of these.
    pub access: Vec<Access>,
    /// Answered 202 and done later.
    #[serde(rename = "async", default, skip_serializing_if = "is_false")]
    pub is_async: bool,
}

impl Operation {
    /// An operation that anyone may call.
    #[must_use]
    pub fn open(kind: OperationKind) -> Self {
        Self { kind, access: vec![Access::Anyone], is_async: false }
    }
}

/// The operations, in their canonical order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OperationKind {
    /// POST on the collection.
    Create,
    /// GET on the collection.
    List,
    /// GET on an entity.
    Get,
    /// PUT on an entity.
    Update,
    /// PATCH on an entity.
    Patch,
    /// DELETE on an entity.
    Delete,
}

impl OperationKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [Self::Create, Self::List, Self::Get, Self::Update, Self::Patch, Self::Delete];
    /// What a resource has that lists none.
    pub const DEFAULT: [Self; 5] = [Self::Create, Self::List, Self::Get, Self::Update, Self::Delete];

    /// The word in YAML.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::List => "list",
            Self::Get => "get",
            Self::Update => "update",
            Self::Patch => "patch",
            Self::Delete => "delete",
        }
    }

    /// The HTTP method.
    #[must_use]
    pub const fn method(self) -> &'static str {
        match self {
            Self::Create => "POST",
            Self::List | Self::Get => "GET",
            Self::Update => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// Whether it is called on the collection, not on an entity.
    #[must_use]
    pub const fn on_collection(self) -> bool {
        matches!(self, Self::Create | Self::List)
    }
}

impl FromStr for OperationKind {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|kind| kind.word() == word).ok_or(())
    }
}

/// Who has access to an operation (§5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Access {
    /// No credentials needed.
    Anyone,
    /// Every authenticated caller.
    User,
    /// The entity's owner.
    Owner,
    /// A caller whose token has this scope.
    Scope(String),
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anyone => f.write_str("anyone"),
            Self::User => f.write_str("user"),
            Self::Owner => f.write_str("owner"),
            Self::Scope(scope) => write!(f, "scope:{scope}"),
        }
    }
}

impl FromStr for Access {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "anyone" => Ok(Self::Anyone),
            "user" => Ok(Self::User),
            "owner" => Ok(Self::Owner),
            other => match other.strip_prefix("scope:") {
                // RFC 6749 §3.3: printable ASCII without space, quote and backslash
                Some(scope) if is_scope(scope) => Ok(Self::Scope(scope.to_owned())),
                _ => Err(format!("`{other}` is not an access: write `anyone`, `user`, `owner` or `scope:<name>`")),
            },
        }
    }
}

fn is_scope(scope: &str) -> bool {
    !scope.is_empty() && scope.bytes().all(|b| matches!(b, 0x21 | 0x23..=0x5b | 0x5d..=0x7e))
}

impl From<Access> for String {
    fn from(access: Access) -> Self {
        access.to_string()
    }
}

impl TryFrom<String> for Access {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        word.parse()
    }
}

/// The same entities under another URL (§2.1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// Kebab-case.
    pub name: String,
    /// Absolute; by default `/<view>/<resources>`.
    pub path: String,
    /// The entities that the caller's own entities of another resource point at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<Through>,
    /// In the order of [`OperationKind`].
    pub operations: Vec<Operation>,
    /// Rules switched off here, with the reason.
    #[serde(default, skip_serializing_if = "Allow::is_empty")]
    pub allow: Allow,
}

/// `Watch.offer`: a reference field of another resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Through {
    /// The other resource.
    pub resource: String,
    /// Its reference field.
    pub field: String,
}

impl From<Through> for String {
    fn from(through: Through) -> Self {
        format!("{}.{}", through.resource, through.field)
    }
}

impl TryFrom<String> for Through {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.split_once('.') {
            Some((resource, field)) if !resource.is_empty() && !field.is_empty() => {
                Ok(Self { resource: resource.to_owned(), field: field.to_owned() })
            }
            _ => Err(format!("`{text}` does not have the form `Watch.offer`")),
        }
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

/// An idempotent command (§2.6).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Command {
    /// Kebab-case: the `{command-type}` of the path.
    pub name: String,
    /// For the docs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Who has access: callers that match any of these.
    pub access: Vec<Access>,
    /// What the client sends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub input: Vec<Field>,
    /// What the handler adds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<Field>,
    /// Past it the command is FAILED: an ISO 8601 duration.
    pub timeout: String,
    /// `false`: announced, answered 501.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub ready: bool,
    /// Announced as going away.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deprecated: bool,
    /// The day of its removal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sunset: Option<Date>,
    /// Rules switched off here, with the reason.
    #[serde(default, skip_serializing_if = "Allow::is_empty")]
    pub allow: Allow,
}

/// The default timeout of a command.
pub const DEFAULT_TIMEOUT: &str = "PT30S";

impl Command {
    /// The path's word: `renew-commands`.
    #[must_use]
    pub fn segment(&self) -> String {
        format!("{}{COMMANDS}", self.name)
    }

    /// A command of this name with every key at its default.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            description: None,
            access: vec![Access::Anyone],
            input: Vec::new(),
            output: Vec::new(),
            timeout: DEFAULT_TIMEOUT.to_owned(),
            ready: true,
            deprecated: false,
            sunset: None,
            allow: Allow::new(),
        }
    }
}

/// A version of a resource's representation (§9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Version {
    /// `beta.v<n>`.
    Beta(u16),
    /// `public.v1`, the only public one (§9.4).
    Public,
}

impl Version {
    /// `public.v1`.
    pub const PUBLIC: Self = Self::Public;

    /// The media type in a service's vendor tree (§9.1).
    #[must_use]
    pub fn media_type(self, vendor: &str) -> String {
        format!("application/vnd.{vendor}.{self}+json")
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Public => f.write_str("public.v1"),
            Self::Beta(number) => write!(f, "beta.v{number}"),
        }
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        if word == "public.v1" {
            return Ok(Self::Public);
        }
        let number = word.strip_prefix("beta.v").filter(|n| !n.starts_with(['0', '+']));
        match number.and_then(|n| n.parse().ok()) {
            Some(number) => Ok(Self::Beta(number)),
            None => Err(format!("`{word}` is not a version: write `public.v1`, or `beta.v1`, `beta.v2`, …")),
        }
    }
}

impl From<Version> for String {
    fn from(version: Version) -> Self {
        version.to_string()
    }
}

impl TryFrom<String> for Version {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        word.parse()
    }
}

fn yes() -> bool {
    true
}

fn is_true(value: &bool) -> bool {
    *value
}

/// Views below it show what only sellers see (§5).
const SELLERS_ONLY: &str = "/sale/";

impl View {
    /// Whether all its operations require credentials, even those that are open to anyone: it shows what only sellers
    /// see, or the entities that the caller's own entities point at (decisions, "Views and owners").
    #[must_use]
    pub fn requires_credentials(&self) -> bool {
        self.through.is_some() || self.path.starts_with(SELLERS_ONLY)
    }

    /// The path of a view that names none: `/<view>/<resources>` (§2.1).
    #[must_use]
    pub fn default_path(name: &str, plural: &str) -> String {
        format!("/{name}/{plural}")
    }
}
