//! The projects and the clients in Rust: one `cargo check` of a workspace that has them all.

use crate::bundle::Bundle;
use crate::draw::Draw;
use crate::failures::Failures;
use restwell_generator::client::{ClientPlan, rust};
use restwell_generator::emit;
use restwell_generator::project::{Library, Starter, crate_files};
use restwell_generator::{Generated, emit::starters};
use restwell_model::api::Api;
use restwell_model::names;
use restwell_testkit::shared_builds::{LIBRARIES, share_builds_of};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines of a message of the compiler whose code is around the mistake.
const AROUND: usize = 6;

/// The two packages of a service in Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Output {
    Project,
    Client,
}

impl Output {
    const ALL: [Self; 2] = [Self::Project, Self::Client];

    fn word(self) -> &'static str {
        match self {
            Self::Project => "Rust project",
            Self::Client => "Rust client",
        }
    }

    /// The folder of the package in the workspace.
    fn folder(self, index: usize) -> String {
        match self {
            Self::Project => format!("p{index}"),
            Self::Client => format!("c{index}"),
        }
    }

    fn of_folder(folder: &str) -> Option<(Self, usize)> {
        let found = Self::ALL.into_iter().find(|output| folder.starts_with(&output.folder(0)[..1]))?;
        Some((found, folder[1..].parse().ok()?))
    }
}

/// What the compiler says of a package: a place in it, and the message.
#[derive(Debug, Clone)]
struct Mistake {
    file: PathBuf,
    line: usize,
    message: String,
}

type Mistakes = BTreeMap<(Output, usize), Vec<Mistake>>;

/// What the packages do not bear: found for all at once, then for each name that stands near a mistake.
pub(crate) fn failures(bundles: &[Bundle]) -> Failures {
    let mut failures = Failures::default();
    let folder = workspace();
    let mistakes = mistakes_of(&folder, bundles, &|_, _| true, &mut failures);
    let mut suspects: Vec<(Output, Bundle)> = Vec::new();
    for ((output, index), mistakes) in &mistakes {
        let bundle = &bundles[*index];
        for draw in suspected(bundle, &folder, mistakes) {
            suspects.extend(Bundle::of_part(std::slice::from_ref(draw), "bundle").ok().map(|alone| (*output, alone)));
        }
    }
    let (outputs, alone): (Vec<_>, Vec<_>) = suspects.into_iter().unzip();
    let is_wanted = |output, index: usize| outputs[index] == output;
    let of_one = mistakes_of(&folder, &alone, &is_wanted, &mut failures);
    let mut explained = BTreeSet::new();
    for ((output, index), mistakes) in &of_one {
        let draw = &alone[*index].draws[0];
        explained.insert((*output, draw.number));
        failures.add(output.word(), draw, &mistakes[0].message);
    }
    for ((output, index), mistakes) in mistakes {
        let bundle = &bundles[index];
        if !bundle.draws.iter().any(|draw| explained.contains(&(output, draw.number))) {
            let shown: Vec<_> = mistakes.iter().take(4).map(|it| it.message.clone()).collect();
            failures.add_together(output.word(), &bundle.draws, &shown.join("\n"));
        }
    }
    failures
}

/// The folder of the workspace: at the same place each time, so that what did not change is not compiled again.
fn workspace() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names");
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the last run's packages can go");
    }
    folder
}

/// Writes the packages that are wanted, of an output and a service by its index, and checks them.
fn mistakes_of(
    folder: &Path,
    bundles: &[Bundle],
    is_wanted: &dyn Fn(Output, usize) -> bool,
    failures: &mut Failures,
) -> Mistakes {
    if bundles.is_empty() {
        return Mistakes::new();
    }
    if folder.exists() {
        fs::remove_dir_all(folder).expect("the packages before can go");
    }
    let mut members = Vec::new();
    let mut names_taken = BTreeSet::new();
    for (index, bundle) in bundles.iter().enumerate() {
        for output in Output::ALL.into_iter().filter(|output| is_wanted(*output, index)) {
            let own = folder.join(output.folder(index));
            let written = match output {
                Output::Project => write_project(&own, bundle, &mut names_taken),
                Output::Client => write_client(&own, bundle, &mut names_taken),
            };
            match written {
                Ok(()) => members.push(own),
                Err(reason) => unwritten(output, bundle, &reason, failures),
            }
        }
    }
    let mut refused = Mistakes::new();
    loop {
        for file in ["Cargo.toml", "Cargo.lock"].iter().chain(&LIBRARIES) {
            // a link, and what it leads to stays
            let _ = fs::remove_file(folder.join(file));
        }
        share_builds_of(&members).expect("a workspace around the packages can be written");
        match check(folder) {
            Ok(mistakes) => return refused.into_iter().chain(mistakes).collect(),
            Err((package, mistake)) => {
                members.retain(|member| *member != folder.join(package.0.folder(package.1)));
                refused.entry(package).or_default().push(mistake);
            }
        }
    }
}

/// Adds the names that make the generator fail, or all where none does alone.
fn unwritten(output: Output, bundle: &Bundle, reason: &str, failures: &mut Failures) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut is_found = false;
    for draw in &bundle.draws {
        let Ok(alone) = Bundle::of_part(std::slice::from_ref(draw), "bundle") else { continue };
        let written = match output {
            Output::Project => write_project(folder.path(), &alone, &mut BTreeSet::new()),
            Output::Client => write_client(folder.path(), &alone, &mut BTreeSet::new()),
        };
        if let Err(reason) = written {
            failures.add(output.word(), draw, &reason);
            is_found = true;
        }
    }
    if !is_found {
        failures.add_together(output.word(), &bundle.draws, reason);
    }
}

