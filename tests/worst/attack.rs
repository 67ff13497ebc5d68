//! Worst cases from many clients at a time, while a plain client reads: run by hand, on a release build.

use crate::cases::{Round, rounds};
use crate::stage::Stage;
use crate::usage::MAX_MEMORY;
use crate::{Start, is_chosen, usage, wire};
use libtest_mimic::Failed;
use restwell_testkit::effort::seed_or;
use restwell_testkit::http::{Connection, Request};
use restwell_testkit::postgres::Server;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Default rows, connections and seed.
pub(crate) const ROWS: usize = 100_000;
const CONNECTIONS: usize = 24;
const SEED: u64 = 1;
/// Requests that are sent.
const REQUESTS: usize = 2_000;
/// Addresses that attackers come from.
const ADDRESSES: usize = 8;
/// Pause of the plain client between two requests.
const PAUSE: Duration = Duration::from_millis(10);

/// The plain client's slowest hundredth.
const MAX_P99: Duration = Duration::from_millis(250);
/// When nothing may be left running, once the attackers have gone.
const QUIET_AFTER: Duration = Duration::from_secs(2);
/// How long the commands that were accepted may take after that.
const COMMANDS_END: Duration = Duration::from_secs(30);
/// How long it is looked at then, and what an idle process may use in that time, in ticks.
const LOOK: Duration = Duration::from_secs(1);
const IDLE_TICKS: u64 = 3;

/// Faults of single requests that are printed.
const TOLD: usize = 20;

/// What became of an attack.
#[derive(Default)]
struct Outcome {
    /// How often each status was answered; 0 stands for none.
    statuses: BTreeMap<u16, usize>,
    /// By the case: how often it was sent, and the longest it took.
    cases: BTreeMap<&'static str, (usize, Duration)>,
    faults: Vec<String>,
}

/// How much is sent by whom.
struct Force {
    count: usize,
    rows: usize,
    connections: usize,
}

pub(crate) fn run(start: Start, server: Option<&Server>) -> Result<(), Failed> {
    let force = Force { count: REQUESTS, rows: ROWS, connections: CONNECTIONS };
    let begun = Instant::now();
    let stage = start(server, force.rows);
    println!("filled in {:.1?}", begun.elapsed());
    let faults = attacked(&stage, &force, seed_or(SEED));
    stage.end(faults)
}

/// What is wrong with how the service bears it.
fn attacked(stage: &Stage, force: &Force, seed: u64) -> Vec<String> {
    let (values, pid, address) = (stage.values(), stage.service.pid(), stage.address());
    let sites = stage.sites(&values);
    let rounds = rounds(&sites, &stage.token);
    let mut order: Vec<_> = rounds.iter().filter(|round| is_chosen(round.case, &round.site)).collect();
    if order.is_empty() {
        return vec!["no case has that in its name".to_owned()];
    }
    shuffle(&mut order, seed);
    usage::forget_peak(pid);
    let (before, begun, is_over) = (usage::memory(pid), Instant::now(), AtomicBool::new(false));
    let targets = &stage.plain;
    let half = force.count / 2;
    let (outcome, halfway, plain) = std::thread::scope(|scope| {
        let plain = scope.spawn(|| read(address, targets, &is_over));
        let first = attack(address, &order, 0..half, force.connections);
        let halfway = usage::memory(pid);
        let outcome = attack(address, &order, half..force.count, force.connections).and(first);
        is_over.store(true, Ordering::Relaxed);
        (outcome, halfway, plain.join().expect("the plain client does not panic"))
    });
    let took = begun.elapsed();
    std::thread::sleep(QUIET_AFTER);
    let mut faults = unfinished_commands(stage);
    faults.extend(left(stage));
    faults.extend(outcome.faults.iter().take(TOLD).cloned());
    print_outcome(&outcome);
    println!("memory: {} MiB filled, {} halfway, {} after", before >> 20, halfway >> 20, usage::memory(pid) >> 20);
    faults.extend(judge(stage, force, took, &outcome, plain));
    faults
}

