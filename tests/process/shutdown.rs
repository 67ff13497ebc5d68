//! SIGTERM: what was begun is finished.

use restwell_testkit::http::{Connection, Request};
use restwell_testkit::market;
use restwell_testkit::process::{DATABASE, Service, folder, inheriting, program};
use std::collections::BTreeSet;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const CONNECTIONS: usize = 16;

#[test]
fn requests_that_are_half_sent_are_answered() {
    let folder = folder();
    let service = Service::start(folder.path());
    let seller = market::user(service.address(), "seller");
    let half_sent: Vec<_> = (0..CONNECTIONS).map(|number| half_send(service.address(), &seller, number)).collect();
    // the service has the heads, and waits for the rest
    thread::sleep(Duration::from_millis(300));
    service.terminate();
    thread::sleep(Duration::from_millis(300));
    let created: Vec<_> = half_sent
        .into_iter()
        .map(|(mut connection, rest)| {
            connection.write(&rest).expect("the connection is still open");
            connection.receive(false).expect("an answer, and no reset").is(201).id()
        })
        .collect();
    let (status, log) = service.ended();
    assert_eq!(status.code(), Some(0), "{log:#?}");

    let service = Service::start(folder.path());
    for id in created {
        service.get(&format!("/offers/{id}")).is(200);
    }
}

#[test]
fn event_streams_end_at_once() {
    let folder = folder();
    let service = Service::start(folder.path());
    let request = Request::new("GET", "/events").header("accept", "text/event-stream");
    let streams: Vec<_> = (0..CONNECTIONS)
        .map(|_| {
            let mut connection = Connection::open(service.address()).expect("the service listens");
            connection.write(&request.bytes()).expect("the service reads");
            connection.receive(true).expect("a head").is(200);
            connection
        })
        .collect();
    let asked = Instant::now();
    service.terminate();
    for connection in streams {
        let rest = connection.drain().expect("an end, and no reset");
        assert!(rest.ends_with(b"0\r\n\r\n"), "{}", String::from_utf8_lossy(&rest));
    }
    let (status, log) = service.ended();
    assert_eq!(status.code(), Some(0), "{log:#?}");
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
}

#[test]
fn requests_sent_at_the_last_moment_are_answered() {
    let folder = folder();
    let service = Service::start(folder.path());
    let seller = market::user(service.address(), "seller");
    let sent: Vec<_> = (0..CONNECTIONS)
        .map(|number| {
            let (mut connection, rest) = half_send(service.address(), &seller, number);
            connection.write(&rest).expect("the service reads");
            connection
        })
        .collect();
    service.terminate();
    for mut connection in sent {
        connection.receive(false).expect("an answer, and no reset").is(201);
    }
    let (status, log) = service.ended();
    assert_eq!(status.code(), Some(0), "{log:#?}");
}

fn half_send(address: SocketAddr, seller: &str, number: usize) -> (Connection, Vec<u8>) {
    let mut bytes = market::sell(&market::offer(seller, &format!("Half {number}"))).bytes();
    let rest = bytes.split_off(bytes.len() - 20);
    let mut connection = Connection::open(address).expect("the service listens");
    connection.write(&bytes).expect("the service reads");
    (connection, rest)
}

#[test]
fn in_a_storm_what_is_answered_is_kept_and_nothing_else() {
    let folder = folder();
    let service = Service::start(folder.path());
    let (address, seller) = (service.address(), market::user(service.address(), "seller"));
    let is_over = AtomicBool::new(false);
    let (answered, lost) = thread::scope(|scope| {
        let clients: Vec<_> = (0..CONNECTIONS)
            .map(|client| {
                let (seller, is_over) = (&seller, &is_over);
                scope.spawn(move || post_until_closed(address, seller, client, is_over))
            })
            .collect();
        thread::sleep(Duration::from_millis(700));
        is_over.store(true, Ordering::SeqCst);
        service.terminate();
        let outcomes = clients.into_iter().map(|client| client.join().expect("a client ends"));
        outcomes.fold((BTreeSet::new(), BTreeSet::new()), |(mut answered, mut lost), (ids, unanswered)| {
            answered.extend(ids);
            lost.extend(unanswered);
            (answered, lost)
        })
    });
    let (status, log) = service.ended();
    assert_eq!(status.code(), Some(0), "{log:#?}");
    assert!(answered.len() >= CONNECTIONS, "a storm");

    let service = Service::start(folder.path());
    for (id, name) in &answered {
        assert_eq!(service.get(&format!("/offers/{id}")).is(200).json()["name"], name.as_str());
    }
    // a request that met a connection as it was being closed was not begun: its client may send it again
    for name in &lost {
        let found = service.get(&format!("/offers?name={name}")).is(200).json();
        assert_eq!(found["count"], 0, "{name} was done and not answered");
    }
    assert_eq!(service.get("/offers?limit=0").is(200).json()["count"], answered.len());
}

