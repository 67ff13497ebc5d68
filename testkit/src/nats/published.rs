//! What the bus has, read from its stream as it stands there, and compared with what was done.

use crate::nats::Nats;
use async_nats::jetstream::{self, consumer};
use futures_util::StreamExt;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// No publisher is so far behind for so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// The messages of a stream: the subject, the id by which repeats are dropped, and the CloudEvent.
pub struct Published(Vec<(String, String, Value)>);

impl Published {
    /// Reads a stream once it has this number of messages.
    #[track_caller]
    pub fn wait_for(nats: &Nats, stream: &str, messages: usize) -> Self {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let found = count(nats, stream);
            if found >= messages {
                return Self::read(nats, stream);
            }
            assert!(Instant::now() < deadline, "{found} of {messages} events are published");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Reads a stream.
    #[track_caller]
    pub fn read(nats: &Nats, stream: &str) -> Self {
        let count = count(nats, stream);
        run(async {
            let client = async_nats::connect(nats.url()).await.expect("the bus is there");
            let stream = jetstream::new(client).get_stream(stream).await.expect("the stream");
            let all = consumer::pull::OrderedConfig::default();
            let messages = stream.create_consumer(all).await.expect("a consumer").messages().await.expect("messages");
            let read = messages.take(count).map(|message| {
                let message = message.expect("a message");
                let id = message.headers.as_ref().and_then(|headers| headers.get("Nats-Msg-Id")).expect("an id");
                let event = serde_json::from_slice(&message.payload).expect("JSON");
                (message.subject.to_string(), id.to_string(), event)
            });
            Self(read.collect().await)
        })
    }

    /// The events, in their order.
    pub fn events(&self) -> impl Iterator<Item = &Value> {
        self.0.iter().map(|(_, _, event)| event)
    }

    /// It is what the outbox has, once, each entity's in its order. The outbox: the events' ids, and the entities'.
    #[track_caller]
    pub fn check_events(&self, stored: &[(String, String)]) {
        let mut ids = BTreeSet::new();
        for (subject, id, event) in &self.0 {
            assert!(ids.insert(id.clone()), "{id} was not dropped as a repeat");
            assert_eq!(event["id"], id.as_str());
            assert_eq!(event["type"], subject.as_str());
        }
        assert_eq!(ids, stored.iter().map(|(id, _)| id.clone()).collect(), "what is published is what is stored");
        let mut in_order: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (id, entity) in stored {
            in_order.entry(entity).or_default().push(id);
        }
        for (entity, events) in &self.of_entities() {
            assert_eq!(events.iter().map(|(id, _)| *id).collect::<Vec<_>>(), in_order[entity], "the order of {entity}");
        }
    }

    /// Each entity's events with their ids, in their order.
    pub fn of_entities(&self) -> BTreeMap<&str, Vec<(&str, &Value)>> {
        let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (_, id, event) in &self.0 {
            let entity = event["subject"].as_str().expect("a subject");
            found.entry(entity).or_default().push((id.as_str(), event));
        }
        found
    }
}

/// The outbox, in its order: the events' ids, and the entities'.
pub fn stored(database: &Path) -> Vec<(String, String)> {
    let database = rusqlite::Connection::open(database).expect("the database opens");
    let sql = "SELECT \"id\", \"entity_id\" FROM \"_restwell_events\" ORDER BY \"sequence\"";
    let mut statement = database.prepare(sql).expect("the outbox");
    let uuid = |bytes: [u8; 16]| uuid::Uuid::from_bytes(bytes).to_string();
    let rows = statement.query_map([], |row| Ok((uuid(row.get(0)?), uuid(row.get(1)?)))).expect("rows");
    rows.map(|row| row.expect("an event")).collect()
}

fn count(nats: &Nats, stream: &str) -> usize {
    run(async {
        let client = async_nats::connect(nats.url()).await.expect("the bus is there");
        // made with the first event
        let Ok(stream) = jetstream::new(client).get_stream(stream).await else { return 0 };
        usize::try_from(stream.cached_info().state.messages).expect("a count")
    })
}

fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(work)
}
