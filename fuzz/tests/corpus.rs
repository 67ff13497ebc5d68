//! The kept inputs of the fuzzers, each read again: what was ever found stays found.

use libtest_mimic::{Arguments, Failed, Trial};
use restwell_fuzz::{TARGETS, Target};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

fn main() {
    let trials = TARGETS.iter().map(|target| Trial::test(target.name, move || replay(target))).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn replay(target: &'static Target) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
    let paths = std::fs::read_dir(&folder)?.map(|entry| Ok(entry?.path()));
    let paths: Vec<PathBuf> = paths.collect::<std::io::Result<_>>()?;
    if paths.is_empty() {
        return Err(format!("{} is empty", folder.display()).into());
    }
    for path in paths {
        let data = std::fs::read(&path)?;
        if data.len() > target.max_bytes {
            return Err(format!("{} is never tried: it is too long", path.display()).into());
        }
        catch_unwind(|| target.run(&data)).map_err(|_| format!("{}", path.display()))?;
    }
    Ok(())
}
