//! `--tls-cert`, `--tls-key`: HTTPS, by a certificate that may change while the service runs.

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use reqwest::Certificate;
use reqwest::blocking::{Client, Response};
use restwell_testkit::process::{DATABASE, LISTEN, Service, folder, refusal, run};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

const FILES: [&str; 2] = ["--tls-cert=cert.pem", "--tls-key=key.pem"];

/// An authority that only the tests know.
struct Authority {
    certificate: rcgen::Certificate,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    fn new() -> Self {
        let mut parameters = CertificateParams::new(Vec::new()).expect("no names");
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let certificate = parameters.self_signed(&key).expect("a certificate");
        Self { certificate, issuer: Issuer::new(parameters, key) }
    }

    /// A certificate for this machine and its key, in PEM.
    fn pair(&self) -> (String, String) {
        let key = KeyPair::generate().expect("a key");
        let parameters = CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("a name");
        let certificate = parameters.signed_by(&key, &self.issuer).expect("a certificate");
        (certificate.pem(), key.serialize_pem())
    }

    /// A client that trusts this authority and no other.
    fn client(&self) -> Client {
        let root = Certificate::from_der(self.certificate.der()).expect("a certificate");
        Client::builder().tls_certs_only([root]).timeout(Duration::from_secs(20)).build().expect("a client")
    }
}

fn write(folder: &Path, (certificate, key): &(String, String)) {
    fs::write(folder.join("cert.pem"), certificate).expect("a file can be written");
    fs::write(folder.join("key.pem"), key).expect("a file can be written");
}

fn serve(folder: &Path, pair: &(String, String)) -> Service {
    write(folder, pair);
    Service::start_with(folder, &[LISTEN, DATABASE, FILES[0], FILES[1]])
}

fn get(client: &Client, service: &Service, path: &str) -> reqwest::Result<Response> {
    let request = client.get(format!("https://{}{path}", service.address())).header("user-agent", "Tests/1.0");
    request.header("accept", "application/vnd.service.public.v1+json").send()
}

#[test]
fn entities_are_served_over_tls() {
    let (folder, authority) = (folder(), Authority::new());
    let service = serve(folder.path(), &authority.pair());
    let client = authority.client();
    let created = client.post(format!("https://{}/users", service.address())).header("user-agent", "Tests/1.0");
    let created = created.header("content-type", "application/vnd.service.public.v1+json");
    let created = created.body("{\"name\":\"reader\",\"email\":\"reader@example.com\"}").send().expect("an answer");
    assert_eq!(created.status().as_u16(), 201);
    assert_eq!(created.headers()["strict-transport-security"], "max-age=31536000");
    let location = created.headers()["location"].to_str().expect("a path").to_owned();
    assert_eq!(get(&client, &service, &location).expect("an answer").status().as_u16(), 200);
    assert!(get(&Authority::new().client(), &service, "/users").is_err(), "another authority's client");
    let log = service.stop().join("\n");
    assert!(log.contains("serves at https://"), "{log}");
}

#[test]
fn a_new_certificate_is_shown_to_new_connections() {
    let (folder, first, second) = (folder(), Authority::new(), Authority::new());
    let service = serve(folder.path(), &first.pair());
    let old = first.client();
    get(&old, &service, "/users").expect("the first certificate");
    // a certificate without its key is not shown
    let pair = second.pair();
    fs::write(folder.path().join("cert.pem"), &pair.0).expect("a file can be written");
    sleep(Duration::from_secs(5));
    get(&first.client(), &service, "/users").expect("still the first certificate");
    write(folder.path(), &pair);
    let deadline = Instant::now() + Duration::from_secs(20);
    while get(&second.client(), &service, "/users").is_err() {
        assert!(Instant::now() < deadline, "the second certificate is not shown");
        sleep(Duration::from_millis(200));
    }
    get(&old, &service, "/users").expect("a connection that is open goes on");
    assert!(get(&first.client(), &service, "/users").is_err(), "the first certificate is gone");
    let log = service.stop().join("\n");
    assert!(log.contains("the old certificate is still shown"), "{log}");
}

#[test]
fn clients_without_tls_are_disconnected_and_block_no_others() {
    let (folder, authority) = (folder(), Authority::new());
    let service = serve(folder.path(), &authority.pair());
    let silent: Vec<_> = (0..20).map(|_| TcpStream::connect(service.address()).expect("a connection")).collect();
    let mut plain = TcpStream::connect(service.address()).expect("a connection");
    plain.write_all(b"GET /users HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("it is sent");
    let begin = Instant::now();
    get(&authority.client(), &service, "/users").expect("others are served meanwhile");
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    let mut answer = Vec::new();
    // an alert at most, then the end
    let _ = plain.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP"), "{}", String::from_utf8_lossy(&answer));
    for mut connection in silent {
        connection.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        let read = connection.read(&mut [0; 64]);
        let kept = read.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
        assert!(!kept, "a silent client is kept");
    }
}

#[test]
fn files_that_do_not_fit_are_refused() {
    let (folder, authority) = (folder(), Authority::new());
    let (pair, other) = (authority.pair(), authority.pair());
    for (certificate, key, part) in [
        (&pair.0, &other.1, "key.pem"),
        (&pair.1, &pair.1, "cert.pem"),
        (&pair.0, &pair.0, "key.pem"),
        (&String::new(), &pair.1, "cert.pem"),
    ] {
        write(folder.path(), &(certificate.clone(), key.clone()));
        let error = refusal(&run(folder.path(), [LISTEN, DATABASE, FILES[0], FILES[1]]));
        assert!(error.contains(part) && !error.contains("BEGIN"), "{error}");
    }
    let error = refusal(&run(folder.path(), [LISTEN, DATABASE, FILES[0], "--tls-key=nowhere.pem"]));
    assert!(error.contains("nowhere.pem"), "{error}");
    for (alone, missing) in [(FILES[0], "--tls-key"), (FILES[1], "--tls-cert")] {
        let error = refusal(&run(folder.path(), [LISTEN, DATABASE, alone]));
        assert!(error.contains(missing), "{error}");
    }
}
