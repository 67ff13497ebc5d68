//! §4.4 and the decision "Filters".

use crate::Case;
use crate::client::Api;
use crate::specimen::{created, id, keeper, names, price, reference};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    ("§4.4.1 equality, for every filterable type", equality),
    ("§4.4.3 a nested field is addressed with a dot", nested),
    ("§2.4.7 a price is filtered by amount and currency", prices),
    ("§4.4.4 ranges are suffixes, for every ordered type", ranges),
    ("Filters: id has bounds, in the order of creation", id_bounds),
    ("§4.4.5 repeats of a parameter: any of them", repeats),
    ("Filters: not: none of the values; an entity without a value meets it", not),
    ("Filters: startsWith, in exact case", starts_with),
    ("Filters: contains, in exact case", contains),
    ("Filters: startsWithIgnoreCase and containsIgnoreCase fold case as Unicode defines it", in_any_case),
    ("Filters: startsWithIgnoreCase along the index of what is unique in any case", in_any_case_and_unique),
    ("Filters: startsWith and contains once each, not empty, and only where the field has them", parts),
    ("Filters: different parameters: all of them", conjunction),
    ("Filters: an empty value is null", null),
    ("§2.3 id, createdAt and updatedAt can be filtered", common_fields),
    ("§4.4.1 only documented fields: UnknownParameter", unknown_parameters),
    ("Filters: a value that does not fit its type is 422", wrong_values),
    ("Filters: a range given twice is 422", repeated_ranges),
    ("§4.4 count is of all that match", count),
    ("§4.4 values are percent-decoded", decoding),
    ("§4.4 filters on a scoped collection", scoped),
];

fn equality(api: &Api) {
    let batch = "01890a5d-ac96-774b-bcce-b302099a8057";
    let found = json!({
        "name": "Found", "code": "ABC-12", "size": 5, "ratio": 0.5, "weight": "1.500", "fragile": true, "batch": batch,
        "foundAt": "2026-11-20T08:30:15.123Z", "foundOn": "2026-11-20", "feedingTime": "08:30:00.000", "lifespan": "P14D",
        "countryCode": "PL", "language": "pl-PL", "currency": "PLN", "kind": "ANIMAL", "colour": "DARK_RED",
        "registryNumber": "R 1",
    });
    created(api, &found);
    created(api, &json!({ "name": "Other", "size": 6, "fragile": false, "kind": "PLANT", "countryCode": "DE" }));
    let filters = [
        "name=Found",
        "code=ABC-12",
        "size=5",
        "ratio=0.5",
        "weight=1.5",
        "weight=1.500",
        "fragile=true",
        "batch=01890a5d-ac96-774b-bcce-b302099a8057",
        "foundAt=2026-11-20T08:30:15.123Z",
        "foundOn=2026-11-20",
        "feedingTime=08:30:00.000",
        "lifespan=P14D",
        "countryCode=PL",
        "language=pl-PL",
        "currency=PLN",
        "kind=ANIMAL",
        "colour=DARK_RED",
        "registryNumber=R%201",
    ];
    for filter in filters {
        assert_eq!(names(api, &format!("/specimens?{filter}")), ["Found"], "{filter}");
    }
    assert_eq!(names(api, "/specimens?name=found"), [] as [&str; 0], "equality knows case");
    assert_eq!(names(api, "/specimens?status=KEPT"), ["Found", "Other"]);
    assert_eq!(names(api, "/specimens?fragile=false"), ["Other"]);
}

fn id_bounds(api: &Api) {
    let ids = ["One", "Two", "Three"].map(|name| id(&created(api, &json!({ "name": name }))).to_owned());
    let [first, second, third] = &ids;
    assert_eq!(names(api, &format!("/specimens?id.gt={first}&sort=id")), ["Two", "Three"]);
    assert_eq!(names(api, &format!("/specimens?id.gte={second}&sort=id&limit=1")), ["Two"]);
    assert_eq!(names(api, &format!("/specimens?id.lt={third}&sort=-id")), ["Two", "One"]);
    assert_eq!(names(api, &format!("/specimens?id.gt={first}&id.lte={second}&name=Two")), ["Two"]);
    assert_eq!(names(api, &format!("/specimens?id.gt={third}")), [] as [&str; 0]);
    api.get("/specimens?id.gt=1").refused(&[("InvalidUuid", "id.gt")]);
}

