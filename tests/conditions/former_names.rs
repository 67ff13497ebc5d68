//! A field that not every caller sees is as hidden under its former name, and so are fields of hidden objects and of
//! elements of hidden arrays, on both stores.

use crate::access::names;
use crate::market::{Market, SERVICE, USER, made};
use libtest_mimic::Failed;
use restwell::testing::{TestClient, TestResponse};
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};

const DOCUMENTS: [&str; 4] = [
    SERVICE,
    USER,
    r#"
object: Place
fields:
  city: { type: string, filter: true, formerly: { name: town, sunset: "2999-01-01" } }
"#,
    r#"
resource: Offer
owner: seller
operations:
  create: { access: user }
  list: {}
  get: {}
  update: { access: user }
  patch: { access: user }
search: true
fields:
  name: { type: string, required: true }
  seller: { type: ref, to: User, required: true }
  public: { type: string }
  note:
    type: string
    visible: owner
    filter: [startsWith]
    sort: true
    formerly: { name: remark, sunset: "2999-01-01" }
  place: { type: Place, visible: owner }
  places: { type: array, items: { type: Place }, visible: owner }
"#,
];

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let market = Market::new(&DOCUMENTS, server);
    let body = json!({
        "name": "offer",
        "seller": { "id": market.ann },
        "note": "secret",
        "place": { "city": "Hel" },
        "places": [{ "city": "Hel" }],
    });
    let path = format!("/offers/{}", made(&market.ann(), "/offers", &body));
    let whole: Value = market.ann().get(&path).is(200).read();
    assert_eq!((&whole["remark"], &whole["places"][0]["town"]), (&json!("secret"), &json!("Hel")));
    assert_eq!(whole["place"], json!({ "city": "Hel", "town": "Hel" }));
    responses_show_nothing(&market, &path);
    nothing_is_found_by_it(&market);
    patches_find_null(&market, &path);
    nothing_is_set(&market, &path);
    let now: Value = market.ann().get(&path).is(200).read();
    let hidden = ["note", "remark", "place", "places"];
    assert_eq!(hidden.map(|name| &now[name]), hidden.map(|name| &whole[name]));
    assert_eq!(now["public"], Value::Null);
    Ok(())
}

fn responses_show_nothing(market: &Market, path: &str) {
    for client in [market.nobody(), market.bob()] {
        let seen: Value = client.get(path).is(200).read();
        assert_eq!((&seen["note"], &seen["remark"]), (&Value::Null, &Value::Null));
        assert_eq!((&seen["place"], &seen["places"]), (&Value::Null, &json!([])));
        assert_eq!(client.get("/offers").is(200).json["offers"], json!([seen]));
    }
}

fn nothing_is_found_by_it(market: &Market) {
    for filter in ["remark=secret", "remark.startsWith=s", "place.city=Hel", "place.town=Hel"] {
        let found = |client: TestClient| names(&list(&client, filter)).1;
        assert_eq!((found(market.bob()), found(market.ann())), (0, 1), "{filter}");
    }
    assert_eq!(names(&list(&market.bob(), "remark=")).1, 1);
    for criteria in
        [json!({ "remark": "secret" }), json!({ "place": { "town": "Hel" } }), json!({ "places": [{ "town": "Hel" }] })]
    {
        let search = made(&market.bob(), "/offer-searches", &criteria);
        let found = |client: TestClient| names(&list(&client, &format!("search.id={search}"))).1;
        assert_eq!((found(market.bob()), found(market.ann())), (0, 1), "{criteria}");
    }
}

fn list(client: &TestClient, query: &str) -> TestResponse {
    client.get(&format!("/offers?{query}")).is(200)
}

fn patches_find_null(market: &Market, path: &str) {
    for name in ["/note", "/remark"] {
        let test = |value: Value| json!([{ "op": "test", "path": name, "value": value }]);
        assert_eq!(market.bob().patch(path, test(json!("secret"))).is(422).errors()[0].0, "TestFailed");
        market.bob().patch(path, test(Value::Null)).is(200);
        // what is copied or moved to a field that all see is null
        for op in ["copy", "move"] {
            market.bob().patch(path, json!([{ "op": op, "from": name, "path": "/public" }])).is(200);
        }
        market.bob().patch(path, json!([{ "op": "remove", "path": name }])).is(200);
    }
    let inside = json!([{ "op": "copy", "from": "/places/0/town", "path": "/public" }]);
    assert_eq!(market.bob().patch(path, inside).is(422).errors()[0].0, "InvalidPatch");
}

fn nothing_is_set(market: &Market, path: &str) {
    let body = |name: &str, value: Value| json!({ "name": "offer", "seller": { "id": market.ann }, name: value });
    for (name, at, value) in [
        ("remark", "note", json!("other")),
        ("remark", "note", json!("secret")),
        ("place", "place", json!({ "town": "Hel" })),
        ("places", "places", json!([{ "town": "Hel" }])),
    ] {
        assert_eq!(market.bob().put(path, body(name, value)).is(403).errors(), [("Forbidden", Some(at))]);
    }
    market.bob().put(path, body("remark", Value::Null)).is(200);
}
