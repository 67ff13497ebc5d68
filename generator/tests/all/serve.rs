//! `restwell serve`: a schemas folder, served without generating or compiling anything.

use restwell_testkit::postgres::{Server, is_required};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A service starts sooner.
const PATIENCE: Duration = Duration::from_secs(20);
const MEDIA_TYPE: &str = "application/vnd.service.public.v1+json";

const SHOP: &[(&str, &str)] = &[
    ("service.yaml", "service: shop\nusers: User\n"),
    (
        "user.yaml",
        "resource: User\nfields:\n  name: { type: string, required: true, maxLength: 20 }\n  \
         email: { type: string, format: email, required: true, unique: true }\n",
    ),
    (
        "offer.yaml",
        "resource: Offer\n\
         commands:\n  renew:\n    access: anyone\n    input: { fromDate: { type: timestamp, required: true } }\n    \
         output: { endingAt: { type: timestamp, example: \"2027-06-30T08:00:00.000Z\" } }\n\
         fields:\n  code: { type: string, pattern: \"^[A-Z]{3}-[0-9]{4}$\", required: true, unique: true }\n  \
         seller: { type: ref, to: User, show: [name], required: true, filter: true }\n  \
         price: { type: price, minimum: 1, maximum: 9, currencies: [PLN], required: true }\n  \
         size: { type: integer, minimum: 3, maximum: 5, filter: true }\n",
    ),
    ("messages/pl.ftl", "Offer_code_Required = Brakuje kodu.\n"),
    ("messages/en.ftl", "Offer_code_Required = The code is missing.\n"),
];

/// A folder with the schemas of the shop.
fn shop() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in SHOP {
        write(dir.path(), &format!("schemas/{path}"), text);
    }
    dir
}

pub(crate) fn write(dir: &Path, path: &str, text: &str) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn restwell(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_restwell"));
    command.args(arguments).current_dir(dir);
    for name in ["RESTWELL_OUT", "DATABASE_URL", "PORT", "LISTEN", "CONFIG", "BASE_URL"] {
        command.env_remove(name);
    }
    command
}

fn output(dir: &Path, arguments: &[&str]) -> Output {
    restwell(dir, arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What a running program has told, in its folder.
pub(crate) const TOLD: &str = "told.log";

/// A running `restwell serve`; it is ended with the test.
pub(crate) struct Served {
    program: Child,
    port: u16,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl Served {
    pub(crate) fn start(dir: &Path, arguments: &[&str]) -> Self {
        Self::start_with("serve", dir, arguments)
    }

    fn start_with(command: &str, dir: &Path, arguments: &[&str]) -> Self {
        Self::start_in(command, dir, arguments, &[])
    }

    /// With these variables.
    pub(crate) fn start_in(command: &str, dir: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let mut command = restwell(dir, &[command]);
        let told = fs::File::create(dir.join(TOLD)).unwrap();
        command.args(arguments).args(["--listen", &format!(":{port}")]).stderr(told);
        command.envs(variables.iter().copied());
        let mut served = Self { program: command.spawn().unwrap(), port };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < PATIENCE, "it does not listen");
            assert_eq!(served.program.try_wait().unwrap(), None, "it has ended");
            thread::sleep(Duration::from_millis(10));
        }
        served
    }

    fn call(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nUser-Agent: tests\r\n\
             Accept: {MEDIA_TYPE}\r\nAccept-Language: pl\r\nContent-Type: {MEDIA_TYPE}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len(),
        )
        .unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), serde_json::from_str(body).unwrap_or_default())
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let (status, body) = self.call("GET", path, None);
        assert_eq!(status, 200, "{path}: {body}");
        body
    }
}

