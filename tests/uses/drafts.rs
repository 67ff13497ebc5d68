//! Structs made without naming all of their fields.

use restwell::{Builder, Command, Country, Decimal, Enum, IsoDuration, Object, Price, Ref, Resource};
use serde_json::json;

#[derive(Debug, Clone, PartialEq, Resource)]
pub struct Room {
    pub name: String,
    pub hotel: Ref<Hotel>,
    #[field(default = json(r#"{"amount":"99.00","currency":"EUR"}"#))]
    pub price: Price,
    #[field(default = 2)]
    pub bed_count: Option<i64>,
    #[field(default = 0.7, scale = 1)]
    pub share: Decimal,
    #[field(default = "TWIN")]
    pub bed: Bed,
    #[field(default = "P1D")]
    pub notice: IsoDuration,
    pub view: Option<String>,
    pub tags: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Enum)]
pub enum Bed {
    Single,
    Twin,
}

#[derive(Debug, Clone, PartialEq, Default, Resource)]
#[resource(default = off)]
pub struct Hotel {
    #[field(default = "PL")]
    pub country_code: Option<Country>,
}

#[derive(Debug, Clone, PartialEq, Object)]
pub struct Amenities {
    #[field(default = true)]
    pub wifi: bool,
    pub parking: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Object)]
pub struct Address {
    pub city: String,
    #[field(default = "PL")]
    pub country_code: Country,
    pub street: Option<String>,
}

/// Has to be given whole: there is no draft, which another type may be called.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

#[derive(Debug, Clone, Copy)]
pub struct PointDraft;

#[derive(Debug, Clone, PartialEq, Command)]
#[command(on = Room)]
pub struct Book {
    pub guest: String,
    #[field(default = "P1D")]
    pub duration: IsoDuration,
    pub address: Option<Address>,
}

/// The name of its draft is taken.
#[derive(Debug, Clone, PartialEq, Command)]
#[command(on = Room, default = off)]
pub struct Cancel {
    pub reason: String,
    pub note: Option<String>,
}

#[derive(Debug, Clone, Copy)]
pub struct CancelDraft;

#[derive(Debug, Clone, PartialEq, Command)]
#[command(on = Room)]
pub struct Clean {
    #[field(default = "PT1H")]
    pub within: IsoDuration,
}

#[test]
fn a_draft_has_the_fields_that_have_to_be_given() {
    let hotel = Ref::to(restwell::Uuid::nil());
    let room = Room { bed_count: None, ..RoomDraft { name: "12".into(), hotel }.into() };
    let expected = Room {
        name: "12".into(),
        hotel,
        price: "99.00 EUR".parse().unwrap(),
        bed_count: None,
        share: Decimal::new(7, 1),
        bed: Bed::Twin,
        notice: "P1D".parse().unwrap(),
        view: None,
        tags: Vec::new(),
    };
    assert_eq!(room, expected);
}

#[test]
fn a_draft_is_what_is_read_from_the_same_json() {
    let hotel = Ref::to(restwell::Uuid::nil());
    let read: Room = serde_json::from_value(json!({ "name": "12", "hotel": hotel })).unwrap();
    assert_eq!(read, RoomDraft { name: "12".into(), hotel }.into());
}

#[test]
fn default_is_that_of_the_model_where_nothing_has_to_be_given() {
    assert_eq!(Amenities::default(), Amenities { wifi: true, parking: None });
    assert_eq!(Clean::default().within.as_str(), "PT1H");
    assert_eq!(Hotel::default(), Hotel { country_code: None }, "it has one of its own");
    let service = Builder::new("hotels").resource::<Hotel>().resource::<Room>().command::<Clean>();
    assert!(service.model().is_ok());
}

#[test]
fn objects_and_commands_have_drafts_too() {
    let address = Address { street: Some("Rynek".into()), ..AddressDraft { city: "Poznań".into() }.into() };
    let country_code = "PL".parse().unwrap();
    assert_eq!(address, Address { city: "Poznań".into(), country_code, street: Some("Rynek".into()) });
    let booking = Book { address: Some(address.clone()), ..BookDraft { guest: "Ida".into() }.into() };
    assert_eq!(Point { x: 1.0, y: 2.0 }.x, 1.0, "{PointDraft:?} is another type");
    assert_eq!(Cancel { reason: "Ill".into(), note: None }.note, None, "{CancelDraft:?} is another type");
    assert_eq!(booking, Book { guest: "Ida".into(), duration: "P1D".parse().unwrap(), address: Some(address) });
}

/// An offer whose number the service draws.
#[derive(Debug, Clone, PartialEq, Resource)]
#[resource(
    owner = seller,
    operations(create(access = user), get),
    lifecycle(
        field = state,
        initial = "NEW",
        final("OLD"),
        transition("grow-old", from("NEW"), to = "OLD", at = made_at)
    )
)]
pub struct Offer {
    pub name: String,
    #[field(read_only)]
    pub seller: Ref<Offer>,
    #[field(read_only)]
    pub state: State,
    #[field(read_only, default(is = "now"))]
    pub made_at: restwell::Timestamp,
    #[field(required, read_only)]
    pub number: Option<String>,
    #[field(required, read_only)]
    pub tags: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Enum)]
pub enum State {
    New,
    Old,
}

#[test]
fn what_is_null_until_it_is_set_is_optional_and_stays_required() {
    let model = Builder::new("shop").users::<Offer>().resource::<Offer>().model().unwrap();
    let fields = &model.resource("Offer").unwrap().fields;
    assert!(fields.iter().all(|field| field.required), "{fields:?}");
    let draft = OfferDraft {
        name: "Lamp".into(),
        seller: Ref::to(restwell::Uuid::nil()),
        state: State::New,
        made_at: "2027-03-01T12:00:00.000Z".parse().unwrap(),
        tags: Vec::new(),
    };
    let offer = Offer::from(draft);
    assert_eq!((&offer.number, offer.state != State::Old), (&None, true));
    let json = serde_json::to_string(&offer).unwrap();
    assert!(json.contains(r#""number":null"#), "{json}");
    assert_eq!(serde_json::from_str::<Offer>(&json).unwrap(), offer);
}

#[derive(Debug, Clone, PartialEq, Resource)]
pub struct Gate {
    pub name: Option<String>,
}

/// The output of a command may name what is not an entity of the service.
#[derive(Debug, Clone, PartialEq, Object)]
#[object(output)]
pub struct CloseOutput {
    pub closure_id: Option<restwell::Uuid>,
}

#[derive(Debug, Clone, PartialEq, Command)]
#[command(on = Gate, output = CloseOutput)]
pub struct Close {
    pub door_id: Option<restwell::Uuid>,
}

#[test]
fn an_output_has_the_rules_of_commands() {
    let model = Builder::new("hotels").resource::<Gate>().command::<Close>().model().unwrap();
    let checked = restwell_model::Checked::new(model);
    assert!(checked.is_ok(), "{checked:?}");
    assert_eq!(Close { door_id: None }, Close::default());
    assert_eq!(CloseOutput::default().closure_id, None);
}
