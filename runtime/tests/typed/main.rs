//! Hand-written types: the model they describe, and the values they are made from.

mod conversion;
mod description;
mod marketplace;
mod other;
