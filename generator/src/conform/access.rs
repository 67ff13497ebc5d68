//! Who has access, as far as a run knows it: what roles and conditions ask of tokens, and who holds a role. A claim
//! that a token may have besides, and what a condition says of an entity, only the service knows.

use restwell_model::api::Api;
use restwell_model::condition::{Facts, FieldPath, Node, Operator, Scope, StaticType, Typed, evaluate};
use restwell_model::{Access, Checked, Field, Value};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;

/// What a token must have for as much access as possible.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct TokenNeeds {
    /// Every scope that access names, in lists and in conditions.
    pub(crate) scopes: BTreeSet<String>,
    /// The claims for which roles and conditions hold. Of two that exclude each other the first one counts.
    pub(crate) claims: Map<String, Json>,
    /// The values of the user's own fields for which they hold: `caller.role == "MANAGER"`.
    pub(crate) user: Map<String, Json>,
}

impl TokenNeeds {
    pub(crate) fn of(api: &Api<'_>) -> Self {
        let mut needs = Self::default();
        let service = api.service;
        for role in service.roles.values() {
            needs.add_condition(&role.typed(&Scope { service, entity: None, old: false }).ok());
        }
        let operations = api.operations().flat_map(|(_, operation)| &operation.access.any_of);
        let scopes = operations.filter_map(|access| if let Access::Scope(scope) = access { Some(scope) } else { None });
        needs.scopes.extend(scopes.cloned());
        for resource in &service.resources {
            let operations = resource.operations.iter().flat_map(|operation| &operation.access);
            let commands = resource.commands.iter().flat_map(|command| &command.access);
            let fields = resource.fields.iter().flat_map(|field| field.visible.iter().chain(&field.writable));
            for access in operations.chain(commands).chain(fields).chain(&resource.visible) {
                match access {
                    Access::Scope(scope) => drop(needs.scopes.insert(scope.clone())),
                    Access::When(condition) | Access::Named(condition) => {
                        let scope = Scope { service, entity: Some(resource), old: false };
                        needs.add_condition(&condition.typed(&scope).ok());
                    }
                    Access::Anyone | Access::User | Access::Owner | Access::Role(_) => {}
                }
            }
        }
        needs
    }

    fn add_condition(&mut self, condition: &Option<Typed>) {
        if let Some(condition) = condition {
            self.add(condition);
        }
    }

    /// What makes a condition hold. What stands below `!` is better missing.
    fn add(&mut self, condition: &Typed) {
        match &condition.node {
            Node::And(left, right) | Node::Or(left, right) => {
                self.add(left);
                self.add(right);
            }
            Node::Claim(path) if condition.ty != StaticType::Claim => self.set(path, json!(true)),
            Node::In(value, list, _) => match (&value.node, &list.node) {
                (Node::Constant(Value::Text(scope)), Node::Scopes) => drop(self.scopes.insert(scope.clone())),
                (Node::Constant(value), Node::Claim(path)) => self.push(path, json_of(value)),
                (Node::Claim(path), Node::Constant(Value::List(values))) => {
                    let first = values.first().and_then(json_of);
                    first.into_iter().for_each(|value| self.set(path, value));
                }
                (Node::Follow(of, _, path), Node::Constant(Value::List(values))) if of.node == Node::Caller => {
                    let first = values.first().and_then(json_of);
                    first.into_iter().for_each(|value| self.set_field(path, value));
                }
                _ => {}
            },
            Node::Compare(operator, left, right, _) => {
                match (&left.node, &right.node) {
                    (Node::Follow(of, _, path), Node::Constant(value)) if of.node == Node::Caller => {
                        return met(*operator, value).into_iter().for_each(|value| self.set_field(path, value));
                    }
                    (Node::Constant(value), Node::Follow(of, _, path)) if of.node == Node::Caller => {
                        let value = met(turned(*operator), value);
                        return value.into_iter().for_each(|value| self.set_field(path, value));
                    }
                    _ => {}
                }
                let (path, value, operator) = match (&left.node, &right.node) {
                    (Node::Claim(path), Node::Constant(value)) => (path, value, *operator),
                    (Node::Constant(value), Node::Claim(path)) => (path, value, turned(*operator)),
                    _ => return,
                };
                if let Some(value) = met(operator, value) {
                    self.set(path, value);
                }
            }
            _ => {}
        }
    }

