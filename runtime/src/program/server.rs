//! Connections: a listener, and a worker thread per core that serves what it is handed.
//!
//! Each worker runs its own single-threaded runtime, so that a request stays on one core from its first byte to its
//! last; single entities are read from SQLite right there. At the end no new connections are taken, requests in flight
//! are finished, and the store is closed.

use super::current_engine::{Answering, close};
use super::head_errors::{HeadErrorStream, HeadErrors, MAX_HEAD_BYTES, MAX_HEADERS};
use super::lingering_close::{LingeringStream, UnreadBody};
use super::pacing::PacedStream;
use super::tls::Tls;
use crate::fair_share::{FairShare, Share};
use crate::limits::ClientKey;
use crate::serve::{Engine, Peer, failure, safety};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use metrics::{Counter, Gauge};
use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, watch};
use tokio_io_timeout::TimeoutStream;

/// How long a client may take to send a request's head, and so keep a connection without asking anything: longer than
/// balancers do by default, so that they end it, and never send a request into its end.
const HEADER_TIMEOUT: Duration = Duration::from_secs(75);
/// How long a client may take nothing of an answer, or of an event stream.
const WRITE_TIMEOUT: Duration = Duration::from_secs(15);
/// How long requests in flight may take once the service is to end.
const GRACE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long connections are still taken once the service is to end: what was sent before is read, not reset.
const LAST_CALL: Duration = Duration::from_millis(100);
/// Connections that wait for a worker at most; more are refused.
const HANDOVER_QUEUE: usize = 1024;

/// Threads per worker for what may take long (pages of collections, hashes): each holds a connection to the database.
const BLOCKING_THREADS: usize = 4;
/// How long such a thread waits for more before it ends, and its connection with it.
const KEEP_ALIVE: Duration = Duration::from_secs(600);

/// A service that is being served.
pub(crate) struct Server {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    threads: Vec<JoinHandle<()>>,
    answering: Answering,
}

impl Server {
    /// Serves on a listener, with so many workers; HTTPS where there is a certificate.
    pub(crate) fn start(
        listener: TcpListener,
        tls: Option<&Tls>,
        answering: Answering,
        workers: usize,
    ) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let mut threads = Vec::with_capacity(workers + 1);
        let mut lanes = Vec::with_capacity(workers);
        for _ in 0..workers.max(1) {
            let (lane, connections) = mpsc::channel(HANDOVER_QUEUE);
            lanes.push(lane);
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .max_blocking_threads(BLOCKING_THREADS)
                .thread_keep_alive(KEEP_ALIVE)
                .build()?;
            let (answering, tls) = (answering.clone(), tls.cloned());
            threads.push(std::thread::spawn(move || runtime.block_on(serve(connections, tls, answering))));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        listener.set_nonblocking(true)?;
        let door = Acceptor::of(&runtime.block_on(answering.engine()), tls.is_some());
        threads.push(std::thread::spawn(move || runtime.block_on(door.open(listener, lanes, stopped))));
        Ok(Self { address, stop, threads, answering })
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Finishes what is in flight, then ends.
    pub(crate) fn stop(self) {
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

/// A connection, and its place among those that there may be.
struct Accepted {
    connection: TcpStream,
    _place: Share,
}

/// A connection that is served; its place is free again when this is dropped.
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

/// Where connections come in.
struct Acceptor {
    places: Arc<FairShare>,
    refused: Counter,
    /// What one is told that is too many.
    refusal: Vec<u8>,
}

impl Acceptor {
    fn of(engine: &Engine, has_tls: bool) -> Self {
        Self {
            places: FairShare::capped(engine.edge.connections, engine.edge.connections_per_address),
            refused: engine.requests.refused_connections.clone(),
            // who expects TLS would not understand it
            refusal: if has_tls {
                Vec::new()
            } else {
                failure::busy(&engine.plans.public, &engine.messages, &safety::lines(&engine.edge))
            },
        }
    }

    /// Takes connections and deals them out, until it is time to stop; the workers end when the lanes do.
    async fn open(self, listener: TcpListener, lanes: Vec<mpsc::Sender<Accepted>>, stopped: watch::Receiver<bool>) {
        let mut ended = std::pin::pin!(last_call(stopped));
        let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
        let mut turns = lanes.iter().cycle();
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
                    // out of file descriptors, mostly: the connections that are open must end first
                    tracing::warn!(%error, "a connection could not be taken");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }

    fn hand_over(&self, connection: tokio::net::TcpStream, place: Share, lane: Option<&mpsc::Sender<Accepted>>) {
        let Ok(connection) = connection.into_std() else { return };
        match lane.map(|lane| lane.try_send(Accepted { connection, _place: place })) {
            Some(Err(TrySendError::Full(guest))) => {
                if let Ok(connection) = tokio::net::TcpStream::from_std(guest.connection) {
                    self.refuse(&connection);
                }
            }
            Some(Err(TrySendError::Closed(_))) | None => tracing::error!("a worker has ended"),
            Some(Ok(())) => {}
        }
    }

    /// Says so, as far as the client listens, and hangs up.
    fn refuse(&self, connection: &tokio::net::TcpStream) {
        self.refused.increment(1);
        // what was sent and not read would reset the connection before the answer is read
        let _ = connection.try_read(&mut [0; 4096]);
        let _ = connection.try_write(&self.refusal);
    }
}

/// Waits until it is time to stop, and a little longer.
async fn last_call(mut stopped: watch::Receiver<bool>) {
    // an error means that nobody is left to tell: it is time as well
    let _ = stopped.wait_for(|stopped| *stopped).await;
    tokio::time::sleep(LAST_CALL).await;
}

/// A worker: serves its connections until no more come and the last is done.
async fn serve(mut guests: mpsc::Receiver<Accepted>, tls: Option<Tls>, answering: Answering) {
    let answering = answering.of_worker();
    let engine = answering.engine().await;
    let graceful = GracefulShutdown::new();
    let requests = Arc::clone(&engine.requests);
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
    // answers are written as they are, never copied into one buffer
    builder.max_buf_size(MAX_HEAD_BYTES).max_headers(MAX_HEADERS).writev(true);
    let errors = HeadErrors::new(&engine.plans.public, &engine.messages, &safety::lines(&engine.edge));
    let errors = Arc::new(errors);
    // what is current is asked for by request
    drop(engine);
    while let Some(Accepted { connection, _place: place }) = guests.recv().await {
        let Ok(connection) = prepare(connection) else { continue };
        let peer = Peer { address: connection.peer_addr().ok().map(|address| address.ip()), is_direct: true };
        let answering = answering.clone();
        let unread = UnreadBody::default();
        let bodies = unread.clone();
        let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            let answering = answering.clone();
            let request = request.map(|body| bodies.watch(body));
            async move { Ok::<_, Infallible>(answering.respond(request, peer).await) }
        });
        // whoever takes nothing for so long is gone, or might as well be
        let mut connection = TimeoutStream::new(connection);
        connection.set_write_timeout(Some(WRITE_TIMEOUT));
        let connection = LingeringStream::new(PacedStream::new(Box::pin(connection)), unread);
        let errors = Arc::clone(&errors);
        let open = ActiveConnection::new(&requests.connections, place);
        match tls.clone() {
            None => {
                let connection = TokioIo::new(HeadErrorStream::new(connection, errors));
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
                    let connection = TokioIo::new(HeadErrorStream::new(connection, errors));
                    ended(watcher.watch(builder.serve_connection(connection, service)).await);
                    drop(open);
                });
            }
        }
    }
    if tokio::time::timeout(GRACE_TIMEOUT, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were still in flight when the time for them was over");
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