/// What the compiler finds; or the first package whose manifest cargo does not take.
fn check(folder: &Path) -> Result<Mistakes, ((Output, usize), Mistake)> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target folder");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--workspace", "--keep-going", "--offline", "--quiet", "--message-format=short"]);
    let output = cargo.current_dir(folder).env("CARGO_TARGET_DIR", target).output().expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut mistakes = Mistakes::new();
    for (package, mistake) in text.lines().filter(|line| line.contains(" error")).filter_map(|it| mistake(folder, it)) {
        mistakes.entry(package).or_default().push(mistake);
    }
    if output.status.success() || !mistakes.is_empty() {
        return Ok(mistakes);
    }
    let inside = format!("{}/", folder.display());
    let mut places = text.split(&inside).skip(1).filter_map(|rest| Output::of_folder(rest.split('/').next()?));
    match places.next() {
        Some(package) => Err((package, Mistake { file: folder.join("Cargo.toml"), line: 1, message: text })),
        None => panic!("cargo fails without a place:\n{text}"),
    }
}

/// `c0/src/lib.rs:12:5: error[E0428]: the name `News` is defined multiple times`
fn mistake(folder: &Path, line: &str) -> Option<((Output, usize), Mistake)> {
    let mut parts = line.splitn(4, ':');
    let (file, number, _) = (parts.next()?, parts.next()?, parts.next()?);
    let package = Output::of_folder(file.split('/').next()?)?;
    Some((package, Mistake { file: folder.join(file), line: number.parse().ok()?, message: line.to_owned() }))
}

/// The draws whose names stand in the lines around the mistakes.
fn suspected<'b>(bundle: &'b Bundle, folder: &Path, mistakes: &[Mistake]) -> Vec<&'b Draw> {
    let mut words: BTreeSet<String> = BTreeSet::new();
    for mistake in mistakes {
        let text = fs::read_to_string(folder.join(&mistake.file)).unwrap_or_default();
        let lines: Vec<_> = text.lines().collect();
        let first = mistake.line.saturating_sub(AROUND);
        let around = lines.iter().skip(first).take(2 * AROUND).copied().chain([mistake.message.as_str()]);
        let split = |line: &str| {
            let parts = line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_' && letter != '-');
            parts.map(|word| names::snake(word).replace('_', "")).collect::<Vec<_>>()
        };
        words.extend(around.flat_map(split));
    }
    let is_near = |draw: &&Draw| {
        let name = names::snake(&draw.name).replace('_', "");
        let plural = names::plural_path(&names::pascal(&draw.name)).replace('-', "");
        words.iter().any(|word| *word == name || *word == plural || (name.len() > 3 && word.contains(&name)))
    };
    bundle.draws.iter().filter(is_near).collect()
}

fn write(folder: &Path, files: impl IntoIterator<Item = (String, String)>) -> Result<(), String> {
    let mut paths = BTreeSet::new();
    for (path, text) in files {
        if !paths.insert(path.to_ascii_lowercase()) {
            return Err(format!("two files are called {path}"));
        }
        let path = folder.join(path);
        let parent = path.parent().ok_or("a file is in a folder")?;
        fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn generated(files: Vec<Generated>) -> impl Iterator<Item = (String, String)> {
    files.into_iter().map(|file| (file.path, file.text))
}

fn started(files: Vec<Starter>) -> impl Iterator<Item = (String, String)> {
    files.into_iter().map(|file| (file.path, file.text))
}

fn write_project(folder: &Path, bundle: &Bundle, taken: &mut BTreeSet<String>) -> Result<(), String> {
    let Bundle { service, origins, messages, .. } = bundle;
    let failed = |error: &dyn std::fmt::Display| error.to_string();
    let library = Library::Folder(checkout().join("runtime").display().to_string());
    let code = emit(service, origins, messages, &[]).map_err(|error| failed(&error))?;
    let handlers = starters(service, origins, |_| true).map_err(|error| failed(&error))?;
    let files = crate_files(service, &library, None, !handlers.is_empty()).map_err(|error| failed(&error))?;
    let files = files.into_iter().map(|file| of_own_name(file, &service.name, taken));
    write(folder, generated(code).chain(started(handlers)).chain(started(files.collect())))
}

fn write_client(folder: &Path, bundle: &Bundle, taken: &mut BTreeSet<String>) -> Result<(), String> {
    let api = Api::of(&bundle.service);
    let package = rust::package(&ClientPlan::of(&api)).map_err(|error| error.to_string())?;
    let own = package.folder;
    let name = format!("{}-client", bundle.service.name);
    let files = package.starters.into_iter().map(|file| of_own_name(file, &name, taken));
    let code = generated(package.generated).map(|(path, text)| (format!("{own}/{path}"), text));
    write(folder, code.chain(started(files.collect())))
}

/// Renames a package that shares its name with another one: a workspace cannot have both.
fn of_own_name(mut file: Starter, name: &str, taken: &mut BTreeSet<String>) -> Starter {
    if file.path == "Cargo.toml" && !taken.insert(name.to_owned()) {
        let other = format!("{name}-{}", taken.len());
        taken.insert(other.clone());
        let library = format!("\n\n[lib]\nname = \"{}\"\n\n[dependencies]", names::snake(name));
        let text = file.text.replacen(&format!("name = \"{name}\""), &format!("name = \"{other}\""), 1);
        file.text = text.replacen("\n\n[dependencies]", &library, 1);
    }
    file
}

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_owned)
}
