//! §5 and the decision "Views and owners": who may do what.

use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::{NOBODY, created, id, keeper, names, path, price, reference, specimen};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§5 an operation that needs credentials is 401 without", unauthenticated),
    ("§5 another's entity is 403", forbidden),
    ("Views and owners: a list holds the caller's own", own_list),
    ("Views and owners: a scope sees all", scope_list),
    ("Views and owners: creating sets the owner from the token", owner_from_token),
    ("Views and owners: naming another owner is 403, but for a scope", naming_others),
    ("Views and owners: giving one's own away needs the scope", giving_away),
    ("Views and owners: a scoped path that names another owner is 403", scoped_path),
    ("§5 /sale/ needs credentials and shows the caller's own", sale_view),
    ("Versions: a field of a view is unknown elsewhere, and kept by PUT there", view_fields),
    ("§2.1 a view through another resource", through_view),
];

/// A keeper, and what they send.
pub(super) struct Caller<'a> {
    api: &'a Api,
    pub(super) keeper: Value,
    pub(super) token: String,
}

impl<'a> Caller<'a> {
    pub(super) fn new(api: &'a Api, name: &str, scopes: &[&str]) -> Self {
        let keeper = keeper(api, name);
        let token = api.bearer(&keeper, scopes);
        Self { api, keeper, token }
    }

    pub(super) fn get(&self, target: &str) -> Reply {
        self.api.request("GET", target).header("authorization", &self.token).send()
    }

    pub(super) fn delete(&self, target: &str) -> Reply {
        self.api.request("DELETE", target).header("authorization", &self.token).send()
    }

    pub(super) fn send(&self, method: &str, target: &str, body: &Value) -> Reply {
        self.api.request(method, target).json(body).header("authorization", &self.token).send()
    }

    #[track_caller]
    pub(super) fn notebook(&self, title: &str) -> Value {
        self.send("POST", "/notebooks", &json!({ "title": title })).is(201).json()
    }
}

fn unauthenticated(api: &Api) {
    let ida = Caller::new(api, "Ida", &[]);
    let notebook = path("notebooks", &ida.notebook("Beetles"));
    let body = json!({ "title": "Mine", "keeper": reference(&ida.keeper) });
    let replies = [
        api.get("/notebooks"),
        api.get(&notebook),
        api.post("/notebooks", &body),
        api.put(&notebook, &body),
        api.delete(&notebook),
        api.get("/bookmarked-notebooks"),
        api.get("/sale/specimens"),
    ];
    for reply in replies {
        let reply = reply.fails(401, "Unauthenticated");
        assert!(reply.expect_header("www-authenticate").starts_with("Bearer"), "{reply}");
    }
}

fn forbidden(api: &Api) {
    let [ida, jan] = ["Ida", "Jan"].map(|name| Caller::new(api, name, &[]));
    let notebook = path("notebooks", &ida.notebook("Beetles"));
    jan.get(&notebook).fails(403, "Forbidden");
    jan.send("PUT", &notebook, &json!({ "title": "Mine", "keeper": reference(&jan.keeper) })).fails(403, "Forbidden");
    jan.delete(&notebook).fails(403, "Forbidden");
    ida.get(&notebook).is(200);
    let body = json!({ "title": "Moths", "keeper": reference(&ida.keeper) });
    assert_eq!(ida.send("PUT", &notebook, &body).is(200).json()["title"], "Moths");
    ida.delete(&notebook).is(204);
}

fn own_list(api: &Api) {
    let [ida, jan] = ["Ida", "Jan"].map(|name| Caller::new(api, name, &[]));
    let notebook = ida.notebook("Beetles");
    jan.notebook("Moths");
    assert_eq!(ida.get("/notebooks").is(200).json(), json!({ "notebooks": [notebook], "count": 1 }));
    assert_eq!(ida.get("/notebooks?title=Moths").is(200).json(), json!({ "notebooks": [], "count": 0 }));
}

fn scope_list(api: &Api) {
    let ida = Caller::new(api, "Ida", &[]);
    let reader = Caller::new(api, "Reader", &["other", "notebooks.read"]);
    let notebook = ida.notebook("Beetles");
    assert_eq!(reader.get("/notebooks").is(200).json(), json!({ "notebooks": [notebook], "count": 1 }));
    reader.get(&path("notebooks", &notebook)).is(200);
    reader.delete(&path("notebooks", &notebook)).fails(403, "Forbidden");
    let near = Caller::new(api, "Near", &["notebooks.readonly", "notebooks"]);
    assert_eq!(near.get("/notebooks").is(200).json()["count"], 0);
}

fn owner_from_token(api: &Api) {
    let ida = Caller::new(api, "Ida", &[]);
    let notebook = ida.notebook("Beetles");
    assert_eq!(notebook["keeper"], json!({ "id": id(&ida.keeper), "name": "Ida" }));
    let named = json!({ "title": "Moths", "keeper": reference(&ida.keeper) });
    ida.send("POST", "/notebooks", &named).is(201);
    let hers = ida.send("POST", "/specimens", &specimen(&json!({}))).is(201).json();
    assert_eq!(hers["keeper"]["id"], ida.keeper["id"]);
    assert_eq!(created(api, &json!({}))["keeper"], Value::Null, "nobody's, without a token");
}

