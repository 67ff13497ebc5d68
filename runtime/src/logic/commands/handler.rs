//! A team's functions, by the command that they do, without their types.

use super::Call;
use crate::auth::caller::Caller;
use crate::logic::hooks::{Event, Hook};
use crate::logic::rejection::Rejection;
use crate::logic::transaction::Transaction;
use crate::plan::form::FieldForms;
use crate::plan::stored;
use crate::store::Step;
use crate::typed::{Command, Resource, Typed};
use restwell_model::{Checked, Value, sample};
use std::borrow::Cow;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use uuid::Uuid;

/// A command to be executed.
pub(crate) struct Invocation {
    pub(crate) id: Uuid,
    pub(crate) entity: Uuid,
    pub(crate) caller: Option<Caller>,
    pub(crate) input: Value,
    pub(crate) transaction: Transaction,
}

/// What a handler did: what it read and changed, and its output or why there is none.
pub(crate) struct HandlerOutcome {
    pub(crate) steps: Vec<Step>,
    pub(crate) output: Result<Value, Rejection>,
}

type HandlerFuture = Pin<Box<dyn Future<Output = HandlerOutcome> + Send>>;

/// A handler of one command.
#[derive(Clone)]
pub(crate) struct Handler(Arc<dyn Fn(Invocation) -> HandlerFuture + Send + Sync>);

impl fmt::Debug for Handler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handler")
    }
}

impl Handler {
    /// A handler that calls a team's function.
    pub(crate) fn new<C, F, D>(function: F) -> Self
    where
        C: Command,
        F: Fn(Call<C>) -> D + Send + Sync + 'static,
        D: Future<Output = Result<C::Output, Rejection>> + Send + 'static,
    {
        let function = Arc::new(function);
        Self(Arc::new(move |invocation| {
            let function = Arc::clone(&function);
            Box::pin(async move {
                let Invocation { id, entity, caller, input, transaction } = invocation;
                let steps = transaction.gathered();
                let output = async {
                    let entity = transaction.find(entity).await?;
                    let call = Call { id, caller, entity, input: C::from_value(input)?, transaction };
                    function(call).await.map(|output| output.to_value())
                };
                let output = output.await;
                HandlerOutcome { steps: steps.take(), output }
            })
        }))
    }

    /// A handler that calls a team's hook; its input is the text of what happened.
    fn of_hook<R: Resource>(hook: impl Hook<R>) -> Self {
        let hook = Arc::new(hook);
        Self(Arc::new(move |invocation| {
            let hook = Arc::clone(&hook);
            Box::pin(async move {
                let steps = invocation.transaction.gathered();
                let output = async {
                    let event = Event::of(invocation)?;
                    hook.on(event).await.map(|()| Value::Null)
                };
                let output = output.await;
                HandlerOutcome { steps: steps.take(), output }
            })
        }))
    }

    /// A handler that changes nothing and answers the same to everybody.
    fn mock(output: Value) -> Self {
        Self(Arc::new(move |invocation| {
            let output = output.clone();
            Box::pin(
                async move { HandlerOutcome { steps: invocation.transaction.gathered().take(), output: Ok(output) } },
            )
        }))
    }

    /// Starts it.
    pub(super) fn run(&self, invocation: Invocation) -> HandlerFuture {
        (self.0)(invocation)
    }
}

/// The handlers of a service, and its hooks.
#[derive(Debug, Default)]
pub(crate) struct Handlers {
    /// The resource's name, the command's name, and what does it.
    commands: Vec<(Cow<'static, str>, Cow<'static, str>, Handler)>,
    /// The resource's name, and what is done after its changes.
    hooks: Vec<(&'static str, Handler)>,
}

impl Handlers {
    /// One more.
    pub(crate) fn add(&mut self, resource: &'static str, command: &'static str, handler: Handler) {
        self.commands.push((resource.into(), command.into(), handler));
    }

    /// The hook of one more resource.
    pub(crate) fn add_hook<R: Resource>(&mut self, hook: impl Hook<R>) {
        self.hooks.push((R::NAME, Handler::of_hook(hook)));
    }

    /// The hook of a resource; the last one given, where there are several.
    pub(crate) fn hook(&self, resource: &str) -> Option<&Handler> {
        self.hooks.iter().rev().find(|(of, _)| *of == resource).map(|(_, hook)| hook)
    }

    /// Mocks for all commands of a model that are ready: each succeeds, changes nothing, and answers with what its
    /// output could be.
    pub(crate) fn mock(&mut self, model: &Checked) {
        for resource in &model.resources {
            for command in resource.commands.iter().filter(|command| command.ready) {
                let output = serde_json::Value::Object(sample::output(model, command));
                let output = stored::object(&FieldForms::of(model, &command.output), &output);
                let names = (resource.name.clone().into(), command.name.clone().into());
                self.commands.push((names.0, names.1, Handler::mock(output)));
            }
        }
    }

    /// The handler of a command; the last one given, where there are several.
    pub(crate) fn find(&self, resource: &str, command: &str) -> Option<&Handler> {
        let found = self.commands.iter().rev().find(|(of, name, _)| of == resource && name == command);
        found.map(|(_, _, handler)| handler)
    }
}
