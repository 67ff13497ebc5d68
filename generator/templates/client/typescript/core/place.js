// What all operations of a collection share.

import { send } from "./client.js";
import { Invalid } from "./errors.js";

/** A collection of a client: its path, its media type, and the name of the array in its pages. */
export const place = (client, path, media, items) => ({ client, path, media, items });

/** Sends a request about a collection, or about something in it. */
export const call = (at, method, path, request, options) =>
  send(at.client, { method, path: at.path + path, media: at.media, ...request }, options);

/** An id as a segment of a path. */
export const segment = (id) => "/" + encodeURIComponent(id);

/** An entity with what belongs to its response: neither is copied, printed or sent. */
export function tagged(response) {
  const { body, headers, traceId } = response;
  const hidden = (value) => ({ value, configurable: true, writable: true });
  return Object.defineProperties(body, { etag: hidden(headers.get("ETag") ?? undefined), traceId: hidden(traceId) });
}

/** The problems of a request that is only checked. */
export async function problems(at, method, path, request, { include = [], ...options } = {}) {
  const query = [["dryRun", "true"], ...include.map((name) => ["include", name])];
  try {
    await call(at, method, path, { ...request, query, isRepeatable: true, isDryRun: true }, options);
    return [];
  } catch (error) {
    if (error instanceof Invalid) return error.problems;
    throw error;
  }
}
