//! The specimen: a field of every type, with every constraint and key.

use crate::by_hand::around::Tag;
use crate::by_hand::commands::{Archive, Release, Treat};
use crate::by_hand::keeper::Keeper;
use restwell::serde_json::Value;
use restwell::{
    Country, Currency, Date, Decimal, Enum, IsoDuration, Language, Object, Phone, Price, Ref, Resource, Time,
    Timestamp, Timezone, Uuid,
};
use std::collections::BTreeMap;

/// Something kept, with a field of every type.
#[derive(Debug, Clone, Resource)]
#[resource(
    versions("public.v1", "beta.v2"),
    retired("beta.v1"),
    deprecations(
        "fields.unit.values.INCH" = "2027-06-30",
        "fields.language.filter" = "2027-06-30",
        "fields.countryCode.sort" = "2027-06-30"
    ),
    owner = keeper,
    under(keeper),
    unique(drawer, position),
    unique(cost_centre, ticket),
    index(kind, size),
    index(country_code, fragile, name),
    index(batch, updated_at),
    search,
    operations(create, list, get, update, patch, delete),
    view(
        sale,
        operations(
            create(access = user),
            list(access = owner),
            get(access = owner),
            update(access = owner),
            patch(access = owner)
        )
    ),
    commands(Archive, Treat, Release)
)]
pub(crate) struct Specimen {
    // text
    #[field(min_length = 2, max_length = 20, filter(not, starts_with, starts_with_ignore_case), sort)]
    pub(crate) name: String,
    #[field(
        filter(not, starts_with, contains, starts_with_ignore_case, contains_ignore_case),
        sort,
        allow("slow-contains" = "few are kept")
    )]
    pub(crate) note: Option<String>,
    #[field(pattern = "^[A-Z]{3}-[0-9]{2}$", unique, filter)]
    pub(crate) code: Option<String>,
    #[field(format = "email")]
    pub(crate) email: Option<String>,
    #[field(format = "uri")]
    pub(crate) link: Option<String>,
    // numbers
    #[field(minimum = 0, maximum = 1000, filter, sort)]
    pub(crate) size: Option<i64>,
    pub(crate) serial: Option<i64>,
    #[field(minimum = -1, maximum = 1, filter, sort)]
    pub(crate) ratio: Option<f64>,
    pub(crate) measure: Option<f64>,
    #[field(scale = 3, minimum = "0", maximum = "1000", filter, sort)]
    pub(crate) weight: Option<Decimal>,
    pub(crate) share: Option<Decimal>,
    // the other scalars
    #[field(filter, sort)]
    pub(crate) fragile: Option<bool>,
    #[field(filter)]
    pub(crate) batch: Option<Uuid>,
    #[field(filter, sort)]
    pub(crate) found_at: Option<Timestamp>,
    #[field(minimum = "2000-01-01T00:00:00.000Z", maximum = "2099-12-31T23:59:59.999Z")]
    pub(crate) examined_at: Option<Timestamp>,
    #[field(filter, sort)]
    pub(crate) found_on: Option<Date>,
    #[field(minimum = "2000-01-01", maximum = "2099-12-31")]
    pub(crate) best_before: Option<Date>,
    #[field(filter, sort)]
    pub(crate) feeding_time: Option<Time>,
    #[field(filter)]
    pub(crate) lifespan: Option<IsoDuration>,
    #[field(filter, sort)]
    pub(crate) country_code: Option<Country>,
    #[field(filter)]
    pub(crate) language: Option<Language>,
    #[field(filter)]
    pub(crate) currency: Option<Currency>,
    pub(crate) timezone: Option<Timezone>,
    pub(crate) phone: Option<Phone>,
    #[field(filter, sort)]
    pub(crate) value: Option<Price>,
    #[field(minimum = "1.00", maximum = "1000.00", currencies("PLN", "EUR"))]
    pub(crate) insurance: Option<Price>,
    #[field(filter(not), sort)]
    pub(crate) kind: Option<SpecimenKind>,
    #[field(filter)]
    pub(crate) colour: Option<Colour>,
    // references and objects
    #[field(show(name), filter)]
    pub(crate) keeper: Option<Ref<Keeper>>,
    #[field(show(name), filter(not))]
    pub(crate) tag: Option<Ref<Tag>>,
    pub(crate) storage: Storage,
    pub(crate) origin: Option<Origin>,
    // arrays
    #[field(required, minimum = 0, min_items = 1, max_items = 3)]
    pub(crate) readings: Vec<i64>,
    #[field(min_items = 2)]
    pub(crate) samples: Vec<f64>,
    #[field(max_length = 10, max_items = 3, unique_items)]
    pub(crate) labels: Vec<String>,
    pub(crate) colours: Vec<Colour>,
    pub(crate) bids: Vec<Price>,
    #[field(show(name))]
    pub(crate) related_tags: Vec<Ref<Tag>>,
    #[field(max_items = 4)]
    pub(crate) parts: Vec<SpecimenPart>,
    // what clients describe themselves
    #[field(max_items = 3, pattern = "^[a-z]+$", values(max_length = 10))]
    pub(crate) traits: BTreeMap<String, String>,
    #[field(required, scale = 3, minimum = "0", default = json(r#"{"first":"1.000"}"#))]
    pub(crate) scores: BTreeMap<String, Decimal>,
    pub(crate) moods: BTreeMap<String, Colour>,
    pub(crate) fees: BTreeMap<String, Price>,
    #[field(max_bytes = 100)]
    pub(crate) settings: Option<Value>,
    #[field(default = json(r#"{"dark":true}"#))]
    pub(crate) theme: Option<Value>,
    #[field(immutable)]
    pub(crate) fingerprint: Option<Value>,
    #[field(write_only)]
    pub(crate) formula: Option<Value>,
    #[field(max_items = 2, items(min_items = 1))]
    pub(crate) measurements: Vec<BTreeMap<String, f64>>,
    // every bound, below the top level
    pub(crate) first_examination: Option<Examination>,
    pub(crate) examinations: Vec<Examination>,
    // who sets what, and when
    #[field(max_length = 20, immutable, filter)]
    pub(crate) registry_number: Option<String>,
    #[field(max_length = 20, immutable, default = "MAIN")]
    pub(crate) collection: String,
    #[field(default = "KEPT", read_only, filter)]
    pub(crate) status: Option<SpecimenStatus>,
    #[field(read_only)]
    pub(crate) archived_at: Option<Timestamp>,
    #[field(write_only, secret = argon2, min_length = 4)]
    pub(crate) passphrase: Option<String>,
    #[field(write_only, max_length = 10)]
    pub(crate) hint: Option<String>,
    #[field(default = 3)]
    pub(crate) grade: Option<i64>,
    #[field(default = "CM")]
    pub(crate) unit: Option<SpecimenUnit>,
    #[field(default = json(r#"{"amount":"5.00","currency":"PLN"}"#))]
    pub(crate) fee: Option<Price>,
    #[field(max_length = 10)]
    pub(crate) drawer: Option<String>,
    pub(crate) position: Option<i64>,
    #[field(max_length = 10, views(sale))]
    pub(crate) cost_centre: Option<String>,
    pub(crate) ticket: Option<i64>,
    // in one view, in one version, on its way out
    #[field(views(sale), filter)]
    pub(crate) cost_price: Option<Price>,
    #[field(versions("beta.v2"), filter)]
    pub(crate) habitat: Option<String>,
    #[field(filter, deprecated, sunset = "2027-06-30")]
    pub(crate) legacy_code: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Enum)]
