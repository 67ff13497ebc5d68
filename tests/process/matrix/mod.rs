//! Every method at every path with every kind of header and body, against what the decisions' order of checks says: the
//! status, the code, the version of the answer, and the headers that go with them.
//!
//! All of it is more than a million requests. A deterministic part is asked, in which every two values meet;
//! a night asks the whole. Random models are asked a part of the same.

mod axes;
mod entities;
mod look;
mod marketplace;
mod predict;
mod random;
mod world;

use axes::Case;
use restwell_model::api::SystemEndpoint;
use restwell_testkit::effort::is_night;
use restwell_testkit::http::{Connection, Reply, Request};
use restwell_testkit::openapi::{Exchange, Judge};
use restwell_testkit::process::{Service, folder};
use std::collections::HashSet;
use std::net::SocketAddr;
use world::World;

/// Clients at a time.
const CLIENTS: usize = 4;
/// One case of so many is asked where the method is one of the path.
const OF_SERVED: u64 = 16;
/// One case of so many is asked where it is not.
const OF_OTHERS: u64 = 64;
/// Mismatches that are shown.
const SHOWN: usize = 20;

#[test]
fn methods_paths_headers_bodies() {
    let folder = folder();
    let service = Service::start(folder.path());
    let world = marketplace::world(&service);
    let is_whole = is_night();
    let cases: Vec<_> = (0..Case::count(&world)).filter_map(|index| chosen(&world, index, is_whole)).collect();
    pairs_are_complete(&world, &cases);
    let address = service.address();
    let judge = judge(&service);
    let asked = |share: &[Case]| {
        let mut client = Client::new(address);
        share.iter().filter_map(|case| mismatch(&world, &judge, &mut client, case)).collect::<Vec<_>>()
    };
    let found: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            cases.chunks(cases.len().div_ceil(CLIENTS)).map(|share| scope.spawn(move || asked(share))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a client does not panic")).collect()
    });
    let shown = found.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("\n");
    assert!(found.is_empty(), "{} of {} are not as they should be:\n{shown}", found.len(), cases.len());
    assert!(cases.len() > 20_000, "{}", cases.len());
}

/// The case of an index, where it is one of those that are asked.
fn chosen(world: &World, index: u64, is_whole: bool) -> Option<Case> {
    let mixed = mix(index);
    let case = Case::of(world, index, mixed >> 32);
    let one_of = if world.places[case.place].serves(case.method) { OF_SERVED } else { OF_OTHERS };
    (is_whole || mixed.is_multiple_of(one_of)).then_some(case)
}

/// The finalizer of SplitMix64: neighbours come out far apart.
fn mix(index: u64) -> u64 {
    let index = index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let index = (index ^ (index >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let index = (index ^ (index >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    index ^ (index >> 31)
}

/// Every value of an axis must have met every value of each other one.
fn pairs_are_complete(world: &World, cases: &[Case]) {
    let sizes = Case::sizes(world);
    for (first, size) in sizes.iter().enumerate() {
        for (second, other) in sizes.iter().enumerate().skip(first + 1) {
            let met = |case: &Case| (case.values()[first], case.values()[second]);
            let pairs: HashSet<_> = cases.iter().map(met).collect();
            assert_eq!(pairs.len(), size * other, "axes {first} and {second}");
        }
    }
}

/// A judge by the document that a service has of itself.
fn judge(service: &Service) -> Judge {
    let document = service.send(&Request::new("GET", SystemEndpoint::OpenApi.path())).is(200).json();
    Judge::of(&document).expect("the document can be read")
}

/// What is wrong with the answer to a case: it is not what the decisions say, or not what the document says.
fn mismatch(world: &World, judge: &Judge, client: &mut Client, case: &Case) -> Option<String> {
    let expected = predict::answer(world, case);
    let request = case.request(world);
    let found = match client.ask(&request) {
        Ok(reply) => {
            let judged = || judge.faults(&Exchange::new(&request, &reply)).into_iter().next();
            let fault = look::fault(&world.vendor, case, &expected, &reply).or_else(judged);
            fault.map(|fault| (fault, reply.status, reply.text()))
        }
        Err(error) => Some((error.to_string(), 0, String::new())),
    };
    let (fault, status, text) = found?;
    Some(format!("{}: expected {expected:?}; {fault} ({status} {text})", case.told(world)))
}

/// A client that keeps its connection.
struct Client {
    address: SocketAddr,
    connection: Option<Connection>,
}

impl Client {
    fn new(address: SocketAddr) -> Self {
        Self { address, connection: None }
    }

    fn ask(&mut self, request: &Request) -> std::io::Result<Reply> {
        // the service may have ended the connection after the last answer
        if let Some(reply) = self.connection.take().and_then(|kept| self.exchange(kept, request).ok()) {
            return Ok(reply);
        }
        self.exchange(Connection::open(self.address)?, request)
    }

    fn exchange(&mut self, mut connection: Connection, request: &Request) -> std::io::Result<Reply> {
        let reply = connection.exchange(request)?;
        if reply.header("connection") != Some("close") {
            self.connection = Some(connection);
        }
        Ok(reply)
    }
}
