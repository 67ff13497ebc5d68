//! `docs/schema/names.md`: what becomes of words that one output or another could not bear, read from the outputs that are
//! made of a service with the word.

use crate::bundle::Bundle;
use crate::draw::Draw;
use crate::refusals;
use crate::role::Role;
use libtest_mimic::Failed;
use regex::Regex;
use restwell_generator::client::{ClientPlan, rust, typescript};
use restwell_generator::project::{Library, crate_files};
use restwell_generator::{Generated, emit};
use restwell_model::api::Api;
use restwell_model::tables::{Dialect, Table};
use restwell_model::{Resource, names};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The words, by role.
const WORDS: [(Role, &str); 11] = [
    (Role::Service, "orders events default delete class import super build restwell core std test"),
    (
        Role::Resource,
        "News Series Media Feedback Equipment Type Client Entity Problem EditMethod Array SqliteBackup PgRole \
         Waltz Topaz Quartz \
         Gulf Epoch Monarch Furniture Price Country Currency Language Timezone Phone Date Time Timestamp Option \
         Result Command \
         Object Resource Event Metric Self",
    ),
    (Role::Plural, "count"),
    (Role::Object, "Price Option Timestamp Value"),
    (Role::Enum, "Currency Result Type"),
    (
        Role::StringField,
        "gen new default xmin xmax cmin cmax ctid tableoid self lengthInMetres sizeInBytes singleFileName \
         groupName globalId \
         nodeId cityName companyName callName os added isARecord",
    ),
    (Role::DefaultField, "hasMultipleSingleFiles defaultForNewRepos"),
    (Role::StringsField, "limit offset repositoryIdsToAdd patternsAllowed"),
    (Role::EnumValue, "SELF DEFAULT"),
    (Role::Command, "then all check-create get-if-changed"),
    (Role::View, "default then"),
];
const HEAD: &str = "\
# Names in the outputs

A name of a schema becomes a name in Rust, in both clients, in SQL and in HTTP. Over HTTP and in the tables it stays the
word that the schema has; in code an output escapes a word that its language keeps for itself. `restwell check` refuses a
name only if an output cannot have it. The table shows words that need care.

<!-- written by `RESTWELL_UPDATE=1 cargo test -p restwell-tests --test names table` -->

";

