//! docs/rust/transactions.md, "Changes of all that a query finds": each entity with its rules, its transition and its event.

use crate::Case;
use crate::client::Api;
use crate::specimen::path;
use crate::stream::Stream;
use restwell::{Builder, Call, Command, Context, Enum, Ref, Rejection, Resource, Ruled, Rules, Stored};
use serde_json::{Value, json};
use std::collections::HashSet;

pub(super) const CASES: &[Case] = &[
    ("Commands: a handler changes thousands of entities, each with its rules and its event", thousands),
    ("Commands: of a change of many that one entity refuses, nothing stays", refused),
    ("Commands: a change of many finds its own changes, and has no page", own_changes),
];

/// More than a transaction could have, each with its reads and its change, if these were counted together.
const LOTS: i64 = 2_600;

#[derive(Debug, Clone, Resource)]
struct Hall {
    name: String,
}

#[derive(Debug, Clone, Resource)]
#[resource(
    commands(Close),
    lifecycle(field = status, initial = "OPEN", final("CLOSED"), transition(close, from("OPEN"), to = "CLOSED"))
)]
struct Lot {
    #[field(filter)]
    hall: Ref<Hall>,
    #[field(filter)]
    number: i64,
    #[field(read_only, filter)]
    status: LotStatus,
    /// What the rules say to it.
    #[field(read_only, max_length = 40)]
    comment: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Enum)]
enum LotStatus {
    Open,
    Closed,
}

#[derive(Debug, Clone, Command)]
#[command(on = Lot)]
struct Close;

/// Makes lots.
#[derive(Debug, Clone, Command)]
#[command(on = Hall)]
struct Fill {
    until: i64,
}

/// Closes all lots.
#[derive(Debug, Clone, Command)]
#[command(on = Hall)]
struct Leave;

/// Numbers all lots anew, which is not possible for some.
#[derive(Debug, Clone, Command)]
#[command(on = Hall)]
struct Number {
    by: i64,
}

/// Deletes all lots that it did not make itself, and one of those.
#[derive(Debug, Clone, Command)]
#[command(on = Hall)]
struct Empty {
    until: i64,
}

/// Asks for a page of what it changes.
#[derive(Debug, Clone, Command)]
#[command(on = Hall)]
struct LeaveSome;

struct LotRules;

impl Rules<Lot> for LotRules {
    async fn before_update(&self, stored: &Stored<Lot>, lot: &mut Lot, context: &Context<'_>) -> Ruled {
        let hall = context.transaction.find(lot.hall).await?;
        if lot.status != stored.status {
            lot.comment = Some(format!("left {}", hall.name));
        }
        Ok(())
    }

    async fn validate(&self, lot: &Lot, _: Option<&Stored<Lot>>, _: &Context<'_>) -> Ruled {
        if lot.number == 1_000_013 {
            Err(Rejection::new("Unlucky", "is no number of a lot").at("number"))
        } else {
            Ok(())
        }
    }
}

async fn fill(call: Call<Fill>) -> Result<(), Rejection> {
    let hall = call.entity.reference();
    for number in 0..call.input.until {
        call.transaction.create(Lot { hall, number, status: LotStatus::Open, comment: None }).await?;
    }
    Ok(())
}

async fn leave(call: Call<Leave>) -> Result<(), Rejection> {
    let open = || LotQuery::new().hall_id(call.entity.reference()).status(LotStatus::Open);
    let count = call.transaction.count(open()).await?;
    assert_eq!(call.transaction.transition_all::<Close>(open()).await?, count);
    assert_eq!(call.transaction.transition_all::<Close>(open()).await?, 0, "all are closed");
    Ok(())
}

async fn number(call: Call<Number>) -> Result<(), Rejection> {
    let all = LotQuery::new().hall_id(call.entity.reference()).sort_desc(LotSort::CREATED_AT);
    call.transaction.update_all(all, |lot| lot.number += call.input.by).await.map(drop)
}

