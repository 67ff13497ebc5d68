//! §8 and the decision "Events": what a stream may cost, and what its caller may see of commands and after a change of
//! their credentials.

use crate::Case;
use crate::cases::owners::Caller as Sender;
use crate::cases::watching::metric;
use crate::client::{Api, Reply};
use crate::specimen::{id, keeper, path, reference};
use crate::stream::Stream;
use restwell::{Builder, Call, Caller, Command, Ref, Rejection, Resource};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub(super) const CASES: &[Case] = &[
    ("§8 one client has half of the places of event streams, and the next finds room", places),
    ("§8 events of what a caller does not see are neither read nor rendered for them", unseen),
    ("§8 a stream reads and renders the events of its owner, not everybody's", own_only),
    ("Events: those of a command are shown to who may GET it", of_commands),
    ("Events: those of a command follow its entity to another owner", handed_over),
    ("Events: who loses a scope is shown nothing more by it", lost_scope),
    ("Events: credentials that are gone end the stream", lost_session),
];

/// Streams that may be open at a time.
const STREAMS: usize = 1000;
/// The id of a command.
const COMMAND: &str = "01890a5d-ac96-774b-bcce-b302099a8101";

fn places(api: &Api) {
    let ida = api.bearer(&keeper(api, "Ida"), &[]);
    let open = |token: &str| Stream::start(&api.events("/events").header("authorization", token));
    let first: Vec<_> = (0..STREAMS / 2).map(|_| open(&ida)).collect();
    assert!(first.iter().all(|stream| stream.head().status == 200));
    let refused = open(&ida);
    assert_eq!((refused.head().status, refused.head().expect_header("retry-after").as_str()), (503, "1"));
    let jan = api.bearer(&keeper(api, "Jan"), &[]);
    Stream::open(&api.events("/events").header("authorization", &jan));
    // the address is another client than the callers who come from it
    Stream::open(&api.events("/events"));
}

/// The events that streams made the service read, and render.
fn cost(api: &Api) -> (f64, f64) {
    (metric(api, "restwell_events_read_total", &[]), metric(api, "restwell_events_rendered_total", &[]))
}

/// The next cursor on a stream that shows no event.
#[track_caller]
fn silent_cursor(stream: &mut Stream) -> String {
    loop {
        let block = stream.block().expect("the stream goes on");
        assert_eq!(block.field("event"), None, "nothing is shown");
        if let Some(cursor) = block.field("id").filter(|cursor| cursor != "0") {
            return cursor;
        }
    }
}

fn unseen(api: &Api) {
    let ida = Sender::new(api, "Ida", &[]);
    for number in 0..300 {
        ida.notebook(&number.to_string());
    }
    let mut stream = Stream::start_at(api, "/events?resource=notebooks", "0");
    // what is not shown need not be looked at again
    let cursor = silent_cursor(&mut stream);
    assert_eq!(cost(api), (0.0, 0.0));
    let mut next = Stream::start_after(api, &cursor);
    let tag = api.create("/tags", &json!({ "name": "old" }));
    assert_eq!(next.kinds(1), [("specimen.tag.created".to_owned(), id(&tag).to_owned())]);
}

fn own_only(api: &Api) {
    let [ida, jan] = ["Ida", "Jan"].map(|name| Sender::new(api, name, &[]));
    let his = jan.notebook("Ferns");
    // more than a page of another's
    for number in 0..600 {
        ida.notebook(&number.to_string());
    }
    let later = jan.notebook("Mosses");
    // what this one reads is shared by streams that are as far as it is
    let mut live = Stream::open(&api.events("/events"));
    api.create("/tags", &json!({ "name": "old" }));
    assert_eq!(live.event().kind, "specimen.tag.created");
    assert_eq!(cost(api), (1.0, 1.0));
    let request = api.events("/events?resource=notebooks").header("authorization", &jan.token);
    let mut stream = Stream::open(&request.header("last-event-id", "0"));
    let expected = [&his, &later].map(|notebook| ("specimen.notebook.created".to_owned(), id(notebook).to_owned()));
    assert_eq!(stream.kinds(2), expected);
    assert_eq!(cost(api), (3.0, 3.0));
    // and it goes on with what happens
    let last = jan.notebook("Lichens");
    assert_eq!(stream.kinds(1), [("specimen.notebook.created".to_owned(), id(&last).to_owned())]);
}

