//! For whom a request reads and changes: what its caller sees of the resources that not every caller sees all of.

use super::cell::Cell;
use super::columns::HiddenFields;
use super::predicate::{Predicate, Reduced};
use super::{Plans, ResourceIndex};
use std::collections::HashMap;
use std::sync::Arc;
use uuid::Uuid;

/// For whom a request reads and changes.
#[derive(Debug, Clone, Default)]
pub(crate) enum Viewer {
    /// For nobody: the service's own code, and requests that can come across nothing hidden. All is seen.
    #[default]
    Everything,
    /// For a caller.
    Caller {
        /// What the caller sees.
        sights: Arc<Sights>,
        /// Whether references that it sets must be to what it sees: those that the service's own code sets need not.
        checks_references: bool,
    },
}

/// What a caller sees of the resources that a request may come across; of others that are not visible to every caller,
/// nothing.
#[derive(Debug, Default)]
pub(crate) struct Sights {
    /// The caller.
    pub(crate) caller: Option<Uuid>,
    /// By resource, where not every caller sees all.
    pub(crate) of: HashMap<ResourceIndex, Reduced>,
    /// By resource, of the callers of each list that its fields are visible to: of which entities the caller is one.
    pub(crate) fields: HashMap<ResourceIndex, Vec<Reduced>>,
    /// Whether it is for an event: its own fields are shown, and hidden when it is sent to a caller.
    pub(crate) is_of_event: bool,
}

/// What is seen of the entities of a resource.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sight<'a> {
    All,
    Nothing,
    /// Those that meet this.
    Where(&'a Arc<Predicate>),
}

impl Viewer {
    /// A caller who sees this.
    pub(crate) fn of_caller(sights: Sights) -> Self {
        Self::Caller { sights: Arc::new(sights), checks_references: true }
    }

    /// One who sees nothing of other entities that some caller must not see: what events show of them.
    pub(crate) fn nobody() -> Self {
        Self::of_caller(Sights { is_of_event: true, ..Sights::default() })
    }

    /// The same, once the service's own code has had its say about references.
    pub(crate) fn after_rules(self) -> Self {
        match self {
            Self::Everything => Self::Everything,
            Self::Caller { sights, .. } => Self::Caller { sights, checks_references: false },
        }
    }

    /// Whether it sees all.
    pub(crate) fn is_everything(&self) -> bool {
        matches!(self, Self::Everything)
    }

    /// Whether references to entities of a restricted resource have to be to what it sees.
    pub(crate) fn checks_references(&self) -> bool {
        matches!(self, Self::Caller { checks_references: true, .. })
    }

    /// Whether what it sets of fields that it does not see, or may not change, is refused: what the service's own code
    /// sets is not.
    pub(crate) fn guards_fields(&self) -> bool {
        self.checks_references()
    }

    /// What it sees of a resource that not every caller sees all of.
    pub(crate) fn of_restricted(&self, resource: ResourceIndex) -> Sight<'_> {
        match self {
            Self::Everything => Sight::All,
            Self::Caller { sights, .. } => Sight::of(sights.of.get(&resource)),
        }
    }

    /// Of which entities it sees some fields.
    pub(crate) fn fields(&self, fields: HiddenFields) -> Sight<'_> {
        match self {
            Self::Everything => Sight::All,
            Self::Caller { sights, .. } if fields.is_own && sights.is_of_event => Sight::All,
            Self::Caller { sights, .. } => {
                Sight::of(sights.fields.get(&fields.resource).and_then(|seen| seen.get(fields.callers)))
            }
        }
    }

    /// What it sees of a resource.
    pub(crate) fn sight(&self, plans: &Plans, resource: ResourceIndex) -> Sight<'_> {
        match plans.resources[resource].visible {
            None => Sight::All,
            Some(_) => self.of_restricted(resource),
        }
    }

    /// Whether an id is that of the caller, who may be referred to even where users are not seen.
    pub(crate) fn is_caller(&self, plans: &Plans, resource: ResourceIndex, id: Uuid) -> bool {
        let is_users = plans.service.users.as_deref() == Some(plans.resources[resource].name.as_str());
        matches!(self, Self::Caller { sights, .. } if is_users && sights.caller == Some(id))
    }

    /// ` AND …`: what it sees of a table `t`, where not every caller sees all of it. Adds what that binds.
    pub(crate) fn condition(&self, restricted: Option<ResourceIndex>, values: &mut Vec<Cell>) -> String {
        restricted.map_or(Sight::All, |resource| self.of_restricted(resource)).condition(values)
    }
}

impl<'a> Sight<'a> {
    /// What is not known is not seen.
    fn of(reduced: Option<&'a Reduced>) -> Self {
        match reduced {
            Some(Reduced::Always) => Self::All,
            Some(Reduced::Meets(predicate)) => Self::Where(predicate),
            Some(Reduced::Never) | None => Self::Nothing,
        }
    }

    /// Whether it is all.
    pub(crate) fn is_all(self) -> bool {
        matches!(self, Self::All)
    }

    /// ` AND …`: what is seen of a table `t`. Adds what that binds.
    pub(crate) fn condition(self, values: &mut Vec<Cell>) -> String {
        match self {
            Self::All => String::new(),
            Self::Nothing => " AND 1 = 0".to_owned(),
            Self::Where(predicate) => {
                values.extend(predicate.values.iter().cloned());
                format!(" AND ({})", predicate.sql)
            }
        }
    }
}
