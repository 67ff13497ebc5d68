//! Faults of versions and views.

macro_rules! versions {
    ($next:ident [$($rest:ident)*] $($before:tt)*) => { $next! { [$($rest)*] $($before)*

    NoVersion = "no-version", Error;
    "A resource or a field has no version"
    "Every request names a version (§9.2). A resource without a version could not be requested, and a field without one \
     would be in no response."
    wrong "
        resource: Offer
        versions: []
        fields:
          name: { type: string }"
    right "
        resource: Offer
        versions: [public.v1]
        fields:
          name: { type: string }"

    RetiredServed = "retired-served", Error;
    "A version is both served and retired"
    "Requests for a retired version get 410, so it cannot be in `versions` too."
    wrong "
        resource: Offer
        versions: [public.v1, beta.v1]
        retired: [beta.v1]
        fields:
          name: { type: string }"
    right "
        resource: Offer
        versions: [public.v1]
        retired: [beta.v1]
        fields:
          name: { type: string }"

    BetaOrder = "beta-order", Error;
    "Beta versions are not in ascending order"
    "Beta versions begin with `beta.v1` and are listed in ascending order. Older ones are retired before newer ones \
     (§9.5)."
    wrong "
        resource: Offer
        versions: [beta.v1]
        retired: [beta.v2]
        fields:
          name: { type: string }"
    right "
        resource: Offer
        versions: [beta.v2]
        retired: [beta.v1]
        fields:
          name: { type: string }"

    UnknownVersion = "unknown-version", Error;
    "The resource does not have this version"
    "The `versions` of a field are a part of the `versions` of its resource."
    wrong "
        resource: Offer
        fields:
          name: { type: string }
          condition: { type: string, versions: [beta.v2] }"
    right "
        resource: Offer
        versions: [public.v1, beta.v2]
        fields:
          name: { type: string }
          condition: { type: string, versions: [beta.v2] }"

    UnknownView = "unknown-view", Error;
    "The resource does not have this view"
    "The `views` of a field are a part of the `views` of its resource."
    wrong "
        resource: Offer
        fields:
          costPrice: { type: price, views: [sale] }"
    right "
        resource: Offer
        views: { sale: { operations: [list] } }
        fields:
          costPrice: { type: price, views: [sale] }"

    MissingRequired = "missing-required", Error;
    "A required field is missing in a version or view that creates entities"
    "Where a version or view can create entities, it must have every required field without a default; otherwise \
     every creation there fails."
    wrong "
        resource: Offer
        versions: [public.v1, beta.v2]
        fields:
          name: { type: string }
          condition: { type: string, required: true, versions: [beta.v2] }"
    right "
        resource: Offer
        versions: [public.v1, beta.v2]
        fields:
          name: { type: string }
          condition: { type: string, required: true, default: NEW, versions: [beta.v2] }"

    BadPath = "bad-path", Error;
    "The path of a view is not valid"
    "A path begins with a slash and has lower-case words with dashes between slashes, without parameters (§2.1)."
    wrong "
        resource: Offer
        views: { sale: { path: sale/Offers, operations: [list] } }
        fields:
          name: { type: string }"
    right "
        resource: Offer
        views: { sale: { path: /sale/offers, operations: [list] } }
        fields:
          name: { type: string }"

    EmptyView = "empty-view", Error;
    "A view has no operations"
    "A view needs at least one operation; otherwise its path does not exist."
    wrong "
        resource: Offer
        views: { sale: { operations: [] } }
        fields:
          name: { type: string }"
    right "
        resource: Offer
        views: { sale: { operations: [list] } }
        fields:
          name: { type: string }"

    EmptyResource = "empty-resource", Warning, allow;
    "No request reaches a resource"
    "A resource without operations, views and commands has no path. If only handlers and rules use its entities, say \
     so with `allow`."
    wrong "
        resource: Offer
        operations: []
        fields:
          name: { type: string }"
    right "
        resource: Offer
        operations: [list, get]
        fields:
          name: { type: string }"

    BadThrough = "bad-through", Error;
    "`through` does not lead from an owned resource to this one"
    "`through: Watch.offer` shows the offers that the caller's watches refer to: `Watch` needs an owner, and its \
     field `offer` must be a reference to this resource."
    wrong "
        resource: Watch
        fields:
          offer: { type: ref, to: Offer }
        ---
        resource: Offer
        views: { watched: { through: Watch.offer, operations: [list] } }
        fields:
          name: { type: string }"
    right "
        resource: Watch
        owner: user
        fields:
          user: { type: ref, to: User }
          offer: { type: ref, to: Offer }
        ---
        resource: Offer
        views: { watched: { through: Watch.offer, operations: [list] } }
        fields:
          name: { type: string }"

    ThroughReadsOnly = "through-reads-only", Error;
    "A view with `through` has a writing operation"
    "Such a view shows the entities that the caller's own entities refer to. A write would be ambiguous: it could \
     change either of them."
    wrong "
        resource: Watch
        owner: user
        fields:
          user: { type: ref, to: User }
          offer: { type: ref, to: Offer }
        ---
        resource: Offer
        views: { watched: { through: Watch.offer, operations: [list, delete] } }
        fields:
          name: { type: string }"
    right "
        resource: Watch
        owner: user
        fields:
          user: { type: ref, to: User }
          offer: { type: ref, to: Offer }
        ---
        resource: Offer
        views: { watched: { through: Watch.offer, operations: [list] } }
        fields:
          name: { type: string }"

    UnderClash = "under-clash", Error;
    "Two scoped collections have the same path"
    "`/users/{userId}/offers` can follow only one of the references."
    wrong "
        resource: Offer
        under: [seller, buyer]
        fields:
          seller: { type: ref, to: User }
          buyer: { type: ref, to: User }"
    right "
        resource: Offer
        under: [seller]
        fields:
          seller: { type: ref, to: User }
          buyer: { type: ref, to: User }"

    PathClash = "path-clash", Error;
    "Two endpoints have the same path"
    "Collections, views, searches and commands share one namespace. The paths of the service itself (`/events`, \
     `/docs` and others) may be those of resources too."
    wrong "
        resource: Offer
        fields:
          name: { type: string }
        ---
        resource: Proposal
        plural: offers
        fields:
          name: { type: string }"
    right "
        resource: Offer
        fields:
          name: { type: string }
        ---
        resource: Proposal
        fields:
          name: { type: string }"

    } };
}
