/**
 * One input, by what it takes: a choice, a switch, a number, a reference, a text.
 *
 * @import { Interface, Json } from './interface.js'
 * @typedef {{ id: string, schema: Json, field?: Json, value: string, described?: string, isFaulty?: boolean,
 *   set: (value: string) => void }} Input
 */
import { html, nothing } from './vendor/lit-html.js';
import { kindOf } from './draft.js';
import { prepare, send } from './client.js';
import { LongNumber } from './numbers.js';
import { refresh, settings } from './store.js';

/** Characters from which a text has several lines. */
const LONG_TEXT = 200;
/** Entities that are suggested for a reference. */
const SUGGESTED = 20;

/** @param {Interface} api @param {Input} input */
export function control(api, input) {
  switch (kindOf(input.schema)) {
    case 'choice':
      return select(input, input.schema.enum);
    case 'boolean':
      return select(input, ['true', 'false']);
    case 'number':
      return text(input, { mode: 'decimal' });
    case 'json':
      // a criterion is mostly one word
      return input.schema.anyOf ? text(input) : area(input);
    default:
      if (input.field?.type === 'ref') return reference(api, input);
      if ((input.schema.maxLength ?? 0) > LONG_TEXT && !input.schema.format) return area(input);
      return text(input, { isHidden: input.field?.writeOnly && input.field.type === 'string' });
  }
}

/** @param {Input} input @param {string[]} values */
function select({ id, value, described, isFaulty, set }, values) {
  const options = ['', ...values];
  return html`<select id=${id} aria-describedby=${described || nothing} aria-invalid=${isFaulty ? 'true' : nothing}
    @change=${(event) => set(event.target.value)}>
    ${options.map((option) => html`<option value=${option} .selected=${option === value}>${option || '–'}</option>`)}
  </select>`;
}

/** @param {Input} input @param {{ mode?: string, isHidden?: boolean, list?: string, onFocus?: () => void }} [how] */
function text({ id, schema, field, value, described, isFaulty, set }, { mode, isHidden, list, onFocus } = {}) {
  const example = field?.placeholder ?? (schema.examples ?? [])[0];
  const isShown = typeof example === 'string' || typeof example === 'number' || example instanceof LongNumber;
  const placeholder = isShown ? String(example) : nothing;
  return html`<input id=${id} type=${isHidden ? 'password' : 'text'} autocomplete=${isHidden ? 'new-password' : 'off'}
    spellcheck="false" inputmode=${mode ?? nothing} list=${list ?? nothing} placeholder=${placeholder}
    aria-describedby=${described || nothing} aria-invalid=${isFaulty ? 'true' : nothing}
    .value=${value} @input=${(event) => set(event.target.value)} @focus=${onFocus ?? nothing}>`;
}

/** @param {Input} input */
function area({ id, value, described, isFaulty, set }) {
  return html`<textarea id=${id} rows="3"
    aria-describedby=${described || nothing} aria-invalid=${isFaulty ? 'true' : nothing}
    .value=${value} @input=${(event) => set(event.target.value)}></textarea>`;
}

/** @type {Map<string, { id: string, label: string }[]>} by resource, for the token that they were read with */
const suggestions = new Map();
let suggestionsToken = '';

/** The id of an entity, with some that there are. @param {Interface} api @param {Input} input */
function reference(api, input) {
  const to = input.field?.to;
  const found = suggestions.get(to) ?? [];
  return html`${text(input, { list: `${input.id}-list`, onFocus: () => void suggest(api, to) })}
    <datalist id="${input.id}-list">
      ${found.map(({ id, label }) => html`<option value=${id} label=${label}></option>`)}
    </datalist>`;
}

/** @param {Interface} api @param {string} resource */
async function suggest(api, resource) {
  if (suggestionsToken !== settings.token) suggestions.clear();
  suggestionsToken = settings.token;
  const operation = api.find(resource, 'list');
  if (!operation || suggestions.has(resource)) return;
  suggestions.set(resource, []);
  const mediaType = api.mediaType(operation, settings.version);
  const reply = await send(prepare(operation, { query: [['limit', String(SUGGESTED)]], mediaType })).catch(
    () => null,
  );
  const items = Object.values(reply?.json ?? {}).find(Array.isArray) ?? [];
  suggestions.set(
    resource,
    items.filter((item) => item?.id).map((item) => ({ id: item.id, label: labelOf(item) })),
  );
  refresh();
}

/** What a reader knows an entity by: its name, or its first text. @param {any} item */
export function labelOf(item) {
  const { id, createdAt, updatedAt, ...rest } = item;
  return rest.name ?? Object.values(rest).find((value) => typeof value === 'string') ?? id;
}
