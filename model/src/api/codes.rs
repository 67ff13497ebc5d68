//! Which errors an operation can respond with (§7), from the catalogue of [`ErrorCode`].

use super::operation::Call;
use super::value_codes::{add_reading, add_value};
use super::values::ValueType;
use crate::check::{Checked, Kind};
use crate::error::ErrorCode;
use crate::field::Field;
use crate::input::Reading;
use crate::resource::{OperationKind, Search};
use crate::routes::{Action, Target};
use crate::tables::Table;
use std::collections::{BTreeMap, BTreeSet};

/// Errors that every path but those for monitoring can respond with, for any operation.
pub const EDGE_CODES: [ErrorCode; 8] = [
    ErrorCode::MissingUserAgent,
    ErrorCode::MalformedRequest,
    ErrorCode::UriTooLong,
    ErrorCode::RateLimited,
    ErrorCode::HeadTooLarge,
    ErrorCode::InternalError,
    ErrorCode::Unavailable,
    ErrorCode::GatewayTimeout,
];

/// Errors that a command may be FAILED with (§2.6), beside those of the service's own code, which stand in the place of
/// [`ErrorCode::Rejected`], whatever status they have in a response to a request. The status of the response that shows
/// them is that of any command.
pub const COMMAND_CODES: [ErrorCode; 11] = [
    ErrorCode::NotFound,
    ErrorCode::NotUnique,
    ErrorCode::StillReferenced,
    ErrorCode::WrongState,
    ErrorCode::Rejected,
    ErrorCode::Timeout,
    ErrorCode::Cancelled,
    ErrorCode::InternalError,
    ErrorCode::NotReady,
    ErrorCode::BadGateway,
    ErrorCode::GatewayTimeout,
];

/// Groups codes by their status, in ascending order.
pub(super) fn by_status(codes: impl IntoIterator<Item = ErrorCode>) -> impl Iterator<Item = (u16, Vec<ErrorCode>)> {
    let mut statuses: BTreeMap<u16, Vec<ErrorCode>> = BTreeMap::new();
    for code in codes {
        statuses.entry(code.status()).or_default().push(code);
    }
    statuses.into_iter()
}

