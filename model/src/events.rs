//! Events (§6; decisions, "Events"): what each is called, and where it comes from. CloudEvents attributes, NATS
//! subjects and the filters of `GET /events` are all made here.

use crate::field::Deprecation;
use crate::formerly::Formerly;
use crate::resource::{Access, Command, OperationKind, Resource};
use crate::service::Service;
use std::fmt;

/// The media type of an event, a CloudEvent 1.0 in JSON.
pub const MEDIA_TYPE: &str = "application/cloudevents+json";
/// The media type of `GET /events`: server-sent events.
pub const STREAM_MEDIA_TYPE: &str = "text/event-stream";

/// What happened to an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind<'a> {
    /// The entity was created.
    Created,
    /// It was replaced, or lost a reference to what was deleted.
    Updated,
    /// The entity was deleted.
    Deleted,
    /// One of its commands changed its status (§6).
    Command {
        /// The command's name.
        name: &'a str,
        /// What it is now.
        status: CommandStatus,
    },
}

/// The status of a command (§3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CommandStatus {
    /// It was taken, and is not done yet.
    Running,
    /// It did what it was to do.
    Successful,
    /// The command failed.
    Failed,
}

impl CommandStatus {
    /// Every status, in the order in which they come.
    pub const ALL: [Self; 3] = [Self::Running, Self::Successful, Self::Failed];

    /// The value in the command's JSON.
    #[must_use]
    pub const fn value(self) -> &'static str {
        match self {
            Self::Running => "RUNNING",
            Self::Successful => "SUCCESSFUL",
            Self::Failed => "FAILED",
        }
    }

    /// The word in an event's type.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Successful => "successful",
            Self::Failed => "failed",
        }
    }
}

impl fmt::Display for EventKind<'_> {
    /// The end of the event's type: `created`, `renew-command.running`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Created => f.write_str("created"),
            Self::Updated => f.write_str("updated"),
            Self::Deleted => f.write_str("deleted"),
            Self::Command { name, status } => write!(f, "{name}-command.{}", status.word()),
        }
    }
}

/// The type of an event: `<service>.<resource>.<kind>`, `marketplace.general-delivery.created`. The resource is given
/// by its [`singular`](Resource::singular) word, the kind as [`EventKind`] writes it.
#[must_use]
pub fn event_type(service: &Service, resource: &str, kind: &str) -> String {
    format!("{}.{resource}.{kind}", service.name)
}

/// Everything that may happen to an entity of a resource.
pub fn event_kinds(resource: &Resource) -> impl Iterator<Item = EventKind<'_>> {
    let of_command = |command| CommandStatus::ALL.map(|status| of_command(command, status));
    let of_commands = resource.commands.iter().flat_map(of_command);
    [EventKind::Created, EventKind::Updated, EventKind::Deleted].into_iter().chain(of_commands)
}

/// A name of an event: the words of its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventName {
    /// The word of the resource.
    pub resource: String,
    /// The kind, as [`EventKind`] writes it.
    pub kind: String,
    /// The announcement that the name goes away: a word in it is a former name.
    pub deprecation: Option<Deprecation>,
}

/// The names under which an event of a resource is published: the present one, then those with former names.
#[must_use]
pub fn event_names(resource: &Resource, kind: EventKind<'_>) -> Vec<EventName> {
    let command = match kind {
        EventKind::Command { name, .. } => resource.commands.iter().find(|command| command.name == name),
        EventKind::Created | EventKind::Updated | EventKind::Deleted => None,
    };
    let own = resource.formerly.as_ref().filter(|former| former.name != resource.name);
    let own = std::iter::once(None).chain(own.map(Some));
    let named = |of_resource: Option<&Formerly>| {
        let of_command = std::iter::once(None).chain(command.and_then(|it| it.formerly.as_ref()).map(Some));
        let one = |of_command: Option<&Formerly>| {
            let kind = match (kind, of_command) {
                (EventKind::Command { status, .. }, Some(former)) => EventKind::Command { name: &former.name, status },
                (kind, _) => kind,
            };
            let notices = [of_resource, of_command].map(|it| it.map(Formerly::deprecation));
            EventName {
                resource: resource.singular_of(of_resource.is_some()),
                kind: kind.to_string(),
                deprecation: Deprecation::together(notices[0], notices[1]),
            }
        };
        of_command.map(one).collect::<Vec<_>>()
    };
    own.flat_map(named).collect()
}

fn of_command(command: &Command, status: CommandStatus) -> EventKind<'_> {
    EventKind::Command { name: &command.name, status }
}

/// Every type that events of a resource may have, those with former names included.
#[must_use]
pub fn event_types(service: &Service, resource: &Resource) -> Vec<String> {
    let names = event_kinds(resource).flat_map(|kind| event_names(resource, kind));
    names.map(|name| event_type(service, &name.resource, &name.kind)).collect()
}

/// Who sees the events of a kind on an event stream: of an entity, callers who may get it, or list it where single
/// entities have no path; of a command, callers who may get the command. Empty: no caller.
#[must_use]
pub fn visible_to<'a>(resource: &'a Resource, kind: EventKind<'_>) -> &'a [Access] {
    match kind {
        EventKind::Command { name, .. } => {
            let command = resource.commands.iter().find(|command| command.name == name);
            command.map_or(&[], |command| &command.access)
        }
        EventKind::Created | EventKind::Updated | EventKind::Deleted => {
            let operation = resource.operation(OperationKind::Get).or(resource.operation(OperationKind::List));
            operation.map_or(&[], |operation| &operation.access)
        }
    }
}

/// Where a service's events come from, as a URI reference: `/marketplace`.
#[must_use]
pub fn source(service: &Service) -> String {
    format!("/{}", service.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_sources_follow_from_the_names() {
        let service = Service::new("post-office");
        let mut resource = Resource::new("GeneralDelivery");
        resource.commands.push(Command::new("hand-over"));
        let expected = [
            "post-office.general-delivery.created",
            "post-office.general-delivery.updated",
            "post-office.general-delivery.deleted",
            "post-office.general-delivery.hand-over-command.running",
            "post-office.general-delivery.hand-over-command.successful",
            "post-office.general-delivery.hand-over-command.failed",
        ];
        assert_eq!(event_types(&service, &resource), expected);
        assert_eq!(source(&service), "/post-office");
    }
}
