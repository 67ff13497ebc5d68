//! The calls of a case, as typed calls of the client of the marketplace.

use crate::rust::script::Script;
use futures_util::{Stream, StreamExt, TryStreamExt};
use marketplace_client::events::EventKind;
use marketplace_client::{
    Client, CommandQuery, CommandStatus, Condition, Error, EventQuery, Offer, OfferCriteria, OfferDraft, OfferQuery,
    OfferRenewInput, OfferSort, OfferStatus, OfferUpdate, SaleOfferQuery, SaleOfferUpdate, Stored, Timestamp,
    UserDraft, UserOfferQuery, WatchDraft, beta_v2,
};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use uuid::Uuid;

/// What a call came to.
pub(crate) enum Outcome {
    Value(Json),
    NotModified,
    Failed(Error),
}

impl From<Result<Json, Error>> for Outcome {
    fn from(result: Result<Json, Error>) -> Self {
        result.map_or_else(Self::Failed, Self::Value)
    }
}

/// What the calls of a case share.
pub(crate) struct Caller {
    pub(crate) client: Client,
    pub(crate) script: Script,
    /// The entity that the last `get` gave, for updates of it.
    pub(crate) read: Option<Stored<Offer>>,
}

fn typed<T: DeserializeOwned>(json: &Json) -> T {
    serde_json::from_value(json.clone()).unwrap_or_else(|error| panic!("{error}: {json}"))
}

fn id(json: &Json) -> Uuid {
    typed(json)
}

fn json_of(value: Result<impl serde::Serialize, Error>) -> Outcome {
    value.map(|value| json!(value)).into()
}

fn condition(arguments: &Json) -> Condition<'_> {
    arguments["ifMatch"].as_str().map_or(Condition::Anyway, Condition::Unchanged)
}

/// With some properties changed; names are dotted.
fn changed<T: serde::Serialize + DeserializeOwned>(value: &mut T, changes: &Json) {
    let mut json = json!(value);
    for (name, new) in changes.as_object().into_iter().flatten() {
        let place = name.split('.').fold(&mut json, |place, step| &mut place[step]);
        *place = new.clone();
    }
    *value = typed(&json);
}

impl Caller {
    /// Runs a call; `None` if it was cancelled.
    pub(crate) fn call(&mut self, call: &Json) -> Option<Outcome> {
        let cancel_after = call["cancelAfter"].as_u64().and_then(|after| usize::try_from(after).ok());
        let (collection, operation) = (call["collection"].as_str().unwrap_or_default(), &call["operation"]);
        let operation = operation.as_str().expect("an operation");
        let (script, arguments) = (self.script.clone(), &call["arguments"]);
        match (call["version"].as_str(), collection) {
            (Some("beta.v2"), "offers") => script.run(cancel_after, self.beta(operation, arguments)),
            (_, "offers") => script.run(cancel_after, self.offers(operation, arguments)),
            (_, "transactions") => script.run(cancel_after, self.transactions(operation, arguments)),
            (_, "saleOffers") => script.run(cancel_after, self.sale_offers(operation, arguments)),
            (_, "") => script.run(cancel_after, self.events(arguments)),
            _ => script.run(cancel_after, self.others(collection, operation, call)),
        }
    }

    async fn offers(&mut self, operation: &str, arguments: &Json) -> Outcome {
        let offers = self.client.offers();
        let query = || offer_query(arguments);
        match operation {
            "list" => taken(offers.all(query()), arguments).await,
            "pages" => {
                let pages = offers.pages(query()).map_ok(|page| json!({"items": page.items, "count": page.count}));
                taken(pages, arguments).await
            }
            "count" => json_of(offers.count(query()).await),
            "get" => self.get(arguments).await,
            "create" => json_of(offers.create(&typed::<OfferDraft>(&arguments["draft"])).await),
            "create.check" => {
                json_of(offers.check_create(&typed::<OfferDraft>(&arguments["draft"]), &include(arguments)).await)
            }
            "delete" => json_of(offers.delete(id(&arguments["id"]), condition(arguments)).await),
            "delete.check" => json_of(offers.check_delete(id(&arguments["id"])).await),
            "edit" => {
                let change = |offer: &mut OfferUpdate| changed(offer, &arguments["changes"]);
                json_of(offers.edit(id(&arguments["id"]), change).await)
            }
            "update" => self.update(arguments).await,
            "update.check" => {
                let update: OfferUpdate = typed(&arguments["update"]);
                json_of(offers.check_update(id(&arguments["id"]), &update, &include(arguments)).await)
            }
            "search" => {
                let found = async {
                    let search = offers.create_search(&criteria(arguments)).await?;
                    let query = offer_query(arguments).search(search.id);
                    offers.all(query).try_collect::<Vec<_>>().await
                };
                json_of(found.await)
            }
            "search.check" => json_of(offers.check_search(&criteria(arguments)).await),
            command => self.renew(command, arguments).await,
        }
    }

