//! Faults of what names other definitions.

macro_rules! references {
    ($next:ident [$($rest:ident)*] $($before:tt)*) => { $next! { [$($rest)*] $($before)*

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

    WideRow = "wide-row", Error;
    "An entity of the resource may not fit into a row"
    "PostgreSQL keeps a row in a page, of which 8,160 bytes are for the row. It moves long texts out, but numbers, ids and \
     texts of up to 23 bytes stay, and 18 bytes stay of each text that is moved out. So 329 texts may fill a row, \
     494 ids, or 494 prices. Split such a resource, whichever database it is for. (The example stands for a resource of \
     that size.)"
    wrong "
        resource: Sheet
        fields:
          cellOne: { type: string }
          cellTwo: { type: string }"
    right "
        resource: Sheet
        fields:
          cells: { type: array, items: { type: string } }"

    TooManyShown = "too-many-shown", Error;
    "References of a resource show too much of other entities"
    "Each reference with `show` reads a row of another table, and each field that it shows is a column of the result. \
     SQLite reads 64 tables at a time, and PostgreSQL returns 1,664 columns. So 60 references of a resource may show \
     fields, and all their columns and its own may be 1,600. (The example stands for a resource of that size.)"
    wrong "
        resource: Offer
        fields:
          seller: { type: ref, to: User, show: [name] }"
    right "
        resource: Offer
        fields:
          seller: { type: ref, to: User }"

    LongCombination = "long-combination", Error;
    "A combination has too many fields"
    "A combination of `unique` or `index` is an index in the database, and an index of PostgreSQL has at most 32 columns. \
     A price has two of them, and the id is the last one of each `index`. (The example stands for a combination of that \
     size.)"
    wrong "
        resource: Offer
        unique: [[shelf, slot, side]]
        fields:
          shelf: { type: string }
          slot: { type: integer }
          side: { type: boolean }"
    right "
        resource: Offer
        unique: [[shelf, slot]]
        fields:
          shelf: { type: string }
          slot: { type: integer }"

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

    } };
}