    /// Sets a field of the user that has no value yet.
    fn set_field(&mut self, path: &FieldPath, value: Json) {
        if let [name] = path.names.as_slice() {
            self.user.entry(name).or_insert(value);
        }
    }

    /// Sets a claim that is not there yet.
    fn set(&mut self, path: &str, value: Json) {
        if let Some(place) = self.place(path)
            && place.is_null()
        {
            *place = value;
        }
    }

    /// Adds an item to a claim that is a list.
    fn push(&mut self, path: &str, value: Option<Json>) {
        let (Some(place), Some(value)) = (self.place(path), value) else { return };
        if place.is_null() {
            *place = json!([]);
        }
        if let Json::Array(items) = place
            && !items.contains(&value)
        {
            items.push(value);
        }
    }

    fn place(&mut self, path: &str) -> Option<&mut Json> {
        place(&mut self.claims, path)
    }
}

/// The claim at a path, `realm.roles`; `None` if a claim on the way is no object.
pub(crate) fn place<'c>(claims: &'c mut Map<String, Json>, path: &str) -> Option<&'c mut Json> {
    let mut words = path.split('.');
    let mut place = claims.entry(words.next()?).or_insert(Json::Null);
    for word in words {
        if place.is_null() {
            *place = json!({});
        }
        place = place.as_object_mut()?.entry(word).or_insert(Json::Null);
    }
    Some(place)
}

/// A value for which a comparison with a constant holds.
fn met(operator: Operator, constant: &Value) -> Option<Json> {
    match (operator, constant) {
        (Operator::Equal | Operator::GreaterOrEqual | Operator::LessOrEqual, value) => json_of(value),
        (Operator::Greater, Value::Int(number)) => Some(json!(number.checked_add(1)?)),
        (Operator::Less, Value::Int(number)) => Some(json!(number.checked_sub(1)?)),
        _ => None,
    }
}

/// The operator with its sides exchanged.
const fn turned(operator: Operator) -> Operator {
    match operator {
        Operator::Less => Operator::Greater,
        Operator::LessOrEqual => Operator::GreaterOrEqual,
        Operator::Greater => Operator::Less,
        Operator::GreaterOrEqual => Operator::LessOrEqual,
        other => other,
    }
}

fn json_of(value: &Value) -> Option<Json> {
    match value {
        Value::Bool(value) => Some(json!(value)),
        Value::Int(value) => Some(json!(value)),
        Value::Float(value) => Some(json!(value)),
        Value::Text(value) => Some(json!(value)),
        _ => None,
    }
}

/// What is known of a caller: the scopes of the token. It may have any claim.
struct KnownScopes<'a>(&'a [String]);

impl Facts for KnownScopes<'_> {
    fn scopes(&self) -> Option<&[String]> {
        Some(self.0)
    }
}

/// Whether a caller whose token has these scopes holds a role; `None` if something else decides.
pub(crate) fn holds_role(service: &Checked, role: &str, scopes: &[String]) -> Option<bool> {
    let condition = service.roles.get(role)?.typed(&Scope { service, entity: None, old: false }).ok()?;
    Some(evaluate(&condition, &KnownScopes(scopes))? == Value::Bool(true))
}

