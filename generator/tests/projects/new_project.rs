//! A new project, built for real against this checkout: its tests pass, it serves, and `restwell dev` builds it anew
//! while it serves, offline.

use super::{only_builder, target};
use restwell_testkit::shared_builds::share_builds;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// A service that is built starts sooner.
const PATIENCE: Duration = Duration::from_secs(60);
/// A build of what has changed takes less.
const BUILD_PATIENCE: Duration = Duration::from_secs(120);
const MEDIA_TYPE: &str = "application/vnd.service.public.v1+json";

#[test]
fn a_new_project_passes_its_tests_and_serves() {
    let _only_builder = only_builder();
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("corner-shop");
    let mut new = Command::new(env!("CARGO_BIN_EXE_restwell"));
    assert!(new.arg("new").arg(&project).arg("--restwell").arg(checkout).status().unwrap().success());

    share_builds(&project).unwrap();
    // as the first build does
    assert!(cargo(&project, &["update", "--workspace", "--offline", "--quiet"]).status().unwrap().success());
    pass_its_workflow(&project);

    assert!(cargo(&project, &["build", "--offline", "--quiet"]).status().unwrap().success());
    let address = free_address();
    let service = cargo(&project, &["run", "--offline", "--quiet"]).env("LISTEN", &address).spawn().unwrap();
    let mut service = Stopped(service);
    let response = get(&mut service.0, &address, "/tasks");
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    assert!(response.ends_with(r#"{"tasks":[],"count":0}"#), "{response}");
    drop(service);

    build_as_the_dockerfile_says(&project, &dir.path().join("container/build"));
    begin_with_schemas_of_ones_own(&dir.path().join("own/room-booking"), checkout);
    // what is built so far is built for this, too
    #[cfg(all(unix, feature = "serve"))]
    develop(&project);
}

/// What the workflow of a new project runs passes before anything is written. (Tools are installed here already.)
fn pass_its_workflow(project: &Path) {
    let workflow = fs::read_to_string(project.join(".github/workflows/ci.yml")).unwrap();
    let workflow: serde_yaml::Value = serde_yaml::from_str(&workflow).unwrap();
    let steps = workflow["jobs"]["test"]["steps"].as_sequence().unwrap();
    let commands = steps.iter().filter_map(|step| step["run"].as_str());
    let is_set_up = |command: &&str| command.starts_with("rustup ") || command.starts_with("cargo install ");
    let (set_up, mut checks): (Vec<_>, Vec<_>) = commands.partition(is_set_up);
    assert_eq!((set_up.len(), checks.len()), (2, 7), "{set_up:?} {checks:?}");
    let found = environment_of_the_workflow(project, checks.remove(0));
    let programs = Path::new(env!("CARGO_BIN_EXE_restwell")).parent().unwrap().display();
    for command in checks {
        let mut shell = Command::new("sh");
        let command = match command.strip_prefix("cargo clippy ") {
            Some(options) => &clippy_as_a_build(&mut shell, options),
            None => command,
        };
        shell.args(["-c", command]).current_dir(project).env_remove("RESTWELL_OUT").env_remove("DATABASE_URL");
        shell.env("PATH", format!("{programs}:{}", std::env::var("PATH").unwrap()));
        shell.env("CARGO_TARGET_DIR", target()).env("CARGO_NET_OFFLINE", "true").envs([("RESTWELL", &found)]);
        let output = shell.output().unwrap();
        let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert!(output.status.success(), "{command}: {printed}");
    }
}

/// Where the workflow finds the library: its first step writes that for the others.
fn environment_of_the_workflow(project: &Path, step: &str) -> String {
    let environment = project.with_extension("environment");
    let mut shell = Command::new("sh");
    let status = shell.args(["-c", step]).current_dir(project).env("GITHUB_ENV", &environment).status().unwrap();
    assert!(status.success(), "{step}");
    let written = fs::read_to_string(environment).unwrap();
    written.trim_end().strip_prefix("RESTWELL=").unwrap().to_owned()
}

/// What lints the same as `cargo clippy`, while it builds: that would check all dependencies first, which nothing else
/// has done, and take half as long as all that these tests do.
fn clippy_as_a_build(shell: &mut Command, options: &str) -> String {
    let (of_cargo, of_clippy) = options.split_once(" -- ").unwrap();
    let of_clippy: Vec<_> = ["--no-deps"].into_iter().chain(of_clippy.split(' ')).collect();
    let separator = "__CLIPPY_HACKERY__";
    shell.env("RUSTC_WRAPPER", "clippy-driver").env("CLIPPY_ARGS", of_clippy.join(separator) + separator);
    format!("cargo build {of_cargo}")
}

/// A project whose sample is deleted compiles after `generate`, and again with its first command.
fn begin_with_schemas_of_ones_own(project: &Path, checkout: &Path) {
    let restwell = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_restwell"));
        command.args(arguments).env_remove("RESTWELL_OUT").env_remove("DATABASE_URL");
        command
    };
    fs::create_dir(project.parent().unwrap()).unwrap();
    let mut new = restwell(&["new"]);
    assert!(new.arg(project).arg("--restwell").arg(checkout).status().unwrap().success());
    share_builds(project).unwrap();
    for sample in ["schemas/task.yaml", "src/commands/task.rs", "tests/tasks.rs"] {
        fs::remove_file(project.join(sample)).unwrap();
    }
    let room = "resource: Room\nfields:\n  name: { type: string, required: true }\n";
    for commands in ["", "commands:\n  book: { access: anyone }\n"] {
        fs::write(project.join("schemas/room.yaml"), format!("{room}{commands}")).unwrap();
        assert!(restwell(&["generate"]).current_dir(project).status().unwrap().success());
        let built = cargo(project, &["build", "--offline", "--quiet"]).output().unwrap();
        assert!(built.status.success(), "{commands:?}: {}", String::from_utf8_lossy(&built.stderr));
    }
}

/// The steps of the Dockerfile, as far as they need no container: what is copied into it builds there, and gives the
/// program that it starts. (A release build with all features takes minutes: the test makes a debug build without, and
/// looks up what the features bring.)
fn build_as_the_dockerfile_says(project: &Path, folder: &Path) {
    let ignored = fs::read_to_string(project.join(".dockerignore")).unwrap();
    // where it is without the workspace that it shares
    fs::copy(project.parent().unwrap().join("Cargo.lock"), project.join("Cargo.lock")).unwrap();
    fs::create_dir_all(folder).unwrap();
    let is_ignored = |name: &str| {
        ignored.lines().any(|pattern| match pattern.strip_prefix('*') {
            Some(end) => name.ends_with(end),
            None => name == pattern,
        })
    };
    for entry in fs::read_dir(project).unwrap().map(|entry| entry.unwrap()) {
        if !is_ignored(&entry.file_name().to_string_lossy()) {
            copy(&entry.path(), &folder.join(entry.file_name()));
        }
    }
    share_builds(folder).unwrap();
    fs::copy(folder.join("Cargo.lock"), folder.parent().unwrap().join("Cargo.lock")).unwrap();
    let dockerfile = fs::read_to_string(project.join("Dockerfile")).unwrap();
    let (build, run) = dockerfile.rsplit_once("\nFROM ").unwrap();
    let joined = build.replace("\\\n", "");
    let commands: Vec<_> = joined.lines().filter_map(|line| line.strip_prefix("RUN ")).collect();
    let [command] = &commands[..] else { panic!("{commands:?}") };
    let (caches, command) = command.split_at(command.find("(test").unwrap());
    assert!(caches.split_whitespace().all(|cache| cache.starts_with("--mount=type=cache,target=/")), "{caches}");
    let (command, kept) = command.rsplit_once(" && cp target/dist/").unwrap();
    let command = command.split_whitespace().collect::<Vec<_>>().join(" ");
    let build = "(test -f Cargo.lock || cargo generate-lockfile) && cargo build --profile dist --locked --all-features";
    assert_eq!(command, build);
    let tree = cargo(folder, &["tree", "--offline", "--all-features", "--prefix", "none"]).output().unwrap();
    let tree = String::from_utf8_lossy(&tree.stdout);
    for of_a_feature in ["tokio-postgres", "async-nats", "redis", "jsonwebtoken", "tokio-rustls", "opentelemetry"] {
        assert!(tree.contains(&format!("\n{of_a_feature} v")), "{of_a_feature}: {tree}");
    }
    let mut shell = Command::new("sh");
    let command = command.replace(" --profile dist", " --quiet").replace(" --all-features", "");
    shell.args(["-c", &command]).current_dir(folder);
    shell.env("CARGO_TARGET_DIR", target()).env("CARGO_NET_OFFLINE", "true");
    assert!(shell.status().unwrap().success(), "{command}");
    let (name, kept) = kept.split_once(" /usr/local/bin/").unwrap();
    let copied = run.lines().find_map(|line| line.strip_prefix("COPY --from=build /usr/local/bin/")).unwrap();
    let (taken, installed) = copied.split_once(" /usr/local/bin/").unwrap();
    assert_eq!((name, kept, taken, installed), ("corner-shop", "corner-shop", "corner-shop", "corner-shop"));
    assert!(run.contains(&format!("ENTRYPOINT [\"{installed}\"]")), "{run}");
    let port = run.lines().find_map(|line| line.strip_prefix("ENV PORT=")).unwrap();
    let mut program = Command::new(target().join("debug").join(name));
    let refused = program.env("PORT", port).env_remove("LISTEN").current_dir(folder).output().unwrap();
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && told.contains("0.0.0.0:8080 can be reached from elsewhere"), "{told}");
    refuse_what_needs_a_feature(&target().join("debug").join(name), folder);
}

