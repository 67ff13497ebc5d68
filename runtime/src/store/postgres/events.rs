//! Gives the events their positions, one instance at a time, and hears of those of other instances.
//!
//! Positions are given under a lock, which is held until the commit: so a reader who has seen a position has seen all
//! before it. A change writes its events last, when all that it had to wait for is there. If the lock is free then, it
//! gives them their positions itself, after those of all drafts that there are ([`super::written_events`]). Otherwise
//! it does not wait: it writes drafts, whose places come from a sequence. So of two changes that touch one thing, the
//! later has the later places; but drafts with earlier places may still be uncommitted. Once they are committed they
//! become events, by the next change that gets the lock, or by the task here ([`NUMBER`]), in the order of places.
//! Nothing that came of an event stands before it.

use super::connection::Connection;
use super::location::PostgresLocation;
use super::pipeline::in_order;
use super::single_statements::SingleStatements;
use super::written_events::{BEGINNING, WrittenEvents};
use crate::plan::cell::{Cell, CellRef};
use crate::store::StoreError;
use crate::store::outbox::from_now_on;
use crate::store::sql::{Session, SqlFailure};
use futures_util::{FutureExt, TryFutureExt};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_postgres::AsyncMessage;
use uuid::Uuid;

/// How often drafts and events are looked for without a notification: the instance that wrote them may have failed
/// before it sent one.
const POLL: Duration = Duration::from_secs(1);
/// The longest pause between two rounds of numbering while there are drafts.
const LONGEST_PAUSE: Duration = Duration::from_millis(5);
/// Events that are numbered at a time.
const PORTION: i64 = 1000;

const LISTEN: &str = "LISTEN _restwell_events";
/// The row whose lock is the right to number.
const PLACE: &str =
    "INSERT INTO \"_restwell\" (\"key\", \"value\") VALUES ('events.numbering', '') ON CONFLICT DO NOTHING";
const LOCK: &str = "SELECT 1 FROM \"_restwell\" WHERE \"key\" = 'events.numbering' FOR UPDATE";
/// Numbers a portion of the drafts after a place. It also says which transactions were under way: all before the first
/// number had ended, and none from the second on had begun.
const NUMBER: &str = "WITH taken AS (DELETE FROM \"_restwell_drafts\" WHERE \"place\" > ?2 AND \"place\" <= (SELECT \
        max(\"place\") FROM (SELECT \"place\" FROM \"_restwell_drafts\" WHERE \"place\" > ?2 ORDER BY \"place\" LIMIT ?1) \
        AS \"first\") RETURNING *), \
    numbered AS (INSERT INTO \"_restwell_events\" SELECT \
        (SELECT coalesce(max(\"sequence\"), 0) FROM \"_restwell_events\") + row_number() OVER (ORDER BY \"place\"), \
        \"id\", \"resource\", \"kind\", \"entity_id\", \"owner_id\", \"time\", \"data\", \"trace_id\", \
        \"trace_parent\", \"actor_id\" \
        FROM taken RETURNING 1) \
    SELECT count(*), (SELECT max(\"place\") FROM taken), \
        CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint), \
        CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint), \
        CASE WHEN count(*) > 0 THEN CAST(pg_notify('_restwell_events', '') AS text) END FROM numbered";
/// Begins what numbers. It has one plan, which the server keeps for long: one for each round would take longer to make
/// than the round. Made while there were few drafts it would read the whole table each time, were it not for the second
/// setting.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL plan_cache_mode = force_generic_plan; \
    SET LOCAL enable_seqscan = off";
/// Whether there are drafts: most checks without a notification find none, and lock nothing. The order makes the server
/// use the index.
const HAS_DRAFTS: &str = "SELECT \"place\" FROM \"_restwell_drafts\" WHERE \"place\" > ?1 ORDER BY \"place\" LIMIT 1";
/// Tells the other instances that there are events.
const TELL: &str = "NOTIFY _restwell_events";

/// The tasks that number events and listen for those of other instances.
pub(super) struct Events {
    instance: Uuid,
    commits: watch::Receiver<u64>,
    written: Arc<WrittenEvents>,
    stop: watch::Sender<bool>,
}

impl Events {
    /// Starts numbering and listening.
    pub(super) fn start(location: PostgresLocation, runtime: &Runtime) -> Self {
        let (changed, commits) = watch::channel(0);
        let (stop, stopped) = watch::channel(false);
        let written = Arc::new(WrittenEvents::new(changed));
        let numbering = Numbering { location, written: Arc::clone(&written), stopped };
        runtime.spawn(numbering.run());
        Self { instance: Uuid::new_v4(), commits, written, stop }
    }

