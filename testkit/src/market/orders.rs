//! What is bought and paid, and the commands that are sent then: several to one target, of which one only can be done.

use crate::http::Request;
use crate::market;
use crate::process::Service;
use serde_json::{Value, json};
use uuid::Uuid;

const OFFERS: usize = 6;
const BUYERS: usize = 4;
/// What there is of each offer before anybody buys.
pub const STOCK: i64 = 100_000;
/// The most that is bought at once.
const MOST: usize = 5;
const SCOPES: &str = "offers.admin payments.refund payments.read transactions.read";

/// Who sends requests.
struct Party {
    id: String,
    token: String,
}

/// A purchase that is paid.
pub struct Purchase {
    /// Its id.
    pub id: String,
    /// The id of its payment.
    pub payment: String,
    buyer: usize,
}

/// Offers and purchases of them.
pub struct Orders {
    /// The ids of the offers.
    pub offers: Vec<String>,
    /// The purchases.
    pub purchases: Vec<Purchase>,
    seller: Party,
    buyers: Vec<Party>,
    clerk: Party,
}

/// A command, the same however often it is sent.
pub struct Command {
    /// Its id.
    pub id: String,
    /// What is to be done.
    pub kind: Kind,
    /// The entity that it is a command of.
    pub target: String,
    /// The request that sends it.
    pub request: Request,
    /// The request that reads it.
    pub read: Request,
}

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Cancels a purchase.
    Cancel,
    /// Refunds a payment.
    Refund,
    /// Ends an offer.
    End,
    /// Renews an offer that has ended.
    Renew,
}

impl Kind {
    /// Most are about stock.
    fn any() -> Self {
        match random(10) {
            0..4 => Self::Cancel,
            4..8 => Self::Refund,
            8 => Self::End,
            _ => Self::Renew,
        }
    }

    /// The name in its path.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cancel => "cancel",
            Self::Refund => "refund",
            Self::End => "end",
            Self::Renew => "renew",
        }
    }

    fn input(self) -> Value {
        match self {
            Self::Cancel => json!({ "reason": "CHANGED_MIND" }),
            Self::Refund => json!({ "amount": price(), "reason": "Came without pedals." }),
            Self::End => json!({ "reason": "OTHER" }),
            Self::Renew => json!({ "fromDate": "2100-01-01T00:00:00.000Z", "duration": "P14D" }),
        }
    }
}

impl Orders {
    /// Creates offers, and buys and pays a number of times.
    #[track_caller]
    pub fn place(service: &Service, purchases: usize) -> Self {
        let party = |name: &str, scope: &str| {
            let id = market::user(service.address(), name);
            let token = service.token(&id, scope);
            Party { id, token }
        };
        let (seller, clerk) = (party("seller", ""), party("clerk", SCOPES));
        let buyers: Vec<_> = (0..BUYERS).map(|number| party(&format!("buyer-{number}"), "")).collect();
        let offer = |number: usize| {
            let mut offer = market::offer(&seller.id, &format!("offer-{number}"));
            offer["stock"] = STOCK.into();
            service.send(&market::sell(&offer)).is(201).id()
        };
        let offers = (0..OFFERS).map(offer).collect();
        let mut orders = Self { offers, purchases: Vec::new(), seller, buyers, clerk };
        for number in 0..purchases {
            let buyer = number % BUYERS;
            let id = service.send(&orders.purchase(number % OFFERS, buyer)).is(201).id();
            let payment = service.send(&orders.payment(&id, buyer)).is(201).id();
            orders.purchases.push(Purchase { id, payment, buyer });
        }
        orders
    }

    /// One client buys something.
    pub fn any_purchase(&self) -> Request {
        self.purchase(random(OFFERS), random(BUYERS))
    }

    /// Sends a command, which may have been done already.
    pub fn any_command(&self) -> Command {
        let kind = Kind::any();
        let purchase = &self.purchases[random(self.purchases.len())];
        let offer = &self.offers[random(OFFERS)];
        let (plural, target, party) = match kind {
            Kind::Cancel => ("transactions", &purchase.id, &self.buyers[purchase.buyer]),
            Kind::Refund => ("payments", &purchase.payment, &self.clerk),
            Kind::End | Kind::Renew => ("offers", offer, &self.seller),
        };
        let id = Uuid::now_v7().to_string();
        let path = format!("/{plural}/{target}/{}-commands/{id}", kind.name());
        let request = Request::new("PUT", &path).json(&kind.input()).bearer(&party.token);
        let read = Request::new("GET", &path).bearer(&party.token);
        Command { id, kind, target: target.clone(), request, read }
    }

    /// GET by a caller who may see everything.
    pub fn get(&self, target: &str) -> Request {
        Request::new("GET", target).bearer(&self.clerk.token)
    }

    fn purchase(&self, offer: usize, buyer: usize) -> Request {
        let (offer, buyer) = (&self.offers[offer], &self.buyers[buyer]);
        let quantity = random(MOST) + 1;
        let body = json!({
            "offer": { "id": offer }, "buyer": { "id": buyer.id }, "quantity": quantity, "totalAmount": price(),
        });
        Request::post("/transactions", &body).bearer(&buyer.token)
    }

    fn payment(&self, transaction: &str, buyer: usize) -> Request {
        let payer = &self.buyers[buyer];
        let body = json!({
            "transaction": { "id": transaction }, "payer": { "id": payer.id }, "amount": price(), "method": "CARD",
        });
        Request::post("/payments", &body).bearer(&payer.token)
    }
}

fn price() -> Value {
    json!({ "amount": "12.50", "currency": "PLN" })
}

/// A random number below another, from an id's random bits.
pub fn random(below: usize) -> usize {
    Uuid::new_v4().as_fields().0 as usize % below
}
