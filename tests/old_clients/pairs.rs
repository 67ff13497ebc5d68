//! The pairs of models, and what a client of the old one sees.

use crate::old_clients::calls::calls;
use crate::old_clients::compare::{Closeness, difference, of_bodies};
use crate::old_clients::data::Data;
use crate::old_clients::world::World;
use restwell_generator::{File, compile};
use restwell_model::Checked;
use restwell_model::api::Api;
use restwell_model::compatibility::{Procedure, judge};
use restwell_model::scalar::Date;
use serde_json::Value;
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};
use std::thread;

/// As in the test of the judgements.
const TODAY: &str = "2027-01-01";
/// Attempts to make data that keep the rules of a model.
const SEEDS: u64 = 200;
/// Pairs that are served at once: most of their time is waiting.
const WORKERS: usize = 12;
/// Failed calls of a pair that a message shows.
const SHOWN: usize = 5;

/// What became of the calls of a pair.
pub(crate) struct Outcome {
    /// The folder: `fields/removed`.
    pub(crate) name: String,
    /// That of the gravest change.
    pub(crate) procedure: Procedure,
    /// Calls that the old service took.
    pub(crate) succeeded: usize,
    /// Those of them that the new service refused, or answered otherwise.
    pub(crate) failed: Vec<String>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (failed, succeeded) = (self.failed.len(), self.succeeded);
        writeln!(f, "{} ({:?}): {failed} of {succeeded} calls fail", self.name, self.procedure)?;
        self.failed.iter().take(SHOWN).try_for_each(|failed| writeln!(f, "  {failed}"))
    }
}

/// The outcome of every pair, found once.
pub(crate) fn outcomes() -> &'static [Outcome] {
    static OUTCOMES: LazyLock<Vec<Outcome>> = LazyLock::new(|| {
        let left: Mutex<VecDeque<_>> = Mutex::new(folders().into());
        let found = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..WORKERS {
                scope.spawn(|| {
                    loop {
                        let next = left.lock().expect("no worker fails").pop_front();
                        let Some(folder) = next else { return };
                        let outcome = catch_unwind(|| of_pair(&folder)).unwrap_or_else(|_| Outcome {
                            name: name(&folder),
                            procedure: Procedure::Safe,
                            succeeded: 0,
                            failed: vec!["the comparison itself fails".to_owned()],
                        });
                        found.lock().expect("no worker fails").push(outcome);
                    }
                });
            }
        });
        let mut found = found.into_inner().expect("no worker fails");
        found.sort_by(|one, other| one.name.cmp(&other.name));
        found
    });
    &OUTCOMES
}

fn of_pair(folder: &Path) -> Outcome {
    let [old, new] = ["old", "new"].map(|which| model(folder, which));
    let judgements = judge(&old, &new, TODAY.parse::<Date>().expect("a day"));
    let procedure = judgements.iter().map(|it| it.procedure).max().unwrap_or(Procedure::Safe);
    let api = Api::of(&old);
    let databases = tempfile::tempdir().expect("a folder");
    // the copy is made of a database that is closed
    let (data, file) = filled(&old, databases.path(), "old");
    let calls = calls(&api, &data);
    let copy = databases.path().join("new.db");
    fs::copy(&file, &copy).expect("it is copied");
    let migrated = restwell::testing::bring_along(new.clone().into_inner(), &format!("sqlite://{}", copy.display()));
    let (closeness, mut after) = match migrated {
        Ok(()) => (Closeness::Values, World::start(&new, &copy, None, &data)),
        // rows cannot be kept: the new service begins with its own
        Err(_) => {
            let (_, fresh) = filled(&new, databases.path(), "fresh");
            (Closeness::Forms, World::start(&new, &fresh, None, &data))
        }
    };
    let mut before = World::start(&old, &file, None, &data);
    let (mut succeeded, mut failed) = (0, Vec::new());
    for call in &calls {
        let expected = before.send(call);
        // what was refused before may be accepted now, and both services are to go through the same
        if (200..300).contains(&expected.status) {
            succeeded += 1;
            let found = after.send(call);
            failed.extend(difference(&expected, &found, closeness).map(|it| format!("{}: {it}", call.name)));
        }
    }
    let expected = before.events(0, |_| false);
    let found = after.events(expected.len(), |found| missing(&expected, found, closeness).is_none());
    failed.extend(missing(&expected, &found, closeness).map(|event| format!("an event does not come as {event}")));
    Outcome { name: name(folder), procedure, succeeded, failed }
}

/// The first event that does not come in its order. There may be others in between, which the client was not shown
/// before.
fn missing<'e>(expected: &'e [Value], found: &[Value], closeness: Closeness) -> Option<&'e Value> {
    let mut left = found.iter();
    expected.iter().find(|event| !left.any(|other| of_bodies(event, other, closeness).is_none()))
}

/// `fields/removed`.
fn name(folder: &Path) -> String {
    let class = folder.parent().and_then(Path::file_name).unwrap_or_default();
    format!("{}/{}", class.display(), folder.file_name().unwrap_or_default().display())
}

/// A database with the first data that keep the rules of the model, and its file. A service that has not started may
/// hold its file a little longer, so each attempt has another.
fn filled(model: &Checked, folder: &Path, name: &str) -> (Data, PathBuf) {
    for seed in 0..SEEDS {
        let (data, file) = (Data::of(model, seed), folder.join(format!("{name}-{seed}.db")));
        let started = catch_unwind(AssertUnwindSafe(|| drop(World::start(model, &file, Some(&data), &data))));
        if started.is_ok() {
            return (data, file);
        }
    }
    panic!("no data keep the rules of {}", model.name);
}

fn changes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../generator/tests/changes")
}

fn folders() -> Vec<PathBuf> {
    let inside = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path());
        entries.filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    let mut folders: Vec<_> = inside(&changes()).iter().flat_map(|class| inside(class)).collect();
    folders.sort();
    folders
}

/// The model in a folder, with the documents of `base` that it does not have.
fn model(folder: &Path, which: &str) -> Checked {
    let read = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path());
        let file = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().display().to_string();
            File::new(&format!("schemas/{name}"), fs::read(path).expect("a file"))
        };
        entries.filter(|path| path.is_file()).map(|path| file(&path)).collect::<Vec<_>>()
    };
    let mut files = read(&folder.join(which));
    let own: BTreeSet<_> = files.iter().map(|file| file.path.clone()).collect();
    files.extend(read(&changes().join("base")).into_iter().filter(|file| !own.contains(&file.path)));
    files.sort_by(|one, other| one.path.cmp(&other.path));
    compile(&files).service.unwrap_or_else(|| panic!("{}: {which} has faults", folder.display())).0
}
