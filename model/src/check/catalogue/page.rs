//! Writes the catalogue as `docs/reference/faults.md`.

use super::{FaultCode, Severity};
use std::fmt::Write;

const HEAD: &str = "# Faults

`restwell check` and the derives report these faults of a description. Diagnostics show the code of the fault. An error
refuses the description, a warning does not. Some faults can be switched off for one name with `allow` and a reason:

```yaml
fields:
  history: { type: array, items: { type: string }, allow: { plural-array: \"one history has many entries\" } }
```

The examples belong to a service with `users: User`, a resource with a field `name`. An example of messages begins with
the name of its file.
";

/// The first line of an example of messages ends with this.
const MESSAGES: &str = ".ftl";

/// The whole page, in Markdown.
#[must_use]
pub fn page() -> String {
    let mut page = HEAD.to_owned();
    for &code in FaultCode::ALL {
        section(&mut page, code);
    }
    page
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
