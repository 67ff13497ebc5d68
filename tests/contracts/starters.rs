//! The Dockerfile, the workflow and the compose file that `restwell new` writes, before linters and schemas of others.
//! Each gate must also find a mistake.

use super::Check;
use super::documents::folder;
use restwell_generator::project::{Library, schema_files};
use restwell_testkit::tools::{Tools, run};
use std::fs;
use std::path::Path;

/// A file of a new project, the tool that checks it, and a mistake that the tool must find.
struct Starter {
    file: &'static str,
    tool: &'static str,
    arguments: &'static [&'static str],
    mistake: (&'static str, &'static str),
}

const STARTERS: [Starter; 3] = [
    Starter {
        file: "Dockerfile",
        tool: "hadolint",
        arguments: &["--failure-threshold", "style"],
        mistake: ("WORKDIR /build", "WORKDIR build"),
    },
    Starter {
        file: ".github/workflows/ci.yml",
        tool: "check-jsonschema",
        arguments: &["--builtin-schema", "vendor.github-workflows"],
        mistake: ("runs-on:", "run-on:"),
    },
    Starter {
        file: "compose.yaml",
        tool: "check-jsonschema",
        arguments: &["--builtin-schema", "vendor.compose-spec"],
        mistake: ("depends_on:", "depend_on:"),
    },
];

/// Projects that build against the published library, and against a checkout.
const PROJECTS: [(&str, bool); 2] = [("published", false), ("checkout", true)];

pub(crate) fn checks() -> Vec<Check> {
    let check = |starter: &'static Starter, (name, has_checkout): (&'static str, bool)| -> Check {
        let check = move |tools: &Tools| {
            let folder = folder()?;
            let library =
                if has_checkout { Library::Folder("/restwell/runtime".to_owned()) } else { Library::Registry };
            let text = starter.text(&library)?;
            starter.check(tools, folder.path(), &text)?;
            match starter.check(tools, folder.path(), &starter.spoilt(&text)?) {
                Err(_) => Ok(()),
                Ok(()) => Err(format!("{} does not find {:?}", starter.tool, starter.mistake.1)),
            }
        };
        (format!("new project, {name}: {}::{}", starter.file, starter.tool), Box::new(check))
    };
    STARTERS.iter().flat_map(|starter| PROJECTS.map(|project| check(starter, project))).collect()
}

impl Starter {
    /// What `restwell new` writes.
    fn text(&self, library: &Library) -> Result<String, String> {
        let files = schema_files("corner-shop", library).map_err(|error| error.to_string())?;
        let file = files.into_iter().find(|file| file.path == self.file);
        file.map(|file| file.text).ok_or_else(|| format!("a new project has no {}", self.file))
    }

    fn check(&self, tools: &Tools, folder: &Path, text: &str) -> Result<(), String> {
        let name = self.file.rsplit('/').next().unwrap_or(self.file);
        fs::write(folder.join(name), text).map_err(|error| error.to_string())?;
        run(folder, tools.python(self.tool), self.arguments.iter().copied().chain([name]), &[]).map(drop)
    }

    /// The text with the mistake.
    fn spoilt(&self, text: &str) -> Result<String, String> {
        let (right, wrong) = self.mistake;
        let spoilt = text.replacen(right, wrong, 1);
        if spoilt == text { Err(format!("{} has no {right:?}", self.file)) } else { Ok(spoilt) }
    }
}
