//! §7.2 and the decision "Rejections": a team's own code refuses with the status that it chooses.

use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::path;
use restwell::{Builder, Call, Command, Context, Rejection, Resource, Ruled, Rules, Stored};
use restwell_tests::generated::tag::Tag;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

pub(super) const CASES: &[Case] = &[
    ("§7.2 a rule refuses with 403, 404 or 409, with its own code", statuses),
    ("Rejections: rules of a resource in YAML refuse in the same way", of_yaml),
    ("Rejections: of several, those with one status are listed", several),
    ("Rejections: one that is not about values stands alone", alone),
    ("Rejections: a dry run gets the same status", dry_run),
    ("Rejections: what is done later is refused at once", later),
    ("Rejections: a handler's ends the command FAILED with its code", of_handlers),
];

/// Something that the rules refuse by its name.
#[derive(Debug, Clone, Resource)]
#[resource(operations(
    create(access = anyone),
    list,
    get,
    update(access = anyone),
    patch(access = anyone),
    delete(access = anyone)
))]
struct Letter {
    #[field(max_length = 20, unique)]
    name: String,
}

/// What is done later.
#[derive(Debug, Clone, Resource)]
#[resource(operations(create(access = anyone, async), get))]
struct Parcel {
    name: String,
}

/// Refuses as its input says.
#[derive(Debug, Clone, Command)]
#[command(on = Letter, access = anyone)]
struct Forward {
    name: String,
}

struct Desk;

/// How a name is refused.
fn refusal(name: &str) -> Ruled {
    let forbidden = || Rejection::forbidden("Sealed", "is sealed by {who}").at("name").with("who", "the king");
    let lost = || Rejection::not_found("Lost", "nobody knows it");
    let late = || Rejection::conflict("Late", "the post has left").at("name");
    match name {
        "sealed" => Err(forbidden()),
        "lost" => Err(lost()),
        "late" => Err(late()),
        "wrong" => Err(Rejection::new("Wrong", "is wrong").at("name")),
        "all" => Err(Rejection::new("Wrong", "is wrong").and(late()).and(forbidden()).and(forbidden())),
        "everything" => Err(late().and(lost()).and(forbidden())),
        _ => Ok(()),
    }
}

impl Rules<Letter> for Desk {
    async fn validate(&self, letter: &Letter, _: Option<&Stored<Letter>>, _: &Context<'_>) -> Ruled {
        refusal(&letter.name)
    }

    async fn before_delete(&self, letter: &Stored<Letter>, _: &Context<'_>) -> Ruled {
        refusal(letter.name.trim_start_matches("kept, "))
    }
}

impl Rules<Parcel> for Desk {
    async fn validate(&self, parcel: &Parcel, _: Option<&Stored<Parcel>>, _: &Context<'_>) -> Ruled {
        refusal(&parcel.name)
    }
}

impl Rules<Tag> for Desk {
    async fn validate(&self, tag: &Tag, _: Option<&Stored<Tag>>, _: &Context<'_>) -> Ruled {
        refusal(&tag.name)
    }
}

async fn forward(call: Call<Forward>) -> Result<(), Rejection> {
    let mut letter = call.entity;
    letter.name = "forwarded".to_owned();
    call.transaction.update(letter).await?;
    refusal(&call.input.name)
}

fn desk() -> Builder {
    let builder = Builder::new("desk").resource::<Letter>().resource::<Parcel>();
    builder.rules::<Letter>(Desk).rules::<Parcel>(Desk).handle(forward)
}

const STATUSES: [(&str, u16, &str, Option<&str>); 4] = [
    ("sealed", 403, "Sealed", Some("name")),
    ("lost", 404, "Lost", None),
    ("late", 409, "Late", Some("name")),
    ("wrong", 422, "Wrong", Some("name")),
];

/// The errors must be these, in the shape of §7.1.
#[track_caller]
fn refused(reply: Reply, status: u16, codes: &[&str]) -> Vec<Value> {
    let reply = reply.is(status);
    let errors = reply.errors();
    let found: Vec<_> = errors.iter().map(|error| error["code"].as_str().unwrap_or_default()).collect();
    assert_eq!(found, codes, "{reply}");
    errors
}

