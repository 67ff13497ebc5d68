//! The authenticated caller (§5).

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// An authenticated caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// The id of the service's user.
    pub id: Uuid,
    /// The scopes that the token grants in addition.
    pub scopes: Vec<String>,
}
