// Searches: criteria that are stored, and the collection that meets them.

import { List } from "./lists.js";
import { call, place, problems, segment, tagged } from "./place.js";

/** In a filter null is a condition; in a search it is none, and `isNull` is. */
const criteria = (value) => {
  if (value === null) return { isNull: true };
  if (typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, criteria(inner)]));
};

export const search = (at, path) => {
  const searches = place(at.client, path, at.media);
  const create = async (sought, options) =>
    tagged(await call(searches, "POST", "", { body: criteria(sought) }, options));
  const found = (sought, options = {}) => {
    const { sort, pageSize, ...rest } = options;
    // created at the first page, and once
    let id = typeof sought === "string" ? sought : undefined;
    const query = async () => [["search.id", (id ??= (await create(sought, rest)).id)]];
    return new List(at, query, options);
  };
  return Object.assign(found, {
    create,
    get: async (id, options) => tagged(await call(searches, "GET", segment(id), {}, options)),
    check: (sought, options) => problems(searches, "POST", "", { body: criteria(sought) }, options),
  });
};
