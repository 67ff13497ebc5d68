//! The paths of the service itself, outside the conventions (decisions, "Own paths").

use super::codes::{self, EDGE_CODES};
use super::headers::{self, RequestHeader};
use super::operation::{AccessRule, BodyContent, HttpOperation, OperationRole};
use super::parameters;
use super::responses::HttpResponse;
use super::schemas::SchemaKey;
use crate::check::Checked;
use crate::error::ErrorCode;
use crate::events::STREAM_MEDIA_TYPE;
use crate::resource::{Access, Version};

/// A path of the service itself. All of them are read by GET and HEAD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SystemEndpoint {
    /// Whether the process responds.
    Livez,
    /// Whether the service accepts writes and is not shutting down.
    Readyz,
    /// Metrics in the text format of Prometheus.
    Metrics,
    /// Events as they happen, as server-sent events (§6).
    Events,
    /// The description of the interface in the form of OpenAPI.
    OpenApi,
    /// The description of the events in the form of AsyncAPI.
    AsyncApi,
    /// The checked model.
    Model,
    /// The way in: the documentation for a browser, links for a program.
    Root,
    /// The documentation for people, a page; its files are below the path.
    Docs,
}

impl SystemEndpoint {
    /// Every one that is served.
    pub const ALL: [Self; 9] = [
        Self::Livez,
        Self::Readyz,
        Self::Metrics,
        Self::Events,
        Self::OpenApi,
        Self::AsyncApi,
        Self::Model,
        Self::Root,
        Self::Docs,
    ];

    /// The one at a path. A path below that of the documentation is one of its files, if there is such a file.
    #[must_use]
    pub fn find(path: &str) -> Option<Self> {
        let is_file = || path.strip_prefix(Self::Docs.path()).is_some_and(|rest| rest.starts_with('/'));
        Self::ALL.into_iter().find(|endpoint| endpoint.path() == path).or_else(|| is_file().then_some(Self::Docs))
    }

