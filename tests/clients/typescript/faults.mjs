// What callers get behind a faulty proxy: node faults.mjs PACKAGE URL TOKEN OPERATIONS.
//
// Each command happens once, no creation is doubled without the error saying that it may have been applied, each error
// is typed, and no call outlives its deadline.

import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { proxy, random } from "./proxy.mjs";

const [, , packageFolder, url, token, operations] = process.argv;
const { ClientError, marketplace } = await import(pathToFileURL(resolve(packageFolder, "src/index.js")).href);

const WORKERS = 32;
const DEADLINE = 8_000;
/** A call may end this much later, for the machine is busy. */
const TOLERANCE = 2_000;
/** A command may be sent until half the deadline has passed, and is then waited for. */
const LONGEST = DEADLINE + DEADLINE / 2 + TOLERANCE;
const SEED = Number(process.env.RESTWELL_CLIENT_SEED ?? 7);

const faulty = await proxy(url, SEED);
const clear = marketplace({ baseUrl: url, client: "faults/1", token });
const api = marketplace({ baseUrl: faulty.url, client: "faults/1", token, timeout: 3_000, deadline: DEADLINE });

const next = random(SEED + 1);
const seller = await clear.users.create({ name: "bookworm", email: `${crypto.randomUUID()}@example.com` });
const draft = (name) => ({
  name,
  seller: { id: seller.id },
  buyNow: { amount: "40.00", currency: "PLN" },
  address: { city: "Gdynia", countryCode: "PL" },
});
const targets = await Promise.all(
  Array.from({ length: WORKERS }, (_, index) => clear.offers.create(draft(`target ${index}`))),
);
for (const target of targets) Object.assign(target, { added: 0, unsure: 0 });

/** Of each creation: its name, and whether it was reported as done, as not done, or as unknown. */
const creations = [];
const commands = [];
const errors = {};
let slowest = 0;

async function creation() {
  const entry = { name: `made ${crypto.randomUUID()}` };
  creations.push(entry);
  try {
    entry.id = (await api.offers.create(draft(entry.name))).id;
    entry.state = "done";
  } catch (error) {
    entry.state = error.maybeApplied ? "unknown" : "not done";
    throw error;
  }
}

/** The first of a target's succeeds, and all others are refused: each is there once at most. */
async function command(target) {
  const entry = { target, id: crypto.randomUUID() };
  commands.push(entry);
  await api.offers.end(
    target.id,
    { reason: "OTHER" },
    { commandId: entry.id, patience: DEADLINE, deadline: DEADLINE / 2 },
  );
  entry.isDone = true;
}

/** Adds one to the stock: an edit that was applied twice would add two. */
async function edit(target) {
  try {
    await api.offers.edit(target.id, (offer) => void (offer.stock += 1), { deadline: DEADLINE / 4 });
    target.added++;
  } catch (error) {
    if (error.maybeApplied) target.unsure++;
    throw error;
  }
}

const kinds = [
  [0.25, () => creation()],
  [0.5, (target) => command(target)],
  [0.65, (target) => edit(target)],
  [0.85, (target) => api.offers.get(target.id)],
  [
    0.95,
    () =>
      api.offers
        .list({ seller: { id: seller.id } }, { pageSize: 50 })
        .pages()
        .next(),
  ],
  [1, (target) => api.offers.create.check(draft(target.name))],
];

async function work(target, count) {
  for (let done = 0; done < count; done++) {
    const dice = next();
    const [, operation] = kinds.find(([share]) => dice < share);
    const begin = Date.now();
    const watchdog = setTimeout(() => {
      console.error(`a call has not ended: ${operation}`);
      process.exit(1);
    }, LONGEST);
    await operation(target).catch((error) => {
      assert.ok(error instanceof ClientError, `an error without a type: ${error.stack}`);
      const name = `${error.name}${error.status ? ` ${error.status}` : ""}`;
      errors[name] = (errors[name] ?? 0) + 1;
    });
    clearTimeout(watchdog);
    slowest = Math.max(slowest, Date.now() - begin);
  }
}

/** Sent commands happen once, each with its own id. */
async function checkCommands() {
  let found = 0;
  for (const target of targets) {
    const sent = commands.filter((entry) => entry.target === target);
    const stored = await clear.offers.end.list(target.id).toArray();
    const ids = new Set(stored.map((it) => it.id));
    assert.equal(ids.size, stored.length, "a command is there twice");
    const unknown = stored.filter((it) => !sent.some((entry) => entry.id === it.id));
    assert.deepEqual(unknown, [], "a command that nobody sent");
    for (const entry of sent.filter((it) => it.isDone))
      assert.ok(ids.has(entry.id), "a command that succeeded is not there");
    found += stored.length;
  }
  return found;
}

async function checkCreations() {
  const times = new Map();
  for await (const { name } of clear.offers.list({ seller: { id: seller.id } }))
    times.set(name, (times.get(name) ?? 0) + 1);
  for (const { name, state } of creations) {
    const count = times.get(name) ?? 0;
    const allowed = { done: [1], "not done": [0], unknown: [0, 1] }[state];
    assert.ok(allowed.includes(count), `a creation that is ${state} is there ${count} times`);
  }
}

async function checkEdits() {
  for (const target of targets) {
    const { stock } = await clear.offers.get(target.id);
    const [least, most] = [1 + target.added, 1 + target.added + target.unsure];
    assert.ok(stock >= least && stock <= most, `the stock is ${stock}, not from ${least} to ${most}`);
  }
}

const begin = Date.now();
await Promise.all(targets.map((target) => work(target, Math.ceil(operations / WORKERS))));
const seconds = (Date.now() - begin) / 1000;
faulty.close();
assert.ok(slowest < LONGEST, `a call took ${slowest} ms`);
const found = await checkCommands();
await checkCreations();
await checkEdits();
const unknown = creations.filter((entry) => entry.state === "unknown").length;
console.log(
  JSON.stringify({
    operations: Number(operations),
    seconds,
    slowest,
    errors,
    faults: faulty.happened,
    commands: { sent: commands.length, found },
    creations: { all: creations.length, unknown },
  }),
);
