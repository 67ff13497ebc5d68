//! The hand-written root of a crate, `src/lib.rs`, where a project gets its first command or loses its last one: the
//! generated `service` then takes handlers, or none any more.
//!
//! A root that is still what the generator wrote is replaced. In one that people have changed, the lines to change
//! are printed.

use super::report::Report;
use super::{Failure, files};
use crate::emit::COMMANDS_FOLDER;
use crate::project::{self, Library, Starter};
use restwell_model::Checked;
use std::path::Path;

/// The roots of a crate, the first that is there being the one with the service.
const ROOTS: [&str; 2] = ["src/lib.rs", "src/main.rs"];

/// Makes the root pass handlers to the generated `service`, or none, or says how.
pub(super) fn follow(out: &Path, service: &Checked, has_commands: bool, report: &Report) -> Result<(), Failure> {
    let Some(path) = ROOTS.into_iter().find(|root| out.join(root).exists()) else { return Ok(()) };
    let text = read(out, path)?;
    if passes_handlers(&text) == has_commands || !text.contains("generated") {
        return Ok(());
    }
    let root = |has_commands| -> Result<Option<Starter>, Failure> {
        let files = project::crate_files(service, &Library::Registry, None, has_commands);
        let files = files.map_err(|error| Failure::Other(error.to_string()))?;
        Ok(files.into_iter().find(|starter| starter.path == path))
    };
    if let (Some(before), Some(now)) = (root(!has_commands)?, root(has_commands)?)
        && same(&before.text, &text)
        && before.text != now.text
    {
        files::write_all(out, [(now.path.as_str(), with_first_line(&text, &now.text).as_str())])?;
        let what = if has_commands {
            "passes the handlers of commands now"
        } else {
            "passes no handlers any more; src/commands/ is not compiled"
        };
        report.done(&format!("{}: {what}", out.join(path).display()));
        return Ok(());
    }
    let path = out.join(path);
    if has_commands {
        report.to_do(&format!(
            "{}: the service has commands now; add the line\n    pub mod commands;\nand change the call of the generated \
             service to\n    generated::service(commands::Commands::default())",
            path.display()
        ));
    } else {
        report.to_do(&format!(
            "{}: the service has no commands any more; remove the line\n    pub mod commands;\nand change the call of the \
             generated service to\n    generated::service()",
            path.display()
        ));
    }
    Ok(())
}

/// Brings the module of the handlers up to the resources that have commands now: it is replaced if people have not
/// changed it, else the lines to change are printed. `now` is its text for these resources.
pub(super) fn follow_modules(out: &Path, now: &Starter, service: &Checked, report: &Report) -> Result<(), Failure> {
    let text = read(out, &now.path)?;
    let (present, wanted) = (modules(&text), modules(&now.text));
    if present == wanted {
        return Ok(());
    }
    let title = service.title.as_deref().unwrap_or(&service.name);
    let before = crate::emit::commands_root(title, &present).map_err(|error| Failure::Other(error.to_string()))?;
    let gone: Vec<_> = present.iter().filter(|module| !wanted.contains(module)).collect();
    let new: Vec<_> = wanted.iter().filter(|module| !present.contains(module)).collect();
    if same(&before, &text) {
        files::write_all(out, [(now.path.as_str(), with_first_line(&text, &now.text).as_str())])?;
    } else {
        let path = out.join(&now.path);
        new.iter().for_each(|module| report.to_do(&format!("{}: add `mod {module};`", path.display())));
        // a module of people's own is none of the generator's business
        let stale = gone.iter().filter(|module| is_handler_file(out, module));
        stale.for_each(|module| report.to_do(&format!("{}: remove `mod {module};`", path.display())));
    }
    for module in gone.iter().filter(|module| is_handler_file(out, module)) {
        let path = out.join(format!("{COMMANDS_FOLDER}/{}.rs", module.trim_start_matches("r#")));
        report.to_do(&format!("{}: its resource has no commands any more; delete the file", path.display()));
    }
    Ok(())
}

/// The modules that a file declares.
fn modules(text: &str) -> Vec<String> {
    let declared = text.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    declared.map(str::to_owned).collect()
}

fn is_handler_file(out: &Path, module: &str) -> bool {
    let path = out.join(format!("{COMMANDS_FOLDER}/{}.rs", module.trim_start_matches("r#")));
    files::read_text(&path).is_ok_and(|text| text.contains("#[handlers]"))
}

fn passes_handlers(text: &str) -> bool {
    text.contains("commands::Commands") || text.contains("mod commands;")
}

fn read(out: &Path, path: &str) -> Result<String, Failure> {
    let path = out.join(path);
    files::read_text(&path)
}

/// Whether a file is as the generator wrote it, but for the first line, which has the title of the service. Version
/// control may change line ends.
fn same(written: &str, present: &str) -> bool {
    let present = present.replace("\r\n", "\n");
    let rest =
        |text: &str| text.split_once('\n').filter(|(first, _)| first.starts_with("//!")).map(|it| it.1.to_owned());
    rest(written).is_some() && rest(written) == rest(&present)
}

/// A new text with the first line of the present one.
fn with_first_line(present: &str, text: &str) -> String {
    let first = present.lines().next().unwrap_or_default();
    text.split_once('\n').map_or_else(|| text.to_owned(), |(_, rest)| format!("{first}\n{rest}"))
}
