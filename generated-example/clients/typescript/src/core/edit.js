// Part of every client that restwell generates. Do not edit.

// Read, change, write: again from the start if somebody else was faster.

import { metadata } from "./client.js";
import { PreconditionFailed } from "./errors.js";
import { condition, get } from "./entities.js";
import { toJson } from "./numbers.js";
import { call, segment, tagged } from "./place.js";

const MOST_READS = 3;

/** Writes the whole entity with PUT, if it still has the tag that was read. */
export const edit = (at) =>
  editing(at, "PUT", (entity, after) => ({ body: { ...after }, headers: condition(entity, {}, true) }));

/** Writes what changed with PATCH, if it still has the values that were read: other changes of others do not matter. */
export const editByPatch = (at) =>
  editing(at, "PATCH", (entity, after, changes) => ({
    body: changes.flatMap(({ path, before, value }) => {
      // where a number is refused, this is its name
      toJson(value, entity[metadata].digits, path.join("."));
      const pointer = path.map((name) => "/" + name.replace(/~/g, "~0").replace(/\//g, "~1")).join("");
      const isNew = before === undefined;
      const test = isNew ? [] : [{ op: "test", path: pointer, value: before }];
      if (value === undefined) return [...test, { op: "remove", path: pointer }];
      return [...test, { op: isNew ? "add" : "replace", path: pointer, value }];
    }),
  }));

const editing = (at, method, request) => async (id, change, options) => {
  for (let read = 1; ; read++) {
    const entity = await get(at)(id, options);
    const draft = structuredClone(entity);
    const after = (await change(draft)) ?? draft;
    const changes = diff(entity, after);
    if (!changes.length) return entity;
    const { body, ...rest } = request(entity, after, changes);
    // the numbers in it are those of the entity
    body[metadata] = entity[metadata];
    try {
      return tagged(await call(at, method, segment(id), { body, ...rest }, options));
    } catch (error) {
      if (!(error instanceof PreconditionFailed || error.has?.("TestFailed"))) throw error;
      if (error.maybeApplied) {
        // perhaps it was an earlier try of ours that was faster
        const current = await get(at)(id, options).catch((cause) => {
          throw Object.assign(cause, { maybeApplied: true });
        });
        if (changes.every(({ path, value }) => isEqual(valueAt(current, path), value))) return current;
        throw error;
      }
      if (read >= MOST_READS) throw error;
    }
  }
};

const isObject = (value) => typeof value === "object" && value !== null;
/** A property of the value itself: each object inherits a `constructor`. */
const own = (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined);
const valueAt = (value, path) => path.reduce(own, value);

/** The properties that differ, each as deep as possible; arrays differ as a whole. */
function diff(before, after, path = []) {
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const [a, b] = [own(before, name), own(after, name)];
    const at = [...path, name];
    if (isObject(a) && isObject(b) && !Array.isArray(a) && !Array.isArray(b)) return diff(a, b, at);
    return isEqual(a, b) ? [] : [{ path: at, before: a, value: b }];
  });
}

const isEqual = (a, b) => a === b || (isObject(a) && isObject(b) && !diff(a, b).length);
