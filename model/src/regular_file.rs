//! Reading files that people name: schemas, settings, keys, certificates.
//!
//! Only a regular file is read, and no more of it than a bound: opening a named pipe may wait for ever, and a device
//! may never end. Links are followed. It is here because the generator and the library share no other crate.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The bytes of a regular file that has at most `max_bytes`.
///
/// # Errors
///
/// There is no such file, or it cannot be read, is not a regular file, or has more bytes.
pub fn read(path: &Path, max_bytes: usize) -> io::Result<Vec<u8>> {
    let too_large = || io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {max_bytes} bytes"));
    let max = u64::try_from(max_bytes).unwrap_or(u64::MAX);
    // before it is opened, which waits for the other end of a pipe
    if require_regular(&fs::metadata(path)?)? > max {
        return Err(too_large());
    }
    let file = File::open(path)?;
    require_regular(&file.metadata()?)?;
    let mut bytes = Vec::new();
    // it may grow meanwhile, and those of the system have no length
    file.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() > max_bytes { Err(too_large()) } else { Ok(bytes) }
}

/// The text of a regular file that has at most `max_bytes`.
///
/// # Errors
///
/// As [`read`], or it is not UTF-8.
pub fn read_text(path: &Path, max_bytes: usize) -> io::Result<String> {
    let text = String::from_utf8(read(path, max_bytes)?);
    text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not a text in UTF-8"))
}

/// The length of a regular file.
fn require_regular(file: &fs::Metadata) -> io::Result<u64> {
    match file.is_file() {
        true => Ok(file.len()),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_bound() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let bytes = read(&here, 1 << 20).unwrap();
        assert!(bytes.starts_with(b"[package]"));
        assert_eq!(read(&here, bytes.len()).unwrap(), bytes);
        let error = read(&here, bytes.len() - 1).unwrap_err();
        assert_eq!(error.to_string(), format!("it has more than {} bytes", bytes.len() - 1));
        assert_eq!(read_text(&here, 1 << 20).unwrap().as_bytes(), bytes);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_not_a_regular_file_is_refused() {
        for path in ["/dev/zero", "/dev/null", "/"] {
            let error = read(Path::new(path), 10).unwrap_err();
            assert_eq!(error.to_string(), "it is not a regular file", "{path}");
        }
        assert_eq!(read(Path::new("/nothing/here"), 10).unwrap_err().kind(), ErrorKind::NotFound);
    }

    /// Its length is said to be zero.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_without_a_length_is_read_up_to_the_bound() {
        assert_eq!(read(Path::new("/proc/self/status"), 10).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }
}
