//! Connections: a listener, and a worker thread per core that serves its connections.
//!
//! Each worker runs its own single-threaded runtime, so that a request stays on one core from its first byte to its
//! last; single entities are read from SQLite right there. At the end no new connections are taken, requests in flight
//! are finished, and the store is closed.
//!
//! A client that sends a request on a connection while the service closes it gets no response, and does not know why
//! (RFC 9112, §9.5). So each response from then on tells its client to close, and connections without a request stay
//! open for a moment. An unanswered request on a connection that was closed has not been begun.

use super::current_engine::{Answering, close};
use super::head_errors::{HeadErrorLayer, HeadErrors};
use super::head_memory::HeadMemory;
use super::lingering_close::LingeringLayer;
use super::pacing::PacingLayer;
use super::request_progress::RequestProgress;
use super::stream_layer::LayeredStream;
use super::tls::Tls;
use crate::fair_share::{FairShare, Share};
use crate::limits::ClientKey;
use crate::serve::edge::{MAX_HEAD_BYTES, MAX_HEADERS};
use crate::serve::{Engine, Peer, common_headers, failure};
use http::HeaderValue;
use http::header::{CONNECTION, EXPECT};
use hyper::body::Body;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use metrics::{Counter, Gauge};
use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, watch};
use tokio_io_timeout::TimeoutStream;

/// How long a client may take to send a request's head, and so keep an idle connection: longer than
/// balancers do by default, so that they end it, and never send a request into its end.
const HEADER_TIMEOUT: Duration = Duration::from_secs(75);
/// How long a client may read nothing of a response, or of an event stream.
const WRITE_TIMEOUT: Duration = Duration::from_secs(15);
/// How long requests in flight may take after a shutdown begins.
const GRACE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long connections are still accepted after a shutdown begins: earlier requests are read, not reset.
const LAST_CALL: Duration = Duration::from_millis(100);
/// How long connections without a request stay open after that.
const IDLE_TIMEOUT: Duration = Duration::from_secs(1);
/// Connections that wait for a worker at most; more are refused.
const HANDOVER_QUEUE: usize = 1024;

/// Threads per worker for long tasks (pages of collections, hashes): each holds a connection to the database.
const BLOCKING_THREADS: usize = 4;
/// How long such a thread waits for tasks before it ends, together with its connection.
const KEEP_ALIVE: Duration = Duration::from_secs(600);

/// Who opened the listening socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opener {
    /// This program: connections that wait in the socket are lost with it.
    Program,
    /// Another one, which keeps it open: these connections are for the next program.
    Other,
    /// A test, whose clients know when the service ends.
    Test,
}

impl Opener {
    /// How long connections without a request stay open at the end.
    fn idle_timeout(self) -> Duration {
        if self == Self::Test { Duration::ZERO } else { IDLE_TIMEOUT }
    }
}

/// A service that is being served.
pub(crate) struct Server {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    is_ending: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
    answering: Answering,
}

impl Server {
    /// Serves on a listener, with this number of workers; with HTTPS if there is a certificate.
    pub(crate) fn start(
        (listener, opener): (TcpListener, Opener),
        tls: Option<&Tls>,
        answering: Answering,
        workers: usize,
    ) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let is_ending = Arc::new(AtomicBool::new(false));
        let mut threads = Vec::with_capacity(workers + 1);
        let mut queues = Vec::with_capacity(workers);
        for _ in 0..workers.max(1) {
            let (queue, connections) = mpsc::channel(HANDOVER_QUEUE);
            queues.push(queue);
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .max_blocking_threads(BLOCKING_THREADS)
                .thread_keep_alive(KEEP_ALIVE)
                .build()?;
            let serving = Serving {
                tls: tls.cloned(),
                answering: answering.clone(),
                is_ending: Arc::clone(&is_ending),
                idle_timeout: opener.idle_timeout(),
            };
            threads.push(std::thread::spawn(move || runtime.block_on(serve(connections, serving))));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        listener.set_nonblocking(true)?;
        let acceptor = Acceptor::of(&runtime.block_on(answering.engine()), tls.is_some());
        threads.push(std::thread::spawn(move || runtime.block_on(acceptor.open((listener, opener), queues, stopped))));
        Ok(Self { address, stop, is_ending, threads, answering })
    }

