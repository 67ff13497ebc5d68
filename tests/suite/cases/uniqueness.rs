//! What no two entities may share: the decision "Deleting", and `unique` of the language.

use crate::Case;
use crate::client::Api;
use crate::specimen::{created, id, keeper, path, reference, specimen};
use serde_json::{Value, json};
use std::thread;

pub(super) const CASES: &[Case] = &[
    ("Deleting: a broken uniqueness is NotUnique at its path", single),
    ("§2 null is never equal to null", nulls),
    ("Errors: a combination is named by its first field", combined),
    ("Errors: a combination's first field is as deep as the fault", combined_references),
    ("unique: ignoreCase: a value is taken in every case, for every write", in_any_case),
    ("unique: ignoreCase: it folds case in all scripts, and nothing else", folded),
    ("unique: ignoreCase: the case of one's own value may change, and is kept as it is written", own_case),
    ("unique: ignoreCase: an asynchronous operation is refused at once", case_of_async),
    ("unique: ignoreCase: a handler's creation is refused", case_of_handlers),
    ("unique: ignoreCase: of concurrent creations one wins", case_at_once),
];

fn tag(name: &str, alias: &str) -> Value {
    json!({ "name": name, "alias": alias })
}

fn in_any_case(api: &Api) {
    let taken = &[("NotUnique", "alias")];
    let first = api.create("/tags", &tag("first", "Ann@Example.com"));
    let second = api.create("/tags", &tag("second", "bob@example.com"));
    for alias in ["Ann@Example.com", "ann@example.com", "ANN@EXAMPLE.COM"] {
        api.post("/tags", &tag("third", alias)).refused(taken);
        api.put(&path("tags", &second), &tag("second", alias)).refused(taken);
        let replace = json!([{ "op": "replace", "path": "/alias", "value": alias }]);
        api.patch(&path("later-tags", &second), &replace).refused(taken);
        api.post("/tags?dryRun=true", &tag("third", alias)).refused(taken);
    }
    // the name is compared exactly
    api.create("/tags", &json!({ "name": "FIRST" }));
    api.post("/tags", &json!({ "name": "first", "alias": "ANN@example.com" }))
        .refused(&[("NotUnique", "name"), ("NotUnique", "alias")]);
    // null is never equal to null
    for name in ["a", "b"] {
        api.create("/tags", &json!({ "name": name }));
    }
    // filters compare as ever
    let count = |alias: &str| api.get(&format!("/tags?alias={alias}")).json()["count"].clone();
    assert_eq!((count("Ann@Example.com"), count("ann@example.com")), (json!(1), json!(0)));
    api.delete(&path("tags", &first)).is(204);
    api.put(&path("tags", &second), &tag("second", "ANN@example.com")).is(200);
}

/// Each with what is the same, and with what is not.
const FOLDED: [(&str, &[&str], &[&str]); 7] = [
    ("Straße", &["STRASSE", "STRAẞE", "strasse"], &["Strase"]),
    ("ΟΔΥΣΣΕΥΣ", &["οδυσσευς", "οδυσσευσ"], &["Οδυσσεύς"]),
    ("İzmir", &["i\u{307}zmir", "I\u{307}ZMIR"], &["Izmir", "ızmir"]),
    ("ŁÓDŹ", &["łódź", "Łódź"], &["Lodz"]),
    // é as one character, and as two: nothing is normalized
    ("café", &["CAFÉ"], &["cafe\u{301}"]),
    ("ﬀ ŉ ᾳ", &["FF ʼN ΑΙ"], &["FF N Α"]),
    ("Ж_%", &["ж_%"], &["ж_a"]),
];

fn folded(api: &Api) {
    for (number, (alias, same, different)) in FOLDED.into_iter().enumerate() {
        let tag = |name: &str, alias: &str| json!({ "name": format!("{name} {number}"), "alias": alias });
        let first = api.create("/tags", &tag("first", alias));
        assert_eq!(first["alias"], alias);
        for alias in same {
            api.post("/tags", &tag("other", alias)).refused(&[("NotUnique", "alias")]);
        }
        for (index, alias) in different.iter().enumerate() {
            api.create("/tags", &tag(&format!("other {index}"), alias));
        }
    }
}

