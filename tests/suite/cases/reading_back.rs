//! docs/rust/transactions.md: what a handler reads are its own changes, laid over what is stored.
//!
//! At the commit the database repeats every read after the changes before it. One that gave the handler anything else
//! would be a conflict, and the command would not end.

use super::watching::metric;
use crate::Case;
use crate::client::Api;
use crate::specimen::path;
use restwell::filter::{
    contains, contains_ignore_case, gt, gte, lt, lte, not, null, starts_with, starts_with_ignore_case,
};
use restwell::{Builder, Call, Command, Decimal, Price, Ref, Rejection, Resource, Timestamp, Transaction};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("Commands: a handler reads what it has created, changed and deleted", any_reads),
    ("Commands: a handler reads what its deletions do to others", cascades),
    ("Commands: reads between changes execute no change again", counted),
];

/// Reads and changes of a shuffle.
const ROUNDS: i64 = 120;
/// Seeds of shuffles.
const SEEDS: i64 = 12;

#[derive(Debug, Clone, Resource)]
struct Shelf {
    #[field(filter)]
    name: String,
}

#[derive(Debug, Clone, Resource)]
struct Thing {
    #[field(
        filter(not, starts_with, contains, starts_with_ignore_case, contains_ignore_case),
        sort,
        allow("slow-contains" = "few are kept")
    )]
    name: String,
    #[field(filter(not), sort)]
    number: Option<i64>,
    #[field(filter, sort)]
    ratio: Option<f64>,
    #[field(filter, sort)]
    fragile: Option<bool>,
    #[field(filter, sort)]
    since: Option<Timestamp>,
    #[field(filter, sort)]
    price: Option<Price>,
    #[field(filter(not), on_delete = null)]
    shelf: Option<Ref<Shelf>>,
    labels: Vec<String>,
}

/// Goes with its thing.
#[derive(Debug, Clone, Resource)]
struct Part {
    #[field(filter, on_delete = cascade)]
    thing: Ref<Thing>,
}

/// Reads and changes at random.
#[derive(Debug, Clone, Command)]
#[command(on = Shelf)]
struct Shuffle {
    seed: i64,
}

/// Deletes things and shelves, and looks at what is left.
#[derive(Debug, Clone, Command)]
#[command(on = Shelf)]
struct Clear {
    until: i64,
}

/// Numbers things one after the other, and looks at them in between.
#[derive(Debug, Clone, Command)]
#[command(on = Shelf)]
struct Number {
    until: i64,
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as i64 % bound
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(4) > 0).then(|| make(self))
    }

    fn thing(&mut self, shelf: Ref<Shelf>) -> Thing {
        let name = ["Ant", "ant", "Bee", "Łoś", "żaba", "Ant hill", "\u{1d11e}", "\u{fb01}"];
        Thing {
            name: name[self.below(8) as usize].to_owned(),
            number: self.maybe(|random| random.below(5) - 2),
            // SQLite has no negative zero
            ratio: self.maybe(|random| [0.5, -0.0, 0.0, -1.25, 3.0, 1e-9][random.below(6) as usize]),
            fragile: self.maybe(|random| random.below(2) == 0),
            since: self.maybe(|random| Timestamp::from_millis(random.below(3) * 1_000)).flatten(),
            price: self.maybe(|random| {
                let currency = ["PLN", "EUR"][random.below(2) as usize].parse().expect("a currency");
                Price::new(random.below(3) * 50, currency)
            }),
            shelf: self.maybe(|_| shelf),
            labels: (0..self.below(3)).map(|label| format!("\"{label}\" \u{e9}")).collect(),
        }
    }

    fn query(&mut self, shelf: Ref<Shelf>) -> ThingQuery {
        let mut query = ThingQuery::new();
        for _ in 0..self.below(3) {
            query = match self.below(18) {
                0 => query.name("Ant").name("Bee"),
                1 => query.name(not("Ant")),
                2 => query.name(starts_with("Ant")),
                3 => query.name(contains("n")),
                4 => query.number(1),
                5 => query.number(not(1)),
                6 => query.number(null()),
                7 => query.number(gt(-1)).number(lte(2)),
                8 => query.ratio(gte(0.0)),
                9 => query.ratio(lt(0.0)),
                10 => query.fragile(true),
                11 => query.since(gt(Timestamp::from_millis(0).expect("a time"))),
                12 => query.shelf_id(shelf),
                13 => query.name(starts_with_ignore_case("aN")),
                14 => query.name(contains_ignore_case("N")),
                15 => query.shelf_id(not(shelf)),
                16 => query.price_amount(lte("0.5".parse::<Decimal>().expect("a decimal"))).price_amount(gt(0)),
                _ => query.price_amount(null()).price_amount(1),
            };
        }
        for _ in 0..self.below(3) {
            query = match self.below(7) {
                0 => query.sort(ThingSort::NAME),
                1 => query.sort_desc(ThingSort::NAME),
                2 => query.sort(ThingSort::NUMBER),
                3 => query.sort_desc(ThingSort::NUMBER),
                4 => query.sort(ThingSort::RATIO),
                5 => query.sort_desc(ThingSort::SINCE),
                _ => query.sort_desc(ThingSort::FRAGILE),
            };
        }
        let (offset, limit) = (self.below(6) as u32, self.below(5) as u32 + 1);
        if self.below(2) == 0 { query } else { query.offset(offset).limit(limit) }
    }
}

