//! The service: entries with rules of every kind, and every way to write one.

use restwell::routes::{Json, Route, Routes};
use restwell::{
    Builder, Call, Command, Context, Enum, Ref, Rejection, Resource, Ruled, Rules, Stored, Timestamp, Transactions,
    handlers,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// The service.
pub(super) fn service() -> Builder {
    let routes = Routes::new().route(Route::post("/entries/{entryId}/applications").returns_json(200), apply);
    Builder::new("entries")
        .resource::<Entry>()
        .resource::<Trigger>()
        .commands::<Entry>(&Arc::new(Rewriting))
        .rules(TriggerRules)
        .routes(routes)
}

/// What is written. What a transition, a route or another entity's rule is to write into it stands in its `next` fields,
/// which no rule is about.
#[derive(Debug, Clone, Resource)]
#[resource(
    plural = "entries",
    operations(create, list, get, update, patch),
    view(later, path = "/later-entries", operations(create(async), update(async))),
    commands(Rewrite, Duplicate, Apply),
    rule(check = "size == null || size <= 1000", code = "Oversized", path = "size", message = "is too large"),
    rule(
        check = "old == null || old.kind == null || old.kind == kind",
        code = "KindFixed",
        path = "kind",
        message = "cannot change"
    ),
    rule(
        check = "parent == null || parent.kind != \"CLOSED\"",
        code = "ParentClosed",
        path = "parent",
        message = "is closed"
    ),
    rule(
        check = "kind != \"LEAF\" || count(Entry.parent) == 0",
        code = "HasChildren",
        path = "kind",
        message = "has entries below it"
    ),
    rule(check = "stampedAt == null || stampedAt <= now", code = "Early", path = "stampedAt", message = "is too early"),
    lifecycle(
        field = state,
        initial = "OPEN",
        final("DONE"),
        transition(
            apply,
            from("OPEN"),
            to = "OPEN",
            set(size = "nextSize", kind = "nextKind", parent = "nextParent", stamped_at = "nextStampedAt")
        ),
        transition(
            expire,
            from("OPEN"),
            to = "DONE",
            at = due_at,
            set(size = "nextSize", kind = "nextKind", parent = "nextParent", stamped_at = "nextStampedAt")
        )
    )
)]
struct Entry {
    #[field(max_length = 40)]
    name: String,
    size: Option<i64>,
    #[field(max_length = 10)]
    kind: Option<String>,
    parent: Option<Ref<Entry>>,
    stamped_at: Option<Timestamp>,
    #[field(required(when = "size == 101"), max_length = 40)]
    note: Option<String>,
    due_at: Option<Timestamp>,
    next_size: Option<i64>,
    #[field(max_length = 10)]
    next_kind: Option<String>,
    next_parent: Option<Ref<Entry>>,
    next_stamped_at: Option<Timestamp>,
    #[field(read_only, filter)]
    state: Option<EntryState>,
}

#[derive(Debug, Clone, PartialEq, Eq, Enum)]
enum EntryState {
    Open,
    Done,
    #[value(unknown)]
    Unknown(String),
}

/// Writes values into an entry, by a handler.
#[derive(Debug, Clone, Command)]
#[command(on = Entry)]
struct Rewrite {
    size: Option<i64>,
    #[field(max_length = 10)]
    kind: Option<String>,
    parent: Option<Ref<Entry>>,
    stamped_at: Option<Timestamp>,
}

/// Creates an entry with these values, by a handler.
#[derive(Debug, Clone, Command)]
#[command(on = Entry)]
struct Duplicate {
    size: Option<i64>,
    #[field(max_length = 10)]
    kind: Option<String>,
    parent: Option<Ref<Entry>>,
    stamped_at: Option<Timestamp>,
}

/// Makes the transition alone.
#[derive(Debug, Clone, Command)]
#[command(on = Entry)]
struct Apply;

struct Rewriting;

#[handlers]
impl Rewriting {
    async fn rewrite(&self, call: Call<Rewrite>) -> Result<(), Rejection> {
        let (mut entry, Rewrite { size, kind, parent, stamped_at }) = (call.entity, call.input);
        (entry.size, entry.kind, entry.parent, entry.stamped_at) = (size, kind, parent, stamped_at);
        call.transaction.update(entry).await
    }

    async fn duplicate(&self, call: Call<Duplicate>) -> Result<(), Rejection> {
        let Duplicate { size, kind, parent, stamped_at } = call.input;
        let blank = Entry::from(EntryDraft { name: "copy".to_owned() });
        call.transaction.create(Entry { size, kind, parent, stamped_at, ..blank }).await.map(drop)
    }
}

/// Its creation writes into an entry.
#[derive(Debug, Clone, Resource)]
#[resource(operations(create))]
struct Trigger {
    entry: Ref<Entry>,
}

struct TriggerRules;

impl Rules<Trigger> for TriggerRules {
    async fn after_create(&self, trigger: &Stored<Trigger>, context: &Context<'_>) -> Ruled {
        let entry = context.transaction.find(trigger.entry).await?;
        context.transaction.update(with_next(entry)).await
    }
}

/// A route of the service's own that writes into an entry.
async fn apply(entry: Ref<Entry>, transactions: Transactions) -> Result<Json<Value>, Rejection> {
    let applied = transactions.run(move |transaction| async move {
        let entry = transaction.find(entry).await?;
        transaction.update(with_next(entry)).await
    });
    applied.await?;
    Ok(Json(json!({ "isApplied": true })))
}

fn with_next(mut entry: Stored<Entry>) -> Stored<Entry> {
    entry.size = entry.next_size;
    entry.kind = entry.next_kind.clone();
    entry.parent = entry.next_parent;
    entry.stamped_at = entry.next_stamped_at;
    entry
}
