//! The catalogue as a page for people: `docs/faults.md`.

use super::{FaultCode, Severity};
use std::fmt::Write;

const HEAD: &str = "# Faults

What `restwell check` and the derives say about a description that is not right. Each fault has a code, by which
diagnostics show it. An error refuses the description, a warning does not. Where a fault says so, it can be switched
off for one name, with a reason:

```yaml
fields:
  history: { type: array, items: { type: string }, allow: { plural-array: \"one history has many entries\" } }
```

The examples stand beside a service whose `users` is a resource `User` with a `name`. A file of messages has its name above
it.
";

/// What an example begins with that shows messages.
const MESSAGES: &str = "# messages/";

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
    let exemption = if code.allowable() { ", may be switched off by `allow`" } else { "" };
    let language = if code.wrong().starts_with(MESSAGES) { "ftl" } else { "yaml" };
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