async fn empty(call: Call<Empty>) -> Result<(), Rejection> {
    let (hall, transaction) = (call.entity.reference(), &call.transaction);
    let made = transaction.create(Lot { hall, number: -1, status: LotStatus::Open, comment: None }).await?;
    let kept = transaction.create(Lot { hall, number: -2, status: LotStatus::Open, comment: None }).await?;
    let found = transaction.update_all(LotQuery::new().number(-1), |lot| lot.number = -3).await?;
    assert_eq!(found, 1);
    assert_eq!(transaction.find(made.reference()).await?.number, -3);
    transaction.update_all(LotQuery::new().number(-2), |lot| lot.comment = Some("kept".to_owned())).await?;
    for number in (0..call.input.until).chain([-3]) {
        assert_eq!(transaction.delete_all(LotQuery::new().number(number)).await?, 1, "{number}");
    }
    assert_eq!(transaction.delete_all(LotQuery::new().number(-3)).await?, 0);
    assert_eq!(transaction.count(LotQuery::new()).await?, 1);
    assert_eq!(transaction.find(kept.reference()).await?.value.comment.as_deref(), Some("kept"));
    Ok(())
}

async fn leave_some(call: Call<LeaveSome>) -> Result<(), Rejection> {
    call.transaction.transition_all::<Close>(LotQuery::new().limit(10)).await.map(drop)
}

fn house() -> Builder {
    let builder = Builder::new("auction").resource::<Hall>().resource::<Lot>().rules::<Lot>(LotRules);
    builder.handle(fill).handle(leave).handle(number).handle(empty).handle(leave_some)
}

/// Sends a command; how it ends.
#[track_caller]
fn run(api: &Api, hall: &Value, command: &str, id: u32, input: &Value) -> Value {
    let id = format!("01890a5d-ac96-774b-bcce-{id:012x}");
    let target = format!("{}/{command}-commands/{id}", path("halls", hall));
    api.put(&target, input).is(201);
    api.wait(&target, |reply| reply.json()["status"] != "RUNNING").is(200).json()
}

#[track_caller]
fn succeeds(api: &Api, hall: &Value, command: &str, id: u32, input: &Value) {
    let ended = run(api, hall, command, id, input);
    assert_eq!(ended["status"], "SUCCESSFUL", "{ended}");
}

fn count(api: &Api, filter: &str) -> Value {
    api.get(&format!("/lots?limit=1&{filter}")).is(200).json()["count"].clone()
}

fn thousands(api: &Api) {
    let api = api.of(house);
    let hall = api.create("/halls", &json!({ "name": "East" }));
    succeeds(&api, &hall, "fill", 1, &json!({ "until": LOTS }));
    assert_eq!(count(&api, "status=OPEN"), LOTS);
    let mut stream = Stream::open(&api.events("/events?type=auction.lot.updated"));
    succeeds(&api, &hall, "leave", 2, &json!({}));
    assert_eq!((count(&api, "status=OPEN"), count(&api, "status=CLOSED")), (json!(0), json!(LOTS)));
    let lot = api.get("/lots?limit=1").json()["lots"][0].clone();
    assert_eq!(lot["comment"], "left East");
    let events: HashSet<_> = (0..LOTS).map(|_| stream.event().json["subject"].to_string()).collect();
    assert_eq!(events.len(), LOTS as usize);
    // those that still meet the query have their turn once, too
    let other = api.create("/halls", &json!({ "name": "West" }));
    succeeds(&api, &other, "fill", 3, &json!({ "until": 501 }));
    succeeds(&api, &other, "number", 4, &json!({ "by": 10_000 }));
    for number in [0, 1, 498, 499, 500] {
        assert_eq!(count(&api, &format!("number={}", number + 10_000)), 1, "{number}");
    }
}

fn refused(api: &Api) {
    let api = api.of(house);
    let hall = api.create("/halls", &json!({ "name": "East" }));
    succeeds(&api, &hall, "fill", 1, &json!({ "until": 20 }));
    let ended = run(&api, &hall, "number", 2, &json!({ "by": 1_000_000 }));
    assert_eq!((&ended["status"], &ended["errors"][0]["code"]), (&json!("FAILED"), &json!("Unlucky")), "{ended}");
    assert_eq!((count(&api, "number=0"), count(&api, "number=1000000")), (json!(1), json!(0)));
}

fn own_changes(api: &Api) {
    let api = api.of(house);
    let hall = api.create("/halls", &json!({ "name": "East" }));
    succeeds(&api, &hall, "fill", 1, &json!({ "until": 3 }));
    succeeds(&api, &hall, "empty", 2, &json!({ "until": 3 }));
    let ended = run(&api, &hall, "leave-some", 3, &json!({}));
    assert_eq!((&ended["status"], &ended["errors"][0]["code"]), (&json!("FAILED"), &json!("InternalError")), "{ended}");
    assert_eq!(count(&api, "status=OPEN"), 1);
}
