//! Which events a stream shows: those that were asked for, of those that the caller may see.
//!
//! It is decided once per stream, by type. The store selects by it what is read, and a stream what it takes from what
//! all streams share.

use super::needs::{EventNeeds, needs};
use crate::auth::caller::Caller;
use crate::plan::conditions::bound;
use crate::plan::field_access::CallersPlan;
use crate::plan::list_parameters::unknown_parameter;
use crate::plan::permission::{Permission, Permit};
use crate::plan::{IndexedBy, Plans, ResourceIndex};
use crate::store::facts::KnownFacts;
use crate::store::outbox::{EventTest, Selection, TestedEvents};
use restwell_model::condition::reduce;
use restwell_model::condition::sql::{SqlTarget, predicate};
use restwell_model::events::{EventKind, EventName, event_kinds, event_names, event_type, event_types};
use restwell_model::{ErrorCode, Problem};
use std::collections::HashMap;
use std::sync::Arc;
use uuid::Uuid;

/// What a stream shows to its caller.
#[derive(Debug)]
pub(crate) struct Visibility {
    /// By type of event; a type that is not in it is not shown.
    permits: HashMap<String, Permit>,
    selection: Arc<Selection>,
    /// Who asks.
    pub(super) caller: Option<Caller>,
    /// By type of event, where words and scopes do not tell whether the caller may read what it is about: the resource,
    /// and the name of the command.
    pub(super) readers: HashMap<String, (ResourceIndex, Option<String>)>,
    /// By type of event: the resources whose entities the caller may not all see.
    pub(super) restricted: HashMap<String, ResourceIndex>,
    /// By type of event that shows a state: the resources of whose fields the caller may not see all.
    pub(super) hiding: HashMap<String, ResourceIndex>,
}

/// Which events a caller may be shown of those that an operation opens, as far as that is known before any is read.
#[derive(Debug, Clone, PartialEq)]
enum Reach {
    /// All are shown.
    All,
    /// Any may be.
    Any,
    /// Some may be; if none of this is so, none is.
    Some {
        /// Those of the caller's own entities.
        own: bool,
        /// Those that the caller caused.
        caused: bool,
        /// Those that pass one of these tests.
        tests: Vec<EventTest>,
    },
}

impl Visibility {
    /// A caller sees the events of what they may get, and of commands that they may get. Where no caller gets single
    /// entities, it is what they may list. Where a role or a condition gives access, it is decided for each event: by
    /// the state that it shows, and if it shows none, by roles alone.
    pub(crate) fn of(plans: &Plans, filter: &EventFilter, caller: Option<&Caller>) -> Self {
        let (mut permits, mut restricted, mut hiding) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut readers = HashMap::new();
        let mut selection = Selection { caller: caller.map(|caller| caller.id), ..Selection::default() };
        let resources = plans.resources.indexed().zip(&plans.service.resources);
        for ((index, plan), resource) in resources.filter(|((index, _), _)| filter.takes_resource(*index)) {
            let of = |callers, state| Reach::of(plans, (&resource.name, callers), caller, state);
            let reach =
                |state| plan.visible.as_ref().map_or(Reach::All, |it| of(&it.callers, state).or_caused(caller, state));
            let [of_state, of_others] = [true, false].map(reach);
            let is_seen = |callers: &CallersPlan| Permission::of(&callers.access, caller) == Some(Permission::Granted);
            let sees_fields = plan.fields.visible.iter().all(is_seen);
            for kind in event_kinds(resource) {
                let command = match kind {
                    EventKind::Command { name, .. } => Some(name.to_owned()),
                    EventKind::Created | EventKind::Updated | EventKind::Deleted => None,
                };
                let has_state = matches!(kind, EventKind::Created | EventKind::Updated);
                let callers = plan.readers.of_name(command.as_deref());
                let access = of(callers, has_state);
                let permit = match (&access, Permission::of(&callers.access, caller)) {
                    (Reach::Some { own: true, tests, .. }, Some(Permission::Own(id))) if tests.is_empty() => {
                        Permit::Own(id)
                    }
                    _ if access.is_nothing() => continue,
                    _ => Permit::All,
                };
                let is_decided = access == Reach::All || permit != Permit::All;
                for EventName { resource, kind, .. } in event_names(resource, kind) {
                    let event_type = event_type(&plans.service, &resource, &kind);
                    let reach = if shows_state(&kind) { &of_state } else { &of_others };
                    if !filter.takes_type(&event_type)
                        || !reach.select(&format!("{resource}.{kind}"), &access, &mut selection)
                    {
                        continue;
                    }
                    if *reach != Reach::All {
                        restricted.insert(event_type.clone(), index);
                    }
                    if !sees_fields && shows_state(&kind) {
                        hiding.insert(event_type.clone(), index);
                    }
                    if !is_decided {
                        readers.insert(event_type.clone(), (index, command.clone()));
                    }
                    permits.insert(event_type, permit.clone());
                }
            }
        }
        Self { permits, selection: Arc::new(selection), caller: caller.cloned(), readers, restricted, hiding }
    }

    /// Whether there is nothing that could be shown.
    pub(crate) fn is_empty(&self) -> bool {
        self.permits.is_empty()
    }

    /// Whether an event of a type and an owner is shown.
    pub(crate) fn covers(&self, event_type: &str, owner: Option<Uuid>) -> bool {
        self.permits.get(event_type).is_some_and(|permit| permit.covers(owner))
    }

