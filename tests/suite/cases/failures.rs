//! §7.2: failures that are not the client's: what the service, or a service behind it, did not do.

use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::{NOBODY, created, path};
use restwell::{
    Authentication, Authenticator, Builder, Context, Credentials, Denied, Rejection, Resource, Ruled, Rules, Stored,
};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    ("§7.2 a URI that is too long is 414", too_long),
    ("§7.2 any unexpected error is 500, without its reason", unforeseen),
    ("§7.2 what is announced and not ready is 501", not_ready),
    ("§7.2 what another service fails to do is 502, what it is late with 504", upstream),
    ("§7.2 who cannot tell whether credentials are good answers 503", unavailable),
];

/// What only the log may have.
const SECRET: &str = "the key under the doormat";

/// Something that others must be asked about.
#[derive(Debug, Clone, Resource)]
struct Parcel {
    name: String,
}

/// Fails as a parcel's name says.
struct Carrier;

impl Rules<Parcel> for Carrier {
    async fn validate(&self, parcel: &Parcel, _: Option<&Stored<Parcel>>, _: &Context<'_>) -> Ruled {
        match parcel.name.as_str() {
            "broken" => Err(Rejection::upstream(SECRET)),
            "late" => Err(Rejection::upstream_late(SECRET)),
            "unforeseen" => Err(std::io::Error::other(SECRET).into()),
            "panic" => panic!("{SECRET}"),
            _ => Ok(()),
        }
    }
}

fn carrier() -> Builder {
    Builder::new("carrier").resource::<Parcel>().rules(Carrier)
}

/// An authenticator that cannot ask who it must.
struct Away;

impl Authenticator for Away {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> Authentication<'a> {
        match credentials.bearer() {
            Ok(Some(_)) => Err(Denied::Unavailable(SECRET.to_owned())).into(),
            other => other.map(|_| None).into(),
        }
    }
}

#[track_caller]
fn tells_nothing(reply: &Reply) {
    assert!(!reply.body.contains("doormat"), "{reply}");
}

fn too_long(api: &Api) {
    let target = |length: usize| format!("/specimens?name={}", "a".repeat(length - "/specimens?name=".len()));
    api.get(&target(8192)).is(200);
    let reply = api.get(&target(8193)).fails(414, "UriTooLong");
    assert_eq!(reply.errors()[0]["details"], json!({ "maxLength": 8192 }));
}

fn unforeseen(api: &Api) {
    let api = api.of(carrier);
    for name in ["unforeseen", "panic"] {
        tells_nothing(&api.post("/parcels", &json!({ "name": name })).fails(500, "InternalError"));
    }
    // one request's trouble is no other's
    api.create("/parcels", &json!({ "name": "fine" }));
    assert_eq!(api.get("/parcels").is(200).json()["count"], 1);
}

fn not_ready(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    api.put(&format!("{entity}/archive-commands/{NOBODY}"), &json!({ "reason": "x" })).fails(501, "NotReady");
    api.get(&format!("{entity}/archive-commands/{NOBODY}")).fails(404, "ResourceNotFound");
}

fn upstream(api: &Api) {
    let api = api.of(carrier);
    let parcel = path("parcels", &api.create("/parcels", &json!({ "name": "fine" })));
    for (name, status, code) in [("broken", 502, "BadGateway"), ("late", 504, "GatewayTimeout")] {
        let body = json!({ "name": name });
        tells_nothing(&api.post("/parcels", &body).fails(status, code));
        tells_nothing(&api.put(&parcel, &body).fails(status, code));
    }
    assert_eq!(api.get("/parcels").is(200).json()["count"], 1);
    assert_eq!(api.get(&parcel).is(200).json()["name"], "fine");
}

fn unavailable(api: &Api) {
    let api = api.again(|setup| setup.authenticator(Away));
    let reply = api.request("GET", "/specimens").header("authorization", "Bearer any").send();
    let reply = reply.fails(503, "Unavailable");
    assert_eq!(reply.expect_header("retry-after"), "1");
    tells_nothing(&reply);
    api.get("/specimens").is(200);
}
