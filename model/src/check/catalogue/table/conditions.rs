//! Faults of conditions: who sees what, and what may happen.

macro_rules! conditions {
    ($next:ident [$($rest:ident)*] $($before:tt)*) => { $next! { [$($rest)*] $($before)*

    ConditionSyntax = "condition-syntax", Error;
    "A condition is not an expression"
    "A condition compares fields, the caller and values: `==`, `!=`, `<`, `<=`, `>`, `>=`, `in`, joined by `&&`, `||` \
     and `!`. Texts stand in quotes. There is no division."
    wrong "
        service: marketplace
        users: User
        roles:
          moderator: 'claims.role = \"moderator\"'"
    right "
        service: marketplace
        users: User
        roles:
          moderator: 'claims.role == \"moderator\"'"

    ConditionTooLarge = "condition-too-large", Error;
    "A condition is too large"
    "A condition is evaluated for every entity that it is about, so its length, its depth and the number of references \
     that a name passes through are bounded."
    wrong "
        resource: Unit
        operations: { get: { access: [{ when: 'parent.parent.parent.parent.parent.name == name' }] } }
        fields:
          name: { type: string }
          parent: { type: ref, to: Unit }"
    right "
        resource: Unit
        operations: { get: { access: [{ when: 'parent.parent.name == name' }] } }
        fields:
          name: { type: string }
          parent: { type: ref, to: Unit }"

    ConditionName = "condition-name", Error;
    "A name in a condition does not exist"
    "Names are fields of the entity as in JSON, `this`, `caller`, `scopes`, `claims` and `now`; behind a dot, those of \
     an object or of the entity that a reference points at."
    wrong "
        resource: Offer
        operations: { get: { access: [{ when: 'statsu == \"ACTIVE\"' }] } }
        fields: { status: { type: enum, values: [ACTIVE, ENDED] } }"
    right "
        resource: Offer
        operations: { get: { access: [{ when: 'status == \"ACTIVE\"' }] } }
        fields: { status: { type: enum, values: [ACTIVE, ENDED] } }"

    ConditionPlace = "condition-place", Error;
    "A name in a condition is not known at its place"
    "A role is a condition on the caller alone: it knows no entity. A secret is stored as its hash, which nothing can \
     be compared with. A computed field is known of the entity itself, and not to its own expression."
    wrong "
        service: marketplace
        users: User
        roles:
          seller: 'seller == caller'"
    right "
        service: marketplace
        users: User
        roles:
          seller: 'caller.name != null'"

    ConditionType = "condition-type", Error;
    "Values in a condition do not fit together"
    "Both sides of a comparison have one type; a condition is true or false. A text in quotes is read as what it is \
     compared with: a value of an enum, an id, a date."
    wrong "
        resource: Offer
        operations: { get: { access: [{ when: 'quantity == \"3\"' }] } }
        fields: { quantity: { type: integer } }"
    right "
        resource: Offer
        operations: { get: { access: [{ when: 'quantity == 3' }] } }
        fields: { quantity: { type: integer } }"

    ConditionValue = "condition-value", Error;
    "A value in a condition is not one of its type"
    "Nothing is ever equal to a misspelt value of an enum, or to a malformed timestamp."
    wrong "
        resource: Offer
        operations: { get: { access: [{ when: 'status == \"ACTVE\"' }] } }
        fields: { status: { type: enum, values: [ACTIVE, ENDED] } }"
    right "
        resource: Offer
        operations: { get: { access: [{ when: 'status == \"ACTIVE\"' }] } }
        fields: { status: { type: enum, values: [ACTIVE, ENDED] } }"

    UnknownRole = "unknown-role", Error;
    "A word in `access` is neither of the language nor a role or condition"
    "A word in `access` is `anyone`, `user`, `owner`, `scope:<name>`, a name from `roles` or `conditions` in the service \
     document, or one from `conditions` in the document of the resource."
    wrong "
        resource: Offer
        operations: { list: {}, delete: { access: moderator } }
        fields: { name: { type: string } }"
    right "
        service: marketplace
        users: User
        roles:
          moderator: '\"moderator\" in claims.roles'
        ---
        resource: Offer
        operations: { list: {}, delete: { access: moderator } }
        fields: { name: { type: string } }"

    BadRole = "bad-role", Error;
    "The name of a role is not possible"
    "A role is a word in camelCase that the language does not have: `anyone`, `user` and `owner` are taken."
    wrong "
        service: marketplace
        users: User
        roles:
          owner: 'caller != null'"
    right "
        service: marketplace
        users: User
        roles:
          member: 'caller != null'"

    BadConditionName = "bad-condition-name", Error;
    "The name of a condition is not possible"
    "A named condition is a word in camelCase that stands for one thing wherever conditions read it: a field, a role, \
     another condition or a word of the language cannot have the same name."
    wrong "
        resource: Offer
        conditions: { status: 'endedAt == null' }
        operations: { list: {}, get: {}, update: { access: [status] } }
        fields: { status: { type: string }, endedAt: { type: timestamp } }"
    right "
        resource: Offer
        conditions: { open: 'endedAt == null' }
        operations: { list: {}, get: {}, update: { access: [open] } }
        fields: { status: { type: string }, endedAt: { type: timestamp } }"

    AsyncCondition = "async-condition", Error;
    "An asynchronous operation has a condition on the entity"
    "Access with a condition, and who sees an entity, is decided in the transaction of the change. An asynchronous \
     operation is done later, when its caller is gone and the condition may hold no longer."
    wrong "
        resource: Offer
        operations: { list: {}, delete: { access: [{ when: 'name == null' }], async: true } }
        fields: { name: { type: string } }"
    right "
        resource: Offer
        operations: { list: {}, delete: { access: [{ when: 'name == null' }] } }
        fields: { name: { type: string } }"

    DiscloseNothing = "disclose-nothing", Error;
    "`disclose` stands where every caller sees the entities"
    "`disclose` says what callers get for the id of an entity that they must not see. Without `visible` there is none."
    wrong "
        resource: Offer
        disclose: true
        fields: { name: { type: string } }"
    right "
        service: marketplace
        users: User
        ---
        resource: User
        fields: { name: { type: string } }
        ---
        resource: Offer
        owner: seller
        visible: owner
        disclose: true
        fields: { name: { type: string }, seller: { type: ref, to: User } }"

    FieldVisible = "field-visible", Error;
    "`visible` stands on a field that it cannot hide"
    "A field with `visible` is null for callers who must not see it. A `writeOnly` field is never shown. The owner and \
     the state of a lifecycle decide what callers may do, so that callers would learn them from what is refused."
    wrong "
        service: marketplace
        users: User
        ---
        resource: User
        fields:
          name: { type: string }
          pin: { type: string, writeOnly: true, visible: user }"
    right "
        service: marketplace
        users: User
        ---
        resource: User
        fields:
          name: { type: string }
          email: { type: string, visible: user }"

    FieldWritable = "field-writable", Error;
    "`writable` stands on a field that no request changes"
    "`writable` says which callers may set a field that requests can set. Only the service sets a `readOnly` field."
    wrong "
        resource: Offer
        operations: { list: {}, create: { access: user } }
        fields: { name: { type: string }, rank: { type: integer, readOnly: true, writable: user } }"
    right "
        resource: Offer
        operations: { list: {}, create: { access: user } }
        fields: { name: { type: string }, rank: { type: integer, readOnly: true } }"

    UnsettableField = "unsettable-field", Warning, allow;
    "A required field cannot be set by some who may create the entity"
    "Nobody sets a field that they do not see, unless its `writable` says so: then they set it at a creation. Where \
     anyone may create, and a required field is visible to some callers only, every creation without credentials is \
     refused."
    wrong "
        service: marketplace
        users: User
        ---
        resource: User
        owner: id
        operations: { create: { access: anyone }, get: {} }
        fields: { name: { type: string }, email: { type: string, required: true, visible: owner } }"
    right "
        service: marketplace
        users: User
        ---
        resource: User
        owner: id
        operations: { create: { access: anyone }, get: {} }
        fields: { name: { type: string }, email: { type: string, required: true, visible: owner, writable: anyone } }"

    MisplacedFieldAccess = "misplaced-field-access", Error;
    "`visible` or `writable` stands on a field that is not one of a resource"
    "Who sees a field, and who may change it, is decided by the entity that has it. Objects and commands have no entity \
     of their own: write the key on the field of the resource that holds the object."
    wrong "
        resource: Offer
        fields: { address: { type: Address } }
        ---
        object: Address
        fields: { street: { type: string, visible: user }, city: { type: string } }"
    right "
        resource: Offer
        fields: { address: { type: Address, visible: user } }
        ---
        object: Address
        fields: { street: { type: string }, city: { type: string } }"

    WhereWrites = "where-writes", Error;
    "A view with `where` writes"
    "A view with a condition shows the entities that meet it. Create, change and delete them at the path of the \
     resource, where all of them are."
    wrong "
        resource: Offer
        views:
          ended: { where: 'status == \"ENDED\"', operations: { list: {}, delete: { access: user } } }
        fields: { status: { type: enum, values: [ACTIVE, ENDED], filter: true } }"
    right "
        resource: Offer
        views:
          ended: { where: 'status == \"ENDED\"', operations: { list: {} } }
        fields: { status: { type: enum, values: [ACTIVE, ENDED], filter: true } }"

    UnindexedCondition = "unindexed-condition", Warning, allow;
    "No index serves the condition of a list"
    "The condition of a view, of access to a list, or of `visible` of a resource that has lists, becomes part of the \
     statement that reads the list. An index serves a comparison of a field that has `filter`, `sort` or `unique` \
     with a value; a reference is followed by its key. Without one, the list reads every entity to find those for \
     which the condition holds. `!=` and `!` are served by none: name the values that are meant. `any` and `count` are \
     asked for each entity: in a view or in access to a list, a view `through` the other resource costs less; in \
     `visible` they are not reported. `caller.any(Membership.user, property == outer.property)` is served by the index \
     of `property`, if `property` is required on either side."
    wrong "
        resource: Offer
        operations: { list: { access: [{ when: 'status == \"ACTIVE\"' }] } }
        fields: { status: { type: enum, values: [ACTIVE, ENDED] } }"
    right "
        resource: Offer
        operations: { list: { access: [{ when: 'status == \"ACTIVE\"' }] } }
        fields: { status: { type: enum, values: [ACTIVE, ENDED], filter: true } }"

    NegatedCaller = "negated-caller", Warning, allow;
    "A negated comparison with the caller holds for nobody"
    "Nobody, and what nobody said, equals nothing: where the caller has no credentials, or the token has not the claim, \
     `assignee == caller` does not hold. So `!=` and `!` of it hold then, and a stranger is let in. Ask for a caller \
     besides, or for the claim. Where strangers are meant, say so with `allow`."
    wrong "
        resource: Offer
        visible: [{ when: 'seller != caller' }]
        fields: { seller: { type: ref, to: User, filter: true } }"
    right "
        resource: Offer
        visible: [{ when: 'caller != null && seller != caller' }]
        fields: { seller: { type: ref, to: User, filter: true } }"

    } };
}