fn nested(api: &Api) {
    let ida = keeper(api, "Ida");
    created(
        api,
        &json!({ "name": "Found", "keeper": reference(&ida), "storage": { "shelf": "B2", "box": 4 },
        "origin": { "place": "Rome", "site": { "name": "Forum" } } }),
    );
    created(api, &json!({ "name": "Other" }));
    let by_keeper = format!("keeper.id={}", id(&ida));
    for filter in ["storage.shelf=B2", "storage.box=4", "origin.place=Rome", "origin.site.name=Forum", &by_keeper] {
        assert_eq!(names(api, &format!("/specimens?{filter}")), ["Found"], "{filter}");
    }
}

fn prices(api: &Api) {
    created(api, &json!({ "name": "Cheap", "value": price("9.99", "PLN") }));
    created(api, &json!({ "name": "Dear", "value": price("100", "PLN") }));
    created(api, &json!({ "name": "Foreign", "value": price("100.00", "EUR") }));
    created(api, &json!({ "name": "Priceless" }));
    assert_eq!(names(api, "/specimens?value.amount=100"), ["Dear", "Foreign"]);
    assert_eq!(names(api, "/specimens?value.amount=9.99&value.currency=PLN"), ["Cheap"]);
    assert_eq!(names(api, "/specimens?value.currency=EUR"), ["Foreign"]);
    assert_eq!(names(api, "/specimens?value.amount.lt=100.00"), ["Cheap"]);
    assert_eq!(names(api, "/specimens?value.amount.gte=9.99&value.currency=PLN"), ["Cheap", "Dear"]);
}

fn ranges(api: &Api) {
    let low = json!({ "name": "Low", "size": 1, "ratio": -0.5, "weight": "0.999", "foundAt": "2026-01-01T00:00:00.000Z",
        "foundOn": "2026-01-01", "feedingTime": "01:00:00.000" });
    let mid = json!({ "name": "Mid", "size": 9, "ratio": 0.25, "weight": "9", "foundAt": "2026-06-01T00:00:00.000Z",
        "foundOn": "2026-06-01", "feedingTime": "09:00:00.000" });
    let top = json!({ "name": "Top", "size": 10, "ratio": 1, "weight": "10", "foundAt": "2026-12-01T00:00:00.000Z",
        "foundOn": "2026-12-01", "feedingTime": "10:00:00.000" });
    for fields in [low, mid, top, json!({ "name": "Null" })] {
        created(api, &fields);
    }
    let middles = [
        ("size", "9"),
        ("ratio", "0.25"),
        ("weight", "9"),
        ("foundAt", "2026-06-01T00:00:00.000Z"),
        ("foundOn", "2026-06-01"),
        ("feedingTime", "09:00:00.000"),
    ];
    for (field, middle) in middles {
        let expected: [(&str, &[&str]); 4] =
            [("gt", &["Top"]), ("gte", &["Mid", "Top"]), ("lt", &["Low"]), ("lte", &["Low", "Mid"])];
        for (suffix, expected) in expected {
            assert_eq!(names(api, &format!("/specimens?{field}.{suffix}={middle}")), expected, "{field}.{suffix}");
        }
        let both = format!("/specimens?{field}.gte={middle}&{field}.lte={middle}");
        assert_eq!(names(api, &both), ["Mid"], "{both}");
    }
}

fn repeats(api: &Api) {
    for (name, size) in [("One", 1), ("Two", 2), ("Three", 3)] {
        created(api, &json!({ "name": name, "size": size }));
    }
    created(api, &json!({ "name": "None" }));
    assert_eq!(names(api, "/specimens?size=1&size=3"), ["One", "Three"]);
    assert_eq!(names(api, "/specimens?name=Two&name=Two&name=Nobody"), ["Two"]);
    assert_eq!(names(api, "/specimens?size=2&size="), ["Two", "None"]);
}

