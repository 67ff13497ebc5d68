//! What features add: spans of `tracing`, and the times of `chrono`.

use crate::rust::script::Script;
use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveTime, Utc};
use marketplace_client::{Client, Date, Time, Timestamp};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use uuid::Uuid;

/// Keeps what spans and events say.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<BTreeMap<String, String>>>>);

struct Fields<'a>(&'a mut BTreeMap<String, String>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}").trim_matches('"').to_owned());
    }
}

impl Seen {
    fn add(&self, record: impl FnOnce(&mut Fields<'_>)) {
        let mut fields = BTreeMap::new();
        record(&mut Fields(&mut fields));
        self.0.lock().expect("no panic").push(fields);
    }

    /// The values of a field, in their order.
    fn values(&self, field: &str) -> Vec<String> {
        let seen = self.0.lock().expect("no panic");
        seen.iter().filter_map(|fields| fields.get(field).cloned()).collect()
    }
}

impl<S: Subscriber> Layer<S> for Seen {
    fn on_new_span(&self, span: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        self.add(|fields| span.record(fields));
    }

    fn on_record(&self, _: &Id, values: &Record<'_>, _: Context<'_, S>) {
        self.add(|fields| values.record(fields));
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        self.add(|fields| event.record(fields));
    }
}

/// A call that is sent twice is one span, which ends with the status of the response.
pub(crate) fn spans() {
    let id = Uuid::now_v7();
    let path = format!("/offers/{id}");
    let exchange = |status: u16| json!({ "request": { "method": "GET", "path": path, "query": [] }, "response": { "status": status } });
    let script = Script::new(&[exchange(503), exchange(404)]);
    let client = Client::builder("http://service", "tests/1.0", script.clone()).build();
    let seen = Seen::default();
    tracing::subscriber::with_default(tracing_subscriber::registry().with(seen.clone()), || {
        script.run(None, client.offers().get(id)).expect("it ends").expect_err("there is no such offer");
    });
    assert_eq!(script.finish(None), [""; 0]);
    assert_eq!(seen.values("otel.name"), [format!("GET {path}")]);
    assert_eq!(seen.values("http.response.status_code"), ["503", "404"]);
    assert_eq!(seen.values("http.request.resend_count"), ["1"]);
}

/// There and back, cut to milliseconds; what the conventions cannot say is refused.
pub(crate) fn chrono() {
    let moment: DateTime<FixedOffset> = "2026-12-01T09:00:00.1239+01:00".parse().expect("a moment");
    let timestamp = Timestamp::try_from(moment).expect("a timestamp");
    assert_eq!(timestamp.to_string(), "2026-12-01T08:00:00.123Z");
    assert_eq!(DateTime::<Utc>::from(timestamp).to_rfc3339(), "2026-12-01T08:00:00.123+00:00");
    let day = NaiveDate::from_ymd_opt(2028, 2, 29).expect("a leap day");
    let date = Date::try_from(day).expect("a date");
    assert_eq!((date.to_string().as_str(), NaiveDate::from(date)), ("2028-02-29", day));
    assert!(
        Date::try_from(NaiveDate::MAX)
            .is_err_and(|error| error.to_string().contains(&NaiveDate::MAX.year().to_string()))
    );
    let leap = NaiveTime::from_hms_milli_opt(23, 59, 59, 1_500).expect("a leap second");
    assert_eq!(Time::from(leap).to_string(), "23:59:59.999");
    let time = NaiveTime::from_hms_milli_opt(8, 30, 0, 250).expect("a time");
    assert_eq!(NaiveTime::from(Time::from(time)), time);
}
