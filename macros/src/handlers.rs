//! `#[handlers]`: adds the list of commands without a handler to the impl of a resource's commands.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Block, Expr, ImplItem, ItemImpl, Result, Stmt, parse_quote, parse2};

/// The macro in the body of a handler that is not written yet.
const NOT_READY: &str = "not_ready";

/// The impl with the list of its methods that are not written yet.
pub(crate) fn expand(item: TokenStream) -> Result<TokenStream> {
    let mut item: ItemImpl = parse2(item)?;
    let announced: Vec<String> = item
        .items
        .iter()
        .filter_map(|member| match member {
            ImplItem::Fn(function) if is_not_ready(&function.block) => Some(function.sig.ident.to_string()),
            _ => None,
        })
        .collect();
    item.items.insert(0, parse_quote!(const NOT_READY: &'static [&'static str] = &[#(#announced),*];));
    Ok(quote!(#item))
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

    #[test]
    fn announced_methods_are_noted() {
        let item = quote! {
            impl OfferCommands for Commands {
                async fn renew(&self, call: Call<Renew>) -> Outcome { not_ready!(call) }
                async fn end(&self, call: Call<End>) -> Outcome { restwell::not_ready!(call); }
                async fn promote(&self, call: Call<Promote>) -> Outcome { Ok(()) }
            }
        };
        let expanded = expand(item).unwrap().to_string();
        assert!(expanded.contains(r#"& ["renew" , "end"]"#), "{expanded}");
    }
}
