//! Random requests that schemathesis makes from the document: valid ones, wrong ones, and sequences along its links.

use super::Check;
use super::documents::{folder, recorded, write};
use super::tools::{Tools, run};
use restwell::testing;
use restwell_model::Version;
use restwell_model::api::Api;
use restwell_model::contracts::{ContractOptions, openapi};
use uuid::Uuid;

/// Examples for each operation and phase, unless `RESTWELL_SCHEMATHESIS` names another number.
const EXAMPLES: &str = "5";

pub(crate) fn checks() -> Vec<Check> {
    vec![("schemathesis".to_owned(), Box::new(schemathesis))]
}

fn schemathesis(tools: &Tools) -> Result<(), String> {
    let folder = folder()?;
    let service = recorded("generated-example")?;
    let options = ContractOptions { only: Some(Version::PUBLIC), server: None };
    let file = write(folder.path(), "openapi.json", &openapi(&Api::of(&service), options))?;
    let examples = std::env::var("RESTWELL_SCHEMATHESIS").unwrap_or_else(|_| EXAMPLES.to_owned());
    let service = testing::start(marketplace::service());
    let token = service.token(Uuid::now_v7(), &["offers.admin", "users.admin"]);
    let config = tools.folder.join("schemathesis.toml");
    let (config, file) = (config.to_string_lossy(), file.to_string_lossy());
    let (url, header) = (service.url(""), format!("Authorization: Bearer {token}"));
    let arguments = ["--config-file", &config, "run", &file, "--url", &url, "--header", &header];
    let more = ["--header", "User-Agent: schemathesis/1", "--max-examples", &examples, "--seed", "2", "--no-color"];
    let hooks = tools.folder.join("schemathesis_hooks.py");
    let variables = [("SCHEMATHESIS_HOOKS", "schemathesis_hooks"), ("PYTHONPATH", &*tools.folder.to_string_lossy())];
    debug_assert!(hooks.is_file());
    run(folder.path(), tools.python("schemathesis"), arguments.into_iter().chain(more), &variables).map(drop)
}
