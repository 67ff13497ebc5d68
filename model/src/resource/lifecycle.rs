//! The lifecycle of a resource: the states of its entities, and the only ways from one to another.

use super::{Command, Resource};
use crate::condition::Condition;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The states that an enum field can have, and its transitions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Lifecycle {
    /// The field with the state: an enum that is `readOnly`.
    pub field: String,
    /// The state of a new entity.
    pub initial: String,
    /// The states without a way out.
    #[serde(default, rename = "final", skip_serializing_if = "Vec::is_empty")]
    pub finals: Vec<String>,
    /// In the order of writing.
    pub transitions: Vec<Transition>,
}

/// A way from some states to one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transition {
    /// The command that makes it; with `at`, any name in kebab-case.
    pub name: String,
    /// The states that it starts from.
    pub from: Vec<String>,
    /// The state that it leads to.
    pub to: String,
    /// Fields that it sets, each to the value of an expression over the entity as it was before.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, Condition>,
    /// What has to hold besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// The field with the time at which it happens by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

impl Lifecycle {
    /// The transition of this name.
    #[must_use]
    pub fn transition(&self, name: &str) -> Option<&Transition> {
        self.transitions.iter().find(|transition| transition.name == name)
    }

    /// Its transitions that commands make.
    pub fn of_commands(&self) -> impl Iterator<Item = &Transition> {
        self.transitions.iter().filter(|transition| transition.at.is_none())
    }

    /// Its transitions that the clock makes, each with the field of its time.
    pub fn by_clock(&self) -> impl Iterator<Item = (&Transition, &str)> {
        self.transitions.iter().filter_map(|transition| Some((transition, transition.at.as_deref()?)))
    }
}

impl Transition {
    /// A transition of this name with every key at its default.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let (from, set) = (Vec::new(), BTreeMap::new());
        Self { name: name.to_owned(), from, to: String::new(), set, when: None, at: None }
    }
}

impl Resource {
    /// The transition that a command makes.
    #[must_use]
    pub fn transition_of(&self, command: &Command) -> Option<&Transition> {
        let transition = self.lifecycle.as_ref()?.transition(&command.name);
        transition.filter(|transition| transition.at.is_none())
    }

    /// Whether a command is done by its transition alone: it takes nothing and returns nothing, so that no code has to
    /// be written for it.
    #[must_use]
    pub fn needs_no_code(&self, command: &Command) -> bool {
        command.input.is_empty() && command.output.is_empty() && self.transition_of(command).is_some()
    }
}
