/**
 * The errors of the service: every code, with its statuses and where it occurs.
 *
 * @import { Interface, Operation } from './interface.js'
 */
import { html } from './vendor/lit-html.js';
import { statusClass } from './answer.js';
import { link } from './router.js';
import { t } from './texts.js';

export class ErrorsScreen {
  /** @param {Interface} api */
  constructor(api) {
    this.api = api;
  }

  get title() {
    return t('errors');
  }

  update() {}

  leave() {}

  render() {
    return html`<header class="head">
        <h1 tabindex="-1">${t('errors')}</h1>
        <p class="lead">${t('errorsLead')}</p>
      </header>
      ${codeTable([...this.api.operations.values()])}`;
  }
}

/** @param {Operation[]} operations */
export function codeTable(operations) {
  /** @type {Map<string, { status: string, code: string, operations: Operation[] }>} */
  const found = new Map();
  for (const operation of operations) {
    for (const { status, codes } of operation.answers) {
      for (const code of codes) {
        const entry = found.get(`${status} ${code}`) ?? { status, code, operations: [] };
        entry.operations.push(operation);
        found.set(`${status} ${code}`, entry);
      }
    }
  }
  const sorted = [...found.values()].sort((a, b) => a.status.localeCompare(b.status) || a.code.localeCompare(b.code));
  return html`<ul class="codes">
    ${sorted.map(
      ({ status, code, operations: at }) => html`<li>
        <details>
          <summary><span class="badge ${statusClass(Number(status))}">${status}</span> <code>${code}</code>
            <span class="muted">${t('operationCount', { count: at.length })}</span></summary>
          <ul class="links">${at.map((it) => html`<li><a href=${link('operations', it.name)}>${it.name}</a></li>`)}</ul>
        </details>
      </li>`,
    )}
  </ul>`;
}
