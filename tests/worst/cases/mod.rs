//! The worst cases: for every action of the model the dearest requests that the limits allow. A new one is a line in
//! [`CASES`], with the sites that it is for and the function that makes its requests.

mod bodies;
mod heads;
mod lists;
mod patches;
mod searches;

use crate::site::Site;
use restwell_testkit::http::Request;

/// A kind of request that costs as much as it can.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// Whether it is for a site.
    pub(crate) suits: fn(&Site<'_>) -> bool,
    /// What is sent there, one after the other.
    pub(crate) shots: fn(&Site<'_>) -> Vec<Shot>,
}

/// What is sent, and how its answer is taken.
pub(crate) struct Shot {
    /// Where it has [`CREATED`], the id of what the shot before it created stands there.
    pub(crate) bytes: Vec<u8>,
    pub(crate) manner: Manner,
    pub(crate) is_head: bool,
}

/// In a target: the id of what the shot before created.
pub(crate) const CREATED: &str = "CREATED-BEFORE";

/// How a client takes its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// To its end.
    Read,
    /// What comes within a moment: a stream of events has no end.
    Glance,
    /// Nothing of it for a moment, and then the client goes.
    Idle,
    /// The client goes once all is sent.
    Leave,
    /// Only the first bytes of the body are sent, then nothing for a moment.
    Stall,
}

impl Shot {
    fn of(manner: Manner, request: &Request) -> Self {
        Self { bytes: request.bytes(), manner, is_head: request.is_head() }
    }
}

fn read(request: &Request) -> Vec<Shot> {
    vec![Shot::of(Manner::Read, request)]
}

const CASES: &[Case] = &[
    Case { name: "widest page", suits: lists::is_list, shots: |site| lists::widest(site, "") },
    Case { name: "widest page, gzip", suits: lists::is_list, shots: lists::compressed },
    Case { name: "widest page, far", suits: lists::is_list, shots: lists::far },
    Case { name: "widest page, not read", suits: lists::is_list, shots: lists::unread },
    Case { name: "widest page, left", suits: lists::is_list, shots: lists::left },
    Case { name: "page beyond the end", suits: lists::is_list, shots: |site| lists::widest(site, "offset=2147483648") },
    Case { name: "longest sort", suits: lists::is_list, shots: lists::longest_sort },
    Case { name: "longest sort, far", suits: lists::is_list, shots: lists::longest_sort_far },
    Case { name: "most filter values", suits: lists::is_filtered, shots: lists::most_values },
    Case { name: "every filter", suits: lists::is_filtered, shots: lists::every_filter },
    Case { name: "ranges that hold for all", suits: lists::is_filtered, shots: lists::wide_ranges },
    Case { name: "search of many objects, none found", suits: searches::has_arrays, shots: searches::nowhere },
    Case { name: "search of many objects, alike", suits: searches::has_arrays, shots: searches::alike },
    Case { name: "search of last elements", suits: searches::has_arrays, shots: searches::last_elements },
    Case { name: "search of every element", suits: searches::has_arrays, shots: searches::given },
    Case { name: "search of many values", suits: searches::is_searched, shots: searches::most_values },
    Case { name: "search, left", suits: searches::has_arrays, shots: searches::left },
    Case { name: "most headers", suits: |_| true, shots: heads::most },
    Case { name: "longest header", suits: |_| true, shots: heads::longest },
    Case { name: "longest lists in headers", suits: |_| true, shots: heads::lists },
    Case { name: "longest URI", suits: |_| true, shots: heads::uri },
    Case { name: "most parameters", suits: |_| true, shots: heads::parameters },
    Case { name: "largest body", suits: bodies::is_taken, shots: bodies::largest },
    Case { name: "largest body, dry run", suits: bodies::is_created, shots: bodies::dry_run },
    Case { name: "array of tiny elements", suits: bodies::is_taken, shots: bodies::tiny_elements },
    Case { name: "array of tiny objects", suits: bodies::is_taken, shots: bodies::tiny_objects },
    Case { name: "unknown properties", suits: bodies::is_taken, shots: bodies::unknown_properties },
    Case { name: "one property many times", suits: bodies::is_taken, shots: bodies::repeated_property },
    Case { name: "too deep a body", suits: bodies::is_taken, shots: bodies::too_deep },
    Case { name: "deepest body", suits: bodies::is_taken, shots: bodies::deepest },
    Case { name: "longest text", suits: bodies::is_taken, shots: bodies::longest_text },
    Case { name: "longest escapes", suits: bodies::is_taken, shots: bodies::longest_escapes },
    Case { name: "longest number", suits: bodies::is_taken, shots: bodies::longest_number },
    Case { name: "stalled body", suits: bodies::is_taken, shots: bodies::stalled },
    Case { name: "secret to hash", suits: bodies::has_secret, shots: bodies::secret },
    Case { name: "secret to hash, left", suits: bodies::has_secret, shots: bodies::secret_left },
    Case { name: "patch: unknown array, removed bit by bit", suits: patches::is_patched, shots: patches::remove_below },
    Case { name: "patch: many small additions", suits: patches::is_patched, shots: patches::many_additions },
    Case { name: "patch: insertions at the front", suits: patches::is_patched, shots: patches::front_insertions },
    Case { name: "patch: copies that double", suits: patches::is_patched, shots: patches::doubling },
    Case { name: "patch: tests of large values", suits: patches::is_patched, shots: patches::large_tests },
    Case { name: "patch: moves to and fro", suits: patches::is_patched, shots: patches::moves },
    Case { name: "patch: replacements of all", suits: patches::is_patched, shots: patches::replacements },
    Case { name: "patch: too deep", suits: patches::is_patched, shots: patches::too_deep },
];

