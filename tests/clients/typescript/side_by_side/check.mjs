// Runs one program on books of its own, and checks what it did: node check.mjs PROGRAM SOURCE URL TOKEN SELLER.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { marketplace } from "marketplace-client";

const [, , program, source, url, token, seller] = process.argv;
const { task } = await import(pathToFileURL(resolve(program)).href);
const api = marketplace({ baseUrl: url, token, client: "check/1" });

async function book(amount, isEnded) {
  const { id } = await api.offers.create({
    name: `A book for ${amount}`,
    category: "BOOKS",
    buyNow: { amount, currency: "PLN" },
    address: { city: "Gdynia", countryCode: "PL" },
  });
  if (isEnded) await api.offers.end(id, { reason: "OTHER" });
  return id;
}

const [ended, active, dear] = [await book("20.00", true), await book("30.00", false), await book("60.00", true)];
const failures = [];
await task(url, token, seller, (id, reason) => failures.push([id, reason]));
const shown = async (id) => {
  const { buyNow, status } = await api.offers.get(id);
  return [buyNow.amount, status];
};
assert.deepEqual(await shown(ended), ["22.00", "ACTIVE"]);
assert.deepEqual(await shown(active), ["33.00", "ACTIVE"]);
assert.deepEqual(await shown(dear), ["60.00", "ENDED"]);
assert.deepEqual(failures, [[active, "WrongState"]]);
for (const id of [ended, active, dear]) await api.offers.delete(id);
const lines = readFileSync(source, "utf8").split("\n");
console.log(lines.filter((line) => line.trim() && !line.trim().startsWith("//")).length);
