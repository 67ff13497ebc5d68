// Part of every client that restwell generates. Do not edit.

// Operations on single entities.

import { NotModified } from "./client.js";
import { NotFound } from "./errors.js";
import { call, problems, segment, tagged } from "./place.js";

const ifMatch = (tag) => (tag ? { headers: { "If-Match": tag } } : {});

/** The result of a change: the entity, or where it will be if the change is made later. */
const changed = (response) => {
  if (response.status !== 202) return tagged(response);
  const location = response.headers.get("Location") ?? undefined;
  return { id: location?.split("/").pop(), location, traceId: response.traceId };
};

export const create = (at) =>
  Object.assign(async (draft, options) => changed(await call(at, "POST", "", { body: draft }, options)), {
    check: (draft, options) => problems(at, "POST", "", { body: draft }, options),
  });

export const get =
  (at) =>
  async (id, { ifNoneMatch, ...options } = {}) => {
    const headers = ifNoneMatch ? { "If-None-Match": ifNoneMatch } : {};
    const response = await call(at, "GET", segment(id), { headers }, options);
    return response.status === 304 ? NotModified : tagged(response);
  };

/** `update(entity)`, or `update(id, body)`. */
function updated(first, second, third) {
  if (typeof first === "string") return [first, second, third?.ifMatch, third];
  return [first.id, first, second?.ifMatch ?? first.etag, second];
}

export const update = (at) =>
  Object.assign(
    async (...args) => {
      const [id, body, tag, options] = updated(...args);
      return changed(await call(at, "PUT", segment(id), { body, ...ifMatch(tag) }, options));
    },
    {
      check: (...args) => {
        const [id, body, tag, options] = updated(...args);
        return problems(at, "PUT", segment(id), { body, ...ifMatch(tag) }, options);
      },
    },
  );

export const patch = (at) =>
  Object.assign(
    async (id, operations, options) =>
      changed(
        await call(
          at,
          "PATCH",
          segment(id),
          { body: operations, isRepeatable: false, ...ifMatch(options?.ifMatch) },
          options,
        ),
      ),
    {
      check: (id, operations, options) =>
        problems(at, "PATCH", segment(id), { body: operations, ...ifMatch(options?.ifMatch) }, options),
    },
  );

/** The entity's own tag counts, as for `update`. */
const removed = (target) => (typeof target === "string" ? { id: target } : target);

export const remove = (at) =>
  Object.assign(
    async (target, options) => {
      const { id, etag } = removed(target);
      try {
        await call(at, "DELETE", segment(id), ifMatch(options?.ifMatch ?? etag), options);
      } catch (error) {
        // an earlier try has deleted it, and its response was lost
        if (!(error instanceof NotFound && error.maybeApplied)) throw error;
      }
    },
    {
      check: (target, options) => {
        const { id, etag } = removed(target);
        return problems(at, "DELETE", segment(id), ifMatch(options?.ifMatch ?? etag), options);
      },
    },
  );
