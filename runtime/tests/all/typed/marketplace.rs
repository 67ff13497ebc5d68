//! A small marketplace, written by hand.

use restwell::{Command, Enum, Object, Ref, Resource};
use restwell_model::scalar::{Country, IsoDuration, Price, Timestamp};
use rust_decimal::Decimal;

/// Who buys and sells.
#[derive(Debug, Clone, PartialEq, Resource)]
pub(crate) struct User {
    #[field(max_length = 75)]
    pub(crate) name: String,
}

/// Something that a seller puts up for sale.
///
/// It is gone once it is sold.
#[derive(Debug, Clone, PartialEq, Resource)]
#[resource(
    versions("public.v1", "beta.v2"),
    retired("beta.v1"),
    owner = seller,
    under(seller),
    unique(seller, name),
    operations(delete(access = [owner, "scope:offers.admin"], async), create(access = user), list, get),
    view(sale, operations(list(access = owner), get(access = owner))),
    view("watched-by-me", path = "/watched-offers", through = "Watch.offer", operations(list)),
    count = false,
    search(name, buy_now),
    commands(Renew, Withdraw),
    allow("plural-path" = "shown only")
)]
pub(crate) struct Offer {
    /// As buyers see it.
    #[field(max_length = 75, filter, sort)]
    pub(crate) name: String,
    #[field(show(name), immutable, filter, on_delete = cascade)]
    pub(crate) seller: Ref<User>,
    #[field(filter, sort, minimum = 0.01, currencies("PLN", "EUR"))]
    pub(crate) buy_now: Price,
    #[field(filter, default = "WHITE")]
    pub(crate) colour: Option<Colour>,
    pub(crate) address: Address,
    #[field(format = "uri", max_items = 16, unique_items)]
    pub(crate) images: Vec<String>,
    #[field(scale = 3, minimum = -5, default = 1.5)]
    pub(crate) vat_rate: Option<Decimal>,
    #[field(required, scale = 1)]
    pub(crate) fees: Vec<Decimal>,
    #[field(read_only, versions("beta.v2"), views(sale), deprecated, sunset = "2027-06-30", renamed_from = "kind")]
    pub(crate) r#type: Option<i64>,
    #[field(name = "ratio2x", example = json("0.5"))]
    pub(crate) ratio_2x: Option<f64>,
}

/// What an offer looks like.
#[derive(Debug, Clone, PartialEq, Enum)]
pub(crate) enum Colour {
    White,
    #[value("OFF_WHITE")]
    Cream,
    #[value(unknown)]
    Unknown(String),
}

#[derive(Debug, Clone, PartialEq, Object)]
pub(crate) struct Address {
    #[field(filter)]
    pub(crate) city: Option<String>,
    pub(crate) country_code: Country,
    pub(crate) lines: Vec<Line>,
}

#[derive(Debug, Clone, PartialEq, Object)]
pub(crate) struct Line {
    pub(crate) text: String,
}

/// Puts an ended offer up again.
#[derive(Debug, Clone, PartialEq, Command)]
#[command(on = Offer, access = owner, output = RenewOutput, timeout = "PT5S")]
pub(crate) struct Renew {
    pub(crate) from_date: Timestamp,
    pub(crate) duration: IsoDuration,
}

#[derive(Debug, Clone, PartialEq, Object)]
pub(crate) struct RenewOutput {
    pub(crate) ending_at: Option<Timestamp>,
    pub(crate) mood: Option<crate::typed::other::Mood>,
}

#[derive(Debug, Clone, PartialEq, Command)]
#[command(on = Offer, name = "take-down", ready = false, deprecated, sunset = "2027-06-30")]
pub(crate) struct Withdraw;
