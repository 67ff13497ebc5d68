/**
 * A value of an entity as one reads it: null as null, a reference as a link, a price as an amount.
 *
 * @import { Interface, Json } from './interface.js'
 */
import { html } from './vendor/lit-html.js';
import { jsonView } from './json.js';
import { LongNumber, toJson } from './numbers.js';
import { link } from './router.js';

/** What a reader knows an entity by: its name, or its first text. @param {any} item */
export function labelOf(item) {
  const { id, createdAt, updatedAt, ...rest } = item;
  return rest.name ?? Object.values(rest).find((value) => typeof value === 'string') ?? id;
}

/** A text of a description: what stands between backticks is code. @param {string} text */
export function prose(text) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** In a table. @param {Interface} api @param {Json} schema @param {Json | undefined} field @param {any} value */
export function cell(api, schema, field, value) {
  if (value === null || value === undefined) return html`<span class="null">null</span>`;
  if (field?.type === 'ref') return referenceView(api, field.to, value);
  if (field?.type === 'price') return html`<span class="nowrap">${value.amount} ${value.currency}</span>`;
  if (schema.enum) return html`<span class="tag">${value}</span>`;
  if (typeof value === 'object' && !(value instanceof LongNumber)) return html`<code>${toJson(value)}</code>`;
  return String(value);
}

/**
 * On a screen of its own.
 * @param {Interface} api @param {Json} schema @param {Json | undefined} field @param {any} value @param {string} name
 */
export function wholeValue(api, schema, field, value, name) {
  const isObject = typeof value === 'object' && value !== null && !(value instanceof LongNumber);
  const isPlain = !isObject || field?.type === 'ref' || field?.type === 'price';
  if (isPlain) return cell(api, schema, field, value);
  if (Array.isArray(value) && value.length === 0) return html`<span class="null">[]</span>`;
  return jsonView(value, name);
}

/** @param {Interface} api @param {string} to @param {any} value */
function referenceView(api, to, value) {
  const get = api.entityOperation(to);
  const name = get?.ids.at(-1)?.name;
  const label = labelOf(value);
  if (!get || !name) return html`${label}`;
  return html`<a href=${link('operations', get.name, { [name]: value.id })} title="${to} ${value.id}">${label}</a>`;
}