/// Prints the line of the table; what in it is beyond its bound.
fn judge(stage: &Stage, force: &Force, took: Duration, outcome: &Outcome, mut plain: Plain) -> Vec<String> {
    plain.latencies.sort_unstable();
    let (peak, p50, p99) = (usage::peak(stage.service.pid()), at(&plain.latencies, 0.5), at(&plain.latencies, 0.99));
    println!("plain client: {} requests, statuses {:?}", plain.latencies.len(), plain.statuses);
    for (target, latencies) in &mut plain.by_target {
        latencies.sort_unstable();
        println!(
            "{:.1?} / {:.1?} / {:.1?} (p50 / p90 / p99) for GET {target}",
            at(latencies, 0.5),
            at(latencies, 0.9),
            at(latencies, 0.99)
        );
    }
    plain.slowest.sort_unstable_by_key(|(took, _)| std::cmp::Reverse(*took));
    for (took, what) in plain.slowest.iter().take(TOLD) {
        println!("{took:>10.1?} for the plain client's {what}");
    }
    println!("| store | rows | requests | time | memory at most | plain client, p50 / p99 | statuses |");
    println!(
        "| {} | {} | {} | {:.0} s | {} MiB | {:.1} / {:.1} ms | {:?} |",
        if stage.database.is_some() { "PostgreSQL" } else { "SQLite" },
        force.rows,
        force.count,
        took.as_secs_f64(),
        peak >> 20,
        p50.as_secs_f64() * 1000.0,
        p99.as_secs_f64() * 1000.0,
        outcome.statuses,
    );
    let memory = (peak > MAX_MEMORY).then(|| format!("{} MiB of memory", peak >> 20));
    let slow = (p99 > MAX_P99).then(|| format!("the plain client waited for {p99:.1?} (p99)"));
    let failed = plain.statuses.keys().filter(|status| ![200, 503].contains(*status));
    let failed = failed.map(|status| format!("the plain client was answered {status}"));
    memory.into_iter().chain(slow).chain(failed).collect()
}

impl Outcome {
    fn and(mut self, other: Self) -> Self {
        for (status, count) in other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
        for (case, (count, longest)) in other.cases {
            let known = self.cases.entry(case).or_default();
            *known = (known.0 + count, known.1.max(longest));
        }
        self.faults.extend(other.faults);
        self
    }
}

/// The same order whenever the seed is the same.
fn shuffle<T>(all: &mut [T], seed: u64) {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for place in (1..all.len()).rev() {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        all.swap(place, random as usize % (place + 1));
    }
}

/// Sends the rounds with these numbers over `connections` parallel connections.
fn attack(to: SocketAddr, order: &[&Round<'_>], numbers: std::ops::Range<usize>, connections: usize) -> Outcome {
    let next = AtomicUsize::new(numbers.start);
    let outcome = Mutex::new(Outcome::default());
    std::thread::scope(|scope| {
        for client in 0..connections {
            let (next, outcome) = (&next, &outcome);
            let from = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2 + (client % ADDRESSES) as u8));
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end {
                        break;
                    }
                    let round = order[number % order.len()];
                    let begun = Instant::now();
                    let answers = wire::fire(from, to, &round.shots(), || ());
                    let mut outcome = outcome.lock().expect("no client panics");
                    let known = outcome.cases.entry(round.case).or_default();
                    *known = (known.0 + 1, known.1.max(begun.elapsed()));
                    match answers {
                        Ok(answers) => answers.iter().for_each(|answer| outcome.note(round, answer)),
                        // where there are too many connections it closes them, and that is no failure
                        Err(_) => *outcome.statuses.entry(0).or_default() += 1,
                    }
                }
            });
        }
    });
    outcome.into_inner().expect("no client panics")
}