/// From an empty folder to the answer of a first POST: `mkdir`, a file, `restwell serve`, the POST.
#[test]
fn a_first_post_is_answered_within_seconds() {
    let dir = tempfile::tempdir().unwrap();
    let start = Instant::now();
    write(dir.path(), "schemas/service.yaml", "service: shop\n");
    write(dir.path(), "schemas/room.yaml", "resource: Room\nfields:\n  name: { type: string, required: true }\n");
    let served = Served::start(dir.path(), &[]);
    let (status, room) = served.call("POST", "/rooms", Some(&json!({ "name": "Blue" })));
    assert_eq!(status, 201, "{room}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert!(!dir.path().join("src").exists() && !dir.path().join("target").exists(), "nothing is generated");
    assert!(dir.path().join("shop.dev.db").exists());
}

#[test]
fn what_the_model_says_is_served() {
    let dir = shop();
    let served = Served::start(dir.path(), &[]);
    let (status, user) = served.call("POST", "/users", Some(&json!({ "name": "Ada", "email": "ada@example.com" })));
    assert_eq!(status, 201, "{user}");
    let price = json!({ "amount": "5", "currency": "PLN" });
    let seller = json!({ "id": user["id"] });
    let (_, refused) = served.call("POST", "/offers", Some(&json!({ "seller": seller, "price": price })));
    assert_eq!(refused["errors"][0]["path"], "code", "{refused}");
    assert_eq!(refused["errors"][0]["userMessage"], "Brakuje kodu.", "the messages beside the schemas");
    let offer = json!({ "code": "ABC-0001", "seller": seller, "price": price });
    let (status, offer) = served.call("POST", "/offers", Some(&offer));
    assert_eq!(status, 201, "{offer}");
    assert_eq!(offer["seller"]["name"], "Ada");
    let (status, missing) = served.call("GET", "/offer", None);
    assert_eq!((status, &missing["errors"][0]["details"]["nearest"]), (404, &json!("/offers")));
    // without a handler
    let command =
        format!("/offers/{}/renew-commands/018f4c2e-7d1a-7c55-9f0e-2b6a1d3c4e5f", offer["id"].as_str().unwrap());
    let input = json!({ "fromDate": "2027-06-30T08:00:00.000Z" });
    assert_eq!(served.call("PUT", &command, Some(&input)).0, 501);
}

#[test]
fn mocked_commands_succeed_with_what_their_output_could_be() {
    let dir = shop();
    let served = Served::start(dir.path(), &["--mock-commands", "--sample", "1", "--database", "sqlite::memory:"]);
    let offer = &served.get("/offers")["offers"][0];
    let command =
        format!("/offers/{}/renew-commands/018f4c2e-7d1a-7c55-9f0e-2b6a1d3c4e5f", offer["id"].as_str().unwrap());
    let input = json!({ "fromDate": "2027-06-30T08:00:00.000Z" });
    let (status, sent) = served.call("PUT", &command, Some(&input));
    assert_eq!(status, 201, "{sent}");
    let start = Instant::now();
    let done = loop {
        let command = served.get(&command);
        if command["status"] != "RUNNING" {
            break command;
        }
        assert!(start.elapsed() < PATIENCE, "{command}");
    };
    assert_eq!((&done["status"], &done["endingAt"]), (&json!("SUCCESSFUL"), &json!("2027-06-30T08:00:00.000Z")));
}

#[test]
fn a_sample_keeps_every_constraint_and_is_made_once() {
    let dir = shop();
    {
        let served = Served::start(dir.path(), &["--sample", "25"]);
        let (users, offers) = (served.get("/users?limit=1000"), served.get("/offers?limit=1000"));
        assert_eq!((&users["count"], &offers["count"]), (&json!(25), &json!(25)), "{offers}");
        for offer in offers["offers"].as_array().unwrap() {
            let body = json!({ "code": offer["code"], "seller": offer["seller"], "price": offer["price"], "size": offer["size"] });
            let (status, answer) =
                served.call("PUT", &format!("/offers/{}", offer["id"].as_str().unwrap()), Some(&body));
            assert_eq!(status, 200, "what is there could be sent: {answer}");
        }
    }
    let again = Served::start(dir.path(), &["--sample", "25"]);
    assert_eq!(again.get("/users")["count"], 25, "a database that has rows gets no more");
}

/// Tags whose names differ in more than case, in every copy of their database: none takes a name in another case.
fn check_tags(served: &Served, of: &str) -> Value {
    let tags = served.get("/tags?limit=1000&sort=id");
    assert_eq!(tags["count"], json!(TAGS), "{of}");
    for tag in tags["tags"].as_array().unwrap() {
        let name = tag["name"].as_str().unwrap();
        for name in [name.to_owned(), name.to_uppercase(), name.to_lowercase()] {
            let body = json!({ "name": name, "settings": 1 });
            let (status, answer) = served.call("POST", "/tags?dryRun=true", Some(&body));
            assert_eq!((status, &answer["errors"][0]["code"]), (422, &json!("NotUnique")), "{of}: {name}: {answer}");
        }
    }
    let (status, answer) =
        served.call("POST", "/tags?dryRun=true", Some(&json!({ "name": "Not there yet", "settings": 1 })));
    assert_eq!(status, 204, "{of}: {answer}");
    tags["tags"].clone()
}

/// Serves a database; its tags.
fn tags_in(dir: &Path, database: &str, arguments: &[&str]) -> Value {
    check_tags(&Served::start(dir, &[&["--database", database], arguments].concat()), database)
}

fn done(dir: &Path, arguments: &[&str]) {
    let output = output(dir, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
}

const TAGS: usize = 25;

fn tags() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "schemas/service.yaml", "service: labels\n");
    let name = "name: { type: string, required: true, maxLength: 40, unique: ignoreCase }";
    // names that one of the databases keeps for itself
    let words = "xmin: { type: integer, filter: true }\n  tableoid: { type: uuid }";
    let maps = "sizes: { type: map, values: { type: decimal }, minItems: 1 }\n  details: { type: map, values: { type: json } }";
    let json = "settings: { type: json, required: true }\n  parts: { type: array, items: { type: json } }";
    let tag = format!("resource: Tag\nfields:\n  {name}\n  {words}\n  {maps}\n  {json}\n");
    write(dir.path(), "schemas/tag.yaml", &tag);
    for (file, name) in [("role", "PgRole"), ("backup", "SqliteBackup")] {
        let tag = "tag: { type: ref, to: Tag, required: true, filter: true }";
        let tags = "tags: { type: array, items: { type: ref, to: Tag } }";
        let resource = format!("resource: {name}\nfields:\n  {tag}\n  {tags}\n");
        write(dir.path(), &format!("schemas/{file}.yaml"), &resource);
    }
    dir
}

