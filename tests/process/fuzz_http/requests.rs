//! Requests that are HTTP, and anything else: every path of the marketplace, bodies near to good ones.

use crate::hostile::{criterion, header, json_value, property, query_part};
use proptest::prelude::*;
use restwell_model::Checked;
use restwell_model::routes::{VARIABLE, endpoints};
use restwell_testkit::http::Request;
use restwell_testkit::market;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use uuid::Uuid;

/// What there is to shoot at.
pub(super) struct Targets {
    /// Every path of the model: with the id of an entity, where it takes one.
    paths: Vec<String>,
    offer: String,
    user: String,
    token: String,
    /// Of a user who owns nothing.
    other: String,
}

impl Targets {
    pub(super) fn of(model: &Checked, ids: &BTreeMap<&str, String>, user: &str, [token, other]: [&str; 2]) -> Self {
        let id = |index: usize| ids[model.resources[index].name.as_str()].clone();
        let path = |pattern: &str, id: &str| {
            pattern.replacen(VARIABLE, id, 1).replacen(VARIABLE, &Uuid::now_v7().to_string(), 1)
        };
        let paths = endpoints(model).into_iter().map(|endpoint| path(&endpoint.pattern, &id(endpoint.resource)));
        let scoped = ["offers", "watches", "transactions"].map(|plural| format!("/users/{user}/{plural}"));
        Self {
            paths: paths.chain(scoped).collect(),
            offer: ids["Offer"].clone(),
            user: user.to_owned(),
            token: token.to_owned(),
            other: other.to_owned(),
        }
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }
}

/// A request of any kind, by anybody, with headers of any sort.
pub(super) fn requests(targets: &Targets) -> BoxedStrategy<Request> {
    let requests = prop_oneof![
        3 => reads(targets),
        3 => creations(targets),
        2 => replacements(targets),
        2 => patches(targets),
        2 => commands(targets),
        2 => searches(),
        2 => anywhere(targets),
    ];
    let token = targets.token.clone();
    let who = prop_oneof![
        4 => Just(Some(token.clone())),
        1 => Just(Some(targets.other.clone())),
        2 => Just(None),
        1 => mutated(token).prop_map(Some),
    ];
    let encodings = ["gzip", "gzip;q=0", "*", "br, gzip;q=0.1", "identity, gzip"];
    let encoding = prop::option::weighted(0.3, prop::sample::select(encodings.to_vec()));
    let headers = prop::collection::vec(header(), 0..3).prop_map(|headers| headers.into_iter().collect::<Vec<_>>());
    let headers = prop_oneof![2 => Just(Vec::new()), 1 => headers];
    let whole = (requests, who, encoding, headers).prop_map(|(request, who, encoding, headers)| {
        let request = who.into_iter().fold(request, |request, token| request.bearer(&token));
        let request = encoding.into_iter().fold(request, |request, value| request.header("accept-encoding", value));
        headers.into_iter().fold(request, |request, (name, value)| request.header(name, value))
    });
    whole.boxed()
}

fn query() -> impl Strategy<Value = String> {
    let parts = prop::collection::vec(query_part(), 0..4).prop_map(|parts| parts.join("&"));
    prop_oneof![1 => Just(String::new()), 2 => parts.prop_map(|query| format!("?{query}"))]
}

fn reads(targets: &Targets) -> BoxedStrategy<Request> {
    let paths = prop::sample::select(targets.paths.clone());
    let methods = prop_oneof![6 => Just("GET"), 1 => Just("HEAD"), 1 => Just("OPTIONS")];
    (methods, paths, query()).prop_map(|(method, path, query)| Request::new(method, &format!("{path}{query}"))).boxed()
}

/// An offer with some of its properties changed.
fn offer(targets: &Targets) -> BoxedStrategy<Value> {
    let user = targets.user.clone();
    let mutations = prop::collection::vec((property(), prop::option::weighted(0.8, json_value())), 0..4);
    let offer = (mutations, "[ -~]{1,80}").prop_map(move |(mutations, name)| {
        let mut body = market::offer(&user, &name);
        for (name, value) in mutations {
            match value {
                Some(value) => body[name] = value,
                None => drop(body.as_object_mut().and_then(|object| object.remove(&name))),
            }
        }
        body
    });
    offer.boxed()
}

fn creations(targets: &Targets) -> BoxedStrategy<Request> {
    let targets_of = ["/offers".to_owned(), "/sale/offers".to_owned(), format!("/users/{}/offers", targets.user)];
    let paths = (prop::sample::select(targets_of.to_vec()), prop::option::weighted(0.3, query()));
    let posts = (paths, offer(targets))
        .prop_map(|((path, query), body)| Request::post(&format!("{path}{}", query.unwrap_or_default()), &body));
    posts.boxed()
}

fn replacements(targets: &Targets) -> BoxedStrategy<Request> {
    let id = targets.offer.clone();
    let views = prop::sample::select(vec!["/offers", "/sale/offers"]);
    let tags =
        prop::option::weighted(0.2, prop::sample::select(vec!["*", "\"a\"", "W/\"a\", \"b\"", "\"", ",", "\"*\""]));
    let puts = (views, offer(targets), tags).prop_map(move |(view, body, tag)| {
        let request = Request::new("PUT", &format!("{view}/{id}")).json(&body);
        tag.into_iter().fold(request, |request, tag| request.header("if-match", tag))
    });
    puts.boxed()
}

