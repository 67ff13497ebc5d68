//! Computed fields that not every caller sees (`is` with `visible`), beside others whose expressions bind values, on both
//! stores.

use crate::access::serve;
use crate::market::made;
use libtest_mimic::Failed;
use restwell::testing::TestClient;
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};

const SERVICE: &str = "service: shop\nusers: User\n";

const USER: &str = r#"
resource: User
operations: { create: { access: anyone }, get: {} }
fields:
  name: { type: string, required: true }
"#;

const LINE: &str = r#"
resource: Line
owner: seller
operations: { create: { access: anyone }, get: {}, list: {} }
fields:
  isDear: { type: boolean, is: 'price > 40' }
  seller: { type: ref, to: User, required: true }
  price: { type: integer, required: true }
  cost: { type: integer, visible: [owner] }
  margin: { type: integer, is: 'price - cost - 1', visible: [owner] }
  note: { type: string, visible: [{ when: 'price < 60' }] }
  shout: { type: boolean, is: 'note == "ho"', visible: [{ when: 'price < 60' }] }
  rest: { type: integer, is: '100 - price' }
"#;

const SALE: &str = r#"
resource: Sale
operations: { create: { access: anyone }, get: {}, list: {} }
fields:
  line: { type: ref, to: Line, show: [rest, margin, isDear, shout], required: true }
  others: { type: array, items: { type: ref, to: Line, show: [rest, margin, isDear, shout] } }
"#;

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let api = serve(&[SERVICE, USER, LINE, SALE], server);
    let anyone = api.client();
    let ann = made(&anyone, "/users", &json!({ "name": "Ann" }));
    let as_ann = api.client().as_user(ann.parse::<restwell::Uuid>()?);
    let line = |price: i64| {
        // nobody writes what they would not see
        let note = if price < 60 { json!("ho") } else { Value::Null };
        let body = json!({ "seller": { "id": ann }, "price": price, "cost": 30, "note": note });
        made(&as_ann, "/lines", &body)
    };
    let (cheap, dear) = (line(50), line(80));
    let seen = |client: &TestClient, id: &str| {
        let entity = client.get(&format!("/lines/{id}")).is(200).json;
        let listed = client.get(&format!("/lines?id={id}")).is(200).json["lines"][0].clone();
        assert_eq!(entity, listed);
        ["isDear", "cost", "margin", "note", "shout", "rest"].map(|name| entity[name].clone())
    };
    assert_eq!(seen(&as_ann, &cheap), [json!(true), json!(30), json!(19), json!("ho"), json!(true), json!(50)]);
    assert_eq!(seen(&as_ann, &dear), [json!(true), json!(30), json!(49), Value::Null, Value::Null, json!(20)]);
    let hidden = || Value::Null;
    assert_eq!(seen(&anyone, &cheap), [json!(true), hidden(), hidden(), json!("ho"), json!(true), json!(50)]);
    assert_eq!(seen(&anyone, &dear), [json!(true), hidden(), hidden(), hidden(), hidden(), json!(20)]);

    let sale =
        made(&anyone, "/sales", &json!({ "line": { "id": cheap }, "others": [{ "id": dear }, { "id": cheap }] }));
    let shown = |id: &str, rest: i64, margin: Value, shout: Value| json!({ "id": id, "rest": rest, "margin": margin, "isDear": true, "shout": shout });
    for (client, margins) in [(&as_ann, [json!(19), json!(49)]), (&anyone, [hidden(), hidden()])] {
        let [of_cheap, of_dear] = margins;
        let (cheap, dear) = (shown(&cheap, 50, of_cheap, json!(true)), shown(&dear, 20, of_dear, hidden()));
        let sale = client.get(&format!("/sales/{sale}")).is(200).json;
        assert_eq!((&sale["line"], &sale["others"]), (&cheap, &json!([dear, cheap])));
        assert_eq!(client.get("/sales").is(200).json["sales"], json!([sale]));
    }
    Ok(())
}
