//! Hand-written types: the model they describe, the values they are made from, and their JSON.

mod conversion;
mod description;
mod marketplace;
mod other;
mod wire;
