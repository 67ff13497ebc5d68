//! What is varied, and the request that comes of it.

use super::world::World;
use restwell_model::Version;
use restwell_testkit::http::Request;

pub(super) const METHODS: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"];

/// Served by some resources beside the public version, or instead of it.
pub(super) const BETA: Version = Version::Beta(2);
/// Served by some resources once.
pub(super) const RETIRED: Version = Version::Beta(1);

/// The values of an axis, in words.
macro_rules! axis {
    ($(#[doc = $doc:literal])+ $name:ident: $($value:ident)+) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum $name {
            $($value,)+
        }

        impl $name {
            const ALL: &[Self] = &[$(Self::$value,)+];
        }
    };
}

axis! {
    /// `Accept`.
    Accept: Public Any Browser Html Json Refused Unparsable Missing Beta Retired
}
axis! {
    /// `Content-Type`.
    ContentType: Public Utf8 Latin1 Text Json Missing Beta Retired
}
axis! {
    /// Who asks. Everything is the owner's.
    Who: Nobody Forged Basic Stranger Owner Scoped
}
axis! {
    /// `User-Agent`.
    Agent: Named Missing Blank
}
axis! {
    /// The body.
    Body: Wrong NoJson Missing
}

/// A request to be.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) method: &'static str,
    /// An index into the world's places.
    pub(super) place: usize,
    pub(super) accept: Accept,
    pub(super) content_type: ContentType,
    pub(super) who: Who,
    pub(super) body: Body,
    pub(super) agent: Agent,
}

impl Case {
    /// How many there are, `User-Agent` left out.
    pub(super) fn count(world: &World) -> u64 {
        Self::sizes(world)[..6].iter().product::<usize>() as u64
    }

    /// Values of each axis.
    pub(super) fn sizes(world: &World) -> [usize; 7] {
        [
            METHODS.len(),
            world.places.len(),
            Accept::ALL.len(),
            ContentType::ALL.len(),
            Who::ALL.len(),
            Body::ALL.len(),
            Agent::ALL.len(),
        ]
    }

    /// The case of an index. Without a `User-Agent` nothing else counts: a few cases have none.
    pub(super) fn of(world: &World, index: u64, chance: u64) -> Self {
        let sizes = Self::sizes(world);
        let mut rest = index as usize;
        let mut next = |axis: usize| {
            let value = rest % sizes[axis];
            rest /= sizes[axis];
            value
        };
        Self {
            method: METHODS[next(0)],
            place: next(1),
            accept: Accept::ALL[next(2)],
            content_type: ContentType::ALL[next(3)],
            who: Who::ALL[next(4)],
            body: Body::ALL[next(5)],
            agent: *Agent::ALL.get((chance % 16) as usize).filter(|_| chance % 16 < 3).unwrap_or(&Agent::Named),
        }
    }

    /// Its values, as indexes.
    pub(super) fn values(&self) -> [usize; 7] {
        let method = METHODS.iter().position(|method| *method == self.method).expect("one of them");
        [
            method,
            self.place,
            self.accept as usize,
            self.content_type as usize,
            self.who as usize,
            self.body as usize,
            self.agent as usize,
        ]
    }

    /// The request. It changes nothing: its body is wrong everywhere; what it deletes, and commands without a body, it
    /// only tries.
    pub(super) fn request(&self, world: &World) -> Request {
        let target = self.target(world);
        let mut request = Request::bare(self.method, &target).header("host", "localhost");
        match self.body {
            Body::Wrong => request = request.body(br#"{"unheardOf":true}"#).without("content-type"),
            Body::NoJson => request = request.body(b"{\"name\":").without("content-type"),
            Body::Missing => {}
        }
        let headers = [
            ("user-agent", self.agent.header().map(str::to_owned)),
            ("accept", self.accept.header(&world.vendor)),
            ("content-type", self.content_type.header(&world.vendor)),
            ("authorization", world.credentials(self.who)),
        ];
        headers.into_iter().fold(request, |request, (name, value)| match value {
            Some(value) => request.header(name, value),
            None => request,
        })
    }

    fn target(&self, world: &World) -> String {
        let path = &world.places[self.place].path;
        let is_tried = self.method == "DELETE" || self.method == "PUT" && self.body == Body::Missing;
        if is_tried { format!("{path}?dryRun=true") } else { path.clone() }
    }

    /// Whether it gets as far as the operation, where there is one that it may call.
    pub(super) fn is_plain(&self) -> bool {
        let is_accepted = matches!(self.accept, Accept::Public | Accept::Any | Accept::Browser | Accept::Beta);
        let is_readable = matches!(self.content_type, ContentType::Public | ContentType::Utf8 | ContentType::Beta);
        let is_known = !matches!(self.who, Who::Forged | Who::Basic);
        is_accepted && is_readable && is_known && self.body == Body::Wrong && self.agent == Agent::Named
    }

    /// In words, for messages.
    pub(super) fn told(&self, world: &World) -> String {
        let Self { method, accept, content_type, who, body, agent, .. } = self;
        format!(
            "{method} {} as {who:?}, Accept {accept:?}, Content-Type {content_type:?}, body {body:?}, agent {agent:?}",
            self.target(world)
        )
    }
}

impl Accept {
    fn header(self, vendor: &str) -> Option<String> {
        let [public, beta, retired] = [Version::Public, BETA, RETIRED].map(|version| version.media_type(vendor));
        let text = match self {
            Self::Public => public,
            Self::Any => "*/*".to_owned(),
            Self::Browser => "text/html, application/*;q=0.9, */*;q=0.1".to_owned(),
            Self::Html => "text/html".to_owned(),
            Self::Json => "application/json".to_owned(),
            Self::Refused => format!("text/html, {public};q=0, {beta};q=0.0"),
            Self::Unparsable => format!("{public}, nonsense"),
            Self::Missing => return None,
            Self::Beta => beta,
            Self::Retired => retired,
        };
        Some(text)
    }
}

impl ContentType {
    fn header(self, vendor: &str) -> Option<String> {
        let [public, beta, retired] = [Version::Public, BETA, RETIRED].map(|version| version.media_type(vendor));
        let text = match self {
            Self::Public => public,
            Self::Utf8 => format!("{public}; charset=utf-8"),
            Self::Latin1 => format!("{public}; charset=iso-8859-1"),
            Self::Text => "text/plain".to_owned(),
            Self::Json => "application/json".to_owned(),
            Self::Missing => return None,
            Self::Beta => beta,
            Self::Retired => retired,
        };
        Some(text)
    }
}

impl Agent {
    fn header(self) -> Option<&'static str> {
        match self {
            Self::Named => Some("Matrix/1.0 (localhost) Linux"),
            Self::Missing => None,
            Self::Blank => Some("  "),
        }
    }
}
