//! Routes of a service's own code, beside those of its resources and behind the same edge.
//!
//! A [`Route`] says its part of the contract: what it takes, responds with, and who may call it. The request is checked
//! along it, in the order of checks of every request, before the handler runs; the handler gets what was checked by
//! extractors, and its errors are those of the conventions.
//!
//! ```
//! use restwell::routes::{Json, Route, Routes};
//! use restwell::{Builder, Caller, Object, Ref, Rejection, Resource, Transactions};
//!
//! /// Something that is for sale.
//! #[derive(Debug, Clone, Resource)]
//! pub struct Offer {
//!     pub name: String,
//!     pub stock: i64,
//! }
//!
//! /// How many pieces to put aside.
//! #[derive(Debug, Clone, Object)]
//! pub struct Reservation {
//!     #[field(minimum = 1)]
//!     pub amount: i64,
//! }
//!
//! async fn reserve(
//!     offer: Ref<Offer>,
//!     caller: Caller,
//!     transactions: Transactions,
//!     Json(reservation): Json<Reservation>,
//! ) -> Result<Json<Reservation>, Rejection> {
//!     let pieces = reservation.amount;
//!     transactions
//!         .run(|transaction| async move {
//!             let mut offer = transaction.find(offer).await?;
//!             offer.stock -= pieces;
//!             if offer.stock < 0 {
//!                 return Err(Rejection::conflict("SoldOut", "there are fewer pieces"));
//!             }
//!             transaction.update(offer).await
//!         })
//!         .await?;
//!     println!("{} reserved {pieces}", caller.id);
//!     Ok(Json(reservation))
//! }
//!
//! let reserve = Routes::new().route(
//!     Route::post("/offers/{offerId}/reservations")
//!         .summary("Put pieces aside")
//!         .access(&["user"])
//!         .takes::<Reservation>()
//!         .returns::<Reservation>(200),
//!     reserve,
//! );
//! let builder = Builder::new("shop").resource::<Offer>().routes(reserve);
//! ```

mod extract;
mod json;
mod route;
mod route_error;
mod table;

pub(crate) use extract::RouteRequest;
pub use extract::{MediaType, Parameters, QueryString};
pub use json::Json;
pub(crate) use json::is_json;
pub use route::Route;
pub use route_error::RouteError;
pub(crate) use route_error::take_failure;
pub(crate) use table::{BodyPlan, CustomMatch, CustomMethod, RouteTable, ShownInBody};

use axum::handler::Handler;
use axum::routing::{MethodFilter, MethodRouter, on};
use restwell_model::api::CustomRoute;
use std::fmt;

/// The routes of a service's own code: each with its part of the contract and its handler, a function with axum's
/// extractors and those of [this module](self).
#[derive(Clone)]
pub struct Routes<S = ()> {
    pub(crate) entries: Vec<(Route, MethodRouter<S>)>,
}

impl fmt::Debug for Routes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries.iter().map(|(route, _)| route)).finish()
    }
}

impl<S> Default for Routes<S> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One more. Routes are tried with words before variables, whatever their order here.
    #[must_use]
    pub fn route<H, T>(mut self, route: Route, handler: H) -> Self
    where
        H: Handler<T, S>,
        T: 'static,
    {
        let filter = match route.contract.method {
            "POST" => MethodFilter::POST,
            "PUT" => MethodFilter::PUT,
            "PATCH" => MethodFilter::PATCH,
            "DELETE" => MethodFilter::DELETE,
            _ => MethodFilter::GET,
        };
        self.entries.push((route, on(filter, handler)));
        self
    }

    /// Those with what axum's extractor `State` gives them.
    #[must_use]
    pub fn with_state(self, state: S) -> Routes {
        let entries = self.entries.into_iter();
        Routes { entries: entries.map(|(route, handler)| (route, handler.with_state(state.clone()))).collect() }
    }
}

impl Routes {
    /// These and others.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.entries.extend(others.entries);
        self
    }

    /// What they say of themselves.
    pub(crate) fn contracts(&self) -> Vec<CustomRoute> {
        self.entries.iter().map(|(route, _)| route.contract.clone()).collect()
    }
}
