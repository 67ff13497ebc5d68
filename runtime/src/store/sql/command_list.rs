//! A page of the commands that an entity was sent.

use super::commands::{COLUMNS, record, stored_names};
use super::{Session, SqlFailure, row};
use crate::plan::Plans;
use crate::plan::cell::CellRef;
use crate::plan::command_list::COMMAND_ROWS;
use crate::plan::render::MAX_PAGE_BYTES;
use crate::store::{CommandPage, CommandQuery, StoreError};

/// Reads a page. Its size is read first, so that a page past the bound is not read at all.
pub(in crate::store) async fn page(
    session: &impl Session,
    plans: &Plans,
    list: &CommandQuery,
) -> Result<CommandPage, SqlFailure> {
    let (query, table) = (&list.query, &plans.command_list.table);
    let (resources, commands) = stored_names(plans, list.of);
    let mut rows = format!("FROM {COMMAND_ROWS}");
    query.conditions(table, &mut rows);
    let mut values = vec![CellRef::Uuid(list.entity)];
    let names = [commands.both(), resources.both()].into_iter().flatten();
    values.extend(names.map(|name| CellRef::Text(name.as_bytes())));
    values.push(CellRef::Int(list.kept_since));
    values.extend(query.values().map(|value| value.borrow()));
    let total = format!("SELECT count(*) {rows}");
    let counted = values.clone();
    let mut of_page = rows.clone();
    query.write_order(&query.order(), table, &mut of_page);
    of_page.push_str(" LIMIT ? OFFSET ?");
    values.extend([CellRef::Int(query.limit.into()), CellRef::Int(query.offset.into())]);
    let sizes = format!(
        "SELECT CAST(octet_length(\"input\") + coalesce(octet_length(\"output\"), 0) + \
         coalesce(octet_length(\"errors\"), 0) AS bigint) {of_page}"
    );
    let mut bytes = 0;
    for (fits, row) in session.rows(&sizes, &values).await?.iter().enumerate() {
        bytes += row.first().and_then(|cell| cell.borrow().int()).unwrap_or_default();
        if bytes > MAX_PAGE_BYTES as i64 {
            return Err(StoreError::PageTooLarge { max_bytes: MAX_PAGE_BYTES, fits }.into());
        }
    }
    let found = session.rows(&format!("SELECT {COLUMNS} {of_page}"), &values).await?;
    let on_page = u32::try_from(found.len()).unwrap_or(u32::MAX);
    let count = match (plans.resources[list.of.resource].count, query.total(on_page)) {
        (false, _) => None,
        (true, Some(total)) => Some(total),
        (true, None) => {
            let counted = row(session, &total, &counted).await?;
            counted.and_then(|row| row.first()?.borrow().int()).and_then(|count| u64::try_from(count).ok())
        }
    };
    Ok(CommandPage { records: found.into_iter().filter_map(|row| record(row, plans)).collect(), count })
}
