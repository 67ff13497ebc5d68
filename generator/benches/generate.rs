//! How long generating takes, stage by stage: 10, 100 and 1,000 resources of 20 fields.
//!
//! ```sh
//! cargo bench -p restwell-generator
//! ```

#[path = "../tests/common/many_resources.rs"]
mod many_resources;

use many_resources::schemas;
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
