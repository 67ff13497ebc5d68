//! A service, put together from types.

use super::interpreted::Interpretation;
use crate::auth::authenticator::Authenticator;
use crate::logic::commands::{Call, Handler, Handlers};
use crate::logic::hooks::Hook;
use crate::logic::jobs::Job;
use crate::logic::rejection::Rejection;
use crate::logic::rules::{RuleBook, Rules};
use crate::logic::service_handle::Service as ServiceHandle;
use crate::messages::CustomMessages;
use crate::migrations::Migration;
use crate::serve::routes::Routes;
use crate::service::CommandHandlers;
use crate::typed::{AssemblyError, Command, Describe, Nested, Registry, Resource};
use restwell_model::condition::Condition;
use restwell_model::{Contact, License, Service, UserSubjects};
use std::fmt;
use std::sync::Arc;

/// A service in the making: its name, and the types that it serves.
///
/// ```
/// use restwell::{Builder, Ref, Resource};
///
/// /// Somebody who buys and sells.
/// #[derive(Debug, Clone, Resource)]
/// pub struct User {
///     pub name: String,
/// }
///
/// /// Something that a seller puts up for sale.
/// #[derive(Debug, Clone, Resource)]
/// pub struct Offer {
///     pub name: String,
///     #[field(show(name))]
///     pub seller: Ref<User>,
/// }
///
/// let builder = Builder::new("marketplace").title("Marketplace API").users::<User>().resource::<Offer>();
/// assert_eq!(builder.model().unwrap().resources.len(), 2);
/// ```
#[derive(Debug)]
#[must_use = "a builder does nothing until it is asked for the service"]
pub struct Builder {
    service: Service,
    registry: Registry,
    handlers: Handlers,
    rules: RuleBook,
    pub(super) messages: Vec<CustomMessages>,
    pub(super) migrations: Vec<Migration>,
    /// The model of a service that is interpreted; instead of what the types describe.
    pub(super) interpretation: Option<Interpretation>,
    routes: Routes,
    jobs: Vec<Job>,
    sample: Option<&'static str>,
    scheme: Option<CustomAuthenticator>,
}

/// A service's own way of checking credentials.
#[derive(Clone)]
struct CustomAuthenticator(Arc<dyn Authenticator>);

impl fmt::Debug for CustomAuthenticator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scheme")
    }
}

impl Builder {
    /// A service of this name (kebab-case) that has nothing yet.
    pub fn new(name: &str) -> Self {
        Self {
            service: Service::new(name),
            registry: Registry::default(),
            handlers: Handlers::default(),
            rules: RuleBook::default(),
            messages: Vec::new(),
            migrations: Vec::new(),
            interpretation: None,
            routes: Routes::new(),
            jobs: Vec::new(),
            sample: None,
            scheme: None,
        }
    }

    /// The title for people.
    pub fn title(mut self, title: &str) -> Self {
        self.service.title = Some(title.to_owned());
        self
    }

    /// What the service is: the beginning of the description in its OpenAPI document.
    pub fn description(mut self, description: &str) -> Self {
        self.service.description = Some(description.to_owned());
        self
    }

    /// The URL of the terms under which the service may be used.
    pub fn terms_of_service(mut self, url: &str) -> Self {
        self.service.terms_of_service = Some(url.to_owned());
        self
    }

    /// Who answers questions about the service: a name, the URL of a page, an address for mail.
    ///
    /// ```
    /// let builder = restwell::Builder::new("shop").contact(Some("API team"), None, Some("api@example.com"));
    /// ```
    pub fn contact(mut self, name: Option<&str>, url: Option<&str>, email: Option<&str>) -> Self {
        let [name, url, email] = [name, url, email].map(|text| text.map(str::to_owned));
        self.service.contact = Some(Contact { name, url, email });
        self
    }