fn not(api: &Api) {
    let [old, rare] = ["old", "rare"].map(|name| api.create("/tags", &json!({ "name": name })));
    created(api, &json!({ "name": "Amber", "note": "a", "kind": "PLANT", "tag": reference(&old) }));
    created(api, &json!({ "name": "Beetle", "note": "A", "kind": "ANIMAL", "tag": reference(&rare) }));
    created(api, &json!({ "name": "Clam" }));
    let by_tag = |query: &str| query.replace("OLD", id(&old)).replace("RARE", id(&rare));
    let cases: &[(&str, &[&str])] = &[
        ("name.not=Amber", &["Beetle", "Clam"]),
        ("name.not=amber", &["Amber", "Beetle", "Clam"]),
        ("name.not=Amber&name.not=Clam", &["Beetle"]),
        ("name.not=Amber&name.not=Amber", &["Beetle", "Clam"]),
        ("note.not=a", &["Beetle", "Clam"]),
        ("note.not=a&note.not=A", &["Clam"]),
        ("note.not=", &["Amber", "Beetle"]),
        ("note.not=&note.not=a", &["Beetle"]),
        ("note.not=a&name.not=Clam", &["Beetle"]),
        ("note=a&note.not=a", &[]),
        ("kind.not=PLANT", &["Beetle", "Clam"]),
        ("kind.not=PLANT&kind.not=ANIMAL", &["Clam"]),
        ("tag.id.not=OLD", &["Beetle", "Clam"]),
        ("tag.id.not=OLD&tag.id.not=RARE", &["Clam"]),
        ("tag.id.not=", &["Amber", "Beetle"]),
    ];
    for (query, expected) in cases {
        let query = by_tag(query);
        assert_eq!(names(api, &format!("/specimens?{query}")), *expected, "{query}");
        let sorted: Vec<_> = expected.iter().rev().copied().collect();
        assert_eq!(names(api, &format!("/specimens?{query}&sort=-name")), sorted, "{query}");
        let body = api.get(&format!("/specimens?{query}&limit=1")).is(200).json();
        assert_eq!(body["count"], expected.len(), "{query}");
    }
    api.get("/specimens?kind.not=FUNGUS").refused(&[("UnknownValue", "kind.not")]);
    api.get("/specimens?tag.id.not=7").refused(&[("InvalidUuid", "tag.id.not")]);
}

fn starts_with(api: &Api) {
    for (name, note) in [("Amber", "Łódź"), ("Amberina", "łódź"), ("amber", "50%_\u{10ffff}x"), ("Clam", "\u{d7ff}a")]
    {
        created(api, &json!({ "name": name, "note": note }));
    }
    created(api, &json!({ "name": "None" }));
    let cases: &[(&str, &[&str])] = &[
        ("name.startsWith=Amber", &["Amber", "Amberina"]),
        ("name.startsWith=Amberi", &["Amberina"]),
        ("name.startsWith=a", &["amber"]),
        ("name.startsWith=mber", &[]),
        ("note.startsWith=%C5%81%C3%B3", &["Amber"]),
        ("note.startsWith=50%25", &["amber"]),
        ("note.startsWith=50_", &[]),
        ("note.startsWith=50%25_%F4%8F%BF%BF", &["amber"]),
        ("note.startsWith=%ED%9F%BF", &["Clam"]),
        ("name.startsWith=A&name.not=Amber", &["Amberina"]),
        ("name.startsWith=A&name=Amber&name=Clam", &["Amber"]),
    ];
    for (query, expected) in cases {
        assert_eq!(names(api, &format!("/specimens?{query}")), *expected, "{query}");
        for sort in ["name", "-name", "size,-name", "note"] {
            let mut found = names(api, &format!("/specimens?{query}&sort={sort}"));
            found.sort();
            assert_eq!(found, *expected, "{query}&sort={sort}");
        }
    }
    assert_eq!(names(api, "/specimens?name.startsWith=A&sort=-name&limit=1"), ["Amberina"]);
    assert_eq!(names(api, "/specimens?name.startsWith=A&sort=name&offset=1"), ["Amberina"]);
}

