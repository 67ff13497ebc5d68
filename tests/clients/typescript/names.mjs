// A client of a service whose names are those of the client and of JavaScript: each collection is called once.

import assert from "node:assert/strict";

const [index, baseUrl] = process.argv.slice(2);
const { orders } = await import(index);
const paths = [];
const noted = (url, init) => {
  paths.push(new URL(url).pathname);
  return fetch(url, init);
};
const api = await orders({ baseUrl, client: "names/1", fetch: noted });

// what JavaScript does with any value sends nothing
for (const collection of Object.values(api)) {
  assert.equal(await collection, collection);
  JSON.stringify(collection);
  assert.equal(Object.hasOwn(collection, "then"), false);
}
assert.equal(String(api.sales), "[object Object]");
assert.equal(`${api.sales} ${JSON.stringify(api.sales)}`.length > 0, true);
assert.deepEqual(paths, []);

const isCollection = ([, value]) => typeof value.create === "function";
const collections = Object.entries(api).filter(isCollection);
assert.equal(collections.length, Number(process.argv[4]));
for (const [name, collection] of collections) {
  const created = await collection.create({ name: "a" });
  const { name: read } = await collection.get(created.id);
  assert.equal(read, "a", name);
  assert.equal((await collection.edit(created.id, (entity) => void (entity.name = "b"))).name, "b", name);
  const found = await collection.list({ name: "b" }).toArray();
  assert.deepEqual(found.map((it) => it.id), [created.id], name);
  assert.equal(await collection.search({ name: "b" }).count(), 1, name);
}

// fields that each object inherits
const fields = ["constructor", "hasOwnProperty", "prototype", "then", "toJson", "toString", "valueOf"];
const draft = Object.fromEntries(fields.map((name) => [name, name.slice(0, 9)]));
const note = await api.notes.create(draft);
for (const name of fields) assert.equal(note[name], draft[name]);
assert.deepEqual((await api.notes.list({ constructor: "construct" }).toArray()).map((it) => it.id), [note.id]);
const edited = await api.notes.edit(note.id, (entity) => void (entity.constructor = null));
assert.deepEqual([edited.constructor, edited.toString, edited.valueOf], [null, "toString", "valueOf"]);

// views, scoped collections and commands that are called like something else
const user = await api.users.create({ name: "a" });
const sale = await api.sales.create({ name: "a", buyer: { id: user.id }, sort: "NONE", filter: { note: "b" } });
assert.deepEqual((await api.sales.underUser(user.id).list().toArray()).map((it) => it.id), [sale.id]);
assert.equal((await api.user.sales.get(sale.id)).sort, "NONE");
assert.equal((await api.clientView.sales.get(sale.id)).id, sale.id);
for (const method of ["then", "toString", "renewCommands", "renewSentBefore", "under", "underUser"]) {
  const handle = await api.sales[method + "Command"].start(sale.id, { then: "a", new: "b" });
  assert.equal((await handle.status()).then, "a");
}
