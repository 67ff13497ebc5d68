//! The first hour of a new team: each of its dead ends, tried as a newcomer would.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const ROOM: &str = "resource: Room\nfields:\n  name: { type: string, required: true }\n";
const BOOK: &str = "commands:\n  book: { access: anyone }\n";

/// A folder in which the program is called.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A project that was begun by hand.
    fn start() -> Self {
        let folder = Self::new();
        folder.write("schemas/service.yaml", "service: shop\n");
        folder.write("schemas/room.yaml", ROOM);
        folder.succeeds(&["generate"]);
        folder
    }

    fn path(&self, below: &str) -> std::path::PathBuf {
        self.0.path().join(below)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_restwell"));
        for name in ["RESTWELL_OUT", "DATABASE_URL", "PORT", "LISTEN"] {
            command.env_remove(name);
        }
        command.args(arguments).current_dir(self.0.path()).output().unwrap()
    }

    #[track_caller]
    fn succeeds(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments:?}: {text}");
        text
    }

    #[track_caller]
    fn fails(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {text}");
        text
    }

    fn git(&self, arguments: &[&str]) {
        assert!(Command::new("git").args(arguments).current_dir(self.0.path()).status().unwrap().success());
    }

    fn migrations(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path("migrations")).unwrap().map(|entry| entry.unwrap().path());
        let folders = entries.filter(|path| path.is_dir());
        let mut names: Vec<_> = folders.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

/// Whether a folder above the temporary one is in a repository: then nothing of these is asked for.
fn repository(folder: &Path) -> bool {
    folder.ancestors().any(|folder| folder.join(".git").exists())
}

#[test]
fn the_sample_is_replaced_without_flags_and_without_a_second_migration() {
    // `.` must be called like a service
    let folder = Folder::new();
    folder.succeeds(&["new", "shop"]);
    let shop = folder.path("shop");
    assert!(!repository(&shop), "a temporary folder is in no repository");
    fs::remove_file(shop.join("schemas/task.yaml")).unwrap();
    fs::write(shop.join("schemas/room.yaml"), ROOM).unwrap();
    let generate = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_restwell"));
        command.arg("generate").current_dir(&shop).env_remove("RESTWELL_OUT").env_remove("DATABASE_URL");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stderr).unwrap()
    };
    let printed = generate();
    assert!(printed.contains("src/lib.rs: passes no handlers any more"), "{printed}");
    let sql = fs::read_to_string(shop.join("migrations/0001-create/sqlite.sql")).unwrap();
    assert!(sql.contains("CREATE TABLE \"rooms\"") && !sql.contains("tasks"), "{sql}");
    assert!(!shop.join("migrations/0002-add-room-and-more").exists());
    let root = fs::read_to_string(shop.join("src/lib.rs")).unwrap();
    assert!(root.contains("generated::service()") && !root.contains("commands"), "{root}");
    assert!(generate().contains("no changes"));
}

#[test]
fn a_migration_that_a_database_has_run_is_followed_and_the_solution_is_printed() {
    let folder = Folder::start();
    folder.write("shop.db", "SQLite format 3 … 0001-create …");
    folder.write("schemas/room.yaml", &format!("{ROOM}  size: {{ type: integer }}\n"));
    folder.succeeds(&["generate"]);
    assert_eq!(folder.migrations(), ["0001-create", "0002-add-room-size"]);

    let lost = Folder::start();
    lost.write("shop.db", "SQLite format 3 … 0001-create …");
    lost.write("schemas/room.yaml", "resource: Hall\nfields:\n  name: { type: string, required: true }\n");
    let printed = lost.fails(&["generate"]);
    assert!(printed.contains("shop.db` has run 0001-create") && printed.contains("delete the database"), "{printed}");
    fs::remove_file(lost.path("shop.db")).unwrap();
    lost.succeeds(&["generate"]);
    assert_eq!(lost.migrations(), ["0001-create"]);
}

