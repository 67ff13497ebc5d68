//! Asynchronous operations (`async: true`): a change that was found valid, kept as data until it is done.
//!
//! It is kept by names, not by positions: the process that executes it may have a later model.

use crate::etag::{Preconditions, Tags};
use crate::plan::permission::Permit;
use crate::plan::viewer::Viewer;
use crate::plan::{Plans, ViewIndex};
use crate::plan::{exact_json, stored};
use crate::store::{Change, ChangeKind, Record, RepresentationId};
use restwell_model::OperationKind;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

#[derive(Serialize, Deserialize)]
struct Kept {
    /// The path of the view that it was asked of.
    view: Option<String>,
    /// The media type of the version.
    version: String,
    /// Whose entity it must be.
    owner: Option<Uuid>,
    if_match: Vec<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    if_none_match: Option<Vec<String>>,
    /// The values that were given; the others are not changed.
    value: Option<Box<RawValue>>,
}

/// The operation that a change is.
pub(crate) fn kind(change: &ChangeKind) -> OperationKind {
    match change {
        ChangeKind::Create(_) => OperationKind::Create,
        ChangeKind::Update(_) | ChangeKind::Put(_) => OperationKind::Update,
        ChangeKind::Delete => OperationKind::Delete,
    }
}

/// A change as it is kept.
pub(crate) fn to_json(plans: &Plans, change: &Change) -> Result<String, serde_json::Error> {
    let plan = &plans.resources[change.at.resource];
    let value = match &change.kind {
        ChangeKind::Create(value) | ChangeKind::Update(value) | ChangeKind::Put(value) => {
            Some(RawValue::from_string(plan.repository.fields().to_json(value))?)
        }
        ChangeKind::Delete => None,
    };
    let view = plan.view(change.at.view);
    serde_json::to_string(&Kept {
        view: (change.at.view != ViewIndex::RESOURCE).then(|| view.path.clone()),
        version: String::from_utf8_lossy(view.in_version(change.at.version).media_type.as_bytes()).into_owned(),
        owner: match &change.permit {
            Permit::All => None,
            Permit::Own(owner) => Some(*owner),
            // `check` refuses it; nobody's entities
            Permit::Where(_) => Some(Uuid::nil()),
        },
        if_match: change.preconditions.if_match.iter().map(Tags::given).collect(),
        if_none_match: change.preconditions.if_none_match.as_ref().map(Tags::given),
        value,
    })
}

/// The change that was kept; `None` if the present model cannot represent it.
pub(super) fn from_record(plans: &Plans, record: &Record, kind: OperationKind, now: i64) -> Option<Change> {
    let kept: Kept = serde_json::from_str(&record.input).ok()?;
    let resource = record.of.resource;
    let plan = &plans.resources[resource];
    let view = match &kept.view {
        Some(path) => plan.view_at(path)?,
        None => ViewIndex::RESOURCE,
    };
    let version = plan.view(view).version(|media_type| media_type.as_bytes() == kept.version.as_bytes())?;
    let value = || {
        let json = exact_json::parse(kept.value.as_ref()?.get()).ok()?;
        Some(stored::given(plan.repository.fields(), &json))
    };
    let kind = match kind {
        OperationKind::Create => ChangeKind::Create(value()?),
        OperationKind::Update => ChangeKind::Update(value()?),
        OperationKind::Delete => ChangeKind::Delete,
        OperationKind::List | OperationKind::Get | OperationKind::Patch => return None,
    };
    Some(Change {
        at: RepresentationId { resource, view, version },
        id: record.entity,
        now,
        permit: kept.owner.map_or(Permit::All, Permit::Own),
        viewer: Viewer::Everything,
        preconditions: Preconditions {
            if_match: kept.if_match.into_iter().map(Tags::of).collect(),
            if_none_match: kept.if_none_match.map(Tags::of),
        },
        is_dry_run: false,
        trace: record.trace.clone(),
        author: plan.author(record.caller.as_ref()),
        faulty: Vec::new(),
        given: Vec::new(),
        is_transition: false,
        kind,
    })
}
