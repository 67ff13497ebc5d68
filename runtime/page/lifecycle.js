/**
 * The lifecycle of a resource: a column for each state, an arrow for each way from one to another, and the same in
 * words. What stands in the model is drawn; nothing is derived.
 *
 * @import { Interface, Json, Resource } from './interface.js'
 */
import { html, nothing, svg } from './vendor/lit-html.js';
import { link } from './router.js';
import { t } from './texts.js';

/** Pixels: the width of a column, the height of the states' row and of each arrow's. */
const COLUMN = 132;
const HEAD = 52;
const ROW = 40;
/** How far an arrow that leads back to its own state reaches out. */
const LOOP = 26;

/** @param {Interface} api @param {Resource} resource @param {Json} lifecycle */
export function lifecycleView(api, resource, lifecycle) {
  const states = statesOf(api, resource, lifecycle);
  /** @type {[string, Json][]} */
  const arrows = lifecycle.transitions.flatMap((transition) => transition.from.map((from) => [from, transition]));
  const [width, height] = [states.length * COLUMN, HEAD + arrows.length * ROW + 12];
  return html`
    <p class="row">
      <span class="tag">${t('stateField', { name: lifecycle.field })}</span>
      <span class="tag">${t('initialState', { name: lifecycle.initial })}</span>
      ${(lifecycle.final ?? []).map((state) => html`<span class="tag">${t('finalState', { name: state })}</span>`)}
    </p>
    <div class="drawing" tabindex="0" role="group" aria-label=${t('lifecycle')}>
      <svg class="states" role="img" aria-label=${t('lifecycleDrawn', { name: resource.name })}
        width=${width} height=${height} viewBox="0 0 ${width} ${height}">
        ${states.map((state, column) => stateColumn(lifecycle, state, column, height))}
        ${arrows.map(([from, transition], row) =>
          arrow(states.indexOf(from), states.indexOf(transition.to), row, transition))}
      </svg>
    </div>
    <ul class="fields">${lifecycle.transitions.map((transition) => transitionItem(api, resource, transition))}</ul>
  `;
}

/** The values of the field, in their order. @param {Interface} api @param {Resource} resource @param {Json} lifecycle
 * @returns {string[]} */
function statesOf(api, resource, lifecycle) {
  const field = resource.model.fields.find((it) => it.name === lifecycle.field);
  return field?.values ?? api.named(field?.of)?.values ?? [];
}

/** @param {number} column */
function middle(column) {
  return column * COLUMN + COLUMN / 2;
}

/** @param {Json} lifecycle @param {string} state @param {number} column @param {number} height */
function stateColumn(lifecycle, state, column, height) {
  const isInitial = state === lifecycle.initial;
  const isFinal = (lifecycle.final ?? []).includes(state);
  const x = column * COLUMN + 8;
  return svg`<g class="state ${isInitial ? 'initial' : ''}">
    <line x1=${middle(column)} y1="36" x2=${middle(column)} y2=${height} />
    <rect x=${x} y="6" width=${COLUMN - 16} height="30" rx="8" />
    ${isFinal ? svg`<rect x=${x + 3} y="9" width=${COLUMN - 22} height="24" rx="6" />` : nothing}
    <text x=${middle(column)} y="25">${state}</text>
  </g>`;
}

/** @param {number} from @param {number} to @param {number} row @param {Json} transition */
function arrow(from, to, row, transition) {
  const y = HEAD + row * ROW + 22;
  const [start, end] = [middle(from), middle(to)];
  const label = transition.at ? `${transition.name} · ${transition.at}` : transition.name;
  const kind = transition.at ? 'arrow clock' : 'arrow';
  if (from === to) {
    return svg`<g class=${kind}>
      <path d="M ${start} ${y - 8} h ${LOOP} v 12 h ${6 - LOOP}" />
      <path class="tip" d="M ${start + 1} ${y + 4} l 8 -4 v 8 z" />
      <text x=${start + LOOP / 2} y=${y - 12}>${label}</text>
    </g>`;
  }
  const back = end > start ? -8 : 8;
  return svg`<g class=${kind}>
    <path d="M ${start} ${y} H ${end + back}" />
    <path class="tip" d="M ${end} ${y} l ${back} -4 v 8 z" />
    <text x=${(start + end) / 2} y=${y - 6}>${label}</text>
  </g>`;
}

/** @param {Interface} api @param {Resource} resource @param {Json} transition */
function transitionItem(api, resource, transition) {
  const operation = api.find(resource.name, 'submit', { command: transition.name });
  /** @type {[string, string][]} */
  const set = Object.entries(transition.set ?? {});
  return html`<li>
    <p class="row">
      <span class="name">
        ${operation ? html`<a href=${link('operations', operation.name)}>${transition.name}</a>` : transition.name}
      </span>
      <span class="type">${transition.from.join(', ')} → ${transition.to}</span>
      ${transition.at ? html`<span class="tag note">${t('byClock', { name: transition.at })}</span>` : nothing}
    </p>
    ${transition.when ? html`<p class="hint">${t('when')} <code>${transition.when}</code></p>` : nothing}
    ${set.map(([field, value]) => html`<p class="hint"><code>${field} = ${value}</code></p>`)}
  </li>`;
}

/** The rules of a resource. @param {Json[]} rules */
export function ruleList(rules) {
  return html`<ul class="fields">
    ${rules.map(
      (rule) => html`<li>
        <p class="row">
          <code class="name">${rule.code}</code>
          ${rule.path ? html`<code class="type">${rule.path}</code>` : nothing} <span lang="en">${rule.message}</span>
        </p>
        <p class="hint"><code>${rule.check}</code></p>
      </li>`,
    )}
  </ul>`;
}
