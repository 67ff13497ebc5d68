//! For whom a request reads and changes: what its caller sees of the resources that not every caller sees all of.

use super::cell::Cell;
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

    /// One who sees nothing that some caller must not see: what events show of other entities.
    pub(crate) fn nobody() -> Self {
        Self::of_caller(Sights::default())
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

    /// What it sees of a resource that not every caller sees all of.
    pub(crate) fn of_restricted(&self, resource: ResourceIndex) -> Sight<'_> {
        match self {
            Self::Everything => Sight::All,
            Self::Caller { sights, .. } => match sights.of.get(&resource) {
                Some(Reduced::Always) => Sight::All,
                Some(Reduced::Meets(predicate)) => Sight::Where(predicate),
                Some(Reduced::Never) | None => Sight::Nothing,
            },
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

impl Sight<'_> {
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
