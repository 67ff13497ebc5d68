//! Projects that tests build in the target folder of this workspace: of what `cargo run` has built there, the libraries
//! of this workspace included.
//!
//! Cargo takes two builds of a crate for the same if features and profiles are, and for one that is a folder, if that
//! lies at the same place of its workspace. So the folder above such a project becomes a workspace like this one, with
//! links to its libraries, and the project a member.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The libraries that projects are built of, and what these are tested with: cargo reads all their manifests.
pub const LIBRARIES: [&str; 6] = ["features", "generator", "macros", "model", "runtime", "testkit"];
/// What makes the features of all others those of this workspace.
const FEATURES: &str = "[dependencies]\nrestwell-features = { path = \"../features\" }\n";

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_owned)
}

/// Makes the folder above the project a workspace like this one, and the project its member.
///
/// # Errors
///
/// Something cannot be read or written.
///
/// # Panics
///
/// The project is not in a folder, or has no name.
pub fn share_builds(project: &Path) -> io::Result<()> {
    share_builds_of(&[project])
}

/// The same for several projects in one folder.
///
/// # Errors
///
/// Something cannot be read or written.
///
/// # Panics
///
/// A project is not in a folder, or has no name.
pub fn share_builds_of(projects: &[impl AsRef<Path>]) -> io::Result<()> {
    let Some(first) = projects.first() else { return Ok(()) };
    let folder = first.as_ref().parent().expect("it is in a folder");
    let workspace = fs::read_to_string(checkout().join("Cargo.toml"))?;
    let names =
        projects.iter().map(|project| project.as_ref().file_name().expect("it has a name").display().to_string());
    let member = format!("members = {:?}\n", names.collect::<Vec<_>>());
    let lines = workspace.lines().map(|line| match line.split_once(" = ") {
        Some(("members", _)) => member.clone(),
        Some(("default-members", _)) => format!("default-{member}"),
        _ => format!("{line}\n"),
    });
    let mut text = lines.collect::<String>();
    for project in projects {
        let manifest = project.as_ref().join("Cargo.toml");
        let member = as_member(&fs::read_to_string(&manifest)?);
        // its programs need no names of functions, which are half of each
        let package = member.lines().find_map(|line| line.strip_prefix("name = ")).expect("a package has a name");
        text += &format!("\n[profile.dev.package.{package}]\nstrip = \"symbols\"\n");
        fs::write(manifest, member)?;
    }
    fs::write(folder.join("Cargo.toml"), text)?;
    fs::copy(checkout().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    for library in LIBRARIES {
        link(&checkout().join(library), &folder.join(library))?;
    }
    Ok(())
}

/// A project's manifest without what only that of a workspace has, and with the libraries beside it.
fn as_member(manifest: &str) -> String {
    let manifest = manifest.replace(&format!("{}/", checkout().display()), "../");
    let manifest = match manifest.contains(FEATURES) {
        // a copy of a member
        true => manifest,
        false => manifest.replacen("[dependencies]\n", FEATURES, 1),
    };
    let of_workspace = |section: &str| section.starts_with("profile.") || section.starts_with("workspace]");
    let sections = manifest.split("\n[").filter(|section| !of_workspace(section));
    sections.collect::<Vec<_>>().join("\n[")
}

#[cfg(unix)]
fn link(folder: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(folder, link)
}

#[cfg(windows)]
fn link(folder: &Path, link: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_dir(folder, link)
}
