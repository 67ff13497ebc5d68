//! The starter files of a project: written once if they are missing, then owned by people.

use crate::json_schema::json_schema;
use askama::Template;
use restwell_model::names::packages::service_package;
use restwell_model::{Service, names};

/// A file that is written if it is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Starter {
    /// Below the folder that is generated into, with `/`.
    pub path: String,
    /// The contents.
    pub text: String,
}

/// Where the library comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Library {
    /// The registry.
    Registry,
    /// A folder: that of the package `restwell`.
    Folder(String),
}

impl Library {
    /// The checkout that the folder is in.
    fn checkout(&self) -> Option<&str> {
        match self {
            Self::Registry => None,
            Self::Folder(path) => path.strip_suffix("/runtime"),
        }
    }
}

/// What a crate needs around its generated code. `manifest` is its Cargo.toml, where it has one.
///
/// # Errors
///
/// A template does not render: a mistake in this crate.
pub fn crate_files(
    service: &Service,
    library: &Library,
    manifest: Option<&str>,
    has_commands: bool,
) -> askama::Result<Vec<Starter>> {
    let library = match library {
        Library::Registry => format!("{:?}", env!("CARGO_PKG_VERSION")),
        Library::Folder(path) => format!("{{ path = {path:?} }}"),
    };
    let title = service.title.as_deref().unwrap_or(&service.name);
    let package = service_package(&service.name);
    let crate_name = manifest.and_then(library_name).unwrap_or_else(|| names::snake(&package));
    Ok(vec![
        Starter {
            path: "Cargo.toml".to_owned(),
            text: rendered(&Manifest { name: &package, description: format!("{title:?}"), library: &library })?,
        },
        Starter { path: "src/lib.rs".to_owned(), text: rendered(&LibRs { title, has_commands })? },
        Starter { path: "src/main.rs".to_owned(), text: rendered(&MainRs { title, crate_name: &crate_name })? },
    ])
}

/// What a new project begins with, beside its crate: schemas that can be generated from, what editors need to help with
/// them, a test, and a word on it all.
///
/// # Errors
///
/// A template does not render: a mistake in this crate.
pub fn schema_files(name: &str, library: &Library) -> askama::Result<Vec<Starter>> {
    let title = title(name);
    let (package, folder) = (&*service_package(name), library.checkout());
    Ok(vec![
        Starter { path: "schemas/service.yaml".to_owned(), text: rendered(&ServiceYaml { name, title: &title })? },
        Starter {
            path: "schemas/task.yaml".to_owned(),
            text: include_str!("../templates/project/task.yaml").to_owned(),
        },
        Starter { path: "schemas/restwell.schema.json".to_owned(), text: format!("{:#}\n", json_schema()) },
        Starter {
            path: ".vscode/settings.json".to_owned(),
            text: include_str!("../templates/project/vscode/settings.json").to_owned(),
        },
        Starter {
            path: ".vscode/extensions.json".to_owned(),
            text: include_str!("../templates/project/vscode/extensions.json").to_owned(),
        },
        Starter {
            path: "src/commands/task.rs".to_owned(),
            text: include_str!("../templates/project/task_handlers.rs.txt").to_owned(),
        },
        Starter { path: "tests/tasks.rs".to_owned(), text: rendered(&TasksRs { crate_name: &names::snake(package) })? },
        Starter { path: "Dockerfile".to_owned(), text: rendered(&Dockerfile { package, folder })? },
        Starter {
            path: ".dockerignore".to_owned(),
            text: include_str!("../templates/project/dockerignore").to_owned(),
        },
        Starter { path: "compose.yaml".to_owned(), text: rendered(&ComposeYaml { package, folder })? },
        Starter { path: ".github/workflows/ci.yml".to_owned(), text: rendered(&Workflow { folder })? },
        Starter {
            path: "rustfmt.toml".to_owned(),
            text: include_str!("../templates/project/rustfmt.toml.txt").to_owned(),
        },
        Starter { path: ".gitignore".to_owned(), text: include_str!("../templates/project/gitignore").to_owned() },
        Starter { path: "README.md".to_owned(), text: rendered(&Readme { title: &title })? },
    ])
}

/// The name of the library of a package, as Rust code writes it.
fn library_name(manifest: &str) -> Option<String> {
    let mut section = "";
    let (mut package, mut library) = (None, None);
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        } else if let Some((key, value)) = line.split_once('=')
            && key.trim() == "name"
        {
            let name = value.trim().split(['"', '\'']).nth(1).map(|name| name.replace('-', "_"));
            match section {
                "[package]" => package = name,
                "[lib]" => library = name,
                _ => {}
            }
        }
    }
    library.or(package)
}

/// A template's text with the line break at its end, which templates leave out.
fn rendered(template: &impl Template) -> askama::Result<String> {
    template.render().map(|text| text + "\n")
}

/// `general-shop` → `General shop`.
fn title(name: &str) -> String {
    let words = name.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[derive(Template)]
#[template(path = "project/Cargo.toml.txt")]
struct Manifest<'a> {
    name: &'a str,
    /// A literal.
    description: String,
    library: &'a str,
}

#[derive(Template)]
#[template(path = "project/lib.rs.txt")]
struct LibRs<'a> {
    title: &'a str,
    /// Whether anything of the service's own is to be written.
    has_commands: bool,
}

#[derive(Template)]
#[template(path = "project/main.rs.txt")]
struct MainRs<'a> {
    title: &'a str,
    crate_name: &'a str,
}

#[derive(Template)]
#[template(path = "project/Dockerfile.txt")]
struct Dockerfile<'a> {
    package: &'a str,
    /// The checkout that the library is in.
    folder: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "project/compose.yaml.txt")]
struct ComposeYaml<'a> {
    package: &'a str,
    /// The checkout that the library is in.
    folder: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "project/ci.yml.txt")]
struct Workflow<'a> {
    /// The checkout that the library is in.
    folder: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "project/tasks.rs.txt")]
struct TasksRs<'a> {
    crate_name: &'a str,
}

#[derive(Template)]
#[template(path = "project/service.yaml.txt")]
struct ServiceYaml<'a> {
    name: &'a str,
    title: &'a str,
}

#[derive(Template)]
#[template(path = "project/README.md.txt")]
struct Readme<'a> {
    title: &'a str,
}
