//! Commands (§2.6): sent with an id of the client, watched until they end.

use super::client::{Call, Client, Success};
use super::endpoint::{Names, dry_run, parse};
use super::error::{CommandFailed, Error, Problem, Uncertain};
use super::retry;
use super::transport::BoxFuture;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// How long a command is watched after its own timeout.
const GRACE: Duration = Duration::from_secs(30);

/// How far a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum CommandStatus {
    /// It has not ended yet.
    Running,
    /// It has done what it was sent for.
    Successful,
    /// It has not, and nothing has changed.
    Failed,
}

impl fmt::Display for CommandStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "RUNNING",
            Self::Successful => "SUCCESSFUL",
            Self::Failed => "FAILED",
        })
    }
}

/// What every command has.
#[derive(Deserialize)]
struct CommandState {
    status: CommandStatus,
    #[serde(default)]
    errors: Vec<Problem>,
}

/// What the model says of a command.
#[derive(Debug)]
pub(crate) struct CommandNames {
    pub(crate) names: Names,
    /// The command's own timeout.
    pub(crate) timeout: Duration,
}

/// A command that is ready to be sent. Awaiting it sends it, watches it to its end and gives it as it is
/// then, with its outputs.
#[must_use = "await it, or call `start`"]
pub struct Execution<O> {
    running: Running<O>,
    body: Result<Vec<u8>, String>,
}

/// A command that was sent. Dropping it does not end the command.
#[derive(Debug)]
pub struct Running<O> {
    client: Client,
    command: &'static CommandNames,
    /// Without the command's id.
    path: String,
    id: Uuid,
    /// What the service responded when it was sent.
    sent: Option<Arc<Success>>,
    output: PhantomData<fn() -> O>,
}

impl<O> Clone for Running<O> {
    fn clone(&self) -> Self {
        Self { client: self.client.clone(), path: self.path.clone(), sent: self.sent.clone(), ..*self }
    }
}

impl<O> Execution<O> {
    pub(crate) fn new(running: Running<O>, input: &impl Serialize) -> Self {
        Self { running, body: serde_json::to_vec(input).map_err(|error| error.to_string()) }
    }

    /// With an id of one's own, for example one that was stored before: a command of one id is executed once,
    /// however often it is sent.
    pub fn id(mut self, id: Uuid) -> Self {
        self.running.id = id;
        self
    }

    /// The id that the command will have.
    #[must_use]
    pub const fn command_id(&self) -> Uuid {
        self.running.id
    }

    /// The problems that the command would have; it is not executed. `include` selects inputs.
    ///
    /// # Errors
    ///
    /// All but invalid inputs.
    pub async fn check(self, include: &[&str]) -> Result<Vec<Problem>, Error> {
        dry_run(&self.running.client, self.call()?, include).await
    }

    /// Sends the command, without waiting for its end.
    ///
    /// # Errors
    ///
    /// The service has not accepted it; see [`Error::may_have_happened`].
    pub async fn start(self) -> Result<Running<O>, Error> {
        let sent = self.running.client.send(&self.call()?).await?;
        Ok(Running { sent: Some(Arc::new(sent)), ..self.running })
    }

    fn call(&self) -> Result<Call, Error> {
        let body = self.body.clone().map_err(Error::Request)?;
        let mut call = self.running.call("PUT");
        call.headers.push(("content-type", self.running.command.names.media_type.to_owned()));
        Ok(Call { body: Some(body), ..call })
    }
}

impl<O: DeserializeOwned + 'static> IntoFuture for Execution<O> {
    type Output = Result<O, Error>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.start().await?.wait().await })
    }
}

impl<O> Running<O> {
    pub(crate) fn new(client: &Client, command: &'static CommandNames, path: String, id: Uuid) -> Self {
        Self { client: client.clone(), command, path, id, sent: None, output: PhantomData }
    }

    /// The id of the command: with it and that of the entity the command can be found again.
    #[must_use]
    pub const fn command_id(&self) -> Uuid {
        self.id
    }

    fn call(&self, method: &'static str) -> Call {
        let headers = vec![("accept", self.command.names.media_type.to_owned())];
        Call { method, path: format!("{}/{}", self.path, self.id), headers, ..Call::default() }
    }
}

impl<O: DeserializeOwned> Running<O> {
    /// The command as it is now.
    ///
    /// # Errors
    ///
    /// The service does not say.
    pub async fn status(&self) -> Result<O, Error> {
        parse(&self.client.send(&self.call("GET")).await?)
    }

    /// Waits for the command's end: at most for its own timeout and 30 seconds more.
    ///
    /// # Errors
    ///
    /// [`Error::CommandFailed`]; [`Error::Timeout`], if it still runs; whatever stops the client from looking.
    pub async fn wait(&self) -> Result<O, Error> {
        let watched = self.client.within(self.command.timeout + GRACE, self.watched()).await;
        watched.unwrap_or(Err(Error::Timeout(Uncertain::MayHaveHappened)))
    }

    async fn watched(&self) -> Result<O, Error> {
        let (mut looked, mut sent) = (0, self.sent.clone());
        loop {
            let success = match sent.take() {
                Some(success) => success,
                None => Arc::new(self.client.send(&self.call("GET")).await?),
            };
            let state: CommandState = parse(&success)?;
            match state.status {
                CommandStatus::Successful => return parse(&success),
                CommandStatus::Failed => {
                    return Err(Error::CommandFailed(CommandFailed { command_id: self.id, problems: state.errors }));
                }
                CommandStatus::Running => {}
            }
            let asked = success.header("retry-after").and_then(|it| it.parse().ok()).map(Duration::from_secs);
            self.client.sleep(retry::poll_pause(looked, asked)).await;
            looked += 1;
        }
    }
}