    /// The address that it listens on.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Finishes the requests in flight, then stops.
    pub(crate) fn stop(self) {
        self.is_ending.store(true, Ordering::Relaxed);
        self.stop.send_replace(true);
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        let engine = runtime.block_on(self.answering.engine());
        engine.feed.end();
        for thread in self.threads {
            // a worker that panicked has nothing more to finish
            let _ = thread.join();
        }
        runtime.block_on(close(&engine));
    }
}

/// A connection, and its share of the limit.
struct Accepted {
    connection: TcpStream,
    _place: Share,
}

/// A connection that is served; its share is free again when this is dropped.
struct ActiveConnection {
    connections: Gauge,
    _place: Share,
}

impl ActiveConnection {
    fn new(connections: &Gauge, place: Share) -> Self {
        connections.increment(1);
        Self { connections: connections.clone(), _place: place }
    }
}

impl Drop for ActiveConnection {
    fn drop(&mut self) {
        self.connections.decrement(1);
    }
}

/// Accepts connections.
struct Acceptor {
    places: Arc<FairShare>,
    refused: Counter,
    /// The response to a connection beyond the limit.
    refusal: Vec<u8>,
}

impl Acceptor {
    fn of(engine: &Engine, has_tls: bool) -> Self {
        Self {
            places: FairShare::capped(engine.edge.connections, engine.edge.connections_per_address),
            refused: engine.requests.refused_connections.clone(),
            // a TLS client would not understand it
            refusal: if has_tls {
                Vec::new()
            } else {
                failure::busy(&engine.plans.public, &engine.messages, &common_headers::lines(&engine.edge))
            },
        }
    }

