//! docs/rust/hooks.md: what a team's own code does after changes, once they are committed.

use super::watching::metric;
use crate::Case;
use crate::client::Api;
use crate::specimen::{id, path};
use crate::stream::Stream;
use restwell::{Builder, Event, EventChange, Hook, Ref, Rejection, Resource, Timestamp, Uuid};
use serde_json::json;
use std::sync::Mutex;
use std::time::{Duration, Instant};

pub(super) const CASES: &[Case] = &[
    ("Hooks: a hook runs for each change, with the id of its event", each_change),
    ("Hooks: a hook that fails runs again until it succeeds, and changes nothing before", again),
    ("Hooks: a change that is rejected, or rolled back, has no hook", nothing_happened),
];

#[derive(Debug, Clone, Resource)]
struct Order {
    name: String,
    /// What the hook had to wait for.
    #[field(default = true)]
    is_ready: Option<bool>,
}

/// What was sent for an order.
#[derive(Debug, Clone, Resource)]
struct Notice {
    #[field(unique, max_length = 80)]
    text: String,
    sent_at: Timestamp,
    #[field(on_delete = null)]
    order: Option<Ref<Order>>,
}

struct OrderNotices;

/// The events that hooks have run for, in all services.
static SEEN: Mutex<Vec<Uuid>> = Mutex::new(Vec::new());

impl Hook<Order> for OrderNotices {
    async fn on(&self, event: Event<Order>) -> Result<(), Rejection> {
        SEEN.lock().expect("no hook panics").push(event.id);
        let order = event.transaction.get(event.entity).await?;
        let what = match event.change {
            EventChange::Created => "created",
            EventChange::Updated if order.as_ref().is_some_and(|order| order.name == "quiet") => return Ok(()),
            EventChange::Updated => "updated",
            EventChange::Deleted => "deleted",
        };
        if let Some(mut order) = order.clone().filter(|order| order.is_ready == Some(false)) {
            order.name = "sent".to_owned();
            event.transaction.update(order).await?;
            return Err(Rejection::new("NotReady", "cannot be sent yet"));
        }
        let text = format!("{what} {}", event.entity.id);
        let order = order.map(|order| order.reference());
        event.transaction.create(Notice { text, sent_at: event.time, order }).await.map(drop)
    }
}

fn shop() -> Builder {
    Builder::new("shop").resource::<Order>().resource::<Notice>().on(OrderNotices)
}

/// The texts of the notices, once there are so many.
#[track_caller]
fn notices(api: &Api, count: usize) -> Vec<String> {
    let list = api.wait("/notices?sort=createdAt", |reply| reply.json()["count"] == count).json();
    let notices = list["notices"].as_array().expect("notices").iter();
    notices.map(|notice| notice["text"].as_str().expect("a text").to_owned()).collect()
}

fn each_change(api: &Api) {
    let api = api.of(shop);
    let mut stream = Stream::open(&api.events("/events?resource=orders"));
    let order = api.create("/orders", &json!({ "name": "Lamp" }));
    notices(&api, 1);
    let target = path("orders", &order);
    api.put(&target, &json!({ "name": "Desk lamp" })).is(200);
    notices(&api, 2);
    api.delete(&target).is(204);
    let expected = ["created", "updated", "deleted"].map(|what| format!("{what} {}", id(&order)));
    assert_eq!(notices(&api, 3), expected);
    for _ in expected {
        let event: Uuid = stream.event().json["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
        assert!(SEEN.lock().expect("no hook panics").contains(&event));
    }
}

fn again(api: &Api) {
    let api = api.of(shop);
    let order = api.create("/orders", &json!({ "name": "Lamp", "isReady": false }));
    let other = api.create("/orders", &json!({ "name": "Chair" }));
    // the one that fails keeps no other from being done
    assert_eq!(notices(&api, 1), [format!("created {}", id(&other))]);
    let begun = Instant::now();
    while metric(&api, "restwell_commands_unfinished", &[]) != 1.0 {
        assert!(begun.elapsed() < Duration::from_secs(10), "it waits, and is counted");
        std::thread::sleep(Duration::from_millis(50));
    }
    let target = path("orders", &order);
    assert_eq!(api.get(&target).is(200).json()["name"], "Lamp");
    api.put(&target, &json!({ "name": "quiet", "isReady": true })).is(200);
    assert_eq!(notices(&api, 2)[1], format!("created {}", id(&order)));
}

fn nothing_happened(api: &Api) {
    let api = api.of(shop);
    api.post("/orders", &json!({ "name": 7 })).is(422);
    api.post("/orders?dryRun=true", &json!({ "name": "Lamp" })).is(204);
    api.create("/orders", &json!({ "name": "Chair" }));
    assert_eq!(notices(&api, 1).len(), 1);
}
