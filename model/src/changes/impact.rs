//! What a change does to the interface: the direction in which it moves what may be sent and what is returned.

/// How the values at a place change, as seen by one side of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ChangeDirection {
    /// The side does not see the change.
    #[default]
    Unchanged,
    /// The place is new. Who does not know it loses nothing.
    New,
    /// What is new has to be tolerated, by the conventions, though some clients may notice it: a value of an enum
    /// (§2.4.8), a field that a PUT without it resets.
    Tolerated,
    /// The place is new, and requests must have it.
    Demanded,
    /// More values than before.
    Wider,
    /// Fewer values than before.
    Narrower,
    /// Other values than before, of the same form: some more, some fewer.
    Shifted,
    /// The same values, with another meaning or another consequence.
    Changed,
    /// The place is gone.
    Gone,
    /// The place has values of another form.
    Replaced,
}

/// What a change does to each side of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Impact {
    /// To what may be sent.
    pub requests: ChangeDirection,
    /// To what is returned.
    pub responses: ChangeDirection,
    /// To the events.
    pub events: ChangeDirection,
    /// Generated code changes: a name, a type, whether a value may be missing.
    pub code: bool,
    /// What the service keeps beside the rows, and no migration rewrites, has the old form: stored searches, running
    /// commands, events that were not delivered yet.
    pub kept: bool,
}
