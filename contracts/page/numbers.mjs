// What a form of the page sends of numbers that JavaScript does not hold: node numbers.mjs PAGE.

import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const load = (name) => import(pathToFileURL(join(folder, name)).href);
Object.defineProperty(globalThis, "navigator", { value: { language: "en" }, configurable: true });
const { hasMalformed, toBody, toDraft } = await load("draft.js");
const { fromJson, toJson } = await load("numbers.js");

const integer = { type: "integer" };
const schema = {
  type: "object",
  properties: {
    serial: { type: ["integer", "null"] },
    readings: { type: "array", items: integer },
    origin: { type: "object", properties: { depth: integer } },
    measure: { type: "number" },
    value: { anyOf: [integer, { type: "array", items: integer }] },
    text: { type: "string" },
    settings: { type: ["object", "array", "string", "number", "boolean", "null"] },
    traits: { type: "object", additionalProperties: { type: "string" } },
  },
};
const api = { deref: (node) => node };
/** What is sent of an entity that a form has begun with. */
const sent = (text) => toJson(toBody(api, schema, toDraft(api, schema, fromJson(text)), true));

for (const text of [
  '{"serial":9007199254740993}',
  '{"serial":-9007199254740993,"measure":1e300}',
  '{"serial":9223372036854775807,"readings":[9007199254740993,9007199254740992,1]}',
  '{"origin":{"depth":9007199254740993}}',
  '{"value":[9007199254740993]}',
  '{"serial":9007199254740991,"measure":0.1,"text":"\\"9007199254740993\\\\"}',
  '{"settings":[1.50,-0,1E5,{"a":12345678901234567890.123,"b":"1.50"}]}',
  '{"settings":"","traits":{"a":"b"}}',
]) {
  assert.equal(sent(text), text);
  assert.equal(toJson(fromJson(text)), text);
  assert.equal(toJson(fromJson(toJson(fromJson(text), 2))), text);
}
// what is typed is sent as it is typed
assert.equal(toJson(toBody(api, schema, { serial: "9007199254740995" }, false)), '{"serial":9007199254740995}');
assert.equal(toJson(toBody(api, schema, { serial: "12x" }, false)), '{"serial":"12x"}');
// JSON that is not finished is not sent as a text
const typed = (settings) => ({ draft: { settings }, text: toJson(toBody(api, schema, { settings }, false)) });
for (const text of ['{"a":', "word", "1.", "'a'"]) {
  assert.equal(hasMalformed(api, schema, typed(text).draft), true, text);
}
for (const text of ["null", "1.50", '"word"', '{"a":[]}', ""]) {
  assert.equal(hasMalformed(api, schema, typed(text).draft), false, text);
}
assert.equal(toJson(toBody(api, schema, { text: "a", settings: "null" }, false)), '{"text":"a","settings":null}');
assert.equal(typed("1.50").text, '{"settings":1.50}');
assert.equal(hasMalformed(api, schema, { value: "word" }), false, "a criterion may be one word");
assert.throws(() => fromJson("9007199254740993,"));
