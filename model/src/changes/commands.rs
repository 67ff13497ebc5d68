//! Compares the commands of a resource.

use super::context::{Context, Requests, Storage};
use super::former_names::{in_calls, keeps_name};
use super::pairs::{Pair, pairs};
use super::{ChangeDirection, ChangeKind, Comparison, Finding};
use crate::check::ModelPath;
use crate::field::Deprecation;
use crate::resource::Command;
use crate::scalar::IsoDuration;
use ChangeDirection::{Changed, Gone, New, Unchanged};
use std::time::Duration;

impl<'a> Comparison<'a> {
    pub(super) fn commands(&mut self, old: &'a [Command], new: &'a [Command], at: &ModelPath) {
        for pair in pairs(old, new) {
            match pair {
                Pair::Both(old, new) => self.command(old, new, &at.key(&new.name)),
                Pair::New(new) => {
                    self.push(Finding::added(ChangeKind::CommandAdded, &at.key(&new.name)).in_code());
                }
                Pair::Old(old) => self.within(self.of_command(old, Requests::Absent), |this| {
                    let finding = Finding::dropped(ChangeKind::CommandDropped, &at.key(&old.name));
                    // no client can have used a command that was not ready
                    this.push(match old.ready {
                        true => finding.everywhere(Gone, Gone, Gone).kept(),
                        false => finding.calls(Unchanged),
                    });
                }),
            }
        }
    }

    fn command(&mut self, old: &'a Command, new: &'a Command, at: &ModelPath) {
        // every key is named, so that a new one is not forgotten
        let Command {
            name,
            description: _,
            access,
            open_by_default: _,
            input,
            output,
            timeout,
            ready,
            deprecated,
            sunset,
            formerly,
            notice: _, // among those of the resource
            allow: _,
        } = new;
        let is_used = |requests| if old.ready { requests } else { Requests::Absent };
        self.within(self.of_command(old, is_used(Requests::Absent)), |this| {
            if old.name != *name {
                let message = format!("was renamed from `{}`", old.name);
                let finding = Finding::new(ChangeKind::CommandRenamed, at, message).in_code();
                this.push(match keeps_name(&old.name, (name, formerly)) {
                    true => finding.everywhere(New, New, New),
                    false => finding.everywhere(Gone, Gone, Gone),
                });
            }
            this.former_name((&old.name, &old.formerly), (name, formerly), in_calls, at);
            this.key((&old.ready, ready), "none", |message| {
                let finding = Finding::new(ChangeKind::Ready, &at.key("ready"), message).in_code();
                if *ready { finding.calls(New) } else { finding.everywhere(Gone, Gone, Gone).kept() }
            });
            this.access(&old.access, access, true, at);
            this.key((&old.timeout, timeout), "none", |message| {
                let is_shorter = length(timeout) < length(&old.timeout);
                let finding = Finding::new(ChangeKind::Timeout, &at.key("timeout"), message);
                finding.everywhere(Unchanged, if is_shorter { Changed } else { Unchanged }, Unchanged)
            });
            this.lifecycle(at, (old.deprecated, old.sunset), (*deprecated, *sunset));
            this.fields(&old.output, output, &at.key("output"));
        });
        self.within(self.of_command(old, is_used(Requests::Read)), |this| {
            this.fields(&old.input, input, &at.key("input"));
        });
    }

    /// Of the inputs or outputs of a command. Its events have neither.
    fn of_command(&self, old: &Command, requests: Requests) -> Context {
        let announced = old.deprecation();
        Context {
            storage: Storage::Command,
            requests,
            responses: old.ready,
            events: false,
            is_reset: false,
            announced: Deprecation::together(self.context.announced, announced),
            ..self.context.clone()
        }
    }
}

fn length(timeout: &str) -> Option<Duration> {
    IsoDuration::parse(timeout)?.to_std()
}