async fn shuffle(call: Call<Shuffle>) -> Result<(), Rejection> {
    let (transaction, shelf) = (&call.transaction, call.entity.reference());
    let mut random = Random(call.input.seed.unsigned_abs());
    for _ in 0..ROUNDS {
        match random.below(6) {
            0 => drop(transaction.create(random.thing(shelf)).await?),
            1 => _ = transaction.count(random.query(shelf)).await?,
            2 => {
                let found = transaction.list(random.query(shelf)).await?;
                for thing in found.iter().take(2) {
                    let again = transaction.get::<Thing>(thing.id).await?;
                    assert_eq!(again.map(|again| again.value.name), Some(thing.value.name.clone()));
                }
            }
            3 => {
                let found = transaction.list(random.query(shelf)).await?;
                if let Some(thing) = found.first().filter(|_| random.below(3) == 0) {
                    transaction.delete(thing).await?;
                    assert!(transaction.get::<Thing>(thing.id).await?.is_none());
                }
            }
            _ => {
                for mut thing in transaction.list(random.query(shelf)).await?.into_iter().take(3) {
                    thing.value = random.thing(shelf);
                    transaction.update(thing).await?;
                }
            }
        }
    }
    Ok(())
}

async fn clear(call: Call<Clear>) -> Result<(), Rejection> {
    let transaction = &call.transaction;
    for round in 0..call.input.until {
        let shelf = transaction.create(Shelf { name: "Gone".to_owned() }).await?;
        let mut thing = Random(1).thing(shelf.reference());
        thing.shelf = Some(shelf.reference());
        let thing = transaction.create(thing).await?;
        transaction.create(Part { thing: thing.reference() }).await?;
        transaction.delete(&shelf).await?;
        let left = transaction.find(thing.reference()).await?;
        assert_eq!(left.shelf.map(|shelf| shelf.id), None, "round {round}");
        transaction.delete(&left).await?;
        assert_eq!(transaction.count(PartQuery::new()).await?, 0);
    }
    Ok(())
}

async fn number(call: Call<Number>) -> Result<(), Rejection> {
    let transaction: &Transaction = &call.transaction;
    for number in 1..=call.input.until {
        let mut thing = Random(1).thing(call.entity.reference());
        thing.number = Some(number);
        transaction.create(thing).await?;
        let largest = transaction.list(ThingQuery::new().sort_desc(ThingSort::NUMBER).limit(1)).await?;
        assert_eq!(largest.first().and_then(|thing| thing.number), Some(number));
    }
    Ok(())
}

fn store() -> Builder {
    let builder = Builder::new("store").resource::<Shelf>().resource::<Thing>().resource::<Part>();
    builder.handle(shuffle).handle(clear).handle(number)
}

/// Sends a command; how it ends.
#[track_caller]
fn run(api: &Api, shelf: &Value, command: &str, input: &Value) -> Value {
    let number = input.as_object().and_then(|input| input.values().next()?.as_i64()).unwrap_or_default();
    let id = format!("01890a5d-ac96-774b-bcce-{:012x}", number + 1);
    let target = format!("{}/{command}-commands/{id}", path("shelves", shelf));
    api.put(&target, input).is(201);
    api.wait(&target, |reply| reply.json()["status"] != "RUNNING").is(200).json()
}

fn shelf(api: &Api) -> Value {
    api.create("/shelves", &json!({ "name": "Top" }))
}

fn any_reads(api: &Api) {
    let api = api.of(store);
    let shelf = shelf(&api);
    // things of one shuffle are stored for the next
    for seed in 0..SEEDS {
        let ended = run(&api, &shelf, "shuffle", &json!({ "seed": seed }));
        assert_eq!(ended["status"], "SUCCESSFUL", "seed {seed}: {ended}");
    }
}

fn cascades(api: &Api) {
    let api = api.of(store);
    let shelf = shelf(&api);
    let ended = run(&api, &shelf, "clear", &json!({ "until": 3 }));
    assert_eq!(ended["status"], "SUCCESSFUL", "{ended}");
    assert_eq!(api.get("/things").json()["count"], 0);
    assert_eq!(api.get("/parts").json()["count"], 0);
    assert_eq!(api.get("/shelves").json()["count"], 1);
}

fn counted(api: &Api) {
    let api = api.of(store);
    let shelf = shelf(&api);
    let writes = || metric(&api, "restwell_store_writes_total", &[]);
    let before = writes();
    let ended = run(&api, &shelf, "number", &json!({ "until": 50 }));
    assert_eq!(ended["status"], "SUCCESSFUL", "{ended}");
    // the command is accepted, maybe claimed and held, and committed with its changes
    let done = writes() - before;
    assert!(done < 25.0, "{done} writes for a command with 50 reads");
}