pub(crate) enum SpecimenKind {
    Mineral,
    Plant,
    Animal,
    #[value(unknown)]
    Unknown(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Enum)]
pub(crate) enum SpecimenStatus {
    Kept,
    Archived,
    #[value(unknown)]
    Unknown(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Enum)]
pub(crate) enum SpecimenUnit {
    Cm,
    Inch,
    #[value(unknown)]
    Unknown(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Enum)]
pub(crate) enum Colour {
    White,
    Black,
    DarkRed,
    #[value(unknown)]
    Unknown(String),
}

/// Where a specimen is kept.
#[derive(Debug, Clone, Object)]
pub(crate) struct Storage {
    #[field(max_length = 4, filter, sort)]
    pub(crate) shelf: String,
    #[field(minimum = 1, default = 1, filter)]
    pub(crate) r#box: Option<i64>,
}

/// Where a specimen comes from.
#[derive(Debug, Clone, Object)]
pub(crate) struct Origin {
    #[field(max_length = 40, filter)]
    pub(crate) place: String,
    #[field(minimum = 0)]
    pub(crate) depth: Option<i64>,
    pub(crate) site: Option<OriginSite>,
}

#[derive(Debug, Clone, Object)]
pub(crate) struct OriginSite {
    #[field(max_length = 40, filter)]
    pub(crate) name: String,
    #[field(show(name))]
    pub(crate) finder: Option<Ref<Keeper>>,
}

