/**
 * Inputs of days and times: those of the browser, with the texts that the service takes. Times are in UTC, as the
 * service writes them. A text that such an input cannot hold stays in an input of text.
 *
 * @import { Input } from './inputs.js'
 */
import { html, nothing } from './vendor/lit-html.js';
import { t } from './texts.js';

/** By the type of a field. */
const FORMS = {
  date: { type: 'date', pattern: /^\d{4}-\d\d-\d\d$/, step: nothing },
  timestamp: { type: 'datetime-local', pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, step: '0.001' },
};

/** Whether an input of the browser can hold it. @param {Input} input */
export function isTime({ field, value }) {
  const form = FORMS[field?.type];
  return form !== undefined && (value === '' || form.pattern.test(value));
}

/** @param {Input} input */
export function time({ id, field, value, described, isFaulty, set }) {
  const { type, step } = FORMS[field?.type];
  const isMoment = type === 'datetime-local';
  const change = (event) => set(isMoment ? toTimestamp(event.target.value) : event.target.value);
  return html`<input id=${id} type=${type} step=${step} min="0001-01-01${isMoment ? 'T00:00' : ''}"
    max="9999-12-31${isMoment ? 'T23:59:59.999' : ''}"
    aria-describedby=${described || nothing} aria-invalid=${isFaulty ? 'true' : nothing}
    .value=${isMoment ? value.replace(/Z$/, '') : value} @change=${change}>
    ${isMoment ? html`<span class="muted">${t('utc')}</span>` : nothing}`;
}

/**
 * What the browser writes (`2026-12-01T08:00`, with seconds where they are not zero), with all digits.
 * @param {string} text
 */
export function toTimestamp(text) {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?$/.exec(text);
  if (!found) return '';
  const [, minutes, seconds = '00', fraction = ''] = found;
  return `${minutes}:${seconds}.${fraction.padEnd(3, '0')}Z`;
}
