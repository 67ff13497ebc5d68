//! The decision "Credentials": users that are found by the subjects of their tokens, and made at their first. Each for
//! a service of structs and for one of YAML.

use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::path;
use restwell::{Builder, Context, Interpreted, Ref, Resource, Ruled, Rules, Stored};
use restwell_generator::{File, compile};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("Credentials: a user is made of the claims at the first token of a subject", first_token),
    ("Credentials: claims that do not make a user are 401", no_user),
    ("Credentials: a subject that is a UUID is not the user of this id", not_by_id),
    ("Credentials: without provision a subject is nobody until a user has it", found),
    ("Credentials: many first requests make one user", many),
    ("Credentials: rules are run for users that are made", by_rules),
    ("Credentials: `owner: id`: users change themselves only", owns_itself),
];

/// Somebody who books rooms.
#[derive(Debug, Clone, Resource)]
#[resource(
    owner = id,
    operations(create(access = "scope:admin"), list, get, update(access = owner), delete(access = owner))
)]
struct Member {
    #[field(max_length = 40)]
    name: String,
    #[field(unique, format = "email")]
    email: Option<String>,
    /// Whether the e-mail address is known to be theirs.
    #[field(default = false)]
    verified: Option<bool>,
    #[field(unique, read_only, max_length = 300)]
    external_id: Option<String>,
}

/// What they write.
#[derive(Debug, Clone, Resource)]
#[resource(owner = author, operations(create(access = user), list(access = owner), get(access = owner)))]
struct Note {
    author: Ref<Member>,
}

const MEMBER: &str = "
resource: Member
owner: id
operations:
  create: { access: 'scope:admin' }
  list:
  get:
  update: { access: owner }
  delete: { access: owner }
fields:
  name: { type: string, required: true, maxLength: 40 }
  email: { type: string, format: email, unique: true }
  verified: { type: boolean, default: false }
  externalId: { type: string, maxLength: 300, readOnly: true, unique: true }
";

const NOTE: &str = "
resource: Note
owner: author
operations: { create: { access: user }, list: { access: owner }, get: { access: owner } }
fields: { author: { type: ref, to: Member, required: true } }
";

fn by_derives() -> Builder {
    let builder = Builder::new("notes").users::<Member>().user_subject("externalId");
    let claims = [("name", "name"), ("email", "email"), ("verified", "email_verified")];
    builder.provision_users(&claims).resource::<Note>()
}

fn interpreted(users: &str) -> Builder {
    let service = format!("service: notes\nusers: {users}\n");
    let file = |(name, text): (&str, &str)| File::new(name, text.as_bytes().to_vec());
    let files = [("service.yaml", service.as_str()), ("member.yaml", MEMBER), ("note.yaml", NOTE)].map(file);
    let compiled = compile(&files);
    let (model, _) = compiled.service.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    Builder::interpreted(Interpreted::of(model))
}

fn by_yaml() -> Builder {
    interpreted(
        "{ resource: Member, subject: externalId, \
         provision: { name: name, email: email, verified: email_verified } }",
    )
}

fn unprovisioned() -> Builder {
    interpreted("{ resource: Member, subject: externalId }")
}

const BOTH: [fn() -> Builder; 2] = [by_derives, by_yaml];
const ANN: &str = "auth0|507f1f77bcf86cd799439011";
/// The version 5 UUID of it, in the namespace that is that of the issuer: `uuid5(uuid5(URL, "development"), ANN)`.
const ANNS_ID: &str = "57fe21d3-b4c8-5edc-b962-fca06fe642c3";

fn claims(name: &str) -> Value {
    let email = format!("{}@example.com", name.to_lowercase());
    json!({ "name": name, "email": email, "email_verified": true, "picture": "https://example.com/a.png" })
}

fn send(api: &Api, method: &str, target: &str, body: Option<&Value>, subject: &str, claims: &Value) -> Reply {
    let authorization = format!("Bearer {}", api.token_of(subject, &[], claims));
    let request = api.request(method, target).header("authorization", &authorization);
    match body {
        Some(body) => request.json(body),
        None => request,
    }
    .send()
}

fn first_token(api: &Api) {
    for service in BOTH {
        let api = api.of(service);
        let note = send(&api, "POST", "/notes", Some(&json!({})), ANN, &claims("Ann")).is(201).json();
        assert_eq!(note["author"]["id"], ANNS_ID);
        let member = api.get(&format!("/members/{ANNS_ID}")).is(200).json();
        assert_eq!(member["name"], "Ann");
        assert_eq!(member["email"], "ann@example.com");
        assert_eq!(member["verified"], true);
        assert_eq!(member["externalId"], ANN);
        // the second token makes nothing, whatever it says
        send(&api, "POST", "/notes", Some(&json!({})), ANN, &claims("Annie")).is(201);
        let members = api.get("/members").is(200).json();
        assert_eq!((&members["count"], &members["members"][0]["name"]), (&json!(1), &json!("Ann")));
        assert_eq!(send(&api, "GET", "/notes", None, ANN, &json!({})).is(200).json()["count"], 2);
        let other = send(&api, "GET", "/notes", None, "google|1", &claims("Bob")).is(200).json();
        assert_eq!(other["count"], 0, "they are Ann's");
    }
}