#[derive(Debug, Clone, Object)]
pub(crate) struct SpecimenPart {
    #[field(max_length = 20)]
    pub(crate) name: String,
    #[field(scale = 3)]
    pub(crate) weight: Option<Decimal>,
    #[field(max_length = 10)]
    pub(crate) materials: Vec<String>,
    pub(crate) layers: Vec<SpecimenPartLayer>,
    pub(crate) details: Option<Value>,
}

#[derive(Debug, Clone, Object)]
pub(crate) struct SpecimenPartLayer {
    pub(crate) colour: Colour,
}

/// How a specimen was found to be. Every bound that a field may have, where objects nest.
#[derive(Debug, Clone, Object)]
pub(crate) struct Examination {
    #[field(min_length = 2, max_length = 20)]
    pub(crate) name: Option<String>,
    #[field(pattern = "^[A-Z]{3}-[0-9]{2}$")]
    pub(crate) code: Option<String>,
    #[field(format = "email")]
    pub(crate) email: Option<String>,
    #[field(format = "uri")]
    pub(crate) link: Option<String>,
    #[field(minimum = 0, maximum = 1000)]
    pub(crate) size: Option<i64>,
    #[field(minimum = -1, maximum = 1)]
    pub(crate) ratio: Option<f64>,
    #[field(minimum = "0", maximum = "1000", scale = 3)]
    pub(crate) weight: Option<Decimal>,
    #[field(minimum = "2000-01-01T00:00:00.000Z", maximum = "2099-12-31T23:59:59.999Z")]
    pub(crate) examined_at: Option<Timestamp>,
    #[field(minimum = "2000-01-01", maximum = "2099-12-31")]
    pub(crate) best_before: Option<Date>,
    #[field(minimum = "1.00", maximum = "1000.00", currencies("PLN", "EUR"))]
    pub(crate) insurance: Option<Price>,
    #[field(max_length = 10, max_items = 3, unique_items)]
    pub(crate) labels: Vec<String>,
    #[field(min_items = 2)]
    pub(crate) samples: Vec<f64>,
    #[field(max_bytes = 100)]
    pub(crate) settings: Option<Value>,
    #[field(min_items = 1, max_items = 3, pattern = "^[a-z]+$", values(max_length = 10))]
    pub(crate) traits: BTreeMap<String, String>,
    pub(crate) kind: Option<ExaminationKind>,
}

#[derive(Debug, Clone, PartialEq, Eq, Enum)]
pub(crate) enum ExaminationKind {
    Field,
    Laboratory,
    #[value(unknown)]
    Unknown(String),
}
