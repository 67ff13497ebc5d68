//! Faults of access: who may do what.

macro_rules! access {
    ($next:ident [$($rest:ident)*] $($before:tt)*) => { $next! { [$($rest)*] $($before)*

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

    } };
}