fn statuses(api: &Api) {
    let api = api.of(desk);
    let letter = path("letters", &api.create("/letters", &json!({ "name": "fine" })));
    for (name, status, code, at) in STATUSES {
        let body = json!({ "name": name });
        let patch = json!([{ "op": "replace", "path": "/name", "value": name }]);
        for reply in [api.post("/letters", &body), api.put(&letter, &body), api.patch(&letter, &patch)] {
            let errors = refused(reply, status, &[code]);
            assert_eq!(errors[0]["path"], json!(at));
        }
        let kept = api.create("/letters", &json!({ "name": format!("kept, {name}") }));
        refused(api.delete(&path("letters", &kept)), status, &[code]);
        api.get(&path("letters", &kept)).is(200);
    }
    let errors = refused(api.post("/letters", &json!({ "name": "sealed" })), 403, &["Sealed"]);
    assert_eq!(errors[0]["message"], "is sealed by the king");
    assert_eq!(errors[0]["details"], json!({ "who": "the king" }));
    assert_eq!(api.get(&letter).is(200).json()["name"], "fine");
    assert_eq!(api.get("/letters").is(200).json()["count"], 5);
}

fn of_yaml(api: &Api) {
    let api = api.of(|| restwell_tests::generated_service().rules::<Tag>(Desk));
    for (name, status, code, _) in STATUSES {
        refused(api.post("/tags", &json!({ "name": name })), status, &[code]);
    }
}

fn several(api: &Api) {
    let api = api.of(desk);
    refused(api.post("/letters", &json!({ "name": "all" })), 403, &["Sealed", "Sealed"]);
    refused(api.post("/letters", &json!({ "name": "everything" })), 404, &["Lost"]);
}

fn alone(api: &Api) {
    let api = api.of(desk);
    // an invalid body is refused before rules run; they see what the store would refuse, and stand for it
    refused(api.post("/letters", &json!({ "name": "sealed", "size": 1 })), 422, &["UnknownProperty"]);
    for (first, second) in [("sealed", 403), ("wrong", 422)] {
        refused(api.post("/letters?nothing=1", &json!({ "name": first })), 422, &["UnknownParameter"]);
        api.post("/letters", &json!({ "name": first })).is(second);
    }
}

fn dry_run(api: &Api) {
    let api = api.of(desk);
    for (name, status, code, _) in STATUSES {
        refused(api.post("/letters?dryRun=true", &json!({ "name": name })), status, &[code]);
    }
    // whichever field is asked for: it is not about one
    refused(api.post("/letters?dryRun=true&include=name", &json!({ "name": "sealed" })), 403, &["Sealed"]);
}

fn later(api: &Api) {
    let api = api.of(desk);
    for (name, status, code, _) in STATUSES {
        refused(api.post("/parcels", &json!({ "name": name })), status, &[code]);
    }
    api.post("/parcels", &json!({ "name": "fine" })).is(202);
}

fn of_handlers(api: &Api) {
    let api = api.of(desk);
    for (index, (name, _, code, _)) in STATUSES.into_iter().enumerate() {
        let letter = path("letters", &api.create("/letters", &json!({ "name": code })));
        let command = format!("{letter}/forward-commands/01890a5d-ac96-774b-bcce-b302099a810{index}");
        api.put(&command, &json!({ "name": name })).is(201);
        let begun = Instant::now();
        let ended = loop {
            let found = api.get(&command).is(200).json();
            if found["status"] != "RUNNING" {
                break found;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "{found}");
            std::thread::sleep(Duration::from_millis(5));
        };
        assert_eq!(ended["status"], "FAILED", "{ended}");
        assert_eq!(ended["errors"][0]["code"], code, "{ended}");
        assert_eq!(api.get(&letter).is(200).json()["name"], code, "nothing is done");
    }
}
