//! UUIDs, countries, languages, currencies, time zones, phone numbers and enums: §2.2, §2.4.5, §2.4.6, §2.4.8.

use crate::Case;
use crate::client::Api;
use crate::specimen::{accepts, keeps, refuses_all};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§2.2 a UUID is lower case, 8-4-4-4-12", uuids),
    ("§2.4.5 a country is ISO 3166 alpha-2, upper case", countries),
    ("§2.4.6 a language is any case, and rendered canonically", languages),
    ("§2.4.7 a currency is ISO 4217", currencies),
    ("§2.4 a time zone is a name of the IANA database", timezones),
    ("§2.4 a phone number has the form of E.164", phones),
    ("§2.4.8 an enum's values are upper case", enums),
];

fn uuids(api: &Api) {
    keeps(
        api,
        "batch",
        &[json!("01890a5d-ac96-774b-bcce-b302099a8057"), json!("9b2f3c1e-5a44-4d0e-8c1d-0123456789ab")],
    );
    let refused = [
        "01890A5D-AC96-774B-BCCE-B302099A8057",
        "01890a5dac96774bbcceb302099a8057",
        "{01890a5d-ac96-774b-bcce-b302099a8057}",
        "urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057",
        "01890a5d-ac96-774b-bcce-b302099a805",
        "01890a5d-ac96-774b-bcce-b302099a805g",
        "7",
    ];
    refuses_all(api, "batch", "InvalidUuid", &refused.map(Value::from));
    refuses_all(api, "batch", "WrongType", &[json!(7), json!({})]);
}

fn countries(api: &Api) {
    keeps(api, "countryCode", &["PL", "GB", "US", "SS"].map(Value::from));
    // XX is not assigned, UK only reserved; AN and SU are withdrawn
    refuses_all(
        api,
        "countryCode",
        "InvalidCountry",
        &["pl", "Pl", "POL", "P", "616", "XX", "UK", "AN", "SU"].map(Value::from),
    );
    refuses_all(api, "countryCode", "WrongType", &[json!(616)]);
}

fn languages(api: &Api) {
    let rendered = [("pl-PL", "pl-PL"), ("PL-pl", "pl-PL"), ("en-us", "en-US"), ("ZH-hant-tw", "zh-Hant-TW")];
    accepts(api, "language", &rendered.map(|(given, shown)| (json!(given), json!(shown))));
    refuses_all(
        api,
        "language",
        "InvalidLanguage",
        &["en_US", "english language", "e", "pl-", "-PL", "xx-PL"].map(Value::from),
    );
    refuses_all(api, "language", "WrongType", &[json!(["pl-PL"])]);
}

fn currencies(api: &Api) {
    keeps(api, "currency", &["PLN", "EUR", "JPY"].map(Value::from));
    // ABC is not assigned; DEM and HRK are withdrawn
    refuses_all(
        api,
        "currency",
        "InvalidCurrency",
        &["pln", "PL", "PLNN", "985", "ABC", "DEM", "HRK"].map(Value::from),
    );
    refuses_all(api, "currency", "WrongType", &[json!(985)]);
}

fn timezones(api: &Api) {
    keeps(api, "timezone", &["Europe/Warsaw", "America/Argentina/Buenos_Aires", "Etc/GMT+1", "UTC"].map(Value::from));
    refuses_all(
        api,
        "timezone",
        "InvalidTimezone",
        &["europe/warsaw", "Europe/Atlantis", "Europe", "CEST", "+01:00", "Z"].map(Value::from),
    );
    refuses_all(api, "timezone", "WrongType", &[json!(1)]);
}

fn phones(api: &Api) {
    keeps(api, "phone", &["+48123456789", "+12", "+123456789012345"].map(Value::from));
    refuses_all(
        api,
        "phone",
        "InvalidPhone",
        &["48123456789", "+1", "+1234567890123456", "+048123456789", "+48 123 456 789", "tel:+48123456789"]
            .map(Value::from),
    );
    refuses_all(api, "phone", "WrongType", &[json!(48_123_456_789_i64)]);
}

fn enums(api: &Api) {
    keeps(api, "kind", &[json!("MINERAL"), json!("ANIMAL"), Value::Null]);
    keeps(api, "colour", &[json!("DARK_RED")]);
    refuses_all(api, "kind", "UnknownValue", &["animal", "Animal", "FUNGUS", " ANIMAL"].map(Value::from));
    refuses_all(api, "kind", "WrongType", &[json!(1), json!(["ANIMAL"])]);
    refuses_all(api, "kind", "*", &[json!("")]);
}
