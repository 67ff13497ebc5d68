//! What the schemas say of fields, written out by hand: which can be asked for, how their values compare, and some
//! values of each that meet often.

use proptest::sample::Index;
use serde_json::{Value, json};
use std::cmp::Ordering;

/// How values are written and compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Whole,
    Real,
    /// With this number of digits after the point.
    Decimal(usize),
    Truth,
}

/// A field as a parameter names it.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Whether it takes `.gt` and the like.
    pub(crate) ordered: bool,
    /// What it opts in to: `.not` and the like.
    pub(crate) matches: &'static [&'static str],
    /// What `sort` calls it.
    pub(crate) sort: Option<&'static str>,
    /// As a client may write them.
    pub(crate) pool: &'static [&'static str],
}

const fn field(name: &'static str, kind: Kind, pool: &'static [&'static str]) -> Field {
    Field { name, kind, ordered: false, matches: &[], sort: None, pool }
}

impl Field {
    const fn ordered(mut self) -> Self {
        self.ordered = true;
        self
    }

    const fn matched(mut self, words: &'static [&'static str]) -> Self {
        self.matches = words;
        self
    }

    const fn sorted(mut self) -> Self {
        self.sort = Some(self.name);
        self
    }

    const fn sorted_as(mut self, name: &'static str) -> Self {
        self.sort = Some(name);
        self
    }

    /// The value in an entity; null where an object on the way is.
    pub(crate) fn of<'a>(&self, entity: &'a Value) -> &'a Value {
        self.name.split('.').fold(entity, |value, name| value.get(name).unwrap_or(&Value::Null))
    }

    /// Some value.
    pub(crate) fn any(&self, index: Index) -> Value {
        let text = self.pool[index.index(self.pool.len())];
        match self.kind {
            Kind::Whole => json!(text.parse::<i64>().expect("a whole number")),
            Kind::Real => json!(text.parse::<f64>().expect("a number")),
            Kind::Truth => json!(text == "true"),
            Kind::Text | Kind::Decimal(_) => json!(text),
        }
    }

    /// How a value is written in a query.
    pub(crate) fn written(&self, value: &Value) -> String {
        value.as_str().map_or_else(|| value.to_string(), str::to_owned)
    }

    /// How two values compare that are not null.
    pub(crate) fn compare(&self, one: &Value, other: &Value) -> Ordering {
        match self.kind {
            Kind::Text => one.as_str().cmp(&other.as_str()),
            Kind::Whole => one.as_i64().cmp(&other.as_i64()),
            Kind::Real => one.as_f64().partial_cmp(&other.as_f64()).expect("finite numbers"),
            Kind::Decimal(scale) => units(one, scale).cmp(&units(other, scale)),
            Kind::Truth => one.as_bool().cmp(&other.as_bool()),
        }
    }
}

/// `1.5` with three digits is 1500.
fn units(value: &Value, scale: usize) -> i128 {
    let text = value.as_str().expect("a decimal is a string");
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    format!("{whole}{fraction:0<scale$}").parse().expect("digits")
}

const AMOUNTS: &[&str] = &["0", "9.99", "10.0", "10", "100", "9999999.99", "0.01"];
const CURRENCIES: &[&str] = &["PLN", "EUR", "USD"];

/// What every entity has.
pub(crate) const COMMON: &[Field] = &[
    field("id", Kind::Text, &["01890a5d-ac96-774b-bcce-b302099a8057"]).sorted(),
    field("createdAt", Kind::Text, &["2000-01-01T00:00:00.000Z", "2200-01-01T00:00:00.000Z"]).ordered().sorted(),
    field("updatedAt", Kind::Text, &["2000-01-01T00:00:00.000Z", "2200-01-01T00:00:00.000Z"]).ordered().sorted(),
];

pub(crate) const SPECIMEN: &[Field] = &[
    field("name", Kind::Text, &["Amber", "amber", "Beetle", "Zebra", "żaba", "🪲🪲", "A'; --"])
        .matched(&["not", "startsWith", "startsWithIgnoreCase"])
        .sorted(),
    field("note", Kind::Text, &["a", "b", "A & B = 5%", "a & b = 5%", "Straße", "\u{ffee}"])
        .matched(&["not", "startsWith", "contains", "startsWithIgnoreCase", "containsIgnoreCase"])
        .sorted(),
    field("code", Kind::Text, &["ABC-01", "ABC-02", "XYZ-99"]),
    field("size", Kind::Whole, &["0", "1", "2", "10", "1000"]).ordered().sorted(),
    field("ratio", Kind::Real, &["-1", "-0.5", "0", "0.1", "0.25", "1"]).ordered().sorted(),
    field("weight", Kind::Decimal(3), &["0", "0.999", "1.5", "1.500", "9", "10", "1000"]).ordered().sorted(),
    field("fragile", Kind::Truth, &["true", "false"]).sorted(),
    field("batch", Kind::Text, &["01890a5d-ac96-774b-bcce-b302099a8057", "f47ac10b-58cc-4372-a567-0e02b2c3d479"]),
    field("foundAt", Kind::Text, &["1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00.000Z", "2026-11-20T08:30:15.123Z"])
        .ordered()
        .sorted(),
    field("foundOn", Kind::Text, &["1969-12-31", "1970-01-01", "2026-11-20", "2026-11-21"]).ordered().sorted(),
    field("feedingTime", Kind::Text, &["00:00:00.000", "08:30:00.000", "23:59:59.999"]).ordered().sorted(),
    field("lifespan", Kind::Text, &["P14D", "P2W", "PT36H"]),
    field("countryCode", Kind::Text, &["PL", "DE", "US"]).sorted(),
    field("language", Kind::Text, &["pl-PL", "en-US", "de"]),
    field("currency", Kind::Text, CURRENCIES),
    field("value.amount", Kind::Decimal(2), AMOUNTS).ordered().sorted_as("value"),
    field("value.currency", Kind::Text, CURRENCIES),
    field("kind", Kind::Text, &["MINERAL", "PLANT", "ANIMAL"]).matched(&["not"]).sorted(),
    field("colour", Kind::Text, &["WHITE", "BLACK", "DARK_RED"]),
    field("keeper.id", Kind::Text, &["01890a5d-ac96-774b-bcce-b302099a8057"]),
    field("tag.id", Kind::Text, &["01890a5d-ac96-774b-bcce-b302099a8057"]).matched(&["not"]),
    field("storage.shelf", Kind::Text, &["A", "B", "a", "AA"]).sorted(),
    field("storage.box", Kind::Whole, &["1", "2", "30"]).ordered(),
    field("origin.place", Kind::Text, &["Rome", "Łódź"]),
    field("origin.site.name", Kind::Text, &["Forum", "Market"]),
    field("registryNumber", Kind::Text, &["R 1", "R+2"]),
    field("status", Kind::Text, &["KEPT", "ARCHIVED"]),
    field("habitat", Kind::Text, &["forest", "sea"]),
    field("costPrice.amount", Kind::Decimal(2), AMOUNTS).ordered(),
    field("costPrice.currency", Kind::Text, CURRENCIES),
];

