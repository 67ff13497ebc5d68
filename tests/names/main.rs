//! Names over all outputs: what `restwell check` lets through, every output bears.
//!
//! A draw is one word in one role: `delete` as the name of a resource, as a field, as a command. Words come from the
//! lists in `words/` and from the sources of the library and of the clients. Each draw is checked alone. It is either
//! refused, at the place of the name and with the reason, or it is put into a service with hundreds of others. Of these
//! services all outputs are made: the project and the client in Rust go through `cargo check`, the client in TypeScript
//! through `node --check` and `tsc --strict`, and the service starts on both stores and answers.
//!
//! `RESTWELL_SEED` draws others. Common nouns are never refused as resources. A night draws many more, and puts all nouns
//! into services. A failure names the role, the word and the output. TypeScript needs Node and the packages of `contracts/`, one store a PostgreSQL;
//! without them these tests are ignored, with `RESTWELL_SERVERS=contracts,postgres` they fail.

mod bundle;
mod document;
mod draw;
mod exchange;
mod failures;
mod part;
mod refusals;
mod role;
mod rust;
mod stores;
mod table;
mod typescript;
mod words;

use bundle::Bundle;
use draw::Draw;
use failures::Failures;
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use restwell_testkit::effort::{at_night, is_night, seed_or};
use restwell_testkit::postgres::{self, Server};
use restwell_testkit::tools::{self, Tools};
use std::process::ExitCode;
use std::sync::LazyLock;

/// Draws: what fits into a minute, and those of a night.
const DRAWS: (usize, usize) = (200, 10_000);
/// What the draws follow from by default.
const SEED: u64 = 49;

/// All draws, and what became of them.
struct World {
    /// Those that `check` refuses alone.
    refused: Vec<(Draw, refusals::Refusal)>,
    /// Services with all others.
    bundles: Vec<Bundle>,
}

static WORLD: LazyLock<World> = LazyLock::new(World::new);

impl World {
    fn new() -> Self {
        let mut draws = draw::draws(at_night(DRAWS), seed_or(SEED));
        if is_night() {
            draws.extend(draw::nouns());
        }
        let (accepted, refused) = refusals::judged(draws);
        Self { refused, bundles: bundle::bundles(accepted) }
    }
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // two programs of compilers at the same time take as long as one after the other
    arguments.test_threads = Some(1);
    let trials = vec![
        Trial::test("refusals", || refusals::check(&WORLD.refused)),
        Trial::test("nouns_are_accepted", || {
            let (_, refused) = refusals::judged(draw::nouns());
            if refused.is_empty() { Ok(()) } else { Err(Failed::from(format!("{refused:?}"))) }
        }),
        Trial::test("the_table_is_up_to_date", table::check),
        Trial::test("sqlite", || report(stores::failures(&WORLD.bundles, None))),
        Trial::ignorable_test("postgresql", || match Server::find() {
            Ok(server) => completed(stores::failures(&WORLD.bundles, Some(&server))),
            Err(reason) => without(reason, postgres::is_required()),
        }),
        Trial::ignorable_test("typescript", || match Tools::of_node() {
            Ok(tools) => completed(typescript::failures(&tools, &WORLD.bundles)),
            Err(reason) => without(reason, tools::are_required()),
        }),
        Trial::test("rust", || report(rust::failures(&WORLD.bundles))),
    ];
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn report(failures: Failures) -> Result<(), Failed> {
    failures.into_result()
}

fn completed(failures: Failures) -> Result<Completion, Failed> {
    failures.into_result().map(|()| Completion::Completed)
}

/// What a test comes to that needs what is not there.
fn without(reason: String, is_required: bool) -> Result<Completion, Failed> {
    if is_required { Err(Failed::from(reason)) } else { Ok(Completion::ignored_with(reason)) }
}
