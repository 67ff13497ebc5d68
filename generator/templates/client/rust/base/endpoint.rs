//! The operations that every resource has, for the typed functions of the modules beside.

use super::client::{Call, Client, Success};
use super::error::{Error, Problem};
use super::list::{ListQuery, Page, Walk};
use super::stored::Stored;
use futures_util::stream::{self, Stream, TryStreamExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use uuid::Uuid;

/// What a collection is called.
#[derive(Debug)]
pub(crate) struct Names {
    /// The media type of its version.
    pub(crate) media_type: &'static str,
    /// The property of a page that holds the entities.
    pub(crate) collection: &'static str,
}

/// A collection, and the entities in it.
pub(crate) struct Endpoint<'c> {
    pub(super) client: &'c Client,
    pub(super) names: &'static Names,
    pub(super) path: String,
}

impl<'c> Endpoint<'c> {
    pub(crate) fn new(client: &'c Client, names: &'static Names, path: impl Into<String>) -> Self {
        Self { client, names, path: path.into() }
    }

    /// A page.
    pub(crate) async fn list<T: DeserializeOwned>(&self, query: impl ListQuery) -> Result<Page<Stored<T>>, Error> {
        self.page(query.into_parameters().query_string()).await
    }

    /// How many entities match.
    pub(crate) async fn count(&self, query: impl ListQuery) -> Result<u64, Error> {
        let mut parameters = query.into_parameters();
        parameters.limit(0);
        let page = self.page::<Json>(parameters.query_string()).await?;
        page.count.ok_or_else(|| Error::UnexpectedBody("a page without `count`".to_owned()))
    }

    /// An entity.
    pub(crate) async fn get<T: DeserializeOwned>(&self, id: Uuid) -> Result<Stored<T>, Error> {
        stored(&self.client.send(&self.call("GET", &self.of(id))).await?)
    }

    /// An entity, if it has another tag than this one.
    pub(crate) async fn get_if_changed<T: DeserializeOwned>(
        &self,
        id: Uuid,
        etag: &str,
    ) -> Result<Option<Stored<T>>, Error> {
        let mut call = self.call("GET", &self.of(id));
        call.headers.push(("if-none-match", etag.to_owned()));
        let success = self.client.send(&call).await?;
        if success.status == 304 { Ok(None) } else { stored(&success).map(Some) }
    }

    /// A new entity.
    pub(crate) async fn create<T: DeserializeOwned>(&self, body: &impl Serialize) -> Result<Stored<T>, Error> {
        stored(&self.client.send(&self.call("POST", &self.path).with(self.names, body)?).await?)
    }

    /// A new entity of an asynchronous operation: its id, as soon as the service has accepted it.
    pub(crate) async fn begin_create(&self, body: &impl Serialize) -> Result<Option<Uuid>, Error> {
        let success = self.client.send(&self.call("POST", &self.path).with(self.names, body)?).await?;
        let id = success.header("location").and_then(|location| location.rsplit('/').next());
        Ok(id.and_then(|id| id.parse().ok()))
    }

    /// Deletes an entity.
    pub(crate) async fn delete(&self, id: Uuid, etag: Option<&str>) -> Result<(), Error> {
        let call = Call { method: "DELETE", path: self.of(id), ..Call::default() };
        self.client.send(&call.if_match(etag)).await.map(drop)
    }

    /// The problems that a change would have; nothing is changed. `include` selects properties.
    pub(crate) async fn check(
        &self,
        method: &'static str,
        id: Option<Uuid>,
        body: Option<&(impl Serialize + ?Sized)>,
        include: &[&str],
    ) -> Result<Vec<Problem>, Error> {
        let path = id.map_or_else(|| self.path.clone(), |id| self.of(id));
        let call = match body {
            Some(body) => self.call(method, &path).with(self.names, body)?,
            None => Call { method, path, ..Call::default() },
        };
        dry_run(self.client, call, include).await
    }

