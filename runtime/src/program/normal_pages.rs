//! Memory in pages of the normal size while a service starts.
//!
//! The allocator asks the system for huge pages, with which a service under load needs some percent less time. But at
//! the start each thread begins pages that it then hardly fills, and with huge ones an idle service takes twice the
//! memory. So they are for what is allocated later.

/// While it exists, the process gets no huge pages. Call it once, at the start.
pub(super) struct NormalPages(());

impl NormalPages {
    pub(super) fn begin() -> Self {
        allow_huge_pages(false);
        Self(())
    }
}

impl Drop for NormalPages {
    fn drop(&mut self) {
        allow_huge_pages(true);
    }
}

/// Where the system has no such pages, or does not let a process choose, all stays as it is.
fn allow_huge_pages(allow: bool) {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(!allow);
    #[cfg(not(target_os = "linux"))]
    let _ = allow;
}
