//! Where in the source each part of the model stands: a rule names a place by its path, this finds its tokens.

use crate::attribute::{Argument, Given};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use restwell_model::check::Key;
use restwell_model::{ModelPath, names};
use std::collections::BTreeMap;

/// The tokens of each key and value read so far.
pub(crate) struct Places {
    definition: TokenStream,
    values: BTreeMap<Vec<Key>, TokenStream>,
    keys: BTreeMap<Vec<Key>, TokenStream>,
}

impl Places {
    /// Of a definition of this name.
    pub(crate) fn of(name: &Ident) -> Self {
        Self { definition: name.to_token_stream(), values: BTreeMap::new(), keys: BTreeMap::new() }
    }

    /// The definition's name stands here instead.
    pub(crate) fn definition(&mut self, tokens: impl ToTokens) {
        self.definition = tokens.to_token_stream();
    }

    /// A value stands here.
    pub(crate) fn value(&mut self, at: &ModelPath, tokens: impl ToTokens) {
        self.values.insert(at.keys.clone(), tokens.to_token_stream());
    }

    /// A key stands here.
    pub(crate) fn key(&mut self, at: &ModelPath, tokens: impl ToTokens) {
        self.keys.insert(at.keys.clone(), tokens.to_token_stream());
    }

    /// An argument stands for the key of its name, in camelCase, under `at`, and its list for what is under that.
    pub(crate) fn argument(&mut self, at: &ModelPath, argument: &Argument) {
        self.argument_as(&at.key(&names::camel(&argument.name.text())), argument);
    }

    /// An argument stands for this path. The items of its list can be named by their text or their number.
    pub(crate) fn argument_as(&mut self, at: &ModelPath, argument: &Argument) {
        self.key(at, &argument.name);
        self.value(at, argument.place());
        let Given::List(_, list) = &argument.given else { return };
        for (index, item) in list.iter().enumerate() {
            self.argument(at, item);
            self.argument_as(&at.key(&item.name.text()), item);
            self.argument_as(&at.index(index), item);
        }
    }

    /// The tokens of a place; where it has none of its own (what is at fault is that something is missing), those of
    /// the nearest place above it.
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
