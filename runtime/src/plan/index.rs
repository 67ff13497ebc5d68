//! Positions in the plans as types, so that one kind is never taken for another.

use super::{CommandPlan, ResourcePlan, ViewPlan, view::Representation};
use restwell_model::Checked;
use restwell_model::tables::{self, Column};
use std::ops::Index;

/// A resource, of the service's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ResourceIndex(usize);

/// A view of a resource, or the resource itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ViewIndex(usize);

/// A version of a resource, of the served ones; the first is the preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct VersionIndex(usize);

/// A command of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CommandIndex(usize);

/// A column of a resource's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ColumnIndex(usize);

/// A resource in one view and version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct RepresentationId {
    pub(crate) resource: ResourceIndex,
    pub(crate) view: ViewIndex,
    pub(crate) version: VersionIndex,
}

impl RepresentationId {
    /// The resource itself in its preferred version: what events show.
    pub(crate) const fn canonical(resource: ResourceIndex) -> Self {
        Self { resource, view: ViewIndex::RESOURCE, version: VersionIndex::PREFERRED }
    }
}

impl ResourceIndex {
    /// The resource of a name.
    pub(super) fn of(service: &Checked, name: &str) -> Option<Self> {
        service.resources.iter().position(|resource| resource.name == name).map(Self)
    }

    /// The position, for another list of the same order.
    pub(crate) const fn position(self) -> usize {
        self.0
    }
}

impl ViewIndex {
    /// The resource itself.
    pub(crate) const RESOURCE: Self = Self(0);

    /// The view at a position in the model; `None`: the resource itself.
    pub(crate) fn of_model(view: Option<usize>) -> Self {
        view.map_or(Self::RESOURCE, |view| Self(view + 1))
    }
}

impl VersionIndex {
    /// The version of responses that no version was negotiated for.
    pub(crate) const PREFERRED: Self = Self(0);

    /// The position, for another list of the same order.
    pub(super) const fn position(self) -> usize {
        self.0
    }
}

impl ColumnIndex {
    /// The id, in every table.
    pub(crate) const ID: Self = Self(tables::ID);

    /// The position, for the model's table and for a row of all its columns.
    pub(crate) const fn position(self) -> usize {
        self.0
    }

    /// The column after it.
    pub(super) const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// A list whose positions have this type.
pub(crate) trait IndexedBy<I> {
    type Item;

    /// The items with their positions.
    fn indexed<'a>(&'a self) -> impl DoubleEndedIterator<Item = (I, &'a Self::Item)>
    where
        Self::Item: 'a;
}

macro_rules! positions {
    ($($index:ident of $item:ty),* $(,)?) => {
        $(
            impl From<usize> for $index {
                fn from(position: usize) -> Self {
                    Self(position)
                }
            }

            impl Index<$index> for Vec<$item> {
                type Output = $item;

                fn index(&self, index: $index) -> &$item {
                    &self[index.0]
                }
            }

            impl IndexedBy<$index> for Vec<$item> {
                type Item = $item;

                fn indexed<'a>(&'a self) -> impl DoubleEndedIterator<Item = ($index, &'a $item)>
                where
                    $item: 'a,
                {
                    self.iter().enumerate().map(|(position, item)| ($index(position), item))
                }
            }
        )*
    };
}

positions! {
    ResourceIndex of ResourcePlan,
    ViewIndex of ViewPlan,
    VersionIndex of Representation,
    CommandIndex of CommandPlan,
    ColumnIndex of Column,
}