    /// The license of the interface: its name, its SPDX identifier, or the URL of its text.
    ///
    /// ```
    /// let builder = restwell::Builder::new("shop").license("Apache 2.0", Some("Apache-2.0"), None);
    /// ```
    pub fn license(mut self, name: &str, identifier: Option<&str>, url: Option<&str>) -> Self {
        let [identifier, url] = [identifier, url].map(|text| text.map(str::to_owned));
        self.service.license = Some(License { name: name.to_owned(), identifier, url });
        self
    }

    /// The word in `application/vnd.<vendor>.public.v1+json` (§9.1).
    pub fn vendor(mut self, vendor: &str) -> Self {
        vendor.clone_into(&mut self.service.vendor);
        self
    }

    /// The resource whose id is the authenticated caller's. It is served, too.
    pub fn users<U: Resource>(mut self) -> Self {
        self.service.users = Some(U::NAME.to_owned());
        self.resource::<U>()
    }

    /// Finds the users by a unique string of theirs, which holds the subject of their tokens (`sub`), instead of by
    /// their id.
    ///
    /// ```
    /// use restwell::{Builder, Resource};
    ///
    /// #[derive(Debug, Clone, Resource)]
    /// pub struct User {
    ///     pub name: String,
    ///     #[field(unique, read_only)]
    ///     pub external_id: Option<String>,
    /// }
    ///
    /// let builder = Builder::new("shop").users::<User>().user_subject("externalId");
    /// let builder = builder.provision_users(&[("name", "name")]);
    /// ```
    pub fn user_subject(mut self, field: &str) -> Self {
        let provision = self.service.user_subjects.take().and_then(|subjects| subjects.provision);
        self.service.user_subjects = Some(UserSubjects { subject: field.to_owned(), provision });
        self
    }

    /// Makes a user at the first token of a subject: fields, and the claims of the token that they have as values. It
    /// follows [`user_subject`](Self::user_subject).
    pub fn provision_users(mut self, claims: &[(&str, &str)]) -> Self {
        let claims = claims.iter().map(|&(field, claim)| (field.to_owned(), claim.to_owned())).collect();
        if let Some(subjects) = &mut self.service.user_subjects {
            subjects.provision = Some(claims);
        }
        self
    }

    /// Names a condition on the caller alone, in camelCase: in access lists the role is a word like `user`. A condition
    /// on a user's field knows it as `caller.kind`.
    ///
    /// ```
    /// let builder = restwell::Builder::new("shop").role("moderator", "\"moderator\" in claims.roles");
    /// ```
    pub fn role(mut self, name: &str, condition: &str) -> Self {
        self.service.roles.insert(name.to_owned(), Condition::new(condition));
        self
    }

    /// Names a condition on the caller alone, in camelCase: a word in all conditions and access lists of the service.
    /// Where it stands in an access list, it means what the condition means there as `when`.
    ///
    /// ```
    /// let builder = restwell::Builder::new("shop").condition("desk", "claims.team == \"desk\" || \"desk\" in scopes");
    /// ```
    pub fn condition(mut self, name: &str, condition: &str) -> Self {
        self.service.conditions.insert(name.to_owned(), Condition::new(condition));
        self
    }

    /// Says that a change is meant, with the reason, for `restwell diff`: the kind of a change of the service itself,
    /// or `Offer.resource-dropped` of a removed resource.
    ///
    /// ```
    /// let builder = restwell::Builder::new("shop").allow("Offer.resource-dropped", "it has no clients since March");
    /// ```
    pub fn allow(mut self, change: &str, reason: &str) -> Self {
        self.service.allow.insert(change.to_owned(), reason.to_owned());
        self
    }

    /// Serves a resource, with the objects and enums that it uses.
    pub fn resource<R: Resource>(mut self) -> Self {
        self.registry.add::<R>();
        self
    }

    /// Serves a command of a registered resource that does not list it in `#[resource(commands(…))]`. A resource's
    /// commands stand in the order in which they come.
    pub fn command<C: Command>(mut self) -> Self {
        self.registry.add_command::<C>();
        self
    }