    /// Which instance this is, among those that have the database.
    pub(super) fn instance(&self) -> Uuid {
        self.instance
    }

    /// To be told of committed events.
    pub(super) fn written(&self) -> Arc<WrittenEvents> {
        Arc::clone(&self.written)
    }

    /// Changes when there may be more events.
    pub(super) fn commits(&self) -> watch::Receiver<u64> {
        from_now_on(&self.commits)
    }

    /// Ends it.
    pub(super) fn stop(&self) {
        self.stop.send_replace(true);
    }
}

struct Numbering {
    location: PostgresLocation,
    written: Arc<WrittenEvents>,
    stopped: watch::Receiver<bool>,
}

impl Numbering {
    /// Until it is to stop; after an error, on another connection.
    async fn run(mut self) {
        let mut is_lost = false;
        while !*self.stopped.borrow() {
            let ended = self.go_on(&mut is_lost).await;
            if let Err(error) = ended {
                if !std::mem::replace(&mut is_lost, true) {
                    tracing::warn!(%error, "events wait to be numbered until the database is there again");
                }
                // an error means that the store is gone, which ends this as well
                let _ = tokio::time::timeout(POLL, self.stopped.changed()).await;
            }
        }
    }

    async fn go_on(&mut self, is_lost: &mut bool) -> Result<(), StoreError> {
        let written = Arc::clone(&self.written);
        let told = move |message| {
            if matches!(message, AsyncMessage::Notification(_)) {
                written.say();
            }
        };
        let connection = Connection::open(&self.location, told).await?;
        connection.client.batch_execute(LISTEN).await?;
        connection.client.batch_execute(PLACE).await?;
        if std::mem::replace(is_lost, false) {
            tracing::info!("events are numbered again");
        }
        let mut done = NumberedPlaces::new();
        let mut looked = None;
        while !*self.stopped.borrow() {
            let mut after = done.after();
            let mut are_there = self.written.take_drafts();
            // those of an instance that has failed, or of changes before this began
            if !are_there && looked.is_none_or(|looked: Instant| looked.elapsed() >= POLL) {
                are_there = has_drafts(&connection, after).await?;
                looked = Some(Instant::now());
            }
            let (started, mut numbered) = (Instant::now(), 0);
            while are_there {
                let portion = number_on(&connection, after).await?;
                after = done.add(&portion);
                numbered += portion.count;
                are_there = portion.count == PORTION;
            }
            self.written.numbered(done.until);
            let mut next = next_round(started, Instant::now(), numbered);
            if self.written.take_events() && numbered == 0 {
                connection.client.batch_execute(TELL).await?;
                next = started + LONGEST_PAUSE;
            }
            // what others have numbered is heard of, but not through everything that may lie between
            self.written.say();
            tokio::select! {
                () = self.written.more() => {}
                () = tokio::time::sleep(POLL) => {}
                _ = self.stopped.changed() => {}
            }
            tokio::time::sleep_until(next).await;
        }
        Ok(())
    }
}

/// When drafts are numbered again, after a round. What numbers is busy for half of the time at most, and the less, the
/// more there was to number: under load each round then takes the events of several commits, instead of a sync to disk
/// for each of them.
fn next_round(started: Instant, ended: Instant, numbered: i64) -> Instant {
    let times = u32::try_from(numbered.max(1)).unwrap_or(u32::MAX);
    ended + (ended - started).saturating_mul(times).min(LONGEST_PAUSE)
}

/// The places up to which there are no more drafts. The server keeps deleted rows for a while, and a look from the
/// beginning goes over all of them, so that each would take longer than the one before.
///
/// A transaction takes its places after its number, since it writes events after what they tell of. So when a place was
/// seen, all transactions with earlier places had their numbers, and once these have ended, there is nothing to come
/// before it.
struct NumberedPlaces {
    /// There are none up to this place.
    until: i64,
    /// Nor up to this one, as soon as the transactions before this number have ended.
    next: Option<(i64, i64)>,
    /// When all were looked at, as they are now and then.
    whole: Option<Instant>,
}

impl NumberedPlaces {
    fn new() -> Self {
        Self { until: BEGINNING, next: None, whole: None }
    }

    /// The place after which is to be looked now.
    fn after(&mut self) -> i64 {
        if self.whole.is_some_and(|whole| whole.elapsed() < POLL) {
            return self.until;
        }
        self.whole = Some(Instant::now());
        BEGINNING
    }

