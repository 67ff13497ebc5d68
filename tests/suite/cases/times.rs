//! Timestamps, dates, times and durations: §2.4.3, §2.4.4, and the decisions "Times" and "Durations".

use crate::Case;
use crate::client::Api;
use crate::specimen::{keeps, refuses_all};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§2.4.3 a timestamp is UTC, with milliseconds", timestamps),
    ("§2.4.3 another offset is NotUtc", not_utc),
    ("§2.4.3 any other form of a timestamp is refused", timestamps_refused),
    ("Times: a timestamp's bounds", timestamp_bounds),
    ("Times: dates", dates),
    ("§2.4.4 a time without date has no zone", times),
    ("Durations are kept as written", durations),
    ("Durations: anything else is InvalidDuration", durations_refused),
];

fn timestamps(api: &Api) {
    let values = [
        "2026-11-20T08:30:15.123Z",
        "2024-02-29T00:00:00.000Z",
        "2000-02-29T23:59:59.999Z",
        "0001-01-01T00:00:00.000Z",
        "9999-12-31T23:59:59.999Z",
        "1969-12-31T23:59:59.999Z",
    ];
    keeps(api, "foundAt", &values.map(Value::from));
    keeps(api, "foundAt", &[Value::Null]);
}

fn not_utc(api: &Api) {
    refuses_all(
        api,
        "foundAt",
        "NotUtc",
        &[json!("2026-11-20T08:30:15.123+01:00"), json!("2026-11-20T08:30:15.123-05:30")],
    );
}

fn timestamps_refused(api: &Api) {
    let values = [
        "2026-11-20",
        "2026-11-20T08:30:15Z",
        "2026-11-20T08:30Z",
        "2026-11-20T08:30:15.12Z",
        "2026-11-20T08:30:15.1234Z",
        "2026-11-20 08:30:15.123Z",
        "2026-11-20t08:30:15.123z",
        "2026-02-29T08:30:15.123Z",
        "1900-02-29T08:30:15.123Z",
        "2026-13-01T08:30:15.123Z",
        "2026-11-20T24:00:00.000Z",
        "2026-11-20T23:59:60.000Z",
        "0000-01-01T00:00:00.000Z",
        "10000-01-01T00:00:00.000Z",
        "+2026-11-20T08:30:15.123Z",
        "20261120T083015.123Z",
        " 2026-11-20T08:30:15.123Z",
        "٢٠٢٦-11-20T08:30:15.123Z",
        "now",
    ];
    refuses_all(api, "foundAt", "InvalidTimestamp", &values.map(Value::from));
    refuses_all(api, "foundAt", "WrongType", &[json!(1_763_627_415_123_i64), json!(true), json!({})]);
    refuses_all(
        api,
        "foundAt",
        "*",
        &[json!(""), json!("2026-11-20T08:30:15.123"), json!("2026-11-20T08:30:15.123+00:00")],
    );
}

fn timestamp_bounds(api: &Api) {
    keeps(api, "examinedAt", &[json!("2000-01-01T00:00:00.000Z"), json!("2099-12-31T23:59:59.999Z")]);
    refuses_all(api, "examinedAt", "TooSmall", &[json!("1999-12-31T23:59:59.999Z")]);
    refuses_all(api, "examinedAt", "TooLarge", &[json!("2100-01-01T00:00:00.000Z")]);
}

fn dates(api: &Api) {
    keeps(api, "foundOn", &["2026-11-20", "2024-02-29", "0001-01-01", "9999-12-31"].map(Value::from));
    let refused =
        ["2026-02-29", "2026-2-3", "20261120", "0000-01-01", "2026-11-20T00:00:00.000Z", "2026-00-10", "20.11.2026"];
    refuses_all(api, "foundOn", "InvalidDate", &refused.map(Value::from));
    refuses_all(api, "foundOn", "WrongType", &[json!(20_261_120)]);
    refuses_all(api, "bestBefore", "TooSmall", &[json!("1999-12-31")]);
    refuses_all(api, "bestBefore", "TooLarge", &[json!("2100-01-01")]);
}

fn times(api: &Api) {
    keeps(api, "feedingTime", &["00:00:00.000", "08:30:00.000", "23:59:59.999"].map(Value::from));
    let refused =
        ["08:30", "08:30:00", "8:30:00.000", "24:00:00.000", "23:59:60.000", "08:30:00.000Z", "08:30:00.000+01:00"];
    refuses_all(api, "feedingTime", "InvalidTime", &refused.map(Value::from));
    refuses_all(api, "feedingTime", "WrongType", &[json!(830)]);
}

fn durations(api: &Api) {
    let values = ["P14D", "P1Y2M3DT4H5M6S", "P2W", "PT36H", "PT0S", "PT0.5S", "PT1.5H", "P0.5D", "P1DT12H"];
    keeps(api, "lifespan", &values.map(Value::from));
}

fn durations_refused(api: &Api) {
    let values = [
        "P", "PT", "P1DT", "-P1D", "+P1D", "P-1D", "p1d", "P1d", "1D", "P1W2D", "PT1,5S", "PT1.5H2M", "P1S", "PT1D",
        "P1M1Y", "P.5D", "P1.D", " P1D", "14 days",
    ];
    refuses_all(api, "lifespan", "InvalidDuration", &values.map(Value::from));
    refuses_all(api, "lifespan", "WrongType", &[json!(14)]);
}
