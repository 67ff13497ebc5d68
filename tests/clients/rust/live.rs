//! The client against a running marketplace: the example of the guide, entity tags, a walk while others write, and
//! events.

use crate::rust::task::task;
use futures_util::{StreamExt, TryStreamExt, pin_mut};
use marketplace_client::events::EventKind;
use marketplace_client::{
    AddressDraft, Blocking, Category, Client, Condition, Country, Currency, Error, EventQuery, OfferDraft,
    OfferEndInput, OfferEndReason, OfferQuery, OfferRenewInput, OfferUpdate, Price, Timestamp,
};
use restwell_testkit::effort::at_night;
use restwell_testkit::market;
use restwell_testkit::process::{self, Folder, Service};
use rust_decimal::Decimal;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// A marketplace with a user, and their client.
pub(crate) struct Market {
    pub(crate) client: Client,
    pub(crate) user: Uuid,
    pub(crate) url: String,
    token: String,
    /// Both end with it.
    _service: Service,
    _folder: Folder,
}

impl Market {
    fn start() -> Self {
        let folder = process::folder();
        market::keep_key(folder.path());
        let service = Service::start(folder.path());
        let user = market::user(service.address(), "bookworm");
        let (url, token) = (format!("http://{}", service.address()), market::token(&user));
        let client = client(&url, &token);
        let user = user.parse().expect("an id");
        Self { client, user, url, token, _service: service, _folder: folder }
    }

    /// Another client of the user, by way of another address.
    pub(crate) fn client_at(&self, url: &str) -> Client {
        client(url, &self.token)
    }
}

fn client(url: &str, token: &str) -> Client {
    Client::new(url, "tests/1.0").expect("a client").with_token(token.to_owned())
}

/// Runs calls against a marketplace.
pub(crate) fn with_marketplace<T>(act: impl AsyncFnOnce(&Market) -> Result<T, Error>) -> T {
    let market = Market::start();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(act(&market)).expect("all calls succeed")
}

pub(crate) fn draft(name: &str) -> OfferDraft {
    let currency = Currency::parse("PLN").expect("a currency");
    let country = Country::parse("PL").expect("a country");
    OfferDraft::new(name, Price::new(4000, currency), AddressDraft::new("Gdynia", country))
}

/// What docs/tutorial/from-code.md shows.
pub(crate) fn example() {
    with_marketplace(async |Market { client, .. }| {
        let offers = client.offers();
        let offer = offers.create(&draft("Second-hand atlas")).await?;
        let edited = offers.edit(offer.id, |offer| offer.stock = 5.into()).await?;
        assert_eq!((edited.stock, edited.name.as_str()), (Some(5), "Second-hand atlas"));
        let ended = offers.end(offer.id, &OfferEndInput::new(OfferEndReason::Mistake)).await?;
        assert!(ended.ended_at.is_some(), "the command has its output");
        let duration = "P14D".parse().expect("a duration");
        let renewed = offers.renew(offer.id, &OfferRenewInput::new(Timestamp::now(), duration)).await?;
        assert!(renewed.ending_at > Some(Timestamp::now()), "the offer goes on");
        let again = offers.renew_sent_before(offer.id, renewed.id).wait().await?;
        assert_eq!(again.value, renewed.value, "a command can be found again");
        Ok(())
    });
}

/// An update of what somebody else has changed meanwhile is refused, and dry runs change nothing.
pub(crate) fn conditions() {
    with_marketplace(async |Market { client, .. }| {
        let offers = client.offers();
        let id = offers.create(&draft("Atlas")).await?.id;
        let read = offers.get(id).await?;
        let etag = read.etag.clone().expect("a tag");
        assert_eq!(offers.get_if_changed(id, &etag).await?, None);
        offers.edit(id, |offer| offer.stock = 2.into()).await?;
        let mut update = read.map(OfferUpdate::from);
        update.stock = 3.into();
        let refused = offers.update(id, &update, Condition::Unchanged(&etag)).await;
        assert!(matches!(refused, Err(Error::PreconditionFailed(_))), "{refused:?}");
        update.name = String::new();
        let problems = offers.check_update(id, &update, &["name"]).await?;
        assert_eq!(problems.iter().map(|problem| problem.code.as_str()).collect::<Vec<_>>(), ["Required"]);
        let unknown = offers.get(Uuid::now_v7()).await;
        assert!(matches!(unknown, Err(Error::NotFound(_))), "{unknown:?}");
        Ok(())
    });
}

/// How many offers the walk is about.
fn offers_of_the_walk() -> usize {
    at_night((300, 100_000))
}

/// Who writes while others walk.
const WRITERS: usize = 32;

