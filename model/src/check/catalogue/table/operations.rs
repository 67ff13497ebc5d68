//! Faults of searches, combinations and commands.

macro_rules! operations {
    ($next:ident [$($rest:ident)*] $($before:tt)*) => { $next! { [$($rest)*] $($before)*

    Unsearchable = "unsearchable", Error;
    "A search cannot use the field"
    "A search can use filterable fields, arrays, and objects that have one of these (§2.5)."
    wrong "
        resource: Offer
        search: [name]
        fields:
          name: { type: string }"
    right "
        resource: Offer
        search: [name]
        fields:
          name: { type: string, filter: true }"

    EmptySearch = "empty-search", Error;
    "A search would have no criteria"
    "`search: true` uses the filterable fields and the arrays, and this resource has none of them."
    wrong "
        resource: Offer
        search: true
        fields:
          name: { type: string }"
    right "
        resource: Offer
        search: true
        fields:
          name: { type: string, filter: true }"

    ShortCombination = "short-combination", Error;
    "A combination has fewer than two fields"
    "For one field, write `unique: true`, `filter: true` or `sort: true` on the field."
    wrong "
        resource: Offer
        unique: [[name]]
        fields:
          name: { type: string }"
    right "
        resource: Offer
        fields:
          name: { type: string, unique: true }"

    UnusableIndex = "unusable-index", Error;
    "No list can use the index"
    "An index of several fields is for lists that filter by the first ones and sort by the last one, which may be \
     `createdAt` or `updatedAt`. So the first ones have `filter`, and the last one has `sort`. PostgreSQL indexes 2,600 \
     bytes of texts at most, and a character has up to four: strings have a `maxLength`."
    wrong "
        resource: Offer
        index: [[category, price]]
        fields:
          category: { type: string, maxLength: 40 }
          price: { type: price, sort: true }"
    right "
        resource: Offer
        index: [[category, price]]
        fields:
          category: { type: string, maxLength: 40, filter: true }
          price: { type: price, sort: true }"

    BadTimeout = "bad-timeout", Error;
    "The timeout is not a valid duration for a command"
    "A timeout is an ISO 8601 duration from one second (`PT1S`) to one day (`P1D`), without years and months, because \
     their length varies."
    wrong "
        resource: Offer
        commands:
          renew: { timeout: 30s }
        fields:
          name: { type: string }"
    right "
        resource: Offer
        commands:
          renew: { timeout: PT30S }
        fields:
          name: { type: string }"

    } };
}
