// What a client made with hey-api does with a running marketplace. It sends the first media type by itself.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { client } from "./generated/client.gen";
import {
  createOffer,
  createUser,
  deleteOffer,
  endOffer,
  getEndOffer,
  getOffer,
  listOffers,
  updateOffer,
} from "./generated";

async function main(baseUrl: string, token: string): Promise<void> {
  const version = "application/vnd.service.public.v1+json";
  const headers = { Accept: version, "User-Agent": "hey-api/1", Authorization: `Bearer ${token}` };
  client.setConfig({ baseUrl, headers });

  const seller = await createUser({ body: { name: "bookworm", email: `${randomUUID()}@example.com` } });
  assert.equal(seller.response?.status, 201);
  const user = seller.data as { id: string };
  const body = {
    name: "Road bicycle",
    seller: { id: user.id },
    buyNow: { amount: "1899.00", currency: "PLN" as const },
    address: { city: "Gdynia", countryCode: "PL" as const },
  };

  const valid = await createOffer({ query: { dryRun: true }, body });
  assert.equal(valid.response?.status, 204);
  const created = await createOffer({ body });
  assert.equal(created.response?.status, 201);
  const path = { offerId: (created.data as { id: string }).id };

  const query = { "seller.id": [user.id], "buyNow.amount.gte": "1.00", sort: "-buyNow,createdAt" };
  const found = await listOffers({ query });
  assert.deepEqual(found.data?.offers.map((offer) => offer.id), [path.offerId]);

  const read = await getOffer({ path });
  const tag = read.response?.headers.get("ETag") ?? "";
  const replaced = await updateOffer({ path, headers: { "If-Match": tag }, body: { ...body, stock: 2 } });
  assert.equal(replaced.response?.status, 200);
  const stale = await updateOffer({ path, headers: { "If-Match": tag }, body });
  assert.equal(stale.response?.status, 412);

  const command = { ...path, commandId: randomUUID() };
  const sent = await endOffer({ path: command, body: { reason: "OTHER" } });
  assert.equal(sent.response?.status, 201);
  let status = sent.data?.status;
  for (let attempt = 0; status === "RUNNING" && attempt < 100; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    status = (await getEndOffer({ path: command })).data?.status;
  }
  assert.equal(status, "SUCCESSFUL");

  const deleted = await deleteOffer({ path });
  assert.equal(deleted.response?.status, 204);
}

const [, , baseUrl = "", token = ""] = process.argv;
main(baseUrl, token).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