/// The types of the events up to one, which is left out.
#[track_caller]
fn kinds_before(stream: &mut Stream, last: &str) -> Vec<String> {
    let kinds = std::iter::from_fn(|| Some(stream.event().kind)).take_while(|kind| kind != last);
    kinds.collect()
}

/// Waits until a command has ended.
#[track_caller]
fn ended(get: impl Fn() -> Reply) {
    let begun = Instant::now();
    while get().is(200).json()["status"] == "RUNNING" {
        assert!(begun.elapsed() < Duration::from_secs(20), "the command ends");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn of_commands(api: &Api) {
    let api = api.of(marketplace::service);
    let user = |name: &str| api.create("/users", &json!({ "name": name, "email": format!("{name}@example.com") }));
    let [seller, other] = ["seller", "other"].map(user);
    let offer = json!({
        "name": "Bicycle", "seller": reference(&seller), "buyNow": { "amount": "12.50", "currency": "PLN" },
        "address": { "city": "Poznań", "countryCode": "PL" },
    });
    let creation = api.request("POST", "/offers").json(&offer).header("authorization", &api.bearer(&seller, &[]));
    let offer = path("offers", &creation.send().is(201).json());
    let tokens = [
        None,
        Some(api.bearer(&other, &[])),
        Some(api.bearer(&seller, &[])),
        Some(api.bearer(&other, &["offers.admin"])),
        Some(api.bearer(&other, &["payments.read"])),
    ];
    let with = |request: crate::client::Request, token: &Option<String>| match token {
        Some(token) => request.header("authorization", token),
        None => request,
    };
    let mut streams = tokens.each_ref().map(|token| Stream::open(&with(api.events("/events"), token)));
    // the owner may send both; a scope opens the first
    for (command, body) in [
        ("end", json!({ "reason": "MISTAKE" })),
        ("renew", json!({ "fromDate": "2099-01-01T00:00:00.000Z", "duration": "P1D" })),
    ] {
        let target = format!("{offer}/{command}-commands/{}{}", &COMMAND[..35], command.len());
        with(api.request("PUT", &target).json(&body), &tokens[2]).send().is(201);
        ended(|| with(api.request("GET", &target), &tokens[2]).send());
        user(&format!("marker-{command}"));
        for (stream, token) in streams.iter_mut().zip(&tokens) {
            let status = with(api.request("GET", &target), token).send().status;
            let of_command = format!("marketplace.offer.{command}-command.");
            let found = kinds_before(stream, "marketplace.user.created");
            let found = found.iter().filter_map(|kind| kind.strip_prefix(&of_command)).collect::<Vec<_>>();
            let expected: &[&str] = if status == 200 { &["running", "successful"] } else { &[] };
            assert_eq!(found, expected, "{command}: GET is {status}");
        }
    }
}

/// Somebody who holds deeds.
#[derive(Debug, Clone, Resource)]
struct Holder {
    name: String,
}

/// What may be handed over.
#[derive(Debug, Clone, Resource)]
#[resource(owner = holder)]
struct Deed {
    holder: Ref<Holder>,
}

/// Gives a deed to another keeper.
#[derive(Debug, Clone, Command)]
#[command(on = Deed, access = owner)]
struct HandOver {
    to: Ref<Holder>,
}

async fn hand_over(call: Call<HandOver>) -> Result<(), Rejection> {
    let mut deed = call.entity;
    deed.holder = call.input.to;
    call.transaction.update(deed).await?;
    Ok(())
}

fn deeds() -> Builder {
    let builder = Builder::new("deeds").users::<Holder>().resource::<Deed>();
    builder.handle::<HandOver, _, _>(hand_over)
}

fn handed_over(api: &Api) {
    let api = api.of(deeds);
    let [ann, bob] = ["Ann", "Bob"].map(|name| api.create("/holders", &json!({ "name": name })));
    let deed = path("deeds", &api.create("/deeds", &json!({ "holder": reference(&ann) })));
    let tokens = [&ann, &bob].map(|holder| api.bearer(holder, &[]));
    let mut streams =
        tokens.each_ref().map(|token| Stream::open(&api.events("/events").header("authorization", token)));
    let target = format!("{deed}/hand-over-commands/{COMMAND}");
    let get = |token: &str| api.request("GET", &target).header("authorization", token).send();
    let put = api.request("PUT", &target).json(&json!({ "to": reference(&bob) }));
    put.header("authorization", &tokens[0]).send().is(201);
    let begun = Instant::now();
    while get(&tokens[1]).status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(20), "the command ends");
        std::thread::sleep(Duration::from_millis(5));
    }
    get(&tokens[0]).fails(403, "Forbidden");
    api.create("/holders", &json!({ "name": "marker" }));
    let of_command = |kind: String| kind.strip_prefix("deeds.deed.hand-over-command.").map(str::to_owned);
    let [hers, his] = streams.each_mut().map(|stream| kinds_before(stream, "deeds.holder.created"));
    assert_eq!(hers.into_iter().filter_map(of_command).collect::<Vec<_>>(), ["running"], "while it was hers");
    assert_eq!(his.into_iter().filter_map(of_command).collect::<Vec<_>>(), ["successful"], "since it is his");
}