/// What an option of the service needs that its program was built without is named.
fn refuse_what_needs_a_feature(program: &Path, folder: &Path) {
    let help = Command::new(program).arg("--help").output().unwrap();
    let help = String::from_utf8_lossy(&help.stdout);
    for (feature, line) in [
        ("postgres", "--database postgres://postgres@127.0.0.1/shop"),
        ("nats", "--nats nats://127.0.0.1:4222"),
        ("redis", "--rate-limit-redis redis://127.0.0.1 --rate-limit 600/PT1M"),
        ("issuer", "--issuer https://login.example.com --audience shop"),
        ("tls", "--tls-cert cert.pem --tls-key key.pem"),
        ("otel", "--otlp http://127.0.0.1:4318"),
    ] {
        let option = line.split(' ').next().unwrap();
        assert!(help.contains(&format!("{option} ")), "{option} is in the help");
        let mut run = Command::new(program);
        run.args(["--listen", "127.0.0.1:0"]).args(line.split(' ')).current_dir(folder).env_remove("DATABASE_URL");
        let output = run.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let refusal = format!("this program was built without `{feature}`; build it with `--features {feature}`");
        assert!(output.status.code() == Some(1) && said.contains(&refusal), "{line}: {said}");
    }
}

fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::copy(from, to).unwrap();
        return;
    }
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}

