/**
 * The screen of a resource: its operations, fields, lifecycle, rules, commands, events and errors.
 *
 * @import { Interface, Operation, Resource } from './interface.js'
 * @import { Route } from './router.js'
 */
import { html, nothing } from './vendor/lit-html.js';
import { codeTable } from './errors.js';
import { fieldList } from './fields.js';
import { lifecycleView, ruleList } from './lifecycle.js';
import { methodBadge } from './reference.js';
import { link } from './router.js';
import { t } from './texts.js';
import { prose } from './values.js';

export class ResourceScreen {
  /** @param {Interface} api @param {Route} route */
  constructor(api, route) {
    this.api = api;
    const resource = api.resources.find((it) => it.plural === route.name);
    if (!resource) throw new Error(`no resource ${route.name}`);
    /** @type {Resource} */
    this.resource = resource;
    this.title = resource.name;
  }

  update() {}

  leave() {}

  render() {
    const { api, resource } = this;
    const { model } = resource;
    return html`
      <header class="head">
        <h1 tabindex="-1">${resource.name}</h1>
        <p class="lead">${prose(resource.description)}</p>
        <p class="row">
          ${(model.versions ?? []).map((version) => html`<span class="tag">${version}</span>`)}
          ${(model.retired ?? []).map(
            (version) => html`<span class="tag warn">${t('retired', { name: version })}</span>`,
          )}
          ${model.owner ? html`<span class="tag">${t('owner', { name: model.owner })}</span>` : nothing}
        </p>
        ${this.quickLinks()}
      </header>
      <section aria-labelledby="operations-title">
        <h2 id="operations-title">${t('operations')}</h2>
        ${groups(resource).map(
          ([title, operations]) => html`${title ? html`<h3>${title}</h3>` : nothing}${operationList(operations)}`,
        )}
      </section>
      <section aria-labelledby="fields-title">
        <h2 id="fields-title">${t('fields')}</h2>
        ${fieldList(api, model.fields ?? [])}
      </section>
      ${
        model.lifecycle
          ? html`<section aria-labelledby="lifecycle-title">
            <h2 id="lifecycle-title">${t('lifecycle')}</h2>
            ${lifecycleView(api, resource, model.lifecycle)}
          </section>`
          : nothing
      }
      ${
        (model.rules ?? []).length > 0
          ? html`<section aria-labelledby="rules-title">
            <h2 id="rules-title">${t('rules')}</h2>
            ${ruleList(model.rules)}
          </section>`
          : nothing
      }
      ${
        (model.commands ?? []).length > 0
          ? html`<section aria-labelledby="commands-title">
            <h2 id="commands-title">${t('commands')}</h2>
            ${model.commands.map((command) => this.command(command))}
          </section>`
          : nothing
      }
      ${
        resource.events.length > 0
          ? html`<section aria-labelledby="events-title">
            <h2 id="events-title">${t('events')}</h2>
            <p><a href=${link('events', '', { resource: resource.plural })}>${t('watchEvents')}</a></p>
            <ul class="links">${resource.events.map((type) => html`<li><code>${type}</code></li>`)}</ul>
          </section>`
          : nothing
      }
      <section aria-labelledby="errors-title">
        <h2 id="errors-title">${t('errors')}</h2>
        ${codeTable(resource.operations)}
      </section>
    `;
  }

  quickLinks() {
    const { name } = this.resource;
    const found = ['list', 'create'].map((action) => this.api.find(name, action)).filter((it) => it !== undefined);
    return html`<p class="row">
      ${found.map((it) => html`<a class="button" href=${link('operations', it.name)}>${it.summary}</a>`)}
    </p>`;
  }

  /** @param {import('./interface.js').Json} command */
  command(command) {
    const operation = this.api.find(this.resource.name, 'submit', { command: command.name });
    return html`<article class="card">
      <h3>${operation ? html`<a href=${link('operations', operation.name)}>${command.name}</a>` : command.name}</h3>
      ${command.description ? html`<p>${prose(command.description)}</p>` : nothing}
      <h4>${t('input')}</h4>
      ${(command.input ?? []).length > 0 ? fieldList(this.api, command.input) : html`<p class="muted">–</p>`}
      <h4>${t('output')}</h4>
      ${(command.output ?? []).length > 0 ? fieldList(this.api, command.output) : html`<p class="muted">–</p>`}
    </article>`;
  }
}

/** The operations of the resource itself, then of each view, of each parent, of searches, of commands.
 * @param {Resource} resource @returns {[string, Operation[]][]} */
function groups(resource) {
  const titleOf = (it) => {
    if (it.command) return t('commands');
    if (it.view) return `${t('view')} ${it.view}`;
    if (it.under) return t('under', { name: it.under });
    return it.action.endsWith('Search') ? t('searches') : '';
  };
  /** @type {Map<string, Operation[]>} */
  const groups = new Map();
  for (const operation of resource.operations) {
    const title = titleOf(operation);
    groups.set(title, [...(groups.get(title) ?? []), operation]);
  }
  return [...groups];
}

/** @param {Operation[]} operations */
export function operationList(operations) {
  return html`<ul class="operations">
    ${operations.map(
      (it) => html`<li>
        <a href=${link('operations', it.name)}>
          ${methodBadge(it.method)} <code>${it.path}</code> <span class="muted" lang="en">${it.summary}</span>
        </a>
        ${it.needsToken ? html`<span class="tag">${t('needsToken')}</span>` : nothing}
      </li>`,
    )}
  </ul>`;
}