    /// The same for the store.
    pub(crate) fn selection(&self) -> Arc<Selection> {
        Arc::clone(&self.selection)
    }
}

impl Reach {
    /// Of the events of a resource that show a state, or of those that show none.
    fn of(
        plans: &Plans,
        (resource, callers): (&str, &CallersPlan),
        caller: Option<&Caller>,
        shows_state: bool,
    ) -> Self {
        let permission = Permission::of(&callers.access, caller);
        if permission == Some(Permission::Granted) {
            return Self::All;
        }
        let facts = KnownFacts::of_caller(plans, caller, 0);
        let mut tests = Vec::new();
        for condition in &callers.conditions {
            if !(if condition.is_role() { caller.is_some() } else { shows_state }) {
                continue;
            }
            let typed = condition.typed();
            // the time of a stream's beginning decides nothing
            let reduced = if typed.reads().now { typed.clone() } else { reduce(typed, &facts) };
            if reduced.is_true() {
                return Self::All;
            }
            if reduced.is_never() {
                continue;
            }
            let needs = needs(&reduced).filter(|_| !condition.is_role());
            let Some(needed) = needs.and_then(|needs| needed(needs, plans.conditions.target(resource))) else {
                return Self::Any;
            };
            tests.extend(needed);
        }
        Self::Some { own: matches!(permission, Some(Permission::Own(_))), caused: false, tests }
    }

    /// The same, and what the caller caused where the event shows no state.
    fn or_caused(self, caller: Option<&Caller>, shows_state: bool) -> Self {
        match self {
            Self::Some { own, tests, .. } => Self::Some { own, caused: !shows_state && caller.is_some(), tests },
            Self::All | Self::Any => self,
        }
    }

    /// Whether no event is shown.
    fn is_nothing(&self) -> bool {
        matches!(self, Self::Some { own: false, caused: false, tests } if tests.is_empty())
    }

    /// Has the store select the events of a name that callers see, as far as access opens them; false: none is shown.
    /// What must pass both is selected by one of them, and decided when it is read.
    fn select(&self, name: &str, access: &Self, selection: &mut Selection) -> bool {
        let is_open = matches!(access, Self::All | Self::Any);
        !self.is_nothing() && (if is_open { self } else { access }).select_by(name, selection)
    }

    fn select_by(&self, name: &str, selection: &mut Selection) -> bool {
        let name = name.to_owned();
        match self {
            Self::All | Self::Any => selection.everybodys.push(name),
            Self::Some { own, caused, tests } => {
                selection.own.extend(own.then(|| name.clone()));
                selection.caused.extend(caused.then(|| name.clone()));
                match selection.tested.iter_mut().find(|known| known.tests == *tests) {
                    _ if tests.is_empty() => {}
                    Some(known) => known.names.push(name),
                    None => selection.tested.push(TestedEvents { names: vec![name], tests: tests.clone() }),
                }
            }
        }
        true
    }
}

/// What a condition needs, as tests of the store; `None` where a part has no form in SQL.
fn needed(needs: EventNeeds<'_>, target: SqlTarget<'_>) -> Option<Vec<EventTest>> {
    let meets = needs.references.into_iter().map(|condition| {
        let sql = predicate(condition, target)?;
        Some(EventTest::Meets(sql.text.into(), sql.values.into_iter().map(bound).collect()))
    });
    let meets = meets.collect::<Option<Vec<_>>>()?;
    Some(needs.texts.into_iter().map(EventTest::Has).chain(meets).collect())
}

/// Whether events of a kind show the state of an entity.
pub(super) fn shows_state(kind: &str) -> bool {
    [EventKind::Created, EventKind::Updated].iter().any(|known| known.to_string() == kind)
}

/// What a stream was asked for: of these resources, and of these types. Nothing named: all.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct EventFilter {
    resources: Vec<ResourceIndex>,
    types: Vec<String>,
}

impl EventFilter {
    /// Reads the parameters of a stream.
    pub(crate) fn read(plans: &Plans, query: &[(String, String)]) -> (Self, Vec<Problem>) {
        let (mut filter, mut problems) = (Self::default(), Vec::new());
        for (name, value) in query {
            match name.as_str() {
                "resource" => {
                    let resources = plans.service.resources.iter();
                    match resources.enumerate().find(|(_, it)| it.plurals().any(|plural| plural == *value)) {
                        Some((index, _)) => filter.resources.push(index.into()),
                        None => problems.push(unknown(name, value, "resource")),
                    }
                }
                "type" if is_type(plans, value) => filter.types.push(value.clone()),
                "type" => problems.push(unknown(name, value, "type of event")),
                _ => problems.push(unknown_parameter(name, ["resource", "type"])),
            }
        }
        (filter, problems)
    }

    fn takes_resource(&self, resource: ResourceIndex) -> bool {
        self.resources.is_empty() || self.resources.contains(&resource)
    }

    fn takes_type(&self, event_type: &str) -> bool {
        self.types.is_empty() || self.types.iter().any(|known| known == event_type)
    }
}

fn is_type(plans: &Plans, value: &str) -> bool {
    let service = &plans.service;
    service.resources.iter().any(|resource| event_types(service, resource).iter().any(|known| known == value))
}

fn unknown(name: &str, value: &str, what: &str) -> Problem {
    Problem::at(ErrorCode::InvalidParameter, name).with("reason", format!("`{value}` is not a {what} here"))
}