/// `restwell dev`: schemas are served at once, code once it is built; until then what was good goes on.
#[cfg(all(unix, feature = "serve"))]
fn develop(project: &Path) {
    let mut dev = Dev::start(project);
    let task = dev.call("POST", "/tasks", Some(&json!({ "name": "Water the plants", "dueOn": "2027-06-30" }))).1;
    let path = format!("/tasks/{}", task["id"].as_str().unwrap());
    let (is_over, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let client = {
        let (address, path, is_over, asked) = (dev.address.clone(), path.clone(), is_over.clone(), asked.clone());
        thread::spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                match call(&address, "GET", &path, None) {
                    Ok((status, body)) => {
                        assert_eq!((status, &body["name"]), (200, &json!("Water the plants")), "{body}");
                        asked.fetch_add(1, Ordering::Relaxed);
                    }
                    // one that was open and had asked nothing yet may end, as at any end of a service
                    Err(error) => assert_ne!(error.kind(), ErrorKind::ConnectionRefused, "{error}"),
                }
            }
        })
    };

    // the handler of the project answers once it is built
    assert_eq!(dev.postpone(&path, "2027-07-02")["status"], "SUCCESSFUL");
    assert_eq!(dev.call("GET", &path, None).1["dueOn"], "2027-07-02", "the row that was there before");

    let handlers = project.join("src/commands/task.rs");
    let written = fs::read_to_string(&handlers).unwrap();
    fs::write(&handlers, written.replace("\"NotLater\"", "\"TooEarly\"")).unwrap();
    dev.until("a changed handler", || dev.postpone(&path, "2027-07-01")["errors"][0]["code"] == "TooEarly");

    fs::write(&handlers, written.replace("call.entity;", "call.entitled;")).unwrap();
    dev.until("cargo's output", || {
        dev.has_told("no field `entitled`") && dev.has_told("what was served before goes on")
    });
    assert_eq!(dev.postpone(&path, "2027-07-01")["errors"][0]["code"], "TooEarly", "what was good goes on");

    fs::write(&handlers, &written).unwrap();
    let schema = fs::read_to_string(project.join("schemas/task.yaml")).unwrap();
    fs::write(
        project.join("schemas/task.yaml"),
        format!("{schema}  size: {{ type: integer, default: 3, required: true }}\n"),
    )
    .unwrap();
    dev.until("a new field", || dev.call("GET", &path, None).1["size"] == 3);
    assert_eq!(dev.postpone(&path, "2027-07-01")["errors"][0]["code"], "NotLater", "and the program with it");
    assert_eq!(dev.call("GET", &path, None).1["size"], 3);

    is_over.store(true, Ordering::Relaxed);
    client.join().unwrap();
    assert!(asked.load(Ordering::Relaxed) > 100, "{asked:?}");
    let pid = dev.program.0.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert!(dev.program.0.wait().unwrap().success());
    assert!(TcpStream::connect(&dev.address).is_err(), "the program that was built has ended, too");
}

