//! A service as a program: over HTTPS, with tokens that another program prints.

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use restwell_generator::conform::{ConformOptions, ConformReport, Outcome, conform, model_of, token_command};
use restwell_testkit::process::{DATABASE, Folder, LISTEN, Service, folder, program_path};
use std::fs;

/// A service over HTTPS, and the certificate that is to be trusted, in PEM.
struct Secured {
    folder: Folder,
    service: Service,
    authority: Vec<u8>,
}

/// The certificate of the service: its own alone, or one that an authority has signed.
fn secured(is_self_signed: bool) -> Secured {
    let key = KeyPair::generate().expect("a key");
    let own = CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("a name");
    let (certificate, authority) = if is_self_signed {
        let certificate = own.self_signed(&key).expect("a certificate").pem();
        (certificate.clone(), certificate)
    } else {
        let mut parameters = CertificateParams::new(Vec::new()).expect("no names");
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let secret = KeyPair::generate().expect("a key");
        let authority = parameters.self_signed(&secret).expect("a certificate").pem();
        let issuer = Issuer::new(parameters, secret);
        (own.signed_by(&key, &issuer).expect("a certificate").pem(), authority)
    };
    let folder = folder();
    fs::write(folder.path().join("cert.pem"), certificate).expect("a file");
    fs::write(folder.path().join("key.pem"), key.serialize_pem()).expect("a file");
    let arguments = [LISTEN, DATABASE, "--tls-cert=cert.pem", "--tls-key=key.pem"];
    let service = Service::start_with(folder.path(), &arguments);
    Secured { folder, service, authority: authority.into_bytes() }
}

impl Secured {
    fn url(&self) -> String {
        format!("https://{}", self.service.address())
    }

    /// A run without changes, with tokens of the program's own key, which is in its folder.
    fn run(&self) -> ConformReport {
        let options = ConformOptions {
            is_read_only: true,
            authorities: Some(self.authority.clone()),
            ..ConformOptions::default()
        };
        let model = model_of(&self.url(), &options).expect("the service shows its model");
        let (folder, program) = (self.folder.path().display(), program_path());
        let command = format!(
            "sh -c 'cd \"{folder}\" && exec \"{}\" token --sub \"$0\" --scope \"$1\" --claims \"$2\"' \
             {{user}} '{{scopes}}' '{{claims}}'",
            program.display()
        );
        let tokens = token_command(&command).expect("a command");
        conform(&model, &self.url(), Some(tokens), &options).expect("it runs")
    }
}

#[test]
fn a_certificate_that_nobody_vouches_for_is_refused() {
    let secured = secured(true);
    let problem = model_of(&secured.url(), &ConformOptions::default()).expect_err("it is not trusted");
    assert!(
        problem.starts_with("the certificate of 127.0.0.1 is not trusted") && problem.ends_with("`--ca`"),
        "{problem}"
    );
}

#[test]
fn a_self_signed_certificate_is_trusted_where_it_is_named() {
    let report = secured(true).run();
    assert!(report.is_conforming(), "{}", report.text());
}

#[test]
fn the_tokens_of_a_program_are_used() {
    let report = secured(false).run();
    assert!(report.is_conforming(), "{}", report.text());
    let has_no_token = |outcome: &Outcome| matches!(outcome, Outcome::NotApplicable(reason) if reason == "no token");
    assert!(!report.cases.iter().any(|case| has_no_token(&case.outcome)), "{}", report.text());
}

#[test]
fn what_is_no_certificate_is_refused() {
    for (text, reason) in
        [("", "there are none in PEM"), ("-----BEGIN CERTIFICATE-----\n%\n-----END CERTIFICATE-----\n", "")]
    {
        let options = ConformOptions { authorities: Some(text.into()), ..ConformOptions::default() };
        let problem = model_of("https://127.0.0.1:1", &options).expect_err("there is none");
        assert!(problem.starts_with("the certificates of `--ca`: ") && problem.ends_with(reason), "{problem}");
    }
}
