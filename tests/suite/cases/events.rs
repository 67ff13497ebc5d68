//! §6, and the decision "Events": which events a stream shows, to whom, and where it continues.

use crate::Case;
use crate::client::{Api, BETA};
use crate::specimen::{NOBODY, created, id, keeper, path, price, reference, specimen};
use crate::stream::Stream;
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§6 a change is a CloudEvent", cloud_event),
    ("§6 an event says who caused it", has_actor),
    ("§6 created, updated, deleted, in the order of the changes", in_order),
    ("Events: entities that are deleted with another one, or lose their reference to it, have events as well", cascade),
    ("Events: a change that failed has no event", nothing_happened),
    ("Events: data is what anyone sees of the resource itself", anyones_data),
    ("Events: a stream goes on after Last-Event-ID", goes_on),
    ("Events: the first cursor leads to everything", from_the_start),
    ("Events: a Last-Event-ID that is not kept is 410", unknown_cursor),
    ("Events: filters by resource and type", filters),
    ("Events: a parameter that is not known is 422", unknown_parameters),
    ("Events: shown to those who may get the entity", visible),
    ("Events: the edge is that of every path", edge),
    ("Events: Accept takes text/event-stream", accept),
    ("Events: a silent stream shows that it is alive, and where it stands", heartbeat),
];

fn event_of(resource: &str, what: &str, entity: &Value) -> (String, String) {
    (format!("specimen.{resource}.{what}"), id(entity).to_owned())
}

fn cloud_event(api: &Api) {
    let mut stream = Stream::open(&api.events("/events"));
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let request = api.request("POST", "/tags").json(&json!({ "name": "old" }));
    let reply = request.header("traceparent", parent).send().is(201);
    let event = stream.event();
    assert_eq!(event.kind, "specimen.tag.created");
    let json = &event.json;
    assert_eq!(json["specversion"], "1.0");
    assert_eq!(json["type"], "specimen.tag.created");
    assert_eq!(json["source"], "/specimen");
    assert_eq!(json["subject"], reply.json()["id"]);
    assert_eq!(json["time"], reply.json()["createdAt"]);
    assert_eq!(json["datacontenttype"], "application/json");
    assert_eq!(json["traceid"], reply.expect_header("trace-id"));
    assert_eq!(json["traceparent"], parent);
    assert_eq!(json["data"], reply.json());
    let reply = api.post("/tags", &json!({ "name": "new" })).is(201);
    let next = stream.event();
    assert_ne!(next.json["id"], event.json["id"]);
    assert_eq!(next.json["traceid"], reply.expect_header("trace-id"));
    assert_eq!(next.json.get("traceparent"), None);
    assert_eq!(next.json.get("actor"), None, "anyone may create tags");
}

/// Of whom an event is, also one that a command causes.
fn has_actor(api: &Api) {
    let mut stream = Stream::open(&api.events("/events"));
    let keeper = api.create("/keepers", &json!({ "name": "Ann" }));
    assert_eq!(stream.event().json.get("actor"), None);
    let request = api.request("POST", "/tags").header("authorization", &api.bearer(&keeper, &[]));
    let tag = request.json(&json!({ "name": "old" })).send().is(201).json();
    assert_eq!(stream.event().json["actor"], keeper["id"]);
    let request = api.request("PUT", &path("later-tags", &tag)).header("authorization", &api.bearer(&keeper, &[]));
    request.json(&json!({ "name": "new" })).send().is(202);
    let event = stream.event();
    assert_eq!((&*event.kind, &event.json["actor"]), ("specimen.tag.updated", &keeper["id"]));
    api.delete(&path("tags", &tag)).is(204);
    assert_eq!(stream.event().json.get("actor"), None);
}

fn in_order(api: &Api) {
    let mut stream = Stream::open(&api.events("/events"));
    let tag = api.create("/tags", &json!({ "name": "old" }));
    let updated = api.put(&path("tags", &tag), &json!({ "name": "older" })).is(200).json();
    api.delete(&path("tags", &tag)).is(204);
    assert_eq!(stream.event().json["data"], tag);
    let event = stream.event();
    assert_eq!((event.kind.as_str(), &event.json["data"]), ("specimen.tag.updated", &updated));
    assert_eq!(event.json["time"], updated["updatedAt"]);
    let event = stream.event();
    assert_eq!((event.kind.as_str(), &event.json["data"]), ("specimen.tag.deleted", &json!({ "id": tag["id"] })));
    assert_eq!(event.json["subject"], tag["id"]);
}

