/**
 * A body while it is written. A draft has the shape of the schema, and texts at its ends: what somebody types is kept
 * as it is typed, and becomes JSON when it is sent. Whether it is right is for the service to say.
 *
 * @import { Interface, Json } from './interface.js'
 * @typedef {'text' | 'choice' | 'boolean' | 'number' | 'object' | 'array' | 'json' | 'ignored'} Kind
 */
import { parse } from './client.js';
import { numberOf, toJson } from './numbers.js';

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * A schema without its reference and without null beside it.
 * @param {Interface} api @param {Json} node @returns {Json}
 */
export function flat(api, node) {
  const schema = api.deref(node);
  const choices = schema.anyOf?.filter((choice) => choice.type !== 'null') ?? [];
  if (choices.length === 1) {
    const { anyOf, ...beside } = schema;
    return { ...flat(api, choices[0]), ...beside, isNullable: true };
  }
  // of several types: JSON of any form
  if (!Array.isArray(schema.type) || schema.type.filter((it) => it !== 'null').length > 1) return schema;
  const type = schema.type.find((it) => it !== 'null');
  return { ...schema, type, isNullable: schema.type.includes('null') };
}

/** How a value is written. @param {Json} schema flat @returns {Kind} */
export function kindOf(schema) {
  if (schema.enum) return 'choice';
  // criteria, maps, and JSON of any form
  if (schema.anyOf || Array.isArray(schema.type) || schema.additionalProperties?.constructor === Object) return 'json';
  switch (schema.type) {
    case 'boolean':
    case 'object':
    case 'array':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      return 'text';
    default:
      // a property without a type is one that the service sets
      return 'ignored';
  }
}

/**
 * A draft of a value, as a form begins with it.
 * @param {Interface} api @param {Json} node @param {any} value
 */
export function toDraft(api, node, value) {
  const schema = flat(api, node);
  if (value === undefined) return undefined;
  switch (kindOf(schema)) {
    case 'object': {
      const members = Object.entries(schema.properties ?? {}).map(([name, part]) => [
        name,
        toDraft(api, part, value?.[name]),
      ]);
      return Object.fromEntries(members.filter(([, part]) => part !== undefined));
    }
    case 'array':
      return (value ?? []).map((item) => toDraft(api, schema.items, item));
    case 'json':
      return value === null ? '' : toJson(value);
    case 'ignored':
      return undefined;
    default:
      return value === null ? '' : String(value);
  }
}

/**
 * What is sent. A text that was emptied is null where the entity had a value (`replaces`), and left out otherwise.
 * @param {Interface} api @param {Json} node @param {any} draft @param {boolean} replaces
 */
export function toBody(api, node, draft, replaces) {
  const schema = flat(api, node);
  if (draft === undefined) return undefined;
  switch (kindOf(schema)) {
    case 'object': {
      const members = Object.entries(schema.properties ?? {})
        .map(([name, part]) => [name, toBody(api, part, draft[name], replaces)])
        .filter(([, value]) => value !== undefined);
      const isEmpty = members.every(([, value]) => value === null);
      return isEmpty ? nothingOf(replaces) : Object.fromEntries(members);
    }
    case 'array':
      return draft.map((item) => toBody(api, schema.items, item, replaces) ?? null);
    case 'boolean':
      return draft === '' ? nothingOf(replaces) : draft === 'true';
    case 'number':
      return draft === '' ? nothingOf(replaces) : NUMBER.test(draft) ? numberOf(draft) : draft;
    case 'json': {
      if (draft === '') return nothingOf(replaces);
      const value = parse(draft);
      // a criterion that is one word
      return value === undefined ? draft : value;
    }
    case 'ignored':
      return undefined;
    default:
      return draft === '' ? nothingOf(replaces) : draft;
  }
}

/**
 * Whether a text should be JSON and is none yet. A criterion may be one word.
 * @param {Json} schema flat @param {any} draft
 */
export function isMalformed(schema, draft) {
  return kindOf(schema) === 'json' && !schema.anyOf && Boolean(draft) && parse(draft) === undefined;
}

/**
 * Whether a text in a draft should be JSON and is none yet.
 * @param {Interface} api @param {Json} node @param {any} draft
 */
export function hasMalformed(api, node, draft) {
  const schema = flat(api, node);
  switch (draft === undefined ? 'ignored' : kindOf(schema)) {
    case 'object':
      return Object.entries(schema.properties ?? {}).some(([name, part]) => hasMalformed(api, part, draft[name]));
    case 'array':
      return draft.some((item) => hasMalformed(api, schema.items, item));
    default:
      return isMalformed(schema, draft);
  }
}

/** @param {boolean} replaces */
function nothingOf(replaces) {
  return replaces ? null : undefined;
}

/** The draft with another value at a place. @param {any} draft @param {(string | number)[]} place @param {any} value */
export function put(draft, [first, ...rest], value) {
  const copy = Array.isArray(draft) ? [...draft] : { ...draft };
  copy[first] =
    rest.length === 0 ? value : put(draft?.[first] ?? (typeof rest[0] === 'number' ? [] : {}), rest, value);
  return copy;
}