/// A running `restwell dev`.
struct Dev {
    program: Stopped,
    address: String,
    told: Arc<Mutex<String>>,
}

impl Dev {
    fn start(project: &Path) -> Self {
        let address = free_address();
        let mut command = Command::new(env!("CARGO_BIN_EXE_restwell"));
        command.args(["dev", "--listen", &address]).current_dir(project).stderr(Stdio::piped());
        command.env("CARGO_TARGET_DIR", target()).env("CARGO_NET_OFFLINE", "true");
        for name in ["DATABASE_URL", "BASE_URL", "JWKS", "RESTWELL_OUT", "LISTEN", "PORT"] {
            command.env_remove(name);
        }
        let mut program = command.spawn().unwrap();
        let (told, stderr) = (Arc::new(Mutex::new(String::new())), program.stderr.take().unwrap());
        let heard = Arc::clone(&told);
        thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                *heard.lock().unwrap() += &(line + "\n");
            }
        });
        let dev = Self { program: Stopped(program), address, told };
        dev.until("a service", || TcpStream::connect(&dev.address).is_ok());
        dev
    }

    fn has_told(&self, words: &str) -> bool {
        self.told.lock().unwrap().contains(words)
    }

    #[track_caller]
    fn until(&self, what: &str, is_so: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < BUILD_PATIENCE, "there is not {what}:\n{}", self.told.lock().unwrap());
            thread::sleep(Duration::from_millis(50));
        }
    }

    #[track_caller]
    fn call(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let (status, answer) = call(&self.address, method, path, body).unwrap();
        assert!(status < 400 || status == 501, "{method} {path}: {status} {answer}");
        (status, answer)
    }

    /// Sends the command, as soon as it has a handler, and waits for its end.
    #[track_caller]
    fn postpone(&self, task: &str, until: &str) -> Value {
        static SENT: AtomicU64 = AtomicU64::new(0);
        let number = SENT.fetch_add(1, Ordering::Relaxed);
        let command = format!("{task}/postpone-commands/018f4c2e-7d1a-7c55-9f0e-{number:012x}");
        self.until("a handler", || self.call("PUT", &command, Some(&json!({ "until": until }))).0 != 501);
        self.until("an end", || self.call("GET", &command, None).1["status"] != "RUNNING");
        self.call("GET", &command, None).1
    }
}

/// What a service answers.
fn call(address: &str, method: &str, path: &str, body: Option<&Value>) -> std::io::Result<(u16, Value)> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nUser-Agent: test\r\nAccept: {MEDIA_TYPE}\r\n\
         Content-Type: {MEDIA_TYPE}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len(),
    )?;
    let mut response = String::new();
    stream.read_to_string(&mut response)?;
    let (head, body) = response.split_once("\r\n\r\n").ok_or_else(|| std::io::Error::other("no response"))?;
    Ok((head[9..12].parse().unwrap(), serde_json::from_str(body).unwrap_or_default()))
}

/// Cargo in the project, building where this workspace does: dependencies of equal features and profile are there.
fn cargo(project: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).current_dir(project).env("CARGO_TARGET_DIR", target());
    for name in ["DATABASE_URL", "BASE_URL", "JWKS", "RESTWELL_OUT"] {
        command.env_remove(name);
    }
    command
}

/// Ended with the test, however that ends. (`cargo run` becomes the program where it can.)
struct Stopped(Child);

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn free_address() -> String {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().to_string()
}

/// The response to a GET, once the service listens.
fn get(service: &mut Child, address: &str, path: &str) -> String {
    let start = Instant::now();
    let mut stream = loop {
        match TcpStream::connect(address) {
            Ok(stream) => break stream,
            Err(error) => assert!(start.elapsed() < PATIENCE, "{error}"),
        }
        assert_eq!(service.try_wait().unwrap(), None, "the service has ended");
        thread::sleep(Duration::from_millis(20));
    };
    let head = "Host: localhost\r\nConnection: close\r\nUser-Agent: test\r\nAccept: */*\r\n\r\n";
    write!(stream, "GET {path} HTTP/1.1\r\n{head}").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}
