//! How long generating takes, stage by stage: 10, 100 and 1,000 resources of 20 fields.
//!
//! ```sh
//! cargo bench -p restwell-generator
//! ```

use restwell_generator::{File, compile, emit};
use std::time::{Duration, Instant};

const RUNS: usize = 7;

fn main() {
    println!("{:>10} {:>12} {:>12} {:>12} {:>16}", "resources", "compile", "emit", "together", "per resource");
    for resources in [10, 100, 1_000] {
        let files = schemas(resources);
        let mut runs: Vec<(Duration, Duration)> = (0..RUNS).map(|_| run(&files)).collect();
        runs.sort_by_key(|(compiling, emitting)| *compiling + *emitting);
        let (compiling, emitting) = runs[RUNS / 2];
        let together = compiling + emitting;
        let each = together / u32::try_from(resources).unwrap_or(u32::MAX);
        println!("{resources:>10} {compiling:>12.1?} {emitting:>12.1?} {together:>12.1?} {each:>16.1?}");
    }
}

fn run(files: &[File]) -> (Duration, Duration) {
    let start = Instant::now();
    let compiled = compile(files);
    let compiling = start.elapsed();
    let Some((service, origins)) = &compiled.service else {
        let first = compiled.diagnostics.first().map(|diagnostic| &diagnostic.message);
        panic!("the schemas of the benchmark are wrong: {first:?}");
    };
    let start = Instant::now();
    let generated = emit(service, origins, &compiled.messages, &[]).expect("what is emitted is Rust");
    assert!(generated.len() > service.resources.len());
    (compiling, start.elapsed())
}

/// A service with this number of resources, each with fields of most types, an inline enum and a command.
fn schemas(resources: usize) -> Vec<File> {
    let user = "resource: User\nfields:\n  name: { type: string }\n";
    let shared = [("service", "service: shop\nusers: User\n"), ("user", user)];
    let shared = shared.iter().map(|(name, text)| File::new(&format!("schemas/{name}.yaml"), *text));
    let resource = |index| File::new(&format!("schemas/{index}.yaml"), resource(index));
    shared.chain((0..resources).map(resource)).collect()
}

fn resource(index: usize) -> String {
    const FIELDS: [&str; 10] = [
        "{ type: string, required: true, maxLength: 75, filter: true, sort: true, example: Road bicycle }",
        "{ type: integer, minimum: 0, maximum: 1000, default: 1 }",
        "{ type: decimal, scale: 3, minimum: \"0.001\", example: \"12.500\" }",
        "{ type: price, required: true, filter: true, sort: true, description: The price to buy it at once. }",
        "{ type: timestamp, readOnly: true, filter: true, sort: true }",
        "{ type: enum, values: [ACTIVE, ENDED, SUSPENDED], default: ACTIVE, filter: true }",
        "{ type: boolean, default: false }",
        "{ type: country, filter: true }",
        "{ type: date, example: \"2027-06-30\" }",
        "{ type: object, fields: { street: { type: string, maxLength: 120 }, city: { type: string, filter: true } } }",
    ];
    let mut text = format!(
        "resource: {name}Thing\ndescription: One of many.\nowner: seller\nsearch: true\ncommands:\n  renew:\n    \
         access: owner\n    input:\n      duration: {{ type: duration, required: true }}\nfields:\n  \
         seller: {{ type: ref, to: User, show: [name], required: true, immutable: true, filter: true }}\n",
        name = letters(index)
    );
    for field in 0..20 {
        text.push_str(&format!("  field{}Part: {}\n", letters(field), FIELDS[field % FIELDS.len()]));
    }
    text
}

/// A number as a capitalized word: `Abc`.
fn letters(number: usize) -> String {
    let letter = |digit: usize| char::from(b'a' + u8::try_from(digit % 26).unwrap_or(0));
    format!("{}{}{}", letter(number / 676).to_ascii_uppercase(), letter(number / 26), letter(number))
}