    /// Adds what was numbered. Returns the place after which is to be looked for more.
    fn add(&mut self, portion: &NumberedDrafts) -> i64 {
        if let Some((place, transaction)) = self.next
            && transaction <= portion.ended_before
        {
            // of a full portion only the first were taken
            let last = if portion.count == PORTION { portion.last } else { None };
            self.until = self.until.max(last.map_or(place, |last| last.min(place)));
            self.next = None;
        }
        if let Some(last) = portion.last {
            self.next.get_or_insert((last, portion.begun_before));
        }
        self.until
    }
}

/// Drafts that have become events.
struct NumberedDrafts {
    count: i64,
    /// The last of their places.
    last: Option<i64>,
    /// Transactions before this number had ended.
    ended_before: i64,
    /// Transactions that had begun have numbers before this one.
    begun_before: i64,
}

/// Numbers the drafts that there are, in a transaction in which each statement sees what is committed by then.
pub(super) async fn number(session: &impl Session) -> Result<(), SqlFailure> {
    while number_portion(session).await?.count == PORTION {}
    Ok(())
}

async fn number_portion(session: &impl Session) -> Result<NumberedDrafts, SqlFailure> {
    session.rows(LOCK, &[]).await?;
    Ok(NumberedDrafts::of(&session.rows(NUMBER, &portion_after(BEGINNING)).await?))
}

/// What [`NUMBER`] binds.
fn portion_after(place: i64) -> [CellRef<'static>; 2] {
    [CellRef::Int(PORTION), CellRef::Int(place)]
}

impl NumberedDrafts {
    /// From what [`NUMBER`] gives.
    fn of(rows: &[Vec<Cell>]) -> Self {
        let int = |column: usize| rows.first().and_then(|row| row.get(column)?.borrow().int());
        Self {
            count: int(0).unwrap_or_default(),
            last: int(1),
            ended_before: int(2).unwrap_or_default(),
            begun_before: int(3).unwrap_or(i64::MAX),
        }
    }
}

async fn has_drafts(connection: &Connection, after: i64) -> Result<bool, StoreError> {
    let session = SingleStatements::on(connection);
    Ok(!session.rows(HAS_DRAFTS, &[CellRef::Int(after)]).await?.is_empty())
}

/// A portion, on a connection of one's own: what is left of a transaction goes with it. Its statements are sent
/// together, and the server executes one after the other: the second sees what was committed when the first had its
/// lock.
async fn number_on(connection: &Connection, after: i64) -> Result<NumberedDrafts, StoreError> {
    let (lock, number) = (connection.statement(LOCK).await?, connection.statement(NUMBER).await?);
    let say = |sql: &'static str| connection.client.batch_execute(sql).map_ok(|()| Vec::new()).boxed();
    let values = portion_after(after);
    let sent =
        vec![say(BEGIN), connection.rows(&lock, &[]).boxed(), connection.rows(&number, &values).boxed(), say("COMMIT")];
    let answers = in_order(sent).await?;
    Ok(NumberedDrafts::of(answers.get(2).map_or(&[], Vec::as_slice)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_done_when_all_transactions_that_may_have_earlier_ones_have_ended() {
        let portion =
            |count, last, ended_before, begun_before| NumberedDrafts { count, last, ended_before, begun_before };
        let mut done = NumberedPlaces::new();
        assert_eq!(done.after(), BEGINNING);
        assert_eq!(done.add(&portion(3, Some(7), 90, 100)), BEGINNING, "99 may have place 5");
        assert_eq!(done.add(&portion(2, Some(9), 99, 105)), BEGINNING);
        assert_eq!(done.add(&portion(0, None, 100, 106)), 7, "it would have been found by now");
        assert_eq!(done.after(), 7);
        assert_eq!(done.add(&portion(0, None, 200, 200)), 7, "nothing new was seen");
        assert_eq!(done.add(&portion(1, Some(20), 200, 201)), 7);
        assert_eq!(done.add(&portion(PORTION, Some(15), 201, 300)), 15, "there is more before place 20");
        assert_eq!(done.add(&portion(1, Some(16), 299, 301)), 15);
        done.whole = None;
        assert_eq!(done.after(), BEGINNING, "all are looked at now and then");
        assert_eq!(done.after(), 15);
    }

    #[test]
    fn numbering_is_busy_for_half_of_the_time_at_most() {
        let started = Instant::now();
        let after = |millis| started + Duration::from_millis(millis);
        assert_eq!(next_round(started, after(2), 1), after(4));
        assert_eq!(next_round(started, after(1), 2), after(3), "many events are numbered more rarely");
        assert_eq!(next_round(started, started, 0), started, "nothing to number, nothing to wait for");
        assert_eq!(next_round(started, after(500), 1), after(500) + LONGEST_PAUSE, "slow rounds cause no long waits");
        assert_eq!(next_round(started, after(1), i64::MAX), after(1) + LONGEST_PAUSE);
    }
}