#[test]
fn what_is_unique_in_any_case_stays_so_in_samples_backups_and_exports() {
    let dir = tags();
    let dir = dir.path();
    let sample = tags_in(dir, "sqlite://labels.db", &["--sample", "25"]);
    let has = |is_it: &dyn Fn(&Value) -> bool| sample.as_array().unwrap().iter().any(is_it);
    for name in ["sizes", "details"] {
        assert!(has(&|tag| tag[name].as_object().is_some_and(|map| !map.is_empty())), "{name}: {sample}");
    }
    assert!(has(&|tag| tag["settings"].is_object()) && has(&|tag| tag["parts"] != json!([])), "{sample}");
    done(dir, &["serve", "backup", "--database", "sqlite://labels.db", "backup.db"]);
    assert_eq!(tags_in(dir, "sqlite://backup.db", &[]), sample);
    done(dir, &["serve", "export", "--database", "sqlite://labels.db", "--out", "rows"]);
    done(dir, &["serve", "import", "--database", "sqlite://moved.db", "--from", "rows"]);
    assert_eq!(tags_in(dir, "sqlite://moved.db", &[]), sample);
}

/// The server, if there is one and the program was built with it: alone, this package is built without. The folder has
/// schemas.
pub(crate) fn postgres(dir: &Path) -> Option<Server> {
    let server = match Server::find() {
        Ok(server) => server,
        Err(reason) if is_required() => panic!("{reason}"),
        Err(_) => return None,
    };
    let check = output(dir, &["serve", "--check", "--database", server.database().url()]);
    let checked = String::from_utf8_lossy(&check.stdout);
    if checked.contains("was built without") {
        assert!(!is_required(), "{checked}");
        return None;
    }
    Some(server)
}

