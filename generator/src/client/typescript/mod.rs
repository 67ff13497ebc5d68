//! The client in TypeScript: plain modules of JavaScript with declarations beside them, so that nobody needs a build.
//!
//! The core (`templates/client/typescript/core/`) is the same for every service and is copied. What follows from the
//! model is a module for each resource: a table of its methods in JavaScript, and its types.

use super::{ClientPackage, ClientPlan};
use crate::emit::Generated;
use crate::project::Starter;
use askama::Template;

/// The folder that only the generator writes.
const FOLDER: &str = "src";

/// The core, by paths relative to the folder.
const CORE: [(&str, &str); 9] = [
    ("core/client.js", include_str!("../../../templates/client/typescript/core/client.js")),
    ("core/commands.js", include_str!("../../../templates/client/typescript/core/commands.js")),
    ("core/edit.js", include_str!("../../../templates/client/typescript/core/edit.js")),
    ("core/entities.js", include_str!("../../../templates/client/typescript/core/entities.js")),
    ("core/errors.js", include_str!("../../../templates/client/typescript/core/errors.js")),
    ("core/events.js", include_str!("../../../templates/client/typescript/core/events.js")),
    ("core/lists.js", include_str!("../../../templates/client/typescript/core/lists.js")),
    ("core/place.js", include_str!("../../../templates/client/typescript/core/place.js")),
    ("core/searches.js", include_str!("../../../templates/client/typescript/core/searches.js")),
];

#[derive(Template)]
#[template(path = "client/typescript/package.json", escape = "none")]
struct PackageJson<'a> {
    name: &'a str,
    /// A literal.
    description: String,
}

/// The package.
///
/// # Errors
///
/// A template does not render: a mistake in this crate.
pub fn package(plan: &ClientPlan<'_>) -> askama::Result<ClientPackage> {
    let core = CORE.iter().map(|(path, text)| Generated { path: (*path).to_owned(), text: (*text).to_owned() });
    let name = &plan.service().name;
    let description = literal(&format!("Client of the {}.", plan.title()));
    let starters =
        vec![Starter { path: "package.json".to_owned(), text: PackageJson { name, description }.render()? + "\n" }];
    Ok(ClientPackage { folder: FOLDER, generated: core.collect(), starters })
}

/// A text as JSON and JavaScript write it.
fn literal(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
