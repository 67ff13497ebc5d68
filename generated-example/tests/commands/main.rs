//! What the marketplace's commands and rules do, through HTTP on a service of each test's own, with a clock and
//! credentials that the tests set: the way in which a team tests its own.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod carriers;
mod market;
mod polish;

use carriers::Carriers;
use market::{Market, noon, path, price, purchase};
use marketplace::generated::contest::Award;
use marketplace::generated::general_delivery::{Collect, CollectOutput};
use marketplace::generated::offer::{End, EndOutput, Renew, RenewOutput};
use marketplace::generated::payment::{Refund, RefundOutput};
use marketplace::generated::shipment::{Dispatch, DispatchDraft, DispatchOutput};
use marketplace::generated::transaction::Cancel;
use marketplace::generated::user::{Block, BlockDraft, BlockOutput};
use marketplace::generated::{
    Carrier, Contest, ContestStatus, OfferEndReason, OfferStatus, Payment, PaymentStatus, Shipment, ShipmentStatus,
    Transaction, TransactionCancelReason, TransactionStatus, User, UserStatus,
};
use restwell::testing::TestResponse;
use restwell::{Stored, Timestamp};
use serde_json::json;
use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The command has failed for one reason, with a message in Polish.
#[track_caller]
fn failed(command: TestResponse, code: &str, at: Option<&str>) {
    refused(&command.failed(), code, at);
}

#[track_caller]
fn refused(response: &TestResponse, code: &str, at: Option<&str>) {
    assert_eq!(response.errors(), [(code, at)], "{}", response.json);
    polish::told(&response.json["errors"][0]);
}

fn end(reason: OfferEndReason) -> End {
    End { reason, comment: None }
}

fn renewal(from_date: &str, duration: &str) -> Renew {
    Renew { from_date: from_date.parse().unwrap(), duration: duration.parse().unwrap() }
}

#[test]
fn an_offer_is_ended_and_renewed() {
    let market = Market::open();
    let seller = market.user("seller");
    let offer = market.offer(&seller, 1);
    let (client, path) = (market.client(&seller), path("offers", &offer));
    let fortnight = Renew { from_date: noon(), duration: "P14D".parse().unwrap() };
    failed(client.command(&path, "renew", &fortnight), "OfferStillActive", None);

    let ended = client.command(&path, "end", end(OfferEndReason::Mistake)).succeeded();
    assert_eq!(ended.read::<EndOutput>().ended_at, Some(noon()));
    assert_eq!(market.offer_now(&offer).status, Some(OfferStatus::Ended));
    failed(client.command(&path, "end", end(OfferEndReason::Other)), "OfferEnded", None);

    let past = renewal("2026-01-01T00:00:00.000Z", "PT1H");
    failed(client.command(&path, "renew", past), "EndsInThePast", Some("duration"));
    let renewed: RenewOutput = client.command(&path, "renew", &fortnight).succeeded().read();
    let ending_at: Timestamp = "2027-03-15T12:00:00.000Z".parse().unwrap();
    assert_eq!(renewed.ending_at, Some(ending_at));
    let offer = market.offer_now(&offer);
    assert_eq!((&offer.status, offer.ending_at), (&Some(OfferStatus::Active), Some(ending_at)));
}

#[test]
fn only_the_seller_and_the_admin_end_an_offer() {
    let market = Market::open();
    let (seller, other) = (market.user("seller"), market.user("other"));
    let path = path("offers", &market.offer(&seller, 1));
    let end = end(OfferEndReason::Other);
    assert_eq!(market.client(&other).command(&path, "end", &end).status, 403);
    assert_eq!(market.anyone().command(&path, "end", &end).status, 401);
    market.clerk("offers.admin").command(&path, "end", &end).succeeded();
}

#[test]
fn a_blocked_user_sells_nothing_more() {
    let market = Market::open();
    let (seller, other) = (market.user("seller"), market.user("other"));
    let offers: Vec<_> = (0..3).map(|_| market.offer(&seller, 1)).collect();
    let elsewhere = market.offer(&other, 1);
    let block: Block = BlockDraft { reason: "Sold counterfeit goods.".to_owned() }.into();
    let (clerk, path) = (market.clerk("users.admin"), path("users", &seller));
    let blocked: BlockOutput = clerk.command(&path, "block", &block).succeeded().read();
    assert_eq!(blocked.ended_offers_count, Some(3));
    assert!(offers.iter().all(|offer| market.offer_now(offer).status == Some(OfferStatus::Ended)));
    assert_eq!(market.offer_now(&elsewhere).status, Some(OfferStatus::Active));
    let seller: Stored<User> = market.anyone().get(&path).is(200).read();
    assert_eq!(seller.status, Some(UserStatus::Blocked));
    failed(clerk.command(&path, "block", &block), "UserBlocked", None);
}

