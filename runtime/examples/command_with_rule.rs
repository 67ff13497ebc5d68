//! A command and a rule: orders are cancelled by `PUT /orders/{orderId}/cancel-commands/{commandId}`, and may not be
//! empty. `cargo run -p restwell --example command_with_rule`.

use restwell::{Builder, Call, Command, Context, Enum, Object, Rejection, Resource, Ruled, Rules, Stored, Timestamp};
use std::process::ExitCode;

/// An order of a customer.
#[derive(Debug, Clone, Resource)]
pub struct Order {
    /// The number of pieces.
    #[field(minimum = 0)]
    pub quantity: i64,
    /// Set by the service.
    #[field(default = "PLACED", read_only, filter)]
    pub status: Option<OrderStatus>,
}

/// The state of an order.
#[derive(Debug, Clone, PartialEq, Eq, Enum)]
pub enum OrderStatus {
    /// The customer waits for it.
    Placed,
    /// It will not be sent.
    Cancelled,
}

/// Cancels an order.
#[derive(Debug, Clone, Command)]
#[command(on = Order, output = CancelOutput)]
pub struct Cancel {
    /// Why.
    #[field(max_length = 200)]
    pub reason: String,
}

/// The result of a cancellation.
#[derive(Debug, Clone, Object)]
pub struct CancelOutput {
    /// When it was cancelled.
    pub cancelled_at: Option<Timestamp>,
}

/// Runs once for each command; its changes are committed together with the end of the command.
async fn cancel(call: Call<Cancel>) -> Result<CancelOutput, Rejection> {
    let mut order = call.entity;
    if order.status == Some(OrderStatus::Cancelled) {
        return Err(Rejection::new("OrderCancelled", "the order has been cancelled already"));
    }
    order.status = Some(OrderStatus::Cancelled);
    call.transaction.update(order).await?;
    Ok(CancelOutput { cancelled_at: Some(call.transaction.now()) })
}

/// The rules of orders.
struct OrderRules;

impl Rules<Order> for OrderRules {
    async fn validate(&self, order: &Order, _: Option<&Stored<Order>>, _: &Context<'_>) -> Ruled {
        match order.quantity {
            0 => Err(Rejection::new("EmptyOrder", "an order has at least one piece").at("quantity")),
            _ => Ok(()),
        }
    }
}

fn main() -> ExitCode {
    restwell::main(Builder::new("orders").resource::<Order>().handle(cancel).rules(OrderRules))
}
