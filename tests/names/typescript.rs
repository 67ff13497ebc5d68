//! The clients in TypeScript: Node parses and links each file, and one run of `tsc --strict` takes them all.

use crate::bundle::Bundle;
use crate::failures::Failures;
use restwell_generator::client::{ClientPlan, typescript};
use restwell_model::api::Api;
use restwell_testkit::tools::{Tools, run};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const OUTPUT: &str = "TypeScript client";
/// Prints the folders whose files cannot be loaded, with the reason.
const LOAD: &str = "for (const folder of process.argv.slice(1)) {
  await import(`${process.cwd()}/${folder}/index.js`).catch((error) => {
    const text = `${error.name}: ${error.message} ${(error.stack ?? '').split('\\n').slice(0, 5).join(' ')}`
    console.log(`${folder}/: ${text.replaceAll(/\\s+/g, ' ')}`)
  })
}";

/// What the clients do not bear: found for all services at once, then for each name of those that fail.
pub(crate) fn failures(tools: &Tools, bundles: &[Bundle]) -> Failures {
    let mut failures = Failures::default();
    let reasons = reasons(tools, bundles);
    for (folder, reason) in &reasons {
        let bundle = &bundles[*folder];
        let alone: Vec<_> =
            bundle.draws.iter().filter_map(|it| Bundle::of_part(std::slice::from_ref(it), "bundle").ok()).collect();
        let of_one = self::reasons(tools, &alone);
        for (one, reason) in &of_one {
            failures.add(OUTPUT, &alone[*one].draws[0], reason);
        }
        if of_one.is_empty() {
            failures.add_together(OUTPUT, &bundle.draws, reason);
        }
    }
    failures
}

/// Why some of these services' clients fail, by their index.
fn reasons(tools: &Tools, bundles: &[Bundle]) -> BTreeMap<usize, String> {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let mut reasons: BTreeMap<usize, String> = BTreeMap::new();
    let mut declarations = Vec::new();
    for (index, bundle) in bundles.iter().enumerate() {
        match write(folder.path(), index, bundle) {
            Ok(paths) => declarations.extend(paths),
            Err(reason) => drop(reasons.insert(index, reason)),
        }
    }
    let mut note = |line: &str| {
        let index = line.strip_prefix('c').and_then(|rest| rest.split('/').next()?.parse().ok());
        if let Some(index) = index {
            let reason = reasons.entry(index).or_default();
            reason.push_str(line);
            reason.push('\n');
        }
    };
    let folders = (0..bundles.len()).map(|index| format!("c{index}"));
    let arguments =
        ["--input-type=module", "--eval", LOAD].map(str::to_owned).into_iter().chain(["--".to_owned()]).chain(folders);
    match run(folder.path(), "node", arguments, &[]) {
        Ok(text) | Err(text) => text.lines().for_each(&mut note),
    }
    if let Err(text) = tsc(tools, folder.path(), &declarations) {
        text.lines().for_each(&mut note);
    }
    reasons
}

/// Writes a client; the paths of its declarations.
fn write(folder: &Path, index: usize, bundle: &Bundle) -> Result<Vec<String>, String> {
    let api = Api::of(&bundle.service);
    let package = typescript::package(&ClientPlan::of(&api)).map_err(|error| error.to_string())?;
    let own = folder.join(format!("c{index}"));
    let mut declarations = Vec::new();
    let mut paths = std::collections::BTreeSet::new();
    for file in package.generated {
        if !paths.insert(file.path.to_ascii_lowercase()) {
            return Err(format!("two files are called {}", file.path));
        }
        let path = own.join(&file.path);
        fs::create_dir_all(path.parent().unwrap_or(&own)).map_err(|error| error.to_string())?;
        fs::write(&path, file.text).map_err(|error| error.to_string())?;
        if file.path.ends_with(".d.ts") {
            declarations.push(format!("c{index}/{}", file.path));
        }
    }
    for starter in package.starters {
        fs::write(own.join(&starter.path), starter.text).map_err(|error| error.to_string())?;
    }
    Ok(declarations)
}

/// Compiles all with the strictest settings.
fn tsc(tools: &Tools, folder: &Path, files: &[String]) -> Result<(), String> {
    let options = json!({
        "noEmit": true,
        "strict": true,
        "exactOptionalPropertyTypes": true,
        "noUncheckedIndexedAccess": true,
        "module": "nodenext",
        "target": "es2022",
        "lib": ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
        "types": [],
    });
    let config = json!({ "compilerOptions": options, "files": files }).to_string();
    fs::write(folder.join("tsconfig.json"), config).map_err(|error| error.to_string())?;
    run(folder, tools.node("tsc"), ["--project", "."], &[]).map(drop)
}
