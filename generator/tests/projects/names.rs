//! Packages of services with names that mean something to Rust, to cargo or to the client.

use super::{only_builder, target};
use restwell_generator::client::{ClientPlan, rust};
use restwell_generator::{File, compile};
use restwell_model::api::Api;
use restwell_model::names::packages::service_package;
use restwell_testkit::client_names::schemas;
use restwell_testkit::shared_builds::share_builds;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Code of another crate, which sees what the client has beside types of the same names.
const CALLER: &str = "
use orders_client::{Client, Error, Page, Stored, clients, notes, pages};

pub async fn call(client: &Client) -> Result<Stored<clients::Client>, Error> {
    let page: Page<Stored<pages::Page>> = client.pages().list(pages::PageQuery::new()).await?;
    let id = page.items[0].id;
    let note = notes::NoteDraft::new().new_(\"a\".to_owned()).default_(\"b\".to_owned()).r#gen(\"c\".to_owned());
    client.notes().create(&note).await?;
    client.clients().get(id).await
}

fn main() {}
";

#[test]
fn a_client_of_any_names_compiles() {
    let _only_builder = only_builder();
    let files: Vec<_> = schemas("orders").iter().map(|(name, text)| File::new(name, text.as_str())).collect();
    let compiled = compile(&files);
    let (service, _) = compiled.service.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let package = rust::package(&ClientPlan::of(&Api::of(&service))).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("orders-client");
    let generated = package.generated.iter().map(|file| (format!("{}/{}", package.folder, file.path), &file.text));
    for (path, text) in generated.chain(package.starters.iter().map(|file| (file.path.clone(), &file.text))) {
        let path = project.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::create_dir(project.join("examples")).unwrap();
    fs::write(project.join("examples/call.rs"), CALLER).unwrap();
    share_builds(&project).unwrap();
    let mut cargo = cargo(&project, &["check", "--offline", "--quiet", "--lib", "--examples"]);
    let checked = cargo.args(["--no-default-features", "--features", "events"]).output().unwrap();
    let told = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success() && told.is_empty(), "{told}");
}

/// Cargo reads the manifests; what it refuses in `build` alone, a unit test of the names lists.
#[test]
fn cargo_takes_the_package_of_any_service() {
    let dir = tempfile::tempdir().unwrap();
    let taken =
        "alloc async aux build con core deps examples gen incremental nul proc-macro restwell self std test type";
    for service in taken.split_whitespace() {
        let project = dir.path().join(service);
        let mut new = Command::new(env!("CARGO_BIN_EXE_restwell"));
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let output = new.arg("new").arg(&project).arg("--restwell").arg(checkout).output().unwrap();
        assert!(output.status.success(), "{service}: {}", String::from_utf8_lossy(&output.stderr));
        let package = service_package(service);
        let read = cargo(&project, &["metadata", "--offline", "--no-deps", "--format-version", "1"]).output().unwrap();
        let manifest = String::from_utf8_lossy(&read.stdout).into_owned();
        assert!(manifest.contains(&format!("\"name\":\"{package}\"")), "{service}: {manifest}");
        let main = fs::read_to_string(project.join("src/main.rs")).unwrap();
        assert!(main.contains(&format!("restwell::main({}::service())", package.replace('-', "_"))), "{main}");
        let schema = fs::read_to_string(project.join("schemas/service.yaml")).unwrap();
        assert!(schema.contains(&format!("\nservice: {service}\n")), "{schema}");
    }
}

fn cargo(project: &Path, arguments: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(arguments).current_dir(project).env("CARGO_TARGET_DIR", target());
    cargo
}
