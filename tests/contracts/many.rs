//! A service of many resources: its documents are valid, too, and of a size that tools can read.
//!
//! CI has a few dozen; `RESTWELL_MANY=200` has as many as a large team has.

use super::documents::{recorded_service, write};
use restwell_model::api::Api;
use restwell_model::contracts::{ContractOptions, asyncapi, openapi};
use restwell_model::{Checked, Resource, Service};
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Resources, where no variable says how many.
const COUNT: usize = 30;
/// Those of the specimens that have copies: together they have every operation and references of both kinds.
const COPIED: [&str; 5] = ["Keeper", "Loan", "Photo", "StockEntry", "Visit"];

/// The specimens and copies of some of them, under other names.
pub(crate) fn many() -> Result<Checked, String> {
    let count = std::env::var("RESTWELL_MANY").ok().and_then(|value| value.parse().ok()).unwrap_or(COUNT);
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
