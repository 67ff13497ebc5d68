//! `restwell client`.

use super::check::checked;
use super::report::Report;
use super::{Client, ClientLanguage, Failure, files, generate};
use crate::client::{ClientPackage, ClientPlan, rust, typescript};
use crate::output;
use restwell_model::api::Api;

pub(super) fn run(options: &Client, report: &Report) -> Result<(), Failure> {
    let (service, ..) = checked(&options.schemas, None, report)?;
    let api = Api::of(&service);
    let plan = ClientPlan::of(&api);
    let package = match options.language {
        ClientLanguage::Typescript => typescript::package(&plan).map_err(|error| error.to_string()),
        ClientLanguage::Rust => rust::package(&plan).map_err(|error| error.to_string()),
    };
    write(&package.map_err(Failure::Other)?, options, report)
}

/// Writes the package, or compares it with the existing one.
fn write(package: &ClientPackage, options: &Client, report: &Report) -> Result<(), Failure> {
    let folder = options.out.join(package.folder);
    let plan = output::plan(&package.generated, &files::read_present(&folder)?);
    if options.check {
        if plan.changes.is_empty() {
            report.done("the client is up to date");
            return Ok(());
        }
        for change in &plan.changes {
            report.failure(&format!("{}: {}", change.state, folder.join(&change.path).display()));
        }
        return Err(Failure::Other("the client is not up to date: run `restwell client` and commit the result".into()));
    }
    generate::refuse(&plan, &folder, report)?;
    files::write_all(&folder, plan.writes.iter().map(|(path, text)| (path.as_str(), text.as_str())))?;
    plan.deletions.iter().try_for_each(|path| files::delete(&folder.join(path)))?;
    generate::write_missing(&options.out, &package.starters)?;
    report.done(&format!("{}: {}", folder.display(), generate::summary(&plan)));
    Ok(())
}
