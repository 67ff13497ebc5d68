//! Marketplace API.
//!
//! `generated` is written by `restwell generate`; everything else here is yours.

pub mod generated;

/// The service, put together.
pub fn service() -> restwell::Builder {
    generated::service().sample_data(include_str!("../sample-data.json"))
}
