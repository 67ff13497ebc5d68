//! Faults of names (conventions §2.1).

macro_rules! names {
    ($next:ident [$($rest:ident)*] $($before:tt)*) => { $next! { [$($rest)*] $($before)*

    PascalCase = "pascal-case", Error;
    "The name of a definition is not in PascalCase"
    "Paths, tables and Rust types are derived from the name, so its words must be recognizable: each word begins with \
     a capital letter, and an acronym is one word (`HtmlPage`)."
    wrong "
        resource: general_delivery
        fields:
          name: { type: string }"
    right "
        resource: GeneralDelivery
        fields:
          name: { type: string }"

    SingularName = "singular-name", Error, allow;
    "The name of a definition is plural"
    "A definition describes one entity. The plural in the path is derived from its name (§2.1)."
    wrong "
        resource: Offers
        fields:
          name: { type: string }"
    right "
        resource: Offer
        fields:
          name: { type: string }"

    CamelCase = "camel-case", Error;
    "The name of a field is not in camelCase"
    "Names of properties and parameters are in camelCase (§2.1); an acronym is one word: `htmlUrl`. Columns and Rust \
     fields are derived from the name, and the name must be derivable from them again."
    wrong "
        resource: Offer
        fields:
          buy_now: { type: price }"
    right "
        resource: Offer
        fields:
          buyNow: { type: price }"

    PluralArray = "plural-array", Error, allow;
    "The name of an array is not plural"
    "Array properties have plural names, so that a reader sees from the name that there can be several values (§2.1). \
     A name is judged by its head: `idsToAdd` and `patternsAllowed` are plural. Where it is not certain that the head \
     is a singular, as in `available`, the fault is a warning."
    wrong "
        resource: Offer
        fields:
          image: { type: array, items: { type: string } }"
    right "
        resource: Offer
        fields:
          images: { type: array, items: { type: string } }"

    SingularField = "singular-field", Error, allow;
    "The name of a field that is not an array is plural"
    "All properties except arrays have singular names (§2.1). A name is judged by its head: `sizeInBytes` is singular, \
     and a predicate (`hasManyFiles`, `allowsRefunds`) has no number. Where it is not certain that the head is a \
     plural, as in `days`, the fault is a warning."
    wrong "
        resource: Offer
        fields:
          colours: { type: string }"
    right "
        resource: Offer
        fields:
          colour: { type: string }"

    CountName = "count-name", Error, allow;
    "The name of a count does not follow the convention"
    "Counts are named like `count`, `totalCount` or `offersCount` (§2.1). `totalItem` looks like the name of an item."
    wrong "
        resource: Cart
        fields:
          totalItem: { type: integer }"
    right "
        resource: Cart
        fields:
          itemsCount: { type: integer }"

    UpperSnake = "upper-snake", Error;
    "An enum value is not in UPPER_SNAKE_CASE"
    "Enum values are upper-case strings (§2.4.8), with underscores between words."
    wrong "
        resource: Offer
        fields:
          colour: { type: enum, values: [white, black] }"
    right "
        resource: Offer
        fields:
          colour: { type: enum, values: [WHITE, BLACK] }"

    KebabCase = "kebab-case", Error;
    "The name of a service, view or command, or a word of a path, is not in kebab-case"
    "The name appears in URLs, media types or event subjects: lower-case words with dashes between them (§2.1)."
    wrong "
        resource: Offer
        commands:
          putUp: {}
        fields:
          name: { type: string }"
    right "
        resource: Offer
        commands:
          put-up: {}
        fields:
          name: { type: string }"

    PluralPath = "plural-path", Error, allow;
    "The `plural` of a resource is not plural"
    "Resource names in paths are plural (§2.1)."
    wrong "
        resource: Offer
        plural: offer
        fields:
          name: { type: string }"
    right "
        resource: Offer
        plural: offers
        fields:
          name: { type: string }"

    ReservedType = "reserved-type", Error;
    "The name cannot be the name of a type in Rust"
    "Each definition is a type in the generated code. `Self` is the one word that Rust refuses there. All other names \
     are free. A resource `Price` does not clash with Restwell's type of that name, nor an object `Option` with Rust's: \
     where a file has both, the generated code names each by its path."
    wrong "
        object: Self
        fields:
          name: { type: string }
        ---
        resource: Offer
        fields:
          chosen: { type: Self }"
    right "
        object: Option
        fields:
          name: { type: string }
        ---
        resource: Offer
        fields:
          chosen: { type: Option }"

    CommonField = "common-field", Error;
    "The definition repeats a common field"
    "Every resource has `id`, `createdAt` and `updatedAt`, and the service sets them (§2.3). Do not list them. A \
     nested object may have an `id` of its own."
    wrong "
        resource: Offer
        fields:
          id: { type: uuid }
          name: { type: string }"
    right "
        resource: Offer
        fields:
          name: { type: string }"

    CommandField = "command-field", Error;
    "An input or output has the name of a field that every command has"
    "Every command has `id`, `createdAt`, `updatedAt`, `status` and `errors` beside its inputs and outputs (§2.6)."
    wrong "
        resource: Offer
        commands:
          renew: { output: { status: { type: string } } }
        fields:
          name: { type: string }"
    right "
        resource: Offer
        commands:
          renew: { output: { offerStatus: { type: string } } }
        fields:
          name: { type: string }"

    ReservedParameter = "reserved-parameter", Error;
    "A filterable field has the name of a reserved query parameter"
    "`sort`, `offset`, `limit`, `search`, `dryRun` and `include` have a fixed meaning in a query (§4.3–4.6). Lists and \
     searches are going to have more: of what can be filtered or searched, nothing is called `expand`, `after`, \
     `words`, `anyOf`, `groupBy`, `measures`, `groupTimezone` or `at`, and nothing that can be sorted is called `relevance`."
    wrong "
        resource: Card
        fields:
          limit: { type: price, filter: true }
          sort: { type: string, filter: true }"
    right "
        resource: Card
        fields:
          limit: { type: price }
          kind: { type: string, filter: true }"

    ReservedPath = "reserved-path", Error;
    "The path is reserved"
    "No path of a resource or view is /account, begins with `/webhook-` or `/deleted-`, or ends in `-statistics` or \
     `-revisions`, and no command is called `creation`: Restwell is going to serve these paths itself."
    wrong "
        resource: OfferStatistic
        fields:
          name: { type: string }"
    right "
        resource: OfferStatistic
        plural: offer-figures
        fields:
          name: { type: string }"

    MemberClash = "member-clash", Error;
    "Two members of a JSON object would have the same name"
    "A collection is an object with `count` and an array that is called like the resource's plural (§4.4). A search \
     has `limit` and `offset` beside its criteria (§4.5)."
    wrong "
        resource: Tally
        plural: count
        allow: { plural-path: \"it is the domain's word\" }
        fields:
          name: { type: string }"
    right "
        resource: Tally
        fields:
          name: { type: string }"

    NameClash = "name-clash", Error;
    "Two names produce the same column"
    "A field produces a column in snake_case, a price the columns `…_amount` and `…_currency`, a reference `…_id`, an \
     object one column for each of its fields, and an optional object one more that records whether it is present. All \
     of these names must differ."
    wrong "
        resource: Offer
        fields:
          buyNow: { type: price }
          buyNowAmount: { type: integer }"
    right "
        resource: Offer
        fields:
          buyNow: { type: price }
          stock: { type: integer }"

    ClientNameClash = "client-name-clash", Error;
    "Two operations or parameters would have one name in clients"
    "Clients are generated in languages with cases of their own: `createdAt.gt` and `createdAtGt` are both \
     `created_at_gt` there. So are the names of operations, which are made from the names of resources, views and \
     commands: a command cannot be called `create`, `list`, `get`, `update`, `patch` or `delete`."
    wrong "
        resource: Offer
        commands:
          list: { access: user }
        fields:
          name: { type: string }"
    right "
        resource: Offer
        commands:
          publish: { access: user }
        fields:
          name: { type: string }"

    FlatReference = "flat-reference", Error, allow;
    "A reference is written as a flat field"
    "A reference to another resource is a nested object with at least `{id}`, never `sellerId` and `sellerName` \
     (§2.4.9). With `ref` the service also checks that the other entity exists. It is an error if there is a resource \
     `Seller`, or if `sellerId` is a `uuid`. Any other `…Id` is reported as a warning; so are the fields of \
     commands that are called like a resource of the service."
    wrong "
        resource: Offer
        fields:
          sellerId: { type: uuid }
          sellerName: { type: string }"
    right "
        resource: Offer
        fields:
          seller: { type: ref, to: User, show: [name] }"

    DuplicateField = "duplicate-field", Error;
    "Two fields have the same name"
    "The inputs and outputs of a command are in one JSON object (§2.6), so their names must differ too."
    wrong "
        resource: Offer
        commands:
          renew:
            input: { endingAt: { type: timestamp } }
            output: { endingAt: { type: timestamp } }
        fields:
          name: { type: string }"
    right "
        resource: Offer
        commands:
          renew:
            input: { endingAt: { type: timestamp } }
            output: { endedAt: { type: timestamp } }
        fields:
          name: { type: string }"

    RepeatedName = "repeated-name", Error;
    "The same name appears twice in a list"
    "The second entry has no effect or contradicts the first. Remove one of them."
    wrong "
        enum: Colour
        values: [WHITE, BLACK, WHITE]
        ---
        resource: Offer
        fields:
          colour: { type: Colour }"
    right "
        enum: Colour
        values: [WHITE, BLACK]
        ---
        resource: Offer
        fields:
          colour: { type: Colour }"

    EmptyEnum = "empty-enum", Error;
    "An enum has no values"
    "A field of this type could never have a value."
    wrong "
        resource: Offer
        fields:
          colour: { type: enum, values: [] }"
    right "
        resource: Offer
        fields:
          colour: { type: enum, values: [WHITE, BLACK] }"

    EmptyObject = "empty-object", Error;
    "An object has no fields"
    "A field of this type could never contain anything."
    wrong "
        resource: Offer
        fields:
          address: { type: object, fields: {} }"
    right "
        resource: Offer
        fields:
          address: { type: object, fields: { city: { type: string } } }"

    UnusedDefinition = "unused-definition", Warning, allow;
    "The object or enum is not used"
    "It still produces a type in the code and in the documentation. Use it in a field or delete it."
    wrong "
        enum: Colour
        values: [WHITE, BLACK]"
    right "
        enum: Colour
        values: [WHITE, BLACK]
        ---
        resource: Offer
        fields:
          colour: { type: Colour }"

    } };
}
