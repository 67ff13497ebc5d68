//! What the commands of Marketplace API do: a file for each resource, a method for each command.

mod carriers;

mod contest;
mod general_delivery;
mod offer;
mod payment;
mod shipment;
mod transaction;
mod user;

use carriers::Carriers;

/// What the commands work with.
#[derive(Debug, Default)]
pub struct Commands {
    /// Where parcels are announced.
    carriers: Carriers,
}

impl Commands {
    /// With the carriers' service at this address.
    #[must_use]
    pub fn with_carriers(url: &str) -> Self {
        Self { carriers: Carriers::at(Some(url.to_owned())) }
    }

    /// With the services that the environment names: `CARRIERS_URL`.
    #[must_use]
    pub fn from_environment() -> Self {
        Self { carriers: Carriers::at(std::env::var("CARRIERS_URL").ok()) }
    }
}
