//! What a stream shows of some events: which of them, and which of their fields.
//!
//! They are decided on together: what the conditions on all of them miss is read at once, so the number of statements
//! does not grow with the events.

use super::tail::SharedEvent;
use super::visibility::{Visibility, shows_state};
use crate::clock::Clock;
use crate::observe::metrics::EventMetrics;
use crate::plan::field_access::{CallersPlan, FieldAccess};
use crate::plan::form::write_text;
use crate::plan::{Plans, ResourcePlan, exact_json, stored};
use crate::store::facts::{KnownEntity, KnownFacts, MAX_ROUNDS, read_together};
use crate::store::outbox::StoredEvent;
use crate::store::{Store, StoreError};
use restwell_model::Value;
use restwell_model::input::members;
use restwell_model::scalar::Timestamp;
use serde_json::Value as Json;
use std::sync::Arc;
use uuid::Uuid;

/// What it takes to decide which events of restricted resources a stream shows.
pub(crate) struct EventReading {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Clock,
    pub(crate) metrics: EventMetrics,
}

/// What a stream shows of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shown {
    Nothing,
    Whole,
    /// It with this data, which lacks some fields.
    With(String),
}

impl Visibility {
    /// Whether the conditions of the model decide what is shown of an event.
    pub(super) fn depends_on_conditions(&self, event: &SharedEvent) -> bool {
        let of = &event.event_type;
        let is_open = self.readers.contains_key(of) || self.restricted.contains_key(of) || self.hiding.contains_key(of);
        is_open && self.covers(of, event.owner())
    }

    /// The first of some events, as many as have this number of bytes of data that may be shown, and one more.
    pub(super) fn first<'e>(&self, events: &'e [Arc<SharedEvent>], max_bytes: usize) -> &'e [Arc<SharedEvent>] {
        let mut bytes = 0;
        let is_beyond = |event: &Arc<SharedEvent>| {
            let is_beyond = bytes >= max_bytes;
            bytes += if self.covers(&event.event_type, event.owner()) { event.stored().data.len() } else { 0 };
            is_beyond
        };
        let end = events.iter().position(is_beyond).unwrap_or(events.len());
        &events[..end]
    }

    /// What is shown of each of some events.
    ///
    /// The caller must be one who may read what an event is about, and must see its entity: in the state that the
    /// event shows, with what it refers to as it is now. Where the event shows no state, both are decided by words,
    /// scopes, roles and the owner; and who caused it sees the entity.
    pub(super) async fn shown(
        &self,
        plans: &Plans,
        reading: Option<&EventReading>,
        events: &[Arc<SharedEvent>],
    ) -> Result<Vec<Shown>, StoreError> {
        let mut shown = vec![Shown::Nothing; events.len()];
        let mut decisions = Vec::new();
        for (at, event) in events.iter().enumerate() {
            if self.depends_on_conditions(event) {
                decisions.extend(reading.map(|reading| (at, self.decision(plans, event, reading))));
            } else if self.covers(&event.event_type, event.owner()) {
                shown[at] = Shown::Whole;
            }
        }
        let Some(reading) = reading else { return Ok(shown) };
        for _ in 0..MAX_ROUNDS {
            decisions.iter_mut().for_each(|(_, decision)| decision.go_on());
            let open = decisions.iter_mut().map(|(_, decision)| decision).filter(|decision| !decision.is_made());
            match read_together(plans, &*reading.store, open.map(|decision| &mut decision.facts)).await? {
                0 => break,
                reads => reading.metrics.reads.increment(reads as u64),
            }
        }
        for (at, decision) in decisions {
            shown[at] = decision.shown(&events[at].stored().data);
        }
        Ok(shown)
    }

    fn decision<'a>(&'a self, plans: &'a Plans, event: &'a SharedEvent, reading: &EventReading) -> Decision<'a> {
        let (of, stored) = (&event.event_type, event.stored());
        let readers = self.readers.get(of);
        let resource = readers.map(|(resource, _)| resource).or(self.restricted.get(of)).or(self.hiding.get(of));
        let plan = resource.map(|resource| &plans.resources[*resource]);
        let (caller, now) = (self.caller.as_ref(), reading.clock.now().millis());
        let state = plan.and_then(|plan| state(plan, stored));
        let is_actor = state.is_none() && caller.is_some_and(|caller| stored.trace.actor == Some(caller.id));
        let facts = match state {
            Some(state) => KnownFacts::new(plans, state, caller, now),
            None => KnownFacts::of_caller(plans, caller, now),
        };
        let visible = plan.and_then(|plan| plan.visible.as_ref()).filter(|_| self.restricted.contains_key(of));
        let hiding = plan.filter(|_| self.hiding.contains_key(of)).map(|plan| &plan.fields);
        let readers = plan.zip(readers).map(|(plan, (_, command))| plan.readers.of_name(command.as_deref()));
        let visible = visible.map(|visible| &visible.callers).filter(|_| !is_actor);
        Decision {
            facts,
            owner: stored.owner,
            callers: readers.into_iter().chain(visible).collect(),
            passed: 0,
            is_refused: false,
            fields: hiding.map_or(&[], |fields| &fields.visible),
            guarded: hiding.map_or(&[], |fields| &fields.fields),
            seen: Vec::new(),
        }
    }
}