#[test]
fn a_migration_that_version_control_holds_is_followed_and_the_next_one_is_a_draft() {
    let folder = Folder::start();
    folder.git(&["init", "--quiet"]);
    folder.write("schemas/room.yaml", &format!("{ROOM}  size: {{ type: integer }}\n"));
    folder.succeeds(&["generate"]);
    assert_eq!(folder.migrations(), ["0001-create"], "nothing is held yet");
    folder.git(&["add", "--all"]);
    folder.write("schemas/room.yaml", &format!("{ROOM}  size: {{ type: integer }}\n  floor: {{ type: integer }}\n"));
    folder.succeeds(&["generate"]);
    assert_eq!(folder.migrations(), ["0001-create", "0002-add-room-floor"]);
    let another = format!("{ROOM}  size: {{ type: integer }}\n  colour: {{ type: string }}\n");
    folder.write("schemas/room.yaml", &another);
    assert!(folder.fails(&["generate", "--check"]).contains("leftover: ./migrations/0002-add-room-floor"));
    folder.succeeds(&["generate"]);
    assert_eq!(folder.migrations(), ["0001-create", "0002-add-room-colour"]);
    assert!(folder.read("src/generated/mod.rs").contains("0002-add-room-colour"));
    folder.write("schemas/room.yaml", &format!("{ROOM}  size: {{ type: integer }}\n"));
    folder.succeeds(&["generate"]);
    assert_eq!(folder.migrations(), ["0001-create"], "there is nothing to follow with any more");
    assert!(folder.succeeds(&["generate", "--check"]).contains("up to date"));
}

#[test]
fn a_draft_that_people_have_changed_stays() {
    let folder = Folder::start();
    let path = "migrations/0001-create/sqlite.sql";
    folder.write(path, &format!("{}INSERT INTO rooms (name) VALUES ('a');\n", folder.read(path)));
    folder.write("schemas/room.yaml", &format!("{ROOM}  size: {{ type: integer }}\n"));
    folder.succeeds(&["generate"]);
    assert_eq!(folder.migrations(), ["0001-create", "0002-add-room-size"]);
    assert!(folder.read(path).contains("VALUES ('a')"));
}

#[test]
fn a_first_command_is_wired_in_or_the_lines_are_printed() {
    let folder = Folder::start();
    folder.write("schemas/room.yaml", &format!("{ROOM}{BOOK}"));
    let printed = folder.succeeds(&["generate"]);
    assert!(printed.contains("src/lib.rs: passes the handlers of commands now"), "{printed}");
    let root = folder.read("src/lib.rs");
    assert!(root.contains("pub mod commands;") && root.contains("service(commands::Commands::default())"), "{root}");
    // the next resource with commands
    folder.write("schemas/hall.yaml", &format!("{ROOM}{BOOK}").replace("Room", "Hall"));
    folder.succeeds(&["generate"]);
    let modules = folder.read("src/commands/mod.rs");
    assert!(modules.contains("mod hall;") && modules.contains("mod room;"), "{modules}");

    let edited = Folder::start();
    let mine = edited.read("src/lib.rs").replace("/// The whole service.", "/// All of it.");
    edited.write("src/lib.rs", &mine);
    edited.write("schemas/room.yaml", &format!("{ROOM}{BOOK}"));
    let printed = edited.succeeds(&["generate"]);
    assert!(
        printed.contains("pub mod commands;") && printed.contains("generated::service(commands::Commands"),
        "{printed}"
    );
    assert_eq!(edited.read("src/lib.rs"), mine, "it belongs to people");
}

#[test]
fn a_new_title_is_no_edit_of_what_the_generator_wrote() {
    let folder = Folder::start();
    folder.write("schemas/room.yaml", &format!("{ROOM}{BOOK}"));
    folder.succeeds(&["generate"]);
    let service = folder.read("schemas/service.yaml");
    folder.write("schemas/service.yaml", &format!("{service}title: Halls of ours\n"));
    folder.write("schemas/hall.yaml", &format!("{ROOM}{BOOK}").replace("Room", "Hall"));
    let printed = folder.succeeds(&["generate"]);
    assert!(!printed.contains("add `mod"), "{printed}");
    let modules = folder.read("src/commands/mod.rs");
    assert!(modules.contains("mod hall;") && modules.contains("mod room;"), "{modules}");
}

/// `rustfmt` joins lines that the generator breaks.
#[test]
fn handlers_have_the_form_of_their_project() {
    let folder = Folder::start();
    let commands = ["clean-beforehand", "release-afterwards", "reserve-for-group"];
    let commands: String = commands.map(|name| format!("  {name}: {{ access: anyone }}\n")).concat();
    folder.write("schemas/room.yaml", &format!("{ROOM}commands:\n{commands}"));
    folder.succeeds(&["generate"]);
    let path = "src/commands/room.rs";
    assert!(folder.read(path).contains("ReserveForGroup, RoomCommands};\n"), "{}", folder.read(path));
    let checked =
        Command::new("rustfmt").args(["--check", "--edition", "2024"]).arg(folder.path(path)).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
}