#[test]
fn what_is_unique_in_any_case_stays_so_between_the_databases() {
    let dir = tags();
    let dir = dir.path();
    let Some(server) = postgres(dir) else { return };
    let (sampled, moved) = (server.database(), server.database());
    let sample = tags_in(dir, sampled.url(), &["--sample", "25"]);
    done(dir, &["serve", "export", "--database", sampled.url(), "--out", "rows"]);
    for database in [moved.url(), "sqlite://moved.db"] {
        done(dir, &["serve", "import", "--database", database, "--from", "rows"]);
        assert_eq!(tags_in(dir, database, &[]), sample);
    }
    done(dir, &["serve", "export", "--database", "sqlite://moved.db", "--out", "again"]);
    done(dir, &["serve", "export", "--database", moved.url(), "--out", "once-more"]);
    let [rows, again, more] = ["rows", "again", "once-more"].map(|file| fs::read(dir.join(file)).unwrap());
    assert!(rows == again && rows == more, "the files are the same");
}

#[test]
fn rows_are_brought_along_when_the_schemas_change() {
    let dir = shop();
    let user = json!({ "name": "Ada", "email": "ada@example.com" });
    assert_eq!(Served::start(dir.path(), &[]).call("POST", "/users", Some(&user)).0, 201);
    let more = format!("{}  age: {{ type: integer, default: 7, required: true }}\n", SHOP[1].1);
    write(dir.path(), "schemas/user.yaml", &more);
    let served = Served::start(dir.path(), &[]);
    let user = &served.get("/users")["users"][0];
    assert_eq!((&user["name"], &user["age"]), (&json!("Ada"), &json!(7)));
}

#[test]
fn migrations_of_the_project_are_run() {
    let dir = shop();
    assert!(output(dir.path(), &["generate"]).status.success());
    let printed = output(dir.path(), &["serve", "migrate"]);
    assert!(String::from_utf8_lossy(&printed.stdout).contains("shop.db was empty: its tables are made"), "{printed:?}");
    let found = fs::read(dir.path().join("shop.db")).unwrap();
    assert!(found.windows(11).any(|bytes| bytes == b"0001-create"), "the program that is compiled can go on with it");
    // ahead of the migrations: on a database of its own, and never on one that was named
    write(dir.path(), "schemas/user.yaml", &format!("{}  age: {{ type: integer }}\n", SHOP[1].1));
    let refused = output(dir.path(), &["serve", "migrate", "--database", "sqlite://shop.db"]);
    assert!(stderr(&refused).contains("run `restwell generate`"), "{}", stderr(&refused));
    let printed = output(dir.path(), &["serve", "migrate"]);
    assert!(String::from_utf8_lossy(&printed.stdout).contains("shop.dev.db was empty"), "{printed:?}");
}

/// What a program says that has ended with an error.
fn refusal(command: &str, dir: &Path, arguments: &[&str]) -> String {
    let told = fs::File::create(dir.join(TOLD)).unwrap();
    let mut program = restwell(dir, &[command]);
    let program = program.args(arguments).args(["--listen", ":0"]).stderr(told).spawn().unwrap();
    let (mut program, start) = (Served { program, port: 0 }, Instant::now());
    let status = loop {
        if let Some(status) = program.program.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < PATIENCE, "{command} {arguments:?} serves");
        thread::sleep(Duration::from_millis(10));
    };
    assert!(!status.success(), "{command} {arguments:?}");
    fs::read_to_string(dir.join(TOLD)).unwrap()
}

/// Migrations are run when that is asked for: those that version control does not hold yet, too.
#[test]
fn a_database_that_is_behind_the_migrations_is_refused() {
    let dir = shop();
    let dir = dir.path();
    done(dir, &["generate"]);
    done(dir, &["serve", "migrate"]);
    write(dir, "schemas/user.yaml", &format!("{}  age: {{ type: integer }}\n", SHOP[1].1));
    let named = ["--database", "sqlite://shop.db"];
    let said = refusal("dev", dir, &named);
    assert!(said.contains("follows migrations, from 0001-create on"), "{said}");
    done(dir, &["generate"]);
    let before = fs::read(dir.join("shop.db")).unwrap();
    for arguments in [&named[..], &[]] {
        let said = refusal("serve", dir, arguments);
        assert!(said.contains("shop.db is behind this program: 0002-add-user-age"), "{said}");
    }
    let check = output(dir, &["serve", "--check"]);
    assert!(
        String::from_utf8_lossy(&check.stdout).contains("database: wrong, the database shop.db is behind"),
        "{check:?}"
    );
    let sub = "018f4c2e-7d1a-7c55-9f0e-2b6a1d3c4e5f";
    for command in [&["export", "--out", "rows"][..], &["erase", sub]] {
        let refused = output(dir, &[&["serve"], command].concat());
        assert!(stderr(&refused).contains("is behind this program"), "{}", stderr(&refused));
    }
    assert_eq!(fs::read(dir.join("shop.db")).unwrap(), before);
    let served = Served::start(dir, &["--database", "sqlite://shop.db", "--migrate"]);
    let (status, user) =
        served.call("POST", "/users", Some(&json!({ "name": "Ada", "email": "a@example.com", "age": 7 })));
    assert_eq!(status, 201, "{user}");
}