fn cascade(api: &Api) {
    let specimen = created(api, &json!({}));
    let photo = api.create("/photos", &json!({ "specimen": reference(&specimen) }));
    let visit = api.create("/visits", &json!({ "specimen": reference(&specimen) }));
    let mut stream = Stream::open(&api.events("/events"));
    api.delete(&path("specimens", &specimen)).is(204);
    let event = stream.event();
    assert_eq!(event.kind, "specimen.visit.updated");
    assert_eq!(event.json["data"], api.get(&path("visits", &visit)).is(200).json());
    assert_eq!(event.json["data"]["specimen"], Value::Null);
    let expected = [event_of("photo", "deleted", &photo), event_of("specimen", "deleted", &specimen)];
    assert_eq!(stream.kinds(2), expected);
}

fn nothing_happened(api: &Api) {
    let held = created(api, &json!({}));
    api.create("/loans", &json!({ "specimen": reference(&held) }));
    let free = created(api, &json!({}));
    let photo = api.create("/photos", &json!({ "specimen": reference(&held) }));
    let mut stream = Stream::open(&api.events("/events"));
    // tried only
    api.post("/specimens?dryRun=true", &specimen(&json!({}))).is(204);
    api.put(&format!("{}?dryRun=true", path("specimens", &free)), &specimen(&json!({}))).is(204);
    api.delete(&format!("{}?dryRun=true", path("specimens", &free))).is(204);
    // refused, before and by the store
    api.post("/specimens", &specimen(&json!({ "name": null }))).is(422);
    api.post("/specimens", &specimen(&json!({ "relatedTags": [{ "id": NOBODY }] }))).is(422);
    api.post("/photos", &json!({ "specimen": { "id": NOBODY } })).is(422);
    api.delete(&path("specimens", &held)).is(422);
    api.delete(&format!("/specimens/{NOBODY}")).is(404);
    let request = api.request("PUT", &path("specimens", &free)).json(&specimen(&json!({})));
    request.header("if-match", "\"no\"").send().is(412);
    // the next event of the stream is the next change
    let caption = json!({ "specimen": reference(&held), "caption": "sharp" });
    api.put(&path("photos", &photo), &caption).is(200);
    assert_eq!(stream.kinds(1), [event_of("photo", "updated", &photo)]);
}

fn anyones_data(api: &Api) {
    let ida = keeper(api, "Ida");
    let token = api.bearer(&ida, &[]);
    let tag = api.create("/tags", &json!({ "name": "old" }));
    let mut stream = Stream::open(&api.events("/events?resource=specimens").header("authorization", &token));
    // created and replaced in a view that shows more
    let body = specimen(&json!({
        "costPrice": price("7.00", "PLN"), "passphrase": "open sesame", "hint": "a tale", "relatedTags": [reference(&tag)]
    }));
    let sent = api.request("POST", "/sale/specimens").json(&body).header("authorization", &token).send().is(201).json();
    assert_eq!(sent["costPrice"], price("7.00", "PLN"));
    let shown = api.get(&path("specimens", &sent)).is(200).json();
    let data = stream.event().json["data"].clone();
    assert_eq!(data, shown);
    for hidden in ["costPrice", "passphrase", "hint"] {
        assert_eq!(data.get(hidden), None, "{hidden}");
    }
    assert_eq!(data["keeper"]["name"], "Ida");
    assert_eq!(data["relatedTags"][0]["name"], "old");
    let target = path("sale/specimens", &sent);
    let mut body = body;
    body["keeper"] = reference(&ida);
    api.request("PUT", &target).json(&body).header("authorization", &token).send().is(200);
    assert_eq!(stream.event().json["data"], api.get(&path("specimens", &sent)).is(200).json());
    // created in a version that has more
    let body = specimen(&json!({ "habitat": "woods" }));
    let request = api.request("POST", "/specimens").json(&body).header("content-type", BETA).header("accept", BETA);
    let sent = request.send().is(201).json();
    assert_eq!(sent["habitat"], "woods");
    let data = stream.event().json["data"].clone();
    assert_eq!(data, api.get(&path("specimens", &sent)).is(200).json());
    assert_eq!(data.get("habitat"), None);
}

