//! Operations on a resource or a view.

use super::Access;
use crate::field::{Deprecation, is_false};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// What may be done with a collection or an entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// Which one.
    pub kind: OperationKind,
    /// Who has access: callers that match any of these.
    pub access: Vec<Access>,
    /// It changes something, and no access is written, so that anyone has it: `check` warns of it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub open_by_default: bool,
    /// Answered 202 and done later.
    #[serde(rename = "async", default, skip_serializing_if = "is_false")]
    pub is_async: bool,
    /// What the `deprecations` of its resource say of it: noted by [`Checked`](crate::Checked).
    #[serde(skip)]
    pub notice: Option<Deprecation>,
}

impl Operation {
    /// An operation that anyone may call, as the description says.
    #[must_use]
    pub fn open(kind: OperationKind) -> Self {
        Self { kind, access: vec![Access::Anyone], open_by_default: false, is_async: false, notice: None }
    }

    /// An operation whose access is not written.
    #[must_use]
    pub fn with_default_access(kind: OperationKind) -> Self {
        Self { open_by_default: kind.is_write(), ..Self::open(kind) }
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

    /// Whether it changes something.
    #[must_use]
    pub const fn is_write(self) -> bool {
        match self {
            Self::Create | Self::Update | Self::Patch | Self::Delete => true,
            Self::List | Self::Get => false,
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
