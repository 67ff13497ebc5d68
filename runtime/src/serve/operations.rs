//! What the operations do once a request is admitted (§4.2): those that read are here, those that change in `changes`.

use super::body::ReceivedBody;
use super::caller;
use super::failure::Failure;
use super::payload::Payload;
use super::response_meta::ResponseMeta;
use super::{Admitted, answers, parameters, success};
use crate::etag::Tags;
use crate::fair_queue::Turn;
use crate::fair_share::Share;
use crate::plan::permission::Permit;
use crate::plan::predicate::Reduced;
use crate::plan::query::Query;
use crate::plan::{IndexedBy, Representation, VersionIndex, ViewPlan};
use crate::store::{Entity, READ_PATIENCE, RepresentationId, StoreError};
use http::{HeaderValue, Response, StatusCode, header};
use restwell_model::routes::Action;
use restwell_model::{ErrorCode, OperationKind};
use std::sync::Arc;
use uuid::Uuid;

pub(super) type ServeResult = Result<Response<Payload>, Failure>;

impl Admitted<'_> {
    /// Does what the request is meant to do. All but the read of one entity is boxed: what it keeps would be a part of
    /// each read.
    pub(super) async fn act(&self, body: &ReceivedBody, meta: &mut ResponseMeta) -> ServeResult {
        use OperationKind::{Create, Delete, Get, List, Patch, Update};
        match (self.operation.action, self.id) {
            (Action::Operation(Get), Some(id)) => self.get(id).await,
            (Action::Operation(List), _) => Box::pin(self.list(meta)).await,
            (Action::Operation(Create), _) => Box::pin(self.create(body, meta)).await,
            (Action::Operation(Update), Some(id)) => Box::pin(self.update(id, body, meta)).await,
            (Action::Operation(Patch), Some(id)) => Box::pin(self.patch(id, body, meta)).await,
            (Action::Operation(Delete), Some(id)) => Box::pin(self.delete(id)).await,
            (Action::CreateSearch, _) => Box::pin(self.create_search(body, meta)).await,
            (Action::GetSearch, Some(id)) => Box::pin(self.get_search(id)).await,
            (Action::PutCommand(command), _) => Box::pin(self.put_command(command.into(), body, meta)).await,
            (Action::GetCommand(command), _) => Box::pin(self.get_command(command.into())).await,
            (Action::ListCommands(command), Some(id)) => Box::pin(self.list_commands(command.into(), id)).await,
            (Action::Operation(_) | Action::GetSearch | Action::ListCommands(_), None) => {
                Err(Failure::new(ErrorCode::ResourceNotFound))
            }
        }
    }

    async fn list(&self, meta: &mut ResponseMeta) -> ServeResult {
        let parent = self.find_parent().await?;
        let permit = caller::permit(&self.permission)?;
        let never_seen: Vec<_> = self.plan.fields.never_seen(self.at.resource, &self.viewer).collect();
        let parameters = self.representation().parameters.without(&never_seen);
        let (mut query, mut problems) = parameters.read(&self.query.parameters);
        if let Some(id) = query.search {
            problems.extend(self.use_search(id, &never_seen, &mut query).await?);
        }
        let problems = self.query.refuse(problems);
        let is_plain = query.is_plain();
        meta.uses(query.deprecation);
        query.viewer = self.viewer.clone();
        query.collection = Arc::clone(&self.operation.collection);
        if let (Some(scope), Some(parent)) = (&self.operation.scope, parent) {
            let is_owners = self.plan.owner.as_ref().is_some_and(|owner| owner.column == scope.column);
            if is_owners && !permit.keeps(Some(parent)) {
                return Err(Failure::new(ErrorCode::Forbidden));
            }
            query.restrict(scope.column, parent);
        }
        if let Some(through) = &self.view().through {
            query.through(through.ids(&self.viewer, caller::require(self.caller.as_ref())?.id));
        }
        if !problems.is_empty() {
            return Err(Failure::invalid(problems));
        }
        query.hide(&self.plan.fields, self.at.resource);
        self.limit(&mut query, &permit).await?;
        let (_places, turn) = self.reading(is_plain).await?;
        let body = self.engine.store.list(self.at, query, turn).await?;
        Ok(success(StatusCode::OK, body, &[(header::CONTENT_TYPE, self.media_type().clone())]))
    }

    /// Limits a list to what its access, `visible` and its view let through. These read fields that the caller may not
    /// see, so they come after what the caller asks for.
    async fn limit(&self, query: &mut Query, permit: &Permit) -> Result<(), Failure> {
        match (permit, &self.plan.owner) {
            (Permit::Own(caller), Some(owner)) => query.restrict(owner.column, *caller),
            (Permit::Where(predicate), _) => query.meet(predicate),
            (Permit::All | Permit::Own(_), _) => {}
        }
        query.see(self.viewer.sight(&self.engine.plans, self.at.resource));
        match self.shown_by_view().await? {
            Some(Reduced::Meets(predicate)) => query.meet(&predicate),
            Some(Reduced::Never) => query.nothing(),
            Some(Reduced::Always) | None => {}
        }
        Ok(())
    }

    /// The place of a read that takes a thread or a connection of its own, once it is the client's turn: 503 where the
    /// client holds its share of them already, or of the memory for answers, or where it would wait for too long.
    /// `is_plain`: it is short, whoever the client is.
    pub(super) async fn reading(&self, is_plain: bool) -> Result<(Vec<Share>, Turn), Failure> {
        let shares = &self.engine.shares;
        answers::admit(self.client, shares)?;
        let full = || StoreError::Unavailable("too many reads are waiting".to_owned());
        let long = if is_plain { None } else { shares.long_lists.take(self.client, 1) };
        if !is_plain && long.is_none() && !shares.running_lists.is_known_for_short(self.client) {
            return Err(full().into());
        }
        let share = shares.lists.take(self.client, 1).ok_or_else(full)?;
        let turn = shares.running_lists.turn(self.client, is_plain, READ_PATIENCE).await.ok_or_else(full)?;
        Ok((long.into_iter().chain([share]).collect(), turn))
    }

    async fn get(&self, id: Uuid) -> ServeResult {
        let entity = self.find(id).await?;
        let others = match self.asks_for_tags() {
            true => Box::pin(self.in_other_versions(id)).await?,
            false => Vec::new(),
        };
        self.found(entity, &others)
    }

    /// Whether `If-Match` asks which tags the entity has, in all of its versions.
    pub(super) fn asks_for_tags(&self) -> bool {
        self.headers.contains_key(header::IF_MATCH)
    }

    /// The versions in which the entity is not asked for.
    pub(super) fn other_versions(&self) -> impl Iterator<Item = VersionIndex> {
        let all = self.view().representations.indexed().map(|(version, _)| version);
        all.filter(|version| *version != self.at.version)
    }

    async fn in_other_versions(&self, id: Uuid) -> Result<Vec<(VersionIndex, Vec<u8>)>, Failure> {
        let mut found = Vec::new();
        for version in self.other_versions() {
            let at = RepresentationId { version, ..self.at };
            let entity = self.engine.store.get(at, id, self.viewer.clone()).await?;
            found.extend(entity.map(|entity| (version, entity.body)));
        }
        Ok(found)
    }

    /// The answer to a GET of one: no parameters, 412 if it has not the tag that it must have, and nothing where the
    /// client knows it already (RFC 9110 §13.2.2). `others` has the bodies of other versions, where they matter.
    pub(super) fn found(&self, entity: Entity, others: &[(VersionIndex, Vec<u8>)]) -> ServeResult {
        let problems = parameters::refuse_all(&self.query);
        if !problems.is_empty() {
            return Err(Failure::invalid(problems));
        }
        let tag = self.representation().tag(&entity.body);
        let wanted = Tags::read(self.headers, header::IF_MATCH);
        let is_wanted = |tags: &Tags| {
            let is_other = |(version, body): &(VersionIndex, Vec<u8>)| {
                tags.match_strongly(&self.view().in_version(*version).tag(body))
            };
            tags.match_strongly(&tag) || others.iter().any(is_other)
        };
        if !wanted.as_ref().is_none_or(is_wanted) {
            return Err(Failure::new(ErrorCode::PreconditionFailed));
        }
        let known = Tags::read(self.headers, header::IF_NONE_MATCH);
        if known.is_some_and(|tags| tags.match_weakly(&tag)) {
            return Ok(success(StatusCode::NOT_MODIFIED, Vec::new(), &[(header::ETAG, tag_header(&tag)?)]));
        }
        self.tagged(StatusCode::OK, entity, &tag)
    }

    /// The entity that the path names: 404, 403.
    pub(super) async fn find(&self, id: Uuid) -> Result<Entity, Failure> {
        self.find_in(self.at, id).await
    }

    /// The same in another version.
    pub(super) async fn find_in(&self, at: RepresentationId, id: Uuid) -> Result<Entity, Failure> {
        if self.view().through.is_some() {
            let caller = caller::require(self.caller.as_ref())?.id;
            if !self.engine.store.shows(at, id, caller, self.viewer.clone()).await? {
                return Err(Failure::new(ErrorCode::ResourceNotFound));
            }
        }
        match self.shown_by_view().await? {
            Some(Reduced::Never) => return Err(Failure::new(ErrorCode::ResourceNotFound)),
            Some(Reduced::Meets(predicate)) if !self.meets(at.resource, id, &predicate).await? => {
                return Err(Failure::new(ErrorCode::ResourceNotFound));
            }
            _ => {}
        }
        let Some(entity) = self.engine.store.get(at, id, self.viewer.clone()).await? else {
            return Err(self.not_found((at.resource, id)).await?);
        };
        self.may_touch(id, entity.owner).await?;
        Ok(entity)
    }

    /// Whether the caller may touch an entity of this owner: 403, 401.
    pub(super) async fn may_touch(&self, id: Uuid, owner: Option<Uuid>) -> Result<(), Failure> {
        let is_permitted = match caller::permit(&self.permission)? {
            Permit::Where(predicate) => self.meets(self.at.resource, id, &predicate).await?,
            permit => permit.covers(owner),
        };
        if is_permitted { Ok(()) } else { Err(self.forbidden()) }
    }

    /// The parent that the path of a scoped collection names; where there is none, or none that the caller sees, what
    /// is answered for its id.
    pub(super) async fn find_parent(&self) -> Result<Option<Uuid>, Failure> {
        let Some((scope, id)) = self.operation.scope.as_ref().zip(self.id) else { return Ok(None) };
        match self.engine.store.get(RepresentationId::canonical(scope.parent), id, self.viewer.clone()).await? {
            Some(_) => Ok(Some(id)),
            None => Err(self.not_found((scope.parent, id)).await?),
        }
    }

    /// An answer with an entity and its tag.
    pub(super) fn rendered(&self, status: StatusCode, entity: Entity) -> ServeResult {
        let tag = self.representation().tag(&entity.body);
        self.tagged(status, entity, &tag)
    }

    fn tagged(&self, status: StatusCode, entity: Entity, tag: &str) -> ServeResult {
        let headers = [(header::CONTENT_TYPE, self.media_type().clone()), (header::ETAG, tag_header(tag)?)];
        Ok(success(status, entity.body, &headers))
    }

    pub(super) fn media_type(&self) -> &HeaderValue {
        &self.representation().media_type
    }

    /// The view that the path is one of.
    fn view(&self) -> &ViewPlan {
        self.plan.view(self.operation.view)
    }

    /// How the response is rendered.
    pub(super) fn representation(&self) -> &Representation {
        self.view().in_version(self.at.version)
    }
}

fn tag_header(tag: &str) -> Result<HeaderValue, Failure> {
    HeaderValue::from_str(tag).map_err(|_| Failure::new(ErrorCode::InternalError))
}