    /// The path of an entity.
    pub(crate) fn of(&self, id: Uuid) -> String {
        format!("{}/{id}", self.path)
    }

    pub(super) fn call(&self, method: &'static str, path: &str) -> Call {
        let headers = vec![("accept", self.names.media_type.to_owned())];
        Call { method, path: path.to_owned(), headers, ..Call::default() }
    }

    async fn page<T: DeserializeOwned>(&self, query: String) -> Result<Page<T>, Error> {
        let success = self.client.send(&Call { query, ..self.call("GET", &self.path) }).await?;
        let mut body: serde_json::Map<String, Json> = parse(&success)?;
        let items = body.remove(self.names.collection).unwrap_or_default();
        let items = serde_json::from_value(items).map_err(|error| Error::UnexpectedBody(error.to_string()))?;
        Ok(Page { items, count: body.get("count").and_then(Json::as_u64) })
    }
}

/// All entities that match, page after page.
pub(crate) fn walk<T: DeserializeOwned + Send>(
    client: Client,
    names: &'static Names,
    path: String,
    query: impl ListQuery,
) -> impl Stream<Item = Result<Stored<T>, Error>> + Send {
    let items = |page: Page<Stored<T>>| stream::iter(page.items.into_iter().map(Ok));
    pages(client, names, path, query).map_ok(items).try_flatten()
}

/// The pages that match.
pub(crate) fn pages<T: DeserializeOwned + Send>(
    client: Client,
    names: &'static Names,
    path: String,
    query: impl ListQuery,
) -> impl Stream<Item = Result<Page<Stored<T>>, Error>> + Send {
    let start = (Walk::new(query.into_parameters()), client, path);
    stream::try_unfold(start, move |(mut walk, client, path)| async move {
        let Some(query) = walk.next() else { return Ok(None) };
        let page: Page<Stored<T>> = Endpoint::new(&client, names, path.as_str()).page(query).await?;
        walk.after(page.items.len(), page.items.last().map(|item| item.id));
        Ok(Some((page, (walk, client, path))))
    })
}

impl Call {
    /// With a body.
    pub(super) fn with(mut self, names: &Names, body: &(impl Serialize + ?Sized)) -> Result<Self, Error> {
        let body = serde_json::to_vec(body).map_err(|error| Error::Request(error.to_string()))?;
        self.headers.push(("content-type", names.media_type.to_owned()));
        self.body = Some(body);
        Ok(self)
    }

    /// Only if the entity still has this tag.
    pub(super) fn if_match(mut self, etag: Option<&str>) -> Self {
        self.headers.extend(etag.map(|etag| ("if-match", etag.to_owned())));
        self
    }
}

/// The problems that a change would have (§4.3).
pub(super) async fn dry_run(client: &Client, call: Call, include: &[&str]) -> Result<Vec<Problem>, Error> {
    match client.send(&Call { query: dry_run_query(include), ..call }).await {
        Ok(_) => Ok(Vec::new()),
        Err(Error::Invalid(error)) if error.status == 422 => Ok(error.problems),
        Err(error) => Err(error),
    }
}

/// A function of its own, because the serializer cannot be held across an `await` of a future that is `Send`.
fn dry_run_query(include: &[&str]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("dryRun", "true");
    query.extend_pairs(include.iter().map(|name| ("include", name)));
    query.finish()
}

/// A body.
pub(super) fn parse<T: DeserializeOwned>(success: &Success) -> Result<T, Error> {
    serde_json::from_slice(&success.body).map_err(|error| Error::UnexpectedBody(error.to_string()))
}

/// An entity, with its tag.
pub(super) fn stored<T: DeserializeOwned>(success: &Success) -> Result<Stored<T>, Error> {
    let mut entity: Stored<T> = parse(success)?;
    entity.etag = success.header("etag").map(str::to_owned);
    entity.trace_id = success.trace_id();
    Ok(entity)
}
