// Runs the protocol cases against the client in JavaScript: node protocol.mjs PACKAGE CASES.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [, , packageFolder, casesFolder] = process.argv;
const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const load = (path) => import(pathToFileURL(resolve(packageFolder, "src", path)).href);

/** The collections of a version, by their unique names. */
async function collections(version) {
  const folder = version === "public.v1" ? "" : version.replace(".", "-") + "/";
  const files = readdirSync(join(packageFolder, "src", folder)).filter((file) => file.endsWith(".js"));
  const modules = files.filter((file) => !["index.js", "media-type.js", "events.js"].includes(file));
  return Object.assign({}, ...(await Promise.all(modules.map((file) => load(folder + file)))));
}

/** In the place of the network and of the clock. */
class Script {
  constructor(exchanges) {
    Object.assign(this, { exchanges, bound: {}, waits: [], sent: 0 });
  }

  fetch = async (url, init) => {
    const exchange = this.exchanges[this.sent++];
    assert.ok(exchange, `an unexpected request: ${init.method} ${url}`);
    this.compare(exchange.request, new URL(url), init);
    if (this.cancelAfter === this.sent) this.controller.abort();
    return this.answer(exchange, init);
  };

  sleep = async (milliseconds, signal) => {
    this.waits.push(milliseconds);
    if (signal?.aborted) throw signal.reason;
  };

  compare(expected, url, init) {
    assert.equal(init.method, expected.method);
    const [want, have] = [expected.path.split("/"), url.pathname.split("/")];
    assert.equal(have.length, want.length, `${url.pathname} is not ${expected.path}`);
    want.forEach((segment, index) => this.bind(segment, have[index]));
    assert.deepEqual([...url.searchParams], expected.query ?? []);
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(expected.headers ?? {})) assert.equal(headers.get(name), value, name);
    const body = init.body === undefined ? null : JSON.parse(init.body);
    if ("body" in expected) assert.deepEqual(body, this.filled(expected.body));
    for (const [name, value] of Object.entries(expected.bodyIncludes ?? {})) assert.deepEqual(body[name], value, name);
  }

  bind(expected, actual) {
    const name = /^\{(\w+)\}$/.exec(expected)?.[1];
    if (name && !this.bound[name]) {
      assert.match(actual, UUID7);
      this.bound[name] = actual;
    }
    assert.equal(actual, this.filled(expected));
  }

  /** The value with what names are bound to. */
  filled(value) {
    return JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (all, name) => this.bound[name] ?? all));
  }

  answer({ fault, response }, init) {
    const broken = (code) =>
      Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error(code), { code }) });
    if (fault === "refused") throw broken("ECONNREFUSED");
    if (fault === "reset") throw broken("ECONNRESET");
    if (fault === "silence") {
      return new Promise((_, reject) => {
        const stop = () => reject(new DOMException("aborted", "AbortError"));
        if (init.signal.aborted) stop();
        init.signal.addEventListener("abort", stop);
      });
    }
    const text = response.text ?? (response.body === undefined ? null : JSON.stringify(this.filled(response.body)));
    const bodyless = [204, 304].includes(response.status);
    const body = fault === "cut" ? cut(text) : bodyless ? null : text;
    return new Response(body, { status: response.status, headers: response.headers });
  }
}

/** The half of a text, and then an error. */
function cut(text) {
  const bytes = new TextEncoder().encode(text);
  const parts = [bytes.slice(0, bytes.length / 2)];
  return new ReadableStream({
    pull(stream) {
      const part = parts.shift();
      if (part) stream.enqueue(part);
      else stream.error(new TypeError("terminated"));
    },
  });
}

async function take(items, count = Infinity) {
  const all = [];
  if (count === 0) return all;
  for await (const item of items) if (all.push(item) >= count) break;
  return all;
}

/** Sets a property by its dotted name. */
function set(entity, name, value) {
  const names = name.split(".");
  const last = names.pop();
  names.reduce((inner, step) => inner[step], entity)[last] = value;
}

const options = ({ sort, pageSize, include, ifMatch, ifNoneMatch, commandId }) =>
  Object.fromEntries(
    Object.entries({ sort, pageSize, include, ifMatch, ifNoneMatch, commandId }).filter(
      ([, value]) => value !== undefined,
    ),
  );

/** Calls the method that a case names. */
async function perform(call, collection, context, given) {
  const more = { ...options(given), signal: context.signal };
  if (call.operation === "events") {
    const { resource, type, after } = given;
    return take(
      context.api.events({
        ...(resource && { resource }),
        ...(type && { type }),
        ...(after && { after }),
        signal: context.signal,
      }),
      given.take,
    );
  }
  const [name, part] = call.operation.split(".");
  if (part === "check" && name in CHECKS) return CHECKS[name](collection[name].check, given, more);
  if (name in METHODS && part === undefined) return METHODS[name](collection, given, more);
  const command = collection[name];
  if (part === undefined) return command(given.id, given.input, more);
  return COMMANDS[part](command, given, more);
}