/// Without migrations the difference between the models is the migration, and is run when that is asked for, too.
#[test]
fn a_named_database_that_is_behind_the_schemas_is_refused() {
    let dir = shop();
    let dir = dir.path();
    let named = ["--database", "sqlite://named.db"];
    done(dir, &[&["serve", "migrate"], &named[..]].concat());
    write(dir, "schemas/user.yaml", &format!("{}  age: {{ type: integer }}\n", SHOP[1].1));
    let said = refusal("serve", dir, &named);
    assert!(said.contains("named.db is behind this program: 0001-add-user-age"), "{said}");
    assert_eq!(Served::start(dir, &[&named[..], &["--migrate"]].concat()).get("/users")["count"], 0);
    // `dev` is for databases that follow the schemas
    write(dir, "schemas/user.yaml", SHOP[1].1);
    assert_eq!(Served::start_with("dev", dir, &[&named[..], &["--drop"]].concat()).get("/users")["count"], 0);
}

#[test]
fn the_whole_command_line_of_a_service_is_there() {
    let dir = shop();
    let sub = "018f4c2e-7d1a-7c55-9f0e-2b6a1d3c4e5f";
    let token = output(dir.path(), &["serve", "token", "--sub", sub]);
    assert!(token.stdout.starts_with(b"eyJ"), "{token:?}");
    let model = output(dir.path(), &["serve", "schemas", "model"]);
    assert_eq!(serde_json::from_slice::<Value>(&model.stdout).unwrap()["name"], "shop");
    assert_eq!(Served::start(dir.path(), &["--sample", "2"]).get("/users")["count"], 2);
    assert!(output(dir.path(), &["serve", "export", "--out", "rows"]).status.success());
    let imported = output(dir.path(), &["serve", "import", "--from", "rows", "--database", "sqlite://copy.db"]);
    assert!(stderr(&imported).contains("were imported"), "{}", stderr(&imported));
    let check = output(dir.path(), &["serve", "--check"]);
    assert!(String::from_utf8_lossy(&check.stdout).contains("model: ok, shop with 2 resources"), "{check:?}");
    write(dir.path(), "serve.yaml", "lisen: 8081\n");
    let misspelt = output(dir.path(), &["serve", "--config", "serve.yaml"]);
    assert!(stderr(&misspelt).contains("did you mean `listen`?"), "{}", stderr(&misspelt));
}

#[test]
fn port_means_every_address_and_needs_credentials_of_an_issuer() {
    let dir = shop();
    let refused = |port: &str| {
        let told = fs::File::create(dir.path().join(TOLD)).unwrap();
        let program = restwell(dir.path(), &["serve"]).env("PORT", port).stderr(told).spawn().unwrap();
        let (mut program, start) = (Served { program, port: 0 }, Instant::now());
        while program.program.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < PATIENCE, "it serves");
            thread::sleep(Duration::from_millis(10));
        }
        fs::read_to_string(dir.path().join(TOLD)).unwrap()
    };
    let printed = refused("8081");
    assert!(printed.contains("0.0.0.0:8081 can be reached from elsewhere"), "{printed}");
    let printed = refused("http");
    assert!(printed.contains("invalid value '0.0.0.0:http' for '--listen"), "{printed}");
    assert!(restwell(dir.path(), &["check"]).env("PORT", "http").status().unwrap().success());
}

