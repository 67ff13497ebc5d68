//! Temporary.
use crate::config::Database;
use crate::credentials::DevelopmentKey;
use crate::server::Server;
use std::sync::Arc;
#[test]
fn smoke() {
    let json = std::fs::read_to_string("/tmp/model.json").unwrap();
    let service: restwell_model::Service = serde_json::from_str(&json).unwrap();
    let checked = restwell_model::Checked::new(service).unwrap();
    let db = std::env::var("SMOKE_DB").map_or(Database::Memory, |f| Database::File(f.into()));
    let engine = crate::service::open(checked, db, Arc::new(DevelopmentKey::generate()), "").unwrap();
    let server = Server::start(std::net::TcpListener::bind("127.0.0.1:8099").unwrap(), engine, 2).unwrap();
    std::thread::sleep(std::time::Duration::from_secs(std::env::var("SMOKE_SECS").unwrap().parse().unwrap()));
    server.stop();
}
