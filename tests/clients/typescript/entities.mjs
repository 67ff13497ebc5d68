// What entities keep: their own fields, their tag, their digits. Without a server: node entities.mjs PACKAGE.

import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const load = (path) => import(pathToFileURL(resolve(join(process.argv[2], "src"), path)).href);
const { marketplace, metadata } = await load("index.js");

const ID = "019e7045-7260-726b-b2a7-4de452e6b438";
const OTHER = "019e7047-4720-7893-923f-0824128b2f33";
/** Two integers that JavaScript takes for one, and neighbours of others. */
const [ROUNDED, SAME] = ["9007199254740993", "9007199254740992"];

/** An entity as JSON: texts of other members are put in as they are. */
const entity = (members = "") =>
  `{"id":"${ID}","createdAt":"2026-11-23T08:00:00.000Z","updatedAt":"2026-11-23T08:00:00.000Z","name":"a"` +
  `${members && "," + members}}`;

/** A client whose service answers with these texts, one after the other; and the requests that it has got. */
function serviceOf(...answers) {
  const requests = [];
  const fetch = async (url, { method, headers, body }) => {
    requests.push({ method, path: new URL(url).pathname, tag: new Headers(headers).get("If-Match"), body });
    const text = answers.shift();
    assert.ok(text !== undefined, `an unexpected request: ${method} ${url}`);
    const own = { ETag: `"${requests.length}"`, "Trace-Id": OTHER, "Retry-After": "0", Location: "/elsewhere" };
    return new Response(text === "" ? null : text, { status: text === "" ? 204 : 200, headers: own });
  };
  const api = marketplace({ baseUrl: "http://service.test", client: "entities/1", fetch, sleep: async () => {} });
  return { api, requests };
}

const NAMES = ["etag", "traceId", "metadata", "location", "deprecation", "retryAfter", "cursor", "handle", "toJSON"];
const named = NAMES.map((name) => `"${name}":"own"`).join();
const command = `{"id":"${OTHER}","status":"SUCCESSFUL","errors":[],${named}}`;

const isOwn = (it) => {
  for (const name of NAMES) assert.equal(it[name], "own", name);
  assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(it))), Object.keys(it));
};

