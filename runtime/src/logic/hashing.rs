//! The hashing of secrets (`secret: argon2`): threads, a queue and memory of its own, since it is slow and large on
//! purpose.
//!
//! A thread allocates its memory once, with its first secret, and reuses it for all others. A secret whose request has
//! ended is not hashed.

use crate::fair_share::{FairShare, Share};
use crate::limits::ClientKey;
use crate::observe::metrics::HashMetrics;
use crate::plan::Plans;
use crate::plan::secret::Secrets;
use crate::store::StoreError;
use argon2::password_hash::{Output, ParamsString, PasswordHash, SaltString};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use restwell_model::Value;
use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;
use uuid::Uuid;

/// Threads that hash. Each keeps 19 MiB, the memory of one hash.
const HASH_THREADS: usize = 2;
/// Secrets that wait or are being hashed: 503 `Unavailable` beyond.
const MAX_HASH_QUEUE: usize = 128;
/// Secrets that one request may set: 422 `TooManyItems` beyond.
pub(crate) const MAX_SECRETS: usize = 16;

/// Whose share of the queue the service's own code takes.
const OWN_CODE: ClientKey = ClientKey::Caller(Uuid::nil());

/// Hashes secrets.
#[derive(Debug)]
pub(crate) struct Hasher {
    jobs: Sender<HashJob>,
    queue: Arc<FairShare>,
}

/// The secrets of one request.
struct HashJob {
    secrets: Vec<String>,
    done: oneshot::Sender<Result<Vec<String>, HashError>>,
    _queued: Share,
}

/// A secret could not be hashed. The error says nothing about the secret.
#[derive(Debug)]
struct HashError;

impl Hasher {
    /// Starts the threads, which run until this is dropped; none if no resource has secrets.
    pub(crate) fn start(plans: &Plans, metrics: &HashMetrics) -> io::Result<Self> {
        let is_needed = plans.resources.iter().any(|plan| !plan.secrets.is_empty());
        Self::with_threads(if is_needed { HASH_THREADS } else { 0 }, metrics)
    }

    fn with_threads(threads: usize, metrics: &HashMetrics) -> io::Result<Self> {
        let (jobs, receiver) = mpsc::channel();
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..threads {
            let (receiver, metrics) = (Arc::clone(&receiver), metrics.clone());
            std::thread::Builder::new().name("hashing".to_owned()).spawn(move || work(&receiver, &metrics))?;
        }
        Ok(Self { jobs, queue: FairShare::new(MAX_HASH_QUEUE) })
    }

    /// The hashes of secrets, in their order, in the PHC string form, each with a salt of its own.
    pub(crate) async fn hash(&self, client: ClientKey, secrets: Vec<String>) -> Result<Vec<String>, StoreError> {
        let busy = || StoreError::Unavailable("too many secrets wait to be hashed".to_owned());
        let queued = self.queue.take(client, secrets.len()).ok_or_else(busy)?;
        let (done, hashed) = oneshot::channel();
        let failed = || StoreError::Internal("a secret could not be hashed".to_owned());
        self.jobs.send(HashJob { secrets, done, _queued: queued }).map_err(|_| failed())?;
        hashed.await.ok().and_then(Result::ok).ok_or_else(failed)
    }

    /// Replaces the secrets that the service's own code sets by their hashes. Values that are hashes already are kept.
    pub(crate) async fn replace(&self, secrets: &Secrets, value: &mut Value) -> Result<(), StoreError> {
        let taken = secrets.take_new(value);
        let mut hashes = Vec::with_capacity(taken.len());
        for some in taken.chunks(MAX_SECRETS) {
            hashes.extend(self.hash(OWN_CODE, some.to_vec()).await?);
        }
        secrets.put(value, &hashes);
        Ok(())
    }
}

/// The work of a thread, until no more requests can come.
fn work(jobs: &Mutex<Receiver<HashJob>>, metrics: &HashMetrics) {
    let mut memory = Vec::new();
    // the other threads wait for the lock as they would for a job
    while let Ok(job) = { jobs.lock().unwrap_or_else(PoisonError::into_inner).recv() } {
        let HashJob { secrets, done, _queued } = job;
        let mut hashes = Ok(Vec::with_capacity(secrets.len()));
        for secret in &secrets {
            if done.is_closed() {
                break;
            }
            metrics.hashes.increment(1);
            hashes = hashes.and_then(|mut hashes| {
                hashes.push(hashed(secret, &mut memory)?);
                Ok(hashes)
            });
        }
        // the request may have ended
        let _ = done.send(hashes);
    }
}