fn contains(api: &Api) {
    for (name, note) in [("Amber", "Łódź, 5 % off"), ("Beetle", "a_b*c?[d]"), ("Clam", "off"), ("Dune", "OFF")] {
        created(api, &json!({ "name": name, "note": note }));
    }
    created(api, &json!({ "name": "None" }));
    let cases: &[(&str, &[&str])] = &[
        ("note.contains=off", &["Amber", "Clam"]),
        ("note.contains=OFF", &["Dune"]),
        ("note.contains=%C3%B3d", &["Amber"]),
        ("note.contains=%25", &["Amber"]),
        ("note.contains=_", &["Beetle"]),
        ("note.contains=*", &["Beetle"]),
        ("note.contains=%5Bd", &["Beetle"]),
        ("note.contains=%20", &["Amber"]),
        ("note.contains=x", &[]),
        ("note.contains=off&name.not=Clam", &["Amber"]),
    ];
    for (query, expected) in cases {
        assert_eq!(names(api, &format!("/specimens?{query}")), *expected, "{query}");
        assert_eq!(names(api, &format!("/specimens?{query}&sort=note,name")).len(), expected.len(), "{query}");
    }
}

fn in_any_case(api: &Api) {
    for (name, note) in [
        ("Amber", "Łódź, Straße"),
        ("aMBERINA", "łÓDŹ, STRASSE"),
        ("Clam", "ΟΔΥΣΣΕΥΣ"),
        ("clamp", "οδυσσευς 50%_"),
        ("Iris", "İ"),
        ("ısı", "ı"),
        ("\u{212a}rill", "e\u{301}"),
        ("Dune", "\u{10ffff}É"),
    ] {
        created(api, &json!({ "name": name, "note": note }));
    }
    created(api, &json!({ "name": "None" }));
    let cases: &[(&str, &[&str])] = &[
        ("name.startsWithIgnoreCase=aMbEr", &["Amber", "aMBERINA"]),
        ("name.startsWithIgnoreCase=AMBERI", &["aMBERINA"]),
        ("name.startsWithIgnoreCase=mber", &[]),
        ("name.startsWithIgnoreCase=i", &["Iris"]),
        ("name.startsWithIgnoreCase=%C4%B1", &["ısı"]),
        ("name.startsWithIgnoreCase=Kr", &["\u{212a}rill"]),
        ("name.startsWithIgnoreCase=c&name.not=Clam", &["clamp"]),
        ("name.startsWithIgnoreCase=c&name.startsWith=C", &["Clam"]),
        ("name.startsWithIgnoreCase=c&name=Clam&name=Amber", &["Clam"]),
        ("note.startsWithIgnoreCase=%C5%82%C3%B3", &["Amber", "aMBERINA"]),
        ("note.startsWithIgnoreCase=%CE%BF%CE%B4%CF%85%CF%83%CF%83%CE%B5%CF%85%CF%83", &["Clam", "clamp"]),
        ("note.startsWithIgnoreCase=i", &["Iris"]),
        ("note.startsWithIgnoreCase=E", &["\u{212a}rill"]),
        ("note.startsWithIgnoreCase=%F4%8F%BF%BF", &["Dune"]),
        ("note.containsIgnoreCase=strasse", &["Amber", "aMBERINA"]),
        ("note.containsIgnoreCase=STRA%C3%9F", &["Amber", "aMBERINA"]),
        ("note.containsIgnoreCase=%CE%A3%CE%A3", &["Clam", "clamp"]),
        ("note.containsIgnoreCase=%C3%A9", &["Dune"]),
        ("note.containsIgnoreCase=%25_", &["clamp"]),
        ("note.containsIgnoreCase=x", &[]),
        ("note.containsIgnoreCase=STRASSE&name.startsWithIgnoreCase=AMBERI", &["aMBERINA"]),
    ];
    for (query, expected) in cases {
        assert_eq!(names(api, &format!("/specimens?{query}")), *expected, "{query}");
        for sort in ["name", "-name", "size,-name", "note"] {
            let mut found = names(api, &format!("/specimens?{query}&sort={sort}"));
            let mut expected = expected.to_vec();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{query}&sort={sort}");
        }
        let body = api.get(&format!("/specimens?{query}&limit=1")).is(200).json();
        assert_eq!(body["count"], expected.len(), "{query}");
    }
    assert_eq!(names(api, "/specimens?name.startsWithIgnoreCase=a&sort=-name&limit=1"), ["aMBERINA"]);
    assert_eq!(names(api, "/specimens?name.startsWithIgnoreCase=A&sort=name&offset=1"), ["aMBERINA"]);
}

