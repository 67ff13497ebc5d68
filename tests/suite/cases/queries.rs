//! §4.4, §4.6 and the decisions "Filters" and "Requests": query strings of any shape, nothing of which is passed over.

use crate::Case;
use crate::client::Api;
use crate::specimen::{created, names, path, specimen};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§4.4 a parameter without a name, without a value, without anything", bare),
    ("Strings: bytes that are not UTF-8 are 422", not_text),
    ("Requests: too many parameters are 422 on every method", too_many),
    ("Errors: at most 100 are listed", at_most_a_hundred),
    ("Filters: each type's own form, in a query too", forms),
    ("§4.6 a sort without fields is 422", empty_sorts),
    ("Paging: count is of all, wherever the page is", counts),
    ("Accept: HEAD works as GET, with any status", head),
];

fn bare(api: &Api) {
    created(api, &json!({ "name": "Noted", "note": "a b" }));
    created(api, &json!({ "name": "Plain" }));
    for query in ["", "&", "&&&"] {
        assert_eq!(names(api, &format!("/specimens?{query}")), ["Noted", "Plain"], "{query}");
    }
    assert_eq!(names(api, "/specimens?note"), ["Plain"]);
    assert_eq!(names(api, "/specimens?&note&"), ["Plain"]);
    assert_eq!(names(api, "/specimens?note=+"), ["Plain"], "blank is null");
    for query in ["note=a+b", "note=a%20b", "n%6Fte=a%20b", "note=a+b&note=%61+b"] {
        assert_eq!(names(api, &format!("/specimens?{query}")), ["Noted"], "{query}");
    }
    for query in ["=", "=x", "&=x", "%20=x", "note%20=x", "note=x&="] {
        assert_eq!(api.get(&format!("/specimens?{query}")).is(422).errors()[0]["code"], "UnknownParameter", "{query}");
    }
    api.get("/specimens?=x").refused(&[("UnknownParameter", "")]);
    // an escape that is none stands for itself
    assert_eq!(names(api, "/specimens?note=%zz&note=%"), [] as [&str; 0]);
}

fn not_text(api: &Api) {
    let entity = path("specimens", &created(api, &json!({ "note": "\u{fffd}" })));
    for bytes in ["%FF", "a%C5", "%ED%A0%80", "%C0%80", "%00"] {
        api.get(&format!("/specimens?note={bytes}")).refused(&[("InvalidText", "note")]);
        api.get(&format!("/specimens?note=a&note={bytes}")).refused(&[("InvalidText", "note")]);
    }
    assert_eq!(names(api, "/specimens?note=%EF%BF%BD").len(), 1);
    for target in ["/specimens", &entity] {
        api.get(&format!("{target}?%FF=1")).is(422);
        api.get(&format!("{target}?x=%FF")).is(422);
    }
    api.post("/specimens?dryRun=true&include=%FF", &specimen(&json!({}))).is(422);
    api.post("/specimens?dryRun=%FF", &specimen(&json!({}))).is(422);
    api.put(&format!("{entity}?dryRun=true&%FF"), &specimen(&json!({}))).is(422);
    api.delete(&format!("{entity}?%FF=true")).is(422);
    api.get(&entity).is(200);
}

fn too_many(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    let is_reported = |errors: &[Value]| {
        let of_all = errors.iter().filter(|error| error["path"].is_null() && error["code"] == "InvalidParameter");
        assert!(of_all.count() > 0 && errors.len() <= 100, "{errors:?}");
    };
    let many = |parameter: &str, count: usize| vec![parameter; count].join("&");
    is_reported(&api.get(&format!("/specimens?{}", many("name=a", 101))).is(422).errors());
    for query in [many("name=a", 250), many("a", 4000), many("offset=1", 250)] {
        is_reported(&api.get(&format!("/specimens?{query}")).is(422).errors());
        is_reported(&api.get(&format!("{entity}?{query}")).is(422).errors());
        is_reported(&api.delete(&format!("{entity}?{query}")).is(422).errors());
    }
    let included = many("include=name", 250);
    for query in [format!("dryRun=true&{included}"), format!("dryRun=true&{included}&nothing=1")] {
        is_reported(&api.post(&format!("/specimens?{query}"), &specimen(&json!({}))).is(422).errors());
        is_reported(&api.put(&format!("{entity}?{query}"), &specimen(&json!({}))).is(422).errors());
    }
    is_reported(&api.put(&format!("{entity}?{included}&dryRun=true"), &specimen(&json!({ "name": "Gone" }))).errors());
    assert_eq!(names(api, "/specimens"), ["Amber"]);
    let fewer = many("include=name", 150);
    api.post(&format!("/specimens?dryRun=true&{fewer}"), &specimen(&json!({}))).is(204);
    assert_eq!(names(api, &format!("/specimens?{}", many("name=Amber", 100))), ["Amber"]);
}

fn at_most_a_hundred(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    let query: Vec<_> = (0..150).map(|number| format!("x{number}=1")).collect();
    let query = query.join("&");
    assert_eq!(api.get(&format!("/specimens?{query}")).is(422).errors().len(), 100);
    assert_eq!(api.get(&format!("{entity}?{query}")).is(422).errors().len(), 100);
    assert_eq!(api.delete(&format!("{entity}?{query}")).is(422).errors().len(), 100);
    assert_eq!(api.post(&format!("/specimens?{query}"), &json!({})).is(422).errors().len(), 100);
}

