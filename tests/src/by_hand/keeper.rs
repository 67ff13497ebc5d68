//! The callers, and what belongs to them.

use restwell::{Ref, Resource};

/// Somebody who keeps specimens; the callers of this service.
#[derive(Debug, Clone, Resource)]
pub(crate) struct Keeper {
    #[field(max_length = 40, filter, sort)]
    pub(crate) name: String,
    #[field(format = "email", unique, filter)]
    pub(crate) email: Option<String>,
}

/// Belongs to its keeper, and is shown to nobody else.
#[derive(Debug, Clone, Resource)]
#[resource(
    owner = keeper,
    deprecations(
        "operations.delete" = "2027-06-30",
        "views.bookmarked" = "2027-06-30",
        "under.keeper" = "2027-06-30"
    ),
    under(keeper),
    operations(
        create(access = [user, "scope:notebooks.write"]),
        list(access = [owner, "scope:notebooks.read"]),
        get(access = [owner, "scope:notebooks.read"]),
        update(access = [owner, "scope:notebooks.write"]),
        delete(access = owner)
    ),
    view(bookmarked, path = "/bookmarked-notebooks", through = "Bookmark.notebook", operations(list, get))
)]
pub(crate) struct Notebook {
    #[field(show(name), filter)]
    pub(crate) keeper: Ref<Keeper>,
    #[field(max_length = 40, filter, sort, formerly("heading" = "2027-06-30"))]
    pub(crate) title: String,
}

/// What a keeper wants to find again; it then stands in /bookmarked-notebooks.
#[derive(Debug, Clone, Resource)]
#[resource(
    owner = keeper,
    unique(keeper, notebook),
    operations(create(access = user), list(access = owner), delete(access = owner))
)]
pub(crate) struct Bookmark {
    #[field(read_only, on_delete = cascade)]
    pub(crate) keeper: Ref<Keeper>,
    #[field(immutable, on_delete = cascade)]
    pub(crate) notebook: Ref<Notebook>,
}
