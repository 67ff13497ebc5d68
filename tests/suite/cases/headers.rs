//! §4.1 and §9: the headers that a request needs, and the ones that an answer has.

use crate::Case;
use crate::client::{Api, BETA, PUBLIC};
use crate::specimen::{NOBODY, created, keeper, path, specimen};
use serde_json::json;
use uuid::Uuid;

pub(super) const CASES: &[Case] = &[
    ("§4.1 a missing or blank User-Agent is 400", user_agent),
    ("§4.1 a missing or incorrect Accept is 406 on GET and PUT", not_acceptable),
    ("Accept: ranges match, with q-values", accepted),
    ("Accept: of several equal versions public answers before beta", preference),
    ("Accept: on POST the version of Content-Type answers where it is missing", accept_on_post),
    ("§4.2 DELETE needs no Accept", accept_on_delete),
    ("Accept: HEAD works as GET", head),
    ("§4.1 an incorrect Content-Type is 415", unsupported),
    ("Content-Type: a charset may be UTF-8 only", charset),
    ("§9.3 a response carries its version in Content-Type", established_version),
    ("Content-Type: responses vary by Accept, Accept-Encoding, Accept-Language", vary),
    ("Caching: what was answered to credentials is private, and varies by them", private),
    ("Content-Type: no browser guesses another one", no_sniffing),
    ("Trace-Id: a UUID on every response", trace_id),
    ("Trace-Id: a traceparent is continued", traceparent),
];

fn user_agent(api: &Api) {
    for target in ["/specimens", "/nothing"] {
        api.request("GET", target).without("user-agent").send().fails(400, "MissingUserAgent");
        api.request("GET", target).header("user-agent", "  ").send().fails(400, "MissingUserAgent");
    }
    api.request("GET", "/specimens").header("user-agent", "Mozilla/5.0 (X11; Linux x86_64)").send().is(200);
}

fn not_acceptable(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    let refused = [
        "application/json",
        "text/html",
        "text/*",
        "application/vnd.service.public.v2+json",
        "application/vnd.other.public.v1+json",
        "application/vnd.service.public.v1",
        "application/vnd.service.public.v1+json;q=0",
        "nonsense",
        "",
    ];
    for target in ["/specimens", entity.as_str()] {
        api.request("GET", target).without("accept").send().fails(406, "NotAcceptable");
        for accept in refused {
            api.request("GET", target).header("accept", accept).send().fails(406, "NotAcceptable");
        }
    }
    let body = specimen(&json!({}));
    api.request("PUT", &entity).json(&body).without("accept").send().fails(406, "NotAcceptable");
    api.request("PUT", &entity).json(&body).header("accept", "text/html").send().fails(406, "NotAcceptable");
    api.request("POST", "/specimens")
        .json(&body)
        .header("accept", "application/json")
        .send()
        .fails(406, "NotAcceptable");
}

fn accepted(api: &Api) {
    let answers = |accept: &str, version: &str| {
        let reply = api.request("GET", "/specimens").header("accept", accept).send().is(200);
        assert_eq!(reply.expect_header("content-type"), version, "Accept: {accept}");
    };
    answers("*/*", PUBLIC);
    answers("application/*", PUBLIC);
    answers("text/html, application/json, */*;q=0.1", PUBLIC);
    answers(&PUBLIC.to_uppercase(), PUBLIC);
    answers(BETA, BETA);
    answers(&format!("{PUBLIC};q=0.5, {BETA}"), BETA);
    answers(&format!("{PUBLIC}, {BETA};q=0.999"), PUBLIC);
    answers(&format!("*/*;q=0.1,{BETA};q=0.2"), BETA);
    answers(&format!("*/*, {PUBLIC};q=0"), BETA);
    answers(&format!("*/*;q=0, {PUBLIC}"), PUBLIC);
    // the more specific range counts, be it the lower one
    answers(&format!("application/*, {PUBLIC};q=0.1, {BETA};q=0.2"), BETA);
}