fn forms(api: &Api) {
    created(api, &json!({ "language": "pl-PL", "size": 5, "ratio": 0.5, "weight": "1.5", "lifespan": "P14D" }));
    for query in ["language=PL-pl", "language=pl-pl", "size=5.0", "size=5e0", "ratio=5e-1", "weight=1.50", "weight=1.5"]
    {
        assert_eq!(names(api, &format!("/specimens?{query}")).len(), 1, "{query}");
    }
    for query in ["lifespan=P2W", "size=-0", "size=9223372036854775807", "weight=0.0"] {
        assert_eq!(names(api, &format!("/specimens?{query}")).len(), 0, "{query}");
    }
    let refused = [
        ("foundAt", "2026-11-20T08:30:15.123%2B01:00", "NotUtc"),
        ("foundAt.gt", "2026-11-20T08:30:15.123%2B00:00", "NotUtc"),
        ("foundAt", "2026-02-30T08:30:15.123Z", "InvalidTimestamp"),
        ("foundAt", "2026-11-20+08:30:15.123Z", "InvalidTimestamp"),
        ("createdAt.lte", "2026-11-20T08:30:60.000Z", "InvalidTimestamp"),
        ("foundOn", "2026-2-3", "InvalidDate"),
        ("feedingTime", "24:00:00.000", "InvalidTime"),
        ("weight", "1.5000", "TooManyDigits"),
        ("weight.lt", "1e3", "InvalidDecimal"),
        ("value.amount", "1.234", "InvalidAmount"),
        ("value.amount.gte", "-1", "InvalidAmount"),
        ("value.currency", "XXZ", "InvalidCurrency"),
        ("countryCode", "pl", "InvalidCountry"),
        ("countryCode", "AN", "InvalidCountry"),
        ("language", "_", "InvalidLanguage"),
        ("lifespan", "P1,5D", "InvalidDuration"),
        ("size", "9223372036854775808", "TooLarge"),
        ("size", "1e400", "WrongType"),
        ("ratio", "NaN", "WrongType"),
        ("ratio.gt", "1e400", "WrongType"),
        ("fragile", "TRUE", "WrongType"),
        ("fragile", "1", "WrongType"),
        ("kind", "mineral", "UnknownValue"),
        ("id", "01890A5D-AC96-774B-BCCE-B302099A8057", "InvalidUuid"),
        ("keeper.id", "+", "InvalidUuid"),
        ("name", "a%00", "InvalidText"),
    ];
    for (parameter, value, code) in refused {
        api.get(&format!("/specimens?{parameter}={value}")).refused(&[(code, parameter)]);
    }
    // a value that no entity could have is no mistake
    assert_eq!(names(api, "/specimens?size=1001&ratio.gt=7&code=none").len(), 0);
}

fn empty_sorts(api: &Api) {
    for sort in ["", ",", ",,", "-", "--", "-,-", "+", "name,", "%2Dname,,size", "name%20"] {
        api.get(&format!("/specimens?sort={sort}")).refused(&[("InvalidParameter", "sort")]);
    }
    api.get("/specimens?sort").refused(&[("InvalidParameter", "sort")]);
    api.get("/specimens?sort=name%2C-size").is(200);
    for paging in ["limit", "limit=", "offset=", "offset=%2B1", "limit=+1", "limit=1.0", "limit=1e1", "offset=-0"] {
        let name = paging.split('=').next().unwrap_or_default();
        api.get(&format!("/specimens?{paging}")).refused(&[("InvalidParameter", name)]);
    }
    api.get("/specimens?limit=007").is(200);
}

fn counts(api: &Api) {
    for size in 0..5 {
        created(api, &json!({ "size": size }));
        api.create("/stock-entries", &json!({ "quantity": size }));
    }
    for page in ["limit=0", "limit=0&offset=9", "offset=5", "offset=2147483648", "limit=2&offset=4", "limit=1000"] {
        let body = api.get(&format!("/specimens?size.gt=1&{page}")).is(200).json();
        assert_eq!(body["count"], 3, "{page}");
        let body = api.get(&format!("/stock-entries?quantity.gt=1&{page}")).is(200).json();
        assert_eq!(body.as_object().map(serde_json::Map::len), Some(1), "{page}: {body}");
    }
    assert_eq!(api.get("/specimens?size=9&limit=0").is(200).body, r#"{"specimens":[],"count":0}"#);
    assert_eq!(api.get("/stock-entries?limit=0").is(200).body, r#"{"stockEntries":[]}"#);
    api.get("/stock-entries?count=true").refused(&[("UnknownParameter", "count")]);
}

fn head(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    for target in ["/specimens", "/specimens?size=1&limit=0", "/specimens?x=1", &entity, "/specimens?sort=", "/nothing"]
    {
        let (get, head) = (api.get(target), api.request("HEAD", target).send());
        assert_eq!((head.status, head.body.as_str()), (get.status, ""), "{target}");
        for name in ["content-type", "content-length", "etag", "vary"] {
            assert_eq!(head.header(name), get.header(name), "{name} of {target}");
        }
    }
}
