//! Exhibitions, whose rules and lifecycle are said in the attributes.

use crate::by_hand::keeper::Keeper;
use restwell::{Call, Command, Enum, Price, Ref, Rejection, Resource, Timestamp, handlers};

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
        path = "fee.currency",
        message = "cannot be in another currency"
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
pub(crate) struct Exhibition {
    #[field(max_length = 40)]
    pub(crate) title: String,
    pub(crate) starts_at: Option<Timestamp>,
    pub(crate) ends_at: Option<Timestamp>,
    #[field(currencies("PLN", "EUR"))]
    pub(crate) fee: Option<Price>,
    #[field(show(name))]
    pub(crate) curator: Option<Ref<Keeper>>,
    pub(crate) predecessor: Option<Ref<Exhibition>>,
    pub(crate) is_ticketed: Option<bool>,
    #[field(required(when = "isTicketed"), max_length = 40)]
    pub(crate) ticket_text: Option<String>,
    #[field(default(is = "now"))]
    pub(crate) announced_at: Option<Timestamp>,
    #[field(default(is = "caller"), read_only)]
    pub(crate) host: Option<Ref<Keeper>>,
    #[field(read_only)]
    pub(crate) opened_at: Option<Timestamp>,
    #[field(read_only, filter)]
    pub(crate) status: Option<ExhibitionStatus>,
}

#[derive(Debug, Clone, PartialEq, Eq, Enum)]
pub(crate) enum ExhibitionStatus {
    Planned,
    Open,
    Closed,
    #[value(unknown)]
    Unknown(String),
}

/// Opens the doors.
#[derive(Debug, Clone, Command)]
#[command(on = Exhibition)]
pub(crate) struct Open;

/// Closes the doors.
#[derive(Debug, Clone, Command)]
#[command(on = Exhibition)]
pub(crate) struct Close;

/// Keeps it open for longer.
#[derive(Debug, Clone, Command)]
#[command(on = Exhibition)]
pub(crate) struct Extend {
    pub(crate) ends_at: Timestamp,
}

/// The handler of the only command that does more than its transition.
pub(crate) struct Extending;

#[handlers]
impl Extending {
    async fn extend(&self, call: Call<Extend>) -> Result<(), Rejection> {
        let mut exhibition = call.entity;
        exhibition.ends_at = Some(call.input.ends_at);
        call.transaction.update(exhibition).await
    }
}
