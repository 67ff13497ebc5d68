//! A team's own rules for a resource: what else must hold, what the service fills in, what else is to happen.
//!
//! They run for every write: where a request, a handler, another rule or an asynchronous operation creates, replaces or
//! deletes an entity, in its transaction and in dry runs too. What they change beside the entity is done with it or not
//! at all, and runs rules as well. What `onDelete` does to other entities, and what `import` restores, runs none.

use super::rejection::Rejection;
use super::transaction::Transaction;
use crate::auth::caller::Caller;
use crate::typed::{Resource, Stored};
use restwell_model::Value;
use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;

/// Where a rule runs.
#[derive(Debug)]
pub struct Context<'a> {
    /// Who sent the request or the command; `None` if it is open to anyone and has no credentials.
    pub caller: Option<&'a Caller>,
    /// Reads and changes, done with that of the entity or not at all.
    pub transaction: &'a Transaction,
    /// Whether the change is rolled back at the end. Then a rule should have no effects elsewhere.
    pub is_dry_run: bool,
}

impl<'a> Context<'a> {
    /// That of a rule with this transaction.
    fn of(transaction: &'a Transaction) -> Self {
        Self { caller: transaction.caller(), transaction, is_dry_run: transaction.is_dry_run() }
    }
}

/// The result of a rule. A [`Rejection`] with a code refuses the request: with 422 together with other errors of it, or
/// with 403, 404 or 409 alone. Code that changes the entity by a [`Transaction`] gets it as the error of that call;
/// where the code passes it on, a command is FAILED with it.
pub type Ruled = Result<(), Rejection>;

/// The rules of a resource, each of which does nothing unless it is written.
///
/// ```
/// # use restwell::{Context, Rejection, Resource, Ruled, Rules, Stored};
/// # #[derive(Debug, Clone, Resource)] pub struct Offer { pub name: String, pub stock: i64 }
/// struct OfferRules;
///
/// impl Rules<Offer> for OfferRules {
///     async fn validate(&self, offer: &Offer, _: Option<&Stored<Offer>>, _: &Context<'_>) -> Ruled {
///         if offer.stock == 0 && !offer.name.contains("sold out") {
///             return Err(Rejection::new("NothingLeft", "has nothing left, and its name does not say so").at("stock"));
///         }
///         Ok(())
///     }
/// }
/// # let builder = restwell::Builder::new("shop").resource::<Offer>();
/// let builder = builder.rules(OfferRules);
/// ```
pub trait Rules<R: Resource>: Send + Sync + 'static {
    /// Before an entity is created: fills in what clients cannot set.
    fn before_create(&self, _entity: &mut R, _context: &Context<'_>) -> impl Future<Output = Ruled> + Send {
        async { Ok(()) }
    }

    /// Before an entity is replaced: fills in what clients cannot set.
    fn before_update(
        &self,
        _stored: &Stored<R>,
        _entity: &mut R,
        _context: &Context<'_>,
    ) -> impl Future<Output = Ruled> + Send {
        async { Ok(()) }
    }

    /// Whether an entity may have these values. `stored` is its present state; `None` before it is created.
    fn validate(
        &self,
        _entity: &R,
        _stored: Option<&Stored<R>>,
        _context: &Context<'_>,
    ) -> impl Future<Output = Ruled> + Send {
        async { Ok(()) }
    }

    /// Before an entity is deleted.
    fn before_delete(&self, _stored: &Stored<R>, _context: &Context<'_>) -> impl Future<Output = Ruled> + Send {
        async { Ok(()) }
    }

    /// After an entity was created, before that is committed.
    fn after_create(&self, _entity: &Stored<R>, _context: &Context<'_>) -> impl Future<Output = Ruled> + Send {
        async { Ok(()) }
    }

    /// After an entity was replaced, before that is committed.
    fn after_update(
        &self,
        _before: &Stored<R>,
        _entity: &Stored<R>,
        _context: &Context<'_>,
    ) -> impl Future<Output = Ruled> + Send {
        async { Ok(()) }
    }

    /// After an entity was deleted, before that is committed.
    fn after_delete(&self, _stored: &Stored<R>, _context: &Context<'_>) -> impl Future<Output = Ruled> + Send {
        async { Ok(()) }
    }
}

type RuleFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, Rejection>> + Send + 'a>>;

