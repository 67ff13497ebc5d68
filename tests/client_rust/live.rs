//! The client against a running marketplace: the example of README.md, entity tags, a walk while others write, and
//! events.

use futures_util::{StreamExt, TryStreamExt, pin_mut};
use marketplace_client::events::EventKind;
use marketplace_client::{
    AddressDraft, Client, Condition, Country, Currency, Error, EventQuery, OfferDraft, OfferEndInput, OfferEndReason,
    OfferQuery, OfferRenewInput, OfferUpdate, Price, Timestamp,
};
use restwell_testkit::market;
use restwell_testkit::process::{self, Service};
use std::collections::BTreeMap;
use std::future::Future;
use std::time::Duration;
use uuid::Uuid;

/// A marketplace with a user, and their client.
fn with_marketplace<F: Future<Output = Result<(), Error>>>(act: impl FnOnce(Client, Uuid) -> F) {
    let folder = process::folder();
    market::keep_key(folder.path());
    let service = Service::start(folder.path());
    let user = market::user(service.address(), "bookworm");
    let client = Client::new(&format!("http://{}", service.address()), "tests/1.0").expect("a client");
    let client = client.with_token(market::token(&user));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(act(client, user.parse().expect("an id"))).expect("all calls succeed");
}

fn draft(name: &str) -> OfferDraft {
    let currency = Currency::parse("PLN").expect("a currency");
    let country = Country::parse("PL").expect("a country");
    OfferDraft::new(name, Price::new(4000, currency), AddressDraft::new("Gdynia", country))
}

/// What README.md shows.
pub(crate) fn example() {
    with_marketplace(|client, _| async move {
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
    with_marketplace(|client, _| async move {
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
    std::env::var("RESTWELL_CLIENT_OFFERS").ok().and_then(|number| number.parse().ok()).unwrap_or(300)
}

/// Each offer that was there throughout comes once, while others are created and deleted.
pub(crate) fn walk() {
    with_marketplace(|client, _| async move {
        let (offers, number) = (client.offers(), offers_of_the_walk());
        let names = futures_util::stream::iter(0..number).map(|index| format!("kept {index}"));
        let created = names.map(|name| {
            let offers = client.offers();
            async move { offers.create(&draft(&name)).await.map(|created| created.id) }
        });
        let kept: Vec<Uuid> = created.buffer_unordered(32).try_collect().await?;
        let writers: Vec<_> = (0..8).map(|_| tokio::spawn(write(client.clone()))).collect();
        let mut times: BTreeMap<Uuid, u32> = BTreeMap::new();
        let walk = offers.all(OfferQuery::new().limit(50));
        pin_mut!(walk);
        while let Some(offer) = walk.try_next().await? {
            *times.entry(offer.id).or_default() += 1;
        }
        writers.iter().for_each(tokio::task::JoinHandle::abort);
        assert!(kept.iter().all(|id| times.get(id) == Some(&1)), "an offer is missing, or came twice");
        assert!(times.values().all(|times| *times == 1), "an offer came twice");
        assert_eq!(offers.count(OfferQuery::new().name("kept 1")).await?, 1);
        Ok(())
    });
}

async fn write(client: Client) -> Result<(), Error> {
    loop {
        let offer = client.offers().create(&draft("for a moment")).await?;
        client.offers().edit(offer.id, |offer| offer.stock = 7.into()).await?;
        client.offers().delete(offer.id, Condition::Anyway).await?;
    }
}

/// Events arrive with their kind, and a later stream goes on after the cursor.
pub(crate) fn events() {
    with_marketplace(|client, _| async move {
        let first = client.offers().create(&draft("seen")).await?;
        let from_the_start = || EventQuery::new().resource("offers").after("0");
        let seen = next(&client, from_the_start()).await?;
        assert!(matches!(seen.kind(), EventKind::OfferCreated(offer) if offer.id == first.id), "{seen:?}");
        client.offers().delete(first.id, Condition::Anyway).await?;
        let later = next(&client, EventQuery::new().resource("offers").after(&seen.cursor)).await?;
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
