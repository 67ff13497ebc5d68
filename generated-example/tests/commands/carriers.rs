//! A mock of the carriers' service: it fails a given number of times, then it responds.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};

/// A running service.
pub(crate) struct Carriers {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Carriers {
    /// One that fails this number of times.
    pub(crate) fn open(failures: usize) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let paths = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut reader = BufReader::new(stream.unwrap());
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
                while line.trim_end() != "" {
                    line.clear();
                    reader.read_line(&mut line).unwrap();
                }
                let count = {
                    let mut paths = paths.lock().unwrap();
                    paths.push(path);
                    paths.len()
                };
                let (status, body) =
                    if count <= failures { ("500 Oh", "{}") } else { ("200 OK", r#"{"deliveryDate":"2027-03-03"}"#) };
                let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
                // who has gone does not want the answer
                let _ = reader.get_mut().write_all((head + body).as_bytes());
            }
        });
        Self { address, asked }
    }

    /// Where it is.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The paths that were asked for.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}