fn in_any_case_and_unique(api: &Api) {
    for (name, alias) in [("one", "Old One"), ("two", "oLD TWO"), ("three", "new")] {
        api.create("/tags", &json!({ "name": name, "alias": alias }));
    }
    api.create("/tags", &json!({ "name": "four" }));
    let found = |query: &str| -> Vec<String> {
        let body = api.get(&format!("/tags?{query}")).is(200).json();
        let tags = body["tags"].as_array().expect("tags");
        assert_eq!(body["count"], tags.len(), "{query}");
        tags.iter().filter_map(|tag| tag["name"].as_str()).map(str::to_owned).collect()
    };
    assert_eq!(found("alias.startsWithIgnoreCase=OLD"), ["one", "two"]);
    assert_eq!(found("alias.startsWithIgnoreCase=old%20t"), ["two"]);
    assert_eq!(found("alias.startsWithIgnoreCase=o&sort=-createdAt"), ["two", "one"]);
    assert_eq!(found("name.containsIgnoreCase=O"), ["one", "two", "four"]);
    api.get("/tags?alias.startsWith=O").refused(&[("UnknownParameter", "alias.startsWith")]);
}

fn parts(api: &Api) {
    api.get("/specimens?name.startsWith=a&name.startsWith=b").refused(&[("RepeatedParameter", "name.startsWith")]);
    api.get("/specimens?note.contains=a&note.contains=a").refused(&[("RepeatedParameter", "note.contains")]);
    api.get("/specimens?name.startsWith=&note.contains=")
        .refused(&[("InvalidParameter", "name.startsWith"), ("InvalidParameter", "note.contains")]);
    api.get("/specimens?name.startsWithIgnoreCase=a&name.startsWithIgnoreCase=A")
        .refused(&[("RepeatedParameter", "name.startsWithIgnoreCase")]);
    api.get("/specimens?name.startsWithIgnoreCase=&note.containsIgnoreCase=%00")
        .refused(&[("InvalidParameter", "name.startsWithIgnoreCase"), ("InvalidText", "note.containsIgnoreCase")]);
    api.get("/specimens?note.contains=%00").refused(&[("InvalidText", "note.contains")]);
    for parameter in [
        "name.contains",
        "size.not",
        "code.startsWith",
        "kind.startsWith",
        "name.containsIgnoreCase",
        "keeper.id.not",
        "id.not",
    ] {
        api.get(&format!("/specimens?{parameter}=1")).refused(&[("UnknownParameter", parameter)]);
    }
    let reply = api.get("/specimens?name.startWith=a").is(422);
    assert_eq!(reply.errors()[0]["details"]["nearest"], "name.startsWith");
}

fn conjunction(api: &Api) {
    created(api, &json!({ "name": "Both", "size": 1, "fragile": true }));
    created(api, &json!({ "name": "Size", "size": 1, "fragile": false }));
    created(api, &json!({ "name": "Fragile", "size": 2, "fragile": true }));
    assert_eq!(names(api, "/specimens?size=1&fragile=true"), ["Both"]);
    assert_eq!(names(api, "/specimens?size=1&size=2&fragile=true"), ["Both", "Fragile"]);
    assert_eq!(names(api, "/specimens?size=1&size.gt=1"), [] as [&str; 0]);
}

fn null(api: &Api) {
    let ida = keeper(api, "Ida");
    created(
        api,
        &json!({ "name": "Full", "note": "x", "size": 1, "kind": "PLANT", "keeper": reference(&ida), "value": price("1", "PLN") }),
    );
    created(api, &json!({ "name": "Blank", "note": " " }));
    for filter in ["note=", "size=", "kind=", "keeper.id=", "value.amount=", "foundAt=&size="] {
        assert_eq!(names(api, &format!("/specimens?{filter}")), ["Blank"], "{filter}");
    }
}

fn common_fields(api: &Api) {
    let first = created(api, &json!({ "name": "First" }));
    std::thread::sleep(std::time::Duration::from_millis(5));
    let second = created(api, &json!({ "name": "Second" }));
    assert_eq!(names(api, &format!("/specimens?id={}", id(&first))), ["First"]);
    assert_eq!(names(api, &format!("/specimens?id={}&id={}", id(&first), id(&second))), ["First", "Second"]);
    let created_at = second["createdAt"].as_str().expect("a timestamp");
    assert_eq!(names(api, &format!("/specimens?createdAt.lt={created_at}")), ["First"]);
    assert_eq!(names(api, &format!("/specimens?updatedAt.gte={created_at}")), ["Second"]);
}

