import { marketplace } from "marketplace-client";

export async function task(baseUrl, token, seller, print) {
  const api = marketplace({ baseUrl, token, client: "books/1" });
  const cheap = { category: "BOOKS", seller: { id: seller }, buyNow: { amount: { lt: "50" }, currency: "PLN" } };
  for await (const { id } of api.offers.list(cheap)) {
    try {
      await api.offers.edit(id, ({ buyNow }) => void (buyNow.amount = (buyNow.amount * 1.1).toFixed(2)));
      await api.offers.renew(id, { fromDate: new Date().toISOString(), duration: "P14D" });
    } catch (error) {
      print(id, error.problems?.[0]?.code ?? error.message);
    }
  }
}
