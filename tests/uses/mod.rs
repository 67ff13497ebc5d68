//! Uses of derives that must compile in any surroundings.

#![allow(unreachable_pub, dead_code, reason = "as in the modules of a library, which others use")]

mod drafts;
mod names_of_the_prelude_taken;
mod own_serde;
mod random_models;
mod registered_after_import;
mod responses;
