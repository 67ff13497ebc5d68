//! A connection that is kept open between requests.

use super::{Reply, Request};
use flate2::read::GzDecoder;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// No answer takes so long.
const PATIENCE: Duration = Duration::from_secs(30);

/// Bytes that are read of a response that is not needed.
const MAX_DRAINED: u64 = 64 * 1024;

/// A connection that is kept.
pub struct Connection(BufReader<TcpStream>);

impl Connection {
    /// Connects.
    pub fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::new(stream)))
    }

    /// Sends a request and reads its response.
    pub fn exchange(&mut self, request: &Request) -> io::Result<Reply> {
        self.write(&request.bytes())?;
        self.receive(request.is_head())
    }

    /// Sends any bytes.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.get_mut().write_all(bytes)
    }

    /// Waits until a response begins; `false` if the connection ends instead.
    pub fn is_answered(&mut self) -> io::Result<bool> {
        self.0.fill_buf().map(|bytes| !bytes.is_empty())
    }

    /// Reads one response.
    pub fn receive(&mut self, to_head: bool) -> io::Result<Reply> {
        let mut line = self.line()?;
        let status = line.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.ok_or_else(|| io::Error::other(format!("no status: {line:?}")))?;
        let mut headers = Vec::new();
        loop {
            line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut reply = Reply { status, headers, body: Vec::new() };
        let length = reply.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        if !to_head && length > 0 && status != 304 {
            reply.body.resize(length, 0);
            self.0.read_exact(&mut reply.body)?;
            if reply.header("content-encoding") == Some("gzip") {
                let compressed = std::mem::take(&mut reply.body);
                GzDecoder::new(&*compressed).read_to_end(&mut reply.body)?;
            }
        }
        Ok(reply)
    }

    /// Waits so long for what is read next.
    pub fn wait_for(&mut self, patience: Duration) -> io::Result<()> {
        self.0.get_mut().set_read_timeout(Some(patience))
    }

    /// The bytes until the end of the connection, for any reason.
    pub fn drain_some(mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // what had come before it ended is there
        let _ = self.0.by_ref().take(MAX_DRAINED).read_to_end(&mut bytes);
        bytes
    }

    /// All bytes that come until the service ends the connection.
    pub fn drain(mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.0.read_line(&mut line)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(line.trim_end().to_owned()),
        }
    }
}
