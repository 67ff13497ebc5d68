//! Every worst case at some of its sites, one after the other: what CI runs.

use crate::cases::{Round, rounds};
use crate::stage::Stage;
use crate::usage::{MAX_MEMORY, Meter};
use crate::{Start, is_chosen, usage, wire};
use libtest_mimic::Failed;
use restwell_testkit::postgres::Server;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

/// Rows of what is searched, in CI.
const ROWS: usize = 2_000;
/// What one request may take of the processor, in ticks, with that of the database, and of memory.
const MAX_TICKS: u64 = 500;
const MAX_GROWTH: u64 = 64 << 20;
/// Cases that are printed: those that took longest.
const TOLD: usize = 12;

/// What all cases together may add to a counter of `/metrics`, by the beginning of its line. One that the service does
/// not have fails the test: its name has changed.
const COUNTED: &[(&str, f64)] = &[
    // a change or none for each request, and two for a command
    ("restwell_store_writes_total", 4_000.0),
    // a page for some hundred events, and what decides on a page in a few reads
    ("restwell_event_reads_total", 200.0),
    ("restwell_events_read_total", 20_000.0),
];

/// Sends all cases. `rows`: the number of rows with which single requests are judged; else there are few, as in CI.
pub(crate) fn run(start: Start, server: Option<&Server>, rows: Option<usize>) -> Result<(), Failed> {
    let begun = Instant::now();
    let stage = start(server, rows.unwrap_or(ROWS));
    println!("filled in {:.1?}", begun.elapsed());
    let faults = send_all(&stage, rows.is_some());
    stage.end(faults)
}

/// Sends all cases; what is wrong with what came of them.
fn send_all(stage: &Stage, is_judged: bool) -> Vec<String> {
    let (values, pid) = (stage.values(), stage.service.pid());
    let sites = stage.sites(&values);
    let rounds = rounds(&sites, &stage.token);
    let chosen: Vec<_> = rounds.iter().filter(|round| is_chosen(round.case, &round.site)).collect();
    let chosen = spread(&chosen, stage.sites_of_a_case);
    let (begun, before, counted) = (Instant::now(), usage::memory(pid), counters(stage));
    let (mut costs, mut statuses, mut faults) = (Vec::new(), BTreeMap::<u16, usize>::new(), Vec::new());
    for round in &chosen {
        let begun = Instant::now();
        let mut meter = is_judged.then(|| Meter::new(pid, stage.database.as_ref()));
        match send(stage, round, &mut meter) {
            Ok(all) => all.into_iter().for_each(|status| *statuses.entry(status).or_default() += 1),
            Err(fault) => faults.push(format!("{}, {}: {fault}", round.case, round.site)),
        }
        let [ticks, growth] = meter.map_or([0, 0], |meter| [meter.ticks, meter.growth]);
        if ticks > MAX_TICKS || growth > MAX_GROWTH {
            faults.push(format!("{}, {}: {ticks} ticks, {} MiB", round.case, round.site, growth >> 20));
        }
        costs.push(Cost { took: begun.elapsed(), ticks, growth, round });
    }
    println!("{} cases in {:.1?}: {statuses:?}", chosen.len(), begun.elapsed());
    print_most(&mut costs, |cost| cost.took.as_millis() as u64);
    if is_judged {
        print_most(&mut costs, |cost| cost.ticks);
        print_most(&mut costs, |cost| cost.growth);
        return faults;
    }
    let (after, peak) = (usage::memory(pid), usage::peak(pid));
    println!("{} MiB before, {} MiB after, {} MiB at most", before >> 20, after >> 20, peak >> 20);
    faults.extend((peak > MAX_MEMORY).then(|| format!("{} MiB of memory", peak >> 20)));
    faults.extend(exceeded(&counted, &counters(stage)));
    faults
}

/// Some sites of each case, other ones of the next.
fn spread<'a>(rounds: &[&'a Round<'a>], sites: usize) -> Vec<&'a Round<'a>> {
    let mut chosen = Vec::new();
    for (index, all) in rounds.chunk_by(|one, other| one.case == other.case).enumerate() {
        let count = all.len().min(sites);
        chosen.extend((0..count).map(|number| all[(number * all.len() / count + index) % all.len()]));
    }
    chosen
}

/// Sends a round; the statuses, none of which may be a failure.
fn send(stage: &Stage, round: &Round<'_>, meter: &mut Option<Meter<'_>>) -> Result<Vec<u16>, String> {
    let from = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
    let measure = || meter.iter_mut().for_each(Meter::next);
    let answers = wire::fire(from, stage.address(), &round.shots(), measure).map_err(|error| error.to_string())?;
    let failed = answers.iter().find(|answer| answer.status >= 500 && answer.status != 503);
    match failed {
        Some(answer) => Err(format!("{} {}", answer.status, String::from_utf8_lossy(&answer.body))),
        None => Ok(answers.iter().map(|answer| answer.status).collect()),
    }
}

/// What a round cost: the time of all its requests, and the most that one of them took of the rest.
struct Cost<'a> {
    took: Duration,
    ticks: u64,
    growth: u64,
    round: &'a Round<'a>,
}

/// The rounds that have most of something.
fn print_most(costs: &mut [Cost<'_>], of: impl Fn(&Cost<'_>) -> u64) {
    costs.sort_by_key(|cost| std::cmp::Reverse(of(cost)));
    for Cost { took, ticks, growth, round } in costs.iter().take(TOLD) {
        println!("{took:>10.1?} {ticks:>4} ticks {:>4} MiB  {}, {}", growth >> 20, round.case, round.site);
    }
    println!();
}

/// What is counted, by the beginning of its line; several lines of one name are added up.
fn counters(stage: &Stage) -> BTreeMap<&'static str, Option<f64>> {
    let page = stage.service.get("/metrics").is(200).text();
    let value = |name: &str| {
        let lines = page.lines().filter(|line| line.starts_with(name));
        lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).reduce(|one, other| one + other)
    };
    COUNTED.iter().map(|&(name, _)| (name, value(name))).collect()
}

/// The counters that went further than they may.
fn exceeded(before: &BTreeMap<&str, Option<f64>>, after: &BTreeMap<&str, Option<f64>>) -> Vec<String> {
    let exceeded = COUNTED.iter().filter_map(|(name, most)| match (before[name], after[name]) {
        (Some(before), Some(after)) if after - before <= *most => {
            println!("{name}: {} of {most}", after - before);
            None
        }
        (before, after) => Some(format!("{name}: from {before:?} to {after:?}, more than {most}, or not there")),
    });
    exceeded.collect()
}