const METHODS = {
  list: (it, given, more) => take(it.list(given.filters, more), given.take),
  pages: async (it, given, more) => {
    const pages = await take(it.list(given.filters, more).pages({ limit: given.limit }), given.take);
    return pages.map(({ items, count }) => ({ items, count }));
  },
  count: (it, given, more) => it.list(given.filters, more).count(),
  search: (it, given, more) => take(it.search(given.criteria, more), given.take),
  get: (it, given, more) => it.get(given.id, more),
  create: (it, given, more) => it.create(given.draft, more),
  update: (it, given, more) => {
    if (!given.entity) return it.update(given.id, given.update, more);
    for (const [name, value] of Object.entries(given.changes)) set(given.entity, name, value);
    return it.update(given.entity, more);
  },
  patch: (it, given, more) => it.patch(given.id, given.operations, more),
  edit: (it, given, more) =>
    it.edit(
      given.id,
      (entity) => Object.entries(given.changes).forEach(([name, value]) => set(entity, name, value)),
      more,
    ),
  delete: (it, given, more) => it.delete(given.id, more),
};

const CHECKS = {
  create: (check, given, more) => check(given.draft, more),
  update: (check, given, more) => check(given.id, given.update, more),
  patch: (check, given, more) => check(given.id, given.operations, more),
  delete: (check, given, more) => check(given.id, more),
  search: (check, given, more) => check(given.criteria, more),
};

const COMMANDS = {
  start: (command, given, more) => command.start(given.id, given.input, more),
  resume: (command, given, more) => command.resume(JSON.parse(JSON.stringify(given.handle))).wait(more),
  status: (command, given, more) => command.resume(JSON.parse(JSON.stringify(given.handle))).status(more),
  check: (command, given, more) => command.check(given.id, given.input, more),
  list: (command, given, more) => take(command.list(given.id, given.filters, more), given.take),
};

/** Whether a value is the expected one; `{"$any": true}` is everything. */
function equal(actual, expected) {
  if (expected?.$any) return;
  if (Array.isArray(expected) || typeof expected !== "object" || expected === null)
    return assert.deepEqual(actual, expected);
  assert.deepEqual(actual, expected);
}

function checkError(error, expected, api) {
  assert.equal(error.name, expected.class, error.stack);
  assert.equal(error.constructor.name, expected.class);
  assert.ok(error instanceof api.ClientError);
  const { class: _, problems, ...rest } = expected;
  for (const [name, value] of Object.entries(rest))
    assert.equal(error[name] ?? (name === "maybeApplied" ? false : undefined), value, name);
  if (!problems) return;
  assert.deepEqual(
    error.problems.map(({ code, path }) => ({ code, path })),
    problems,
  );
  for (const { code, path } of problems) assert.ok(error.has(code, path ?? undefined));
}

async function run(it) {
  const script = new Script(it.exchanges);
  const { token, ...rest } = it.client ?? {};
  let asked = 0;
  const deprecations = [];
  const onDeprecated = ({ method, path, sunset }) => deprecations.push({ method, path, sunset });
  const clientOptions = {
    onDeprecated,
    baseUrl: "http://service.test/",
    client: "protocol/1",
    ...rest,
    fetch: script.fetch,
    sleep: script.sleep,
  };
  if (token !== undefined) clientOptions.token = Array.isArray(token) ? () => token[asked++] : token;
  const root = await load("index.js");
  const api = root.marketplace(clientOptions);
  const values = {};
  for (const call of it.calls) {
    script.controller = new AbortController();
    script.cancelAfter = call.cancelAfter;
    const collection =
      call.collection && (await collections(call.version ?? "public.v1"))[call.collection](api.client, call.parent);
    const given = Object.fromEntries(
      Object.entries(call.arguments).map(([name, value]) => [name, value?.$value ? values[value.$value] : value]),
    );
    const outcome = await perform(call, collection, { api, signal: script.controller.signal }, given).then(
      (value) => ({ value }),
      (error) => ({ error }),
    );
    if (call.as) values[call.as] = outcome.value;
    const expected = script.filled(call.result);
    if (expected.error) {
      assert.ok(outcome.error, `no error, but ${JSON.stringify(outcome.value)}`);
      checkError(outcome.error, expected.error, root);
    } else if (outcome.error) throw outcome.error;
    else if (expected.notModified) assert.equal(outcome.value, root.NotModified);
    else equal(outcome.value === undefined ? null : JSON.parse(JSON.stringify(outcome.value)), expected.value);
  }
  assert.equal(script.sent, it.exchanges.length, "not all requests were sent");
  assert.deepEqual(deprecations, it.deprecations ?? []);
  if (it.waits) checkWaits(script.waits, it.waits);
}

function checkWaits(actual, expected) {
  const fits = ([least, most], index) => actual[index] >= least && actual[index] <= most;
  assert.ok(
    actual.length === expected.length && expected.every(fits),
    `waits ${actual} are not within ${JSON.stringify(expected)}`,
  );
}

let failures = 0;
const files = readdirSync(casesFolder)
  .filter((file) => file.endsWith(".json"))
  .sort();
for (const file of files) {
  const it = JSON.parse(readFileSync(join(casesFolder, file), "utf8"));
  await run(it).catch((error) => {
    failures++;
    console.error(`${file}: ${it.title}\n${error.stack}\n`);
  });
}
console.log(`${files.length - failures} of ${files.length} protocol cases hold`);
process.exit(failures ? 1 : 0);