    async fn get(&mut self, arguments: &Json) -> Outcome {
        let (offers, id) = (self.client.offers(), id(&arguments["id"]));
        if let Some(etag) = arguments["ifNoneMatch"].as_str() {
            return match offers.get_if_changed(id, etag).await {
                Ok(None) => Outcome::NotModified,
                changed => json_of(changed),
            };
        }
        let read = offers.get(id).await;
        self.read = read.as_ref().ok().cloned();
        json_of(read)
    }

    async fn update(&mut self, arguments: &Json) -> Outcome {
        let offers = self.client.offers();
        if arguments.get("entity").is_none() {
            let update: OfferUpdate = typed(&arguments["update"]);
            return json_of(offers.update(id(&arguments["id"]), &update, condition(arguments)).await);
        }
        let mut update = self.read.clone().expect("it was read").map(OfferUpdate::from);
        changed(&mut update.value, &arguments["changes"]);
        let condition = Condition::Unchanged(update.etag.as_deref().expect("a tag"));
        json_of(offers.update(update.id, &update, condition).await)
    }

    async fn renew(&mut self, operation: &str, arguments: &Json) -> Outcome {
        let offers = self.client.offers();
        let execution = || {
            let renew = offers.renew(id(&arguments["id"]), &typed::<OfferRenewInput>(&arguments["input"]));
            match arguments.get("commandId") {
                Some(command) => renew.id(id(command)),
                None => renew,
            }
        };
        let sent_before = || {
            let handle = &arguments["handle"];
            offers.renew_sent_before(id(&handle["entityId"]), id(&handle["commandId"]))
        };
        match operation {
            "renew" => json_of(execution().await),
            "renew.check" => json_of(execution().check(&include(arguments)).await),
            "renew.start" => {
                let started = execution().start().await;
                let handle = |id: Uuid| json!({"entityId": arguments["id"], "commandId": id});
                json_of(started.map(|running| handle(running.command_id())))
            }
            "renew.resume" => json_of(sent_before().wait().await),
            "renew.status" => json_of(sent_before().status().await),
            "renew.list" => {
                let status = arguments["filters"].get("status").map(typed::<CommandStatus>);
                let query = status.into_iter().fold(CommandQuery::new(), CommandQuery::status);
                taken(offers.renew_commands(id(&arguments["id"]), query), arguments).await
            }
            other => panic!("the runner does not know `{other}`"),
        }
    }

    async fn transactions(&mut self, operation: &str, arguments: &Json) -> Outcome {
        assert_eq!((operation, arguments.get("input")), ("confirm.start", None), "what the runner knows of them");
        let started = self.client.transactions().confirm(id(&arguments["id"]), None).start().await;
        json_of(started.map(|running| json!({"entityId": arguments["id"], "commandId": running.command_id()})))
    }

    async fn beta(&mut self, operation: &str, arguments: &Json) -> Outcome {
        let offers = beta_v2::Offers::of(&self.client);
        match operation {
            "create" => json_of(offers.create(&typed::<beta_v2::OfferDraft>(&arguments["draft"])).await),
            "get" => json_of(offers.get(id(&arguments["id"])).await),
            other => panic!("the runner does not know `{other}` of a beta"),
        }
    }

    async fn sale_offers(&mut self, operation: &str, arguments: &Json) -> Outcome {
        let (offers, operations) = (self.client.sale_offers(), || typed::<Vec<Json>>(&arguments["operations"]));
        match operation {
            "list" => {
                let number = arguments["filters"]["stockKeepingUnit"].as_str();
                let query = number.into_iter().fold(SaleOfferQuery::new(), SaleOfferQuery::stock_keeping_unit);
                taken(offers.all(query), arguments).await
            }
            "edit" => {
                let change = |offer: &mut SaleOfferUpdate| changed(offer, &arguments["changes"]);
                json_of(offers.edit(id(&arguments["id"]), change).await)
            }
            "patch" => json_of(offers.patch(id(&arguments["id"]), &operations(), condition(arguments)).await),
            "patch.check" => {
                json_of(offers.check_patch(id(&arguments["id"]), &operations(), &include(arguments)).await)
            }
            other => panic!("the runner does not know `{other}` of sale offers"),
        }
    }

