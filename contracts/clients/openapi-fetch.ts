// What a client made with openapi-typescript and openapi-fetch does with a running marketplace.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const version = "application/vnd.service.public.v1+json";

async function main(baseUrl: string, token: string): Promise<void> {
  // openapi-fetch sends `application/json` unless it is told otherwise
  const headers = {
    Accept: version,
    "Content-Type": version,
    "User-Agent": "openapi-fetch/1",
    Authorization: `Bearer ${token}`,
  };
  const client = createClient<paths, typeof version>({ baseUrl, headers });

  const seller = await client.POST("/users", { body: { name: "bookworm", email: `${randomUUID()}@example.com` } });
  assert.equal(seller.response.status, 201);
  const body = {
    name: "Road bicycle",
    seller: { id: seller.data!.id },
    buyNow: { amount: "1899.00", currency: "PLN" as const },
    address: { city: "Gdynia", countryCode: "PL" as const },
  };

  const valid = await client.POST("/offers", { params: { query: { dryRun: true } }, body });
  assert.equal(valid.response.status, 204);
  const wrong = await client.POST("/offers", { params: { query: { dryRun: true } }, body: { ...body, name: "x".repeat(76) } });
  assert.equal(wrong.error?.errors[0]?.code, "TooLong");

  const created = await client.POST("/offers", { body });
  assert.equal(created.response.status, 201);
  const offerId = created.data!.id;
  const path = { offerId };

  const found = await client.GET("/offers", {
    params: { query: { "seller.id": [seller.data!.id], "buyNow.amount.gte": "1.00", sort: "-buyNow,createdAt" } },
  });
  assert.deepEqual(found.data?.offers.map((offer) => offer.id), [offerId]);

  const read = await client.GET("/offers/{offerId}", { params: { path } });
  const tag = read.response.headers.get("ETag")!;
  const replaced = await client.PUT("/offers/{offerId}", {
    params: { path, header: { "If-Match": tag } },
    body: { ...body, stock: 2 },
  });
  assert.equal(replaced.data?.stock, 2);
  const stale = await client.PUT("/offers/{offerId}", { params: { path, header: { "If-Match": tag } }, body });
  assert.equal(stale.response.status, 412);

  const command = { offerId, commandId: randomUUID() };
  const end = "/offers/{offerId}/end-commands/{commandId}";
  const sent = await client.PUT(end, { params: { path: command }, body: { reason: "OTHER" } });
  assert.equal(sent.response.status, 201);
  let status = sent.data?.status;
  for (let attempt = 0; status === "RUNNING" && attempt < 100; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    status = (await client.GET(end, { params: { path: command } })).data?.status;
  }
  assert.equal(status, "SUCCESSFUL");

  const deleted = await client.DELETE("/offers/{offerId}", { params: { path } });
  assert.equal(deleted.response.status, 204);
}

const [, , baseUrl = "", token = ""] = process.argv;
main(baseUrl, token).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