fn preference(api: &Api) {
    for accept in [format!("{BETA}, {PUBLIC}"), format!("{PUBLIC}, {BETA}"), format!("{BETA};q=0.5,{PUBLIC};q=0.5")] {
        let reply = api.request("GET", "/specimens").header("accept", &accept).send().is(200);
        assert_eq!(reply.expect_header("content-type"), PUBLIC, "Accept: {accept}");
    }
}

fn accept_on_post(api: &Api) {
    for version in [PUBLIC, BETA] {
        let request = api.request("POST", "/specimens").json(&specimen(&json!({}))).header("content-type", version);
        let reply = request.without("accept").send().is(201);
        assert_eq!(reply.expect_header("content-type"), version);
    }
    let request = api.request("POST", "/specimens").json(&specimen(&json!({}))).header("accept", BETA);
    assert_eq!(request.send().is(201).expect_header("content-type"), BETA);
}

fn accept_on_delete(api: &Api) {
    for accept in [None, Some("text/html")] {
        let request = api.request("DELETE", &path("specimens", &created(api, &json!({}))));
        let request = match accept {
            None => request.without("accept"),
            Some(accept) => request.header("accept", accept),
        };
        request.send().is(204);
    }
}

fn head(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    for target in ["/specimens", entity.as_str()] {
        let (head, get) = (api.request("HEAD", target).send().is(200), api.get(target).is(200));
        assert_eq!(head.header("content-length"), get.header("content-length"), "{target}");
        assert_eq!(head.body, "");
        for header in ["content-type", "etag", "vary"] {
            assert_eq!(head.header(header), get.header(header), "{header} of {target}");
        }
    }
    let reply = api.request("HEAD", "/specimens/nothing").send().is(404);
    assert_eq!(reply.body, "");
    api.request("HEAD", "/specimens").without("accept").send().is(406);
}

fn unsupported(api: &Api) {
    let body = specimen(&json!({}));
    let entity = path("specimens", &created(api, &json!({})));
    for (method, target) in [("POST", "/specimens"), ("PUT", entity.as_str())] {
        let request = || api.request(method, target).json(&body);
        request().without("content-type").send().fails(415, "UnsupportedMediaType");
        for content_type in [
            "application/json",
            "text/plain",
            "*/*",
            "application/*",
            "application/vnd.service.public.v2+json",
            "application/vnd.service.beta.v3+json",
            "nonsense",
            "",
        ] {
            request().header("content-type", content_type).send().fails(415, "UnsupportedMediaType");
        }
    }
    // tags have no beta
    api.request("POST", "/tags")
        .json(&json!({ "name": "old" }))
        .header("content-type", BETA)
        .send()
        .fails(415, "UnsupportedMediaType");
}

fn charset(api: &Api) {
    let post = |content_type: &str| {
        api.request("POST", "/specimens").json(&specimen(&json!({}))).header("content-type", content_type).send()
    };
    for parameter in ["; charset=utf-8", ";charset=UTF-8", "; charset=\"utf-8\"", "; Charset=Utf-8"] {
        let reply = post(&format!("{PUBLIC}{parameter}")).is(201);
        assert_eq!(reply.expect_header("content-type"), PUBLIC, "responses carry the bare media type");
    }
    for parameter in ["; charset=iso-8859-1", "; charset=utf-16", "; charset=us-ascii"] {
        post(&format!("{PUBLIC}{parameter}")).fails(415, "UnsupportedMediaType");
    }
    post(&PUBLIC.to_uppercase()).is(201);
}

