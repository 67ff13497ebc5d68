//! The context of reading a derive input: the errors found so far, and the tokens of each part.

use crate::attribute::Argument;
use crate::token_map::TokenMap;
use proc_macro2::Ident;
use restwell_model::check::Severity;
use restwell_model::{Fault, ModelPath};
use std::collections::BTreeSet;
use syn::{Error, Result};

/// A derive's input while it is being read. Errors are collected, so that all of them are shown at once.
pub(crate) struct Context {
    pub(crate) places: TokenMap,
    errors: Option<Error>,
    count: usize,
}

impl Context {
    /// Reads the definition of this name. Nearly all are free of errors, so that the tokens of their parts are not
    /// recorded; one with errors is read again.
    pub(crate) fn read<T>(name: &Ident, read: impl Fn(&mut Self) -> Result<T>) -> Result<T> {
        let mut context = Self { places: TokenMap::unrecorded(name), errors: None, count: 0 };
        if let Ok(done) = read(&mut context)
            && context.is_clean()
        {
            return Ok(done);
        }
        let mut context = Self { places: TokenMap::of(name), errors: None, count: 0 };
        let read = read(&mut context);
        context.finish(read)
    }

    pub(crate) fn error(&mut self, error: Error) {
        self.count += 1;
        match &mut self.errors {
            Some(errors) => errors.combine(error),
            none => *none = Some(error),
        }
    }

    /// A part's value, or its default with the error noted.
    pub(crate) fn note<T>(&mut self, part: Result<T>) -> Option<T> {
        part.map_err(|error| self.error(error)).ok()
    }

    /// Reads the arguments under `at` one by one, and records their tokens. Only the words in `repeatable` may appear
    /// more than once.
    pub(crate) fn each(
        &mut self,
        at: &ModelPath,
        arguments: &[Argument],
        repeatable: &[&str],
        mut read: impl FnMut(&mut Self, &Argument) -> Result<()>,
    ) {
        let mut seen = BTreeSet::new();
        for argument in arguments {
            let name = argument.name.text();
            if !repeatable.contains(&name.as_str()) && !seen.insert(name.clone()) {
                self.error(Error::new_spanned(&argument.name, format!("`{name}` appears twice")));
                continue;
            }
            self.places.argument(at, argument);
            if let Err(error) = read(self, argument) {
                self.error(error);
            }
        }
    }

    /// Takes the faults that the model's rules found. Warnings are left to `restwell check`: a derive cannot warn.
    pub(crate) fn faults(&mut self, faults: Vec<Fault>) {
        for fault in faults.into_iter().filter(|fault| fault.severity == Severity::Error) {
            let help = fault.help.map(|help| format!("\nhelp: {help}")).unwrap_or_default();
            let message = format!("{}{help} [{}]", fault.message, fault.code);
            self.error(Error::new_spanned(self.places.find(&fault.at), message));
        }
    }

    /// Takes those of the faults of a part that are at this place or below it.
    pub(crate) fn faults_at(&mut self, at: &ModelPath, mut faults: Vec<Fault>) {
        faults.retain(|fault| fault.at.keys.starts_with(&at.keys));
        self.faults(faults);
    }

    /// How many errors there are so far.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Whether there is no error so far. Most rules of the model need a complete definition.
    pub(crate) fn is_clean(&self) -> bool {
        self.errors.is_none()
    }

    /// Finishes: returns the result, or all errors.
    fn finish<T>(self, read: Result<T>) -> Result<T> {
        match self.errors {
            Some(errors) => Err(errors),
            None => read,
        }
    }
}
