//! The faults, in the order of the page: what only a front end sees, then names, types, keys, references, operations.

use super::{Entry, Exemption, Severity};

macro_rules! catalogue {
    ($( $variant:ident = $code:literal, $severity:ident $(, $allow:ident)?;
        $title:literal
        $explanation:literal
        wrong $wrong:literal
        right $right:literal )*) => {
        /// Which rule is broken. The code is stable.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FaultCode {
            $( #[doc = concat!("`", $code, "`: ", $title, ".")] $variant, )*
        }

        impl FaultCode {
            /// Every code, in the order of the page.
            pub const ALL: &[Self] = &[$( Self::$variant ),*];

            pub(super) const fn entry(self) -> &'static Entry {
                match self {
                    $( Self::$variant => &Entry {
                        code: $code,
                        severity: Severity::$severity,
                        exemption: exemption!($($allow)?),
                        title: $title,
                        explanation: $explanation,
                        wrong: $wrong,
                        right: $right,
                    }, )*
                }
            }
        }
    };
}

macro_rules! exemption {
    () => {
        Exemption::Never
    };
    (allow) => {
        Exemption::Allowed
    };
}

catalogue! {
    // Documents and attributes: raised by the front ends.

    YamlSyntax = "yaml-syntax", Error;
    "The text is not YAML"
    "The parser gave up at this place; what follows it was not looked at."
    wrong "
        resource: Offer
        fields: { name: { type: string }"
    right "
        resource: Offer
        fields: { name: { type: string } }"

    TabIndentation = "tab-indentation", Error;
    "A line is indented with a tab"
    "YAML allows spaces only, because a tab has no agreed width."
    wrong "
        resource: Offer
        fields:
        \tname: { type: string }"
    right "
        resource: Offer
        fields:
          name: { type: string }"

    AliasRefused = "alias-refused", Error;
    "An anchor, an alias or a merge key is used"
    "A definition says what it is where it stands. What several places share is an `object` or an `enum` with a name."
    wrong "
        resource: Offer
        fields:
          name: &text { type: string }
          note: *text"
    right "
        resource: Offer
        fields:
          name: { type: string }
          note: { type: string }"

    UnknownDocument = "unknown-document", Error;
    "The first key does not say what the document is"
    "A document begins with `service`, `resource`, `object` or `enum`, and the name."
    wrong "
        entity: Offer
        fields:
          name: { type: string }"
    right "
        resource: Offer
        fields:
          name: { type: string }"

    UnknownKey = "unknown-key", Error;
    "The key is not one of the language's"
    "Nothing is ignored: a key that nobody reads is a slip of the pen or a wish that would not come true."
    wrong "
        resource: Offer
        fields:
          name: { type: string, mandatory: true }"
    right "
        resource: Offer
        fields:
          name: { type: string, required: true }"

    DuplicateKey = "duplicate-key", Error;
    "The key stands twice in one mapping"
    "Only one of the two values could hold, and which one is anybody's guess."
    wrong "
        resource: Offer
        fields:
          name: { type: string }
          name: { type: integer }"
    right "
        resource: Offer
        fields:
          name: { type: string }"

    MissingKey = "missing-key", Error;
    "A key that must be there is not"
    "The rest of the mapping says nothing without it."
    wrong "
        resource: Offer
        fields:
          name: { required: true }"
    right "
        resource: Offer
        fields:
          name: { type: string, required: true }"

    WrongType = "wrong-type", Error;
    "The value has another form than the key takes"
    "A text stands where a number, a list or a mapping is meant, or the other way round."
    wrong "
        resource: Offer
        fields:
          name: { type: string, maxLength: long }"
    right "
        resource: Offer
        fields:
          name: { type: string, maxLength: 75 }"

    InvalidValue = "invalid-value", Error;
    "The value is none that the key takes"
    "The form is right, but the word is not one of those the language knows here."
    wrong "
        resource: Offer
        versions: [public.v2]
        fields:
          name: { type: string }"
    right "
        resource: Offer
        versions: [public.v1]
        fields:
          name: { type: string }"

    NoService = "no-service", Error;
    "No document describes the service"
    "Exactly one document begins with `service` and gives the name."
    wrong "
        resource: Offer
        fields:
          name: { type: string }"
    right "
        service: marketplace
        users: User"

    SeveralServices = "several-services", Error;
    "More than one document describes the service"
    "The definitions of one folder make one service."
    wrong "
        service: marketplace
        ---
        service: shop"
    right "
        service: marketplace
        users: User"

    DuplicateName = "duplicate-name", Error;
    "Two definitions have one name"
    "Resources, objects and enums share one space of names. One written inline in a field counts too, by the name it \
     gets: `status` of `Offer` is `OfferStatus`."
    wrong "
        resource: Offer
        fields:
          status: { type: enum, values: [ACTIVE, ENDED] }
        ---
        enum: OfferStatus
        values: [DRAFT, SENT]"
    right "
        resource: Offer
        fields:
          status: { type: OfferStatus }
        ---
        enum: OfferStatus
        values: [ACTIVE, ENDED]"

    AttributeSyntax = "attribute-syntax", Error;
    "A derive's attribute is not understood"
    "What YAML writes as keys, a Rust struct writes in `#[resource(…)]`, `#[field(…)]` and `#[command(…)]`: \
     `#[field(max_length = 75)]` is the `maxLength` below."
    wrong "
        resource: Offer
        fields:
          name: { type: string, maxLength: }"
    right "
        resource: Offer
        fields:
          name: { type: string, maxLength: 75 }"

    // Names (§2.1).

    PascalCase = "pascal-case", Error;
    "A definition's name is not PascalCase"
    "Paths, tables and Rust types are made from the name, so that its words must be told apart: a capital begins each, \
     an acronym counts as a word (`HtmlPage`)."
    wrong "
        resource: general_delivery
        fields:
          name: { type: string }"
    right "
        resource: GeneralDelivery
        fields:
          name: { type: string }"

    SingularName = "singular-name", Error, allow;
    "A definition's name is plural"
    "A definition describes one entity; the path's plural is made from it (§2.1)."
    wrong "
        resource: Offers
        fields:
          name: { type: string }"
    right "
        resource: Offer
        fields:
          name: { type: string }"

    CamelCase = "camel-case", Error;
    "A field's name is not camelCase"
    "Property and parameter names are camelCase (§2.1), an acronym counts as a word: `htmlUrl`. Columns and Rust fields \
     are made from the name, and must lead back to it."
    wrong "
        resource: Offer
        fields:
          buy_now: { type: price }"
    right "
        resource: Offer
        fields:
          buyNow: { type: price }"

    PluralArray = "plural-array", Error, allow;
    "An array's name is not plural"
    "Array properties have plural names, so that a reader sees from the name that there are several (§2.1)."
    wrong "
        resource: Offer
        fields:
          image: { type: array, items: { type: string } }"
    right "
        resource: Offer
        fields:
          images: { type: array, items: { type: string } }"

    SingularField = "singular-field", Error, allow;
    "The name of a field that is no array is plural"
    "All properties but arrays have singular names (§2.1)."
    wrong "
        resource: Offer
        fields:
          colours: { type: string }"
    right "
        resource: Offer
        fields:
          colour: { type: string }"

    CountName = "count-name", Error, allow;
    "A count is not called one"
    "Counts are named `count`, `totalCount` or `offersCount` (§2.1); `totalItem` reads as an item."
    wrong "
        resource: Cart
        fields:
          totalItem: { type: integer }"
    right "
        resource: Cart
        fields:
          itemsCount: { type: integer }"

    UpperSnake = "upper-snake", Error;
    "An enum's value is not UPPER_SNAKE"
    "Enum values are upper-case strings (§2.4.8), their words separated by underscores."
    wrong "
        resource: Offer
        fields:
          colour: { type: enum, values: [white, black] }"
    right "
        resource: Offer
        fields:
          colour: { type: enum, values: [WHITE, BLACK] }"

    KebabCase = "kebab-case", Error;
    "The name of a service, view or command, or a path's word, is not kebab-case"
    "It stands in URLs, media types or event subjects: lower case, the words separated by dashes (§2.1)."
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
    "The name is taken in Rust"
    "The generated code has a type of every definition's name beside Rust's own and Restwell's; another `Option` or \
     `Price` would hide those."
    wrong "
        object: Option
        fields:
          name: { type: string }
        ---
        resource: Offer
        fields:
          chosen: { type: Option }"
    right "
        object: OfferOption
        fields:
          name: { type: string }
        ---
        resource: Offer
        fields:
          chosen: { type: OfferOption }"

    ReservedWord = "reserved-word", Error;
    "The name cannot be written in Rust"
    "Most keywords can be escaped (`r#type`), but `self`, `super` and `crate` cannot."
    wrong "
        resource: Page
        fields:
          self: { type: string, format: uri }"
    right "
        resource: Page
        fields:
          link: { type: string, format: uri }"

    CommonField = "common-field", Error;
    "A common field is written down"
    "`id`, `createdAt` and `updatedAt` are there in every resource and set by the service (§2.3). A nested object may \
     have an `id` of its own."
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
    "An input or output has the name of a command's own field"
    "A command carries `id`, `createdAt`, `updatedAt`, `status` and `errors` beside its inputs and outputs (§2.6)."
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
    "A filterable field is called like a query parameter"
    "`sort`, `offset`, `limit`, `search`, `dryRun` and `include` have a meaning of their own in a query (§4.3–4.6)."
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

    NameClash = "name-clash", Error;
    "Two names become one"
    "A field makes a Rust field in snake_case, a price the columns `…_amount` and `…_currency`, a reference `…_id`, \
     an object a column for each of its fields, and an optional object one that tells whether it is there. A value of \
     an enum makes a variant. No two may come out the same."
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

    FlatReference = "flat-reference", Error, allow;
    "A reference is written as a flat field"
    "A reference to another resource is a nested object with at least `{id}`, never `sellerId` and `sellerName` \
     (§2.4.9). A `ref` also holds that the other entity is there."
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
    "Two fields have one name"
    "A command's inputs and outputs stand side by side in its representation (§2.6), so that they share their names too."
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
    "A name stands twice in a list"
    "The second one says nothing, or contradicts the first."
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
    "Nothing could be written into a field of its type."
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
    "It could hold nothing."
    wrong "
        resource: Offer
        fields:
          address: { type: object, fields: {} }"
    right "
        resource: Offer
        fields:
          address: { type: object, fields: { city: { type: string } } }"

    UnusedDefinition = "unused-definition", Warning, allow;
    "Nothing uses the object or enum"
    "It makes a type in the code and the documentation that stands for nothing."
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

    // Types and their constraints.

    ContradictoryBounds = "contradictory-bounds", Error;
    "No value can meet both bounds"
    "The lower bound is above the upper one, or more different items are asked for than there are."
    wrong "
        resource: Offer
        fields:
          name: { type: string, minLength: 10, maxLength: 5 }"
    right "
        resource: Offer
        fields:
          name: { type: string, minLength: 5, maxLength: 10 }"

    BadBound = "bad-bound", Error;
    "A bound is no value of the type"
    "A price has at most 16 digits before the point and two after it, and no sign (§2.4.7); a decimal at most 18 digits, \
     `scale` of them after the point; a number is finite."
    wrong "
        resource: Offer
        fields:
          buyNow: { type: price, minimum: 0.005 }"
    right "
        resource: Offer
        fields:
          buyNow: { type: price, minimum: 0.01 }"

    BadPattern = "bad-pattern", Error;
    "The pattern cannot be compiled"
    "Patterns are those of Rust's `regex`: without look-around and backreferences, so that every text is matched in \
     linear time."
    wrong "
        resource: Product
        fields:
          ean: { type: string, pattern: '^[0-9{13}$' }"
    right "
        resource: Product
        fields:
          ean: { type: string, pattern: '^[0-9]{13}$' }"

    BadScale = "bad-scale", Error;
    "A decimal has more digits than can be kept"
    "A decimal has 18 digits in all, so that `scale` is between 0 and 18."
    wrong "
        resource: Rate
        fields:
          factor: { type: decimal, scale: 20 }"
    right "
        resource: Rate
        fields:
          factor: { type: decimal, scale: 8 }"

    UnknownCurrency = "unknown-currency", Error;
    "The currency is none of ISO 4217"
    "A currency is written as its three-letter code (§2.4.7); codes that were withdrawn are no longer taken."
    wrong "
        resource: Offer
        fields:
          buyNow: { type: price, currencies: [PLN, EURO] }"
    right "
        resource: Offer
        fields:
          buyNow: { type: price, currencies: [PLN, EUR] }"

    NestedArray = "nested-array", Error;
    "An array holds arrays"
    "Neither a path of a fault nor a search could name what is inside. Give the inner list a name in an object."
    wrong "
        resource: Table
        fields:
          rows: { type: array, items: { type: array, items: { type: string } } }"
    right "
        resource: Table
        fields:
          rows:
            type: array
            items: { type: object, fields: { cells: { type: array, items: { type: string } } } }"

    // Keys that do not go together.

    ReadAndWriteOnly = "read-and-write-only", Error;
    "A field is `readOnly` and `writeOnly`"
    "Nobody could ever write or read it."
    wrong "
        resource: Offer
        fields:
          note: { type: string, readOnly: true, writeOnly: true }"
    right "
        resource: Offer
        fields:
          note: { type: string, writeOnly: true }"

    ImmutableReadOnly = "immutable-read-only", Error;
    "A field is `immutable` and `readOnly`"
    "`immutable` is about what a client may change after creation, and a client never sets what is `readOnly`."
    wrong "
        resource: Offer
        fields:
          number: { type: string, readOnly: true, immutable: true }"
    right "
        resource: Offer
        fields:
          number: { type: string, readOnly: true }"

    RequiredReadOnly = "required-read-only", Warning, allow;
    "A required field that only the service sets has no default"
    "Requests cannot give it, so that every creation fails until a hook does. A `default`, or no `required`, needs no hook."
    wrong "
        resource: Offer
        fields:
          number: { type: string, readOnly: true, required: true }"
    right "
        resource: Offer
        fields:
          number: { type: string, readOnly: true }"

    SecretMisuse = "secret-misuse", Error;
    "A `secret` is not a `writeOnly` string"
    "A secret is stored as its hash: there is nothing to render, to default to, or to compare."
    wrong "
        resource: Account
        fields:
          password: { type: string, secret: argon2 }"
    right "
        resource: Account
        fields:
          password: { type: string, secret: argon2, writeOnly: true }"

    NoFilter = "no-filter", Error;
    "A field cannot be filtered by"
    "A query parameter compares one value. An object's fields say `filter` themselves, an array is filtered through a \
     search, and what is `writeOnly` must not be found out by asking."
    wrong "
        resource: Offer
        fields:
          tags: { type: array, items: { type: string }, filter: true }"
    right "
        resource: Offer
        fields:
          tags: { type: array, items: { type: string } }"

    NoOrder = "no-order", Error;
    "A field cannot be sorted by"
    "Arrays, objects, references and durations have no order; inside an array there is not one value to sort by; and \
     what is `writeOnly` must not be found out by sorting."
    wrong "
        resource: Offer
        fields:
          duration: { type: duration, sort: true }"
    right "
        resource: Offer
        fields:
          endingAt: { type: timestamp, sort: true }"

    NoUnique = "no-unique", Error;
    "A field cannot be unique"
    "Uniqueness is of one value, or of a combination of single values: not of an array or an object, and not of what \
     stands inside an array."
    wrong "
        resource: Offer
        fields:
          images: { type: array, items: { type: string }, unique: true }"
    right "
        resource: Offer
        fields:
          images: { type: array, items: { type: string }, uniqueItems: true }"

    CommandKey = "command-key", Error;
    "A key means nothing on an input or output"
    "A command is not listed and not changed: what belongs to collections (`filter`, `sort`, `unique`, `views`) or to \
     updates (`immutable`) has no place in it. An output is null until it is known, and is never taken from a request."
    wrong "
        resource: Offer
        commands:
          renew: { input: { duration: { type: duration, filter: true } } }
        fields:
          name: { type: string }"
    right "
        resource: Offer
        commands:
          renew: { input: { duration: { type: duration } } }
        fields:
          name: { type: string }"

    SunsetWithoutDeprecated = "sunset-without-deprecated", Error;
    "What has a `sunset` is not `deprecated`"
    "A `sunset` is the day on which something announced goes away."
    wrong "
        resource: Offer
        fields:
          legacyCode: { type: string, sunset: \"2027-06-30\" }"
    right "
        resource: Offer
        fields:
          legacyCode: { type: string, deprecated: true, sunset: \"2027-06-30\" }"

    SenselessDefault = "senseless-default", Error;
    "The field can have no default"
    "Null is what an omitted field is anyway. A default that is unique serves one entity only, a default reference names \
     an entity that need not be there, and a default secret is known to everybody."
    wrong "
        resource: Offer
        fields:
          code: { type: string, unique: true, default: NONE }"
    right "
        resource: Offer
        fields:
          code: { type: string, unique: true }"

    BadDefault = "bad-default", Error;
    "The default is no value of the field"
    "It is held to the type and the constraints, as a request's value would be."
    wrong "
        resource: Offer
        fields:
          colour: { type: enum, values: [WHITE, BLACK], default: GREEN }"
    right "
        resource: Offer
        fields:
          colour: { type: enum, values: [WHITE, BLACK], default: WHITE }"

    BadExample = "bad-example", Error;
    "The example is no value of the field"
    "It is held to the type and the constraints: documentation that shows what is refused helps nobody."
    wrong "
        resource: Offer
        fields:
          startingAt: { type: timestamp, example: tomorrow }"
    right "
        resource: Offer
        fields:
          startingAt: { type: timestamp, example: \"2027-01-31T12:00:00.000Z\" }"

    RenameClash = "rename-clash", Error;
    "`renamedFrom` names what is still there"
    "A migration moves what was called so to the new name; it cannot when the old name is in use, or two claim it."
    wrong "
        resource: Offer
        fields:
          name: { type: string }
          title: { type: string, renamedFrom: name }"
    right "
        resource: Offer
        fields:
          title: { type: string, renamedFrom: name }"

    // What names other definitions.

    UnknownType = "unknown-type", Error;
    "The type is not known"
    "A type is one of the language's, or the name of an `object` or `enum` of the service."
    wrong "
        enum: Colour
        values: [WHITE, BLACK]
        ---
        resource: Offer
        fields:
          colour: { type: Color }"
    right "
        enum: Colour
        values: [WHITE, BLACK]
        ---
        resource: Offer
        fields:
          colour: { type: Colour }"

    UnknownResource = "unknown-resource", Error;
    "No resource has this name"
    "References, `users` and `through` name a resource of the same service."
    wrong "
        resource: Offer
        fields:
          seller: { type: ref, to: Usr }"
    right "
        resource: Offer
        fields:
          seller: { type: ref, to: User }"

    UnknownField = "unknown-field", Error;
    "No field has this name"
    "`owner`, `under`, `unique`, `search`, `show` and `through` name fields that are written down in `fields`."
    wrong "
        resource: Offer
        owner: vendor
        fields:
          seller: { type: ref, to: User }"
    right "
        resource: Offer
        owner: seller
        fields:
          seller: { type: ref, to: User }"

    WrongDefinition = "wrong-definition", Error;
    "The name is that of another kind of definition"
    "A field holds an enum or an object as its `type`, and points at a resource with `type: ref` and `to`."
    wrong "
        resource: Offer
        fields:
          seller: { type: User }"
    right "
        resource: Offer
        fields:
          seller: { type: ref, to: User }"

    NotAReference = "not-a-reference", Error;
    "The field named is no reference"
    "`owner`, `under` and `through` follow a reference: a field of `type: ref`, not an array of them."
    wrong "
        resource: Offer
        under: [seller]
        fields:
          seller: { type: string }"
    right "
        resource: Offer
        under: [seller]
        fields:
          seller: { type: ref, to: User }"

    HiddenShow = "hidden-show", Error;
    "A reference shows what cannot be shown"
    "What is `writeOnly` is never rendered, what only some views have is not everybody's to see, a reference shown \
     would have to be followed on, and `id` is there anyway."
    wrong "
        resource: Account
        fields:
          password: { type: string, secret: argon2, writeOnly: true }
        ---
        resource: Offer
        fields:
          account: { type: ref, to: Account, show: [password] }"
    right "
        resource: Account
        fields:
          name: { type: string }
          password: { type: string, secret: argon2, writeOnly: true }
        ---
        resource: Offer
        fields:
          account: { type: ref, to: Account, show: [name] }"

    ObjectRecursion = "object-recursion", Error;
    "An object contains itself"
    "Neither columns nor a plan can be made from what has no end. What nests without bounds is a resource with a \
     reference to itself."
    wrong "
        object: Category
        fields:
          name: { type: string }
          parent: { type: Category }
        ---
        resource: Offer
        fields:
          category: { type: Category }"
    right "
        resource: Category
        fields:
          name: { type: string }
          parent: { type: ref, to: Category }
        ---
        resource: Offer
        fields:
          category: { type: ref, to: Category }"

    RequiredRing = "required-ring", Error;
    "Required references form a ring"
    "Each entity would have to be there before the other: none could ever be created. One of the references must be \
     optional."
    wrong "
        resource: Team
        fields:
          captain: { type: ref, to: Player, required: true }
        ---
        resource: Player
        fields:
          team: { type: ref, to: Team, required: true }"
    right "
        resource: Team
        fields:
          captain: { type: ref, to: Player }
        ---
        resource: Player
        fields:
          team: { type: ref, to: Team, required: true }"

    NullOnRequired = "null-on-required", Error;
    "A required reference would become null"
    "`onDelete: null` takes the reference away when the other entity is deleted, and a required one is never null."
    wrong "
        resource: Offer
        fields:
          seller: { type: ref, to: User, required: true, onDelete: null }"
    right "
        resource: Offer
        fields:
          seller: { type: ref, to: User, required: true, onDelete: cascade }"

    TooManyFields = "too-many-fields", Error;
    "A resource has too many fields"
    "The fields of its objects count too, wherever an object stands: nearly each makes a column, and a table has an end. \
     A resource with 750 fields is several resources; the example stands for so many."
    wrong "
        resource: Sheet
        fields:
          cellOne: { type: string }
          cellTwo: { type: string }"
    right "
        resource: Sheet
        fields:
          cells: { type: array, items: { type: string } }"

    ManyIndexes = "many-indexes", Warning, allow;
    "A resource has more indexes than its writes can bear"
    "What is filtered or sorted by is indexed, a price's currency and the common fields included, and every index is \
     written at every creation: with 40 the database works on it thirty times as long as with none. The example stands \
     for so many."
    wrong "
        resource: Sheet
        fields:
          cellOne: { type: string, filter: true }
          cellTwo: { type: string, filter: true }"
    right "
        resource: Sheet
        fields:
          cellOne: { type: string, filter: true }
          cellTwo: { type: string }"

    // Who may do what.

    NoUsers = "no-users", Error;
    "The service does not say which resource its users are"
    "An owner is a user, and the service document's `users` names their resource."
    wrong "
        service: marketplace
        ---
        resource: Offer
        owner: seller
        fields:
          seller: { type: ref, to: User }"
    right "
        service: marketplace
        users: User
        ---
        resource: Offer
        owner: seller
        fields:
          seller: { type: ref, to: User }"

    NoOwner = "no-owner", Error;
    "`owner` has access, but the resource has no owner"
    "`owner:` names the reference that tells whose an entity is. (An entity of the `users` resource is its own owner.)"
    wrong "
        resource: Offer
        operations: { update: { access: owner } }
        fields:
          seller: { type: ref, to: User }"
    right "
        resource: Offer
        owner: seller
        operations: { update: { access: owner } }
        fields:
          seller: { type: ref, to: User }"

    OwnerNotUser = "owner-not-user", Error;
    "The owner is not a user"
    "A caller is known by the id of an entity of the service's `users` resource; the owner must be a reference to it."
    wrong "
        resource: Shop
        fields:
          name: { type: string }
        ---
        resource: Offer
        owner: shop
        fields:
          shop: { type: ref, to: Shop }"
    right "
        resource: Offer
        owner: seller
        fields:
          seller: { type: ref, to: User }"

    RedundantAccess = "redundant-access", Error;
    "The access says nothing, or one word makes another pointless"
    "Any of the words lets a caller in: beside `anyone` nothing matters, and beside `user` not `owner`. An empty list \
     lets nobody in; leave the operation out instead."
    wrong "
        resource: Offer
        owner: seller
        operations: { list: { access: [anyone, owner] } }
        fields:
          seller: { type: ref, to: User }"
    right "
        resource: Offer
        owner: seller
        operations: { list: { access: owner } }
        fields:
          seller: { type: ref, to: User }"

    BadScope = "bad-scope", Error;
    "The scope cannot stand in a token"
    "A scope is printable ASCII without spaces, quotes and backslashes (RFC 6749 §3.3)."
    wrong "
        resource: Offer
        operations: { delete: { access: 'scope:offers admin' } }
        fields:
          name: { type: string }"
    right "
        resource: Offer
        operations: { delete: { access: 'scope:offers.admin' } }
        fields:
          name: { type: string }"

    AsyncRead = "async-read", Error;
    "An operation that reads is `async`"
    "202 is the answer to what will be done later (§4.8); a read has to answer now."
    wrong "
        resource: Offer
        operations: { list: { async: true } }
        fields:
          name: { type: string }"
    right "
        resource: Offer
        operations: { delete: { async: true } }
        fields:
          name: { type: string }"

    // Versions and views.

    NoVersion = "no-version", Error;
    "A resource is served in no version"
    "Every request names a version (§9.2), and none would be the right one."
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
    "A version is served and retired"
    "A retired version is answered with 410."
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
    "Beta versions do not count up"
    "Betas begin with `beta.v1`, stand in ascending order, and older ones are retired before newer ones (§9.5)."
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
    "The resource is not served in this version"
    "A field's `versions` choose from the `versions` of its resource."
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
    "The resource has no such view"
    "A field's `views` choose from the `views` of its resource."
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
    "A required field is lacking where entities are created"
    "A version or view that can create must have every required field that has no default, or each creation there fails."
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
    "The path of a view is not one"
    "It begins with a slash and has dashed lower-case words between slashes, without parameters (§2.1)."
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
    "A path exists when something can be done there."
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

    BadThrough = "bad-through", Error;
    "The resource that a view goes through does not lead here from its owner"
    "`through: Watch.offer` shows what the caller's watches point at: `Watch` has an owner, and its `offer` refers to \
     this resource."
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
    "A view through another resource does more than read"
    "It shows what the caller's own entities point at; what is written there would be neither the one nor the other."
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
    "Two scoped collections have one path"
    "`/users/{userId}/offers` can stand for one of the references only."
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
    "Two things have one path"
    "Collections, views, searches, commands and the service's own paths (`/livez`, `/readyz`, `/metrics`, \
     `/openapi.json`, `/docs`, `/events`) share one space."
    wrong "
        resource: Event
        fields:
          name: { type: string }"
    right "
        resource: Event
        plural: calendar-events
        fields:
          name: { type: string }"

    // Searches, combinations, commands.

    Unsearchable = "unsearchable", Error;
    "A field cannot be searched for"
    "A search covers filterable fields, objects that have some, and arrays of objects (§2.5)."
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
    "`search: true` covers the filterable fields and the arrays of objects, and there are none."
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
    "A unique combination has fewer than two fields"
    "One field alone says `unique: true`."
    wrong "
        resource: Offer
        unique: [[name]]
        fields:
          name: { type: string }"
    right "
        resource: Offer
        fields:
          name: { type: string, unique: true }"

    BadTimeout = "bad-timeout", Error;
    "The timeout is no duration that a command could have"
    "An ISO 8601 duration from one second (`PT1S`) to one day (`P1D`), without years and months, whose length varies."
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

    // Messages: raised by `messages::check`.

    FluentSyntax = "fluent-syntax", Error;
    "The text is not Fluent"
    "A message is an id, `=` and a text; the lines that it goes on in are indented. What cannot be read is left out, and \
     what stands around it is looked at."
    wrong "
        # messages/en.ftl
        TooLong = At most { $maxLength characters."
    right "
        # messages/en.ftl
        TooLong = At most { $maxLength } characters."

    UnknownLanguage = "unknown-language", Error;
    "A file of messages is of no language"
    "The file is called by its language's tag, RFC 5646: `pl.ftl`, `pt-BR.ftl`. Readers ask for languages by these."
    wrong "
        # messages/english.ftl
        TooLong = At most { $maxLength } characters."
    right "
        # messages/en.ftl
        TooLong = At most { $maxLength } characters."

    UnknownMessage = "unknown-message", Error;
    "A message's id is that of no error"
    "An id is an error's code, or the resource, the path of one of its fields or of a command's inputs, and the code, \
     with `_` between them; items of arrays have the array's path. A code that is not built in is the service's own, \
     unless it is one letter off a built-in one."
    wrong "
        # messages/en.ftl
        User_nmae_TooLong = At most { $maxLength } characters."
    right "
        # messages/en.ftl
        User_name_TooLong = At most { $maxLength } characters."

    MessageAttribute = "message-attribute", Error;
    "A message has an attribute"
    "An error has one text for its users, the message's own. Attributes are for terms."
    wrong "
        # messages/en.ftl
        TooLong = This is too long.
            .hint = At most { $maxLength } characters."
    right "
        # messages/en.ftl
        TooLong = This is too long: at most { $maxLength } characters."

    DuplicateMessage = "duplicate-message", Error;
    "A message stands twice in a language"
    "Only one of them could be shown, and the other would be taken for it."
    wrong "
        # messages/en.ftl
        OfferEnded = The offer has ended.
        OfferEnded = This offer is over."
    right "
        # messages/en.ftl
        OfferEnded = The offer has ended."

    UnknownVariable = "unknown-variable", Error;
    "A message uses a variable that its error has not"
    "The variables are what the error's `details` carry, the limit that was broken, and, of errors with a path, `$field`. \
     A code of the service's own has the details that it is raised with; these are not known here."
    wrong "
        # messages/en.ftl
        TooLong = At most { $max } characters."
    right "
        # messages/en.ftl
        TooLong = At most { $maxLength } characters."

    UnknownReference = "unknown-reference", Error;
    "A message uses a term or a function that is not there"
    "Terms, like `-shop`, belong to the language that they are written in; `NUMBER` is the only function. Messages are \
     whole sentences, and are not put into one another."
    wrong "
        # messages/en.ftl
        OfferEnded = { -shop } does not sell this any more."
    right "
        # messages/en.ftl
        -shop = The corner shop
        OfferEnded = { -shop } does not sell this any more."

    MissingTranslation = "missing-translation", Error;
    "A message is missing in another language of the service"
    "What one file of messages says, the others say too; else some users would get an English text, or a more general \
     one, and nobody would notice. English and Polish have every built-in code; a regional language has what its \
     general one has."
    wrong "
        # messages/en.ftl
        OfferEnded = The offer has ended.
        ---
        # messages/pl.ftl
        OfferSold = Oferta została sprzedana."
    right "
        # messages/en.ftl
        OfferEnded = The offer has ended.
        ---
        # messages/pl.ftl
        OfferEnded = Oferta się zakończyła."

    // What a database would lose: raised by `restwell generate`, which knows the model before.

    LosesData = "loses-data", Error;
    "Stored values would be lost, or would break the new schemas"
    "A field that is gone takes its values with it, and so does a type that has nothing to do with the one before; a \
    constraint that takes less leaves values behind that break it. Where that is meant, `restwell generate --allow-drop` \
    says so once. What has another name now says which it had: then nothing is lost."
    wrong "
        # `title` was called `name` when the last migration was written
        resource: Offer
        fields:
          title: { type: string }"
    right "
        resource: Offer
        fields:
          title: { type: string, renamedFrom: name }"

    NeedsDefault = "needs-default", Error;
    "Stored rows have no value for what is required"
    "The rows that are there were written before the field was, or when it could be null. A `default` gives them a value; it \
    may be taken away again once the migration is written."
    wrong "
        # there was no `weight` when the last migration was written
        resource: Offer
        fields:
          weight: { type: integer, required: true }"
    right "
        resource: Offer
        fields:
          weight: { type: integer, required: true, default: 1 }"

    // Rules switched off.

    UnknownRule = "unknown-rule", Error;
    "`allow` names no rule"
    "It takes the code of a rule, as diagnostics show it."
    wrong "
        resource: Offer
        fields:
          data: { type: array, items: { type: string }, allow: { plural: \"the domain's word\" } }"
    right "
        resource: Offer
        fields:
          data: { type: array, items: { type: string }, allow: { plural-array: \"the domain's word\" } }"

    NotAllowable = "not-allowable", Error;
    "`allow` names a rule that cannot be switched off"
    "Only rules about names and taste can be: without the others there would be no service that works."
    wrong "
        enum: Colour
        values: [white]
        allow: { upper-snake: \"the domain's word\" }
        ---
        resource: Offer
        fields:
          colour: { type: Colour }"
    right "
        enum: Colour
        values: [WHITE]
        ---
        resource: Offer
        fields:
          colour: { type: Colour }"

    EmptyReason = "empty-reason", Error;
    "`allow` gives no reason"
    "The next reader wants to know why the name is as it is."
    wrong "
        resource: Offer
        fields:
          news: { type: string, allow: { singular-field: \"\" } }"
    right "
        resource: Offer
        fields:
          colours: { type: string, allow: { singular-field: \"the paint shop's word\" } }"

    UnusedAllow = "unused-allow", Warning;
    "`allow` switches nothing off"
    "The rule holds here, or was never broken; the exemption would hide the next slip."
    wrong "
        resource: Offer
        fields:
          name: { type: string, allow: { singular-field: \"it is singular\" } }"
    right "
        resource: Offer
        fields:
          name: { type: string }"
}
