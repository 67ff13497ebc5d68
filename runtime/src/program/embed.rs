//! The service as a part of an axum application: for a team that has routes or layers of its own.

use crate::auth::{CredentialScheme, KeyOptions};
use crate::clock::Clock;
use crate::events::EventOptions;
use crate::serve::{Engine, Peer};
use crate::service::{self, Builder};
use crate::store::{CONNECTIONS, Database};
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use std::net::SocketAddr;
use std::sync::Arc;

/// A router that answers every path with the service: merge other routes into it, or put layers around it. It is what
/// [`main`](crate::main) serves, with the service's own way to check credentials ([`Builder::authenticator`]) or else
/// its own development key, on a `database` as `DATABASE_URL` names it.
///
/// # Errors
///
/// A sentence for people: the description has mistakes, or the database or the key cannot be used.
///
/// ```no_run
/// # fn service() -> restwell::Builder { restwell::Builder::new("shop") }
/// let app = restwell::router(service(), "sqlite://shop.db")?;
/// let app = app.route("/hello", axum::routing::get(|| async { "hello" }));
/// # Ok::<(), String>(())
/// ```
pub fn router(builder: Builder, database: &str) -> Result<Router, String> {
    let scheme = CredentialScheme::of(builder.own_authenticator(), &KeyOptions::default())?;
    let service = service::check(builder)?;
    let authenticator = scheme.start(&service.model.name)?;
    let (database, settings) = (Database::parse(database, CONNECTIONS)?, EventOptions::default());
    let engine = service::open(service, database, authenticator, Clock::system(), "", &settings)?;
    Ok(fallback(engine))
}

fn fallback(engine: Engine) -> Router {
    let engine = Arc::new(engine);
    Router::new().fallback(move |request: Request| {
        let engine = Arc::clone(&engine);
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip());
        let peer = Peer { address: peer, is_direct: false };
        async move { engine.respond(request, peer).await.map(Body::new) }
    })
}
