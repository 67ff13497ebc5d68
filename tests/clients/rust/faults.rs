//! What callers get behind a faulty proxy: each command happens once, no creation is doubled without the error saying
//! that it may have happened, each error is typed, and no call outlives its deadline.

use crate::rust::live::{Market, draft, with_marketplace};
use crate::rust::proxy::Proxy;
use futures_util::TryStreamExt;
use libtest_mimic::{Completion, Failed};
use marketplace_client::{Client, CommandQuery, Error, OfferEndInput, OfferEndReason, OfferQuery, Retries};
use restwell_testkit::effort::{at_night, seed_or};
use restwell_testkit::tools;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use uuid::Uuid;

const WORKERS: u64 = 32;
/// Operations of all workers, where nothing else is said: enough to see each fault.
const OPERATIONS: (u64, u64) = (600, 10_000);
const TIMEOUT: Duration = Duration::from_secs(3);
const DEADLINE: Duration = Duration::from_secs(8);
/// A command is sent within the deadline, and then watched for its own timeout and 30 seconds more.
const WATCHED: Duration = Duration::from_secs(60);
/// A call may end this much later, for the machine is busy.
const TOLERANCE: Duration = Duration::from_secs(2);

/// What callers were told of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Done,
    NotDone,
    Unknown,
}

/// What one worker did: with an offer of its own, which it edits and ends again and again.
#[derive(Default)]
struct Worker {
    creations: Vec<(String, Told)>,
    commands: Vec<(Uuid, Told)>,
    /// Edits that were done, and that may have been.
    edits: (i64, i64),
    errors: BTreeMap<String, u32>,
    slowest: Duration,
}

pub(crate) fn faults() -> Result<Completion, Failed> {
    let seed = seed_or(7);
    with_marketplace(async |market| match Proxy::start(&market.url, seed) {
        Ok(proxy) => {
            println!("faults: {}", behind(proxy, market, seed).await?);
            Ok(Ok(Completion::Completed))
        }
        Err(reason) if tools::are_required() => Ok(Err(Failed::from(reason))),
        Err(reason) => Ok(Ok(Completion::ignored_with(reason))),
    })
}

/// Everything behind a proxy, judged by what a client without it finds.
async fn behind(proxy: Proxy, market: &Market, seed: u64) -> Result<String, Error> {
    let retries = Retries::default().timeout(TIMEOUT).deadline(DEADLINE);
    let (clear, client) = (&market.client, market.client_at(&proxy.url).with_retries(retries));
    let operations = at_night(OPERATIONS);
    let begin = Instant::now();
    let mut running = Vec::new();
    for index in 0..WORKERS {
        let target = clear.offers().create(&draft(&format!("target {index}"))).await?.id;
        let (client, random) = (client.clone(), Random(seed.wrapping_mul(1_000).wrapping_add(index)));
        running.push((target, tokio::spawn(work(client, target, market.user, operations.div_ceil(WORKERS), random))));
    }
    let mut workers = Vec::new();
    for (target, worker) in running {
        workers.push((target, worker.await.expect("a worker does not panic")));
    }
    let (seconds, happened) = (begin.elapsed().as_secs(), proxy.stop());
    check_creations(clear, market.user, &workers).await?;
    let commands = check_commands(clear, &workers).await?;
    check_edits(clear, &workers).await?;
    let mut errors: BTreeMap<&str, u32> = BTreeMap::new();
    for (name, count) in workers.iter().flat_map(|(_, worker)| &worker.errors) {
        *errors.entry(name).or_default() += count;
    }
    let creations = workers.iter().map(|(_, worker)| worker.creations.len()).sum::<usize>();
    let slowest = workers.iter().map(|(_, worker)| worker.slowest).max().unwrap_or_default();
    Ok(format!(
        "{operations} operations in {seconds} s, slowest call {slowest:?}; {commands}; {creations} creations; \
         errors {errors:?}; faults {happened}"
    ))
}

async fn work(client: Client, target: Uuid, seller: Uuid, count: u64, mut random: Random) -> Worker {
    let mut worker = Worker::default();
    for _ in 0..count {
        let dice = random.below(100);
        let is_command = (25..50).contains(&dice);
        let longest = DEADLINE + TOLERANCE + if is_command { WATCHED } else { Duration::ZERO };
        let begin = Instant::now();
        let done = tokio::time::timeout(longest, worker.operate(&client, target, seller, dice)).await;
        worker.slowest = worker.slowest.max(begin.elapsed());
        if let Err(error) = done.unwrap_or_else(|_| panic!("a call has not ended after {longest:?}: {dice}")) {
            let text = format!("{error:?}");
            let name = text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
            let status = error.response().map(|response| format!(" {}", response.status)).unwrap_or_default();
            *worker.errors.entry(format!("{name}{status}")).or_default() += 1;
        }
    }
    worker
}

