//! Faults of rules that are switched off.

macro_rules! exemptions {
    ($next:ident [$($rest:ident)*] $($before:tt)*) => { $next! { [$($rest)*] $($before)*

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

    } };
}