fn unknown_parameters(api: &Api) {
    let unknown = [
        "nothing",
        "email",
        "link",
        "measure",
        "share",
        "passphrase",
        "hint",
        "origin.depth",
        "origin",
        "storage",
        "keeper",
        "keeper.name",
        "value",
        "value.net",
        "parts",
        "parts.name",
        "labels",
        "name.gt",
        "kind.lt",
        "fragile.gte",
        "code.lte",
        "size.eq",
        "Name",
        "lifespan.gt",
        "batch.lt",
        "keeper.id.gt",
    ];
    for parameter in unknown {
        api.get(&format!("/specimens?{parameter}=1")).refused(&[("UnknownParameter", parameter)]);
    }
    api.get("/specimens?zzz=1&aaa=2&zzz=3").is(422);
}

fn wrong_values(api: &Api) {
    let wrong = [
        ("size", "x"),
        ("size.gt", "x"),
        ("size", "1.5"),
        ("ratio", "x"),
        ("weight", "abc"),
        ("weight", "1.2345"),
        ("weight.gt", "1.2345"),
        ("fragile", "yes"),
        ("batch", "7"),
        ("foundAt", "2026-11-20"),
        ("foundAt.lt", "2026-11-20T08:30:15Z"),
        ("foundOn", "now"),
        ("feedingTime", "8"),
        ("lifespan", "14"),
        ("countryCode", "pl"),
        ("currency", "pln"),
        ("kind", "FUNGUS"),
        ("keeper.id", "7"),
        ("value.amount", "1.999"),
        ("value.amount.gt", "x"),
        ("value.currency", "pln"),
        ("id", "7"),
        ("createdAt.gt", "x"),
        ("size.gt", ""),
    ];
    for (parameter, value) in wrong {
        api.get(&format!("/specimens?{parameter}={value}")).refused(&[("*", parameter)]);
    }
}

fn repeated_ranges(api: &Api) {
    api.get("/specimens?size.gt=1&size.gt=2").refused(&[("RepeatedParameter", "size.gt")]);
    api.get("/specimens?foundAt.lte=2026-01-01T00:00:00.000Z&foundAt.lte=2026-01-01T00:00:00.000Z")
        .refused(&[("RepeatedParameter", "foundAt.lte")]);
}

fn count(api: &Api) {
    for size in 0..5 {
        created(api, &json!({ "size": size }));
    }
    let body = api.get("/specimens?size.gte=1&limit=2").is(200).json();
    assert_eq!((body["count"].clone(), body["specimens"].as_array().map(Vec::len)), (json!(4), Some(2)));
    let body = api.get("/specimens?size.gte=1&offset=3").is(200).json();
    assert_eq!((body["count"].clone(), body["specimens"].as_array().map(Vec::len)), (json!(4), Some(1)));
}

fn decoding(api: &Api) {
    created(api, &json!({ "name": "Zażółć & co = 5%" }));
    assert_eq!(names(api, "/specimens?name=Za%C5%BC%C3%B3%C5%82%C4%87%20%26%20co%20%3D%205%25").len(), 1);
    assert_eq!(names(api, "/specimens?name=Za%C5%BC%C3%B3%C5%82%C4%87+%26+co+%3D+5%25").len(), 1);
    assert_eq!(names(api, "/specimens?storage%2Eshelf=A1").len(), 1);
}

fn scoped(api: &Api) {
    let ida = keeper(api, "Ida");
    created(api, &json!({ "name": "Hers", "size": 1, "keeper": reference(&ida) }));
    created(api, &json!({ "name": "Hers too", "size": 2, "keeper": reference(&ida) }));
    created(api, &json!({ "name": "Nobody's", "size": 1 }));
    assert_eq!(names(api, &format!("/keepers/{}/specimens?size=1", id(&ida))), ["Hers"]);
    assert_eq!(names(api, &format!("/keepers/{}/specimens?sort=-size", id(&ida))), ["Hers too", "Hers"]);
}
