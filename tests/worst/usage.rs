//! What a process takes of the machine, and what its database still does for it.

use restwell_testkit::postgres::Database;
use std::fs;

/// What the process may have in memory at any time.
pub(crate) const MAX_MEMORY: u64 = 512 << 20;

/// What single requests cost: the most of each since the beginning, in ticks with those of the database, and in bytes that
/// the process took more than it had before.
pub(crate) struct Meter<'a> {
    pid: u32,
    database: Option<&'a Database>,
    before: (u64, u64),
    pub(crate) ticks: u64,
    pub(crate) growth: u64,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(pid: u32, database: Option<&'a Database>) -> Self {
        let mut meter = Self { pid, database, before: (0, 0), ticks: 0, growth: 0 };
        meter.begin();
        meter
    }

    fn begin(&mut self) {
        forget_peak(self.pid);
        self.before = (self.now(), memory(self.pid));
    }

    fn now(&self) -> u64 {
        ticks(self.pid) + self.database.map_or(0, database_ticks)
    }

    /// A request has ended, and another begins.
    pub(crate) fn next(&mut self) {
        self.ticks = self.ticks.max(self.now().saturating_sub(self.before.0));
        self.growth = self.growth.max(peak(self.pid).saturating_sub(self.before.1));
        self.begin();
    }
}

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

/// The processor time that the processes of the database which serve it have used, in ticks.
pub(crate) fn database_ticks(database: &Database) -> u64 {
    let processes = database
        .session()
        .texts("SELECT pid::text FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()");
    let running = processes.iter().filter_map(|pid| pid.parse().ok());
    // one may have ended meanwhile
    running.filter(|pid| fs::exists(format!("/proc/{pid}/stat")).unwrap_or_default()).map(ticks).sum()
}