    async fn others(&mut self, collection: &str, operation: &str, call: &Json) -> Outcome {
        let (client, arguments) = (&self.client, &call["arguments"]);
        match (collection, operation) {
            ("contests", "delete") => {
                json_of(client.contests().delete(id(&arguments["id"]), condition(arguments)).await)
            }
            ("userOffers", "list") => {
                taken(client.user_offers(id(&call["parent"])).all(UserOfferQuery::new()), arguments).await
            }
            ("users", "create") => json_of(client.users().create(&typed::<UserDraft>(&arguments["draft"])).await),
            ("users", "create.check") => {
                let draft: UserDraft = typed(&arguments["draft"]);
                json_of(client.users().check_create(&draft, &include(arguments)).await)
            }
            ("watches", "create") => json_of(client.watches().create(&typed::<WatchDraft>(&arguments["draft"])).await),
            (collection, other) => panic!("the runner does not know `{other}` of {collection}"),
        }
    }

    async fn events(&mut self, arguments: &Json) -> Outcome {
        let resources = arguments["resource"].as_array().into_iter().flatten().filter_map(Json::as_str);
        let mut query = resources.fold(EventQuery::new(), EventQuery::resource);
        if let Some(cursor) = arguments["after"].as_str() {
            query = query.after(cursor);
        }
        let events = self.client.events(query).map_ok(|event| {
            let json = json!({
                "id": event.id, "type": event.event_type, "subject": event.subject, "time": event.time,
                "traceid": event.trace_id, "data": event.data,
            });
            if event.kind() == EventKind::Other { json!({"type": "unknown", "event": json}) } else { json }
        });
        taken(events, arguments).await
    }
}

/// What a stream gives, to its end or until so much was taken.
async fn taken<T: serde::Serialize>(stream: impl Stream<Item = Result<T, Error>>, arguments: &Json) -> Outcome {
    let take = arguments["take"].as_u64().and_then(|take| usize::try_from(take).ok()).unwrap_or(usize::MAX);
    json_of(stream.take(take).try_collect::<Vec<_>>().await)
}

fn include(arguments: &Json) -> Vec<&str> {
    arguments["include"].as_array().into_iter().flatten().filter_map(Json::as_str).collect()
}

/// The typed query of filters, an order and the length of pages.
fn offer_query(arguments: &Json) -> OfferQuery {
    let mut query = OfferQuery::new();
    let mut filters = Vec::new();
    flatten(&arguments["filters"], String::new(), &mut filters);
    for (name, value) in &filters {
        query = match name.as_str() {
            "name" => query.name(value.as_str().expect("a text")),
            "colour" => query.colour_is_null(),
            "buyNow.amount.gte" => query.buy_now_amount_gte(typed(value)),
            "buyNow.currency" => query.buy_now_currency(typed(value)),
            "seller.id" => query.seller_id(typed(value)),
            "createdAt.lt" => query.created_at_lt(typed::<Timestamp>(value)),
            "id.gt" => query.id_gt(typed(value)),
            "status" => query.status(typed::<OfferStatus>(value)),
            "stock.gt" => query.stock_gt(typed(value)),
            "stock.lte" => query.stock_lte(typed(value)),
            "catalogueNumber" => query.catalogue_number(value.as_str().expect("a text")),
            other => panic!("the runner does not know the filter `{other}`"),
        };
    }
    for name in arguments["sort"].as_array().into_iter().flatten().filter_map(Json::as_str) {
        query = match name {
            "-buyNow" => query.sort_desc(OfferSort::BUY_NOW),
            "createdAt" => query.sort(OfferSort::CREATED_AT),
            "-id" => query.sort_desc(OfferSort::ID),
            other => panic!("the runner does not know the order `{other}`"),
        };
    }
    let limit = arguments["pageSize"].as_u64().or(arguments["limit"].as_u64());
    match limit.and_then(|limit| u32::try_from(limit).ok()) {
        Some(limit) => query.limit(limit),
        None => query,
    }
}

/// Dotted names with their values; of an array, the name with each of them.
fn flatten(filters: &Json, name: String, found: &mut Vec<(String, Json)>) {
    match filters {
        Json::Object(members) => {
            for (member, value) in members {
                let separator = if name.is_empty() { "" } else { "." };
                flatten(value, format!("{name}{separator}{member}"), found);
            }
        }
        Json::Array(values) => found.extend(values.iter().map(|value| (name.clone(), value.clone()))),
        Json::Null if name.is_empty() => {}
        value => found.push((name, value.clone())),
    }
}

/// The criteria of a search, in which null stands for the criterion that something is null.
fn criteria(arguments: &Json) -> OfferCriteria {
    let mut criteria = arguments["criteria"].clone();
    for value in criteria.as_object_mut().into_iter().flat_map(|it| it.values_mut()).filter(|value| value.is_null()) {
        *value = json!({"isNull": true});
    }
    typed(&criteria)
}
