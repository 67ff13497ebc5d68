//! One service in two forms: hand-written structs, and what the generator made of `schemas/`. The suite beside this
//! library runs on both, through HTTP, and so shows that a derive and a YAML document mean the same.

pub mod by_hand;
pub mod generated;
