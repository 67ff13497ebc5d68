//! A client that takes answers of any length, from any address of this machine, in any manner.

use crate::cases::{CREATED, Manner, Shot};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::Duration;
use tokio::net::TcpSocket;

/// How long the first byte of an answer may take, and each one after.
const PATIENCE: Duration = Duration::from_secs(90);
/// How long a client looks that does not read to the end, or sends no more.
pub(crate) const MOMENT: Duration = Duration::from_millis(200);
/// Bytes that are sent of a body that stalls.
const STALLED: usize = 100;
/// Bytes of a response that are kept, to show it.
const KEPT: usize = 64 * 1024;

/// What came back.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The last segment of `Location`.
    pub(crate) created: Option<String>,
    /// The beginning of the body.
    pub(crate) body: Vec<u8>,
}

/// Sends the shots of a round, each on a connection of its own, and does `after` after each; what came of those that were
/// waited for.
pub(crate) fn fire(from: IpAddr, to: SocketAddr, shots: &[Shot], mut after: impl FnMut()) -> io::Result<Vec<Answer>> {
    let mut answers: Vec<Answer> = Vec::new();
    for shot in shots {
        let created = answers.last().and_then(|answer| answer.created.as_deref());
        let bytes = match created {
            Some(created) => replaced(&shot.bytes, created),
            None => shot.bytes.clone(),
        };
        answers.extend(exchange(from, to, shot, &bytes)?);
        after();
    }
    Ok(answers)
}

fn replaced(bytes: &[u8], created: &str) -> Vec<u8> {
    let mark = CREATED.as_bytes();
    match bytes.windows(mark.len()).position(|window| window == mark) {
        Some(place) => [&bytes[..place], created.as_bytes(), &bytes[place + mark.len()..]].concat(),
        None => bytes.to_vec(),
    }
}

fn exchange(from: IpAddr, to: SocketAddr, shot: &Shot, bytes: &[u8]) -> io::Result<Option<Answer>> {
    let mut stream = open(from, to)?;
    if shot.manner == Manner::Stall {
        let head = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or_default();
        stream.write_all(&bytes[..(head + STALLED).min(bytes.len())])?;
        std::thread::sleep(MOMENT);
        return Ok(None);
    }
    // a body may be refused before all of it is sent: the answer says why
    let sent = stream.write_all(bytes);
    match shot.manner {
        Manner::Read => Line(BufReader::new(stream)).answer(shot.is_head).map_err(|error| sent.err().unwrap_or(error)),
        Manner::Glance => {
            stream.set_read_timeout(Some(MOMENT))?;
            let mut line = Line(BufReader::new(stream));
            let head = line.head().map(|(answer, _)| answer);
            // until nothing comes for a moment
            let _ = line.0.by_ref().take(KEPT as u64).read_to_end(&mut Vec::new());
            head
        }
        Manner::Idle => {
            std::thread::sleep(MOMENT);
            return Ok(None);
        }
        Manner::Leave | Manner::Stall => return Ok(None),
    }
    .map(Some)
}

/// A connection from an address of one's own.
pub(crate) fn open(from: IpAddr, to: SocketAddr) -> io::Result<TcpStream> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let stream = runtime.block_on(async {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::new(from, 0))?;
        tokio::time::timeout(PATIENCE, socket.connect(to)).await?
    })?;
    let stream = stream.into_std()?;
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(stream)
}

/// How long a body is.
enum Length {
    Bytes(u64),
    Chunks,
}

/// What comes over a connection.
pub(crate) struct Line(pub(crate) BufReader<TcpStream>);

impl Line {
    /// Reads an answer to its end; the connection can be used again.
    pub(crate) fn answer(&mut self, is_to_head: bool) -> io::Result<Answer> {
        let (mut answer, length) = self.head()?;
        if is_to_head || [204, 304].contains(&answer.status) {
            return Ok(answer);
        }
        match length {
            Length::Bytes(length) => self.take(length, &mut answer.body)?,
            Length::Chunks => loop {
                let line = self.line()?;
                let size = line.split(';').next().and_then(|size| u64::from_str_radix(size, 16).ok());
                let size = size.ok_or_else(|| io::Error::other(format!("no chunk: {line:?}")))?;
                self.take(size, &mut answer.body)?;
                self.line()?;
                if size == 0 {
                    break;
                }
            },
        }
        Ok(answer)
    }

    fn head(&mut self) -> io::Result<(Answer, Length)> {
        let line = self.line()?;
        let status = line.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.ok_or_else(|| io::Error::other(format!("no status: {line:?}")))?;
        let (mut answer, mut length) = (Answer { status, ..Answer::default() }, Length::Bytes(0));
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            match &*name.to_ascii_lowercase() {
                "content-length" => length = Length::Bytes(value.trim().parse().map_err(io::Error::other)?),
                "transfer-encoding" => length = Length::Chunks,
                "location" => answer.created = value.trim().rsplit('/').next().map(str::to_owned),
                _ => {}
            }
        }
        Ok((answer, length))
    }

    fn take(&mut self, length: u64, kept: &mut Vec<u8>) -> io::Result<()> {
        let mut part = self.0.by_ref().take(length);
        let room = KEPT.saturating_sub(kept.len()) as u64;
        let taken = part.by_ref().take(room).read_to_end(kept)? as u64;
        let taken = taken + io::copy(&mut part, &mut io::sink())?;
        if taken < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.0.read_line(&mut line)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(line.trim_end().to_owned()),
        }
    }
}