impl Worker {
    async fn operate(&mut self, client: &Client, target: Uuid, seller: Uuid, dice: u64) -> Result<(), Error> {
        let offers = client.offers();
        match dice {
            0..25 => {
                let name = format!("made {}", Uuid::new_v4());
                let created = offers.create(&draft(&name)).await;
                self.creations.push((name, told(created.as_ref().err())));
                created.map(drop)
            }
            25..50 => {
                let id = Uuid::now_v7();
                let ended = offers.end(target, &OfferEndInput::new(OfferEndReason::Other)).id(id).await;
                self.commands.push((id, told(ended.as_ref().err())));
                ended.map(drop)
            }
            // adds one: an edit that happened twice would add two
            50..65 => {
                let edited = offers.edit(target, |offer| offer.stock = (stock(offer) + 1).into()).await;
                match told(edited.as_ref().err()) {
                    Told::Done => self.edits.0 += 1,
                    Told::Unknown => self.edits.1 += 1,
                    Told::NotDone => {}
                }
                edited.map(drop)
            }
            65..85 => offers.get(target).await.map(drop),
            85..95 => offers.list(OfferQuery::new().seller_id(seller).limit(50)).await.map(drop),
            _ => offers.check_create(&draft("checked"), &[]).await.map(drop),
        }
    }
}

fn stock(offer: &marketplace_client::OfferUpdate) -> i64 {
    offer.stock.value().copied().unwrap_or_default()
}

fn told(error: Option<&Error>) -> Told {
    match error {
        None => Told::Done,
        Some(error) if error.may_have_happened() => Told::Unknown,
        Some(_) => Told::NotDone,
    }
}

async fn check_creations(clear: &Client, seller: Uuid, workers: &[(Uuid, Worker)]) -> Result<(), Error> {
    let mut times: BTreeMap<String, u32> = BTreeMap::new();
    let all = clear.offers().all(OfferQuery::new().seller_id(seller));
    all.try_for_each(|offer| {
        *times.entry(offer.value.name).or_default() += 1;
        std::future::ready(Ok(()))
    })
    .await?;
    for (name, told) in workers.iter().flat_map(|(_, worker)| &worker.creations) {
        let count = times.get(name).copied().unwrap_or_default();
        let is_right = match told {
            Told::Done => count == 1,
            Told::NotDone => count == 0,
            Told::Unknown => count <= 1,
        };
        assert!(is_right, "a creation is there {count} times, and its caller was told {told:?}");
    }
    Ok(())
}

/// Each command that was sent is there once at most; the first ends the offer, later ones are refused.
async fn check_commands(clear: &Client, workers: &[(Uuid, Worker)]) -> Result<String, Error> {
    let (mut sent, mut found) = (0, 0);
    for (target, worker) in workers {
        let stored = clear.offers().end_commands(*target, CommandQuery::new());
        let stored: Vec<Uuid> = stored.map_ok(|command| command.id).try_collect().await?;
        for id in &stored {
            let times = stored.iter().filter(|it| *it == id).count();
            assert_eq!(times, 1, "a command is there twice");
            assert!(worker.commands.iter().any(|(sent, _)| sent == id), "a command that nobody sent");
        }
        for (id, told) in &worker.commands {
            assert!(*told != Told::Done || stored.contains(id), "a command that succeeded is not there");
        }
        sent += worker.commands.len();
        found += stored.len();
    }
    Ok(format!("{sent} commands sent, {found} there"))
}

async fn check_edits(clear: &Client, workers: &[(Uuid, Worker)]) -> Result<(), Error> {
    for (target, worker) in workers {
        let stock = clear.offers().get(*target).await?.stock.unwrap_or_default();
        // that of a draft without it
        let (done, unknown) = (1 + worker.edits.0, worker.edits.1);
        assert!(
            (done..=done + unknown).contains(&stock),
            "the stock is {stock} where it is at least {done}, or {unknown} more"
        );
    }
    Ok(())
}

/// Numbers that are the same for the same seed (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}
