//! The number of indexes: each makes one kind of query fast and every write slower.

use crate::check::Fault;
use crate::check::FaultCode::ManyIndexes;
use crate::check::place::Place;
use crate::resource::Resource;
use crate::tables::Table;

/// Indexes of a resource at which creating costs the database thirty times what it costs without any, and eight times
/// what it costs with five (`docs/performance.md`).
const MANY: usize = 40;

/// Resources that every write of is slow. Wants columns that there are names for.
pub(super) fn many(tables: &[(&Resource, Table)], faults: &mut Vec<Fault>) {
    for (resource, table) in tables {
        let indexes = table.indexes.len() + table.uniques.len();
        if indexes > MANY {
            let message =
                format!("`{}` has {indexes} indexes, and every creation writes to all of them", resource.name);
            let fault = Place::Definition(&resource.name).name_fault(ManyIndexes, message);
            faults.push(fault.help("remove `filter` and `sort` from fields that clients do not need them for"));
        }
    }
}
