//! What several test programs of this repository use: clients, the program as a process, servers beside it,
//! random models, every option of a program, a judge of answers by the OpenAPI document.

pub mod any_model;
pub mod client_names;
pub mod command_line;
pub mod effort;
pub mod http;
pub mod key;
pub mod market;
pub mod nats;
pub mod openapi;
pub mod postgres;
pub mod process;
pub mod shared_builds;
pub mod tools;
pub mod wire;
