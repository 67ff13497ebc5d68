//! What only the service sets is null until it does, also where it is required; and what was set stays set.

use crate::routes::{Store, Test};
use restwell::routes::{Json, Route, Routes};
use restwell::{Builder, Object, Ref, Rejection, Resource, Stored, Timestamp, Transactions};
use serde_json::json;

pub(crate) const TESTS: &[Test] =
    &[("a_required_field_is_null_until_it_is_set", a_required_field_is_null_until_it_is_set)];

/// A bill.
#[derive(Debug, Clone, PartialEq, Resource)]
#[resource(operations(create(access = anyone), get, update(access = anyone)))]
pub(crate) struct Invoice {
    /// Who pays.
    pub(crate) customer: String,
    /// Drawn when it is sent.
    #[field(required, read_only)]
    pub(crate) number: Option<String>,
    /// How often it was called in.
    #[field(read_only, default = 0)]
    pub(crate) reminder_count: i64,
    /// When it was made.
    #[field(read_only, default(is = "now"))]
    pub(crate) issued_at: Timestamp,
    /// Where it goes.
    pub(crate) recipient: Option<Recipient>,
}

/// An address.
#[derive(Debug, Clone, PartialEq, Object)]
pub(crate) struct Recipient {
    /// The city.
    pub(crate) city: String,
    /// When somebody looked whether it exists.
    #[field(required, read_only)]
    pub(crate) verified_at: Option<Timestamp>,
}

/// The number that an invoice gets.
#[derive(Debug, Clone, PartialEq, Object)]
pub(crate) struct Numbering {
    /// None takes it away.
    pub(crate) number: Option<String>,
}

/// Sets the number, or takes it away.
async fn number(
    invoice: Ref<Invoice>,
    transactions: Transactions,
    Json(numbering): Json<Numbering>,
) -> Result<Json<Stored<Invoice>>, Rejection> {
    let number = &numbering.number;
    let changed = transactions.run(|transaction| async move {
        let mut invoice = transaction.find(invoice).await?;
        invoice.number.clone_from(number);
        transaction.update(invoice.clone()).await?;
        Ok(invoice)
    });
    changed.await.map(Json)
}

fn service() -> Builder {
    let numbering = Route::post("/invoices/{invoiceId}/number").takes::<Numbering>().returns::<Invoice>(200);
    Builder::new("billing").resource::<Invoice>().routes(Routes::new().route(numbering, number))
}

fn a_required_field_is_null_until_it_is_set(store: Store) {
    let running = store.start(service());
    let client = running.client();
    // what is read-only is ignored
    let body = json!({ "customer": "Ida", "number": "1", "recipient": { "city": "Poznań" } });
    let made: Stored<Invoice> = client.post("/invoices", &body).is(201).read();
    assert_eq!((made.number.as_deref(), made.reminder_count), (None, 0));
    assert_eq!(made.recipient.as_ref().map(|recipient| recipient.verified_at), Some(None));
    let path = format!("/invoices/{}", made.id);
    let response = client.get(&path).is(200);
    assert_eq!(serde_json::to_value(response.read::<Stored<Invoice>>()).expect("JSON"), response.json);

    // code of the service's own may leave it unset, set it, and change it
    let numbering = format!("{path}/number");
    client.post(&numbering, json!({ "number": null })).is(200);
    for number in ["2027-1", "2027-2"] {
        client.post(&numbering, json!({ "number": number })).is(200);
        let read: Stored<Invoice> = client.get(&path).is(200).read();
        assert_eq!(read.number.as_deref(), Some(number));
    }
    // and not take it away
    let refused = client.post(&numbering, json!({ "number": null })).is(422);
    assert_eq!(refused.errors(), [("Required", Some("number"))]);
    // clients neither
    let body = json!({ "customer": "Ida", "number": null, "recipient": null });
    let updated: Stored<Invoice> = client.put(&path, &body).is(200).read();
    assert_eq!(updated.number.as_deref(), Some("2027-2"));
}