fn established_version(api: &Api) {
    for version in [PUBLIC, BETA] {
        let request = |method: &str, target: &str| api.request(method, target).header("accept", version);
        let body = specimen(&json!({}));
        let posted = request("POST", "/specimens").json(&body).header("content-type", version).send().is(201);
        let target = path("specimens", &posted.json());
        let put = request("PUT", &target).json(&body).header("content-type", version).send().is(200);
        let got = request("GET", &target).send().is(200);
        let listed = request("GET", "/specimens").send().is(200);
        let refused = request("POST", "/specimens").json(&json!({})).header("content-type", version).send().is(422);
        let missing = request("GET", &format!("/specimens/{NOBODY}")).send().is(404);
        for reply in [posted, put, got, listed, refused, missing] {
            assert_eq!(reply.expect_header("content-type"), version, "{reply}");
        }
    }
    for reply in [api.request("GET", "/specimens").without("accept").send(), api.delete("/specimens/nothing")] {
        assert_eq!(reply.expect_header("content-type"), PUBLIC, "where none was negotiated: {reply}");
    }
}

fn vary(api: &Api) {
    let entity = created(api, &json!({}));
    for reply in [api.get("/specimens"), api.get(&path("specimens", &entity)), api.post("/specimens", &json!({}))] {
        assert_eq!(reply.expect_header("vary").to_lowercase(), "accept, accept-encoding, accept-language", "{reply}");
    }
}

fn private(api: &Api) {
    let (ann, entity) = (keeper(api, "Ann"), path("specimens", &created(api, &json!({}))));
    let bearer = api.bearer(&ann, &[]);
    let tag = api.get(&entity).expect_header("etag");
    let ask = |method: &str, target: &str| api.request(method, target).header("authorization", &bearer);
    let replies = [
        ask("GET", &entity).send().is(200),
        ask("GET", "/specimens").header("accept-encoding", "gzip").send().is(200),
        ask("GET", &entity).header("if-none-match", &tag).send().is(304),
        ask("GET", "/nothing").send().is(404),
        ask("PUT", &entity).json(&specimen(&json!({}))).send().is(200),
        ask("DELETE", &entity).send().is(204),
        ask("GET", "/notebooks").send().is(200),
        ask("GET", "/notebooks").header("authorization", "Bearer of.no.one").send().is(401),
    ];
    for reply in replies {
        assert_eq!(reply.expect_header("cache-control"), "private, no-cache", "{reply}");
        let vary = "Accept, Accept-Encoding, Accept-Language, Authorization";
        assert_eq!(reply.expect_header("vary"), vary, "{reply}");
    }
    for reply in [api.get("/specimens").is(200), api.get("/notebooks").is(401)] {
        assert_eq!(reply.header("cache-control"), None, "{reply}");
        assert_eq!(reply.expect_header("vary"), "Accept, Accept-Encoding, Accept-Language", "{reply}");
    }
}

fn no_sniffing(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    let replies = [api.get(&entity), api.get("/nothing"), api.get("/livez"), api.get("/metrics"), api.delete(&entity)];
    for reply in replies {
        assert_eq!(reply.expect_header("x-content-type-options"), "nosniff", "{reply}");
        assert_eq!(reply.header("strict-transport-security"), None, "it is not served over TLS: {reply}");
    }
}

fn trace_id(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    let replies = [
        api.get(&entity),
        api.get("/nothing"),
        api.post("/specimens", &json!({})),
        api.request("GET", "/specimens").without("user-agent").send(),
        api.request("GET", "/specimens").without("accept").send(),
        api.request("PATCH", "/specimens").send(),
        api.delete(&entity),
    ];
    let ids: Vec<Uuid> = replies.iter().map(|reply| reply.expect_header("trace-id").parse().expect("a UUID")).collect();
    for (index, id) in ids.iter().enumerate() {
        assert!(!ids[..index].contains(id), "one id for two requests");
    }
}

fn traceparent(api: &Api) {
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let reply = api.request("GET", "/specimens").header("traceparent", parent).send().is(200);
    assert_eq!(reply.expect_header("trace-id"), "0af76519-16cd-43dd-8448-eb211c80319c");
}
