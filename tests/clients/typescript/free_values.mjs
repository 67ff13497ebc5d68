// Maps and JSON of any form, in entities, edits and commands of a running service: node free_values.mjs INDEX URL.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

const [index, baseUrl] = process.argv.slice(2);
const { specimen } = await import(pathToFileURL(index).href);
const api = specimen({ baseUrl, client: "tests/1.0" });

const DRAFT = { name: "Amber", storage: { shelf: "A1" }, readings: [7] };
/** An entity without what its response said beside it. */
const own = (entity) => JSON.parse(JSON.stringify(entity));
/** The text of an entity. */
async function text(path) {
  const headers = { accept: "application/vnd.service.public.v1+json", "user-agent": "tests/1.0" };
  return (await fetch(`${baseUrl}${path}`, { headers })).text();
}

// what is sent is what comes
const given = {
  traits: { shiny: "yes" },
  scores: { first: "1.500" },
  moods: { "a/b~c": "WHITE" },
  fees: { entry: { amount: "5.00", currency: "PLN" } },
  settings: { b: [1, { a: null }], a: "" },
  theme: "dark",
  measurements: [{ a: 1.5 }],
};
const created = await api.specimens.create({ ...DRAFT, ...given });
for (const [name, value] of Object.entries(given)) assert.deepEqual(created[name], value, name);
assert.deepEqual(own(await api.specimens.get(created.id)), own(created));
const bare = await api.specimens.create(DRAFT);
assert.deepEqual([bare.traits, bare.scores, bare.settings, bare.theme], [{}, { first: "1.000" }, null, { dark: true }]);

// what is wrong has a path
const problems = await api.specimens.create.check({ ...DRAFT, traits: { A: "x" }, settings: "x".repeat(99) });
assert.deepEqual(
  problems.map(({ code, path }) => [code, path]),
  [
    ["NameMismatch", "traits.A"],
    ["TooManyBytes", "settings"],
  ],
);
const refused = await api.specimens.create({ ...DRAFT, traits: { a: "12345678901" } }).catch((error) => error);
assert.ok(refused.has("TooLong", "traits.a"), String(refused));

// edits change what is in them; a name that is gone is gone
const edited = await api.specimens.edit(created.id, (it) => {
  it.traits.dull = "no";
  delete it.traits.shiny;
  it.settings.b[1] = { a: [0] };
  it.theme = null;
});
assert.deepEqual([edited.traits, edited.settings, edited.theme], [{ dull: "no" }, { b: [1, { a: [0] }], a: "" }, null]);
assert.deepEqual(own(await api.specimens.edit(created.id, () => {})), own(edited), "nothing to change");

// numbers that an edit does not touch keep their digits
const digits = "[1.50,12345678901234567890.123,0.10000000000000000001]";
const headers = {
  accept: "application/vnd.service.public.v1+json",
  "content-type": "application/vnd.service.public.v1+json",
  "user-agent": "tests/1.0",
};
const body = JSON.stringify({ ...DRAFT, settings: "N" }).replace('"N"', digits);
const exact = await (await fetch(`${baseUrl}/specimens`, { method: "POST", headers, body })).json();
await api.specimens.edit(exact.id, (it) => void (it.size = 8));
const after = await text(`/specimens/${exact.id}`);
assert.ok(after.includes(`"settings":${digits}`) && after.includes('"size":8'), after);
const whole = await api.specimens.get(exact.id);
await api.specimens.update({ ...whole, size: 9 });
const replaced = await text(`/specimens/${exact.id}`);
assert.ok(replaced.includes(`"settings":${digits}`) && replaced.includes('"size":9'), replaced);

// commands
const input = { how: "DESCRIBE", traits: { shiny: "very" }, settings: { a: [null, 1.5] } };
const done = await api.specimens.treat(created.id, input);
assert.deepEqual([done.traits, done.settings], [input.traits, input.settings]);
assert.deepEqual([done.scores, done.receipt], [{ shiny: 4 }, input.settings]);
assert.deepEqual((await api.specimens.get(created.id)).settings, input.settings);

// what is done later
const tag = await api.later.tags.create({ name: "old", attributes: { a: [1.5, { b: null }] } });
for (let tries = 0; ; tries += 1) {
  const found = await api.tags.get(tag.id).catch(() => null);
  if (found) {
    assert.deepEqual(found.attributes, { a: [1.5, { b: null }] });
    break;
  }
  assert.ok(tries < 100, "the tag is made");
  await new Promise((resolve) => setTimeout(resolve, 50));
}
