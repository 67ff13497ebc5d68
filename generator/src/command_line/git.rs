//! Reads the schemas of a git revision, without touching the files of the checkout.

use super::Failure;
use super::files::is_schema;
use crate::source::File;
use std::path::Path;
use std::process::Command;

/// The schemas of a folder as they were in a revision, sorted by path.
pub(super) fn read_schemas(revision: &str, dir: &Path) -> Result<Vec<File>, Failure> {
    let commit = git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}")])
        .map_err(|problem| Failure::Other(unknown(revision, &problem)))?;
    let commit = String::from_utf8_lossy(&commit).trim().to_owned();
    let folder = dir.to_string_lossy();
    let listed = git(&["ls-tree", "-r", "-z", "--name-only", &commit, "--", &format!("{folder}/")]);
    let listed = listed.map_err(Failure::Other)?;
    let listed = String::from_utf8_lossy(&listed);
    let paths: Vec<_> = listed.split('\0').filter(|path| is_schema(path) && !is_hidden(path)).collect();
    if paths.is_empty() {
        return Err(Failure::Other(format!(
            "the revision `{revision}` has no schemas in `{folder}`: name the folder with --schemas"
        )));
    }
    let read = |path: &&str| {
        let bytes = git(&["show", &format!("{commit}:./{path}")]).map_err(Failure::Other)?;
        Ok(File { path: format!("{revision}:{path}"), origin: (*path).to_owned(), bytes })
    };
    paths.iter().map(read).collect()
}

fn unknown(revision: &str, problem: &str) -> String {
    let forms = "name a folder with schemas, a file with a model, or a git revision";
    let problem = if problem.is_empty() { String::new() } else { format!(" ({problem})") };
    format!("`{revision}` does not exist{problem}: {forms}")
}

fn is_hidden(path: &str) -> bool {
    path.split('/').any(|part| part.starts_with('.') && part != "." && part != "..")
}

/// The output of a git command, or what it reports.
fn git(arguments: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new("git").args(arguments).output().map_err(|error| format!("cannot run git: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
}
