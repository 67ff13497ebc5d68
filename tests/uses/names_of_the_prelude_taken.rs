//! What is emitted names everything absolutely: the names around it may be anything.

use restwell::{Enum, Object};

pub struct Result;
pub struct Value;
pub struct Ok;
pub struct Some;
pub trait Into {}
pub trait Typed {}
mod core {}
mod std {}

#[derive(Object)]
pub struct Pair {
    pub value: String,
    pub field: i64,
    pub count: Mode,
}

#[derive(Enum)]
pub enum Mode {
    Value,
    Text,
}