#[test]
fn starters_name_the_crate_that_there_is() {
    let folder = Folder::new();
    folder.write("schemas/service.yaml", "service: room-booking\n");
    folder.write("schemas/room.yaml", ROOM);
    folder.write("Cargo.toml", "[package]\nname = \"rooms-of-ours\"\nversion = \"0.1.0\"\n");
    folder.succeeds(&["generate"]);
    let main = folder.read("src/main.rs");
    assert!(main.contains("restwell::main(rooms_of_ours::service())"), "{main}");
}

#[test]
fn types_of_other_languages_are_understood() {
    for (word, meant) in [("datetime", "timestamp"), ("int", "integer"), ("text", "string"), ("bool", "boolean")] {
        let folder = Folder::new();
        folder.write("schemas/service.yaml", "service: shop\n");
        folder.write("schemas/room.yaml", &format!("{ROOM}  other: {{ type: {word} }}\n"));
        let printed = folder.fails(&["check"]);
        assert!(printed.contains(&format!("did you mean `{meant}`?")), "{printed}");
        assert!(printed.contains("found 1 error"), "{printed}");
    }
}

#[test]
fn a_new_project_keeps_nothing_that_is_beside_a_database() {
    let folder = Folder::new();
    folder.succeeds(&["new", "shop"]);
    let own = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.gitignore")).unwrap();
    for ignored in [folder.read("shop/.gitignore"), folder.read("shop/.dockerignore"), own] {
        for file in ["*.db", "*.db-wal", "*.db-shm", "*.db-lock", "*.development-key"] {
            assert!(ignored.lines().any(|line| line == file), "{file}: {ignored}");
        }
    }
}

#[test]
fn a_plural_name_is_reported_where_it_stands_and_nowhere_else() {
    let folder = Folder::new();
    folder.write("schemas/service.yaml", "service: shop\n");
    folder.write("schemas/booking.yaml", "resource: Booking\nfields:\n  room: { type: ref, to: Room, show: [name] }\n");
    folder.write("schemas/rooms.yaml", &ROOM.replace("Room", "Rooms"));
    let printed = folder.fails(&["check"]);
    assert!(printed.starts_with("error[singular-name]: `Rooms` is plural"), "{printed}");
    assert!(printed.contains("found 1 error"), "{printed}");
}

#[test]
fn new_says_at_once_what_it_needs_of_a_checkout() {
    let folder = Folder::new();
    let printed = folder.succeeds(&["new", "shop"]);
    assert!(printed.contains("--restwell PATH") && printed.contains("runtime/"), "{printed}");
    assert!(printed.contains("delete `shop`"), "a second call with the option finds the folder: {printed}");
    assert!(printed.ends_with("`shop` is ready: cd shop && restwell serve\n"), "this needs no library: {printed}");
    assert!(folder.fails(&["new", "other", "--restwell", "shop"]).contains("is not a checkout of Restwell"));
}

#[test]
fn generate_says_at_once_what_it_needs_of_a_checkout() {
    let checkout = fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()).unwrap();
    let generate = ["generate", "--restwell", checkout.to_str().unwrap()];
    let folder = Folder::new();
    folder.write("schemas/service.yaml", "service: shop\n");
    folder.write("schemas/room.yaml", ROOM);
    let printed = folder.succeeds(&["generate"]);
    assert!(printed.contains("--restwell PATH") && printed.contains("delete `./Cargo.toml`"), "{printed}");
    assert!(!folder.succeeds(&["generate"]).contains("--restwell"), "said once");
    let refused = folder.fails(&generate);
    assert!(refused.contains("Cargo.toml") && refused.contains("is there already"), "{refused}");
    assert!(folder.fails(&["generate", "--restwell", "schemas"]).contains("is not a checkout of Restwell"));

    // what was said helps
    fs::remove_file(folder.path("Cargo.toml")).unwrap();
    let printed = folder.succeeds(&generate);
    assert!(!printed.contains("note:"), "{printed}");
    let library = format!("restwell = {{ path = {:?} }}", checkout.join("runtime"));
    assert!(folder.read("Cargo.toml").contains(&library), "{}", folder.read("Cargo.toml"));
    assert_eq!(folder.read("Cargo.lock"), fs::read_to_string(checkout.join("Cargo.lock")).unwrap());
}