fn goes_on(api: &Api) {
    let mut stream = Stream::open(&api.events("/events"));
    let tags = ["a", "b", "c", "d"].map(|name| api.create("/tags", &json!({ "name": name })));
    let events: Vec<_> = (0..4).map(|_| stream.event()).collect();
    drop(stream);
    let after = |cursor: &str| Stream::start_after(api, cursor);
    assert_eq!(after(&events[1].cursor).event(), events[2]);
    assert_eq!(after(&events[0].cursor).kinds(3), [1, 2, 3].map(|tag| event_of("tag", "created", &tags[tag])));
    // what comes later follows without a gap
    let mut stream = after(&events[2].cursor);
    assert_eq!(stream.event(), events[3]);
    let tag = api.create("/tags", &json!({ "name": "e" }));
    assert_eq!(stream.kinds(1), [event_of("tag", "created", &tag)]);
    // the cursor that a stream began with, before any event
    let mut begun = Stream::start(&api.events("/events"));
    let cursor = begun.block().and_then(|block| block.field("id")).expect("where it begins");
    drop(begun);
    let tag = api.create("/tags", &json!({ "name": "f" }));
    assert_eq!(after(&cursor).kinds(1), [event_of("tag", "created", &tag)]);
}

fn from_the_start(api: &Api) {
    let mut begun = Stream::start(&api.events("/events"));
    let cursor = begun.block().and_then(|block| block.field("id")).expect("where it begins");
    // more than a page
    let tags: Vec<_> = (0..300).map(|n| api.create("/tags", &json!({ "name": n.to_string() }))).collect();
    let expected: Vec<_> = tags.iter().map(|tag| event_of("tag", "created", tag)).collect();
    assert_eq!(Stream::start_after(api, &cursor).kinds(300), expected);
    let events = (0..300).map(|_| begun.event()).map(|event| event.json["subject"].clone());
    assert!(events.eq(tags.iter().map(|tag| tag["id"].clone())));
}

fn unknown_cursor(api: &Api) {
    let mut stream = Stream::open(&api.events("/events"));
    api.create("/tags", &json!({ "name": "old" }));
    let cursor = stream.event().cursor;
    let (position, check) = cursor.split_once('-').expect("two parts");
    let number = |digits: &str| u64::from_str_radix(digits, 16).expect("hex digits");
    let other = format!("{position}-{:016x}", number(check) ^ 1);
    let later = format!("{:016x}-{check}", number(position).wrapping_add(1));
    for cursor in [&other, &later, "nothing", "-1", "9999999999999999999999-00000000", NOBODY] {
        api.events("/events").header("last-event-id", cursor).send().fails(410, "EventsGone");
    }
    // written as by an earlier version, which gave none of this event: positions cannot be found out with it
    api.create("/tags", &json!({ "name": "new" }));
    let cursor = stream.event().cursor;
    let check = &cursor[cursor.len() - 8..];
    for position in 1..=10 {
        let guessed = format!("{position:x}-{check}");
        api.events("/events").header("last-event-id", &guessed).send().fails(410, "EventsGone");
    }
    Stream::open(&api.events("/events").header("last-event-id", ""));
}

fn filters(api: &Api) {
    let of_resources = "/events?resource=tags&resource=photos";
    let of_types = "/events?type=specimen.tag.updated&type=specimen.photo.created";
    let of_both = "/events?resource=tags&type=specimen.tag.updated&type=specimen.photo.created";
    let mut streams = [of_resources, of_types, of_both].map(|target| Stream::open(&api.events(target)));
    let specimen = created(api, &json!({}));
    let tag = api.create("/tags", &json!({ "name": "old" }));
    let photo = api.create("/photos", &json!({ "specimen": reference(&specimen) }));
    api.put(&path("tags", &tag), &json!({ "name": "older" })).is(200);
    let [tag_made, photo_made] = [event_of("tag", "created", &tag), event_of("photo", "created", &photo)];
    let tag_changed = event_of("tag", "updated", &tag);
    assert_eq!(streams[0].kinds(3), [tag_made, photo_made.clone(), tag_changed.clone()]);
    assert_eq!(streams[1].kinds(2), [photo_made, tag_changed.clone()]);
    assert_eq!(streams[2].kinds(1), [tag_changed]);
}

fn unknown_parameters(api: &Api) {
    let refused = |query: &str, expected: &[(&str, &str)]| {
        api.events(&format!("/events{query}")).send().refused(expected);
    };
    refused("?resource=tag", &[("InvalidParameter", "resource")]);
    refused("?resource=", &[("InvalidParameter", "resource")]);
    refused("?type=specimen.tag.painted", &[("InvalidParameter", "type")]);
    refused("?limit=3&type=tag.created", &[("UnknownParameter", "limit"), ("InvalidParameter", "type")]);
    Stream::open(&api.events("/events?type=specimen.specimen.archive-command.running"));
}