/// What is decided on an event.
struct Decision<'a> {
    facts: KnownFacts<'a>,
    owner: Option<Uuid>,
    /// Who may read what the event is about, and who sees the entity: the caller must be in each of these lists.
    callers: Vec<&'a CallersPlan>,
    /// In how many of them the caller is, as far as that is known.
    passed: usize,
    /// The caller is not in the next one.
    is_refused: bool,
    /// Who sees some fields.
    fields: &'a [CallersPlan],
    guarded: &'a [FieldAccess],
    /// Of these lists, whether the caller is in it, as far as that is known.
    seen: Vec<bool>,
}

impl Decision<'_> {
    /// Decides what follows from what is known.
    fn go_on(&mut self) {
        while let Some(callers) = self.callers.get(self.passed).filter(|_| !self.is_refused) {
            match self.facts.is_known_among(callers, self.owner) {
                Some(true) => self.passed += 1,
                Some(false) => self.is_refused = true,
                None => return,
            }
        }
        if !self.is_seen() {
            return;
        }
        while let Some(callers) = self.fields.get(self.seen.len()) {
            let Some(is_among) = self.facts.is_known_among(callers, self.owner) else { return };
            self.seen.push(is_among);
        }
    }

    fn is_made(&self) -> bool {
        self.is_refused || self.is_seen() && self.seen.len() == self.fields.len()
    }

    fn is_seen(&self) -> bool {
        self.passed == self.callers.len()
    }

    /// What is not decided is not shown.
    fn shown(&self, data: &str) -> Shown {
        if !self.is_seen() {
            return Shown::Nothing;
        }
        let is_hidden = |field: &&FieldAccess| field.visible.is_some_and(|list| self.seen.get(list) != Some(&true));
        let hidden: Vec<_> = self.guarded.iter().filter(is_hidden).collect();
        if hidden.is_empty() { Shown::Whole } else { Shown::With(without(data, &hidden)) }
    }
}

/// The state of an entity that an event shows; `None`: it shows none. What it does not have is not known.
fn state(plan: &ResourcePlan, event: &StoredEvent) -> Option<KnownEntity> {
    let data: Json = shows_state(&event.kind).then(|| exact_json::parse(&event.data).ok())??;
    let time = |name: &str| {
        let time = data.get(name).and_then(Json::as_str).and_then(|text| Timestamp::parse(text).ok());
        time.map_or(Value::Absent, |time| Value::Int(time.millis()))
    };
    let fields = stored::given(plan.repository.fields(), &data);
    Some(KnownEntity::known(event.entity, [time("createdAt"), time("updatedAt")], fields))
}

/// The JSON of an entity without the values of some fields.
fn without(json: &str, hidden: &[&FieldAccess]) -> String {
    let mut out = b"{".to_vec();
    let read = members(json, |name, value| {
        if out.len() > 1 {
            out.push(b',');
        }
        write_text(&name, &mut out);
        out.push(b':');
        let field = hidden.iter().find(|field| field.is_named(&name));
        out.extend_from_slice(field.map_or(value, |field| field.blank()).as_bytes());
        Ok(())
    });
    // the service wrote it; what cannot be read shows nothing
    if read.is_err() {
        out.truncate(1);
    }
    out.push(b'}');
    String::from_utf8_lossy(&out).into_owned()
}
