//! An event stream, as a client reads it: chunks of HTTP, and in them blocks of lines (the HTML standard, "Server-sent
//! events").

use crate::client::{Api, Reply, Request};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;

/// An open stream.
pub(crate) struct Stream {
    connection: BufReader<TcpStream>,
    head: Reply,
    /// What came and was not taken yet.
    text: String,
}

/// A block of a stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Block {
    /// Of the fields, in their order.
    pub(crate) fields: Vec<(String, String)>,
}

/// An event on a stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Event {
    pub(crate) cursor: String,
    pub(crate) kind: String,
    /// The CloudEvent.
    pub(crate) json: Value,
}

impl Block {
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }
}

impl Api {
    /// A request for events.
    pub(crate) fn events(&self, target: &str) -> Request {
        self.request("GET", target).header("accept", "text/event-stream")
    }
}

impl Stream {
    /// Opens a stream, which must succeed, and waits until it stands at its beginning.
    #[track_caller]
    pub(crate) fn open(request: &Request) -> Self {
        let mut stream = Self::start(request);
        assert_eq!(stream.head.status, 200, "{}", stream.head);
        let first = stream.block().expect("a stream says where it begins");
        assert!(first.field("id").is_some() && first.field("event").is_none(), "{first:?}");
        stream
    }

    /// Opens a stream after a cursor.
    #[track_caller]
    pub(crate) fn start_after(api: &Api, cursor: &str) -> Self {
        Self::start_at(api, "/events", cursor)
    }

    /// Opens a stream of some events after a cursor.
    #[track_caller]
    pub(crate) fn start_at(api: &Api, target: &str, cursor: &str) -> Self {
        Self::open(&api.events(target).header("last-event-id", cursor))
    }

    pub(crate) fn start(request: &Request) -> Self {
        let mut connection = BufReader::new(request.connect());
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            assert!(connection.read_until(b'\n', &mut head).expect("a head") > 0, "a response has a head");
        }
        let head = Reply::parse("a stream".to_owned(), &head);
        request.judge(&head, None);
        Self { connection, head, text: String::new() }
    }

    pub(crate) fn head(&self) -> &Reply {
        &self.head
    }

    /// The next block; `None` where the stream has ended.
    pub(crate) fn block(&mut self) -> Option<Block> {
        let end = loop {
            match self.text.find("\n\n") {
                Some(end) => break end,
                None => {
                    let chunk = self.chunk()?;
                    self.text += &chunk;
                }
            }
        };
        let block: String = self.text.drain(..end + 2).collect();
        let field = |line: &str| {
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            (name.to_owned(), value.strip_prefix(' ').unwrap_or(value).to_owned())
        };
        Some(Block { fields: block.trim_end().lines().map(field).collect() })
    }

    fn chunk(&mut self) -> Option<String> {
        let mut line = String::new();
        self.connection.read_line(&mut line).expect("a chunk comes in time");
        let length = usize::from_str_radix(line.trim_end(), 16).ok().filter(|length| *length > 0)?;
        let mut bytes = vec![0; length + 2];
        self.connection.read_exact(&mut bytes).expect("a whole chunk");
        bytes.truncate(length);
        Some(String::from_utf8(bytes).expect("UTF-8"))
    }

    /// The next event; heartbeats are passed over.
    #[track_caller]
    pub(crate) fn event(&mut self) -> Event {
        loop {
            let block = self.block().expect("the stream goes on");
            if let Some(kind) = block.field("event") {
                let json = block.field("data").and_then(|data| serde_json::from_str(&data).ok());
                let cursor = block.field("id").expect("an event has a cursor");
                return Event { cursor, kind, json: json.expect("a CloudEvent on one line") };
            }
        }
    }

    /// The types of the next events, each with the id of its entity.
    #[track_caller]
    pub(crate) fn kinds(&mut self, count: usize) -> Vec<(String, String)> {
        (0..count).map(|_| self.event()).map(|event| (event.kind, text(&event.json["subject"]))).collect()
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
