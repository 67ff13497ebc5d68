//! The books after a trial with commands: each ended once, did what it says, and nothing is there twice or lost.

use super::orders::{Command, Kind, Orders, STOCK};
use crate::nats::published::Published;
use serde_json::Value;
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// What was sent, and what the clients saw of it.
pub struct Books<'a> {
    /// Where a service is that has them.
    pub at: SocketAddr,
    /// What was bought and paid.
    pub orders: &'a Orders,
    /// What was sent.
    pub commands: &'a [Command],
    /// Of each command that was accepted, by its id.
    pub outcomes: &'a BTreeMap<String, Value>,
}

impl Books<'_> {
    /// They balance.
    #[track_caller]
    pub fn check(&self) {
        self.check_outcomes();
        self.check_offers();
        self.check_purchases();
    }

    /// All have ended as they were seen to, with nothing but what they did or why they did not. Of those that were
    /// refused nothing is there.
    #[track_caller]
    fn check_outcomes(&self) {
        assert!(self.outcomes.len() * 4 > self.commands.len(), "{} accepted", self.outcomes.len());
        for command in self.commands {
            let Some(outcome) = self.outcomes.get(&command.id) else {
                command.read.send(self.at).is(404);
                continue;
            };
            assert_eq!(command.request.send(self.at).is(201).json(), *outcome);
            let codes: Vec<_> =
                outcome["errors"].as_array().expect("an array").iter().map(|error| &error["code"]).collect();
            match outcome["status"].as_str() {
                Some("SUCCESSFUL") => assert!(codes.is_empty(), "{outcome}"),
                // another command was faster
                Some("FAILED") => assert_eq!(codes, ["WrongState"], "{outcome}"),
                _ => panic!("no end: {outcome}"),
            }
        }
    }

    /// How many commands to a target were sent, and how many succeeded.
    fn sent(&self, kind: Kind, target: &str) -> (usize, usize) {
        let all: Vec<_> = self.commands.iter().filter(|it| it.kind == kind && it.target == target).collect();
        let is_successful = |outcome: &&Value| outcome["status"] == "SUCCESSFUL";
        let successful = all.iter().filter_map(|it| self.outcomes.get(&it.id)).filter(is_successful).count();
        (all.len(), successful)
    }

    /// Nothing of an offer is lost or there twice, and it was ended and renewed by turns.
    #[track_caller]
    fn check_offers(&self) {
        for id in &self.orders.offers {
            let offer = self.orders.get(&format!("/offers/{id}")).send(self.at).is(200).json();
            let request = self.orders.get(&format!("/offers/{id}/transactions?limit=1000"));
            let page = request.send(self.at).is(200).json();
            let purchases = page["transactions"].as_array().expect("a list of purchases");
            assert_eq!(page["count"], purchases.len(), "all of them");
            let bought = purchases.iter().filter(|purchase| purchase["status"] != "CANCELLED");
            let bought: i64 = bought.map(|purchase| purchase["quantity"].as_i64().expect("a number")).sum();
            assert_eq!(offer["stock"].as_i64().expect("a number") + bought, STOCK, "{id}");

            let (_, ended) = self.sent(Kind::End, id);
            let (_, renewed) = self.sent(Kind::Renew, id);
            let is_ended = offer["status"] == "ENDED";
            assert_eq!(ended, renewed + usize::from(is_ended), "{id}: ended {ended} times, renewed {renewed} times");
        }
    }

    /// Of several commands to the same end one has succeeded, and only what one has done is there.
    #[track_caller]
    fn check_purchases(&self) {
        let status = |target: &str| self.orders.get(target).send(self.at).is(200).json()["status"].clone();
        for purchase in &self.orders.purchases {
            let (refunds, refunded) = self.sent(Kind::Refund, &purchase.payment);
            let (cancels, cancelled) = self.sent(Kind::Cancel, &purchase.id);
            assert_eq!(refunded, refunds.min(1), "{}", purchase.payment);
            // what is refunded is cancelled with it
            assert!(cancelled <= 1 && (cancelled == cancels.min(1) || refunded == 1), "{}", purchase.id);
            let is_refunded = status(&format!("/payments/{}", purchase.payment)) == "REFUNDED";
            let is_cancelled = status(&format!("/transactions/{}", purchase.id)) == "CANCELLED";
            assert_eq!(is_refunded, refunded == 1, "{}", purchase.payment);
            assert_eq!(is_cancelled, refunded + cancelled > 0, "{}", purchase.id);
        }
    }

    /// The bus has for each command that it was accepted, then how it ended, and nothing else.
    #[track_caller]
    pub fn check_events(&self, published: &Published) {
        let mut told: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
        for event in published.events() {
            let kind = event["type"].as_str().expect("a type");
            if kind.contains("-command.") {
                let id = event["data"]["id"].as_str().expect("a command's id");
                told.entry(id).or_default().push((kind, event["subject"].as_str().expect("a subject")));
            }
        }
        assert_eq!(told.len(), self.outcomes.len());
        for command in self.commands.iter().filter(|command| self.outcomes.contains_key(&command.id)) {
            let resource = match command.kind {
                Kind::Cancel => "transaction",
                Kind::Refund => "payment",
                Kind::End | Kind::Renew => "offer",
            };
            let end = self.outcomes[&command.id]["status"].as_str().expect("a status").to_lowercase();
            let kind = |status: &str| format!("marketplace.{resource}.{}-command.{status}", command.kind.name());
            let (first, last) = (kind("running"), kind(&end));
            let target = command.target.as_str();
            assert_eq!(told[command.id.as_str()], [(first.as_str(), target), (last.as_str(), target)]);
        }
    }
}
