//! What the marketplace's commands and rules do, through HTTP on a service in memory, with a clock and credentials that
//! the tests set: the way in which a team tests its own.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod carriers;
mod market;
mod polish;

use carriers::Carriers;
use market::{Market, NOON, reference};
use serde_json::{Value, json};
use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[track_caller]
fn failed(command: &Value, code: &str, path: Option<&str>) {
    assert_eq!(command["status"], "FAILED", "{command}");
    assert_eq!(command["errors"][0]["code"], code, "{command}");
    assert_eq!(command["errors"][0]["path"].as_str(), path, "{command}");
    polish::told(&command["errors"][0]);
}

#[track_caller]
fn succeeded(command: &Value) {
    assert_eq!(command["status"], "SUCCESSFUL", "{command}");
}

#[test]
fn an_offer_is_ended_and_renewed() {
    let market = Market::open();
    let seller = market.user("seller");
    let offer = market.offer(&seller, 1);
    let renewal = json!({ "fromDate": NOON, "duration": "P14D" });
    failed(&market.command(&seller, &offer, "renew", &renewal), "OfferStillActive", None);

    let ended = market.command(&seller, &offer, "end", &json!({ "reason": "MISTAKE" }));
    succeeded(&ended);
    assert_eq!(ended["endedAt"], NOON);
    assert_eq!(market.get(&offer)["status"], "ENDED");
    failed(&market.command(&seller, &offer, "end", &json!({ "reason": "OTHER" })), "OfferEnded", None);

    let past = json!({ "fromDate": "2026-01-01T00:00:00.000Z", "duration": "PT1H" });
    failed(&market.command(&seller, &offer, "renew", &past), "EndsInThePast", Some("duration"));
    let renewed = market.command(&seller, &offer, "renew", &renewal);
    succeeded(&renewed);
    assert_eq!(renewed["endingAt"], "2027-03-15T12:00:00.000Z");
    let offer = market.get(&offer);
    assert_eq!(offer["status"], "ACTIVE");
    assert_eq!(offer["endingAt"], renewed["endingAt"]);
}

#[test]
fn only_the_seller_and_the_admin_end_an_offer() {
    let market = Market::open();
    let (seller, other) = (market.user("seller"), market.user("other"));
    let offer = market.offer(&seller, 1);
    let end = |token: &str| market.put(token, &market::command_path(&offer, "end"), &json!({ "reason": "OTHER" })).0;
    assert_eq!(end(&market::token(&other, "")), 403);
    assert_eq!(end(""), 401);
    assert_eq!(end(&market::token(&other, "offers.admin")), 201);
}

#[test]
fn a_blocked_user_sells_nothing_more() {
    let market = Market::open();
    let (seller, other) = (market.user("seller"), market.user("other"));
    let offers: Vec<_> = (0..3).map(|_| market.offer(&seller, 1)).collect();
    let elsewhere = market.offer(&other, 1);
    let input = json!({ "reason": "Sold counterfeit goods." });
    let blocked = market.command_as("users.admin", &other, &seller, "block", &input);
    succeeded(&blocked);
    assert_eq!(blocked["endedOffersCount"], 3);
    assert!(offers.iter().all(|offer| market.get(offer)["status"] == "ENDED"));
    assert_eq!(market.get(&elsewhere)["status"], "ACTIVE");
    assert_eq!(market.get(&seller)["status"], "BLOCKED");
    failed(&market.command_as("users.admin", &other, &seller, "block", &input), "UserBlocked", None);
}

#[test]
fn buying_takes_from_the_stock_and_cancelling_puts_back() {
    let market = Market::open();
    let (seller, buyer) = (market.user("seller"), market.user("buyer"));
    let offer = market.offer(&seller, 5);
    let stock = || market.get(&offer)["stock"].clone();
    let purchase = market.buy(&buyer, &offer, 3);
    assert_eq!(stock(), 2);

    // what is wrong by the rules stands beside what is wrong otherwise
    let body = market::purchase(&buyer, &offer, 3);
    let (status, answer) = market.post(&market::token(&buyer, ""), "/transactions", &body);
    assert_eq!((status, &answer["errors"][0]["code"]), (422, &json!("OutOfStock")), "{answer}");
    assert_eq!(answer["errors"][0]["path"], "quantity");
    polish::told(&answer["errors"][0]);
    assert_eq!(answer["errors"][0]["details"], json!({ "stock": 2 }));
    assert_eq!(answer["errors"][0]["message"], "is more than the 2 that are left");
    let (status, _) = market.post(&market::token(&buyer, ""), "/transactions?dryRun=true", &body);
    assert_eq!(status, 422, "rules run in dry runs too");
    let fine = market::purchase(&buyer, &offer, 1);
    assert_eq!(market.post(&market::token(&buyer, ""), "/transactions?dryRun=true", &fine).0, 204);
    assert_eq!(stock(), 2, "and change nothing there");

    succeeded(&market.command(&buyer, &purchase, "cancel", &json!({ "reason": "CHANGED_MIND" })));
    assert_eq!(stock(), 5);
    let again = market.command(&buyer, &purchase, "cancel", &json!({ "reason": "CHANGED_MIND" }));
    failed(&again, "AlreadyCancelled", None);
    assert_eq!(stock(), 5);

    succeeded(&market.command(&seller, &offer, "end", &json!({ "reason": "OTHER" })));
    let (status, answer) = market.post(&market::token(&buyer, ""), "/transactions", &fine);
    assert_eq!((status, &answer["errors"][0]["code"]), (422, &json!("OfferEnded")), "{answer}");
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
                    let body = market::purchase(buyer, &offer, 1);
                    let buy = || market.post(&market::token(buyer, ""), "/transactions", &body).0;
                    (0..5).filter(|_| buy() == 201).count()
                })
            })
            .collect();
        buying.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(bought, 10);
    assert_eq!(market.get(&offer)["stock"], 0);
}