    /// The path. A resource may have it too.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Livez => "/livez",
            Self::Readyz => "/readyz",
            Self::Metrics => "/metrics",
            Self::Events => "/events",
            Self::OpenApi => "/openapi.json",
            Self::AsyncApi => "/asyncapi.json",
            Self::Model => "/model.json",
            Self::Root => "/",
            Self::Docs => "/docs",
        }
    }

    /// Whether it describes the service to programs. An operator can switch these off (`--contracts`): then they are
    /// 404.
    #[must_use]
    pub const fn is_contract(self) -> bool {
        match self {
            Self::OpenApi | Self::AsyncApi | Self::Model => true,
            Self::Livez | Self::Readyz | Self::Metrics | Self::Events | Self::Root | Self::Docs => false,
        }
    }

    /// Whether it is of the documentation for people. An operator can switch it off (`--docs`): then it is 404.
    #[must_use]
    pub const fn is_page(self) -> bool {
        match self {
            Self::Root | Self::Docs => true,
            Self::Livez
            | Self::Readyz
            | Self::Metrics
            | Self::Events
            | Self::OpenApi
            | Self::AsyncApi
            | Self::Model => false,
        }
    }

    /// Whether it is of the interface that documents describe: neither for monitoring nor for people.
    #[must_use]
    pub const fn is_described(self) -> bool {
        !self.is_probe() && !self.is_page()
    }

    /// Whether monitoring calls it: such a request needs no `User-Agent` and is not counted by the rate limit.
    #[must_use]
    pub const fn is_probe(self) -> bool {
        match self {
            Self::Livez | Self::Readyz | Self::Metrics => true,
            Self::Events | Self::OpenApi | Self::AsyncApi | Self::Model | Self::Root | Self::Docs => false,
        }
    }

    /// The media type of a successful response; of what is for people, that of the page.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Livez => "text/plain; charset=utf-8",
            Self::Readyz | Self::OpenApi | Self::AsyncApi | Self::Model => "application/json",
            Self::Metrics => "text/plain; version=0.0.4; charset=utf-8",
            Self::Events => STREAM_MEDIA_TYPE,
            Self::Root | Self::Docs => "text/html; charset=utf-8",
        }
    }

    const fn id(self) -> &'static str {
        match self {
            Self::Livez => "livez",
            Self::Readyz => "readyz",
            Self::Metrics => "metrics",
            Self::Events => "events",
            Self::OpenApi => "openapi",
            Self::AsyncApi => "asyncapi",
            Self::Model => "model",
            Self::Root => "root",
            Self::Docs => "docs",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Livez => "getLivez",
            Self::Readyz => "getReadyz",
            Self::Metrics => "getMetrics",
            Self::Events => "streamEvents",
            Self::OpenApi => "getOpenApi",
            Self::AsyncApi => "getAsyncApi",
            Self::Model => "getModel",
            Self::Root => "getRoot",
            Self::Docs => "getDocs",
        }
    }

    /// What it responds with, in one sentence.
    const fn description(self) -> &'static str {
        match self {
            Self::Livez => "Whether the process responds.",
            Self::Readyz => "Whether the service accepts writes and is not shutting down.",
            Self::Metrics => "Metrics in the text format of Prometheus.",
            Self::Events => "Events as they happen, as server-sent events. Each is a CloudEvent.",
            Self::OpenApi => "This interface in the form of OpenAPI.",
            Self::AsyncApi => "The events of the service in the form of AsyncAPI.",
            Self::Model => "The resources of the service as they are described: what tools build on.",
            Self::Root => "The documentation for a browser; its address and others for a program.",
            Self::Docs => "The documentation, a page on which one can try the service.",
        }
    }

    fn codes(self) -> Vec<ErrorCode> {
        match self {
            Self::Livez => vec![ErrorCode::UnknownParameter],
            Self::Readyz => vec![ErrorCode::UnknownParameter, ErrorCode::InternalError, ErrorCode::Unavailable],
            Self::Metrics => vec![ErrorCode::UnknownParameter, ErrorCode::InternalError],
            Self::Events => {
                let own = [
                    ErrorCode::Unauthenticated,
                    ErrorCode::NotAcceptable,
                    ErrorCode::EventsGone,
                    ErrorCode::InvalidText,
                    ErrorCode::UnknownParameter,
                    ErrorCode::InvalidParameter,
                ];
                EDGE_CODES.iter().copied().chain(own).collect()
            }
            Self::OpenApi | Self::AsyncApi | Self::Model | Self::Root | Self::Docs => {
                EDGE_CODES.iter().copied().chain([ErrorCode::ResourceNotFound, ErrorCode::UnknownParameter]).collect()
            }
        }
    }

    fn headers(self) -> Vec<RequestHeader> {
        match self {
            Self::Livez | Self::Readyz | Self::Metrics => Vec::new(),
            Self::Events => headers::of_events(),
            Self::OpenApi | Self::AsyncApi | Self::Model | Self::Docs => headers::of_contracts(),
            Self::Root => headers::of_root(),
        }
    }

    pub(super) fn operation<'a>(self, service: &'a Checked) -> HttpOperation<'a> {
        let schema = match self {
            Self::Readyz => Some(SchemaKey::Readiness),
            Self::Livez
            | Self::Metrics
            | Self::Events
            | Self::OpenApi
            | Self::AsyncApi
            | Self::Model
            | Self::Root
            | Self::Docs => None,
        };
        let of = |media_type: &str| BodyContent { version: None, media_type: media_type.to_owned(), schema };
        let links = (self == Self::Root).then(|| of("application/json"));
        let content = std::iter::once(of(self.media_type())).chain(links).collect();
        let errors = vec![BodyContent::errors(service, Version::PUBLIC)];
        let mut responses = HttpResponse::of_system(self, content);
        responses.extend(
            codes::by_status(self.codes())
                .map(|(status, codes)| HttpResponse::error(status, codes, errors.clone(), !self.is_probe(), false)),
        );
        HttpOperation {
            id: self.id().to_owned(),
            name: self.name().to_owned(),
            method: "GET",
            role: OperationRole::System(self),
            description: Some(self.description()),
            // a stream shows what its caller may see: callers without credentials see what is open to anyone
            access: AccessRule { any_of: vec![Access::Anyone], requires_credentials: false, can_be_forbidden: false },
            versions: Vec::new(),
            retired: Vec::new(),
            query: if self == Self::Events { parameters::of_events(service) } else { Vec::new() },
            headers: self.headers(),
            request: Vec::new(),
            responses,
            success_to_come: None,
            is_async: false,
            is_ready: true,
            deprecation: None,
        }
    }
}
