//! The 404 of a path that is not one of the service's: with the nearest collection, as `/users` for `/user`.
//!
//! Only the model's public collections are named, which the documentation shows to everybody. Nothing that is stored is
//! looked at, so that nothing can be learned about what exists.

use super::failure::Failure;
use restwell_model::{ErrorCode, OperationKind, Problem, Resource, Service, Version, names};

/// The answer to a request for a path that nothing is at.
pub(super) fn not_found(service: &Service, path: &str) -> Failure {
    let problem = Problem::new(ErrorCode::ResourceNotFound);
    Failure::from(match nearest(service, path) {
        Some(plural) => problem.with("nearest", format!("/{plural}")),
        None => problem,
    })
}

/// The collection whose name is most like the first word of the path, unless that is the name of one.
fn nearest<'a>(service: &'a Service, path: &str) -> Option<&'a str> {
    let word = path.strip_prefix('/')?.split('/').next()?;
    if service.resources.iter().any(|resource| resource.plural == word) {
        return None;
    }
    let public = service.resources.iter().filter(|resource| is_public(resource));
    names::nearest(word, public.map(|resource| resource.plural.as_str()))
}

fn is_public(resource: &Resource) -> bool {
    let has_collection =
        [OperationKind::Create, OperationKind::List].iter().any(|&it| resource.operation(it).is_some());
    has_collection && resource.versions.contains(&Version::PUBLIC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_collections_are_named() {
        let mut hidden = Resource::new("Secret");
        hidden.versions = vec!["beta.v1".parse().expect("a version")];
        let mut service = Service::new("shop");
        service.resources = vec![hidden, Resource::new("User")];
        for (path, expected) in [
            ("/user", Some("users")),
            ("/Users/7", Some("users")),
            ("/user/7/offers", Some("users")),
            ("/users/7", None),
            ("/secret", None),
            ("/nothing", None),
            ("/", None),
            ("", None),
        ] {
            assert_eq!(nearest(&service, path), expected, "{path}");
        }
    }
}
