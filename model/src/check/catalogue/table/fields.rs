//! Faults of fields: types and their constraints, and keys that do not go together.

macro_rules! fields {
    ($next:ident [$($rest:ident)*] $($before:tt)*) => { $next! { [$($rest)*] $($before)*

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
     most 18 digits, `scale` of them after the decimal point. A number is finite. A text or an array that has to be \
     larger than a request's body, 1 MiB, can never be sent. JSON of any form has at most 262,144 bytes."
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
     linear time for every text. `\\d`, `\\w` and `\\b` are ASCII; documents publish the pattern in a form that means the \
     same in JSON Schema, JavaScript and Python."
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

    MapValues = "map-values", Error;
    "The values of a map have a type that they cannot have"
    "A map keeps single values under names that clients choose. What has parts of its own, or refers to entities, is \
     an array of objects with a field for the name. For values of any form write `values: { type: json }`."
    wrong "
        resource: Offer
        fields:
          metadata: { type: map, values: { type: array, items: { type: string } } }"
    right "
        resource: Offer
        fields:
          metadata: { type: map, values: { type: json } }"

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
    "Requests cannot set the field, so it is null until the service's own code sets it, and clients have to expect \
     null. If each entity has it from the start, add a `default`; otherwise remove `required`."
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
    "A text can be anywhere in a value, so a list with `contains` or `containsIgnoreCase` reads rows until its page is \
     full, and all rows if few match. On a big table it may be refused as `TooCostly`. `startsWith` and \
     `startsWithIgnoreCase` have indexes."
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

    UnknownAnnouncement = "unknown-announcement", Error;
    "`deprecations` names a part that the document does not have"
    "The path of a part begins at the top of its document: `operations.delete`, `views.sale`, `fields.name.filter`, \
     `fields.colour.values.RED` of values that are written there, `commands.renew.input.duration`, `search`, `count`, \
     `under.seller`, `versions.beta.v1`. A shared enum or object announces its own parts."
    wrong "
        resource: Offer
        deprecations: [{ what: operations.remove, sunset: \"2027-06-30\" }]
        fields:
          name: { type: string }"
    right "
        resource: Offer
        deprecations: [{ what: operations.delete, sunset: \"2027-06-30\" }]
        fields:
          name: { type: string }"

    AnnouncedTwice = "announced-twice", Error;
    "A part is announced twice"
    "The two places could name different days. A field and a command say `deprecated` themselves, or are announced in \
     `deprecations`."
    wrong "
        resource: Offer
        deprecations: [{ what: fields.legacyCode, sunset: \"2027-06-30\" }]
        fields:
          legacyCode: { type: string, deprecated: true }"
    right "
        resource: Offer
        fields:
          legacyCode: { type: string, deprecated: true, sunset: \"2027-06-30\" }"

    FormerNameClash = "former-name-clash", Error;
    "The former name is taken"
    "`formerly` is a name beside the present one: of a field in requests and in responses, of a resource, a view or a \
     command in paths and events. Nothing else of its kind can have it, and `renamedFrom` cannot say something else."
    wrong "
        resource: Offer
        fields:
          name: { type: string, formerly: { name: title, sunset: \"2027-06-30\" } }
          title: { type: string }"
    right "
        resource: Offer
        fields:
          name: { type: string, formerly: { name: title, sunset: \"2027-06-30\" } }
          subtitle: { type: string }"

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
     still in use, or when two new names claim it. What has the old name now may have been renamed itself: so two \
     fields can swap their names."
    wrong "
        resource: Offer
        fields:
          name: { type: string }
          title: { type: string, renamedFrom: name }"
    right "
        resource: Offer
        fields:
          title: { type: string, renamedFrom: name }"

    } };
}