#[test]
fn money_is_given_back_once_and_never_more_than_was_paid() {
    let market = Market::open();
    let (seller, buyer) = (market.user("seller"), market.user("buyer"));
    let offer = market.offer(&seller, 1);
    let purchase = market.buy(&buyer, &offer, 1);
    let payment = market.pay(&buyer, &purchase);
    let refund = |amount: &str| {
        let input = json!({ "amount": { "amount": amount, "currency": "PLN" }, "reason": "Came without pedals." });
        market.command_as("payments.refund", &seller, &payment, "refund", &input)
    };
    failed(&refund("12.51"), "MoreThanPaid", Some("amount.amount"));
    let refunded = refund("12.50");
    succeeded(&refunded);
    assert_eq!(refunded["refundedAmount"], json!({ "amount": "12.50", "currency": "PLN" }));
    failed(&refund("1.00"), "AlreadyRefunded", None);
    assert_eq!(market.get_as(&buyer, &payment)["status"], "REFUNDED");
    assert_eq!(market.get_as(&buyer, &purchase)["status"], "CANCELLED");
    assert_eq!(market.get(&offer)["stock"], 1, "what was bought can be bought again");
}

#[test]
fn what_was_cancelled_is_not_put_back_again_with_the_money() {
    let market = Market::open();
    let (seller, buyer) = (market.user("seller"), market.user("buyer"));
    let offer = market.offer(&seller, 5);
    let purchase = market.buy(&buyer, &offer, 3);
    let payment = market.pay(&buyer, &purchase);
    succeeded(&market.command(&buyer, &purchase, "cancel", &json!({ "reason": "CHANGED_MIND" })));
    assert_eq!(market.get(&offer)["stock"], 5);
    let input = json!({ "amount": { "amount": "12.50", "currency": "PLN" }, "reason": "Cancelled." });
    succeeded(&market.command_as("payments.refund", &seller, &payment, "refund", &input));
    assert_eq!(market.get(&offer)["stock"], 5);
}

#[test]
fn a_contest_has_one_winner_who_does_not_hold_it() {
    let market = Market::open();
    let (holder, winner) = (market.user("holder"), market.user("winner"));
    let contest = market.contest(&holder);
    let award = |user: &str| market.command(&holder, &contest, "award", &json!({ "winner": reference(user) }));
    failed(&award(&holder), "OrganizerCannotWin", Some("winner.id"));
    succeeded(&award(&winner));
    failed(&award(&winner), "AlreadyAwarded", None);
    let contest = market.get(&contest);
    assert_eq!(contest["status"], "AWARDED");
    assert_eq!(contest["winner"]["name"], "winner");
}

#[test]
fn a_parcel_is_announced_to_the_carriers_who_may_need_to_be_asked_again() {
    let carriers = Carriers::open(2);
    let market = Market::with_carriers(&carriers.url());
    let sender = market.user("sender");
    let shipment = market.shipment(&sender);
    let input = json!({ "carrier": "POST", "trackingNumber": "00359007738913296532" });
    let dispatched = market.command(&sender, &shipment, "dispatch", &input);
    succeeded(&dispatched);
    assert_eq!(dispatched["deliveryDate"], "2027-03-03");
    assert_eq!(dispatched["dispatchedAt"], NOON);
    assert_eq!(market.get_as(&sender, &shipment)["status"], "DISPATCHED");
    let asked = carriers.asked();
    assert_eq!(asked.len(), 3, "twice in vain");
    assert!(asked.iter().all(|path| *path == asked[0]), "with the command's id each time: {asked:?}");
}

#[test]
fn carriers_that_never_answer_fail_the_command() {
    let carriers = Carriers::open(usize::MAX);
    let market = Market::with_carriers(&carriers.url());
    let sender = market.user("sender");
    let shipment = market.shipment(&sender);
    let input = json!({ "carrier": "POST", "trackingNumber": "00359007738913296532" });
    failed(&market.command(&sender, &shipment, "dispatch", &input), "BadGateway", None);
    assert_eq!(market.get_as(&sender, &shipment)["status"], "PREPARED");
}

#[test]
fn a_parcel_is_collected_while_it_is_kept() {
    let market = Market::open();
    let (sender, recipient) = (market.user("sender"), market.user("recipient"));
    let delivery = market.general_delivery(&sender, &recipient, "2027-03-02");
    let collect = || {
        let input = json!({ "code": "402817" });
        market.command_as("deliveries.write", &sender, &delivery, "collect", &input)
    };
    market.clock().advance(DAY * 2);
    failed(&collect(), "StoredTooLong", None);
    market.clock().set(NOON.parse().unwrap());
    let collected = collect();
    succeeded(&collected);
    assert_eq!(collected["collectedAt"], NOON);
    failed(&collect(), "NotWaiting", None);
}
