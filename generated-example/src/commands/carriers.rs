//! The service of the carriers: parcels are announced there, and it tells when they will arrive.

use restwell::{Date, Rejection, Uuid};
use serde::Deserialize;
use std::time::Duration;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// A client of the carriers' service; without an address nothing is announced.
#[derive(Debug, Default)]
pub(super) struct Carriers {
    at: Option<(String, reqwest::Client)>,
}

#[derive(Deserialize)]
struct Announced {
    #[serde(rename = "deliveryDate")]
    delivery_date: Date,
}

impl Carriers {
    pub(super) fn at(url: Option<String>) -> Self {
        Self { at: url.map(|url| (url, reqwest::Client::new())) }
    }

    /// Announces a parcel. The id makes sure that one which is announced again is the same parcel.
    pub(super) async fn announce(&self, id: Uuid, tracking_number: &str) -> Result<Option<Date>, Rejection> {
        let Some((url, client)) = &self.at else { return Ok(None) };
        let parcel = serde_json::json!({ "trackingNumber": tracking_number });
        let request = client.put(format!("{url}/parcels/{id}")).timeout(PATIENCE).json(&parcel);
        let announced = async { request.send().await?.error_for_status()?.json::<Announced>().await };
        match announced.await {
            Ok(announced) => Ok(Some(announced.delivery_date)),
            Err(error) if error.is_timeout() => Err(Rejection::upstream_late(error)),
            Err(error) => Err(Rejection::upstream(error)),
        }
    }
}