    /// Serves a command of a registered resource, done by this function. Without one a command is announced: it answers
    /// 501.
    pub fn handle<C, F, D>(mut self, handler: F) -> Self
    where
        C: Command,
        F: Fn(Call<C>) -> D + Send + Sync + 'static,
        D: Future<Output = Result<C::Output, Rejection>> + Send + 'static,
    {
        self.handlers.add(C::On::NAME, C::NAME, Handler::new(handler));
        self.command::<C>()
    }

    /// Serves the commands of a registered resource, handled by the methods of one type.
    ///
    /// ```
    /// use restwell::{Builder, Call, Command, Rejection, Resource, handlers};
    /// use std::sync::Arc;
    ///
    /// #[derive(Debug, Clone, Resource)]
    /// #[resource(commands(Rename))]
    /// pub struct Offer {
    ///     pub name: String,
    /// }
    ///
    /// /// Gives an offer another name.
    /// #[derive(Debug, Clone, Command)]
    /// #[command(on = Offer)]
    /// pub struct Rename {
    ///     pub name: String,
    /// }
    ///
    /// struct Commands;
    ///
    /// #[handlers]
    /// impl Commands {
    ///     async fn rename(&self, call: Call<Rename>) -> Result<(), Rejection> {
    ///         let mut offer = call.entity;
    ///         offer.name = call.input.name;
    ///         call.transaction.update(offer).await
    ///     }
    /// }
    ///
    /// let builder = Builder::new("marketplace").resource::<Offer>().commands::<Offer>(&Arc::new(Commands));
    /// assert_eq!(builder.model().unwrap().resources[0].commands.len(), 1);
    /// ```
    pub fn commands<R: Resource>(self, handlers: &Arc<impl CommandHandlers<R>>) -> Self {
        CommandHandlers::register(handlers, self)
    }

    /// The same as [`handle`](Self::handle), with what many handlers share. This is what derived code calls.
    #[doc(hidden)]
    pub fn handle_with<H, C, F, D>(self, shared: &Arc<H>, handler: F) -> Self
    where
        H: Send + Sync + 'static,
        C: Command,
        F: Fn(Arc<H>, Call<C>) -> D + Send + Sync + 'static,
        D: Future<Output = Result<C::Output, Rejection>> + Send + 'static,
    {
        let shared = Arc::clone(shared);
        self.handle(move |call| handler(Arc::clone(&shared), call))
    }

    /// Holds requests for a registered resource to rules of its own.
    pub fn rules<R: Resource + Send + Sync>(mut self, rules: impl Rules<R>) -> Self {
        self.rules.add(rules);
        self
    }

    /// Does something after each change of a registered resource: see [`Hook`].
    pub fn on<R: Resource>(mut self, hook: impl Hook<R>) -> Self {
        self.handlers.add_hook(hook);
        self
    }

    /// Serves [routes](crate::routes) of the service's own, beside those of its resources: behind the same edge, with
    /// the same options. A path that a resource has as well is an error at the start.
    pub fn routes(mut self, routes: Routes) -> Self {
        for register in routes.entries.iter().flat_map(|(route, _)| &route.register) {
            register(&mut self.registry);
        }
        self.routes = self.routes.and(routes);
        self
    }

    /// Runs a background job while the service runs: it starts with it, waits for `service.stopped()` beside its timer,
    /// and has 20 seconds to end. One that returns is done; one that panics starts again after a pause. Each instance
    /// runs it.
    ///
    /// ```
    /// use restwell::{Builder, Resource};
    /// use std::time::Duration;
    ///
    /// #[derive(Debug, Clone, Resource)]
    /// pub struct Visit {
    ///     #[field(filter)]
    ///     pub is_done: bool,
    /// }
    ///
    /// let builder = Builder::new("visits").resource::<Visit>().job("clean-up", |service| async move {
    ///     loop {
    ///         let removed = service.transactions().run(|transaction| async move {
    ///             for visit in transaction.list(VisitQuery::new().is_done(true)).await? {
    ///                 transaction.delete(&visit).await?;
    ///             }
    ///             Ok(())
    ///         });
    ///         if let Err(rejection) = removed.await {
    ///             eprintln!("clean-up: {rejection:?}");
    ///         }
    ///         tokio::select! {
    ///             () = tokio::time::sleep(Duration::from_secs(60)) => {}
    ///             () = service.stopped() => return,
    ///         }
    ///     }
    /// });
    /// ```
    pub fn job<F, D>(mut self, name: &str, job: F) -> Self
    where
        F: Fn(ServiceHandle) -> D + Send + Sync + 'static,
        D: Future<Output = ()> + Send + 'static,
    {
        self.jobs.push(Job::new(name, job));
        self
    }

