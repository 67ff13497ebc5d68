// A walk over a collection while others write: node walk.mjs PACKAGE URL TOKEN OFFERS.
//
// Every entity that is there throughout comes exactly once, and no entity comes twice.

import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [, , packageFolder, url, token, count] = process.argv;
const { marketplace } = await import(pathToFileURL(resolve(packageFolder, "src/index.js")).href);

const WRITERS = 32;
/** Of so many offers one is for the writers, who change and delete it. */
const SHARED = 10;

const api = marketplace({ baseUrl: url, client: "walk/1", token });
const seller = await api.users.create({ name: "bookworm", email: `${crypto.randomUUID()}@example.com` });
const draft = (name) => ({
  name,
  seller: { id: seller.id },
  buyNow: { amount: "40.00", currency: "PLN" },
  address: { city: "Gdynia", countryCode: "PL" },
});

const kept = new Set();
const free = [];
let made = 0;
async function fill() {
  while (made < Number(count)) {
    const index = made++;
    const { id } = await api.offers.create(draft(`offer ${index}`));
    if (index % SHARED) kept.add(id);
    else free.push(id);
  }
}
await Promise.all(Array.from({ length: WRITERS }, fill));

let isWalking = true;
const writes = { created: 0, changed: 0, deleted: 0 };
async function write(writer) {
  const ids = [...kept].filter((_, index) => index % WRITERS === writer);
  for (let turn = 0; isWalking; turn++) {
    if (turn % 3 === 0) {
      free.push((await api.offers.create(draft(`new ${writer} ${turn}`))).id);
      writes.created++;
    } else if (turn % 3 === 1) {
      await api.offers.update(ids[turn % ids.length], draft(`changed ${writer} ${turn}`));
      writes.changed++;
    } else if (free.length) {
      const [id] = free.splice(Math.floor(Math.random() * free.length), 1);
      await api.offers.delete(id);
      writes.deleted++;
    }
  }
}
const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));

const seen = new Map();
const begin = Date.now();
for await (const { id } of api.offers.list({}, { pageSize: Number(count) > 20_000 ? 1_000 : 100 }))
  seen.set(id, (seen.get(id) ?? 0) + 1);
const seconds = (Date.now() - begin) / 1000;
isWalking = false;
await Promise.all(writers);

const twice = [...seen].filter(([, times]) => times > 1);
const missed = [...kept].filter((id) => !seen.has(id));
assert.deepEqual([twice.length, missed.length], [0, 0], `${twice.length} came twice, ${missed.length} were missed`);
console.log(JSON.stringify({ offers: Number(count), kept: kept.size, seen: seen.size, seconds, writes }));
