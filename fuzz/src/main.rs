//! The program that fuzzes: libFuzzer's, with the target that the environment names. `.ci/fuzz` builds and runs it.

#![no_main]
#![allow(unsafe_code, reason = "libFuzzer calls an unmangled function, which counts as unsafe")]

use libfuzzer_sys::fuzz_target;
use restwell_fuzz::Target;
use std::sync::LazyLock;

/// The variable that names the target: one program serves all, for linking one takes longer than most runs of CI.
const VARIABLE: &str = "RESTWELL_FUZZ";

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var(VARIABLE).unwrap_or_default();
    Target::find(&name).unwrap_or_else(|| panic!("{VARIABLE}={name} names no target"))
});

fuzz_target!(|data: &[u8]| {
    TARGET.run(data);
});
