//! A service whose rules and lifecycle are said in attributes: what may happen is not code.

use restwell::{Builder, Call, Command, Enum, Interpreted, Price, Ref, Rejection, Resource, Timestamp, handlers};
use restwell_model::Checked;
use std::sync::Arc;

/// The service.
pub(crate) fn service() -> Builder {
    Builder::new("exhibitions").users::<Keeper>().resource::<Exhibition>().commands::<Exhibition>(&Arc::new(Extending))
}

/// The same, interpreted: without the handler.
pub(crate) fn interpreted() -> Builder {
    let model = service().model().expect("the types fit together");
    Builder::interpreted(Interpreted::of(Checked::new(model).expect("the model is right")))
}

/// Somebody who plans exhibitions.
#[derive(Debug, Clone, Resource)]
struct Keeper {
    #[field(max_length = 40)]
    name: String,
    #[field(format = "email")]
    email: Option<String>,
}

/// A show of specimens, which is planned, opened and closed. What may happen to it is said here, not in code.
#[derive(Debug, Clone, Resource)]
#[resource(
    operations(create, list, get, update, patch),
    commands(Open, Close, Extend),
    rule(
        check = "startsAt == null || endsAt == null || endsAt > startsAt",
        code = "EndsBeforeStart",
        path = "endsAt",
        message = "must be after startsAt"
    ),
    rule(
        check = "old == null || old.fee == null || fee == null || old.fee.currency == fee.currency",
        code = "CurrencyFixed",
        path = "fee.currency"
    ),
    rule(
        check = "curator == null || curator.email != null",
        code = "CuratorUnreachable",
        path = "curator",
        message = "needs an e-mail address"
    ),
    rule(
        check = "predecessor == null || count(Exhibition.predecessor) == 0",
        code = "InTheMiddle",
        path = "predecessor",
        message = "follows another one, and is followed itself"
    ),
    lifecycle(
        field = status,
        initial = "PLANNED",
        final("CLOSED"),
        transition(
            open,
            from("PLANNED"),
            to = "OPEN",
            set(opened_at = "now", is_ticketed = "isTicketed == null ? false : isTicketed"),
            when = "startsAt != null"
        ),
        transition(close, from("PLANNED", "OPEN"), to = "CLOSED"),
        transition(extend, from("OPEN"), to = "OPEN"),
        transition(expire, from("OPEN"), to = "CLOSED", at = ends_at)
    )
)]
struct Exhibition {
    #[field(max_length = 40)]
    title: String,
    starts_at: Option<Timestamp>,
    ends_at: Option<Timestamp>,
    #[field(currencies("PLN", "EUR"))]
    fee: Option<Price>,
    #[field(show(name))]
    curator: Option<Ref<Keeper>>,
    predecessor: Option<Ref<Exhibition>>,
    is_ticketed: Option<bool>,
    #[field(required(when = "isTicketed"), max_length = 40)]
    ticket_text: Option<String>,
    #[field(default(is = "now"))]
    announced_at: Option<Timestamp>,
    #[field(default(is = "caller"), read_only)]
    host: Option<Ref<Keeper>>,
    #[field(read_only)]
    opened_at: Option<Timestamp>,
    #[field(read_only, filter)]
    status: Option<ExhibitionStatus>,
}

#[derive(Debug, Clone, PartialEq, Eq, Enum)]
enum ExhibitionStatus {
    Planned,
    Open,
    Closed,
    #[value(unknown)]
    Unknown(String),
}

/// Opens the doors.
#[derive(Debug, Clone, Command)]
#[command(on = Exhibition)]
struct Open;

/// Closes the doors.
#[derive(Debug, Clone, Command)]
#[command(on = Exhibition)]
struct Close;

/// Keeps it open for longer.
#[derive(Debug, Clone, Command)]
#[command(on = Exhibition)]
struct Extend {
    ends_at: Timestamp,
}

/// The handler of the only command that does more than its transition.
struct Extending;

#[handlers]
impl Extending {
    async fn extend(&self, call: Call<Extend>) -> Result<(), Rejection> {
        let mut exhibition = call.entity;
        exhibition.ends_at = Some(call.input.ends_at);
        call.transaction.update(exhibition).await
    }
}
