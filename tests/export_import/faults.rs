//! What is wrong is said in one sentence, and nothing of it stays.

use crate::export_import::filled::{export, fill, import};
use restwell_testkit::postgres::Server;
use restwell_testkit::process::{DATABASE, LISTEN, Service, folder, refusal, run};
use std::fs;
use std::path::Path;

const FROM: &str = "sqlite://test.db";

/// A file that is spoilt, and what is said of it.
struct Spoilt {
    what: &'static str,
    text: String,
    told: &'static str,
}

/// Each in its own way.
fn spoilt(whole: &str) -> Vec<Spoilt> {
    let lines: Vec<_> = whole.split_inclusive('\n').collect();
    let (header, end) = (lines[0], lines[lines.len() - 1]);
    let offer = lines.iter().position(|line| line.starts_with("{\"offers\":")).expect("an offer");
    let with = |at: usize, line: String| {
        let mut lines: Vec<_> = lines.iter().map(|line| (*line).to_owned()).collect();
        lines[at] = line;
        lines.concat()
    };
    let new = |what, text, told| Spoilt { what, text, told };
    vec![
        new("empty", String::new(), "the file is empty"),
        new("something else", "id;name\n1;lamp\n".to_owned(), "`export` did not write this file"),
        new("cut between lines", lines[..lines.len() - 1].concat(), "the file is cut off"),
        new("cut within a line", whole[..whole.len() / 2].trim_end().to_owned(), "the file is cut off within line"),
        new("a row less", with(offer, String::new()), "rows of `offers`, and its last line says"),
        new("a row twice", with(offer, lines[offer].repeat(2)), "does not go with those before it"),
        new("a value altered", with(offer, lines[offer].replacen("\"PLN\"", "\"EUR\"", 1)), "something was altered"),
        new("a value of another type", with(offer, lines[offer].replacen("\"PLN\"", "17", 1)), "not of its type"),
        new("a value less", with(offer, lines[offer].replacen("\"PLN\",", "", 1)), "columns"),
        new("an unknown table", with(offer, "{\"offerz\":[]}\n".to_owned()), "is of a table `offerz`, which is none"),
        new("no row", with(offer, "[1,2]\n".to_owned()), "is not a row"),
        new("a line after the end", whole.to_owned() + end, "comes after the end"),
        new(
            "another service",
            with(0, header.replace("\"marketplace\"", "\"market\"")),
            "it is of the service `market`",
        ),
        new(
            "another model",
            with(0, header.replacen("\"model\":\"", "\"model\":\"0", 1).replacen("\"stock\",", "", 1)),
            "made by another model: its table `offers` lacks the column `stock`",
        ),
        new("another form", with(0, header.replace("\"restwell\":1", "\"restwell\":2")), "form 2"),
    ]
}

pub(crate) fn of_files() {
    let folder = folder();
    fill(folder.path());
    let whole = String::from_utf8(export(folder.path(), FROM, "whole.ndjson")).expect("text");
    for spoilt in spoilt(&whole) {
        fs::write(folder.path().join("spoilt.ndjson"), &spoilt.text).expect("written");
        let told = refusal(&import(folder.path(), "sqlite://new.db", "spoilt.ndjson"));
        assert!(told.contains("nothing was imported") && told.contains(spoilt.told), "{}: {told}", spoilt.what);
        assert!(!folder.path().join("new.db").exists(), "{}: what was made is gone", spoilt.what);
    }
    // one that was there, and empty, can be filled after all that
    Service::start_with(folder.path(), &[LISTEN, "--database=sqlite://empty.db"]).stop();
    fs::write(folder.path().join("cut.ndjson"), &whole[..whole.len() - 10]).expect("written");
    refusal(&import(folder.path(), "sqlite://empty.db", "cut.ndjson"));
    let done = import(folder.path(), "sqlite://empty.db", "whole.ndjson");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let told = refusal(&import(folder.path(), "sqlite://empty.db", "whole.ndjson"));
    assert!(told.contains("it is not empty") && told.contains("has rows"), "{told}");
}