const cases = {
  async "fields have any name"() {
    const page = `{"offers":[${entity(named)}],"count":1}`;
    const { api } = serviceOf(entity(named), entity(named), page, page, entity(named), page, command, command);
    const { offers } = api;
    for (const read of [await offers.get(ID), await offers.create({}), ...(await offers.list().toArray())]) isOwn(read);
    for await (const { items } of offers.list().pages()) items.forEach(isOwn);
    (await offers.search({ name: "a" }).toArray()).forEach(isOwn);
    isOwn(await offers.renew(ID, {}));
    isOwn(await offers.renew.resume({ entityId: ID, commandId: OTHER }).status());
  },

  async "what a response says is under a symbol"() {
    const { api } = serviceOf(entity(named));
    const offer = await api.offers.get(ID);
    assert.equal(offer[metadata].etag, '"1"');
    assert.equal(offer[metadata].traceId, OTHER);
  },

  async "an edit leaves other fields as they are"() {
    const { api, requests } = serviceOf(entity(named), entity(named), entity(named), entity(named));
    await api.offers.edit(ID, (offer) => void (offer.name = "b"));
    assert.deepEqual(JSON.parse(requests[1].body), JSON.parse(entity(named).replace('"a"', '"b"')));
    await api.sale.offers.edit(ID, (offer) => void (offer.etag = "mine"));
    assert.deepEqual(JSON.parse(requests[3].body), [
      { op: "test", path: "/etag", value: "own" },
      { op: "replace", path: "/etag", value: "mine" },
    ]);
  },

  async "copies keep the tag"() {
    const copies = [(it) => ({ ...it, name: "b" }), (it) => Object.assign({}, it), ({ name, ...rest }) => rest];
    for (const copy of copies) {
      const { api, requests } = serviceOf(entity(), entity(), "", entity());
      const offer = copy(await api.offers.get(ID));
      await api.offers.update(offer);
      await api.offers.delete(offer);
      await api.sale.offers.patch(offer, []);
      assert.deepEqual(requests.map(({ tag }) => tag).slice(1), ['"1"', '"1"', '"1"']);
      assert.ok(!requests[1].body.includes("etag"));
    }
    const { api, requests } = serviceOf(entity(), entity());
    await api.offers.update(ID, { ...(await api.offers.get(ID)), name: "b" });
    assert.equal(requests[1].tag, '"1"');
  },

  async "without its tag an entity is not written"() {
    for (const copy of [structuredClone, (it) => JSON.parse(JSON.stringify(it))]) {
      const { api, requests } = serviceOf(entity(), entity(), entity(), "", entity());
      const offer = copy(await api.offers.get(ID));
      const { updatedAt, ...part } = offer;
      const calls = [
        () => api.offers.update(offer),
        () => api.offers.update(part),
        () => api.offers.update({ ...offer, name: "b" }, {}),
        () => api.offers.update(ID, offer),
        () => api.offers.delete(offer),
        () => api.sale.offers.patch(offer, []),
      ];
      for (const call of calls) await assert.rejects(async () => call(), { name: "TypeError", message: /overwrite/ });
      assert.equal(requests.length, 1);
      await api.offers.update(offer, { overwrite: true });
      await api.offers.update(offer, { ifMatch: '"7"' });
      await api.offers.delete(offer, { overwrite: true });
      await api.sale.offers.patch(ID, []);
      assert.deepEqual(requests.map(({ tag }) => tag).slice(1), [null, '"7"', null, null]);
    }
    const { api, requests } = serviceOf(entity(), entity());
    await api.offers.update(await api.offers.get(ID), { overwrite: true });
    assert.equal(requests[1].tag, null);
  },

  async "entities of lists have no tag"() {
    const { api } = serviceOf(`{"offers":[${entity()}],"count":1}`);
    const [offer] = await api.offers.list().toArray();
    await assert.rejects(async () => api.offers.update({ ...offer, name: "b" }), { message: /overwrite/ });
  },

  async "the tag of another entity is that of another"() {
    const { api, requests } = serviceOf(entity(), entity());
    await api.offers.update({ ...(await api.offers.get(ID)), id: OTHER });
    // so it does not match
    assert.deepEqual([requests[1].path, requests[1].tag], [`/offers/${OTHER}`, '"1"']);
  },

  async "numbers that are not touched keep their digits"() {
    const members = [
      `"serial":${ROUNDED}`,
      `"serial":-${ROUNDED}`,
      `"serial":9223372036854775807`,
      `"readings":[1,${ROUNDED},9007199254740995]`,
      `"origin":{"depth":${ROUNDED},"text":"\\"9007199254740997,\\\\"}`,
      `"list":[{"depth":${ROUNDED}},{"depth":1}]`,
      `"measure":1e300,"ratio":0.1,"other":123456789012345680000,"serial":${ROUNDED}`,
    ];
    for (const text of members) {
      const { api, requests } = serviceOf(entity(text), entity(text), entity(text), entity(text), entity(text), "{}");
      await api.offers.edit(ID, (offer) => void (offer.name = "b"));
      assert.equal(requests[1].body.replace("1e+300", "1e300"), entity(text).replace('"a"', '"b"'));
      await api.offers.update({ ...(await api.offers.get(ID)), name: "b" });
      assert.equal(requests[3].body, requests[1].body);
      await api.sale.offers.edit(ID, (offer) => void (offer.name = "b"));
      assert.ok(!requests[5].body.includes("serial") && !requests[5].body.includes("readings"));
    }
  },

  async "a list that is changed keeps the digits of the others"() {
    const before = `"readings":[${ROUNDED},1]`;
    const { api, requests } = serviceOf(entity(before), "{}");
    await api.sale.offers.edit(ID, (offer) => void offer.readings.unshift(2));
    assert.equal(
      requests[1].body,
      `[{"op":"test","path":"/readings","value":[${ROUNDED},1]},` +
        `{"op":"replace","path":"/readings","value":[2,${ROUNDED},1]}]`,
    );
  },

  async "numbers that cannot be told apart are not sent"() {
    const text = `"serial":${ROUNDED},"readings":[${SAME}]`;
    const { api, requests } = serviceOf(entity(text), entity(text), "{}", entity(text));
    const rename = (offer) => void (offer.name = "b");
    await assert.rejects(api.offers.edit(ID, rename), { name: "TypeError", message: /"serial"/ });
    await api.sale.offers.edit(ID, rename);
    assert.ok(!requests[2].body.includes("serial"));
    const push = (offer) => void offer.readings.push(1);
    await assert.rejects(api.sale.offers.edit(ID, push), { message: /readings/ });
  },

  async "a number that JavaScript does not hold is not written"() {
    const change = (offer) => void (offer.serial = 2 ** 60);
    const { api, requests } = serviceOf(entity('"serial":1'), entity('"serial":1'), entity(), entity());
    await assert.rejects(api.offers.edit(ID, change), { message: /"serial"/ });
    await assert.rejects(api.sale.offers.edit(ID, change), { message: /serial/ });
    await assert.rejects(async () => api.offers.create({ readings: [-(2 ** 53)] }), { message: /"readings"/ });
    await assert.rejects(async () => api.offers.renew(ID, { amount: 2 ** 53 }), { message: /"amount"/ });
    assert.equal(requests.length, 2);
    await api.offers.create({ serial: Number.MAX_SAFE_INTEGER, measure: 1e300 });
    assert.equal(requests[2].body, '{"serial":9007199254740991,"measure":1e+300}');
  },
};

for (const [title, run] of Object.entries(cases)) {
  await run().catch((error) => {
    process.exitCode = 1;
    console.error(`${title}\n${error.stack}\n`);
  });
}
console.log(`${Object.keys(cases).length} cases`);
