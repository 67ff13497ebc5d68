//! Background jobs: they start with the service, work in its store, survive a panic, and end with it.

use crate::routes::house::{Room, Runs, plain};
use crate::routes::{Store, Test};
use restwell::Stored;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

pub(crate) const TESTS: &[Test] = &[
    ("a_job_works_in_the_store", a_job_works_in_the_store),
    ("a_job_ends_with_the_service", a_job_ends_with_the_service),
];

fn a_job_works_in_the_store(store: Store) {
    let runs = Runs::default();
    let counted = Arc::clone(&runs);
    let builder = plain().job("opens", move |service| {
        let counted = Arc::clone(&counted);
        async move {
            assert!(counted.fetch_add(1, Ordering::SeqCst) > 0, "the first run panics");
            let room = Room { name: "Lobby".to_owned(), size: 4, booked: None, host: None };
            let made = service.transactions().run(|transaction| {
                let room = room.clone();
                async move { transaction.create(room).await }
            });
            made.await.expect("it is stored");
        }
    });
    let service = store.start(builder);
    service.client().get_until("/rooms", |rooms| rooms["count"] == 1);
    let rooms: Vec<Stored<Room>> = service.client().get("/rooms").is(200).list();
    assert_eq!((rooms[0].name.as_str(), runs.load(Ordering::SeqCst)), ("Lobby", 2));
}

fn a_job_ends_with_the_service(store: Store) {
    let runs = Runs::default();
    let counted = Arc::clone(&runs);
    let builder = plain().job("waits", move |service| {
        let counted = Arc::clone(&counted);
        async move {
            service.stopped().await;
            counted.fetch_add(1, Ordering::SeqCst);
        }
    });
    let service = store.start(builder);
    let begun = Instant::now();
    drop(service);
    assert_eq!(runs.load(Ordering::SeqCst), 1, "it ended in order");
    assert!(begun.elapsed() < Duration::from_secs(10));
}