fn own_case(api: &Api) {
    let first = api.create("/tags", &tag("first", "ann"));
    let target = path("tags", &first);
    let upper = json!([{ "op": "replace", "path": "/alias", "value": "ANN" }]);
    api.patch(&path("later-tags", &first), &upper).is(202);
    while api.get(&target).json()["alias"] != "ANN" {
        thread::sleep(std::time::Duration::from_millis(5));
    }
    assert_eq!(api.put(&target, &tag("first", "Ann")).is(200).json()["alias"], "Ann");
    assert_eq!(api.get(&target).json()["alias"], "Ann");
    api.post("/tags", &tag("second", "ann")).refused(&[("NotUnique", "alias")]);
}

fn case_of_async(api: &Api) {
    api.create("/tags", &tag("first", "ann"));
    let second = api.create("/tags", &tag("second", "bob"));
    api.post("/later-tags", &tag("third", "ANN")).refused(&[("NotUnique", "alias")]);
    api.put(&path("later-tags", &second), &tag("second", "ANN")).refused(&[("NotUnique", "alias")]);
}

fn case_of_handlers(api: &Api) {
    let specimen = created(api, &json!({}));
    api.create("/tags", &tag("first", "ALIAS 1"));
    let command = format!("{}/treat-commands/01890a5d-ac96-774b-bcce-b302099a8101", path("specimens", &specimen));
    api.put(&command, &json!({ "how": "READ_BACK", "amount": 2 })).is(201);
    let error = loop {
        let command = api.get(&command).json();
        if command["status"] != "RUNNING" {
            break command["errors"][0].clone();
        }
        thread::sleep(std::time::Duration::from_millis(5));
    };
    assert_eq!((&error["code"], &error["path"]), (&json!("NotUnique"), &json!("alias")));
    assert_eq!(api.get("/tags").json()["count"], 1, "nothing of it stays");
}

fn case_at_once(api: &Api) {
    let bits = |number: usize, alias: &str| -> String {
        let upper = |(at, c): (usize, char)| if number >> at & 1 == 1 { c.to_ascii_uppercase() } else { c };
        alias.chars().enumerate().map(upper).collect()
    };
    for round in 0..5 {
        let create = |client: usize| {
            let body = tag(&format!("{round} of {client}"), &bits(client, &format!("abc {round}")));
            let reply = api.post("/tags", &body);
            if reply.status != 201 {
                reply.refused(&[("NotUnique", "alias")]);
                return None;
            }
            Some(reply.json())
        };
        let created: Vec<_> = thread::scope(|scope| {
            let clients: Vec<_> = (0..8).map(|client| scope.spawn(move || create(client))).collect();
            clients.into_iter().filter_map(|client| client.join().expect("a client")).collect()
        });
        assert_eq!(created.len(), 1);
        assert_eq!(api.get(&path("tags", &created[0])).json()["id"], id(&created[0]));
    }
}

fn single(api: &Api) {
    let first = created(api, &json!({ "code": "ABC-12" }));
    let second = created(api, &json!({ "code": "ABC-13" }));
    let taken = specimen(&json!({ "code": "ABC-12" }));
    api.post("/specimens", &taken).refused(&[("NotUnique", "code")]);
    api.put(&path("specimens", &second), &taken).refused(&[("NotUnique", "code")]);
    api.put(&path("specimens", &first), &taken).is(200);
    api.delete(&path("specimens", &first)).is(204);
    api.put(&path("specimens", &second), &taken).is(200);
}

fn nulls(api: &Api) {
    created(api, &json!({}));
    created(api, &json!({ "code": "" }));
    created(api, &json!({ "drawer": "D1" }));
    created(api, &json!({ "drawer": "D1" }));
}

fn combined(api: &Api) {
    created(api, &json!({ "drawer": "D1", "position": 1 }));
    created(api, &json!({ "drawer": "D1", "position": 2 }));
    let other = created(api, &json!({ "drawer": "D2", "position": 1 }));
    let taken = specimen(&json!({ "drawer": "D1", "position": 1 }));
    api.post("/specimens", &taken).refused(&[("NotUnique", "drawer")]);
    api.put(&path("specimens", &other), &taken).refused(&[("NotUnique", "drawer")]);
}

fn combined_references(api: &Api) {
    let ida = keeper(api, "Ida");
    let token = api.bearer(&ida, &[]);
    let post = |target: &str, body| api.request("POST", target).json(&body).header("authorization", &token).send();
    let notebook = post("/notebooks", json!({ "title": "Beetles" })).is(201).json();
    let bookmark = json!({ "keeper": reference(&ida), "notebook": reference(&notebook) });
    post("/bookmarks", bookmark.clone()).is(201);
    post("/bookmarks", bookmark).refused(&[("NotUnique", "keeper.id")]);
}
