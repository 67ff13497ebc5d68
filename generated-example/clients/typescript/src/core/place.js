// Part of every client that restwell generates. Do not edit.

// What all operations of a collection share.

import { metadata, send } from "./client.js";
import { Invalid } from "./errors.js";
import { digitsIn, toJson } from "./numbers.js";

/** A collection of a client: its path, its media type, and the name of the array in its pages. */
export const place = (client, path, media, items) => ({ client, path, media, items });

/** Sends a request about a collection, or about something in it. */
export const call = (at, method, path, { body, ...request }, options) => {
  const text = body && toJson(body, body[metadata]?.digits);
  return send(at.client, { method, path: at.path + path, media: at.media, body: text, ...request }, options);
};

/** An id as a segment of a path. */
export const segment = (id) => "/" + encodeURIComponent(id);

/** An entity with what belongs to its response. */
export const tagged = ({ body, text, headers, traceId }) =>
  Object.assign(body, {
    [metadata]: { etag: headers.get("ETag") ?? undefined, traceId, digits: digitsIn(text) },
  });

/** The result of a change: the entity, or where it will be if the change is made later. */
const changed = (response) => {
  if (response.status !== 202) return tagged(response);
  const location = response.headers.get("Location") ?? undefined;
  return { id: location?.split("/").pop(), location, traceId: response.traceId };
};

/** The method of a change, and its dry run: both send what `request` makes of their arguments. */
export const change = (at, request, result = async (sent) => changed(await sent)) =>
  Object.assign(async (...args) => result(call(at, ...request(...args))), {
    check: async (...args) => problems(at, ...request(...args)),
  });

/** The problems of a request that is only checked. */
export async function problems(at, method, path, request, options) {
  const query = [["dryRun", "true"], ...(options?.include ?? []).map((name) => ["include", name])];
  try {
    await call(at, method, path, { ...request, query, isRepeatable: true, isDryRun: true }, options);
    return [];
  } catch (error) {
    if (error instanceof Invalid) return error.problems;
    throw error;
  }
}
