//! What an output does not bear.

use crate::draw::Draw;
use libtest_mimic::Failed;

/// What failed, a line for each name.
#[derive(Debug, Default)]
pub(crate) struct Failures(Vec<String>);

impl Failures {
    /// An output does not bear a name.
    pub(crate) fn add(&mut self, output: &str, draw: &Draw, reason: &str) {
        self.note(output, &draw.title(), reason);
    }

    /// An output does not bear names that it bears one by one.
    pub(crate) fn add_together(&mut self, output: &str, draws: &[Draw], reason: &str) {
        let names: Vec<_> = draws.iter().take(8).map(Draw::title).collect();
        let more = if draws.len() > names.len() { ", …" } else { "" };
        self.note(output, &format!("together {}{more}", names.join(", ")), reason);
    }

    fn note(&mut self, output: &str, names: &str, reason: &str) {
        let reason: Vec<_> = reason.lines().map(str::trim).filter(|line| !line.is_empty()).take(4).collect();
        self.0.push(format!("{output}: {names}: {}", reason.join(" | ")));
    }

    /// The test's result: all lines, sorted.
    pub(crate) fn into_result(mut self) -> Result<(), Failed> {
        self.0.sort();
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(Failed::from(format!("{}\n{} names", self.0.join("\n"), self.0.len())))
        }
    }
}

/// The names at fault: the draws are halved until one alone fails, or two halves fail only together.
pub(crate) fn culprits(
    failures: &mut Failures,
    output: &str,
    draws: &[Draw],
    run: &dyn Fn(&[Draw]) -> Result<(), String>,
) {
    let Err(reason) = run(draws) else { return };
    if let [draw] = draws {
        failures.add(output, draw, &reason);
        return;
    }
    let (one, other) = draws.split_at(draws.len() / 2);
    let before = failures.0.len();
    culprits(failures, output, one, run);
    culprits(failures, output, other, run);
    if failures.0.len() == before {
        failures.add_together(output, draws, &reason);
    }
}