/// The system endpoints: target, `Accept`, and the expected result.
const SYSTEM: &[(&str, &str, Manner)] = &[
    ("/events", "text/event-stream", Manner::Glance),
    ("/events?resource=Nothing", "text/event-stream", Manner::Glance),
    ("/readyz", "*/*", Manner::Read),
    ("/metrics", "*/*", Manner::Read),
    ("/livez", "*/*", Manner::Read),
];

/// One case at one site.
pub(crate) struct Round<'a> {
    pub(crate) case: &'static str,
    pub(crate) site: String,
    shots: Box<dyn Fn() -> Vec<Shot> + Sync + Send + 'a>,
}

impl Round<'_> {
    /// What is sent.
    pub(crate) fn shots(&self) -> Vec<Shot> {
        (self.shots)()
    }
}

/// A stream of the events of each resource, from the first one on: most of them are not shown to its caller.
fn streams<'a>(sites: &'a [Site<'a>], token: &'a str) -> impl Iterator<Item = Round<'a>> {
    let resources = sites.first().into_iter().flat_map(|site| &site.values.model.resources);
    resources.flat_map(move |resource| {
        let target = format!("/events?resource={}", resource.plural_of(false));
        [(None, Manner::Glance), (Some(token), Manner::Glance), (Some(token), Manner::Idle)].map(|(token, manner)| {
            let target = target.clone();
            Round {
                case: "stream that catches up",
                site: format!("GET {target}"),
                shots: Box::new(move || {
                    let request = Request::new("GET", &target).header("accept", "text/event-stream");
                    let request = request.header("last-event-id", "0");
                    vec![Shot::of(manner, &token.iter().fold(request, |request, token| request.bearer(token)))]
                }),
            }
        })
    })
}

/// All cases at all sites that they are for, one case after the other.
pub(crate) fn rounds<'a>(sites: &'a [Site<'a>], token: &'a str) -> Vec<Round<'a>> {
    let at_sites = CASES.iter().flat_map(|case| {
        sites.iter().filter(|site| (case.suits)(site)).map(|site| Round {
            case: case.name,
            site: site.name(),
            shots: Box::new(|| (case.shots)(site)),
        })
    });
    let system = SYSTEM.iter().flat_map(|&(target, accept, manner)| {
        [None, Some(token)].map(|token| Round {
            case: "the service's own",
            site: format!("GET {target}"),
            shots: Box::new(move || {
                let request = Request::new("GET", target).header("accept", accept).header("last-event-id", "0");
                let request = token.iter().fold(request, |request, token| request.bearer(token));
                vec![Shot::of(manner, &request)]
            }),
        })
    });
    at_sites.chain(system).chain(streams(sites, token)).collect()
}