fn visible(api: &Api) {
    let [ida, jan] = ["Ida", "Jan"].map(|name| keeper(api, name));
    let [ida_token, jan_token] = [&ida, &jan].map(|keeper| api.bearer(keeper, &[]));
    let reader = api.bearer(&jan, &["notebooks.read"]);
    let stream = |token: Option<&str>| {
        let request = api.events("/events?resource=notebooks&resource=bookmarks&resource=tags");
        Stream::open(&match token {
            Some(token) => request.header("authorization", token),
            None => request,
        })
    };
    let tokens = [None, Some(ida_token.as_str()), Some(jan_token.as_str()), Some(reader.as_str())];
    let mut streams = tokens.map(stream);
    let post = |target: &str, token: &str, body: &Value| {
        api.request("POST", target).json(body).header("authorization", token).send().is(201).json()
    };
    let hers = post("/notebooks", &ida_token, &json!({ "title": "Beetles" }));
    let his = post("/notebooks", &jan_token, &json!({ "title": "Ferns" }));
    // single bookmarks cannot be read: their owner lists them
    let bookmark = post("/bookmarks", &jan_token, &json!({ "notebook": reference(&his) }));
    let gone = api.request("DELETE", &path("notebooks", &hers)).header("authorization", &ida_token);
    gone.send().is(204);
    let tag = api.create("/tags", &json!({ "name": "old" }));
    let tag = event_of("tag", "created", &tag);
    let hers = ["created", "deleted"].map(|what| event_of("notebook", what, &hers));
    let his = [event_of("notebook", "created", &his), event_of("bookmark", "created", &bookmark)];
    assert_eq!(streams[0].kinds(1), std::slice::from_ref(&tag));
    assert_eq!(streams[1].kinds(3), [&hers[0], &hers[1], &tag].map(Clone::clone));
    assert_eq!(streams[2].kinds(3), [&his[0], &his[1], &tag].map(Clone::clone));
    assert_eq!(streams[3].kinds(5), [&hers[0], &his[0], &his[1], &hers[1], &tag].map(Clone::clone));
    let bad = api.events("/events").header("authorization", "Bearer nothing").send();
    bad.fails(401, "Unauthenticated").expect_header("www-authenticate");
}

fn edge(api: &Api) {
    let stream = Stream::open(&api.events("/events"));
    let head = stream.head();
    assert_eq!(head.expect_header("content-type"), "text/event-stream");
    assert_eq!(head.expect_header("cache-control"), "no-store");
    assert_eq!(head.header("etag"), None);
    head.expect_header("trace-id");
    api.events("/events").without("user-agent").send().fails(400, "MissingUserAgent");
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let reply = api.request(method, "/events").send().fails(405, "MethodNotAllowed");
        assert_eq!(reply.expect_header("allow"), "GET, HEAD, OPTIONS");
    }
    let reply = api.request("HEAD", "/events").header("accept", "text/event-stream").send().is(200);
    assert_eq!(reply.body, "");
    api.events("/events/").send().fails(404, "ResourceNotFound");
    api.events("/events/x").send().fails(404, "ResourceNotFound");
}

fn accept(api: &Api) {
    for taken in ["text/event-stream", "*/*", "text/*;q=0.1", "application/json, text/event-stream;q=0.5"] {
        Stream::open(&api.events("/events").header("accept", taken));
    }
    for refused in ["application/json", "text/html", "text/event-stream;q=0", "nonsense"] {
        let reply = api.events("/events").header("accept", refused).send().fails(406, "NotAcceptable");
        assert_eq!(reply.errors()[0]["details"], json!({ "served": ["text/event-stream"] }));
    }
    api.events("/events").without("accept").send().fails(406, "NotAcceptable");
}

fn heartbeat(api: &Api) {
    let mut stream = Stream::open(&api.events("/events?resource=photos"));
    let comment = stream.block().expect("a heartbeat");
    assert_eq!(comment.fields, [(String::new(), String::new())], "a comment");
    // what is not shown moves the cursor, and the heartbeat says so
    api.create("/tags", &json!({ "name": "old" }));
    let cursor = (0..20).find_map(|_| stream.block().and_then(|block| block.field("id")));
    let cursor = cursor.expect("a heartbeat with a cursor");
    let tag = api.create("/tags", &json!({ "name": "new" }));
    assert_eq!(Stream::start_after(api, &cursor).kinds(1), [event_of("tag", "created", &tag)]);
}
