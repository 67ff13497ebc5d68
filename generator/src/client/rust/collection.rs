//! The methods of a collection: one for each operation, search and command.

use super::query::QueryPlan;
use super::spelling::{FileScope, client_method, docs, goes_away, ident, type_ident};
use super::version::VersionTypes;
use crate::client::{CollectionKind, CollectionPlan, CommandPlan, OperationPlan, SearchPlan};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use restwell_model::api::SchemaKey;
use restwell_model::scalar::IsoDuration;
use restwell_model::{OperationKind, names};
use std::time::Duration;

/// Where a collection's code goes to, and what it knows.
pub(super) struct CollectionCode<'c, 'p, 'a> {
    pub(super) types: &'c VersionTypes<'p, 'a>,
    pub(super) scope: &'c FileScope<'c>,
    pub(super) collection: &'c CollectionPlan<'a>,
    /// Whether replacements can be made of entities, so that they can be edited.
    pub(super) can_edit: bool,
}

impl CollectionCode<'_, '_, '_> {
    /// The type with its methods.
    pub(super) fn item(&self) -> TokenStream {
        let name = type_ident(&self.types.collection(self.collection).methods);
        let (media_type, items) = (&self.types.plan.media_type, &self.collection.items);
        let operations = self.collection.operations.iter().map(|operation| self.operation(operation));
        let search = self.collection.search.as_ref().map(|search| self.search(search));
        let commands = self.collection.commands.iter().map(|command| self.command(command));
        let (path, parameter, of) = self.path();
        let text = format!("What can be done with `{}`.", self.collection.path);
        let docs = docs(&text);
        let describe = format!("Those of `{}`.", self.collection.path);
        quote! {
            #docs
            #[derive(Debug, Clone)]
            pub struct #name {
                client: base::Client,
                path: String,
            }

            impl #name {
                const NAMES: base::Names = base::Names { media_type: #media_type, collection: #items };

                #[doc = #describe]
                #[must_use]
                pub fn of(client: &base::Client #parameter) -> Self {
                    Self { client: client.clone(), path: #path }
                }

                fn endpoint(&self) -> base::Endpoint<'_> {
                    base::Endpoint::new(&self.client, &Self::NAMES, self.path.as_str())
                }

                #(#operations)*
                #search
                #(#commands)*
            }

            impl base::Client {
                #of
            }
        }
    }

    /// The path, the id in it, and the method of the client that leads to the collection.
    fn path(&self) -> (TokenStream, TokenStream, TokenStream) {
        let path = self.collection.path.as_str();
        let ty = type_ident(&self.types.collection(self.collection).methods);
        let name = client_method(&self.collection.name);
        let is_public = self.types.plan.folder().is_none();
        let docs = format!(" `{path}`.");
        match self.collection.kind {
            CollectionKind::Scoped { parent, .. } => {
                let (before, after) = path.split_once('{').unwrap_or((path, ""));
                let after = after.split_once('}').map_or("", |(_, after)| after);
                let (format, id) = (format!("{before}{{}}{after}"), format_ident!("{}_id", names::snake(&parent.name)));
                let of = quote!(#[doc = #docs] #[must_use] pub fn #name(&self, #id: uuid::Uuid) -> #ty { #ty::of(self, #id) });
                (quote!(format!(#format, #id)), quote!(, #id: uuid::Uuid), if is_public { of } else { quote!() })
            }
            CollectionKind::Root | CollectionKind::View(_) => {
                let of = quote!(#[doc = #docs] #[must_use] pub fn #name(&self) -> #ty { #ty::of(self) });
                (quote!(#path.to_owned()), quote!(), if is_public { of } else { quote!() })
            }
        }
    }

    fn operation(&self, operation: &OperationPlan<'_>) -> TokenStream {
        let methods = match operation.kind {
            OperationKind::List => self.list(operation),
            OperationKind::Get => self.get(operation),
            OperationKind::Create => self.create(operation),
            OperationKind::Update => self.update(operation),
            OperationKind::Patch => self.patch(operation),
            OperationKind::Delete => delete(),
        };
        match operation.operation.deprecation.filter(|_| !methods.is_empty()) {
            Some(deprecation) => {
                let note = goes_away(deprecation);
                quote!(#[doc = #note] #[doc = ""] #methods)
            }
            None => methods,
        }
    }

    fn body(&self, key: Option<SchemaKey>) -> TokenStream {
        // a collection's entities are those of its representation
        let key = key.map(|key| match key {
            SchemaKey::Collection(of) | SchemaKey::FormerCollection(of) => SchemaKey::Entity(of),
            other => other,
        });
        match key.and_then(|key| self.types.body(key)) {
            Some(name) => {
                let name = self.scope.named(name);
                quote!(#name)
            }
            None => quote!(serde_json::Value),
        }
    }

    fn list(&self, operation: &OperationPlan<'_>) -> TokenStream {
        let entity = self.body(operation.response);
        let Some(query) = QueryPlan::of(self.collection, self.types) else { return quote!() };
        let query = type_ident(&query.name);
        let count = operation.response.is_some_and(|_| self.counts()).then(|| {
            quote! {
                /// How many entities match.
                ///
                /// # Errors
                ///
                /// See [`base::Error`].
                pub async fn count(&self, query: #query) -> Result<u64, base::Error> {
                    self.endpoint().count(query).await
                }
            }
        });
        quote! {
            /// A page of those that match.
            ///
            /// # Errors
            ///
            /// See [`base::Error`].
            pub async fn list(&self, query: #query) -> Result<base::Page<base::Stored<#entity>>, base::Error> {
                self.endpoint().list(query).await
            }

            /// All that match, page after page, in the order of their ids: each that was there throughout comes once,
            /// whatever others write meanwhile. With an order of its own, an offset or a search, the query is walked
            /// by offsets, and entities may be missed or come twice.
            pub fn all(
                &self,
                query: #query,
            ) -> impl futures_util::Stream<Item = Result<base::Stored<#entity>, base::Error>> + ::core::marker::Send + use<> {
                base::walk(self.client.clone(), &Self::NAMES, self.path.clone(), query)
            }

            /// The same by pages.
            pub fn pages(
                &self,
                query: #query,
            ) -> impl futures_util::Stream<Item = Result<base::Page<base::Stored<#entity>>, base::Error>> + ::core::marker::Send + use<> {
                base::pages(self.client.clone(), &Self::NAMES, self.path.clone(), query)
            }

            #count
        }
    }

    fn counts(&self) -> bool {
        self.types.plan.resources.iter().any(|resource| {
            resource.resource.count && resource.collections.iter().any(|it| it.name == self.collection.name)
        })
    }

    fn get(&self, operation: &OperationPlan<'_>) -> TokenStream {
        let entity = self.body(operation.response);
        quote! {
            /// The entity, with its tag.
            ///
            /// # Errors
            ///
            /// See [`base::Error`].
            pub async fn get(&self, id: uuid::Uuid) -> Result<base::Stored<#entity>, base::Error> {
                self.endpoint().get(id).await
            }

            /// The entity, if it has another tag than this one.
            ///
            /// # Errors
            ///
            /// See [`base::Error`].
            pub async fn get_if_changed(
                &self,
                id: uuid::Uuid,
                etag: &str,
            ) -> Result<Option<base::Stored<#entity>>, base::Error> {
                self.endpoint().get_if_changed(id, etag).await
            }
        }
    }

    fn create(&self, operation: &OperationPlan<'_>) -> TokenStream {
        let (draft, entity) =
            (self.body(operation.request), self.body(operation.response.or(self.collection.entity())));
        let create = if operation.operation.is_async {
            quote! {
                /// Creates an entity, later: its id, as soon as the service has accepted it. It is not sent again where
                /// it may have happened.
                ///
                /// # Errors
                ///
                /// See [`base::Error`].
                pub async fn create(&self, draft: &#draft) -> Result<Option<uuid::Uuid>, base::Error> {
                    self.endpoint().begin_create(draft).await
                }
            }
        } else {
            quote! {
                /// Creates an entity. It is not sent again where it may have happened.
                ///
                /// # Errors
                ///
                /// See [`base::Error`].
                pub async fn create(&self, draft: &#draft) -> Result<base::Stored<#entity>, base::Error> {
                    self.endpoint().create(draft).await
                }
            }
        };
        quote! {
            #create
            /// The problems that the creation would have; nothing is created. `include` selects properties.
            ///
            /// # Errors
            ///
            /// All but an invalid draft.
            pub async fn check_create(&self, draft: &#draft, include: &[&str]) -> Result<Vec<base::Problem>, base::Error> {
                self.endpoint().check("POST", None, Some(draft), include).await
            }
        }
    }

    fn update(&self, operation: &OperationPlan<'_>) -> TokenStream {
        let (update, entity) =
            (self.body(operation.request), self.body(operation.response.or(self.collection.entity())));
        let (result, call) = if operation.operation.is_async {
            (quote!(()), quote!(begin_update))
        } else {
            (quote!(base::Stored<#entity>), quote!(update))
        };
        let has_patch = self.collection.operation(OperationKind::Patch).is_some_and(|it| !it.operation.is_async);
        let edit = (self.can_edit && !operation.operation.is_async).then(|| edit(&update, &entity, has_patch));
        quote! {
            /// Replaces an entity.
            ///
            /// # Errors
            ///
            /// See [`base::Error`].
            pub async fn update(
                &self,
                id: uuid::Uuid,
                update: &#update,
                condition: base::Condition<'_>,
            ) -> Result<#result, base::Error> {
                self.endpoint().#call(id, update, condition.etag()).await
            }

            /// The problems that the replacement would have; nothing is changed. `include` selects properties.
            ///
            /// # Errors
            ///
            /// All but an invalid replacement.
            pub async fn check_update(
                &self,
                id: uuid::Uuid,
                update: &#update,
                include: &[&str],
            ) -> Result<Vec<base::Problem>, base::Error> {
                self.endpoint().check("PUT", Some(id), Some(update), include).await
            }

            #edit
        }
    }

    fn patch(&self, operation: &OperationPlan<'_>) -> TokenStream {
        let entity = self.body(operation.response.or(self.collection.entity()));
        let (result, call) = if operation.operation.is_async {
            (quote!(()), quote!(begin_patch))
        } else {
            (quote!(base::Stored<#entity>), quote!(patch))
        };
        // without a replacement the entity itself is edited
        let is_alone = self.collection.operation(OperationKind::Update).is_none();
        let can_edit = is_alone && self.collection.operation(OperationKind::Get).is_some();
        let edit = (can_edit && !operation.operation.is_async).then(|| edit(&entity, &entity, true));
        quote! {
            /// Changes parts of an entity, by the operations of RFC 6902.
            ///
            /// # Errors
            ///
            /// See [`base::Error`].
            pub async fn patch(
                &self,
                id: uuid::Uuid,
                operations: &[serde_json::Value],
                condition: base::Condition<'_>,
            ) -> Result<#result, base::Error> {
                self.endpoint().#call(id, operations, condition.etag()).await
            }

            /// The problems that the patch would have; nothing is changed. `include` selects properties.
            ///
            /// # Errors
            ///
            /// All but an invalid patch.
            pub async fn check_patch(
                &self,
                id: uuid::Uuid,
                operations: &[serde_json::Value],
                include: &[&str],
            ) -> Result<Vec<base::Problem>, base::Error> {
                self.endpoint().check("PATCH", Some(id), Some(operations), include).await
            }

            #edit
        }
    }

    fn search(&self, search: &SearchPlan<'_>) -> TokenStream {
        let (criteria, stored) = (self.body(Some(search.criteria)), self.body(Some(search.stored)));
        let path = search.path;
        quote! {
            /// Stores a search, whose id lists take.
            ///
            /// # Errors
            ///
            /// See [`base::Error`].
            pub async fn create_search(&self, criteria: &#criteria) -> Result<base::Stored<#stored>, base::Error> {
                base::Endpoint::new(&self.client, &Self::NAMES, #path).create(criteria).await
            }

            /// The problems that the search would have; nothing is stored.
            ///
            /// # Errors
            ///
            /// All but invalid criteria.
            pub async fn check_search(&self, criteria: &#criteria) -> Result<Vec<base::Problem>, base::Error> {
                base::Endpoint::new(&self.client, &Self::NAMES, #path).check("POST", None, Some(criteria), &[]).await
            }

            /// A stored search.
            ///
            /// # Errors
            ///
            /// See [`base::Error`].
            pub async fn get_search(&self, id: uuid::Uuid) -> Result<base::Stored<#stored>, base::Error> {
                base::Endpoint::new(&self.client, &Self::NAMES, #path).get(id).await
            }
        }
    }

    fn command(&self, plan: &CommandPlan<'_>) -> TokenStream {
        let (input, rendered) = (self.body(Some(plan.input)), self.body(Some(plan.rendered)));
        let name = ident(&names::snake(&plan.name));
        let again = format_ident!("{}_sent_before", names::snake(&plan.name));
        let list = format_ident!("{}_commands", names::snake(&plan.name));
        let listed = format!(" The `{}` commands of an entity.", plan.command.name);
        let constant = format_ident!("{}", names::snake(&plan.name).to_uppercase());
        let (media_type, collection) = (&self.types.plan.media_type, &plan.items);
        let timeout = IsoDuration::parse(&plan.command.timeout).and_then(|timeout| timeout.to_std());
        let seconds = timeout.unwrap_or(Duration::from_secs(30)).as_secs();
        let segment = &plan.segment;
        let path = format!("{{}}/{segment}");
        let text = plan.command.description.clone().unwrap_or_else(|| format!("The command `{}`.", plan.command.name));
        let ready = if plan.command.ready { "" } else { "\n\nAnnounced; not ready yet." };
        let going = plan.submit.deprecation.map(|it| format!("\n\n{}", goes_away(it).trim_start()));
        let going = going.unwrap_or_default();
        let bare = if plan.submit.requires_body() { "" } else { " `input` may be `None`." };
        let docs = docs(&format!("{text}{ready}{going}\n\nAwaiting it sends the command and waits for its end.{bare}"));
        let before = format!(" A `{}` that was sent before, maybe by another process.", plan.command.name);
        let send = match plan.submit.requires_body() {
            true => quote! {
                pub fn #name(&self, id: uuid::Uuid, input: &#input) -> base::Execution<base::Stored<#rendered>> {
                    base::Execution::new(self.#again(id, uuid::Uuid::now_v7()), input)
                }
            },
            false => quote! {
                pub fn #name<'i>(
                    &self,
                    id: uuid::Uuid,
                    input: impl ::core::convert::Into<::core::option::Option<&'i #input>>,
                ) -> base::Execution<base::Stored<#rendered>> {
                    let none = #input::new();
                    base::Execution::new(self.#again(id, uuid::Uuid::now_v7()), input.into().unwrap_or(&none))
                }
            },
        };
        quote! {
            #docs
            #send

            #[doc = #before]
            #[must_use]
            pub fn #again(&self, id: uuid::Uuid, command_id: uuid::Uuid) -> base::Running<base::Stored<#rendered>> {
                let path = format!(#path, self.endpoint().of(id));
                base::Running::new(&self.client, &Self::#constant, path, command_id)
            }

            #[doc = #listed]
            pub fn #list(
                &self,
                id: uuid::Uuid,
                query: base::CommandQuery,
            ) -> impl futures_util::Stream<Item = Result<base::Stored<#rendered>, base::Error>> + ::core::marker::Send + use<> {
                let path = format!(#path, self.endpoint().of(id));
                base::walk(self.client.clone(), &Self::#constant.names, path, query)
            }

            const #constant: base::CommandNames = base::CommandNames {
                names: base::Names { media_type: #media_type, collection: #collection },
                timeout: std::time::Duration::from_secs(#seconds),
            };
        }
    }
}

fn delete() -> TokenStream {
    quote! {
        /// Deletes an entity.
        ///
        /// # Errors
        ///
        /// See [`base::Error`].
        pub async fn delete(&self, id: uuid::Uuid, condition: base::Condition<'_>) -> Result<(), base::Error> {
            self.endpoint().delete(id, condition.etag()).await
        }

        /// The problems that the deletion would have; nothing is deleted.
        ///
        /// # Errors
        ///
        /// All but what keeps the entity from being deleted.
        pub async fn check_delete(&self, id: uuid::Uuid) -> Result<Vec<base::Problem>, base::Error> {
            self.endpoint().check("DELETE", Some(id), None::<&()>, &[]).await
        }
    }
}

/// Reads, changes and sends an entity: what is different, by PATCH, or the whole, by PUT.
fn edit(edited: &TokenStream, entity: &TokenStream, has_patch: bool) -> TokenStream {
    let (call, how) =
        if has_patch { (quote!(edit_parts), "sends what is different") } else { (quote!(edit), "replaces it") };
    let docs = format!(" Reads an entity, changes it and {how}; if others have changed it meanwhile, all once more.");
    quote! {
        #[doc = #docs]
        ///
        /// # Errors
        ///
        /// See [`base::Error`].
        pub async fn edit(
            &self,
            id: uuid::Uuid,
            change: impl ::core::ops::FnMut(&mut #edited) + ::core::marker::Send,
        ) -> Result<base::Stored<#entity>, base::Error> {
            self.endpoint().#call(id, change).await
        }
    }
}
