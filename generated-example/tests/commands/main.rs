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
    Carrier, Contest, ContestStatus, Offer, OfferEndReason, OfferStatus, Payment, PaymentStatus, Shipment,
    ShipmentStatus, Transaction, TransactionCancelReason, TransactionStatus, User, UserStatus, Watch, WatchDraft,
};
use restwell::testing::TestResponse;
use restwell::{Stored, Timestamp};
use serde_json::json;
use std::time::{Duration, Instant};

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

/// The command is refused, since the entity is not in a state for it.
#[track_caller]
fn in_wrong_state(command: &TestResponse) {
    assert_eq!(command.status, 422, "{}", command.json);
    refused(command, "WrongState", Some("status"));
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
    in_wrong_state(&client.command(&path, "renew", &fortnight));

    let ended = client.command(&path, "end", end(OfferEndReason::Mistake)).succeeded();
    assert_eq!(ended.read::<EndOutput>().ended_at, Some(noon()));
    assert_eq!(market.offer_now(&offer).status, Some(OfferStatus::Ended));
    in_wrong_state(&client.command(&path, "end", end(OfferEndReason::Other)));

    let past = renewal("2026-01-01T00:00:00.000Z", "PT1H");
    failed(client.command(&path, "renew", past), "EndsInThePast", Some("duration"));
    let renewed: RenewOutput = client.command(&path, "renew", &fortnight).succeeded().read();
    let ending_at: Timestamp = "2027-03-15T12:00:00.000Z".parse().unwrap();
    assert_eq!(renewed.ending_at, Some(ending_at));
    let renewed = market.offer_now(&offer);
    assert_eq!((&renewed.status, renewed.ending_at), (&Some(OfferStatus::Active), Some(ending_at)));

    market.clock().set(ending_at);
    market.wait_for(&offer, &OfferStatus::Ended);
}

#[test]
fn an_ended_offer_is_there_for_those_who_have_to_do_with_it() {
    let market = Market::open();
    let (seller, buyer, watcher) = (market.user("seller"), market.user("buyer"), market.user("watcher"));
    let offer = market.offer(&seller, 1);
    let (path, stranger) = (path("offers", &offer), market.user("stranger"));
    market.buy(&buyer, &offer, 1);
    let watch = Watch::from(WatchDraft { user: watcher.reference(), offer: offer.reference() });
    market.client(&watcher).post("/watches", &watch).is(201);
    market.anyone().get(&path).is(200);
    market.client(&seller).command(&path, "end", end(OfferEndReason::Other)).succeeded();

    for client in [market.anyone(), market.client(&stranger), market.clerk("users.admin")] {
        client.get(&path).is(404);
        assert_eq!(client.get("/offers").is(200).json["count"], 0);
    }
    for client in [&seller, &buyer, &watcher].map(|user| market.client(user)) {
        client.get(&path).is(200);
        assert_eq!(client.get("/offers").is(200).json["count"], 1);
    }
    assert_eq!(market.client(&watcher).get("/watched-offers").is(200).json["count"], 1);
    market.clerk("offers.admin").get(&path).is(200);
}

#[test]
fn an_offer_is_sent_for_prices_in_its_currency() {
    let market = Market::open();
    let seller = market.user("seller");
    let offer = |currency: &str| {
        json!({
            "name": "Bicycle", "buyNow": { "amount": "12.50", "currency": "PLN" },
            "address": { "city": "Poznań", "countryCode": "PL" },
            "shippingOptions": [{ "carrier": "POST", "price": { "amount": "5.00", "currency": currency } }],
        })
    };
    let client = market.client(&seller);
    refused(&client.post("/offers", offer("EUR")).is(422), "OtherCurrency", Some("shippingOptions"));
    client.post("/offers", offer("PLN")).is(201);
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
    in_wrong_state(&clerk.command(&path, "block", &block));
    let offer = self::path("offers", &offers[0]);
    let fortnight = Renew { from_date: noon(), duration: "P14D".parse().unwrap() };
    in_wrong_state(&market.client(&seller).command(&offer, "renew", &fortnight));
    let bought = market.client(&seller).post("/transactions", purchase(&seller, &elsewhere, 1));
    refused(&bought.is(422), "UserBlocked", None);

    clerk.command(&path, "unblock", json!({})).succeeded();
    in_wrong_state(&clerk.command(&path, "unblock", json!({})));
    market.client(&seller).command(&offer, "renew", &fortnight).succeeded();
}

