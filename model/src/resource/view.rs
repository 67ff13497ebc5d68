//! Views of a resource.

use super::Operation;
use crate::condition::Condition;
use crate::field::{Allow, Deprecation};
use crate::formerly::{self, Formerly};
use serde::{Deserialize, Serialize};

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
    /// The condition that its entities meet.
    #[serde(rename = "where", default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Condition>,
    /// In the order of [`OperationKind`](crate::OperationKind).
    pub operations: Vec<Operation>,
    /// The name that it had, which is served too until a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formerly: Option<Formerly>,
    /// What the `deprecations` of its resource say of it: noted by [`Checked`](crate::Checked).
    #[serde(skip)]
    pub notice: Option<Deprecation>,
    /// Rules switched off here, with the reason.
    #[serde(default, skip_serializing_if = "Allow::is_empty")]
    pub allow: Allow,
}

/// Views below it show what only sellers see (§5).
const SELLERS_ONLY: &str = "/sale/";

impl View {
    /// A view of this name at its default path, without operations.
    #[must_use]
    pub fn new(name: &str, plural: &str) -> Self {
        let path = Self::default_path(name, plural);
        Self {
            name: name.to_owned(),
            path,
            through: None,
            filter: None,
            operations: Vec::new(),
            formerly: None,
            notice: None,
            allow: Allow::new(),
        }
    }

    /// Whether all its operations require credentials, even those that are open to anyone: it shows what only sellers
    /// see, or the entities that the caller's own entities point at (decisions, "Views and owners").
    #[must_use]
    pub fn requires_credentials(&self) -> bool {
        self.requires_credentials_at(&self.path)
    }

    /// The same at a path, which may be a former one.
    #[must_use]
    pub fn requires_credentials_at(&self, path: &str) -> bool {
        self.through.is_some() || path.starts_with(SELLERS_ONLY)
    }

    /// The present name, or the former one.
    #[must_use]
    pub fn name_of(&self, is_former: bool) -> &str {
        formerly::name_of(&self.name, self.formerly.as_ref(), is_former)
    }

    /// The present name, or one of the former, which is never the same: for the names of operations.
    #[must_use]
    pub fn label_of(&self, is_former: bool) -> String {
        formerly::label_of(&self.name, self.formerly.as_ref(), is_former, "former-")
    }

    /// Its path under the present name or the former one, on a resource of this present plural, where the plural in
    /// the path is `word`.
    #[must_use]
    pub fn path_of(&self, is_former: bool, plural: &str, word: &str) -> String {
        let default = || Self::default_path(self.name_of(is_former), word);
        match self.formerly.as_ref().filter(|_| is_former) {
            Some(former) => former.path.clone().unwrap_or_else(default),
            None if self.path == Self::default_path(&self.name, plural) => default(),
            None => self.path.clone(),
        }
    }

    /// The path of a view that names none: `/<view>/<resources>` (§2.1).
    #[must_use]
    pub fn default_path(name: &str, plural: &str) -> String {
        format!("/{name}/{plural}")
    }
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