/// What an object can be searched by (§2.5).
#[derive(Debug)]
pub(crate) struct Criteria {
    pub(crate) values: &'static [Field],
    /// Arrays of values: the field is that of each.
    pub(crate) lists: &'static [Field],
    /// Arrays of objects, by their names.
    pub(crate) objects: &'static [(&'static str, Criteria)],
}

pub(crate) const SEARCHED: Criteria = Criteria {
    values: SPECIMEN,
    lists: &[
        field("labels", Kind::Text, &["a", "b", "A"]),
        field("samples", Kind::Real, &["-1.5", "0", "0.1", "20", "1e300"]),
        field("colours", Kind::Text, &["WHITE", "BLACK", "DARK_RED"]),
    ],
    objects: &[("parts", PART), ("examinations", EXAMINATION)],
};

const PART: Criteria = Criteria {
    values: &[
        field("name", Kind::Text, &["Leg", "Wing", "leg", "Łuska"]),
        field("weight", Kind::Decimal(3), &["-2.5", "-0.001", "0", "0.999", "1.500", "9", "10", "1000000"]).ordered(),
    ],
    lists: &[field("materials", Kind::Text, &["horn", "lime", "silk", "\"'; --"])],
    objects: &[("layers", LAYER)],
};

const LAYER: Criteria =
    Criteria { values: &[field("colour", Kind::Text, &["WHITE", "BLACK", "DARK_RED"])], lists: &[], objects: &[] };

const EXAMINATION: Criteria = Criteria {
    values: &[
        field("name", Kind::Text, &["Crack", "Dust", "dust"]),
        field("code", Kind::Text, &["ABC-01", "XYZ-99"]),
        field("email", Kind::Text, &["ida@example.com", "jan@example.com"]),
        field("link", Kind::Text, &["https://example.com/a?b=%25"]),
        field("size", Kind::Whole, &["0", "9", "10", "1000"]).ordered(),
        field("ratio", Kind::Real, &["-1", "-0.5", "0", "0.1", "0.25", "1"]).ordered(),
        field("weight", Kind::Decimal(3), &["0", "0.999", "9", "10", "1000"]).ordered(),
        field("examinedAt", Kind::Text, &["2000-01-01T00:00:00.000Z", "2026-11-20T08:30:15.120Z"]).ordered(),
        field("bestBefore", Kind::Text, &["2000-01-01", "2026-11-20", "2099-12-31"]).ordered(),
        field("insurance.amount", Kind::Decimal(2), &["1.00", "9.99", "10", "999.99", "1000"]).ordered(),
        field("insurance.currency", Kind::Text, &["PLN", "EUR"]),
        field("kind", Kind::Text, &["FIELD", "LABORATORY"]),
    ],
    lists: &[
        field("labels", Kind::Text, &["a", "b", "A"]),
        field("samples", Kind::Real, &["-1.5", "0", "0.1", "20", "1e300"]),
    ],
    objects: &[],
};

pub(crate) const KEEPER: &[Field] = &[
    field("name", Kind::Text, &["Ida", "Jan", "Ola"]).sorted(),
    field("email", Kind::Text, &["ida@example.com", "jan@example.com"]),
];

pub(crate) const TAG: &[Field] = &[field("name", Kind::Text, &["old", "rare"]).matched(&[
    "not",
    "startsWith",
    "contains",
    "startsWithIgnoreCase",
    "containsIgnoreCase",
])];

pub(crate) const NOTEBOOK: &[Field] = &[
    field("keeper.id", Kind::Text, &["01890a5d-ac96-774b-bcce-b302099a8057"]),
    field("title", Kind::Text, &["Beetles", "Moths", "moths"]).sorted(),
];

pub(crate) const PHOTO: &[Field] = &[field("specimen.id", Kind::Text, &["01890a5d-ac96-774b-bcce-b302099a8057"])];

pub(crate) const STOCK_ENTRY: &[Field] =
    &[field("quantity", Kind::Whole, &["-1", "0", "1", "9223372036854775807"]).ordered().sorted()];
