/**
 * The id of an entity, with a way to choose one: a search of the list of its resource by a text that this can be
 * filtered by, or the first entities, and how many more there are.
 *
 * @import { Interface, Json, Operation } from './interface.js'
 * @import { Input } from './inputs.js'
 * @typedef {{ id: string, label: string }} Choice
 */
import { html, nothing } from './vendor/lit-html.js';
import { prepare, send } from './client.js';
import { afterDrawing, refresh, settings } from './store.js';
import { t } from './texts.js';
import { labelOf } from './values.js';

/** Entities that are offered at a time. */
const OFFERED = 20;
/** Milliseconds without a key before a search is sent. */
const PAUSE = 250;
/** Ways to search a text, the best first; the last is equality. */
const WAYS = ['.containsIgnoreCase', '.startsWithIgnoreCase', '.contains', '.startsWith', ''];

/**
 * The picker that is open. `screen`: where it was opened; on another one it is closed.
 * @type {{ id: string, screen: string, text: string, choices: Choice[], count: number | undefined, status: number,
 *   isBusy: boolean } | null}
 */
let open = null;
/** The number of the newest request: what earlier ones find is no longer wanted. */
let newest = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;
/** What entities are known by that were chosen here. @type {Map<string, string>} */
const labels = new Map();

const screen = () => location.hash.split('?')[0];

/** @param {Interface} api @param {Input} input @param {unknown} text the input of the id */
export function picker(api, input, text) {
  const { id, field, value } = input;
  const list = api.find(field?.to, 'list');
  if (!list) return text;
  const isOpen = open?.id === id && open.screen === screen();
  const label = labels.get(value);
  return html`<div class="picker">
    <div class="row">${text}
      <button type="button" class="quiet" id="${id}-choose" aria-expanded=${isOpen ? 'true' : 'false'}
        aria-label=${t('chooseOf', { name: field?.to })} @click=${() => toggle(api, input, list, isOpen)}
        >${t('choose')}</button></div>
    ${label === undefined ? nothing : html`<p class="hint" id="${id}-label" lang="en">${label}</p>`}
    ${isOpen ? panel(api, input, list) : nothing}
  </div>`;
}

/** @param {Interface} api @param {Input} input @param {Operation} list @param {boolean} isOpen */
function toggle(api, input, list, isOpen) {
  if (isOpen) return close(input);
  const nothingYet = { text: '', choices: [], count: undefined, status: 200, isBusy: true };
  open = { id: input.id, screen: screen(), ...nothingYet };
  void look(api, input, list);
  refresh();
  afterDrawing(() => document.getElementById(`${input.id}-search`)?.focus());
}

/** @param {Input} input */
function close({ id }) {
  open = null;
  refresh();
  afterDrawing(() => document.getElementById(`${id}-choose`)?.focus());
}

/** @param {Interface} api @param {Input} input @param {Operation} list */
function panel(api, input, list) {
  const { id } = input;
  const by = searchedBy(api, input.field, list);
  const type = (event) => {
    if (!open) return;
    open.text = event.target.value;
    clearTimeout(waiting);
    waiting = setTimeout(() => void look(api, input, list), PAUSE);
  };
  const onKey = (event) => {
    if (event.key === 'Escape') close(input);
    // the form around it is not sent
    if (event.key === 'Enter' && event.target.id === `${id}-search`) event.preventDefault();
  };
  const label = t('chooseOf', { name: input.field?.to });
  return html`<div class="choices" role="group" aria-label=${label} @keydown=${onKey}>
    ${
      by === null
        ? nothing
        : html`<label for="${id}-search">${t('searchBy', { name: by })}</label>
            <input type="search" id="${id}-search" autocomplete="off" .value=${open?.text ?? ''} @input=${type}>`
    }
    <p class="hint" id="${id}-found" role="status">${told(by)}</p>
    <ul>${(open?.choices ?? []).map((choice) => html`<li>${offer(input, choice)}</li>`)}</ul>
  </div>`;
}

/** @param {Input} input @param {Choice} choice */
function offer(input, choice) {
  const choose = () => {
    labels.set(choice.id, choice.label);
    input.set(choice.id);
    close(input);
  };
  return html`<button type="button" class="quiet" lang="en" @click=${choose}>
    ${choice.label} <span class="muted">…${choice.id.slice(-8)}</span></button>`;
}

/** What is offered, and whether there is more. @param {string | null} by */
function told(by) {
  if (!open || open.isBusy) return t('dryRunChecking');
  const { choices, count, status } = open;
  if (status !== 200) return t('choicesRefused', { status: status || '–' });
  if (choices.length === 0) return t('noResults');
  const isAll = count === undefined ? choices.length < OFFERED : count <= choices.length;
  if (isAll) return t('choicesAll', { count: choices.length });
  const how = by === null ? t('choicesById') : t('choicesSearch');
  return `${t('choicesSome', { shown: choices.length, count: count ?? '?' })} ${how}`;
}

/**
 * The text that a search is for: what the reference shows, the name, or another text of the resource.
 * @param {Interface} api @param {Json | undefined} field @param {Operation} list @returns {string | null}
 */
function searchedBy(api, field, list) {
  return parameterOf(api, field, list)?.split('.')[0] ?? null;
}

/** @param {Interface} api @param {Json | undefined} field @param {Operation} list @returns {string | null} */
function parameterOf(api, field, list) {
  const texts = (api.resourceNamed(field?.to ?? null)?.model?.fields ?? []).filter((it) => it.type === 'string');
  const rank = ({ name }) => ((field?.show ?? []).includes(name) ? 0 : name === 'name' ? 1 : 2);
  const names = [...texts].sort((one, other) => rank(one) - rank(other)).map(({ name }) => name);
  const has = (parameter) => list.query.some(({ name }) => name === parameter);
  for (const name of names) {
    const way = WAYS.find((it) => has(`${name}${it}`));
    if (way !== undefined) return `${name}${way}`;
  }
  return null;
}

/** Reads what is offered. @param {Interface} api @param {Input} input @param {Operation} list */
async function look(api, input, list) {
  const picked = open;
  if (!picked) return;
  newest += 1;
  const number = newest;
  picked.isBusy = true;
  refresh();
  const parameter = parameterOf(api, input.field, list);
  const text = picked.text.trim();
  /** @type {[string, string][]} */
  const search = parameter !== null && text !== '' ? [[parameter, text]] : [];
  const mediaType = api.mediaType(list, settings.version);
  const query = /** @type {[string, string][]} */ ([...search, ['limit', String(OFFERED)]]);
  const reply = await send(prepare(list, { query, mediaType })).catch(() => null);
  if (number !== newest || open !== picked) return;
  const items = reply?.status === 200 ? (Object.values(reply.json ?? {}).find(Array.isArray) ?? []) : [];
  picked.choices = items.filter((item) => item?.id).map((item) => ({ id: item.id, label: labelOf(item) }));
  picked.count = typeof reply?.json?.count === 'number' ? reply.json.count : undefined;
  picked.status = reply?.status ?? 0;
  picked.isBusy = false;
  refresh();
}
