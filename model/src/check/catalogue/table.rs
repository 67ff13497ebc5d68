//! The faults, in the order of the page: what only a front end sees, then names, types, keys, references, operations.
//!
//! The file is long because it is one table: the enum, the order of the page and the texts follow from one list. A
//! table for each theme would have to list the codes a second time.

use super::{AllowPolicy, Entry, Severity};

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
        AllowPolicy::Never
    };
    (allow) => {
        AllowPolicy::Allowed
    };
}

catalogue! {
    // Documents and attributes: raised by the front ends.

    YamlSyntax = "yaml-syntax", Error;
    "The file is not valid YAML"
    "The parser stopped at this place and did not read the rest of the file."
    wrong "
        resource: Offer
        fields: { name: { type: string }"
    right "
        resource: Offer
        fields: { name: { type: string } }"

    TabIndentation = "tab-indentation", Error;
    "A line is indented with a tab"
    "YAML allows only spaces for indentation."
    wrong "
        resource: Offer
        fields:
        \tname: { type: string }"
    right "
        resource: Offer
        fields:
          name: { type: string }"

    AliasRefused = "alias-refused", Error;
    "The file uses an anchor, an alias or a merge key"
    "The schema language does not have them: each definition is complete at its own place. To share a part, define an \
     `object` or an `enum` and use its name."
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
    "The first key does not name the kind of the document"
    "The first key of a document is `service`, `resource`, `object` or `enum`, and its value is the name."
    wrong "
        entity: Offer
        fields:
          name: { type: string }"
    right "
        resource: Offer
        fields:
          name: { type: string }"

    UnknownKey = "unknown-key", Error;
    "The key does not exist in the schema language"
    "Unknown keys are refused, not ignored, so that a misspelt key cannot go unnoticed."
    wrong "
        resource: Offer
        fields:
          name: { type: string, mandatory: true }"
    right "
        resource: Offer
        fields:
          name: { type: string, required: true }"

    DuplicateKey = "duplicate-key", Error;
    "The same key appears twice in one mapping"
    "Only one of the two values could apply. Keep one of them."
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
    "A required key is missing"
    "Without this key the mapping has no meaning."
    wrong "
        resource: Offer
        fields:
          name: { required: true }"
    right "
        resource: Offer
        fields:
          name: { type: string, required: true }"

    WrongType = "wrong-type", Error;
    "The value has the wrong form for this key"
    "For example a text where the key takes a number, a list or a mapping."
    wrong "
        resource: Offer
        fields:
          name: { type: string, maxLength: long }"
    right "
        resource: Offer
        fields:
          name: { type: string, maxLength: 75 }"

    InvalidValue = "invalid-value", Error;
    "The key does not accept this value"
    "The form is right, but the value is not in the set of values that the key accepts."
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
    "Exactly one document begins with `service`, which gives the name of the service."
    wrong "
        resource: Offer
        fields:
          name: { type: string }"
    right "
        service: marketplace
        users: User"

    SeveralServices = "several-services", Error;
    "More than one document describes the service"
    "All definitions in one folder belong to one service."
    wrong "
        service: marketplace
        ---
        service: shop"
    right "
        service: marketplace
        users: User"

    DuplicateName = "duplicate-name", Error;
    "Two definitions have the same name"
    "Resources, objects and enums share one namespace. A definition written inline in a field counts too, under the \
     name it gets: `status` of `Offer` becomes `OfferStatus`."
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
    "An attribute of a derive has the wrong syntax"
    "A Rust struct has in `#[resource(…)]`, `#[field(…)]` and `#[command(…)]` what YAML has as keys: \
     `#[field(max_length = 75)]` is `maxLength: 75`."
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
    "Array properties have plural names, so that a reader sees from the name that there can be several values (§2.1)."
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
    "All properties except arrays have singular names (§2.1)."
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
    "The name is already used by a Rust type"
    "The generated code has one Rust type for each definition, beside the types of Rust and of Restwell. A second \
     `Option` or `Price` would hide the original."
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
    "The name cannot be used as a name in Rust"
    "Rust can escape most keywords (`r#type`), but not `self`, `super` and `crate`."
    wrong "
        resource: Page
        fields:
          self: { type: string, format: uri }"
    right "
        resource: Page
        fields:
          link: { type: string, format: uri }"

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
    "`sort`, `offset`, `limit`, `search`, `dryRun` and `include` have a fixed meaning in a query (§4.3–4.6)."
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
    "Two names produce the same column, Rust field or variant"
    "A field produces a Rust field in snake_case. A price produces the columns `…_amount` and `…_currency`, a \
     reference `…_id`, an object one column for each of its fields, and an optional object one more that records \
     whether it is present. An enum value produces a variant. All of these names must differ."
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
     (§2.4.9). With `ref` the service also checks that the other entity exists."
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

    // Types and their constraints.

    ContradictoryBounds = "contradictory-bounds", Error;
    "No value can satisfy both bounds"
    "The lower bound is above the upper bound, or the array needs more different items than exist."
    wrong "
        resource: Offer
        fields:
          name: { type: string, minLength: 10, maxLength: 5 }"
    right "
        resource: Offer
        fields:
          name: { type: string, minLength: 5, maxLength: 10 }"

    BadBound = "bad-bound", Error;
    "A bound is not a valid value of the type"
    "A price has at most 16 digits before the decimal point, two after it, and no sign (§2.4.7). A decimal has at \
     most 18 digits, `scale` of them after the decimal point. A number is finite."
    wrong "
        resource: Offer
        fields:
          buyNow: { type: price, minimum: 0.005 }"
    right "
        resource: Offer
        fields:
          buyNow: { type: price, minimum: 0.01 }"

    BadPattern = "bad-pattern", Error;
    "The pattern does not compile"
    "Patterns have the syntax of Rust's `regex` crate, without look-around and backreferences, so that matching takes \
     linear time for every text."
    wrong "
        resource: Product
        fields:
          ean: { type: string, pattern: '^[0-9{13}$' }"
    right "
        resource: Product
        fields:
          ean: { type: string, pattern: '^[0-9]{13}$' }"

    BadScale = "bad-scale", Error;
    "A decimal has more digits than can be stored"
    "A decimal has 18 digits in total, so `scale` is between 0 and 18."
    wrong "
        resource: Rate
        fields:
          factor: { type: decimal, scale: 20 }"
    right "
        resource: Rate
        fields:
          factor: { type: decimal, scale: 8 }"

    UnknownCurrency = "unknown-currency", Error;
    "The currency is not in ISO 4217"
    "A currency is its three-letter ISO 4217 code (§2.4.7). Withdrawn codes are not accepted."
    wrong "
        resource: Offer
        fields:
          buyNow: { type: price, currencies: [PLN, EURO] }"
    right "
        resource: Offer
        fields:
          buyNow: { type: price, currencies: [PLN, EUR] }"

    NestedArray = "nested-array", Error;
    "An array contains arrays"
    "The path of an error and the criteria of a search could not address the inner items. Put the inner array into an \
     object, as a field with a name."
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
    "A field is both `readOnly` and `writeOnly`"
    "No client could ever read or write it."
    wrong "
        resource: Offer
        fields:
          note: { type: string, readOnly: true, writeOnly: true }"
    right "
        resource: Offer
        fields:
          note: { type: string, writeOnly: true }"

    ImmutableReadOnly = "immutable-read-only", Error;
    "A field is both `immutable` and `readOnly`"
    "`immutable` restricts what a client may change after creation, but a client can never set a `readOnly` field."
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
    "Requests cannot set the field, so every creation fails until a hook sets it. To work without a hook, add a \
     `default` or remove `required`."
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
    "The service stores only the hash of a secret, so a secret cannot be shown, have a default or be compared."
    wrong "
        resource: Account
        fields:
          password: { type: string, secret: argon2 }"
    right "
        resource: Account
        fields:
          password: { type: string, secret: argon2, writeOnly: true }"

    NoFilter = "no-filter", Error;
    "The field cannot be filtered"
    "A query parameter compares one value. In an object, set `filter` on its own fields. To filter by an array, use a \
     search. A `writeOnly` field has no filter, because a filter would reveal its value."
    wrong "
        resource: Offer
        fields:
          tags: { type: array, items: { type: string }, filter: true }"
    right "
        resource: Offer
        search: [tags]
        fields:
          tags: { type: array, items: { type: string } }"

    SlowContains = "slow-contains", Warning, allow;
    "A `contains` filter has no index"
    "A text can be anywhere in a value, so a list with `contains` reads rows until its page is full, and all rows if \
     few match. On a big table it may be refused as `TooCostly`. `startsWith` has an index."
    wrong "
        resource: Offer
        fields:
          name: { type: string, filter: [contains] }"
    right "
        resource: Offer
        fields:
          name: { type: string, filter: [startsWith] }"

    NoOrder = "no-order", Error;
    "The field cannot be sorted"
    "Arrays, objects, references and durations have no order, and a field inside an array has more than one value. A \
     `writeOnly` field cannot be sorted, because the order would reveal its value."
    wrong "
        resource: Offer
        fields:
          duration: { type: duration, sort: true }"
    right "
        resource: Offer
        fields:
          endingAt: { type: timestamp, sort: true }"

    NoUnique = "no-unique", Error;
    "The field cannot be unique"
    "`unique` applies to one value or to a combination of single values, not to an array or an object, and not to a \
     field inside an array."
    wrong "
        resource: Offer
        fields:
          images: { type: array, items: { type: string }, unique: true }"
    right "
        resource: Offer
        fields:
          images: { type: array, items: { type: string }, uniqueItems: true }"

    CaselessType = "caseless-type", Error;
    "The values have no case to ignore"
    "`unique: ignoreCase` compares texts without their case, so it applies to strings. Values of other types are written \
     in one way only, and `unique: true` compares them."
    wrong "
        resource: Offer
        fields:
          ean: { type: integer, unique: ignoreCase }"
    right "
        resource: Offer
        fields:
          ean: { type: integer, unique: true }"

    CommandKey = "command-key", Error;
    "The key has no meaning for an input or output of a command"
    "Commands are never listed or changed, so the keys for collections (`filter`, `sort`, `unique`, `views`) and for \
     updates (`immutable`) do not apply. An output is null until its value is known, and a request cannot set it."
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
    "The definition has `sunset` but not `deprecated`"
    "`sunset` is the day on which a deprecated part is removed, so `deprecated: true` must be there too."
    wrong "
        resource: Offer
        fields:
          legacyCode: { type: string, sunset: \"2027-06-30\" }"
    right "
        resource: Offer
        fields:
          legacyCode: { type: string, deprecated: true, sunset: \"2027-06-30\" }"

    SenselessDefault = "senseless-default", Error;
    "The field cannot have a default"
    "An omitted field is null already, so a default of null has no effect. The default of a unique field could be \
     used by one entity only. The default of a reference would name an entity that may not exist. The default of a \
     secret would be public."
    wrong "
        resource: Offer
        fields:
          code: { type: string, unique: true, default: NONE }"
    right "
        resource: Offer
        fields:
          code: { type: string, unique: true }"

    BadDefault = "bad-default", Error;
    "The default is not a valid value of the field"
    "A default must satisfy the type and the constraints of the field, like a value in a request."
    wrong "
        resource: Offer
        fields:
          colour: { type: enum, values: [WHITE, BLACK], default: GREEN }"
    right "
        resource: Offer
        fields:
          colour: { type: enum, values: [WHITE, BLACK], default: WHITE }"

    BadExample = "bad-example", Error;
    "The example is not a valid value of the field"
    "An example must satisfy the type and the constraints of the field; otherwise the documentation would show a \
     value that the service refuses."
    wrong "
        resource: Offer
        fields:
          startingAt: { type: timestamp, example: tomorrow }"
    right "
        resource: Offer
        fields:
          startingAt: { type: timestamp, example: \"2027-01-31T12:00:00.000Z\" }"

    RenameClash = "rename-clash", Error;
    "`renamedFrom` names a field or definition that still exists, or that two others claim"
    "A migration moves the stored values from the old name to the new name. It cannot do that when the old name is \
     still in use, or when two new names claim it."
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
    "The type does not exist"
    "A type is a built-in type of the schema language, or the name of an `object` or `enum` of the service."
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
    "`owner`, `under`, `unique`, `search`, `show` and `through` name fields that are listed under `fields`."
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
    "The name belongs to another kind of definition"
    "To contain an enum or an object, a field has its name as `type`. To refer to a resource, a field has `type: ref` \
     and `to`."
    wrong "
        resource: Offer
        fields:
          seller: { type: User }"
    right "
        resource: Offer
        fields:
          seller: { type: ref, to: User }"

    NotAReference = "not-a-reference", Error;
    "The field is not a reference"
    "`owner`, `under` and `through` need a field of `type: ref`. An array of references does not work."
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
    "`show` names a field that a reference cannot show"
    "A reference cannot show a `writeOnly` field (it is never rendered), a field that only some views have (not every \
     caller may see it), or another reference (it would have to be followed again). `id` is always shown."
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
    "The columns of such an object would have no end. For nesting of any depth, make it a resource with a reference \
     to itself."
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
    "Required references form a cycle"
    "Each entity would need the other one first, so none could ever be created. Make one of the references optional."
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
    "`onDelete: null` on a required reference"
    "`onDelete: null` clears the reference when the other entity is deleted, but a required reference is never null."
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
    "Fields of objects count at every place where the object is used: nearly every field is a column, and databases \
     limit the number of columns. Split a resource with 750 fields into several resources. (The example stands for a \
     resource of that size.)"
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
    "A resource has many indexes, which makes writes slow"
    "Every field with `filter` or `sort` has an index, also a price's currency and the common fields, and every \
     creation writes to every index: with 40 indexes the database does thirty times the work of none. (The example \
     stands for a resource of that size.)"
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
    "The service does not name the resource of its users"
    "An owner is a user, and `users` in the service document names the resource of the users."
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

    BadSubject = "bad-subject", Error;
    "The field with the subjects of tokens is not a unique string"
    "`subject` names the field by which a token's user is found, so no two users may have the same: a string with \
     `unique: true`, which is stored as it is. `unique: ignoreCase` would take two subjects that differ in case for one, \
     and their issuer does not."
    wrong "
        service: marketplace
        users: { resource: User, subject: externalId }
        ---
        resource: User
        fields:
          externalId: { type: string, readOnly: true }"
    right "
        service: marketplace
        users: { resource: User, subject: externalId }
        ---
        resource: User
        fields:
          externalId: { type: string, unique: true, readOnly: true }"

    BadProvision = "bad-provision", Error;
    "`provision` cannot make a user"
    "At the first token of a subject, the fields in `provision` get the values of its claims. A claim is a text, a \
     number or `true` and `false`. All required fields need one, unless they have a default; the subject itself is \
     set in any case."
    wrong "
        service: marketplace
        users: { resource: User, subject: externalId, provision: { name: name } }
        ---
        resource: User
        fields:
          externalId: { type: string, unique: true, readOnly: true }
          name: { type: string, required: true }
          email: { type: string, required: true }"
    right "
        service: marketplace
        users: { resource: User, subject: externalId, provision: { name: name, email: email } }
        ---
        resource: User
        fields:
          externalId: { type: string, unique: true, readOnly: true }
          name: { type: string, required: true }
          email: { type: string, required: true }"

    WritableSubject = "writable-subject", Warning, allow;
    "Clients can set the subject of a user"
    "A client that can set the subject of a user can let another token be that user, before its owner comes. \
     With `readOnly: true` only the service itself sets it."
    wrong "
        service: marketplace
        users: { resource: User, subject: externalId }
        ---
        resource: User
        fields:
          externalId: { type: string, unique: true }"
    right "
        service: marketplace
        users: { resource: User, subject: externalId }
        ---
        resource: User
        fields:
          externalId: { type: string, unique: true, readOnly: true }"

    OpenWrites = "open-writes", Warning, allow;
    "Anyone can write, and the description does not say so"
    "Without `access`, an operation or a command is open to callers without a token. For what creates, changes or \
     deletes, write who has access: `user`, `owner`, a scope, or `anyone`. It is reported once the description has no \
     errors."
    wrong "
        resource: Offer
        fields:
          name: { type: string }"
    right "
        resource: Offer
        operations:
          create: { access: user }
          list:
          get:
          update: { access: \"scope:offers.admin\" }
          delete: { access: \"scope:offers.admin\" }
        fields:
          name: { type: string }"

    NoOwner = "no-owner", Error;
    "The access is `owner`, but the resource has no owner"
    "`owner:` names the reference to the user who owns an entity. (An entity of the `users` resource owns itself, with \
     `owner: id` or without.)"
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
    "The id of a caller is the id of an entity of the service's `users` resource, so `owner` must be a reference to \
     that resource."
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
    "The access list is empty, or one entry makes another pointless"
    "A caller needs only one of the entries: with `anyone` all others have no effect, and with `user` the entry \
     `owner` has none. An empty list lets no caller in; remove the operation instead."
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
    "The scope has characters that a token cannot contain"
    "A scope is printable ASCII without spaces, quotation marks and backslashes (RFC 6749 §3.3)."
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
    "A reading operation is `async`"
    "An `async` operation responds with 202 and does its work later (§4.8). A read must respond with its result."
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
    "Collections, views, searches, commands and the paths of the service itself (`/livez`, `/openapi.json`, `/events` and \
     others) share one namespace."
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
    "A unique combination has fewer than two fields"
    "For one field, write `unique: true` on the field."
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

    // Messages: raised by `messages::check`.

    FluentSyntax = "fluent-syntax", Error;
    "The text is not valid Fluent"
    "A message is an id, `=` and a text; further lines of the text are indented. The check skips what it cannot read \
     and continues with the next message."
    wrong "
        # messages/en.ftl
        TooLong = At most { $maxLength characters."
    right "
        # messages/en.ftl
        TooLong = At most { $maxLength } characters."

    UnknownLanguage = "unknown-language", Error;
    "The name of a message file is not a language"
    "The file name is a language tag of RFC 5646: `pl.ftl`, `pt-BR.ftl`. Clients request languages by these tags."
    wrong "
        # messages/english.ftl
        TooLong = At most { $maxLength } characters."
    right "
        # messages/en.ftl
        TooLong = At most { $maxLength } characters."

    NoMessages = "no-messages", Error;
    "A language has no messages"
    "The files of this language contain no message, so its users would get English texts. Write messages, or remove \
     the file."
    wrong "
        # messages/de.ftl
        -shop = Der Laden"
    right "
        # messages/de.ftl
        -shop = Der Laden
        Forbidden = { -shop } erlaubt das nicht."

    UnreadMessages = "unread-messages", Warning;
    "A message file is outside of the schemas"
    "Messages are read from the folder of the schemas, at any depth: `schemas/messages/de.ftl`. A folder `messages` \
     beside it is not read."
    wrong "
        # ../messages/de.ftl
        Forbidden = Das ist nicht erlaubt."
    right "
        # messages/de.ftl
        Forbidden = Das ist nicht erlaubt."

    UnknownMessage = "unknown-message", Error;
    "No error has this message id"
    "An id is the code of an error; or the resource, the path of a field or of a command input, and the code, with \
     `_` between them. Items of an array have the path of the array. A code that is not built in counts as a custom \
     code of the service, unless it differs from a built-in code by one letter."
    wrong "
        # messages/en.ftl
        User_nmae_TooLong = At most { $maxLength } characters."
    right "
        # messages/en.ftl
        User_name_TooLong = At most { $maxLength } characters."

    MessageAttribute = "message-attribute", Error;
    "A message has an attribute"
    "An error has one text for users, which is the value of the message. Only terms may have attributes."
    wrong "
        # messages/en.ftl
        TooLong = This is too long.
            .hint = At most { $maxLength } characters."
    right "
        # messages/en.ftl
        TooLong = This is too long: at most { $maxLength } characters."

    DuplicateMessage = "duplicate-message", Error;
    "A language has the same message twice"
    "Only one of them can be used. Remove the other one."
    wrong "
        # messages/en.ftl
        OfferEnded = The offer has ended.
        OfferEnded = This offer is over."
    right "
        # messages/en.ftl
        OfferEnded = The offer has ended."

    UnknownVariable = "unknown-variable", Error;
    "A message uses a variable that its error does not have"
    "The variables of an error are its `details`, the limit that was exceeded and, if the error has a path, `$field`. \
     A custom code has the details that your code raises it with, and the check does not know these."
    wrong "
        # messages/en.ftl
        TooLong = At most { $max } characters."
    right "
        # messages/en.ftl
        TooLong = At most { $maxLength } characters."

    UnknownReference = "unknown-reference", Error;
    "A message uses a term or function that does not exist"
    "A term, like `-shop`, must be defined in the same language. The functions are `NUMBER` and `DATETIME`, \
     which has no options. A message cannot include another message."
    wrong "
        # messages/en.ftl
        OfferEnded = { -shop } does not sell this any more."
    right "
        # messages/en.ftl
        -shop = The corner shop
        OfferEnded = { -shop } does not sell this any more."

    MissingTranslation = "missing-translation", Error;
    "Another language of the service does not have this message"
    "All message files need the same messages; otherwise some users get an English text, or a more general one, and \
     the gap stays unnoticed. English and Polish have all built-in codes. A regional language inherits the messages \
     of its base language."
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
    "A change would delete stored values, or leave values that break the new schemas"
    "A removed field loses its stored values, and so does a field whose new type cannot hold them. A stricter \
     constraint leaves stored values that violate it. If the loss is intended, run `restwell generate --allow-drop` \
     once. If the field has only a new name, `renamedFrom` keeps its values."
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
    "Stored rows have no value for a required field"
    "The stored rows were written before the field existed or while it could be null. A `default` gives them a value. \
     You may remove it again once the migration is written."
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
    "`allow` names a rule that does not exist"
    "`allow` takes the code of a rule, as diagnostics show it."
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
    "Only rules about names and style can be switched off. The other rules are necessary for a working service."
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
    "The reason tells the next reader why the exemption is right here."
    wrong "
        resource: Offer
        fields:
          news: { type: string, allow: { singular-field: \"\" } }"
    right "
        resource: Offer
        fields:
          colours: { type: string, allow: { singular-field: \"the paint shop's word\" } }"

    UnusedAllow = "unused-allow", Warning;
    "`allow` has no effect"
    "The rule is not broken here. Remove the exemption, so that it cannot hide a later mistake."
    wrong "
        resource: Offer
        fields:
          name: { type: string, allow: { singular-field: \"it is singular\" } }"
    right "
        resource: Offer
        fields:
          name: { type: string }"
}
