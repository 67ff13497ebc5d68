// Part of every client that restwell generates. Do not edit.

// Operations on single entities.

import { NotModified, metadata } from "./client.js";
import { NotFound } from "./errors.js";
import { call, change, segment, tagged } from "./place.js";

export const create = (at) => change(at, (draft, options) => ["POST", "", { body: draft }, options]);

export const get = (at) => async (id, options) => {
  const headers = { "If-None-Match": options?.ifNoneMatch };
  const response = await call(at, "GET", segment(id), { headers }, options);
  return response.status === 304 ? NotModified : tagged(response);
};

/**
 * The condition of a change: the tag that is given, or that the entity was read with; the tag of another entity matches
 * nothing. An entity that has lost its tag would overwrite what others have changed.
 */
export function condition(entity, { ifMatch, overwrite } = {}, wasRead = entity?.updatedAt) {
  const tag = ifMatch ?? (!overwrite && entity?.[metadata]?.etag);
  if (!tag && wasRead && !overwrite) throw new TypeError("the entity has no tag: `get` it, or `overwrite` it");
  return { "If-Match": tag };
}

/** `update(entity)`, or `update(id, body)`. */
export const update = (at) =>
  change(at, (first, ...rest) => {
    const isEntity = typeof first === "object";
    const [body, options] = isEntity ? [first, ...rest] : rest;
    const headers = condition(body, options, isEntity || undefined);
    return ["PUT", segment(first.id ?? first), { body, headers }, options];
  });

export const patch = (at) =>
  change(at, (target, body, options) => {
    const headers = condition(target, options);
    return ["PATCH", segment(target.id ?? target), { body, isRepeatable: false, headers }, options];
  });

export const remove = (at) =>
  change(
    at,
    (target, options) => ["DELETE", segment(target.id ?? target), { headers: condition(target, options) }, options],
    (sent) =>
      sent.then(
        () => {},
        (error) => {
          // an earlier try has deleted it, and its response was lost
          if (!(error instanceof NotFound && error.maybeApplied)) throw error;
        },
      ),
  );
