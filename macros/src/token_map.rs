//! Maps the places of the model to tokens: a rule reports a path, and the map finds its tokens.

use crate::attribute::{Argument, ArgumentValue};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use restwell_model::check::Key;
use restwell_model::{ModelPath, names};
use std::collections::BTreeMap;

/// The tokens of each key and value read so far.
pub(crate) struct TokenMap {
    is_recorded: bool,
    definition: TokenStream,
    values: BTreeMap<Vec<Key>, TokenStream>,
    keys: BTreeMap<Vec<Key>, TokenStream>,
}

impl TokenMap {
    /// The map of a definition with this name, which is the place of every part without tokens of its own.
    pub(crate) fn of(name: &Ident) -> Self {
        Self { is_recorded: true, ..Self::unrecorded(name) }
    }

    /// One that only knows the name.
    pub(crate) fn unrecorded(name: &Ident) -> Self {
        let (values, keys) = (BTreeMap::new(), BTreeMap::new());
        Self { is_recorded: false, definition: name.to_token_stream(), values, keys }
    }

    /// Whether tokens are kept.
    pub(crate) fn is_recorded(&self) -> bool {
        self.is_recorded
    }

    /// Sets the tokens of the definition's name.
    pub(crate) fn definition(&mut self, tokens: impl ToTokens) {
        self.definition = tokens.to_token_stream();
    }

    /// Sets the tokens of a value.
    pub(crate) fn value(&mut self, at: &ModelPath, tokens: impl ToTokens) {
        if self.is_recorded {
            self.values.insert(at.keys.clone(), tokens.to_token_stream());
        }
    }

    /// Sets the tokens of a key.
    pub(crate) fn key(&mut self, at: &ModelPath, tokens: impl ToTokens) {
        if self.is_recorded {
            self.keys.insert(at.keys.clone(), tokens.to_token_stream());
        }
    }

    /// Records an argument as the key of its name, in camelCase, under `at`, and its list below that.
    pub(crate) fn argument(&mut self, at: &ModelPath, argument: &Argument) {
        if self.is_recorded {
            self.argument_as(&at.key(&names::camel(&argument.name.text())), argument);
        }
    }

    /// Records an argument under this path. Paths can refer to the items of its list by text or by index.
    pub(crate) fn argument_as(&mut self, at: &ModelPath, argument: &Argument) {
        if !self.is_recorded {
            return;
        }
        self.key(at, &argument.name);
        self.value(at, argument.place());
        let ArgumentValue::List(_, list) = &argument.given else { return };
        for (index, item) in list.iter().enumerate() {
            self.argument(at, item);
            self.argument_as(&at.key(&item.name.text()), item);
            self.argument_as(&at.index(index), item);
        }
    }

    /// The tokens of a place. A place without tokens (for example a missing key) has those of the nearest place above.
    pub(crate) fn find(&self, at: &ModelPath) -> &TokenStream {
        if at.of_key
            && let Some(key) = self.keys.get(&at.keys)
        {
            return key;
        }
        let nearest = (1..=at.keys.len()).rev().find_map(|length| self.values.get(&at.keys[..length]));
        nearest.unwrap_or(&self.definition)
    }
}
