//! `restwell conform`: no false alarm on services that keep the conventions, every fault that a proxy plants, and nothing
//! left behind.

mod faults;
mod guarded;
mod program;
mod provisioned;
mod proxy;
mod random;
mod reports;
mod roles;
mod services;
mod shared_paths;
