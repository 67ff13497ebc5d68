//! A marketplace under test, and what is in it from the start: written straight to its store.

use marketplace::commands::Commands;
use marketplace::generated::{
    Address, AddressDraft, Contact, ContactDraft, Contest, ContestDraft, ContestPrize, ContestPrizeDraft,
    GeneralDelivery, GeneralDeliveryDraft, GeneralDeliveryPostOffice, GeneralDeliveryPostOfficeDraft, Offer,
    OfferDraft, OfferStatus, Payment, PaymentDraft, PaymentMethod, Shipment, ShipmentDraft, Transaction,
    TransactionDraft, User, UserDraft,
};
use restwell::testing::{Running, Setup, TestClient, TestClock};
use restwell::{Price, Resource, Stored, Timestamp, Uuid};
use std::time::{Duration, Instant};

/// No transition by the clock takes so long.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running service.
pub(crate) struct Market {
    service: Running,
    clock: TestClock,
}

/// When the tests begin.
pub(crate) fn noon() -> Timestamp {
    "2027-03-01T12:00:00.000Z".parse().unwrap()
}

pub(crate) fn price(amount: &str) -> Price {
    format!("{amount} PLN").parse().unwrap()
}

/// What a buyer sends for an offer.
pub(crate) fn purchase(buyer: &Stored<User>, offer: &Stored<Offer>, quantity: i64) -> Transaction {
    let total_amount = price("12.50");
    let (offer, buyer) = (offer.reference(), buyer.reference());
    let draft = TransactionDraft { offer, buyer, quantity, total_amount };
    Transaction { message: Some("Is it still there?".to_owned()), ..draft.into() }
}

/// The path of an entity: `/offers/018f…`.
pub(crate) fn path(collection: &str, entity: impl Into<Uuid>) -> String {
    format!("/{collection}/{}", entity.into())
}

fn address() -> Address {
    AddressDraft { city: "Poznań".to_owned(), country_code: "PL".parse().unwrap() }.into()
}

impl Market {
    pub(crate) fn open() -> Self {
        Self::start(Commands::default())
    }

    pub(crate) fn with_carriers(url: &str) -> Self {
        Self::start(Commands::with_carriers(url))
    }

    fn start(commands: Commands) -> Self {
        let clock = TestClock::at(noon());
        Self { service: Setup::of(marketplace::service_with(commands)).clock(&clock).start(), clock }
    }

    pub(crate) fn clock(&self) -> &TestClock {
        &self.clock
    }

    /// Somebody without credentials. All clients read Polish.
    pub(crate) fn anyone(&self) -> TestClient {
        self.service.client().with_header("Accept-Language", "pl-PL, en;q=0.5")
    }

    pub(crate) fn client(&self, user: &Stored<User>) -> TestClient {
        self.anyone().as_user(user)
    }

    /// Somebody whose token has a scope.
    pub(crate) fn clerk(&self, scope: &str) -> TestClient {
        self.anyone().as_user_with(Uuid::now_v7(), &[scope])
    }

    #[track_caller]
    fn seed<R: Resource + Clone>(&self, entity: &R) -> Stored<R> {
        self.service.seed(|transaction| {
            let entity = entity.clone();
            async move { transaction.create(entity).await }
        })
    }

    /// What the staff sees of an offer now.
    #[track_caller]
    pub(crate) fn offer_now(&self, offer: &Stored<Offer>) -> Stored<Offer> {
        self.clerk("offers.admin").get(&path("offers", offer)).is(200).read()
    }

    /// Waits until an offer is in a state; the clock makes some transitions.
    #[track_caller]
    pub(crate) fn wait_for(&self, offer: &Stored<Offer>, status: &OfferStatus) {
        let begun = Instant::now();
        while self.offer_now(offer).status.as_ref() != Some(status) {
            assert!(begun.elapsed() < PATIENCE, "the offer is never {status:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[track_caller]
    pub(crate) fn user(&self, name: &str) -> Stored<User> {
        let email = format!("{name}@example.com");
        self.seed(&UserDraft { name: name.to_owned(), email }.into())
    }

    #[track_caller]
    pub(crate) fn offer(&self, seller: &Stored<User>, stock: i64) -> Stored<Offer> {
        let (name, seller) = ("Bicycle".to_owned(), seller.reference());
        let draft = OfferDraft { name, seller, buy_now: price("12.50"), address: address() };
        self.seed(&Offer { stock: Some(stock), ..draft.into() })
    }

    #[track_caller]
    pub(crate) fn buy(&self, buyer: &Stored<User>, offer: &Stored<Offer>, quantity: i64) -> Stored<Transaction> {
        self.seed(&purchase(buyer, offer, quantity))
    }

    #[track_caller]
    pub(crate) fn pay(&self, buyer: &Stored<User>, purchase: &Stored<Transaction>) -> Stored<Payment> {
        let (transaction, payer) = (purchase.reference(), buyer.reference());
        let method = PaymentMethod::Card;
        self.seed(&PaymentDraft { transaction, payer, amount: price("12.50"), method }.into())
    }

    #[track_caller]
    pub(crate) fn contest(&self, organizer: &Stored<User>) -> Stored<Contest> {
        let prize: ContestPrize = ContestPrizeDraft { place: 1, name: "A voucher".to_owned() }.into();
        let draft = ContestDraft {
            name: "The oldest toy".to_owned(),
            organizer: organizer.reference(),
            task: "Show it.".to_owned(),
            starting_at: noon(),
            duration: "P30D".parse().unwrap(),
            prizes: vec![prize],
        };
        self.seed(&draft.into())
    }

    #[track_caller]
    pub(crate) fn shipment(&self, sender: &Stored<User>) -> Stored<Shipment> {
        let (offer, sender) = (self.offer(sender, 1).reference(), sender.reference());
        let email = Some("jan@example.com".to_owned());
        let recipient = Contact { email, ..ContactDraft { name: "Jan".to_owned() }.into() };
        self.seed(&ShipmentDraft { offer, sender, recipient, address: address() }.into())
    }

    #[track_caller]
    pub(crate) fn general_delivery(
        &self,
        sender: &Stored<User>,
        recipient: &Stored<User>,
        stored_until: &str,
    ) -> Stored<GeneralDelivery> {
        let name = "Poznań 5".to_owned();
        let post_office: GeneralDeliveryPostOffice = GeneralDeliveryPostOfficeDraft { name, address: address() }.into();
        let (shipment, recipient) = (self.shipment(sender).reference(), recipient.reference());
        let stored_until = stored_until.parse().unwrap();
        self.seed(&GeneralDeliveryDraft { shipment, recipient, post_office, stored_until }.into())
    }
}
