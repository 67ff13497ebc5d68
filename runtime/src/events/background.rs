//! What goes on with events while nobody asks for them: a thread that publishes them and drops old ones. No request waits
//! for it.

use super::{Settings, nats, retention};
use crate::plan::Plans;
use crate::store::Store;
use std::io;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use tokio::sync::watch;

/// The thread; it ends when this is dropped.
pub(crate) struct Background {
    stop: watch::Sender<bool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Background {
    /// Starts it.
    pub(crate) fn start(store: Arc<dyn Store>, plans: Arc<Plans>, settings: &Settings) -> io::Result<Self> {
        let (stop, stopped) = watch::channel(false);
        let settings = settings.clone();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let work = async move {
            let dropping = retention::run(Arc::clone(&store), &settings, stopped.clone());
            match settings.nats.clone() {
                Some(url) => {
                    tokio::join!(dropping, nats::publish(store, plans, &url, settings.retention, stopped));
                }
                None => dropping.await,
            }
        };
        let thread = std::thread::Builder::new().name("events".to_owned()).spawn(move || runtime.block_on(work))?;
        Ok(Self { stop, thread: Mutex::new(Some(thread)) })
    }

    /// Ends it: what is being published is finished, as far as the bus takes it.
    pub(crate) fn finish(&self) {
        self.stop.send_replace(true);
        let thread = self.thread.lock().ok().and_then(|mut thread| thread.take());
        // a thread that panicked has nothing more to finish
        let _ = thread.map(JoinHandle::join);
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.stop.send_replace(true);
    }
}
