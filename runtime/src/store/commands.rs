//! Commands, as the store keeps them (§2.6, §3): accepted once and executed once, also across crashes.
//!
//! A command that is RUNNING is held by one executor under a lease. The executor that claims it after the lease has
//! expired gets the next fence, and what an earlier holder still wants to commit is refused.

use crate::auth::caller::Caller;
use crate::observe::trace::Trace;
use crate::plan::query::Query;
use crate::plan::viewer::Viewer;
use crate::plan::{CommandIndex, ResourceIndex};
use restwell_model::OperationKind;
use restwell_model::events::CommandStatus;
use restwell_model::routes::FormerWords;
use std::time::Duration;
use uuid::Uuid;

/// What is executed, of which resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TaskOf {
    /// The resource.
    pub(crate) resource: ResourceIndex,
    /// What.
    pub(crate) task: Task,
}

/// What is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    /// A command.
    Command(CommandIndex),
    /// An operation that is `async`.
    Operation(OperationKind),
    /// What the team's own code does after a change of the resource was committed.
    Hook,
}

/// A command that is to be accepted.
#[derive(Debug, Clone)]
pub(crate) struct NewCommand {
    /// As it will be stored.
    pub(crate) record: Record,
    /// The first lease, in milliseconds; 0: no executor has it yet.
    pub(crate) lease: i64,
    /// What the input refers to: the path of each id, the resource, the id.
    pub(crate) references: Vec<(String, ResourceIndex, Uuid)>,
    /// Which words of the request are former names: they are stored.
    pub(crate) former: FormerWords,
    /// For whom it is accepted.
    pub(crate) viewer: Viewer,
    /// Whether everything is rolled back at the end.
    pub(crate) is_dry_run: bool,
}

/// A command as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record {
    /// Made by the client.
    pub(crate) id: Uuid,
    /// The command or the operation.
    pub(crate) of: TaskOf,
    /// The entity.
    pub(crate) entity: Uuid,
    /// The owner of the entity.
    pub(crate) owner: Option<Uuid>,
    /// The caller who sent it.
    pub(crate) caller: Option<Caller>,
    /// As JSON, in the model's order.
    pub(crate) input: String,
    /// Milliseconds since 1970.
    pub(crate) created_at: i64,
    /// Milliseconds since 1970.
    pub(crate) updated_at: i64,
    pub(crate) status: CommandStatus,
    /// Whether only its id is kept.
    pub(crate) is_pruned: bool,
    /// As JSON, in the model's order.
    pub(crate) output: Option<String>,
    /// As JSON: what `Problem`s are made of.
    pub(crate) errors: Option<String>,
    /// How often it was taken up.
    pub(crate) fence: i64,
    /// Of the request.
    pub(crate) trace: Trace,
}

/// What the input of a command has once `erase` has taken something out of it. No field is called so, and in a text the
/// quotation marks would be escaped.
pub(crate) const ERASED: &str = "$erased";

impl Record {
    /// How often it was taken up since it was sent, or since the last retry.
    pub(crate) fn executions(&self) -> i64 {
        self.fence % RETRY_FENCE
    }

    /// Whether it is no longer kept: it ended before this time, or was pruned.
    pub(crate) fn is_expired(&self, kept_since: i64) -> bool {
        self.is_pruned || self.status != CommandStatus::Running && self.updated_at < kept_since
    }

    /// Who owns the command now, given the owner of its entity, if that is there: whoever owned it when the command was
    /// sent, once it is gone. GET of the command and its events go by this.
    pub(crate) fn owner_now(&self, entity: Option<Option<Uuid>>) -> Option<Uuid> {
        entity.unwrap_or(self.owner)
    }
}

/// A request for the commands of one type that an entity was sent.
#[derive(Debug, Clone)]
pub(crate) struct CommandQuery {
    /// The type.
    pub(crate) of: TaskOf,
    /// The entity.
    pub(crate) entity: Uuid,
    /// Commands that ended before are not shown, in milliseconds since 1970.
    pub(crate) kept_since: i64,
    /// Filters, order and page.
    pub(crate) query: Query,
}

/// A page of them.
#[derive(Debug)]
pub(crate) struct CommandPage {
    pub(crate) records: Vec<Record>,
    /// How many match, on all pages; `None` where lists of the resource do not say.
    pub(crate) count: Option<u64>,
}

