//! Types of another module, some under names that are taken.

use restwell::{Enum, Resource};

#[derive(Debug, Clone, PartialEq, Enum)]
pub(crate) enum Mood {
    Good,
}

#[derive(Debug, Clone, PartialEq, Enum)]
pub(crate) enum Colour {
    Black,
}

#[derive(Debug, Clone, PartialEq, Resource)]
pub(crate) struct Painting {
    pub(crate) colour: Colour,
}