#[test]
fn buying_takes_from_the_stock_and_cancelling_puts_back() {
    let market = Market::open();
    let (seller, buyer) = (market.user("seller"), market.user("buyer"));
    let offer = market.offer(&seller, 5);
    let stock = || market.offer_now(&offer).stock;
    let client = market.client(&buyer);
    let bought: Stored<Transaction> = client.post("/transactions", purchase(&buyer, &offer, 3)).is(201).read();
    assert_eq!(stock(), Some(2));

    // what is wrong by the rules stands beside what is wrong otherwise
    let too_many = purchase(&buyer, &offer, 3);
    let response = client.post("/transactions", &too_many).is(422);
    refused(&response, "OutOfStock", Some("quantity"));
    assert_eq!(response.json["errors"][0]["details"], json!({ "stock": 2 }));
    assert_eq!(response.json["errors"][0]["message"], "is more than the 2 that are left");
    assert_eq!(client.post("/transactions?dryRun=true", &too_many).status, 422, "rules run in dry runs too");
    let fine = purchase(&buyer, &offer, 1);
    assert_eq!(client.post("/transactions?dryRun=true", &fine).status, 204);
    assert_eq!(stock(), Some(2), "and change nothing there");

    let path_of_purchase = path("transactions", &bought);
    let cancel = Cancel { reason: TransactionCancelReason::ChangedMind };
    client.command(&path_of_purchase, "cancel", &cancel).succeeded();
    assert_eq!(stock(), Some(5));
    failed(client.command(&path_of_purchase, "cancel", &cancel), "AlreadyCancelled", None);
    assert_eq!(stock(), Some(5));

    market.client(&seller).command(&path("offers", &offer), "end", end(OfferEndReason::Other)).succeeded();
    refused(&client.post("/transactions", &fine).is(422), "OfferEnded", Some("offer.id"));
}