/// Operations that are nearly RFC 6902.
fn patches(targets: &Targets) -> BoxedStrategy<Request> {
    let pointer = || {
        let known =
            ["/name", "/images", "/images/0", "/images/-", "/address/city", "/buyNow", "/shippingOptions/0/price"];
        let odd = ["", "/", "//", "name", "/~1", "/~2", "/images/01", "/images/-1", "/images/99999999999999999999"];
        let select = |all: &[&'static str]| prop::sample::select(all.to_vec()).prop_map(str::to_owned);
        prop_oneof![4 => select(&known), 2 => select(&odd), 1 => "(/[a-z0-9~-]{0,6}){0,5}"]
    };
    let operations = ["add", "remove", "replace", "move", "copy", "test", "grow"];
    let operation = (prop::sample::select(operations.to_vec()), pointer(), pointer(), json_value()).prop_map(
        |(op, path, from, value)| match op {
            "move" | "copy" => json!({ "op": op, "path": path, "from": from }),
            "remove" => json!({ "op": op, "path": path }),
            _ => json!({ "op": op, "path": path, "value": value }),
        },
    );
    let operations = prop::collection::vec(prop_oneof![9 => operation, 1 => json_value()], 0..6);
    let bodies = prop_oneof![9 => operations.prop_map(Value::from), 1 => json_value()];
    let target = format!("/sale/offers/{}", targets.offer);
    bodies.prop_map(move |body| Request::new("PATCH", &target).json(&body)).boxed()
}

fn commands(targets: &Targets) -> BoxedStrategy<Request> {
    let (offer, user) = (targets.offer.clone(), targets.user.clone());
    let kinds = [
        (
            format!("/offers/{offer}/renew-commands"),
            json!({ "fromDate": "2026-12-01T08:00:00.000Z", "duration": "P14D" }),
        ),
        (format!("/offers/{offer}/end-commands"), json!({ "reason": "OTHER", "comment": "sold" })),
        (format!("/offers/{offer}/promote-commands"), json!({ "duration": "P7D" })),
        (format!("/users/{user}/block-commands"), json!({ "reason": "a reason" })),
    ];
    // some ids come again
    let ids = prop_oneof![
        3 => any::<u128>().prop_map(|id| Uuid::from_u128(id).to_string()),
        1 => (0..20_u128).prop_map(|id| Uuid::from_u128(id).to_string()),
        1 => "[0-9A-F-]{0,36}",
    ];
    let values = ["", "P1D", "-P1D", "2026-12-01T08:00:00.000Z", "OTHER", "x"].map(Value::from);
    let values = prop_oneof![prop::sample::select(values.to_vec()), json_value()];
    let names = prop::sample::select(vec!["fromDate", "duration", "reason", "comment", "blockedUntil", "budget"]);
    let mutations = prop::collection::vec((names, values), 0..3);
    let requests = (prop::sample::select(kinds.to_vec()), ids, mutations, prop::bool::weighted(0.8)).prop_map(
        |((path, mut body), id, mutations, is_put)| {
            mutations.into_iter().for_each(|(name, value)| body[name] = value);
            let target = format!("{path}/{id}");
            if is_put { Request::new("PUT", &target).json(&body) } else { Request::new("GET", &target) }
        },
    );
    requests.boxed()
}

fn searches() -> BoxedStrategy<Request> {
    let criteria = prop::collection::btree_map(property(), criterion(), 0..4);
    let bodies = criteria.prop_map(|criteria| Value::Object(criteria.into_iter().collect::<Map<_, _>>()));
    let paths = prop::sample::select(vec!["/offer-searches", "/product-searches"]);
    (paths, prop_oneof![6 => bodies, 1 => json_value()]).prop_map(|(path, body)| Request::post(path, &body)).boxed()
}

/// Any method at any path, with any body. What is deleted is only tried to be: the shooting goes on.
fn anywhere(targets: &Targets) -> BoxedStrategy<Request> {
    let segments = prop::collection::vec("[A-Za-z0-9._~!$&'()*+,;=:@%-]{0,8}", 0..5);
    let paths = prop_oneof![
        3 => prop::sample::select(targets.paths.clone()),
        1 => segments.prop_map(|segments| format!("/{}", segments.join("/"))),
    ];
    let methods = prop::sample::select(vec!["POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"]);
    let bytes = prop::collection::vec(any::<u8>(), 0..300);
    let bodies = prop_oneof![
        Just(None),
        bytes.prop_map(Some),
        json_value().prop_map(|body| Some(body.to_string().into_bytes())),
        (0..30_usize).prop_map(|depth| Some([b"[".repeat(depth * 4), b"]".repeat(depth * 4)].concat())),
    ];
    let requests = (methods, paths, bodies).prop_map(|(method, path, body)| {
        let target = if method == "DELETE" { format!("{path}?dryRun=true") } else { path };
        let request = Request::new(method, &target);
        body.into_iter().fold(request, |request, body| request.body(&body))
    });
    requests.boxed()
}

/// A token with some of its characters changed.
fn mutated(token: String) -> BoxedStrategy<String> {
    let cuts = prop::collection::vec((any::<prop::sample::Index>(), "[ -~]"), 1..4);
    let changed = cuts.prop_map(move |cuts| {
        let mut token = token.clone();
        for (place, with) in cuts {
            let place = place.index(token.len());
            token.replace_range(place..=place, &with);
        }
        token
    });
    changed.boxed()
}
