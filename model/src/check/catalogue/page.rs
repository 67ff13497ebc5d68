//! Writes the catalogue as the pages of `docs/reference/faults/`: an index, and a page for each table.

use super::{FaultCode, Severity};
use std::fmt::Write;

const INDEX: &str = "README.md";

const HEAD: &str = "# Faults

`restwell check` and the derives report these faults of a description. Find the code of your diagnostic here: its page
says why it is a fault, with an example and the cure.

```text
error[unknown-key]: a field of type `string` has no key `maxLenght`
```

An error refuses the description, a warning does not. Some faults can be switched off for one name with `allow` and a
reason:

```yaml
fields:
  history: { type: array, items: { type: string }, allow: { plural-array: \"one history has many entries\" } }
```

The examples on the pages belong to a service with `users: User`, a resource with a field `name`. An example of messages
begins with the name of its file.
";

/// The first line of an example of messages ends with this.
const MESSAGES: &str = ".ftl";

/// The faults of one table, which share a page.
struct Group {
    table: &'static str,
    title: &'static str,
    /// What the faults are about, to complete "This page explains the faults of".
    about: &'static str,
}

const GROUPS: [Group; 12] = [
    Group { table: "documents", title: "Documents", about: "YAML documents and attributes of derives" },
    Group { table: "names", title: "Names", about: "the names of resources, fields, commands and paths" },
    Group { table: "fields", title: "Fields", about: "fields, their types, limits and keys" },
    Group {
        table: "references",
        title: "References",
        about: "what names other definitions, and what a database can hold",
    },
    Group { table: "access", title: "Access", about: "users, owners and access" },
    Group {
        table: "conditions",
        title: "Conditions",
        about: "conditions and roles: who sees what, and what may happen",
    },
    Group { table: "versions", title: "Versions and views", about: "versions, views and paths" },
    Group {
        table: "operations",
        title: "Searches and commands",
        about: "searches, combinations of fields, and commands",
    },
    Group { table: "rules", title: "Rules", about: "rules, lifecycles, computed fields and keys with conditions" },
    Group { table: "messages", title: "Messages", about: "messages for users" },
    Group { table: "data_loss", title: "Data loss", about: "changes that lose stored data" },
    Group { table: "exemptions", title: "Exemptions", about: "rules that `allow` switches off" },
];

impl Group {
    fn file(&self) -> String {
        format!("{}.md", self.table.replace('_', "-"))
    }

    fn codes(&self) -> impl Iterator<Item = FaultCode> {
        FaultCode::ALL.iter().copied().filter(|code| code.table() == self.table)
    }

    fn text(&self) -> String {
        let Self { title, about, .. } = self;
        let mut page = format!(
            "# Faults: {title}\n\nThis page explains the faults of {about}. [Faults]({INDEX}) lists all codes.\n"
        );
        for code in self.codes() {
            section(&mut page, code);
        }
        page
    }
}

/// A page of faults.
#[derive(Debug)]
pub struct FaultPage {
    /// The name of its file in `docs/reference/faults/`.
    pub file: String,
    /// Its text, in Markdown.
    pub text: String,
}

/// All pages: the index, then one for each table.
#[must_use]
pub fn pages() -> Vec<FaultPage> {
    let mut index = HEAD.to_owned();
    for group in &GROUPS {
        let file = group.file();
        // writing to a String cannot fail
        let _ = write!(index, "\n## {}\n\n| code | what is wrong |\n|---|---|\n", group.title);
        for code in group.codes() {
            let _ = writeln!(index, "| [`{code}`]({file}#{code}) | {} |", code.title().replace('|', "\\|"));
        }
    }
    let groups = GROUPS.iter().map(|group| FaultPage { file: group.file(), text: group.text() });
    [FaultPage { file: INDEX.to_owned(), text: index }].into_iter().chain(groups).collect()
}

fn section(page: &mut String, code: FaultCode) {
    let severity = match code.severity() {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
    };
    let exemption = if code.allowable() { "; `allow` can switch it off" } else { "" };
    let is_messages = code.wrong().lines().next().is_some_and(|line| line.ends_with(MESSAGES));
    let language = if is_messages { "ftl" } else { "yaml" };
    // writing to a String cannot fail
    let _ = write!(
        page,
        "\n## {code}\n\n{severity}{exemption}. {}.\n\n{}\n\n```{language}\n# wrong\n{}```\n\n```{language}\n# right\n{}```\n",
        code.title(),
        code.explanation(),
        code.wrong(),
        code.right(),
    );
}