/// Sessions whose callers a test changes.
#[derive(Clone, Default)]
struct Sessions(Arc<Mutex<HashMap<String, Caller>>>);

impl Sessions {
    fn set(&self, session: &str, keeper: &Value, scopes: &[&str]) {
        let caller = Caller::new(id(keeper).parse().expect("a UUID")).with_scopes(scopes.iter().copied());
        self.0.lock().expect("no panic").insert(session.to_owned(), caller);
    }

    fn end(&self, session: &str) {
        self.0.lock().expect("no panic").remove(session);
    }

    /// A service that asks these sessions.
    fn start(&self, api: &Api) -> Api {
        let sessions = self.clone();
        let find = move |token: &str| sessions.0.lock().expect("no panic").get(token).cloned();
        api.again(|setup| setup.authenticator(find))
    }
}

fn lost_scope(api: &Api) {
    let sessions = Sessions::default();
    let api = sessions.start(api);
    let [ida, jan] = ["Ida", "Jan"].map(|name| keeper(&api, name));
    sessions.set("hers", &ida, &[]);
    sessions.set("his", &jan, &["notebooks.read"]);
    let mut stream = Stream::open(&api.events("/events").header("authorization", "Bearer his"));
    let notebook = |title: &str| {
        let request = api.request("POST", "/notebooks").json(&json!({ "title": title }));
        request.header("authorization", "Bearer hers").send().is(201)
    };
    notebook("while he may read it");
    assert_eq!(stream.event().kind, "specimen.notebook.created");
    sessions.set("his", &jan, &[]);
    // credentials are checked with each heartbeat
    for _ in 0..2 {
        stream.block().expect("a heartbeat");
    }
    notebook("when he may not");
    api.create("/tags", &json!({ "name": "old" }));
    assert_eq!(stream.event().kind, "specimen.tag.created");
}

fn lost_session(api: &Api) {
    let sessions = Sessions::default();
    let api = sessions.start(api);
    sessions.set("his", &keeper(&api, "Jan"), &[]);
    let mut stream = Stream::open(&api.events("/events").header("authorization", "Bearer his"));
    sessions.end("his");
    let begun = Instant::now();
    while stream.block().is_some() {
        assert!(begun.elapsed() < Duration::from_secs(10), "the stream ends");
    }
}
