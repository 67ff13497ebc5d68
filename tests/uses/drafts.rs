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