#[test]
fn mistakes_are_shown_where_they_are_and_options_have_headings() {
    let dir = shop();
    write(dir.path(), "schemas/user.yaml", "resource: User\nfeilds: {}\n");
    let refused = output(dir.path(), &["serve"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("schemas/user.yaml:2:1"), "{}", stderr(&refused));
    let help = output(dir.path(), &["serve", "--help"]);
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    for heading in ["\nNetwork:\n", "\nDatabase:\n", "\nCredentials:\n", "\nEvents:\n", "\nLimits:\n", "\nLog:\n"] {
        assert!(help.contains(heading), "{heading:?}: {help}");
    }
}

/// `restwell dev`: what is saved is served, a mistake changes nothing, and rows stay.
#[test]
fn a_saved_change_is_served_and_a_mistake_is_not() {
    let dir = shop();
    let served = Served::start_with("dev", dir.path(), &[]);
    let user = json!({ "name": "Ada", "email": "ada@example.com" });
    assert_eq!(served.call("POST", "/users", Some(&user)).0, 201);
    let schema = |more: &str| write(dir.path(), "schemas/user.yaml", &format!("{}{more}", SHOP[1].1));
    let until = |is_so: &dyn Fn(&Value) -> bool| {
        let start = Instant::now();
        loop {
            let users = served.get("/users");
            if is_so(&users["users"][0]) {
                return start.elapsed();
            }
            assert!(start.elapsed() < PATIENCE, "{users}");
            thread::sleep(Duration::from_millis(2));
        }
    };
    let mut took: Vec<Duration> = Vec::new();
    for round in 0..20 {
        schema(&format!("  round{round}: {{ type: integer, default: {round}, required: true }}\n"));
        if round > 0 {
            // the column of the round before would be lost: nothing changes
            thread::sleep(Duration::from_millis(200));
            assert_eq!(served.get("/users")["users"][0]["round0"], 0);
            let rounds: String = (0..=round)
                .map(|round| format!("  round{round}: {{ type: integer, default: {round}, required: true }}\n"))
                .collect();
            schema(&rounds);
        }
        took.push(until(&|user| user[format!("round{round}")] == json!(round)));
    }
    took.sort();
    eprintln!("a saved field is served after {:?} (p50), {:?} (p95)", took[10], took[18]);
    assert!(took[18] < Duration::from_secs(5), "{took:?}");
    write(dir.path(), "schemas/user.yaml", "resource: User\nfeilds: {}\n");
    let start = Instant::now();
    let has_told = |words: &str| fs::read_to_string(dir.path().join(TOLD)).unwrap().contains(words);
    while !(has_told("schemas/user.yaml:2:1") && has_told("the schemas before this change are still served")) {
        assert!(start.elapsed() < PATIENCE, "the mistake is not shown where it is");
        thread::sleep(Duration::from_millis(10));
    }
    let user = &served.get("/users")["users"][0];
    assert_eq!((&user["name"], &user["round19"]), (&json!("Ada"), &json!(19)), "what was good goes on");
}

/// The health check of the Dockerfile that `restwell new` writes, run as the container would.
#[test]
fn the_health_check_of_a_new_project_finds_a_service_healthy_and_no_service_not() {
    let dir = tempfile::tempdir().unwrap();
    assert!(output(dir.path(), &["new", "shop"]).status.success());
    let project = dir.path().join("shop");
    let dockerfile = fs::read_to_string(project.join("Dockerfile")).unwrap();
    let check = dockerfile.lines().find_map(|line| line.trim().strip_prefix("CMD ")).unwrap();
    let check: Vec<String> = serde_json::from_str(check).unwrap();
    let is_healthy = |port: u16| {
        let mut command = Command::new(&check[0]);
        command.args(&check[1..]).env("PORT", port.to_string()).stderr(Stdio::null());
        command.status().unwrap().success()
    };
    let served = Served::start(&project, &["--database", "sqlite::memory:"]);
    assert!(is_healthy(served.port));
    let port = served.port;
    drop(served);
    assert!(!is_healthy(port));
    for file in ["compose.yaml", ".github/workflows/ci.yml"] {
        let text = fs::read_to_string(project.join(file)).unwrap();
        let parsed: serde_yaml::Value = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(parsed.is_mapping(), "{file}");
    }
}