/// Creates offers on one connection until the service closes it: those that were answered, by id and name, and the name
/// of one that was not.
fn post_until_closed(
    address: SocketAddr,
    seller: &str,
    client: usize,
    is_over: &AtomicBool,
) -> (Vec<(String, String)>, Option<String>) {
    let mut connection = Connection::open(address).expect("the service listens");
    let mut created = Vec::new();
    loop {
        let name = format!("storm-{client}-{}", created.len());
        match connection.exchange(&market::sell(&market::offer(seller, &name))) {
            Ok(reply) => {
                let is_last = reply.header("connection") == Some("close");
                created.push((reply.is(201).id(), name));
                if is_last {
                    return (created, None);
                }
            }
            Err(error) => {
                assert!(is_over.load(Ordering::SeqCst), "only an ending service closes connections: {error}");
                return (created, Some(name));
            }
        }
    }
}

#[test]
fn the_log_of_the_database_is_gone_after_an_orderly_end() {
    let folder = folder();
    for round in 0..5 {
        let service = Service::start(folder.path());
        if round > 0 {
            service.get("/offers").is(200);
            market::user(service.address(), &format!("reader{round}"));
        }
        service.terminate();
        let (status, log) = service.ended();
        assert_eq!(status.code(), Some(0), "{log:#?}");
        let files = std::fs::read_dir(folder.path()).expect("the folder is there").flatten();
        let left: Vec<_> = files.filter(|file| file.path().to_string_lossy().contains("db-")).collect();
        assert!(left.is_empty(), "round {round}: {left:?}");
    }
}

/// A client that never thinks for longer than a second does not send a request into the end of its connection.
#[test]
fn a_kept_connection_has_one_more_response() {
    let folder = folder();
    let service = Service::start(folder.path());
    let kept: Vec<_> = (0..CONNECTIONS)
        .map(|_| {
            let mut connection = Connection::open(service.address()).expect("the service listens");
            let reply = connection.exchange(&Request::new("GET", "/offers")).expect("an answer").is(200);
            assert_eq!(reply.header("connection"), None);
            connection
        })
        .collect();
    service.terminate();
    thread::sleep(Duration::from_millis(400));
    for mut connection in kept {
        let reply = connection.exchange(&Request::new("GET", "/offers")).expect("an answer, and no end").is(200);
        assert_eq!(reply.header("connection"), Some("close"));
        assert_eq!(connection.drain().expect("an end, and no reset"), b"");
    }
    let (status, log) = service.ended();
    assert_eq!(status.code(), Some(0), "{log:#?}");
}

#[test]
fn connections_that_idle_do_not_hold_up_the_end() {
    let folder = folder();
    let service = Service::start(folder.path());
    let mut kept = Connection::open(service.address()).expect("the service listens");
    kept.exchange(&Request::new("GET", "/offers")).expect("an answer").is(200);
    let fresh = Connection::open(service.address()).expect("the service listens");
    let asked = Instant::now();
    service.terminate();
    for connection in [kept, fresh] {
        assert_eq!(connection.drain().expect("an end, and no reset"), b"");
    }
    let (status, log) = service.ended();
    assert_eq!(status.code(), Some(0), "{log:#?}");
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
}

fn start_inheriting(folder: &Path, listener: &TcpListener) -> Service {
    let mut command = program(folder);
    command.arg(DATABASE);
    Service::spawn(&mut inheriting(&command, listener), folder)
}

/// As a `.socket` unit of systemd does it: requests that come between two programs are for the second one.
#[test]
fn connections_in_an_inherited_socket_wait_for_the_next_program() {
    let folder = folder();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("a socket has an address");
    let service = start_inheriting(folder.path(), &listener);
    assert_eq!(service.address(), address);
    let seller = market::user(address, "seller");
    service.stop();
    let sent: Vec<_> = (0..CONNECTIONS)
        .map(|number| {
            let (mut connection, rest) = half_send(address, &seller, number);
            connection.write(&rest).expect("the system keeps it");
            connection
        })
        .collect();

    let service = start_inheriting(folder.path(), &listener);
    for mut connection in sent {
        let id = connection.receive(false).expect("an answer, and no reset").is(201).id();
        service.get(&format!("/offers/{id}")).is(200);
    }
    service.stop();
}

/// `LISTEN_FDS` names a file that is not a socket, or several sockets.
#[test]
fn an_inherited_socket_of_no_use_is_refused() {
    let folder = folder();
    for (sockets, reason) in [("1", "is not one to listen on"), ("2", "the service listens on one")] {
        let mut command = program(folder.path());
        command.arg(DATABASE).env("LISTEN_FDS", sockets).env("LISTEN_FDS_FIRST_FD", "0");
        let output = command.output().expect("the program starts");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(reason), "{error}");
    }
}
