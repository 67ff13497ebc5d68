//! The table of error codes in `docs/reference/error-codes.md`: the catalogue of the model, nothing else.

use crate::is_update;
use crate::page::Page;
use libtest_mimic::Failed;
use restwell_model::ErrorCode;
use std::fmt::Write;

const BEGIN: &str = "<!-- the error codes: made by `RESTWELL_UPDATE=1 cargo test -p restwell-tests --test docs` -->\n";
const END: &str = "<!-- end of the error codes -->";

/// Compares the table with the catalogue.
pub(crate) fn check(page: &mut Page) -> Result<(), Failed> {
    let (before, rest) = page.text.split_once(BEGIN).ok_or("the page has no table of codes")?;
    let (found, after) = rest.split_once(END).ok_or("the table of codes has no end")?;
    let expected = table();
    if found == expected {
        return Ok(());
    }
    if is_update() {
        page.write(format!("{before}{BEGIN}{expected}{END}{after}"));
        return Ok(());
    }
    Err("the table of codes is stale; RESTWELL_UPDATE=1 cargo test -p restwell-tests --test docs".into())
}

fn table() -> String {
    let mut table = String::from("\n| `code` | status | meaning |\n|---|---|---|\n");
    for code in ErrorCode::ALL {
        // writing to a String cannot fail
        let _ = writeln!(table, "| `{}` | {} | {} |", code.name(), code.status(), code.description());
    }
    table + "\n"
}
