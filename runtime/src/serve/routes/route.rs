//! What a route says of itself: its part of the contract.

use crate::typed::{Describe, Registry, Resource, Shape};
use restwell_model::Access;
use restwell_model::api::{CustomBody, CustomParameter, CustomRoute};
use std::fmt;

/// A method at a path, what it takes and what it responds with. It stands so in OpenAPI, and requests are checked by
/// it.
#[derive(Clone)]
#[must_use = "a route does nothing without a handler"]
pub struct Route {
    pub(crate) contract: CustomRoute,
    /// The objects and enums that it names.
    pub(crate) register: Vec<fn(&mut Registry)>,
    /// Words of `access` that are none.
    pub(crate) faults: Vec<String>,
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.contract.method, self.contract.path)
    }
}

impl Route {
    fn new(method: &'static str, path: &str) -> Self {
        Self { contract: CustomRoute::new(method, path), register: Vec::new(), faults: Vec::new() }
    }

    /// GET, and HEAD. Variables stand in braces: `/offers/{offerId}/quotes`.
    pub fn get(path: &str) -> Self {
        Self::new("GET", path)
    }

    /// POST.
    pub fn post(path: &str) -> Self {
        Self::new("POST", path)
    }

    /// PUT.
    pub fn put(path: &str) -> Self {
        Self::new("PUT", path)
    }

    /// PATCH.
    pub fn patch(path: &str) -> Self {
        Self::new("PATCH", path)
    }

    /// DELETE.
    pub fn delete(path: &str) -> Self {
        Self::new("DELETE", path)
    }

    /// What it does, in a line.
    pub fn summary(mut self, text: &str) -> Self {
        self.contract.summary = Some(text.to_owned());
        self
    }

    /// What it does, in sentences.
    pub fn description(mut self, text: &str) -> Self {
        self.contract.description = Some(text.to_owned());
        self
    }

    /// Who may call it, any of these: `user`, `scope:reports`. Without it, or with `anyone`, no credentials are needed;
    /// bad ones are 401 in any case (§5).
    pub fn access(mut self, who: &[&str]) -> Self {
        for word in who {
            match word.parse::<Access>() {
                Ok(Access::Role(role)) => {
                    self.faults.push(format!(
                        "`{role}` is not an access of a route: write `anyone`, `user` or `scope:<name>`"
                    ));
                }
                Ok(access) => self.contract.access.push(access),
                Err(fault) => self.faults.push(fault),
            }
        }
        self
    }

    /// A query parameter, which [`Parameters`](super::Parameters) has. Others are 422 `UnknownParameter`.
    pub fn parameter(self, name: &str, meaning: &str) -> Self {
        self.with_parameter(name, meaning, false)
    }

    /// The same, and a request without it is 422 `Required`.
    pub fn required_parameter(self, name: &str, meaning: &str) -> Self {
        self.with_parameter(name, meaning, true)
    }

    fn with_parameter(mut self, name: &str, meaning: &str, is_required: bool) -> Self {
        let (name, meaning) = (name.to_owned(), meaning.to_owned());
        self.contract.parameters.push(CustomParameter { name, meaning, is_required });
        self
    }

    /// The filters, the order and the page of a resource's public list are query parameters, which
    /// [`QueryString`](super::QueryString) has.
    pub fn filters<R: Resource>(mut self) -> Self {
        self.contract.filters = Some(R::NAME.to_owned());
        self
    }

    /// A body in JSON, read whole and checked by the constraints of its type; [`Json`](super::Json) has it. That of a
    /// resource is read as that of a creation, in its preferred version.
    pub fn takes<T: Describe>(mut self) -> Self {
        self.names::<T>();
        self.contract.request = Some(CustomBody::Described(T::NAME.to_owned()));
        self
    }

    /// A body in this media type, which axum's `Bytes` and `String` have.
    pub fn takes_media(mut self, media_type: &str) -> Self {
        self.contract.request = Some(CustomBody::Media(media_type.to_owned()));
        self
    }

    /// A response in JSON with this status.
    pub fn returns<T: Describe>(mut self, status: u16) -> Self {
        self.names::<T>();
        self.contract.responses.push((status, Some(CustomBody::Described(T::NAME.to_owned()))));
        self
    }

    /// A response in JSON that no type describes.
    pub fn returns_json(mut self, status: u16) -> Self {
        self.contract.responses.push((status, Some(CustomBody::Json)));
        self
    }

    /// A response in this media type. `Accept` selects one of those of all responses.
    pub fn returns_media(mut self, status: u16, media_type: &str) -> Self {
        self.contract.responses.push((status, Some(CustomBody::Media(media_type.to_owned()))));
        self
    }

    /// A response without a body.
    pub fn returns_nothing(mut self, status: u16) -> Self {
        self.contract.responses.push((status, None));
        self
    }

    /// Objects and enums become a part of the service; resources are registered by who serves them.
    fn names<T: Describe>(&mut self) {
        if matches!(T::SHAPE, Shape::Object | Shape::Enum) {
            self.register.push(Registry::add::<T>);
        }
    }
}
