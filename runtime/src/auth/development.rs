//! The development key: the tokens it signs, and their check.

use super::authenticator::{Authentication, Authenticator, Credentials, refused};
use super::caller::Caller;
use super::claims::ClaimNames;
use super::hs256::Hs256;
use super::token::{TokenRequirements, UnverifiedToken};
use restwell_model::regular_file;
use serde_json::{Map, Value as Json};
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use uuid::Uuid;

/// Bytes of the key.
const KEY_BYTES: usize = 32;
/// The largest file that is read as one with a key.
const KEY_FILE_SIZE: usize = 4096;

/// A key made for development: with it, anyone can act as any caller. It signs tokens and checks them.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct DevelopmentKey([u8; KEY_BYTES]);

impl fmt::Debug for DevelopmentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DevelopmentKey(…)")
    }
}

/// The issuer of tokens that are signed with a development key.
pub(crate) const ISSUER: &str = "development";

/// What a token of a development key says.
#[derive(Debug, Clone)]
pub(crate) struct DevelopmentClaims {
    /// `sub`.
    pub(crate) subject: String,
    /// `scope`.
    pub(crate) scopes: Vec<String>,
    /// Any others.
    pub(crate) others: Map<String, Json>,
}

impl DevelopmentKey {
    /// A new key.
    #[must_use]
    pub(crate) fn generate() -> Self {
        let mut key = [0; KEY_BYTES];
        // version 4 UUIDs come from the system's random numbers
        for half in key.chunks_mut(16) {
            half.copy_from_slice(Uuid::new_v4().as_bytes());
        }
        Self(key)
    }

    /// The key in a file, made where there is none, readable by its owner only.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, or holds no key.
    pub(crate) fn load_or_create(path: &Path) -> io::Result<Self> {
        match Self::load(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::symlink_metadata(path) {
                Ok(found) if found.is_symlink() => {
                    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link to a file that is not there"))
                }
                // another process has made it meanwhile
                Ok(_) => Self::load(path),
                Err(_) => Self::create(path),
            },
            loaded => loaded,
        }
    }

    /// The key in a file that is there.
    fn load(path: &Path) -> io::Result<Self> {
        let text = regular_file::read_text(path, KEY_FILE_SIZE)?;
        require_private(path)?;
        Self::parse(text.trim())
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "it does not contain a development key"))
    }

    /// Makes the file, whole or not at all: others may be about to make it, and then theirs counts.
    fn create(path: &Path) -> io::Result<Self> {
        let mut draft = path.as_os_str().to_owned();
        draft.push(format!(".{}", Uuid::new_v4().simple()));
        let (draft, key) = (PathBuf::from(draft), Self::generate());
        let written = private_file(&draft).and_then(|mut file| file.write_all(key.text().as_bytes()));
        let linked = written.and_then(|()| fs::hard_link(&draft, path));
        // where it was never made, there is nothing to take away
        let _ = fs::remove_file(&draft);
        match linked {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Self::load(path),
            linked => linked.map(|()| key),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let mut key = [0; KEY_BYTES];
        if text.len() != KEY_BYTES * 2 || !text.is_ascii() {
            return None;
        }
        for (byte, digits) in key.iter_mut().zip(text.as_bytes().chunks(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        }
        Some(Self(key))
    }

    fn text(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// A bearer token, good for a while.
    pub(crate) fn token(&self, claims: DevelopmentClaims, ttl: Duration) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        // for whole seconds, and not for less than was asked for
        let end = now.saturating_add(ttl).saturating_add(Duration::from_nanos(999_999_999)).as_secs();
        let DevelopmentClaims { subject, scopes, others } = claims;
        let own = [
            ("sub", subject.into()),
            ("iss", ISSUER.into()),
            ("exp", end.into()),
            ("iat", now.as_secs().into()),
            ("scope", scopes.join(" ").into()),
        ];
        let own: Map<_, Json> = own.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        let claims: Map<_, _> = others.into_iter().chain(own).collect();
        Hs256::new(&self.0).sign(&Json::Object(claims).to_string())
    }

    /// The caller that a token of this key names, or why there is none.
    fn check(&self, token: &str) -> Result<Caller, String> {
        let token = UnverifiedToken::read(token)?;
        if !Hs256::new(&self.0).verify(&token) {
            return Err("it is not signed with the development key of this service".to_owned());
        }
        let requirements = TokenRequirements {
            issuer: ISSUER.to_owned(),
            audience: None,
            // the clock that made the token checks it
            leeway: Duration::ZERO,
            names: ClaimNames::default(),
            knows_users: true,
        };
        requirements.caller(&token)
    }
}

impl Authenticator for DevelopmentKey {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> Authentication<'a> {
        let token = credentials.bearer();
        let check = |token| self.check(token).map_err(|reason| refused(&reason));
        token.and_then(|token| token.map(check).transpose()).into()
    }
}

