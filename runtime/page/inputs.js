/**
 * One input, by what it takes: a choice, a switch, a number, a day or time, a reference, a text.
 *
 * @import { Interface, Json } from './interface.js'
 * @typedef {{ id: string, schema: Json, field?: Json, value: string, described?: string, isFaulty?: boolean,
 *   set: (value: string) => void }} Input
 */
import { html, nothing } from './vendor/lit-html.js';
import { kindOf } from './draft.js';
import { LongNumber } from './numbers.js';
import { picker } from './picker.js';
import { isTime, time } from './times.js';

/** Characters from which a text has several lines. */
const LONG_TEXT = 200;

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
      if (input.field?.type === 'ref') return picker(api, input, text(input));
      if (isTime(input)) return time(input);
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

/** @param {Input} input @param {{ mode?: string, isHidden?: boolean }} [how] */
function text({ id, schema, field, value, described, isFaulty, set }, { mode, isHidden } = {}) {
  const example = field?.placeholder ?? (schema.examples ?? [])[0];
  const isShown = typeof example === 'string' || typeof example === 'number' || example instanceof LongNumber;
  const placeholder = isShown ? String(example) : nothing;
  return html`<input id=${id} type=${isHidden ? 'password' : 'text'} autocomplete=${isHidden ? 'new-password' : 'off'}
    spellcheck="false" inputmode=${mode ?? nothing} placeholder=${placeholder}
    aria-describedby=${described || nothing} aria-invalid=${isFaulty ? 'true' : nothing}
    .value=${value} @input=${(event) => set(event.target.value)}>`;
}

/** @param {Input} input */
function area({ id, value, described, isFaulty, set }) {
  return html`<textarea id=${id} rows="3"
    aria-describedby=${described || nothing} aria-invalid=${isFaulty ? 'true' : nothing}
    .value=${value} @input=${(event) => set(event.target.value)}></textarea>`;
}
