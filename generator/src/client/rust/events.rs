//! What happened, by the type of an event.

use super::spelling::ident;
use super::version::{VersionTypes, module};
use proc_macro2::TokenStream;
use quote::quote;
use restwell_model::Version;
use restwell_model::api::{Api, EventData, SchemaKey};
use restwell_model::names;
use restwell_model::names::client::free;
use std::collections::BTreeSet;

/// The enum of all events, and the function that reads it.
pub(super) fn item(api: &Api<'_>, versions: &[VersionTypes<'_, '_>]) -> TokenStream {
    let mut variants = TokenStream::new();
    let mut arms = TokenStream::new();
    let mut taken = BTreeSet::from(["Other".to_owned()]);
    let service = format!("{}.", api.service.name);
    for event in &api.events.kinds {
        let (Some(data), event_type) = (data(versions, event.data), &event.event_type) else { continue };
        let resource = event_type.strip_prefix(&service).unwrap_or(event_type);
        let variant = ident(&free(&names::pascal(&resource.replace('.', "-")), &mut taken));
        let docs = format!(" `{event_type}`.");
        variants.extend(quote!(#[doc = #docs] #variant(#data),));
        arms.extend(quote!(#event_type => base::from_json(&self.data).map(EventKind::#variant),));
    }
    quote! {
        /// What happened.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum EventKind {
            #variants
            /// Something that a later release of the service knows; see the event's type and data.
            Other,
        }

        /// The id of an entity that was deleted.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
        #[non_exhaustive]
        pub struct DeletedEntity {
            /// The id.
            pub id: uuid::Uuid,
        }

        /// A command and its status.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
        #[non_exhaustive]
        pub struct CommandChange {
            /// The id of the command; the event's subject is the entity.
            pub id: uuid::Uuid,
            /// How far it is.
            pub status: base::CommandStatus,
        }

        impl base::Event {
            /// What happened.
            #[must_use]
            pub fn kind(&self) -> EventKind {
                let known = match self.event_type.as_str() {
                    #arms
                    _ => None,
                };
                known.unwrap_or(EventKind::Other)
            }
        }
    }
}

fn data(versions: &[VersionTypes<'_, '_>], data: EventData) -> Option<TokenStream> {
    match data {
        EventData::DeletedEntity => Some(quote!(DeletedEntity)),
        EventData::CommandChange => Some(quote!(CommandChange)),
        EventData::Entity(of) => {
            let types = versions.iter().find(|types| types.plan.version == of.version)?;
            let resource = types.plan.resources.iter().find(|resource| resource.index == of.resource)?;
            let (name, module) = (ident(types.body(SchemaKey::Entity(of))?), ident(&module(resource)));
            let version = match of.version {
                Version::Public => quote!(crate),
                Version::Beta(number) => {
                    let folder = ident(&format!("beta_v{number}"));
                    quote!(crate::#folder)
                }
            };
            Some(quote!(base::Stored<#version::#module::#name>))
        }
    }
}