/// Refuses a file that others than its owner can read or write: whoever reads the key can sign tokens.
#[cfg(unix)]
fn require_private(path: &Path) -> io::Result<()> {
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path)?.permissions()) & 0o777;
    match mode & 0o077 {
        0 => Ok(()),
        _ => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("others can read or write it (mode {mode:03o}): run `chmod 600 {}`", path.display()),
        )),
    }
}

#[cfg(not(unix))]
fn require_private(_: &Path) -> io::Result<()> {
    Ok(())
}

fn private_file(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Where a service keeps its development key: beside where it is run.
pub(crate) fn key_file(service: &str) -> PathBuf {
    PathBuf::from(format!("{service}.development-key"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(subject: &str) -> DevelopmentClaims {
        let others = [("email".to_owned(), "a@example.com".into()), ("sub".to_owned(), "another".into())];
        let scopes = vec!["offers.admin".to_owned(), "x".to_owned()];
        DevelopmentClaims { subject: subject.to_owned(), scopes, others: others.into_iter().collect() }
    }

    #[test]
    fn a_token_names_its_caller() {
        let key = DevelopmentKey::generate();
        let id = Uuid::now_v7();
        let token = key.token(claims(&id.to_string()), Duration::from_secs(60));
        let found = key.check(&token).unwrap();
        assert_eq!((found.id, &found.scopes), (id, &claims("").scopes));
        assert_eq!(found.claim("email"), Some(&"a@example.com".into()));
        assert!(DevelopmentKey::generate().check(&token).is_err(), "another key's token");
        assert!(key.check(&token[..token.len() - 2]).is_err(), "a signature cut short");
        let token = key.token(claims("auth0|507f"), Duration::from_secs(60));
        let found = key.check(&token).unwrap();
        assert_eq!(Some(found.id), found.subject.map(|subject| subject.id()));
    }

    /// What every token has to be is tested with `token`; here, that it is asked of these, too.
    #[test]
    fn a_token_is_checked_like_those_of_issuers() {
        let key = DevelopmentKey::generate();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64();
        let (good, soon) = (r#"{"alg":"HS256","typ":"JWT"}"#, now + 60.5);
        let check = |header: &str, exp: f64, more: &str| {
            let claims = format!(r#"{{"sub":"a","iss":"development","exp":{exp}{more}}}"#);
            key.check(&Hs256::new(&key.0).sign_with(header, &claims))
        };
        assert!(check(good, soon, "").is_ok(), "a fraction of a second");
        assert!(check(good, soon, r#","nbf":1.5,"aud":"anyone""#).is_ok());
        assert!(check(good, now - 0.5, "").is_err_and(|reason| reason.contains("expired")));
        assert!(check(good, soon, &format!(r#","nbf":{soon}"#)).is_err_and(|reason| reason.contains("`nbf`")));
        assert!(check(good, soon, r#","iss":"development""#).is_err(), "a claim twice");
        for header in [
            r#"{"alg":"HS256","crit":["urn:example:x"]}"#,
            r#"{"alg":"HS256","crit":null}"#,
            r#"{"alg":"HS256","typ":"dpop+jwt"}"#,
            r#"{"alg":"none"}"#,
            r#"{"alg":"HS512"}"#,
        ] {
            assert!(check(header, soon, "").is_err(), "{header}");
        }
    }

    #[test]
    fn those_who_make_the_file_together_have_one_key() {
        let folder = tempfile::tempdir().unwrap();
        for round in 0..20 {
            let file = folder.path().join(format!("key{round}"));
            let keys: Vec<_> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| DevelopmentKey::load_or_create(&file))).collect();
                threads.into_iter().map(|thread| thread.join().unwrap().unwrap()).collect()
            });
            assert!(keys.iter().all(|key| *key == keys[0]));
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 20, "no drafts stay");
    }

    #[test]
    fn the_key_in_a_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        let key = DevelopmentKey::load_or_create(&file).unwrap();
        assert_eq!(DevelopmentKey::load_or_create(&file).unwrap(), key);
        std::fs::write(&file, "short").unwrap();
        assert!(DevelopmentKey::load_or_create(&file).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_key_is_in_a_regular_file_of_its_owner_alone() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [file, link, device] = ["key", "link", "device"].map(|name| folder.path().join(name));
        symlink(&file, &link).unwrap();
        let error = DevelopmentKey::load_or_create(&link).unwrap_err();
        assert!(error.to_string().contains("a link to a file that is not there"), "{error}");
        let key = DevelopmentKey::load_or_create(&file).unwrap();
        assert_eq!(DevelopmentKey::load_or_create(&link).unwrap(), key);
        symlink("/dev/zero", &device).unwrap();
        let error = DevelopmentKey::load_or_create(&device).unwrap_err();
        assert!(error.to_string().contains("not a regular file"), "{error}");
        for mode in [0o666, 0o640, 0o604, 0o602] {
            std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).unwrap();
            let error = DevelopmentKey::load_or_create(&file).unwrap_err();
            assert!(error.to_string().contains("chmod 600"), "{mode:o}: {error}");
        }
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o400)).unwrap();
        assert_eq!(DevelopmentKey::load_or_create(&file).unwrap(), key);
    }
}