/// The page is what the outputs are now.
pub(crate) fn check() -> Result<(), Failed> {
    let page = page();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schema/names.md");
    if std::env::var("RESTWELL_UPDATE").is_ok_and(|value| value == "1") {
        fs::write(&path, &page).map_err(|error| Failed::from(error.to_string()))?;
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let line = found.lines().zip(page.lines()).find(|(found, expected)| found != expected);
    match found == page {
        true => Ok(()),
        false => {
            Err(Failed::from(format!("docs/schema/names.md is not up to date, run with RESTWELL_UPDATE=1: {line:?}")))
        }
    }
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    for (role, words) in WORDS {
        let _ = writeln!(
            page,
            "## {}\n\n| name | outcome |\n|---|---|",
            names::kebab(&format!("{role:?}")).replace('-', " ")
        );
        for word in words.split_whitespace() {
            let draw = Draw { number: 1, role, name: word.to_owned(), allow: None };
            let _ = writeln!(page, "| `{word}` | {} |", outcome(&draw).replace('|', "\\|"));
        }
        page.push('\n');
    }
    page.truncate(page.trim_end().len());
    page + "\n"
}

/// The refusal, or how the outputs spell the name.
fn outcome(draw: &Draw) -> String {
    if let Some((refusal, _)) = refusals::refusal(draw) {
        let help = refusal.help.map(|help| format!("; {help}")).unwrap_or_default();
        return format!("refused, `{}`: {}{help}", refusal.code, refusal.message);
    }
    match Bundle::of_part(std::slice::from_ref(draw), "bundle").and_then(|bundle| spelt(draw, &bundle)) {
        Ok(spelt) => spelt,
        Err(reason) => format!("not made: {reason}"),
    }
}

fn spelt(draw: &Draw, bundle: &Bundle) -> Result<String, String> {
    let failed = |error: &dyn std::fmt::Display| error.to_string();
    let api = Api::of(&bundle.service);
    let plan = ClientPlan::of(&api);
    let code = emit(&bundle.service, &bundle.origins, &bundle.messages, &[]).map_err(|error| failed(&error))?;
    let client = rust::package(&plan).map_err(|error| failed(&error))?;
    let script = typescript::package(&plan).map_err(|error| failed(&error))?;
    let paths: Vec<_> = api.paths.iter().map(|path| path.path.as_str()).collect();
    let path = |part: &str| paths.iter().find(|path| path.contains(part)).map(|path| format!("path `{path}`"));
    let own = |files: &[Generated], word: &str, pattern: &str| first(files, word, pattern).map(|(_, name)| name);
    let mut parts: Vec<Option<String>> = Vec::new();
    match draw.role {
        Role::Service => {
            let library = Library::Registry;
            let files = crate_files(&bundle.service, &library, None, false).map_err(|error| failed(&error))?;
            let name = |text: &str, pattern: &str| captured(text, pattern);
            parts.push(name(&files[0].text, "name = \"(.*)\"").map(|name| format!("package `{name}`")));
            parts.push(name(&client.starters[0].text, "name = \"(.*)\"").map(|name| format!("Rust client `{name}`")));
            let package = script.starters.iter().find(|file| file.path == "package.json");
            let package = package.and_then(|file| name(&file.text, "\"name\": \"(.*)\""));
            parts.push(package.map(|name| format!("TypeScript package `{name}`")));
            parts.push(
                own(&script.generated, "index.js", r"export function (\S+?)\(")
                    .map(|name| format!("function `{name}`")),
            );
        }
        Role::Resource | Role::Object | Role::Enum | Role::Plural => {
            let name = if draw.role == Role::Plural { "Gnu1" } else { draw.name.as_str() };
            let declared = format!(r"pub (?:struct|enum) ((?:r#)?{name}_?)\b");
            parts.push(first(&code, ".rs", &declared).map(|(file, name)| format!("Rust `{name}` in `{file}`")));
            parts.push(
                first(&client.generated, ".rs", &declared)
                    .map(|(file, name)| format!("Rust client `{name}` in `{file}`")),
            );
            let declared = format!(r"export (?:interface|class|type|declare class) ({name}_?)\b");
            let in_script = first(&script.generated, ".d.ts", &declared);
            parts.push(in_script.map(|(file, name)| format!("TypeScript `{name}` in `{file}`")));
            if let Some(resource) = bundle.service.resources.iter().find(|it| it.name == name) {
                parts.push(Some(format!("path `{}`", resource.path())));
                parts.push(Some(in_databases("table", bundle, resource, |table| table.name)));
            }
        }
        Role::Command => {
            parts.push(
                own(&code, "zoo0.rs", r"async fn (\S+?)\(")
                    .or_else(|| own(&code, "zoo0.rs", r"fn (\S+?)\("))
                    .map(|name| format!("Rust `{name}`")),
            );
            parts.push(
                own(&client.generated, "zoos0.rs", r"pub fn (\S+?)\(\s*&self,\s*id: uuid::Uuid,\s*input")
                    .map(|name| format!("Rust client `{name}`")),
            );
            parts.push(path(&format!("/{}-commands/", draw.name)));
        }
        Role::View => parts.push(path(&format!("/{}/", draw.name))),
        Role::EnumValue => {
            parts.push(
                own(&code, "zoo0.rs", r"Zebra,\s*(?:#\[[^\]]*\]\s*)*((?:r#)?\w+)").map(|name| format!("Rust `{name}`")),
            );
            parts.push(
                own(&client.generated, "zoos0.rs", r"Zebra,\s*(?:///[^\n]*\s*|#\[[^\]]*\]\s*)*((?:r#)?\w+)")
                    .map(|name| format!("Rust client `{name}`")),
            );
        }
        _ => {
            let after = r"pub stripe: [^\n]*,\s*(?:///[^\n]*\s*|#\[[^\]]*\]\s*)*pub ((?:r#)?\w+):";
            parts.push(own(&code, "zoo0.rs", after).map(|name| format!("Rust `{name}`")));
            parts.push(own(&client.generated, "zoos0.rs", after).map(|name| format!("Rust client `{name}`")));
            parts.push(Some(format!("JSON and TypeScript `{}`", draw.name)));
            let column = |table: Table| {
                let columns = table.slot(&draw.name).map(|slot| table.columns[slot.columns.clone()].iter());
                let names = columns.into_iter().flatten().map(|column| column.name.clone());
                names.collect::<Vec<_>>().join("`, `")
            };
            let resource = bundle.service.resources.iter().find(|it| it.field(&draw.name).is_some());
            parts.push(resource.map(|resource| in_databases("column", bundle, resource, column)));
        }
    }
    Ok(parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// What the databases call something of a table.
fn in_databases(what: &str, bundle: &Bundle, resource: &Resource, name: impl Fn(Table) -> String) -> String {
    let [sqlite, postgres] = [Dialect::Sqlite, Dialect::Postgres]
        .map(|dialect| name(Table::in_database(&bundle.service, resource, dialect)));
    match sqlite == postgres {
        true => format!("{what} `{sqlite}`"),
        false => format!("{what} `{sqlite}` in SQLite, `{postgres}` in PostgreSQL"),
    }
}

/// The first file with this end whose text has the pattern: its path, and what the pattern captures.
fn first(files: &[Generated], end: &str, pattern: &str) -> Option<(String, String)> {
    let base =
        |file: &&Generated| file.path.ends_with(end) && !file.path.contains("base/") && !file.path.contains("core/");
    files.iter().filter(base).find_map(|file| {
        let path = file.path.strip_prefix("src/generated/").unwrap_or(&file.path);
        captured(&file.text, pattern).map(|name| (path.to_owned(), name))
    })
}

fn captured(text: &str, pattern: &str) -> Option<String> {
    let pattern = Regex::new(pattern).expect("a pattern");
    pattern.captures(text).and_then(|found| found.get(1)).map(|found| found.as_str().to_owned())
}