/// Each offer that was there throughout comes once, while others create, change and delete.
pub(crate) fn walk() {
    with_marketplace(async |Market { client, .. }| {
        let (offers, number) = (client.offers(), offers_of_the_walk());
        let names = futures_util::stream::iter(0..number).map(|index| format!("kept {index}"));
        let created = names.map(|name| {
            let offers = client.offers();
            async move { offers.create(&draft(&name)).await.map(|created| created.id) }
        });
        let kept: Arc<[Uuid]> = created.buffer_unordered(WRITERS).try_collect::<Vec<_>>().await?.into();
        let writers: Vec<_> =
            (0..WRITERS).map(|writer| tokio::spawn(write(client.clone(), kept.clone(), writer))).collect();
        let mut times: BTreeMap<Uuid, u32> = BTreeMap::new();
        let begin = Instant::now();
        let walk = offers.all(OfferQuery::new().limit(if number > 20_000 { 1000 } else { 50 }));
        pin_mut!(walk);
        while let Some(offer) = walk.try_next().await? {
            *times.entry(offer.id).or_default() += 1;
        }
        println!("walk: {} offers, {number} of them kept, in {:?}", times.len(), begin.elapsed());
        assert!(writers.iter().all(|writer| !writer.is_finished()), "a writer has failed");
        writers.iter().for_each(tokio::task::JoinHandle::abort);
        assert!(kept.iter().all(|id| times.get(id) == Some(&1)), "an offer is missing, or came twice");
        assert!(times.values().all(|times| *times == 1), "an offer came twice");
        assert_eq!(offers.count(OfferQuery::new().name("kept 1")).await?, 1);
        Ok(())
    });
}

async fn write(client: Client, kept: Arc<[Uuid]>, writer: usize) -> Result<(), Error> {
    let offers = client.offers();
    for own in kept.iter().skip(writer).step_by(WRITERS).cycle() {
        let offer = offers.create(&draft("for a moment")).await?;
        offers.edit(*own, |offer| offer.stock = 7.into()).await?;
        offers.delete(offer.id, Condition::Anyway).await?;
    }
    Ok(())
}

/// Events arrive with their kind, and a later stream goes on after the cursor.
pub(crate) fn events() {
    with_marketplace(async |Market { client, .. }| {
        let first = client.offers().create(&draft("seen")).await?;
        let from_the_start = || EventQuery::new().resource("offers").after("0");
        let seen = next(client, from_the_start()).await?;
        assert!(matches!(seen.kind(), EventKind::OfferCreated(offer) if offer.id == first.id), "{seen:?}");
        client.offers().delete(first.id, Condition::Anyway).await?;
        let later = next(client, EventQuery::new().resource("offers").after(&seen.cursor)).await?;
        assert!(matches!(later.kind(), EventKind::OfferDeleted(offer) if offer.id == first.id), "{later:?}");
        Ok(())
    });
}

async fn next(client: &Client, query: EventQuery) -> Result<marketplace_client::Event, Error> {
    let events = client.events(query);
    pin_mut!(events);
    let next = tokio::time::timeout(Duration::from_secs(30), events.try_next()).await;
    Ok(next.expect("an event in time")?.expect("streams do not end"))
}

/// The task that the guide compares, on a book that has ended, one that has not, and one that is too dear.
pub(crate) fn side_by_side() {
    with_marketplace(async |Market { client, user, .. }| {
        let [ended, active, dear] = [book(client, 2000).await?, book(client, 3000).await?, book(client, 6000).await?];
        for id in [ended, dear] {
            client.offers().end(id, &OfferEndInput::new(OfferEndReason::Other)).await?;
        }
        let mut failed = Vec::new();
        task(client, *user, |id, error| failed.push((id, error))).await?;
        let prices = [(ended, 2200), (active, 3300), (dear, 6000)];
        for (id, minor) in prices {
            assert_eq!(client.offers().get(id).await?.buy_now.amount(), Decimal::new(minor, 2));
        }
        assert!(
            matches!(&*failed, [(id, error)] if *id == active && error.problems().iter().any(|it| it.code == "WrongState")),
            "{failed:?}"
        );
        let lines = include_str!("task.rs").lines().map(str::trim);
        let counted = lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count();
        println!("task.rs: {counted} lines");
        Ok(())
    });
}

async fn book(client: &Client, minor: i64) -> Result<Uuid, Error> {
    let mut book = draft("A book");
    book.category = Category::Books.into();
    book.buy_now = Price::new(minor, Currency::parse("PLN").expect("a currency"));
    client.offers().create(&book).await.map(|created| created.id)
}

/// The same calls without `async`: single ones, commands, and streams.
pub(crate) fn blocking() {
    let Market { client, _service, _folder, .. } = Market::start();
    let blocking = Blocking::new().expect("a thread");
    let offers = client.offers();
    let ids: Vec<Uuid> = (0..3)
        .map(|index| blocking.wait(offers.create(&draft(&format!("atlas {index}")))).expect("it can be created").id)
        .collect();
    let ended = blocking.wait(offers.end(ids[0], &OfferEndInput::new(OfferEndReason::Other))).expect("it can end");
    assert!(ended.ended_at.is_some());
    let listed = blocking.iterate(offers.all(OfferQuery::new().limit(2))).map(|offer| offer.map(|it| it.id));
    assert_eq!(listed.collect::<Result<Vec<_>, _>>().expect("a list"), ids);
}
