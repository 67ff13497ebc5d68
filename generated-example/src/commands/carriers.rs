//! The service of the carriers: parcels are announced there, and it tells when they will arrive.

use http_body_util::{BodyExt, Full, Limited};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use restwell::{Date, Rejection, Uuid};
use serde::Deserialize;
use std::error::Error;
use std::time::Duration;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes of an answer at most.
const MAX_ANSWER: usize = 64 * 1024;

/// A client of the carriers' service; without an address nothing is announced.
#[derive(Debug, Default)]
pub(super) struct Carriers {
    at: Option<(String, Client<HttpConnector, Full<Bytes>>)>,
}

#[derive(Deserialize)]
struct Announced {
    #[serde(rename = "deliveryDate")]
    delivery_date: Date,
}

impl Carriers {
    pub(super) fn at(url: Option<String>) -> Self {
        Self { at: url.map(|url| (url, Client::builder(TokioExecutor::new()).build_http())) }
    }

    /// Announces a parcel. The id makes sure that one which is announced again is the same parcel.
    pub(super) async fn announce(&self, id: Uuid, tracking_number: &str) -> Result<Option<Date>, Rejection> {
        let Some((url, client)) = &self.at else { return Ok(None) };
        let parcel = serde_json::json!({ "trackingNumber": tracking_number });
        let url = format!("{url}/parcels/{id}");
        match tokio::time::timeout(PATIENCE, put(client, &url, parcel.to_string())).await {
            Ok(Ok(announced)) => Ok(Some(announced.delivery_date)),
            Ok(Err(error)) => Err(Rejection::upstream(error)),
            Err(late) => Err(Rejection::upstream_late(late)),
        }
    }
}

/// The answer to a PUT of a JSON text. A client of more comfort would add thirty crates to the example.
async fn put(
    client: &Client<HttpConnector, Full<Bytes>>,
    url: &str,
    text: String,
) -> Result<Announced, Box<dyn Error + Send + Sync>> {
    let request = Request::put(url).header("content-type", "application/json").body(text.into())?;
    let response = client.request(request).await?;
    if !response.status().is_success() {
        return Err(format!("the carriers answer {}", response.status()).into());
    }
    let body = Limited::new(response.into_body(), MAX_ANSWER).collect().await?;
    Ok(serde_json::from_slice(&body.to_bytes())?)
}
