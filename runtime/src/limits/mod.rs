//! The rate limit (§8; decisions, "Rate limit"): the number of requests in a window, counted per caller, else per
//! address, in this process or by Redis for all instances together.

mod local;
mod quota;
#[cfg(feature = "redis")]
mod shared;
#[cfg(not(feature = "redis"))]
#[path = "without_redis.rs"]
mod shared;

pub(crate) use quota::Quota;

use http::{HeaderMap, HeaderName, HeaderValue};
use local::LocalQuota;
use sha2::{Digest, Sha256};
use shared::SharedQuota;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;
use uuid::Uuid;

/// Counts requests.
pub(crate) struct Limiter {
    quota: Quota,
    local: LocalQuota,
    /// Counts for all instances together. While it is unreachable, each instance counts its own requests.
    shared: Option<SharedQuota>,
}

impl fmt::Debug for Limiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Limiter").field(&self.quota).finish()
    }
}

/// The client whose requests are counted together, and who has a share of limited resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ClientKey {
    /// An authenticated caller.
    Caller(Uuid),
    /// An address; of IPv6 the network, because one customer has a whole network.
    Address(IpAddr),
}

impl ClientKey {
    /// The client that sent a request.
    pub(crate) fn of(caller: Option<Uuid>, address: Option<IpAddr>) -> Self {
        match (caller, address) {
            (Some(caller), _) => Self::Caller(caller),
            (None, Some(IpAddr::V6(address))) => match address.to_ipv4_mapped() {
                Some(mapped) => Self::Address(mapped.into()),
                None => Self::Address(network(address).into()),
            },
            (None, address) => Self::Address(address.unwrap_or(Ipv6Addr::UNSPECIFIED.into())),
        }
    }

    /// What a database calls this client, as `<kind>:<name>`. Of an address it has a hash alone.
    pub(crate) fn stored_name(self) -> String {
        match self {
            Self::Caller(id) => format!("caller:{id}"),
            Self::Address(address) => {
                let hash = Sha256::new().chain_update("restwell client ").chain_update(address.to_string()).finalize();
                let hash: String = hash.iter().take(STORED_HASH_BYTES).map(|byte| format!("{byte:02x}")).collect();
                format!("address:{hash}")
            }
        }
    }
}

/// Bytes of the hash that stands for an address in a database.
const STORED_HASH_BYTES: usize = 8;

/// The first 64 bits.
fn network(address: Ipv6Addr) -> Ipv6Addr {
    Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)
}

/// The state of a quota after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// Whether it may go on.
    pub(crate) is_allowed: bool,
    /// Requests that may come at once after it.
    pub(crate) remaining: u32,
    /// Until there is one more, where there is none; else until there are all again.
    pub(crate) wait: Duration,
}

impl Limiter {
    /// Counts in this process.
    pub(crate) fn local(quota: Quota) -> Self {
        Self { quota, local: LocalQuota::new(quota), shared: None }
    }

    /// Counts with the other instances of the service, by a Redis server.
    ///
    /// # Errors
    ///
    /// A sentence for people: the URL is none of Redis.
    pub(crate) fn shared(quota: Quota, service: &str, url: &str) -> Result<Self, String> {
        Ok(Self { shared: Some(SharedQuota::new(quota, service, url)?), ..Self::local(quota) })
    }

    /// Counts a request.
    pub(crate) async fn take(&self, who: ClientKey) -> Allowance {
        if let Some(shared) = &self.shared
            && let Some(allowance) = shared.take(who).await
        {
            return allowance;
        }
        self.local.take(who)
    }
}

/// The fields of the IETF's draft "RateLimit header fields for HTTP".
const RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

impl Limiter {
    /// Adds the headers with the remaining quota, in seconds and requests.
    pub(crate) fn announce(&self, allowance: Allowance, headers: &mut HeaderMap) {
        let (quota, window) = (self.quota.requests, self.quota.window.as_secs().max(1));
        let (remaining, wait) = (allowance.remaining, allowance.wait.as_secs_f64().ceil());
        let fields = [
            (RATELIMIT_POLICY, format!("\"default\";q={quota};w={window}")),
            (RATELIMIT, format!("\"default\";r={remaining};t={wait}")),
        ];
        let values = fields.into_iter().map(|(name, value)| Some((name, HeaderValue::try_from(value).ok()?)));
        headers.extend(values.flatten());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_customers_network() {
        let who = |text: &str| ClientKey::of(None, text.parse().ok());
        assert_eq!(who("2001:db8:1:2::1"), who("2001:db8:1:2:ffff::7"));
        assert_ne!(who("2001:db8:1:2::1"), who("2001:db8:1:3::1"));
        assert_eq!(who("::ffff:10.0.0.1"), who("10.0.0.1"));
        assert_ne!(who("10.0.0.1"), who("10.0.0.2"));
        let caller = Uuid::new_v4();
        assert_eq!(ClientKey::of(Some(caller), "10.0.0.1".parse().ok()), ClientKey::Caller(caller));
    }

    #[test]
    fn a_database_gets_no_address() {
        let name = |text: &str| ClientKey::of(None, text.parse().ok()).stored_name();
        assert_eq!(name("10.0.0.1"), name("::ffff:10.0.0.1"));
        assert_ne!(name("10.0.0.1"), name("10.0.0.2"));
        assert!(name("10.0.0.1").starts_with("address:") && !name("10.0.0.1").contains("10.0.0.1"));
        let caller = Uuid::new_v4();
        assert_eq!(ClientKey::Caller(caller).stored_name(), format!("caller:{caller}"));
    }
}