impl Call<'_> {
    /// Every error that the operation can respond with, to these bodies.
    pub(super) fn codes(&self, bodies: &[ValueType<'_>]) -> BTreeSet<ErrorCode> {
        let mut codes: BTreeSet<_> = EDGE_CODES.into_iter().collect();
        // bad credentials are refused even where none are required
        codes.extend([ErrorCode::Unauthenticated, ErrorCode::TooCostly]);
        self.add_negotiation(&mut codes);
        if self.access().can_be_forbidden {
            codes.insert(ErrorCode::Forbidden);
        }
        match self.target {
            Target::Entity { .. }
            | Target::Scoped { .. }
            | Target::Search
            | Target::Commands { .. }
            | Target::Command { .. } => {
                codes.insert(ErrorCode::ResourceNotFound);
            }
            Target::Collection { .. } | Target::Searches => {}
        }
        self.add_parameters(&mut codes);
        self.add_body(bodies, &mut codes);
        self.add_outcome(&mut codes);
        if matches!(self.action, Action::PutCommand(_)) && !self.is_ready() {
            // it is 501 before anything is validated
            codes.retain(|code| code.status() != ErrorCode::Required.status());
        }
        codes
    }

    fn add_negotiation(&self, codes: &mut BTreeSet<ErrorCode>) {
        if self.negotiates() {
            codes.insert(ErrorCode::NotAcceptable);
            if !self.resource.retired.is_empty() {
                codes.insert(ErrorCode::VersionRetired);
            }
        }
        if self.action.has_body() {
            codes.extend([
                ErrorCode::UnsupportedMediaType,
                ErrorCode::UnsupportedEncoding,
                ErrorCode::BodyTooLarge,
                ErrorCode::MalformedJson,
            ]);
        }
    }

    /// A query string with too many parameters, with an unknown one, or that is not text, is refused everywhere.
    fn add_parameters(&self, codes: &mut BTreeSet<ErrorCode>) {
        codes.extend([ErrorCode::InvalidText, ErrorCode::UnknownParameter, ErrorCode::InvalidParameter]);
        match self.action {
            Action::Operation(OperationKind::List) | Action::ListCommands(_) => {
                codes.insert(ErrorCode::RepeatedParameter);
                for (field, _) in self.filter_fields().iter().filter(|(field, _)| field.is_filter) {
                    add_reading(&field.value, codes);
                }
            }
            Action::Operation(OperationKind::Get) | Action::GetSearch | Action::GetCommand(_) => {}
            Action::Operation(
                OperationKind::Create | OperationKind::Update | OperationKind::Patch | OperationKind::Delete,
            )
            | Action::CreateSearch
            | Action::PutCommand(_) => {
                codes.insert(ErrorCode::RepeatedParameter);
            }
        }
    }

    fn add_body(&self, bodies: &[ValueType<'_>], codes: &mut BTreeSet<ErrorCode>) {
        let reading = match self.action {
            Action::Operation(OperationKind::Update | OperationKind::Patch) => Reading::Update,
            Action::Operation(
                OperationKind::Create | OperationKind::List | OperationKind::Get | OperationKind::Delete,
            )
            | Action::CreateSearch
            | Action::GetSearch
            | Action::PutCommand(_)
            | Action::GetCommand(_)
            | Action::ListCommands(_) => Reading::Create,
        };
        for body in bodies {
            add_value(body, reading, codes);
        }
    }

    /// What only the action itself can run into.
    fn add_outcome(&self, codes: &mut BTreeSet<ErrorCode>) {
        match self.action {
            Action::Operation(OperationKind::List) => {
                codes.insert(ErrorCode::PageTooLarge);
                if self.resource.search != Search::None {
                    codes.extend([
                        ErrorCode::InvalidUuid,
                        ErrorCode::NotFound,
                        ErrorCode::SearchExpired,
                        ErrorCode::SearchFiltersFixed,
                    ]);
                }
            }
            Action::ListCommands(_) => {
                codes.insert(ErrorCode::PageTooLarge);
            }
            Action::GetCommand(_) => {
                codes.insert(ErrorCode::PreconditionFailed);
                // of one that is announced there are none
                codes.extend(self.is_ready().then_some(ErrorCode::CommandExpired));
            }
            Action::Operation(OperationKind::Get) => {
                codes.insert(ErrorCode::PreconditionFailed);
            }
            Action::Operation(OperationKind::Create) => {
                self.add_write(codes);
                if self.scope().is_some() {
                    codes.insert(ErrorCode::PathMismatch);
                }
            }
            Action::Operation(OperationKind::Update) => {
                self.add_write(codes);
                codes.insert(ErrorCode::PreconditionFailed);
            }
            Action::Operation(OperationKind::Patch) => {
                self.add_write(codes);
                codes.extend([
                    ErrorCode::PreconditionFailed,
                    ErrorCode::InvalidPatch,
                    ErrorCode::TestFailed,
                    // operations
                    ErrorCode::TooManyItems,
                ]);
            }
            Action::Operation(OperationKind::Delete) => {
                codes.insert(ErrorCode::PreconditionFailed);
                add_rules(codes);
                if self.is_held {
                    codes.insert(ErrorCode::StillReferenced);
                }
            }
            Action::GetSearch => {
                codes.extend([ErrorCode::PreconditionFailed, ErrorCode::SearchExpired]);
            }
            Action::CreateSearch => {
                // values and objects
                codes.insert(ErrorCode::TooManyItems);
            }
            Action::PutCommand(_) => {
                codes.extend([ErrorCode::InvalidUuid, ErrorCode::CommandIdUsed, ErrorCode::NotReady]);
                codes.extend(self.is_ready().then_some(ErrorCode::CommandExpired));
                codes.extend(self.resource.lifecycle.is_some().then_some(ErrorCode::WrongState));
            }
        }
    }

    /// What the store, and the rules that a team has written, can refuse.
    fn add_write(&self, codes: &mut BTreeSet<ErrorCode>) {
        add_rules(codes);
        if self.resource.fields.iter().any(|field| field.required_when.is_some()) {
            codes.insert(ErrorCode::Required);
        }
        let is_ruled =
            |field: &Field| field.required_when.is_some() || (field.required && self.resource.may_be_null(field));
        let has_rules = !self.resource.rules.is_empty() || self.resource.fields.iter().any(is_ruled);
        if has_rules && self.resource.fields.iter().any(Field::is_hidden) {
            codes.insert(ErrorCode::RuleBroken);
        }
        let table = Table::of(self.service, self.resource);
        if !table.uniques.is_empty() {
            codes.insert(ErrorCode::NotUnique);
        }
        if table.indexed_values().any(|values| table.may_exceed(&values)) {
            codes.insert(ErrorCode::TooLong);
        }
        if has_secret(self.service, &self.resource.fields) {
            // secrets in one request
            codes.insert(ErrorCode::TooManyItems);
        }
    }
}

/// What the rules that a team has written can refuse, and the services that they ask.
fn add_rules(codes: &mut BTreeSet<ErrorCode>) {
    codes.extend(ErrorCode::REJECTIONS);
    codes.insert(ErrorCode::BadGateway);
}

fn has_secret(service: &Checked, fields: &[Field]) -> bool {
    any_field(service, fields, &|field| field.secret.is_some())
}

/// Whether a condition holds for one of these fields, or for one inside.
fn any_field(service: &Checked, fields: &[Field], holds: &dyn Fn(&Field) -> bool) -> bool {
    fields.iter().any(|field| {
        let inside = match service.kind(field.ty.element()) {
            Kind::Object(object) => any_field(service, &object.fields, holds),
            Kind::Scalar(_) | Kind::Enum(_) | Kind::Array(_) | Kind::Map(_) => false,
        };
        holds(field) || inside
    })
}
