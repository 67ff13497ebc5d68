//! A connection that stays open: the model asks thousands of questions.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// The only public version (§9.4).
pub const PUBLIC: &str = "application/vnd.service.public.v1+json";
/// The beta that specimens have.
pub const BETA: &str = "application/vnd.service.beta.v2+json";

/// No answer takes so long.
const PATIENCE: Duration = Duration::from_secs(30);

/// A client of one service.
pub struct Wire {
    address: String,
    stream: Option<BufReader<TcpStream>>,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The body.
    pub body: String,
}

impl Answer {
    /// The body, null where there is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}

impl Wire {
    /// A client of the service at this address.
    pub fn to(address: SocketAddr) -> Self {
        Self { address: address.to_string(), stream: None }
    }

    /// A request in one version, with or without a caller. The target is sent as it is, byte for byte.
    pub fn send(
        &mut self,
        method: &str,
        target: &[u8],
        version: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Answer {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut head =
            format!(" HTTP/1.1\r\nhost: {}\r\nuser-agent: Reading/1.0\r\naccept: {version}\r\n", self.address);
        if let Some(token) = token {
            head += &format!("authorization: Bearer {token}\r\n");
        }
        if !body.is_empty() {
            head += &format!("content-type: {version}\r\ncontent-length: {}\r\n", body.len());
        }
        let request = [method.as_bytes(), b" ", target, head.as_bytes(), b"\r\n", body.as_bytes()].concat();
        let mut stream = self.stream.take().unwrap_or_else(|| self.connect());
        stream.get_mut().write_all(&request).expect("the service reads");
        let (reply, stays) = read(&mut stream, method == "HEAD");
        self.stream = stays.then_some(stream);
        reply
    }

    fn connect(&self) -> BufReader<TcpStream> {
        let stream = TcpStream::connect(&self.address).expect("the service listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout above zero");
        stream.set_nodelay(true).expect("a socket");
        BufReader::new(stream)
    }
}

/// An answer, and whether the connection stays open after it.
fn read(stream: &mut BufReader<TcpStream>, is_head: bool) -> (Answer, bool) {
    let (mut status, mut length, mut stays) = (0, 0, true);
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).expect("the service answers in time");
        let line = line.trim_end().to_ascii_lowercase();
        match line.split_once(": ") {
            Some(("content-length", value)) => length = value.parse().expect("a length"),
            Some(("connection", "close")) => stays = false,
            _ if line.is_empty() => break,
            _ if line.starts_with("http/1.1 ") => status = line[9..12].parse().expect("a status"),
            _ => {}
        }
    }
    let mut body = vec![0; if is_head { 0 } else { length }];
    stream.read_exact(&mut body).expect("the whole body");
    (Answer { status, body: String::from_utf8(body).expect("a body in UTF-8") }, stays)
}
