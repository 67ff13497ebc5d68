//! The end of a run: what it has created is deleted, the newest first; what cannot be deleted is listed.

use super::case::Ending;
use super::served::{find, media_type};
use super::session::Session;
use restwell_model::api::{HttpOperation, PathItem};
use std::collections::BTreeSet;

/// Rounds of deletions: an entity may hold another one until it is gone.
const ROUNDS: usize = 4;

/// Something that a run has created and could not delete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remaining {
    /// Its path.
    pub path: String,
    /// Why it remains.
    pub reason: String,
}

/// Deletes what was created; what remains.
pub(super) fn clean(session: &mut Session<'_>) -> Vec<Remaining> {
    session.clean();
    let mut seen = BTreeSet::new();
    let mut left: Vec<_> =
        session.world.created.iter().rev().filter(|path| seen.insert((*path).clone())).cloned().collect();
    let mut reasons = Vec::new();
    for _ in 0..ROUNDS {
        reasons.clear();
        for path in std::mem::take(&mut left) {
            match delete(session, &path) {
                Ok(()) => {}
                Err(reason) => {
                    reasons.push(reason);
                    left.push(path);
                }
            }
        }
        if left.is_empty() || session.world.created.is_empty() {
            break;
        }
    }
    left.into_iter().zip(reasons).map(|(path, reason)| Remaining { path, reason }).collect()
}

fn delete(session: &mut Session<'_>, path: &str) -> Result<(), String> {
    let api = session.api;
    let at = find(api, path);
    // a view may have a DELETE where the resource itself has none
    let id = path.rsplit('/').next().unwrap_or_default();
    let others =
        api.paths.iter().filter(|other| at.is_some_and(|at| other.subject_resource() == at.subject_resource()));
    let candidates = at.into_iter().chain(others.filter(|other| other.is_entity()));
    let found: Option<(&HttpOperation<'_>, String)> = candidates.into_iter().find_map(|item| {
        let target = if at.is_some_and(|at| std::ptr::eq(at, item)) {
            path.to_owned()
        } else {
            item.pattern.replacen("{}", id, 1)
        };
        Some((item.operation("DELETE")?, target)).filter(|_| at.is_some_and(PathItem::is_entity))
    });
    let Some((operation, target)) = found else {
        return Err(match at.is_some_and(PathItem::is_entity) {
            true => "it has no DELETE".to_owned(),
            false => "searches and commands have no DELETE; the service removes them in time".to_owned(),
        });
    };
    let request = session.request(operation, &target).map_err(|_| "no token".to_owned())?;
    let request = request.header("accept", media_type(api, operation));
    match session.send(&request) {
        Ok(exchange) if matches!(exchange.status(), 202 | 204 | 404 | 410) => Ok(()),
        Ok(exchange) => {
            let codes: Vec<_> = exchange.errors().into_iter().map(|(code, _)| code).collect();
            Err(format!("DELETE is refused: {} {}", exchange.status(), codes.join(", ")))
        }
        Err(Ending::NotApplicable(reason)) => Err(format!("DELETE is refused, and {reason}")),
        Err(Ending::Failed(_) | Ending::Stopped(_)) => Err("DELETE cannot be sent, or is not answered".to_owned()),
    }
}