/// What an operator orders.
#[derive(Debug, Clone)]
pub(crate) enum CommandOrder {
    /// Shows commands.
    List(CommandFilter),
    /// Shows one.
    Show(Uuid),
    /// Lets it be executed again.
    Retry(Uuid),
    /// Ends it FAILED.
    Cancel {
        /// The command.
        id: Uuid,
        /// With these errors, as JSON.
        errors: String,
    },
}

/// Which commands an operator wants to see.
#[derive(Debug, Clone)]
pub(crate) struct CommandFilter {
    pub(crate) status: Option<CommandStatus>,
    /// By its name in the model.
    pub(crate) resource: Option<String>,
    /// The type, by its name in the model.
    pub(crate) command: Option<String>,
    /// How many at most.
    pub(crate) limit: u32,
}

/// A command as an operator sees it, also one of a resource or a type that the model has no longer.
#[derive(Debug)]
pub(crate) struct StoredCommand {
    pub(crate) id: Uuid,
    pub(crate) resource: String,
    /// The type; of an operation its word after a colon.
    pub(crate) command: String,
    pub(crate) entity: Uuid,
    pub(crate) caller: Option<Caller>,
    /// Milliseconds since 1970.
    pub(crate) created_at: i64,
    /// Milliseconds since 1970.
    pub(crate) updated_at: i64,
    /// `None`: only its id is kept.
    pub(crate) status: Option<CommandStatus>,
    /// As JSON.
    pub(crate) errors: Option<String>,
    /// How often it was taken up since it was sent, or since the last retry.
    pub(crate) executions: i64,
    /// When its lease expires, in milliseconds since 1970; 0: it has none.
    pub(crate) lease: i64,
    pub(crate) trace: Uuid,
    /// As the service sees it; `None` where the model does not have its resource or type.
    pub(crate) record: Option<Record>,
}

/// Which finished commands go. Times are in milliseconds since 1970.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommandExpiry {
    /// Those that ended before are pruned to their ids.
    pub(crate) finished: i64,
    /// Those that ended before are deleted.
    pub(crate) forgotten: i64,
    /// Where to go on.
    pub(crate) from: PrunedUntil,
}

/// How far pruning has come: when the last of the commands ended that were deleted, that were pruned after their
/// success, and after their failure. PostgreSQL keeps what is changed in its indexes for a while, and a search from the
/// beginning goes over all of that.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PrunedUntil(pub(crate) [i64; 3]);

impl PrunedUntil {
    /// Before all commands.
    pub(crate) const BEGINNING: Self = Self([i64::MIN; 3]);
}

/// A portion of commands that were pruned or deleted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PrunedPortion {
    /// How many.
    pub(crate) commands: u64,
    /// Where the next one goes on.
    pub(crate) until: PrunedUntil,
    /// How long the database was busy with them: without the wait for a turn.
    pub(crate) took: Duration,
}

/// Commands that are RUNNING, executed or waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Backlog {
    /// How many.
    pub(crate) commands: i64,
    /// When the oldest was accepted, in milliseconds since 1970.
    pub(crate) oldest: Option<i64>,
}

/// The number of a command of which only the id is kept. An earlier version reads it as FAILED.
pub(crate) const PRUNED: i64 = 3;

/// A retry raises the fence to the next multiple: fences only grow, and the rest of the division counts the executions
/// since then.
pub(crate) const RETRY_FENCE: i64 = 1 << 20;

/// The number of a status in the store.
pub(crate) fn number(status: CommandStatus) -> i64 {
    match status {
        CommandStatus::Running => 0,
        CommandStatus::Successful => 1,
        CommandStatus::Failed => 2,
    }
}

/// The status that a number stands for; this program wrote no other number, and does not execute such a command.
pub(crate) fn status(of: i64) -> CommandStatus {
    CommandStatus::ALL.into_iter().find(|status| number(*status) == of).unwrap_or(CommandStatus::Failed)
}

/// How a command ends, committed with what it did.
#[derive(Debug, Clone)]
pub(crate) struct Conclusion {
    /// The command, with the fence of its holder; another's is refused.
    pub(crate) record: Record,
    /// Not RUNNING.
    pub(crate) status: CommandStatus,
    /// As JSON.
    pub(crate) output: Option<String>,
    /// As JSON.
    pub(crate) errors: Option<String>,
    /// Milliseconds since 1970.
    pub(crate) now: i64,
}