#[test]
fn many_buy_at_once_and_the_stock_is_never_less_than_nothing() {
    let market = Market::open();
    let seller = market.user("seller");
    let offer = market.offer(&seller, 10);
    let buyers: Vec<_> = (0..4).map(|number| market.user(&format!("buyer-{number}"))).collect();
    let bought: usize = std::thread::scope(|scope| {
        let buying: Vec<_> = buyers
            .iter()
            .map(|buyer| {
                scope.spawn(|| {
                    let (client, body) = (market.client(buyer), purchase(buyer, &offer, 1));
                    (0..5).filter(|_| client.post("/transactions", &body).status == 201).count()
                })
            })
            .collect();
        buying.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(bought, 10);
    assert_eq!(market.offer_now(&offer).stock, Some(0));
}

#[test]
fn money_is_given_back_once_and_never_more_than_was_paid() {
    let market = Market::open();
    let (seller, buyer) = (market.user("seller"), market.user("buyer"));
    let offer = market.offer(&seller, 1);
    let purchase = market.buy(&buyer, &offer, 1);
    let payment = market.pay(&buyer, &purchase);
    let clerk = market.clerk("payments.refund");
    let refund = |amount: &str| {
        let input = Refund { amount: price(amount), reason: "Came without pedals.".to_owned() };
        clerk.command(&path("payments", &payment), "refund", input)
    };
    failed(refund("12.51"), "MoreThanPaid", Some("amount.amount"));
    let refunded: RefundOutput = refund("12.50").succeeded().read();
    assert_eq!(refunded.refunded_amount, Some(price("12.50")));
    failed(refund("1.00"), "AlreadyRefunded", None);
    let client = market.client(&buyer);
    let payment: Stored<Payment> = client.get(&path("payments", &payment)).is(200).read();
    assert_eq!(payment.status, Some(PaymentStatus::Refunded));
    let purchase: Stored<Transaction> = client.get(&path("transactions", &purchase)).is(200).read();
    assert_eq!(purchase.status, Some(TransactionStatus::Cancelled));
    assert_eq!(market.offer_now(&offer).stock, Some(1), "what was bought can be bought again");
}

#[test]
fn what_was_cancelled_is_not_put_back_again_with_the_money() {
    let market = Market::open();
    let (seller, buyer) = (market.user("seller"), market.user("buyer"));
    let offer = market.offer(&seller, 5);
    let purchase = market.buy(&buyer, &offer, 3);
    let payment = market.pay(&buyer, &purchase);
    let cancel = Cancel { reason: TransactionCancelReason::ChangedMind };
    market.client(&buyer).command(&path("transactions", &purchase), "cancel", cancel).succeeded();
    assert_eq!(market.offer_now(&offer).stock, Some(5));
    let refund = Refund { amount: price("12.50"), reason: "Cancelled.".to_owned() };
    market.clerk("payments.refund").command(&path("payments", &payment), "refund", refund).succeeded();
    assert_eq!(market.offer_now(&offer).stock, Some(5));
}

#[test]
fn a_contest_has_one_winner_who_does_not_hold_it() {
    let market = Market::open();
    let (holder, winner) = (market.user("holder"), market.user("winner"));
    let contest = market.contest(&holder);
    let (client, path) = (market.client(&holder), path("contests", &contest));
    let award =
        |user: &Stored<User>| client.command(&path, "award", Award { winner: user.reference(), justification: None });
    failed(award(&holder), "OrganizerCannotWin", Some("winner.id"));
    award(&winner).succeeded();
    failed(award(&winner), "AlreadyAwarded", None);
    let contest: Stored<Contest> = market.anyone().get(&path).is(200).read();
    assert_eq!((&contest.status, contest.winner), (&Some(ContestStatus::Awarded), Some(winner.reference())));
    assert_eq!(contest.shown("winner", &winner)["name"], "winner");
}

#[test]
fn a_parcel_is_announced_to_the_carriers_who_may_need_to_be_asked_again() {
    let carriers = Carriers::open(2);
    let market = Market::with_carriers(&carriers.url());
    let sender = market.user("sender");
    let path = path("shipments", &market.shipment(&sender));
    let client = market.client(&sender);
    let dispatched: DispatchOutput = client.command(&path, "dispatch", dispatch()).succeeded().read();
    assert_eq!(dispatched.delivery_date, "2027-03-03".parse().ok());
    assert_eq!(dispatched.dispatched_at, Some(noon()));
    let shipment: Stored<Shipment> = client.get(&path).is(200).read();
    assert_eq!(shipment.status, Some(ShipmentStatus::Dispatched));
    let asked = carriers.asked();
    assert_eq!(asked.len(), 3, "twice in vain");
    assert!(asked.iter().all(|path| *path == asked[0]), "with the command's id each time: {asked:?}");
}

#[test]
fn carriers_that_never_answer_fail_the_command() {
    let carriers = Carriers::open(usize::MAX);
    let market = Market::with_carriers(&carriers.url());
    let sender = market.user("sender");
    let path = path("shipments", &market.shipment(&sender));
    let client = market.client(&sender);
    failed(client.command(&path, "dispatch", dispatch()), "BadGateway", None);
    let shipment: Stored<Shipment> = client.get(&path).is(200).read();
    assert_eq!(shipment.status, Some(ShipmentStatus::Prepared));
}

fn dispatch() -> Dispatch {
    DispatchDraft { carrier: Carrier::Post, tracking_number: "00359007738913296532".to_owned() }.into()
}

#[test]
fn a_parcel_is_collected_while_it_is_kept() {
    let market = Market::open();
    let (sender, recipient) = (market.user("sender"), market.user("recipient"));
    let path = path("general-deliveries", &market.general_delivery(&sender, &recipient, "2027-03-02"));
    let clerk = market.clerk("deliveries.write");
    let collect = || clerk.command(&path, "collect", Collect { code: "402817".to_owned() });
    market.clock().advance(DAY * 2);
    failed(collect(), "StoredTooLong", None);
    market.clock().set(noon());
    assert_eq!(collect().succeeded().read::<CollectOutput>().collected_at, Some(noon()));
    failed(collect(), "NotWaiting", None);
}
