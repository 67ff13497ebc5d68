//! Requests: how many, how long, by method, route and status. Routes are the model's, so a client cannot make new ones.

use super::Metrics;
use super::catalogue::{
    ANSWERS_KIB, BODIES_KIB, CONNECTIONS, CONNECTIONS_REFUSED, LISTS_ACTIVE, REQUEST_DURATION, REQUESTS_ACTIVE, STREAMS,
};
use http::Method;
use metrics::{Counter, Gauge, Histogram};
use restwell_model::ErrorCode;
use std::sync::OnceLock;
use std::time::Duration;

/// Methods with their own label; any other one has the last.
const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "OTHER"];
/// Statuses of answers that are no errors (§4.8).
const SUCCESSES: [u16; 5] = [200, 201, 202, 204, 304];
/// Of what was refused before it had a route.
const NO_ROUTE: &str = "none";

/// Per status, made when it is first needed.
type ByStatus = Box<[OnceLock<Histogram>]>;

/// What is measured of requests.
#[derive(Debug)]
pub(crate) struct RequestMetrics {
    metrics: Metrics,
    /// All there are, sorted.
    statuses: Vec<u16>,
    /// The paths' patterns, and per method what is measured there; the last is of no route.
    routes: Vec<(String, [OnceLock<ByStatus>; METHODS.len()])>,
    pub(crate) active: Gauge,
    pub(crate) connections: Gauge,
    pub(crate) refused_connections: Counter,
    pub(crate) streams: Gauge,
    pub(crate) bodies: Gauge,
    pub(crate) answers: Gauge,
    pub(crate) lists: Gauge,
}

impl RequestMetrics {
    /// Of a service with these paths.
    pub(crate) fn new(metrics: &Metrics, routes: impl Iterator<Item = String>) -> Self {
        let mut statuses: Vec<_> = ErrorCode::ALL.iter().map(|code| code.status()).chain(SUCCESSES).collect();
        statuses.sort_unstable();
        statuses.dedup();
        let routes = routes.chain([NO_ROUTE.to_owned()]).map(|route| (route, Default::default()));
        Self {
            statuses,
            routes: routes.collect(),
            active: metrics.gauge(REQUESTS_ACTIVE, &[]),
            connections: metrics.gauge(CONNECTIONS, &[]),
            refused_connections: metrics.counter(CONNECTIONS_REFUSED, &[]),
            streams: metrics.gauge(STREAMS, &[]),
            bodies: metrics.gauge(BODIES_KIB, &[]),
            answers: metrics.gauge(ANSWERS_KIB, &[]),
            lists: metrics.gauge(LISTS_ACTIVE, &[]),
            metrics: metrics.clone(),
        }
    }

    /// Notes an answered request; `route` is an index into those that this was made with.
    pub(crate) fn answered(&self, route: Option<usize>, method: &Method, status: u16, took: Duration) {
        let (Some(known), Ok(status_index)) =
            (self.routes.get(route.unwrap_or(self.routes.len() - 1)), self.statuses.binary_search(&status))
        else {
            return;
        };
        let (route, methods) = known;
        let method = METHODS.iter().position(|known| *known == method.as_str()).unwrap_or(METHODS.len() - 1);
        let by_status = methods[method].get_or_init(|| self.statuses.iter().map(|_| OnceLock::new()).collect());
        let histogram = by_status[status_index].get_or_init(|| {
            let labels = [("method", METHODS[method]), ("route", route), ("status", &status.to_string())];
            self.metrics.histogram(REQUEST_DURATION, &labels)
        });
        histogram.record(took);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_method_route_and_status() {
        let metrics = Metrics::new();
        let requests = RequestMetrics::new(&metrics, ["/offers".to_owned()].into_iter());
        let took = Duration::from_millis(3);
        requests.answered(Some(0), &Method::GET, 200, took);
        requests.answered(Some(0), &Method::GET, 200, took);
        requests.answered(None, &Method::from_bytes(b"BREW").unwrap(), 404, took);
        let page = metrics.page();
        let count = |labels: &str| format!("{REQUEST_DURATION}_count{{{labels}}}");
        let of_offers = count("method=\"GET\",route=\"/offers\",status=\"200\"");
        assert!(page.contains(&format!("{of_offers} 2")), "{page}");
        let of_none = count("method=\"OTHER\",route=\"none\",status=\"404\"");
        assert!(page.contains(&format!("{of_none} 1")), "{page}");
        assert!(page.contains("# HELP http_server_request_duration_seconds"), "{page}");
    }
}
