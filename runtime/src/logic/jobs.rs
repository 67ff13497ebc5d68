//! Background jobs of a service's own code: started with the service, ended with it.

use super::service_handle::Service;
use crate::backoff;
use futures_util::FutureExt;
use std::fmt;
use std::io;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// How long jobs may continue while the service shuts down; then they are dropped where they wait.
const JOB_GRACE: Duration = Duration::from_secs(20);
/// The pause before a job that panicked starts again; each is twice the one before.
const PAUSE: Duration = Duration::from_secs(1);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

type JobFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A job, before the service starts.
#[derive(Clone)]
pub(crate) struct Job {
    name: String,
    run: Arc<dyn Fn(Service) -> JobFuture + Send + Sync>,
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Job").field(&self.name).finish()
    }
}

impl Job {
    /// A job that this function does.
    pub(crate) fn new<F, D>(name: &str, run: F) -> Self
    where
        F: Fn(Service) -> D + Send + Sync + 'static,
        D: Future<Output = ()> + Send + 'static,
    {
        Self { name: name.to_owned(), run: Arc::new(move |service| Box::pin(run(service))) }
    }

    /// Runs until it returns. One that panics starts again.
    async fn keep_running(self, service: Service) {
        for tries in 0..u32::MAX {
            if AssertUnwindSafe((self.run)(service.clone())).catch_unwind().await.is_ok() {
                return;
            }
            tracing::error!(job = %self.name, "a background job panicked; it starts again");
            let pause = PAUSE.saturating_mul(1 << tries.min(10)).min(LONGEST_PAUSE);
            tokio::select! {
                () = tokio::time::sleep(backoff::equal_jitter(pause)) => {}
                () = service.stopped() => return,
            }
        }
    }
}

/// The running jobs of a service.
pub(crate) struct Jobs {
    stop: watch::Sender<bool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Jobs {
    /// Starts them, on a thread of their own where there are any.
    pub(crate) fn start(jobs: Vec<Job>, service: &Service, stop: watch::Sender<bool>) -> io::Result<Self> {
        if jobs.is_empty() {
            return Ok(Self { stop, thread: Mutex::new(None) });
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let service = service.clone();
        let thread = std::thread::Builder::new().name("jobs".to_owned()).spawn(move || {
            runtime.block_on(run_all(jobs, service));
        })?;
        Ok(Self { stop, thread: Mutex::new(Some(thread)) })
    }

    /// Ends them: waits for those that end by themselves.
    pub(crate) fn close(&self) {
        self.stop.send_replace(true);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // one that panicked outside of a job has nothing to finish
        let _ = thread.map(JoinHandle::join);
    }
}

async fn run_all(jobs: Vec<Job>, service: Service) {
    let mut running = JoinSet::new();
    for job in jobs {
        running.spawn(job.keep_running(service.clone()));
    }
    let ended = async { while running.join_next().await.is_some() {} };
    let late = async {
        service.stopped().await;
        tokio::time::sleep(JOB_GRACE).await;
    };
    tokio::select! {
        () = ended => {}
        () = late => tracing::warn!("background jobs did not end in time"),
    }
}

/// Tells the jobs of a service that was embedded and is dropped.
impl Drop for Jobs {
    fn drop(&mut self) {
        self.stop.send_replace(true);
    }
}
