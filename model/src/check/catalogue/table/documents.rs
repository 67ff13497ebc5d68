//! Faults of documents and attributes: raised by the front ends.

macro_rules! documents {
    ($next:ident [$($rest:ident)*] $($before:tt)*) => { $next! { [$($rest)*] $($before)*

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

    } };
}