#[test]
fn a_block_ends_at_its_time() {
    let market = Market::open();
    let (user, seller) = (market.user("user"), market.user("seller"));
    let offer = market.offer(&seller, 1);
    let until: Timestamp = "2027-03-02T12:00:00.000Z".parse().unwrap();
    let block = Block { blocked_until: Some(until), ..BlockDraft { reason: "A pause.".to_owned() }.into() };
    let path = path("users", &user);
    market.clerk("users.admin").command(&path, "block", &block).succeeded();
    let shown = || market.anyone().get(&path).is(200).read::<Stored<User>>();
    assert_eq!((&shown().status, shown().blocked_until), (&Some(UserStatus::Blocked), Some(until)));
    let buy = || market.client(&user).post("/transactions", purchase(&user, &offer, 1));
    refused(&buy().is(422), "UserBlocked", None);
    market.clock().set(until);
    let begun = Instant::now();
    while shown().status != Some(UserStatus::Active) {
        assert!(begun.elapsed() < Duration::from_secs(20), "the block never ends");
        std::thread::sleep(Duration::from_millis(10));
    }
    buy().is(201);
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
    assert_eq!(response.json["errors"][0]["message"], "is more than the offer has");
    assert_eq!(client.post("/transactions?dryRun=true", &too_many).status, 422, "rules run in dry runs too");
    let fine = purchase(&buyer, &offer, 1);
    assert_eq!(client.post("/transactions?dryRun=true", &fine).status, 204);
    assert_eq!(stock(), Some(2), "and change nothing there");

    let path_of_purchase = path("transactions", &bought);
    let cancel = Cancel { reason: TransactionCancelReason::ChangedMind };
    client.command(&path_of_purchase, "cancel", &cancel).succeeded();
    assert_eq!(stock(), Some(5));
    in_wrong_state(&client.command(&path_of_purchase, "cancel", &cancel));
    assert_eq!(stock(), Some(5));

    market.client(&seller).command(&path("offers", &offer), "end", end(OfferEndReason::Other)).succeeded();
    refused(&client.post("/transactions", &fine).is(422), "OfferEnded", Some("offer.id"));
    // who has not bought it does not see it any more
    let other = market.user("other");
    let late = market.client(&other).post("/transactions", purchase(&other, &offer, 1));
    assert_eq!(late.is(422).errors(), [("NotFound", Some("offer.id"))]);
}

#[test]
fn sellers_see_what_they_have_sold_and_send_it() {
    let market = Market::open();
    let (seller, buyer, other) = (market.user("seller"), market.user("buyer"), market.user("other"));
    let offer = market.offer(&seller, 5);
    let bought = market.buy(&buyer, &offer, 1);
    market.buy(&buyer, &market.offer(&other, 5), 1);

    let sales = |user: &Stored<User>| market.client(user).get("/sales").is(200).json;
    assert_eq!((&sales(&seller)["count"], &sales(&seller)["transactions"][0]["id"]), (&json!(1), &json!(bought.id)));
    assert_eq!(sales(&buyer)["count"], 0);
    assert_eq!(market.anyone().get("/sales").status, 401);
    let sale = path("sales", &bought);
    market.client(&seller).get(&sale).is(200);
    market.client(&other).get(&sale).is(404);

    let path = path("transactions", &bought);
    let command = |user: &Stored<User>, name: &str| market.client(user).command(&path, name, json!({}));
    assert_eq!(command(&buyer, "confirm").status, 403);
    in_wrong_state(&command(&seller, "ship"));
    command(&seller, "confirm").succeeded();
    command(&seller, "ship").succeeded();
    assert_eq!(market.client(&seller).get(&sale).is(200).json["status"], "SENT");
    let cancel = Cancel { reason: TransactionCancelReason::TooSlow };
    in_wrong_state(&market.client(&buyer).command(&path, "cancel", cancel));
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
    in_wrong_state(&refund("1.00"));
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
    market.clock().set("2027-02-28T12:00:00.000Z".parse().unwrap());
    failed(award(&winner), "NotBegun", Some("startingAt"));
    market.clock().set(noon());
    award(&winner).succeeded();
    in_wrong_state(&award(&winner));
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
    in_wrong_state(&client.command(&path, "dispatch", dispatch()));
}

#[test]
fn a_parcel_belongs_to_a_purchase_of_its_offer_whose_buyer_receives_it() {
    let market = Market::open();
    let (sender, buyer) = (market.user("sender"), market.user("buyer"));
    let (mut shipment, other) = (market.shipment(&sender), market.offer(&sender, 1));
    let (client, path) = (market.client(&sender), path("shipments", &shipment));
    shipment.transaction = Some(market.buy(&buyer, &other, 1).reference());
    refused(&client.put(&path, &shipment.value).is(422), "OtherOffer", Some("transaction.id"));
    let offer: Stored<Offer> = client.get(&self::path("offers", shipment.offer)).is(200).read();
    shipment.transaction = Some(market.buy(&buyer, &offer, 1).reference());
    client.put(&path, &shipment.value).is(200);

    let receive = |user: &Stored<User>| market.client(user).command(&path, "receive", json!({}));
    in_wrong_state(&receive(&buyer));
    client.command(&path, "dispatch", dispatch()).succeeded();
    assert_eq!(receive(&sender).status, 403);
    receive(&buyer).succeeded();
    assert_eq!(client.get(&path).is(200).json["status"], "DELIVERED");
}

#[test]
fn a_business_says_where_it_is() {
    let market = Market::open();
    let mut body = json!({ "name": "shop", "email": "shop@example.com", "kind": "BUSINESS" });
    refused(&market.anyone().post("/users", &body).is(422), "Required", Some("address"));
    body["address"] = json!({ "city": "Poznań", "countryCode": "PL" });
    market.anyone().post("/users", &body).is(201);
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
    in_wrong_state(&collect());
}
