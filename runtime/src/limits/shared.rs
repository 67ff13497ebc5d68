//! Counting for all instances together, by a Redis server: the generic cell rate algorithm in a script, so that a
//! request is one round trip and nothing comes in between. Its clock is the server's.

use super::{Allowance, ClientKey, Quota};
use redis::aio::MultiplexedConnection;
use redis::{Client, Script};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Mutex as AsyncMutex;

/// How long the server may take.
const PATIENCE: Duration = Duration::from_millis(250);
/// How long it is left alone after it failed.
const PAUSE: Duration = Duration::from_secs(1);
/// The prefix of its keys.
const PREFIX: &str = "restwell:rate";

/// The key holds when the caller would have a full quota again, in microseconds. Answers whether the request may go on,
/// how many more may, and how long to wait.
const COUNT: &str = r"
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now) + interval
local early = full - window - now
if early > 0 then return {0, 0, early} end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
return {1, math.floor(-early / interval), full - now}
";

/// What each caller has left, on a Redis server.
pub(super) struct SharedQuota {
    client: Client,
    script: Script,
    service: String,
    /// Microseconds.
    interval: u64,
    window: u64,
    connection: AsyncMutex<Option<MultiplexedConnection>>,
    /// Until when it is left alone.
    resting: Mutex<Option<Instant>>,
    is_away: AtomicBool,
}

impl SharedQuota {
    /// Of a service on a server, which is connected when it is first needed.
    pub(super) fn new(quota: Quota, service: &str, url: &str) -> Result<Self, String> {
        let client =
            Client::open(url).map_err(|error| format!("--rate-limit-redis: no URL of a Redis server: {error}"))?;
        let interval = u64::try_from(quota.interval().as_micros()).unwrap_or(u64::MAX).max(1);
        Ok(Self {
            client,
            script: Script::new(COUNT),
            service: service.to_owned(),
            interval,
            window: interval.saturating_mul(quota.requests.get().into()),
            connection: AsyncMutex::new(None),
            resting: Mutex::new(None),
            is_away: AtomicBool::new(false),
        })
    }

    /// Counts a request; `None` while the server is unreachable.
    pub(super) async fn take(&self, who: ClientKey) -> Option<Allowance> {
        if self.is_resting() {
            return None;
        }
        match tokio::time::timeout(PATIENCE, self.count(who)).await {
            Ok(Ok(allowance)) => {
                if self.is_away.swap(false, Ordering::Relaxed) {
                    tracing::info!("requests are counted by Redis again, for all instances together");
                }
                Some(allowance)
            }
            Ok(Err(error)) => self.rest(&error.to_string()).await,
            Err(_) => self.rest("it does not answer in time").await,
        }
    }

    async fn count(&self, who: ClientKey) -> redis::RedisResult<Allowance> {
        let mut connection = self.connect().await?;
        let key = match who {
            ClientKey::Caller(id) => format!("{PREFIX}:{}:{id}", self.service),
            ClientKey::Address(address) => format!("{PREFIX}:{}:{address}", self.service),
        };
        let mut call = self.script.key(key);
        let (is_allowed, remaining, wait): (bool, u32, u64) =
            call.arg(self.interval).arg(self.window).invoke_async(&mut connection).await?;
        Ok(Allowance { is_allowed, remaining, wait: Duration::from_micros(wait) })
    }

    async fn connect(&self) -> redis::RedisResult<MultiplexedConnection> {
        let mut known = self.connection.lock().await;
        if let Some(connection) = &*known {
            return Ok(connection.clone());
        }
        let connection = self.client.get_multiplexed_async_connection().await?;
        Ok(known.insert(connection).clone())
    }

    fn is_resting(&self) -> bool {
        let resting = self.resting.lock().ok().and_then(|until| *until);
        resting.is_some_and(|until| Instant::now() < until)
    }

    /// Pauses requests to the server, and logs this once.
    async fn rest(&self, reason: &str) -> Option<Allowance> {
        if let Ok(mut resting) = self.resting.lock() {
            *resting = Some(Instant::now() + PAUSE);
        }
        // after a reconnect it may be another server
        *self.connection.lock().await = None;
        if !self.is_away.swap(true, Ordering::Relaxed) {
            tracing::warn!(%reason, "Redis cannot be asked: each instance counts requests for itself");
        }
        None
    }
}
