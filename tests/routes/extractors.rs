//! What handlers get of their request, and the errors of what is wrong with it.

use crate::routes::house::{NOBODY, Room, Runs, User, service};
use crate::routes::{Store, Test};
use restwell::{Ref, Stored};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

pub(crate) const TESTS: &[Test] = &[
    ("callers", callers),
    ("all_problems_are_listed_together", all_problems_are_listed_together),
    ("filters_of_the_query_string", filters_of_the_query_string),
    ("a_body_is_checked_whole", a_body_is_checked_whole),
    ("transactions_are_retried", transactions_are_retried),
    ("rejections", rejections),
];

fn room(name: &str, size: i64) -> Room {
    Room { name: name.to_owned(), size, booked: None, host: None }
}

fn callers(store: Store) {
    let service = store.start(service(&Runs::default()));
    let ann = service.seed(|transaction| async move { transaction.create(User { name: "Ann".to_owned() }).await });
    let nobody = service.client().get("/whoami").is(401);
    assert_eq!(
        (nobody.errors(), nobody.headers["www-authenticate"].as_str()),
        (vec![("Unauthenticated", None)], "Bearer")
    );
    assert_eq!(service.client().as_user(&ann).get("/whoami").is(200).json["id"], json!(ann.id));
    // bad ones are refused everywhere
    let bad = service.client().with_token("nonsense").get("/reports/rooms").is(401);
    assert!(bad.headers["www-authenticate"].contains("invalid_token"));
    service.client().get("/admins").is(401);
    assert_eq!(service.client().as_user(&ann).get("/admins").is(403).errors(), [("Forbidden", None)]);
    service.client().as_user_with(&ann, &["admin"]).get("/admins").is(200);
}

fn all_problems_are_listed_together(store: Store) {
    let service = store.start(service(&Runs::default()));
    let client = service.client();
    let refused = client.get("/reports/rooms?size.gt=x&name=a&sort=colour&search.id=1&dya=1&limit=1001").is(422);
    let found: Vec<_> = refused.errors().into_iter().map(|(_, path)| path.expect("a path").to_owned()).collect();
    assert_eq!(found, ["size.gt", "sort", "dya", "limit", "search.id"]);
    let refused = client.post("/furnished-rooms?nothing=1", json!({ "name": "x".repeat(41), "door": 1 })).is(422);
    let expected = [
        ("UnknownParameter", Some("nothing")),
        ("TooLong", Some("name")),
        ("Required", Some("size")),
        ("UnknownProperty", Some("door")),
    ];
    assert_eq!(refused.errors(), expected);
    // told with what else is wrong
    let wrong = client.get("/greetings?nam=Ann").is(422);
    assert_eq!(wrong.errors(), [("UnknownParameter", Some("nam")), ("Required", Some("name"))]);
    client.get("/greetings?name=Ann").is(200);
    assert_eq!(client.get("/reports/rooms?day=tomorrow").is(422).errors(), [("InvalidParameter", Some("day"))]);
    assert_eq!(client.get("/reports/rooms?day=2027-01-01").is(200).json["day"], "2027-01-01");
    assert_eq!(
        client.get("/reports/rooms?day=2027-01-01&day=2027-01-02").is(422).errors(),
        [("RepeatedParameter", Some("day"))]
    );
}

fn filters_of_the_query_string(store: Store) {
    let service = store.start(service(&Runs::default()));
    let [ann, bob] = ["Ann", "Bob"].map(|name| {
        service.seed(|transaction| async move { transaction.create(User { name: name.to_owned() }).await })
    });
    for (name, size, host) in [("Attic", 2, &ann), ("Cellar", 8, &bob), ("Hall", 80, &ann), ("Barn", 80, &ann)] {
        let host = Some(Ref::from(host));
        service.seed(|transaction| async move { transaction.create(Room { host, ..room(name, size) }).await });
    }
    let names = |client: restwell::testing::TestClient, query: &str| {
        client.get(&format!("/reports/rooms{query}")).is(200).json["names"].to_string()
    };
    assert_eq!(names(service.client(), "?size.gte=8&sort=-size,name"), r#"["Barn","Hall","Cellar"]"#);
    assert_eq!(names(service.client(), "?sort=name&limit=1&offset=1"), r#"["Barn"]"#);
    assert_eq!(names(service.client().as_user(&bob), ""), r#"["Cellar"]"#);
    // what a request asks for cannot widen what the handler adds
    let of_ann = format!("?host.id={}", ann.id);
    assert_eq!(names(service.client().as_user(&bob), &of_ann), "[]");
    assert_eq!(names(service.client().as_user(&ann), &format!("{of_ann}&sort=name")), r#"["Attic","Barn","Hall"]"#);
}

fn a_body_is_checked_whole(store: Store) {
    let service = store.start(service(&Runs::default()));
    let client = service.client();
    let attic = room("Attic", 2);
    let made: Stored<Room> = client.post("/furnished-rooms", &attic).is(201).read();
    assert_eq!(made.value, Room { booked: Some(0), ..attic });
    let read: Stored<Room> = client.get(&format!("/rooms/{}", made.id)).is(200).read();
    assert_eq!(read, made, "as the service itself responds");
    let nowhere = client.post("/furnished-rooms", Room { host: Some(Ref::to(NOBODY)), ..room("Hall", 1) }).is(422);
    assert_eq!(nowhere.errors(), [("NotFound", Some("host.id"))]);
    assert_eq!(client.post("/furnished-rooms", json!([])).is(422).errors(), [("WrongType", None)]);
    let polish = client.get("/rooms").is(200);
    assert_eq!(polish.list::<Stored<Room>>(), [made]);
}

fn transactions_are_retried(store: Store) {
    let runs = Runs::default();
    let service = store.start(service(&runs));
    let hall = service.seed(|transaction| async move { transaction.create(room("Hall", 80)).await });
    let path = format!("/rooms/{}/reservations", hall.id);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let client = service.client();
                for _ in 0..5 {
                    client.post(&path, json!({ "count": 3 })).is(200);
                }
            });
        }
    });
    let hall: Stored<Room> = service.client().get(&format!("/rooms/{}", hall.id)).is(200).read();
    assert_eq!(hall.booked, Some(60), "no reservation is lost");
    assert!(runs.load(Ordering::SeqCst) > 20, "some ran again");
}

fn rejections(store: Store) {
    let runs = Arc::new(0.into());
    let service = store.start(service(&runs));
    let hall = service.seed(|transaction| async move { transaction.create(room("Hall", 80)).await });
    let client = service.client();
    let path = format!("/rooms/{}/reservations", hall.id);
    for _ in 0..10 {
        client.post(&path, json!({ "count": 100 })).is(200);
    }
    let full = client.post(&path, json!({ "count": 1 })).is(409);
    assert_eq!(full.errors(), [("FullyBooked", None)]);
    assert_eq!(full.json["errors"][0]["message"], "Hall is full");
    let other = |id: &str| client.post(&format!("/rooms/{id}/reservations"), json!({ "count": 1 })).status;
    assert_eq!(other(&NOBODY.to_string()), 404);
    assert_eq!(other("not-an-id"), 404);
    assert_eq!(other(&hall.id.to_string().to_uppercase()), 404);
}
