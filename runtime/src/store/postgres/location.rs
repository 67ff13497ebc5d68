//! `postgres://…`: where the database is, and how to connect to it.

use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// How long it may take until a connection is made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a connection may be silent during a statement before it counts as lost.
const SILENCE: Duration = Duration::from_secs(20);
/// What the server ends by itself: statements that take longer (milliseconds), and transactions that are idle. So the
/// locks of a service that has failed are released after this time.
const SESSION: &str = "-c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000 -c lock_timeout=10000";
/// The planner keeps joins in the order in which a statement has them: all joins that entities are read with follow
/// references by id, so that no other order is better. By default it tries the orders of eight joins at a time, and
/// planning a read of sixty takes seconds.
const FEW_JOINS: &str = "-c join_collapse_limit=1";
/// Joins of a statement from which on that is worth it.
const MANY_JOINS: usize = 8;

/// Where a database is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PostgresLocation {
    config: Config,
    /// The certificates of those who may vouch for the server; where there is none, the system's.
    root_certificate: Option<PathBuf>,
}

impl PostgresLocation {
    /// Reads a URL: `postgres://user:password@host:port/database?sslmode=require&sslrootcert=/file`.
    ///
    /// # Errors
    ///
    /// A sentence for people, without the password.
    pub(crate) fn parse(url: &str) -> Result<Self, String> {
        let (address, query) = url.split_once('?').unwrap_or((url, ""));
        let mut root_certificate = None;
        let mut kept = Vec::new();
        let mut ssl_mode = "sslmode=disable";
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            match parameter.split_once('=') {
                Some(("sslrootcert", file)) => {
                    let file = percent_encoding::percent_decode_str(file).decode_utf8_lossy();
                    root_certificate = Some(PathBuf::from(file.as_ref()));
                }
                // where TLS is spoken, who the server is is always verified
                Some(("sslmode", "require" | "verify-ca" | "verify-full")) => ssl_mode = "sslmode=require",
                Some(("sslmode", "disable")) => {}
                Some(("sslmode", _)) => return Err("sslmode is `require` or `disable`".to_owned()),
                _ => kept.push(parameter),
            }
        }
        kept.push(ssl_mode);
        let mut config = Config::from_str(&format!("{address}?{}", kept.join("&")))
            .map_err(|error| format!("the URL of the database cannot be read: {error}"))?;
        if config.get_dbname().is_none() {
            return Err("the URL of the database names none; write postgres://USER@HOST/DATABASE".to_owned());
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        // what the URL says comes last, and wins
        let options = format!("{SESSION} {}", config.get_options().unwrap_or_default());
        // a pooler reads it more strictly than the server
        config.options(options.trim_end());
        if config.get_application_name().is_none() {
            config.application_name("restwell");
        }
        config.keepalives_idle(SILENCE).tcp_user_timeout(SILENCE);
        Ok(Self { config, root_certificate })
    }

    /// The same for statements with this number of joins.
    pub(super) fn with_joins(mut self, joins: usize) -> Self {
        if joins > MANY_JOINS {
            let options = format!("{FEW_JOINS} {}", self.config.get_options().unwrap_or_default());
            self.config.options(options.trim_end());
        }
        self
    }

    /// Whether the connection is not encrypted, and leaves this machine.
    pub(super) fn is_exposed(&self) -> bool {
        let is_here = |host: &Host| match host {
            Host::Tcp(host) => host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()),
            #[cfg(unix)]
            Host::Unix(_) => true,
        };
        self.config.get_ssl_mode() == SslMode::Disable && !self.config.get_hosts().iter().all(is_here)
    }

    /// How to connect.
    pub(super) fn config(&self) -> &Config {
        &self.config
    }

    /// The configuration of TLS; `None` without it. The certificates are read each time, because they may change.
    ///
    /// # Errors
    ///
    /// A sentence for people: the certificates cannot be read.
    pub(super) fn tls(&self) -> Result<Option<MakeRustlsConnect>, String> {
        if self.config.get_ssl_mode() == SslMode::Disable {
            return Ok(None);
        }
        let roots = match &self.root_certificate {
            Some(file) => certificates(file)?,
            None => system_certificates(),
        };
        let provider = Arc::new(aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| format!("TLS cannot be set up: {error}"))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Some(MakeRustlsConnect::new(config)))
    }
}

fn certificates(file: &Path) -> Result<RootCertStore, String> {
    let failed = |error: &dyn fmt::Display| format!("the certificates in {} cannot be read: {error}", file.display());
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|error| failed(&error))? {
        let certificate = certificate.map_err(|error| failed(&error))?;
        roots.add(certificate).map_err(|error| failed(&error))?;
    }
    if roots.is_empty() { Err(format!("{} holds no certificate", file.display())) } else { Ok(roots) }
}

fn system_certificates() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    // certificates that cannot be read are skipped
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

impl fmt::Display for PostgresLocation {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = match self.config.get_hosts().first() {
            Some(Host::Tcp(host)) => host.clone(),
            #[cfg(unix)]
            Some(Host::Unix(path)) => path.display().to_string(),
            None => "localhost".to_owned(),
        };
        let port = self.config.get_ports().first().copied().unwrap_or(5432);
        write!(f, "{} on {host}:{port}", self.config.get_dbname().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_read_and_shown_without_its_password() {
        let location =
            PostgresLocation::parse("postgres://shop:s3cret@db.example.com:6432/shop?sslmode=verify-full").unwrap();
        assert_eq!(location.to_string(), "shop on db.example.com:6432");
        assert_eq!(location.config.get_ssl_mode(), SslMode::Require);
        assert!(!format!("{location:?}").contains("s3cret"));
    }

    #[test]
    fn options_of_the_url_come_last() {
        let url = "postgres://shop@localhost/shop?options=-c%20join_collapse_limit%3D7";
        for (joins, begins) in [(8, "-c statement_timeout="), (9, "-c join_collapse_limit=1 -c statement_timeout=")] {
            let location = PostgresLocation::parse(url).unwrap().with_joins(joins);
            let options = location.config.get_options().unwrap();
            assert!(options.starts_with(begins) && options.ends_with("-c join_collapse_limit=7"), "{options}");
        }
    }

    #[test]
    fn who_speaks_no_tls_to_another_machine_is_exposed() {
        let is_exposed = |url: &str| PostgresLocation::parse(url).unwrap().is_exposed();
        assert!(is_exposed("postgres://shop@db.example.com/shop"));
        assert!(!is_exposed("postgres://shop@db.example.com/shop?sslmode=require"));
        assert!(!is_exposed("postgres://shop@localhost/shop?sslmode=disable"));
        assert!(!is_exposed("postgres://shop@127.0.0.1/shop"));
        assert!(PostgresLocation::parse("postgres://shop@localhost/shop?sslmode=prefer").is_err());
    }

    #[test]
    fn what_is_wrong_is_said_without_the_password() {
        for url in ["postgres://shop:s3cret@db.example.com", "postgres://shop:s3cret@db/shop?colour=red"] {
            let error = PostgresLocation::parse(url).unwrap_err();
            assert!(!error.contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn certificates_that_are_none_are_refused() {
        let location =
            PostgresLocation::parse("postgres://shop@db/shop?sslmode=require&sslrootcert=/nowhere/ca.pem").unwrap();
        let error = location.tls().err().unwrap();
        assert!(error.starts_with("the certificates in /nowhere/ca.pem cannot be read"), "{error}");
    }
}