fn hashed(secret: &str, memory: &mut Vec<Block>) -> Result<String, HashError> {
    let params = Params::default();
    memory.resize(params.block_count(), Block::default());
    // 122 random bits
    let salt_bytes = Uuid::new_v4();
    let salt = SaltString::encode_b64(salt_bytes.as_bytes()).map_err(|_| HashError)?;
    let (algorithm, version) = (Algorithm::default(), Version::default());
    let argon2 = Argon2::new(algorithm, version, params);
    let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
    argon2
        .hash_password_into_with_memory(secret.as_bytes(), salt_bytes.as_bytes(), &mut output, memory)
        .map_err(|_| HashError)?;
    let hash = PasswordHash {
        algorithm: algorithm.ident(),
        version: Some(version.into()),
        params: ParamsString::try_from(argon2.params()).map_err(|_| HashError)?,
        salt: Some(salt.as_salt()),
        hash: Some(Output::new(&output).map_err(|_| HashError)?),
    };
    Ok(hash.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::metrics::Metrics;
    use argon2::PasswordVerifier;
    use std::time::Duration;

    fn verifies(hash: &str, secret: &str) -> bool {
        let hash = PasswordHash::new(hash).unwrap();
        Argon2::default().verify_password(secret.as_bytes(), &hash).is_ok()
    }

    #[test]
    fn memory_is_used_again() {
        let mut memory = Vec::new();
        let first = hashed("first", &mut memory).unwrap();
        let (place, size) = (memory.as_ptr(), memory.capacity());
        assert_eq!(size * size_of::<Block>(), 19_456 * 1024);
        let second = hashed("second", &mut memory).unwrap();
        assert_eq!((memory.as_ptr(), memory.capacity()), (place, size));
        assert!(verifies(&first, "first") && verifies(&second, "second"));
        assert!(!verifies(&first, "second"));
        assert!(first.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{first}");
    }

    #[tokio::test]
    async fn the_queue_is_bounded_and_shared() {
        let hasher = Hasher::with_threads(HASH_THREADS, &HashMetrics::new(&Metrics::new())).unwrap();
        let [greedy, other] = [ClientKey::Caller(Uuid::new_v4()), ClientKey::Caller(Uuid::new_v4())];
        let held: Vec<_> = std::iter::from_fn(|| hasher.queue.take(greedy, 1)).collect();
        assert_eq!(held.len(), MAX_HASH_QUEUE / 2);
        let refused = hasher.hash(greedy, vec!["a".to_owned()]).await;
        assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
        let hashes = hasher.hash(other, vec!["a".to_owned(), "a".to_owned()]).await.unwrap();
        assert!(verifies(&hashes[0], "a") && verifies(&hashes[1], "a"));
        assert_ne!(hashes[0], hashes[1], "each has its own salt");
        drop(held);
        assert_eq!(hasher.queue.held(), 0);
    }

    #[tokio::test]
    async fn abandoned_secrets_are_not_hashed() {
        let metrics = Metrics::new();
        let hasher = Hasher::with_threads(HASH_THREADS, &HashMetrics::new(&metrics)).unwrap();
        let clients: Vec<_> = (0..40).map(|_| ClientKey::Caller(Uuid::new_v4())).collect();
        let all = clients.iter().map(|client| hasher.hash(*client, vec!["a".to_owned()]));
        // all have asked, and all leave at once
        let left = tokio::time::timeout(Duration::from_millis(1), futures_util::future::join_all(all)).await;
        assert!(left.is_err());
        hasher.hash(clients[0], vec!["b".to_owned()]).await.unwrap();
        while hasher.queue.held() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let page = metrics.page();
        let count = page.lines().find_map(|line| line.strip_prefix("restwell_hashes_total ")).unwrap();
        // one by each thread that had begun, and the last
        assert!(count.parse::<usize>().unwrap() <= HASH_THREADS + 1, "{count}");
    }
}
