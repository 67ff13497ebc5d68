//! What a process takes of the machine, and what its database still does for it.

use restwell_testkit::postgres::Database;
use std::fs;

/// What the process may have in memory at any time.
pub(crate) const MAX_MEMORY: u64 = 512 << 20;

/// Bytes that a process has in memory now.
pub(crate) fn memory(pid: u32) -> u64 {
    status(pid, "VmRSS:")
}

/// The most that it has had in memory since [`forget_peak`].
pub(crate) fn peak(pid: u32) -> u64 {
    status(pid, "VmHWM:")
}

/// Resets the measurement of the peak.
pub(crate) fn forget_peak(pid: u32) {
    // see proc(5), clear_refs; where the system does not let one, the peak is that of the whole run
    let _ = fs::write(format!("/proc/{pid}/clear_refs"), "5");
}

fn status(pid: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs, on Linux");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a line that there always is");
    let kib: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number of KiB");
    kib << 10
}

/// The processor time that it has used, in ticks: hundredths of a second.
pub(crate) fn ticks(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process runs, on Linux");
    // the name may have anything in it; after it, utime and stime are the 12th and the 13th
    let after = stat.rsplit(')').next().unwrap_or_default();
    after.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("a number")).sum()
}

/// What the database still does for the service.
pub(crate) fn statements(database: &Database) -> Vec<String> {
    database.session().texts(
        "SELECT state, left(query, 200) FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' \
         AND state <> 'idle'",
    )
}
