//! Requests that schemathesis makes from the document.

use super::Check;
use super::documents::{folder, recorded, write};
use restwell::testing::Setup;
use restwell_model::Version;
use restwell_model::api::Api;
use restwell_model::contracts::{ContractOptions, openapi};
use restwell_testkit::effort::at_night;
use restwell_testkit::tools::{Tools, run};
use uuid::{Uuid, uuid};

/// What it does: it sends the examples of the document; what takes many minutes is for a night.
const PHASES: (&str, &str) = ("examples", "examples,coverage,fuzzing,stateful");

/// What is for sale, and who sells it: requests come from a user of this data, so that some of them are allowed.
const DATA: &str = include_str!("../../generated-example/sample-data.json");
const SELLER: Uuid = uuid!("019e7045-7260-726b-b2a7-4de452e6b438");

pub(crate) fn checks() -> Vec<Check> {
    vec![("schemathesis".to_owned(), Box::new(schemathesis))]
}

fn schemathesis(tools: &Tools) -> Result<(), String> {
    let folder = folder()?;
    let service = recorded("generated-example")?;
    let options = ContractOptions { only: Some(Version::PUBLIC), server: None };
    let file = write(folder.path(), "openapi.json", &openapi(&Api::of(&service), options))?;
    let phases = at_night(PHASES);
    let service = Setup::of(marketplace::service()).data(DATA).start();
    let token = service.token(SELLER, &["offers.admin", "users.admin"]);
    let config = tools.folder.join("schemathesis.toml");
    let (config, file) = (config.to_string_lossy(), file.to_string_lossy());
    let (url, header) = (service.url(""), format!("Authorization: Bearer {token}"));
    let arguments = ["--config-file", &config, "run", &file, "--url", &url, "--header", &header];
    // a stream of events does not end
    let more = ["--header", "User-Agent: schemathesis/1", "--exclude-path", "/events", "--phases", phases];
    let bounds = ["--max-examples", "5", "--seed", "2", "--no-color"];
    let variables = [("SCHEMATHESIS_HOOKS", "schemathesis_hooks"), ("PYTHONPATH", &*tools.folder.to_string_lossy())];
    let arguments = arguments.into_iter().chain(more).chain(bounds);
    let report = run(folder.path(), tools.python("schemathesis"), arguments, &variables)?;
    if phases != PHASES.0 {
        println!("{}", report.split_once("SUMMARY").map_or(&*report, |(_, summary)| summary));
    }
    Ok(())
}