fn no_user(api: &Api) {
    for service in BOTH {
        let api = api.of(service);
        send(&api, "GET", "/notes", None, ANN, &claims("Ann")).is(200);
        for (subject, claims, reason) in [
            ("a", json!({}), "`name` is required"),
            ("a", json!({ "name": 5 }), "`name` must be of type string"),
            ("a", json!({ "name": "x".repeat(41) }), "`name` must have at most 40"),
            ("a", json!({ "name": "Ann", "email": "no" }), "`email` must be an e-mail"),
            ("a", json!({ "name": "Ann", "email": "ann@example.com" }), "`email` is taken"),
        ] {
            let reply = send(&api, "GET", "/notes", None, subject, &claims).is(401);
            let told = reply.errors()[0]["details"]["reason"].to_string();
            assert!(told.contains(reason), "{reason}: {told}");
        }
        assert_eq!(api.get("/members").json()["count"], 1);
    }
}

/// With the development key one may be anybody; what an issuer calls somebody is not an id.
fn not_by_id(api: &Api) {
    for service in BOTH {
        let api = api.of(service);
        send(&api, "GET", "/notes", None, ANN, &claims("Ann")).is(200);
        send(&api, "POST", "/notes", Some(&json!({})), ANNS_ID, &json!({})).is(201);
        assert_eq!(send(&api, "GET", "/notes", None, ANN, &json!({})).json()["count"], 1, "of the development key");
        let unknown = "019e7045-7260-726b-b2a7-4de452e6b438";
        send(&api, "GET", "/notes", None, unknown, &claims("Bob")).is(200);
        let members = api.get("/members").json()["members"].clone();
        let bob = members.as_array().and_then(|all| all.iter().find(|it| it["name"] == "Bob")).expect("Bob").clone();
        assert_eq!(bob["externalId"], unknown);
        assert_ne!(bob["id"], unknown);
    }
}

fn found(api: &Api) {
    let api = api.of(unprovisioned);
    assert_eq!(send(&api, "GET", "/notes", None, ANN, &claims("Ann")).is(200).json()["count"], 0);
    assert_eq!(api.get("/members").json()["count"], 0);
    send(&api, "POST", "/notes", Some(&json!({})), ANN, &claims("Ann")).refused(&[("NotFound", "author.id")]);
}

fn many(api: &Api) {
    for service in BOTH {
        let api = api.of(service);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| send(&api, "POST", "/notes", Some(&json!({})), ANN, &claims("Ann")).is(201));
            }
        });
        assert_eq!(api.get("/members").json()["count"], 1);
        assert_eq!(send(&api, "GET", "/notes", None, ANN, &json!({})).json()["count"], 16);
    }
}

struct Shouting;

impl Rules<Member> for Shouting {
    async fn before_create(&self, member: &mut Member, context: &Context<'_>) -> Ruled {
        let picture = context.caller.and_then(|caller| caller.claim("picture"));
        member.name = format!("{} {}", member.name, picture.is_some());
        Ok(())
    }

    async fn validate(&self, _: &Member, _: Option<&Stored<Member>>, _: &Context<'_>) -> Ruled {
        Ok(())
    }
}

fn by_rules(api: &Api) {
    let api = api.of(|| by_derives().rules(Shouting));
    send(&api, "GET", "/notes", None, ANN, &claims("Ann")).is(200);
    assert_eq!(api.get(&format!("/members/{ANNS_ID}")).json()["name"], "Ann true");
}

fn owns_itself(api: &Api) {
    for service in BOTH {
        let api = api.of(service);
        for name in ["Ann", "Bob"] {
            send(&api, "GET", "/notes", None, name, &claims(name)).is(200);
        }
        let members = api.get("/members").json();
        for member in members["members"].as_array().expect("members") {
            let (own, other) = if member["name"] == "Ann" { ("Ann", "Bob") } else { ("Bob", "Ann") };
            let (target, body) = (path("members", member), json!({ "name": format!("{own}!") }));
            send(&api, "PUT", &target, Some(&body), other, &json!({})).fails(403, "Forbidden");
            api.put(&target, &body).is(401);
            let reply = send(&api, "PUT", &target, Some(&body), own, &json!({})).is(200).json();
            assert_eq!(reply["externalId"], own, "which clients do not set");
        }
    }
}
