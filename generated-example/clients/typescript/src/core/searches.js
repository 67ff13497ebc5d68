// Part of every client that restwell generates. Do not edit.

// Searches: criteria that are stored, and the collection that meets them.

import { get } from "./entities.js";
import { listOf } from "./lists.js";
import { change, place } from "./place.js";

/** In a filter null is a condition; in a search it is none, and `isNull` is. */
const criteria = (value) => {
  if (value === null) return { isNull: true };
  if (typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, criteria(inner)]));
};

export const search = (at, path) => {
  const searches = place(at.client, path, at.media);
  const create = change(searches, (sought, options) => ["POST", "", { body: criteria(sought) }, options]);
  const found = (sought, options = {}) => {
    // created at the first page, and once
    let id = typeof sought === "string" ? sought : undefined;
    const query = async () => [["search.id", (id ??= (await create(sought, options)).id)]];
    return listOf(at, query, options);
  };
  return Object.assign(found, { create, get: get(searches), check: create.check });
};
