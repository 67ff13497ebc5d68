// Part of every client that restwell generates. Do not edit.

// Read, change, write: again from the start if somebody else was faster.

import { PreconditionFailed } from "./errors.js";
import { call, segment, tagged } from "./place.js";
import { get } from "./entities.js";

const MOST_READS = 3;

/** Writes the whole entity with PUT, if it still has the tag that was read. */
export const edit = (at) =>
  editing(at, (id, entity, after) => ({ method: "PUT", body: after, headers: { "If-Match": entity.etag } }));

/** Writes what changed with PATCH, if it still has the values that were read: other changes of others do not matter. */
export const editByPatch = (at) =>
  editing(at, (id, entity, after, changes) => ({
    method: "PATCH",
    body: changes.flatMap(({ path, before, value }) => {
      const pointer = path.map((name) => "/" + name.replace(/~/g, "~0").replace(/\//g, "~1")).join("");
      const isNew = before === undefined;
      const test = isNew ? [] : [{ op: "test", path: pointer, value: before }];
      if (value === undefined) return [...test, { op: "remove", path: pointer }];
      return [...test, { op: isNew ? "add" : "replace", path: pointer, value }];
    }),
  }));

const editing = (at, request) => async (id, change, options) => {
  for (let read = 1; ; read++) {
    const entity = await get(at)(id, options);
    const draft = structuredClone(entity);
    const after = (await change(draft)) ?? draft;
    const changes = diff(entity, after);
    if (!changes.length) return entity;
    try {
      const { method, ...rest } = request(id, entity, after, changes);
      return tagged(await call(at, method, segment(id), rest, options));
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

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const valueAt = (value, path) => path.reduce((inner, name) => inner?.[name], value);
const isEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** The properties that differ, each as deep as possible; arrays differ as a whole. */
function diff(before, after, path = []) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [a, b] = [before[name], after[name]];
    const at = [...path, name];
    if (isObject(a) && isObject(b)) return diff(a, b, at);
    return isEqual(a, b) ? [] : [{ path: at, before: a, value: b }];
  });
}
