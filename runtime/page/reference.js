/**
 * What an operation is, for reading: its path, who may call it, its parameters, what it responds with.
 *
 * @import { Interface, Operation } from './interface.js'
 */
import { html, nothing } from './vendor/lit-html.js';
import { link } from './router.js';
import { statusClass } from './answer.js';
import { t } from './texts.js';
import { prose } from './values.js';

/** @param {Interface} api @param {Operation} operation */
export function operationHead(api, operation) {
  const resource = api.resourceNamed(operation.resource);
  return html`<header class="head">
    ${
      resource
        ? html`<p class="crumbs">
            <a href=${link('resources', resource.plural)}>${resource.name}</a>
            ${operation.view ? html`<span class="tag">${operation.view}</span>` : nothing}
          </p>`
        : nothing
    }
    <h1 tabindex="-1" lang="en">${operation.summary}</h1>
    <p class="path">${methodBadge(operation.method)} <code>${operation.path}</code></p>
    <p class="lead" lang="en">${prose(operation.description)}</p>
    ${
      operation.scopes.length === 0
        ? nothing
        : html`<p class="row">
            ${t('scopes')}: ${operation.scopes.map((scope) => html`<code class="tag">${scope}</code>`)}
          </p>`
    }
    ${operation.isDeprecated ? html`<p class="message warn">${t('deprecated')} ${operation.sunset ?? ''}</p>` : nothing}
    ${switches(api, operation)}
  </header>`;
}

/** @param {string} method */
export function methodBadge(method) {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** The same action in the other views of the resource. @param {Interface} api @param {Operation} operation */
function switches(api, operation) {
  const resource = api.resourceNamed(operation.resource);
  const isSame = (it) => it.action === operation.action && it.command === operation.command;
  const same = (resource?.operations ?? []).filter(isSame);
  if (same.length < 2) return nothing;
  const label = (it) => it.view ?? (it.under ? t('under', { name: it.under }) : resource?.plural);
  return html`<nav class="tabs" aria-label=${t('views')}>
    ${same.map(
      (it) =>
        html`<a href=${link('operations', it.name)} aria-current=${it.name === operation.name ? 'page' : nothing}
          >${label(it)}</a
        >`,
    )}
  </nav>`;
}

/** @param {Interface} api @param {Operation} operation */
export function operationReference(api, operation) {
  const { query } = operation;
  return html`
    ${
      query.length === 0
        ? nothing
        : html`<details class="more">
          <summary>${t('parameters')} (${query.length})</summary>
          <dl class="reference">
            ${query.map(
              ({ name, description, versions, isDeprecated }) => html`<div>
                <dt><code>${name}</code> ${versions ? html`<span class="tag">${versions.join(', ')}</span>` : nothing}
                  ${isDeprecated ? html`<span class="tag warn">${t('deprecated')}</span>` : nothing}</dt>
                <dd lang="en">${prose(description)}</dd>
              </div>`,
            )}
          </dl>
        </details>`
    }
    <details class="more">
      <summary>${t('responses')} (${operation.answers.length})</summary>
      <dl class="reference">
        ${operation.answers.map(
          ({ status, description, codes }) => html`<div>
            <dt><span class="badge ${statusClass(Number(status))}">${status}</span></dt>
            <dd lang="en">
              ${codes.length > 0 ? codes.map((code) => html`<code class="tag">${code}</code> `) : prose(description)}
            </dd>
          </div>`,
        )}
      </dl>
    </details>
  `;
}