    /// Describes an object or an enum that no resource uses yet.
    pub fn definition<D: Nested>(mut self) -> Self {
        self.registry.add::<D>();
        self
    }

    /// Adds or replaces the messages of errors for users in a language: in Fluent, with ids that are codes
    /// (`OfferStillActive`, `TooLong`) or those of single fields (`Offer_name_TooLong`). A language that is not built
    /// in is supported from then on. Errors in the messages are reported at start.
    ///
    /// ```
    /// let builder = restwell::Builder::new("shop").messages("pl", "OfferStillActive = Oferta jeszcze trwa.");
    /// ```
    pub fn messages(mut self, language: &str, text: &str) -> Self {
        self.messages.push(CustomMessages { language: language.to_owned(), text: text.to_owned() });
        self
    }

    /// Takes in the migrations of the service, in their order, from [`migrations!`](crate::migrations!). A service that
    /// has none is compared with the model that its database recorded.
    pub fn migrations(mut self, migrations: impl IntoIterator<Item = Migration>) -> Self {
        self.migrations.extend(migrations);
        self
    }

    /// Entities that a new database starts with where none is named on the command line: a JSON array of
    /// `{"resource": "users", "id": "…", "body": {…}}`, created in order.
    pub fn sample_data(mut self, json: &'static str) -> Self {
        self.sample = Some(json);
        self
    }

    /// Checks credentials in a way of the service's own: neither the development key nor an issuer on the command line.
    pub fn authenticator(mut self, authenticator: impl Authenticator) -> Self {
        self.scheme = Some(CustomAuthenticator(Arc::new(authenticator)));
        self
    }

    /// The service's own way of checking credentials, where it has one.
    pub(crate) fn own_authenticator(&self) -> Option<Arc<dyn Authenticator>> {
        self.scheme.as_ref().map(|CustomAuthenticator(scheme)| Arc::clone(scheme))
    }

    pub(crate) fn name(&self) -> &str {
        &self.service.name
    }

    pub(crate) fn sample(&self) -> Option<&'static str> {
        self.sample
    }

    /// Takes the service's own messages.
    pub(crate) fn take_messages(&mut self) -> Vec<CustomMessages> {
        std::mem::take(&mut self.messages)
    }

    /// Takes the migrations.
    pub(crate) fn take_migrations(&mut self) -> Vec<Migration> {
        std::mem::take(&mut self.migrations)
    }

    /// Takes what the service's own code does.
    pub(crate) fn take_code(&mut self) -> (Handlers, RuleBook) {
        (std::mem::take(&mut self.handlers), std::mem::take(&mut self.rules))
    }

    /// Takes its routes and jobs.
    pub(crate) fn take_routes_and_jobs(&mut self) -> (Routes, Vec<Job>) {
        (std::mem::take(&mut self.routes), std::mem::take(&mut self.jobs))
    }

    /// Takes the model of a service that is interpreted.
    pub(crate) fn take_interpretation(&mut self) -> Option<Interpretation> {
        self.interpretation.take()
    }

    /// The description of the service; only its completeness is checked.
    ///
    /// # Errors
    ///
    /// All that does not fit together.
    pub fn model(self) -> Result<Service, Vec<AssemblyError>> {
        match self.interpretation {
            Some(interpretation) => Ok((*interpretation.model).clone()),
            None => self.registry.assemble(self.service),
        }
    }
}
