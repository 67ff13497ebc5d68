//! The marketplace as people run it: a process with a command line, signals, a database on a disk, and clients that
//! send whatever they like. What the conventions say of single requests is tested in `suite/`; here it is shown that
//! the whole program holds together.

mod announced;
mod check;
mod commands;
mod config;
mod connections;
mod contracts;
mod crash;
mod database;
mod disk;
mod evolve;
mod fuzz_http;
mod hostile;
mod keys;
mod logs;
mod matrix;
mod operators;
mod overload;
mod page;
mod program;
mod pruning;
mod refused_bodies;
mod searches;
mod shutdown;
mod tls;
mod token;