    /// Accepts connections and distributes them, until it is time to stop; the workers end when the queues do.
    async fn open(
        self,
        (listener, opener): (TcpListener, Opener),
        queues: Vec<mpsc::Sender<Accepted>>,
        stopped: watch::Receiver<bool>,
    ) {
        let mut ended = std::pin::pin!(last_call(stopped, opener));
        let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
        let mut turns = queues.iter().cycle();
        loop {
            let connection = tokio::select! {
                connection = listener.accept() => connection,
                () = &mut ended => return,
            };
            match connection {
                Ok((connection, peer)) => match self.places.take(ClientKey::of(None, Some(peer.ip())), 1) {
                    Some(place) => self.hand_over(connection, place, turns.next()),
                    None => self.refuse(&connection),
                },
                Err(error) => {
                    // usually out of file descriptors: open connections must end first
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }

    fn hand_over(&self, connection: tokio::net::TcpStream, place: Share, queue: Option<&mpsc::Sender<Accepted>>) {
        let Ok(connection) = connection.into_std() else { return };
        match queue.map(|queue| queue.try_send(Accepted { connection, _place: place })) {
            Some(Err(TrySendError::Full(refused))) => {
                if let Ok(connection) = tokio::net::TcpStream::from_std(refused.connection) {
                    self.refuse(&connection);
                }
            }
            Some(Err(TrySendError::Closed(_))) | None => tracing::error!("a worker has ended"),
            Some(Ok(())) => {}
        }
    }

    /// Responds with 503, as far as the client reads it, and closes the connection.
    fn refuse(&self, connection: &tokio::net::TcpStream) {
        self.refused.increment(1);
        // unread bytes would reset the connection before the client reads the response
        let _ = connection.try_read(&mut [0; 4096]);
        let _ = connection.try_write(&self.refusal);
    }
}

/// Waits until the shutdown begins, and a little longer if connections would be lost.
async fn last_call(mut stopped: watch::Receiver<bool>, opener: Opener) {
    // an error means that the sender is gone: the service stops as well
    let _ = stopped.wait_for(|stopped| *stopped).await;
    if opener != Opener::Other {
        tokio::time::sleep(LAST_CALL).await;
    }
}

/// What a worker serves with.
struct Serving {
    tls: Option<Tls>,
    answering: Answering,
    is_ending: Arc<AtomicBool>,
    idle_timeout: Duration,
}

/// A worker: serves its connections until no more come and the last is done.
async fn serve(mut accepted: mpsc::Receiver<Accepted>, with: Serving) {
    let Serving { tls, answering, is_ending, idle_timeout } = with;
    let answering = answering.of_worker();
    let engine = answering.engine().await;
    let graceful = GracefulShutdown::new();
    let (requests, shares) = (Arc::clone(&engine.requests), Arc::clone(&engine.shares));
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
    // answers are written as they are, never copied into one buffer
    builder.max_buf_size(MAX_HEAD_BYTES).max_headers(MAX_HEADERS).writev(true);
    let errors = HeadErrors::new(&engine.plans.public, &engine.messages, &common_headers::lines(&engine.edge));
    let errors = Arc::new(errors);
    // each request asks for the current engine
    drop(engine);
    // received from once no connection has its clone any more
    let (is_open, mut all_closed) = mpsc::channel::<Infallible>(1);
    while let Some(Accepted { connection, _place: place }) = accepted.recv().await {
        let Ok(connection) = prepare(connection) else { continue };
        let peer = Peer { address: connection.peer_addr().ok().map(|address| address.ip()), is_direct: true };
        let answering = answering.clone();
        let is_ending = Arc::clone(&is_ending);
        let progress = RequestProgress::default();
        let client = ClientKey::of(None, peer.address);
        let heads = HeadMemory::new(progress.clone(), Arc::clone(&shares.bodies.unfinished), client);
        let of_requests = progress.clone();
        let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            let (answering, is_ending) = (answering.clone(), Arc::clone(&is_ending));
            let (progress, served) = (of_requests.clone(), of_requests.begin());
            let request = request.map(|body| progress.watch(body));
            let is_expected = !request.body().is_end_stream() && request.headers().contains_key(EXPECT);
            async move {
                let mut response = answering.respond(request, peer).await;
                let is_read = progress.read_rest(is_expected).await;
                drop(served);
                if !is_read || is_ending.load(Ordering::Relaxed) {
                    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                }
                Ok::<_, Infallible>(response)
            }
        });
        // a client that reads nothing for so long counts as disconnected
        let mut connection = TimeoutStream::new(connection);
        connection.set_write_timeout(Some(WRITE_TIMEOUT));
        let connection = LayeredStream::new(Box::pin(connection), PacingLayer::new(Arc::clone(&shares.unread), client));
        let connection = LayeredStream::new(connection, LingeringLayer::new(progress));
        let errors = Arc::clone(&errors);
        let open = (ActiveConnection::new(&requests.connections, place), is_open.clone());
        match tls.clone() {
            None => {
                let connection = TokioIo::new(LayeredStream::new(connection, HeadErrorLayer::new(errors, heads)));
                let serving = graceful.watch(builder.serve_connection(connection, service));
                tokio::spawn(async move {
                    ended(serving.await);
                    drop(open);
                });
            }
            Some(tls) => {
                let (builder, watcher) = (builder.clone(), graceful.watcher());
                tokio::spawn(async move {
                    let Some(connection) = tls.accept(connection).await else { return };
                    let connection = TokioIo::new(LayeredStream::new(connection, HeadErrorLayer::new(errors, heads)));
                    ended(watcher.watch(builder.serve_connection(connection, service)).await);
                    drop(open);
                });
            }
        }
    }
    drop(is_open);
    // those with a request are waited for in any case
    let _ = tokio::time::timeout(idle_timeout, all_closed.recv()).await;
    if tokio::time::timeout(GRACE_TIMEOUT, graceful.shutdown()).await.is_err() {
        tracing::warn!("stopped before all requests in flight had finished");
    }
}

fn ended(connection: hyper::Result<()>) {
    if let Err(error) = connection {
        tracing::debug!(%error, "a connection ended early");
    }
}

fn prepare(connection: TcpStream) -> io::Result<tokio::net::TcpStream> {
    connection.set_nonblocking(true)?;
    connection.set_nodelay(true)?;
    tokio::net::TcpStream::from_std(connection)
}
