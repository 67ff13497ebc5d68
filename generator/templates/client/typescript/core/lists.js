// Collections: filters, order, pages.

import { call } from "./place.js";

const MOST_ITEMS = 1_000;

/** `{ buyNow: { amount: { gte: "10" } } }` → `[["buyNow.amount.gte", "10"]]`; null is an empty value. */
export function filterPairs(filters, prefix = "") {
  return Object.entries(filters ?? {}).flatMap(([key, value]) => {
    const name = prefix + key;
    if (value === undefined) return [];
    if (Array.isArray(value)) {
      // without a parameter everything would match
      if (!value.length) throw new TypeError(`the filter \`${name}\` has no values`);
      return value.map((one) => [name, one ?? ""]);
    }
    return typeof value === "object" && value !== null ? filterPairs(value, name + ".") : [[name, value ?? ""]];
  });
}

/** A collection that is read when it is iterated over. `condition` makes the parameters that select from it. */
export const listOf = (at, condition, options) => {
  const read = async (query) => call(at, "GET", "", { query }, options);
  const list = {
    async *[Symbol.asyncIterator]() {
      for await (const page of list.pages({ limit: options.pageSize })) yield* page.items;
    },

    async *pages({ limit = MOST_ITEMS } = {}) {
      const filters = await condition();
      const isSearch = filters.some(([name]) => name === "search.id");
      const order = options.sort?.join(",") || "id";
      // goes on after the last id: pages neither overlap nor leave something out while others write
      const bound = isSearch ? undefined : { id: "id.gt", "-id": "id.lt" }[order];
      let position = [];
      for (let offset = 0; ; ) {
        const before = bound && offset ? filters.filter(([name]) => name !== bound) : filters;
        const { body, traceId } = await read([...before, ["sort", order], ["limit", limit], ...position]);
        const items = body[at.items];
        yield { items, count: body.count, traceId };
        if (items.length < limit || !items.length) return;
        offset += items.length;
        position = bound ? [[bound, items.at(-1).id]] : [["offset", offset]];
      }
    },

    count: async () => (await read([...(await condition()), ["limit", 0]])).body.count,

    async toArray() {
      const all = [];
      for await (const item of list) all.push(item);
      return all;
    },
  };
  return list;
};

export const list =
  (at) =>
  (filters, options = {}) =>
    listOf(at, () => filterPairs(filters), options);
