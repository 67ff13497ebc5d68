//! Faults of rules, of conditional keys and of lifecycles.

macro_rules! rules {
    ($next:ident [$($rest:ident)*] $($before:tt)*) => { $next! { [$($rest)*] $($before)*

    BadRuleCode = "bad-rule-code", Error;
    "The code of a rule cannot be used"
    "Clients match on the code of an error. It is in PascalCase, and none of those that the conventions define."
    wrong "
        resource: Offer
        rules:
          - check: 'maximum >= minimum'
            code: TooSmall
            message: must be at least the minimum
        fields:
          minimum: { type: integer, required: true }
          maximum: { type: integer, required: true }"
    right "
        resource: Offer
        rules:
          - check: 'maximum >= minimum'
            code: MaximumBelowMinimum
            path: maximum
            message: must be at least the minimum
        fields:
          minimum: { type: integer, required: true }
          maximum: { type: integer, required: true }"

    MisplacedCondition = "misplaced-condition", Error;
    "A condition stands where it has no effect"
    "`required: { when: … }`, `default: { is: … }` and `is` belong to fields of resources, whose entities are there to \
     evaluate them. An array is never null, and a `readOnly` field is never sent."
    wrong "
        resource: Offer
        fields:
          isUrgent: { type: boolean, required: true }
          tags: { type: array, items: { type: string }, required: { when: isUrgent } }"
    right "
        resource: Offer
        fields:
          isUrgent: { type: boolean, required: true }
          reason: { type: string, required: { when: isUrgent } }"

    ComputedField = "computed-field", Error;
    "A computed field has a key or a use that needs a stored value"
    "A field with `is` is computed whenever an entity is read. It is a single value of the entity, the same for all \
     callers; nothing writes it, limits it or finds entities by it."
    wrong "
        resource: Line
        fields:
          price: { type: price, required: true }
          quantity: { type: integer, required: true }
          total: { type: price, is: 'price * quantity', filter: true }"
    right "
        resource: Line
        fields:
          price: { type: price, required: true }
          quantity: { type: integer, required: true }
          total: { type: price, is: 'price * quantity' }"

    RevealingField = "revealing-field", Error;
    "A computed field shows what not every caller sees"
    "The value of a field with `is` follows from what it reads. If some callers do not see that (`visible`), they could \
     infer it. What `any` and `count` say of other entities is not hidden."
    wrong "
        service: shop
        users: User
        ---
        resource: User
        operations: [list, get]
        fields: { name: { type: string } }
        ---
        resource: Line
        owner: seller
        operations: [list, get]
        fields:
          seller: { type: ref, to: User, required: true }
          price: { type: decimal, required: true }
          cost: { type: decimal, visible: [owner] }
          margin: { type: decimal, is: 'price - cost' }"
    right "
        service: shop
        users: User
        ---
        resource: User
        operations: [list, get]
        fields: { name: { type: string } }
        ---
        resource: Line
        owner: seller
        operations: [list, get]
        fields:
          seller: { type: ref, to: User, required: true }
          price: { type: decimal, required: true }
          cost: { type: decimal, visible: [owner] }
          margin: { type: decimal, is: 'price - cost', visible: [owner] }"

    BadStateField = "bad-state-field", Error;
    "The field of a lifecycle cannot have its state"
    "The state is the value of an enum that no request can set: only transitions change it."
    wrong "
        resource: Offer
        commands:
          end: { access: user }
        lifecycle:
          field: status
          initial: ACTIVE
          final: [ENDED]
          transitions:
            end: { from: ACTIVE, to: ENDED }
        fields:
          status: { type: enum, values: [ACTIVE, ENDED], default: ACTIVE }"
    right "
        resource: Offer
        commands:
          end: { access: user }
        lifecycle:
          field: status
          initial: ACTIVE
          final: [ENDED]
          transitions:
            end: { from: ACTIVE, to: ENDED }
        fields:
          status: { type: enum, values: [ACTIVE, ENDED], readOnly: true, default: ACTIVE }"

    UnknownState = "unknown-state", Error;
    "A lifecycle names a state that its field cannot have"
    "States are the values of the enum of its `field`."
    wrong "
        resource: Offer
        commands:
          end: { access: user }
        lifecycle:
          field: status
          initial: ACTIVE
          final: [ENDED]
          transitions:
            end: { from: ACTIV, to: ENDED }
        fields:
          status: { type: enum, values: [ACTIVE, ENDED], readOnly: true }"
    right "
        resource: Offer
        commands:
          end: { access: user }
        lifecycle:
          field: status
          initial: ACTIVE
          final: [ENDED]
          transitions:
            end: { from: ACTIVE, to: ENDED }
        fields:
          status: { type: enum, values: [ACTIVE, ENDED], readOnly: true }"

    UnreachableState = "unreachable-state", Error;
    "No entity can ever be in a state"
    "A new entity is in the `initial` state, and only transitions lead to others."
    wrong "
        resource: Offer
        commands:
          end: { access: user }
        lifecycle:
          field: status
          initial: ACTIVE
          final: [ENDED, SOLD]
          transitions:
            end: { from: ACTIVE, to: ENDED }
        fields:
          status: { type: enum, values: [ACTIVE, ENDED, SOLD], readOnly: true }"
    right "
        resource: Offer
        commands:
          end: { access: user }
          sell: { access: user }
        lifecycle:
          field: status
          initial: ACTIVE
          final: [ENDED, SOLD]
          transitions:
            end: { from: ACTIVE, to: ENDED }
            sell: { from: ACTIVE, to: SOLD }
        fields:
          status: { type: enum, values: [ACTIVE, ENDED, SOLD], readOnly: true }"

    DeadEndState = "dead-end-state", Error;
    "An entity could never leave a state"
    "A state without a way out is named in `final`, so that a forgotten transition is noticed."
    wrong "
        resource: Offer
        commands:
          end: { access: user }
        lifecycle:
          field: status
          initial: ACTIVE
          transitions:
            end: { from: ACTIVE, to: ENDED }
        fields:
          status: { type: enum, values: [ACTIVE, ENDED], readOnly: true }"
    right "
        resource: Offer
        commands:
          end: { access: user }
        lifecycle:
          field: status
          initial: ACTIVE
          final: [ENDED]
          transitions:
            end: { from: ACTIVE, to: ENDED }
        fields:
          status: { type: enum, values: [ACTIVE, ENDED], readOnly: true }"

    UnknownTransition = "unknown-transition", Error;
    "Nothing makes a transition"
    "A transition has the name of the command that makes it, or says with `at` when the clock does."
    wrong "
        resource: Offer
        lifecycle:
          field: status
          initial: ACTIVE
          final: [ENDED]
          transitions:
            end: { from: ACTIVE, to: ENDED }
        fields:
          status: { type: enum, values: [ACTIVE, ENDED], readOnly: true }"
    right "
        resource: Offer
        commands:
          end: { access: user }
        lifecycle:
          field: status
          initial: ACTIVE
          final: [ENDED]
          transitions:
            end: { from: ACTIVE, to: ENDED }
        fields:
          status: { type: enum, values: [ACTIVE, ENDED], readOnly: true }"

    ClockTransition = "clock-transition", Error;
    "A transition by the clock has no time, or is also a command"
    "`at` names a timestamp of the entity. What happens at that time is no command, so it has a name of its own."
    wrong "
        resource: Offer
        lifecycle:
          field: status
          initial: ACTIVE
          final: [ENDED]
          transitions:
            expire: { from: ACTIVE, to: ENDED, at: lastDay }
        fields:
          lastDay: { type: date }
          status: { type: enum, values: [ACTIVE, ENDED], readOnly: true }"
    right "
        resource: Offer
        lifecycle:
          field: status
          initial: ACTIVE
          final: [ENDED]
          transitions:
            expire: { from: ACTIVE, to: ENDED, at: endingAt }
        fields:
          endingAt: { type: timestamp }
          status: { type: enum, values: [ACTIVE, ENDED], readOnly: true }"

    BadAssignment = "bad-assignment", Error;
    "A transition sets a field that it cannot set"
    "`set` is for fields of the entity that are stored: neither the state, which `to` says, nor arrays and \
     secrets. The expression has the type of the field."
    wrong "
        resource: Offer
        commands:
          end: { access: user }
        lifecycle:
          field: status
          initial: ACTIVE
          final: [ENDED]
          transitions:
            end: { from: ACTIVE, to: ENDED, set: { status: '\"ENDED\"' } }
        fields:
          status: { type: enum, values: [ACTIVE, ENDED], readOnly: true }"
    right "
        resource: Offer
        commands:
          end: { access: user }
        lifecycle:
          field: status
          initial: ACTIVE
          final: [ENDED]
          transitions:
            end: { from: ACTIVE, to: ENDED, set: { endedAt: now } }
        fields:
          endedAt: { type: timestamp, readOnly: true }
          status: { type: enum, values: [ACTIVE, ENDED], readOnly: true }"

    } };
}
