//! Projects that tests build in the target folder of this workspace: of what `cargo run` has built there, where their
//! features and profiles are the same.

use std::fs;
use std::path::{Path, PathBuf};

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_owned)
}

/// A dependency, as a line: it makes the features of all others those of this workspace.
#[must_use]
pub fn features_dependency() -> String {
    format!("restwell-features = {{ path = {:?} }}\n", checkout().join("features"))
}

/// A project's manifest with the features and the development profiles of this workspace.
///
/// # Panics
///
/// This workspace has no manifest.
#[must_use]
pub fn sharing_builds(manifest: &str) -> String {
    let workspace = fs::read_to_string(checkout().join("Cargo.toml")).expect("the workspace has a manifest");
    let is_profile = |section: &&str| section.starts_with("profile.");
    let mut text: String = sections(manifest).filter(|section| !is_profile(section)).map(with_bracket).collect();
    text = text.replacen("[dependencies]\n", &format!("[dependencies]\n{}", features_dependency()), 1);
    let profiles = sections(&workspace).filter(|section| section.starts_with("profile.dev")).map(with_bracket);
    text.extend(profiles);
    text
}

/// The sections of a manifest, without their first bracket.
fn sections(manifest: &str) -> impl Iterator<Item = &str> {
    let manifest = manifest.find('[').map_or("", |start| &manifest[start + 1..]);
    manifest.split("\n[")
}

fn with_bracket(section: &str) -> String {
    format!("[{section}\n")
}
