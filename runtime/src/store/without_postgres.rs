//! In place of `postgres`, where the program is built without the feature of that name: its databases are refused.

use super::dump::{RefusedRows, Summary};
use super::{CommandOrder, Erasure, ErasureRequest, Sqlite, StoreOptions, StoredCommand};
use crate::built_without::built_without;
use crate::migrations::{DatabaseState, MigrationTarget};
use crate::observe::metrics::StoreMetrics;
use crate::plan::Plans;
use std::convert::Infallible;
use std::fmt;
use std::io::{BufRead, Write};
use std::sync::Arc;

/// Where a database is: there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PostgresLocation(Infallible);

impl PostgresLocation {
    pub(crate) fn parse(_: &str) -> Result<Self, String> {
        Err(built_without("postgres://", "postgres"))
    }
}

impl fmt::Display for PostgresLocation {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {}
    }
}

/// What is done with such a database: nothing, for want of a location.
pub(crate) struct Postgres;

impl Postgres {
    #[expect(clippy::needless_pass_by_value, reason = "called like the real one")]
    pub(crate) fn open(
        location: PostgresLocation,
        _: &MigrationTarget<'_>,
        _: impl FnOnce() -> Arc<Plans>,
        _: StoreMetrics,
        _: StoreOptions,
        _: usize,
    ) -> Result<Sqlite, String> {
        match location.0 {}
    }

    pub(crate) fn find(location: &PostgresLocation, _: &MigrationTarget<'_>) -> Result<DatabaseState, String> {
        match location.0 {}
    }

    pub(crate) fn prepare(location: &PostgresLocation, _: &MigrationTarget<'_>) -> Result<(), String> {
        match location.0 {}
    }

    pub(crate) fn export(
        location: &PostgresLocation,
        _: &MigrationTarget<'_>,
        _: &mut impl Write,
    ) -> Result<Summary, String> {
        match location.0 {}
    }

    pub(crate) fn import(
        location: &PostgresLocation,
        _: &MigrationTarget<'_>,
        _: (&mut impl BufRead, RefusedRows),
    ) -> Result<Summary, String> {
        match location.0 {}
    }

    pub(crate) fn erase(
        location: &PostgresLocation,
        _: &MigrationTarget<'_>,
        _: &Plans,
        _: &ErasureRequest,
    ) -> Result<Erasure, String> {
        match location.0 {}
    }

    pub(crate) fn order(
        location: &PostgresLocation,
        _: &MigrationTarget<'_>,
        _: &Plans,
        _: &CommandOrder,
    ) -> Result<Vec<StoredCommand>, String> {
        match location.0 {}
    }
}