impl Outcome {
    fn note(&mut self, round: &Round<'_>, answer: &wire::Answer) {
        *self.statuses.entry(answer.status).or_default() += 1;
        if answer.status >= 500 && answer.status != 503 {
            let text = String::from_utf8_lossy(&answer.body);
            self.faults.push(format!("{}, {}: {} {text}", round.case, round.site, answer.status));
        }
    }
}

fn print_outcome(outcome: &Outcome) {
    let mut cases: Vec<_> = outcome.cases.iter().collect();
    cases.sort_by_key(|(_, (_, longest))| std::cmp::Reverse(*longest));
    for (case, (count, longest)) in cases {
        println!("{longest:>10.1?} at most, {count:>5} times: {case}");
    }
}

/// What the plain client saw.
#[derive(Default)]
struct Plain {
    latencies: Vec<Duration>,
    by_target: BTreeMap<String, Vec<Duration>>,
    /// Requests that took longer than [`MAX_P99`]: how long, which, how far into the attack.
    slowest: Vec<(Duration, String)>,
    statuses: BTreeMap<u16, usize>,
}

/// The latency that so large a share of the requests stays below.
fn at(sorted: &[Duration], share: f64) -> Duration {
    let place = (sorted.len() as f64 * share) as usize;
    sorted.get(place.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}

/// Reads one entity and a small list in turns, over one connection, until the attack is over.
fn read(from: SocketAddr, targets: &[String], is_over: &AtomicBool) -> Plain {
    let (mut plain, start) = (Plain::default(), Instant::now());
    let mut connection = None;
    for target in targets.iter().cycle() {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        let begun = Instant::now();
        let opened = connection.take().map_or_else(|| Connection::open(from), Ok);
        let exchanged = opened.and_then(|mut opened| {
            let reply = opened.exchange(&Request::new("GET", target))?;
            Ok((opened, reply))
        });
        let took = begun.elapsed();
        plain.latencies.push(took);
        plain.by_target.entry(target.clone()).or_default().push(took);
        let status = match exchanged {
            Ok((opened, reply)) => {
                connection = (reply.header("connection") != Some("close")).then_some(opened);
                reply.status
            }
            Err(_) => 0,
        };
        *plain.statuses.entry(status).or_default() += 1;
        if took > MAX_P99 {
            let at = begun.duration_since(start);
            plain.slowest.push((took, format!("GET {target}: {status}, {at:.1?} after the beginning")));
        }
        std::thread::sleep(PAUSE);
    }
    plain
}

/// Waits for the commands that were accepted: they are executed to their end, whoever has gone (§4.7). What is wrong if
/// that takes too long.
fn unfinished_commands(stage: &Stage) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let metrics = stage.service.get("/metrics").is(200).text();
        let value = metrics.lines().find_map(|line| line.strip_prefix("restwell_commands_unfinished ")?.parse().ok());
        let unfinished: f64 = value.expect("a gauge of commands");
        if unfinished == 0.0 {
            println!("accepted commands have ended {:.1?} after the attack", begun.elapsed() + QUIET_AFTER);
            return Vec::new();
        }
        if begun.elapsed() > COMMANDS_END {
            return vec![format!("{unfinished} commands still run after {COMMANDS_END:?}")];
        }
        std::thread::sleep(LOOK);
    }
}

/// Requests that still run although their client has gone.
fn left(stage: &Stage) -> Vec<String> {
    let pid = stage.service.pid();
    let before = usage::ticks(pid);
    let statements = stage.database.as_ref().map(usage::statements).unwrap_or_default();
    std::thread::sleep(LOOK);
    let ticks = usage::ticks(pid) - before;
    println!("{QUIET_AFTER:?} after: {ticks} ticks of the processor in {LOOK:?}, statements: {statements:?}");
    let busy = (ticks > IDLE_TICKS).then(|| format!("{ticks} ticks are still used in {LOOK:?}"));
    busy.into_iter().chain(statements.into_iter().map(|statement| format!("still runs: {statement}"))).collect()
}