pub(crate) fn on_postgres(server: &Server) {
    let folder = folder();
    fill(folder.path());
    let whole = String::from_utf8(export(folder.path(), FROM, "whole.ndjson")).expect("text");
    let database = server.database();
    for spoilt in spoilt(&whole) {
        fs::write(folder.path().join("spoilt.ndjson"), &spoilt.text).expect("written");
        let told = refusal(&import(folder.path(), database.url(), "spoilt.ndjson"));
        assert!(told.contains("nothing was imported") && told.contains(spoilt.told), "{}: {told}", spoilt.what);
        assert_eq!(database.rows("SELECT count(*) FROM offers")[0].get::<_, i64>(0), 0, "{}", spoilt.what);
    }
    let keys = "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND convalidated";
    let before: i64 = database.rows(keys)[0].get(0);
    assert!(before > 10, "the keys are there");
    let done = import(folder.path(), database.url(), "whole.ndjson");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(database.rows(keys)[0].get::<_, i64>(0), before, "and are there again");
    let told = refusal(&import(folder.path(), database.url(), "whole.ndjson"));
    assert!(told.contains("it is not empty"), "{told}");
}

/// The checksums are right: the values came into the database, and from there into the file.
pub(crate) fn of_values() {
    let folder = folder();
    fill(folder.path());
    let whole = folder.path().join("test.db");
    let wrong = [
        ("colour = 'PUCE'", "value of `colour`"),
        ("name = printf('%80s', 'x')", "value of `name`"),
        ("buy_now_currency = 'XXY'", "value of `buyNow`"),
        ("images = '[\"no address\"]'", "value of `images`"),
        ("shipping_options = '[{]'", "value for `shipping_options` that is not of its type"),
        ("updated_at = 9223372036854775807", "`updatedAt` that is not a time"),
    ];
    for (number, (set, told)) in wrong.into_iter().enumerate() {
        let [file, forged] = [format!("{number}.db"), format!("{number}.ndjson")];
        fs::copy(&whole, folder.path().join(&file)).expect("copied");
        let database = rusqlite::Connection::open(folder.path().join(&file)).expect("the database opens");
        database.execute(&format!("UPDATE offers SET {set}"), []).expect(set);
        drop(database);
        export(folder.path(), &format!("sqlite://{file}"), &forged);
        let said = refusal(&import(folder.path(), "sqlite://new.db", &forged));
        assert!(said.contains("nothing was imported") && said.contains(told), "{set}: {said}");
    }
    let kept = run(folder.path(), ["import", "--database=sqlite://new.db", "--from=0.ndjson", "--keep-refused"]);
    assert!(kept.status.success(), "{}", String::from_utf8_lossy(&kept.stderr));
}

pub(crate) fn of_places() {
    let folder = folder();
    let says = |arguments: &[&str], text: &str| {
        let told = refusal(&run(folder.path(), arguments));
        assert!(told.contains(text), "{arguments:?}: {told}");
    };
    says(&["export", "--database=sqlite://nowhere.db", "--out=out.ndjson"], "there is no database nowhere.db");
    assert!(!folder.path().join("out.ndjson").exists() && !folder.path().join("out.ndjson.part").exists());
    says(&["import", DATABASE, "--from=nowhere.ndjson"], "cannot open nowhere.ndjson");
    says(&["export", "--database=sqlite::memory:", "--out=out.ndjson"], "in memory");
    Service::start(folder.path()).stop();
    fs::write(folder.path().join("taken.ndjson"), "mine").expect("written");
    says(&["export", DATABASE, "--out=taken.ndjson"], "taken.ndjson is there already");
    assert_eq!(fs::read(folder.path().join("taken.ndjson")).expect("still there"), b"mine");
    says(&["export", DATABASE, "--out=no/such/folder.ndjson"], "cannot write");
    export(folder.path(), DATABASE.trim_start_matches("--database="), "empty.ndjson");
    check_mode(&folder.path().join("empty.ndjson"));
}

/// Nobody else may read it.
#[track_caller]
pub(crate) fn check_mode(file: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(file).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