/// Whether an access list admits a caller whose token has these scopes; `None` if that depends on a condition, on a
/// claim, or on the owner, where `owns` does not tell.
pub(crate) fn admits(service: &Checked, list: &[Access], scopes: &[String], owns: Option<bool>) -> Option<bool> {
    let each = list.iter().map(|access| match access {
        Access::Anyone | Access::User => Some(true),
        Access::Owner => owns,
        Access::Scope(scope) => Some(scopes.contains(scope)),
        Access::Role(role) => holds_role(service, role, scopes),
        Access::When(_) | Access::Named(_) => None,
    });
    let each: Vec<_> = each.collect();
    if each.contains(&Some(true)) {
        return Some(true);
    }
    if each.contains(&None) { None } else { Some(false) }
}

/// Whether a caller whose token has these scopes may set a field, of a new entity or of one that is there; `None` if
/// that depends on what the run does not know.
pub(crate) fn may_set(
    service: &Checked,
    field: &Field,
    scopes: &[String],
    owns: Option<bool>,
    is_new: bool,
) -> Option<bool> {
    let admits = |list: &[Access]| match Access::excludes_some(list) {
        true => admits(service, list, scopes, owns),
        false => Some(true),
    };
    let writes = admits(&field.writable);
    // at a creation `writable` decides alone where it stands
    if is_new && !field.writable.is_empty() {
        return writes;
    }
    match (writes, admits(&field.visible)) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use restwell_model::condition::Condition;
    use restwell_model::{Resource, Service, Type};

    fn service(roles: &[(&str, &str)]) -> Checked {
        let roles = roles.iter().map(|(name, text)| ((*name).to_owned(), Condition::new(*text))).collect();
        Checked::new(Service { roles, ..Service::new("hotel") }).expect("no mistake")
    }

    #[test]
    fn a_token_gets_what_roles_ask_for() {
        let service = service(&[
            ("admin", "\"hotel.admin\" in scopes"),
            ("clerk", "\"clerk\" in claims.realm.roles && claims.desk == \"front\""),
            ("cook", "\"cook\" in claims.realm.roles || claims.desk == \"kitchen\""),
            ("night", "!(\"hotel.day\" in scopes) && claims.shift > 3"),
        ]);
        let needs = TokenNeeds::of(&Api::of(&service));
        assert_eq!(needs.user, Map::new());
        assert_eq!(needs.scopes, BTreeSet::from(["hotel.admin".to_owned()]));
        let claims = json!({ "realm": { "roles": ["clerk", "cook"] }, "desk": "front", "shift": 4 });
        assert_eq!(Json::Object(needs.claims), claims);
    }

    #[test]
    fn a_role_of_scopes_is_known_and_one_of_claims_is_not() {
        let service = service(&[
            ("admin", "\"hotel.admin\" in scopes"),
            ("clerk", "\"clerk\" in claims.roles"),
            ("both", "\"hotel.admin\" in scopes && \"clerk\" in claims.roles"),
        ]);
        let admin = ["hotel.admin".to_owned()];
        assert_eq!(holds_role(&service, "admin", &admin), Some(true));
        assert_eq!(holds_role(&service, "admin", &[]), Some(false));
        assert_eq!(holds_role(&service, "clerk", &admin), None);
        assert_eq!(holds_role(&service, "both", &[]), Some(false));
        // what refers to a caller, only the service knows
        let mut service_of_users = service.clone().into_inner();
        service_of_users.users = Some("User".to_owned());
        service_of_users.resources.push(Resource::new("User"));
        let mut membership = Resource::new("Membership");
        membership.fields.push(Field::new("user", Type::reference("User")));
        service_of_users.resources.push(membership);
        let member = "\"hotel.admin\" in scopes && caller.any(Membership.user)";
        service_of_users.roles.insert("member".to_owned(), Condition::new(member));
        let service_of_users = Checked::new(service_of_users).expect("no mistake");
        assert_eq!(holds_role(&service_of_users, "member", &admin), None);
        assert_eq!(holds_role(&service_of_users, "member", &[]), Some(false));
        let list = [Access::Owner, Access::Role("clerk".to_owned())];
        assert_eq!(admits(&service, &list, &[], Some(false)), None);
        assert_eq!(admits(&service, &list, &[], Some(true)), Some(true));
    }
}
