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
      if (!value.length) throw new TypeError(`the filter \`${name}\` has no values: nothing can match`);
      return value.map((one) => [name, one ?? ""]);
    }
    return typeof value === "object" && value !== null ? filterPairs(value, name + ".") : [[name, value ?? ""]];
  });
}

/** A collection that is read when it is iterated over. */
export class List {
  constructor(at, query, options) {
    Object.assign(this, { at, query, options });
  }

  async *[Symbol.asyncIterator]() {
    for await (const page of this.pages({ limit: this.options.pageSize })) yield* page.items;
  }

  async *pages({ limit = MOST_ITEMS } = {}) {
    const { sort = [], pageSize, ...options } = this.options;
    const filters = await this.query();
    const isSearch = filters.some(([name]) => name === "search.id");
    const order = sort.join(",") || "id";
    // goes on after the last id: pages neither overlap nor leave something out while others write
    const bound = isSearch ? undefined : { id: "id.gt", "-id": "id.lt" }[order];
    let position = [];
    for (let offset = 0; ; ) {
      const before = bound && offset ? filters.filter(([name]) => name !== bound) : filters;
      const query = [...before, ["sort", order], ["limit", limit], ...position];
      const { body, traceId } = await call(this.at, "GET", "", { query }, options);
      const items = body[this.at.items];
      yield { items, count: body.count, traceId };
      if (items.length < limit || !items.length) return;
      offset += items.length;
      position = bound ? [[bound, items.at(-1).id]] : [["offset", offset]];
    }
  }

  async count() {
    const { sort, pageSize, ...options } = this.options;
    const { body } = await call(this.at, "GET", "", { query: [...(await this.query()), ["limit", 0]] }, options);
    return body.count;
  }

  async toArray() {
    const all = [];
    for await (const item of this) all.push(item);
    return all;
  }
}

export const list =
  (at) =>
  (filters, options = {}) =>
    new List(at, () => filterPairs(filters), options);