#[test]
fn without_schemas_every_command_says_how_to_begin() {
    let folder = Folder::new();
    for command in [&["check"][..], &["generate"], &["model"], &["openapi"], &["fmt"]] {
        let printed = folder.fails(command);
        let expected = "error: the folder `schemas` does not exist: name another one, or begin a project with `restwell new NAME`\n";
        assert_eq!(printed, expected, "{command:?}");
    }
    #[cfg(feature = "serve")]
    for command in ["serve", "dev"] {
        assert!(folder.fails(&[command]).contains("begin a project with `restwell new NAME`"), "{command}");
    }
}

#[test]
fn the_tests_of_a_new_project_use_a_client() {
    let folder = Folder::new();
    folder.succeeds(&["new", "shop"]);
    let tests = folder.read("shop/tests/tasks.rs");
    assert!(tests.contains("service.client()") && tests.contains("client.post(\"/tasks\""), "{tests}");
    for by_hand in ["TcpStream", "HTTP/1.1", "std::net", "\\r\\n"] {
        assert!(!tests.contains(by_hand), "{by_hand}: {tests}");
    }
}

#[test]
fn paths_are_printed_from_where_one_stands() {
    let folder = Folder::new();
    folder.succeeds(&["new", "shop"]);
    let here = fs::canonicalize(folder.path("")).unwrap();
    let (schemas, out) = (here.join("shop/schemas"), here.join("shop"));
    let out = folder.succeeds(&["generate", "--schemas", schemas.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert!(!out.contains(here.to_str().unwrap()) && out.contains("shop/src/generated: no changes"), "{out}");
}

/// A container has no certificates of authorities of its own, and finds no folder of the machine by itself.
#[test]
fn the_files_for_containers_and_builds_bring_what_they_need() {
    let checkout = fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()).unwrap();
    let (path, folder) = (checkout.display(), Folder::new());
    folder.succeeds(&["new", "published"]);
    folder.succeeds(&["new", "local", "--restwell", checkout.to_str().unwrap()]);
    for project in ["published", "local"] {
        let dockerfile = folder.read(&format!("{project}/Dockerfile"));
        let (_, run) = dockerfile.rsplit_once("\nFROM ").unwrap();
        let certificates = "COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/\n";
        assert!(run.contains(certificates), "the keys of an issuer come by https: {dockerfile}");
        assert_eq!(dockerfile.matches("docker build").count(), 1, "one way to build it: {dockerfile}");
    }
    let (dockerfile, compose) = (folder.read("local/Dockerfile"), folder.read("local/compose.yaml"));
    let workflow = folder.read("local/.github/workflows/ci.yml");
    assert!(dockerfile.contains(&format!("docker build --build-context restwell={path} -t local .")), "{dockerfile}");
    assert!(dockerfile.contains(&format!("\nCOPY --from=restwell . {path}\n")), "{dockerfile}");
    assert!(
        compose.contains(&format!("build: {{ context: ., additional_contexts: {{ restwell: {checkout:?} }} }}")),
        "{compose}"
    );
    // the path is in Cargo.toml alone
    assert!(workflow.contains("run: cargo install --path \"$RESTWELL/generator\" --locked"), "{workflow}");
    assert!(!workflow.contains(&path.to_string()), "{workflow}");
    let found = workflow.lines().find_map(|line| line.trim().strip_prefix("- run: echo \"RESTWELL=$("));
    let (command, _) = found.and_then(|line| line.split_once(")\" >>")).expect("it finds the path");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", command]).current_dir(folder.path("local"));
    let found = String::from_utf8(shell.output().unwrap().stdout).unwrap();
    assert_eq!(found.trim_end(), path.to_string());
    for compose in [&compose, &folder.read("published/compose.yaml")] {
        assert!(!compose.contains(":?") && compose.contains("ISSUER: ${ISSUER:-https://login.invalid}"), "{compose}");
    }
    let (compose, workflow) =
        (folder.read("published/compose.yaml"), folder.read("published/.github/workflows/ci.yml"));
    assert!(compose.contains("build: .\n"), "{compose}");
    assert!(workflow.contains("run: cargo install restwell-generator --locked"), "{workflow}");
}
