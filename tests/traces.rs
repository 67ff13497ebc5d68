//! Traces by OpenTelemetry (the feature `otel`): this program serves as a process of its own, and plays the collector.
//! What the spans say is looked for in the bytes of OTLP, in which texts and ids stand as they are.

use super::alone;
use libtest_mimic::Trial;
use restwell::{Builder, Call, Command, Rejection, Resource};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, ExitCode, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Tells this program to serve.
const SERVE: &str = "TRACES_TEST_SERVES";
/// No span takes so long to arrive.
const PATIENCE: Duration = Duration::from_secs(30);
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN: &str = "00f067aa0ba902b7";

/// Something to be asked for.
#[derive(Debug, Clone, Resource)]
struct Article {
    /// What it is called.
    #[allow(dead_code, reason = "nobody reads it here")]
    name: String,
}

/// Does nothing.
#[derive(Debug, Clone, Command)]
#[command(on = Article)]
struct Polish {}

async fn polish(call: Call<Polish>) -> Result<(), Rejection> {
    drop(call);
    Ok(())
}

/// The service, where this program is started to be that.
pub(crate) fn program() -> Option<ExitCode> {
    std::env::var_os(SERVE)?;
    Some(restwell::main(Builder::new("traced").resource::<Article>().handle::<Polish, _, _>(polish)))
}

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        alone("traces::a request's span continues the trace that its client began", continues),
        alone("traces::a trace that begins here has the id of Trace-Id", begins),
        alone("traces::a command is in the trace of the request that sent it", commands),
    ]
}

/// A collector: the bodies that come.
fn collect() -> (SocketAddr, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let (sender, bodies) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let sender = sender.clone();
            thread::spawn(move || take(&stream, &sender));
        }
    });
    (address, bodies)
}

fn take(stream: &TcpStream, bodies: &mpsc::Sender<Vec<u8>>) {
    let mut reader = BufReader::new(stream.try_clone().expect("a socket"));
    loop {
        let (mut line, mut length) = (String::new(), 0);
        while reader.read_line(&mut line).is_ok_and(|count| count > 2) {
            let header = line.to_ascii_lowercase();
            length =
                header.strip_prefix("content-length:").map_or(length, |value| value.trim().parse().expect("a length"));
            line.clear();
        }
        let mut body = vec![0; length];
        if length == 0 || reader.read_exact(&mut body).is_err() || bodies.send(body).is_err() {
            return;
        }
        let answer = b"HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\n\r\n";
        let mut writer = stream;
        if writer.write_all(answer).is_err() {
            return;
        }
    }
}

/// The service in a process of its own.
struct Service {
    process: Child,
    address: String,
}

impl Service {
    fn start(collector: SocketAddr) -> Self {
        let program = std::env::current_exe().expect("this program");
        let mut process = std::process::Command::new(program)
            .env(SERVE, "1")
            .env("OTEL_BSP_SCHEDULE_DELAY", "50")
            .current_dir(std::env::temp_dir())
            .args(["--listen", "127.0.0.1:0", "--database", "sqlite::memory:"])
            .args(["--otlp", &format!("http://{collector}")])
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut lines = BufReader::new(process.stderr.take().expect("a pipe")).lines();
        let address = lines.by_ref().find_map(|line| {
            let line = line.ok()?;
            Some(line.split_once("serves at http://")?.1.split('"').next()?.to_owned())
        });
        thread::spawn(move || lines.count());
        Self { process, address: address.expect("it says where") }
    }

    /// The answer to a request, head and body.
    fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("the service listens");
        let media_type = "application/vnd.service.public.v1+json";
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\nuser-agent: test\r\naccept: */*\r\ncontent-type: {media_type}\r\n\
             connection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}",
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("the service reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("the service answers");
        answer
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// All that has come once it holds each of these.
#[track_caller]
fn wait_for(bodies: &Receiver<Vec<u8>>, wanted: &[&[u8]]) {
    let (begun, mut all) = (Instant::now(), Vec::new());
    let is_in = |all: &[u8], part: &[u8]| all.windows(part.len()).any(|window| window == part);
    while !wanted.iter().all(|part| is_in(&all, part)) {
        let body = bodies.recv_timeout(PATIENCE.saturating_sub(begun.elapsed()));
        let missing: Vec<_> =
            wanted.iter().filter(|part| !is_in(&all, part)).map(|part| String::from_utf8_lossy(part)).collect();
        all.extend(body.unwrap_or_else(|_| panic!("no span has {missing:?}")));
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.replace('-', "");
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}

fn header<'a>(answer: &'a str, name: &str) -> &'a str {
    let line = answer.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} {answer}")).trim()
}

fn continues() {
    let (collector, bodies) = collect();
    let service = Service::start(collector);
    let answer = service.send("GET", "/articles", &format!("traceparent: 00-{TRACE}-{SPAN}-01\r\n"), "");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert_eq!(header(&answer, "trace-id:").replace('-', ""), TRACE);
    let wanted: [&[u8]; 6] =
        [b"traced", b"GET /articles", b"http.route", b"http.response.status_code", &bytes(TRACE), &bytes(SPAN)];
    wait_for(&bodies, &wanted);
}

fn begins() {
    let (collector, bodies) = collect();
    let service = Service::start(collector);
    let answer = service.send("GET", "/nothing", "", "");
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    wait_for(&bodies, &[&bytes(header(&answer, "trace-id:"))]);
}

fn commands() {
    let (collector, bodies) = collect();
    let service = Service::start(collector);
    let article = service.send("POST", "/articles", "", "{\"name\":\"lamp\"}");
    let path = format!("{}/polish-commands/01890a5d-ac96-774b-bcce-b302099a8101", header(&article, "location:"));
    let answer = service.send("PUT", &path, &format!("traceparent: 00-{TRACE}-{SPAN}-01\r\n"), "{}");
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    // the span of the command, whose fields name it, in a body that has this trace and no other
    wait_for(&bodies, &[b"PUT /articles/{}/polish-commands/{}", b"polish", &bytes(TRACE)]);
    wait_for_command(&bodies, &service);
}

/// A command that is sent without a trace of the client's has the trace of its request.
fn wait_for_command(bodies: &Receiver<Vec<u8>>, service: &Service) {
    let article = service.send("POST", "/articles", "", "{\"name\":\"chair\"}");
    let path = format!("{}/polish-commands/01890a5d-ac96-774b-bcce-b302099a8102", header(&article, "location:"));
    let answer = service.send("PUT", &path, "", "{}");
    wait_for(bodies, &[b"01890a5d-ac96-774b-bcce-b302099a8102", &bytes(header(&answer, "trace-id:"))]);
}
