//! `#[handlers]`: makes the methods of an impl the handlers of the commands of a resource.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Block, Error, Expr, FnArg, GenericArgument, ImplItem, ImplItemFn, ItemImpl, PathArguments, Result, Stmt, Type,
    parse2,
};

/// The macro in the body of a handler that is not written yet.
const NOT_READY: &str = "not_ready";
/// The type of a handler's argument.
const CALL: &str = "Call";

/// The impl, and the registration of its methods.
pub(crate) fn expand(item: TokenStream) -> Result<TokenStream> {
    let item: ItemImpl = parse2(item)?;
    let handlers: Vec<_> = item.items.iter().filter_map(Handler::read).collect();
    let Some(first) = handlers.first() else {
        return Err(Error::new_spanned(
            &item.self_ty,
            "no method here handles a command: write `async fn renew(&self, call: Call<Renew>) -> …`",
        ));
    };
    let ItemImpl { self_ty, .. } = &item;
    let owner = match &item.trait_ {
        Some((path, _)) => quote!(<#self_ty as #path>),
        None => quote!(<#self_ty>),
    };
    let registered = handlers.iter().map(|handler| handler.registration(&owner));
    let (generics, _, bounds) = item.generics.split_for_impl();
    let command = first.command;
    // where all commands are only announced, nothing uses the handlers
    let is_used = handlers.iter().any(|handler| !is_not_ready(&handler.method.block));
    let shared = if is_used { quote!(handlers) } else { quote!(_) };
    let registration = quote_spanned! {self_ty.span()=>
        #[automatically_derived]
        impl #generics
            ::restwell::CommandHandlers<<#command as ::restwell::__private::Command>::On> for #self_ty
        #bounds
        {
            fn register(
                #shared: &::std::sync::Arc<Self>,
                builder: ::restwell::Builder,
            ) -> ::restwell::Builder {
                builder #(#registered)*
            }
        }
    };
    Ok(quote!(#item #registration))
}

/// A method that handles a command.
struct Handler<'a> {
    method: &'a ImplItemFn,
    /// The input of the command.
    command: &'a Type,
}

impl<'a> Handler<'a> {
    fn read(member: &'a ImplItem) -> Option<Self> {
        let ImplItem::Fn(method) = member else { return None };
        let command = method.sig.inputs.iter().find_map(|argument| match argument {
            FnArg::Typed(argument) => called(&argument.ty),
            FnArg::Receiver(_) => None,
        })?;
        Some(Self { method, command })
    }

    /// The call of the builder that registers it.
    fn registration(&self, owner: &TokenStream) -> TokenStream {
        let (name, command) = (&self.method.sig.ident, self.command);
        if is_not_ready(&self.method.block) {
            return quote!(.command::<#command>());
        }
        quote! {
            .handle_with(handlers, |handlers, call: ::restwell::Call<#command>| async move {
                #owner::#name(&handlers, call).await
            })
        }
    }
}

/// `Renew` of `Call<Renew>`.
fn called(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|segment| segment.ident == CALL)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Whether a body is nothing but `not_ready!(…)`.
fn is_not_ready(block: &Block) -> bool {
    let called = match block.stmts.as_slice() {
        [Stmt::Macro(statement)] => &statement.mac,
        [Stmt::Expr(Expr::Macro(expression), _)] => &expression.mac,
        _ => return false,
    };
    called.path.segments.last().is_some_and(|segment| segment.ident == NOT_READY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(item: TokenStream) -> String {
        expand(item).unwrap().to_string().replace(' ', "")
    }

    #[test]
    fn methods_handle_the_commands_of_their_calls_and_announced_ones_do_not() {
        let text = expanded(quote! {
            impl OfferCommands for Commands {
                async fn renew(&self, call: Call<Renew>) -> Outcome { not_ready!(call) }
                async fn end(&self, call: restwell::Call<offer::End>) -> Outcome { restwell::not_ready!(call); }
                async fn promote(&self, call: Call<Promote>) -> Outcome { Ok(()) }
            }
        });
        assert!(text.contains("CommandHandlers<<Renewas::restwell::__private::Command>::On>forCommands"), "{text}");
        assert!(text.contains("builder.command::<Renew>().command::<offer::End>().handle_with("), "{text}");
        assert!(text.contains("<CommandsasOfferCommands>::promote(&handlers,call).await"), "{text}");
    }

    #[test]
    fn an_impl_without_a_trait_may_have_other_methods() {
        let text = expanded(quote! {
            impl Commands {
                fn carriers(&self) -> &Carriers { &self.carriers }
                async fn dispatch(&self, call: Call<Dispatch>) -> Outcome { Ok(()) }
            }
        });
        assert!(text.contains("<Commands>::dispatch(&handlers,call).await"), "{text}");
        assert_eq!(text.matches(".handle_with(").count(), 1, "{text}");
    }

    #[test]
    fn an_impl_without_a_handler_is_a_mistake() {
        let error = expand(quote!(impl Commands { fn carriers(&self) {} })).unwrap_err();
        assert!(error.to_string().starts_with("no method here handles a command"), "{error}");
    }
}
