//! The model of a service: its resources, the rules for them, and everything that is derived from them.
//!
//! The front ends (YAML, derives) make a [`Service`]; [`check`] turns it into a [`Checked`] one or says what is wrong,
//! each fault with a code and a place; everything else (routes, tables, validation of requests) is a pure function of
//! a checked service. Nothing here knows YAML, syn, HTTP servers or async, nor files, but for how one is read
//! ([`regular_file`]).

pub mod announcement;
pub mod api;
pub mod case_folding;
pub mod changes;
pub mod check;
pub mod compatibility;
pub mod condition;
pub mod contracts;
pub mod error;
pub mod events;
pub mod field;
pub mod formerly;
pub mod input;
pub mod language;
pub mod messages;
pub mod migrations;
pub mod names;
pub mod pattern;
pub mod regular_file;
pub mod resource;
pub mod routes;
pub mod sample;
pub mod scalar;
pub mod service;
pub mod tables;
pub mod value;

pub use announcement::{Announcement, FieldNotices, ResourceNotices};
pub use check::{Checked, Fault, FaultCode, Kind, ModelPath};
pub use error::{ErrorCode, Problem};
pub use field::{Deprecation, Field, Format, OnDelete, Secret, Type, Uniqueness};
pub use formerly::Formerly;
pub use pattern::{Pattern, PatternError};
pub use resource::{
    Access, Command, Lifecycle, Operation, OperationKind, Resource, Rule, Search, Through, Transition, Version, View,
};
pub use service::{Contact, Enum, License, Object, Service, UserSubjects};
pub use value::Value;
