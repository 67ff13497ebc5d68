//! A service of many resources: its documents are valid, too, and of a size that tools can read.
//!
//! A night has as many resources as a large team has.

use super::documents::{recorded_service, write};
use restwell::{Builder, Interpreted, testing};
use restwell_model::api::Api;
use restwell_model::contracts::{ContractOptions, JsonTree, asyncapi, openapi};
use restwell_model::{Checked, Resource, Service};
use restwell_testkit::effort::at_night;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Resources, and those of a night.
const COUNT: (usize, usize) = (30, 200);
/// Those of the specimens that have copies: together they have every operation and references of both kinds.
const COPIED: [&str; 5] = ["Keeper", "Loan", "Photo", "StockEntry", "Visit"];

/// The specimens and copies of some of them, under other names.
pub(crate) fn many() -> Result<Checked, String> {
    let count = at_night(COUNT);
    let mut service = recorded_service("tests")?;
    let copied: Vec<_> = service.resources.iter().filter(|one| COPIED.contains(&one.name.as_str())).cloned().collect();
    let missing = count.saturating_sub(service.resources.len());
    let copies = (0..missing).map(|number| copy(&copied[number % copied.len()], number / copied.len()));
    service.resources.extend(copies);
    service.resources.sort_by(|a, b| a.name.cmp(&b.name));
    check(service)
}

fn check(service: Service) -> Result<Checked, String> {
    Checked::new(service).map_err(|faults| format!("{faults:?}"))
}

/// `Loan` → `BcLoan` at `bc-loans`, for the number 28.
fn copy(resource: &Resource, number: usize) -> Resource {
    let letter = |digit: usize| char::from(b'a' + u8::try_from(digit % 26).unwrap_or_default());
    let prefix = format!("{}{}", letter(number / 26), letter(number));
    let plural = format!("{prefix}-{}", resource.plural);
    let prefix = format!("{}{}", prefix[..1].to_uppercase(), &prefix[1..]);
    Resource { name: format!("{prefix}{}", resource.name), plural, ..resource.clone() }
}

/// The service, interpreted, serves the documents that the tools judge.
pub(crate) fn served(service: &Checked) -> Result<(), String> {
    let resources = service.resources.len();
    let begun = Instant::now();
    let running = testing::start(Builder::interpreted(Interpreted::of(service.clone())));
    println!("a service of {resources} resources started in {:?}", begun.elapsed());
    let api = Api::of(service);
    let documents = [("/openapi.json", openapi(&api, ContractOptions::default())), ("/asyncapi.json", asyncapi(&api))];
    for (path, judged) in documents {
        let begun = Instant::now();
        let body = fetch(&running.url(path))?;
        println!("{path} of {resources} resources: {} bytes in {:?}", body.len(), begun.elapsed());
        let (mut served, mut judged) = (parse(&body)?, to_value(&judged)?);
        // where a service is reached is its own
        for document in [&mut served, &mut judged] {
            document.as_object_mut().and_then(|document| document.remove("servers"));
        }
        if let Some(place) = difference(&served, &judged) {
            return Err(format!("{path} is not the document that is judged, at {place}"));
        }
    }
    Ok(())
}

fn fetch(url: &str) -> Result<Vec<u8>, String> {
    let client = reqwest::blocking::Client::builder().user_agent("restwell-tests").timeout(None);
    let client = client.build().map_err(|error| error.to_string())?;
    let response = client.get(url).send().and_then(reqwest::blocking::Response::error_for_status);
    response.and_then(reqwest::blocking::Response::bytes).map(Vec::from).map_err(|error| error.to_string())
}

fn parse(body: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(body).map_err(|error| error.to_string())
}

/// The place where two documents differ.
fn difference(one: &Value, other: &Value) -> Option<String> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) if one.len() == other.len() => {
            one.iter().find_map(|(key, value)| {
                let inside = other.get(key).map_or_else(|| Some(String::new()), |other| difference(value, other));
                inside.map(|place| format!("/{key}{place}"))
            })
        }
        _ => (one != other).then(String::new),
    }
}

fn to_value(document: &JsonTree) -> Result<Value, String> {
    serde_json::to_value(document).map_err(|error| error.to_string())
}

/// Prints how large the documents are, and how long they took.
pub(crate) fn sizes(service: &Checked, folder: &Path) -> Result<(), String> {
    let api = Api::of(service);
    for name in ["openapi.json", "asyncapi.json"] {
        let begun = Instant::now();
        let document = match name {
            "openapi.json" => openapi(&api, ContractOptions::default()),
            _ => asyncapi(&api),
        };
        let file = write(folder, name, &document)?;
        let took = begun.elapsed();
        let bytes = fs::metadata(&file).map_err(|error| error.to_string())?.len();
        println!("{name} of {} resources: {bytes} bytes in {took:?}", service.resources.len());
    }
    Ok(())
}
