//! Changes that would lose what a database holds: raised by `restwell generate`, which knows the model before.

macro_rules! data_loss {
    ($next:ident [$($rest:ident)*] $($before:tt)*) => { $next! { [$($rest)*] $($before)*

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

    } };
}
