//! The hashing of secrets (`secret: argon2`), and their verification, which hashes too: threads, a queue and memory of
//! its own, since it is slow and large on purpose.
//!
//! A thread allocates its memory once, with its first secret, and reuses it for all others. A secret whose request has
//! ended is not hashed.

use crate::fair_share::{FairShare, Share};
use crate::limits::ClientKey;
use crate::observe::metrics::HashMetrics;
use crate::plan::Plans;
use crate::plan::secret::{PLACEHOLDER, Secrets};
use crate::store::StoreError;
use argon2::password_hash::{Output, ParamsString, PasswordHash, Salt, SaltString};
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

/// What a thread is to do.
struct HashJob {
    task: HashTask,
    _queued: Share,
}

enum HashTask {
    /// The secrets of one request.
    Hash { secrets: Vec<String>, done: oneshot::Sender<Result<Vec<String>, HashError>> },
    /// Whether a secret has this hash.
    Verify { secret: String, hash: Option<String>, done: oneshot::Sender<Result<bool, HashError>> },
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
        let count = secrets.len();
        self.run(client, count, |done| HashTask::Hash { secrets, done }).await
    }

    /// Whether the service's own code was given the secret that has this hash. What is not a hash has no secret, and
    /// takes the same time.
    pub(crate) async fn verify(&self, secret: String, hash: Option<String>) -> Result<bool, StoreError> {
        self.run(OWN_CODE, 1, |done| HashTask::Verify { secret, hash, done }).await
    }

    /// Waits for a thread to do this, which hashes this number of secrets.
    async fn run<T>(
        &self,
        client: ClientKey,
        count: usize,
        task: impl FnOnce(oneshot::Sender<Result<T, HashError>>) -> HashTask,
    ) -> Result<T, StoreError> {
        let busy = || StoreError::Unavailable("too many secrets wait to be hashed".to_owned());
        let queued = self.queue.take(client, count).ok_or_else(busy)?;
        let (done, finished) = oneshot::channel();
        let failed = || StoreError::Internal("a secret could not be hashed".to_owned());
        self.jobs.send(HashJob { task: task(done), _queued: queued }).map_err(|_| failed())?;
        finished.await.ok().and_then(Result::ok).ok_or_else(failed)
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
        let HashJob { task, _queued } = job;
        match task {
            HashTask::Hash { secrets, done } => {
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
            HashTask::Verify { done, .. } if done.is_closed() => {}
            HashTask::Verify { secret, hash, done } => {
                metrics.hashes.increment(1);
                let _ = done.send(verified(&secret, hash.as_deref(), &mut memory));
            }
        }
    }
}

/// Whether a secret has a hash. Without one it is compared with a hash that no secret has, so that the time does not
/// tell who is known.
fn verified(secret: &str, hash: Option<&str>, memory: &mut Vec<Block>) -> Result<bool, HashError> {
    let known = hash.and_then(|hash| PasswordHash::new(hash).ok());
    let is_known = known.is_some();
    let hash = match known {
        Some(known) => known,
        None => PasswordHash::new(PLACEHOLDER).map_err(|_| HashError)?,
    };
    let (Some(salt), Some(expected)) = (hash.salt, hash.hash) else { return Ok(false) };
    let params = Params::try_from(&hash).map_err(|_| HashError)?;
    let algorithm = Algorithm::try_from(hash.algorithm).map_err(|_| HashError)?;
    let version = hash.version.map_or(Ok(Version::default()), Version::try_from).map_err(|_| HashError)?;
    let mut salt_bytes = [0; Salt::MAX_LENGTH];
    let salt = salt.decode_b64(&mut salt_bytes).map_err(|_| HashError)?;
    let kept = memory.len();
    memory.resize(params.block_count().max(kept), Block::default());
    let mut output = [0; Output::MAX_LENGTH];
    let output = output.get_mut(..expected.len()).ok_or(HashError)?;
    let argon2 = Argon2::new(algorithm, version, params);
    let done = argon2.hash_password_into_with_memory(secret.as_bytes(), salt, output, &mut *memory);
    // a hash of other parameters may have needed more
    memory.truncate(kept.max(Params::default().block_count()));
    memory.shrink_to_fit();
    done.map_err(|_| HashError)?;
    // compared in constant time
    Ok(Output::new(output).is_ok_and(|output| output == expected) && is_known)
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
    use argon2::{PasswordHasher, PasswordVerifier};
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
    async fn a_secret_is_verified_and_nobody_takes_less_work() {
        let metrics = Metrics::new();
        let hasher = Hasher::with_threads(1, &HashMetrics::new(&metrics)).unwrap();
        let hashes = hasher.hash(OWN_CODE, vec!["open sesame".to_owned()]).await.unwrap();
        let verify = |secret: &str, hash: Option<&str>| hasher.verify(secret.to_owned(), hash.map(str::to_owned));
        assert!(verify("open sesame", Some(&hashes[0])).await.unwrap());
        assert!(!verify("open barley", Some(&hashes[0])).await.unwrap());
        assert!(!verify("", Some(&hashes[0])).await.unwrap());
        // a user who is not known, one without a password, and a row that was imported from elsewhere
        assert!(!verify("open sesame", None).await.unwrap());
        assert!(!verify("", Some("")).await.unwrap());
        assert!(!verify("open sesame", Some("open sesame")).await.unwrap());
        let count =
            metrics.page().lines().find_map(|line| Some(line.strip_prefix("restwell_hashes_total ")?.to_owned()));
        assert_eq!(count.as_deref(), Some("7"), "each is one hash");
    }

    #[test]
    fn hashes_of_other_parameters_are_verified_and_their_memory_is_returned() {
        let params = Params::new(32_768, 1, 2, Some(24)).unwrap();
        let argon2 = Argon2::new(Algorithm::Argon2i, Version::V0x10, params);
        let salt = SaltString::encode_b64(b"some other salt").unwrap();
        let hash = argon2.hash_password(b"sesame", &salt).unwrap().to_string();
        let mut memory = Vec::new();
        assert!(verified("sesame", Some(&hash), &mut memory).unwrap());
        assert!(!verified("barley", Some(&hash), &mut memory).unwrap());
        assert!(memory.capacity() * size_of::<Block>() <= 19_456 * 1024);
        assert!(verifies(&hashed("first", &mut memory).unwrap(), "first"));
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
