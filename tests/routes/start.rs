//! Mistakes in routes are errors at the start, with what collides named.

use crate::routes::house::{Reservation, plain};
use crate::routes::{Store, Test};
use restwell::axum::http::StatusCode;
use restwell::routes::{Route, Routes};
use restwell::{Object, Ref, Resource};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(crate) const TESTS: &[Test] =
    &[("collisions_are_named", collisions_are_named), ("only_what_is_wrong_is_told", only_what_is_wrong_is_told)];

/// Not a part of the service.
#[derive(Debug, Clone, Resource)]
struct Elsewhere {
    name: String,
}

async fn nothing() -> StatusCode {
    StatusCode::NO_CONTENT
}

/// Why a service with these routes does not start.
fn refusal(store: Store, routes: Vec<Route>) -> String {
    let routes = routes.into_iter().fold(Routes::new(), |routes, route| routes.route(route, nothing));
    let started = catch_unwind(AssertUnwindSafe(|| drop(store.start(plain().routes(routes)))));
    let Err(panic) = started else { return String::new() };
    let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
    text.replace("the service under test does not start:\n", "")
}

fn collisions_are_named(store: Store) {
    for (routes, expected) in [
        (vec![Route::get("/rooms")], "the route GET /rooms collides with /rooms of the resource Room"),
        (
            vec![Route::delete("/rooms/{number}")],
            "the route DELETE /rooms/{number} collides with /rooms/{id} of the resource Room",
        ),
        (vec![Route::get("/metrics")], "the route GET /metrics collides with /metrics, a system endpoint"),
        (
            vec![Route::get("/keys/{one}"), Route::get("/keys/{other}")],
            "the route GET /keys/{other} collides with the route GET /keys/{one}",
        ),
        (vec![Route::get("keys")], "the route GET keys: a path begins with `/`"),
        (
            vec![Route::get("/keys/")],
            "the route GET /keys/: `` is not a part of a path: use letters, digits and dashes",
        ),
        (vec![Route::get("/keys/{id")], "the route GET /keys/{id: `{id` is not a variable: write one as `{offerId}`"),
        (vec![Route::get("/{a}/x/{a}")], "the route GET /{a}/x/{a}: `{a}` appears twice"),
        (
            vec![Route::get("/keys").returns::<Elsewhere>(200)],
            "the route GET /keys names `Elsewhere`, which is not a part of the service",
        ),
        (
            vec![Route::get("/keys").access(&["owner"])],
            "the route GET /keys: `owner` is for resources; a route names `user` and asks for the owner itself",
        ),
        (
            vec![Route::get("/keys").access(&["everybody"])],
            "GET /keys: `everybody` is not an access of a route: write `anyone`, `user` or `scope:<name>`",
        ),
        // these are apart
        (vec![Route::get("/rooms/summary"), Route::post("/rooms/summary").takes::<Reservation>()], ""),
        (vec![Route::get("/keys/{one}"), Route::post("/keys/{other}"), Route::get("/keys/all")], ""),
    ] {
        assert_eq!(refusal(store, routes), expected);
    }
}

/// What a stay costs, elsewhere.
#[derive(Debug, Clone, Object)]
struct Stay {
    place: Option<Ref<Elsewhere>>,
}

fn only_what_is_wrong_is_told(store: Store) {
    // not that the type is used nowhere
    assert_eq!(
        refusal(store, vec![Route::get("/stays").returns::<Stay>(200)]),
        "Stay.fields.place.to: the resource `Elsewhere` does not exist; the known names are `Room`, `User`"
    );
}