fn naming_others(api: &Api) {
    let [ida, jan] = ["Ida", "Jan"].map(|name| Caller::new(api, name, &[]));
    let writer = Caller::new(api, "Writer", &["notebooks.write"]);
    let body = json!({ "title": "Beetles", "keeper": reference(&ida.keeper) });
    jan.send("POST", "/notebooks", &body).fails(403, "Forbidden");
    assert_eq!(writer.send("POST", "/notebooks", &body).is(201).json()["keeper"]["name"], "Ida");
    // anyone may create a specimen, for whomever
    let body = specimen(&json!({ "keeper": reference(&ida.keeper) }));
    assert_eq!(jan.send("POST", "/specimens", &body).is(201).json()["keeper"]["name"], "Ida");
}

fn giving_away(api: &Api) {
    let [ida, jan] = ["Ida", "Jan"].map(|name| Caller::new(api, name, &[]));
    let writer = Caller::new(api, "Writer", &["notebooks.write"]);
    let notebook = path("notebooks", &ida.notebook("Beetles"));
    let body = json!({ "title": "Beetles", "keeper": reference(&jan.keeper) });
    ida.send("PUT", &notebook, &body).fails(403, "Forbidden");
    assert_eq!(writer.send("PUT", &notebook, &body).is(200).json()["keeper"]["name"], "Jan");
}

fn scoped_path(api: &Api) {
    let [ida, jan] = ["Ida", "Jan"].map(|name| Caller::new(api, name, &[]));
    let notebook = ida.notebook("Beetles");
    let hers = format!("{}/notebooks", path("keepers", &ida.keeper));
    assert_eq!(ida.get(&hers).is(200).json()["notebooks"], json!([notebook]));
    jan.get(&hers).fails(403, "Forbidden");
    jan.send("POST", &hers, &json!({ "title": "Moths" })).fails(403, "Forbidden");
    api.get(&hers).fails(401, "Unauthenticated");
    ida.send("POST", &hers, &json!({ "title": "Moths" })).is(201);
}

fn sale_view(api: &Api) {
    let [ida, jan] = ["Ida", "Jan"].map(|name| Caller::new(api, name, &[]));
    let body = specimen(&json!({ "costPrice": price("1", "PLN") }));
    let hers = ida.send("POST", "/sale/specimens", &body).is(201).json();
    assert_eq!(hers["costPrice"], price("1.00", "PLN"));
    assert_eq!(hers["keeper"]["name"], "Ida");
    jan.send("POST", "/sale/specimens", &body).is(201);
    assert_eq!(ida.get("/sale/specimens").is(200).json(), json!({ "specimens": [hers], "count": 1 }));
    ida.get(&format!("/sale{}", path("specimens", &hers))).is(200);
    jan.get(&format!("/sale{}", path("specimens", &hers))).fails(403, "Forbidden");
    api.get(&format!("/sale/specimens/{NOBODY}")).fails(401, "Unauthenticated");
    api.post("/sale/specimens", &body).fails(401, "Unauthenticated");
    let shown = api.get(&path("specimens", &hers)).is(200).json();
    assert!(shown.get("costPrice").is_none(), "{shown}");
}

fn view_fields(api: &Api) {
    let ida = Caller::new(api, "Ida", &[]);
    let price_body = json!({ "costPrice": price("1", "PLN") });
    api.post("/specimens", &specimen(&price_body)).refused(&[("UnknownProperty", "costPrice")]);
    api.get("/specimens?costPrice.amount=1").refused(&[("UnknownParameter", "costPrice.amount")]);
    let hers = ida.send("POST", "/sale/specimens", &specimen(&price_body)).is(201).json();
    let body = specimen(&json!({ "name": "Beetle", "keeper": reference(&ida.keeper) }));
    api.put(&path("specimens", &hers), &body).is(200);
    let shown = ida.get(&format!("/sale{}", path("specimens", &hers))).is(200).json();
    assert_eq!((&shown["name"], &shown["costPrice"]), (&json!("Beetle"), &price("1.00", "PLN")));
    assert_eq!(ida.get("/sale/specimens?costPrice.amount=1").is(200).json()["count"], 1);
    assert_eq!(ida.get("/sale/specimens?costPrice.amount.gt=1").is(200).json()["count"], 0);
    assert_eq!(names(api, "/specimens"), ["Beetle"]);
}

fn through_view(api: &Api) {
    let [ida, jan] = ["Ida", "Jan"].map(|name| Caller::new(api, name, &[]));
    let [beetles, moths] = ["Beetles", "Moths"].map(|title| ida.notebook(title));
    jan.send("POST", "/bookmarks", &json!({ "notebook": reference(&beetles) })).is(201);
    ida.send("POST", "/bookmarks", &json!({ "notebook": reference(&moths) })).is(201);
    assert_eq!(jan.get("/bookmarked-notebooks").is(200).json(), json!({ "notebooks": [beetles], "count": 1 }));
    assert_eq!(ida.get("/bookmarked-notebooks").is(200).json(), json!({ "notebooks": [moths], "count": 1 }));
    assert_eq!(jan.get("/bookmarked-notebooks?title=Moths").is(200).json()["count"], 0);
}