/// Rules without their types: entities are neutral values.
pub(crate) trait AnyRules: Send + Sync {
    /// The values of an entity, filled in.
    fn before<'a>(
        &'a self,
        entity: Value,
        stored: Option<&'a Stored<Value>>,
        transaction: &'a Transaction,
    ) -> RuleFuture<'a, Value>;

    /// Whether an entity may have these values.
    fn validate<'a>(
        &'a self,
        entity: Value,
        stored: Option<&'a Stored<Value>>,
        transaction: &'a Transaction,
    ) -> RuleFuture<'a, ()>;

    /// Before it is deleted.
    fn before_delete<'a>(&'a self, stored: &'a Stored<Value>, transaction: &'a Transaction) -> RuleFuture<'a, ()>;

    /// After it was created or replaced: `before` is what it was.
    fn after<'a>(
        &'a self,
        before: Option<&'a Stored<Value>>,
        entity: &'a Stored<Value>,
        transaction: &'a Transaction,
    ) -> RuleFuture<'a, ()>;

    /// After it was deleted.
    fn after_delete<'a>(&'a self, stored: &'a Stored<Value>, transaction: &'a Transaction) -> RuleFuture<'a, ()>;
}

struct TypedRules<R, T>(T, PhantomData<fn() -> R>);

impl<R: Resource + Send + Sync, T: Rules<R>> AnyRules for TypedRules<R, T> {
    fn before<'a>(
        &'a self,
        entity: Value,
        stored: Option<&'a Stored<Value>>,
        transaction: &'a Transaction,
    ) -> RuleFuture<'a, Value> {
        Box::pin(async move {
            let mut entity = R::from_value(entity)?;
            let stored = stored.map(typed).transpose()?;
            let rule = |name| transaction.for_rule(R::NAME, name);
            match &stored {
                Some(stored) => {
                    self.0.before_update(stored, &mut entity, &Context::of(&rule("before_update"))).await?;
                }
                None => self.0.before_create(&mut entity, &Context::of(&rule("before_create"))).await?,
            }
            Ok(entity.to_value())
        })
    }

    fn validate<'a>(
        &'a self,
        entity: Value,
        stored: Option<&'a Stored<Value>>,
        transaction: &'a Transaction,
    ) -> RuleFuture<'a, ()> {
        Box::pin(async move {
            let (entity, stored) = (R::from_value(entity)?, stored.map(typed).transpose()?);
            let transaction = transaction.for_rule(R::NAME, "validate");
            self.0.validate(&entity, stored.as_ref(), &Context::of(&transaction)).await
        })
    }

    fn before_delete<'a>(&'a self, stored: &'a Stored<Value>, transaction: &'a Transaction) -> RuleFuture<'a, ()> {
        Box::pin(async move {
            let transaction = transaction.for_rule(R::NAME, "before_delete");
            self.0.before_delete(&typed(stored)?, &Context::of(&transaction)).await
        })
    }

    fn after<'a>(
        &'a self,
        before: Option<&'a Stored<Value>>,
        entity: &'a Stored<Value>,
        transaction: &'a Transaction,
    ) -> RuleFuture<'a, ()> {
        Box::pin(async move {
            let rule = |name| transaction.for_rule(R::NAME, name);
            match before {
                Some(before) => {
                    let transaction = rule("after_update");
                    self.0.after_update(&typed(before)?, &typed(entity)?, &Context::of(&transaction)).await
                }
                None => self.0.after_create(&typed(entity)?, &Context::of(&rule("after_create"))).await,
            }
        })
    }

    fn after_delete<'a>(&'a self, stored: &'a Stored<Value>, transaction: &'a Transaction) -> RuleFuture<'a, ()> {
        Box::pin(async move {
            let transaction = transaction.for_rule(R::NAME, "after_delete");
            self.0.after_delete(&typed(stored)?, &Context::of(&transaction)).await
        })
    }
}

fn typed<R: Resource>(stored: &Stored<Value>) -> Result<Stored<R>, Rejection> {
    let value = R::from_value(stored.value.clone())?;
    let entity = Stored::new(stored.id, stored.created_at, stored.updated_at, value);
    Ok(entity.with_exact(stored.exact.clone()))
}

/// The rules of a service's resources, by name.
#[derive(Clone, Default)]
pub(crate) struct RuleBook(Vec<(&'static str, Arc<dyn AnyRules>)>);

impl fmt::Debug for RuleBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(resource, _)| resource)).finish()
    }
}

impl RuleBook {
    /// The rules of one more resource.
    pub(crate) fn add<R: Resource + Send + Sync>(&mut self, rules: impl Rules<R>) {
        self.0.push((R::NAME, Arc::new(TypedRules(rules, PhantomData))));
    }

    /// A resource's rules; the last ones given, where there are several.
    pub(crate) fn find(&self, resource: &str) -> Option<&Arc<dyn AnyRules>> {
        self.0.iter().rev().find(|(name, _)| *name == resource).map(|(_, rules)| rules)
    }
}
