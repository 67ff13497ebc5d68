// What may be written with the types of the client; `@ts-expect-error` is what may not.

import { type Client, ClientError, CommandFailed, Invalid, NotModified, marketplace, metadata } from "marketplace-client";
import { marketplaceBetaV2 } from "marketplace-client/beta-v2/index.js";
import { type Offer, type OfferDraft, type SaleOffer, offers } from "marketplace-client/offers.js";
import type { Colour } from "marketplace-client/types.js";

declare const client: Client;
const api = marketplace({ baseUrl: "http://127.0.0.1:8080", client: "types/1", token: async () => "token" });
const beta = marketplaceBetaV2(client);
const address = { city: "Gdynia", countryCode: "PL" };
const buyNow = { amount: "10.00", currency: "PLN" };

// 1: filters of this view and version only
export const filtered = api.offers.list({
  name: ["a", "b"],
  colour: null,
  buyNow: { amount: { gte: "10" }, currency: "PLN" },
  seller: { id: "019e7045-7260-726b-b2a7-4de452e6b438" },
  stock: { gt: 1 },
});
// @ts-expect-error: no filter
api.offers.list({ description: "x" });
// @ts-expect-error: of another view
api.offers.list({ stockKeepingUnit: "x" });
api.sale.offers.list({ stockKeepingUnit: "x" });
// @ts-expect-error: of another version
api.offers.list({ condition: "NEW" });
beta.offers.list({ condition: ["NEW", "USED"] });
// @ts-expect-error: names have no order
api.offers.list({ name: { gt: "a" } });
// @ts-expect-error: a filter takes the values that are known
api.offers.list({ colour: "TEAL" });
api.offers.search({ name: ["a"], images: ["https://example.com/1.jpg"] }, { sort: ["-buyNow"] });

// 2: a union of names
api.offers.list({}, { sort: ["-buyNow", "createdAt"] });
// @ts-expect-error: no order
api.offers.list({}, { sort: ["description"] });

// 3: iterators
export async function walk(): Promise<number> {
  for await (const offer of api.offers.list()) offer.buyNow.amount.trim();
  for await (const page of api.offers.list().pages({ limit: 10 })) page.items.map((offer: Offer) => offer.name);
  // @ts-expect-error: this resource does not count
  await api.applicationConfigurations.list().count();
  return api.offers.list({ status: "ACTIVE" }).count();
}

// 4: commands
export async function command(id: string): Promise<string | null> {
  const handle = await api.offers.renew.start(id, { fromDate: "2026-12-01T08:00:00.000Z", duration: "P14D" });
  const again = api.offers.renew.resume(JSON.parse(JSON.stringify(handle)));
  const { endingAt } = await again.wait({ signal: AbortSignal.timeout(1000) });
  // @ts-expect-error: an input is missing
  await api.offers.renew(id, { duration: "P14D" });
  // @ts-expect-error: this one has inputs that it needs
  await api.offers.renew(id);
  await api.transactions.confirm(id);
  await api.transactions.confirm.start(id, {}, { commandId: id });
  return endingAt;
}

// 7: absent and null
export const draft: OfferDraft = { name: "Bicycle", address, buyNow, colour: null };
// @ts-expect-error: undefined is neither absent nor null
export const undefinedDraft: OfferDraft = { name: "Bicycle", address, buyNow, colour: undefined };
// @ts-expect-error: required
export const nullDraft: OfferDraft = { name: null, address, buyNow };

// 8: values that are unknown
export function colourOf(offer: Offer): string {
  const known: Colour = "RED";
  return offer.colour === known ? "red" : (offer.colour ?? "none");
}
// @ts-expect-error: a request takes the values that are known
export const unknownColour: OfferDraft = { name: "Bicycle", address, buyNow, colour: "TEAL" };

// 10: errors
export async function errors(): Promise<void> {
  try {
    await api.users.create({ name: "jan", email: "jan@example.com" });
  } catch (error) {
    if (error instanceof Invalid && error.has("NotUnique", "email")) console.log(error.at("address")[0]?.userMessage);
    else if (error instanceof CommandFailed) console.log(error.problems);
    else if (error instanceof ClientError && error.maybeApplied) console.log(error.handle?.id);
  }
}

// 11, 12
export async function changes(id: string): Promise<void> {
  const problems = await api.users.create.check({ email: "x" }, { include: ["email"] });
  problems.map((problem) => problem.code);
  const offer = await api.offers.get(id);
  offer.stock = 2;
  const tag: string | undefined = (await api.offers.update(offer))[metadata].etag;
  const known = await api.offers.get(id, { ifNoneMatch: tag ?? "" });
  if (known !== NotModified) known.name.trim();
  await api.offers.edit(id, (it) => {
    it.buyNow = buyNow;
  });
  // a spread keeps the tag; what has none is written over others' changes only by name
  await api.offers.update({ ...offer, stock: 3 });
  const { createdAt, ...rest } = offer;
  await api.offers.update({ ...rest, createdAt });
  for await (const listed of api.offers.list()) {
    // @ts-expect-error: entities of a list have no tag
    await api.offers.update(listed);
    // @ts-expect-error: nor have spreads of them
    await api.offers.update({ ...listed, stock: 3 });
    // @ts-expect-error: nor is one deleted as it was read
    await api.offers.delete(listed);
    await api.offers.update({ ...listed, stock: 3 }, { overwrite: true });
    await api.offers.update(listed, { ifMatch: tag ?? "" });
    await api.offers.delete(listed.id);
  }
  // @ts-expect-error: an update by id has no tag
  await api.offers.update(id, { name: "Bicycle", address, buyNow });
  // @ts-expect-error: nor is it asked for
  await api.offers.update(id, { name: "Bicycle", address, buyNow }, {});
  await api.offers.update(id, { name: "Bicycle", address, buyNow }, { overwrite: true });
  await api.offers.update.check(id, { name: "Bicycle" }, { include: ["name"] });
  await api.offers.delete(offer);
  await api.sale.offers.patch(await api.sale.offers.get(id), []);
  // @ts-expect-error: no PATCH there
  api.offers.patch(id, []);
  await api.sale.offers.patch(id, [{ op: "replace", path: "/note", value: null }]);
  // @ts-expect-error: payments are not deleted
  await api.payments.delete(id);
}

// 13: events by their type
export async function watch(): Promise<void> {
  for await (const event of api.events({ resource: ["offers"] })) {
    if (event.type === "marketplace.offer.created") event.data.buyNow.amount.trim();
    else if (event.type === "marketplace.offer.deleted") event.data.id.trim();
    else if (event.type === "unknown") console.log(event.event.type);
  }
}

// 17, 19
export const one = offers(client);
export async function sale(id: string): Promise<string | undefined> {
  const offer: SaleOffer = await api.sale.offers.get(id);
  // @ts-expect-error: the seller's only
  (await api.offers.get(id)).costPrice;
  const condition = (await beta.offers.get(id)).condition;
  console.log(condition, await api.offers.underUser(id).list().toArray());
  return offer.costPrice?.amount;
}
