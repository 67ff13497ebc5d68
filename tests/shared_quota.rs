//! The decision "Rate limit" across instances: by a Redis server at `REDIS_URL`, or at 127.0.0.1:6379. Where there is
//! none the tests show as ignored; with `RESTWELL_SERVERS=redis` they fail.

use libtest_mimic::{Completion, Failed, Trial};
use restwell::testing::{Running, Setup};
use restwell::{Builder, Resource, Uuid};
use restwell_testkit::effort::{is_quick, is_required};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Something to be asked for.
#[derive(Debug, Clone, Resource)]
struct Article {
    /// What it is called.
    #[allow(dead_code, reason = "nobody reads it here")]
    name: String,
}

pub(crate) fn trials() -> Vec<Trial> {
    let server = std::env::var("REDIS_URL").unwrap_or_else(|_| "redis://127.0.0.1:6379".to_owned());
    let address = server.trim_start_matches("redis://").trim_end_matches('/').to_owned();
    let is_there = !is_quick() && is_redis(&address);
    let is_required = is_required("redis");
    let trial = |name: &str, run: fn(&str)| {
        let address = address.clone();
        Trial::ignorable_test(name, move || {
            if is_there {
                run(&address);
                return Ok(Completion::Completed);
            }
            let reason = format!("there is no Redis at {address}");
            if is_required { Err(Failed::from(reason)) } else { Ok(Completion::ignored_with(reason)) }
        })
    };
    vec![
        trial("shared_quota::instances count together", together),
        trial("shared_quota::an instance counts for itself while Redis is away, and together again after", away),
    ]
}

fn is_redis(address: &str) -> bool {
    let ask = || {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        stream.write_all(b"PING\r\n")?;
        let mut answer = [0; 5];
        stream.read_exact(&mut answer)?;
        Ok::<_, std::io::Error>(&answer == b"+PONG")
    };
    ask().unwrap_or_default()
}

/// A service with a unique name.
fn builder(name: &str) -> Builder {
    Builder::new(name).resource::<Article>()
}

fn unique() -> String {
    format!("shop-{}", Uuid::new_v4().simple())
}

fn start(name: &str, quota: &str, redis: &str) -> Running {
    Setup::of(builder(name)).rate_limit_by_redis(quota, &format!("redis://{redis}")).start()
}

/// The status of a GET, and the remaining quota.
fn ask(service: &Running) -> (u16, Option<u32>) {
    let mut stream = TcpStream::connect(service.address()).expect("the service listens");
    let head = "GET /articles HTTP/1.1\r\nhost: x\r\nuser-agent: test\r\naccept: */*\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).expect("the service reads");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("the service answers");
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let left = text.split_once(";r=").and_then(|(_, rest)| rest.split(';').next()?.parse().ok());
    (status, left)
}

fn together(redis: &str) {
    let name = unique();
    let instances = [start(&name, "6/PT1H", redis), start(&name, "6/PT1H", redis)];
    let told: Vec<_> = (0..6).map(|turn| ask(&instances[turn % 2])).collect();
    assert_eq!(told, [5, 4, 3, 2, 1, 0].map(|left| (200, Some(left))));
    assert_eq!(instances.each_ref().map(ask), [(429, Some(0)), (429, Some(0))]);
    // another service has a quota of its own
    assert_eq!(ask(&start(&unique(), "6/PT1H", redis)), (200, Some(5)));
    // at the same time no more get through
    let name = unique();
    let instances = [start(&name, "20/PT1H", redis), start(&name, "20/PT1H", redis)];
    let passed: usize = thread::scope(|scope| {
        let askers = (0..8).map(|asker| {
            let instance = &instances[asker % 2];
            scope.spawn(move || (0..10).filter(|_| ask(instance).0 == 200).count())
        });
        askers.collect::<Vec<_>>().into_iter().map(|asker| asker.join().expect("no panic")).sum()
    });
    assert_eq!(passed, 20);
}

/// What stands between a service and Redis, and can be taken away.
struct Cable {
    address: SocketAddr,
    is_cut: Arc<AtomicBool>,
}

impl Cable {
    fn to(redis: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let (is_cut, redis) = (Arc::new(AtomicBool::new(false)), redis.to_owned());
        let cut = Arc::clone(&is_cut);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(&redis) else { continue };
                for (from, to) in [(&client, &server), (&server, &client)] {
                    let (from, to) = (from.try_clone(), to.try_clone());
                    let cut = Arc::clone(&cut);
                    thread::spawn(move || carry(from.expect("a socket"), to.expect("a socket"), &cut));
                }
            }
        });
        Self { address, is_cut }
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream, is_cut: &AtomicBool) {
    let mut bytes = [0; 4096];
    while let Ok(count) = from.read(&mut bytes) {
        // packets are dropped silently: as when a machine has failed
        if count == 0 || (!is_cut.load(Ordering::SeqCst) && to.write_all(&bytes[..count]).is_err()) {
            return;
        }
    }
}

fn away(redis: &str) {
    let cable = Cable::to(redis);
    let service = start(&unique(), "3/PT1H", &cable.address.to_string());
    assert_eq!(ask(&service), (200, Some(2)));
    cable.is_cut.store(true, Ordering::SeqCst);
    let begun = Instant::now();
    let told: Vec<_> = (0..4).map(|_| ask(&service)).collect();
    assert_eq!(told, [(200, Some(2)), (200, Some(1)), (200, Some(0)), (429, Some(0))], "it counts for itself");
    assert!(begun.elapsed() < Duration::from_secs(5), "and waits for nobody: {:?}", begun.elapsed());
    cable.is_cut.store(false, Ordering::SeqCst);
    let begun = Instant::now();
    while ask(&service).0 != 200 {
        assert!(begun.elapsed() < Duration::from_secs(20), "it counts by Redis again");
        thread::sleep(Duration::from_millis(100));
    }
}
