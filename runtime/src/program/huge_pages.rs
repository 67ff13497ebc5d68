//! No huge pages of memory.
//!
//! On some systems each process gets them by itself. Each thread begins some and hardly fills them: an idle service
//! then takes half as much memory again. Requests were not measurably faster with them. The allocator does not ask for
//! them.

/// Refuses them for the process. Call it once, at the start. Where the system has none, or does not let a process
/// choose, all stays as it is.
pub(super) fn refuse() {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}
